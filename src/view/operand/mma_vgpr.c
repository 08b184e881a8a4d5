/*
 * The field {vgpr}: the register of AMD's hardware that a register of amd_mfma, amd_wmma or their operands is in, as
 * AMD's Matrix Instruction Calculator writes it: "v1.[15:0]", "v3", "v[1:0]" of 64 bits. VGPRs are counted from the
 * first one that the instruction has for that matrix; the registers of each instruction start again at v0.
 *
 * Source: AMD's Matrix Instruction Calculator 1.3.2, which has CDNA 1 to 3, RDNA 3 and 4.
 */

#include "view/view_parts.h"

#include <string.h>

enum { VGPR_BITS = 32, WAVE_MFMA = 64, WAVE_WMMA = 32 };

/* An instruction of one block with m = n. The types of elements and of results are words between blanks. */
struct instruction {
    const char *type; /* of the layout */
    int first, last;  /* versions */
    int m, k;
    int width; /* kWidth at which its operands have the elements in its order */
    const char *elements, *results;
};

#define PROBLEM "cell format: no field 'vgpr' here: "
#define FP8_CDNA3 " f8E4M3FNUZ f8E5M2FNUZ "
#define FP8_RDNA4 " f8E4M3FN f8E5M2 "

static const struct instruction instructions[] = {
    {"amd_mfma", 1, 3, 16, 4, 1, " f32 ", " f32 "},
    {"amd_mfma", 1, 3, 32, 2, 1, " f32 ", " f32 "},
    {"amd_mfma", 3, 3, 16, 8, 2, " f32 ", " f32 "}, /* xf32 */
    {"amd_mfma", 3, 3, 32, 4, 2, " f32 ", " f32 "},
    {"amd_mfma", 1, 3, 16, 16, 4, " f16 ", " f32 "},
    {"amd_mfma", 1, 3, 32, 8, 4, " f16 ", " f32 "},
    {"amd_mfma", 1, 2, 16, 8, 2, " bf16 ", " f32 "},
    {"amd_mfma", 1, 2, 32, 4, 2, " bf16 ", " f32 "},
    {"amd_mfma", 2, 3, 16, 16, 4, " bf16 ", " f32 "},
    {"amd_mfma", 2, 3, 32, 8, 4, " bf16 ", " f32 "},
    {"amd_mfma", 1, 2, 16, 16, 4, " i8 ", " i32 "},
    {"amd_mfma", 1, 2, 32, 8, 4, " i8 ", " i32 "},
    {"amd_mfma", 3, 3, 16, 32, 8, " i8 ", " i32 "},
    {"amd_mfma", 3, 3, 32, 16, 8, " i8 ", " i32 "},
    {"amd_mfma", 3, 3, 16, 32, 8, FP8_CDNA3, " f32 "},
    {"amd_mfma", 3, 3, 32, 16, 8, FP8_CDNA3, " f32 "},
    {"amd_mfma", 2, 3, 16, 4, 1, " f64 ", " f64 "},
    {"amd_wmma", 1, 1, 16, 16, 16, " f16 ", " f32 f16 "},
    {"amd_wmma", 1, 1, 16, 16, 16, " bf16 ", " f32 bf16 "},
    {"amd_wmma", 1, 1, 16, 16, 16, " i8 i4 ", " i32 "},
    {"amd_wmma", 2, 2, 16, 16, 4, " f16 ", " f32 f16 "},
    {"amd_wmma", 2, 2, 16, 16, 4, " bf16 ", " f32 bf16 "},
    {"amd_wmma", 2, 2, 16, 16, 8, FP8_RDNA4, " f32 "},
    {"amd_wmma", 2, 2, 16, 16, 8, " i8 i4 ", " i32 "},
    {"amd_wmma", 2, 2, 16, 32, 16, " i4 ", " i32 "},
};

/* The instruction to find: that of a layout of AMD, for a result or an operand. */
struct question {
    const struct lw_encoding *parent;
    const char *element;
    bool result;
    int64_t version, m, n, k, width; /* k 0: not stated */
};

static bool refuse(struct lw_error *err, const char *reason)
{
    return lw_error_set(err, LW_ERROR_UNSUPPORTED, PROBLEM "%s", reason);
}

static bool read_question(const struct lw_subject *subject, struct question *question,
                          struct lw_error *err)
{
    const struct lw_encoding *own = subject->encoding, *parent = own;
    bool operand = own && !strcmp(own->type->name, "dot_op");
    if (operand)
        parent = lw_encoding_nested(own, "parent");
    if (!parent ||
        (strcmp(parent->type->name, "amd_mfma") && strcmp(parent->type->name, "amd_wmma")))
        return refuse(
            err, "only layouts of the types amd_mfma and amd_wmma, and dot_op of these, have it");
    if (!subject->tensor.element.name[0])
        return refuse(err, "the element type is not set");
    *question = (struct question){.parent = parent,
                                  .element = subject->tensor.element.name,
                                  .result = !operand,
                                  .version = lw_encoding_integer(parent, "version")};
    int64_t sizes[3] = {16, 16, 16};
    size_t count = lw_encoding_is_set(parent, "instrShape")
                       ? lw_encoding_integers(parent, "instrShape", 3, sizes, 3)
                       : 3;
    question->m = sizes[0];
    question->n = sizes[1];
    question->k = count == 3 ? sizes[2] : 0;
    if (operand)
        question->width = lw_encoding_integer(own, "kWidth");
    if (!lw_encoding_is_set(parent, "version") && lw_encoding_is_set(parent, "versionMajor"))
        question->version = lw_encoding_integer(parent, "versionMajor");
    return true;
}

/* The instruction; NULL: the reason. */
static const struct instruction *find(const struct question *question, struct lw_error *err)
{
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        const struct instruction *row = &instructions[i];
        if (!strcmp(row->type, question->parent->type->name) && question->version >= row->first &&
            question->version <= row->last && question->m == row->m && question->n == row->m &&
            (question->k == row->k || (question->result && !question->k)) &&
            lw_text_has_word(question->result ? row->results : row->elements, question->element))
            return row;
    }
    lw_error_set(err, LW_ERROR_UNSUPPORTED,
                 PROBLEM "AMD's Matrix Instruction Calculator has no instruction for one block: "
                         "%lldx%lldx%lld of %s version %lld with %s of %s",
                 (long long)question->m, (long long)question->n, (long long)question->k,
                 question->parent->type->name, (long long)question->version,
                 question->result ? "a result" : "operands", question->element);
    return NULL;
}

bool lw_vgpr_find(const struct lw_subject *subject, struct lw_cell_field *field,
                  struct lw_error *err)
{
    struct question question = {0};
    const struct instruction *row;
    if (!read_question(subject, &question, err) || (row = find(&question, err)) == NULL)
        return false;
    if (!question.result && question.width != row->width)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            PROBLEM "the instruction has its operands "
                                    "in the order of kWidth %d, not %lld",
                            row->width, (long long)question.width);
    /* only f64 results of mfma are laid out in another way than those of 32 bits */
    const struct lw_value *old = lw_encoding_value(question.parent, "elementType");
    const bool is_f64 = !strcmp(question.element, "f64");
    const bool laid_out =
        old ? !strcmp(old->string, question.element)
            : (lw_encoding_integer(question.parent, "elementBitWidth") == 64) == is_f64;
    if (question.result && !strcmp(question.parent->type->name, "amd_mfma") && !laid_out)
        return refuse(err, "elementBitWidth is not that of the element type");
    int op = question.result ? 2 : (int)lw_encoding_integer(subject->encoding, "opIdx");
    const struct lw_map *map = &subject->map;
    const int block = lw_dims_find(&map->in, "block"), last = map->out.count - 1;
    /* whole instructions: of others registers are left out */
    if ((block >= 0 && map->in.dim[block].size > 1) || last < 1 ||
        map->out.dim[last - 1].size < (uint64_t)(op == 1 ? row->k : row->m) ||
        map->out.dim[last].size < (uint64_t)(op == 0 ? row->k : row->m))
        return refuse(err, "a block has less than one instruction, or there are several blocks");
    bool wmma = !strcmp(row->type, "amd_wmma"), copies = wmma && question.version == 1;
    int lanes = wmma ? WAVE_WMMA : WAVE_MFMA;
    int values = row->m * (question.result ? row->m : row->k) / lanes;
    int bits = subject->tensor.element.bits;
    bool padded = question.result && copies && bits < VGPR_BITS;
    *field = (struct lw_cell_field){LW_FIELD_VGPR, lw_dims_find(&subject->map.in, "register"),
                                    padded ? VGPR_BITS : bits,
                                    (uint64_t)(copies && !question.result ? 2 * values : values)};
    return field->dim >= 0 || refuse(err, "the layout has no registers");
}

void lw_vgpr_put(struct lw_text *text, const struct lw_subject *subject, struct lw_cell_field field,
                 uint64_t value)
{
    uint64_t at = value * (uint64_t)field.other, bits = (uint64_t)subject->tensor.element.bits;
    unsigned long long vgpr = at / VGPR_BITS, bit = at % VGPR_BITS;
    if (bits > VGPR_BITS)
        lw_text_format(text, "v[%llu:%llu]", vgpr + bits / VGPR_BITS - 1, vgpr);
    else if (bits == VGPR_BITS)
        lw_text_format(text, "v%llu", vgpr);
    else
        lw_text_format(text, "v%llu.[%llu:%llu]", vgpr, bit + bits - 1, bit);
}

size_t lw_vgpr_width(const struct lw_subject *subject, struct lw_cell_field field)
{
    size_t widest = 0;
    for (uint64_t value = 0; value < field.unit; value++) {
        struct lw_text text = {0};
        lw_vgpr_put(&text, subject, field, value);
        widest = text.length > widest ? text.length : widest;
        lw_text_free(&text);
    }
    return widest;
}
