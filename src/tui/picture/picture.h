#ifndef LANEWAY_PICTURE_H
#define LANEWAY_PICTURE_H

/*
 * A picture: one view of a model, drawn in a rectangle. A type of picture is a row of the table in pictures.c; its
 * state is its own. What most pictures are is a grid, or a list: such a one needs no functions of its own to be drawn
 * and moved in.
 */

#include "tui/list.h"
#include "tui/picture/cell_grid.h"
#include "tui/picture/lit.h"
#include "tui/model.h"
#include "tui/terminal/events.h"

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
    void (*close)(struct lw_picture *picture); /* or NULL */
    /* Chooses the size of cells for a rectangle. False when memory is out. This and the next four may be NULL in a
     * picture that is one grid, or one list. */
    bool (*arrange)(struct lw_picture *picture, struct lw_rect rect);
    void (*draw)(struct lw_picture *picture, struct lw_surface *surface);
    /* Moves the cursor: by rows and columns. */
    void (*move)(struct lw_picture *picture, int64_t rows, int64_t cols);
    /* Handles the mouse; false: it is not on the picture. */
    bool (*mouse)(struct lw_picture *picture, const struct lw_event *event);
    /* The cursor of its grid or its list has moved. */
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
    int size;                         /* steps from the chosen size of cells: + is larger */
    int64_t tick_at;                  /* the time of the next tick; 0: none */
    struct lw_rect rect;              /* as drawn last */
    struct lw_grid grid;              /* with the cursor, of a picture of grids */
    struct lw_list list;              /* of a picture that is a list */
};

/* Opens a picture of a model; NULL: the reason is in *err. */
struct lw_picture *lw_picture_open(const struct lw_picture_type *type, const struct lw_model *model,
                                   const struct lw_model *other, enum lw_side side,
                                   struct lw_lit *lit, struct lw_error *err);
/* This and the next ones do nothing to NULL, and return false. */
void lw_picture_close(struct lw_picture *picture);
void lw_picture_draw(struct lw_picture *picture, struct lw_surface *surface, struct lw_rect rect);
void lw_picture_move(struct lw_picture *picture, int64_t rows, int64_t cols);
bool lw_picture_mouse(struct lw_picture *picture, const struct lw_event *event);
bool lw_picture_spot(const struct lw_picture *picture, struct lw_spot *spot);
bool lw_picture_go(struct lw_picture *picture, const struct lw_spot *spot);

/* The cursor of a matrix: the bit of the element, and that of the hardware index. False: it is another picture. */
bool lw_picture_matrix_bit(const struct lw_picture *picture, uint64_t *row, uint64_t *col);

/* The access of CUDA C++ under the cursor, from 1, where it has a path; 0: it has none, or it is another picture. */
size_t lw_picture_access(const struct lw_picture *picture);

/* Goes to the first store, or load, of a path; does nothing to another picture. */
void lw_picture_path_choose(struct lw_picture *picture, enum lw_access_op op);

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
    lw_picture_conversion;

/* Whether two layouts can be compared; false: the reason is in *err. */
bool lw_picture_can_compare(const struct lw_model *a, const struct lw_model *b,
                            struct lw_error *err);

#endif
