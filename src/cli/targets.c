/*
 * Hardware models. Source: the lanes a warp (wave) of each compute capability in NVIDIA's programming
 * guide, and of each gfx target in LLVM's AMDGPU guide; Triton compiles gfx10 and later with 32.
 */

#include "cli/cli.h"

#include <ctype.h>
#include <string.h>

static const struct lw_target targets[] = {
    {"sm70", 32, "NVIDIA Volta"},
    {"sm75", 32, "NVIDIA Turing"},
    {"sm80", 32, "NVIDIA Ampere, A100"},
    {"sm86", 32, "NVIDIA Ampere"},
    {"sm87", 32, "NVIDIA Ampere, Jetson"},
    {"sm89", 32, "NVIDIA Ada"},
    {"sm90", 32, "NVIDIA Hopper"},
    {"sm100", 32, "NVIDIA Blackwell, B200"},
    {"sm103", 32, "NVIDIA Blackwell, B300"},
    {"sm110", 32, "NVIDIA Blackwell, Thor"},
    {"sm120", 32, "NVIDIA Blackwell, GeForce"},
    {"sm121", 32, "NVIDIA Blackwell, GB10"},
    {"gfx900", 64, "AMD Vega 10"},
    {"gfx906", 64, "AMD Vega 20, MI50"},
    {"gfx908", 64, "AMD CDNA, MI100"},
    {"gfx90a", 64, "AMD CDNA 2, MI200"},
    {"gfx942", 64, "AMD CDNA 3, MI300"},
    {"gfx950", 64, "AMD CDNA 4, MI350"},
    {"gfx1010", 32, "AMD RDNA 1"},
    {"gfx1030", 32, "AMD RDNA 2"},
    {"gfx1100", 32, "AMD RDNA 3"},
    {"gfx1101", 32, "AMD RDNA 3"},
    {"gfx1102", 32, "AMD RDNA 3"},
    {"gfx1150", 32, "AMD RDNA 3.5"},
    {"gfx1151", 32, "AMD RDNA 3.5"},
    {"gfx1200", 32, "AMD RDNA 4"},
    {"gfx1201", 32, "AMD RDNA 4"},
    {"gfx1250", 32, "AMD gfx1250"},
};
enum { TARGETS = sizeof targets / sizeof *targets };

/* The name as the table spells it: sm_90a and cuda:90 are sm90, hip:gfx942 is gfx942. */
static void table_name(char *buffer, size_t room, const char *name)
{
    if (!strncmp(name, "cuda:", 5))
        snprintf(buffer, room, "sm%s", name + 5);
    else if (!strncmp(name, "hip:", 4))
        snprintf(buffer, room, "%s", name + 4);
    else if (!strncmp(name, "sm_", 3))
        snprintf(buffer, room, "sm%s", name + 3);
    else
        snprintf(buffer, room, "%s", name);
    size_t n = strlen(buffer);
    if (n > 3 && !strncmp(buffer, "sm", 2) && (buffer[n - 1] == 'a' || buffer[n - 1] == 'f'))
        buffer[n - 1] = '\0';
}

const struct lw_target *lw_target_get(const char *name, struct lw_error *err)
{
    char plain[32], hint[64];
    table_name(plain, sizeof plain, name);
    for (size_t i = 0; i < TARGETS; i++)
        if (!strcmp(targets[i].name, plain))
            return &targets[i];
    if (!*lw_nearest_hint(hint, sizeof hint, plain, &lw_choices_targets))
        snprintf(hint, sizeof hint, "; 'laneway help targets' lists them");
    lw_error_set(err, LW_ERROR_NAME, "unknown target '%.40s'%s", name, hint);
    return NULL;
}

static size_t target_count(void)
{
    return TARGETS;
}

static const char *target_name(const void *unused, size_t i)
{
    (void)unused;
    return targets[i].name;
}

static const char *target_help(size_t i)
{
    return targets[i].title;
}

const struct lw_choices lw_choices_targets = {target_count, target_name, target_help};
