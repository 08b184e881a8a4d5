#ifndef LANEWAY_SURFACE_H
#define LANEWAY_SURFACE_H

/*
 * A surface: the grid of tiles that the explorer draws on. Nothing here knows a terminal.
 *
 * A tile is one character and a pen. A pen says what the character is (a border, a label, a cell of
 * lane 7), never a colour: a theme makes colours of pens. A character two columns wide takes its
 * tile and leaves the next one with code 0.
 */

#include "laneway/text.h"

enum lw_pen_kind {
    LW_PEN_TEXT,
    LW_PEN_FAINT,
    LW_PEN_TITLE,    /* the program's name, a pane's title */
    LW_PEN_BORDER,   /* of a pane */
    LW_PEN_FOCUS,    /* border of the pane that has the keys */
    LW_PEN_LABEL,    /* row and column labels */
    LW_PEN_LABEL_ON, /* those of the cursor */
    LW_PEN_CURSOR,
    LW_PEN_LINKED, /* what the cursor is on, in another pane */
    LW_PEN_SELECT, /* the chosen line of a list, when another pane has the keys */
    LW_PEN_TAB_ON,
    LW_PEN_KEY, /* the name of a key */
    LW_PEN_HEAD,
    LW_PEN_GOOD,
    LW_PEN_BAD,
    LW_PEN_CHANGED, /* differs from the document as opened */
    LW_PEN_EDIT,    /* a field that is being typed in */
    LW_PEN_HOLE,
    LW_PEN_MARK,    /* what the user marked */
    LW_PEN_DIFFERS, /* from the layout it is compared with */
    LW_PEN_INK,     /* shade: an index whose neighbours contrast; drawn as coloured text */
    LW_PEN_FILL,    /* the same, drawn as a coloured block */
    LW_PEN_HALF,    /* two cells, one above the other, as a block of two colours */
    LW_PEN_COUNT
};

struct lw_pen {
    uint8_t kind;
    uint8_t shade;
    uint8_t under;  /* HALF: the shade of the lower cell */
    uint8_t unused; /* 0: tiles are compared by their bytes */
};

/* Shades of HALF beside those of inks. */
enum { LW_HALF_NONE = 255, LW_HALF_CURSOR = 254, LW_HALF_MARK = 253 };

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
    bool ascii;                 /* borders and marks in ASCII only */
    int cursor_row, cursor_col; /* where the terminal's cursor belongs; -1: nowhere */
};

/* Makes room for a size of at least 1x1 and clears it; false when memory is out. */
bool lw_surface_resize(struct lw_surface *surface, int height, int width);
void lw_surface_clear(struct lw_surface *surface);
void lw_surface_free(struct lw_surface *surface);

struct lw_pen lw_pen(enum lw_pen_kind kind);

/* Writes a UTF-8 string from (row, col) in at most `width` columns, cut with an ellipsis when it is
 * longer; what lies outside the surface is dropped. Returns the columns written. */
int lw_put(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
           const char *string);
/* The same, filled with blanks to `width`; `right` aligns it right. */
void lw_put_padded(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
                   const char *string, bool right);
void lw_put_fill(struct lw_surface *surface, struct lw_rect rect, struct lw_pen pen, char c);
/* As much of a text as goes on one row; returns what comes on the next one. Outside the surface nothing is
 * put, and the same is returned. */
const char *lw_put_row(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
                       const char *text);
/* A sentence broken between words into as many lines as it needs and the rectangle has; returns the
 * lines used. */
int lw_put_wrapped(struct lw_surface *surface, struct lw_rect rect, struct lw_pen pen,
                   const char *text);
/* The lines that it needs in that many columns. */
int lw_wrapped_rows(const char *text, int width);
/* A line that is being typed: ASCII, scrolled so that the caret (in bytes) is in sight, with the
 * terminal's cursor there. */
void lw_put_line(struct lw_surface *surface, struct lw_rect rect, struct lw_pen pen,
                 const char *text, size_t caret);
/* A framed pane with a title; returns the inside. */
struct lw_rect lw_put_frame(struct lw_surface *surface, struct lw_rect rect, const char *title,
                            bool focus);

/* On the lower border of a frame, that there is more below: how far it is scrolled and can be. */
void lw_put_more(struct lw_surface *surface, struct lw_rect rect, int top, int most);

/* The surface as text, one line a row, blanks at the ends of lines dropped. */
void lw_surface_print(struct lw_text *text, const struct lw_surface *surface);

#endif
