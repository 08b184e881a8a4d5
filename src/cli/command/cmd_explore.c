/* laneway [SOURCE...]: the explorer on a terminal, a printed view elsewhere. */

#include "cli/command/commands.h"
#include "cli/load.h"
#include "cli/requests.h"
#include "cli/shell.h"
#include "kernel/kernel_folder.h"
#include "tui/tui.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The source that is printed when none is given. */
#define DEFAULT_SOURCE "start/16x16"

/* Options that print instead of opening the explorer. */
#define PRINTING                                                                                   \
    (LW_OPTION_BIT(FORMAT) | LW_OPTION_BIT(STYLE) | LW_OPTION_BIT(ROWS) | LW_OPTION_BIT(COLS) |    \
     LW_OPTION_BIT(LABELS) | LW_OPTION_BIT(ALL) | LW_OPTION_BIT(JSON) | LW_OPTION_BIT(OUTPUT) |    \
     LW_OPTION_BIT(VIEW) | LW_OPTION_BIT(CELL) | LW_OPTION_BIT(COLOR_BY))

/* Opens the explorer. Each option that names another layout of an access becomes a --set of every source, with the
 * shape of -t, before those of the user, which may be of its parameters. The array of sets is large enough: it has an
 * entry for each argument and for the program's name. */
static enum lw_status explore(const struct lw_arguments *args)
{
    static const enum lw_option_id sides[] = {LW_OPTION_STORE, LW_OPTION_SHARED, LW_OPTION_LOAD};
    struct lw_text sets[LW_SIDES] = {0};
    struct lw_error err = {0};
    struct lw_tui_options options = {.sources = args->operands,
                                     .count = args->operand_count,
                                     .type = LW_OPTION_VALUE(args, TYPE),
                                     .element = LW_OPTION_VALUE(args, ELEMENT),
                                     .sets = args->sets,
                                     .set_count = args->set_count,
                                     .as = LW_OPTION_VALUE(args, AS)};
    enum lw_status status = LW_STATUS_OK;
    struct lw_load_options load;
    if (!lw_load_options(&load, args, &err))
        return lw_report_failure(NULL, &err);
    options.triton = load.triton;
    options.hardware = load.target;
    options.cuda = load.cuda;
    load.set_count = 0;
    load.input = NULL;
    for (int i = 0; i < LW_SIDES; i++) {
        const char *source = args->value[sides[i]];
        struct lw_document doc;
        if (!source)
            continue;
        if (!lw_load_document(&doc, source, &load, &err)) {
            status = lw_report_failure(lw_source_name(source), &err);
            break;
        }
        lw_text_format(&sets[i], "%s=", lw_side_key((enum lw_side)i));
        lw_document_print(&sets[i], &doc);
        lw_document_free(&doc);
        const size_t added = options.set_count++ - args->set_count;
        memmove(args->sets + added + 1, args->sets + added, args->set_count * sizeof *args->sets);
        args->sets[added] = lw_text_string(&sets[i]);
    }
    if (status == LW_STATUS_OK)
        status = lw_explore(args, options);
    for (int i = 0; i < LW_SIDES; i++)
        lw_text_free(&sets[i]);
    return status;
}

/* Refuses the other layouts of an access without the first one, and a first operand that names no layout and is near a
 * command's name. */
static bool check(const struct lw_arguments *args, struct lw_error *err)
{
    const char *operand = args->operand_count ? args->operands[0] : NULL;
    const struct lw_choices commands = lw_command_choices(args->program);
    char hint[LW_HINT_MAX];
    if (!operand)
        return !lw_options_are_set(args, LW_OPTIONS_SIDES) ||
               lw_error_set(err, LW_ERROR_SYNTAX,
                            "expected a SOURCE, the first layout of the access: laneway A "
                            "--shared S --load B");
    if (strspn(operand, "abcdefghijklmnopqrstuvwxyz") != strlen(operand) ||
        lw_source_name(operand) || lw_command_find(args->program, operand) ||
        !*lw_text_hint(hint, lw_choices_nearest(&commands, operand), ""))
        return true;
    return lw_error_set(err, LW_ERROR_NAME, "'%.40s' is neither a command nor a layout%s", operand,
                        hint);
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    static const char *defaults[] = {DEFAULT_SOURCE};
    struct lw_error err;
    if (!check(args, &err))
        return lw_report_failure(NULL, &err);
    if (LW_OPTION_IS_SET(args, SCRIPT) ||
        (!lw_options_are_set(args, PRINTING) && lw_terminal_is_usable()))
        return explore(args);
    /* A whole kernel, a folder of them, or two are reported, unless an option of `show` alone is set. */
    const size_t count = args->operand_count;
    const bool is_kernel =
        !lw_options_are_set(args, PRINTING & ~lw_command_ttgir.options) &&
        (count == 1 || (count == 2 && lw_kernel_is_dump(args->operands[1]))) &&
        (lw_is_folder(args->operands[0]) || lw_kernel_is_dump(args->operands[0]));
    struct lw_arguments print = *args;
    print.command = is_kernel ? &lw_command_ttgir : &lw_command_show;
    if (!count) {
        print.operands = defaults;
        print.operand_count = 1;
    }
    enum lw_status status = lw_command_line_run(&print, out);
    if (status != LW_STATUS_ERROR && !lw_options_are_set(args, PRINTING)) {
        const bool is_terminal = isatty(STDOUT_FILENO);
        const char *term = getenv("TERM");
        lw_error_set(&err, LW_ERROR_UNSUPPORTED, "the explorer does not open%s%.40s%s",
                     is_terminal ? " with TERM=" : ": standard output is not a terminal",
                     is_terminal && term ? term : "",
                     is_terminal ? "; it does with TERM=xterm-256color" : "");
        lw_report_failure(NULL, &err);
    }
    return status;
}

const struct lw_command lw_command_explore = {
    .name = "",
    .operands = "[SOURCE...]",
    .help = "explore layouts in the terminal",
    .about =
        "Opens the explorer on the sources, or on the gallery when none is given; ? lists its "
        "keys. Two sources are shown side by side, with the elements marked that have other "
        "owners; of more, the list is shown. When standard output is not a terminal, or an option "
        "of 'laneway show' is set, it prints what 'laneway show' prints.\n\n"
        "A Triton dump opens as a kernel: its operations, the most expensive first, and its "
        "layouts; a folder, or several dumps, as a list of kernels, which without a terminal are "
        "printed as by 'laneway ttgir'; a folder without kernels as a list of its layouts, files "
        "that end in .json. --script FILE runs the explorer without a terminal ('laneway help "
        "scripts').",
    .options = LW_OPTIONS_SOURCE | LW_OPTIONS_SIDES | LW_OPTION_BIT(COLOR) | LW_OPTION_BIT(ASCII) |
               LW_OPTION_BIT(NO_MOUSE) | LW_OPTION_BIT(THEME) | LW_OPTION_BIT(SCRIPT) |
               LW_OPTION_BIT(AS) | PRINTING,
    .max_operands = LW_ANY_NUMBER,
    .examples = {{"", "the gallery"},
                 {"'local(2, 1).spatial(8, 4)'", "one layout"},
                 {"tilus/spatial-2x3 tilus/column-spatial-2x3", "two layouts, and what differs"},
                 {"blocked/16x64 -t 16x64xf16 --shared shared/nvmma-32",
                  "registers and shared memory"},
                 {"matmul.ttgir", "what a compiled kernel moves"},
                 {"~/.triton/cache", "the kernels that Triton keeps"}},
    .run = run,
};
