/* The search for the best swizzle. Invariant: `done` counts candidates in the order optimum,
 * named ones, paddings; the ranked list in the search has all named ones that were tried. */

#include "laneway/swizzle.h"

#include "analysis/access/plan_parts.h"
#include "analysis/owners.h"
#include "analysis/swizzle/swizzle_parts.h"

#include <stdlib.h>
#include <string.h>

struct lw_swizzle_state {
    struct lw_map
        side[2]; /* store and load: linear, with the dims register, lane, warp and block */
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
    if (swizzle->kind != LW_SWIZZLE_LINEAR)
        return lw_named_map(swizzle, state->shape, state->rank, search->request.element_bits, map,
                            err);
    lw_map_from_layout(map, &search->linear);
    return true;
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

/* Whether plain rows have a known cost, or another candidate, which is noted: then there is always a best one. Where
 * plain rows are too much to count, so are the others, and none is tried. */
static bool find_known(struct lw_swizzle_search *search, struct lw_error *err)
{
    const struct lw_swizzle_state *state = search->state;
    struct lw_error why;
    search->has_plain = evaluate(search, &search->plain, &why);
    bool found = search->has_plain, tries = found || why.code == LW_ERROR_UNSUPPORTED;
    for (size_t i = 0; tries && i < state->named.count && !found; i++) {
        struct lw_swizzle one = state->named.item[i];
        found = evaluate(search, &one, NULL) && note(search, &one);
    }
    for (uint64_t i = 0; tries && i < state->pairs && !found; i++) {
        try_linear(search, i);
        found = search->found[LW_SWIZZLE_LINEAR];
    }
    search->unknown = 0; /* all are tried again in turn */
    if (!found && err)
        *err = why;
    return found;
}

static bool begin(struct lw_swizzle_search *search, struct lw_error *err)
{
    struct lw_swizzle_state *state = search->state;
    const struct lw_swizzle_request *request = &search->request;
    if (!open_sides(search, err))
        return false;
    if (!lw_named_candidates(&state->named, state->shape, state->rank, request->element_bits) ||
        !(state->ranked = malloc(state->named.count * sizeof *state->ranked)))
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    search->ranked = state->ranked;
    search->plain = state->named.item[0];
    if (!request->named_only)
        state->pairs = (uint64_t)state->problem.side[0].move_count *
                       (uint64_t)state->problem.side[1].move_count;
    if (!find_known(search, err))
        return false;
    if (!request->named_only) {
        search->bound = lw_linear_bound(&state->problem);
        search->bound_skips = state->problem.skipped;
        if (!request->no_paddings &&
            !lw_padding_candidates(&state->paddings, state->shape, state->rank,
                                   request->element_bits,
                                   lw_bank_model_row_bytes(state->hardware->banks)))
            return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    search->total = state->pairs + state->named.count + state->paddings.count;
    return true;
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
