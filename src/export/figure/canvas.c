/* Drawing a figure of panels. The texts above and below the grids are laid out twice: to measure them, and to draw
 * them. */

#include "export/figure/canvas.h"

#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    MARGIN = 12,
    GAP = 24,      /* between panels */
    PAD = 8,       /* on both sides of a text */
    ROW = 24,      /* the height of a row of cells that are no squares, and of labels of columns */
    WORDS = 20,    /* of a line of text */
    LINE = 15,     /* from one line of a cell to the next */
    PAGE_GAP = 16, /* between grids of a stack */
    INSET = 8,     /* both sides of a text in a square together, */
    SMALL_INSET = 2, /* and in one of at most SMALL pixels */
    SMALL = 16,
    LARGEST = 48,       /* square with one line of text, */
    LARGEST_TWO = 60,   /* and with two */
    HEAT_LEAST = 20,    /* the least square that shows what was counted, when there is room */
    LEAST = 3,          /* the least cell at all */
    READABLE = 7,       /* pixels of text */
    WIDTH = 960,        /* of a figure, by default */
    FIGURE_LEAST = 336, /* the least width with texts above the grid, of a figure of one panel, */
    PANEL_LEAST = 200   /* and of one of several */
};

/* ---- Measuring ---- */

static void widen(size_t *width, const struct lw_text *text)
{
    size_t here = lw_text_width(lw_text_string(text));
    *width = here > *width ? here : *width;
}

/* Computes the widths of all texts of a panel. */
static bool measure(struct lw_box *box, const struct lw_export_options *o)
{
    const struct lw_view *view = box->view;
    struct lw_text text = {0};
    box->list = view->cols <= LW_TAILS_MAX / 2 && !view->type->picture;
    size_t (*width)(const struct lw_view *, uint64_t) = view->type->col_width;
    box->tail = box->list ? 0 : view->cols;
    while (width && !box->list && view->cols - box->tail < LW_TAILS_MAX &&
           width(view, box->tail - 1) != width(view, 0))
        box->tail--;
    box->text = box->two = box->label = box->head = 0;
    memset(box->tails, 0, sizeof box->tails);
    for (uint64_t row = o->row_from; row < o->row_to; row++) {
        if (o->labels) {
            lw_fetch_row_label(view, row, &text);
            widen(&box->label, &text);
        }
        for (uint64_t col = o->col_from; col < o->col_to; col++) {
            lw_fetch_cell(view, row, col, &text, NULL);
            widen(col < box->tail ? &box->text : &box->tails[col - box->tail], &text);
            if (col >= box->tail)
                continue;
            size_t second, broken;
            lw_two_lines(lw_text_string(&text), &second, &broken);
            box->two = broken > box->two ? broken : box->two;
        }
    }
    for (uint64_t col = o->col_from; o->labels && col < o->col_to; col++) {
        lw_fetch_col_label(view, col, &text);
        widen(col < box->tail ? &box->head : &box->tails[col - box->tail], &text);
    }
    bool failed = text.failed;
    lw_text_free(&text);
    return !failed;
}

static uint64_t column_width(const struct lw_box *box, uint64_t col)
{
    return col < box->tail ? box->cell : box->tails[col - box->tail] * LW_COLUMN + 2 * PAD;
}

/* The width of the columns from `from` to before `to`. */
static uint64_t columns_width(const struct lw_box *box, uint64_t from, uint64_t to)
{
    uint64_t tail = box->tail < to ? box->tail : to;
    uint64_t width = from < tail ? (tail - from) * box->cell : 0;
    for (uint64_t col = from > tail ? from : tail; col < to; col++)
        width += column_width(box, col);
    return width;
}

/* ---- The size of cells ---- */

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The size at which a text of that number of columns is that number of pixels wide. */
static double font_in(double pixels, size_t columns)
{
    return smaller(pixels / (double)(columns ? columns : 1) * LW_FONT / LW_COLUMN, LW_FONT);
}

/* Sets squares of a given side, with the number of lines that allows the larger text; false: it cannot be read. */
static bool set_square(struct lw_box *box, uint64_t side)
{
    double inside = (double)side - (side > SMALL ? INSET / 2.0 : SMALL_INSET);
    double one = smaller(font_in(inside, box->text), inside * .8);
    double two = smaller(font_in(inside, box->two), inside * LW_FONT / (2 * LINE));
    bool split = two > one && one < 10;
    box->cell = box->height = side;
    box->font = split ? two : one;
    box->lines = box->font < READABLE ? 0 : split ? 2 : 1;
    return box->lines > 0;
}

/* Sets cells as large as the texts need; of columns that have names, not consecutive numbers, also as wide as these. */
static void set_natural(struct lw_box *box)
{
    size_t least = box->view->type->picture || box->view->type->heat ? 0 : box->head;
    uint64_t wide = (box->text > least ? box->text : least) * LW_COLUMN;
    uint64_t two = (box->two > least ? box->two : least) * LW_COLUMN + INSET;
    uint64_t heat = box->view->type->heat ? HEAT_LEAST : ROW;
    box->lines = 1;
    box->font = LW_FONT;
    box->cell = wide + 2 * PAD;
    box->height = ROW;
    if (box->list)
        return;
    if (wide + INSET <= LARGEST)
        set_square(box, wide + INSET > heat ? wide + INSET : heat);
    else if (two <= LARGEST_TWO)
        set_square(box, two > 2 * LINE + INSET ? two : 2 * LINE + INSET);
}

/* Makes cells `side` pixels wide; false: their texts cannot be read. */
static bool set_narrow(struct lw_box *box, uint64_t side)
{
    if (side < LEAST)
        return false;
    if (set_square(box, side))
        return true;
    box->font = side > INSET ? font_in((double)side - INSET, box->text) : 0;
    box->height = ROW;
    box->lines = 1;
    return box->font >= READABLE;
}

/* The pixels that the cells of panels `from` to before `to`, which have the same size, may take side by side, and how
 * many there are. */
static uint64_t room_of(const struct lw_canvas *canvas, size_t from, size_t to, uint64_t *cols)
{
    const struct lw_export_options *o = canvas->options;
    const struct lw_view *view = canvas->boxes[from].view;
    bool product = o->arrangement == LW_ARRANGE_PRODUCT;
    uint64_t width = o->width ? o->width : WIDTH, taken = 2 * MARGIN;
    if (o->any_width || (!o->width && (product || view->seam_cols || o->cell_size)))
        width = UINT32_MAX;
    if (o->arrangement == LW_ARRANGE_ROW && width != UINT32_MAX) {
        width -= taken + (canvas->panels.count - 1) * GAP;
        width = width / canvas->panels.count + taken;
    }
    *cols = 0;
    for (size_t i = from; i < to; i++) {
        const struct lw_box *box = &canvas->boxes[i];
        const struct lw_export_options *own = &canvas->panels.panel[i].options;
        uint64_t first = box->tail > own->col_from ? box->tail : own->col_from;
        uint64_t here = first < own->col_to ? first - own->col_from : own->col_to - own->col_from;
        uint64_t other = canvas->boxes[from].left +
                         (first < own->col_to ? columns_width(box, first, own->col_to) : 0);
        if (!product) {
            *cols = here > *cols ? here : *cols;
            taken = taken > 2 * MARGIN + other ? taken : 2 * MARGIN + other;
        } else if (i != 1) { /* A is on the left of C, and B above C */
            *cols += here;
            taken += other + (i ? GAP : 0);
        }
    }
    return width > taken ? width - taken : 0;
}

/* Sets the sizes of one panel, or of several that have the same. Cells that do not fit have no texts, where they are
 * read by their colours. */
static bool fit(struct lw_canvas *canvas, size_t from, size_t to)
{
    const struct lw_export_options *o = canvas->options;
    const struct lw_view *view = canvas->panels.panel[from].view;
    struct lw_box *box = &canvas->boxes[from];
    uint64_t cols;
    for (size_t i = from; i < to; i++) {
        struct lw_box *own = &canvas->boxes[i];
        const struct lw_export_options *options = &canvas->panels.panel[i].options;
        own->view = canvas->panels.panel[i].view;
        canvas->failed = !measure(own, options);
        if (canvas->failed)
            return false;
        own->left = options->labels && own->label ? own->label * LW_COLUMN + 2 * PAD : 0;
        box->text = own->text > box->text ? own->text : box->text;
        box->two = own->two > box->two ? own->two : box->two;
        box->head = own->head > box->head ? own->head : box->head;
        box->left = own->left > box->left ? own->left : box->left;
    }
    uint64_t room = room_of(canvas, from, to, &cols);
    set_natural(box);
    if (o->cell_size && !box->list)
        set_square(box, o->cell_size);
    const bool fits = box->list || !cols || o->cell_size || box->cell <= room / cols ||
                      set_narrow(box, room / cols);
    const bool by_colors = view->type->picture || view->type->heat || view->seam_cols;
    if (!fits && by_colors) {
        box->cell = box->height = room / cols > LEAST ? room / cols : LEAST;
        box->lines = 0;
    }
    for (uint64_t least = LEAST; !fits && !by_colors && !set_narrow(box, least);)
        least++;
    for (size_t i = from + 1; i < to; i++) { /* all but what a panel has of its own */
        const struct lw_box own = canvas->boxes[i];
        canvas->boxes[i] = *box;
        canvas->boxes[i].view = own.view;
        canvas->boxes[i].tail = own.tail;
        memcpy(canvas->boxes[i].tails, own.tails, sizeof own.tails);
    }
    return true;
}

/* ---- Words ---- */

/* The next line of a text in `columns` columns: its length in bytes; *skip bytes after it are in no line. It breaks at
 * a blank in the second half of the line; else after a sign there; else at an earlier blank. */
static size_t line_break(const char *words, size_t columns, size_t *skip)
{
    size_t length = 0, taken = 0, blank = 0, sign = 0, early = 0;
    for (int bytes; words[length] && words[length] != '\n' && taken < columns;
         length += (size_t)bytes, taken++) {
        lw_text_decode(words + length, &bytes);
        bool late = taken > columns / 2;
        if (words[length] == ' ')
            *(late ? &blank : &early) = length;
        if (late && strchr("{(<,.", words[length]))
            sign = length + 1;
    }
    if (words[length] && !strchr(" \n", words[length]))
        length = blank ? blank : sign ? sign : early ? early : length;
    *skip = words[length] == ' ' || words[length] == '\n';
    return length;
}

/* What is written from the top to the bottom, or only measured. */
struct pen {
    struct lw_canvas *canvas;
    bool draw;
    struct lw_text text, line;
    uint64_t y; /* the top of the next part */
};

static void draw_text(const struct pen *pen, const struct lw_drawn_text *text)
{
    if (pen->draw && pen->canvas->type->text)
        pen->canvas->type->text(pen->canvas, text);
}

static void put_text(struct pen *pen, enum lw_drawn_kind kind, uint64_t x, uint64_t y,
                     const char *string)
{
    const struct lw_drawn_text text = {
        .kind = kind, .x = x, .y = y, .font = LW_FONT, .string = string};
    draw_text(pen, &text);
}

/* Writes words in lines; returns the width of the last one. */
static uint64_t put_words(struct pen *pen, enum lw_drawn_kind kind, const char *words, uint64_t x,
                          uint64_t width)
{
    uint64_t last = 0;
    for (size_t skip; *words;) {
        size_t length = line_break(words, width > LW_COLUMN ? (size_t)width / LW_COLUMN : 1, &skip);
        lw_text_clear(&pen->line);
        lw_text_bytes(&pen->line, words, length);
        put_text(pen, kind, x, pen->y + LW_FONT - 1, lw_text_string(&pen->line));
        last = lw_text_width(lw_text_string(&pen->line)) * LW_COLUMN;
        pen->y += WORDS;
        words += length + skip;
    }
    return last;
}

/* ---- Legends ---- */

/* Writes the entries of a legend after its heading, in as many lines as they need. */
static void put_legend(struct pen *pen, const struct lw_legend *legend, const struct lw_view *view)
{
    struct lw_canvas *canvas = pen->canvas;
    uint8_t classes[LW_CLASS_COUNT];
    int count = lw_legend_entries(legend, classes);
    uint64_t x = MARGIN;
    if (!count)
        return;
    pen->y += PAD + 4;
    if (lw_legend_heading(legend, view, &pen->text)) {
        x += PAD + put_words(pen, LW_DRAWN_WORDS, lw_text_string(&pen->text), MARGIN,
                             canvas->width - 2 * (uint64_t)MARGIN);
        pen->y -= WORDS;
    }
    for (int i = 0; i < count; i++) {
        lw_legend_explanation(legend, view, classes[i], &pen->text);
        const char *string = lw_text_string(&pen->text);
        /* letters in the colour, without a swatch, where cells have no fill */
        bool lettered = classes[i] == LW_INK_GOOD || classes[i] == LW_INK_BAD;
        uint64_t swatch = lettered ? PAD : LW_SWATCH + 6;
        uint64_t width = swatch + lw_text_width(string) * LW_COLUMN + PAD;
        if (x > MARGIN && x + width > canvas->width - MARGIN) {
            x = MARGIN;
            pen->y += WORDS;
        }
        uint64_t base = pen->y + LW_FONT - 1;
        const struct lw_drawn_text entry = {.kind = lettered ? LW_DRAWN_LETTERED : LW_DRAWN_WORDS,
                                            .x = x + swatch,
                                            .y = base,
                                            .font = LW_FONT,
                                            .string = string,
                                            .class = classes[i]};
        if (pen->draw && !lettered && canvas->type->swatch)
            canvas->type->swatch(canvas, x, base - 11, classes[i]);
        draw_text(pen, &entry);
        x += width;
    }
    pen->y += WORDS;
}

/* Writes what is below the grids: the legends and the caption. */
static void put_below(struct pen *pen)
{
    const struct lw_canvas *canvas = pen->canvas;
    const char *caption = canvas->options->caption;
    for (size_t i = 0; i < canvas->panels.legend_count; i++)
        put_legend(pen, &canvas->panels.legend[i].legend, canvas->panels.legend[i].view);
    pen->y += caption ? PAD : 0;
    put_words(pen, LW_DRAWN_CAPTION, caption ? caption : "", MARGIN,
              canvas->width - 2 * (uint64_t)MARGIN);
}

/* The title above several panels. */
static void put_title(struct pen *pen)
{
    const struct lw_canvas *canvas = pen->canvas;
    const char *title = canvas->panels.count > 1 ? canvas->options->title : NULL;
    pen->y = MARGIN;
    put_words(pen, LW_DRAWN_TITLE, title ? title : "", MARGIN,
              canvas->width - 2 * (uint64_t)MARGIN);
    pen->y += title && *title ? PAD : 0;
}

/* ---- The figure ---- */

/* Sets the text above a grid: the notation, the numbers of the view, the meaning of its axes and cells. */
static void put_above(const struct lw_panel *panel, struct lw_box *box)
{
    const struct lw_view *view = box->view;
    struct lw_text part = {0};
    if (!panel->options.head)
        return;
    if (!panel->repeats)
        lw_view_head(view, &box->above);
    if (!strcmp(lw_text_string(&box->above), lw_text_string(&panel->title)))
        lw_text_clear(&box->above);
    if (view->type->caption)
        view->type->caption(view, &part);
    lw_text_format(&box->above, "%s%s", box->above.length && part.length ? "\n" : "",
                   lw_text_string(&part));
    lw_fetch_meaning(view, &panel->options, &part);
    if (!box->lines && !panel->options.cell_size)
        lw_text_format(&part, "%stexts of cells left out", part.length ? "; " : "");
    lw_text_format(&box->above, "%s%s", box->above.length && part.length ? "\n" : "",
                   lw_text_string(&part));
    lw_text_free(&part);
}

/* Sets the texts of a panel and its size. */
static void complete(struct pen *pen, size_t i)
{
    struct lw_canvas *canvas = pen->canvas;
    const struct lw_panel *panel = &canvas->panels.panel[i];
    const struct lw_export_options *o = &panel->options;
    struct lw_box *box = &canvas->boxes[i];
    const uint64_t width = canvas->options->width ? canvas->options->width : WIDTH;
    const uint64_t taken = box->left + 2 * MARGIN + columns_width(box, o->col_from, o->col_to);
    if (box->list && !canvas->options->any_width && taken > width) { /* the last column is cut */
        size_t *last = &box->tails[o->col_to - 1];
        const size_t over = (size_t)((taken - width + LW_COLUMN - 1) / LW_COLUMN);
        *last = *last > over + PAD ? *last - over : *last < PAD ? *last : PAD;
    }
    box->header = o->labels ? ROW : 0;
    lw_view_tiles(box->view, &box->tile_rows, &box->tile_cols);
    box->width = box->left + columns_width(box, o->col_from, o->col_to);
    put_above(panel, box);
    /* with texts above its grid it has a least width, less where the figure is to be narrower */
    const struct lw_export_options *figure = canvas->options;
    const bool several = canvas->panels.count > 1;
    uint64_t least = several ? PANEL_LEAST : FIGURE_LEAST;
    uint64_t room = figure->width ? figure->width - 2 * MARGIN : UINT32_MAX;
    if (several && figure->arrangement != LW_ARRANGE_COLUMN)
        room = (room - GAP) / 2;
    least = room < least ? room : least;
    if ((panel->title.length || box->above.length) && box->width < least)
        box->width = least;
    pen->y = 0;
    put_words(pen, LW_DRAWN_TITLE, lw_text_string(&panel->title), 0, box->width);
    put_words(pen, LW_DRAWN_WORDS, lw_text_string(&box->above), 0, box->width);
    box->words = pen->y ? pen->y + PAD : 0;
    uint64_t pages =
        (o->row_to - 1) / box->view->page_rows - o->row_from / box->view->page_rows + 1;
    box->total = box->words + (o->row_to - o->row_from) * box->height + pages * box->header +
                 (pages - 1) * (uint64_t)PAGE_GAP;
}

/* Arranges panels side by side while there is room; their grids begin at the same height. */
static void arrange_rows(struct lw_canvas *canvas, uint64_t room)
{
    uint64_t y = 0;
    for (size_t from = 0, to; from < canvas->panels.count; from = to) {
        uint64_t x = 0, words = 0, height = 0;
        for (to = from; to < canvas->panels.count; to++) {
            struct lw_box *box = &canvas->boxes[to];
            if (to > from && x + box->width > room)
                break;
            box->x = x;
            box->y = y;
            x += box->width + GAP;
            words = box->words > words ? box->words : words;
        }
        for (size_t i = from; i < to; i++) {
            struct lw_box *box = &canvas->boxes[i];
            box->total += words - box->words;
            box->words = words;
            height = box->total > height ? box->total : height;
        }
        y += height + GAP;
    }
}

/* Sets the positions of panels, and the size of the figure. Of a product B is above C, and A on the left of C, so that
 * rows and columns continue. */
static void arrange(struct lw_canvas *canvas)
{
    const struct lw_export_options *o = canvas->options;
    uint64_t width = o->any_width || o->arrangement == LW_ARRANGE_ROW ? UINT64_MAX / 2
                     : o->width                                       ? o->width
                                                                      : WIDTH;
    uint64_t y = 0;
    struct lw_box *a = canvas->boxes, *b = a + 1, *c = a + 2;
    if (o->arrangement == LW_ARRANGE_PRODUCT) {
        const uint64_t words = a->words > c->words ? a->words : c->words;
        b->x = c->x = a->width + GAP;
        a->y = c->y = b->total + GAP;
        a->total += words - a->words;
        c->total += words - c->words;
        a->words = c->words = words;
    } else if (o->arrangement == LW_ARRANGE_AUTO || o->arrangement == LW_ARRANGE_ROW) {
        arrange_rows(canvas, width - 2 * MARGIN);
    }
    for (size_t i = 0; i < canvas->panels.count; i++) {
        struct lw_box *box = &canvas->boxes[i];
        if (o->arrangement == LW_ARRANGE_COLUMN)
            box->y = y;
        y += box->total + GAP;
        if (box->x + box->width + 2 * MARGIN > canvas->width)
            canvas->width = box->x + box->width + 2 * MARGIN;
        if (box->y + box->total > canvas->height)
            canvas->height = box->y + box->total;
    }
}

bool lw_canvas_open(struct lw_canvas *canvas, const struct lw_view *const *views, size_t count,
                    struct lw_error *err)
{
    const struct lw_export_options *o = canvas->options;
    struct pen pen = {.canvas = canvas};
    if (!lw_panels_open(&canvas->panels, views, count, o, err))
        return false;
    if (canvas->cells_max && lw_panels_cells(&canvas->panels) > canvas->cells_max) {
        lw_panels_free(&canvas->panels);
        return lw_error_set(err, LW_ERROR_LIMIT, "a png or pdf has at most %llu cells",
                            (unsigned long long)canvas->cells_max);
    }
    const bool moves = lw_panels_move(&canvas->panels);
    const bool same = count > 1 && (o->arrangement == LW_ARRANGE_PRODUCT || moves);
    canvas->boxes = calloc(count, sizeof *canvas->boxes);
    canvas->failed = !canvas->boxes;
    for (size_t i = 0; !canvas->failed && i < count; i += same ? count : 1)
        fit(canvas, i, same ? count : i + 1);
    for (size_t i = 0; i < canvas->panels.legend_count; i++)
        for (unsigned class = 0; class < LW_CLASS_COUNT; class ++)
            canvas->seen[class] =
                canvas->seen[class] || canvas->panels.legend[i].legend.seen[class];
    canvas->shares = moves && !o->highlight;
    for (size_t i = 0; !canvas->failed && i < count; i++) {
        const struct lw_panel *one = &canvas->panels.panel[i], *first = canvas->panels.panel;
        complete(&pen, i);
        canvas->shares = canvas->shares && canvas->boxes[i].words == canvas->boxes->words &&
                         one->view->rows == first->view->rows &&
                         one->view->cols == first->view->cols &&
                         one->view->page_rows == first->view->page_rows;
    }
    if (!canvas->failed) {
        arrange(canvas);
        put_title(&pen);
        pen.y += canvas->height;
        put_below(&pen);
        canvas->height = pen.y + MARGIN;
    }
    canvas->failed = canvas->failed || pen.text.failed || pen.line.failed;
    lw_text_free(&pen.text);
    lw_text_free(&pen.line);
    const bool fits = o->any_width || !o->width || canvas->width <= o->width;
    if (!canvas->failed && fits)
        return true;
    if (!canvas->failed)
        lw_error_set(err, LW_ERROR_LIMIT, "width %u: this figure needs at least %llu pixels",
                     o->width, (unsigned long long)canvas->width);
    lw_canvas_close(canvas, canvas->failed ? err : NULL);
    return false;
}

bool lw_canvas_close(struct lw_canvas *canvas, struct lw_error *err)
{
    for (size_t i = 0; canvas->boxes && i < canvas->panels.count; i++) {
        canvas->failed = canvas->failed || canvas->boxes[i].above.failed;
        lw_text_free(&canvas->boxes[i].above);
    }
    free(canvas->boxes);
    lw_panels_free(&canvas->panels);
    return !canvas->failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

/* ---- The grid of a panel ---- */

struct grid {
    struct lw_panel *panel;
    const struct lw_box *box;
    uint64_t x; /* of the labels */
};

static uint64_t column_at(const struct grid *g, uint64_t col)
{
    return g->x + g->box->left + columns_width(g->box, g->panel->options.col_from, col);
}

/* The x of a text: the middle of a column, or the left of a list. */
static uint64_t text_at(const struct grid *g, uint64_t col)
{
    return column_at(g, col) + (g->box->list ? PAD : column_width(g->box, col) / 2);
}

/* Writes the labels of columns; when columns are narrow only of every second one, or every fourth, ... */
static void put_header(struct pen *pen, const struct grid *g)
{
    const struct lw_export_options *o = &g->panel->options;
    const struct lw_box *box = g->box;
    uint64_t step = 1;
    struct lw_drawn_text text = {.kind = box->list ? LW_DRAWN_WORDS : LW_DRAWN_COLUMN,
                                 .font = LW_FONT};
    while (!box->list && step * box->cell < box->head * LW_COLUMN + 1 && step <= UINT32_MAX)
        step *= 2;
    for (uint64_t col = o->col_from; box->header && col < o->col_to; col++) {
        lw_fetch_col_label(box->view, col, &pen->text);
        if (!pen->text.length || (col < box->tail && (col - o->col_from) % step))
            continue;
        text.x = text_at(g, col);
        text.y = pen->y + LW_FONT + 3;
        text.string = lw_text_string(&pen->text);
        draw_text(pen, &text);
    }
    pen->y += box->header;
}

/* Sets the text of a cell, pen->text, on one line or on two, or cuts it in a list. */
static void set_cell_text(struct pen *pen, const struct lw_box *box, uint64_t col,
                          struct lw_drawn_cell *cell)
{
    const char *string = lw_text_string(&pen->text);
    uint64_t down = (uint64_t)(box->font * .31 + .5);
    size_t first = pen->text.length, second = first, width;
    cell->first = cell->second = "";
    if (!box->lines && col < box->tail)
        return;
    cell->first = string;
    cell->y = pen->y + box->height / 2 + down;
    if (box->list && lw_text_width(string) > box->tails[col]) {
        lw_text_clear(&pen->line);
        size_t skip, length = line_break(string, box->tails[col] - 1, &skip);
        lw_text_bytes(&pen->line, string, length);
        lw_text_add(&pen->line, "\xe2\x80\xa6");
        cell->first = lw_text_string(&pen->line);
    }
    if (box->lines == 2 && col < box->tail)
        first = lw_two_lines(string, &second, &width);
    if (second >= pen->text.length)
        return;
    cell->apart = (uint64_t)(box->font * LINE / LW_FONT + .5);
    cell->y -= cell->apart / 2;
    lw_text_clear(&pen->line);
    lw_text_bytes(&pen->line, string, first);
    cell->first = lw_text_string(&pen->line);
    cell->second = string + second;
}

/* Writes a row; of low rows only every second one has a label, or every fourth, ... */
static void put_row(struct pen *pen, const struct grid *g, uint64_t row)
{
    struct lw_canvas *canvas = pen->canvas;
    const struct lw_export_options *o = &g->panel->options;
    const struct lw_box *box = g->box;
    struct lw_highlight *highlight = &g->panel->highlight;
    uint64_t every = 1;
    while (every * box->height < LINE)
        every *= 2;
    if (box->left && row % every == 0) {
        lw_fetch_row_label(box->view, row, &pen->text);
        struct lw_drawn_text text = {.kind = LW_DRAWN_ROW,
                                     .x = g->x + box->left - PAD,
                                     .y = pen->y + box->height / 2 + 4,
                                     .font = LW_FONT,
                                     .string = lw_text_string(&pen->text)};
        if (pen->text.length)
            draw_text(pen, &text);
    }
    for (uint64_t col = o->col_from; col < o->col_to; col++) {
        struct lw_cell cell = {0}, first = {0};
        lw_fetch_cell(box->view, row, col, &pen->text, &cell);
        if (canvas->shares && g->panel != canvas->panels.panel) {
            lw_fetch_cell(canvas->boxes->view, row, col, &pen->line, &first);
            if (lw_palette_class(&first) == lw_palette_class(&cell) &&
                !strcmp(lw_text_string(&pen->line), lw_text_string(&pen->text)))
                continue;
        }
        struct lw_drawn_cell drawn = {.row = row,
                                      .col = col,
                                      .class = lw_palette_class(&cell),
                                      .dim = highlight->count && !o->no_dim &&
                                             !lw_highlight_has(highlight, row, col),
                                      .list = box->list,
                                      .left = column_at(g, col),
                                      .top = pen->y,
                                      .width = column_width(box, col),
                                      .height = box->height,
                                      .x = text_at(g, col)};
        set_cell_text(pen, box, col, &drawn);
        if (!lw_panel_is_outside(g->panel, row, col, &pen->text))
            canvas->type->cell(canvas, &drawn);
    }
    if (canvas->type->end_row)
        canvas->type->end_row(canvas);
    pen->y += box->height;
}

/* ---- Lines over the cells of a page, the rows from `from` to before `to`, drawn at `top` ---- */

/* Draws the lines of a kind on the left of column `at`, or above row `at`: neighbours are one line. */
static void put_line(struct lw_canvas *canvas, const struct grid *g, enum lw_stroke_kind kind,
                     bool across, uint64_t at, uint64_t from, uint64_t to, uint64_t top)
{
    const struct lw_export_options *o = &g->panel->options;
    const struct lw_box *box = g->box;
    enum lw_tile_line wanted = kind == LW_STROKE_WARP ? LW_LINE_WARP : LW_LINE_TILE;
    uint64_t first = across ? from : o->col_from, end = across ? to : o->col_to, begin = first;
    for (uint64_t i = first; i <= end; i++) {
        bool has = i < end && lw_panel_line(g->panel, across ? i : at, across ? at : i, across,
                                            across ? box->tile_cols : box->tile_rows) == wanted;
        if (!has && i > begin && across)
            canvas->type->stroke(canvas, kind, column_at(g, at), top + (begin - from) * box->height,
                                 0, (i - begin) * box->height);
        else if (!has && i > begin)
            canvas->type->stroke(canvas, kind, column_at(g, begin), top + (at - from) * box->height,
                                 column_at(g, i) - column_at(g, begin), 0);
        begin = has ? begin : i + 1;
    }
}

static void put_lines(struct pen *pen, const struct grid *g, uint64_t top, uint64_t from,
                      uint64_t to)
{
    struct lw_canvas *canvas = pen->canvas;
    const struct lw_export_options *o = &g->panel->options;
    for (int kind = LW_STROKE_TILE; canvas->type->stroke && kind <= LW_STROKE_MARK; kind++) {
        enum lw_stroke_kind stroke = (enum lw_stroke_kind)kind;
        for (uint64_t col = o->col_from + 1; stroke != LW_STROKE_MARK && col < o->col_to; col++)
            put_line(canvas, g, stroke, true, col, from, to, top);
        for (uint64_t row = from + 1; stroke != LW_STROKE_MARK && row < to; row++)
            put_line(canvas, g, stroke, false, row, from, to, top);
        for (uint64_t row = from; stroke == LW_STROKE_MARK && row < to; row++)
            for (uint64_t col = o->col_from; col < o->col_to; col++)
                if (lw_panel_marks(&canvas->panels, g->panel, row, col))
                    canvas->type->stroke(canvas, stroke, column_at(g, col),
                                         top + (row - from) * g->box->height,
                                         column_width(g->box, col), g->box->height);
        if (canvas->type->end_strokes)
            canvas->type->end_strokes(canvas, stroke);
    }
}

/* ---- All of it ---- */

static void put_panel(struct pen *pen, size_t i, uint64_t top)
{
    struct lw_canvas *canvas = pen->canvas;
    const struct lw_box *box = &canvas->boxes[i];
    struct grid g = {&canvas->panels.panel[i], box, MARGIN + box->x};
    const struct lw_export_options *o = &g.panel->options;
    if (canvas->type->begin_panel)
        canvas->type->begin_panel(canvas, i);
    pen->y = top + box->y;
    put_words(pen, LW_DRAWN_TITLE, lw_text_string(&g.panel->title), g.x, box->width);
    put_words(pen, LW_DRAWN_WORDS, lw_text_string(&box->above), g.x, box->width);
    pen->y = top + box->y + box->words;
    if (canvas->type->begin_grid)
        canvas->type->begin_grid(canvas, box);
    for (uint64_t row = o->row_from, end; row < o->row_to && !ferror(canvas->stream); row = end) {
        end = lw_page_end(box->view, o, row);
        put_header(pen, &g);
        uint64_t grid = pen->y;
        for (uint64_t k = row; k < end; k++)
            put_row(pen, &g, k);
        put_lines(pen, &g, grid, row, end);
        pen->y += PAGE_GAP;
    }
    if (canvas->type->end_grid)
        canvas->type->end_grid(canvas, box);
    if (canvas->type->end_panel)
        canvas->type->end_panel(canvas, i);
}

void lw_canvas_draw(struct lw_canvas *canvas)
{
    struct pen pen = {.canvas = canvas, .draw = true};
    uint64_t below = 0;
    put_title(&pen);
    uint64_t top = pen.y;
    for (size_t i = 0; i < canvas->panels.count; i++) {
        const struct lw_box *box = &canvas->boxes[i];
        put_panel(&pen, i, top);
        below = box->y + box->total > below ? box->y + box->total : below;
    }
    pen.y = top + below;
    put_below(&pen);
    canvas->failed = canvas->failed || pen.text.failed || pen.line.failed;
    lw_text_free(&pen.text);
    lw_text_free(&pen.line);
}
