/* The legend of a picture: the meaning of its colours, what is lit, and what a cell is. It is below the cells if there
 * is room, else on the lower border of the pane. */

#include "tui/draw/drawing.h"
#include "tui/pane/follow.h"

#include <string.h>

enum { CHIP = 3, NARROW = 2 }; /* columns of a chip */

/* Appends the text of a chip: a value, or the set of values of a cell. */
static void put_value(const struct lw_view_pane *pane, uint64_t value, struct lw_text *text)
{
    uint64_t sets;
    if (lw_merged_sets(pane, &sets))
        lw_merged_put_set(pane, value, text);
    else
        lw_text_number(text, value);
}

/* How many values or sets have a colour; false: there are no colours. */
static bool count_colors(const struct lw_view_pane *pane, uint64_t *count)
{
    return lw_view_shades(&pane->view, count) &&
           (lw_merged_sets(pane, count) || lw_view_shades(&pane->view, count));
}

/* The width of a chip: of sets that of the longest and a blank; of values as given. */
static int chip_width(const struct lw_view_pane *pane, int width)
{
    uint64_t sets;
    if (!lw_merged_sets(pane, &sets))
        return width;
    struct lw_text text = {0};
    width = 0;
    for (uint64_t i = 0; i < sets && i < LW_PALETTE_INKS; i++) {
        lw_text_clear(&text);
        lw_merged_put_set(pane, i, &text);
        int own = (int)lw_text_width(lw_text_string(&text)) + 1;
        width = own > width ? own : width;
    }
    lw_text_free(&text);
    return width;
}

/* Draws a value in its colour. Numbers of two digits in chips of two columns would read as one: only every second is
 * written, at the left end of its chip. */
static void put_chip(const struct lw_view_pane *pane, const struct lw_follow *follow,
                     struct lw_surface *surface, struct lw_rect chip, uint64_t value)
{
    uint64_t sets;
    bool lit =
        follow->on && !follow->parts && !pane->lit_everywhere &&
        !strcmp(follow->name, pane->view.color) &&
        (lw_merged_sets(pane, &sets) ? lw_merged_set_of(pane, follow->value) : follow->value) %
                LW_PALETTE_INKS ==
            value;
    struct lw_pen pen = {.kind = LW_PEN_FILL, .shade = (uint8_t)lw_palette_ink(value)};
    struct lw_text text = {0};
    if (chip.width >= CHIP || value < 10 || value % 2 == 0)
        put_value(pane, value, &text);
    lw_put_padded(surface, chip.row, chip.col, chip.width, lit ? lw_pen(LW_PEN_LIT) : pen,
                  lw_text_string(&text), chip.width >= CHIP);
    lw_text_free(&text);
}

static int name_width(const struct lw_view_pane *pane)
{
    struct lw_text name = {0};
    lw_merged_put_name(pane, &name);
    int width = (int)name.length;
    lw_text_free(&name);
    return width;
}

/* The chips of a legend, in rows of a power of two. */
struct chips {
    uint64_t count; /* of the values that have a colour */
    int shown;      /* of the values, before colours repeat */
    int name, chip, in_row, rows;
};

static void lay_chips(const struct lw_view_pane *pane, int width, int chip, struct chips *chips)
{
    chips->shown = (int)(chips->count < LW_PALETTE_INKS ? chips->count : LW_PALETTE_INKS);
    chips->name = name_width(pane) + 2;
    chips->chip = chip;
    chips->in_row = 1;
    while (chips->in_row * 2 * chip <= width - chips->name - 1 && chips->in_row < chips->shown &&
           chips->in_row < 32)
        chips->in_row *= 2;
    chips->rows = (chips->shown - 1) / chips->in_row + 1;
}

/* Puts "… 31": more values, up to that one. */
static void put_last(const struct lw_view_pane *pane, const struct chips *chips,
                     struct lw_text *text)
{
    lw_text_add(text, "… ");
    put_value(pane, (uint64_t)chips->shown - 1, text);
}

/* Fills a single row: as many chips as fit before the last value. */
static void fill_row(const struct lw_view_pane *pane, int width, struct chips *chips)
{
    struct lw_text last = {0};
    put_last(pane, chips, &last);
    int fit = (width - chips->name - 1 - (int)lw_text_width(lw_text_string(&last))) / chips->chip;
    chips->in_row = fit > chips->shown ? chips->shown : fit > 1 ? fit : 1;
    chips->rows = (chips->shown - 1) / chips->in_row + 1;
    lw_text_free(&last);
}

/* Puts "lane " and a chip for each value, narrow ones if they do not fit otherwise; returns the rows used. */
static int put_chips(const struct lw_view_pane *pane, const struct lw_follow *follow,
                     struct lw_surface *surface, struct lw_rect rect)
{
    struct chips chips;
    if (!count_colors(pane, &chips.count) || rect.height < 1)
        return 0;
    lay_chips(pane, rect.width, chip_width(pane, CHIP), &chips);
    if (chips.rows > rect.height)
        lay_chips(pane, rect.width, chip_width(pane, NARROW), &chips);
    if (chips.rows > rect.height && rect.height == 1)
        fill_row(pane, rect.width, &chips);
    struct lw_text rest = {0};
    lw_merged_put_name(pane, &rest);
    lw_put(surface, rect.row, rect.col, chips.name, lw_pen(LW_PEN_LABEL), lw_text_string(&rest));
    lw_text_clear(&rest);
    int rows = chips.rows > rect.height ? rect.height : chips.rows;
    for (int i = 0; i < chips.shown && i / chips.in_row < rows; i++) {
        struct lw_rect chip = {rect.row + i / chips.in_row,
                               rect.col + chips.name + i % chips.in_row * chips.chip, 1,
                               chips.chip};
        put_chip(pane, follow, surface, chip, (uint64_t)i);
    }
    static const char again[] = "64 is as 0, ...";
    int end = chips.name + chips.in_row * chips.chip;
    if (rows * chips.in_row < chips.shown) /* no room for all */
        put_last(pane, &chips, &rest);
    else if (chips.count > LW_PALETTE_INKS && end + (int)sizeof again <= rect.width)
        lw_text_add(&rest, again);
    if ((int)lw_text_width(lw_text_string(&rest)) > rect.width - end - 1)
        lw_text_cut(&rest, strlen("…"));
    lw_put(surface, rect.row + rows - 1, rect.col + end + 1, rect.width - end - 1,
           lw_pen(LW_PEN_FAINT), lw_text_string(&rest));
    lw_text_free(&rest);
    return rows;
}

void lw_draw_legend_line(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                         struct lw_surface *surface, struct lw_rect rect, int taken)
{
    enum { AROUND = 4 };
    struct lw_follow follow;
    struct chips chips;
    struct lw_text text = {0};
    int room = rect.width - taken - AROUND, row = rect.row + rect.height - 1;
    int col = rect.col + (taken ? taken : 2), used = 0;
    if (!count_colors(pane, &chips.count))
        return;
    lw_follow_begin(ex, &follow);
    lay_chips(pane, room, chip_width(pane, CHIP), &chips);
    int chip =
        chips.name + chips.shown * chips.chip <= room ? chips.chip : chip_width(pane, NARROW);
    bool all = chips.count <= LW_PALETTE_INKS && chips.name + chips.shown * chip <= room;
    lw_text_add(&text, all ? " " : " colours: ");
    lw_merged_put_name(pane, &text);
    lw_text_add(&text, " ");
    if ((int)text.length <= room)
        used = lw_put(surface, row, col, room, lw_pen(LW_PEN_FAINT), lw_text_string(&text));
    for (int i = 0; all && i < chips.shown; i++, used += chip)
        put_chip(pane, &follow, surface, (struct lw_rect){row, col + used, 1, chip}, (uint64_t)i);
    lw_text_free(&text);
}

int lw_draw_meaning(const struct lw_explorer *ex, struct lw_view_pane *pane,
                    struct lw_surface *surface, struct lw_rect rect, int taken, int below)
{
    bool steps = pane->step_rows * pane->step_cols > 1;
    const struct lw_view *view = &pane->view;
    const char *format = view->options.cell ? view->options.cell
                         : view->type->part ? lw_format_default(view->subject, pane->detail)
                                            : "element";
    struct lw_text text = {0};
    if (view->type->formatted && pane->zoom < LW_ZOOM_NUMBER && view->color) {
        lw_text_add(&text, " cells: ");
        for (const char *c = format; *c; c++) /* "{thread}: {local}" is "thread: local" */
            if (*c != '{' && *c != '}')
                lw_text_char(&text, *c);
            else if (*c == '{' && c > format && c[-1] != ' ' && c[-1] != ':')
                lw_text_char(&text, ' ');
        lw_text_format(&text, ", colours: %s ", view->color);
    }
    if (steps) {
        lw_text_clear(&text);
        if (lw_pane_has_parts(ex, pane))
            lw_text_format(&text, " a cell is %llux%llu, %s: differs in part ",
                           (unsigned long long)pane->step_rows, (unsigned long long)pane->step_cols,
                           pane->half ? "pale" : "~");
        else if (pane->groups.on)
            lw_groups_explain(pane, &text);
        else
            lw_merged_put(pane, lw_is_plain(ex), &text);
        if (ex->compare.diff[pane->shown.side].fits && !lw_cells_compare_all(ex, pane))
            lw_text_add(&text, "and compared ");
    }
    uint64_t owners = view->type->layout ? 1 : lw_map_replication(&view->subject->map);
    if (view->type->formatted && pane->zoom >= LW_ZOOM_NUMBER && owners > 1)
        lw_text_format(&text, " each is the first of %llu owners ", (unsigned long long)owners);
    int width = (int)lw_text_width(lw_text_string(&text));
    bool above = taken + width + 4 <= rect.width;
    int row = above ? rect.row : rect.row + rect.height - 1;
    bool fits = width && (above || (steps && below + width + 4 <= rect.width));
    if (fits)
        lw_put(surface, row, rect.col + rect.width - 2 - width, width, lw_pen(LW_PEN_FAINT),
               lw_text_string(&text));
    lw_text_free(&text);
    return fits && !above ? width + 2 : 0;
}

/* The mark of the elements that differ, or are equal. */
static const char *mark_of(const struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    const struct lw_diff *diff = &ex->compare.diff[pane->shown.side];
    if (!lw_pane_is_picture(pane) || !diff->fits || (diff->counted && !diff->differing))
        return "";
    bool equal = lw_compare_marks_equal(ex, pane->shown.side);
    if (equal && diff->differing == diff->held)
        return "";
    if (pane->zoom < LW_ZOOM_TWO || pane->groups.on)
        return equal ? "= " : "\u2260 ";
    if (!ex->screen.mono)
        return equal ? "dimmed: " : "in colour: ";
    return pane->zoom > LW_ZOOM_TWO ? "reversed: "
           : equal                  ? "= or reversed: "
                                    : "\u2260 or reversed: ";
}

/* Drops words that are not needed, and of a reason that would be cut all but the two shapes, or that too: the message
 * has all of it. */
static void shorten_comparison(struct lw_text *text, int room)
{
    static const char refused[] = "not compared", these[] = "and these are ";
    static const char *const words[][2] = {{" elements differ", " differ"},
                                           {" elements are equal", " are equal"},
                                           {"; element ", "; "}};
    for (int i = 0; i < 3 && (int)lw_text_width(lw_text_string(text)) > room; i++) {
        const char *all = lw_text_string(text), *at = strstr(all, words[i][0]);
        struct lw_text rest = {0};
        if (!at)
            continue;
        lw_text_add(&rest, at + strlen(words[i][0]));
        lw_text_cut(text, (size_t)(at - all));
        lw_text_format(text, "%s%s", words[i][1], lw_text_string(&rest));
        lw_text_free(&rest);
    }
    const char *all = lw_text_string(text), *why = strstr(all, refused);
    if ((int)lw_text_width(all) <= room || !why)
        return;
    struct lw_text shapes = {0};
    const char *of = strstr(why, these);
    of = of ? of + sizeof these - 1 : "";
    lw_text_format(&shapes, "%.*s", (int)strcspn(of, ";"), of);
    lw_text_cut(text, (size_t)(why - all) + sizeof refused - 1);
    const int free = room - (int)lw_text_width(lw_text_string(text));
    if (shapes.length && (int)lw_text_width(lw_text_string(&shapes)) + 2 <= free)
        lw_text_format(text, ": %s", lw_text_string(&shapes));
    lw_text_free(&shapes);
}

void lw_put_comparison(const struct lw_explorer *ex, const struct lw_view_pane *pane, int room,
                       struct lw_text *text)
{
    struct lw_text found = {0};
    lw_compare_put(ex, lw_compare_marks_equal(ex, pane->shown.side), &found);
    const char *mark = mark_of(ex, pane);
    room -= (int)lw_text_width(mark);
    shorten_comparison(&found, room);
    lw_text_format(text, "%s%s", mark, lw_text_string(&found));
    lw_text_free(&found);
}

/* Puts "thread 9 is lit" and its keys. */
static void put_lit(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                    const struct lw_follow *follow, struct lw_surface *surface, struct lw_rect rect)
{
    static const char another[] = ", H follows another";
    struct lw_text text = {0};
    if (!follow->on || rect.height < 1)
        return;
    lw_follow_put(follow, &text);
    int used =
        lw_put(surface, rect.row, rect.col, rect.width,
               lw_pen(pane->lit_everywhere ? LW_PEN_TEXT : LW_PEN_LIT), lw_text_string(&text));
    rect.col += used;
    rect.width -= used;
    lw_text_clear(&text);
    if (pane->lit_everywhere)
        lw_text_add(&text, lw_merged_share(pane, follow->name) == 2 ? " is in every second cell"
                                                                    : " is in every cell");
    else
        lw_text_format(&text, " is lit%s: h %s the rest",
                       pane->lit_by_first ? " where a cell's first is" : "",
                       ex->panes.dims ? "shows" : "dims");
    if ((int)text.length + (int)strlen(another) <= rect.width)
        lw_text_add(&text, another);
    lw_put(surface, rect.row, rect.col, rect.width, lw_pen(LW_PEN_FAINT), lw_text_string(&text));
    lw_text_free(&text);
}

/* Puts what cells with all threads are, after an empty row if there is room for it; returns the rows used. */
static int put_explanation(const struct lw_view_pane *pane, struct lw_surface *surface,
                           struct lw_rect rect)
{
    struct lw_text lines[2] = {{0}};
    lw_merged_explain(pane, lines);
    int count = (lines[0].length > 0) + (lines[1].length > 0), blank = rect.height > count;
    for (int i = 0; i < 2; i++) {
        if (i < count && blank + i < rect.height)
            lw_put(surface, rect.row + blank + i, rect.col, rect.width, lw_pen(LW_PEN_TEXT),
                   lw_text_string(&lines[i]));
        lw_text_free(&lines[i]);
    }
    return count ? blank + count : 0;
}

bool lw_draw_legend(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                    struct lw_surface *surface, struct lw_rect below)
{
    struct lw_follow follow;
    lw_follow_begin(ex, &follow);
    below.row++;
    below.height--;
    below.col++;
    below.width -= 2;
    int used = put_chips(pane, &follow, surface, below);
    below.row += used;
    below.height -= used;
    int lines = put_explanation(pane, surface, below);
    below.row += lines + 1;
    below.height -= lines + 1;
    if (pane == ex->panes.active && used)
        put_lit(ex, pane, &follow, surface, below);
    return used > 0;
}

/* ---- The last legal layout ---- */

void lw_put_problem(const struct lw_explorer *ex, const struct lw_error *why, int room,
                    struct lw_text *text)
{
    const bool form = ex->focus & (LW_FOCUS_FORM | LW_FOCUS_EDIT | LW_FOCUS_PICK);
    const int length = (int)strcspn(why->message, ":"); /* the subject */
    lw_text_add(text, " the last legal layout");
    if (!form && why->message[length] && length + 28 <= room)
        lw_text_format(text, ", not %.*s", length, why->message);
    const char *key = lw_back_undoes(ex)                                     ? ": Esc undoes it"
                      : !form && ex->list.entries[ex->list.entry].past_count ? "; u undoes it"
                                                                             : "";
    if ((int)(text->length + strlen(key)) < room)
        lw_text_add(text, key);
    lw_text_char(text, ' ');
}
