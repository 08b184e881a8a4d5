/* Sorting and filtering the tables of kernels.
 *
 * Invariant: `rows` of a table holds items, each at most once; `at` is one of its rows, or 0 when it has none. */

#include "tui/kernel/browse.h"

#include <stdlib.h>
#include <string.h>

/* The key that an item is sorted by: known numbers are before unknown ones, equal ones by cost, then in their order. */
struct key {
    size_t item;
    struct lw_browse_number number;
    struct lw_browse_number cost; /* decides if the keys are equal: the dearest first */
    char *text;                   /* of a column of text; else NULL */
    bool ascending, reversed;
};

int lw_browse_active(const struct lw_explorer *ex)
{
    return lw_focus_below(ex) == LW_FOCUS_FOLDER ? LW_BROWSE_FILES : ex->browser->list;
}

size_t lw_browse_chosen(const struct lw_browser *browser, int which)
{
    const struct lw_browse_table *table = &browser->tables[which];
    return table->at < table->count ? table->rows[table->at] : SIZE_MAX;
}

const char *lw_browse_name(int which, size_t count)
{
    static const char *const names[LW_BROWSE_TABLES][2] = {
        {"operation", "operations"}, {"layout", "layouts"}, {"kernel", "kernels"}};
    return names[which][count != 1];
}

const char *lw_browse_what(const struct lw_explorer *ex)
{
    return lw_browse_name(lw_browse_active(ex), 0);
}

void lw_browse_report_empty(struct lw_explorer *ex)
{
    const char *filter = lw_browse_filter_text(ex);
    if (*filter)
        lw_explorer_set_message(ex, false, "no row contains '%s': Esc shows all", filter);
    else
        lw_explorer_set_message(ex, false, "no row is chosen: there are no %s", lw_browse_what(ex));
}

void lw_browse_keep(struct lw_browser *browser, int which)
{
    struct lw_browse_table *table = &browser->tables[which];
    table->item = lw_browse_chosen(browser, which);
    table->moved = table->item != SIZE_MAX;
}

static int by_number(uint64_t a, uint64_t b, bool ascending)
{
    return a == b ? 0 : (a < b) == ascending ? -1 : 1;
}

/* Unknown numbers are 0. */
static int by_numbers(const struct lw_browse_number *a, const struct lw_browse_number *b,
                      bool ascending)
{
    int order = by_number(a->value, b->value, ascending);
    return order ? order : by_number(a->then, b->then, ascending);
}

static int by_key(const void *a, const void *b)
{
    const struct key *left = a, *right = b;
    int order = 0;
    if (left->text && right->text)
        order = strcmp(left->text, right->text);
    else if (left->number.known != right->number.known)
        return left->number.known ? -1 : 1;
    else
        order = by_numbers(&left->number, &right->number, left->ascending);
    if (order)
        return left->reversed ? -order : order;
    if ((order = by_numbers(&left->cost, &right->cost, false)) != 0)
        return order;
    return left->item < right->item ? -1 : left->item > right->item;
}

bool lw_browse_row_has(struct lw_browser *browser, int which, size_t item, const char *query)
{
    struct lw_text text = {0};
    if (!*query)
        return true;
    for (const struct lw_browse_column *column = lw_browse_columns(which); column->head; column++) {
        lw_browse_put(browser, column, item, &text);
        lw_text_char(&text, '\n');
    }
    bool contains = lw_contains_text(lw_text_string(&text), query);
    lw_text_free(&text);
    return contains;
}

static struct key key_of(struct lw_browser *browser, int which, size_t item)
{
    const struct lw_browse_table *table = &browser->tables[which];
    const struct lw_browse_number cost = lw_browse_default(browser, which, item);
    struct key key = {.item = item, .cost = cost, .reversed = table->reversed};
    if (table->sort == LW_BROWSE_BY_DEFAULT) {
        key.number = cost;
        return key;
    }
    const struct lw_browse_column *column = &lw_browse_columns(which)[table->sort];
    key.ascending = column->ascending;
    if (column->number) {
        key.number = column->number(browser, item);
    } else {
        struct lw_text text = {0};
        column->put(browser, item, &text);
        key.text = strdup(lw_text_string(&text));
        lw_text_free(&text);
    }
    return key;
}

/* The row of an item; 0 if it has none. */
static size_t row_of(const struct lw_browse_table *table, size_t item)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i] == item)
            return i;
    return 0;
}

/* Finds the columns of numbers in which every item, or most of them, would have a dash. */
static void find_unknown(struct lw_browser *browser, int which)
{
    const struct lw_browse_column *columns = lw_browse_columns(which);
    struct lw_browse_table *table = &browser->tables[which];
    size_t items = lw_browse_items(browser, which);
    bool counted = which == LW_BROWSE_FILES ? browser->folder_counted == browser->folder.count
                                            : browser->costs.counted == items;
    table->unknown = table->sparse = 0;
    for (int c = 0; columns[c].head && which != LW_BROWSE_LAYOUTS && counted && items; c++) {
        size_t known = 0;
        for (size_t i = 0; columns[c].number && i < items && 2 * known < items; i++)
            known += columns[c].number(browser, i).known;
        if (columns[c].number && !known)
            table->unknown |= UINT32_C(1) << c;
        if (columns[c].number && 2 * known < items)
            table->sparse |= UINT32_C(1) << c;
    }
}

void lw_browse_arrange(struct lw_explorer *ex, int which)
{
    struct lw_browser *browser = ex->browser;
    struct lw_browse_table *table = &browser->tables[which];
    size_t items = lw_browse_items(browser, which);
    struct key *keys = calloc(items + 1, sizeof *keys);
    size_t *rows = calloc(items + 1, sizeof *rows), count = 0;
    if (!keys || !rows) {
        free(keys);
        free(rows);
        ex->failed = true;
        return;
    }
    for (size_t i = 0; i < items; i++)
        if (lw_browse_row_has(browser, which, i, table->filter))
            keys[count++] = key_of(browser, which, i);
    qsort(keys, count, sizeof *keys, by_key);
    for (size_t i = 0; i < count; i++) {
        rows[i] = keys[i].item;
        free(keys[i].text);
    }
    free(keys);
    free(table->rows);
    table->rows = rows;
    table->count = count;
    table->at = table->moved ? row_of(table, table->item) : 0;
    find_unknown(browser, which);
    lw_browse_measure(browser, which);
}

void lw_browse_reset(struct lw_explorer *ex, int which)
{
    struct lw_browse_table *table = &ex->browser->tables[which];
    free(table->rows);
    *table = (struct lw_browse_table){.sort = LW_BROWSE_BY_DEFAULT};
    lw_browse_arrange(ex, which);
}

/* ---- Keys ---- */

/* Sorts: a cursor that the user moved stays on its item, else it is on the first row; the first rows are shown, if that
 * item is among them, else it is in the middle. */
static void arrange_by_user(struct lw_explorer *ex, int which)
{
    struct lw_browse_table *table = &ex->browser->tables[which];
    if (table->moved && table->count)
        lw_browse_keep(ex->browser, which);
    lw_browse_arrange(ex, which);
    table->top = 0;
    table->jumped = true;
}

/* Sorts by the next of the columns, from that of the order without a chosen column on; that order is one of them, or
 * before the first. */
void lw_browse_sort(struct lw_explorer *ex, int by)
{
    if (!(lw_focus_below(ex) & LW_BROWSING))
        return;
    int which = lw_browse_active(ex), count = 0, home = lw_browse_default_column(ex, which);
    struct lw_browse_table *table = &ex->browser->tables[which];
    const struct lw_browse_column *columns = lw_browse_columns(which);
    while (columns[count].head)
        count++;
    int at = table->sort == LW_BROWSE_BY_DEFAULT ? home : table->sort;
    const int before = home == LW_BROWSE_BY_DEFAULT ? -1 : 0; /* the first of all */
    do {
        at += by;
        at = at >= count ? before : at < before ? count - 1 : at;
    } while (at >= 0 && !lw_browse_column_sorts(ex, which, at));
    table->sort = at == home ? LW_BROWSE_BY_DEFAULT : at;
    table->reversed = false;
    arrange_by_user(ex, which);
}

void lw_browse_sort_by(struct lw_explorer *ex, int column)
{
    int which = lw_browse_active(ex);
    struct lw_browse_table *table = &ex->browser->tables[which];
    if (column < 0)
        return;
    table->reversed = table->sort == column && !table->reversed;
    table->sort = column;
    arrange_by_user(ex, which);
}

void lw_browse_reverse(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (!(lw_focus_below(ex) & LW_BROWSING))
        return;
    struct lw_browse_table *table = &ex->browser->tables[lw_browse_active(ex)];
    table->reversed = !table->reversed;
    arrange_by_user(ex, lw_browse_active(ex));
}

bool lw_browse_has(const struct lw_explorer *ex, const char *query)
{
    const int which = lw_browse_active(ex);
    const struct lw_browse_table *table = &ex->browser->tables[which];
    for (size_t i = 0; i < table->count; i++)
        if (lw_browse_row_has(ex->browser, which, table->rows[i], query))
            return true;
    return false;
}

void lw_browse_filter(struct lw_explorer *ex, const char *text)
{
    int which = lw_browse_active(ex);
    struct lw_browse_table *table = &ex->browser->tables[which];
    snprintf(table->filter, sizeof table->filter, "%s", text);
    lw_browse_arrange(ex, which);
}

const char *lw_browse_filter_text(const struct lw_explorer *ex)
{
    return ex->browser->tables[lw_browse_active(ex)].filter;
}
