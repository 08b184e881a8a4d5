/* The columns of the tables of kernels: operations, layouts, and the files of a folder. A narrow screen has fewer
 * columns. */

#include "tui/kernel/browse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct lw_browse_number known(uint64_t value)
{
    return (struct lw_browse_number){true, value, 0};
}

static const struct lw_browse_number unknown = {false, 0, 0};

static uint64_t times(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* The share of a total in tenths of a percent. */
static struct lw_browse_number share_of(uint64_t part, uint64_t all)
{
    return all ? known((uint64_t)(1000.0 * (double)part / (double)all + 0.5)) : unknown;
}

static void put_share(struct lw_text *text, struct lw_browse_number share)
{
    if (share.known)
        lw_text_format(text, "%" PRIu64 "%%", (share.value + 5) / 10);
    else
        lw_text_char(text, '-');
}

/* ---- Operations ---- */

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

const struct lw_operation *lw_browse_operation_of(const struct lw_browser *browser, size_t item)
{
    return &browser->kernel.operations[item];
}

const struct lw_kernel_cost *lw_browse_cost_of(const struct lw_browser *browser, size_t item)
{
    return item < browser->costs.counted ? &browser->costs.costs[item] : NULL;
}

static struct lw_browse_number line_number(struct lw_browser *browser, size_t item)
{
    return known((uint64_t)lw_browse_operation_of(browser, item)->position.line);
}

static struct lw_browse_number of_cost(struct lw_browser *browser, size_t item, unsigned memory,
                                       uint64_t (*number)(const struct lw_kernel_cost *cost))
{
    const struct lw_kernel_cost *cost = lw_browse_cost_of(browser, item);
    return cost && (cost->known & memory) ? known(number(cost)) : unknown;
}

static uint64_t wavefronts_of(const struct lw_kernel_cost *cost)
{
    return cost->wavefronts;
}

static uint64_t ideal_of(const struct lw_kernel_cost *cost)
{
    return cost->ideal;
}

static uint64_t sectors_of(const struct lw_kernel_cost *cost)
{
    return cost->sectors;
}

static struct lw_browse_number wavefronts(struct lw_browser *browser, size_t item)
{
    return of_cost(browser, item, LW_COST_SHARED, wavefronts_of);
}

static struct lw_browse_number ideal(struct lw_browser *browser, size_t item)
{
    return of_cost(browser, item, LW_COST_SHARED, ideal_of);
}

static struct lw_browse_number sectors(struct lw_browser *browser, size_t item)
{
    return of_cost(browser, item, LW_COST_GLOBAL, sectors_of);
}

/* The cost over the ideal: wavefronts of shared memory, else sectors of global memory. */
static struct lw_browse_number excess(struct lw_browser *browser, size_t item)
{
    const struct lw_kernel_cost *cost = lw_browse_cost_of(browser, item);
    if (!cost || !cost->known)
        return unknown;
    if (cost->known & LW_COST_SHARED)
        return known(cost->wavefronts -
                     (cost->ideal < cost->wavefronts ? cost->ideal : cost->wavefronts));
    return known(cost->sectors -
                 (cost->ideal_sectors < cost->sectors ? cost->ideal_sectors : cost->sectors));
}

/* The share of the kernel's excess, over all runs, in shared or in global memory. */
static struct lw_browse_number share(struct lw_browser *browser, size_t item)
{
    const struct lw_kernel_cost *cost = lw_browse_cost_of(browser, item);
    const struct lw_kernel_costs *costs = &browser->costs;
    if (!cost || !cost->known || costs->counted < browser->kernel.operation_count)
        return unknown;
    return share_of(times(excess(browser, item).value, cost->trips),
                    cost->known & LW_COST_SHARED ? costs->run_wavefronts - costs->run_ideal
                                                 : costs->run_sectors - costs->run_ideal_sectors);
}

void lw_browse_put_share(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    struct lw_browse_number its = share(browser, item);
    if (!its.known || !excess(browser, item).value)
        return;
    lw_text_add(text, "; ");
    put_share(text, its);
    lw_text_add(text, " of the kernel's excess");
}

static struct lw_browse_number loops(struct lw_browser *browser, size_t item)
{
    return known(
        (uint64_t)lw_operation_depth(&browser->kernel, lw_browse_operation_of(browser, item)));
}

static void put_operation_share(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    put_share(text, share(browser, item));
}

static void put_kind(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    const struct lw_kernel_cost *cost = lw_browse_cost_of(browser, item);
    lw_text_add(text, cost ? cost->kind : "...");
}

/* Puts the first result, by which operations of one name differ. */
static void put_value(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    lw_text_add(text, lw_browse_operation_of(browser, item)->value);
}

static void put_operation(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    const char *name = lw_browse_operation_of(browser, item)->name, *dot = strrchr(name, '.');
    lw_text_add(text, dot ? dot + 1 : name);
}

static void put_tensor(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    lw_operation_print_tensor(text, &browser->kernel, lw_browse_operation_of(browser, item));
}

static void put_layouts(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    lw_operation_print_layouts(text, &browser->kernel, lw_browse_operation_of(browser, item));
}

static void put_where(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    lw_location_print(text, lw_browse_operation_of(browser, item)->location, false);
}

/* The line of the source, or its position when it cannot be read. */
static void put_quote(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    const char *quote = lw_browse_quote(browser, item);
    lw_text_add(text, quote);
    if (!quote[0])
        put_where(browser, item, text);
}

static const struct lw_browse_column operation_columns[] = {
    {"line", 5, 0, 0, 0, line_number, true, NULL, 5, NULL},
    {"what", 11, 0, 0, 0, NULL, true, put_kind, 6, NULL},
    {"wf", 6, 0, 0, 0, wavefronts, false, NULL, 0, "wavefronts"},
    {"ideal", 6, 1, 0, 0, ideal, false, NULL, 7,
     NULL}, /* on all screens, unless few items have one */
    {"excess", 6, 0, 0, 0, excess, false, NULL, 3, NULL},
    {"share", 6, 100, 0, 0, share, false, put_operation_share, 4, "share of the kernel's excess"},
    {"sectors", 7, 0, 0, 0, sectors, false, NULL, 2, NULL},
    {"loops", 5, 0, 0, 0, loops, false, NULL, 8, "depth of loops"},
    {"value", 8, 0, 0, 0, NULL, true, put_value, 9, NULL},
    {"operation", 0, 0, 112, 0, NULL, true, put_operation, 0, NULL},
    {"operation", 14, 112, 170, 0, NULL, true, put_operation, 0, NULL},
    {"operation", 26, 170, 0, 0, NULL, true, put_operation, 0, NULL},
    {"tensor", 13, 112, 0, 0, NULL, true, put_tensor, 0, NULL},
    {"layouts", 0, 112, 170, 0, NULL, true, put_layouts, 0, NULL},
    {"layouts", 30, 170, 0, 1, NULL, true, put_layouts, 0, NULL},
    {"layouts", 0, 170, 0, -1, NULL, true, put_layouts, 0, NULL},
    {"where", 24, 200, 0, 1, NULL, true, put_where, 0, NULL},
    {"source", 0, 170, 0, 1, NULL, true, put_quote, 0, NULL},
    {NULL, 0, 0, 0, 0, NULL, true, NULL, 0, NULL}};

/* ---- Layouts ---- */

static const struct lw_kernel_encoding *encoding_of(const struct lw_browser *browser, size_t item)
{
    return &browser->kernel.encodings[browser->layouts[item].encoding];
}

static void put_alias(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    lw_text_add(text, encoding_of(browser, item)->alias);
}

static struct lw_browse_number uses(struct lw_browser *browser, size_t item)
{
    return known(encoding_of(browser, item)->uses);
}

static void put_shape(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    int type = browser->layouts[item].type;
    if (type < 0)
        lw_text_add(text, "no shape");
    else if (browser->kernel.types[type].tensor.rank < 0)
        lw_text_add(text, browser->kernel.types[type].text);
    else
        lw_tensor_print(text, &browser->kernel.types[type].tensor);
}

static void put_encoding(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    const struct lw_kernel_encoding *encoding = encoding_of(browser, item);
    if (encoding->problem)
        lw_text_format(text, "cannot be read: %s", encoding->problem->message);
    else
        lw_text_add(text, encoding->text);
}

static const struct lw_browse_column layout_columns[] = {
    {"layout", 20, 0, 0, 0, NULL, true, put_alias, 0, NULL},
    {"uses", 5, 0, 0, 0, uses, false, NULL, 1, NULL},
    {"tensor", 24, 0, 0, 0, NULL, true, put_shape, 0, NULL},
    {"attribute", 0, 0, 0, 0, NULL, true, put_encoding, 0, NULL},
    {NULL, 0, 0, 0, 0, NULL, true, NULL, 0, NULL}};

/* ---- The files of a folder ---- */

static const struct lw_folder_cost *cost_of_file(const struct lw_browser *browser, size_t item)
{
    const struct lw_folder_cost *cost = &browser->folder_costs[item];
    bool has_none = cost->problems && !cost->operations; /* its text ends before the first one */
    return cost->done && cost->read && !has_none ? cost : NULL;
}

static void put_name(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    lw_text_add(text, lw_kernel_folder_about(&browser->folder, item)->name);
}

static void put_target(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    lw_text_add(text, lw_kernel_folder_about(&browser->folder, item)->target);
}

static struct lw_browse_number warps(struct lw_browser *browser, size_t item)
{
    int count = lw_kernel_folder_about(&browser->folder, item)->num_warps;
    return count ? known((uint64_t)count) : unknown;
}

static struct lw_browse_number shared_bytes(struct lw_browser *browser, size_t item)
{
    int64_t bytes = lw_kernel_folder_about(&browser->folder, item)->shared;
    return bytes >= 0 ? known((uint64_t)bytes) : unknown;
}

static struct lw_browse_number file_wavefronts(struct lw_browser *browser, size_t item)
{
    const struct lw_folder_cost *cost = cost_of_file(browser, item);
    return cost ? known(cost->wavefronts) : unknown;
}

static struct lw_browse_number file_excess(struct lw_browser *browser, size_t item)
{
    const struct lw_folder_cost *cost = cost_of_file(browser, item);
    return cost && cost->wavefronts >= cost->ideal ? known(cost->wavefronts - cost->ideal)
                                                   : unknown;
}

static struct lw_browse_number file_sectors(struct lw_browser *browser, size_t item)
{
    const struct lw_folder_cost *cost = cost_of_file(browser, item);
    return cost ? known(cost->sectors) : unknown;
}

static struct lw_browse_number file_operations(struct lw_browser *browser, size_t item)
{
    const struct lw_folder_cost *cost = cost_of_file(browser, item);
    return cost ? known(cost->operations) : unknown;
}

/* Of no use when all operations of all files are counted. */
static struct lw_browse_number file_uncounted(struct lw_browser *browser, size_t item)
{
    const struct lw_folder_cost *cost = cost_of_file(browser, item);
    return cost && browser->folder_uncounted ? known(cost->uncounted) : unknown;
}

static void put_path(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    lw_text_add(text, browser->folder.files[item].below);
}

static const struct lw_browse_column kernel_columns[] = {
    {"kernel", 24, 0, 0, 0, NULL, true, put_name, 0, NULL},
    {"target", 11, 0, 0, 0, NULL, true, put_target, 4, NULL},
    {"warps", 5, 0, 0, 0, warps, false, NULL, 8, NULL},
    {"wf", 6, 0, 0, 0, file_wavefronts, false, NULL, 0, "wavefronts"},
    {"excess", 8, 0, 0, 0, file_excess, false, NULL, 2, NULL},
    {"sectors", 8, 0, 0, 0, file_sectors, false, NULL, 3, NULL},
    {"operations", 10, 100, 0, 0, file_operations, false, NULL, 7, NULL},
    {"shared bytes", 12, 120, 0, 0, shared_bytes, false, NULL, 6, NULL},
    {"not counted", 11, 120, 0, 0, file_uncounted, false, NULL, 9, NULL},
    {"file", 0, 0, 0, 0, NULL, true, put_path, 5, NULL},
    {NULL, 0, 0, 0, 0, NULL, true, NULL, 0, NULL}};

/* ---- All tables ---- */

size_t lw_browse_items(const struct lw_browser *browser, int which)
{
    return which == LW_BROWSE_FILES        ? browser->folder.count
           : !browser->has_kernel          ? 0
           : which == LW_BROWSE_OPERATIONS ? browser->kernel.operation_count
                                           : browser->layout_count;
}

const struct lw_browse_column *lw_browse_columns(int which)
{
    return which == LW_BROWSE_OPERATIONS ? operation_columns
           : which == LW_BROWSE_LAYOUTS  ? layout_columns
                                         : kernel_columns;
}

void lw_browse_put(struct lw_browser *browser, const struct lw_browse_column *column, size_t item,
                   struct lw_text *text)
{
    if (column->put) {
        column->put(browser, item, text);
        return;
    }
    struct lw_browse_number number = column->number(browser, item);
    if (number.known)
        lw_text_format(text, "%" PRIu64, number.value);
    else
        lw_text_char(text, '-');
}

/* Whether a column is on the screen if there is room for all. */
static bool is_wanted(const struct lw_explorer *ex, int which, int i)
{
    enum { WIDE = 160 }; /* the screens that also show columns in which few items have a number */
    const struct lw_browse_column *column = &lw_browse_columns(which)[i];
    const struct lw_browse_table *table = &ex->browser->tables[which];
    int width = ex->screen.width;
    bool sparse = column->from && width < WIDE && (table->sparse & (UINT32_C(1) << i));
    if (table->sort != i && (sparse || (table->unknown & (UINT32_C(1) << i))))
        return false;
    return (width >= column->from || (table->sort == i && column->number)) &&
           (!column->below || width < column->below) &&
           (!column->source || (column->source > 0) == ex->browser->has_source);
}

int lw_browse_least(const struct lw_browser *browser, int which, int i)
{
    enum { LEAST = 12 }; /* of a text */
    const struct lw_browse_column *column = &lw_browse_columns(which)[i];
    int natural = browser->tables[which].natural[i];
    int least = column->number || (natural && natural < LEAST) ? natural : LEAST;
    return column->width && !column->number && column->width < least ? column->width : least;
}

/* The columns on the screen, a bit for each. */
static uint32_t shown(const struct lw_explorer *ex, int which)
{
    enum { AROUND = 4, ARROW = 1 };
    const struct lw_browse_column *columns = lw_browse_columns(which);
    int needed = AROUND + ARROW - 1;
    uint32_t bits = 0;
    for (int i = 0; columns[i].head; i++) {
        if (!is_wanted(ex, which, i))
            continue;
        bits |= UINT32_C(1) << i;
        needed += lw_browse_least(ex->browser, which, i) + 1;
    }
    while (needed > ex->screen.width) {
        int out = -1;
        for (int i = 0; columns[i].head; i++)
            if ((bits & (UINT32_C(1) << i)) && columns[i].drop &&
                ex->browser->tables[which].sort != i &&
                (out < 0 || columns[i].drop > columns[out].drop))
                out = i;
        if (out < 0)
            break;
        bits &= ~(UINT32_C(1) << out);
        needed -= lw_browse_least(ex->browser, which, out) + 1;
    }
    return bits;
}

bool lw_browse_column_shows(const struct lw_explorer *ex, int which, int i)
{
    return (shown(ex, which) & (UINT32_C(1) << i)) != 0;
}

bool lw_browse_column_is_dropped(const struct lw_explorer *ex, int which, int i)
{
    return is_wanted(ex, which, i) && !lw_browse_column_shows(ex, which, i);
}

bool lw_browse_column_sorts(const struct lw_explorer *ex, int which, int i)
{
    const struct lw_browse_table *table = &ex->browser->tables[which];
    const bool has_numbers = !((table->unknown | table->sparse) & (UINT32_C(1) << i));
    return lw_browse_column_shows(ex, which, i) ||
           (lw_browse_columns(which)[i].number && has_numbers);
}

static bool costs_are_known(const struct lw_browser *browser, int which)
{
    return which == LW_BROWSE_OPERATIONS ? browser->costs.counted == browser->kernel.operation_count
           : which == LW_BROWSE_FILES    ? browser->folder_counted == browser->folder.count
                                         : false;
}

int lw_browse_default_column(const struct lw_explorer *ex, int which)
{
    const struct lw_browse_column *columns = lw_browse_columns(which);
    static const char *const names[] = {"wf", "sectors"};
    for (size_t n = 0; n < 2 && costs_are_known(ex->browser, which); n++)
        for (int i = 0; columns[i].head; i++)
            if (!strcmp(columns[i].head, names[n]) && lw_browse_column_shows(ex, which, i))
                return i;
    return LW_BROWSE_BY_DEFAULT;
}

struct lw_browse_number lw_browse_default(struct lw_browser *browser, int which, size_t item)
{
    if (which == LW_BROWSE_FILES && browser->folder_counted == browser->folder.count)
        return cost_of_file(browser, item)
                   ? (struct lw_browse_number){true, browser->folder_costs[item].wavefronts,
                                               browser->folder_costs[item].sectors}
                   : unknown;
    const struct lw_kernel_cost *cost =
        which == LW_BROWSE_OPERATIONS && browser->costs.counted == browser->kernel.operation_count
            ? lw_browse_cost_of(browser, item)
            : NULL;
    return cost ? (struct lw_browse_number){true, times(cost->wavefronts, cost->trips),
                                            times(cost->sectors, cost->trips)}
                : unknown;
}

const char *lw_browse_default_name(const struct lw_explorer *ex, int which)
{
    if (which == LW_BROWSE_LAYOUTS)
        return "in file order";
    if (!costs_are_known(ex->browser, which))
        return which == LW_BROWSE_FILES ? "by name; costs are being counted"
                                        : "in file order; costs are being counted";
    if (which == LW_BROWSE_FILES)
        return "by cost: wavefronts, then sectors";
    int at = 0;
    while (operation_columns[at].number != share)
        at++;
    return lw_browse_column_shows(ex, which, at)
               ? "by cost: wavefronts x runs, then sectors; share: of the kernel's excess"
               : "by cost: wavefronts x runs, then sectors";
}
