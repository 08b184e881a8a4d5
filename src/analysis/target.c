/*
 * Targets as data: hardware that a document describes. Its members are those of targets[] below; the documents of
 * layouts/targets/ are built in by embed_targets.sh.
 *
 * Invariant: after lw_target_make returned true each width has groups that hold every lane once, or none.
 */

#include "laneway/hardware.h"

#include "core/array_count.h"
#include "core/tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        for (unsigned long lane = first; lane <= last; lane++) {
            if (mask >> lane & 1)
                return 0;
            mask |= (uint64_t)1 << lane;
        }
        while (*end == ' ' || *end == ',')
            end++;
        text = end;
    }
    return mask;
}

/* Makes groups of `together` lanes, in the order of their numbers. */
static bool in_order(struct lw_lane_groups *groups, int64_t together, unsigned lanes)
{
    if (together < 1 || together > lanes || lanes % together || lanes / together > LW_GROUPS_MAX)
        return false;
    groups->count = lanes / (unsigned)together;
    for (unsigned g = 0; g < groups->count; g++)
        groups->lanes[g] = lw_f2_mask((int)together) << g * (unsigned)together;
    return true;
}

static bool read_lanes(struct lw_lane_groups *groups, const struct lw_value *value, unsigned lanes,
                       const char *name, struct lw_error *err)
{
    uint64_t all = 0;
    if (value->kind == LW_VALUE_INTEGER)
        return in_order(groups, value->integer, lanes) ||
               refuse(value, err, name,
                      "the lanes served together must divide those of a warp, into 16 groups at "
                      "most");
    if (value->kind != LW_VALUE_LIST || value->count < 1 || value->count > LW_GROUPS_MAX)
        return refuse(value, err, name,
                      "expected the number of lanes served together, or a list of up to 16 groups "
                      "such as \"0-3, 12-15\"");
    groups->count = (unsigned)value->count;
    for (size_t g = 0; g < value->count; g++) {
        const struct lw_value *item = &value->items[g];
        uint64_t mask = item->kind == LW_VALUE_STRING ? lanes_of(item->string, lanes) : 0;
        if (!mask || (mask & all))
            return refuse(
                item, err, name,
                "a group is a list of lanes of a warp, each in one group: \"0-3, 12-15\"");
        groups->lanes[g] = mask;
        all |= mask;
    }
    return all == lw_f2_mask((int)lanes) ||
           refuse(value, err, name, "every lane of a warp must be in a group");
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

static const struct member {
    const char *name;
    enum kind kind;
    size_t offset; /* in struct lw_target */
    size_t room;   /* of a TEXT; the greatest NUMBER, a power of two */
    bool needed;
} members[] = {
    {"laneway", NUMBER, 0, 1, false},
    {"target", TEXT, offsetof(struct lw_target, name), sizeof(((struct lw_target *)0)->name), true},
    {"title", TEXT, offsetof(struct lw_target, title), sizeof(((struct lw_target *)0)->title),
     true},
    {"model", TEXT, offsetof(struct lw_target, model_name),
     sizeof(((struct lw_target *)0)->model_name), false},
    {"evidence", TEXT, offsetof(struct lw_target, evidence),
     sizeof(((struct lw_target *)0)->evidence), true},
    {"disagreement", TEXT, offsetof(struct lw_target, disagreement),
     sizeof(((struct lw_target *)0)->disagreement), false},
    {"lanes", NUMBER, offsetof(struct lw_target, model.lanes), 64, true},
    {"banks", NUMBER, offsetof(struct lw_target, model.banks), 64, true},
    {"bank_bytes", NUMBER, offsetof(struct lw_target, model.bank_bytes), 4, false},
    {"merging", TRUTH, offsetof(struct lw_target, model.pairs), 0, false},
    {"ldmatrix", TRUTH, offsetof(struct lw_target, model.ldmatrix), 0, false},
    {"stmatrix", TRUTH, offsetof(struct lw_target, model.stmatrix), 0, false},
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

static bool take_text(void *to, const struct member *member, const struct lw_value *value,
                      struct lw_error *err)
{
    if (value->kind != LW_VALUE_STRING || !*value->string || strpbrk(value->string, "\r\n\t") ||
        strlen(value->string) >= member->room)
        return lw_error_at(err, LW_ERROR_PARAMETER, value->position,
                           "%s: expected a text of 1 to %zu bytes on one line", member->name,
                           member->room - 1);
    memcpy(to, value->string, strlen(value->string) + 1);
    return true;
}

static bool take_notes(const struct member *member, const struct lw_value *value,
                       struct lw_error *err)
{
    bool texts = value->kind == LW_VALUE_OBJECT;
    for (size_t i = 0; texts && i < value->count; i++)
        texts = value->items[i].kind == LW_VALUE_STRING && find_member(value->names[i]);
    return texts || refuse(value, err, member->name,
                           "expected an object of texts, by the member that each is of");
}

static bool take(struct lw_target *target, const struct member *member,
                 const struct lw_value *value, struct lw_error *err)
{
    void *to = (char *)target + member->offset;
    switch (member->kind) {
    case TEXT:
        return take_text(to, member, value, err);
    case NOTES:
        return take_notes(member, value, err);
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
    case WIDTHS:
        break;
    }
    return true;
}

static bool take_all(struct lw_target *target, const struct lw_value *object, struct lw_error *err)
{
    for (size_t i = 0; i < object->count; i++) {
        const struct member *member = find_member(object->names[i]);
        if (!member)
            return lw_error_at(
                err, LW_ERROR_NAME, object->items[i].position,
                "a target has no '%.40s'; it has target, title, evidence, lanes, "
                "banks, bank_bytes, load, store, merging, ldmatrix, stmatrix, model, "
                "disagreement and sources",
                object->names[i]);
        if (!take(target, member, &object->items[i], err))
            return false;
    }
    for (size_t m = 0; m < LW_COUNT(members); m++) {
        size_t i = 0;
        while (i < object->count && strcmp(object->names[i], members[m].name) != 0)
            i++;
        if (members[m].needed && i == object->count)
            return lw_error_at(err, LW_ERROR_PARAMETER, object->position, "a target needs '%s'",
                               members[m].name);
    }
    return true;
}

/* Checks rules that several members must satisfy together. */
static bool check(const struct lw_target *target, const struct lw_value *object,
                  struct lw_error *err)
{
    const struct lw_bank_model *model = &target->model;
    const char *odd =
        target->name + strspn(target->name, "abcdefghijklmnopqrstuvwxyz0123456789-_.");
    if (*odd)
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

bool lw_target_make(struct lw_target *target, const struct lw_value *object, struct lw_error *err)
{
    struct lw_bank_model *model = &target->model;
    memset(target, 0, sizeof *target);
    model->bank_bytes = 4;
    if (object->kind != LW_VALUE_OBJECT)
        return refuse(object, err, "target", "expected an object");
    if (!take_all(target, object, err))
        return false;
    for (size_t i = 0; i < object->count; i++) {
        bool load = !strcmp(object->names[i], "load");
        if (find_member(object->names[i])->kind == WIDTHS &&
            !read_widths(load ? target->load : target->store, load ? model->load : model->store,
                         &object->items[i], model, object->names[i], err))
            return false;
    }
    model->name = *target->model_name ? target->model_name : target->title;
    model->evidence = target->evidence;
    model->disagreement = *target->disagreement ? target->disagreement : NULL;
    target->hardware =
        (struct lw_hardware){target->name, target->model.lanes, target->title, &target->model};
    return check(target, object, err);
}
