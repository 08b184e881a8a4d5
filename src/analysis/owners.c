/*
 * Owners, vectors and repeats of a map, and the lines of a memory, from its bases or digits.
 *
 * The least owner of an element is linear in the element: it is the xor of the least owners of the
 * bits of its index, and the other owners are that one xored with the null space. So a bit of the
 * index whose least owner has register and block bits alone changes nothing else of any owner.
 */

#include "analysis/owners.h"

#include "core/tile.h"

#include <string.h>

/* ---- Owners ---- */

bool lw_owner_dims_find(struct lw_owner_dims *dims, const struct lw_dims *in, uint64_t lanes,
                        struct lw_error *err)
{
    *dims = (struct lw_owner_dims){.reg = lw_dims_find(in, "register"),
                                   .lane = lw_dims_find(in, "lane"),
                                   .warp = lw_dims_find(in, "warp"),
                                   .block = lw_dims_find(in, "block"),
                                   .thread = lw_dims_find(in, "thread")};
    if (dims->reg < 0)
        dims->reg = lw_dims_find(in, "local");
    dims->lanes = dims->lane >= 0 ? in->dim[dims->lane].size : lanes ? lanes : 1;
    bool split = dims->lane >= 0 || dims->warp >= 0, any = false;
    for (int d = 0; d < in->count; d++) {
        bool known = d == dims->reg || d == dims->lane || d == dims->warp || d == dims->block ||
                     (d == dims->thread && !split);
        if (!known && in->dim[d].size > 1)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "'%s' is not a dim of registers: use register, lane, warp and "
                                "block, or local and thread",
                                in->dim[d].name);
        any = any || known;
    }
    return any || lw_error_set(err, LW_ERROR_UNSUPPORTED, "the layout has no dim of registers");
}

bool lw_register_layout(struct lw_layout *out, const struct lw_map *map, uint64_t lanes,
                        struct lw_error *err)
{
    struct lw_owner_dims dims;
    return lw_owner_dims_find(&dims, &map->in, lanes, err) &&
           lw_map_to_hardware(map, lanes, out, err) &&
           lw_layout_with_ins(out, out, lw_register_dims, 4, err);
}

static uint64_t at(const uint64_t *in, int dim)
{
    return dim < 0 ? 0 : in[dim];
}

struct lw_slot lw_slot_at(const struct lw_owner_dims *dims, const uint64_t *in)
{
    struct lw_slot slot = {.block = at(in, dims->block),
                           .warp = at(in, dims->warp),
                           .lane = at(in, dims->lane),
                           .reg = at(in, dims->reg)};
    slot.thread = slot.warp * dims->lanes + slot.lane;
    if (dims->thread >= 0) {
        slot.thread = in[dims->thread];
        slot.warp = slot.thread / dims->lanes;
        slot.lane = slot.thread % dims->lanes;
    }
    return slot;
}

bool lw_slot_of_index(const struct lw_map *map, uint64_t lanes, const uint64_t *in,
                      struct lw_slot *slot)
{
    struct lw_owner_dims dims;
    if (!lw_owner_dims_find(&dims, &map->in, lanes, NULL))
        return false;
    *slot = lw_slot_at(&dims, in);
    return true;
}

bool lw_slot_find(const struct lw_map *map, uint64_t lanes, const uint64_t *out, uint64_t k,
                  struct lw_slot *owner)
{
    uint64_t in[LW_DIMS_MAX];
    return lw_map_owner(map, out, k, in) && lw_slot_of_index(map, lanes, in, owner);
}

/* Sets an index of a dim; without the dim it must be 0. */
static bool put(const struct lw_map *map, int dim, uint64_t index, uint64_t *in)
{
    if (dim < 0)
        return index == 0;
    in[dim] = index;
    return index < map->in.dim[dim].size;
}

bool lw_slot_index(const struct lw_map *map, uint64_t lanes, const struct lw_slot *owner,
                   uint64_t *in)
{
    struct lw_owner_dims dims;
    if (!lw_owner_dims_find(&dims, &map->in, lanes, NULL))
        return false;
    memset(in, 0, LW_DIMS_MAX * sizeof *in);
    if (dims.thread >= 0)
        return owner->lane < dims.lanes && owner->warp <= UINT64_MAX / dims.lanes - 1 &&
               put(map, dims.thread, owner->warp * dims.lanes + owner->lane, in) &&
               put(map, dims.reg, owner->reg, in) && put(map, dims.block, owner->block, in);
    return put(map, dims.reg, owner->reg, in) && put(map, dims.lane, owner->lane, in) &&
           put(map, dims.warp, owner->warp, in) && put(map, dims.block, owner->block, in);
}

bool lw_same_tensor(const struct lw_dims *from, const struct lw_dims *to, struct lw_error *err)
{
    struct lw_text text = {0};
    if (lw_dims_equal(from, to))
        return true;
    for (int side = 0; side < 2; side++) {
        const struct lw_dims *dims = side ? to : from;
        lw_text_add(&text, side ? ", layout B for one of " : "");
        for (int i = 0; i < dims->count; i++)
            lw_text_format(&text, "%s%llu", i ? "x" : "", (unsigned long long)dims->dim[i].size);
    }
    lw_error_set(err, LW_ERROR_SHAPE, "layout A is for a tensor of %s: the shapes must be the same",
                 lw_text_string(&text));
    lw_text_free(&text);
    return false;
}

/* ---- Vectors ---- */

/* The run of a linear map along one output dim, of 2^n: its first n bases are 1, 2, 4, ..., and no
 * other basis has bits that low. */
static uint64_t linear_run(const struct lw_layout *layout, int item, int along)
{
    int shift = lw_layout_in_shift(layout, item), to = lw_layout_out_shift(layout, along), n = 0;
    int max = lw_layout_in_log2(layout, item), bits = lw_layout_in_bits(layout);
    if (max > lw_layout_out_log2(layout, along))
        max = lw_layout_out_log2(layout, along);
    while (n < max && layout->basis[shift + n] == (uint64_t)1 << (to + n))
        n++;
    for (int i = 0; i < bits; i++)
        while (n > 0 && (i < shift || i >= shift + n) &&
               (layout->basis[i] >> to & lw_f2_mask(n)) != 0)
            n--;
    return (uint64_t)1 << n;
}

static uint64_t mixed_run(const struct lw_map *map, int item, int along)
{
    uint64_t run = 1;
    for (bool grown = true; grown;) {
        grown = false;
        for (int i = 0; i < map->as.mixed.count && !grown; i++) {
            const struct lw_mode *m = &map->as.mixed.mode[i];
            grown = m->size > 1 && m->in_dim == item && m->out_dim == along &&
                    m->in_stride == run && m->out_stride == run;
            run *= grown ? m->size : 1;
        }
    }
    return run;
}

uint64_t lw_map_vector(const struct lw_map *map, int *along)
{
    static const char *const names[] = {"register", "local", "offset"};
    int item = -1; /* the in-dim that counts the elements of one thread, or of memory */
    uint64_t best = 1;
    *along = -1;
    for (size_t i = 0; i < sizeof names / sizeof *names && item < 0; i++)
        item = lw_dims_find(&map->in, names[i]);
    for (int d = 0; item >= 0 && d < map->out.count; d++) {
        uint64_t run = map->kind == LW_MAP_LINEAR   ? linear_run(&map->as.linear.layout, item, d)
                       : map->kind == LW_MAP_MIXED  ? mixed_run(map, item, d)
                       : map->kind == LW_MAP_PADDED ? linear_run(&map->as.padded.layout, item, d)
                                                    : 1;
        for (int i = 0; map->kind == LW_MAP_PADDED && i < map->as.padded.count; i++)
            if (run > map->as.padded.padding[i].interval) /* padding begins */
                run = map->as.padded.padding[i].interval;
        if (run > best) {
            best = run;
            *along = d;
        }
    }
    return best;
}

/* ---- Repeats ---- */

static bool linear_repeat(const struct lw_map *map, const struct lw_owner_dims *dims, int dim,
                          bool of_offsets, struct lw_repeat *repeat)
{
    const struct lw_layout *layout = &map->as.linear.layout;
    int first = lw_layout_out_shift(layout, dim), bits = lw_layout_out_log2(layout, dim), p = bits;
    int reg = dims->reg < 0 ? 0 : lw_layout_in_shift(layout, dims->reg);
    int block = dims->block < 0 ? 0 : lw_layout_in_shift(layout, dims->block);
    uint64_t regs = dims->reg < 0 ? 0 : lw_f2_mask(lw_layout_in_log2(layout, dims->reg));
    uint64_t blocks = dims->block < 0 ? 0 : lw_f2_mask(lw_layout_in_log2(layout, dims->block));
    uint64_t least[LW_BITS_MAX] = {0};
    for (int b = 0; b < lw_layout_out_bits(layout); b++)
        if (!lw_solver_solve(&map->as.linear.solver, (uint64_t)1 << b, &least[b]))
            return false;
    while (p > 0 && !(least[first + p - 1] & ~(regs << reg | blocks << block)))
        p--;
    /* Bits that no other bit of an element changes are added; others are xored. Offsets have no other dims, so that
     * their period is the least one after which they are added. */
    for (;; p++) {
        uint64_t taken = 0;
        bool is_added = true;
        repeat->period = (uint64_t)1 << p;
        repeat->count = (uint64_t)1 << (bits - p);
        repeat->reg = repeat->block = 0;
        if (p == bits)
            return true;
        const uint64_t step = least[first + p];
        for (int b = 0; b < lw_layout_out_bits(layout); b++)
            taken |= b < first + p || b >= first + bits ? least[b] : 0;
        for (int i = 0; i < bits - p; i++) {
            uint64_t own = least[first + p + i];
            is_added = is_added && !(own & taken) &&
                       (own >> reg & regs) == (step >> reg & regs) << i &&
                       (own >> block & blocks) == (step >> block & blocks) << i;
            taken |= own;
        }
        if (is_added) {
            repeat->reg = step >> reg & regs;
            repeat->block = step >> block & blocks;
        }
        if (is_added || !of_offsets)
            return true;
    }
}

bool lw_map_repeat(const struct lw_map *map, int dim, struct lw_repeat *repeat)
{
    struct lw_owner_dims dims;
    struct lw_layout layout;
    struct lw_map linear;
    *repeat = (struct lw_repeat){0};
    if (dim < 0 || dim >= map->out.count || !lw_map_to_layout(map, &layout, NULL))
        return false;
    const bool of_offsets = !lw_owner_dims_find(&dims, &map->in, 1, NULL);
    if (of_offsets)
        dims.reg = lw_dims_find(&map->in, "offset");
    if (of_offsets && dims.reg < 0)
        return false;
    lw_map_from_layout(&linear, &layout);
    return linear_repeat(&linear, &dims, dim, of_offsets, repeat);
}

uint64_t lw_map_of_warp(const struct lw_map *map, uint64_t lanes, bool rows)
{
    const int last = map->out.count - 1, from = rows ? 0 : last, to = rows ? last - 1 : last;
    uint64_t all = 1, out[LW_DIMS_MAX] = {0};
    struct lw_slot first, here;
    for (int d = from; d <= to; d++)
        all *= map->out.dim[d].size;
    if (!lw_slot_find(map, lanes, out, 0, &first))
        return all;
    for (uint64_t n = 1; n < all; n *= 2) {
        uint64_t rest = n;
        for (int d = to; d >= from; d--) {
            out[d] = rest % map->out.dim[d].size;
            rest /= map->out.dim[d].size;
        }
        if (lw_slot_find(map, lanes, out, 0, &here) &&
            (here.warp != first.warp || here.block != first.block))
            return all % n ? all : n;
    }
    return all;
}

void lw_map_put_part(struct lw_text *text, const struct lw_map *map, const uint64_t shown[2])
{
    const int last = map->out.count - 1;
    const char *reg = lw_dims_find(&map->in, "offset") < 0 ? "register" : "offset";
    const char *before = "";
    uint64_t all[2] = {1, 1};
    struct lw_text repeats = {0};
    struct lw_repeat repeat;
    for (int d = 0; d <= last; d++)
        all[d == last] *= map->out.dim[d].size;
    const bool is_all = shown[0] == all[0] && shown[1] == all[1];
    for (int d = 0; d <= last; d++) {
        if (shown[d == last] == all[d == last] || !lw_map_repeat(map, d, &repeat) ||
            repeat.count == 1)
            continue;
        lw_text_format(&repeats, "%s%llu %s", repeats.length ? "; " : ": ",
                       (unsigned long long)repeat.count, last == 0 ? "times " : "");
        if (d < last - 1)
            lw_text_format(&repeats, "along %s", map->out.dim[d].name);
        else
            lw_text_add(&repeats, d == last ? "across" : "down");
        if (repeat.reg)
            lw_text_format(&repeats, ", %s + %llu", reg, (unsigned long long)repeat.reg);
        if (repeat.block)
            lw_text_format(&repeats, ", block + %llu", (unsigned long long)repeat.block);
        if (repeat.reg || repeat.block)
            lw_text_add(&repeats, " each");
        else
            lw_text_format(&repeats, ", with other %ss", reg);
    }
    lw_text_add(text, repeats.length ? "period " : "");
    for (int d = is_all || last < 1 ? 0 : last - 1; d <= last; d++) {
        lw_text_add(text, before);
        lw_text_number(text, is_all ? map->out.dim[d].size : shown[d == last]);
        before = " x ";
    }
    lw_text_add(text, lw_text_string(&repeats));
    lw_text_free(&repeats);
}

/* ---- Which elements have different owners in two layouts ---- */

/* Matches the in-dims by name; dims of size 1 may be missing. */
static bool match_dims(struct lw_comparison *c, struct lw_error *err)
{
    const struct lw_dims *a = &c->a->in, *b = &c->b->in;
    const char *missing = NULL;
    for (int e = b->count - 1; e >= 0; e--) {
        c->dim_of_a[e] = lw_dims_find(a, b->dim[e].name);
        if (b->dim[e].size > 1 && c->dim_of_a[e] < 0)
            missing = b->dim[e].name;
    }
    for (int d = a->count - 1; d >= 0; d--)
        if (a->dim[d].size > 1 && lw_dims_find(b, a->dim[d].name) < 0)
            missing = a->dim[d].name;
    return !missing ||
           lw_error_set(err, LW_ERROR_SHAPE,
                        "only one of the layouts has a dim %s: they cannot be compared", missing);
}

/* Converts a hardware index of a to one of b; false when b lacks it. */
static bool index_in_b(const struct lw_comparison *c, const uint64_t *in, uint64_t *out)
{
    for (int e = 0; e < c->b->in.count; e++) {
        out[e] = c->dim_of_a[e] < 0 ? 0 : in[c->dim_of_a[e]];
        if (out[e] >= c->b->in.dim[e].size)
            return false;
    }
    return true; /* a dim that only a has is of size 1 */
}

bool lw_compare(struct lw_comparison *c, const struct lw_map *a, const struct lw_map *b,
                struct lw_error *err)
{
    memset(c, 0, sizeof *c);
    c->a = a;
    c->b = b;
    if (a->out.count != b->out.count)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "a tensor of %d dims and one of %d cannot be compared", a->out.count,
                            b->out.count);
    return match_dims(c, err);
}

bool lw_compare_element(const struct lw_comparison *c, const uint64_t *out)
{
    uint64_t in[LW_DIMS_MAX], there[LW_DIMS_MAX], held[LW_DIMS_MAX];
    uint64_t owners = lw_map_owner_count(c->a, out);
    if (owners != lw_map_owner_count(c->b, out))
        return true;
    for (uint64_t k = 0; k < owners; k++)
        if (!lw_map_owner(c->a, out, k, in) || !index_in_b(c, in, there) ||
            !lw_map_apply(c->b, there, held) ||
            memcmp(held, out, (size_t)c->a->out.count * sizeof *out) != 0)
            return true;
    return false;
}

bool lw_compare_count(const struct lw_comparison *c, uint64_t *differing, uint64_t *held)
{
    struct lw_dims dims = c->a->out; /* of both: of each dim the larger size */
    uint64_t all, out[LW_DIMS_MAX];
    for (int d = 0; d < dims.count; d++)
        if (c->b->out.dim[d].size > dims.dim[d].size)
            dims.dim[d].size = c->b->out.dim[d].size;
    const bool is_counted = lw_dims_total(&dims, &all, NULL);
    *differing = *held = 0;
    for (uint64_t i = 0, examined = 0; !is_counted || i < all; i++) {
        lw_dims_unflatten(&dims, i, out);
        const uint64_t owners = lw_map_owner_count(c->a, out);
        if (owners >= LW_COMPARED_MAX || (examined += 1 + owners) > LW_COMPARED_MAX)
            return false;
        *differing += lw_compare_element(c, out);
        *held += owners || lw_map_owner_count(c->b, out);
    }
    return true;
}

/* ---- Shared memory ---- */

int lw_minor_dim(const struct lw_map *map)
{
    const struct lw_layout *layout = map->kind == LW_MAP_LINEAR   ? &map->as.linear.layout
                                     : map->kind == LW_MAP_PADDED ? &map->as.padded.layout
                                                                  : NULL;
    if (layout && layout->in.count && layout->in.dim[0].size > 1) {
        uint64_t image[LW_DIMS_MAX];
        lw_layout_basis(layout, 0, 0, image);
        for (int d = 0; d < map->out.count; d++)
            if (image[d] == 1)
                return d;
    }
    return map->out.count - 1;
}

/* The low bits of an offset move along the minor dim. A higher bit that moves along another dim and also flips index
 * bits of the minor dim is a swizzle. */
uint64_t lw_swizzle_flips(const struct lw_map *map, uint64_t offset, uint64_t *all)
{
    int minor = lw_minor_dim(map), dim = lw_dims_find(&map->in, "offset"), walk = 0;
    uint64_t flips = 0;
    *all = 0;
    if (map->kind != LW_MAP_LINEAR || minor < 0 || dim < 0)
        return 0;
    const struct lw_layout *layout = &map->as.linear.layout;
    int first = lw_layout_in_shift(layout, dim), to = lw_layout_out_shift(layout, minor);
    int bits = lw_layout_in_log2(layout, dim), max = lw_layout_out_log2(layout, minor);
    uint64_t own = lw_f2_mask(max) << (to & 63);
    while (walk < bits && walk < max && layout->basis[first + walk] == (uint64_t)1 << (to + walk))
        walk++;
    for (int b = walk; b < bits; b++) {
        uint64_t basis = layout->basis[first + b];
        uint64_t flipped = basis & ~own ? basis >> (to & 63) & lw_f2_mask(walk) : 0;
        *all |= flipped;
        if (offset >> b & 1)
            flips ^= flipped;
    }
    return flips;
}

/* The flipped bits divided by the lowest bit that any offset flips; it agrees with (row / perPhase) % maxPhase of
 * swizzled shared memory. */
uint64_t lw_swizzle_phase(const struct lw_map *map, uint64_t offset)
{
    uint64_t all, flips = lw_swizzle_flips(map, offset, &all);
    return all ? flips / (all & (~all + 1)) : 0;
}

bool lw_memory_plain(const struct lw_map *map, struct lw_map *plain)
{
    uint64_t all;
    lw_swizzle_flips(map, 0, &all);
    if (!all)
        return false;
    struct lw_layout layout = map->as.linear.layout;
    const int dim = lw_dims_find(&map->in, "offset"), first = lw_layout_in_shift(&layout, dim);
    const int to = lw_layout_out_shift(&layout, lw_minor_dim(map));
    for (int b = 0; b < lw_layout_in_log2(&layout, dim); b++)
        layout.basis[first + b] ^= lw_swizzle_flips(map, (uint64_t)1 << b, &all) << to;
    lw_map_from_layout(plain, &layout);
    return true;
}

/* Whether each line has its vectors xored with one number: no bit within a line flips another one, and none flips bits
 * of the line's number. */
static bool swizzles_lines(const struct lw_map *map, uint64_t line)
{
    uint64_t all;
    bool one = true;
    for (uint64_t bit = 1; bit < line; bit *= 2)
        one = one && !lw_swizzle_flips(map, bit, &all);
    lw_swizzle_flips(map, 0, &all);
    return one && all < line;
}

bool lw_memory_lines_of(const struct lw_map *map, unsigned element_bits,
                        const struct lw_bank_model *banks, struct lw_memory_lines *lines)
{
    uint64_t bits = 8 * (uint64_t)lw_bank_model_row_bytes(banks), all;
    int dim = lw_dims_find(&map->in, "offset");
    if (dim < 0 || lw_log2(element_bits) < 0 || element_bits > bits)
        return false;
    uint64_t line = bits / element_bits, size = map->in.dim[dim].size;
    uint64_t vector = element_bits < 128 ? 128 / element_bits : 1;
    *lines = (struct lw_memory_lines){.line = line,
                                      .count = size / line + (size % line != 0),
                                      .vector = vector < line ? vector : line,
                                      .period = 1};
    lw_swizzle_flips(map, 0, &all);
    if (!all || !swizzles_lines(map, line))
        return true;
    lines->vector = all & (~all + 1);
    for (uint64_t bit = 1; bit < lines->count; bit *= 2)
        if (lw_swizzle_flips(map, bit * line, &all))
            lines->period = 2 * bit;
    return true;
}

bool lw_memory_xor(const struct lw_map *map, const struct lw_memory_lines *lines, uint64_t line,
                   uint64_t *vectors)
{
    uint64_t all;
    if (line >= lines->count || !swizzles_lines(map, lines->line))
        return false;
    *vectors = lw_swizzle_flips(map, line * lines->line, &all) / lines->vector;
    return true;
}
