/* The options, in the order of enum lw_option_id. Which command takes which, its row says. */

#include "cli/cli.h"

static const struct lw_option options[LW_OPTION_COUNT] = {
    [LW_OPTION_TYPE] = {"type", 't', "TYPE",
                        "shape and element of the tensor: tensor<16x64xf16>, or 16x64xf16", NULL,
                        false},
    [LW_OPTION_SET] = {"set", 0, "NAME=VALUE",
                       "override a parameter, or shape or element; may be repeated", NULL, false},
    [LW_OPTION_LET] = {"let", 0, "NAME=SOURCE", "bind a layout to a name; may be repeated", NULL,
                       false},
    [LW_OPTION_TARGET] = {"target", 0, "NAME",
                          "the hardware: its lanes a warp must be the layout's",
                          &lw_choices_targets, true},
    [LW_OPTION_VIEW] = {"view", 0, "NAME", "what to draw", &lw_choices_views, false},
    [LW_OPTION_FORMAT] = {"format", 0, "NAME",
                          "how to write it; else the extension of -o FILE says, else text",
                          &lw_choices_formats, false},
    [LW_OPTION_STYLE] = {"style", 0, "NAME", "the table style of text (simple_grid)",
                         &lw_choices_styles, false},
    [LW_OPTION_CELL] = {"cell", 0, "FORMAT",
                        "what a cell of the owners view says: '{thread}: {local}'", NULL, false},
    [LW_OPTION_COLOR_BY] = {"color-by", 0, "FIELD", "what colours stand for",
                            &lw_choices_color_keys, false},
    [LW_OPTION_ROWS] = {"rows", 0, "A:B", "only rows A to B-1; either may be left out", NULL,
                        false},
    [LW_OPTION_COLS] = {"cols", 0, "A:B", "only columns A to B-1", NULL, false},
    [LW_OPTION_ALL] = {"all", 0, NULL, "write every cell, however many there are", NULL, false},
    [LW_OPTION_AT] = {"at", 0, "I,J,...", "the element whose owners are asked for", NULL, false},
    [LW_OPTION_JSON] = {"json", 0, NULL, "print JSON", NULL, false},
    [LW_OPTION_BATCH] = {"batch", 0, NULL, "answer each line of standard input with a line of JSON",
                         NULL, false},
    [LW_OPTION_OUTPUT] = {"output", 'o', "FILE",
                          "write to a file, which appears whole or not at all", NULL, false},
    [LW_OPTION_COLOR] = {"color", 0, "WHEN", "when to use colours", &lw_choices_colors, false},
    [LW_OPTION_ASCII] = {"ascii", 0, NULL, "draw lines in ASCII", NULL, false},
    [LW_OPTION_NO_MOUSE] = {"no-mouse", 0, NULL, "leave the mouse to the terminal", NULL, false},
    [LW_OPTION_SCRIPT] = {"script", 0, "FILE", "run the explorer from a file of actions", NULL,
                          false},
    [LW_OPTION_MAN] = {"man", 0, NULL, "print the manual page, in roff", NULL, false},
    [LW_OPTION_COMPLETIONS] = {"completions", 0, "SHELL", "print the completions of a shell",
                               &lw_choices_shells, false},
    [LW_OPTION_HELP] = {"help", 'h', NULL, "print help", NULL, false},
    [LW_OPTION_VERSION] = {"version", 0, NULL, "print the version", NULL, false},
};

const struct lw_option *lw_options(void)
{
    return options;
}
