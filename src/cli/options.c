/* The options, in the order of enum lw_option_id. Which command takes which, its row says. */

#include "cli/cli.h"

static const struct lw_option options[LW_OPTION_COUNT] = {
    [LW_OPTION_TYPE] = {"type", 't', "TYPE",
                        "shape and element of the tensor: tensor<16x64xf16>, or 16x64xf16", NULL,
                        0},
    [LW_OPTION_SET] = {"set", 0, "NAME=VALUE",
                       "override a parameter, or shape or element; may be repeated", NULL, 0},
    [LW_OPTION_LET] = {"let", 0, "NAME=SOURCE", "bind a layout to a name; may be repeated", NULL,
                       0},
    [LW_OPTION_TARGET] = {"target", 0, "NAME",
                          "the hardware: its lanes a warp must be the layout's",
                          &lw_choices_targets, LW_OPTION_SPELT_OTHERWISE},
    [LW_OPTION_VIEW] = {"view", 0, "NAME", "what to draw", &lw_choices_views, 0},
    [LW_OPTION_FORMAT] = {"format", 0, "NAME",
                          "how to write it; else the extension of -o FILE says, else text",
                          &lw_choices_formats, 0},
    [LW_OPTION_STYLE] = {"style", 0, "NAME", "the table style of text (simple_grid)",
                         &lw_choices_styles, 0},
    [LW_OPTION_CELL] = {"cell", 0, "FORMAT",
                        "what a cell of the owners view says: '{thread}: {local}'", NULL, 0},
    [LW_OPTION_COLOR_BY] = {"color-by", 0, "FIELD", "what colours stand for",
                            &lw_choices_color_keys, 0},
    [LW_OPTION_ROWS] = {"rows", 0, "A:B", "only rows A to B-1; either may be left out", NULL, 0},
    [LW_OPTION_COLS] = {"cols", 0, "A:B", "only columns A to B-1", NULL, 0},
    [LW_OPTION_ALL] = {"all", 0, NULL, "write every cell, however many there are", NULL, 0},
    [LW_OPTION_AT] = {"at", 0, "I,J,...", "the element whose owners are asked for", NULL, 0},
    [LW_OPTION_JSON] = {"json", 0, NULL, "print JSON", NULL, 0},
    [LW_OPTION_BATCH] = {"batch", 0, NULL, "answer each line of standard input with a line of JSON",
                         NULL, LW_OPTION_FOR_WORDS},
    [LW_OPTION_INPUT] = {"input", 'i', "FILE",
                         "print the layouts that an MLIR file names, as triton-tensor-layout does",
                         NULL, LW_OPTION_FOR_WORDS},
    [LW_OPTION_LAYOUT] = {"layout", 'l', "ATTR", "print this layout as triton-tensor-layout does",
                          NULL, LW_OPTION_FOR_WORDS},
    [LW_OPTION_ALIAS_NAMES] = {"alias-names", 0, "A,B,...",
                               "with -i: only the layouts of these names; may be repeated", NULL,
                               0},
    [LW_OPTION_USE_HW_VIEW] = {"use-hw-view", 0, NULL,
                               "with -i and -l: what each warp, lane and register holds", NULL, 0},
    [LW_OPTION_OUTPUT] = {"output", 'o', "FILE",
                          "write to a file, which appears whole or not at all", NULL, 0},
    [LW_OPTION_COLOR] = {"color", 0, "WHEN", "when to use colours", &lw_choices_colors, 0},
    [LW_OPTION_ASCII] = {"ascii", 0, NULL, "draw lines in ASCII", NULL, 0},
    [LW_OPTION_NO_MOUSE] = {"no-mouse", 0, NULL, "leave the mouse to the terminal", NULL, 0},
    [LW_OPTION_SCRIPT] = {"script", 0, "FILE", "run the explorer from a file of actions", NULL, 0},
    [LW_OPTION_MAN] = {"man", 0, NULL, "print the manual page, in roff", NULL, 0},
    [LW_OPTION_COMPLETIONS] = {"completions", 0, "SHELL", "print the completions of a shell",
                               &lw_choices_shells, 0},
    [LW_OPTION_HELP] = {"help", 'h', NULL, "print help", NULL, 0},
    [LW_OPTION_VERSION] = {"version", 0, NULL, "print the version", NULL, 0},
};

const struct lw_option *lw_options(void)
{
    return options;
}
