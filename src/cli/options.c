/* The table of the options, which is in options.h. */

#include "cli/options.h"

#define NO_KEY LW_OPTION_NO_KEY
#define OTHER_SPELLINGS LW_OPTION_OTHER_SPELLINGS
#define VALUE_OPTIONAL LW_OPTION_VALUE_OPTIONAL
#define WORDS(list) (&(const struct lw_choices){lw_choices_word, list})
#define OPTION(ID, ...) {__VA_ARGS__},
static const struct lw_option options[LW_OPTION_COUNT] = {LW_OPTIONS(OPTION)};

const struct lw_option *lw_options(void)
{
    return options;
}

bool lw_options_have(uint64_t set, size_t id)
{
    return id < LW_OPTION_TITLE ? set >> id & 1 : (set & LW_OPTIONS_FIGURE) != 0;
}
