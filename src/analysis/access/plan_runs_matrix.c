/*
 * Matrix instructions between maps that are not linear. By definition lane l holds 4 bytes of row
 * l / 4 of a matrix of 8 rows of 16 bytes; transposed, two items of 16 bits, of rows 2 (l mod 4)
 * and the next, in column l / 4. A 32-bit register fits when its lanes hold exactly that in every
 * warp; the rows may have any addresses.
 */

#include "analysis/access/plan_runs.h"

#include <stdlib.h>

#define ROW_BYTES 16

/* Whether every 4 consecutive lanes hold a row, and `reg` is the first element of each lane's 4
 * bytes. */
static bool fits_rows(const struct lw_plan *plan, uint64_t reg, unsigned each)
{
    uint64_t elements = ROW_BYTES * 8 / plan->request.element_bits;
    for (uint64_t thread = 0; thread < plan->parts->threads; thread += 4) {
        uint64_t row = lw_run_known_offset(plan, reg, thread);
        if (row % elements)
            return false;
        for (unsigned k = 1; k < 4; k++)
            if (lw_run_known_offset(plan, reg, thread + k) != row + k * each)
                return false;
    }
    return true;
}

/* Whether every 8 lanes with a distance of 4 hold a row. */
static bool fits_columns(const struct lw_plan *plan, uint64_t reg)
{
    for (uint64_t thread = 0; thread < plan->parts->threads; thread++) {
        uint64_t row = lw_run_known_offset(plan, reg, thread / 32 * 32 + thread % 4);
        if (row % 8 || lw_run_known_offset(plan, reg, thread) != row + thread % 32 / 4)
            return false;
    }
    return true;
}

static bool all_fit(const struct lw_plan *plan, enum lw_move_kind move, const uint32_t *registers,
                    uint64_t count, unsigned each)
{
    for (uint64_t i = 0; i < count; i++)
        if (move == LW_MOVE_TRANSPOSED ? !fits_columns(plan, registers[i])
                                       : i % each == 0 && !fits_rows(plan, registers[i], each))
            return false;
    return true;
}

static int compare(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

/* A 32-bit register holds neighbours in memory, or, transposed, neighbours in register number. */
static bool order_registers(enum lw_move_kind move, const struct lw_run_register *sorted,
                            uint64_t count, unsigned each, uint32_t *registers)
{
    for (uint64_t i = 0; i < count; i++) {
        registers[i] = sorted[i].reg;
        if (move == LW_MOVE_MATRIX && i % each && !sorted[i].follows)
            return false;
    }
    if (move == LW_MOVE_TRANSPOSED)
        qsort(registers, count, sizeof *registers, compare);
    return true;
}

static void fill_code(struct lw_plan *plan, uint64_t words, unsigned each)
{
    struct lw_plan_parts *parts = plan->parts;
    for (uint64_t at = 0, matrices; at < words; at += matrices) {
        matrices = words - at >= 4 ? 4 : words - at >= 2 ? 2 : 1;
        parts->code[plan->per_warp++] =
            (struct lw_warp_instruction){.first = (uint32_t)(at * each),
                                         .count = (uint16_t)(matrices * each),
                                         .matrices = (uint8_t)matrices};
    }
}

bool lw_run_matrices(struct lw_plan *plan, const struct lw_run_register *sorted, uint64_t count)
{
    struct lw_plan_parts *parts = plan->parts;
    unsigned bits = plan->request.element_bits, each = bits < 8 || bits > 32 ? 0 : 32 / bits;
    if (!each || count % each || !lw_matrix_known(&plan->request) || parts->lanes != 32 ||
        parts->threads % 32 || count / each > LW_PLAN_CODE_MAX)
        return false;
    parts->code = lw_arena_alloc(&plan->arena, count / each * sizeof *parts->code);
    parts->reg = lw_arena_alloc(&plan->arena, count * sizeof *parts->reg);
    if (!parts->code || !parts->reg)
        return false;
    for (enum lw_move_kind move = LW_MOVE_MATRIX;
         move <= (bits == 16 ? LW_MOVE_TRANSPOSED : LW_MOVE_MATRIX); move++)
        if (order_registers(move, sorted, count, each, parts->reg) &&
            all_fit(plan, move, parts->reg, count, each)) {
            parts->move = move;
            fill_code(plan, count / each, each);
            return true;
        }
    return false;
}
