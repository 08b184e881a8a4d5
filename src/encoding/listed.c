/* listed: a map instead of parameters, as a text that states its accesses one by one has it. No text names it. */

#include "encoding/schema/schema.h"
#include "encoding/schema/types.h"

#include <string.h>

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    (void)tensor;
    (void)err;
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
