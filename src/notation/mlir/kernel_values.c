/*
 * The values of a function: integers that are known while a kernel is read, how results are used, and the value that
 * kernel.ttgir:%12 picks.
 *
 * Known are constants, values that the options set, and results computed from these, for the bounds of loops; and tests
 * of a loop's index against its bound, by which a pipeline masks off what it loads ahead in its last rounds.
 * Invariant: the first `set_count` names are those of the options; they keep their values. A name may be defined again
 * in another region, so a definition whose value is unknown removes the earlier value.
 */

#include "notation/mlir/kernel_parts.h"

#include "core/array_count.h"

#include <string.h>

/* ---- Known integers ---- */

#define UNKNOWN INT64_MIN
#define VALUE_MAX ((int64_t)1 << 62)

static const struct lw_known nothing = {.value = UNKNOWN, .base = SIZE_MAX, .loop = -1};

static bool is_number(const struct lw_known *known)
{
    return known->value != UNKNOWN && known->base == SIZE_MAX && !known->test;
}

static bool keep(struct lw_kernel_builder *builder, struct lw_span name, struct lw_known known)
{
    size_t number = lw_intern_add(&builder->constants, &builder->memory, name);
    if (number == SIZE_MAX || number < builder->set_count)
        return true;
    if (!LW_BUILDER_ROOM(builder, constant_values, constant_room, number))
        return false;
    builder->constant_values[number] = known;
    return true;
}

static void set_unknown(struct lw_kernel_builder *builder, struct lw_span name)
{
    size_t number = lw_intern_find(&builder->constants, name);
    if (number == SIZE_MAX)
        return;
    if (number < builder->set_count) /* an option sets it: it is found in the text */
        builder->kernel->values_found |= builder->constant_values[number].from;
    else
        builder->constant_values[number] = nothing;
}

bool lw_builder_begin_function(struct lw_kernel_builder *builder)
{
    const struct lw_kernel_options *options = builder->options;
    const char *p = builder->op.body.at, *end = p + builder->op.body.length;
    int64_t ignored;
    builder->set_count = 0;
    lw_intern_clear(&builder->constants);
    for (size_t i = 0; i < options->trips_count; i++) {
        struct lw_known known = nothing;
        struct lw_text name = {0};
        if (!options->trips[i].name)
            continue;
        lw_text_format(&name, "%%%s", options->trips[i].name);
        struct lw_span span = {
            lw_arena_string(&builder->memory, lw_text_string(&name), name.length), name.length};
        lw_text_free(&name);
        if (!span.at)
            return false;
        size_t before = lw_intern_find(&builder->constants, span);
        known.value = (int64_t)options->trips[i].count;
        known.from = (i < 64 ? (uint64_t)1 << i : 0) |
                     (before == SIZE_MAX ? 0 : builder->constant_values[before].from);
        if (!keep(builder, span, known))
            return false;
    }
    builder->set_count = builder->constants.count;
    for (struct lw_span name; (name = lw_next_value(&p, end, &ignored)).length > 0;)
        set_unknown(builder, name);
    return true;
}

/* What is known of the name that comes next in a text; of an unknown one nothing. */
static struct lw_known next_known(struct lw_kernel_builder *builder, const char **at,
                                  const char *end)
{
    int64_t ignored;
    struct lw_span name = lw_next_value(at, end, &ignored);
    size_t number = name.length ? lw_intern_find(&builder->constants, name) : SIZE_MAX;
    return number == SIZE_MAX ? nothing : builder->constant_values[number];
}

/* The same as a sum: an unknown value is its own base. False: it is a test, or out of memory. */
static bool next_sum(struct lw_kernel_builder *builder, const char **at, const char *end,
                     struct lw_known *sum)
{
    int64_t ignored;
    const char *p = *at;
    struct lw_span name = lw_next_value(&p, end, &ignored);
    *sum = next_known(builder, at, end);
    if (name.length && sum->value == UNKNOWN) {
        if (!keep(builder, name, nothing))
            return false;
        *sum = nothing;
        sum->value = 0;
        sum->base = lw_intern_find(&builder->constants, name);
    }
    return !sum->test && (is_number(sum) || sum->base != SIZE_MAX);
}

/* The result of an operation. Division is of a number that is not negative by a positive one. */
static int64_t compute(struct lw_span name, int64_t a, int64_t b)
{
    int64_t result;
    bool divides = a >= 0 && b > 0, shifts = a >= 0 && b >= 0 && b < 62;
    const char *op = name.at + sizeof "arith." - 1;
    struct lw_span tail = {op, name.length - (sizeof "arith." - 1)};
    if (lw_span_is(tail, "addi"))
        return __builtin_add_overflow(a, b, &result) ? UNKNOWN : result;
    if (lw_span_is(tail, "subi"))
        return __builtin_sub_overflow(a, b, &result) ? UNKNOWN : result;
    if (lw_span_is(tail, "muli"))
        return __builtin_mul_overflow(a, b, &result) ? UNKNOWN : result;
    if (lw_span_is(tail, "divsi") || lw_span_is(tail, "divui") || lw_span_is(tail, "floordivsi"))
        return divides ? a / b : UNKNOWN;
    if (lw_span_is(tail, "remsi") || lw_span_is(tail, "remui"))
        return divides ? a % b : UNKNOWN;
    if (lw_span_is(tail, "ceildivsi") || lw_span_is(tail, "ceildivui"))
        return divides ? a / b + (a % b > 0) : UNKNOWN;
    if (lw_span_is(tail, "maxsi"))
        return a > b ? a : b;
    if (lw_span_is(tail, "minsi"))
        return a < b ? a : b;
    if (lw_span_is(tail, "shli"))
        return shifts && a <= VALUE_MAX >> b ? a << b : UNKNOWN;
    if (lw_span_is(tail, "shrsi") || lw_span_is(tail, "shrui"))
        return shifts ? a >> b : UNKNOWN;
    if (lw_span_is(tail, "andi"))
        return a & b;
    return UNKNOWN;
}

/* Whether a test of two numbers holds; `named`: its name is one of a comparison. */
static bool compares(struct lw_span name, int64_t a, int64_t b, bool *named)
{
    const char *p = name.at; /* `slt`: signed, less than */
    bool equality = lw_span_is(name, "eq") || lw_span_is(name, "ne");
    bool is_unsigned = p[0] == 'u' && a >= 0 && b >= 0;
    *named = equality || (name.length == 3 && (p[0] == 's' || is_unsigned));
    if (equality)
        return (a == b) == (p[0] == 'e');
    return *named && ((p[2] == 'e' && a == b) || (p[1] == 'l' ? a < b : a > b));
}

static uint64_t trips_of(int64_t from, int64_t to, int64_t by)
{
    return to > from ? ((uint64_t)to - (uint64_t)from - 1) / (uint64_t)by + 1 : 0;
}

/* The test "index < bound" of a loop around the operation: it fails in the last rounds. */
static struct lw_known test_index(struct lw_kernel_builder *builder, const struct lw_known *index,
                                  const struct lw_known *bound)
{
    struct lw_known test = nothing;
    const struct lw_bounds *loop = NULL;
    for (size_t i = builder->frame_count; i-- > 0 && !loop;)
        if (builder->frames[i].own_loop >= 0 && index->base != SIZE_MAX &&
            builder->bounds[builder->frames[i].own_loop].index == index->base) {
            test.loop = builder->frames[i].own_loop;
            loop = &builder->bounds[test.loop];
        }
    if (!loop || bound->base != loop->to.base)
        return nothing;
    int64_t limit = bound->value - index->value, left = loop->to.value - limit;
    test.test = true;
    test.from = bound->from | loop->to.from;
    test.value = left / loop->by;
    if (left <= 0)
        test.value = 0;
    else if (is_number(&loop->from) && is_number(bound))
        test.value = (int64_t)(trips_of(loop->from.value, loop->to.value, loop->by) -
                               trips_of(loop->from.value, limit, loop->by));
    else if (left % loop->by)
        return nothing;
    return test;
}

/* `arith.cmpi slt, %a, %b : i32` */
static struct lw_known compare(struct lw_kernel_builder *builder, const char *p, const char *end)
{
    struct lw_known a, b, test = nothing;
    while (p < end && *p == ' ')
        p++;
    struct lw_span name = {p, strcspn(p, ",")};
    bool named, less = lw_span_is(name, "slt") || lw_span_is(name, "ult"),
                more = lw_span_is(name, "sgt") || lw_span_is(name, "ugt");
    if (!next_sum(builder, &p, end, &a) || !next_sum(builder, &p, end, &b))
        return nothing;
    if (is_number(&a) && is_number(&b)) {
        test.value = !compares(name, a.value, b.value, &named);
        test.test = true;
        test.from = a.from | b.from;
        return named ? test : nothing;
    }
    return less ? test_index(builder, &a, &b) : more ? test_index(builder, &b, &a) : nothing;
}

/* Whether a test holds in fewer rounds than another one of the same loop. */
static bool is_stricter(const struct lw_known *a, const struct lw_known *b)
{
    return a->test && (!b->test || (a->loop < 0 && a->value) || (b->loop < 0 && !b->value) ||
                       (a->loop == b->loop && a->value > b->value));
}

/* The result of an operation of two operands. */
static struct lw_known combine(struct lw_kernel_builder *builder, struct lw_span name,
                               const char *p, const char *end)
{
    bool adds = lw_span_is(name, "arith.addi"), subtracts = lw_span_is(name, "arith.subi");
    const char *q = p;
    struct lw_known a = next_known(builder, &p, end), b = next_known(builder, &p, end),
                    result = nothing;
    if (lw_span_is(name, "arith.andi") && (a.test || b.test))
        return is_stricter(&a, &b) ? a : b;
    if (is_number(&a) && is_number(&b)) {
        result.value = compute(name, a.value, b.value);
    } else if ((adds && (is_number(&a) || is_number(&b))) || (subtracts && is_number(&b))) {
        if (!next_sum(builder, &q, end, &a) || !next_sum(builder, &q, end, &b))
            return nothing;
        result.base = a.base != SIZE_MAX ? a.base : b.base;
        result.value = compute(name, a.value, b.value);
    }
    result.from = a.from | b.from;
    return result;
}

bool lw_builder_fold(struct lw_kernel_builder *builder)
{
    static const char *const casts[] = {"arith.extsi", "arith.extui", "arith.trunci",
                                        "arith.index_cast", "tt.splat"};
    const struct lw_operation_text *op = &builder->op;
    struct lw_known result = nothing;
    struct lw_scan scan;
    struct lw_error err;
    int64_t ignored;
    if (!op->results.length)
        return true;
    const char *p = op->body.at, *end = p ? p + op->body.length : p;
    const char *q = op->results.at, *last = q + op->results.length;
    struct lw_span name = lw_next_value(&q, last, &ignored);
    if (lw_span_is(op->name, "arith.constant")) { /* `64 : i32` */
        lw_scan_begin(&scan, &builder->memory, p, op->body.length, &err);
        result.value = lw_scan_number(&scan, &result.value) ? result.value : UNKNOWN;
    } else if (lw_span_is(op->name, "arith.cmpi"))
        result = compare(builder, p, end);
    else if (lw_span_is_one(op->name, casts, LW_COUNT(casts)))
        result = next_known(builder, &p, end);
    else if (lw_starts(op->name.at, op->name.length, "arith."))
        result = combine(builder, op->name, p, end);
    if (lw_span_is(op->name, "tt.splat") && !result.test)
        result = nothing;
    set_unknown(builder, name);
    for (struct lw_span other; (other = lw_next_value(&q, last, &ignored)).length > 0;)
        set_unknown(builder, other);
    if (result.value == UNKNOWN || result.value > VALUE_MAX || result.value < -VALUE_MAX)
        return true;
    return keep(builder, name, result);
}

bool lw_builder_bounds(struct lw_kernel_builder *builder, struct lw_kernel_loop *loop,
                       struct lw_bounds *bounds)
{
    const char *p = builder->op.body.at, *end = p + builder->op.body.length;
    int64_t ignored;
    bounds->index = SIZE_MAX;
    struct lw_span index = lw_next_value(&p, end, &ignored);
    if (!lw_span_is(builder->op.name, "scf.for") || index.length == 0)
        return true;
    set_unknown(builder, index);
    bool from = next_sum(builder, &p, end, &bounds->from),
         to = next_sum(builder, &p, end, &bounds->to);
    struct lw_known by = next_known(builder, &p, end);
    bounds->by = by.value;
    if (from && to && is_number(&by) && by.value > 0) {
        if (!keep(builder, index, nothing))
            return false;
        bounds->index = lw_intern_find(&builder->constants, index);
        loop->known = is_number(&bounds->from) && is_number(&bounds->to);
    }
    if (loop->known) {
        builder->kernel->values_used |= bounds->from.from | bounds->to.from | by.from;
        loop->trips = trips_of(bounds->from.value, bounds->to.value, bounds->by);
    }
    for (struct lw_span name; (name = lw_next_value(&p, end, &ignored)).length > 0;)
        if (end - p > 2 && !memcmp(p, " = ", 3)) /* an argument of its region */
            set_unknown(builder, name);
    return true;
}

void lw_builder_find_masked(struct lw_kernel_builder *builder, struct lw_operation *operation)
{
    const char *p = builder->op.body.at, *end = p ? p + builder->op.body.length : p;
    enum lw_role role = operation->kind->role;
    struct lw_known mask = nothing;
    operation->masked_loop = -1;
    if (role != LW_ROLE_GLOBAL_LOAD && role != LW_ROLE_GLOBAL_STORE && role != LW_ROLE_ASYNC_COPY &&
        role != LW_ROLE_TMA)
        return;
    while (p < end) {
        struct lw_known known = next_known(builder, &p, end);
        mask = is_stricter(&known, &mask) ? known : mask;
    }
    if (mask.test && mask.value > 0) {
        operation->masked_loop = mask.loop;
        operation->masked_rounds = (uint64_t)mask.value;
    }
}

/* ---- Uses ---- */

bool lw_builder_find_repeated(struct lw_kernel_builder *builder, struct lw_operation *operation)
{
    const struct lw_frame *around =
        builder->frame_count ? &builder->frames[builder->frame_count - 1] : NULL;
    size_t row = builder->kernel->operation_count;
    const struct lw_kept_operation *last = row ? &builder->operations[row - 1] : NULL;
    bool plain = operation->kind->role == LW_ROLE_LOCAL_LOAD && !operation->branch;
    /* Loads in a row: of one function and loop, with no effect between them. */
    if (!plain || !last || last->operation.kind->role != LW_ROLE_LOCAL_LOAD ||
        last->operation.function != operation->function ||
        last->operation.loop != operation->loop || last->effects != builder->effects)
        lw_intern_clear(&builder->loads);
    const char *p = builder->op.body.at;
    int64_t ignored;
    struct lw_span memory = lw_next_value(&p, p + builder->op.body.length, &ignored);
    if (!plain || !memory.length)
        return true;
    size_t before = builder->loads.count,
           number = lw_intern_add(&builder->loads, &builder->memory, memory);
    if (number == SIZE_MAX || !LW_BUILDER_ROOM(builder, load_rows, load_room, number))
        return false;
    if (number < before && around && (around->function || around->own_loop >= 0))
        operation->repeats = builder->load_rows[number];
    builder->load_rows[number] = (int)row;
    return true;
}

/* Keeps the first operation that needs the layout of a value. */
static void add_need(struct lw_use *use, struct lw_span name, int line)
{
    if (line && (!use->needs_line || line < use->needs_line)) {
        use->needs = name;
        use->needs_line = line;
    }
}

bool lw_builder_end_function(struct lw_kernel_builder *builder)
{
    /* From the last to the first: values that are computed from a value come after it. */
    for (size_t i = builder->use_count; i-- > 0;) {
        struct lw_use *use = &builder->uses[i];
        if (use->next)
            add_need(use, builder->uses[use->next].needs, builder->uses[use->next].needs_line);
        if (use->before != SIZE_MAX) {
            struct lw_use *before = &builder->uses[use->before];
            before->ends |= use->ends;
            before->stores += use->stores;
            before->converts += use->converts;
            before->masked |= use->masked;
            before->selected |= use->selected;
            before->computed |= !use->same || use->computed;
            before->cast |= use->cast;
            before->in_loop |= use->in_loop;
            before->converted = use->converts ? use->converted : before->converted;
            continue;
        }
        const struct lw_kept_operation *kept = &builder->operations[use->operation];
        struct lw_operation *operation = &builder->operations[use->operation].operation;
        operation->only_stored = use->stores && !use->in_loop && !use->ends && !use->converts &&
                                 kept->barriers == builder->barriers;
        operation->stored = operation->only_stored && !use->computed && use->stores == 1 &&
                            kept->stores + 1 == builder->stores &&
                            kept->conversions == builder->conversions;
        operation->masked = operation->only_stored && use->masked;
        operation->selected = use->selected;
        operation->computed = use->computed;
        operation->cast = use->cast;
        operation->used = use->used;
        bool is_kept = use->converted < builder->kernel->operation_count;
        operation->converted =
            !use->ends && use->converts == 1 && !use->stores && is_kept ? (int)use->converted : -1;
        operation->needs_line = operation->kind->role == LW_ROLE_CONVERT ? use->needs_line : 0;
        operation->needs =
            lw_arena_string(&builder->kernel->arena, operation->needs_line ? use->needs.at : "",
                            operation->needs_line ? use->needs.length : 0);
        if (!operation->needs)
            return false;
    }
    lw_intern_clear(&builder->values);
    builder->use_count = 0;
    builder->effects = builder->barriers = builder->stores = builder->conversions = 0;
    return true;
}

/* Whether the back end moves no load past an operation. */
static bool has_effect(struct lw_span name, const struct lw_operation_kind *kind)
{
    static const char *const others[] = {"ttng.",     "gpu.",    "ttg.barrier",
                                         "ttg.async", "tt.call", "tt.print"};
    if (kind && (kind->role == LW_ROLE_GLOBAL_STORE || kind->role == LW_ROLE_ATOMIC ||
                 kind->role == LW_ROLE_POLL || kind->role == LW_ROLE_TMA ||
                 kind->role == LW_ROLE_ASYNC_COPY || kind->role == LW_ROLE_LOCAL_STORE))
        return true;
    for (size_t i = 0; i < LW_COUNT(others); i++)
        if (lw_starts(name.at, name.length, others[i]))
            return true;
    return false;
}

/* Whether the region of a value is still open. Then another definition of its name hides it or is in a neighbouring
 * region, and which of the two a use means is unknown. */
static bool is_open(const struct lw_kernel_builder *builder, const struct lw_use *use)
{
    for (size_t i = 0; i < builder->frame_count; i++)
        if (builder->frames[i].position.line == use->region.line &&
            builder->frames[i].position.column == use->region.column)
            return true;
    return use->region.line == 0;
}

bool lw_builder_add_use(struct lw_kernel_builder *builder, struct lw_span results, size_t from)
{
    int64_t ignored;
    const char *p = results.at;
    struct lw_span value = results;
    if (results.length)
        value = lw_next_value(&p, p + results.length, &ignored);
    size_t before = builder->values.count;
    size_t number =
        value.length ? lw_intern_add(&builder->values, &builder->memory, value) : SIZE_MAX;
    if (number == SIZE_MAX)
        return true;
    if (number < before && is_open(builder, &builder->uses[builder->value_uses[number]])) {
        builder->uses[builder->value_uses[number]].ends = true;
        builder->uses[builder->value_uses[number]].used = UINT32_MAX;
        return true;
    }
    if (!LW_BUILDER_ROOM(builder, uses, use_room, builder->use_count) ||
        !LW_BUILDER_ROOM(builder, value_uses, value_room, number))
        return false;
    builder->value_uses[number] = builder->use_count;
    builder->uses[builder->use_count++] =
        (struct lw_use){.operation = builder->kernel->operation_count - 1, .before = from};
    if (builder->frame_count)
        builder->uses[builder->use_count - 1].region =
            builder->frames[builder->frame_count - 1].position;
    return true;
}

/* Whether an operation computes element by element. */
static bool is_plain(struct lw_span name)
{
    return lw_starts(name.at, name.length, "arith.") || lw_starts(name.at, name.length, "math.") ||
           lw_span_is(name, "tt.fp_to_fp") || lw_span_is(name, "tt.bitcast");
}

/* Whether the type after the arrow has one element, "-> tensor<1x1xf32, ...>". */
static bool makes_one(struct lw_span body)
{
    static const char arrow[] = "-> tensor<";
    const size_t length = sizeof arrow - 1;
    const char *end = body.at + body.length, *p = body.at;
    while ((size_t)(end - p) >= length && memcmp(p, arrow, length) != 0)
        p++;
    if ((size_t)(end - p) < length)
        return false;
    for (p += length; end - p > 1 && p[0] == '1' && p[1] == 'x';)
        p += 2;
    return p < end && (*p < '0' || *p > '9');
}

/* Whether it converts each element to another type by at most one instruction past which the assembler moves a
 * load. Source: machine code of kernels of Triton 3.6 and 3.9. */
static bool converts_type(struct lw_span name)
{
    static const char *const names[] = {"arith.truncf", "arith.extf",   "arith.trunci",
                                        "arith.sitofp", "arith.uitofp", "arith.fptosi",
                                        "arith.fptoui"};
    return lw_span_is_one(name, names, LW_COUNT(names));
}

/* Whether its result has the elements of its operand, each once. */
static bool is_same(const struct lw_operation_text *op)
{
    return lw_span_is(op->name, "tt.expand_dims") || converts_type(op->name) ||
           (lw_span_is(op->name, "tt.splat") && makes_one(op->body));
}

bool lw_builder_count_uses(struct lw_kernel_builder *builder, const struct lw_operation_kind *kind,
                           int line)
{
    const struct lw_operation_text *op = &builder->op;
    const char *p = op->body.at, *end = p + op->body.length;
    bool store = kind && kind->role == LW_ROLE_GLOBAL_STORE;
    bool convert = kind && kind->role == LW_ROLE_CONVERT;
    int values = store && lw_span_is(op->name, "tt.store") ? 0 : -3; /* %pointer, %value, %mask */
    bool same = is_same(op), plain = !same && is_plain(op->name);
    bool select = plain && lw_span_is(op->name, "arith.select");
    /* Each element of its result is one of its operand. */
    bool shape = same || lw_span_is(op->name, "tt.broadcast") || lw_span_is(op->name, "tt.reshape");
    bool reduces = kind && kind->role == LW_ROLE_REDUCE;
    const struct lw_frame *around =
        builder->frame_count ? &builder->frames[builder->frame_count - 1] : NULL;
    int64_t result;
    struct lw_span name;
    size_t before = SIZE_MAX;
    for (const char *q = p; values >= 0 && lw_next_value(&q, end, &result).length > 0;)
        values++;
    bool has = has_effect(op->name, kind);
    builder->effects += has;
    builder->barriers += (has && !store) || reduces;
    builder->stores += store;
    builder->conversions += convert;
    while (builder->values.count && (name = lw_next_value(&p, end, &result)).length > 0) {
        size_t number = lw_intern_find(&builder->values, name);
        if (number == SIZE_MAX)
            continue;
        struct lw_use *use = &builder->uses[builder->value_uses[number]];
        use->stores += store;
        use->in_loop |= store && around && around->loop >= 0;
        use->masked |= values > 2;
        use->selected |= select;
        use->computed |= plain;
        use->ends |= !store && !plain && !same && !convert;
        use->converts += convert;
        use->converted = convert ? builder->kernel->operation_count : use->converted;
        use->used |= result < 32 ? (uint32_t)1 << (result < 0 ? 0 : result) : 0;
        before = plain || shape ? builder->value_uses[number] : before;
        add_need(use, op->name, plain || shape ? 0 : line);
    }
    if (before == SIZE_MAX)
        return true;
    size_t count = builder->use_count;
    if (!lw_builder_add_use(builder, op->results, before))
        return false;
    p = op->body.at;
    while (builder->use_count > count && (name = lw_next_value(&p, end, &result)).length > 0) {
        size_t number = lw_intern_find(&builder->values, name);
        struct lw_use *use =
            number == SIZE_MAX ? NULL : &builder->uses[builder->value_uses[number]];
        if (use && !use->next)
            use->next = count;
    }
    if (builder->use_count > count) {
        builder->uses[count].same = same;
        builder->uses[count].cast = converts_type(op->name);
    }
    return true;
}

/* ---- The value that is picked ---- */

/* Type number k among those of that role in the signature; empty: there are fewer. */
static struct lw_span type_at(const struct lw_operation_text *op, enum lw_type_role where,
                              int64_t k)
{
    for (size_t i = 0; i < op->type_count; i++)
        if (op->types[i].where == where && k-- == 0)
            return op->types[i].span;
    return (struct lw_span){"", 0};
}

/* The type of result k; of operations that print no type of results, that of an operand. */
static struct lw_span result_type(const struct lw_operation_text *op, int64_t k)
{
    bool select = lw_span_is(op->name, "arith.select"); /* its condition may have a type too */
    bool has = type_at(op, LW_TYPE_RESULT, 0).length;
    k += select && !has && type_at(op, LW_TYPE_OPERAND, 1).length;
    return type_at(op, has ? LW_TYPE_RESULT : LW_TYPE_OPERAND, k);
}

/* The type of a value, `%r#1`: a result, number 1 of `%r:2`, an argument of a block or a function, or a value that a
 * loop carries, `iter_args(%a = %b) -> (type)`, `scf.while (%a = %b) : (type)`; empty: it is none of these. */
static struct lw_span type_of(const struct lw_operation_text *op, struct lw_span value,
                              int64_t wanted)
{
    struct lw_span name;
    int64_t count, k = 0;
    const char *p = op->results.at, *end = op->results.length ? p + op->results.length : p;
    for (; p < end && (name = lw_next_value(&p, end, &count)).length; k += count < 0 ? 1 : count)
        if (lw_span_equal(name, value) && wanted < (count < 0 ? 1 : count))
            return result_type(op, k + wanted);
    for (size_t i = 0; i < op->type_count; i++)
        if (op->types[i].where == LW_TYPE_ARGUMENT && lw_span_equal(op->types[i].value, value))
            return op->types[i].span;
    p = lw_operation_is_loop(op) ? memchr(op->body.at, '(', op->body.length) : NULL;
    end = p ? p + lw_bracketed(p, op->body.at + op->body.length) : p;
    for (k = 0; p < end && (name = lw_next_value(&p, end, &count)).length;) {
        p += p < end && *p == ' ';
        if (p < end && *p == '=' && lw_span_equal(name, value))
            return type_at(op, lw_span_is(op->name, "scf.for") ? LW_TYPE_RESULT : LW_TYPE_OPERAND,
                           k);
        k += p < end && *p == '=';
    }
    return (struct lw_span){"", 0};
}

void lw_builder_pick(struct lw_kernel_builder *builder, struct lw_position position)
{
    const char *p = builder->options->value;
    int64_t wanted;
    if (!p || builder->kernel->picked >= 0)
        return;
    struct lw_span value = lw_next_value(&p, p + strlen(p), &wanted);
    struct lw_span type = type_of(&builder->op, value, wanted < 0 ? 0 : wanted);
    if (type.length)
        builder->kernel->picked = lw_builder_type(builder, type, position);
}
