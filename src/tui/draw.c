/* draw(state, surface): the header, the tabs, the panes, the inspector and the status line. */

#include "tui/explorer.h"

#include <string.h>

/* The name, the tensor and its encoding; at the right, when there is room, the summary. */
static void draw_header(struct lw_explorer *ex, struct lw_surface *surface)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    struct lw_text text = {0};
    int col = 1 + lw_put(surface, 0, 1, ex->width - 1, lw_pen(LW_PEN_HEAD), "laneway");
    col += 2 + lw_put(surface, 0, col + 2, ex->width - col - 2, lw_pen(LW_PEN_TITLE),
                      entry->label[0] ? entry->label : entry->source);
    if (ex->has_opened) {
        lw_tensor_print(&text, &ex->opened.subject.tensor);
        lw_text_format(&text, " %s", entry->doc.encoding->type->name);
        if (col + 3 + (int)text.length < ex->width)
            col += 3 + lw_put(surface, 0, col + 3, ex->width - col - 3, lw_pen(LW_PEN_TEXT),
                              lw_text_string(&text));
        lw_text_clear(&text);
        lw_summary(&text, &ex->opened.subject);
        int width = (int)lw_text_width(lw_text_string(&text)), room = ex->width - col - 4;
        int at = width < room ? ex->width - 1 - width : col + 3;
        if (room > 12)
            lw_put(surface, 0, at, ex->width - 1 - at, lw_pen(LW_PEN_FAINT), lw_text_string(&text));
    }
    lw_text_free(&text);
}

static void draw_tabs(struct lw_explorer *ex, struct lw_surface *surface)
{
    static const char *const zooms[] = {"full", "short", "one character"};
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    struct lw_text text = {0};
    int col = 1;
    for (size_t i = 0; i < count && col < ex->width; i++) {
        bool on = i == ex->view_index;
        lw_text_clear(&text);
        lw_text_format(&text, " %c %s ", types[i]->key, types[i]->title);
        col += lw_put(surface, 1, col, ex->width - col, lw_pen(on ? LW_PEN_TAB_ON : LW_PEN_FAINT),
                      lw_text_string(&text));
    }
    lw_text_clear(&text);
    if (ex->has_view && ex->view.color)
        lw_text_format(&text, "colour %s  ", ex->view.color);
    lw_text_format(&text, "zoom %s", zooms[ex->detail]);
    int width = (int)lw_text_width(lw_text_string(&text));
    if (col + 2 + width < ex->width)
        lw_put(surface, 1, ex->width - 1 - width, width, lw_pen(LW_PEN_FAINT),
               lw_text_string(&text));
    lw_text_free(&text);
}

static int put_hint(struct lw_explorer *ex, struct lw_surface *surface, int col,
                    const struct lw_key_action *action)
{
    char key[16];
    int row = ex->height - 1;
    size_t length = strcspn(action->keys, " ");
    snprintf(key, sizeof key, "%.*s", (int)length, action->keys);
    const char *shown = !strcmp(key, "Up") ? "←↓↑→" : key;
    int need = (int)lw_text_width(shown) + 1 + (int)strlen(action->hint);
    if (col + need > ex->width)
        return col;
    col += lw_put(surface, row, col, ex->width - col, lw_pen(LW_PEN_KEY), shown) + 1;
    col += lw_put(surface, row, col, ex->width - col, lw_pen(LW_PEN_FAINT), action->hint) + 2;
    return col;
}

static void draw_status(struct lw_explorer *ex, struct lw_surface *surface)
{
    int row = ex->height - 1, col = 1;
    const struct lw_prompt *prompt = lw_prompt_at(ex->place);
    if (prompt) {
        const char *typed = lw_text_string(&ex->line.text);
        lw_put(surface, row, 0, ex->width, lw_pen(LW_PEN_KEY), prompt->prefix);
        lw_put_line(surface, (struct lw_rect){row, 1, 1, ex->width - 1}, lw_pen(LW_PEN_EDIT), typed,
                    ex->line.caret);
        if (!typed[0])
            lw_put(surface, row, 3, ex->width - 3, lw_pen(LW_PEN_FAINT), prompt->hint);
        return;
    }
    if (ex->message[0]) {
        lw_put(surface, row, 1, ex->width - 1, lw_pen(ex->message_bad ? LW_PEN_BAD : LW_PEN_TEXT),
               ex->message);
        return;
    }
    size_t count;
    const struct lw_key_action *actions = lw_key_actions(&count);
    bool nothing = lw_explorer_entry(ex)->past_count == 0; /* to undo */
    for (size_t i = 0; i < count; i++)
        if ((actions[i].places & ex->place) && actions[i].hint &&
            !(nothing && !strcmp(actions[i].name, "undo")))
            col = put_hint(ex, surface, col, &actions[i]);
}

static void draw_tiny(struct lw_explorer *ex, struct lw_surface *surface)
{
    lw_put(surface, 0, 0, ex->width, lw_pen(LW_PEN_TEXT), "too small");
    if (ex->height > 1)
        lw_put(surface, 1, 0, ex->width, lw_pen(LW_PEN_FAINT), "24x6 or more");
}

void lw_draw(struct lw_explorer *ex, struct lw_surface *surface)
{
    struct lw_panes panes;
    if (!lw_surface_resize(surface, ex->height, ex->width)) {
        ex->failed = true;
        return;
    }
    lw_panes(ex, &panes);
    if (panes.tiny) {
        draw_tiny(ex, surface);
        return;
    }
    draw_header(ex, surface);
    if (ex->height >= 8)
        draw_tabs(ex, surface);
    if (panes.view.height)
        lw_draw_view(ex, surface, panes.view);
    if (panes.list.height)
        lw_draw_list(ex, surface, panes.list);
    if (panes.form.height)
        lw_draw_form(ex, surface, panes.form);
    if (panes.inspector.height)
        lw_draw_inspector(ex, surface, panes.inspector);
    draw_status(ex, surface);
    if (ex->place == LW_AT_HELP)
        lw_draw_help(ex, surface);
    if (ex->place == LW_AT_PAGE)
        lw_draw_page(ex, surface);
}
