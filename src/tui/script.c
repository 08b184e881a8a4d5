/* Scripts: the explorer driven by a file, with no terminal.
 *
 *     # a comment
 *     resize 120x40
 *     key Tab Down        keys by name
 *     type 4              the characters of a text
 *     paste (4,8):(8,1)   a text that is pasted
 *     undo                any action of the table
 *     save-screen FILE    the screen as text; `-` is standard output */

#include "core/array_count.h"
#include "export/output.h"
#include "notation/document/read.h"
#include "tui/draw/drawing.h"
#include "tui/explore/explorer.h"
#include "tui/write/copy.h"
#include "tui/lesson/lesson_run.h"
#include "tui/tui.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void press(struct lw_explorer *ex, uint32_t key)
{
    struct lw_event event = {.kind = LW_EVENT_KEY, .key = key};
    lw_update(ex, &event);
}

static bool run_keys(struct lw_explorer *ex, const char *text, struct lw_error *err)
{
    while (*text) {
        size_t length = strcspn(text, " ");
        uint32_t key = lw_key_of_name(text, length);
        if (!key)
            return lw_error_set(err, LW_ERROR_NAME, "'%.*s' is not a key", (int)length, text);
        press(ex, key);
        text += length;
        text += strspn(text, " ");
    }
    return true;
}

static bool run_type(struct lw_explorer *ex, const char *text, struct lw_error *err)
{
    (void)err;
    for (int n; *text; text += n)
        press(ex, lw_text_decode(text, &n));
    return true;
}

/* `\\n` in the text is a newline. */
static bool run_paste(struct lw_explorer *ex, const char *text, struct lw_error *err)
{
    struct lw_text pasted = {0};
    for (; *text; text++) {
        bool newline = text[0] == '\\' && text[1] == 'n';
        lw_text_char(&pasted, newline ? '\n' : *text);
        text += newline;
    }
    struct lw_event event = {.kind = LW_EVENT_PASTE, .text = lw_text_string(&pasted)};
    bool good = !pasted.failed;
    if (good)
        lw_update(ex, &event);
    lw_text_free(&pasted);
    return good || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

static bool run_resize(struct lw_explorer *ex, const char *text, struct lw_error *err)
{
    int width, height;
    char end;
    if (sscanf(text, "%dx%d%c", &width, &height, &end) != 2 || width < 1 || height < 1 ||
        width > 2000 || height > 2000)
        return lw_error_set(err, LW_ERROR_SYNTAX, "resize %.40s: expected WIDTHxHEIGHT", text);
    struct lw_event event = {.kind = LW_EVENT_RESIZE, .row = height, .col = width};
    lw_update(ex, &event);
    return true;
}

static bool run_click(struct lw_explorer *ex, const char *text, struct lw_error *err)
{
    struct lw_event event = {.kind = LW_EVENT_CLICK};
    char end;
    if (sscanf(text, "%d %d%c", &event.row, &event.col, &end) != 2)
        return lw_error_set(err, LW_ERROR_SYNTAX, "click %.40s: expected ROW COLUMN", text);
    lw_update(ex, &event);
    return true;
}

static bool run_save(struct lw_explorer *ex, const char *path, struct lw_error *err)
{
    struct lw_surface surface = {.ascii = ex->options->ascii};
    struct lw_text text = {0};
    struct lw_output output;
    if (ex->options->writes_nothing && strcmp(path, "-") != 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "files cannot be written in this session");
    lw_lesson_check_goal(ex);
    lw_job_finish(ex);
    lw_refresh(ex, 0);
    lw_draw(ex, &surface);
    lw_surface_print(&text, &surface);
    bool good = lw_output_open(&output, path, stdout, err);
    if (good) {
        lw_output_text(output.stream, &text);
        good = lw_output_close(&output, !ex->failed && !lw_memory_failed(), err);
    }
    lw_text_free(&text);
    lw_surface_free(&surface);
    return good;
}

static const struct script_command {
    const char *name;
    const char *help; /* one line */
    bool (*run)(struct lw_explorer *ex, const char *rest, struct lw_error *err);
} commands[] = {
    {"key", "press keys by name: key Tab C-u Enter x", run_keys},
    {"type", "press the characters of the rest of the line", run_type},
    {"paste", "paste the rest of the line; \\n in it is a new line", run_paste},
    {"resize", "make the screen WIDTHxHEIGHT: resize 120x40", run_resize},
    {"click", "click at ROW COLUMN, counted from 0", run_click},
    {"save-screen", "write the screen as text to a FILE; - is standard output", run_save},
};

const char *lw_tui_script_name(size_t i, const char **help)
{
    size_t action_count, count = LW_COUNT(commands);
    const struct lw_key_action *actions = lw_key_actions(&action_count);
    if (i >= count + action_count)
        return NULL;
    *help = i < count ? commands[i].help : actions[i - count].help;
    return i < count ? commands[i].name : actions[i - count].name;
}

/* Whether an action is refused: in a list of kernels, where no layout may be open yet, it must be for the list or for a
 * part over it. */
static bool is_refused(struct lw_explorer *ex, const struct lw_key_action *action)
{
    enum { LISTS = LW_FOCUS_KERNEL | LW_FOCUS_FOLDER };
    if (!(lw_focus_below(ex) & LISTS) || action->focus_mask & ex->focus)
        return false;
    if (action->focus_mask & LISTS)
        lw_explorer_set_message(
            ex, true, "'%s' works in the list: close what is open over it first", action->name);
    else
        lw_explorer_set_message(ex, true, "'%s' needs a layout: Enter opens one of this list",
                                action->name);
    return true;
}

static bool run_line(struct lw_explorer *ex, const char *line, struct lw_error *err)
{
    size_t length = strcspn(line, " ");
    const char *rest = line + length + strspn(line + length, " ");
    char name[32];
    for (size_t i = 0; i < LW_COUNT(commands); i++)
        if (strlen(commands[i].name) == length && !strncmp(commands[i].name, line, length))
            return commands[i].run(ex, rest, err);
    snprintf(name, sizeof name, "%.*s", (int)length, line);
    const struct lw_key_action *action = lw_key_action_find(ex, name);
    if (!action)
        return lw_error_set(
            err, LW_ERROR_NAME,
            "'%.40s' is neither an action nor key, type, paste, resize, click, save-screen", line);
    ex->status.message[0] = '\0';
    if (!is_refused(ex, action))
        action->run(ex, action->argument);
    lw_refresh(ex, 0);
    return true;
}

bool lw_script_lines(struct lw_explorer *ex, FILE *file, struct lw_error *err)
{
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    for (int number = 1; good && !ex->quit && getline(&line, &room, file) >= 0; number++) {
        char *start = line + (number == 1 && !strncmp(line, "\xef\xbb\xbf", 3) ? 3 : 0);
        start += strspn(start, " \t");
        start[strcspn(start, "\r\n")] = '\0';
        if (!*start || *start == '#')
            continue;
        good = run_line(ex, start, err);
        if (lw_memory_failed() || ex->failed)
            good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        else if (good && ex->save.failed)
            good = lw_error_set(err, LW_ERROR_IO, "%s", ex->save.reason);
        if (ex->clipboard.text.length)
            lw_copied(ex, LW_COPIED_NO_CLIPBOARD);
        if (!good && err) {
            int column = (int)(start - line) + 1, length = (int)strlen(start);
            err->position = (struct lw_position){.line = 1, .column = column, .length = length};
            lw_error_excerpt(err, line, strlen(line));
            err->position.line = number;
        }
    }
    if (good && !ex->quit && !feof(file))
        good = lw_error_set(err, LW_ERROR_IO, "the script: %s", strerror(errno ? errno : EIO));
    free(line);
    return good;
}

bool lw_script_run(struct lw_explorer *ex, const char *path, struct lw_error *err)
{
    FILE *file = !strcmp(path, "-") ? stdin : lw_open_regular(path, LW_FILE_MAX, err);
    if (!file)
        return false;
    bool good = lw_script_lines(ex, file, err);
    if (file != stdin)
        fclose(file);
    return good;
}
