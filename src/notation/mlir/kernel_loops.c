/* The loops and branches of a kernel. */

#include "notation/mlir/kernel_parts.h"

#include <string.h>

/* Sets the trips of a loop from the options. */
static void set_trips(const struct lw_kernel_builder *builder, struct lw_kernel_loop *loop)
{
    const struct lw_kernel_options *options = builder->options;
    for (size_t i = 0; options && i < options->trips_count; i++)
        if (!options->trips[i].name && (options->trips[i].line == loop->position.line ||
                                        (options->trips[i].line == 0 && !loop->known))) {
            loop->trips = options->trips[i].count;
            loop->known = loop->set = true;
        }
}

bool lw_builder_add_loop(struct lw_kernel_builder *builder, struct lw_frame *frame)
{
    struct lw_kernel *kernel = builder->kernel;
    if (kernel->loop_count == LW_KERNEL_LOOPS_MAX)
        return true;
    if (!lw_builder_reserve(builder, &builder->loops, &builder->loop_room, kernel->loop_count,
                            sizeof *builder->loops))
        return false;
    struct lw_kernel_loop loop = {
        .position = frame->position,
        .parent = frame->loop,
        .depth = 1 + (frame->loop < 0 ? 0 : builder->loops[frame->loop].loop.depth),
        .function = (int)kernel->function_count - 1};
    loop.name = lw_arena_string(&kernel->arena, builder->op.name.at, builder->op.name.length);
    if (!loop.name)
        return false;
    loop.known = lw_builder_known_trips(builder, &loop.trips);
    set_trips(builder, &loop);
    frame->own_loop = frame->loop = (int)kernel->loop_count;
    builder->loops[kernel->loop_count++] = (struct lw_kept_loop){.loop = loop};
    return true;
}

bool lw_builder_add_branch(struct lw_kernel_builder *builder, struct lw_frame *frame)
{
    struct lw_kernel *kernel = builder->kernel;
    if (kernel->branch_count == LW_KERNEL_LOOPS_MAX)
        return true;
    if (!lw_builder_reserve(builder, &builder->branches, &builder->branch_room,
                            kernel->branch_count, sizeof *builder->branches))
        return false;
    struct lw_kernel_branch branch = {.position = frame->position, .parent = frame->branch};
    branch.name = lw_arena_string(&kernel->arena, builder->op.name.at, builder->op.name.length);
    if (!branch.name)
        return false;
    frame->own_branch = frame->branch = (int)kernel->branch_count;
    builder->branches[kernel->branch_count++] = (struct lw_kept_branch){.branch = branch};
    return true;
}

void lw_builder_note_atomic(struct lw_kernel_builder *builder)
{
    int row = builder->frame_count ? builder->frames[builder->frame_count - 1].loop : -1;
    if (row >= 0 && !strcmp(builder->loops[row].loop.name, "scf.while"))
        builder->loops[row].loop.spins = true;
}

bool lw_builder_finish_loops(struct lw_kernel_builder *builder,
                             const struct lw_location *const *locations)
{
    struct lw_kernel *kernel = builder->kernel;
    struct lw_kernel_loop *loops =
        lw_arena_alloc(&kernel->arena, (kernel->loop_count + 1) * sizeof *loops);
    struct lw_kernel_branch *branches =
        lw_arena_alloc(&kernel->arena, (kernel->branch_count + 1) * sizeof *branches);
    if (!loops || !branches)
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
    kernel->loops = loops;
    kernel->branches = branches;
    return true;
}
