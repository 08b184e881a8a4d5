/* Questions over a screen. */

#include "explorer/dialog.h"

#include "explorer/input.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct dialog {
    struct lw_screen screen;
    struct lw_screen_type type; /* its own, as its keys are those of its answers */
    struct lw_screen_action actions[LW_ANSWERS_MAX + 1];
    struct lw_answer answers[LW_ANSWERS_MAX];
    void *context;
    char text[400]; /* the question, or what is before the line */
    struct lw_input line;
    bool has_line, is_offered; /* the first key that is typed replaces the line */
    void (*take)(struct lw_app *app, void *context, const char *text);
    void (*without)(struct lw_app *app, void *context);
};

static struct dialog *dialog_of(const struct lw_screen *screen)
{
    return (struct dialog *)screen;
}

static void answer(struct lw_screen *screen, int number)
{
    const struct lw_answer chosen = dialog_of(screen)->answers[number];
    struct lw_app *app = screen->app;
    void *context = dialog_of(screen)->context;
    lw_app_pop(app);
    chosen.run(app, context);
}

static void take_line(struct lw_screen *screen, int number)
{
    struct dialog *dialog = dialog_of(screen);
    struct lw_app *app = screen->app;
    void (*take)(struct lw_app *, void *, const char *) = dialog->take;
    void *context = dialog->context;
    char *text = strdup(lw_input_text(&dialog->line));
    (void)number;
    lw_app_pop(app);
    if (text)
        take(app, context, text);
    else
        lw_app_message(app, "out of memory");
    free(text);
}

static void stay(struct lw_screen *screen, int number)
{
    struct lw_app *app = screen->app;
    void (*without)(struct lw_app *, void *) = dialog_of(screen)->without;
    void *context = dialog_of(screen)->context;
    (void)number;
    lw_app_pop(app);
    if (without)
        without(app, context);
}

/* A key that is no answer has no effect: what is typed must not reach the keys of all screens. */
static bool on_key(struct lw_screen *screen, uint32_t key)
{
    struct dialog *dialog = dialog_of(screen);
    bool changed;
    for (size_t i = 0; i < dialog->type.action_count; i++) {
        const char *name = dialog->actions[i].keys;
        uint32_t own = lw_key_of_name(name, strlen(name));
        if (own == key || (own == '\r' && key == '\n'))
            return false;
    }
    if (dialog->has_line && dialog->is_offered && key >= ' ' && key < LW_KEY_FIRST && key != 127)
        lw_input_set(&dialog->line, "");
    dialog->is_offered = false;
    if (dialog->has_line)
        lw_input_key(&dialog->line, key, &changed);
    return true;
}

static bool on_paste(struct lw_screen *screen, const char *text)
{
    struct dialog *dialog = dialog_of(screen);
    if (dialog->has_line && dialog->is_offered)
        lw_input_set(&dialog->line, "");
    dialog->is_offered = false;
    if (dialog->has_line)
        lw_input_insert(&dialog->line, text);
    return dialog->has_line;
}

static bool is_typing(const struct lw_screen *screen)
{
    (void)screen;
    return true;
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    enum { LEAST = 16 }; /* columns of the line */
    struct dialog *dialog = dialog_of(screen);
    int height = dialog->has_line ? 1 : lw_wrapped_rows(dialog->text, rect.width);
    height = height < rect.height ? height : rect.height;
    rect.row += rect.height - height;
    rect.height = height;
    if (rect.row > 0)
        lw_put_repeated(surface, rect.row - 1, rect.col, rect.width, lw_tone(LW_TONE_RULE),
                        "\xe2\x94\x80");
    for (int row = 0; row < height; row++)
        lw_put_repeated(surface, rect.row + row, rect.col, rect.width, lw_tone(LW_TONE_TEXT), " ");
    if (!dialog->has_line) {
        lw_put_wrapped(surface, rect, lw_tone(LW_TONE_TITLE), dialog->text);
        return;
    }
    int used =
        lw_put(surface, rect.row, rect.col, rect.width - LEAST, lw_tone(LW_TONE_KEY), dialog->text);
    lw_input_draw(&dialog->line, surface, rect.row, rect.col + used + 1, rect.width - used - 1,
                  lw_tone(LW_TONE_TITLE), 0, 0);
}

static void close_dialog(struct lw_screen *screen)
{
    lw_input_free(&dialog_of(screen)->line);
    free(screen);
}

static struct dialog *new_dialog(struct lw_app *app, void *context)
{
    static const struct lw_screen_type type = {.name = "question",
                                               .is_over = true,
                                               .is_typing = is_typing,
                                               .draw = draw,
                                               .key = on_key,
                                               .paste = on_paste,
                                               .close = close_dialog};
    struct dialog *dialog = lw_screen_new(app, &type, sizeof *dialog);
    if (!dialog)
        return NULL;
    dialog->type = type;
    dialog->type.actions = dialog->actions;
    dialog->screen.type = &dialog->type;
    dialog->context = context;
    return dialog;
}

static void add_action(struct dialog *dialog, const char *key, const char *hint,
                       void (*run)(struct lw_screen *, int))
{
    int number = (int)dialog->type.action_count++;
    dialog->actions[number] = (struct lw_screen_action){hint, key, hint, hint, run, number, NULL};
}

void lw_dialog(struct lw_app *app, void *context, const struct lw_answer *answers, size_t count,
               const char *other, const char *format, ...)
{
    struct dialog *dialog = new_dialog(app, context);
    va_list arguments;
    if (!dialog)
        return;
    va_start(arguments, format);
    vsnprintf(dialog->text, sizeof dialog->text, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < count && i < LW_ANSWERS_MAX; i++) {
        dialog->answers[i] = answers[i];
        add_action(dialog, answers[i].key, answers[i].hint, answer);
    }
    add_action(dialog, "Esc", other, stay);
    lw_app_push(app, &dialog->screen);
}

void lw_dialog_line(struct lw_app *app, void *context, const char *label, const char *hint,
                    const char *text,
                    void (*take)(struct lw_app *app, void *context, const char *text),
                    void (*without)(struct lw_app *app, void *context))
{
    struct dialog *dialog = new_dialog(app, context);
    if (!dialog)
        return;
    snprintf(dialog->text, sizeof dialog->text, "%s", label);
    dialog->has_line = dialog->is_offered = true;
    dialog->take = take;
    dialog->without = without;
    lw_input_set(&dialog->line, text);
    add_action(dialog, "Enter", hint, take_line);
    add_action(dialog, "Esc", "cancel", stay);
    lw_app_push(app, &dialog->screen);
}
