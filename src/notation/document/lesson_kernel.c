/* The kernel of a lesson: a dump of Triton in its "kernel", and the operation that a step opens by its line. */

#include "notation/document/lesson_reading.h"

#include <stdlib.h>
#include <string.h>

void lw_lesson_keep_kernel(struct lw_lesson_reading *reading, const struct lw_value *lines)
{
    struct lw_text text = {0};
    for (size_t i = 0; lines->kind == LW_VALUE_LIST && i < lines->count; i++)
        if (lines->items[i].kind == LW_VALUE_STRING)
            lw_text_format(&text, "%s\n", lines->items[i].string);
    const char *kept = lw_arena_string(&reading->lesson->arena, lw_text_string(&text), text.length);
    if (kept && !text.failed)
        reading->lesson->kernel = kept;
    else
        lw_lesson_problem(reading, lines->position, "out of memory");
    lw_text_free(&text);
}

void lw_lesson_drop_kernel(struct lw_lesson_reading *reading)
{
    if (reading->kernel)
        lw_kernel_free(reading->kernel);
    free(reading->kernel);
    reading->kernel = NULL;
}

/* The kernel, read when it is first needed; NULL: it is reported why not. */
static const struct lw_kernel *kernel_of(struct lw_lesson_reading *reading,
                                         struct lw_position position)
{
    const char *text = reading->lesson->kernel;
    struct lw_error err = {0};
    if (reading->kernel)
        return reading->kernel;
    if (!*text) {
        lw_lesson_problem(reading, position, "the lesson has no 'kernel', of which this is a line");
        return NULL;
    }
    struct lw_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel || !lw_kernel_read(kernel, text, strlen(text), NULL, &err)) {
        lw_lesson_problem(reading, position, "'kernel': %.200s",
                          kernel ? err.message : "out of memory");
        free(kernel);
        return NULL;
    }
    return reading->kernel = kernel;
}

bool lw_lesson_read_line(struct lw_lesson_reading *reading, const struct lw_value *line,
                         struct lw_document *doc)
{
    const struct lw_kernel *kernel = kernel_of(reading, line->position);
    struct lw_document of_kernel;
    struct lw_error err = {0};
    bool good = false;
    if (!kernel)
        return false;
    for (size_t i = 0; i < kernel->operation_count; i++) {
        const struct lw_operation *operation = &kernel->operations[i];
        if (line->kind != LW_VALUE_INTEGER || operation->position.line != line->integer)
            continue;
        good = lw_document_of_operation(&of_kernel, kernel, operation, &err);
        if (good) { /* the copy does not borrow from the kernel */
            good = lw_document_copy(doc, &of_kernel, &err);
            lw_document_free(&of_kernel);
        }
        if (!good)
            lw_lesson_problem(reading, line->position, "'kernel': %.200s", err.message);
        return good;
    }
    lw_lesson_problem(
        reading, line->position,
        "'line' must be the number of a line of 'kernel' with an operation that moves "
        "data");
    return false;
}
