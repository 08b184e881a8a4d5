/* The first problem of a lesson while it is read. */

#include "notation/document/lesson_reading.h"

#include <stdarg.h>
#include <string.h>

bool lw_lesson_problem(struct lw_lesson_reading *reading, struct lw_position position,
                       const char *format, ...)
{
    va_list args;
    if (reading->err->code != LW_OK)
        return false;
    *reading->err = (struct lw_error){.code = LW_ERROR_SYNTAX, .position = position};
    va_start(args, format);
    vsnprintf(reading->err->message, sizeof reading->err->message, format, args);
    va_end(args);
    lw_error_excerpt(reading->err, reading->text, reading->length);
    return false;
}

struct lw_value *lw_lesson_member(const struct lw_value *object, const char *name, size_t length)
{
    for (size_t i = 0; object && object->kind == LW_VALUE_OBJECT && i < object->count; i++)
        if (strlen(object->names[i]) == length && !strncmp(object->names[i], name, length))
            return &object->items[i];
    return NULL;
}
