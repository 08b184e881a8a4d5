/*
 * Encodings as text: attributes as MLIR prints them, calls as Python has them. Parameters come in
 * the order of their table; what was not said is left out, but for lists that the reader of an
 * attribute elsewhere would miss (`order`).
 */

#include "encoding/schema.h"

#include <string.h>

/* Names in an MLIR attribute stand bare, and so do those of its objects. */
static void print_value(struct lw_text *text, const struct lw_value *value)
{
    if (value->kind != LW_VALUE_OBJECT) {
        lw_value_print(text, value);
        return;
    }
    lw_text_char(text, '{');
    for (size_t i = 0; i < value->count && !lw_text_full(text); i++) {
        lw_text_format(text, "%s%s = ", i ? ", " : "", value->names[i]);
        lw_value_print(text, &value->items[i]);
    }
    lw_text_char(text, '}');
}

static void print_attribute(struct lw_text *text, const struct lw_encoding *encoding)
{
    const struct lw_encoding_type *type = encoding->type;
    struct lw_arena arena = {0};
    int rank = lw_schema_rank(encoding, NULL);
    const char *comma = "";
    lw_text_format(text, "#%s.%s<{", type->dialect ? type->dialect : "ttg", type->name);
    for (size_t i = 0; i < type->param_count && !lw_text_full(text); i++) {
        enum lw_default fallback = type->params[i].fallback;
        bool list = fallback == LW_DEFAULT_ONES || fallback == LW_DEFAULT_DESCENDING ||
                    fallback == LW_DEFAULT_EMPTY;
        struct lw_value value = encoding->params[i];
        if (value.kind == LW_VALUE_NONE && list)
            value = lw_encoding_effective(&arena, encoding, (int)i, rank);
        if (value.kind == LW_VALUE_NONE)
            continue;
        lw_text_format(text, "%s%s = ", comma, type->params[i].name);
        print_value(text, &value);
        comma = ", ";
    }
    lw_text_add(text, "}>");
    lw_arena_free(&arena);
}

/* spatial(8, 4): the sizes of a type that is chained to a base are written one by one. */
static bool print_sizes(struct lw_text *text, const struct lw_value *value)
{
    for (size_t i = 0; i < value->count && !lw_text_full(text); i++) {
        lw_text_add(text, i ? ", " : "");
        lw_value_print(text, &value->items[i]);
    }
    return value->count > 0;
}

/* Arguments without a name come first: all that were said before the first that was not. */
static void print_arguments(struct lw_text *text, const struct lw_encoding *encoding, int base)
{
    const struct lw_encoding_type *type = encoding->type;
    bool named = false, any = false;
    for (size_t i = 0; i < type->param_count && !lw_text_full(text); i++) {
        const struct lw_value *value = &encoding->params[i];
        if ((int)i == base)
            continue;
        bool sizes =
            base >= 0 && value->kind == LW_VALUE_LIST && !strcmp(type->params[i].name, "shape");
        if (value->kind == LW_VALUE_NONE) {
            named = true;
        } else if (sizes && !named) {
            any = print_sizes(text, value);
            named = true;
        } else {
            lw_text_add(text, any ? ", " : "");
            if (named)
                lw_text_format(text, "%s=", type->params[i].name);
            lw_value_print(text, value);
            any = true;
        }
    }
}

static void print_call(struct lw_text *text, const struct lw_encoding *encoding)
{
    int base = lw_encoding_param(encoding, "base");
    if (base >= 0 && encoding->params[base].kind == LW_VALUE_ENCODING) {
        lw_encoding_print(text, encoding->params[base].encoding);
        lw_text_char(text, '.');
    }
    lw_text_format(text, "%s(", encoding->type->name);
    print_arguments(text, encoding, base);
    lw_text_char(text, ')');
}

void lw_encoding_print(struct lw_text *text, const struct lw_encoding *encoding)
{
    if (encoding->type->spelling == LW_SPELLING_CALL)
        print_call(text, encoding);
    else
        print_attribute(text, encoding);
}
