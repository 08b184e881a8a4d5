/* The options, in the order of enum lw_option_id. The row of a command lists those that it accepts. */

#include "cli/options.h"

#define WORDS(list)                                                                                \
    &(const struct lw_choices)                                                                     \
    {                                                                                              \
        lw_choices_word, list                                                                      \
    }

static const struct lw_option options[LW_OPTION_COUNT] = {
    [LW_OPTION_TYPE] = {"type", 't', "TYPE",
                        "shape and element of the tensor: tensor<16x64xf16>, or 16x64xf16", NULL,
                        0},
    [LW_OPTION_ELEMENT] = {"element", 0, "NAME",
                           "the element alone: f16; swizzles are then printed in bytes, too", NULL,
                           0},
    [LW_OPTION_SET] = {"set", 0, "NAME=VALUE",
                       "override a parameter, shape, element, encoding, shared or load; repeatable",
                       NULL, 0},
    [LW_OPTION_LET] =
        {"let", 0, "NAME=VALUE",
         "bind a layout to a name of an expression; in CUDA C++ a number, [N, ...] or "
         "@FILE with numbers; repeatable",
         NULL, 0},
    [LW_OPTION_BLOCK] =
        {"block", 0, "X[,Y[,Z]]",
         "the threads of a block of CUDA C++; default: as the text sets it, else 32", NULL, 0},
    [LW_OPTION_TARGET] = {"target", 0, "NAME|FILE.json",
                          "the hardware, built in or described by a document ('laneway help "
                          "targets'); it must have as many lanes per warp as the layout",
                          &lw_choices_targets, LW_OPTION_OTHER_SPELLINGS},
    [LW_OPTION_TRITON] =
        {"triton", 0, "VERSION",
         "the version of Triton whose rules hold; default: LANEWAY_TRITON, else the newest",
         &lw_choices_versions, LW_OPTION_OTHER_SPELLINGS},
    [LW_OPTION_STORE] = {"store", 0, "SOURCE", "registers A of an access: where stores come from",
                         NULL, 0},
    [LW_OPTION_SHARED] = {"shared", 0, "SOURCE", "shared S of an access, between A and B", NULL, 0},
    [LW_OPTION_LOAD] = {"load", 0, "SOURCE",
                        "registers B of an access: where loads go; default: the same as A", NULL,
                        0},
    [LW_OPTION_VIEW] = {"view", 0, "NAME", "the view to draw", &lw_choices_views, 0},
    [LW_OPTION_FORMAT] = {"format", 0, "NAME",
                          "the output format; default: by the extension of -o FILE, else text",
                          &lw_choices_formats, LW_OPTION_NO_KEY},
    [LW_OPTION_STYLE] = {"style", 0, "NAME", "the table style of text; default: simple_grid",
                         &lw_choices_styles, LW_OPTION_NO_KEY},
    [LW_OPTION_CELL] = {"cell", 0, "FORMAT",
                        "what cells that are elements show: '{thread}: {local}'", NULL, 0},
    [LW_OPTION_COLOR_BY] = {"color-by", 0, "FIELD", "the field that colours show",
                            &lw_choices_color_keys, 0},
    [LW_OPTION_ROWS] = {"rows", 0, "A:B",
                        "only rows A to B-1; either can be omitted; in styles of "
                        "brackets those of a block: 0:4,14:16",
                        NULL, 0},
    [LW_OPTION_COLS] = {"cols", 0, "A:B", "only columns A to B-1", NULL, 0},
    [LW_OPTION_LABELS] =
        {"labels", 0, "WHEN",
         "row and column labels, where the format has them; auto: not for a whole owners view in "
         "text; nested: those of nested modes of CuTe as coordinates, (1,0)",
         WORDS("auto\0always\0nested\0never\0"), 0},
    [LW_OPTION_ALL] = {"all", 0, NULL, "print everything, without a limit", NULL, 0},
    [LW_OPTION_AT] = {"at", 0, "I,J,...", "print the owners of this element", NULL, 0},
    [LW_OPTION_OP] = {"op", 0, "OP", "which accesses; default: both", WORDS("load\0store\0both\0"),
                      0},
    [LW_OPTION_TO_GLOBAL] = {"to-global", 0, NULL,
                             "the loaded value goes directly to a global store", NULL, 0},
    [LW_OPTION_AS] =
        {"as", 0, "STAGE",
         "the instructions that are counted: those of the machine code, Triton's own, or the "
         "accesses of each lane as the layout has them; default: by the layouts",
         WORDS("compiled\0triton\0written\0"), 0},
    [LW_OPTION_INSTRUCTION] =
        {"instruction", 0, "N",
         "the banks view of one instruction, from 1, of those that --op selects, stores first",
         NULL, 0},
    [LW_OPTION_WAVEFRONT] = {"wavefront", 0, "N",
                             "the wavefront of that instruction to mark, from 1", NULL, 0},
    [LW_OPTION_FAIL_ON_CONFLICT] =
        {"fail-on-conflict", 0, "N",
         "exit with status 1 when there are more than N bank conflicts (0)", NULL,
         LW_OPTION_VALUE_OPTIONAL | LW_OPTION_NO_KEY},
    [LW_OPTION_NO_INSTRUCTIONS] = {"no-instructions", 0, NULL,
                                   "JSON without the list of instructions", NULL, 0},
    [LW_OPTION_JSON] = {"json", 0, NULL, "print JSON", NULL, LW_OPTION_NO_KEY},
    [LW_OPTION_BATCH] = {"batch", 0, NULL, "answer each line of standard input with a line of JSON",
                         NULL, LW_OPTION_REPLACES_OPERANDS | LW_OPTION_NO_KEY},
    [LW_OPTION_STDIO] = {"stdio", 0, NULL, "requests come from standard input", NULL, 0},
    [LW_OPTION_EXPLAIN] = {"explain", 0, NULL, "print each step of the computation", NULL,
                           LW_OPTION_NO_KEY},
    [LW_OPTION_AS_CUTE] = {"as-cute", 0, NULL,
                           "print the results that CuTe gives, also where they are wrong", NULL, 0},
    [LW_OPTION_LANG] = {"lang", 0, "NAME",
                        "the notation of a system, or index arithmetic in a language",
                        &lw_choices_languages, 0},
    [LW_OPTION_SIDE] = {"side", 0, "NAME",
                        "which layout of an access: registers A, shared S or registers B",
                        WORDS("store\0shared\0load\0"), 0},
    [LW_OPTION_FOR] = {"for", 0, "INSTRUCTION",
                       "the instruction that reads it; idesc: the instruction descriptor of "
                       "tcgen05.mma, as a number",
                       WORDS("wgmma\0tcgen05\0tma\0idesc\0idesc-scaled\0"), 0},
    [LW_OPTION_MAJOR] = {"major", 0, "MODE",
                         "of a number: in which mode the operand is contiguous; default: k",
                         WORDS("k\0mn\0"), 0},
    [LW_OPTION_ADDRESS] = {"address", 0, "BYTES", "where the operand starts in shared memory", NULL,
                           0},
    [LW_OPTION_GLOBAL] = {"global", 0, "SOURCE",
                          "the tensor in global memory that TMA copies from or to, as CuTe writes "
                          "it",
                          NULL, 0},
    [LW_OPTION_SOURCE] = {"source", 0, "FILE",
                          "the source file of the kernel, whose lines are quoted", NULL, 0},
    [LW_OPTION_TRIPS] = {"trips", 0, "N|LINE=N|NAME=N,...",
                         "how often loops run: all whose bounds are unknown, the loop on a line, "
                         "or those whose bounds are computed from a value",
                         NULL, 0},
    [LW_OPTION_CHECK] = {"check", 0, NULL, "change nothing, only report what is wrong", NULL, 0},
    [LW_OPTION_REQUIRE] = {"require", 0, "N",
                           "exit with status 1 when fewer than N blocks are found", NULL, 0},
    [LW_OPTION_RECURSIVE] = {"recursive", 'r', NULL, "walk folders", NULL, 0},
    [LW_OPTION_ANSWERS] = {"answers", 0, NULL, "print the answers of a lesson, not its tasks", NULL,
                           0},
    [LW_OPTION_SEED] = {"seed", 0, "N", "choose the cases of a lesson's steps", NULL, 0},
    [LW_OPTION_OUTPUT] =
        {"output", 'o', "FILE",
         "write to a file, whole or not at all; it keeps its mode, not its owner or hard links",
         NULL, LW_OPTION_NO_KEY},
    [LW_OPTION_COLOR] = {"color", 0, "WHEN",
                         "when to use colours; auto: on a terminal, unless NO_COLOR is set",
                         WORDS("auto\0always\0never\0"), LW_OPTION_NO_KEY},
    [LW_OPTION_ASCII] = {"ascii", 0, NULL, "draw lines in ASCII", NULL, LW_OPTION_NO_KEY},
    [LW_OPTION_NO_MOUSE] = {"no-mouse", 0, NULL, "leave the mouse to the terminal", NULL, 0},
    [LW_OPTION_THEME] =
        {"theme", 0, "NAME",
         "colours of the explorer: auto, dark, light, neutral, safe, mono, or your own", NULL, 0},
    [LW_OPTION_SCRIPT] = {"script", 0, "FILE", "run the explorer from a file of actions", NULL, 0},
    [LW_OPTION_MAN] = {"man", 0, NULL, "print the manual page, in roff", NULL, 0},
    [LW_OPTION_COMPLETIONS] = {"completions", 0, "SHELL", "print the completions of a shell",
                               WORDS("bash\0zsh\0fish\0"), 0},
    [LW_OPTION_COMPLETE] = {"complete", 0, "LINE",
                            "print what can follow the line, as these scripts ask", NULL, 0},
    [LW_OPTION_HELP] = {"help", 'h', NULL, "print help", NULL, 0},
    [LW_OPTION_VERSION] = {"version", 'V', NULL, "print the version", NULL, 0},
    [LW_OPTION_TITLE] = {"title", 0, "TEXT",
                         "the title of the figure; default: the document's; '': none", NULL, 0},
    [LW_OPTION_TITLES] = {"titles", 0, "A|B|...",
                          "the titles of the panels, one for each, which can be empty", NULL, 0},
    [LW_OPTION_CAPTION] = {"caption", 0, "TEXT", "a caption below the figure", NULL, 0},
    [LW_OPTION_NO_HEAD] = {"no-head", 0, NULL,
                           "no title, notation or text about the document, but what --title, "
                           "--titles and --caption set; --labels never leaves out the numbers of "
                           "rows and columns",
                           NULL, 0},
    [LW_OPTION_PALETTE] = {"palette", 0, "NAME", "the colours of figures", &lw_choices_palettes, 0},
    [LW_OPTION_FRAGMENT] = {"fragment", 0, NULL,
                            "html, latex: a part to put into a document of your own", NULL, 0},
    [LW_OPTION_CELL_SIZE] = {"cell-size", 0, "N",
                             "the side of the cells of a drawing, in pixels of 1/96 inch; text "
                             "that does not fit is left out; default: as the texts need",
                             NULL, 0},
    [LW_OPTION_WIDTH] =
        {"width", 0, "N",
         "the width of a drawing, in pixels of 1/96 inch: cells of a wider grid are "
         "smaller, or have no texts; default: 960; 0: as wide as it needs",
         NULL, 0},
    [LW_OPTION_HIGHLIGHT] = {"highlight", 0, "FIELD=N,...",
                             "the cells that stand out: lane=9, 'warp=0-1 row=3', or as find and "
                             "mark have them: t9, 'w1 l3', 3,5, 'B 3,5'; | is between several",
                             NULL, 0},
    [LW_OPTION_NO_DIM] = {"no-dim", 0, NULL,
                          "with --highlight: the other cells of a drawing are not faint", NULL, 0},
    [LW_OPTION_ARRANGE] =
        {"arrange", 0, "HOW",
         "where the panels of a drawing are; auto: side by side, as many as the width has room "
         "for; frames: one after another in time (html, svg), of the banks view its wavefronts",
         WORDS("auto\0row\0column\0product\0frames\0"), 0},
    [LW_OPTION_DIFFERENCES] = {"differences", 0, NULL,
                               "mark the cells of a panel that differ from those of the first",
                               NULL, 0},
    [LW_OPTION_WRAP] = {"wrap", 0, "N", "elements in a row of a tensor of one dim", NULL, 0},
    [LW_OPTION_ACROSS] = {"across", 0, "N", "owners of more than two dims: how many run across",
                          NULL, 0},
    [LW_OPTION_TIDY] =
        {"tidy", 0, NULL,
         "csv: a row for each owner of an element, or each word of an access, a column "
         "for each field",
         NULL, 0},
};

const struct lw_option *lw_options(void)
{
    return options;
}

bool lw_options_have(uint64_t set, size_t id)
{
    return id < LW_OPTION_FIRST_OF_FIGURES ? set >> id & 1 : (set & LW_OPTIONS_FIGURE) != 0;
}
