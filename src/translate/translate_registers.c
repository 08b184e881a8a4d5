/*
 * Triton encodings in registers that are a given layout: results and operands of matrix instructions, blocked ones,
 * slices of these, and bases. Matrix results are tried before blocked layouts, as their names are more specific, but
 * only where the tensor has at least one whole instruction.
 */

#include "translate/translate_parts.h"
#include "core/tile.h"

#include "laneway/algebra.h"

#include <string.h>

/* A search for the encodings of a layout: that of the translation, or the same with one more dim of size 1. */
struct fragment_search {
    struct lw_translate_work *work;
    struct lw_translate_encodings *found;
    struct lw_layout layout;
    uint64_t part[LW_DIMS_MAX]; /* the shape of one block's part */
    int slice;                  /* the dim that was added, -1: none */
    int operand;                /* the opIdx to search, -1: both */
    int builds;                 /* candidates left to build */
    int steps;                  /* sizes left to try */
};

enum { BUILDS_MAX = 1000, STEPS_MAX = 1000000 };

static bool accept(struct fragment_search *s, struct lw_encoding *encoding)
{
    if (lw_translate_is_original(s->work, encoding))
        return false;
    if (s->slice < 0)
        return lw_translate_set_blocks(s->work, encoding) &&
               lw_translate_accept(s->work, encoding, s->found);
    struct lw_encoding *slice = lw_translate_new_encoding(s->work, "slice");
    struct lw_value parent = {.kind = LW_VALUE_ENCODING, .encoding = encoding};
    lw_translate_set(slice, "dim", lw_value_integer(s->slice));
    lw_translate_set(slice, "parent", parent);
    return encoding && lw_translate_accept(s->work, slice, s->found);
}

/* ---- blocked ---- */

/* A blocked layout to try: log2 of the sizes along each dim. */
struct guess {
    int64_t order[LW_DIMS_MAX];
    int lanes[LW_DIMS_MAX], warps[LW_DIMS_MAX], each[LW_DIMS_MAX];
};

/* How far bit `bit` of an in-dim moves along dim `d`, 0: not at all; -1: it moves along another
 * dim. */
static int64_t move_along(const struct lw_layout *layout, int dim, int bit, int d)
{
    uint64_t image[LW_DIMS_MAX];
    lw_layout_basis(layout, dim, bit, image);
    for (int o = 0; o < layout->out.count; o++)
        if (o != d && image[o])
            return -1;
    return (int64_t)image[d];
}

/* Whether `count` bits from `at` on move along dim d, each twice as far as the one before, and
 * the last ones possibly not at all. *first is the first distance, 0 when none moves. */
static bool is_run(const struct fragment_search *s, int dim, int at, int count, int d,
                   int64_t *first)
{
    int64_t before = 0;
    *first = 0;
    for (int i = 0; i < count; i++) {
        int64_t move = move_along(&s->layout, dim, at + i, d);
        if (move < 0 || (i && move && move != 2 * before) ||
            (i == 0 && move && lw_log2((uint64_t)move) < 0))
            return false;
        if (i == 0)
            *first = move;
        before = move;
    }
    return true;
}

static int64_t power(int log2)
{
    return (int64_t)1 << log2;
}

static bool try_guess(struct fragment_search *s, const struct guess *guess)
{
    static const char *const names[] = {"sizePerThread", "threadsPerWarp", "warpsPerCTA"};
    const int *const logs[] = {guess->each, guess->lanes, guess->warps};
    int rank = s->layout.out.count;
    if (s->builds-- <= 0)
        return false;
    struct lw_encoding *encoding = lw_translate_new_encoding(s->work, "blocked");
    for (int i = 0; i < 3; i++) {
        int64_t sizes[LW_DIMS_MAX];
        for (int d = 0; d < rank; d++)
            sizes[d] = power(logs[i][d]);
        lw_translate_set_list(s->work, encoding, names[i], sizes, rank);
    }
    lw_translate_set_list(s->work, encoding, "order", guess->order, rank);
    return accept(s, encoding);
}

/* log2 of the registers of such a layout: each dim is covered by repeating. */
static int registers_of(const struct fragment_search *s, const struct guess *guess)
{
    int total = 0;
    for (int d = 0; d < s->layout.out.count; d++) {
        int repeat = lw_log2(s->part[d]) - guess->lanes[d] - guess->warps[d];
        total += guess->each[d] > repeat ? guess->each[d] : repeat;
    }
    return total;
}

/* Whether the limit of tries is reached: a tensor of many dims has too many orders and sizes. */
static bool is_over(const struct fragment_search *s)
{
    return s->builds <= 0 || s->steps <= 0;
}

/* Tries sizePerThread of the dim at `at` in the order: the distance that the first lane, or the
 * first warp, moves; where neither moves, all sizes. */
static bool guess_each(struct fragment_search *s, struct guess *guess, const int64_t (*first)[2],
                       int at)
{
    int rank = s->layout.out.count, bits = lw_layout_in_log2(&s->layout, 0);
    s->steps--;
    if (at == rank)
        return registers_of(s, guess) == bits && try_guess(s, guess);
    int d = (int)guess->order[at];
    int64_t first_count = first[d][0] ? first[d][0] : guess->lanes[d] ? 0 : first[d][1];
    if (first_count) {
        guess->each[d] = lw_log2((uint64_t)first_count);
        return guess_each(s, guess, first, at + 1);
    }
    int least = guess->lanes[d] + guess->warps[d] ? lw_log2(s->part[d]) : 0;
    int max = d == s->slice ? least : least + bits;
    for (int each = least; each <= max && !is_over(s); each++) {
        guess->each[d] = each;
        if (guess_each(s, guess, first, at + 1))
            return true;
    }
    return false;
}

/* Tries how many bits of lanes (dim 1), then of warps (dim 2), move along the dim at `at` in the
 * order. */
static bool guess_runs(struct fragment_search *s, struct guess *guess, int64_t (*first)[2], int dim,
                       int at, int used)
{
    int rank = s->layout.out.count, bits = lw_layout_in_log2(&s->layout, dim);
    int *counts = dim == 1 ? guess->lanes : guess->warps;
    if (at == rank)
        return used == bits && (dim == 1 ? guess_runs(s, guess, first, 2, 0, 0)
                                         : guess_each(s, guess, (const int64_t(*)[2])first, 0));
    int d = (int)guess->order[at];
    for (int count = bits - used; count >= 0 && !is_over(s); count--) {
        counts[d] = count;
        if (is_run(s, dim, used, count, d, &first[d][dim - 1]) &&
            guess_runs(s, guess, first, dim, at + 1, used + count))
            return true;
    }
    return false;
}

/* Tries all orders of the dims, the row-major one first. */
static bool guess_order(struct fragment_search *s, struct guess *guess, int at, unsigned used)
{
    int rank = s->layout.out.count;
    int64_t first[LW_DIMS_MAX][2];
    if (at == rank)
        return guess_runs(s, guess, first, 1, 0, 0);
    for (int d = rank - 1; d >= 0; d--) {
        guess->order[at] = d;
        if (!(used >> d & 1) && !is_over(s) && guess_order(s, guess, at + 1, used | 1u << d))
            return true;
    }
    return false;
}

static bool find_blocked(struct fragment_search *s)
{
    struct guess guess = {{0}, {0}, {0}, {0}};
    s->builds = BUILDS_MAX;
    s->steps = STEPS_MAX;
    return s->layout.out.count > 0 && guess_order(s, &guess, 0, 0);
}

/* ---- Matrix fragments ---- */

#define INSTR_MAX 3
struct fragment {
    const char *type;
    const char *version;
    int64_t number;
    int lanes;
    const char *transposed; /* a boolean parameter to try both ways; NULL: none */
    int numbers;            /* numbers in instrShape; 0: amd_wmma, whose warps are bases */
    int64_t instr[INSTR_MAX];
};

static const struct fragment fragments[] = {
    {"nvidia_mma", "versionMajor", 2, 32, NULL, 2, {16, 8, 0}},
    {"nvidia_mma", "versionMajor", 3, 32, NULL, 3, {16, 8, 16}},
    {"nvidia_mma", "versionMajor", 3, 32, NULL, 3, {16, 16, 16}},
    {"nvidia_mma", "versionMajor", 3, 32, NULL, 3, {16, 32, 16}},
    {"nvidia_mma", "versionMajor", 3, 32, NULL, 3, {16, 64, 16}},
    {"nvidia_mma", "versionMajor", 3, 32, NULL, 3, {16, 128, 16}},
    {"nvidia_mma", "versionMajor", 3, 32, NULL, 3, {16, 256, 16}},
    {"amd_wmma", "version", 1, 32, "isTranspose", 0, {16, 16, 16}},
    {"amd_wmma", "version", 2, 32, "isTranspose", 0, {16, 16, 16}},
    {"amd_mfma", "version", 3, 64, "isTransposed", 3, {32, 32, 8}},
    {"amd_mfma", "version", 3, 64, "isTransposed", 3, {16, 16, 16}},
    {"amd_mfma", "version", 3, 64, "isTransposed", 3, {4, 4, 64}},
    {"amd_mfma", "version", 3, 64, "isTransposed", 3, {64, 4, 4}},
    {"amd_mfma", "version", 3, 64, "isTransposed", 3, {4, 64, 4}},
};

/* The warps of amd_wmma as bases, those along n first. */
static struct lw_value tiles_of_warps(struct fragment_search *s, int rows, int columns)
{
    struct lw_arena *arena = s->work->arena;
    struct lw_value list = {.kind = LW_VALUE_LIST, .count = (size_t)(rows + columns)};
    struct lw_value object = {.kind = LW_VALUE_OBJECT, .count = 1};
    list.items = lw_arena_alloc(arena, (list.count + 1) * sizeof *list.items);
    object.items = lw_arena_alloc(arena, sizeof *object.items);
    object.names = lw_arena_alloc(arena, sizeof *object.names);
    if (!list.items || !object.items || !object.names)
        return (struct lw_value){0};
    for (int i = 0; i < rows + columns; i++) {
        const int64_t tile[2] = {i < columns ? 0 : power(i - columns), i < columns ? power(i) : 0};
        list.items[i] = lw_value_integers(arena, tile, 2);
    }
    object.items[0] = list;
    object.names[0] = "warp";
    return object;
}

/* The result of a matrix instruction with `rows` x `columns` warps (in log2). */
static struct lw_encoding *make_fragment(struct fragment_search *s, const struct fragment *f,
                                         bool transposed, int rows, int columns)
{
    const int64_t warps[2] = {power(rows), power(columns)};
    struct lw_encoding *encoding = lw_translate_new_encoding(s->work, f->type);
    lw_translate_set(encoding, f->version, lw_value_integer(f->number));
    if (!strcmp(f->type, "nvidia_mma"))
        lw_translate_set(encoding, "versionMinor", lw_value_integer(0));
    if (f->numbers)
        lw_translate_set_list(s->work, encoding, "warpsPerCTA", warps, 2);
    else
        lw_translate_set(encoding, "ctaLayout", tiles_of_warps(s, rows, columns));
    if (f->numbers)
        lw_translate_set_list(s->work, encoding, "instrShape", f->instr, f->numbers);
    if (f->transposed)
        lw_translate_set(encoding, f->transposed, lw_value_boolean(transposed));
    return encoding;
}

/* Tries the operands of the instruction. Their blocks are those of the parent. */
static bool try_operands(struct fragment_search *s, const struct fragment *f, int rows, int columns)
{
    bool done = false;
    for (int op = s->operand > 0; op < (s->operand == 0 ? 1 : 2); op++)
        for (int64_t width = 1; width <= 16; width *= 2) {
            struct lw_encoding *parent = make_fragment(s, f, false, rows, columns);
            struct lw_encoding *operand = lw_translate_new_encoding(s->work, "dot_op");
            struct lw_value value = {.kind = LW_VALUE_ENCODING, .encoding = parent};
            lw_translate_set(operand, "opIdx", lw_value_integer(op));
            lw_translate_set(operand, "parent", value);
            lw_translate_set(operand, "kWidth", lw_value_integer(width));
            if (parent && !lw_translate_is_original(s->work, operand) &&
                lw_translate_accept(s->work, operand, s->found))
                done = true;
        }
    return done;
}

static bool has_zero(const struct fragment_search *s, int dim)
{
    for (int bit = 0; bit < lw_layout_in_log2(&s->layout, dim); bit++)
        if (!s->layout.basis[lw_layout_in_shift(&s->layout, dim) + bit])
            return true;
    return false;
}

/* Whether the tensor has at least one instruction for each warp. */
static bool is_whole(const struct fragment_search *s, const struct fragment *f, int rows,
                     int columns)
{
    return s->part[0] >= (uint64_t)(f->instr[0] << rows) &&
           s->part[1] >= (uint64_t)(f->instr[1] << columns);
}

/* Whether a kernel can have this: wgmma needs four warps along M, though Triton builds the layout for others too. */
static bool is_of_kernel(const struct fragment *f, int rows)
{
    return strcmp(f->type, "nvidia_mma") || f->number != 3 || rows >= 2;
}

static bool find_results(struct fragment_search *s, bool whole)
{
    int warps = lw_layout_in_log2(&s->layout, 2), before = s->found->count;
    uint64_t lanes = s->layout.in.dim[1].size;
    if (s->layout.out.count != 2)
        return false;
    for (size_t i = 0; i < LW_COUNT(fragments); i++)
        for (int columns = 0; columns <= warps && lanes == (uint64_t)fragments[i].lanes; columns++)
            for (int transposed = 0; transposed < (fragments[i].transposed ? 2 : 1); transposed++)
                if (is_of_kernel(&fragments[i], warps - columns) &&
                    (!whole || is_whole(s, &fragments[i], warps - columns, columns)) &&
                    accept(s,
                           make_fragment(s, &fragments[i], transposed, warps - columns, columns)))
                    return true;
    return s->found->count > before;
}

/* Called only when lanes hold no copies. */
static bool find_operands(struct fragment_search *s)
{
    int warps = lw_layout_in_log2(&s->layout, 2);
    uint64_t lanes = s->layout.in.dim[1].size;
    if (s->layout.out.count != 2)
        return false;
    for (size_t i = 0; i < LW_COUNT(fragments); i++)
        for (int columns = 0; columns <= warps && lanes == (uint64_t)fragments[i].lanes; columns++)
            if (is_of_kernel(&fragments[i], warps - columns) &&
                try_operands(s, &fragments[i], warps - columns, columns))
                return true;
    return false;
}

/* ---- Slices ---- */

/* The same layout with a dim of size 1 at `at`. */
static bool with_dim(const struct lw_layout *layout, int at, struct lw_layout *out)
{
    struct lw_dims outs = {0};
    for (int d = 0, from = 0; d <= layout->out.count; d++)
        if (!lw_dims_add(&outs, lw_dim_names[d], d == at ? 1 : layout->out.dim[from++].size, NULL))
            return false;
    if (!lw_layout_of_dims(out, &layout->in, &outs, NULL))
        return false;
    memcpy(out->basis, layout->basis, sizeof out->basis); /* dims of size 1 have no bits */
    return true;
}

static bool find_slices(const struct fragment_search *whole, bool fragment)
{
    bool done = false;
    for (int at = 0; at <= whole->layout.out.count && whole->layout.out.count < 5; at++) {
        struct fragment_search s = *whole;
        s.slice = at;
        if (!with_dim(&whole->layout, at, &s.layout))
            return done;
        for (int d = 0, from = 0; d < s.layout.out.count; d++)
            s.part[d] = d == at ? 1 : whole->part[from++];
        if (fragment ? find_results(&s, false) : find_blocked(&s))
            done = true;
    }
    return done;
}

/* ---- Bases ---- */

static bool refuse(struct lw_translate_work *work, const struct lw_encoding *encoding)
{
    struct lw_error why;
    if (!encoding)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    return lw_translate_fail(work, "%s",
                             !lw_encoding_check(encoding, work->of->tensor, &why)
                                 ? why.message
                                 : "an encoding with these bases is another layout");
}

/* Finds encodings of bases; *made: the one that accepts the most bases. */
static bool find_bases(struct fragment_search *s, struct lw_encoding **made)
{
    static const char *const types[] = {"linear", "generic_linear"};
    bool found = false;
    for (int i = 0; i < 2 && !found; i++) {
        struct lw_encoding *encoding = lw_translate_new_encoding(s->work, types[i]);
        if (i > 0 && encoding && !lw_encoding_since(encoding, LW_TRITON_3_8))
            break;
        *made = encoding;
        for (int dim = 0; dim < 4; dim++)
            lw_translate_set_bases(s->work, encoding, lw_register_dims[dim], dim);
        found = lw_translate_accept(s->work, encoding, s->found);
    }
    return found;
}

bool lw_translate_transposed(struct lw_translate_work *work, struct lw_translate_encodings *found)
{
    static const char *const dims[] = {"dim1", "dim0"};
    struct lw_translate_request of = *work->of;
    struct lw_translate_work transposed = *work;
    struct lw_map map;
    struct fragment_search s = {.work = &transposed, .found = found, .slice = -1, .operand = 1};
    if (!work->linear || work->layout.out.count != 2 ||
        !lw_layout_transpose_outs(&transposed.layout, &work->layout, dims, work->err))
        return false;
    for (int d = 0; d < 2; d++)
        snprintf(transposed.layout.out.dim[d].name, sizeof transposed.layout.out.dim[d].name, "%s",
                 lw_dim_names[d]);
    lw_map_from_layout(&map, &transposed.layout);
    of.map = &map;
    of.encoding = NULL;
    transposed.of = &of;
    s.layout = transposed.layout;
    return lw_translate_block_shape(&transposed, s.part) && !has_zero(&s, 1) && find_operands(&s);
}

bool lw_translate_registers(struct lw_translate_work *work, struct lw_translate_encodings *found)
{
    struct fragment_search s = {.work = work, .found = found, .slice = -1, .operand = -1};
    struct lw_encoding *linear = NULL;
    if (!lw_translate_need_linear(work))
        return false;
    s.layout = work->layout;
    if (lw_translate_block_shape(work, s.part)) {
        bool copies = has_zero(&s, 1) || has_zero(&s, 2);
        bool known = found->count > 0;
        if (lw_translate_role(work) == LW_CUTE_ROLE_A &&
            !has_zero(&s, 1)) { /* the operand in CuTe's name comes first */
            s.operand = 0;
            known = find_operands(&s) || known;
            s.operand = -1;
        }
        known = (!copies && find_results(&s, true)) || known;
        known = (!has_zero(&s, 1) && find_operands(&s)) || known;
        known = find_blocked(&s) || known;
        if (!known && lw_layout_in_log2(&s.layout, 3) == 0)
            known = find_slices(&s, false) || find_slices(&s, true);
        if (!known)
            find_results(&s, false);
    }
    return find_bases(&s, &linear) || found->count || refuse(work, linear);
}
