/* laneway banks: the access plan between a layout in registers and one in shared memory. */

#include "cli/command/commands.h"
#include "cli/load.h"
#include "cli/report/cuda_report.h"
#include "cli/report/print_access.h"
#include "export/output.h"
#include "notation/document/read.h"
#include "view/banks/view_banks.h"
#include "view/view_parts.h"

#include <string.h>

/* The two accesses in the order in which they are printed. */
static const struct op {
    const char *name;
    enum lw_access_op op;
} ops[] = {{"store", LW_ACCESS_STORE}, {"load", LW_ACCESS_LOAD}};

/* The layouts, and the plans of the accesses that are requested, in the order of `ops`. */
struct banks {
    struct lw_pair pair;
    const struct lw_plan *plans[2];
    struct lw_plan uncounted[2]; /* where the cost of an access is unknown, its plan */
    uint64_t conflicts;
};

static bool find_plans(struct banks *banks, const struct lw_arguments *args, struct lw_error *err)
{
    const char *op = LW_OPTION_VALUE(args, OP);
    if (LW_OPTION_IS_SET(args, TO_GLOBAL) && op && !strcmp(op, "store"))
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "--to-global is for loads: it cannot be combined with --op store");
    if (!lw_pair_map(&banks->pair, LW_SIDE_S))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "this document has registers A and B, and no layout in shared memory "
                            "(\"shared\"): 'laneway convert' prints the conversion from A to B");
    if (!lw_pair_join(&banks->pair, true, err))
        return false;
    struct lw_subject_access *access = banks->pair.joined->access;
    for (size_t i = 0; i < 2; i++) {
        banks->plans[i] = NULL;
        if (op && strcmp(op, "both") != 0 && strcmp(op, ops[i].name) != 0)
            continue;
        banks->plans[i] = lw_subject_access_plan(access, ops[i].op, err);
        if (!banks->plans[i]) { /* where only its cost is unknown, there is one */
            struct lw_plan_request request;
            if (LW_OPTION_IS_SET(args, FAIL_ON_CONFLICT) ||
                !lw_subject_access_request(access, ops[i].op, &request, NULL))
                return false;
            request.any_cost = true;
            if (!lw_plan_make(&banks->uncounted[i], &request, NULL))
                return false;
            banks->plans[i] = &banks->uncounted[i];
        }
        banks->conflicts += banks->plans[i]->total.conflicts;
    }
    return true;
}

/* ---- JSON ---- */

static bool put_json(struct lw_text *text, const struct banks *banks, bool list,
                     struct lw_error *err)
{
    for (size_t i = 0; i < 2; i++)
        if (banks->plans[i] && list && !lw_instructions_check(&banks->plans[i]->total, err))
            return false;
    lw_text_format(text, "{\"element_bits\":%d", banks->pair.element.bits);
    for (size_t i = 0; i < 2; i++) {
        if (!banks->plans[i])
            continue;
        const struct lw_plan *plan = banks->plans[i];
        const struct lw_instructions all = {plan, &plan->total, NULL, !list};
        lw_text_format(text, ",\"%s\":", ops[i].name);
        lw_instructions_print_json(text, &all);
    }
    lw_text_char(text, '}');
    return true;
}

/* ---- CUDA C++ ---- */

/* Answers with the accesses of a text of CUDA C++. */
static enum lw_status answer_cuda(const struct lw_arguments *args, struct lw_answer *answer,
                                  struct lw_error *err)
{
    struct lw_cuda_report report;
    struct lw_load_options options;
    struct lw_cuda cuda;
    uint64_t max;
    if (!lw_load_options(&options, args, err) || !lw_fail_on_conflict(args, &max, err))
        return LW_STATUS_ERROR;
    if (options.set_count) {
        lw_error_set(err, LW_ERROR_UNSUPPORTED,
                     "--set: CUDA C++ has no parameters; --let gives a name its value");
        return LW_STATUS_ERROR;
    }
    const struct lw_open_options open = {.cuda = &options.cuda};
    if (!lw_cuda_open(&cuda, args->operands[0], &open, err) ||
        !lw_cuda_report_make(&report, &cuda, options.target, err)) {
        answer->source = args->operands[0];
        return LW_STATUS_ERROR;
    }
    if (answer->out) {
        struct lw_text text = {0};
        lw_cuda_report_print(&text, &report);
        lw_output_text(answer->out, &text);
        lw_text_free(&text);
    } else
        lw_cuda_report_print_json(&answer->text, &report);
    const enum lw_status status = report.conflicts > max ? LW_STATUS_NO : LW_STATUS_OK;
    lw_cuda_report_free(&report);
    return status;
}

/* ---- Text ---- */

/* Prints the head, the plans in the order of execution, and the rule they were made by. */
static bool put_plans(FILE *out, const struct lw_pair *pair, const struct lw_plan *const plans[2],
                      const struct lw_view_output *output, struct lw_error *err)
{
    struct lw_text text = {0};
    struct lw_explanation explanation = {0};
    bool load_first = pair->whole.side == LW_SIDE_S && plans[0] && plans[1];
    lw_pair_print_head(&text, LW_HEAD_PLAN, pair);
    lw_output_text(out, &text);
    lw_text_clear(&text);
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        int at = load_first ? !i : i;
        if (plans[at] && plans[at]->unknown.code != LW_OK) {
            lw_uncounted_print(&text, plans[at], &plans[at]->total, 1);
            lw_output_text(out, &text);
            lw_text_clear(&text);
        } else {
            good = !plans[at] || lw_access_print(out, pair->joined, ops[at].op, output, err);
        }
    }
    lw_text_char(&text, '\n');
    lw_explain_plan_rule(plans[load_first || !plans[0]], &explanation);
    lw_explanation_print(&text, &explanation, 0);
    if (good)
        lw_output_text(out, &text);
    lw_text_free(&text);
    return good;
}

static enum lw_status answer_sources(const struct lw_arguments *args, struct lw_answer *answer,
                                     struct lw_error *err)
{
    struct lw_view_output output;
    struct banks banks = {.conflicts = 0};
    const struct lw_plan *const *plans = banks.plans;
    if (args->operand_count == 1 && lw_cuda_names(args->operands[0]))
        return answer_cuda(args, answer, err);
    if (answer->out && !lw_view_output_read(&output, args, err))
        return LW_STATUS_ERROR;
    if (!lw_pair_open(&banks.pair, args, true, err)) {
        answer->source = banks.pair.failed;
        return LW_STATUS_ERROR;
    }
    bool good = find_plans(&banks, args, err); /* all of them, before anything is printed */
    if (good && !answer->out) {
        good = put_json(&answer->text, &banks, !LW_OPTION_IS_SET(args, NO_INSTRUCTIONS), err);
    } else if (good && output.is_text) {
        good = put_plans(answer->out, &banks.pair, plans, &output, err);
    } else if (good) { /* the instructions alone */
        const struct lw_view_options options = {.access = !plans[1]   ? LW_VIEW_STORE
                                                          : !plans[0] ? LW_VIEW_LOAD
                                                                      : LW_VIEW_BOTH};
        good =
            lw_view_output_write(&output, "banks", banks.pair.joined, &options, answer->out, err);
    }
    const enum lw_status status =
        good ? lw_pair_status(&banks.pair, banks.conflicts) : LW_STATUS_ERROR;
    for (int i = 0; i < 2; i++)
        lw_plan_free(&banks.uncounted[i]);
    lw_pair_free(&banks.pair);
    return status;
}

/* Standard input is read first, as it may be CUDA C++. */
static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    struct lw_text input = {0};
    struct lw_reading reading = {.err = err};
    struct lw_arguments read = *args;
    if (args->is_request || args->operand_count != 1 || strcmp(args->operands[0], "-") != 0)
        return answer_sources(args, answer, err);
    enum lw_status status = LW_STATUS_ERROR;
    if (lw_read_stream(&reading, stdin, "standard input", &input)) {
        const char *text = lw_text_string(&input);
        read.operands = &text;
        status = answer_sources(&read, answer, err);
    }
    answer->source = answer->source ? "-" : NULL;
    lw_text_free(&input);
    return status;
}

const struct lw_command lw_command_banks = {
    .name = "banks",
    .operands = "REG SHARED [REG] | CODE",
    .help = "print the accesses of a tile to shared memory, and their cost",
    .about =
        "Prints the instructions that store a tile from registers A to shared memory S and load it "
        "again, as the compiler chooses them, with their wavefronts, the ideal number, and bank "
        "conflicts. The load is into the same registers or those of the third SOURCE: banks A S B; "
        "a single SOURCE is a document of an access. Equal instructions are one row with their "
        "count over all warps and the registers of the first; beside a matrix instruction the cost "
        "of plain accesses is printed too.\n\n"
        "--as compiled counts what the back end of that version of Triton makes, --as triton "
        "Triton's own instructions, before any are merged, and --as written the registers of each "
        "lane, in vectors as the layout has them, without matrix instructions or merging: the "
        "default where no layout is one of Triton or an operand of an MMA or a copy. --to-global "
        "counts a load whose value goes directly to a global store: warps and lanes that hold only "
        "copies skip some final loads.\n\n"
        "The registers may cover the whole tensor in memory or its first part. A layout without a "
        "shape of its own has that of -t, else that of the other layout.\n\n"
        "CODE is a text or a file of CUDA C++ ('laneway help cuda'): all its accesses are counted "
        "as they are written, those to global memory in sectors, the worst first.\n\n"
        "JSON lists the instructions of every warp; costs that are unknown are null.",
    .options = LW_OPTIONS_SOURCE | LW_OPTIONS_SIDES | LW_OPTION_BIT(OP) | LW_OPTION_BIT(TO_GLOBAL) |
               LW_OPTION_BIT(AS) | LW_OPTION_BIT(FAIL_ON_CONFLICT) |
               LW_OPTION_BIT(NO_INSTRUCTIONS) | LW_OPTION_BIT(FORMAT) | LW_OPTION_BIT(STYLE) |
               LW_OPTIONS_ANSWER,
    .min_operands = 1,
    .max_operands = 3,
    .keys = {{"registers", LW_REQUEST_SOURCE},
             {"shared", LW_REQUEST_SOURCE},
             {"load", LW_REQUEST_SOURCE}},
    .is_pair = true,
    .examples = {{"banks 'local(2, 1).spatial(8, 4).local(1, 2)' '#ttg.swizzled_shared<{vec = 2, "
                  "perPhase = 2, maxPhase = 4, order = [1, 0]}>' -t 16x8xf16",
                  "a fragment through swizzled memory"}},
    .answer = answer,
};
