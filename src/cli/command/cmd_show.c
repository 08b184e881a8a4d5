/* laneway show: views of layouts, written in a format. */

#include "cli/capture.h"
#include "cli/command/commands.h"
#include "cli/figure.h"
#include "cli/load.h"
#include "export/output.h"
#include "view/view_parts.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VIEWS_MAX = LW_PANELS_MAX }; /* of one layout */

/* A layout, the other layouts of its access, and the views of it; its address must not change while it is open. */
struct shown {
    struct lw_loaded loaded;
    struct lw_opened opened[LW_SIDES];
    bool has[LW_SIDES]; /* which of them are opened */
    struct lw_view view[VIEWS_MAX];
    size_t count;                     /* of views */
    struct lw_export_options options; /* of all of them */
};

/* All SOURCEs of the command line. */
struct show {
    const struct lw_arguments *args;
    const struct lw_style *style; /* of --style; NULL: not set */
    const struct lw_format *format;
    struct lw_load_options options;
    struct shown *shown; /* one for each operand */
    size_t loaded;
    const char *failed; /* the SOURCE that an error is about; NULL: none */
};

/* ---- How it is written ---- */

/* Reads "A:B", "A:", ":B" or "A" against a count. */
static bool read_range(enum lw_option_id id, const char *text, uint64_t count, uint64_t *from,
                       uint64_t *to, struct lw_error *err)
{
    const char *colon = strchr(text, ':'), *digits = "0123456789";
    const size_t first = strspn(text, digits), second = colon ? strspn(colon + 1, digits) : 0;
    const bool good = (colon ? text + first == colon && !colon[1 + second] : !text[first]) &&
                      *text && first < 20 && second < 20;
    *from = strtoull(text, NULL, 10);
    *to = !colon ? *from + 1 : second ? strtoull(colon + 1, NULL, 10) : count;
    return (good && *from < *to && *to <= count) ||
           lw_error_set(err, LW_ERROR_LIMIT,
                        "--%s '%.40s': expected A:B, which is A to B-1, such as 0:%llu",
                        lw_options()[id].name, text, (unsigned long long)count);
}

/* Reads --rows and --cols, which in the styles with brackets are parts of each block. */
static bool read_ranges(struct lw_export_options *options, const struct show *show,
                        const struct lw_view *view, struct lw_error *err)
{
    const char *rows = LW_OPTION_VALUE(show->args, ROWS), *cols = LW_OPTION_VALUE(show->args, COLS);
    if (show->style && show->style->write == lw_style_find("brackets")->write) {
        options->row_parts = rows;
        options->col_parts = cols;
        return true;
    }
    return (!rows || read_range(LW_OPTION_ROWS, rows, view->rows, &options->row_from,
                                &options->row_to, err)) &&
           (!cols || read_range(LW_OPTION_COLS, cols, view->cols, &options->col_from,
                                &options->col_to, err));
}

/* ---- The views ---- */

/* The view of a panel: `listed` of --view, else the first with the option --cell, else that of an access where an
 * option is of one, else that of the document. NULL: it cannot have --cell, as it is text about the whole layout. */
static const struct lw_view_type *choose_view(const struct lw_loaded *loaded,
                                              const struct lw_arguments *args,
                                              const struct lw_view_type *listed,
                                              struct lw_error *err)
{
    const struct lw_subject *subject = &loaded->opened.subject;
    const struct lw_view_type *type = listed;
    size_t count, first = 0;
    const struct lw_view_type *const *types = lw_view_types(&count);
    while (first + 1 < count && !types[first]->formatted)
        first++;
    if (!type && LW_OPTION_IS_SET(args, CELL))
        return types[first];
    if (!type && (LW_OPTION_IS_SET(args, OP) || LW_OPTION_IS_SET(args, INSTRUCTION) ||
                  LW_OPTION_IS_SET(args, WAVEFRONT)))
        type = lw_view_type_find("banks");
    else if (!type && lw_options_are_set(args, LW_OPTIONS_SIDES))
        type = lw_view_type_find(lw_subject_at(subject, LW_SIDE_S) ? "banks" : "conversion");
    if (!type && *loaded->doc.view)
        type = lw_view_type_find(loaded->doc.view);
    if (!type)
        type = lw_view_type_find("owners");
    if (!LW_OPTION_IS_SET(args, CELL) || type->formatted || type->spots)
        return type;
    lw_error_set(err, LW_ERROR_NAME,
                 "--cell is for views with cells, as owners: --view %s is text about the layout "
                 "as a whole",
                 type->name);
    return NULL;
}

static bool read_view_options(struct lw_view_options *options, const struct lw_arguments *args,
                              struct lw_error *err)
{
    const char *op = LW_OPTION_VALUE(args, OP), *labels = LW_OPTION_VALUE(args, LABELS);
    uint64_t wavefront = 0;
    *options = (struct lw_view_options){
        .color_by = LW_OPTION_VALUE(args, COLOR_BY),
        .cell = LW_OPTION_VALUE(args, CELL),
        .nested = labels && !strcmp(labels, "nested"),
        .access = op && !strcmp(op, "load")    ? LW_VIEW_LOAD
                  : op && !strcmp(op, "store") ? LW_VIEW_STORE
                                               : LW_VIEW_BOTH,
    };
    if (!lw_option_number(args, LW_OPTION_WRAP, 1, UINT64_MAX, &options->wrap, err) ||
        !lw_option_number(args, LW_OPTION_ACROSS, 1, LW_DIMS_MAX - 1, &options->across, err) ||
        !lw_option_number(args, LW_OPTION_INSTRUCTION, 1, UINT64_MAX, &options->instruction, err) ||
        !lw_option_number(args, LW_OPTION_WAVEFRONT, 1, LW_WAVEFRONTS_MAX, &wavefront, err))
        return false;
    options->wavefront = (unsigned)wavefront;
    return options->instruction || !wavefront ||
           lw_error_set(err, LW_ERROR_SYNTAX, "--wavefront needs one instruction: --instruction N");
}

/* Opens a view for each wavefront, of one instruction or of all; they are the frames of a figure. */
static bool open_frames(struct shown *shown, const struct lw_view_type *type,
                        struct lw_view_options *options, const struct show *show,
                        struct lw_error *err)
{
    const struct lw_subject *subject = &shown->loaded.opened.subject;
    bool one = options->instruction > 0;
    uint64_t first = one ? options->instruction : 1;
    options->instruction = first;
    options->wavefront = 1;
    do {
        if (shown->count == VIEWS_MAX)
            return lw_error_set(err, LW_ERROR_LIMIT,
                                "more than %d wavefronts: choose an instruction with --instruction",
                                VIEWS_MAX);
        if (!lw_view_open(&shown->view[shown->count], type, subject, options, err))
            return false;
        shown->count++;
        if (!read_ranges(&shown->options, show, &shown->view[shown->count - 1], err))
            return false;
    } while (lw_view_step(subject, options) &&
             (options->instruction != first || options->wavefront != 1) &&
             (!one || options->instruction == first));
    return true;
}

/* Opens the views of the layout, and completes the options that they are written with. */
static bool open_views(struct shown *shown, const struct show *show, struct lw_error *err)
{
    const struct lw_arguments *args = show->args;
    const struct lw_loaded *loaded = &shown->loaded;
    const char *labels = LW_OPTION_VALUE(args, LABELS);
    bool first = true;
    shown->options = (struct lw_export_options){
        .all = LW_OPTION_IS_SET(args, ALL),
        .head = !(show->style && show->style->write),
        .fit = lw_figure_columns(args),
        .labels = !labels || strcmp(labels, "never") != 0,
        .bare_labels = labels && (!strcmp(labels, "always") || !strcmp(labels, "nested")),
        .choose = "choose some with --rows and --cols",
        .all_hint = "use --all"};
    if (!lw_figure_options(&shown->options, args, show->format, err))
        return false;
    /* ASCII selects a style, and contradicts one that is not ASCII; without --ascii that of a terminal without UTF-8 */
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    const bool utf8 = locale && !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
    const bool is_ascii =
        LW_OPTION_IS_SET(args, ASCII) || (!utf8 && lw_figure_is_for_terminal(args));
    if (locale)
        freelocale(locale);
    shown->options.style = show->style ? show->style->name : is_ascii ? "grid" : NULL;
    if (is_ascii && show->style && !lw_style_is_ascii(show->style))
        return lw_error_set(err, LW_ERROR_NAME,
                            "--ascii: the style %s is not in ASCII, but grid is",
                            show->style->name);
    for (const char *at = LW_OPTION_VALUE(args, VIEW); at || first; first = false) {
        struct lw_view_options options;
        struct lw_text name = {0};
        lw_text_bytes(&name, at ? at : "", at ? strcspn(at, ",") : 0);
        const struct lw_view_type *type = lw_view_type_find(lw_text_string(&name));
        lw_text_free(&name);
        at = at && strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
        if (shown->count == VIEWS_MAX)
            return lw_error_set(err, LW_ERROR_LIMIT, "--view: at most %d views", VIEWS_MAX);
        if (!read_view_options(&options, args, err) ||
            !(type = choose_view(loaded, args, type, err)))
            return false;
        if (!options.cell && *loaded->doc.cell && type->formatted && !type->indices)
            options.cell = loaded->doc.cell;
        if (shown->options.arrangement == LW_ARRANGE_FRAMES && !strcmp(type->name, "banks")) {
            if (!open_frames(shown, type, &options, show, err))
                return false;
            continue;
        }
        struct lw_view *view = &shown->view[shown->count];
        if (!lw_view_open(view, type, &loaded->opened.subject, &options, err))
            return false;
        shown->count++;
        if (!read_ranges(&shown->options, show, view, err))
            return false;
    }
    return true;
}

/* Opens a layout with its views; only views of an access need its other layouts. */
static bool open_shown(struct show *show, size_t i, struct lw_error *err)
{
    const struct lw_arguments *args = show->args;
    struct shown *shown = &show->shown[i];
    struct lw_error why = {0};
    show->failed = args->operands[i];
    show->options.like = i ? &show->shown[0].loaded.doc : NULL;
    if (!lw_load(&shown->loaded, args->operands[i], &show->options, err))
        return false;
    show->loaded = i + 1;
    if (!lw_load_put_sides(&shown->loaded.doc, args, &show->options, &show->failed, err))
        return false;
    show->failed = NULL;
    if (lw_options_are_set(args, LW_OPTIONS_SIDES))
        shown->loaded.opened.subject.title = ""; /* that of the first layout is not of all */
    const bool joined =
        !lw_document_is_access(&shown->loaded.doc) ||
        lw_subject_open_others(&shown->loaded.opened.subject, &shown->loaded.doc, shown->opened,
                               shown->has, LW_OPTION_VALUE(args, AS), &why);
    if ((joined || !lw_options_are_set(args, LW_OPTIONS_SIDES)) && open_views(shown, show, err))
        return true;
    if (!joined)
        *err = why;
    lw_load_attribute_error(&show->options, err);
    return false;
}

static void close_views(struct shown *shown)
{
    for (size_t i = 0; i < shown->count; i++)
        lw_view_close(&shown->view[i]);
    for (int i = 0; i < LW_SIDES; i++)
        if (shown->has[i])
            lw_subject_close(&shown->opened[i]);
    memset(shown->has, 0, sizeof shown->has);
    shown->count = 0;
}

/* ---- Writing ---- */

/* Writes the views of layouts `from` to `end` - 1 as one figure, or one after another. */
static bool write_views(const struct show *show, size_t from, size_t end, FILE *out,
                        struct lw_error *err)
{
    const struct lw_view *views[LW_PANELS_MAX];
    size_t count = 0;
    for (size_t i = from; i < end; i++)
        for (size_t k = 0; k < show->shown[i].count; k++, count++) {
            if (count == LW_PANELS_MAX)
                return lw_error_set(err, LW_ERROR_LIMIT, "a figure has at most %d panels",
                                    LW_PANELS_MAX);
            views[count] = &show->shown[i].view[k];
        }
    return lw_export_panels(views, count, show->format, &show->shown[from].options, out, err);
}

/* Panels of a drawing are written together; other formats are written layout by layout. */
static bool show_all(struct show *show, FILE *out, struct lw_error *err)
{
    const size_t count = show->args->operand_count;
    const struct lw_format *format = show->format;
    if (count > 1 && !format->between && !format->write_panels)
        return lw_error_set(err, LW_ERROR_SYNTAX, "%s holds one view of one SOURCE, not of %zu",
                            format->name, count);
    for (size_t i = 0; i < count; i++) {
        if (!open_shown(show, i, err))
            return false;
        if (format->write_panels)
            continue;
        if (i > 0)
            lw_output_print(out, "%s", format->between);
        const bool good = write_views(show, i, i + 1, out, err);
        close_views(&show->shown[i]);
        if (!good)
            return false;
    }
    return !format->write_panels || write_views(show, 0, count, out, err);
}

/* Writes to `out`; on failure *failed is the SOURCE that the error is about, or NULL. */
static bool show_sources(const struct lw_arguments *args, FILE *out, const char **failed,
                         struct lw_error *err)
{
    struct show show = {.args = args};
    const char *when = LW_OPTION_VALUE(args, COLOR), *style = LW_OPTION_VALUE(args, STYLE);
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    *failed = NULL;
    show.style = style ? lw_style_find(style) : NULL;
    if (!lw_figure_format(args, &show.format, err) || !lw_load_options(&show.options, args, err))
        return false;
    const bool colored = when && strcmp(when, "auto") != 0
                             ? !strcmp(when, "always")
                             : lw_figure_is_for_terminal(args) && !(no_color && *no_color) &&
                                   term && strcmp(term, "dumb") != 0;
    if (!show.format || !strcmp(show.format->name, "text"))
        show.format =
            lw_format_find(colored && !(show.style && show.style->write) ? "ansi" : "text");
    show.shown = calloc(args->operand_count, sizeof *show.shown);
    bool good = show.shown ? show_all(&show, out, err)
                           : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < show.loaded; i++) {
        close_views(&show.shown[i]);
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
        "Prints a view: that of --view, else the one that the document names, by default the "
        "owners of each element. --shared and --load name the other layouts of an access: A "
        "--shared S --load B shows the banks of what is stored from A to S and loaded from S into "
        "B (without --load into A), A --load B the conversion from A to B; --op, --instruction and "
        "--wavefront select what the banks view shows. Several sources are printed one after "
        "another, with --json one object per line; in a drawing they are the panels of one figure, "
        "as are several views: --view owners,matrix.\n\n"
        "More than 2^24 cells, or 2^28 characters in cells with many owners, are printed only with "
        "--rows, --cols or --all. Colours are used on a terminal, unless --format or --style is "
        "set, or with --color always.\n\n"
        "A drawing that is wider than --width has smaller cells, down to texts of 7 pixels; a "
        "width that is too small even then is refused. --highlight makes cells stand out: in a "
        "drawing the others are faint, unless --no-dim is set, in text they are between stars.",
    .options = LW_OPTIONS_SOURCE | LW_OPTION_BIT(VIEW) | LW_OPTIONS_SIDES | LW_OPTION_BIT(OP) |
               LW_OPTION_BIT(AS) | LW_OPTION_BIT(INSTRUCTION) | LW_OPTION_BIT(WAVEFRONT) |
               LW_OPTION_BIT(FORMAT) | LW_OPTION_BIT(STYLE) | LW_OPTION_BIT(CELL) |
               LW_OPTION_BIT(COLOR_BY) | LW_OPTION_BIT(ROWS) | LW_OPTION_BIT(COLS) |
               LW_OPTION_BIT(LABELS) | LW_OPTION_BIT(ALL) | LW_OPTION_BIT(ASCII) |
               LW_OPTIONS_FIGURE | LW_OPTIONS_ANSWER,
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
