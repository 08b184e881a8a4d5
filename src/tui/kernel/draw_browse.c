/* The screen of a folder of kernels, or of a kernel: its lists, and the chosen row in full. */

#include "tui/kernel/browse.h"

#include <inttypes.h>
#include <string.h>

/* ---- A list ---- */

/* A table in its frame. */
struct listing {
    struct lw_explorer *ex;
    struct lw_surface *surface;
    int which;
    struct lw_rect inside;
    bool has_keys;
    int sorted; /* the column by which it is sorted, or LW_BROWSE_BY_DEFAULT */
    int widths[LW_BROWSE_COLUMNS_MAX];
};

static const struct lw_browse_table *table_of(const struct listing *list)
{
    return &list->ex->browser->tables[list->which];
}

/* Puts the cell of a column; in the heads its name, with the direction if the table is sorted by it. */
static void put_cell(const struct listing *list, int column, bool head, size_t row,
                     struct lw_text *text)
{
    const struct lw_browse_column *columns = lw_browse_columns(list->which);
    const struct lw_browse_table *table = table_of(list);
    if (!head)
        lw_browse_put(list->ex->browser, &columns[column], table->rows[row], text);
    else if (list->sorted == column)
        lw_text_format(text, "%s%s",
                       lw_sort_mark(list->surface, columns[column].ascending != table->reversed),
                       columns[column].head);
    else
        lw_text_add(text, columns[column].head);
}

/* Whether a row has the layout of the row above: only the first one on the screen has the name and the uses. */
static bool is_repeated(const struct listing *list, size_t row)
{
    const struct lw_browser *browser = list->ex->browser;
    const struct lw_browse_table *table = table_of(list);
    return list->which == LW_BROWSE_LAYOUTS && row > table->top &&
           browser->layouts[table->rows[row - 1]].encoding ==
               browser->layouts[table->rows[row]].encoding;
}

/* Whether the layout of a row was edited and is not saved. */
static bool is_edited(const struct listing *list, size_t row)
{
    const struct lw_list *entries = &list->ex->list;
    struct lw_text source = {0};
    bool edited = false;
    for (size_t i = 0; i < entries->count && list->which != LW_BROWSE_FILES; i++) {
        if (!entries->entries[i].dirty)
            continue;
        const char *its = entries->entries[i].source;
        size_t item = table_of(list)->rows[row];
        lw_text_clear(&source);
        lw_browse_source(list->ex->browser, list->which, item, &source);
        edited = edited || (list->which == LW_BROWSE_OPERATIONS
                                ? lw_browse_is_of(list->ex->browser, item, its)
                                : !strcmp(its, lw_text_string(&source)));
    }
    lw_text_free(&source);
    return edited;
}

/* Whether the cost of a row is not in the sums, or not all of it. */
static bool lacks_cost(const struct listing *list, size_t row)
{
    const struct lw_browser *browser = list->ex->browser;
    const size_t item = table_of(list)->rows[row];
    const struct lw_kernel_cost *cost =
        list->which == LW_BROWSE_OPERATIONS ? lw_browse_cost_of(browser, item) : NULL;
    return list->which == LW_BROWSE_FILES ? lw_folder_cost_lacks(&browser->folder_costs[item])
                                          : cost && lw_kernel_cost_missing(cost);
}

/* The mark before a row: it was edited, or its cost is not counted. */
static void put_mark(const struct listing *list, int line, size_t row)
{
    if (is_edited(list, row))
        lw_put(list->surface, line, list->inside.col, 1, lw_pen(LW_PEN_CHANGED), "*");
    else if (lacks_cost(list, row))
        lw_put(list->surface, line, list->inside.col, 1, lw_pen(LW_PEN_BAD), "!");
}

static void draw_row(const struct listing *list, int line, struct lw_pen pen, bool head, size_t row)
{
    enum { OF_LAYOUT = 2 }; /* columns, the first of layouts: of a layout at all shapes */
    struct lw_text text = {.limit = 1024};
    const struct lw_browse_column *columns = lw_browse_columns(list->which);
    int col = list->inside.col + 1, end = list->inside.col + list->inside.width;
    if (!head)
        put_mark(list, line, row);
    for (int i = 0; columns[i].head && col < end; i++) {
        int width = list->widths[i] < end - col ? list->widths[i] : end - col;
        if (!width)
            continue;
        lw_text_clear(&text);
        if (head || i >= OF_LAYOUT || !is_repeated(list, row))
            put_cell(list, i, head, row, &text);
        bool sorted = head && list->sorted == i;
        lw_put_padded(list->surface, line, col, width, sorted ? lw_pen(LW_PEN_LABEL_ON) : pen,
                      lw_text_string(&text), columns[i].number != NULL);
        col += width + 1;
    }
    lw_text_free(&text);
}

static void draw_listing(struct listing *list)
{
    struct lw_browse_table *table = &list->ex->browser->tables[list->which];
    size_t shown = list->inside.height > 1 ? (size_t)list->inside.height - 1 : 1;
    table->top = table->at < table->top           ? table->at
                 : table->at < table->top + shown ? table->top
                 : table->jumped                  ? table->at - shown / 2
                                                  : table->at - shown + 1;
    table->jumped = false;
    if (table->top + shown > table->count)
        table->top = table->count > shown ? table->count - shown : 0;
    draw_row(list, list->inside.row, lw_pen(LW_PEN_LABEL), true, 0);
    for (size_t i = 0; i < shown && table->top + i < table->count; i++) {
        int line = list->inside.row + 1 + (int)i;
        enum lw_pen_kind kind = table->top + i != table->at ? LW_PEN_TEXT
                                : list->has_keys            ? LW_PEN_CURSOR
                                                            : LW_PEN_SELECT;
        lw_put_padded(list->surface, line, list->inside.col, list->inside.width, lw_pen(kind), "",
                      false);
        draw_row(list, line, lw_pen(kind), false, table->top + i);
    }
}

/* "3 of 11 operations with 'load', by excess" */
static void put_title(const struct lw_explorer *ex, int which, struct lw_text *text)
{
    const struct lw_browser *browser = ex->browser;
    const struct lw_browse_table *table = &browser->tables[which];
    const struct lw_browse_column *columns = lw_browse_columns(which);
    size_t items = lw_browse_items(browser, which);
    if (table->filter[0])
        lw_text_format(text, "%zu of ", table->count);
    lw_text_format(text, "%zu %s", items, lw_browse_name(which, items));
    if (table->filter[0])
        lw_text_format(text, " with '%s'", table->filter);
    if (table->sort == LW_BROWSE_BY_DEFAULT)
        lw_text_format(text, ", %s%s", lw_browse_default_name(ex, which),
                       table->reversed ? ", reversed" : "");
    else
        lw_text_format(text, ", by %s%s",
                       columns[table->sort].by ? columns[table->sort].by
                                               : columns[table->sort].head,
                       table->reversed ? ", reversed" : "");
}

/* The position in the list, on its lower border: "1-5 of 11". */
static void put_position(const struct listing *list, struct lw_rect rect)
{
    const struct lw_browse_table *table = table_of(list);
    size_t shown = list->inside.height > 1 ? (size_t)list->inside.height - 1 : 1;
    size_t last = table->top + shown < table->count ? table->top + shown : table->count;
    struct lw_text text = {0};
    if (table->count > shown)
        lw_text_format(&text, " %zu-%zu of %zu ", table->top + 1, last, table->count);
    int width = (int)text.length;
    lw_put(list->surface, rect.row + rect.height - 1, rect.col + rect.width - 2 - width, width,
           lw_pen(LW_PEN_LABEL), lw_text_string(&text));
    lw_text_free(&text);
}

/* Whether a column is hidden only because of the width of this screen. */
static bool is_hidden(const struct listing *list, const struct lw_browse_column *column)
{
    const struct lw_browse_column *columns = lw_browse_columns(list->which);
    bool elsewhere = column->source && (column->source > 0) != list->ex->browser->has_source;
    if (list->ex->screen.width >= column->from || elsewhere)
        return false;
    for (int i = 0; columns[i].head; i++)
        if (!strcmp(columns[i].head, column->head) && &columns[i] != column &&
            (lw_browse_column_shows(list->ex, list->which, i) || &columns[i] < column))
            return false;
    return true;
}

/* Puts the columns that a wider screen has on the lower border: " hidden below 200: where, source ", or their number.
 */
static void put_hidden(const struct listing *list, struct lw_rect rect)
{
    enum { POSITION = 20, ROOMY = 80 };
    const struct lw_browse_column *columns = lw_browse_columns(list->which);
    struct lw_text names = {0}, text = {0};
    int count = 0, width = 0;
    for (int i = 0; columns[i].head; i++) {
        bool dropped = lw_browse_column_is_dropped(list->ex, list->which, i);
        if (!dropped && !is_hidden(list, &columns[i]))
            continue;
        lw_text_format(&names, "%s%s", count++ ? ", " : "", columns[i].head);
        int from = dropped ? ROOMY : columns[i].from;
        width = from > width ? from : width;
    }
    const char *noun = count > 1 ? "columns" : "column";
    lw_text_format(&text, " hidden below %d: %s ", width, lw_text_string(&names));
    for (int brief = 0; brief < 2 && (int)text.length > rect.width - POSITION; brief++) {
        lw_text_clear(&text);
        lw_text_format(&text, " %d %s hidden ", count, noun);
        if (!brief)
            lw_text_format(&text, "below %d ", width);
    }
    if (count)
        lw_put(list->surface, rect.row + rect.height - 1, rect.col + 2, rect.width - POSITION,
               lw_pen(LW_PEN_LABEL), lw_text_string(&text));
    lw_text_free(&names);
    lw_text_free(&text);
}

static void draw_list(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect,
                      int which)
{
    struct lw_browser *browser = ex->browser;
    struct listing list = {.ex = ex,
                           .surface = surface,
                           .which = which,
                           .has_keys = which == LW_BROWSE_FILES || which == browser->list};
    struct lw_text title = {0};
    put_title(ex, which, &title);
    if ((int)lw_text_width(lw_text_string(&title)) + 6 > rect.width)
        lw_text_cut(&title, strcspn(lw_text_string(&title), ";")); /* the rest explains a column */
    list.inside = lw_put_frame(surface, rect, lw_text_string(&title), list.has_keys);
    list.sorted = browser->tables[which].sort == LW_BROWSE_BY_DEFAULT
                      ? lw_browse_default_column(ex, which)
                      : browser->tables[which].sort;
    lw_browse_widths(ex, which, lw_browse_room(list.inside.width), list.widths);
    draw_listing(&list);
    put_position(&list, rect);
    put_hidden(&list, rect);
    lw_text_free(&title);
}

/* ---- The screen ---- */

/* The first problem of the text, cut to fit; returns the columns used. */
static int put_problem(struct lw_explorer *ex, struct lw_surface *surface,
                       const struct lw_report *problems)
{
    struct lw_text text = {0};
    if (problems->total > 1)
        lw_text_format(&text, "%d problems: ", problems->total);
    lw_text_format(&text, "line %d: %s", problems->errors[0].position.line,
                   problems->errors[0].message);
    int used =
        lw_put(surface, 1, 1, ex->screen.width - 2, lw_pen(LW_PEN_BAD), lw_text_string(&text));
    lw_text_free(&text);
    return used;
}

/* How much is left out of the cost of all operations for its length. What is incomplete is always written. */
enum brevity { FULL, COLUMNS, SHORT, NO_IDEALS, WAVEFRONTS, BREVITIES };

/* Appends the cost of all operations; shorter than in full with the names of the columns. */
static void put_totals(const struct lw_kernel_costs *costs, struct lw_text *text,
                       enum brevity brevity)
{
    const char *const wavefronts = brevity == COLUMNS ? "wavefronts" : "wf";
    if (brevity == FULL)
        lw_text_format(text,
                       "shared memory: %" PRIu64 " wavefronts, ideal %" PRIu64
                       "; global memory: %" PRIu64 " sectors, ideal %" PRIu64,
                       costs->run_wavefronts, costs->run_ideal, costs->run_sectors,
                       costs->run_ideal_sectors);
    else if (brevity == NO_IDEALS)
        lw_text_format(text, "wf %" PRIu64 ", sectors %" PRIu64, costs->run_wavefronts,
                       costs->run_sectors);
    else if (brevity == WAVEFRONTS)
        lw_text_format(text, "wf %" PRIu64, costs->run_wavefronts);
    else
        lw_text_format(text,
                       "%s %" PRIu64 " (ideal %" PRIu64 "), sectors %" PRIu64 " (%s%" PRIu64 ")",
                       wavefronts, costs->run_wavefronts, costs->run_ideal, costs->run_sectors,
                       brevity == COLUMNS ? "ideal " : "", costs->run_ideal_sectors);
    if (!costs->trips_known)
        lw_text_add(text, brevity == FULL ? "; unknown loops count once" : "; loops once");
    const size_t uncounted = costs->uncounted + costs->uncounted_global;
    if (uncounted)
        lw_text_format(text, "; %zu not counted", uncounted);
}

/* Puts the cost of all operations on the second line, after what is there in `used` columns: the longest text that
 * fits. */
static void draw_totals(const struct lw_explorer *ex, struct lw_surface *surface,
                        const struct lw_kernel_costs *costs, int used)
{
    struct lw_text text = {0};
    const int room = ex->screen.width - 2 - used;
    for (int brevity = FULL; brevity < BREVITIES; brevity++) {
        lw_text_clear(&text);
        put_totals(costs, &text, (enum brevity)brevity);
        if ((int)text.length <= room)
            break;
    }
    lw_put(surface, 1, 1 + used, room, lw_pen(LW_PEN_FAINT), lw_text_string(&text));
    lw_text_free(&text);
}

static void draw_kernel_head(struct lw_explorer *ex, struct lw_surface *surface, int col)
{
    const struct lw_browser *browser = ex->browser;
    const struct lw_kernel *kernel = &browser->kernel;
    const struct lw_kernel_costs *costs = &browser->costs;
    struct lw_text text = {0};
    col += 3 + lw_put(surface, 0, col, ex->screen.width / 2, lw_pen(LW_PEN_TITLE),
                      lw_base_name(browser->path));
    if (kernel->more || browser->part > 1)
        lw_text_format(&text, "part %d: ", browser->part);
    lw_text_format(&text, "%s%s%s (%s)", kernel->function_count ? kernel->functions[0].name : "",
                   kernel->function_count ? ", " : "",
                   *kernel->target ? kernel->target : costs->hardware->name,
                   costs->hardware->title);
    if (kernel->num_warps)
        lw_text_format(&text, ", %d warp%s", kernel->num_warps, kernel->num_warps > 1 ? "s" : "");
    lw_put(surface, 0, col, ex->screen.width - col - 1, lw_pen(LW_PEN_TEXT), lw_text_string(&text));
    const struct lw_report *problems = &kernel->problems;
    int used = problems->total ? 2 + put_problem(ex, surface, problems) : 0;
    draw_totals(ex, surface, costs, used);
    lw_text_free(&text);
}

/* Puts "line 43: local_alloc", "#shared", or the kernel of a file. */
static void put_detail_title(struct lw_browser *browser, bool folder, struct lw_text *text)
{
    int which = folder ? LW_BROWSE_FILES : browser->list;
    size_t item = lw_browse_chosen(browser, which);
    if (item == SIZE_MAX)
        return;
    if (which == LW_BROWSE_FILES) {
        lw_text_add(text, lw_kernel_folder_about(&browser->folder, item)->name);
    } else if (which == LW_BROWSE_LAYOUTS) {
        lw_text_format(text, "%.60s",
                       browser->kernel.encodings[browser->layouts[item].encoding].alias);
    } else {
        const struct lw_operation *operation = lw_browse_operation_of(browser, item);
        const char *dot = strrchr(operation->name, '.');
        lw_text_format(text, "line %d: %s", operation->position.line,
                       dot ? dot + 1 : operation->name);
    }
}

/* The path; the sums of all files, when these are counted, and before them how many files the sums leave out. */
static void draw_folder_head(struct lw_explorer *ex, struct lw_surface *surface, int col)
{
    struct lw_kernel_costs sum;
    struct lw_text text = {0};
    const struct lw_hardware *hardware = ex->options->hardware; /* instead of the kernels' own */
    col += 3 + lw_put(surface, 0, col, ex->screen.width - col, lw_pen(LW_PEN_TITLE),
                      ex->browser->folder.path);
    if (hardware)
        lw_text_format(&text, "costs for %s (%s)", hardware->name, hardware->title);
    lw_put(surface, 0, col, ex->screen.width - col - 1, lw_pen(LW_PEN_TEXT), lw_text_string(&text));
    lw_text_clear(&text);
    if (!lw_folder_costs_sum(ex->browser, &sum))
        return;
    lw_folder_costs_put_unread(ex->browser, &text);
    int used =
        lw_put(surface, 1, 1, ex->screen.width - 2, lw_pen(LW_PEN_BAD), lw_text_string(&text));
    used += used > 0 ? 2 : 0;
    draw_totals(ex, surface, &sum, used);
    lw_text_free(&text);
}

void lw_draw_browse(struct lw_explorer *ex, struct lw_surface *surface)
{
    bool folder = lw_focus_below(ex) == LW_FOCUS_FOLDER;
    struct lw_browse_rects rects;
    int col = 3 + lw_put(surface, 0, 1, ex->screen.width - 1, lw_pen(LW_PEN_HEAD), "laneway");
    lw_browse_rects(ex, &rects);
    if (folder) {
        draw_folder_head(ex, surface, col);
        draw_list(ex, surface, rects.list[0], LW_BROWSE_FILES);
    } else {
        draw_kernel_head(ex, surface, col);
        for (int i = 0; i < LW_BROWSE_LISTS; i++)
            if (rects.list[i].height)
                draw_list(ex, surface, rects.list[i], i);
    }
    if (rects.detail.height) {
        struct lw_text title = {0};
        put_detail_title(ex->browser, folder, &title);
        struct lw_rect inside = lw_put_frame(surface, rects.detail, lw_text_string(&title), false);
        lw_text_free(&title);
        inside.col++;
        inside.width -= 2;
        lw_draw_browse_detail(ex, surface, inside);
    }
}
