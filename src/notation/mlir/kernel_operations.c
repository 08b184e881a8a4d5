/* The operations of a kernel that are kept, with their types; the module, functions, loops and branches. */

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
    return number;
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

/* ---- Functions, loops, branches ---- */

static bool add_function(struct lw_kernel_builder *builder, const struct lw_frame *frame)
{
    struct lw_kernel *kernel = builder->kernel;
    if (!LW_BUILDER_ROOM(builder, functions, function_room, kernel->function_count))
        return false;
    struct lw_span symbol = builder->op.symbol;
    struct lw_kernel_function function = {
        lw_arena_string(&kernel->arena, symbol.length ? symbol.at : "", symbol.length),
        frame->position};
    builder->functions[kernel->function_count++] = function;
    lw_builder_end_function(builder);
    return function.name && lw_builder_begin_function(builder);
}

/* Sets the trips of a loop from the options. */
static void set_trips(const struct lw_kernel_options *options, struct lw_kernel_loop *loop)
{
    for (size_t i = 0; i < options->trips_count; i++)
        if (!options->trips[i].name && (options->trips[i].line == loop->position.line ||
                                        (options->trips[i].line == 0 && !loop->known))) {
            loop->trips = options->trips[i].count;
            loop->known = loop->set = true;
        }
}

static bool add_loop(struct lw_kernel_builder *builder, struct lw_frame *frame)
{
    struct lw_kernel *kernel = builder->kernel;
    if (!LW_BUILDER_ROOM(builder, loops, loop_room, kernel->loop_count))
        return false;
    struct lw_kept_loop *kept = &builder->loops[kernel->loop_count];
    *kept = (struct lw_kept_loop){
        .loop = {.name =
                     lw_arena_string(&kernel->arena, builder->op.name.at, builder->op.name.length),
                 .position = frame->position,
                 .parent = frame->loop,
                 .depth = 1 + (frame->loop < 0 ? 0 : builder->loops[frame->loop].loop.depth),
                 .function = (int)kernel->function_count - 1}};
    if (!kept->loop.name || !lw_builder_bounds(builder, kept))
        return false;
    set_trips(builder->options, &kept->loop);
    frame->own_loop = frame->loop = (int)kernel->loop_count++;
    return true;
}

static bool add_branch(struct lw_kernel_builder *builder, struct lw_frame *frame)
{
    struct lw_kernel *kernel = builder->kernel;
    if (!LW_BUILDER_ROOM(builder, branches, branch_room, kernel->branch_count))
        return false;
    struct lw_kernel_branch branch = {
        .name = lw_arena_string(&kernel->arena, builder->op.name.at, builder->op.name.length),
        .position = frame->position,
        .parent = frame->branch};
    frame->own_branch = frame->branch = (int)kernel->branch_count;
    builder->branches[kernel->branch_count++] = (struct lw_kept_branch){.branch = branch};
    return branch.name;
}

bool lw_builder_open(struct lw_kernel_builder *builder, struct lw_frame *frame)
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
    return !lw_span_is(op->name, "scf.if") || add_branch(builder, frame);
}

/* ---- Unknown operations ---- */

/* Counts an operation of Triton's dialects that no release of Triton has. False: out of memory. */
static bool add_unknown(struct lw_kernel_builder *builder, struct lw_position position)
{
    size_t count = builder->unknown.count;
    size_t number = lw_intern_add(&builder->unknown, &builder->memory, builder->op.name);
    if (number == SIZE_MAX || !LW_BUILDER_ROOM(builder, unknown_uses, unknown_room, number))
        return false;
    if (number == count)
        builder->unknown_uses[number] = (struct lw_unknown_use){position, 0};
    builder->unknown_uses[number].count++;
    return true;
}

void lw_builder_report_unknown(struct lw_kernel_builder *builder)
{
    for (size_t i = 0; i < builder->unknown.count; i++) {
        struct lw_span name = builder->unknown.names[i];
        const struct lw_unknown_use *use = &builder->unknown_uses[i];
        struct lw_error err;
        char times[48] = "";
        if (use->count > 1)
            snprintf(times, sizeof times, ", %llu times", (unsigned long long)use->count);
        lw_error_at(&err, LW_ERROR_UNSUPPORTED, use->first,
                    "unknown operation '%.*s'%s: what it moves is not counted; known are those of "
                    "Triton 2.1 to 3.9",
                    name.length < 100 ? (int)name.length : 100, name.at, times);
        lw_builder_problem(builder, &err);
    }
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
        if (count == 1 && operands == 0) { /* it has a result only */
            operation->from = -1;
            operation->to = last;
        }
    }
}

/* The number of the location's text in `locs`, plus 1; 0: it has none. */
static uint32_t loc_number(struct lw_kernel_builder *builder)
{
    struct lw_span loc = builder->op.loc;
    if (loc.length == 0)
        return 0;
    size_t number = lw_intern_add(&builder->locs, &builder->memory, loc);
    return number == SIZE_MAX ? 0 : (uint32_t)number + 1;
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
                                     .branch = around ? around->branch : -1,
                                     .converted = -1,
                                     .repeats = -1};
    int64_t ignored;
    if (!copy_types(builder, &operation, position))
        return false;
    if (!moves(&operation))
        return true;
    lw_builder_find_masked(builder, &operation);
    if ((kind->role == LW_ROLE_ATOMIC || kind->role == LW_ROLE_POLL) && operation.loop >= 0) {
        struct lw_kernel_loop *loop = &builder->loops[operation.loop].loop;
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
                                                        .loc = loc_number(builder),
                                                        .order = order,
                                                        .row = n,
                                                        .effects = builder->effects,
                                                        .barriers = builder->barriers,
                                                        .stores = builder->stores,
                                                        .conversions = builder->conversions};
    kernel->operation_count++;
    return lw_builder_add_use(builder, value, SIZE_MAX);
}

bool lw_builder_operation(struct lw_kernel_builder *builder, struct lw_span text,
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
        builder->loops[frame->own_loop].loc = loc_number(builder);
    if (frame && frame->own_branch >= 0)
        builder->branches[frame->own_branch].loc = loc_number(builder);
    lw_builder_pick(builder, position, false);
    const struct lw_operation_kind *kind = lw_operation_kind_find(op->name.at, op->name.length);
    if (!lw_builder_count_uses(builder, kind))
        return false;
    if (lw_span_is(op->name, "module") && !builder->kernel->num_warps)
        read_module(builder, text);
    if (!lw_builder_fold(builder))
        return false;
    if (lw_span_is(op->name, "arith.constant") && op->results.length)
        return true;
    if (lw_span_is(op->name, "cf.cond_br") && builder->frame_count &&
        !add_branch(builder, &builder->frames[builder->frame_count - 1]))
        return false;
    if (kind)
        return keep_operation(builder, kind, text, position, order);
    for (size_t i = 0; i < op->type_count; i++)
        lw_builder_type(builder, op->types[i].span, position);
    return !lw_operation_is_unknown(op->name.at, op->name.length) || add_unknown(builder, position);
}

bool lw_builder_block(struct lw_kernel_builder *builder, struct lw_span text,
                      struct lw_position position)
{
    struct lw_error ignored;
    if (!lw_operation_parse(&builder->op, &builder->memory, text, true, position, &ignored))
        return false;
    lw_builder_pick(builder, position, true);
    for (size_t i = 0; i < builder->op.type_count; i++)
        lw_builder_type(builder, builder->op.types[i].span, position);
    return true;
}
