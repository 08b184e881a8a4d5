/* The owners view: the tensor as it is written down, and in each cell the owners of the element. The last dim runs
 * across, or several of the last ones do; the others run down. */

#include "core/divide.h"
#include "view/view_parts.h"

#include <string.h>

struct owners {
    struct lw_view_state shared;
    int dims[LW_DIMS_MAX]; /* that the grids are made of */
    int count;             /* of them */
    int down;              /* the first ones, which run down; the others run across */
    uint64_t size;         /* elements, of a grid of one dim that is wrapped; else 0 */
};

static struct owners *owners_of(const struct lw_view *view)
{
    return (struct owners *)view->state;
}

/* Dim i of those that the grids are made of. */
static const struct lw_dim *grid_dim(const struct lw_view *view, int i)
{
    return &view->subject->map.out.dim[owners_of(view)->dims[i]];
}

/* The mode of CuTe's shape that a dim of the grid is; NULL: the layout has no such modes. */
static const struct lw_cute_tuple *mode_of(const struct lw_view *view, int dim)
{
    const struct lw_subject *subject = view->subject;
    const struct lw_dims *out = &subject->map.out;
    if (!subject->cute || lw_dims_find(&subject->map.in, "offset") < 0 || out->count != 2 ||
        owners_of(view)->count != 2 || lw_cute_rank(&subject->cute->layout.shape) != 2)
        return NULL;
    const struct lw_cute_tuple *mode = lw_cute_item(&subject->cute->layout.shape, dim);
    bool same = (uint64_t)lw_cute_product(mode) == out->dim[dim].size;
    return same && mode->count > 1 ? mode : NULL;
}

/* The number of elements after which the first inner mode of a dim repeats; 0: the mode of the dim is not nested. */
static uint64_t cute_tile(const struct lw_view *view, int dim)
{
    const struct lw_cute_tuple *mode = mode_of(view, dim);
    uint64_t tile = mode ? (uint64_t)lw_cute_product(lw_cute_item(mode, 0)) : 0;
    return mode && tile < view->subject->map.out.dim[dim].size ? tile : 0;
}

static void move_last(struct owners *owners, int dim)
{
    int kept = 0;
    for (int i = 0; i < owners->count; i++)
        if (owners->dims[i] != dim)
            owners->dims[kept++] = owners->dims[i];
    if (kept < owners->count)
        owners->dims[kept] = dim;
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    const struct lw_dims *out = &view->subject->map.out;
    struct owners *owners = owners_of(view);
    uint64_t total; /* elements */
    if (!lw_dims_total(out, &total, err))
        return false;
    /* tilus leaves out dims of size 1 when there are more than three */
    const bool tilus = view->subject->family == LW_FAMILY_TILUS_REGISTER && out->count > 3;
    for (int i = 0; i < out->count; i++)
        if (!tilus || out->dim[i].size > 1)
            owners->dims[owners->count++] = i;
    /* where elements are hardware indices, as in an inverse: registers down, lanes across, a grid for each warp */
    const int registers = lw_dims_find(out, "register"), lanes = lw_dims_find(out, "lane");
    if (registers >= 0 && lanes >= 0) {
        move_last(owners, registers);
        move_last(owners, lanes);
    }
    int larger = -1, larger_count = 0;
    for (int i = 0; i < owners->count; i++)
        if (grid_dim(view, i)->size > 1) {
            larger = owners->dims[i];
            larger_count++;
        }
    if (view->options.wrap && larger_count == 1) { /* a tensor of 64 x 1 is drawn as one of 64 */
        owners->dims[0] = larger;
        owners->count = 1;
    }
    const uint64_t across = view->options.across > 1 ? view->options.across : 1;
    owners->down = owners->count > 1;
    if ((uint64_t)owners->count > across)
        owners->down = owners->count - (int)across;
    view->cols = 1;
    for (int i = owners->down; i < owners->count; i++)
        view->cols *= grid_dim(view, i)->size;
    view->page_rows = owners->down ? grid_dim(view, owners->down - 1)->size : 1;
    view->rows = total / view->cols;
    uint64_t wrap = view->options.wrap;
    if (wrap && owners->count == 1 && wrap < view->cols) {
        owners->size = view->cols;
        view->rows = view->page_rows = (view->cols - 1) / wrap + 1;
        view->cols = wrap;
    }
    view->tile_rows = cute_tile(view, 0);
    view->tile_cols = cute_tile(view, 1);
    if (owners->count - owners->down > 1) { /* a tile is a grid of the last dims of both */
        view->tile_rows = owners->down > 1 ? view->page_rows : 0;
        view->tile_cols = grid_dim(view, owners->count - 1)->size;
    }
    if (!view->options.cell)
        view->options.cell = lw_format_default(view->subject);
    return true;
}

/* The element of a cell. For column 0 it has the indices of the row. */
static void element_of(const struct lw_view *view, uint64_t row, uint64_t col, uint64_t *out)
{
    const struct owners *owners = owners_of(view);
    for (int i = 0; i < view->subject->map.out.count; i++)
        out[i] = 0;
    if (owners->size) {
        out[owners->dims[0]] = row * view->cols + col;
        return;
    }
    for (int i = owners->count - 1; i >= 0; i--) {
        uint64_t *index = i < owners->down ? &row : &col;
        out[owners->dims[i]] = lw_remainder(*index, grid_dim(view, i)->size);
        *index = lw_quotient(*index, grid_dim(view, i)->size);
    }
}

/* Whether a cell is after the last element in the last row of a wrapped grid. */
static bool is_past(const struct lw_view *view, uint64_t row, uint64_t col)
{
    uint64_t size = owners_of(view)->size;
    return size && row * view->cols + col >= size;
}

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    uint64_t out[LW_DIMS_MAX], in[LW_DIMS_MAX];
    struct lw_owners owners;
    *cell = (struct lw_cell){.ink = LW_INK_PLAIN};
    if (is_past(view, row, col))
        return;
    element_of(view, row, col, out);
    lw_owners_of(&owners, &view->subject->map, out);
    *cell = (struct lw_cell){.ink = LW_INK_HOLE, .owners = owners.count};
    if (owners.count)
        lw_owners_get(&owners, 0, in);
    lw_cell_color(view, owners.count ? in : NULL, out, cell);
    lw_format_owner_list(text, view->options.cell, view->subject, &owners);
}

/* "dim0", of a mode of CuTe that is made of others "dim0 (4,2)", or of several dims "(dim0, dim1)", in the order of the
 * labels */
static void put_dims(const struct lw_view *view, int from, int end, struct lw_text *text)
{
    for (int i = from; i < end; i++) {
        lw_text_add(text, i > from ? ", " : end - from > 1 ? "(" : "");
        lw_text_add(text, grid_dim(view, i)->name);
        const struct lw_cute_tuple *mode = mode_of(view, i);
        lw_text_add(text, mode ? " " : "");
        if (mode)
            lw_cute_tuple_print(text, mode);
    }
    lw_text_add(text, end - from > 1 ? ")" : "");
}

static void legend(const struct lw_view *view, struct lw_text *text)
{
    const struct owners *owners = owners_of(view);
    put_dims(view, 0, owners->down, text);
    lw_text_add(text, owners->down ? " down, " : "");
    put_dims(view, owners->down, owners->count, text);
    lw_text_add(text, owners->count ? " across" : "");
    lw_put_cell_meaning(text, view->options.cell);
    const struct lw_dims *in = &view->subject->map.in;
    for (int i = 0; i < in->count && in->count > 1 && !strcmp(view->options.cell, "{hardware}");
         i++)
        lw_text_format(text, "%s%s", i ? ", " : "; cells: ", in->dim[i].name);
}

/* An index of a dim of the grid, or the coordinate that it is in a mode of CuTe. */
static void put_index(const struct lw_view *view, int i, uint64_t index, struct lw_text *text)
{
    const struct lw_cute_tuple *mode = view->options.nested ? mode_of(view, i) : NULL;
    if (mode)
        lw_put_coordinate(text, mode, index);
    else
        lw_text_number(text, index);
}

static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    uint64_t out[LW_DIMS_MAX];
    element_of(view, row, 0, out);
    if (owners_of(view)->size)
        lw_text_number(text, row * view->cols);
    for (int i = 0; i < owners_of(view)->down; i++) {
        lw_text_add(text, i ? "," : "");
        put_index(view, i, out[owners_of(view)->dims[i]], text);
    }
}

static void col_label(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    const struct owners *owners = owners_of(view);
    uint64_t out[LW_DIMS_MAX];
    lw_text_add(text, owners->size ? "+" : "");
    if (owners->size)
        lw_text_number(text, col);
    else
        element_of(view, 0, col, out);
    for (int i = owners->down; i < owners->count && !owners->size; i++) {
        lw_text_add(text, i > owners->down ? "," : "");
        put_index(view, i, out[owners->dims[i]], text);
    }
}

static size_t width(const struct lw_view *view)
{
    return lw_format_width(view->options.cell, view->subject);
}

static bool spot_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_spot *spot)
{
    spot->has_out = !is_past(view, row, col);
    spot->has_in = false;
    spot->operand = 0;
    if (!spot->has_out)
        return false;
    element_of(view, row, col, spot->out);
    spot->has_in = lw_map_owner(&view->subject->map, spot->out, 0, spot->in);
    return true;
}

static bool find(const struct lw_view *view, const struct lw_spot *spot, uint64_t *row,
                 uint64_t *col)
{
    const struct lw_map *map = &view->subject->map;
    uint64_t out[LW_DIMS_MAX] = {0};
    const struct owners *owners = owners_of(view);
    if (spot->has_out)
        memcpy(out, spot->out, sizeof out);
    else if (!spot->has_in || !lw_map_apply(map, spot->in, out))
        return false;
    for (int i = 0; i < map->out.count; i++)
        if (out[i] >= map->out.dim[i].size)
            return false;
    *row = *col = 0;
    for (int i = 0; i < owners->count; i++) {
        uint64_t *index = i < owners->down ? row : col;
        *index = *index * grid_dim(view, i)->size + out[owners->dims[i]];
    }
    if (owners->size) {
        *row = *col / view->cols;
        *col %= view->cols;
    }
    return true;
}

const struct lw_view_type lw_view_owners = {
    .name = "owners",
    .title = "Owners",
    .help = "the tensor, and the owners of each element",
    .bare = true,
    .picture = true,
    .formatted = true,
    .state_size = sizeof(struct owners),
    .open = open_view,
    .cell = cell_of,
    .row_label = row_label,
    .col_label = col_label,
    .width = width,
    .spot = spot_of,
    .find = find,
    .legend = legend,
};
