/*
 * Tensor maps of TMA: the box that one instruction copies, and the tensor as its dims. Source:
 * construct_tma_gbasis, fill_tma_gmem_shape_stride and make_tma_copy_desc of
 * copy_traits_sm90_tma.hpp, in CUTLASS 4; and cuTensorMapEncodeTiled of the CUDA driver's manual.
 *
 * Each dim of the map has modes of the tensor, by number: leaves of its shape, from the left.
 */

#include "core/divide.h"
#include "encoding/cute/cute_parts.h"
#include "laneway/tensor.h"

#include <string.h>

/* ---- Elements and swizzles ---- */

static const struct element_type {
    const char *name, *mlir, *type;
    int number, bits;
} element_types[] = {
    {"half_t", "f16", "FLOAT16", 6, 16},       {"bfloat16_t", "bf16", "BFLOAT16", 9, 16},
    {"float", "f32", "FLOAT32", 7, 32},        {"tfloat32_t", "tf32", "TFLOAT32", 11, 32},
    {"double", "f64", "FLOAT64", 8, 64},       {"uint8_t", "i8", "UINT8", 0, 8},
    {"int8_t", "ui8", "UINT8", 0, 8},          {"float_e4m3_t", "f8E4M3FN", "UINT8", 0, 8},
    {"float_e5m2_t", "f8E5M2", "UINT8", 0, 8}, {"float_ue8m0_t", "f8E8M0FNU", "UINT8", 0, 8},
    {"uint16_t", "i16", "UINT16", 1, 16},      {"uint32_t", "ui32", "UINT32", 2, 32},
    {"int32_t", "i32", "INT32", 3, 32},        {"uint64_t", "ui64", "UINT64", 4, 64},
    {"int64_t", "i64", "INT64", 5, 64},
};

static const struct element_type *find_element(const char *name, struct lw_error *err)
{
    struct lw_element element;
    for (size_t i = 0; i < sizeof element_types / sizeof *element_types; i++)
        if (!strcmp(element_types[i].name, name) || !strcmp(element_types[i].mlir, name))
            return &element_types[i];
    if (lw_element_find(&element, name, err))
        for (size_t i = 0; i < sizeof element_types / sizeof *element_types; i++)
            if (!strcmp(element_types[i].mlir, element.name))
                return &element_types[i];
    lw_error_set(err, LW_ERROR_PARAMETER,
                 "a tensor map has no elements of type '%.40s'; there are half_t, bfloat16_t, "
                 "float, tfloat32_t, double, int8_t to int64_t, uint8_t to uint64_t, float_e4m3_t, "
                 "float_e5m2_t",
                 name);
    return NULL;
}

/* `row`: bytes of a row of the box at most; 0: any number. */
static const struct map_swizzle {
    struct lw_cute_swizzle swizzle;
    const char *name;
    int number;
    uint64_t row;
} map_swizzles[] = {
    {{0, 4, 3}, "NONE", 0, 0},
    {{1, 4, 3}, "32B", 1, 32},
    {{2, 4, 3}, "64B", 2, 64},
    {{3, 4, 3}, "128B", 3, 128},
    {{2, 5, 2}, "128B_ATOM_32B", 4, 128},
};

static const struct map_swizzle *find_swizzle(struct lw_cute_work *work,
                                              const struct lw_cute *bytes)
{
    const struct lw_cute_swizzle *s = &bytes->swizzle;
    if (!bytes->composed || !s->bits)
        return &map_swizzles[0];
    for (size_t i = 1; i < sizeof map_swizzles / sizeof *map_swizzles; i++)
        if (!memcmp(&map_swizzles[i].swizzle, s, sizeof *s))
            return &map_swizzles[i];
    lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                 "TMA has no swizzle Sw<%d,%d,%d> of bytes; it has Sw<1,4,3>, Sw<2,4,3>, "
                 "Sw<3,4,3> and Sw<2,5,2>; CuTe does not compile any other",
                 s->bits, s->base, s->shift);
    return NULL;
}

/* ---- The modes of the tensor ---- */

/* A leaf of the tensor. */
struct mode {
    struct lw_cute_tuple size, stride;
    unsigned axis; /* of its coordinate */
    bool used;     /* by a dim of the map */
};

/* The leaves of the box, in the order of shared memory. */
struct box {
    int count;
    struct part {
        int64_t size;
        int mode, dim; /* of the tensor, of the map */
    } part[LW_CUTE_AXES_MAX];
};

static void list_modes(const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                       const struct lw_cute_tuple *identity, struct mode *modes, int *count)
{
    for (int i = 0; i < shape->count; i++)
        list_modes(&shape->items[i], &stride->items[i], &identity->items[i], modes, count);
    if (shape->count < 0)
        modes[(*count)++] = (struct mode){*shape, *stride, identity->axis, false};
}

/* The longest run of shared memory whose elements are adjacent in modes of the tensor, of which a tile has the
 * coordinates. (cta_v_map, sidx2gmode) */
static bool find_box(struct lw_cute_work *work, const struct lw_cute_layout *coordinates,
                     const struct lw_cute_layout *shared, const struct mode *modes, struct box *box)
{
    struct lw_cute_layout inverse, run;
    box->count = 0;
    if (!lw_cute_right_inverse(work, shared, &inverse) ||
        !lw_cute_compose(work, coordinates, &inverse, &run) ||
        !lw_cute_coalesce(work, &run, NULL, &run))
        return false;
    for (int i = 0; i < lw_cute_rank(&run.shape) && i < LW_CUTE_AXES_MAX; i++) {
        const struct lw_cute_layout part = lw_cute_mode(&run, i);
        int mode = 0;
        if (part.stride.value != 1)
            break;
        while (modes[mode].axis != part.stride.axis)
            mode++;
        box->part[box->count++] = (struct part){part.shape.value, mode, 0};
    }
    return box->count ||
           lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                        "no box: the first elements of shared memory are not adjacent in any mode "
                        "of the tensor; CuTe does not compile it");
}

/* ---- The dims of the map ---- */

/* Joins parts of the box that are adjacent in the tensor, to 256 at most, where strides are static.
 * (coalesce_256) */
static int join_parts(struct box *box, const struct mode *modes)
{
    int dim = 0;
    int64_t size = box->part[0].size;
    for (int i = 1; i < box->count; i++) {
        /* the joined mode has the stride of its first part */
        const struct lw_cute_tuple *stride = &modes[box->part[i].mode].stride;
        int first = i - 1;
        while (first > 0 && box->part[first - 1].dim == dim)
            first--;
        const struct lw_cute_tuple *base = &modes[box->part[first].mode].stride;
        int64_t next, both;
        bool adjacent = base->fixed && stride->fixed &&
                        !__builtin_mul_overflow(size, base->value, &next) &&
                        next == stride->value &&
                        !__builtin_mul_overflow(size, box->part[i].size, &both) && both <= 256;
        size = adjacent ? both : box->part[i].size;
        dim += !adjacent;
        box->part[i].dim = dim;
    }
    return dim + 1;
}

/* Parts of size 1 for the modes that the box does not move along. */
static bool add_rest(struct lw_cute_work *work, struct box *box, struct mode *modes, int count,
                     int *dims)
{
    for (int i = 0; i < box->count; i++)
        modes[box->part[i].mode].used = true;
    for (int i = 0; i < count; i++) {
        const struct mode *mode = &modes[i];
        if (mode->used || (mode->size.fixed && mode->size.value == 1) ||
            (mode->stride.fixed && mode->stride.value == 0))
            continue;
        if (box->count == LW_CUTE_AXES_MAX)
            return lw_error_set(work->err, LW_ERROR_LIMIT, "a tensor of more than %d modes",
                                LW_CUTE_AXES_MAX);
        box->part[box->count++] = (struct part){1, i, (*dims)++};
    }
    for (int i = 0; i < box->count; i++) /* the last dim has all remaining modes */
        if (box->part[i].dim >= LW_TENSOR_MAP_RANK)
            box->part[i].dim = LW_TENSOR_MAP_RANK - 1;
    *dims = *dims > LW_TENSOR_MAP_RANK ? LW_TENSOR_MAP_RANK : *dims;
    return true;
}

/* Adds a mode to a dim, in units of the greatest step that both have. */
static bool add_mode(struct lw_cute_work *work, const struct mode *mode, uint64_t *dim,
                     uint64_t *stride)
{
    uint64_t size = (uint64_t)mode->size.value, step = (uint64_t)mode->stride.value, old = *stride;
    uint64_t a, b;
    *stride = old && step ? (uint64_t)lw_common_divisor((int64_t)old, (int64_t)step) : old + step;
    if (!*stride) {
        *dim = size;
        return true;
    }
    if (__builtin_mul_overflow(*dim - 1, old / *stride, &a) ||
        __builtin_mul_overflow(size - 1, step / *stride, &b) || __builtin_add_overflow(a, b, &a))
        return lw_cute_too_large(work, "a dim of the tensor map");
    *dim = a + 1;
    return true;
}

static bool fill_dims(struct lw_cute_work *work, const struct box *box, const struct mode *modes,
                      struct lw_tensor_map *map)
{
    for (int dim = 0; dim < map->rank; dim++) {
        map->dims[dim] = map->box[dim] = 1;
        map->strides[dim] = 0;
        int parts = 0;
        for (int i = 0; i < box->count; i++)
            parts += box->part[i].dim == dim;
        for (int i = 0; i < box->count; i++) {
            const struct mode *mode = &modes[box->part[i].mode];
            if (box->part[i].dim != dim)
                continue;
            if (__builtin_mul_overflow(map->box[dim], (uint64_t)box->part[i].size, &map->box[dim]))
                return lw_cute_too_large(work, "the box");
            if (parts == 1) {
                map->dims[dim] = (uint64_t)mode->size.value;
                map->strides[dim] = (uint64_t)mode->stride.value;
            } else if (!add_mode(work, mode, &map->dims[dim], &map->strides[dim])) {
                return false;
            }
        }
    }
    return true;
}

/* ---- What the driver refuses ---- */

static bool refuse(struct lw_error *err, const char *name, int dim, uint64_t value,
                   const char *rule)
{
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "cuTensorMapEncodeTiled refuses %s[%d] = %llu: %s; CuTe aborts there", name,
                        dim, (unsigned long long)value, rule);
}

static bool check_dim(const struct lw_tensor_map *map, int i, struct lw_error *err)
{
    if (map->dims[i] < 1 || map->dims[i] > (uint64_t)1 << 32)
        return refuse(err, "globalDim", i, map->dims[i], "from 1 to 2^32");
    if (map->box[i] < 1 || map->box[i] > 256)
        return refuse(err, "boxDim", i, map->box[i], "from 1 to 256");
    if (i && map->strides[i] % 16)
        return refuse(err, "globalStrides", i - 1, map->strides[i], "a multiple of 16 bytes");
    return !i || map->strides[i] < (uint64_t)1 << 40 ||
           refuse(err, "globalStrides", i - 1, map->strides[i], "less than 2^40 bytes");
}

/* Bytes of a box at most: the limit of the driver of an H100. */
#define BOX_MAX ((uint64_t)228 << 10)

bool lw_tensor_map_check(const struct lw_tensor_map *map, struct lw_error *err)
{
    uint64_t inner = map->box[0] * (uint64_t)map->bits / 8, row = 0;
    uint64_t total = (uint64_t)map->bits / 8;
    if (map->rank < 1 || map->rank > LW_TENSOR_MAP_RANK || map->bits < 8 || map->bits > 64)
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "a tensor map has 1 to %d dims, and elements of 8 to 64 bits",
                            LW_TENSOR_MAP_RANK);
    for (int i = 0; i < map->rank; i++) {
        if (!check_dim(map, i, err))
            return false;
        total *= map->box[i];
    }
    for (size_t i = 0; i < sizeof map_swizzles / sizeof *map_swizzles; i++)
        row = map_swizzles[i].number == map->swizzle_number ? map_swizzles[i].row : row;
    if (inner % 16)
        return refuse(err, "boxDim", 0, map->box[0],
                      "a row of the box must be a multiple of 16 bytes");
    if (row && inner > row)
        return refuse(err, "boxDim", 0, map->box[0],
                      "a row of the box is longer than that of the swizzle");
    return total <= BOX_MAX ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "cuTensorMapEncodeTiled refuses a box of %llu bytes: at most %llu; CuTe "
                        "aborts there",
                        (unsigned long long)total, (unsigned long long)BOX_MAX);
}

/* ---- Making ---- */

static bool check_layouts(struct lw_cute_work *work, const struct lw_cute_layout *tensor,
                          const struct lw_cute *shared, int bits)
{
    if (lw_cute_leaves(&tensor->shape) > LW_CUTE_AXES_MAX)
        return lw_error_set(work->err, LW_ERROR_LIMIT, "a tensor of more than %d modes",
                            LW_CUTE_AXES_MAX);
    if (lw_cute_is_of_coordinates(shared) || shared->tile || (shared->composed && shared->offset) ||
        shared->start)
        return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                            "a tensor map describes a whole layout in shared memory");
    return !shared->composed || !shared->pointer || shared->pointer == bits ||
           lw_error_set(work->err, LW_ERROR_SHAPE,
                        "elements of %d bits, but the layout in shared memory has smem_ptr[%db]",
                        bits, shared->pointer);
}

bool lw_tensor_map_make(struct lw_cute_work *work, const char *element,
                        const struct lw_cute_layout *tensor, const struct lw_cute *shared,
                        const struct lw_cute_tuple *tiler, struct lw_tensor_map *out)
{
    const struct element_type *type = find_element(element, work->err);
    const struct map_swizzle *swizzle;
    const struct lw_cute_tuple one[2] = {lw_cute_tuple_of(&tensor->shape, 1),
                                         lw_cute_tuple_of(&tensor->stride, 1)};
    const struct lw_cute_tuple one_tiler = lw_cute_tuple_of(tiler, 1);
    const struct lw_cute_tuple *shape = tensor->shape.count < 0 ? &one[0] : &tensor->shape;
    const struct lw_cute_tuple *stride = tensor->shape.count < 0 ? &one[1] : &tensor->stride;
    struct mode modes[LW_CUTE_AXES_MAX];
    struct lw_cute_layout identity, coordinates;
    struct lw_cute bytes;
    struct box box;
    int count = 0, dims;
    if (!type || !check_layouts(work, tensor, shared, type->bits) ||
        !lw_cute_in_bytes(shared, type->bits, &bytes, work->err) ||
        !(swizzle = find_swizzle(work, &bytes)))
        return false;
    if (lw_cute_rank(tiler) != shape->count)
        return lw_error_set(work->err, LW_ERROR_SHAPE,
                            "the tile has %d modes, the tensor %d; CuTe does not compile it",
                            lw_cute_rank(tiler), shape->count);
    if (!lw_cute_identity(work, shape, &identity) ||
        !lw_cute_composition(work, &identity, tiler->count < 0 ? &one_tiler : tiler, &coordinates))
        return false;
    if (lw_cute_size(&coordinates) != lw_cute_size(&shared->layout))
        return lw_error_set(
            work->err, LW_ERROR_SHAPE,
            "the tile has %lld elements, the layout in shared memory %lld; CuTe does "
            "not compile it",
            (long long)lw_cute_size(&coordinates), (long long)lw_cute_size(&shared->layout));
    list_modes(shape, stride, &identity.stride, modes, &count);
    if (!find_box(work, &coordinates, &shared->layout, modes, &box))
        return false;
    dims = join_parts(&box, modes);
    *out = (struct lw_tensor_map){.type = type->type,
                                  .type_number = type->number,
                                  .bits = type->bits,
                                  .swizzle = swizzle->name,
                                  .swizzle_number = swizzle->number};
    if (!add_rest(work, &box, modes, count, &dims))
        return false;
    out->rank = dims;
    if (!fill_dims(work, &box, modes, out))
        return false;
    if (out->strides[0] != 1)
        return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                            "the mode of the tensor that is adjacent in shared memory has stride "
                            "%llu: it must be 1; CuTe aborts",
                            (unsigned long long)out->strides[0]);
    for (int i = 0; i < dims; i++)
        if (__builtin_mul_overflow(out->strides[i], (uint64_t)type->bits, &out->strides[i]))
            return lw_cute_too_large(work, "a stride in bits");
        else
            out->strides[i] /= 8;
    return lw_tensor_map_check(out, work->err);
}
