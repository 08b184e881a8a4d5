/* The strip above the views of an access: registers A, shared S, registers B, with the costs of the store and the load
 * between them. The layout that the active pane shows, which comes first in the form, has the frame of the focus. */

#include "tui/draw/drawing.h"
#include "tui/lesson/lesson_run.h"
#include "view/view_parts.h"

#include <string.h>

enum {
    SAME = 13,
    COMPILERS = 24,
    ARROW = 16,
    BOXES_ROWS = 3,
    LEAST_HEIGHT = 30,
    LEAST_WIDTH = 76,
    LINE_HEIGHT = 16
};

int lw_strip_height(const struct lw_explorer *ex)
{
    static const char *const names[] = {"banks", "memory", "conversion"};
    size_t count;
    const char *shown = lw_view_types(&count)[ex->panes.active->view_index]->name;
    bool shows = false;
    if (!lw_layouts_are_several(&ex->layouts) || ex->layouts.has_other ||
        ex->screen.height < LINE_HEIGHT || lw_lesson_is_on(ex) || lw_explorer_undrawn(ex)[0])
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        shows = shows || !strcmp(shown, names[i]);
    if (!shows)
        return 0;
    return ex->screen.height >= LEAST_HEIGHT && ex->screen.width >= LEAST_WIDTH ? BOXES_ROWS : 1;
}

/* ---- Names ---- */

static int64_t parameter(const struct lw_encoding *encoding, const char *name)
{
    const struct lw_value *value = lw_encoding_value(encoding, name);
    return value && value->kind == LW_VALUE_INTEGER ? value->integer : 1;
}

/* The order of a layout of two dims: "rows" when it is row-major, "columns" when column-major; NULL: neither. */
static const char *direction(const struct lw_encoding *encoding)
{
    const struct lw_value *order =
        lw_encoding_param(encoding, "order") >= 0 ? lw_encoding_value(encoding, "order") : NULL;
    if (!order || order->kind != LW_VALUE_LIST || order->count != 2)
        return NULL;
    return order->items[0].integer == 1 ? "rows" : "columns";
}

/* Puts "[32:+1]", as at the beginning of the attribute; false: it has no paddings. */
static bool put_paddings(struct lw_text *text, const struct lw_encoding *encoding)
{
    struct lw_text all = {0};
    bool padded = !strcmp(encoding->type->name, "padded_shared");
    if (padded) {
        lw_encoding_print(&all, encoding);
        const char *begin = strchr(lw_text_string(&all), '[');
        padded = begin && strchr(begin, ']');
        if (padded)
            lw_text_bytes(text, begin, strcspn(begin, "]") + 1);
        lw_text_free(&all);
    }
    return padded;
}

/* "vec 8,1,8": vec, perPhase and maxPhase; "rows"; nothing if the full name is short. */
static void put_brief_name(struct lw_text *text, const struct lw_encoding *encoding)
{
    const char *along = direction(encoding);
    if (!strcmp(encoding->type->name, "swizzled_shared"))
        lw_text_format(text, "vec %lld,%lld,%lld", (long long)parameter(encoding, "vec"),
                       (long long)parameter(encoding, "perPhase"),
                       (long long)parameter(encoding, "maxPhase"));
    else if (!put_paddings(text, encoding) && along)
        lw_text_add(text, along);
}

/* "blocked, rows", "vec 1, perPhase 1, maxPhase 4", or a notation. */
static void put_name(struct lw_text *text, const struct lw_encoding *encoding)
{
    const char *name = encoding->type->name, *along = direction(encoding);
    if (!strcmp(name, "swizzled_shared") && parameter(encoding, "maxPhase") == 1) {
        lw_text_format(text, "no swizzle%s%s", along ? ", " : "", along ? along : "");
    } else if (!strcmp(name, "swizzled_shared")) {
        lw_text_format(
            text, "vec %lld, perPhase %lld, maxPhase %lld", (long long)parameter(encoding, "vec"),
            (long long)parameter(encoding, "perPhase"), (long long)parameter(encoding, "maxPhase"));
        if (along && strcmp(along, "rows") != 0)
            lw_text_format(text, ", %s", along);
    } else if (!strcmp(name, "nvmma_shared")) {
        lw_text_format(text, "nvmma, %lld bytes",
                       (long long)parameter(encoding, "swizzlingByteWidth"));
    } else if (!strcmp(name, "padded_shared")) {
        lw_text_add(text, "padding ");
        if (put_paddings(text, encoding) && along && strcmp(along, "rows") != 0)
            lw_text_format(text, ", %s", along);
    } else if (encoding->type->spelling == LW_SPELLING_ATTRIBUTE) {
        lw_text_format(text, "%s%s%s", name, along ? ", " : "", along ? along : "");
    } else {
        lw_encoding_print(text, encoding);
    }
}

/* Puts the order of swizzled shared memory after its brief name, if there is room: ", columns". */
static void put_along_within(struct lw_text *text, size_t before,
                             const struct lw_encoding *encoding, int width)
{
    const char *along = direction(encoding);
    int used = (int)lw_text_width(lw_text_string(text) + before);
    if (!strcmp(encoding->type->name, "swizzled_shared") && along && strcmp(along, "rows") != 0 &&
        used + 2 + (int)strlen(along) <= width)
        lw_text_format(text, ", %s", along);
}

/* Puts the same in that number of columns, the brief name if it is wider. */
static void put_name_within(struct lw_text *text, const struct lw_encoding *encoding, int width)
{
    size_t before = text->length;
    put_name(text, encoding);
    if ((int)lw_text_width(lw_text_string(text) + before) <= width)
        return;
    struct lw_text brief = {0};
    put_brief_name(&brief, encoding);
    if (brief.length) {
        lw_text_cut(text, before);
        lw_text_add(text, lw_text_string(&brief));
        put_along_within(text, before, encoding, width);
    }
    lw_text_free(&brief);
}

/* Puts the layout at a side in that number of columns; for a missing B it is A, for a missing A it is B. */
static void put_layout(const struct lw_explorer *ex, enum lw_side side, int width,
                       struct lw_text *text)
{
    const struct lw_document *doc = ex->list.entries[ex->list.entry].doc;
    struct lw_document one;
    if (lw_document_has(doc, side)) {
        lw_document_side(&one, doc, side);
        put_name_within(text, one.encoding, width);
    } else if (side == LW_SIDE_S) {
        lw_text_add(text, width < COMPILERS ? "compiler's" : "none: the compiler's own");
    } else if (lw_explorer_has_access(ex, side == LW_SIDE_A ? LW_ACCESS_STORE : LW_ACCESS_LOAD)) {
        lw_text_format(text, "%sas %c", width < SAME ? "" : "the same ",
                       side == LW_SIDE_B ? 'A' : 'B');
    } else {
        lw_text_add(text, "none");
    }
}

void lw_strip_put_name(const struct lw_explorer *ex, enum lw_side side, int width,
                       struct lw_text *text)
{
    put_layout(ex, side, width, text);
}

/* ---- Costs ---- */

struct arrow {
    bool shown, known;
    bool fails; /* the kernel would fail */
    uint64_t wavefronts, ideal;
};

static struct arrow arrow_of(const struct lw_explorer *ex, enum lw_access_op op)
{
    const struct lw_subject *subject = &ex->layouts.opened.subject;
    const struct lw_plan_total *total = NULL;
    struct lw_error err = {0};
    bool shown = lw_explorer_has_access(ex, op);
    if (shown && subject->access && lw_subject_access_check(subject, NULL))
        total = lw_subject_access_total(subject->access, op, &err);
    return total ? (struct arrow){true, true, false, total->wavefronts, total->ideal}
                 : (struct arrow){.shown = shown, .fails = err.code == LW_ERROR_PARAMETER};
}

static struct lw_pen pen_of_arrow(const struct arrow *arrow)
{
    return lw_pen(arrow->fails                        ? LW_PEN_BAD
                  : !arrow->known                     ? LW_PEN_FAINT
                  : arrow->wavefronts <= arrow->ideal ? LW_PEN_GOOD
                                                      : LW_PEN_BAD);
}

static void draw_arrow(struct lw_surface *surface, struct lw_rect rect, const char *name,
                       const struct arrow *arrow)
{
    struct lw_text text = {0};
    if (arrow->known)
        lw_text_format(&text, "%s %llu wf", name, (unsigned long long)arrow->wavefronts);
    else if (arrow->shown)
        lw_text_format(&text, "%s%s", name, arrow->fails ? " fails" : "");
    lw_put(surface, rect.row, rect.col + 1, rect.width - 2, pen_of_arrow(arrow),
           lw_text_string(&text));
    lw_put(surface, rect.row + 1, rect.col + 1, rect.width - 2, lw_pen(LW_PEN_FAINT),
           "──────────────");
    lw_put(surface, rect.row + 1, rect.col + rect.width - 2, 1, lw_pen(LW_PEN_FAINT), "▸");
    lw_text_clear(&text);
    if (arrow->known)
        lw_text_format(&text, "ideal %llu", (unsigned long long)arrow->ideal);
    lw_put(surface, rect.row + 2, rect.col + 1, rect.width - 2, lw_pen(LW_PEN_FAINT),
           lw_text_string(&text));
    lw_text_free(&text);
}

/* ---- Drawing ---- */

static const char *const titles[LW_SIDES] = {"A registers", "S shared", "B registers"};

static void draw_box(const struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect,
                     enum lw_side side)
{
    struct lw_text text = {0};
    bool chosen = ex->panes.active->shown.side == side;
    struct lw_rect inside = lw_put_frame(surface, rect, titles[side], chosen);
    put_layout(ex, side, inside.width - 2, &text);
    lw_put(surface, inside.row, inside.col + 1, inside.width - 2,
           lw_pen(chosen ? LW_PEN_TEXT : LW_PEN_LABEL), lw_text_string(&text));
    lw_text_free(&text);
}

/* On one row: "A blocked, rows store 32 wf (32) > S ... load 256 wf (32) > B ...". Without a surface only the
 * rectangles are filled in. */
static void draw_line(const struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect,
                      const struct arrow arrows[2], struct lw_rect boxes[LW_SIDES])
{
    enum { LEAST = 8 };
    struct lw_text text = {0};
    int col = rect.col + 1, costs = 0, end = rect.col + rect.width;
    char cost[2][48];
    for (int i = 0; i < 2; i++) {
        if (arrows[i].known)
            snprintf(cost[i], sizeof cost[i], "%s %llu wf (%llu) ▸", i ? "load" : "store",
                     (unsigned long long)arrows[i].wavefronts, (unsigned long long)arrows[i].ideal);
        else
            snprintf(cost[i], sizeof cost[i], "%s%s▸",
                     !arrows[i].shown ? ""
                     : i              ? "load "
                                      : "store ",
                     arrows[i].fails ? "fails " : "");
        costs += 2 + (int)lw_text_width(cost[i]);
    }
    int left = rect.width - costs - 2;
    for (int side = 0; side < LW_SIDES; side++) {
        bool chosen = (int)ex->panes.active->shown.side == side;
        int box = left / (LW_SIDES - side) < LEAST ? LEAST : left / (LW_SIDES - side);
        lw_text_clear(&text);
        lw_text_format(&text, "%c ", titles[side][0]);
        put_layout(ex, (enum lw_side)side, box - 2, &text);
        int room = end - col < box ? end - col : box,
            width = (int)lw_text_width(lw_text_string(&text));
        width = width < room ? width : room > 0 ? room : 0;
        boxes[side] = (struct lw_rect){rect.row, col, 1, width};
        if (surface)
            lw_put(surface, rect.row, col, width, lw_pen(chosen ? LW_PEN_FOCUS : LW_PEN_LABEL),
                   lw_text_string(&text));
        col += width + 1;
        left -= width; /* the others get the columns that it does not need */
        if (side == 2)
            break;
        if (surface)
            lw_put(surface, rect.row, col, end - col, pen_of_arrow(&arrows[side]), cost[side]);
        col += (int)lw_text_width(cost[side]) + 1;
    }
    lw_text_free(&text);
}

/* S has the longest name: its box is a third wider. */
static void lay_boxes(struct lw_rect rect, struct lw_rect boxes[LW_SIDES])
{
    int room = rect.width - 2 * ARROW, outer = room * 3 / 10, col = rect.col;
    const int widths[LW_SIDES] = {outer, room - 2 * outer, outer};
    for (int side = 0; side < LW_SIDES; side++) {
        boxes[side] = (struct lw_rect){rect.row, col, rect.height, widths[side]};
        col += widths[side] + ARROW;
    }
}

void lw_draw_strip(const struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect)
{
    const struct arrow arrows[2] = {arrow_of(ex, LW_ACCESS_STORE), arrow_of(ex, LW_ACCESS_LOAD)};
    struct lw_rect boxes[LW_SIDES];
    if (rect.height < BOXES_ROWS) {
        draw_line(ex, surface, rect, arrows, boxes);
        return;
    }
    lay_boxes(rect, boxes);
    for (int side = 0; side < LW_SIDES; side++) {
        draw_box(ex, surface, boxes[side], (enum lw_side)side);
        if (side < 2)
            draw_arrow(
                surface,
                (struct lw_rect){rect.row, boxes[side].col + boxes[side].width, rect.height, ARROW},
                side ? "load" : "store", &arrows[side]);
    }
}

int lw_strip_at(const struct lw_explorer *ex, struct lw_rect rect, int row, int col)
{
    const struct arrow arrows[2] = {arrow_of(ex, LW_ACCESS_STORE), arrow_of(ex, LW_ACCESS_LOAD)};
    struct lw_rect boxes[LW_SIDES];
    if (rect.height < BOXES_ROWS)
        draw_line(ex, NULL, rect, arrows, boxes);
    else
        lay_boxes(rect, boxes);
    for (int side = 0; side < LW_SIDES; side++)
        if (row >= boxes[side].row && row < boxes[side].row + boxes[side].height &&
            col >= boxes[side].col && col < boxes[side].col + boxes[side].width)
            return side;
    return -1;
}
