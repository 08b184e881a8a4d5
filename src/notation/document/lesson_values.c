/* Values of the keys of lessons and steps that are numbers, cases or a kernel. */

#include "notation/document/lesson_reading.h"

#include <string.h>

void lw_lesson_take_numbers(struct lw_lesson_reading *reading, struct lw_value *value,
                            const char *name, void *out)
{
    struct lw_pairs *pairs = out;
    lw_lesson_read_pairs(reading, value, name, pairs);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct lw_pair *pair = &pairs->items[i];
        if (!*pair->name || pair->name[strspn(pair->name, "0123456789")])
            lw_lesson_problem(reading, pair->position, "'%s' has numbers: {\"128\": \"32 * 4\"}",
                              name);
        lw_lesson_check_sum(reading, pair->text, pair->position);
    }
}

void lw_lesson_take_labels(struct lw_lesson_reading *reading, struct lw_value *value,
                           const char *name, void *out)
{
    struct lw_labels *labels = out;
    bool good = value->kind == LW_VALUE_LIST;
    for (size_t i = 0; good && i < value->count; i++)
        good = value->items[i].kind == LW_VALUE_INTEGER && value->items[i].integer >= 0;
    if (!good) {
        lw_lesson_problem(reading, value->position, "'%s' must be a list of numbers: [20, 3]",
                          name);
        return;
    }
    labels->items =
        lw_arena_alloc(&reading->lesson->arena, (value->count + 1) * sizeof *labels->items);
    if (!labels->items)
        lw_lesson_problem(reading, value->position, "out of memory");
    for (size_t i = 0; labels->items && i < value->count; i++)
        labels->items[labels->count++] = (uint64_t)value->items[i].integer;
}

static bool is_case_list(const struct lw_value *value)
{
    bool good = value->kind == LW_VALUE_LIST && value->count > 0;
    for (size_t i = 0; good && i < value->count; i++)
        good = value->items[i].kind == LW_VALUE_OBJECT;
    return good;
}

/* The cases were put into the step before it was read. */
void lw_lesson_take_cases(struct lw_lesson_reading *reading, struct lw_value *value,
                          const char *name, void *out)
{
    (void)out;
    if (value->kind != LW_VALUE_STRING && !is_case_list(value))
        lw_lesson_problem(
            reading, value->position,
            "'%s' must be a list of objects: [{\"rows\": 16}, {\"rows\": 32}], or name "
            "a table of the lesson: \"tile 1\"",
            name);
}

/* Checks the tables of the lesson; steps read them by name. */
void lw_lesson_take_tables(struct lw_lesson_reading *reading, struct lw_value *value,
                           const char *name, void *out)
{
    (void)out;
    bool good = value->kind == LW_VALUE_OBJECT && value->count > 0;
    for (size_t i = 0; good && i < value->count; i++)
        good = is_case_list(&value->items[i]);
    if (!good)
        lw_lesson_problem(
            reading, value->position,
            "'%s' of a lesson must be an object of lists: {\"tile\": [{\"rows\": 16}, "
            "{\"rows\": 32}]}",
            name);
}

/* The text of the kernel was kept before the steps were read. */
void lw_lesson_take_kernel(struct lw_lesson_reading *reading, struct lw_value *value,
                           const char *name, void *out)
{
    (void)out;
    bool good = value->kind == LW_VALUE_LIST && value->count > 0;
    for (size_t i = 0; good && i < value->count; i++)
        good = value->items[i].kind == LW_VALUE_STRING;
    if (!good)
        lw_lesson_problem(reading, value->position,
                          "'%s' must be a list of strings, the lines of a dump", name);
}
