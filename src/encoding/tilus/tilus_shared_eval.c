/* Encodings that are tilus calls of shared layouts, evaluated: from nested calls to one layout, from
 * there to a map. One function for each row.
 * Source: the Python package tilus 0.2.0, module tilus.ir.layout. */

#include "encoding/tilus/tilus_shared.h"

struct call {
    const struct lw_encoding *encoding;
    int depth;
    struct lw_error *err;
};

static bool evaluate(const struct lw_encoding *encoding, int depth, struct lw_tilus_shared *out,
                     struct lw_error *err);

/* ---- Arguments ---- */

static bool take_layout(const struct call *call, const char *name, struct lw_tilus_shared *out)
{
    const struct lw_encoding *nested = lw_encoding_nested(call->encoding, name);
    if (!nested)
        return lw_error_about(call->err, name, call->encoding->position, "%s needs %s: a layout",
                              call->encoding->type->name, name);
    return evaluate(nested, call->depth + 1, out, call->err);
}

static bool take_list(const struct call *call, const char *name, struct lw_sizes *out)
{
    return lw_tilus_take_list(call->encoding, name, out, call->err);
}

/* None when it is not said. */
static bool take_swizzle(const struct call *call, struct lw_tilus_shared *out)
{
    const struct lw_encoding *nested = lw_encoding_nested(call->encoding, "swizzle");
    out->swizzled = nested != NULL;
    if (!nested)
        return true;
    if (nested->type != &lw_encoding_Swizzle)
        return lw_error_about(call->err, "swizzle", nested->position,
                              "%s is no swizzle: Swizzle(base=3, bits=3, shift=3) is",
                              nested->type->name);
    out->swizzle = (struct lw_tilus_swizzle){.base = lw_encoding_integer(nested, "base"),
                                             .bits = lw_encoding_integer(nested, "bits"),
                                             .shift = lw_encoding_integer(nested, "shift")};
    return true;
}

/* ---- The rows ---- */

static bool eval_row_major(const struct call *call, struct lw_tilus_shared *out)
{
    struct lw_sizes shape;
    return take_list(call, "shape", &shape) && lw_tilus_shared_row_major(out, &shape, call->err);
}

static bool eval_column_major(const struct call *call, struct lw_tilus_shared *out)
{
    struct lw_sizes shape;
    return take_list(call, "shape", &shape) && lw_tilus_shared_column_major(out, &shape, call->err);
}

static bool eval_row_major_swizzle(const struct call *call, struct lw_tilus_shared *out)
{
    struct lw_sizes shape;
    return take_list(call, "shape", &shape) &&
           lw_tilus_shared_row_major_swizzle(
               out, &shape, lw_encoding_integer(call->encoding, "dtype_nbytes"), call->err);
}

static bool take_lists(const struct call *call, struct lw_tilus_shared *made)
{
    return take_list(call, "shape", &made->shape) &&
           take_list(call, "mode_shape", &made->mode_shape) &&
           take_list(call, "mode_strides", &made->mode_strides) && take_swizzle(call, made);
}

static bool eval_shared_layout(const struct call *call, struct lw_tilus_shared *out)
{
    struct lw_tilus_shared made;
    return take_lists(call, &made) && lw_tilus_shared_make(out, &made, call->err);
}

static bool eval_SharedLayout(const struct call *call, struct lw_tilus_shared *out)
{
    return take_lists(call, out) && lw_tilus_shared_validate(out, call->err) &&
           lw_tilus_refuse_ones(&out->mode_shape, "shared_layout", call->err);
}

static bool eval_compose(const struct call *call, struct lw_tilus_shared *out)
{
    struct lw_tilus_shared rhs;
    return take_layout(call, "lhs", out) && take_layout(call, "rhs", &rhs) &&
           lw_tilus_shared_compose(out, out, &rhs, call->err);
}

static bool eval_permute(const struct call *call, struct lw_tilus_shared *out)
{
    struct lw_sizes dims;
    return take_layout(call, "layout", out) && take_list(call, "dims", &dims) &&
           lw_tilus_shared_permute(out, out, &dims, call->err);
}

static bool eval_transpose(const struct call *call, struct lw_tilus_shared *out)
{
    struct lw_sizes dims = {.count = 2, .at = {1, 0}};
    if (!take_layout(call, "layout", out))
        return false;
    return out->shape.count == 2
               ? lw_tilus_shared_permute(out, out, &dims, call->err)
               : lw_error_about(call->err, "layout", (struct lw_position){0},
                                "the layout has %d dims, and transpose needs 2: permute(dims=...) "
                                "takes any",
                                out->shape.count);
}

static bool eval_slice(const struct call *call, struct lw_tilus_shared *out)
{
    struct lw_sizes dims;
    return take_layout(call, "layout", out) && take_list(call, "retain_dims", &dims) &&
           lw_tilus_shared_slice(out, out, &dims, call->err);
}

static bool eval_reshape(const struct call *call, struct lw_tilus_shared *out)
{
    struct lw_sizes shape;
    return take_layout(call, "layout", out) && take_list(call, "new_shape", &shape) &&
           lw_tilus_shared_reshape(out, out, &shape, call->err);
}

static bool eval_unsqueeze(const struct call *call, struct lw_tilus_shared *out)
{
    struct lw_sizes dims;
    return take_layout(call, "layout", out) && take_list(call, "dims", &dims) &&
           lw_tilus_shared_unsqueeze(out, out, &dims, call->err);
}

static bool eval_prepend_dim(const struct call *call, struct lw_tilus_shared *out)
{
    return take_layout(call, "layout", out) &&
           lw_tilus_shared_prepend_dim(out, out, lw_encoding_integer(call->encoding, "extent"),
                                       call->err);
}

static bool eval_apply_swizzle(const struct call *call, struct lw_tilus_shared *out)
{
    if (!take_layout(call, "layout", out))
        return false;
    if (out->swizzled)
        return lw_error_about(call->err, "swizzle", call->encoding->position,
                              "the layout has a swizzle, and there can be only one");
    return take_swizzle(call, out) && lw_tilus_shared_validate(out, call->err);
}

/* ---- Dispatch ---- */

static const struct row {
    const struct lw_encoding_type *type;
    bool (*eval)(const struct call *call, struct lw_tilus_shared *out);
} rows[] = {
    {&lw_encoding_shared_row_major, eval_row_major},
    {&lw_encoding_shared_column_major, eval_column_major},
    {&lw_encoding_shared_row_major_swizzle, eval_row_major_swizzle},
    {&lw_encoding_SharedLayout, eval_SharedLayout},
    {&lw_encoding_shared_layout, eval_shared_layout},
    {&lw_encoding_shared_compose, eval_compose},
    {&lw_encoding_shared_permute, eval_permute},
    {&lw_encoding_shared_slice, eval_slice},
    {&lw_encoding_shared_reshape, eval_reshape},
    {&lw_encoding_shared_unsqueeze, eval_unsqueeze},
    {&lw_encoding_transpose, eval_transpose},
    {&lw_encoding_prepend_dim, eval_prepend_dim},
    {&lw_encoding_apply_swizzle, eval_apply_swizzle},
};

static const struct row *find_row(const struct lw_encoding_type *type)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].type == type)
            return &rows[i];
    return NULL;
}

static bool no_row(const struct lw_encoding *encoding, struct lw_error *err)
{
    if (encoding->type == &lw_encoding_Swizzle)
        return lw_error_at(err, LW_ERROR_PARAMETER, encoding->position,
                           "a Swizzle alone is no layout: shared_row_major(8, 64).apply_swizzle("
                           "Swizzle(base=3, bits=3, shift=3)) is one");
    return lw_error_at(err, LW_ERROR_PARAMETER, encoding->position,
                       "%s is not a shared layout of tilus: shared_row_major(8, 64) is one",
                       encoding->type->name);
}

static bool evaluate(const struct lw_encoding *encoding, int depth, struct lw_tilus_shared *out,
                     struct lw_error *err)
{
    const struct row *row = find_row(encoding->type);
    struct call call = {.encoding = encoding, .depth = depth, .err = err};
    if (!row)
        return no_row(encoding, err);
    if (depth > LW_NESTING_MAX)
        return lw_error_at(err, LW_ERROR_LIMIT, encoding->position,
                           "layouts in layouts, or calls in a chain, more than %d deep",
                           LW_NESTING_MAX);
    if (row->eval(&call, out))
        return true;
    lw_tilus_add_position(err, encoding);
    return false;
}

bool lw_tilus_shared_eval(const struct lw_encoding *encoding, struct lw_tilus_shared *out,
                          struct lw_error *err)
{
    return evaluate(encoding, 0, out, err);
}

/* ---- What the rows share ---- */

/* A Swizzle is checked where it is used. */
void lw_tilus_shared_check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                           struct lw_report *report)
{
    struct lw_tilus_shared layout;
    struct lw_error err;
    if (encoding->type == &lw_encoding_Swizzle)
        return;
    if (!lw_tilus_shared_eval(encoding, &layout, &err) ||
        !lw_tilus_check_tensor(&layout.shape, tensor, &err))
        lw_report_add(report, &err);
}

bool lw_tilus_shared_build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                           struct lw_map *map, struct lw_error *err)
{
    struct lw_tilus_shared layout;
    return lw_tilus_shared_eval(encoding, &layout, err) &&
           lw_tilus_check_tensor(&layout.shape, tensor, err) &&
           lw_tilus_shared_to_map(&layout, map, err);
}
