#ifndef LANEWAY_VIEW_H
#define LANEWAY_VIEW_H

/*
 * Views: what is drawn.
 *
 * A view is a lazy grid. It knows how many rows and columns it has and makes the text and colour
 * class of one cell when asked for it; nothing is computed for cells that nobody looks at, so a
 * tensor of 2^40 elements scrolls like one of 2^8. The explorer asks for the cells on the screen,
 * an exporter for all of them in order. A view knows nothing of terminals or files.
 *
 *     view       rows x columns                           a cell
 *     owners     the tensor's (batches stacked)           who holds this element
 *     hardware   warp and register x lane, or offsets     which element is here
 *     matrix     output bits x input bits                 0 or 1
 *     memory     rows across all banks x element slots    which element sits there
 *     banks      instructions, or wavefronts of one x banks    words, or lanes
 *     conversion who holds x who takes                    how many elements go there
 *     bases      one line a basis                         its image
 *     facts      one line a fact                          its value
 *     words      one line for each way to write it        the text
 *
 * To add a view: one file in src/view/ and one line in views.c.
 */

#include "laneway/cute.h"
#include "laneway/encoding.h"
#include "laneway/hardware.h"
#include "laneway/words.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* What a view is a view of. */
struct lw_joint;
struct lw_subject {
    struct lw_map map;
    struct lw_tensor tensor; /* complete: shape and element are set */
    enum lw_family family;
    uint64_t lanes;             /* lanes a warp, for splitting threads: 32 or 64 */
    const char *head;           /* the line that stands above a printed grid; "" none; borrowed */
    const struct lw_cute *cute; /* the layout of CuTe that it is; NULL: none; borrowed */
    /* What the words view starts from beside the map, and where it keeps what it finds; NULL: it knows
     * the map alone, and finds its words again whenever it is asked; borrowed. */
    const struct lw_encoding *encoding;
    struct lw_words_sheet *words;
    const char *notes; /* one more line for the facts view; "" none; borrowed */
    /* The second layout, of the same tensor, for the views of two (banks, conversion); NULL: none; borrowed. */
    const struct lw_subject *with;
    /* Of the first of two that are joined: stores go through this one, in registers, and loads through the other;
     * set before they are joined. NULL: stores go as loads do; borrowed. */
    const struct lw_subject *store;
    struct lw_joint *joint;             /* what both share when they were joined; else NULL */
    const struct lw_hardware *hardware; /* whose banks; NULL: the usual */
};

/* A subject without head and notes; `lanes` is the size of the map's dim `lane`, or LW_LANES_USUAL. */
void lw_subject_init(struct lw_subject *subject, const struct lw_map *map,
                     const struct lw_tensor *tensor, enum lw_family family);
/* The banks of the subject's hardware. */
const struct lw_bank_model *lw_subject_banks(const struct lw_subject *subject);
/* Makes two subjects the second layouts of each other. What views of both compute is kept with them, so
 * they stay where they are until they are parted, and only one thread draws them at a time. Joined ones
 * are parted first. */
bool lw_subject_join(struct lw_subject *first, struct lw_subject *second, struct lw_error *err);
/* Undoes it for both; views of the two must not be used after this. Does nothing to one that is not joined. */
void lw_subject_part(struct lw_subject *subject);

enum lw_detail {
    LW_DETAIL_FULL,  /* the whole text */
    LW_DETAIL_SHORT, /* the one number that matters most */
    LW_DETAIL_CHAR   /* one character */
};

/* Which accesses between two layouts: what is stored through the one into the other, what is loaded, or
 * one after the other. */
enum lw_view_access { LW_VIEW_BOTH, LW_VIEW_STORE, LW_VIEW_LOAD };

struct lw_view_options {
    const char *cell;     /* a format such as "{thread}: {local}"; NULL: the view's own */
    const char *color_by; /* one of lw_color_keys; NULL: the view's own */
    enum lw_detail detail;
    /* Of joined subjects. The banks view draws all instructions (0) or number 1, 2, ... of them wavefront by
     * wavefront; lw_view_served says what that instruction, or its wavefront 1, 2, ..., moves. */
    enum lw_view_access access;
    uint64_t instruction;
    unsigned wavefront;
};

/* The class of a cell's colour; a theme makes colours of it. */
enum lw_ink {
    LW_INK_PLAIN,
    LW_INK_INDEX, /* `shade` is a number (a lane, a bank, ...): neighbours should contrast */
    LW_INK_DIM,   /* `shade` is the position of an input dim */
    LW_INK_FAINT, /* a zero, something that is there but does not matter */
    LW_INK_HOLE,  /* nothing is here */
    LW_INK_HEAD,  /* a heading */
    LW_INK_GOOD,
    LW_INK_BAD
};

struct lw_cell {
    enum lw_ink ink;
    uint64_t shade;
    uint64_t owners; /* owners view: how many places hold the element; else 0 */
};

/* A place in two languages: an element of the tensor and a place of the hardware. A cell shows one
 * or both; linking two views goes through it. */
struct lw_spot {
    bool has_out, has_in;
    uint64_t out[LW_DIMS_MAX];
    uint64_t in[LW_DIMS_MAX];
};

struct lw_view {
    const struct lw_view_type *type;
    const struct lw_subject *subject; /* borrowed: it must outlive the view */
    struct lw_view_options options;
    const char *color; /* the field that colours stand for; NULL: none */
    uint64_t rows, cols;
    uint64_t page_rows; /* rows of one grid when a view is a stack of grids; else rows */
    uint64_t work[6];   /* the view's own numbers */
};

struct lw_explanation;
struct lw_view_type {
    const char *name;        /* "owners" */
    const char *title;       /* "Owners" */
    const char *short_title; /* one for where there is little room; NULL: the title */
    char key;                /* the digit that shows it in the explorer */
    const char *color; /* the field to colour by when none is asked for; NULL: lane, thread, bank */
    const char *help;  /* one line */
    bool bare;         /* a printed table of all of it has no labels, as tilus prints its grids */
    bool formatted;    /* its cells are written as options.cell says */
    bool counts; /* its cells, when not those of one instruction, are counts: an empty one is 0 */
    bool of_all; /* every subject has it: it need not be opened to find out, which may be slow */
    /* Sets rows, cols, page_rows and work. Fails when this view cannot show this subject, with the
     * reason. */
    bool (*open)(struct lw_view *view, struct lw_error *err);
    /* The text (appended) and class of a cell. Writers stop when the text is full. */
    void (*cell)(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                 struct lw_cell *cell);
    void (*row_label)(const struct lw_view *view, uint64_t row, struct lw_text *text);
    void (*col_label)(const struct lw_view *view, uint64_t col, struct lw_text *text);
    /* An upper bound of a cell's width in columns, without looking at every cell. */
    size_t (*width)(const struct lw_view *view);
    /* The same of one column, which may be narrower; such a view is best seen with all its columns. NULL:
     * width. */
    size_t (*col_width)(const struct lw_view *view, uint64_t col);
    /* What a cell stands for; NULL when its cells stand for nothing. */
    bool (*spot)(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_spot *spot);
    /* Where a spot is shown; false when it is not. */
    bool (*find)(const struct lw_view *view, const struct lw_spot *spot, uint64_t *row,
                 uint64_t *col);
    /* A line about all that is drawn; NULL: there is none. */
    void (*caption)(const struct lw_view *view, struct lw_text *text);
    /* The numbers of the caption in few words, and in fewer without their unit; NULL: there are none. */
    void (*brief)(const struct lw_view *view, struct lw_text *text, bool unit);
    /* What stands across and down, in few words: "lanes across"; NULL: the caption or the labels say it. */
    void (*axes)(const struct lw_view *view, struct lw_text *text);
    /* What rows and columns stand for, beside the caption; NULL: there is no more to say. */
    void (*legend)(const struct lw_view *view, struct lw_text *text);
    /* What abbreviations in cells stand for, where cells have room for text; NULL: there are none. */
    void (*letters)(const struct lw_view *view, struct lw_text *text);
    /* What there is to say of a cell; NULL: what there is of its spot. */
    void (*explain)(const struct lw_view *view, uint64_t row, uint64_t col,
                    struct lw_explanation *explanation);
};

/* All views, in the order of their number keys. */
const struct lw_view_type *const *lw_view_types(size_t *count);
const struct lw_view_type *lw_view_type_find(const char *name);
/* Opens a view; `options` may be NULL. Fails on a bad cell format or colour key too. */
bool lw_view_open(struct lw_view *view, const struct lw_view_type *type,
                  const struct lw_subject *subject, const struct lw_view_options *options,
                  struct lw_error *err);
/* Whether it can show the subject, with its own options; it is not opened where that is known without. */
bool lw_view_fits(const struct lw_view_type *type, const struct lw_subject *subject);
/* Whether the instruction and wavefront of the options move the element of a cell; true of every element that
 * the instruction moves when no wavefront is chosen, false when no instruction is. */
bool lw_view_served(const struct lw_view *view, uint64_t row, uint64_t col);
/* The options of the next wavefront (`by` 1) or the one before (-1): after the last wavefront of an
 * instruction the next instruction, after the last one the first. Instruction 0 is before all of them.
 * False when the subject has no accesses. */
bool lw_view_step(const struct lw_subject *subject, struct lw_view_options *options, int by);
/* The view that a subject is best opened with: owners when nothing else is said. */
const struct lw_view_type *lw_view_default(const struct lw_subject *subject);

/* ---- Cell formats ----
 * Text with fields in braces; `{{` is a brace. The fields are the name of any dim, and
 *
 *     {thread} {lane} {warp} {register} {local} {block}   the place in registers
 *     {offset} {byte} {bank} {line} {phase}               the place in shared memory; a line is 128
 *                                                         bytes, a phase one pattern of a swizzle
 *     {row} {column} {i0} {i1} ... {index}                the element; index counts row-major
 *     {vector} {place}                                    the access it is part of; all input dims
 *
 * When several owners differ in one field only, and no letter is glued to it, its values print as a
 * list: "{thread}: {local}" gives `[0, 4]: 0`. Else whole owners are joined by a bar:
 * "T{thread}:{register}" gives `T0:0|T4:0`. */

/* Checks a format against a subject: an unknown field is an error that names the known ones. */
bool lw_format_check(const char *format, const struct lw_subject *subject, struct lw_error *err);
/* Appends the owners of an element in that format. */
void lw_format_owners(struct lw_text *text, const char *format, const struct lw_subject *subject,
                      const uint64_t *out);
/* The format a subject's owners are shown in by default: "{thread}: {local}" for tilus,
 * "T{thread}:{register}" for Triton, with the block when there are several; "{offset}" in shared
 * memory. */
const char *lw_format_default(const struct lw_subject *subject, enum lw_detail detail);
/* One field of one place, by name; false when this subject has no such field. */
bool lw_subject_field(const struct lw_subject *subject, const char *name, const uint64_t *in,
                      const uint64_t *out, uint64_t *value);
/* The fields that one may colour by, with a line of help each. */
struct lw_color_key {
    const char *name;
    const char *help;
};
const struct lw_color_key *lw_color_keys(size_t *count);

/* ---- Explaining ---- */

struct lw_line {
    const char *label; /* "held by" */
    struct lw_text text;
};
#define LW_LINES_MAX 12
struct lw_explanation {
    size_t columns; /* how long a line of several terms may be; less than 64: 64 */
    int count;
    struct lw_line line[LW_LINES_MAX];
};

/* Explains a spot both ways with the arithmetic: the owners of the element, the bits of each index
 * and the bases they pick, xored; and in shared memory its offset, byte, bank, row and phase.
 * Reuses the memory of an explanation set to zeros at first. */
void lw_explain(const struct lw_subject *subject, const struct lw_spot *spot,
                struct lw_explanation *explanation);
/* Explains a cell of a view: as the view does, or its spot. */
void lw_view_explain(const struct lw_view *view, uint64_t row, uint64_t col,
                     struct lw_explanation *explanation);
void lw_explanation_free(struct lw_explanation *explanation);

/* A line about a layout: "4 registers x 32 lanes x 2 warps -> 16 x 16, every element once". */
void lw_summary(struct lw_text *text, const struct lw_subject *subject);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
