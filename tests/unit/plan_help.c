/* What tests of access plans share: maps of sources, and an independent look at every instruction. */

#include "plan_help.h"

#include "laneway/document.h"

#include "golden.h"

struct lw_map plan_map(const char *source)
{
    struct lw_document doc;
    struct lw_map map = {0};
    struct lw_error err = {0};
    if (!lw_document_read(&doc, source, strlen(source), golden_options(), &err) ||
        !lw_document_build(&doc, &map, &err))
        fail_msg("%s: %s", source, err.message);
    lw_document_free(&doc);
    return map;
}

struct lw_plan plan_made(const struct lw_map *registers, const struct lw_map *memory, unsigned bits,
                         enum lw_access_op op)
{
    struct lw_plan_request request = {
        .registers = registers, .memory = memory, .element_bits = bits, .op = op};
    struct lw_plan plan;
    struct lw_error err = {0};
    if (!lw_plan_make(&plan, &request, &err))
        fail_msg("%s", err.message);
    return plan;
}

/* ---- Every value goes where it belongs ---- */

/* The byte address of the element that a register holds. */
static uint64_t address_of(const struct lw_plan *plan, uint64_t reg, uint64_t lane, uint64_t warp)
{
    const struct lw_map *registers = plan->request.registers, *memory = plan->request.memory;
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX], index[LW_DIMS_MAX];
    for (int i = 0; i < registers->in.count; i++) {
        const char *name = registers->in.dim[i].name;
        uint64_t thread = warp * plan->request.hardware->lanes + lane;
        in[i] = !strcmp(name, "register") || !strcmp(name, "local") ? reg
                : !strcmp(name, "lane")                             ? lane
                : !strcmp(name, "warp")                             ? warp
                : !strcmp(name, "thread")                           ? thread
                                                                    : 0;
    }
    assert_true(lw_map_apply(registers, in, out));
    assert_true(lw_map_owner(memory, out, 0, index));
    return index[0] * plan->request.element_bits / 8;
}

/* By the definition of ldmatrix: lane l holds 4 bytes of row l / 4 of each matrix; transposed, of rows
 * 2 (l mod 4) and the next, in column l / 4. */
static uint64_t matrix_address(const struct lw_instruction *i, unsigned k, unsigned each,
                               unsigned lane, unsigned bytes)
{
    unsigned matrix = k / each, element = k % each;
    if (i->transposed)
        return i->access.address[8 * matrix + 2 * (lane % 4) + element] + 2 * (lane / 4);
    return i->access.address[8 * matrix + lane / 4] + 4 * (lane % 4) + element * bytes;
}

static void check_instruction(const struct lw_plan *plan, const struct lw_instruction *i)
{
    unsigned bits = plan->request.element_bits, each = bits < 32 ? 32 / bits : 1;
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned k = 0; (i->access.active >> lane & 1) && k < i->register_count; k++) {
            uint64_t address = i->access.matrices
                                   ? matrix_address(i, k, each, lane, bits / 8)
                                   : i->access.address[lane] + (uint64_t)k * bits / 8;
            assert_int_equal(address, address_of(plan, i->registers[k], lane, i->warp));
        }
}

/* Looks at every instruction: what it moves, and that the totals are theirs. */
void plan_check(const struct lw_plan *plan)
{
    struct lw_plan_total total = {0};
    assert_int_equal(plan->count, plan->per_warp * plan->warps);
    for (uint64_t n = 0; n < plan->count; n++) {
        struct lw_instruction i;
        struct lw_cost cost;
        lw_plan_instruction(plan, n, &i);
        assert_true(lw_access_cost(plan->request.hardware->banks, &i.access, &cost, NULL));
        check_instruction(plan, &i);
        total.instructions += i.access.active != 0;
        total.matrix += i.access.matrices != 0;
        total.wavefronts += cost.wavefronts;
        total.conflicts += cost.conflicts;
        total.ideal += cost.ideal;
    }
    assert_int_equal(plan->total.instructions, total.instructions);
    assert_int_equal(plan->total.matrix, total.matrix);
    assert_int_equal(plan->total.wavefronts, total.wavefronts);
    assert_int_equal(plan->total.conflicts, total.conflicts);
    assert_int_equal(plan->total.ideal, total.ideal);
}
