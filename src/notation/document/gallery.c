/* The gallery: documents, kernels and lessons that embed.sh turns into C, found by name. */

#include "notation/document/gallery_data.h"
#include "notation/expression/scan.h"
#include "notation/document/lesson.h"
#include "notation/document/read.h"
#include "core/unused.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <stdlib.h>

const struct lw_gallery_entry *lw_gallery(size_t *count)
{
    *count = lw_gallery_data_count;
    return lw_gallery_data;
}

const struct lw_gallery_entry *lw_gallery_kernels(size_t *count)
{
    *count = lw_kernel_data_count;
    return lw_kernel_data;
}

const char *lw_gallery_kernel_text(const char *path)
{
    for (size_t i = 0; i < lw_kernel_data_count; i++)
        if (strcmp(lw_kernel_data[i].name, path) == 0)
            return lw_kernel_data[i].text;
    return NULL;
}

/* ---- Names ---- */

static void unknown_name(const char *name, struct lw_error *err)
{
    struct stat info;
    if (stat(name, &info) == 0 && (S_ISDIR(info.st_mode) || strchr(name, '/'))) {
        struct lw_text endings = {0};
        lw_put_file_endings(&endings);
        lw_error_set(err, LW_ERROR_NAME, "'%.*s' is %s%s", lw_shown_length(name, 80), name,
                     S_ISDIR(info.st_mode)
                         ? "a folder, not a layout; 'laneway ttgir' lists the kernels in one"
                         : "not read as a layout: its name must end in ",
                     S_ISDIR(info.st_mode) ? "" : lw_text_string(&endings));
        lw_text_free(&endings);
        return;
    }
    if (lw_encoding_type_find(name)) {
        lw_error_set(err, LW_ERROR_NAME,
                     "'%s' is a type of layouts, which needs its parameters: 'laneway help %s' has "
                     "an example",
                     name, name);
        return;
    }
    char hint[LW_HINT_MAX];
    const char *near =
        lw_nearest_row(name, lw_gallery_data_count, lw_gallery_data, sizeof *lw_gallery_data);
    const int shown = lw_shown_length(name, 20); /* so that the reason is seen on a narrow screen */
    lw_error_set(err, LW_ERROR_NAME, "'%.*s%s' is neither a layout nor a name in the gallery%s",
                 shown, name, name[shown] ? "..." : "",
                 lw_text_hint(hint, near, "; 'laneway list' lists the names"));
}

const struct lw_gallery_entry *lw_gallery_find(const char *name, struct lw_error *err)
{
    for (size_t i = 0; i < lw_gallery_data_count; i++)
        if (strcmp(lw_gallery_data[i].name, name) == 0)
            return &lw_gallery_data[i];
    if (err)
        unknown_name(name, err);
    return NULL;
}

size_t lw_gallery_name_length(const char *text)
{
    size_t longest = 0;
    for (size_t i = 0; i < lw_gallery_data_count; i++) {
        const char *name = lw_gallery_data[i].name;
        const size_t length = strlen(name);
        if (length > longest && !strncmp(name, text, length) &&
            !isalnum((unsigned char)text[length]) && !strchr("_-./", text[length]))
            longest = length;
    }
    return longest;
}

/* ---- Lessons, by number or name ---- */

const struct lw_gallery_entry *lw_lessons(size_t *count)
{
    *count = lw_lesson_data_count;
    return lw_lesson_data;
}

const char *lw_lesson_name(const struct lw_gallery_entry *entry)
{
    return entry->name + strspn(entry->name, "0123456789-");
}

static const char *name_at(LW_UNUSED const void *unused, size_t i)
{
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
