/* The arguments of the calculator's operations, read as the rows of its table say. Invariant: an
 * argument that was read fits its parameter; dims that must be the layout's are. */

#include "notation/calc_table.h"

#include <string.h>

static bool fail_usage(struct lw_calc_reader *reader, const struct lw_calc_call *call,
                       struct lw_place place, const char *what, const char *name)
{
    return lw_error_at(reader->scan.err, LW_ERROR_SYNTAX, place, "%s%s: %s", name, what,
                       call->operation->usage);
}

/* ---- Expressions as arguments ---- */

static bool kind_fits(enum lw_calc_param_kind wanted, enum lw_calc_kind kind)
{
    switch (wanted) {
    case LW_CALC_PARAM_LAYOUT:
        return kind == LW_CALC_LAYOUT;
    case LW_CALC_PARAM_ACTION:
        return kind == LW_CALC_ACTION;
    case LW_CALC_PARAM_NUMBER:
        return kind == LW_CALC_NUMBER;
    case LW_CALC_PARAM_TRUTH:
        return kind == LW_CALC_TRUTH;
    case LW_CALC_PARAM_CUTE:
        return kind == LW_CALC_CUTE;
    default:
        return true;
    }
}

static const char *wanted_name(enum lw_calc_param_kind wanted)
{
    return lw_calc_kind_name(wanted == LW_CALC_PARAM_LAYOUT   ? LW_CALC_LAYOUT
                             : wanted == LW_CALC_PARAM_ACTION ? LW_CALC_ACTION
                             : wanted == LW_CALC_PARAM_CUTE   ? LW_CALC_CUTE
                             : wanted == LW_CALC_PARAM_NUMBER ? LW_CALC_NUMBER
                                                              : LW_CALC_TRUTH);
}

/* A number that was written, alone or in parentheses, is one; a shape may stand for a layout. */
static bool convert(struct lw_calc_reader *reader, enum lw_calc_param_kind wanted,
                    struct lw_calc_result *value)
{
    const struct lw_calc_item *item = &value->as.tuple;
    if (wanted == LW_CALC_PARAM_CUTE)
        return lw_calc_to_cute(reader, value) || reader->scan.err->code == LW_OK;
    if (value->kind != LW_CALC_TUPLE)
        return true;
    while (item->kind == LW_CALC_TUPLE && item->count == 1)
        item = &item->items[0];
    if (item->kind == LW_CALC_NUMBER && item->number >= 0 && !item->axis) {
        value->kind = LW_CALC_NUMBER;
        value->as.number = (uint64_t)item->number;
    }
    return true;
}

static bool read_value(struct lw_calc_reader *reader, const struct lw_calc_call *call,
                       const struct lw_calc_param *param, struct lw_calc_argument *arg)
{
    struct lw_scan *scan = &reader->scan;
    struct lw_calc_result *value = lw_arena_alloc(scan->arena, sizeof *value);
    if (!value)
        return lw_scan_out_of_memory(scan);
    lw_scan_space(scan);
    struct lw_place place = lw_scan_place(scan);
    if (!lw_calc_read_expression(reader, value))
        return false;
    arg->as.value = value;
    if (!convert(reader, param->kind, value))
        return false;
    if (kind_fits(param->kind, value->kind))
        return true;
    place = lw_scan_until(scan, place);
    if (value->kind == LW_CALC_NONE)
        return lw_error_at(scan->err, LW_ERROR_SHAPE, place, "%s: there is no layout here: %.300s",
                           call->operation->name, value->as.why);
    bool linear = param->kind == LW_CALC_PARAM_LAYOUT && value->kind == LW_CALC_CUTE;
    return lw_error_at(scan->err, LW_ERROR_SHAPE, place, "%s: '%s' must be %s, and this is %s%s",
                       call->operation->name, param->name, wanted_name(param->kind),
                       lw_calc_kind_name(value->kind), linear ? ": write .linear() after it" : "");
}

/* ---- Dims ---- */

static const char *offer_dim(const void *dims, size_t i)
{
    return ((const struct lw_dims *)dims)->dim[i].name;
}

/* Must the name be a dim of the layout, and is it? */
static bool check_side(struct lw_calc_reader *reader, const struct lw_calc_call *call,
                       enum lw_calc_side side, const char *name, struct lw_place place)
{
    struct lw_text names = {0};
    if (side == LW_CALC_FREE || !call->self)
        return true;
    const struct lw_layout *layout = &call->self->as.layout;
    const struct lw_dims *dims = side == LW_CALC_IN ? &layout->in : &layout->out;
    if (lw_dims_find(dims, name) >= 0)
        return true;
    const char *near = lw_text_nearest(name, (size_t)dims->count, offer_dim, dims);
    char hint[LW_HINT_MAX];
    for (int i = 0; i < dims->count; i++)
        lw_text_format(&names, "%s%s", i ? ", " : ": it may be ", dims->dim[i].name);
    lw_error_at(reader->scan.err, LW_ERROR_NAME, place, "%s: there is no %s-dim '%.40s'%s",
                call->operation->name, side == LW_CALC_IN ? "in" : "out", name,
                near ? lw_text_hint(hint, near, "") : lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

/* A dim's name, bare or in quotes; NULL and an error when there is none. */
static const char *read_dim_name(struct lw_calc_reader *reader, struct lw_place *place)
{
    char c = lw_scan_peek(&reader->scan);
    if (c == '"' || c == '\'')
        return lw_calc_read_quoted(reader, place);
    const char *name = lw_scan_name(&reader->scan, place);
    if (!name)
        lw_scan_unexpected(&reader->scan, "the name of a dim");
    return name;
}

static bool read_size(struct lw_calc_reader *reader, uint64_t *size)
{
    int64_t integer;
    if (!lw_scan_integer(&reader->scan, &integer))
        return false;
    *size = (uint64_t)integer;
    return true;
}

/* Reads a name and keeps it as the next of the argument. */
static bool read_dim(struct lw_calc_reader *reader, const struct lw_calc_call *call,
                     const struct lw_calc_param *param, struct lw_calc_argument *arg)
{
    struct lw_place place;
    const char *name = read_dim_name(reader, &place);
    if (!name || !check_side(reader, call, param->side, name, place))
        return false;
    if (arg->count == LW_DIMS_MAX)
        return lw_error_at(reader->scan.err, LW_ERROR_LIMIT, place, "at most %d dims on a side",
                           LW_DIMS_MAX);
    arg->as.dims.name[arg->count++] = name;
    return true;
}

/* Takes the comma before the next item, or the bracket at the end; *more says which. */
static bool next_item(struct lw_calc_reader *reader, bool first, char end, bool *more)
{
    *more = !lw_scan_take(&reader->scan, end);
    if (!*more || first)
        return true;
    return lw_scan_expect(&reader->scan, ',', end == ']' ? "`,` or `]`" : "`,` or `}`");
}

/* `register`, or `[register, 4]`. */
static bool read_item(struct lw_calc_reader *reader, const struct lw_calc_call *call,
                      const struct lw_calc_param *param, struct lw_calc_argument *arg)
{
    bool sized = lw_scan_peek(&reader->scan) == '[', outs = param->kind == LW_CALC_PARAM_OUTS;
    bool want = outs && arg->count == 0 ? sized
                : outs                  ? arg->as.dims.sized
                                        : param->kind == LW_CALC_PARAM_SIZES;
    if (sized && !want)
        return lw_scan_unexpected(&reader->scan, "the name of a dim");
    arg->as.dims.sized = want;
    if (!want)
        return read_dim(reader, call, param, arg);
    return lw_scan_expect(&reader->scan, '[', "a dim and its size, as [register, 4]") &&
           read_dim(reader, call, param, arg) &&
           lw_scan_expect(&reader->scan, ',', "`,` and the size") &&
           read_size(reader, &arg->as.dims.size[arg->count - 1]) &&
           lw_scan_expect(&reader->scan, ']', "`]`");
}

/* `[register, lane]`, `[[register, 4], [lane, 8]]`. */
static bool read_list(struct lw_calc_reader *reader, const struct lw_calc_call *call,
                      const struct lw_calc_param *param, struct lw_calc_argument *arg)
{
    bool more;
    if (!lw_scan_expect(&reader->scan, '[',
                        param->kind == LW_CALC_PARAM_SIZES
                            ? "sizes, as [[register, 4], [lane, 8]] or {register: 4, lane: 8}"
                            : "a list of dims, as [dim0, dim1]"))
        return false;
    for (;;) {
        if (!next_item(reader, arg->count == 0, ']', &more))
            return false;
        if (!more)
            return true;
        if (!read_item(reader, call, param, arg))
            return false;
    }
}

/* `{register: 4, lane: 8}`, the cursor at its brace. */
static bool read_object(struct lw_calc_reader *reader, const struct lw_calc_call *call,
                        const struct lw_calc_param *param, struct lw_calc_argument *arg)
{
    bool more;
    arg->as.dims.sized = true;
    lw_scan_take(&reader->scan, '{');
    for (;;) {
        if (!next_item(reader, arg->count == 0, '}', &more))
            return false;
        if (!more)
            return true;
        if (!read_dim(reader, call, param, arg) || !lw_scan_expect(&reader->scan, ':', "`:`") ||
            !read_size(reader, &arg->as.dims.size[arg->count - 1]))
            return false;
    }
}

/* ---- Points ---- */

/* `register=3` */
static bool read_coordinate(struct lw_calc_reader *reader, const struct lw_calc_call *call,
                            struct lw_calc_argument *arg, unsigned *said)
{
    struct lw_place place;
    const struct lw_dims *dims = &call->self->as.layout.in;
    const char *name = read_dim_name(reader, &place);
    if (!name || !check_side(reader, call, LW_CALC_IN, name, place))
        return false;
    int d = lw_dims_find(dims, name);
    if (*said >> d & 1)
        return lw_error_at(reader->scan.err, LW_ERROR_NAME, place, "'%s' is said twice", name);
    *said |= 1u << d;
    if (!lw_scan_take(&reader->scan, ':') && !lw_scan_expect(&reader->scan, '=', "`=`"))
        return false;
    lw_scan_space(&reader->scan);
    place = lw_scan_place(&reader->scan);
    if (!read_size(reader, &arg->as.point[d]))
        return false;
    if (arg->as.point[d] < dims->dim[d].size)
        return true;
    return lw_error_at(reader->scan.err, LW_ERROR_PARAMETER, lw_scan_until(&reader->scan, place),
                       "%s = %llu: from 0 to %llu", name, (unsigned long long)arg->as.point[d],
                       (unsigned long long)dims->dim[d].size - 1);
}

/* `register=3, lane=5` up to the parenthesis, or the same in braces. */
static bool read_point(struct lw_calc_reader *reader, const struct lw_calc_call *call,
                       struct lw_calc_argument *arg)
{
    bool braces = lw_scan_take(&reader->scan, '{');
    char end = braces ? '}' : ')';
    unsigned said = 0;
    memset(arg->as.point, 0, sizeof arg->as.point);
    while (lw_scan_peek(&reader->scan) != end) {
        if (said && !lw_scan_expect(&reader->scan, ',', braces ? "`,` or `}`" : "`,` or `)`"))
            return false;
        if (!read_coordinate(reader, call, arg, &said))
            return false;
    }
    return !braces || lw_scan_take(&reader->scan, '}');
}

/* ---- Numbers ---- */

/* `[2, 0, 1]` of at most `most` numbers. */
static bool read_numbers(struct lw_calc_reader *reader, uint64_t *numbers, int most, int *count)
{
    bool more;
    *count = 0;
    if (!lw_scan_expect(&reader->scan, '[', "a list of numbers, as [2, 0, 1]"))
        return false;
    for (;;) {
        if (!next_item(reader, *count == 0, ']', &more))
            return false;
        if (!more)
            return true;
        if (*count == most)
            return lw_error_at(reader->scan.err, LW_ERROR_LIMIT, lw_scan_place(&reader->scan),
                               "at most %d numbers here", most);
        if (!read_size(reader, &numbers[*count]))
            return false;
        ++*count;
    }
}

/* An image: `[1, 0]`, or a bare number when there is one out-dim. All have equally many numbers. */
static bool read_image(struct lw_calc_reader *reader, struct lw_calc_argument *arg, int bit)
{
    uint64_t image[LW_DIMS_MAX];
    int count = 1;
    lw_scan_space(&reader->scan);
    struct lw_place place = lw_scan_place(&reader->scan);
    if (bit == LW_BITS_MAX)
        return lw_error_at(reader->scan.err, LW_ERROR_LIMIT, place, "at most %d bases",
                           LW_BITS_MAX);
    if (lw_scan_peek(&reader->scan) == '[' ? !read_numbers(reader, image, LW_DIMS_MAX, &count)
                                           : !read_size(reader, image))
        return false;
    if (arg->count >= 0 && arg->count != count)
        return lw_error_at(reader->scan.err, LW_ERROR_SHAPE, lw_scan_until(&reader->scan, place),
                           "a basis of %d numbers among bases of %d", count, arg->count);
    arg->count = count;
    memcpy(arg->as.bases.images + bit * count, image, (size_t)count * sizeof *image);
    return true;
}

/* `lane: [[1, 0], [0, 1]]` */
static bool read_dim_bases(struct lw_calc_reader *reader, struct lw_calc_argument *arg, int *bits)
{
    struct lw_place place;
    bool more;
    int count = 0;
    const char *name = read_dim_name(reader, &place);
    if (!name || !lw_scan_expect(&reader->scan, ':', "`:`") ||
        !lw_scan_expect(&reader->scan, '[', "a list of bases"))
        return false;
    for (;; count++) {
        if (!next_item(reader, count == 0, ']', &more))
            return false;
        if (!more)
            break;
        if (!read_image(reader, arg, *bits + count))
            return false;
    }
    *bits += count;
    if (count < 64 && lw_dims_add(&arg->as.bases.in, name, (uint64_t)1 << count, reader->scan.err))
        return true;
    if (count == 64)
        lw_error_set(reader->scan.err, LW_ERROR_LIMIT, "one dim has at most 63 bases");
    reader->scan.err->place = place;
    return false;
}

/* `{register: [[1, 0], [2, 0]], lane: []}`. The count is -1 while no basis says how long they are. */
static bool read_bases(struct lw_calc_reader *reader, struct lw_calc_argument *arg)
{
    struct lw_scan *scan = &reader->scan;
    bool more;
    int bits = 0;
    arg->count = -1;
    arg->as.bases.in.count = 0;
    arg->as.bases.images =
        lw_arena_alloc(scan->arena, sizeof(uint64_t) * LW_BITS_MAX * LW_DIMS_MAX);
    if (!arg->as.bases.images)
        return lw_scan_out_of_memory(scan);
    if (!lw_scan_expect(scan, '{', "bases, as {lane: [[1, 0], [0, 1]]}"))
        return false;
    for (bool first = true;; first = false) {
        if (!next_item(reader, first, '}', &more))
            return false;
        if (!more)
            return true;
        if (!read_dim_bases(reader, arg, &bits))
            return false;
    }
}

/* ---- Of CuTe ---- */

static bool read_tuple(struct lw_calc_reader *reader, const struct lw_calc_param *param,
                       struct lw_calc_argument *arg)
{
    struct lw_calc_result value;
    lw_scan_space(&reader->scan);
    struct lw_place place = lw_scan_place(&reader->scan);
    if (!lw_calc_read_expression(reader, &value))
        return false;
    place = lw_scan_until(&reader->scan, place);
    if (param->kind == LW_CALC_PARAM_TILER && value.kind != LW_CALC_SWIZZLE)
        return lw_calc_to_tiler(reader, &value, place, &arg->as.tiler);
    if (!lw_calc_to_item(reader, &value, place, &arg->as.tuple))
        return false;
    return arg->as.tuple.kind == LW_CALC_NUMBER || arg->as.tuple.kind == LW_CALC_TUPLE ||
           lw_error_at(reader->scan.err, LW_ERROR_SHAPE, place,
                       "'%s' is a number or a tuple, not %s", param->name,
                       lw_calc_kind_name(value.kind));
}

/* ---- All of them ---- */

static bool read_argument(struct lw_calc_reader *reader, const struct lw_calc_call *call,
                          const struct lw_calc_param *param, struct lw_calc_argument *arg)
{
    switch (param->kind) {
    case LW_CALC_PARAM_DIM:
        return read_dim(reader, call, param, arg);
    case LW_CALC_PARAM_SIZES:
        if (lw_scan_peek(&reader->scan) == '{')
            return read_object(reader, call, param, arg);
        return read_list(reader, call, param, arg);
    case LW_CALC_PARAM_OUTS:
        if (lw_scan_peek(&reader->scan) == '{')
            return read_object(reader, call, param, arg);
        return read_list(reader, call, param, arg);
    case LW_CALC_PARAM_DIMS:
        return read_list(reader, call, param, arg);
    case LW_CALC_PARAM_POINT:
        return read_point(reader, call, arg);
    case LW_CALC_PARAM_COLUMNS:
        return read_numbers(reader, arg->as.columns, LW_BITS_MAX, &arg->count);
    case LW_CALC_PARAM_BASES:
        return read_bases(reader, arg);
    case LW_CALC_PARAM_TILER:
    case LW_CALC_PARAM_TUPLE:
        return read_tuple(reader, param, arg);
    case LW_CALC_PARAM_REST:
        return lw_calc_read_items(reader, &arg->as.tuple);
    default:
        return read_value(reader, call, param, arg);
    }
}

bool lw_calc_read_arguments(struct lw_calc_reader *reader, struct lw_calc_call *call, char end)
{
    struct lw_scan *scan = &reader->scan;
    const struct lw_calc_operation *operation = call->operation;
    int count = 0;
    for (; count < LW_CALC_PARAMS_MAX && operation->params[count].kind; count++) {
        const struct lw_calc_param *param = &operation->params[count];
        if (lw_scan_peek(scan) == end && param->kind != LW_CALC_PARAM_POINT &&
            param->kind != LW_CALC_PARAM_REST) {
            struct lw_place place = lw_scan_place(scan);
            place.length = 1;
            if (!param->optional)
                return fail_usage(reader, call, place, " is missing", param->name);
            break;
        }
        if (count && !lw_scan_expect(scan, ',', "`,`"))
            return false;
        if (!read_argument(reader, call, param, &call->args[count]))
            return false;
        call->args[count].given = true;
    }
    if (lw_scan_take(scan, end))
        return true;
    struct lw_place place = lw_scan_place(scan);
    place.length = 1;
    if (lw_scan_peek(scan) == ',')
        return fail_usage(reader, call, place, "too many arguments", "");
    return lw_scan_unexpected(scan, end == ')' ? "`)`" : "`>`");
}
