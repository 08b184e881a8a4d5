/* Goals of lessons: the table of kinds. Kinds with a number are also for texts. */

#include "tui/lesson/goals.h"

#include "analysis/owners.h"
#include "laneway/conversion.h"
#include "laneway/translate.h"

#include <string.h>

/* ---- The sizes of the layout ---- */

static unsigned bits_of(const struct lw_subject *subject)
{
    return (unsigned)subject->tensor.element.bits;
}

/* The size of a dim that has one of two names. */
static bool size_of(const struct lw_subject *subject, const char *name, const char *other,
                    uint64_t *value)
{
    if (!subject)
        return false;
    int dim = lw_dims_find(&subject->map.in, name);
    if (dim < 0)
        dim = lw_dims_find(&subject->map.in, other);
    if (dim >= 0)
        *value = subject->map.in.dim[dim].size;
    return dim >= 0;
}

#define SIZE(name, dim, other)                                                                     \
    static bool name(struct lw_lesson_state *state, uint64_t *value)                               \
    {                                                                                              \
        return size_of(state->own, dim, other, value);                                             \
    }
SIZE(registers, "register", "local")
SIZE(lanes, "lane", "thread")
SIZE(warps, "warp", "warp")

static bool elements(struct lw_lesson_state *state, uint64_t *value)
{
    *value = 1;
    for (int i = 0; state->own && i < state->own->map.out.count; i++)
        *value *= state->own->map.out.dim[i].size;
    return state->own != NULL;
}

static bool element_bits(struct lw_lesson_state *state, uint64_t *value)
{
    if (state->own)
        *value = bits_of(state->own);
    return state->own != NULL;
}

static bool owners(struct lw_lesson_state *state, uint64_t *value)
{
    if (state->own)
        *value = lw_map_replication(&state->own->map);
    return state->own != NULL;
}

static bool rank(struct lw_lesson_state *state, uint64_t *value)
{
    struct lw_layout layout;
    if (!state->own || !lw_map_to_layout(&state->own->map, &layout, NULL))
        return false;
    *value = (uint64_t)lw_layout_rank(&layout);
    return true;
}

/* Dimensions of the null space: the bits of the hardware index that are more than the rank. */
static bool null_bits(struct lw_lesson_state *state, uint64_t *value)
{
    uint64_t indices = 1, log = 0;
    if (!rank(state, value))
        return false;
    for (int i = 0; i < state->own->map.in.count; i++)
        indices *= state->own->map.in.dim[i].size;
    while (indices >> log > 1)
        log++;
    *value = log - *value;
    return true;
}

static bool vector(struct lw_lesson_state *state, uint64_t *value)
{
    struct lw_layout layout;
    if (!state->own || !lw_map_to_layout(&state->own->map, &layout, NULL))
        return false;
    int last = layout.out.count - 1; /* consecutive along the last dim of the tensor */
    const char *names[LW_DIMS_MAX];
    for (int i = 0; i <= last; i++)
        names[i] = layout.out.dim[last - i].name;
    if (!lw_layout_transpose_outs(&layout, &layout, names, NULL))
        return false;
    *value = lw_layout_consecutive(&layout);
    return true;
}

/* The size of the tensor's dim that is `back` before the last one. */
static bool tensor_size(const struct lw_lesson_state *state, int back, uint64_t *value)
{
    int dim = state->own ? state->own->map.out.count - 1 - back : -1;
    if (dim >= 0)
        *value = state->own->map.out.dim[dim].size;
    return dim >= 0;
}

static bool rows(struct lw_lesson_state *state, uint64_t *value)
{
    return tensor_size(state, 1, value);
}

static bool columns(struct lw_lesson_state *state, uint64_t *value)
{
    return tensor_size(state, 0, value);
}

/* The registers of stores or of loads; NULL: there are none. */
static const struct lw_subject *registers_of(const struct lw_lesson_state *state,
                                             enum lw_access_op op)
{
    const struct lw_subject *a = state->sides[LW_SIDE_A], *b = state->sides[LW_SIDE_B];
    return op == LW_ACCESS_STORE ? (a ? a : b) : (b ? b : a);
}

/* The number of different rows that the lanes of warp 0 have in register 0: of the layout itself, or of the loads. */
static bool warp_rows(struct lw_lesson_state *state, uint64_t *value)
{
    enum { LANES_MAX = 64 };
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX], seen[LANES_MAX], lanes_here;
    const struct lw_subject *subject = state->own;
    if (!subject || lw_dims_find(&subject->map.in, "lane") < 0)
        subject = registers_of(state, LW_ACCESS_LOAD);
    if (!size_of(subject, "lane", "lane", &lanes_here) || lanes_here > LANES_MAX ||
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

static bool bytes(struct lw_lesson_state *state, uint64_t *value)
{
    if (!size_of(state->own, "offset", "offset", value))
        return false;
    *value = *value * bits_of(state->own) / 8;
    return true;
}

/* ---- Accesses ---- */

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
    return lw_plan_make(plan, &request, &state->why);
}

static bool total_of(struct lw_lesson_state *state, enum lw_access_op op,
                     struct lw_plan_total *total)
{
    struct lw_plan plan;
    if (!plan_of(state, op, &plan))
        return false;
    *total = plan.total;
    lw_plan_free(&plan);
    return true;
}

#define ACCESS(name, direction, field)                                                             \
    static bool name(struct lw_lesson_state *state, uint64_t *value)                               \
    {                                                                                              \
        struct lw_plan_total total;                                                                \
        if (!total_of(state, direction, &total))                                                   \
            return false;                                                                          \
        *value = total.field;                                                                      \
        return true;                                                                               \
    }

#define BOTH(name, field)                                                                          \
    static bool name(struct lw_lesson_state *state, uint64_t *value)                               \
    {                                                                                              \
        struct lw_plan_total store, load;                                                          \
        if (!total_of(state, LW_ACCESS_STORE, &store) || !total_of(state, LW_ACCESS_LOAD, &load))  \
            return false;                                                                          \
        *value = store.field + load.field;                                                         \
        return true;                                                                               \
    }

ACCESS(store_wavefronts, LW_ACCESS_STORE, wavefronts)
ACCESS(store_ideal, LW_ACCESS_STORE, ideal)
ACCESS(store_instructions, LW_ACCESS_STORE, instructions)
ACCESS(store_matrix, LW_ACCESS_STORE, matrix)
ACCESS(load_wavefronts, LW_ACCESS_LOAD, wavefronts)
ACCESS(load_ideal, LW_ACCESS_LOAD, ideal)
ACCESS(load_instructions, LW_ACCESS_LOAD, instructions)
ACCESS(load_matrix, LW_ACCESS_LOAD, matrix)
BOTH(wavefronts, wavefronts)
BOTH(ideal, ideal)
BOTH(conflicts, conflicts)

/* The wavefronts of each instruction, if all have the same number. */
static bool each_of(struct lw_lesson_state *state, enum lw_access_op op, uint64_t *value)
{
    struct lw_plan plan;
    struct lw_instruction instruction;
    if (!plan_of(state, op, &plan))
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

static bool store_each(struct lw_lesson_state *state, uint64_t *value)
{
    return each_of(state, LW_ACCESS_STORE, value);
}

static bool load_each(struct lw_lesson_state *state, uint64_t *value)
{
    return each_of(state, LW_ACCESS_LOAD, value);
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

static bool load_rank(struct lw_lesson_state *state, uint64_t *value)
{
    struct lw_matrix matrix;
    if (!lw_lesson_bank_matrix(state, &matrix))
        return false;
    *value = (uint64_t)lw_matrix_rank(&matrix);
    return true;
}

/* The fewest wavefronts of stores and loads with any swizzle or padding. */
static bool best(struct lw_lesson_state *state, uint64_t *value)
{
    return state->best(state->context, value);
}

/* ---- Conversions ---- */

static bool convert(struct lw_lesson_state *state, struct lw_conversion *conversion)
{
    const struct lw_subject *from = state->sides[LW_SIDE_A], *to = state->sides[LW_SIDE_B];
    if (!from || !to)
        return false;
    struct lw_conversion_request request = {.from = &from->map,
                                            .to = &to->map,
                                            .element_bits = bits_of(state->own),
                                            .stage = LW_PLAN_COMPILED,
                                            .hardware = from->hardware,
                                            .triton = lw_subject_triton(from)};
    return lw_conversion_make(conversion, &request, &state->why);
}

#define CONVERSION(name, expression)                                                               \
    static bool name(struct lw_lesson_state *state, uint64_t *value)                               \
    {                                                                                              \
        struct lw_conversion conversion;                                                           \
        if (!convert(state, &conversion))                                                          \
            return false;                                                                          \
        *value = expression;                                                                       \
        lw_conversion_free(&conversion);                                                           \
        return true;                                                                               \
    }

/* The slowest dim that changes for an element between A and B. */
static bool moves(struct lw_lesson_state *state, uint64_t *value)
{
    const struct lw_subject *from = state->sides[LW_SIDE_A], *to = state->sides[LW_SIDE_B];
    struct lw_conversion conversion;
    if (!from || !to)
        return false;
    struct lw_conversion_request request = {.from = &from->map,
                                            .to = &to->map,
                                            .element_bits = bits_of(state->own),
                                            .stage = LW_PLAN_COMPILED};
    if (!lw_conversion_trace(&conversion, &request, &state->why))
        return false;
    *value = (uint64_t)conversion.kind;
    return true;
}

CONVERSION(kind, (uint64_t)conversion.kind)
CONVERSION(shuffles, conversion.shuffles)
CONVERSION(rounds, conversion.rounds)
CONVERSION(shared_bytes, conversion.shared_bytes)
CONVERSION(conversion_wavefronts,
           conversion.store_total.wavefronts + conversion.load_total.wavefronts)
CONVERSION(conversion_ideal, conversion.store_total.ideal + conversion.load_total.ideal)

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
    const struct lw_spot *spot = state->spot;
    const struct lw_subject *subject = state->pointed;
    uint64_t in[LW_DIMS_MAX];
    if (!spot || !subject)
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

#define NUMBER(name, help, sentence, measure)                                                      \
    {                                                                                              \
        name, LW_GOAL_NUMBER, NULL, help, sentence, measure, NULL                                  \
    }
static const struct lw_goal_kind kinds[] = {
    {"cursor", LW_GOAL_FIELDS, NULL,
     "the cursor is on a cell with these fields: {\"row\": 3, \"column\": 5}, {\"lane\": 9, "
     "\"register\": 1}, {\"bank\": 7}",
     "", NULL, cursor},
    {"layout", LW_GOAL_LAYOUT, NULL, "the layout is the same function as this one",
     "the layout is the one of the task", NULL, layout},
    NUMBER("registers", "registers of a thread that hold elements", "each lane uses * register(s)",
           registers),
    NUMBER("lanes", "lanes of a warp", "a warp has * lane(s)", lanes),
    NUMBER("warps", "warps", "the layout has * warp(s)", warps),
    NUMBER("elements", "elements of the tensor", "the tensor has * element(s)", elements),
    NUMBER("element-bits", "bits of an element", "an element has * bit(s)", element_bits),
    NUMBER("owners", "owners of each element", "each element has * owner(s)", owners),
    NUMBER("rank", "rank of the matrix", "the rank is *", rank),
    NUMBER("null-bits", "dimensions of the null space: bits of the hardware index beyond the rank",
           "the null space has * dimension(s)", null_bits),
    NUMBER("vector", "consecutive elements of a row that a thread holds",
           "each lane has * consecutive element(s) of a row", vector),
    NUMBER("rows", "rows of the tensor", "the tensor has * row(s)", rows),
    NUMBER("columns", "columns of the tensor", "the tensor has * column(s)", columns),
    NUMBER("warp-rows", "rows that the lanes of a warp cover in one register",
           "the lanes of a warp cover * row(s)", warp_rows),
    NUMBER("bytes", "bytes of shared memory that the layout takes", "the tile takes * byte(s)",
           bytes),
    NUMBER("store-wavefronts", "wavefronts of the stores to shared memory",
           "the stores take * wavefront(s)", store_wavefronts),
    NUMBER("store-ideal", "the fewest wavefronts that the bytes of the stores need",
           "the stores' ideal is * wavefront(s)", store_ideal),
    NUMBER("store-each", "wavefronts of each store, when all take the same number",
           "each store takes * wavefront(s)", store_each),
    NUMBER("store-instructions", "instructions that store", "the number of stores is *",
           store_instructions),
    NUMBER("store-matrix", "stores that are stmatrix", "the number of stmatrix stores is *",
           store_matrix),
    NUMBER("load-wavefronts", "wavefronts of the loads from shared memory",
           "the loads take * wavefront(s)", load_wavefronts),
    NUMBER("load-ideal", "the fewest wavefronts that the bytes of the loads need",
           "the loads' ideal is * wavefront(s)", load_ideal),
    NUMBER("load-each", "wavefronts of each load, when all take the same number",
           "each load takes * wavefront(s)", load_each),
    NUMBER("load-instructions", "instructions that load", "the number of loads is *",
           load_instructions),
    NUMBER("load-matrix", "loads that are ldmatrix", "the number of ldmatrix loads is *",
           load_matrix),
    NUMBER("load-rank", "rank of the matrix from lane bits to bank bits, of a load",
           "the rank from lanes to banks is * for loads", load_rank),
    NUMBER("wavefronts", "wavefronts of stores and loads", "stores and loads take * wavefront(s)",
           wavefronts),
    NUMBER("ideal", "the fewest wavefronts that the bytes of both need",
           "the ideal of both is * wavefront(s)", ideal),
    NUMBER("conflicts", "wavefronts of both beyond one for each group of lanes",
           "the number of conflicts is *", conflicts),
    NUMBER("best", "the fewest wavefronts of stores and loads with any swizzle or padding",
           "the best swizzle or padding takes * wavefront(s)", best),
    {"conversion", LW_GOAL_CHOICE, "none registers shuffle shared blocks",
     "how data is converted from A to B",
     "moves no data|only renames registers|uses shuffles|goes through shared memory|"
     "goes to other blocks",
     kind, NULL},
    {"moves", LW_GOAL_CHOICE, "nowhere registers lanes warps blocks",
     "how far an element moves from A to B: to another register, lane, warp or block",
     "moves no element|keeps each element in its lane|keeps each element in its warp|"
     "moves elements between warps|moves elements between blocks",
     moves, NULL},
    NUMBER("shuffles", "shuffles of that conversion, in a warp",
           "the conversion takes * shuffle(s)", shuffles),
    NUMBER("rounds", "rounds of that conversion", "the conversion takes * round(s)", rounds),
    NUMBER("conversion-wavefronts",
           "wavefronts of its stores to shared memory and its loads from it, of all warps",
           "the conversion takes * wavefront(s)", conversion_wavefronts),
    NUMBER("conversion-ideal", "the fewest that its bytes need",
           "the conversion's ideal is * wavefront(s)", conversion_ideal),
    NUMBER("shared-bytes", "bytes of shared memory that it takes",
           "the conversion needs * byte(s) of shared memory", shared_bytes),
};

#define COUNT (sizeof kinds / sizeof *kinds)
_Static_assert(COUNT <= LW_GOAL_KINDS_MAX, "measures have room for every kind");

const struct lw_goal_kind *lw_goal_kinds(size_t *count)
{
    *count = COUNT;
    return kinds;
}

bool lw_goal_met(struct lw_lesson_state *state, const struct lw_goal *goal)
{
    uint64_t value, expected = goal->number;
    if (goal->kind->check)
        return goal->kind->check(state, goal);
    if (!goal->kind->measure(state, &value) ||
        (goal->other && !goal->other->measure(state, &expected)))
        return false;
    return goal->compare < 0   ? value <= expected
           : goal->compare > 0 ? value >= expected
                               : value == expected;
}

void lw_measures_fill(struct lw_measures *measures, struct lw_lesson_state *state)
{
    memset(measures, 0, sizeof *measures);
    for (size_t i = 0; i < COUNT; i++)
        measures->known[i] = kinds[i].measure && kinds[i].measure != best &&
                             kinds[i].measure(state, &measures->value[i]);
}

/* ---- As sentences ---- */

/* Appends part number `index` of a string with a separator. */
static void put_part(struct lw_text *text, const char *parts, char separator, uint64_t index)
{
    const char ends[] = {separator, '\0'};
    for (; index && *parts; index--) {
        parts += strcspn(parts, ends);
        parts += *parts == separator;
    }
    lw_text_bytes(text, parts, strcspn(parts, ends));
}

void lw_goal_put_value(struct lw_text *text, const struct lw_goal_kind *kind, uint64_t value)
{
    if (kind->value_kind == LW_GOAL_CHOICE)
        put_part(text, kind->choices, ' ', value);
    else
        lw_text_number(text, value);
}

/* Appends "the loads take 32 wavefronts, the ideal"; the name of the other number where that is unknown. */
static void put_expected(struct lw_text *text, struct lw_lesson_state *state,
                         const struct lw_goal *goal)
{
    uint64_t expected = goal->number;
    const bool known = !goal->other || goal->other->measure(state, &expected);
    for (const char *p = goal->kind->sentence; *p; p++)
        if (*p == '*') {
            lw_text_add(text, goal->compare < 0   ? "at most "
                              : goal->compare > 0 ? "at least "
                                                  : "");
            if (known)
                lw_text_number(text, expected);
            else
                lw_text_add(text, goal->other->name);
        } else if (strncmp(p, "(s)", 3) != 0) {
            lw_text_char(text, *p);
        } else {
            lw_text_add(text, known && expected == 1 ? "" : "s");
            p += 2;
        }
    if (goal->other && known) {
        const char *dash = strrchr(goal->other->name, '-');
        lw_text_format(text, ", the %s", dash ? dash + 1 : goal->other->name);
    }
}

/* "the cursor is on row 2, column 3; now row 0, column 0"; fields of an element are those of its first owner. */
static void put_cursor(struct lw_text *text, struct lw_lesson_state *state,
                       const struct lw_goal *goal)
{
    const struct lw_spot *spot = state->spot;
    uint64_t in[LW_DIMS_MAX], value;
    lw_text_add(text, state->is_paper ? "mark " : "the cursor is on ");
    for (int i = 0; i < goal->field_count; i++)
        lw_text_format(text, "%s%s %llu", i ? ", " : "", goal->fields[i],
                       (unsigned long long)goal->values[i]);
    if (state->is_paper || lw_goal_met(state, goal) || !spot || !spot->has_out || !state->pointed)
        return;
    if (spot->has_in)
        memcpy(in, spot->in, sizeof in);
    else if (!lw_map_owner(&state->pointed->map, spot->out, 0, in))
        return;
    for (int i = 0; i < goal->field_count; i++)
        if (lw_subject_field(state->pointed, goal->fields[i], in, spot->out, &value))
            lw_text_format(text, "%s%s %llu", i ? ", " : "; now ", goal->fields[i],
                           (unsigned long long)value);
}

static void put_unknown(struct lw_text *text, const struct lw_lesson_state *state,
                        const struct lw_goal_kind *kind)
{
    if (state->why.code != LW_OK)
        lw_text_format(text, "; now that cannot be counted: %s", state->why.message);
    else
        lw_text_add(text, kind->value_kind == LW_GOAL_CHOICE ? "; now it is unknown"
                                                             : "; this layout has none");
}

void lw_goal_put(struct lw_text *text, struct lw_lesson_state *state, const struct lw_goal *goal)
{
    uint64_t value;
    const struct lw_goal_kind *kind = goal->kind;
    if (!kind->measure) {
        if (kind->value_kind == LW_GOAL_LAYOUT)
            lw_text_add(text, kind->sentence);
        else
            put_cursor(text, state, goal);
        return;
    }
    bool word = kind->value_kind == LW_GOAL_CHOICE;
    state->why.code = LW_OK;
    bool known = kind->measure(state, &value);
    struct lw_error why = state->why;
    if (word) {
        lw_text_add(text, "the conversion ");
        put_part(text, kind->sentence, '|', goal->number);
        lw_text_add(text, goal->compare < 0 && goal->number ? ", or less" : "");
    } else {
        put_expected(text, state, goal);
    }
    if (state->is_paper || lw_goal_met(state, goal))
        return;
    state->why = why; /* for this number, not for the one that it is compared with */
    if (!known) {
        put_unknown(text, state, kind);
        return;
    }
    lw_text_add(text, word ? "; now it " : "; now ");
    if (word)
        put_part(text, kind->sentence, '|', value);
    else
        lw_text_number(text, value);
}
