/* The options of figures. */

#include "cli/figure.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

/* Whether an option applies to a format. */
static bool applies(enum lw_option_id option, const struct lw_format *format)
{
    switch (option) {
    case LW_OPTION_CELL_SIZE:
    case LW_OPTION_WIDTH:
    case LW_OPTION_ARRANGE:
    case LW_OPTION_DIFFERENCES:
    case LW_OPTION_TITLES:
        return format->write_panels;
    case LW_OPTION_PALETTE: /* text has the colours of its terminal, or none */
        return format->colors;
    case LW_OPTION_HIGHLIGHT:
        return format->marks;
    case LW_OPTION_TIDY:
        return !strcmp(format->name, "csv");
    case LW_OPTION_FRAGMENT:
        return lw_text_has_word("html latex", format->name);
    default:
        return true;
    }
}

/* Fails when an option is set that the format lacks, with the names of those that have it. */
static bool check_format(const struct lw_arguments *args, const struct lw_format *format,
                         struct lw_error *err)
{
    size_t count;
    const struct lw_format *const *formats = lw_formats(&count);
    for (enum lw_option_id id = LW_OPTION_TITLE; id < LW_OPTION_COUNT; id++) {
        struct lw_text names = {0};
        if (!args->value[id] || applies(id, format))
            continue;
        for (size_t i = 0; i < count; i++)
            if (applies(id, formats[i]))
                lw_text_format(&names, "%s%s", names.length ? ", " : "", formats[i]->name);
        lw_error_set(err, LW_ERROR_NAME, "--%s is for --format %s, not for %s",
                     lw_options()[id].name, lw_text_string(&names), format->name);
        lw_text_free(&names);
        return false;
    }
    return !format->binary || LW_OPTION_IS_SET(args, OUTPUT) || !isatty(STDOUT_FILENO) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s is not for a terminal: -o FILE.%s",
                        format->name, format->extension);
}

bool lw_figure_options(struct lw_export_options *options, const struct lw_arguments *args,
                       const struct lw_format *format, struct lw_error *err)
{
    const char *wide = LW_OPTION_VALUE(args, WIDTH), *arrange = LW_OPTION_VALUE(args, ARRANGE);
    uint64_t cell_size = 0, width = 0;
    struct lw_choice choice;
    options->any_width = wide && !strcmp(wide, "0");
    if (!check_format(args, format, err) ||
        !lw_option_number(args, LW_OPTION_CELL_SIZE, 1, LW_EXPORT_CELL_SIZE_MAX, &cell_size, err) ||
        (!options->any_width && !lw_option_number(args, LW_OPTION_WIDTH, LW_EXPORT_WIDTH_MIN,
                                                  LW_EXPORT_WIDTH_MAX, &width, err)))
        return false;
    options->cell_size = (unsigned)cell_size;
    options->width = (unsigned)width;
    options->title = LW_OPTION_VALUE(args, TITLE);
    options->titles = LW_OPTION_VALUE(args, TITLES);
    options->caption = LW_OPTION_VALUE(args, CAPTION);
    options->palette = LW_OPTION_VALUE(args, PALETTE);
    options->highlight = LW_OPTION_VALUE(args, HIGHLIGHT);
    options->fragment = LW_OPTION_IS_SET(args, FRAGMENT);
    options->tidy = LW_OPTION_IS_SET(args, TIDY);
    options->no_dim = LW_OPTION_IS_SET(args, NO_DIM);
    options->differences = LW_OPTION_IS_SET(args, DIFFERENCES);
    options->head = options->head && !LW_OPTION_IS_SET(args, NO_HEAD);
    /* they are in the order of enum lw_arrangement */
    const struct lw_choices *all = lw_options()[LW_OPTION_ARRANGE].choices;
    for (size_t i = 0; arrange && all->at(all->context, i, &choice); i++)
        if (!strcmp(choice.name, arrange))
            options->arrangement = (enum lw_arrangement)i;
    return true;
}
