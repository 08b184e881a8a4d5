/* The list. Rows are shown in the order of `shown`, which is made again after a change of the rows, the filter or the
 * sort. */

#include "tui/list.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Rows that are shown ---- */

static bool is_apart(const struct lw_list *list, size_t row)
{
    return list->source->is_apart && list->source->is_apart(list->context, row);
}

/* Whether a text contains another one, ignoring case. */
static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; text++)
        if (!strncasecmp(text, part, length))
            return true;
    return !length;
}

static bool matches(const struct lw_list *list, size_t row)
{
    struct lw_text text = {0};
    struct lw_pen pen;
    if (!list->filter[0])
        return true;
    for (int column = 0; column < list->source->column_count; column++) {
        list->source->cell(list->context, row, column, &text, &pen);
        lw_text_char(&text, ' ');
    }
    bool has = !is_apart(list, row) && contains(lw_text_string(&text), list->filter);
    lw_text_free(&text);
    return has;
}

/* Puts a row where its number belongs, behind those with the same one. */
static void insert(struct lw_list *list, size_t row)
{
    size_t at = list->source->value ? 0 : list->shown_count, end = list->shown_count;
    while (at < end) {
        const size_t middle = at + (end - at) / 2;
        if (list->source->value(list->context, list->shown[middle]) <
            list->source->value(list->context, row))
            end = middle;
        else
            at = middle + 1;
    }
    memmove(list->shown + at + 1, list->shown + at,
            (list->shown_count++ - at) * sizeof *list->shown);
    list->shown[at] = row;
}

/* The number of the cursor among the rows that are shown, or of the nearest one before it. */
static size_t position_of(const struct lw_list *list)
{
    size_t nearest = 0;
    for (size_t i = 0; i < list->shown_count; i++) {
        if (list->shown[i] == list->at)
            return i;
        if (list->shown[i] < list->at)
            nearest = i;
    }
    return nearest;
}

/* The next number from `at` on, in steps, of a row that can be chosen; shown_count or more: there is none. */
static size_t settle(const struct lw_list *list, size_t at, size_t step)
{
    while (at < list->shown_count && is_apart(list, list->shown[at]))
        at += step;
    return at;
}

void lw_list_move(struct lw_list *list, int64_t by)
{
    const int64_t to = (int64_t)position_of(list) + by, last = (int64_t)list->shown_count - 1;
    const size_t wanted = (size_t)(to > last ? last : to < 0 ? 0 : to);
    const size_t step = by < 0 ? SIZE_MAX : 1; /* SIZE_MAX is one back */
    size_t at = settle(list, wanted, step);
    at = at < list->shown_count ? at : settle(list, wanted, 0 - step);
    if (at < list->shown_count)
        list->at = list->shown[at];
}

void lw_list_changed(struct lw_list *list, size_t count)
{
    list->count = count;
    list->shown_count = 0;
    size_t *shown = realloc(list->shown, (count + 1) * sizeof *shown);
    if (!shown)
        return;
    list->shown = shown;
    for (size_t row = 0; row < count; row++)
        if (matches(list, row))
            insert(list, row);
    lw_list_move(list, 0);
}

bool lw_list_key(struct lw_list *list, uint32_t key)
{
    const int64_t page = list->rect.height > 2 ? list->rect.height - 2 : 1;
    const int64_t all = (int64_t)list->count + 1; /* not 0 of an empty list */
    const int64_t by = key == LW_KEY_UP          ? -1
                       : key == LW_KEY_DOWN      ? 1
                       : key == LW_KEY_PAGE_UP   ? -page
                       : key == LW_KEY_PAGE_DOWN ? page
                       : key == LW_KEY_HOME      ? -all
                       : key == LW_KEY_END       ? all
                                                 : 0;
    if (by)
        lw_list_move(list, by);
    return by != 0;
}

/* The rows above the list: the titles of columns, and the filter. */
static int heads_of(const struct lw_list *list)
{
    if (list->filter[0])
        return 1;
    for (int column = 0; column < list->source->column_count; column++)
        if (list->source->columns[column].title[0])
            return 1;
    return 0;
}

bool lw_list_mouse(struct lw_list *list, const struct lw_event *event, bool *opened)
{
    *opened = false;
    const struct lw_rect *rect = &list->rect;
    if (event->col < rect->col || event->col >= rect->col + rect->width || event->row < rect->row ||
        event->row >= rect->row + rect->height)
        return false;
    if (event->kind == LW_EVENT_WHEEL) {
        lw_list_move(list, event->amount);
        return true;
    }
    size_t position = list->top + (size_t)(event->row - rect->row - heads_of(list));
    if (event->kind != LW_EVENT_CLICK || event->row < rect->row + heads_of(list) ||
        position >= list->shown_count || is_apart(list, list->shown[position]))
        return event->kind == LW_EVENT_CLICK;
    *opened = list->at == list->shown[position];
    list->at = list->shown[position];
    return true;
}

/* ---- Drawing ---- */

enum { MARK = 2, GAP = 2, LEAST = 12 }; /* of a column that is cut; a narrower part is not drawn */

/* The width of a column, by the rows that are visible; 0: it is empty. */
static int width_of(const struct lw_list *list, int c, int height)
{
    const struct lw_column *column = &list->source->columns[c];
    int width = 0, title = (int)lw_text_width(column->title);
    struct lw_text text = {0};
    for (size_t i = list->top; i < list->shown_count && i < list->top + (size_t)height; i++) {
        struct lw_pen pen;
        lw_text_clear(&text);
        list->source->cell(list->context, list->shown[i], c, &text, &pen);
        const int own = (int)lw_text_width(lw_text_string(&text));
        width = own > width ? own : width;
    }
    lw_text_free(&text);
    if (width) /* an empty column is hidden */
        width = width > title ? width : title;
    return width && width < column->least ? column->least : width;
}

/* Draws a row, or the titles of the columns. */
static void draw_row(const struct lw_list *list, struct lw_surface *surface, struct lw_rect rect,
                     const int *widths, size_t row)
{
    const bool is_heads = row == SIZE_MAX, on = list->has_focus && !is_heads && row == list->at;
    struct lw_text text = {0};
    int col = rect.col + MARK;
    if (on)
        lw_put(surface, rect.row, rect.col, MARK, lw_tone(LW_TONE_KEY), "\xe2\x96\xb8");
    for (int c = 0; c < list->source->column_count; c++) {
        const struct lw_column *column = &list->source->columns[c];
        const int room = rect.col + rect.width - col;
        struct lw_pen pen = lw_tone(is_heads ? LW_TONE_FAINT : LW_TONE_TEXT);
        if (!widths[c])
            continue;
        if (c && room < LEAST && room < widths[c])
            break;
        lw_text_clear(&text);
        if (is_heads)
            lw_text_add(&text, column->title);
        else
            list->source->cell(list->context, row, c, &text, &pen);
        if (on && pen.kind == LW_TONE_TEXT)
            pen = lw_tone(LW_TONE_TITLE);
        lw_put_padded(surface, rect.row, col, widths[c] < room ? widths[c] : room, pen,
                      lw_text_string(&text), column->to_right);
        col += widths[c] + GAP;
    }
    lw_text_free(&text);
}

/* Puts what is not in the list at the right end of a row. */
static void put_note(struct lw_surface *surface, struct lw_rect rect, enum lw_tone tone,
                     const struct lw_text *note)
{
    const int width = (int)lw_text_width(lw_text_string(note)) + GAP;
    if (width <= rect.width)
        lw_put_padded(surface, rect.row, rect.col + rect.width - width, width, lw_tone(tone),
                      lw_text_string(note), true);
}

void lw_list_draw(struct lw_list *list, struct lw_surface *surface, struct lw_rect rect)
{
    int widths[LW_COLUMNS_MAX];
    const int heads = heads_of(list), height = rect.height - heads;
    list->rect = rect;
    if (height < 1 || rect.width < 4)
        return;
    size_t at = position_of(list), most = (size_t)height;
    if (list->top > at)
        list->top = at;
    if (at >= list->top + most)
        list->top = at - most + 1;
    if (list->shown_count < list->top + most)
        list->top = list->shown_count > most ? list->shown_count - most : 0;
    for (int c = 0; c < list->source->column_count; c++)
        widths[c] = c + 1 < list->source->column_count ? width_of(list, c, height) : rect.width;
    struct lw_text note = {0};
    if (heads)
        draw_row(list, surface, rect, widths, SIZE_MAX);
    if (list->filter[0]) {
        lw_text_format(&note, "filter: %s   Esc: all", list->filter);
        put_note(surface, rect, LW_TONE_KEY, &note);
    }
    rect.row += heads;
    size_t i = list->top;
    for (; i < list->shown_count && i < list->top + most; i++, rect.row++)
        draw_row(list, surface, rect, widths, list->shown[i]);
    if (i < list->shown_count && list->shown[i - 1] != list->at) { /* it would cover the cursor */
        rect.row--;
        lw_text_clear(&note);
        lw_text_format(&note, "\xe2\x86\x93 %zu more", list->shown_count - i);
        put_note(surface, rect, LW_TONE_FAINT, &note);
    }
    lw_text_free(&note);
    if (!list->shown_count)
        lw_put(surface, rect.row, rect.col + MARK, rect.width - MARK, lw_tone(LW_TONE_FAINT),
               list->filter[0] ? "no row has this text" : "nothing");
}

void lw_list_free(struct lw_list *list)
{
    free(list->shown);
    memset(list, 0, sizeof *list);
}

/* ---- Filters ---- */

bool lw_list_find(struct lw_list *list, const char *text, struct lw_error *err)
{
    if (text) {
        snprintf(list->filter, sizeof list->filter, "%s", text);
        lw_list_changed(list, list->count);
    }
    lw_list_move(list, text ? 0 : 1);
    return list->shown_count ||
           lw_error_set(err, LW_ERROR_NAME, "no row has '%.40s'", list->filter);
}
