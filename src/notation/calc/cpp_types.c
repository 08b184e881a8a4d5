/* Types of C++ and CUTLASS: their bits, and the elements of Triton that they are. */

#include "notation/calc/calc_table.h"

#include <string.h>

static const struct cpp_type {
    const char *name;
    int bits;
    const char *element; /* that of Triton; NULL: there is none */
} cpp_types[] = {
    {"int8_t", 8, "i8"},
    {"uint8_t", 8, "ui8"},
    {"half_t", 16, "f16"},
    {"half", 16, "f16"},
    {"__half", 16, "f16"},
    {"bfloat16_t", 16, "bf16"},
    {"__nv_bfloat16", 16, "bf16"},
    {"int16_t", 16, "i16"},
    {"uint16_t", 16, "ui16"},
    {"float", 32, "f32"},
    {"tfloat32_t", 32, "tf32"},
    {"int", 32, "i32"},
    {"int32_t", 32, "i32"},
    {"uint32_t", 32, "ui32"},
    {"double", 64, "f64"},
    {"int64_t", 64, "i64"},
    {"uint64_t", 64, "ui64"},
    {"uint128_t", 128, NULL},
    {"float_e4m3_t", 8, "f8E4M3FN"},
    {"float_e5m2_t", 8, "f8E5M2"},
    {"float_ue8m0_t", 8, NULL},
    {"float_ue4m3_t", 8, NULL},
};

static const struct cpp_type *find_cpp_type(const char *name)
{
    for (size_t i = 0; i < sizeof cpp_types / sizeof *cpp_types; i++)
        if (!strcmp(cpp_types[i].name, name))
            return &cpp_types[i];
    return NULL;
}

const char *lw_calc_last_word(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

int lw_calc_cpp_bits(const char *name)
{
    const struct cpp_type *type = find_cpp_type(name);
    return type ? type->bits : 0;
}

const char *lw_calc_cpp_element(const char *name)
{
    const struct cpp_type *type = find_cpp_type(name);
    return type ? type->element : NULL;
}
