/* The cases of a step: one of them is chosen, and "$name" in the strings of the step is replaced by its value for the
 * name. A string that is "$name" alone becomes the value itself, also a number.
 *
 * Steps may share a table of the lesson: in all steps "tile 2" is the second row that is drawn of the table `tile`.
 * Rows that are drawn are different, and seeds 0, 1, 2, ... draw every row in every draw. */

#include "notation/document/lesson_reading.h"

#include <stdlib.h>
#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

/* The value of the case for a name; NULL: it has none, which is reported. */
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

/* ---- Tables of the lesson ---- */

/* Mixes the bits of a seed, so that consecutive seeds draw rows that are far apart (Steele, Lea, Flood: SplitMix). */
static uint64_t mix(uint64_t seed)
{
    seed += 0x9e3779b97f4a7c15;
    seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9;
    seed = (seed ^ seed >> 27) * 0x94d049bb133111eb;
    return seed ^ seed >> 31;
}

/* The number that draw `draw` adds to the row of draw 0: 0 for draw 0, else one below `count` that no draw before it
 * adds. */
static size_t drawn_offset(uint64_t seed, size_t count, size_t draw)
{
    size_t taken[LW_DRAWS_MAX] = {0};
    for (size_t k = 1; k <= draw; k++) {
        size_t free = (size_t)(seed % (count - k)), offset = 0;
        seed /= count - k;
        for (;; offset++) {
            bool is_taken = false;
            for (size_t i = 0; i < k; i++)
                is_taken = is_taken || taken[i] == offset;
            if (!is_taken && free-- == 0)
                break;
        }
        taken[k] = offset;
    }
    return taken[draw];
}

static const struct lw_value *member(const struct lw_value *object, const char *name, size_t length)
{
    for (size_t i = 0; object && object->kind == LW_VALUE_OBJECT && i < object->count; i++)
        if (strlen(object->names[i]) == length && !strncmp(object->names[i], name, length))
            return &object->items[i];
    return NULL;
}

/* "tile 2": the table, and a draw from 0; NULL: it is reported. */
static const struct lw_value *find_table(struct lw_lesson_reading *reading,
                                         const struct lw_value *name, size_t *draw)
{
    size_t length = strcspn(name->string, " ");
    const char *digits = name->string + length + strspn(name->string + length, " ");
    const struct lw_value *table = member(reading->tables, name->string, length);
    uint64_t number = *digits ? strtoull(digits, NULL, 10) : 1;
    *draw = (size_t)number - 1;
    if (!table || table->kind != LW_VALUE_LIST || !table->count) {
        lw_lesson_problem(reading, name->position, "the lesson has no 'cases' of the name '%.*s'",
                          (int)(length < 40 ? length : 40), name->string);
        return NULL;
    }
    if (digits[strspn(digits, "0123456789")] || !number || number > LW_DRAWS_MAX ||
        number > table->count) {
        lw_lesson_problem(reading, name->position,
                          "'cases' must be a list, or name a table and the number of a draw, "
                          "\"%.*s 1\" to \"%.*s %zu\"",
                          (int)(length < 40 ? length : 40), name->string,
                          (int)(length < 40 ? length : 40), name->string,
                          table->count < LW_DRAWS_MAX ? table->count : (size_t)LW_DRAWS_MAX);
        return NULL;
    }
    return table;
}

/* The case of a step, and how many there are; NULL: it has none. */
static const struct lw_value *choose(struct lw_lesson_reading *reading,
                                     const struct lw_value *cases, size_t number, size_t *count)
{
    uint64_t seed = reading->lesson->seed;
    size_t draw;
    if (cases->kind == LW_VALUE_STRING) {
        const struct lw_value *table = find_table(reading, cases, &draw);
        *count = table ? table->count : 0;
        size_t offset = table ? drawn_offset(mix(seed / *count), *count, draw) : 0;
        return table ? &table->items[(seed % *count + offset) % *count] : NULL;
    }
    *count = cases->kind == LW_VALUE_LIST ? cases->count : 0;
    return *count ? &cases->items[(seed + number) % *count] : NULL;
}

void lw_lesson_put_case(struct lw_lesson_reading *reading, struct lw_value *step, size_t number)
{
    size_t count = 0;
    const struct lw_value *cases = member(step, "cases", strlen("cases"));
    const struct lw_value *one = cases ? choose(reading, cases, number, &count) : NULL;
    struct lw_lesson *lesson = reading->lesson;
    if (!one)
        return;
    const struct lw_value all = lw_lesson_computed(reading, one);
    one = &all;
    if (lesson->case_count < count)
        lesson->case_count = count;
    for (size_t i = 0; one->kind == LW_VALUE_OBJECT && i < step->count; i++)
        if (&step->items[i] != cases)
            put(reading, one, &step->items[i]);
}
