/*
 * The operands of an MMA, from one of them that determines the others:
 *
 *   - dot_op of Triton: its parent is C, the other operand has the other opIdx. It has two of M, N and K; the third
 *     is the least size at which C has no more copies than at twice that size: all warps side by side, once.
 *   - an operand of a tiled MMA of CuTe, which the encoding names: make_tiled_mma(...).A; or of an atom, ATOM.A
 *
 * A result of Triton alone is in mma_result.c, a layout of tilus in mma_tilus.c.
 */

#include "view/operand/operands.h"

#include <string.h>

enum { SIZE_MAX_LOG2 = 20 };

/* ---- Triton ---- */

/* The size to begin with along a dim of C: that of the instruction, or of a blocked layout that of one thread. */
static uint64_t least_size(const struct lw_encoding *parent, int dim)
{
    enum { RANK = 3, TILE = 16 };
    int64_t sizes[RANK] = {0};
    bool blocked = !strcmp(parent->type->name, "blocked");
    size_t count =
        lw_encoding_integers(parent, blocked ? "sizePerThread" : "instrShape", 2, sizes, RANK);
    return (size_t)dim < count && sizes[dim] > 0 ? (uint64_t)sizes[dim] : TILE;
}

static bool copies(const struct lw_encoding *parent, const struct lw_tensor *tensor,
                   uint64_t *count, struct lw_error *err)
{
    struct lw_map map;
    if (!lw_encoding_build(parent, tensor, &map, err))
        return false;
    *count = lw_map_replication(&map);
    return true;
}

/* Sets the size of C along a dim that the operand does not determine. */
static bool find_size(const struct lw_encoding *parent, struct lw_tensor *c, int dim,
                      struct lw_error *err)
{
    uint64_t now, twice, size = least_size(parent, dim);
    c->shape[dim] = size;
    if (!copies(parent, c, &now, err))
        return false;
    for (int i = 0; i < SIZE_MAX_LOG2; i++, size *= 2, now = twice) {
        c->shape[dim] = 2 * size;
        if (!copies(parent, c, &twice, err))
            return false;
        if (twice == now)
            break;
    }
    c->shape[dim] = size;
    return true;
}

/* Sets the element that products of such elements are added up in. */
static void set_sum_element(struct lw_element *sum, const struct lw_element *element)
{
    bool integer = element->name[0] == 'i' || element->name[0] == 'u';
    if (element->bits && element->bits < 64)
        lw_element_find(sum, integer ? "i32" : "f32", NULL);
}

/* Whether the instruction reads an operand from shared memory: operand B of wgmma. */
static bool is_in_memory(const struct lw_encoding *parent, int operand)
{
    return operand == LW_MMA_B && !strcmp(parent->type->name, "nvidia_mma") &&
           lw_encoding_integer(parent, "versionMajor") == 3;
}

static bool open_other(struct lw_view *view, const struct lw_encoding *own, int i,
                       const struct lw_tensor *tensor, struct lw_error *err)
{
    struct lw_operand *operand = &lw_operands_of(view)->all[i];
    struct lw_arena arena = {0};
    operand->rows = tensor->shape[0];
    operand->cols = tensor->shape[1];
    operand->memory = is_in_memory(lw_encoding_nested(own, "parent"), i);
    if (operand->memory)
        return true;
    struct lw_encoding *other = lw_encoding_copy(&arena, own);
    if (other)
        other->params[lw_encoding_param(other, "opIdx")] = lw_value_integer(i == LW_MMA_B);
    bool good = other ? lw_operand_open(view, i, other, tensor, err)
                      : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    lw_arena_free(&arena);
    return good;
}

static bool open_triton(struct lw_view *view, struct lw_error *err)
{
    struct lw_operands *operands = lw_operands_of(view);
    const struct lw_subject *subject = view->subject;
    const struct lw_encoding *own = subject->encoding, *parent = lw_encoding_nested(own, "parent");
    int number = lw_encoding_integer(own, "opIdx") == 0 ? LW_MMA_A : LW_MMA_B;
    int free_dim = number == LW_MMA_A ? 1 : 0; /* the dim of C that this operand does not
                                                  determine */
    struct lw_tensor c = subject->tensor, other = subject->tensor;
    if (subject->tensor.rank != 2 || !parent)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the mma view draws operands of two dims, and this one has %d",
                            subject->tensor.rank);
    uint64_t k = subject->tensor.shape[free_dim];
    c.shape[1 - free_dim] = subject->tensor.shape[1 - free_dim];
    set_sum_element(&c.element, &subject->tensor.element);
    if (!find_size(parent, &c, free_dim, err))
        return false;
    other.shape[free_dim] = c.shape[free_dim];
    other.shape[1 - free_dim] = k;
    operands->own = number;
    operands->all[number].subject = subject;
    return lw_operand_measure(view, number, err) &&
           open_other(view, own, number == LW_MMA_A ? LW_MMA_B : LW_MMA_A, &other, err) &&
           lw_operand_open(view, LW_MMA_C, parent, &c, err) &&
           lw_operand_measure(view, LW_MMA_C, err);
}

/* ---- CuTe ---- */

/* Marks an operand that the instruction reads from memory: only its size is known, and no thread owns its elements. */
static void look_at_role(struct lw_operand *operand)
{
    const struct lw_encoding *encoding = operand->subject->encoding;
    const struct lw_value *role = encoding ? lw_encoding_value(encoding, "role") : NULL;
    operand->memory = role && role->kind == LW_VALUE_STRING && !strcmp(role->string, "memory");
}

static bool open_tiled(struct lw_view *view, int i, const char *tiling, struct lw_error *err)
{
    struct lw_operands *operands = lw_operands_of(view);
    struct lw_operand *operand = &operands->all[i];
    struct lw_document doc;
    struct lw_text source = {0};
    lw_text_format(&source, "%s.%s", tiling, operand->name);
    bool good = lw_document_read(&doc, lw_text_string(&source), source.length, NULL, err);
    lw_text_free(&source);
    if (!good)
        return false;
    good = lw_operand_open(view, i, doc.encoding, &doc.tensor, err);
    lw_document_free(&doc);
    return good;
}

static bool open_cute(struct lw_view *view, const char *tiling, char own, struct lw_error *err)
{
    struct lw_operands *operands = lw_operands_of(view);
    operands->own = own - 'A';
    operands->all[LW_MMA_B].turned = true; /* N x K in CuTe */
    for (int i = LW_MMA_A; i <= LW_MMA_C; i++) {
        operands->all[i].subject = view->subject;
        if ((i != operands->own && !open_tiled(view, i, tiling, err)) ||
            !lw_operand_measure(view, i, err))
            return false;
        look_at_role(&operands->all[i]);
    }
    return true;
}

/* The tiled MMA of one atom whose operand the subject is by name, SM80_16x8x16_F32F16F16F32_TN.A; false: it is none. */
static bool find_atom(const struct lw_subject *subject, struct lw_text *tiling, char *own)
{
    const char *name = subject->expression, *dot = name ? strrchr(name, '.') : NULL;
    if (!dot || strlen(dot) != 2 || !strchr("ABC", dot[1]) || strpbrk(name, "(,;"))
        return false;
    lw_text_format(tiling, "make_tiled_mma(%.*s{})", (int)(dot - name), name);
    *own = dot[1];
    return true;
}

static bool open_atom(struct lw_view *view, struct lw_error *err)
{
    struct lw_text tiling = {0};
    char own;
    bool good = find_atom(view->subject, &tiling, &own) &&
                open_cute(view, lw_text_string(&tiling), own, err);
    lw_text_free(&tiling);
    return good;
}

/* ---- All ---- */

static bool is_result(const char *type)
{
    return !strcmp(type, "nvidia_mma") || !strcmp(type, "amd_mfma") || !strcmp(type, "amd_wmma");
}

bool lw_mma_open(struct lw_view *view, struct lw_error *err)
{
    struct lw_error scratch;
    const struct lw_encoding *encoding = view->subject->encoding;
    const char *type = encoding ? encoding->type->name : "";
    err = err ? err : &scratch;
    err->code = LW_OK;
    if (!strcmp(type, "dot_op"))
        return open_triton(view, err);
    if (is_result(type))
        return lw_mma_open_result(view, err);
    if (view->subject->family == LW_FAMILY_TILUS_REGISTER)
        return lw_mma_open_tilus(view, err);
    const struct lw_value *tiling = encoding ? lw_encoding_value(encoding, "tiling") : NULL;
    const struct lw_value *operand = tiling ? lw_encoding_value(encoding, "operand") : NULL;
    if (tiling && operand && tiling->kind == LW_VALUE_STRING && strlen(operand->string) == 1 &&
        strchr("ABC", operand->string[0]))
        return open_cute(view, tiling->string, operand->string[0], err);
    if (open_atom(view, err))
        return true;
    return err->code == LW_OK &&
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "the mma view needs a part of an MMA: a dot_op, nvidia_mma, amd_mfma or "
                        "amd_wmma of Triton, an operand of tilus, or ATOM.A of CuTe; :mma m16n8k16 "
                        "opens an instruction by its name");
}
