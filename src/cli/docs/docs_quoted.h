#ifndef LANEWAY_DOCS_QUOTED_H
#define LANEWAY_DOCS_QUOTED_H

/* One command of a document. */

#include "cli/docs/docs_block.h"

/* Runs the command of a marker in the folder of the document at `path`. Fails when the command cannot be quoted, and
 * when it fails although it should succeed, or the reverse. To be freed in any case. */
bool lw_quoted_run(struct lw_quoted *q, const struct lw_program *program,
                   const struct lw_embedded *pair, const char *path, struct lw_error *err);
void lw_quoted_free(struct lw_quoted *q);

#endif
