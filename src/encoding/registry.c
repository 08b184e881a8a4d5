/* The registry: every encoding type, in the order of the help screen. One line each. */

#include "encoding/tilus/tilus.h"
#include "encoding/tilus/tilus_shared.h"
#include "encoding/schema/types.h"

#include <string.h>

/* clang-format off */
static const struct lw_encoding_type *const types[] = {
    &lw_encoding_blocked,
    &lw_encoding_linear,
    &lw_encoding_slice,
    &lw_encoding_nvidia_mma,
    &lw_encoding_amd_mfma,
    &lw_encoding_amd_wmma,
    &lw_encoding_dot_op,
    &lw_encoding_mfma_scale,
    &lw_encoding_wmma_scale,
    &lw_encoding_sm120_scale,
    &lw_encoding_distributed,
    &lw_encoding_swizzled_shared,
    &lw_encoding_nvmma_shared,
    &lw_encoding_amd_rotating_shared,
    &lw_encoding_padded_shared,
    &lw_encoding_shared_linear,
    &lw_encoding_tensor_memory_encoding,
    &lw_encoding_tensor_memory_scales_encoding,
    &lw_encoding_bases,
    &lw_encoding_cute,
    &lw_encoding_spatial,
    &lw_encoding_local,
    &lw_encoding_column_spatial,
    &lw_encoding_column_local,
    &lw_encoding_repeat,
    &lw_encoding_compose,
    &lw_encoding_reduce,
    &lw_encoding_RegisterLayout,
    &lw_encoding_register_layout,
    &lw_encoding_replicated,
    &lw_encoding_auto_local_spatial,
    &lw_encoding_squeeze,
    &lw_encoding_unsqueeze,
    &lw_encoding_permute,
    &lw_encoding_reshape,
    &lw_encoding_flatten,
    &lw_encoding_reduce_to,
    &lw_encoding_concat,
    &lw_encoding_with_shape,
    &lw_encoding_divide,
    &lw_encoding_left_divide,
    &lw_encoding_shared_row_major,
    &lw_encoding_shared_column_major,
    &lw_encoding_shared_row_major_swizzle,
    &lw_encoding_SharedLayout,
    &lw_encoding_shared_layout,
    &lw_encoding_Swizzle,
    &lw_encoding_shared_compose,
    &lw_encoding_shared_permute,
    &lw_encoding_shared_slice,
    &lw_encoding_shared_reshape,
    &lw_encoding_shared_unsqueeze,
    &lw_encoding_transpose,
    &lw_encoding_prepend_dim,
    &lw_encoding_apply_swizzle,
};
/* clang-format on */

/* Names that older releases gave. */
static const struct {
    const char *old, *name;
} older[] = {
    {"shared", "swizzled_shared"},
    {"mma", "nvidia_mma"},
    {"mfma", "amd_mfma"},
    {"wmma", "amd_wmma"},
};

const struct lw_encoding_type *const *lw_encoding_types(size_t *count)
{
    *count = sizeof types / sizeof *types;
    return types;
}

static const struct lw_encoding_type *find(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i]->name, name))
            return types[i];
    return NULL;
}

const struct lw_encoding_type *lw_encoding_type_find(const char *name)
{
    const struct lw_encoding_type *type = find(name);
    for (size_t i = 0; !type && i < sizeof older / sizeof *older; i++)
        if (!strcmp(older[i].old, name))
            type = find(older[i].name);
    return type;
}

static const char *type_name(const void *context, size_t i)
{
    (void)context;
    return types[i]->name;
}

const struct lw_encoding_type *lw_encoding_type_get(const char *name, struct lw_position position,
                                                    struct lw_error *err)
{
    const struct lw_encoding_type *type = lw_encoding_type_find(name);
    if (type)
        return type;
    char hint[LW_HINT_MAX];
    const char *near = lw_text_nearest(name, sizeof types / sizeof *types, type_name, NULL);
    lw_error_at(err, LW_ERROR_NAME, position, "unknown encoding '%.60s'%s", name,
                lw_text_hint(hint, near, "; `laneway help encodings` lists them"));
    return NULL;
}
