/*
 * Lessons from JSON: the keys are the tables below. All problems are reported, each with its position. Invariant: a
 * lesson that is read has legal layouts, known goals and known markers.
 */

#include "notation/document/lesson.h"
#include "notation/document/read.h"
#include "notation/document/setting.h"

#include <stdlib.h>
#include <string.h>

struct job {
    struct lw_lesson *lesson;
    const char *text;
    size_t length;
    const struct lw_goal_kind *kinds;
    size_t kind_count;
    struct lw_report *report;
};

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void
report_problem(struct job *job, struct lw_position position, const char *format, ...)
{
    struct lw_error err = {.code = LW_ERROR_SYNTAX, .position = position};
    va_list args;
    va_start(args, format);
    vsnprintf(err.message, sizeof err.message, format, args);
    va_end(args);
    lw_error_excerpt(&err, job->text, job->length);
    lw_report_add(job->report, &err);
}

static void report_problem_of(struct job *job, struct lw_error *err, struct lw_position position)
{
    if (!err->position.line)
        err->position = position;
    lw_error_excerpt(err, job->text, job->length);
    lw_report_add(job->report, err);
}

static struct lw_position name_position(const struct job *job, const struct lw_value *value)
{
    return lw_json_name_position(job->text, job->length, value->position);
}

/* ---- Texts ---- */

const struct lw_goal_kind *lw_goal_kind_find(const struct lw_goal_kind *kinds, size_t count,
                                             const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(kinds[i].name) == length && !strncmp(kinds[i].name, name, length))
            return &kinds[i];
    return NULL;
}

static const char *kind_at(const void *context, size_t i)
{
    return ((const struct job *)context)->kinds[i].name;
}

static void unknown_kind(struct job *job, struct lw_position position, const char *what,
                         const char *name)
{
    char hint[LW_HINT_MAX];
    const char *near = lw_text_nearest(name, job->kind_count, kind_at, job);
    report_problem(job, position, "unknown %s '%.40s'%s", what, name,
                   lw_text_hint(hint, near, "; 'laneway help goals' lists them"));
}

/* `{name}` and `{was name}` are values of a kind of goal; `{bank of 3,5}` is a fact of the layout. */
static void check_markers(struct job *job, const struct lw_value *value)
{
    for (const char *p = value->string; (p = strchr(p, '{'));) {
        char name[48];
        size_t length = strcspn(++p, "}");
        if (*p == '{') {
            p++;
            continue;
        }
        bool closed = length < sizeof name && p[length] == '}';
        snprintf(name, sizeof name, "%.*s", (int)(length < 47 ? length : 47), p);
        const char *kind = name + (strncmp(name, "was ", 4) ? 0 : 4);
        const struct lw_goal_kind *found =
            lw_goal_kind_find(job->kinds, job->kind_count, kind, strlen(kind));
        if (!closed)
            report_problem(job, value->position,
                           "'{%.20s' has no closing brace; a brace is written {{", name);
        else if (!strstr(name, " of ") && (!found || !found->measure))
            unknown_kind(job, value->position, "marker", kind);
        p += length;
    }
}

/* Reads a string, or a list of paragraphs. */
static bool read_text(struct job *job, const struct lw_value *value, const char *name,
                      const char **out)
{
    struct lw_text text = {0};
    const struct lw_value *items = value->kind == LW_VALUE_LIST ? value->items : value;
    size_t count = value->kind == LW_VALUE_LIST ? value->count : 1;
    for (size_t i = 0; i < count; i++) {
        if (items[i].kind != LW_VALUE_STRING) {
            report_problem(job, items[i].position, "'%s' must be a string, or a list of paragraphs",
                           name);
            lw_text_free(&text);
            return false;
        }
        check_markers(job, &items[i]);
        lw_text_format(&text, "%s%s", i ? "\n" : "", items[i].string);
    }
    const char *copy = lw_arena_string(&job->lesson->arena, lw_text_string(&text), text.length);
    lw_text_free(&text);
    if (copy)
        *out = copy;
    else
        report_problem(job, value->position, "out of memory");
    return copy;
}

/* Reads a string that has no markers: a command or a name. */
static bool read_plain(struct job *job, const struct lw_value *value, const char *name,
                       const char **out)
{
    if (value->kind != LW_VALUE_STRING) {
        report_problem(job, value->position, "'%s' must be a list of strings", name);
        return false;
    }
    *out = value->string;
    return true;
}

typedef bool read_entry(struct job *job, const struct lw_value *value, const char *name,
                        const char **out);

static void read_list(struct job *job, const struct lw_value *value, const char *name,
                      read_entry *read, const char ***out, size_t *count)
{
    if (value->kind != LW_VALUE_LIST) {
        report_problem(job, value->position, "'%s' must be a list of strings", name);
        return;
    }
    *out = lw_arena_alloc(&job->lesson->arena, (value->count + 1) * sizeof **out);
    if (!*out)
        report_problem(job, value->position, "out of memory");
    for (size_t i = 0; *out && i < value->count; i++)
        if (read(job, &value->items[i], name, &(*out)[*count]))
            ++*count;
}

/* ---- Layouts ---- */

/* Reads a SOURCE in a string, or a document; `alone`: its problems are reported too. */
static bool read_layout(struct job *job, struct lw_value *value, struct lw_document *doc,
                        bool alone)
{
    const char *source[] = {"source"};
    struct lw_value object = *value;
    struct lw_report report = {0};
    struct lw_open_options options = {.report = &report};
    struct lw_error err = {0};
    if (value->kind == LW_VALUE_STRING)
        object = (struct lw_value){.kind = LW_VALUE_OBJECT,
                                   .position = value->position,
                                   .count = 1,
                                   .items = value,
                                   .names = source};
    else if (value->kind != LW_VALUE_OBJECT) {
        report_problem(job, value->position,
                       "a layout must be a SOURCE in a string, or a document");
        return false;
    }
    bool read = lw_document_of_object(doc, &object, job->text, job->length, &options, &err);
    if (read && alone)
        lw_document_check(doc, &report);
    for (int i = 0; i < report.count; i++)
        report_problem_of(job, &report.errors[i], value->position);
    if (!read && !report.count)
        report_problem_of(job, &err, value->position);
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

static void read_number(struct job *job, const struct lw_value *value, struct lw_goal *goal)
{
    if (value->kind == LW_VALUE_INTEGER && value->integer >= 0) {
        goal->number = (uint64_t)value->integer;
        return;
    }
    const char *p = value->kind == LW_VALUE_STRING ? value->string : "";
    goal->compare = read_compare(&p);
    size_t digits = strspn(p, "0123456789");
    goal->other = lw_goal_kind_find(job->kinds, job->kind_count, p, strlen(p));
    if (digits && digits < 19 && !p[digits])
        goal->number = strtoull(p, NULL, 10);
    else if (*p && !digits && (!goal->other || goal->other->value_kind != LW_GOAL_NUMBER))
        unknown_kind(job, value->position, "number of a layout", p);
    else if (!goal->other)
        report_problem(job, value->position,
                       "%s must be a number, such as 4 or \"<= 4\", or the name of a number",
                       goal->kind->name);
}

static void read_choice(struct job *job, const struct lw_value *value, struct lw_goal *goal)
{
    const char *choice = value->kind == LW_VALUE_STRING ? value->string : "";
    goal->compare = read_compare(&choice);
    int index = lw_choice_index(goal->kind->choices, choice);
    goal->number = (uint64_t)index;
    if (index < 0)
        report_problem(job, value->position, "%s must be one of: %s", goal->kind->name,
                       goal->kind->choices);
}

static void read_fields(struct job *job, const struct lw_value *value, struct lw_goal *goal)
{
    bool good = value->kind == LW_VALUE_OBJECT && value->count > 0 && value->count <= LW_GOALS_MAX;
    for (size_t i = 0; good && i < value->count; i++) {
        good = value->items[i].kind == LW_VALUE_INTEGER && value->items[i].integer >= 0;
        goal->fields[i] = value->names[i];
        goal->values[i] = (uint64_t)value->items[i].integer;
        goal->field_count = (int)i + 1;
    }
    if (!good)
        report_problem(job, value->position,
                       "%s must be an object such as {\"row\": 3, \"column\": 5}",
                       goal->kind->name);
}

static void take_goals(struct job *job, struct lw_value *value, const char *key, void *out)
{
    struct lw_goals *goals = out;
    if (value->kind != LW_VALUE_OBJECT || !value->count || value->count > LW_GOALS_MAX) {
        report_problem(job, value->position,
                       "'%s' must be an object of 1 to %d goals: {\"load-wavefronts\": 1}", key,
                       LW_GOALS_MAX);
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        const char *name = value->names[i];
        struct lw_value *item = &value->items[i];
        const struct lw_goal_kind *kind =
            lw_goal_kind_find(job->kinds, job->kind_count, name, strlen(name));
        if (!kind) {
            unknown_kind(job, name_position(job, item), "kind of goal", name);
            continue;
        }
        struct lw_goal *goal = &goals->items[goals->count++];
        *goal = (struct lw_goal){.kind = kind, .position = item->position};
        if (kind->value_kind == LW_GOAL_NUMBER)
            read_number(job, item, goal);
        else if (kind->value_kind == LW_GOAL_CHOICE)
            read_choice(job, item, goal);
        else if (kind->value_kind == LW_GOAL_FIELDS)
            read_fields(job, item, goal);
        else
            read_layout(job, item, &goal->layout, false);
    }
}

/* ---- Keys ---- */

static void take_text(struct job *job, struct lw_value *value, const char *name, void *out)
{
    read_text(job, value, name, out);
}

static void take_open(struct job *job, struct lw_value *value, const char *name, void *out)
{
    (void)name;
    read_layout(job, value, out, true);
}

/* Its tensor is that of the open layout, with which it is checked later. */
static void take_store(struct job *job, struct lw_value *value, const char *name, void *out)
{
    (void)name;
    read_layout(job, value, out, false);
}

static void take_choice(struct job *job, struct lw_value *value, const char *name, void *out)
{
    if (value->kind == LW_VALUE_STRING)
        *(struct lw_step_name *)out = (struct lw_step_name){value->string, value->position};
    else
        report_problem(job, value->position, "'%s' must be a name in quotes", name);
}

static void take_access(struct job *job, struct lw_value *value, const char *name, void *out)
{
    const char *choice = value->kind == LW_VALUE_STRING ? value->string : "";
    if (strcmp(choice, "load") && strcmp(choice, "store") && strcmp(choice, "both"))
        report_problem(job, value->position, "'%s' must be load, store or both", name);
    *(struct lw_step_name *)out = (struct lw_step_name){choice, value->position};
}

static void take_hints(struct job *job, struct lw_value *value, const char *name, void *out)
{
    struct lw_step *step = out;
    read_list(job, value, name, read_text, &step->hints, &step->hint_count);
}

static void take_solution(struct job *job, struct lw_value *value, const char *name, void *out)
{
    struct lw_step *step = out;
    read_list(job, value, name, read_plain, &step->solution, &step->solution_count);
}

static void take_change(struct job *job, struct lw_value *value, const char *name, void *out)
{
    struct lw_step *step = out;
    step->change_position = value->position;
    read_list(job, value, name, read_plain, &step->change, &step->change_count);
}

static void take_steps(struct job *job, struct lw_value *value, const char *name, void *out);

static void take_read(struct job *job, struct lw_value *value, const char *name, void *out)
{
    struct lw_lesson *lesson = out;
    read_list(job, value, name, read_plain, &lesson->read, &lesson->read_count);
}

static void take_version(struct job *job, struct lw_value *value, const char *name, void *out)
{
    (void)out;
    if (value->kind != LW_VALUE_INTEGER || value->integer != 1)
        report_problem(job, value->position, "'%s' is the version of the format and must be 1",
                       name);
}

struct key {
    const char *name;
    bool required;
    size_t offset; /* of the member that it sets */
    void (*take)(struct job *job, struct lw_value *value, const char *name, void *out);
};

static const struct key lesson_keys[] = {
    {"laneway", false, 0, take_version},
    {"lesson", true, offsetof(struct lw_lesson, title), take_text},
    {"about", false, offsetof(struct lw_lesson, about), take_text},
    {"steps", true, 0, take_steps},
    {"learnt", true, offsetof(struct lw_lesson, learnt), take_text},
    {"read", false, 0, take_read},
    {0},
};

static const struct key step_keys[] = {
    {"text", true, offsetof(struct lw_step, text), take_text},
    {"open", false, offsetof(struct lw_step, open), take_open},
    {"store", false, offsetof(struct lw_step, store), take_store},
    {"view", false, offsetof(struct lw_step, view), take_choice},
    {"split", false, offsetof(struct lw_step, split), take_choice},
    {"zoom", false, offsetof(struct lw_step, zoom), take_choice},
    {"color", false, offsetof(struct lw_step, color), take_choice},
    {"access", false, offsetof(struct lw_step, access), take_access},
    {"do", true, offsetof(struct lw_step, task), take_text},
    {"change", false, 0, take_change},
    {"goal", true, offsetof(struct lw_step, goal), take_goals},
    {"before", false, offsetof(struct lw_step, before), take_goals},
    {"after", false, offsetof(struct lw_step, after), take_goals},
    {"hints", true, 0, take_hints},
    {"solution", true, 0, take_solution},
    {"done", false, offsetof(struct lw_step, done), take_text},
    {0},
};

static const char *key_at(const void *keys, size_t i)
{
    return ((const struct key *)keys)[i].name;
}

static void read_keys(struct job *job, const struct lw_value *object, const struct key *keys,
                      const char *what, void *out)
{
    unsigned seen = 0;
    size_t count = 0;
    while (keys[count].name)
        count++;
    for (size_t i = 0; i < object->count; i++) {
        const char *name = object->names[i];
        size_t k = 0;
        while (k < count && strcmp(keys[k].name, name) != 0)
            k++;
        if (k < count) {
            seen |= 1u << k;
            keys[k].take(job, &object->items[i], name, (char *)out + keys[k].offset);
            continue;
        }
        char hint[LW_HINT_MAX];
        report_problem(job, name_position(job, &object->items[i]), "unknown key '%.40s' of a %s%s",
                       name, what,
                       lw_text_hint(hint, lw_text_nearest(name, count, key_at, keys),
                                    "; 'laneway help lessons' lists them"));
    }
    for (size_t k = 0; k < count; k++)
        if (keys[k].required && !(seen >> k & 1))
            report_problem(job, object->position, "this %s has no '%s'", what, keys[k].name);
}

static void take_steps(struct job *job, struct lw_value *value, const char *name, void *out)
{
    struct lw_lesson *lesson = out;
    if (value->kind != LW_VALUE_LIST || !value->count || value->count > LW_STEPS_MAX) {
        report_problem(job, value->position, "'%s' must be a list of 1 to %d steps", name,
                       LW_STEPS_MAX);
        return;
    }
    lesson->steps = lw_arena_alloc(&lesson->arena, value->count * sizeof *lesson->steps);
    if (!lesson->steps)
        report_problem(job, value->position, "out of memory");
    for (size_t i = 0; lesson->steps && i < value->count; i++) {
        struct lw_step *step = &lesson->steps[lesson->step_count++];
        step->position = value->items[i].position;
        step->text = step->task = step->done = "";
        if (value->items[i].kind == LW_VALUE_OBJECT)
            read_keys(job, &value->items[i], step_keys, "step", step);
        else
            report_problem(job, value->items[i].position,
                           "a step must be an object: {\"text\": \"...\", ...}");
        if (i == 0 && value->items[i].kind == LW_VALUE_OBJECT && !step->open.encoding &&
            !job->report->total)
            report_problem(job, step->position, "the first step must have 'open'");
    }
}

/* ---- Lessons ---- */

void lw_lesson_free(struct lw_lesson *lesson)
{
    for (size_t i = 0; i < lesson->step_count; i++) {
        struct lw_step *step = &lesson->steps[i];
        lw_document_free(&step->open);
        lw_document_free(&step->store);
        struct lw_goals *lists[] = {&step->goal, &step->before, &step->after};
        for (int k = 0; k < 3; k++)
            for (int g = 0; g < lists[k]->count; g++)
                lw_document_free(&lists[k]->items[g].layout);
    }
    lw_arena_free(&lesson->arena);
    memset(lesson, 0, sizeof *lesson);
}

bool lw_is_lesson_text(const char *text, size_t length)
{
    struct lw_arena arena = {0};
    struct lw_value object = {0};
    bool is_lesson = false;
    lw_read_json_object(&arena, text, length, "", &object, NULL);
    for (size_t i = 0; i < object.count; i++)
        is_lesson =
            is_lesson || !strcmp(object.names[i], "lesson") || !strcmp(object.names[i], "steps");
    lw_arena_free(&arena);
    return is_lesson;
}

bool lw_lesson_read(struct lw_lesson *lesson, const char *text, size_t length,
                    const struct lw_goal_kind *kinds, size_t kind_count, struct lw_report *report)
{
    struct lw_error err = {0};
    struct lw_value object = {0};
    int before = report->total;
    memset(lesson, 0, sizeof *lesson);
    lesson->title = lesson->about = lesson->learnt = "";
    struct job job = {lesson, text, length, kinds, kind_count, report};
    /* Documents point into the text. */
    char *kept =
        lw_check_text(text, length, &err) ? lw_arena_string(&lesson->arena, text, length) : NULL;
    if (kept && lw_read_json(&lesson->arena, kept, length, &object, &err)) {
        job.text = kept;
        if (object.kind == LW_VALUE_OBJECT)
            read_keys(&job, &object, lesson_keys, "lesson", lesson);
        else
            report_problem(&job, object.position,
                           "a lesson must be an object: {\"lesson\": \"...\", ...}");
    } else {
        if (err.code == LW_OK)
            lw_error_set(&err, LW_ERROR_MEMORY, "out of memory");
        report_problem_of(&job, &err, (struct lw_position){0});
    }
    if (report->total == before)
        return true;
    lw_lesson_free(lesson);
    return false;
}
