/*
 * Kernels: the items of a text become lists. Invariant while reading: there is a frame for each region that
 * is open, up to LW_KERNEL_DEPTH_MAX, and `deeper` counts those beyond.
 */

#include "notation/mlir/kernel_parts.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of text that are read between two questions whether to stop. */
#define STOP_BYTES ((size_t)1 << 16)

/* ---- Frames ---- */

/* Begins an operation whose region comes next. */
static bool push_frame(struct lw_kernel_builder *builder, const struct lw_mlir_item *item,
                       int64_t order)
{
    if (builder->frame_count == LW_KERNEL_DEPTH_MAX) {
        struct lw_error err;
        builder->deeper++;
        if (!builder->is_cut) {
            lw_error_at(&err, LW_ERROR_LIMIT, item->position,
                        "regions are nested more than %d deep: deeper ones are skipped",
                        LW_KERNEL_DEPTH_MAX);
            lw_builder_problem(builder, &err);
            builder->is_cut = true;
        }
        return true;
    }
    if (!LW_BUILDER_ROOM(builder, frames, frame_room, builder->frame_count))
        return false;
    struct lw_frame frame = {.position = item->position,
                             .loop = -1,
                             .own_loop = -1,
                             .branch = -1,
                             .own_branch = -1,
                             .order = order};
    if (builder->frame_count) {
        frame.loop = builder->frames[builder->frame_count - 1].loop;
        frame.branch = builder->frames[builder->frame_count - 1].branch;
    }
    if (item->kind != LW_MLIR_PROBLEM) {
        lw_text_bytes(&frame.text, item->text.at, item->text.length);
        lw_text_char(&frame.text, '}');
    }
    bool ok = !frame.text.failed && (!frame.text.length || lw_builder_open(builder, &frame));
    builder->frames[builder->frame_count++] = frame;
    return ok;
}

/* Ends the innermost operation: its last region is closed. */
static bool pop_frame(struct lw_kernel_builder *builder)
{
    struct lw_frame frame = builder->frames[--builder->frame_count];
    struct lw_span text = {NULL, frame.text.length};
    if (text.length)
        text.at = lw_arena_string(&builder->memory, lw_text_string(&frame.text), text.length);
    lw_text_free(&frame.text);
    return text.length == 0 ||
           (text.at && lw_builder_operation(builder, text, frame.position, &frame, frame.order));
}

static bool read_close(struct lw_kernel_builder *builder, const struct lw_mlir_item *item)
{
    if (builder->deeper) {
        builder->deeper -= !item->opens;
        return true;
    }
    if (builder->frame_count == 0)
        return true;
    struct lw_text *text = &builder->frames[builder->frame_count - 1].text;
    if (text->length) {
        lw_text_bytes(text, item->text.at + 1, item->text.length - 1);
        if (item->opens)
            lw_text_char(text, '}');
    }
    return item->opens || pop_frame(builder);
}

/* Updates the open regions after an item that could not be read: it may have opened some, or closed them. */
static bool match_regions(struct lw_kernel_builder *builder, struct lw_position position)
{
    const struct lw_mlir_item unknown = {.kind = LW_MLIR_PROBLEM, .position = position};
    while (builder->frame_count + builder->deeper > builder->text.regions) {
        if (builder->deeper)
            builder->deeper--;
        else if (!pop_frame(builder))
            return false;
    }
    while (builder->frame_count + builder->deeper < builder->text.regions)
        if (!push_frame(builder, &unknown, 0))
            return false;
    return true;
}

/* ---- Items ---- */

/* Keeps a definition. */
static bool read_alias(struct lw_kernel_builder *builder, const struct lw_mlir_item *item)
{
    const char *p = item->text.at, *end = p + item->text.length;
    if (*p == '#')
        return lw_aliases_add(&builder->aliases, &builder->kernel->arena, item, &builder->err);
    struct lw_span name = {p + 1, lw_mlir_name(p + 1, end, false)};
    size_t before = builder->type_names.count,
           number = lw_intern_add(&builder->type_names, &builder->memory, name);
    if (number != before) /* defined again, or out of memory */
        return true;
    p = (const char *)memchr(p, '=', item->text.length) + 1;
    p += strspn(p, " \t\r\n");
    if (!LW_BUILDER_ROOM(builder, type_values, type_value_room, number))
        return false;
    builder->type_values[number] = (struct lw_span){p, p < end ? (size_t)(end - p) : 0};
    return true;
}

static bool read_item(struct lw_kernel_builder *builder, const struct lw_mlir_item *item,
                      int64_t order)
{
    switch (item->kind) {
    case LW_MLIR_ALIAS:
        return read_alias(builder, item);
    case LW_MLIR_BLOCK:
        return lw_builder_block(builder, item->text, item->position);
    case LW_MLIR_OPERATION:
        if (item->opens)
            return push_frame(builder, item, order);
        return lw_builder_operation(builder, item->text, item->position, NULL, order);
    case LW_MLIR_CLOSE:
        return read_close(builder, item);
    case LW_MLIR_PROBLEM:
        if (builder->text.failed)
            builder->err = builder->text.err;
        else
            lw_builder_problem(builder, &builder->text.err);
        return !builder->text.failed;
    default:
        return true;
    }
}

static bool read_items(struct lw_kernel_builder *builder)
{
    struct lw_mlir_item item;
    const char *last = builder->text.scan.at;
    int64_t order = 0;
    if (lw_builder_is_stopped(builder, 0))
        return false;
    do {
        lw_mlir_next(&builder->text, &item);
        if ((size_t)(builder->text.scan.at - last) > STOP_BYTES) {
            last = builder->text.scan.at;
            if (lw_builder_is_stopped(builder, 0))
                return false;
        }
        if (!read_item(builder, &item, order++) ||
            (builder->frame_count + builder->deeper != builder->text.regions &&
             !match_regions(builder, item.position)))
            return false;
    } while (item.kind != LW_MLIR_END);
    return true;
}

/* ---- The end ---- */

static int by_order(const void *a, const void *b)
{
    const struct lw_kept_operation *left = a, *right = b;
    return left->order < right->order ? -1 : left->order > right->order;
}

/* Operations with regions were kept when they ended; now all are sorted by where they begin. */
static bool finish_operations(struct lw_kernel_builder *builder,
                              const struct lw_location *const *locations)
{
    struct lw_kernel *kernel = builder->kernel;
    struct lw_kept_operation *all = builder->operations;
    size_t count = kernel->operation_count;
    int *rows = calloc(count + 1, sizeof *rows);
    struct lw_operation *operations =
        lw_arena_alloc(&kernel->arena, (count + 1) * sizeof *operations);
    bool ok = rows && operations;
    if (ok && count)
        qsort(all, count, sizeof *all, by_order);
    for (size_t i = 0; ok && i < count; i++)
        rows[all[i].row] = (int)i;
    for (size_t i = 0; ok && i < count; i++) {
        operations[i] = all[i].operation;
        operations[i].location = all[i].loc ? locations[all[i].loc - 1] : NULL;
        if (operations[i].repeats >= 0)
            operations[i].repeats = rows[operations[i].repeats];
        if (operations[i].converted >= 0)
            operations[i].converted = rows[operations[i].converted];
    }
    free(rows);
    kernel->operations = operations;
    return ok;
}

/* Passes loops, branches and functions to the kernel. */
static bool finish_loops(struct lw_kernel_builder *builder,
                         const struct lw_location *const *locations)
{
    struct lw_kernel *kernel = builder->kernel;
    struct lw_kernel_loop *loops =
        lw_arena_alloc(&kernel->arena, (kernel->loop_count + 1) * sizeof *loops);
    struct lw_kernel_branch *branches =
        lw_arena_alloc(&kernel->arena, (kernel->branch_count + 1) * sizeof *branches);
    struct lw_kernel_function *functions =
        lw_arena_alloc(&kernel->arena, (kernel->function_count + 1) * sizeof *functions);
    if (!loops || !branches || !functions)
        return false;
    for (size_t i = 0; i < kernel->loop_count; i++) {
        loops[i] = builder->loops[i].loop;
        loops[i].location = builder->loops[i].loc ? locations[builder->loops[i].loc - 1] : NULL;
    }
    for (size_t i = 0; i < kernel->branch_count; i++) {
        const struct lw_kept_branch *kept = &builder->branches[i];
        branches[i] = kept->branch;
        branches[i].location = kept->loc ? locations[kept->loc - 1] : NULL;
    }
    if (kernel->function_count)
        memcpy(functions, builder->functions, kernel->function_count * sizeof *functions);
    kernel->loops = loops;
    kernel->branches = branches;
    kernel->functions = functions;
    return true;
}

static bool finish(struct lw_kernel_builder *builder)
{
    struct lw_kernel *kernel = builder->kernel;
    size_t count = builder->locs.count;
    if (builder->aliases.twice.code != LW_OK)
        lw_builder_problem(builder, &builder->aliases.twice);
    kernel->alias_count = builder->aliases.count;
    lw_builder_end_function(builder);
    lw_builder_report_unknown(builder);
    if (!lw_builder_finish_types(builder))
        return false;
    const struct lw_location **locations = calloc(count + 1, sizeof *locations);
    for (size_t i = 0; locations && i < count && !lw_builder_is_stopped(builder, i); i++)
        locations[i] = lw_location_read(&kernel->arena, &builder->aliases, builder->locs.names[i]);
    bool ok = locations && builder->err.code == LW_OK && finish_operations(builder, locations) &&
              finish_loops(builder, locations);
    free(locations);
    kernel->lines = builder->text.scan.line;
    return ok;
}

bool lw_dump_kernel(struct lw_kernel *kernel, const struct lw_dump *dump,
                    const struct lw_kernel_options *options, struct lw_error *err)
{
    static const struct lw_kernel_options none = {0};
    struct lw_kernel_builder builder = {
        .kernel = kernel, .options = options ? options : &none, .memory.max = SIZE_MAX / 2};
    size_t part = builder.options->part > 0 ? (size_t)builder.options->part : 0;
    struct lw_dump_part whole = {0, dump->text.length, 1};
    memset(kernel, 0, sizeof *kernel);
    if (part > dump->part_count)
        return lw_error_set(err, LW_ERROR_NAME, "%.200s%sthere is no part %zu: the last one is %zu",
                            dump->name, *dump->name ? ": " : "", part, dump->part_count);
    whole = part ? dump->parts[part - 1] : whole;
    kernel->name = lw_arena_string(&kernel->arena, dump->name, strlen(dump->name));
    kernel->target = "";
    kernel->picked = kernel->picked_with = -1;
    kernel->triton = dump->triton;
    kernel->bytes = whole.length;
    kernel->more = part && part < dump->part_count;
    if (dump->problem.code != LW_OK && part <= 1)
        lw_builder_problem(&builder, &dump->problem);
    lw_mlir_begin(&builder.text, &builder.memory, lw_text_string(&dump->text) + whole.offset,
                  whole.length, whole.line);
    bool ok = kernel->name && read_items(&builder) && finish(&builder);
    /* a kernel of which a part could not be kept is refused */
    ok = ok && !builder.lacks_memory && !kernel->arena.failed && !builder.memory.failed &&
         builder.err.code == LW_OK;
    if (!ok && kernel->arena.full)
        lw_error_set(&builder.err, LW_ERROR_LIMIT, "%.200s%sto list it takes over %zu MiB",
                     dump->name, *dump->name ? ": " : "", LW_ARENA_MAX >> 20);
    else if (!ok && builder.err.code != LW_ERROR_STOPPED)
        lw_error_set(&builder.err, LW_ERROR_MEMORY, "out of memory");
    if (!ok && err)
        *err = builder.err;
    for (size_t i = 0; i < builder.frame_count; i++)
        lw_text_free(&builder.frames[i].text);
    lw_arena_free(&builder.memory);
    if (!ok)
        lw_kernel_free(kernel);
    return ok;
}

void lw_kernel_free(struct lw_kernel *kernel)
{
    lw_arena_free(&kernel->arena);
    memset(kernel, 0, sizeof *kernel);
}
