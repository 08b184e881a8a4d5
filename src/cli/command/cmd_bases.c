/* laneway bases: the linear layout as its bases. */

#include "cli/command/commands.h"
#include "cli/load.h"

static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    struct lw_load_options options;
    if (!lw_load_options(&options, args, err))
        return LW_STATUS_ERROR;
    for (size_t i = 0; i < args->operand_count; i++) {
        struct lw_document doc, one;
        struct lw_layout layout;
        struct lw_text form = {0};
        enum lw_side side;
        answer->source = args->operands[i];
        if (!lw_load_document(&doc, args->operands[i], &options, err))
            return LW_STATUS_ERROR;
        bool good = lw_load_side(&doc, args, &side, err);
        if (good) {
            lw_document_side(&one, &doc, side);
            good = lw_load_layout(&one, &options, &layout, err);
        }
        lw_document_free(&doc);
        if (!good)
            return LW_STATUS_ERROR;
        lw_text_add(&answer->text, i ? "\n" : "");
        if (!answer->out) {
            lw_layout_print_json(&answer->text, &layout);
            continue;
        }
        lw_layout_print(&form, &layout); /* a newline is at its end, and not at its beginning */
        const char *start = lw_text_string(&form);
        const bool ended = form.length && form.data[form.length - 1] == '\n';
        lw_text_format(&answer->text, ended ? "%s" : "%s\n", start + (*start == '\n'));
        if (form.failed)
            lw_text_fail(&answer->text);
        lw_text_free(&form);
    }
    return LW_STATUS_OK;
}

const struct lw_command lw_command_bases = {
    .name = "bases",
    .operands = "SOURCE...",
    .help = "print the linear layout as its bases",
    .about =
        "Prints the element that each bit of the register, lane, warp and block index is mapped "
        "to, in Triton's notation, or with --json as one object per line, which is a SOURCE too. "
        "For a tilus layout the local index is printed as the register, and the thread as lane and "
        "warp. Of an access one layout is printed, its first, or the one that --side names.",
    .options = LW_OPTIONS_SOURCE | LW_OPTION_BIT(SIDE) | LW_OPTIONS_ANSWER,
    .min_operands = 1,
    .max_operands = LW_ANY_NUMBER,
    .keys = {{"source", LW_REQUEST_SOURCES}},
    .examples = {{"bases 'spatial(4, 8)'", "in Triton's notation"},
                 {"bases 'spatial(4, 8)' --json", "for programs"},
                 {"bases banks/transpose-swizzled --side load", "registers B of an access"},
                 {"bases --json --batch <sources.txt", "many at once"}},
    .answer = answer,
};
