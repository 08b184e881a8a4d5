#ifndef LANEWAY_OPTIONS_H
#define LANEWAY_OPTIONS_H

/* The options of the command line, rows of one table. Each command lists those that it accepts. */

#include "cli/choices.h"

#include <stdint.h>

/* In the order of the table in options.c. */
enum lw_option_id {
    LW_OPTION_TYPE,
    LW_OPTION_ELEMENT,
    LW_OPTION_SET,
    LW_OPTION_LET,
    LW_OPTION_BLOCK,
    LW_OPTION_TARGET,
    LW_OPTION_TRITON,
    LW_OPTION_STORE,
    LW_OPTION_SHARED,
    LW_OPTION_LOAD,
    LW_OPTION_VIEW,
    LW_OPTION_FORMAT,
    LW_OPTION_STYLE,
    LW_OPTION_CELL,
    LW_OPTION_COLOR_BY,
    LW_OPTION_ROWS,
    LW_OPTION_COLS,
    LW_OPTION_LABELS,
    LW_OPTION_ALL,
    LW_OPTION_AT,
    LW_OPTION_OP,
    LW_OPTION_TO_GLOBAL,
    LW_OPTION_AS,
    LW_OPTION_INSTRUCTION,
    LW_OPTION_WAVEFRONT,
    LW_OPTION_FAIL_ON_CONFLICT,
    LW_OPTION_NO_INSTRUCTIONS,
    LW_OPTION_JSON,
    LW_OPTION_BATCH,
    LW_OPTION_STDIO,
    LW_OPTION_EXPLAIN,
    LW_OPTION_AS_CUTE,
    LW_OPTION_LANG,
    LW_OPTION_SIDE,
    LW_OPTION_FOR,
    LW_OPTION_MAJOR,
    LW_OPTION_ADDRESS,
    LW_OPTION_GLOBAL,
    LW_OPTION_SOURCE,
    LW_OPTION_TRIPS,
    LW_OPTION_CHECK,
    LW_OPTION_REQUIRE,
    LW_OPTION_RECURSIVE,
    LW_OPTION_ANSWERS,
    LW_OPTION_SEED,
    LW_OPTION_OUTPUT,
    LW_OPTION_COLOR,
    LW_OPTION_ASCII,
    LW_OPTION_NO_MOUSE,
    LW_OPTION_THEME,
    LW_OPTION_SCRIPT,
    LW_OPTION_MAN,
    LW_OPTION_COMPLETIONS,
    LW_OPTION_COMPLETE,
    LW_OPTION_HELP,
    LW_OPTION_VERSION,
    LW_OPTION_FIRST_OF_FIGURES, /* the options of LW_OPTIONS_FIGURE begin here */
    LW_OPTION_TITLE = LW_OPTION_FIRST_OF_FIGURES,
    LW_OPTION_TITLES,
    LW_OPTION_CAPTION,
    LW_OPTION_NO_HEAD,
    LW_OPTION_PALETTE,
    LW_OPTION_TIDY,
    LW_OPTION_FRAGMENT,
    LW_OPTION_WRAP,
    LW_OPTION_ACROSS,
    LW_OPTION_CELL_SIZE,
    LW_OPTION_WIDTH,
    LW_OPTION_HIGHLIGHT,
    LW_OPTION_NO_DIM,
    LW_OPTION_ARRANGE,
    LW_OPTION_DIFFERENCES,
    LW_OPTION_COUNT
};

/* A set of options: LW_OPTION_BIT(TYPE) | LW_OPTION_BIT(JSON). */
#define LW_OPTION_BIT(option) ((uint64_t)1 << LW_OPTION_##option)
/* The options that name another layout of an access. */
#define LW_OPTIONS_SIDES (LW_OPTION_BIT(STORE) | LW_OPTION_BIT(SHARED) | LW_OPTION_BIT(LOAD))
#define LW_OPTIONS_TENSOR (LW_OPTION_BIT(TYPE) | LW_OPTION_BIT(ELEMENT) | LW_OPTION_BIT(TRITON))
/* All options of figures, which go together: one bit. */
#define LW_OPTIONS_FIGURE ((uint64_t)1 << 63)
_Static_assert(LW_OPTION_FIRST_OF_FIGURES <= 63, "an option has one of the other bits");
#define LW_OPTIONS_SOURCE                                                                          \
    (LW_OPTIONS_TENSOR | LW_OPTION_BIT(SET) | LW_OPTION_BIT(LET) | LW_OPTION_BIT(BLOCK) |          \
     LW_OPTION_BIT(TARGET))

/* Properties of an option; rows combine them with |. */
enum lw_option_trait {
    LW_OPTION_OTHER_SPELLINGS = 1,   /* its choices have other spellings, which are checked where it
                                      is used */
    LW_OPTION_REPLACES_OPERANDS = 2, /* with it the command needs no operands */
    LW_OPTION_VALUE_OPTIONAL = 4,    /* its value, if any, follows '=' */
    LW_OPTION_NO_KEY = 8             /* requests in JSON do not have it */
};

struct lw_option {
    const char *name;     /* without the dashes */
    char letter;          /* 0: none */
    const char *argument; /* the name of its value in help; NULL: it has no value */
    const char *help;
    const struct lw_choices *choices; /* the legal values; NULL: any */
    unsigned traits;                  /* enum lw_option_trait */
};

const struct lw_option *lw_options(void); /* LW_OPTION_COUNT of them */
/* Whether a set of options has an option. */
bool lw_options_have(uint64_t options, size_t id);

#endif
