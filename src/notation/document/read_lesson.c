/*
 * Lessons from JSON: the keys are the tables below, and the kinds of steps with the keys that they need. All problems
 * are reported, each with its position. Invariant: a lesson that is read has legal layouts, known goals and known
 * markers, and each step has the keys that its kind needs.
 */

#include "notation/document/lesson_reading.h"
#include "notation/document/read.h"
#include "notation/document/setting.h"

#include "core/array_count.h"

#include <string.h>

/* ---- Kinds of steps ---- */

static const struct lw_step_kind step_kinds[] = {
    [LW_STEP_DO] = {"do", "something to change or to find: done when the goal holds",
                    "goal solution hints", "goal solution refuse also target aim change after"},
    [LW_STEP_MEND] = {"mend", "the same with a bad layout: it must lower a number of the goal",
                      "goal solution hints", "goal solution refuse also target aim change after"},
    [LW_STEP_PREDICT] = {"predict",
                         "a question before the picture is shown; its answer is computed",
                         "answer hints", "answer choices wrong reveal after"},
    [LW_STEP_SEE] = {"see", "keys or views to use: done when each was used", "use",
                     "use goal change after"},
};

const struct lw_step_kind *lw_step_kinds(size_t *count)
{
    *count = LW_COUNT(step_kinds);
    return step_kinds;
}

/* Whether steps of any kind may have a key. */
static bool is_common(const char *name)
{
    for (size_t i = 0; i < LW_COUNT(step_kinds); i++)
        if (lw_text_has_word(step_kinds[i].takes, name))
            return false;
    return true;
}

/* ---- Values of keys ---- */

typedef void taker(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                   void *out);

static void take_text(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                      void *out)
{
    lw_lesson_read_text(reading, value, name, out);
}

static void take_open(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                      void *out)
{
    (void)name;
    lw_lesson_read_layout(reading, value, out, true);
}

/* Reads a layout that gets the tensor of the open layout; it is checked when that is known. */
static void take_layout(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                        void *out)
{
    (void)name;
    lw_lesson_read_layout(reading, value, out, false);
}

static void take_name(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                      void *out)
{
    if (value->kind == LW_VALUE_STRING)
        *(struct lw_step_name *)out = (struct lw_step_name){value->string, value->position};
    else
        lw_lesson_problem(reading, value->position, "'%s' must be a name in quotes", name);
}

/* One of the words in a list with blanks between: its index. */
static int take_word(struct lw_lesson_reading *reading, const struct lw_value *value,
                     const char *name, const char *words)
{
    int index = value->kind == LW_VALUE_STRING ? lw_choice_index(words, value->string) : -1;
    if (index < 0)
        lw_lesson_problem(reading, value->position, "'%s' must be one of: %s", name, words);
    return index;
}

static void take_access(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                        void *out)
{
    if (take_word(reading, value, name, "load store both") >= 0)
        *(struct lw_step_name *)out = (struct lw_step_name){value->string, value->position};
}

static void take_kind(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                      void *out)
{
    struct lw_text names = {0};
    for (size_t i = 0; i < LW_COUNT(step_kinds); i++)
        lw_text_format(&names, "%s%s", i ? " " : "", step_kinds[i].name);
    int index = take_word(reading, value, name, lw_text_string(&names));
    if (index >= 0)
        *(enum lw_step_kind_id *)out = (enum lw_step_kind_id)index;
    lw_text_free(&names);
}

static void take_hints(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                       void *out)
{
    struct lw_step *step = out;
    lw_lesson_read_list(reading, value, name, lw_lesson_read_text, &step->hints, &step->hint_count);
}

static void take_solution(struct lw_lesson_reading *reading, struct lw_value *value,
                          const char *name, void *out)
{
    struct lw_step *step = out;
    lw_lesson_read_list(reading, value, name, lw_lesson_read_plain, &step->solution,
                        &step->solution_count);
}

static void take_change(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                        void *out)
{
    struct lw_step *step = out;
    step->change_position = value->position;
    lw_lesson_read_list(reading, value, name, lw_lesson_read_plain, &step->change,
                        &step->change_count);
}

/* A list of names. */
static void take_names(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                       void *out)
{
    struct lw_strings *lines = out;
    lines->position = value->position;
    lw_lesson_read_list(reading, value, name, lw_lesson_read_plain, &lines->lines, &lines->count);
}

/* A list of texts. */
static void take_choices(struct lw_lesson_reading *reading, struct lw_value *value,
                         const char *name, void *out)
{
    struct lw_strings *lines = out;
    lines->position = value->position;
    lw_lesson_read_list(reading, value, name, lw_lesson_read_text, &lines->lines, &lines->count);
}

static void take_refuse(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                        void *out)
{
    struct lw_step *step = out;
    lw_lesson_read_tries(reading, value, name, &step->refuse, &step->refuse_count);
}

static void take_also(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                      void *out)
{
    struct lw_step *step = out;
    lw_lesson_read_tries(reading, value, name, &step->also, &step->also_count);
}

static void take_wrong(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                       void *out)
{
    lw_lesson_read_pairs(reading, value, name, out);
}

static void take_goals(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                       void *out)
{
    lw_lesson_read_goals(reading, value, name, out);
}

static taker take_steps;

static void take_read(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                      void *out)
{
    struct lw_lesson *lesson = out;
    lw_lesson_read_list(reading, value, name, lw_lesson_read_plain, &lesson->read,
                        &lesson->read_count);
}

static void take_version(struct lw_lesson_reading *reading, struct lw_value *value,
                         const char *name, void *out)
{
    (void)out;
    if (value->kind != LW_VALUE_INTEGER || value->integer != 1)
        lw_lesson_problem(reading, value->position,
                          "'%s' is the version of the format and must be 1", name);
}

/* ---- Keys ---- */

struct key {
    const char *name;
    bool required;
    size_t offset; /* of the member that it sets */
    taker *take;
    const char *help; /* of a step: one line */
};

static const struct key lesson_keys[] = {
    {"laneway", false, 0, take_version, NULL},
    {"lesson", true, offsetof(struct lw_lesson, title), take_text, NULL},
    {"about", false, offsetof(struct lw_lesson, about), take_text, NULL},
    {"numbers", false, offsetof(struct lw_lesson, numbers), lw_lesson_take_numbers, NULL},
    {"labels", false, offsetof(struct lw_lesson, labels), lw_lesson_take_labels, NULL},
    {"cases", false, 0, lw_lesson_take_tables, NULL},
    {"kernel", false, 0, lw_lesson_take_kernel, NULL},
    {"steps", true, 0, take_steps, NULL},
    {"learnt", true, offsetof(struct lw_lesson, learnt), take_text, NULL},
    {"read", false, 0, take_read, NULL},
    {0},
};

static const struct key step_keys[] = {
    {"kind", false, offsetof(struct lw_step, kind), take_kind,
     "the kind of the step: do, mend, predict or see; without it: do"},
    {"cases", false, 0, lw_lesson_take_cases,
     "a list of objects, of which one is chosen at random: \"$name\" in the strings of the step is "
     "replaced by its member of that name. Steps share a list of \"cases\" of the lesson by its "
     "name and a number: all steps with \"tile 2\" have the same case, and those with \"tile 1\" "
     "another one"},
    {"text", true, offsetof(struct lw_step, text), take_text,
     "the explanation, a string or a list of paragraphs"},
    {"open", false, offsetof(struct lw_step, open), take_open,
     "the layout, a SOURCE or a document, also of an access (\"shared\" and \"load\" beside the "
     "layout), or {\"line\": 12}, what the operation in that line of \"kernel\" converts, reads or "
     "writes. Without it the step keeps the layout of the step before; the first step needs it"},
    {"store", false, offsetof(struct lw_step, store), take_layout,
     "registers A, where stores come from, when they are not those of the loads"},
    {"hardware", false, offsetof(struct lw_step, hardware), take_name,
     "the target whose lanes and banks count for the layout of \"open\", such as gfx942 "
     "('laneway help targets')"},
    {"view", false, offsetof(struct lw_step, view), take_name,
     "the view in the pane ('laneway help views')"},
    {"split", false, offsetof(struct lw_step, split), take_name, "the view in a second pane"},
    {"zoom", false, offsetof(struct lw_step, zoom), take_name,
     "how much text a cell has: full, short, char"},
    {"color", false, offsetof(struct lw_step, color), take_name,
     "the field that colours show: lane, warp, register, bank, ..."},
    {"access", false, offsetof(struct lw_step, access), take_access,
     "the accesses in the banks view: load, store, both"},
    {"do", true, offsetof(struct lw_step, task), take_text, "the task, or the question"},
    {"change", false, 0, take_change,
     "the parameters that may change; the goal is not met while another one differs from the "
     "start. Without it any may change"},
    {"goal", false, offsetof(struct lw_step, goal), take_goals,
     "the conditions that must all hold ('laneway help goals')"},
    {"aim", false, offsetof(struct lw_step, aim), take_text,
     "a sentence that is shown instead of the goals, which may reveal the answer"},
    {"target", false, offsetof(struct lw_step, target), take_layout,
     "a layout that is drawn beside the other; a goal \"layout\" is drawn without it"},
    {"answer", false, offsetof(struct lw_step, answer), take_text,
     "a text with a marker, so that it is computed. With {notation cute}, or triton, tilus, the "
     "learner types a layout in that notation, and each that is the same function is right"},
    {"choices", false, offsetof(struct lw_step, choices), take_choices,
     "texts to choose from by their numbers; the answer is one of them"},
    {"wrong", false, offsetof(struct lw_step, wrong), take_wrong,
     "an object of wrong answers, each with the reason"},
    {"reveal", false, offsetof(struct lw_step, reveal), take_name,
     "the view that is shown with the answer; until then \"view\" is shown, or nothing where there "
     "is no \"reveal\""},
    {"use", false, offsetof(struct lw_step, use), take_names,
     "names of actions ('laneway help scripts') and of views"},
    {"before", false, offsetof(struct lw_step, before), take_goals,
     "what the text claims about the start, as goals"},
    {"after", false, offsetof(struct lw_step, after), take_goals,
     "what \"done\" claims about the end, as goals"},
    {"numbers", false, offsetof(struct lw_step, numbers), lw_lesson_take_numbers,
     "numbers that the texts have in digits, each with the expression that computes it: {\"128\": "
     "\"32 * 4\"}; --check computes them, and refuses numbers that are not proven ('laneway help "
     "numbers')"},
    {"labels", false, offsetof(struct lw_step, labels), lw_lesson_take_labels,
     "other numbers that the texts may have, a list: those that only name something, as in "
     "\"lane 20\""},
    {"hints", false, 0, take_hints,
     "each more specific than the one before: a question, a method, and last the answer. With the "
     "last one the step counts as assisted"},
    {"solution", false, 0, take_solution,
     "the commands that reach the goal, as typed after a colon"},
    {"also", false, 0, take_also, "other lists of commands that must reach it"},
    {"refuse", false, 0, take_refuse, "lists of commands that must not reach it"},
    {"done", false, offsetof(struct lw_step, done), take_text,
     "the text that is shown when the step is done"},
    {0},
};

bool lw_step_key(size_t i, const char **name, const char **help)
{
    bool has = i < LW_COUNT(step_keys) - 1;
    *name = has ? step_keys[i].name : NULL;
    *help = has ? step_keys[i].help : NULL;
    return has;
}

static const char *key_at(const void *keys, size_t i)
{
    return ((const struct key *)keys)[i].name;
}

static size_t count_keys(const struct key *keys)
{
    size_t count = 0;
    while (keys[count].name)
        count++;
    return count;
}

/* Returns the keys that the object has, a bit for each. */
static uint64_t read_keys(struct lw_lesson_reading *reading, const struct lw_value *object,
                          const struct key *keys, const char *what, void *out)
{
    uint64_t seen = 0;
    size_t count = count_keys(keys);
    for (size_t i = 0; i < object->count; i++) {
        const char *name = object->names[i];
        size_t k = 0;
        while (k < count && strcmp(keys[k].name, name) != 0)
            k++;
        if (k < count) {
            seen |= UINT64_C(1) << k;
            keys[k].take(reading, &object->items[i], name, (char *)out + keys[k].offset);
            continue;
        }
        char hint[LW_HINT_MAX];
        struct lw_position at =
            lw_json_name_position(reading->text, reading->length, object->items[i].position);
        lw_lesson_problem(reading, at, "unknown key '%.40s' of a %s%s", name, what,
                          lw_text_hint(hint, lw_text_nearest(name, count, key_at, keys),
                                       "; 'laneway help lessons' lists them"));
    }
    for (size_t k = 0; k < count; k++)
        if (keys[k].required && !(seen >> k & 1))
            lw_lesson_problem(reading, object->position, "this %s has no '%s'", what, keys[k].name);
    return seen;
}

/* Reports keys that the kind of the step needs but lacks, and those that it may not have. */
static void check_kind(struct lw_lesson_reading *reading, const struct lw_step *step, uint64_t seen)
{
    const struct lw_step_kind *kind = &step_kinds[step->kind];
    for (size_t k = 0; step_keys[k].name; k++) {
        const char *name = step_keys[k].name;
        bool has = seen >> k & 1;
        if (!has && lw_text_has_word(kind->needs, name))
            lw_lesson_problem(reading, step->position, "this step has no '%s'; its kind is '%s'",
                              name, kind->name);
        else if (has && !is_common(name) && !lw_text_has_word(kind->takes, name))
            lw_lesson_problem(reading, step->position, "a step of the kind '%s' has no '%s'",
                              kind->name, name);
    }
}

static void read_step(struct lw_lesson_reading *reading, struct lw_value *object, size_t number)
{
    struct lw_lesson *lesson = reading->lesson;
    struct lw_step *step = &lesson->steps[lesson->step_count++];
    step->position = object->position;
    step->text = step->task = step->done = step->aim = step->answer = "";
    if (object->kind != LW_VALUE_OBJECT) {
        lw_lesson_problem(reading, object->position,
                          "a step must be an object: {\"text\": \"...\", ...}");
        return;
    }
    lw_lesson_put_case(reading, object, number);
    check_kind(reading, step, read_keys(reading, object, step_keys, "step", step));
    if (step->hardware.name && !step->open.encoding && !reading->report->total)
        lw_lesson_problem(reading, step->hardware.position,
                          "'hardware' is for the layout of 'open', which this step lacks");
    if (number == 0 && !step->open.encoding && !reading->report->total)
        lw_lesson_problem(reading, step->position, "the first step must have 'open'");
}

static void take_steps(struct lw_lesson_reading *reading, struct lw_value *value, const char *name,
                       void *out)
{
    struct lw_lesson *lesson = out;
    if (value->kind != LW_VALUE_LIST || !value->count || value->count > LW_STEPS_MAX) {
        lw_lesson_problem(reading, value->position, "'%s' must be a list of 1 to %d steps", name,
                          LW_STEPS_MAX);
        return;
    }
    lesson->steps = lw_arena_alloc(&lesson->arena, value->count * sizeof *lesson->steps);
    if (!lesson->steps)
        lw_lesson_problem(reading, value->position, "out of memory");
    for (size_t i = 0; lesson->steps && i < value->count; i++)
        read_step(reading, &value->items[i], i);
}

/* ---- Lessons ---- */

void lw_lesson_free(struct lw_lesson *lesson)
{
    for (size_t i = 0; i < lesson->step_count; i++) {
        struct lw_step *step = &lesson->steps[i];
        lw_document_free(&step->open);
        lw_document_free(&step->store);
        lw_document_free(&step->target);
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

/* The tables of the lesson, for its steps. */
static void expand_tables(struct lw_lesson_reading *reading, struct lw_value *tables)
{
    reading->tables = tables;
    for (size_t i = 0; tables->kind == LW_VALUE_OBJECT && i < tables->count; i++)
        lw_lesson_expand_table(reading, &tables->items[i]);
}

/* Reports that memory is out: what is in the arena may be incomplete. */
static void check_memory(struct lw_lesson_reading *reading, struct lw_position position)
{
    if (reading->lesson->arena.failed)
        lw_lesson_problem(reading, position, "out of memory");
    else if (reading->lesson->arena.full)
        lw_lesson_problem(reading, position, "the lesson takes over %zu MiB", LW_ARENA_MAX >> 20);
}

bool lw_lesson_read(struct lw_lesson *lesson, const char *text, size_t length, uint64_t seed,
                    const struct lw_goal_kind *kinds, size_t kind_count, struct lw_report *report)
{
    struct lw_error err = {0};
    struct lw_value object = {0};
    int before = report->total;
    memset(lesson, 0, sizeof *lesson);
    lesson->title = lesson->about = lesson->learnt = lesson->kernel = "";
    lesson->case_count = 1;
    lesson->seed = seed;
    struct lw_lesson_reading reading = {lesson,     text,   length, kinds,
                                        kind_count, report, NULL,   NULL};
    /* Documents point into the text. */
    char *kept =
        lw_check_text(text, length, &err) ? lw_arena_string(&lesson->arena, text, length) : NULL;
    if (kept && lw_read_json(&lesson->arena, kept, length, &object, &err)) {
        reading.text = kept;
        for (size_t i = 0; object.kind == LW_VALUE_OBJECT && i < object.count; i++)
            if (!strcmp(object.names[i], "cases"))
                expand_tables(&reading, &object.items[i]);
            else if (!strcmp(object.names[i], "kernel"))
                lw_lesson_keep_kernel(&reading, &object.items[i]);
        check_memory(&reading, object.position);
        if (object.kind == LW_VALUE_OBJECT)
            read_keys(&reading, &object, lesson_keys, "lesson", lesson);
        else
            lw_lesson_problem(&reading, object.position,
                              "a lesson must be an object: {\"lesson\": \"...\", ...}");
    } else {
        if (err.code == LW_OK)
            lw_error_set(&err, LW_ERROR_MEMORY, "out of memory");
        lw_lesson_problem_of(&reading, &err, (struct lw_position){0});
    }
    lw_lesson_drop_kernel(&reading);
    if (report->total == before)
        check_memory(&reading, object.position);
    if (report->total == before)
        return true;
    lw_lesson_free(lesson);
    return false;
}
