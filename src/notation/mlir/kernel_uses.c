/* How the values of a function are used: which are only stored, converted, or computed from. */

#include "notation/mlir/kernel_parts.h"

#include "core/array_count.h"

#include <string.h>

/* The memory that a load loads from, "%m". */
static struct lw_span memory_of(const struct lw_operation *load)
{
    int64_t ignored;
    const char *p = strstr(load->text, load->name), *end = load->text + strlen(load->text);
    return p ? lw_next_value(&p, end, &ignored) : (struct lw_span){"", 0};
}

int lw_builder_repeats(const struct lw_kernel_builder *builder, const struct lw_operation *load)
{
    const struct lw_frame *around =
        builder->frame_count ? &builder->frames[builder->frame_count - 1] : NULL;
    if (load->kind->role != LW_ROLE_LOCAL_LOAD || load->branch >= 0 || !around ||
        (!around->function && around->own_loop < 0))
        return -1;
    struct lw_span memory = memory_of(load);
    for (size_t i = builder->kernel->operation_count; i-- > 0 && memory.length;) {
        const struct lw_operation *before = &builder->operations[i].operation;
        if (before->kind->role != LW_ROLE_LOCAL_LOAD || before->function != load->function ||
            before->loop != load->loop || before->branch >= 0 ||
            builder->operations[i].effects != builder->effects)
            return -1;
        struct lw_span other = memory_of(before);
        if (other.length == memory.length && !memcmp(other.at, memory.at, memory.length))
            return (int)i;
    }
    return -1;
}

void lw_builder_end_function(struct lw_kernel_builder *builder)
{
    /* From the last to the first: values that are computed from a value come after it. */
    for (size_t i = builder->use_count; i-- > 0;) {
        const struct lw_use *use = &builder->uses[i];
        bool ends = use->ends || use->others > use->plain + use->converts;
        if (use->before != SIZE_MAX) {
            struct lw_use *before = &builder->uses[use->before];
            before->ends += ends;
            before->indirect_stores += use->stores + use->indirect_stores;
            before->indirect_converts += use->converts + use->indirect_converts;
            before->masked = before->masked || use->masked;
            before->selected = before->selected || use->selected;
            before->effect = use->effect > before->effect ? use->effect : before->effect;
            before->converted =
                use->converts + use->indirect_converts ? use->converted : before->converted;
            continue;
        }
        struct lw_operation *operation = &builder->operations[use->operation].operation;
        uint64_t stores = use->stores + use->indirect_stores;
        uint64_t converts = use->converts + use->indirect_converts;
        bool last = stores == 1 && use->effect == builder->effects &&
                    builder->operations[use->operation].effects + 1 == builder->effects;
        operation->stored = last && use->stores && !use->others;
        operation->only_stored = last && !ends && !converts;
        operation->masked = operation->only_stored && use->masked;
        operation->selected = use->selected;
        operation->computed = use->plain > 0;
        operation->used = use->used;
        bool kept = use->converted < builder->kernel->operation_count;
        operation->converted = !ends && converts == 1 && !stores && kept ? (int)use->converted : -1;
    }
    lw_intern_clear(&builder->values);
    builder->use_count = 0;
    builder->effects = 0;
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

static struct lw_position region_of(const struct lw_kernel_builder *builder)
{
    return builder->frame_count ? builder->frames[builder->frame_count - 1].position
                                : (struct lw_position){0};
}

/* Whether the region of a value is still open. Then another definition of its name hides it or is in a neighbouring
 * region, and which of the two a use means is unknown. */
static bool is_open(const struct lw_kernel_builder *builder, const struct lw_use *use)
{
    for (size_t i = 0; i < builder->frame_count; i++)
        if (builder->frames[i].position.line == use->region.line &&
            builder->frames[i].position.column == use->region.column)
            return true;
    return builder->deeper > 0 || use->region.line == 0;
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
        value.length ? lw_intern_add(&builder->values, value.at, value.length) : SIZE_MAX;
    if (number == SIZE_MAX)
        return true;
    if (number < before && is_open(builder, &builder->uses[builder->value_uses[number]])) {
        builder->uses[builder->value_uses[number]].others++;
        builder->uses[builder->value_uses[number]].used = UINT32_MAX;
        return true;
    }
    if (!lw_builder_reserve(builder, &builder->uses, &builder->use_room, builder->use_count,
                            sizeof *builder->uses) ||
        !lw_builder_reserve(builder, &builder->value_uses, &builder->value_room, number,
                            sizeof *builder->value_uses))
        return false;
    builder->value_uses[number] = builder->use_count;
    builder->uses[builder->use_count++] =
        (struct lw_use){.operation = builder->kernel->operation_count - 1,
                        .region = region_of(builder),
                        .before = from};
    return true;
}

/* Whether an operation computes element by element. */
static bool is_plain(struct lw_span name)
{
    return lw_starts(name.at, name.length, "arith.") || lw_starts(name.at, name.length, "math.") ||
           lw_span_is(name, "tt.fp_to_fp") || lw_span_is(name, "tt.bitcast");
}

/* Whether each element of its result is one of its operand. */
static bool is_shape(struct lw_span name)
{
    return lw_span_is(name, "tt.expand_dims") || lw_span_is(name, "tt.broadcast") ||
           lw_span_is(name, "tt.reshape");
}

/* `tt.store %pointer, %value, %mask`. */
static bool has_mask(struct lw_span body)
{
    const char *p = body.at, *end = p + body.length;
    int64_t ignored;
    int values = 0;
    while (lw_next_value(&p, end, &ignored).length > 0)
        values++;
    return values > 2;
}

bool lw_builder_count_uses(struct lw_kernel_builder *builder, const struct lw_operation_kind *kind)
{
    const struct lw_operation_text *op = &builder->op;
    const char *p = op->body.at, *end = p + op->body.length;
    bool store = kind && kind->role == LW_ROLE_GLOBAL_STORE;
    bool convert = kind && kind->role == LW_ROLE_CONVERT, plain = is_plain(op->name);
    bool masked = store && lw_span_is(op->name, "tt.store") && has_mask(op->body);
    bool select = plain && lw_span_is(op->name, "arith.select"), shape = is_shape(op->name);
    const struct lw_frame *around =
        builder->frame_count ? &builder->frames[builder->frame_count - 1] : NULL;
    int64_t result;
    size_t before = SIZE_MAX;
    builder->effects += has_effect(op->name, kind);
    for (struct lw_span name;
         builder->values.count && (name = lw_next_value(&p, end, &result)).length > 0;) {
        size_t number = lw_intern_find(&builder->values, name.at, name.length);
        if (number == SIZE_MAX)
            continue;
        struct lw_use *use = &builder->uses[builder->value_uses[number]];
        use->stores += store;
        if (store)
            use->effect = around && around->loop >= 0 ? 0 : builder->effects;
        use->masked = use->masked || masked;
        use->selected = use->selected || select;
        use->others += !store;
        use->plain += plain;
        use->converts += convert;
        use->converted = convert ? builder->kernel->operation_count : use->converted;
        use->used |= result < 32 ? (uint32_t)1 << (result < 0 ? 0 : result) : 0;
        before = plain || shape ? builder->value_uses[number] : before;
    }
    return before == SIZE_MAX || lw_builder_add_use(builder, op->results, before);
}
