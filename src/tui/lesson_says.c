/* Goals as sentences: what is wanted, and what is so now. */

#include "tui/lesson_run.h"

#include <string.h>

/* Piece number `index` of a string that is parted by a character. */
static void put_piece(struct lw_text *text, const char *pieces, char parted, uint64_t index)
{
    const char ends[] = {parted, '\0'};
    for (; index && *pieces; index--) {
        pieces += strcspn(pieces, ends);
        pieces += *pieces == parted;
    }
    lw_text_bytes(text, pieces, strcspn(pieces, ends));
}

void lw_goal_put_value(struct lw_text *text, const struct lw_goal_kind *kind, uint64_t value)
{
    if (kind->takes == LW_GOAL_WORD)
        put_piece(text, kind->choices, ' ', value);
    else
        lw_text_number(text, value);
}

/* "the loads take * wavefront(s)" of a number, and what compares it. */
static void put_number(struct lw_text *text, const char *says, const char *compare, uint64_t value)
{
    for (const char *p = says; *p; p++)
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
    if (lw_goal_differs(state, goal, &differing, &held) && differing)
        lw_text_format(text, "; now %llu of %llu elements are elsewhere",
                       (unsigned long long)differing, (unsigned long long)held);
}

static void put_wanted(struct lw_text *text, struct lw_lesson_state *state,
                       const struct lw_goal *goal)
{
    uint64_t wanted = goal->number;
    if (goal->other && !goal->other->measure(state, &wanted)) {
        lw_text_format(text, "%s is %s, which this layout has not", goal->kind->name,
                       goal->other->name);
        return;
    }
    put_number(text, goal->kind->says,
               goal->compare < 0   ? "at most "
               : goal->compare > 0 ? "at least "
                                   : "",
               wanted);
    if (goal->other) { /* which the layout may move: "the loads take 32 wavefronts, the ideal" */
        const char *dash = strrchr(goal->other->name, '-');
        lw_text_format(text, ", the %s", dash ? dash + 1 : goal->other->name);
    }
}

void lw_goal_put(struct lw_text *text, struct lw_lesson_state *state, const struct lw_goal *goal)
{
    uint64_t value;
    const struct lw_goal_kind *kind = goal->kind;
    if (!kind->measure) {
        lw_text_add(text, kind->says);
        if (kind->takes == LW_GOAL_LAYOUT)
            put_differing(text, state, goal);
        return;
    }
    bool known = kind->measure(state, &value), word = kind->takes == LW_GOAL_WORD;
    if (word) {
        lw_text_format(text, "the %s ", kind->name);
        put_piece(text, kind->says, '|', goal->number);
    } else {
        put_wanted(text, state, goal);
    }
    if (lw_goal_met(state, goal))
        return;
    lw_text_add(text, word ? "; now it " : "; now ");
    if (!known)
        lw_text_add(text, word ? "cannot be told" : "there is none");
    else if (word)
        put_piece(text, kind->says, '|', value);
    else
        lw_text_number(text, value);
}
