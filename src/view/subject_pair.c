/*
 * Two layouts of one tensor, and the accesses between them. Plans are made when a view first needs them and
 * kept until the two are parted; of the instructions only the last one asked for.
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

struct lw_joint {
    struct lw_subject *first, *second;
    struct direction store, load;
    bool has_served;
    struct lw_served served;
    /* Two layouts in registers: how one becomes the other, */
    bool conversion_tried, converted;
    struct lw_conversion conversion;
    struct lw_error why_not_converted;
    /* and the trip between them through shared memory, where there is one. */
    bool trip_tried, trip;
    struct lw_subject scratch;
    struct lw_error why_no_trip;
};

bool lw_subject_join(struct lw_subject *first, struct lw_subject *second, struct lw_error *err)
{
    struct lw_joint *joint = calloc(1, sizeof *joint);
    lw_subject_part(first);
    lw_subject_part(second);
    if (!joint)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    joint->first = first;
    joint->second = second;
    first->with = second;
    second->with = first;
    first->joint = second->joint = joint;
    return true;
}

void lw_subject_part(struct lw_subject *subject)
{
    struct lw_joint *joint = subject->joint;
    if (!joint)
        return;
    if (joint->store.made)
        lw_plan_free(&joint->store.plan);
    if (joint->load.made)
        lw_plan_free(&joint->load.plan);
    if (joint->converted)
        lw_conversion_free(&joint->conversion);
    joint->first->with = joint->second->with = NULL;
    joint->first->joint = joint->second->joint = NULL;
    free(joint);
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

const struct lw_subject *lw_joint_memory(const struct lw_joint *joint)
{
    return joint->trip ? &joint->scratch : in_memory(joint->first) ? joint->first : joint->second;
}

const struct lw_subject *lw_joint_registers(const struct lw_joint *joint)
{
    return in_memory(joint->first) ? joint->second : joint->first;
}

static bool element_bits(const struct lw_joint *joint, unsigned *bits, struct lw_error *err);

static bool takes_both(const struct lw_joint *joint, struct lw_error *err)
{
    const struct lw_hardware *hardware = joint->first->hardware;
    return lw_hardware_takes(hardware, &joint->first->map, err) &&
           lw_hardware_takes(hardware, &joint->second->map, err);
}

static bool convert(struct lw_joint *joint, struct lw_error *err)
{
    struct lw_conversion_request request = {.from = &joint->first->map,
                                            .to = &joint->second->map,
                                            .stage = LW_PLAN_COMPILED,
                                            .hardware = joint->first->hardware};
    return takes_both(joint, err) && element_bits(joint, &request.element_bits, err) &&
           lw_conversion_make(&joint->conversion, &request, err);
}

const struct lw_conversion *lw_joint_conversion(struct lw_joint *joint, struct lw_error *err)
{
    if (!joint->conversion_tried)
        joint->converted = convert(joint, &joint->why_not_converted);
    joint->conversion_tried = true;
    if (!joint->converted && err)
        *err = joint->why_not_converted;
    return joint->converted ? &joint->conversion : NULL;
}

/* What a conversion stores and loads; where it takes rounds, memory has an element at an offset in a round. */
static bool make_trip(struct lw_joint *joint, struct lw_error *err)
{
    const struct lw_conversion *conversion = lw_joint_conversion(joint, err);
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
    lw_subject_init(&joint->scratch, &memory, &joint->first->tensor, LW_FAMILY_SHARED);
    joint->scratch.hardware = joint->first->hardware;
    return true;
}

static bool has_trip(struct lw_joint *joint, struct lw_error *err)
{
    if (!joint->trip_tried)
        joint->trip = make_trip(joint, &joint->why_no_trip);
    joint->trip_tried = true;
    if (!joint->trip && err)
        *err = joint->why_no_trip;
    return joint->trip;
}

bool lw_joint_check(const struct lw_subject *subject, struct lw_error *err)
{
    struct lw_joint *joint = subject->joint;
    if (!joint)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "this view is of two layouts, one in registers and one in shared memory, "
            "and there is no second one here: name it with --with SOURCE (:with SOURCE in the "
            "explorer), or as \"with\" in the document");
    int memory = in_memory(joint->first) + in_memory(joint->second);
    int registers = in_registers(joint->first) + in_registers(joint->second);
    if (memory == 1 && registers == 1)
        return takes_both(joint, err);
    if (registers == 2 && !memory)
        return has_trip(joint, err);
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "this view is of two layouts, one in registers and one in shared memory: "
                        "here %s",
                        memory == 2 ? "both are in shared memory"
                        : memory    ? "the other is not in registers"
                                    : "none is in shared memory");
}

bool lw_joint_check_registers(const struct lw_subject *subject, struct lw_error *err)
{
    const struct lw_joint *joint = subject->joint;
    if (!joint || (!in_memory(joint->first) && !in_memory(joint->second)))
        return true;
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "%s in shared memory: a conversion is between two layouts in registers",
                        !in_memory(joint->first)    ? "the second layout is"
                        : !in_memory(joint->second) ? "the first layout is"
                                                    : "both layouts are");
}

/* ---- Plans ---- */

/* The size of an element, which both must have where both say it. */
static bool element_bits(const struct lw_joint *joint, unsigned *bits, struct lw_error *err)
{
    const struct lw_element *a = &lw_joint_registers(joint)->tensor.element;
    const struct lw_element *b = &lw_joint_memory(joint)->tensor.element;
    const char *second = lw_joint_memory(joint) == joint->second ? "with." : "";
    *bits = (unsigned)(b->name[0] ? b->bits : a->bits);
    if (a->name[0] && b->name[0] && a->bits != b->bits)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "elements of %d bits in registers and of %d bits in shared memory: one "
                            "of the two is to be the other's, as with --set %selement=%s (:set "
                            "%selement=%s in the explorer)",
                            a->bits, b->bits, second, a->name, second, a->name);
    return true;
}

static bool make_plan(const struct lw_joint *joint, struct direction *direction,
                      enum lw_access_op op)
{
    const struct lw_subject *store = op == LW_ACCESS_STORE ? joint->first->store : NULL;
    const struct lw_subject *registers = store ? store : lw_joint_registers(joint);
    struct lw_plan_request request = {.registers = &registers->map,
                                      .memory = &lw_joint_memory(joint)->map,
                                      .op = op,
                                      .stage = LW_PLAN_COMPILED,
                                      .hardware = joint->first->hardware};
    return element_bits(joint, &request.element_bits, &direction->why) &&
           lw_plan_make(&direction->plan, &request, &direction->why);
}

const struct lw_plan *lw_joint_plan(struct lw_joint *joint, enum lw_access_op op,
                                    struct lw_error *err)
{
    struct direction *direction = op == LW_ACCESS_STORE ? &joint->store : &joint->load;
    if (joint->trip)
        return op == LW_ACCESS_STORE ? &joint->conversion.store : &joint->conversion.load;
    if (!direction->tried)
        direction->made = make_plan(joint, direction, op);
    direction->tried = true;
    if (!direction->made && err)
        *err = direction->why;
    return direction->made ? &direction->plan : NULL;
}

const struct lw_plan_total *lw_joint_total(struct lw_joint *joint, enum lw_access_op op,
                                           struct lw_error *err)
{
    const struct lw_plan *plan = lw_joint_plan(joint, op, err);
    if (joint->trip)
        return op == LW_ACCESS_STORE ? &joint->conversion.store_total
                                     : &joint->conversion.load_total;
    return plan ? &plan->total : NULL;
}

/* The instructions of an access in one round: `stores` of them, then `loads`; returns how many rounds there
 * are. */
static uint64_t in_a_round(struct lw_joint *joint, enum lw_view_access access, uint64_t *stores,
                           uint64_t *loads, struct lw_error *err)
{
    const struct lw_plan *store =
        access == LW_VIEW_LOAD ? NULL : lw_joint_plan(joint, LW_ACCESS_STORE, err);
    const struct lw_plan *load =
        access == LW_VIEW_STORE ? NULL : lw_joint_plan(joint, LW_ACCESS_LOAD, err);
    *stores = store ? store->count : 0;
    *loads = load ? load->count : 0;
    return !store && !load ? 0 : joint->trip ? joint->conversion.rounds : 1;
}

bool lw_joint_count(struct lw_joint *joint, enum lw_view_access access, uint64_t *count,
                    struct lw_error *err)
{
    uint64_t stores, loads, rounds = in_a_round(joint, access, &stores, &loads, err);
    *count = rounds * (stores + loads);
    return rounds > 0;
}

/* Instruction `number` of the stores or loads, of which there are `each` in a round. */
static bool serve(struct lw_joint *joint, enum lw_access_op op, uint64_t number, uint64_t each)
{
    struct lw_served *served = &joint->served;
    const struct lw_plan *plan = lw_joint_plan(joint, op, NULL);
    if (joint->has_served && served->plan == plan && served->number == number)
        return true;
    served->plan = plan;
    served->number = number;
    served->round = number / each;
    served->rounds = joint->trip ? joint->conversion.rounds : 1;
    served->count = each * served->rounds;
    if (joint->trip)
        lw_conversion_instruction(&joint->conversion, op, number, &served->instruction);
    else
        lw_plan_instruction(plan, number, &served->instruction);
    joint->has_served = lw_access_wavefronts(
        plan->request.hardware->banks, &served->instruction.access, &served->wavefronts, NULL);
    return joint->has_served;
}

const struct lw_served *lw_joint_served(struct lw_joint *joint, enum lw_view_access access,
                                        uint64_t i)
{
    uint64_t stores, loads, rounds = in_a_round(joint, access, &stores, &loads, NULL);
    uint64_t each = stores + loads;
    if (!each || i / each >= rounds)
        return NULL;
    uint64_t round = i / each, at = i % each;
    bool store = at < stores;
    bool good = store ? serve(joint, LW_ACCESS_STORE, round * stores + at, stores)
                      : serve(joint, LW_ACCESS_LOAD, round * loads + at - stores, loads);
    return good ? &joint->served : NULL;
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

static uint64_t unit_of(const struct lw_joint *joint)
{
    unsigned bits = 8;
    element_bits(joint, &bits, NULL);
    return bits ? bits : 8;
}

bool lw_joint_bit(const struct lw_joint *joint, const struct lw_subject *subject,
                  const uint64_t *out, uint64_t *bit, uint64_t *round)
{
    const struct lw_map *memory = &lw_joint_memory(joint)->map;
    uint64_t element[LW_DIMS_MAX], in[LW_DIMS_MAX];
    if (!reorder(&subject->map.out, out, &memory->out, element) ||
        !lw_map_owner(memory, element, 0, in))
        return false;
    int dim = lw_dims_find(&memory->in, "round");
    *bit = in[lw_dims_find(&memory->in, "offset")] * unit_of(joint);
    *round = dim >= 0 ? in[dim] : 0;
    return true;
}

bool lw_joint_element(const struct lw_joint *joint, const struct lw_subject *subject, uint64_t bit,
                      uint64_t round, uint64_t *out)
{
    const struct lw_map *memory = &lw_joint_memory(joint)->map;
    uint64_t in[LW_DIMS_MAX] = {0}, element[LW_DIMS_MAX];
    int dim = lw_dims_find(&memory->in, "round");
    in[lw_dims_find(&memory->in, "offset")] = bit / unit_of(joint);
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
    if (!o->instruction || !lw_joint_check(subject, NULL) || !view->type->spot ||
        !view->type->spot(view, row, col, &spot) || !spot.has_out ||
        !lw_joint_bit(subject->joint, subject, spot.out, &bit, &round))
        return false;
    const struct lw_served *served = lw_joint_served(subject->joint, o->access, o->instruction - 1);
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
            ? lw_joint_served(subject->joint, options->access, options->instruction - 1)
            : NULL;
    return served ? served->wavefronts.count : 0;
}

bool lw_view_step(const struct lw_subject *subject, struct lw_view_options *options, int by)
{
    uint64_t count;
    if (!lw_joint_check(subject, NULL) ||
        !lw_joint_count(subject->joint, options->access, &count, NULL) || !count)
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
