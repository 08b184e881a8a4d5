/* Checks the numbers in digits in the texts of a lesson. Each must be an exact number in "before", "goal" or "after",
 * which lesson_check.c checks; or one in "numbers", whose sum is computed here; or one in "labels", which only names
 * something, as in "lane 20". A label that is not needed is reported. Digits in a name (f16), a marker, a list ([4, 8])
 * or a command of the step do not count. */

#include "tui/lesson/lesson_run.h"

#include "core/array_count.h"

#include <stdlib.h>
#include <string.h>

/* A run of digits in a text. */
struct digits {
    const char *start;
    size_t length;
};

static bool is_number(uint64_t value, struct digits digits)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    if (digits.length > 2 && digits.start[1] == 'b') {
        uint64_t bits = 0;
        for (size_t i = 2; i < digits.length; i++)
            bits = bits << 1 | (uint64_t)(digits.start[i] - '0');
        return bits == value;
    }
    return strlen(text) == digits.length && !memcmp(text, digits.start, digits.length);
}

/* ---- Proven numbers ---- */

static bool goals_have(const struct lw_goals *goals, struct digits digits)
{
    for (int i = 0; i < goals->count; i++) {
        const struct lw_goal *goal = &goals->items[i];
        if (goal->kind->value_kind == LW_GOAL_NUMBER && !goal->other && !goal->compare &&
            is_number(goal->number, digits))
            return true;
        for (int k = 0; k < goal->field_count; k++)
            if (is_number(goal->values[k], digits))
                return true;
    }
    return false;
}

static bool labels_have(const struct lw_labels *labels, struct digits digits)
{
    for (size_t i = 0; i < labels->count; i++)
        if (is_number(labels->items[i], digits))
            return true;
    return false;
}

/* Whether a number is in "numbers"; one in binary, 0b01101, by its value. */
static bool sums_have(const struct lw_pairs *pairs, struct digits digits)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (is_number(strtoull(pairs->items[i].name, NULL, 10), digits))
            return true;
    return false;
}

/* Whether a number is proven without labels. `step` NULL: in a text of the lesson. */
static bool is_proven(const struct lw_lesson *lesson, const struct lw_step *step,
                      struct digits digits)
{
    return sums_have(&lesson->numbers, digits) ||
           (step && (sums_have(&step->numbers, digits) || goals_have(&step->before, digits) ||
                     goals_have(&step->goal, digits) || goals_have(&step->after, digits)));
}

/* A step has its own labels: those of the lesson are for its title, "about" and "learnt". */
static const struct lw_labels *labels_of(const struct lw_lesson *lesson, const struct lw_step *step)
{
    return step ? &step->labels : &lesson->labels;
}

/* ---- Numbers in a text ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_in_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The length of a command at the start of `text`: ":set vec=8" for "set vec=8", "/3,7" for "find 3,7"; 0: another
 * text. */
static size_t quoted_line(const char *text, const char *line)
{
    static const char find[] = "find ";
    bool finds = !strncmp(line, find, sizeof find - 1);
    const char *typed = *text == '/' && finds ? line + sizeof find - 1 : line;
    size_t length = strlen(typed);
    bool same = (*text == ':' || (*text == '/' && finds)) && !strncmp(text + 1, typed, length);
    return same && !is_in_word(text[1 + length]) ? 1 + length : 0;
}

/* The length of a command of the step that solves it. */
static size_t quoted_command(const struct lw_step *step, const char *text)
{
    size_t length = 0;
    for (size_t i = 0; i < step->solution_count && !length; i++)
        length = quoted_line(text, step->solution[i]);
    for (size_t i = 0; i < step->also_count && !length; i++)
        for (size_t k = 0; k < step->also[i].count && !length; k++)
            length = quoted_line(text, step->also[i].lines[k]);
    return length;
}

/* The length of a list of numbers in brackets, [4, 8] or [[0, 1], [2, 0]]; 0: it is something else. */
static size_t list_length(const char *text)
{
    size_t length = *text == '[' ? strspn(text, "[]0123456789, ") : 0;
    while (length && text[length - 1] != ']')
        length--;
    return length;
}

/* The length of a marker, a command or a name at the start of a text, whose digits do not count; 0: something else. */
static size_t skipped(const struct lw_step *step, const char *text)
{
    size_t length = 0;
    if (*text == '{')
        return text[1] == '{' ? 2 : strcspn(text, "}");
    if ((step && (length = quoted_command(step, text))) || (length = list_length(text)))
        return length;
    while (!is_digit(*text) && is_in_word(text[length]))
        length++;
    return length;
}

static size_t number_length(const char *text)
{
    size_t length = !strncmp(text, "0b", 2) ? 2 + strspn(text + 2, "01") : 0;
    while (is_digit(text[length]) || (length && text[length] == '.' && is_digit(text[length + 1])))
        length++;
    return length;
}

/* The first kind of goal with this value; NULL: none. */
static const char *name_of_value(const struct lw_lesson_run *run, struct digits digits)
{
    size_t count;
    const struct lw_goal_kind *kinds = lw_goal_kinds(&count);
    for (size_t i = 0; i < count; i++)
        if (kinds[i].value_kind == LW_GOAL_NUMBER && run->was.known[i] &&
            is_number(run->was.value[i], digits))
            return kinds[i].name;
    return NULL;
}

static void report_number(const struct lw_lesson_run *run, struct lw_report *report,
                          const struct lw_step *step, const char *key, struct digits digits)
{
    char message[240], marker[64] = "a marker";
    const char *name = name_of_value(run, digits);
    if (name)
        snprintf(marker, sizeof marker, "{%s}, if it means that", name);
    snprintf(
        message, sizeof message,
        "the number %.*s in '%s' is not proven: write %s, add it to 'numbers'%s, or to 'labels' "
        "if it only names something",
        (int)(digits.length < 40 ? digits.length : 40), digits.start, key, marker,
        step ? ", 'before', 'goal' or 'after'" : " of the lesson");
    if (step) {
        lw_lesson_report(report, run, step->position, "%s", message);
        return;
    }
    struct lw_error err = {.code = LW_ERROR_UNSUPPORTED, .position = run->lesson.numbers.position};
    if (!err.position.line) /* there is no "numbers": the position is the beginning of the file */
        err.position = (struct lw_position){1, 1, 1};
    snprintf(err.message, sizeof err.message, "%s", message);
    lw_report_add(report, &err);
}

/* Sets *digits to the next number from *at on; false: there are no more. A word that begins with digits, as 32x16, also
 * has numbers. */
static bool next_number(const struct lw_step *step, const char **at, bool *in_word,
                        struct digits *digits)
{
    for (const char *p = *at; *p;) {
        *digits = (struct digits){p, number_length(p)};
        size_t skip = digits->length || (*in_word && is_in_word(*p)) ? 0 : skipped(step, p);
        *in_word = digits->length || (*in_word && is_in_word(*p));
        p += digits->length ? digits->length : skip ? skip : 1;
        *at = p;
        if (digits->length)
            return true;
    }
    return false;
}

static void check_text(const struct lw_lesson_run *run, struct lw_report *report,
                       const struct lw_step *step, const char *key, const char *text)
{
    struct digits digits;
    bool in_word = false; /* in a word that begins with a digit */
    while (next_number(step, &text, &in_word, &digits))
        if (!is_proven(&run->lesson, step, digits) &&
            !labels_have(labels_of(&run->lesson, step), digits))
            report_number(run, report, step, key, digits);
}

/* Whether a text has a number that is proven only by its label. */
static bool needs_label(const struct lw_lesson *lesson, const struct lw_step *step,
                        const char *text, uint64_t label)
{
    struct digits digits;
    bool in_word = false;
    while (next_number(step, &text, &in_word, &digits))
        if (is_number(label, digits) && !is_proven(lesson, step, digits))
            return true;
    return false;
}

/* ---- Lessons and steps ---- */

static void check_sums(struct lw_explorer *ex, struct lw_report *report,
                       const struct lw_pairs *pairs)
{
    struct lw_lesson_state state;
    lw_lesson_state(ex, &state);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct lw_pair *pair = &pairs->items[i];
        uint64_t value;
        if (!lw_lesson_arithmetic(&state, &ex->lesson->was, pair->text, &value))
            lw_lesson_report(report, ex->lesson, pair->position,
                             "'numbers': '%.80s' has no value here", pair->text);
        else if (!is_number(value, (struct digits){pair->name, strlen(pair->name)}))
            lw_lesson_report(report, ex->lesson, pair->position,
                             "'numbers': '%.80s' is %llu, not %.40s", pair->text,
                             (unsigned long long)value, pair->name);
    }
}

struct keyed_text {
    const char *key, *text;
};

/* Text i of a step, or of the lesson; key NULL: there are no more. */
static struct keyed_text text_at(const struct lw_lesson *lesson, const struct lw_step *step,
                                 size_t i)
{
    const struct keyed_text of_lesson[] = {
        {"lesson", lesson->title}, {"about", lesson->about}, {"learnt", lesson->learnt}};
    if (!step)
        return i < LW_COUNT(of_lesson) ? of_lesson[i] : (struct keyed_text){0};
    const struct keyed_text texts[] = {{"text", step->text},
                                       {"do", step->task},
                                       {"aim", step->aim},
                                       {"answer", step->answer},
                                       {"done", step->done}};
    if (i < LW_COUNT(texts))
        return texts[i];
    i -= LW_COUNT(texts);
    if (i < step->hint_count)
        return (struct keyed_text){"hints", step->hints[i]};
    i -= step->hint_count;
    return i < step->wrong.count ? (struct keyed_text){"wrong", step->wrong.items[i].text}
                                 : (struct keyed_text){0};
}

static void check_texts(const struct lw_lesson_run *run, struct lw_report *report,
                        const struct lw_step *step)
{
    const struct lw_lesson *lesson = &run->lesson;
    const struct lw_labels *labels = labels_of(lesson, step);
    for (size_t i = 0; text_at(lesson, step, i).key; i++)
        check_text(run, report, step, text_at(lesson, step, i).key, text_at(lesson, step, i).text);
    for (size_t k = 0; k < labels->count && lesson->case_count == 1; k++) {
        bool needed = false;
        for (size_t i = 0; text_at(lesson, step, i).key && !needed; i++)
            needed = needs_label(lesson, step, text_at(lesson, step, i).text, labels->items[k]);
        if (!needed)
            lw_lesson_report(report, run, step ? step->position : (struct lw_position){1, 1, 1},
                             "%s: label %llu proves no number: remove it",
                             step ? "this step" : "the lesson",
                             (unsigned long long)labels->items[k]);
    }
}

void lw_lesson_check_numbers(struct lw_explorer *ex, struct lw_report *report,
                             const struct lw_step *step)
{
    const struct lw_lesson_run *run = ex->lesson;
    if (run->step == 0) {
        check_sums(ex, report, &run->lesson.numbers);
        check_texts(run, report, NULL);
    }
    check_sums(ex, report, &step->numbers);
    check_texts(run, report, step);
}
