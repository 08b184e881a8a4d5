/* Runs the explorer: one loop that draws, waits and handles events. All waiting events are handled before the next
 * drawing. A script runs it without a terminal. */

#include "tui/command/command.h"
#include "tui/keep/edits.h"
#include "tui/lesson/lesson_screen.h"
#include "tui/screen.h"
#include "tui/memory_failed.h"
#include "tui/terminal/terminal.h"

#include <signal.h>
#include <string.h>

bool lw_app_open(struct lw_app *app, const struct lw_tui_options *options, struct lw_error *err)
{
    memset(app, 0, sizeof *app);
    app->options = options;
    app->open = lw_open_sources;
    app->of_document = lw_layout_of_document;
    lw_app_load_settings(app);
    app->opening = (struct lw_model_options){
        .open = {.type = options->type,
                 .element = options->element,
                 .triton = options->triton,
                 .cuda = &options->cuda},
        .hardware = options->hardware,
        .as = options->as,
        .sets = options->sets,
        .set_count = options->set_count,
    };
    app->actions = lw_all_actions(&app->action_count);
    app->height = 24;
    app->width = 80;
    lw_app_choose_theme(app);
    if (options->lesson)
        return lw_lesson_begin(app, options->lesson, err);
    if (options->count && !lw_open_sources(app, options->sources, options->count, err))
        return false;
    if (!options->count)
        lw_start_open(app);
    if (options->lessons)
        lw_course_show(app);
    app->opening.are_typed = true;
    if (app->depth && !options->script)
        lw_edits_offer(app);
    return app->depth > 0;
}

void lw_app_close(struct lw_app *app)
{
    while (app->depth)
        lw_app_pop(app);
    lw_recovery_end(app);
    lw_text_free(&app->copied);
}

static struct lw_terminal_settings settings_of(const struct lw_app *app)
{
    static const char *const modes[] = {[LW_COLOR_ALWAYS] = "always", [LW_COLOR_NEVER] = "never"};
    const char *mode = modes[app->options->color];
    return (struct lw_terminal_settings){
        .mouse = *app->settings[LW_SETTING_MOUSE] == 't' && !app->options->no_mouse,
        .ascii = app->options->ascii || *app->settings[LW_SETTING_ASCII] == 't',
        .query_background = !lw_look_find(lw_app_theme(app)),
        .color = mode ? mode : app->settings[LW_SETTING_COLOR],
        .color_by_option = mode || strcmp(app->settings[LW_SETTING_COLOR], "auto") != 0,
        .theme = app->look,
        .look = lw_look_of,
    };
}

static void configure(struct lw_app *app, struct lw_surface *surface)
{
    const struct lw_terminal_settings settings = settings_of(app);
    lw_terminal_configure(&settings, &app->ascii, &app->mono);
    app->look_changed = false;
    surface->ascii = app->ascii;
    surface->mono = app->mono;
}

/* Does the work of the screen on top until there is an event, or a tenth of a second has passed; true: the screen is
 * to be drawn. */
static bool work(struct lw_app *app)
{
    enum { MOMENT_MS = 100 };
    const int64_t until = lw_now_ms() + MOMENT_MS;
    struct lw_screen *top = lw_app_top(app);
    bool worked = false;
    while (top && top->type->work && lw_now_ms() < until && !lw_terminal_pending() &&
           top->type->work(top)) {
        worked = true;
        top = lw_app_top(app);
    }
    return worked;
}

static void loop(struct lw_app *app)
{
    struct lw_surface surface = {0};
    struct lw_event event = {.kind = LW_EVENT_RESIZE};
    bool draw = true, owed = false;
    configure(app, &surface);
    lw_terminal_size(&event.row, &event.col);
    lw_app_event(app, &event);
    while (!app->quit) {
        if (draw || owed) {
            lw_app_draw(app, &surface);
            owed = !lw_terminal_paint(&surface);
        }
        draw = work(app);
        if (draw)
            continue;
        bool is_lost = false; /* memory ran out: the keys that wait were typed for another screen */
        do {
            const struct lw_screen *top = lw_app_top(app);
            const struct lw_screen *inner = lw_screen_inner(top);
            int64_t tick = owed                   ? lw_now_ms()
                           : inner->type->tick_at ? inner->type->tick_at(inner)
                                                  : 0;
            if (!lw_terminal_next(&event, tick)) {
                app->quit = true;
                break;
            }
            if (event.kind == LW_EVENT_KEY && event.key == LW_KEY_CTRL_C) {
                if (!(lw_screen_state(top) & LW_TYPING)) {
                    raise(SIGINT);
                    continue;
                }
                event.key = LW_KEY_ESCAPE; /* ends what is typed, not the program */
            }
            if (event.kind == LW_EVENT_KEY && event.key == 12) /* C-l */
                lw_terminal_redraw();
            if (is_lost && (event.kind == LW_EVENT_KEY || event.kind == LW_EVENT_PASTE))
                continue;
            draw |= lw_app_event(app, &event);
            if (app->copied.length && !app->copied.failed) {
                const char *problem = lw_terminal_copy(lw_text_string(&app->copied));
                if (problem)
                    lw_app_message(app, "not copied: %s", problem);
                lw_text_clear(&app->copied);
            }
            if (lw_memory_failed()) { /* nothing was written with it; the next event may have more */
                lw_memory_failure_clear();
                is_lost = true;
                if (!app->quit && lw_app_top(app)->type->takes_line) /* it may lack a character */
                    lw_app_run(app, "cancel");
                lw_app_message(app, "out of memory");
            }
            if (app->look_changed) {
                configure(app, &surface);
                draw = true;
            }
        } while (!app->quit && lw_terminal_pending());
    }
    lw_surface_free(&surface);
}

int lw_tui_run(const struct lw_tui_options *options, bool *of_script, struct lw_error *err)
{
    static struct lw_app app;
    *of_script = false;
    if (!lw_app_open(&app, options, err) ||
        (lw_memory_failed() && !lw_error_set(err, LW_ERROR_MEMORY, "out of memory"))) {
        lw_app_close(&app);
        return 2;
    }
    if (options->script) {
        *of_script = !lw_script_file(&app, options->script, err);
        lw_app_close(&app);
        return *of_script ? 2 : 0;
    }
    const struct lw_terminal_settings settings = settings_of(&app);
    if (!lw_terminal_open(&settings, err)) {
        lw_app_close(&app);
        return 2;
    }
    app.has_terminal = true;
    loop(&app);
    const int signal_number = lw_terminal_close();
    lw_app_close(&app);
    if (signal_number && signal_number != SIGINT) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    return 0;
}
