/* The screen of a kernel, and of two: one table of what its operations cost, the most expensive first, and below it
 * the source line and the TTGIR line of the row under the cursor.
 *
 * Costs are computed in slices; there are rows when all are known. */

#include "core/array_count.h"
#include "core/base_name.h"
#include "core/unused.h"
#include "tui/command/command.h"
#include "tui/list.h"
#include "tui/screen.h"
#include "kernel/kernel_rules.h"
#include "kernel/kernel_folder.h"
#include "view/view_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A kernel with its costs; of two, what was before and what is after. */
enum { BEFORE, AFTER, SIDES };
enum { MOMENT_MS = 30 }; /* of counting before something is drawn */
struct side {
    char *path;
    struct lw_kernel kernel;
    struct lw_kernel_costs costs;
    struct lw_source_lines lines;
};

/* An operation; of two kernels in either, or in both. One that is in neither is what was not read, or else all
 * operations on index and mask tensors. */
struct row {
    int at[SIDES];                     /* operations; -1: none */
    enum lw_change change;             /* of two kernels */
    struct lw_kernel_rank rank[SIDES]; /* what it costs */
    const struct lw_error *unread;     /* or NULL */
};

struct kernel {
    struct lw_screen screen;
    struct side *sides[SIDES]; /* of one kernel BEFORE is NULL */
    struct lw_kernel_pairs pairs;
    struct row *rows;
    size_t row_count, index_count;
    bool is_counted; /* all costs are known: then there are rows */
    struct lw_list list;
    const struct lw_hardware *outer; /* of the screens below */
    char trips[160];                 /* as they were set; "" not */
};

static struct kernel *kernel_of(const struct lw_screen *screen)
{
    return (struct kernel *)screen;
}

static bool is_pair(const struct kernel *kernel)
{
    return kernel->sides[BEFORE] != NULL;
}

/* ---- Rows ---- */

/* Whether an operation moves indices, masks or pointers in registers: what addresses are computed from. */
static bool is_of_indices(const struct lw_kernel *kernel, int at)
{
    static const char *const elements[] = {"i1", "i32", "i64"};
    const struct lw_operation *operation = &kernel->operations[at];
    const enum lw_role role = operation->kind->role;
    if (role != LW_ROLE_CONVERT && role != LW_ROLE_RELABEL && role != LW_ROLE_ELEMENTWISE)
        return false;
    const int type = operation->to >= 0 ? operation->to : operation->from;
    if (type < 0)
        return false;
    const char *element = kernel->types[type].tensor.element.name;
    const char *layout =
        operation->from < 0 ? "" : kernel->encodings[kernel->types[operation->from].layout].text;
    for (size_t i = 0; i < LW_COUNT(elements); i++)
        if (!strcmp(element, elements[i]))
            return !strstr(layout, "mma"); /* a product of integers is data */
    return strstr(kernel->types[type].text, "tt.ptr<") != NULL;
}

/* The side that a row shows: after, else before; -1: it is no operation. */
static int side_of(const struct row *row)
{
    return row->at[AFTER] >= 0 ? AFTER : row->at[BEFORE] >= 0 ? BEFORE : -1;
}

static const struct lw_operation *operation_of(const struct kernel *kernel, const struct row *row)
{
    const int side = side_of(row);
    return side < 0 ? NULL : &kernel->sides[side]->kernel.operations[row->at[side]];
}

/* What it costs at a side; NULL: it is not there. */
static const struct lw_kernel_cost *cost_of(const struct kernel *kernel, const struct row *row,
                                            int side)
{
    return side < 0 || row->at[side] < 0 ? NULL : &kernel->sides[side]->costs.costs[row->at[side]];
}

static void add_unread(struct kernel *kernel, const struct lw_error *problem)
{
    kernel->rows[kernel->row_count++] =
        (struct row){.at = {-1, -1}, .change = LW_CHANGE_NONE, .unread = problem};
}

/* Lists the operations, the most expensive first, or by what became of them; those on index and mask tensors as one
 * row after them; last what was not read (of two kernels, after): problems of the text, and layouts that are not
 * supported. */
static void make_rows(struct kernel *kernel)
{
    const struct side *side = kernel->sides[AFTER];
    const size_t count = is_pair(kernel) ? kernel->pairs.count : side->kernel.operation_count;
    struct row indices = {.at = {-1, -1}, .change = LW_CHANGE_NONE};
    const struct lw_kernel *of = &side->kernel;
    const size_t room = count + 1 + of->encoding_count + LW_REPORT_MAX;
    struct row *rows = realloc(kernel->rows, room * sizeof *rows);
    kernel->row_count = kernel->index_count = 0;
    kernel->rows = rows ? rows : kernel->rows;
    for (size_t i = 0; rows && i < count; i++) {
        struct row row = {.at = {-1, (int)side->costs.order[i]}, .change = LW_CHANGE_NONE};
        bool is_index = true;
        if (is_pair(kernel))
            row = (struct row){.at = {kernel->pairs.pair[i].before, kernel->pairs.pair[i].after},
                               .change = kernel->pairs.pair[i].change};
        for (int k = 0; k < SIDES; k++)
            if (row.at[k] >= 0) {
                row.rank[k] = lw_kernel_rank_of(&kernel->sides[k]->costs, (size_t)row.at[k]);
                is_index = is_index && is_of_indices(&kernel->sides[k]->kernel, row.at[k]);
            }
        if (!is_index) {
            rows[kernel->row_count++] = row;
            continue;
        }
        kernel->index_count++;
        for (int k = 0; k < SIDES; k++) {
            struct lw_kernel_rank *sum = &indices.rank[k];
            sum->loops = row.rank[k].loops > sum->loops ? row.rank[k].loops : sum->loops;
            sum->shared += row.rank[k].shared;
            sum->global += row.rank[k].global;
        }
    }
    const int order = lw_kernel_rank_compare(&indices.rank[AFTER], &indices.rank[BEFORE]);
    if (is_pair(kernel) && order)
        indices.change = order > 0 ? LW_CHANGE_DEARER : LW_CHANGE_CHEAPER;
    if (kernel->index_count)
        rows[kernel->row_count++] = indices;
    for (int i = 0; rows && i < of->problems.count; i++)
        add_unread(kernel, &of->problems.errors[i]);
    for (size_t i = 0; rows && i < of->encoding_count; i++)
        if (of->encodings[i].problem && of->encodings[i].uses)
            add_unread(kernel, of->encodings[i].problem);
    if (!rows)
        lw_app_message(kernel->screen.app, "out of memory");
    lw_list_changed(&kernel->list, kernel->row_count);
}

/* ---- Cells ---- */

enum column { CHANGE, OLD_COST, COST, RUNS, NAME, LAYOUTS, TENSOR, SOURCE };

/* Those before COST are empty of one kernel. */
static const struct lw_column columns[] = {
    [CHANGE] = {"", false, 0},         [OLD_COST] = {"before", true, 0},
    [COST] = {"cost", true, 0},        [RUNS] = {"runs", true, 0},
    [NAME] = {"operation", false, 0},  [TENSOR] = {"tensor", false, 0},
    [LAYOUTS] = {"layouts", false, 0}, [SOURCE] = {"source", false, 0}};

/* "64 wf", "128 sectors, ideal 32": what all runs cost; 0 is faint, what is over the ideal stands out. */
static void put_cost(struct lw_text *text, struct lw_pen *pen, const struct lw_kernel_rank *rank,
                     const struct lw_kernel_cost *cost)
{
    if (cost && lw_kernel_cost_missing(cost))
        lw_text_char(text, '?');
    else if (rank->shared)
        lw_text_format(text, "%" PRIu64 " wf", rank->shared);
    else if (rank->global)
        lw_put_count(text, rank->global, "sector");
    else
        *pen = lw_tone(LW_TONE_FAINT);
    const uint64_t once = !cost ? 0 : rank->shared ? cost->ideal : cost->ideal_sectors;
    uint64_t ideal;
    if (cost && once < (rank->shared ? cost->wavefronts : cost->sectors) &&
        !__builtin_mul_overflow(once, cost->trips, &ideal))
        lw_text_format(text, ", ideal %" PRIu64, ideal);
    if (cost && (cost->wavefronts > cost->ideal || cost->sectors > cost->ideal_sectors))
        *pen = lw_tone(LW_TONE_BAD);
}

/* The name of an operation without its dialect. */
static void put_name(struct lw_text *text, const char *name)
{
    const char *dot = strchr(name, '.');
    lw_text_add(text, dot ? dot + 1 : name);
}

static void put_cell(void *context, size_t at, int column, struct lw_text *text, struct lw_pen *pen)
{
    const struct kernel *kernel = context;
    const struct row *row = &kernel->rows[at];
    const int side = side_of(row);
    const struct lw_operation *operation = operation_of(kernel, row);
    const struct lw_kernel_cost *cost = cost_of(kernel, row, side);
    const enum lw_change change = row->change;
    if (row->unread)
        *pen = lw_tone(LW_TONE_BAD);
    else if (column == SOURCE)
        *pen = lw_tone(LW_TONE_FAINT);
    switch ((enum column)column) {
    case CHANGE:
        lw_text_add(text, change == LW_CHANGE_NONE ? "" : lw_change_name(change));
        *pen = lw_tone(change == LW_CHANGE_DEARER || change == LW_CHANGE_CAME    ? LW_TONE_BAD
                       : change == LW_CHANGE_CHEAPER || change == LW_CHANGE_WENT ? LW_TONE_GOOD
                                                                                 : LW_TONE_FAINT);
        break;
    case OLD_COST:
    case COST:
        if (column == COST || is_pair(kernel))
            put_cost(text, pen, &row->rank[column == COST], cost_of(kernel, row, column == COST));
        break;
    case RUNS:
        if (cost ? !cost->trips_known : row->rank[AFTER].loops > 0)
            lw_text_char(text, '?');
        else if (cost && cost->trips != 1)
            lw_text_number(text, cost->trips);
        break;
    case NAME:
        if (row->unread)
            lw_text_format(text, "not read: line %d", row->unread->position.line);
        else if (!operation)
            lw_text_format(text, "+ %zu of indices and masks", kernel->index_count);
        else
            put_name(text, operation->name);
        break;
    case TENSOR:
        if (operation)
            lw_operation_print_tensor(text, &kernel->sides[side]->kernel, operation);
        break;
    case LAYOUTS:
        if (operation)
            lw_operation_print_layouts(text, &kernel->sides[side]->kernel, operation);
        break;
    case SOURCE:
        if (row->unread)
            lw_text_add(text, row->unread->message);
        else if (operation && operation->location && operation->location->line)
            lw_text_format(text, "%s:%d", lw_base_name(operation->location->file),
                           operation->location->line);
        break;
    }
}

static const struct lw_list_source source = {columns, LW_COUNT(columns), put_cell, NULL, NULL};

/* ---- Reading ---- */

static void close_side(struct side *side)
{
    if (!side)
        return;
    lw_kernel_costs_free(&side->costs);
    lw_kernel_free(&side->kernel);
    lw_source_lines_free(&side->lines);
    free(side->path);
    free(side);
}

static struct side *open_side(const struct lw_app *app, const char *path, const char *trips,
                              struct lw_error *err)
{
    struct lw_trips_text *read = calloc(1, sizeof *read);
    struct side *side = calloc(1, sizeof *side);
    bool good = (read && side && (side->path = strdup(path))) ||
                lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    good = good && (!*trips || lw_trips_read(read, trips, "trips", err));
    if (good) {
        const struct lw_kernel_options options = {
            .triton = app->options->triton, .trips = read->trips, .trips_count = read->count};
        good = lw_kernel_open(&side->kernel, path, &options, err) &&
               lw_kernel_costs_begin(&side->costs, &side->kernel, app->options->hardware, err);
    }
    free(read);
    if (good)
        return side;
    close_side(side);
    return NULL;
}

/* Computes costs for some milliseconds; false: all were known before. */
static bool count(struct kernel *kernel, int moment_ms)
{
    const int64_t until = lw_now_ms() + moment_ms;
    struct lw_error err = {0};
    if (kernel->is_counted)
        return false;
    for (int i = 0; i < SIDES; i++)
        while (kernel->sides[i] && lw_kernel_costs_step(&kernel->sides[i]->costs))
            if (lw_now_ms() >= until)
                return true;
    kernel->is_counted = true;
    if (is_pair(kernel) && !lw_kernel_pairs_make(&kernel->pairs, &kernel->sides[BEFORE]->costs,
                                                 &kernel->sides[AFTER]->costs, &err))
        lw_app_problem(kernel->screen.app, &err);
    make_rows(kernel);
    return true;
}

/* Reads the kernels, or reads them again; false: they are as before. */
static bool open_sides(struct kernel *kernel, const char *before, const char *path,
                       const char *trips, struct lw_error *err)
{
    const char *const paths[SIDES] = {before, path};
    struct side *fresh[SIDES] = {0};
    bool good = strlen(trips) < sizeof kernel->trips ||
                lw_error_set(err, LW_ERROR_LIMIT, "trips: the text is too long");
    for (int i = 0; i < SIDES && good; i++)
        good = !paths[i] || (fresh[i] = open_side(kernel->screen.app, paths[i], trips, err));
    for (int i = 0; i < SIDES; i++) {
        close_side(good ? kernel->sides[i] : fresh[i]);
        if (good)
            kernel->sides[i] = fresh[i];
    }
    if (!good)
        return false;
    snprintf(kernel->trips, sizeof kernel->trips, "%s", trips);
    lw_kernel_pairs_free(&kernel->pairs);
    kernel->is_counted = false;
    lw_list_changed(&kernel->list, kernel->list.at = 0); /* rows are of the sides of before */
    return count(kernel, MOMENT_MS);
}

/* ---- Trips of loops ---- */

bool lw_kernel_set_trips(struct lw_screen *screen, const char *trips, struct lw_error *err)
{
    struct kernel *kernel = kernel_of(screen);
    struct lw_app *app = screen->app;
    if (screen->type != &lw_kernel_screen)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "trips needs a kernel: open one first");
    if (!open_sides(kernel, is_pair(kernel) ? kernel->sides[BEFORE]->path : NULL,
                    kernel->sides[AFTER]->path, trips, err))
        return false;
    if (!trips[strspn(trips, "0123456789")] && strlen(trips) < sizeof app->trips)
        snprintf(app->trips, sizeof app->trips, "%s", trips); /* also for other kernels */
    return true;
}

static bool run_trips(struct lw_app *app, const char *trips, struct lw_error *err)
{
    return lw_kernel_set_trips(lw_app_top(app), trips, err);
}

static void request_trips(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_prompt_kind prompt = {
        .sign = "trips",
        .help = "how often loops run: 64 for all that are unknown, LINE=64 for one, K=512 for an "
                "argument; Esc: counted once",
        .run = run_trips};
    screen->app->trips_offered = true;
    lw_prompt_begin(screen->app, &prompt, kernel_of(screen)->trips);
}

/* Requests the trips of loops, once, where they matter. */
static bool work(struct lw_screen *screen)
{
    enum { SLICE_MS = 4 };
    struct kernel *kernel = kernel_of(screen);
    if (count(kernel, SLICE_MS))
        return true;
    if (screen->app->trips_offered || kernel->sides[AFTER]->costs.trips_known)
        return false;
    request_trips(screen, 0);
    return true;
}

/* ---- The verdict ---- */

/* Appends what the numbers leave out. */
static void put_limits(struct lw_text *text, const struct lw_kernel_costs *costs)
{
    const size_t missing = costs->uncounted + costs->uncounted_global;
    if (!costs->trips_known)
        lw_text_add(text, "; loops of unknown trips count once");
    if (missing)
        lw_text_format(text, "; %zu not counted", missing);
}

static enum lw_tone put_verdict(const struct kernel *kernel, struct lw_text *text)
{
    const struct side *side = kernel->sides[AFTER];
    const struct lw_kernel_costs *costs = &side->costs;
    if (!costs->run_wavefronts && !costs->run_sectors) {
        lw_text_add(text, "nothing moves through shared or global memory");
        put_limits(text, costs);
        return LW_TONE_TEXT;
    }
    const struct lw_operation *dearest = &side->kernel.operations[costs->order[0]];
    const struct lw_kernel_rank rank = lw_kernel_rank_of(costs, costs->order[0]);
    const uint64_t over = costs->run_wavefronts - costs->run_ideal;
    const uint64_t over_sectors = costs->run_sectors - costs->run_ideal_sectors;
    lw_text_add(text, over || over_sectors ? "\xe2\x9c\x97 " : "\xe2\x9c\x93 ");
    put_name(text, dearest->name);
    lw_text_format(text, ", line %d: %" PRIu64 " of ", dearest->position.line,
                   rank.shared ? rank.shared : rank.global);
    lw_put_count(text, rank.shared ? costs->run_wavefronts : costs->run_sectors,
                 rank.shared ? "wavefront" : "sector");
    lw_text_add(text, "; ");
    if (over || over_sectors)
        lw_put_count(text, over ? over : over_sectors, over ? "wavefront" : "sector");
    lw_text_add(text,
                over || over_sectors ? " over the ideal in all" : "no operation is over its ideal");
    put_limits(text, costs);
    return over || over_sectors ? LW_TONE_BAD : LW_TONE_GOOD;
}

/* Of two kernels: both sums, and what got dearer most. */
static enum lw_tone put_comparison(const struct kernel *kernel, struct lw_text *text)
{
    const struct lw_kernel_costs *a = &kernel->sides[BEFORE]->costs,
                                 *b = &kernel->sides[AFTER]->costs;
    size_t of[LW_CHANGES] = {0};
    for (size_t i = 0; i < kernel->pairs.count; i++)
        of[kernel->pairs.pair[i].change]++;
    const bool is_same = b->run_wavefronts == a->run_wavefronts && b->run_sectors == a->run_sectors;
    const bool is_worse = b->run_wavefronts != a->run_wavefronts
                              ? b->run_wavefronts > a->run_wavefronts
                              : b->run_sectors > a->run_sectors;
    const size_t missing = a->uncounted + a->uncounted_global;
    const bool is_open =
        is_same || missing != b->uncounted + b->uncounted_global; /* or decides it */
    lw_text_format(text,
                   "%s%" PRIu64 " -> %" PRIu64 " wavefronts, %" PRIu64 " -> %" PRIu64 " sectors:",
                   is_open    ? ""
                   : is_worse ? "\xe2\x9c\x97 "
                              : "\xe2\x9c\x93 ",
                   a->run_wavefronts, b->run_wavefronts, a->run_sectors, b->run_sectors);
    const size_t start = text->length;
    for (int i = 0; i < LW_CHANGES; i++)
        if (of[i])
            lw_text_format(text, "%s %zu %s", text->length > start ? "," : "", of[i],
                           lw_change_name((enum lw_change)i));
    if (missing)
        lw_text_format(text, "; before %zu not counted", missing);
    put_limits(text, b);
    return is_open ? LW_TONE_TEXT : is_worse ? LW_TONE_BAD : LW_TONE_GOOD;
}

/* ---- The row under the cursor ---- */

/* Puts the number of an operation's line, and that line. */
static void put_operation_text(struct lw_text *text, const struct lw_operation *operation)
{
    lw_text_format(text, "line %d  ", operation->position.line);
    lw_text_bytes(text, operation->text, strcspn(operation->text, "\n"));
}

static void put_about_cost(struct lw_text *text, const struct side *side,
                           const struct lw_operation *operation, const struct lw_kernel_cost *cost)
{
    lw_text_add(text, cost->code[0] ? cost->code : cost->kind);
    for (int global = 0; global < 2; global++) {
        const uint64_t count = global ? cost->sectors : cost->wavefronts;
        if (!count || !(cost->known & (global ? LW_COST_GLOBAL : LW_COST_SHARED)))
            continue;
        lw_text_add(text, ": ");
        lw_put_count(text, count, global ? "sector" : "wavefront");
        lw_text_format(text, ", ideal %" PRIu64, global ? cost->ideal_sectors : cost->ideal);
    }
    if (operation->needs_line)
        lw_text_format(text, "; for %s, line %d", operation->needs, operation->needs_line);
    if (cost->why[0])
        lw_text_format(text, "; %s", cost->why);
    if (operation->loop >= 0) {
        const struct lw_kernel_loop *loop = &side->kernel.loops[operation->loop];
        lw_text_format(text, "; in the loop of line %d%s", loop->position.line,
                       loop->known ? "" : ", whose trips are unknown: :trips sets them");
    }
}

static void explain(const struct kernel *kernel, struct lw_explanation *about)
{
    const struct row *row = &kernel->rows[kernel->list.at];
    const struct lw_operation *operation = operation_of(kernel, row);
    if (row->unread) {
        lw_text_format(lw_explanation_line(about, "not read"), "line %d: %s",
                       row->unread->position.line, row->unread->message);
    } else if (!operation) {
        lw_text_add(lw_explanation_line(about, "these"),
                    "change the layout of indices, masks and pointers in registers");
    } else {
        struct side *side = kernel->sides[side_of(row)];
        const char *line = lw_source_line(&side->lines, operation->location, side->path, NULL);
        struct lw_text *text = lw_explanation_line(about, "source");
        lw_location_print(text, operation->location, !line);
        lw_text_format(text, "  %s", line ? line : "");
        if (!operation->location)
            lw_text_add(text, "the kernel has no position in its source");
        put_operation_text(lw_explanation_line(about, "TTGIR"), operation);
        put_about_cost(lw_explanation_line(about, "cost"), side, operation,
                       cost_of(kernel, row, side_of(row)));
        if (row->at[BEFORE] >= 0 && row->at[AFTER] >= 0)
            put_operation_text(lw_explanation_line(about, "before"),
                               &kernel->sides[BEFORE]->kernel.operations[row->at[BEFORE]]);
    }
}

/* ---- Drawing ---- */

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    enum { ROOMY = 30 };
    struct kernel *kernel = kernel_of(screen);
    const struct lw_kernel *of = &kernel->sides[AFTER]->kernel;
    struct lw_text title = {0}, more = {0}, verdict = {0};
    struct lw_explanation about = {.columns = (size_t)rect.width};
    const bool is_roomy = rect.height + 1 >= ROOMY;
    const int top = is_roomy ? 3 : 2, lines = is_roomy ? 4 : 2;
    if (is_pair(kernel))
        lw_text_format(&title, "%s -> ", kernel->sides[BEFORE]->path);
    lw_text_add(&title, kernel->sides[AFTER]->path);
    if (of->function_count)
        lw_text_format(&more, "%s, ", of->functions[0].name);
    lw_text_add(&more, kernel->sides[AFTER]->costs.hardware->name);
    if (of->num_warps) {
        lw_text_add(&more, ", ");
        lw_put_count(&more, (uint64_t)of->num_warps, "warp");
    }
    enum lw_tone tone = LW_TONE_TEXT;
    if (!kernel->is_counted)
        lw_text_format(&verdict, "counting: %zu of %zu operations",
                       kernel->sides[AFTER]->costs.counted, of->operation_count);
    else
        tone = is_pair(kernel) ? put_comparison(kernel, &verdict) : put_verdict(kernel, &verdict);
    lw_screen_draw_head(surface, rect, &title, &more, &verdict, tone);
    struct lw_rect list = {rect.row + top, rect.col, rect.height - top - lines - 1, rect.width};
    lw_list_draw(&kernel->list, surface, list);
    if (list.height > 0 && kernel->list.shown_count) {
        list.row += list.height;
        lw_put_repeated(surface, list.row, rect.col, rect.width, lw_tone(LW_TONE_RULE),
                        "\xe2\x94\x80");
        explain(kernel, &about);
        list.row++;
        list.height = lines;
        lw_screen_draw_lines(surface, list, &about);
    }
    lw_text_free(&title);
    lw_text_free(&more);
    lw_text_free(&verdict);
    lw_explanation_free(&about);
}

/* ---- Keys ---- */

static void open_row(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct kernel *kernel = kernel_of(screen);
    struct lw_app *app = screen->app;
    struct lw_document doc;
    struct lw_error err = {0};
    if (!kernel->list.shown_count)
        return;
    const struct row *row = &kernel->rows[kernel->list.at];
    const struct lw_operation *operation = operation_of(kernel, row);
    if (!operation)
        return;
    const struct side *side = kernel->sides[side_of(row)];
    if (!lw_document_of_operation(&doc, &side->kernel, operation, &err)) {
        lw_app_problem(app, &err);
        return;
    }
    if (!app->options->hardware)
        app->opening.hardware = side->costs.hardware;
    struct lw_screen *layout = lw_layout_of_document(app, &doc, NULL, &err);
    if (layout)
        lw_app_push(app, layout);
    else
        lw_app_problem(app, &err);
    lw_document_free(&doc);
}

static bool compare_with(struct lw_app *app, const char *path, struct lw_error *err)
{
    const struct kernel *kernel = kernel_of(lw_app_top(app));
    return lw_kernel_open_screen(app, kernel->sides[AFTER]->path, path, err);
}

static void compare(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_prompt_kind prompt = {.sign = "compare with",
                                                 .help = "another version: a file",
                                                 .run = compare_with,
                                                 .offers = true};
    lw_prompt_begin(screen->app, &prompt, kernel_of(screen)->sides[AFTER]->path);
}

enum { ONE = 1, OPEN_LOOPS = 2 };

static unsigned state_of(const struct lw_screen *screen)
{
    const struct kernel *kernel = kernel_of(screen);
    const bool has_loops = kernel->trips[0] || !kernel->sides[AFTER]->costs.trips_known;
    return (is_pair(kernel) ? 0 : ONE) | (has_loops ? OPEN_LOOPS : 0);
}

static void close_kernel(struct lw_screen *screen)
{
    struct kernel *kernel = kernel_of(screen);
    screen->app->opening.hardware = kernel->outer;
    lw_kernel_pairs_free(&kernel->pairs);
    close_side(kernel->sides[BEFORE]);
    close_side(kernel->sides[AFTER]);
    free(kernel->rows);
    lw_list_free(&kernel->list);
    free(kernel);
}

static const struct lw_screen_action kernel_actions[] = {
    {"up", "Up k", LW_UP_DOWN " choose", "the row above", lw_screen_move, -1, 0},
    {"down", "Down j", NULL, "the row below", lw_screen_move, 1, 0},
    {"open", "Enter", "Enter its layouts", "open the layouts of the operation", open_row, 0, 0},
    {"trips", "t", "t trips", "set how often loops run", request_trips, 0, OPEN_LOOPS},
    {"compare", "d", "d compare", "compare with another kernel", compare, 0, ONE},
};

const struct lw_screen_type lw_kernel_screen = {
    .name = "kernel",
    .actions = kernel_actions,
    .action_count = LW_COUNT(kernel_actions),
    .state = state_of,
    .list = offsetof(struct kernel, list),
    .draw = draw,
    .find_help = "a part of a row: dot, #mma, kernels.py:15",
    .work = work,
    .close = close_kernel,
};

bool lw_kernel_open_screen(struct lw_app *app, const char *before, const char *path,
                           struct lw_error *err)
{
    struct kernel *kernel = lw_screen_new(app, &lw_kernel_screen, sizeof *kernel);
    if (!kernel)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    kernel->outer = app->opening.hardware;
    kernel->list = (struct lw_list){.source = &source, .context = kernel, .has_focus = true};
    const bool good = open_sides(kernel, before, path, app->trips, err);
    if (good)
        lw_app_push(app, &kernel->screen);
    else
        close_kernel(&kernel->screen);
    return good;
}
