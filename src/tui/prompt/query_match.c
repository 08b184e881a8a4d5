/* The matches of a query in the active view: in a view of several layouts the elements and indices of each. */

#include "tui/explore/explorer.h"
#include "tui/prompt/query_match.h"

#include <string.h>

enum { OPERANDS = LW_QUERY_OPERANDS };

const struct lw_subject *lw_query_layout(const struct lw_explorer *ex, int operand)
{
    const struct lw_view_pane *pane = ex->panes.active;
    const char *name;
    const struct lw_subject *subject = NULL;
    if (pane->has_view && pane->view.type->layout)
        subject = lw_view_layout(&pane->view, operand, &name);
    return subject ? subject : lw_explorer_subject(ex, pane);
}

/* The view's own subject is operand 0, as in a spot. */
static bool read_at(const struct lw_explorer *ex, const char *text, int operand, struct lw_query *q)
{
    const struct lw_subject *subject = lw_query_layout(ex, operand);
    bool is_query = subject && *text && lw_query_read(q, subject, text);
    q->operand = subject == ex->panes.active->view.subject ? 0 : operand;
    return is_query;
}

/* The number of the last layout of the view that threads own, the result; 0: none, as all of tcgen05 are in memory. */
static int last_layout(const struct lw_view *view)
{
    const char *name;
    int number = OPERANDS;
    while (number && !lw_view_layout(view, number, &name))
        number--;
    return number;
}

/* The layout under the cursor if the user moved it, as where it is at first depends on the room; else the result. */
static int searched_layout(const struct lw_explorer *ex)
{
    const struct lw_panes_state *panes = &ex->panes;
    return panes->has_spot && panes->moved ? panes->spot.operand
                                           : last_layout(&panes->active->view);
}

const char *lw_query_named_layout(const struct lw_explorer *ex)
{
    const struct lw_view_pane *pane = ex->panes.active;
    const char *name;
    int last = pane->has_view && pane->view.type->layout ? last_layout(&pane->view) : 0;
    return last && lw_view_layout(&pane->view, last, &name) ? name : NULL;
}

bool lw_query_find(const struct lw_explorer *ex, const char *text, struct lw_query *q)
{
    const struct lw_view_pane *pane = ex->panes.active;
    bool several = pane->has_view && pane->view.type->layout;
    int operand = several ? lw_query_operand(&pane->view, &text) : 0;
    if (operand)
        return lw_query_read_named(q, &pane->view, operand, text);
    if (!several)
        return read_at(ex, text, 0, q);
    const char *name;
    struct lw_query first;
    if (!last_layout(&pane->view)) {
        *q = (struct lw_query){.element = true,
                               .why = "all operands are in memory: no thread holds their elements"};
        return true;
    }
    bool is_query = read_at(ex, text, searched_layout(ex), q);
    if (!is_query || !q->why[0])
        return is_query;
    first = *q;
    for (int number = 1; number <= OPERANDS; number++)
        if (lw_view_layout(&pane->view, number, &name) && read_at(ex, text, number, q) &&
            !q->why[0])
            return true;
    *q = first;
    return true;
}

/* Sets the spot of match number k; returns how many match. */
static uint64_t spot_number(const struct lw_explorer *ex, const struct lw_query *q, uint64_t k,
                            struct lw_spot *spot)
{
    const struct lw_subject *subject = lw_query_layout(ex, q->operand);
    const struct lw_map *map = &subject->map;
    memset(spot, 0, sizeof *spot);
    spot->operand = q->operand;
    if (q->element) {
        spot->has_out = true;
        memcpy(spot->out, q->number, sizeof spot->out);
        spot->has_in = lw_map_owner(map, spot->out, k, spot->in);
        uint64_t owners = lw_map_owner_count(map, spot->out);
        return owners ? owners : 1;
    }
    uint64_t total = lw_query_index(q, subject, k, spot->in);
    spot->has_in = total > 0;
    spot->has_out = spot->has_in && lw_map_apply(map, spot->in, spot->out);
    return total;
}

/* Whether find goes through all layouts of the view: the query names none of them, and is an element, or an index in
 * the operands of an MMA. */
static bool is_of_all(const struct lw_explorer *ex, const struct lw_query *q)
{
    const struct lw_view_pane *pane = ex->panes.active;
    const char *text = ex->prompt.found;
    if (!pane->has_view || !pane->view.type->layout || lw_query_operand(&pane->view, &text))
        return false;
    return q->element || !strcmp(pane->view.type->name, "mma");
}

/* Reads the query for operand number i of the search: the one in which it began, then those after it. False: there is
 * none, or it has no match. */
static bool read_in_turn(const struct lw_explorer *ex, int i, struct lw_query *q)
{
    const struct lw_view *view = &ex->panes.active->view;
    const char *name;
    const struct lw_subject *first = lw_view_layout(view, ex->prompt.found_operand, &name);
    int begin = 1;
    while (begin < OPERANDS && lw_view_layout(view, begin, &name) != first)
        begin++;
    int operand = (begin + i - 1) % OPERANDS + 1;
    const struct lw_subject *subject = lw_view_layout(view, operand, &name);
    return subject && read_at(ex, ex->prompt.found, operand, q) && !q->why[0];
}

uint64_t lw_query_match(struct lw_explorer *ex, const struct lw_query *q, uint64_t k,
                        struct lw_spot *spot)
{
    struct lw_query own;
    struct lw_spot at;
    uint64_t total = 0;
    bool all = is_of_all(ex, q);
    if (!all)
        total = spot_number(ex, q, k, spot);
    for (int i = 0; all && i < OPERANDS; i++) {
        if (!read_in_turn(ex, i, &own))
            continue;
        uint64_t count = spot_number(ex, &own, 0, &at);
        if (k >= total && k - total < count)
            spot_number(ex, &own, k - total, spot);
        total += count;
    }
    if (!total)
        lw_explorer_set_message(ex, true, "%s: no match", ex->prompt.found);
    return total;
}

void lw_query_put_order(const struct lw_explorer *ex, const struct lw_query *q, int operand,
                        struct lw_text *text)
{
    struct lw_query own;
    const char *name = "";
    int count = 0;
    if (!is_of_all(ex, q)) {
        lw_text_add(text, ", n for the next");
        return;
    }
    lw_view_layout(&ex->panes.active->view, operand, &name);
    lw_text_format(text, ", %s; n goes through", name);
    for (int i = 0; i < OPERANDS; i++)
        if (read_in_turn(ex, i, &own)) {
            lw_view_layout(&ex->panes.active->view, own.operand, &name);
            lw_text_format(text, "%s %s", count++ ? "," : "", name);
        }
}

bool lw_query_put_operand(const struct lw_explorer *ex, const struct lw_query *q, uint64_t k,
                          struct lw_text *text)
{
    struct lw_query own;
    struct lw_spot at;
    const char *names[OPERANDS];
    int count = 0, here = 0;
    uint64_t total = 0, number = 0, owners = 1;
    if (!q->element || !is_of_all(ex, q))
        return false;
    for (int i = 0; i < OPERANDS; i++) {
        if (!read_in_turn(ex, i, &own))
            continue;
        uint64_t held = spot_number(ex, &own, 0, &at);
        if (k >= total && k - total < held) {
            here = count;
            number = k - total + 1;
            owners = held;
        }
        total += held;
        lw_view_layout(&ex->panes.active->view, own.operand, &names[count++]);
    }
    if (!count)
        return false;
    lw_text_format(text, "%s %s", names[here], ex->prompt.found);
    if (owners > 1)
        lw_text_format(text, ", owner %llu of %llu", (unsigned long long)number,
                       (unsigned long long)owners);
    for (int i = 1; i < count; i++)
        lw_text_format(text, "%s %s", i > 1 ? "," : "; n:", names[(here + i) % count]);
    return true;
}

bool lw_query_again(struct lw_explorer *ex, struct lw_spot *spot)
{
    struct lw_query q;
    struct lw_spot at;
    if (!lw_query_find(ex, ex->prompt.found, &q) || q.why[0] || q.element)
        return false;
    uint64_t total = lw_query_match(ex, &q, 0, &at);
    bool found = total && lw_query_match(ex, &q, ex->prompt.found_at % total, &at) && at.has_out;
    if (found)
        *spot = at;
    return found;
}
