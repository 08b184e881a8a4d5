/* The goals of a step, and the layouts in a lesson. */

#include "notation/document/lesson_reading.h"
#include "notation/document/read.h"
#include "notation/document/setting.h"

#include <stdlib.h>
#include <string.h>

/* ---- Layouts ---- */

bool lw_lesson_read_layout(struct lw_lesson_reading *reading, struct lw_value *value,
                           struct lw_document *doc, bool alone)
{
    const char *source[] = {"source"};
    struct lw_value object = *value;
    struct lw_report report = {0};
    struct lw_error err = {0};
    if (value->kind == LW_VALUE_OBJECT && value->count == 1 && !strcmp(value->names[0], "line"))
        return lw_lesson_read_line(reading, &value->items[0], doc);
    if (value->kind == LW_VALUE_STRING)
        object = (struct lw_value){.kind = LW_VALUE_OBJECT,
                                   .position = value->position,
                                   .count = 1,
                                   .items = value,
                                   .names = source};
    else if (value->kind != LW_VALUE_OBJECT) {
        lw_lesson_problem(reading, value->position,
                          "a layout must be a SOURCE in a string, or a document");
        return false;
    }
    bool read = lw_document_of_object(doc, &object, reading->text, reading->length, NULL, &err);
    if (read && alone)
        lw_document_check(doc, &report);
    for (int i = 0; i < report.count; i++)
        lw_lesson_problem_of(reading, &report.errors[i], value->position);
    if (!read)
        lw_lesson_problem_of(reading, &err, value->position);
    return read;
}

/* ---- Goals ---- */

/* "<= " and ">= " before a number or a choice: -1, 1; else 0. */
static int read_compare(const char **text)
{
    int compare = !strncmp(*text, "<=", 2) ? -1 : !strncmp(*text, ">=", 2) ? 1 : 0;
    *text += compare ? 2 : 0;
    *text += strspn(*text, " ");
    return compare;
}

static void read_number(struct lw_lesson_reading *reading, const struct lw_value *value,
                        struct lw_goal *goal)
{
    if (value->kind == LW_VALUE_INTEGER && value->integer >= 0) {
        goal->number = (uint64_t)value->integer;
        return;
    }
    const char *p = value->kind == LW_VALUE_STRING ? value->string : "";
    goal->compare = read_compare(&p);
    size_t digits = strspn(p, "0123456789");
    goal->other = lw_goal_kind_find(reading->kinds, reading->kind_count, p, strlen(p));
    if (digits && digits < 19 && !p[digits])
        goal->number = strtoull(p, NULL, 10);
    else if (*p && !digits && (!goal->other || goal->other->value_kind != LW_GOAL_NUMBER))
        lw_lesson_unknown(reading, value->position, "number of a layout", p);
    else if (!goal->other)
        lw_lesson_problem(reading, value->position,
                          "%s must be a number, such as 4 or \"<= 4\", or the name of a number",
                          goal->kind->name);
}

static void read_choice(struct lw_lesson_reading *reading, const struct lw_value *value,
                        struct lw_goal *goal)
{
    const char *choice = value->kind == LW_VALUE_STRING ? value->string : "";
    goal->compare = read_compare(&choice);
    int index = lw_choice_index(goal->kind->choices, choice);
    goal->number = (uint64_t)index;
    if (index < 0)
        lw_lesson_problem(reading, value->position, "%s must be one of: %s", goal->kind->name,
                          goal->kind->choices);
}

static void read_fields(struct lw_lesson_reading *reading, const struct lw_value *value,
                        struct lw_goal *goal)
{
    bool good = value->kind == LW_VALUE_OBJECT && value->count > 0 && value->count <= LW_GOALS_MAX;
    for (size_t i = 0; good && i < value->count; i++) {
        good = value->items[i].kind == LW_VALUE_INTEGER && value->items[i].integer >= 0;
        goal->fields[i] = value->names[i];
        goal->values[i] = (uint64_t)value->items[i].integer;
        goal->field_count = (int)i + 1;
    }
    if (!good)
        lw_lesson_problem(reading, value->position,
                          "%s must be an object such as {\"row\": 3, \"column\": 5}",
                          goal->kind->name);
}

void lw_lesson_read_goals(struct lw_lesson_reading *reading, struct lw_value *value,
                          const char *key, struct lw_goals *goals)
{
    if (value->kind != LW_VALUE_OBJECT || !value->count || value->count > LW_GOALS_MAX) {
        lw_lesson_problem(reading, value->position,
                          "'%s' must be an object of 1 to %d goals: {\"load-wavefronts\": 1}", key,
                          LW_GOALS_MAX);
        return;
    }
    goals->items = lw_arena_alloc(&reading->lesson->arena, value->count * sizeof *goals->items);
    if (!goals->items)
        lw_lesson_problem(reading, value->position, "out of memory");
    for (size_t i = 0; goals->items && i < value->count; i++) {
        const char *name = value->names[i];
        struct lw_value *item = &value->items[i];
        const struct lw_goal_kind *kind =
            lw_goal_kind_find(reading->kinds, reading->kind_count, name, strlen(name));
        if (!kind) {
            lw_lesson_unknown(reading,
                              lw_json_name_position(reading->text, reading->length, item->position),
                              "kind of goal", name);
            continue;
        }
        struct lw_goal *goal = &goals->items[goals->count++];
        *goal = (struct lw_goal){.kind = kind, .position = item->position};
        if (kind->value_kind == LW_GOAL_NUMBER)
            read_number(reading, item, goal);
        else if (kind->value_kind == LW_GOAL_CHOICE)
            read_choice(reading, item, goal);
        else if (kind->value_kind == LW_GOAL_FIELDS)
            read_fields(reading, item, goal);
        else
            lw_lesson_read_layout(reading, item, &goal->layout, false);
    }
}
