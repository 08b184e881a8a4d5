/*
 * Lessons from JSON: the keys are the tables below, and the kinds of steps with the keys that they need. Invariant: a
 * lesson that is read has legal layouts and known goals, and each step has the keys that its kind needs.
 *
 * Steps may use a table of the lesson: in all steps "tile 2" is the second row that is drawn of the table `tile`. Rows
 * that are drawn are different: seed s draws row s first, and then the rows after it. "$name" in the strings of the
 * step is replaced by the row's value for the name. A string that is "$name" alone becomes the value itself, also a
 * number.
 */

#include "laneway/kernel.h"
#include "notation/document/lesson.h"
#include "notation/document/read.h"

#include "core/array_count.h"
#include "core/unused.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A lesson while it is read. The first problem is kept, and the lesson is refused in the end. */
struct reading {
    struct lw_lesson *lesson;
    const char *text;
    size_t length;
    const struct lw_goal_kind *kinds;
    size_t kind_count;
    struct lw_error *err;          /* code LW_OK: there is no problem yet */
    const struct lw_value *tables; /* "cases" of the lesson; NULL: none */
    struct lw_kernel kernel;       /* of "kernel"; all zeros: none */
};

/* Keeps a problem, unless there is one already; returns false. */
LW_PRINTF(3, 4)
static bool problem(struct reading *reading, struct lw_position position, const char *format, ...)
{
    va_list args;
    if (reading->err->code != LW_OK)
        return false;
    *reading->err = (struct lw_error){.code = LW_ERROR_SYNTAX, .position = position};
    va_start(args, format);
    vsnprintf(reading->err->message, sizeof reading->err->message, format, args);
    va_end(args);
    lw_error_excerpt(reading->err, reading->text, reading->length);
    return false;
}

/* ---- Tables of the lesson ---- */

/* Keeps "cases": each table is a list of rows, which are objects. */
static void read_tables(struct reading *reading, const struct lw_value *tables)
{
    bool good = tables->kind == LW_VALUE_OBJECT && tables->count > 0;
    for (size_t i = 0; good && i < tables->count; i++) {
        const struct lw_value *table = &tables->items[i];
        good = table->kind == LW_VALUE_LIST && table->count > 0;
        for (size_t k = 0; good && k < table->count; k++)
            good = table->items[k].kind == LW_VALUE_OBJECT;
    }
    if (good)
        reading->tables = tables;
    else
        problem(reading, tables->position,
                "'cases' of a lesson must be an object of lists: {\"tile\": "
                "[{\"rows\": 16}, {\"rows\": 32}]}");
}

/* ---- The case of a step ---- */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

/* The member whose name is `length` bytes of a text; NULL: it has none. */
static const struct lw_value *member_of(const struct lw_value *object, const char *text,
                                        size_t length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    return length < sizeof name ? lw_value_member(object, name) : NULL;
}

static void put_string(struct reading *reading, const struct lw_value *one, struct lw_value *string)
{
    const char *p = string->string, *end;
    struct lw_position position = string->position;
    struct lw_text text = {0};
    for (size_t length; (end = strchr(p, '$')); p = end + 1 + length) {
        length = strspn(end + 1, letters);
        const struct lw_value *value = length ? member_of(one, end + 1, length) : NULL;
        if (length && !value)
            problem(reading, position, "this case has no '%.*s'", (int)(length < 40 ? length : 40),
                    end + 1);
        if (value && end == string->string && !end[1 + length]) { /* alone */
            *string = *value;
            string->position = position;
            return;
        }
        lw_text_bytes(&text, p, (size_t)(end - p));
        if (value && value->kind == LW_VALUE_STRING)
            lw_text_add(&text, value->string);
        else if (value)
            lw_value_print(&text, value);
        else if (!length)
            lw_text_char(&text, '$');
    }
    lw_text_add(&text, p);
    const char *copy = lw_arena_string(&reading->lesson->arena, lw_text_string(&text), text.length);
    if (copy && !text.failed)
        string->string = copy;
    else
        problem(reading, position, "out of memory");
    lw_text_free(&text);
}

static void put(struct reading *reading, const struct lw_value *one, struct lw_value *value)
{
    if (value->kind == LW_VALUE_STRING && strchr(value->string, '$'))
        put_string(reading, one, value);
    else if (value->kind == LW_VALUE_LIST || value->kind == LW_VALUE_OBJECT)
        for (size_t i = 0; i < value->count; i++)
            put(reading, one, &value->items[i]);
}

/* The row of "tile 2", the second one that is drawn of the table `tile`; NULL: it is reported. */
static const struct lw_value *find_row(struct reading *reading, const struct lw_value *name)
{
    struct lw_lesson *lesson = reading->lesson;
    const char *text = name->kind == LW_VALUE_STRING ? name->string : "";
    size_t length = strcspn(text, " ");
    const struct lw_value *table = member_of(reading->tables, text, length);
    char *end = NULL;
    uint64_t number = text[length] ? strtoull(text + length, &end, 10) : 1;
    if (!table)
        problem(reading, name->position,
                "'cases' of a step must name a table of the lesson, such as \"tile 1\"");
    else if ((end && *end) || !number || number > table->count)
        problem(reading, name->position, "'cases': the draws of this table are 1 to %zu",
                table->count);
    if (reading->err->code != LW_OK)
        return NULL;
    if (lesson->case_count < table->count)
        lesson->case_count = table->count;
    return &table->items[(lesson->seed % table->count + number - 1) % table->count];
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

/* "unknown goal 'x'", with the nearest kind of goal. */
static bool unknown(struct reading *reading, struct lw_position position, const char *what,
                    const char *name)
{
    char hint[LW_HINT_MAX];
    const char *near =
        lw_nearest_row(name, reading->kind_count, reading->kinds, sizeof *reading->kinds);
    return problem(reading, position, "unknown %s '%.40s'%s", what, name,
                   lw_text_hint(hint, near, "; 'laneway help goals' lists them"));
}

/* Reads a string, or a list of paragraphs. */
static bool read_text(struct reading *reading, struct lw_value *value, const char *name, void *out)
{
    struct lw_text text = {0};
    const struct lw_value *items = value->kind == LW_VALUE_LIST ? value->items : value;
    size_t count = value->kind == LW_VALUE_LIST ? value->count : 1;
    for (size_t i = 0; i < count; i++) {
        if (items[i].kind != LW_VALUE_STRING) {
            problem(reading, items[i].position.line ? items[i].position : value->position,
                    "'%s' must be a string, or a list of paragraphs", name);
            lw_text_free(&text);
            return false;
        }
        lw_text_format(&text, "%s%s", i ? "\n" : "", items[i].string);
    }
    const char *copy = lw_arena_string(&reading->lesson->arena, lw_text_string(&text), text.length);
    lw_text_free(&text);
    *(const char **)out =
        copy ? copy : ""; /* then the arena has failed, and the lesson is refused */
    return copy;
}

static bool must_be(struct reading *reading, const struct lw_value *value, const char *name,
                    const char *what)
{
    return problem(reading, value->position, "'%s' must be %s", name, what);
}

/* Reads a list of texts, commands or names: struct lw_strings. */
static bool read_list(struct reading *reading, struct lw_value *value, const char *name, void *out)
{
    struct lw_strings *list = out;
    if (value->kind != LW_VALUE_LIST)
        return must_be(reading, value, name, "a list of strings");
    list->position = value->position;
    list->lines = lw_arena_alloc(&reading->lesson->arena, (value->count + 1) * sizeof *list->lines);
    for (size_t i = 0; list->lines && i < value->count; i++)
        if (read_text(reading, &value->items[i], name, &list->lines[list->count]))
            list->count++;
    return true;
}

/* ---- Layouts ---- */

/* Keeps the text of "kernel", its lines, in the lesson, and reads it. */
static void read_kernel(struct reading *reading, struct lw_value *lines)
{
    struct lw_error err = {0};
    const char *kept = "";
    if (!read_text(reading, lines, "kernel", &kept))
        return;
    if (lw_kernel_read(&reading->kernel, kept, strlen(kept), NULL, &err))
        reading->lesson->kernel = kept;
    else
        problem(reading, lines->position, "'kernel': %.200s", err.message);
}

/* Makes a document of what the operation in that line of the kernel moves. */
static bool read_line(struct reading *reading, const struct lw_value *line, struct lw_document *doc)
{
    const struct lw_kernel *kernel = &reading->kernel;
    struct lw_error err = {0};
    if (!*reading->lesson->kernel)
        return problem(reading, line->position,
                       "the lesson has no 'kernel', of which this is a line");
    size_t i = 0;
    while (i < kernel->operation_count &&
           (line->kind != LW_VALUE_INTEGER || kernel->operations[i].position.line != line->integer))
        i++;
    if (i == kernel->operation_count)
        return problem(
            reading, line->position,
            "'line' must be the number of a line of 'kernel' with an operation that moves data");
    struct lw_document of_kernel;
    if (!lw_document_of_operation(&of_kernel, kernel, &kernel->operations[i], &err))
        return problem(reading, line->position, "'kernel': %.200s", err.message);
    bool good = lw_document_copy(doc, &of_kernel, &err); /* which borrows nothing from the kernel */
    lw_document_free(&of_kernel);
    return good || problem(reading, line->position, "out of memory");
}

/* Reads a SOURCE in a string, or a document. That of "open" is also built; others get the tensor of the open layout,
 * and are built when that is known. */
static bool read_layout(struct reading *reading, struct lw_value *value, const char *name,
                        void *out)
{
    struct lw_error err = {0};
    if (value->kind == LW_VALUE_OBJECT && value->count == 1 && !strcmp(value->names[0], "line"))
        return read_line(reading, &value->items[0], out);
    bool read = lw_document_of_object(out, value, reading->text, reading->length, NULL, &err);
    if (!read || (!strcmp(name, "open") && !lw_document_check(out, &err)))
        problem(reading, err.position.line ? err.position : value->position, "%s", err.message);
    return read;
}

/* ---- Goals ---- */

/* The index of a word in a list of words that are separated by blanks; -1: not in the list. */
static int choice_index(const char *choices, const char *word)
{
    size_t length = strlen(word);
    for (int index = 0; *choices; choices += strspn(choices, " "), index++) {
        size_t n = strcspn(choices, " ");
        if (n == length && !strncmp(choices, word, n))
            return index;
        choices += n;
    }
    return -1;
}

/* "<= " and ">= " before a number or a choice: -1, 1; else 0. */
static int read_compare(const char **text)
{
    int compare = !strncmp(*text, "<=", 2) ? -1 : !strncmp(*text, ">=", 2) ? 1 : 0;
    *text += compare ? 2 : 0;
    *text += strspn(*text, " ");
    return compare;
}

static void read_number(struct reading *reading, const struct lw_value *value, struct lw_goal *goal)
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
        problem(reading, value->position,
                "%s must be a number, such as 4 or \"<= 4\", or the name of a number",
                goal->kind->name);
}

static void read_choice(struct reading *reading, const struct lw_value *value, struct lw_goal *goal)
{
    const char *choice = value->kind == LW_VALUE_STRING ? value->string : "";
    goal->compare = read_compare(&choice);
    int index = choice_index(goal->kind->choices, choice);
    goal->number = (uint64_t)index;
    if (index < 0)
        problem(reading, value->position, "%s must be one of: %s", goal->kind->name,
                goal->kind->choices);
}

static void read_fields(struct reading *reading, const struct lw_value *value, struct lw_goal *goal)
{
    bool good = value->kind == LW_VALUE_OBJECT && value->count > 0 && value->count <= LW_GOALS_MAX;
    for (size_t i = 0; good && i < value->count; i++) {
        good = value->items[i].kind == LW_VALUE_INTEGER && value->items[i].integer >= 0;
        goal->fields[i] = value->names[i];
        goal->values[i] = (uint64_t)value->items[i].integer;
        goal->field_count = (int)i + 1;
    }
    if (!good)
        problem(reading, value->position,
                "%s must be an object such as {\"row\": 3, \"column\": 5}", goal->kind->name);
}

static bool read_goals(struct reading *reading, struct lw_value *value, const char *name, void *out)
{
    struct lw_goals *goals = out;
    if (value->kind != LW_VALUE_OBJECT || !value->count || value->count > LW_GOALS_MAX)
        return must_be(reading, value, name, "an object of 1 to 8 goals: {\"load-wavefronts\": 1}");
    goals->items = lw_arena_alloc(&reading->lesson->arena, value->count * sizeof *goals->items);
    for (size_t i = 0; goals->items && i < value->count; i++) {
        const char *goal_name = value->names[i];
        struct lw_value *item = &value->items[i];
        const struct lw_goal_kind *kind =
            lw_goal_kind_find(reading->kinds, reading->kind_count, goal_name, strlen(goal_name));
        if (!kind) {
            unknown(reading, item->name_position, "kind of goal", goal_name);
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
            read_layout(reading, item, goal_name, &goal->layout);
    }
    return true;
}

/* ---- Values of keys ---- */

/* Reads the value of a key of that name into a member; a problem is kept. */
typedef bool key_reader(struct reading *reading, struct lw_value *value, const char *name,
                        void *out);

static bool read_version(struct reading *reading, struct lw_value *value, const char *name,
                         LW_UNUSED void *unused)
{
    return (value->kind == LW_VALUE_INTEGER && value->integer == 1) ||
           must_be(reading, value, name, "1, the version of the format");
}

/* struct lw_step_name */
static bool read_name(struct reading *reading, struct lw_value *value, const char *name, void *out)
{
    *(struct lw_step_name *)out = (struct lw_step_name){value->string, value->position};
    return value->kind == LW_VALUE_STRING || must_be(reading, value, name, "a name in quotes");
}

static bool read_access(struct reading *reading, struct lw_value *value, const char *name,
                        void *out)
{
    return read_name(reading, value, name, out) &&
           (choice_index("load store", value->string) >= 0 ||
            must_be(reading, value, name, "one of: load store"));
}

static const char *const step_kinds[] = {"do", "mend", "predict", "see"};

static bool read_kind(struct reading *reading, struct lw_value *value, const char *name, void *out)
{
    const char *word = value->kind == LW_VALUE_STRING ? value->string : "";
    int kind = LW_STEP_SEE;
    while (kind >= 0 && strcmp(step_kinds[kind], word) != 0)
        kind--;
    *(enum lw_step_kind_id *)out = (enum lw_step_kind_id)(kind < 0 ? 0 : kind);
    return kind >= 0 || must_be(reading, value, name, "one of: do mend predict see");
}

/* struct lw_tries */
static bool read_tries(struct reading *reading, struct lw_value *value, const char *name, void *out)
{
    struct lw_tries *tries = out;
    if (value->kind != LW_VALUE_LIST)
        return must_be(reading, value, name, "a list of lists of commands");
    tries->items =
        lw_arena_alloc(&reading->lesson->arena, (value->count + 1) * sizeof *tries->items);
    for (size_t i = 0; tries->items && i < value->count; i++)
        if (!read_list(reading, &value->items[i], name, &tries->items[tries->count++]))
            return false;
    return true;
}

/* struct lw_pairs */
static bool read_pairs(struct reading *reading, struct lw_value *value, const char *name, void *out)
{
    struct lw_pairs *pairs = out;
    if (value->kind != LW_VALUE_OBJECT)
        return must_be(reading, value, name, "an object of strings");
    pairs->position = value->position;
    pairs->items =
        lw_arena_alloc(&reading->lesson->arena, (value->count + 1) * sizeof *pairs->items);
    for (size_t i = 0; pairs->items && i < value->count; i++) {
        struct lw_pair *pair = &pairs->items[pairs->count];
        *pair = (struct lw_pair){.name = value->names[i], .position = value->items[i].position};
        pairs->count += read_text(reading, &value->items[i], name, &pair->text);
    }
    return true;
}

/* ---- Keys ---- */

/* Sets of kinds of steps. */
enum {
    DO = 1 << LW_STEP_DO | 1 << LW_STEP_MEND,
    PREDICT = 1 << LW_STEP_PREDICT,
    SEE = 1 << LW_STEP_SEE,
    ALL = DO | PREDICT | SEE
};

struct key {
    const char *name;
    unsigned needed, taken; /* the kinds of steps that must have it, and that may have it */
    size_t offset;          /* of the member that it sets */
    key_reader *read;       /* NULL: it is read before the other keys */
    const char *help;       /* of a step: one line */
};

static key_reader read_steps;

static const struct key lesson_keys[] = {
    {"laneway", 0, ALL, 0, read_version, NULL},
    {"lesson", ALL, ALL, offsetof(struct lw_lesson, title), read_text, NULL},
    {"about", 0, ALL, offsetof(struct lw_lesson, about), read_text, NULL},
    {"cases", 0, ALL, 0, NULL, NULL},
    {"kernel", 0, ALL, 0, NULL, NULL},
    {"steps", ALL, ALL, 0, read_steps, NULL},
    {"learnt", ALL, ALL, offsetof(struct lw_lesson, learnt), read_text, NULL},
    {"read", 0, ALL, offsetof(struct lw_lesson, read), read_list, NULL},
};

static const struct key step_keys[] = {
    {"kind", 0, ALL, offsetof(struct lw_step, kind), read_kind,
     "the kind of the step: do, mend, predict or see; without it: do"},
    {"cases", 0, ALL, 0, NULL,
     "the name of a list of \"cases\" of the lesson and a number: \"$name\" in the strings of the "
     "step is replaced by the member of that name of an object that is chosen at random. All steps "
     "with \"tile 2\" have the same one, and those with \"tile 1\" another one"},
    {"text", ALL, ALL, offsetof(struct lw_step, text), read_text,
     "the explanation, a string or a list of paragraphs"},
    {"open", 0, ALL, offsetof(struct lw_step, open), read_layout,
     "the layout, a SOURCE or a document, also of an access (\"store\", \"shared\", \"load\" "
     "beside "
     "the layout), or {\"line\": 12}, what the operation in that line of \"kernel\" converts, "
     "reads "
     "or writes. Without it the step keeps the layout of the step before; the first step needs it"},
    {"hardware", 0, ALL, offsetof(struct lw_step, hardware), read_name,
     "the target whose lanes and banks count for the layout of \"open\", such as gfx942 "
     "('laneway help targets')"},
    {"view", 0, ALL, offsetof(struct lw_step, view), read_name,
     "the view to show: owners, path, memory, matrix, mma, product, text, hardware, conversion"},
    {"access", 0, ALL, offsetof(struct lw_step, access), read_access,
     "the access that the path view begins with: load, store"},
    {"do", ALL, ALL, offsetof(struct lw_step, task), read_text, "the task, or the question"},
    {"goal", DO, DO | SEE, offsetof(struct lw_step, goal), read_goals,
     "the conditions that must all hold ('laneway help goals')"},
    {"aim", 0, DO, offsetof(struct lw_step, aim), read_text,
     "a sentence that is shown instead of the goals, which may reveal the answer"},
    {"answer", PREDICT, PREDICT, offsetof(struct lw_step, answer), read_text,
     "a text with a marker, so that it is computed. With {notation cute}, or triton, tilus, the "
     "learner types a layout in that notation, and each that is the same function is right"},
    {"choices", 0, PREDICT, offsetof(struct lw_step, choices), read_list,
     "texts to choose from by their numbers; the answer is one of them"},
    {"wrong", 0, PREDICT, offsetof(struct lw_step, wrong), read_pairs,
     "an object of wrong answers, each with the reason"},
    {"reveal", 0, PREDICT, offsetof(struct lw_step, reveal), read_name,
     "the view that is shown with the answer; until then \"view\" is shown, or nothing where there "
     "is no \"view\""},
    {"use", SEE, SEE, offsetof(struct lw_step, use), read_list,
     "names of actions ('laneway help scripts') and of views"},
    {"before", 0, ALL, offsetof(struct lw_step, before), read_goals,
     "what the text claims about the start, as goals"},
    {"after", 0, ALL, offsetof(struct lw_step, after), read_goals,
     "what \"done\" claims about the end, as goals"},
    {"hints", DO | PREDICT, ALL, offsetof(struct lw_step, hints), read_list,
     "each more specific than the one before: a question, a method, and last the answer. With the "
     "last one the step counts as assisted"},
    {"solution", DO, DO, offsetof(struct lw_step, solution), read_list,
     "the commands that reach the goal, as typed after a colon"},
    {"refuse", 0, DO, offsetof(struct lw_step, refuse), read_tries,
     "lists of commands that must not reach it"},
    {"done", 0, ALL, offsetof(struct lw_step, done), read_text,
     "the text that is shown when the step is done"},
};

bool lw_step_key(size_t i, const char **name, const char **help)
{
    bool has = i < LW_COUNT(step_keys);
    *name = has ? step_keys[i].name : NULL;
    *help = has ? step_keys[i].help : NULL;
    return has;
}

/* Reads the keys of a step, or with `step` NULL of the lesson. */
static void read_keys(struct reading *reading, const struct lw_value *object,
                      const struct key *keys, size_t count, struct lw_step *step)
{
    uint64_t seen = 0;
    const char *what = step ? "step" : "lesson";
    char *out = step ? (char *)step : (char *)reading->lesson;
    for (size_t i = 0; i < object->count; i++) {
        const char *name = object->names[i];
        size_t k = 0;
        while (k < count && strcmp(keys[k].name, name) != 0)
            k++;
        if (k < count) {
            seen |= UINT64_C(1) << k;
            if (keys[k].read)
                keys[k].read(reading, &object->items[i], name, out + keys[k].offset);
            continue;
        }
        char hint[LW_HINT_MAX];
        problem(reading, object->items[i].name_position, "unknown key '%.40s' of a %s%s", name,
                what,
                lw_text_hint(hint, lw_nearest_row(name, count, keys, sizeof *keys),
                             "; 'laneway help lessons' lists them"));
    }
    const enum lw_step_kind_id kind = step ? step->kind : LW_STEP_DO;
    for (size_t k = 0; k < count; k++) {
        bool has = seen >> k & 1;
        if (has ? !(keys[k].taken >> kind & 1) : keys[k].needed >> kind & 1)
            problem(reading, object->position, "this %s %s '%s'%s%s", what,
                    has ? "may not have" : "has no", keys[k].name, step ? "; its kind is " : "",
                    step ? step_kinds[kind] : "");
    }
}

static void read_step(struct reading *reading, struct lw_value *object, size_t number)
{
    struct lw_lesson *lesson = reading->lesson;
    struct lw_step *step = &lesson->steps[lesson->step_count++];
    step->position = object->position;
    step->text = step->task = step->done = step->aim = step->answer = "";
    if (object->kind != LW_VALUE_OBJECT) {
        problem(reading, object->position, "a step must be an object: {\"text\": \"...\", ...}");
        return;
    }
    /* "$name" is replaced by what the case of the step, a row of a table, has for the name. */
    const struct lw_value *cases = lw_value_member(object, "cases");
    const struct lw_value *row = cases ? find_row(reading, cases) : NULL;
    for (size_t i = 0; row && i < object->count; i++)
        if (&object->items[i] != cases)
            put(reading, row, &object->items[i]);
    read_keys(reading, object, step_keys, LW_COUNT(step_keys), step);
    if (step->hardware.name && !step->open.encoding && reading->err->code == LW_OK)
        problem(reading, step->hardware.position,
                "'hardware' is for the layout of 'open', which this step lacks");
    if (number == 0 && !step->open.encoding && reading->err->code == LW_OK)
        problem(reading, step->position, "the first step must have 'open'");
}

static bool read_steps(struct reading *reading, struct lw_value *value, const char *name,
                       LW_UNUSED void *unused)
{
    struct lw_lesson *lesson = reading->lesson;
    if (value->kind != LW_VALUE_LIST || !value->count || value->count > LW_STEPS_MAX)
        return must_be(reading, value, name, "a list of 1 to 64 steps");
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
        struct lw_goals *lists[] = {&step->goal, &step->before, &step->after};
        for (int k = 0; k < 3; k++)
            for (int g = 0; g < lists[k]->count; g++)
                lw_document_free(&lists[k]->items[g].layout);
    }
    lw_arena_free(&lesson->arena);
    memset(lesson, 0, sizeof *lesson);
}

/* Reports that memory is out: what is in the arena may be incomplete. */
static void check_memory(struct reading *reading, struct lw_position position)
{
    if (reading->lesson->arena.failed)
        problem(reading, position, "out of memory");
    else if (reading->lesson->arena.full)
        problem(reading, position, "the lesson takes over %zu MiB", LW_ARENA_MAX >> 20);
}

static void read_lesson(struct reading *reading, struct lw_value *object)
{
    struct lw_value *tables = lw_value_member(object, "cases");
    struct lw_value *kernel = lw_value_member(object, "kernel");
    if (tables)
        read_tables(reading, tables);
    if (kernel)
        read_kernel(reading, kernel);
    check_memory(reading, object->position);
    if (object->kind == LW_VALUE_OBJECT)
        read_keys(reading, object, lesson_keys, LW_COUNT(lesson_keys), NULL);
    else
        problem(reading, object->position,
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
    struct reading reading = {
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

bool lw_lesson_same_answer(const char *a, const char *b)
{
    static const char ignored[] = " ()[]";
    for (;; a++, b++) {
        a += strspn(a, ignored);
        b += strspn(b, ignored);
        if (!*a || tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return !*a && !*b;
    }
}

void lw_lesson_put_for_paper(struct lw_text *text, const char *template)
{
    while (*template) {
        size_t length = strcspn(template, "\n");
        for (size_t i = 0; i < length; i++)
            if (strchr(".?)", template[i]) && template[i + 1] == ' ')
                length = i + 1;
        const char *key = strstr(template, "{key ");
        if (!key || key >= template + length) {
            const char last = text->length ? text->data[text->length - 1] : '\n';
            lw_text_add(text, last == '\n' ? "" : " ");
            lw_text_bytes(text, template, length);
        }
        template += length;
        template += strspn(template, " ");
        if (*template == '\n' && *template ++)
            lw_text_char(text, '\n');
    }
}
