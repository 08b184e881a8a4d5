/*
 * A conversion through shared memory: stores and loads, in rounds over the same bytes.
 *
 * Invariant: every round has the same offsets; the registers of round k are those of the first
 * round xored with the register bits that k selects. Only the last round can have loads of a
 * predicated tail.
 *
 * Source: Triton's transferWithinBlockSwizzling (releases 3.6 and 3.7), checked against compiled
 * kernels.
 */

#include "analysis/conversion/conversion_parts.h"

/* The bit of the register number that a nonzero basis belongs to. */
static int register_bit(const struct lw_layout *layout, int position)
{
    int bit = 0;
    for (int left = position;; bit++)
        if (layout->basis[bit] && left-- == 0)
            return bit;
}

/* Splits the register bits of one side: into `round` those that select the round, into offsets
 * the others. */
static bool split_registers(struct lw_offsets *offsets, uint64_t *round,
                            const struct lw_layout *cvt, const struct lw_layout *layout)
{
    uint64_t image[2];
    for (int i = 0; i < lw_layout_in_log2(cvt, LW_BY_REGISTER); i++) {
        int bit = register_bit(layout, i);
        lw_layout_basis(cvt, LW_BY_REGISTER, i, image);
        if (image[1] && (image[0] || lw_log2(image[1]) < 0))
            return false;
        if (image[1]) {
            round[lw_log2(image[1])] = (uint64_t)1 << bit;
        } else {
            offsets->reg[offsets->registers] = image[0];
            offsets->reg_bit[offsets->registers++] = bit;
        }
    }
    return true;
}

static bool offsets_of(const struct lw_layout *cvt, int dim, uint64_t *offsets, int *count)
{
    uint64_t image[2];
    *count = lw_layout_in_log2(cvt, dim);
    for (int i = 0; i < *count; i++) {
        lw_layout_basis(cvt, dim, i, image);
        offsets[i] = image[0];
        if (image[1])
            return false;
    }
    return true;
}

/* The offsets of the first round, and which register bits select the other rounds. */
static bool make_offsets(struct lw_offsets *offsets, uint64_t *round,
                         const struct lw_conversion_side *side, const struct lw_layout *layout,
                         const struct lw_conversion *conversion, struct lw_error *err)
{
    enum lw_identity_rule rule = lw_triton_identity_rule(conversion->request.triton);
    struct lw_layout cvt;
    *offsets = (struct lw_offsets){0};
    if (!lw_layout_invert_and_compose(&cvt, &side->layout, &conversion->memory, rule, err))
        return false;
    return (split_registers(offsets, round, &cvt, layout) &&
            offsets_of(&cvt, LW_BY_LANE, offsets->lane, &offsets->lanes) &&
            offsets_of(&cvt, LW_BY_WARP, offsets->warp, &offsets->warps)) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "the compiler's rules for rounds do not apply: a lane or warp would be in "
                        "several rounds");
}

static bool lower(struct lw_plan *plan, const struct lw_conversion *conversion, bool store,
                  const struct lw_offsets *offsets, const struct lw_tail *tail,
                  struct lw_error *err)
{
    const struct lw_conversion_request *request = &conversion->request;
    unsigned bits = request->element_bits < 8 ? 8 : request->element_bits, sm;
    enum lw_move_kind move = store ? conversion->exchange.store : conversion->exchange.load;
    plan->request.element_bits = bits;
    plan->request.op = store ? LW_ACCESS_STORE : LW_ACCESS_LOAD;
    plan->request.hardware = request->hardware;
    plan->request.triton = request->triton;
    plan->request.stage = lw_hardware_sm(request->hardware, &sm) ? request->stage : LW_PLAN_TRITON;
    plan->request.to_global = tail->any;
    plan->request.any_cost = request->any_cost;
    if (!lw_offsets_fit(offsets, bits, move))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the compiler's rules choose %s, but it cannot move these registers",
                            store ? "stmatrix" : "ldmatrix");
    return lw_plan_lower(plan, offsets, move, tail, err);
}

static void add_total(struct lw_plan_total *total, const struct lw_plan_total *more, uint64_t times)
{
    total->instructions += more->instructions * times;
    total->matrix += more->matrix * times;
    total->wavefronts += more->wavefronts * times;
    total->conflicts += more->conflicts * times;
    total->ideal += more->ideal * times;
    total->bytes += more->bytes * times;
}

static bool make_store(struct lw_conversion *conversion, const struct lw_conversion_side *from,
                       struct lw_error *err)
{
    struct lw_offsets offsets;
    struct lw_tail none = {0};
    if (!make_offsets(&offsets, conversion->store_round, from, &conversion->from, conversion,
                      err) ||
        !lower(&conversion->store, conversion, true, &offsets, &none, err))
        return false;
    add_total(&conversion->store_total, &conversion->store.total, conversion->rounds);
    return true;
}

static bool make_load(struct lw_conversion *conversion, const struct lw_conversion_side *to,
                      struct lw_error *err)
{
    struct lw_offsets offsets;
    struct lw_tail none = {0}, tail = {0};
    if (conversion->request.to_global && conversion->request.stage == LW_PLAN_COMPILED)
        lw_tail_make(&tail, &conversion->to, conversion->request.element_bits);
    if (!make_offsets(&offsets, conversion->load_round, to, &conversion->to, conversion, err) ||
        !lower(&conversion->load, conversion, false, &offsets, &none, err))
        return false;
    add_total(&conversion->load_total, &conversion->load.total, conversion->rounds - tail.any);
    if (!tail.any)
        return true;
    for (int i = 0; i < conversion->exchange.rounds; i++)
        offsets.reg_base |= conversion->load_round[i];
    if (!lower(&conversion->last_load, conversion, false, &offsets, &tail, err))
        return false;
    add_total(&conversion->load_total, &conversion->last_load.total, 1);
    return true;
}

bool lw_exchange_lower(struct lw_conversion *conversion, const struct lw_conversion_side *from,
                       const struct lw_conversion_side *to, struct lw_error *err)
{
    uint64_t lanes = lw_dims_size(&conversion->from.in, "lane");
    if (lanes < lw_dims_size(&conversion->to.in, "lane"))
        lanes = lw_dims_size(&conversion->to.in, "lane");
    return lw_plan_check_lanes(lanes, conversion->request.hardware, err) &&
           make_store(conversion, from, err) && make_load(conversion, to, err);
}

const struct lw_error *lw_conversion_unknown(const struct lw_conversion *conversion)
{
    return conversion->store.unknown.code != LW_OK  ? &conversion->store.unknown
           : conversion->load.unknown.code != LW_OK ? &conversion->load.unknown
                                                    : NULL;
}

/* ---- Instructions ---- */

uint64_t lw_conversion_count(const struct lw_conversion *conversion, enum lw_access_op op)
{
    const struct lw_plan *plan = op == LW_ACCESS_STORE ? &conversion->store : &conversion->load;
    return conversion->kind == LW_CONVERSION_SHARED ? plan->count * conversion->rounds : 0;
}

void lw_conversion_instruction(const struct lw_conversion *conversion, enum lw_access_op op,
                               uint64_t i, struct lw_instruction *out)
{
    bool store = op == LW_ACCESS_STORE;
    const struct lw_plan *plan = store ? &conversion->store : &conversion->load;
    const uint64_t *bits = store ? conversion->store_round : conversion->load_round;
    uint64_t round = i / plan->count, base = lw_xor_at(bits, round);
    if (!store && conversion->last_load.parts && round == conversion->rounds - 1) {
        plan = &conversion->last_load;
        base = 0;
    }
    lw_plan_instruction(plan, i % plan->count, out);
    for (unsigned k = 0; k < out->register_count; k++)
        out->registers[k] |= base;
}
