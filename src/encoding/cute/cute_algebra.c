/*
 * The CuTe algebra on layouts as lists of modes: coalesce, composition, complement, inverses. Source:
 * include/cute/layout.hpp of CUTLASS 4, its static_asserts among it.
 *
 * There is one algebra, over integers that are known or not. With LW_CUTE_UNCHECKED the known ones are those that are
 * static, as for the compiler of C++: modes are merged and dropped only where these allow it, only these are checked,
 * and so a result can be wrong. With LW_CUTE_VALUES all integers are known, and a result that would be wrong is an
 * error; the headers check less. With LW_CUTE_WRITTEN it is the layout of C++, if that is the function of the values.
 *
 * Strides may be along axes, 2@1: the number of steps, with `axis` set (cute.h). To C++ a stride of 0@1 is not a 0.
 */

#include "encoding/cute/cute_parts.h"
#include "core/unused.h"

#include <stdlib.h>
#include <string.h>

static const struct lw_cute_tuple one = {.count = -1, .value = 1, .fixed = true};
static const struct lw_cute_tuple zero = {.count = -1, .value = 0, .fixed = true};

/* Whether results are checked; then every integer is known. */
static bool has_checks(const struct lw_cute_work *work)
{
    return work->rules != LW_CUTE_UNCHECKED;
}

static bool is_known(const struct lw_cute_work *work, const struct lw_cute_tuple *a)
{
    return a->fixed || has_checks(work);
}

static bool is_constant(const struct lw_cute_work *work, const struct lw_cute_tuple *a,
                        int64_t value)
{
    return is_known(work, a) && a->value == value && (!a->axis || (has_checks(work) && !value));
}

static bool refuse(struct lw_cute_work *work, const struct lw_cute_tuple *at, const char *what)
{
    return lw_error_at(work->err, LW_ERROR_SHAPE, at->position, "CuTe does not compile this: %s",
                       what);
}

/* ---- Lists of modes ---- */

/* Flat modes in the arena. */
struct modes {
    struct lw_cute_layout *at;
    int count;
};

static void put_leaves(const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                       struct modes *out)
{
    for (int i = 0; i < shape->count; i++)
        put_leaves(&shape->items[i], &stride->items[i], out);
    if (shape->count < 0)
        out->at[out->count++] = (struct lw_cute_layout){*shape, *stride};
}

/* An empty list with room for `count` modes. */
static bool new_modes(struct lw_cute_work *work, int count, struct modes *out)
{
    out->at = lw_cute_new_layouts(work, count);
    out->count = 0;
    return out->at;
}

static bool leaves_of(struct lw_cute_work *work, const struct lw_cute_layout *a, struct modes *out)
{
    int leaves = lw_cute_leaves(&a->shape);
    if (leaves > LW_CUTE_LEAVES_MAX)
        return lw_error_at(work->err, LW_ERROR_LIMIT, a->shape.position,
                           "a layout has at most %d integers", LW_CUTE_LEAVES_MAX);
    if (!new_modes(work, leaves, out))
        return false;
    put_leaves(&a->shape, &a->stride, out);
    for (int i = 0; i < out->count && has_checks(work); i++)
        if (out->at[i].stride.value == 0)
            out->at[i].stride.axis = 0;
    return true;
}

/* The layout of a list: of one mode without parentheses. */
static bool to_layout(struct lw_cute_work *work, const struct modes *modes,
                      struct lw_cute_layout *out)
{
    if (modes->count > 1)
        return lw_cute_join(work, modes->at, modes->count, out);
    *out = modes->at[0];
    return lw_cute_make(work, &out->shape, &out->stride, out);
}

/* Whether it is known that a mode begins where the one before it ends. */
static bool continues(const struct lw_cute_work *work, const struct lw_cute_layout *mode,
                      const struct lw_cute_layout *next)
{
    struct lw_cute_tuple end;
    struct lw_cute_work quiet = {.arena = work->arena};
    return is_known(work, &next->shape) && is_known(work, &next->stride) &&
           lw_cute_times(&quiet, &mode->shape, &mode->stride, &end) && is_known(work, &end) &&
           end.value == next->stride.value && end.axis == next->stride.axis;
}

/* From the right: a mode is merged with the one after it when that continues it. `open`: the layout is the left side
 * of a composition, whose last mode continues past its end, and so stays also where its size is 1. (bw_coalesce) */
static bool merge(struct lw_cute_work *work, struct modes *modes, bool open)
{
    struct lw_cute_layout *at = modes->at;
    int last = modes->count - 1, to = last;
    for (int i = last - 1; i >= 0; i--) {
        if (is_constant(work, &at[i].shape, 1))
            continue;
        if (to == last && !open && is_constant(work, &at[to].shape, 1)) {
            at[to] = at[i];
        } else if (continues(work, &at[i], &at[to])) {
            if (!lw_cute_times(work, &at[i].shape, &at[to].shape, &at[to].shape))
                return false;
            at[to].stride = at[i].stride;
        } else {
            at[--to] = at[i];
        }
    }
    modes->count -= to;
    memmove(at, at + to, (size_t)modes->count * sizeof *at);
    if (modes->count == 1 && !open && is_constant(work, &at[0].shape, 1))
        at[0] = (struct lw_cute_layout){one, zero};
    return true;
}

static bool merged(struct lw_cute_work *work, struct modes *modes, struct lw_cute_layout *out)
{
    return merge(work, modes, false) && to_layout(work, modes, out);
}

/* ---- By rules ---- */

/* An operation on one or two layouts, computed as the headers do, with checks or without. */
typedef lw_cute_of_layouts operation;

/* The result where all integers are known, static or not throughout. */
static bool of_values(struct lw_cute_work *work, operation *compute, const struct lw_cute_layout *a,
                      const struct lw_cute_layout *b, bool fixed, struct lw_cute_layout *out)
{
    struct lw_cute_work own = *work;
    struct lw_cute_layout made;
    own.rules = LW_CUTE_VALUES;
    return compute(&own, a, b, &made) && lw_cute_set_fixed(work, &made, fixed, out);
}

static bool of_headers(struct lw_cute_work *work, operation *compute,
                       const struct lw_cute_layout *a, const struct lw_cute_layout *b,
                       struct lw_cute_layout *out)
{
    struct lw_cute_work own = *work;
    own.rules = LW_CUTE_UNCHECKED;
    own.steps = NULL;
    return compute(&own, a, b, out);
}

static bool coalesce(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     LW_UNUSED const struct lw_cute_layout *none, struct lw_cute_layout *out)
{
    struct modes modes;
    return leaves_of(work, a, &modes) && merged(work, &modes, out);
}

/* Whether two layouts are the same function: when all integers are known, a function has one coalesced form. */
static bool is_same_function(struct lw_cute_work *work, const struct lw_cute_layout *a,
                             const struct lw_cute_layout *b)
{
    struct lw_cute_layout x, y;
    return of_values(work, coalesce, a, NULL, false, &x) &&
           of_values(work, coalesce, b, NULL, false, &y) &&
           lw_cute_tuple_equal(&x.shape, &y.shape) && lw_cute_tuple_equal(&x.stride, &y.stride);
}

/* Replaces *out, which is right, by the result of C++ of A, which is right too if `accept` is set, or if it is the
 * same function; else it fails. */
static bool as_written(struct lw_cute_work *work, const char *name, const struct lw_cute_layout *a,
                       const struct lw_cute_layout *made, bool accept, struct lw_cute_layout *out)
{
    struct lw_text known = {.limit = 160};
    struct lw_cute_layout values;
    if (accept || is_same_function(work, made, out)) {
        *out = *made;
        return true;
    }
    if (!lw_cute_set_fixed(work, out, false, &values))
        return false;
    lw_cute_layout_print(&known, &values);
    lw_error_set(
        work->err, LW_ERROR_SHAPE,
        lw_cute_has_zero_along(&a->stride)
            ? "%s: to C++ a stride such as 0@1 is not 0; if it were, the result would be %s"
            : "%s: integers that are not static are unknown to the C++ compiler, and then the "
              "result is wrong; with static integers it is %s",
        name, lw_text_string(&known));
    lw_text_free(&known);
    return false;
}

/* The line "name = layout" of the derivation, its integers static or not throughout. */
static bool show(struct lw_cute_work *work, const char *name, const struct lw_cute_layout *layout,
                 bool fixed)
{
    struct lw_cute_layout shown;
    if (!work->steps)
        return true;
    if (!lw_cute_set_fixed(work, layout, fixed, &shown))
        return false;
    lw_cute_step_layout(work, name, &shown);
    return true;
}

/* ---- Coalesce and filter ---- */

static bool filter_modes(struct lw_cute_work *work, const struct lw_cute_layout *a,
                         struct modes *out)
{
    if (!leaves_of(work, a, out))
        return false;
    for (int i = 0; i < out->count; i++)
        if (is_constant(work, &out->at[i].stride, 0))
            out->at[i].shape = one;
    return merge(work, out, false);
}

static bool filter(struct lw_cute_work *work, const struct lw_cute_layout *a,
                   LW_UNUSED const struct lw_cute_layout *none, struct lw_cute_layout *out)
{
    struct modes modes;
    return filter_modes(work, a, &modes) && to_layout(work, &modes, out);
}

/* What is done at each leaf of a profile. */
struct leaves {
    const char *name;
    operation *compute;
    const struct lw_cute_tuple *profile;
};

static bool at_leaf(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct leaves *at, struct lw_cute_layout *out)
{
    struct lw_cute_layout made;
    if (work->rules == LW_CUTE_UNCHECKED)
        return of_headers(work, at->compute, a, NULL, out);
    return of_values(work, at->compute, a, NULL, lw_cute_is_fixed(a), out) &&
           (work->rules == LW_CUTE_VALUES ||
            (of_headers(work, at->compute, a, NULL, &made) &&
             as_written(work, at->name, a, &made, !lw_cute_has_axes(&a->stride), out)));
}

static lw_cute_mode_function at_mode;

/* Modes beyond the profile stay as they are. */
static bool at_leaves(struct lw_cute_work *work, const struct lw_cute_layout *a,
                      const struct leaves *at, struct lw_cute_layout *out)
{
    int rank = lw_cute_rank(&a->shape);
    if (!at->profile || at->profile->count < 0)
        return at_leaf(work, a, at, out);
    if (at->profile->count > rank)
        return lw_error_at(work->err, LW_ERROR_SHAPE, at->profile->position,
                           "the profile has %d modes, the layout %d", at->profile->count, rank);
    struct leaves own = *at;
    return lw_cute_each_mode(work, a, rank, at_mode, &own, out);
}

static bool at_mode(struct lw_cute_work *work, const struct lw_cute_layout *mode, int i,
                    void *context, struct lw_cute_layout *out)
{
    struct leaves own = *(struct leaves *)context;
    if (i >= own.profile->count)
        return true;
    own.profile = &own.profile->items[i];
    return at_leaves(work, mode, &own, out);
}

bool lw_cute_coalesce(struct lw_cute_work *work, const struct lw_cute_layout *a,
                      const struct lw_cute_tuple *profile, struct lw_cute_layout *out)
{
    return at_leaves(work, a, &(struct leaves){"coalesce", coalesce, profile}, out);
}

bool lw_cute_filter(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct lw_cute_tuple *profile, struct lw_cute_layout *out)
{
    return at_leaves(work, a, &(struct leaves){"filter", filter, profile}, out);
}

/* ---- Composition ---- */

/* The modes of A, and of each the largest digit that the modes of B so far reach together: beyond its size they would
 * carry into the next digit, and the result would not be A(B(i)). */
struct radix {
    struct modes modes;
    int64_t *used;
    int64_t direction; /* a stride of B so far; 0: none */
    bool fixed;
};

/* A mode of B that is composed with one mode of A after the other. */
struct through {
    struct lw_cute_tuple size, stride; /* the part that is not composed yet */
    const struct lw_cute_layout *whole;
    struct modes made;
};

static bool not_admissible(struct lw_cute_work *work, const struct through *b,
                           const struct radix *radix, int number)
{
    const struct lw_cute_layout *a = &radix->modes.at[number], *whole = b->whole;
    struct lw_cute_tuple step = a->stride;
    struct lw_text stride = {.limit = 40};
    step.fixed = false;
    lw_cute_tuple_print(&stride, &step);
    lw_error_at(work->err, LW_ERROR_SHAPE, whole->shape.position,
                "composition: the mode %lld:%lld of B does not fit mode %d of A, %lld:%s: with the "
                "modes of B before it, it does not take whole parts of that mode in one direction",
                (long long)whole->shape.value, (long long)whole->stride.value, number,
                (long long)a->shape.value, lw_text_string(&stride));
    lw_text_free(&stride);
    return false;
}

/* Whether a mode of B can continue in mode `number` of A, `reach` of its steps at a time. */
static bool can_pass(const struct through *b, const struct radix *radix, int number, int64_t reach)
{
    int64_t size = radix->modes.at[number].shape.value, step = llabs(b->stride.value);
    bool against = (b->stride.value < 0 && radix->direction > 0) ||
                   (b->stride.value > 0 && radix->direction < 0);
    if (b->size.value == 1)
        return true;
    if (against || step >= size)
        return !against && step % size == 0;
    return b->size.value <= reach || (size % step == 0 && b->size.value % reach == 0);
}

/* The step in the next mode of A: ceil(|d| / size), with the sign of d. */
static bool next_stride(struct lw_cute_work *work, const struct lw_cute_tuple *stride,
                        const struct lw_cute_tuple *size, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple steps = lw_cute_integer(llabs(stride->value), stride->fixed);
    struct lw_cute_tuple sign =
        lw_cute_integer((stride->value > 0) - (stride->value < 0), stride->fixed);
    return lw_cute_divided_up(work, &steps, size, &steps) &&
           lw_cute_times(work, &steps, &sign, out);
}

/* Composes the part of b that is in mode `number` of A, and leaves the rest in b. */
static bool pass(struct lw_cute_work *work, struct through *b, struct radix *radix, int number)
{
    const struct lw_cute_layout *a = &radix->modes.at[number];
    const struct lw_cute_tuple stride = b->stride,
                               each = lw_cute_integer(llabs(stride.value), stride.fixed);
    struct lw_cute_tuple reach, step, taken = one;
    if (!has_checks(work) && a->shape.fixed && stride.fixed && stride.value % a->shape.value &&
        stride.value >= a->shape.value)
        return refuse(work, &stride, "the Stride Divisibility Condition of a composition");
    if (!lw_cute_divided_up(work, &a->shape, &each, &reach))
        return false;
    if (has_checks(work) && !can_pass(b, radix, number, reach.value))
        return not_admissible(work, b, radix, number);
    if (!next_stride(work, &stride, &a->shape, &b->stride))
        return false;
    if (!is_constant(work, &reach, 1) && !is_constant(work, &b->size, 1)) {
        taken = lw_cute_integer(reach.value < b->size.value ? reach.value : b->size.value,
                                reach.fixed && b->size.fixed);
        if (taken.fixed && b->size.fixed && b->size.value % taken.value)
            return refuse(work, &b->size, "the Shape Divisibility Condition of a composition");
        if (!lw_cute_times(work, &stride, &a->stride, &step) ||
            !lw_cute_divided(work, &b->size, &taken, &b->size))
            return false;
        b->made.at[b->made.count++] = (struct lw_cute_layout){taken, step};
        radix->used[number] += (taken.value - 1) * llabs(stride.value);
    }
    if (has_checks(work) && radix->used[number] >= a->shape.value)
        return not_admissible(work, b, radix, number);
    lw_cute_step(work,
                 "    mode %d of A, %lld:%lld: takes %lld of step %lld, leaves %lld of step "
                 "%lld",
                 number, (long long)a->shape.value, (long long)a->stride.value,
                 (long long)taken.value, (long long)stride.value, (long long)b->size.value,
                 (long long)b->stride.value);
    return true;
}

/* Composes a mode of B with the modes of A. (composition_impl) */
static bool compose_leaf(struct lw_cute_work *work, struct radix *radix,
                         const struct lw_cute_layout *leaf, struct lw_cute_layout *out)
{
    const struct modes *a = &radix->modes;
    const struct lw_cute_layout *last = &a->at[a->count - 1];
    struct through b = {.size = leaf->shape, .stride = leaf->stride, .whole = leaf};
    struct lw_cute_tuple step;
    lw_cute_step(work, "  mode %lld:%lld of B", (long long)b.size.value, (long long)b.stride.value);
    *out = *leaf;
    if (is_constant(work, &leaf->stride, 0))
        return show(work, "    gives", out, radix->fixed);
    if (!new_modes(work, a->count, &b.made))
        return false;
    for (int i = 0; i + 1 < a->count; i++)
        if (!pass(work, &b, radix, i))
            return false;
    radix->direction = leaf->shape.value > 1 ? leaf->stride.value : radix->direction;
    if (b.made.count == 0 || !is_constant(work, &b.size, 1)) {
        if (!lw_cute_times(work, &b.stride, &last->stride, &step))
            return false;
        lw_cute_step(work, "    mode %d of A, %lld:%lld, the last: takes %lld of step %lld",
                     a->count - 1, (long long)last->shape.value, (long long)last->stride.value,
                     (long long)b.size.value, (long long)b.stride.value);
        b.made.at[b.made.count++] = (struct lw_cute_layout){b.size, step};
    }
    return to_layout(work, &b.made, out) && show(work, "    gives", out, radix->fixed);
}

static bool compose_mode(struct lw_cute_work *work, const struct lw_cute_layout *b, LW_UNUSED int i,
                         void *radix, struct lw_cute_layout *out)
{
    return b->shape.count < 0
               ? compose_leaf(work, radix, b, out)
               : lw_cute_each_mode(work, b, b->shape.count, compose_mode, radix, out);
}

static bool show_operands(struct lw_cute_work *work, const struct radix *radix,
                          const struct lw_cute_layout *a, const struct lw_cute_layout *b)
{
    struct lw_cute_layout flat;
    if (!work->steps)
        return true;
    lw_text_add(work->steps, "composition(");
    lw_cute_layout_print(work->steps, a);
    lw_text_add(work->steps, ", ");
    lw_cute_layout_print(work->steps, b);
    lw_text_add(work->steps, ")\n");
    return to_layout(work, &radix->modes, &flat) &&
           show(work, "  A coalesced", &flat, radix->fixed);
}

static bool compose(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct lw_cute_layout *b, struct lw_cute_layout *out)
{
    struct radix radix = {.fixed = lw_cute_is_fixed(a) && lw_cute_is_fixed(b)};
    if (!leaves_of(work, a, &radix.modes) || !merge(work, &radix.modes, true))
        return false;
    radix.used = lw_arena_alloc(work->arena, (size_t)radix.modes.count * sizeof *radix.used);
    if (!radix.used)
        return lw_cute_memory(work);
    memset(radix.used, 0, (size_t)radix.modes.count * sizeof *radix.used);
    return show_operands(work, &radix, a, b) && compose_mode(work, b, 0, &radix, out) &&
           show(work, "  composition", out, radix.fixed);
}

bool lw_cute_compose(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     const struct lw_cute_layout *b, struct lw_cute_layout *out)
{
    struct lw_cute_work quiet = {.arena = work->arena};
    struct lw_cute_layout made;
    bool fixed = lw_cute_is_fixed(a) && lw_cute_is_fixed(b);
    if (work->rules == LW_CUTE_UNCHECKED)
        return of_headers(work, compose, a, b, out);
    if (!of_values(work, compose, a, b, fixed, out))
        return false;
    return work->rules == LW_CUTE_VALUES || !of_headers(&quiet, compose, a, b, &made) ||
           as_written(work, "composition", a, &made, false, out);
}

/* ---- Complement ---- */

static bool need_numbers(struct lw_cute_work *work, const struct lw_cute_layout *a)
{
    return !lw_cute_has_axes(&a->stride) ||
           lw_error_at(work->err, LW_ERROR_SHAPE, a->stride.position,
                       "offsets that are coordinates have no complement and no inverse");
}

/* Joins neighbouring sizes that are known, and neighbouring ones that are not. (coalesce of a shape) */
static bool join_sizes(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                       struct lw_cute_tuple *out)
{
    struct lw_cute_tuple flat, made, *items;
    int count = 0;
    if (!lw_cute_flatten_tuple(work, shape, &flat) ||
        !(items = lw_cute_new_items(work, lw_cute_rank(&flat), &made)))
        return false;
    for (int i = 0; i < lw_cute_rank(&flat); i++) {
        const struct lw_cute_tuple *size = lw_cute_item(&flat, i);
        if (!count || is_known(work, &items[count - 1]) != is_known(work, size))
            items[count++] = lw_cute_integer(size->value, size->fixed);
        else if (!lw_cute_times(work, &items[count - 1], size, &items[count - 1]))
            return false;
    }
    *out = count == 1 ? items[0] : lw_cute_tuple_of(items, count);
    return true;
}

/* Appends the modes of a shape whose strides begin with `stride`. (compact_major) */
static bool put_compact(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                        struct lw_cute_tuple stride, struct modes *out)
{
    for (int i = 0; i < lw_cute_rank(shape); i++) {
        const struct lw_cute_tuple *size = lw_cute_item(shape, i);
        out->at[out->count++] =
            (struct lw_cute_layout){*size, is_constant(work, size, 1) ? zero : stride};
        if (!lw_cute_times(work, &stride, size, &stride))
            return false;
    }
    return true;
}

/* Removes the mode with the least stride from the list and returns it. */
static struct lw_cute_layout take_least(struct modes *modes)
{
    int least = 0;
    for (int i = 1; i < modes->count; i++)
        if (modes->at[i].stride.value < modes->at[least].stride.value)
            least = i;
    struct lw_cute_layout taken = modes->at[least];
    modes->count--;
    for (int i = least; i < modes->count; i++)
        modes->at[i] = modes->at[i + 1];
    return taken;
}

/* Appends the modes below each stride, and covers what they and A reach: *covered offsets. */
static bool put_below(struct lw_cute_work *work, const struct lw_cute_layout *a, struct modes *kept,
                      struct modes *made, struct lw_cute_tuple *covered)
{
    struct lw_cute_tuple free;
    while (kept->count) {
        struct lw_cute_layout mode = take_least(kept);
        if (has_checks(work) && mode.stride.value < covered->value)
            return lw_error_at(
                work->err, LW_ERROR_SHAPE, a->shape.position,
                "complement: the mode %lld:%lld overlaps with the offsets below %lld, which "
                "smaller strides reach",
                (long long)mode.shape.value, (long long)mode.stride.value,
                (long long)covered->value);
        if (!lw_cute_divided(work, &mode.stride, covered, &free))
            return false;
        if (is_constant(work, &free, 0))
            return refuse(work, &mode.shape, "a layout that is not injective has no complement");
        made->at[made->count++] = (struct lw_cute_layout){free, *covered};
        long long step = (long long)covered->value;
        if (!lw_cute_times(work, &mode.stride, &mode.shape, covered))
            return false;
        lw_cute_step(work,
                     "  mode %lld:%lld: below it %lld of step %lld are free; it covers up to "
                     "%lld",
                     (long long)mode.shape.value, (long long)mode.stride.value,
                     (long long)free.value, step, (long long)covered->value);
    }
    return true;
}

/* The complement in a codomain given by the shape of `target`, factor by factor. */
static bool complement(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       const struct lw_cute_layout *target, struct lw_cute_layout *out)
{
    struct modes kept, made;
    struct lw_cute_tuple covered = one, above;
    if (!need_numbers(work, a) || !filter_modes(work, a, &kept) ||
        !new_modes(work, kept.count + lw_cute_leaves(&target->shape) + 1, &made))
        return false;
    if (kept.count == 1 && is_constant(work, &kept.at[0].stride, 0)) {
        kept.count = 0;
        if (!has_checks(work))
            return join_sizes(work, &target->shape, &above) &&
                   lw_cute_compact(work, &above, false, out);
    }
    for (int i = 0; i < kept.count && kept.count > 1; i++)
        if (!is_known(work, &kept.at[i].stride))
            return refuse(work, &a->stride,
                          "the complement of several modes needs strides that are static");
    if (!put_below(work, a, &kept, &made, &covered) ||
        !lw_cute_ceil_div(work, &target->shape, &covered, &above) ||
        !join_sizes(work, &above, &above) || !put_compact(work, &above, covered, &made))
        return false;
    lw_cute_step(work, "  above: %lld of step %lld", (long long)lw_cute_product(&above),
                 (long long)covered.value);
    return merged(work, &made, out) && show(work, "  complement", out, lw_cute_is_fixed(a));
}

/* Whether the sums of an offset of A and one of the other layout are all different: each stride is larger than every
 * sum of the strides below it. */
static bool is_complement(struct lw_cute_work *work, const struct lw_cute_layout *a,
                          const struct lw_cute_layout *other)
{
    struct lw_cute_layout joined;
    struct modes modes;
    int64_t reached = 1;
    if (!lw_cute_pair(work, *a, *other, &joined) || !leaves_of(work, &joined, &modes))
        return false;
    while (modes.count) {
        struct lw_cute_layout mode = take_least(&modes);
        if (mode.shape.value == 1 || mode.stride.value == 0)
            continue;
        if (mode.stride.value < reached)
            return false;
        reached = mode.shape.value * mode.stride.value;
    }
    return true;
}

bool lw_cute_complement_of(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           const struct lw_cute_tuple *shape, struct lw_cute_layout *out)
{
    struct lw_cute_work quiet = {.arena = work->arena};
    const struct lw_cute_layout target = {*shape, *shape};
    struct lw_cute_layout made;
    if (work->rules == LW_CUTE_UNCHECKED)
        return of_headers(work, complement, a, &target, out);
    if (!of_values(work, complement, a, &target, lw_cute_is_fixed(a), out))
        return false;
    return work->rules == LW_CUTE_VALUES || !of_headers(&quiet, complement, a, &target, &made) ||
           as_written(work, "complement", a, &made, is_complement(&quiet, a, &made), out);
}

bool lw_cute_complement(struct lw_cute_work *work, const struct lw_cute_layout *a,
                        const struct lw_cute_tuple *max, struct lw_cute_layout *out)
{
    struct lw_cute_layout kept;
    struct lw_cute_tuple all;
    if (!max && (!lw_cute_filter(work, a, NULL, &kept) || !lw_cute_coshape(work, &kept, &all)))
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

/* ---- Inverses ---- */

/* The coalesced modes, their weights in an index of the domain, and those with known strides, the least first. */
struct sorted {
    struct modes modes;
    struct lw_cute_tuple *weight;
    int order[LW_CUTE_LEAVES_MAX], count;
};

static bool sort_modes(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       struct sorted *out)
{
    struct lw_cute_tuple product = one;
    if (!need_numbers(work, a) || !leaves_of(work, a, &out->modes) ||
        !merge(work, &out->modes, false))
        return false;
    const struct lw_cute_layout *at = out->modes.at;
    struct lw_cute_tuple made;
    out->weight = lw_cute_new_items(work, out->modes.count, &made);
    out->count = 0;
    for (int i = 0; out->weight && i < out->modes.count; i++) {
        out->weight[i] = product;
        if (!lw_cute_times(work, &product, &at[i].shape, &product))
            return false;
        if (is_known(work, &at[i].stride))
            out->order[out->count++] = i;
    }
    for (int i = 0; i < out->count; i++) /* as the headers of CuTe sort */
        for (int j = i + 1; j < out->count; j++)
            if (at[out->order[j]].stride.value < at[out->order[i]].stride.value) {
                int swapped = out->order[i];
                out->order[i] = out->order[j];
                out->order[j] = swapped;
            }
    return out->weight;
}

static bool right_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                          LW_UNUSED const struct lw_cute_layout *none, struct lw_cute_layout *out)
{
    struct sorted sorted;
    struct modes made;
    struct lw_cute_tuple reached = one;
    if (!sort_modes(work, a, &sorted) || !new_modes(work, sorted.count + 1, &made))
        return false;
    made.at[made.count++] = (struct lw_cute_layout){one, zero};
    for (int i = 0; i < sorted.count; i++) {
        const struct lw_cute_layout *mode = &sorted.modes.at[sorted.order[i]];
        if (!is_constant(work, &reached, mode->stride.value))
            continue;
        made.at[made.count++] =
            (struct lw_cute_layout){mode->shape, sorted.weight[sorted.order[i]]};
        if (!lw_cute_times(work, &mode->shape, &mode->stride, &reached))
            return false;
    }
    return merged(work, &made, out);
}

bool lw_cute_right_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           struct lw_cute_layout *out)
{
    return work->rules == LW_CUTE_VALUES
               ? of_values(work, right_inverse, a, NULL, lw_cute_is_fixed(a), out)
               : of_headers(work, right_inverse, a, NULL, out);
}

static bool left_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                         LW_UNUSED const struct lw_cute_layout *none, struct lw_cute_layout *out)
{
    struct sorted sorted;
    struct modes made;
    struct lw_cute_tuple covered = one, free, weight = zero;
    if (!sort_modes(work, a, &sorted) || !new_modes(work, sorted.count + 1, &made))
        return false;
    if (sorted.count < sorted.modes.count)
        return refuse(work, &a->stride, "the left inverse needs strides that are static");
    for (int i = 0; i < sorted.count; i++) {
        const struct lw_cute_tuple *stride = &sorted.modes.at[sorted.order[i]].stride;
        if (stride->value == 0)
            continue;
        if (has_checks(work) && (stride->value < 0 || stride->value % covered.value))
            return lw_error_at(
                work->err, LW_ERROR_SHAPE, a->shape.position,
                "left_inverse: the stride %lld is not a multiple of %lld, the stride below it",
                (long long)stride->value, (long long)covered.value);
        if (stride->value % covered.value)
            return refuse(work, stride, "the divisibility condition of a left inverse");
        if (!lw_cute_divided(work, stride, &covered, &free) ||
            !lw_cute_times(work, &free, &covered, &covered))
            return false;
        made.at[made.count++] = (struct lw_cute_layout){free, weight};
        weight = sorted.weight[sorted.order[i]];
    }
    made.at[made.count++] =
        (struct lw_cute_layout){sorted.modes.at[sorted.order[sorted.count - 1]].shape, weight};
    return merged(work, &made, out);
}

/* Whether two coordinates of a layout may share an offset. */
static bool may_share(struct lw_cute_work *work, const struct lw_cute_layout *a)
{
    struct sorted sorted;
    bool shares = !sort_modes(work, a, &sorted);
    for (int i = 0; i < sorted.count && !shares; i++) {
        const struct lw_cute_layout *mode = &sorted.modes.at[sorted.order[i]];
        int64_t size = mode->shape.value, stride = mode->stride.value;
        if (stride == 0)
            shares = size > 1;
        else if (i + 1 < sorted.count)
            shares = size * stride > sorted.modes.at[sorted.order[i + 1]].stride.value;
    }
    return shares;
}

/* Coordinates of a layout that are checked one by one at most. */
#define CHECKED_MAX ((int64_t)1 << 20)

/* Fails unless A(L(A(i))) = A(i) for every i: what CuTe computes need not have that property when two
 * coordinates of A share an offset. */
static bool check_left_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                               const struct lw_cute_layout *inverse)
{
    int64_t size = lw_cute_size(a);
    if (size > CHECKED_MAX)
        return lw_error_at(work->err, LW_ERROR_LIMIT, a->shape.position,
                           "left_inverse: coordinates of this layout share offsets, and of such "
                           "layouts at most %lld coordinates are checked",
                           (long long)CHECKED_MAX);
    for (int64_t i = 0; i < size; i++) {
        int64_t offset = lw_cute_offset(a, i), at = lw_cute_offset(inverse, offset);
        if (lw_cute_offset(a, at) != offset)
            return lw_error_at(work->err, LW_ERROR_SHAPE, a->shape.position,
                               "left_inverse: L with A(L(A(i))) = A(i) is not found: A(%lld) is "
                               "%lld, and with what CuTe gives A(L(%lld)) = %lld",
                               (long long)i, (long long)offset, (long long)offset,
                               (long long)lw_cute_offset(a, at));
    }
    return true;
}

bool lw_cute_left_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                          struct lw_cute_layout *out)
{
    struct lw_cute_work quiet = {.arena = work->arena};
    struct lw_cute_layout made;
    if (work->rules == LW_CUTE_UNCHECKED)
        return of_headers(work, left_inverse, a, NULL, out);
    if (!of_values(work, left_inverse, a, NULL, lw_cute_is_fixed(a), out) ||
        (may_share(&quiet, a) && !check_left_inverse(work, a, out)))
        return false;
    if (work->rules == LW_CUTE_WRITTEN && of_headers(&quiet, left_inverse, a, NULL, &made))
        *out = made;
    return true;
}

/* ---- What two layouts have in common ---- */

/* The numbers of coordinates of B whose elements are contiguous in A and in B, as a layout; 1:0: there are none that
 * is known. */
static bool max_common(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       const struct lw_cute_layout *b, bool values, struct lw_cute_layout *inverse,
                       struct lw_cute_layout *first)
{
    struct lw_cute_layout composed, common;
    if (!lw_cute_right_inverse(work, b, inverse) || !lw_cute_compose(work, a, inverse, &composed) ||
        !lw_cute_coalesce(work, &composed, NULL, &common))
        return false;
    *first = lw_cute_mode(&common, 0);
    if (first->stride.value != 1 || !(values || (first->shape.fixed && first->stride.fixed)))
        *first = lw_cute_leaf(1, 0, true);
    return true;
}

bool lw_cute_max_common_vector(struct lw_cute_work *work, const struct lw_cute_layout *a,
                               const struct lw_cute_layout *b, int64_t *out)
{
    struct lw_cute_layout inverse, first;
    if (!max_common(work, a, b, work->rules == LW_CUTE_VALUES, &inverse, &first))
        return false;
    *out = first.shape.value;
    return true;
}

static bool common_layout(struct lw_cute_work *work, const struct lw_cute_layout *a,
                          const struct lw_cute_layout *b, bool values, struct lw_cute_layout *out)
{
    struct lw_cute_layout inverse, first;
    if (!max_common(work, a, b, values, &inverse, &first))
        return false;
    *out = first;
    return first.stride.value != 1 || lw_cute_compose(work, &inverse, &first, out);
}

bool lw_cute_max_common_layout(struct lw_cute_work *work, const struct lw_cute_layout *a,
                               const struct lw_cute_layout *b, struct lw_cute_layout *out)
{
    struct lw_cute_work unchecked = {.arena = work->arena, .rules = LW_CUTE_UNCHECKED};
    struct lw_cute_work quiet = {.arena = work->arena, .rules = work->rules};
    bool values = work->rules == LW_CUTE_VALUES;
    if (common_layout(&quiet, a, b, values, out))
        return true;
    /* Where A does not compose with the inverse, what CuTe computes may still be common. */
    if (!common_layout(&unchecked, a, b, values, out) || lw_cute_size(out) > 1)
        return common_layout(work, a, b, values, out);
    return true;
}
