/* The files that a document shows, in memory until they are written. */

#include "cli/docs/docs_figures.h"

#include "export/output.h"
#include "export/replace.h"
#include "notation/document/read.h"
#include "tui/tui.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool lw_docs_read(const char *path, struct lw_text *text, struct lw_error *err)
{
    struct lw_reading reading = {.err = err};
    FILE *file = lw_open_file(&reading, path);
    bool good = file && lw_read_stream(&reading, file, path, text);
    if (file)
        fclose(file);
    return good;
}

/* The path without symbolic links, as far as it exists; NULL: a link to nothing, or memory is out. */
static char *real_part(const char *path)
{
    struct stat info;
    char *copy = strdup(path), *real = copy ? realpath(copy, NULL) : NULL, *slash;
    while (copy && !real && lw_link_info(copy, &info) == LW_FILE_ABSENT &&
           (slash = strrchr(copy, '/')) != NULL) {
        *slash = '\0';
        real = realpath(*copy ? copy : "/", NULL);
    }
    bool is_none = copy && !real && lw_link_info(copy, &info) == LW_FILE_ABSENT; /* a name alone */
    free(copy);
    return is_none ? realpath(".", NULL) : real;
}

/* Fails when symbolic links lead out of the folder of the document. */
static bool check_below(const struct lw_docs_figure *figure, const char *path, const char *file,
                        struct lw_error *err)
{
    errno = 0;
    char *folder = figure->folder ? strndup(path, figure->folder) : strdup(".");
    char *home = folder ? realpath(folder, NULL) : NULL, *real = home ? real_part(path) : NULL;
    bool no_memory = (!home || !real) && errno == ENOMEM;
    size_t length = home ? strlen(home) : 0;
    bool below = home && real && !strncmp(real, home, length) &&
                 (!real[length] || real[length] == '/' || length == 1);
    free(folder);
    free(home);
    free(real);
    if (no_memory)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    return below ||
           lw_error_set(err, LW_ERROR_NAME,
                        "-o %.60s: a symbolic link leads out of the folder of the document", file);
}

/* Makes the folders of a path that follow its first `length` bytes, and appends those that it made to `made`, each with
 * a NUL. */
static bool make_folders(const char *path, size_t length, struct lw_text *made,
                         struct lw_error *err)
{
    struct lw_text folder = {0};
    bool good = true;
    for (const char *slash = strchr(path + length, '/'); good && slash;
         slash = strchr(slash + 1, '/')) {
        lw_text_clear(&folder);
        lw_text_bytes(&folder, path, (size_t)(slash - path));
        bool is_new = mkdir(lw_text_string(&folder), 0777) == 0;
        good = is_new || errno == EEXIST ||
               lw_error_set(err, LW_ERROR_IO, "%s: %s", lw_text_string(&folder), strerror(errno));
        if (is_new)
            lw_text_bytes(made, lw_text_string(&folder), folder.length + 1);
    }
    lw_text_free(&folder);
    return good;
}

/* Removes the folders in `made` that are empty, the last one first. */
static void remove_folders(const struct lw_text *made)
{
    for (size_t end = made->failed ? 0 : made->length; end > 0;) {
        size_t from = end - 1;
        while (from > 0 && made->data[from - 1])
            from--;
        rmdir(made->data + from);
        end = from;
    }
}

static bool same_text(const struct lw_text *a, const struct lw_text *b)
{
    return a->length == b->length && (!a->length || !memcmp(a->data, b->data, a->length));
}

/* Sets *state to the result of comparing the file at the path. */
static bool compare(const char *path, const struct lw_text *printed,
                    enum lw_docs_figure_state *state, struct lw_error *err)
{
    struct lw_text old = {0};
    struct stat info;
    enum lw_file_there found = lw_file_info(path, &info);
    bool there = found == LW_FILE_THERE;
    bool good = found == LW_FILE_UNKNOWN
                    ? lw_error_set(err, LW_ERROR_IO, "%s: %s", path, strerror(errno))
                    : !there || lw_docs_read(path, &old, err);
    *state = !there                             ? LW_FIGURE_MISSING
             : good && same_text(&old, printed) ? LW_FIGURE_SAME
                                                : LW_FIGURE_OTHER;
    lw_text_free(&old);
    return good;
}

/* Fails when a figure would replace a document of the same run, whose text would be lost. */
static bool check_no_document(const struct lw_docs_figures *figures, const char *path,
                              const char *file, struct lw_error *err)
{
    const struct lw_docs_document *document;
    struct lw_text text = {0};
    if (!lw_docs_list_find(figures->documents, path, &document, err))
        return false;
    bool good = !document || lw_docs_read(document->path, &text, err);
    if (good && document && !text.failed && strstr(lw_text_string(&text), "/laneway"))
        good = lw_error_set(err, LW_ERROR_NAME,
                            "-o %.60s: this file is the document %.200s, which has markers", file,
                            document->path);
    lw_text_free(&text);
    return good;
}

/* Appends a figure; the list then owns its path. */
static bool add(struct lw_docs_figures *figures, const struct lw_docs_figure *figure,
                struct lw_error *err)
{
    struct lw_docs_figure *more =
        realloc(figures->figure, (figures->count + 1) * sizeof *figures->figure);
    if (more)
        figures->figure = more;
    if (!more || figure->contents.failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    figures->figure[figures->count++] = *figure;
    return true;
}

bool lw_docs_figures_keep(struct lw_docs_figures *figures, const char *document,
                          const struct lw_quoted *q, enum lw_docs_figure_state *state,
                          struct lw_error *err)
{
    const char *slash = strrchr(document, '/');
    struct lw_text path = {0};
    struct lw_docs_figure figure = {.folder = slash ? (size_t)(slash - document) + 1 : 0};
    lw_text_bytes(&path, document, figure.folder);
    lw_text_add(&path, q->file);
    bool good = check_below(&figure, lw_text_string(&path), q->file, err) &&
                check_no_document(figures, lw_text_string(&path), q->file, err) &&
                compare(lw_text_string(&path), &q->printed, state, err);
    figure.stale = *state != LW_FIGURE_SAME;
    for (size_t i = 0; good && i < figures->count; i++) {
        if (strcmp(figures->figure[i].path, lw_text_string(&path)) != 0)
            continue;
        figure.stale = false; /* it is written once */
        if (!same_text(&figures->figure[i].contents, &q->printed))
            good = lw_error_set(err, LW_ERROR_NAME,
                                "-o %.60s: a block before it writes other contents to this file",
                                q->file);
    }
    if (good) {
        figure.path = strdup(lw_text_string(&path));
        lw_text_bytes(&figure.contents, lw_text_string(&q->printed), q->printed.length);
        good = figure.path ? add(figures, &figure, err)
                           : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        if (!good) {
            lw_text_free(&figure.contents);
            free(figure.path);
        }
    }
    lw_text_free(&path);
    return good;
}

/* Writes the new content of a file to the disk; the file is not replaced yet. False: there is nothing to close. */
static bool open_new(struct lw_output *output, const char *path, const struct lw_text *text,
                     struct lw_error *err)
{
    if (!lw_output_open(output, path, NULL, lw_spare_folder(), err))
        return false;
    lw_output_raw(output->stream, text);
    if (lw_replace_prepare(&output->file, err))
        return true;
    lw_output_close(output, false, NULL);
    return false;
}

/* Replaces all files. When one fails, those before it are replaced already, and the message names them. */
static bool close_all(struct lw_output *output, size_t count, bool good, struct lw_error *err)
{
    struct lw_text before = {0};
    bool wanted = good;
    for (size_t i = 0; i < count; i++) {
        bool closed = lw_output_close(&output[i], good, good ? err : NULL);
        if (good && closed)
            lw_text_format(&before, "%s%s", before.length ? ", " : "", output[i].file.path);
        good = good && closed;
    }
    if (wanted && !good && before.length) {
        struct lw_error why = *err;
        lw_error_set(err, why.code, "%.250s; already replaced: %.200s", why.message,
                     lw_text_string(&before));
    }
    lw_text_free(&before);
    return good;
}

bool lw_docs_figures_write(const struct lw_docs_figures *figures, const char *document,
                           const struct lw_text *fresh, struct lw_error *err)
{
    struct lw_output *output = calloc(figures->count + 1, sizeof *output);
    struct lw_text made = {0};
    size_t count = 0;
    bool good = output || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; good && i < figures->count; i++) {
        const struct lw_docs_figure *figure = &figures->figure[i];
        if (!figure->stale)
            continue;
        good = make_folders(figure->path, figure->folder, &made, err) &&
               open_new(&output[count], figure->path, &figure->contents, err);
        count += good;
    }
    if (good && fresh) {
        good = open_new(&output[count], document, fresh, err);
        count += good;
    }
    good = close_all(output, count, good, err);
    if (!good)
        remove_folders(&made);
    lw_text_free(&made);
    free(output);
    return good;
}

void lw_docs_figures_free(struct lw_docs_figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        lw_text_free(&figures->figure[i].contents);
        free(figures->figure[i].path);
    }
    free(figures->figure);
    *figures = (struct lw_docs_figures){0};
}
