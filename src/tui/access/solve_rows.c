/* The rows of the list of swizzles: sorted and filtered, and the chosen one. */

#include "tui/explore/explorer.h"
#include "tui/access/solve.h"

#include <string.h>

/* ---- All rows ---- */

static bool is_best(const struct lw_solve *solve, const struct lw_swizzle *swizzle)
{
    const struct lw_swizzle *best = &solve->search.best[swizzle->kind];
    return swizzle->kind == LW_SWIZZLE_NVMMA
               ? swizzle->width == best->width && swizzle->transposed == best->transposed
               : swizzle->vec == best->vec && swizzle->per_phase == best->per_phase &&
                     swizzle->max_phase == best->max_phase &&
                     !memcmp(swizzle->order, best->order, sizeof best->order);
}

/* Fills in all rows, by rank; returns their number. */
static int all_rows(const struct lw_solve *solve, struct lw_solve_row *rows)
{
    static const char *const names[] = {"best swizzle", "best nvmma", "optimum", "best padding"};
    const struct lw_swizzle_search *search = &solve->search;
    int count = 0;
    if (solve->has_current || solve->has_shared)
        rows[count++] =
            (struct lw_solve_row){solve->compiled ? "compiler" : "as it is", &solve->current};
    if (search->has_plain)
        rows[count++] = (struct lw_solve_row){"plain", &search->plain};
    for (int k = 0; k < LW_SWIZZLE_KINDS; k++)
        if (search->found[k])
            rows[count++] = (struct lw_solve_row){names[k], &search->best[k]};
    for (uint64_t i = 0; i < search->ranked_count && count < LW_SOLVE_ROWS; i++)
        if (!is_best(solve, &search->ranked[i]))
            rows[count++] = (struct lw_solve_row){"", &search->ranked[i]};
    return count;
}

const struct lw_swizzle *lw_solve_before(const struct lw_solve *solve)
{
    return solve->has_current                              ? &solve->current
           : solve->search.has_plain && !solve->has_shared ? &solve->search.plain
                                                           : NULL;
}

void lw_solve_label(const struct lw_solve *solve, const struct lw_swizzle *swizzle,
                    struct lw_text *text)
{
    if (swizzle != &solve->current) {
        lw_swizzle_label(text, &solve->search, swizzle);
        return;
    }
    lw_text_add(text, solve->compiled ? "the compiler's own" : "the current layout");
}

/* Whether the present shared S has no access plan for the store, for the load. */
static bool lacks(const struct lw_solve *solve, bool store)
{
    return solve->has[store ? 0 : 1] &&
           !(store ? &solve->current.store : &solve->current.load)->instructions;
}

void lw_solve_put_unknown(const struct lw_solve *solve, struct lw_text *text)
{
    const char *sides = !lacks(solve, true)   ? "load"
                        : lacks(solve, false) ? "store and load"
                                              : "store";
    if (solve->unknown.code == LW_ERROR_PARAMETER)
        lw_text_format(text, "its %s fail%s", sides, strchr(sides, ' ') ? "" : "s");
    else
        lw_text_format(text, "the cost of its %s is unknown", sides);
}

/* ---- Sorted and filtered ---- */

static uint64_t of_store(const struct lw_swizzle *swizzle)
{
    return swizzle->store.wavefronts;
}

static uint64_t of_load(const struct lw_swizzle *swizzle)
{
    return swizzle->load.wavefronts;
}

static uint64_t conflicts(const struct lw_swizzle *swizzle)
{
    return swizzle->store.conflicts + swizzle->load.conflicts;
}

static uint64_t instructions(const struct lw_swizzle *swizzle)
{
    return swizzle->store.instructions + swizzle->load.instructions;
}

static uint64_t bytes(const struct lw_swizzle *swizzle)
{
    return swizzle->bytes;
}

const struct lw_solve_column lw_solve_columns[LW_SOLVE_COLUMNS] = {
    {"wavefronts", "wf", 12, 5, lw_swizzle_wavefronts},
    {"store", "st", 7, 5, of_store},
    {"load", "ld", 6, 5, of_load},
    {"conflicts", "c", 11, 5, conflicts},
    {"instructions", "ins", 14, 5, instructions},
    {"bytes", "bytes", 7, 0, bytes}};

bool lw_solve_is_known(const struct lw_solve *solve, const struct lw_swizzle *swizzle, int column)
{
    uint64_t (*number)(const struct lw_swizzle *) = lw_solve_columns[column].number;
    return swizzle != &solve->current || solve->has_current || number == bytes ||
           (number == of_store && !lacks(solve, true)) ||
           (number == of_load && !lacks(solve, false));
}

static bool has_text(const struct lw_solve *solve, const struct lw_solve_row *row)
{
    struct lw_text text = {0};
    lw_text_format(&text, "%s\n", row->name);
    lw_solve_label(solve, row->swizzle, &text);
    bool has = lw_contains_text(lw_text_string(&text), solve->filter);
    lw_text_free(&text);
    return has;
}

/* Whether a row is before another one: equal ones are in the order of rank, unknown ones last. */
static bool goes_before(const struct lw_solve *solve, const struct lw_solve_row *a,
                        const struct lw_solve_row *b)
{
    const struct lw_solve_column *column = &lw_solve_columns[solve->sort - 1];
    uint64_t x = column->number(a->swizzle), y = column->number(b->swizzle);
    if (!lw_solve_is_known(solve, a->swizzle, solve->sort - 1))
        return false;
    if (!lw_solve_is_known(solve, b->swizzle, solve->sort - 1))
        return true;
    return solve->reversed ? x > y : x < y;
}

static void sort(const struct lw_solve *solve, struct lw_solve_row *rows, int count)
{
    for (int i = 1; i < count; i++) {
        struct lw_solve_row row = rows[i];
        int at = i;
        for (; at > 0 && goes_before(solve, &row, &rows[at - 1]); at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

int lw_solve_rows(const struct lw_solve *solve, struct lw_solve_row *rows)
{
    int count = all_rows(solve, rows), kept = 0;
    for (int i = 0; i < count; i++)
        if (!solve->filter[0] || has_text(solve, &rows[i]))
            rows[kept++] = rows[i];
    if (solve->sort)
        sort(solve, rows, kept);
    return kept;
}

/* ---- The chosen row ---- */

const struct lw_swizzle *lw_solve_best(const struct lw_swizzle_search *search)
{
    const struct lw_swizzle *best = lw_swizzle_best(search);
    for (int k = 0; k < LW_SWIZZLE_KINDS; k++)
        if (k != LW_SWIZZLE_LINEAR && search->found[k] &&
            lw_swizzle_wavefronts(&search->best[k]) == lw_swizzle_wavefronts(best))
            return &search->best[k];
    return best;
}

bool lw_solve_gains_nothing(const struct lw_solve *solve)
{
    return solve->finished && !solve->stopped && solve->has_current &&
           lw_swizzle_wavefronts(&solve->current) <=
               lw_swizzle_wavefronts(lw_solve_best(&solve->search));
}

uint64_t lw_solve_excess(const struct lw_solve *solve)
{
    const uint64_t ideal = solve->current.store.ideal + solve->current.load.ideal;
    const uint64_t wavefronts = lw_swizzle_wavefronts(&solve->current);
    return wavefronts > ideal ? wavefronts - ideal : 0;
}

int lw_solve_chosen(const struct lw_solve *solve, const struct lw_solve_row *rows, int count)
{
    const struct lw_swizzle *best =
        lw_solve_gains_nothing(solve) ? &solve->current : lw_solve_best(&solve->search);
    int at = 0;
    if (solve->moved)
        return solve->at < count ? solve->at : count ? count - 1 : 0;
    while (at + 1 < count && rows[at].swizzle != best)
        at++;
    return at;
}

/* Chooses the row that was chosen before the rows changed; else the first. */
static void keep_chosen(struct lw_solve *solve, const struct lw_swizzle *chosen)
{
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    int count = lw_solve_rows(solve, rows);
    solve->moved = true;
    solve->at = 0;
    for (int i = 0; i < count; i++)
        if (rows[i].swizzle == chosen)
            solve->at = i;
}

static const struct lw_swizzle *chosen_of(const struct lw_solve *solve)
{
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    int count = lw_solve_rows(solve, rows);
    return count ? rows[lw_solve_chosen(solve, rows, count)].swizzle : NULL;
}

static void arrange(struct lw_solve *solve, int column, bool reversed)
{
    const struct lw_swizzle *chosen = chosen_of(solve);
    solve->sort = column;
    solve->reversed = reversed;
    keep_chosen(solve, chosen);
}

void lw_solve_sort(struct lw_explorer *ex, int by)
{
    if (ex->solve)
        arrange(ex->solve, (ex->solve->sort + by + LW_SOLVE_COLUMNS + 1) % (LW_SOLVE_COLUMNS + 1),
                false);
}

void lw_solve_sort_by(struct lw_explorer *ex, int column)
{
    if (ex->solve)
        arrange(ex->solve, column + 1, ex->solve->sort == column + 1 && !ex->solve->reversed);
}

void lw_solve_reverse(struct lw_explorer *ex)
{
    if (ex->solve && ex->solve->sort)
        arrange(ex->solve, ex->solve->sort, !ex->solve->reversed);
    else if (ex->solve)
        lw_explorer_set_message(ex, false, "Left and Right sort by a column, r reverses the order");
}

void lw_solve_filter(struct lw_explorer *ex, const char *text)
{
    if (!ex->solve)
        return;
    const struct lw_swizzle *chosen = chosen_of(ex->solve);
    snprintf(ex->solve->filter, sizeof ex->solve->filter, "%s", text);
    keep_chosen(ex->solve, chosen);
}
