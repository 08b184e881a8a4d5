#ifndef LANEWAY_DOCS_FIT_H
#define LANEWAY_DOCS_FIT_H

/* Text that is as wide as a line of LaTeX. */

#include "laneway/text.h"

/* Appends the line of LaTeX that begins a group with letters of 5 to 9 points, so small that the widest line of
 * `printed` fits into a line of the document; nothing when it always fits. */
void lw_docs_fit(struct lw_text *line, const char *printed);

#endif
