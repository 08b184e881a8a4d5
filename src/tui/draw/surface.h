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

enum lw_pen_kind {
    LW_PEN_TEXT,
    LW_PEN_FAINT,
    LW_PEN_TITLE,    /* the program's name, a pane's title */
    LW_PEN_BORDER,   /* of a pane */
    LW_PEN_FOCUS,    /* border of the pane with the focus */
    LW_PEN_LABEL,    /* row and column labels */
    LW_PEN_LABEL_ON, /* those of the row and column of the cursor */
    LW_PEN_CURSOR,
    LW_PEN_LINKED, /* the element of the cursor, in another pane */
    LW_PEN_LIT,    /* lit with the cursor: cells of the same lane */
    LW_PEN_SELECT, /* the selected line of a list without the focus */
    LW_PEN_TAB_ON,
    LW_PEN_KEY, /* the name of a key */
    LW_PEN_HEAD,
    LW_PEN_GOOD,
    LW_PEN_BAD,
    LW_PEN_CHANGED, /* differs from the document as opened */
    LW_PEN_EDIT,    /* a field that is edited */
    LW_PEN_HOLE,
    LW_PEN_MARK,    /* cells that the user marked */
    LW_PEN_DIFFERS, /* cells that differ from the compared layout */
    LW_PEN_INK,     /* coloured text; `shade` is an index into inks, of which neighbours contrast */
    LW_PEN_FILL,    /* black or white text on one of those inks */
    LW_PEN_DIMMED,  /* a grey: cells that are not lit */
    LW_PEN_EQUAL,   /* the hue in the text alone: cells that are equal in a comparison */
    LW_PEN_PALE,    /* the ink near grey: a cell of several elements, of several colours */
    LW_PEN_RAMP,    /* `shade` is a level of the ramp, as a coloured block */
    LW_PEN_HALF,    /* two cells, one above the other, as a block of two colours */
    LW_PEN_COUNT
};

enum lw_foot {
    LW_LINE_NONE,
    LW_LINE_TILE,    /* the end of a tile; not drawn with few colours */
    LW_LINE_DIFFERS, /* the cell differs, and has no column for a mark */
    LW_LINE_MARK,    /* no line: the mark of a cell that differs, in its colour */
    LW_LINE_APART    /* its number would read as one with that before it */
};

struct lw_pen {
    uint8_t kind;
    uint8_t shade;
    uint8_t under; /* for HALF, the shade of the lower cell */
    uint8_t line;  /* the line at the bottom: enum lw_foot */
};

/* Further shades of HALF. */
enum {
    LW_HALF_NONE = 255,
    LW_HALF_CURSOR = 254,
    LW_HALF_MARK = 253,
    LW_HALF_LIT = 252,
    LW_HALF_DIMMED = 128, /* + the shade */
    LW_HALF_PALE = 64     /* + the shade */
};

struct lw_glyph {
    uint32_t code;
    struct lw_pen pen;
};

struct lw_rect {
    int row, col, height, width;
};

struct lw_surface {
    int height, width;
    struct lw_glyph *tiles;     /* height * width of them, row by row */
    bool ascii;                 /* draw with ASCII characters only */
    bool mono;                  /* there are no colours: pictures are drawn with characters */
    int cursor_row, cursor_col; /* position of the terminal's cursor; -1: hidden */
};

/* Sets the size, at least 1x1, and clears the surface; false when memory is out. */
bool lw_surface_resize(struct lw_surface *surface, int height, int width);
void lw_surface_clear(struct lw_surface *surface);
void lw_surface_free(struct lw_surface *surface);

static inline struct lw_pen lw_pen(enum lw_pen_kind kind)
{
    return (struct lw_pen){.kind = (uint8_t)kind};
}

/* Writes a UTF-8 string at (row, col) in at most `width` columns. A longer string is cut and
 * ends in an ellipsis; columns outside the surface are dropped. Returns the number of columns
 * used. */
int lw_put(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
           const char *string);
/* The same, padded with blanks to `width`; aligned to the right if `right`. */
void lw_put_padded(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
                   const char *string, bool right);
/* What is before the head of the column by which a table is sorted: an arrow, in ASCII + or -, which are no letters. */
const char *lw_sort_mark(const struct lw_surface *surface, bool ascending);
/* Fills that many columns of a row with a character of one column. */
void lw_put_repeated(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
                     const char *character);
void lw_put_fill(struct lw_surface *surface, struct lw_rect rect, struct lw_pen pen, char c);
/* Writes as much of a text as fits on one row, broken between words; returns the rest. Outside
 * the surface it writes nothing and returns the same. */
const char *lw_put_row(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
                       const char *text);
/* Writes a text into a rectangle, broken between words; returns the number of rows used. */
int lw_put_wrapped(struct lw_surface *surface, struct lw_rect rect, struct lw_pen pen,
                   const char *text);
/* The number of rows that a text needs in `width` columns. */
int lw_wrapped_rows(const char *text, int width);
/* Writes a line of ASCII that is edited, scrolled so that the caret (an offset in bytes) is visible, and puts the
 * terminal's cursor there. */
void lw_put_line(struct lw_surface *surface, struct lw_rect rect, struct lw_pen pen,
                 const char *text, size_t caret);
/* Draws the frame of a pane with a title; returns the rectangle inside. */
struct lw_rect lw_put_frame(struct lw_surface *surface, struct lw_rect rect, const char *title,
                            bool focus);

/* Marks on the lower border of a frame that more lines follow; `top` is the number of lines scrolled, `max` the
 * largest. */
void lw_put_more(struct lw_surface *surface, struct lw_rect rect, int top, int max);

/* Appends a number of bytes: "4 KiB", or "4220 bytes" if it is not a multiple. */
void lw_put_size(struct lw_text *text, uint64_t bytes);

/* Highlights each occurrence of a text in a rectangle, row by row, ignoring case. */
void lw_surface_mark(struct lw_surface *surface, struct lw_rect rect, const char *text);

/* Appends the surface as text, one line for each row, without trailing blanks. */
void lw_surface_print(struct lw_text *text, const struct lw_surface *surface);

#endif
