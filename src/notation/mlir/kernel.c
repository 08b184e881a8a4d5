/*
 * Kernels: the items of a text become lists. Invariant while reading: there is a frame for each region that
 * is open, up to LW_KERNEL_DEPTH_MAX, and `deeper` counts those beyond.
 */

#include "notation/mlir/kernel_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- Frames ---- */

/* Begins an operation whose region comes next. */
static bool push_frame(struct lw_kernel_builder *builder, const struct lw_mlir_item *item,
                       int64_t order)
{
    if (builder->frame_count == LW_KERNEL_DEPTH_MAX) {
        builder->deeper++;
        lw_builder_limit(builder, LW_LIMIT_DEPTH, item->position,
                         "regions are nested more than %zu deep: deeper ones are skipped",
                         LW_KERNEL_DEPTH_MAX);
        return true;
    }
    if (!lw_builder_reserve(builder, &builder->frames, &builder->frame_room, builder->frame_count,
                            sizeof *builder->frames))
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
        lw_text_bytes(&frame.text, item->text, item->length);
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
    struct lw_span text = {lw_text_string(&frame.text), frame.text.length};
    bool ok = text.length == 0 ||
              lw_builder_operation(builder, text, frame.position, &frame, frame.order);
    lw_text_free(&frame.text);
    return ok;
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
    if (text->length && text->length < LW_MLIR_ITEM_MAX) {
        lw_text_bytes(text, item->text + 1, item->length - 1);
        if (item->opens)
            lw_text_char(text, '}');
    }
    return item->opens || pop_frame(builder);
}

/* ---- Items ---- */

/* Keeps a definition; its value moves into the arena. */
static bool read_alias(struct lw_kernel_builder *builder, const struct lw_mlir_item *item)
{
    struct lw_kernel *kernel = builder->kernel;
    struct lw_error err;
    if (*item->text == '#') {
        if (!lw_alias_list_add(&builder->aliases, &kernel->arena, item, &err)) {
            if (err.code == LW_ERROR_MEMORY)
                return false;
            lw_builder_limit(builder, LW_LIMIT_ALIASES, err.position,
                             "a file may define at most %zu aliases", LW_ALIASES_MAX);
            return true;
        }
        struct lw_alias *alias = &builder->aliases.items[builder->aliases.count - 1];
        alias->value = lw_arena_string(&kernel->arena, alias->value, alias->value_length);
        return alias->value;
    }
    size_t length = lw_mlir_name(item->text + 1, item->text + item->length, false);
    const char *value = memchr(item->text, '=', item->length);
    size_t before = builder->type_names.count;
    size_t number = lw_intern_add(&builder->type_names, item->text + 1, length);
    if (number < before || number == SIZE_MAX)
        return true;
    for (value++; value < item->text + item->length && strchr(" \t\r\n", *value); value++)
        ;
    if (!lw_builder_reserve(builder, &builder->type_values, &builder->type_value_room, number,
                            sizeof *builder->type_values))
        return false;
    builder->type_values[number] =
        lw_arena_string(&kernel->arena, value, (size_t)(item->text + item->length - value));
    return builder->type_values[number];
}

static bool read_item(struct lw_kernel_builder *builder, const struct lw_mlir_item *item,
                      int64_t order)
{
    struct lw_span text = {item->text, item->length};
    switch (item->kind) {
    case LW_MLIR_ALIAS:
        return read_alias(builder, item);
    case LW_MLIR_BLOCK:
        return lw_builder_block(builder, text, item->position);
    case LW_MLIR_OPERATION:
        if (item->opens)
            return push_frame(builder, item, order);
        return lw_builder_operation(builder, text, item->position, NULL, order);
    case LW_MLIR_CLOSE:
        return read_close(builder, item);
    case LW_MLIR_PROBLEM:
        lw_builder_problem(builder, &builder->reader.err);
        return true;
    default:
        return true;
    }
}

/* Updates the open regions after an item that could not be read: it may have opened some, or closed them. */
static bool match_regions(struct lw_kernel_builder *builder, const struct lw_mlir_item *item)
{
    while (builder->frame_count + builder->deeper > builder->reader.regions) {
        if (builder->deeper)
            builder->deeper--;
        else if (!pop_frame(builder))
            return false;
    }
    while (builder->frame_count + builder->deeper < builder->reader.regions)
        if (!push_frame(builder, item, 0))
            return false;
    return true;
}

/* Whether an item is of another part than the one that is read. */
static bool is_other_part(const struct lw_mlir_reader *reader, const struct lw_mlir_item *item)
{
    if (!reader->part || reader->failed)
        return false;
    return (reader->part > 1 && (!reader->part_from || item->position.line < reader->part_from)) ||
           (reader->part_to && item->position.line > reader->part_to);
}

static bool read_items(struct lw_kernel_builder *builder)
{
    struct lw_mlir_item item;
    int64_t order = 0;
    do {
        lw_mlir_reader_next(&builder->reader, &item);
        if (item.kind != LW_MLIR_END && is_other_part(&builder->reader, &item)) {
            if (builder->reader.part_to && !builder->reader.failed)
                break; /* all of it has been read */
            continue;
        }
        if (!read_item(builder, &item, order++))
            return false;
        if (item.kind == LW_MLIR_PROBLEM && builder->reader.failed) {
            builder->err = builder->reader.err;
            return false;
        }
        if (builder->frame_count + builder->deeper != builder->reader.regions &&
            !match_regions(builder, &(struct lw_mlir_item){.kind = LW_MLIR_PROBLEM,
                                                           .position = item.position}))
            return false;
        if (item.cut)
            lw_builder_limit(builder, LW_LIMIT_ITEM, item.position,
                             "an operation has more than %zu bytes: its middle is skipped",
                             LW_MLIR_ITEM_MAX);
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

static bool finish_functions(struct lw_kernel_builder *builder)
{
    struct lw_kernel *kernel = builder->kernel;
    struct lw_kernel_function *functions =
        lw_arena_alloc(&kernel->arena, (kernel->function_count + 1) * sizeof *functions);
    if (!functions)
        return false;
    if (kernel->function_count)
        memcpy(functions, builder->functions, kernel->function_count * sizeof *functions);
    kernel->functions = functions;
    return true;
}

static bool finish(struct lw_kernel_builder *builder)
{
    struct lw_kernel *kernel = builder->kernel;
    struct lw_error err;
    if (!lw_alias_list_sort(&builder->aliases, &kernel->aliases, &kernel->arena, &err)) {
        if (err.code == LW_ERROR_MEMORY)
            return false;
        lw_builder_problem(builder, &err);
    }
    lw_builder_end_function(builder);
    lw_builder_report_unknown(builder);
    if (!lw_builder_finish_types(builder))
        return false;
    size_t count = builder->locs.count;
    const struct lw_location **locations = calloc(count + 1, sizeof *locations);
    for (size_t i = 0; locations && i < count && !lw_builder_is_stopped(builder, i); i++)
        locations[i] = lw_location_read(&kernel->arena, &kernel->aliases, builder->locs.names[i],
                                        strlen(builder->locs.names[i]));
    bool ok = locations && builder->err.code == LW_OK && finish_operations(builder, locations) &&
              lw_builder_finish_loops(builder, locations) && finish_functions(builder);
    free(locations);
    kernel->more = builder->reader.part && builder->reader.dividers >= builder->reader.part;
    if (kernel->more)
        kernel->next = (struct lw_kernel_mark){builder->reader.part_end, builder->reader.part_to};
    kernel->bytes = builder->reader.total;
    kernel->lines = builder->reader.line;
    return ok;
}

/* Goes to the part that the options select. */
static bool read_part(struct lw_kernel_builder *builder)
{
    const struct lw_kernel_options *options = builder->options;
    if (!options || lw_mlir_reader_set_part(&builder->reader, options->part, options->from.offset,
                                            options->from.line))
        return true;
    return lw_error_set(&builder->err, LW_ERROR_IO, "%.200s: part %d is not at byte %llu",
                        builder->kernel->name, options->part,
                        (unsigned long long)options->from.offset);
}

/* An unknown version is reported once for a file; metadata that cannot be read ends the reading. */
static bool find_version(struct lw_kernel_builder *builder)
{
    const struct lw_kernel_options *options = builder->options;
    struct lw_kernel *kernel = builder->kernel;
    struct lw_error why;
    if (lw_metadata_triton(kernel->name, options ? options->triton : (struct lw_triton_choice){0},
                           &kernel->triton, &why))
        return true;
    if (why.code != LW_ERROR_NAME) {
        builder->err = why;
        return false;
    }
    if (!options || options->part <= 1)
        lw_builder_problem(builder, &why);
    return true;
}

/* Sets the error of a kernel that cannot be kept: memory is out, or the limit of the arena is reached. */
static bool set_lack(struct lw_error *err, const struct lw_kernel *kernel)
{
    if (!kernel->arena.full)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    return lw_error_set(err, LW_ERROR_LIMIT, "%.200s%sto list it takes over %zu MiB",
                        kernel->name ? kernel->name : "", kernel->name && *kernel->name ? ": " : "",
                        LW_ARENA_MAX >> 20);
}

/* Reads the kernel from the builder's reader. */
static bool build(struct lw_kernel_builder *builder, const char *name, struct lw_error *err)
{
    struct lw_kernel *kernel = builder->kernel;
    kernel->name = lw_arena_string(&kernel->arena, name, strlen(name));
    kernel->target = "";
    kernel->picked = kernel->picked_with = -1;
    builder->types.max = LW_KERNEL_TYPES_MAX;
    builder->type_names.max = builder->constants.max = builder->unknown.max = LW_KERNEL_TYPES_MAX;
    builder->values.max = LW_KERNEL_OPERATIONS_MAX;
    builder->locs.max = LW_KERNEL_OPERATIONS_MAX + LW_KERNEL_LOOPS_MAX;
    if (builder->options) {
        builder->reader.max = builder->options->max;
        builder->reader.stop = builder->options->stop;
        builder->reader.stop_context = builder->options->stop_context;
    }
    bool ok = kernel->name && find_version(builder) && read_part(builder) && read_items(builder) &&
              finish(builder) && lw_builder_is_whole(builder);
    if (!ok && (builder->err.code == LW_OK || builder->err.code == LW_ERROR_MEMORY))
        set_lack(&builder->err, kernel);
    if (!ok && err)
        *err = builder->err;
    lw_builder_free(builder);
    if (!ok)
        lw_kernel_free(kernel);
    return ok;
}

/* ---- Files and texts ---- */

bool lw_kernel_read(struct lw_kernel *kernel, const char *text, size_t length,
                    const struct lw_kernel_options *options, struct lw_error *err)
{
    struct lw_kernel_builder builder = {.kernel = kernel, .options = options};
    memset(kernel, 0, sizeof *kernel);
    char *copy = lw_arena_string(&kernel->arena, text, length);
    if (!copy) {
        set_lack(err, kernel);
        lw_kernel_free(kernel);
        return false;
    }
    lw_mlir_reader_open_text(&builder.reader, copy, length);
    return build(&builder, "", err);
}

bool lw_kernel_open(struct lw_kernel *kernel, const char *path,
                    const struct lw_kernel_options *options, struct lw_error *err)
{
    struct lw_kernel_builder builder = {.kernel = kernel, .options = options};
    struct lw_error scratch;
    /* The text is read through a window, so its size is not limited. */
    struct lw_reading reading = {
        .arena = &kernel->arena, .err = err ? err : &scratch, .dump = true, .max = SIZE_MAX};
    memset(kernel, 0, sizeof *kernel);
    FILE *input = options && !strcmp(path, "-") ? options->input : NULL;
    FILE *file = input ? input : lw_open_file(&reading, path);
    if (!file) {
        lw_kernel_free(kernel);
        return false;
    }
    const char *name = input ? "standard input" : path;
    lw_mlir_reader_open_file(&builder.reader, file, name);
    bool ok = build(&builder, name, err);
    if (!input)
        fclose(file);
    return ok;
}

void lw_kernel_free(struct lw_kernel *kernel)
{
    lw_arena_free(&kernel->arena);
    memset(kernel, 0, sizeof *kernel);
}
