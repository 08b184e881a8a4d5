/* Tensors: shapes and element types. The names are MLIR's, and the other spellings that people
 * write. */

#include "laneway/tensor.h"
#include "core/unused.h"

#include <stdio.h>
#include <string.h>

struct element_row {
    const char *name;
    int bits;
    const char *also; /* other spellings, each followed by a space */
};

static const struct element_row elements[] = {
    {"f64", 64, "fp64 float64 double "},
    {"f32", 32, "fp32 float32 float "},
    {"tf32", 32, "tfloat32 "},
    {"f16", 16, "fp16 float16 half __half "},
    {"bf16", 16, "bfloat16 bfloat __nv_bfloat16 "},
    {"f8E5M2", 8, "fp8 fp8e5 e5m2 f8e5m2 float8_e5m2 float8e5 fp8e5m2 __nv_fp8_e5m2 "},
    {"f8E4M3FN", 8,
     "fp8e4nv e4m3 e4m3fn f8e4m3 f8e4m3fn float8_e4m3 float8_e4m3fn fp8e4m3 __nv_fp8_e4m3 "},
    {"f8E4M3", 8, ""},
    {"f8E3M4", 8, "f8e3m4 "},
    {"f8E4M3B15", 8, "fp8e4b15 "},
    {"f8E4M3FNUZ", 8, "fp8e4b8 f8e4m3fnuz float8_e4m3fnuz "},
    {"f8E5M2FNUZ", 8, "fp8e5b16 f8e5m2fnuz float8_e5m2fnuz "},
    {"f8E4M3B11FNUZ", 8, "f8e4m3b11fnuz "},
    {"f8E8M0FNU", 8, "e8m0 f8e8m0fnu float8_e8m0fnu "},
    {"f6E3M2FN", 6, "e3m2 f6e3m2 float6_e3m2 "},
    {"f6E2M3FN", 6, "e2m3 f6e2m3 float6_e2m3 "},
    {"f4E2M1FN", 4, "e2m1 f4e2m1 fp4 float4_e2m1 "},
    {"index", 64, ""},
    {"i32", 32, "int unsigned "},
    {"i16", 16, "short "},
    {"i8", 8, "char "},
};

#define ELEMENTS (sizeof elements / sizeof *elements)

void lw_tensor_unknown(struct lw_tensor *tensor)
{
    memset(tensor, 0, sizeof *tensor);
    tensor->rank = -1;
}

static bool set(struct lw_element *element, const char *name, int bits)
{
    memset(element, 0, sizeof *element);
    snprintf(element->name, sizeof element->name, "%s", name);
    element->bits = bits;
    return true;
}

static bool is_among(const char *list, const char *name)
{
    size_t n = strlen(name);
    if (n == 0 || strchr(name, ' '))
        return false;
    for (const char *p = list; *p; p = strchr(p, ' ') + 1)
        if (!strncmp(p, name, n) && p[n] == ' ')
            return true;
    return false;
}

/* i8, si8, ui8, u8, int8, uint8: up to 64 bits, or 128. An unsigned one is `ui`, as MLIR writes it. */
static bool find_integer(struct lw_element *element, const char *name)
{
    static const char *const prefixes[][2] = {{"int", "i"}, {"uint", "ui"}, {"si", "si"},
                                              {"ui", "ui"}, {"i", "i"},     {"u", "ui"}};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const char *prefix = prefixes[i][0];
        const char *digits = name + strlen(prefix);
        size_t n = strncmp(name, prefix, strlen(prefix)) ? 0 : strspn(digits, "0123456789");
        if (n < 1 || n > 3 || digits[n] || digits[0] == '0')
            continue;
        int bits = 0;
        for (size_t k = 0; k < n; k++)
            bits = bits * 10 + (digits[k] - '0');
        char canonical[LW_ELEMENT_MAX];
        snprintf(canonical, sizeof canonical, "%s%d", prefixes[i][1], bits);
        return (bits <= 64 || bits == 128) && set(element, canonical, bits);
    }
    return !strcmp(name, "bool") && set(element, "i1", 1);
}

static const char *name_at(LW_UNUSED const void *context, size_t i)
{
    return elements[i].name;
}

bool lw_element_find(struct lw_element *element, const char *name, struct lw_error *err)
{
    for (size_t i = 0; i < ELEMENTS; i++)
        if (!strcmp(elements[i].name, name))
            return set(element, name, elements[i].bits);
    for (size_t i = 0; i < ELEMENTS; i++)
        if (is_among(elements[i].also, name))
            return set(element, elements[i].name, elements[i].bits);
    if (find_integer(element, name))
        return true;
    static const char pointer[] = "!tt.ptr<"; /* !tt.ptr<f32, 1>: the pointee type is not read */
    size_t all = strlen(name);
    if (!strncmp(name, pointer, sizeof pointer - 1) && all > sizeof pointer && name[all - 1] == '>')
        return set(element, all < LW_ELEMENT_MAX ? name : "!tt.ptr<...>", 64);
    if (!err) /* no message needs the nearest name */
        return false;
    const char *near = lw_text_nearest(name, ELEMENTS, name_at, NULL);
    char hint[LW_HINT_MAX];
    return lw_error_set(err, LW_ERROR_NAME, "unknown element type '%.40s'%s", name,
                        lw_text_hint(hint, near,
                                     "; there are f64, f32, f16, bf16, f8E5M2, f8E4M3FN, i1 to "
                                     "i64, i128, !tt.ptr<f32> and more"));
}

void lw_tensor_print(struct lw_text *text, const struct lw_tensor *tensor)
{
    for (int i = 0; i < tensor->rank; i++) {
        if (i)
            lw_text_char(text, 'x');
        lw_text_number(text, tensor->shape[i]);
    }
    if (tensor->element.name[0] && tensor->rank > 0)
        lw_text_char(text, 'x');
    lw_text_add(text, tensor->element.name);
}
