/* Functions that choose a layout for a tensor: getDefaultBlockedEncoding([64, 64], 4) of Triton, and
 * NVMMASharedLayout.get_default_for([128, 64], gl.float16) of Gluon. Source: Dialect.cpp and _layouts.py of
 * Triton 3.9. */

#include "encoding/schema/types.h"
#include "laneway/triton.h"
#include "notation/expression/evaluate.h"

#include <string.h>

enum { ARGUMENTS = 6, SPELLINGS = 2 };

/* A function: its arguments, in their order when they have no names. */
struct function {
    const char *name, *usage;
    int needed; /* how many arguments are required */
    const char *arguments[ARGUMENTS][SPELLINGS];
    struct lw_encoding *(*make)(struct lw_scan *scan, const struct lw_value *const *given,
                                struct lw_tensor *tensor);
};

/* ---- Arguments ---- */

static bool fail(struct lw_scan *scan, const struct lw_value *value, const char *what)
{
    return lw_error_at(scan->err, LW_ERROR_PARAMETER, value->position, "%s", what);
}

/* A list of as many integers as `rank`, or of any number when that is 0; *rank is set to their number. */
static bool take_list(struct lw_scan *scan, const struct lw_value *value, int *rank,
                      int64_t *numbers)
{
    bool good = value->kind == LW_VALUE_LIST && value->count > 0 && value->count <= LW_RANK_MAX &&
                (!*rank || value->count == (size_t)*rank);
    for (size_t d = 0; good && d < value->count; d++) {
        good = value->items[d].kind == LW_VALUE_INTEGER;
        numbers[d] = value->items[d].integer;
    }
    *rank = good ? (int)value->count : *rank;
    return good || fail(scan, value, "expected a list of integers, one for each dim");
}

static bool take_integer(struct lw_scan *scan, const struct lw_value *value, int64_t *number)
{
    if (value)
        *number = value->integer;
    return !value || value->kind == LW_VALUE_INTEGER || fail(scan, value, "expected an integer");
}

static bool take_truth(struct lw_scan *scan, const struct lw_value *value, bool *truth)
{
    *truth = value && value->integer;
    return !value || value->kind == LW_VALUE_BOOLEAN || fail(scan, value, "expected True or False");
}

/* Reads the shape, of sizes from 1 on, and sets that of the tensor. */
static bool take_shape(struct lw_scan *scan, const struct lw_value *value, int64_t *shape,
                       struct lw_tensor *tensor)
{
    int rank = 0;
    if (!take_list(scan, value, &rank, shape))
        return false;
    for (int d = 0; d < rank; d++) {
        if (shape[d] < 1 || shape[d] > (int64_t)1 << 32)
            return fail(scan, &value->items[d], "a size must be from 1 to 2^32");
        tensor->shape[d] = (uint64_t)shape[d];
    }
    tensor->rank = rank;
    return true;
}

/* ---- Triton ---- */

static struct lw_encoding *make_blocked(struct lw_scan *scan, const struct lw_value *const *given,
                                        struct lw_tensor *tensor)
{
    int64_t shape[LW_RANK_MAX], size[LW_RANK_MAX], order[LW_RANK_MAX];
    struct lw_blocked_request request = {.shape = shape, .lanes = 32};
    if (!take_shape(scan, given[0], shape, tensor))
        return NULL;
    request.rank = tensor->rank;
    if (!take_integer(scan, given[1], &request.warps) ||
        !take_integer(scan, given[2], &request.lanes) ||
        !take_integer(scan, given[5], &request.blocks) ||
        (given[3] && !take_list(scan, given[3], &request.rank, size)) ||
        (given[4] && !take_list(scan, given[4], &request.rank, order)))
        return NULL;
    if (given[5] && request.blocks < 1) {
        fail(scan, given[5], "numCTAs must be 1 or more");
        return NULL;
    }
    request.size = given[3] ? size : NULL;
    request.order = given[4] ? order : NULL;
    return lw_blocked_default(scan->arena, &request, scan->err);
}

/* ---- Gluon ---- */

/* The widest swizzle whose rows divide that of the tensor. */
static int64_t swizzle_width(const struct lw_tensor *tensor, bool transposed, int packed)
{
    uint64_t rows = 1, row = tensor->shape[transposed ? 0 : tensor->rank - 1] * (uint64_t)packed *
                             (uint64_t)tensor->element.bits / 8;
    for (int d = 0; d < tensor->rank && rows < 8; d++)
        rows *= d == (transposed ? 0 : tensor->rank - 1) ? 1 : tensor->shape[d];
    for (int64_t width = 128; width >= 32 && tensor->rank > 1 && rows >= 8; width /= 2)
        if (row % (uint64_t)width == 0)
            return width;
    return 0;
}

static struct lw_encoding *make_nvmma(struct lw_scan *scan, const struct lw_value *const *given,
                                      struct lw_tensor *tensor)
{
    int64_t shape[LW_RANK_MAX];
    bool transposed, padded;
    if (!take_shape(scan, given[0], shape, tensor) || !take_truth(scan, given[2], &transposed) ||
        !take_truth(scan, given[3], &padded))
        return NULL;
    if (given[1]->kind != LW_VALUE_STRING) {
        fail(scan, given[1], "expected the type of an element, such as gl.float16");
        return NULL;
    }
    if (!lw_element_find(&tensor->element, given[1]->string, scan->err))
        return NULL;
    const struct {
        const char *name;
        struct lw_value value;
    } values[] = {
        {"swizzlingByteWidth", lw_value_integer(swizzle_width(tensor, transposed, padded ? 2 : 1))},
        {"elementBitWidth", lw_value_integer(tensor->element.bits)},
        {"transposed", lw_value_boolean(transposed)},
        {"fp4Padded", lw_value_boolean(padded)},
    };
    struct lw_encoding *encoding =
        lw_encoding_new(scan->arena, lw_encoding_type_find("nvmma_shared"));
    for (size_t i = 0; encoding && i < LW_COUNT(values); i++)
        if ((i < 3 || padded) &&
            !lw_encoding_set(encoding, values[i].name, &values[i].value, scan->err))
            return NULL;
    if (!encoding)
        lw_scan_out_of_memory(scan);
    return encoding;
}

/* ---- All ---- */

static const struct function functions[] = {
    {"getDefaultBlockedEncoding",
     "getDefaultBlockedEncoding(shape, numWarps[, threadsPerWarp][, sizePerThread][, order]"
     "[, numCTAs])",
     2,
     {{"shape", "shape"},
      {"numWarps", "num_warps"},
      {"threadsPerWarp", "threads_per_warp"},
      {"sizePerThread", "size_per_thread"},
      {"order", "order"},
      {"numCTAs", "num_ctas"}},
     make_blocked},
    {"get_default_for",
     "get_default_for(block_shape, dtype[, transposed][, fp4_padded])",
     2,
     {{"block_shape", "shape"},
      {"dtype", "dtype"},
      {"transposed", "transposed"},
      {"fp4_padded", "fp4_padded"}},
     make_nvmma},
};

static const struct function *find_function(const char *name)
{
    for (size_t i = 0; i < LW_COUNT(functions); i++)
        if (!strcmp(functions[i].name, name))
            return &functions[i];
    return NULL;
}

bool lw_is_default_call(const char *name)
{
    return find_function(name);
}

bool lw_default_element(const struct lw_node *node, struct lw_value *value)
{
    struct lw_element element;
    const struct lw_node *last = node->kind == LW_NODE_CHAIN ? lw_node_last(node) : node;
    bool named = (node->kind == LW_NODE_NAME && !node->angles) ||
                 (node->kind == LW_NODE_CHAIN && last->kind == LW_NODE_MEMBER);
    if (!named || !lw_element_find(&element, last->name, NULL))
        return false;
    *value = (struct lw_value){
        .kind = LW_VALUE_STRING, .string = last->name, .position = node->position};
    return true;
}

/* The number of an argument; -1: there is none of that name. */
static int argument_of(const struct function *function, const char *name, size_t position)
{
    for (int i = 0; i < ARGUMENTS && function->arguments[i][0]; i++)
        if (name ? !strcmp(function->arguments[i][0], name) ||
                       !strcmp(function->arguments[i][1], name)
                 : position == (size_t)i)
            return i;
    return -1;
}

struct lw_encoding *lw_default_call(struct lw_scan *scan, const char *name,
                                    struct lw_position position,
                                    const struct lw_call_arguments *arguments,
                                    struct lw_tensor *tensor)
{
    const struct function *function = find_function(name);
    const struct lw_value *given[ARGUMENTS] = {NULL};
    for (size_t k = 0; k < arguments->count; k++) {
        const struct lw_call_argument *argument = &arguments->items[k];
        int i = argument_of(function, argument->name, k);
        if (i < 0 || given[i]) {
            lw_error_at(scan->err, LW_ERROR_NAME,
                        argument->name ? argument->name_position : argument->value.position, "%s",
                        function->usage);
            return NULL;
        }
        given[i] = &argument->value;
    }
    for (int i = 0; i < function->needed; i++)
        if (!given[i]) {
            lw_error_at(scan->err, LW_ERROR_PARAMETER, position, "%s is missing: %s",
                        function->arguments[i][0], function->usage);
            return NULL;
        }
    struct lw_encoding *encoding = function->make(scan, given, tensor);
    if (!encoding && scan->err->position.line == 0)
        scan->err->position = position;
    return encoding;
}
