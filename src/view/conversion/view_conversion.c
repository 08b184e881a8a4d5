/*
 * The conversion view: how many elements move between hardware indices. A row is an owner in registers A, a
 * column an owner in registers B, and a cell the number of elements that go from one to the other.
 *
 * Both are lanes where no element leaves its warp (all warps do the same), else threads, else, when these are
 * many, warps or blocks. Invariant: rows and columns have at most 8 bits.
 */

#include "core/subspace.h"
#include "laneway/conversion.h"
#include "view/conversion/view_conversion.h"

#include <string.h>

#define UNIT_BITS 8
enum { DIM_REGISTER, DIM_LANE, DIM_WARP, DIM_BLOCK };

/* What rows and columns number: the dims from `first` to `last`, in that order, the first one fastest. */
struct unit {
    const char *name;
    int first, last;
};
static const struct unit units[] = {{"lane", DIM_LANE, DIM_LANE},  {"thread", DIM_LANE, DIM_WARP},
                                    {"warp", DIM_WARP, DIM_WARP},  {"thread", DIM_LANE, DIM_BLOCK},
                                    {"warp", DIM_WARP, DIM_BLOCK}, {"block", DIM_BLOCK, DIM_BLOCK}};

struct conversion {
    struct lw_view_state shared;
    struct lw_conversion trace; /* without costs */
    const struct unit *unit;
    uint64_t count; /* how many elements each cell that is not empty moves */
    /* The row from which the column with bit i alone gets its element, and which of its bits below the unit's lead to
     * which rows. */
    uint64_t columns[UNIT_BITS];
    struct lw_solver below;
};

static struct conversion *conversion_of(const struct lw_view *view)
{
    return (struct conversion *)view->state;
}

static const struct unit *unit_of(const struct lw_view *view)
{
    return conversion_of(view)->unit;
}

/* ---- From layouts to bits ---- */

static int first_bit(const struct lw_layout *source, const struct unit *unit, bool in)
{
    return in ? lw_layout_in_shift(source, unit->first) : lw_layout_out_shift(source, unit->first);
}

static int unit_bits(const struct lw_layout *source, const struct unit *unit, bool in)
{
    int bits = 0;
    for (int d = unit->first; d <= unit->last; d++)
        bits += in ? lw_layout_in_log2(source, d) : lw_layout_out_log2(source, d);
    return bits;
}

static uint64_t row_part(const struct lw_layout *source, const struct unit *unit, uint64_t index)
{
    return index >> first_bit(source, unit, false) & lw_f2_mask(unit_bits(source, unit, false));
}

/* ---- Movement ---- */

/* The first hardware index of a column that gets its element from that row; false when there is none. */
static bool first_target(const struct lw_view *view, uint64_t row, uint64_t col, uint64_t *target)
{
    const struct conversion *c = conversion_of(view);
    /* The row when the register, and every other bit without a number, is 0. */
    const uint64_t from = lw_f2_combine(c->columns, col);
    uint64_t inner;
    if (!lw_solver_solve(&c->below, row ^ from, &inner))
        return false;
    *target = col << first_bit(&c->trace.source, c->unit, true) | inner;
    return true;
}

/* ---- Opening ---- */

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    struct conversion *c = conversion_of(view);
    const struct lw_subject *subject = view->subject;
    const struct lw_layout *source = &c->trace.source;
    if (!lw_subject_access_check_registers(subject, err))
        return false;
    const enum lw_side other = subject->side == LW_SIDE_B ? LW_SIDE_A : LW_SIDE_B;
    const struct lw_conversion_request request = {.from = &subject->map,
                                                  .to = &lw_subject_at(subject, other)->map,
                                                  .element_bits =
                                                      (unsigned)subject->tensor.element.bits,
                                                  .hardware = subject->hardware,
                                                  .triton = lw_subject_triton(subject)};
    if (!lw_conversion_trace(&c->trace, &request, err))
        return false;
    /* the smallest unit that can be drawn: elements move alike in all of them, and they are few enough */
    const int least = c->trace.kind <= LW_CONVERSION_SHUFFLE  ? 0
                      : c->trace.kind == LW_CONVERSION_SHARED ? 1
                                                              : 3;
    const int last = least == 3 ? 5 : least == 1 ? 2 : 0;
    for (int i = last; i >= least; i--)
        if (unit_bits(source, &units[i], true) <= UNIT_BITS &&
            unit_bits(source, &units[i], false) <= UNIT_BITS)
            c->unit = &units[i];
    if (!c->unit)
        return lw_error_set(
            err, LW_ERROR_LIMIT,
            "too many rows and columns to draw: the limit is 256 lanes, warps or blocks");
    /* bits that are faster than those of the unit are in the same column */
    const int first = first_bit(source, c->unit, true), bits = unit_bits(source, c->unit, true);
    uint64_t below[LW_BITS_MAX];
    for (int i = 0; i < first; i++)
        below[i] = row_part(source, c->unit, source->basis[i]);
    for (int i = 0; i < bits; i++)
        c->columns[i] = row_part(source, c->unit, source->basis[first + i]);
    lw_solver_init(&c->below, below, first);
    c->count = (uint64_t)1 << c->below.nullity;
    view->rows = view->page_rows = (uint64_t)1 << unit_bits(source, c->unit, false);
    view->cols = (uint64_t)1 << bits;
    view->color = c->unit->name; /* the unit of registers A */
    return true;
}

/* ---- Cells ---- */

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    uint64_t target;
    *cell = (struct lw_cell){.ink = LW_INK_FAINT};
    if (!first_target(view, row, col, &target)) {
        lw_text_add(text, LW_HOLE);
        return;
    }
    cell->ink = LW_INK_INDEX;
    cell->shade = row;
    if (!lw_put_spot(view, row, col, text))
        lw_text_number(text, conversion_of(view)->count);
}

/* "l5", "t17", "w3" */
static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    lw_text_char(text, unit_of(view)->name[0]);
    lw_text_number(text, row);
}

static size_t width(const struct lw_view *view)
{
    return lw_spot_width(view, lw_digits(conversion_of(view)->count));
}

/* ---- Spots ---- */

/* A flat index of the four dims, in the dims of a subject's map. */
static void to_subject(const struct lw_layout *layout, uint64_t flat,
                       const struct lw_subject *subject, uint64_t *in)
{
    const struct lw_dims *dims = &subject->map.in;
    int local = lw_dims_find(dims, "local"), thread = lw_dims_find(dims, "thread");
    uint64_t index[LW_DIMS_MAX];
    lw_dims_unflatten(&layout->in, flat, index);
    memset(in, 0, LW_DIMS_MAX * sizeof *in);
    if (local >= 0 && thread >= 0) {
        in[local] = index[DIM_REGISTER];
        in[thread] = index[DIM_LANE] + index[DIM_WARP] * layout->in.dim[DIM_LANE].size;
    }
    for (int d = 0; d < layout->in.count; d++) {
        int dim = lw_dims_find(dims, layout->in.dim[d].name);
        if (dim >= 0)
            in[dim] = index[d];
    }
}

/* The first of a cell's elements, where the layout has it. */
static bool spot_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_spot *spot)
{
    const struct lw_conversion *trace = &conversion_of(view)->trace;
    uint64_t target, in[LW_DIMS_MAX];
    if (!first_target(view, row, col, &target))
        return false;
    to_subject(&trace->from, lw_layout_apply_flat(&trace->source, target), view->subject, in);
    return lw_spot_of_index(view, in, spot);
}

/* ---- Its moves ---- */

const struct lw_conversion *lw_conversion_of(const struct lw_view *view)
{
    return &conversion_of(view)->trace;
}

uint64_t lw_conversion_moves(const struct lw_view *view)
{
    return (uint64_t)1 << lw_layout_in_bits(&conversion_of(view)->trace.source);
}

void lw_conversion_move(const struct lw_view *view, uint64_t i, struct lw_move *move)
{
    const struct lw_conversion *trace = &conversion_of(view)->trace;
    const struct lw_dims *from = &trace->from.in;
    uint64_t source = lw_layout_apply_flat(&trace->source, i), in[LW_DIMS_MAX];
    lw_dims_unflatten(from, source, move->from);
    lw_dims_unflatten(&trace->to.in, i, move->to);
    to_subject(&trace->from, source, view->subject, in);
    lw_map_apply(&view->subject->map, in, move->out);
    move->crosses = "";
    for (int d = 0; d < from->count; d++)
        if (move->from[d] != move->to[d])
            move->crosses = from->dim[d].name;
}

/* ---- Its cost ---- */

/* The conversion with its costs; NULL for subjects that are not joined. */
static const struct lw_conversion *whole(const struct lw_view *view)
{
    struct lw_subject_access *access = view->subject->access;
    return access ? lw_subject_access_conversion(access, NULL) : NULL;
}

/* "through shared memory: 4 rounds over 2048 bytes: store 64 wavefronts (ideal 64), load 64 (ideal 64)"; shared S is
 * not used, as a conversion is the compiler's own. */
static void caption(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_conversion *conversion = whole(view);
    if (!conversion)
        return;
    if (lw_subject_at(view->subject, LW_SIDE_S))
        lw_text_add(text, "without S, A to B by the compiler: ");
    lw_put_conversion(text, conversion);
    if (conversion->kind != LW_CONVERSION_SHARED)
        return;
    const struct lw_plan_total *store = &conversion->store_total, *load = &conversion->load_total;
    const struct lw_error *unknown = lw_conversion_unknown(conversion);
    if (unknown) {
        lw_text_format(text, ": cost not counted: %s", unknown->message);
        return;
    }
    lw_text_add(text, ": store ");
    lw_put_count(text, store->wavefronts, "wavefront");
    lw_text_format(text, " (ideal %llu), load %llu (ideal %llu)", (unsigned long long)store->ideal,
                   (unsigned long long)load->wavefronts, (unsigned long long)load->ideal);
}

static void legend(const struct lw_view *view, struct lw_text *text)
{
    lw_text_format(text, "%ss: rows send, columns receive", unit_of(view)->name);
}

/* ---- Words ---- */

static void put_unit(struct lw_text *text, const struct lw_view *view, uint64_t number)
{
    lw_text_format(text, "%s %llu", unit_of(view)->name, (unsigned long long)number);
}

/* The number of elements, the hardware indices of one of them in both layouts, and why the conversion is of its
 * kind. */
static void explain(const struct lw_view *view, uint64_t row, uint64_t col,
                    struct lw_explanation *explanation)
{
    static const char *const ways[] = {"nothing moves", "by renamed registers", "within its warp",
                                       "through shared memory", "to another block"};
    const struct lw_conversion *trace = &conversion_of(view)->trace, *conversion = whole(view);
    uint64_t target, in[LW_DIMS_MAX], out[LW_DIMS_MAX], count = conversion_of(view)->count;
    struct lw_text *text = lw_explanation_line(explanation, "moves");
    put_unit(text, view, row);
    if (!first_target(view, row, col, &target)) {
        lw_text_add(text, " sends nothing to ");
        put_unit(text, view, col);
        if (conversion)
            lw_explain_conversion(conversion, explanation);
        return;
    }
    lw_text_format(text, " %s %llu element%s%s", row == col ? "keeps" : "sends",
                   (unsigned long long)count, count == 1 ? "" : "s", row == col ? "" : " to ");
    if (row != col)
        put_unit(text, view, col);
    if (row != col)
        lw_text_format(text, ": %s", ways[trace->kind]);
    uint64_t source = lw_layout_apply_flat(&trace->source, target);
    lw_dims_unflatten(&trace->from.out, lw_layout_apply_flat(&trace->from, source), out);
    text = lw_explanation_line(explanation, "such as");
    lw_put_element(text, trace->from.out.count, out);
    lw_dims_unflatten(&trace->from.in, source, in);
    text = lw_explanation_line(explanation, "from");
    lw_put_hardware_index(text, &trace->from.in, in);
    lw_dims_unflatten(&trace->to.in, target, in);
    text = lw_explanation_line(explanation, "to");
    lw_put_hardware_index(text, &trace->to.in, in);
    if (conversion)
        lw_explain_conversion(conversion, explanation);
}

const struct lw_view_type lw_view_conversion = {
    .name = "conversion",
    .counts = true,
    .spots = true,
    .title = "Conversion",
    .picture = true,
    .access = true,
    .help = "how many elements go from where in A to where in B",
    .state_size = sizeof(struct conversion),
    .open = open_view,
    .cell = cell_of,
    .row_label = row_label,
    .col_label = row_label,
    .width = width,
    .spot = spot_of,
    .caption = caption,
    .legend = legend,
    .explain = explain,
};
