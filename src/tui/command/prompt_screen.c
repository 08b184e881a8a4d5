/* The prompt. */

#include "tui/command/command.h"

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/input.h"

#include <stdlib.h>
#include <string.h>

struct prompt {
    struct lw_screen screen;
    const struct lw_prompt_kind *kind;
    struct lw_screen *below;
    struct lw_input line;
    struct lw_error wrong; /* code LW_OK: nothing is */
};

static struct prompt *prompt_of(const struct lw_screen *screen)
{
    return (struct prompt *)screen;
}

static void text_changed(struct prompt *prompt)
{
    memset(&prompt->wrong, 0, sizeof prompt->wrong);
    if (prompt->kind->typed &&
        prompt->kind->typed(prompt->below, lw_input_text(&prompt->line), &prompt->wrong))
        prompt->wrong.code = LW_OK;
}

static bool on_key(struct lw_screen *screen, uint32_t key)
{
    struct prompt *prompt = prompt_of(screen);
    bool changed;
    if (key == '?' && !prompt->line.text.length && prompt->kind->help)
        return true; /* the help stands above it */
    if (!lw_input_key(&prompt->line, key, &changed))
        return false;
    if (changed)
        text_changed(prompt);
    return true;
}

static bool on_paste(struct lw_screen *screen, const char *text)
{
    lw_input_insert(&prompt_of(screen)->line, text);
    text_changed(prompt_of(screen));
    return true;
}

static unsigned state_of(LW_UNUSED const struct lw_screen *screen)
{
    return LW_TYPING;
}

/* ---- Ending ---- */

static void run(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct prompt *prompt = prompt_of(screen);
    struct lw_app *app = screen->app;
    memset(&prompt->wrong, 0, sizeof prompt->wrong);
    lw_app_take(app);
    const char *text = lw_input_text(&prompt->line);
    if (prompt->kind->run ? prompt->kind->run(app, text, &prompt->wrong)
                          : prompt->kind->typed(prompt->below, text, &prompt->wrong)) {
        screen->type->close(screen);
        return;
    }
    lw_app_push(app, screen);
}

static void cancel(struct lw_screen *screen, LW_UNUSED int argument)
{
    const struct prompt *prompt = prompt_of(screen);
    if (prompt->kind->cancel)
        prompt->kind->cancel(prompt->below);
    lw_app_pop(screen->app);
}

/* ---- Drawing ---- */

/* What may follow, or is legal: above the text. */
static void draw_advice(const struct prompt *prompt, struct lw_surface *surface,
                        struct lw_rect rect)
{
    struct lw_text advice = {0};
    const char *text = lw_input_text(&prompt->line);
    if (!prompt->kind->advise && !prompt->kind->help)
        return;
    if ((!*text || prompt->line.is_offer) && prompt->kind->help)
        lw_text_add(&advice, prompt->kind->help);
    else if (prompt->kind->advise)
        prompt->kind->advise(prompt->below, text, &advice);
    lw_put_repeated(surface, rect.row, 0, rect.col + rect.width, lw_tone(LW_TONE_TEXT), " ");
    lw_put(surface, rect.row, rect.col, rect.width, lw_tone(LW_TONE_FAINT),
           lw_text_string(&advice));
    lw_text_free(&advice);
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    const struct prompt *prompt = prompt_of(screen);
    const int sign = (int)strlen(prompt->kind->sign) + 1, row = rect.row + rect.height - 1;
    const struct lw_rect line = {row, rect.col + sign, 1, rect.width - sign};
    lw_put_repeated(surface, row, rect.col, rect.width, lw_tone(LW_TONE_TEXT), " ");
    lw_put(surface, row, rect.col, sign, lw_tone(LW_TONE_KEY), prompt->kind->sign);
    if (rect.height > 1)
        draw_advice(prompt, surface, (struct lw_rect){row - 1, line.col, 1, line.width});
    lw_input_draw(&prompt->line, surface, line, lw_tone(LW_TONE_TITLE), &prompt->wrong, row - 1);
}

static void close(struct lw_screen *screen)
{
    struct prompt *prompt = prompt_of(screen);
    lw_input_free(&prompt->line);
    free(prompt);
}

static const struct lw_screen_action actions[] = {
    {"run", "Enter", NULL, "run it", run, 0, 0},
    {"cancel", "Esc", NULL, "leave it, as before", cancel, 0, 0},
};

const struct lw_screen_type lw_prompt_screen = {
    .name = "prompt",
    .actions = actions,
    .action_count = LW_COUNT(actions),
    .is_over = true,
    .takes_line = true,
    .draw = draw,
    .key = on_key,
    .paste = on_paste,
    .state = state_of,
    .close = close,
};

void lw_prompt_begin(struct lw_app *app, const struct lw_prompt_kind *kind, const char *text)
{
    struct prompt *prompt = lw_screen_new(app, &lw_prompt_screen, sizeof *prompt);
    if (!prompt)
        return;
    prompt->kind = kind;
    prompt->below = lw_app_top(app);
    lw_input_set(&prompt->line, text);
    prompt->line.is_offer = *text != '\0';
    lw_app_push(app, &prompt->screen);
}
