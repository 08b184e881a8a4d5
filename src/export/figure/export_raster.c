/* png and pdf: the drawing of svg, in the light colours of its palette, drawn by librsvg on cairo. These libraries are
 * optional: when they were not found while laneway was built, the formats are refused with the reason. They are loaded
 * when a picture is written, so that no other command waits for them. */

#include "export/figure/raster.h"

#include "export/export_parts.h"
#include "export/figure/geometry.h"

#include <stdlib.h>
#include <string.h>

enum { PNG_SCALE = 2, PNG_PIXELS_MAX = 32767 };

#ifdef LW_HAVE_RSVG

#include <cairo-pdf.h>
#include <dlfcn.h>
#include <librsvg/rsvg.h>

/* The functions of the libraries, by the names that they have there. */
struct drawer {
    void *rsvg, *cairo, *object;
    __typeof__(rsvg_handle_new_from_data) *new_from_data;
    __typeof__(rsvg_handle_get_intrinsic_size_in_pixels) *get_size;
    __typeof__(rsvg_handle_render_document) *render;
    __typeof__(g_object_unref) *unref;
    __typeof__(cairo_image_surface_create) *image_create;
    __typeof__(cairo_pdf_surface_create_for_stream) *pdf_create;
    __typeof__(cairo_pdf_surface_set_metadata) *pdf_metadata;
    __typeof__(cairo_surface_write_to_png_stream) *write_png;
    __typeof__(cairo_surface_finish) *finish;
    __typeof__(cairo_surface_status) *surface_status;
    __typeof__(cairo_surface_destroy) *surface_destroy;
    __typeof__(cairo_create) *create;
    __typeof__(cairo_scale) *scale;
    __typeof__(cairo_status) *status;
    __typeof__(cairo_destroy) *destroy;
};

static bool find(void *library, const char *name, void *function)
{
    void *found = library ? dlsym(library, name) : NULL;
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

/* Reports that the libraries cannot be loaded; this also happens when memory or file descriptors run out. */
static bool refuse_drawer(struct lw_error *err)
{
    const char *why = dlerror();
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "png and pdf are drawn by librsvg, which cannot be loaded here: install "
                        "it, or write svg (%.200s)",
                        why ? why : "a function is missing");
}

static bool open_drawer(struct drawer *d, struct lw_error *err)
{
    d->rsvg = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
    d->cairo = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
    d->object = dlopen("libgobject-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
    return (find(d->rsvg, "rsvg_handle_new_from_data", &d->new_from_data) &&
            find(d->rsvg, "rsvg_handle_get_intrinsic_size_in_pixels", &d->get_size) &&
            find(d->rsvg, "rsvg_handle_render_document", &d->render) &&
            find(d->object, "g_object_unref", &d->unref) &&
            find(d->cairo, "cairo_image_surface_create", &d->image_create) &&
            find(d->cairo, "cairo_pdf_surface_create_for_stream", &d->pdf_create) &&
            find(d->cairo, "cairo_pdf_surface_set_metadata", &d->pdf_metadata) &&
            find(d->cairo, "cairo_surface_write_to_png_stream", &d->write_png) &&
            find(d->cairo, "cairo_surface_finish", &d->finish) &&
            find(d->cairo, "cairo_surface_status", &d->surface_status) &&
            find(d->cairo, "cairo_surface_destroy", &d->surface_destroy) &&
            find(d->cairo, "cairo_create", &d->create) &&
            find(d->cairo, "cairo_scale", &d->scale) &&
            find(d->cairo, "cairo_status", &d->status) &&
            find(d->cairo, "cairo_destroy", &d->destroy)) ||
           refuse_drawer(err);
}

static cairo_status_t write_bytes(void *stream, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                     : CAIRO_STATUS_WRITE_ERROR;
}

/* Draws on a surface, and destroys it. */
static bool draw_on(const struct drawer *d, RsvgHandle *handle, cairo_surface_t *surface,
                    double width, double height, double scale, FILE *png)
{
    if (d->surface_status(surface) != CAIRO_STATUS_SUCCESS) { /* librsvg would print that */
        d->surface_destroy(surface);
        return false;
    }
    cairo_t *cairo = d->create(surface);
    const RsvgRectangle all = {0, 0, width, height};
    d->scale(cairo, scale, scale);
    bool good = d->render(handle, cairo, &all, NULL) && d->status(cairo) == CAIRO_STATUS_SUCCESS;
    d->destroy(cairo);
    if (good && png)
        good = d->write_png(surface, write_bytes, png) == CAIRO_STATUS_SUCCESS;
    d->finish(surface);
    good = good && d->surface_status(surface) == CAIRO_STATUS_SUCCESS;
    d->surface_destroy(surface);
    return good;
}

/* A pdf has no date in it, so that the same figure is the same file. */
static bool draw(const struct drawer *d, RsvgHandle *handle, bool pdf, FILE *stream)
{
    const double points = 0.75; /* of a pixel of 1/96 inch */
    double width, height;
    if (!d->get_size(handle, &width, &height))
        return false;
    if (!pdf)
        return draw_on(
            d, handle,
            d->image_create(CAIRO_FORMAT_ARGB32, (int)width * PNG_SCALE, (int)height * PNG_SCALE),
            width, height, PNG_SCALE, stream);
    cairo_surface_t *surface = d->pdf_create(write_bytes, stream, width * points, height * points);
    d->pdf_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    return draw_on(d, handle, surface, width, height, points, NULL);
}

static bool rasterize(const struct drawer *d, const char *svg, size_t length, bool pdf,
                      FILE *stream, struct lw_error *err)
{
    RsvgHandle *handle = d->new_from_data((const guint8 *)svg, length, NULL);
    bool good = handle && draw(d, handle, pdf, stream);
    if (handle)
        d->unref(handle);
    return good || ferror(stream) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "librsvg cannot draw this figure: it may be too large; write svg instead");
}

#else

struct drawer {
    char unused;
};

static bool open_drawer(struct drawer *d, struct lw_error *err)
{
    (void)d;
    return lw_error_set(
        err, LW_ERROR_UNSUPPORTED,
        "png and pdf are drawn by librsvg, which this laneway (as that of pip) was built without: "
        "write svg, and 'rsvg-convert' or a browser converts it; in Python save() and picture() "
        "do, after 'pip install cairosvg'");
}

static bool rasterize(const struct drawer *d, const char *svg, size_t length, bool pdf,
                      FILE *stream, struct lw_error *err)
{
    (void)d, (void)svg, (void)length, (void)pdf, (void)stream, (void)err;
    return false; /* the stream was not opened */
}

#endif

bool lw_raster_is_built(void)
{
#ifdef LW_HAVE_RSVG
    return true;
#else
    return false;
#endif
}

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

/* The most pixels of svg that a figure can be wide. */
static uint64_t widest(const struct lw_view *const *views, size_t count,
                       const struct lw_export_options *o)
{
    const uint64_t most = PNG_PIXELS_MAX / PNG_SCALE;
    bool folds = !o->no_fold && (o->width || o->arrangement != LW_ARRANGE_PRODUCT);
    uint64_t width = o->width;
    for (size_t i = 0; i < count && folds && !o->width; i++)
        width += views[i]->seam_cols ? most : LW_FIGURE_WIDTH;
    return folds && width < most ? width : most;
}

/* Fails when so many cells of the least size cannot fit; this is checked before texts are computed. */
static bool check_cells(const struct lw_view *const *views, size_t count,
                        const struct lw_export_options *o, struct lw_error *err)
{
    uint64_t least = o->cell_size && o->cell_size < LW_CELL_LEAST ? o->cell_size : LW_CELL_LEAST;
    uint64_t cells = 0, width = widest(views, count, o);
    uint64_t room = (width / least) * (PNG_PIXELS_MAX / PNG_SCALE / least);
    for (size_t i = 0; i < count && cells <= room; i++) {
        uint64_t rows = o->row_to ? o->row_to - o->row_from : views[i]->rows;
        uint64_t cols = o->col_to ? o->col_to - o->col_from : views[i]->cols;
        cells = rows > (room - cells) / cols ? UINT64_MAX : cells + rows * cols;
    }
    return cells <= room ||
           lw_error_set(err, LW_ERROR_LIMIT,
                        "a png %llu pixels wide has room for %llu cells at most: choose some "
                        "cells with --rows and --cols, or write svg or pdf",
                        (unsigned long long)width * PNG_SCALE, (unsigned long long)room);
}

/* Checks the size before the picture is drawn, which takes long. */
static bool check_size(const struct lw_view *const *views, size_t count,
                       const struct lw_export_options *options, struct lw_error *err)
{
    uint64_t size[2];
    if (!check_cells(views, count, options, err) || !lw_svg_size(views, count, options, size, err))
        return false;
    return (size[0] <= PNG_PIXELS_MAX / PNG_SCALE && size[1] <= PNG_PIXELS_MAX / PNG_SCALE) ||
           lw_error_set(
               err, LW_ERROR_LIMIT,
               "a png of %llu x %llu pixels: at most %d in each direction are possible; choose "
               "some cells with --rows and --cols, or write svg or pdf",
               (unsigned long long)size[0] * PNG_SCALE, (unsigned long long)size[1] * PNG_SCALE,
               PNG_PIXELS_MAX);
}

static bool write_panels(const struct lw_view *const *views, size_t count,
                         const struct lw_export_options *options, bool pdf, FILE *stream,
                         struct lw_error *err)
{
    struct lw_export_options light = *options;
    struct drawer drawer;
    char *svg = NULL;
    size_t length = 0;
    if (!open_drawer(&drawer, err)) /* before steps that may take long */
        return false;
    light.palette = light_palette(options->palette);
    if (!pdf && !check_size(views, count, &light, err))
        return false;
    FILE *memory = open_memstream(&svg, &length);
    bool good = memory ? lw_format_svg.write_panels(views, count, &light, memory, err)
                       : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (memory && fclose(memory) != 0 && good)
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    good = good && rasterize(&drawer, svg, length, pdf, stream, err);
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
