#ifndef VIEW_HELP_H
#define VIEW_HELP_H

/* What the tests of views and exports share: subjects from sources, text from views. */

#include "laneway/document.h"
#include "laneway/export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A subject of a source. A tilus layout's head is tilus's own line; else there is none. Lives until
 * the next call, or subject_end. */
const struct lw_subject *subject_of(const char *source);
/* A subject that knows how it was written. Lives until subject_end. */
const struct lw_subject *subject_written(const char *source);
/* The same of a document, which is freed. */
const struct lw_subject *subject_of_document(struct lw_document *of);
/* A subject of a map made by hand, of elements of `bits`. */
const struct lw_subject *subject_of_map(const struct lw_map *map, enum lw_family family, int bits);
void subject_end(void);

/* Opens a view, which must go well; `options` may be NULL. It is closed with the subject. */
void view_open(struct lw_view *view, const char *name, const struct lw_subject *subject,
               const struct lw_view_options *options);
/* Opening the view must fail with this message. */
void view_fails(const char *name, const struct lw_subject *subject,
                const struct lw_view_options *options, const char *message);
/* Appends the owners of an element in a format that has been checked. */
void put_owners(struct lw_text *text, const char *format, const struct lw_subject *subject,
                const uint64_t *out);
/* The texts of a cell, of labels; valid until the next call. */
const char *cell_text(const struct lw_view *view, uint64_t row, uint64_t col);
const char *row_text(const struct lw_view *view, uint64_t row);
const char *col_text(const struct lw_view *view, uint64_t col);
struct lw_cell cell_class(const struct lw_view *view, uint64_t row, uint64_t col);
/* What a format writes; to be freed. NULL when it fails. */
char *exported(const struct lw_view *view, const char *format,
               const struct lw_export_options *options, struct lw_error *err);

#endif
