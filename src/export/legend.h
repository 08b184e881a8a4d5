#ifndef LANEWAY_LEGEND_H
#define LANEWAY_LEGEND_H

/* What the coloured formats share: how wide things are, what the colours mean, text as markup. */

#include "export/export_parts.h"
#include "view/palette.h"

/* ---- Legends ---- */

/* The classes of the cells so far, and the smallest values of each index. */
enum { LW_LEGEND_VALUES = 4 };
struct lw_legend {
    bool dims;   /* shades are positions of input dims */
    bool shared; /* some have several owners: a shade is that of the first */
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
/* Whether cells of the class differ in their letters alone: its entry is in those, without a swatch. */
bool lw_legend_is_lettered(unsigned class);
/* "lane", "dim": what the values are; NULL: the entries show it. */
const char *lw_legend_title(const struct lw_legend *legend, const struct lw_view *view);
/* The same with what else has to be known, "lane of the first owner", "bank, elements of 32 bits assumed", replacing
 * what the text held; false: there is no title. */
bool lw_legend_heading(const struct lw_legend *legend, const struct lw_view *view,
                       struct lw_text *text);
/* Whether the colours depend on the size of an element, which is not set. */
bool lw_legend_assumes_element(const struct lw_view *view);

/* ---- Sizes ---- */

/* In columns of text. The last columns of a view, such as totals, can have widths of their own; a view of one
 * or two columns that is no picture is a list, where all of them have. */
enum { LW_TAILS_MAX = 4 };
struct lw_measure {
    bool list;
    size_t label;
    uint64_t tail; /* the first of those last columns; else all columns are before it */
    size_t cell[1 + LW_TAILS_MAX]; /* of all columns before them; then theirs */
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

/* Where the second line of a text begins when it has two, which are about as long; at its end: it has no point
 * to break. The blank before it is part of neither line: *first is where the first line ends. */
size_t lw_second_line(const char *text, size_t *first);
/* The parts of a legend, each of one kind of colours: indices, and levels of the ramp; returns how many. */
int lw_legend_split(const struct lw_legend *legend, struct lw_legend parts[2]);
/* Adds what one legend has to another. */
void lw_legend_join(struct lw_legend *legend, const struct lw_legend *other);

/* ---- Markup ---- */

/* Text as XML and HTML write it, in content and in quoted values; what may not be in them is U+FFFD. */
void lw_put_markup(FILE *stream, const char *text);
/* "#0d1117" */
void lw_put_rgb(FILE *stream, uint32_t rgb);

#endif
