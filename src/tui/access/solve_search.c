/* The search for the best swizzle of a store and a load, in slices between events (rows: solve_rows.c). Invariant: the
 * search borrows maps of the layouts, so it ends before they change. */

#include "tui/access/solve.h"
#include "tui/explore/explorer.h"
#include "view/swizzle_tables.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

/* Appends that nothing can be gained, if so: what the wavefronts over the ideal are, as in the table of the kernel, or
 * why the compiler's conversion has fewer wavefronts than every layout that was found. */
static void put_reason(const struct lw_solve *solve, struct lw_text *text)
{
    if (!lw_solve_gains_nothing(solve))
        return;
    const struct lw_plan_total *store = &solve->current.store, *load = &solve->current.load;
    const uint64_t excess = lw_solve_excess(solve), conflicts = store->conflicts + load->conflicts;
    if (excess) {
        lw_text_format(text,
                       "none takes fewer: %llu over the ideal %llu: ", (unsigned long long)excess,
                       (unsigned long long)(store->ideal + load->ideal));
        lw_put_excess(text, excess, conflicts);
        lw_text_add(text, conflicts < excess ? " (a wavefront for each); " : "; ");
    } else {
        lw_text_add(text, "nothing to gain; ");
    }
    if (!solve->compiled)
        return;
    if (solve->by != LW_CONVERSION_SHARED)
        lw_text_format(text, "the compiler's own uses no shared memory (%s); ",
                       lw_conversion_kind_name(solve->by));
    else if (solve->rounds > 1 && lw_swizzle_wavefronts(&solve->current) <
                                      lw_swizzle_wavefronts(lw_solve_best(&solve->search)))
        lw_text_format(text,
                       "the compiler's own uses the same memory in %llu rounds, which a layout of "
                       "the whole tensor cannot do;  ",
                       (unsigned long long)solve->rounds);
}

static void put_bound(const struct lw_solve *solve, struct lw_text *text)
{
    const struct lw_swizzle_search *search = &solve->search;
    if (!search->found[LW_SWIZZLE_LINEAR])
        return;
    put_reason(solve, text);
    uint64_t least = lw_swizzle_wavefronts(&search->best[LW_SWIZZLE_LINEAR]);
    if (search->bound == 0) {
        lw_text_add(text, "the optimum of all linear layouts is unknown");
        return;
    }
    if (lw_swizzle_bound_is_proof(search))
        lw_text_add(text, least == search->bound ? "the optimum is proven: " : "proven: ");
    lw_put_bound(text, search);
}

void lw_solve_bound(const struct lw_solve *solve, struct lw_text *text)
{
    put_bound(solve, text);
    if (!solve->search.unknown)
        return;
    lw_text_add(text, text->length ? "; " : "");
    lw_put_unknown_swizzles(text, &solve->search);
}

void lw_solve_title(const struct lw_explorer *ex, struct lw_text *text)
{
    const struct lw_bank_model *banks = lw_explorer_hardware(ex)->banks;
    const struct lw_solve *solve = ex->solve;
    const char store = "ASB"[solve->registers[0]], load = "ASB"[solve->registers[1]];
    lw_text_add(text, "Best swizzle, ");
    if (solve->has[0] && solve->has[1] && store == load)
        lw_text_format(text, "store and load %c", store);
    else if (solve->has[0] && solve->has[1])
        lw_text_format(text, "store %c, load %c", store, load);
    else
        lw_text_format(text, "%s %c", solve->has[0] ? "store" : "load",
                       solve->has[0] ? store : load);
    lw_text_format(text, "%s; %s, %s", solve->has_shared ? "" : ", no shared S yet", banks->name,
                   banks->evidence);
}

/* ---- Searching ---- */

static bool step(struct lw_explorer *ex, struct lw_job *job)
{
    bool more = lw_swizzle_step(&ex->solve->search, 1);
    job->done = ex->solve->search.done;
    job->total = ex->solve->search.total;
    return more;
}

enum { NAME = 14 };

/* The columns of the name and the label of a row; with `apart` the label of a row without a name is below the others.
 */
static int label_width(const struct lw_solve *solve, const struct lw_solve_row *row, bool apart)
{
    struct lw_text label = {0};
    lw_solve_label(solve, row->swizzle, &label);
    int width = (apart || row->name[0] ? NAME : 0) + (int)lw_text_width(lw_text_string(&label));
    lw_text_free(&label);
    return width;
}

static int widest_label(const struct lw_solve *solve, const struct lw_solve_row *rows, int count,
                        bool apart)
{
    int widest = 0;
    for (int i = 0; i < count; i++) {
        int width = label_width(solve, &rows[i], apart);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void put_row(const struct lw_solve *solve, const struct lw_solve_row *row, bool apart,
                    int width, struct lw_text *text)
{
    const struct lw_swizzle *one = row->swizzle;
    if (apart || row->name[0])
        lw_text_format(text, "%-*s", NAME, row->name);
    lw_solve_label(solve, one, text);
    lw_text_repeat(text, ' ', (size_t)(width - label_width(solve, row, apart)));
    if (!lw_solve_is_known(solve, one, 0))
        lw_text_format(text, " %10s %6s %10s\n", "unknown", "", "");
    else
        lw_text_format(text, " %10llu %6llu %10llu\n",
                       (unsigned long long)lw_swizzle_wavefronts(one),
                       (unsigned long long)(one->store.ideal + one->load.ideal),
                       (unsigned long long)(one->store.conflicts + one->load.conflicts));
}

/* Puts the table; layouts without a name are in the column of the names if that table would else be cut. Returns its
 * width. */
static int put_table(const struct lw_explorer *ex, const struct lw_solve_row *rows, int count,
                     struct lw_text *text)
{
    enum { NUMBERS = 29 };
    const struct lw_solve *solve = ex->solve;
    const bool apart = widest_label(solve, rows, count, true) + NUMBERS <= lw_page_width(ex);
    const int width = widest_label(solve, rows, count, apart);
    lw_text_format(text, "%-*s%-*s %10s %6s %10s\n", NAME, "", width - NAME, "layout", "wavefronts",
                   "ideal", "conflicts");
    for (int i = 0; i < count; i++)
        put_row(solve, &rows[i], apart, width, text);
    return width + NUMBERS;
}

static void open_page(struct lw_explorer *ex)
{
    enum { PAGE_ROWS = 14 };
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    struct lw_text text = {0};
    struct lw_explanation explanation = {0};
    const struct lw_solve *solve = ex->solve;
    int count = lw_solve_rows(solve, rows);
    count = count < PAGE_ROWS ? count : PAGE_ROWS;
    lw_solve_title(ex, &text);
    lw_text_add(&text, "\n\n");
    const int width = put_table(ex, rows, count, &text);
    lw_text_char(&text, '\n');
    lw_explain_swizzles(&solve->search, &explanation);
    for (int i = 0; i < explanation.count; i++)
        lw_text_row(&text, explanation.line[i].label, 14,
                    lw_text_string(&explanation.line[i].text));
    lw_explanation_free(&explanation);
    lw_text_add(&text, solve->stopped ? "stopped: there may be better ones\n\n" : "\n");
    if (solve->has_shared && !solve->has_current)
        lw_text_row(&text, "as it is", 14, solve->unknown.message);
    for (int i = solve->has_current || solve->has_shared; i < count && rows[i].name[0]; i++) {
        struct lw_text source = {0};
        lw_swizzle_print(&source, &solve->search, rows[i].swizzle);
        lw_text_row(&text, rows[i].name, 14, lw_text_string(&source));
        lw_text_free(&source);
    }
    lw_page_open(ex, "swizzle", lw_text_string(&text));
    ex->page.wide = width > lw_page_width(ex); /* else only lines of text are broken */
    lw_text_free(&text);
}

static void ended(struct lw_explorer *ex, struct lw_job *job, bool finished)
{
    (void)job;
    ex->solve->finished = true;
    ex->solve->stopped = !finished;
    const struct lw_key_action *use = lw_key_action_find(ex, "solve-use");
    if (finished && ex->solve->awaited && use)
        use->run(ex, use->argument);
    if (!ex->solve || !ex->solve->as_page)
        return;
    open_page(ex);
    lw_solve_end(ex);
}

/* Fills in the cost of the compiler's own conversion from A to B. */
static void judge_compiler(struct lw_solve *solve, const struct lw_subject *from)
{
    const struct lw_conversion *conversion = from && lw_subject_at(from, LW_SIDE_B)
                                                 ? lw_subject_access_conversion(from->access, NULL)
                                                 : NULL;
    if (!conversion || conversion->kind == LW_CONVERSION_BLOCKS)
        return;
    solve->has_current = solve->compiled = true;
    solve->by = conversion->kind;
    solve->rounds = conversion->rounds;
    solve->current = (struct lw_swizzle){.kind = LW_SWIZZLE_GIVEN,
                                         .bytes = conversion->shared_bytes,
                                         .store = conversion->store_total,
                                         .load = conversion->load_total};
}

/* For the store and the load of the access; where only one of A and B is set, it is both. */
bool lw_solve_begin(struct lw_explorer *ex, struct lw_solve *solve, struct lw_error *err)
{
    const struct lw_subject *sides[LW_SIDES];
    for (int i = 0; i < LW_SIDES; i++)
        sides[i] = lw_layouts_at(&ex->layouts, (struct lw_shown){(enum lw_side)i, false});
    const struct lw_subject *memory = sides[LW_SIDE_S];
    solve->registers[0] = sides[LW_SIDE_A] ? LW_SIDE_A : LW_SIDE_B;
    solve->registers[1] = sides[LW_SIDE_B] ? LW_SIDE_B : LW_SIDE_A;
    const struct lw_subject *store = sides[solve->registers[0]], *load = sides[solve->registers[1]];
    for (int i = 0; i < 2; i++)
        solve->has[i] = lw_explorer_has_access(ex, i ? LW_ACCESS_LOAD : LW_ACCESS_STORE);
    if (!store)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "a swizzle is searched for a store and a load, which need a layout "
                            "in registers; this document has none: :load SOURCE adds one");
    const struct lw_element *element = &(memory ? memory : store)->tensor.element;
    const struct lw_swizzle_request request = {
        .store = solve->has[0] ? &store->map : NULL,
        .load = solve->has[1] ? &load->map : NULL,
        .memory = memory ? &memory->map : NULL,
        .element_bits = (unsigned)(element->name[0] ? element : &store->tensor.element)->bits,
        .stage = lw_subject_stage(sides),
        .hardware = lw_explorer_target(ex),
        .triton = lw_subject_triton(store)};
    if (!lw_subject_need_lanes(store, err) || !lw_subject_need_lanes(load, err) ||
        !lw_hardware_check_lanes(lw_explorer_target(ex), &store->map, err) ||
        !lw_hardware_check_lanes(lw_explorer_target(ex), &load->map, err) ||
        !lw_swizzle_begin(&solve->search, &request, err))
        return false;
    if (!memory && sides[LW_SIDE_B]) /* not where A is only compared with another layout */
        judge_compiler(solve, sides[LW_SIDE_A]);
    solve->has_shared = memory != NULL;
    if (memory)
        solve->has_current =
            lw_swizzle_judge(&solve->search, &memory->map, &solve->current, &solve->unknown);
    return true;
}

/* Whether two layouts of registers are compared, which are no store and load yet; the message has how they
 * become that. */
static bool is_of_compared(struct lw_explorer *ex)
{
    const struct lw_compare_state *compare = &ex->compare;
    if (!ex->layouts.has_other || compare->edited || !compare->source[0] ||
        lw_layouts_are_several(&ex->layouts) || ex->layouts.side == LW_SIDE_S)
        return false;
    const bool brief = strlen(compare->source) < 40 && !strpbrk(compare->source, " \n");
    lw_explorer_set_message(
        ex, true,
        "these are compared: :load %s makes the right one the load, then o finds "
        "S; Esc, o is for one of them alone",
        brief ? compare->source : "SOURCE");
    return true;
}

static void start(struct lw_explorer *ex, bool as_page)
{
    const struct lw_job job = {
        .what = "searching for the best swizzle", .step = step, .end = ended};
    struct lw_error err;
    if (!ex->layouts.has_opened || ex->layouts.problem.code != LW_OK) {
        lw_explorer_set_message(ex, true, "the layout is not legal: correct its parameters first");
        return;
    }
    if (lw_explorer_undrawn(ex)[0]) {
        lw_explorer_set_message(ex, true, "%s", lw_explorer_undrawn(ex));
        return;
    }
    if (is_of_compared(ex))
        return;
    lw_solve_end(ex);
    struct lw_solve *solve = calloc(1, sizeof *solve);
    if (!solve) {
        ex->failed = true;
        return;
    }
    if (!lw_solve_begin(ex, solve, &err)) {
        lw_explorer_set_message(ex, true, "%s%s", err.message,
                                strstr(err.message, "unknown: ")
                                    ? "; :target NAME chooses a target, ':help targets' lists them"
                                    : "");
        free(solve);
        return;
    }
    solve->as_page = as_page;
    ex->solve = solve;
    if (!as_page)
        lw_focus_open(ex, LW_FOCUS_SOLVE);
    lw_job_start(ex, &job);
}

void lw_solve(struct lw_explorer *ex, int unused)
{
    (void)unused;
    start(ex, false);
}

void lw_solve_page(struct lw_explorer *ex)
{
    start(ex, true);
}

void lw_solve_end(struct lw_explorer *ex)
{
    struct lw_solve *solve = ex->solve;
    if (!solve)
        return;
    if (!solve->finished) {
        solve->as_page = false; /* an ended search has no page */
        lw_job_cancel(ex);
    }
    ex->solve = NULL;
    lw_swizzle_end(&solve->search);
    free(solve);
    if (ex->focus == LW_FOCUS_SOLVE)
        lw_focus_close(ex);
}
