/* laneway convert: what moves when a tensor goes from one layout in registers to another. */

#include "cli/command/commands.h"
#include "cli/report/print_conversion.h"
#include "view/view_parts.h"

#include <string.h>

/* Whether both are linear; else sets *why. */
static bool are_linear(const struct lw_pair *pair, uint64_t lanes, struct lw_error *why)
{
    struct lw_layout layout;
    return lw_map_to_hardware(lw_pair_map(pair, LW_SIDE_A), lanes, &layout, why) &&
           lw_map_to_hardware(lw_pair_map(pair, LW_SIDE_B), lanes, &layout, why);
}

static bool check_registers(const struct lw_pair *pair, struct lw_error *err)
{
    static const enum lw_side sides[] = {LW_SIDE_A, LW_SIDE_B};
    for (int i = 0; i < 2; i++)
        if (lw_dims_find(&lw_pair_map(pair, sides[i])->in, "offset") >= 0)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "layout %s is in shared memory, but a conversion is between two in "
                                "registers: 'laneway banks' prints the cost of a store or a load",
                                i ? "B" : "A");
    return true;
}

/* ---- Answers ---- */

/* Two layouts in registers, and what moves between them. */
struct change {
    struct lw_pair pair;
    const struct lw_conversion *conversion; /* NULL: the layouts are not linear */
    struct lw_movement movement;            /* where they are not */
    struct lw_error why;                    /* why they are not */
};

static bool find_conversion(struct change *change, struct lw_error *err)
{
    struct lw_pair *pair = &change->pair;
    const uint64_t lanes = lw_pair_lanes(pair);
    if (pair->at[LW_SIDE_A] < 0 || pair->at[LW_SIDE_B] < 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "this document has one layout in registers, and a conversion is "
                            "between two: name the other one as \"load\" in the document");
    if (!check_registers(pair, err) || !lw_pair_check_warps(pair, err))
        return false;
    if (!are_linear(pair, lanes, &change->why))
        return lw_movement_count(&change->movement, lw_pair_map(pair, LW_SIDE_A),
                                 lw_pair_map(pair, LW_SIDE_B), lanes, err);
    if (pair->stage == LW_PLAN_WRITTEN)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "--as written is for an access that a kernel writes: a conversion has "
                            "the instructions that the compiler chooses");
    if (!lw_pair_join(pair, false, err))
        return false;
    change->conversion = lw_subject_access_conversion(pair->subject[0].access, err);
    return change->conversion;
}

static bool open_change(struct change *change, const struct lw_arguments *args,
                        struct lw_error *err)
{
    change->conversion = NULL;
    if (!lw_pair_open(&change->pair, args, false, err))
        return false;
    if (find_conversion(change, err))
        return true;
    lw_pair_free(&change->pair);
    return false;
}

static uint64_t conflicts(const struct lw_conversion *conversion)
{
    return conversion ? conversion->store_total.conflicts + conversion->load_total.conflicts : 0;
}

static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    struct change change;
    if (!open_change(&change, args, err)) {
        answer->source = change.pair.failed;
        return LW_STATUS_ERROR;
    }
    bool good = change.conversion
                    ? lw_conversion_print_json(&answer->text, change.conversion, err)
                    : lw_movement_print_json(&answer->text, &change.movement) ||
                          lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                       "elements change lanes or warps, and the cost of that is "
                                       "unknown: %.400s",
                                       change.why.message);
    const enum lw_status status = lw_pair_status(&change.pair, conflicts(change.conversion));
    lw_pair_free(&change.pair);
    return good ? status : LW_STATUS_ERROR;
}

static bool put_text(FILE *out, const struct change *change, const struct lw_view_output *output,
                     struct lw_error *err)
{
    if (change->conversion)
        return lw_conversion_print(out, &change->pair, change->conversion, output, err);
    if (!output->is_text)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "--format %s writes the instructions on shared memory, and which they "
                            "are is unknown: %.400s",
                            output->format->name, change->why.message);
    lw_movement_print(out, &change->pair, &change->movement, &change->why);
    return true;
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct lw_view_output output;
    struct change change;
    struct lw_error err;
    if (!lw_view_output_read(&output, args, &err))
        return lw_report_failure(NULL, &err);
    if (!open_change(&change, args, &err))
        return lw_report_failure(change.pair.failed ? lw_source_name(change.pair.failed) : NULL,
                                 &err);
    bool good = put_text(out, &change, &output, &err);
    const enum lw_status status = lw_pair_status(&change.pair, conflicts(change.conversion));
    lw_pair_free(&change.pair);
    return good ? status : lw_report_failure(NULL, &err);
}

const struct lw_command lw_command_convert = {
    .name = "convert",
    .operands = "A B",
    .help = "print what moves from one layout to another, and what it costs",
    .about =
        "Prints what happens to a tensor in registers with layout A that is needed in layout "
        "B: nothing; registers are renamed; lanes exchange values by warp shuffles; it goes "
        "through shared memory, in rounds, with a swizzle made for the two; or it goes to "
        "other blocks. For each bit of a hardware index in B it prints which bits of the "
        "hardware index in A the element comes from; the slowest dim that differs decides the "
        "kind.\n\n"
        "The cost is that of the code that Triton and its back end compile: shuffles in the "
        "code of one warp; bytes of shared memory; instructions, wavefronts and bank "
        "conflicts of the stores and the loads, over all warps and rounds. --as triton counts "
        "Triton's own instructions, before the back end merges any; --to-global counts the "
        "final loads that warps and lanes that hold only copies skip when the result goes "
        "directly to a global store. For layouts that are not linear it prints what moves, without "
        "a cost. "
        "With a --format other than text, only the instructions on shared memory are printed.\n\n"
        "A single SOURCE must be a document with \"store\" and \"load\". With --batch each line of "
        "standard input is an object {\"from\": SOURCE, \"to\": SOURCE}, or {\"source\": SOURCE}, "
        "such a document ('laneway help batch').",
    .options = LW_OPTIONS_TENSOR | LW_OPTION_BIT(TARGET) | LW_OPTION_BIT(TO_GLOBAL) |
               LW_OPTION_BIT(AS) | LW_OPTION_BIT(FAIL_ON_CONFLICT) | LW_OPTION_BIT(FORMAT) |
               LW_OPTION_BIT(STYLE) | LW_OPTION_BIT(JSON) | LW_OPTION_BIT(BATCH) |
               LW_OPTION_BIT(OUTPUT) | LW_OPTION_BIT(COLOR),
    .min_operands = 1,
    .max_operands = 2,
    .keys = {{"from", LW_REQUEST_SOURCE}, {"to", LW_REQUEST_SOURCE}},
    .is_pair = true,
    .examples = {{"convert 'spatial(8, 4).local(1, 2)' 'local(1, 2).spatial(8, 4)' -t f16",
                  "two layouts of a row"},
                 {"convert convert/shuffle --json", "registers A and B of a document"}},
    .run = run,
    .answer = answer,
};
