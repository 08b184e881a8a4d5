/*
 * Layouts of tilus that are composed of others, local(3, 4).spatial(2, 3) or A * B: element i of the product is element
 * i / shape of the outer layout and i % shape of the inner one.
 *
 * Source: tilus.ir.layout.ops.register_ops.compose of tilus 0.2.0.
 */

#include "view/operand/product.h"

#include <string.h>

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

static bool add_steps(struct lw_product *product, const struct lw_encoding *encoding, int depth)
{
    const struct lw_encoding *outer, *inner;
    struct lw_tensor unknown;
    if (depth > LW_NESTING_MAX)
        return false;
    if (split(&product->arena, encoding, &outer, &inner))
        return add_steps(product, outer, depth + 1) && add_steps(product, inner, depth + 1);
    if (product->count == LW_PRODUCT_STEPS)
        return false;
    struct lw_product_step *step = &product->steps[product->count++];
    lw_tensor_unknown(&unknown);
    lw_encoding_print(&step->name, encoding);
    return lw_encoding_build(encoding, &unknown, &step->map, NULL) && step->map.in.count == 2;
}

static bool open_product(struct lw_view *view, struct lw_error *err)
{
    struct lw_product *product = lw_product_of(view);
    struct lw_operand *all = product->operands.all;
    const struct lw_encoding *encoding = view->subject->encoding, *parts[2];
    struct lw_tensor unknown;
    if (!encoding || view->subject->family != LW_FAMILY_TILUS_REGISTER ||
        !split(&product->arena, encoding, &parts[0], &parts[1]))
        return false;
    lw_tensor_unknown(&unknown);
    unknown.element = view->subject->tensor.element;
    all[LW_PRODUCT_FIRST].name = "outer";
    all[LW_PRODUCT_SECOND].name = "inner";
    for (int i = 0; i < LW_PRODUCT_RESULT; i++)
        if (!lw_operand_open(view, i, parts[i], &unknown, err))
            return false;
    if (!add_steps(product, encoding, 0))
        product->count = 0;
    const struct lw_dims *tile = &all[LW_PRODUCT_SECOND].subject->map.out;
    view->tile_cols = tile->count ? tile->dim[tile->count - 1].size : 0;
    view->tile_rows = tile->count > 1 ? tile->dim[tile->count - 2].size : 1;
    return true;
}

/* The dims of each factor are the last dims of the product. */
static void part_of(const struct lw_view *view, int part, const uint64_t *out, uint64_t *element)
{
    const struct lw_operand *all = lw_operands_of(view)->all;
    const struct lw_dims *inner = &all[LW_PRODUCT_SECOND].subject->map.out;
    const struct lw_dims *dims = &all[part].subject->map.out;
    int rank = view->subject->map.out.count;
    for (int d = 0; d < dims->count; d++) {
        int at = rank - dims->count + d, in_inner = at - (rank - inner->count);
        uint64_t size = in_inner >= 0 ? inner->dim[in_inner].size : 1;
        element[d] = part == LW_PRODUCT_SECOND ? out[at] % size : out[at] / size;
    }
}

/* ---- Step by step ---- */

static uint64_t size_of(const struct lw_map *map, const char *dim)
{
    return lw_dims_size(&map->in, dim);
}

/* The element of a step: the digits of the index that the steps after it leave. */
static void element_of(const struct lw_product *product, int step, const uint64_t *out, int rank,
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
    const struct lw_product *product = lw_product_of(view);
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
    if (!product->count)
        return false;
    struct lw_text *text = lw_explanation_line(explanation, "together");
    lw_text_format(text, "local %llu, thread %llu: of each step times the sizes of those below it",
                   (unsigned long long)local, (unsigned long long)thread);
    in[lw_dims_find(&result->in, "local")] = local;
    in[lw_dims_find(&result->in, "thread")] = thread;
    return lw_map_apply(result, in, whole) &&
           !memcmp(whole, out, (size_t)result->out.count * sizeof *out);
}

const struct lw_product_kind lw_product_tilus = {open_product, part_of, explain_steps};
