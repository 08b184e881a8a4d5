/*
 * The colour of a cell. A view colours by one field of the hardware index or of the element (its lane, its bank, ...);
 * the field's value is the cell's shade. palette.c has the colour of each shade.
 */

#include "view/view_parts.h"

#include <string.h>

const struct lw_color_key *lw_color_keys(size_t *count)
{
    static const struct lw_color_key keys[] = {
        {"thread", "the thread, of all warps"},
        {"lane", "the lane within its warp"},
        {"warp", "the warp"},
        {"register", "the register of its thread"},
        {"local", "the register of its thread (tilus)"},
        {"block", "the block of its cluster"},
        {"row", "the element's row in the tensor"},
        {"column", "the element's column in the tensor"},
        {"vector", "the consecutive elements of one access"},
        {"offset", "the offset in shared memory"},
        {"bank", "the bank of shared memory"},
        {"phase", "the pattern that a swizzle applies"},
    };
    *count = sizeof keys / sizeof *keys;
    return keys;
}

/* The view's own field; else lanes for registers, threads for tilus, banks for memory. */
static const char *default_color(const struct lw_view *view)
{
    const char *const names[] = {view->type->color,
                                 lw_dims_find(&view->subject->map.in, "lane") >= 0 ? "lane" : NULL,
                                 "bank",
                                 "offset",
                                 "thread",
                                 "lane",
                                 "hardware"};
    struct lw_cell_field field;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && lw_cell_field_find(view->subject, names[i], strlen(names[i]), &field) &&
            field.kind != LW_FIELD_CONSTANT)
            return names[i];
    return NULL;
}

/* The colour keys that the subject has. */
static void color_names(struct lw_text *text, const struct lw_subject *subject)
{
    size_t count;
    const struct lw_color_key *keys = lw_color_keys(&count);
    struct lw_cell_field field;
    for (size_t i = 0; i < count; i++)
        if (lw_cell_field_find(subject, keys[i].name, strlen(keys[i].name), &field))
            lw_text_format(text, "%s%s", text->length ? ", " : "", keys[i].name);
}

bool lw_cell_color_choose(struct lw_view *view, struct lw_error *err)
{
    const char *key = view->options.color_by ? view->options.color_by : default_color(view);
    struct lw_cell_field *field = &view->state->color;
    *field = (struct lw_cell_field){LW_FIELD_NONE, -1, -1, 1};
    view->color = key;
    if (!key)
        return true;
    if (lw_cell_field_find(view->subject, key, strlen(key), field))
        return true;
    struct lw_text names = {0};
    color_names(&names, view->subject);
    lw_error_set(err, LW_ERROR_NAME, "no field '%.40s' to colour by here: there are %s", key,
                 lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

void lw_cell_color(const struct lw_view *view, const uint64_t *in, const uint64_t *out,
                   struct lw_cell *cell)
{
    struct lw_cell_field field = view->state->color;
    cell->ink = field.kind == LW_FIELD_NONE ? LW_INK_PLAIN : LW_INK_INDEX;
    if (!in && lw_cell_field_of_index(field)) {
        cell->ink = LW_INK_HOLE;
        return;
    }
    cell->shade = lw_cell_field_value(view->subject, field, in, out);
}
