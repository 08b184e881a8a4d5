/* The cases of a step: one of them is chosen, and "$name" in the strings of the step is what it has for the name. A
 * string that is "$name" alone becomes the value itself, a number too. */

#include "notation/document/lesson_reading.h"

#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

/* What the case has for a name; NULL: nothing, which is reported. */
static const struct lw_value *find(struct lw_lesson_reading *reading, const struct lw_value *one,
                                   const struct lw_value *string, const char *name, size_t length)
{
    for (size_t i = 0; i < one->count; i++)
        if (strlen(one->names[i]) == length && !strncmp(one->names[i], name, length))
            return &one->items[i];
    lw_lesson_problem(reading, string->position, "this case has no '%.*s'",
                      (int)(length < 40 ? length : 40), name);
    return NULL;
}

static void put_string(struct lw_lesson_reading *reading, const struct lw_value *one,
                       struct lw_value *string)
{
    const char *p = string->string, *end;
    size_t whole = strspn(p + 1, letters);
    struct lw_text text = {0};
    if (p[0] == '$' && whole && !p[1 + whole]) {
        const struct lw_value *value = find(reading, one, string, p + 1, whole);
        struct lw_position position = string->position;
        if (value) {
            *string = *value;
            string->position = position;
        }
        return;
    }
    while ((end = strchr(p, '$'))) {
        size_t length = strspn(end + 1, letters);
        lw_text_bytes(&text, p, (size_t)(end - p));
        const struct lw_value *value = length ? find(reading, one, string, end + 1, length) : NULL;
        if (value && value->kind == LW_VALUE_STRING)
            lw_text_add(&text, value->string);
        else if (value)
            lw_value_print(&text, value);
        else if (!length)
            lw_text_char(&text, '$');
        p = end + 1 + length;
    }
    lw_text_add(&text, p);
    const char *copy = lw_arena_string(&reading->lesson->arena, lw_text_string(&text), text.length);
    if (copy && !text.failed)
        string->string = copy;
    else
        lw_lesson_problem(reading, string->position, "out of memory");
    lw_text_free(&text);
}

static void put(struct lw_lesson_reading *reading, const struct lw_value *one,
                struct lw_value *value)
{
    if (value->kind == LW_VALUE_STRING && strchr(value->string, '$'))
        put_string(reading, one, value);
    else if (value->kind == LW_VALUE_LIST || value->kind == LW_VALUE_OBJECT)
        for (size_t i = 0; i < value->count; i++)
            put(reading, one, &value->items[i]);
}

void lw_lesson_put_case(struct lw_lesson_reading *reading, struct lw_value *step, size_t number)
{
    const struct lw_value *cases = NULL;
    for (size_t i = 0; i < step->count; i++)
        if (!strcmp(step->names[i], "cases"))
            cases = &step->items[i];
    if (!cases || cases->kind != LW_VALUE_LIST || !cases->count)
        return;
    struct lw_lesson *lesson = reading->lesson;
    const struct lw_value *one = &cases->items[(lesson->seed + number) % cases->count];
    if (lesson->case_count < cases->count)
        lesson->case_count = cases->count;
    for (size_t i = 0; one->kind == LW_VALUE_OBJECT && i < step->count; i++)
        if (&step->items[i] != cases)
            put(reading, one, &step->items[i]);
}
