/*
 * Encodings as text: attributes as MLIR prints them, calls as Python has them, the rest as JSON.
 * Parameters come in the order of their table; those that are not set are left out, except lists
 * that other readers of an attribute need (`order`).
 */

#include "encoding/schema/schema.h"
#include "core/text_rows.h"

#include <string.h>

/* ---- Values ---- */

static void print_items(struct lw_text *text, const struct lw_value *value,
                        void (*print)(struct lw_text *text, const struct lw_encoding *encoding))
{
    bool object = value->kind == LW_VALUE_OBJECT;
    lw_text_char(text, object ? '{' : '[');
    for (size_t i = 0; i < value->count && !lw_text_full(text); i++) {
        if (i)
            lw_text_add(text, ", ");
        if (object) {
            lw_text_json_string(text, value->names[i]);
            lw_text_add(text, ": ");
        }
        lw_value_print_with(text, &value->items[i], print);
    }
    lw_text_char(text, object ? '}' : ']');
}

void lw_value_print_with(struct lw_text *text, const struct lw_value *value,
                         void (*print)(struct lw_text *text, const struct lw_encoding *encoding))
{
    switch (value->kind) {
    case LW_VALUE_NONE:
        break;
    case LW_VALUE_INTEGER:
        if (value->integer < 0)
            lw_text_format(text, "%lld", (long long)value->integer);
        else
            lw_text_number(text, (uint64_t)value->integer);
        break;
    case LW_VALUE_BOOLEAN:
        lw_text_add(text, value->integer ? "true" : "false");
        break;
    case LW_VALUE_STRING:
        lw_text_json_string(text, value->string);
        break;
    case LW_VALUE_LIST:
    case LW_VALUE_OBJECT:
        print_items(text, value, print);
        break;
    case LW_VALUE_ENCODING:
        print(text, value->encoding);
        break;
    }
}

void lw_value_print(struct lw_text *text, const struct lw_value *value)
{
    lw_value_print_with(text, value, lw_encoding_print);
}

/* ---- Attributes ---- */

/* A string that reads as itself without quotes. */
static bool is_bare_name(const char *string)
{
    static const char *const others[] = {"true", "True", "false", "False", "None"};
    static const char parts[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    for (size_t i = 0; i < LW_COUNT(others); i++)
        if (!strcmp(string, others[i]))
            return false;
    return *string && strspn(string, parts) == strlen(string) && !strchr("0123456789", *string);
}

static void print_bare_name(struct lw_text *text, const char *string)
{
    struct lw_value quoted = {.kind = LW_VALUE_STRING, .string = string};
    if (is_bare_name(string))
        lw_text_add(text, string);
    else
        lw_value_print(text, &quoted);
}

/* [4:+2, 8:+1] */
static void print_paddings(struct lw_text *text, const struct lw_value *value)
{
    lw_text_char(text, '[');
    for (size_t i = 0; i < value->count && !lw_text_full(text); i++) {
        const struct lw_value *pair = &value->items[i];
        lw_text_add(text, i ? ", " : "");
        if (pair->kind == LW_VALUE_LIST && pair->count == 2) {
            lw_value_print(text, &pair->items[0]);
            lw_text_add(text, ":+");
            pair = &pair->items[1];
        }
        lw_value_print(text, pair);
    }
    lw_text_char(text, ']');
}

/* Names in an MLIR attribute have no quotes, nor have strings such as f16. Of named lists Triton
 * leaves out those that are empty. */
static void print_attribute_value(struct lw_text *text, const struct lw_value *value)
{
    if (value->kind == LW_VALUE_STRING)
        print_bare_name(text, value->string);
    else if (value->kind != LW_VALUE_OBJECT)
        lw_value_print(text, value);
    if (value->kind != LW_VALUE_OBJECT)
        return;
    lw_text_char(text, '{');
    const char *comma = "";
    for (size_t i = 0; i < value->count && !lw_text_full(text); i++) {
        if (value->items[i].kind == LW_VALUE_LIST && value->items[i].count == 0)
            continue;
        lw_text_add(text, comma);
        comma = ", ";
        print_bare_name(text, value->names[i]);
        lw_text_add(text, " = ");
        lw_value_print(text, &value->items[i]);
    }
    lw_text_char(text, '}');
}

/* Whether an attribute has no braces. */
static bool is_bare(const struct lw_encoding_type *type)
{
    for (size_t i = 0; i < type->param_count; i++)
        if (!(type->params[i].rules & LW_RULE_OUTSIDE))
            return false;
    return true;
}

/* Whether Triton leaves a value out. A list with another number of entries than one that it leaves out is a mistake,
 * which must be printed. */
static bool is_silent(const struct lw_param *param, const struct lw_value *value, int rank)
{
    bool list = value->kind == LW_VALUE_LIST, silent = (param->rules & LW_RULE_SILENT) != 0;
    const struct lw_value *items = list ? value->items : value;
    size_t count = param->type != LW_PARAM_INTEGERS || rank < 0 ? 0 : (size_t)rank;
    if (list && value->count != (param->silent_count ? param->silent_count : count))
        return false;
    for (size_t i = 0; silent && i < (list ? value->count : 1); i++)
        silent = (items[i].kind == LW_VALUE_INTEGER || items[i].kind == LW_VALUE_BOOLEAN) &&
                 items[i].integer == param->silent;
    return silent;
}

/* The value that is set, or the default where other readers need it. */
static struct lw_value printed_value(struct lw_arena *arena, const struct lw_encoding *encoding,
                                     size_t index, int rank)
{
    const struct lw_param *param = &encoding->type->params[index];
    bool list = param->fallback == LW_DEFAULT_ONES || param->fallback == LW_DEFAULT_DESCENDING ||
                param->fallback == LW_DEFAULT_EMPTY;
    if (param->rules & LW_RULE_BEFORE)
        return (struct lw_value){0};
    if (list || ((param->rules & LW_RULE_OUTSIDE) && !is_bare(encoding->type)))
        return lw_encoding_effective(arena, encoding, (int)index, rank);
    return encoding->params[index];
}

/* The parameters in the braces, or those after them. */
static void print_params(struct lw_text *text, const struct lw_encoding *encoding, bool outside)
{
    struct lw_arena arena = {0};
    int rank = lw_schema_rank(encoding, NULL);
    const char *comma = outside && !is_bare(encoding->type) ? ", " : "";
    for (size_t i = 0; i < encoding->type->param_count && !lw_text_full(text); i++) {
        bool is_outside = encoding->type->params[i].rules & LW_RULE_OUTSIDE;
        struct lw_value value = printed_value(&arena, encoding, i, rank);
        if (value.kind == LW_VALUE_NONE || is_outside != outside ||
            is_silent(&encoding->type->params[i], &value, rank))
            continue;
        lw_text_format(text, "%s%s = ", comma, encoding->type->params[i].name);
        print_attribute_value(text, &value);
        comma = ", ";
    }
    lw_arena_free(&arena);
}

static void print_attribute(struct lw_text *text, const struct lw_encoding *encoding)
{
    bool bare = is_bare(encoding->type);
    lw_text_format(text, "#%s.%s<", encoding->type->dialect, encoding->type->name);
    for (size_t i = 0; i < encoding->type->param_count && !lw_text_full(text); i++)
        if ((encoding->type->params[i].rules & LW_RULE_BEFORE) &&
            encoding->params[i].kind == LW_VALUE_LIST) {
            print_paddings(text, &encoding->params[i]);
            lw_text_char(text, ' ');
        }
    lw_text_add(text, bare ? "" : "{");
    print_params(text, encoding, false);
    lw_text_add(text, bare ? "" : "}");
    print_params(text, encoding, true);
    lw_text_char(text, '>');
}

/* An encoding without a notation in other systems: a layout document. */
static void print_document(struct lw_text *text, const struct lw_encoding *encoding)
{
    bool inside = lw_encoding_param(encoding, "bases") < 0;
    const char *comma = inside ? "" : ", ";
    lw_text_format(text, "{\"encoding\": \"%s\"%s", encoding->type->name,
                   inside ? ", \"params\": {" : "");
    for (size_t i = 0; i < encoding->type->param_count && !lw_text_full(text); i++)
        if (encoding->params[i].kind != LW_VALUE_NONE) {
            lw_text_format(text, "%s\"%s\": ", comma, encoding->type->params[i].name);
            lw_value_print(text, &encoding->params[i]);
            comma = ", ";
        }
    lw_text_add(text, inside ? "}}" : "}");
}

/* ---- Calls ---- */

/* `*` or `/` when that is how the call is written, else 0. */
static char operator_of(const struct lw_encoding *encoding)
{
    const struct lw_encoding_type *type = encoding->type;
    if (type->spelling != LW_SPELLING_CALL || type->param_count != 2 ||
        encoding->params[0].kind != LW_VALUE_ENCODING ||
        encoding->params[1].kind != LW_VALUE_ENCODING)
        return 0;
    return !strcmp(type->name, "compose") ? '*' : !strcmp(type->name, "divide") ? '/' : 0;
}

/* With parentheses when it is an operator. */
static void print_operand(struct lw_text *text, const struct lw_encoding *encoding)
{
    bool parentheses = operator_of(encoding) != 0;
    lw_text_add(text, parentheses ? "(" : "");
    lw_encoding_print(text, encoding);
    lw_text_add(text, parentheses ? ")" : "");
}

/* The parameter before the dot, or -1: `base`, or the first one of a function whose example writes
 * it as a method. */
static int receiver_of(const struct lw_encoding *encoding)
{
    const struct lw_encoding_type *type = encoding->type;
    char method[64];
    snprintf(method, sizeof method, ").%s(", type->name);
    int index = lw_encoding_param(encoding, "base");
    if (index < 0 && type->param_count && strstr(type->example, method))
        index = 0;
    return index >= 0 && encoding->params[index].kind == LW_VALUE_ENCODING ? index : -1;
}

static void print_arguments(struct lw_text *text, const struct lw_encoding *encoding, int receiver)
{
    const struct lw_encoding_type *type = encoding->type;
    const char *comma = "";
    bool named = false; /* layouts are not named, unless they follow an argument that is */
    for (size_t i = 0; i < type->param_count && !lw_text_full(text); i++) {
        const struct lw_value *value = &encoding->params[i];
        if ((int)i == receiver || value->kind == LW_VALUE_NONE)
            continue;
        /* Arguments of any number, such as sizes, may be none: their default is the empty list. */
        if (type->params[i].type == LW_PARAM_INTEGERS &&
            type->params[i].fallback == LW_DEFAULT_EMPTY && value->kind == LW_VALUE_LIST) {
            for (size_t k = 0; k < value->count && !lw_text_full(text); k++, comma = ", ") {
                lw_text_add(text, comma);
                lw_value_print(text, &value->items[k]);
            }
            continue;
        }
        lw_text_add(text, comma);
        named = named || value->kind != LW_VALUE_ENCODING;
        if (named)
            lw_text_format(text, "%s=", type->params[i].name);
        if (value->kind == LW_VALUE_BOOLEAN) /* as Python writes it */
            lw_text_add(text, value->integer ? "True" : "False");
        else
            lw_value_print(text, value);
        comma = ", ";
    }
}

static void print_call(struct lw_text *text, const struct lw_encoding *encoding)
{
    int receiver = receiver_of(encoding);
    char symbol = operator_of(encoding);
    if (symbol) {
        lw_encoding_print(text, encoding->params[0].encoding);
        lw_text_format(text, " %c ", symbol);
        print_operand(text, encoding->params[1].encoding);
        return;
    }
    if (receiver >= 0) {
        print_operand(text, encoding->params[receiver].encoding);
        lw_text_char(text, '.');
    }
    lw_text_format(text, "%s(", encoding->type->name);
    print_arguments(text, encoding, receiver);
    lw_text_char(text, ')');
}

void lw_encoding_print(struct lw_text *text, const struct lw_encoding *encoding)
{
    if (lw_text_full(text))
        return;
    if (encoding->type->print)
        encoding->type->print(text, encoding);
    else if (encoding->type->spelling == LW_SPELLING_CALL)
        print_call(text, encoding);
    else if (encoding->type->dialect)
        print_attribute(text, encoding);
    else
        print_document(text, encoding);
}

/* ---- Help pages, made from the schema ---- */

/* The legal values of a parameter and its default. */
static void put_meaning(struct lw_text *text, const struct lw_param *param)
{
    static const char *const fallback[] = {
        [LW_DEFAULT_REQUIRED] = "required",
        [LW_DEFAULT_ABSENT] = "optional",
        [LW_DEFAULT_NUMBER] = NULL,
        [LW_DEFAULT_ONES] = "default [1, ..., 1]",
        [LW_DEFAULT_DESCENDING] = "default [n-1, ..., 0]",
        [LW_DEFAULT_EMPTY] = "default []",
    };
    lw_param_legal(text, param);
    if (fallback[param->fallback])
        lw_text_format(text, "; %s", fallback[param->fallback]);
    else if (param->type == LW_PARAM_BOOLEAN)
        lw_text_format(text, "; default %s", param->number ? "true" : "false");
    else
        lw_text_format(text, "; default %lld", (long long)param->number);
}

void lw_encoding_help(struct lw_text *text, const struct lw_encoding_type *type)
{
    lw_text_format(text, "%s: %s\n", type->name, type->title);
    lw_text_add(text, *type->about ? "\n" : "");
    lw_text_paragraphs(text, type->about);
    if (type->param_count)
        lw_text_add(text, "\nParameters:\n");
    size_t width = 0;
    for (size_t i = 0; i < type->param_count; i++)
        if (strlen(type->params[i].name) > width)
            width = strlen(type->params[i].name);
    for (size_t i = 0; i < type->param_count; i++) {
        struct lw_text legal = {0};
        lw_text_row(text, type->params[i].name, width, type->params[i].help);
        put_meaning(&legal, &type->params[i]);
        lw_text_row(text, "", width, lw_text_string(&legal));
        lw_text_free(&legal);
    }
    if (type->example && *type->example)
        lw_text_format(text, "\nExample:\n  laneway show '%s'\n", type->example);
}
