#ifndef LANEWAY_DOCS_FIGURES_H
#define LANEWAY_DOCS_FIGURES_H

/* The files that a document shows, in memory until they are written together with the document. */

#include "cli/docs/quote.h"

enum lw_figure_state { LW_FIGURE_SAME, LW_FIGURE_MISSING, LW_FIGURE_OTHER };

/* Set it to all zeros; free it with lw_figures_free. */
struct lw_figures {
    size_t count;
    struct lw_figure {
        char *path;
        size_t folder; /* bytes of the path that are the folder of the document */
        bool stale;    /* it is written */
        struct lw_text contents;
    } * figure;
};

/* Reads a whole file. */
bool lw_docs_read(const char *path, struct lw_text *text, struct lw_error *err);
/* Keeps the output of a command for the file that it names, and sets *state to what the file is now. Fails when links
 * lead out of the folder of the document, when the file has markers of its own, or when a block before it names the
 * same file with other contents. */
bool lw_figures_keep(struct lw_figures *figures, const char *document, const struct lw_quote *q,
                     enum lw_figure_state *state, struct lw_error *err);
/* Replaces the files that are stale, then the document by `fresh` unless that is NULL; each whole or not at all. The
 * first that cannot be written ends it. */
bool lw_figures_write(const struct lw_figures *figures, const char *document,
                      const struct lw_text *fresh, struct lw_error *err);
void lw_figures_free(struct lw_figures *figures);

#endif
