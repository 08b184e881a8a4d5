#ifndef LANEWAY_MARKERS_H
#define LANEWAY_MARKERS_H

/*
 * Markers: where a document quotes output of the program.
 *
 *     <!-- laneway: show 'local(2, 2)' -->     in Markdown and html
 *     .. laneway: show 'local(2, 2)'           in reStructuredText
 *     % laneway: show 'local(2, 2)'            in LaTeX
 *     // laneway: show 'local(2, 2)'           in other files, in a comment of any kind
 *
 * A marker is a line of its own, and its block ends at a line `/laneway` in the same form. The text before a marker
 * (indentation, the signs of a comment) is its prefix, which every line of the block has too. A comment may hold
 * markers of the first two kinds, for tools that make documents of comments.
 */

#include "laneway/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A part of a text, not NUL-terminated. */
struct lw_slice {
    const char *at;
    size_t length;
};

enum lw_marker_kind {
    LW_MARKER_MARKDOWN,
    LW_MARKER_HTML,
    LW_MARKER_REST,
    LW_MARKER_LATEX,
    LW_MARKER_COMMENT,
    LW_MARKER_KINDS
};

/* Two markers and the text between them. */
struct lw_block {
    enum lw_marker_kind kind;
    size_t line; /* of the first marker, from 1 on */
    struct lw_slice prefix, command;
    struct lw_slice between; /* whole lines */
    const char *newline;     /* "\n" or "\r\n", as the marker's line ends */
};

struct lw_markers {
    const char *at, *end;
    size_t line;    /* how many lines are before `at` */
    unsigned kinds; /* a bit for each */
    bool is_crlf;   /* the last line ended in "\r\n" */
};

/* The extension of the path selects the kinds of markers; the text must outlive `markers`. */
void lw_markers_start(struct lw_markers *markers, const char *path, const char *text,
                      size_t length);
/* The next block. False at the end, with err->code LW_OK, and on an error in the markers, which is at *line. */
bool lw_markers_next(struct lw_markers *markers, struct lw_block *block, size_t *line,
                     struct lw_error *err);

#endif
