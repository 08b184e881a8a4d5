/* The built-in lessons, found by number or name. */

#include "notation/document/gallery_data.h"
#include "notation/document/lesson.h"
#include "notation/expression/scan.h"

#include <stdlib.h>
#include <string.h>

const struct lw_gallery_entry *lw_lessons(size_t *count)
{
    *count = lw_lesson_data_count;
    return lw_lesson_data;
}

const char *lw_lesson_name(const struct lw_gallery_entry *entry)
{
    return entry->name + strspn(entry->name, "0123456789-");
}

static const char *name_at(const void *unused, size_t i)
{
    (void)unused;
    return lw_lesson_name(&lw_lesson_data[i]);
}

const struct lw_gallery_entry *lw_lesson_find(const char *name, struct lw_error *err)
{
    size_t length = strlen(name), digits = strspn(name, "0123456789");
    if (length && digits == length && length < 5) {
        size_t number = strtoul(name, NULL, 10);
        if (number && number <= lw_lesson_data_count)
            return &lw_lesson_data[number - 1];
    }
    for (size_t i = 0; i < lw_lesson_data_count; i++)
        if (!strcmp(name, lw_lesson_name(&lw_lesson_data[i])) ||
            !strcmp(name, lw_lesson_data[i].name))
            return &lw_lesson_data[i];
    char hint[LW_HINT_MAX];
    const char *near = lw_text_nearest(name, lw_lesson_data_count, name_at, NULL);
    lw_error_set(err, LW_ERROR_NAME, "there is no lesson '%.*s'%s", lw_shown_length(name, 40), name,
                 lw_text_hint(hint, near, "; 'laneway learn' lists them"));
    return NULL;
}
