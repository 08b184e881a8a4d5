#ifndef LANEWAY_EXPORT_H
#define LANEWAY_EXPORT_H

/*
 * Exports: a view (view.h) written to a stream in one of several formats.
 *
 *     lw_view_open(&view, lw_view_type_find("owners"), &subject, NULL, &err) &&
 *         lw_export(&view, lw_format_find("markdown"), NULL, stdout, &err)
 *
 * Text is a table in one of the styles of Python's tabulate, or the exact output of the printers of
 * Triton and CuTe; it may also be coloured (ansi). Documents take tables (markdown, rst) and
 * pictures (html, svg, latex, png, pdf), programs take data (csv, json). Cells are computed
 * as they are written, so the size of a view is limited by time only; a limit on cells keeps a
 * program from writing a file of gigabytes by accident.
 */

#include "laneway/view.h"

#include <stdio.h>

LW_BEGIN

#define LW_EXPORT_CELLS ((uint64_t)1 << 24) /* more cells only when `all` is set, in most formats */

/* How the views of a figure are arranged. */
enum lw_arrangement {
    LW_ARRANGE_AUTO,    /* side by side, as many as fit in the width */
    LW_ARRANGE_ROW,     /* side by side, all of them */
    LW_ARRANGE_COLUMN,  /* one below the other */
    LW_ARRANGE_PRODUCT, /* A, B and C of a product: B above C, A on the left of C */
    LW_ARRANGE_FRAMES   /* one after another in time, a second each */
};

/* Limits of the options below, in pixels. */
enum { LW_EXPORT_CELL_SIZE_MAX = 400, LW_EXPORT_WIDTH_MIN = 160, LW_EXPORT_WIDTH_MAX = 100000 };

/* What of a view is written, and how. Set to all zeros there are no labels and no head. */
struct lw_export_options {
    const char *style;         /* text: the name of a style; NULL: "simple_grid" */
    uint64_t row_from, row_to; /* rows row_from..row_to-1; both 0: all */
    uint64_t col_from, col_to; /* the same of columns */
    /* Styles of a printer with brackets: the parts of the rows and columns of a block that are
     * written, "0:4,14:16"; the others are left out. NULL: all. */
    const char *row_parts, *col_parts;
    bool labels;      /* row and column labels where the format has them; except on a text table of
                         a whole view whose type is bare */
    bool bare_labels; /* labels also on such a table */
    bool all;         /* no limit of cells */
    bool tight;       /* text: columns are no wider than their cells; tabulate's are wider */
    size_t fit; /* text, ansi: the columns of the terminal; longer lines are cut, with an ellipsis
                   at their end; 0: none is */
    bool head; /* the document's title, the notation and the numbers of the view above the grid, and
                   what it is about below; titles and a caption that are set need no head */
    const char *title;   /* NULL: the document's, where the format has titles; "": none */
    const char *titles;  /* of several panels, "A|B|C"; NULL, or one that is empty: as title NULL */
    const char *caption; /* a line below the grid; NULL: none */
    bool no_about;       /* what the document is about is left out of the head */
    const char *palette; /* of lw_export_palettes; NULL: the first one */
    /* Of drawings, in pixels of 1/96 inch: the side of a cell, 1 to 400, text being left out where
     * it does not fit, 0: as the texts need; the width of the figure, 160 to 100000, 0: 960, but
     * as wide as they need for cells whose size is set, a product, and in html. A wider grid has
     * smaller cells, down to texts of 7 pixels, and of pictures none then; lists are cut. A width
     * that is set and is too small even then is refused, and the message has the least width that
     * is enough. any_width: the width is not limited. */
    unsigned cell_size, width;
    bool any_width;
    /* Cells to highlight: "lane=9", "warp=0-1,3 row=4". A highlighted cell has one of the numbers
     * of each field that is named, and gets a mark; other cells of a drawing are faint, unless
     * no_dim is set. Also written "t9", "w0 l3", "3,5", or of one of several layouts "B 3,5", and
     * several with | between them. NULL: none. */
    const char *highlight;
    bool no_dim;
    /* Whether a cell gets a mark: a frame in drawings, bold text in tables of markup, the colours
     * of a mark in ansi, stars around its text in text. Called with `marked_context`. NULL: no
     * cell has one, but for those of `highlight`. */
    bool (*marked)(const void *context, const struct lw_view *view, uint64_t row, uint64_t col);
    const void *marked_context;
    /* Of several views in one figure: how they are arranged, and whether cells have a mark whose
     * text is another than that of the first view. */
    enum lw_arrangement arrangement;
    bool differences;
    bool fragment; /* html, latex: a part of a document, to be put into one */
    bool tidy;     /* csv: a row for each owner, a column for each field */
    /* For the message about too many cells: how the user selects fewer ("v selects some"), and how
     * the user exports all of them. NULL: left out. */
    const char *choose, *all_hint;
};

/* A format: a row of a table, constant. */
struct lw_format {
    const char *name;      /* "markdown" */
    const char *extension; /* of files: "md" */
    const char *help;      /* one line */
    const char *between;   /* separates views in one stream; NULL: a stream has one view */
    uint64_t cells;        /* the limit of cells; 0: LW_EXPORT_CELLS */
    /* Writes a view; `options` are complete and checked. NULL: it is a figure of one view. Call
     * lw_export instead. */
    bool (*write)(const struct lw_view *view, const struct lw_export_options *options, FILE *stream,
                  struct lw_error *err);
    /* Writes several views as one figure; NULL: the format has none. Call lw_export_panels
     * instead. */
    bool (*write_panels)(const struct lw_view *const *views, size_t count,
                         const struct lw_export_options *options, FILE *stream,
                         struct lw_error *err);
    bool binary; /* what it writes is no text */
    bool moves;  /* it has LW_ARRANGE_FRAMES */
    bool colors; /* it has options.palette */
    bool marks;  /* it shows options.marked and options.highlight */
};

/* The colours of figures: a row of a table, constant. */
struct lw_export_palette {
    const char *name; /* "safe" */
    const char *help; /* one line */
    /* The palettes on light paper, which is also that of print, and on dark paper; NULL: the figure
     * does not follow the scheme of the reader. */
    const char *light, *dark;
};
/* All of them, `*count` of them. */
const struct lw_export_palette *lw_export_palettes(size_t *count);

/* All formats, `*count` of them. */
const struct lw_format *const *lw_formats(size_t *count);
const struct lw_format *lw_format_find(const char *name); /* by its name, or NULL */
/* The format whose extension or name a path ends in, as "x.tex" and "x.latex", in letters of any
 * case, or NULL, with LW_ERROR_NAME: the message lists all extensions, or names the format that
 * replaces one that there was once. */
const struct lw_format *lw_format_of_path(const char *path, struct lw_error *err);
/* Writes a view to a stream and flushes it. `options` may be NULL: all rows and columns with
 * labels and head. Fails with LW_ERROR_NAME on an unknown style or palette, with LW_ERROR_LIMIT on
 * a range that the view lacks and on too many cells, and with LW_ERROR_IO when the stream fails (a
 * closed pipe). */
bool lw_export(const struct lw_view *view, const struct lw_format *format,
               const struct lw_export_options *options, FILE *stream, struct lw_error *err);

#define LW_PANELS_MAX 64 /* views of a figure */
/* Writes several views, at most LW_PANELS_MAX, as panels of one figure, or one after another in a
 * format that has no figures. Rows and columns of the options are those of every view. Fails as
 * lw_export does, and with LW_ERROR_UNSUPPORTED in a format that holds one view. */
bool lw_export_panels(const struct lw_view *const *views, size_t count,
                      const struct lw_format *format, const struct lw_export_options *options,
                      FILE *stream, struct lw_error *err);

/* Checks, before anything is written, the size of the views, the ranges and the names of the
 * options, which may be NULL: fails as lw_export_panels does for these. */
bool lw_export_check(const struct lw_view *const *views, size_t count,
                     const struct lw_format *format, const struct lw_export_options *options,
                     struct lw_error *err);

/* A style of the text format: a table, with the name and the exact form that it has in Python's
 * tabulate, or a printer of Triton or CuTe. A row of a table, constant. */
struct lw_style {
    const char *name;               /* "simple_grid" */
    const char *help;               /* one line */
    const struct lw_ruling *ruling; /* the lines of a table (private); NULL: `write` writes it */
    bool (*write)(const struct lw_view *view, const struct lw_export_options *options, FILE *stream,
                  struct lw_error *err);
    /* The same in the format latex; NULL: this style has none. */
    bool (*latex)(const struct lw_view *view, const struct lw_export_options *options, FILE *stream,
                  struct lw_error *err);
};
/* All styles, `*count` of them. */
const struct lw_style *lw_styles(size_t *count);
const struct lw_style *lw_style_find(const char *name); /* by its name, or NULL */
bool lw_style_is_ascii(const struct lw_style *style);   /* whether its lines are ASCII */

LW_END

#endif
