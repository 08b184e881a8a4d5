/* What a learner types in a lesson: the first two bytes choose the lesson and the step, the others are keys. A goal is
 * met or not; the screen can be drawn all along. */

#include "fuzz_reading.h"
#include "tui/lesson/lesson_screen.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct lw_app app;
    char number[24];
    struct lw_error err = {0};
    struct lw_surface surface = {0};
    size_t lessons;
    lw_lessons(&lessons);
    if (size < 3)
        return 0;
    snprintf(number, sizeof number, "%zu", 1 + data[0] % lessons);
    const struct lw_tui_options options = {
        .lesson = number, .writes_nothing = true, .seed_is_set = true, .seed = data[1]};
    if (lw_app_open(&app, &options, &err)) {
        struct lw_lesson_screen *lesson = lw_lesson_of(lw_app_top(&app));
        lw_lesson_go(lesson, data[1] % lesson->lesson.step_count);
        for (size_t i = 2; i < size && !app.quit; i++) {
            const struct lw_event event = {.kind = LW_EVENT_KEY, .key = data[i]};
            lw_app_event(&app, &event);
        }
        lw_app_draw(&app, &surface);
    }
    lw_surface_free(&surface);
    lw_app_close(&app);
    return 0;
}
