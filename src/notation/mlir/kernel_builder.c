/* Lists that grow while a kernel is read, its problems, and the end of reading. */

#include "notation/mlir/kernel_parts.h"
#include "notation/mlir/operations.h"

#include <stdlib.h>
#include <string.h>

bool lw_builder_reserve(struct lw_kernel_builder *builder, void *list, size_t *room, size_t count,
                        size_t size)
{
    return lw_list_reserve(list, room, count, size) ||
           lw_error_set(&builder->err, LW_ERROR_MEMORY, "out of memory");
}

void lw_builder_problem(struct lw_kernel_builder *builder, const struct lw_error *err)
{
    lw_report_add(&builder->kernel->problems, err);
}

void lw_builder_limit(struct lw_kernel_builder *builder, enum lw_kernel_limit limit,
                      struct lw_position position, const char *format, size_t number)
{
    struct lw_error err = {.code = LW_ERROR_LIMIT, .position = position};
    if (builder->limit_reported[limit])
        return;
    builder->limit_reported[limit] = true;
    snprintf(err.message, sizeof err.message, format, number);
    lw_builder_problem(builder, &err);
}

bool lw_builder_add_unknown(struct lw_kernel_builder *builder, struct lw_span name,
                            struct lw_position position)
{
    size_t count = builder->unknown.count;
    if (!lw_builder_reserve(builder, &builder->unknown_uses, &builder->unknown_room, count,
                            sizeof *builder->unknown_uses))
        return false;
    size_t number = lw_intern_add(&builder->unknown, name.at, name.length);
    if (number == SIZE_MAX) {
        lw_builder_limit(builder, LW_LIMIT_UNKNOWN, position,
                         "more than %zu unknown operations: the rest are not listed",
                         LW_KERNEL_TYPES_MAX);
        return !builder->unknown.failed;
    }
    if (number == count)
        builder->unknown_uses[number] = (struct lw_unknown_use){position, 0};
    builder->unknown_uses[number].count++;
    return true;
}

void lw_builder_report_unknown(struct lw_kernel_builder *builder)
{
    for (size_t i = 0; i < builder->unknown.count; i++) {
        const char *name = builder->unknown.names[i];
        const struct lw_unknown_use *use = &builder->unknown_uses[i];
        struct lw_error err = {.code = LW_ERROR_UNSUPPORTED, .position = use->first};
        char times[48] = "", hint[LW_HINT_MAX];
        if (use->count > 1)
            snprintf(times, sizeof times, ", %llu times", (unsigned long long)use->count);
        snprintf(err.message, sizeof err.message,
                 "unknown operation '%.100s'%s: what it moves is not counted%s", name, times,
                 lw_text_hint(hint, lw_operation_nearest(name, strlen(name)),
                              "; known are those of Triton 2.1 to 3.9"));
        lw_builder_problem(builder, &err);
    }
}

bool lw_builder_is_stopped(struct lw_kernel_builder *builder, size_t step)
{
    enum { STEPS = 256 };
    const struct lw_mlir_reader *reader = &builder->reader;
    if (step % STEPS == 0 && reader->stop && reader->stop(reader->stop_context))
        lw_error_set(&builder->err, LW_ERROR_STOPPED, "%.200s: stopped", builder->kernel->name);
    return builder->err.code == LW_ERROR_STOPPED;
}

bool lw_builder_is_whole(const struct lw_kernel_builder *builder)
{
    bool lacks = builder->lacks_memory || builder->kernel->arena.failed || builder->types.failed ||
                 builder->type_names.failed || builder->constants.failed || builder->locs.failed ||
                 builder->values.failed || builder->unknown.failed;
    return !lacks && builder->err.code == LW_OK;
}

void lw_builder_free(struct lw_kernel_builder *builder)
{
    for (size_t i = 0; i < builder->frame_count; i++)
        lw_text_free(&builder->frames[i].text);
    lw_intern_free(&builder->types);
    lw_intern_free(&builder->type_names);
    lw_intern_free(&builder->constants);
    lw_intern_free(&builder->locs);
    lw_intern_free(&builder->values);
    lw_intern_free(&builder->unknown);
    free(builder->unknown_uses);
    free(builder->value_uses);
    free(builder->uses);
    lw_operation_text_free(&builder->op);
    lw_mlir_reader_free(&builder->reader);
    free(builder->aliases.items);
    free(builder->type_values);
    free(builder->kept_types);
    free(builder->constant_values);
    free(builder->frames);
    free(builder->operations);
    free(builder->loops);
    free(builder->branches);
    free(builder->functions);
}
