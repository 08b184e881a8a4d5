#ifndef LANEWAY_SOLVE_H
#define LANEWAY_SOLVE_H

/* The search for the best swizzle between a store and a load, while it is on the screen. */

#include "laneway/conversion.h"
#include "laneway/swizzle.h"
#include "tui/explore/explorer.h"

struct lw_solve {
    struct lw_swizzle_search search; /* of maps of the explorer: it ends when they do */
    bool has_begun, has_current;
    struct lw_swizzle
        current;     /* the cost of the present shared S; for a conversion that of the compiler's
                      own */
    bool has_shared; /* shared S is set; without has_current its cost is unknown, */
    struct lw_error unknown;    /* for this reason */
    bool compiled;              /* `current` is the compiler's own conversion, */
    enum lw_conversion_kind by; /* done by this, */
    uint64_t rounds;            /* in this number of rounds through the same memory */
    bool has[2];                /* whether there is a store, a load; an operation of a kernel has
                                   only one */
    enum lw_side registers
        [2]; /* the layouts stored from and loaded into; A twice, or B, when the other is missing */
    bool finished, stopped;
    bool as_page; /* the result is to be shown as a page */
    bool moved;   /* the user chose a row; else the best is chosen */
    bool awaited; /* the best is to be used once the search has ended */
    int at, top;
    int sort;        /* the column + 1 that rows are sorted by; 0: by rank */
    bool reversed;   /* in reverse */
    char filter[64]; /* only rows whose name or layout contains it; "": all */
};

#define LW_SOLVE_ROWS 192

/* A row of the list: the present layout, plain rows, the best of each kind, then others by rank; or sorted by a column,
 * and filtered. */
struct lw_solve_row {
    const char *name;
    const struct lw_swizzle *swizzle;
};
/* What a choice is compared with: shared S as it is, or without one plain rows; NULL: their cost is not known. */
const struct lw_swizzle *lw_solve_before(const struct lw_solve *solve);
int lw_solve_rows(const struct lw_solve *solve, struct lw_solve_row *rows);
/* A column of numbers; constant. */
struct lw_solve_column {
    const char *head, *narrow; /* "wavefronts", "wf" */
    int width, narrow_width;
    uint64_t (*number)(const struct lw_swizzle *swizzle);
};
#define LW_SOLVE_COLUMNS 6
extern const struct lw_solve_column lw_solve_columns[LW_SOLVE_COLUMNS];
/* Whether the number of a row in a column is known: the present shared S may have no cost, or of one side only. */
bool lw_solve_is_known(const struct lw_solve *solve, const struct lw_swizzle *swizzle, int column);
/* Appends what of the present shared S has no cost: "its store fails", or that the cost is unknown. */
void lw_solve_put_unknown(const struct lw_solve *solve, struct lw_text *text);
void lw_solve_sort(struct lw_explorer *ex, int by); /* by the next column, or the one before */
void lw_solve_sort_by(struct lw_explorer *ex, int column); /* by that one; if it is sorted by it, in
                                                              reverse */
void lw_solve_reverse(struct lw_explorer *ex);             /* in reverse */
void lw_solve_filter(struct lw_explorer *ex, const char *text);
/* Whether the search has ended and the present layout is as good as the best. */
bool lw_solve_gains_nothing(const struct lw_solve *solve);
/* The wavefronts of the present layout over its ideal. */
uint64_t lw_solve_excess(const struct lw_solve *solve);
int lw_solve_chosen(const struct lw_solve *solve, const struct lw_solve_row *rows, int count);
/* "vec 8, perPhase 1, maxPhase 8" */
void lw_solve_label(const struct lw_solve *solve, const struct lw_swizzle *swizzle,
                    struct lw_text *text);
/* Appends the bound of the optimum; nothing before the search has ended. */
void lw_solve_bound(const struct lw_solve *solve, struct lw_text *text);
/* Appends what is searched: "store A, load B; NVIDIA, measured on H200". */
void lw_solve_title(const struct lw_explorer *ex, struct lw_text *text);

/* ---- Shared by solve*.c ---- */

/* Begins the search for the store and the load on the screen. */
bool lw_solve_begin(struct lw_explorer *ex, struct lw_solve *solve, struct lw_error *err);
/* The best; of those with equal wavefronts one that has a name, as a kernel can be written with it. */
const struct lw_swizzle *lw_solve_best(const struct lw_swizzle_search *search);

void lw_solve(struct lw_explorer *ex, int unused);
void lw_solve_page(struct lw_explorer *ex); /* as a page, when the search has ended */
void lw_solve_move(struct lw_explorer *ex, int by);
void lw_solve_apply(struct lw_explorer *ex, int unused);
/* Undoes an edit, or redoes one; when a swizzle is undone, the view and the cell are those before it was applied. */
void lw_solve_undo(struct lw_explorer *ex, int redo);
void lw_solve_copy(struct lw_explorer *ex, int unused);  /* the chosen swizzle, as a SOURCE */
void lw_solve_close(struct lw_explorer *ex, int unused); /* while it runs, only stops the search */
void lw_solve_end(struct lw_explorer *ex);

#endif
