#ifndef LANEWAY_VIEW_H
#define LANEWAY_VIEW_H

/*
 * Views: what is drawn.
 *
 * A view is a lazy grid. It has a number of rows and columns and computes the text and the colour
 * class of one cell on demand, so a tensor of 2^40 elements scrolls like one of 2^8. A view does
 * not depend on terminals or files.
 *
 *     view        rows x columns                                a cell
 *     owners      the tensor's (batches stacked)                the owners of this element
 *     hardware    warp and register x lane, or offsets          the element at this index
 *     matrix      output bits x input bits                      0 or 1
 *     memory      rows of all banks x element slots             the element at this offset
 *     banks       instructions, or wavefronts of one, x banks   words, or lanes
 *     conversion  source x destination                          how many elements move
 *     bases       one line a basis                              its image
 *     facts       one line a fact                               its value
 *     notation    one line for each notation                    the layout in it
 *     mma         A on the left, B above, C in the corner       the owners of this element
 *     product     two layouts, and what is made of them         the owners of this element
 *     text        the lines of facts, bases and notation        the line
 *
 *     lw_subject_init(&subject, &map, &tensor, LW_FAMILY_TILUS_REGISTER); // or subject.h's open
 *     if (lw_view_open(&view, lw_view_type_find("owners"), &subject, NULL, &err)) {
 *         view.type->cell(&view, 0, 0, &text, &cell);
 *         lw_view_close(&view);
 *     }
 *
 * appends "0: 0" for local(3, 4): thread 0 holds element (0, 0) in register 0.
 */

#include "laneway/subject.h"

LW_BEGIN

struct lw_view_state; /* private */

/* Of the accesses of a subject: its stores and then its loads, or only one of them. */
enum lw_view_access { LW_VIEW_BOTH, LW_VIEW_STORE, LW_VIEW_LOAD };

/* Options of a view. Set to all zeros they are the defaults; strings are borrowed. */
struct lw_view_options {
    const char *cell;     /* a format such as "{thread}: {local}"; NULL: the view's default */
    const char *color_by; /* one of lw_color_keys; NULL: the view's default */
    uint64_t wrap;   /* owners of one dim longer than 1: elements in a row of the grid; 0: all */
    uint64_t across; /* owners: the number of dims, the last ones, that run across; 0: one */
    bool nested;     /* owners: labels of a nested mode of CuTe are coordinates, "(1,0)" */
    enum lw_view_access access; /* banks, of joined subjects; so are the next two */
    uint64_t instruction;       /* that is drawn wavefront by wavefront, from 1; 0: all are drawn */
    unsigned wavefront;         /* of that instruction, from 1; 0: all */
};

/* The class of a cell's colour; a theme has a colour for each. */
enum lw_ink {
    LW_INK_PLAIN, /* text without a colour */
    LW_INK_INDEX, /* `shade` is a number (a lane, a bank, ...): neighbours should contrast */
    LW_INK_DIM,   /* `shade` is the position of an input dim */
    LW_INK_FAINT, /* a zero, or other text of little interest */
    LW_INK_HOLE,  /* no element is here */
    LW_INK_HEAD,  /* a heading */
    LW_INK_GOOD,  /* no conflict */
    LW_INK_BAD,   /* a conflict */
    LW_INK_RAMP   /* `shade` is how many words a bank delivers, at least 1: more is worse */
};

/* A cell beside its text. */
struct lw_cell {
    enum lw_ink ink;
    uint64_t shade;  /* see enum lw_ink */
    uint64_t owners; /* owners view: how many owners the element has; else 0 */
};

/* What a cell shows: an element, a hardware index, or both. It connects cells of views. */
struct lw_spot {
    bool has_out, has_in;      /* whether `out` and `in` are set */
    uint64_t out[LW_DIMS_MAX]; /* the element, in the map's out-dims */
    uint64_t in[LW_DIMS_MAX];  /* the hardware index, in the map's in-dims */
    int operand;               /* of a view of several layouts: whose, from 1; 0: its subject's */
};

/* An open view. Close it with lw_view_close; do not copy it. */
struct lw_view {
    const struct lw_view_type *type;
    const struct lw_subject *subject; /* borrowed: it must outlive the view */
    struct lw_view_options options;
    const char *color;   /* the field that colours show; NULL: none */
    uint64_t rows, cols; /* of the grid */
    uint64_t page_rows;  /* rows of one grid when a view is a stack of grids; else rows */
    /* In a view of several layouts: the rows and columns before its result; else 0. */
    uint64_t seam_rows, seam_cols;
    uint64_t tile_rows, tile_cols; /* what lw_view_tiles finds where this is not 0 */
    uint64_t shades;               /* how many values `color` has where it is no field; else 0 */
    struct lw_view_state *state;   /* private to the type; allocated by lw_view_open */
};

struct lw_explanation; /* below */

/* Of a view of several layouts, where one of them is in the grid. */
struct lw_view_part {
    const char *name;                 /* "A" */
    uint64_t row, col;                /* of its first element */
    uint64_t rows, cols;              /* that it has */
    const char *col_prefix;           /* of its columns' labels; "": none */
    bool memory;                      /* an instruction reads it from memory: no thread owns it */
    const struct lw_subject *subject; /* NULL: nothing more is known of it */
};

/* A kind of view: a row of a table, constant. Functions that take a row or column need one below
 * view->rows or view->cols, and append to the text. */
struct lw_view_type {
    const char *name;   /* "owners" */
    const char *title;  /* "Owners" */
    const char *corner; /* what the row labels are, above them: "instruction"; NULL: no word */
    const char *color;  /* the field to colour by as default; NULL: lane, bank or thread */
    const char *help;   /* one line */
    bool bare;          /* a printed table of all of it has no labels, as tilus prints its grids */
    bool formatted;     /* its cells have the format options.cell */
    bool spots;         /* so have its cells that have a spot, where options.cell is set */
    bool indices;       /* its cells are hardware indices, not elements with all of their owners */
    bool counts; /* its cells, unless of one instruction or with a format, are counts: empty is 0 */
    bool picture; /* a cell is one element, and is read by its colour more than by its text */
    bool access;  /* of all layouts of an access, not of one */
    /* Its cells are on the ramp of colours, and read well without gaps: what they count, "words of
     * one bank"; NULL: they are not. */
    const char *heat;
    size_t state_size; /* bytes of the type's state; 0: it has no other state */
    /* Sets rows, cols, page_rows and the state, which is all zeros; lw_view_open calls it. Fails
     * with the reason when this view cannot show the subject; `close` is then called. */
    bool (*open)(struct lw_view *view, struct lw_error *err);
    /* Frees what the state owns, not the state; NULL: nothing. Call lw_view_close instead. */
    void (*close)(struct lw_view *view);
    /* Appends the text of a cell and sets its class. It may stop when the text is full. */
    void (*cell)(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                 struct lw_cell *cell);
    /* The label of a row, and of a column; NULL: there are none. */
    void (*row_label)(const struct lw_view *view, uint64_t row, struct lw_text *text);
    void (*col_label)(const struct lw_view *view, uint64_t col, struct lw_text *text);
    /* The labels of columns that are the same for every subject; else NULL. */
    const char *const *columns;
    /* An upper bound of a cell's width, in columns of a terminal. */
    size_t (*width)(const struct lw_view *view);
    /* The same of one column, for views whose columns differ in width; NULL: `width`. */
    size_t (*col_width)(const struct lw_view *view, uint64_t col);
    /* The spot of a cell; false, or NULL for all cells: none. */
    bool (*spot)(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_spot *spot);
    /* The first cell of a spot; false when there is none. Call lw_view_find instead. */
    bool (*find)(const struct lw_view *view, const struct lw_spot *spot, uint64_t *row,
                 uint64_t *col);
    /* The layout of an operand, as a spot numbers it, and its name; NULL when there is none, or no
     * thread owns it. A member of views that draw several layouts, else NULL: the subject's. Call
     * lw_view_layout instead. */
    const struct lw_subject *(*layout)(const struct lw_view *view, int number, const char **name);
    /* Sets where layout number i, from 0, is; false when there are no more. NULL: there are
     * none. */
    bool (*part)(const struct lw_view *view, int i, struct lw_view_part *part);
    /* Sets out[] to the element of layout number i, from 0, that belongs to a spot with an element:
     * of an MMA the first that its thread holds, of a product the one that an element of the
     * product is made of. False: there is none. NULL: there are none. */
    bool (*linked)(const struct lw_view *view, const struct lw_spot *spot, int i, uint64_t *out);
    /* One line about the whole view; NULL: there is none. */
    void (*caption)(const struct lw_view *view, struct lw_text *text);
    /* The meaning of rows, columns and cells: "lanes across"; NULL: the caption or labels have
     * it. */
    void (*legend)(const struct lw_view *view, struct lw_text *text);
    /* Explains a cell; NULL: the spot is explained. Call lw_view_explain instead. */
    void (*explain)(const struct lw_view *view, uint64_t row, uint64_t col,
                    struct lw_explanation *explanation);
    /* Adds what the thread of a spot holds of each layout of the view; NULL: nothing. */
    void (*explain_thread)(const struct lw_view *view, const struct lw_spot *spot,
                           struct lw_explanation *explanation);
};

/* All types, `*count` of them. */
const struct lw_view_type *const *lw_view_types(size_t *count);
/* The type of that name, or NULL. */
const struct lw_view_type *lw_view_type_find(const char *name);
/* Opens a view of a subject, which it borrows; `options` may be NULL. Fails with
 * LW_ERROR_UNSUPPORTED or another reason when the view cannot show the subject, with
 * LW_ERROR_NAME or LW_ERROR_SYNTAX on a bad cell format or colour key, and with LW_ERROR_MEMORY;
 * the view is then not usable, and need not be closed. */
bool lw_view_open(struct lw_view *view, const struct lw_view_type *type,
                  const struct lw_subject *subject, const struct lw_view_options *options,
                  struct lw_error *err);
/* Frees what an open view owns, and sets it to all zeros; does nothing to a view that is all
 * zeros. The subject may be gone already. */
void lw_view_close(struct lw_view *view);
/* Whether a view can show the subject with default options. */
bool lw_view_fits(const struct lw_view_type *type, const struct lw_subject *subject);
/* Appends the notation above a view: the subject's head, or the title of its document instead of
 * JSON; for a view of an access a line for each of its layouts, with '\n' between them: "registers
 * A: ...". Nothing when there is none. */
void lw_view_head(const struct lw_view *view, struct lw_text *text);
/* The layout that a spot of the view is in, spot.operand: 0 is its subject, in most views the only
 * one; and its name, "" when it has none. NULL: there is no such layout. */
const struct lw_subject *lw_view_layout(const struct lw_view *view, int number, const char **name);
/* The first cell of a spot; false when there is none, also of an operand that the view does not
 * draw. */
bool lw_view_find(const struct lw_view *view, const struct lw_spot *spot, uint64_t *row,
                  uint64_t *col);
/* Changes the options to the next wavefront: after the last wavefront of an instruction comes the
 * next instruction, after the last one the first; instruction 0 is before the first. False when the
 * subject has no accesses; the options then stay. */
bool lw_view_step(const struct lw_subject *subject, struct lw_view_options *options);
#define LW_TILE_MAX 256 /* rows and columns that lw_view_tiles examines */
/* Sets *rows and *cols to the size of the tiles that the grid is made of: a new tile begins where
 * the warp or the block changes, or where the lanes start again from the first. 0: there is one
 * tile in that direction, or none that ends within LW_TILE_MAX. */
void lw_view_tiles(const struct lw_view *view, uint64_t *rows, uint64_t *cols);
/* Whether the warp or the block of a cell differs from that of the cell before it: in its row
 * (`across`), else in its column. The cell is not the first one there. */
bool lw_view_warp_changes(const struct lw_view *view, uint64_t row, uint64_t col, bool across);

/* ---- Cell formats ----
 * Text with fields in braces; `{{` is a brace. The fields are the name of any dim, and
 *
 *     {thread} {lane} {warp} {register} {local} {block}   the index in registers
 *     {offset} {byte} {bank} {line} {phase}               the index in shared memory; a line is 128
 *                                                         bytes, a phase one pattern of a swizzle
 *     {row} {column} {i0} {i1} ... {index}                the element; index counts row-major
 *     {vector} {hardware}                                 the access it is part of; all input dims
 *     {coordinate} {unswizzled}                           of CuTe: the coordinate of the element,
 *                                                         its offset before the swizzle
 *     {vgpr}                                              of amd_mfma, amd_wmma and their operands:
 *                                                         "v3", "v1.[31:16]", "v[1:0]", the name in
 *                                                         AMD's Matrix Instruction Calculator
 *
 * When several owners differ in one field only, and no letter is next to it, its values print as a
 * list: "{thread}: {local}" gives `[0, 4]: 0`. Else whole owners are joined by a bar:
 * "T{thread}:{register}" gives `T0:0|T4:0`. */

/* Checks a format against a subject. Fails with LW_ERROR_NAME on a field that the subject lacks,
 * naming those that it has, with LW_ERROR_UNSUPPORTED and the reason on {vgpr} where AMD's
 * calculator has no such name, with LW_ERROR_SYNTAX on a brace without its pair, and with
 * LW_ERROR_LIMIT on too many fields. */
bool lw_format_check(const char *format, const struct lw_subject *subject, struct lw_error *err);
/* The default format of a subject's owners: "{thread}: {local}" for tilus, "T{thread}:{register}"
 * for Triton, with the block when there are several; "{offset}" in shared memory. */
const char *lw_format_default(const struct lw_subject *subject);
/* Sets *value to the field of that name of a hardware index and its element, each in the map's
 * dims; the one that the field does not depend on may be NULL. False when the subject has no
 * such field. */
bool lw_subject_field(const struct lw_subject *subject, const char *name, const uint64_t *in,
                      const uint64_t *out, uint64_t *value);
#define LW_FIELDS_MAX 40 /* of one subject */
/* Writes the names of the fields that a hardware index and its element have, each once, to
 * `names`, which has room for LW_FIELDS_MAX of them: the dims of the map, then what follows from
 * them ("thread", "byte", "bank", ...); `hardware` is left out. Returns how many there are. */
size_t lw_subject_fields(const struct lw_subject *subject, const char **names);
/* A field to colour by. */
struct lw_color_key {
    const char *name; /* "lane" */
    const char *help; /* one line */
};
/* All of them, `*count` of them; a subject may lack some. */
const struct lw_color_key *lw_color_keys(size_t *count);

/* ---- Explaining ---- */

/* One line of an explanation. */
struct lw_line {
    const char *label; /* "held by" */
    struct lw_text text;
};
#define LW_LINES_MAX 16 /* lines of an explanation */

/* An explanation. Set it to all zeros before its first use; it owns the texts of its lines and
 * keeps their memory from one use to the next. Free it with lw_explanation_free. */
struct lw_explanation {
    size_t columns; /* columns of a line of several terms; 0, 40 to 63: 64 */
    int count;      /* of lines */
    struct lw_line line[LW_LINES_MAX];
};

/* Explains a spot in both directions with the arithmetic: the owners of the element, the bits of
 * each index and the xor of the bases that they select; in shared memory its offset, byte, bank,
 * line and phase. */
void lw_explain(const struct lw_subject *subject, const struct lw_spot *spot,
                struct lw_explanation *explanation);
/* Explains a cell of a view; no lines when it has no spot. */
void lw_view_explain(const struct lw_view *view, uint64_t row, uint64_t col,
                     struct lw_explanation *explanation);
void lw_explanation_free(struct lw_explanation *explanation); /* frees its texts */

/* Appends one line about a layout: "4 registers x 32 lanes x 2 warps -> 16 x 16, every element
 * once". */
void lw_summary(struct lw_text *text, const struct lw_subject *subject);

LW_END

#endif
