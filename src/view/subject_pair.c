/*
 * Two layouts of one tensor, and the accesses between them. Plans are made when a view first needs them and
 * kept until the two are separated; of the instructions only the last one used.
 */

#include "laneway/conversion.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

/* The accesses of one direction. */
struct direction {
    bool tried, made;
    struct lw_plan plan;
    struct lw_error why; /* when it was not made */
};

struct lw_subject_pair {
    struct lw_subject *first, *second;
    struct direction store, load;
    bool has_served;
    struct lw_served served;
    /* Two layouts in registers: how one becomes the other, */
    bool conversion_tried, converted;
    struct lw_conversion conversion;
    struct lw_error why_not_converted;
    /* and the exchange between them through shared memory, if there is one. */
    bool exchange_tried, exchange;
    struct lw_subject scratch;
    struct lw_error why_no_exchange;
};

bool lw_subject_join(struct lw_subject *first, struct lw_subject *second, struct lw_error *err)
{
    struct lw_subject_pair *pair = calloc(1, sizeof *pair);
    lw_subject_separate(first);
    lw_subject_separate(second);
    if (!pair)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    pair->first = first;
    pair->second = second;
    first->with = second;
    second->with = first;
    first->pair = second->pair = pair;
    return true;
}

void lw_subject_separate(struct lw_subject *subject)
{
    struct lw_subject_pair *pair = subject->pair;
    if (!pair)
        return;
    if (pair->store.made)
        lw_plan_free(&pair->store.plan);
    if (pair->load.made)
        lw_plan_free(&pair->load.plan);
    if (pair->converted)
        lw_conversion_free(&pair->conversion);
    pair->first->with = pair->second->with = NULL;
    pair->first->pair = pair->second->pair = NULL;
    free(pair);
}

/* ---- Which is which ---- */

static bool in_memory(const struct lw_subject *subject)
{
    return lw_dims_find(&subject->map.in, "offset") >= 0;
}

static bool in_registers(const struct lw_subject *subject)
{
    const struct lw_dims *in = &subject->map.in;
    return lw_dims_find(in, "register") >= 0 || lw_dims_find(in, "local") >= 0 ||
           lw_dims_find(in, "lane") >= 0 || lw_dims_find(in, "thread") >= 0;
}

const struct lw_subject *lw_subject_pair_memory(const struct lw_subject_pair *pair)
{
    return pair->exchange ? &pair->scratch : in_memory(pair->first) ? pair->first : pair->second;
}

const struct lw_subject *lw_subject_pair_registers(const struct lw_subject_pair *pair)
{
    return in_memory(pair->first) ? pair->second : pair->first;
}

static bool element_bits(const struct lw_subject_pair *pair, unsigned *bits, struct lw_error *err);

static bool lanes_fit(const struct lw_subject_pair *pair, struct lw_error *err)
{
    const struct lw_hardware *hardware = pair->first->hardware;
    return lw_hardware_check_lanes(hardware, &pair->first->map, err) &&
           lw_hardware_check_lanes(hardware, &pair->second->map, err);
}

static bool convert(struct lw_subject_pair *pair, struct lw_error *err)
{
    struct lw_conversion_request request = {.from = &pair->first->map,
                                            .to = &pair->second->map,
                                            .stage = LW_PLAN_COMPILED,
                                            .hardware = pair->first->hardware};
    return lanes_fit(pair, err) && element_bits(pair, &request.element_bits, err) &&
           lw_conversion_make(&pair->conversion, &request, err);
}

const struct lw_conversion *lw_subject_pair_conversion(struct lw_subject_pair *pair,
                                                       struct lw_error *err)
{
    if (!pair->conversion_tried)
        pair->converted = convert(pair, &pair->why_not_converted);
    pair->conversion_tried = true;
    if (!pair->converted && err)
        *err = pair->why_not_converted;
    return pair->converted ? &pair->conversion : NULL;
}

/* What a conversion stores and loads; where it takes rounds, memory has an element at an offset in a round. */
static bool make_exchange(struct lw_subject_pair *pair, struct lw_error *err)
{
    const struct lw_conversion *conversion = lw_subject_pair_conversion(pair, err);
    struct lw_map memory;
    if (!conversion)
        return false;
    if (conversion->kind != LW_CONVERSION_SHARED)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "both layouts are in registers, and no element goes through shared "
                            "memory from one to the other: %s",
                            lw_conversion_kind_name(conversion->kind));
    if (conversion->last_load.parts || conversion->request.element_bits < 8)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "both are in registers, and elements of %u bits go between them in "
                            "part: 'convert' counts them",
                            conversion->request.element_bits);
    lw_map_from_layout(&memory, &conversion->memory);
    lw_subject_init(&pair->scratch, &memory, &pair->first->tensor, LW_FAMILY_SHARED);
    pair->scratch.hardware = pair->first->hardware;
    return true;
}

static bool has_exchange(struct lw_subject_pair *pair, struct lw_error *err)
{
    if (!pair->exchange_tried)
        pair->exchange = make_exchange(pair, &pair->why_no_exchange);
    pair->exchange_tried = true;
    if (!pair->exchange && err)
        *err = pair->why_no_exchange;
    return pair->exchange;
}

bool lw_subject_pair_check(const struct lw_subject *subject, struct lw_error *err)
{
    struct lw_subject_pair *pair = subject->pair;
    if (!pair)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "this view is of two layouts, one in registers and one in shared memory, "
            "and there is no second one here: name it with --with SOURCE (:with SOURCE in the "
            "explorer), or as \"with\" in the document");
    int memory = in_memory(pair->first) + in_memory(pair->second);
    int registers = in_registers(pair->first) + in_registers(pair->second);
    if (memory == 1 && registers == 1)
        return lanes_fit(pair, err);
    if (registers == 2 && !memory)
        return has_exchange(pair, err);
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "this view is of two layouts, one in registers and one in shared memory: "
                        "here %s",
                        memory == 2 ? "both are in shared memory"
                        : memory    ? "the other is not in registers"
                                    : "none is in shared memory");
}

bool lw_subject_pair_check_registers(const struct lw_subject *subject, struct lw_error *err)
{
    const struct lw_subject_pair *pair = subject->pair;
    if (!pair || (!in_memory(pair->first) && !in_memory(pair->second)))
        return true;
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "%s in shared memory: a conversion is between two layouts in registers",
                        !in_memory(pair->first)    ? "the second layout is"
                        : !in_memory(pair->second) ? "the first layout is"
                                                   : "both layouts are");
}

/* ---- Plans ---- */

/* The size of an element; where both layouts set one, they must be equal. */
static bool element_bits(const struct lw_subject_pair *pair, unsigned *bits, struct lw_error *err)
{
    const struct lw_element *a = &lw_subject_pair_registers(pair)->tensor.element;
    const struct lw_element *b = &lw_subject_pair_memory(pair)->tensor.element;
    const char *second = lw_subject_pair_memory(pair) == pair->second ? "with." : "";
    *bits = (unsigned)(b->name[0] ? b->bits : a->bits);
    if (a->name[0] && b->name[0] && a->bits != b->bits)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "elements of %d bits in registers and of %d bits in shared memory: one "
                            "of the two is to be the other's, as with --set %selement=%s (:set "
                            "%selement=%s in the explorer)",
                            a->bits, b->bits, second, a->name, second, a->name);
    return true;
}

static bool make_plan(const struct lw_subject_pair *pair, struct direction *direction,
                      enum lw_access_op op)
{
    const struct lw_subject *store = op == LW_ACCESS_STORE ? pair->first->store : NULL;
    const struct lw_subject *registers = store ? store : lw_subject_pair_registers(pair);
    struct lw_plan_request request = {.registers = &registers->map,
                                      .memory = &lw_subject_pair_memory(pair)->map,
                                      .op = op,
                                      .stage = LW_PLAN_COMPILED,
                                      .hardware = pair->first->hardware};
    return element_bits(pair, &request.element_bits, &direction->why) &&
           lw_plan_make(&direction->plan, &request, &direction->why);
}

const struct lw_plan *lw_subject_pair_plan(struct lw_subject_pair *pair, enum lw_access_op op,
                                           struct lw_error *err)
{
    struct direction *direction = op == LW_ACCESS_STORE ? &pair->store : &pair->load;
    if (pair->exchange)
        return op == LW_ACCESS_STORE ? &pair->conversion.store : &pair->conversion.load;
    if (!direction->tried)
        direction->made = make_plan(pair, direction, op);
    direction->tried = true;
    if (!direction->made && err)
        *err = direction->why;
    return direction->made ? &direction->plan : NULL;
}

const struct lw_plan_total *lw_subject_pair_total(struct lw_subject_pair *pair,
                                                  enum lw_access_op op, struct lw_error *err)
{
    const struct lw_plan *plan = lw_subject_pair_plan(pair, op, err);
    if (pair->exchange)
        return op == LW_ACCESS_STORE ? &pair->conversion.store_total : &pair->conversion.load_total;
    return plan ? &plan->total : NULL;
}

/* The instructions of an access in one round: `stores` of them, then `loads`; returns how many rounds there
 * are. */
static uint64_t in_a_round(struct lw_subject_pair *pair, enum lw_view_access access,
                           uint64_t *stores, uint64_t *loads, struct lw_error *err)
{
    const struct lw_plan *store =
        access == LW_VIEW_LOAD ? NULL : lw_subject_pair_plan(pair, LW_ACCESS_STORE, err);
    const struct lw_plan *load =
        access == LW_VIEW_STORE ? NULL : lw_subject_pair_plan(pair, LW_ACCESS_LOAD, err);
    *stores = store ? store->count : 0;
    *loads = load ? load->count : 0;
    return !store && !load ? 0 : pair->exchange ? pair->conversion.rounds : 1;
}

bool lw_subject_pair_count(struct lw_subject_pair *pair, enum lw_view_access access,
                           uint64_t *count, struct lw_error *err)
{
    uint64_t stores, loads, rounds = in_a_round(pair, access, &stores, &loads, err);
    *count = rounds * (stores + loads);
    return rounds > 0;
}

/* Instruction `number` of the stores or loads, of which there are `each` in a round. */
static bool serve(struct lw_subject_pair *pair, enum lw_access_op op, uint64_t number,
                  uint64_t each)
{
    struct lw_served *served = &pair->served;
    const struct lw_plan *plan = lw_subject_pair_plan(pair, op, NULL);
    if (pair->has_served && served->plan == plan && served->number == number)
        return true;
    served->plan = plan;
    served->number = number;
    served->round = number / each;
    served->rounds = pair->exchange ? pair->conversion.rounds : 1;
    served->count = each * served->rounds;
    if (pair->exchange)
        lw_conversion_instruction(&pair->conversion, op, number, &served->instruction);
    else
        lw_plan_instruction(plan, number, &served->instruction);
    pair->has_served = lw_access_wavefronts(plan->request.hardware->banks,
                                            &served->instruction.access, &served->wavefronts, NULL);
    return pair->has_served;
}

const struct lw_served *lw_subject_pair_served(struct lw_subject_pair *pair,
                                               enum lw_view_access access, uint64_t i)
{
    uint64_t stores, loads, rounds = in_a_round(pair, access, &stores, &loads, NULL);
    uint64_t each = stores + loads;
    if (!each || i / each >= rounds)
        return NULL;
    uint64_t round = i / each, at = i % each;
    bool store = at < stores;
    bool good = store ? serve(pair, LW_ACCESS_STORE, round * stores + at, stores)
                      : serve(pair, LW_ACCESS_LOAD, round * loads + at - stores, loads);
    return good ? &pair->served : NULL;
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

static uint64_t unit_of(const struct lw_subject_pair *pair)
{
    unsigned bits = 8;
    element_bits(pair, &bits, NULL);
    return bits ? bits : 8;
}

bool lw_subject_pair_bit(const struct lw_subject_pair *pair, const struct lw_subject *subject,
                         const uint64_t *out, uint64_t *bit, uint64_t *round)
{
    const struct lw_map *memory = &lw_subject_pair_memory(pair)->map;
    uint64_t element[LW_DIMS_MAX], in[LW_DIMS_MAX];
    if (!reorder(&subject->map.out, out, &memory->out, element) ||
        !lw_map_owner(memory, element, 0, in))
        return false;
    int dim = lw_dims_find(&memory->in, "round");
    *bit = in[lw_dims_find(&memory->in, "offset")] * unit_of(pair);
    *round = dim >= 0 ? in[dim] : 0;
    return true;
}

bool lw_subject_pair_element(const struct lw_subject_pair *pair, const struct lw_subject *subject,
                             uint64_t bit, uint64_t round, uint64_t *out)
{
    const struct lw_map *memory = &lw_subject_pair_memory(pair)->map;
    uint64_t in[LW_DIMS_MAX] = {0}, element[LW_DIMS_MAX];
    int dim = lw_dims_find(&memory->in, "round");
    in[lw_dims_find(&memory->in, "offset")] = bit / unit_of(pair);
    if (dim >= 0)
        in[dim] = round;
    return lw_map_apply(memory, in, element) &&
           reorder(&memory->out, element, &subject->map.out, out);
}

/* ---- What is served ---- */

bool lw_view_served(const struct lw_view *view, uint64_t row, uint64_t col)
{
    const struct lw_view_options *o = &view->options;
    const struct lw_subject *subject = view->subject;
    struct lw_spot spot;
    uint64_t bit, round;
    if (!o->instruction || !lw_subject_pair_check(subject, NULL) || !view->type->spot ||
        !view->type->spot(view, row, col, &spot) || !spot.has_out ||
        !lw_subject_pair_bit(subject->pair, subject, spot.out, &bit, &round))
        return false;
    const struct lw_served *served =
        lw_subject_pair_served(subject->pair, o->access, o->instruction - 1);
    if (!served || served->round != round || o->wavefront > served->wavefronts.count)
        return false;
    const struct lw_access *access = &served->instruction.access;
    uint64_t lanes = o->wavefront ? served->wavefronts.wavefront[o->wavefront - 1].lanes : 0;
    for (unsigned g = 0; !o->wavefront && g < served->wavefronts.group_count; g++)
        lanes |= served->wavefronts.group[g];
    for (; lanes; lanes &= lanes - 1) {
        uint64_t from = access->address[__builtin_ctzll(lanes)];
        if (bit / 8 >= from && bit / 8 < from + access->width)
            return true;
    }
    return false;
}

static unsigned wavefronts_of(const struct lw_subject *subject,
                              const struct lw_view_options *options)
{
    const struct lw_served *served =
        options->instruction
            ? lw_subject_pair_served(subject->pair, options->access, options->instruction - 1)
            : NULL;
    return served ? served->wavefronts.count : 0;
}

bool lw_view_step(const struct lw_subject *subject, struct lw_view_options *options, int by)
{
    uint64_t count;
    if (!lw_subject_pair_check(subject, NULL) ||
        !lw_subject_pair_count(subject->pair, options->access, &count, NULL) || !count)
        return false;
    if (by > 0 && options->wavefront < wavefronts_of(subject, options)) {
        options->wavefront++;
    } else if (by > 0) {
        options->instruction = options->instruction < count ? options->instruction + 1 : 1;
        options->wavefront = wavefronts_of(subject, options) > 0;
    } else if (options->wavefront > 1) {
        options->wavefront--;
    } else {
        options->instruction = options->instruction > 1 ? options->instruction - 1 : count;
        options->wavefront = wavefronts_of(subject, options);
    }
    return true;
}
