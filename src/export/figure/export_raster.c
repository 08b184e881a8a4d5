/* png and pdf: the drawing of svg, drawn by rsvg-convert, the program of librsvg, which does not follow rules for dark
 * schemes: the colours are the light ones of the palette. */

#include "export/figure/canvas.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CELLS_MAX = 1 << 18 }; /* librsvg reads a million elements, up to three for each cell */

/* Runs rsvg-convert with files for what it reads, writes and reports. The pdf has a fixed date in it, so that the same
 * figure is the same file. False: it has failed, with ENOENT when there is no such program. */
static bool run(bool pdf, FILE *const file[3])
{
    extern char **environ;
    char *const png_arguments[] = {(char *)"rsvg-convert", (char *)"--format=png",
                                   (char *)"--zoom=2", NULL};
    char *const pdf_arguments[] = {(char *)"env", (char *)"SOURCE_DATE_EPOCH=946684800",
                                   (char *)"rsvg-convert", (char *)"--format=pdf", NULL};
    char *const *arguments = pdf ? pdf_arguments : png_arguments;
    posix_spawn_file_actions_t actions;
    pid_t child;
    int why = posix_spawn_file_actions_init(&actions), status = -1;
    if (why) {
        errno = why;
        return false;
    }
    for (int i = 0; i < 3 && !why; i++)
        why = posix_spawn_file_actions_adddup2(&actions, fileno(file[i]), i);
    if (!why)
        why = posix_spawnp(&child, *arguments, &actions, NULL, arguments, environ);
    while (!why && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    posix_spawn_file_actions_destroy(&actions);
    const bool absent = pdf && WIFEXITED(status) && WEXITSTATUS(status) == 127; /* of env */
    errno = absent ? ENOENT : why;
    return !why && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool convert(const char *svg, size_t length, bool pdf, FILE *stream, struct lw_error *err)
{
    FILE *file[3] = {tmpfile(), tmpfile(), tmpfile()};
    char why[160] = "", bytes[1 << 14];
    bool good = file[0] && file[1] && file[2] && fwrite(svg, 1, length, file[0]) == length &&
                fflush(file[0]) == 0 && lseek(fileno(file[0]), 0, SEEK_SET) == 0;
    if (!good) {
        lw_error_set(err, LW_ERROR_IO, "a temporary file for the drawing: %s", strerror(errno));
    } else if (run(pdf, file)) {
        rewind(file[1]);
        for (size_t count; (count = fread(bytes, 1, sizeof bytes, file[1])) > 0;)
            fwrite(bytes, 1, count, stream);
        good = !ferror(file[1]) ||
               lw_error_set(err, LW_ERROR_IO, "what rsvg-convert has drawn: %s", strerror(errno));
    } else if (errno == ENOENT) {
        good = lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "png and pdf are drawn by librsvg: install its program rsvg-convert "
                            "(Debian: librsvg2-bin), or write svg");
    } else {
        rewind(file[2]);
        if (fgets(why, sizeof why, file[2]))
            why[strcspn(why, "\n")] = '\0';
        good = lw_error_set(err, LW_ERROR_UNSUPPORTED, "rsvg-convert cannot draw this %s%s%s",
                            pdf ? "pdf" : "png", *why ? ": " : "", why);
    }
    for (int i = 0; i < 3; i++)
        if (file[i])
            fclose(file[i]);
    return good;
}

static bool write_panels(const struct lw_view *const *views, size_t count,
                         const struct lw_export_options *options, bool pdf, FILE *stream,
                         struct lw_error *err)
{
    struct lw_canvas canvas = {.options = options, .cells_max = CELLS_MAX};
    char *svg = NULL;
    size_t length = 0;
    if (!lw_canvas_open(&canvas, views, count, err))
        return false;
    canvas.stream = open_memstream(&svg, &length);
    if (canvas.stream)
        lw_draw_svg(&canvas);
    canvas.failed = !canvas.stream || fclose(canvas.stream) != 0 || canvas.failed;
    bool good = lw_canvas_close(&canvas, err);
    good = good && convert(svg, length, pdf, stream, err);
    free(svg);
    return good;
}

static bool png_panels(const struct lw_view *const *views, size_t count,
                       const struct lw_export_options *options, FILE *stream, struct lw_error *err)
{
    return write_panels(views, count, options, false, stream, err);
}

static bool pdf_panels(const struct lw_view *const *views, size_t count,
                       const struct lw_export_options *options, FILE *stream, struct lw_error *err)
{
    return write_panels(views, count, options, true, stream, err);
}

const struct lw_format lw_format_png = {
    .name = "png",
    .marks = true,
    .extension = "png",
    .help = "the picture of svg in pixels, two for each of it",
    .cells = (uint64_t)1 << 16,
    .binary = true,
    .colors = true,
    .write_panels = png_panels,
};

const struct lw_format lw_format_pdf = {
    .name = "pdf",
    .marks = true,
    .extension = "pdf",
    .help = "the picture of svg for print",
    .cells = (uint64_t)1 << 16,
    .binary = true,
    .colors = true,
    .write_panels = pdf_panels,
};
