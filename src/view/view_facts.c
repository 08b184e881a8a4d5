/* The facts view: what is known of a layout. Each fact is a row of a table: its name, when it applies, and
 * how it is written. */

#include "laneway/wavefront.h"
#include "laneway/cute_tiled.h"
#include "view/view_parts.h"

typedef bool fact_test(const struct lw_subject *subject);
typedef void fact_writer(const struct lw_subject *subject, struct lw_text *text);
/* Adds lines to an explanation. */
typedef void fact_explainer(const struct lw_subject *subject, struct lw_explanation *explanation);

/* ---- When a fact applies ---- */

static bool always(const struct lw_subject *subject)
{
    (void)subject;
    return true;
}

static bool is_linear(const struct lw_subject *subject)
{
    return subject->map.kind == LW_MAP_LINEAR;
}

static bool is_replicated(const struct lw_subject *subject)
{
    return lw_map_replication(&subject->map) > 1;
}

static bool is_linear_replicated(const struct lw_subject *subject)
{
    return is_linear(subject) && is_replicated(subject);
}

/* For a linear map the fact "null space" shows this. */
static bool is_mixed_replicated(const struct lw_subject *subject)
{
    return !is_linear(subject) && is_replicated(subject);
}

static const struct lw_dim *register_dim(const struct lw_subject *subject)
{
    int dim = lw_dims_find(&subject->map.in, "register");
    if (dim < 0)
        dim = lw_dims_find(&subject->map.in, "local");
    return dim >= 0 ? &subject->map.in.dim[dim] : NULL;
}

static bool has_registers(const struct lw_subject *subject)
{
    return register_dim(subject) != NULL;
}

static bool has_offsets(const struct lw_subject *subject)
{
    return lw_dims_find(&subject->map.in, "offset") >= 0;
}

static bool has_items(const struct lw_subject *subject)
{
    return has_registers(subject) || has_offsets(subject);
}

static bool has_holes(const struct lw_subject *subject)
{
    return lw_map_has_holes(&subject->map);
}

static bool has_head(const struct lw_subject *subject)
{
    return subject->head && subject->head[0];
}

static bool has_notes(const struct lw_subject *subject)
{
    return subject->notes && subject->notes[0];
}

/* Whether the facts about global memory apply: elements in registers of known size. */
static bool is_loaded(const struct lw_subject *subject)
{
    return has_registers(subject) && lw_subject_element_is_set(subject) &&
           subject->map.out.count > 0;
}

static bool is_loaded_both_ways(const struct lw_subject *subject)
{
    return is_loaded(subject) && subject->map.out.count > 1;
}

/* The descriptor of an instruction that reads a layout in memory; the layout is in the arena. */
static bool find_descriptor(const struct lw_subject *subject, enum lw_descriptor_kind kind,
                            struct lw_arena *arena, struct lw_operand_descriptor *out)
{
    struct lw_translate_request request = {&subject->map, &subject->tensor, subject->lanes,
                                           subject->encoding};
    struct lw_cute_work work = {.arena = arena};
    struct lw_cute cute;
    if (!has_offsets(subject) || !lw_subject_element_is_set(subject))
        return false;
    if (subject->cute && !subject->cute->tile)
        cute = *subject->cute;
    else if (!lw_translate_memory_to_cute(arena, &request, &cute, NULL))
        return false;
    return lw_operand_descriptor_find(&work, kind, &cute, subject->tensor.element.bits, 0, out);
}

static bool has_descriptor(const struct lw_subject *subject, enum lw_descriptor_kind kind)
{
    struct lw_arena arena = {0};
    struct lw_operand_descriptor found;
    bool has = find_descriptor(subject, kind, &arena, &found);
    lw_arena_free(&arena);
    return has;
}

static bool is_for_wgmma(const struct lw_subject *subject)
{
    return has_descriptor(subject, LW_DESCRIPTOR_WGMMA);
}

static bool is_for_tcgen05(const struct lw_subject *subject)
{
    return has_descriptor(subject, LW_DESCRIPTOR_TCGEN05);
}

/* ---- How a fact is written ---- */

static void put_dims(struct lw_text *text, const struct lw_dims *dims)
{
    for (int i = 0; i < dims->count; i++) {
        lw_text_format(text, "%s%s ", i ? ", " : "", dims->dim[i].name);
        lw_text_number(text, dims->dim[i].size);
    }
    if (!dims->count)
        lw_text_add(text, "no dims");
}

static void tensor(const struct lw_subject *subject, struct lw_text *text)
{
    lw_tensor_print(text, &subject->tensor);
    if (lw_subject_element_is_set(subject))
        lw_text_format(text, "%selements of %d bits", text->length ? ", " : "",
                       subject->tensor.element.bits);
}

static void put_indices(const struct lw_subject *subject, struct lw_text *text)
{
    put_dims(text, &subject->map.in);
}

static void elements(const struct lw_subject *subject, struct lw_text *text)
{
    put_dims(text, &subject->map.out);
}

static uint64_t total_of(const struct lw_dims *dims)
{
    uint64_t total = 1;
    lw_dims_total(dims, &total, NULL);
    return total;
}

static void surjective(const struct lw_subject *subject, struct lw_text *text)
{
    const struct lw_map *map = &subject->map;
    if (lw_map_is_surjective(map)) {
        lw_text_add(text, "yes: covers every element");
        return;
    }
    uint64_t total = total_of(&map->out), held = lw_map_element_count(map);
    lw_text_add(text, "no: ");
    lw_text_number(text, total - held);
    lw_text_add(text, " of ");
    lw_text_number(text, total);
    lw_text_add(text, " elements have no owner");
}

static void injective(const struct lw_subject *subject, struct lw_text *text)
{
    uint64_t copies = lw_map_replication(&subject->map);
    struct lw_error err;
    if (!lw_map_check_unique(&subject->map, &err)) {
        lw_text_format(text, "no: %s", err.message);
        return;
    }
    if (copies == 1) {
        lw_text_add(text, "yes: has no copies");
        return;
    }
    lw_text_add(text, lw_map_is_even(&subject->map) ? "no: each element has "
                                                    : "no: elements have up to ");
    lw_text_number(text, copies);
    lw_text_add(text, " owners");
}

static void rank(const struct lw_subject *subject, struct lw_text *text)
{
    const struct lw_layout *layout = &subject->map.as.linear.layout;
    lw_text_format(text, "%d, of %d output bits and %d input bits",
                   subject->map.as.linear.solver.rank, lw_layout_out_bits(layout),
                   lw_layout_in_bits(layout));
}

static void copies(const struct lw_subject *subject, struct lw_text *text)
{
    lw_put_copies(text, &subject->map);
}

static void put_null_space(const struct lw_subject *subject, struct lw_text *text)
{
    if (is_replicated(subject))
        copies(subject, text);
    else
        lw_text_add(text, "{0}");
}

static void free_bits(const struct lw_subject *subject, struct lw_text *text)
{
    lw_put_free_bits(text, &subject->map.as.linear.layout);
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

static void vector(const struct lw_subject *subject, struct lw_text *text)
{
    int along;
    uint64_t length = lw_map_vector(&subject->map, &along);
    lw_text_number(text, length);
    lw_text_add(text, length == 1 ? " element" : " elements");
    if (along >= 0) /* before the bytes, as a narrow line has only the beginning */
        lw_text_format(text, " along %s", subject->map.out.dim[along].name);
    if (lw_subject_element_is_set(subject)) {
        lw_text_add(text, " (");
        put_bytes(text, length, (uint64_t)subject->tensor.element.bits);
        lw_text_char(text, ')');
    }
}

/* "1 after every 2, 2 after every 4: 5 of 13 hardware indices hold nothing" */
static void holes(const struct lw_subject *subject, struct lw_text *text)
{
    const struct lw_map *map = &subject->map;
    uint64_t put_indices = total_of(&map->in);
    for (int i = 0; map->kind == LW_MAP_PADDED && i < map->as.padded.count; i++)
        lw_text_format(text, "%s%llu after every %llu", i ? ", " : "",
                       (unsigned long long)map->as.padded.padding[i].size,
                       (unsigned long long)map->as.padded.padding[i].interval);
    lw_text_add(text, text->length ? ": " : "");
    uint64_t held = map->kind == LW_MAP_TABLE && map->as.table.element
                        ? map->as.table.held
                        : total_of(&map->out) * lw_map_replication(map);
    lw_text_number(text, put_indices - held);
    lw_text_add(text, " of ");
    lw_text_number(text, put_indices);
    lw_text_add(text, " hardware indices hold nothing");
}

static void registers(const struct lw_subject *subject, struct lw_text *text)
{
    uint64_t count = register_dim(subject)->size, bits = (uint64_t)subject->tensor.element.bits;
    uint64_t words = count / 32 * bits + (count % 32 * bits + 31) / 32; /* no overflow: `bits` is at
                                                                           most 64 */
    lw_text_number(text, count);
    lw_text_add(text, count == 1 ? " element a thread" : " elements a thread");
    if (lw_subject_element_is_set(subject)) {
        lw_text_add(text, ", ");
        lw_text_number(text, words);
        lw_text_add(text, words == 1 ? " register of 32 bits" : " registers of 32 bits");
    }
}

/* "16 B a lane; in all 32 instructions, 256 sectors, ideal 128 (50 %), 256 lines of 128 B" */
static void put_coalescing(const struct lw_subject *subject, const int *order, struct lw_text *text)
{
    struct lw_coalescing c;
    struct lw_error err;
    if (!lw_coalesce(&c, &subject->map, (unsigned)subject->lanes,
                     (unsigned)subject->tensor.element.bits, order, &err)) {
        lw_text_format(text, "unknown: %s", err.message);
        return;
    }
    uint64_t instructions = c.instructions * c.warps;
    lw_text_format(text, "%llu B a lane; in all %llu instruction%s, ",
                   (unsigned long long)c.vector_bytes, (unsigned long long)instructions,
                   instructions == 1 ? "" : "s");
    lw_text_format(text, "%llu sector%s, ideal %llu (%.3g %%), ", (unsigned long long)c.sectors,
                   c.sectors == 1 ? "" : "s", (unsigned long long)c.ideal_sectors,
                   100.0 * (double)c.ideal_sectors / (double)c.sectors);
    lw_text_format(text, "%llu line%s of 128 B", (unsigned long long)c.lines,
                   c.lines == 1 ? "" : "s");
}

static void row_major(const struct lw_subject *subject, struct lw_text *text)
{
    int order[LW_DIMS_MAX], last = subject->map.out.count - 1;
    for (int i = 0; i <= last; i++)
        order[i] = last - i;
    put_coalescing(subject, order, text);
}

static void column_major(const struct lw_subject *subject, struct lw_text *text)
{
    int order[LW_DIMS_MAX];
    for (int i = 0; i < subject->map.out.count; i++)
        order[i] = i;
    put_coalescing(subject, order, text);
}

static void shared(const struct lw_subject *subject, struct lw_text *text)
{
    uint64_t count = lw_dims_size(&subject->map.in, "offset");
    if (lw_subject_element_is_set(subject)) {
        put_bytes(text, count, (uint64_t)subject->tensor.element.bits);
    } else {
        lw_text_number(text, count);
        lw_text_add(text, count == 1 ? " element" : " elements");
    }
    lw_text_add(text, lw_dims_size(&subject->map.in, "block") > 1 ? " a block" : "");
}

static void written(const struct lw_subject *subject, struct lw_text *text)
{
    lw_text_add(text, subject->head);
}

static void notes(const struct lw_subject *subject, struct lw_text *text)
{
    lw_text_add(text, subject->notes);
}

/* "0x4000004000010000, of 64 x 16, Major::K" */
static void put_descriptor(const struct lw_subject *subject, enum lw_descriptor_kind kind,
                           struct lw_text *text, struct lw_explanation *explanation)
{
    struct lw_arena arena = {0};
    struct lw_operand_descriptor found;
    int count;
    const struct lw_descriptor_field *fields = lw_descriptor_fields(kind, &count);
    if (find_descriptor(subject, kind, &arena, &found)) {
        lw_text_format(text, "descriptor 0x%016llx, of %lld x %lld elements, Major::%s",
                       (unsigned long long)found.descriptor.value, (long long)found.mn,
                       (long long)found.k, found.major == LW_MAJOR_K ? "K" : "MN");
        for (int i = 0; i < count && explanation; i++) {
            struct lw_text *line = lw_explanation_line(explanation, fields[i].name);
            lw_text_number(line, lw_descriptor_field_value(&found.descriptor, &fields[i]));
            lw_text_add(line, ": ");
            lw_descriptor_field_explain(line, &found.descriptor, &fields[i], found.major);
        }
    }
    lw_arena_free(&arena);
}

static void wgmma(const struct lw_subject *subject, struct lw_text *text)
{
    put_descriptor(subject, LW_DESCRIPTOR_WGMMA, text, NULL);
}

static void tcgen05(const struct lw_subject *subject, struct lw_text *text)
{
    put_descriptor(subject, LW_DESCRIPTOR_TCGEN05, text, NULL);
}

static void wgmma_fields(const struct lw_subject *subject, struct lw_explanation *explanation)
{
    struct lw_text *text = lw_explanation_line(explanation, "value");
    put_descriptor(subject, LW_DESCRIPTOR_WGMMA, text, explanation);
}

static void tcgen05_fields(const struct lw_subject *subject, struct lw_explanation *explanation)
{
    struct lw_text *text = lw_explanation_line(explanation, "value");
    put_descriptor(subject, LW_DESCRIPTOR_TCGEN05, text, explanation);
}

static const struct fact {
    const char *name;
    fact_test *applies;
    fact_writer *write;
    fact_explainer *explain; /* NULL: there is only the value */
} facts[] = {
    {"tensor", always, tensor, NULL},
    {"hardware", always, put_indices, NULL},
    {"elements", always, elements, NULL},
    {"surjective", always, surjective, NULL},
    {"injective", always, injective, NULL},
    {"rank", is_linear, rank, NULL},
    {"null space", is_linear, put_null_space, NULL},
    {"free bits", is_linear_replicated, free_bits, NULL},
    {"copies", is_mixed_replicated, copies, NULL},
    {"holes", has_holes, holes, NULL},
    {"vector", has_items, vector, NULL},
    {"registers", has_registers, registers, NULL},
    {"global rows", is_loaded, row_major, NULL},
    {"global columns", is_loaded_both_ways, column_major, NULL},
    {"shared", has_offsets, shared, NULL},
    {"wgmma", is_for_wgmma, wgmma, wgmma_fields},
    {"tcgen05", is_for_tcgen05, tcgen05, tcgen05_fields},
    {"written", has_head, written, NULL},
    {"notes", has_notes, notes, NULL},
};

#define FACT_COUNT (sizeof facts / sizeof *facts)

struct facts {
    struct lw_view_state shared;
    uint8_t of_row[FACT_COUNT]; /* the facts that apply, found once as that takes time */
};

static const struct fact *fact_of_row(const struct lw_view *view, uint64_t row)
{
    return row < view->rows ? &facts[((const struct facts *)view->state)->of_row[row]] : NULL;
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    (void)err;
    for (size_t i = 0; i < FACT_COUNT; i++)
        if (facts[i].applies(view->subject))
            ((struct facts *)view->state)->of_row[view->rows++] = (uint8_t)i;
    view->page_rows = view->rows;
    view->cols = 1;
    return true;
}

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    const struct fact *fact = fact_of_row(view, row);
    (void)col;
    *cell = (struct lw_cell){.ink = LW_INK_PLAIN};
    if (fact)
        fact->write(view->subject, text);
}

static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    const struct fact *fact = fact_of_row(view, row);
    if (fact)
        lw_text_add(text, fact->name);
}

/* Shows a value in full when it is too long for the pane. */
static void explain(const struct lw_view *view, uint64_t row, uint64_t col,
                    struct lw_explanation *explanation)
{
    const struct fact *fact = fact_of_row(view, row);
    (void)col;
    if (!fact)
        return;
    lw_text_add(lw_explanation_line(explanation, "fact"), fact->name);
    if (fact->explain)
        fact->explain(view->subject, explanation);
    else
        fact->write(view->subject, lw_explanation_line(explanation, "value"));
}

const struct lw_view_type lw_view_facts = {
    .name = "facts",
    .title = "Facts",
    .key = '8',
    .help = "facts about the layout, one in each row",
    .prose = true,
    .fits_all = true,
    .state_size = sizeof(struct facts),
    .open = open_view,
    .arrange = lw_view_stays,
    .cell = cell_of,
    .row_label = row_label,
    .columns = (const char *const[]){"value"},
    .col_label = lw_view_put_column,
    .width = lw_widest_cell,
    .explain = explain,
};
