/*
 * The predicated tail. A tensor that is loaded and then stored to global memory is stored by the
 * first owner of each element only. Loads that only the last of a thread's global stores needs
 * are executed under the predicate of that store, so warps and lanes that hold copies skip them.
 * Source: the machine code of compiled kernels, and their counters.
 */

#include "analysis/access/plan_parts.h"

#include <string.h>

/* How many elements a thread stores at once: its leading registers that are consecutive along the
 * last dim, up to 16 bytes. */
static uint64_t store_vector(const struct lw_layout *layout, int dim, unsigned bits)
{
    int last = layout->out.count - 1, moved = -1;
    uint64_t image[LW_DIMS_MAX], run = 1;
    bool running = true;
    for (int bit = 0; bit < lw_layout_in_log2(layout, dim); bit++) {
        lw_layout_basis(layout, dim, bit, image);
        for (int o = 0; o <= last; o++) {
            running = running && image[o] == (o == last ? run : 0);
            if (moved < 0 && image[o])
                moved = o;
        }
        run <<= running;
    }
    return moved < 0 || moved == last ? (run < 128 / bits ? run : 128 / bits) : 1;
}

void lw_tail_make(struct lw_tail *tail, const struct lw_layout *registers, unsigned bits)
{
    uint64_t masks[LW_DIMS_MAX];
    int dim = lw_dims_find(&registers->in, "register");
    int lane = lw_dims_find(&registers->in, "lane"), warp = lw_dims_find(&registers->in, "warp");
    memset(tail, 0, sizeof *tail);
    if (dim < 0 || registers->out.count == 0 || bits > 128)
        return;
    lw_layout_free_masks(registers, masks);
    tail->lane_mask = lane < 0 ? 0 : masks[lane];
    tail->warp_mask = warp < 0 ? 0 : masks[warp];
    uint64_t vector = store_vector(registers, dim, bits);
    unsigned word = bits < 32 ? 32 / bits : 1;
    tail->word = word < vector ? word : (unsigned)vector;
    tail->first = registers->in.dim[dim].size - vector;
    tail->any = tail->lane_mask || tail->warp_mask;
    /* There is no tail when registers repeat another: these are stored again, before the last store or with it. */
    for (int bit = 0; bit < lw_layout_in_log2(registers, dim); bit++)
        if (!registers->basis[lw_layout_in_shift(registers, dim) + bit])
            tail->any = false;
}

/* Whether the tail has a load: each 32-bit register of it must be a register of the store. A value that is packed from
 * two loads is not predicated. */
bool lw_tail_has(const struct lw_tail *tail, const uint32_t *registers, unsigned count)
{
    if (!tail->any || count % tail->word)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (registers[i] < tail->first ||
            (i % tail->word ? registers[i] != registers[i - 1] + 1 : registers[i] % tail->word))
            return false;
    return true;
}
