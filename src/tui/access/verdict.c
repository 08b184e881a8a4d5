/* Replaces a layout of an access, and compares the wavefronts before and after. */

#include "tui/access/verdict.h"
#include "tui/access/solve.h"
#include "tui/form/form.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

/* "160 wavefronts (32 + 128)"; without the sum if there is only one of them. */
static void put_wavefronts(const struct lw_explorer *ex, const struct lw_swizzle *cost,
                           const char *unit, struct lw_text *text)
{
    lw_text_format(text, "%llu%s", (unsigned long long)lw_swizzle_wavefronts(cost), unit);
    if (lw_explorer_has_access(ex, LW_ACCESS_STORE) && lw_explorer_has_access(ex, LW_ACCESS_LOAD))
        lw_text_format(text, " (%llu + %llu)", (unsigned long long)cost->store.wavefronts,
                       (unsigned long long)cost->load.wavefronts);
}

void lw_verdict_message(struct lw_explorer *ex, enum lw_side side, const struct lw_swizzle *now,
                        const char *what, const struct lw_swizzle *before)
{
    struct lw_text text = {0};
    lw_text_format(&text, "%s: ", lw_side_name(side));
    put_wavefronts(ex, now, " wavefronts", &text);
    if (before) {
        lw_text_format(&text, ", %s ", what);
        put_wavefronts(ex, before, "", &text);
    }
    lw_explorer_set_message(ex, false, "%s; u undoes it", lw_text_string(&text));
    lw_text_free(&text);
}

static const struct lw_subject *at(const struct lw_explorer *ex, enum lw_side side)
{
    return lw_layouts_at(&ex->layouts, (struct lw_shown){side, false});
}

/* Finds why the banks of the access, or without memory the conversion, cannot be counted; code LW_OK: they can. */
static void find_problem(const struct lw_explorer *ex, struct lw_error *err)
{
    struct lw_view view;
    const struct lw_subject *memory = at(ex, LW_SIDE_S);
    const struct lw_view_type *type = lw_view_type_find(memory ? "banks" : "conversion");
    err->code = LW_OK;
    if (lw_layouts_are_several(&ex->layouts) &&
        lw_view_open(&view, type, memory ? memory : at(ex, LW_SIDE_A), NULL, err))
        lw_view_close(&view);
}

/* The cost of the compiler's conversion from A to B; false: there is none, or it is not counted. */
static bool judge_conversion(const struct lw_explorer *ex, struct lw_swizzle *cost)
{
    const struct lw_subject *from = at(ex, LW_SIDE_A);
    const struct lw_conversion *conversion =
        from && at(ex, LW_SIDE_B) ? lw_subject_access_conversion(from->access, NULL) : NULL;
    if (!conversion || conversion->kind == LW_CONVERSION_BLOCKS)
        return false;
    *cost = (struct lw_swizzle){.store = conversion->store_total, .load = conversion->load_total};
    return true;
}

/* The present cost of the access, or without shared S of the conversion; false: it is unknown. */
static bool judge(struct lw_explorer *ex, struct lw_swizzle *cost)
{
    struct lw_solve *solve;
    struct lw_error err;
    find_problem(ex, &err);
    if (err.code != LW_OK || ex->layouts.problem.code != LW_OK)
        return false;
    if (!at(ex, LW_SIDE_S))
        return judge_conversion(ex, cost);
    if (!(solve = calloc(1, sizeof *solve))) {
        ex->failed = true;
        return false;
    }
    bool begun = lw_solve_begin(ex, solve, NULL), known = begun && solve->has_current;
    *cost = solve->current;
    if (begun)
        lw_swizzle_end(&solve->search);
    free(solve);
    return known;
}

static bool holds(const struct lw_dims *memory, const struct lw_dims *registers)
{
    for (int i = 0; i < registers->count; i++)
        if (lw_dims_find(memory, registers->dim[i].name) < 0 ||
            lw_dims_size(memory, registers->dim[i].name) < registers->dim[i].size)
            return false;
    return memory->count == registers->count;
}

/* The registers at a side, or at any for LW_SIDE_S, whose tensor is larger than shared S; NULL: none. */
static const struct lw_subject *unheld(const struct lw_explorer *ex, enum lw_side side)
{
    const struct lw_subject *memory = at(ex, LW_SIDE_S);
    for (int i = 0; memory && i < LW_SIDES; i++) {
        const struct lw_subject *registers = i == LW_SIDE_S ? NULL : at(ex, (enum lw_side)i);
        if (registers && (side == LW_SIDE_S || (int)side == i) &&
            !holds(&memory->map.out, &registers->map.out))
            return registers;
    }
    return NULL;
}

/* "shared S of 4 x 8 does not hold registers A of 16 x 16" */
static void refuse(struct lw_explorer *ex, const struct lw_subject *registers, bool replaced)
{
    struct lw_text memory = {0}, need = {0};
    lw_dims_print_sizes(&memory, &at(ex, LW_SIDE_S)->map.out);
    lw_dims_print_sizes(&need, &registers->map.out);
    lw_explorer_set_message(
        ex, true, "shared S of %s does not hold %s of %s: %s", lw_text_string(&memory),
        lw_side_name(registers->side), lw_text_string(&need),
        replaced ? "u undoes it, or :shared SOURCE sets a memory of that size"
                 : "nothing is replaced: shared memory must have at least that size");
    lw_text_free(&memory);
    lw_text_free(&need);
}

/* Whether a pane shows that view. */
static bool is_shown(const struct lw_explorer *ex, const char *view)
{
    bool shown = false;
    for (int i = 0; i < ex->panes.count; i++)
        shown = shown || ex->panes.all[i].view_index == lw_view_index(view);
    return shown;
}

/* "an access of 64 wavefronts (32 + 32): 5 shows the banks; u undoes it", and the same of a conversion; `now` NULL: its
 * cost is unknown. */
static void message_of_new(struct lw_explorer *ex, const struct lw_swizzle *now)
{
    const bool memory = at(ex, LW_SIDE_S) != NULL;
    struct lw_text text = {0};
    lw_text_add(&text, memory ? "an access" : "a conversion");
    if (now) {
        lw_text_add(&text, " of ");
        put_wavefronts(ex, now, " wavefronts", &text);
    }
    const char *before = ": ";
    if (!memory && !is_shown(ex, "conversion")) {
        lw_text_add(&text, ": 6 shows it");
        before = ", ";
    }
    if (!is_shown(ex, "banks"))
        lw_text_format(&text, "%s%s", before,
                       memory ? "5 shows the banks" : "5 the banks of its exchange");
    lw_explorer_set_message(ex, false, "%s; u undoes it", lw_text_string(&text));
    lw_text_free(&text);
}

/* What an edit began with. */
struct former {
    bool had, had_memory; /* it had a cost, it had shared S */
    struct lw_swizzle cost;
    struct lw_dims tensor; /* no dims: there was none */
};

/* "registers A: blocked/registers-4x4, of 4 x 4 instead of 16 x 64; u undoes it" */
static void message_of_one(struct lw_explorer *ex, enum lw_side side, const char *source,
                           const struct former *former)
{
    const struct lw_dims *tensor = &ex->layouts.opened.subject.map.out;
    struct lw_text text = {0};
    lw_text_format(&text, "%s: %.120s", lw_side_name(side), source);
    if (former->tensor.count && !lw_dims_equal(tensor, &former->tensor)) {
        lw_text_add(&text, ", of ");
        lw_dims_print_sizes(&text, tensor);
        lw_text_add(&text, " instead of ");
        lw_dims_print_sizes(&text, &former->tensor);
    }
    lw_explorer_set_message(ex, false, "%s; u undoes it", lw_text_string(&text));
    lw_text_free(&text);
}

/* Shows the message after an edit that made a legal document. */
static void conclude(struct lw_explorer *ex, const char *name, const char *source,
                     const struct former *former)
{
    const bool memory = at(ex, LW_SIDE_S) != NULL;
    const enum lw_side side = !strcmp(name, lw_side_key(LW_SIDE_A))   ? LW_SIDE_A
                              : !strcmp(name, lw_side_key(LW_SIDE_B)) ? LW_SIDE_B
                              : !memory                               ? LW_SIDE_B
                                                                      : LW_SIDE_S;
    struct lw_swizzle now;
    struct lw_error err;
    find_problem(ex, &err);
    const bool known = !unheld(ex, LW_SIDE_S) && err.code == LW_OK && judge(ex, &now);
    if (unheld(ex, LW_SIDE_S))
        refuse(ex, unheld(ex, LW_SIDE_S), true);
    else if (err.code != LW_OK)
        lw_explorer_set_message(ex, true, "%s", err.message);
    else if (former->had && known)
        lw_verdict_message(ex, side, &now,
                           former->had_memory == memory ? "before" : "the compiler's own",
                           &former->cost);
    else if (known || (!memory && lw_layouts_are_several(&ex->layouts)))
        message_of_new(ex, known ? &now : NULL);
    else
        message_of_one(ex, side, source, former);
}

/* Adds to the message that the swizzle of shared S changes nothing, when it was set. */
static void mention_idle(struct lw_explorer *ex, enum lw_side side)
{
    const struct lw_subject *memory = at(ex, LW_SIDE_S);
    struct lw_text why = {0}, text = {0};
    if (side == LW_SIDE_S && memory && memory->cute && !ex->status.is_error &&
        lw_cute_put_idle(memory->cute, &why)) {
        lw_text_format(&text, "the swizzle changes no offset, as %s: %s", lw_text_string(&why),
                       ex->status.message);
        lw_explorer_set_message(ex, false, "%s", lw_text_string(&text));
    }
    lw_text_free(&why);
    lw_text_free(&text);
}

bool lw_verdict_set(struct lw_explorer *ex, const char *name, const char *source)
{
    struct former former = {.had = false};
    const enum lw_focus focus = ex->focus;
    if (!lw_explorer_entry(ex)->loaded)
        return false;
    former.had = judge(ex, &former.cost);
    former.had_memory = at(ex, LW_SIDE_S) != NULL;
    if (ex->layouts.has_opened)
        former.tensor = ex->layouts.opened.subject.map.out;
    const enum lw_side own = lw_explorer_entry(ex)->doc->side;
    const enum lw_side side = !strcmp(name, lw_side_key(LW_SIDE_A))   ? LW_SIDE_A
                              : !strcmp(name, lw_side_key(LW_SIDE_B)) ? LW_SIDE_B
                                                                      : LW_SIDE_S;
    const char *path = strcmp(name, lw_side_key(own)) != 0 ? name : "encoding";
    if (!lw_form_begin(ex))
        return false;
    struct lw_error *own_problem = lw_form_problem(ex, path);
    bool tried = lw_form_try(ex, path, source);
    const struct lw_subject *registers =
        tried && !lw_layouts_problem(&ex->layouts) ? unheld(ex, side) : NULL;
    if (registers)
        refuse(ex, registers, false);
    else if (!tried)
        lw_explorer_set_message(ex, true, "%s", own_problem->message);
    if (registers || !tried) {
        own_problem->code = LW_OK;
        lw_form_cancel(ex);
        ex->focus = focus;
        ex->changed |= LW_CHANGED_VIEW; /* the form, which had the focus, may be hidden again */
        return false;
    }
    lw_form_finish(ex);
    lw_form_choose(ex, path);
    const struct lw_error *problem = lw_layouts_problem(&ex->layouts);
    if (problem)
        lw_explorer_set_message(ex, true, "%s", problem->message);
    else
        conclude(ex, name, source, &former);
    mention_idle(ex, side);
    return true;
}
