/*
 * What reductions and scans share: a layout decomposed as Triton's code does it, and accesses to
 * the scratch memory.
 *
 * Invariant: an access is of one operand, one instruction and one warp, and its lanes access what
 * Triton's code computes. That code assumes that the bits of each dim are in blocks; it is
 * followed for other layouts too.
 */

#include "analysis/access/reduction_parts.h"

#define ACCESSES_MAX ((uint64_t)1 << 16)

/* ---- Layouts ---- */

bool lw_walk_refuse(struct lw_walk *walk, const char *why)
{
    return lw_error_set(walk->err, LW_ERROR_UNSUPPORTED, "%s", why);
}

static bool indices_of(const struct lw_layout *layout, int *dim)
{
    static const char *const names[LW_WALK_DIMS] = {"register", "lane", "warp"};
    for (int i = 0; i < LW_WALK_DIMS; i++)
        dim[i] = lw_dims_find(&layout->in, names[i]);
    return dim[LW_WALK_REG] >= 0 && dim[LW_WALK_LANE] >= 0 && dim[LW_WALK_WARP] >= 0;
}

static bool is_alone(const struct lw_layout *layout)
{
    int block = lw_dims_find(&layout->in, "block");
    return block < 0 || layout->in.dim[block].size == 1;
}

uint64_t lw_walk_size(const struct lw_walk *walk, int dim)
{
    return walk->layout.in.dim[walk->dim[dim]].size;
}

/* The dim that a bit moves along, -1: none, -2: several. */
static int moves_along(const struct lw_walk *walk, int dim, int bit)
{
    uint64_t image[LW_DIMS_MAX];
    int found = -1;
    lw_layout_basis(&walk->layout, walk->dim[dim], bit, image);
    for (int d = 0; d < walk->rank; d++)
        if (image[d])
            found = found == -1 ? d : -2;
    return found;
}

/* The dims in the order in which the bits of a register, lane or warp first move along them, then the others in the
 * order of `rest`. */
static void order_of(const struct lw_walk *walk, int dim, const int *rest, int *order)
{
    unsigned seen = 0;
    int count = 0, bits = lw_layout_in_log2(&walk->layout, walk->dim[dim]);
    for (int bit = 0; bit < bits; bit++) {
        int d = moves_along(walk, dim, bit);
        if (d >= 0 && !(seen >> d & 1))
            order[count++] = d;
        seen |= d >= 0 ? 1u << d : 0;
    }
    for (int i = 0; i < walk->rank; i++)
        if (!(seen >> rest[i] & 1))
            order[count++] = rest[i];
}

static bool take_apart(struct lw_walk *walk)
{
    uint64_t masks[LW_DIMS_MAX];
    int last_first[LW_DIMS_MAX] = {0};
    lw_layout_free_masks(&walk->layout, masks);
    for (int d = 0; d < walk->rank; d++)
        last_first[d] = walk->rank - 1 - d;
    for (int dim = 0; dim < LW_WALK_DIMS; dim++) {
        int bits = lw_layout_in_log2(&walk->layout, walk->dim[dim]);
        walk->free[dim] = masks[walk->dim[dim]];
        for (int d = 0; d < walk->rank; d++)
            walk->along[dim][d] = 1;
        for (int bit = 0; bit < bits; bit++) {
            int d = moves_along(walk, dim, bit);
            if (d == -2)
                return lw_walk_refuse(
                    walk,
                    "a basis of its layout moves along several dims: the rule for that is unknown");
            if (d >= 0)
                walk->along[dim][d] *= 2;
        }
        order_of(walk, dim, dim == LW_WALK_REG ? last_first : walk->order[LW_WALK_REG],
                 walk->order[dim]);
    }
    return true;
}

static bool check(struct lw_walk *walk)
{
    const struct lw_reduction_request *request = walk->request;
    if (request->axis < 0 || request->axis >= walk->rank)
        return lw_error_set(walk->err, LW_ERROR_PARAMETER, "the axis is not one of its dims");
    if (request->operand_count < 1 || request->operand_count > LW_REDUCTION_OPERANDS_MAX)
        return lw_error_set(walk->err, LW_ERROR_LIMIT, "1 to %d tensors can be reduced together",
                            LW_REDUCTION_OPERANDS_MAX);
    for (int i = 0; i < request->operand_count; i++) {
        unsigned bytes = (request->element_bits[i] + 7) / 8;
        if (!bytes || bytes > 8 || (bytes & (bytes - 1)))
            return lw_walk_refuse(walk, "no instruction moves elements of this size");
    }
    if (!is_alone(&walk->layout))
        return lw_walk_refuse(
            walk, "the tensor is spread over several blocks: the rule for that is unknown");
    if (lw_walk_size(walk, LW_WALK_LANE) != walk->hardware->lanes)
        return lw_walk_refuse(
            walk, "its layout and the hardware have different numbers of lanes per warp");
    return true;
}

bool lw_walk_open(struct lw_walk *walk)
{
    const struct lw_reduction_request *request = walk->request;
    if (!lw_map_to_layout(request->registers, &walk->layout, walk->err) ||
        (request->result && !lw_map_to_layout(request->result, &walk->result, walk->err)))
        return false;
    walk->rank = walk->layout.out.count;
    if (!indices_of(&walk->layout, walk->dim) ||
        (request->result && !indices_of(&walk->result, walk->result_dim)))
        return lw_walk_refuse(walk, "its layout lacks a dim register, lane or warp");
    return check(walk) && take_apart(walk);
}

bool lw_walk_digits(const struct lw_walk *walk, int dim, uint64_t value, uint64_t *digit)
{
    uint64_t packed = 0;
    int bits = lw_layout_in_log2(&walk->layout, walk->dim[dim]), count = 0;
    for (int bit = 0; bit < bits; bit++)
        if (!(walk->free[dim] >> bit & 1))
            packed |= (value >> bit & 1) << count++;
    for (int i = 0; i < walk->rank; i++) {
        int d = walk->order[dim][i];
        digit[d] = packed % walk->along[dim][d];
        packed /= walk->along[dim][d];
    }
    return !(value & walk->free[dim]);
}

void lw_walk_index(const struct lw_layout *layout, const int *dim, uint64_t reg, uint64_t lane,
                   uint64_t warp, uint64_t *out)
{
    uint64_t in[LW_DIMS_MAX] = {0};
    in[dim[LW_WALK_REG]] = reg;
    in[dim[LW_WALK_LANE]] = lane;
    in[dim[LW_WALK_WARP]] = warp;
    lw_layout_apply(layout, in, out);
}

uint64_t lw_walk_linear(const uint64_t *index, const uint64_t *shape, const int *order, int rank)
{
    uint64_t at = 0;
    for (int i = rank; i-- > 0;)
        at = at * shape[order[i]] + index[order[i]];
    return at;
}

/* ---- Accesses ---- */

static uint64_t distinct(const struct lw_walk_lanes *lanes, unsigned count)
{
    uint64_t found = 0;
    for (unsigned i = 0; i < count; i++) {
        bool again = !(lanes->active >> i & 1);
        for (unsigned j = 0; j < i && !again; j++)
            again = (lanes->active >> j & 1) && lanes->element[j] == lanes->element[i];
        found += !again;
    }
    return found;
}

bool lw_walk_access(struct lw_walk *walk, enum lw_access_op op, const struct lw_walk_lanes *lanes,
                    uint32_t operands, unsigned width)
{
    struct lw_plan_total *total = op == LW_ACCESS_STORE ? &walk->out->store : &walk->out->load;
    for (int i = 0; i < walk->request->operand_count; i++) {
        if (!(operands >> i & 1))
            continue;
        unsigned bytes = (walk->request->element_bits[i] + 7) / 8;
        struct lw_access access = {.op = op, .width = bytes * width, .active = lanes->active};
        struct lw_cost cost;
        if (++walk->accesses > ACCESSES_MAX)
            return lw_error_set(
                walk->err, LW_ERROR_LIMIT,
                "too many accesses to shared memory by all warps: the limit is 2^16");
        for (unsigned lane = 0; lane < walk->hardware->lanes; lane++)
            access.address[lane] = walk->base[i] + lanes->element[lane] * bytes;
        if (!lanes->active)
            continue;
        if (!lw_access_cost(walk->hardware->banks, &access, &cost, walk->err))
            return false;
        total->instructions++;
        total->wavefronts += cost.wavefronts;
        total->conflicts += cost.conflicts;
        total->ideal += cost.ideal;
        total->bytes += distinct(lanes, walk->hardware->lanes) * bytes * width;
    }
    return true;
}

void lw_walk_bases(struct lw_walk *walk)
{
    const struct lw_reduction_request *request = walk->request;
    uint64_t at = 0;
    for (unsigned bytes = 16; bytes > 0; bytes /= 2)
        for (int i = 0; i < request->operand_count; i++)
            if ((request->element_bits[i] + 7) / 8 == bytes) {
                walk->base[i] = at;
                at += walk->scratch * bytes;
            }
    walk->out->shared_bytes = at;
}
