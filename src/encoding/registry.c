/* Encoding types by name; the list of them is in types.h. And the type that no text names. */

#include "core/array_count.h"
#include "core/unused.h"
#include "encoding/schema/schema.h"
#include "encoding/schema/types.h"

#include <string.h>

#define ADDRESS(NAME) &lw_encoding_##NAME,
static const struct lw_encoding_type *const types[] = {LW_ENCODING_TYPES(ADDRESS)};
#undef ADDRESS

/* The names of types in older releases. */
static const struct {
    const char *old, *name;
} older[] = {
    {"shared", "swizzled_shared"},
    {"mma", "nvidia_mma"},
    {"mfma", "amd_mfma"},
    {"wmma", "amd_wmma"},
};

const struct lw_encoding_type *const *lw_encoding_types(size_t *count)
{
    *count = LW_COUNT(types);
    return types;
}

static const struct lw_encoding_type *find(const char *name)
{
    for (size_t i = 0; i < LW_COUNT(types); i++)
        if (types[i]->name[0] == name[0] && !strcmp(types[i]->name, name))
            return types[i];
    return NULL;
}

const struct lw_encoding_type *lw_encoding_type_find(const char *name)
{
    const struct lw_encoding_type *type = find(name);
    for (size_t i = 0; !type && i < LW_COUNT(older); i++)
        if (older[i].old[0] == name[0] && !strcmp(older[i].old, name))
            type = find(older[i].name);
    return type;
}

static const char *type_name(LW_UNUSED const void *context, size_t i)
{
    return types[i]->name;
}

const struct lw_encoding_type *lw_encoding_type_get(const char *name, struct lw_position position,
                                                    struct lw_error *err)
{
    const struct lw_encoding_type *type = lw_encoding_type_find(name);
    if (type)
        return type;
    char hint[LW_HINT_MAX];
    const char *near = lw_text_nearest(name, LW_COUNT(types), type_name, NULL);
    lw_error_at(err, LW_ERROR_NAME, position, "unknown encoding '%.60s'%s", name,
                lw_text_hint(hint, near, "; `laneway help encodings` lists them"));
    return NULL;
}

/* ---- listed: a map instead of parameters, as a text that states its accesses one by one has it ---- */

static bool build(const struct lw_encoding *encoding, LW_UNUSED const struct lw_tensor *tensor,
                  struct lw_map *map, LW_UNUSED struct lw_error *err)
{
    *map = encoding->listed->map;
    return true;
}

static void print(struct lw_text *text, const struct lw_encoding *encoding)
{
    lw_text_add(text, encoding->listed->text);
}

static const struct lw_encoding_type listed = {
    .name = "listed",
    .title = "accesses as they are written",
    .about = "The elements that the threads of a block access, one by one.",
    .family = LW_FAMILY_PLAIN,
    .spelling = LW_SPELLING_CALL,
    .print = print,
    .build = build,
};

struct lw_encoding *lw_encoding_of_list(struct lw_arena *arena, const struct lw_dims *in,
                                        const struct lw_dims *out, const uint64_t *elements,
                                        uint64_t vector, const char *text, struct lw_error *err)
{
    struct lw_encoding *encoding = lw_encoding_new(arena, &listed);
    struct lw_listed *made = lw_arena_alloc(arena, sizeof *made);
    struct lw_layout layout;
    if (!encoding || !made) {
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    *made =
        (struct lw_listed){.vector = vector, .text = lw_arena_string(arena, text, strlen(text))};
    if (!made->text || !lw_map_from_list(&made->map, in, out, elements, arena, err))
        return NULL;
    if (lw_map_to_layout(&made->map, &layout, NULL))
        lw_map_from_layout(&made->map, &layout);
    encoding->listed = made;
    return encoding;
}
