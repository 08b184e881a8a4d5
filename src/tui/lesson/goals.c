/* What is computed from the screen of a lesson: the table of kinds of goals, of which those with a number are also for
 * texts; goals as texts; and the markers of texts, in braces. */

#include "tui/lesson/lesson_screen.h"

#include "analysis/owners.h"
#include "core/array_count.h"
#include "core/unused.h"
#include "laneway/calc.h"
#include "laneway/conversion.h"
#include "laneway/f2.h"
#include "laneway/translate.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- The sizes of the layout ---- */

enum size { REGISTERS, LANES, WARPS, BYTES, ROWS, COLUMNS, ELEMENTS, BITS, OWNERS };

static unsigned bits_of(const struct lw_subject *subject)
{
    return (unsigned)subject->tensor.element.bits;
}

/* The size of a dim of the hardware; what is split in threads may have another name. */
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
    static const char *const dims[][2] = {
        {"register", "local"}, {"lane", "thread"}, {"warp", "warp"}, {"offset", "offset"}};
    const struct lw_subject *own = state->own;
    if (!own)
        return false;
    const struct lw_dims *out = &own->map.out;
    const int dim = out->count - (what == ROWS ? 2 : 1);
    *value = what == BITS ? bits_of(own) : what == OWNERS ? lw_map_replication(&own->map) : 1;
    if (what <= BYTES && !dim_size(own, dims[what][0], dims[what][1], value))
        return false;
    if (what == BYTES)
        *value = *value * bits_of(own) / 8;
    for (int i = 0; i < out->count && what == ELEMENTS; i++)
        *value *= out->dim[i].size;
    const bool of_tensor = what == ROWS || what == COLUMNS;
    if (of_tensor && dim >= 0)
        *value = out->dim[dim].size;
    return dim >= 0 || !of_tensor;
}

/* ---- Its matrix ---- */

enum rank { RANK, NULL_BITS, VECTOR };

static bool of_matrix(struct lw_lesson_state *state, int what, uint64_t *value)
{
    struct lw_layout layout;
    int along;
    if (!state->own || !lw_map_to_layout(&state->own->map, &layout, NULL))
        return false;
    const int rank = lw_layout_rank(&layout);
    *value = (uint64_t)(what == RANK ? rank : lw_layout_in_bits(&layout) - rank);
    if (what == VECTOR) { /* consecutive along the last dim of the tensor */
        *value = lw_map_vector(&state->own->map, &along);
        *value = along == state->own->map.out.count - 1 ? *value : 1;
    }
    return true;
}

/* ---- Accesses ---- */

static bool plan_of(struct lw_lesson_state *state, enum lw_access_op op, struct lw_plan *plan)
{
    const struct lw_subject *memory = state->sides[LW_SIDE_S];
    const struct lw_subject *a = state->sides[LW_SIDE_A], *b = state->sides[LW_SIDE_B];
    const struct lw_subject *held = op == LW_ACCESS_STORE ? (a ? a : b) : (b ? b : a);
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

/* The matrix from the bits of the lanes that are served together, the first 2^n of them, to the bits of the bank that
 * each accesses first. False: it is no matrix, or there is no access. */
static bool bank_matrix(struct lw_lesson_state *state, struct lw_matrix *matrix)
{
    struct lw_plan plan;
    struct lw_instruction instruction;
    const struct lw_access *access = &instruction.access;
    uint64_t bank[LW_WARP_MAX];
    if (!plan_of(state, LW_ACCESS_LOAD, &plan))
        return false;
    const struct lw_bank_model *model = plan.request.hardware->banks;
    lw_plan_instruction(&plan, 0, &instruction);
    lw_plan_free(&plan);
    *matrix = (struct lw_matrix){.rows = lw_log2(model->banks)};
    const struct lw_lane_groups *groups =
        access->matrices ? NULL : model->load[lw_log2(access->width)];
    const uint64_t lanes = groups ? groups->lanes[0] & access->active : 0;
    while (matrix->cols < 6 && lw_f2_mask(1 << matrix->cols) != lanes)
        matrix->cols++;
    if (matrix->cols == 6)
        return false;
    for (int lane = 0; lane < 1 << matrix->cols; lane++)
        bank[lane] = access->address[lane] / model->bank_bytes % model->banks;
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
    if (!bank_matrix(state, &matrix))
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

bool lw_goal_met(struct lw_lesson_state *state, const struct lw_goal *goal)
{
    const struct lw_goal_kind *kind = goal->kind, *other = goal->other;
    uint64_t value, expected = goal->number;
    if (kind->check)
        return kind->check(state, goal);
    if (!kind->measure(state, kind->what, &value) ||
        (other && !other->measure(state, other->what, &expected)))
        return false;
    return goal->compare < 0   ? value <= expected
           : goal->compare > 0 ? value >= expected
                               : value == expected;
}

/* ---- As texts ---- */

/* A goal's number, or its name. */
static void put_value(struct lw_text *text, const struct lw_goal_kind *kind, uint64_t value)
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
    if (!other || other->measure(state, other->what, &expected))
        put_value(text, kind, expected);
    if (other)
        lw_text_format(text, ", the %s", of ? of + 1 : other->name);
}

/* ---- Markers: arithmetic of numbers, goals and fields ---- */

/* The value of a kind of goal; NULL: it has none. */
static const struct lw_goal_kind *measure(struct lw_lesson_state *state, const char *name,
                                          uint64_t *value)
{
    const struct lw_goal_kind *kind = lw_goal_kind_find(kinds, LW_COUNT(kinds), name, strlen(name));
    return kind && kind->measure && kind->measure(state, kind->what, value) ? kind : NULL;
}

/* Reads "3,5" as an element of this tensor. */
static bool read_element(const struct lw_subject *subject, const char *p, uint64_t *out)
{
    for (int i = 0; i < subject->map.out.count; i++) {
        char *end;
        out[i] = strtoull(p, &end, 10);
        if (end == p || out[i] >= subject->map.out.dim[i].size)
            return false;
        p = end;
        if (i + 1 < subject->map.out.count && *p++ != ',')
            return false;
    }
    return !*p;
}

/* A field of the first owner of an element: ("bank", "3,5"). False: the layout has no such field or element. */
static bool field_of(const struct lw_lesson_state *state, const char *field, const char *where,
                     uint64_t *value)
{
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    const struct lw_subject *subject = state->own;
    if (subject && !strcmp(field, "bank") && state->sides[LW_SIDE_S])
        subject = state->sides[LW_SIDE_S];
    return subject && read_element(subject, where, out) &&
           lw_map_owner(&subject->map, out, 0, in) &&
           lw_subject_field(subject, field, in, out, value);
}

enum { NAME = 48 };

/* Reads a name, at whose dashes it goes on; false: there is none, or it is too long. */
static bool read_word(const char **p, char name[NAME])
{
    static const char characters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const size_t length = isalpha((unsigned char)**p) ? strspn(*p, characters) : 0;
    snprintf(name, NAME, "%.*s", (int)(length < NAME ? length : 0), *p);
    *p += length;
    return *name;
}

/* Reads a name, "log2" and a name, or "bank of 3,5". */
static bool read_named(const char **p, struct lw_lesson_state *state, uint64_t *value)
{
    char name[NAME], where[NAME];
    if (!read_word(p, name))
        return false;
    if (!strcmp(name, "log2") && **p == ' ') {
        *p += 1;
        if (!read_word(p, name) || !measure(state, name, value))
            return false;
        *value = (uint64_t)lw_log2(*value);
        return true;
    }
    if (strncmp(*p, " of ", 4) != 0)
        return measure(state, name, value);
    const size_t length = strspn(*p + 4, "0123456789,");
    snprintf(where, NAME, "%.*s", (int)(length < NAME ? length : 0), *p + 4);
    *p += 4 + length;
    return field_of(state, name, where, value);
}

/* Appends the value of an expression of names and numbers, as the calculator has it: "32 / load-each". */
static bool put_sum(struct lw_text *text, struct lw_lesson_state *state, const char *p)
{
    struct lw_text sum = {0}, printed = {0};
    struct lw_arena arena = {0};
    const struct lw_calc_work work = {.arena = &arena};
    struct lw_calc_result result;
    bool good = true;
    while (good && *p) {
        uint64_t value;
        const size_t plain = strspn(p, "0123456789+-*/%() ");
        lw_text_bytes(&sum, p, plain);
        p += plain;
        if (*p && (good = read_named(&p, state, &value)))
            lw_text_number(&sum, value);
    }
    good = good && lw_calc(lw_text_string(&sum), NULL, 0, &work, &result, NULL);
    if (good)
        lw_calc_print(&printed, &result);
    const char *all = lw_text_string(&printed);
    good = good && *all && !all[strspn(all, "0123456789")];
    if (good)
        lw_text_add(text, all);
    lw_arena_free(&arena);
    lw_text_free(&sum);
    lw_text_free(&printed);
    return good;
}

/* ---- Layouts as answers ---- */

/* The systems whose notation can be typed, by the answer. */
static const struct lw_lesson_system {
    const char *answer, *title;
    enum lw_notation notation;
    const char *example;
} systems[] = {
    {"{notation triton}", "Triton", LW_NOTATION_MLIR,
     "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>"},
    {"{notation cute}", "CuTe", LW_NOTATION_CUTE, "Sw<1,2,3> o 0 o (32,8):(8,1)"},
    {"{notation tilus}", "tilus", LW_NOTATION_TILUS, "local(2, 1).spatial(8, 4)"},
};

const struct lw_lesson_system *lw_lesson_system_of(const char *answer)
{
    for (size_t i = 0; i < LW_COUNT(systems); i++)
        if (!strcmp(systems[i].answer, answer))
            return &systems[i];
    return NULL;
}

static const struct lw_subject *target_of(const struct lw_lesson_state *state)
{
    return state->sides[LW_SIDE_S] ? state->sides[LW_SIDE_S] : state->own;
}

/* For "triton", or "triton of A": a side of the access as it was written. */
static bool put_notation(struct lw_text *text, const struct lw_lesson_state *state,
                         const char *what)
{
    static const char sides[] = "ASB";
    char name[16] = "", side;
    const bool has_side = sscanf(what, "%15s of %c", name, &side) == 2;
    const char *at = has_side ? strchr(sides, side) : NULL;
    const struct lw_translate_system *to = lw_translate_system_find(name);
    const struct lw_subject *subject = !has_side ? target_of(state)
                                       : at      ? state->sides[at - sides]
                                                 : NULL;
    struct lw_arena arena = {0};
    struct lw_translations found;
    if (!to || !subject)
        return false;
    const struct lw_translate_request request = {.map = &subject->map,
                                                 .tensor = &subject->tensor,
                                                 .lanes = state->lanes,
                                                 .encoding = has_side ? subject->encoding : NULL};
    bool good = lw_translate(&arena, to, &request, &found, NULL);
    /* Of a type of Triton as it was written the attribute: "tensor<64x64xf16, #ttg.blocked<...>>". */
    const char *type = good ? found.text[0] : "";
    const char *attribute = has_side && !strncmp(type, "tensor<", 7) ? strchr(type, '#') : NULL;
    if (attribute)
        lw_text_bytes(text, attribute, strlen(attribute) - 1);
    else
        lw_text_add(text, type);
    lw_arena_free(&arena);
    return good;
}

/* Builds the map of a typed layout of the tensor in question. */
static bool build(const struct lw_subject *subject, const struct lw_lesson_system *system,
                  const char *typed, struct lw_map *map, struct lw_error *err)
{
    struct lw_text type = {0};
    struct lw_document doc;
    lw_tensor_print(&type, &subject->tensor);
    const struct lw_open_options options = {.type = lw_text_string(&type)};
    bool good = lw_document_read(&doc, typed, strlen(typed), &options, err);
    lw_text_free(&type);
    if (!good)
        return false;
    if (doc.notation != system->notation)
        good = lw_error_set(err, LW_ERROR_UNSUPPORTED, "expected the notation of %s: %s",
                            system->title, system->example);
    good = good && lw_document_build(&doc, map, err);
    lw_document_free(&doc);
    return good;
}

bool lw_lesson_is_layout(const struct lw_lesson_state *state, const struct lw_lesson_system *system,
                         const char *typed, const char *other, struct lw_error *err)
{
    enum { POINTS_MAX = 1 << 20 };
    const struct lw_subject *subject = target_of(state);
    struct lw_map a, b;
    if (!subject || !build(subject, system, typed, &a, err) ||
        (other && !build(subject, system, other, &b, err)))
        return false;
    return lw_translate_same_layout(&a, other ? &b : &subject->map, state->lanes, POINTS_MAX) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "It is another function than the layout on the screen");
}

/* ---- Markers: all of them ---- */

/* Puts the element at "lane=9 register=1". */
static bool put_element(struct lw_text *text, const struct lw_subject *subject, const char *p)
{
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX];
    for (int bytes; subject && *p; p += bytes) {
        char name[24];
        unsigned long long index;
        if (sscanf(p, "%23[a-z0-9]=%18llu %n", name, &index, &bytes) != 2)
            return false;
        const int dim = lw_dims_find(&subject->map.in, name);
        if (dim < 0)
            return false;
        in[dim] = index;
    }
    if (!subject || !lw_map_apply(&subject->map, in, out))
        return false;
    for (int i = 0; i < subject->map.out.count; i++)
        lw_text_format(text, "%s%llu", i ? ", " : "(", (unsigned long long)out[i]);
    lw_text_char(text, ')');
    return true;
}

/* "0 0 1 0 0  bank bit 8", a line for each bit of the bank. */
static bool put_bank_matrix(struct lw_text *text, struct lw_lesson_state *state)
{
    struct lw_matrix matrix;
    if (!bank_matrix(state, &matrix))
        return false;
    for (int row = 0; row < matrix.rows; row++) {
        for (int col = 0; col < matrix.cols; col++)
            lw_text_format(text, "%d ", (int)(matrix.column[col] >> row & 1));
        lw_text_format(text, "bank bit %d%s", 1 << row, row + 1 < matrix.rows ? "\n" : "");
    }
    return true;
}

static bool put_marker(struct lw_text *text, struct lw_lesson_state *state, const char *marker)
{
    static const char element[] = "element of ", key[] = "key ", notation[] = "notation ";
    uint64_t value;
    if (!strncmp(marker, key, strlen(key)))
        return state->put_key && state->put_key(state->lesson, text, marker + strlen(key));
    if (!strncmp(marker, notation, strlen(notation)))
        return put_notation(text, state, marker + strlen(notation));
    if (!strncmp(marker, element, strlen(element)))
        return put_element(text, state->own, marker + strlen(element));
    if (!strcmp(marker, "bank-matrix of load"))
        return put_bank_matrix(text, state);
    const struct lw_goal_kind *kind = measure(state, marker, &value);
    if (kind)
        put_value(text, kind, value);
    return kind || put_sum(text, state, marker);
}

bool lw_lesson_fill(struct lw_text *text, const char *template, struct lw_lesson_state *state)
{
    bool good = true;
    while (*template) {
        const size_t plain = strcspn(template, "{");
        lw_text_bytes(text, template, plain);
        template += plain;
        if (!*template ++)
            break;
        if (*template == '{') {
            lw_text_char(text, *template ++);
            continue;
        }
        char marker[64];
        const size_t length = strcspn(template, "}");
        snprintf(marker, sizeof marker, "%.*s", (int)(length < 63 ? length : 63), template);
        template += length + (template[length] == '}');
        if (put_marker(text, state, marker))
            continue;
        lw_text_char(text, '?');
        if (good)
            snprintf(state->no_value, sizeof state->no_value, "{%s}", marker);
        good = false;
    }
    return good;
}
