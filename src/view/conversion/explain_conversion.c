/* Explains a conversion: what it does, why, and how far its elements move. */

#include "view/conversion/view_conversion.h"

/* ---- What it does ---- */

void lw_put_conversion(struct lw_text *text, const struct lw_conversion *conversion)
{
    const struct lw_shuffle *shuffle = &conversion->shuffle;
    switch (conversion->kind) {
    case LW_CONVERSION_NONE:
        lw_text_add(text, "nothing moves");
        break;
    case LW_CONVERSION_REGISTERS:
        lw_text_add(text, "registers are renamed: no lane sends data");
        break;
    case LW_CONVERSION_SHUFFLE:
        lw_text_add(text, "warp shuffles: ");
        lw_put_count(text, conversion->shuffles, "instruction");
        lw_text_add(text, " in ");
        lw_put_count(text, conversion->rounds, "round");
        if (shuffle->pack)
            lw_text_format(text, ", %d registers packed in one", 1 << shuffle->pack);
        else if (shuffle->words > 1)
            lw_text_format(text, ", %u for each register", shuffle->words);
        break;
    case LW_CONVERSION_SHARED:
        lw_text_add(text, "through shared memory: ");
        lw_put_count(text, conversion->rounds, "round");
        lw_text_add(text, " over ");
        lw_put_count(text, conversion->shared_bytes, "byte");
        break;
    case LW_CONVERSION_BLOCKS:
        lw_text_add(text, "to other blocks, through distributed shared memory");
        break;
    }
}

/* ---- The swizzle of the memory that it goes through ---- */

void lw_explain_exchange(const struct lw_conversion *conversion, struct lw_explanation *explanation)
{
    const struct lw_exchange *exchange = &conversion->exchange;
    const struct lw_layout *memory = &conversion->memory;
    unsigned bytes = conversion->store.request.element_bits / 8 << exchange->vector;
    lw_text_format(lw_explanation_line(explanation, "swizzle"),
                   "%u byte%s together, %d bit%s the bank, %d the row", bytes,
                   bytes == 1 ? " stays" : "s stay", exchange->bank,
                   exchange->bank == 1 ? " picks" : "s pick", exchange->segment);
    /* all of it as an attribute, the rounds as the highest bits of the offset */
    struct lw_text *text = lw_explanation_line(explanation, "as one");
    const char *before = "#ttg.shared_linear<{offset = [";
    for (int dim = 0; dim < 2; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(memory, dim); bit++, before = ", ") {
            uint64_t image[LW_DIMS_MAX];
            lw_layout_basis(memory, dim, bit, image);
            lw_text_add(text, before);
            for (int i = 0; i < memory->out.count; i++)
                lw_text_format(text, "%s%llu", i ? ", " : "[", (unsigned long long)image[i]);
            lw_text_char(text, ']');
        }
    lw_text_add(text, "]}>");
}

/* ---- Why ---- */

/* The slowest dim in which a bit of B's hardware index differs from the index in A of its element; -1: they are
 * equal. */
static int dim_that_differs(const struct lw_layout *source, int dim, int bit)
{
    uint64_t image[LW_DIMS_MAX];
    lw_layout_basis(source, dim, bit, image);
    for (int d = source->out.count - 1; d >= 0; d--)
        if (image[d] != (d == dim ? (uint64_t)1 << bit : 0))
            return d > dim || d == dim ? d : dim;
    return -1;
}

/* Writes the index in A of the element at that bit in B; "(a copy)" when the bit only repeats elements. */
static void put_source(struct lw_text *text, const struct lw_layout *source, int dim, int bit)
{
    uint64_t image[LW_DIMS_MAX];
    if (!source->basis[lw_layout_in_shift(source, dim) + bit]) {
        lw_text_add(text, "(a copy)");
        return;
    }
    lw_layout_basis(source, dim, bit, image);
    lw_put_bits(text, &source->out, image);
}

void lw_explain_sources(const struct lw_conversion *conversion, struct lw_explanation *explanation)
{
    const struct lw_layout *source = &conversion->source;
    if (conversion->kind == LW_CONVERSION_NONE || !lw_layout_in_bits(source))
        return;
    struct lw_text *text = lw_explanation_line(explanation, "bits");
    for (int d = 0; d < source->in.count; d++)
        for (int bit = 0; bit < lw_layout_in_log2(source, d); bit++) {
            lw_text_format(text, "%s%s=%llu is ", text->length ? ", " : "", source->in.dim[d].name,
                           1ull << bit);
            put_source(text, source, d, bit);
        }
}

/* Writes the bits that are the reason: those that differ in the slowest of all dims that differ. Copies are left out,
 * as their source depends on another bit. False when there is none. */
static bool put_failed_source(struct lw_text *text, const struct lw_layout *source)
{
    int worst = -1;
    bool some = false;
    for (int pass = 0; pass < 2; pass++)
        for (int d = 0; d < source->in.count; d++)
            for (int bit = 0; bit < lw_layout_in_log2(source, d); bit++) {
                int differs = dim_that_differs(source, d, bit);
                if (pass == 0) {
                    worst = differs > worst ? differs : worst;
                } else if (differs == worst && worst >= 0 &&
                           source->basis[lw_layout_in_shift(source, d) + bit]) {
                    lw_text_add(text, some ? ", " : "");
                    lw_text_format(text, "%s=%llu comes from ", source->in.dim[d].name,
                                   1ull << bit);
                    put_source(text, source, d, bit);
                    some = true;
                }
            }
    return some;
}

/* "A has 4 warps and B 2": the slowest dim, from `first` on, whose sizes are not the same; false when all are. */
static bool put_sizes(struct lw_text *text, const struct lw_layout *source, int first)
{
    for (int d = source->in.count - 1; d >= first; d--) {
        uint64_t a = source->out.dim[d].size, b = source->in.dim[d].size;
        if (a == b)
            continue;
        lw_text_add(text, "A has ");
        lw_put_count(text, a, source->in.dim[d].name);
        lw_text_format(text, " and B %llu", (unsigned long long)b);
        return true;
    }
    return false;
}

/* Adds which register bit and lane bit swap, and which lane bits move. */
static void add_how(struct lw_explanation *explanation, const struct lw_shuffle *shuffle)
{
    struct lw_text *text = lw_explanation_line(explanation, "how");
    const char *next = "; lane bit";
    if (shuffle->swaps)
        lw_text_format(text, "register bit %u and lane bit %u swap", shuffle->swap_register[0],
                       shuffle->swap_lane[0]);
    else
        next = "lane bit";
    for (int i = 0; i < shuffle->lane_bits; i++) {
        uint64_t of_warps = 0; /* selected by the warp alone */
        for (int w = 0; w < LW_BITS_MAX; w++)
            of_warps |= shuffle->warp_lanes[w];
        if (shuffle->lane_to[i] != i && !(of_warps >> i & 1)) {
            lw_text_format(text, "%s %d to %u", next, i, shuffle->lane_to[i]);
            next = ",";
        }
    }
    next = text->length ? "; warp" : "warp";
    for (int i = 0; i < LW_BITS_MAX; i++)
        if (shuffle->warp_lanes[i]) {
            lw_text_format(text, "%s %llu reads from lane %llu on", next, 1ull << i,
                           (unsigned long long)shuffle->warp_lanes[i]);
            next = ", warp";
        }
}

static void add_why(struct lw_explanation *explanation, const struct lw_conversion *conversion)
{
    static const char *const reasons[] = {
        "every hardware index holds the same element in A and in B",
        "no element leaves its lane",
        "elements change lanes, but not warps",
        "elements leave their warp",
        "elements leave their block",
    };
    struct lw_text *text = lw_explanation_line(explanation, "why");
    struct lw_text bits = {0};
    bool some =
        conversion->kind != LW_CONVERSION_NONE && put_failed_source(&bits, &conversion->source);
    if (some || conversion->kind == LW_CONVERSION_NONE)
        lw_text_add(text,
                    reasons[conversion->within_warps ? LW_CONVERSION_SHUFFLE : conversion->kind]);
    else
        put_sizes(text, &conversion->source, 0);
    if (some)
        lw_text_format(text, ": %s", lw_text_string(&bits));
    lw_text_free(&bits);
    if (conversion->within_warps && !conversion->shuffle.swaps)
        lw_text_add(text, "; shuffles are for bases of single bits that are permuted");
    else if (conversion->within_warps)
        lw_text_format(text,
                       "; %d register bits swap with lane bits, and shuffles are for one at most",
                       conversion->shuffle.swaps);
}

void lw_explain_conversion(const struct lw_conversion *conversion,
                           struct lw_explanation *explanation)
{
    add_why(explanation, conversion);
    if (conversion->kind == LW_CONVERSION_SHUFFLE)
        add_how(explanation, &conversion->shuffle);
    if (conversion->kind == LW_CONVERSION_BLOCKS)
        lw_text_add(lw_explanation_line(explanation, "cost"),
                    "unknown: no rule for the code of these layouts was found");
    struct lw_text sizes = {0};
    if (put_sizes(&sizes, &conversion->source, 1)) { /* compilers convert only between equal ones */
        struct lw_text *text = lw_explanation_line(explanation, "note");
        lw_text_format(text, "%s: no compiler converts between such layouts",
                       lw_text_string(&sizes));
        if (conversion->kind == LW_CONVERSION_SHUFFLE || conversion->kind == LW_CONVERSION_SHARED)
            lw_text_add(text, "; the cost is the one that its rules would give");
    }
    lw_text_free(&sizes);
}
