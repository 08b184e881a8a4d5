/*
 * Kernels: the items of a text become lists of operations with their types, functions, loops and branches. Invariant
 * while reading: there is a frame for each region that is open.
 */

#include "notation/mlir/kernel_parts.h"
#include "notation/mlir/operations.h"

#include <stdlib.h>
#include <string.h>

/* ---- The module ---- */

/* The value of an attribute whose name ends in `name`, `"ttg.num-warps" = 4`, without its opening quote; NULL: none. */
static const char *attribute_value(struct lw_span text, const char *name)
{
    size_t length = strlen(name);
    const char *p = text.at, *end = text.at + text.length;
    while (p + length < end && memcmp(p, name, length) != 0)
        p++;
    if (p + length >= end)
        return NULL;
    p += length;
    p += *p == '"';
    while (p < end && *p && strchr(" =\t\n", *p))
        p++;
    return p + (p < end && *p == '"');
}

static int number_of(struct lw_span text, const char *name)
{
    const char *p = attribute_value(text, name), *end = text.at + text.length;
    int number = 0;
    while (p && p < end && *p >= '0' && *p <= '9' && number < 1000000)
        number = number * 10 + (*p++ - '0');
    return p && p < end && lw_is_digit(*p) ? 0 : number; /* one that is too large is unknown */
}

static void read_module(struct lw_kernel_builder *builder, struct lw_span text)
{
    struct lw_kernel *kernel = builder->kernel;
    const char *target = attribute_value(text, ".target"), *end = text.at + text.length;
    const char *stop = target && target < end ? memchr(target, '"', (size_t)(end - target)) : NULL;
    if (!kernel->num_warps) {
        kernel->num_warps = number_of(text, ".num-warps");
        kernel->num_ctas = number_of(text, ".num-ctas");
        kernel->threads_per_warp = number_of(text, ".threads-per-warp");
    }
    if (stop && !*kernel->target) {
        const char *copy = lw_arena_string(&kernel->arena, target, (size_t)(stop - target));
        kernel->target = copy ? copy : "";
    }
}

/* ---- Functions, loops ---- */

static bool add_function(struct lw_kernel_builder *builder, const struct lw_frame *frame)
{
    struct lw_kernel *kernel = builder->kernel;
    if (!lw_list_reserve(&kernel->arena, &builder->functions, &builder->function_room,
                         kernel->function_count, sizeof *builder->functions))
        return false;
    struct lw_span symbol = builder->op.symbol;
    struct lw_kernel_function function = {
        lw_arena_string(&kernel->arena, symbol.length ? symbol.at : "", symbol.length),
        frame->position};
    builder->functions[kernel->function_count++] = function;
    return lw_builder_end_function(builder) && function.name && lw_builder_begin_function(builder);
}

static bool add_loop(struct lw_kernel_builder *builder, struct lw_frame *frame)
{
    struct lw_kernel *kernel = builder->kernel;
    if (!lw_list_reserve(&kernel->arena, &builder->loops, &builder->loop_room, kernel->loop_count,
                         sizeof *builder->loops) ||
        !LW_BUILDER_ROOM(builder, bounds, bound_room, kernel->loop_count))
        return false;
    struct lw_kernel_loop *loop = &builder->loops[kernel->loop_count];
    *loop = (struct lw_kernel_loop){
        .name = lw_arena_string(&kernel->arena, builder->op.name.at, builder->op.name.length),
        .position = frame->position,
        .parent = frame->loop,
        .depth = 1 + (frame->loop < 0 ? 0 : builder->loops[frame->loop].depth),
        .function = (int)kernel->function_count - 1};
    builder->bounds[kernel->loop_count] = (struct lw_bounds){0};
    if (!loop->name || !lw_builder_bounds(builder, loop, &builder->bounds[kernel->loop_count]))
        return false;
    for (size_t i = 0; i < builder->options->trips_count; i++) {
        const struct lw_trips *trips = &builder->options->trips[i];
        if (!trips->name &&
            (trips->line == loop->position.line || (trips->line == 0 && !loop->known))) {
            loop->trips = trips->count;
            loop->known = loop->set = true;
        }
    }
    frame->own_loop = frame->loop = (int)kernel->loop_count++;
    return true;
}

static bool open_operation(struct lw_kernel_builder *builder, struct lw_frame *frame)
{
    struct lw_span text = {NULL, frame->text.length};
    struct lw_error ignored;
    struct lw_operation_text *op = &builder->op;
    /* Names of it are kept, and the frame's text moves when it grows. */
    text.at = lw_arena_string(&builder->memory, lw_text_string(&frame->text), text.length);
    if (!text.at)
        return false;
    if (!lw_operation_parse(op, &builder->memory, text, false, frame->position, &ignored) &&
        ignored.code == LW_ERROR_MEMORY)
        return false;
    if (lw_span_is(op->name, "module") || lw_span_is(op->name, "builtin.module"))
        read_module(builder, text);
    frame->function =
        lw_ends(op->name.at, op->name.length, ".func") || lw_span_is(op->name, "func");
    if (frame->function)
        return add_function(builder, frame);
    if (lw_operation_is_loop(op))
        return add_loop(builder, frame);
    if (lw_span_is(op->name, "scf.if"))
        frame->branch = frame->position.line;
    return true;
}

/* ---- Operations ---- */

/* Sets the types of the data before and after an operation: of the first operand and the first result that have a
 * layout; of an access to global memory that of the registers. */
static void set_ends(struct lw_operation *operation, const int *types, int operands, int count)
{
    int first = operands ? types[0] : -1;
    int last = count > operands ? types[operands] : operands > 1 ? types[1] : -1;
    operation->from = first;
    operation->to = last;
    switch (operation->kind->role) {
    case LW_ROLE_GLOBAL_LOAD:
        operation->from = -1;
        operation->to = last >= 0 && count > operands ? last : first;
        break;
    case LW_ROLE_GLOBAL_STORE: /* in 3.9 amdg.buffer_store has the type of the value after an
                                  arrow */
        operation->from = operands ? first : last;
        operation->to = -1;
        break;
    case LW_ROLE_ATOMIC:
    case LW_ROLE_POLL:
        operation->to = count > operands ? last : -1;
        break;
    case LW_ROLE_PARTITIONS: /* its types are of values that are passed to partitions */
        operation->from = operation->to = -1;
        break;
    case LW_ROLE_DOT:
    case LW_ROLE_DOT_SHARED:
        operation->to = count > operands ? last : operands > 2 ? types[2] : -1;
        break;
    default:
        break;
    }
}

static bool copy_types(struct lw_kernel_builder *builder, struct lw_operation *operation,
                       struct lw_position position)
{
    const struct lw_operation_text *op = &builder->op;
    int *types = lw_arena_alloc(&builder->kernel->arena, (op->type_count + 1) * sizeof *types);
    if (!types)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < op->type_count; i++) {
            int type;
            if ((op->types[i].where == LW_TYPE_RESULT) != pass ||
                op->types[i].where == LW_TYPE_ARGUMENT ||
                (type = lw_builder_type(builder, op->types[i].span, position)) < 0)
                continue;
            types[operation->type_count++] = type;
        }
        if (pass == 0)
            operation->operand_count = operation->type_count;
    }
    operation->types = types;
    set_ends(operation, types, operation->operand_count, operation->type_count);
    return true;
}

/* Whether an operation moves data: an allocation without a value does not, nor does an operation in registers on
 * numbers without a layout. */
static bool moves(const struct lw_operation *operation)
{
    enum lw_role role = operation->kind->role;
    if (role == LW_ROLE_GLOBAL_LOAD || role == LW_ROLE_GLOBAL_STORE || role == LW_ROLE_ATOMIC ||
        role == LW_ROLE_POLL || role == LW_ROLE_DESCRIPTOR || role == LW_ROLE_PARTITIONS)
        return true;
    bool alloc = lw_ends(operation->kind->name, strlen(operation->kind->name), "_alloc");
    return operation->type_count > 0 && (!alloc || operation->operand_count > 0) &&
           (role != LW_ROLE_CONVERT || operation->to >= 0);
}

static bool keep_operation(struct lw_kernel_builder *builder, const struct lw_operation_kind *kind,
                           struct lw_span text, struct lw_position position, int64_t order)
{
    struct lw_kernel *kernel = builder->kernel;
    const struct lw_operation_text *op = &builder->op;
    const struct lw_frame *around =
        builder->frame_count ? &builder->frames[builder->frame_count - 1] : NULL;
    struct lw_operation operation = {.kind = kind,
                                     .position = position,
                                     .function = (int)kernel->function_count - 1,
                                     .loop = around ? around->loop : -1,
                                     .branch = around ? around->branch : 0,
                                     .location = lw_builder_location(builder),
                                     .needs = "",
                                     .converted = -1,
                                     .repeats = -1};
    int64_t ignored;
    if (!copy_types(builder, &operation, position))
        return false;
    if (!moves(&operation))
        return true;
    lw_builder_find_masked(builder, &operation);
    if ((kind->role == LW_ROLE_ATOMIC || kind->role == LW_ROLE_POLL) && operation.loop >= 0) {
        struct lw_kernel_loop *loop = &builder->loops[operation.loop];
        loop->spins = loop->spins || !strcmp(loop->name, "scf.while");
    }
    const char *p = op->results.at;
    struct lw_span value = {"", 0};
    if (op->results.length)
        value = lw_next_value(&p, p + op->results.length, &ignored);
    size_t n = kernel->operation_count;
    operation.name = lw_arena_string(&kernel->arena, op->name.at, op->name.length);
    operation.value = lw_arena_string(&kernel->arena, value.at, value.length);
    operation.text = lw_arena_string(&kernel->arena, text.at, text.length);
    if (!operation.name || !operation.value || !operation.text ||
        !lw_builder_find_repeated(builder, &operation) ||
        !LW_BUILDER_ROOM(builder, operations, operation_room, n))
        return false;
    builder->operations[n] = (struct lw_kept_operation){.operation = operation,
                                                        .order = order,
                                                        .row = n,
                                                        .effects = builder->effects,
                                                        .barriers = builder->barriers,
                                                        .stores = builder->stores,
                                                        .conversions = builder->conversions};
    kernel->operation_count++;
    return lw_builder_add_use(builder, value, SIZE_MAX);
}

static bool read_operation(struct lw_kernel_builder *builder, struct lw_span text,
                           struct lw_position position, const struct lw_frame *frame, int64_t order)
{
    struct lw_operation_text *op = &builder->op;
    struct lw_error err;
    if (lw_starts(text.at, text.length, "{-#")) /* resources of the file, not of the kernel */
        return true;
    builder->kernel->total++;
    if (!lw_operation_parse(op, &builder->memory, text, false, position, &err)) {
        if (err.code == LW_ERROR_MEMORY)
            return false;
        lw_excerpt_of_part(&err, position, text.at, text.length);
        lw_builder_problem(builder, &err);
    }
    if (frame && frame->own_loop >= 0)
        builder->loops[frame->own_loop].location = lw_builder_location(builder);
    lw_builder_pick(builder, position);
    const struct lw_operation_kind *kind = lw_operation_kind_find(op->name.at, op->name.length);
    if (!lw_builder_count_uses(builder, kind, position.line))
        return false;
    if (!lw_builder_fold(builder))
        return false;
    if (lw_span_is(op->name, "arith.constant") && op->results.length)
        return true;
    if (lw_span_is(op->name, "cf.cond_br") && builder->frame_count)
        builder->frames[builder->frame_count - 1].branch = position.line;
    if (kind)
        return keep_operation(builder, kind, text, position, order);
    for (size_t i = 0; i < op->type_count; i++)
        lw_builder_type(builder, op->types[i].span, position);
    if (!lw_operation_is_unknown(op->name.at, op->name.length))
        return true;
    size_t before = builder->unknown.count; /* each name is reported once */
    if (lw_intern_add(&builder->unknown, &builder->memory, op->name) != before)
        return true;
    lw_error_at(&err, LW_ERROR_UNSUPPORTED, position,
                "unknown operation '%.*s': what it moves is not counted; known are those of Triton "
                "2.1 to 3.9",
                op->name.length < 100 ? (int)op->name.length : 100, op->name.at);
    lw_builder_problem(builder, &err);
    return true;
}

/* Bytes of text that are read between two questions whether to stop. */
#define STOP_BYTES ((size_t)1 << 16)

/* ---- Frames ---- */

/* Begins an operation whose region comes next. */
static bool push_frame(struct lw_kernel_builder *builder, const struct lw_mlir_item *item,
                       int64_t order)
{
    if (builder->frame_count == LW_KERNEL_DEPTH_MAX)
        return lw_error_at(&builder->err, LW_ERROR_LIMIT, item->position,
                           "regions are nested more than %d deep", LW_KERNEL_DEPTH_MAX);
    if (!LW_BUILDER_ROOM(builder, frames, frame_room, builder->frame_count))
        return false;
    struct lw_frame frame = {
        .position = item->position, .loop = -1, .own_loop = -1, .order = order};
    if (builder->frame_count) {
        frame.loop = builder->frames[builder->frame_count - 1].loop;
        frame.branch = builder->frames[builder->frame_count - 1].branch;
    }
    if (item->kind != LW_MLIR_PROBLEM) {
        lw_text_bytes(&frame.text, item->text.at, item->text.length);
        lw_text_char(&frame.text, '}');
    }
    bool ok = !frame.text.failed && (!frame.text.length || open_operation(builder, &frame));
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
           (text.at && read_operation(builder, text, frame.position, &frame, frame.order));
}

static bool read_close(struct lw_kernel_builder *builder, const struct lw_mlir_item *item)
{
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
    while (builder->frame_count > builder->text.regions)
        if (!pop_frame(builder))
            return false;
    while (builder->frame_count < builder->text.regions)
        if (!push_frame(builder, &unknown, 0))
            return false;
    return true;
}

/* ---- Items ---- */

static bool read_item(struct lw_kernel_builder *builder, const struct lw_mlir_item *item,
                      int64_t order)
{
    struct lw_operation_text *op = &builder->op;
    struct lw_error err;
    switch (item->kind) {
    case LW_MLIR_ALIAS:
        if (*item->text.at == '#')
            return lw_aliases_add(&builder->aliases, &builder->kernel->arena, item, &builder->err);
        lw_error_at(&err, LW_ERROR_UNSUPPORTED, item->position,
                    "names of types are not read: operations that have them are not counted");
        lw_builder_problem(builder, &err);
        return true;
    case LW_MLIR_BLOCK:
        if (!lw_operation_parse(op, &builder->memory, item->text, true, item->position, &err))
            return false;
        lw_builder_pick(builder, item->position);
        for (size_t i = 0; i < op->type_count; i++)
            lw_builder_type(builder, op->types[i].span, item->position);
        return true;
    case LW_MLIR_OPERATION:
        if (item->opens)
            return push_frame(builder, item, order);
        return read_operation(builder, item->text, item->position, NULL, order);
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
        if (!read_item(builder, &item, order++) || (builder->frame_count != builder->text.regions &&
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
static bool finish_operations(struct lw_kernel_builder *builder)
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
        const struct lw_location *at = operations[i].location;
        operations[i].location = at && (*at->file || *at->name) ? at : NULL;
        if (operations[i].repeats >= 0)
            operations[i].repeats = rows[operations[i].repeats];
        if (operations[i].converted >= 0)
            operations[i].converted = rows[operations[i].converted];
    }
    free(rows);
    kernel->operations = operations;
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
    kernel->picked = -1;
    kernel->triton = dump->triton;
    kernel->bytes = whole.length;
    kernel->more = part && part < dump->part_count;
    if (dump->problem.code != LW_OK && part <= 1)
        lw_builder_problem(&builder, &dump->problem);
    lw_mlir_begin(&builder.text, &builder.memory, lw_text_string(&dump->text) + whole.offset,
                  whole.length, whole.line);
    bool ok = kernel->name && read_items(&builder);
    if (ok && builder.aliases.twice.code != LW_OK)
        lw_builder_problem(&builder, &builder.aliases.twice);
    kernel->alias_count = builder.aliases.count;
    kernel->loops = builder.loops;
    kernel->functions = builder.functions;
    kernel->lines = builder.text.scan.line;
    ok = ok && lw_builder_end_function(&builder) && lw_builder_finish_types(&builder) &&
         lw_builder_finish_locations(&builder) && finish_operations(&builder);
    /* a kernel of which a part could not be kept is refused */
    ok = ok && !builder.lacks_memory && !kernel->arena.failed && !builder.memory.failed &&
         builder.err.code == LW_OK;
    if (!ok && kernel->arena.full)
        lw_error_set(&builder.err, LW_ERROR_LIMIT, "%.200s%sto list it takes over %zu MiB",
                     dump->name, *dump->name ? ": " : "", LW_ARENA_MAX >> 20);
    else if (!ok && builder.err.code == LW_OK)
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
