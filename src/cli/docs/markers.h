#ifndef LANEWAY_MARKERS_H
#define LANEWAY_MARKERS_H

/*
 * Markers: where a document quotes output of the program.
 *
 *     <!-- laneway: show 'local(2, 2)' -->     in Markdown
 *     .. laneway: show 'local(2, 2)'           in reStructuredText
 *     // laneway: show 'local(2, 2)'           in AsciiDoc and Typst, and in a comment of any kind
 *     # laneway: show 'local(2, 2)'            in Org
 *     % laneway: show 'local(2, 2)'            in LaTeX
 *
 * A pair ends at `/laneway` in the same form. The text before a marker on its line (indentation, the signs of a
 * comment) is its prefix, which every line of the block has too.
 */

#include "cli/docs/literal.h"
#include "laneway/error.h"

enum lw_marker_kind {
    LW_MARKER_MARKDOWN = 1,
    LW_MARKER_REST = 2,
    LW_MARKER_COMMENT = 4,
    LW_MARKER_HTML = 8,
    LW_MARKER_ASCIIDOC = 16,
    LW_MARKER_LATEX = 32,
    LW_MARKER_ORG = 64,
    LW_MARKER_TYPST = 128
};

/* Two markers and the text between them. */
struct lw_embedded {
    enum lw_marker_kind kind;
    size_t line; /* of the first marker, from 1 on */
    struct lw_slice prefix, command;
    struct lw_slice between; /* whole lines */
    const char *newline;     /* "\n" or "\r\n", as the marker's line ends */
};

struct lw_markers {
    const char *at, *end;
    size_t line; /* of `at`, from 1 on */
    unsigned kinds;
    struct lw_literal literal;
    /* Called for each line outside blocks that is no marker; its number is `line`. NULL: not called. */
    void (*pass)(void *context, const struct lw_markers *markers, struct lw_slice line);
    /* Whether a word is the name of a command; NULL: no word is. */
    bool (*is_command)(void *context, struct lw_slice word);
    void *context;
};

/* Whether files with the extension of the path have markers, so that a folder is walked for them. */
bool lw_markers_are_in(const char *path);
/* Whether the file is a notebook (.ipynb), whose cells have markers. */
bool lw_markers_in_cells(const char *path);
/* Whether a line that is no marker was probably meant to be one: its word is nearly `laneway`, or there is other text
 * on its line. *why is then the reason. */
bool lw_marker_is_near(const struct lw_markers *markers, struct lw_slice line, const char **why);
/* The extension of the path selects the kinds of markers; the text must outlive `markers`. */
void lw_markers_start(struct lw_markers *markers, const char *path, const char *text,
                      size_t length);
/* The next pair. False at the end, with err->code LW_OK, and on an error in the markers, which is at *line. */
bool lw_markers_next(struct lw_markers *markers, struct lw_embedded *pair, size_t *line,
                     struct lw_error *err);

#endif
