/*
 * Hardware models. Invariant: the groups of a width hold each lane of the warp once.
 *
 * Sources. Lanes a warp: NVIDIA's programming guide by compute capability, LLVM's AMDGPU guide by
 * gfx target (Triton compiles gfx10 and later with 32).
 * NVIDIA's groups: single instructions counted on an H200. Its matrix instructions: PTX ISA,
 * ldmatrix (from sm_75 on) and stmatrix (from sm_90 on).
 * AMD's, all of them AMD's own documents:
 *   CDNA 3 and 4, loads: AMDGPU Kernel Optimization Guide (nod-ai/amd-shark-ai,
 *     docs/amdgpu_kernel_optimization_guide.md, "Avoiding LDS Bank Conflicts").
 *   CDNA 3, stores: the same guide for 4 bytes and 16; CK Tile's "Understanding AMD GPU LDS and
 *     Bank Conflicts" for 16; rocRoller's LDS model for 8 (16 lanes at a time).
 *   RDNA 3 and 4, banks and loads: Empirical LDS Measurements (docs/empirical-lds/lds_summary.md
 *     there, W7900 and RX 9070 XT).
 *   GCN and CDNA 1 and 2: AMD APP OpenCL Programming Guide 6.2 (32 banks; lanes 0 to 31 are served
 *     together, then 32 to 63) and ROCm Compute Profiler's "Local data share" (32 banks).
 * No document states how CDNA 4 serves stores (its banks were doubled for loads), how RDNA does,
 * or how accesses of 1 and 2 bytes are served; RDNA 1, RDNA 2 and gfx1250 are in no document.
 */

#include "laneway/hardware.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct lw_lane_groups all_32 = {1, {0xffffffff}};
static const struct lw_lane_groups by_16_of_32 = {2, {0x0000ffff, 0xffff0000}};
static const struct lw_lane_groups by_8_of_32 = {4,
                                                 {0x000000ff, 0x0000ff00, 0x00ff0000, 0xff000000}};
static const struct lw_lane_groups all_64 = {1, {0xffffffffffffffff}};
static const struct lw_lane_groups by_32_of_64 = {2, {0x00000000ffffffff, 0xffffffff00000000}};
static const struct lw_lane_groups by_16_of_64 = {
    4, {0x000000000000ffff, 0x00000000ffff0000, 0x0000ffff00000000, 0xffff000000000000}};
static const struct lw_lane_groups by_8_of_64 = {
    8,
    {0x00000000000000ff, 0x000000000000ff00, 0x0000000000ff0000, 0x00000000ff000000,
     0x000000ff00000000, 0x0000ff0000000000, 0x00ff000000000000, 0xff00000000000000}};
/* Lanes 0-3 and 20-23; 32-35 and 52-55; 4-7 and 16-19; 36-39 and 48-51; 8-11 and 28-31; 40-43 and
 * 60-63; 12-15 and 24-27; 44-47 and 56-59. */
static const struct lw_lane_groups cdna3_load_16 = {
    8,
    {0x0000000000f0000f, 0x00f0000f00000000, 0x00000000000f00f0, 0x000f00f000000000,
     0x00000000f0000f00, 0xf0000f0000000000, 0x000000000f00f000, 0x0f00f00000000000}};
/* Lanes 0-3, 12-15, 20-27; 32-35, 44-47, 52-59; 4-11, 16-19, 28-31; 36-43, 48-51, 60-63. */
static const struct lw_lane_groups cdna4_load_16 = {
    4, {0x000000000ff0f00f, 0x0ff0f00f00000000, 0x00000000f00f0ff0, 0xf00f0ff000000000}};
/* Lanes 0-3 and 20-23; 4-7 and 16-19; 8-11 and 28-31; 12-15 and 24-27. */
static const struct lw_lane_groups rdna3_load_16 = {
    4, {0x00f0000f, 0x000f00f0, 0xf0000f00, 0x0f00f000}};

/* `load` and `store`: the groups of lanes for 1, 2, 4, 8 and 16 bytes a lane. */
#define AMD(title, lanes_of_wave, bank_count, ...)                                                 \
    {                                                                                              \
        .name = title, .evidence = "from AMD's documents", .lanes = lanes_of_wave,                 \
        .banks = bank_count, .bank_bytes = 4, __VA_ARGS__                                          \
    }
#define NVIDIA(title, how, load_matrix, store_matrix)                                              \
    {                                                                                              \
        .name = title, .evidence = how, .lanes = 32, .banks = 32, .bank_bytes = 4, .pairs = true,  \
        .ldmatrix = load_matrix, .stmatrix = store_matrix,                                         \
        .load = {&all_32, &all_32, &all_32, &by_16_of_32, &by_8_of_32},                            \
        .store = {&all_32, &all_32, &all_32, &by_16_of_32, &by_8_of_32},                           \
    }
#define ASSUMED "measured on H200 (sm90), assumed for this target"
static const struct lw_bank_model volta = NVIDIA("NVIDIA Volta", ASSUMED, false, false);
static const struct lw_bank_model turing = NVIDIA("NVIDIA up to sm89", ASSUMED, true, false);
static const struct lw_bank_model hopper = NVIDIA("NVIDIA", "measured on H200", true, true);
static const struct lw_bank_model blackwell = NVIDIA("NVIDIA", ASSUMED, true, true);
static const struct lw_bank_model gcn =
    AMD("AMD GCN", 64, 32, .load = {[2] = &by_32_of_64}, .store = {[2] = &by_32_of_64});
static const struct lw_bank_model cdna3 = AMD(
    "AMD CDNA 3", 64, 32, .load = {[2] = &by_32_of_64, [3] = &by_16_of_64, [4] = &cdna3_load_16},
    .store = {[2] = &by_32_of_64, [3] = &by_16_of_64, [4] = &by_8_of_64});
static const struct lw_bank_model cdna4 =
    AMD("AMD CDNA 4", 64, 64, .load = {[2] = &all_64, [3] = &by_32_of_64, [4] = &cdna4_load_16});
static const struct lw_bank_model rdna3 =
    AMD("AMD RDNA 3", 32, 32, .load = {[2] = &all_32, [3] = &by_16_of_32, [4] = &rdna3_load_16});
static const struct lw_bank_model rdna4 =
    AMD("AMD RDNA 4", 32, 32, .load = {[2] = &all_32, [3] = &by_16_of_32, [4] = &by_8_of_32});
/* No document states which lanes these serve together. */
static const struct lw_bank_model rdna = AMD("AMD RDNA", 32, 32, .pairs = false);

/* To add a target: a row here, and the model of its banks above if no model fits. The
 * commands, the explorer and the completions list these rows. */
static const struct lw_hardware targets[] = {
    {"sm70", 32, "NVIDIA Volta", &volta},
    {"sm75", 32, "NVIDIA Turing", &turing},
    {"sm80", 32, "NVIDIA Ampere, A100", &turing},
    {"sm86", 32, "NVIDIA Ampere", &turing},
    {"sm87", 32, "NVIDIA Ampere, Jetson", &turing},
    {"sm89", 32, "NVIDIA Ada", &turing},
    {"sm90", 32, "NVIDIA Hopper", &hopper},
    {"sm100", 32, "NVIDIA Blackwell, B200", &blackwell},
    {"sm103", 32, "NVIDIA Blackwell, B300", &blackwell},
    {"sm107", 32, "NVIDIA Rubin", &blackwell},
    {"sm110", 32, "NVIDIA Blackwell, Thor", &blackwell},
    {"sm120", 32, "NVIDIA Blackwell, GeForce", &blackwell},
    {"sm121", 32, "NVIDIA Blackwell, GB10", &blackwell},
    {"gfx900", 64, "AMD Vega 10", &gcn},
    {"gfx906", 64, "AMD Vega 20, MI50", &gcn},
    {"gfx908", 64, "AMD CDNA, MI100", &gcn},
    {"gfx90a", 64, "AMD CDNA 2, MI200", &gcn},
    {"gfx942", 64, "AMD CDNA 3, MI300", &cdna3},
    {"gfx950", 64, "AMD CDNA 4, MI350", &cdna4},
    {"gfx1010", 32, "AMD RDNA 1", &rdna},
    {"gfx1030", 32, "AMD RDNA 2", &rdna},
    {"gfx1100", 32, "AMD RDNA 3", &rdna3},
    {"gfx1101", 32, "AMD RDNA 3", &rdna3},
    {"gfx1102", 32, "AMD RDNA 3", &rdna3},
    {"gfx1150", 32, "AMD RDNA 3.5", &rdna3},
    {"gfx1151", 32, "AMD RDNA 3.5", &rdna3},
    {"gfx1200", 32, "AMD RDNA 4", &rdna4},
    {"gfx1201", 32, "AMD RDNA 4", &rdna4},
    {"gfx1250", 32, "AMD gfx1250", &rdna},
};
enum { TARGET_COUNT = sizeof targets / sizeof *targets };
enum { DEFAULT = 6 }; /* the row of sm90 in `targets` */

unsigned lw_bank_model_row_bytes(const struct lw_bank_model *model)
{
    return model->banks * model->bank_bytes;
}

const struct lw_hardware *lw_hardware_list(size_t *count)
{
    *count = TARGET_COUNT;
    return targets;
}

/* Product names of chips. */
static const struct chip {
    const char *name, *target;
} chips[] = {
    {"v100", "sm70"},      {"t4", "sm75"},        {"a100", "sm80"},     {"a30", "sm80"},
    {"a10", "sm86"},       {"a40", "sm86"},       {"a6000", "sm86"},    {"rtx3090", "sm86"},
    {"orin", "sm87"},      {"l4", "sm89"},        {"l40", "sm89"},      {"l40s", "sm89"},
    {"rtx4090", "sm89"},   {"h100", "sm90"},      {"h200", "sm90"},     {"h800", "sm90"},
    {"gh200", "sm90"},     {"b100", "sm100"},     {"b200", "sm100"},    {"gb200", "sm100"},
    {"b300", "sm103"},     {"gb300", "sm103"},    {"thor", "sm110"},    {"rtx5090", "sm120"},
    {"gb10", "sm121"},     {"mi50", "gfx906"},    {"mi60", "gfx906"},   {"mi100", "gfx908"},
    {"mi200", "gfx90a"},   {"mi210", "gfx90a"},   {"mi250", "gfx90a"},  {"mi250x", "gfx90a"},
    {"mi300", "gfx942"},   {"mi300a", "gfx942"},  {"mi300x", "gfx942"}, {"mi325x", "gfx942"},
    {"mi350", "gfx950"},   {"mi350x", "gfx950"},  {"mi355x", "gfx950"}, {"w7900", "gfx1100"},
    {"rx7900", "gfx1100"}, {"rx9070", "gfx1201"},
};

static const char *target_of_chip(const char *name)
{
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
        if (!strcasecmp(chips[i].name, name))
            return chips[i].target;
    return name;
}

void lw_hardware_normalize_name(char *buffer, size_t room, const char *name)
{
    if (!strncmp(name, "cuda:", 5))
        snprintf(buffer, room, "sm%s", name + 5);
    else if (!strncmp(name, "hip:", 4))
        snprintf(buffer, room, "%s", name + 4);
    else if (!strncmp(name, "sm_", 3))
        snprintf(buffer, room, "sm%s", name + 3);
    else
        snprintf(buffer, room, "%s", target_of_chip(name));
    size_t n = strlen(buffer);
    if (n > 3 && !strncmp(buffer, "sm", 2) && (buffer[n - 1] == 'a' || buffer[n - 1] == 'f'))
        buffer[n - 1] = '\0';
}

const struct lw_hardware *lw_hardware_find(const char *name)
{
    char plain[32];
    lw_hardware_normalize_name(plain, sizeof plain, name);
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (!strcmp(targets[i].name, plain))
            return &targets[i];
    return NULL;
}

const struct lw_hardware *lw_hardware_default(void)
{
    return &targets[DEFAULT];
}

bool lw_hardware_sm(const struct lw_hardware *hardware, unsigned *number)
{
    return sscanf(hardware->name, "sm%u", number) == 1;
}

bool lw_hardware_check_lanes(const struct lw_hardware *target, const struct lw_map *map,
                             struct lw_error *err)
{
    if (!target || lw_dims_find(&map->in, "lane") < 0)
        return true;
    uint64_t lanes = lw_dims_size(&map->in, "lane");
    return lanes == target->lanes ||
           lw_error_set(err, LW_ERROR_PARAMETER,
                        "the layout has %llu lanes a warp, but %s has %u lanes a warp",
                        (unsigned long long)lanes, target->name, target->lanes);
}
