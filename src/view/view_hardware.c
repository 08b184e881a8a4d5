/* The hardware view: hardware indices in rows and columns, and in each cell the element at that index. One input dim is
 * across (the lanes, the threads), all others are down, the first of them fastest. In shared memory the offsets
 * themselves are wrapped into rows. */

#include "core/divide.h"
#include "view/view_parts.h"

#include <string.h>

struct hardware {
    struct lw_view_state shared;
    int dim;      /* of the columns */
    bool wrapped; /* that dim is down too */
};

static struct hardware *hardware_of(const struct lw_view *view)
{
    return (struct hardware *)view->state;
}

static int column_dim(const struct lw_dims *in)
{
    static const char *const names[] = {"lane", "thread", "offset", "col"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lw_dims_find(in, names[i]) >= 0)
            return lw_dims_find(in, names[i]);
    return 0;
}

/* The length of a row of memory: that of a row of the tensor with its padding. */
static uint64_t row_length(const struct lw_map *map, uint64_t size)
{
    int minor = lw_minor_dim(map);
    uint64_t length = minor >= 0 ? map->out.dim[minor].size : 1;
    if (length == 1)
        length = 32;
    if (map->kind == LW_MAP_PADDED && lw_log2(length) >= 0 &&
        map->as.padded.weight[lw_log2(length)])
        length = map->as.padded.weight[lw_log2(length)];
    return length < size ? length : size;
}

/* How many rows the column dim is wrapped into. */
static uint64_t wraps(const struct lw_view *view)
{
    uint64_t size = view->subject->map.in.dim[hardware_of(view)->dim].size;
    return lw_quotient(size + view->cols - 1, view->cols);
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    const struct lw_map *map = &view->subject->map;
    uint64_t total;
    if (map->in.count == 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "this layout has no hardware dims");
    if (!lw_dims_total(&map->in, &total, err) || !lw_map_check_unique(map, err))
        return false;
    int dim = column_dim(&map->in);
    uint64_t size = map->in.dim[dim].size;
    hardware_of(view)->dim = dim;
    hardware_of(view)->wrapped = !strcmp(map->in.dim[dim].name, "offset");
    view->cols = hardware_of(view)->wrapped ? row_length(map, size) : size;
    view->rows = total / size * wraps(view);
    view->page_rows = view->rows;
    return true;
}

/* The hardware index of a cell; false when the last wrapped row ends before it. */
static bool index_of(const struct lw_view *view, uint64_t row, uint64_t col, uint64_t *in)
{
    const struct lw_dims *dims = &view->subject->map.in;
    int dim = hardware_of(view)->dim;
    uint64_t rows = wraps(view);
    in[dim] = lw_remainder(row, rows) * view->cols + col;
    row = lw_quotient(row, rows);
    for (int i = 0; i < dims->count; i++)
        if (i != dim) {
            in[i] = lw_remainder(row, dims->dim[i].size);
            row = lw_quotient(row, dims->dim[i].size);
        }
    return in[dim] < dims->dim[dim].size;
}

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    uint64_t in[LW_DIMS_MAX];
    bool there = index_of(view, row, col, in);
    lw_cell_element(view, there ? in : NULL, text, cell);
}

static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    const struct lw_dims *dims = &view->subject->map.in;
    uint64_t in[LW_DIMS_MAX];
    index_of(view, row, 0, in);
    if (!hardware_of(view)->wrapped) {
        lw_put_hardware_index_short(text, dims, in, hardware_of(view)->dim);
        return;
    }
    if (lw_dims_size(dims, "block") > 1)
        lw_text_format(text, "b%llu ", (unsigned long long)in[lw_dims_find(dims, "block")]);
    if (lw_dims_size(dims, "partition") > 1)
        lw_text_format(text, "part%llu ", (unsigned long long)in[lw_dims_find(dims, "partition")]);
    lw_text_number(text, in[hardware_of(view)->dim]);
}

static void col_label(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    lw_text_add(text, hardware_of(view)->wrapped ? "+" : "");
    lw_text_number(text, col);
}

static void legend(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_dims *dims = &view->subject->map.in;
    const char *name = dims->dim[hardware_of(view)->dim].name;
    if (hardware_of(view)->wrapped)
        lw_text_format(text, "%ss, %llu in a row", name, (unsigned long long)view->cols);
    else
        lw_text_format(text, "%ss across%s", name,
                       lw_dims_find(dims, "warp") >= 0 && lw_dims_find(dims, "register") >= 0
                           ? ", warps and registers down"
                           : "");
}

static bool spot_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_spot *spot)
{
    uint64_t in[LW_DIMS_MAX];
    return index_of(view, row, col, in) && lw_spot_of_index(view, in, spot);
}

static bool find(const struct lw_view *view, const struct lw_spot *spot, uint64_t *row,
                 uint64_t *col)
{
    const struct lw_dims *dims = &view->subject->map.in;
    int dim = hardware_of(view)->dim;
    uint64_t in[LW_DIMS_MAX];
    if (!lw_spot_index(view, spot, in))
        return false;
    *row = 0;
    for (int i = dims->count - 1; i >= 0; i--)
        if (i != dim)
            *row = *row * dims->dim[i].size + in[i];
    *row = *row * wraps(view) + in[dim] / view->cols;
    *col = in[dim] % view->cols;
    return true;
}

const struct lw_view_type lw_view_hardware = {
    .name = "hardware",
    .title = "Hardware",
    .help = "registers of each lane, or offsets, and the element of each",
    .picture = true,
    .state_size = sizeof(struct hardware),
    .open = open_view,
    .formatted = true,
    .indices = true,
    .cell = cell_of,
    .row_label = row_label,
    .col_label = col_label,
    .width = lw_cell_element_width,
    .spot = spot_of,
    .find = find,
    .legend = legend,
};
