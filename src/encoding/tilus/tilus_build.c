/* Calls of tilus evaluated: from nested calls to one layout, from there to a map. The functions
 * themselves are in the rows; errors of the algebra get their position here.
 * Source: the Python package tilus 0.2.0, module tilus.ir.layout. */

#include "encoding/tilus/tilus_build.h"

/* ---- Evaluation ---- */

static bool wrong_family(const struct lw_encoding *encoding, enum lw_family family,
                         struct lw_error *err)
{
    bool shared = family == LW_FAMILY_TILUS_SHARED;
    if (!shared && encoding->type->family == LW_FAMILY_TILUS_SHARED)
        return lw_error_at(err, LW_ERROR_PARAMETER, encoding->position,
                           "%s is a shared layout, where a register layout is needed; functions of "
                           "shared layouts begin with shared_",
                           encoding->type->name);
    return lw_error_at(err, LW_ERROR_PARAMETER, encoding->position, "%s is not a %s",
                       encoding->type->name,
                       shared ? "shared layout of tilus: shared_row_major(8, 64) is one"
                              : "tilus register layout");
}

/* An error of the algebra is about a parameter of this call, or about the call as a whole. */
static void add_position(struct lw_error *err, const struct lw_encoding *encoding)
{
    if (!err || err->position.line)
        return;
    const struct lw_value *value = lw_encoding_value(encoding, err->parameter);
    err->position = value && value->position.line ? value->position : encoding->position;
}

static bool evaluate(const struct lw_encoding *encoding, enum lw_family family, int depth,
                     union lw_tilus_layout *out, struct lw_error *err)
{
    struct lw_tilus_call call = {.encoding = encoding, .depth = depth, .err = err};
    if (!encoding->type->evaluate || encoding->type->family != family)
        return wrong_family(encoding, family, err);
    if (depth > LW_NESTING_MAX)
        return lw_error_at(err, LW_ERROR_LIMIT, encoding->position,
                           "layouts in layouts, or calls in a chain, more than %d deep",
                           LW_NESTING_MAX);
    if (encoding->type->evaluate(&call, out))
        return true;
    add_position(err, encoding);
    return false;
}

bool lw_tilus_shared_eval(const struct lw_encoding *encoding, struct lw_tilus_shared *out,
                          struct lw_error *err)
{
    union lw_tilus_layout layout;
    if (!evaluate(encoding, LW_FAMILY_TILUS_SHARED, 0, &layout, err))
        return false;
    *out = layout.shared;
    return true;
}

bool lw_tilus_head(const struct lw_encoding *encoding, struct lw_text *text, struct lw_error *err)
{
    union lw_tilus_layout layout;
    bool shared = encoding->type->family == LW_FAMILY_TILUS_SHARED;
    if (!evaluate(encoding, shared ? LW_FAMILY_TILUS_SHARED : LW_FAMILY_TILUS_REGISTER, 0, &layout,
                  err))
        return false;
    if (shared)
        lw_tilus_shared_print(text, &layout.shared);
    else
        lw_tilus_print(text, &layout.registers);
    return true;
}

/* ---- Arguments ---- */

bool lw_tilus_take_layout(const struct lw_tilus_call *call, const char *name,
                          union lw_tilus_layout *out)
{
    const struct lw_encoding *nested = lw_encoding_nested(call->encoding, name);
    if (!nested)
        return lw_error_about(call->err, name, call->encoding->position, "%s needs %s: a layout",
                              call->encoding->type->name, name);
    return evaluate(nested, call->encoding->type->family, call->depth + 1, out, call->err);
}

bool lw_tilus_take_list(const struct lw_tilus_call *call, const char *name, struct lw_sizes *out)
{
    const struct lw_value *value = lw_encoding_value(call->encoding, name);
    out->count = 0;
    if (!value)
        return true;
    if (value->kind != LW_VALUE_LIST || value->count > LW_MODES_MAX)
        return lw_error_about(call->err, name, value->position,
                              "%s: must be a list of at most %d integers", name, LW_MODES_MAX);
    for (size_t i = 0; i < value->count; i++) {
        if (value->items[i].kind != LW_VALUE_INTEGER)
            return lw_error_about(call->err, name, value->items[i].position,
                                  "%s: entry %d must be an integer", name, (int)i);
        lw_sizes_push(out, value->items[i].integer);
    }
    return true;
}

bool lw_tilus_refuse_ones(const struct lw_sizes *modes, const char *function, struct lw_error *err)
{
    for (int i = 0; i < modes->count; i++)
        if (modes->at[i] == 1)
            return lw_tilus_refuse(err, "mode_shape", modes,
                                   "mode %d has size 1: %s(...) drops such modes", i, function);
    return true;
}

/* ---- Rows ---- */

bool lw_tilus_nested_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                            struct lw_tensor *nested, struct lw_error *err)
{
    (void)encoding, (void)err;
    lw_tensor_unknown(nested); /* nested layouts have their own shapes */
    nested->element = tensor->element;
    return true;
}

/* Whether the tensor has the layout's shape, or none. */
static bool check_tensor(const struct lw_sizes *shape, const struct lw_tensor *tensor,
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

static bool evaluate_for(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         union lw_tilus_layout *out, struct lw_error *err)
{
    enum lw_family family = encoding->type->family;
    return evaluate(encoding, family, 0, out, err) &&
           check_tensor(family == LW_FAMILY_TILUS_SHARED ? &out->shared.shape
                                                         : &out->registers.shape,
                        tensor, err);
}

bool lw_tilus_check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                    struct lw_error *err)
{
    union lw_tilus_layout layout;
    return evaluate_for(encoding, tensor, &layout, err);
}

bool lw_tilus_build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                    struct lw_map *map, struct lw_error *err)
{
    union lw_tilus_layout layout;
    if (!evaluate_for(encoding, tensor, &layout, err))
        return false;
    return encoding->type->family == LW_FAMILY_TILUS_SHARED
               ? lw_tilus_shared_to_map(&layout.shared, map, err)
               : lw_tilus_to_map(&layout.registers, map, err);
}
