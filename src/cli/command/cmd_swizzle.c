/* laneway swizzle: the best layout of shared memory between a store and a load. */

#include "cli/command/commands.h"
#include "cli/load.h"
#include "core/text_json.h"
#include "cli/report/print_access.h"
#include "export/output.h"
#include "view/swizzle_tables.h"

#define RANKING_DEFAULT 10

/* ---- Searching ---- */

/* A search between the layouts, and the cost of the user's shared S between the same store and load. */
struct search {
    struct lw_pair pair;
    struct lw_swizzle_search search;
    bool has_given;
    struct lw_swizzle given;
};

static bool search_pair(struct search *s, struct lw_error *err)
{
    const struct lw_pair *pair = &s->pair;
    struct lw_swizzle_request request = {.store = lw_pair_map(pair, LW_SIDE_A),
                                         .load = lw_pair_map(pair, LW_SIDE_B),
                                         .memory = lw_pair_map(pair, LW_SIDE_S),
                                         .element_bits = (unsigned)pair->element.bits,
                                         .stage = pair->stage,
                                         .hardware = pair->hardware};
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_encoding *encoding = pair->doc[i].encoding;
        if (encoding && !request.triton) /* the first that a layout sets */
            request.triton = encoding->triton;
        if (encoding && i != LW_SIDE_S && !lw_subject_need_lanes(&pair->subject[i], err))
            return false;
    }
    if (!lw_pair_check_warps(pair, err) || !lw_swizzle_begin(&s->search, &request, err))
        return false;
    s->has_given = request.memory != NULL;
    if (s->has_given && !lw_swizzle_judge(&s->search, request.memory, &s->given, err)) {
        lw_swizzle_end(&s->search);
        return false;
    }
    while (lw_swizzle_step(&s->search, UINT64_MAX))
        ;
    return true;
}

static uint64_t ranking_length(const struct lw_swizzle_search *search, bool all)
{
    uint64_t count = search->ranked_count;
    return all || count < RANKING_DEFAULT ? count : RANKING_DEFAULT;
}

/* ---- JSON ---- */

static void put_total(struct lw_text *text, const char *key, const struct lw_plan_total *total)
{
    lw_json_put(text, key, "{");
    lw_json_number(text, "instructions", total->instructions);
    lw_json_number(text, "matrix", total->matrix);
    lw_json_number(text, "wavefronts", total->wavefronts);
    lw_json_number(text, "ideal", total->ideal);
    lw_json_number(text, "conflicts", total->conflicts);
    lw_text_char(text, '}');
}

/* `given`: the document of the layout, unless it is one that was searched. */
static void put_swizzle(struct lw_text *text, const char *key, const struct search *s,
                        const struct lw_swizzle *swizzle, const struct lw_document *given)
{
    struct lw_text source = {0};
    if (given)
        lw_encoding_print(&source, given->encoding);
    else
        lw_swizzle_print(&source, &s->search, swizzle);
    lw_json_put(text, key, "{");
    lw_json_string(text, "source", lw_text_string(&source));
    lw_text_free(&source);
    if (swizzle->kind == LW_SWIZZLE_SWIZZLED) {
        lw_json_number(text, "vec", swizzle->vec);
        lw_json_number(text, "perPhase", swizzle->per_phase);
        lw_json_number(text, "maxPhase", swizzle->max_phase);
    }
    lw_json_number(text, "wavefronts", lw_swizzle_wavefronts(swizzle));
    lw_json_number(text, "bytes", swizzle->bytes);
    put_total(text, "store", &swizzle->store);
    put_total(text, "load", &swizzle->load);
    lw_text_char(text, '}');
}

static void put_json(struct lw_text *text, const struct search *s, bool all)
{
    static const char *const names[] = {"swizzled", "nvmma", "linear", "padded"};
    const struct lw_swizzle_search *search = &s->search;
    const struct lw_pair *pair = &s->pair;
    const bool is_proven = search->found[LW_SWIZZLE_LINEAR] && lw_swizzle_bound_is_proof(search) &&
                           lw_swizzle_wavefronts(&search->best[LW_SWIZZLE_LINEAR]) == search->bound;
    lw_text_char(text, '{');
    lw_json_number(text, "element_bits", search->request.element_bits);
    if (search->has_plain)
        put_swizzle(text, "before", s, &search->plain, NULL);
    else
        lw_json_put(text, "before", "null");
    if (s->has_given)
        put_swizzle(text, "shared", s, &s->given, &pair->doc[LW_SIDE_S]);
    put_swizzle(text, "after", s, lw_swizzle_best(search), NULL);
    for (int k = 0; k < LW_SWIZZLE_KINDS; k++)
        if (search->found[k])
            put_swizzle(text, names[k], s, &search->best[k], NULL);
    lw_json_number(text, "bound", search->bound);
    lw_json_truth(text, "proven", is_proven);
    lw_json_put(text, "ranking", "[");
    for (uint64_t i = 0; i < ranking_length(search, all); i++)
        put_swizzle(text, NULL, s, &search->ranked[i], NULL);
    lw_text_char(text, ']');
    lw_json_number(text, "candidates", search->done);
    lw_json_number(text, "left_out", search->unknown);
    if (search->unknown)
        lw_json_string(text, "left_out_because", lw_unknown_swizzles_because(search));
    lw_text_char(text, '}');
}

/* ---- Text ---- */

static bool put_ranking(FILE *out, const struct lw_swizzle_search *search,
                        const struct lw_view_output *output, bool all, struct lw_error *err)
{
    struct lw_view view;
    return lw_swizzles_view_open(&view, search, NULL, (int64_t)ranking_length(search, all), err) &&
           lw_view_output_close(output, &view, out, err);
}

static bool put_text(FILE *out, const struct search *s, const struct lw_view_output *output,
                     bool all, struct lw_error *err)
{
    struct lw_text text = {0};
    struct lw_explanation explanation = {0};
    struct lw_view view;
    const struct lw_swizzle_search *search = &s->search;
    const struct lw_hardware *hardware = search->request.hardware;
    const struct lw_bank_model *banks = (hardware ? hardware : lw_hardware_default())->banks;
    lw_pair_print_head(&text, LW_HEAD_SWIZZLE, &s->pair);
    lw_text_char(&text, '\n');
    lw_put_swizzle_sources(&text, search);
    lw_output_text(out, &text);
    lw_text_clear(&text);
    bool good = lw_swizzles_view_open(&view, search, s->has_given ? &s->given : NULL, -1, err) &&
                lw_view_output_close(output, &view, out, err);
    lw_explain_swizzles(search, &explanation);
    lw_explanation_print(&text, &explanation, 0);
    lw_text_format(&text, "\nswizzled_shared and nvmma_shared, %llu of %llu by wavefronts:\n",
                   (unsigned long long)ranking_length(search, all),
                   (unsigned long long)search->ranked_count);
    lw_output_text(out, &text);
    lw_text_clear(&text);
    good = good && put_ranking(out, search, output, all, err);
    lw_text_format(&text, "\nbanks: %s, %s\n", banks->name, banks->evidence);
    lw_output_text(out, &text);
    lw_text_free(&text);
    return good;
}

/* ---- The command ---- */

static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    const bool all = LW_OPTION_IS_SET(args, ALL);
    struct lw_view_output output;
    struct search s;
    bool good = true;
    if (answer->out && !lw_view_output_read(&output, args, err))
        return LW_STATUS_ERROR;
    if (!lw_pair_open(&s.pair, args, false, err)) {
        answer->source = s.pair.failed;
        return LW_STATUS_ERROR;
    }
    enum lw_status status = LW_STATUS_ERROR;
    if (search_pair(&s, err)) {
        const struct lw_swizzle *best = lw_swizzle_best(&s.search);
        if (!answer->out)
            put_json(&answer->text, &s, all);
        else if (output.is_text)
            good = put_text(answer->out, &s, &output, all, err);
        else
            good = put_ranking(answer->out, &s.search, &output, all, err);
        if (good)
            status = lw_pair_status(&s.pair, best->store.conflicts + best->load.conflicts);
        lw_swizzle_end(&s.search);
    }
    lw_pair_free(&s.pair);
    return status;
}

const struct lw_command lw_command_swizzle = {
    .name = "swizzle",
    .operands = "STORE LOAD",
    .help = "find the best layout of shared memory for a store and a load",
    .about =
        "Searches for the layout of shared memory through which a tensor goes from one layout in "
        "registers to another with the fewest wavefronts: all swizzled_shared and nvmma_shared, "
        "ranked; the optimum over all linear layouts, with a lower bound, which proves it where it "
        "is reached; and the smallest padding that is as good as the best of these, or the best "
        "padding. Each has the cost that 'laneway banks' prints; of equal costs, fewer "
        "instructions come first, then the simpler layout.\n\n"
        "--shared S, or \"shared\" of a document, is costed too. --all prints the whole ranking, a "
        "--format other than text the ranking alone. --fail-on-conflict counts the conflicts of "
        "the best layout.\n\n"
        "--json prints \"before\" (rows without swizzle; null: unknown), \"after\" (the best of "
        "all), \"shared\", and the best \"swizzled\", \"nvmma\", \"linear\" and \"padded\", all "
        "with \"source\", \"wavefronts\", \"bytes\", \"store\" and \"load\"; then \"bound\", "
        "\"proven\", the \"ranking\", the number of \"candidates\", and how many are \"left_out\" "
        "because the target has no cost for them.",
    .options = LW_OPTIONS_SOURCE | LW_OPTION_BIT(SHARED) | LW_OPTION_BIT(AS) | LW_OPTION_BIT(ALL) |
               LW_OPTION_BIT(FORMAT) | LW_OPTION_BIT(STYLE) | LW_OPTION_BIT(FAIL_ON_CONFLICT) |
               LW_OPTIONS_ANSWER,
    .min_operands = 1,
    .max_operands = 2,
    .keys = {{"store", LW_REQUEST_SOURCE}, {"load", LW_REQUEST_SOURCE}},
    .is_pair = true,
    .examples = {{"swizzle 'spatial(1, 32).local(32, 1)' 'local(1, 32).spatial(32, 1)' -t f32",
                  "rows stored, columns loaded: a transpose"},
                 {"swizzle banks/transpose-row-major", "the layouts of a document, compared"}},
    .answer = answer,
};
