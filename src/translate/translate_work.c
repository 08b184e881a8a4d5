/* The form of a layout that every translation begins with, and what the systems share. Invariant: a linear layout in
 * that form has every dim that registers or memory can have, sizes of 1 included. */

#include "translate/translate_parts.h"
#include "core/array_count.h"
#include "core/tile.h"

#include "laneway/algebra.h"

#include <stdlib.h>
#include <string.h>

/* ---- The one form ---- */

/* Whether all dims are among these names. */
static bool dims_among(const struct lw_dims *dims, const char *const *names, int count)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        found += lw_dims_find(dims, names[i]) >= 0;
    return found == dims->count;
}

bool lw_translate_normalize(const struct lw_map *map, uint64_t lanes, struct lw_layout *out,
                            enum lw_translate_space *space, struct lw_error *err)
{
    static const char *const threads[] = {"local", "thread"};
    struct lw_layout layout;
    bool thread = lw_dims_find(&map->in, "thread") >= 0, good;
    bool local = lw_dims_find(&map->in, "local") >= 0;
    *space = dims_among(&map->in, lw_register_dims, 4) || dims_among(&map->in, threads, 2)
                 ? LW_TRANSLATE_REGISTERS
             : dims_among(&map->in, lw_shared_dims, 2) ? LW_TRANSLATE_MEMORY
                                                       : LW_TRANSLATE_OTHER;
    if (!(thread || local ? lw_map_to_hardware(map, lanes, &layout, err)
                          : lw_map_to_layout(map, &layout, err)))
        return false;
    if (*space == LW_TRANSLATE_REGISTERS && thread != local)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            local ? "it has the values of one thread, and a layout there has all "
                                    "threads"
                                  : "it has threads and no values, and a layout there has both");
    for (int d = 0; d < layout.out.count; d++)
        if (strcmp(layout.out.dim[d].name, lw_dim_names[d]) != 0)
            *space = LW_TRANSLATE_OTHER;
    if (*space != LW_TRANSLATE_OTHER)
        return *space == LW_TRANSLATE_MEMORY
                   ? lw_layout_with_ins(out, &layout, lw_shared_dims, 2, err)
                   : lw_layout_with_ins(out, &layout, lw_register_dims, 4, err);
    struct lw_text ins = {.limit = 100}, outs = {.limit = 100};
    lw_dims_print_names(&ins, &layout.in);
    lw_dims_print_names(&outs, &layout.out);
    good = lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "a layout from (%s) to (%s) is neither of registers nor of shared memory",
                        lw_text_string(&ins), lw_text_string(&outs));
    lw_text_free(&ins);
    lw_text_free(&outs);
    return good;
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
    bool same = same_dims(&a->in, &b->in) && same_dims(&a->out, &b->out) &&
                lw_dims_total(&a->out, &elements, NULL) && elements <= max;
    for (uint64_t e = 0; same && e < elements; e++) {
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

bool lw_translate_same_layout(const struct lw_map *a, const struct lw_map *b, uint64_t lanes,
                              uint64_t max)
{
    struct lw_layout layout[2];
    enum lw_translate_space space[2];
    if (!lw_translate_normalize(a, lanes, &layout[0], &space[0], NULL) ||
        !lw_translate_normalize(b, lanes, &layout[1], &space[1], NULL))
        return same_owners(a, b, max);
    for (int i = 0; i < 2; i++)
        if (space[i] == LW_TRANSLATE_REGISTERS) { /* lanes and warps are one dim, the thread */
            layout[i].in.dim[1].size *= layout[i].in.dim[2].size;
            layout[i].in.dim[2].size = 1;
        }
    return lw_layout_equal(&layout[0], &layout[1]);
}

/* ---- What the systems share ---- */

/* The text in the arena, and freed; NULL when memory is out. */
static const char *keep(struct lw_translate_work *work, struct lw_text *text)
{
    const char *copy =
        text->failed ? NULL : lw_arena_string(work->arena, lw_text_string(text), text->length);
    lw_text_free(text);
    if (!copy)
        lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    return copy;
}

bool lw_translate_add(struct lw_translate_work *work, struct lw_translations *translations,
                      struct lw_text *text)
{
    const char *copy = keep(work, text);
    bool there = !copy || translations->count == LW_TRANSLATIONS_MAX;
    for (int i = 0; i < translations->count && !there; i++)
        there = !strcmp(translations->text[i], copy);
    if (!there)
        translations->text[translations->count++] = copy;
    return copy;
}

bool lw_translate_set_remark(struct lw_translate_work *work, struct lw_text *text,
                             struct lw_translations *translations)
{
    return (translations->remark = keep(work, text));
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

bool lw_translate_refuse_basis(struct lw_translate_work *work, int dim, int bit, const char *why)
{
    const struct lw_layout *layout = &work->layout;
    struct lw_text text = {.limit = 160};
    uint64_t image[LW_DIMS_MAX];
    lw_layout_basis(layout, dim, bit, image);
    lw_text_format(&text, "%s=%llu -> (", layout->in.dim[dim].name, 1ULL << bit);
    for (int d = 0; d < layout->out.count; d++)
        lw_text_format(&text, "%s%llu", d ? ", " : "", (unsigned long long)image[d]);
    lw_translate_fail(work, "%s): %s", lw_text_string(&text), why);
    lw_text_free(&text);
    return false;
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
    static const char *const why[] = {
        [LW_CUTE_ROLE_MEMORY] =
            "the instruction reads this operand from shared or tensor memory: no "
            "part of it is in registers",
        [LW_CUTE_ROLE_BITS] =
            "this is the layout of the threads and bits of a copy, not of a tensor",
        [LW_CUTE_ROLE_QUAD_PAIR] =
            "this is a layout of a quad pair, whose thread 4 is lane 16, not of a warp",
    };
    size_t role = lw_translate_role(work);
    return role >= LW_COUNT(why) || !why[role] || lw_translate_fail(work, "%s", why[role]);
}

bool lw_translate_need_linear(struct lw_translate_work *work)
{
    return work->linear || lw_error_set(work->err, LW_ERROR_UNSUPPORTED, "%s", work->why.message);
}

bool lw_translate_need_block(struct lw_translate_work *work)
{
    uint64_t blocks = lw_dims_size(&work->of->map->in, "block");
    if (work->space == LW_TRANSLATE_OTHER)
        return lw_translate_need_linear(work);
    return blocks <= 1 ||
           lw_translate_fail(work,
                             "%llu blocks share the tensor, but its layouts are for one block",
                             (unsigned long long)blocks);
}

/* ---- Registers as digits ----
 * Each maps one digit of the register or thread number to one digit of one index. Source: mode_shape of tilus 0.2.0. */

static bool push(struct lw_translate_digits *digits, struct lw_mode mode, struct lw_error *err)
{
    if (digits->count == LW_MODES_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "over %d modes", LW_MODES_MAX);
    digits->mode[digits->count++] = mode;
    return true;
}

/* The digit of one basis. */
static bool digit_of_basis(struct lw_translate_work *work, int dim, int bit, struct lw_mode *mode)
{
    const struct lw_layout *layout = &work->layout;
    uint64_t image[LW_DIMS_MAX], index = (uint64_t)1 << bit;
    lw_layout_basis(layout, dim, bit, image);
    mode->size = 2;
    mode->in_dim = dim > 0;
    mode->in_stride = dim == 2 ? index * layout->in.dim[1].size : index;
    mode->out_dim = -1;
    mode->out_stride = 0;
    for (int d = 0; d < layout->out.count; d++) {
        if (!image[d])
            continue;
        if (mode->out_dim >= 0)
            return lw_translate_refuse_basis(work, dim, bit,
                                             "it moves in two dims, and a mode is part of one dim");
        if (lw_log2(image[d]) < 0)
            return lw_translate_refuse_basis(
                work, dim, bit, "it flips two bits of an index, and a mode is one digit");
        mode->out_dim = d;
        mode->out_stride = image[d];
    }
    return true;
}

static bool digits_of_layout(struct lw_translate_work *work, struct lw_translate_digits *digits)
{
    const struct lw_layout *layout = &work->layout;
    uint64_t seen = 0;
    digits->count = 0;
    digits->warp = layout->in.dim[1].size;
    for (int dim = 0; dim < 3; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(layout, dim); bit++) {
            struct lw_mode mode;
            uint64_t basis = layout->basis[lw_layout_in_shift(layout, dim) + bit];
            if (!digit_of_basis(work, dim, bit, &mode))
                return false;
            if (basis & seen)
                return lw_translate_refuse_basis(
                    work, dim, bit,
                    "another basis moves the same bit, but two modes cannot use the same bit");
            seen |= basis;
            if (!push(digits, mode, work->err))
                return false;
        }
    return true;
}

/* Splits a mode whose stride counts elements, the first dim fastest, into one for each dim. */
static bool split_stride(const struct lw_dims *out, const struct lw_stride *m,
                         struct lw_translate_digits *digits, struct lw_error *err)
{
    uint64_t size = m->size, stride = m->stride, divisor = m->divisor, unit = 1;
    if (m->stride == 0)
        return push(digits, (struct lw_mode){size, divisor, 0, m->dim, -1}, err);
    for (int d = 0; d < out->count && size > 1; d++) {
        uint64_t end = unit * out->dim[d].size;
        if (stride < end) {
            uint64_t part = end / stride < size ? end / stride : size;
            if (stride % unit || (part < size && end % stride) || size % part)
                return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                    "a mode of size %llu and stride %llu is not one digit of an "
                                    "index",
                                    (unsigned long long)m->size, (unsigned long long)m->stride);
            struct lw_mode mode = {part, divisor, stride / unit, m->dim, d};
            if (part > 1 && !push(digits, mode, err))
                return false;
            divisor *= part;
            size /= part;
            stride *= part;
        }
        unit = end;
    }
    return true;
}

static int by_index(const void *a, const void *b)
{
    const struct lw_mode *s = a, *t = b;
    if (s->in_dim != t->in_dim)
        return s->in_dim < t->in_dim ? -1 : 1;
    return s->in_stride < t->in_stride ? -1 : s->in_stride > t->in_stride;
}

bool lw_digits_of_map(const struct lw_map *map, struct lw_translate_digits *digits,
                      struct lw_error *err)
{
    const struct lw_strides *sum = &map->as.strided.sum;
    struct lw_layout unused;
    digits->count = 0;
    digits->warp = 0;
    if (map->kind == LW_MAP_MIXED) {
        digits->count = map->as.mixed.count;
        memcpy(digits->mode, map->as.mixed.mode, sizeof digits->mode);
    } else if (map->kind != LW_MAP_STRIDED || sum->memory || sum->constant || sum->bits) {
        return lw_map_to_layout(map, &unused, err) && false;
    }
    for (int i = 0; map->kind == LW_MAP_STRIDED && i < sum->count; i++)
        if (!split_stride(&map->out, &sum->mode[i], digits, err))
            return false;
    qsort(digits->mode, (size_t)digits->count, sizeof *digits->mode, by_index);
    return true;
}

bool lw_translate_digits(struct lw_translate_work *work, struct lw_translate_digits *digits)
{
    enum lw_map_kind kind = work->of->map->kind;
    if (!work->linear && (kind == LW_MAP_MIXED || kind == LW_MAP_STRIDED))
        return lw_digits_of_map(work->of->map, digits, work->err);
    return lw_translate_need_linear(work) && digits_of_layout(work, digits);
}

/* ---- Memory as sums of strides ----
 * From coordinate to offset: each bit of a coordinate adds a stride, after the swizzle that leaves every bit one bit of
 * the offset. A sum is a xor when no two of its terms have a bit in common, and that is checked. Source: CUTLASS 4,
 * include/cute/layout.hpp and swizzle.hpp. */

void lw_translate_push_mode(struct lw_translate_modes *modes, uint64_t size, uint64_t stride)
{
    int last = modes->count - 1;
    if (size == 1 || modes->count == LW_MODES_MAX)
        return;
    if (last >= 0 && modes->size[last] * modes->stride[last] == (int64_t)stride) {
        modes->size[last] *= (int64_t)size;
        return;
    }
    modes->size[modes->count] = (int64_t)size;
    modes->stride[modes->count++] = (int64_t)stride;
}

/* Undoes a swizzle of `count` offsets, one for each bit of the coordinate. False unless each is then a different single
 * bit. */
static bool plain(const uint64_t *offsets, int count, const struct lw_cute_swizzle *swizzle,
                  uint64_t *out)
{
    uint64_t seen = 0;
    for (int i = 0; i < count; i++) {
        out[i] = (uint64_t)lw_cute_swizzled(swizzle, (int64_t)offsets[i]);
        if (lw_log2(out[i]) < 0 || (out[i] & seen))
            return false;
        seen |= out[i];
    }
    return true;
}

/* Finds the smallest swizzle for which plain() succeeds; a swizzle of this form is its own inverse. */
static bool find_swizzle(const uint64_t *offsets, int count, struct lw_cute_swizzle *swizzle,
                         uint64_t *out)
{
    int total = count < 30 ? count : 30;
    *swizzle = (struct lw_cute_swizzle){0, 0, 0};
    if (plain(offsets, count, swizzle, out))
        return true;
    for (int bits = 1; 2 * bits <= total; bits++)
        for (int way = 0; way < 2; way++)
            for (int shift = bits; shift + bits <= total; shift++)
                for (int base = 0; base + shift + bits <= total; base++) {
                    *swizzle = (struct lw_cute_swizzle){bits, base, way ? -shift : shift};
                    if (plain(offsets, count, swizzle, out))
                        return true;
                }
    return false;
}

static bool linear_sums(struct lw_translate_work *work, struct lw_translate_sums *sums)
{
    struct lw_layout inverse;
    uint64_t straight[LW_BITS_MAX];
    if (!lw_layout_is_invertible(&work->layout))
        return lw_translate_fail(
            work, lw_layout_is_injective(&work->layout)
                      ? "some elements are at no offset, and every coordinate has one"
                      : "an element is at several offsets, and a coordinate has one");
    if (!lw_layout_invert(&inverse, &work->layout, work->err))
        return false;
    bool found = find_swizzle(inverse.basis, lw_layout_in_bits(&inverse), &sums->swizzle, straight);
    for (int d = 0, i = 0; !found && d < inverse.in.count; d++)
        for (int bit = 0; bit < lw_layout_in_log2(&inverse, d); bit++, i++)
            if (lw_log2(inverse.basis[i]) < 0)
                return lw_translate_fail(work,
                                         "%s=%llu is at offset %llu: no swizzle of three numbers "
                                         "makes every bit of a coordinate one bit of the offset",
                                         inverse.in.dim[d].name, 1ULL << bit,
                                         (unsigned long long)inverse.basis[i]);
    const struct lw_dims *dims = &work->of->map->out;
    for (int d = 0, at = 0; d < dims->count; d++)
        for (int bit = 0; bit < lw_log2(dims->dim[d].size); bit++)
            lw_translate_push_mode(&sums->dim[d], 2, straight[at++]);
    return true;
}

static int longest_first(const void *a, const void *b)
{
    uint64_t s = ((const struct lw_stride *)a)->stride, t = ((const struct lw_stride *)b)->stride;
    return s < t ? 1 : s > t ? -1 : 0;
}

/* In padded memory each bit of a coordinate adds the weight of its bit of the offset, and bits whose weights double are
 * one digit. */
bool lw_strides_of_memory(const struct lw_map *map, struct lw_strides *sum, struct lw_error *err)
{
    const struct lw_layout *layout = &map->as.padded.layout;
    struct lw_layout inverse;
    *sum = (struct lw_strides){.memory = true};
    if (map->kind == LW_MAP_STRIDED) {
        *sum = map->as.strided.sum;
        return true;
    }
    if (lw_layout_in_bits(layout) != lw_layout_in_log2(layout, map->as.padded.dim) ||
        !lw_layout_invert(&inverse, layout, NULL))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "memory with padding that several blocks or copies share");
    for (int d = 0; d < inverse.in.count; d++)
        for (int bit = 0; bit < lw_layout_in_log2(&inverse, d); bit++) {
            int to = lw_log2(inverse.basis[lw_layout_in_shift(&inverse, d) + bit]);
            if (to < 0)
                return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                    "swizzled memory with padding: a swizzle comes after the "
                                    "strides, padding before it");
            struct lw_stride *last = sum->count ? &sum->mode[sum->count - 1] : NULL;
            uint64_t weight = map->as.padded.weight[to];
            if (last && bit && weight == last->size * last->stride)
                last->size *= 2;
            else
                sum->mode[sum->count++] = (struct lw_stride){2, weight, (uint64_t)1 << bit, d};
        }
    qsort(sum->mode, (size_t)sum->count, sizeof *sum->mode, longest_first);
    return true;
}

static int least_divisor_first(const void *a, const void *b)
{
    uint64_t s = ((const struct lw_stride *)a)->divisor, t = ((const struct lw_stride *)b)->divisor;
    return s < t ? -1 : s > t;
}

bool lw_translate_sums(struct lw_translate_work *work, struct lw_translate_sums *sums)
{
    const struct lw_map *map = work->of->map;
    struct lw_strides sum;
    memset(sums, 0, sizeof *sums);
    if (work->linear)
        return linear_sums(work, sums);
    if (map->kind != LW_MAP_PADDED && (map->kind != LW_MAP_STRIDED || !map->as.strided.sum.memory))
        return lw_translate_need_linear(work);
    if (!lw_strides_of_memory(map, &sum, work->err))
        return false;
    qsort(sum.mode, (size_t)sum.count, sizeof *sum.mode, least_divisor_first);
    for (int i = 0; i < sum.count; i++)
        lw_translate_push_mode(&sums->dim[sum.mode[i].dim], sum.mode[i].size, sum.mode[i].stride);
    sums->constant = (int64_t)sum.constant;
    sums->swizzle = (struct lw_cute_swizzle){sum.bits, sum.base, sum.shift};
    return true;
}
