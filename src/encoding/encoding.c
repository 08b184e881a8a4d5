/* The versions of Triton that are known; values, made, compared and copied; and encodings: a type and one value for
 * each of its parameters (NONE: not set). Both are trees in an arena. Readers limit how deep they nest, so recursion
 * is safe.
 */

#include "encoding/schema/schema.h"

#include <string.h>

/* ---- Versions of Triton ---- */

static const struct lw_triton_version versions[] = {
    {"3.9", LW_TRITON_3_9, "blocked layouts without registers that hold copies (the default)"},
    {"3.8", LW_TRITON_3_8, "generic_linear, partitioned_shared, CGALayout of tensor memory"},
    {"3.7", LW_TRITON_3_7, "the layouts of 3.6"},
    {"3.6", LW_TRITON_3_6, "CGALayout instead of CTAsPerCGA, CTASplitNum and CTAOrder"},
    {"3.5", LW_TRITON_3_5, "the oldest that is known"},
};

const struct lw_triton_version *lw_triton_versions(size_t *count)
{
    *count = LW_COUNT(versions);
    return versions;
}

bool lw_triton_find(enum lw_triton *version, const char *name, struct lw_error *err)
{
    for (size_t i = 0; i < LW_COUNT(versions); i++) {
        size_t length = strlen(versions[i].name);
        if (!strncmp(name, versions[i].name, length) && (!name[length] || name[length] == '.')) {
            *version = versions[i].version;
            return true;
        }
    }
    return lw_error_set(err, LW_ERROR_NAME, "unknown version of Triton '%.40s': %s to %s are known",
                        name, versions[LW_COUNT(versions) - 1].name, versions[0].name);
}

const char *lw_triton_name(enum lw_triton version)
{
    for (size_t i = 0; i < LW_COUNT(versions); i++)
        if (versions[i].version == version)
            return versions[i].name;
    return versions[0].name;
}

bool lw_triton_since(enum lw_triton version, enum lw_triton first)
{
    return version == LW_TRITON_UNSET || version >= first;
}

enum lw_identity_rule lw_triton_identity_rule(enum lw_triton version)
{
    return lw_triton_since(version, LW_TRITON_3_9)   ? LW_IDENTITY_APART
           : lw_triton_since(version, LW_TRITON_3_8) ? LW_IDENTITY_ANY
                                                     : LW_IDENTITY_SIZED;
}

/* ---- Values ---- */

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

struct lw_value *lw_value_member(const struct lw_value *object, const char *name)
{
    for (size_t i = 0; object && object->kind == LW_VALUE_OBJECT && i < object->count; i++)
        if (!strcmp(object->names[i], name))
            return &object->items[i];
    return NULL;
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

/* A list is copied by making it again. */
static const struct lw_listed *lw_listed_copy(struct lw_arena *arena,
                                              const struct lw_listed *listed)
{
    const struct lw_map *map = &listed->map;
    struct lw_listed *copy = lw_arena_alloc(arena, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *listed;
    copy->text = lw_arena_string(arena, listed->text, strlen(listed->text));
    bool good = copy->text &&
                (map->kind != LW_MAP_TABLE || lw_map_from_list(&copy->map, &map->in, &map->out,
                                                               map->as.table.element, arena, NULL));
    return good ? copy : NULL;
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
    return !encoding->listed || (copy->listed = lw_listed_copy(arena, encoding->listed)) ? copy
                                                                                         : NULL;
}

void lw_encoding_set_triton(struct lw_encoding *encoding, struct lw_triton_choice choice)
{
    if (choice.version && !(choice.weak && encoding->triton))
        encoding->triton = choice.version;
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

/* ---- Parameters by name ---- */

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

/* ---- Ranks ---- */

static bool is_list(const struct lw_value *value)
{
    return value->kind == LW_VALUE_LIST;
}

static size_t matrix_rank(const struct lw_value *matrix)
{
    size_t rank = 0;
    for (; is_list(matrix) && matrix->count && rank <= LW_RANK_MAX; matrix = &matrix->items[0])
        rank++;
    return rank;
}

int lw_schema_rank(const struct lw_encoding *encoding, const struct lw_tensor *tensor)
{
    if (tensor && tensor->rank >= 0)
        return tensor->rank;
    for (size_t i = 0; i < encoding->type->param_count; i++) {
        const struct lw_param *param = &encoding->type->params[i];
        const struct lw_value *value = &encoding->params[i];
        if (!(param->rules & LW_RULE_RANK) || !is_list(value))
            continue;
        size_t count = value->count;
        if (param->type == LW_PARAM_BASES) {
            if (count == 0 || !is_list(&value->items[0]))
                continue;
            count = value->items[0].count;
        }
        if (param->type == LW_PARAM_MATRIX)
            count = matrix_rank(value);
        return count > LW_RANK_MAX ? -1 : (int)count;
    }
    return -1;
}

int lw_distributed_rank(const struct lw_encoding *encoding)
{
    int dropped = 0;
    for (int depth = 0; depth <= LW_NESTING_MAX; depth++) {
        const struct lw_encoding *parent = lw_encoding_nested(encoding, "parent");
        int rank = lw_schema_rank(encoding, NULL);
        if (!parent)
            return rank < 0 ? -1 : rank - dropped;
        dropped += lw_encoding_param(encoding, "dim") >= 0;
        encoding = parent;
    }
    return -1;
}
