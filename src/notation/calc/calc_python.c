/*
 * Operations of the CuTe DSL for Python, as the atoms that they are.
 *
 *     cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16))
 *     cute.make_copy_atom(cute.nvgpu.warp.LdMatrix8x8x16bOp(num_matrices=4), cutlass.Float16)
 *
 * An operation is translated to the name of an atom, which is then found in the table (cute_atoms.h). Source:
 * nvgpu/warp, nvgpu/warpgroup, nvgpu/cpasync and nvgpu/common.py of nvidia-cutlass-dsl 4.8.1.
 */

#include "notation/calc/calc_table.h"

#include <string.h>

/* ---- Types ---- */

static const struct {
    const char *name, *in_atoms;
    int bits;
} types[] = {
    {"Float16", "F16", 16}, {"BFloat16", "BF16", 16},    {"Float32", "F32", 32},
    {"Float64", "F64", 64}, {"TFloat32", "TF32", 32},    {"Int8", "S8", 8},
    {"Uint8", "U8", 8},     {"Int16", "S16", 16},        {"Int32", "S32", 32},
    {"Uint32", "U32", 32},  {"Float8E4M3FN", "E4M3", 8}, {"Float8E5M2", "E5M2", 8},
    {"Int64", "S64", 64},
};

/* The last word of a name or of a chain of names, cutlass.Float16; NULL when it is neither. */
static const char *last_name(const struct lw_node *node)
{
    if (node->kind == LW_NODE_NAME && !node->angles)
        return node->name;
    if (node->kind != LW_NODE_CHAIN)
        return NULL;
    for (const struct lw_node *step = node->items->next; step; step = step->next)
        if (step->kind != LW_NODE_MEMBER)
            return NULL;
    return lw_node_last(node)->name;
}

/* The index of a type; -1 and an error. */
static int find_type(struct lw_calculation *calc, const struct lw_node *node)
{
    const char *name = last_name(node);
    for (size_t i = 0; name && i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i].name, name))
            return (int)i;
    lw_error_at(calc->err, LW_ERROR_NAME, node->position,
                "expected the type of an element, such as cutlass.Float16, BFloat16, Float32, Int8 "
                "or Float8E4M3FN");
    return -1;
}

/* ---- Arguments ---- */

enum argument { END, AB_TYPE, ACC_TYPE, SHAPE, TRANSPOSE, MATRICES, SOURCE, OTHER };

/* The arguments that an operation was called with. */
struct called {
    int ab, acc; /* types */
    int64_t shape[3];
    bool transposed;
    int64_t matrices;
    const char *source; /* of A: "SMEM", "RMEM" */
};

/* An operation: its parameters in order, and the function that writes the name of its atom. */
struct operation {
    const char *name;
    struct {
        const char *name;
        enum argument kind;
        bool optional;
    } params[7];
    void (*write)(struct lw_text *atom, const struct called *called);
};

static bool read_shape(struct lw_calculation *calc, const struct lw_node *node, int64_t shape[3])
{
    const struct lw_node *size = node->items;
    bool good = node->kind == LW_NODE_TUPLE && node->count == 3;
    for (int i = 0; i < 3 && good; i++, size = size->next) {
        good = size->kind == LW_NODE_INTEGER && size->integer > 0 && size->integer <= 1024;
        shape[i] = size->integer;
    }
    return good || lw_node_unexpected(node, "a shape such as (16, 8, 16)", calc->err);
}

static bool read_argument(struct lw_calculation *calc, const struct lw_node *node,
                          enum argument kind, struct called *called)
{
    const char *name = last_name(node);
    switch (kind) {
    case AB_TYPE:
        return (called->ab = find_type(calc, node)) >= 0;
    case ACC_TYPE:
        return (called->acc = find_type(calc, node)) >= 0;
    case SHAPE:
        return read_shape(calc, node, called->shape);
    case TRANSPOSE:
        called->transposed = name && !strcmp(name, "True");
        return called->transposed || (name && !strcmp(name, "False")) ||
               lw_node_unexpected(node, "True or False", calc->err);
    case MATRICES:
        called->matrices = node->integer;
        return node->kind == LW_NODE_INTEGER || lw_node_unexpected(node, "1, 2 or 4", calc->err);
    case SOURCE:
        called->source = name;
        return (name && (!strcmp(name, "SMEM") || !strcmp(name, "RMEM"))) ||
               lw_node_unexpected(node, "OperandSource.SMEM or OperandSource.RMEM", calc->err);
    default: /* it has no effect on the layout */
        return true;
    }
}

/* The parameter of an argument; -1 and an error. */
static int find_param(struct lw_calculation *calc, const struct operation *operation,
                      const struct lw_node *node, int next)
{
    int i = node->label ? 0 : next;
    while (node->label && operation->params[i].kind &&
           strcmp(operation->params[i].name, node->label) != 0)
        i++;
    if (operation->params[i].kind)
        return i;
    lw_error_at(calc->err, LW_ERROR_SYNTAX, node->label ? node->label_position : node->position,
                "%s%s: %s has no such argument", node->label ? node->label : "",
                node->label ? "" : "too many arguments", operation->name);
    return -1;
}

static bool read_arguments(struct lw_calculation *calc, const struct operation *operation,
                           const struct lw_node *call, struct called *called)
{
    bool given[7] = {false};
    int next = 0;
    for (const struct lw_node *node = call->items; node; node = node->next, next++) {
        int i = find_param(calc, operation, node, next);
        if (i < 0 || !read_argument(calc, node, operation->params[i].kind, called))
            return false;
        given[i] = true;
    }
    for (int i = 0; operation->params[i].kind; i++)
        if (!given[i] && !operation->params[i].optional)
            return lw_error_at(calc->err, LW_ERROR_SYNTAX, lw_node_end(call), "%s: %s is missing",
                               operation->name, operation->params[i].name);
    return true;
}

/* ---- Names of atoms ---- */

static void write_warp(struct lw_text *atom, const struct called *called, int sm)
{
    const char *ab = types[called->ab].in_atoms, *acc = types[called->acc].in_atoms;
    lw_text_format(atom, "SM%d_%lldx%lldx%lld_%s%s%s%s_TN", sm, (long long)called->shape[0],
                   (long long)called->shape[1], (long long)called->shape[2], acc, ab, ab, acc);
}

/* Writes the name for a warp, or for a warpgroup, whose shape begins with 64. */
static void write_half(struct lw_text *atom, const struct called *called)
{
    const char *ab = types[called->ab].in_atoms, *acc = types[called->acc].in_atoms;
    if (called->shape[0] != 64) {
        write_warp(atom, called, 80);
        return;
    }
    lw_text_format(atom, "SM90_64x%lldx%lld_%s%s%s_%cS", (long long)called->shape[1],
                   (long long)called->shape[2], acc, ab, ab,
                   called->source && *called->source == 'R' ? 'R' : 'S');
}

static void write_tf32(struct lw_text *atom, const struct called *called)
{
    lw_text_format(atom, "SM80_%lldx%lldx%lld_F32TF32TF32F32_TN", (long long)called->shape[0],
                   (long long)called->shape[1], (long long)called->shape[2]);
}

static void write_fp8(struct lw_text *atom, const struct called *called)
{
    write_warp(atom, called, 89);
}

static void write_fma(struct lw_text *atom, const struct called *called)
{
    (void)called;
    lw_text_add(atom, "UniversalFMA");
}

static void write_matrices(struct lw_text *atom, const struct called *called, int sm,
                           const char *name)
{
    lw_text_format(atom, "SM%d_U%dx%lld_%s_%c", sm, called->transposed ? 16 : 32,
                   (long long)called->matrices * (called->transposed ? 2 : 1), name,
                   called->transposed ? 'T' : 'N');
}

static void write_ldmatrix(struct lw_text *atom, const struct called *called)
{
    write_matrices(atom, called, 75, "LDSM");
}

static void write_stmatrix(struct lw_text *atom, const struct called *called)
{
    write_matrices(atom, called, 90, "STSM");
}

/* Writes any copy: lw_calc_python_copy writes the right one when the bits are known. */
static void write_copy(struct lw_text *atom, const struct called *called)
{
    (void)called;
    lw_text_add(atom, "UniversalCopy_32b");
}

#define MATRIX                                                                                     \
    {                                                                                              \
        {"transpose", TRANSPOSE, true},                                                            \
        {                                                                                          \
            "num_matrices", MATRICES, true                                                         \
        }                                                                                          \
    }
static const struct operation operations[] = {
    {"MmaF16BF16Op",
     {{"ab_dtype", AB_TYPE, false},
      {"acc_dtype", ACC_TYPE, false},
      {"shape_mnk", SHAPE, false},
      {"a_src", SOURCE, true},
      {"a_major_mode", OTHER, true},
      {"b_major_mode", OTHER, true}},
     write_half},
    {"MmaTF32Op", {{"shape_mnk", SHAPE, false}}, write_tf32},
    {"MmaFP8Op",
     {{"ab_dtype", AB_TYPE, false}, {"acc_dtype", ACC_TYPE, false}, {"shape_mnk", SHAPE, false}},
     write_fp8},
    {"MmaUniversalOp", {{"abacc_dtype", AB_TYPE, false}}, write_fma},
    {"LdMatrix8x8x16bOp", MATRIX, write_ldmatrix},
    {"StMatrix8x8x16bOp", MATRIX, write_stmatrix},
    {"CopyUniversalOp", {{NULL, END, true}}, write_copy},
    {"CopyG2SOp", {{"cache_mode", OTHER, true}}, write_copy},
};

static const struct operation *find_operation(const char *name)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (operations[i].name[0] == name[0] && !strcmp(operations[i].name, name))
            return &operations[i];
    return NULL;
}

bool lw_calc_is_python_op(const char *name)
{
    return find_operation(name) || !strcmp(name, "make_copy_atom") ||
           !strcmp(name, "make_mma_atom");
}

/* ---- Atoms ---- */

/* The atom of that name, at a node of the expression. */
static bool named_atom(struct lw_calculation *calc, const struct lw_node *at, struct lw_text *name,
                       struct lw_calc_result *value)
{
    struct lw_node node = {.kind = LW_NODE_NAME, .position = at->position};
    node.name_position = at->position;
    node.name = lw_arena_string(calc->arena, lw_text_string(name), name->length);
    lw_text_free(name);
    return node.name ? lw_calc_atom(calc, &node, NULL, value) : lw_scan_out_of_memory(calc->scan);
}

static bool call_operation(struct lw_calculation *calc, const struct lw_node *call,
                           struct lw_calc_result *value)
{
    const struct operation *operation = find_operation(call->name);
    struct called called = {.matrices = 1};
    struct lw_text name = {0};
    if (!read_arguments(calc, operation, call, &called))
        return false;
    operation->write(&name, &called);
    return named_atom(calc, call, &name, value);
}

/* num_bits_per_copy=128 among the arguments of make_copy_atom; 0: it is not set. */
static int64_t bits_per_copy(const struct lw_node *call)
{
    for (const struct lw_node *node = call->items; node; node = node->next)
        if (node->label && !strcmp(node->label, "num_bits_per_copy") &&
            node->kind == LW_NODE_INTEGER)
            return node->integer;
    return 0;
}

/* Makes a copy of values of a type, `bits` at a time; 0: the compiler chooses them. */
static bool copy_of_bits(struct lw_calculation *calc, const struct lw_node *call, const char *op,
                         int64_t bits, struct lw_calc_result *value)
{
    struct lw_text name = {0};
    if (bits < 0 || bits > 1024 || (bits == 0 && strcmp(op, "CopyUniversalOp") != 0))
        return lw_error_at(calc->err, LW_ERROR_PARAMETER, call->position,
                           "num_bits_per_copy of %s: must be from 1 to 1024", op);
    if (bits == 0)
        lw_text_add(&name, "AutoVectorizingCopy");
    else
        lw_text_format(&name,
                       strcmp(op, "CopyG2SOp") ? "UniversalCopy_%lldb"
                                               : "SM80_CP_ASYNC_CACHEALWAYS_%lldb",
                       (long long)bits);
    return named_atom(calc, call, &name, value);
}

/* The call at the end of cute.nvgpu.warp.LdMatrix8x8x16bOp(...), or the node itself. */
static struct lw_node call_in(const struct lw_node *node)
{
    struct lw_node call = *(node->kind == LW_NODE_CHAIN ? lw_node_last(node) : node);
    call.next = NULL;
    return call;
}

static bool copy_atom(struct lw_calculation *calc, const struct lw_node *call,
                      struct lw_calc_result *value)
{
    const struct lw_node *op = call->items, *type = op ? op->next : NULL;
    struct lw_cute_work work = lw_calc_work_here(calc);
    struct lw_cute_copy_atom *copy = lw_arena_alloc(calc->arena, sizeof *copy);
    if (!copy)
        return lw_scan_out_of_memory(calc->scan);
    if (!type)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, lw_node_end(call),
                           "make_copy_atom(op, copy_internal_type[, num_bits_per_copy=...])");
    struct lw_node own = call_in(op);
    const struct operation *operation = own.name ? find_operation(own.name) : NULL;
    int kind = find_type(calc, type);
    if (kind < 0)
        return false;
    if (!operation)
        return lw_node_unexpected(op, "an operation that copies, such as CopyUniversalOp()",
                                  calc->err);
    if (operation->write == write_copy
            ? !copy_of_bits(calc, call, own.name, bits_per_copy(call), value)
            : !call_operation(calc, &own, value))
        return false;
    if (!value->as.tiling.copy_atom)
        return lw_node_unexpected(op, "an operation that copies", calc->err);
    if (!lw_cute_copy_atom_of(&work, value->as.tiling.copy_atom, types[kind].bits, copy)) {
        calc->err->position = call->position;
        return false;
    }
    value->as.tiling.copy_atom = copy;
    return true;
}

bool lw_calc_python(struct lw_calculation *calc, const struct lw_node *call,
                    struct lw_calc_result *value)
{
    if (!strcmp(call->name, "make_copy_atom"))
        return copy_atom(calc, call, value);
    if (strcmp(call->name, "make_mma_atom") != 0)
        return call_operation(calc, call, value);
    struct lw_node op = call->items ? call_in(call->items) : *call;
    if (!call->items || !op.name || !find_operation(op.name))
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, lw_node_end(call),
                           "make_mma_atom(op), such as MmaF16BF16Op(cutlass.Float16, "
                           "cutlass.Float32, (16, 8, 16))");
    return call_operation(calc, &op, value);
}
