/* The state of reading a kernel: lists that grow, problems, and the end. */

#include "notation/mlir/kernel_parts.h"

#include <stdlib.h>

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

bool lw_builder_is_stopped(struct lw_kernel_builder *builder, size_t step)
{
    enum { STEPS = 256 };
    const struct lw_kernel_options *options = builder->options;
    if (step % STEPS == 0 && options->stop && options->stop(options->stop_context))
        lw_error_set(&builder->err, LW_ERROR_STOPPED, "%.200s: stopped", builder->kernel->name);
    return builder->err.code == LW_ERROR_STOPPED;
}

bool lw_builder_is_whole(const struct lw_kernel_builder *builder)
{
    const struct lw_intern *const tables[] = {
        &builder->spans,  &builder->types, &builder->type_names, &builder->constants,
        &builder->values, &builder->loads, &builder->locs,       &builder->unknown};
    bool lacks = builder->lacks_memory || builder->kernel->arena.failed || builder->texts.failed;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        lacks = lacks || tables[i]->failed;
    return !lacks && builder->err.code == LW_OK;
}

void lw_builder_free(struct lw_kernel_builder *builder)
{
    for (size_t i = 0; i < builder->frame_count; i++)
        lw_text_free(&builder->frames[i].text);
    lw_intern_free(&builder->spans);
    lw_intern_free(&builder->types);
    lw_intern_free(&builder->type_names);
    lw_intern_free(&builder->constants);
    lw_intern_free(&builder->values);
    lw_intern_free(&builder->loads);
    lw_intern_free(&builder->locs);
    lw_intern_free(&builder->unknown);
    lw_operation_text_free(&builder->op);
    lw_mlir_free(&builder->text);
    lw_aliases_free(&builder->aliases);
    lw_arena_free(&builder->texts);
    free(builder->kept_spans);
    free(builder->kept_types);
    free(builder->type_values);
    free(builder->constant_values);
    free(builder->value_uses);
    free(builder->uses);
    free(builder->load_rows);
    free(builder->frames);
    free(builder->operations);
    free(builder->loops);
    free(builder->branches);
    free(builder->functions);
    free(builder->unknown_uses);
}
