/* The files that a document shows, in memory until they are written. */

#include "cli/docs/figures.h"

#include "export/output.h"
#include "export/replace.h"
#include "notation/document/read.h"
#include "tui/tui.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool lw_docs_read(const char *path, struct lw_text *text, struct lw_error *err)
{
    struct lw_reading reading = {.err = err};
    FILE *file = lw_open_file(&reading, path);
    bool good = file && lw_read_stream(&reading, file, path, text);
    if (file)
        fclose(file);
    return good;
}

/* Fails when a part of a figure's path that follows the folder of its document is a symbolic link: it could lead out of
 * that folder. Writing does not follow one either (lw_replace_open_below), which could be made in between. */
static bool check_below(const struct lw_figure *figure, const char *path, const char *file,
                        struct lw_error *err)
{
    struct lw_text part = {0};
    struct stat info;
    bool good = true;
    for (size_t i = figure->folder + 1; good && path[i - 1]; i++) {
        if (path[i] && path[i] != '/')
            continue;
        lw_text_clear(&part);
        lw_text_bytes(&part, path, i);
        if (part.failed)
            good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        else if (lstat(lw_text_string(&part), &info) == 0 && S_ISLNK(info.st_mode))
            good = lw_error_set(err, LW_ERROR_NAME,
                                "-o %.60s: symbolic links are not followed below the folder of "
                                "the document",
                                file);
    }
    lw_text_free(&part);
    return good;
}

static bool same_text(const struct lw_text *a, const struct lw_text *b)
{
    return a->length == b->length && (!a->length || !memcmp(a->data, b->data, a->length));
}

/* Whether a text has markers, by the extension of its file. */
static bool has_markers(const char *path, const struct lw_text *text)
{
    struct lw_markers markers;
    struct lw_block block;
    struct lw_error err;
    size_t line;
    lw_markers_start(&markers, path, lw_text_string(text), text->length);
    return lw_markers_are_in(path) &&
           (lw_markers_next(&markers, &block, &line, &err) || err.code != LW_OK);
}

/* Sets *state to the result of comparing the file at the path. A document with markers is not replaced by a figure. */
static bool compare(const char *path, const struct lw_quote *q, enum lw_figure_state *state,
                    struct lw_error *err)
{
    struct lw_text old = {0};
    struct stat info;
    enum lw_file_there found = lw_file_info(path, &info);
    bool there = found == LW_FILE_THERE;
    bool good = found == LW_FILE_UNKNOWN
                    ? lw_error_set(err, LW_ERROR_IO, "%s: %s", path, strerror(errno))
                    : !there || lw_docs_read(path, &old, err);
    if (good && has_markers(path, &old))
        good = lw_error_set(err, LW_ERROR_NAME,
                            "-o %.60s: this file is a document, which has markers", q->file);
    *state = !there                                 ? LW_FIGURE_MISSING
             : good && same_text(&old, &q->printed) ? LW_FIGURE_SAME
                                                    : LW_FIGURE_OTHER;
    lw_text_free(&old);
    return good;
}

/* Appends a figure; the list then owns its path. */
static bool add(struct lw_figures *figures, const struct lw_figure *figure, struct lw_error *err)
{
    struct lw_figure *more =
        realloc(figures->figure, (figures->count + 1) * sizeof *figures->figure);
    if (more)
        figures->figure = more;
    if (!more || figure->contents.failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    figures->figure[figures->count++] = *figure;
    return true;
}

bool lw_figures_keep(struct lw_figures *figures, const char *document, const struct lw_quote *q,
                     enum lw_figure_state *state, struct lw_error *err)
{
    const char *slash = strrchr(document, '/');
    struct lw_text path = {0};
    struct lw_figure figure = {.folder = slash ? (size_t)(slash - document) + 1 : 0};
    lw_text_bytes(&path, document, figure.folder);
    lw_text_add(&path, q->file);
    bool good = check_below(&figure, lw_text_string(&path), q->file, err) &&
                compare(lw_text_string(&path), q, state, err);
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

/* Replaces a file; a figure is below the folder that its path begins with. */
static bool replace(const char *path, const size_t *folder, const struct lw_text *text,
                    struct lw_error *err)
{
    struct lw_replacement file;
    struct lw_text home = {0};
    lw_text_bytes(&home, folder && *folder ? path : "./", folder && *folder ? *folder : 2);
    bool good = home.failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory")
                : folder ? lw_replace_open_below(&file, lw_text_string(&home), path + *folder, err)
                         : lw_replace_open(&file, path, err);
    lw_text_free(&home);
    if (!good)
        return false;
    lw_output_raw(file.stream, text);
    return lw_replace_close(&file, true, err);
}

bool lw_figures_write(const struct lw_figures *figures, const char *document,
                      const struct lw_text *fresh, struct lw_error *err)
{
    for (size_t i = 0; i < figures->count; i++) {
        const struct lw_figure *figure = &figures->figure[i];
        if (figure->stale && !replace(figure->path, &figure->folder, &figure->contents, err))
            return false;
    }
    return !fresh || replace(document, NULL, fresh, err);
}

void lw_figures_free(struct lw_figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        lw_text_free(&figures->figure[i].contents);
        free(figures->figure[i].path);
    }
    free(figures->figure);
    *figures = (struct lw_figures){0};
}
