/*
 * The mma view: A on the left, B above, C in the corner, aligned, so that row m of A and column n of B meet in element
 * (m, n) of C.
 *
 *         . B        K rows
 *         A C        M rows; K columns, then N
 *
 * The view's subject is one of them, and determines the others:
 *
 *   - a dot_op of Triton: its parent is C, the other operand has the other opIdx
 *   - an nvidia_mma, amd_mfma or amd_wmma of Triton: C, of which A and B are dot_op
 *   - a layout of tilus that is an operand of one of its instructions
 *   - an operand of a tiled MMA of CuTe, which the encoding names, make_tiled_mma(...).A, or of an atom, ATOM.A
 *
 * Sources: AccelerateMatmul.cpp and AccelerateAMDMatmul.cpp of Triton 3.9; the PTX ISA on mma and wgmma;
 * AtomicMmaConfig of tilus/ir/instructions/cuda/mma_dot.py, tilus 0.2.0.
 */

#include "core/array_count.h"
#include "view/operand/operands.h"

#include <string.h>

static bool refuse_rank(const struct lw_view *view, struct lw_error *err)
{
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "the mma view draws operands of two dims, and this one has %d",
                        view->subject->tensor.rank);
}

/* Makes the view's subject operand number i. */
static bool set_own(struct lw_view *view, int i, struct lw_error *err)
{
    struct lw_operands *operands = lw_operands_of(view);
    operands->own = i;
    operands->all[i].subject = view->subject;
    return lw_operand_measure(view, i, err);
}

/* An operand that the instruction reads from shared memory: only its size is known. */
static bool set_in_memory(struct lw_view *view, int i, uint64_t rows, uint64_t cols)
{
    struct lw_operand *operand = &lw_operands_of(view)->all[i];
    operand->memory = true;
    operand->rows = rows;
    operand->cols = cols;
    return true;
}

static bool is_integer(const struct lw_element *element)
{
    return element->name[0] == 'i' || element->name[0] == 'u';
}

static bool is_wgmma(const struct lw_encoding *result)
{
    return !strcmp(result->type->name, "nvidia_mma") &&
           lw_encoding_integer(result, "versionMajor") == 3;
}

/* ---- From an operand of Triton ----
 * It has two of M, N and K; the third is the least size at which C has no more copies than at twice that size: all
 * warps side by side, once. */

/* Sets *copies to how many owners an element has; false: the layout cannot be built. */
static bool count_copies(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         uint64_t *copies, struct lw_error *err)
{
    struct lw_map map;
    if (!lw_encoding_build(encoding, tensor, &map, err))
        return false;
    *copies = lw_map_replication(&map);
    return true;
}

/* Sets the size of C along a dim that the operand does not determine. */
static bool find_size(const struct lw_encoding *parent, struct lw_tensor *c, int dim,
                      struct lw_error *err)
{
    enum { SIZE_MAX_LOG2 = 20, RANK = 3, TILE = 16 };
    const bool blocked = !strcmp(parent->type->name, "blocked");
    int64_t sizes[RANK] = {0}; /* to begin with: of the instruction, or of one thread */
    size_t count =
        lw_encoding_integers(parent, blocked ? "sizePerThread" : "instrShape", 2, sizes, RANK);
    uint64_t now, twice;
    uint64_t size = (size_t)dim < count && sizes[dim] > 0 ? (uint64_t)sizes[dim] : TILE;
    c->shape[dim] = size;
    if (!count_copies(parent, c, &now, err))
        return false;
    for (int i = 0; i < SIZE_MAX_LOG2; i++, size *= 2, now = twice) {
        c->shape[dim] = 2 * size;
        if (!count_copies(parent, c, &twice, err))
            return false;
        if (twice == now)
            break;
    }
    c->shape[dim] = size;
    return true;
}

static bool open_other(struct lw_view *view, int i, const struct lw_tensor *tensor,
                       struct lw_error *err)
{
    const struct lw_encoding *own = view->subject->encoding;
    struct lw_arena arena = {0};
    if (i == LW_MMA_B && is_wgmma(lw_encoding_nested(own, "parent")))
        return set_in_memory(view, i, tensor->shape[0], tensor->shape[1]);
    struct lw_encoding *other = lw_encoding_copy(&arena, own);
    if (other)
        other->params[lw_encoding_param(other, "opIdx")] = lw_value_integer(i == LW_MMA_B);
    bool good = other ? lw_operand_open(view, i, other, tensor, err)
                      : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    lw_arena_free(&arena);
    return good && lw_operand_measure(view, i, err);
}

static bool open_dot_op(struct lw_view *view, struct lw_error *err)
{
    const struct lw_subject *subject = view->subject;
    const struct lw_encoding *parent = lw_encoding_nested(subject->encoding, "parent");
    const int own = lw_encoding_integer(subject->encoding, "opIdx") == 0 ? LW_MMA_A : LW_MMA_B;
    const int free_dim = own == LW_MMA_A ? 1 : 0; /* the dim of C that it does not determine */
    struct lw_tensor c = subject->tensor, other = subject->tensor;
    if (subject->tensor.rank != 2 || !parent)
        return refuse_rank(view, err);
    c.shape[1 - free_dim] = subject->tensor.shape[1 - free_dim];
    if (c.element.bits && c.element.bits < 64) /* that of the sum */
        lw_element_find(&c.element, is_integer(&c.element) ? "i32" : "f32", NULL);
    if (!find_size(parent, &c, free_dim, err))
        return false;
    other.shape[free_dim] = c.shape[free_dim];
    other.shape[1 - free_dim] = subject->tensor.shape[free_dim];
    return set_own(view, own, err) &&
           open_other(view, own == LW_MMA_A ? LW_MMA_B : LW_MMA_A, &other, err) &&
           lw_operand_open(view, LW_MMA_C, parent, &c, err) &&
           lw_operand_measure(view, LW_MMA_C, err);
}

/* ---- From a result of Triton ----
 * It does not determine all parameters of its operands; the caption has those that are assumed:
 *
 *   - K is that of instrShape where it has one. The mma.sync of NVIDIA reads 256 bits of a row along K, so
 *     wgmma's K determines the bits of an element, and mma.sync's K follows from them: f16, i8 of an i32 result,
 *     f64 of one of f64.
 *   - kWidth of NVIDIA fills a register of 32 bits. That of AMD is the largest with which one instruction
 *     reads all of K without copies. */

enum { ROW_BITS = 256, REGISTER_BITS = 32, WIDTH_MAX = 32 };

static uint64_t k_of(const struct lw_encoding *own)
{
    enum { RANK = 3 };
    int64_t sizes[RANK] = {0};
    size_t count = lw_encoding_integers(own, "instrShape", RANK, sizes, RANK);
    return count == RANK && lw_encoding_is_set(own, "instrShape") ? (uint64_t)sizes[2] : 0;
}

static struct lw_encoding *operand_of(struct lw_arena *arena, const struct lw_encoding *own, int i,
                                      uint64_t width)
{
    struct lw_encoding *operand = lw_encoding_new(arena, lw_encoding_type_find("dot_op"));
    struct lw_value parent = {.kind = LW_VALUE_ENCODING, .encoding = lw_encoding_copy(arena, own)};
    if (!operand || !parent.encoding)
        return NULL;
    operand->triton = own->triton;
    operand->params[lw_encoding_param(operand, "opIdx")] = lw_value_integer(i);
    operand->params[lw_encoding_param(operand, "parent")] = parent;
    operand->params[lw_encoding_param(operand, "kWidth")] = lw_value_integer((int64_t)width);
    return operand;
}

/* The largest of the legal kWidths with the fewest copies; 0: none is legal. */
static uint64_t widest(const struct lw_encoding *own, int i, const struct lw_tensor *tensor)
{
    uint64_t best = 0, least = UINT64_MAX, copies;
    for (uint64_t width = 1; width <= WIDTH_MAX; width *= 2) {
        struct lw_arena arena = {0};
        struct lw_encoding *operand = operand_of(&arena, own, i, width);
        if (operand && count_copies(operand, tensor, &copies, NULL) && copies <= least) {
            best = width;
            least = copies;
        }
        lw_arena_free(&arena);
    }
    return best;
}

static bool open_operand(struct lw_view *view, int i, uint64_t k, unsigned bits,
                         struct lw_error *err)
{
    struct lw_operands *operands = lw_operands_of(view);
    const struct lw_encoding *own = view->subject->encoding;
    struct lw_tensor tensor = view->subject->tensor;
    struct lw_arena arena = {0};
    bool nvidia = !strcmp(own->type->name, "nvidia_mma");
    tensor.shape[i == LW_MMA_A ? 1 : 0] = k;
    tensor.element = (struct lw_element){.bits = (int)bits};
    uint64_t width = bits < REGISTER_BITS ? REGISTER_BITS / bits : 1;
    if (!nvidia)
        width = widest(own, i, &tensor);
    struct lw_encoding *operand = width ? operand_of(&arena, own, i, width) : NULL;
    bool good = operand ? lw_operand_open(view, i, operand, &tensor, err)
                        : lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                       "there is no kWidth for operand %s of this %s",
                                       operands->all[i].name, own->type->name);
    lw_arena_free(&arena);
    if (i == LW_MMA_A && nvidia && k_of(own))
        lw_text_add(&operands->note, "assumed: A in registers");
    else if (i == LW_MMA_A)
        lw_text_format(&operands->note, "assumed: operands of %u bits, kWidth %llu", bits,
                       (unsigned long long)width);
    return good && lw_operand_measure(view, i, err);
}

static bool open_result(struct lw_view *view, struct lw_error *err)
{
    const struct lw_encoding *own = view->subject->encoding;
    const struct lw_element *sum = &view->subject->tensor.element;
    const bool nvidia = !strcmp(own->type->name, "nvidia_mma");
    unsigned bits = sum->name[0] == 'i' ? 8 : sum->bits == 64 ? 64 : 16;
    uint64_t k = k_of(own);
    if (nvidia && k)
        bits = (unsigned)(ROW_BITS / k);
    else if (nvidia && lw_encoding_integer(own, "versionMajor") == 2)
        k = ROW_BITS / bits;
    else if (!k && !strcmp(own->type->name, "amd_wmma"))
        k = 16;
    if (view->subject->tensor.rank != 2)
        return refuse_rank(view, err);
    if (!k)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the mma view needs operand A or B, as this %s has no K; :mma "
                            "m16n8k16 opens an instruction by its name",
                            own->type->name);
    if (!set_own(view, LW_MMA_C, err) || !open_operand(view, LW_MMA_A, k, bits, err))
        return false;
    return is_wgmma(own)
               ? set_in_memory(view, LW_MMA_B, k, lw_operands_of(view)->all[LW_MMA_C].cols)
               : open_operand(view, LW_MMA_B, k, bits, err);
}

/* ---- From a layout of tilus ----
 * It does not name the instruction: when its threads and locals hold the same elements as an operand of one, it is that
 * operand. A name has no vec_k, of 1 to 4, as in m16n8k16v2_f16_f32. */

enum { VECTORS = 4 };

/* Operands with %d as the locals along K of each thread, which are `unit` times vec_k. */
static const struct config {
    const char *name;
    int unit;
    const char *operand[LW_OPERANDS_MAX];
} configs[] = {
    {"m16n8k16_f16_f32",
     2,
     {"column_local(2, 2).spatial(8, 4).local(1, %d)",
      "local(2, 1).column_spatial(4, 8).local(%d, 1)", "local(2, 1).spatial(8, 4).local(1, 2)"}},
    {"m16n8k32_i8_i32",
     4,
     {"column_local(2, 2).spatial(8, 4).local(1, %d)",
      "local(2, 1).column_spatial(4, 8).local(%d, 1)", "local(2, 1).spatial(8, 4).local(1, 2)"}},
    {"m16n8k16_i8_i32",
     4,
     {"column_local(2, 1).spatial(8, 4).local(1, %d)", "column_spatial(4, 8).local(%d, 1)",
      "local(2, 1).spatial(8, 4).local(1, 2)"}},
    {"m8n8k16_i8_i32",
     4,
     {"spatial(8, 4).local(1, %d)", "column_spatial(4, 8).local(%d, 1)",
      "spatial(8, 4).local(1, 2)"}},
};

enum { SOURCE_MAX = 80, THREADS = 32, LOCALS_MAX = 64 };

static void write_operand(char source[SOURCE_MAX], const struct config *config, int i, int vector)
{
    snprintf(source, SOURCE_MAX, config->operand[i], config->unit * vector);
}

/* Whether a map has the same element at each index as that operand. */
static bool is_operand(const struct lw_map *map, const struct config *config, int i, int vector)
{
    struct lw_document doc;
    struct lw_map trial;
    char source[SOURCE_MAX];
    if (lw_dims_size(&map->in, "thread") != THREADS ||
        lw_dims_size(&map->in, "local") > LOCALS_MAX) /* need not be compared */
        return false;
    write_operand(source, config, i, vector);
    if (!lw_document_read(&doc, source, strlen(source), NULL, NULL))
        return false;
    uint64_t all, in[LW_DIMS_MAX], x[LW_DIMS_MAX] = {0}, y[LW_DIMS_MAX] = {0};
    bool same = lw_document_build(&doc, &trial, NULL) && lw_dims_equal(&map->in, &trial.in) &&
                lw_dims_equal(&map->out, &trial.out) && lw_dims_total(&map->in, &all, NULL);
    lw_document_free(&doc);
    for (uint64_t k = 0; same && k < all; k++) {
        lw_dims_unflatten(&map->in, k, in);
        same = lw_map_apply(map, in, x) && lw_map_apply(&trial, in, y) &&
               !memcmp(x, y, (size_t)map->out.count * sizeof *x);
    }
    return same;
}

static bool open_tilus(struct lw_view *view, struct lw_error *err)
{
    struct lw_operands *operands = lw_operands_of(view);
    const struct lw_element *element = &view->subject->tensor.element;
    const struct config *config = NULL;
    int own = 0, vector = 0;
    /* the first instruction whose element is that of the subject, as several have the same C */
    for (size_t c = 0; c < LW_COUNT(configs) && !config; c++)
        for (int i = 0; i < LW_OPERANDS_MAX * VECTORS && !config; i++) {
            own = i / VECTORS;
            vector = i % VECTORS + 1;
            if ((!element->name[0] || is_integer(element) == (configs[c].unit == 4)) &&
                is_operand(&view->subject->map, &configs[c], own, vector))
                config = &configs[c];
        }
    if (!config)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "the mma view needs an operand of one instruction of tilus, such as "
            "column_local(2, 2).spatial(8, 4).local(1, 2), and this layout is not one");
    lw_text_format(&operands->note, "as in %s of tilus, vec_k %d", config->name, vector);
    for (int i = LW_MMA_A; i <= LW_MMA_C; i++) {
        char source[SOURCE_MAX];
        write_operand(source, config, i, vector);
        if (!(i == own ? set_own(view, i, err)
                       : lw_operand_read(view, i, source, err) && lw_operand_measure(view, i, err)))
            return false;
    }
    return true;
}

/* ---- From an operand of CuTe ---- */

static bool open_cute(struct lw_view *view, const char *tiling, char own, struct lw_error *err)
{
    struct lw_operand *all = lw_operands_of(view)->all;
    all[LW_MMA_B].turned = true; /* N x K in CuTe */
    for (int i = LW_MMA_A; i <= LW_MMA_C; i++) {
        struct lw_text source = {0};
        lw_text_format(&source, "%s.%s", tiling, all[i].name);
        bool good = all[i].name[0] == own
                        ? set_own(view, i, err)
                        : lw_operand_read(view, i, lw_text_string(&source), err) &&
                              lw_operand_measure(view, i, err);
        lw_text_free(&source);
        if (!good)
            return false;
        const struct lw_encoding *encoding = all[i].subject->encoding;
        const struct lw_value *role = encoding ? lw_encoding_value(encoding, "role") : NULL;
        all[i].memory = role && role->kind == LW_VALUE_STRING && !strcmp(role->string, "memory");
    }
    return true;
}

/* The tiled MMA of one atom whose operand the subject is by name, SM80_16x8x16_F32F16F16F32_TN.A. False with the code
 * LW_OK: it is none. */
static bool open_atom(struct lw_view *view, struct lw_error *err)
{
    const char *name = view->subject->expression, *dot = name ? strrchr(name, '.') : NULL;
    struct lw_text tiling = {0};
    if (!dot || strlen(dot) != 2 || !strchr("ABC", dot[1]) || strpbrk(name, "(,;"))
        return false;
    lw_text_format(&tiling, "make_tiled_mma(%.*s{})", (int)(dot - name), name);
    bool good = open_cute(view, lw_text_string(&tiling), dot[1], err);
    lw_text_free(&tiling);
    return good;
}

/* ---- The view ---- */

static bool open_operands(struct lw_view *view, struct lw_error *err)
{
    const struct lw_encoding *encoding = view->subject->encoding;
    const char *type = encoding ? encoding->type->name : "";
    err->code = LW_OK;
    if (!strcmp(type, "dot_op"))
        return open_dot_op(view, err);
    if (!strcmp(type, "nvidia_mma") || !strcmp(type, "amd_mfma") || !strcmp(type, "amd_wmma"))
        return open_result(view, err);
    if (view->subject->family == LW_FAMILY_TILUS_REGISTER)
        return open_tilus(view, err);
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

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    static const char *const names[] = {"A", "B", "C"};
    struct lw_operands *operands = lw_operands_of(view);
    struct lw_operand *all = operands->all, *a = all + LW_MMA_A, *b = all + LW_MMA_B;
    struct lw_operand *c = all + LW_MMA_C;
    struct lw_error scratch;
    err = err ? err : &scratch;
    operands->count = LW_OPERANDS_MAX;
    for (int i = 0; i < operands->count; i++)
        all[i] = (struct lw_operand){.name = names[i], .row_prefix = "", .col_prefix = ""};
    if (!open_operands(view, err))
        return false;
    if (a->cols != b->rows || a->rows != c->rows || b->cols != c->cols)
        return lw_error_set(err, LW_ERROR_SHAPE, "A, B and C do not fit each other");
    b->row_prefix = a->col_prefix = "k";
    a->row = c->row = view->seam_rows = a->cols;
    b->col = c->col = view->seam_cols = a->cols;
    lw_operands_arrange(view);
    return true;
}

static void put_size(struct lw_text *text, const struct lw_operand *operand)
{
    lw_text_format(text, "%s %llux%llu", operand->name, (unsigned long long)operand->rows,
                   (unsigned long long)operand->cols);
    if (operand->subject && operand->subject->tensor.element.name[0])
        lw_text_format(text, " %s", operand->subject->tensor.element.name);
    if (operand->memory)
        lw_text_add(text, " (in memory)");
}

/* Whether the result is that of an instruction of AMD for the transposed product. */
static bool is_transposed(const struct lw_view *view)
{
    const struct lw_operand *c = &lw_operands_of(view)->all[LW_MMA_C];
    const struct lw_encoding *encoding = c->subject ? c->subject->encoding : NULL;
    const char *type = encoding ? encoding->type->name : "";
    return (!strcmp(type, "amd_mfma") && lw_encoding_boolean(encoding, "isTransposed")) ||
           (!strcmp(type, "amd_wmma") && lw_encoding_boolean(encoding, "isTranspose"));
}

/* "C 16x8 f32 += A 16x16 f16 * B 16x8 f16" */
static void caption(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_operands *operands = lw_operands_of(view);
    put_size(text, &operands->all[LW_MMA_C]);
    lw_text_add(text, " += ");
    put_size(text, &operands->all[LW_MMA_A]);
    lw_text_add(text, " * ");
    put_size(text, &operands->all[LW_MMA_B]);
    lw_text_add(text, is_transposed(view) ? "; C transposed" : "");
    if (operands->note.length)
        lw_text_format(text, "; %s", lw_text_string(&operands->note));
}

/* What the thread holds, and how the registers of a transposed result lie. */
static void explain_thread(const struct lw_view *view, const struct lw_spot *spot,
                           struct lw_explanation *explanation)
{
    const int operand = spot->operand ? spot->operand - 1 : lw_operands_of(view)->own;
    lw_mma_explain_thread(view, spot, explanation);
    if (operand == LW_MMA_C && is_transposed(view))
        lw_text_add(lw_explanation_line(explanation, "C transposed"), "registers along n");
}

const struct lw_view_type lw_view_mma = {
    .name = "mma",
    .title = "MMA",
    .help = "operands A and B of an MMA and its result C, aligned",
    .picture = true,
    .formatted = true,
    .state_size = sizeof(struct lw_operands),
    .open = open_view,
    .close = lw_operands_close,
    .cell = lw_operands_cell,
    .row_label = lw_operands_row_label,
    .col_label = lw_operands_col_label,
    .width = lw_operands_width,
    .spot = lw_operands_spot,
    .find = lw_operands_find,
    .layout = lw_operands_layout,
    .part = lw_operands_part,
    .linked = lw_mma_linked,
    .caption = caption,
    .legend = lw_operands_legend,
    .explain = lw_operands_explain,
    .explain_thread = explain_thread,
};
