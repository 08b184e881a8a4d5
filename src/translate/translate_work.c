/* The form of a layout that every translation begins with, and what the systems share. Invariant: a linear layout in
 * that form has every dim that registers or memory can have, sizes of 1 included. */

#include "translate/translate_parts.h"
#include "core/tile.h"

#include "laneway/algebra.h"

#include <string.h>

/* ---- The one form ---- */

/* Whether all dims are among these names. */
static int dims_among(const struct lw_dims *dims, const char *const *names, int count)
{
    for (int d = 0; d < dims->count; d++) {
        bool found = false;
        for (int i = 0; i < count && !found; i++)
            found = !strcmp(dims->dim[d].name, names[i]);
        if (!found)
            return 0;
    }
    return count;
}

static bool outs_are_standard(const struct lw_dims *out)
{
    for (int d = 0; d < out->count; d++)
        if (strcmp(out->dim[d].name, lw_dim_names[d]) != 0)
            return false;
    return true;
}

static bool other_dims(const struct lw_layout *layout, struct lw_error *err)
{
    struct lw_text ins = {.limit = 100}, outs = {.limit = 100};
    lw_dims_print_names(&ins, &layout->in);
    lw_dims_print_names(&outs, &layout->out);
    lw_error_set(err, LW_ERROR_UNSUPPORTED,
                 "a layout from (%s) to (%s) is neither of registers nor of shared memory",
                 lw_text_string(&ins), lw_text_string(&outs));
    lw_text_free(&ins);
    lw_text_free(&outs);
    return false;
}

/* Whether the in-dims are those of registers or of memory. */
static enum lw_translate_space space_of(const struct lw_dims *in)
{
    static const char *const threads[] = {"local", "thread"};
    if (dims_among(in, lw_register_dims, 4) || dims_among(in, threads, 2))
        return LW_TRANSLATE_REGISTERS;
    return dims_among(in, lw_shared_dims, 2) ? LW_TRANSLATE_MEMORY : LW_TRANSLATE_OTHER;
}

bool lw_translate_normalize(const struct lw_map *map, uint64_t lanes, struct lw_layout *out,
                            enum lw_translate_space *space, struct lw_error *err)
{
    struct lw_layout layout;
    bool thread = lw_dims_find(&map->in, "thread") >= 0,
         local = lw_dims_find(&map->in, "local") >= 0;
    *space = space_of(&map->in);
    if (!(thread || local ? lw_map_to_hardware(map, lanes, &layout, err)
                          : lw_map_to_layout(map, &layout, err)))
        return false;
    if (*space == LW_TRANSLATE_REGISTERS && thread != local)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            local ? "it has the values of one thread, and a layout there has all "
                                    "threads"
                                  : "it has threads and no values, and a layout there has both");
    if (*space == LW_TRANSLATE_OTHER || !outs_are_standard(&layout.out)) {
        *space = LW_TRANSLATE_OTHER;
        return other_dims(&layout, err);
    }
    return *space == LW_TRANSLATE_MEMORY
               ? lw_layout_with_ins(out, &layout, lw_shared_dims, 2, err)
               : lw_layout_with_ins(out, &layout, lw_register_dims, 4, err);
}

/* ---- Comparing ---- */

/* Whether two index spaces have the same sizes, those of 1 ignored. */
static bool same_dims(const struct lw_dims *a, const struct lw_dims *b)
{
    int i = 0, k = 0;
    for (;; i++, k++) {
        while (i < a->count && a->dim[i].size == 1)
            i++;
        while (k < b->count && b->dim[k].size == 1)
            k++;
        if (i == a->count || k == b->count)
            return i == a->count && k == b->count;
        if (a->dim[i].size != b->dim[k].size)
            return false;
    }
}

/* Whether each element has the same owners, also where several elements are at one offset. */
static bool same_owners(const struct lw_map *a, const struct lw_map *b, uint64_t max)
{
    uint64_t elements;
    bool same = lw_dims_total(&a->out, &elements, NULL) && elements <= max;
    for (uint64_t e = 0; e < elements && same; e++) {
        uint64_t one[LW_DIMS_MAX], two[LW_DIMS_MAX], in[LW_DIMS_MAX], other[LW_DIMS_MAX];
        lw_dims_unflatten(&a->out, e, one);
        lw_dims_unflatten(&b->out, e, two);
        uint64_t count = lw_map_owner_count(a, one);
        same = count <= max && count == lw_map_owner_count(b, two);
        for (uint64_t k = 0; k < count && same; k++)
            same = lw_map_owner(a, one, k, in) && lw_map_owner(b, two, k, other) &&
                   lw_dims_flatten(&a->in, in) == lw_dims_flatten(&b->in, other);
    }
    return same;
}

static bool same_points(const struct lw_map *a, const struct lw_map *b, uint64_t max)
{
    uint64_t points;
    if (!same_dims(&a->in, &b->in) || !same_dims(&a->out, &b->out))
        return false;
    if (!lw_map_check_unique(a, NULL) || !lw_map_check_unique(b, NULL))
        return same_owners(a, b, max);
    if (!lw_dims_total(&a->in, &points, NULL) || points > max)
        return false;
    for (uint64_t p = 0; p < points; p++) {
        uint64_t in[LW_DIMS_MAX], one[LW_DIMS_MAX], two[LW_DIMS_MAX];
        lw_dims_unflatten(&a->in, p, in);
        bool here = lw_map_apply(a, in, one);
        lw_dims_unflatten(&b->in, p, in);
        if (here != lw_map_apply(b, in, two) ||
            (here && lw_dims_flatten(&a->out, one) != lw_dims_flatten(&b->out, two)))
            return false;
    }
    return true;
}

/* Merges lanes and warps into one dim, the thread. */
static void join_threads(struct lw_layout *layout, enum lw_translate_space space)
{
    if (space != LW_TRANSLATE_REGISTERS)
        return;
    layout->in.dim[1].size *= layout->in.dim[2].size;
    layout->in.dim[2].size = 1;
}

bool lw_translate_same_layout(const struct lw_map *a, const struct lw_map *b, uint64_t lanes,
                              uint64_t max)
{
    struct lw_layout one, two;
    enum lw_translate_space space, other;
    if (!lw_translate_normalize(a, lanes, &one, &space, NULL) ||
        !lw_translate_normalize(b, lanes, &two, &other, NULL))
        return same_points(a, b, max);
    join_threads(&one, space);
    join_threads(&two, other);
    return lw_layout_equal(&one, &two);
}

/* ---- What the systems share ---- */

bool lw_translate_add(struct lw_translate_work *work, struct lw_translations *translations,
                      struct lw_text *text)
{
    bool good = !text->failed;
    bool there = translations->count == LW_TRANSLATIONS_MAX;
    for (int i = 0; i < translations->count && !there; i++)
        there = !strcmp(translations->text[i], lw_text_string(text));
    if (good && !there) {
        char *copy = lw_arena_string(work->arena, lw_text_string(text), text->length);
        good = copy;
        if (copy)
            translations->text[translations->count++] = copy;
    }
    lw_text_free(text);
    return good || lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
}

bool lw_translate_fail(struct lw_translate_work *work, const char *format, ...)
{
    char message[LW_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return lw_error_set(work->err, LW_ERROR_UNSUPPORTED, "%s", message);
}

void lw_translate_put_basis(struct lw_text *text, const struct lw_layout *layout, int dim, int bit)
{
    uint64_t image[LW_DIMS_MAX];
    lw_layout_basis(layout, dim, bit, image);
    lw_text_format(text, "%s=%llu -> (", layout->in.dim[dim].name, 1ULL << bit);
    for (int d = 0; d < layout->out.count; d++)
        lw_text_format(text, "%s%llu", d ? ", " : "", (unsigned long long)image[d]);
    lw_text_char(text, ')');
}

bool lw_translate_set_remark(struct lw_translate_work *work, struct lw_text *text,
                             struct lw_translations *translations)
{
    bool good = !text->failed;
    if (good)
        translations->remark = lw_arena_string(work->arena, lw_text_string(text), text->length);
    lw_text_free(text);
    return (good && translations->remark) ||
           lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
}

enum lw_cute_role lw_translate_role(const struct lw_translate_work *work)
{
    struct lw_arena arena = {0};
    struct lw_cute cute = {0};
    enum lw_cute_role role = LW_CUTE_ROLE_NONE;
    if (work->of->encoding && lw_cute_of_encoding(&arena, work->of->encoding, &cute, NULL))
        role = cute.role;
    lw_arena_free(&arena);
    return role;
}

bool lw_translate_need_elements(struct lw_translate_work *work)
{
    switch (lw_translate_role(work)) {
    case LW_CUTE_ROLE_MEMORY:
        return lw_translate_fail(work, "the instruction reads this operand from shared or tensor "
                                       "memory: no part of it is in registers");
    case LW_CUTE_ROLE_BITS:
        return lw_translate_fail(
            work, "this is the layout of the threads and bits of a copy, not of a tensor");
    case LW_CUTE_ROLE_QUAD_PAIR:
        return lw_translate_fail(
            work, "this is a layout of a quad pair, whose thread 4 is lane 16, not of a warp");
    default:
        return true;
    }
}

bool lw_translate_need_linear(struct lw_translate_work *work)
{
    return work->linear || lw_error_set(work->err, LW_ERROR_UNSUPPORTED, "%s", work->why.message);
}

bool lw_translate_need_block(struct lw_translate_work *work)
{
    uint64_t blocks = lw_dims_size(&work->of->map->in, "block");
    return blocks <= 1 ||
           lw_translate_fail(work,
                             "%llu blocks share the tensor, but its layouts are for one block",
                             (unsigned long long)blocks);
}
