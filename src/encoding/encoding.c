/* Encodings as objects: a type and one value for each of its parameters (NONE: not set). */

#include "encoding/schema/schema.h"

#include <string.h>

static bool is_name(const char *candidate, const char *name, size_t length)
{
    return candidate && *candidate == *name && !strncmp(candidate, name, length) &&
           !candidate[length];
}

static int find_param(const struct lw_encoding *encoding, const char *name, size_t length)
{
    for (size_t i = 0; i < encoding->type->param_count; i++) {
        const struct lw_param *param = &encoding->type->params[i];
        if (is_name(param->name, name, length) || is_name(param->also, name, length))
            return (int)i;
    }
    return -1;
}

int lw_encoding_param(const struct lw_encoding *encoding, const char *name)
{
    return find_param(encoding, name, strlen(name));
}

static const char *param_name(const void *context, size_t i)
{
    const struct lw_encoding_type *type = context;
    return type->params[i].name;
}

int lw_encoding_nearest(const struct lw_encoding *encoding, const char *name)
{
    const char *near =
        lw_text_nearest(name, encoding->type->param_count, param_name, encoding->type);
    return near ? lw_encoding_param(encoding, near) : -1;
}

static bool unknown_param(const struct lw_encoding_type *type, const char *name,
                          struct lw_position position, struct lw_error *err)
{
    const char *near = lw_text_nearest(name, type->param_count, param_name, type);
    char hint[LW_HINT_MAX];
    struct lw_text names = {.limit = 300};
    for (size_t i = 0; i < type->param_count; i++)
        lw_text_format(&names, "%s%s", i ? ", " : "; it has ", type->params[i].name);
    if (type->param_count == 0)
        lw_text_add(&names, "; it has none");
    lw_error_at(err, LW_ERROR_NAME, position, "%s has no parameter '%.60s'%s", type->name, name,
                near ? lw_text_hint(hint, near, "") : lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

bool lw_encoding_set(struct lw_encoding *encoding, const char *name, const struct lw_value *value,
                     struct lw_error *err)
{
    int index = lw_encoding_param(encoding, name);
    if (index < 0)
        return unknown_param(encoding->type, name, value->position, err);
    if (encoding->params[index].kind != LW_VALUE_NONE)
        return lw_error_about(err, name, value->position, "duplicate parameter '%s'", name);
    encoding->params[index] = *value;
    return true;
}

bool lw_encoding_find(struct lw_encoding *encoding, const char *path, struct lw_encoding **owner,
                      int *index, struct lw_error *err)
{
    for (;;) {
        size_t n = strcspn(path, ".");
        int i = find_param(encoding, path, n);
        if (i < 0) {
            char name[64];
            n = n < sizeof name ? n : sizeof name - 1;
            memcpy(name, path, n);
            name[n] = '\0';
            return unknown_param(encoding->type, name, encoding->position, err);
        }
        if (!path[n]) {
            *owner = encoding;
            *index = i;
            return true;
        }
        if (encoding->params[i].kind != LW_VALUE_ENCODING)
            return lw_error_set(err, LW_ERROR_NAME,
                                "%s.%s is not an encoding: it has no parameters",
                                encoding->type->name, encoding->type->params[i].name);
        encoding = encoding->params[i].encoding;
        path += n + 1;
    }
}

/* ---- Values of parameters ---- */

/* A name that the type lacks is a mistake of the caller, not of the input: its value is NONE. */
static const struct lw_value *value_of(const struct lw_encoding *encoding, const char *name,
                                       const struct lw_param **param)
{
    static const struct lw_value none;
    static const struct lw_param nothing;
    int index = lw_encoding_param(encoding, name);
    *param = index < 0 ? &nothing : &encoding->type->params[index];
    return index < 0 ? &none : &encoding->params[index];
}

bool lw_encoding_is_set(const struct lw_encoding *encoding, const char *name)
{
    const struct lw_param *param;
    return value_of(encoding, name, &param)->kind != LW_VALUE_NONE;
}

int lw_encoding_element_bits(const struct lw_encoding *encoding)
{
    static const struct {
        const char *name;
        int bits;
    } params[] = {{"pointer", 1}, {"elementBitWidth", 1}, {"dtype_nbytes", 8}};
    if (encoding->type->family == LW_FAMILY_DISTRIBUTED)
        return 0; /* there elementBitWidth is of the accumulator */
    for (size_t i = 0; i < sizeof params / sizeof *params; i++)
        if (lw_encoding_param(encoding, params[i].name) >= 0 &&
            lw_encoding_is_set(encoding, params[i].name))
            return (int)lw_encoding_integer(encoding, params[i].name) * params[i].bits;
    return 0;
}

int64_t lw_encoding_integer(const struct lw_encoding *encoding, const char *name)
{
    const struct lw_param *param;
    const struct lw_value *value = value_of(encoding, name, &param);
    if (value->kind == LW_VALUE_INTEGER || value->kind == LW_VALUE_BOOLEAN)
        return value->integer;
    return param->fallback == LW_DEFAULT_NUMBER ? param->number : 0;
}

bool lw_encoding_boolean(const struct lw_encoding *encoding, const char *name)
{
    return lw_encoding_integer(encoding, name) != 0;
}

size_t lw_encoding_integers(const struct lw_encoding *encoding, const char *name, int rank,
                            int64_t *out, size_t room)
{
    const struct lw_param *param;
    const struct lw_value *value = value_of(encoding, name, &param);
    if (value->kind == LW_VALUE_LIST) {
        for (size_t i = 0; i < value->count && i < room; i++)
            out[i] = value->items[i].integer;
        return value->count;
    }
    if (rank <= 0 ||
        (param->fallback != LW_DEFAULT_ONES && param->fallback != LW_DEFAULT_DESCENDING))
        return 0;
    for (size_t i = 0; i < (size_t)rank && i < room; i++)
        out[i] = param->fallback == LW_DEFAULT_ONES ? 1 : rank - 1 - (int)i;
    return (size_t)rank;
}

const struct lw_value *lw_encoding_value(const struct lw_encoding *encoding, const char *name)
{
    const struct lw_param *param;
    const struct lw_value *value = value_of(encoding, name, &param);
    return value->kind == LW_VALUE_NONE ? NULL : value;
}

const struct lw_encoding *lw_encoding_nested(const struct lw_encoding *encoding, const char *name)
{
    const struct lw_value *value = lw_encoding_value(encoding, name);
    return value && value->kind == LW_VALUE_ENCODING ? value->encoding : NULL;
}

struct lw_value lw_encoding_effective(struct lw_arena *arena, const struct lw_encoding *encoding,
                                      int index, int rank)
{
    const struct lw_param *param = &encoding->type->params[index];
    int64_t numbers[LW_RANK_MAX];
    if (encoding->params[index].kind != LW_VALUE_NONE)
        return encoding->params[index];
    switch (param->fallback) {
    case LW_DEFAULT_NUMBER:
        return param->type == LW_PARAM_BOOLEAN ? lw_value_boolean(param->number != 0)
                                               : lw_value_integer(param->number);
    case LW_DEFAULT_ONES:
    case LW_DEFAULT_DESCENDING:
        if (rank < 0 || rank > LW_RANK_MAX)
            break;
        lw_encoding_integers(encoding, param->name, rank, numbers, LW_RANK_MAX);
        return lw_value_integers(arena, numbers, (size_t)rank);
    case LW_DEFAULT_EMPTY:
        return (struct lw_value){.kind = param->type == LW_PARAM_NAMED_BASES ? LW_VALUE_OBJECT
                                                                             : LW_VALUE_LIST};
    case LW_DEFAULT_REQUIRED:
    case LW_DEFAULT_ABSENT:
        break;
    }
    return (struct lw_value){0};
}
