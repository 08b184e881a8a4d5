/* Lights the cells with the same thread, lane, warp, register or bank as the cursor in every pane; the other cells may
 * be dimmed. */

#include "tui/pane/follow.h"
#include "tui/draw/drawing.h"

#include <string.h>

#define SHARED "lit: row and column of what the element is made of or used for"

enum { OWNERS_MAX = 256 }; /* of one element: more are not examined */

static const char *const names[] = {"thread", "lane", "warp", "register", "bank"};
enum { NAMES = sizeof names / sizeof *names, NOTHING = NAMES };

/* The largest value of a field; false: the layout has no such field. */
static bool find_field(const struct lw_subject *subject, const char *name,
                       struct lw_cell_field *field, uint64_t *max)
{
    if (!lw_cell_field_find(subject, name, strlen(name), field))
        return false;
    *max = lw_cell_field_max(subject, *field);
    return true;
}

/* Whether a field can be followed. With one warp a thread is a lane: only the one that is a dim of the layout. */
static bool can_follow(const struct lw_subject *subject, size_t i, struct lw_cell_field *field)
{
    struct lw_cell_field warp;
    uint64_t max, warps;
    if (i >= NAMES || !find_field(subject, names[i], field, &max))
        return false;
    bool several = find_field(subject, "warp", &warp, &warps) && warps > 0;
    bool lanes = lw_dims_find(&subject->map.in, "lane") >= 0;
    return several ||
           (strcmp(names[i], lanes ? "thread" : "lane") != 0 && strcmp(names[i], "warp"));
}

/* The followed field: the user's choice if the layout has it, else the first that it has. */
static size_t choose(const struct lw_explorer *ex, const struct lw_subject *subject,
                     struct lw_cell_field *field)
{
    size_t chosen = ex->panes.follow;
    if (chosen == NOTHING + 1)
        return NOTHING;
    if (chosen && can_follow(subject, chosen - 1, field))
        return chosen - 1;
    for (size_t i = 0; i < NAMES; i++)
        if (can_follow(subject, i, field))
            return i;
    return NOTHING;
}

/* Whether the elements that have an index in common with the cursor's can be lit: while the rest is dimmed. */
static bool can_share(const struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    return false && ex && pane;
}

void lw_follow_begin(const struct lw_explorer *ex, struct lw_follow *follow)
{
    const struct lw_view_pane *pane = ex->panes.active;
    const struct lw_spot *spot = &ex->panes.spot;
    const char *name;
    *follow = (struct lw_follow){.operand = spot->operand, .spot = spot, .shown = pane->shown};
    if (ex->focus == LW_FOCUS_GALLERY || !lw_explorer_subject(ex, pane) || !pane->has_view ||
        !pane->view.type->spot || !ex->panes.has_spot || !spot->has_in)
        return;
    follow->subject = lw_view_layout(&pane->view, spot->operand, &name);
    if (!follow->subject)
        return;
    follow->dims = ex->panes.dims;
    follow->shares = can_share(ex, pane) && follow->subject->map.out.count == 2;
    follow->parts = !ex->panes.follow && (pane->view.shades || follow->shares);
    if (follow->parts) {
        follow->on = true;
        follow->name = "";
        return;
    }
    size_t i = choose(ex, follow->subject, &follow->field);
    if (i == NOTHING)
        return;
    follow->on = true;
    follow->name = names[i];
    follow->copies = lw_map_replication(&follow->subject->map) > 1;
    follow->value =
        lw_cell_field_value(follow->subject, follow->field, ex->panes.spot.in, ex->panes.spot.out);
}

/* Whether one of the owners of an element of a layout has the value. */
static bool owner_has(const struct lw_follow *follow, const struct lw_subject *subject,
                      struct lw_cell_field field, const uint64_t *out)
{
    const struct lw_map *map = &subject->map;
    uint64_t in[LW_DIMS_MAX];
    for (int d = 0; d < map->out.count; d++)
        if (out[d] >= map->out.dim[d].size)
            return false;
    for (uint64_t k = 0; k < OWNERS_MAX && lw_map_owner(map, out, k, in); k++) {
        if (lw_cell_field_value(subject, field, in, out) == follow->value)
            return true;
        if (lw_map_replication(map) == 1)
            return false;
    }
    return false;
}

bool lw_follow_compares(const struct lw_follow *follow, const struct lw_view_pane *pane)
{
    return pane->shown.side == follow->shown.side && pane->shown.other != follow->shown.other;
}

bool lw_follow_has(const struct lw_follow *follow, const struct lw_view_pane *pane,
                   const struct lw_spot *spot)
{
    const char *name;
    const struct lw_subject *subject = lw_view_layout(&pane->view, spot->operand, &name);
    struct lw_cell_field field;
    if (!subject)
        return false;
    if (pane->view.type->belongs && spot->operand != follow->operand)
        return pane->view.type->belongs(&pane->view, spot, follow->spot);
    if (follow->parts)
        return spot->operand == follow->operand && spot->has_out &&
               !memcmp(spot->out, follow->spot->out,
                       (size_t)subject->map.out.count * sizeof *spot->out);
    /* Another operand of the same MMA has its own owners. */
    if (spot->operand != follow->operand)
        return spot->has_out &&
               lw_cell_field_find(subject, follow->name, strlen(follow->name), &field) &&
               owner_has(follow, subject, field, spot->out);
    if (lw_follow_compares(follow, pane) &&
        lw_cell_field_find(subject, follow->name, strlen(follow->name), &field))
        return lw_view_shows_indices(&pane->view)
                   ? spot->has_in &&
                         lw_cell_field_value(subject, field, spot->in, spot->out) == follow->value
                   : spot->has_out && owner_has(follow, subject, field, spot->out);
    bool exact = !follow->copies || lw_view_shows_indices(&pane->view);
    if (subject == follow->subject && spot->has_in && exact)
        return lw_cell_field_value(subject, follow->field, spot->in, spot->out) == follow->value;
    return spot->has_out && subject->map.out.count == follow->subject->map.out.count &&
           owner_has(follow, follow->subject, follow->field, spot->out);
}

void lw_follow_put(const struct lw_follow *follow, struct lw_text *text)
{
    if (follow->parts)
        lw_text_add(text, follow->shares ? "what the element is made of or used for"
                                         : "what belongs to the element");
    else if (follow->on)
        lw_text_format(text, "%s %llu", follow->name, (unsigned long long)follow->value);
}

void lw_follow_choose(struct lw_explorer *ex, const char *name)
{
    for (size_t i = 0; i < NAMES; i++)
        if (!strcmp(names[i], name)) {
            ex->panes.follow = i + 1;
            ex->changed |= LW_CHANGED_DETAIL;
        }
}

/* ---- Keys ---- */

void lw_follow_dim(struct lw_explorer *ex, int unused)
{
    (void)unused;
    ex->panes.dims = !ex->panes.dims;
    ex->changed |= LW_CHANGED_DETAIL;
    if (!ex->panes.follow && can_share(ex, ex->panes.active))
        lw_explorer_set_message(ex, false, SHARED "; H: lane");
}

/* Shows what is lit, and the other choices of `H` in this layout. */
static void report_followed(struct lw_explorer *ex, const struct lw_subject *subject, size_t chosen)
{
    struct lw_cell_field field;
    struct lw_text choices = {0};
    for (size_t i = 0; i < NAMES; i++)
        if (can_follow(subject, i, &field))
            lw_text_format(&choices, "%s%s", choices.length ? ", " : "", names[i]);
    lw_explorer_set_message(ex, false, "%s%s (H: %s, nothing)",
                            chosen == NOTHING ? "nothing is lit" : "lit: what has the cursor's ",
                            chosen == NOTHING ? "" : names[chosen], lw_text_string(&choices));
    lw_text_free(&choices);
}

void lw_follow_next(struct lw_explorer *ex, int by)
{
    const struct lw_subject *subject = lw_explorer_subject(ex, ex->panes.active);
    struct lw_cell_field field;
    if (!subject)
        return;
    const bool shares = can_share(ex, ex->panes.active);
    bool parts = shares || (ex->panes.active->has_view && ex->panes.active->view.shades);
    size_t at = parts && !ex->panes.follow ? NOTHING : choose(ex, subject, &field);
    ex->changed |= LW_CHANGED_DETAIL;
    if (parts && ex->panes.follow == NOTHING + 1) {
        ex->panes.follow = 0;
        lw_explorer_set_message(ex, false, "%s",
                                shares ? SHARED : "lit: what belongs to the element");
        return;
    }
    do
        at = (at + (size_t)(NAMES + 1 + by)) % (NAMES + 1);
    while (at != NOTHING && !can_follow(subject, at, &field));
    ex->panes.follow = at + 1;
    report_followed(ex, subject, at);
}
