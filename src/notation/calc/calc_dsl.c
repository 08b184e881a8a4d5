/*
 * The CuTe DSL for Python: the operation classes of cute.nvgpu, the layouts of shared memory that instructions read,
 * helpers, and what print() gives of a tiling. A class is a row, whose pattern makes the name of an atom of its
 * arguments.
 * Source: nvgpu, atom.py and core.py of nvidia-cutlass-dsl 4.8.1; mma_traits_sm90_gmma.hpp and mma_traits_sm100.hpp of
 * CUTLASS 4.
 */

#include "notation/calc/calculator.h"
#include "notation/calc/calc_rows.h"

#include "core/array_count.h"

#include <stdlib.h>
#include <string.h>

/* ---- Shared memory ---- */

/* The layouts that the matrix instructions of sm_90 and sm_100 read, by their names: GMMA::Layout_K_SW128_Atom<half_t>,
 * and K_SW128 of the DSL. Each is rows, or columns, of 128 to 1024 bits under a swizzle of bytes. */
static const struct smem {
    const char *name;
    int64_t bits, rows;
    struct lw_cute_swizzle swizzle;
} smem_atoms[] =
    {
        {"INTER", 128, 8, {0, 4, 3}},      {"SW32", 256, 8, {1, 4, 3}},
        {"SW64", 512, 8, {2, 4, 3}},       {"SW128", 1024, 8, {3, 4, 3}},
        {"SW128_32B", 1024, 4, {2, 5, 2}}, /* MN of sm_100 alone; 8 rows in the DSL */
};

bool lw_calc_is_smem(const char *name)
{
    const char *last = lw_calc_last_word(name), *atom = strstr(last, "_Atom");
    return (!strncmp(last, "Layout_K_", 9) || !strncmp(last, "Layout_MN_", 10)) && atom && !atom[5];
}

/* The layout of a kind, K_SW128, which in C++ _Atom follows, and of elements of that type. */
static bool make_smem(struct lw_cute_work *work, const char *kind, const struct lw_calc_type *type,
                      struct lw_calc_result *value)
{
    struct lw_cute cute = {.composed = true, .pointer = type->bits};
    bool mn = *kind == 'M', dsl = !strstr(kind, "_Atom");
    size_t length = strlen(kind) - (dsl ? 0 : 5), begin = mn ? 3 : 2;
    const struct smem *atom = NULL;
    for (size_t i = 0; i < LW_COUNT(smem_atoms); i++)
        if (strlen(smem_atoms[i].name) + begin == length && (mn || smem_atoms[i].rows == 8) &&
            !strncmp(smem_atoms[i].name, kind + begin, length - begin))
            atom = &smem_atoms[i];
    if (!atom)
        return lw_error_set(work->err, LW_ERROR_NAME,
                            "unknown atom %s: expected K_ or MN_ with INTER, SW32, SW64 or SW128, "
                            "or MN_SW128_32B",
                            kind);
    int64_t along = atom->bits / type->bits;
    const struct lw_cute_layout row = lw_cute_leaf(along, 1, true);
    const struct lw_cute_layout rows = lw_cute_leaf(dsl ? 8 : atom->rows, along, true);
    cute.swizzle = atom->swizzle;
    return lw_cute_pair(work, mn ? row : rows, mn ? rows : row, &cute.layout) &&
           lw_calc_set_cute(work, &cute, value);
}

bool lw_calc_smem(struct lw_calculation *calc, const struct lw_node *name,
                  struct lw_calc_result *value)
{
    const struct lw_node *angles = name->angles;
    if (!angles || angles->count != 1)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX,
                           angles ? angles->position : lw_node_end(name),
                           "expected `<` and the type of an element, as in <half_t>");
    const struct lw_calc_type *type = lw_calc_type_at(angles->items, calc->err);
    return type && (make_smem(&calc->work, lw_calc_last_word(name->name) + strlen("Layout_"), type,
                              value) ||
                    lw_error_locate(calc->err, name->name_position));
}

static LW_CALC_RUN(make_smem_layout_atom)
{
    const char *kind = lw_calc_word(call, 0);
    const struct lw_calc_type *type = lw_calc_type_at(call->args[1].node, call->work.err);
    return type && make_smem(&call->work, kind ? kind : "", type, out);
}

/* ---- Operation classes ---- */

/* What a class is given, by the letters of patterns: numbers, and the names of types in atoms. */
struct given {
    int64_t number['z' - 'a' + 1];
    const char *type[3]; /* a, b, c */
};

/* The parameters that decide which atom a class is, by the name in its usage; others have no effect on layouts. Of a
 * word the number is that of its digits, or its index among `words`. */
static const struct parameter {
    const char *name;
    char letter;
    const char *words[3];
} parameters[] = {
    {"ab_dtype", 'a', {0}},
    {"abacc_dtype", 'a', {0}},
    {"a_dtype", 'a', {0}},
    {"b_dtype", 'b', {0}},
    {"acc_dtype", 'c', {0}},
    {"a_src", 'r', {"SMEM", "RMEM", "TMEM"}},
    {"cta_group", 'g', {"ONE", "TWO"}},
    {"transpose", 't', {"False", "True"}},
    {"unpack_bits", 'u', {"None", "4", "6"}},
    {"pack", 'w', {"NONE", "PACK_16b_IN_32b"}},
    {"unpack", 'w', {"NONE", "UNPACK_32b_IN_16b"}},
    {"num_matrices", 'x', {0}},
    {"repeat", 'x', {0}},
};

/* Reads an argument that is a name or a number. */
static bool read_word(const struct lw_calc_call *call, int i, struct given *given)
{
    const struct parameter *of = NULL;
    const struct lw_node *node = call->args[i].node;
    char digits[24];
    const char *word = lw_calc_word(call, i);
    const struct lw_calc_param_name name = lw_calc_param_name(call->row, i);
    for (size_t k = 0; k < LW_COUNT(parameters) && !of; k++)
        if (!strcmp(parameters[k].name, name.text))
            of = &parameters[k];
    if (!of)
        return true;
    if (of->letter <= 'c') {
        const struct lw_calc_type *type = lw_calc_type_at(node, call->work.err);
        const char *legal = call->row->core.atom[of->letter == 'c' ? 2 : 1];
        given->type[of->letter - 'a'] = type ? type->atom : NULL;
        return type && ((type->atom && (!legal || lw_text_has_word(legal, type->atom))) ||
                        lw_error_at(call->work.err, LW_ERROR_PARAMETER, node->position,
                                    "%s: %s must be one of %s", call->row->base.name, name.text,
                                    legal ? legal : "the types of an MMA"));
    }
    snprintf(digits, sizeof digits, "%lld", (long long)node->integer);
    word = word ? word : digits;
    int64_t *number = &given->number[of->letter - 'a'];
    for (*number = 0; of->words[0] && *number < 3 && of->words[*number]; ++*number)
        if (!strcmp(of->words[*number], word))
            return true;
    return (!of->words[0] && (*number = strtol(word + (*word == 'x'), NULL, 10)) > 0) ||
           lw_error_at(call->work.err, LW_ERROR_SYNTAX, node->position, "%s: expected %s%s%s",
                       name.text, of->words[0] ? of->words[0] : "a number",
                       of->words[0] ? " or " : "", of->words[0] ? of->words[1] : "");
}

/* Appends a pattern up to its end. `%a` to `%c` are names of types, another letter is a number, `%2x` twice it, and
 * `%g{|2x1SM_}` the alternative of that number. */
static void expand(struct lw_text *text, const char *at, const char *end, const struct given *given)
{
    while (at < end) {
        if (*at != '%') {
            lw_text_char(text, *at++);
            continue;
        }
        int factor = lw_is_digit(*++at) ? *at++ - '0' : 1;
        int64_t number = given->number[*at - 'a'];
        if (*at <= 'c') {
            lw_text_add(text, given->type[*at - 'a'] ? given->type[*at - 'a'] : "");
        } else if (at[1] != '{') {
            lw_text_format(text, "%lld", (long long)number * factor);
        } else {
            const char *close = strchr(at, '}');
            for (at += 2; number > 0 && at < close; number--)
                at += strcspn(at, "|}") + 1;
            if (at <= close)
                expand(text, at, at + strcspn(at, "|}"), given);
            at = close;
        }
        at++;
    }
}

/* Makes *out the whole atom of that name, and frees the name. */
static bool set_atom(struct lw_calc_call *call, struct lw_text *name, struct lw_calc_result *out)
{
    struct lw_node node = {.kind = LW_NODE_NAME};
    node.name = lw_arena_string(call->work.arena, lw_text_string(name), name->length);
    lw_text_free(name);
    return node.name ? lw_calc_atom(call->calc, &node, NULL, out) : lw_cute_memory(&call->work);
}

/* The atom whose name the pattern of a row gives. The shape is that of the atom, or its M and N. */
static LW_CALC_RUN(make_op)
{
    struct given given = {.number['x' - 'a'] = 1};
    const struct lw_cute_tuple *shape = NULL;
    const char *pattern = call->row->core.atom[0];
    struct lw_text name = {0};
    for (int i = 0; lw_calc_param(call->row, i); i++)
        if (lw_calc_param(call->row, i) == TUPLE)
            shape = lw_calc_tree(call, i);
        else if (call->args[i].node && !read_word(call, i, &given))
            return false;
    for (int i = 0; shape && i < shape->count && i < 3; i++)
        given.number["mnk"[i] - 'a'] = shape->items[i].value;
    expand(&name, pattern, pattern + strlen(pattern), &given);
    if (!set_atom(call, &name, out))
        return false;
    bool same = !shape || shape->count == 2 || shape->count == 3;
    for (int i = 0; shape && same && i < shape->count; i++)
        same = shape->items[i].value == out->as.tiling.mma_atom->mnk.items[i].value;
    return same || lw_error_at(call->work.err, LW_ERROR_PARAMETER, shape->position,
                               "%s: the shape is (M, N) or (M, N, %lld)", call->row->base.name,
                               (long long)out->as.tiling.mma_atom->mnk.items[2].value);
}

static LW_CALC_RUN(make_mma_atom)
{
    *out = *call->args[0].value;
    return true;
}

/* Of a copy of as many bits as wanted, without that number, the compiler chooses them. */
static LW_CALC_RUN(make_copy_atom)
{
    static const char *const sized[] = {"UniversalCopy_", "SM90_BULK_COPY_",
                                        "SM80_CP_ASYNC_CACHEALWAYS_"};
    uint64_t wanted = lw_calc_number(call, 2, 0);
    struct lw_text name = {0};
    *out = *call->args[0].value;
    const struct lw_calc_type *type = lw_calc_type_at(call->args[1].node, call->work.err);
    for (size_t i = 0; type && i < LW_COUNT(sized); i++)
        if (!strncmp(out->as.tiling.copy_atom->name, sized[i], strlen(sized[i]))) {
            if (!wanted && i == 2)
                return lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                                    "num_bits_per_copy: must be from 1 to 1024");
            lw_text_format(&name, wanted ? "%s%llub" : "AutoVectorizingCopy", sized[i],
                           (unsigned long long)wanted);
        }
    return type && (!name.length || set_atom(call, &name, out)) &&
           lw_calc_set_values(call->calc, type->bits, NULL, out);
}

/* ---- Helpers ---- */

/* The first integer of a tuple; of a layout the first mode that has no modes. */
static LW_CALC_RUN(front)
{
    struct lw_cute made = {0};
    const struct lw_cute *cute = lw_calc_cute(call->args[0].value);
    const struct lw_cute_tuple *tree = lw_calc_tree(call, 0);
    while (!cute && tree->count > 0)
        tree = &tree->items[0];
    if (!cute)
        return lw_calc_set_tree(tree, out);
    for (made.layout = cute->layout; made.layout.shape.count > 0;)
        made.layout = lw_cute_mode(&made.layout, 0);
    return lw_calc_set_cute(&call->work, &made, out);
}

static LW_CALC_RUN(append_ones)
{
    struct lw_cute made = {0};
    const struct lw_cute_layout *layout = &lw_calc_cute_at(call, 0)->layout;
    int rank = lw_cute_rank(&layout->shape), count = rank;
    uint64_t wanted = lw_calc_number(call, 1, (uint64_t)rank + 1);
    if (wanted > (uint64_t)rank)
        count = wanted < LW_CUTE_LEAVES_MAX ? (int)wanted : LW_CUTE_LEAVES_MAX;
    struct lw_cute_layout *modes = lw_cute_new_layouts(&call->work, count);
    for (int i = 0; modes && i < count; i++)
        modes[i] = i < rank ? lw_cute_mode(layout, i) : lw_cute_leaf(1, 0, true);
    if (count == rank)
        made.layout = *layout;
    return modes && (count == rank || lw_cute_join(&call->work, modes, count, &made.layout)) &&
           lw_calc_set_cute(&call->work, &made, out);
}

/* Finds the first stride 1 of a mode that has more than one element: its number, (1,0) of mode 0 in mode 1. */
static bool find_leading(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                         const struct lw_cute_tuple *stride, struct lw_cute_tuple *out)
{
    for (int i = 0; i < lw_cute_rank(stride) && i < lw_cute_rank(shape); i++) {
        const struct lw_cute_tuple *size = lw_cute_item(shape, i), *step = lw_cute_item(stride, i);
        const struct lw_cute_tuple number = lw_cute_integer(i, false);
        struct lw_cute_tuple inner;
        bool leaf = step->count < 0;
        if (leaf ? step->value != 1 || (size->count < 0 && size->value == 1)
                 : !find_leading(work, size, step, &inner))
            continue;
        *out = number;
        if (leaf)
            return true;
        const struct lw_cute_tuple one = lw_cute_tuple_of(&inner, inner.count < 0 ? 1 : 0);
        return lw_cute_append_tuple(work, inner.count < 0 ? &one : &inner, &number, true, out);
    }
    return false;
}

static LW_CALC_RUN(leading_dim)
{
    out->as.tree = lw_cute_blank(); /* None */
    find_leading(&call->work, lw_calc_tree(call, 0), lw_calc_tree(call, 1), &out->as.tree);
    return call->work.err->code == LW_OK;
}

/* (tiler_mn, layout_tv) of a tiled copy of threads and their values. */
static LW_CALC_RUN(make_layout_tv)
{
    struct lw_cute_copy_atom atom = {.bits = 1, .threads = lw_cute_leaf(1, 0, true)};
    struct lw_cute_tiled_copy copy;
    struct lw_calc_result tv;
    struct lw_cute_tuple *items = lw_cute_new_items(&call->work, 2, &out->as.tree);
    if (!items || !lw_cute_pair(&call->work, atom.threads, atom.threads, &atom.reference) ||
        !lw_cute_tiled_copy_of_threads(&call->work, &atom, &lw_calc_cute_at(call, 0)->layout,
                                       &lw_calc_cute_at(call, 1)->layout, &copy))
        return false;
    const struct lw_cute made = {.layout = copy.tv};
    if (!lw_calc_set_cute(&call->work, &made, &tv))
        return false;
    items[0] = copy.tiler;
    items[1] = tv.as.tree;
    return true;
}

/* ---- What print() gives ---- */

const char *lw_calc_printed(struct lw_arena *arena, const char *text)
{
    bool mma = !strncmp(text, "Tiled MMA", 9) || !strncmp(text, "TiledMMA", 8);
    if (!mma && strncmp(text, "Tiled Copy", 10) != 0)
        return NULL;
    const char *name = mma ? "cute.printed_mma(" : "cute.printed_copy(", *call = name;
    size_t length = strlen(text), end = length;
    char *made = lw_arena_alloc(arena, length + 2); /* the memory of an arena is zero */
    while (end > 0 && strchr(" \n", text[end - 1]))
        end--;
    for (size_t i = 0, next; made && i < end; i = next) {
        next = i + strcspn(text + i, "\n") + 1;
        size_t label = i + strcspn(text + i, ":\n"), value = label + 1;
        memcpy(made + i, text + i, next < length ? next - i : length - i);
        value += text[label] == ':' ? strspn(text + value, " ") : 0;
        memset(made + i, ' ', (value < next ? value : next - 1) - i);
        if (text[label] != ':')
            continue;
        if (*call && strlen(call) > value - i)
            return NULL;
        memcpy(made + i, *call ? call : ",", *call ? strlen(call) : 1);
        call = "";
    }
    if (made)
        made[end] = ')';
    return *call ? NULL : made;
}

static bool is_of_rank(const struct lw_calc_call *call, int i, int rank)
{
    const struct lw_cute *cute = lw_calc_cute(call->args[i].value);
    const struct lw_cute_tuple *tree = cute ? &cute->layout.shape : lw_calc_tree(call, i);
    return tree->count == rank || lw_error_set(call->work.err, LW_ERROR_SHAPE, "%s has %d modes",
                                               lw_calc_param_name(call->row, i).text, rank);
}

/* An operand whose elements all threads share is not in registers. */
static LW_CALC_RUN(printed_mma)
{
    struct lw_cute_mma_atom *atom = lw_arena_alloc(call->work.arena, sizeof *atom);
    struct lw_cute_tiled_mma *mma = lw_arena_alloc(call->work.arena, sizeof *mma);
    if (!atom || !mma)
        return lw_cute_memory(&call->work);
    if (!is_of_rank(call, 0, 4) || !is_of_rank(call, 1, 3) || !is_of_rank(call, 3, 3))
        return false;
    *atom = (struct lw_cute_mma_atom){.name = "MMA Atom", .mnk = *lw_calc_tree(call, 3)};
    atom->threads = lw_calc_cute_at(call, 2)->layout;
    int64_t count = lw_cute_size(&atom->threads);
    for (int i = 0; i < 3; i++) {
        if (!is_of_rank(call, 4 + i, 2))
            return false;
        atom->operand[i] = lw_calc_cute_at(call, 4 + i)->layout;
        const struct lw_cute_layout lanes = lw_cute_mode(&atom->operand[i], 0);
        const struct lw_cute_layout values = lw_cute_mode(&atom->operand[i], 1);
        bool shared = lw_cute_size(&values) > 1 && (count <= 2 || lw_cute_cosize(&lanes) == 1);
        atom->role[i] = shared                                   ? LW_CUTE_ROLE_MEMORY
                        : lw_cute_cosize(&atom->threads) > count ? LW_CUTE_ROLE_QUAD_PAIR
                                                                 : LW_CUTE_ROLE_A + (unsigned)i;
    }
    *mma = (struct lw_cute_tiled_mma){.atom = atom,
                                      .permutation = *lw_calc_tree(call, 1),
                                      .threads = lw_calc_cute_at(call, 0)->layout};
    out->as.tiling = (struct lw_calc_tiling){.mma = mma, .thread = -1};
    return true;
}

/* The number of first values of thread 0 that are in a row. */
static int64_t run_of(const struct lw_cute_layout *side)
{
    const struct lw_cute_layout values = lw_cute_mode(side, 1);
    int64_t run = 1;
    while (run < lw_cute_size(&values) && lw_cute_offset(&values, run) == run)
        run++;
    return run;
}

/* The values of a copy are numbered by its registers, where fewer values are in a row than in a row of a matrix; of
 * tensor memory by the side that all threads share. */
static LW_CALC_RUN(printed_copy)
{
    struct lw_cute_copy_atom *atom = lw_arena_alloc(call->work.arena, sizeof *atom);
    struct lw_cute_tiled_copy *copy = lw_arena_alloc(call->work.arena, sizeof *copy);
    struct lw_element element;
    const char *type = lw_calc_word(call, 5);
    if (!atom || !copy)
        return lw_cute_memory(&call->work);
    if (!is_of_rank(call, 3, 2) || !is_of_rank(call, 4, 2) ||
        !lw_element_find(&element, type ? type : "", call->work.err))
        return false;
    *atom = (struct lw_cute_copy_atom){
        .name = "Copy Atom", .bits = element.bits, .threads = lw_calc_cute_at(call, 2)->layout};
    for (int i = 0; i < 2; i++)
        atom->side[i] = lw_calc_cute_at(call, 3 + i)->layout;
    const struct lw_cute_layout lanes = lw_cute_mode(&atom->side[0], 0);
    bool shared = lw_cute_size(&lanes) > 2 && lw_cute_cosize(&lanes) == 1;
    atom->reference = atom->side[!(shared || run_of(&atom->side[0]) < run_of(&atom->side[1]))];
    out->as.tiling = (struct lw_calc_tiling){.copy = copy, .thread = -1};
    return lw_cute_tiled_copy_make(&call->work, atom, &lw_calc_cute_at(call, 1)->layout,
                                   lw_calc_tree(call, 0), copy);
}

/* clang-format off */

/* A class: its parameters, words and a shape; the pattern of the name of its atom, and the types that it may have. */
#define OPS(name, also, parameters, help, ...) \
    {ALSO_FUNCTION(name, also, parameters, help), {LW_CALC_PARAM_WORDS}, \
     0, LW_CALC_PAIR_PRODUCT, LW_CALC_ATOM, make_op, {.atom = {__VA_ARGS__}}}
#define OP(name, parameters, help, ...) OPS(name, NULL, parameters, help, __VA_ARGS__)
/* The types of elements by their names in atoms. */
#define HALVES "F16 BF16"
#define BYTES "E4M3 E5M2"
#define SMALL "E4M3 E5M2 E3M2 E2M3 E2M1"
#define SUMS "F16 F32"
/* An MMA of a warp with scales of blocks, one of a warpgroup, and one on tensor memory. */
#define SCALED(name, types, help, k, a) \
    OP("warp." name, types "acc_dtype, sf_type", help, "SM120::BLOCKSCALED::SM120_16x8x" k "_TN_VS", a, "F32")
#define GROUP(name, types, pattern) \
    OP("warpgroup." name, types "acc_dtype, instruction_shape, a_src[, a_major_mode, b_major_mode]", \
       "an MMA of a warpgroup", "SM90_%mx%nx" pattern)
#define CTA_SHORT(name, types, help, ...) \
    OP("tcgen05." name, types "instruction_shape, cta_group, a_src", help, __VA_ARGS__)
#define CTA(name, types, help, ...) \
    OP("tcgen05." name, types "instruction_shape, cta_group, a_src[, a_major_mode, b_major_mode]", help, __VA_ARGS__)
#define CTA_SPARSE(name, ...) \
    OP("tcgen05." name, "ab_dtype, acc_dtype, instruction_shape, cta_group, a_src" \
       "[, a_major_mode, b_major_mode, sparse_metadata_format]", "with A sparse", __VA_ARGS__)
#define UMMA(kind, source) kind "_%g{|2x1SM_}" source "_%mx%n"
#define TMEM "an MMA on tensor memory"
#define TMEM_COPIES(name, dp) \
    OP("tcgen05.Ld" name "Op", "[repeat, pack]", "a load of tensor memory", "SM100_TMEM_LOAD_" dp "%xx%w{|_16b}"), \
    OP("tcgen05.St" name "Op", "[repeat, unpack]", "a store to tensor memory", "SM100_TMEM_STORE_" dp "%xx%w{|_16b}")
#define TO_TMEM(name, shape) \
    OP("tcgen05.Cp" name "Op", "cta_group", "a copy from shared to tensor memory", "SM100_UTCCP_" shape "_%g{1|2}cta")
#define MATRICES "num_matrices, unpack_bits]"

/* A name without its module is that of the first row. */
static const struct lw_calc_row rows[] = {
    {FUNCTION("make_mma_atom", "op", "an atom of the CuTe DSL"), {MMA_ATOM}, RUN(0, ATOM, make_mma_atom)},
    {FUNCTION("make_copy_atom", "op, copy_internal_type[, num_bits_per_copy]", "a copy of the CuTe DSL of a type"),
     {COPY_ATOM, WORD, NUMBER}, RUN(0, ATOM, make_copy_atom)},
    OP("MmaUniversalOp", "abacc_dtype", "an MMA of a thread", "UniversalFMA"),
    OP("warp.MmaF16BF16Op", "ab_dtype, acc_dtype, shape_mnk", "an MMA of a warp", "SM80_%mx%nx%k_%c%a%a%c_TN"),
    OP("warp.MmaTF32Op", "shape_mnk", "the same", "SM80_%mx%nx%k_F32TF32TF32F32_TN"),
    OP("warp.MmaFP8Op", "ab_dtype, acc_dtype, shape_mnk", "the same", "SM89_%mx%nx%k_%c%a%a%c_TN"),
    OP("warp.MmaF16BF16SparseOp", "ab_dtype, acc_dtype, shape_mnk, sparse_metadata_format", "with A sparse",
       "SM80_SPARSE_%mx%nx%k_%c%a%a%c_TN"),
    SCALED("MmaMXF8Op", "ab_dtype, ", "with scales of blocks", "32", BYTES),
    SCALED("MmaMXF8F6F4Op", "a_dtype, b_dtype, ", "the same", "32", "E4M3 E5M2 E2M1"),
    SCALED("MmaMXF4Op", "ab_dtype, ", "the same", "64", "E2M1"),
    SCALED("MmaMXF4NVF4Op", "ab_dtype, ", "the same", "64", "E2M1"),
    GROUP("MmaF16BF16Op", "ab_dtype, ", "16_%c%a%a_%r{S|R}S"),
    GROUP("MmaF8Op", "a_dtype, b_dtype, ", "32_%c%a%b_%r{S|R}S_TN"),
    GROUP("MmaI8Op", "a_dtype, b_dtype, ", "32_%c%a%b_%r{S|R}S_TN"),
    CTA("MmaTF32Op", "", TMEM, UMMA("SM100_MMA_TF32", "%r{S||T}S")),
    CTA("MmaF16BF16Op", "ab_dtype, acc_dtype, ", TMEM, UMMA("SM100_MMA_F16BF16", "%r{S||T}S"), HALVES, SUMS),
    CTA("MmaI8Op", "ab_dtype, ", TMEM, UMMA("SM100_MMA_S8", "%r{S||T}S"), "S8 U8"),
    CTA("MmaFP8Op", "ab_dtype, acc_dtype, ", TMEM, UMMA("SM100_MMA_F8F6F4", "%r{S||T}S"), BYTES, SUMS),
    CTA("MmaF8F6F4Op", "a_dtype, b_dtype, acc_dtype, ", TMEM, UMMA("SM100_MMA_F8F6F4", "%r{S||T}S"), SMALL, SUMS),
    CTA_SPARSE("MmaF16BF16SparseOp", UMMA("SM100_MMA_F16BF16", "%r{SS}_SPARSE"), HALVES, SUMS),
    CTA_SPARSE("MmaFP8SparseOp", UMMA("SM100_MMA_F8F6F4", "%r{SS}_SPARSE"), BYTES, SUMS),
    CTA("MmaMXF8Op", "ab_dtype, ", "with scales of blocks", UMMA("SM100_MMA_MXF8F6F4", "%r{SS}"), BYTES),
    CTA("MmaMXF8F6F4Op", "a_dtype, b_dtype, ", "the same", UMMA("SM100_MMA_MXF8F6F4", "%r{SS}"), SMALL),
    CTA_SHORT("MmaMXF4Op", "", "the same", UMMA("SM100_MMA_MXF4", "%r{SS}")),
    CTA_SHORT("MmaMXF4NVF4Op", "sf_dtype, ", "the same", UMMA("SM100_MMA_MXF4", "%r{SS}")),
    CTA_SHORT("SM103MmaMXF4Op", "", "the same", UMMA("SM103::SM103_MXF4_ULTRA", "%r{SS}_VS")),
    CTA_SHORT("SM103MmaMXF4NVF4Op", "sf_dtype, ", "the same", UMMA("SM103::SM103_MXF4_ULTRA", "%r{SS}_VS")),
    OPS("CopyUniversalOp", "CopyG2ROp|CopyR2GOp|CopyS2ROp|CopyR2SOp", "", "a copy of a thread", "UniversalCopy_32b"),
    OP("cpasync.CopyG2SOp", "[cache_mode]", "cp.async", "SM80_CP_ASYNC_CACHEALWAYS_32b"),
    OPS("cpasync.CopyBulkG2SOp",
        "CopyBulkG2SMulticastOp|CopyBulkS2GOp|CopyBulkS2GByteMaskOp|CopyBulkS2SOp|CopyDsmemStoreOp", "", "a bulk copy",
        "SM90_BULK_COPY_128b"),
    OPS("cpasync.CopyBulkTensorTileG2SOp",
        "CopyBulkTensorTileG2SMulticastOp|CopyBulkTensorTileS2GOp|CopyReduceBulkTensorTileS2GOp|"
        "CopyBulkTensorIm2ColG2SOp|CopyBulkTensorIm2ColG2SMulticastOp|CopyBulkTensorIm2ColS2GOp|"
        "CopyBulkTensor2DGather4G2SOp|CopyBulkTensor2DGather4G2SMulticastOp|CopyBulkTensor2DScatter4S2GOp",
        "[option]", "TMA: it has no layout", "SM90_TMA_LOAD"),
    OP("warp.LdMatrix8x8x16bOp", "[transpose, " MATRICES, "ldmatrix", "SM75_%t{U32x%x_LDSM_N|U16x%2x_LDSM_T}"),
    OP("warp.LdMatrix8x16x8bOp", "[transpose, " MATRICES, "ldmatrix of 4 or 6 bits",
       "%u{SM75_U32x%x_LDSM_N|SM100_SU4_DU8x16_x%x_LDSM_N|SM100_SU6_DU8x16_x%x_LDSM_N}"),
    OP("warp.LdMatrix16x16x8bOp", "transpose[, " MATRICES, "ldmatrix of bytes", "%t{|LdMatrix16x16x8b_x%x}"),
    OP("warp.LdMatrix16x8x8bOp", "transpose[, " MATRICES, "in the order of stmatrix", "%t{|SM100_U8x%4x_LDSM_T}"),
    OP("warp.StMatrix8x8x16bOp", "[transpose, " MATRICES, "stmatrix", "SM90_%t{U32x%x_STSM_N|U16x%2x_STSM_T}"),
    OP("warp.StMatrix16x8x8bOp", "transpose[, " MATRICES, "stmatrix of bytes", "%t{|SM100_U8x%4x_STSM_T}"),
    TMEM_COPIES("16x64b", "16dp64b"), TMEM_COPIES("16x128b", "16dp128b"), TMEM_COPIES("16x256b", "16dp256b"),
    TMEM_COPIES("16x32bx2", "16dp32b"), TMEM_COPIES("32x32b", "32dp32b"),
    OP("tcgen05.LdRed32x32bOp", "[repeat, pack, redOp, nan]", "with a reduction", "SM100_TMEM_LOAD_32dp32b%xx"),
    OP("tcgen05.LdRed16x32bx2Op", "[repeat, pack, redOp, nan, half_split_off]", "with a reduction",
       "SM100_TMEM_LOAD_16dp32b%xx"),
    TO_TMEM("128x256b", "128dp256bit"), TO_TMEM("128x128b", "128dp128bit"), TO_TMEM("4x256b", "4dp256bit"),
    TO_TMEM("4x32x128b", "4x32dp128bit"), TO_TMEM("2x64x128b0213", "2x64dp128bitlw0213"),
    TO_TMEM("2x64x128b0123", "2x64dp128bitlw0123"),
    {ALSO_FUNCTION("warpgroup.make_smem_layout_atom", "tcgen05.make_smem_layout_atom", "kind, element_type",
     "shared memory as the matrix instructions read it; the DSL's swizzle is of bytes, as in smem_ptr[16b]"),
     {WORD, WORD}, RUN(0, TREE, make_smem_layout_atom)},
    {FUNCTION("printed_mma",
     "thr_layout_vmnk, permutation_mnk, thr_id, shape_mnk, tv_layout_A, tv_layout_B, tv_layout_C",
     "a tiled MMA by the lines that print() gives"),
     {CUTE, TILER, CUTE, TUPLE, CUTE, CUTE, CUTE}, RUN(0, MMA, printed_mma)},
    {FUNCTION("printed_copy", "tiler_mn, tv_layout_tiled, thr_id, tv_layout_src, tv_layout_dst, value_type",
     "a tiled copy by the lines that print() gives"),
     {TILER, CUTE, CUTE, CUTE, CUTE, WORD}, RUN(0, COPY, printed_copy)},
    {FUNCTION("make_layout_tv", "thr_layout, val_layout", "(tiler_mn, layout_tv) of threads, each with values"),
     {CUTE, CUTE}, RUN(0, TREE, make_layout_tv)},
    {FUNCTION("append_ones", "t[, up_to_rank]", "one more mode 1:0, or as many as the rank needs"),
     {CUTE, NUMBER}, RUN(0, TREE, append_ones)},
    {FUNCTION("front", "input", "the first integer, or the first mode that has no modes"), {ANY}, RUN(0, TREE, front)},
    {FUNCTION("leading_dim", "shape, stride", "the mode of stride 1, (0,1) for mode 1 of mode 0; `_`: none"),
     {TUPLE, TUPLE}, RUN(0, TREE, leading_dim)},
};
/* clang-format on */

const struct lw_calc_row *lw_calc_dsl_rows(size_t *count)
{
    *count = COUNT_ROWS(rows);
    return rows;
}
