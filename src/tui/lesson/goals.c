/* Goals of lessons: the table of kinds. Kinds with a number are also for texts. */

#include "tui/lesson/lesson_screen.h"

#include "analysis/owners.h"
#include "core/array_count.h"
#include "core/unused.h"
#include "laneway/conversion.h"
#include "laneway/translate.h"

#include <stddef.h>
#include <string.h>

/* ---- The sizes of the layout ---- */

enum size { REGISTERS, LANES, WARPS, ELEMENTS, BITS, OWNERS, ROWS, COLUMNS, BYTES };

static unsigned bits_of(const struct lw_subject *subject)
{
    return (unsigned)subject->tensor.element.bits;
}

/* The size of a dim that has one of two names. */
static bool dim_size(const struct lw_subject *subject, const char *name, const char *other,
                     uint64_t *value)
{
    int dim = lw_dims_find(&subject->map.in, name);
    if (dim < 0)
        dim = lw_dims_find(&subject->map.in, other);
    if (dim >= 0)
        *value = subject->map.in.dim[dim].size;
    return dim >= 0;
}

static bool size_of(struct lw_lesson_state *state, int what, uint64_t *value)
{
    const struct lw_subject *own = state->own;
    if (!own)
        return false;
    const struct lw_dims *out = &own->map.out;
    const int dim = out->count - (what == ROWS ? 2 : 1);
    *value = 1;
    switch (what) {
    case REGISTERS:
        return dim_size(own, "register", "local", value);
    case LANES:
        return dim_size(own, "lane", "thread", value);
    case WARPS:
        return dim_size(own, "warp", "warp", value);
    case ELEMENTS:
        for (int i = 0; i < out->count; i++)
            *value *= out->dim[i].size;
        return true;
    case BITS:
        *value = bits_of(own);
        return true;
    case OWNERS:
        *value = lw_map_replication(&own->map);
        return true;
    case BYTES:
        if (!dim_size(own, "offset", "offset", value))
            return false;
        *value = *value * bits_of(own) / 8;
        return true;
    default: /* of the tensor */
        if (dim >= 0)
            *value = out->dim[dim].size;
        return dim >= 0;
    }
}

/* ---- Its matrix ---- */

enum rank { RANK, NULL_BITS, VECTOR };

static bool of_matrix(struct lw_lesson_state *state, int what, uint64_t *value)
{
    struct lw_layout layout;
    const char *names[LW_DIMS_MAX];
    uint64_t indices = 1, log = 0;
    if (!state->own || !lw_map_to_layout(&state->own->map, &layout, NULL))
        return false;
    if (what == VECTOR) { /* consecutive along the last dim of the tensor */
        for (int i = 0; i < layout.out.count; i++)
            names[i] = layout.out.dim[layout.out.count - 1 - i].name;
        if (!lw_layout_transpose_outs(&layout, &layout, names, NULL))
            return false;
        *value = lw_layout_consecutive(&layout);
        return true;
    }
    *value = (uint64_t)lw_layout_rank(&layout);
    if (what == RANK)
        return true;
    for (int i = 0; i < layout.in.count; i++)
        indices *= layout.in.dim[i].size;
    while (indices >> log > 1)
        log++;
    *value = log - *value; /* the bits of the hardware index that are more than the rank */
    return true;
}

/* ---- Accesses ---- */

/* The registers of stores or of loads; NULL: there are none. */
static const struct lw_subject *registers_of(const struct lw_lesson_state *state,
                                             enum lw_access_op op)
{
    const struct lw_subject *a = state->sides[LW_SIDE_A], *b = state->sides[LW_SIDE_B];
    return op == LW_ACCESS_STORE ? (a ? a : b) : (b ? b : a);
}

/* The number of different rows that the lanes of warp 0 have in register 0. */
static bool warp_rows(struct lw_lesson_state *state, LW_UNUSED int what, uint64_t *value)
{
    enum { LANES_MAX = 64 };
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX], seen[LANES_MAX], lanes_here;
    const struct lw_subject *subject = state->own;
    if (!subject || !dim_size(subject, "lane", "lane", &lanes_here) || lanes_here > LANES_MAX ||
        subject->map.out.count < 2)
        return false;
    const struct lw_map *map = &subject->map;
    const int lane = lw_dims_find(&map->in, "lane"), row = map->out.count - 2;
    *value = 0;
    for (uint64_t here = 0; here < lanes_here; here++) {
        uint64_t k = 0;
        in[lane] = here;
        if (!lw_map_apply(map, in, out))
            return false;
        while (k < *value && seen[k] != out[row])
            k++;
        seen[k] = out[row];
        *value += k == *value;
    }
    return true;
}

static bool plan_of(struct lw_lesson_state *state, enum lw_access_op op, struct lw_plan *plan)
{
    const struct lw_subject *memory = state->sides[LW_SIDE_S];
    const struct lw_subject *held = registers_of(state, op);
    if (!held || !memory)
        return false;
    struct lw_plan_request request = {.registers = &held->map,
                                      .memory = &memory->map,
                                      .element_bits = bits_of(memory),
                                      .op = op,
                                      .stage = lw_subject_stage(state->sides),
                                      .hardware = memory->hardware,
                                      .triton = lw_subject_triton(memory)};
    return lw_plan_make(plan, &request, NULL);
}

/* A number of an access: a member of struct lw_plan_total, of one direction or of both. */
enum { STORES = 1 << 16, LOADS = 1 << 17 };
#define MEMBER(name) (int)offsetof(struct lw_plan_total, name)

static bool of_access(struct lw_lesson_state *state, int what, uint64_t *value)
{
    *value = 0;
    for (int op = 0; op < 2; op++) {
        struct lw_plan plan;
        if (!(what & (op ? LOADS : STORES)))
            continue;
        if (!plan_of(state, op ? LW_ACCESS_LOAD : LW_ACCESS_STORE, &plan))
            return false;
        *value += *(const uint64_t *)((const char *)&plan.total + (what & (STORES - 1)));
        lw_plan_free(&plan);
    }
    return true;
}

/* The wavefronts of each load, if all have the same number. */
static bool load_each(struct lw_lesson_state *state, LW_UNUSED int what, uint64_t *value)
{
    struct lw_plan plan;
    struct lw_instruction instruction;
    if (!plan_of(state, LW_ACCESS_LOAD, &plan))
        return false;
    bool same = plan.total.instructions > 0 && plan.total.instructions == plan.count;
    for (uint64_t i = 0; same && i < plan.count; i++) {
        struct lw_cost cost;
        lw_plan_instruction(&plan, i, &instruction);
        same = lw_access_cost(plan.request.hardware->banks, &instruction.access, &cost, NULL);
        *value = i ? *value : cost.wavefronts;
        same = same && cost.wavefronts == *value;
    }
    lw_plan_free(&plan);
    return same;
}

/* The first group of the lanes that are served together; false: they are not the first 2^n lanes. */
static bool first_group(const struct lw_access *access, const struct lw_bank_model *banks,
                        int *bits)
{
    int width = 0;
    while (1U << width < access->width)
        width++;
    const struct lw_lane_groups *groups = banks->load[width];
    const uint64_t lanes = groups ? groups->lanes[0] & access->active : 0;
    *bits = 0;
    while (*bits < 6 && lw_f2_mask(1 << *bits) != lanes)
        *bits += 1;
    return *bits < 6;
}

bool lw_lesson_bank_matrix(struct lw_lesson_state *state, struct lw_matrix *matrix)
{
    struct lw_plan plan;
    struct lw_instruction instruction;
    const struct lw_access *access = &instruction.access;
    if (!plan_of(state, LW_ACCESS_LOAD, &plan))
        return false;
    const struct lw_bank_model *model = plan.request.hardware->banks;
    lw_plan_instruction(&plan, 0, &instruction);
    lw_plan_free(&plan);
    *matrix = (struct lw_matrix){0};
    if (access->matrices || !first_group(access, model, &matrix->cols))
        return false;
    uint64_t bank[LW_WARP_MAX];
    for (int lane = 0; lane < 1 << matrix->cols; lane++)
        bank[lane] = access->address[lane] / model->bank_bytes % model->banks;
    while (1U << matrix->rows < model->banks)
        matrix->rows++;
    for (int i = 0; i < matrix->cols; i++)
        matrix->column[i] = bank[1 << i] ^ bank[0];
    for (int lane = 0; lane < 1 << matrix->cols; lane++)
        if ((lw_matrix_apply(matrix, (uint64_t)lane) ^ bank[0]) != bank[lane])
            return false;
    return true;
}

static bool load_rank(struct lw_lesson_state *state, LW_UNUSED int what, uint64_t *value)
{
    struct lw_matrix matrix;
    if (!lw_lesson_bank_matrix(state, &matrix))
        return false;
    *value = (uint64_t)lw_matrix_rank(&matrix);
    return true;
}

/* The fewest wavefronts of stores and loads with any swizzle or padding. */
static bool best(struct lw_lesson_state *state, LW_UNUSED int what, uint64_t *value)
{
    return state->lesson && lw_layout_best(state->lesson->layout, value);
}

/* ---- Conversions ---- */

enum conversion { MOVES, KIND, SHUFFLES, SHARED_BYTES, WAVEFRONTS, IDEAL };

static bool of_conversion(struct lw_lesson_state *state, int what, uint64_t *value)
{
    const struct lw_subject *from = state->sides[LW_SIDE_A], *to = state->sides[LW_SIDE_B];
    struct lw_conversion conversion;
    if (!from || !to)
        return false;
    struct lw_conversion_request request = {.from = &from->map,
                                            .to = &to->map,
                                            .element_bits = bits_of(state->own),
                                            .stage = LW_PLAN_COMPILED,
                                            .hardware = from->hardware,
                                            .triton = lw_subject_triton(from)};
    if (what == MOVES) { /* the slowest dim that changes for an element between A and B */
        if (!lw_conversion_trace(&conversion, &request, NULL))
            return false;
        *value = (uint64_t)conversion.kind;
        return true;
    }
    if (!lw_conversion_make(&conversion, &request, NULL))
        return false;
    const struct lw_plan_total *store = &conversion.store_total, *load = &conversion.load_total;
    *value = what == KIND           ? (uint64_t)conversion.kind
             : what == SHUFFLES     ? conversion.shuffles
             : what == SHARED_BYTES ? conversion.shared_bytes
             : what == WAVEFRONTS   ? store->wavefronts + load->wavefronts
                                    : store->ideal + load->ideal;
    lw_conversion_free(&conversion);
    return true;
}

/* ---- The others ---- */

/* Whether one hardware index of the spot has all the fields. */
static bool has_fields(const struct lw_subject *subject, const struct lw_goal *goal,
                       const uint64_t *in, const uint64_t *out)
{
    for (int i = 0; i < goal->field_count; i++) {
        uint64_t value;
        if (!lw_subject_field(subject, goal->fields[i], in, out, &value) ||
            value != goal->values[i])
            return false;
    }
    return true;
}

static bool cursor(struct lw_lesson_state *state, const struct lw_goal *goal)
{
    enum { OWNERS_MAX = 1024 };
    const struct lw_spot *spot = &state->spot;
    const struct lw_subject *subject = state->pointed;
    uint64_t in[LW_DIMS_MAX];
    if (!subject)
        return false;
    if (spot->has_in && spot->has_out)
        return has_fields(subject, goal, spot->in, spot->out);
    for (uint64_t k = 0; spot->has_out && k < OWNERS_MAX; k++)
        if (!lw_map_owner(&subject->map, spot->out, k, in))
            return false;
        else if (has_fields(subject, goal, in, spot->out))
            return true;
    return false;
}

/* Whether the layouts are equal as functions. */
static bool layout(struct lw_lesson_state *state, const struct lw_goal *goal)
{
    enum { POINTS_MAX = 1 << 20 };
    struct lw_map map;
    struct lw_document expected = goal->layout;
    if (!state->own || !expected.encoding)
        return false;
    if (expected.tensor.rank < 0)
        expected.tensor = state->own->tensor;
    return lw_document_build(&expected, &map, NULL) &&
           lw_translate_same_layout(&map, &state->own->map, state->lanes, POINTS_MAX);
}

#define NUMBER(name, help, measure, what)                                                          \
    {                                                                                              \
        name, LW_GOAL_NUMBER, NULL, help, measure, what, NULL                                      \
    }
static const struct lw_goal_kind kinds[] = {
    {"cursor", LW_GOAL_FIELDS, NULL,
     "the cursor is on a cell with these fields: {\"row\": 3, \"column\": 5}, {\"lane\": 9, "
     "\"register\": 1}, {\"bank\": 7}",
     NULL, 0, cursor},
    {"layout", LW_GOAL_LAYOUT, NULL, "the layout is the same function as this one", NULL, 0,
     layout},
    NUMBER("registers", "registers of a thread that hold elements", size_of, REGISTERS),
    NUMBER("lanes", "lanes of a warp", size_of, LANES),
    NUMBER("warps", "warps", size_of, WARPS),
    NUMBER("elements", "elements of the tensor", size_of, ELEMENTS),
    NUMBER("element-bits", "bits of an element", size_of, BITS),
    NUMBER("owners", "owners of each element", size_of, OWNERS),
    NUMBER("rank", "rank of the matrix", of_matrix, RANK),
    NUMBER("null-bits", "dimensions of the null space: bits of the hardware index beyond the rank",
           of_matrix, NULL_BITS),
    NUMBER("vector", "consecutive elements of a row that a thread holds", of_matrix, VECTOR),
    NUMBER("rows", "rows of the tensor", size_of, ROWS),
    NUMBER("columns", "columns of the tensor", size_of, COLUMNS),
    NUMBER("warp-rows", "rows that the lanes of a warp cover in one register", warp_rows, 0),
    NUMBER("bytes", "bytes of shared memory that the layout takes", size_of, BYTES),
    NUMBER("store-wavefronts", "wavefronts of the stores to shared memory", of_access,
           STORES + MEMBER(wavefronts)),
    NUMBER("store-ideal", "the fewest wavefronts that the bytes of the stores need", of_access,
           STORES + MEMBER(ideal)),
    NUMBER("store-instructions", "instructions that store", of_access,
           STORES + MEMBER(instructions)),
    NUMBER("load-wavefronts", "wavefronts of the loads from shared memory", of_access,
           LOADS + MEMBER(wavefronts)),
    NUMBER("load-ideal", "the fewest wavefronts that the bytes of the loads need", of_access,
           LOADS + MEMBER(ideal)),
    NUMBER("load-each", "wavefronts of each load, when all take the same number", load_each, 0),
    NUMBER("load-instructions", "instructions that load", of_access, LOADS + MEMBER(instructions)),
    NUMBER("load-matrix", "loads that are ldmatrix", of_access, LOADS + MEMBER(matrix)),
    NUMBER("load-rank", "rank of the matrix from lane bits to bank bits, of a load", load_rank, 0),
    NUMBER("wavefronts", "wavefronts of stores and loads", of_access,
           STORES + LOADS + MEMBER(wavefronts)),
    NUMBER("ideal", "the fewest wavefronts that the bytes of both need", of_access,
           STORES + LOADS + MEMBER(ideal)),
    NUMBER("conflicts", "wavefronts of both beyond one for each group of lanes", of_access,
           STORES + LOADS + MEMBER(conflicts)),
    NUMBER("best", "the fewest wavefronts of stores and loads with any swizzle or padding", best,
           0),
    {"conversion", LW_GOAL_CHOICE, "none registers shuffle shared blocks",
     "how data is converted from A to B", of_conversion, KIND, NULL},
    {"moves", LW_GOAL_CHOICE, "nowhere registers lanes warps blocks",
     "how far elements move from A to B", of_conversion, MOVES, NULL},
    NUMBER("shuffles", "shuffles of that conversion, in a warp", of_conversion, SHUFFLES),
    NUMBER("conversion-wavefronts",
           "wavefronts of its stores to shared memory and its loads from it, of all warps",
           of_conversion, WAVEFRONTS),
    NUMBER("conversion-ideal", "the fewest that its bytes need", of_conversion, IDEAL),
    NUMBER("shared-bytes", "bytes of shared memory that it takes", of_conversion, SHARED_BYTES),
};

const struct lw_goal_kind *lw_goal_kinds(size_t *count)
{
    *count = LW_COUNT(kinds);
    return kinds;
}

/* The value of a kind of goal now. */
static bool measure(const struct lw_goal_kind *kind, struct lw_lesson_state *state, uint64_t *value)
{
    return kind->measure(state, kind->what, value);
}

bool lw_goal_met(struct lw_lesson_state *state, const struct lw_goal *goal)
{
    uint64_t value, expected = goal->number;
    if (goal->kind->check)
        return goal->kind->check(state, goal);
    if (!measure(goal->kind, state, &value) ||
        (goal->other && !measure(goal->other, state, &expected)))
        return false;
    return goal->compare < 0   ? value <= expected
           : goal->compare > 0 ? value >= expected
                               : value == expected;
}

/* ---- As texts ---- */

void lw_goal_put_value(struct lw_text *text, const struct lw_goal_kind *kind, uint64_t value)
{
    const char *word = kind->choices;
    if (kind->value_kind != LW_GOAL_CHOICE) {
        lw_text_number(text, value);
        return;
    }
    for (; value && *word; value--) {
        word += strcspn(word, " ");
        word += *word == ' ';
    }
    lw_text_bytes(text, word, strcspn(word, " "));
}

void lw_goal_put(struct lw_text *text, struct lw_lesson_state *state, const struct lw_goal *goal)
{
    uint64_t expected = goal->number;
    const struct lw_goal_kind *kind = goal->kind, *other = goal->other;
    if (kind->value_kind == LW_GOAL_FIELDS) {
        const bool is_paper = state->lesson && state->lesson->is_paper;
        lw_text_add(text, is_paper ? "mark " : "the cursor is on ");
        for (int i = 0; i < goal->field_count; i++)
            lw_text_format(text, "%s%s %llu", i ? ", " : "", goal->fields[i],
                           (unsigned long long)goal->values[i]);
        return;
    }
    if (kind->value_kind == LW_GOAL_LAYOUT) {
        lw_text_add(text, "the layout is the one of the task");
        return;
    }
    const char *of = other ? strrchr(other->name, '-') : NULL; /* load-ideal: the ideal */
    lw_text_format(text, "%s: %s", kind->help,
                   goal->compare < 0   ? "at most "
                   : goal->compare > 0 ? "at least "
                                       : "");
    if (!other || measure(other, state, &expected))
        lw_goal_put_value(text, kind, expected);
    if (other)
        lw_text_format(text, ", the %s", of ? of + 1 : other->name);
}
