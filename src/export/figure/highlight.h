#ifndef LANEWAY_HIGHLIGHT_H
#define LANEWAY_HIGHLIGHT_H

/* Which cells are highlighted: options.highlight, read for a view. Groups with | between them, of which a cell needs
 * one: fields with lists and ranges of numbers, "lane=0-3,9 warp 1", short as "t9", "w1 l3" and "T9:1", or an element,
 * "3,5"; in a view of several layouts also "B 3,5" and "A t9". */

#include "export/cell_values.h"

enum { LW_HIGHLIGHT_FIELDS = 96, LW_HIGHLIGHT_RANGES = 16 };

struct lw_highlight {
    struct lw_values values;
    size_t count; /* of fields; 0: nothing is highlighted */
    struct {
        size_t field; /* of `values` */
        bool begins;  /* a group */
        size_t ranges;
        uint64_t from[LW_HIGHLIGHT_RANGES], to[LW_HIGHLIGHT_RANGES]; /* both included */
    } wanted[LW_HIGHLIGHT_FIELDS];
    char why
        [160]; /* why no cell of this view has a number: "no thread 99: the last is 15"; "": all are in range */
};

/* `text` NULL: nothing is highlighted. Fails on a field that the view's cells lack, and on text that is not a
 * number; not on a number out of range, which another view of the figure may have. */
bool lw_highlight_read(struct lw_highlight *highlight, const struct lw_view *view, const char *text,
                       struct lw_error *err);
/* Whether an owner of the cell has all numbers of a group that is highlighted. */
bool lw_highlight_has(struct lw_highlight *highlight, uint64_t row, uint64_t col);
/* Fails when a number is out of range in each view, or no cell of their rows and columns is highlighted: that is a
 * mistake of the user. The ranges of the options are checked. */
bool lw_highlight_check(const struct lw_view *const *views, size_t count,
                        const struct lw_export_options *options, struct lw_error *err);

/* For formats without panels: options.marked that has the highlighted cells too. It must live as long as the options
 * and not move. */
struct lw_highlight_marks {
    struct lw_highlight *highlight; /* NULL: nothing is highlighted */
    bool (*marked)(const void *context, const struct lw_view *view, uint64_t row, uint64_t col);
    const void *context;
};
bool lw_highlight_mark(struct lw_highlight_marks *marks, struct lw_highlight *highlight,
                       const struct lw_view *view, struct lw_export_options *options,
                       struct lw_error *err);

#endif
