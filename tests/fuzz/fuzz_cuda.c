/* CUDA C++: read or refused with a position in the text; every address that is read is in its array and aligned, and
 * the same text has the same accesses. Fixes are texts that are read again. */

#include "fuzz_reading.h"

#include "laneway/kernel_cost.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FIXED_TEXT_MAX = 100 }; /* bytes of a text whose fixes are tried */

static void check_access(const struct lw_cuda *cuda, const struct lw_cuda_access *access)
{
    const struct lw_cuda_array *array = &cuda->arrays[access->array];
    struct lw_cuda_cost cost;
    uint64_t active = 0;
    must(access->array < cuda->array_count);
    if (access->op == LW_CUDA_ATOMIC && !array->is_shared) { /* not counted */
        must(!access->times);
        return;
    }
    must(access->times > 0);
    must(access->bytes && access->bytes <= 16);
    for (size_t i = 0; i < access->times * cuda->threads; i++) {
        const uint64_t address = access->addresses[i];
        if (address == LW_CUDA_INACTIVE)
            continue;
        active++;
        must(address + access->bytes <= array->size);
        must((array->base + address) % access->bytes == 0);
    }
    must(active > 0);
    must(lw_cuda_count(cuda, access, NULL, &cost, NULL));
    must(cost.instructions && cost.wavefronts >= cost.ideal && cost.sectors >= cost.ideal_sectors);
}

static void check_cuda(const struct lw_cuda *cuda)
{
    struct lw_cuda again;
    struct lw_cuda_fixes fixes;
    must(lw_cuda_read(&again, cuda->text, cuda->length, &cuda->options, NULL));
    must(again.access_count == cuda->access_count && again.threads == cuda->threads);
    for (size_t i = 0; i < cuda->access_count; i++) {
        const struct lw_cuda_access *access = &cuda->accesses[i];
        check_access(cuda, access);
        must(again.accesses[i].times == access->times);
        must(!access->times || !memcmp(again.accesses[i].addresses, access->addresses,
                                       access->times * cuda->threads * sizeof *access->addresses));
    }
    lw_cuda_free(&again);
    for (size_t i = 0; i < cuda->array_count && cuda->length < FIXED_TEXT_MAX; i++)
        if (lw_cuda_fixes_make(&fixes, cuda, i, NULL, NULL)) {
            for (size_t k = 1; k < fixes.count; k++) {
                must(lw_cuda_read(&again, fixes.fix[k].text, strlen(fixes.fix[k].text),
                                  &cuda->options, NULL));
                must(fixes.fix[k].wavefronts < fixes.fix[0].wavefronts);
                lw_cuda_free(&again);
            }
            lw_cuda_fixes_free(&fixes);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const lets[] = {"N=16", "M = -1", "gridDim.x=4", "bins=[3, 1, 4, 1, 5]"};
    struct lw_cuda_options options = {.lets = lets, .let_count = 4, .work = 1 << 14};
    const char *text = (const char *)data;
    struct lw_cuda cuda;
    struct lw_error err = {0};
    options.block[0] = size % 3 ? 9 : 0;
    options.block[1] = size % 3 * 2;
    lw_cuda_is(text, size);
    bool good = lw_cuda_read(&cuda, text, size, &options, &err);
    for (; !good && options.let_count && !strncmp(err.message, "--let", 5); options.lets++) {
        options.let_count--; /* the text has no such name */
        good = lw_cuda_read(&cuda, text, size, &options, &err);
    }
    if (!good) {
        check_error(&err);
        return 0;
    }
    check_cuda(&cuda);
    lw_cuda_free(&cuda);
    return 0;
}
