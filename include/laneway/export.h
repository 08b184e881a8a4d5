#ifndef LANEWAY_EXPORT_H
#define LANEWAY_EXPORT_H

/*
 * Exports: a view written to a stream.
 *
 * To add a format: one file in src/export/ and one line in formats.c.
 */

#include "laneway/view.h"

#include <stdio.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* More cells than this are exported only when `all` asks for them; some formats stop earlier. */
#define LW_EXPORT_CELLS ((uint64_t)1 << 24)

struct lw_export_options {
    const char *style;         /* text: a table style; NULL: "simple_grid" */
    uint64_t row_from, row_to; /* rows row_from..row_to-1; both 0: all */
    uint64_t col_from, col_to;
    bool labels;      /* row and column labels where the format has them; in a table of text not
                         above a whole view that is bare */
    bool bare_labels; /* there too */
    bool all;         /* lifts the limit of cells */
    bool head;        /* the subject's head line above the grid */
    /* For errors, how whoever asks chooses fewer cells: "v selects some"; and, where a limit can be
     * lifted, how all are asked for. NULL: nothing is said of it. */
    const char *choose, *ask_all;
};

struct lw_format {
    const char *name;      /* "markdown" */
    const char *extension; /* "md" */
    const char *help;
    const char *between; /* what parts one view from the next in a stream; NULL: a stream has one */
    uint64_t cells;      /* more are written only when `all` is asked for; 0: LW_EXPORT_CELLS */
    bool (*write)(const struct lw_view *view, const struct lw_export_options *options, FILE *stream,
                  struct lw_error *err);
};

const struct lw_format *const *lw_formats(size_t *count);
const struct lw_format *lw_format_find(const char *name);
/* The format whose extension a path has, or NULL. */
const struct lw_format *lw_format_of_path(const char *path);
/* Writes a view. Fails on a bad range or style, over the limit, or when the stream fails (a closed
 * pipe: LW_ERROR_IO). `options` may be NULL: everything, with the head. */
bool lw_export(const struct lw_view *view, const struct lw_format *format,
               const struct lw_export_options *options, FILE *stream, struct lw_error *err);

/* The styles of the text format: tables, with the names and the exact form that they have in Python's
 * tabulate, and the printers of Triton and CuTe. */
struct lw_style {
    const char *name;
    const char *help;
    const struct lw_ruling *ruling; /* how a table is ruled; NULL: this style is not a table, but */
    bool (*write)(const struct lw_view *view, const struct lw_export_options *options, FILE *stream,
                  struct lw_error *err);
    /* As LaTeX; NULL: this style has none. */
    bool (*latex)(const struct lw_view *view, const struct lw_export_options *options, FILE *stream,
                  struct lw_error *err);
};
const struct lw_style *lw_styles(size_t *count);
/* NULL when there is none of that name. */
const struct lw_style *lw_style_find(const char *name);
/* Whether its lines are drawn in ASCII. */
bool lw_style_is_ascii(const struct lw_style *style);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
