/* The tables of folders and kernels that were closed: their order, filter and chosen row, for when they are opened
 * again. They are kept for the session, as long as there is memory. */

#include "tui/kernel/browse.h"

#include <stdlib.h>
#include <string.h>

/* A table before it was closed. */
struct past_table {
    int sort;
    bool reversed, moved;
    size_t item, items; /* the row is that item, if there are as many items as then */
    char filter[LW_BROWSE_FILTER_MAX];
};

struct lw_browse_past {
    char *path;
    int part; /* 0: a folder */
    int list;
    struct past_table tables[LW_BROWSE_LISTS]; /* a folder has only the first */
};

/* The number of a path among those kept; past_count: it is none of them. */
static size_t find(const struct lw_browser *browser, const char *path, int part)
{
    size_t i = 0;
    while (i < browser->past_count &&
           (browser->past[i].part != part || strcmp(browser->past[i].path, path) != 0))
        i++;
    return i;
}

/* What is kept of a path, which is added if it is new; NULL: memory is out. */
static struct lw_browse_past *past_of(struct lw_browser *browser, const char *path, int part)
{
    size_t at = find(browser, path, part);
    if (at < browser->past_count)
        return &browser->past[at];
    struct lw_browse_past *past = realloc(browser->past, (at + 1) * sizeof *past);
    char *own = strdup(path);
    if (past)
        browser->past = past;
    if (!past || !own) {
        free(own);
        return NULL;
    }
    past[at] = (struct lw_browse_past){.path = own, .part = part};
    browser->past_count++;
    return &past[at];
}

/* The tables of a folder, or of a kernel. */
static int first_of(int part)
{
    return part ? LW_BROWSE_OPERATIONS : LW_BROWSE_FILES;
}

void lw_browse_past_keep(struct lw_browser *browser, const char *path, int part)
{
    struct lw_browse_past *past = past_of(browser, path, part);
    const int first = first_of(part);
    if (!past)
        return;
    past->list = browser->list;
    for (int i = 0; first + i < (part ? LW_BROWSE_LISTS : LW_BROWSE_TABLES); i++) {
        const struct lw_browse_table *table = &browser->tables[first + i];
        past->tables[i] = (struct past_table){.sort = table->sort,
                                              .reversed = table->reversed,
                                              .moved = table->moved,
                                              .item = table->item,
                                              .items = lw_browse_items(browser, first + i)};
        snprintf(past->tables[i].filter, sizeof past->tables[i].filter, "%s", table->filter);
    }
}

void lw_browse_past_return(struct lw_explorer *ex, const char *path, int part)
{
    struct lw_browser *browser = ex->browser;
    const int first = first_of(part);
    size_t at = find(browser, path, part);
    if (at == browser->past_count)
        return;
    const struct lw_browse_past *past = &browser->past[at];
    if (part && lw_browse_items(browser, past->list))
        browser->list = past->list;
    for (int i = 0; first + i < (part ? LW_BROWSE_LISTS : LW_BROWSE_TABLES); i++) {
        const struct past_table *before = &past->tables[i];
        struct lw_browse_table *table = &browser->tables[first + i];
        table->sort = before->sort;
        table->reversed = before->reversed;
        table->item = before->item;
        table->moved = before->moved && before->items == lw_browse_items(browser, first + i);
        table->jumped = true;
        snprintf(table->filter, sizeof table->filter, "%s", before->filter);
        lw_browse_arrange(ex, first + i);
    }
}

void lw_browse_past_free(struct lw_browser *browser)
{
    for (size_t i = 0; i < browser->past_count; i++)
        free(browser->past[i].path);
    free(browser->past);
    browser->past = NULL;
    browser->past_count = 0;
}
