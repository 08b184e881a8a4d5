/*
 * Lessons from JSON: the keys are the tables below, and the kinds of steps with the keys that they need. Invariant: a
 * lesson that is read has legal layouts, known goals and known markers, and each step has the keys that its kind
 * needs.
 */

#include "notation/document/lesson_reading.h"
#include "notation/document/read.h"

#include "core/array_count.h"

#include <stdlib.h>
#include <string.h>

/* ---- Kinds of steps ---- */

static const struct lw_step_kind step_kinds[] = {
    [LW_STEP_DO] = {"do", "something to change or to find: done when the goal holds",
                    "goal solution hints", "goal solution refuse also target aim change after"},
    [LW_STEP_MEND] = {"mend", "the same with a bad layout, which is to be improved",
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
    return ((const struct lw_lesson_reading *)context)->kinds[i].name;
}

/* "unknown goal 'x'", with the nearest kind of goal. */
static bool unknown(struct lw_lesson_reading *reading, struct lw_position position,
                    const char *what, const char *name)
{
    char hint[LW_HINT_MAX];
    const char *near = lw_text_nearest(name, reading->kind_count, kind_at, reading);
    return lw_lesson_problem(reading, position, "unknown %s '%.40s'%s", what, name,
                             lw_text_hint(hint, near, "; 'laneway help goals' lists them"));
}

/* A sum has names of goals, numbers, and fields of elements: 32 * load-each, bank of 3,5 ^ 1. */
static void check_sum(struct lw_lesson_reading *reading, const char *sum,
                      struct lw_position position)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    for (const char *p = sum; *p;) {
        char name[48];
        size_t length = strspn(p, letters);
        while (length &&
               (strchr(letters, p[length]) || (p[length] >= '0' && p[length] <= '9') ||
                (p[length] == '-' && p[length + 1] && strchr(letters, p[length + 1]))) &&
               p[length])
            length++;
        snprintf(name, sizeof name, "%.*s", (int)(length < 47 ? length : 47), p);
        p += length ? length : 1;
        const struct lw_goal_kind *found =
            lw_goal_kind_find(reading->kinds, reading->kind_count, name, strlen(name));
        if (!length || !strcmp(name, "was") || !strcmp(name, "log2") || (found && found->measure))
            continue;
        if (strncmp(p, " of ", 4) != 0)
            unknown(reading, position, "marker", name);
        else
            p += 4;
    }
}

/* `{name}`, `{was name}` and sums of these are values of kinds of goals; `{bank of 3,5}` is a fact of the layout,
 * `{key play}` the key of an action. */
static void check_markers(struct lw_lesson_reading *reading, const struct lw_value *value)
{
    static const char texts[] = "key line notation moves element bank-matrix"; /* first words */
    for (const char *p = value->string; (p = strchr(p, '{'));) {
        char name[64];
        size_t length = strcspn(++p, "}");
        if (*p == '{') {
            p++;
            continue;
        }
        bool closed = length < sizeof name && p[length] == '}';
        snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), p);
        char *blank = strchr(name, ' ');
        if (blank)
            *blank = '\0';
        const bool is_text = blank && lw_text_has_word(texts, name);
        if (blank)
            *blank = ' ';
        if (!closed)
            lw_lesson_problem(reading, value->position,
                              "'{%.20s' has no closing brace; a brace is written {{", name);
        else if (!is_text)
            check_sum(reading, name, value->position);
        p += length;
    }
}

/* Reads a string, or a list of paragraphs, with known markers. */
static bool read_text(struct lw_lesson_reading *reading, const struct lw_value *value,
                      const char *name, const char **out)
{
    struct lw_text text = {0};
    const struct lw_value *items = value->kind == LW_VALUE_LIST ? value->items : value;
    size_t count = value->kind == LW_VALUE_LIST ? value->count : 1;
    for (size_t i = 0; i < count; i++) {
        if (items[i].kind != LW_VALUE_STRING) {
            lw_lesson_problem(reading, items[i].position.line ? items[i].position : value->position,
                              "'%s' must be a string, or a list of paragraphs", name);
            lw_text_free(&text);
            return false;
        }
        check_markers(reading, &items[i]);
        lw_text_format(&text, "%s%s", i ? "\n" : "", items[i].string);
    }
    const char *copy = lw_arena_string(&reading->lesson->arena, lw_text_string(&text), text.length);
    lw_text_free(&text);
    *out = copy ? copy : ""; /* then the arena has failed, and the lesson is refused */
    return copy;
}

/* Reads a string that has no markers: a command or a name. */
static bool read_plain(struct lw_lesson_reading *reading, const struct lw_value *value,
                       const char *name, const char **out)
{
    *out = value->string;
    return value->kind == LW_VALUE_STRING ||
           lw_lesson_problem(reading, value->position, "'%s' must be a list of strings", name);
}

typedef bool entry_reader(struct lw_lesson_reading *reading, const struct lw_value *value,
                          const char *name, const char **out);

/* Reads a list of texts, commands or names. */
static void read_list(struct lw_lesson_reading *reading, const struct lw_value *value,
                      const char *name, entry_reader *read, struct lw_strings *out)
{
    out->position = value->position;
    out->lines = lw_arena_alloc(&reading->lesson->arena, (value->count + 1) * sizeof *out->lines);
    for (size_t i = 0; out->lines && i < value->count; i++)
        if (read(reading, &value->items[i], name, &out->lines[out->count]))
            out->count++;
}

/* ---- Layouts ---- */

/* Keeps the text of "kernel", a list of lines, in the lesson, and reads it. */
static void read_kernel(struct lw_lesson_reading *reading, const struct lw_value *lines)
{
    struct lw_text text = {0};
    struct lw_error err = {0};
    bool good = lines->kind == LW_VALUE_LIST && lines->count > 0;
    for (size_t i = 0; good && i < lines->count; i++) {
        good = lines->items[i].kind == LW_VALUE_STRING;
        if (good)
            lw_text_format(&text, "%s\n", lines->items[i].string);
    }
    const char *kept = lw_arena_string(&reading->lesson->arena, lw_text_string(&text), text.length);
    if (!good)
        lw_lesson_problem(reading, lines->position,
                          "'kernel' must be a list of strings, the lines of a dump");
    else if (!kept || text.failed)
        lw_lesson_problem(reading, lines->position, "out of memory");
    else if (!lw_kernel_read(&reading->kernel, kept, text.length, NULL, &err))
        lw_lesson_problem(reading, lines->position, "'kernel': %.200s", err.message);
    else
        reading->lesson->kernel = kept;
    lw_text_free(&text);
}

/* Makes a document of what the operation in that line of the kernel moves. */
static bool read_line(struct lw_lesson_reading *reading, const struct lw_value *line,
                      struct lw_document *doc)
{
    const struct lw_kernel *kernel = &reading->kernel;
    struct lw_error err = {0};
    if (!*reading->lesson->kernel)
        return lw_lesson_problem(reading, line->position,
                                 "the lesson has no 'kernel', of which this is a line");
    size_t i = 0;
    while (i < kernel->operation_count &&
           (line->kind != LW_VALUE_INTEGER || kernel->operations[i].position.line != line->integer))
        i++;
    if (i == kernel->operation_count)
        return lw_lesson_problem(
            reading, line->position,
            "'line' must be the number of a line of 'kernel' with an operation that moves data");
    struct lw_document of_kernel;
    if (!lw_document_of_operation(&of_kernel, kernel, &kernel->operations[i], &err))
        return lw_lesson_problem(reading, line->position, "'kernel': %.200s", err.message);
    bool good = lw_document_copy(doc, &of_kernel, &err); /* which borrows nothing from the kernel */
    lw_document_free(&of_kernel);
    return good || lw_lesson_problem(reading, line->position, "out of memory");
}

/* Reads a SOURCE in a string, or a document; `alone`: it is also built. */
static bool read_layout(struct lw_lesson_reading *reading, struct lw_value *value,
                        struct lw_document *doc, bool alone)
{
    const char *source[] = {"source"};
    struct lw_value object = *value;
    struct lw_error err = {0};
    if (value->kind == LW_VALUE_OBJECT && value->count == 1 && !strcmp(value->names[0], "line"))
        return read_line(reading, &value->items[0], doc);
    if (value->kind == LW_VALUE_STRING)
        object = (struct lw_value){.kind = LW_VALUE_OBJECT,
                                   .position = value->position,
                                   .count = 1,
                                   .items = value,
                                   .names = source};
    else if (value->kind != LW_VALUE_OBJECT)
        return lw_lesson_problem(reading, value->position,
                                 "a layout must be a SOURCE in a string, or a document");
    bool read = lw_document_of_object(doc, &object, reading->text, reading->length, NULL, &err);
    bool good = read && (!alone || lw_document_check(doc, &err));
    if (!good)
        lw_lesson_problem(reading, err.position.line ? err.position : value->position, "%s",
                          err.message);
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
        unknown(reading, value->position, "number of a layout", p);
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

static void read_goals(struct lw_lesson_reading *reading, struct lw_value *value, const char *key,
                       struct lw_goals *goals)
{
    if (value->kind != LW_VALUE_OBJECT || !value->count || value->count > LW_GOALS_MAX) {
        lw_lesson_problem(reading, value->position,
                          "'%s' must be an object of 1 to %d goals: {\"load-wavefronts\": 1}", key,
                          LW_GOALS_MAX);
        return;
    }
    goals->items = lw_arena_alloc(&reading->lesson->arena, value->count * sizeof *goals->items);
    for (size_t i = 0; goals->items && i < value->count; i++) {
        const char *name = value->names[i];
        struct lw_value *item = &value->items[i];
        const struct lw_goal_kind *kind =
            lw_goal_kind_find(reading->kinds, reading->kind_count, name, strlen(name));
        if (!kind) {
            unknown(reading, item->name_position, "kind of goal", name);
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
            read_layout(reading, item, &goal->layout, false);
    }
}

/* ---- Values of keys ---- */

/* What a key has as its value, and where that is kept. */
enum content {
    VERSION, /* 1 */
    TEXT,    /* const char *: a string or paragraphs, with markers */
    NAME,    /* struct lw_step_name */
    ACCESS,  /* the same, one of three */
    KIND,    /* enum lw_step_kind_id */
    TEXTS,   /* struct lw_strings: texts */
    NAMES,   /* the same: commands or names */
    TRIES,   /* struct lw_tries */
    PAIRS,   /* struct lw_pairs */
    GOALS,   /* struct lw_goals */
    OPEN,    /* struct lw_document: it is also built */
    LAYOUT,  /* the same; it gets the tensor of the open layout, and is built when that is known */
    STEPS,   /* of struct lw_lesson */
    CASES    /* read before the other keys */
};

/* The kind of value of each, and how a message names it; NONE: the reader checks it. */
static const struct {
    enum lw_value_kind kind;
    const char *name;
} contents[] = {
    [VERSION] = {LW_VALUE_INTEGER, "1, the version of the format"},
    [NAME] = {LW_VALUE_STRING, "a name in quotes"},
    [ACCESS] = {LW_VALUE_STRING, "one of: load store both"},
    [KIND] = {LW_VALUE_STRING, "one of: do mend predict see"},
    [TEXTS] = {LW_VALUE_LIST, "a list of strings"},
    [NAMES] = {LW_VALUE_LIST, "a list of strings"},
    [TRIES] = {LW_VALUE_LIST, "a list of lists of commands"},
    [PAIRS] = {LW_VALUE_OBJECT, "an object of strings"},
    [STEPS] = {LW_VALUE_LIST, "a list of 1 to 64 steps"},
    [CASES] = {LW_VALUE_NONE, NULL},
};

static void read_tries(struct lw_lesson_reading *reading, const struct lw_value *value,
                       const char *name, struct lw_tries *tries)
{
    tries->items =
        lw_arena_alloc(&reading->lesson->arena, (value->count + 1) * sizeof *tries->items);
    for (size_t i = 0; tries->items && i < value->count; i++)
        if (value->items[i].kind == LW_VALUE_LIST)
            read_list(reading, &value->items[i], name, read_plain, &tries->items[tries->count++]);
        else
            lw_lesson_problem(reading, value->items[i].position, "'%s' must be %s", name,
                              contents[TRIES].name);
}

static void read_pairs(struct lw_lesson_reading *reading, const struct lw_value *value,
                       const char *name, struct lw_pairs *pairs)
{
    pairs->position = value->position;
    pairs->items =
        lw_arena_alloc(&reading->lesson->arena, (value->count + 1) * sizeof *pairs->items);
    for (size_t i = 0; pairs->items && i < value->count; i++) {
        struct lw_pair *pair = &pairs->items[pairs->count];
        *pair = (struct lw_pair){.name = value->names[i], .position = value->items[i].position};
        pairs->count += read_plain(reading, &value->items[i], name, &pair->text);
    }
}

static bool read_steps(struct lw_lesson_reading *reading, struct lw_value *value);

static void take(struct lw_lesson_reading *reading, enum content content, struct lw_value *value,
                 const char *name, void *out)
{
    bool good = contents[content].kind == LW_VALUE_NONE || contents[content].kind == value->kind;
    int kind;
    switch (good ? content : CASES) {
    case VERSION:
        good = value->integer == 1;
        break;
    case TEXT:
        read_text(reading, value, name, out);
        break;
    case ACCESS:
        good = lw_choice_index("load store", value->string) >= 0;
        *(struct lw_step_name *)out = (struct lw_step_name){value->string, value->position};
        break;
    case NAME:
        *(struct lw_step_name *)out = (struct lw_step_name){value->string, value->position};
        break;
    case KIND:
        kind = lw_choice_index("do mend predict see", value->string);
        good = kind >= 0;
        *(enum lw_step_kind_id *)out = (enum lw_step_kind_id)(good ? kind : 0);
        break;
    case TEXTS:
        read_list(reading, value, name, read_text, out);
        break;
    case NAMES:
        read_list(reading, value, name, read_plain, out);
        break;
    case TRIES:
        read_tries(reading, value, name, out);
        break;
    case PAIRS:
        read_pairs(reading, value, name, out);
        break;
    case GOALS:
        read_goals(reading, value, name, out);
        break;
    case OPEN:
    case LAYOUT:
        read_layout(reading, value, out, content == OPEN);
        break;
    case STEPS:
        good = read_steps(reading, value);
        break;
    case CASES:
        break;
    }
    if (!good)
        lw_lesson_problem(reading, value->position, "'%s' must be %s", name,
                          contents[content].name);
}

/* ---- Keys ---- */

struct key {
    const char *name;
    bool required;
    size_t offset; /* of the member that it sets */
    enum content content;
    const char *help; /* of a step: one line */
};

static const struct key lesson_keys[] = {
    {"laneway", false, 0, VERSION, NULL},
    {"lesson", true, offsetof(struct lw_lesson, title), TEXT, NULL},
    {"about", false, offsetof(struct lw_lesson, about), TEXT, NULL},
    {"cases", false, 0, CASES, NULL},
    {"kernel", false, 0, CASES, NULL},
    {"steps", true, 0, STEPS, NULL},
    {"learnt", true, offsetof(struct lw_lesson, learnt), TEXT, NULL},
    {"read", false, offsetof(struct lw_lesson, read), NAMES, NULL},
};

static const struct key step_keys[] = {
    {"kind", false, offsetof(struct lw_step, kind), KIND,
     "the kind of the step: do, mend, predict or see; without it: do"},
    {"cases", false, 0, CASES,
     "a list of objects, of which one is chosen at random: \"$name\" in the strings of the step is "
     "replaced by its member of that name. Steps share a list of \"cases\" of the lesson by its "
     "name and a number: all steps with \"tile 2\" have the same case, and those with \"tile 1\" "
     "another one"},
    {"text", true, offsetof(struct lw_step, text), TEXT,
     "the explanation, a string or a list of paragraphs"},
    {"open", false, offsetof(struct lw_step, open), OPEN,
     "the layout, a SOURCE or a document, also of an access (\"shared\" and \"load\" beside the "
     "layout), or {\"line\": 12}, what the operation in that line of \"kernel\" converts, reads or "
     "writes. Without it the step keeps the layout of the step before; the first step needs it"},
    {"store", false, offsetof(struct lw_step, store), LAYOUT,
     "registers A, where stores come from, when they are not those of the loads"},
    {"hardware", false, offsetof(struct lw_step, hardware), NAME,
     "the target whose lanes and banks count for the layout of \"open\", such as gfx942 "
     "('laneway help targets')"},
    {"view", false, offsetof(struct lw_step, view), NAME,
     "the view to show: owners, path, memory, matrix, mma, product, text, hardware, conversion"},
    {"access", false, offsetof(struct lw_step, access), ACCESS,
     "the access that the path view begins with: load, store"},
    {"do", true, offsetof(struct lw_step, task), TEXT, "the task, or the question"},
    {"change", false, offsetof(struct lw_step, change), NAMES,
     "the parameters that may change; the goal is not met while another one differs from the "
     "start. Without it any may change"},
    {"goal", false, offsetof(struct lw_step, goal), GOALS,
     "the conditions that must all hold ('laneway help goals')"},
    {"aim", false, offsetof(struct lw_step, aim), TEXT,
     "a sentence that is shown instead of the goals, which may reveal the answer"},
    {"target", false, offsetof(struct lw_step, target), LAYOUT,
     "a layout that is drawn beside the other; a goal \"layout\" is drawn without it in the view "
     "of the owners"},
    {"answer", false, offsetof(struct lw_step, answer), TEXT,
     "a text with a marker, so that it is computed. With {notation cute}, or triton, tilus, the "
     "learner types a layout in that notation, and each that is the same function is right"},
    {"choices", false, offsetof(struct lw_step, choices), TEXTS,
     "texts to choose from by their numbers; the answer is one of them"},
    {"wrong", false, offsetof(struct lw_step, wrong), PAIRS,
     "an object of wrong answers, each with the reason"},
    {"reveal", false, offsetof(struct lw_step, reveal), NAME,
     "the view that is shown with the answer; until then \"view\" is shown, or nothing where there "
     "is no \"view\""},
    {"use", false, offsetof(struct lw_step, use), NAMES,
     "names of actions ('laneway help scripts') and of views"},
    {"before", false, offsetof(struct lw_step, before), GOALS,
     "what the text claims about the start, as goals"},
    {"after", false, offsetof(struct lw_step, after), GOALS,
     "what \"done\" claims about the end, as goals"},
    {"hints", false, offsetof(struct lw_step, hints), TEXTS,
     "each more specific than the one before: a question, a method, and last the answer. With the "
     "last one the step counts as assisted"},
    {"solution", false, offsetof(struct lw_step, solution), NAMES,
     "the commands that reach the goal, as typed after a colon"},
    {"also", false, offsetof(struct lw_step, also), TRIES,
     "other lists of commands that must reach it"},
    {"refuse", false, offsetof(struct lw_step, refuse), TRIES,
     "lists of commands that must not reach it"},
    {"done", false, offsetof(struct lw_step, done), TEXT,
     "the text that is shown when the step is done"},
};

bool lw_step_key(size_t i, const char **name, const char **help)
{
    bool has = i < LW_COUNT(step_keys);
    *name = has ? step_keys[i].name : NULL;
    *help = has ? step_keys[i].help : NULL;
    return has;
}

static const char *key_at(const void *keys, size_t i)
{
    return ((const struct key *)keys)[i].name;
}

/* Returns the keys that the object has, a bit for each. */
static uint64_t read_keys(struct lw_lesson_reading *reading, const struct lw_value *object,
                          const struct key *keys, size_t count, const char *what, void *out)
{
    uint64_t seen = 0;
    for (size_t i = 0; i < object->count; i++) {
        const char *name = object->names[i];
        size_t k = 0;
        while (k < count && strcmp(keys[k].name, name) != 0)
            k++;
        if (k < count) {
            seen |= UINT64_C(1) << k;
            take(reading, keys[k].content, &object->items[i], name, (char *)out + keys[k].offset);
            continue;
        }
        char hint[LW_HINT_MAX];
        lw_lesson_problem(reading, object->items[i].name_position, "unknown key '%.40s' of a %s%s",
                          name, what,
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
    for (size_t k = 0; k < LW_COUNT(step_keys); k++) {
        const char *name = step_keys[k].name;
        bool has = seen >> k & 1, special = false; /* special: not every kind may have it */
        for (size_t i = 0; i < LW_COUNT(step_kinds); i++)
            special = special || lw_text_has_word(step_kinds[i].takes, name);
        if (!has && lw_text_has_word(kind->needs, name))
            lw_lesson_problem(reading, step->position, "this step has no '%s'; its kind is '%s'",
                              name, kind->name);
        else if (has && special && !lw_text_has_word(kind->takes, name))
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
    check_kind(reading, step,
               read_keys(reading, object, step_keys, LW_COUNT(step_keys), "step", step));
    if (step->hardware.name && !step->open.encoding && reading->err->code == LW_OK)
        lw_lesson_problem(reading, step->hardware.position,
                          "'hardware' is for the layout of 'open', which this step lacks");
    if (number == 0 && !step->open.encoding && reading->err->code == LW_OK)
        lw_lesson_problem(reading, step->position, "the first step must have 'open'");
}

static bool read_steps(struct lw_lesson_reading *reading, struct lw_value *value)
{
    struct lw_lesson *lesson = reading->lesson;
    if (!value->count || value->count > LW_STEPS_MAX)
        return false;
    lesson->steps = lw_arena_alloc(&lesson->arena, value->count * sizeof *lesson->steps);
    for (size_t i = 0; lesson->steps && i < value->count; i++)
        read_step(reading, &value->items[i], i);
    return true;
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

/* Reports that memory is out: what is in the arena may be incomplete. */
static void check_memory(struct lw_lesson_reading *reading, struct lw_position position)
{
    if (reading->lesson->arena.failed)
        lw_lesson_problem(reading, position, "out of memory");
    else if (reading->lesson->arena.full)
        lw_lesson_problem(reading, position, "the lesson takes over %zu MiB", LW_ARENA_MAX >> 20);
}

static void read_lesson(struct lw_lesson_reading *reading, struct lw_value *object)
{
    struct lw_value *tables = lw_lesson_member(object, "cases", strlen("cases"));
    struct lw_value *kernel = lw_lesson_member(object, "kernel", strlen("kernel"));
    if (tables)
        lw_lesson_expand_tables(reading, tables);
    if (kernel)
        read_kernel(reading, kernel);
    check_memory(reading, object->position);
    if (object->kind == LW_VALUE_OBJECT)
        read_keys(reading, object, lesson_keys, LW_COUNT(lesson_keys), "lesson", reading->lesson);
    else
        lw_lesson_problem(reading, object->position,
                          "a lesson must be an object: {\"lesson\": \"...\", ...}");
    check_memory(reading, object->position);
}

bool lw_lesson_read(struct lw_lesson *lesson, const char *text, size_t length, uint64_t seed,
                    const struct lw_goal_kind *kinds, size_t kind_count, struct lw_error *err)
{
    struct lw_value object;
    memset(lesson, 0, sizeof *lesson);
    lesson->title = lesson->about = lesson->learnt = lesson->kernel = "";
    lesson->case_count = 1;
    lesson->seed = seed;
    struct lw_lesson_reading reading = {
        .lesson = lesson, .length = length, .kinds = kinds, .kind_count = kind_count, .err = err};
    *err = (struct lw_error){.code = LW_OK};
    /* Documents point into the text. */
    if (lw_check_text(text, length, err) &&
        !(reading.text = lw_arena_string(&lesson->arena, text, length)))
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (err->code == LW_OK && lw_read_json(&lesson->arena, reading.text, length, &object, err))
        read_lesson(&reading, &object);
    else
        lw_error_excerpt(err, text, length);
    lw_kernel_free(&reading.kernel);
    if (err->code == LW_OK)
        return true;
    lw_lesson_free(lesson);
    return false;
}
