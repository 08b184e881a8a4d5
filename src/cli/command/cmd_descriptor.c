/* laneway descriptor: the descriptors of wgmma, tcgen05.mma and TMA for a layout in shared memory, field by field, and
 * the layout of a descriptor. */

#include "cli/command/commands.h"
#include "cli/load.h"
#include "core/text_json.h"

#include "laneway/calc.h"
#include "laneway/descriptor.h"
#include "laneway/translate.h"

#include <stdlib.h>
#include <string.h>

/* The layout that is described, and the text of the answer. */
struct reply {
    struct lw_arena arena;
    struct lw_cute cute;       /* the layout */
    struct lw_element element; /* name "" and bits 0: not set */
    uint64_t address;
    struct lw_text *text;
    bool json;
    int answers, refusals;
};

static const char *const kind_names[] = {"wgmma", "tcgen05", "idesc", "idesc-scaled"};

/* Begins an answer, after a comma or an empty line. */
static struct lw_text *begin(struct reply *reply, const char *name)
{
    const char *before = reply->answers++ ? reply->json ? "," : "\n" : "";
    lw_text_format(reply->text, reply->json ? "%s{\"for\":\"%s\"" : "%s%s", before, name);
    return reply->text;
}

/* ---- Answers ---- */

static void put_fields(struct reply *reply, const struct lw_descriptor *descriptor,
                       enum lw_major major)
{
    int count;
    const struct lw_descriptor_field *fields = lw_descriptor_fields(descriptor->kind, &count);
    struct lw_text *text = reply->text, meaning = {0};
    for (int i = 0; i < count; i++) {
        const struct lw_descriptor_field *field = &fields[i];
        const unsigned long long value = lw_descriptor_field_value(descriptor, field);
        lw_text_clear(&meaning);
        lw_descriptor_field_explain(&meaning, descriptor, field, major);
        lw_text_format(text,
                       reply->json ? "%s{\"name\":\"%s\",\"first\":%d,\"bits\":%d,\"value\":%llu"
                                   : "%s  %-20s bits %2d-%-2d %6llu  ",
                       i && reply->json ? "," : "", field->name, field->first,
                       reply->json ? field->bits : field->first + field->bits - 1, value);
        if (reply->json)
            lw_json_string(text, "meaning", lw_text_string(&meaning));
        lw_text_format(text, "%s", reply->json ? "}" : lw_text_string(&meaning));
        lw_text_add(text, reply->json ? "" : "\n");
    }
    lw_text_free(&meaning);
}

/* Puts a descriptor, of an operand unless its size is 0; `next`: what other instructions add to its start. */
static void put_descriptor(struct reply *reply, const struct lw_operand_descriptor *found,
                           bool next)
{
    const struct lw_descriptor *descriptor = &found->descriptor;
    const bool is_instruction = descriptor->kind > LW_DESCRIPTOR_TCGEN05, json = reply->json;
    struct lw_text *text = begin(reply, kind_names[descriptor->kind]);
    lw_text_format(text, json ? ",\"descriptor\":\"0x%0*llx\"" : ": 0x%0*llx",
                   is_instruction ? 8 : 16, (unsigned long long)descriptor->value);
    if (found->mn)
        lw_text_format(text,
                       json ? ",\"operand\":[%lld,%lld],\"major\":\"%s\""
                            : ", of %lld x %lld elements, Major::%s",
                       (long long)found->mn, (long long)found->k,
                       found->major == LW_MAJOR_K ? "K" : "MN");
    lw_text_add(text, json ? ",\"fields\":[" : "\n");
    put_fields(reply, descriptor, found->major);
    lw_text_add(text, json ? "]" : "");
    if (found->mn) {
        lw_text_add(text, json ? ",\"canonical\":\"" : "  canonical layout     ");
        lw_cute_print(text, &found->canonical);
        lw_text_add(text, json ? "\"" : "\n");
    } else if (!json && !is_instruction) {
        lw_text_add(text,
                    "  the layout           of -t 64x16xf16, the operand of one instruction\n");
    }
    if (next) {
        lw_text_add(text, json ? ",\"next\":\"" : "  other instructions   ");
        lw_cute_layout_print(text, &found->next);
        lw_text_add(text, json ? "\"" : " is added to start_address\n");
    }
    lw_text_add(text, json ? "}" : "");
}

/* Puts why there is no descriptor. */
static void put_refusal(struct reply *reply, const char *name, const struct lw_error *err)
{
    struct lw_text *text = begin(reply, name);
    reply->refusals++;
    if (reply->json)
        lw_json_string(text, "error", err->message);
    lw_text_format(text, reply->json ? "}" : ": none: %s\n", err->message);
}

static void put_numbers(struct reply *reply, const char *name, const uint64_t *numbers, int count,
                        const char *meaning)
{
    struct lw_text list = {0};
    for (int i = 0; i < count; i++)
        lw_text_format(&list, "%s%llu", i ? reply->json ? "," : ", " : "",
                       (unsigned long long)numbers[i]);
    lw_text_format(reply->text, reply->json ? ",\"%s\":[%s]" : "  %-20s %-20s %s\n", name,
                   lw_text_string(&list), meaning);
    lw_text_free(&list);
}

static void put_map(struct reply *reply, const struct lw_tensor_map *map)
{
    static const uint64_t ones[LW_TENSOR_MAP_RANK] = {1, 1, 1, 1, 1};
    lw_text_format(begin(reply, "tma"),
                   reply->json ? ",\"tensorDataType\":\"%s\",\"tensorRank\":%d"
                               : ": the arguments of cuTensorMapEncodeTiled\n"
                                 "  tensorDataType       %s\n  tensorRank           %d\n",
                   map->type, map->rank);
    put_numbers(reply, "globalDim", map->dims, map->rank, "elements; the first dim is contiguous");
    put_numbers(reply, "globalStrides", map->strides + 1, map->rank - 1,
                "bytes, of all dims but the first");
    put_numbers(reply, "boxDim", map->box, map->rank, "elements that one instruction copies");
    put_numbers(reply, "elementStrides", ones, map->rank, "every element");
    lw_text_format(reply->text,
                   reply->json ? ",\"interleave\":\"NONE\",\"swizzle\":\"%s\"}"
                               : "  interleave           NONE\n  swizzle              %s\n",
                   map->swizzle);
}

/* Answers with the tensor map of TMA from the tensor in global memory, the layout of --global. */
static bool answer_map(struct reply *reply, const char *source, struct lw_error *err)
{
    const struct lw_calc_work calculation = {.arena = &reply->arena};
    struct lw_calc_result result;
    struct lw_tensor_map map;
    struct lw_error why = {0};
    struct lw_cute_work work = {.arena = &reply->arena, .err = &why};
    if (!source)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "--for tma needs the tensor in global memory: --global "
                            "'(1024,512):(512,1)'");
    if (!lw_calc(source, NULL, 0, &calculation, &result, err))
        return false;
    const struct lw_cute *tensor = lw_calc_cute(&result);
    if (!tensor || tensor->composed || lw_cute_is_of_coordinates(tensor))
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "--global is a layout of CuTe without a swizzle, such as "
                            "(1024,512):(512,1)");
    if (!reply->element.name[0])
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "the element of the tensor map is unknown: --element f16 sets it");
    if (lw_tensor_map_make(&work, reply->element.name, &tensor->layout, &reply->cute,
                           &reply->cute.layout.shape, &map))
        put_map(reply, &map);
    else
        put_refusal(reply, "tma", &why);
    return true;
}

/* ---- From a number ---- */

/* Puts the fields of a number, and its layout for the tensor of -t. */
static bool answer_number(struct reply *reply, const struct lw_arguments *args,
                          const struct lw_load_options *options, struct lw_error *err)
{
    const char *kind = LW_OPTION_VALUE(args, FOR), *major = LW_OPTION_VALUE(args, MAJOR);
    const char *number = args->operands[0];
    struct lw_operand_descriptor found = {.major = major && !strcmp(major, "mn") ? LW_MAJOR_MN
                                                                                 : LW_MAJOR_K};
    struct lw_cute_work work = {.arena = &reply->arena, .err = err};
    const size_t digits = strspn(number + 2, "0123456789abcdefABCDEF");
    const uint64_t value = strtoull(number, NULL, 16);
    if (!digits || number[2 + digits] || digits > 16)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "a descriptor is a hexadecimal number of at most 64 bits, "
                            "0x4000004000010000, not '%.40s'",
                            number);
    if (kind && !strcmp(kind, "tma"))
        return lw_error_set(err, LW_ERROR_SYNTAX, "a tensor map is not a number of 64 bits");
    if (kind && !strncmp(kind, "idesc", 5)) {
        found.descriptor = (struct lw_descriptor){
            kind[5] ? LW_DESCRIPTOR_SCALED : LW_DESCRIPTOR_INSTRUCTION, (uint32_t)value};
        put_descriptor(reply, &found, false);
        return value >> 32 == 0 || lw_error_set(err, LW_ERROR_PARAMETER,
                                                "an instruction descriptor has 32 bits; in idescE "
                                                "it is the upper half");
    }
    const bool tcgen05 = kind ? !strcmp(kind, "tcgen05") : (value >> 46 & 3) == 1;
    found.descriptor =
        (struct lw_descriptor){tcgen05 ? LW_DESCRIPTOR_TCGEN05 : LW_DESCRIPTOR_WGMMA, value};
    if (!options->type) {
        put_descriptor(reply, &found, false);
        return true;
    }
    struct lw_tensor tensor;
    if (!lw_tensor_read(&tensor, options->type, err) ||
        (options->element && !lw_element_find(&tensor.element, options->element, err)))
        return false;
    if (tensor.rank != 2 || !tensor.element.bits)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "-t: the operand of an instruction is M or N x K, and its element: "
                            "64x16xf16");
    found.mn = (int64_t)tensor.shape[0];
    found.k = (int64_t)tensor.shape[1];
    found.bits = tensor.element.bits;
    if (!lw_descriptor_layout(&work, &found.descriptor, found.major, found.bits, found.mn, found.k,
                              &found.canonical))
        return false;
    put_descriptor(reply, &found, false);
    return true;
}

/* ---- From a layout ---- */

/* Puts the matrix descriptors of a layout, or why there are none; with --global the tensor map, too. */
static bool answer_layout(struct reply *reply, const struct lw_arguments *args,
                          const struct lw_loaded *loaded, struct lw_error *err)
{
    const char *kind = LW_OPTION_VALUE(args, FOR), *global = LW_OPTION_VALUE(args, GLOBAL);
    const struct lw_subject *subject = &loaded->opened.subject;
    const struct lw_translate_request request = {&subject->map, &subject->tensor, subject->lanes,
                                                 loaded->doc.encoding};
    struct lw_cute_work work = {.arena = &reply->arena, .err = err};
    reply->element = loaded->doc.tensor.element;
    if (!lw_translate_memory_to_cute(&reply->arena, &request, &reply->cute, err))
        return false;
    for (int i = 0; i < 2; i++) {
        struct lw_operand_descriptor found;
        if (kind && strcmp(kind, kind_names[i]) != 0)
            continue;
        if (lw_operand_descriptor_find(&work, (enum lw_descriptor_kind)i, &reply->cute,
                                       reply->element.bits, reply->address, &found))
            put_descriptor(reply, &found, true);
        else if (err->code == LW_ERROR_UNSUPPORTED)
            put_refusal(reply, kind_names[i], err);
        else
            return false;
    }
    return !(global || (kind && !strcmp(kind, "tma"))) || answer_map(reply, global, err);
}

/* Answers with all descriptors, or with nothing. */
static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    struct reply reply = {.text = &answer->text, .json = !answer->out};
    const char *source = answer->source = args->operands[0];
    struct lw_load_options options;
    struct lw_loaded loaded;
    *err = (struct lw_error){0};
    lw_text_add(&answer->text, reply.json ? "[" : "");
    bool good = lw_load_options(&options, args, err) &&
                lw_option_number(args, LW_OPTION_ADDRESS, 0, UINT64_MAX, &reply.address, err);
    if (good && source[0] == '0' && (source[1] | 32) == 'x') {
        good = answer_number(&reply, args, &options, err);
    } else if (good && (good = lw_load(&loaded, source, &options, err))) {
        good = answer_layout(&reply, args, &loaded, err);
        lw_unload(&loaded);
    }
    lw_text_add(&answer->text, reply.json ? "]" : "");
    lw_arena_free(&reply.arena);
    if (!good) {
        lw_text_clear(&answer->text);
        return LW_STATUS_ERROR;
    }
    *err = (struct lw_error){0}; /* what is refused is in the text */
    return reply.refusals == reply.answers ? LW_STATUS_NO : LW_STATUS_OK;
}

const struct lw_command lw_command_descriptor = {
    .name = "descriptor",
    .operands = "SOURCE|0xNUMBER",
    .help = "print what wgmma, tcgen05 and TMA read of a layout",
    .about =
        "Prints the matrix descriptor of an operand in shared memory, field by field, for wgmma "
        "and for tcgen05.mma, or why its layout is not canonical; with --global also the tensor "
        "map with which TMA copies to it. The modes of the layout are M or N, and K, as in CuTe; "
        "for B in Triton, K x N, pass the transpose. The first instruction reads 32 bytes of K, "
        "and of M or N all up to 256, else 128 or 64; the last line shows what the others add to "
        "its start. It exits 1 when there is no descriptor at all.\n\n"
        "A number, 0x4000004000010000, is a descriptor: its fields are printed, and with -t the "
        "layout that it has for that operand; with --for idesc it is an instruction descriptor of "
        "tcgen05.mma, 32 bits. The values are those of make_gmma_desc, make_umma_desc and "
        "make_tma_copy of CUTLASS 4, which calc has too.",
    .options = LW_OPTIONS_SOURCE | LW_OPTION_BIT(FOR) | LW_OPTION_BIT(MAJOR) |
               LW_OPTION_BIT(ADDRESS) | LW_OPTION_BIT(GLOBAL) | LW_OPTIONS_ANSWER,
    .min_operands = 1,
    .max_operands = 1,
    .keys = {{"source", LW_REQUEST_SOURCE}},
    .examples =
        {{"descriptor 'tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64,_64>{})'",
          "LBO, SBO and swizzle"},
         {"descriptor 0x4000004000010000 -t 64x16xf16", "what a number means"},
         {"descriptor 0x08410490 --for idesc", "what tcgen05.mma multiplies"},
         {"descriptor 'Sw<3,4,3> o smem_ptr[16b](unset) o (64,64):(64,1)' --for tma --global "
          "'(1024,512):(512,1)' --element f16",
          "the box and the strides of TMA"}},
    .answer = answer,
};
