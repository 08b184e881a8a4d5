/* laneway convert: what moves when a tensor goes from one layout in registers to another. */

#include "cli/command/commands.h"
#include "core/text_json.h"
#include "cli/report/print_access.h"
#include "export/output.h"
#include "laneway/conversion.h"
#include "view/banks/view_banks.h"
#include "view/conversion/view_conversion.h"
#include "view/view_parts.h"

#include <string.h>

#define LABEL 11 /* columns of the label before a line */

/* Two layouts in registers, and what moves between them. */
struct change {
    struct lw_pair pair;
    const struct lw_conversion *conversion;
};

static bool find_conversion(struct change *change, struct lw_error *err)
{
    struct lw_pair *pair = &change->pair;
    const struct lw_map *a = lw_pair_map(pair, LW_SIDE_A), *b = lw_pair_map(pair, LW_SIDE_B);
    const uint64_t lanes = lw_pair_lanes(pair);
    struct lw_layout layout;
    struct lw_error why;
    if (!pair->doc[LW_SIDE_A].encoding || !pair->doc[LW_SIDE_B].encoding)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "this document has one layout in registers, and a conversion is "
                            "between two: name the other one as \"load\" in the document");
    if (!lw_pair_check_warps(pair, err))
        return false;
    if (!lw_map_to_hardware(a, lanes, &layout, &why) ||
        !lw_map_to_hardware(b, lanes, &layout, &why))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "a conversion is between layouts that are linear: %.400s", why.message);
    if (!lw_pair_join(pair, false, err))
        return false;
    change->conversion = lw_subject_access_conversion(pair->joined->access, err);
    return change->conversion;
}

static bool open_change(struct change *change, const struct lw_arguments *args,
                        struct lw_error *err)
{
    const char *as = LW_OPTION_VALUE(args, AS);
    *change = (struct change){0};
    if (as && !strcmp(as, "written"))
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "--as written is for an access that a kernel writes: a conversion has "
                            "the instructions that the compiler chooses");
    if (!lw_pair_open(&change->pair, args, false, err))
        return false;
    if (find_conversion(change, err)) {
        const struct lw_error *unknown =
            change->conversion ? lw_conversion_unknown(change->conversion) : NULL;
        if (!unknown || !LW_OPTION_IS_SET(args, FAIL_ON_CONFLICT))
            return true;
        *err = *unknown;
    }
    lw_pair_free(&change->pair);
    return false;
}

/* ---- JSON ---- */

#define NO_ACCESS "{\"instructions\":[],\"wavefronts\":0,\"ideal\":0,\"conflicts\":0}"

/* For a conversion between blocks the costs are null. */
static bool put_json(struct lw_text *text, const struct lw_conversion *c, struct lw_error *err)
{
    const struct lw_instructions store = {&c->store, &c->store_total, c, false};
    const struct lw_instructions load = {&c->load, &c->load_total, c, false};
    const bool shared = c->kind == LW_CONVERSION_SHARED, blocks = c->kind == LW_CONVERSION_BLOCKS;
    const char *none = shared ? "" : blocks ? "null" : NO_ACCESS;
    if (shared && (!lw_instructions_check(&c->store_total, err) ||
                   !lw_instructions_check(&c->load_total, err)))
        return false;
    lw_text_char(text, '{');
    lw_json_string(text, "kind", lw_conversion_kind_name(c->kind));
    lw_json_number(text, "shuffles", blocks ? 0 : c->shuffles);
    lw_json_known(text, "shared_bytes", !blocks, c->shared_bytes);
    lw_json_known(text, "rounds", !blocks, c->rounds);
    lw_json_put(text, "store", none);
    if (shared)
        lw_instructions_print_json(text, &store);
    lw_json_put(text, "load", none);
    if (shared)
        lw_instructions_print_json(text, &load);
    lw_json_put(text, "map", "");
    lw_layout_print_json(text, &c->map);
    lw_text_char(text, '}');
    return true;
}

/* ---- Text ---- */

/* Writes the swizzle, the stores and loads, and the rule they were made by. */
static bool put_exchange(FILE *out, const struct lw_subject *subject,
                         const struct lw_conversion *conversion,
                         const struct lw_view_output *output, struct lw_error *err)
{
    struct lw_text text = {0};
    struct lw_explanation explanation = {0};
    lw_text_char(&text, '\n');
    lw_explain_exchange(conversion, &explanation);
    lw_explanation_print(&text, &explanation, LABEL);
    lw_output_text(out, &text);
    lw_text_clear(&text);
    const bool is_known = !lw_conversion_unknown(conversion);
    bool good = !is_known || (lw_access_print(out, subject, LW_ACCESS_STORE, output, err) &&
                              lw_access_print(out, subject, LW_ACCESS_LOAD, output, err));
    if (!is_known) {
        lw_uncounted_print(&text, &conversion->store, &conversion->store_total, conversion->rounds);
        lw_uncounted_print(&text, &conversion->load, &conversion->load_total, conversion->rounds);
    }
    lw_text_char(&text, '\n');
    lw_explain_plan_rule(&conversion->load, &explanation);
    lw_explanation_print(&text, &explanation, 0);
    if (good)
        lw_output_text(out, &text);
    lw_text_free(&text);
    return good;
}

/* Prints all about a conversion. */
static bool put_text(FILE *out, const struct change *change, const struct lw_view_output *output,
                     struct lw_error *err)
{
    const struct lw_conversion *conversion = change->conversion;
    const struct lw_pair *pair = &change->pair;
    const struct lw_subject *subject = &pair->subject[LW_SIDE_A];
    struct lw_text text = {0};
    struct lw_explanation explanation = {0};
    if (!output->is_text)
        return lw_view_output_write(output, "conversion", subject, NULL, out, err);
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
                    put_exchange(out, subject, conversion, output, err));
}

static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    struct lw_view_output output;
    struct change change;
    if (answer->out && !lw_view_output_read(&output, args, err))
        return LW_STATUS_ERROR;
    if (!open_change(&change, args, err)) {
        answer->source = change.pair.failed;
        return LW_STATUS_ERROR;
    }
    const struct lw_conversion *c = change.conversion;
    bool good = answer->out ? put_text(answer->out, &change, &output, err)
                            : put_json(&answer->text, c, err);
    const enum lw_status status =
        lw_pair_status(&change.pair, c->store_total.conflicts + c->load_total.conflicts);
    lw_pair_free(&change.pair);
    return good ? status : LW_STATUS_ERROR;
}

const struct lw_command lw_command_convert = {
    .name = "convert",
    .operands = "A B",
    .help = "print what moves from one layout to another, and what it costs",
    .about =
        "Prints what happens to a tensor in registers with layout A that is needed in layout B: "
        "nothing; registers are renamed; lanes exchange values by shuffles; it goes through shared "
        "memory, in rounds, with a swizzle made for the two; or it goes to other blocks. For each "
        "bit of a hardware index in B it prints which bits of that in A the element comes from; "
        "the slowest dim that differs decides the kind.\n\n"
        "The cost is that of the code that Triton and its back end compile: shuffles in the code "
        "of one warp; bytes of shared memory; instructions, wavefronts and bank conflicts over all "
        "warps and rounds. --as and --to-global are as in banks. The layouts must be linear. A "
        "--format other than text has the instructions on shared memory alone. A single SOURCE is "
        "a document with \"store\" and \"load\".",
    .options = LW_OPTIONS_TENSOR | LW_OPTION_BIT(LET) | LW_OPTION_BIT(BLOCK) |
               LW_OPTION_BIT(TARGET) | LW_OPTION_BIT(TO_GLOBAL) | LW_OPTION_BIT(AS) |
               LW_OPTION_BIT(FAIL_ON_CONFLICT) | LW_OPTION_BIT(FORMAT) | LW_OPTION_BIT(STYLE) |
               LW_OPTIONS_ANSWER,
    .min_operands = 1,
    .max_operands = 2,
    .keys = {{"from", LW_REQUEST_SOURCE}, {"to", LW_REQUEST_SOURCE}},
    .is_pair = true,
    .examples = {{"convert 'spatial(8, 4).local(1, 2)' 'local(1, 2).spatial(8, 4)' -t f16",
                  "two layouts of a row"},
                 {"convert convert/shuffle --json", "registers A and B of a document"}},
    .answer = answer,
};
