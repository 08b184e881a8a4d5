/* Values: trees in an arena. Readers bound how deep they nest, so recursion is safe. */

#include "laneway/encoding.h"

#include <string.h>

struct lw_value lw_value_integer(int64_t integer)
{
    return (struct lw_value){.kind = LW_VALUE_INTEGER, .integer = integer};
}

struct lw_value lw_value_boolean(bool truth)
{
    return (struct lw_value){.kind = LW_VALUE_BOOLEAN, .integer = truth};
}

/* Arrays are made through this, so that no count can overflow a size. */
static void *array(struct lw_arena *arena, size_t count, size_t size)
{
    return count > SIZE_MAX / size ? NULL : lw_arena_alloc(arena, count * size);
}

struct lw_value lw_value_integers(struct lw_arena *arena, const int64_t *items, size_t count)
{
    struct lw_value list = {.kind = LW_VALUE_LIST, .count = count};
    list.items = array(arena, count, sizeof *list.items);
    if (!list.items)
        return (struct lw_value){0};
    for (size_t i = 0; i < count; i++)
        list.items[i] = lw_value_integer(items[i]);
    return list;
}

static bool items_equal(const struct lw_value *a, const struct lw_value *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!lw_value_equal(&a->items[i], &b->items[i]) ||
            (a->kind == LW_VALUE_OBJECT && strcmp(a->names[i], b->names[i])))
            return false;
    return true;
}

bool lw_value_equal(const struct lw_value *a, const struct lw_value *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case LW_VALUE_NONE:
        return true;
    case LW_VALUE_INTEGER:
    case LW_VALUE_BOOLEAN:
        return a->integer == b->integer;
    case LW_VALUE_STRING:
        return !strcmp(a->string, b->string);
    case LW_VALUE_LIST:
    case LW_VALUE_OBJECT:
        return items_equal(a, b);
    case LW_VALUE_ENCODING:
        return lw_encoding_equal(a->encoding, b->encoding);
    }
    return false;
}

static bool copy_items(struct lw_arena *arena, struct lw_value *out, const struct lw_value *value)
{
    out->items = array(arena, value->count, sizeof *out->items);
    out->names = NULL;
    if (!out->items)
        return false;
    for (size_t i = 0; i < value->count; i++)
        if (!lw_value_copy(arena, &out->items[i], &value->items[i]))
            return false;
    if (value->kind != LW_VALUE_OBJECT)
        return true;
    out->names = array(arena, value->count, sizeof *out->names);
    if (!out->names)
        return false;
    for (size_t i = 0; i < value->count; i++) {
        out->names[i] = lw_arena_string(arena, value->names[i], strlen(value->names[i]));
        if (!out->names[i])
            return false;
    }
    return true;
}

bool lw_value_copy(struct lw_arena *arena, struct lw_value *out, const struct lw_value *value)
{
    struct lw_value copy = *value;
    bool ok = true;
    if (value->kind == LW_VALUE_STRING)
        ok = (copy.string = lw_arena_string(arena, value->string, strlen(value->string)));
    else if (value->kind == LW_VALUE_LIST || value->kind == LW_VALUE_OBJECT)
        ok = copy_items(arena, &copy, value);
    else if (value->kind == LW_VALUE_ENCODING)
        ok = (copy.encoding = lw_encoding_copy(arena, value->encoding));
    if (ok)
        *out = copy;
    return ok;
}

static void print_items(struct lw_text *text, const struct lw_value *value)
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
        lw_value_print(text, &value->items[i]);
    }
    lw_text_char(text, object ? '}' : ']');
}

void lw_value_print(struct lw_text *text, const struct lw_value *value)
{
    switch (value->kind) {
    case LW_VALUE_NONE:
        break;
    case LW_VALUE_INTEGER:
        lw_text_format(text, "%lld", (long long)value->integer);
        break;
    case LW_VALUE_BOOLEAN:
        lw_text_add(text, value->integer ? "true" : "false");
        break;
    case LW_VALUE_STRING:
        lw_text_json_string(text, value->string);
        break;
    case LW_VALUE_LIST:
    case LW_VALUE_OBJECT:
        print_items(text, value);
        break;
    case LW_VALUE_ENCODING:
        lw_encoding_print(text, value->encoding);
        break;
    }
}
