/* `:open SOURCE`: opens a layout, a kernel or a folder as a new entry of the list. */

#include "kernel/kernel_folder.h"
#include "tui/explore/explorer.h"
#include "tui/prompt/prompt.h"
#include "view/view_parts.h"

#include <string.h>

/* Puts the label of a source: of several lines the beginning, after definitions the type. */
static void put_label(struct lw_text *label, const char *source)
{
    enum { LABEL = 40 };
    if (!strchr(source, '\n'))
        return;
    const char *type = strstr(source, "\ntensor<"), *memory = strstr(source, "\n!");
    if (*source == '#' && (type || memory))
        source = (type ? type : memory) + 1;
    size_t i = 0;
    for (; source[i] && label->length < LABEL; i++) {
        bool blank = source[i] == '\n' || source[i] == ' ' || source[i] == '\t';
        if (!blank || (label->length && label->data[label->length - 1] != ' '))
            lw_text_char(label, blank ? ' ' : source[i]);
    }
    if (source[i])
        lw_text_add(label, "…");
}

/* Mentions that the swizzle of the opened layout changes nothing. */
static void mention_idle(struct lw_explorer *ex)
{
    const struct lw_cute *cute = ex->layouts.has_opened ? ex->layouts.opened.subject.cute : NULL;
    struct lw_text why = {0};
    if (cute && !ex->status.is_error && lw_cute_put_idle(cute, &why))
        lw_explorer_set_message(ex, false, "the swizzle changes no offset of this layout: %s",
                                lw_text_string(&why));
    lw_text_free(&why);
}

/* Mentions the shape and the element that were assumed, as an attribute was given without a type. */
static void mention_assumed(struct lw_explorer *ex)
{
    const struct lw_document *doc = lw_explorer_entry(ex)->doc;
    const struct lw_tensor *tensor = &ex->layouts.opened.subject.tensor;
    struct lw_text shape = {0};
    lw_refresh(ex, 0);
    mention_idle(ex);
    if (!ex->layouts.has_opened || ex->status.is_error || lw_explorer_entry(ex)->lesson ||
        doc->tensor.rank >= 0 || lw_encoding_has_shape(doc->encoding))
        return;
    for (int i = 0; i < tensor->rank; i++)
        lw_text_format(&shape, "%s%lld", i ? " x " : "", (long long)tensor->shape[i]);
    if (doc->tensor.element.name[0])
        lw_explorer_set_message(ex, false, "assumed: the shape %s; set it in the form",
                                lw_text_string(&shape));
    else
        lw_explorer_set_message(
            ex, false, "assumed: the shape %s and elements of %d bits; set them in the form",
            lw_text_string(&shape), tensor->element.bits);
    lw_text_free(&shape);
}

void lw_open(struct lw_explorer *ex, const char *source)
{
    struct lw_error err;
    struct lw_text label = {0}, named = {0};
    if (lw_it_is_missing(ex, source)) {
        return;
    } else if (lw_let_source(ex, source, &named)) {
        lw_explorer_open(ex, lw_text_string(&named), source);
    } else if (strpbrk(source, "(*") && !strpbrk(source, "<{\"") && lw_names_bound(ex, source)) {
        lw_calculate(ex, source);
    } else if (!*source)
        lw_explorer_set_message(ex, true,
                                "open SOURCE: a name in the gallery, an expression or a file");
    else if (!lw_is_kernel_or_folder(source)) {
        put_label(&label, source);
        if (lw_explorer_open(ex, source, label.length ? lw_text_string(&label) : NULL))
            mention_assumed(ex);
    } else {
        lw_trail_push(ex);
        if (!lw_browse_open(ex, source, &err) && !lw_entries_open_folder(ex, source, &err)) {
            lw_trail_drop(ex);
            lw_explorer_set_message(ex, true, "%s", err.message);
        }
    }
    lw_text_free(&label);
    lw_text_free(&named);
}
