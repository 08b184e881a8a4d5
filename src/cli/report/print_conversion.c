/* What a conversion does and why: text and JSON. */

#include "cli/report/print_conversion.h"
#include "view/view_parts.h"

#include <string.h>

#define LABEL 11 /* columns of the label before a line */

static void put_label(struct lw_text *text, const char *label)
{
    lw_text_format(text, "%-*s", LABEL, label);
}

/* ---- Registers A and B ---- */

static void put_pair(struct lw_text *text, const struct lw_pair *pair)
{
    lw_pair_print_layout(text, "A:", pair, LW_SIDE_A);
    lw_pair_print_layout(text, "B:", pair, LW_SIDE_B);
    lw_pair_print_element(text, pair);
    lw_text_char(text, '\n');
}

/* ---- Why ---- */

/* The slowest dim in which a bit of B's hardware index differs from where its element is, or reaches another dim's
 * bits; -1: it stays. */
static int dim_that_differs(const struct lw_layout *source, int dim, int bit)
{
    uint64_t image[LW_DIMS_MAX];
    lw_layout_basis(source, dim, bit, image);
    for (int d = source->out.count - 1; d >= 0; d--)
        if (image[d] != (d == dim ? (uint64_t)1 << bit : 0))
            return d > dim || d == dim ? d : dim;
    return -1;
}

/* What A has where B has that bit: nothing when the bit only repeats elements. */
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

/* The bits that are to blame: those that differ in the slowest dim that any differs in. Copies are left
 * out: they take from an index that another bit decides. False when there is none. */
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
                    lw_text_format(text, "%s=%llu takes from ", source->in.dim[d].name,
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

/* A label and a paragraph. */
static void put_reason(struct lw_text *text, const char *label, struct lw_text *reason)
{
    put_label(text, label);
    lw_text_wrap(text, lw_text_string(reason), LABEL, LABEL);
    lw_text_free(reason);
}

/* The source lane of each lane in a round, as what each bit of the lane adds. */
static void put_rounds(struct lw_text *text, const struct lw_shuffle *shuffle)
{
    uint64_t flip = lw_shuffle_source(shuffle, (uint64_t)1 << shuffle->swap_round, 0, 0);
    const char *next = text->length ? "; in round 0 " : "in round 0 ";
    if (!shuffle->lanes_permuted) {
        lw_text_format(text, "; in every round lane l and lane l ^ %llu exchange a value",
                       (unsigned long long)flip);
        return;
    }
    for (int i = 0; i < shuffle->lane_bits; i++) {
        uint64_t lane = 1ull << i, from = lw_shuffle_source(shuffle, 0, lane, 0);
        if (from == lane)
            continue;
        lw_text_format(text, "%slane %llu takes from lane %llu", next, (unsigned long long)lane,
                       (unsigned long long)from);
        next = ", ";
    }
    for (int i = 0; i < LW_BITS_MAX; i++)
        if (shuffle->warp_lanes[i]) {
            lw_text_format(text, "%swarp %llu from that lane + %llu", next, 1ull << i,
                           (unsigned long long)shuffle->warp_lanes[i]);
            next = ", ";
        }
    if (shuffle->swaps && flip)
        lw_text_format(text, ", and in rounds with bit %d set from that lane ^ %llu",
                       shuffle->swap_round, (unsigned long long)flip);
}

/* Whether a lane bit is selected by the warp alone. */
static bool is_of_warps(const struct lw_shuffle *shuffle, uint64_t lane)
{
    bool some = false;
    for (int i = 0; i < LW_BITS_MAX; i++)
        some = some || shuffle->warp_lanes[i] == lane;
    return some;
}

static void put_swaps(struct lw_text *text, const struct lw_shuffle *shuffle)
{
    struct lw_text reason = {0};
    if (shuffle->swaps)
        lw_text_format(&reason, "register bit %u and lane bit %u swap%s", shuffle->swap_register[0],
                       shuffle->swap_lane[0], shuffle->lanes_permuted ? "; " : "");
    bool some = false;
    for (int i = 0; i < shuffle->lane_bits; i++)
        if (shuffle->lane_to[i] != i && !is_of_warps(shuffle, 1ull << i)) {
            lw_text_format(&reason, "%s %d to %u", some ? "," : "lane bit", i, shuffle->lane_to[i]);
            some = true;
        }
    put_rounds(&reason, shuffle);
    put_reason(text, "how:", &reason);
}

static void put_why(struct lw_text *text, const struct lw_conversion *conversion)
{
    static const char *const reasons[] = {
        "every hardware index holds the same element in A and in B",
        "no element leaves its lane",
        "elements leave their lane, none its warp",
        "elements leave their warp",
        "elements leave their block",
    };
    bool lanes_only = conversion->kind == LW_CONVERSION_SHARED && conversion->shuffle.swaps;
    struct lw_text reason = {0};
    struct lw_text blame = {0};
    bool some =
        conversion->kind != LW_CONVERSION_NONE && put_failed_source(&blame, &conversion->source);
    if (some || conversion->kind == LW_CONVERSION_NONE)
        lw_text_add(&reason, reasons[lanes_only ? LW_CONVERSION_SHUFFLE : conversion->kind]);
    else
        put_sizes(&reason, &conversion->source, 0);
    if (some)
        lw_text_format(&reason, ": %s", lw_text_string(&blame));
    lw_text_free(&blame);
    if (lanes_only)
        lw_text_format(&reason,
                       "; %d register bits swap with lane bits, and shuffles are for one "
                       "at most",
                       conversion->shuffle.swaps);
    put_reason(text, "why:", &reason);
    if (conversion->kind == LW_CONVERSION_SHUFFLE)
        put_swaps(text, &conversion->shuffle);
    if (conversion->kind == LW_CONVERSION_BLOCKS) {
        put_label(text, "cost:");
        lw_text_add(text, "not known: no rule was found for the code of these\n");
    }
}

/* Compilers convert between layouts of the same lanes, warps and blocks. */
static void put_note(struct lw_text *text, const struct lw_conversion *conversion)
{
    struct lw_text reason = {0};
    if (put_sizes(&reason, &conversion->source, 1)) {
        lw_text_add(&reason, ": no compiler converts between such layouts");
        if (conversion->kind == LW_CONVERSION_SHUFFLE || conversion->kind == LW_CONVERSION_SHARED)
            lw_text_add(&reason, ", and the cost is what its rules would make of them");
        put_reason(text, "note:", &reason);
    }
}

/* ---- How far elements move ---- */

static void put_movement(struct lw_text *text, const struct lw_movement *movement)
{
    static const char *const reason[LW_DISTANCE_COUNT] = {"stay", "change register", "change lane",
                                                          "change warp", "change block"};
    bool some = false;
    put_label(text, "moved:");
    lw_text_add(text, "of ");
    lw_text_number(text, movement->indices);
    lw_text_add(text, movement->indices == 1 ? " hardware index" : " hardware indices");
    lw_text_add(text, " of B: ");
    for (int distance = 0; distance < LW_DISTANCE_COUNT; distance++)
        if (movement->distance[distance]) {
            lw_text_add(text, some ? ", " : "");
            lw_text_number(text, movement->distance[distance]);
            lw_text_format(text, " %s", reason[distance]);
            some = true;
        }
    lw_text_char(text, '\n');
}

/* One line for each bit of B's hardware index. */
static void put_bits(struct lw_text *text, const struct lw_layout *source)
{
    lw_text_add(text, "\nin B          is what A has in\n");
    for (int d = 0; d < source->in.count; d++)
        for (int bit = 0; bit < lw_layout_in_log2(source, d); bit++) {
            size_t start = text->length;
            lw_text_format(text, "%s=%llu", source->in.dim[d].name, 1ull << bit);
            lw_text_repeat(text, ' ', start + 14 > text->length ? start + 14 - text->length : 1);
            put_source(text, source, d, bit);
            lw_text_char(text, '\n');
        }
}

/* The views alone, in another format than text. */
static bool print_views(FILE *out, const struct lw_conversion *conversion,
                        const struct lw_view_output *output, struct lw_error *err)
{
    const struct lw_plan *const plans[2] = {&conversion->store, &conversion->load};
    if (conversion->kind != LW_CONVERSION_SHARED)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "--format %s writes the instructions on shared memory, and this "
                            "conversion has none (%s); without --format it is described",
                            output->format->name, lw_conversion_kind_name(conversion->kind));
    return lw_plan_print_view(plans, output, out, err);
}

bool lw_conversion_print(FILE *out, const struct lw_pair *pair,
                         const struct lw_conversion *conversion,
                         const struct lw_view_output *output, struct lw_error *err)
{
    struct lw_text text = {0};
    struct lw_movement movement;
    if (!output->is_text)
        return print_views(out, conversion, output, err);
    put_pair(&text, pair);
    lw_put_conversion(&text, conversion);
    lw_text_add(&text, "\n\n");
    put_why(&text, conversion);
    put_note(&text, conversion);
    lw_conversion_movement(conversion, &movement);
    put_movement(&text, &movement);
    if (conversion->kind != LW_CONVERSION_NONE)
        put_bits(&text, &conversion->source);
    bool good = !text.failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    lw_output_text(out, &text);
    lw_text_free(&text);
    return good && (conversion->kind != LW_CONVERSION_SHARED ||
                    lw_exchange_print(out, conversion, output, err));
}

/* ---- JSON ---- */

static void put_json_head(struct lw_text *text, enum lw_conversion_kind kind)
{
    lw_text_format(text, "{\"kind\":\"%s\",", lw_conversion_kind_name(kind));
}

#define NO_ACCESS "{\"instructions\":[],\"wavefronts\":0,\"ideal\":0,\"conflicts\":0}"

bool lw_conversion_print_json(struct lw_text *text, const struct lw_conversion *conversion,
                              struct lw_error *err)
{
    put_json_head(text, conversion->kind);
    if (conversion->kind == LW_CONVERSION_BLOCKS) {
        lw_text_add(text, "\"shuffles\":0,\"shared_bytes\":null,\"rounds\":null,\"store\":null,"
                          "\"load\":null,\"map\":");
    } else {
        lw_text_format(text, "\"shuffles\":%llu,\"shared_bytes\":%llu,\"rounds\":%llu,",
                       (unsigned long long)conversion->shuffles,
                       (unsigned long long)conversion->shared_bytes,
                       (unsigned long long)conversion->rounds);
        if (conversion->kind != LW_CONVERSION_SHARED)
            lw_text_add(text, "\"store\":" NO_ACCESS ",\"load\":" NO_ACCESS);
        else if (!lw_exchange_print_json(text, conversion, err))
            return false;
        lw_text_add(text, ",\"map\":");
    }
    lw_layout_print_json(text, &conversion->map);
    lw_text_char(text, '}');
    return true;
}

/* ---- Layouts that are not linear ---- */

static int farthest(const struct lw_movement *movement)
{
    int distance = LW_DISTANCE_COUNT - 1;
    while (distance > LW_DISTANCE_NONE && !movement->distance[distance])
        distance--;
    return distance;
}

void lw_movement_print(FILE *out, const struct lw_pair *pair, const struct lw_movement *movement,
                       const struct lw_error *why)
{
    static const char *const kinds[LW_DISTANCE_COUNT] = {
        "nothing moves", "registers are renamed: no lane sends anything",
        "elements change lanes, none its warp", "elements change warps", "elements change blocks"};
    struct lw_text text = {0};
    int distance = farthest(movement);
    put_pair(&text, pair);
    lw_text_format(&text, "%s\n\n", kinds[distance]);
    put_movement(&text, movement);
    if (distance >= LW_DISTANCE_LANE) {
        struct lw_text reason = {0};
        lw_text_format(&reason, "unknown: %s", why->message);
        put_reason(&text, "cost:", &reason);
    }
    lw_output_text(out, &text);
    lw_text_free(&text);
}

bool lw_movement_print_json(struct lw_text *text, const struct lw_movement *movement)
{
    int distance = farthest(movement);
    if (distance >= LW_DISTANCE_LANE)
        return false;
    put_json_head(text,
                  distance == LW_DISTANCE_NONE ? LW_CONVERSION_NONE : LW_CONVERSION_REGISTERS);
    lw_text_add(text, "\"shuffles\":0,\"shared_bytes\":0,\"rounds\":0,\"store\":" NO_ACCESS
                      ",\"load\":" NO_ACCESS ",\"map\":null}");
    return true;
}
