/* Grids of numbers in brackets, as the documentation of Triton's encodings draws them: the rows of a matrix, of
 * a warp or of a block, sets of owners, phases of a swizzle. A style is a row of the table below. */

#include "export/export_parts.h"
#include "export/output.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

static const struct lw_brackets {
    const char *name;
    const char *open, *between, *tile, *close; /* of a row; `tile`: between two warps */
    const char *row_end;                       /* after all rows but the last */
    bool right;                                /* cells are aligned at the right */
    bool once;                                 /* one pair of brackets around all rows */
    const char *set;                           /* between the numbers of a set; NULL: no sets */
    bool aligned;                              /* the numbers of sets are aligned */
    bool phases, braces;                       /* comments with phases; braces over warps */
} styles[] = {
    {"brackets", "[ ", " ", " ; ", " ]", "", false, false, NULL, false, false, false},
    {"warps", "[ ", "  ", "  ", " ]", "", false, false, NULL, false, false, true},
    {"rows", "[", ", ", ", ", "]", ",", true, false, NULL, false, false, false},
    {"phases", "[", ", ", ", ", "]", ",", true, false, NULL, false, true, false},
    {"spaced_rows", "[", ", ", ", ", " ]", "", true, false, NULL, false, false, false},
    {"matrix", "[", " ", " ", "]", "", false, false, NULL, false, false, false},
    {"sets", "[ ", ", ", ", ", "]", ",", false, true, ",", true, false, false},
    {"slices", "[", ", ", ", ", "]", ",", false, true, ", ", false, false, false},
};

enum { PARTS_MAX = 8, NUMBERS_MAX = 64 };

/* Ranges of rows or of columns of a block; those between them are left out. */
struct parts {
    size_t count;
    uint64_t from[PARTS_MAX], to[PARTS_MAX];
};

struct grid {
    const struct lw_brackets *style;
    const struct lw_view *view;
    const struct lw_export_options *options;
    FILE *stream;
    uint64_t block_rows, block_cols; /* the grid of one block */
    uint64_t tile_cols;              /* of a warp; 0: all */
    struct parts rows, cols;
    size_t width;               /* of the widest cell */
    size_t number[NUMBERS_MAX]; /* the widths of the numbers of sets, by position */
    uint64_t phases;            /* that have been explained, as bits */
    struct lw_text cell, line;
};

/* ---- What is drawn ---- */

static bool read_parts(const char *option, const char *text, uint64_t size, struct parts *parts,
                       struct lw_error *err)
{
    *parts = (struct parts){1, {0}, {size}};
    if (!text)
        return true;
    uint64_t before = 0;
    for (parts->count = 0; parts->count < PARTS_MAX; text++) {
        unsigned long long from, to;
        int length = 0;
        if (sscanf(text, "%llu:%llu%n", &from, &to, &length) != 2 || from < before || to <= from ||
            to > size)
            break;
        if (parts->count && from == before)
            parts->count--; /* nothing is left out between the two */
        else
            parts->from[parts->count] = from;
        parts->to[parts->count++] = before = to;
        text += length;
        if (*text != ',')
            break;
    }
    if (parts->count && !*text && text[-1] != ',')
        return true;
    return lw_error_set(err, LW_ERROR_SYNTAX,
                        "--%s: expected A:B,C:D, ascending, of the %llu of a block", option,
                        (unsigned long long)size);
}

/* The size of the grid of a block: where the block changes in the first row, or in the first column. */
static uint64_t block_size(const struct lw_view *view, bool across)
{
    uint64_t count = across ? view->cols : view->rows, first = 0, here;
    for (uint64_t i = 0; i < count; i++) {
        struct lw_spot spot;
        if (!view->type->spot || !view->type->spot(view, across ? 0 : i, across ? i : 0, &spot) ||
            !spot.has_in || !lw_subject_field(view->subject, "block", spot.in, spot.out, &here))
            return count;
        first = i ? first : here;
        if (here != first)
            return i;
    }
    return count;
}

/* ---- Cells ---- */

/* The numbers of a set, "[0, 8]" as the owners view has it, or one number; returns how many. */
static size_t read_numbers(const char *text, uint64_t *numbers)
{
    size_t count = 0;
    text += *text == '[';
    while (count < NUMBERS_MAX && *text >= '0' && *text <= '9') {
        char *end;
        numbers[count++] = strtoull(text, &end, 10);
        text = end + strspn(end, ", ]");
    }
    return count;
}

/* Writes a cell; of a set, its numbers in braces. */
static void put_cell(struct grid *g, uint64_t row, uint64_t col)
{
    lw_fetch_cell(g->view, row, col, &g->cell, NULL);
    const char *text = lw_text_string(&g->cell);
    size_t width = lw_text_width(text);
    uint64_t numbers[NUMBERS_MAX];
    if (!g->style->set) {
        lw_text_repeat(&g->line, ' ', g->style->right ? g->width - width : 0);
        lw_text_add(&g->line, text);
        lw_text_repeat(&g->line, ' ', g->style->right ? 0 : g->width - width);
        return;
    }
    size_t count = read_numbers(text, numbers);
    lw_text_char(&g->line, '{');
    for (size_t i = 0; i < count; i++) {
        size_t digits = lw_digits(numbers[i]);
        lw_text_add(&g->line, i ? g->style->set : "");
        if (g->style->aligned && digits < g->number[i])
            lw_text_repeat(&g->line, ' ', g->number[i] - digits);
        lw_text_number(&g->line, numbers[i]);
    }
    lw_text_char(&g->line, '}');
}

static void measure(struct grid *g)
{
    uint64_t numbers[NUMBERS_MAX];
    for (uint64_t row = 0; row < g->view->rows; row++)
        for (uint64_t col = 0; col < g->view->cols; col++) {
            lw_fetch_cell(g->view, row, col, &g->cell, NULL);
            size_t width = lw_text_width(lw_text_string(&g->cell));
            g->width = width > g->width ? width : g->width;
            size_t count = g->style->set ? read_numbers(lw_text_string(&g->cell), numbers) : 0;
            for (size_t i = 0; i < count; i++)
                if (lw_digits(numbers[i]) > g->number[i])
                    g->number[i] = lw_digits(numbers[i]);
        }
}

/* ---- Rows ---- */

/* The cells of a row of a block, without brackets; the sign for columns that are left out has a blank on each side. */
static void put_cells(struct grid *g, uint64_t row, uint64_t block_col)
{
    for (size_t part = 0; part < g->cols.count; part++)
        for (uint64_t col = g->cols.from[part]; col < g->cols.to[part]; col++) {
            if (col > g->cols.from[part])
                lw_text_add(&g->line, g->tile_cols && col % g->tile_cols == 0 ? g->style->tile
                                                                              : g->style->between);
            else
                lw_text_add(&g->line, part ? " ...... " : "");
            put_cell(g, row, block_col * g->block_cols + col);
        }
}

static void put_phase(struct grid *g, uint64_t row)
{
    struct lw_spot spot;
    uint64_t phase;
    if (!g->view->type->spot(g->view, row, 0, &spot) || !spot.has_in ||
        !lw_subject_field(g->view->subject, "phase", spot.in, spot.out, &phase))
        return;
    lw_text_format(&g->line, "  // phase %llu", (unsigned long long)phase);
    if (phase < 64 && !(g->phases >> phase & 1)) {
        g->phases |= (uint64_t)1 << phase;
        lw_text_format(&g->line, " (xor with %llu)", (unsigned long long)phase);
    }
}

static void end_line(struct grid *g)
{
    while (g->line.length && g->line.data[g->line.length - 1] == ' ')
        g->line.data[--g->line.length] = '\0';
    lw_text_char(&g->line, '\n');
    lw_output_text(g->stream, &g->line);
    lw_text_clear(&g->line);
}

/* Row `row` of all blocks side by side. */
static void put_row(struct grid *g, uint64_t block_row, uint64_t row, bool first, bool last)
{
    const struct lw_brackets *s = g->style;
    const char *title = g->options->title ? g->options->title : "";
    uint64_t blocks = g->view->cols / g->block_cols;
    lw_text_add(&g->line, first ? title : "");
    if (!first)
        lw_text_repeat(&g->line, ' ', lw_text_width(title) + (s->once ? strlen(s->open) : 0));
    for (uint64_t i = 0; i < blocks; i++) {
        lw_text_add(&g->line, i ? "  " : "");
        lw_text_add(&g->line, first || !s->once ? s->open : "");
        put_cells(g, block_row * g->block_rows + row, i);
        lw_text_add(&g->line, last || !s->once ? s->close : "");
        lw_text_add(&g->line, last ? "" : s->row_end);
    }
    if (s->phases) {
        lw_text_add(&g->line, last ? " " : "");
        put_phase(g, block_row * g->block_rows + row);
    }
    end_line(g);
}

/* ---- Above rows, and between them ---- */

static size_t row_width(struct grid *g)
{
    lw_text_clear(&g->line);
    put_cells(g, 0, 0);
    size_t width =
        lw_text_width(lw_text_string(&g->line)) + strlen(g->style->open) + strlen(g->style->close);
    lw_text_clear(&g->line);
    return width;
}

/* The same text over each block. */
static void put_over_blocks(struct grid *g, uint64_t block_row, const char *sign)
{
    size_t width = row_width(g), from;
    for (uint64_t i = 0; i < g->view->cols / g->block_cols; i++) {
        lw_text_add(&g->line, i ? "  " : "");
        from = g->line.length;
        if (sign)
            lw_text_add(&g->line, sign);
        else
            lw_text_format(&g->line, "CTA [%llu,%llu]", (unsigned long long)block_row,
                           (unsigned long long)i);
        lw_text_repeat(&g->line, ' ', width - (g->line.length - from));
    }
    end_line(g);
}

/* "warp 0" in the middle of a brace as wide as the rows. */
static void put_brace(struct grid *g)
{
    size_t width = row_width(g), middle = width / 2;
    if (width < 12)
        return;
    lw_text_repeat(&g->line, ' ', middle - 4);
    lw_text_add(&g->line, "warp 0");
    end_line(g);
    lw_text_repeat(&g->line, '-', middle - 2);
    lw_text_add(&g->line, "/\\");
    lw_text_repeat(&g->line, '-', width - middle);
    end_line(g);
}

bool lw_write_brackets(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    struct grid g = {.style = styles, .view = view, .options = options, .stream = stream};
    uint64_t ignored;
    while (strcmp(g.style->name, options->style) != 0)
        g.style++;
    const bool whole = view->page_rows == view->rows;
    if (!view->type->formatted || !whole)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            whole ? "this style prints the owners view with a cell format such as "
                                    "--cell '{thread}'"
                                  : "this style prints one grid, not a stack of them");
    struct lw_spot spot;
    uint64_t warp;
    if (g.style->braces && view->type->spot(view, view->rows - 1, view->cols - 1, &spot) &&
        spot.has_in && lw_subject_field(view->subject, "warp", spot.in, spot.out, &warp) && warp)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "style warps draws the tile of one warp: choose the shape of one");
    g.block_rows = block_size(view, false);
    g.block_cols = block_size(view, true);
    lw_view_tiles(view, &ignored, &g.tile_cols);
    if (!read_parts("rows", options->row_parts, g.block_rows, &g.rows, err) ||
        !read_parts("cols", options->col_parts, g.block_cols, &g.cols, err))
        return false;
    measure(&g);
    uint64_t down = view->rows / g.block_rows;
    bool several = down > 1 || view->cols > g.block_cols;
    if (g.style->braces)
        put_brace(&g);
    for (uint64_t i = 0; i < down; i++) {
        fputs(i ? "\n" : "", stream);
        if (several)
            put_over_blocks(&g, i, NULL);
        for (size_t part = 0; part < g.rows.count && !ferror(stream); part++) {
            if (part)
                put_over_blocks(&g, i, "...");
            for (uint64_t row = g.rows.from[part]; row < g.rows.to[part]; row++)
                put_row(&g, i, row, row == 0 && !part,
                        part + 1 == g.rows.count && row + 1 == g.rows.to[part]);
        }
    }
    bool failed = g.cell.failed || g.line.failed;
    lw_text_free(&g.cell);
    lw_text_free(&g.line);
    return !failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}
