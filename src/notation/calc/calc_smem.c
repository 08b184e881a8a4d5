/* The atoms of shared memory of CuTe, by their names. */

#include "notation/calc/calc_table.h"

#include <stdio.h>
#include <string.h>

/* The layouts that the matrix instructions of sm_90 and sm_100 read, by their names: GMMA::Layout_K_SW128_Atom<half_t>.
 * Each is 8 rows, or columns, of 128 to 1024 bits under a swizzle of bytes.
 * Source: mma_traits_sm90_gmma.hpp and mma_traits_sm100.hpp of CUTLASS 4. */

/* The bits of a row, the number of rows, and the swizzle. */
static const struct smem {
    const char *name;
    int64_t bits, rows;
    struct lw_cute_swizzle swizzle;
} smem_atoms[] = {
    {"INTER", 128, 8, {0, 4, 3}},  {"SW32", 256, 8, {1, 4, 3}},       {"SW64", 512, 8, {2, 4, 3}},
    {"SW128", 1024, 8, {3, 4, 3}}, {"SW128_32B", 1024, 4, {2, 5, 2}}, /* MN of sm_100 alone */
};

/* The middle of Layout_K_SW128_Atom, `SW128`, and whether K comes before it; else false. */
static bool split_smem(const char *name, char kind[16], bool *mn)
{
    size_t length = strlen(name), front;
    *mn = !strncmp(name, "Layout_MN_", 10);
    front = *mn ? 10 : 9;
    if ((!*mn && strncmp(name, "Layout_K_", 9) != 0) || length < front + 5 || length > front + 20 ||
        strcmp(name + length - 5, "_Atom") != 0)
        return false;
    snprintf(kind, 16, "%.*s", (int)(length - front - 5), name + front);
    return true;
}

bool lw_calc_is_smem(const char *name)
{
    char kind[16];
    bool mn;
    return split_smem(lw_calc_last_word(name), kind, &mn);
}

static const struct smem *find_smem(const char *kind, bool mn)
{
    for (size_t i = 0; i < sizeof smem_atoms / sizeof *smem_atoms; i++)
        if (!strcmp(smem_atoms[i].name, kind) && (mn || smem_atoms[i].rows == 8))
            return &smem_atoms[i];
    return NULL;
}

/* `<half_t>`: the bits of the type; 0 and an error when there is none. */
static int element_bits(struct lw_calculation *calc, const struct lw_node *name)
{
    const struct lw_node *angles = name->angles, *type = angles ? angles->items : NULL;
    if (!type || angles->count != 1 || type->kind != LW_NODE_NAME) {
        lw_error_at(calc->err, LW_ERROR_SYNTAX, angles ? angles->position : lw_node_end(name),
                    "expected `<` and the type of an element, as in <half_t>");
        return 0;
    }
    const char *word = lw_calc_last_word(type->name);
    int bits = lw_calc_cpp_bits(word);
    if (!bits)
        lw_error_at(calc->err, LW_ERROR_NAME, type->position,
                    "'%.40s' is not a type of CUTLASS whose bits are known here: half_t, "
                    "bfloat16_t, float, int8_t, float_e4m3_t",
                    word);
    return bits;
}

bool lw_calc_smem(struct lw_calculation *calc, const struct lw_node *name,
                  struct lw_calc_result *value)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    struct lw_cute cute = {.composed = true};
    struct lw_cute_tuple *items = lw_arena_alloc(calc->arena, 4 * sizeof *items);
    char kind[16];
    bool mn;
    const char *last = lw_calc_last_word(name->name);
    if (!items)
        return lw_scan_out_of_memory(calc->scan);
    split_smem(last, kind, &mn);
    const struct smem *atom = find_smem(kind, mn);
    if (!atom)
        return lw_error_at(calc->err, LW_ERROR_NAME, name->name_position,
                           "unknown atom %s: expected Layout_K_ or Layout_MN_ with INTER, SW32, "
                           "SW64 or SW128, or Layout_MN_SW128_32B_Atom",
                           last);
    cute.pointer = element_bits(calc, name);
    if (!cute.pointer)
        return false;
    items[mn ? 0 : 1] = lw_cute_integer(atom->bits / cute.pointer, true);
    items[mn ? 1 : 0] = lw_cute_integer(atom->rows, true);
    items[mn ? 2 : 3] = lw_cute_integer(1, true);
    items[mn ? 3 : 2] = lw_cute_integer(atom->bits / cute.pointer, true);
    const struct lw_cute_tuple shape = {.count = 2, .items = items},
                               stride = {.count = 2, .items = items + 2};
    cute.swizzle = atom->swizzle;
    value->kind = LW_CALC_CUTE;
    value->as.cute = cute;
    return lw_cute_make(&work, &shape, &stride, &value->as.cute.layout);
}
