/* The swizzles that were found, over the screen: a table, and all about the one that is chosen. */

#include "tui/draw/drawing.h"
#include "tui/explore/solve.h"

enum { NAME = 13, COLUMNS = 3, NARROW = 90 };

/* From much room to little: the border of a narrow table explains its letters. */
static const struct {
    const char *head;
    int width, from_right;
} columns[2][COLUMNS] = {{{"wavefronts", 11, 29}, {"ideal", 7, 18}, {"conflicts", 11, 11}},
                         {{"w", 6, 18}, {"ideal", 6, 12}, {"c", 6, 6}}};

static bool is_narrow(struct lw_rect line)
{
    return line.width < NARROW;
}

static void put_number(struct lw_surface *surface, struct lw_rect line, int column,
                       struct lw_pen pen, const char *text)
{
    bool narrow = is_narrow(line);
    int col = line.col + line.width - columns[narrow][column].from_right;
    lw_put_padded(surface, line.row, col, columns[narrow][column].width, pen, text, true);
}

static void draw_heads(struct lw_surface *surface, struct lw_rect line)
{
    lw_put(surface, line.row, line.col + NAME + 1, line.width, lw_pen(LW_PEN_LABEL), "layout");
    for (int i = 0; i < COLUMNS; i++)
        put_number(surface, line, i, lw_pen(LW_PEN_LABEL), columns[is_narrow(line)][i].head);
}

static void draw_one(const struct lw_solve *solve, struct lw_surface *surface, struct lw_rect line,
                     const struct lw_solve_row *row, bool chosen)
{
    const struct lw_swizzle *one = row->swizzle;
    uint64_t conflicts = one->store.conflicts + one->load.conflicts;
    const uint64_t numbers[COLUMNS] = {lw_swizzle_wavefronts(one),
                                       one->store.ideal + one->load.ideal, conflicts};
    struct lw_text text = {0};
    struct lw_pen pen = lw_pen(chosen ? LW_PEN_CURSOR : LW_PEN_TEXT);
    lw_put_padded(surface, line.row, line.col, line.width, pen, "", false);
    lw_put(surface, line.row, line.col + 1, NAME, chosen ? pen : lw_pen(LW_PEN_TITLE), row->name);
    lw_solve_label(solve, one, &text);
    lw_put(surface, line.row, line.col + NAME + 1,
           line.width - NAME - 1 - columns[is_narrow(line)][0].from_right, pen,
           lw_text_string(&text));
    for (int i = 0; i < COLUMNS; i++) {
        enum lw_pen_kind kind = i < 2 ? LW_PEN_TEXT : conflicts ? LW_PEN_BAD : LW_PEN_GOOD;
        lw_text_clear(&text);
        lw_text_number(&text, numbers[i]);
        put_number(surface, line, i, chosen ? pen : lw_pen(kind), lw_text_string(&text));
    }
    lw_text_free(&text);
}

static void put_side(struct lw_text *text, const char *name, const struct lw_plan_total *total)
{
    lw_text_format(text, "%s %llu instruction%s, %llu wavefront%s, ideal %llu", name,
                   (unsigned long long)total->instructions, total->instructions == 1 ? "" : "s",
                   (unsigned long long)total->wavefronts, total->wavefronts == 1 ? "" : "s",
                   (unsigned long long)total->ideal);
    if (total->matrix)
        lw_text_format(text, ", %llu of matrices", (unsigned long long)total->matrix);
}

/* What the chosen one does on both sides, and what to write for it. */
static void draw_chosen(const struct lw_solve *solve, struct lw_surface *surface,
                        struct lw_rect inside, const struct lw_swizzle *one)
{
    struct lw_text text = {0};
    put_side(&text, "store", &one->store);
    lw_text_char(&text, '\n');
    put_side(&text, "load ", &one->load);
    lw_text_char(&text, '\n');
    if (one != &solve->current) {
        lw_text_format(&text, "%llu bytes of shared memory\n", (unsigned long long)one->bytes);
        lw_swizzle_print(&text, &solve->search, one);
        lw_text_char(&text, '\n');
    }
    lw_solve_bound(solve, &text);
    for (const char *p = lw_text_string(&text); *p && inside.height > 0;) {
        struct lw_text line = {0};
        size_t length = 0;
        while (p[length] && p[length] != '\n')
            length++;
        lw_text_bytes(&line, p, length);
        int used = lw_put_wrapped(surface, inside, lw_pen(LW_PEN_TEXT), lw_text_string(&line));
        inside.row += used;
        inside.height -= used;
        p += length + (p[length] != '\0');
        lw_text_free(&line);
    }
    lw_text_free(&text);
}

void lw_draw_solve(struct lw_explorer *ex, struct lw_surface *surface)
{
    enum { DETAIL = 8, LEAST = 3, WIDE = 106 };
    struct lw_solve *solve = ex->solve;
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    struct lw_text title = {0};
    if (!solve)
        return;
    int count = lw_solve_rows(solve, rows), at = lw_solve_chosen(solve, rows, count);
    struct lw_rect rect = lw_panes_over(ex);
    int max = count + DETAIL + 3; /* no taller than its content */
    if (ex->screen.width >= WIDE + 4)
        rect = (struct lw_rect){rect.row, (ex->screen.width - WIDE) / 2, rect.height, WIDE};
    if (rect.height > max) {
        rect.row += (rect.height - max) / 2;
        rect.height = max;
    }
    lw_solve_title(ex, &title);
    struct lw_rect inside = lw_put_frame(surface, rect, lw_text_string(&title), true);
    lw_text_free(&title);
    inside.col++;
    inside.width -= 2;
    int shown = inside.height - 1 - DETAIL;
    shown = shown < LEAST ? LEAST : shown;
    shown = shown > count ? count : shown;
    /* The screen may have grown, or the list shrunk, since it was scrolled. */
    solve->top = solve->top > count - shown ? count - shown : solve->top;
    solve->top = at < solve->top ? at : at >= solve->top + shown ? at - shown + 1 : solve->top;
    draw_heads(surface, (struct lw_rect){inside.row, inside.col, 1, inside.width});
    for (int i = 0; i < shown && i + 1 < inside.height; i++) {
        struct lw_rect line = {inside.row + 1 + i, inside.col, 1, inside.width};
        draw_one(solve, surface, line, &rows[solve->top + i], solve->top + i == at);
    }
    struct lw_rect rest = {inside.row + shown + 2, inside.col + 1, inside.height - shown - 2,
                           inside.width - 2};
    draw_chosen(solve, surface, rest, rows[at].swizzle);
    if (is_narrow(inside))
        lw_put(surface, rect.row + rect.height - 1, rect.col + 2, rect.width - 4,
               lw_pen(LW_PEN_FAINT), " w wavefronts, c conflicts ");
    lw_put_more(surface, rect, solve->top, count - shown);
}
