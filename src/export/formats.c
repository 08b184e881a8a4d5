/* Formats by name, and what is checked before any of them writes; the list of them is in formats.h. */

#include "export/export_parts.h"
#include "export/cell_values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ADDRESS(NAME) &lw_format_##NAME,
static const struct lw_format *const formats[] = {LW_FORMATS(ADDRESS)};
#undef ADDRESS

#define FORMAT_COUNT (sizeof formats / sizeof *formats)

const struct lw_format *const *lw_formats(size_t *count)
{
    *count = FORMAT_COUNT;
    return formats;
}

const struct lw_format *lw_format_find(const char *name)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (!strcmp(formats[i]->name, name))
            return formats[i];
    return NULL;
}

const char *lw_format_dropped(const char *name)
{
    static const struct {
        const char *name, *extension, *instead;
    } dropped[] = {
        {"asciidoc", "adoc", "markdown, rst or csv"},
        {"org", "org", "markdown, rst or csv"},
        {"typst", "typ", "markdown, csv or svg"},
        {"asciicast", "cast", "svg or html, which have --arrange frames too"},
    };
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (!strcmp(name, dropped[i].name) || !strcmp(name, dropped[i].extension))
            return dropped[i].instead;
    return NULL;
}

const struct lw_format *lw_format_of_path(const char *path, struct lw_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.'), *instead = dot ? lw_format_dropped(dot + 1) : NULL;
    struct lw_text names = {0};
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (dot && (!strcasecmp(formats[i]->extension, dot + 1) ||
                    !strcasecmp(formats[i]->name, dot + 1))) {
            lw_text_free(&names);
            return formats[i];
        }
        lw_text_format(&names, "%s.%s", i ? " " : "", formats[i]->extension);
    }
    if (instead)
        lw_error_set(err, LW_ERROR_NAME, "%.80s: this format was removed: use %s", name, instead);
    else
        lw_error_set(err, LW_ERROR_NAME,
                     "%.80s: %s extension; known ones are %s, or the name of a format, such as "
                     ".latex",
                     name, dot ? "unknown" : "no", lw_text_string(&names));
    lw_text_free(&names);
    return NULL;
}

/* ---- What is checked before anything is written ---- */

static bool check_names(const struct lw_export_options *options, struct lw_error *err)
{
    const bool known = !options->style || lw_style_find(options->style);
    return (known && lw_find_palette(options->palette)) ||
           lw_error_set(err, LW_ERROR_NAME, "unknown %s '%.40s' ('laneway help output' lists them)",
                        known ? "palette" : "style", known ? options->palette : options->style);
}

static bool check_range(const char *what, uint64_t count, uint64_t *from, uint64_t *to,
                        struct lw_error *err)
{
    if (*from == 0 && *to == 0)
        *to = count;
    if (*from < *to && *to <= count)
        return true;
    if (count == 0)
        return lw_error_set(err, LW_ERROR_LIMIT, "there are no %s", what);
    return lw_error_set(err, LW_ERROR_LIMIT, "%s %llu:%llu: there are %llu, from 0 to %llu", what,
                        (unsigned long long)*from, (unsigned long long)*to,
                        (unsigned long long)count, (unsigned long long)count - 1);
}

/* Checks the size of the output. Few cells can be much text, as each may list all owners of its element: the width
 * counts too. */
static bool check_size(const struct lw_view *view, const struct lw_format *format,
                       const struct lw_export_options *options, struct lw_error *err)
{
    const uint64_t max = format->cells ? format->cells : LW_EXPORT_CELLS;
    const uint64_t columns_max = (uint64_t)1 << 28, usual = 64; /* characters of a cell */
    const char *choose = options->choose, *all_hint = options->all_hint;
    uint64_t rows = options->row_to - options->row_from, cols = options->col_to - options->col_from;
    size_t width = view->type->formatted ? view->type->width(view) : 1;
    char many[160] = "";
    if (!options->all && rows > max / cols)
        snprintf(many, sizeof many, "%llu rows of %llu cells are more than %llu cells",
                 (unsigned long long)rows, (unsigned long long)cols, (unsigned long long)max);
    else if (!options->all && width > usual && width > columns_max / (rows * cols))
        snprintf(many, sizeof many,
                 "%llu cells with texts of up to %zu characters are more than 2^28",
                 (unsigned long long)(rows * cols), width);
    return !*many ||
           lw_error_set(err, LW_ERROR_LIMIT, "%s%s%s%s%s", many, choose ? ": " : "",
                        choose ? choose : "", all_hint ? ", or " : "", all_hint ? all_hint : "");
}

/* Checks the options of a view and sets its ranges. */
static bool check_view(const struct lw_view *view, const struct lw_format *format,
                       struct lw_export_options *options, struct lw_error *err)
{
    if (!check_names(options, err))
        return false;
    if (options->width &&
        (options->width < LW_EXPORT_WIDTH_MIN || options->width > LW_EXPORT_WIDTH_MAX))
        return lw_error_set(err, LW_ERROR_LIMIT, "a figure %u pixels wide: from %d to %d",
                            options->width, LW_EXPORT_WIDTH_MIN, LW_EXPORT_WIDTH_MAX);
    if (options->cell_size > LW_EXPORT_CELL_SIZE_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "cells of %u pixels: from 1 to %d",
                            options->cell_size, LW_EXPORT_CELL_SIZE_MAX);
    return check_range("rows", view->rows, &options->row_from, &options->row_to, err) &&
           check_range("cols", view->cols, &options->col_from, &options->col_to, err) &&
           check_size(view, format, options, err);
}

/* Those that a caller gave, or the usual ones. */
static struct lw_export_options given_options(const struct lw_export_options *options)
{
    return options ? *options : (struct lw_export_options){.labels = true, .head = true};
}

bool lw_export_check(const struct lw_view *const *views, size_t count,
                     const struct lw_format *format, const struct lw_export_options *options,
                     struct lw_error *err)
{
    struct lw_export_options given = given_options(options);
    for (size_t i = 0; i < count; i++) {
        struct lw_export_options complete = given;
        if (!check_view(views[i], format, &complete, err))
            return false;
    }
    return lw_highlight_check(views, count, &given, err);
}

/* ---- Writing ---- */

static bool flush(FILE *stream, struct lw_error *err)
{
    if (fflush(stream) == 0 && !ferror(stream))
        return true;
    return lw_error_set(err, LW_ERROR_IO, "cannot write: %s", errno ? strerror(errno) : "failed");
}

/* Writes a view whose highlight is checked. */
static bool export_view(const struct lw_view *view, const struct lw_format *format,
                        const struct lw_export_options *options, FILE *stream, struct lw_error *err)
{
    struct lw_export_options complete = *options;
    struct lw_highlight highlight;
    if (!check_view(view, format, &complete, err) ||
        (format->write && !lw_highlight_mark(&highlight, view, &complete, err)))
        return false;
    errno = 0;
    bool good = format->write ? format->write(view, &complete, stream, err)
                              : format->write_panels(&view, 1, &complete, stream, err);
    return good && flush(stream, err);
}

bool lw_export(const struct lw_view *view, const struct lw_format *format,
               const struct lw_export_options *options, FILE *stream, struct lw_error *err)
{
    struct lw_export_options given = given_options(options);
    return lw_export_check(&view, 1, format, &given, err) &&
           export_view(view, format, &given, stream, err);
}

bool lw_export_panels(const struct lw_view *const *views, size_t count,
                      const struct lw_format *format, const struct lw_export_options *options,
                      FILE *stream, struct lw_error *err)
{
    struct lw_export_options given = given_options(options);
    if (!count || count > LW_PANELS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "%zu panels: from 1 to %d", count, LW_PANELS_MAX);
    if (count > 1 && given.arrangement == LW_ARRANGE_FRAMES && !format->moves)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "--arrange frames: %s has no frames: html, svg have", format->name);
    if (!lw_export_check(views, count, format, &given, err))
        return false;
    const bool one_by_one = !format->write_panels || count == 1;
    if (one_by_one && !format->between && count > 1)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s holds one view, not %zu", format->name,
                            count);
    for (size_t i = 0; one_by_one && i < count; i++) {
        struct lw_export_options own = given;
        const char *about = views[i]->subject->about;
        const char *next = i + 1 < count ? views[i + 1]->subject->about : NULL;
        /* a paragraph that the next one has too is left out */
        own.no_about = own.no_about || (about && next && !strcmp(about, next));
        fputs(i ? format->between : "", stream);
        if (!export_view(views[i], format, &own, stream, err))
            return false;
    }
    if (one_by_one)
        return true;
    errno = 0;
    return format->write_panels(views, count, &given, stream, err) && flush(stream, err);
}
