#ifndef LANEWAY_NOTEBOOK_H
#define LANEWAY_NOTEBOOK_H

/*
 * Notebooks of Jupyter (.ipynb, nbformat 4): the texts of their cells, and how a text is written back so that no other
 * byte of the file changes.
 */

#include "laneway/error.h"
#include "laneway/text.h"

#include <stddef.h>

/* A string of a cell's source, and its part of the cell's text. */
struct lw_notebook_string {
    const char *at, *end; /* with its quotes */
    size_t from, length;  /* in the text */
};

/* A cell of text or of code. */
struct lw_notebook_cell {
    bool code;                       /* else Markdown */
    size_t number;                   /* in the notebook, from 1 */
    const char *source, *source_end; /* the JSON of its text: a string, or a list of strings */
    struct lw_text text;
    size_t count;
    struct lw_notebook_string *string; /* `count` of them; none when the source is no list */
};

struct lw_notebook {
    const char *text;
    size_t count;
    struct lw_notebook_cell *cell; /* in the order of the file; other kinds of cells are left out */
};

/* Reads a notebook, whose text it borrows. Fails with LW_ERROR_SYNTAX on text that is not JSON or not a notebook, and
 * on a duplicate member. On failure there is nothing to free. */
bool lw_notebook_read(struct lw_notebook *notebook, const char *text, size_t length,
                      struct lw_error *err);
void lw_notebook_free(struct lw_notebook *notebook);
/* Appends the JSON of a new text of a cell, in the form of the old one: lines that are unchanged keep every byte. */
void lw_notebook_put(struct lw_text *out, const struct lw_notebook_cell *cell, const char *text,
                     size_t length);
/* The line of the file that has a line of a cell's text, both from 1. */
size_t lw_notebook_line(const struct lw_notebook *notebook, const struct lw_notebook_cell *cell,
                        size_t line);

#endif
