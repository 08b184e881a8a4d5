/*
 * The exchange view: the swizzle of the shared memory through which a conversion goes. A line is a part of the bits of
 * an offset, from low to high, with the element of each bit: those of a vector stay together, the next ones select the
 * bank, the next the row, the last ones the round. The last line is all of it as a layout.
 */

#include "view/conversion/explain_conversion.h"
#include "view/view_parts.h"

enum { PARTS = 4, LINES = PARTS + 1 };

struct part {
    const char *name;
    int dim, from, count; /* of conversion.memory: bits of its offset, or of its round */
};

struct exchange {
    struct lw_view_state shared;
    const struct lw_conversion *conversion;
    struct part part[LINES]; /* parts that have bits; the last line, the layout, has count 0 */
};

static struct exchange *exchange_of(const struct lw_view *view)
{
    return (struct exchange *)view->state;
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    struct exchange *exchange = exchange_of(view);
    if (!lw_subject_access_check_registers(view->subject, err) ||
        !(exchange->conversion = lw_subject_access_conversion(view->subject->access, err)))
        return false;
    const struct lw_exchange *bits = &exchange->conversion->exchange;
    const struct part parts[PARTS] = {{"vector", 0, 0, bits->vector},
                                      {"bank", 0, bits->vector, bits->bank},
                                      {"row", 0, bits->vector + bits->bank, bits->segment},
                                      {"round", 1, 0, bits->rounds}};
    if (exchange->conversion->kind != LW_CONVERSION_SHARED)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "this conversion does not go through shared memory: %s",
                            lw_conversion_kind_name(exchange->conversion->kind));
    for (int i = 0; i < PARTS; i++)
        if (parts[i].count)
            exchange->part[view->rows++] = parts[i];
    exchange->part[view->rows++] = (struct part){.name = "as one"};
    view->page_rows = view->rows;
    view->cols = 1;
    return true;
}

/* ---- Cells ---- */

static void put_image(struct lw_text *text, const struct lw_layout *memory, int dim, int bit,
                      const char *open, const char *close)
{
    uint64_t image[LW_DIMS_MAX];
    lw_layout_basis(memory, dim, bit, image);
    lw_text_add(text, open);
    for (int i = 0; i < memory->out.count; i++) {
        lw_text_add(text, i ? ", " : "");
        lw_text_number(text, image[i]);
    }
    lw_text_add(text, close);
}

/* "offset=8 -> (0, 8), offset=16 -> (1, 0)" */
static void put_part(struct lw_text *text, const struct lw_layout *memory, const struct part *part)
{
    for (int bit = part->from; bit < part->from + part->count; bit++) {
        lw_text_format(text, "%s%s=%llu -> ", bit > part->from ? ", " : "",
                       memory->in.dim[part->dim].name, 1ull << bit);
        put_image(text, memory, part->dim, bit, "(", ")");
    }
}

/* The whole swizzle as an attribute, the rounds as the highest bits of the offset. */
static void put_attribute(struct lw_text *text, const struct lw_layout *memory)
{
    bool some = false;
    lw_text_add(text, "#ttg.shared_linear<{offset = [");
    for (int dim = 0; dim < 2; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(memory, dim); bit++) {
            lw_text_add(text, some ? ", " : "");
            put_image(text, memory, dim, bit, "[", "]");
            some = true;
        }
    lw_text_add(text, "]}>");
}

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    const struct exchange *exchange = exchange_of(view);
    const struct part *part = &exchange->part[row];
    (void)col;
    *cell = (struct lw_cell){.ink = LW_INK_PLAIN};
    if (part->count)
        put_part(text, &exchange->conversion->memory, part);
    else
        put_attribute(text, &exchange->conversion->memory);
}

static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    lw_text_add(text, exchange_of(view)->part[row].name);
}

void lw_put_exchange(struct lw_text *text, const struct lw_conversion *conversion)
{
    const struct lw_exchange *exchange = &conversion->exchange;
    unsigned bytes = conversion->store.request.element_bits / 8 << exchange->vector;
    lw_text_format(text, "swizzle: %u byte%s together, %d bit%s the bank, %d the row", bytes,
                   bytes == 1 ? " stays" : "s stay", exchange->bank,
                   exchange->bank == 1 ? " picks" : "s pick", exchange->segment);
}

static void caption(const struct lw_view *view, struct lw_text *text)
{
    lw_put_exchange(text, exchange_of(view)->conversion);
}

static void explain(const struct lw_view *view, uint64_t row, uint64_t col,
                    struct lw_explanation *explanation)
{
    static const char *const parts[] = {"offset", "round"};
    const struct part *part = &exchange_of(view)->part[row];
    struct lw_cell cell;
    if (part->count)
        lw_text_format(lw_explanation_line(explanation, "bits"), "%d of the %s, from bit %d on",
                       part->count, parts[part->dim], part->from);
    cell_of(view, row, col,
            lw_explanation_line(explanation, part->count ? "elements" : "as one layout"), &cell);
    caption(view, lw_explanation_line(explanation, "whole"));
}

const struct lw_view_type lw_view_exchange = {
    .name = "exchange",
    .title = "Exchange",
    .corner = "part",
    .access = true,
    .help = "the swizzle of a conversion that goes through shared memory",
    .state_size = sizeof(struct exchange),
    .prose = true,
    .open = open_view,
    .arrange = lw_view_stays,
    .cell = cell_of,
    .row_label = row_label,
    .columns = (const char *const[]){"its bits and their elements"},
    .col_label = lw_view_put_column,
    .width = lw_widest_cell,
    .caption = caption,
    .explain = explain,
};
