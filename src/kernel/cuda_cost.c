/* What the accesses of a text of CUDA C++ cost: each execution of each warp is one instruction, exactly as it is
 * written. Atomics on shared memory serve one lane of each bank in a wavefront, as counted on an H200. */

#include "laneway/kernel_cost.h"

#include <string.h>

enum { LANES = 32, SECTOR = 32, LINE = 128 };

/* Numbers without repetitions, sorted; returns how many. */
static unsigned distinct(const uint64_t *numbers, uint64_t active, uint64_t unit,
                         uint64_t out[LANES])
{
    unsigned count = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        const uint64_t number = numbers[lane] / unit;
        unsigned i = 0;
        if (!(active >> lane & 1))
            continue;
        while (i < count && out[i] < number)
            i++;
        if (i < count && out[i] == number)
            continue;
        memmove(out + i + 1, out + i, (count - i) * sizeof *out);
        out[i] = number;
        count++;
    }
    return count;
}

/* The most active lanes of one bank. */
static unsigned most_lanes(const struct lw_access *access, const struct lw_bank_model *banks)
{
    unsigned lanes[LW_BANKS_MAX] = {0}, most = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (access->active >> lane & 1) {
            const unsigned bank =
                (unsigned)(access->address[lane] / banks->bank_bytes % banks->banks);
            most = ++lanes[bank] > most ? lanes[bank] : most;
        }
    return most;
}

static void add_atomic(struct lw_cuda_cost *cost, enum lw_cuda_atomic kind, unsigned lanes,
                       const struct lw_cost *words)
{
    const bool is_count = kind == LW_CUDA_COUNT, is_cas = kind == LW_CUDA_CAS,
               is_float = kind == LW_CUDA_FLOAT;
    const unsigned wavefronts = is_count             ? words->wavefronts
                                : is_cas || is_float ? 2 * lanes
                                                     : lanes;
    cost->instructions += is_float ? lanes : 1; /* a loop: one round for each lane of the bank */
    cost->wavefronts += wavefronts;
    cost->ideal += is_cas || is_float ? 2 : 1;
    cost->conflicts += is_count ? words->wavefronts - 1 : lanes - 1;
}

static bool add_shared(struct lw_cuda_cost *cost, const struct lw_cuda_access *access,
                       const struct lw_access *instruction, const struct lw_bank_model *banks,
                       struct lw_error *err)
{
    struct lw_cost one;
    if (!lw_access_cost(banks, instruction, &one, err))
        return false;
    if (access->op == LW_CUDA_ATOMIC) {
        add_atomic(cost, access->atomic, most_lanes(instruction, banks), &one);
        return true;
    }
    cost->instructions++;
    cost->wavefronts += one.wavefronts;
    cost->ideal += one.ideal;
    cost->conflicts += one.conflicts;
    return true;
}

static void add_global(struct lw_cuda_cost *cost, const struct lw_access *instruction)
{
    uint64_t pieces[LANES];
    cost->instructions++;
    const unsigned vectors =
        distinct(instruction->address, instruction->active, instruction->width, pieces);
    cost->ideal_sectors += ((uint64_t)vectors * instruction->width + SECTOR - 1) / SECTOR;
    cost->sectors += distinct(instruction->address, instruction->active, SECTOR, pieces);
    cost->lines += distinct(instruction->address, instruction->active, LINE, pieces);
}

bool lw_cuda_instruction(const struct lw_cuda *cuda, const struct lw_cuda_access *access, size_t i,
                         struct lw_access *out)
{
    const size_t warps = (cuda->threads + LANES - 1) / LANES, warp = i % warps;
    const uint64_t *addresses = access->addresses + i / warps * cuda->threads;
    const struct lw_cuda_array *array = &cuda->arrays[access->array];
    *out = (struct lw_access){.op = access->op == LW_CUDA_STORE ? LW_ACCESS_STORE : LW_ACCESS_LOAD,
                              .width = access->bytes};
    for (size_t lane = 0; lane < LANES && warp * LANES + lane < cuda->threads; lane++) {
        const uint64_t address = addresses[warp * LANES + lane];
        if (address == LW_CUDA_INACTIVE)
            continue;
        out->active |= (uint64_t)1 << lane;
        out->address[lane] = array->base + address;
    }
    return out->active != 0;
}

bool lw_cuda_count(const struct lw_cuda *cuda, const struct lw_cuda_access *access,
                   const struct lw_hardware *hardware, struct lw_cuda_cost *cost,
                   struct lw_error *err)
{
    const size_t warps = (cuda->threads + LANES - 1) / LANES;
    const struct lw_bank_model *banks = (hardware ? hardware : lw_hardware_default())->banks;
    struct lw_access instruction;
    *cost = (struct lw_cuda_cost){0};
    for (size_t i = 0; i < access->times * warps; i++) {
        if (!lw_cuda_instruction(cuda, access, i, &instruction))
            continue;
        if (!cuda->arrays[access->array].is_shared)
            add_global(cost, &instruction);
        else if (!add_shared(cost, access, &instruction, banks, err))
            return false;
    }
    return true;
}
