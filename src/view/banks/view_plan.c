/* The plan view: the instructions that store and load, equal ones merged in one row with
 * the number of times that they run. Rows of stores come before those of loads. */

#include "view/banks/view_plan.h"

#include "view/banks/view_banks.h"

#include <stdlib.h>

struct plan {
    struct lw_view_state shared;
    const struct lw_plan *plans[2]; /* borrowed; the second one may be NULL */
    struct lw_explanation whole[2]; /* of each plan, made when first needed */
};

static struct plan *plan_of(const struct lw_view *view)
{
    return (struct plan *)view->state;
}

enum { COL_RUNS, COL_REGISTERS, COL_LANES, COL_WAVEFRONTS, COL_IDEAL, COL_WAY, COLS };

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    enum lw_view_access access = view->options.access;
    const struct lw_plan *store = NULL, *load = NULL;
    if (!lw_subject_access_check_plans(view->subject, err))
        return false;
    struct lw_subject_access *joined = view->subject->access;
    if (access != LW_VIEW_LOAD)
        store = lw_subject_access_plan(joined, LW_ACCESS_STORE, err);
    if (access != LW_VIEW_STORE)
        load = lw_subject_access_plan(joined, LW_ACCESS_LOAD, err);
    if (!store && !load)
        return false;
    plan_of(view)->plans[0] = store ? store : load;
    plan_of(view)->plans[1] = store ? load : NULL;
    view->rows =
        (store ? (uint64_t)store->kind_count : 0) + (load ? (uint64_t)load->kind_count : 0);
    view->page_rows = view->rows;
    view->cols = COLS;
    return true;
}

/* ---- Cells ---- */

/* The plan of a row, and the instructions that are merged in it. */
static const struct lw_plan *plan_at(const struct lw_view *view, uint64_t row,
                                     const struct lw_plan_kind **kind)
{
    const struct plan *p = plan_of(view);
    uint64_t count = (uint64_t)p->plans[0]->kind_count;
    const struct lw_plan *plan = p->plans[row >= count];
    *kind = &plan->kinds[row >= count ? row - count : row];
    return plan;
}

/* "0-3 8-11"; of more than a few the first, or of several instructions those of the first: "0-3 ..." */
static void put_registers(struct lw_text *text, const struct lw_instruction *instruction,
                          bool several)
{
    enum { RANGES_MAX = 4 };
    const uint64_t *registers = instruction->registers;
    unsigned count = instruction->register_count, ranges = 0;
    for (unsigned i = 0, end; i < count && ranges < RANGES_MAX; i = end, ranges++) {
        for (end = i + 1; end < count && registers[end] == registers[end - 1] + 1;)
            end++;
        lw_text_format(text, "%s%llu", i ? " " : "", (unsigned long long)registers[i]);
        if (end - i > 1)
            lw_text_format(text, "-%llu", (unsigned long long)registers[end - 1]);
        several = several || (ranges + 1 == RANGES_MAX && end < count);
    }
    lw_text_add(text, several ? " ..." : "");
}

/* The most wavefronts that one group of lanes takes. */
static unsigned ways_of(const struct lw_plan *plan, const struct lw_access *access)
{
    struct lw_wavefronts served;
    if (!lw_access_wavefronts(plan->request.hardware->banks, access, &served, NULL))
        return 0;
    return lw_banks_ways(&served, UINT64_MAX);
}

static void put_conflict(struct lw_text *text, const struct lw_plan *plan,
                         const struct lw_plan_kind *kind)
{
    struct lw_instruction first;
    if (!kind->cost.conflicts) {
        lw_text_add(text, "none");
        return;
    }
    lw_plan_instruction(plan, kind->first, &first);
    lw_text_format(text, "%u-way, +%u", ways_of(plan, &first.access), kind->cost.conflicts);
}

static void put_number(struct lw_text *text, const struct lw_plan_kind *kind, uint64_t col)
{
    const uint64_t numbers[COLS] = {[COL_RUNS] = kind->count,
                                    [COL_LANES] = kind->lanes,
                                    [COL_WAVEFRONTS] = kind->cost.wavefronts,
                                    [COL_IDEAL] = kind->cost.ideal};
    lw_text_add(text, col == COL_RUNS ? "x " : "");
    lw_text_number(text, numbers[col]);
}

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    const struct lw_plan_kind *kind;
    const struct lw_plan *plan = plan_at(view, row, &kind);
    struct lw_instruction first;
    *cell = (struct lw_cell){.ink = LW_INK_PLAIN};
    if (col == COL_WAVEFRONTS || col == COL_WAY)
        cell->ink = kind->cost.conflicts ? LW_INK_BAD : LW_INK_GOOD;
    if (col == COL_REGISTERS) {
        lw_plan_instruction(plan, kind->first, &first);
        put_registers(text, &first, plan->opcodes[kind->opcode].count > 1);
    } else if (col == COL_WAY) {
        put_conflict(text, plan, kind);
    } else {
        put_number(text, kind, col);
    }
}

static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    const struct lw_plan_kind *kind;
    const struct lw_plan *plan = plan_at(view, row, &kind);
    lw_text_add(text, plan->opcodes[kind->opcode].name);
}

/* "store: 8 instructions, 32 wavefronts, ideal 32, 0 conflicts; load: ...; NVIDIA, 32 banks, measured on H200" */
static void caption(const struct lw_view *view, struct lw_text *text)
{
    const struct plan *p = plan_of(view);
    for (int i = 0; i < 2 && p->plans[i]; i++) {
        enum lw_access_op op = p->plans[i]->request.op;
        const struct lw_plan_total *total =
            lw_subject_access_total(view->subject->access, op, NULL);
        lw_text_add(text, op == LW_ACCESS_STORE ? "store: " : "load: ");
        lw_put_count(text, total->instructions, "instruction");
        lw_text_add(text, ", ");
        lw_banks_put_cost(text, total->wavefronts, total->ideal, total->conflicts);
        lw_text_add(text, "; ");
    }
    lw_banks_put_model(text, p->plans[0]);
}

static void explain_whole(const struct lw_view *view, const struct lw_plan *plan,
                          struct lw_explanation *explanation)
{
    struct lw_explanation *whole = &plan_of(view)->whole[plan != plan_of(view)->plans[0]];
    if (!whole->count) {
        lw_explain_access_cost(view->subject->access, plan->request.op, whole);
        lw_explain_plan_rule(plan, whole);
    }
    for (int i = 0; i < whole->count; i++)
        lw_text_add(lw_explanation_line(explanation, whole->line[i].label),
                    lw_text_string(&whole->line[i].text));
}

static void explain(const struct lw_view *view, uint64_t row, uint64_t col,
                    struct lw_explanation *explanation)
{
    const struct lw_plan_kind *kind;
    const struct lw_plan *plan = plan_at(view, row, &kind);
    (void)col;
    row_label(view, row, lw_explanation_line(explanation, "instruction"));
    lw_banks_put_cost(lw_explanation_line(explanation, "each costs"), kind->cost.wavefronts,
                      kind->cost.ideal, kind->cost.conflicts);
    explain_whole(view, plan, explanation);
}

static void close_view(struct lw_view *view)
{
    for (int i = 0; i < 2; i++)
        lw_explanation_free(&plan_of(view)->whole[i]);
}

const struct lw_view_type lw_view_plan = {
    .name = "plan",
    .title = "Plan",
    .corner = "instruction",
    .access = true,
    .help = "instructions of an access, equal ones in one row, and their costs",
    .state_size = sizeof(struct plan),
    .prose = true,
    .open = open_view,
    .arrange = lw_view_stays,
    .close = close_view,
    .cell = cell_of,
    .row_label = row_label,
    .columns =
        (const char *const[COLS]){"runs", "registers", "lanes", "wavefronts", "ideal", "conflict"},
    .col_label = lw_view_put_column,
    .width = lw_widest_cell,
    .caption = caption,
    .explain = explain,
};
