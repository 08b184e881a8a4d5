/* One value against one row: its type, its range, its rules; and the legal values of a row as text. */

#include "encoding/schema/schema.h"

#include <stdio.h>

/* ---- A row as text ---- */

static void limits_of(const struct lw_param *param, int64_t *min, int64_t *max)
{
    *min = param->min;
    *max = param->min || param->max ? param->max : INT32_MAX;
}

/* A type as messages name it. */
static const char *type_name(enum lw_param_type type)
{
    static const char *const names[] = {
        [LW_PARAM_INTEGER] = "an integer",
        [LW_PARAM_BOOLEAN] = "true or false",
        [LW_PARAM_STRING] = "a string",
        [LW_PARAM_INTEGERS] = "a list of integers",
        [LW_PARAM_BASES] = "a list of bases of one length such as [[0, 1], [0, 2]]",
        [LW_PARAM_DIMS] = "a list of names and sizes such as [[\"lane\", 32]]",
        [LW_PARAM_NAMED_BASES] = "bases by name such as {\"lane\": [[0, 1]]}",
        [LW_PARAM_PADDINGS] = "a list of paddings such as [4:+2, 8:+1]",
        [LW_PARAM_MATRIX] = "a matrix of integers such as [[0, 1], [2, 3]]",
        [LW_PARAM_TUPLE] = "an integer or a list of these such as [[2, 4], 8]",
        [LW_PARAM_ENCODING] = "an encoding",
    };
    return names[type];
}

static void put_number(struct lw_text *text, int64_t n)
{
    int log2 = n > 0 ? lw_log2((uint64_t)n) : -1;
    if (log2 > 16)
        lw_text_format(text, "2^%d", log2);
    else if (n == INT32_MAX)
        lw_text_add(text, "2^31-1");
    else
        lw_text_format(text, "%lld", (long long)n);
}

static void put_range(struct lw_text *text, const struct lw_param *param)
{
    int64_t min, max;
    limits_of(param, &min, &max);
    if (param->choices) {
        for (size_t i = 0; i < param->choice_count; i++)
            lw_text_format(text, "%s%lld",
                           i == 0                        ? ""
                           : i + 1 < param->choice_count ? ", "
                                                         : " or ",
                           (long long)param->choices[i]);
    } else if (max >= INT32_MAX && min <= 1) {
        lw_text_add(text, min > 0 ? "at least 1" : "at least 0");
    } else if (min < -(int64_t)INT32_MAX) {
        lw_text_add(text, "at most ");
        put_number(text, max);
    } else if (max == min + 1) {
        lw_text_format(text, "%lld or %lld", (long long)min, (long long)max);
    } else {
        lw_text_add(text, "from ");
        put_number(text, min);
        lw_text_add(text, " to ");
        put_number(text, max);
    }
}

void lw_param_legal(struct lw_text *text, const struct lw_param *param)
{
    bool list = param->type == LW_PARAM_INTEGERS || param->type == LW_PARAM_PADDINGS;
    int64_t min, max;
    limits_of(param, &min, &max);
    lw_text_add(text, param->type == LW_PARAM_TUPLE && param->max ? "one number"
                                                                  : type_name(param->type));
    if (param->rules & LW_RULE_PERMUTATION) {
        lw_text_add(text, ", a permutation of 0 to n-1");
    } else if (list || param->type == LW_PARAM_INTEGER ||
               (param->type == LW_PARAM_TUPLE && param->max)) {
        bool power = param->rules & LW_RULE_POWER_OF_TWO && !param->choices;
        lw_text_add(text, list ? ", each" : ",");
        lw_text_add(text, power ? " a power of two" : "");
        if (!power || max < INT32_MAX) {
            lw_text_char(text, ' ');
            put_range(text, param);
        }
        lw_text_add(text, param->rules & LW_RULE_DISTINCT ? ", no duplicates" : "");
    }
    if (param->rules & LW_RULE_RANK)
        lw_text_add(text, param->type == LW_PARAM_BASES    ? ", each with one number for each dim"
                          : param->type == LW_PARAM_MATRIX ? ", with the rank of the tensor"
                                                           : ", one for each dim");
}

/* ---- A value against a row ---- */

struct legal {
    struct lw_text *what;
    enum lw_code *code;
    const struct lw_param *param;
    int rank;
    struct lw_position *position; /* of what is wrong, where that is a part of the value */
};

static const char *kind_name(enum lw_value_kind kind)
{
    static const char *const names[] = {"nothing", "an integer", "true or false", "a string",
                                        "a list",  "an object",  "an encoding"};
    return names[kind];
}

/* Appends which values are legal, and fails. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static bool
refuse(const struct legal *legal, enum lw_code code, const char *format, ...)
{
    char what[LW_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    lw_text_add(legal->what, what);
    *legal->code = code;
    return false;
}

/* The kind of the values of each type; a tuple may also be an integer. */
static const enum lw_value_kind kinds[] = {
    [LW_PARAM_INTEGER] = LW_VALUE_INTEGER,    [LW_PARAM_BOOLEAN] = LW_VALUE_BOOLEAN,
    [LW_PARAM_STRING] = LW_VALUE_STRING,      [LW_PARAM_INTEGERS] = LW_VALUE_LIST,
    [LW_PARAM_BASES] = LW_VALUE_LIST,         [LW_PARAM_DIMS] = LW_VALUE_LIST,
    [LW_PARAM_NAMED_BASES] = LW_VALUE_OBJECT, [LW_PARAM_PADDINGS] = LW_VALUE_LIST,
    [LW_PARAM_MATRIX] = LW_VALUE_LIST,        [LW_PARAM_TUPLE] = LW_VALUE_LIST,
    [LW_PARAM_ENCODING] = LW_VALUE_ENCODING,
};

static bool wrong_type(const struct legal *legal, enum lw_value_kind kind)
{
    return refuse(legal, LW_ERROR_PARAMETER, "must be %s, not %s", type_name(legal->param->type),
                  kind_name(kind));
}

/* A list whose parts are not those of its type. */
static bool wrong_form(const struct legal *legal)
{
    return refuse(legal, LW_ERROR_PARAMETER, "must be %s", type_name(legal->param->type));
}

/* `subject` is "" for a number, "each entry " in a list. */
static bool number_legal(const struct legal *legal, const struct lw_value *value,
                         const char *subject)
{
    const int64_t n = value->integer;
    const struct lw_param *param = legal->param;
    int64_t min, max;
    limits_of(param, &min, &max);
    bool power = !(param->rules & LW_RULE_POWER_OF_TWO) || (n > 0 && lw_log2((uint64_t)n) >= 0);
    bool choice = !param->choices;
    for (size_t i = 0; i < param->choice_count; i++)
        choice = choice || param->choices[i] == n;
    if (power && n >= min && n <= max && choice)
        return true;
    *legal->position = value->position;
    lw_text_format(legal->what, "%smust be ", subject);
    *legal->code = LW_ERROR_PARAMETER;
    if (power && n > max && max >= INT32_MAX) {
        lw_text_add(legal->what, "at most ");
        put_number(legal->what, max);
        *legal->code = LW_ERROR_LIMIT;
    } else if (!power && !param->choices) {
        lw_text_add(legal->what, "a power of two");
    } else {
        put_range(legal->what, param);
    }
    return false;
}

static bool count_legal(const struct legal *legal, size_t count, const char *things)
{
    if (count > LW_LIST_MAX)
        return refuse(legal, LW_ERROR_LIMIT, "%zu %s, but at most %d are possible", count, things,
                      LW_LIST_MAX);
    return true;
}

static bool rank_legal(const struct legal *legal, size_t count)
{
    if (!(legal->param->rules & LW_RULE_RANK))
        return true;
    if (count > LW_RANK_MAX)
        return refuse(legal, LW_ERROR_LIMIT, "%zu entries, but a tensor has at most %d dims", count,
                      LW_RANK_MAX);
    if (legal->rank < 0 || count == (size_t)legal->rank)
        return true;
    static const char *const names[][2] = {
        {"entries", "entry"}, {"numbers in a basis", "number in a basis"}, {"dims", "dim"}};
    const int named =
        legal->param->type == LW_PARAM_BASES ? 1 : 2 * (legal->param->type == LW_PARAM_MATRIX);
    return refuse(legal, LW_ERROR_PARAMETER, "%zu %s, but %d %s needed", count,
                  names[named][count == 1], legal->rank, legal->rank == 1 ? "is" : "are");
}

static bool permutation_legal(const struct legal *legal, const struct lw_value *list)
{
    uint64_t seen = 0;
    for (size_t i = 0; i < list->count; i++) {
        int64_t n = list->items[i].integer;
        *legal->position = list->items[i].position;
        if (n < 0 || n >= (int64_t)list->count || (seen >> n & 1))
            return refuse(legal, LW_ERROR_PARAMETER, "is not a permutation of 0..%zu",
                          list->count - 1);
        seen |= (uint64_t)1 << n;
    }
    return true;
}

static bool distinct_legal(const struct legal *legal, const struct lw_value *list)
{
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < i; j++)
            if (list->items[i].integer == list->items[j].integer)
                return refuse(legal, LW_ERROR_PARAMETER, "duplicate %lld",
                              (long long)list->items[i].integer);
    return true;
}

static bool integers_legal(const struct legal *legal, const struct lw_value *list)
{
    if (!count_legal(legal, list->count, "entries"))
        return false;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind != LW_VALUE_INTEGER)
            return wrong_form(legal);
    if (!rank_legal(legal, list->count))
        return false;
    if (legal->param->rules & LW_RULE_PERMUTATION)
        return permutation_legal(legal, list);
    for (size_t i = 0; i < list->count; i++)
        if (!number_legal(legal, &list->items[i], "each entry "))
            return false;
    return !(legal->param->rules & LW_RULE_DISTINCT) || distinct_legal(legal, list);
}

/* All bases have the length of the first. */
static bool bases_legal(const struct legal *legal, const struct lw_value *list)
{
    if (!count_legal(legal, list->count, "bases"))
        return false;
    for (size_t i = 0; i < list->count; i++) {
        const struct lw_value *basis = &list->items[i];
        if (basis->kind != LW_VALUE_LIST || basis->count != list->items[0].count)
            return wrong_form(legal);
        if (basis->count > LW_RANK_MAX)
            return refuse(legal, LW_ERROR_LIMIT,
                          "a basis of %zu numbers, but there are at most %d dims", basis->count,
                          LW_RANK_MAX);
        for (size_t k = 0; k < basis->count; k++)
            if (basis->items[k].kind != LW_VALUE_INTEGER)
                return wrong_form(legal);
            else if (!number_legal(legal, &basis->items[k], "each number "))
                return false;
    }
    return list->count == 0 || rank_legal(legal, list->items[0].count);
}

/* Checks bases by name. The lengths of bases of different names are compared by the build function. */
static bool named_bases_legal(const struct legal *legal, const struct lw_value *object)
{
    if (object->count > LW_DIMS_MAX)
        return refuse(legal, LW_ERROR_LIMIT, "%zu names, but there are at most %d dims on a side",
                      object->count, LW_DIMS_MAX);
    for (size_t i = 0; i < object->count; i++)
        if (object->items[i].kind != LW_VALUE_LIST)
            return wrong_type(legal, object->items[i].kind);
        else if (!bases_legal(legal, &object->items[i]))
            return false;
    return true;
}

static bool dims_legal(const struct legal *legal, const struct lw_value *list)
{
    struct lw_dims dims = {0};
    struct lw_error err;
    for (size_t i = 0; i < list->count; i++) {
        const struct lw_value *entry = &list->items[i], *pair = entry->items;
        if (entry->kind != LW_VALUE_LIST || entry->count != 2 || pair[0].kind != LW_VALUE_STRING ||
            pair[1].kind != LW_VALUE_INTEGER)
            return wrong_form(legal);
        if (!number_legal(legal, &pair[1], "each size "))
            return false;
        if (!lw_dims_add(&dims, pair[0].string, (uint64_t)pair[1].integer, &err))
            return refuse(legal, err.code, "%s", err.message);
    }
    return true;
}

static bool paddings_legal(const struct legal *legal, const struct lw_value *list)
{
    if (list->count == 0 || list->count > LW_PADDINGS_MAX)
        return refuse(legal, list->count ? LW_ERROR_LIMIT : LW_ERROR_PARAMETER,
                      "%zu paddings, but there may be from 1 to %d", list->count, LW_PADDINGS_MAX);
    for (size_t i = 0; i < list->count; i++) {
        const struct lw_value *pair = &list->items[i];
        if (pair->kind != LW_VALUE_LIST || pair->count != 2 ||
            pair->items[0].kind != LW_VALUE_INTEGER || pair->items[1].kind != LW_VALUE_INTEGER)
            return wrong_form(legal);
        if (!number_legal(legal, &pair->items[0], "each interval ") ||
            !number_legal(legal, &pair->items[1], "each padding "))
            return false;
        for (size_t j = 0; j < i; j++)
            if (list->items[j].items[0].integer == pair->items[0].integer)
                return refuse(legal, LW_ERROR_PARAMETER, "duplicate interval %lld",
                              (long long)pair->items[0].integer);
    }
    return true;
}

/* All lists at a depth have the length of the first one there, and all numbers are at the same depth. */
static bool matrix_part_legal(const struct legal *legal, const struct lw_value *part,
                              const struct lw_value *first, int depth, size_t *cells)
{
    if (part->kind == LW_VALUE_INTEGER && first->kind == LW_VALUE_INTEGER) {
        if (++*cells > LW_CELLS_MAX)
            return refuse(legal, LW_ERROR_LIMIT, "over %d entries", LW_CELLS_MAX);
        return number_legal(legal, part, "each entry ");
    }
    if (part->kind == LW_VALUE_LIST && depth == LW_RANK_MAX)
        return refuse(legal, LW_ERROR_LIMIT, "a matrix has at most %d dims", LW_RANK_MAX);
    if (part->kind != LW_VALUE_LIST || first->kind != LW_VALUE_LIST || part->count == 0 ||
        part->count != first->count)
        return wrong_form(legal);
    for (size_t i = 0; i < part->count; i++)
        if (!matrix_part_legal(legal, &part->items[i], &first->items[0], depth + 1, cells))
            return false;
    return true;
}

static bool matrix_legal(const struct legal *legal, const struct lw_value *list)
{
    size_t cells = 0;
    int rank = 0;
    if (!matrix_part_legal(legal, list, list, 0, &cells))
        return false;
    for (const struct lw_value *part = list; part->kind == LW_VALUE_LIST; part = &part->items[0])
        rank++;
    return rank_legal(legal, (size_t)rank);
}

static bool tuple_legal(const struct legal *legal, const struct lw_value *value, int depth)
{
    if (value->kind != LW_VALUE_LIST)
        return value->kind == LW_VALUE_INTEGER || lw_value_is_static(value) ||
               wrong_type(legal, value->kind);
    if (depth > LW_NESTING_MAX)
        return refuse(legal, LW_ERROR_LIMIT, "lists nested more than %d deep", LW_NESTING_MAX);
    if (!count_legal(legal, value->count, "entries"))
        return false;
    for (size_t i = 0; i < value->count; i++)
        if (!tuple_legal(legal, &value->items[i], depth + 1))
            return false;
    return true;
}

bool lw_value_legal(struct lw_text *what, enum lw_code *code, struct lw_position *position,
                    const struct lw_param *param, const struct lw_value *value, int rank)
{
    struct legal legal = {what, code, param, rank, position};
    if (param->type == LW_PARAM_TUPLE)
        return tuple_legal(&legal, value, 0);
    if (value->kind != kinds[param->type])
        return wrong_type(&legal, value->kind);
    switch (param->type) {
    case LW_PARAM_INTEGER:
        return number_legal(&legal, value, "");
    case LW_PARAM_INTEGERS:
        return integers_legal(&legal, value);
    case LW_PARAM_BASES:
        return bases_legal(&legal, value);
    case LW_PARAM_DIMS:
        return dims_legal(&legal, value);
    case LW_PARAM_NAMED_BASES:
        return named_bases_legal(&legal, value);
    case LW_PARAM_PADDINGS:
        return paddings_legal(&legal, value);
    case LW_PARAM_MATRIX:
        return matrix_legal(&legal, value);
    default:
        return true;
    }
}
