/*
 * Access plans: checks of the request and the choice of a rule.
 */

#include "analysis/access/plan_parts.h"

#include <string.h>

bool lw_plan_stage_find(const char *name, enum lw_plan_stage *stage)
{
    static const char *const names[] = {"compiled", "triton", "written"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(names[i], name)) {
            *stage = (enum lw_plan_stage)i;
            return true;
        }
    return false;
}

/* Fails with a message; `format` has a %s for the registers and one for the memory. */
static bool refuse(const struct lw_dims *registers, const struct lw_dims *memory,
                   void (*put)(struct lw_text *text, const struct lw_dims *dims),
                   const char *format, struct lw_error *err)
{
    struct lw_text left = {0}, right = {0};
    put(&left, registers);
    put(&right, memory);
    lw_error_set(err, LW_ERROR_SHAPE, format, lw_text_string(&left), lw_text_string(&right));
    lw_text_free(&left);
    lw_text_free(&right);
    return false;
}

bool lw_plan_check_part(const struct lw_dims *registers, const struct lw_dims *memory,
                        struct lw_error *err)
{
    if (registers->count != memory->count)
        return refuse(registers, memory, lw_dims_print_sizes,
                      "registers of %s do not fit into memory of %s: both need the same number of "
                      "dims, each of at most the memory's size",
                      err);
    for (int i = 0; i < registers->count; i++)
        if (lw_dims_find(memory, registers->dim[i].name) < 0)
            return refuse(registers, memory, lw_dims_print_names,
                          "the dims of the registers are %s, those of the memory %s: the names "
                          "must be the same",
                          err);
    for (int i = 0; i < registers->count; i++)
        if (registers->dim[i].size > lw_dims_size(memory, registers->dim[i].name))
            return refuse(registers, memory, lw_dims_print_sizes,
                          "registers of %s do not fit into memory of %s: each dim may have at most "
                          "the memory's size",
                          err);
    return true;
}

static bool check(const struct lw_plan_request *request, struct lw_error *err)
{
    const struct lw_dims *in = &request->registers->in;
    unsigned bits = request->element_bits;
    if (request->op != LW_ACCESS_LOAD && request->op != LW_ACCESS_STORE)
        return lw_error_set(err, LW_ERROR_PARAMETER, "a plan is for a load or a store");
    if (bits > 128 || lw_log2(bits) < 0)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "elements of %u bits are not supported in a plan: they must have 1, 2, 4, ..., 128",
            bits);
    if (lw_dims_find(in, "offset") >= 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "a plan is between registers and memory, but both layouts are memory");
    if (lw_memory_dim(request->memory) < 0)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "a plan is between registers and memory, but neither layout has offsets");
    return lw_plan_check_part(&request->registers->out, &request->memory->out, err);
}

/* Makes the plan by the compiler's rules where both maps are linear and elements are whole bytes, else by runs. */
static bool make(struct lw_plan *plan, struct lw_error *err)
{
    struct lw_plan_request *request = &plan->request;
    struct lw_layout registers;
    struct lw_offsets offsets;
    struct lw_tail tail = {0};
    enum lw_move_kind move;
    bool linear;
    plan->parts = lw_arena_alloc(&plan->arena, sizeof *plan->parts);
    if (!plan->parts)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!lw_offsets_make(&offsets, &registers, request, &linear, err))
        return false;
    if (!linear || request->by_runs || request->vector || request->element_bits < 8)
        return lw_plan_runs(plan, err);
    if (request->stage == LW_PLAN_WRITTEN)
        return lw_plan_lower(plan, &offsets, LW_MOVE_PLAIN, NULL, err);
    if (!lw_offsets_choose(&offsets, request, &move, err))
        return false;
    if (request->to_global && request->op == LW_ACCESS_LOAD && request->stage == LW_PLAN_COMPILED)
        lw_tail_make(&tail, &registers, request->element_bits);
    return lw_plan_lower(plan, &offsets, move, &tail, err);
}

bool lw_plan_make(struct lw_plan *plan, const struct lw_plan_request *request, struct lw_error *err)
{
    unsigned sm;
    memset(plan, 0, sizeof *plan);
    plan->request = *request;
    if (!request->hardware)
        plan->request.hardware = lw_hardware_default();
    if (!lw_hardware_sm(plan->request.hardware, &sm) && request->stage == LW_PLAN_COMPILED)
        plan->request.stage = LW_PLAN_TRITON;
    if (check(request, err) && make(plan, err))
        return true;
    lw_plan_free(plan);
    return false;
}

void lw_plan_free(struct lw_plan *plan)
{
    lw_arena_free(&plan->arena);
    plan->parts = NULL;
}
