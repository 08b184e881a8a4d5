/*
 * The hardware view and the memory view: hardware indices in rows and columns, and in each cell the element at that
 * index. One input dim is across, wrapped into rows where these are shorter than it; all others are down, the first of
 * them fastest.
 *
 *     hardware   the lanes or the threads across; in shared memory the offsets, in rows as long as those of the tensor
 *     memory     the offsets across, in rows of one word of every bank: a column is a slot of one element
 */

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

/* How many rows the column dim is wrapped into. */
static uint64_t wraps(const struct lw_view *view)
{
    uint64_t size = view->subject->map.in.dim[hardware_of(view)->dim].size;
    return lw_quotient(size + view->cols - 1, view->cols);
}

/* Sets the grid in which a dim is across in rows of that length. */
static bool open_rows(struct lw_view *view, int dim, uint64_t length, struct lw_error *err)
{
    const struct lw_map *map = &view->subject->map;
    const uint64_t size = map->in.dim[dim].size;
    uint64_t total;
    if (!lw_dims_total(&map->in, &total, err) || !lw_map_check_unique(map, err))
        return false;
    hardware_of(view)->dim = dim;
    hardware_of(view)->wrapped = !strcmp(map->in.dim[dim].name, "offset");
    view->cols = length < size ? length : size;
    view->rows = view->page_rows = total / size * wraps(view);
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

/* The element at an index, or a hole. */
static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    const struct lw_map *map = &view->subject->map;
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    *cell = (struct lw_cell){.ink = LW_INK_HOLE};
    if (!index_of(view, row, col, in) || !lw_map_apply(map, in, out)) {
        lw_text_add(text, LW_HOLE);
        return;
    }
    lw_cell_color(view, in, out, cell);
    if (view->options.cell)
        lw_format_index(text, view->options.cell, view->subject, in, out);
    else
        lw_put_element(text, map->out.count, out);
}

static size_t width(const struct lw_view *view)
{
    return view->options.cell ? lw_format_index_width(view->options.cell, view->subject)
                              : lw_element_width(&view->subject->map.out);
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
    const struct lw_map *map = &view->subject->map;
    uint64_t in[LW_DIMS_MAX]; /* the first owner of the element where the spot has no index */
    if (!spot->has_in && (!spot->has_out || !lw_map_owner(map, spot->out, 0, in)))
        return false;
    if (spot->has_in)
        memcpy(in, spot->in, sizeof in);
    if (!lw_is_hardware_index(map, in))
        return false;
    *row = 0;
    for (int i = dims->count - 1; i >= 0; i--)
        if (i != dim)
            *row = *row * dims->dim[i].size + in[i];
    *row = *row * wraps(view) + in[dim] / view->cols;
    *col = in[dim] % view->cols;
    return true;
}

/* "b1 part2 ": the blocks and partitions, where there are several, each of which has memory of its own. */
static void put_memories(const struct lw_view *view, const uint64_t *in, struct lw_text *text)
{
    static const char *const names[][2] = {{"block", "b"}, {"partition", "part"}};
    const struct lw_dims *dims = &view->subject->map.in;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lw_dims_size(dims, names[i][0]) > 1)
            lw_text_format(text, "%s%llu ", names[i][1],
                           (unsigned long long)in[lw_dims_find(dims, names[i][0])]);
}

/* ---- The hardware view ---- */

static bool open_hardware(struct lw_view *view, struct lw_error *err)
{
    static const char *const names[] = {"col", "offset", "thread", "lane"};
    const struct lw_map *map = &view->subject->map;
    int dim = 0, minor = lw_minor_dim(map);
    if (map->in.count == 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "this layout has no hardware dims");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lw_dims_find(&map->in, names[i]) >= 0)
            dim = lw_dims_find(&map->in, names[i]);
    if (strcmp(map->in.dim[dim].name, "offset") != 0)
        return open_rows(view, dim, UINT64_MAX, err);
    uint64_t length = minor >= 0 ? map->out.dim[minor].size : 1; /* of a row, with its padding */
    length = length == 1 ? 32 : length;
    if (map->kind == LW_MAP_PADDED && lw_log2(length) >= 0 &&
        map->as.padded.weight[lw_log2(length)])
        length = map->as.padded.weight[lw_log2(length)];
    return open_rows(view, dim, length, err);
}

static void hardware_row(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    const struct lw_dims *dims = &view->subject->map.in;
    uint64_t in[LW_DIMS_MAX];
    index_of(view, row, 0, in);
    if (!hardware_of(view)->wrapped) {
        lw_put_hardware_index_short(text, dims, in, hardware_of(view)->dim);
        return;
    }
    put_memories(view, in, text);
    lw_text_number(text, in[hardware_of(view)->dim]);
}

static void hardware_col(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    lw_text_add(text, hardware_of(view)->wrapped ? "+" : "");
    lw_text_number(text, col);
}

static void hardware_legend(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_dims *dims = &view->subject->map.in;
    const char *name = lw_dim_title(&dims->dim[hardware_of(view)->dim]);
    if (hardware_of(view)->wrapped)
        lw_text_format(text, "%ss, %llu in a row", name, (unsigned long long)view->cols);
    else
        lw_text_format(text, "%ss across%s", name,
                       lw_dims_find(dims, "warp") >= 0 && lw_dims_find(dims, "register") >= 0
                           ? ", warps and registers down"
                           : "");
}

const struct lw_view_type lw_view_hardware = {
    .name = "hardware",
    .title = "Hardware",
    .help = "registers of each lane, or offsets, and the element of each",
    .picture = true,
    .state_size = sizeof(struct hardware),
    .open = open_hardware,
    .formatted = true,
    .indices = true,
    .cell = cell_of,
    .row_label = hardware_row,
    .col_label = hardware_col,
    .width = width,
    .spot = spot_of,
    .find = find,
    .legend = hardware_legend,
};

/* ---- The memory view ---- */

static uint64_t bits_of(const struct lw_view *view)
{
    return (uint64_t)view->subject->tensor.element.bits;
}

static bool open_memory(struct lw_view *view, struct lw_error *err)
{
    const struct lw_dims *in = &view->subject->map.in;
    int offset = lw_dims_find(in, "offset"), bits = view->subject->tensor.element.bits;
    unsigned row_bytes = lw_bank_model_row_bytes(lw_subject_banks(view->subject));
    if (offset < 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "this layout is not in shared memory and has no offsets: use a layout "
                            "in shared memory, or view hardware");
    if (bits <= 0 || bits > 128 || 8 * row_bytes % (unsigned)bits != 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "elements of %d bits do not fill rows of %u bytes evenly: 1, 2, 4, "
                            "..., 128 bits do",
                            bits, row_bytes);
    if (!open_rows(view, offset, 8 * row_bytes / (uint64_t)bits, err))
        return false;
    view->page_rows = wraps(view); /* each memory is a grid */
    return true;
}

/* Writes the patterns of the swizzle in a row, which begins at offset `from`: "p1", or "p0-3" when a row has several;
 * nothing without a swizzle. */
static void put_phases(const struct lw_view *view, uint64_t from, struct lw_text *text)
{
    const struct lw_map *map = &view->subject->map;
    const uint64_t size = map->in.dim[hardware_of(view)->dim].size;
    uint64_t all, least, max;
    lw_swizzle_flips(map, from, &all);
    if (!all)
        return;
    least = max = lw_swizzle_phase(map, from);
    for (uint64_t i = from; i < from + view->cols && i < size; i++) {
        uint64_t phase = lw_swizzle_phase(map, i);
        least = phase < least ? phase : least;
        max = phase > max ? phase : max;
    }
    lw_text_add(text, " p");
    lw_text_number(text, least);
    if (max > least) {
        lw_text_char(text, '-');
        lw_text_number(text, max);
    }
}

/* The byte address, and the phase. */
static void memory_row(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    uint64_t in[LW_DIMS_MAX];
    index_of(view, row, 0, in);
    put_memories(view, in, text);
    lw_text_number(text, in[hardware_of(view)->dim] * bits_of(view) / 8);
    put_phases(view, in[hardware_of(view)->dim], text);
}

/* The bank, and which element of it when a bank holds several: "3" or "3.1". */
static void memory_col(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    uint64_t bits = bits_of(view), bit = col * bits;
    uint64_t word = 8 * lw_subject_banks(view->subject)->bank_bytes;
    lw_text_number(text, bit / word);
    if (bits < word) {
        lw_text_char(text, '.');
        lw_text_number(text, bit % word / bits);
    }
}

static void memory_legend(const struct lw_view *view, struct lw_text *text)
{
    uint64_t flips = 0;
    lw_swizzle_flips(&view->subject->map, 0, &flips);
    bool parts = bits_of(view) < 8 * (uint64_t)lw_subject_banks(view->subject)->bank_bytes;
    lw_text_format(text, "banks across%s, bytes down%s",
                   parts ? ", 2.1 is the second element of bank 2" : "",
                   flips ? ", p3 is phase 3" : "");
    if (!lw_subject_element_is_set(view->subject))
        lw_text_format(text, "; elements of %llu bits assumed", (unsigned long long)bits_of(view));
}

const struct lw_view_type lw_view_memory = {
    .name = "memory",
    .title = "Memory",
    .color = "column",
    .help = "shared memory, a row across all banks; p3 is phase 3",
    .picture = true,
    .state_size = sizeof(struct hardware),
    .open = open_memory,
    .formatted = true,
    .indices = true,
    .cell = cell_of,
    .row_label = memory_row,
    .col_label = memory_col,
    .width = width,
    .spot = spot_of,
    .find = find,
    .legend = memory_legend,
};
