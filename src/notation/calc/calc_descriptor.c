/* Descriptors in the calculator: what its rows compute, and how the results are printed. */

#include "notation/calc/calc_table.h"

#include <string.h>

/* ---- Matrix descriptors ---- */

static bool read_major(const struct lw_calc_call *call, int i, enum lw_major *major)
{
    const char *name = call->args[i].as.word.name;
    *major = name && !strcmp(name, "MN") ? LW_MAJOR_MN : LW_MAJOR_K;
    return (name && (!strcmp(name, "K") || !strcmp(name, "MN"))) ||
           lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                        "%s: the mode in which the operand is contiguous is Major::K or Major::MN",
                        call->operation->name);
}

LW_CALC_RUN(lw_calc_run_make_descriptor)
{
    enum lw_major major;
    return read_major(call, 0, &major) &&
           lw_descriptor_make(&call->work, (enum lw_descriptor_kind)call->operation->core.which,
                              major, &call->self->as.cute, call->bits, 0, &out->as.descriptor);
}

void lw_calc_print_descriptor(struct lw_text *text, const struct lw_descriptor *descriptor,
                              bool json)
{
    int count;
    const struct lw_descriptor_field *fields = lw_descriptor_fields(descriptor->kind, &count);
    if (!json) {
        lw_descriptor_print(text, descriptor);
        return;
    }
    lw_text_format(text, "{\"value\":\"0x%0*llx\"",
                   descriptor->kind > LW_DESCRIPTOR_TCGEN05 ? 8 : 16,
                   (unsigned long long)descriptor->value);
    for (int i = 0; i < count; i++)
        lw_text_format(text, ",\"%s\":%llu", fields[i].name,
                       (unsigned long long)lw_descriptor_field_value(descriptor, &fields[i]));
    lw_text_char(text, '}');
}

/* ---- Instruction descriptors ---- */

static bool word_of(const struct lw_calc_call *call, int i, const char **name)
{
    *name = call->args[i].as.word.name;
    return *name || lw_error_set(call->work.err, LW_ERROR_PARAMETER, "%s: %s is a name, not %lld",
                                 call->operation->name, call->operation->params[i].name,
                                 (long long)call->args[i].as.word.number);
}

static bool number_of(const struct lw_calc_call *call, int i, int64_t *number)
{
    *number = call->args[i].as.word.number;
    return !call->args[i].as.word.name ||
           lw_error_set(call->work.err, LW_ERROR_PARAMETER, "%s: %s is a number, not %.40s",
                        call->operation->name, call->operation->params[i].name,
                        call->args[i].as.word.name);
}

LW_CALC_RUN(lw_calc_run_make_instruction)
{
    struct lw_instruction_operands it = {0};
    int scaled = call->operation->core.flag;
    return word_of(call, 0, &it.a_type) && word_of(call, 1, &it.b_type) &&
           word_of(call, 2, &it.c_type) && (!scaled || word_of(call, 3, &it.scale_type)) &&
           number_of(call, 3 + scaled, &it.m) && number_of(call, 4 + scaled, &it.n) &&
           read_major(call, 5 + scaled, &it.a_major) && read_major(call, 6 + scaled, &it.b_major) &&
           lw_instruction_descriptor_make(&it, &out->as.descriptor, call->work.err);
}

/* ---- Tensor maps ---- */

LW_CALC_RUN(lw_calc_run_make_tensor_map)
{
    const struct lw_cute *tensor = &call->args[1].as.value->as.cute;
    const struct lw_cute *shared = &call->args[2].as.value->as.cute;
    const char *element = call->args[4].given ? call->args[4].as.word.name : shared->element;
    if (tensor->composed || lw_cute_is_of_coordinates(tensor))
        return lw_error_set(call->work.err, LW_ERROR_SHAPE,
                            "make_tma_copy: 'gtensor' must be a layout without a swizzle and "
                            "coordinates");
    if (!element)
        return lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                            "make_tma_copy: the element is unknown: make_tma_copy<half_t>(...)");
    return lw_tensor_map_make(&call->work, element, &tensor->layout, shared,
                              call->args[3].given ? &call->args[3].as.tuple : &shared->layout.shape,
                              &out->as.tensor_map);
}

static void put_numbers(struct lw_text *text, const char *name, const uint64_t *numbers, int count,
                        bool json)
{
    lw_text_format(text, json ? ",\"%s\":[" : "\n  %-14s ", name);
    for (int i = 0; i < count; i++)
        lw_text_format(text, "%s%llu", !i ? "" : json ? "," : ", ", (unsigned long long)numbers[i]);
    lw_text_add(text, json ? "]" : "");
}

void lw_calc_print_tensor_map(struct lw_text *text, const struct lw_tensor_map *map, bool json)
{
    static const uint64_t ones[LW_TENSOR_MAP_RANK] = {1, 1, 1, 1, 1};
    if (json)
        lw_text_format(text, "{\"tensorDataType\":\"%s\",\"tensorRank\":%d", map->type, map->rank);
    else
        lw_text_format(text, "CUtensorMap\n  %-14s %s\n  %-14s %d", "tensorDataType", map->type,
                       "tensorRank", map->rank);
    put_numbers(text, "globalDim", map->dims, map->rank, json);
    put_numbers(text, "globalStrides", map->strides + 1, map->rank - 1, json);
    put_numbers(text, "boxDim", map->box, map->rank, json);
    put_numbers(text, "elementStrides", ones, map->rank, json);
    if (json)
        lw_text_format(text, ",\"interleave\":\"NONE\",\"swizzle\":\"%s\"}", map->swizzle);
    else
        lw_text_format(text, "\n  %-14s NONE\n  %-14s %s", "interleave", "swizzle", map->swizzle);
}
