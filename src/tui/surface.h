#ifndef LANEWAY_SURFACE_H
#define LANEWAY_SURFACE_H

/*
 * A surface: the grid of tiles that the explorer draws on, independent of any terminal.
 *
 * A tile is a character and a pen. A pen names the role of the character (a border, a label, a cell
 * of lane 7), not a colour: a theme maps pens to colours. A character of two columns occupies two
 * tiles; the second one has code 0.
 */

#include "laneway/text.h"

struct lw_pen {
    uint8_t kind;       /* the role */
    uint8_t shade;      /* which of its hues or levels */
    uint8_t under_kind; /* of two halves, those of the lower one; 0: it is no half */
    uint8_t under;
};

struct lw_glyph {
    uint32_t code;
    struct lw_pen pen;
};

struct lw_rect {
    int row, col, height, width;
};

/* Cuts lines off the lower end of a rectangle, or columns off its right; returns them. */
struct lw_rect lw_cut_lines(struct lw_rect *rect, int lines);
struct lw_rect lw_cut_columns(struct lw_rect *rect, int columns);

struct lw_surface {
    int height, width;
    struct lw_glyph *tiles;     /* height * width of them, row by row */
    bool ascii;                 /* draw with ASCII characters only */
    bool mono;                  /* there are no colours: pictures are drawn with characters */
    int cursor_row, cursor_col; /* position of the terminal's cursor; -1: hidden */
};

/* Sets the size, at least 1x1, and clears the surface; false when memory is out. */
bool lw_surface_resize(struct lw_surface *surface, int height, int width);
void lw_surface_free(struct lw_surface *surface);

/* Writes a UTF-8 string at (row, col) in at most `width` columns. A longer string is cut and ends in an ellipsis;
 * columns outside the surface are dropped. Returns the number of columns used. */
int lw_put(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
           const char *string);
/* The same, padded with blanks to `width`; aligned to the right if `right`. */
void lw_put_padded(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
                   const char *string, bool right);
/* Fills that many columns of a row with a character of one column. */
void lw_put_repeated(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
                     const char *character);
/* Writes a text into a rectangle, broken between words, its last row cut; returns the number of rows used. */
int lw_put_wrapped(struct lw_surface *surface, struct lw_rect rect, struct lw_pen pen,
                   const char *text);
/* The number of rows that a text needs in `width` columns. */
int lw_wrapped_rows(const char *text, int width);
/* Appends the surface as text, one line for each row, without trailing blanks. */
void lw_surface_print(struct lw_text *text, const struct lw_surface *surface);

#endif
