/* Accesses to shared memory as text and as JSON. */

#include "cli/report/print_access.h"
#include "core/text_json.h"
#include "core/text_rows.h"

#include "analysis/access/path.h"
#include "cli/figure.h"
#include "export/output.h"
#include "view/view_parts.h"
#include "view/banks/view_banks.h"

#include <string.h>

/* ---- JSON ---- */

#define INSTRUCTIONS_MAX ((uint64_t)1 << 20)

bool lw_instructions_check(const struct lw_plan_total *total, struct lw_error *err)
{
    return total->instructions <= INSTRUCTIONS_MAX ||
           lw_error_set(err, LW_ERROR_LIMIT, "too many instructions for a list: the limit is 2^20");
}

/* Ends an object with a cost; one that is unknown is null. */
static void put_cost(struct lw_text *text, bool is_known, uint64_t wavefronts, uint64_t ideal,
                     uint64_t conflicts)
{
    lw_json_known(text, "wavefronts", is_known, wavefronts);
    lw_json_known(text, "ideal", is_known, ideal);
    lw_json_known(text, "conflicts", is_known, conflicts);
    lw_text_char(text, '}');
}

void lw_instructions_print_json(struct lw_text *text, const struct lw_instructions *all)
{
    static const char *const names[] = {"ld", "st", "ldmatrix", "stmatrix"};
    const struct lw_plan *plan = all->plan;
    const struct lw_path path = {.store = plan, .load = plan, .conversion = all->conversion};
    const uint64_t count = all->unlisted ? 0 : lw_path_count(&path, plan->request.op);
    lw_text_add(text, all->unlisted ? "{" : "{\"instructions\":[");
    for (uint64_t i = 0; i < count && !text->failed; i++) {
        struct lw_instruction instruction;
        const struct lw_access *access = &instruction.access;
        struct lw_cost cost = {0};
        lw_path_instruction(&path, plan->request.op, i, &instruction);
        if (!access->active)
            continue;
        lw_json_put(text, NULL, "{");
        lw_json_string(text, "op", names[access->op]);
        lw_json_number(text, "width", access->width);
        if (access->matrices) {
            lw_json_number(text, "matrices", access->matrices);
            lw_json_truth(text, "transposed", instruction.transposed);
        }
        lw_json_number(text, "warp", instruction.warp);
        lw_json_put(text, "registers", "[");
        for (unsigned k = 0; k < instruction.register_count; k++)
            lw_json_number(text, NULL, instruction.registers[k]);
        lw_text_char(text, ']');
        const bool is_known = lw_access_cost(plan->request.hardware->banks, access, &cost, NULL);
        put_cost(text, is_known, cost.wavefronts, cost.ideal, cost.conflicts);
    }
    lw_text_add(text, all->unlisted ? "" : "]");
    put_cost(text, plan->unknown.code == LW_OK, all->total->wavefronts, all->total->ideal,
             all->total->conflicts);
}

/* ---- Views between lines of text ---- */

bool lw_view_output_read(struct lw_view_output *output, const struct lw_arguments *args,
                         struct lw_error *err)
{
    const char *style = LW_OPTION_VALUE(args, STYLE);
    const struct lw_style *found = style ? lw_style_find(style) : NULL;
    const struct lw_format *format = NULL;
    if (!lw_figure_format(args, &format, err))
        return false;
    *output = (struct lw_view_output){
        .format = format ? format : lw_format_find("text"),
        .is_text = !format || !strcmp(format->name, "text"),
        .options = {.style = style ? style : "plain",
                    .labels = true,
                    .bare_labels = true,
                    .all = true,
                    .tight = true,
                    .fit = lw_figure_columns(args)},
    };
    return !style || (found && found->ruling) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED, "--style %s is not a table style", style);
}

bool lw_view_output_close(const struct lw_view_output *output, struct lw_view *view, FILE *out,
                          struct lw_error *err)
{
    bool good = view->rows == 0 || lw_export(view, output->format, &output->options, out, err);
    lw_view_close(view);
    return good;
}

bool lw_view_output_write(const struct lw_view_output *output, const char *name,
                          const struct lw_subject *subject, const struct lw_view_options *options,
                          FILE *out, struct lw_error *err)
{
    struct lw_view view;
    return lw_view_open(&view, lw_view_type_find(name), subject, options, err) &&
           lw_view_output_close(output, &view, out, err);
}

/* ---- Text ---- */

/* The longest line of numbers that is not wrapped: a whole line is easier to read and to search. */
#define WHOLE_LINE_COLUMNS 100

void lw_explanation_print(struct lw_text *text, struct lw_explanation *explanation, size_t label)
{
    for (int i = 0; i < explanation->count; i++) {
        const struct lw_line *line = &explanation->line[i];
        size_t used = lw_text_width(line->label) + 2, indent = used > label ? used : label;
        lw_text_format(text, "%s: ", line->label);
        lw_text_repeat(text, ' ', indent - used);
        if (!label && indent + lw_text_width(lw_text_string(&line->text)) <= WHOLE_LINE_COLUMNS)
            lw_text_format(text, "%s\n", lw_text_string(&line->text));
        else
            lw_text_wrap(text, lw_text_string(&line->text), indent, indent);
        text->failed = text->failed || line->text.failed;
    }
    lw_explanation_free(explanation);
    explanation->count = 0;
}

bool lw_access_print(FILE *out, const struct lw_subject *subject, enum lw_access_op op,
                     const struct lw_view_output *output, struct lw_error *err)
{
    const struct lw_view_options options = {.access = op == LW_ACCESS_STORE ? LW_VIEW_STORE
                                                                            : LW_VIEW_LOAD};
    struct lw_text text = {0};
    struct lw_explanation explanation = {0};
    struct lw_error why = {0};
    lw_text_char(&text, '\n');
    lw_put_access_title(&text, subject->access, op);
    lw_text_add(&text, ":\n");
    lw_output_text(out, &text);
    lw_text_clear(&text);
    bool good = lw_view_output_write(output, "banks", subject, &options, out, &why);
    if (!good && why.code == LW_ERROR_UNSUPPORTED) { /* as of parts of elements */
        lw_output_print(out, "%s\n", why.message);
        good = true;
    } else if (!good) {
        *err = why;
    }
    lw_explain_access_cost(subject->access, op, &explanation);
    lw_explanation_print(&text, &explanation, 0);
    if (good)
        lw_output_text(out, &text);
    lw_text_free(&text);
    return good;
}

void lw_uncounted_print(struct lw_text *text, const struct lw_plan *plan,
                        const struct lw_plan_total *total, uint64_t rounds)
{
    lw_text_add(text, plan->request.op == LW_ACCESS_STORE ? "\nstore, " : "\nload, ");
    lw_put_count(text, plan->warps, "warp");
    lw_text_add(text, rounds > 1 ? ", each round:\n" : ":\n");
    for (int i = 0; i < plan->opcode_count; i++)
        lw_text_format(text, "%s%s x%llu", i ? ", " : "", plan->opcodes[i].name,
                       (unsigned long long)plan->opcodes[i].count);
    lw_text_add(text, rounds > 1 ? "\nall rounds: " : "\ntotal: ");
    lw_put_count(text, total->instructions, "instruction");
    lw_text_format(text, ", %llu bytes, cost not counted\n", (unsigned long long)total->bytes);
    lw_text_wrap(text, plan->unknown.message, 0, 0);
}
