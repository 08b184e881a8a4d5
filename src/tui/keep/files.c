/* The files of the program's own, as the XDG base directories have them. */

#include "tui/keep/files.h"

#include "export/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *variable, *below_home;
} folders[] = {
    [LW_FOLDER_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
    [LW_FOLDER_STATE] = {"XDG_STATE_HOME", ".local/state"},
};

bool lw_folder_path(struct lw_text *path, enum lw_folder folder, const char *name,
                    struct lw_error *err)
{
    const char *given = getenv(folders[folder].variable), *home = getenv("HOME");
    if (given && *given == '/')
        lw_text_format(path, "%s/laneway/%s", given, name);
    else if (home && *home == '/')
        lw_text_format(path, "%s/%s/laneway/%s", home, folders[folder].below_home, name);
    else
        return lw_error_set(err, LW_ERROR_IO, "neither HOME nor %s is set: nothing is kept",
                            folders[folder].variable);
    return !path->failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

bool lw_folder_make(const char *path, struct lw_error *err)
{
    char *copy = strdup(path);
    if (!copy)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    bool made = true;
    for (char *slash = strchr(copy + 1, '/'); slash && made; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0700) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES)
            made = lw_error_set(err, LW_ERROR_IO, "%.200s: %s", copy, strerror(errno));
        *slash = '/';
    }
    free(copy);
    return made;
}

/* What would have to be waited for (a fifo, a terminal) is no file of the program's own. */
static FILE *open_file(const char *path)
{
    struct stat info;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    bool waits = fstat(file, &info) != 0 || S_ISFIFO(info.st_mode) || isatty(file);
    FILE *stream = waits ? NULL : fdopen(file, "r");
    if (stream)
        return stream;
    close(file);
    errno = waits ? EINVAL : ENOMEM;
    return NULL;
}

bool lw_file_read(const char *path, struct lw_text *text, struct lw_error *err)
{
    enum { FILE_BYTES_MAX = 1 << 20 };
    char buffer[4096];
    FILE *file = open_file(path);
    lw_error_set(err, LW_OK, "%s", "");
    if (!file && (errno == ENOENT || errno == ENOTDIR))
        return false;
    if (!file)
        return lw_error_set(err, LW_ERROR_IO, "%.200s: %s", path,
                            errno == EINVAL ? "not a regular file" : strerror(errno));
    errno = 0;
    for (size_t got;
         text->length <= FILE_BYTES_MAX && (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        lw_text_bytes(text, buffer, got);
    bool good = !ferror(file) && text->length <= FILE_BYTES_MAX && !text->failed;
    if (!good)
        lw_error_set(err, LW_ERROR_IO, "%.200s: %s", path,
                     errno ? strerror(errno) : "more than 1 MiB");
    fclose(file);
    return good;
}

/* The file itself is another one after each writing: the lock is on one beside it. */
int lw_file_lock(const char *path)
{
    enum { TRIES = 100, BETWEEN_MS = 2 };
    struct lw_text beside = {0};
    lw_text_format(&beside, "%s.lock", path);
    int file = open(lw_text_string(&beside), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    lw_text_free(&beside);
    for (int i = 0; file >= 0 && i < TRIES; i++) {
        if (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            break;
        poll(NULL, 0, BETWEEN_MS);
    }
    return file;
}

void lw_file_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}

bool lw_file_write(const char *path, const char *text, struct lw_error *err)
{
    struct lw_output output;
    if (!lw_output_open(&output, path, NULL, err))
        return false;
    fputs(text, output.stream);
    return lw_output_close(&output, true, err);
}
