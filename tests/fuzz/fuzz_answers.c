/* What a learner types in a lesson: the first two bytes choose the lesson and the step, the rest are lines, as
 * typed after
 * a colon. The goal is met or not; the texts can be filled in all along. */

#include "fuzz_reading.h"
#include "tui/lesson/lesson_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct lw_tui_options options = {.writes_nothing = true};
    struct lw_explorer ex;
    struct lw_surface surface = {0};
    char number[24], line[256];
    size_t lessons;
    lw_lessons(&lessons);
    if (size < 3 || !lw_explorer_init(&ex, &options, NULL))
        return 0;
    snprintf(number, sizeof number, "%zu", 1 + data[0] % lessons);
    if (lw_lesson_begin(&ex, number, NULL)) {
        lw_lesson_go(&ex, data[1] % ex.lesson->lesson.step_count);
        for (size_t from = 2, to; from < size && !ex.quit; from = to + 1) {
            for (to = from; to < size && data[to] != '\n'; to++)
                ;
            snprintf(line, sizeof line, "%.*s", (int)(to - from), (const char *)data + from);
            lw_lesson_solve(&ex, line);
            lw_lesson_check_goal(&ex);
        }
        lw_draw(&ex, &surface);
    }
    lw_surface_free(&surface);
    lw_explorer_free(&ex);
    return 0;
}
