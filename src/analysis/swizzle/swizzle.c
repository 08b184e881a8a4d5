/*
 * The search for the best swizzle: its candidates, that is named swizzles and paddings with their layouts, and the
 * optimum over linear layouts (swizzle_linear.c); their costs; and candidates as encodings and labels.
 *
 * No two candidates of swizzled_shared are the same layout: parameters with phases that no row has, or that change no
 * column, are left out. Invariant: `done` counts candidates in the order optimum, named ones, paddings; the ranked
 * list in the search has all named ones that were tried.
 */

#include "laneway/swizzle.h"

#include "analysis/access/plan_parts.h"
#include "analysis/owners.h"
#include "analysis/swizzle/swizzle_parts.h"
#include "core/memory_tile.h"
#include "encoding/triton/linear_bases.h"

#include <stdlib.h>
#include <string.h>

/* ---- Named swizzles and paddings: all candidates for one tensor ---- */

static bool add(struct lw_candidates *all, const struct lw_swizzle *swizzle)
{
    if (all->count == all->room) {
        size_t room = all->room ? 2 * all->room : 256;
        struct lw_swizzle *item = realloc(all->item, room * sizeof *item);
        if (!item)
            return false;
        all->item = item;
        all->room = room;
    }
    all->item[all->count++] = *swizzle;
    return true;
}

/* ---- Orders: the usual one first; dims of one element come last, so that there are rows and
 * columns ---- */

struct orders {
    int count;
    int64_t order[LW_ORDERS_MAX][LW_DIMS_MAX];
};

static void all_orders(struct orders *orders, const uint64_t *shape, int rank)
{
    int64_t wide[LW_DIMS_MAX], narrow[LW_DIMS_MAX];
    int count = 0, others = 0, total = 1;
    for (int d = rank - 1; d >= 0; d--)
        if (shape[d] > 1)
            total *= ++count;
    for (int d = rank - 1, at = 0; d >= 0; d--) /* with one wide dim the usual order stays */
        if (count < 2 || shape[d] == 1)
            narrow[others++] = d;
        else
            wide[at++] = d;
    count = count < 2 ? 0 : count;
    orders->count = total < LW_ORDERS_MAX ? total : LW_ORDERS_MAX;
    for (int which = 0; which < orders->count; which++) {
        int64_t left[LW_DIMS_MAX], *order = orders->order[which];
        memcpy(left, wide, sizeof left);
        for (int i = 0, base = total; i < count; i++) {
            base /= count - i;
            int pick = which / base % (count - i);
            order[i] = left[pick];
            memmove(&left[pick], &left[pick + 1], (size_t)(count - i - pick - 1) * sizeof *left);
        }
        memcpy(order + count, narrow, (size_t)others * sizeof *narrow);
    }
}

static uint64_t bytes_of(const uint64_t *shape, int rank, unsigned bits)
{
    uint64_t elements = 1;
    for (int d = 0; d < rank; d++)
        elements *= shape[d];
    return elements * bits / 8;
}

/* ---- swizzled_shared and nvmma_shared ---- */

/* Adds the swizzles with 2^phases phases. */
static bool add_swizzled(struct lw_candidates *all, struct lw_swizzle *one, const uint64_t *shape,
                         int rank, int phases)
{
    int cols = lw_log2(shape[one->order[0]]), rows = rank > 1 ? lw_log2(shape[one->order[1]]) : 0;
    one->max_phase = (uint64_t)1 << phases;
    for (int per = 0; per + phases <= rows; per++)
        for (int vec = 0; vec + phases <= cols; vec++) {
            one->per_phase = (uint64_t)1 << per;
            one->vec = (uint64_t)1 << vec;
            if (!add(all, one))
                return false;
            if (phases == 0)
                return true; /* with one phase there is no swizzle: all others are the same */
        }
    return true;
}

static bool add_nvmma(struct lw_candidates *all, const struct lw_swizzle *plain,
                      const uint64_t *shape, int rank, unsigned bits)
{
    struct lw_nvmma nvmma = {.rank = rank, .bits = bits, .rotated = true};
    struct lw_swizzle one = *plain;
    memcpy(nvmma.part, shape, (size_t)rank * sizeof *shape);
    one.kind = LW_SWIZZLE_NVMMA;
    if (bits < 8 || bits > 64)
        return true;
    for (int w = 0; w < 4; w++)
        for (int transposed = 0; transposed < 2; transposed++) {
            if (!w && transposed && rank > 2)
                continue; /* some of its offsets hold copies */
            one.width = nvmma.width = w ? (uint64_t)16 << w : 0;
            one.transposed = nvmma.transposed = transposed;
            if ((rank == 1 && (w || transposed)) || !lw_nvmma_fits(&nvmma))
                continue;
            if (!add(all, &one))
                return false;
        }
    return true;
}

bool lw_named_candidates(struct lw_candidates *all, const uint64_t *shape, int rank, unsigned bits)
{
    struct orders orders;
    struct lw_swizzle one = {.kind = LW_SWIZZLE_SWIZZLED, .bytes = bytes_of(shape, rank, bits)};
    int max = 0;
    all_orders(&orders, shape, rank);
    for (int d = 0; d < rank; d++)
        max = lw_log2(shape[d]) > max ? lw_log2(shape[d]) : max;
    for (int phases = 0; phases <= max; phases++) {
        for (int o = 0; o < orders.count; o++) {
            memcpy(one.order, orders.order[o], sizeof one.order);
            if (!add_swizzled(all, &one, shape, rank, phases))
                return false;
        }
        if (phases == 0 && !add_nvmma(all, &one, shape, rank, bits))
            return false;
    }
    return true;
}

/* ---- Paddings ---- */

static int by_bytes(const void *a, const void *b)
{
    const struct lw_swizzle *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    if (x->padding.interval != y->padding.interval)
        return x->padding.interval > y->padding.interval ? -1 : 1;
    return memcmp(y->order, x->order, sizeof x->order);
}

/* A padding by a multiple of a row of banks would have no effect. */
bool lw_padding_candidates(struct lw_candidates *all, const uint64_t *shape, int rank,
                           unsigned bits, unsigned line_bytes)
{
    struct orders orders;
    const uint64_t bytes = bytes_of(shape, rank, bits), elements = bytes * 8 / bits;
    const uint64_t line = (uint64_t)line_bytes * 8 / bits, least = bits < 8 ? 8 / bits : 1;
    struct lw_swizzle one = {.kind = LW_SWIZZLE_PADDED};
    all_orders(&orders, shape, rank);
    for (int o = 0; o < orders.count; o++) {
        memcpy(one.order, orders.order[o], sizeof one.order);
        for (uint64_t interval = 2 * least; interval < elements; interval *= 2)
            for (uint64_t pad = least; pad < line && pad <= interval; pad *= 2) {
                one.bytes = bytes + (elements / interval - 1) * pad * bits / 8;
                one.padding = (struct lw_padding){interval, pad};
                if (one.bytes <= 2 * bytes && !add(all, &one))
                    return false;
            }
    }
    if (all->count)
        qsort(all->item, all->count, sizeof *all->item, by_bytes);
    return true;
}

/* ---- The search ---- */

struct lw_swizzle_state {
    /* Store and load: linear, with the dims register, lane, warp and block. */
    struct lw_map side[2];
    bool has[2];
    const struct lw_hardware *hardware;
    uint64_t shape[LW_DIMS_MAX];
    int rank;
    struct lw_linear_problem problem;
    struct lw_candidates named, paddings;
    uint64_t pairs;            /* pairs of moves of store and load */
    struct lw_swizzle *ranked; /* has room for all named candidates */
};

/* ---- Costs of candidates ---- */

uint64_t lw_swizzle_wavefronts(const struct lw_swizzle *swizzle)
{
    return swizzle->store.wavefronts + swizzle->load.wavefronts;
}

static uint64_t instructions(const struct lw_swizzle *swizzle)
{
    return swizzle->store.instructions + swizzle->load.instructions;
}

static bool better(const struct lw_swizzle *a, const struct lw_swizzle *b)
{
    if (lw_swizzle_wavefronts(a) != lw_swizzle_wavefronts(b))
        return lw_swizzle_wavefronts(a) < lw_swizzle_wavefronts(b);
    if (instructions(a) != instructions(b))
        return instructions(a) < instructions(b);
    /* Of equals, the one whose rows are rows of the tensor. */
    return a->kind == LW_SWIZZLE_SWIZZLED && b->kind == a->kind && a->order[0] > b->order[0];
}

static bool plan_side(const struct lw_swizzle_search *search, const struct lw_map *memory, int side,
                      struct lw_plan_total *total, struct lw_error *err)
{
    const struct lw_swizzle_state *state = search->state;
    struct lw_plan_request request = {.registers = &state->side[side],
                                      .memory = memory,
                                      .element_bits = search->request.element_bits,
                                      .op = side ? LW_ACCESS_LOAD : LW_ACCESS_STORE,
                                      .stage = search->request.stage,
                                      .hardware = state->hardware,
                                      .triton = search->request.triton};
    struct lw_plan plan;
    *total = (struct lw_plan_total){0};
    if (!state->has[side])
        return true;
    if (!lw_plan_make(&plan, &request, err))
        return false;
    *total = plan.total;
    lw_plan_free(&plan);
    return true;
}

bool lw_swizzle_judge(const struct lw_swizzle_search *search, const struct lw_map *memory,
                      struct lw_swizzle *swizzle, struct lw_error *err)
{
    uint64_t elements =
        lw_dims_size(&memory->in, "offset") * lw_dims_size(&memory->in, "partition");
    *swizzle = (struct lw_swizzle){.kind = LW_SWIZZLE_GIVEN,
                                   .bytes = elements * search->request.element_bits / 8};
    const bool stores = plan_side(search, memory, 0, &swizzle->store, err);
    return plan_side(search, memory, 1, &swizzle->load, stores ? err : NULL) && stores;
}

/* Counts a candidate whose cost is not known. */
static void note_unknown(struct lw_swizzle_search *search, const struct lw_error *why)
{
    if (!search->unknown++)
        search->unknown_because = *why;
}

static bool evaluate(const struct lw_swizzle_search *search, struct lw_swizzle *swizzle,
                     struct lw_error *err)
{
    struct lw_map memory;
    return lw_swizzle_map(search, swizzle, &memory, err) &&
           plan_side(search, &memory, 0, &swizzle->store, err) &&
           plan_side(search, &memory, 1, &swizzle->load, err);
}

/* Whether it is the best of its kind so far. */
static bool note(struct lw_swizzle_search *search, const struct lw_swizzle *swizzle)
{
    if (search->found[swizzle->kind] && !better(swizzle, &search->best[swizzle->kind]))
        return false;
    search->found[swizzle->kind] = true;
    search->best[swizzle->kind] = *swizzle;
    return true;
}

bool lw_swizzle_bound_is_proof(const struct lw_swizzle_search *search)
{
    return search->bound && !search->bound_skips && !search->unknown;
}

const struct lw_swizzle *lw_swizzle_best(const struct lw_swizzle_search *search)
{
    const struct lw_swizzle *best = search->has_plain ? &search->plain : NULL;
    for (int k = 0; k < LW_SWIZZLE_KINDS; k++) {
        const struct lw_swizzle *one = &search->best[k];
        if (search->found[k] &&
            (!best || better(one, best) || (!better(best, one) && one->bytes < best->bytes)))
            best = one;
    }
    return best;
}

/* ---- Layouts ---- */

/* The layout of memory whose first offsets have these bases, of the registers' tensor; the rest of
 * the memory follows, the last dim first. */
static void linear_layout(const struct lw_swizzle_search *search, const uint64_t *basis,
                          struct lw_layout *layout)
{
    const struct lw_swizzle_state *state = search->state;
    struct lw_dims in = {0};
    uint64_t point[LW_DIMS_MAX], moved[LW_DIMS_MAX];
    int bits = 0;
    for (int d = 0; d < state->rank; d++)
        bits += lw_log2(state->shape[d]);
    lw_dims_add(&in, "offset", (uint64_t)1 << bits, NULL);
    lw_dims_add(&in, "block", 1, NULL);
    lw_layout_of_dims(layout, &in, &search->memory, NULL);
    for (bits = 0; bits < state->problem.bits; bits++) {
        lw_dims_unflatten(&search->registers, basis[bits], point);
        for (int d = 0; d < state->rank; d++)
            moved[d] = point[lw_dims_find(&search->registers, search->memory.dim[d].name)];
        lw_layout_set_basis(layout, 0, bits, moved, NULL);
    }
    for (int d = state->rank - 1; d >= 0; d--) {
        memset(moved, 0, sizeof moved);
        moved[d] = lw_dims_size(&search->registers, search->memory.dim[d].name);
        for (; moved[d] < state->shape[d]; moved[d] *= 2)
            lw_layout_set_basis(layout, 0, bits++, moved, NULL);
    }
}

bool lw_swizzle_map(const struct lw_swizzle_search *search, const struct lw_swizzle *swizzle,
                    struct lw_map *map, struct lw_error *err)
{
    const struct lw_swizzle_state *state = search->state;
    struct lw_phases phases = {swizzle->vec, swizzle->per_phase, swizzle->max_phase};
    struct lw_nvmma nvmma = {.rotated = true,
                             .rank = state->rank,
                             .width = swizzle->width,
                             .bits = search->request.element_bits,
                             .transposed = swizzle->transposed};
    struct lw_tile tile;
    struct lw_map rows;
    if (swizzle->kind == LW_SWIZZLE_LINEAR) {
        lw_map_from_layout(map, &search->linear);
        return true;
    }
    lw_tile_begin(&tile, err);
    memcpy(nvmma.part, state->shape, (size_t)state->rank * sizeof *state->shape);
    if (swizzle->kind == LW_SWIZZLE_SWIZZLED)
        lw_tile_swizzled(&tile, &phases, lw_phase_of_row, state->shape, swizzle->order,
                         state->rank);
    else if (swizzle->kind == LW_SWIZZLE_NVMMA)
        lw_tile_nvmma(&tile, &nvmma);
    else
        for (int i = 0; i < state->rank; i++)
            lw_tile_identity(&tile, state->shape[swizzle->order[i]], "offset",
                             (int)swizzle->order[i]);
    if (swizzle->kind != LW_SWIZZLE_PADDED)
        return lw_tile_map(&tile, lw_shared_dims, 2, state->rank, map);
    return lw_tile_map(&tile, lw_shared_dims, 2, state->rank, &rows) &&
           lw_map_from_padding(map, &rows.as.linear.layout, "offset", &swizzle->padding, 1, err);
}

/* ---- Steps ---- */

static void try_linear(struct lw_swizzle_search *search, uint64_t pair)
{
    struct lw_swizzle_state *state = search->state;
    struct lw_linear_solution solution;
    struct lw_swizzle one = {.kind = LW_SWIZZLE_LINEAR, .bytes = search->plain.bytes};
    const struct lw_layout before = search->linear;
    int loads = state->problem.side[1].move_count;
    struct lw_error why;
    if (!lw_linear_solve(&state->problem, (int)(pair / (uint64_t)loads),
                         (int)(pair % (uint64_t)loads), &solution))
        return;
    linear_layout(search, solution.basis, &search->linear);
    bool known = evaluate(search, &one, &why);
    if (!known)
        note_unknown(search, &why);
    if (!known || !note(search, &one))
        search->linear = before;
}

/* Tries a named candidate. It is ranked after those that are equally good, which are simpler. */
static void try_named(struct lw_swizzle_search *search, uint64_t i)
{
    struct lw_swizzle_state *state = search->state;
    struct lw_swizzle one = state->named.item[i];
    uint64_t at = search->ranked_count;
    struct lw_error why;
    if (!evaluate(search, &one, &why)) {
        note_unknown(search, &why);
        return;
    }
    note(search, &one);
    for (; at > 0 && better(&one, &state->ranked[at - 1]); at--)
        state->ranked[at] = state->ranked[at - 1];
    state->ranked[at] = one;
    search->ranked_count++;
}

/* Tries a padding. True when the best one is known: no candidate of another kind has fewer
 * wavefronts, and those to come are larger. */
static bool try_padding(struct lw_swizzle_search *search, uint64_t i)
{
    struct lw_swizzle one = search->state->paddings.item[i];
    struct lw_swizzle *best = &search->best[LW_SWIZZLE_PADDED];
    const bool found = search->found[LW_SWIZZLE_PADDED];
    if (!evaluate(search, &one, NULL) ||
        (found && lw_swizzle_wavefronts(&one) >= lw_swizzle_wavefronts(best)))
        return false;
    search->found[LW_SWIZZLE_PADDED] = true;
    *best = one;
    bool is_least = true;
    for (int k = 0; k < LW_SWIZZLE_PADDED; k++)
        is_least = is_least && (!search->found[k] || lw_swizzle_wavefronts(best) <=
                                                         lw_swizzle_wavefronts(&search->best[k]));
    return is_least;
}

bool lw_swizzle_step(struct lw_swizzle_search *search, uint64_t max)
{
    const struct lw_swizzle_state *state = search->state;
    for (; max > 0 && search->done < search->total; max--) {
        uint64_t i = search->done++;
        if (i < state->pairs)
            try_linear(search, i);
        else if (i < state->pairs + state->named.count)
            try_named(search, i - state->pairs);
        else if (try_padding(search, i - state->pairs - state->named.count))
            search->total = search->done;
    }
    return search->done < search->total;
}

/* ---- Beginning and end ---- */

/* A layout in registers, of one block. */
static bool read_side(const struct lw_map *map, unsigned lanes, const char *side,
                      struct lw_layout *layout, struct lw_error *err)
{
    if (!lw_register_layout(layout, map, lanes, err))
        return false;
    if (lw_dims_size(&layout->in, "block") > 1)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the %s's layout has %llu blocks, but each block has its own shared "
                            "memory: use the layouts of one block's part",
                            side, (unsigned long long)lw_dims_size(&layout->in, "block"));
    if (!lw_layout_is_surjective(layout))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the %s's layout must hold every element, but leaves some out", side);
    return true;
}

#define BITS_MAX 40 /* bits of a hardware index */

/* The tensor of the memory must have power-of-two sizes; whether the registers fit into it, the plans check. */
static bool check_memory(const struct lw_dims *memory, struct lw_error *err)
{
    int bits = 0;
    for (int d = 0; d < memory->count; d++) {
        if (lw_log2(memory->dim[d].size) < 0)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "shared S has %llu elements along %s, which is no power of two: "
                                "the search is over memory of 1, 2, 4, ... elements in each dim",
                                (unsigned long long)memory->dim[d].size, memory->dim[d].name);
        bits += lw_log2(memory->dim[d].size);
    }
    return bits <= BITS_MAX ||
           lw_error_set(err, LW_ERROR_LIMIT, "too many elements in memory: the limit is 2^%d",
                        BITS_MAX);
}

static bool open_sides(struct lw_swizzle_search *search, struct lw_error *err)
{
    struct lw_swizzle_state *state = search->state;
    const struct lw_swizzle_request *request = &search->request;
    const struct lw_map *const maps[2] = {request->store, request->load};
    const unsigned bits = request->element_bits;
    struct lw_layout layouts[2];
    const struct lw_layout *sides[2] = {NULL, NULL};
    state->hardware = request->hardware ? request->hardware : lw_hardware_default();
    for (int s = 0; s < 2; s++) {
        if (!maps[s])
            continue;
        if (!read_side(maps[s], state->hardware->lanes, s ? "load" : "store", &layouts[s], err))
            return false;
        lw_map_from_layout(&state->side[s], &layouts[s]);
        state->has[s] = true;
        sides[s] = &layouts[s];
    }
    const struct lw_layout *one = sides[0] ? sides[0] : sides[1],
                           *other = sides[1] ? sides[1] : one;
    if (!one)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "a search needs a store or a load");
    if (!lw_same_tensor(&one->out, &other->out, err))
        return false;
    if (one->out.count == 0)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "a tensor without dims is one element: there is nothing to search");
    if (bits > 128 || lw_log2(bits) < 2)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "elements of %u bit%s: the search supports 4, 8, 16, 32, 64 and 128",
                            bits, bits == 1 ? "" : "s");
    if (lw_layout_in_bits(one) > BITS_MAX || lw_layout_in_bits(other) > BITS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "too many hardware indices: the limit is 2^%d",
                            BITS_MAX);
    search->registers = one->out;
    search->memory = request->memory ? request->memory->out : search->registers;
    if (!check_memory(&search->memory, err) ||
        !lw_plan_check_part(&search->registers, &search->memory, err))
        return false;
    state->rank = search->memory.count;
    for (int d = 0; d < state->rank; d++)
        state->shape[d] = search->memory.dim[d].size;
    lw_linear_problem(&state->problem, sides[0], sides[1], bits, request->stage,
                      state->hardware->banks);
    return true;
}

static bool begin(struct lw_swizzle_search *search, struct lw_error *err)
{
    struct lw_swizzle_state *state = search->state;
    const struct lw_swizzle_request *request = &search->request;
    struct lw_error why;
    if (!open_sides(search, err))
        return false;
    if (!lw_named_candidates(&state->named, state->shape, state->rank, request->element_bits) ||
        !(state->ranked = malloc(state->named.count * sizeof *state->ranked)))
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    search->ranked = state->ranked;
    search->plain = state->named.item[0];
    if (!request->named_only) {
        state->pairs = (uint64_t)state->problem.side[0].move_count *
                       (uint64_t)state->problem.side[1].move_count;
        search->bound = lw_linear_bound(&state->problem);
        search->bound_skips = state->problem.skipped;
        if (!request->no_paddings &&
            !lw_padding_candidates(&state->paddings, state->shape, state->rank,
                                   request->element_bits,
                                   lw_bank_model_row_bytes(state->hardware->banks)))
            return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    search->total = state->pairs + state->named.count + state->paddings.count;
    /* There is always a best one: where the cost of plain rows is unknown, the first candidate of known cost. Where
     * plain rows are too much to count, so are the others. */
    bool known = search->has_plain = evaluate(search, &search->plain, &why);
    while (!known && why.code == LW_ERROR_UNSUPPORTED &&
           search->done < state->pairs + state->named.count) {
        lw_swizzle_step(search, 1);
        known = lw_swizzle_best(search) != NULL;
    }
    if (!known && err)
        *err = why;
    return known;
}

bool lw_swizzle_begin(struct lw_swizzle_search *search, const struct lw_swizzle_request *request,
                      struct lw_error *err)
{
    memset(search, 0, sizeof *search);
    search->request = *request;
    search->state = calloc(1, sizeof *search->state);
    if (!search->state)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (begin(search, err))
        return true;
    lw_swizzle_end(search);
    return false;
}

void lw_swizzle_end(struct lw_swizzle_search *search)
{
    if (search->state) {
        free(search->state->named.item);
        free(search->state->paddings.item);
        free(search->state->ranked);
    }
    free(search->state);
    search->state = NULL;
    search->ranked = NULL;
    search->ranked_count = 0;
}

/* ---- As encodings, and as labels ---- */

/* An encoding that is being filled; `good` is false when memory is out. */
struct filling {
    struct lw_arena *arena;
    struct lw_encoding *encoding;
    bool good;
};

static void set(struct filling *filling, const char *name, struct lw_value value)
{
    filling->good = filling->good && value.kind != LW_VALUE_NONE &&
                    lw_encoding_set(filling->encoding, name, &value, NULL);
}

static void set_integer(struct filling *filling, const char *name, uint64_t number)
{
    set(filling, name, lw_value_integer((int64_t)number));
}

static void set_list(struct filling *filling, const char *name, const int64_t *numbers, int count)
{
    set(filling, name, lw_value_integers(filling->arena, numbers, (size_t)count));
}

static void set_padding(struct filling *filling, const struct lw_swizzle *swizzle,
                        const struct lw_dims *memory)
{
    const int64_t pad[] = {(int64_t)swizzle->padding.interval, (int64_t)swizzle->padding.size};
    struct lw_value item = lw_value_integers(filling->arena, pad, 2), kept = {0};
    const struct lw_value pads = {.kind = LW_VALUE_LIST, .count = 1, .items = &item};
    int64_t shape[LW_DIMS_MAX];
    for (int d = 0; d < memory->count; d++)
        shape[d] = (int64_t)memory->dim[d].size;
    filling->good = filling->good && lw_value_copy(filling->arena, &kept, &pads);
    set(filling, "intervalPads", kept);
    set_list(filling, "order", swizzle->order, memory->count);
    set_list(filling, "shape", shape, memory->count);
}

struct lw_encoding *lw_swizzle_encoding(struct lw_arena *arena,
                                        const struct lw_swizzle_search *search,
                                        const struct lw_swizzle *swizzle)
{
    static const char *const names[LW_SWIZZLE_KINDS] = {"swizzled_shared", "nvmma_shared",
                                                        "shared_linear", "padded_shared"};
    const struct lw_encoding_type *type =
        swizzle->kind < LW_SWIZZLE_KINDS ? lw_encoding_type_find(names[swizzle->kind]) : NULL;
    struct filling filling = {arena, type ? lw_encoding_new(arena, type) : NULL, true};
    int rank = search->memory.count;
    if (!filling.encoding)
        return NULL;
    filling.encoding->triton = search->request.triton;
    switch (swizzle->kind) {
    case LW_SWIZZLE_SWIZZLED:
        set_integer(&filling, "vec", swizzle->vec);
        set_integer(&filling, "perPhase", swizzle->per_phase);
        set_integer(&filling, "maxPhase", swizzle->max_phase);
        set_list(&filling, "order", swizzle->order, rank);
        break;
    case LW_SWIZZLE_NVMMA:
        set_integer(&filling, "swizzlingByteWidth", swizzle->width);
        set(&filling, "transposed", lw_value_boolean(swizzle->transposed));
        set_integer(&filling, "elementBitWidth", search->request.element_bits);
        if (rank != 2)
            set_integer(&filling, "rank", (uint64_t)rank);
        break;
    case LW_SWIZZLE_LINEAR:
        set(&filling, "offset", lw_bases_value(arena, &search->linear, 0));
        break;
    case LW_SWIZZLE_PADDED:
        set_padding(&filling, swizzle, &search->memory);
        break;
    case LW_SWIZZLE_GIVEN:
        break;
    }
    return filling.good ? filling.encoding : NULL;
}

void lw_swizzle_print(struct lw_text *text, const struct lw_swizzle_search *search,
                      const struct lw_swizzle *swizzle)
{
    struct lw_arena arena = {0};
    const struct lw_encoding *encoding = lw_swizzle_encoding(&arena, search, swizzle);
    if (encoding)
        lw_encoding_print(text, encoding);
    else
        text->failed = true;
    lw_arena_free(&arena);
}

void lw_swizzle_label(struct lw_text *text, const struct lw_swizzle_search *search,
                      const struct lw_swizzle *swizzle)
{
    int rank = search->memory.count;
    bool has_order = swizzle->kind == LW_SWIZZLE_SWIZZLED || swizzle->kind == LW_SWIZZLE_PADDED;
    bool ordered = false; /* in another way than by default */
    for (int i = 0; has_order && i < rank; i++)
        ordered = ordered || swizzle->order[i] != rank - 1 - i;
    if (swizzle->kind == LW_SWIZZLE_GIVEN)
        lw_text_add(text, "shared S");
    else if (swizzle->kind == LW_SWIZZLE_LINEAR)
        lw_text_add(text, "linear");
    else if (swizzle->kind == LW_SWIZZLE_NVMMA)
        lw_text_format(text, "nvmma %llu bytes%s", (unsigned long long)swizzle->width,
                       swizzle->transposed ? ", transposed" : "");
    else if (swizzle->kind == LW_SWIZZLE_PADDED)
        lw_text_format(text, "padding [%llu:+%llu]", (unsigned long long)swizzle->padding.interval,
                       (unsigned long long)swizzle->padding.size);
    else if (swizzle->max_phase == 1)
        lw_text_add(text, "no swizzle");
    else
        lw_text_format(text, "vec %llu, perPhase %llu, maxPhase %llu",
                       (unsigned long long)swizzle->vec, (unsigned long long)swizzle->per_phase,
                       (unsigned long long)swizzle->max_phase);
    for (int i = 0; ordered && i < rank; i++)
        lw_text_format(text, "%s%d%s", i ? ", " : ", order [", (int)swizzle->order[i],
                       i + 1 == rank ? "]" : "");
    if (swizzle->kind == LW_SWIZZLE_PADDED)
        lw_text_format(text, ": %llu bytes more",
                       (unsigned long long)(swizzle->bytes - search->plain.bytes));
}
