/* The options of figures. */

#include "cli/figure.h"

#include <string.h>

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

bool lw_figure_options(struct lw_export_options *options, const struct lw_arguments *args,
                       const struct lw_format *format, struct lw_error *err)
{
    options->title = LW_OPTION_VALUE(args, TITLE);
    options->caption = LW_OPTION_VALUE(args, CAPTION);
    options->palette = LW_OPTION_VALUE(args, PALETTE);
    options->fragment = LW_OPTION_IS_SET(args, FRAGMENT);
    options->tidy = LW_OPTION_IS_SET(args, TIDY);
    options->head = options->head && !LW_OPTION_IS_SET(args, NO_HEAD);
    if (options->tidy && strcmp(format->name, "csv") != 0)
        return lw_error_set(err, LW_ERROR_NAME, "--tidy is for --format csv, not for %s",
                            format->name);
    if (options->fragment && strcmp(format->name, "html") != 0 &&
        strcmp(format->name, "latex") != 0)
        return lw_error_set(err, LW_ERROR_NAME, "--fragment is for --format html and latex, not %s",
                            format->name);
    return true;
}
