/* The CuTe algebra on layouts as lists of modes: coalesce, composition, complement, inverses.
 * Source: include/cute/layout.hpp of CUTLASS 4. Composition is refused where the result would not
 * be A(B(i)): the headers check only that strides divide, and so accept some wrong results. */

#include "encoding/cute/cute_parts.h"

#include <string.h>

/* ---- Lists of modes ---- */

static void collect(const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                    struct lw_cute_pairs *out)
{
    if (shape->count < 0)
        out->at[out->count++] = (struct lw_cute_pair){shape->value, stride->value};
    for (int i = 0; i < shape->count; i++)
        collect(&shape->items[i], &stride->items[i], out);
}

/* Makes an empty list with room for `count` pairs. */
bool lw_cute_new_pairs(struct lw_cute_work *work, int count, struct lw_cute_pairs *out)
{
    out->count = 0;
    out->at = lw_arena_alloc(work->arena, (size_t)(count + 1) * sizeof *out->at);
    return out->at || lw_cute_memory(work);
}

bool lw_cute_pairs_of(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                      struct lw_cute_pairs *out)
{
    if (!lw_cute_check_axes(work, &layout->stride) ||
        !lw_cute_new_pairs(work, lw_cute_leaves(&layout->shape), out))
        return false;
    collect(&layout->shape, &layout->stride, out);
    return true;
}

/* Makes a flat layout; one pair has no parentheses, and no pairs are 1:0. */
static bool of_pairs(struct lw_cute_work *work, const struct lw_cute_pairs *pairs, bool fixed,
                     struct lw_cute_layout *out)
{
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, pairs->count);
    if (!modes)
        return false;
    modes[0] = lw_cute_leaf(1, 0, fixed);
    for (int i = 0; i < pairs->count; i++)
        modes[i] = lw_cute_leaf(pairs->at[i].size, pairs->at[i].stride, fixed);
    if (pairs->count > 1)
        return lw_cute_join(work, modes, pairs->count, out);
    return lw_cute_make(work, &modes[0].shape, &modes[0].stride, out);
}

/* From the right: a pair is merged with the one after it when that continues it. */
void lw_cute_merge(struct lw_cute_pairs *pairs, bool open)
{
    int count = pairs->count, to = count - 1;
    struct lw_cute_pair *at = pairs->at;
    for (int i = count - 2; i >= 0; i--) {
        if (at[i].size == 1)
            continue;
        if (at[to].size == 1 && !open) {
            at[to] = at[i];
        } else if (at[i].size * at[i].stride == at[to].stride) {
            at[to].size *= at[i].size;
            at[to].stride = at[i].stride;
        } else {
            at[--to] = at[i];
        }
    }
    pairs->count = count - to;
    memmove(at, at + to, (size_t)pairs->count * sizeof *at);
    if (pairs->count == 1 && at[0].size == 1 && !open)
        at[0].stride = 0;
}

/* Sorts by stride as the headers of CuTe do; `order` gets the old index of each pair. */
void lw_cute_sort_pairs(struct lw_cute_pairs *pairs, int *order)
{
    for (int i = 0; i < pairs->count; i++)
        order[i] = i;
    for (int i = 0; i < pairs->count; i++)
        for (int j = i + 1; j < pairs->count; j++)
            if (pairs->at[j].stride < pairs->at[i].stride) {
                struct lw_cute_pair pair = pairs->at[j];
                int number = order[j];
                pairs->at[j] = pairs->at[i];
                order[j] = order[i];
                pairs->at[i] = pair;
                order[i] = number;
            }
}

/* ---- Coalesce and filter ---- */

typedef bool leaf_operation(struct lw_cute_work *work, const struct lw_cute_layout *a,
                            struct lw_cute_layout *out);

/* Applies an operation at each leaf of a profile; modes beyond the profile stay as they are. */
static bool by_profile(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       const struct lw_cute_tuple *profile, leaf_operation *operation,
                       struct lw_cute_layout *out)
{
    int rank = lw_cute_rank(&a->shape);
    if (!profile || profile->count < 0)
        return operation(work, a, out);
    if (profile->count > rank)
        return lw_error_at(work->err, LW_ERROR_SHAPE, profile->position,
                           "the profile has %d modes, the layout %d", profile->count, rank);
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, rank);
    if (!modes)
        return false;
    for (int i = 0; i < rank; i++) {
        struct lw_cute_layout mode = lw_cute_mode(a, i);
        modes[i] = mode;
        if (i < profile->count &&
            !by_profile(work, &mode, &profile->items[i], operation, &modes[i]))
            return false;
    }
    return lw_cute_join(work, modes, rank, out);
}

/* The coalesced layout of a list. */
bool lw_cute_finish(struct lw_cute_work *work, struct lw_cute_pairs *pairs, bool fixed,
                    struct lw_cute_layout *out)
{
    lw_cute_merge(pairs, false);
    return of_pairs(work, pairs, fixed, out);
}

static bool coalesce(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     struct lw_cute_layout *out)
{
    struct lw_cute_pairs pairs;
    if (work->rules != LW_CUTE_VALUES)
        return lw_cute_written_coalesce(work, a, out);
    return lw_cute_pairs_of(work, a, &pairs) &&
           lw_cute_finish(work, &pairs, lw_cute_fixed_layout(a), out);
}

static void filter_pairs(struct lw_cute_pairs *pairs)
{
    for (int i = 0; i < pairs->count; i++)
        if (pairs->at[i].stride == 0)
            pairs->at[i].size = 1;
    lw_cute_merge(pairs, false);
}

static bool filter(struct lw_cute_work *work, const struct lw_cute_layout *a,
                   struct lw_cute_layout *out)
{
    struct lw_cute_pairs pairs;
    if (work->rules != LW_CUTE_VALUES)
        return lw_cute_written_filter(work, a, out);
    if (!lw_cute_pairs_of(work, a, &pairs))
        return false;
    filter_pairs(&pairs);
    return of_pairs(work, &pairs, lw_cute_fixed_layout(a), out);
}

bool lw_cute_coalesce(struct lw_cute_work *work, const struct lw_cute_layout *a,
                      const struct lw_cute_tuple *profile, struct lw_cute_layout *out)
{
    return by_profile(work, a, profile, coalesce, out);
}

bool lw_cute_filter(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct lw_cute_tuple *profile, struct lw_cute_layout *out)
{
    return by_profile(work, a, profile, filter, out);
}

/* ---- Composition ---- */

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a - 1) / b + 1;
}

/* The modes of A, and of each the largest digit that the modes of B so far reach together: beyond its size they would
 * carry into the next digit, and the result would not be A(B(i)). */
struct radix {
    struct lw_cute_pairs modes;
    int64_t *used;
};

/* A mode of B that is composed with one mode of A after the other. */
struct through {
    int64_t size, stride; /* the part that is not composed yet */
    const struct lw_cute_tuple *shape, *whole;
};

static bool not_admissible(struct lw_cute_work *work, const struct through *b,
                           const struct lw_cute_pair *a, int number, const char *why)
{
    const struct lw_cute_tuple step = lw_cute_integer(a->stride, false);
    struct lw_text stride = {.limit = 40};
    work->coords ? lw_cute_coords_print(&stride, work->coords, &step)
                 : lw_cute_tuple_print(&stride, &step);
    lw_error_at(work->err, LW_ERROR_SHAPE, b->shape->position,
                "composition: the mode %lld:%lld of B does not fit mode %d of A, %lld:%s: %s",
                (long long)b->shape->value, (long long)b->whole->value, number, (long long)a->size,
                lw_text_string(&stride), why);
    lw_text_free(&stride);
    return false;
}

/* Composes the part of b that is in mode `number` of A, *taken values (0: none), and leaves the rest in b. */
static bool pass(struct lw_cute_work *work, struct through *b, const struct radix *radix,
                 int number, int64_t *taken)
{
    const struct lw_cute_pair *a = &radix->modes.at[number];
    int64_t reach = b->stride < a->size ? ceil_div(a->size, b->stride) : 1;
    char why[160];
    *taken = 0;
    if (b->size > 1 && b->stride >= a->size && b->stride % a->size) {
        snprintf(why, sizeof why, "its step %lld is not a multiple of %lld", (long long)b->stride,
                 (long long)a->size);
        return not_admissible(work, b, a, number, why);
    }
    if (b->size > 1 && b->stride < a->size && b->size > reach &&
        (a->size % b->stride || b->size % reach)) {
        if (a->size % b->stride)
            snprintf(why, sizeof why, "its step %lld does not divide %lld", (long long)b->stride,
                     (long long)a->size);
        else
            snprintf(why, sizeof why, "%lld of its steps fit, and %lld is not a multiple of %lld",
                     (long long)reach, (long long)b->size, (long long)reach);
        return not_admissible(work, b, a, number, why);
    }
    if (b->size > 1 && reach > 1) {
        *taken = reach < b->size ? reach : b->size;
        b->size /= *taken;
        radix->used[number] += (*taken - 1) * b->stride;
    }
    if (radix->used[number] >= a->size)
        return not_admissible(
            work, b, a, number,
            "with the modes of B before it, the sum of their steps goes beyond it");
    lw_cute_step(work,
                 "    mode %d of A, %lld:%lld: takes %lld of step %lld, leaves %lld of step "
                 "%lld",
                 number, (long long)a->size, (long long)a->stride, (long long)(*taken ? *taken : 1),
                 (long long)b->stride, (long long)b->size, (long long)ceil_div(b->stride, a->size));
    return true;
}

/* Composes a mode s:d of B with the modes of A. */
static bool compose_leaf(struct lw_cute_work *work, const struct radix *radix,
                         const struct lw_cute_layout *leaf, bool fixed, struct lw_cute_layout *out)
{
    const struct lw_cute_pairs *a = &radix->modes;
    struct through b = {leaf->shape.value, leaf->stride.value, &leaf->shape, &leaf->stride};
    struct lw_cute_pairs made;
    lw_cute_step(work, "  mode %lld:%lld of B", (long long)b.size, (long long)b.stride);
    if (!lw_cute_new_pairs(work, a->count, &made))
        return false;
    for (int i = 0; b.stride && i + 1 < a->count; i++) {
        int64_t taken, step = b.stride;
        if (!pass(work, &b, radix, i, &taken))
            return false;
        if (taken && __builtin_mul_overflow(step, a->at[i].stride, &step))
            return lw_cute_too_large(work, "a stride");
        if (taken)
            made.at[made.count++] = (struct lw_cute_pair){taken, step};
        b.stride = ceil_div(b.stride, a->at[i].size);
    }
    if (b.size > 1 || made.count == 0) {
        int64_t step;
        if (__builtin_mul_overflow(b.stride, a->at[a->count - 1].stride, &step))
            return lw_cute_too_large(work, "a stride");
        if (b.stride)
            lw_cute_step(work, "    mode %d of A, %lld:%lld, the last: takes %lld of step %lld",
                         a->count - 1, (long long)a->at[a->count - 1].size,
                         (long long)a->at[a->count - 1].stride, (long long)b.size,
                         (long long)b.stride);
        made.at[made.count++] = (struct lw_cute_pair){b.size, step};
    }
    if (!of_pairs(work, &made, fixed, out))
        return false;
    lw_cute_step_layout(work, "    gives", out);
    return true;
}

static bool compose_tree(struct lw_cute_work *work, const struct radix *a,
                         const struct lw_cute_layout *b, bool fixed, struct lw_cute_layout *out)
{
    int rank = b->shape.count;
    if (rank < 0)
        return compose_leaf(work, a, b, fixed, out);
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, rank);
    if (!modes)
        return false;
    for (int i = 0; i < rank; i++) {
        struct lw_cute_layout mode = lw_cute_mode(b, i);
        if (!compose_tree(work, a, &mode, fixed, &modes[i]))
            return false;
    }
    return lw_cute_join(work, modes, rank, out);
}

/* The composition where all integers are known. */
static bool compose(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct lw_cute_layout *b, struct lw_cute_layout *out)
{
    struct radix radix;
    bool fixed = lw_cute_fixed_layout(a) && lw_cute_fixed_layout(b);
    if (!lw_cute_pairs_of(work, a, &radix.modes))
        return false;
    lw_cute_merge(&radix.modes, true);
    radix.used = lw_arena_alloc(work->arena, (size_t)radix.modes.count * sizeof *radix.used);
    if (!radix.used)
        return lw_cute_memory(work);
    if (work->steps) {
        struct lw_cute_layout flat;
        lw_text_add(work->steps, "composition(");
        lw_cute_layout_print(work->steps, a);
        lw_text_add(work->steps, ", ");
        lw_cute_layout_print(work->steps, b);
        lw_text_add(work->steps, ")\n");
        if (!of_pairs(work, &radix.modes, fixed, &flat))
            return false;
        lw_cute_step_layout(work, "  A coalesced", &flat);
    }
    if (!compose_tree(work, &radix, b, fixed, out))
        return false;
    lw_cute_step_layout(work, "  composition", out);
    return true;
}

/* Whether two layouts are the same function: when all integers are known, a function has one coalesced form. */
static bool is_same_function(struct lw_cute_work *work, const struct lw_cute_layout *a,
                             const struct lw_cute_layout *b)
{
    struct lw_cute_pairs x, y;
    if (!lw_cute_pairs_of(work, a, &x) || !lw_cute_pairs_of(work, b, &y))
        return false;
    lw_cute_merge(&x, false);
    lw_cute_merge(&y, false);
    bool same = x.count == y.count;
    for (int i = 0; i < x.count && same; i++)
        same = x.at[i].size == y.at[i].size && x.at[i].stride == y.at[i].stride;
    return same;
}

/* Replaces *out, which is right, by the result of C++, when that compiles. Fails when that result is another
 * function. */
static bool as_written(struct lw_cute_work *work, const char *name, bool compiles,
                       const struct lw_cute_layout *made, struct lw_cute_layout *out)
{
    struct lw_text known = {.limit = 160};
    if (!compiles)
        return true;
    if (is_same_function(work, made, out)) {
        *out = *made;
        return true;
    }
    lw_cute_layout_print(&known, out);
    lw_error_set(work->err, LW_ERROR_SHAPE,
                 "%s: integers that are not static are unknown to the C++ compiler, and then the "
                 "result is wrong; with static integers it is %s",
                 name, lw_text_string(&known));
    lw_text_free(&known);
    return false;
}

bool lw_cute_compose(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     const struct lw_cute_layout *b, struct lw_cute_layout *out)
{
    struct lw_cute_work quiet = {.arena = work->arena};
    struct lw_cute_layout made;
    if (work->rules == LW_CUTE_UNCHECKED)
        return lw_cute_written_compose(work, a, b, out);
    if (!compose(work, a, b, out))
        return false;
    if (work->rules == LW_CUTE_VALUES)
        return true;
    bool compiles = lw_cute_written_compose(&quiet, a, b, &made);
    return as_written(work, "composition", compiles, &made, out);
}

/* ---- Complement ---- */

/* Sets *rest to the codomain divided by the offsets covered, factor by factor. */
static bool rest_of(struct lw_cute_work *work, const struct lw_cute_pairs *max, int64_t covered,
                    int64_t *rest)
{
    *rest = 1;
    for (int i = 0; i < max->count; i++) {
        int64_t size = max->at[i].size;
        if (__builtin_mul_overflow(*rest, ceil_div(size, covered), rest))
            return lw_cute_too_large(work, "the complement");
        covered = ceil_div(covered, size);
    }
    return true;
}

static bool complement(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       const struct lw_cute_pairs *max, struct lw_cute_layout *out)
{
    struct lw_cute_pairs pairs, made;
    int order[LW_CUTE_LEAVES_MAX];
    int64_t covered = 1, rest;
    if (!lw_cute_pairs_of(work, a, &pairs))
        return false;
    filter_pairs(&pairs);
    lw_cute_sort_pairs(&pairs, order);
    if (!lw_cute_new_pairs(work, pairs.count, &made))
        return false;
    for (int i = 0; i < pairs.count && pairs.at[i].stride; i++) {
        const struct lw_cute_pair *pair = &pairs.at[i];
        if (pair->stride < covered)
            return lw_error_at(work->err, LW_ERROR_SHAPE, a->shape.position,
                               "complement: the mode %lld:%lld overlaps with the offsets below "
                               "%lld, which smaller strides reach",
                               (long long)pair->size, (long long)pair->stride, (long long)covered);
        lw_cute_step(work,
                     "  mode %lld:%lld: below it %lld of step %lld are free; it covers up to "
                     "%lld",
                     (long long)pair->size, (long long)pair->stride,
                     (long long)(pair->stride / covered), (long long)covered,
                     (long long)(pair->size * pair->stride));
        made.at[made.count++] = (struct lw_cute_pair){pair->stride / covered, covered};
        covered = pair->size * pair->stride;
    }
    if (!rest_of(work, max, covered, &rest))
        return false;
    lw_cute_step(work, "  above: %lld of step %lld", (long long)rest, (long long)covered);
    made.at[made.count++] = (struct lw_cute_pair){rest, covered};
    if (!lw_cute_finish(work, &made, lw_cute_fixed_layout(a), out))
        return false;
    lw_cute_step_layout(work, "  complement", out);
    return true;
}

/* Whether the sums of an offset of A and one of the other layout are all different: each stride is larger than every
 * sum of the strides below it. */
static bool is_complement(struct lw_cute_work *work, const struct lw_cute_layout *a,
                          const struct lw_cute_layout *other)
{
    struct lw_cute_layout both[2] = {*a, *other}, joined;
    struct lw_cute_pairs pairs;
    int order[LW_CUTE_LEAVES_MAX];
    if (!lw_cute_join(work, both, 2, &joined) || !lw_cute_pairs_of(work, &joined, &pairs) ||
        pairs.count > LW_CUTE_LEAVES_MAX)
        return false;
    lw_cute_sort_pairs(&pairs, order);
    int64_t reached = 1;
    for (int i = 0; i < pairs.count; i++) {
        const struct lw_cute_pair *pair = &pairs.at[i];
        if (pair->size == 1 || pair->stride == 0)
            continue;
        if (pair->stride < reached)
            return false;
        reached = pair->size * pair->stride;
    }
    return true;
}

bool lw_cute_complement_of(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           const struct lw_cute_tuple *shape, struct lw_cute_layout *out)
{
    struct lw_cute_work quiet = {.arena = work->arena};
    const struct lw_cute_layout target = {*shape, *shape};
    struct lw_cute_pairs max;
    struct lw_cute_layout made;
    if (work->rules == LW_CUTE_UNCHECKED)
        return lw_cute_written_complement(work, a, shape, out);
    if (!lw_cute_pairs_of(work, &target, &max) || !complement(work, a, &max, out))
        return false;
    if (work->rules == LW_CUTE_VALUES)
        return true;
    bool compiles = lw_cute_written_complement(&quiet, a, shape, &made);
    if (compiles && is_complement(work, a, &made)) {
        *out = made;
        return true;
    }
    return as_written(work, "complement", compiles, &made, out);
}

bool lw_cute_complement(struct lw_cute_work *work, const struct lw_cute_layout *a,
                        const struct lw_cute_tuple *max, struct lw_cute_layout *out)
{
    struct lw_cute_layout kept;
    struct lw_cute_tuple all;
    if (!max && (!lw_cute_filter(work, a, NULL, &kept) || !lw_cute_cosize_of(work, &kept, &all)))
        return false;
    max = max ? max : &all;
    if (max->value < 1 || max->value > LW_CUTE_MAX)
        return lw_error_set(work->err, LW_ERROR_PARAMETER,
                            "complement: a codomain of %lld: from 1 to 2^62",
                            (long long)max->value);
    if (work->steps) {
        lw_text_add(work->steps, "complement(");
        lw_cute_layout_print(work->steps, a);
        lw_text_format(work->steps, ", %lld)\n", (long long)max->value);
    }
    return lw_cute_complement_of(work, a, max, out);
}
