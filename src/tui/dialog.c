/* Questions over a screen. */

#include "tui/dialog.h"
#include "core/unused.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct dialog {
    struct lw_screen screen;
    struct lw_screen_type type; /* its own, as its keys are those of its answers */
    struct lw_screen_action actions[LW_ANSWERS_MAX + 1];
    struct lw_answer answers[LW_ANSWERS_MAX];
    void *context;
    char text[400];
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

static void stay(struct lw_screen *screen, LW_UNUSED int number)
{
    lw_app_pop(screen->app);
}

/* A key that is no answer has no effect: what is typed must not reach the keys of all screens. */
static bool on_key(struct lw_screen *screen, uint32_t key)
{
    const struct dialog *dialog = dialog_of(screen);
    for (size_t i = 0; i < dialog->type.action_count; i++) {
        const char *name = dialog->actions[i].keys;
        if (lw_key_of_name(name, strlen(name)) == key)
            return false;
    }
    return true;
}

static bool on_paste(LW_UNUSED struct lw_screen *screen, LW_UNUSED const char *text)
{
    return true;
}

static unsigned state_of(LW_UNUSED const struct lw_screen *screen)
{
    return LW_OWN_KEYS;
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct dialog *dialog = dialog_of(screen);
    int height = lw_wrapped_rows(dialog->text, rect.width);
    height = height < rect.height ? height : rect.height;
    rect.row += rect.height - height;
    rect.height = height;
    if (rect.row > 0)
        lw_put_repeated(surface, rect.row - 1, rect.col, rect.width, lw_tone(LW_TONE_RULE),
                        "\xe2\x94\x80");
    lw_put_fill(surface, rect, lw_tone(LW_TONE_TEXT), ' ');
    lw_put_wrapped(surface, rect, lw_tone(LW_TONE_TITLE), dialog->text);
}

static void close_dialog(struct lw_screen *screen)
{
    free(screen);
}

void lw_dialog(struct lw_app *app, void *context, const struct lw_answer *answers, size_t count,
               const char *other, const char *format, ...)
{
    static const struct lw_screen_type type = {.name = "question",
                                               .is_over = true,
                                               .state = state_of,
                                               .draw = draw,
                                               .key = on_key,
                                               .paste = on_paste,
                                               .close = close_dialog};
    struct dialog *dialog = lw_screen_new(app, &type, sizeof *dialog);
    va_list arguments;
    if (!dialog)
        return;
    va_start(arguments, format);
    vsnprintf(dialog->text, sizeof dialog->text, format, arguments);
    va_end(arguments);
    count = count < LW_ANSWERS_MAX ? count : LW_ANSWERS_MAX;
    for (size_t i = 0; i < count; i++) {
        const struct lw_answer *own = &answers[i];
        dialog->answers[i] = *own;
        dialog->actions[i] =
            (struct lw_screen_action){own->hint, own->key, own->hint, own->hint, answer, (int)i, 0};
    }
    dialog->actions[count] = (struct lw_screen_action){other, "Esc", other, other, stay, 0, 0};
    dialog->context = context;
    dialog->type = type;
    dialog->type.actions = dialog->actions;
    dialog->type.action_count = count + 1;
    dialog->screen.type = &dialog->type;
    lw_app_push(app, &dialog->screen);
}
