/*
 * The MMA of a result alone, an nvidia_mma, amd_mfma or amd_wmma of Triton: its operands are dot_op of it. The result
 * does not determine all of their parameters; the caption has those that are assumed:
 *
 *   - K is that of instrShape where it has one. The mma.sync of NVIDIA reads 256 bits of a row along K, so
 *     wgmma's K determines the bits of an element, and mma.sync's K follows from them: f16, i8 of an i32 result,
 *     f64 of one of f64.
 *   - kWidth of NVIDIA fills a register of 32 bits. That of AMD is the largest with which one instruction
 *     reads all of K without copies.
 *
 * Source: AccelerateMatmul.cpp and AccelerateAMDMatmul.cpp of Triton 3.9; the PTX ISA on mma and wgmma.
 */

#include "view/operand/operands.h"

#include <string.h>

enum { ROW_BITS = 256, REGISTER_BITS = 32, WIDTH_MAX = 32 };

static uint64_t k_of(const struct lw_encoding *own)
{
    enum { RANK = 3 };
    int64_t sizes[RANK] = {0};
    size_t count = lw_encoding_integers(own, "instrShape", RANK, sizes, RANK);
    return count == RANK && lw_encoding_is_set(own, "instrShape") ? (uint64_t)sizes[2] : 0;
}

/* The bits of an element of the operands of mma.sync, by that of the result. */
static unsigned usual_bits(const struct lw_element *sum)
{
    return sum->name[0] == 'i' ? 8 : sum->bits == 64 ? 64 : 16;
}

static struct lw_encoding *operand_of(struct lw_arena *arena, const struct lw_encoding *own,
                                      int number, uint64_t width)
{
    struct lw_encoding *operand = lw_encoding_new(arena, lw_encoding_type_find("dot_op"));
    struct lw_value parent = {.kind = LW_VALUE_ENCODING, .encoding = lw_encoding_copy(arena, own)};
    if (!operand || !parent.encoding)
        return NULL;
    operand->triton = own->triton;
    operand->params[lw_encoding_param(operand, "opIdx")] = lw_value_integer(number);
    operand->params[lw_encoding_param(operand, "parent")] = parent;
    operand->params[lw_encoding_param(operand, "kWidth")] = lw_value_integer((int64_t)width);
    return operand;
}

/* Sets *copies to how many owners an element has with that kWidth; false: it is not legal. */
static bool try_width(const struct lw_encoding *own, int number, uint64_t width,
                      const struct lw_tensor *tensor, uint64_t *copies)
{
    struct lw_arena arena = {0};
    struct lw_map map;
    struct lw_encoding *operand = operand_of(&arena, own, number, width);
    bool good = operand && lw_encoding_build(operand, tensor, &map, NULL);
    if (good)
        *copies = lw_map_replication(&map);
    lw_arena_free(&arena);
    return good;
}

/* The largest of the legal kWidths with the fewest copies; 0: none is legal. */
static uint64_t widest(const struct lw_encoding *own, int number, const struct lw_tensor *tensor)
{
    uint64_t best = 0, least = UINT64_MAX, copies;
    for (uint64_t width = 1; width <= WIDTH_MAX; width *= 2)
        if (try_width(own, number, width, tensor, &copies) && copies <= least) {
            best = width;
            least = copies;
        }
    return best;
}

static bool open_operand(struct lw_view *view, int number, uint64_t k, unsigned bits,
                         struct lw_error *err)
{
    struct lw_operands *operands = lw_operands_of(view);
    const struct lw_encoding *own = view->subject->encoding;
    struct lw_tensor tensor = view->subject->tensor;
    struct lw_arena arena = {0};
    bool nvidia = !strcmp(own->type->name, "nvidia_mma");
    tensor.shape[number == LW_MMA_A ? 1 : 0] = k;
    tensor.element = (struct lw_element){.bits = (int)bits};
    uint64_t width = bits < REGISTER_BITS ? REGISTER_BITS / bits : 1;
    if (!nvidia)
        width = widest(own, number, &tensor);
    struct lw_encoding *operand = width ? operand_of(&arena, own, number, width) : NULL;
    bool good = operand ? lw_operand_open(view, number, operand, &tensor, err)
                        : lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                       "there is no kWidth for operand %s of this %s",
                                       operands->all[number].name, own->type->name);
    lw_arena_free(&arena);
    if (number == LW_MMA_A && nvidia && k_of(own))
        lw_text_add(&operands->note, "assumed: A in registers");
    else if (number == LW_MMA_A)
        lw_text_format(&operands->note, "assumed: operands of %u bits, kWidth %llu", bits,
                       (unsigned long long)width);
    return good && lw_operand_measure(view, number, err);
}

static bool check(const struct lw_view *view, uint64_t k, struct lw_error *err)
{
    const struct lw_encoding *own = view->subject->encoding;
    if (view->subject->tensor.rank != 2)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the mma view draws operands of two dims, and this one has %d",
                            view->subject->tensor.rank);
    return k || lw_error_set(err, LW_ERROR_UNSUPPORTED,
                             "the mma view needs operand A or B, as this %s has no K; :mma "
                             "m16n8k16 opens an instruction by its name",
                             own->type->name);
}

bool lw_mma_open_result(struct lw_view *view, struct lw_error *err)
{
    struct lw_operands *operands = lw_operands_of(view);
    const struct lw_subject *subject = view->subject;
    const struct lw_encoding *own = subject->encoding;
    bool nvidia = !strcmp(own->type->name, "nvidia_mma");
    bool wgmma = nvidia && lw_encoding_integer(own, "versionMajor") == 3;
    unsigned bits = usual_bits(&subject->tensor.element);
    uint64_t k = k_of(own);
    if (nvidia && lw_encoding_integer(own, "versionMajor") == 2 && !k)
        k = ROW_BITS / bits;
    else if (nvidia && k)
        bits = (unsigned)(ROW_BITS / k);
    else if (!strcmp(own->type->name, "amd_wmma") && !k)
        k = 16;
    if (!check(view, k, err))
        return false;
    operands->own = LW_MMA_C;
    operands->all[LW_MMA_C].subject = subject;
    if (!lw_operand_measure(view, LW_MMA_C, err) || !open_operand(view, LW_MMA_A, k, bits, err))
        return false;
    if (!wgmma)
        return open_operand(view, LW_MMA_B, k, bits, err);
    struct lw_operand *b = &operands->all[LW_MMA_B]; /* in shared memory */
    b->memory = true;
    b->rows = k;
    b->cols = operands->all[LW_MMA_C].cols;
    return true;
}
