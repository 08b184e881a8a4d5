/* The cost of making a descriptor: one lane writes its fields to shared memory, one by one. */

#include "kernel/rule_parts.h"

#include <string.h>

enum { RANK_MOST = 5, WORD = 4, DESCRIPTOR_BYTES = 128 };

/* The rank: how many sizes are in the first brackets of "ttng.tensormap_create %d, %p, [%c64, %c128], [%K, %M], ...";
 * 0: there are none. */
static int rank_of(const struct lw_operation *operation)
{
    const char *p = strstr(operation->text, "tensormap_create");
    int rank = 1;
    p = p ? strchr(p, '[') : NULL;
    if (!p || p[1] == ']')
        return 0;
    for (p++; *p && *p != ']'; p++)
        rank += *p == ',';
    return rank;
}

/* A warp clears it, a lane replaces the fields, and the warp loads it to copy it to global memory. A field of less than
 * a word is loaded, changed and stored: the number of dims, 2 for each dim, 4 more, and the high bits of each stride.
 * Source: the machine code of Triton 3.7 and 3.8 for descriptors of 1 to 5 dims; counters of an H200 for 2. */
void lw_rule_descriptor(struct lw_cost_rule *rule)
{
    struct lw_kernel_cost *cost = rule->cost;
    int rank = rank_of(rule->operation);
    if (strncmp(rule->kernel->target, "cuda", 4) != 0) {
        lw_rule_unknown(rule, "descriptors are known for NVIDIA targets only");
        return;
    }
    if (rank < 1 || rank > RANK_MOST) {
        lw_rule_unknown(rule, "its type has no shape of 1 to 5 dims");
        return;
    }
    if (lw_triton_since(rule->kernel->triton, LW_TRITON_3_9)) {
        lw_rule_unknown(rule, "a lane writes its fields to shared memory one by one, and since "
                              "Triton 3.9 the assembler merges some of these stores");
        return;
    }
    uint64_t dims = (uint64_t)rank, loads = 5 + 3 * dims, stores = 4 + 5 * dims;
    cost->known = LW_COST_SHARED;
    cost->instructions = cost->wavefronts = cost->ideal = loads + stores + 1;
    cost->bytes = 2 * DESCRIPTOR_BYTES + 2 * WORD + WORD * (loads - 1 + stores - 1);
    snprintf(cost->code, sizeof cost->code, "STS.64 x1, STS x%llu, LDS x%llu",
             (unsigned long long)stores, (unsigned long long)loads);
    lw_rule_unknown(rule, "the first warp alone makes it in shared memory, field by field");
}
