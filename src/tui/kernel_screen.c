/* The screen of a kernel, and of two: one table of what its operations cost, the most expensive first, and below it
 * the source line and the TTGIR line of the row under the cursor.
 *
 * Costs are computed in slices; there are rows when all are known. */

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/best.h"
#include "tui/command/command.h"
#include "tui/screen.h"
#include "kernel/kernel_rules.h"
#include "kernel/loop_trips.h"
#include "kernel/source_lines.h"
#include "notation/mlir/operations.h"
#include "view/view_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A kernel with its costs; of two, what was before and what is after. */
enum { BEFORE, AFTER, SIDES };
struct side {
    char *path;
    struct lw_kernel kernel;
    struct lw_kernel_costs costs;
    struct lw_source_lines lines;
};

struct row {
    struct lw_kernel_pair pair;           /* of one kernel without what was before */
    struct side *side;                    /* of the operation: after, else before */
    const struct lw_operation *operation; /* NULL: what was not read, or those of indices */
    const struct lw_error *unread;        /* or NULL */
};

struct kernel {
    struct lw_screen screen;
    struct side *sides[SIDES]; /* of one kernel BEFORE is NULL */
    struct lw_kernel_pairs pairs;
    struct row *rows;
    size_t row_count;
    size_t index_count;                   /* operations on index and mask tensors */
    struct lw_kernel_cost indices[SIDES]; /* the sums of these */
    bool is_counted;                      /* all costs are known: then there are rows */
    struct lw_list list;
    const struct lw_operation *searched; /* for which `best` was begun; or NULL */
    struct lw_best best;                 /* memory for it */
    const struct lw_hardware *outer;     /* of the screens below */
    char trips[LW_TRIPS_BYTES];          /* as they were set; "" not */
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

static const struct lw_operation *operation_at(const struct side *side,
                                               const struct lw_kernel_cost *cost)
{
    return &side->kernel.operations[cost - side->costs.costs];
}

/* After, else before; NULL: it is no operation. */
static const struct lw_kernel_cost *shown_cost(const struct row *row)
{
    return row->pair.cost[AFTER] ? row->pair.cost[AFTER] : row->pair.cost[BEFORE];
}

/* Lists the operations, the most expensive first, or by what became of them; those on index and mask tensors as one
 * row after them; last what was not read (of two kernels, after): problems of the text, and layouts that are not
 * supported. */
static void make_rows(struct kernel *kernel)
{
    struct side *const *sides = kernel->sides;
    const struct lw_kernel *of = &sides[AFTER]->kernel;
    const size_t count = is_pair(kernel) ? kernel->pairs.count : of->operation_count;
    const size_t room = count + 1 + of->encoding_count + LW_REPORT_MAX;
    struct lw_kernel_cost *sums = kernel->indices;
    struct row *rows = realloc(kernel->rows, room * sizeof *rows);
    kernel->rows = rows ? rows : kernel->rows;
    kernel->row_count = kernel->index_count = 0;
    sums[BEFORE] = sums[AFTER] =
        (struct lw_kernel_cost){.kind = "none", .trips = 1, .trips_known = true};
    for (size_t i = 0; rows && i < count; i++) {
        struct row row = {.unread = NULL};
        if (is_pair(kernel))
            row.pair = kernel->pairs.pair[i];
        else
            row.pair.cost[AFTER] = sides[AFTER]->costs.order[i];
        const struct lw_kernel_cost *const *cost = row.pair.cost;
        row.side = sides[cost[AFTER] ? AFTER : BEFORE];
        row.operation = operation_at(row.side, shown_cost(&row));
        if (!lw_operation_is_of_indices(&row.side->kernel, row.operation)) {
            rows[kernel->row_count++] = row;
            continue;
        }
        kernel->index_count++;
        for (int k = 0; k < SIDES; k++)
            if (cost[k]) {
                lw_kernel_sums_add(&sums[k].run, &cost[k]->run);
                sums[k].trips_known = sums[k].trips_known && cost[k]->trips_known;
            }
    }
    if (kernel->index_count)
        rows[kernel->row_count++] = (struct row){.pair.cost = {&sums[BEFORE], &sums[AFTER]}};
    for (int i = 0; rows && i < of->problems.count; i++)
        rows[kernel->row_count++] = (struct row){.unread = &of->problems.errors[i]};
    for (size_t i = 0; rows && i < of->encoding_count; i++)
        if (of->encodings[i].problem && of->encodings[i].uses)
            rows[kernel->row_count++] = (struct row){.unread = of->encodings[i].problem};
    if (!rows)
        lw_app_message(kernel->screen.app, "out of memory");
    lw_list_changed(&kernel->list, kernel->row_count);
}

/* ---- Cells ---- */

enum column { CHANGE, OLD_COST, COST, RUNS, NAME, LAYOUTS, TENSOR, SOURCE };

/* Those before COST are empty of one kernel. */
static const struct lw_column columns[] = {
    {"", false, 0},          {"before", true, 0},   {"cost", true, 0},    {"runs", true, 0},
    {"operation", false, 0}, {"layouts", false, 0}, {"tensor", false, 0}, {"source", false, 0}};

/* "64 wf", "128 sectors, ideal 32": what all runs cost; 0 is faint, what is over the ideal stands out. */
static void put_cost(struct lw_text *text, struct lw_pen *pen, const struct lw_kernel_cost *cost)
{
    const struct lw_kernel_sums *run = &cost->run;
    const uint64_t number = run->wavefronts ? run->wavefronts : run->sectors;
    const uint64_t ideal = run->wavefronts ? run->ideal : run->ideal_sectors;
    if (lw_kernel_cost_missing(cost))
        lw_text_char(text, '?');
    else if (run->wavefronts)
        lw_text_format(text, "%" PRIu64 " wf", number);
    else if (number)
        lw_put_count(text, number, "sector");
    if (number > ideal)
        lw_text_format(text, ", ideal %" PRIu64, ideal);
    *pen = lw_tone(number > ideal ? LW_TONE_BAD : text->length ? LW_TONE_TEXT : LW_TONE_FAINT);
}

static void put_cell(void *context, size_t at, int column, struct lw_text *text, struct lw_pen *pen)
{
    const struct kernel *kernel = context;
    const struct row *row = &kernel->rows[at];
    const struct lw_kernel_cost *cost = shown_cost(row);
    const struct lw_operation *operation = row->operation;
    const enum lw_change change = row->pair.change;
    if (column < COST && !is_pair(kernel))
        return;
    if (row->unread)
        *pen = lw_tone(LW_TONE_BAD);
    else if (column == SOURCE)
        *pen = lw_tone(LW_TONE_FAINT);
    switch ((enum column)column) {
    case CHANGE:
        lw_text_add(text, operation && change != LW_CHANGE_NONE ? lw_change_name(change) : "");
        *pen = lw_tone(change == LW_CHANGE_DEARER || change == LW_CHANGE_CAME    ? LW_TONE_BAD
                       : change == LW_CHANGE_CHEAPER || change == LW_CHANGE_WENT ? LW_TONE_GOOD
                                                                                 : LW_TONE_FAINT);
        break;
    case OLD_COST:
    case COST:
        cost = row->pair.cost[column == COST];
        if (cost)
            put_cost(text, pen, cost);
        break;
    case RUNS:
        if (cost && !cost->trips_known)
            lw_text_add(text, "x ?");
        else if (cost && cost->trips != 1)
            lw_text_number(text, cost->trips);
        break;
    case NAME:
        if (row->unread)
            lw_text_format(text, "not read: line %d", row->unread->position.line);
        else if (!operation)
            lw_text_format(text, "+ %zu of indices and masks", kernel->index_count);
        else
            lw_operation_put_name(text, operation);
        break;
    case TENSOR:
        if (operation)
            lw_operation_print_tensor(text, &row->side->kernel, operation);
        break;
    case LAYOUTS:
        if (operation)
            lw_operation_print_layouts(text, &row->side->kernel, operation);
        break;
    case SOURCE:
        if (row->unread)
            lw_text_add(text, row->unread->message);
        else if (operation)
            lw_operation_put_line(text, operation);
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
    struct lw_trips_text read = {.count = 0};
    struct side *side = calloc(1, sizeof *side);
    bool good = (side && (side->path = strdup(path))) ||
                lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good && (!*trips || lw_trips_read(&read, trips, "trips", err))) {
        const struct lw_kernel_options options = {
            .triton = app->options->triton, .trips = read.trips, .trips_count = read.count};
        if (lw_kernel_open(&side->kernel, path, &options, err) &&
            lw_kernel_costs_begin(&side->costs, &side->kernel, app->options->hardware, err))
            return side;
    }
    close_side(side);
    return NULL;
}

/* Of counting: before the first picture, and while no event waits. */
enum { MOMENT_MS = 30, SLICE_MS = 4 };

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
    bool good = true;
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
    kernel->searched = NULL;
    lw_list_changed(&kernel->list, kernel->list.at = 0); /* rows are of the sides of before */
    return count(kernel, MOMENT_MS);
}

/* ---- Trips of loops ---- */

bool lw_kernel_set_trips(struct lw_app *app, const char *trips, struct lw_error *err)
{
    struct kernel *kernel = kernel_of(lw_app_top(app));
    if (kernel->screen.type != &lw_kernel_screen)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "trips needs a kernel: open one first");
    const char *before = is_pair(kernel) ? kernel->sides[BEFORE]->path : NULL;
    return !strcmp(trips, kernel->trips) ||
           open_sides(kernel, before, kernel->sides[AFTER]->path, trips, err);
}

static void request_trips(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_prompt_kind prompt = {
        .sign = "how often do loops run?",
        .help = "64, or K=512 of an argument K; Enter, Esc: counted once",
        .run = lw_kernel_set_trips};
    screen->app->trips_offered = true;
    lw_prompt_begin(screen->app, &prompt, kernel_of(screen)->trips);
}

/* ---- Better memory ---- */

static bool is_over_ideal(const struct row *row)
{
    const struct lw_kernel_cost *cost = row->operation ? shown_cost(row) : NULL;
    return cost && (cost->wavefronts > cost->ideal || cost->sectors > cost->ideal_sectors);
}

/* Searches for better memory for the row under the cursor; false: that is done. */
static bool search(struct kernel *kernel)
{
    const struct row *row = kernel->list.shown_count ? &kernel->rows[kernel->list.at] : NULL;
    struct lw_document doc;
    struct lw_error *why = &kernel->best.why_not;
    if (!row || !is_over_ideal(row) || kernel->searched == row->operation)
        return lw_best_work(&kernel->best);
    kernel->searched = row->operation;
    lw_best_end(&kernel->best);
    if (!lw_document_of_operation(&doc, &row->side->kernel, row->operation, why))
        return true;
    struct lw_model_options opening = kernel->screen.app->opening;
    opening.hardware = row->side->costs.hardware;
    struct lw_model *model = lw_model_new(&doc, NULL, &opening, why);
    if (model)
        lw_best_begin(&kernel->best, model);
    if (model && !kernel->best.has_search && !why->code && model->has[LW_SIDE_S])
        *why = model->why_no_path;
    lw_model_free(model);
    lw_document_free(&doc);
    return true;
}

static void put_better(struct lw_text *text, const struct kernel *kernel, const struct row *row)
{
    const struct lw_kernel_cost *cost = shown_cost(row);
    const struct lw_best *best = &kernel->best;
    const bool is_searched = kernel->searched == row->operation && !best->is_running;
    if (cost->wavefronts == cost->ideal) {
        lw_text_format(text, "a layout that moves whole sectors of 32 bytes: %" PRIu64 " of them",
                       cost->ideal_sectors);
    } else if (is_searched && lw_best_gains(best)) {
        const struct lw_swizzle *found = lw_swizzle_best(&best->search);
        const bool is_own = row->operation->kind->role == LW_ROLE_CONVERT;
        lw_text_add(text, "Enter, o: ");
        lw_put_count(text, best->fewest, "wavefront");
        lw_text_format(text, "%s, not %" PRIu64 "%s", row->operation->loop < 0 ? "" : " a run",
                       lw_best_given(best), is_own ? ": explicit memory, " : ": ");
        lw_text_add(text, found->kind == LW_SWIZZLE_LINEAR ? "shared_" : "");
        lw_swizzle_label(text, &best->search, found);
    } else {
        lw_text_add(text, !is_searched       ? "..."
                          : best->has_search ? "no memory that was searched takes fewer"
                          : best->why_not.code
                              ? best->why_not.message
                              : "Triton chose this memory: only another tensor layout changes it");
    }
}

/* Requests the trips of loops, once, where they matter. */
static bool work(struct lw_screen *screen)
{
    struct kernel *kernel = kernel_of(screen);
    if (count(kernel, SLICE_MS) || search(kernel))
        return true;
    if (screen->app->trips_offered || kernel->sides[AFTER]->costs.trips_known)
        return false;
    request_trips(screen, 0);
    return true;
}

/* ---- The verdict ---- */

/* The operations that the numbers leave out. */
static size_t missing_of(const struct side *side)
{
    return side ? side->costs.uncounted + side->costs.uncounted_global : 0;
}

static enum lw_tone put_verdict(struct lw_text *text, const struct side *side)
{
    const struct lw_kernel_costs *costs = &side->costs;
    const struct lw_kernel_sums *all = &costs->run;
    const uint64_t over = all->wavefronts - all->ideal,
                   over_sectors = all->sectors - all->ideal_sectors;
    const bool is_over = over || over_sectors;
    if (all->wavefronts || all->sectors) {
        const struct lw_kernel_sums *most = &costs->order[0]->run;
        const struct lw_operation *first = operation_at(side, costs->order[0]);
        const bool by_wavefronts = most->wavefronts != 0; /* what the rows are ordered by */
        lw_text_add(text, is_over ? "\xe2\x9c\x97 most " : "\xe2\x9c\x93 most ");
        lw_text_add(text, by_wavefronts ? "wavefronts: " : "sectors: ");
        lw_operation_put_name(text, first);
        lw_text_add(text, ", ");
        if (!lw_operation_put_line(text, first))
            lw_text_format(text, "TTGIR line %d", first->position.line);
        lw_text_format(text, ", %" PRIu64 " of %" PRIu64 "; ",
                       by_wavefronts ? most->wavefronts : most->sectors,
                       by_wavefronts ? all->wavefronts : all->sectors);
        if (is_over)
            lw_text_number(text, over ? over : over_sectors);
        lw_text_add(text, over ? " over ideal" : is_over ? " sectors over ideal" : "all ideal");
    } else {
        lw_text_add(text, "nothing moves through shared or global memory");
    }
    return is_over ? LW_TONE_BAD : all->wavefronts || all->sectors ? LW_TONE_GOOD : LW_TONE_TEXT;
}

/* Of two kernels: both sums, and what got dearer most. */
static enum lw_tone put_comparison(struct lw_text *text, const struct kernel *kernel)
{
    const struct side *before = kernel->sides[BEFORE], *after = kernel->sides[AFTER];
    const struct lw_kernel_sums *from = &before->costs.run, *to = &after->costs.run;
    const bool is_other = from->wavefronts != to->wavefronts;
    const bool is_worse =
        is_other ? to->wavefronts > from->wavefronts : to->sectors > from->sectors;
    const bool is_open = (!is_other && from->sectors == to->sectors) || /* or that decides it: */
                         missing_of(before) != missing_of(after);
    size_t of[LW_CHANGES] = {0};
    lw_text_add(text, is_open ? "" : is_worse ? "\xe2\x9c\x97 " : "\xe2\x9c\x93 ");
    lw_text_format(text,
                   "%" PRIu64 " -> %" PRIu64 " wavefronts, %" PRIu64 " -> %" PRIu64 " sectors:",
                   from->wavefronts, to->wavefronts, from->sectors, to->sectors);
    for (size_t i = 0; i < kernel->pairs.count; i++)
        of[kernel->pairs.pair[i].change]++;
    const size_t start = text->length;
    for (int i = 0; i < LW_CHANGES; i++)
        if (of[i])
            lw_text_format(text, "%s %zu %s", text->length > start ? "," : "", of[i],
                           lw_change_name((enum lw_change)i));
    return is_open ? LW_TONE_TEXT : is_worse ? LW_TONE_BAD : LW_TONE_GOOD;
}

/* ---- The row under the cursor ---- */

/* Puts the number of an operation's line, and that line. */
static void put_operation_text(struct lw_text *text, const struct lw_operation *operation)
{
    lw_text_format(text, "line %d  ", operation->position.line);
    lw_text_bytes(text, operation->text, strcspn(operation->text, "\n"));
}

static void put_about_cost(struct lw_text *text, const struct row *row)
{
    const struct lw_operation *operation = row->operation;
    const struct lw_kernel_cost *cost = shown_cost(row);
    lw_kernel_put_code(text, cost->code[0] ? cost->code : cost->kind);
    for (int global = 0; global < 2; global++) {
        const uint64_t count = global ? cost->sectors : cost->wavefronts;
        if (!count)
            continue;
        lw_text_add(text, ": ");
        lw_put_count(text, count, global ? "sector" : "wavefront");
        lw_text_format(text, ", ideal %" PRIu64, global ? cost->ideal_sectors : cost->ideal);
    }
    if (operation->loop >= 0) {
        const struct lw_kernel_loop *loop = &row->side->kernel.loops[operation->loop];
        lw_text_format(text, "; in the loop of TTGIR line %d%s", loop->position.line,
                       loop->known ? "" : ", `:trips 64` sets how often");
    }
    if (operation->needs_line)
        lw_text_format(text, "; for %s, line %d", operation->needs, operation->needs_line);
    if (cost->why[0])
        lw_text_format(text, "; %s", cost->why);
}

/* What an operation was before: its layouts that are others now, "#shared: swizzled_shared 8 2 4, now swizzled_shared
 * 8 1 1"; else its text. */
static void put_before(struct lw_text *text, const struct kernel *kernel, const struct row *row)
{
    const struct lw_operation *operations[SIDES];
    struct lw_text shown[SIDES] = {0};
    bool differs = false;
    for (int i = 0; i < SIDES; i++)
        operations[i] = operation_at(kernel->sides[i], row->pair.cost[i]);
    for (int t = 0; t < operations[AFTER]->type_count && t < operations[BEFORE]->type_count; t++) {
        const struct lw_kernel_encoding *layouts[SIDES];
        for (int i = 0; i < SIDES; i++) {
            const struct lw_kernel *of = &kernel->sides[i]->kernel;
            layouts[i] = &of->encodings[of->types[operations[i]->types[t]].layout];
            lw_text_clear(&shown[i]);
            if (layouts[i]->encoding)
                lw_encoding_print_short(&shown[i], layouts[i]->encoding);
        }
        if (!strcmp(layouts[BEFORE]->text, layouts[AFTER]->text))
            continue;
        const bool is_short = strcmp(lw_text_string(&shown[BEFORE]), lw_text_string(&shown[AFTER]));
        lw_text_format(text, "%s%s: %s, now %s", differs ? "; " : "", layouts[AFTER]->alias,
                       is_short ? lw_text_string(&shown[BEFORE]) : layouts[BEFORE]->text,
                       is_short ? lw_text_string(&shown[AFTER]) : layouts[AFTER]->text);
        differs = true;
    }
    if (!differs)
        put_operation_text(text, operations[BEFORE]);
    lw_text_free(&shown[BEFORE]);
    lw_text_free(&shown[AFTER]);
}

static void explain(const struct kernel *kernel, struct lw_explanation *about)
{
    const struct row *row = &kernel->rows[kernel->list.at];
    const struct lw_operation *operation = row->operation;
    if (row->unread) {
        lw_text_format(lw_explanation_line(about, "not read"), "line %d: %s",
                       row->unread->position.line, row->unread->message);
    } else if (operation) {
        struct side *side = row->side;
        const struct lw_location *at = lw_operation_location(operation);
        const char *line = lw_source_line(&side->lines, at, side->path, NULL);
        if (is_over_ideal(row))
            put_better(lw_explanation_line(about, "better"), kernel, row);
        if (at) {
            struct lw_text *text = lw_explanation_line(about, "source");
            lw_location_print(text, line ? at : operation->location, !line);
            lw_text_format(text, "  %s", line ? line : "(file not found)");
        }
        if (row->pair.cost[BEFORE] && row->pair.cost[AFTER])
            put_before(lw_explanation_line(about, "before"), kernel, row);
        put_operation_text(lw_explanation_line(about, "TTGIR"), operation);
        put_about_cost(lw_explanation_line(about, "cost"), row);
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
    const int top = is_roomy ? 3 : 2, lines = is_roomy ? 5 : 3;
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
    const size_t missing = missing_of(kernel->sides[BEFORE]) + missing_of(kernel->sides[AFTER]);
    if (!kernel->is_counted)
        lw_text_format(&verdict, "counting: %zu of %zu operations",
                       kernel->sides[AFTER]->costs.counted, of->operation_count);
    else
        tone = is_pair(kernel) ? put_comparison(&verdict, kernel)
                               : put_verdict(&verdict, kernel->sides[AFTER]);
    if (missing)
        lw_text_format(&verdict, "; %zu not counted", missing);
    lw_screen_draw_head(surface, rect, &title, &more, &verdict, tone);
    struct lw_rect list = {rect.row + top, rect.col, rect.height - top - lines - 1, rect.width};
    lw_list_draw(&kernel->list, surface, list);
    if (list.height > 0 && kernel->list.shown_count) {
        list.row += list.height;
        lw_put_repeated(surface, list.row, rect.col, rect.width, lw_tone(LW_TONE_RULE),
                        "\xe2\x94\x80");
        if (!kernel->sides[AFTER]->costs.trips_known)
            lw_put(surface, list.row, rect.col + 2, rect.width - 2, lw_tone(LW_TONE_TEXT),
                   " loops count once, t: trips ");
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
    const struct kernel *kernel = kernel_of(screen);
    struct lw_app *app = screen->app;
    struct lw_document doc;
    struct lw_error err = {0};
    const struct row *row = kernel->list.shown_count ? &kernel->rows[kernel->list.at] : NULL;
    if (!row || !row->operation)
        return;
    struct lw_screen *layout = NULL;
    if (lw_document_of_operation(&doc, &row->side->kernel, row->operation, &err)) {
        if (!app->options->hardware)
            app->opening.hardware = row->side->costs.hardware;
        layout = lw_layout_of_document(app, &doc, NULL, &err);
        lw_document_free(&doc);
    }
    if (layout)
        lw_app_push(app, layout);
    else
        lw_app_problem(app, &err);
}

static bool compare_with(struct lw_app *app, const char *path, struct lw_error *err)
{
    const struct kernel *kernel = kernel_of(lw_app_top(app));
    if (!lw_kernel_open_screen(app, kernel->sides[AFTER]->path, path, err))
        return false;
    lw_kernel_set_trips(app, kernel->trips, NULL);
    return true;
}

static void compare(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_prompt_kind prompt = {
        .sign = "compare with", .help = "another version: a file", .run = compare_with};
    lw_prompt_begin(screen->app, &prompt, kernel_of(screen)->sides[AFTER]->path);
}

enum { OPEN_LOOPS = 1 };

static unsigned state_of(const struct lw_screen *screen)
{
    const struct kernel *kernel = kernel_of(screen);
    return kernel->trips[0] || !kernel->sides[AFTER]->costs.trips_known ? OPEN_LOOPS : 0;
}

static void close_kernel(struct lw_screen *screen)
{
    struct kernel *kernel = kernel_of(screen);
    screen->app->opening.hardware = kernel->outer;
    lw_best_end(&kernel->best);
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
    {"compare", "d", "d compare", "compare with another kernel", compare, 0, 0},
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
    const bool good = open_sides(kernel, before, path, "", err);
    if (good)
        lw_app_push(app, &kernel->screen);
    else
        close_kernel(&kernel->screen);
    return good;
}
