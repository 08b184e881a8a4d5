/* draw(state, surface): the header, the tabs, the panes, the inspector and the status line. */

#include "tui/draw/drawing.h"
#include "tui/form/pick.h"
#include "tui/lesson/lesson_run.h"
#include "tui/explore/explorer.h"

#include <string.h>

/* Appends the title of the layout: its name, or its present source. */
static void title_of(const struct lw_explorer *ex, struct lw_text *text)
{
    const struct lw_entry *entry = &ex->list.entries[ex->list.entry];
    bool expression = entry->loaded && (entry->doc->notation == LW_NOTATION_MLIR ||
                                        entry->doc->notation == LW_NOTATION_TILUS);
    if (entry->label[0])
        lw_text_add(text, entry->label);
    else if (entry->path && strcmp(entry->path, entry->source) != 0) /* the file it was saved in */
        lw_text_add(text, lw_base_name(entry->path));
    else if (expression && entry->past_count)
        lw_document_source(text, entry->doc);
    else
        lw_text_add(text, entry->source);
}

/* "64 regs x 32 lanes" for "64 registers x 32 lanes"; with a separator instead of " x ": "64 regs, 32 lanes" */
static void put_abbreviated(struct lw_text *text, const char *hardware, const char *separator)
{
    static const char word[] = "registers", times[] = " x ";
    const char *at = strstr(hardware, word);
    if (at)
        lw_text_format(text, "%.*sregs", (int)(at - hardware), hardware);
    at = at ? at + sizeof word - 1 : hardware;
    for (const char *next; (next = strstr(at, times)); at = next + sizeof times - 1)
        lw_text_format(text, "%.*s%s", (int)(next - at), at, separator);
    lw_text_add(text, at);
}

/* Appends as many whole parts of the summary as there is room for: without the shape, which the tensor has, then
 * without the number of copies of an element, then abbreviated. */
static void put_summary(struct lw_text *text, const struct lw_subject *subject, int room)
{
    lw_summary(text, subject);
    struct lw_text hardware = {0}, part = {0}, regs = {0}, list = {0};
    const char *all = lw_text_string(text), *arrow = strstr(all, " -> "),
               *comma = strrchr(all, ',');
    if (arrow && comma && comma > arrow) {
        lw_text_bytes(&hardware, all, (size_t)(arrow - all));
        lw_text_format(&part, "%s%s", lw_text_string(&hardware), comma);
    }
    put_abbreviated(&regs, lw_text_string(&hardware), " x ");
    put_abbreviated(&list, lw_text_string(&hardware), ", ");
    struct lw_text *const shorter[] = {&part, &hardware, &regs, &list};
    for (int i = 0; i < 4 && (int)lw_text_width(lw_text_string(text)) > room; i++) {
        lw_text_clear(text);
        lw_text_add(text, lw_text_string(shorter[i]));
    }
    if ((int)lw_text_width(lw_text_string(text)) > room)
        lw_text_clear(text);
    lw_text_free(&hardware);
    lw_text_free(&part);
    lw_text_free(&regs);
    lw_text_free(&list);
}

/* The layout in the header: that of the active pane. */
static const struct lw_subject *subject_of(const struct lw_explorer *ex)
{
    bool own = lw_explorer_document(ex) == ex->list.entries[ex->list.entry].doc;
    return own ? &ex->layouts.opened.subject : &ex->layouts.other.subject;
}

/* The tensor and its encoding, and at the right the summary. Where there is no room for both, the summary is drawn,
 * unless a target is named. */
static void draw_layout(const struct lw_explorer *ex, struct lw_surface *surface, int col)
{
    struct lw_text text = {0}, summary = {0};
    int width = ex->screen.width;
    const struct lw_document *doc = lw_explorer_document(ex);
    const struct lw_subject *subject = subject_of(ex);
    lw_tensor_print(&text, &subject->tensor);
    int tensor = (int)text.length;
    lw_text_format(&text, " %s", doc->encoding->type->name);
    if (lw_explorer_target(ex))
        lw_text_format(&text, " for %s", lw_explorer_target(ex)->name);
    const int all = (int)text.length, ends[] = {all, lw_explorer_target(ex) ? all : tensor};
    int end = all;
    for (int i = 0; i < 2 && !lw_lesson_has_question(ex) && !summary.length; i++) {
        end = ends[i];
        put_summary(&summary, subject, width - col - end - 6);
    }
    if (summary.length && end != all) {
        lw_text_clear(&text);
        lw_tensor_print(&text, &subject->tensor);
    }
    end = (int)text.length;
    if (col + 3 + end < width)
        lw_put(surface, 0, col + 3, end, lw_pen(LW_PEN_TEXT), lw_text_string(&text));
    int room = (int)lw_text_width(lw_text_string(&summary));
    lw_put(surface, 0, width - 1 - room, room, lw_pen(LW_PEN_FAINT), lw_text_string(&summary));
    lw_text_free(&summary);
    lw_text_free(&text);
}

/* The name of a layout of the gallery, from a column on; without its first folders if the summary has no room
 * otherwise. */
static const char *without_folders(const struct lw_explorer *ex, const char *name, int col)
{
    const struct lw_subject *subject = subject_of(ex);
    struct lw_text tensor = {0}, summary = {0};
    const char *shown = name, *slash;
    bool gallery =
        lw_gallery_find(name, NULL) && !lw_explorer_target(ex) && !lw_lesson_has_question(ex);
    lw_tensor_print(&tensor, &subject->tensor);
    for (; gallery; shown = slash + 1) {
        int room = ex->screen.width - col - (int)(strlen(shown) + tensor.length) - 6;
        lw_text_clear(&summary);
        put_summary(&summary, subject, room);
        if (summary.length || !(slash = strchr(shown, '/')))
            break;
    }
    lw_text_free(&tensor);
    bool fits = summary.length;
    lw_text_free(&summary);
    return fits ? shown : name;
}

/* The name of the layout, and the layout. */
static void draw_header(struct lw_explorer *ex, struct lw_surface *surface)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    struct lw_text text = {0};
    int col = 3 + lw_put(surface, 0, 1, ex->screen.width - 1, lw_pen(LW_PEN_HEAD), "laneway");
    int max = ex->layouts.has_opened && ex->screen.width > 60 ? ex->screen.width / 2 - col + 4
                                                              : ex->screen.width - col;
    bool other = ex->panes.active->shown.other && ex->compare.has_doc;
    if (other)
        lw_text_add(&text, ex->compare.other_name);
    else
        title_of(ex, &text);
    const char *title = lw_text_string(&text); /* of a long path the end is shown */
    if (*title == '/' && (int)lw_text_width(title) > max)
        title = lw_base_name(title);
    if (ex->layouts.has_opened)
        title = without_folders(ex, title, col + (entry->dirty ? 2 : 0));
    col += lw_put(surface, 0, col, max, lw_pen(LW_PEN_TITLE), title);
    if (entry->dirty && !other)
        col += 1 + lw_put(surface, 0, col + 1, 1, lw_pen(LW_PEN_CHANGED), "*");
    if (ex->layouts.has_opened)
        draw_layout(ex, surface, col);
    lw_text_free(&text);
}

/* How tabs are written, from the widest to the narrowest: all titles apart; closer; only titles of views that can show
 * this layout and of the neighbours of the shown view; those, scrolled; only titles of the neighbours; only keys. No
 * title is cut, and the shown view always has its title. A view without a key has a tab only while it is shown. */
enum tabs { TABS_APART, TABS_CLOSE, TABS_FITTING, TABS_SCROLLED, TABS_NEIGHBOURS, TABS_KEYS };

static const char *tab_title(const struct lw_explorer *ex, size_t i, enum tabs tabs)
{
    size_t count;
    const struct lw_view_type *type = lw_view_types(&count)[i];
    size_t shown = ex->panes.active->view_index;
    bool fits = lw_pane_can_show(ex, ex->panes.active, i);
    bool near = i + 1 == shown || i == shown + 1;
    bool titled = tabs == TABS_FITTING      ? fits || near
                  : tabs == TABS_NEIGHBOURS ? near
                                            : tabs != TABS_KEYS;
    return i == shown || (titled && type->key) ? type->title : "";
}

static int tab_width(const struct lw_explorer *ex, size_t i, enum tabs tabs)
{
    size_t count;
    int letters = (int)strlen(tab_title(ex, i, tabs));
    if (letters == 0)
        return lw_view_types(&count)[i]->key ? 2 : 0;
    return letters + (tabs == TABS_APART ? 4 : 3);
}

/* Whether all of them fit, with `more` columns. */
static bool all_fit(const struct lw_explorer *ex, enum tabs tabs, int more)
{
    size_t count;
    int width = 1 + more;
    lw_view_types(&count);
    for (size_t i = 0; i < count; i++)
        width += tab_width(ex, i, tabs);
    return width <= ex->screen.width;
}

static enum tabs choose_tabs(const struct lw_explorer *ex)
{
    enum {
        COLOUR_AND_ZOOM = 40,
        MOST_FIT = 76
    }; /* if fewer columns than this are missing, few titles are beyond the end */
    for (enum tabs tabs = TABS_APART; tabs < TABS_SCROLLED; tabs++)
        if (all_fit(ex, tabs, tabs == TABS_APART ? COLOUR_AND_ZOOM : 0))
            return tabs;
    if (ex->screen.width >= MOST_FIT)
        return TABS_SCROLLED;
    return all_fit(ex, TABS_NEIGHBOURS, 0) ? TABS_NEIGHBOURS : TABS_KEYS;
}

/* The first tab on the screen, so that there is room for all of the shown view's. */
static size_t first_tab(const struct lw_explorer *ex, enum tabs tabs)
{
    enum { MARK = 2 }; /* columns of the mark for more tabs, at either end */
    size_t first = 0, shown = ex->panes.active->view_index;
    int width = 1 + MARK;
    if (all_fit(ex, tabs, 0))
        return 0;
    for (size_t i = 0; i <= shown; i++)
        width += tab_width(ex, i, tabs);
    for (; first < shown && width > ex->screen.width; first++)
        width += (first == 0 ? MARK : 0) - tab_width(ex, first, tabs);
    return first;
}

/* The tabs on the screen: from `first` to before `end`, of those before `all`. */
struct tab_row {
    enum tabs tabs;
    size_t first, end, all;
};

static void find_tabs(const struct lw_explorer *ex, struct tab_row *row)
{
    size_t count, i;
    lw_view_types(&count);
    row->tabs = choose_tabs(ex);
    for (row->all = count; row->all > 1 && tab_width(ex, row->all - 1, row->tabs) == 0;)
        row->all--;
    row->first = i = first_tab(ex, row->tabs);
    for (int col = i ? 3 : 1; i < row->all; i++) {
        int width = tab_width(ex, i, row->tabs);
        int room = ex->screen.width - (i + 1 < row->all ? 2 : 0);
        if (width && col + width > room && i > ex->panes.active->view_index)
            break;
        col += width;
    }
    row->end = i;
}

/* The nearest view beyond the tabs on the screen that can show this layout, or else the nearest. */
static int hidden_tab(const struct lw_explorer *ex, const struct tab_row *row, int by)
{
    const int from = by < 0 ? (int)row->first - 1 : (int)row->end, all = (int)row->all;
    for (int i = from; i >= 0 && i < all; i += by)
        if (tab_width(ex, (size_t)i, row->tabs) &&
            lw_pane_can_show(ex, ex->panes.active, (size_t)i))
            return i;
    return from;
}

int lw_tab_at(const struct lw_explorer *ex, int col)
{
    struct tab_row row;
    find_tabs(ex, &row);
    if (row.first && col < 3)
        return hidden_tab(ex, &row, -1);
    if (row.end < row.all && col >= ex->screen.width - 2)
        return hidden_tab(ex, &row, 1);
    int at = row.first ? 3 : 1;
    for (size_t i = row.first; i < row.end; at += tab_width(ex, i++, row.tabs))
        if (col >= at && col < at + tab_width(ex, i, row.tabs))
            return (int)i;
    return -1;
}

/* Appends the target of the banks and the source of its numbers, if the layouts have banks. */
static void put_banks(const struct lw_explorer *ex, struct lw_text *text)
{
    const struct lw_hardware *hardware = lw_explorer_hardware(ex);
    bool memory =
        ex->layouts.has_opened && lw_dims_find(&ex->layouts.opened.subject.map.in, "offset") >= 0;
    if (memory || lw_layouts_are_several(&ex->layouts))
        lw_text_format(text, "banks of %s: %s, %s   ", hardware->name, hardware->banks->name,
                       hardware->banks->evidence);
}

/* The pen depends on whether the view is shown, can show this layout, or cannot. */
static void draw_tab(const struct lw_explorer *ex, struct lw_surface *surface, size_t i,
                     enum tabs tabs, int col)
{
    size_t count;
    const struct lw_view_type *type = lw_view_types(&count)[i];
    /* While a question is open, the digits of the views are not their keys. */
    bool closed = ex->focus == LW_FOCUS_QUESTION || lw_lesson_has_question(ex);
    bool open = !closed && lw_pane_can_show(ex, ex->panes.active, i);
    enum lw_pen_kind pen = i == ex->panes.active->view_index ? LW_PEN_TAB_ON
                           : open                            ? LW_PEN_TEXT
                                                             : LW_PEN_HOLE;
    const char *title = tab_title(ex, i, tabs);
    struct lw_text text = {0};
    if (type->key)
        lw_text_format(&text, " %c", type->key);
    else
        col++; /* it begins where another tab ends */
    if (*title)
        lw_text_format(&text, " %s", title);
    if (text.length && col + (int)text.length < ex->screen.width)
        lw_text_char(&text, ' ');
    lw_put(surface, 1, col, ex->screen.width - col, lw_pen(pen), lw_text_string(&text));
    lw_text_free(&text);
}

/* Right of the tabs: the banks, the field of the colours, and the zoom, as far as there is room. */
static void draw_notes(const struct lw_explorer *ex, struct lw_surface *surface, int col)
{
    struct lw_text text = {0}, zoom = {0};
    put_banks(ex, &text);
    if (col + 40 + (int)text.length > ex->screen.width)
        lw_text_clear(&text);
    lw_pane_zoom_put(ex->panes.active, &zoom);
    if (ex->panes.active->has_view && ex->panes.active->view.color)
        lw_text_format(&text, "colour %s  ", ex->panes.active->view.color);
    if (col + 7 + (int)(text.length + zoom.length) >= ex->screen.width)
        lw_text_clear(&text); /* only the most important, if there is no room for all */
    lw_text_add(&text, lw_text_string(&zoom));
    lw_text_free(&zoom);
    int width = (int)lw_text_width(lw_text_string(&text));
    if (col + 2 + width < ex->screen.width)
        lw_put(surface, 1, ex->screen.width - 1 - width, width, lw_pen(LW_PEN_FAINT),
               lw_text_string(&text));
    lw_text_free(&text);
}

/* As many tabs as there is room for; a mark at either end is for more. */
static void draw_tabs(struct lw_explorer *ex, struct lw_surface *surface)
{
    struct tab_row row;
    find_tabs(ex, &row);
    int col = row.first ? 3 : 1;
    if (row.first)
        lw_put(surface, 1, 1, 1, lw_pen(LW_PEN_FAINT), "…");
    if (row.end < row.all)
        lw_put(surface, 1, ex->screen.width - 1, 1, lw_pen(LW_PEN_FAINT), "…");
    for (size_t i = row.first; i < row.end; i++) {
        int width = tab_width(ex, i, row.tabs);
        if (width)
            draw_tab(ex, surface, i, row.tabs, col);
        col += width;
    }
    draw_notes(ex, surface, col);
}

static void draw_tiny(struct lw_explorer *ex, struct lw_surface *surface)
{
    lw_put(surface, 0, 0, ex->screen.width, lw_pen(LW_PEN_TEXT), "too small");
    if (ex->screen.height > 1)
        lw_put(surface, 1, 0, ex->screen.width, lw_pen(LW_PEN_FAINT), "need 24x6");
}

/* A kernel in the list has neither views nor parameters: over their panes is the key that opens it. */
static void draw_kernel_entry(const struct lw_explorer *ex, struct lw_surface *surface,
                              const struct lw_panes *panes)
{
    const struct lw_rect rects[] = {panes->view[0], panes->view[1], panes->form};
    struct lw_rect all = {0};
    for (size_t i = 0; i < sizeof rects / sizeof *rects; i++) {
        if (!rects[i].height)
            continue;
        int end = rects[i].col + rects[i].width, below = rects[i].row + rects[i].height;
        if (!all.height)
            all = rects[i];
        all.width = end > all.col + all.width ? end - all.col : all.width;
        all.height = below > all.row + all.height ? below - all.row : all.height;
    }
    if (!all.height)
        return;
    struct lw_rect inside = lw_put_frame(surface, all, "Kernel", false);
    struct lw_rect text = {inside.row + 1, inside.col + 1, inside.height - 1, inside.width - 2};
    lw_put_wrapped(surface, text, lw_pen(LW_PEN_TEXT), ex->layouts.problem.message);
}

static void draw_layouts(struct lw_explorer *ex, struct lw_surface *surface,
                         const struct lw_panes *panes)
{
    bool kernel = lw_entry_is_kernel(lw_explorer_entry(ex));
    draw_header(ex, surface);
    if (ex->screen.height >= 8 && !kernel)
        draw_tabs(ex, surface);
    if (kernel)
        draw_kernel_entry(ex, surface, panes);
    for (int i = 0; i < ex->panes.count && !kernel; i++)
        if (panes->view[i].height && lw_lesson_hides(ex, &ex->panes.all[i]))
            lw_draw_hidden(surface, panes->view[i]);
        else if (panes->view[i].height)
            lw_draw_view(ex, &ex->panes.all[i], surface, panes->view[i]);
    if (panes->strip.height && !lw_lesson_has_question(ex))
        lw_draw_strip(ex, surface, panes->strip);
    if (panes->list.height)
        lw_draw_list(ex, surface, panes->list);
    if (panes->form.height && !kernel)
        lw_draw_form(ex, surface, panes->form);
    if (panes->inspector.height && lw_lesson_has_question(ex))
        lw_draw_hidden(surface, panes->inspector);
    else if (panes->inspector.height)
        lw_draw_inspector(ex, surface, panes->inspector);
    if (panes->lesson.height)
        lw_draw_lesson(ex, surface, panes->lesson);
}

void lw_draw_step(struct lw_explorer *ex, struct lw_surface *surface)
{
    struct lw_panes panes;
    lw_panes(ex, &panes);
    if (panes.tiny)
        return;
    if (panes.view[0].height && !lw_lesson_hides(ex, ex->panes.active))
        lw_draw_view_step(ex, ex->panes.active, surface,
                          panes.view[ex->panes.active - ex->panes.all]);
    if (panes.inspector.height && !lw_lesson_has_question(ex))
        lw_draw_inspector(ex, surface, panes.inspector);
}

/* Draws lists and pages over the panes, a later one over an earlier one. */
static void draw_over(struct lw_explorer *ex, struct lw_surface *surface, unsigned focus)
{
    if (focus == LW_FOCUS_HELP)
        lw_draw_help(ex, surface);
    else if (focus == LW_FOCUS_PAGE)
        lw_draw_page(ex, surface);
    else if (focus == LW_FOCUS_VIEWS)
        lw_draw_views(ex, surface);
    else if (focus == LW_FOCUS_SOLVE)
        lw_draw_solve(ex, surface);
    else if (focus == LW_FOCUS_LAYOUTS)
        lw_draw_layout_pick(ex, surface);
    else if (focus == LW_FOCUS_PICK)
        lw_draw_pick(ex, surface);
}

void lw_draw(struct lw_explorer *ex, struct lw_surface *surface)
{
    struct lw_panes panes;
    if (!lw_surface_resize(surface, ex->screen.height, ex->screen.width)) {
        ex->failed = true;
        return;
    }
    lw_lesson_refresh(ex);
    for (int i = 0; i < ex->panes.count; i++)
        lw_pane_try_zooms(ex, &ex->panes.all[i]);
    lw_panes(ex, &panes);
    if (panes.tiny) {
        draw_tiny(ex, surface);
        return;
    }
    if (lw_focus_below(ex) & (LW_FOCUS_FOLDER | LW_FOCUS_KERNEL))
        lw_draw_browse(ex, surface);
    else
        draw_layouts(ex, surface, &panes);
    for (int i = 0; i < ex->over.count && lw_focus_shows(ex, ex->over.below[i]); i++)
        draw_over(ex, surface, ex->over.below[i]);
    draw_over(ex, surface, ex->focus);
    lw_draw_status(ex, surface);
    if (ex->focus == LW_FOCUS_QUESTION)
        lw_draw_question(ex, surface);
}
