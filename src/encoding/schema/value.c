/* Values and the encodings in them, made, compared and copied: trees in an arena. Readers limit how
 * deep they nest, so recursion is safe. */

#include "encoding/schema/schema.h"

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

bool lw_value_is_static(const struct lw_value *value)
{
    const char *string = value->kind == LW_VALUE_STRING ? value->string : "";
    if (string[0] != '_')
        return false;
    string += string[1] == '-' ? 2 : 1;
    size_t digits = strspn(string, "0123456789");
    return digits && digits < 19 && !string[digits];
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

/* ---- Encodings ---- */

struct lw_encoding *lw_encoding_new(struct lw_arena *arena, const struct lw_encoding_type *type)
{
    struct lw_encoding *encoding = lw_arena_alloc(arena, sizeof *encoding);
    if (!encoding)
        return NULL;
    encoding->type = type;
    encoding->params = lw_arena_alloc(arena, (type->param_count + 1) * sizeof *encoding->params);
    return encoding->params ? encoding : NULL;
}

struct lw_encoding *lw_encoding_copy(struct lw_arena *arena, const struct lw_encoding *encoding)
{
    struct lw_encoding *copy = lw_encoding_new(arena, encoding->type);
    if (!copy)
        return NULL;
    copy->position = encoding->position;
    copy->triton = encoding->triton;
    for (size_t i = 0; i < encoding->type->param_count; i++)
        if (!lw_value_copy(arena, &copy->params[i], &encoding->params[i]))
            return NULL;
    return copy;
}

void lw_encoding_set_triton(struct lw_encoding *encoding, struct lw_triton_choice choice)
{
    encoding->triton = lw_triton_chosen(choice, encoding->triton);
    for (size_t i = 0; i < encoding->type->param_count; i++)
        if (encoding->params[i].kind == LW_VALUE_ENCODING)
            lw_encoding_set_triton(encoding->params[i].encoding, choice);
}

bool lw_encoding_since(const struct lw_encoding *encoding, enum lw_triton first)
{
    return lw_triton_since(encoding->triton, first);
}

bool lw_encoding_equal(const struct lw_encoding *a, const struct lw_encoding *b)
{
    if (a->type != b->type)
        return false;
    for (size_t i = 0; i < a->type->param_count; i++)
        if (!lw_value_equal(&a->params[i], &b->params[i]))
            return false;
    return true;
}
