/* Goals as sentences: the required value and the current value. */

#include "tui/lesson/lesson_run.h"

#include <string.h>

/* Appends part number `index` of a string with a separator. */
static void put_part(struct lw_text *text, const char *parts, char separator, uint64_t index)
{
    const char ends[] = {separator, '\0'};
    for (; index && *parts; index--) {
        parts += strcspn(parts, ends);
        parts += *parts == separator;
    }
    lw_text_bytes(text, parts, strcspn(parts, ends));
}

void lw_goal_put_value(struct lw_text *text, const struct lw_goal_kind *kind, uint64_t value)
{
    if (kind->value_kind == LW_GOAL_CHOICE)
        put_part(text, kind->choices, ' ', value);
    else
        lw_text_number(text, value);
}

/* Appends "the loads take * wavefront(s)" with a number, and the word that compares it. */
static void put_number(struct lw_text *text, const char *sentence, const char *compare,
                       uint64_t value)
{
    for (const char *p = sentence; *p; p++)
        if (*p == '*')
            lw_text_format(text, "%s%llu", compare, (unsigned long long)value);
        else if (strncmp(p, "(s)", 3) != 0)
            lw_text_char(text, *p);
        else {
            lw_text_add(text, value == 1 ? "" : "s");
            p += 2;
        }
}

static void put_differing(struct lw_text *text, struct lw_lesson_state *state,
                          const struct lw_goal *goal)
{
    uint64_t differing, held;
    if (!state->is_paper && lw_goal_differs(state, goal, &differing, &held) && differing)
        lw_text_format(text, "; now %llu of %llu elements have other owners",
                       (unsigned long long)differing, (unsigned long long)held);
}

/* "ideal" of load-ideal. */
static const char *last_name(const struct lw_goal_kind *kind)
{
    const char *dash = strrchr(kind->name, '-');
    return dash ? dash + 1 : kind->name;
}

/* Appends a comparison with an unknown number: "the loads take as many wavefronts as the ideal". */
static void put_compared(struct lw_text *text, const struct lw_goal *goal)
{
    const char *how = goal->compare < 0 ? "no more" : goal->compare > 0 ? "no fewer" : "as many";
    for (const char *p = goal->kind->sentence; *p; p++)
        if (*p == '*') {
            lw_text_add(text, how);
        } else if (!strncmp(p, "(s)", 3)) {
            lw_text_char(text, 's');
            p += 2;
        } else {
            lw_text_char(text, *p);
        }
    lw_text_format(text, " %s the %s", goal->compare ? "than" : "as", last_name(goal->other));
}

static void put_expected(struct lw_text *text, struct lw_lesson_state *state,
                         const struct lw_goal *goal)
{
    uint64_t expected = goal->number;
    if (goal->other && !goal->other->measure(state, &expected)) {
        put_compared(text, goal);
        if (lw_goal_is_searched(goal->other) && state->best_waits)
            lw_text_format(text, ", which %s", state->best_waits);
        return;
    }
    put_number(text, goal->kind->sentence,
               goal->compare < 0   ? "at most "
               : goal->compare > 0 ? "at least "
                                   : "",
               expected);
    if (goal->other) /* it depends on the layout: "the loads take 32 wavefronts, the ideal" */
        lw_text_format(text, ", the %s", last_name(goal->other));
}

/* Appends "row 2, column 3; now row 0, column 0"; fields of an element are those of its first owner. */
static void put_cursor(struct lw_text *text, struct lw_lesson_state *state,
                       const struct lw_goal *goal)
{
    const struct lw_spot *spot = state->spot;
    uint64_t in[LW_DIMS_MAX], value;
    for (int i = 0; i < goal->field_count; i++)
        lw_text_format(text, "%s%s %llu", i ? ", " : "", goal->fields[i],
                       (unsigned long long)goal->values[i]);
    if (state->is_paper || lw_goal_met(state, goal) || !spot || !spot->has_out || !state->pointed)
        return;
    if (spot->has_in)
        memcpy(in, spot->in, sizeof in);
    else if (!lw_map_owner(&state->pointed->map, spot->out, 0, in))
        return;
    for (int i = 0; i < goal->field_count; i++)
        if (lw_subject_field(state->pointed, goal->fields[i], in, spot->out, &value))
            lw_text_format(text, "%s%s %llu", i ? ", " : "; now ", goal->fields[i],
                           (unsigned long long)value);
}

static void put_unknown(struct lw_text *text, const struct lw_lesson_state *state,
                        const struct lw_goal_kind *kind)
{
    if (lw_goal_is_searched(kind) && state->best_waits)
        lw_text_format(text, "; it %s", state->best_waits);
    else if (state->why.code != LW_OK)
        lw_text_format(text, "; now that cannot be counted: %s", state->why.message);
    else
        lw_text_add(text, kind->value_kind == LW_GOAL_CHOICE ? "; now it is unknown"
                                                             : "; this layout has none");
}

void lw_goal_put(struct lw_text *text, struct lw_lesson_state *state, const struct lw_goal *goal)
{
    uint64_t value;
    const struct lw_goal_kind *kind = goal->kind;
    if (!kind->measure) {
        lw_text_add(text, kind->sentence);
        if (kind->value_kind == LW_GOAL_LAYOUT)
            put_differing(text, state, goal);
        else
            put_cursor(text, state, goal);
        return;
    }
    bool word = kind->value_kind == LW_GOAL_CHOICE;
    state->why.code = LW_OK;
    bool known = kind->measure(state, &value);
    struct lw_error why = state->why;
    if (word) {
        lw_text_add(text, "the conversion ");
        put_part(text, kind->sentence, '|', goal->number);
        lw_text_add(text, goal->compare < 0 && goal->number ? ", or less" : "");
    } else {
        put_expected(text, state, goal);
    }
    if (state->is_paper || lw_goal_met(state, goal))
        return;
    state->why = why; /* for this number, not for the one that it is compared with */
    if (!known) {
        put_unknown(text, state, kind);
        return;
    }
    lw_text_add(text, word ? "; now it " : "; now ");
    if (word)
        put_part(text, kind->sentence, '|', value);
    else
        lw_text_number(text, value);
}
