/* laneway [SOURCE...]: the explorer on a terminal, a printed view elsewhere. */

#include "cli/cli.h"
#include "tui/explore/explorer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is shown when nothing is named and there is no terminal. */
#define USUAL_SOURCE "start/16x16"

/* Options that ask for something printed. */
#define PRINTING                                                                                   \
    (LW_TAKES(FORMAT) | LW_TAKES(STYLE) | LW_TAKES(ROWS) | LW_TAKES(COLS) | LW_TAKES(LABELS) |     \
     LW_TAKES(ALL) | LW_TAKES(JSON) | LW_TAKES(OUTPUT) | LW_TAKES_TENSOR_LAYOUT)

static bool wants_explorer(const struct lw_arguments *args)
{
    const char *term = getenv("TERM");
    if (LW_GIVEN(args, SCRIPT))
        return true;
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (args->value[id] && (PRINTING >> id & 1))
            return false;
    return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static enum lw_color_mode color_mode(const struct lw_arguments *args)
{
    const char *when = LW_VALUE(args, COLOR);
    if (!when || !strcmp(when, "auto"))
        return LW_COLOR_AUTO;
    return !strcmp(when, "always") ? LW_COLOR_ALWAYS : LW_COLOR_NEVER;
}

/* --with becomes a set of every source, with the shape that -t says; the table of sets has room for it, since
 * the program's own name is none. */
static bool add_second(const struct lw_arguments *args, struct lw_text *set, struct lw_error *err)
{
    const struct lw_load_options options = {.type = LW_VALUE(args, TYPE),
                                            .element = LW_VALUE(args, ELEMENT)};
    struct lw_document doc;
    if (!LW_GIVEN(args, WITH))
        return true;
    if (!lw_load_document(&doc, LW_VALUE(args, WITH), &options, err))
        return false;
    lw_text_add(set, "with=");
    lw_document_print(set, &doc);
    lw_document_free(&doc);
    args->sets[args->set_count] = lw_text_string(set);
    return !set->failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

static enum lw_status explore(const struct lw_arguments *args)
{
    struct lw_text second = {0};
    struct lw_error err = {0};
    const struct lw_hardware *target = NULL;
    if (LW_GIVEN(args, TARGET) && !(target = lw_target_get(LW_VALUE(args, TARGET), &err)))
        return lw_complain(NULL, &err);
    struct lw_tui_options options = {.shell = &lw_shell,
                                     .sources = args->words,
                                     .count = args->word_count,
                                     .start = USUAL_SOURCE,
                                     .type = LW_VALUE(args, TYPE),
                                     .element = LW_VALUE(args, ELEMENT),
                                     .sets = args->sets,
                                     .set_count = args->set_count + LW_GIVEN(args, WITH),
                                     .hardware = target,
                                     .view = LW_VALUE(args, VIEW),
                                     .cell = LW_VALUE(args, CELL),
                                     .color_by = LW_VALUE(args, COLOR_BY),
                                     .color = color_mode(args),
                                     .theme = LW_VALUE(args, THEME),
                                     .ascii = LW_GIVEN(args, ASCII),
                                     .no_mouse = LW_GIVEN(args, NO_MOUSE),
                                     .script = LW_VALUE(args, SCRIPT)};
    if (!add_second(args, &second, &err)) {
        lw_text_free(&second);
        return lw_complain(lw_source_name(LW_VALUE(args, WITH)), &err);
    }
    int status = lw_tui_run(&options, &err);
    lw_text_free(&second);
    if (err.code != LW_OK)
        return lw_complain(err.place.line ? LW_VALUE(args, SCRIPT) : NULL, &err);
    return (enum lw_status)status;
}

/* A first word that is near a command's name and names no layout was meant as that command. */
static bool check_command(const struct lw_arguments *args, struct lw_error *err)
{
    const char *word = args->word_count ? args->words[0] : NULL;
    if (!word || strspn(word, "abcdefghijklmnopqrstuvwxyz") != strlen(word) ||
        lw_source_name(word) || lw_command_find(word))
        return true;
    char hint[LW_HINT_MAX];
    if (!*lw_text_hint(hint, lw_nearest(word, &lw_choices_commands), ""))
        return true;
    return lw_error_set(err, LW_ERROR_NAME, "'%.40s' is neither a command nor a layout%s", word,
                        hint);
}

/* A whole kernel, or a folder of them, and no option of `show` alone. */
static bool is_kernel(const struct lw_arguments *args)
{
    const uint64_t layouts = PRINTING & ~lw_command_ttgir.options;
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (args->value[id] && (layouts >> id & 1))
            return false;
    return args->word_count == 1 && lw_browse_is(args->words[0]);
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    static const char *usual[] = {USUAL_SOURCE};
    struct lw_error err;
    if (!check_command(args, &err))
        return lw_complain(NULL, &err);
    if (wants_explorer(args))
        return explore(args);
    struct lw_arguments print = *args;
    if (is_kernel(args))
        return lw_command_ttgir.run(&print, out);
    if (print.word_count == 0 && !lw_tensor_layout_asked(args)) {
        print.words = usual;
        print.word_count = 1;
    }
    return lw_command_show.run(&print, out);
}

const struct lw_command lw_command_explore = {
    .name = "",
    .words = "[SOURCE...]",
    .help = "explore layouts in the terminal",
    .about =
        "Opens the explorer on the sources, or on the gallery when none is named; ? lists its "
        "keys. "
        "When standard output is not a terminal, or an option asks for something printed, it does "
        "what 'laneway show' does.\n\n"
        "A Triton dump opens as a kernel: its operations, the costliest first, and its layouts; a "
        "folder "
        "as the list of the kernels in it. Elsewhere these are printed as 'laneway ttgir' does.\n\n"
        "--script FILE runs the explorer without a terminal, from a file of actions, one a line, "
        "such "
        "as 'key Tab Down' and 'save-screen FILE'; 'laneway help scripts' lists them.",
    .options = LW_TAKES_SOURCE | LW_TAKES(WITH) | LW_TAKES(VIEW) | LW_TAKES(CELL) |
               LW_TAKES(COLOR_BY) | LW_TAKES(COLOR) | LW_TAKES(ASCII) | LW_TAKES(NO_MOUSE) |
               LW_TAKES(THEME) | LW_TAKES(SCRIPT) | PRINTING,
    .most = LW_MANY,
    .acts = true,
    .examples = {{"", "the gallery"},
                 {"'local(2, 1).spatial(8, 4)'", "one layout"},
                 {"'local(2, 1).spatial(8, 4)' --view hardware", "in another view"},
                 {"blocked/16x64 -t 16x64xf16 --with shared/nvmma-32", "two layouts of one tensor"},
                 {"matmul.ttgir", "what a compiled kernel moves"},
                 {"~/.triton/cache", "the kernels that Triton keeps"}},
    .run = run,
};
