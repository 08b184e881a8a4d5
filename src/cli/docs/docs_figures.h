#ifndef LANEWAY_DOCS_FIGURES_H
#define LANEWAY_DOCS_FIGURES_H

/* The files that a document shows: they are written when all of its blocks have succeeded. */

#include "cli/docs/docs_block.h"
#include "cli/docs/docs_walk.h"

struct lw_docs_figure {
    char *path;
    size_t folder; /* bytes of the document's folder at the beginning of the path */
    struct lw_text contents;
    bool stale;
};

struct lw_docs_figures {
    const struct lw_docs_list *documents; /* of the run: no figure may be one of them */
    size_t count;
    struct lw_docs_figure *figure;
};

enum lw_docs_figure_state { LW_FIGURE_SAME, LW_FIGURE_OTHER, LW_FIGURE_MISSING };

/* Reads a whole file. */
bool lw_docs_read(const char *path, struct lw_text *text, struct lw_error *err);

/* Compares the file of a command with its output, and keeps the output. `document` is the path of the document. Fails
 * when another block has different output for the file, and when the file is a document of the run. */
bool lw_docs_figures_keep(struct lw_docs_figures *figures, const char *document,
                          const struct lw_quoted *q, enum lw_docs_figure_state *state,
                          struct lw_error *err);
/* Writes the figures that differ from their files, and the document unless `fresh` is NULL. All are first written to
 * the disk under other names, so that none is replaced when one cannot be written. When renaming fails after that, the
 * message names the files that were replaced. */
bool lw_docs_figures_write(const struct lw_docs_figures *figures, const char *document,
                           const struct lw_text *fresh, struct lw_error *err);
void lw_docs_figures_free(struct lw_docs_figures *figures);

#endif
