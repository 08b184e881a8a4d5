/* What the coloured formats share. */

#include "export/legend.h"
#include "core/text_rows.h"

#include "core/text_mark.h"
#include "export/output.h"
#include "view/view_parts.h"

#include <string.h>

/* ---- Palettes ---- */

static const struct lw_export_palette palettes[] = {
    {"auto", "light, or dark where the reader's scheme is dark (the default)", "light", "dark"},
    {"light", "on white", "light", NULL},
    {"dark", "on black", "dark", NULL},
    {"safe", "as auto, for eyes that do not distinguish red from green", "safe-light", "safe"},
    {"safe-light", "the same on white", "safe-light", NULL},
    {"safe-dark", "the same on black", "safe", NULL},
};

const struct lw_export_palette *lw_export_palettes(size_t *count)
{
    *count = sizeof palettes / sizeof *palettes;
    return palettes;
}

const struct lw_export_palette *lw_find_palette(const char *name)
{
    for (size_t i = 0; i < sizeof palettes / sizeof *palettes; i++)
        if (!name || !strcmp(palettes[i].name, name))
            return &palettes[i];
    return NULL;
}

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

void lw_legend_add(struct lw_legend *legend, const struct lw_cell *cell)
{
    unsigned class = lw_palette_class(cell);
    legend->seen[class] = true;
    legend->dims = legend->dims || cell->ink == LW_INK_DIM;
    legend->shared = legend->shared || (cell->ink == LW_INK_INDEX && cell->owners > 1);
    if (class >= LW_CLASS_INKS)
        add_value(legend, class, cell->shade);
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

/* ---- Markup ---- */

void lw_put_markup(FILE *stream, const char *text)
{
    static const char *const names[] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\n'] = "&#10;"};
    const size_t count = sizeof names / sizeof *names;
    if (lw_text_is_mark(text))
        lw_output_fail(stream);
    const char *begin = text; /* of a run that is written as it is */
    for (int length = 1; *text; text += length) {
        length = 1;
        if (*text >= ' ' && *text < 127 && !((size_t)*text < count && names[(size_t)*text]))
            continue; /* most are */
        uint32_t code = lw_text_decode(text, &length);
        const char *name = code < count ? names[code] : NULL;
        /* not legal in XML 1.0 (section 2.2), a noncharacter of HTML, or not printable */
        bool unknown = (lw_text_is_control(code) && code != '\n' && code != '\t') ||
                       (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef) ||
                       (code == 0xfffd && length == 1);
        if (!name && !unknown)
            continue;
        fwrite(begin, 1, (size_t)(text - begin), stream);
        fputs(name ? name : "\xef\xbf\xbd", stream);
        begin = text + length;
    }
    fwrite(begin, 1, (size_t)(text - begin), stream);
}
