/* Scripts: the explorer run by a file, without a terminal. A line is an event of the table below, a command after `:`,
 * or the name of an action; `#` begins a comment. */

#include "tui/command/command.h"
#include "tui/lesson/lesson_screen.h"

#include "core/array_count.h"
#include "core/unused.h"
#include "export/output.h"
#include "notation/document/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct lw_screen_type *const lw_screen_types[] = {
    &lw_layout_screen, &lw_start_screen,  &lw_kernel_screen,
    &lw_folder_screen, &lw_lesson_screen, &lw_page_screen,
    &lw_choice_screen, &lw_prompt_screen, NULL,
};

/* ---- Lines that are events ---- */

/* The screen is drawn after each event, as what a key does depends on what is there. */
static void send(struct lw_app *app, struct lw_event event)
{
    struct lw_surface surface = {0};
    if (app->quit)
        return;
    lw_app_event(app, &event);
    if (!app->quit)
        lw_app_draw(app, &surface);
    lw_surface_free(&surface);
}

static void press(struct lw_app *app, uint32_t key)
{
    send(app, (struct lw_event){.kind = LW_EVENT_KEY, .key = key});
}

static bool run_keys(struct lw_app *app, const char *text, LW_UNUSED int kind, struct lw_error *err)
{
    while (*text) {
        size_t length = strcspn(text, " ");
        uint32_t key = lw_key_of_name(text, length);
        if (!key)
            return lw_error_set(err, LW_ERROR_NAME, "'%.*s' is not a key", (int)length, text);
        press(app, key);
        text += length;
        text += strspn(text, " ");
    }
    return true;
}

static bool run_type(struct lw_app *app, const char *text, LW_UNUSED int kind,
                     LW_UNUSED struct lw_error *err)
{
    for (int bytes; *text; text += bytes)
        press(app, lw_text_decode(text, &bytes));
    return true;
}

static bool run_paste(struct lw_app *app, const char *text, LW_UNUSED int kind,
                      struct lw_error *err)
{
    struct lw_text pasted = {0};
    for (; *text; text++) {
        bool is_newline = text[0] == '\\' && text[1] == 'n';
        lw_text_char(&pasted, is_newline ? '\n' : *text);
        text += is_newline;
    }
    bool good = !pasted.failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good)
        send(app, (struct lw_event){.kind = LW_EVENT_PASTE, .text = lw_text_string(&pasted)});
    lw_text_free(&pasted);
    return good;
}

static bool run_resize(struct lw_app *app, const char *text, LW_UNUSED int kind,
                       struct lw_error *err)
{
    enum { MOST = 2000 };
    int width, height;
    char more;
    if (sscanf(text, "%5dx%5d%c", &width, &height, &more) != 2)
        return lw_error_set(err, LW_ERROR_SYNTAX, "expected WIDTHxHEIGHT");
    if (width < 1 || height < 1 || width > MOST || height > MOST)
        return lw_error_set(err, LW_ERROR_LIMIT, "a screen has 1x1 to %dx%d characters", MOST,
                            MOST);
    send(app, (struct lw_event){.kind = LW_EVENT_RESIZE, .row = height, .col = width});
    return true;
}

static bool run_mouse(struct lw_app *app, const char *text, int kind, struct lw_error *err)
{
    struct lw_event event = {.kind = (enum lw_event_kind)kind};
    char more;
    if (kind == LW_EVENT_WHEEL
            ? sscanf(text, "%5d %5d %5d%c", &event.amount, &event.row, &event.col, &more) != 3
            : sscanf(text, "%5d %5d%c", &event.row, &event.col, &more) != 2)
        return lw_error_set(err, LW_ERROR_SYNTAX, "expected %s",
                            kind == LW_EVENT_WHEEL ? "LINES ROW COLUMN; fewer than 0 lines: up"
                                                   : "ROW COLUMN, counted from 0");
    send(app, event);
    return true;
}

/* All work that waits is done first. */
static bool run_save(struct lw_app *app, const char *path, LW_UNUSED int kind, struct lw_error *err)
{
    struct lw_surface surface = {.ascii = app->options->ascii};
    struct lw_text text = {0};
    struct lw_output output;
    if (app->options->writes_nothing && strcmp(path, "-") != 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "files cannot be written in this session");
    lw_app_finish_work(app);
    lw_app_draw(app, &surface);
    lw_surface_print(&text, &surface);
    bool good = lw_output_open(&output, path, stdout, err);
    if (good) {
        lw_output_text(output.stream, &text);
        good = lw_output_close(&output, !lw_memory_failed(), err);
    }
    lw_text_free(&text);
    lw_surface_free(&surface);
    return good;
}

static const struct line {
    const char *name, *help;
    bool (*run)(struct lw_app *app, const char *rest, int kind, struct lw_error *err);
    int kind; /* of the event of the mouse */
} lines[] = {
    {"key", "press keys by name: key Tab C-u Enter x", run_keys, 0},
    {"type", "press the characters of the rest of the line", run_type, 0},
    {"paste", "paste the rest of the line; \\n in it is a new line", run_paste, 0},
    {"click", "click at ROW COLUMN, counted from 0", run_mouse, LW_EVENT_CLICK},
    {"drag", "move the pointer to ROW COLUMN with the button held", run_mouse, LW_EVENT_DRAG},
    {"hover", "move the pointer to ROW COLUMN", run_mouse, LW_EVENT_HOVER},
    {"wheel", "turn the wheel by LINES at ROW COLUMN", run_mouse, LW_EVENT_WHEEL},
    {"resize", "make the screen WIDTHxHEIGHT: resize 120x40", run_resize, 0},
    {"save-screen", "write the screen as text to a FILE; - is standard output", run_save, 0},
};

/* ---- Actions ---- */

/* Action number i of all screens and of those that all screens have; NULL: there are fewer. */
static const struct lw_screen_action *action_at(size_t i)
{
    size_t count;
    for (const struct lw_screen_type *const *type = lw_screen_types; *type; type++) {
        if (i < (*type)->action_count)
            return &(*type)->actions[i];
        i -= (*type)->action_count;
    }
    const struct lw_screen_action *actions = lw_all_actions(&count);
    return i < count ? &actions[i] : NULL;
}

static bool is_action(const char *name, size_t before)
{
    for (size_t i = 0; i < before && action_at(i); i++)
        if (!strcmp(action_at(i)->name, name))
            return true;
    return false;
}

/* A name that several screens have comes once. */
const char *lw_tui_script_name(size_t i, const char **help)
{
    if (i < LW_COUNT(lines)) {
        *help = lines[i].help;
        return lines[i].name;
    }
    i -= LW_COUNT(lines);
    for (size_t k = 0; action_at(k); k++)
        if (!is_action(action_at(k)->name, k) && i-- == 0) {
            *help = action_at(k)->help;
            return action_at(k)->name;
        }
    return NULL;
}

/* ---- Running ---- */

static bool run_line(struct lw_app *app, const char *text, struct lw_error *err)
{
    const size_t length = strcspn(text, " ");
    const char *rest = text + length + strspn(text + length, " ");
    for (size_t i = 0; i < LW_COUNT(lines); i++)
        if (strlen(lines[i].name) == length && !strncmp(lines[i].name, text, length))
            return lines[i].run(app, rest, lines[i].kind, err);
    app->message[0] = '\0';
    if (*text == ':')
        return lw_command_run(app, text + 1, err);
    if (lw_app_run(app, text))
        return true;
    if (is_action(text, (size_t)-1))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "'%s' does not work here: the screen is %s",
                            text, lw_app_top(app)->type->name);
    return lw_error_set(err, LW_ERROR_NAME,
                        "'%.40s' is neither an action nor a line of scripts: 'laneway help "
                        "scripts' lists them",
                        text);
}

bool lw_script_read(struct lw_app *app, FILE *file, struct lw_error *err)
{
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    send(app, (struct lw_event){.kind = LW_EVENT_RESIZE, .row = app->height, .col = app->width});
    for (int number = 1; good && !app->quit && getline(&line, &room, file) >= 0; number++) {
        char *start = line + (number == 1 && !strncmp(line, "\xef\xbb\xbf", 3) ? 3 : 0);
        start += strspn(start, " \t");
        start[strcspn(start, "\r\n")] = '\0';
        if (!*start || *start == '#')
            continue;
        good = run_line(app, start, err);
        if (good && app->unwritten.code != LW_OK) {
            *err = app->unwritten;
            good = false;
        }
        if (lw_memory_failed())
            good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        lw_text_clear(&app->copied); /* there is no clipboard */
        if (good)
            continue;
        err->position = (struct lw_position){
            .line = 1, .column = (int)(start - line) + 1, .length = (int)strlen(start)};
        lw_error_excerpt(err, line, strlen(line));
        err->position.line = number;
    }
    if (good && !app->quit && !feof(file))
        good = lw_error_set(err, LW_ERROR_IO, "the script: %s", strerror(errno ? errno : EIO));
    free(line);
    return good;
}

bool lw_script_file(struct lw_app *app, const char *path, struct lw_error *err)
{
    FILE *file = !strcmp(path, "-") ? stdin : lw_open_regular(path, LW_FILE_MAX, err);
    bool good = file && lw_script_read(app, file, err);
    if (file && file != stdin)
        fclose(file);
    return good;
}
