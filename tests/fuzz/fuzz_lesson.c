/* Lessons: read, or refused with every problem reported; then their texts are filled in beside a layout. */

#include "fuzz_reading.h"
#include "tui/lesson/lesson_screen.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fill_all(const struct lw_lesson *lesson)
{
    struct lw_lesson_state state = {0};
    for (size_t i = 0; i < lesson->step_count; i++) {
        const struct lw_step *step = &lesson->steps[i];
        struct lw_text text = {0};
        lw_lesson_fill(&text, step->text, &state);
        lw_lesson_fill(&text, step->task, &state);
        lw_lesson_fill(&text, step->done, &state);
        for (int g = 0; g < step->goal.count; g++) {
            lw_goal_put(&text, &state, &step->goal.items[g]);
            must(!lw_goal_met(&state, &step->goal.items[g]));
        }
        lw_text_free(&text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_lesson lesson;
    struct lw_error err;
    size_t count;
    const struct lw_goal_kind *kinds = lw_goal_kinds(&count);
    char *text = malloc(size + 1);
    must(text != NULL);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    if (lw_lesson_read(&lesson, text, size, 0, kinds, count, &err)) {
        must(lesson.step_count > 0);
        fill_all(&lesson);
        lw_lesson_free(&lesson);
    } else {
        check_error(&err);
    }
    free(text);
    return 0;
}
