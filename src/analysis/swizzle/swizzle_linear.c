/*
 * The optimum over linear layouts of shared memory.
 *
 * The vectors of the store and of the load fix the low t bits of the offset. An access moves a
 * vector with one instruction only if all its other bases lie in one complement C of the vector,
 * so C is fixed too. The free choice is the subspace U of C for the bits of the offset above the
 * bank (and, for vectors narrower than a bank, for the rest of the word): an access takes
 * 2^dim(G and U) wavefronts for each group of lanes, where G is the space that the lanes of the
 * group access. The intersection of a space of dimension u with one of dimension p, within m
 * dimensions, has at least dimension u + p - m. `arrange` orders a basis of C such that each
 * prefix reaches this minimum for the store and the load at once.
 *
 * Source: the paper arXiv 2505.23819, section on optimal swizzling.
 */

#include "analysis/swizzle/swizzle_parts.h"

#include "laneway/dims.h"

/* ---- Sides and their moves ---- */

static int collect(uint64_t *to, const struct lw_layout *layout, const char *name, bool zeros)
{
    int d = lw_dims_find(&layout->in, name), count = 0;
    if (d < 0)
        return 0;
    int shift = lw_layout_in_shift(layout, d);
    for (int i = 0; i < lw_layout_in_log2(layout, d); i++)
        if (zeros || layout->basis[shift + i])
            to[count++] = layout->basis[shift + i];
    return count;
}

/* The lanes that are served together, as a basis of the differences of their numbers. -1 when the
 * groups differ in this. */
static int lane_group(const struct lw_lane_groups *groups, int lanes, uint64_t *numbers)
{
    uint64_t all = lanes < 6 ? lw_f2_mask(1 << lanes) : UINT64_MAX;
    struct lw_space space = {.dim = 0};
    for (unsigned g = 0; g < groups->count; g++) {
        uint64_t members = groups->lanes[g] & all, left = members, count = 0;
        for (; left; left &= left - 1, count++)
            lw_space_add(&space, (uint64_t)lw_log2(left & (~left + 1)) ^
                                     (uint64_t)lw_log2(members & (~members + 1)));
        if (count && count != (uint64_t)1 << space.dim)
            return -1;
    }
    for (int i = 0; i < space.dim; i++)
        numbers[i] = space.basis[i];
    return space.dim;
}

/* Adds plain accesses of 2^length elements, 2^width bytes, if it is known which lanes are served
 * together. `in_order`: their elements are the first registers. */
static void add_plain(struct lw_linear_problem *problem, struct lw_linear_side *side,
                      const struct lw_bank_model *model, int length, int width, bool in_order)
{
    bool store = side == &problem->side[0];
    const struct lw_lane_groups *groups = (store ? model->store : model->load)[width];
    uint64_t numbers[LW_BITS_MAX];
    if (!groups) {
        problem->skipped |= 1u << width;
        return;
    }
    struct lw_move *move = &side->move[side->move_count++];
    int lanes = lane_group(groups, side->lanes, numbers);
    *move = (struct lw_move){.kind = LW_MOVE_PLAIN, .length = length};
    for (int i = 0; in_order && i < length; i++)
        move->fixed[i] = side->reg[i];
    if (lanes < 0) {
        problem->bounded = false;
        lanes = 0;
    }
    for (int i = 0; i < lanes; i++) {
        uint64_t touched = 0;
        for (int l = 0; l < side->lanes; l++)
            touched ^= numbers[i] >> l & 1 ? side->lane[l] : 0;
        move->group[move->group_count++] = touched;
    }
    bool pairs = !store && model->pairs && width >= 3 &&
                 ((side->lanes > 0 && !side->lane[0]) || (side->lanes > 1 && !side->lane[1]));
    if (pairs && lanes < side->lanes)
        move->group[move->group_count++] = side->lane[lanes++];
    move->instructions = (uint64_t)1 << (side->regs + side->zeros - length + side->warps);
    move->wavefronts = move->instructions << (side->lanes - lanes);
}

static void add_matrix(struct lw_linear_side *side, int regs, int warps_and_regs)
{
    struct lw_move *move = &side->move[side->move_count++];
    *move = (struct lw_move){.kind = LW_MOVE_MATRIX, .length = regs + 2, .group_count = 3};
    for (int i = 0; i < 2; i++)
        move->fixed[regs + i] = side->lane[i];
    for (int i = 0; i < 3; i++)
        move->group[i] = side->lane[2 + i];
    move->wavefronts = (uint64_t)1 << warps_and_regs;
    int four = side->regs - regs < 2 ? side->regs - regs : 2;
    move->instructions = move->wavefronts >> four;
}

static void add_transposed(struct lw_linear_side *side)
{
    struct lw_move *move = &side->move[side->move_count++];
    *move = (struct lw_move){.kind = LW_MOVE_TRANSPOSED, .length = 3, .group_count = 3};
    for (int i = 0; i < 3; i++)
        move->fixed[i] = side->lane[2 + i];
    move->group[0] = side->reg[0];
    move->group[1] = side->lane[0];
    move->group[2] = side->lane[1];
    move->wavefronts = (uint64_t)1 << (side->regs - 1 + side->warps);
    int four = side->regs - 1 < 2 ? side->regs - 1 : 2;
    move->instructions = move->wavefronts >> four;
}

static void add_moves(struct lw_linear_problem *problem, struct lw_linear_side *side, unsigned bits,
                      bool written, const struct lw_bank_model *model)
{
    int log_bits = lw_log2(bits), word_regs = 5 - log_bits;
    for (int k = log_bits < 3 ? 3 - log_bits : 0; k <= LW_VECTOR_BITS - log_bits; k++)
        if (k <= side->regs)
            add_plain(problem, side, model, k, k + log_bits - 3, written);
    bool distinct = side->lanes == 5 && side->lane[0] && side->lane[1];
    bool store = side == &problem->side[0];
    if (written || !(store ? model->stmatrix : model->ldmatrix) || side->lanes != 5)
        return;
    if (bits >= 8 && bits <= 32 && distinct && side->regs >= word_regs)
        add_matrix(side, word_regs, side->regs - word_regs + side->warps);
    if (bits == 16 && side->regs > 0 && side->lane[2] && side->lane[3] && side->lane[4])
        add_transposed(side);
}

void lw_linear_problem(struct lw_linear_problem *problem, const struct lw_layout *store,
                       const struct lw_layout *load, unsigned element_bits,
                       enum lw_plan_stage stage, const struct lw_bank_model *model)
{
    bool written = stage == LW_PLAN_WRITTEN;
    int log_bits = lw_log2(element_bits), log_word = lw_log2(8 * model->bank_bytes);
    *problem = (struct lw_linear_problem){.bits = lw_layout_out_bits(store ? store : load),
                                          .bounded = true};
    problem->word = log_bits < log_word ? log_word - log_bits : 0;
    problem->line = lw_log2(model->banks) + log_word - log_bits;
    for (int s = 0; s < 2; s++) {
        struct lw_linear_side *side = &problem->side[s];
        const struct lw_layout *layout = s ? load : store;
        if (!layout) {
            side->move_count = 1;
            continue;
        }
        side->regs = collect(side->reg, layout, "register", false);
        if (written)
            side->zeros = lw_log2(lw_dims_size(&layout->in, "register")) - side->regs;
        side->lanes = collect(side->lane, layout, "lane", true);
        side->warps = collect(side->warp, layout, "warp", true);
        add_moves(problem, side, element_bits, written, model);
    }
}

/* ---- One choice of the vector ---- */

struct choice {
    const struct lw_linear_problem *problem;
    const struct lw_move *move[2];
    int length;                   /* of the vector: the longer of the two */
    uint64_t low[LW_VECTOR_BITS]; /* its bits */
    struct lw_space around;       /* C */
    struct lw_space touched[2];   /* what a group of each side touches, within C */
    struct lw_linear_solution *best;
};

static bool is_low(const struct choice *choice, int count, uint64_t v)
{
    for (int i = 0; i < count; i++)
        if (choice->low[i] == v)
            return true;
    return false;
}

/* The span of all bases of a side except those in its vector. */
static struct lw_space other_bases(const struct choice *choice, int s)
{
    const struct lw_linear_side *side = &choice->problem->side[s];
    struct lw_space space = {.dim = 0};
    int length = choice->move[s]->length;
    for (int i = 0; i < side->regs; i++)
        if (!is_low(choice, length, side->reg[i]))
            lw_space_add(&space, side->reg[i]);
    for (int i = 0; i < side->lanes; i++)
        if (!is_low(choice, length, side->lane[i]) || choice->move[s]->kind == LW_MOVE_PLAIN)
            lw_space_add(&space, side->lane[i]);
    lw_space_add_all(&space, side->warp, side->warps);
    return space;
}

/* Finds C; false when the two sides need different complements. */
static bool find_around(struct choice *choice)
{
    int bits = choice->problem->bits;
    choice->around.dim = 0;
    for (int i = 0; i < bits && choice->length == 0; i++)
        lw_space_add(&choice->around, (uint64_t)1 << i);
    for (int round = 0; round < 2; round++)
        for (int s = 0; s < 2; s++) {
            int length = choice->move[s]->length;
            if (length == 0 || (round == 0) != (length == choice->length))
                continue;
            struct lw_space others = other_bases(choice, s);
            if (others.dim != bits - length)
                return false;
            if (choice->around.dim == 0 && round == 0)
                choice->around = others;
            if (!lw_space_within(&choice->around, &others))
                return false;
            for (int i = length; i < choice->length; i++)
                if (lw_space_reduce(&others, choice->low[i]))
                    return false;
        }
    return true;
}

/* What a group touches, within C: the elements whose part in the vector is within one word. */
static void find_touched(struct choice *choice, int s)
{
    const struct lw_move *move = choice->move[s];
    struct lw_space touched = {.dim = 0}, vector = {.dim = 0}, word = choice->around;
    lw_space_add_all(&touched, choice->low, move->length);
    lw_space_add_all(&touched, move->group, move->group_count);
    lw_space_add_all(&vector, choice->low, choice->length);
    for (int i = 0; i < choice->length && i < choice->problem->word; i++)
        lw_space_add(&word, choice->low[i]);
    touched = lw_space_intersect(&touched, &word);
    lw_space_parts(&vector, &choice->around, touched.basis, touched.dim);
    choice->touched[s].dim = 0;
    lw_space_add_all(&choice->touched[s], touched.basis, touched.dim);
}

/* The dimension of U, see above. */
static int free_dim(const struct choice *choice)
{
    const struct lw_linear_problem *problem = choice->problem;
    int t = choice->length, above = problem->bits - problem->line;
    above = above < 0 ? 0 : above;
    if (t < problem->word)
        above += problem->word - t;
    int max = problem->bits - t;
    return above < max ? above : max;
}

/* ---- From a choice to a layout ---- */

/* The vectors of `from` that `seen` does not contain, in order; adds them to it. */
static int fresh(uint64_t *to, const struct lw_space *from, struct lw_space *seen)
{
    int count = 0;
    for (int i = 0; i < from->dim; i++)
        if (lw_space_add(seen, from->basis[i]))
            to[count++] = from->basis[i];
    return count;
}

/* A basis of C whose first u vectors, for every u, intersect each side as little as possible: first the vectors that
 * neither side accesses, then sums of a vector that only one side accesses and one that only the other does, then the
 * remaining vectors of the larger side, then those that both access. */
static int arrange(const struct choice *choice, uint64_t *order)
{
    const struct lw_space *p = &choice->touched[0], *q = &choice->touched[1];
    struct lw_space common = lw_space_intersect(p, q), seen_p = common, seen_q = common;
    struct lw_space seen = common;
    uint64_t only[2][LW_BITS_MAX];
    int count[2] = {fresh(only[0], p, &seen_p), fresh(only[1], q, &seen_q)};
    int large = count[1] > count[0], n = 0;
    lw_space_add_all(&seen, only[0], count[0]);
    lw_space_add_all(&seen, only[1], count[1]);
    n += fresh(order, &choice->around, &seen);
    for (int i = 0; i < count[!large]; i++)
        order[n++] = only[0][i] ^ only[1][i];
    for (int i = count[!large]; i < count[large]; i++)
        order[n++] = only[large][i];
    for (int i = 0; i < count[!large]; i++)
        order[n++] = only[!large][i];
    for (int i = 0; i < common.dim; i++)
        order[n++] = common.basis[i];
    return n;
}

static void lay_out(const struct choice *choice, uint64_t *basis)
{
    uint64_t order[LW_BITS_MAX];
    struct lw_space taken = {.dim = 0};
    int n = 0, u = free_dim(choice), words = choice->problem->word - choice->length;
    arrange(choice, order);
    for (int i = 0; i < choice->length; i++)
        basis[n++] = choice->low[i];
    words = words < 0 ? 0 : words > u ? u : words;
    for (int i = u - words; i < u; i++)
        basis[n++] = order[i];
    lw_space_add_all(&taken, order, u);
    n += fresh(basis + n, &choice->around, &taken);
    for (int i = 0; i < u - words; i++)
        basis[n++] = order[i];
}

static void evaluate(struct choice *choice)
{
    struct lw_linear_solution *best = choice->best;
    uint64_t least = choice->move[0]->wavefronts + choice->move[1]->wavefronts;
    if (best->wavefronts == least || !find_around(choice))
        return;
    uint64_t wavefronts = 0;
    bool words = choice->length < choice->problem->word; /* then all elements of a word fit */
    for (int s = 0; s < 2; s++) {
        find_touched(choice, s);
        int collide = free_dim(choice) + choice->touched[s].dim - choice->around.dim;
        wavefronts += choice->move[s]->wavefronts << (collide > 0 && !words ? collide : 0);
    }
    if (best->wavefronts && wavefronts >= best->wavefronts)
        return;
    best->wavefronts = wavefronts;
    best->instructions = choice->move[0]->instructions + choice->move[1]->instructions;
    lay_out(choice, best->basis);
}

/* ---- All choices ---- */

/* Whether bit `at` of the vector may be v, for one side. */
static bool may_be(const struct choice *choice, int s, int at, uint64_t v)
{
    const struct lw_move *move = choice->move[s];
    const struct lw_linear_side *side = &choice->problem->side[s];
    if (at >= move->length)
        return true;
    if (move->fixed[at])
        return move->fixed[at] == v;
    for (int i = 0; i < side->regs; i++)
        if (side->reg[i] == v)
            return true;
    return false;
}

static void fill(struct choice *choice, int at, int from)
{
    if (at == choice->length) {
        evaluate(choice);
        return;
    }
    int s = at < choice->move[0]->length ? 0 : 1;
    const struct lw_linear_side *side = &choice->problem->side[s];
    uint64_t fixed = choice->move[s]->fixed[at];
    bool same =
        at > 0 && at != choice->problem->word; /* it may be swapped with the bit before it */
    for (int k = 0; k < 2; k++)
        same = same && at != choice->move[k]->length;
    for (int i = fixed || !same ? 0 : from; i < (fixed ? 1 : side->regs); i++) {
        uint64_t v = fixed ? fixed : side->reg[i];
        if (is_low(choice, at, v) || !may_be(choice, !s, at, v))
            continue;
        choice->low[at] = v;
        fill(choice, at + 1, i + 1);
    }
}

bool lw_linear_solve(const struct lw_linear_problem *problem, int a, int b,
                     struct lw_linear_solution *solution)
{
    struct choice choice = {.problem = problem,
                            .move = {&problem->side[0].move[a], &problem->side[1].move[b]},
                            .best = solution};
    int la = choice.move[0]->length, lb = choice.move[1]->length;
    choice.length = la > lb ? la : lb;
    solution->wavefronts = 0;
    fill(&choice, 0, 0);
    return solution->wavefronts > 0;
}

/* ---- The bound ---- */

/* A necessary condition for the two moves: for both sides the first bits of the offset are in the
 * span of the registers, or are the lane that the move fixes. */
static bool could_be(const struct lw_linear_problem *problem, const struct lw_move *a,
                     const struct lw_move *b)
{
    struct lw_space regs[2] = {{.dim = 0}, {.dim = 0}}, common;
    int both = a->length < b->length ? a->length : b->length, any = 0;
    for (int s = 0; s < 2; s++)
        lw_space_add_all(&regs[s], problem->side[s].reg, problem->side[s].regs);
    common = lw_space_intersect(&regs[0], &regs[1]);
    while (any < both && !a->fixed[any] && !b->fixed[any])
        any++;
    if (any > common.dim)
        return false;
    if (any > 0 || any == both)
        return true;
    /* Bit 0 is a lane of one side: a lane or a register of the other. */
    if (a->fixed[0] && b->fixed[0])
        return a->fixed[0] == b->fixed[0];
    return !lw_space_reduce(&regs[a->fixed[0] ? 1 : 0], a->fixed[0] ? a->fixed[0] : b->fixed[0]);
}

uint64_t lw_linear_bound(const struct lw_linear_problem *problem)
{
    uint64_t least = 0;
    for (int a = 0; a < problem->side[0].move_count; a++)
        for (int b = 0; b < problem->side[1].move_count; b++) {
            const struct lw_move *x = &problem->side[0].move[a], *y = &problem->side[1].move[b];
            uint64_t sum = x->wavefronts + y->wavefronts;
            if ((!least || sum < least) && could_be(problem, x, y))
                least = sum;
        }
    return problem->bounded ? least : 0;
}
