/* Fields: the numbers of a hardware index that have a name. A name is first a dim of the map, then one of the
 * table below, whose rows compute it from the dims of the map. */

#include "core/array_count.h"
#include "core/divide.h"
#include "encoding/cute/cute_parts.h"
#include "view/view_parts.h"

#include <ctype.h>
#include <string.h>

void lw_subject_init(struct lw_subject *subject, const struct lw_map *map,
                     const struct lw_tensor *tensor, enum lw_family family)
{
    int lane = lw_dims_find(&map->in, "lane");
    memset(subject, 0, sizeof *subject);
    subject->map = *map;
    subject->tensor = *tensor;
    subject->family = family;
    subject->lanes = lane >= 0 ? map->in.dim[lane].size : LW_LANES_DEFAULT;
    subject->head = subject->title = subject->about = subject->notes = "";
}

const struct lw_bank_model *lw_subject_banks(const struct lw_subject *subject)
{
    return (subject->hardware ? subject->hardware : lw_hardware_default())->banks;
}

const char *lw_subject_target(const struct lw_subject *subject)
{
    return (subject->hardware ? subject->hardware : lw_hardware_default())->name;
}

bool lw_subject_need_lanes(const struct lw_subject *subject, struct lw_error *err)
{
    return !subject->encoding || !lw_cute_is_quad_pair(subject->encoding) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "an atom of a quad pair has threads and no lanes: thread 4 is lane 16");
}

static int in_dim(const struct lw_subject *subject, const char *name)
{
    return lw_dims_find(&subject->map.in, name);
}

/* ---- The function of each name; false: this subject has no such field ---- */

typedef bool field_maker(const struct lw_subject *subject, struct lw_cell_field *field);

static bool from_dim(const struct lw_subject *subject, const char *name,
                     enum lw_cell_field_kind kind, uint64_t unit, struct lw_cell_field *field)
{
    *field = (struct lw_cell_field){kind, in_dim(subject, name), -1, unit};
    return field->dim >= 0 && unit > 0;
}

static bool is_of_thread(const struct lw_subject *subject)
{
    return subject->cute && subject->cute->of_thread;
}

/* A field that follows from the thread, when the subject is the part of a tensor of CuTe that one thread has. */
static bool from_thread(uint64_t number, struct lw_cell_field *field)
{
    *field = (struct lw_cell_field){LW_FIELD_CONSTANT, -1, -1, number};
    return true;
}

static bool make_thread(const struct lw_subject *subject, struct lw_cell_field *field)
{
    if (is_of_thread(subject))
        return from_thread((uint64_t)subject->cute->thread, field);
    int lane = in_dim(subject, "lane"), warp = in_dim(subject, "warp");
    if (lane < 0 || warp < 0)
        return from_dim(subject, "lane", LW_FIELD_IN, 1, field);
    *field = (struct lw_cell_field){LW_FIELD_COMBINED, lane, warp, subject->map.in.dim[lane].size};
    return true;
}

static bool make_lane(const struct lw_subject *subject, struct lw_cell_field *field)
{
    if (!lw_subject_need_lanes(subject, NULL))
        return false;
    if (is_of_thread(subject))
        return from_thread((uint64_t)subject->cute->thread % subject->lanes, field);
    return from_dim(subject, "thread", LW_FIELD_MODULO, subject->lanes, field);
}

static bool make_warp(const struct lw_subject *subject, struct lw_cell_field *field)
{
    if (!lw_subject_need_lanes(subject, NULL))
        return false;
    if (is_of_thread(subject))
        return from_thread((uint64_t)subject->cute->thread / subject->lanes, field);
    return from_dim(subject, "thread", LW_FIELD_DIVIDE, subject->lanes, field);
}

static uint64_t element_bits(const struct lw_subject *subject)
{
    return subject->tensor.element.bits > 0 ? (uint64_t)subject->tensor.element.bits : 0;
}

/* Fails when the number of the last byte does not fit in 64 bits. */
static bool make_byte(const struct lw_subject *subject, struct lw_cell_field *field)
{
    return from_dim(subject, "offset", LW_FIELD_BYTE, element_bits(subject), field) &&
           subject->map.in.dim[field->dim].size / 8 < UINT64_MAX / field->unit;
}

static bool make_row(const struct lw_subject *subject, struct lw_cell_field *field)
{
    *field = (struct lw_cell_field){LW_FIELD_OUT, subject->map.out.count - 2, -1, 1};
    return field->dim >= 0;
}

static bool make_column(const struct lw_subject *subject, struct lw_cell_field *field)
{
    *field = (struct lw_cell_field){LW_FIELD_OUT, subject->map.out.count - 1, -1, 1};
    return field->dim >= 0;
}

/* Whether elements are the coordinates of a layout of CuTe. */
static bool has_coordinates(const struct lw_subject *subject)
{
    const struct lw_cute *cute = subject->cute;
    uint64_t total;
    return cute && !cute->tile && !lw_cute_is_of_coordinates(cute) &&
           in_dim(subject, "offset") >= 0 && lw_dims_total(&subject->map.out, &total, NULL) &&
           total == (uint64_t)lw_cute_size(&cute->layout);
}

static bool make_coordinate(const struct lw_subject *subject, struct lw_cell_field *field)
{
    *field = (struct lw_cell_field){LW_FIELD_COORDINATE, -1, -1, 1};
    return has_coordinates(subject);
}

static bool make_unswizzled(const struct lw_subject *subject, struct lw_cell_field *field)
{
    struct lw_cute elements;
    *field = (struct lw_cell_field){LW_FIELD_UNSWIZZLED, -1, -1, 1};
    return has_coordinates(subject) && subject->cute->composed &&
           lw_cute_in_elements(subject->cute, &elements, NULL);
}

static bool make_hardware_index(const struct lw_subject *subject, struct lw_cell_field *field)
{
    *field = (struct lw_cell_field){LW_FIELD_HARDWARE_INDEX, -1, -1, 1};
    return subject->map.in.count > 0;
}

static bool make_vgpr(const struct lw_subject *subject, struct lw_cell_field *field)
{
    return lw_vgpr_find(subject, field, NULL);
}

/* Vectors of registers, of tilus locals, or of 16 bytes in shared memory. */
static bool make_vector(const struct lw_subject *subject, struct lw_cell_field *field)
{
    int along;
    uint64_t length = lw_map_vector(&subject->map, &along), bits = element_bits(subject);
    if (bits && bits <= 128 && from_dim(subject, "offset", LW_FIELD_DIVIDE, 128 / bits, field))
        return true;
    return from_dim(subject, "register", LW_FIELD_DIVIDE, length, field) ||
           from_dim(subject, "local", LW_FIELD_DIVIDE, length, field);
}

static const struct made {
    const char *name;
    field_maker *make; /* NULL: it is of that kind, of a dim of the map */
    enum lw_cell_field_kind kind;
    const char *dim; /* NULL: of none */
} made[] = {{.name = "thread", .make = make_thread},
            {.name = "lane", .make = make_lane},
            {.name = "warp", .make = make_warp},
            {.name = "register", .kind = LW_FIELD_IN, .dim = "local"},
            {.name = "local", .kind = LW_FIELD_IN, .dim = "register"},
            {.name = "byte", .make = make_byte},
            {.name = "bank", .kind = LW_FIELD_BANK, .dim = "offset"},
            {.name = "line", .kind = LW_FIELD_LINE, .dim = "offset"},
            {.name = "phase", .kind = LW_FIELD_PHASE, .dim = "offset"},
            {.name = "row", .make = make_row},
            {.name = "column", .make = make_column},
            {.name = "index", .kind = LW_FIELD_INDEX},
            {.name = "number", .kind = LW_FIELD_NUMBER},
            {.name = "vector", .make = make_vector},
            {.name = "hardware", .make = make_hardware_index},
            {.name = "coordinate", .make = make_coordinate},
            {.name = "unswizzled", .make = make_unswizzled},
            {.name = "vgpr", .make = make_vgpr}};

static bool make_field(const struct made *row, const struct lw_subject *subject,
                       struct lw_cell_field *field)
{
    const bool of_bits = row->kind == LW_FIELD_BANK || row->kind == LW_FIELD_LINE;
    if (row->make)
        return row->make(subject, field);
    if (row->dim)
        return from_dim(subject, row->dim, row->kind, of_bits ? element_bits(subject) : 1, field);
    *field = (struct lw_cell_field){row->kind, -1, -1, 1};
    return true;
}

static bool same(const char *name, const char *text, size_t length)
{
    return name[0] == text[0] && !strncmp(name, text, length) && !name[length];
}

/* "i0", "i1", ...: an index of the element. */
static bool find_index(const struct lw_subject *subject, const char *name, size_t length,
                       struct lw_cell_field *field)
{
    int dim = -1;
    if ((length == 2 || length == 3) && name[0] == 'i' && isdigit((unsigned char)name[1]))
        dim = name[1] - '0';
    if (length == 3)
        dim = dim > 0 && isdigit((unsigned char)name[2]) ? 10 * dim + name[2] - '0' : -1;
    *field = (struct lw_cell_field){LW_FIELD_OUT, dim, -1, 1};
    return dim >= 0 && dim < subject->map.out.count;
}

bool lw_cell_field_find(const struct lw_subject *subject, const char *name, size_t length,
                        struct lw_cell_field *field)
{
    const struct lw_dims *in = &subject->map.in, *out = &subject->map.out;
    for (int i = 0; i < in->count; i++)
        if (same(in->dim[i].name, name, length)) {
            *field = (struct lw_cell_field){LW_FIELD_IN, i, -1, 1};
            return true;
        }
    for (size_t i = 0; i < LW_COUNT(made); i++)
        if (same(made[i].name, name, length))
            return make_field(&made[i], subject, field);
    for (int i = 0; i < out->count; i++)
        if (same(out->dim[i].name, name, length)) {
            *field = (struct lw_cell_field){LW_FIELD_OUT, i, -1, 1};
            return true;
        }
    return find_index(subject, name, length, field);
}

void lw_cell_field_names(struct lw_text *text, const struct lw_subject *subject)
{
    const struct lw_dims *in = &subject->map.in;
    struct lw_cell_field field;
    for (int i = 0; i < in->count; i++)
        lw_text_format(text, "%s%s", i ? ", " : "", in->dim[i].name);
    for (size_t i = 0; i < LW_COUNT(made); i++)
        if (lw_dims_find(in, made[i].name) < 0 && make_field(&made[i], subject, &field))
            lw_text_format(text, "%s%s", text->length ? ", " : "", made[i].name);
    for (int i = 0; i < subject->map.out.count; i++)
        lw_text_format(text, "%si%d", text->length ? ", " : "", i);
}

size_t lw_subject_fields(const struct lw_subject *subject, const char **names)
{
    const struct lw_dims *in = &subject->map.in, *out = &subject->map.out;
    bool set = lw_subject_element_is_set(subject);
    struct lw_cell_field field;
    size_t count = 0;
    for (int i = 0; i < in->count; i++)
        names[count++] = in->dim[i].name;
    for (int i = 0; i < out->count; i++)
        names[count++] = out->dim[i].name;
    for (size_t i = 0; i < LW_COUNT(made); i++)
        if (lw_dims_find(in, made[i].name) < 0 && lw_dims_find(out, made[i].name) < 0 &&
            made[i].make != make_hardware_index && made[i].kind != LW_FIELD_NUMBER &&
            made[i].make != make_coordinate && made[i].make != make_vgpr &&
            make_field(&made[i], subject, &field) &&
            (set || !lw_cell_field_needs_element(subject, field)))
            names[count++] = made[i].name;
    return count;
}

/* ---- Values ---- */

static void put_part(struct lw_text *text, const struct lw_cute_tuple *shape, uint64_t *index)
{
    if (shape->count < 0) {
        lw_text_number(text, *index % (uint64_t)shape->value);
        *index /= (uint64_t)shape->value;
        return;
    }
    lw_text_char(text, '(');
    for (int i = 0; i < shape->count; i++) {
        lw_text_add(text, i ? "," : "");
        put_part(text, &shape->items[i], index);
    }
    lw_text_char(text, ')');
}

void lw_put_coordinate(struct lw_text *text, const struct lw_cute_tuple *shape, uint64_t index)
{
    put_part(text, shape, &index);
}

/* How many times `length` bits fit before element n, where elements have `bits` bits; the number of bits itself may
 * need more than 64 bits. */
static uint64_t bits_over(uint64_t n, uint64_t bits, uint64_t length)
{
    return n / length * bits + n % length * bits / length;
}

static uint64_t line_bits(const struct lw_subject *subject)
{
    return 8 * (uint64_t)lw_bank_model_row_bytes(lw_subject_banks(subject));
}

bool lw_subject_element_is_set(const struct lw_subject *subject)
{
    return subject->tensor.element.name[0] ||
           (subject->encoding && lw_encoding_element_bits(subject->encoding));
}

uint64_t lw_cell_field_value(const struct lw_subject *subject, struct lw_cell_field field,
                             const uint64_t *in, const uint64_t *out)
{
    struct lw_cute cute;
    switch (field.kind) {
    case LW_FIELD_NONE:
        return 0;
    case LW_FIELD_IN:
        return in[field.dim];
    case LW_FIELD_OUT:
        return out[field.dim];
    case LW_FIELD_COMBINED:
        return in[field.dim] + field.unit * in[field.other];
    case LW_FIELD_MODULO:
    case LW_FIELD_VGPR:
        return lw_remainder(in[field.dim], field.unit);
    case LW_FIELD_DIVIDE:
        return lw_quotient(in[field.dim], field.unit);
    case LW_FIELD_BYTE:
        return bits_over(in[field.dim], field.unit, 8);
    case LW_FIELD_BANK: /* elements have field.unit bits */
        return lw_quotient(
            lw_remainder(lw_remainder(in[field.dim], line_bits(subject)) * field.unit,
                         line_bits(subject)),
            8 * (uint64_t)lw_subject_banks(subject)->bank_bytes);
    case LW_FIELD_LINE:
        return bits_over(in[field.dim], field.unit, line_bits(subject));
    case LW_FIELD_CONSTANT:
        return field.unit;
    case LW_FIELD_PHASE:
        return lw_swizzle_phase(&subject->map, in[field.dim]);
    case LW_FIELD_INDEX:
        return lw_element_index(&subject->map.out, out);
    case LW_FIELD_NUMBER:
    case LW_FIELD_COORDINATE:
        return lw_dims_flatten(&subject->map.out, out);
    case LW_FIELD_UNSWIZZLED:
        if (!lw_cute_in_elements(subject->cute, &cute, NULL))
            return 0; /* the subject has no such field */
        return (uint64_t)(cute.offset + subject->cute->start +
                          lw_cute_offset(&subject->cute->layout,
                                         (int64_t)lw_dims_flatten(&subject->map.out, out)));
    case LW_FIELD_HARDWARE_INDEX:
        return lw_dims_flatten(&subject->map.in, in);
    }
    return 0;
}

uint64_t lw_cell_field_max(const struct lw_subject *subject, struct lw_cell_field field)
{
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX] = {0};
    for (int i = 0; i < subject->map.in.count; i++)
        in[i] = subject->map.in.dim[i].size - 1;
    for (int i = 0; i < subject->map.out.count; i++)
        out[i] = subject->map.out.dim[i].size - 1;
    uint64_t max = lw_cell_field_value(subject, field, in, out);
    if ((field.kind == LW_FIELD_MODULO || field.kind == LW_FIELD_VGPR) &&
        in[field.dim] >= field.unit)
        return field.unit - 1;
    if (field.kind == LW_FIELD_BANK && bits_over(in[field.dim], field.unit, line_bits(subject)) > 0)
        return lw_subject_banks(subject)->banks - 1;
    return field.kind == LW_FIELD_PHASE ? in[field.dim] : max;
}

bool lw_cell_field_of_index(struct lw_cell_field field)
{
    return field.kind != LW_FIELD_OUT && field.kind != LW_FIELD_INDEX &&
           field.kind != LW_FIELD_NUMBER && field.kind != LW_FIELD_COORDINATE &&
           field.kind != LW_FIELD_UNSWIZZLED;
}

bool lw_cell_field_needs_element(const struct lw_subject *subject, struct lw_cell_field field)
{
    bool memory = field.kind == LW_FIELD_DIVIDE && field.dim == in_dim(subject, "offset");
    return memory || field.kind == LW_FIELD_BYTE || field.kind == LW_FIELD_BANK ||
           field.kind == LW_FIELD_LINE;
}

bool lw_subject_field(const struct lw_subject *subject, const char *name, const uint64_t *in,
                      const uint64_t *out, uint64_t *value)
{
    struct lw_cell_field field;
    if (!lw_cell_field_find(subject, name, strlen(name), &field))
        return false;
    if (lw_cell_field_of_index(field) ? !in : !out)
        return false;
    *value = lw_cell_field_value(subject, field, in, out);
    return true;
}
