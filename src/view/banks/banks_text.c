/*
 * The texts of the banks view: the name of an instruction, the total cost of an access, and the meaning of
 * narrow columns. The numbers are those of the plans of the access.
 */

#include "view/banks/view_banks.h"

bool lw_banks_is_whole(const struct lw_view *view)
{
    return view->options.instruction == 0;
}

const struct lw_served *lw_banks_served(const struct lw_view *view, uint64_t row)
{
    struct lw_subject_access *access = view->subject->access;
    uint64_t i = view->options.instruction - 1;
    if (lw_banks_is_whole(view)) {
        const struct lw_bank_folds *folds = lw_bank_folds_of(access, view->options.access, NULL);
        i = folds ? lw_bank_folds_first(folds, row) : row;
    }
    return lw_subject_access_served(access, view->options.access, i);
}

bool lw_banks_is_matrix(const struct lw_access *access)
{
    return access->matrices > 0;
}

void lw_banks_put_op(struct lw_text *text, const struct lw_instruction *instruction)
{
    const struct lw_access *access = &instruction->access;
    lw_text_add(text, lw_access_op_name(access->op));
    if (lw_banks_is_matrix(access))
        lw_text_format(text, ".x%u%s", access->matrices, instruction->transposed ? ".trans" : "");
}

/* "ld.shared 16 bytes", "ldmatrix.x4.trans"; of AMD, as in the list of a kernel, "ds_read_b128" */
static void put_op(struct lw_text *text, const struct lw_served *served)
{
    const struct lw_instruction *instruction = &served->instruction;
    unsigned sm;
    if (!lw_hardware_sm(served->plan->request.hardware, &sm)) {
        lw_text_add(text, lw_plan_opcode(served->plan, served->number % served->plan->count));
        return;
    }
    lw_banks_put_op(text, instruction);
    if (lw_banks_is_matrix(&instruction->access))
        return;
    lw_text_char(text, ' ');
    lw_put_count(text, instruction->access.width, "byte");
}

void lw_banks_put_instruction(struct lw_text *text, const struct lw_served *served)
{
    const struct lw_instruction *instruction = &served->instruction;
    put_op(text, served);
    lw_text_format(text, ", warp %llu", (unsigned long long)instruction->warp);
    lw_text_add(text, instruction->register_count == 1 ? ", register " : ", registers ");
    uint64_t first = instruction->registers[0],
             set = 0; /* in the order of their numbers: "0-3,8" */
    bool all = true;
    for (unsigned i = 1; i < instruction->register_count; i++)
        first = instruction->registers[i] < first ? instruction->registers[i] : first;
    for (unsigned i = 0; i < instruction->register_count; i++) {
        uint64_t at = instruction->registers[i] - first;
        all = all && at < 64;
        set |= at < 64 ? (uint64_t)1 << at : 0;
    }
    lw_put_set_from(text, set, first, 8);
    lw_text_add(text, all ? "" : ",...");
    if (served->rounds > 1)
        lw_text_format(text, ", round %llu of %llu", (unsigned long long)served->round + 1,
                       (unsigned long long)served->rounds);
}

void lw_banks_put_fold(struct lw_text *text, const struct lw_served *served,
                       const struct lw_bank_fold *fold)
{
    enum { PIECES = 4 };
    put_op(text, served);
    lw_text_add(text, fold->warps & (fold->warps - 1) ? ", warps " : ", warp ");
    lw_put_set(text, fold->warps, PIECES);
    lw_text_format(text, ", x %llu", (unsigned long long)fold->count);
}

void lw_banks_put_cost(struct lw_text *text, uint64_t wavefronts, uint64_t ideal,
                       uint64_t conflicts)
{
    lw_text_format(text, "%llu wavefront%s, ideal %llu, %llu conflict%s",
                   (unsigned long long)wavefronts, wavefronts == 1 ? "" : "s",
                   (unsigned long long)ideal, (unsigned long long)conflicts,
                   conflicts == 1 ? "" : "s");
}

void lw_banks_put_model(struct lw_text *text, const struct lw_plan *plan)
{
    const struct lw_bank_model *model = plan->request.hardware->banks;
    lw_text_format(text, "%s, %u banks, %s", model->name, model->banks, model->evidence);
}

/* Writes the cost of one direction. */
static void put_direction(struct lw_text *text, const struct lw_view *view, enum lw_access_op op)
{
    struct lw_error err;
    const struct lw_plan_total *total = lw_subject_access_total(view->subject->access, op, &err);
    lw_text_add(text, op == LW_ACCESS_STORE ? "store: " : "load: ");
    if (!total) {
        lw_text_add(text, err.message);
        return;
    }
    lw_text_format(text, "%llu instruction%s, ", (unsigned long long)total->instructions,
                   total->instructions == 1 ? "" : "s");
    lw_banks_put_cost(text, total->wavefronts, total->ideal, total->conflicts);
}

/* "store: 8 instructions, 32 wavefronts, ideal 32, 0 conflicts; load: ...; NVIDIA, measured on H200", or of one
 * instruction "load 3 of 16: ld.shared 16 bytes, warp 0, registers 8-15: 8 wavefronts, ..." */
void lw_banks_caption(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_served *served = lw_banks_served(view, 0);
    if (!lw_banks_is_whole(view) && served) {
        const struct lw_cost *cost = &served->wavefronts.cost;
        lw_text_format(text, "%s %llu of %llu: ",
                       served->plan->request.op == LW_ACCESS_STORE ? "store" : "load",
                       (unsigned long long)served->number + 1, (unsigned long long)served->count);
        lw_banks_put_instruction(text, served);
        lw_text_add(text, ": ");
        lw_banks_put_cost(text, cost->wavefronts, cost->ideal, cost->conflicts);
    } else {
        if (view->options.access != LW_VIEW_LOAD)
            put_direction(text, view, LW_ACCESS_STORE);
        lw_text_add(text, view->options.access == LW_VIEW_BOTH ? "; " : "");
        if (view->options.access != LW_VIEW_STORE)
            put_direction(text, view, LW_ACCESS_LOAD);
    }
    if (served) {
        lw_text_add(text, "; ");
        lw_banks_put_model(text, served->plan);
    }
}

void lw_banks_legend(const struct lw_view *view, struct lw_text *text)
{
    lw_text_format(text, "banks across; in a cell %s",
                   lw_banks_is_whole(view) ? view->type->heat
                   : lw_banks_is_matrix(&lw_banks_served(view, 0)->instruction.access)
                       ? "the lanes whose row addresses a wavefront serves"
                       : "the lanes that a wavefront serves");
}
