/*
 * Finds the cells of several elements whose colours differ. In a linear layout that holds every element all cells have
 * the same number of values, which follows from the span of the steps within a cell. In another layout the elements are
 * examined, once for each zoom, unless they are too many: then it is unknown.
 */

#include "tui/pane/merged.h"
#include "core/subspace.h"
#include "tui/draw/drawing.h"
#include "view/palette.h"
#include "view/view_parts.h"

#include <string.h>

enum {
    LOOKED_AT = 1 << 18, /* elements at most */
    BANDS = 16,          /* colours of bands */
    LISTED = 512         /* the most values for which those of a set are searched one by one */
};

/* The value of a field that an element has; UINT64_MAX: it has none. */
static uint64_t value_at(const struct lw_view *view, struct lw_cell_field field, uint64_t row,
                         uint64_t col)
{
    struct lw_spot spot;
    return view->type->spot(view, row, col, &spot) && spot.has_in
               ? lw_cell_field_value(view->subject, field, spot.in, spot.out)
               : UINT64_MAX;
}

/* The same by the name of the field; UINT64_MAX: there is no such field. */
static uint64_t field_at(const struct lw_view *view, const char *name, uint64_t row, uint64_t col)
{
    struct lw_cell_field field;
    return lw_cell_field_find(view->subject, name, strlen(name), &field)
               ? value_at(view, field, row, col)
               : UINT64_MAX;
}

static struct lw_space span_of_cell(const struct lw_view_pane *pane, const char *field)
{
    const struct lw_view *view = &pane->view;
    struct lw_space space = {.dim = 0};
    uint64_t first = field_at(view, field, 0, 0);
    for (int across = 0; across < 2; across++)
        for (uint64_t i = 1; i < (across ? pane->step_cols : pane->step_rows); i *= 2)
            if (i < (across ? view->cols : view->rows))
                lw_space_add(&space, field_at(view, field, across ? 0 : i, across ? i : 0) ^ first);
    return space;
}

/* Whether the values of a cell follow from its steps, as in a linear layout and in one of digits of powers of two. */
static bool has_spans(const struct lw_view *view)
{
    const struct lw_map *map = &view->subject->map;
    struct lw_layout layout;
    return (map->kind == LW_MAP_LINEAR ||
            (map->kind == LW_MAP_MIXED && lw_map_to_layout(map, &layout, NULL))) &&
           (lw_view_shows_indices(view) || lw_map_is_surjective(map));
}

/* The number of values of a field; 0: there is no such field. */
static uint64_t values_of(const struct lw_subject *subject, const char *field)
{
    struct lw_cell_field found;
    return lw_cell_field_find(subject, field, strlen(field), &found)
               ? lw_cell_field_max(subject, found) + 1
               : 0;
}

/* Adds the differences between the owners of one element, which is a copy in each of them. */
static void add_copies(struct lw_space *space, const struct lw_view *view, const char *field)
{
    const struct lw_map *map = &view->subject->map;
    const uint64_t first = field_at(view, field, 0, 0), owners = lw_map_replication(map);
    uint64_t in[LW_DIMS_MAX], value;
    struct lw_spot spot;
    for (uint64_t k = 1; k < owners && k <= owners / 2; k *= 2)
        if (view->type->spot(view, 0, 0, &spot) && lw_map_owner(map, spot.out, k, in) &&
            lw_subject_field(view->subject, field, in, spot.out, &value))
            lw_space_add(space, value ^ first);
}

uint64_t lw_merged_share(const struct lw_view_pane *pane, const char *field)
{
    const struct lw_view *view = &pane->view;
    uint64_t all = values_of(view->subject, field);
    if (all <= 1)
        return 1;
    if (!has_spans(view) || !view->type->spot || field_at(view, field, 0, 0) == UINT64_MAX)
        return UINT64_MAX;
    struct lw_space span = span_of_cell(pane, field);
    if (!lw_view_shows_indices(view))
        add_copies(&span, view, field);
    return ((all - 1) >> span.dim) + 1;
}

/* For more sets than there are colours, or too many values to list: as many consecutive values as make BANDS colours,
 * or more of them so that each cell has values of one such band. */
static uint64_t find_band(const struct lw_merged *merged)
{
    uint64_t band = 1;
    if (merged->each <= 1 || merged->all & (merged->all - 1) ||
        (merged->all <= LISTED && merged->all / merged->each <= LW_PALETTE_INKS))
        return 0;
    while (merged->all / band > BANDS)
        band *= 2;
    for (int i = 0; i < merged->span.dim; i++)
        while (merged->span.basis[i] >= band)
            band *= 2;
    return band < merged->all ? band : 0;
}

/* The number of the colour of a value. */
static uint64_t color_of(const struct lw_merged *merged, uint64_t value)
{
    return value == UINT64_MAX || !merged->band ? value : value / merged->band;
}

static bool cell_is_mixed(const struct lw_view_pane *pane, struct lw_cell_field field, uint64_t row,
                          uint64_t col)
{
    const struct lw_view *view = &pane->view;
    const struct lw_merged *merged = &pane->merged;
    uint64_t first = color_of(merged, value_at(view, field, row, col));
    for (uint64_t r = row; r < row + pane->step_rows && r < view->rows; r++)
        for (uint64_t c = col; c < col + pane->step_cols && c < view->cols; c++)
            if (color_of(merged, value_at(view, field, r, c)) != first)
                return true;
    return false;
}

static void look_at_all(struct lw_merged *merged, const struct lw_view_pane *pane)
{
    const struct lw_view *view = &pane->view;
    uint64_t cells = 0, mixed = 0;
    struct lw_cell_field field = {LW_FIELD_NONE, -1, -1, 1};
    lw_cell_field_find(view->subject, view->color, strlen(view->color), &field);
    merged->across = lw_grid_cells(view->cols, pane->step_cols);
    for (uint64_t row = 0; row < view->rows; row += pane->step_rows)
        for (uint64_t col = 0; col < view->cols; col += pane->step_cols, cells++)
            if (cell_is_mixed(pane, field, row, col)) {
                merged->bits[cells / 8] |= (uint8_t)(1 << cells % 8);
                mixed++;
            }
    merged->kind = !mixed ? LW_MERGED_PURE : mixed == cells ? LW_MERGED_MIXED : LW_MERGED_SOME;
}

void lw_merged_update(struct lw_view_pane *pane)
{
    struct lw_merged *merged = &pane->merged;
    const struct lw_view *view = &pane->view;
    uint64_t steps = pane->step_rows * pane->step_cols;
    if (merged->known)
        return;
    memset(merged, 0, sizeof *merged);
    merged->known = true;
    if (steps <= 1 || !pane->has_view || !view->color || view->type->layout || !view->type->spot ||
        !lw_view_shades(view, &merged->all) || merged->all < 2)
        return;
    uint64_t cells =
        lw_grid_cells(view->rows, pane->step_rows) * lw_grid_cells(view->cols, pane->step_cols);
    if (has_spans(view) && field_at(view, view->color, 0, 0) != UINT64_MAX) {
        merged->span = span_of_cell(pane, view->color);
        merged->each = (uint64_t)1 << merged->span.dim;
        merged->kind = merged->each > 1 ? LW_MERGED_MIXED : LW_MERGED_PURE;
        merged->band = find_band(merged);
        return;
    }
    for (uint64_t band = 2; merged->all > LISTED && merged->all / BANDS > merged->band; band *= 2)
        merged->band = band;
    if (view->rows <= LOOKED_AT / view->cols && cells <= LW_MERGED_CELLS) {
        look_at_all(merged, pane);
    } else {
        merged->kind = LW_MERGED_UNKNOWN;
    }
}

bool lw_merged_is_mixed(const struct lw_view_pane *pane, uint64_t row, uint64_t col)
{
    const struct lw_merged *merged = &pane->merged;
    if (merged->kind != LW_MERGED_SOME)
        return merged->kind == LW_MERGED_MIXED;
    uint64_t cell = row / pane->step_rows * merged->across + col / pane->step_cols;
    return merged->bits[cell / 8] >> cell % 8 & 1;
}

bool lw_merged_sets(const struct lw_view_pane *pane, uint64_t *count)
{
    const struct lw_merged *merged = &pane->merged;
    if (pane->groups.on || !merged->known)
        return false;
    if (merged->band) {
        *count = (merged->all - 1) / merged->band + 1;
        return true;
    }
    if (merged->kind != LW_MERGED_MIXED || !merged->each || merged->all > LISTED ||
        merged->all % merged->each)
        return false;
    *count = merged->all / merged->each;
    return true;
}

/* The lowest bit of each basis vector. A set is numbered by the other bits of its reduced value. */
static uint64_t lowest_bits(const struct lw_space *span)
{
    uint64_t bits = 0;
    for (int i = 0; i < span->dim; i++)
        bits |= span->basis[i] & (~span->basis[i] + 1);
    return bits;
}

uint64_t lw_merged_set_of(const struct lw_view_pane *pane, uint64_t value)
{
    const struct lw_space *span = &pane->merged.span;
    if (pane->merged.band)
        return value / pane->merged.band;
    uint64_t least = lw_space_reduce(span, value), skipped = lowest_bits(span), set = 0;
    for (int bit = 0, to = 0; bit < LW_BITS_MAX && least >> bit; bit++)
        if (!(skipped >> bit & 1))
            set |= (least >> bit & 1) << to++;
    return set;
}

/* The value of the set in which those bits are 0, which need not be its least. */
static uint64_t reduced_of_set(const struct lw_space *span, uint64_t set)
{
    uint64_t skipped = lowest_bits(span), value = 0;
    for (int bit = 0; bit < LW_BITS_MAX; bit++)
        if (!(skipped >> bit & 1)) {
            value |= (set & 1) << bit;
            set >>= 1;
        }
    return value;
}

/* Whether the values of each set are consecutive. */
static bool has_runs(const struct lw_merged *merged)
{
    for (int i = 0; i < merged->span.dim; i++)
        if (merged->span.basis[i] >= merged->each)
            return false;
    return true;
}

/* Appends the dims of a hardware index, "row,col", for the field of that name; else the name of the field. */
static void put_field(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_dims *in = view->subject ? &view->subject->map.in : NULL;
    const size_t before = text->length;
    for (int i = 0; in && !strcmp(view->color, "hardware") && i < in->count; i++)
        if (in->dim[i].size > 1)
            lw_text_format(text, "%s%s", text->length > before ? "," : "", in->dim[i].name);
    if (text->length == before)
        lw_text_add(text, view->color);
}

/* Appends " lanes" or " lane", of a hardware index " indices (row,col)". */
static void put_values(const struct lw_view *view, bool several, struct lw_text *text)
{
    const bool index = !strcmp(view->color, "hardware");
    lw_text_add(text, !index ? " " : several ? " indices (" : " index (");
    put_field(view, text);
    lw_text_add(text, index ? ")" : several ? "s" : "");
}

void lw_merged_put_name(const struct lw_view_pane *pane, struct lw_text *text)
{
    put_field(&pane->view, text);
    if (pane->merged.band && !pane->groups.on)
        lw_text_format(text, "/%llu", (unsigned long long)pane->merged.band);
}

void lw_merged_put_letter(const struct lw_view_pane *pane, uint64_t set, struct lw_text *text)
{
    if (!pane->merged.band)
        return;
    lw_text_clear(text);
    lw_text_char(text, lw_one_character(set));
}

void lw_merged_put_letters(const struct lw_view_pane *pane, struct lw_text *text)
{
    const struct lw_merged *merged = &pane->merged;
    struct lw_text name = {0};
    if (merged->band && !pane->groups.on) {
        lw_merged_put_name(pane, &name);
        lw_put_letters_of(text, lw_text_string(&name), (merged->all - 1) / merged->band);
        lw_text_free(&name);
    } else if (pane->view.type->letters)
        pane->view.type->letters(&pane->view, text);
}

/* Appends "0-3", "0,2", or the first values of many; the number of a band. */
void lw_merged_put_set(const struct lw_view_pane *pane, uint64_t set, struct lw_text *text)
{
    enum { SHOWN = 4 };
    const struct lw_merged *merged = &pane->merged;
    if (merged->band) {
        lw_text_number(text, set);
        return;
    }
    const uint64_t reduced = reduced_of_set(&merged->span, set);
    int shown = 0;
    if (has_runs(merged) && merged->each > 1) {
        lw_text_format(text, "%llu-%llu", (unsigned long long)reduced,
                       (unsigned long long)(reduced + merged->each - 1));
        return;
    }
    for (uint64_t value = 0; value < merged->all && shown <= SHOWN; value++) {
        if (lw_space_reduce(&merged->span, value) != reduced)
            continue;
        if (shown++ == SHOWN)
            lw_text_add(text, ",…");
        else
            lw_text_format(text, "%s%llu", shown > 1 ? "," : "", (unsigned long long)value);
    }
}

/* Appends after how many elements along each dim the threads repeat, "16x64": twice the longest step that changes
 * them. Nothing if they do not. */
static void put_repeat(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_dims *dims = &view->subject->map.out;
    uint64_t first = field_at(view, "thread", 0, 0), period[LW_DIMS_MAX];
    bool repeats = false;
    for (int dim = 0; dim < dims->count; dim++)
        period[dim] = 1;
    for (int across = 0; across < 2; across++)
        for (uint64_t i = 1; i < (across ? view->cols : view->rows); i *= 2) {
            uint64_t row = across ? 0 : i, col = across ? i : 0;
            struct lw_spot spot;
            if (field_at(view, "thread", row, col) == first ||
                !view->type->spot(view, row, col, &spot))
                continue;
            for (int dim = 0; dim < dims->count; dim++)
                period[dim] = spot.out[dim] ? 2 * spot.out[dim] : period[dim];
        }
    for (int dim = 0; dim < dims->count; dim++)
        repeats = repeats || period[dim] < dims->dim[dim].size;
    for (int dim = 0; repeats && dim < dims->count; dim++)
        lw_text_format(text, "%s%llu", dim ? "x" : "", (unsigned long long)period[dim]);
}

/* Puts the threads of every cell, which are all of them, or half. */
static void put_threads(const struct lw_view_pane *pane, struct lw_text *text)
{
    uint64_t threads = values_of(pane->view.subject, "thread");
    const char *part = lw_merged_share(pane, "thread") > 1 ? "half of the" : "all";
    if (threads == 1)
        lw_text_add(text, "the only thread");
    else
        lw_text_format(text, "%s %llu threads", part, (unsigned long long)threads);
}

void lw_merged_explain(const struct lw_view_pane *pane, struct lw_text lines[2])
{
    const struct lw_view *view = &pane->view;
    uint64_t threads = view->subject ? values_of(view->subject, "thread") : 0;
    if (pane->groups.on || pane->step_rows * pane->step_cols <= 1 || !threads ||
        pane->view.type->layout || lw_view_shows_indices(view) ||
        lw_merged_share(pane, "thread") > 2)
        return;
    if (pane->wrap)
        lw_text_format(&lines[0], "each cell holds %llu elements, of ",
                       (unsigned long long)(pane->step_rows * pane->step_cols));
    else
        lw_text_format(&lines[0], "each cell holds %llux%llu elements, of ",
                       (unsigned long long)pane->step_rows, (unsigned long long)pane->step_cols);
    put_threads(pane, &lines[0]);
    lw_text_add(&lines[0], ": + zooms in");
    if (threads == 1)
        return;
    struct lw_text repeat = {0};
    put_repeat(view, &repeat);
    if (repeat.length)
        lw_text_format(&lines[1], "the threads repeat every %s elements", lw_text_string(&repeat));
    lw_text_free(&repeat);
}

void lw_merged_put(const struct lw_view_pane *pane, bool marks, struct lw_text *text)
{
    const struct lw_merged *merged = &pane->merged;
    const struct lw_view *view = &pane->view;
    lw_text_format(text, " a cell is %llux%llu", (unsigned long long)pane->step_rows,
                   (unsigned long long)pane->step_cols);
    if (pane->parts_color && lw_merged_share(pane, "thread") <= 2) {
        lw_text_add(text, ", with ");
        put_threads(pane, text);
        lw_text_add(text, " ");
        return;
    }
    switch (merged->kind) {
    case LW_MERGED_PURE:
        lw_text_add(text, merged->band ? ", with several" : ", of one");
        put_values(view, merged->band, text);
        lw_text_char(text, ' ');
        return;
    case LW_MERGED_MIXED:
        if (merged->each)
            lw_text_format(text, ", with %s%llu", merged->each == merged->all ? "all " : "",
                           (unsigned long long)merged->each);
        else
            lw_text_add(text, ", with several");
        put_values(view, true, text);
        lw_text_add(text, marks && !merged->band ? ": the first is shown " : " ");
        return;
    case LW_MERGED_SOME:
        lw_text_format(text, "; %s: several", marks ? LW_MERGED_MARK : "pale");
        if (merged->band)
            lw_text_add(text, " colours");
        else
            put_values(view, true, text);
        lw_text_char(text, ' ');
        return;
    case LW_MERGED_UNKNOWN:
        lw_text_add(text, ", its first is shown; its");
        put_values(view, true, text);
        lw_text_add(text, " are not counted ");
        return;
    case LW_MERGED_NOT:
        lw_text_add(text, ", its first is shown ");
    }
}
