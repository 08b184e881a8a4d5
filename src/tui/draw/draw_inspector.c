/* The inspector: it explains the element under the cursor, a field of the form, or else shows the title and
 * text of the layout. */

#include "tui/draw/drawing.h"
#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/lesson/lesson_run.h"
#include "view/view_parts.h"

#include <string.h>

/* Appends the column of a cell of a heat map; false: it is another view. */
static bool put_bank(const struct lw_view_pane *pane, struct lw_text *title)
{
    struct lw_text name = {0};
    if (!pane->has_view || !pane->view.type->heat || !pane->view.type->col_label)
        return false;
    pane->view.type->col_label(&pane->view, pane->col, &name);
    bool bank = strspn(lw_text_string(&name), "0123456789") == name.length;
    lw_text_format(title, "%s%s", bank ? "Bank " : "Instruction",
                   bank ? lw_text_string(&name) : "");
    lw_text_free(&name);
    return true;
}

static void inspector_title(const struct lw_explorer *ex, struct lw_text *title)
{
    struct lw_spot spot;
    if (put_bank(ex->panes.active, title))
        return;
    if (!lw_pane_spot(ex, ex->panes.active, &spot) || !spot.has_out) {
        lw_text_add(title, "Inspector");
        return;
    }
    const char *name;
    const struct lw_subject *subject = lw_view_layout(&ex->panes.active->view, spot.operand, &name);
    bool low = ex->panes.inspector == LW_INSPECTOR_LOW;
    lw_text_format(title, "%s%s(", *name ? name : low ? "" : "Element", *name || !low ? " " : "");
    for (int i = 0; subject && i < subject->map.out.count; i++)
        lw_text_format(title, "%s%llu", i ? ", " : "", (unsigned long long)spot.out[i]);
    lw_text_char(title, ')');
}

/* Draws the next paragraph; returns the rectangle below it. */
static struct lw_rect put_below(struct lw_surface *surface, struct lw_rect rest,
                                enum lw_pen_kind pen, const char *text)
{
    int used = lw_put_wrapped(surface, rest, lw_pen(pen), text);
    return (struct lw_rect){rest.row + used, rest.col, rest.height - used, rest.width};
}

/* A document's title and text, while moving through the list. False: not all of it fits. */
static bool inspect_entry(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect inside)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    if (!entry->loaded)
        return true;
    if (entry->dirty && entry->doc->about[0])
        inside = put_below(surface, inside, LW_PEN_CHANGED,
                           "The text describes the layout before the edits:");
    lw_put_wrapped(surface, inside, lw_pen(LW_PEN_TEXT), entry->doc->about);
    return lw_wrapped_rows(entry->doc->about, inside.width) <= inside.height;
}

/* "w0 l16 r4", "w0 l3 r1 and 1 more" */
static void put_owner(const struct lw_subject *subject, const struct lw_spot *spot,
                      struct lw_text *text)
{
    const unsigned long long more = lw_map_owner_count(&subject->map, spot->out) - 1;
    lw_put_hardware_index_short(text, &subject->map.in, spot->in, -1);
    if (more)
        lw_text_format(text, " and %llu more", more);
}

int lw_draw_owner(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_panes panes;
    struct lw_spot spot;
    const char *name;
    lw_panes(ex, &panes);
    if (panes.inspector.height || panes.lesson.height || lw_lesson_is_on(ex) ||
        pane != ex->panes.active || !lw_pane_is_picture(pane) || !lw_pane_spot(ex, pane, &spot) ||
        !spot.has_in || !spot.has_out)
        return 0;
    const struct lw_subject *subject = lw_view_layout(&pane->view, spot.operand, &name);
    struct lw_text text = {0};
    if (!subject)
        return 0;
    lw_text_char(&text, ' ');
    lw_text_format(&text, "%s%s", name, *name ? " " : "");
    lw_put_element(&text, subject->map.out.count, spot.out);
    lw_text_add(&text, ": ");
    put_owner(subject, &spot, &text);
    lw_text_char(&text, ' ');
    int used = 2 + lw_put(surface, rect.row + rect.height - 1, rect.col + 2, rect.width - 4,
                          lw_pen(LW_PEN_LABEL_ON), lw_text_string(&text));
    lw_text_free(&text);
    return used;
}

enum { LABEL = 13 };

size_t lw_inspector_columns(const struct lw_explorer *ex)
{
    struct lw_panes panes;
    lw_panes(ex, &panes);
    return panes.inspector.width > LABEL + 4 ? (size_t)(panes.inspector.width - LABEL - 4) : 0;
}

/* Without a frame, which has the element as its title, the first line begins with the element. */
static void put_label(struct lw_explorer *ex, struct lw_surface *surface, int row, int col, int i)
{
    struct lw_text title = {0};
    bool low = ex->panes.inspector == LW_INSPECTOR_LOW && i == 0;
    if (low)
        inspector_title(ex, &title);
    lw_put(surface, row, col, LABEL - 1, lw_pen(low ? LW_PEN_LABEL_ON : LW_PEN_LABEL),
           low && title.length < LABEL ? lw_text_string(&title)
                                       : ex->panes.explanation.line[i].label);
    lw_text_free(&title);
}

/* The number of lines that must have a row: up to "better", if there is one, and before "because" of an element of an
 * MMA, or where few columns make lines wrap; the lines after it are details. */
static int lines_wanted(const struct lw_explanation *explanation, int width)
{
    enum { NARROW = 60 };
    bool parts = width < NARROW;
    for (int i = 0; i < explanation->count; i++) {
        const char *label = explanation->line[i].label;
        parts = parts || !strcmp(label, "needs") || !strcmp(label, "used for");
        if (!strcmp(label, "better"))
            return i + 1;
        if (parts && !strcmp(label, "because"))
            return i;
    }
    return explanation->count;
}

/* Puts a text in the rows of `room`; if it is longer, its last word is followed by an ellipsis, so that no number is
 * cut. */
static void put_whole_words(struct lw_surface *surface, struct lw_rect room, const char *text)
{
    const struct lw_pen pen = lw_pen(LW_PEN_TEXT);
    struct lw_text last = {0};
    for (; *text && room.height > 1; room.row++, room.height--)
        text = lw_put_row(surface, room.row, room.col, room.width, pen, text);
    if (lw_wrapped_rows(text, room.width) > 1 && room.width > 2)
        lw_text_format(&last, "%.*s …", (int)lw_text_row_bytes(text, (size_t)room.width - 2), text);
    else
        lw_text_add(&last, text);
    lw_put(surface, room.row, room.col, room.width, pen, lw_text_string(&last));
    lw_text_free(&last);
}

/* Puts the owner under the cursor in short, "w0 l16 r4", where "warp 0, lane 16, register 4" has no room. */
static void put_owner_short(const struct lw_explorer *ex, struct lw_text *text)
{
    struct lw_spot spot;
    const char *name;
    if (!lw_pane_spot(ex, ex->panes.active, &spot) || !spot.has_in || !spot.has_out)
        return;
    const struct lw_subject *subject = lw_view_layout(&ex->panes.active->view, spot.operand, &name);
    if (!subject)
        return;
    put_owner(subject, &spot, text);
}

/* The owner of the element at the cursor, in the last of the rows that a field leaves: what an edit changes. */
static void put_held(const struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rest)
{
    const struct lw_explanation *explanation = &ex->panes.explanation;
    if (rest.height < 1 || !explanation->count ||
        strcmp(explanation->line[0].label, "held by") != 0)
        return;
    struct lw_text text = {0};
    inspector_title(ex, &text);
    lw_text_add(&text, ": ");
    const size_t before = text.length;
    lw_text_add(&text, lw_text_string(&explanation->line[0].text));
    if ((int)lw_text_width(lw_text_string(&text)) > rest.width) {
        lw_text_cut(&text, before);
        put_owner_short(ex, &text);
    }
    lw_put(surface, rest.row + rest.height - 1, rest.col, rest.width, lw_pen(LW_PEN_TEXT),
           lw_text_string(&text));
    lw_text_free(&text);
}

/* The meaning of a field and its legal values, and the owner of an element. The reason why its value is not legal is in
 * the form, unless a list of values covers it. */
static void inspect_field(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect inside)
{
    const struct lw_field *field = &ex->form.fields[ex->form.field];
    struct lw_text legal = {0};
    if (field->param)
        lw_param_legal(&legal, field->param);
    inside = put_below(surface, inside, LW_PEN_TEXT,
                       field->folds                       ? "optional, not set"
                       : field->param                     ? field->param->help
                       : !strcmp(field->label, "element") ? "the element type, such as f16"
                                                          : "the size of each dim of the tensor");
    inside = put_below(surface, inside, LW_PEN_FAINT, lw_text_string(&legal));
    const struct lw_error *problem = lw_form_problem(ex, field->path);
    if (problem->code != LW_OK && ex->focus == LW_FOCUS_PICK)
        inside = put_below(surface, inside, LW_PEN_BAD, problem->message);
    inside = put_below(surface, inside, LW_PEN_LABEL, lw_text_string(&field->text));
    lw_text_clear(&legal);
    if (field->param && !strcmp(field->param->name, "threadsPerWarp"))
        lw_put_lanes(ex, &legal);
    inside = put_below(surface, inside, LW_PEN_CHANGED, lw_text_string(&legal));
    put_held(ex, surface, inside);
    lw_text_free(&legal);
}

/* A long line is wrapped if every line after it still has a row. False: not all of it fits. */
static bool inspect_element(struct lw_explorer *ex, struct lw_surface *surface,
                            struct lw_rect inside)
{
    int spare = inside.height - lines_wanted(&ex->panes.explanation, inside.width),
        width = inside.width - LABEL;
    int i = 0;
    bool whole = true;
    for (int row = 0; i < ex->panes.explanation.count && row < inside.height; i++) {
        const char *text = lw_text_string(&ex->panes.explanation.line[i].text);
        int needed = lw_wrapped_rows(text, width), max = spare > 0 ? 1 + spare : 1;
        max = max > inside.height - row ? inside.height - row : max;
        struct lw_text owner = {0};
        if (needed > max && !strcmp(ex->panes.explanation.line[i].label, "held by"))
            put_owner_short(ex, &owner);
        if (owner.length) {
            text = lw_text_string(&owner);
            needed = lw_wrapped_rows(text, width);
            whole = false;
        }
        struct lw_rect room = {inside.row + row, inside.col + LABEL, max, width};
        put_label(ex, surface, room.row, inside.col, i);
        put_whole_words(surface, room, text);
        whole = whole && needed <= max;
        int used = needed < 1 ? 1 : needed < max ? needed : max;
        row += used;
        spare -= used - 1;
        lw_text_free(&owner);
    }
    return whole && i == ex->panes.explanation.count;
}

/* Draws the mark for more text. Without a frame it is in the last line, whose text is then cut after a whole word. */
static void put_more(const struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect)
{
    bool low = ex->panes.inspector == LW_INSPECTOR_LOW;
    const char *more = low ? " i: all " : " i: all of it ";
    int row = rect.row + rect.height - 1, start = rect.col + rect.width - 2 - (int)strlen(more);
    const struct lw_glyph *line = &surface->tiles[row * surface->width];
    int end = rect.col + rect.width, last = end - 1, cut = start;
    while (last > rect.col && line[last].code == ' ')
        last--;
    if (low && start > rect.col && last >= start) {
        while (cut > rect.col && line[cut].code != ' ')
            cut--;
        lw_put_fill(surface, (struct lw_rect){row, cut, 1, end - cut}, lw_pen(LW_PEN_TEXT), ' ');
        lw_put(surface, row, cut, 1, lw_pen(LW_PEN_TEXT), surface->ascii ? "~" : "…");
    }
    lw_put(surface, row, start, end - start, lw_pen(LW_PEN_KEY), more);
}

void lw_draw_inspector(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect)
{
    bool list = ex->focus == LW_FOCUS_GALLERY || ex->panes.explanation.count == 0;
    bool field = (ex->focus & (LW_FOCUS_FORM | LW_FOCUS_EDIT | LW_FOCUS_PICK)) &&
                 ex->form.field < ex->form.count;
    struct lw_text title = {0};
    if (field)
        lw_text_add(&title, ex->form.fields[ex->form.field].folds
                                ? ex->form.fields[ex->form.field].label
                                : ex->form.fields[ex->form.field].path);
    else if (list)
        lw_text_add(&title, *lw_entry_title(lw_explorer_entry(ex))
                                ? lw_entry_title(lw_explorer_entry(ex))
                                : lw_entry_name(lw_explorer_entry(ex)));
    else
        inspector_title(ex, &title);
    struct lw_rect inside = rect;
    if (ex->panes.inspector == LW_INSPECTOR_LOW)
        lw_put_fill(surface, rect, lw_pen(LW_PEN_TEXT), ' ');
    else
        inside = lw_put_frame(surface, rect, lw_text_string(&title), false);
    inside.col++;
    inside.width -= 2;
    lw_text_free(&title);
    bool whole = true;
    if (field)
        inspect_field(ex, surface, inside);
    else
        whole = (list ? inspect_entry : inspect_element)(ex, surface, inside);
    if (!whole)
        put_more(ex, surface, rect);
}
