/* Choosing a layout of an access from a list (layout_choices.c). */

#include "tui/access/layout_pick.h"
#include "tui/access/verdict.h"
#include "tui/draw/drawing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- The list ---- */

static void put_name(const struct lw_explorer *ex, const struct lw_layout_choice *choice,
                     struct lw_text *text)
{
    lw_text_add(text,
                choice->name ? choice->name : lw_entry_name(&ex->list.entries[choice->entry]));
}

static void put_title(const struct lw_explorer *ex, const struct lw_layout_choice *choice,
                      struct lw_text *text)
{
    char title[96] = "";
    if (choice->title)
        snprintf(title, sizeof title, "%s", choice->title);
    else if (choice->name)
        lw_gallery_title(lw_gallery_find(choice->name, NULL), title, sizeof title);
    lw_text_add(text, choice->name ? title : lw_entry_title(&ex->list.entries[choice->entry]));
}

static bool matches(const struct lw_explorer *ex, const struct lw_layout_choice *choice)
{
    struct lw_text text = {0};
    put_name(ex, choice, &text);
    lw_text_char(&text, '\n');
    put_title(ex, choice, &text);
    lw_text_format(&text, "\n%s", choice->encoding);
    bool has = lw_contains_text(lw_text_string(&text),
                                lw_text_string((struct lw_text *)&ex->layout_pick.filter.text));
    lw_text_free(&text);
    return has;
}

/* Row number `at` of the list; NULL: there are fewer. */
static const struct lw_layout_choice *listed(const struct lw_explorer *ex, size_t at)
{
    const struct lw_layout_pick *pick = &ex->layout_pick;
    for (size_t i = 0; i < pick->count; i++)
        if (matches(ex, &pick->all[i]) && at-- == 0)
            return &pick->all[i];
    return NULL;
}

static size_t count_listed(const struct lw_explorer *ex)
{
    const struct lw_layout_pick *pick = &ex->layout_pick;
    size_t count = 0;
    for (size_t i = 0; i < pick->count; i++)
        count += matches(ex, &pick->all[i]);
    return count;
}

/* ---- Keys ---- */

void lw_layout_pick_open(struct lw_explorer *ex, enum lw_side side)
{
    struct lw_layout_pick *pick = &ex->layout_pick;
    if (!lw_explorer_entry(ex)->loaded) {
        lw_explorer_set_message(ex, true, "there is no layout here");
        return;
    }
    pick->side = side;
    pick->at = pick->top = 0;
    lw_line_set(&pick->filter, "");
    if (!lw_layout_choices(ex, pick)) {
        ex->failed = true;
        return;
    }
    lw_focus_open(ex, LW_FOCUS_LAYOUTS);
}

bool lw_layout_pick_missing(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                            enum lw_side *side)
{
    size_t count;
    const struct lw_view_type *type = lw_view_types(&count)[pane->view_index];
    bool conversion = !strcmp(type->name, "conversion");
    if (!ex->layouts.has_opened || pane->has_view || !(conversion || type->heat))
        return false;
    if (lw_layouts_are_several(&ex->layouts)) { /* A and B may be one */
        bool b = lw_layouts_at(&ex->layouts, (struct lw_shown){LW_SIDE_B, false}) != NULL;
        bool a = lw_layouts_at(&ex->layouts, (struct lw_shown){LW_SIDE_A, false}) != NULL;
        *side = b ? LW_SIDE_A : LW_SIDE_B;
        return conversion && a != b;
    }
    bool memory = lw_dims_find(&ex->layouts.opened.subject.map.in, "offset") >= 0;
    if (conversion && memory)
        return false;
    *side = memory || conversion ? LW_SIDE_B : LW_SIDE_S;
    return true;
}

void lw_layout_pick_put_missing(struct lw_text *text, enum lw_side side)
{
    lw_text_format(text,
                   "This view needs %s: X chooses a layout from a list, :%s SOURCE names one.",
                   lw_side_name(side), lw_side_key(side));
}

void lw_layout_pick_shown(struct lw_explorer *ex, int unused)
{
    (void)unused;
    const struct lw_view_pane *pane = ex->panes.active;
    enum lw_side side = pane->shown.side;
    bool has_memory = lw_layouts_at(&ex->layouts, (struct lw_shown){LW_SIDE_S, false});
    if (!lw_layout_pick_missing(ex, pane, &side) && !pane->side_chosen && has_memory &&
        pane->has_view && pane->view.type->heat)
        side = LW_SIDE_S; /* banks are judged by it */
    lw_layout_pick_open(ex, side);
}

void lw_layout_pick_move(struct lw_explorer *ex, int by)
{
    int64_t count = (int64_t)count_listed(ex), at = (int64_t)ex->layout_pick.at + by;
    at = at >= count ? count - 1 : at;
    ex->layout_pick.at = (size_t)(at < 0 ? 0 : at);
}

void lw_layout_pick_key(struct lw_explorer *ex, uint32_t key)
{
    if (!lw_line_key(&ex->layout_pick.filter, key))
        return;
    ex->layout_pick.at = ex->layout_pick.top = 0;
}

/* Appends the SOURCE of the chosen layout. */
static void put_source(struct lw_explorer *ex, struct lw_text *source)
{
    const struct lw_layout_choice *choice = listed(ex, ex->layout_pick.at);
    const char *typed = lw_text_string((struct lw_text *)&ex->layout_pick.filter.text);
    if (!choice && !lw_layout_brief(ex, typed, source))
        lw_text_add(source, typed);
    else if (!choice)
        return;
    else if (choice->source || choice->name)
        lw_text_add(source, choice->source ? choice->source : choice->name);
    else
        lw_document_source(source, ex->list.entries[choice->entry].doc);
}

/* A layout of memory replaces shared S, also when the list is of registers. */
static bool is_memory(struct lw_explorer *ex, const char *source)
{
    struct lw_document doc, one;
    struct lw_error err;
    if (!lw_layouts_at(&ex->layouts, (struct lw_shown){LW_SIDE_S, false}) ||
        !lw_document_copy(&doc, lw_explorer_entry(ex)->doc, NULL))
        return false;
    bool is = doc.side != LW_SIDE_S && lw_document_set(&doc, lw_side_key(LW_SIDE_S), source, &err);
    if (is) {
        lw_document_side(&one, &doc, LW_SIDE_S);
        is = one.encoding->type->family == LW_FAMILY_SHARED;
    }
    lw_document_free(&doc);
    return is;
}

/* Refuses a choice that is listed as one that does not fit, unless its use has the full reason: memory
 * that does not hold the registers. */
static bool refuse(struct lw_explorer *ex, const struct lw_layout_choice *choice)
{
    struct lw_text name = {0};
    if (!choice || !choice->why[0] || choice->changes || choice->too_small)
        return false;
    put_name(ex, choice, &name);
    lw_explorer_set_message(ex, true, "%s does not fit as %s: %s; nothing is replaced",
                            lw_text_string(&name), lw_side_name(ex->layout_pick.side), choice->why);
    lw_text_free(&name);
    return true;
}

void lw_layout_pick_use(struct lw_explorer *ex, int unused)
{
    struct lw_text source = {0};
    enum lw_side side = ex->layout_pick.side;
    (void)unused;
    if (ex->focus != LW_FOCUS_LAYOUTS || refuse(ex, listed(ex, ex->layout_pick.at)))
        return;
    put_source(ex, &source);
    if (!source.length) {
        lw_explorer_set_message(ex, true, "type a SOURCE, or choose a layout");
        lw_text_free(&source);
        return;
    }
    if (side != LW_SIDE_S && is_memory(ex, lw_text_string(&source)))
        side = LW_SIDE_S;
    lw_focus_close(ex);
    if (!lw_verdict_set(ex, lw_side_key(side), lw_text_string(&source))) {
        lw_focus_open(ex, LW_FOCUS_LAYOUTS);
    } else {
        ex->panes.active->shown.side = side;
        ex->panes.active->side_chosen = true;
        ex->changed |= LW_CHANGED_VIEW;
    }
    lw_text_free(&source);
}

void lw_layout_pick_free(struct lw_explorer *ex)
{
    free(ex->layout_pick.all);
    ex->layout_pick.all = NULL;
    ex->layout_pick.count = 0;
    lw_text_free(&ex->layout_pick.filter.text);
}

/* ---- On the screen ---- */

bool lw_layout_pick_click(struct lw_explorer *ex, int row, int col)
{
    const struct lw_rect in = ex->layout_pick.inside;
    size_t at = ex->layout_pick.top + (size_t)(row - in.row);
    if (row < in.row || row >= in.row + in.height || col < in.col || col >= in.col + in.width ||
        at >= count_listed(ex))
        return false;
    ex->layout_pick.at = at;
    lw_layout_pick_use(ex, 0);
    return true;
}

enum { NAME = 30, NARROW = 60, COST = 8 };

/* The columns of the name, before those of the cost. */
static int name_width(int width)
{
    return width < NARROW ? width - COST - 1 : NAME;
}

static bool has_costs(const struct lw_explorer *ex)
{
    const struct lw_layout_pick *pick = &ex->layout_pick;
    return pick->count && pick->all[0].counted; /* sorted by cost */
}

static void put_cost(struct lw_surface *surface, struct lw_rect line, struct lw_pen pen,
                     const char *cost)
{
    lw_put_padded(surface, line.row, line.col + name_width(line.width), COST, pen, cost, true);
}

static void draw_one(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect line,
                     const struct lw_layout_choice *choice, bool chosen)
{
    struct lw_text text = {0};
    bool fits = !choice->why[0], narrow = line.width < NARROW;
    struct lw_pen pen = lw_pen(chosen ? LW_PEN_CURSOR : fits ? LW_PEN_TEXT : LW_PEN_HOLE);
    int name = fits || !narrow ? name_width(line.width) : line.width / 2, used = 0;
    lw_put_padded(surface, line.row, line.col, line.width, pen, "", false);
    put_name(ex, choice, &text);
    lw_put(surface, line.row, line.col + 1, name - 2, pen, lw_text_string(&text));
    lw_text_clear(&text);
    if (!fits || (choice->uncounted && has_costs(ex)))
        lw_text_add(&text, fits ? choice->uncounted : choice->why);
    else
        put_title(ex, choice, &text);
    if (fits && has_costs(ex)) {
        char cost[24] = "-";
        if (choice->counted)
            snprintf(cost, sizeof cost, "%" PRIu64, choice->wavefronts);
        put_cost(surface, line, pen, cost);
        used = COST + 2;
    }
    lw_put(surface, line.row, line.col + name + used, line.width - name - used - 1,
           chosen || !fits ? pen : lw_pen(LW_PEN_FAINT), lw_text_string(&text));
    lw_text_free(&text);
}

/* Puts on the lower border how many fit, and the cost of the present layout: "9 fit, 1 has no cost, 13 do not; now 1056
 * wf". */
static void put_counts(const struct lw_explorer *ex, struct lw_surface *surface,
                       struct lw_rect rect, size_t count)
{
    const struct lw_layout_pick *pick = &ex->layout_pick;
    struct lw_text text = {0};
    size_t fit = 0, changed = 0, uncounted = 0;
    for (size_t i = 0; i < count; i++) {
        const struct lw_layout_choice *choice = listed(ex, i);
        bool no_cost = !choice->why[0] && choice->uncounted && has_costs(ex);
        fit += !choice->why[0] && !no_cost;
        uncounted += no_cost;
        changed += choice->changes;
    }
    lw_text_format(&text, rect.width < NARROW ? " %zu of %zu fit" : " %zu fit", fit, count);
    if (uncounted && rect.width >= NARROW)
        lw_text_format(&text, ", %zu ha%s no cost", uncounted, uncounted > 1 ? "ve" : "s");
    if (changed && rect.width >= NARROW)
        lw_text_format(&text, ", %zu change the tensor", changed);
    if (count > fit + changed + uncounted && rect.width >= NARROW)
        lw_text_format(&text, ", %zu do not", count - fit - changed - uncounted);
    if (pick->counted && rect.width >= NARROW)
        lw_text_format(&text, "; now %" PRIu64 " wf", pick->now);
    lw_text_char(&text, ' ');
    lw_put(surface, rect.row + rect.height - 1, rect.col + 2, rect.width - 4, lw_pen(LW_PEN_LABEL),
           lw_text_string(&text));
    lw_text_free(&text);
}

void lw_draw_layout_pick(struct lw_explorer *ex, struct lw_surface *surface)
{
    struct lw_layout_pick *pick = &ex->layout_pick;
    struct lw_rect rect = lw_panes_over(ex);
    size_t count = count_listed(ex);
    struct lw_text title = {0};
    lw_text_format(&title, "%s: choose a layout, or type a SOURCE", lw_side_name(pick->side));
    struct lw_rect in = lw_put_frame(surface, rect, lw_text_string(&title), true);
    lw_text_free(&title);
    lw_put(surface, in.row, in.col + 1, 2, lw_pen(LW_PEN_KEY), "> ");
    lw_put_line(surface, (struct lw_rect){in.row, in.col + 3, 1, in.width - 4}, lw_pen(LW_PEN_TEXT),
                lw_text_string(&pick->filter.text), pick->filter.caret);
    if (count && !listed(ex, 0)->why[0] && has_costs(ex) && in.height > 1)
        put_cost(surface, (struct lw_rect){in.row + 1, in.col, 1, in.width}, lw_pen(LW_PEN_LABEL),
                 "wf");
    in.row += 2;
    in.height -= 2;
    size_t shown = in.height > 0 ? (size_t)in.height : 1;
    pick->top = pick->at < pick->top ? pick->at : pick->top;
    pick->top = pick->at >= pick->top + shown ? pick->at - shown + 1 : pick->top;
    pick->inside = in;
    for (size_t i = 0; i < shown && pick->top + i < count; i++)
        draw_one(ex, surface, (struct lw_rect){in.row + (int)i, in.col, 1, in.width},
                 listed(ex, pick->top + i), pick->top + i == pick->at);
    if (!count && in.height > 0)
        lw_put(surface, in.row, in.col + 1, in.width - 2, lw_pen(LW_PEN_FAINT),
               "not in the list: Enter uses the text as a SOURCE");
    if (count)
        put_counts(ex, surface, rect, count);
    lw_put_more(surface, rect, (int)pick->top, (int)count - (int)shown);
}
