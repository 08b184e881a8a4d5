/* The texts of a comparison: how many elements differ, the names of the two layouts, and the owners of an element in
 * both. */

#include "tui/explore/explorer.h"
#include "view/view_parts.h"

#include <ctype.h>
#include <string.h>

/* Appends what differs between two layouts, if anything does. */
static void put_diff(struct lw_text *text, const struct lw_diff *diff, const char *which,
                     bool equal)
{
    if (!diff->fits && diff->why.code == LW_OK)
        return; /* there are none */
    if (diff->counted && diff->differing == 0)
        return;
    lw_text_format(text, "%s%s", text->length > 1 ? ", " : "", which);
    if (!diff->fits)
        lw_text_format(text, "not compared: %s", diff->why.message);
    else if (equal && diff->differing == diff->held)
        lw_text_format(text, "all %llu elements differ", (unsigned long long)diff->held);
    else if (equal)
        lw_text_format(text, "%llu of %llu elements are equal",
                       (unsigned long long)(diff->held - diff->differing),
                       (unsigned long long)diff->held);
    else
        lw_text_format(text, "%llu of %llu %s", (unsigned long long)diff->differing,
                       (unsigned long long)diff->held,
                       diff->counting  ? "differ so far"
                       : diff->counted ? "elements differ"
                                       : "compared differ");
    if (diff->fits && diff->counted && diff->shared)
        lw_text_format(text, "; %llu%s share an owner", (unsigned long long)diff->shared,
                       !equal                          ? " of them"
                       : diff->differing == diff->held ? ""
                                                       : " others");
}

static const char *name_of(const struct lw_subject *subject)
{
    return subject->tensor.element.name[0] ? subject->tensor.element.name : "none";
}

/* Appends the element types if they differ: "element f32 -> i8", or with the layout of each. */
static void put_elements(const struct lw_explorer *ex, struct lw_text *text)
{
    for (int i = 0; i < LW_SIDES && !text->length; i++) {
        const struct lw_subject *now =
            lw_layouts_at(&ex->layouts, (struct lw_shown){(enum lw_side)i, false});
        const struct lw_subject *other =
            lw_layouts_at(&ex->layouts, (struct lw_shown){(enum lw_side)i, true});
        if (!now || !other || !strcmp(now->tensor.element.name, other->tensor.element.name))
            continue;
        const char *own = name_of(now), *its = name_of(other);
        if (ex->compare.edited)
            lw_text_format(text, "element %s -> %s", its, own);
        else
            lw_text_format(text, "element %s, there %s", own, its);
    }
}

void lw_compare_put(const struct lw_explorer *ex, bool equal, struct lw_text *text)
{
    size_t before = text->length;
    for (int i = 0; i < LW_SIDES; i++) {
        char which[32] = "";
        if (lw_layouts_compare_several(&ex->layouts))
            snprintf(which, sizeof which, "%s: ", lw_side_name((enum lw_side)i));
        put_diff(text, &ex->compare.diff[i], which, equal);
    }
    bool moves = text->length != before;
    struct lw_text other = {0};
    put_elements(ex, &other);
    if (!moves && !text->failed)
        lw_text_add(text, other.length ? "no element moves" : "nothing differs");
    if (other.length)
        lw_text_format(text, "; %s", lw_text_string(&other));
    lw_text_free(&other);
}

/* Appends "thread 16, local 2", and the number of further owners. */
static void put_owners(struct lw_text *text, const struct lw_map *map, const uint64_t *out)
{
    struct lw_owners owners;
    uint64_t in[LW_DIMS_MAX];
    lw_owners_of(&owners, map, out);
    if (!owners.count) {
        lw_text_add(text, "no owner");
        return;
    }
    lw_owners_get(&owners, 0, in);
    lw_put_hardware_index(text, &map->in, in);
    if (owners.count > 1)
        lw_text_format(text, " and %llu more", (unsigned long long)owners.count - 1);
}

enum { SHORT_NAME = 32 };

/* The position of the first parameter in which two texts differ. */
static size_t first_difference(const char *a, const char *b)
{
    size_t start = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if ((a[i] == '{' || (a[i] == ' ' && i && a[i - 1] == ',')) &&
            isalpha((unsigned char)a[i + 1]))
            start = i + 1;
    return start;
}

const char *lw_compare_name(const struct lw_explorer *ex, bool other)
{
    const char *own = ex->compare.own_name, *their = ex->compare.other_name;
    const char *name = other ? their : own;
    bool alike = strlen(own) > SHORT_NAME && strlen(their) > SHORT_NAME;
    return alike ? name + first_difference(own, their) : name;
}

/* Appends why an element with copies differs, before its first owner there, which may be the first one here too:
 * "differs: 8 owners here, 1 there; ". */
static void put_reason(struct lw_text *text, const struct lw_map *here, const struct lw_map *there,
                       const uint64_t *out)
{
    const uint64_t owners = lw_map_owner_count(here, out), others = lw_map_owner_count(there, out);
    if (owners != others)
        lw_text_format(text, "differs: %llu owner%s here, %llu there; ", (unsigned long long)owners,
                       owners == 1 ? "" : "s", (unsigned long long)others);
    else if (owners > 1)
        lw_text_format(text, "differs: not the same %llu owners; ", (unsigned long long)owners);
}

/* Appends how many elements of a cell of several differ. */
static void put_count(const struct lw_explorer *ex, struct lw_text *text)
{
    enum { COUNTED = 1 << 12 };
    const struct lw_view_pane *pane = ex->panes.active;
    uint64_t all, steps = pane->step_rows * pane->step_cols;
    if (!lw_zoom_is_merged(pane) || steps > COUNTED)
        return;
    uint64_t differing =
        lw_cell_count_differing(ex, pane, pane->row / pane->step_rows * pane->step_rows,
                                pane->col / pane->step_cols * pane->step_cols, &all);
    lw_text_format(text, "; %llu of %llu here differ", (unsigned long long)differing,
                   (unsigned long long)all);
}

void lw_compare_explain(const struct lw_explorer *ex, const struct lw_spot *spot,
                        struct lw_explanation *explanation)
{
    const struct lw_view_pane *pane = ex->panes.active;
    const struct lw_shown shown = {pane->shown.side, !pane->shown.other};
    const struct lw_subject *other = lw_layouts_at(&ex->layouts, shown);
    const struct lw_diff *diff = &ex->compare.diff[pane->shown.side];
    if (!ex->layouts.has_other || !other || !diff->fits || !spot->has_out || spot->operand ||
        !explanation->count || explanation->count == LW_LINES_MAX)
        return;
    struct lw_text *text = lw_explanation_line(explanation, "there");
    const struct lw_subject *own =
        lw_layouts_at(&ex->layouts, (struct lw_shown){pane->shown.side, pane->shown.other});
    if (own && lw_differs(ex, pane, spot) && !lw_view_shows_indices(&pane->view))
        put_reason(text, &own->map, &other->map, spot->out);
    put_owners(text, &other->map, spot->out);
    const char *name = pane->shown.other ? ex->compare.own_name : ex->compare.other_name;
    bool is_time = !strcmp(name, "now") || !strcmp(name, LW_COMPARE_AS_READ);
    lw_text_format(text, " %s%s%s", is_time ? "" : "in ",
                   strlen(name) > SHORT_NAME ? "the other layout" : name,
                   lw_differs(ex, pane, spot) ? "" : ": the same");
    put_count(ex, text);
}
