/* A conversion and its explanation as text and as JSON. */

#include "cli/report/print_conversion.h"
#include "view/banks/explain_plan.h"
#include "view/conversion/explain_conversion.h"
#include "view/view_parts.h"

#define LABEL 11 /* columns of the label before a line */

/* ---- Registers A and B ---- */

static const struct lw_subject *conversion_subject(const struct lw_pair *pair)
{
    return &pair->subject[pair->at[LW_SIDE_A]];
}

/* Writes the swizzle, the stores and loads, and the rule they were made by. */
static bool put_exchange(FILE *out, const struct lw_pair *pair,
                         const struct lw_conversion *conversion,
                         const struct lw_view_output *output, struct lw_error *err)
{
    struct lw_text text = {0};
    struct lw_explanation explanation = {0};
    const struct lw_subject *subject = conversion_subject(pair);
    lw_text_char(&text, '\n');
    lw_explain_exchange(conversion, &explanation);
    lw_explanation_print(&text, &explanation, LABEL);
    lw_output_text(out, &text);
    lw_text_clear(&text);
    bool good = lw_access_print(out, subject, LW_ACCESS_STORE, output, err) &&
                lw_access_print(out, subject, LW_ACCESS_LOAD, output, err);
    lw_text_char(&text, '\n');
    lw_explain_plan_rule(&conversion->load, &explanation);
    lw_explanation_print(&text, &explanation, 0);
    if (good)
        lw_output_text(out, &text);
    lw_text_free(&text);
    return good;
}

bool lw_conversion_print(FILE *out, const struct lw_pair *pair,
                         const struct lw_conversion *conversion,
                         const struct lw_view_output *output, struct lw_error *err)
{
    struct lw_text text = {0};
    struct lw_explanation explanation = {0};
    if (!output->is_text)
        return lw_view_output_write(output, "conversion", conversion_subject(pair), NULL, out, err);
    lw_pair_print_head(&text, LW_HEAD_CONVERSION, pair);
    lw_text_char(&text, '\n');
    lw_put_conversion(&text, conversion);
    lw_text_add(&text, "\n\n");
    lw_explain_conversion(conversion, &explanation);
    lw_explain_sources(conversion, &explanation);
    lw_explanation_print(&text, &explanation, LABEL);
    bool good = !text.failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    lw_output_text(out, &text);
    lw_text_free(&text);
    return good && (conversion->kind != LW_CONVERSION_SHARED ||
                    put_exchange(out, pair, conversion, output, err));
}

/* ---- JSON ---- */

static void put_json_head(struct lw_text *text, enum lw_conversion_kind kind)
{
    lw_text_format(text, "{\"kind\":\"%s\",", lw_conversion_kind_name(kind));
}

static void get_store(const void *context, uint64_t i, struct lw_instruction *out)
{
    lw_conversion_instruction(context, LW_ACCESS_STORE, i, out);
}

static void get_load(const void *context, uint64_t i, struct lw_instruction *out)
{
    lw_conversion_instruction(context, LW_ACCESS_LOAD, i, out);
}

static bool put_json_exchange(struct lw_text *text, const struct lw_conversion *c,
                              struct lw_error *err)
{
    const struct lw_instructions store = {&c->store, &c->store_total, c->rounds, c, get_store};
    const struct lw_instructions load = {&c->load, &c->load_total, c->rounds, c, get_load};
    if (!lw_instructions_check(&store, err) || !lw_instructions_check(&load, err))
        return false;
    lw_text_add(text, "\"store\":");
    lw_instructions_print_json(text, &store);
    lw_text_add(text, ",\"load\":");
    lw_instructions_print_json(text, &load);
    return true;
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
        else if (!put_json_exchange(text, conversion, err))
            return false;
        lw_text_add(text, ",\"map\":");
    }
    lw_layout_print_json(text, &conversion->map);
    lw_text_char(text, '}');
    return true;
}

/* ---- Layouts that are not linear ---- */

void lw_movement_print(FILE *out, const struct lw_pair *pair, const struct lw_movement *movement,
                       const struct lw_error *why)
{
    struct lw_text text = {0};
    struct lw_explanation explanation = {0};
    lw_pair_print_head(&text, LW_HEAD_CONVERSION, pair);
    lw_text_char(&text, '\n');
    lw_put_movement(&text, movement);
    lw_text_add(&text, "\n\n");
    lw_explain_movement(movement, &explanation);
    if (lw_movement_farthest(movement) >= LW_DISTANCE_LANE)
        lw_text_format(lw_explanation_line(&explanation, "cost"), "unknown: %s", why->message);
    lw_explanation_print(&text, &explanation, LABEL);
    lw_output_text(out, &text);
    lw_text_free(&text);
}

bool lw_movement_print_json(struct lw_text *text, const struct lw_movement *movement)
{
    enum lw_distance distance = lw_movement_farthest(movement);
    if (distance >= LW_DISTANCE_LANE)
        return false;
    put_json_head(text,
                  distance == LW_DISTANCE_NONE ? LW_CONVERSION_NONE : LW_CONVERSION_REGISTERS);
    lw_text_add(text, "\"shuffles\":0,\"shared_bytes\":0,\"rounds\":0,\"store\":" NO_ACCESS
                      ",\"load\":" NO_ACCESS ",\"map\":null}");
    return true;
}
