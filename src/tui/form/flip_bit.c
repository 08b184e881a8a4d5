/* A bit of the matrix, flipped in the document: of a layout that is given by its bases. */

#include "tui/explore/explorer.h"
#include "tui/form/form.h"

#include <stdlib.h>
#include <string.h>

/* "lane.3": the name and the number of the bit. */
struct bit {
    char name[32];
    size_t number;
};

static struct bit bit_of(const struct lw_view *view, uint64_t i,
                         void (*label)(const struct lw_view *view, uint64_t i,
                                       struct lw_text *text))
{
    struct lw_text text = {0};
    struct bit bit = {{0}, 0};
    label(view, i, &text);
    const char *string = lw_text_string(&text), *dot = strrchr(string, '.');
    if (dot) {
        snprintf(bit.name, sizeof bit.name, "%.*s", (int)(dot - string), string);
        bit.number = strtoul(dot + 1, NULL, 10);
    }
    lw_text_free(&text);
    return bit;
}

/* The bases of a dim with one bit flipped, as text; false: the layout does not have them as a parameter. */
static bool put_flipped(struct lw_text *text, const struct lw_encoding *encoding,
                        const struct bit *from, const struct bit *to)
{
    int index = lw_encoding_param(encoding, from->name);
    const struct lw_value *value = index < 0 ? NULL : &encoding->params[index];
    size_t dim = strtoul(to->name + strcspn(to->name, "0123456789"), NULL, 10);
    if (!value || value->kind != LW_VALUE_LIST || from->number >= value->count ||
        strncmp(to->name, "dim", 3) != 0 || to->number > 61 ||
        value->items[from->number].kind != LW_VALUE_LIST || dim >= value->items[from->number].count)
        return false;
    lw_text_char(text, '[');
    for (size_t b = 0; b < value->count; b++) {
        const struct lw_value *basis = &value->items[b];
        lw_text_add(text, b ? ", [" : "[");
        for (size_t d = 0; d < basis->count; d++) {
            int64_t flip = b == from->number && d == dim ? (int64_t)1 << to->number : 0;
            lw_text_format(text, "%s%lld", d ? ", " : "",
                           (long long)(basis->items[d].integer ^ flip));
        }
        lw_text_char(text, ']');
    }
    lw_text_char(text, ']');
    return !text->failed;
}

bool lw_form_flip_bit(struct lw_explorer *ex)
{
    const struct lw_view_pane *pane = ex->panes.active;
    const struct lw_document *doc = &lw_explorer_entry(ex)->doc;
    struct lw_text value = {0};
    struct lw_document one;
    if (!pane->has_view || strcmp(pane->view.type->name, "matrix") != 0)
        return false;
    if (pane->shown.other || !lw_document_has(doc, pane->shown.side)) {
        lw_explorer_set_message(ex, true, "this layout is compared with, and is not edited");
        return true;
    }
    lw_document_side(&one, doc, pane->shown.side);
    const struct bit from = bit_of(&pane->view, pane->col, pane->view.type->col_label);
    const struct bit to = bit_of(&pane->view, pane->row, pane->view.type->row_label);
    if (put_flipped(&value, one.encoding, &from, &to)) {
        char path[LW_PATH_MAX];
        bool own = pane->shown.side == doc->side;
        snprintf(path, sizeof path, "%s%s%s", own ? "" : lw_side_key(pane->shown.side),
                 own ? "" : ".", from.name);
        if (lw_form_set(ex, path, lw_text_string(&value))) {
            const struct lw_error *problem = lw_form_problem(ex, path);
            lw_explorer_set_message(ex, problem->code != LW_OK,
                                    "%s.%zu, %s.%zu flipped%s%s; u undoes it", to.name, to.number,
                                    from.name, from.number, problem->code != LW_OK ? ": " : "",
                                    problem->code != LW_OK ? problem->message : "");
        }
    } else {
        lw_explorer_set_message(ex, true,
                                "Space flips a bit of linear or shared_linear, which are given by "
                                "their bases; %s.%zu of %s is not one of them",
                                from.name, from.number, one.encoding->type->name);
    }
    lw_text_free(&value);
    return true;
}
