/* laneway show: views, written in a format. */

#include "cli/capture.h"
#include "cli/command/commands.h"
#include "cli/command/show_view.h"
#include "export/output.h"

#include <stdlib.h>

/* All SOURCEs of the command line. */
struct show {
    const struct lw_arguments *args;
    struct lw_load_options options;
    const struct lw_format *format;
    struct lw_displayed *shown; /* one for each operand */
    size_t loaded;
    const char *failed; /* the SOURCE that an error is about; NULL: none */
};

static bool load(struct show *show, size_t i, struct lw_error *err)
{
    const struct lw_arguments *args = show->args;
    struct lw_displayed *shown = &show->shown[i];
    show->failed = args->operands[i];
    if (!lw_load(&shown->loaded, args->operands[i], &show->options, err))
        return false;
    show->loaded = i + 1;
    if (!lw_load_sides(&shown->loaded, args, &show->options, &show->failed, err))
        return false;
    show->failed = NULL;
    if (lw_show_open(shown, args, show->format, &show->options, err))
        return true;
    lw_load_attribute_error(&show->options, err);
    return false;
}

/* The views of one layout, one after another. */
static bool write_views(const struct show *show, size_t i, FILE *out, struct lw_error *err)
{
    const struct lw_view *views[LW_DISPLAYED_MAX];
    struct lw_displayed *shown = &show->shown[i];
    for (size_t k = 0; k < shown->count; k++)
        views[k] = &shown->view[k];
    if (i > 0)
        lw_output_print(out, "%s", show->format->between);
    return lw_export_panels(views, shown->count, show->format, &shown->options, out, err);
}

/* All views of all layouts as one figure. */
static bool write_figure(const struct show *show, FILE *out, struct lw_error *err)
{
    const struct lw_view *views[LW_PANELS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < show->loaded; i++)
        for (size_t k = 0; k < show->shown[i].count; k++, count++) {
            if (count == LW_PANELS_MAX)
                return lw_error_set(err, LW_ERROR_LIMIT, "a figure has at most %d panels",
                                    LW_PANELS_MAX);
            views[count] = &show->shown[i].view[k];
        }
    return lw_export_panels(views, count, show->format, &show->shown[0].options, out, err);
}

static bool show_all(struct show *show, FILE *out, struct lw_error *err)
{
    size_t count = show->args->operand_count;
    if (count > 1 && !show->format->between && !show->format->write_panels)
        return lw_error_set(err, LW_ERROR_SYNTAX, "%s holds one view of one SOURCE, not of %zu",
                            show->format->name, count);
    for (size_t i = 0; i < count; i++) {
        if (!load(show, i, err))
            return false;
        if (show->format->write_panels)
            continue;
        bool good = write_views(show, i, out, err);
        lw_show_close(&show->shown[i]);
        if (!good)
            return false;
    }
    return !show->format->write_panels || write_figure(show, out, err);
}

/* Writes to `out`; on failure *failed is the SOURCE that the error is about, or NULL. */
static bool show_sources(const struct lw_arguments *args, FILE *out, const char **failed,
                         struct lw_error *err)
{
    struct show show = {.args = args};
    *failed = NULL;
    if (!lw_show_format(args, &show.format, err) || !lw_load_options(&show.options, args, err))
        return false;
    show.shown = calloc(args->operand_count, sizeof *show.shown);
    bool good = show.shown ? show_all(&show, out, err)
                           : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < show.loaded; i++) {
        lw_show_close(&show.shown[i]);
        lw_unload(&show.shown[i].loaded);
    }
    free(show.shown);
    *failed = show.failed;
    return good;
}

/* The views, or their data. */
static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    if (answer->out)
        return show_sources(args, answer->out, &answer->source, err) ? LW_STATUS_OK
                                                                     : LW_STATUS_ERROR;
    struct lw_arguments json = *args;
    json.value[LW_OPTION_JSON] = "";
    FILE *out = lw_text_stream(&answer->text);
    bool good = out ? show_sources(&json, out, &answer->source, err)
                    : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (out && !lw_text_stream_close(out, &answer->text) && good)
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!good)
        lw_text_clear(&answer->text);
    else if (answer->text.length) /* a newline ends the last line */
        answer->text.data[--answer->text.length] = '\0';
    return good ? LW_STATUS_OK : LW_STATUS_ERROR;
}

const struct lw_command lw_command_show = {
    .name = "show",
    .operands = "SOURCE...",
    .help = "print a view of a layout",
    .about =
        "Prints a view: the one that the document names, by default the owners of each "
        "element of the tensor. --shared and --load name the other layouts of an access: A "
        "--shared S --load B shows the banks of what is stored from A to S and loaded from S into "
        "B (without --load into A), A --load B the conversion from A to B; --op, "
        "--instruction and --wavefront select what the banks view shows. Several sources are "
        "printed one after another, separated by an empty line; with --json one object per "
        "line; in a drawing they are the panels of one figure, as are several views: --view "
        "owners,matrix.\n\n"
        "--labels selects row and column labels: by default a table of text has them, except "
        "a whole owners view, which has the format of tilus's own printer.\n\n"
        "More than 2^24 cells, or 2^28 characters in cells with many owners, are printed only with "
        "--rows, --cols or --all. "
        "Colours are used on a terminal, unless --format or --style is set, or with --color "
        "always. Lines that the terminal has no room for are cut there: --cols selects others.\n\n"
        "A drawing has square cells where their texts fit. Where they are wider than --width in "
        "all, they become smaller, down to texts of 7 pixels; then the texts are shorter, or a "
        "picture has none; a width that is too small even then is refused. The texts of a list, "
        "as view notation is, are cut. "
        "--highlight makes cells stand out, --differences marks what differs from the first "
        "panel, --arrange sets where panels are. Highlighted cells have a frame, and the other "
        "cells are faint, unless --no-dim is set; in a table of markup their texts are bold, in "
        "text they are between stars, and --no-dim changes nothing.",
    .options = LW_OPTIONS_SOURCE | LW_OPTION_BIT(VIEW) | LW_OPTIONS_SIDES | LW_OPTION_BIT(OP) |
               LW_OPTION_BIT(INSTRUCTION) | LW_OPTION_BIT(WAVEFRONT) | LW_OPTION_BIT(FORMAT) |
               LW_OPTION_BIT(STYLE) | LW_OPTION_BIT(CELL) | LW_OPTION_BIT(COLOR_BY) |
               LW_OPTION_BIT(ROWS) | LW_OPTION_BIT(COLS) | LW_OPTION_BIT(LABELS) |
               LW_OPTION_BIT(ALL) | LW_OPTION_BIT(JSON) | LW_OPTION_BIT(OUTPUT) |
               LW_OPTION_BIT(COLOR) | LW_OPTION_BIT(ASCII) | LW_OPTIONS_FIGURE,
    .min_operands = 1,
    .max_operands = LW_ANY_NUMBER,
    .keys = {{"source", LW_REQUEST_SOURCES}},
    .examples =
        {{"show 'local(2, 1).spatial(8, 4).local(1, 2)'",
          "the owners of each element, as tilus prints them"},
         {"show 'spatial(4, 8)' --format markdown", "for a document"},
         {"show 'Sw<1,1,1> o _0 o (4,4):(4,1)' --view memory --cell '{index}'",
          "memory order, with the numbers of elements"},
         {"show 'spatial(4, 8)' --cell 'w{warp} l{lane}' --style plain",
          "other text in the cells, no lines"},
         {"show 'spatial(4, 8)' --rows 2:4", "some rows, with their numbers"},
         {"show 'spatial(4, 8)' --view matrix", "the bits over F2"},
         {"show '#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], "
          "instrShape = [16, 8]}>' -t 16x8xf32 --style triton",
          "as Triton prints it"}},
    .answer = answer,
};
