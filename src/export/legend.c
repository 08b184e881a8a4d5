/* What the coloured formats share. Invariant of a legend: the values of a class are ascending and distinct. */

#include "export/legend.h"

#include "core/text_mark.h"
#include "export/output.h"
#include "view/view_parts.h"

#include <string.h>

/* ---- Legends ---- */

static void add_value(struct lw_legend *legend, unsigned class, uint64_t value)
{
    uint64_t *least = legend->values[class].least;
    unsigned count = legend->values[class].count, at = 0;
    while (at < count && least[at] < value)
        at++;
    if (at < count && least[at] == value)
        return;
    if (count == LW_LEGEND_VALUES) {
        legend->values[class].more = true;
        count--;
        if (at > count)
            return;
    }
    memmove(least + at + 1, least + at, (count - at) * sizeof *least);
    least[at] = value;
    legend->values[class].count = count + 1;
}

static void add_cell(struct lw_legend *legend, const struct lw_cell *cell)
{
    unsigned class = lw_palette_class(cell);
    legend->seen[class] = true;
    legend->dims = legend->dims || cell->ink == LW_INK_DIM;
    legend->shared = legend->shared || (cell->ink == LW_INK_INDEX && cell->owners > 1);
    if (class >= LW_CLASS_INKS)
        add_value(legend, class, cell->shade);
}

void lw_legend_join(struct lw_legend *legend, const struct lw_legend *other)
{
    legend->dims = legend->dims || other->dims;
    legend->shared = legend->shared || other->shared;
    for (unsigned class = 0; class < LW_CLASS_COUNT; class ++) {
        legend->seen[class] = legend->seen[class] || other->seen[class];
        legend->values[class].more = legend->values[class].more || other->values[class].more;
        for (unsigned i = 0; class >= LW_CLASS_INKS && i < other->values[class].count; i++)
            add_value(legend, class, other->values[class].least[i]);
    }
}

int lw_legend_split(const struct lw_legend *legend, struct lw_legend parts[2])
{
    bool inks = false, levels = false;
    parts[0] = parts[1] = *legend;
    for (unsigned class = LW_CLASS_INKS; class < LW_CLASS_COUNT; class ++) {
        *(class < LW_CLASS_RAMP ? &inks : &levels) |= legend->seen[class];
        parts[class < LW_CLASS_RAMP].seen[class] = false;
    }
    if (!inks || !levels) {
        parts[0] = *legend;
        return 1;
    }
    memset(parts[1].seen, 0, LW_CLASS_INKS * sizeof *parts[1].seen);
    return 2;
}

int lw_legend_entries(const struct lw_legend *legend, uint8_t classes[LW_CLASS_COUNT])
{
    static const uint8_t plain[] = {LW_INK_GOOD, LW_INK_BAD, LW_INK_HOLE};
    int count = 0;
    for (uint8_t class = LW_CLASS_INKS; class < LW_CLASS_COUNT; class ++) {
        if (!legend->seen[class])
            continue;
        int at = count++;
        for (; at > 0 && legend->values[classes[at - 1]].least[0] > legend->values[class].least[0];
             at--)
            classes[at] = classes[at - 1];
        classes[at] = class;
    }
    for (size_t i = 0; i < sizeof plain; i++)
        if (legend->seen[plain[i]])
            classes[count++] = plain[i];
    return count;
}

void lw_legend_explanation(const struct lw_legend *legend, const struct lw_view *view,
                           unsigned class, struct lw_text *text)
{
    const char *words = class == LW_INK_GOOD  ? "no conflict"
                        : class == LW_INK_BAD ? "conflict"
                                              : "no element";
    const struct lw_dims *dims = &view->subject->map.in;
    lw_text_clear(text);
    if (class < LW_CLASS_INKS || class >= LW_CLASS_COUNT) {
        lw_text_add(text, words);
        return;
    }
    for (unsigned i = 0; i < legend->values[class].count; i++) {
        uint64_t value = legend->values[class].least[i];
        lw_text_add(text, i ? ", " : "");
        if (legend->dims && value < (uint64_t)dims->count)
            lw_text_add(text, dims->dim[value].name);
        else
            lw_text_number(text, value);
    }
    if (legend->values[class].more)
        lw_text_add(text, ", ...");
}

bool lw_legend_is_lettered(unsigned class)
{
    return class == LW_INK_GOOD || class == LW_INK_BAD;
}

const char *lw_legend_title(const struct lw_legend *legend, const struct lw_view *view)
{
    bool inks = false, levels = false;
    for (unsigned class = LW_CLASS_INKS; class < LW_CLASS_COUNT; class ++)
        *(class < LW_CLASS_RAMP ? &inks : &levels) |= legend->seen[class];
    if (!inks)
        return levels ? view->type->heat : NULL;
    return legend->dims ? "bits of" : view->color;
}

bool lw_legend_heading(const struct lw_legend *legend, const struct lw_view *view,
                       struct lw_text *text)
{
    const char *title = lw_legend_title(legend, view);
    lw_text_clear(text);
    lw_text_add(text, title ? title : "");
    if (!title || legend->dims)
        return title != NULL;
    if (legend->shared && title == view->color)
        lw_text_add(text, " of the first owner");
    else if (view->type->heat && title == view->color)
        lw_text_add(text, ", the first of a cell");
    if (lw_legend_assumes_element(view))
        lw_text_format(text, ", elements of %d bits assumed", view->subject->tensor.element.bits);
    return true;
}

bool lw_legend_assumes_element(const struct lw_view *view)
{
    return !lw_subject_element_is_set(view->subject) &&
           (view->type->heat || lw_cell_field_needs_element(view->subject, view->state->color));
}

/* ---- Sizes ---- */

static void widen(size_t *width, const struct lw_text *text)
{
    size_t here = lw_text_width(lw_text_string(text));
    *width = here > *width ? here : *width;
}

/* Whether a line can end before `i`: at a blank, or after a sign between owners or the items of a list; an element such
 * as (3,12) is not broken, nor is a line before or after a colon. */
static bool is_break(const char *text, size_t i, int depth)
{
    return depth == 0 &&
           (text[i] == ' ' || text[i - 1] == '|' || (text[i - 1] == ',' && text[i] != ' ')) &&
           text[i - 1] != ':';
}

size_t lw_second_line(const char *text, size_t *first)
{
    size_t length = strlen(text), best = length, least = lw_text_width(text);
    int depth = 0; /* of parentheses */
    for (size_t i = 1; i < length; i++) {
        bool blank = text[i] == ' ';
        depth += (text[i - 1] == '(') - (text[i - 1] == ')');
        if (!is_break(text, i, depth))
            continue;
        struct lw_text line = {0};
        lw_text_bytes(&line, text, i);
        size_t before = lw_text_width(lw_text_string(&line)),
               after = lw_text_width(text + i + blank);
        lw_text_free(&line);
        if ((before > after ? before : after) < least) {
            least = before > after ? before : after;
            best = i + blank;
            *first = i;
        }
    }
    if (best == length)
        *first = length;
    return best;
}

/* The width of the wider of its two lines. */
static size_t width_of_two(const char *text)
{
    size_t first, second = lw_second_line(text, &first);
    struct lw_text line = {0};
    lw_text_bytes(&line, text, first);
    size_t before = lw_text_width(lw_text_string(&line)), after = lw_text_width(text + second);
    lw_text_free(&line);
    return before > after ? before : after;
}

size_t lw_measure_column(const struct lw_measure *measure, uint64_t col)
{
    return col < measure->tail ? 0 : 1 + (size_t)(col - measure->tail);
}

static void add_width(struct lw_measure *measure, uint64_t col, const struct lw_text *text,
                      size_t two)
{
    widen(&measure->cell[lw_measure_column(measure, col)], text);
    if (col < measure->tail && two > measure->two)
        measure->two = two;
}

static bool is_list(const struct lw_view *view)
{
    return view->cols <= 2 && !view->type->picture;
}

static uint64_t find_tail(const struct lw_view *view)
{
    uint64_t tail = view->cols;
    if (is_list(view))
        return 0;
    if (!view->type->col_width)
        return tail;
    size_t first = view->type->col_width(view, 0);
    while (view->cols - tail < LW_TAILS_MAX && view->type->col_width(view, tail - 1) != first)
        tail--;
    return tail;
}

bool lw_measure(struct lw_measure *measure, const struct lw_view *view,
                const struct lw_export_options *options, bool heads, struct lw_error *err)
{
    const struct lw_export_options *o = options;
    struct lw_text text = {0};
    memset(measure, 0, sizeof *measure);
    measure->list = is_list(view);
    measure->tail = find_tail(view);
    for (uint64_t row = o->row_from; row < o->row_to; row++) {
        if (o->labels) {
            lw_fetch_row_label(view, row, &text);
            widen(&measure->label, &text);
        }
        for (uint64_t col = o->col_from; col < o->col_to; col++) {
            struct lw_cell cell = {0};
            lw_fetch_cell(view, row, col, &text, &cell);
            add_width(measure, col, &text, width_of_two(lw_text_string(&text)));
            if (col < measure->tail)
                widen(&measure->text, &text);
            add_cell(&measure->legend, &cell);
        }
    }
    for (uint64_t col = o->col_from; o->labels && heads && col < o->col_to; col++) {
        lw_fetch_col_label(view, col, &text);
        add_width(measure, col, &text, 0);
    }
    bool failed = text.failed;
    lw_text_free(&text);
    return !failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

size_t lw_measure_cell(const struct lw_measure *measure, uint64_t col)
{
    return measure->cell[lw_measure_column(measure, col)];
}

/* ---- Markup ---- */

/* Whether a character is legal in XML 1.0 (section 2.2), is no noncharacter of HTML, and is printable. */
static bool is_character(uint32_t code)
{
    return (!lw_text_is_control(code) || code == '\n' || code == '\t') &&
           (code & 0xfffe) != 0xfffe && !(code >= 0xfdd0 && code <= 0xfdef);
}

void lw_put_markup(FILE *stream, const char *text)
{
    static const char *const names[] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\n'] = "&#10;"};
    if (lw_text_is_mark(text))
        lw_output_fail(stream);
    for (int length; *text; text += length) {
        uint32_t code = lw_text_decode(text, &length);
        char bytes[4];
        if (!is_character(code))
            code = 0xfffd;
        if (code < sizeof names / sizeof *names && names[code])
            fputs(names[code], stream);
        else
            fwrite(bytes, 1, (size_t)lw_text_encode(code, bytes), stream);
    }
}

void lw_put_rgb(FILE *stream, uint32_t rgb)
{
    fprintf(stream, "#%06x", (unsigned)rgb);
}
