/*
 * The text view: what is known of a layout, in lines. It has three parts, each of which is a view of its own:
 *
 *     facts      what holds for the layout, a line for each fact
 *     bases      what each bit of the hardware index, or each digit of a map that is not linear, goes to
 *     notation   the layout in the notation of each system, or why there is none
 */

#include "core/array_count.h"
#include "core/map_kinds.h"
#include "core/unused.h"
#include "laneway/descriptor.h"
#include "laneway/wavefront.h"
#include "view/view_parts.h"

#include <string.h>

/* ==== Facts ==== */

/* Writes a fact, of those that a writer has the one with that number; false: it does not apply to the subject. */
typedef bool fact_writer(const struct lw_subject *subject, int which, struct lw_text *text);

static const struct lw_dim *register_dim(const struct lw_subject *subject)
{
    int dim = lw_dims_find(&subject->map.in, "register");
    if (dim < 0)
        dim = lw_dims_find(&subject->map.in, "local");
    return dim >= 0 ? &subject->map.in.dim[dim] : NULL;
}

bool lw_subject_is_memory(const struct lw_subject *subject)
{
    return lw_dims_find(&subject->map.in, "offset") >= 0;
}

static uint64_t total_of(const struct lw_dims *dims)
{
    uint64_t total = 1;
    lw_dims_total(dims, &total, NULL);
    return total;
}

static bool tensor(const struct lw_subject *subject, LW_UNUSED int which, struct lw_text *text)
{
    lw_tensor_print(text, &subject->tensor);
    if (lw_subject_element_is_set(subject)) {
        lw_text_add(text, text->length ? ", elements of " : "elements of ");
        lw_put_count(text, (uint64_t)subject->tensor.element.bits, "bit");
    }
    return true;
}

enum { OF_HARDWARE, OF_ELEMENTS };

static bool dims(const struct lw_subject *subject, int which, struct lw_text *text)
{
    const struct lw_dims *dims = which == OF_HARDWARE ? &subject->map.in : &subject->map.out;
    for (int i = 0; i < dims->count; i++) {
        lw_text_format(text, "%s%s ", i ? ", " : "", dims->dim[i].name);
        lw_text_number(text, dims->dim[i].size);
    }
    lw_text_add(text, dims->count ? "" : "no dims");
    return true;
}

static bool surjective(const struct lw_subject *subject, LW_UNUSED int which, struct lw_text *text)
{
    const struct lw_map *map = &subject->map;
    uint64_t total = total_of(&map->out);
    if (lw_map_is_surjective(map)) {
        lw_text_add(text, "yes: covers every element");
        return true;
    }
    lw_text_add(text, "no: ");
    lw_text_number(text, total - lw_map_element_count(map));
    lw_text_add(text, " of ");
    lw_text_number(text, total);
    lw_text_add(text, " elements have no owner");
    return true;
}

static bool injective(const struct lw_subject *subject, LW_UNUSED int which, struct lw_text *text)
{
    const struct lw_map *map = &subject->map;
    struct lw_error err;
    if (!lw_map_check_unique(map, &err)) {
        lw_text_format(text, "no: %s", err.message);
    } else if (lw_map_replication(map) <= 1) {
        lw_text_add(text, "yes: has no copies");
    } else {
        lw_text_add(text,
                    lw_map_is_even(map) ? "no: each element has " : "no: elements have up to ");
        lw_text_number(text, lw_map_replication(map));
        lw_text_add(text, " owners");
    }
    return true;
}

enum { RANK, NULL_SPACE, FREE_BITS, COPIES };

/* The facts of a linear map; of others, in place of the null space, what copies they have. */
static bool algebra(const struct lw_subject *subject, int which, struct lw_text *text)
{
    const struct lw_map *map = &subject->map;
    const struct lw_layout *layout = &map->as.linear.layout;
    const bool copied = lw_map_replication(map) > 1;
    if ((map->kind == LW_MAP_LINEAR) != (which != COPIES) ||
        (!copied && (which == FREE_BITS || which == COPIES)))
        return false;
    if (which == RANK)
        lw_text_format(text, "%d, of %d output bits and %d input bits", map->as.linear.solver.rank,
                       lw_layout_out_bits(layout), lw_layout_in_bits(layout));
    else if (which == FREE_BITS)
        lw_put_free_bits(text, layout);
    else if (copied)
        lw_put_copies(text, map);
    else
        lw_text_add(text, "{0}");
    return true;
}

/* "1 after every 2, 2 after every 4: 5 of 13 hardware indices hold nothing" */
static bool holes(const struct lw_subject *subject, LW_UNUSED int which, struct lw_text *text)
{
    const struct lw_map *map = &subject->map;
    uint64_t all = total_of(&map->in);
    if (!lw_map_has_holes(map) || !lw_map_check_unique(map, NULL))
        return false;
    for (int i = 0; map->kind == LW_MAP_PADDED && i < map->as.padded.count; i++)
        lw_text_format(text, "%s%llu after every %llu", i ? ", " : "",
                       (unsigned long long)map->as.padded.padding[i].size,
                       (unsigned long long)map->as.padded.padding[i].interval);
    lw_text_add(text, text->length ? ": " : "");
    uint64_t held = map->kind == LW_MAP_TABLE && map->as.table.element
                        ? map->as.table.held
                        : total_of(&map->out) * lw_map_replication(map);
    lw_text_number(text, all - held);
    lw_text_add(text, " of ");
    lw_text_number(text, all);
    lw_text_add(text, " hardware indices hold nothing");
    return true;
}

/* Writes the size of `count` elements: in bytes when it is a whole number of them, else in bits where that fits. */
static void put_bytes(struct lw_text *text, uint64_t count, uint64_t bits)
{
    uint64_t all;
    if (__builtin_mul_overflow(count, bits, &all)) {
        lw_text_number(text, count);
        lw_text_format(text, " x %llu bits", (unsigned long long)bits);
    } else {
        lw_text_number(text, all % 8 ? all : all / 8);
        lw_text_add(text, all % 8 ? " bits" : all == 8 ? " byte" : " bytes");
    }
}

static bool vector(const struct lw_subject *subject, LW_UNUSED int which, struct lw_text *text)
{
    int along;
    if (!register_dim(subject) && !lw_subject_is_memory(subject))
        return false;
    uint64_t length = lw_map_vector(&subject->map, &along);
    lw_put_count(text, length, "element");
    if (along >= 0) /* before the bytes, as a narrow line has only the beginning */
        lw_text_format(text, " along %s", subject->map.out.dim[along].name);
    if (lw_subject_element_is_set(subject)) {
        lw_text_add(text, " (");
        put_bytes(text, length, (uint64_t)subject->tensor.element.bits);
        lw_text_char(text, ')');
    }
    return true;
}

static bool registers(const struct lw_subject *subject, LW_UNUSED int which, struct lw_text *text)
{
    const struct lw_dim *dim = register_dim(subject);
    if (!dim)
        return false;
    lw_put_count(text, dim->size, "element");
    lw_text_add(text, " a thread");
    if (lw_subject_element_is_set(subject)) {
        uint64_t bits = (uint64_t)subject->tensor.element.bits; /* at most 64: no overflow */
        lw_text_add(text, ", ");
        lw_put_count(text, dim->size / 32 * bits + (dim->size % 32 * bits + 31) / 32, "register");
        lw_text_add(text, " of 32 bits");
    }
    return true;
}

enum { ROWS = 1, COLUMNS = 2, EXAMINED_MAX = 1 << 15 }; /* dims that there must be; elements */

/* "16 B a lane; in all 32 instructions, 256 sectors, ideal 128 (50 %), 256 lines of 128 B": the loads from global
 * memory of elements in registers, with the last dim, or the first one, contiguous. */
static bool coalescing(const struct lw_subject *subject, int which, struct lw_text *text)
{
    int order[LW_DIMS_MAX], count = subject->map.out.count;
    uint64_t total;
    struct lw_coalescing c;
    struct lw_error err;
    if (!register_dim(subject) || !lw_subject_element_is_set(subject) || count < which)
        return false;
    for (int i = 0; i < count; i++)
        order[i] = which == ROWS ? count - 1 - i : i;
    bool is_small = lw_dims_total(&subject->map.in, &total, &err) && total <= EXAMINED_MAX;
    if (!is_small || !lw_coalesce(&c, &subject->map, (unsigned)subject->lanes,
                                  (unsigned)subject->tensor.element.bits, order, &err)) {
        lw_text_format(text, "unknown: %s", is_small ? err.message : "more than 2^15 elements");
        return true;
    }
    lw_text_format(text, "%llu B a lane; in all ", (unsigned long long)c.vector_bytes);
    lw_put_count(text, c.instructions * c.warps, "instruction");
    lw_text_add(text, ", ");
    lw_put_count(text, c.sectors, "sector");
    lw_text_format(text, ", ideal %llu (%.3g %%), ", (unsigned long long)c.ideal_sectors,
                   100.0 * (double)c.ideal_sectors / (double)c.sectors);
    lw_put_count(text, c.lines, "line");
    lw_text_add(text, " of 128 B");
    return true;
}

static bool shared(const struct lw_subject *subject, LW_UNUSED int which, struct lw_text *text)
{
    uint64_t count = lw_dims_size(&subject->map.in, "offset");
    if (!lw_subject_is_memory(subject))
        return false;
    if (lw_subject_element_is_set(subject))
        put_bytes(text, count, (uint64_t)subject->tensor.element.bits);
    else
        lw_put_count(text, count, "element");
    lw_text_add(text, lw_dims_size(&subject->map.in, "block") > 1 ? " a block" : "");
    return true;
}

/* "0x4000004000010000, of 64 x 16, Major::K", the descriptor of an instruction that reads a layout in memory; with an
 * explanation also its fields. */
static bool put_descriptor(const struct lw_subject *subject, enum lw_descriptor_kind kind,
                           struct lw_text *text, struct lw_explanation *explanation)
{
    struct lw_arena arena = {0};
    struct lw_translate_request request = {&subject->map, &subject->tensor, subject->lanes,
                                           subject->encoding};
    struct lw_cute_work work = {.arena = &arena};
    struct lw_cute cute;
    struct lw_operand_descriptor found;
    int count;
    const struct lw_descriptor_field *fields = lw_descriptor_fields(kind, &count);
    const bool own = subject->cute && !subject->cute->tile;
    if (own)
        cute = *subject->cute;
    bool has =
        lw_subject_is_memory(subject) && lw_subject_element_is_set(subject) &&
        (own || lw_translate_memory_to_cute(&arena, &request, &cute, NULL)) &&
        lw_operand_descriptor_find(&work, kind, &cute, subject->tensor.element.bits, 0, &found);
    if (has)
        lw_text_format(text, "descriptor 0x%016llx, of %lld x %lld elements, Major::%s",
                       (unsigned long long)found.descriptor.value, (long long)found.mn,
                       (long long)found.k, found.major == LW_MAJOR_K ? "K" : "MN");
    for (int i = 0; has && explanation && i < count; i++) {
        struct lw_text *line = lw_explanation_line(explanation, fields[i].name);
        lw_text_number(line, lw_descriptor_field_value(&found.descriptor, &fields[i]));
        lw_text_add(line, ": ");
        lw_descriptor_field_explain(line, &found.descriptor, &fields[i], found.major);
    }
    lw_arena_free(&arena);
    return has;
}

static bool descriptor(const struct lw_subject *subject, int which, struct lw_text *text)
{
    return put_descriptor(subject, (enum lw_descriptor_kind)which, text, NULL);
}

enum { WRITTEN, NOTES };

static bool borrowed(const struct lw_subject *subject, int which, struct lw_text *text)
{
    const char *string = which == WRITTEN ? subject->head : subject->notes;
    lw_text_add(text, string ? string : "");
    return string && *string;
}

static const struct fact {
    const char *name;
    fact_writer *write;
    int which;
} facts[] = {
    {"tensor", tensor, 0},
    {"hardware", dims, OF_HARDWARE},
    {"elements", dims, OF_ELEMENTS},
    {"surjective", surjective, 0},
    {"injective", injective, 0},
    {"rank", algebra, RANK},
    {"null space", algebra, NULL_SPACE},
    {"free bits", algebra, FREE_BITS},
    {"copies", algebra, COPIES},
    {"holes", holes, 0},
    {"vector", vector, 0},
    {"registers", registers, 0},
    {"global rows", coalescing, ROWS},
    {"global columns", coalescing, COLUMNS},
    {"shared", shared, 0},
    {"wgmma", descriptor, LW_DESCRIPTOR_WGMMA},
    {"tcgen05", descriptor, LW_DESCRIPTOR_TCGEN05},
    {"written", borrowed, WRITTEN},
    {"notes", borrowed, NOTES},
};

struct facts {
    struct lw_view_state shared;
    const struct fact *of_row[LW_COUNT(facts)]; /* those that apply */
    struct lw_text value[LW_COUNT(facts)];
};

static const struct facts *facts_of(const struct lw_view *view)
{
    return (const struct facts *)view->state;
}

static bool open_facts(struct lw_view *view, LW_UNUSED struct lw_error *err)
{
    struct facts *found = (struct facts *)view->state;
    for (size_t i = 0; i < LW_COUNT(facts); i++) {
        struct lw_text *value = &found->value[view->rows];
        lw_text_clear(value);
        if (facts[i].write(view->subject, facts[i].which, value))
            found->of_row[view->rows++] = &facts[i];
    }
    view->page_rows = view->rows;
    view->cols = 1;
    return true;
}

static void close_facts(struct lw_view *view)
{
    for (size_t i = 0; i < LW_COUNT(facts); i++)
        lw_text_free(&((struct facts *)view->state)->value[i]);
}

static void fact_cell(const struct lw_view *view, uint64_t row, LW_UNUSED uint64_t col,
                      struct lw_text *text, struct lw_cell *cell)
{
    *cell = (struct lw_cell){.ink = LW_INK_PLAIN};
    lw_text_add(text, lw_text_string(&facts_of(view)->value[row]));
}

static void fact_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    lw_text_add(text, facts_of(view)->of_row[row]->name);
}

/* Shows a value in full when it is too long for the pane. */
static void explain_fact(const struct lw_view *view, uint64_t row, LW_UNUSED uint64_t col,
                         struct lw_explanation *explanation)
{
    const struct fact *fact = facts_of(view)->of_row[row];
    lw_text_add(lw_explanation_line(explanation, "fact"), fact->name);
    struct lw_text *value = lw_explanation_line(explanation, "value");
    if (fact->write == descriptor)
        put_descriptor(view->subject, (enum lw_descriptor_kind)fact->which, value, explanation);
    else
        lw_text_add(value, lw_text_string(&facts_of(view)->value[row]));
}

const struct lw_view_type lw_view_facts = {
    .name = "facts",
    .title = "Facts",
    .help = "facts about the layout, one in each row",
    .state_size = sizeof(struct facts),
    .open = open_facts,
    .close = close_facts,
    .cell = fact_cell,
    .row_label = fact_label,
    .columns = (const char *const[]){"value"},
    .col_label = lw_view_put_column,
    .width = lw_widest_cell,
    .explain = explain_fact,
};

/* ==== Bases ==== */

/* A dim of size 1 has a line too. */
static uint64_t lines_of(const struct lw_dim *dim)
{
    int bits = lw_log2(dim->size);
    return bits > 0 ? (uint64_t)bits : 1;
}

static bool open_bases(struct lw_view *view, struct lw_error *err)
{
    const struct lw_map *map = &view->subject->map;
    const struct lw_layout *layout = lw_map_layout(map);
    if (map->kind == LW_MAP_TABLE)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "there are no bases: the layout is a table of threads and elements");
    if (map->kind == LW_MAP_STRIDED) {
        struct lw_layout unused;
        return lw_map_to_layout(map, &unused, err);
    }
    if (map->kind == LW_MAP_MIXED)
        view->rows = (uint64_t)map->as.mixed.count;
    for (int d = 0; layout && d < layout->in.count; d++)
        view->rows += lines_of(&layout->in.dim[d]);
    if (view->rows == 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "there are no bases: one hardware index holds the only element");
    view->cols = 2;
    view->page_rows = view->rows;
    return true;
}

/* The dim and bit of a line of a linear map; bit -1: the dim has size 1. */
static int dim_of_line(const struct lw_dims *dims, uint64_t row, int *bit)
{
    int d = 0;
    while (d + 1 < dims->count && row >= lines_of(&dims->dim[d]))
        row -= lines_of(&dims->dim[d++]);
    *bit = dims->dim[d].size > 1 ? (int)row : -1;
    return d;
}

/* The index that has that bit alone; with padding it is larger. */
static uint64_t index_of_bit(const struct lw_map *map, int dim, int bit)
{
    uint64_t index = (uint64_t)1 << bit;
    return map->kind == LW_MAP_PADDED && dim == map->as.padded.dim ? lw_map_pad(map, index) : index;
}

static void linear_cell(const struct lw_view *view, uint64_t row, uint64_t col,
                        struct lw_text *text, struct lw_cell *cell)
{
    uint64_t image[LW_DIMS_MAX];
    const struct lw_map *map = &view->subject->map;
    const struct lw_layout *layout = lw_map_layout(map);
    int bit, dim = dim_of_line(&layout->in, row, &bit);
    *cell = (struct lw_cell){.ink = LW_INK_DIM, .shade = (uint64_t)dim};
    if (bit < 0) {
        cell->ink = LW_INK_FAINT;
        lw_text_add(text, col ? "" : "size 1");
        return;
    }
    lw_layout_basis(layout, dim, bit, image);
    if (col == 0 && lw_put_spot(view, row, col, text))
        return;
    if (col == 0) {
        lw_put_element(text, map->out.count, image);
        return;
    }
    lw_text_char(text, '(');
    for (int i = 0; i < map->out.count; i++) {
        lw_text_add(text, i ? ", " : "");
        lw_put_binary(text, image[i], map->out.dim[i].size);
    }
    lw_text_char(text, ')');
}

/* "(2 d, 0)": the image of digit d of a mixed map. */
static void mixed_cell(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                       struct lw_cell *cell)
{
    const struct lw_map *map = &view->subject->map;
    const struct lw_mode *mode = &map->as.mixed.mode[row];
    *cell = (struct lw_cell){.ink = LW_INK_DIM, .shade = (uint64_t)mode->in_dim};
    if (col) {
        lw_text_format(text, "d = 0..%llu", (unsigned long long)mode->size - 1);
        return;
    }
    if (lw_put_spot(view, row, col, text))
        return;
    if (mode->out_dim < 0) {
        lw_text_add(text, "replicated");
        return;
    }
    lw_text_char(text, '(');
    for (int i = 0; i < map->out.count; i++) {
        lw_text_add(text, i ? ", " : "");
        if (i != mode->out_dim)
            lw_text_char(text, '0');
        else if (mode->out_stride == 1)
            lw_text_char(text, 'd');
        else
            lw_text_format(text, "%llu d", (unsigned long long)mode->out_stride);
    }
    lw_text_char(text, ')');
}

static void basis_cell(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                       struct lw_cell *cell)
{
    if (view->subject->map.kind == LW_MAP_MIXED)
        mixed_cell(view, row, col, text, cell);
    else
        linear_cell(view, row, col, text, cell);
}

static void basis_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    const struct lw_map *map = &view->subject->map;
    if (map->kind == LW_MAP_MIXED) {
        const struct lw_mode *mode = &map->as.mixed.mode[row];
        const struct lw_dim *dim = &map->in.dim[mode->in_dim];
        lw_text_add(text, dim->name);
        if (mode->in_stride > 1)
            lw_text_format(text, "/%llu", (unsigned long long)mode->in_stride);
        if (mode->in_stride * mode->size < dim->size)
            lw_text_format(text, " mod %llu", (unsigned long long)mode->size);
        return;
    }
    int bit, dim = dim_of_line(&lw_map_layout(map)->in, row, &bit);
    lw_text_add(text, map->in.dim[dim].name);
    if (bit >= 0)
        lw_text_format(text, "=%llu", (unsigned long long)index_of_bit(map, dim, bit));
}

static void basis_head(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    bool mixed = view->subject->map.kind == LW_MAP_MIXED;
    lw_text_add(text, col == 0 ? "goes to" : mixed ? "digit" : "in binary");
}

/* The spot of a line is the hardware index with that bit alone, or with a digit of 1. */
static bool basis_spot(const struct lw_view *view, uint64_t row, LW_UNUSED uint64_t col,
                       struct lw_spot *spot)
{
    const struct lw_map *map = &view->subject->map;
    uint64_t in[LW_DIMS_MAX] = {0};
    if (map->kind == LW_MAP_MIXED) {
        const struct lw_mode *mode = &map->as.mixed.mode[row];
        in[mode->in_dim] = mode->size > 1 ? mode->in_stride : 0;
    } else {
        int bit, dim = dim_of_line(&lw_map_layout(map)->in, row, &bit);
        in[dim] = bit >= 0 ? index_of_bit(map, dim, bit) : 0;
    }
    return lw_spot_of_index(view, in, spot);
}

const struct lw_view_type lw_view_bases = {
    .name = "bases",
    .title = "Bases",
    .help = "each basis of the layout and the element that it maps to",
    .spots = true,
    .open = open_bases,
    .cell = basis_cell,
    .row_label = basis_label,
    .col_label = basis_head,
    .width = lw_widest_cell,
    .col_width = lw_widest_in_column,
    .spot = basis_spot,
};

/* ==== Notation ==== */

struct notation {
    struct lw_view_state shared;
    struct lw_translation_table table;
};

static struct lw_translation_table *table_of(const struct lw_view *view)
{
    return &((struct notation *)view->state)->table;
}

static bool open_notation(struct lw_view *view, struct lw_error *err)
{
    const struct lw_subject *subject = view->subject;
    struct lw_translate_request request = {&subject->map, &subject->tensor, subject->lanes,
                                           subject->encoding};
    if (!lw_translation_table_fill(table_of(view), &request, err))
        return false;
    view->rows = view->page_rows = (uint64_t)table_of(view)->count;
    view->cols = 1;
    return true;
}

static void close_notation(struct lw_view *view)
{
    lw_translation_table_free(table_of(view));
}

static void notation_cell(const struct lw_view *view, uint64_t row, LW_UNUSED uint64_t col,
                          struct lw_text *text, struct lw_cell *cell)
{
    *cell = (struct lw_cell){.ink = table_of(view)->row[row].remark ? LW_INK_FAINT : LW_INK_PLAIN};
    lw_text_add(text, table_of(view)->row[row].text);
}

static void notation_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    if (table_of(view)->row[row].first)
        lw_text_add(text, table_of(view)->row[row].system->name);
}

static void explain_notation(const struct lw_view *view, uint64_t row, LW_UNUSED uint64_t col,
                             struct lw_explanation *explanation)
{
    bool remark = table_of(view)->row[row].remark;
    lw_text_add(lw_explanation_line(explanation, "notation of"),
                table_of(view)->row[row].system->title);
    lw_text_add(lw_explanation_line(explanation, remark ? "remark" : "text"),
                table_of(view)->row[row].text);
    if (!view->subject->tensor.element.name[0] && strstr(table_of(view)->row[row].text, "xf32"))
        lw_text_add(lw_explanation_line(explanation, "assumed"),
                    "the element, as none is set: f32");
}

const struct lw_view_type lw_view_notation = {
    .name = "notation",
    .title = "Notation",
    .help = "the layout in the notation of each system",
    .state_size = sizeof(struct notation),
    .open = open_notation,
    .close = close_notation,
    .cell = notation_cell,
    .row_label = notation_label,
    .columns = (const char *const[]){"notation"},
    .col_label = lw_view_put_column,
    .width = lw_widest_cell,
    .explain = explain_notation,
};

/* ==== All of them ==== */

static const struct lw_view_type *const parts[] = {&lw_view_facts, &lw_view_bases,
                                                   &lw_view_notation};

struct parts {
    struct lw_view_state shared;
    /* Without a type where there is none: a table has no bases. */
    struct lw_view view[LW_COUNT(parts)];
};

static struct lw_view *parts_of(const struct lw_view *view)
{
    return ((struct parts *)view->state)->view;
}

/* The part that a row of the view is in, and in *row the row there. The rows of a part follow its title, which has
 * *title set. */
static const struct lw_view *part_at(const struct lw_view *view, uint64_t *row, bool *title)
{
    const struct lw_view *part = parts_of(view);
    while (!part->type || *row > part->rows)
        *row -= part->type ? part->rows + 1 : 0, part++;
    *title = *row == 0;
    *row -= !*title;
    return part;
}

static bool open_parts(struct lw_view *view, struct lw_error *err)
{
    struct lw_error why;
    for (size_t i = 0; i < LW_COUNT(parts); i++) {
        struct lw_view *part = &parts_of(view)[i];
        if (lw_view_open(part, parts[i], view->subject, NULL, &why))
            view->rows += part->rows + 1;
        else if (why.code == LW_ERROR_MEMORY)
            return lw_error_set(err, why.code, "%s", why.message);
    }
    view->page_rows = view->rows;
    view->cols = 1;
    return true;
}

static void close_parts(struct lw_view *view)
{
    for (size_t i = 0; i < LW_COUNT(parts); i++)
        lw_view_close(&parts_of(view)[i]);
}

/* The cells of a line, or the names of their columns. */
static void part_cell(const struct lw_view *view, uint64_t row, LW_UNUSED uint64_t col,
                      struct lw_text *text, struct lw_cell *cell)
{
    struct lw_cell other;
    bool title;
    const struct lw_view *part = part_at(view, &row, &title);
    *cell = (struct lw_cell){.ink = LW_INK_HEAD};
    for (uint64_t i = 0; i < part->cols; i++) {
        lw_text_add(text, i ? "  " : "");
        if (title)
            part->type->col_label(part, i, text);
        else
            part->type->cell(part, row, i, text, i ? &other : cell);
    }
}

static void part_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    bool title;
    const struct lw_view *part = part_at(view, &row, &title);
    if (title)
        lw_text_add(text, part->type->title);
    else
        part->type->row_label(part, row, text);
}

static bool part_spot(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_spot *spot)
{
    bool title;
    const struct lw_view *part = part_at(view, &row, &title);
    return !title && part->type->spot && part->type->spot(part, row, col, spot);
}

static void explain_part(const struct lw_view *view, uint64_t row, uint64_t col,
                         struct lw_explanation *explanation)
{
    bool title;
    const struct lw_view *part = part_at(view, &row, &title);
    if (!title)
        lw_view_explain(part, row, col, explanation);
}

const struct lw_view_type lw_view_text = {
    .name = "text",
    .title = "Text",
    .help = "facts about the layout, its bases, and its notation in each system",
    .state_size = sizeof(struct parts),
    .open = open_parts,
    .close = close_parts,
    .cell = part_cell,
    .row_label = part_label,
    .columns = (const char *const[]){"text"},
    .col_label = lw_view_put_column,
    .width = lw_widest_cell,
    .spot = part_spot,
    .explain = explain_part,
};
