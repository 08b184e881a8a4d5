/*
 * The layouts of an access: registers A, shared S, registers B. Stores go from A to S, loads from S to B; without S it
 * is the compiler's own exchange between A and B. Plans are made when a view first needs them and kept until the
 * subjects are separated; of the instructions only the one that was used last is kept.
 */

#include "analysis/access/path.h"
#include "view/banks/view_banks.h"

#include <stdlib.h>
#include <string.h>

/* The accesses of one direction. */
struct direction {
    bool tried, made;
    struct lw_plan plan;
    struct lw_error why; /* when it was not made */
};

struct lw_subject_access {
    struct lw_subject *sides[LW_SIDES]; /* NULL: none */
    enum lw_plan_stage stage;           /* of all plans and of the conversion; so is to_global */
    bool to_global;
    struct direction store, load;
    bool has_served;
    struct lw_served served;
    /* Of stores and loads, stores, loads; made when first needed. */
    struct lw_bank_folds folds[LW_VIEW_LOAD + 1];
    /* Without S: the conversion from A to B, */
    bool conversion_tried, converted;
    struct lw_conversion conversion;
    struct lw_error why_not_converted;
    /* and the exchange between them through shared memory, if there is one. */
    bool exchange_tried, exchange;
    struct lw_subject scratch;
    struct lw_error why_no_exchange;
};

/* Whether a text states its accesses: then nothing chooses them, whatever the memory is. */
static bool is_listed(const struct lw_subject *subject)
{
    return subject && subject->encoding && subject->encoding->listed;
}

enum lw_plan_stage lw_subject_stage(const struct lw_subject *const sides[LW_SIDES])
{
    bool by_hand = true; /* their author alone chooses them: of tilus, or of CuTe and no operand */
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_subject *side = sides[i];
        const struct lw_encoding *encoding = side ? side->encoding : NULL;
        const bool tilus = side && (side->family == LW_FAMILY_TILUS_REGISTER ||
                                    side->family == LW_FAMILY_TILUS_SHARED);
        const bool cute = encoding && !strcmp(encoding->type->name, "cute") &&
                          !lw_encoding_is_set(encoding, "role") &&
                          !lw_encoding_is_set(encoding, "tiling");
        by_hand = by_hand && (!side || tilus || cute);
    }
    return by_hand || is_listed(sides[LW_SIDE_A]) || is_listed(sides[LW_SIDE_B]) ? LW_PLAN_WRITTEN
                                                                                 : LW_PLAN_COMPILED;
}

bool lw_subject_join(struct lw_subject *const sides[LW_SIDES], struct lw_error *err)
{
    struct lw_subject_access *access = calloc(1, sizeof *access);
    for (int i = 0; i < LW_SIDES; i++)
        if (sides[i])
            lw_subject_separate(sides[i]);
    if (!access)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < LW_SIDES; i++)
        if ((access->sides[i] = sides[i])) {
            sides[i]->access = access;
            sides[i]->side = (enum lw_side)i;
            access->to_global = access->to_global || sides[i]->to_global;
        }
    access->stage = lw_subject_stage((const struct lw_subject *const *)access->sides);
    return true;
}

void lw_subject_separate(struct lw_subject *subject)
{
    struct lw_subject_access *access = subject->access;
    if (!access)
        return;
    if (access->store.made)
        lw_plan_free(&access->store.plan);
    if (access->load.made)
        lw_plan_free(&access->load.plan);
    if (access->converted)
        lw_conversion_free(&access->conversion);
    for (int i = LW_VIEW_BOTH; i <= LW_VIEW_LOAD; i++)
        free(access->folds[i].fold);
    for (int i = 0; i < LW_SIDES; i++)
        if (access->sides[i])
            access->sides[i]->access = NULL;
    free(access);
}

/* ---- Sides ---- */

const struct lw_subject *lw_subject_at(const struct lw_subject *subject, enum lw_side side)
{
    return subject->access ? subject->access->sides[side] : NULL;
}

enum lw_triton lw_subject_triton(const struct lw_subject *subject)
{
    enum lw_triton triton = subject->encoding ? subject->encoding->triton : LW_TRITON_UNSET;
    for (int side = 0; subject->access && side < LW_SIDES && !triton; side++) {
        const struct lw_subject *other = subject->access->sides[side];
        triton = other && other->encoding ? other->encoding->triton : LW_TRITON_UNSET;
    }
    return triton;
}

/* Shared S or, without it, that of an exchange. */
static const struct lw_subject *memory_of(const struct lw_subject_access *access)
{
    return access->exchange ? &access->scratch : access->sides[LW_SIDE_S];
}

const struct lw_subject *lw_subject_access_registers(const struct lw_subject_access *access,
                                                     enum lw_access_op op)
{
    const struct lw_subject *a = access->sides[LW_SIDE_A], *b = access->sides[LW_SIDE_B];
    return op == LW_ACCESS_STORE ? (a ? a : b) : (b ? b : a);
}

static const struct lw_subject *any_side(const struct lw_subject_access *access)
{
    int i = 0;
    while (!access->sides[i])
        i++;
    return access->sides[i];
}

static const struct lw_hardware *hardware_of(const struct lw_subject_access *access)
{
    return any_side(access)->hardware;
}

static bool element_bits(const struct lw_subject_access *access, unsigned *bits,
                         struct lw_error *err);

void lw_subject_access_set_rules(struct lw_subject_access *access, enum lw_plan_stage stage,
                                 bool to_global)
{
    access->stage = stage;
    access->to_global = to_global;
}

void lw_subject_access_count_as(struct lw_subject_access *access, const char *as)
{
    enum lw_plan_stage stage;
    if (as && lw_plan_stage_find(as, &stage))
        lw_subject_access_set_rules(access, stage, access->to_global && stage == LW_PLAN_COMPILED);
}

static bool lanes_fit(const struct lw_subject_access *access, struct lw_error *err)
{
    for (int i = 0; i < LW_SIDES; i++)
        if (access->sides[i] &&
            (!lw_subject_need_lanes(access->sides[i], err) ||
             !lw_hardware_check_lanes(hardware_of(access), &access->sides[i]->map, err)))
            return false;
    return true;
}

static bool convert(struct lw_subject_access *access, struct lw_error *err)
{
    struct lw_conversion_request request = {
        .from = &access->sides[LW_SIDE_A]->map,
        .to = &access->sides[LW_SIDE_B]->map,
        .stage = access->stage == LW_PLAN_TRITON ? LW_PLAN_TRITON : LW_PLAN_COMPILED,
        .to_global = access->to_global,
        .any_cost = true,
        .hardware = hardware_of(access),
        .triton = lw_subject_triton(any_side(access))};
    return lanes_fit(access, err) && element_bits(access, &request.element_bits, err) &&
           lw_conversion_make(&access->conversion, &request, err);
}

const struct lw_conversion *lw_subject_access_conversion(struct lw_subject_access *access,
                                                         struct lw_error *err)
{
    if (!access->conversion_tried)
        access->converted = convert(access, &access->why_not_converted);
    access->conversion_tried = true;
    if (!access->converted && err)
        *err = access->why_not_converted;
    return access->converted ? &access->conversion : NULL;
}

/* Makes the exchange of a conversion, which stores and loads; with several rounds, an element is in memory at an offset
 * in one round. */
static bool make_exchange(struct lw_subject_access *access, struct lw_error *err)
{
    const struct lw_conversion *conversion = lw_subject_access_conversion(access, err);
    struct lw_map memory;
    if (!conversion)
        return false;
    if (conversion->kind != LW_CONVERSION_SHARED)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the document has registers A and B only, and no element goes through "
                            "shared memory from one to the other: %s",
                            lw_conversion_kind_name(conversion->kind));
    const struct lw_error *unknown = lw_conversion_unknown(conversion);
    if (unknown && err)
        *err = *unknown;
    if (unknown)
        return false;
    lw_map_from_layout(&memory, &conversion->memory);
    lw_subject_init(&access->scratch, &memory, &access->sides[LW_SIDE_A]->tensor, LW_FAMILY_SHARED);
    access->scratch.hardware = hardware_of(access);
    return true;
}

static bool has_exchange(struct lw_subject_access *access, struct lw_error *err)
{
    if (!access->exchange_tried)
        access->exchange = make_exchange(access, &access->why_no_exchange);
    access->exchange_tried = true;
    if (!access->exchange && err)
        *err = access->why_no_exchange;
    return access->exchange;
}

bool lw_subject_access_check(const struct lw_subject *subject, struct lw_error *err)
{
    struct lw_subject_access *access = subject->access;
    const struct lw_subject *shared = lw_subject_at(subject, LW_SIDE_S);
    bool memory = lw_dims_find(&subject->map.in, "offset") >= 0;
    if (!access)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            memory ? "this view shows an access, but the document has shared S only: name "
                     "the registers with --load SOURCE (:load SOURCE in the "
                     "explorer), or as \"load\" in the document"
                   : "this view shows an access, but the document has registers only: "
                     "name the layout in shared memory with --shared SOURCE "
                     "(:shared SOURCE in the explorer), or as \"shared\" in the "
                     "document");
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_dims *in = access->sides[i] ? &access->sides[i]->map.in : NULL;
        if (in && i != LW_SIDE_S && lw_dims_find(in, "register") < 0 &&
            lw_dims_find(in, "local") < 0 && lw_dims_find(in, "lane") < 0 &&
            lw_dims_find(in, "thread") < 0)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "this view shows an access between registers and shared memory, "
                                "but %s is not in registers",
                                lw_side_name((enum lw_side)i));
    }
    if (!(shared ? lanes_fit(access, err) : has_exchange(access, err)))
        return false;
    const struct lw_conversion *conversion = &access->conversion;
    return !access->exchange ||
           (!conversion->last_load.parts && conversion->request.element_bits >= 8) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "the document has registers A and B only, and elements of %u bits move "
                        "between them in parts: convert counts them",
                        conversion->request.element_bits);
}

bool lw_subject_access_check_registers(const struct lw_subject *subject, struct lw_error *err)
{
    bool two = lw_subject_at(subject, LW_SIDE_A) && lw_subject_at(subject, LW_SIDE_B);
    if (two && (!subject->access || subject->side != LW_SIDE_S))
        return true;
    if (two)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "a conversion is between registers A and registers B, but this is shared S");
    if (!subject->access && lw_dims_find(&subject->map.in, "offset") >= 0)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "a conversion is between two layouts in registers, but this one is in shared memory");
    return lw_error_set(
        err, LW_ERROR_UNSUPPORTED,
        lw_subject_at(subject, LW_SIDE_S)
            ? "a conversion is between two layouts in registers, but here registers A and B are "
              "the same: name the other with --load SOURCE "
              "(:load SOURCE in the explorer), or as \"load\" in the document"
            : "a conversion is between two layouts in registers, but this is one layout: name the "
              "other with --load SOURCE (:load SOURCE in the explorer), "
              "or as \"load\" in the document");
}

/* ---- Plans ---- */

/* The size of an element; where several layouts set one, they must be equal. */
static bool element_bits(const struct lw_subject_access *access, unsigned *bits,
                         struct lw_error *err)
{
    const struct lw_subject *set = NULL, *any = any_side(access);
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_subject *side = access->sides[i];
        const struct lw_element *element = side ? &side->tensor.element : NULL;
        if (!side || !element->name[0])
            continue;
        if (set && set->tensor.element.bits != element->bits)
            return lw_error_set(
                err, LW_ERROR_SHAPE,
                "elements of %d bits in %s and of %d bits in %s: make them equal, as with --set "
                "%s.element=%s (:set %s.element=%s in the explorer)",
                set->tensor.element.bits, lw_side_name(set->side), element->bits,
                lw_side_name((enum lw_side)i), lw_side_key((enum lw_side)i),
                set->tensor.element.name, lw_side_key((enum lw_side)i), set->tensor.element.name);
        set = set ? set : side;
    }
    *bits = (unsigned)(set ? set : any)->tensor.element.bits;
    return true;
}

bool lw_subject_access_request(const struct lw_subject_access *access, enum lw_access_op op,
                               struct lw_plan_request *request, struct lw_error *err)
{
    const struct lw_subject *held = lw_subject_access_registers(access, op);
    const enum lw_side side = op == LW_ACCESS_STORE ? LW_SIDE_A : LW_SIDE_B;
    if (is_listed(held) && held != access->sides[side])
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "nothing is %s here",
                            op == LW_ACCESS_STORE ? "stored" : "loaded");
    *request = (struct lw_plan_request){
        .registers = &held->map,
        .vector = is_listed(held) ? held->encoding->listed->vector : 0,
        .memory = &memory_of(access)->map,
        .op = op,
        .stage = access->stage,
        .to_global = access->to_global && op == LW_ACCESS_LOAD,
        .hardware = hardware_of(access),
        .triton = lw_subject_triton(any_side(access)),
    };
    return lw_subject_need_lanes(held, err) && element_bits(access, &request->element_bits, err);
}

const struct lw_plan *lw_subject_access_plan(struct lw_subject_access *access, enum lw_access_op op,
                                             struct lw_error *err)
{
    struct direction *direction = op == LW_ACCESS_STORE ? &access->store : &access->load;
    if (!access->sides[LW_SIDE_S] && !has_exchange(access, err))
        return NULL;
    if (access->exchange)
        return op == LW_ACCESS_STORE ? &access->conversion.store : &access->conversion.load;
    struct lw_plan_request request;
    if (!direction->tried)
        direction->made = lw_subject_access_request(access, op, &request, &direction->why) &&
                          lw_plan_make(&direction->plan, &request, &direction->why);
    direction->tried = true;
    if (!direction->made && err)
        *err = direction->why;
    return direction->made ? &direction->plan : NULL;
}

uint64_t lw_subject_access_rounds(const struct lw_subject_access *access)
{
    return access->exchange ? access->conversion.rounds : 0;
}

const struct lw_plan_total *lw_subject_access_total(struct lw_subject_access *access,
                                                    enum lw_access_op op, struct lw_error *err)
{
    const struct lw_plan *plan = lw_subject_access_plan(access, op, err);
    if (access->exchange)
        return op == LW_ACCESS_STORE ? &access->conversion.store_total
                                     : &access->conversion.load_total;
    return plan ? &plan->total : NULL;
}

/* The instructions of an access in one round: `stores` of them, then `loads`; returns how many rounds there
 * are. */
static uint64_t in_a_round(struct lw_subject_access *access, enum lw_view_access which,
                           uint64_t *stores, uint64_t *loads, struct lw_error *err)
{
    const struct lw_plan *store =
        which == LW_VIEW_LOAD ? NULL : lw_subject_access_plan(access, LW_ACCESS_STORE, err);
    const struct lw_plan *load =
        which == LW_VIEW_STORE ? NULL : lw_subject_access_plan(access, LW_ACCESS_LOAD, err);
    *stores = store ? store->count : 0;
    *loads = load ? load->count : 0;
    return !store && !load ? 0 : access->exchange ? access->conversion.rounds : 1;
}

bool lw_subject_access_count(struct lw_subject_access *access, enum lw_view_access which,
                             uint64_t *count, struct lw_error *err)
{
    uint64_t stores, loads, rounds = in_a_round(access, which, &stores, &loads, err);
    *count = rounds * (stores + loads);
    return rounds > 0;
}

/* Instruction `number` of the stores or loads, of which there are `each` in a round. */
static bool serve(struct lw_subject_access *access, enum lw_access_op op, uint64_t number,
                  uint64_t each)
{
    struct lw_served *served = &access->served;
    const struct lw_plan *plan = lw_subject_access_plan(access, op, NULL);
    if (access->has_served && served->plan == plan && served->number == number)
        return true;
    served->plan = plan;
    served->number = number;
    served->round = number / each;
    served->rounds = access->exchange ? access->conversion.rounds : 1;
    served->count = each * served->rounds;
    const struct lw_path path = {plan, plan, access->exchange ? &access->conversion : NULL};
    lw_path_instruction(&path, op, number, &served->instruction);
    access->has_served = lw_access_wavefronts(
        plan->request.hardware->banks, &served->instruction.access, &served->wavefronts, NULL);
    return access->has_served;
}

const struct lw_served *lw_subject_access_served(struct lw_subject_access *access,
                                                 enum lw_view_access which, uint64_t i)
{
    uint64_t stores, loads, rounds = in_a_round(access, which, &stores, &loads, NULL);
    uint64_t each = stores + loads;
    if (!each || i / each >= rounds)
        return NULL;
    uint64_t round = i / each, at = i % each;
    bool store = at < stores;
    bool good = store ? serve(access, LW_ACCESS_STORE, round * stores + at, stores)
                      : serve(access, LW_ACCESS_LOAD, round * loads + at - stores, loads);
    return good ? &access->served : NULL;
}

struct lw_bank_folds *lw_subject_access_folds(struct lw_subject_access *access,
                                              enum lw_view_access which)
{
    return &access->folds[which];
}

/* ---- From elements to memory ---- */

/* The indices of an element in the order of other dims; false when a dim is missing. */
static bool reorder(const struct lw_dims *from, const uint64_t *out, const struct lw_dims *to,
                    uint64_t *element)
{
    for (int i = 0; i < to->count; i++) {
        int dim = lw_dims_find(from, to->dim[i].name);
        if (dim < 0)
            return false;
        element[i] = out[dim];
    }
    return true;
}

static uint64_t unit_of(const struct lw_subject_access *access)
{
    unsigned bits = 8;
    element_bits(access, &bits, NULL);
    return bits ? bits : 8;
}

bool lw_subject_access_bit(const struct lw_subject_access *access, const struct lw_subject *subject,
                           const uint64_t *out, uint64_t *bit, uint64_t *round)
{
    const struct lw_map *memory = &memory_of(access)->map;
    uint64_t element[LW_DIMS_MAX], in[LW_DIMS_MAX];
    if (!reorder(&subject->map.out, out, &memory->out, element) ||
        !lw_map_owner(memory, element, 0, in))
        return false;
    int dim = lw_dims_find(&memory->in, "round");
    *bit = in[lw_dims_find(&memory->in, "offset")] * unit_of(access);
    *round = dim >= 0 ? in[dim] : 0;
    return true;
}

bool lw_subject_access_element(const struct lw_subject_access *access,
                               const struct lw_subject *subject, uint64_t bit, uint64_t round,
                               uint64_t *out)
{
    const struct lw_map *memory = &memory_of(access)->map;
    uint64_t in[LW_DIMS_MAX] = {0}, element[LW_DIMS_MAX];
    int dim = lw_dims_find(&memory->in, "round");
    in[lw_dims_find(&memory->in, "offset")] = bit / unit_of(access);
    if (dim >= 0)
        in[dim] = round;
    return lw_map_apply(memory, in, element) &&
           reorder(&memory->out, element, &subject->map.out, out);
}
