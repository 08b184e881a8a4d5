/* The state of reading a kernel: lists that grow, problems, and the end. */

#include "notation/mlir/kernel_parts.h"

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
    return !builder->lacks_memory && !builder->kernel->arena.failed && !builder->memory.failed &&
           builder->err.code == LW_OK;
}

void lw_builder_free(struct lw_kernel_builder *builder)
{
    for (size_t i = 0; i < builder->frame_count; i++)
        lw_text_free(&builder->frames[i].text);
    lw_arena_free(&builder->memory);
}
