/* The memory view: shared memory as rows of one word of every bank, with the element in each
 * cell. A column is a slot of one element. */

#include "view/view_parts.h"

#include "core/array_count.h"
#include "core/divide.h"

#include <string.h>

/* The dims with a separate memory for each index, and the letter of their numbers in a label. */
static const struct page_dim {
    const char *name, *letter;
} page_dims[] = {{"block", "b"}, {"partition", "part"}};

struct memory {
    struct lw_view_state shared;
    uint64_t slots;                 /* of elements in a row */
    int offset;                     /* the dim */
    int pages[LW_COUNT(page_dims)]; /* their dims; -1: the layout has none */
};

static struct memory *memory_of(const struct lw_view *view)
{
    return (struct memory *)view->state;
}

static uint64_t bits_of(const struct lw_view *view)
{
    return (uint64_t)view->subject->tensor.element.bits;
}

static bool open_view(struct lw_view *view, struct lw_error *err)
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
    if (!lw_map_check_unique(&view->subject->map, err))
        return false;
    uint64_t size = in->dim[offset].size, slots = 8 * row_bytes / (uint64_t)bits;
    memory_of(view)->slots = slots;
    memory_of(view)->offset = offset;
    view->cols = slots < size ? slots : size;
    view->page_rows = (size - 1) / slots + 1;
    view->rows = view->page_rows;
    for (size_t i = 0; i < LW_COUNT(page_dims); i++)
        memory_of(view)->pages[i] = lw_dims_find(in, page_dims[i].name);
    for (size_t i = 0; i < LW_COUNT(page_dims); i++)
        view->rows *= lw_dims_size(in, page_dims[i].name);
    return true;
}

static bool index_of(const struct lw_view *view, uint64_t row, uint64_t col, uint64_t *in)
{
    const struct lw_dims *dims = &view->subject->map.in;
    int offset = memory_of(view)->offset;
    uint64_t page = lw_quotient(row, view->page_rows);
    for (int i = 0; i < dims->count; i++)
        in[i] = 0;
    for (size_t i = 0; i < LW_COUNT(page_dims); i++) {
        int dim = memory_of(view)->pages[i];
        if (dim < 0)
            continue;
        in[dim] = lw_remainder(page, dims->dim[dim].size);
        page = lw_quotient(page, dims->dim[dim].size);
    }
    in[offset] = lw_remainder(row, view->page_rows) * memory_of(view)->slots + col;
    return in[offset] < dims->dim[offset].size;
}

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    uint64_t in[LW_DIMS_MAX];
    lw_cell_element(view, index_of(view, row, col, in) ? in : NULL, text, cell);
}

/* Writes the patterns of the swizzle in a row: "p1", or "p0-3" when a row has several; nothing without a swizzle. */
static void put_phases(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    const struct lw_map *map = &view->subject->map;
    uint64_t from = row % view->page_rows * memory_of(view)->slots, all, least, max;
    uint64_t size = map->in.dim[memory_of(view)->offset].size;
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
static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    const struct lw_dims *dims = &view->subject->map.in;
    uint64_t in[LW_DIMS_MAX];
    index_of(view, row, 0, in);
    for (size_t i = 0; i < LW_COUNT(page_dims); i++)
        if (lw_dims_size(dims, page_dims[i].name) > 1)
            lw_text_format(text, "%s%llu ", page_dims[i].letter,
                           (unsigned long long)in[lw_dims_find(dims, page_dims[i].name)]);
    lw_text_number(text, row % view->page_rows * memory_of(view)->slots * bits_of(view) / 8);
    put_phases(view, row, text);
}

/* The bank, and which element of it when a bank holds several: "3" or "3.1". */
static void col_label(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    uint64_t bits = bits_of(view), bit = col * bits;
    uint64_t word = 8 * lw_subject_banks(view->subject)->bank_bytes;
    lw_text_number(text, bit / word);
    if (bits < word) {
        lw_text_char(text, '.');
        lw_text_number(text, bit % word / bits);
    }
}

static void legend(const struct lw_view *view, struct lw_text *text)
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

static bool spot_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_spot *spot)
{
    uint64_t in[LW_DIMS_MAX];
    return index_of(view, row, col, in) && lw_spot_of_index(view, in, spot);
}

static bool find(const struct lw_view *view, const struct lw_spot *spot, uint64_t *row,
                 uint64_t *col)
{
    const struct lw_dims *dims = &view->subject->map.in;
    uint64_t in[LW_DIMS_MAX], slots = memory_of(view)->slots, page = 0;
    int offset = memory_of(view)->offset;
    if (!lw_spot_index(view, spot, in))
        return false;
    for (size_t i = LW_COUNT(page_dims); i-- > 0;) {
        int dim = lw_dims_find(dims, page_dims[i].name);
        page = page * lw_dims_size(dims, page_dims[i].name) + (dim >= 0 ? in[dim] : 0);
    }
    *row = page * view->page_rows + in[offset] / slots;
    *col = in[offset] % slots;
    return true;
}

const struct lw_view_type lw_view_memory = {
    .name = "memory",
    .title = "Memory",
    .color = "column",
    .help = "shared memory, a row across all banks; p3 is phase 3",
    .picture = true,
    .state_size = sizeof(struct memory),
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
