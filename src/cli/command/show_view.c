/* The views of a SOURCE, opened by the options, and the options of the format. */

#include "cli/command/show_view.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads "A:B", "A:", ":B" or "A" against a count. */
static bool read_range(const char *option, const char *text, uint64_t count, uint64_t *from,
                       uint64_t *to, struct lw_error *err)
{
    const char *colon = strchr(text, ':');
    const char *second = colon ? colon + 1 : text;
    char *end = NULL;
    size_t digits = strspn(text, "0123456789"), more = strspn(second, "0123456789");
    bool good = text[digits] == (colon ? ':' : '\0') && !second[more] && digits < 20 && more < 20 &&
                (colon || digits);
    if (!good)
        return lw_error_set(err, LW_ERROR_SYNTAX, "--%s '%.40s': expected A:B, such as 0:16",
                            option, text);
    *from = digits ? strtoull(text, &end, 10) : 0;
    *to = !colon ? *from + 1 : more ? strtoull(second, &end, 10) : count;
    if (*from < *to && *to <= count)
        return true;
    if (*from >= count)
        return lw_error_set(err, LW_ERROR_LIMIT, "--%s %.40s: there are %llu, from 0 to %llu",
                            option, text, (unsigned long long)count, (unsigned long long)count - 1);
    if (*from >= *to)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "--%s %.40s: A:B is A to B-1, so A must be below B", option, text);
    return lw_error_set(err, LW_ERROR_LIMIT, "--%s %.40s: B must be at most %llu", option, text,
                        (unsigned long long)count);
}

/* Whether --rows and --cols are parts of each block, as in the styles with brackets. */
static bool has_brackets(const struct lw_arguments *args)
{
    const struct lw_style *style =
        LW_OPTION_IS_SET(args, STYLE) ? lw_style_find(LW_OPTION_VALUE(args, STYLE)) : NULL;
    const struct lw_style *brackets = lw_style_find("brackets");
    return style && style->write == brackets->write;
}

static bool read_ranges(struct lw_export_options *options, const struct lw_arguments *args,
                        const struct lw_view *view, struct lw_error *err)
{
    const char *rows = LW_OPTION_VALUE(args, ROWS), *cols = LW_OPTION_VALUE(args, COLS);
    if (has_brackets(args)) {
        options->row_parts = rows;
        options->col_parts = cols;
        return true;
    }
    if (LW_OPTION_IS_SET(args, ROWS) && !read_range("rows", LW_OPTION_VALUE(args, ROWS), view->rows,
                                                    &options->row_from, &options->row_to, err))
        return false;
    return !LW_OPTION_IS_SET(args, COLS) ||
           read_range("cols", LW_OPTION_VALUE(args, COLS), view->cols, &options->col_from,
                      &options->col_to, err);
}

static bool uses_color(const struct lw_arguments *args)
{
    const char *when = LW_OPTION_IS_SET(args, COLOR) ? LW_OPTION_VALUE(args, COLOR) : "auto";
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (strcmp(when, "auto") != 0)
        return !strcmp(when, "always");
    return lw_figure_is_for_terminal(args) && !(no_color && *no_color) && term &&
           strcmp(term, "dumb") != 0;
}

static bool plain_style(const struct lw_arguments *args)
{
    const struct lw_style *style =
        LW_OPTION_IS_SET(args, STYLE) ? lw_style_find(LW_OPTION_VALUE(args, STYLE)) : NULL;
    return style && style->write;
}

bool lw_show_format(const struct lw_arguments *args, const struct lw_format **format,
                    struct lw_error *err)
{
    if (!lw_figure_format(args, format, err))
        return false;
    if (!*format || !strcmp((*format)->name, "text"))
        *format = lw_format_find(uses_color(args) && !plain_style(args) ? "ansi" : "text");
    return true;
}

/* The view that a layout of an access, or an option of the banks view, implies; NULL: none. */
static const struct lw_view_type *view_of_access(const struct lw_subject *subject,
                                                 const struct lw_arguments *args)
{
    if (LW_OPTION_IS_SET(args, OP) || LW_OPTION_IS_SET(args, INSTRUCTION) ||
        LW_OPTION_IS_SET(args, WAVEFRONT))
        return lw_view_type_find("banks");
    if (!lw_options_are_set(args, LW_OPTIONS_SIDES))
        return NULL;
    return lw_view_type_find(lw_subject_at(subject, LW_SIDE_S) ? "banks" : "conversion");
}

/* The first view that has the option --cell. */
static const struct lw_view_type *formatted_view(void)
{
    size_t count, i = 0;
    const struct lw_view_type *const *types = lw_view_types(&count);
    while (i + 1 < count && !types[i]->formatted)
        i++;
    return types[i];
}

static bool has_cell_format(const struct lw_view_type *type)
{
    return type->formatted || type->spots;
}

/* Refuses --cell for views without elements in cells: lines of text about the whole layout. */
static bool refuse_cell(const struct lw_view_type *type, struct lw_error *err)
{
    struct lw_text names = {0};
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    for (size_t i = 0; i < count; i++)
        if (has_cell_format(types[i]))
            lw_text_format(&names, "%s%s", names.length ? ", " : "", types[i]->name);
    lw_error_set(err, LW_ERROR_NAME,
                 "--cell is for views with cells: %s; --view %s is text about the layout as a "
                 "whole",
                 lw_text_string(&names), type->name);
    lw_text_free(&names);
    return false;
}

/* View `i` of those that --view lists; *type is NULL when there are no more. */
static void listed_view(const struct lw_arguments *args, size_t i, const struct lw_view_type **type)
{
    const char *at = LW_OPTION_VALUE(args, VIEW);
    for (; i && at; i--)
        at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
    struct lw_text name = {0};
    lw_text_bytes(&name, at ? at : "", at ? strcspn(at, ",") : 0);
    *type = at ? lw_view_type_find(lw_text_string(&name)) : NULL;
    lw_text_free(&name);
}

/* The view of one panel of the layout. */
static const struct lw_view_type *choose_view(const struct lw_loaded *loaded,
                                              const struct lw_arguments *args, size_t i,
                                              struct lw_error *err)
{
    const struct lw_view_type *type = NULL;
    if (LW_OPTION_IS_SET(args, VIEW))
        listed_view(args, i, &type);
    else if (LW_OPTION_IS_SET(args, CELL))
        type = formatted_view();
    else
        type = view_of_access(&loaded->opened.subject, args);
    if (!type && *loaded->doc.view)
        type = lw_view_type_find(loaded->doc.view);
    if (!type)
        type = lw_view_default(&loaded->opened.subject);
    if (!LW_OPTION_IS_SET(args, CELL) || has_cell_format(type))
        return type;
    refuse_cell(type, err);
    return NULL;
}

/* Whether the output is for a terminal that shows ASCII only. */
static bool is_for_ascii_terminal(const struct lw_arguments *args)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool utf8 = locale && !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
    if (locale)
        freelocale(locale);
    return !utf8 && lw_figure_is_for_terminal(args);
}

/* Chooses the style. --ascii selects one, and contradicts a style that is not ASCII. */
static bool choose_style(struct lw_export_options *options, const struct lw_arguments *args,
                         struct lw_error *err)
{
    struct lw_text names = {0};
    size_t count;
    const struct lw_style *styles = lw_styles(&count);
    bool good = true;
    options->style = LW_OPTION_VALUE(args, STYLE);
    if (!LW_OPTION_IS_SET(args, ASCII) && !is_for_ascii_terminal(args))
        return true;
    if (!options->style)
        options->style = "grid";
    for (size_t i = 0; i < count; i++)
        if (lw_style_is_ascii(&styles[i]))
            lw_text_format(&names, "%s%s", names.length ? ", " : "", styles[i].name);
        else if (!strcmp(styles[i].name, options->style))
            good = false;
    if (!good)
        lw_error_set(err, LW_ERROR_NAME, "--ascii: the style %s is not in ASCII: %s are",
                     options->style, lw_text_string(&names));
    lw_text_free(&names);
    return good;
}

static void choose_labels(struct lw_export_options *options, const struct lw_arguments *args)
{
    const char *when = LW_OPTION_IS_SET(args, LABELS) ? LW_OPTION_VALUE(args, LABELS) : "auto";
    options->labels = strcmp(when, "never") != 0;
    options->bare_labels = !strcmp(when, "always") || !strcmp(when, "nested");
}

/* Chooses the access, the instruction and the wavefront. */
static bool choose_access(struct lw_view_options *view_options, const struct lw_arguments *args,
                          struct lw_error *err)
{
    const char *op = LW_OPTION_IS_SET(args, OP) ? LW_OPTION_VALUE(args, OP) : "both";
    uint64_t wavefront = 0;
    view_options->access = !strcmp(op, "load")    ? LW_VIEW_LOAD
                           : !strcmp(op, "store") ? LW_VIEW_STORE
                                                  : LW_VIEW_BOTH;
    if (!lw_option_number(args, LW_OPTION_INSTRUCTION, 1, UINT64_MAX, &view_options->instruction,
                          err) ||
        !lw_option_number(args, LW_OPTION_WAVEFRONT, 1, LW_WAVEFRONTS_MAX, &wavefront, err))
        return false;
    view_options->wavefront = (unsigned)wavefront;
    return view_options->instruction || !wavefront ||
           lw_error_set(err, LW_ERROR_SYNTAX, "--wavefront needs one instruction: --instruction N");
}

/* Opens the other layouts and joins them with the layout itself; false when one is not legal. */
static bool join_others(struct lw_displayed *shown, const struct lw_load_options *options,
                        struct lw_error *err)
{
    struct lw_loaded *loaded = &shown->loaded;
    const struct lw_document *doc = &loaded->doc;
    struct lw_subject *subject = &loaded->opened.subject, *sides[LW_SIDES] = {0};
    bool good = true;
    sides[doc->side] = subject;
    for (int i = 0; i < LW_SIDES; i++) {
        enum lw_side side = (enum lw_side)i;
        if (side == doc->side || !lw_document_has(doc, side))
            continue;
        shown->has[i] =
            lw_subject_open_side(&shown->opened[i], doc, side, subject->lanes, good ? err : NULL);
        good = good && shown->has[i];
        shown->opened[i].subject.hardware = options->target;
        sides[i] = shown->has[i] ? &shown->opened[i].subject : NULL;
    }
    return good && lw_subject_join(sides, err);
}

/* Opens a view for each wavefront, of one instruction or of all; they are the frames of a figure. */
static bool open_frames(struct lw_displayed *shown, const struct lw_view_type *type,
                        struct lw_view_options *options, const struct lw_arguments *args,
                        struct lw_error *err)
{
    const struct lw_subject *subject = &shown->loaded.opened.subject;
    bool one = options->instruction > 0;
    uint64_t first = one ? options->instruction : 1;
    options->instruction = first;
    options->wavefront = 1;
    do {
        if (shown->count == LW_DISPLAYED_MAX)
            return lw_error_set(err, LW_ERROR_LIMIT,
                                "more than %d wavefronts: choose an instruction with --instruction",
                                LW_DISPLAYED_MAX);
        if (!lw_view_open(&shown->view[shown->count], type, subject, options, err))
            return false;
        shown->count++;
        if (!read_ranges(&shown->options, args, &shown->view[shown->count - 1], err))
            return false;
    } while (lw_view_step(subject, options) &&
             (options->instruction != first || options->wavefront != 1) &&
             (!one || options->instruction == first));
    return true;
}

/* Opens one view of the layout, and completes the options that it is written with. */
static bool open_view(struct lw_displayed *shown, size_t i, const struct lw_arguments *args,
                      struct lw_error *err)
{
    const struct lw_loaded *loaded = &shown->loaded;
    struct lw_view_options view_options = {.color_by = LW_OPTION_VALUE(args, COLOR_BY)};
    view_options.nested =
        LW_OPTION_IS_SET(args, LABELS) && !strcmp(LW_OPTION_VALUE(args, LABELS), "nested");
    if (!lw_option_number(args, LW_OPTION_WRAP, 1, UINT64_MAX, &view_options.wrap, err) ||
        !lw_option_number(args, LW_OPTION_ACROSS, 1, LW_DIMS_MAX - 1, &view_options.across, err))
        return false;
    const struct lw_view_type *type = choose_view(loaded, args, i, err);
    if (!type || !choose_access(&view_options, args, err))
        return false;
    if (LW_OPTION_IS_SET(args, CELL))
        view_options.cell = LW_OPTION_VALUE(args, CELL);
    else if (*loaded->doc.cell && type->formatted && !type->indices)
        view_options.cell = loaded->doc.cell;
    if (shown->options.arrangement == LW_ARRANGE_FRAMES && type == lw_view_type_find("banks"))
        return open_frames(shown, type, &view_options, args, err);
    if (!lw_view_open(&shown->view[i], type, &loaded->opened.subject, &view_options, err))
        return false;
    shown->count++;
    return read_ranges(&shown->options, args, &shown->view[i], err);
}

static bool open_views(struct lw_displayed *shown, const struct lw_arguments *args,
                       const struct lw_format *format, struct lw_error *err)
{
    size_t count = 1;
    shown->options = (struct lw_export_options){.all = LW_OPTION_IS_SET(args, ALL),
                                                .head = !plain_style(args),
                                                .fit = lw_figure_columns(args),
                                                .choose = "choose some with --rows and --cols",
                                                .all_hint = "use --all"};
    if (!lw_figure_options(&shown->options, args, format, err) ||
        !choose_style(&shown->options, args, err))
        return false;
    choose_labels(&shown->options, args);
    for (const char *c = LW_OPTION_IS_SET(args, VIEW) ? LW_OPTION_VALUE(args, VIEW) : ""; *c; c++)
        count += *c == ',';
    if (count > LW_DISPLAYED_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "--view: at most %d views", LW_DISPLAYED_MAX);
    for (size_t i = 0; i < count; i++)
        if (!open_view(shown, i, args, err))
            return false;
    return true;
}

bool lw_show_open(struct lw_displayed *shown, const struct lw_arguments *args,
                  const struct lw_format *format, const struct lw_load_options *options,
                  struct lw_error *err)
{
    struct lw_error why = {0};
    if (!lw_document_is_access(&shown->loaded.doc))
        return open_views(shown, args, format, err);
    bool joined = join_others(shown, options, &why), good = false;
    if (!joined && lw_options_are_set(args, LW_OPTIONS_SIDES)) {
        *err = why;
        return false;
    }
    good = open_views(shown, args, format, err);
    if (!good && !joined)
        *err = why;
    return good;
}

void lw_show_close(struct lw_displayed *shown)
{
    for (size_t i = 0; i < shown->count; i++)
        lw_view_close(&shown->view[i]);
    for (int i = 0; i < LW_SIDES; i++)
        if (shown->has[i])
            lw_subject_close(&shown->opened[i]);
    memset(shown->has, 0, sizeof shown->has);
    shown->count = 0;
}
