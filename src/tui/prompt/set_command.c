/* `:set NAME=VALUE ...`: sets parameters, all those of a line as one edit. */

#include "tui/draw/drawing.h"
#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/prompt/prompt.h"

#include <stdlib.h>
#include <string.h>

/* The beginning of the next NAME= of a list of settings, outside all brackets; else the end of the text. */
static size_t next_setting(const char *text)
{
    int depth = 0;
    for (size_t i = 0; text[i]; i++) {
        size_t name =
            strspn(text + i + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.");
        depth += strchr("([{<", text[i]) ? 1 : strchr(")]}>", text[i]) ? -1 : 0;
        if (depth == 0 && text[i] == ' ' && name && text[i + 1 + name] == '=')
            return i;
    }
    return strlen(text);
}

enum { SETTINGS_MAX = 16 };

/* The settings of a line. */
struct settings {
    char paths[SETTINGS_MAX][LW_PATH_MAX];
    struct lw_text values[SETTINGS_MAX];
    size_t count;
};

/* Reads NAME=VALUE, or several of them separated by blanks; false with a message. */
static bool read_settings(struct lw_explorer *ex, const char *text, struct settings *settings)
{
    do {
        char name[LW_PATH_MAX];
        size_t length = strcspn(text, "= ");
        if (settings->count == SETTINGS_MAX) {
            lw_explorer_set_message(ex, true, "more than %d settings in one line", SETTINGS_MAX);
            return false;
        }
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        text += length + strspn(text + length, "= ");
        length = next_setting(text);
        snprintf(settings->paths[settings->count], LW_PATH_MAX, "%s", lw_form_path(ex, name));
        lw_text_bytes(&settings->values[settings->count++], text, length);
        text += length + strspn(text + length, " ");
        if (length == 0) {
            if (*name)
                lw_explorer_set_message(ex, true, "set %s=VALUE: the value of %s is missing", name,
                                        name);
            else
                lw_explorer_set_message(ex, true,
                                        "set NAME=VALUE: a parameter, or shape, element, encoding, "
                                        "store, shared, load");
            return false;
        }
        if (!lw_form_disambiguate(ex, name))
            return false;
    } while (*text);
    return true;
}

/* Shows the reason, unless the form, which has it, is on the screen. */
static void report_illegal(struct lw_explorer *ex, const char *path)
{
    struct lw_panes panes;
    lw_panes(ex, &panes);
    lw_explorer_set_message(ex, true, "%s; it stays in the form until it is legal; u undoes it",
                            panes.form.height ? "not legal" : lw_form_problem(ex, path)->message);
}

void lw_command_set(struct lw_explorer *ex, const char *text)
{
    struct settings *settings = calloc(1, sizeof *settings);
    if (!settings) {
        ex->failed = true;
        return;
    }
    struct lw_form_value made[SETTINGS_MAX];
    bool read = read_settings(ex, text, settings);
    for (size_t i = 0; i < settings->count; i++)
        made[i] = (struct lw_form_value){settings->paths[i], lw_text_string(&settings->values[i])};
    read = read && lw_form_set_all(ex, made, settings->count);
    for (size_t i = 0; read && i < settings->count; i++)
        if (lw_form_problem(ex, settings->paths[i])->code != LW_OK)
            report_illegal(ex, settings->paths[i]);
    for (size_t i = 0; i < settings->count; i++)
        lw_text_free(&settings->values[i]);
    free(settings);
}
