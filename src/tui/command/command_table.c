/* The table of commands, and how a text finds its row. */

#include "tui/command/command.h"

#include "core/array_count.h"
#include "core/unused.h"
#include "kernel/kernel_folder.h"
#include "notation/document/read.h"
#include "tui/keep/edits.h"
#include "laneway/export.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct command {
    const char *name, *arguments, *help;
    bool needs_layout;
    bool (*run)(struct lw_app *app, const char *rest, struct lw_error *err);
};

/* ---- Which screen shows a source ---- */

/* Pushes the screen of a layout, which must be legal. */
static bool open_layout(struct lw_app *app, const char *source, struct lw_error *err)
{
    struct lw_text text = {0};
    struct lw_document doc;
    if (!strcmp(source, "-")) { /* it can be read once */
        struct lw_open_options options = app->opening.open;
        options.input = stdin;
        if (!lw_document_open(&doc, source, &options, err))
            return false;
        lw_document_print_access(&text, &doc);
        lw_document_free(&doc);
        source = lw_text_string(&text);
    }
    struct lw_screen *screen = lw_layout_of_document(app, NULL, source, err);
    lw_text_free(&text);
    lw_app_push(app, screen);
    return screen != NULL;
}

bool lw_open_sources(struct lw_app *app, const char *const *sources, size_t count,
                     struct lw_error *err)
{
    const char *const home[] = {app->file};
    bool are_kernels = true;
    if (count == 1 && !strncmp(*sources, "~/", 2) && lw_app_file_name(app, *sources))
        sources = home;
    for (size_t i = 0; i < count; i++)
        are_kernels = are_kernels && lw_kernel_is_dump(sources[i]);
    if (count > 2)
        return lw_folder_open_list(app, "the command line", sources, count, err);
    if (count == 1 && lw_is_folder(sources[0]))
        return lw_folder_open_screen(app, sources[0], err);
    if (are_kernels)
        return lw_kernel_open_screen(app, count > 1 ? sources[0] : NULL, sources[count - 1], err);
    return open_layout(app, sources[0], err) &&
           (count == 1 || lw_layout_compare_with(lw_app_top(app), sources[1], err));
}

/* ---- The layout on the screen ---- */

/* The topmost layout screen; NULL: there is none. */
static struct lw_screen *layout_of(const struct lw_app *app)
{
    for (int i = app->depth - 1; i >= 0; i--) {
        struct lw_screen *screen = app->stack[i];
        if (screen->type->layout)
            return screen->type->layout(screen);
    }
    return NULL;
}

static const struct lw_document *document_of(const struct lw_app *app)
{
    const struct lw_screen *screen = layout_of(app);
    const struct lw_model *model = screen ? lw_layout_model(screen) : NULL;
    return model ? &model->doc : NULL;
}

/* Appends the source of `it`: all layouts of an access, or the document's own one. */
static void put_it(const struct lw_app *app, bool all, struct lw_text *text)
{
    const struct lw_document *doc = document_of(app);
    struct lw_document own;
    if (!doc)
        return;
    lw_document_side(&own, doc, doc->side);
    lw_document_print_access(text, all ? doc : &own);
}

/* ---- Commands with a source ---- */

static bool open(struct lw_app *app, const char *rest, struct lw_error *err)
{
    return lw_open_sources(app, &rest, 1, err);
}

static bool compare(struct lw_app *app, const char *rest, struct lw_error *err)
{
    return lw_layout_compare_with(layout_of(app), rest, err);
}

static bool replace(struct lw_app *app, const char *rest, struct lw_error *err)
{
    return lw_layout_show(layout_of(app), NULL, rest, err);
}

/* ---- Commands that change the layout ---- */

/* Sets one parameter; one that the document's own layout does not have is that of another layout of the access. */
static bool set_one(struct lw_document *doc, const char *name, const char *value,
                    struct lw_error *err)
{
    static const char *const others[] = {"shared.", "load.", "store."};
    bool good = lw_document_set(doc, name, value, err);
    for (size_t i = 0; i < LW_COUNT(others) && !good && err->code == LW_ERROR_NAME; i++) {
        struct lw_error other = {0};
        char longer[160];
        snprintf(longer, sizeof longer, "%s%.127s", others[i], name);
        good = lw_document_set(doc, longer, value, &other);
        if (!good && other.code != LW_ERROR_NAME)
            *err = other;
    }
    return good;
}

/* NAME=VALUE, or several of them separated by blanks, as one change. An error is at the one that is wrong. */
static bool set(struct lw_app *app, const char *rest, struct lw_error *err)
{
    struct lw_document doc;
    struct lw_text text = {0};
    bool good = true;
    if (!lw_document_copy(&doc, document_of(app), err))
        return false;
    for (const char *at = rest; good && *at;) {
        char name[128];
        const size_t length = lw_setting_length(at), end = strcspn(at, "= ");
        const char *value = at + end + strspn(at + end, " ");
        snprintf(name, sizeof name, "%.*s", (int)end, at);
        lw_text_clear(&text);
        if (*value == '=') {
            value += 1 + strspn(value + 1, " ");
            lw_text_bytes(&text, value, value < at + length ? (size_t)(at + length - value) : 0);
            good = set_one(&doc, name, lw_text_string(&text), err);
        } else {
            good = lw_error_set(err, LW_ERROR_SYNTAX, "expected %s=VALUE", name);
        }
        err->position = (struct lw_position){1, (int)(at - rest) + 1, (int)length};
        at += length + strspn(at + length, " ");
    }
    if (good && !lw_layout_show(layout_of(app), &doc, NULL, err)) {
        const char *named = err->parameter[0] ? strstr(rest, err->parameter) : NULL;
        good = false; /* the position is in the text of the layout */
        err->position = (struct lw_position){0, 0, 0};
        if (named)
            err->position =
                (struct lw_position){1, (int)(named - rest) + 1, (int)lw_setting_length(named)};
    }
    lw_text_free(&text);
    lw_document_free(&doc);
    return good;
}

/* ---- Commands of the explorer ---- */

static bool find(struct lw_app *app, const char *rest, struct lw_error *err)
{
    struct lw_screen *top = lw_app_top(app);
    if (!(lw_screen_state(top) & LW_CAN_FIND))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "there is nothing to find on this screen");
    return lw_screen_find(top, rest, err);
}

/* Opens the layouts of all screens again, after a change of how they are opened. */
static void open_again(struct lw_app *app)
{
    struct lw_error err = {0};
    for (int i = 0; i < app->depth; i++) {
        const struct lw_screen_type *type = app->stack[i]->type;
        if (type->layout && !lw_layout_again(type->layout(app->stack[i]), &err))
            lw_app_problem(app, &err);
    }
}

static bool target(struct lw_app *app, const char *rest, struct lw_error *err)
{
    const struct lw_tui_shell *shell = app->options->shell;
    const struct lw_hardware *hardware = lw_hardware_find(rest);
    if (!hardware && shell && !shell->target(rest, &hardware, err))
        return false;
    if (!hardware)
        return lw_error_set(err, LW_ERROR_NAME, "no target '%.40s': help targets lists them", rest);
    if (lw_app_top(app)->type == &lw_kernel_screen)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "a kernel is counted for the target that it was compiled for; "
                            "another one: laneway FILE --target NAME");
    lw_app_message(app, "%s: %s, %u lanes per warp, %u banks", hardware->name, hardware->title,
                   hardware->lanes, hardware->banks->banks);
    app->opening.hardware = hardware;
    open_again(app);
    return true;
}

static bool option(struct lw_app *app, const char *rest, struct lw_error *err)
{
    const size_t length = strcspn(rest, "= ");
    const char *value = rest + length + strspn(rest + length, "= ");
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)length, rest);
    if (!lw_app_set_option(app, name, value, err))
        return false;
    lw_app_message(app, "%s is %s, also at the next start", name, value);
    return true;
}

/* ---- Files ---- */

static bool save(struct lw_app *app, const char *rest, LW_UNUSED struct lw_error *err)
{
    struct lw_screen *screen = layout_of(app);
    lw_edits_save_as(screen->type->edits(screen), rest);
    return true;
}

static bool export(struct lw_app *app, const char *rest, struct lw_error *err)
{
    return lw_export_to_file(layout_of(app), rest, err);
}

/* Runs a line of the program and shows what it printed, one line on the line of keys, more of them on a page;
 * LW_RAN_FAILED: the reason is in *err. */
static enum lw_ran run_line(struct lw_app *app, const char *title, const char *line,
                            struct lw_error *err)
{
    struct lw_text it = {0}, printed = {0};
    put_it(app, true, &it);
    enum lw_ran ran = lw_program_line(app, line, lw_text_string(&it), &printed, err);
    const char *text = lw_text_string(&printed);
    const size_t length = strcspn(text, "\n");
    if (ran == LW_RAN_DONE && (!text[length] || !text[length + 1]))
        lw_app_message(app, "%.*s", (int)length, length ? text : "it printed nothing");
    if (ran == LW_RAN_DONE && (strlen(text) > length + 1 || length >= sizeof app->message ||
                               lw_text_width(app->message) > (size_t)app->width)) {
        app->message[0] = '\0';
        lw_page_show(app, title, text);
    }
    lw_text_free(&it);
    lw_text_free(&printed);
    return ran;
}

static bool calculate(struct lw_app *app, const char *rest, struct lw_error *err)
{
    struct lw_text line = {0}, let = {0};
    lw_text_add(&let, "it=");
    put_it(app, false, &let);
    lw_text_add(&line, "calc ");
    lw_put_quoted(&line, rest);
    if (strstr(rest, "it") && document_of(app)) {
        lw_text_add(&line, " --let ");
        lw_put_quoted(&line, lw_text_string(&let));
    }
    lw_text_free(&let);
    enum lw_ran ran = run_line(app, rest, lw_text_string(&line), err);
    if (ran == LW_RAN_NOTHING)
        lw_error_set(err, LW_ERROR_UNSUPPORTED, "this session has no calculator");
    lw_text_free(&line);
    return ran == LW_RAN_DONE;
}

static bool help(struct lw_app *app, const char *rest, struct lw_error *err);

/* ---- The table ---- */

/* What has arguments needs them; "[NAME]": may have them. */
static const struct command commands[] = {
    {"open", "SOURCE", "open a layout, a type, an access or a file", false, open},
    {"source", "SOURCE", "put another layout in place of this one, as key e does", true, replace},
    {"set", "NAME=VALUE ...", "set parameters of the layout", true, set},
    {"compare", "SOURCE", "compare with another layout", true, compare},
    {"find", "TEXT", "find 3,5, t17, w1 l3, r4, bank 7, offset 40; on a page a text", false, find},
    {"target", "NAME", "the hardware, by name or a file: banks, lanes per warp", false, target},
    {"trips", "NUMBERS", "how often loops of the kernel run: 16, or 73=16, or K=512", false,
     lw_kernel_set_trips},
    {"option", "NAME=VALUE", "the settings: theme, color, ascii, mouse", false, option},
    {"save", "FILE", "save the layout as a file", true, save},
    {"export", "FILE", "write the picture to a file; its extension is the format", true, export},
    {"calc", "EXPR", "compute; `it` is the layout on the screen", false, calculate},
    {"help", "[TOPIC]", "all commands, or help about a command or topic of the program", false,
     help},
};

static const struct command *command_of(const char *text)
{
    const size_t length = strcspn(text, " ");
    for (size_t i = 0; i < LW_COUNT(commands); i++)
        if (strlen(commands[i].name) == length && !strncmp(commands[i].name, text, length))
            return &commands[i];
    return NULL;
}

static bool help(struct lw_app *app, const char *rest, struct lw_error *err)
{
    struct lw_text text = {0}, line = {0};
    enum { COLUMN = 22 };
    enum lw_ran ran = LW_RAN_DONE;
    if (*rest) {
        lw_text_format(&line, "help %s", rest);
        ran = run_line(app, lw_text_string(&line), lw_text_string(&line), err);
        if (ran == LW_RAN_NOTHING)
            lw_error_set(err, LW_ERROR_NAME, "no help for '%.40s'", rest);
    } else {
        for (size_t i = 0; i < LW_COUNT(commands); i++) {
            lw_text_clear(&line);
            lw_text_format(&line, "%s %s", commands[i].name, commands[i].arguments);
            lw_text_format(&text, "%-*s  %s\n", COLUMN, lw_text_string(&line), commands[i].help);
        }
        lw_text_add(&text, "\nThe names of actions are commands too, and all of the program's own: "
                           "`bases`, `banks`, `help TOPIC`.\n"
                           "All other texts are computed: `it.invert()`; `help operations`.\n");
        lw_page_show(app, "Commands", lw_text_string(&text));
    }
    lw_text_free(&text);
    lw_text_free(&line);
    return ran == LW_RAN_DONE;
}

/* ---- Running a text ---- */

static const char *command_name(LW_UNUSED const void *context, size_t i)
{
    return i < LW_COUNT(commands) ? commands[i].name : NULL;
}

/* A text that begins with no row of the table. */
static bool run_other(struct lw_app *app, const char *text, struct lw_error *err)
{
    char name[32], hint[LW_HINT_MAX];
    const size_t length = strcspn(text, " ");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (!text[length] && lw_app_run(app, name))
        return true;
    if (!strcmp(name, "as"))
        return lw_error_set(err, LW_ERROR_NAME, "as: 'laneway SOURCE --as STAGE' counts so");
    enum lw_ran ran = run_line(app, text, text, err);
    if (ran != LW_RAN_NOTHING)
        return ran == LW_RAN_DONE;
    if (strpbrk(text, "(*=.<:+") || isdigit((unsigned char)*text))
        return calculate(app, text, err);
    const char *near = lw_text_nearest(name, LW_COUNT(commands), command_name, NULL);
    lw_error_set(err, LW_ERROR_NAME, "no command '%s'%s", name,
                 lw_text_hint(hint, near, "; :help lists them"));
    if (err)
        err->position = (struct lw_position){1, 1, (int)length};
    return false;
}

bool lw_command_run(struct lw_app *app, const char *text, struct lw_error *err)
{
    struct lw_text line = {0};
    const size_t blanks = strspn(text, " ");
    size_t end = strlen(text);
    while (end > blanks && text[end - 1] == ' ')
        end--;
    lw_text_bytes(&line, text + blanks, end - blanks);
    text = lw_text_string(&line);
    const struct command *command = command_of(text);
    const size_t name = strcspn(text, " "), from = name + strspn(text + name, " ");
    bool good = true;
    if (command && command->needs_layout && !document_of(app))
        good = lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s needs a layout: open one first",
                            command->name);
    else if (command && !text[from] && command->arguments[0] != '[')
        good =
            lw_error_set(err, LW_ERROR_SYNTAX, "expected %s %s", command->name, command->arguments);
    else if (command)
        good = command->run(app, text + from, err);
    else if (*text)
        good = run_other(app, text, err);
    if (!good && command && !strcmp(command->arguments, "SOURCE") && lw_source_path(text + from))
        err->position.line = 0; /* an error in a file has no position in the text of the command */
    if (!good && err->position.line)
        err->position.column += (int)(blanks + (command ? from : 0));
    lw_text_free(&line);
    return good;
}

/* ---- For the prompt ---- */

void lw_command_advise(LW_UNUSED const struct lw_screen *below, const char *text,
                       struct lw_text *advice)
{
    const struct command *command = command_of(text);
    const size_t length = strlen(text);
    if (command)
        lw_text_format(advice, "%s %s   %s", command->name, command->arguments, command->help);
    for (size_t i = 0; !command && i < LW_COUNT(commands); i++)
        if (!strncmp(commands[i].name, text, length))
            lw_text_format(advice, "%s  ", commands[i].name);
}
