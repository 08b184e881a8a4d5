/* The widths of the columns in the tables of kernels: those of their content; names have the rest.
 *
 * The widths of all items are measured once, and again when more costs are known. */

#include "tui/kernel/browse.h"

#include <string.h>

enum { MEASURED_MAX = 4096 }; /* items; longer tables have the default widths */

/* The width of the widest item of a column, or of its head. */
static int measure(struct lw_browser *browser, int which, const struct lw_browse_column *column)
{
    size_t items = lw_browse_items(browser, which), width = lw_text_width(column->head);
    struct lw_text text = {.limit = 1024};
    for (size_t i = 0; i < items; i++) {
        lw_text_clear(&text);
        lw_browse_put(browser, column, i, &text);
        size_t its = lw_text_width(lw_text_string(&text));
        width = its > width ? its : width;
    }
    lw_text_free(&text);
    return (int)width;
}

void lw_browse_measure(struct lw_browser *browser, int which)
{
    const struct lw_browse_column *columns = lw_browse_columns(which);
    struct lw_browse_table *table = &browser->tables[which];
    size_t known = which == LW_BROWSE_FILES ? browser->folder_counted : browser->costs.counted;
    bool many = lw_browse_items(browser, which) > MEASURED_MAX;
    if (table->measured == known + 1)
        return;
    table->measured = known + 1;
    for (int i = 0; columns[i].head; i++) /* lines of sources are read only when they are shown */
        table->natural[i] =
            many || columns[i].source > 0 ? columns[i].width : measure(browser, which, &columns[i]);
}

/* Gives the room that the last column does not need to texts that are cut. */
static void lend(const struct lw_browse_column *columns, const struct lw_browse_table *table,
                 int spare, int *widths)
{
    for (int i = 0; columns[i].head && spare > 0; i++) {
        int more = table->natural[i] - widths[i];
        if (!widths[i] || columns[i].number || more <= 0)
            continue;
        more = more < spare ? more : spare;
        widths[i] += more;
        spare -= more;
    }
}

int lw_browse_room(int inside)
{
    return inside - 2;
}

/* The column whose head has an arrow. */
static int sorted_by(const struct lw_explorer *ex, int which)
{
    int sort = ex->browser->tables[which].sort;
    return sort == LW_BROWSE_BY_DEFAULT ? lw_browse_default_column(ex, which) : sort;
}

/* Texts that can be cut get the room that is left, up to their default widths, in their order. */
static void widen(const struct lw_browse_column *columns, const struct lw_browse_table *table,
                  int rest, int *room, int *widths)
{
    for (int i = 0; columns[i].head && *room > 0; i++) {
        int to = table->natural[i] < columns[i].width ? table->natural[i] : columns[i].width;
        int more = i == rest || !widths[i] || columns[i].number ? 0 : to - widths[i];
        more = more < *room ? more : *room;
        widths[i] += more > 0 ? more : 0;
        *room -= more > 0 ? more : 0;
    }
}

void lw_browse_widths(const struct lw_explorer *ex, int which, int room,
                      int widths[LW_BROWSE_COLUMNS_MAX])
{
    const struct lw_browse_column *columns = lw_browse_columns(which);
    const struct lw_browse_table *table = &ex->browser->tables[which];
    int rest = -1, name = -1, sorted = sorted_by(ex, which);
    memset(widths, 0, LW_BROWSE_COLUMNS_MAX * sizeof *widths);
    for (int i = 0; columns[i].head; i++) {
        if (!lw_browse_column_shows(ex, which, i))
            continue;
        int head = (int)lw_text_width(columns[i].head) + (i == sorted); /* with the arrow */
        widths[i] = lw_browse_least(ex->browser, which, i);
        widths[i] = i == sorted && widths[i] < head ? head : widths[i];
        rest = columns[i].width > 0 ? rest : i;
        name = name < 0 && !columns[i].number ? i : name;
        room -= widths[i] + 1;
    }
    rest = rest < 0 ? name : rest; /* the first text, when the column that has the rest is out */
    if (rest < 0)
        return;
    room++; /* no blank after the last one */
    widen(columns, table, rest, &room, widths);
    int needed = table->natural[rest];
    room += widths[rest];
    widths[rest] = room > 1 ? room : 1;
    if (needed && needed < room) {
        widths[rest] = 0; /* not one of the columns that are cut */
        lend(columns, table, room - needed, widths);
        widths[rest] = room;
    }
}
