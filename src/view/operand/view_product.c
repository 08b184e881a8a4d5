/*
 * The product view: a layout of tilus that is composed of others, local(3, 4).spatial(2, 3) or A * B. The outer
 * layout is at the top left, the inner one below it, their product beside them in tiles of the inner shape: element
 * i of the product is element i / shape of the outer layout and i % shape of the inner one.
 *
 * Source: tilus.ir.layout.ops.register_ops.compose of tilus 0.2.0.
 */

#include "view/operand/operands.h"

#include <string.h>

enum { OUTER, INNER, RESULT, STEPS_MAX = 6 };

/* A layout that is no product itself, from the outermost to the innermost. */
struct step {
    struct lw_text name;
    struct lw_map map;
};

struct product {
    struct lw_operands operands;
    int count; /* of steps; 0: there are too many, or one cannot be built */
    struct step steps[STEPS_MAX];
    struct lw_arena arena;
};

static struct product *product_of(const struct lw_view *view)
{
    return (struct product *)view->state;
}

/* ---- Opening ---- */

/* Splits the last composition off; false: the encoding is none. */
static bool split(struct lw_arena *arena, const struct lw_encoding *encoding,
                  const struct lw_encoding **outer, const struct lw_encoding **inner)
{
    struct lw_encoding *rest;
    bool composed = !strcmp(encoding->type->name, "compose");
    *outer = lw_encoding_nested(encoding, composed ? "outer" : "base");
    *inner = composed ? lw_encoding_nested(encoding, "inner") : NULL;
    if (!*outer || composed)
        return *outer && *inner;
    rest = lw_encoding_copy(arena, encoding);
    if (rest)
        rest->params[lw_encoding_param(rest, "base")].kind = LW_VALUE_NONE;
    *inner = rest;
    return rest != NULL;
}

static bool add_steps(struct product *product, const struct lw_encoding *encoding, int depth)
{
    const struct lw_encoding *outer, *inner;
    struct lw_tensor unknown;
    if (depth > LW_NESTING_MAX)
        return false;
    if (split(&product->arena, encoding, &outer, &inner))
        return add_steps(product, outer, depth + 1) && add_steps(product, inner, depth + 1);
    if (product->count == STEPS_MAX)
        return false;
    struct step *step = &product->steps[product->count++];
    lw_tensor_unknown(&unknown);
    lw_encoding_print(&step->name, encoding);
    return lw_encoding_build(encoding, &unknown, &step->map, NULL) && step->map.in.count == 2;
}

static void arrange(struct lw_view *view)
{
    struct lw_operand *all = lw_operands_of(view)->all;
    uint64_t tile = all[INNER].rows;
    uint64_t across = all[INNER].cols;
    view->tile_rows = tile > 1 && tile < all[RESULT].rows ? tile : 0;
    view->tile_cols = across > 1 && across < all[RESULT].cols ? across : 0;
    all[INNER].row = (all[OUTER].rows / tile + 1) * tile; /* beside a tile */
    view->seam_cols = all[OUTER].cols > all[INNER].cols ? all[OUTER].cols : all[INNER].cols;
    all[RESULT].col = view->seam_cols;
    lw_operands_arrange(view);
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    static const char *const names[] = {"outer", "inner", "product"};
    struct product *product = product_of(view);
    struct lw_operands *operands = &product->operands;
    const struct lw_encoding *encoding = view->subject->encoding, *parts[2];
    struct lw_tensor unknown;
    lw_tensor_unknown(&unknown);
    if (!encoding || view->subject->family != LW_FAMILY_TILUS_REGISTER ||
        !split(&product->arena, encoding, &parts[OUTER], &parts[INNER]))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the product view needs a layout of tilus that is composed of others: "
                            "local(3, 4).spatial(2, 3)");
    unknown.element = view->subject->tensor.element;
    operands->count = LW_OPERANDS_MAX;
    operands->own = RESULT;
    for (int i = 0; i < operands->count; i++) {
        operands->all[i] =
            (struct lw_operand){.name = names[i], .row_prefix = "", .col_prefix = ""};
        operands->all[i].subject = view->subject;
        if ((i != RESULT && !lw_operand_open(view, i, parts[i], &unknown, err)) ||
            !lw_operand_measure(view, i, err))
            return false;
    }
    if (!add_steps(product, encoding, 0))
        product->count = 0;
    arrange(view);
    return true;
}

static void close_view(struct lw_view *view)
{
    struct product *product = product_of(view);
    for (int i = 0; i < STEPS_MAX; i++)
        lw_text_free(&product->steps[i].name);
    lw_arena_free(&product->arena);
    lw_operands_close(view);
}

/* ---- What belongs together ---- */

/* The element of the outer or the inner layout that an element of the product is made of. Their dims are the last
 * ones of the product's. */
static void part_of(const struct lw_view *view, int part, const uint64_t *out, uint64_t *element)
{
    const struct lw_operand *all = lw_operands_of(view)->all;
    const struct lw_dims *inner = &all[INNER].subject->map.out, *dims = &all[part].subject->map.out;
    int rank = view->subject->map.out.count;
    for (int d = 0; d < dims->count; d++) {
        int at = rank - dims->count + d, in_inner = at - (rank - inner->count);
        uint64_t size = in_inner >= 0 ? inner->dim[in_inner].size : 1;
        element[d] = part == INNER ? out[at] % size : out[at] / size;
    }
}

static bool belongs(const struct lw_view *view, const struct lw_spot *cell,
                    const struct lw_spot *other)
{
    const struct lw_spot *result = cell->operand ? other : cell;
    const struct lw_spot *part = cell->operand ? cell : other;
    uint64_t element[LW_DIMS_MAX] = {0};
    const char *name;
    const struct lw_subject *subject = lw_operands_layout(view, part->operand, &name);
    if (result->operand || !part->operand || !result->has_out || !part->has_out || !subject)
        return false;
    part_of(view, part->operand - 1, result->out, element);
    return !memcmp(element, part->out, (size_t)subject->map.out.count * sizeof *element);
}

/* ---- Step by step ---- */

static uint64_t size_of(const struct lw_map *map, const char *dim)
{
    return lw_dims_size(&map->in, dim);
}

/* The element of a step: the digits of the index that the steps after it leave. */
static void element_of(const struct product *product, int step, const uint64_t *out, int rank,
                       uint64_t *element)
{
    const struct lw_dims *dims = &product->steps[step].map.out;
    for (int d = 0; d < dims->count; d++) {
        uint64_t after = 1;
        for (int s = step + 1; s < product->count; s++) {
            const struct lw_dims *later = &product->steps[s].map.out;
            int at = later->count - dims->count + d;
            after *= at >= 0 ? later->dim[at].size : 1;
        }
        element[d] = out[rank - dims->count + d] / after % dims->dim[d].size;
    }
}

static uint64_t in_of(const struct lw_map *map, const uint64_t *in, const char *dim)
{
    int at = lw_dims_find(&map->in, dim);
    return at < 0 ? 0 : in[at];
}

/* "(1,2) of local(3, 4): local 6 of 12, thread 0 of 1", and the sums. */
static bool explain_steps(const struct lw_view *view, const uint64_t *out,
                          struct lw_explanation *explanation)
{
    const struct product *product = product_of(view);
    const struct lw_map *result = &view->subject->map;
    uint64_t local = 0, thread = 0, in[LW_DIMS_MAX] = {0}, element[LW_DIMS_MAX], whole[LW_DIMS_MAX];
    for (int s = 0; s < product->count; s++) {
        const struct lw_map *map = &product->steps[s].map;
        element_of(product, s, out, result->out.count, element);
        if (!lw_map_owner(map, element, 0, in))
            return false;
        struct lw_text *text = lw_explanation_line(explanation, s ? "" : "steps");
        uint64_t locals = size_of(map, "local"), threads = size_of(map, "thread");
        lw_put_element(text, map->out.count, element);
        lw_text_format(text, " of %s: local %llu of %llu, thread %llu of %llu",
                       lw_text_string(&product->steps[s].name),
                       (unsigned long long)in_of(map, in, "local"), (unsigned long long)locals,
                       (unsigned long long)in_of(map, in, "thread"), (unsigned long long)threads);
        local = local * locals + in_of(map, in, "local");
        thread = thread * threads + in_of(map, in, "thread");
    }
    struct lw_text *text = lw_explanation_line(explanation, "together");
    lw_text_format(text, "local %llu, thread %llu: of each step times the sizes of those below it",
                   (unsigned long long)local, (unsigned long long)thread);
    in[lw_dims_find(&result->in, "local")] = local;
    in[lw_dims_find(&result->in, "thread")] = thread;
    return lw_map_apply(result, in, whole) &&
           !memcmp(whole, out, (size_t)result->out.count * sizeof *out);
}

static void explain(const struct lw_view *view, uint64_t row, uint64_t col,
                    struct lw_explanation *explanation)
{
    struct lw_spot spot;
    lw_operands_explain(view, row, col, explanation);
    if (!lw_operands_spot(view, row, col, &spot) || spot.operand || !explanation->count)
        return;
    explanation->count = 1; /* who holds it; the steps are why */
    if (product_of(view)->count && explain_steps(view, spot.out, explanation))
        return;
    lw_operands_explain(view, row, col, explanation);
}

static void caption(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_operand *all = lw_operands_of(view)->all;
    for (int i = 0; i < LW_OPERANDS_MAX; i++)
        lw_text_format(text, "%s%s %llux%llu",
                       i == RESULT ? " = "
                       : i         ? " * "
                                   : "",
                       all[i].name, (unsigned long long)all[i].rows,
                       (unsigned long long)all[i].cols);
}

const struct lw_view_type lw_view_product = {
    .name = "product",
    .title = "Product",
    .help = "the layouts that a layout of tilus is composed of, beside it",
    .picture = true,
    .formatted = true,
    .state_size = sizeof(struct product),
    .open = open_view,
    .close = close_view,
    .cell = lw_operands_cell,
    .row_label = lw_operands_row_label,
    .col_label = lw_operands_col_label,
    .width = lw_operands_width,
    .spot = lw_operands_spot,
    .find = lw_operands_find,
    .layout = lw_operands_layout,
    .belongs = belongs,
    .caption = caption,
    .letters = lw_put_letters,
    .explain = explain,
};
