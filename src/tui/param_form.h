#ifndef LANEWAY_PARAM_FORM_H
#define LANEWAY_PARAM_FORM_H

/* The form: the parameters of a document as fields. A value is typed in a prompt, and set in a copy of the document,
 * which is shown. So the form and the source line are two ways to write one document. */

#include "tui/list.h"
#include "tui/model.h"

enum { LW_FIELDS_ROOM = 96, LW_FIELD_PATH = 96 };

struct lw_param_field {
    char path[LW_FIELD_PATH]; /* as of lw_document_set; "" a heading */
    const char *name;
    const struct lw_param *param; /* NULL: a shape, an element, or a heading */
    int depth;
    bool is_set; /* else the value is the default */
    char value[160];
};

struct lw_param_form {
    bool is_shown; /* then it has the keys of a list */
    struct lw_param_field fields[LW_FIELDS_ROOM];
    size_t count;
    struct lw_list list;
    struct lw_rect beside; /* what a picture has beside it; all zeros: it is not known whether */
    bool fits;             /* its columns are not cut there */
};

/* Makes the fields of a document again; the cursor stays on its field. */
void lw_param_form_fill(struct lw_param_form *form, const struct lw_document *doc);
/* The field of the cursor; NULL: there is none. */
const struct lw_param_field *lw_param_form_field(const struct lw_param_form *form);
void lw_param_form_draw(struct lw_param_form *form, struct lw_surface *surface,
                        struct lw_rect rect);

#endif
