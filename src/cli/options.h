#ifndef LANEWAY_OPTIONS_H
#define LANEWAY_OPTIONS_H

/* The options of the command line, rows of one table: each command lists those that it accepts. And lists of names,
 * with a line of help each, read from the tables that own them, or of words alone: options, help and completions use
 * them. */

#include "laneway/text.h"

#include <stdint.h>

struct lw_choice {
    const char *name; /* "": not printed */
    const char *help;
};

struct lw_choices {
    /* Choice number i, at most their count; false when there are no more. */
    bool (*at)(const void *context, size_t i, struct lw_choice *choice);
    const void *context;
};

size_t lw_choices_count(const struct lw_choices *choices);
/* Fails, with the names that there are, unless the name is one of them; `what` is before it: "--format". */
bool lw_choices_check(const struct lw_choices *choices, const char *what, const char *name,
                      struct lw_error *err);
/* The choice whose name is near, or NULL; see lw_text_nearest. */
const char *lw_choices_nearest(const struct lw_choices *choices, const char *name);
/* Appends the names with the separator between them. */
void lw_choices_print(struct lw_text *text, const struct lw_choices *choices,
                      const char *separator);
/* One list after another: `context` is an array of pointers to lists that ends with NULL. */
bool lw_choices_joined(const void *context, size_t i, struct lw_choice *choice);
/* Words without help: `context` is "auto\0always\0never\0". */
bool lw_choices_word(const void *context, size_t i, struct lw_choice *choice);

extern const struct lw_choices lw_choices_views;
extern const struct lw_choices lw_choices_formats;
extern const struct lw_choices lw_choices_styles;
extern const struct lw_choices lw_choices_palettes;
extern const struct lw_choices lw_choices_color_keys;
extern const struct lw_choices lw_choices_targets;
extern const struct lw_choices lw_choices_versions;
extern const struct lw_choices lw_choices_encodings;
extern const struct lw_choices lw_choices_gallery;
extern const struct lw_choices lw_choices_operations;
extern const struct lw_choices lw_choices_lessons;
extern const struct lw_choices lw_choices_files; /* empty: the shell completes files by itself */
extern const struct lw_choices lw_choices_script;
extern const struct lw_choices lw_choices_goals;
extern const struct lw_choices lw_choices_step_keys;
extern const struct lw_choices lw_choices_languages;

/* Properties of an option; rows combine them with |. */
enum lw_option_trait {
    LW_OPTION_OTHER_SPELLINGS = 1, /* its choices have others, which are checked where it is used */
    LW_OPTION_VALUE_OPTIONAL = 2,  /* its value, if any, follows '=' */
    LW_OPTION_NO_KEY = 4           /* requests in JSON do not have it */
};

struct lw_option {
    const char *name;                 /* without the dashes */
    char letter;                      /* 0: none */
    const char *argument;             /* the name of its value in help; NULL: it has no value */
    const struct lw_choices *choices; /* the legal values; NULL: any */
    unsigned traits;                  /* enum lw_option_trait */
    const char *help;
};

/* clang-format off */

/* ROW(ID, name, letter, argument, choices, traits, help). The options of figures, from TITLE on, go together. */
#define LW_OPTIONS(ROW) \
    ROW(TYPE, "type", 't', "TYPE", NULL, 0, \
        "shape and element of the tensor: tensor<16x64xf16>, or 16x64xf16") \
    ROW(ELEMENT, "element", 0, "NAME", NULL, 0, \
        "the element alone: f16; swizzles are then printed in bytes, too") \
    ROW(SET, "set", 0, "NAME=VALUE", NULL, 0, \
        "override a parameter, shape, element, encoding, shared or load; repeatable") \
    ROW(LET, "let", 0, "NAME=VALUE", NULL, 0, \
        "bind a layout to a name; in CUDA C++ a number, [N, ...] or @FILE; repeatable") \
    ROW(BLOCK, "block", 0, "X[,Y[,Z]]", NULL, 0, \
        "the threads of a block of CUDA C++; default: as the text sets it, else 32") \
    ROW(TARGET, "target", 0, "NAME|FILE.json", &lw_choices_targets, OTHER_SPELLINGS, \
        "the hardware ('laneway help targets'), with the lanes per warp of the layout") \
    ROW(TRITON, "triton", 0, "VERSION", &lw_choices_versions, OTHER_SPELLINGS, \
        "the version of Triton whose rules hold; default: LANEWAY_TRITON, else the newest") \
    ROW(STORE, "store", 0, "SOURCE", NULL, 0, "registers A of an access: where stores come from") \
    ROW(SHARED, "shared", 0, "SOURCE", NULL, 0, "shared S of an access, between A and B") \
    ROW(LOAD, "load", 0, "SOURCE", NULL, 0, \
        "registers B of an access: where loads go; default: the same as A") \
    ROW(VIEW, "view", 0, "NAME", &lw_choices_views, 0, "the view to draw") \
    ROW(FORMAT, "format", 0, "NAME", &lw_choices_formats, NO_KEY, \
        "the output format; default: by the extension of -o FILE, else text") \
    ROW(STYLE, "style", 0, "NAME", &lw_choices_styles, NO_KEY, \
        "the table style of text; default: simple_grid") \
    ROW(CELL, "cell", 0, "FORMAT", NULL, 0, \
        "what cells that are elements show: '{thread}: {local}'") \
    ROW(COLOR_BY, "color-by", 0, "FIELD", &lw_choices_color_keys, 0, \
        "the field that colours show") \
    ROW(ROWS, "rows", 0, "A:B", NULL, 0, \
        "only rows A to B-1; A or B can be omitted; in brackets those of a block: 0:4,14:16") \
    ROW(COLS, "cols", 0, "A:B", NULL, 0, "only columns A to B-1") \
    ROW(LABELS, "labels", 0, "WHEN", WORDS("auto\0always\0nested\0never\0"), 0, \
        "labels of rows and columns; auto: not of a whole owners view in text; nested: of " \
        "nested modes of CuTe as coordinates, (1,0)") \
    ROW(ALL, "all", 0, NULL, NULL, 0, "print everything, without a limit") \
    ROW(AT, "at", 0, "I,J,...", NULL, 0, "print the owners of this element") \
    ROW(OP, "op", 0, "OP", WORDS("load\0store\0both\0"), 0, "which accesses; default: both") \
    ROW(TO_GLOBAL, "to-global", 0, NULL, NULL, 0, \
        "the loaded value goes directly to a global store") \
    ROW(AS, "as", 0, "STAGE", WORDS("compiled\0triton\0written\0"), 0, \
        "the instructions that are counted: those of the machine code, Triton's own, or the " \
        "accesses of each lane as the layout has them; default: by the layouts") \
    ROW(INSTRUCTION, "instruction", 0, "N", NULL, 0, \
        "the banks view of one instruction, from 1, of those that --op selects, stores first") \
    ROW(WAVEFRONT, "wavefront", 0, "N", NULL, 0, \
        "the wavefront of that instruction to mark, from 1") \
    ROW(FAIL_ON_CONFLICT, "fail-on-conflict", 0, "N", NULL, VALUE_OPTIONAL | NO_KEY, \
        "exit with status 1 when there are more than N bank conflicts (0)") \
    ROW(NO_INSTRUCTIONS, "no-instructions", 0, NULL, NULL, 0, \
        "JSON without the list of instructions") \
    ROW(JSON, "json", 0, NULL, NULL, NO_KEY, "print JSON") \
    ROW(BATCH, "batch", 0, NULL, NULL, NO_KEY, \
        "answer each line of standard input with a line of JSON") \
    ROW(STDIO, "stdio", 0, NULL, NULL, 0, "requests come from standard input") \
    ROW(EXPLAIN, "explain", 0, NULL, NULL, NO_KEY, "print each step of the computation") \
    ROW(AS_CUTE, "as-cute", 0, NULL, NULL, 0, \
        "print the results that CuTe gives, also where they are wrong") \
    ROW(LANG, "lang", 0, "NAME", &lw_choices_languages, 0, \
        "the notation of a system, or index arithmetic in a language") \
    ROW(SIDE, "side", 0, "NAME", WORDS("store\0shared\0load\0"), 0, \
        "which layout of an access: registers A, shared S or registers B") \
    ROW(FOR, "for", 0, "INSTRUCTION", WORDS("wgmma\0tcgen05\0tma\0idesc\0idesc-scaled\0"), 0, \
        "the instruction that reads it; idesc: the number is tcgen05.mma's own descriptor") \
    ROW(MAJOR, "major", 0, "MODE", WORDS("k\0mn\0"), 0, \
        "of a number: in which mode the operand is contiguous; default: k") \
    ROW(ADDRESS, "address", 0, "BYTES", NULL, 0, "where the operand starts in shared memory") \
    ROW(GLOBAL, "global", 0, "SOURCE", NULL, 0, \
        "the tensor in global memory that TMA copies from or to, as CuTe writes it") \
    ROW(SOURCE, "source", 0, "FILE", NULL, 0, \
        "the source file of the kernel, whose lines are quoted") \
    ROW(TRIPS, "trips", 0, "N|LINE=N|NAME=N,...", NULL, 0, \
        "how often loops run: all, the one on a line, or those bounded by a value") \
    ROW(CHECK, "check", 0, NULL, NULL, 0, "change nothing, only report what is wrong") \
    ROW(ANSWERS, "answers", 0, NULL, NULL, 0, "print the answers of a lesson, not its tasks") \
    ROW(SEED, "seed", 0, "N", NULL, 0, "choose the cases of a lesson's steps") \
    ROW(OUTPUT, "output", 'o', "FILE", NULL, NO_KEY, \
        "write to a file, whole or not at all; it keeps its mode, not its owner or hard links") \
    ROW(COLOR, "color", 0, "WHEN", WORDS("auto\0always\0never\0"), NO_KEY, \
        "when to use colours; auto: on a terminal, unless NO_COLOR is set") \
    ROW(ASCII, "ascii", 0, NULL, NULL, NO_KEY, "draw lines in ASCII") \
    ROW(NO_MOUSE, "no-mouse", 0, NULL, NULL, 0, "leave the mouse to the terminal") \
    ROW(THEME, "theme", 0, "NAME", WORDS("auto\0dark\0light\0safe\0mono\0"), 0, \
        "colours of the explorer; safe: for people who confuse red and green") \
    ROW(SCRIPT, "script", 0, "FILE", NULL, 0, "run the explorer from a file of actions") \
    ROW(MAN, "man", 0, NULL, NULL, 0, "print the manual page, in roff") \
    ROW(COMPLETIONS, "completions", 0, "SHELL", WORDS("bash\0zsh\0fish\0"), 0, \
        "print the completions of a shell") \
    ROW(COMPLETE, "complete", 0, "LINE", NULL, 0, \
        "print what can follow the line, as these scripts ask") \
    ROW(HELP, "help", 'h', NULL, NULL, 0, "print help") \
    ROW(VERSION, "version", 'V', NULL, NULL, 0, "print the version") \
    ROW(TITLE, "title", 0, "TEXT", NULL, 0, \
        "the title of the figure; default: the document's; '': none") \
    ROW(TITLES, "titles", 0, "A|B|...", NULL, 0, \
        "the titles of the panels, one for each, which can be empty") \
    ROW(CAPTION, "caption", 0, "TEXT", NULL, 0, "a caption below the figure") \
    ROW(NO_HEAD, "no-head", 0, NULL, NULL, 0, \
        "no title, notation or text about the document, but what other options set") \
    ROW(PALETTE, "palette", 0, "NAME", &lw_choices_palettes, 0, "the colours of figures") \
    ROW(TIDY, "tidy", 0, NULL, NULL, 0, \
        "csv: a row for each owner of an element or word of an access, a column a field") \
    ROW(FRAGMENT, "fragment", 0, NULL, NULL, 0, \
        "html, latex: a part to put into a document of your own") \
    ROW(WRAP, "wrap", 0, "N", NULL, 0, "elements in a row of a tensor of one dim") \
    ROW(ACROSS, "across", 0, "N", NULL, 0, "owners of more than two dims: how many run across") \
    ROW(CELL_SIZE, "cell-size", 0, "N", NULL, 0, \
        "the side of the cells of a drawing, in pixels; text that does not fit is left out") \
    ROW(WIDTH, "width", 0, "N", NULL, 0, \
        "the width of a drawing, in pixels of 1/96 inch; default: 960; 0: as it needs") \
    ROW(HIGHLIGHT, "highlight", 0, "FIELD=N,...", NULL, 0, \
        "the cells that stand out: lane=9, 'warp=0-1 row=3', t9, 3,5; | is between several") \
    ROW(NO_DIM, "no-dim", 0, NULL, NULL, 0, \
        "with --highlight: the other cells of a drawing are not faint") \
    ROW(ARRANGE, "arrange", 0, "HOW", WORDS("auto\0row\0column\0product\0frames\0"), 0, \
        "where panels are; auto: side by side, as the width has room; frames: one after " \
        "another in time (html, svg), of the banks view its wavefronts") \
    ROW(DIFFERENCES, "differences", 0, NULL, NULL, 0, \
        "mark the cells of a panel that differ from those of the first")
/* clang-format on */

#define LW_OPTION_ID(ID, ...) LW_OPTION_##ID,
enum lw_option_id { LW_OPTIONS(LW_OPTION_ID) LW_OPTION_COUNT };
#undef LW_OPTION_ID

/* A set of options: LW_OPTION_BIT(TYPE) | LW_OPTION_BIT(JSON). */
#define LW_OPTION_BIT(option) ((uint64_t)1 << LW_OPTION_##option)
/* Those of every command that answers requests. */
#define LW_OPTIONS_ANSWER                                                                          \
    (LW_OPTION_BIT(JSON) | LW_OPTION_BIT(BATCH) | LW_OPTION_BIT(OUTPUT) | LW_OPTION_BIT(COLOR))
/* The options that name another layout of an access. */
#define LW_OPTIONS_SIDES (LW_OPTION_BIT(STORE) | LW_OPTION_BIT(SHARED) | LW_OPTION_BIT(LOAD))
#define LW_OPTIONS_TENSOR (LW_OPTION_BIT(TYPE) | LW_OPTION_BIT(ELEMENT) | LW_OPTION_BIT(TRITON))
#define LW_OPTIONS_SOURCE                                                                          \
    (LW_OPTIONS_TENSOR | LW_OPTION_BIT(SET) | LW_OPTION_BIT(LET) | LW_OPTION_BIT(BLOCK) |          \
     LW_OPTION_BIT(TARGET))
/* All options of figures: one bit. */
#define LW_OPTIONS_FIGURE ((uint64_t)1 << 63)
_Static_assert(LW_OPTION_TITLE <= 63, "an option has one of the other bits");

const struct lw_option *lw_options(void); /* LW_OPTION_COUNT of them */
/* Whether a set of options has an option. */
bool lw_options_have(uint64_t options, size_t id);

#endif
