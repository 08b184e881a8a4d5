/* Instruction descriptors of tcgen05.mma. Source: InstrDescriptor, InstrDescriptorBlockScaled, make_instr_desc and
 * make_instr_desc_block_scaled of mma_sm100_desc.hpp, in CUTLASS 4. */

#include "laneway/cute_tiled.h"

#include <string.h>

/* ---- Fields ---- */

static const struct lw_descriptor_field plain_fields[] = {
    {"sparse_id2", 0, 2}, {"sparse_flag", 2, 1}, {"saturate", 3, 1},  {"c_format", 4, 2},
    {"a_format", 7, 3},   {"b_format", 10, 3},   {"a_negate", 13, 1}, {"b_negate", 14, 1},
    {"a_major", 15, 1},   {"b_major", 16, 1},    {"n_dim", 17, 6},    {"m_dim", 24, 5},
    {"max_shift", 30, 2},
};

static const struct lw_descriptor_field scaled_fields[] = {
    {"sparse_id2", 0, 2}, {"sparse_flag", 2, 1}, {"b_sf_id", 4, 2},       {"a_format", 7, 3},
    {"b_format", 10, 3},  {"a_negate", 13, 1},   {"b_negate", 14, 1},     {"a_major", 15, 1},
    {"b_major", 16, 1},   {"n_dim", 17, 6},      {"scale_format", 23, 1}, {"m_dim", 24, 5},
    {"a_sf_id", 29, 2},   {"k_size", 31, 1},
};

const struct lw_descriptor_field *lw_instruction_fields(bool scaled, int *count)
{
    *count = scaled ? (int)(sizeof scaled_fields / sizeof *scaled_fields)
                    : (int)(sizeof plain_fields / sizeof *plain_fields);
    return scaled ? scaled_fields : plain_fields;
}

uint32_t lw_instruction_field_value(const struct lw_instruction_descriptor *descriptor,
                                    const struct lw_descriptor_field *field)
{
    if (field->first < 0 || field->first > 31 || field->bits < 0 || field->bits > 31)
        return 0;
    return descriptor->value >> field->first & (((uint32_t)1 << field->bits) - 1);
}

/* ---- What numbers mean ---- */

/* The format depends on the kind of the instruction, which is not in the descriptor. */
static const char *const formats[] = {"f16; E4M3 of kind::f8f6f4; u8 of kind::i8",
                                      "bf16; E5M2 of kind::f8f6f4; s8 of kind::i8",
                                      "tf32 of kind::tf32",
                                      "E2M3 of kind::f8f6f4",
                                      "E3M2 of kind::f8f6f4",
                                      "E2M1 of kind::f8f6f4",
                                      "none",
                                      "none"};
static const char *const scaled_formats[] = {
    "E4M3", "E5M2 or, of kind::mxf4, E2M1", "none", "E2M3", "E3M2", "E2M1", "none", "none"};

/* A field's meaning by its number. */
static const struct meaning {
    const char *field;
    uint32_t count;
    const char *of[4];
} meanings[] = {
    {"sparse_flag", 2, {"dense", "sparse"}},
    {"saturate", 2, {"no saturation", "saturation, of kind::i8 only"}},
    {"c_format", 4, {"f16", "f32", "s32", "none"}},
    {"a_negate", 2, {"A as it is", "-A"}},
    {"b_negate", 2, {"B as it is", "-B"}},
    {"a_major", 2, {"A is contiguous along K", "A is contiguous along M"}},
    {"b_major", 2, {"B is contiguous along K", "B is contiguous along N"}},
    {"max_shift", 4, {"no shift", "at most 8", "at most 16", "at most 32"}},
    {"scale_format", 2, {"UE4M3", "UE8M0"}},
    {"k_size", 2, {"K of 32 bytes (of sparse A 64)", "K = 96, of kind::mxf4"}},
};

void lw_instruction_field_explain(struct lw_text *text,
                                  const struct lw_instruction_descriptor *descriptor,
                                  const struct lw_descriptor_field *field)
{
    uint32_t value = lw_instruction_field_value(descriptor, field);
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (value < meanings[i].count && !strcmp(meanings[i].field, field->name))
            lw_text_add(text, meanings[i].of[value]);
    if (!strcmp(field->name, "n_dim"))
        lw_text_format(text, "N = %u", value * 8);
    else if (!strcmp(field->name, "m_dim"))
        lw_text_format(text, "M = %u", value * 16);
    else if ((!strcmp(field->name, "a_format") || !strcmp(field->name, "b_format")))
        lw_text_add(text, (descriptor->scaled ? scaled_formats : formats)[value & 7]);
    else if (!strcmp(field->name, "a_sf_id") || !strcmp(field->name, "b_sf_id"))
        lw_text_format(text, "byte %u of the words of scales", value);
    else if (!strcmp(field->name, "sparse_id2"))
        lw_text_add(text, "which part of the metadata of sparse A");
}

/* ---- Making ---- */

static const struct format {
    const char *name;
    int number, bits;
} element_formats[] = {
    {"half_t", 0, 16},      {"bfloat16_t", 1, 16},  {"tfloat32_t", 2, 32},  {"uint8_t", 0, 8},
    {"int8_t", 1, 8},       {"float_e4m3_t", 0, 8}, {"float_e5m2_t", 1, 8}, {"float_e2m3_t", 3, 6},
    {"float_e3m2_t", 4, 6}, {"float_e2m1_t", 1, 4},
};

static const struct format *find_format(const char *name, const char *operand, struct lw_error *err)
{
    for (size_t i = 0; i < sizeof element_formats / sizeof *element_formats; i++)
        if (!strcmp(element_formats[i].name, name))
            return &element_formats[i];
    lw_error_set(err, LW_ERROR_PARAMETER,
                 "%s: tcgen05.mma has no elements of type '%.40s'; there are half_t, bfloat16_t, "
                 "tfloat32_t, int8_t, uint8_t, float_e4m3_t, float_e5m2_t, float_e2m3_t, "
                 "float_e3m2_t and float_e2m1_t",
                 operand, name);
    return NULL;
}

static bool find_word(const char *name, const char *const *words, int count, uint32_t *number,
                      struct lw_error *err)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(words[i], name)) {
            *number = (uint32_t)i;
            return true;
        }
    return lw_error_set(err, LW_ERROR_PARAMETER, "'%.40s': expected %s, %s%s%s", name, words[0],
                        words[1], count > 2 ? " or " : "", count > 2 ? words[2] : "");
}

static bool check_shape(const struct lw_instruction_operands *it, struct lw_error *err)
{
    bool m = it->m == 32 || it->m == 64 || it->m == 128 || it->m == 256;
    if (!m)
        return lw_error_set(err, LW_ERROR_PARAMETER, "M = %lld: 32, 64, 128 or 256",
                            (long long)it->m);
    return (it->n >= 8 && it->n <= 256 && it->n % 8 == 0) ||
           lw_error_set(err, LW_ERROR_PARAMETER, "N = %lld: must be a multiple of 8 from 8 to 256",
                        (long long)it->n);
}

bool lw_instruction_descriptor_make(const struct lw_instruction_operands *it,
                                    struct lw_instruction_descriptor *out, struct lw_error *err)
{
    static const char *const results[] = {"half_t", "float", "int32_t"};
    static const char *const scales[] = {"float_ue4m3_t", "float_ue8m0_t"};
    const struct format *a = find_format(it->a_type, "A", err);
    const struct format *b = a ? find_format(it->b_type, "B", err) : NULL;
    uint32_t c = 0, scale = 0;
    *out = (struct lw_instruction_descriptor){0, it->scale_type};
    if (!b || !check_shape(it, err) || !find_word(it->c_type, results, 3, &c, err) ||
        (it->scale_type && !find_word(it->scale_type, scales, 2, &scale, err)))
        return false;
    if ((it->a_major == LW_MAJOR_MN && a->bits < 8) || (it->b_major == LW_MAJOR_MN && b->bits < 8))
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "elements below 8 bits are contiguous along K: Major::K");
    out->value = (uint32_t)a->number << 7 | (uint32_t)b->number << 10 |
                 (uint32_t)it->a_major << 15 | (uint32_t)it->b_major << 16 |
                 (uint32_t)it->n >> 3 << 17 | (uint32_t)it->m >> 4 << 24;
    out->value |= it->scale_type ? scale << 23 : c << 4;
    return true;
}
