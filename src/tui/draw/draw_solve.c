/* The swizzles that were found: a table over the panes, and the present one beside the chosen one. */

#include "tui/draw/drawing.h"
#include "tui/access/solve.h"

#include <string.h>

enum { NAME = 13, NARROW = 100, WIDE = 120, BELOW = 9, LEAST = 3 };

static bool is_narrow(struct lw_rect line)
{
    return line.width < NARROW;
}

static int width_of(int column, bool narrow)
{
    return narrow ? lw_solve_columns[column].narrow_width : lw_solve_columns[column].width;
}

/* The distance of a column's beginning from the right end. */
static int from_right(int column, bool narrow)
{
    int width = 0;
    for (int i = column; i < LW_SOLVE_COLUMNS; i++)
        width += width_of(i, narrow);
    return width;
}

/* ---- The table ---- */

static void put_number(struct lw_surface *surface, struct lw_rect line, int column,
                       struct lw_pen pen, const char *text)
{
    bool narrow = is_narrow(line);
    lw_put_padded(surface, line.row, line.col + line.width - from_right(column, narrow),
                  width_of(column, narrow), pen, text, true);
}

static void draw_heads(const struct lw_solve *solve, struct lw_surface *surface,
                       struct lw_rect line)
{
    bool narrow = is_narrow(line);
    lw_put(surface, line.row, line.col + NAME + 1, line.width, lw_pen(LW_PEN_LABEL), "layout");
    for (int i = 0; i < LW_SOLVE_COLUMNS; i++) {
        struct lw_text text = {0};
        bool sorted = solve->sort == i + 1;
        lw_text_format(&text, "%s%s", sorted ? lw_sort_mark(surface, !solve->reversed) : "",
                       narrow ? lw_solve_columns[i].narrow : lw_solve_columns[i].head);
        put_number(surface, line, i, lw_pen(sorted ? LW_PEN_LABEL_ON : LW_PEN_LABEL),
                   lw_text_string(&text));
        lw_text_free(&text);
    }
}

static bool is_bad(const struct lw_swizzle *one)
{
    return one->store.conflicts + one->load.conflicts > 0;
}

/* Puts the label of a row without the word that its name ends with: "128 bytes" after "best nvmma". */
static void put_label(const struct lw_solve *solve, const struct lw_solve_row *row,
                      struct lw_text *text)
{
    struct lw_text label = {0};
    const char *word = strrchr(row->name, ' ');
    size_t length = word ? strlen(++word) : 0;
    lw_solve_label(solve, row->swizzle, &label);
    const char *string = lw_text_string(&label);
    bool repeats = length && !strncmp(string, word, length) && string[length] == ' ';
    lw_text_add(text, repeats ? string + length + 1 : string);
    lw_text_free(&label);
}

static void draw_one(const struct lw_solve *solve, struct lw_surface *surface, struct lw_rect line,
                     const struct lw_solve_row *row, bool chosen)
{
    const struct lw_swizzle *one = row->swizzle;
    struct lw_text text = {0};
    struct lw_pen pen = lw_pen(chosen ? LW_PEN_CURSOR : LW_PEN_TEXT);
    lw_put_padded(surface, line.row, line.col, line.width, pen, "", false);
    lw_put(surface, line.row, line.col + 1, NAME, chosen ? pen : lw_pen(LW_PEN_TITLE), row->name);
    put_label(solve, row, &text);
    const bool unknown = one == &solve->current && !solve->has_current;
    if (unknown) {
        lw_text_add(&text, ": ");
        lw_solve_put_unknown(solve, &text);
    } else if (one == &solve->current && lw_solve_gains_nothing(solve))
        lw_text_add(&text, !lw_solve_excess(solve) ? ": nothing to gain"
                           : is_bad(one)           ? ": none takes fewer"
                                                   : ": no conflicts");
    int before = row->name[0] ? NAME + 1 : 1;
    lw_put(surface, line.row, line.col + before,
           line.width - before - from_right(0, is_narrow(line)), pen, lw_text_string(&text));
    for (int i = 0; i < LW_SOLVE_COLUMNS; i++) {
        enum lw_pen_kind kind = i != 0 && i != 3         ? LW_PEN_TEXT
                                : unknown || is_bad(one) ? LW_PEN_BAD
                                                         : LW_PEN_GOOD;
        lw_text_clear(&text);
        if (lw_solve_is_known(solve, one, i))
            lw_text_number(&text, lw_solve_columns[i].number(one));
        else
            lw_text_add(&text, "—");
        put_number(surface, line, i, chosen ? pen : lw_pen(kind), lw_text_string(&text));
    }
    lw_text_free(&text);
}

/* ---- The present and the chosen one ---- */

static void put_side(struct lw_text *text, const char *name, const struct lw_plan_total *total)
{
    lw_text_format(text, "%-5s %llu wf, ideal %llu, %llu instr", name,
                   (unsigned long long)total->wavefronts, (unsigned long long)total->ideal,
                   (unsigned long long)total->instructions);
}

/* The column of the bars, after the texts of both sides and a blank. */
static int bar_col(const struct lw_swizzle *one)
{
    struct lw_text text = {0};
    put_side(&text, "store", &one->store);
    int store = (int)text.length;
    lw_text_clear(&text);
    put_side(&text, "load", &one->load);
    int load = (int)text.length;
    lw_text_free(&text);
    return (store > load ? store : load) + 1;
}

/* Draws "store 32 wf, ideal 32, 8 instr" and a bar of the wavefronts, in another colour beyond the ideal. */
static void draw_side(struct lw_surface *surface, struct lw_rect line, const char *name,
                      const struct lw_plan_total *total, uint64_t most, int from)
{
    enum { BAR_LEAST = 6 };
    struct lw_text text = {0};
    if (line.height < 1)
        return;
    int room = line.width - from - 1;
    room = room < BAR_LEAST ? 0 : room;
    put_side(&text, name, total);
    lw_put(surface, line.row, line.col, line.width, lw_pen(LW_PEN_TEXT), lw_text_string(&text));
    lw_text_free(&text);
    for (int i = 0; i < room && most && (uint64_t)i * most < total->wavefronts * (uint64_t)room;
         i++) {
        bool ideal = (uint64_t)i * most < total->ideal * (uint64_t)room;
        lw_put(surface, line.row, line.col + from + i, 1, lw_pen(ideal ? LW_PEN_GOOD : LW_PEN_BAD),
               ideal ? "█" : "▒");
    }
}

static uint64_t most_of(const struct lw_swizzle *a, const struct lw_swizzle *b)
{
    const uint64_t all[] = {a->store.wavefronts, a->load.wavefronts, b->store.wavefronts,
                            b->load.wavefronts};
    uint64_t most = 0;
    for (int i = 0; i < 4; i++)
        most = all[i] > most ? all[i] : most;
    return most;
}

/* Puts "store fails" in the line of a side whose cost is unknown. */
static void put_failed(const struct lw_solve *solve, struct lw_surface *surface,
                       struct lw_rect line, const char *name)
{
    struct lw_text text = {0};
    lw_text_format(&text, "%-5s %s", name,
                   solve->unknown.code == LW_ERROR_PARAMETER ? "fails" : "unknown");
    lw_put(surface, line.row, line.col, line.width, lw_pen(LW_PEN_BAD), lw_text_string(&text));
    lw_text_free(&text);
}

static void draw_half(const struct lw_solve *solve, struct lw_surface *surface, struct lw_rect half,
                      const char *when, const struct lw_swizzle *one, uint64_t most)
{
    struct lw_text text = {0};
    lw_text_format(&text, "%s: ", when);
    lw_solve_label(solve, one, &text);
    if (half.height > 0)
        lw_put(surface, half.row, half.col, half.width, lw_pen(LW_PEN_TITLE),
               lw_text_string(&text));
    for (int i = 0; i < 2; i++) {
        half.row++, half.height--;
        const char *name = i ? "load" : "store";
        if (solve->has[i] && lw_solve_is_known(solve, one, 1 + i))
            draw_side(surface, half, name, i ? &one->load : &one->store, most, bar_col(one));
        else if (solve->has[i] && half.height > 0)
            put_failed(solve, surface, half, name);
    }
    half.row++, half.height--;
    lw_text_clear(&text);
    const bool known = lw_solve_is_known(solve, one, 0);
    lw_text_add(&text, known ? "sum   " : "sum   unknown");
    if (known)
        lw_text_format(&text, "%llu wf, %llu conflicts",
                       (unsigned long long)lw_swizzle_wavefronts(one),
                       (unsigned long long)(one->store.conflicts + one->load.conflicts));
    lw_text_add(&text, ", ");
    lw_put_size(&text, one->bytes);
    if (half.height > 0)
        lw_put(surface, half.row, half.col, half.width,
               lw_pen(!known || is_bad(one) ? LW_PEN_BAD : LW_PEN_GOOD), lw_text_string(&text));
    lw_text_free(&text);
}

/* Puts a text in the rectangle, and cuts from that the lines that it takes. */
static void put_below(struct lw_surface *surface, struct lw_rect *rest, enum lw_pen_kind kind,
                      const char *text)
{
    if (rest->height <= 0 || !text[0])
        return;
    int used = lw_put_wrapped(surface, *rest, lw_pen(kind), text);
    rest->row += used;
    rest->height -= used;
}

/* The present one on the left, the chosen one on the right, and its source. */
static void draw_chosen(const struct lw_solve *solve, struct lw_surface *surface,
                        struct lw_rect rest, const struct lw_swizzle *one, const char *sharers)
{
    enum { HALF_ROWS = 5 };
    const struct lw_swizzle *before = solve->has_shared ? &solve->current : lw_solve_before(solve);
    struct lw_rect half = rest;
    half.width = rest.width / 2 - 1;
    struct lw_text text = {0};
    uint64_t most = most_of(before ? before : one, one);
    if (before)
        draw_half(solve, surface, half,
                  solve->has_current || solve->has_shared ? "before" : "without", before, most);
    half.col += rest.width / 2 + 1;
    if (one != before || solve->has_current)
        draw_half(solve, surface, half, "after", one, most);
    rest.row += HALF_ROWS;
    rest.height -= HALF_ROWS;
    if (one != &solve->current)
        lw_swizzle_print(&text, &solve->search, one);
    put_below(surface, &rest, LW_PEN_TEXT, lw_text_string(&text));
    if (solve->has_shared && !solve->has_current)
        put_below(surface, &rest, LW_PEN_BAD, solve->unknown.message);
    lw_text_clear(&text);
    lw_solve_bound(solve, &text);
    put_below(surface, &rest, LW_PEN_FAINT, lw_text_string(&text));
    put_below(surface, &rest, LW_PEN_FAINT, sharers);
    lw_text_free(&text);
}

/* ---- All ---- */

/* The lines below the list: more where they explain why the present layout has no cost. */
static int below(const struct lw_solve *solve)
{
    enum { REASON = 3 };
    return BELOW + (solve && solve->has_shared && !solve->has_current ? REASON : 0);
}

static struct lw_rect area_of(const struct lw_explorer *ex, int count)
{
    struct lw_rect rect = lw_panes_over(ex);
    int max = count + below(ex->solve) + 4; /* no higher than its content */
    if (ex->screen.width >= WIDE + 4)
        rect = (struct lw_rect){rect.row, (ex->screen.width - WIDE) / 2, rect.height, WIDE};
    else if (ex->screen.width >= NARROW)
        rect = (struct lw_rect){rect.row, 0, rect.height, ex->screen.width};
    if (rect.height > max) {
        rect.row += (rect.height - max) / 2;
        rect.height = max;
    }
    return rect;
}

static int rows_shown(const struct lw_solve *solve, struct lw_rect inside, int count)
{
    int shown = inside.height - 1 - below(solve);
    shown = shown < LEAST ? LEAST : shown;
    return shown > count ? count : shown;
}

/* On the lower border: the meaning of abbreviations, and the filter. */
static void draw_border(const struct lw_solve *solve, struct lw_surface *surface,
                        struct lw_rect rect, bool narrow)
{
    struct lw_text text = {0};
    if (solve->sort)
        lw_text_format(&text, " by %s, the %s first ", lw_solve_columns[solve->sort - 1].head,
                       solve->reversed ? "most" : "least");
    if (solve->filter[0])
        lw_text_format(&text, " only '%s' ", solve->filter);
    if (narrow && !text.length)
        lw_text_add(&text, " wavefronts, of store, load; conflicts; instructions ");
    lw_put(surface, rect.row + rect.height - 1, rect.col + 2, rect.width - 4, lw_pen(LW_PEN_FAINT),
           lw_text_string(&text));
    lw_text_free(&text);
}

/* The frame without its border and a blank on each side. */
static struct lw_rect inside_of(struct lw_rect rect)
{
    return (struct lw_rect){rect.row + 1, rect.col + 2, rect.height - 2, rect.width - 4};
}

void lw_draw_solve(struct lw_explorer *ex, struct lw_surface *surface)
{
    struct lw_solve *solve = ex->solve;
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    struct lw_text title = {0};
    if (!solve)
        return;
    int count = lw_solve_rows(solve, rows), at = lw_solve_chosen(solve, rows, count);
    struct lw_rect rect = area_of(ex, count), inside = inside_of(rect);
    lw_solve_title(ex, &title);
    lw_put_frame(surface, rect, lw_text_string(&title), true);
    lw_text_free(&title);
    int shown = rows_shown(solve, inside, count);
    /* The screen may have grown, or the list shrunk, since it was scrolled. */
    solve->top = solve->top > count - shown ? count - shown : solve->top;
    solve->top = at < solve->top ? at : at >= solve->top + shown ? at - shown + 1 : solve->top;
    draw_heads(solve, surface, (struct lw_rect){inside.row, inside.col, 1, inside.width});
    for (int i = 0; i < shown && i + 1 < inside.height; i++) {
        struct lw_rect line = {inside.row + 1 + i, inside.col, 1, inside.width};
        draw_one(solve, surface, line, &rows[solve->top + i], solve->top + i == at);
    }
    struct lw_rect rest = {inside.row + shown + 2, inside.col + 1, inside.height - shown - 2,
                           inside.width - 2};
    if (count)
        draw_chosen(solve, surface, rest, rows[at].swizzle, lw_explorer_entry(ex)->sharers);
    draw_border(solve, surface, rect, is_narrow(inside));
    lw_put_more(surface, rect, solve->top, count - shown);
}

bool lw_solve_click(struct lw_explorer *ex, int row, int col)
{
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    struct lw_solve *solve = ex->solve;
    int count = solve ? lw_solve_rows(solve, rows) : 0;
    struct lw_rect rect = area_of(ex, count), inside = inside_of(rect);
    if (!solve || row < rect.row || row >= rect.row + rect.height || col < rect.col ||
        col >= rect.col + rect.width)
        return false;
    int line = row - inside.row - 1;
    if (line >= 0 && line < rows_shown(solve, inside, count)) {
        bool again = solve->top + line == lw_solve_chosen(solve, rows, count);
        solve->moved = true;
        solve->at = solve->top + line;
        if (again)
            lw_solve_apply(ex, 0);
    }
    for (int i = 0; i < LW_SOLVE_COLUMNS && line == -1; i++) {
        int from = inside.col + inside.width - from_right(i, is_narrow(inside));
        if (col >= from && col < from + width_of(i, is_narrow(inside)))
            lw_solve_sort_by(ex, i);
    }
    return true;
}
