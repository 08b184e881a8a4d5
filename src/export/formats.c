/* The table of formats, and what is checked before any of them writes. */

#include "export/export_parts.h"

#include <errno.h>
#include <string.h>

static const struct lw_format *const formats[] = {
    &lw_format_text,     &lw_format_ansi, &lw_format_markdown, &lw_format_rst,
    &lw_format_asciidoc, &lw_format_org,  &lw_format_typst,    &lw_format_csv,
    &lw_format_json,     &lw_format_html, &lw_format_svg,      &lw_format_latex};

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

const struct lw_format *lw_format_of_path(const char *path, struct lw_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    struct lw_text names = {0};
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (dot && !strcmp(formats[i]->extension, dot + 1))
            return formats[i];
        lw_text_format(&names, "%s.%s", i ? " " : "", formats[i]->extension);
    }
    lw_error_set(err, LW_ERROR_NAME, "%.80s: unknown extension; known ones are %s", name,
                 lw_text_string(&names));
    lw_text_free(&names);
    return NULL;
}

static const char *style_name(const void *styles, size_t i)
{
    return ((const struct lw_style *)styles)[i].name;
}

static bool check_style(const char *name, struct lw_error *err)
{
    size_t count;
    const struct lw_style *styles = lw_styles(&count);
    if (!name || lw_style_find(name))
        return true;
    char hint[LW_HINT_MAX];
    const char *near = lw_text_nearest(name, count, style_name, styles);
    return lw_error_set(err, LW_ERROR_NAME, "unknown style '%.40s'%s", name,
                        lw_text_hint(hint, near, ""));
}

static bool check_palette(const char *name, struct lw_error *err)
{
    struct lw_text names = {0};
    size_t count;
    if (lw_find_palette(name))
        return true;
    const struct lw_export_palette *palettes = lw_export_palettes(&count);
    for (size_t i = 0; i < count; i++)
        lw_text_format(&names, "%s%s", i ? ", " : "", palettes[i].name);
    lw_error_set(err, LW_ERROR_NAME, "unknown palette '%.40s': expected one of %s", name,
                 lw_text_string(&names));
    lw_text_free(&names);
    return false;
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

static bool check_size(const struct lw_format *format, const struct lw_export_options *options,
                       struct lw_error *err)
{
    uint64_t max = format->cells ? format->cells : LW_EXPORT_CELLS;
    uint64_t rows = options->row_to - options->row_from;
    uint64_t cols = options->col_to - options->col_from;
    if (options->all || rows <= max / cols)
        return true;
    const char *choose = options->choose, *all_hint = options->all_hint;
    return lw_error_set(err, LW_ERROR_LIMIT,
                        "%llu rows of %llu cells are more than %llu cells%s%s%s%s",
                        (unsigned long long)rows, (unsigned long long)cols, (unsigned long long)max,
                        choose ? ": " : "", choose ? choose : "", all_hint ? ", or " : "",
                        all_hint ? all_hint : "");
}

bool lw_export(const struct lw_view *view, const struct lw_format *format,
               const struct lw_export_options *options, FILE *stream, struct lw_error *err)
{
    struct lw_export_options complete = {.labels = true, .head = true};
    if (options)
        complete = *options;
    if (!check_style(complete.style, err) || !check_palette(complete.palette, err) ||
        !check_range("rows", view->rows, &complete.row_from, &complete.row_to, err) ||
        !check_range("cols", view->cols, &complete.col_from, &complete.col_to, err) ||
        !check_size(format, &complete, err))
        return false;
    errno = 0;
    if (!format->write(view, &complete, stream, err))
        return false;
    if (fflush(stream) == 0 && !ferror(stream))
        return true;
    return lw_error_set(err, LW_ERROR_IO, "cannot write: %s", errno ? strerror(errno) : "failed");
}
