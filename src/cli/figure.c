/* The options of figures. */

#include "cli/figure.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Reads the options that only drawings have. */
static bool read_drawing(struct lw_export_options *options, const struct lw_arguments *args,
                         struct lw_error *err)
{
    const char *arrange = LW_OPTION_VALUE(args, ARRANGE);
    struct lw_choice choice;
    const char *wide = LW_OPTION_VALUE(args, WIDTH);
    uint64_t cell_size = 0, width = 0;
    options->any_width = wide && !strcmp(wide, "0");
    if (!lw_option_number(args, LW_OPTION_CELL_SIZE, 1, LW_EXPORT_CELL_SIZE_MAX, &cell_size, err) ||
        (!options->any_width && !lw_option_number(args, LW_OPTION_WIDTH, LW_EXPORT_WIDTH_MIN,
                                                  LW_EXPORT_WIDTH_MAX, &width, err)))
        return false;
    options->cell_size = (unsigned)cell_size;
    options->width = (unsigned)width;
    options->highlight = LW_OPTION_VALUE(args, HIGHLIGHT);
    options->no_dim = LW_OPTION_IS_SET(args, NO_DIM);
    options->differences = LW_OPTION_IS_SET(args, DIFFERENCES);
    const struct lw_choices *all = lw_options()[LW_OPTION_ARRANGE].choices;
    /* they are in the order of enum lw_arrangement */
    for (size_t i = 0; arrange && all->at(all->context, i, &choice); i++)
        if (!strcmp(choice.name, arrange))
            options->arrangement = (enum lw_arrangement)i;
    return true;
}

static bool check_drawing(const struct lw_arguments *args, const struct lw_format *format,
                          struct lw_error *err)
{
    static const enum lw_option_id drawing[] = {LW_OPTION_CELL_SIZE, LW_OPTION_WIDTH,
                                                LW_OPTION_ARRANGE, LW_OPTION_DIFFERENCES,
                                                LW_OPTION_TITLES};
    for (size_t i = 0; i < sizeof drawing / sizeof *drawing; i++)
        if (args->value[drawing[i]] && !format->write_panels)
            return lw_error_set(err, LW_ERROR_NAME, "--%s is for drawings such as svg, not for %s",
                                lw_options()[drawing[i]].name, format->name);
    return true;
}

static bool has_colors(const struct lw_format *format)
{
    return format->colors;
}

static bool has_marks(const struct lw_format *format)
{
    return format->marks;
}

/* Fails when an option is set that a format lacks, with the names of those that have it. */
static bool check_formats(const struct lw_arguments *args, enum lw_option_id option,
                          bool (*has)(const struct lw_format *format),
                          const struct lw_format *format, struct lw_error *err)
{
    struct lw_text names = {0};
    size_t count;
    const struct lw_format *const *formats = lw_formats(&count);
    if (!args->value[option] || has(format))
        return true;
    for (size_t i = 0; i < count; i++)
        if (has(formats[i]))
            lw_text_format(&names, "%s%s", names.length ? ", " : "", formats[i]->name);
    lw_error_set(err, LW_ERROR_NAME, "--%s is for the formats %s, not for %s",
                 lw_options()[option].name, lw_text_string(&names), format->name);
    lw_text_free(&names);
    return false;
}

bool lw_figure_format(const struct lw_arguments *args, const struct lw_format **format,
                      struct lw_error *err)
{
    const char *path = LW_OPTION_VALUE(args, OUTPUT);
    const char *slash = path ? strrchr(path, '/') : NULL;
    *format = NULL;
    if (LW_OPTION_IS_SET(args, FORMAT))
        *format = lw_format_find(LW_OPTION_VALUE(args, FORMAT));
    else if (LW_OPTION_IS_SET(args, JSON))
        *format = lw_format_find("json");
    else if (path && strchr(slash ? slash : path, '.'))
        *format = lw_format_of_path(path, err);
    else
        return true;
    return *format != NULL;
}

bool lw_figure_is_for_terminal(const struct lw_arguments *args)
{
    return !LW_OPTION_IS_SET(args, OUTPUT) && !LW_OPTION_IS_SET(args, FORMAT) &&
           !LW_OPTION_IS_SET(args, STYLE) && isatty(STDOUT_FILENO);
}

size_t lw_figure_columns(const struct lw_arguments *args)
{
    struct winsize size;
    bool known = lw_figure_is_for_terminal(args) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return known ? size.ws_col : 0;
}

bool lw_figure_options(struct lw_export_options *options, const struct lw_arguments *args,
                       const struct lw_format *format, struct lw_error *err)
{
    options->title = LW_OPTION_VALUE(args, TITLE);
    options->titles = LW_OPTION_VALUE(args, TITLES);
    options->caption = LW_OPTION_VALUE(args, CAPTION);
    options->palette = LW_OPTION_VALUE(args, PALETTE);
    options->fragment = LW_OPTION_IS_SET(args, FRAGMENT);
    /* Text has the colours of its terminal, or none. */
    if (!check_drawing(args, format, err) ||
        !check_formats(args, LW_OPTION_PALETTE, has_colors, format, err) ||
        !check_formats(args, LW_OPTION_HIGHLIGHT, has_marks, format, err) ||
        !read_drawing(options, args, err))
        return false;
    options->tidy = LW_OPTION_IS_SET(args, TIDY);
    options->head = options->head && !LW_OPTION_IS_SET(args, NO_HEAD);
    if (options->tidy && strcmp(format->name, "csv") != 0)
        return lw_error_set(err, LW_ERROR_NAME, "--tidy is for --format csv, not for %s",
                            format->name);
    if (format->binary && !LW_OPTION_IS_SET(args, OUTPUT) && isatty(STDOUT_FILENO))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s is not for a terminal: -o FILE.%s",
                            format->name, format->extension);
    if (options->fragment && strcmp(format->name, "html") != 0 &&
        strcmp(format->name, "latex") != 0)
        return lw_error_set(err, LW_ERROR_NAME, "--fragment is for --format html and latex, not %s",
                            format->name);
    return true;
}
