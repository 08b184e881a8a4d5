/* A conversion's exchange through shared memory: the swizzle, stores and loads. */

#include "cli/report/print_conversion.h"
#include "export/output.h"
#include "view/banks/view_plan.h"

#include <string.h>

/* ---- The swizzle ---- */

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

/* "bank      offset=8 -> (0, 8), offset=16 -> (1, 0)   what it does" */
static void put_part(struct lw_text *text, const struct lw_layout *memory, int dim, int from,
                     int count, const char *label)
{
    if (!count)
        return;
    lw_text_format(text, "  %-8s", label);
    for (int bit = from; bit < from + count; bit++) {
        lw_text_format(text, "%s%s=%llu -> ", bit > from ? ", " : "", memory->in.dim[dim].name,
                       1ull << bit);
        put_image(text, memory, dim, bit, "(", ")");
    }
    lw_text_char(text, '\n');
}

/* The whole swizzle as an attribute, the rounds as the highest bits of the offset. */
static void put_attribute(struct lw_text *text, const struct lw_layout *memory)
{
    bool some = false;
    lw_text_add(text, "  as one  #ttg.shared_linear<{offset = [");
    for (int dim = 0; dim < 2; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(memory, dim); bit++) {
            lw_text_add(text, some ? ", " : "");
            put_image(text, memory, dim, bit, "[", "]");
            some = true;
        }
    lw_text_add(text, "]}>\n");
}

static void put_swizzle(struct lw_text *text, const struct lw_conversion *conversion)
{
    const struct lw_exchange *exchange = &conversion->exchange;
    const struct lw_layout *memory = &conversion->memory;
    unsigned bytes = conversion->store.request.element_bits / 8;
    const char *together = bytes << exchange->vector == 1 ? " stays" : "s stay";
    lw_text_format(text, "\nswizzle: %u byte%s together, %d bit%s pick%s the bank, %d the row\n",
                   bytes << exchange->vector, together, exchange->bank,
                   exchange->bank == 1 ? "" : "s", exchange->bank == 1 ? "s" : "",
                   exchange->segment);
    put_part(text, memory, 0, 0, exchange->vector, "vector");
    put_part(text, memory, 0, exchange->vector, exchange->bank, "bank");
    put_part(text, memory, 0, exchange->vector + exchange->bank, exchange->segment, "row");
    put_part(text, memory, 1, 0, exchange->rounds, "round");
    put_attribute(text, memory);
}

/* ---- Stores and loads ---- */

static bool print_side(FILE *out, const struct lw_conversion *conversion, const char *name,
                       const struct lw_plan *plan, const struct lw_plan_total *total,
                       const struct lw_view_output *output, struct lw_error *err)
{
    struct lw_text text = {0};
    lw_output_print(out, "\n%s, %llu warp%s%s:\n", name, (unsigned long long)plan->warps,
                    plan->warps == 1 ? "" : "s", conversion->rounds > 1 ? ", each round" : "");
    if (!lw_plan_print_view((const struct lw_plan *[2]){plan}, output, out, err))
        return false;
    lw_text_add(&text, conversion->rounds > 1 ? "all rounds: " : "total: ");
    lw_put_plan_total(&text, total);
    lw_text_char(&text, '\n');
    lw_output_text(out, &text);
    lw_text_free(&text);
    return true;
}

bool lw_exchange_print(FILE *out, const struct lw_conversion *conversion,
                       const struct lw_view_output *output, struct lw_error *err)
{
    struct lw_text text = {0};
    struct lw_explanation explanation = {0};
    put_swizzle(&text, conversion);
    lw_output_text(out, &text);
    lw_text_clear(&text);
    if (!print_side(out, conversion, "store", &conversion->store, &conversion->store_total, output,
                    err) ||
        !print_side(out, conversion, "load", &conversion->load, &conversion->load_total, output,
                    err)) {
        lw_text_free(&text);
        return false;
    }
    lw_text_char(&text, '\n');
    lw_explain_plan_rule(&conversion->load, &explanation);
    lw_explanation_print(&text, &explanation, 0);
    lw_output_text(out, &text);
    lw_text_free(&text);
    return true;
}

/* ---- JSON ---- */

static void get_store(const void *context, uint64_t i, struct lw_instruction *out)
{
    lw_conversion_instruction(context, LW_ACCESS_STORE, i, out);
}

static void get_load(const void *context, uint64_t i, struct lw_instruction *out)
{
    lw_conversion_instruction(context, LW_ACCESS_LOAD, i, out);
}

bool lw_exchange_print_json(struct lw_text *text, const struct lw_conversion *c,
                            struct lw_error *err)
{
    const struct lw_instructions store = {&c->store, &c->store_total, c->rounds, c, get_store};
    const struct lw_instructions load = {&c->load, &c->load_total, c->rounds, c, get_load};
    lw_text_add(text, "\"store\":");
    if (!lw_instructions_print_json(text, &store, err))
        return false;
    lw_text_add(text, ",\"load\":");
    return lw_instructions_print_json(text, &load, err);
}
