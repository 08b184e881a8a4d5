/* The legal values of a row of a parameter table, as text. */

#include "encoding/schema/legal.h"

void lw_param_limits(const struct lw_param *param, int64_t *min, int64_t *max)
{
    *min = param->min;
    *max = param->min || param->max ? param->max : INT32_MAX;
}

const char *lw_param_type_name(enum lw_param_type type)
{
    switch (type) {
    case LW_PARAM_INTEGER:
        return "an integer";
    case LW_PARAM_BOOLEAN:
        return "true or false";
    case LW_PARAM_STRING:
        return "a string";
    case LW_PARAM_INTEGERS:
        return "a list of integers";
    case LW_PARAM_BASES:
        return "a list of bases such as [[0, 1], [0, 2]]";
    case LW_PARAM_DIMS:
        return "a list of names and sizes such as [[\"lane\", 32]]";
    case LW_PARAM_NAMED_BASES:
        return "bases by name such as {\"lane\": [[0, 1]]}";
    case LW_PARAM_PADDINGS:
        return "a list of paddings such as [4:+2, 8:+1]";
    case LW_PARAM_MATRIX:
        return "a matrix of integers such as [[0, 1], [2, 3]]";
    case LW_PARAM_TUPLE:
        return "an integer or a list of these such as [[2, 4], 8]";
    case LW_PARAM_ENCODING:
        return "an encoding";
    }
    return "";
}

void lw_param_put_number(struct lw_text *text, int64_t n)
{
    int log2 = n > 0 ? lw_log2((uint64_t)n) : -1;
    if (log2 > 16)
        lw_text_format(text, "2^%d", log2);
    else if (n == INT32_MAX)
        lw_text_add(text, "2^31-1");
    else
        lw_text_format(text, "%lld", (long long)n);
}

static void print_choices(struct lw_text *text, const struct lw_param *param)
{
    for (size_t i = 0; i < param->choice_count; i++)
        lw_text_format(text, "%s%lld",
                       i == 0                        ? ""
                       : i + 1 < param->choice_count ? ", "
                                                     : " or ",
                       (long long)param->choices[i]);
}

void lw_param_put_range(struct lw_text *text, const struct lw_param *param)
{
    int64_t min, max;
    lw_param_limits(param, &min, &max);
    if (param->choices) {
        print_choices(text, param);
    } else if (max >= INT32_MAX && min <= 1) {
        lw_text_add(text, min > 0 ? "at least 1" : "at least 0");
    } else if (min < -(int64_t)INT32_MAX) {
        lw_text_add(text, "at most ");
        lw_param_put_number(text, max);
    } else if (max == min + 1) {
        lw_text_format(text, "%lld or %lld", (long long)min, (long long)max);
    } else {
        lw_text_add(text, "from ");
        lw_param_put_number(text, min);
        lw_text_add(text, " to ");
        lw_param_put_number(text, max);
    }
}

static void legal_numbers(struct lw_text *text, const struct lw_param *param)
{
    bool list = param->type != LW_PARAM_INTEGER;
    int64_t min, max;
    lw_param_limits(param, &min, &max);
    lw_text_add(text, lw_param_type_name(param->type));
    if (param->rules & LW_RULE_PERMUTATION) {
        lw_text_add(text, ", a permutation of 0 to n-1");
    } else {
        bool power = param->rules & LW_RULE_POWER_OF_TWO && !param->choices;
        lw_text_add(text, list ? ", each" : ",");
        if (power)
            lw_text_add(text, " a power of two");
        if (!power || max < INT32_MAX) {
            lw_text_char(text, ' ');
            lw_param_put_range(text, param);
        }
        if (param->rules & LW_RULE_DISTINCT)
            lw_text_add(text, ", no duplicates");
    }
}

void lw_param_legal(struct lw_text *text, const struct lw_param *param)
{
    if (param->type == LW_PARAM_INTEGER || param->type == LW_PARAM_INTEGERS ||
        param->type == LW_PARAM_PADDINGS)
        legal_numbers(text, param);
    else if (param->type == LW_PARAM_TUPLE && param->max) {
        lw_text_add(text, "one number, ");
        lw_param_put_range(text, param);
    } else
        lw_text_add(text, lw_param_type_name(param->type));
    if (param->rules & LW_RULE_RANK)
        lw_text_add(text, param->type == LW_PARAM_BASES    ? ", each with one number for each dim"
                          : param->type == LW_PARAM_MATRIX ? ", with the rank of the tensor"
                                                           : ", one for each dim");
}
