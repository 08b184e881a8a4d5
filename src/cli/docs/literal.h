#ifndef LANEWAY_LITERAL_H
#define LANEWAY_LITERAL_H

/*
 * Literal blocks: text that a document shows unchanged, so that nothing in it is a marker.
 *
 *     Markdown            between fences of three or more ` or ~
 *     reStructuredText    indented, below a paragraph that ends with :: or a directive such as code-block
 *     AsciiDoc            between two lines of four or more - . + or /
 *     LaTeX               verbatim, lstlisting and the like
 *     Org                 between #+begin_src, or another such line, and its end
 *     Typst               as Markdown
 *
 * Other documents have none.
 */

#include "cli/docs/text_slice.h"

/* Set it to all zeros at the beginning of a document. */
struct lw_literal {
    bool open;
    char sign;                   /* of the fence */
    size_t length;               /* of the fence; in reStructuredText the indentation around */
    struct lw_slice environment; /* of LaTeX: its name */
    size_t above;                /* characters of the line above, where it can be a title; else 0 */
};

/* Call it for each line of a document with markers of that kind. Returns whether the line is part of a literal
 * block. */
bool lw_literal_has(struct lw_literal *literal, unsigned kinds, struct lw_slice line);

#endif
