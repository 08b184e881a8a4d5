/* The matrix view: the layout over F2, a row for each bit of the element's index and a column for each
 * bit of the hardware index. A 1: flipping the hardware bit flips the element's bit. */

#include "view/view_parts.h"
#include "core/unused.h"

#include <string.h>

struct matrix {
    struct lw_view_state shared;
    struct lw_layout layout; /* with the names of hardware dims when it has threads */
};

static struct lw_layout *layout_of(const struct lw_view *view)
{
    return &((struct matrix *)view->state)->layout;
}

/* The dim that bit `i` of a flat number belongs to; *bit is its number within the dim. */
static int dim_of_bit(const struct lw_dims *dims, int i, int *bit)
{
    for (int d = 0; d < dims->count; d++) {
        int bits = lw_log2(dims->dim[d].size);
        if (i < bits) {
            *bit = i;
            return d;
        }
        i -= bits;
    }
    *bit = 0;
    return 0;
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    const struct lw_subject *subject = view->subject;
    bool fits = subject->lanes && lw_log2(subject->lanes) >= 0;
    uint64_t lanes = fits ? subject->lanes : LW_LANES_DEFAULT;
    if (!lw_map_to_hardware(&subject->map, lanes, layout_of(view), err))
        return false;
    view->rows = view->page_rows = (uint64_t)lw_layout_out_bits(layout_of(view));
    view->cols = (uint64_t)lw_layout_in_bits(layout_of(view));
    if (view->rows == 0 || view->cols == 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "the matrix is empty: there is only one %s",
                            view->rows == 0 ? "element" : "hardware index");
    return true;
}

/* Its ink is far from that of the first dim in each palette, and it is odd: without colours such bits are bold. */
enum { SWIZZLE_SHADE = 13 };

/* Whether a one belongs to a swizzle: in memory, a bit of the fastest dim in the column of a bit that selects a row. */
static bool is_of_swizzle(const struct lw_view *view, uint64_t row, uint64_t col)
{
    const struct lw_layout *layout = layout_of(view);
    int bit, minor = lw_minor_dim(&view->subject->map);
    int dim = dim_of_bit(&layout->in, (int)col, &bit);
    if (minor < 0 || strcmp(layout->in.dim[dim].name, "offset") != 0 ||
        dim_of_bit(&layout->out, (int)row, &bit) != minor)
        return false;
    uint64_t own = lw_f2_mask(lw_layout_out_log2(layout, minor))
                   << (lw_layout_out_shift(layout, minor) & 63);
    return (layout->basis[col] & ~own) != 0;
}

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    const struct lw_layout *layout = layout_of(view);
    int bit;
    *cell = (struct lw_cell){.ink = LW_INK_FAINT};
    bool one = layout->basis[col] >> row & 1;
    if (!one || !lw_put_spot(view, row, col, text))
        lw_text_char(text, one ? '1' : '0');
    if (one) {
        cell->ink = LW_INK_DIM;
        cell->shade = is_of_swizzle(view, row, col)
                          ? SWIZZLE_SHADE
                          : (uint64_t)dim_of_bit(&layout->in, (int)col, &bit);
    }
}

static void put_label(struct lw_text *text, const struct lw_dims *dims, int i)
{
    int bit, dim = dim_of_bit(dims, i, &bit);
    lw_text_format(text, "%s.%d", dims->dim[dim].name, bit);
}

static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    put_label(text, &layout_of(view)->out, (int)row);
}

static void col_label(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    put_label(text, &layout_of(view)->in, (int)col);
}

static size_t width(const struct lw_view *view)
{
    return lw_spot_width(view, 1);
}

/* The spot of a column is the hardware index with that bit alone. */
static bool spot_of(const struct lw_view *view, LW_UNUSED uint64_t row, uint64_t col,
                    struct lw_spot *spot)
{
    const struct lw_dims *dims = &view->subject->map.in;
    int local = lw_dims_find(dims, "local"), thread = lw_dims_find(dims, "thread");
    uint64_t in[LW_DIMS_MAX] = {0};
    if (local >= 0 && thread >= 0) { /* the matrix has the bits of local first */
        uint64_t bits = (uint64_t)lw_log2(dims->dim[local].size);
        in[col < bits ? local : thread] = (uint64_t)1 << (col < bits ? col : col - bits);
    } else {
        lw_dims_unflatten(dims, (uint64_t)1 << col, in);
    }
    return lw_spot_of_index(view, in, spot);
}

/* ---- The matrix as a whole ---- */

/* "rank 2 of 2 x 5 bits; null space lane=1, lane=2, lane=4; free bits lane.0, lane.1, lane.2" */
static void caption(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_layout *layout = layout_of(view);
    struct lw_solver solver;
    uint64_t in[LW_DIMS_MAX];
    lw_text_format(text, "rank %d of %d x %d bits", lw_layout_rank(layout),
                   lw_layout_out_bits(layout), lw_layout_in_bits(layout));
    lw_solver_init(&solver, layout->basis, lw_layout_in_bits(layout));
    lw_text_add(text, solver.nullity ? "; null space " : "; null space {0}");
    for (int i = 0; i < solver.nullity && !lw_text_full(text); i++) {
        lw_text_add(text, i ? ", " : "");
        lw_dims_unflatten(&layout->in, solver.null_space[i], in);
        lw_put_bits(text, &layout->in, in);
    }
    struct lw_text bits = {0};
    lw_put_free_bits(&bits, layout);
    if (bits.length)
        lw_text_format(text, "; free bits %s", lw_text_string(&bits));
    lw_text_free(&bits);
}

static void legend(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_layout *layout = layout_of(view);
    bool swizzled = false;
    for (uint64_t i = 0; i < view->rows * view->cols && !swizzled; i++)
        swizzled = layout->basis[i % view->cols] >> (i / view->cols) & 1 &&
                   is_of_swizzle(view, i / view->cols, i % view->cols);
    lw_text_add(text, "bits of the hardware index across, bits of the element down");
    lw_text_add(text, swizzled ? "; bits that stand out are the swizzle" : "");
}

const struct lw_view_type lw_view_matrix = {
    .name = "matrix",
    .title = "Matrix",
    .spots = true,
    .help = "matrix over F2: bits of the element by bits of the index",
    .state_size = sizeof(struct matrix),
    .open = open_view,
    .cell = cell_of,
    .row_label = row_label,
    .col_label = col_label,
    .width = width,
    .spot = spot_of,
    .caption = caption,
    .legend = legend,
};
