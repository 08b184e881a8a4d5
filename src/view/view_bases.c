/* The bases view: a line for each basis and its image. A map that is not linear has digits instead: thread/4 mod 8 is a
 * digit of the thread. Dims of size 1 have a line too. */

#include "view/view_parts.h"

#include <string.h>

static uint64_t lines_of(const struct lw_dim *dim)
{
    int bits = lw_log2(dim->size);
    return bits > 0 ? (uint64_t)bits : 1;
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    const struct lw_map *map = &view->subject->map;
    const struct lw_layout *layout = lw_map_layout(map);
    if (map->kind == LW_MAP_TABLE)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "there are no bases: the layout is a table of threads and elements");
    if (map->kind == LW_MAP_STRIDED) {
        struct lw_layout unused;
        return lw_map_to_layout(map, &unused, err);
    }
    if (map->kind == LW_MAP_MIXED)
        view->rows = (uint64_t)map->as.mixed.count;
    for (int d = 0; layout && d < layout->in.count; d++)
        view->rows += lines_of(&layout->in.dim[d]);
    if (view->rows == 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "there are no bases: one hardware index holds the only element");
    view->cols = 2;
    view->page_rows = view->rows;
    return true;
}

/* The dim and bit of a line of a linear map; bit -1: the dim has size 1. */
static int dim_of_line(const struct lw_dims *dims, uint64_t row, int *bit)
{
    int d = 0;
    while (d + 1 < dims->count && row >= lines_of(&dims->dim[d]))
        row -= lines_of(&dims->dim[d++]);
    *bit = dims->dim[d].size > 1 ? (int)row : -1;
    return d;
}

/* The index that has that bit alone; with padding it is larger. */
static uint64_t index_of_bit(const struct lw_map *map, int dim, int bit)
{
    uint64_t index = (uint64_t)1 << bit;
    return map->kind == LW_MAP_PADDED && dim == map->as.padded.dim ? lw_map_pad(map, index) : index;
}

static void put_binary_image(struct lw_text *text, const struct lw_dims *out, const uint64_t *image)
{
    lw_text_char(text, '(');
    for (int i = 0; i < out->count; i++) {
        lw_text_add(text, i ? ", " : "");
        lw_put_binary(text, image[i], out->dim[i].size);
    }
    lw_text_char(text, ')');
}

static void linear_cell(const struct lw_view *view, uint64_t row, uint64_t col,
                        struct lw_text *text, struct lw_cell *cell)
{
    uint64_t image[LW_DIMS_MAX];
    const struct lw_map *map = &view->subject->map;
    const struct lw_layout *layout = lw_map_layout(map);
    int bit, dim = dim_of_line(&layout->in, row, &bit);
    *cell = (struct lw_cell){.ink = LW_INK_DIM, .shade = (uint64_t)dim};
    if (bit < 0) {
        cell->ink = LW_INK_FAINT;
        lw_text_add(text, col ? "" : "size 1");
        return;
    }
    lw_layout_basis(layout, dim, bit, image);
    if (col == 0 && lw_put_spot(view, row, col, text))
        return;
    if (col == 0)
        lw_put_element(text, map->out.count, image);
    else
        put_binary_image(text, &map->out, image);
}

/* "(2 d, 0)": the image of digit d of a mixed map. */
static void mixed_cell(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                       struct lw_cell *cell)
{
    const struct lw_map *map = &view->subject->map;
    const struct lw_mode *mode = &map->as.mixed.mode[row];
    *cell = (struct lw_cell){.ink = LW_INK_DIM, .shade = (uint64_t)mode->in_dim};
    if (col) {
        lw_text_format(text, "d = 0..%llu", (unsigned long long)mode->size - 1);
        return;
    }
    if (lw_put_spot(view, row, col, text))
        return;
    if (mode->out_dim < 0) {
        lw_text_add(text, "replicated");
        return;
    }
    lw_text_char(text, '(');
    for (int i = 0; i < map->out.count; i++) {
        lw_text_add(text, i ? ", " : "");
        if (i != mode->out_dim)
            lw_text_char(text, '0');
        else if (mode->out_stride == 1)
            lw_text_char(text, 'd');
        else
            lw_text_format(text, "%llu d", (unsigned long long)mode->out_stride);
    }
    lw_text_char(text, ')');
}

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    if (view->subject->map.kind == LW_MAP_MIXED)
        mixed_cell(view, row, col, text, cell);
    else
        linear_cell(view, row, col, text, cell);
}

static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    const struct lw_map *map = &view->subject->map;
    if (map->kind == LW_MAP_MIXED) {
        const struct lw_mode *mode = &map->as.mixed.mode[row];
        const struct lw_dim *dim = &map->in.dim[mode->in_dim];
        lw_text_add(text, dim->name);
        if (mode->in_stride > 1)
            lw_text_format(text, "/%llu", (unsigned long long)mode->in_stride);
        if (mode->in_stride * mode->size < dim->size)
            lw_text_format(text, " mod %llu", (unsigned long long)mode->size);
        return;
    }
    int bit, dim = dim_of_line(&lw_map_layout(map)->in, row, &bit);
    lw_text_add(text, map->in.dim[dim].name);
    if (bit >= 0)
        lw_text_format(text, "=%llu", (unsigned long long)index_of_bit(map, dim, bit));
}

static void col_label(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    bool mixed = view->subject->map.kind == LW_MAP_MIXED;
    lw_text_add(text, col == 0 ? "goes to" : mixed ? "digit" : "in binary");
}

static size_t width(const struct lw_view *view)
{
    const struct lw_map *map = &view->subject->map;
    size_t width = 10; /* "replicated" */
    for (int i = 0; i < map->out.count; i++)
        width += map->kind == LW_MAP_MIXED ? 4 + lw_digits(map->out.dim[i].size)
                                           : (size_t)lw_log2(map->out.dim[i].size) + 4;
    return lw_spot_width(view, width);
}

/* "(8,16)", "(0b01000, 0b10000)"; of a mixed map "(2 d, 0)" or "replicated", and "d = 0..15". */
static size_t own_width(const struct lw_view *view, uint64_t col)
{
    const struct lw_map *map = &view->subject->map;
    size_t all = 2, digit = 0;
    if (map->kind == LW_MAP_MIXED && col == 0)
        return width(view);
    for (int i = 0; map->kind == LW_MAP_MIXED && i < map->in.count; i++) {
        size_t digits = lw_digits(map->in.dim[i].size);
        digit = digits > digit ? digits : digit;
    }
    if (map->kind == LW_MAP_MIXED)
        return strlen("d = 0..") + digit;
    for (int i = 0; i < map->out.count; i++) {
        size_t bits = (size_t)lw_log2(map->out.dim[i].size);
        all += col ? strlen("0b, ") + (bits ? bits : 1)
                   : strlen(",") + lw_digits(map->out.dim[i].size);
    }
    return all > strlen("size 1") ? all : strlen("size 1");
}

static size_t col_width(const struct lw_view *view, uint64_t col)
{
    return lw_spot_width(view, own_width(view, col));
}

/* The spot of a line is the hardware index with that bit alone, or with a digit of 1. */
static bool spot_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_spot *spot)
{
    const struct lw_map *map = &view->subject->map;
    uint64_t in[LW_DIMS_MAX] = {0};
    (void)col;
    if (map->kind == LW_MAP_MIXED) {
        const struct lw_mode *mode = &map->as.mixed.mode[row];
        in[mode->in_dim] = mode->size > 1 ? mode->in_stride : 0;
    } else {
        int bit, dim = dim_of_line(&lw_map_layout(map)->in, row, &bit);
        in[dim] = bit >= 0 ? index_of_bit(map, dim, bit) : 0;
    }
    return lw_spot_of_index(view, in, spot);
}

const struct lw_view_type lw_view_bases = {
    .name = "bases",
    .title = "Bases",
    .key = '7',
    .help = "each basis of the layout and the element that it maps to",
    .prose = true,
    .spots = true,
    .open = open_view,
    .arrange = lw_view_stays,
    .cell = cell_of,
    .row_label = row_label,
    .col_label = col_label,
    .width = width,
    .col_width = col_width,
    .spot = spot_of,
};
