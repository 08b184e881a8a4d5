/*
 * Targets: those that are built in, by name, and others as data, hardware that a document describes. The documents of
 * the former, with the source of each fact, are in layouts/targets/; embed_targets.sh builds them in. Where no
 * document states which lanes are served together the width is left out.
 *
 * Invariant: after lw_target_make returned true each width has groups that hold every lane once, or none.
 */

#include "laneway/hardware.h"

#include "analysis/targets_data.h"
#include "core/array_count.h"
#include "core/tile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
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
    const bool is_sm =
        !strncmp(hardware->name, "sm", 2) && isdigit((unsigned char)hardware->name[2]);
    *number = is_sm ? (unsigned)strtoul(hardware->name + 2, NULL, 10) : 0;
    return is_sm;
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

/* ---- Targets as data: the members are those of members[] below ---- */

static bool refuse(const struct lw_value *value, struct lw_error *err, const char *name,
                   const char *what)
{
    return lw_error_at(err, LW_ERROR_PARAMETER, value->position, "%.40s: %s", name, what);
}

/* ---- Groups of lanes ---- */

/* The lanes of "0-3, 12, 20-27", all below `lanes`; 0: the text is no such list. */
static uint64_t lanes_of(const char *text, unsigned lanes)
{
    uint64_t mask = 0;
    while (*text) {
        char *end;
        unsigned long first = strtoul(text, &end, 10), last = first;
        if (*text < '0' || *text > '9')
            return 0;
        if (*end == '-' && end[1] >= '0' && end[1] <= '9')
            last = strtoul(end + 1, &end, 10);
        if (last < first || last >= lanes)
            return 0;
        uint64_t run = lw_f2_mask((int)(last - first + 1)) << first;
        if (mask & run)
            return 0;
        mask |= run;
        text = end + strspn(end, " ,");
    }
    return mask;
}

/* 16, in the order of their numbers; or ["0-7", "8-15"]. */
static bool read_lanes(struct lw_lane_groups *groups, const struct lw_value *value, unsigned lanes,
                       const char *name, struct lw_error *err)
{
    const bool is_number = value->kind == LW_VALUE_INTEGER;
    const uint64_t together =
        is_number && value->integer > 0 ? (uint64_t)value->integer : lanes + 1;
    const uint64_t count = !is_number && value->kind != LW_VALUE_LIST ? 0
                           : !is_number                               ? value->count
                           : lanes % together                         ? 0
                                                                      : lanes / together;
    uint64_t all = 0;
    bool good = count && count <= LW_GROUPS_MAX;
    groups->count = (unsigned)count;
    for (unsigned g = 0; good && g < groups->count; g++) {
        const struct lw_value *item = is_number ? NULL : &value->items[g];
        groups->lanes[g] = !item ? lw_f2_mask((int)together) << g * together
                           : item->kind == LW_VALUE_STRING ? lanes_of(item->string, lanes)
                                                           : 0;
        good = groups->lanes[g] && !(groups->lanes[g] & all);
        all |= groups->lanes[g];
    }
    return (good && all == lw_f2_mask((int)lanes)) ||
           refuse(value, err, name,
                  "expected the number of lanes served together, or a list of them such as \"0-3, "
                  "12-15\": up to 16 groups, with each lane of a warp in one");
}

static bool is_power(int64_t number, int64_t max)
{
    return number >= 1 && number <= max && lw_log2((uint64_t)number) >= 0;
}

/* 16, ["0-7", "8-15"], or {"lanes": one of these, "banks": 32}. */
static bool read_groups(struct lw_lane_groups *groups, const struct lw_value *value,
                        const struct lw_bank_model *model, const char *name, struct lw_error *err)
{
    const struct lw_value *lanes = value;
    for (size_t i = 0; value->kind == LW_VALUE_OBJECT && i < value->count; i++) {
        const struct lw_value *item = &value->items[i];
        if (!strcmp(value->names[i], "lanes"))
            lanes = item;
        else if (strcmp(value->names[i], "banks") != 0)
            return refuse(item, err, name, "has \"lanes\" and \"banks\"");
        else if (item->kind != LW_VALUE_INTEGER || !is_power(item->integer, model->banks))
            return refuse(item, err, name,
                          "banks must be a power of two up to those of the target");
        else
            groups->banks = (unsigned)item->integer;
    }
    return read_lanes(groups, lanes, model->lanes, name, err);
}

/* {"4": ..., "8": ...}: the groups of each width that is known. */
static bool read_widths(struct lw_lane_groups *groups, const struct lw_lane_groups **known,
                        const struct lw_value *value, const struct lw_bank_model *model,
                        const char *name, struct lw_error *err)
{
    static const char *const widths[LW_WIDTHS] = {"1", "2", "4", "8", "16"};
    if (value->kind != LW_VALUE_OBJECT)
        return refuse(value, err, name, "expected an object of widths: {\"4\": 32, \"8\": 16}");
    for (size_t i = 0; i < value->count; i++) {
        int width = 0;
        while (width < LW_WIDTHS && strcmp(widths[width], value->names[i]) != 0)
            width++;
        if (width == LW_WIDTHS)
            return refuse(&value->items[i], err, name, "a lane moves 1, 2, 4, 8 or 16 bytes");
        groups[width] = (struct lw_lane_groups){0};
        if (!read_groups(&groups[width], &value->items[i], model, name, err))
            return false;
        if (groups[width].banks && groups[width].banks * model->bank_bytes < 1u << width)
            return refuse(&value->items[i], err, name, "fewer banks than one lane needs");
        known[width] = &groups[width];
    }
    return true;
}

/* ---- Members ---- */

enum kind { NUMBER, TRUTH, TEXT, NOTES, WIDTHS };

#define MEMBER(name) offsetof(struct lw_target, name)
#define TEXT_MEMBER(name) MEMBER(name), sizeof(((struct lw_target *)0)->name)

static const struct member {
    const char *name;
    enum kind kind;
    size_t offset; /* in struct lw_target */
    size_t room;   /* of a TEXT; the greatest NUMBER, a power of two */
    bool needed;
} members[] = {
    {"laneway", NUMBER, 0, 1, false},
    {"target", TEXT, TEXT_MEMBER(name), true},
    {"title", TEXT, TEXT_MEMBER(title), true},
    {"model", TEXT, TEXT_MEMBER(model_name), false},
    {"evidence", TEXT, TEXT_MEMBER(evidence), true},
    {"disagreement", TEXT, TEXT_MEMBER(disagreement), false},
    {"lanes", NUMBER, MEMBER(model.lanes), 64, true},
    {"banks", NUMBER, MEMBER(model.banks), 64, true},
    {"bank_bytes", NUMBER, MEMBER(model.bank_bytes), 4, false},
    {"merging", TRUTH, MEMBER(model.pairs), 0, false},
    {"ldmatrix", TRUTH, MEMBER(model.ldmatrix), 0, false},
    {"stmatrix", TRUTH, MEMBER(model.stmatrix), 0, false},
    {"load", WIDTHS, 0, 0, false},
    {"store", WIDTHS, 0, 0, false},
    {"sources", NOTES, 0, 0, false},
};

static const struct member *find_member(const char *name)
{
    for (size_t i = 0; i < LW_COUNT(members); i++)
        if (!strcmp(members[i].name, name))
            return &members[i];
    return NULL;
}

static bool take(struct lw_target *target, const struct member *member,
                 const struct lw_value *value, struct lw_error *err)
{
    void *to = (char *)target + member->offset;
    bool good = value->kind == LW_VALUE_OBJECT;
    switch (member->kind) {
    case TEXT:
        if (value->kind != LW_VALUE_STRING || !*value->string || strpbrk(value->string, "\r\n\t") ||
            strlen(value->string) >= member->room)
            return lw_error_at(err, LW_ERROR_PARAMETER, value->position,
                               "%s: expected a text of 1 to %zu bytes on one line", member->name,
                               member->room - 1);
        memcpy(to, value->string, strlen(value->string) + 1);
        return true;
    case NOTES:
        for (size_t i = 0; good && i < value->count; i++)
            good = value->items[i].kind == LW_VALUE_STRING && find_member(value->names[i]);
        return good || refuse(value, err, member->name,
                              "expected an object of texts, by the member that each is of");
    case TRUTH:
        if (value->kind != LW_VALUE_BOOLEAN)
            return refuse(value, err, member->name, "expected true or false");
        *(bool *)to = value->integer != 0;
        return true;
    case NUMBER:
        if (value->kind != LW_VALUE_INTEGER || !is_power(value->integer, (int64_t)member->room))
            return lw_error_at(err, LW_ERROR_PARAMETER, value->position,
                               "%s: expected a power of two from 1 to %zu", member->name,
                               member->room);
        if (member->offset)
            *(unsigned *)to = (unsigned)value->integer;
        return true;
    case WIDTHS: /* are read when lanes and banks are known */
        break;
    }
    return true;
}

bool lw_target_make(struct lw_target *target, const struct lw_value *object, struct lw_error *err)
{
    struct lw_bank_model *model = &target->model;
    memset(target, 0, sizeof *target);
    model->bank_bytes = 4;
    if (object->kind != LW_VALUE_OBJECT)
        return refuse(object, err, "target", "expected an object");
    for (size_t i = 0; i < object->count; i++) {
        const struct member *member = find_member(object->names[i]);
        if (!member)
            return lw_error_at(err, LW_ERROR_NAME, object->items[i].position,
                               "a target has no '%.40s'; `laneway help targets` lists what it has",
                               object->names[i]);
        if (!take(target, member, &object->items[i], err))
            return false;
    }
    for (size_t m = 0; m < LW_COUNT(members); m++)
        if (members[m].needed && !lw_value_member(object, members[m].name))
            return lw_error_at(err, LW_ERROR_PARAMETER, object->position, "a target needs '%s'",
                               members[m].name);
    const struct lw_value *load = lw_value_member(object, "load"),
                          *store = lw_value_member(object, "store");
    if ((load && !read_widths(target->load, model->load, load, model, "load", err)) ||
        (store && !read_widths(target->store, model->store, store, model, "store", err)))
        return false;
    model->name = *target->model_name ? target->model_name : target->title;
    model->evidence = target->evidence;
    model->disagreement = *target->disagreement ? target->disagreement : NULL;
    target->hardware = (struct lw_hardware){target->name, model->lanes, target->title, model};
    /* What several members must satisfy together. */
    if (target->name[strspn(target->name, "abcdefghijklmnopqrstuvwxyz0123456789-_.")])
        return refuse(object, err, "target", "a name has small letters, digits and -_. only");
    if (model->banks * model->bank_bytes < 16)
        return refuse(object, err, "banks", "all banks together must have at least 16 bytes");
    if ((model->ldmatrix || model->stmatrix) && model->lanes != 32)
        return refuse(object, err, "ldmatrix", "matrix instructions are of 32 lanes");
    for (int width = 3; model->pairs && width < LW_WIDTHS; width++)
        if (model->load[width] && model->load[width]->count % 2)
            return refuse(object, err, "merging", "loads of 8 and 16 bytes need groups in pairs");
    return true;
}
