/*
 * Two layouts, a line each, between them everything that is analysed of two: made, or refused with a message; what
 * was made adds up, instruction by instruction. The first byte selects bits, target and more.
 */

#include "fuzz_reading.h"
#include "analysis/swizzle/swizzle_parts.h"
#include "notation/document/read.h"

#include "laneway/algebra.h"
#include "laneway/wavefront.h"
#include "analysis/owners.h"
#include "analysis/access/path.h"
#include "laneway/swizzle.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LOOKED_AT 512 /* instructions, elements, candidates */

struct two {
    struct lw_document doc[2];
    struct lw_map map[2];
    unsigned bits;
    const struct lw_hardware *hardware;
    bool to_global;
    enum lw_plan_stage stage;
};

/* ---- Adding up ---- */

static void add(struct lw_plan_total *sum, const struct lw_instruction *instruction,
                const struct lw_hardware *hardware)
{
    struct lw_wavefronts served;
    struct lw_cost cost;
    if (!instruction->access.active)
        return;
    must(lw_access_cost(hardware->banks, &instruction->access, &cost, NULL));
    must(lw_access_wavefronts(hardware->banks, &instruction->access, &served, NULL));
    must(served.count == cost.wavefronts && served.cost.conflicts == cost.conflicts);
    must(cost.ideal <= cost.wavefronts && cost.conflicts < cost.wavefronts);
    sum->instructions++;
    sum->matrix += instruction->access.matrices > 0;
    sum->wavefronts += cost.wavefronts;
    sum->conflicts += cost.conflicts;
    sum->ideal += cost.ideal;
}

static void must_equal(const struct lw_plan_total *a, const struct lw_plan_total *b)
{
    must(a->instructions == b->instructions && a->matrix == b->matrix);
    must(a->wavefronts == b->wavefronts && a->conflicts == b->conflicts && a->ideal == b->ideal);
}

static void check_opcodes(const struct lw_plan *plan)
{
    uint64_t codes = 0;
    for (int i = 0; i < plan->opcode_count; i++)
        codes += plan->opcodes[i].count;
    must(codes == plan->per_warp && plan->count == plan->per_warp * plan->warps);
}

static void check_plan(const struct lw_plan *plan)
{
    struct lw_plan_total sum = {0};
    struct lw_instruction instruction;
    check_opcodes(plan);
    if (plan->count > LOOKED_AT)
        return;
    for (uint64_t i = 0; i < plan->count; i++) {
        lw_plan_instruction(plan, i, &instruction);
        add(&sum, &instruction, plan->request.hardware);
    }
    must_equal(&sum, &plan->total);
}

/* ---- Each analysis ---- */

static void try_plan(const struct two *two, enum lw_access_op op)
{
    struct lw_plan_request request = {.registers = &two->map[0],
                                      .memory = &two->map[1],
                                      .element_bits = two->bits,
                                      .op = op,
                                      .stage = two->stage,
                                      .to_global = two->to_global,
                                      .hardware = two->hardware};
    struct lw_plan plan;
    struct lw_error err = {0};
    uint64_t conflicts;
    lw_plan_estimate(&request, &conflicts);
    if (!lw_plan_make(&plan, &request, &err)) {
        check_error(&err);
        return;
    }
    check_plan(&plan);
    lw_plan_free(&plan);
}

static void check_sides(const struct lw_conversion *c)
{
    const enum lw_access_op ops[] = {LW_ACCESS_STORE, LW_ACCESS_LOAD};
    const struct lw_path path = lw_path_of_conversion(c);
    for (int side = 0; side < 2; side++) {
        uint64_t count = lw_path_count(&path, ops[side]);
        struct lw_plan_total sum = {0};
        struct lw_instruction instruction;
        if (count > LOOKED_AT)
            continue;
        for (uint64_t i = 0; i < count; i++) {
            lw_path_instruction(&path, ops[side], i, &instruction);
            add(&sum, &instruction, c->request.hardware);
        }
        must_equal(&sum, side ? &c->load_total : &c->store_total);
    }
}

static void try_conversion(const struct two *two)
{
    struct lw_conversion_request request = {.from = &two->map[0],
                                            .to = &two->map[1],
                                            .element_bits = two->bits,
                                            .stage = two->stage,
                                            .to_global = two->to_global,
                                            .hardware = two->hardware};
    struct lw_conversion c;
    struct lw_layout again;
    struct lw_error err = {0};
    if (!lw_conversion_make(&c, &request, &err)) {
        check_error(&err);
        return;
    }
    must(lw_layout_compose(&again, &c.source, &c.from, &err) && lw_layout_equal(&again, &c.to));
    check_sides(&c);
    lw_conversion_free(&c);
}

/* Whether the count of a comparison is that of its elements. */
static void try_comparison(const struct two *two)
{
    struct lw_comparison comparison;
    struct lw_error err = {0};
    uint64_t differing, held, total;
    if (!lw_compare(&comparison, &two->map[0], &two->map[1], &err))
        check_error(&err);
    else if (lw_compare_count(&comparison, &differing, &held) &&
             lw_dims_equal(&two->map[0].out, &two->map[1].out) &&
             lw_dims_total(&two->map[0].out, &total, NULL))
        must(differing <= held && held <= total);
}

static void try_swizzle(const struct two *two)
{
    struct lw_swizzle_request request = {.store = &two->map[0],
                                         .load = &two->map[1],
                                         .element_bits = two->bits,
                                         .stage = two->stage,
                                         .hardware = two->hardware};
    struct lw_swizzle_search search;
    struct lw_error err = {0};
    struct lw_map map;
    uint64_t total;
    if (lw_dims_total(&two->map[0].out, &total, NULL) && total > 1024)
        return;
    if (!lw_swizzle_begin(&search, &request, &err)) {
        check_error(&err);
        return;
    }
    lw_swizzle_step(&search, LOOKED_AT);
    const struct lw_swizzle *best = lw_swizzle_best(&search);
    must(lw_swizzle_map(&search, best, &map, &err));
    must(lw_swizzle_wavefronts(best) <= lw_swizzle_wavefronts(&search.plain));
    must(!search.found[LW_SWIZZLE_LINEAR] ||
         search.bound <= lw_swizzle_wavefronts(&search.best[LW_SWIZZLE_LINEAR]));
    lw_swizzle_end(&search);
}

static void try_coalescing(const struct two *two)
{
    const struct lw_map *map = &two->map[0];
    struct lw_coalescing out;
    struct lw_error err = {0};
    int order[LW_DIMS_MAX];
    for (int i = 0; i < map->out.count; i++)
        order[i] = map->out.count - 1 - i;
    if (!lw_coalesce(&out, map, two->hardware->lanes, two->bits, order, &err))
        check_error(&err);
    else
        must(out.ideal_sectors <= out.sectors && out.lines <= out.sectors);
}

/* ---- Both ---- */

static bool read_line(struct lw_document *doc, const char *text, size_t length)
{
    struct lw_document read;
    struct lw_error err = {0};
    if (!lw_document_read(&read, text, length, NULL, &err)) {
        check_error(&err);
        return false;
    }
    must(lw_document_copy(doc, &read, NULL));
    lw_document_free(&read);
    return true;
}

static void try_all(struct two *two)
{
    struct lw_error err = {0};
    lw_document_share(&two->doc[0], &two->doc[1], two->to_global);
    lw_document_share(&two->doc[1], &two->doc[0], two->to_global);
    for (int i = 0; i < 2; i++)
        if (!lw_document_build(&two->doc[i], &two->map[i], &err)) {
            check_error(&err);
            return;
        }
    try_plan(two, LW_ACCESS_STORE);
    try_plan(two, LW_ACCESS_LOAD);
    try_conversion(two);
    try_comparison(two);
    try_coalescing(two);
    try_swizzle(two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned widths[] = {16, 8, 32, 64, 4, 1, 128, 24};
    struct two two;
    size_t targets;
    const struct lw_hardware *hardware = lw_hardware_list(&targets);
    const char *text = (const char *)data + 1;
    const char *end = size < 2 ? NULL : memchr(text, '\n', size - 1);
    if (!end)
        return 0;
    two.bits = widths[data[0] & 7];
    two.to_global = data[0] >> 3 & 1;
    two.stage = data[0] >> 4 & 1 ? LW_PLAN_TRITON : LW_PLAN_COMPILED;
    const char *const names[] = {"sm90", "gfx942", "sm80", "sm100", "gfx950", "gfx1100"};
    two.hardware = lw_hardware_find(names[(data[0] >> 5) % 6]);
    must(two.hardware >= hardware && two.hardware < hardware + targets);
    if (!read_line(&two.doc[0], text, (size_t)(end - text)))
        return 0;
    if (read_line(&two.doc[1], end + 1, size - 2 - (size_t)(end - text))) {
        try_all(&two);
        lw_document_free(&two.doc[1]);
    }
    lw_document_free(&two.doc[0]);
    return 0;
}
