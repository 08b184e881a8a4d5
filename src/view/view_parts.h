#ifndef LANEWAY_VIEW_PARTS_H
#define LANEWAY_VIEW_PARTS_H

/* What the views share: fields of a hardware index, the walk over an element's owners, and small writers. */

#include "core/text_rows.h"
#include "laneway/conversion.h"
#include "analysis/owners.h"
#include "view/views.h"

/* ---- Fields (fields.c) ----
 * A field is one number of a hardware index or of its element, found by name once and then
 * read for every cell. */

enum lw_cell_field_kind {
    LW_FIELD_NONE,
    LW_FIELD_IN,       /* in[dim] */
    LW_FIELD_OUT,      /* out[dim] */
    LW_FIELD_COMBINED, /* in[dim] + unit * in[other]: the thread of a lane and a warp */
    LW_FIELD_MODULO,   /* in[dim] % unit */
    LW_FIELD_DIVIDE,   /* in[dim] / unit */
    LW_FIELD_BYTE,     /* in[dim] is an offset, unit the bits of an element; so for the next ones */
    LW_FIELD_BANK,
    LW_FIELD_LINE, /* a line is one word of every bank */
    LW_FIELD_PHASE,
    LW_FIELD_CONSTANT,   /* unit */
    LW_FIELD_INDEX,      /* the element, row-major */
    LW_FIELD_NUMBER,     /* the element, column-major */
    LW_FIELD_COORDINATE, /* the same, written as a coordinate of CuTe's shape */
    LW_FIELD_UNSWIZZLED, /* the offset of the element in CuTe's layout before its swizzle */
    LW_FIELD_VGPR, /* in[dim] % unit, written as AMD's register; `other`: bits from one to the next */
    LW_FIELD_HARDWARE_INDEX /* the whole index; as a number, flattened */
};

struct lw_cell_field {
    enum lw_cell_field_kind kind;
    int dim, other; /* -1: none */
    uint64_t unit;
};

bool lw_cell_field_find(const struct lw_subject *subject, const char *name, size_t length,
                        struct lw_cell_field *field);
uint64_t lw_cell_field_value(const struct lw_subject *subject, struct lw_cell_field field,
                             const uint64_t *in, const uint64_t *out);
/* The largest value that the field can have. */
uint64_t lw_cell_field_max(const struct lw_subject *subject, struct lw_cell_field field);
/* Whether a field depends on the hardware index; false for fields of the element alone, which are the same for all its
 * owners. */
bool lw_cell_field_of_index(struct lw_cell_field field);
/* Whether a number depends on the size of an element, as a bank does. */
bool lw_cell_field_needs_element(const struct lw_subject *subject, struct lw_cell_field field);
/* Whether the element type is set, by the tensor or by the layout itself, as by smem_ptr[16b]; else its size is
 * assumed. */
bool lw_subject_element_is_set(const struct lw_subject *subject);
/* Fails unless threads are numbered as in their warps, which those of an atom of a quad pair are not. */
bool lw_subject_need_lanes(const struct lw_subject *subject, struct lw_error *err);
/* Appends coordinate number `index` of a shape of CuTe, the leftmost mode fastest: "((1,0),3)". */
void lw_put_coordinate(struct lw_text *text, const struct lw_cute_tuple *shape, uint64_t index);
/* Appends the names of the fields that this subject has: "thread, lane, warp". */
void lw_cell_field_names(struct lw_text *text, const struct lw_subject *subject);

/* ---- The field {vgpr} (operand/mma_vgpr.c) ---- */

/* Fails, with the reason, unless the subject is the result or an operand of an instruction in AMD's calculator. */
bool lw_vgpr_find(const struct lw_subject *subject, struct lw_cell_field *field,
                  struct lw_error *err);
/* Appends its text: "v1.[15:0]", "v3", "v[1:0]". */
void lw_vgpr_put(struct lw_text *text, const struct lw_subject *subject, struct lw_cell_field field,
                 uint64_t value);
/* The width of the widest. */
size_t lw_vgpr_width(const struct lw_subject *subject, struct lw_cell_field field);

/* ---- Hardware indices and elements (hardware_index.c) ---- */

/* The owners of one element, listed without solving for it again. */
struct lw_owners {
    const struct lw_map *map;
    uint64_t out[LW_DIMS_MAX];
    uint64_t count;
    uint64_t least;
};
void lw_owners_of(struct lw_owners *owners, const struct lw_map *map, const uint64_t *out);
void lw_owners_get(const struct lw_owners *owners, uint64_t k, uint64_t *in);

/* Whether the indices are in range; a hole is in range too. */
bool lw_is_hardware_index(const struct lw_map *map, const uint64_t *in);

/* How many generators the replication has, and generator i: a hardware index of the same element as
 * index 0. Of a table all of the copies are generators. */
int lw_replication_count(const struct lw_map *map);
void lw_replication_index(const struct lw_map *map, int i, uint64_t *in);
/* All of them: "lane=4, warp=1"; of a mixed map "thread + 4*d, d = 0..2"; of a
 * table only how many. */
void lw_put_copies(struct lw_text *text, const struct lw_map *map);
/* "lane.2, warp.0": the bits of a hardware index that do not change the element; nothing when there are none. */
void lw_put_free_bits(struct lw_text *text, const struct lw_layout *layout);

/* The linear layout of a map that is linear except for its padding; else NULL. */
const struct lw_layout *lw_map_layout(const struct lw_map *map);
/* Whether a layout is in shared memory; or in tensor memory. */
bool lw_subject_is_memory(const struct lw_subject *subject);
/* The number of an element, row-major; and the element of a number: false: there are fewer. */
uint64_t lw_element_index(const struct lw_dims *dims, const uint64_t *out);
bool lw_element_at(const struct lw_dims *dims, uint64_t number, uint64_t *out);

/* ---- The layouts of an access (summary.c) ---- */

/* Appends lw_summary as a sentence: "4 registers x 32 lanes hold 16 x 8, every element once"; a shape that is assumed
 * is marked so. */
void lw_put_held(struct lw_text *text, const struct lw_subject *subject, bool is_assumed);

enum lw_head { LW_HEAD_PLAN, LW_HEAD_CONVERSION, LW_HEAD_SWIZZLE };
/* Appends a line for each layout, "shared:    " and its summary, and one for their elements, "elements:  f16, 16 bits"
 * and the note. `sides` are NULL where there is none; A or B is set, and for a plan S. Where
 * only one of A and B is set, it is at both. */
void lw_put_head(struct lw_text *text, enum lw_head kind,
                 const struct lw_subject *const sides[LW_SIDES], const char *note);

/* ---- An access (subject_access.c) ---- */

/* One instruction of an access, with its wavefronts. */
struct lw_served {
    const struct lw_plan *plan;
    uint64_t number, count; /* its number among the stores, or the loads, from 0; and how many there
                               are */
    uint64_t round, rounds; /* of a conversion's exchange, its round, from 0; else 0 of 1 */
    struct lw_instruction instruction;
    struct lw_wavefronts wavefronts;
};

/* The registers of the stores or of the loads. */
const struct lw_subject *lw_subject_access_registers(const struct lw_subject_access *access,
                                                     enum lw_access_op op);
/* Sets the rules of all plans; without this call the stage is lw_subject_stage. Call it before the first plan is
 * made. */
void lw_subject_access_set_rules(struct lw_subject_access *access, enum lw_plan_stage stage,
                                 bool to_global);
/* The same of the stage of that name, as --as has it; NULL: it stays. */
void lw_subject_access_count_as(struct lw_subject_access *access, const char *as);
/* Opens the layouts of an access beside the document's own one, and joins them all; `as` as above. has[i] is set where
 * opened[i] is to be closed, also where it fails. */
bool lw_subject_open_others(struct lw_subject *own, const struct lw_document *doc,
                            struct lw_opened opened[LW_SIDES], bool has[LW_SIDES], const char *as,
                            struct lw_error *err);
/* Fails, with the reason, unless the subject is one of an access between registers and shared memory whose instructions
 * move whole elements each. */
bool lw_subject_access_check(const struct lw_subject *subject, struct lw_error *err);
/* Fails, with the reason, unless the subject is registers A or B, and there are both. */
bool lw_subject_access_check_registers(const struct lw_subject *subject, struct lw_error *err);
/* The conversion from registers A to registers B; made at the first call. NULL and the reason. */
const struct lw_conversion *lw_subject_access_conversion(struct lw_subject_access *access,
                                                         struct lw_error *err);
/* The plan of stores or of loads; made at the first call. NULL and the reason when there is none. */
const struct lw_plan *lw_subject_access_plan(struct lw_subject_access *access, enum lw_access_op op,
                                             struct lw_error *err);
/* Sets the request that the plan is made from. Fails when sides differ in the size of an element. */
bool lw_subject_access_request(const struct lw_subject_access *access, enum lw_access_op op,
                               struct lw_plan_request *request, struct lw_error *err);
/* The rounds of a conversion's exchange; 0: the access has shared S, or no plan was made yet. */
uint64_t lw_subject_access_rounds(const struct lw_subject_access *access);
/* The total cost of its instructions; for a conversion, of all rounds. */
const struct lw_plan_total *lw_subject_access_total(struct lw_subject_access *access,
                                                    enum lw_access_op op, struct lw_error *err);
/* How many instructions the access has; fails when neither store nor load has a plan. */
bool lw_subject_access_count(struct lw_subject_access *access, enum lw_view_access which,
                             uint64_t *count, struct lw_error *err);
/* Instruction i of the access, of stores and loads those of one round after those of the one before; valid
 * until the next call. NULL: there is no such instruction. */
const struct lw_served *lw_subject_access_served(struct lw_subject_access *access,
                                                 enum lw_view_access which, uint64_t i);
/* The bit of memory at which an element begins, and the round in which it is in memory (0 without rounds); false when
 * it is never in memory. `out` is of the subject. */
bool lw_subject_access_bit(const struct lw_subject_access *access, const struct lw_subject *subject,
                           const uint64_t *out, uint64_t *bit, uint64_t *round);
/* The element of the subject that has that bit in that round; false when there is none. */
bool lw_subject_access_element(const struct lw_subject_access *access,
                               const struct lw_subject *subject, uint64_t bit, uint64_t round,
                               uint64_t *out);

/* ---- Writers (hardware_index.c) ---- */

#define LW_HOLE "\xc2\xb7" /* a middle dot */

/* The width of the widest element, "(3,5)". */
size_t lw_element_width(const struct lw_dims *dims);
/* The name of a hardware dim in sentences: a local of tilus is a register of its thread. */
const char *lw_dim_title(const struct lw_dim *dim);
/* "warp 0, lane 14, register 1": the slowest dim first, a block of size 1 left out. */
void lw_put_hardware_index(struct lw_text *text, const struct lw_dims *dims, const uint64_t *in);
/* "w0 r3": the same in short, without dim `skip`. */
void lw_put_hardware_index_short(struct lw_text *text, const struct lw_dims *dims,
                                 const uint64_t *in, int skip);
/* "lane=2 ^ warp=1": the dims that are not 0. */
void lw_put_bits(struct lw_text *text, const struct lw_dims *dims, const uint64_t *in);
/* "r2-3 (5,4-5)  r4 (8,4)": what the thread of a slot holds, from its register on, neighbours as one, as many as there
 * is room for, and then of how many. */
void lw_put_held_from(struct lw_text *text, const struct lw_map *map,
                      const struct lw_owner_dims *dims, struct lw_slot slot, size_t columns);
/* "; also w0 l10 r0, w0 l18 r0": the owners of an element after the first one, as many as there is room for. */
void lw_put_copies_of(struct lw_text *text, const struct lw_map *map, const uint64_t *out,
                      size_t columns);

/* ---- State ---- */

/* The first part of every view's state. A type with more state has another struct whose first member, `shared`, is this
 * one, and sets state_size. */
struct lw_view_state {
    struct lw_cell_field color; /* of the cells; its kind may be NONE */
};

/* ---- Colours (cells.c) ---- */

/* Chooses the field to colour by, from options.color_by or by default. Fails, naming the fields that there
 * are, when the subject lacks it. */
bool lw_cell_color_choose(struct lw_view *view, struct lw_error *err);
/* Colours a cell by that field; `in` NULL: there is no element. */
void lw_cell_color(const struct lw_view *view, const uint64_t *in, const uint64_t *out,
                   struct lw_cell *cell);

/* ---- Cells and spots (cells.c) ---- */

/* The `col_label` of a type whose columns have names. */
void lw_view_put_column(const struct lw_view *view, uint64_t col, struct lw_text *text);

/* Appends the meaning of the numbers of cells in a default format: "; T2:1 is thread 2, register 1", without the "; "
 * in a text that is empty; nothing of other formats. */
void lw_put_cell_meaning(struct lw_text *text, const char *format);
/* Fills a spot from a hardware index; a hole has no element. False when the index is out of range. */
bool lw_spot_of_index(const struct lw_view *view, const uint64_t *in, struct lw_spot *spot);

/* The width of the widest cell, and of that in a column, found by computing all cells: for small views. */
size_t lw_widest_cell(const struct lw_view *view);
size_t lw_widest_in_column(const struct lw_view *view, uint64_t col);

/* ---- For explanations (explain.c) ---- */

/* Adds an empty line and returns it; the last line again when there are too many. */
struct lw_text *lw_explanation_line(struct lw_explanation *explanation, const char *label);

/* ---- For cell formats (cell_format.c) ---- */

/* Appends owners already found. */
void lw_format_owner_list(struct lw_text *text, const char *format,
                          const struct lw_subject *subject, const struct lw_owners *owners);
/* Appends one hardware index alone. */
void lw_format_index(struct lw_text *text, const char *format, const struct lw_subject *subject,
                     const uint64_t *in, const uint64_t *out);
/* Upper bounds of the width of a cell in that format: with all owners, and with one. */
size_t lw_format_width(const char *format, const struct lw_subject *subject);
size_t lw_format_index_width(const char *format, const struct lw_subject *subject);

/* Writes the spot of a cell in the format options.cell; false, and nothing, where one of them is missing. */
bool lw_put_spot(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text);
/* The full name of a field that is written in short: "thread" of "t"; else the name itself. (cells.c) */
const char *lw_field_full_name(const char *name);
/* The shorthands of fields, number i: its short and its full name; false: there are fewer. */
bool lw_field_shorthand(size_t i, const char *names[2]);
/* The width of such a view's cells, which are `width` wide without the format. */
size_t lw_spot_width(const struct lw_view *view, size_t width);

#endif
