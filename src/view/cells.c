/* What several views share: cells that show an element, the spots of cells and their colours. */

#include "view/view_parts.h"

#include <string.h>

void lw_put_cell_meaning(struct lw_text *text, const char *format)
{
    static const char *const formats[][2] = {
        {"T{thread}:{register}", "T2:1 is thread 2, register 1"},
        {"{thread}: {local}", "cells: thread: local"}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(format, formats[i][0]))
            lw_text_format(text, "%s%s", text->length ? "; " : "", formats[i][1]);
}

/* ---- Spots ---- */

bool lw_put_spot(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text)
{
    struct lw_spot spot;
    if (!view->options.cell || !view->type->spot(view, row, col, &spot) || !spot.has_in ||
        !spot.has_out)
        return false;
    lw_format_index(text, view->options.cell, view->subject, spot.in, spot.out);
    return true;
}

size_t lw_spot_width(const struct lw_view *view, size_t width)
{
    if (!view->options.cell)
        return width;
    size_t own = lw_format_index_width(view->options.cell, view->subject);
    return own > width ? own : width;
}

bool lw_spot_of_index(const struct lw_view *view, const uint64_t *in, struct lw_spot *spot)
{
    const struct lw_map *map = &view->subject->map;
    spot->operand = 0;
    spot->has_out = lw_map_apply(map, in, spot->out);
    for (int i = 0; i < map->in.count; i++)
        spot->in[i] = in[i];
    spot->has_in = lw_is_hardware_index(map, in);
    return spot->has_in;
}

size_t lw_widest_in_column(const struct lw_view *view, uint64_t col)
{
    struct lw_text text = {0};
    struct lw_cell cell;
    size_t widest = 1;
    for (uint64_t row = 0; row < view->rows; row++) {
        lw_text_clear(&text);
        view->type->cell(view, row, col, &text, &cell);
        size_t width = lw_text_width(lw_text_string(&text));
        widest = width > widest ? width : widest;
    }
    lw_text_free(&text);
    return widest;
}

size_t lw_widest_cell(const struct lw_view *view)
{
    size_t widest = 1;
    for (uint64_t col = 0; col < view->cols; col++) {
        size_t width = lw_widest_in_column(view, col);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* ---- Members of lw_view_type ---- */

void lw_view_put_column(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    lw_text_add(text, view->type->columns[col]);
}

/* ---- Names ---- */

bool lw_field_shorthand(size_t i, const char *names[2])
{
    static const char *const all[][2] = {{"t", "thread"},   {"l", "lane"},      {"w", "warp"},
                                         {"r", "register"}, {"b", "block"},     {"o", "offset"},
                                         {"i", "local"},    {"reg", "register"}};
    if (i >= sizeof all / sizeof *all)
        return false;
    names[0] = all[i][0];
    names[1] = all[i][1];
    return true;
}

const char *lw_field_full_name(const char *name)
{
    const char *names[2];
    for (size_t i = 0; lw_field_shorthand(i, names); i++)
        if (!strcmp(names[0], name))
            return names[1];
    return name;
}

/* ---- Colours ----
 * A view colours by one field of the hardware index or of the element (its lane, its bank, ...); the field's value is
 * the cell's shade. palette.c has the colour of each shade. */

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
    size_t count;
    const struct lw_color_key *keys = lw_color_keys(&count);
    for (size_t i = 0; i < count; i++)
        if (lw_cell_field_find(view->subject, keys[i].name, strlen(keys[i].name), field))
            lw_text_format(&names, "%s%s", names.length ? ", " : "", keys[i].name);
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
