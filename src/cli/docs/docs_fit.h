#ifndef LANEWAY_DOCS_FIT_H
#define LANEWAY_DOCS_FIT_H

/* Text that is as wide as a line of LaTeX. */

#include "laneway/text.h"

/* Appends the line of LaTeX that begins a group in which `printed` has letters so small, from 5 to 9 points, that its
 * widest line fits into that of the document; nothing when it is so narrow that it always does. */
void lw_docs_fit(struct lw_text *line, const char *printed);

#endif
