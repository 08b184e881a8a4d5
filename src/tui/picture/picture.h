#ifndef LANEWAY_PICTURE_H
#define LANEWAY_PICTURE_H

/* A picture: one view of a model, drawn in a rectangle. A type of picture is a row of the table in pictures.c; its
 * state is its own. What it shows is a list, or grids: it is drawn, clicked and scrolled here, and a type has
 * functions for what is its own. */

#include "tui/list.h"
#include "tui/picture/cell_grid.h"
#include "tui/model.h"
#include "tui/terminal/events.h"

/* What is lit with the cursor: the rest of a picture is dimmed. */
enum lw_lit_what { LW_LIT_THREAD, LW_LIT_WARP, LW_LIT_REGISTER, LW_LIT_BANK };

struct lw_lit {
    enum lw_lit_what what;
    enum lw_lit_what color; /* what cells of owners are coloured by: thread, warp or register */
    bool on;
    bool by_pointer;      /* until the pointer leaves, which moves the cursor */
    struct lw_slot owner; /* of the element */
    uint64_t bank;
    uint64_t vector; /* of the swizzle, in Memory */
    bool has_op;     /* an access was chosen in a path, a store or a load: */
    bool is_load;
};

/* The name of what is lit, "thread", and its number. */
const char *lw_lit_name(enum lw_lit_what what);
uint64_t lw_lit_number(const struct lw_lit *lit);

enum { LW_GRIDS_MAX = 8 };

struct lw_picture;

struct lw_picture_type {
    const char *name;  /* "owners" */
    const char *title; /* "Owners" */
    const char *about; /* one line of the list of all views */
    bool is_tab;       /* else the list of all views has it alone */
    size_t state_size; /* of the struct whose first member is a struct lw_picture */
    /* The layout of a model that it is of, near a side of an access; NULL: the model has no such picture. */
    const struct lw_subject *(*subject)(const struct lw_model *model, enum lw_side side);
    /* Makes the state, which is all zeros. */
    bool (*open)(struct lw_picture *picture, struct lw_error *err);
    void (*close)(struct lw_picture *picture); /* but its grids and its list; or NULL */
    /* Chooses the size of cells for a rectangle, and arranges the grids; NULL: there is one grid. False when memory is
     * out. */
    bool (*arrange)(struct lw_picture *picture, struct lw_rect rect);
    /* Draws what is beside the grids; of a list all of it. Or NULL. */
    void (*draw)(struct lw_picture *picture, struct lw_surface *surface);
    /* Moves the cursor: by rows and columns; to a cell of one of the grids. NULL: that of the first grid or of the
     * list. */
    void (*move)(struct lw_picture *picture, int64_t rows, int64_t cols);
    bool (*move_to)(struct lw_picture *picture, int grid, const uint64_t at[2]);
    /* The cursor of the first grid or of the list has moved. Or NULL. */
    void (*follow)(struct lw_picture *picture);
    /* Colours the cells by another field, of those that change the picture. Or NULL: there is one. */
    void (*color)(struct lw_picture *picture);
    /* Handles another key; false: it has no use for it. Or NULL. */
    bool (*key)(struct lw_picture *picture, uint32_t key);
    /* The element under the cursor; false: there is none. Or NULL. */
    bool (*spot)(const struct lw_picture *picture, struct lw_spot *spot);
    /* Moves the cursor to an element; false: the picture does not have it. Or NULL. */
    bool (*go)(struct lw_picture *picture, const struct lw_spot *spot);
    /* What to do at the time of its next tick. Or NULL. */
    void (*tick)(struct lw_picture *picture);
    /* Lines about what is under the cursor. */
    void (*explain)(const struct lw_picture *picture, struct lw_explanation *explanation);
};

struct lw_picture {
    const struct lw_picture_type *type;
    const struct lw_model *model;
    const struct lw_model *other;     /* to compare with; NULL: none */
    const struct lw_subject *subject; /* the layout that it is of; of an access that at a side */
    const struct lw_subject *at;      /* the layout of the element under the cursor */
    struct lw_lit *lit;               /* of the screen */
    int size;            /* 0: the largest cells that fit; -1: the next smaller ones, ... */
    int64_t tick_at;     /* the time of the next tick; 0: none */
    struct lw_rect rect; /* as drawn last */
    struct lw_grid grid; /* the first grid */
    struct lw_grid *grids[LW_GRIDS_MAX]; /* that one and those of its state, grid_count of them */
    int grid_count, focus;               /* focus: the grid that the wheel scrolls */
    struct lw_list list;                 /* of a picture that is a list */
    const struct lw_text *names[2];      /* of two layouts: "left: blocked [1,4] ...", "right: " */
    const struct lw_text *operand; /* the name of that in focus, of several; NULL: there is one */
    char answer[96]; /* of two layouts: how many elements have another owner, after a sign */
};

/* Opens a picture of a model; NULL: the reason is in *err. */
struct lw_picture *lw_picture_open(const struct lw_picture_type *type, const struct lw_model *model,
                                   const struct lw_model *other, enum lw_side side,
                                   struct lw_lit *lit, struct lw_error *err);
/* This and the next ones do nothing to NULL, and return false. */
void lw_picture_close(struct lw_picture *picture);
void lw_picture_draw(struct lw_picture *picture, struct lw_surface *surface, struct lw_rect rect);
/* Whether a rectangle has room for all its columns, in its smallest cells, and for all its operands. */
bool lw_picture_has_room(struct lw_picture *picture, struct lw_rect rect);
void lw_picture_move(struct lw_picture *picture, int64_t rows, int64_t cols);
bool lw_picture_mouse(struct lw_picture *picture, const struct lw_event *event);
bool lw_picture_spot(const struct lw_picture *picture, struct lw_spot *spot);
bool lw_picture_go(struct lw_picture *picture, const struct lw_spot *spot);

/* Draws a name above a grid, at its first cell, and more about it. */
void lw_picture_draw_title(struct lw_surface *surface, const struct lw_grid *grid,
                           enum lw_tone tone, const char *name, const char *about);

/* Appends the number of the row of an element: "1,0" of three dims. */
void lw_picture_put_row(struct lw_text *text, const struct lw_dims *dims, const uint64_t *out);

/* The cursor of a matrix: the bit of the element, and that of the hardware index. False: it is another picture. */
bool lw_picture_matrix_bit(const struct lw_picture *picture, uint64_t *row, uint64_t *col);

/* The access of CUDA C++ under the cursor, from 1, where it has a path; 0: it has none, or it is another picture. */
size_t lw_picture_access(const struct lw_picture *picture);

/* Goes to the first store, or load, of a path; does nothing to another picture. */
void lw_picture_path_choose(struct lw_picture *picture, enum lw_access_op op);
/* Whether a path shows one wavefront of an access. */
bool lw_picture_path_plays(const struct lw_picture *picture);

/* For `subject`: the layout at a side, else the model's own; the registers at a side, else others, or NULL. */
const struct lw_subject *lw_picture_any(const struct lw_model *model, enum lw_side side);
const struct lw_subject *lw_picture_registers(const struct lw_model *model, enum lw_side side);
/* Whether a model has a picture. */
bool lw_picture_fits(const struct lw_picture_type *type, const struct lw_model *model);

/* The type of a name, also of a view of the library: "banks" is the path, "bases" a part of the text. NULL: none. */
const struct lw_picture_type *lw_picture_named(const char *name);

/* All types, in the order of the tabs, ending in NULL. */
extern const struct lw_picture_type *const lw_pictures[];
extern const struct lw_picture_type lw_picture_accesses, lw_picture_path, lw_picture_compare,
    lw_picture_conversion, lw_picture_memory_lines;

/* Whether two layouts can be compared; false: the reason is in *err. */
bool lw_picture_can_compare(const struct lw_model *a, const struct lw_model *b,
                            struct lw_error *err);

/* Finds match number k of a text (`3,5`, `t17`, `bank 7`), modulo how many there are: in a layout of the
 * model, `first` before the others, NULL: none before. Sets the spot and what is lit with it. Returns how many matches
 * there are; 0: the reason is in *err. */
uint64_t lw_find_match(const struct lw_model *model, const struct lw_subject *first,
                       const char *text, uint64_t k, struct lw_spot *spot, struct lw_lit *lit,
                       struct lw_error *err);

#endif
