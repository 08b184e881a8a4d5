/* The rows of the lists of kernels: a folder's, and a kernel's operations and layouts. Columns are rows of
 * tables; those that a screen is too narrow for are left out. */

#include "tui/kernel/browse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

size_t lw_browse_operation(const struct lw_browser *browser, size_t row)
{
    return browser->costs.order[row];
}

const char *lw_browse_quote(struct lw_browser *browser, size_t operation)
{
    char **quote = &browser->quotes[operation];
    if (!*quote) {
        const char *line = lw_source_line(
            &browser->lines, browser->kernel.operations[operation].location, browser->path, NULL);
        *quote = strdup(line ? line : "");
    }
    return *quote ? *quote : "";
}

size_t lw_browse_rows(const struct lw_explorer *ex, size_t **at, size_t **top)
{
    struct lw_browser *browser = ex->browser;
    bool folder = lw_focus_below(ex) == LW_FOCUS_FOLDER;
    *at = folder ? &browser->file : &browser->at[browser->list];
    *top = folder ? &browser->file_top : &browser->top[browser->list];
    return folder                                  ? browser->folder.count
           : browser->list == LW_BROWSE_OPERATIONS ? browser->kernel.operation_count
                                                   : browser->layout_count;
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

/* ---- Of operations ---- */

const struct lw_operation *lw_browse_operation_of(const struct lw_browser *browser, size_t row)
{
    return &browser->kernel.operations[lw_browse_operation(browser, row)];
}

const struct lw_kernel_cost *lw_browse_cost_of(const struct lw_browser *browser, size_t row)
{
    size_t at = lw_browse_operation(browser, row);
    return at < browser->costs.counted ? &browser->costs.costs[at] : NULL;
}

static void put_line(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    lw_text_format(text, "%d", lw_browse_operation_of(browser, row)->position.line);
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
    const struct lw_kernel_cost *cost = lw_browse_cost_of(browser, row);
    put_number(cost, LW_COST_SHARED, cost ? cost->wavefronts : 0, text);
}

static void put_ideal(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    const struct lw_kernel_cost *cost = lw_browse_cost_of(browser, row);
    put_number(cost, LW_COST_SHARED, cost ? cost->ideal : 0, text);
}

static void put_sectors(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    const struct lw_kernel_cost *cost = lw_browse_cost_of(browser, row);
    put_number(cost, LW_COST_GLOBAL, cost ? cost->sectors : 0, text);
}

static void put_kind(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    const struct lw_kernel_cost *cost = lw_browse_cost_of(browser, row);
    lw_text_add(text, cost ? cost->kind : "...");
}

static void put_loops(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    lw_text_format(text, "%d",
                   lw_operation_depth(&browser->kernel, lw_browse_operation_of(browser, row)));
}

static void put_operation(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    const char *name = lw_browse_operation_of(browser, row)->name, *dot = strrchr(name, '.');
    lw_text_add(text, dot ? dot + 1 : name);
}

static void put_tensor(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    lw_operation_print_tensor(text, &browser->kernel, lw_browse_operation_of(browser, row));
}

static void put_layouts(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    lw_operation_print_layouts(text, &browser->kernel, lw_browse_operation_of(browser, row));
}

static void put_where(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    lw_location_print(text, lw_browse_operation_of(browser, row)->location, false);
}

/* The line of the source, or its position when it cannot be read. */
static void put_quote(struct lw_browser *browser, size_t row, struct lw_text *text)
{
    const char *quote = lw_browse_quote(browser, lw_browse_operation(browser, row));
    lw_text_add(text, quote);
    if (!quote[0])
        put_where(browser, row, text);
}

static const struct lw_browse_column operation_columns[] = {
    {"line", 6, 0, 0, true, put_line},
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

/* Of several rows of one layout, only the first one on the screen has its name. */
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
        lw_text_add(text, "no shape");
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

static const struct lw_browse_column layout_columns[] = {
    {"layout", 26, 0, 0, false, put_alias},
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

static const struct lw_browse_column kernel_columns[] = {
    {"kernel", 30, 0, 0, false, put_name}, {"target", 14, 0, 0, false, put_target},
    {"warps", 5, 0, 0, true, put_warps},   {"shared bytes", 12, 100, 0, true, put_shared},
    {"file", 0, 0, 0, false, put_path},    {NULL, 0, 0, 0, false, NULL}};

const struct lw_browse_column *lw_browse_columns(int list)
{
    return list == LW_BROWSE_OPERATIONS ? operation_columns
           : list == LW_BROWSE_LAYOUTS  ? layout_columns
                                        : kernel_columns;
}

void lw_browse_put_row(struct lw_explorer *ex, size_t row, struct lw_text *text)
{
    bool folder = lw_focus_below(ex) == LW_FOCUS_FOLDER;
    int list = folder ? LW_BROWSE_LISTS : ex->browser->list;
    for (const struct lw_browse_column *column = lw_browse_columns(list); column->head; column++) {
        column->put(ex->browser, row, text);
        lw_text_char(text, ' ');
    }
}
