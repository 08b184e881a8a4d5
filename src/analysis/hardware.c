/* The targets that are built in, by name. Their documents, with the source of each fact, are in
 * layouts/targets/. Where no document states which lanes are served together the width is left out. */

#include "laneway/hardware.h"

#include "analysis/targets_data.h"
#include "core/array_count.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

unsigned lw_bank_model_row_bytes(const struct lw_bank_model *model)
{
    return model->banks * model->bank_bytes;
}

const struct lw_hardware *lw_hardware_list(size_t *count)
{
    *count = lw_targets_data_count;
    return lw_targets_data;
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

void lw_hardware_normalize_name(char *buffer, size_t room, const char *name)
{
    if (!strncmp(name, "cuda:", 5))
        snprintf(buffer, room, "sm%s", name + 5);
    else if (!strncmp(name, "hip:", 4))
        snprintf(buffer, room, "%s", name + 4);
    else if (!strncmp(name, "sm_", 3))
        snprintf(buffer, room, "sm%s", name + 3);
    else
        snprintf(buffer, room, "%s", name);
    for (size_t i = 0; i < LW_COUNT(chips); i++)
        if (!strcasecmp(chips[i].name, buffer))
            snprintf(buffer, room, "%s", chips[i].target);
    size_t n = strlen(buffer);
    if (n > 3 && !strncmp(buffer, "sm", 2) && (buffer[n - 1] == 'a' || buffer[n - 1] == 'f'))
        buffer[n - 1] = '\0';
}

const struct lw_hardware *lw_hardware_find(const char *name)
{
    char plain[32];
    lw_hardware_normalize_name(plain, sizeof plain, name);
    for (size_t i = 0; i < lw_targets_data_count; i++)
        if (!strcmp(lw_targets_data[i].name, plain))
            return &lw_targets_data[i];
    return NULL;
}

const struct lw_hardware *lw_hardware_default(void)
{
    return &lw_targets_data[lw_targets_default];
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
                        "the layout has %llu lanes per warp, but %s has %u",
                        (unsigned long long)lanes, target->name, target->lanes);
}
