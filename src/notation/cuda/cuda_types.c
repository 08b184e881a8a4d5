/* Types of CUDA C++ by their names, and the words that stand around them. */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"
#include "laneway/text.h"

#include <string.h>

/* Names of types. */
static const struct {
    const char *names;
    uint8_t bytes, parts;
    bool is_integer, is_unsigned;
} types[] = {
    {"void", 0, 1, false, false},
    {"auto", 0, 1, true, false},
    {"char int8_t", 1, 1, true, false},
    {"bool uchar uint8_t", 1, 1, true, true},
    {"short int16_t", 2, 1, true, false},
    {"ushort uint16_t", 2, 1, true, true},
    {"int int32_t", 4, 1, true, false},
    {"uint uint32_t", 4, 1, true, true},
    {"long int64_t", 8, 1, true, false},
    {"uint64_t size_t", 8, 1, true, true},
    {"__nv_fp8_e4m3 __nv_fp8_e5m2", 1, 1, false, false},
    {"half __half __nv_bfloat16 nv_bfloat16", 2, 1, false, false},
    {"float", 4, 1, false, false},
    {"double", 8, 1, false, false},
    {"char2 uchar2", 2, 2, false, false},
    {"char4 uchar4", 4, 4, false, false},
    {"half2 __half2 __nv_bfloat162 nv_bfloat162 short2 ushort2", 4, 2, false, false},
    {"short4 ushort4", 8, 4, false, false},
    {"int2 uint2 float2", 8, 2, false, false},
    {"int4 uint4 float4", 16, 4, false, false},
    {"double2 longlong2 ulonglong2", 16, 2, false, false},
    {"dim3", 12, 3, false, false},
};

struct lw_cuda_type lw_cuda_integer(uint8_t bytes, bool is_unsigned)
{
    return (struct lw_cuda_type){bytes == 8 ? "long long" : is_unsigned ? "unsigned" : "int",
                                 bytes,
                                 1,
                                 true,
                                 is_unsigned,
                                 0};
}

/* Whether a name is that of a type, and, unless `type` is NULL, which. */
bool lw_cuda_type_named(const char *name, struct lw_cuda_type *type)
{
    name += strncmp(name, "std::", 5) ? 0 : 5;
    size_t i = 0;
    while (i < LW_COUNT(types) && !lw_text_has_word(types[i].names, name))
        i++;
    if (i < LW_COUNT(types) && type)
        *type = (struct lw_cuda_type){
            name, types[i].bytes, types[i].parts, types[i].is_integer, types[i].is_unsigned, 0};
    return i < LW_COUNT(types);
}

bool lw_cuda_is_align(const char *word)
{
    return lw_text_has_word("__align__ alignas", word);
}

/* What stands before or after a type and is not part of it. */
bool lw_cuda_is_qualifier(const char *word)
{
    return lw_text_has_word(
        "const constexpr static volatile __restrict__ __restrict inline __shared__ "
        "extern __device__ __constant__ register __align__ alignas",
        word);
}

bool lw_cuda_is_type_word(const char *word)
{
    return lw_text_has_word("unsigned signed", word) || lw_cuda_type_named(word, NULL);
}

bool lw_cuda_is_type(const char *word)
{
    return lw_cuda_is_qualifier(word) || lw_cuda_is_type_word(word);
}
