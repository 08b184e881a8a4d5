/* The layouts on the screen: whether there is one at a side, and why it is not legal. */

#include "tui/explore/layouts.h"

const struct lw_subject *lw_layouts_at(const struct lw_layouts *layouts, struct lw_shown shown)
{
    bool has_own = shown.other ? layouts->has_other : layouts->has_opened;
    enum lw_side own = shown.other ? layouts->other_side : layouts->side;
    if (shown.side == own)
        return !has_own ? NULL : shown.other ? &layouts->other.subject : &layouts->opened.subject;
    if (shown.other)
        return layouts->has_other_side[shown.side] ? &layouts->other_sides[shown.side].subject
                                                   : NULL;
    return layouts->has_side[shown.side] ? &layouts->sides[shown.side].subject : NULL;
}

static bool are_several(const bool has[LW_SIDES])
{
    for (int i = 0; i < LW_SIDES; i++)
        if (has[i])
            return true;
    return false;
}

bool lw_layouts_are_several(const struct lw_layouts *layouts)
{
    return are_several(layouts->has_side);
}

bool lw_layouts_compare_several(const struct lw_layouts *layouts)
{
    return layouts->has_other && are_several(layouts->has_side) &&
           are_several(layouts->has_other_side);
}

enum lw_side lw_layouts_next(const struct lw_layouts *layouts, enum lw_side side)
{
    bool both = lw_layouts_compare_several(layouts);
    for (int i = 1; i < LW_SIDES; i++) {
        enum lw_side next = (enum lw_side)(((int)side + i) % LW_SIDES);
        if (lw_layouts_at(layouts, (struct lw_shown){next, false}) &&
            (!both || lw_layouts_at(layouts, (struct lw_shown){next, true})))
            return next;
    }
    return side;
}

const struct lw_error *lw_layouts_problem_at(const struct lw_layouts *layouts, enum lw_side side)
{
    return side == layouts->side ? &layouts->problem : &layouts->side_problems[side];
}

const struct lw_error *lw_layouts_problem(const struct lw_layouts *layouts)
{
    if (layouts->problem.code != LW_OK)
        return &layouts->problem;
    for (int i = 0; i < LW_SIDES; i++)
        if (layouts->side_problems[i].code != LW_OK)
            return &layouts->side_problems[i];
    return NULL;
}

bool lw_layouts_join(struct lw_layouts *layouts, bool other, struct lw_error *err)
{
    struct lw_subject *sides[LW_SIDES] = {0};
    for (int i = 0; i < LW_SIDES; i++)
        if (other ? layouts->has_other_side[i] : layouts->has_side[i])
            sides[i] = &(other ? layouts->other_sides : layouts->sides)[i].subject;
    sides[other ? layouts->other_side : layouts->side] =
        &(other ? &layouts->other : &layouts->opened)->subject;
    return lw_subject_join(sides, err);
}

bool lw_layouts_join_compared(struct lw_layouts *layouts, struct lw_error *err)
{
    const struct lw_map *a = &layouts->opened.subject.map, *b = &layouts->other.subject.map;
    bool fits = layouts->has_opened && layouts->has_other && layouts->side != LW_SIDE_S &&
                !lw_layouts_are_several(layouts) && a->out.count == b->out.count &&
                lw_dims_find(&a->in, "offset") < 0 && lw_dims_find(&b->in, "offset") < 0;
    for (int d = 0; fits && d < a->out.count; d++)
        fits = a->out.dim[d].size == b->out.dim[d].size;
    if (!fits)
        return true;
    struct lw_subject *const sides[LW_SIDES] = {
        [LW_SIDE_A] = &layouts->opened.subject, [LW_SIDE_B] = &layouts->other.subject};
    return lw_subject_join(sides, err);
}

void lw_layouts_close_all(struct lw_layouts *layouts, bool other)
{
    layouts->version++;
    bool *has_own = other ? &layouts->has_other : &layouts->has_opened;
    bool *has = other ? layouts->has_other_side : layouts->has_side;
    if (*has_own)
        lw_subject_close(other ? &layouts->other : &layouts->opened);
    *has_own = false;
    for (int i = 0; i < LW_SIDES; i++) {
        if (has[i])
            lw_subject_close(&(other ? layouts->other_sides : layouts->sides)[i]);
        has[i] = false;
    }
}
