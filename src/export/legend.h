#ifndef LANEWAY_LEGEND_H
#define LANEWAY_LEGEND_H

/* What the coloured formats share: widths, the meaning of colours, text as markup. */

#include "export/export_parts.h"
#include "view/palette.h"

/* ---- Legends ---- */

/* The classes of the cells so far, and the smallest values of each index. */
enum { LW_LEGEND_VALUES = 4 };
struct lw_legend {
    bool dims;   /* shades are positions of input dims */
    bool shared; /* some cells have several owners: a shade is that of the first */
    bool seen[LW_CLASS_COUNT];
    struct {
        uint64_t least[LW_LEGEND_VALUES]; /* ascending */
        unsigned count;
        bool more;
    } values[LW_CLASS_COUNT];
};

/* The classes that have an entry, in the order of their values; returns how many. */
int lw_legend_entries(const struct lw_legend *legend, uint8_t classes[LW_CLASS_COUNT]);
/* The text of an entry, replacing what the text held: "0, 17, 34, ..." */
void lw_legend_explanation(const struct lw_legend *legend, const struct lw_view *view,
                           unsigned class, struct lw_text *text);
/* Whether cells of the class have coloured letters and no fill: its entry is in those letters, without a swatch. */
bool lw_legend_is_lettered(unsigned class);
/* "lane", "dim": the field of the values; NULL: the entries need no title. */
const char *lw_legend_title(const struct lw_legend *legend, const struct lw_view *view);
/* The title with a remark, "lane of the first owner", "bank, elements of 32 bits assumed", replacing the content of the
 * text; false: there is no title. */
bool lw_legend_heading(const struct lw_legend *legend, const struct lw_view *view,
                       struct lw_text *text);
/* Whether the colours depend on the size of an element, which is not set. */
bool lw_legend_assumes_element(const struct lw_view *view);

/* ---- Sizes ---- */

/* Widths in columns of text. The last columns of a view, such as totals, can have widths of their own; in a list, a
 * view of one or two columns that is not a picture, all columns do. */
enum { LW_TAILS_MAX = 4 };
struct lw_measure {
    bool list;
    size_t label;
    uint64_t tail;                 /* the first of those last columns; else the number of columns */
    size_t cell[1 + LW_TAILS_MAX]; /* of all columns before them, then of each of them */
    size_t two;                    /* of the cells before them, each on two lines */
    size_t text; /* the widest text of those cells, without the labels of columns */
    struct lw_legend legend;
};

/* Computes every cell of the options' range once; `heads`: column labels count too. */
bool lw_measure(struct lw_measure *measure, const struct lw_view *view,
                const struct lw_export_options *options, bool heads, struct lw_error *err);
/* The index of a column in `cell`. */
size_t lw_measure_column(const struct lw_measure *measure, uint64_t col);
size_t lw_measure_cell(const struct lw_measure *measure, uint64_t col);

/* Where the second of two lines of about equal length begins in a text; the end of the text when it cannot be broken.
 * The blank between them is part of neither line: *first is the end of the first line. */
size_t lw_second_line(const char *text, size_t *first);
/* Splits a legend by the kind of colours: indices, and levels of the ramp; returns the number of parts. */
int lw_legend_split(const struct lw_legend *legend, struct lw_legend parts[2]);
/* Adds the entries of one legend to another. */
void lw_legend_join(struct lw_legend *legend, const struct lw_legend *other);

/* ---- Markup ---- */

/* Writes text for XML and HTML, in content and in quoted values; characters that are not legal there become U+FFFD. */
void lw_put_markup(FILE *stream, const char *text);
/* "#0d1117" */
void lw_put_rgb(FILE *stream, uint32_t rgb);

#endif
