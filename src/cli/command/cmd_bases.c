/* laneway bases: the linear layout as its bases. */

#include "cli/command/commands.h"
#include "cli/batch.h"
#include "export/output.h"

/* Prints Triton's form without the newline at its beginning, and with one at its end. */
static void print_text(FILE *out, const struct lw_layout *layout)
{
    struct lw_text text = {0};
    lw_layout_print(&text, layout);
    const char *start = lw_text_string(&text);
    bool ended = text.length && text.data[text.length - 1] == '\n';
    lw_output_print(out, ended ? "%s" : "%s\n", start + (*start == '\n'));
    lw_text_free(&text);
}

static void print_json(FILE *out, const struct lw_layout *layout)
{
    struct lw_text text = {0};
    lw_layout_print_json(&text, layout);
    lw_text_char(&text, '\n');
    lw_output_text(out, &text);
    lw_text_free(&text);
}

/* Remarks which layout of an access is printed, when the command line names none. */
static void remark(const struct lw_document *doc, const char *source)
{
    struct lw_text text = {0};
    lw_load_put_side(&text, doc);
    if (text.length)
        lw_output_print(lw_messages(), "laneway: %s: %s\n", source, lw_text_string(&text));
    lw_text_free(&text);
}

static bool print_one(const struct lw_arguments *args, const char *source,
                      const struct lw_load_options *options, FILE *out, struct lw_error *err)
{
    struct lw_document doc, one;
    struct lw_layout layout;
    enum lw_side side;
    if (!lw_load_document(&doc, source, options, err))
        return false;
    bool good = lw_load_side(&doc, args, &side, err);
    if (good) {
        lw_document_side(&one, &doc, side);
        good = lw_load_layout(&one, options, &layout, err);
    }
    if (good && !LW_OPTION_IS_SET(args, SIDE))
        remark(&doc, source);
    if (good && LW_OPTION_IS_SET(args, JSON))
        print_json(out, &layout);
    else if (good)
        print_text(out, &layout);
    lw_document_free(&doc);
    return good;
}

static bool answer_request(const struct lw_request *request, struct lw_text *text,
                           struct lw_error *err)
{
    struct lw_layout layout;
    if (!lw_loaded_layout(request->loaded, &layout, err))
        return false;
    lw_layout_print_json(text, &layout);
    return true;
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct lw_load_options options;
    struct lw_error err;
    if (LW_OPTION_IS_SET(args, BATCH) && LW_OPTION_IS_SET(args, SIDE)) {
        lw_error_set(&err, LW_ERROR_SYNTAX,
                     "--side is for SOURCEs of the command line: of an "
                     "access --batch prints the first layout");
        return lw_report_failure(NULL, &err);
    }
    if (LW_OPTION_IS_SET(args, BATCH))
        return lw_batch_requests(args, out, answer_request, false);
    if (!lw_load_options(&options, args, &err))
        return lw_report_failure(NULL, &err);
    for (size_t i = 0; i < args->operand_count; i++) {
        if (i > 0 && !LW_OPTION_IS_SET(args, JSON))
            lw_output_print(out, "\n");
        if (!print_one(args, args->operands[i], &options, out, &err))
            return lw_report_failure(lw_source_name(args->operands[i]), &err);
    }
    return LW_STATUS_OK;
}

static bool answer(const struct lw_arguments *args, struct lw_batch_line *line,
                   struct lw_text *text, struct lw_error *err)
{
    return lw_batch_answer_request(args, line, answer_request, false, text, err);
}

const struct lw_command lw_command_bases = {
    .name = "bases",
    .operands = "SOURCE...",
    .help = "print the linear layout as its bases",
    .about =
        "Prints the element that each bit of the register, lane, warp and block index is mapped "
        "to, in Triton's notation, or with --json as one object per line, which is a SOURCE too. "
        "For a tilus layout the local index is printed as the register, and the thread as lane and "
        "warp. Of an access one layout is printed, its first, or the one that --side names.\n\n"
        "With --batch each line of standard input is a SOURCE, or an object {\"source\": \"...\", "
        "\"type\": \"tensor<...>\", \"triton\": \"3.9\", \"set\": {\"name\": value}}. Each is "
        "answered by one line with the bases, or with {\"error\": \"...\"}, in the same order.",
    .options = LW_OPTIONS_SOURCE | LW_OPTION_BIT(SIDE) | LW_OPTION_BIT(JSON) |
               LW_OPTION_BIT(BATCH) | LW_OPTION_BIT(OUTPUT) | LW_OPTION_BIT(COLOR),
    .min_operands = 1,
    .max_operands = LW_ANY_NUMBER,
    .examples = {{"bases 'spatial(4, 8)'", "in Triton's notation"},
                 {"bases 'spatial(4, 8)' --json", "for programs"},
                 {"bases banks/transpose-swizzled --side load", "registers B of an access"},
                 {"bases --json --batch <sources.txt", "many at once"}},
    .run = run,
    .answer = answer,
};
