/* Views by name, and opening one; the list of them is in views.h. */

#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

#define ADDRESS(NAME) &lw_view_##NAME,
static const struct lw_view_type *const types[] = {LW_VIEW_TYPES(ADDRESS)};
#undef ADDRESS

#define TYPE_COUNT (sizeof types / sizeof *types)

const struct lw_view_type *const *lw_view_types(size_t *count)
{
    *count = TYPE_COUNT;
    return types;
}

const struct lw_view_type *lw_view_type_find(const char *name)
{
    for (size_t i = 0; i < TYPE_COUNT; i++)
        if (!strcmp(types[i]->name, name) ||
            (types[i]->old_name && !strcmp(types[i]->old_name, name)))
            return types[i];
    return NULL;
}

const char *lw_view_dropped(const char *name)
{
    static const struct {
        const char *name, *instead;
    } dropped[] = {
        {"plan", "banks"},
        {"sources", "conversion, or 'laneway convert', which prints each bit"},
        {"exchange", "conversion, or 'laneway convert', which prints the swizzle"},
    };
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (!strcmp(name, dropped[i].name))
            return dropped[i].instead;
    return NULL;
}

const struct lw_view_type *lw_view_default(const struct lw_subject *subject)
{
    (void)subject;
    return &lw_view_owners;
}

/* ---- Opening ---- */

bool lw_view_open(struct lw_view *view, const struct lw_view_type *type,
                  const struct lw_subject *subject, const struct lw_view_options *options,
                  struct lw_error *err)
{
    memset(view, 0, sizeof *view);
    if (options && options->cell && !lw_format_check(options->cell, subject, err))
        return false;
    size_t size = type->state_size ? type->state_size : sizeof *view->state;
    *view = (struct lw_view){.type = type, .subject = subject, .state = calloc(1, size)};
    if (!view->state)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (options)
        view->options = *options;
    if (!lw_cell_color_choose(view, err) || !type->open(view, err)) {
        lw_view_close(view);
        return false;
    }
    if (type->arrange)
        type->arrange(view);
    return true;
}

static bool same_access(const struct lw_view_options *a, const struct lw_view_options *b)
{
    return a->access == b->access && a->instruction == b->instruction &&
           a->wavefront == b->wavefront;
}

bool lw_view_rearrange(struct lw_view *view, const struct lw_view_options *options)
{
    if (!view->type->arrange || !same_access(&view->options, options) ||
        (options->cell && !lw_format_check(options->cell, view->subject, NULL)))
        return false;
    const struct lw_view_options before = view->options;
    view->options = *options;
    if (!lw_cell_color_choose(view, NULL)) {
        view->options = before;
        lw_cell_color_choose(view, NULL);
        return false;
    }
    view->type->arrange(view);
    return true;
}

void lw_view_close(struct lw_view *view)
{
    if (view->state && view->type->close)
        view->type->close(view);
    free(view->state);
    memset(view, 0, sizeof *view);
}

/* For a layout that only JSON can write, the title of its document. */
static const char *head_of(const struct lw_subject *subject)
{
    if (!subject->head)
        return "";
    return *subject->head == '{' && *subject->title ? subject->title : subject->head;
}

void lw_view_head(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_subject *before = NULL;
    size_t from = text->length;
    for (int i = 0; view->type->access && i < LW_SIDES; i++) {
        const struct lw_subject *subject = lw_subject_at(view->subject, (enum lw_side)i);
        if (!subject || subject == before || !*head_of(subject))
            continue;
        lw_text_format(text, "%s%s: %s", text->length > from ? "\n" : "",
                       lw_side_name((enum lw_side)i), head_of(subject));
        before = before ? before : subject;
    }
    if (text->length == from)
        lw_text_add(text, head_of(view->subject));
}

void lw_view_figure_head(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_subject *subject = view->subject;
    const struct lw_dims *out = &subject->map.out;
    if (view->type->access || !subject->cute || *head_of(subject) != '{') {
        lw_view_head(view, text);
        return;
    }
    lw_cute_print(text, subject->cute);
    for (int i = 0; i < out->count; i++)
        lw_text_format(text, "%s%llu", i ? "x" : ", ", (unsigned long long)out->dim[i].size);
    if (*subject->tensor.element.name)
        lw_text_format(text, "x%s", subject->tensor.element.name);
}

bool lw_view_fits(const struct lw_view_type *type, const struct lw_subject *subject)
{
    struct lw_view view;
    if (type->fits_all || type->fits)
        return type->fits_all || type->fits(subject);
    bool fits = lw_view_open(&view, type, subject, NULL, NULL);
    lw_view_close(&view);
    return fits;
}
