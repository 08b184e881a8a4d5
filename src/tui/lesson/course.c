/* A folder of lessons: the files of a course, in the order of their names. */

#include "kernel/kernel_folder.h"
#include "tui/lesson/lesson_run.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LESSONS_MAX = 1000 };

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add(struct lw_course *course, const char *folder, const char *name)
{
    struct lw_text path = {0};
    char **more = realloc(course->paths, (course->count + 1) * sizeof *more);
    size_t length = strlen(folder);
    if (more)
        course->paths = more;
    lw_text_format(&path, "%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/", name);
    char *copy = more && !path.failed ? strdup(lw_text_string(&path)) : NULL;
    lw_text_free(&path);
    if (copy)
        course->paths[course->count++] = copy;
    return copy;
}

bool lw_is_course(const char *path)
{
    return lw_is_folder(path);
}

bool lw_course_open(struct lw_course *course, const char *folder, struct lw_error *err)
{
    DIR *dir = opendir(folder);
    bool good = true;
    *course = (struct lw_course){0};
    if (!dir)
        return lw_error_set(err, LW_ERROR_IO, "%s", strerror(errno));
    for (const struct dirent *entry; good && (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name);
        bool is = length > 5 && !strcmp(entry->d_name + length - 5, ".json") &&
                  entry->d_name[0] != '.' && course->count < LESSONS_MAX;
        good = !is || add(course, folder, entry->d_name);
    }
    closedir(dir);
    if (!good)
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    else if (!course->count)
        good = lw_error_set(err, LW_ERROR_NAME,
                            "this folder has no lessons: they are files that end in .json");
    if (course->count)
        qsort(course->paths, course->count, sizeof *course->paths, by_name);
    if (!good)
        lw_course_free(course);
    return good;
}

void lw_course_free(struct lw_course *course)
{
    for (size_t i = 0; i < course->count; i++)
        free(course->paths[i]);
    free(course->paths);
    *course = (struct lw_course){0};
}
