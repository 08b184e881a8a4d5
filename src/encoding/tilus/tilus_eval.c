/* Encodings that are tilus calls, evaluated: from nested calls to one layout, from there to a map.
 * One function for each row; the errors of the algebra get their place here.
 * Source: the Python package tilus 0.2.0, module tilus.ir.layout. */

#include "encoding/tilus/tilus_shared.h"

#include <string.h>

struct call {
    const struct lw_encoding *encoding;
    int depth;
    struct lw_error *err;
};

static bool evaluate(const struct lw_encoding *encoding, int depth, struct lw_tilus *out,
                     struct lw_error *err);

/* ---- Arguments ----
 * Read with care: an encoding may be evaluated that nobody has checked. */

static bool take_layout(const struct call *call, const char *name, struct lw_tilus *out)
{
    const struct lw_encoding *nested = lw_encoding_nested(call->encoding, name);
    if (!nested)
        return lw_error_about(call->err, name, call->encoding->position, "%s needs %s: a layout",
                              call->encoding->type->name, name);
    return evaluate(nested, call->depth + 1, out, call->err);
}

bool lw_tilus_take_list(const struct lw_encoding *encoding, const char *name, struct lw_sizes *out,
                        struct lw_error *err)
{
    const struct lw_value *value = lw_encoding_value(encoding, name);
    out->count = 0;
    if (!value)
        return true;
    if (value->kind != LW_VALUE_LIST || value->count > LW_MODES_MAX)
        return lw_error_about(err, name, value->position,
                              "%s: must be a list of at most %d integers", name, LW_MODES_MAX);
    for (size_t i = 0; i < value->count; i++) {
        if (value->items[i].kind != LW_VALUE_INTEGER)
            return lw_error_about(err, name, value->items[i].position,
                                  "%s: entry %d must be an integer", name, (int)i);
        lw_sizes_push(out, value->items[i].integer);
    }
    return true;
}

static bool take_list(const struct call *call, const char *name, struct lw_sizes *out)
{
    return lw_tilus_take_list(call->encoding, name, out, call->err);
}

static int64_t take_integer(const struct call *call, const char *name)
{
    return lw_encoding_integer(call->encoding, name);
}

static bool take_dims(const struct call *call, struct lw_tilus *layout, struct lw_sizes *dims)
{
    return take_layout(call, "layout", layout) && take_list(call, "dims", dims);
}

static bool take_shape(const struct call *call, struct lw_tilus *layout, struct lw_sizes *shape)
{
    return take_layout(call, "layout", layout) && take_list(call, "shape", shape);
}

/* ---- Makers ---- */

enum direction { BY_RANKS, COLUMN_MAJOR };

/* What `base` there is becomes the outer layout. */
static bool chain(const struct call *call, struct lw_tilus *out)
{
    struct lw_tilus outer;
    if (!lw_encoding_is_set(call->encoding, "base"))
        return true;
    return take_layout(call, "base", &outer) && lw_tilus_compose(out, &outer, out, call->err);
}

static bool make(const struct call *call, bool spatial, enum direction direction,
                 struct lw_tilus *out)
{
    struct lw_sizes shape, ranks = {0};
    bool ranked = direction == COLUMN_MAJOR || lw_encoding_is_set(call->encoding, "ranks");
    if (!take_list(call, "shape", &shape))
        return false;
    if (direction == COLUMN_MAJOR)
        for (int i = shape.count - 1; i >= 0; i--)
            lw_sizes_push(&ranks, i);
    else if (!take_list(call, "ranks", &ranks))
        return false;
    return (spatial ? lw_tilus_spatial : lw_tilus_local)(out, &shape, ranked ? &ranks : NULL,
                                                         call->err) &&
           chain(call, out);
}

static bool eval_spatial(const struct call *call, struct lw_tilus *out)
{
    return make(call, true, BY_RANKS, out);
}

static bool eval_local(const struct call *call, struct lw_tilus *out)
{
    return make(call, false, BY_RANKS, out);
}

static bool eval_column_spatial(const struct call *call, struct lw_tilus *out)
{
    return make(call, true, COLUMN_MAJOR, out);
}

static bool eval_column_local(const struct call *call, struct lw_tilus *out)
{
    return make(call, false, COLUMN_MAJOR, out);
}

static bool eval_replicated(const struct call *call, struct lw_tilus *out)
{
    struct lw_sizes shape;
    return take_list(call, "shape", &shape) &&
           lw_tilus_replicated(out, &shape, take_integer(call, "num_workers"), call->err);
}

static bool eval_auto_local_spatial(const struct call *call, struct lw_tilus *out)
{
    struct lw_sizes shape;
    return take_list(call, "shape", &shape) &&
           lw_tilus_auto_local_spatial(out, take_integer(call, "num_threads"), &shape, call->err);
}

static bool take_lists(const struct call *call, struct lw_tilus *made)
{
    return take_list(call, "shape", &made->shape) &&
           take_list(call, "mode_shape", &made->mode_shape) &&
           take_list(call, "spatial_modes", &made->spatial_modes) &&
           take_list(call, "local_modes", &made->local_modes);
}

static bool eval_register_layout(const struct call *call, struct lw_tilus *out)
{
    struct lw_tilus made;
    return take_lists(call, &made) && lw_tilus_make(out, &made, call->err);
}

bool lw_tilus_refuse_ones(const struct lw_sizes *modes, const char *dropper, struct lw_error *err)
{
    for (int i = 0; i < modes->count; i++)
        if (modes->at[i] == 1)
            return lw_tilus_refuse(err, "mode_shape", modes,
                                   "mode %d has size 1: %s(...) drops such modes", i, dropper);
    return true;
}

static bool eval_RegisterLayout(const struct call *call, struct lw_tilus *out)
{
    return take_lists(call, out) && lw_tilus_validate(out, call->err) &&
           lw_tilus_refuse_ones(&out->mode_shape, "register_layout", call->err);
}

/* ---- Combiners and transformers ---- */

static bool eval_compose(const struct call *call, struct lw_tilus *out)
{
    struct lw_tilus inner;
    return take_layout(call, "outer", out) && take_layout(call, "inner", &inner) &&
           lw_tilus_compose(out, out, &inner, call->err);
}

static bool eval_concat(const struct call *call, struct lw_tilus *out)
{
    struct lw_tilus rhs;
    return take_layout(call, "lhs", out) && take_layout(call, "rhs", &rhs) &&
           lw_tilus_concat(out, out, &rhs, call->err);
}

static bool eval_divide(const struct call *call, struct lw_tilus *out)
{
    struct lw_tilus rhs;
    return take_layout(call, "lhs", out) && take_layout(call, "rhs", &rhs) &&
           lw_tilus_divide(out, out, &rhs, call->err);
}

static bool eval_left_divide(const struct call *call, struct lw_tilus *out)
{
    struct lw_tilus divisor;
    return take_layout(call, "layout", out) && take_layout(call, "lhs_divisor", &divisor) &&
           lw_tilus_left_divide(out, out, &divisor, call->err);
}

static bool eval_reduce(const struct call *call, struct lw_tilus *out)
{
    struct lw_sizes dims;
    return take_dims(call, out, &dims) &&
           lw_tilus_reduce(out, out, &dims, lw_encoding_boolean(call->encoding, "keepdims"),
                           call->err);
}

static bool eval_squeeze(const struct call *call, struct lw_tilus *out)
{
    struct lw_sizes dims;
    return take_dims(call, out, &dims) && lw_tilus_squeeze(out, out, &dims, call->err);
}

static bool eval_unsqueeze(const struct call *call, struct lw_tilus *out)
{
    struct lw_sizes dims;
    return take_dims(call, out, &dims) && lw_tilus_unsqueeze(out, out, &dims, call->err);
}

static bool eval_permute(const struct call *call, struct lw_tilus *out)
{
    struct lw_sizes dims;
    return take_dims(call, out, &dims) && lw_tilus_permute(out, out, &dims, call->err);
}

static bool eval_reshape(const struct call *call, struct lw_tilus *out)
{
    struct lw_sizes shape;
    return take_shape(call, out, &shape) && lw_tilus_reshape(out, out, &shape, call->err);
}

static bool eval_reduce_to(const struct call *call, struct lw_tilus *out)
{
    struct lw_sizes shape;
    return take_shape(call, out, &shape) && lw_tilus_reduce_to(out, out, &shape, call->err);
}

static bool eval_with_shape(const struct call *call, struct lw_tilus *out)
{
    struct lw_sizes shape;
    return take_shape(call, out, &shape) && lw_tilus_with_shape(out, out, &shape, call->err);
}

static bool eval_flatten(const struct call *call, struct lw_tilus *out)
{
    return take_layout(call, "layout", out) &&
           lw_tilus_flatten(out, out, take_integer(call, "start_dim"),
                            take_integer(call, "end_dim"), call->err);
}

/* ---- Dispatch ---- */

static const struct row {
    const struct lw_encoding_type *type;
    bool (*eval)(const struct call *call, struct lw_tilus *out);
} rows[] = {
    {&lw_encoding_spatial, eval_spatial},
    {&lw_encoding_local, eval_local},
    {&lw_encoding_column_spatial, eval_column_spatial},
    {&lw_encoding_column_local, eval_column_local},
    {&lw_encoding_repeat, eval_local},
    {&lw_encoding_replicated, eval_replicated},
    {&lw_encoding_auto_local_spatial, eval_auto_local_spatial},
    {&lw_encoding_RegisterLayout, eval_RegisterLayout},
    {&lw_encoding_register_layout, eval_register_layout},
    {&lw_encoding_compose, eval_compose},
    {&lw_encoding_concat, eval_concat},
    {&lw_encoding_divide, eval_divide},
    {&lw_encoding_left_divide, eval_left_divide},
    {&lw_encoding_reduce, eval_reduce},
    {&lw_encoding_reduce_to, eval_reduce_to},
    {&lw_encoding_squeeze, eval_squeeze},
    {&lw_encoding_unsqueeze, eval_unsqueeze},
    {&lw_encoding_permute, eval_permute},
    {&lw_encoding_reshape, eval_reshape},
    {&lw_encoding_flatten, eval_flatten},
    {&lw_encoding_with_shape, eval_with_shape},
};

static const struct row *find_row(const struct lw_encoding_type *type)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].type == type)
            return &rows[i];
    return NULL;
}

void lw_tilus_add_position(struct lw_error *err, const struct lw_encoding *encoding)
{
    if (!err || err->position.line)
        return;
    const struct lw_value *value = lw_encoding_value(encoding, err->parameter);
    err->position = value && value->position.line ? value->position : encoding->position;
}

static bool no_row(const struct lw_encoding *encoding, struct lw_error *err)
{
    if (encoding->type->family == LW_FAMILY_TILUS_SHARED)
        return lw_error_at(err, LW_ERROR_PARAMETER, encoding->position,
                           "%s is a shared layout, where a register layout is needed; functions of "
                           "shared layouts begin with shared_",
                           encoding->type->name);
    return lw_error_at(err, LW_ERROR_PARAMETER, encoding->position,
                       "%s is not a tilus register layout", encoding->type->name);
}

static bool evaluate(const struct lw_encoding *encoding, int depth, struct lw_tilus *out,
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

bool lw_tilus_eval(const struct lw_encoding *encoding, struct lw_tilus *out, struct lw_error *err)
{
    return evaluate(encoding, 0, out, err);
}

bool lw_tilus_head(const struct lw_encoding *encoding, struct lw_text *text, struct lw_error *err)
{
    struct lw_tilus layout;
    struct lw_tilus_shared shared;
    if (encoding->type->family == LW_FAMILY_TILUS_SHARED) {
        if (!lw_tilus_shared_eval(encoding, &shared, err))
            return false;
        lw_tilus_shared_print(text, &shared);
        return true;
    }
    if (!lw_tilus_eval(encoding, &layout, err))
        return false;
    lw_tilus_print(text, &layout);
    return true;
}

/* ---- What the rows share ---- */

bool lw_tilus_nested_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                            struct lw_tensor *nested, struct lw_error *err)
{
    (void)encoding, (void)err;
    lw_tensor_unknown(nested); /* the parts of an expression have shapes of their own */
    nested->element = tensor->element;
    return true;
}

bool lw_tilus_check_tensor(const struct lw_sizes *shape, const struct lw_tensor *tensor,
                           struct lw_error *err)
{
    bool same = tensor->rank == shape->count;
    for (int i = 0; same && i < tensor->rank; i++)
        same = tensor->shape[i] == (uint64_t)shape->at[i];
    if (same || tensor->rank < 0)
        return true;
    struct lw_sizes target = {0};
    struct lw_text own = {0};
    for (int i = 0; i < tensor->rank; i++)
        lw_sizes_push(&target, (int64_t)tensor->shape[i]);
    lw_sizes_print(&own, shape);
    lw_tilus_refuse(err, "shape", &target, "must be the layout's own shape, %s",
                    lw_text_string(&own));
    lw_text_free(&own);
    if (err)
        err->code = LW_ERROR_SHAPE;
    return false;
}

void lw_tilus_check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                    struct lw_report *report)
{
    struct lw_tilus layout;
    struct lw_error err;
    if (!lw_tilus_eval(encoding, &layout, &err) ||
        !lw_tilus_check_tensor(&layout.shape, tensor, &err))
        lw_report_add(report, &err);
}

bool lw_tilus_build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                    struct lw_map *map, struct lw_error *err)
{
    struct lw_tilus layout;
    return lw_tilus_eval(encoding, &layout, err) &&
           lw_tilus_check_tensor(&layout.shape, tensor, err) && lw_tilus_to_map(&layout, map, err);
}
