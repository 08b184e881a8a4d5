#ifndef LANEWAY_LEGEND_H
#define LANEWAY_LEGEND_H

/* What the coloured formats share: the meaning of colours, and text as markup. */

#include "export/export_parts.h"
#include "view/palette.h"

/* ---- Legends ---- */

/* The classes of the cells so far, and the smallest values of each index. Set to all zeros there are none. */
enum { LW_LEGEND_VALUES = 4 };
struct lw_legend {
    bool dims;   /* shades are positions of input dims */
    bool shared; /* some cells have several owners: a shade is that of the first */
    bool seen[LW_CLASS_COUNT];
    struct {
        uint64_t least[LW_LEGEND_VALUES]; /* ascending, distinct */
        unsigned count;
        bool more;
    } values[LW_CLASS_COUNT];
};

void lw_legend_add(struct lw_legend *legend, const struct lw_cell *cell);

/* The classes that have an entry, in the order of their values; returns how many. */
int lw_legend_entries(const struct lw_legend *legend, uint8_t classes[LW_CLASS_COUNT]);
/* The text of an entry, replacing what the text held: "0, 17, 34, ..." */
void lw_legend_explanation(const struct lw_legend *legend, const struct lw_view *view,
                           unsigned class, struct lw_text *text);
/* "lane", "dim": the field of the values; NULL: the entries need no title. */
const char *lw_legend_title(const struct lw_legend *legend, const struct lw_view *view);
/* The title with a remark, "lane of the first owner", "bank, elements of 32 bits assumed", replacing the content of the
 * text; false: there is no title. */
bool lw_legend_heading(const struct lw_legend *legend, const struct lw_view *view,
                       struct lw_text *text);
/* Whether the colours depend on the size of an element, which is not set. */
bool lw_legend_assumes_element(const struct lw_view *view);

/* ---- Markup ---- */

/* Writes text for XML and HTML, in content and in quoted values; characters that are not legal there become U+FFFD. */
void lw_put_markup(FILE *stream, const char *text);

#endif
