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

/* For layouts that are not linear: what moves, and the cost only when it is zero. */
static bool put_unlinear(struct lw_text *text, FILE *out, const struct lw_pair *pair,
                         uint64_t lanes, const struct lw_error *why, struct lw_error *err)
{
    struct lw_movement movement;
    if (!lw_movement_count(&movement, lw_pair_map(pair, LW_SIDE_A), lw_pair_map(pair, LW_SIDE_B),
                           lanes, err))
        return false;
    if (text)
        return lw_movement_print_json(text, &movement) ||
               lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "elements change lanes or warps, and the cost of that is unknown: "
                            "%.400s",
                            why->message);
    lw_movement_print(out, pair, &movement, why);
    return true;
}

/* Answers in JSON, appended to `text`, or, when that is NULL, as text to `out`. */
static bool put_answer(struct lw_text *text, FILE *out, struct lw_pair *pair,
                       struct lw_pair_request *request, const struct lw_view_output *output,
                       struct lw_error *err)
{
    const struct lw_conversion *conversion;
    struct lw_error why;
    uint64_t lanes = (request->hardware ? request->hardware : lw_hardware_default())->lanes;
    if (pair->at[LW_SIDE_A] < 0 || pair->at[LW_SIDE_B] < 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "this document has one layout in registers, and a conversion is "
                            "between two: name the other one as \"load\" in the document");
    if (!check_registers(pair, err) || !lw_pair_check_warps(pair, lanes, err))
        return false;
    bool linear = are_linear(pair, lanes, &why);
    if (!linear && output && !output->is_text)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "--format %s writes the instructions on shared memory, and which they "
                            "are is unknown: %.400s",
                            output->format->name, why.message);
    if (!linear)
        return put_unlinear(text, out, pair, lanes, &why, err);
    if (request->as && !strcmp(request->as, "written"))
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "--as written is for an access that a kernel writes: a conversion has "
                            "the instructions that the compiler chooses");
    if (!lw_pair_join(pair, request, false, err) ||
        !(conversion = lw_subject_access_conversion(pair->subject[0].access, err)))
        return false;
    request->conflicts += conversion->store_total.conflicts + conversion->load_total.conflicts;
    return text ? lw_conversion_print_json(text, request->out, conversion, err)
                : lw_conversion_print(out, pair, conversion, output, err);
}

static bool put_json(struct lw_text *text, struct lw_pair *pair, struct lw_pair_request *request,
                     struct lw_error *err)
{
    return put_answer(text, NULL, pair, request, NULL, err);
}

static bool put_text(FILE *out, struct lw_pair *pair, struct lw_pair_request *request,
                     const struct lw_view_output *output, struct lw_error *err)
{
    return put_answer(NULL, out, pair, request, output, err);
}

static const struct lw_pair_command pair_command = {
    .keys = {"from", "to"}, .put_json = put_json, .put_text = put_text};

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
        "standard "
        "input is an object {\"from\": SOURCE, \"to\": SOURCE}, with optional \"type\", \"as\" "
        "and \"to_global\"; \"a\" and \"b\" are other names of the two. Each is answered by one "
        "line as --json prints it, or by {\"error\": \"...\"}, in order.",
    .options = LW_OPTIONS_TENSOR | LW_OPTION_BIT(TARGET) | LW_OPTION_BIT(TO_GLOBAL) |
               LW_OPTION_BIT(AS) | LW_OPTION_BIT(FAIL_ON_CONFLICT) | LW_OPTION_BIT(FORMAT) |
               LW_OPTION_BIT(STYLE) | LW_OPTION_BIT(JSON) | LW_OPTION_BIT(BATCH) |
               LW_OPTION_BIT(OUTPUT) | LW_OPTION_BIT(COLOR),
    .min_operands = 1,
    .max_operands = 2,
    .pair = &pair_command,
    .examples = {{"convert 'spatial(8, 4).local(1, 2)' 'local(1, 2).spatial(8, 4)' -t f16",
                  "two layouts of a row"},
                 {"convert convert/shuffle --json", "registers A and B of a document"}},
    .run = lw_pair_run,
    .answer = lw_pair_answer,
};
