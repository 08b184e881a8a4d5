/* Results of the calculator as text and as JSON; tilings as sources. */

#include "notation/calc/calculator.h"

#include "core/action.h"

#include "encoding/tilus/tilus.h"
#include "laneway/document.h"

#include <string.h>

/* ---- Linear layouts ---- */

/* Begins, or ends, a list of `count` items: in JSON it has brackets, and as text where it is empty. */
static void bracket(struct lw_text *text, char c, int count, bool json)
{
    if (json || count == 0)
        lw_text_char(text, c);
}

/* `dim0=3 dim1=5`, `()` when there are no dims, or {"dim0":3,"dim1":5}. */
static void print_point(struct lw_text *text, const struct lw_dims *dims, uint64_t flat, bool json)
{
    uint64_t point[LW_DIMS_MAX];
    lw_dims_unflatten(dims, flat, point);
    if (json || dims->count == 0)
        lw_text_add(text, json ? "{" : "()");
    for (int i = 0; i < dims->count; i++) {
        lw_text_add(text, i ? json ? "," : " " : "");
        lw_text_format(text, json ? "\"%s\":" : "%s=", dims->dim[i].name);
        lw_text_number(text, point[i]);
    }
    lw_text_add(text, json ? "}" : "");
}

static void print_points(struct lw_text *text, const struct lw_calc_result *result, bool json)
{
    int count = result->as.points.count;
    bracket(text, '[', count, json);
    for (int i = 0; i < count; i++) {
        lw_text_add(text, !i ? "" : json ? "," : "\n");
        print_point(text, &result->as.points.dims, result->as.points.flat[i], json);
    }
    bracket(text, ']', count, json);
}

static void print_matrix(struct lw_text *text, const struct lw_matrix *matrix, bool json)
{
    bracket(text, '[', matrix->rows, json);
    for (int r = 0; r < matrix->rows; r++) {
        lw_text_add(text, !r ? "[" : json ? ",[" : "\n[");
        for (int c = 0; c < matrix->cols; c++) {
            lw_text_add(text, c ? json ? "," : ", " : "");
            lw_text_char(text, matrix->column[c] >> r & 1 ? '1' : '0');
        }
        lw_text_char(text, ']');
    }
    bracket(text, ']', matrix->rows, json);
}

static void print_dims(struct lw_text *text, const struct lw_dims *dims, bool json)
{
    bracket(text, '[', dims->count, json);
    for (int i = 0; i < dims->count; i++) {
        lw_text_add(text, i ? json ? "," : " " : "");
        lw_text_format(text, json ? "[\"%s\",%llu]" : "%s=%llu", dims->dim[i].name,
                       (unsigned long long)dims->dim[i].size);
    }
    bracket(text, ']', dims->count, json);
}

/* Triton's form without the newline that it begins with. */
static void print_layout(struct lw_text *text, const struct lw_layout *layout, bool json)
{
    struct lw_text own = {0};
    if (json) {
        lw_layout_print_json(text, layout);
        return;
    }
    lw_layout_print(&own, layout);
    lw_text_add(text, lw_text_string(&own) + (own.length > 0 && !own.failed));
    lw_text_free(&own);
}

/* ---- Trees ---- */

/* In JSON a layout is a string, and a part of a tensor an object: its layout, its start (a number, or a coordinate as a
 * string) and its thread. A tensor of coordinates is one string, with its start and without its thread. */
static void print_tree(struct lw_text *text, const struct lw_calc_result *result, bool json)
{
    const struct lw_cute *cute = lw_calc_cute(result);
    bool part = json && cute && cute->part && !cute->tensor;
    if (!cute) {
        lw_cute_tree_print(text, &result->as.tree, json);
        return;
    }
    lw_text_add(text, part ? "{\"layout\":\"" : json ? "\"" : "");
    lw_cute_print(text, cute);
    lw_text_add(text, json ? "\"" : "");
    if (!part)
        return;
    lw_text_add(text, cute->origin ? ",\"start\":\"" : ",\"start\":");
    if (cute->origin)
        lw_cute_tuple_print(text, cute->origin);
    else
        lw_text_format(text, "%lld", (long long)cute->start);
    lw_text_add(text, cute->origin ? "\"" : "");
    if (cute->of_thread)
        lw_text_format(text, ",\"thread\":%lld", (long long)cute->thread);
    lw_text_char(text, '}');
}

/* ---- Atoms and tilings ---- */

/* A field, `  name: ` and a layout on a line of its own, in `width` columns; NULL: a tuple instead. */
static void field(struct lw_text *text, const char *name, int width,
                  const struct lw_cute_layout *layout, const struct lw_cute_tuple *tuple)
{
    lw_text_format(text, "\n  %s:%*s", name, width - 1 - (int)strlen(name), "");
    if (layout)
        lw_cute_layout_print(text, layout);
    else
        lw_cute_tuple_print(text, tuple);
}

static void print_mma(struct lw_text *text, const struct lw_cute_tiled_mma *tiled, int64_t thread,
                      const struct lw_cute_mma_atom *atom)
{
    struct lw_cute_tuple vmnk[4] = {{0}};
    struct lw_cute_work work = {.rules = LW_CUTE_UNCHECKED};
    if (thread >= 0) { /* its coordinates V, M, N and K */
        lw_cute_mma_thread(&work, tiled, thread, vmnk);
        const struct lw_cute_tuple at = lw_cute_tuple_of(vmnk, 4);
        lw_text_add(text, "ThrMMA");
        field(text, "Thr VMNK", 10, NULL, &at);
        lw_text_char(text, '\n');
    }
    if (tiled) {
        lw_text_add(text, "TiledMMA");
        field(text, "ThrLayoutVMNK", 16, &tiled->threads, NULL);
        field(text, "PermutationMNK", 16, NULL, &tiled->permutation);
        lw_text_char(text, '\n');
    }
    lw_text_add(text, "MMA_Atom");
    field(text, "ThrID", 12, &atom->threads, NULL);
    field(text, "Shape_MNK", 12, NULL, &atom->mnk);
    field(text, "LayoutA_TV", 12, &atom->operand[LW_CUTE_A], NULL);
    field(text, "LayoutB_TV", 12, &atom->operand[LW_CUTE_B], NULL);
    field(text, "LayoutC_TV", 12, &atom->operand[LW_CUTE_C], NULL);
}

static void print_copy(struct lw_text *text, const struct lw_cute_tiled_copy *tiled, int64_t thread,
                       const struct lw_cute_copy_atom *atom)
{
    if (thread >= 0)
        lw_text_format(text, "ThrCopy\n  ThrIdx: %lld\n", (long long)thread);
    if (tiled) {
        lw_text_add(text, "TiledCopy");
        field(text, "Tiler_MN", 16, NULL, &tiled->tiler);
        field(text, "TiledLayout_TV", 16, &tiled->tv, NULL);
        lw_text_char(text, '\n');
    }
    lw_text_add(text, atom->bits ? "Copy_Atom" : "Copy_Traits");
    field(text, "ThrID", 14, &atom->threads, NULL);
    field(text, atom->bits ? "ValLayoutSrc" : "SrcLayout", 14, &atom->side[0], NULL);
    field(text, atom->bits ? "ValLayoutDst" : "DstLayout", 14, &atom->side[1], NULL);
    field(text, atom->bits ? "ValLayoutRef" : "RefLayout", 14, &atom->reference, NULL);
    if (atom->bits)
        lw_text_format(text, "\n  ValueType:    %db", atom->bits);
}

/* ---- Tensor maps ---- */

static void put_numbers(struct lw_text *text, const char *name, const uint64_t *numbers, int count)
{
    lw_text_format(text, "\n  %-14s ", name);
    for (int i = 0; i < count; i++)
        lw_text_format(text, "%s%llu", i ? ", " : "", (unsigned long long)numbers[i]);
}

/* The arguments of cuTensorMapEncodeTiled, one a line. */
static void print_tensor_map(struct lw_text *text, const struct lw_tensor_map *map)
{
    static const uint64_t ones[LW_TENSOR_MAP_RANK] = {1, 1, 1, 1, 1};
    lw_text_format(text, "CUtensorMap\n  tensorDataType %s\n  tensorRank     %d", map->type,
                   map->rank);
    put_numbers(text, "globalDim", map->dims, map->rank);
    put_numbers(text, "globalStrides", map->strides + 1, map->rank - 1);
    put_numbers(text, "boxDim", map->box, map->rank);
    put_numbers(text, "elementStrides", ones, map->rank);
    lw_text_format(text, "\n  interleave     NONE\n  swizzle        %s", map->swizzle);
}

/* ---- Results ---- */

/* In JSON what follows TREE in the enum is a string of its text. */
static void print(struct lw_text *text, const struct lw_calc_result *result, bool json)
{
    if (json && result->kind > LW_CALC_TREE) {
        struct lw_text own = {0};
        print(&own, result, false);
        lw_text_json_string(text, lw_text_string(&own));
        lw_text_free(&own);
        return;
    }
    switch (result->kind) {
    case LW_CALC_NONE:
        lw_text_add(text, json ? "null" : "none");
        break;
    case LW_CALC_LAYOUT:
        print_layout(text, &result->as.layout, json);
        break;
    case LW_CALC_TRUTH:
        lw_text_add(text, result->as.truth ? "true" : "false");
        break;
    case LW_CALC_POINT:
        print_point(text, &result->as.points.dims, result->as.points.flat[0], json);
        break;
    case LW_CALC_POINTS:
        print_points(text, result, json);
        break;
    case LW_CALC_MATRIX:
        print_matrix(text, &result->as.matrix, json);
        break;
    case LW_CALC_ACTION:
        lw_action_print(text, &result->as.action);
        break;
    case LW_CALC_DIMS:
        print_dims(text, &result->as.dims, json);
        break;
    case LW_CALC_TREE:
        print_tree(text, result, json);
        break;
    case LW_CALC_TILUS:
        if (!lw_tilus_head(result->as.tilus, text, NULL)) /* a Swizzle, which is no layout */
            lw_encoding_print(text, result->as.tilus);
        break;
    case LW_CALC_SWIZZLE:
        lw_text_format(text, "Sw<%d,%d,%d>", result->as.swizzle.bits, result->as.swizzle.base,
                       result->as.swizzle.shift);
        break;
    case LW_CALC_ATOM:
    case LW_CALC_MMA:
    case LW_CALC_COPY: {
        const struct lw_calc_tiling *of = &result->as.tiling;
        if (of->mma || of->mma_atom)
            print_mma(text, of->mma, of->thread, of->mma ? of->mma->atom : of->mma_atom);
        else
            print_copy(text, of->copy, of->thread, of->copy ? of->copy->atom : of->copy_atom);
        break;
    }
    case LW_CALC_DESCRIPTOR:
        lw_descriptor_print(text, &result->as.descriptor);
        break;
    case LW_CALC_TENSOR_MAP:
        print_tensor_map(text, &result->as.tensor_map);
        break;
    }
}

void lw_calc_print(struct lw_text *text, const struct lw_calc_result *result)
{
    print(text, result, false);
}

void lw_calc_print_json(struct lw_text *text, const struct lw_calc_result *result)
{
    print(text, result, true);
}

void lw_calc_print_start(struct lw_text *text, const struct lw_calc_result *result)
{
    const struct lw_cute *cute = lw_calc_cute(result);
    bool start = cute && !cute->tensor;
    if (!cute || !cute->part || (!start && !cute->of_thread))
        return;
    lw_text_add(text, start ? "# starts at " : "# ");
    if (start && cute->origin)
        lw_cute_tuple_print(text, cute->origin);
    else if (start)
        lw_text_format(text, "offset %lld", (long long)cute->start);
    lw_text_add(text, start && cute->composed ? " before the swizzle" : "");
    if (cute->of_thread)
        lw_text_format(text, "%sthe part of thread %lld", start ? ", " : "",
                       (long long)cute->thread);
}

/* ---- As a source ---- */

static void write_mma(struct lw_text *text, const struct lw_cute_tiled_mma *mma)
{
    bool permuted = false;
    for (int i = 0; i < 3; i++)
        permuted = permuted || !lw_cute_is_blank(&mma->permutation.items[i]);
    lw_text_format(text, "make_tiled_mma(%s{}, ", mma->atom->name);
    lw_cute_layout_print(text, &mma->atoms);
    if (permuted) {
        lw_text_add(text, ", ");
        lw_cute_tuple_print(text, &mma->permutation);
    }
    lw_text_char(text, ')');
}

/* False: no type of C++ has so many bits. */
static bool write_copy(struct lw_text *text, const struct lw_cute_tiled_copy *copy)
{
    int bits = copy->atom->bits, copied;
    char end;
    if (bits < 8 || bits > 128 || (bits & (bits - 1)) != 0)
        return false;
    lw_text_add(text, "make_tiled_copy_impl(Copy_Atom<");
    /* the copy of 128 bits is UniversalCopy<uint128_t> in C++; sizes without a type keep their own name */
    if (sscanf(copy->atom->name, "UniversalCopy_%d%c", &copied, &end) == 2 && end == 'b' &&
        copied >= 8 && copied <= 256 && (copied & (copied - 1)) == 0)
        lw_text_format(text, "UniversalCopy<uint%d_t>", copied);
    else
        lw_text_add(text, copy->atom->name);
    if (copy->atom->type)
        lw_text_format(text, ", %s>{}, ", copy->atom->type);
    else
        lw_text_format(text, ", uint%d_t>{}, ", bits);
    lw_cute_layout_print(text, &copy->tv);
    lw_text_add(text, ", ");
    lw_cute_tuple_print(text, &copy->tiler);
    lw_text_char(text, ')');
    return true;
}

const char *lw_calc_tiling_source(struct lw_arena *arena, const struct lw_calc_tiling *tiling)
{
    struct lw_text text = {0};
    bool written = true;
    const char *name = tiling->mma ? tiling->mma->atom->name : tiling->copy->atom->name;
    if (strchr(name, ' ')) /* it was printed without its name */
        written = false;
    else if (tiling->mma)
        write_mma(&text, tiling->mma);
    else
        written = write_copy(&text, tiling->copy);
    const char *source =
        written && !text.failed ? lw_arena_string(arena, lw_text_string(&text), text.length) : NULL;
    lw_text_free(&text);
    return source;
}
