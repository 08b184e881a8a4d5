/* The panes at the sides: the list of layouts and the form. */

#include "tui/draw/drawing.h"
#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/form/threads.h"
#include "tui/lesson/lesson_run.h"
#include "tui/prompt/query_match.h"

#include <string.h>

/* ---- The list ---- */

static void keep_in_sight(size_t *top, size_t at, int height)
{
    size_t rows = height > 0 ? (size_t)height : 1;
    if (at < *top)
        *top = at;
    if (at >= *top + rows)
        *top = at - rows + 1;
}

/* Cuts a long name in the middle, as names often differ only at their ends. */
static void put_name(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
                     const char *name)
{
    int length = (int)lw_text_width(name), head = width / 3, tail = width - head - 1;
    if (length <= width || width < 8) {
        lw_put(surface, row, col, width, pen, name);
        return;
    }
    const char *end = name;
    for (int bytes; (int)lw_text_width(end) > tail; end += bytes)
        lw_text_decode(end, &bytes);
    lw_put(surface, row, col, head + 1, pen, name); /* its text ends in an ellipsis */
    lw_put(surface, row, col + width - (int)lw_text_width(end), tail, pen, end);
}

/* A folded group: its folder and its number of entries. */
static void put_group(struct lw_explorer *ex, struct lw_text *text, size_t i)
{
    const struct lw_entry *entry = &ex->list.entries[i];
    const char *name = entry->lesson ? "lessons" : entry->source;
    lw_text_format(text, "+ %.*s: %zu", (int)strcspn(name, "/"), name, lw_list_group(&ex->list, i));
}

/* The bytes of the prefix that all names of a group have, such as "blocked/", "lesson "; 0 in its first row. */
static size_t prefix_of(struct lw_explorer *ex, size_t i, const char *name)
{
    static const char lesson[] = "lesson ";
    const char *slash = strchr(name, '/');
    if (ex->list.entries[i].lesson)
        return strncmp(name, lesson, sizeof lesson - 1) ? 0 : sizeof lesson - 1;
    return slash && lw_list_continues(ex, i) ? (size_t)(slash + 1 - name) : 0;
}

/* Draws that prefix faint. */
static void put_prefix(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect line,
                       size_t i, const char *name)
{
    char prefix[32];
    size_t length = prefix_of(ex, i, name);
    if (length >= sizeof prefix || !lw_list_continues(ex, i))
        return;
    snprintf(prefix, sizeof prefix, "%.*s", (int)length, name);
    lw_put(surface, line.row, line.col + 1, (int)length, lw_pen(LW_PEN_FAINT), prefix);
}

static void draw_entry(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect line,
                       size_t i)
{
    bool has_keys = ex->focus == LW_FOCUS_GALLERY, folded = lw_list_is_folded(&ex->list, i);
    struct lw_pen pen = lw_pen(i != ex->list.entry ? folded ? LW_PEN_LABEL : LW_PEN_TEXT
                               : has_keys          ? LW_PEN_CURSOR
                                                   : LW_PEN_SELECT);
    const struct lw_entry *entry = &ex->list.entries[i];
    struct lw_text group = {0};
    lw_put_padded(surface, line.row, line.col, line.width, pen, "", false);
    const char *name = entry->label[0] ? entry->label : entry->source;
    int note = (int)strlen(entry->note), room = line.width - 2;
    if (folded) {
        put_group(ex, &group, i);
        name = lw_text_string(&group);
    } else if (note) { /* it is "lesson 7: swizzling": the number is enough */
        lw_put(surface, line.row, line.col + 1 + room - note, note, pen, entry->note);
        room -= note + 1;
        name += strncmp(name, "lesson ", 7) ? 0 : 7;
    } else if (ex->list.narrow || (int)lw_text_width(name) > room) {
        name += prefix_of(ex, i, name);
    }
    put_name(surface, line.row, line.col + 1, room, pen, name);
    if (i != ex->list.entry && !folded && !ex->list.narrow && (int)lw_text_width(name) <= room)
        put_prefix(ex, surface, line, i, name);
    lw_text_free(&group);
    if (lw_compare_has_entry(ex, i))
        lw_put(surface, line.row, line.col, 1, lw_pen(LW_PEN_CHANGED), "\u2260");
    if (entry->dirty)
        lw_put(surface, line.row, line.col + line.width - 1, 1, lw_pen(LW_PEN_CHANGED), "*");
}

/* Whether the filter is an element or an index of the layout on the screen. */
static bool finds_spot(const struct lw_explorer *ex)
{
    const struct lw_subject *subject = lw_explorer_subject(ex, ex->panes.active);
    struct lw_query q;
    return subject && lw_query_read(&q, subject, ex->list.filter);
}

/* Puts "Layouts 3 of 57" and the filter. */
static void put_list_title(struct lw_explorer *ex, struct lw_text *text)
{
    bool lessons = lw_explorer_entry(ex)->note[0]; /* the progress of a lesson */
    size_t rows = lw_list_rows(ex, ex->list.count), row = lw_list_rows(ex, ex->list.entry) + 1;
    if (lessons && !ex->list.filter[0] && !lw_list_is_folded(&ex->list, ex->list.entry)) {
        size_t first = ex->list.entry;
        while (first > 0 && ex->list.entries[first - 1].lesson)
            first--;
        row = ex->list.entry - first + 1;
        rows = lw_list_group(&ex->list, first);
    }
    if (ex->list.filter[0] && !lw_list_has(ex, ex->list.filter) && finds_spot(ex))
        lw_text_format(text, "Enter: find '%s' here", ex->list.filter);
    else if (ex->list.filter[0] && !lw_list_has(ex, ex->list.filter))
        lw_text_format(text, "none: '%s'", ex->list.filter);
    else if (ex->list.filter[0])
        lw_text_format(text, "%zu of %zu: '%s'", row, rows, ex->list.filter);
    else
        lw_text_format(text, "%s %zu of %zu", lessons ? "Lessons" : "Layouts", row, rows);
}

/* Between layouts and lessons: "├─ lessons ─┤". */
static void draw_part(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect line,
                      size_t i)
{
    struct lw_pen pen = lw_pen(LW_PEN_BORDER);
    for (int c = 0; c < line.width; c++)
        lw_put(surface, line.row, line.col + c, 1, pen,
               c == 0                ? "├"
               : c == line.width - 1 ? "┤"
                                     : "─");
    lw_put(surface, line.row, line.col + 2, line.width - 3, lw_pen(LW_PEN_LABEL),
           ex->list.entries[i].lesson ? " lessons " : " layouts ");
}

/* Whether the entry on the screen is within that number of lines. */
static bool is_in_sight(struct lw_explorer *ex, int lines)
{
    struct lw_list_walk walk = {0};
    bool part;
    while (lines-- > 0)
        if (lw_list_next(ex, &walk, &part) == ex->list.entry && !part)
            return true;
    return false;
}

void lw_draw_list(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_text title = {0};
    put_list_title(ex, &title);
    struct lw_rect inside =
        lw_put_frame(surface, rect, lw_text_string(&title), ex->focus == LW_FOCUS_GALLERY);
    lw_text_free(&title);
    size_t row = lw_list_rows(ex, ex->list.entry), rows = lw_list_rows(ex, ex->list.count), i;
    size_t shown = inside.height > 0 ? (size_t)inside.height : 1;
    keep_in_sight(&ex->list.top, row, inside.height);
    if (ex->list.top + shown > rows)
        ex->list.top = rows > shown ? rows - shown : 0;
    while (ex->list.top < row && !is_in_sight(ex, inside.height))
        ex->list.top++;
    struct lw_list_walk walk = {0};
    bool part;
    for (int line = 0; line < inside.height; line++) {
        if ((i = lw_list_next(ex, &walk, &part)) == ex->list.count)
            break;
        if (part)
            draw_part(ex, surface, (struct lw_rect){inside.row + line, rect.col, 1, rect.width}, i);
        else
            draw_entry(ex, surface,
                       (struct lw_rect){inside.row + line, inside.col, 1, inside.width}, i);
    }
}

/* ---- The form ---- */

/* Underlines the number that + and - step: the item-th run of digits. */
static void mark_item(struct lw_surface *surface, int row, int col, int width, const char *text,
                      size_t item)
{
    for (size_t i = 0; text[i];) {
        size_t digits = strspn(text + i, "0123456789");
        if (digits && item-- == 0) {
            char number[24];
            snprintf(number, sizeof number, "%.*s", (int)digits, text + i);
            lw_put(surface, row, col + (int)i, width - (int)i, lw_pen(LW_PEN_CURSOR), number);
            return;
        }
        i += digits ? digits : 1;
    }
}

/* The values are in one column, after the longest name. */
static int label_width(const struct lw_explorer *ex)
{
    enum { LEAST = 12, WIDTH_MAX = 22 };
    int widest = LEAST;
    for (size_t i = 0; i < ex->form.count; i++) {
        const struct lw_field *field = &ex->form.fields[i];
        int width = (int)strlen(field->label) + (field->depth < 6 ? field->depth : 6) + 2;
        widest = field->path[0] && width > widest ? width : widest;
    }
    return widest < WIDTH_MAX ? widest : WIDTH_MAX;
}

/* Draws "4 unset: Enter shows them". */
static void draw_fold(struct lw_surface *surface, struct lw_rect line, const struct lw_field *field,
                      bool chosen)
{
    struct lw_text text = {0};
    int indent = field->depth < 6 ? field->depth : 6;
    lw_text_format(&text, "%s: %s", field->label, lw_text_string(&field->text));
    lw_put(surface, line.row, line.col, 1, lw_pen(LW_PEN_FOCUS), chosen ? "▸" : " ");
    lw_put(surface, line.row, line.col + indent, line.width - indent,
           lw_pen(chosen ? LW_PEN_LABEL_ON : LW_PEN_FAINT), lw_text_string(&text));
    lw_text_free(&text);
}

static void draw_field(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect line,
                       size_t i)
{
    const struct lw_field *field = &ex->form.fields[i];
    int indent = field->depth < 6 ? field->depth : 6, label = label_width(ex);
    if (!field->path[0]) {
        lw_put(surface, line.row, line.col + indent, line.width - indent, lw_pen(LW_PEN_TITLE),
               field->label);
        return;
    }
    bool chosen =
        i == ex->form.field && (ex->focus & (LW_FOCUS_FORM | LW_FOCUS_EDIT | LW_FOCUS_PICK));
    if (field->folds) {
        draw_fold(surface, line, field, chosen);
        return;
    }
    enum lw_pen_kind pen = lw_form_is_bad(ex, field) ? LW_PEN_BAD
                           : !field->is_set          ? LW_PEN_FAINT
                           : field->changed          ? LW_PEN_CHANGED
                                                     : LW_PEN_TEXT;
    const char *text = lw_text_string(&field->text);
    int col = line.col + label, width = line.width - label;
    lw_put(surface, line.row, line.col, 1, lw_pen(chosen ? LW_PEN_FOCUS : LW_PEN_CHANGED),
           chosen           ? "▸"
           : field->changed ? "*"
                            : " ");
    lw_put(surface, line.row, line.col + indent, label - indent - 1,
           lw_pen(chosen ? LW_PEN_LABEL_ON : LW_PEN_LABEL), field->label);
    if (chosen && ex->focus == LW_FOCUS_EDIT) {
        bool bad = lw_form_is_bad(ex, field);
        lw_put_padded(surface, line.row, col, width, lw_pen(LW_PEN_EDIT), "", false);
        lw_put_line(surface, (struct lw_rect){line.row, col, 1, width},
                    lw_pen(bad ? LW_PEN_BAD : LW_PEN_EDIT), lw_text_string(&ex->form.edit.text),
                    ex->form.edit.caret);
        return;
    }
    lw_put(surface, line.row, col, width, lw_pen(pen), text[0] ? text : "—");
    if (chosen)
        mark_item(surface, line.row, col, width, text, ex->form.item);
    if (chosen && width > 6) {
        ex->form.stepper = (struct lw_rect){line.row, line.col + line.width - 2, 1, 2};
        lw_put(surface, line.row, ex->form.stepper.col - 1, 3, lw_pen(LW_PEN_KEY), " ◂▸");
    }
}

/* Whether the inspector has the reason why the value is not legal, as a list of values may cover the form. */
static bool reason_is_inspected(const struct lw_explorer *ex)
{
    enum { ROOM = 6 };
    struct lw_panes panes;
    lw_panes(ex, &panes);
    return ex->focus == LW_FOCUS_PICK && panes.inspector.height >= ROOM;
}

/* The number of rows for the reason why a layout is not legal. */
static int reason_rows(const struct lw_error *problem, struct lw_rect inside)
{
    int rows = problem ? lw_wrapped_rows(problem->message, inside.width - 4) : 0;
    return rows < inside.height / 2 ? rows : inside.height / 2;
}

/* Draws below a field why it is not legal. */
static int draw_reason(struct lw_surface *surface, struct lw_rect rest, const char *why)
{
    struct lw_rect indented = {rest.row, rest.col + 3, rest.height, rest.width - 4};
    return lw_put_wrapped(surface, indented, lw_pen(LW_PEN_BAD), why);
}

/* As keep_in_sight, with folded lines: keeps the field in `inside`, with a few lines below it, unless all fit above the
 * last `below` lines. */
static void keep_field_in_sight(struct lw_explorer *ex, struct lw_rect inside, int below)
{
    enum { LEAST = 3 };
    int height = inside.height - (below > LEAST ? below : LEAST), all = 0, lines = 1;
    for (size_t i = 0; i < ex->form.count; i++)
        all += !ex->form.fields[i].hidden;
    if (ex->form.field < ex->form.top || ex->form.field <= 1)
        ex->form.top = ex->form.field <= 1 ? 0 : ex->form.field;
    if (all <= inside.height - below)
        ex->form.top = 0;
    for (size_t i = ex->form.top; i < ex->form.field; i++)
        lines += !ex->form.fields[i].hidden;
    for (; all > inside.height - below && lines > (height > 0 ? height : 1); ex->form.top++)
        lines -= !ex->form.fields[ex->form.top].hidden;
}

static int draw_fields(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect inside)
{
    int row = 0, below = reason_rows(lw_layouts_problem(&ex->layouts), inside);
    bool reported = reason_is_inspected(ex);
    keep_field_in_sight(ex, inside, below);
    for (size_t i = 0; i < ex->form.count; i++)
        ex->form.fields[i].row = -1;
    ex->form.stepper.width = 0;
    for (size_t i = ex->form.top; i < ex->form.count && row < inside.height; i++) {
        if (ex->form.fields[i].hidden)
            continue;
        struct lw_rect line = {inside.row + row, inside.col, 1, inside.width};
        draw_field(ex, surface, line, i);
        ex->form.fields[i].row = line.row;
        ex->form.fields[i].col = line.col + label_width(ex);
        row++;
        if (!reported && lw_form_is_bad(ex, &ex->form.fields[i])) {
            struct lw_rect rest = {inside.row + row, inside.col, inside.height - row, inside.width};
            row +=
                draw_reason(surface, rest, lw_form_problem(ex, ex->form.fields[i].path)->message);
            reported = true;
        }
    }
    const struct lw_error *problem = lw_layouts_problem(&ex->layouts);
    if (!reported && problem) {
        struct lw_rect rest = {inside.row + row, inside.col, inside.height - row, inside.width};
        row += draw_reason(surface, rest, problem->message);
    }
    return row;
}

/* Puts a warning of lanes a warp that no hardware has, or not that of lw_threads_hardware. */
static void put_lanes_of(const struct lw_explorer *ex, const struct lw_subject *subject,
                         const struct lw_encoding *encoding, struct lw_text *text)
{
    const struct lw_hardware *target = lw_threads_hardware(ex);
    if (lw_dims_find(&subject->map.in, "lane") < 0 || text->length)
        return;
    uint64_t lanes = lw_dims_size(&subject->map.in, "lane");
    bool is_set = lw_encoding_param(encoding, "threadsPerWarp") >= 0;
    if (target && lanes != target->lanes)
        lw_text_format(text, "%llu lanes a warp, but %s has %u", (unsigned long long)lanes,
                       target->name, target->lanes);
    else if (!target && is_set && lanes != 32 && lanes != 64)
        lw_text_format(text,
                       "threadsPerWarp multiplies to %llu: hardware has 32 or 64 lanes per warp",
                       (unsigned long long)lanes);
}

void lw_put_lanes(const struct lw_explorer *ex, struct lw_text *text)
{
    const struct lw_document *doc = ex->list.entries[ex->list.entry].doc;
    if (ex->layouts.has_opened)
        put_lanes_of(ex, &ex->layouts.opened.subject, doc->encoding, text);
    for (int i = 0; i < LW_SIDES; i++)
        if (ex->layouts.has_side[i] && doc->others[i].encoding)
            put_lanes_of(ex, &ex->layouts.sides[i].subject, doc->others[i].encoding, text);
}

static int draw_warning(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rest)
{
    struct lw_text text = {0};
    struct lw_rect below = {rest.row + 1, rest.col + 1, rest.height - 1, rest.width - 1};
    int used = 0;
    lw_put_lanes(ex, &text);
    if (text.length && below.height > 0)
        used = 1 + lw_put_wrapped(surface, below, lw_pen(LW_PEN_CHANGED), lw_text_string(&text));
    lw_text_free(&text);
    return used;
}

/* The facts of the layout, below the fields; Down after the last field scrolls them. */
static void draw_facts(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rest)
{
    enum { label = 16 };
    struct lw_view facts;
    struct lw_text text = {.limit = 256};
    const struct lw_view_type *type = lw_view_type_find("facts");
    const struct lw_subject *subject =
        lw_layouts_at(&ex->layouts, (struct lw_shown){ex->form.side, false});
    ex->form.facts_more = false;
    if (rest.height < 4 || !subject || lw_lesson_has_question(ex) || !type ||
        !lw_view_open(&facts, type, subject, NULL, NULL))
        return;
    lw_put(surface, rest.row + 1, rest.col, rest.width, lw_pen(LW_PEN_TITLE), "facts");
    int row = 2;
    uint64_t r = ex->form.facts_top < facts.rows ? ex->form.facts_top : 0;
    for (; r < facts.rows && row < rest.height; r++) {
        struct lw_cell cell = {0};
        struct lw_rect value = {rest.row + row, rest.col + label, rest.height - row,
                                rest.width - label};
        lw_text_clear(&text);
        type->row_label(&facts, r, &text);
        lw_put(surface, rest.row + row, rest.col + 1, label - 2, lw_pen(LW_PEN_LABEL),
               lw_text_string(&text));
        lw_text_clear(&text);
        type->cell(&facts, r, 0, &text, &cell);
        if (lw_wrapped_rows(lw_text_string(&text), value.width) > 3) { /* below it is more room */
            row++;
            value =
                (struct lw_rect){rest.row + row, rest.col + 3, rest.height - row, rest.width - 3};
        }
        row += lw_put_wrapped(surface, value, lw_pen(LW_PEN_TEXT), lw_text_string(&text));
    }
    ex->form.facts_more = r < facts.rows || row >= rest.height;
    lw_text_free(&text);
    lw_view_close(&facts);
}

void lw_draw_form(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect)
{
    bool has_keys = ex->focus & (LW_FOCUS_FORM | LW_FOCUS_EDIT | LW_FOCUS_PICK);
    char title[160] = "Parameters"; /* with the layout's name, if the views are of two */
    if (ex->layouts.has_other && ex->compare.has_doc && !ex->compare.edited)
        snprintf(title, sizeof title, "Parameters: %s", lw_compare_name(ex, false));
    struct lw_rect inside = lw_put_frame(surface, rect, title, has_keys);
    inside.col++;
    inside.width -= 2;
    int used = draw_fields(ex, surface, inside);
    struct lw_rect rest = {inside.row + used, inside.col, inside.height - used, inside.width};
    used += draw_warning(ex, surface, rest);
    rest = (struct lw_rect){inside.row + used, inside.col, inside.height - used, inside.width};
    draw_facts(ex, surface, rest);
    if (ex->form.facts_more || ex->form.facts_top)
        lw_put(surface, rect.row + rect.height - 1, rect.col + rect.width - 16, 14,
               lw_pen(LW_PEN_LABEL), ex->form.facts_more ? " more below " : " the end ");
}
