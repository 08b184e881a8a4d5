/* png and pdf: the drawing of svg, in the light colours of its palette, drawn by librsvg: by its program rsvg-convert,
 * or where that is not installed by the library itself, if it was found while laneway was built. The library is loaded
 * when a picture is written, so that no other command waits for it. */

#include "export/export_parts.h"
#include "export/figure/svg.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PNG_SCALE = 2,
    PNG_PIXELS_MAX = 32767,
    CELLS_MAX = 1 << 18 /* librsvg reads a million elements, up to three for each cell */
};

/* ---- rsvg-convert ---- */

/* Runs rsvg-convert with files for what it reads, writes and reports. The pdf has a fixed date in it, so that the same
 * figure is the same file. False: it has failed, with ENOENT when there is no such program. */
static bool run(bool pdf, FILE *const file[3])
{
    extern char **environ;
    char *const png_arguments[] = {(char *)"rsvg-convert", (char *)"--format=png",
                                   (char *)"--zoom=2", NULL};
    char *const pdf_arguments[] = {(char *)"rsvg-convert", (char *)"--format=pdf", NULL};
    size_t count = 0;
    while (environ[count])
        count++;
    char **variables = calloc(count + 2, sizeof *variables);
    posix_spawn_file_actions_t actions;
    pid_t child;
    int why = variables ? posix_spawn_file_actions_init(&actions) : ENOMEM, status = -1;
    if (why) {
        free(variables);
        errno = why;
        return false;
    }
    variables[0] = (char *)"SOURCE_DATE_EPOCH=946684800";
    memcpy(variables + 1, environ, count * sizeof *variables);
    for (int i = 0; i < 3 && !why; i++)
        why = posix_spawn_file_actions_adddup2(&actions, fileno(file[i]), i);
    if (!why)
        why = posix_spawnp(&child, "rsvg-convert", &actions, NULL,
                           pdf ? pdf_arguments : png_arguments, variables);
    while (!why && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    posix_spawn_file_actions_destroy(&actions);
    free(variables);
    errno = why;
    return !why && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool copy(FILE *from, FILE *to)
{
    char bytes[1 << 14];
    size_t count;
    rewind(from);
    while ((count = fread(bytes, 1, sizeof bytes, from)) > 0)
        fwrite(bytes, 1, count, to);
    return !ferror(from);
}

/* *there: whether there is such a program. */
static bool convert(const char *svg, size_t length, bool pdf, FILE *stream, bool *there,
                    struct lw_error *err)
{
    FILE *file[3] = {tmpfile(), tmpfile(), tmpfile()};
    char why[160] = "";
    bool good = file[0] && file[1] && file[2] && fwrite(svg, 1, length, file[0]) == length &&
                fflush(file[0]) == 0 && lseek(fileno(file[0]), 0, SEEK_SET) == 0;
    *there = true;
    if (!good) {
        lw_error_set(err, LW_ERROR_IO, "a temporary file for the drawing: %s", strerror(errno));
    } else if (!run(pdf, file)) {
        *there = errno != ENOENT;
        rewind(file[2]);
        if (fgets(why, sizeof why, file[2]))
            why[strcspn(why, "\n")] = '\0';
        good = lw_error_set(err, LW_ERROR_UNSUPPORTED, "rsvg-convert cannot draw this figure%s%s",
                            *why ? ": " : "", why);
    } else {
        good = copy(file[1], stream) ||
               lw_error_set(err, LW_ERROR_IO, "what rsvg-convert has drawn: %s", strerror(errno));
    }
    for (int i = 0; i < 3; i++)
        if (file[i])
            fclose(file[i]);
    return good;
}

/* ---- The library ---- */

#ifdef LW_HAVE_RSVG

#include <cairo-pdf.h>
#include <dlfcn.h>
#include <librsvg/rsvg.h>

/* The functions of librsvg, and of the libraries that it is made with. */
#define FUNCTIONS(ROW)                                                                             \
    ROW(rsvg_handle_new_from_data)                                                                 \
    ROW(rsvg_handle_render_document)                                                               \
    ROW(g_object_unref)                                                                            \
    ROW(cairo_image_surface_create)                                                                \
    ROW(cairo_pdf_surface_create_for_stream)                                                       \
    ROW(cairo_pdf_surface_set_metadata)                                                            \
    ROW(cairo_surface_write_to_png_stream)                                                         \
    ROW(cairo_surface_finish)                                                                      \
    ROW(cairo_surface_status)                                                                      \
    ROW(cairo_surface_destroy)                                                                     \
    ROW(cairo_create)                                                                              \
    ROW(cairo_scale)                                                                               \
    ROW(cairo_status)                                                                              \
    ROW(cairo_destroy)

struct library {
#define MEMBER(name) __typeof__(name) *name;
    FUNCTIONS(MEMBER)
};

static bool load(struct library *l)
{
    void *library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL), *found;
    bool good = library != NULL;
#define FIND(name)                                                                                 \
    good = good && (found = dlsym(library, #name)) && memcpy(&l->name, &found, sizeof found);
    FUNCTIONS(FIND)
    return good;
}

static cairo_status_t write_bytes(void *stream, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                     : CAIRO_STATUS_WRITE_ERROR;
}

/* Draws svg of that width and height in pixels; false: there is no library, or it has failed. */
static bool draw(const char *svg, size_t length, bool pdf, const uint64_t size[2], FILE *stream)
{
    struct library l;
    if (!load(&l))
        return false;
    const double scale = pdf ? .75 : PNG_SCALE; /* points are 72 an inch, pixels 96 */
    const double width = (double)size[0], height = (double)size[1];
    RsvgHandle *handle = l.rsvg_handle_new_from_data((const guint8 *)svg, length, NULL);
    cairo_surface_t *surface =
        pdf ? l.cairo_pdf_surface_create_for_stream(write_bytes, stream, width * scale,
                                                    height * scale)
            : l.cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)(width * scale),
                                           (int)(height * scale));
    bool good = handle && l.cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS;
    if (good) { /* on a surface that has failed librsvg would print that */
        cairo_t *cairo = l.cairo_create(surface);
        const RsvgRectangle all = {0, 0, width, height};
        if (pdf)
            l.cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                             "2000-01-01T00:00:00Z");
        l.cairo_scale(cairo, scale, scale);
        good = l.rsvg_handle_render_document(handle, cairo, &all, NULL) &&
               l.cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
        l.cairo_destroy(cairo);
    }
    if (good && !pdf)
        good = l.cairo_surface_write_to_png_stream(surface, write_bytes, stream) ==
               CAIRO_STATUS_SUCCESS;
    l.cairo_surface_finish(surface);
    good = l.cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS && good;
    l.cairo_surface_destroy(surface);
    if (handle)
        l.g_object_unref(handle);
    return good;
}

#else

static bool draw(const char *svg, size_t length, bool pdf, const uint64_t size[2], FILE *stream)
{
    (void)svg, (void)length, (void)pdf, (void)size, (void)stream;
    return false;
}

#endif

/* ---- The formats ---- */

/* The palette on light paper alone. */
static const char *light_palette(const char *name)
{
    size_t count;
    const struct lw_export_palette *all = lw_export_palettes(&count), *one = lw_find_palette(name);
    for (size_t i = 0; i < count; i++)
        if (!all[i].dark && !strcmp(all[i].light, one->light))
            return all[i].name;
    return one->name;
}

static bool write_panels(const struct lw_view *const *views, size_t count,
                         const struct lw_export_options *options, bool pdf, FILE *stream,
                         struct lw_error *err)
{
    struct lw_export_options light = *options;
    char *svg = NULL;
    size_t length = 0;
    uint64_t size[2] = {0}, cells = 0;
    bool there;
    for (size_t i = 0; i < count; i++) {
        const struct lw_export_options *o = options;
        cells += (o->row_to ? o->row_to - o->row_from : views[i]->rows) *
                 (o->col_to ? o->col_to - o->col_from : views[i]->cols);
    }
    if (cells > CELLS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "a png or pdf of %llu cells: at most %d are possible; choose some with "
                            "--rows and --cols, or write svg",
                            (unsigned long long)cells, CELLS_MAX);
    light.palette = light_palette(options->palette);
    FILE *memory = open_memstream(&svg, &length);
    bool good = memory && lw_write_svg(views, count, &light, memory, size, err);
    if (!memory || (fclose(memory) != 0 && good))
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good && !pdf &&
        (size[0] > PNG_PIXELS_MAX / PNG_SCALE || size[1] > PNG_PIXELS_MAX / PNG_SCALE))
        good = lw_error_set(
            err, LW_ERROR_LIMIT,
            "a png of %llu x %llu pixels: at most %d in each direction are possible; choose "
            "some cells with --rows and --cols, or write svg or pdf",
            (unsigned long long)size[0] * PNG_SCALE, (unsigned long long)size[1] * PNG_SCALE,
            PNG_PIXELS_MAX);
    if (good && !convert(svg, length, pdf, stream, &there, err)) {
        good = !there && draw(svg, length, pdf, size, stream);
        if (!there && !good && !ferror(stream))
            lw_error_set(err, LW_ERROR_UNSUPPORTED,
                         "png and pdf are drawn by librsvg, and neither its program rsvg-convert "
                         "nor the library draws it here: install rsvg-convert (Debian: "
                         "librsvg2-bin), or write svg");
    }
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
