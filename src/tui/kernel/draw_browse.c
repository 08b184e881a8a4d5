/* The lists of kernels: a folder's, and a kernel's operations and layouts. Columns are rows of tables; those that a
 * screen is too narrow for are left out. */

#include "tui/kernel/browse.h"

#include <inttypes.h>
#include <string.h>

/* A column of a list. */
struct column {
    const char *head;
    int width; /* 0: what is left */
    int from;  /* columns of the screen: on a narrower one it is left out, */
    int below; /* and on one of these or more; 0: on none */
    bool right;
    void (*put)(struct lw_browser *browser, size_t row, struct lw_text *text);
};

/* ---- Of operations ---- */

static const struct lw_operation *operation_of(const struct lw_browser *browser, size_t row)
{
    return &browser->kernel.operations[lw_browse_operation(browser, row)];
}

/* NULL: nobody has asked yet. */
static const struct lw_kernel_cost *cost_of(const struct lw_browser *browser, size_t row)
{
    size_t at = lw_browse_operation(browser, row);
    return at < browser->costs.counted ? &browser->costs.costs[at] : NULL;
}

static void put_line(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    lw_text_format(text, "%d", operation_of(browser, row)->position.line);
}

static void put_number(const struct lw_kernel_cost *cost, unsigned known, uint64_t number,
                       struct lw_text *text)
{
    if (!cost)
        lw_text_add(text, "...");
    else if (cost->known & known)
        lw_text_format(text, "%" PRIu64, number);
    else
        lw_text_char(text, '-');
}

static void put_wavefronts(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    const struct lw_kernel_cost *cost = cost_of(browser, row);
    put_number(cost, LW_COST_SHARED, cost ? cost->wavefronts : 0, text);
}

static void put_ideal(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    const struct lw_kernel_cost *cost = cost_of(browser, row);
    put_number(cost, LW_COST_SHARED, cost ? cost->ideal : 0, text);
}

static void put_sectors(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    const struct lw_kernel_cost *cost = cost_of(browser, row);
    put_number(cost, LW_COST_GLOBAL, cost ? cost->sectors : 0, text);
}

static void put_kind(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    const struct lw_kernel_cost *cost = cost_of(browser, row);
    lw_text_add(text, cost ? cost->kind : "...");
}

static void put_loops(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    lw_text_format(text, "%d", lw_operation_depth(&browser->kernel, operation_of(browser, row)));
}

static void put_operation(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    const char *name = operation_of(browser, row)->name, *dot = strrchr(name, '.');
    lw_text_add(text, dot ? dot + 1 : name);
}

static void put_tensor(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    lw_operation_print_tensor(text, &browser->kernel, operation_of(browser, row));
}

static void put_layouts(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    lw_operation_print_layouts(text, &browser->kernel, operation_of(browser, row));
}

static void put_where(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    lw_location_print(text, operation_of(browser, row)->location, false);
}

/* The line of the source, or where it is when it cannot be read. */
static void put_quote(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    const char *quote = lw_browse_quote(browser, lw_browse_operation(browser, row));
    lw_text_add(text, quote);
    if (!quote[0])
        put_where(browser, row, text);
}

static const struct column operation_columns[] = {{"line", 6, 0, 0, true, put_line},
                                                  {"what", 11, 0, 0, false, put_kind},
                                                  {"wavefronts", 10, 0, 0, true, put_wavefronts},
                                                  {"ideal", 7, 0, 0, true, put_ideal},
                                                  {"sectors", 8, 0, 0, true, put_sectors},
                                                  {"loops", 5, 100, 0, true, put_loops},
                                                  {"operation", 26, 100, 0, false, put_operation},
                                                  {"operation", 0, 0, 100, false, put_operation},
                                                  {"tensor", 13, 100, 0, false, put_tensor},
                                                  {"layouts", 30, 140, 0, false, put_layouts},
                                                  {"where", 24, 180, 0, false, put_where},
                                                  {"source", 0, 100, 0, false, put_quote},
                                                  {NULL, 0, 0, 0, false, NULL}};

/* ---- Of layouts ---- */

static const struct lw_kernel_encoding *encoding_of(const struct lw_browser *browser, size_t row)
{
    return &browser->kernel.encodings[browser->layouts[row].encoding];
}

/* Of several rows of one layout, the first one on the screen says its name. */
static void put_alias(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    bool again = row > browser->top[LW_BROWSE_LAYOUTS] &&
                 browser->layouts[row - 1].encoding == browser->layouts[row].encoding;
    lw_text_add(text, again ? "" : encoding_of(browser, row)->alias);
}

static void put_shape(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    int type = browser->layouts[row].type;
    if (type < 0)
        lw_text_add(text, "at no shape");
    else if (browser->kernel.types[type].tensor.rank < 0)
        lw_text_add(text, browser->kernel.types[type].text);
    else
        lw_tensor_print(text, &browser->kernel.types[type].tensor);
}

static void put_encoding(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    const struct lw_kernel_encoding *encoding = encoding_of(browser, row);
    if (encoding->problem)
        lw_text_format(text, "cannot be read: %s", encoding->problem->message);
    else
        lw_text_add(text, encoding->text);
}

static const struct column layout_columns[] = {{"layout", 26, 0, 0, false, put_alias},
                                               {"tensor", 26, 0, 0, false, put_shape},
                                               {"attribute", 0, 0, 0, false, put_encoding},
                                               {NULL, 0, 0, 0, false, NULL}};

/* ---- Of kernels ---- */

static void put_name(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    lw_text_add(text, lw_kernel_folder_about(&browser->folder, row)->name);
}

static void put_target(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    lw_text_add(text, lw_kernel_folder_about(&browser->folder, row)->target);
}

static void put_warps(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    int warps = lw_kernel_folder_about(&browser->folder, row)->num_warps;
    if (warps)
        lw_text_format(text, "%d", warps);
}

static void put_shared(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    int64_t bytes = lw_kernel_folder_about(&browser->folder, row)->shared;
    if (bytes >= 0)
        lw_text_format(text, "%" PRId64, bytes);
}

static void put_path(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    lw_text_add(text, browser->folder.files[row].below);
}

static const struct column kernel_columns[] = {
    {"kernel", 30, 0, 0, false, put_name}, {"target", 14, 0, 0, false, put_target},
    {"warps", 5, 0, 0, true, put_warps},   {"shared bytes", 12, 100, 0, true, put_shared},
    {"file", 0, 0, 0, false, put_path},    {NULL, 0, 0, 0, false, NULL}};

static const struct column *columns_of(const struct lw_explorer *ex)
{
    if (lw_focus_below(ex) == LW_FOCUS_FOLDER)
        return kernel_columns;
    return ex->browser->list == LW_BROWSE_OPERATIONS ? operation_columns : layout_columns;
}

void lw_browse_put_row(struct lw_explorer *ex, size_t row, struct lw_text *text)
{
    for (const struct column *column = columns_of(ex); column->head; column++) {
        column->put(ex->browser, row, text);
        lw_text_char(text, ' ');
    }
}

/* ---- A list ---- */

/* A list in its frame. */
struct listing {
    struct lw_explorer *ex;
    struct lw_surface *surface;
    const struct column *columns;
    struct lw_rect inside;
    size_t at, top, count;
    bool has_keys;
};

static void draw_row(const struct listing *list, int line, struct lw_pen pen, bool head, size_t row)
{
    struct lw_text text = {.limit = 1024};
    int col = list->inside.col + 1, end = list->inside.col + list->inside.width;
    for (const struct column *column = list->columns; column->head && col < end; column++) {
        if (list->ex->screen.width < column->from ||
            (column->below && list->ex->screen.width >= column->below))
            continue;
        int width = column->width && column->width < end - col ? column->width : end - col;
        lw_text_clear(&text);
        if (!head)
            column->put(list->ex->browser, row, &text);
        lw_put_padded(list->surface, line, col, width, pen,
                      head ? column->head : lw_text_string(&text), column->right);
        col += width + 1;
    }
    lw_text_free(&text);
}

static void draw_listing(struct listing *list, size_t *top)
{
    size_t shown = list->inside.height > 1 ? (size_t)list->inside.height - 1 : 1;
    *top = list->at < *top ? list->at : list->at >= *top + shown ? list->at - shown + 1 : *top;
    if (*top + shown > list->count)
        *top = list->count > shown ? list->count - shown : 0;
    draw_row(list, list->inside.row, lw_pen(LW_PEN_LABEL), true, 0);
    for (size_t i = 0; i < shown && *top + i < list->count; i++) {
        int line = list->inside.row + 1 + (int)i;
        enum lw_pen_kind kind = *top + i != list->at ? LW_PEN_TEXT
                                : list->has_keys     ? LW_PEN_CURSOR
                                                     : LW_PEN_SELECT;
        lw_put_padded(list->surface, line, list->inside.col, list->inside.width, lw_pen(kind), "",
                      false);
        draw_row(list, line, lw_pen(kind), false, *top + i);
    }
}

static void draw_list(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect,
                      int which)
{
    struct lw_browser *browser = ex->browser;
    bool folder = which == LW_BROWSE_LISTS;
    size_t *top = folder ? &browser->file_top : &browser->top[which];
    const size_t *at = folder ? &browser->file : &browser->at[which];
    struct listing list = {.ex = ex,
                           .surface = surface,
                           .at = *at,
                           .has_keys = folder || which == browser->list,
                           .columns = folder                          ? kernel_columns
                                      : which == LW_BROWSE_OPERATIONS ? operation_columns
                                                                      : layout_columns,
                           .count = folder ? browser->folder.count
                                    : which == LW_BROWSE_OPERATIONS
                                        ? browser->kernel.operation_count
                                        : browser->layout_count};
    const bool one = list.count == 1;
    char title[64];
    snprintf(title, sizeof title, "%zu %s", list.count,
             folder ? one ? "kernel" : "kernels"
             : which == LW_BROWSE_OPERATIONS
                 ? one ? "operation that moves data"
                       : "operations that move data, the costliest first"
             : one ? "layout"
                   : "layouts, at each shape");
    if (which == LW_BROWSE_OPERATIONS && browser->costs.counted < list.count)
        snprintf(title, sizeof title, "%zu operations that move data, as in the file", list.count);
    list.inside = lw_put_frame(surface, rect, title, list.has_keys);
    draw_listing(&list, top);
    int max = (int)list.count - list.inside.height + 1;
    lw_put_more(surface, rect, (int)*top, max);
}

/* ---- What is chosen, in full ---- */

static int put_below(struct lw_surface *surface, struct lw_rect *rest, enum lw_pen_kind pen,
                     const char *text)
{
    int used = *text && rest->height > 0 ? lw_put_wrapped(surface, *rest, lw_pen(pen), text) : 0;
    rest->row += used;
    rest->height -= used;
    return used;
}

static void put_cost(const struct lw_kernel_cost *cost, struct lw_text *text)
{
    lw_text_format(text, "%s%s%s", cost->kind, *cost->code ? ": " : "", cost->code);
    if (cost->known & LW_COST_SHARED)
        lw_text_format(text, "; %" PRIu64 " wavefronts, ideal %" PRIu64, cost->wavefronts,
                       cost->ideal);
    if (cost->known & LW_COST_GLOBAL)
        lw_text_format(text, "; %" PRIu64 " sectors, ideal %" PRIu64, cost->sectors,
                       cost->ideal_sectors);
    if (cost->bytes)
        lw_text_format(text, "; %" PRIu64 " bytes", cost->bytes);
    if (cost->depth)
        lw_text_format(text, "; in %d loop%s, %" PRIu64 "%s times", cost->depth,
                       cost->depth > 1 ? "s" : "", cost->trips,
                       cost->trips_known ? "" : " or more");
}

static void draw_operation(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rest)
{
    struct lw_browser *browser = ex->browser;
    size_t row = browser->at[LW_BROWSE_OPERATIONS];
    if (row >= browser->kernel.operation_count)
        return;
    const struct lw_operation *operation = operation_of(browser, row);
    const struct lw_kernel_cost *cost = cost_of(browser, row);
    struct lw_text text = {0};
    lw_location_print(&text, operation->location, true);
    if (text.length)
        lw_text_add(&text, "  ");
    lw_text_add(&text, lw_browse_quote(browser, lw_browse_operation(browser, row)));
    put_below(surface, &rest, LW_PEN_TITLE, lw_text_string(&text));
    lw_text_clear(&text);
    lw_text_format(&text, "%s  ", operation->name);
    lw_operation_print_tensor(&text, &browser->kernel, operation);
    lw_text_add(&text, "  ");
    lw_operation_print_layouts(&text, &browser->kernel, operation);
    put_below(surface, &rest, LW_PEN_TEXT, lw_text_string(&text));
    lw_text_clear(&text);
    if (cost)
        put_cost(cost, &text);
    put_below(surface, &rest, LW_PEN_TEXT, lw_text_string(&text));
    if (cost && *cost->why) {
        lw_text_clear(&text);
        lw_text_format(&text, "%s%s", cost->known ? "" : "not counted: ", cost->why);
        put_below(surface, &rest, LW_PEN_FAINT, lw_text_string(&text));
    }
    lw_text_free(&text);
}

static void draw_layout(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rest)
{
    struct lw_browser *browser = ex->browser;
    size_t row = browser->at[LW_BROWSE_LAYOUTS];
    if (row >= browser->layout_count)
        return;
    const struct lw_kernel_encoding *encoding = encoding_of(browser, row);
    struct lw_text text = {0};
    lw_text_format(&text, "%s, line %d, used %" PRIu64 " times", encoding->alias,
                   encoding->position.line, encoding->uses);
    put_below(surface, &rest, LW_PEN_TITLE, lw_text_string(&text));
    put_below(surface, &rest, LW_PEN_TEXT, encoding->text);
    if (encoding->problem)
        put_below(surface, &rest, LW_PEN_BAD, encoding->problem->message);
    lw_text_free(&text);
}

static void draw_kernel_file(struct lw_explorer *ex, struct lw_surface *surface,
                             struct lw_rect rest)
{
    struct lw_browser *browser = ex->browser;
    put_below(surface, &rest, LW_PEN_TEXT, browser->folder.files[browser->file].path);
}

/* ---- The screen ---- */

/* What is wrong in the text, as much as there is room for; returns the columns used. */
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

/* What all operations cost; in brief under the names of the columns. */
static void put_totals(const struct lw_kernel_costs *costs, struct lw_text *text, bool brief)
{
    lw_text_format(text,
                   brief ? "wavefronts %" PRIu64 " (ideal %" PRIu64 "), sectors %" PRIu64
                           " (ideal %" PRIu64 ")%s"
                         : "shared memory: %" PRIu64 " wavefronts, ideal %" PRIu64
                           "; global memory: %" PRIu64 " sectors, ideal %" PRIu64 "%s",
                   costs->run_wavefronts, costs->run_ideal, costs->run_sectors,
                   costs->run_ideal_sectors,
                   costs->trips_known ? ""
                   : brief            ? "; loops once"
                                      : "; unknown loops count once");
    if (costs->uncounted)
        lw_text_format(text, "; %zu not counted", costs->uncounted);
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
    for (int brief = 0; brief < 2; brief++) {
        lw_text_clear(&text);
        put_totals(costs, &text, brief);
        if ((int)text.length <= ex->screen.width - 2 - used)
            break;
    }
    lw_put(surface, 1, 1 + used, ex->screen.width - 2 - used, lw_pen(LW_PEN_FAINT),
           lw_text_string(&text));
    lw_text_free(&text);
}

void lw_browse_rects(const struct lw_explorer *ex, struct lw_browse_rects *rects)
{
    enum { BOTH = 12 }; /* lines that two lists need */
    bool folder = lw_focus_below(ex) == LW_FOCUS_FOLDER;
    int detail = ex->screen.height < 20 ? 0 : folder ? 4 : ex->screen.height >= 30 ? 8 : 7;
    int top = ex->screen.height >= 8 ? 2 : 1, body = ex->screen.height - top - 1 - detail;
    int upper = folder ? body : body >= BOTH ? body * 3 / 5 : 0;
    if (!folder && ex->browser->kernel.operation_count < (size_t)upper)
        upper = (int)ex->browser->kernel.operation_count + 3; /* its frame and its heads */
    memset(rects, 0, sizeof *rects);
    rects->detail = (struct lw_rect){top + body, 0, detail, ex->screen.width};
    if (upper) {
        rects->list[0] = (struct lw_rect){top, 0, upper, ex->screen.width};
        rects->list[1] = (struct lw_rect){top + upper, 0, body - upper, ex->screen.width};
    } else {
        rects->list[ex->browser->list] = (struct lw_rect){top, 0, body, ex->screen.width};
    }
}

void lw_draw_browse(struct lw_explorer *ex, struct lw_surface *surface)
{
    bool folder = lw_focus_below(ex) == LW_FOCUS_FOLDER;
    struct lw_browse_rects rects;
    int col = 3 + lw_put(surface, 0, 1, ex->screen.width - 1, lw_pen(LW_PEN_HEAD), "laneway");
    lw_browse_rects(ex, &rects);
    if (folder) {
        lw_put(surface, 0, col, ex->screen.width - col, lw_pen(LW_PEN_TITLE),
               ex->browser->folder.path);
        draw_list(ex, surface, rects.list[0], LW_BROWSE_LISTS);
    } else {
        draw_kernel_head(ex, surface, col);
        for (int i = 0; i < LW_BROWSE_LISTS; i++)
            if (rects.list[i].height)
                draw_list(ex, surface, rects.list[i], i);
    }
    if (rects.detail.height) {
        struct lw_rect inside = lw_put_frame(surface, rects.detail, "", false);
        inside.col++;
        inside.width -= 2;
        (folder                                      ? draw_kernel_file
         : ex->browser->list == LW_BROWSE_OPERATIONS ? draw_operation
                                                     : draw_layout)(ex, surface, inside);
    }
}
