/* Runs the explorer: one loop that draws, waits, updates. All waiting events are handled before the next drawing. */

#include "tui/explore/explorer.h"
#include "tui/write/copy.h"
#include "tui/form/form.h"
#include "tui/lesson/lesson_run.h"
#include "tui/tui.h"

#include "tui/terminal/terminal.h"
#include "tui/prompt/prompt.h"

#include <signal.h>
#include <string.h>

/* Continues a job until there is an event; true: the screen is to be drawn. */
static bool work(struct lw_explorer *ex)
{
    bool draw = false;
    while (ex->job.step && !draw && !lw_terminal_pending())
        draw = lw_job_slice(ex);
    lw_refresh(ex, 0);
    return draw;
}

/* After a failed allocation the screen may be incomplete: everything is computed again, with a message. */
static void check_memory(struct lw_explorer *ex)
{
    if (!lw_memory_failed())
        return;
    lw_memory_failure_clear();
    if (ex->layouts.has_opened) /* not in the lists of a kernel */
        lw_refresh(ex, LW_CHANGED_LAYOUT | LW_CHANGED_VIEW);
    lw_explorer_set_message(ex, true, "out of memory: the last step may not be complete");
}

/* ---- Long work ---- */

struct waiting {
    struct lw_surface *surface; /* as last drawn */
    int64_t began, checked;
    bool is_shown;
};

/* Checks for Esc and signals every 10 ms, and shows that the explorer is busy. The state may be incomplete, so it is
 * not drawn. */
static bool is_stopped(void *context)
{
    enum { CHECKED_EVERY_MS = 10, SHOWN_AFTER_MS = 100 };
    struct waiting *waiting = context;
    struct lw_surface *surface = waiting->surface;
    int64_t now = lw_now_ms();
    if (now - waiting->checked < CHECKED_EVERY_MS)
        return false;
    waiting->checked = now;
    if (!waiting->is_shown && now - waiting->began >= SHOWN_AFTER_MS && surface->height > 1) {
        lw_put_padded(surface, surface->height - 2, 0, surface->width, lw_pen(LW_PEN_TEXT),
                      " working ... Esc stops it", false);
        lw_terminal_paint(surface);
        waiting->is_shown = true;
    }
    return lw_terminal_is_stopped();
}

/* ---- The loop ---- */

static struct lw_terminal_settings settings_of(const struct lw_explorer *ex)
{
    static const char *const modes[] = {[LW_COLOR_ALWAYS] = "always", [LW_COLOR_NEVER] = "never"};
    const char *mode = modes[ex->options->color];
    return (struct lw_terminal_settings){
        .mouse = ex->keep.settings.mouse && !ex->options->no_mouse,
        .ascii = ex->options->ascii || ex->keep.settings.ascii,
        .query_background = lw_options_follow_background(ex),
        .color = mode ? mode : ex->keep.settings.color,
        .color_by_option = mode || strcmp(ex->keep.settings.color, "auto") != 0,
        .theme = &ex->keep.theme,
        .look = lw_theme_appearance,
    };
}

/* Keeps the text in an open field for the next start, as the program ends before it is accepted. */
static void keep_typed(struct lw_explorer *ex)
{
    lw_form_finish(ex);
    lw_refresh(ex, 0);
}

/* Reads the abilities of the terminal, at the start and after a change of a setting. */
static void read_screen(struct lw_explorer *ex, struct lw_surface *surface)
{
    surface->ascii = lw_terminal_is_ascii();
    ex->screen.mono = lw_terminal_is_mono();
    ex->screen.plain = surface->ascii || ex->screen.mono;
    ex->screen.few = lw_terminal_has_few_colors();
}

static void loop(struct lw_explorer *ex)
{
    struct lw_surface surface = {0};
    struct waiting waiting = {.surface = &surface};
    ex->stop = (struct lw_stop){is_stopped, &waiting};
    struct lw_event event = {.kind = LW_EVENT_RESIZE};
    lw_terminal_size(&event.row, &event.col);
    read_screen(ex, &surface);
    lw_update(ex, &event);
    bool owed = false; /* the last frame was not sent */
    for (unsigned changed = LW_CHANGED_SCREEN; !ex->quit && !ex->failed;) {
        check_memory(ex);
        if (changed || owed) {
            (changed == LW_CHANGED_CURSOR ? lw_draw_step : lw_draw)(ex, &surface);
            owed = !lw_terminal_paint(&surface);
        }
        waiting.began = lw_now_ms();
        changed = work(ex) ? LW_CHANGED_SCREEN : 0;
        if (waiting.is_shown)
            changed = LW_CHANGED_SCREEN;
        waiting.is_shown = false;
        if (changed)
            continue;
        do {
            lw_terminal_set_tick(owed           ? lw_now_ms()
                                 : ex->flash.on ? ex->flash.until
                                                : ex->panes.next_step);
            if (!lw_terminal_next(&event)) {
                ex->quit = ex->save.abandoned = true;
                keep_typed(ex);
                break;
            }
            if (event.kind == LW_EVENT_KEY && event.key == 12) /* C-l */
                lw_terminal_redraw();
            lw_terminal_set_busy(true);
            waiting.began = lw_now_ms();
            changed |= lw_update(ex, &event);
            if (waiting.is_shown)
                changed = LW_CHANGED_SCREEN;
            if (ex->clipboard.text.length)
                lw_copied(ex, lw_terminal_copy(lw_text_string(&ex->clipboard.text)));
            if (ex->keep.appearance_changed) {
                ex->keep.appearance_changed = false;
                changed |= LW_CHANGED_SCREEN;
                const struct lw_terminal_settings settings = settings_of(ex);
                lw_terminal_configure(&settings);
                read_screen(ex, &surface);
            }
            lw_terminal_set_busy(false);
        } while (!ex->quit && lw_terminal_pending());
    }
    ex->stop = (struct lw_stop){0};
    lw_surface_free(&surface);
}

/* Begins the parts that only a user at a terminal has: settings, a hint, recovery. */
static bool begin(struct lw_explorer *ex, struct lw_error *err)
{
    lw_options_load(ex);
    const struct lw_terminal_settings settings = settings_of(ex);
    if (!lw_terminal_open(&settings, err))
        return false;
    ex->keep.settings_saved = true;
    ex->keep.hint = !ex->keep.settings.hint_seen;
    lw_options_zoom(ex);
    lw_recall_load(ex);
    if (ex->options->lesson && !lw_lesson_begin(ex, ex->options->lesson, err)) {
        lw_terminal_close();
        return false;
    }
    if (ex->options->lessons)
        lw_lesson_list(ex);
    else
        lw_lesson_list_marks(ex);
    ex->trail.root = lw_focus_below(ex);
    lw_recovery_offer(ex);
    ex->keep.appearance_changed = false; /* the terminal was opened with them */
    return true;
}

int lw_tui_run(const struct lw_tui_options *options, bool *of_script, struct lw_error *err)
{
    int signal_number = 0, status = 0;
    *of_script = false;
    struct lw_explorer *ex = lw_explorer_new(options, err);
    if (!ex)
        return 2;
    if (options->script) {
        if (options->theme)
            lw_options_theme(ex);
        bool begun = !options->lesson || lw_lesson_begin(ex, options->lesson, err);
        if (options->lessons)
            lw_lesson_list(ex);
        ex->trail.root = lw_focus_below(ex);
        *of_script = begun && !lw_script_run(ex, options->script, err);
        status = begun && !*of_script ? 0 : 2;
    } else if (begin(ex, err)) {
        loop(ex);
        if (!ex->save.abandoned && !ex->failed)
            lw_recovery_discard(ex);
        signal_number = lw_terminal_close();
        if (!signal_number)
            lw_recall_write(ex);
    } else {
        status = 2;
    }
    if (ex->failed || (options->script && lw_memory_failed())) {
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        status = 2;
    }
    lw_explorer_delete(ex);
    if (signal_number && signal_number != SIGINT) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    return status;
}
