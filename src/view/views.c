/* The table of views, opening one, and what all of them share: colours, elements, spots. */

#include "view/view_parts.h"

#include <string.h>

/* In the order of their number keys. */
static const struct lw_view_type *const types[] = {
    &lw_view_owners,     &lw_view_hardware, &lw_view_matrix, &lw_view_memory,  &lw_view_banks,
    &lw_view_conversion, &lw_view_bases,    &lw_view_facts,  &lw_view_notation};

#define TYPE_COUNT (sizeof types / sizeof *types)

const struct lw_view_type *const *lw_view_types(size_t *count)
{
    *count = TYPE_COUNT;
    return types;
}

const struct lw_view_type *lw_view_type_find(const char *name)
{
    for (size_t i = 0; i < TYPE_COUNT; i++)
        if (!strcmp(types[i]->name, name))
            return types[i];
    return NULL;
}

const struct lw_view_type *lw_view_default(const struct lw_subject *subject)
{
    (void)subject;
    return &lw_view_owners;
}

/* ---- Opening ---- */

/* The view's own field; else lanes for registers, threads for tilus, banks for memory. */
static const char *default_color(const struct lw_view *view)
{
    const char *const names[] = {view->type->color,
                                 lw_dims_find(&view->subject->map.in, "lane") >= 0 ? "lane" : NULL,
                                 "bank",
                                 "offset",
                                 "thread",
                                 "lane",
                                 "place"};
    struct lw_cell_field field;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && lw_cell_field_find(view->subject, names[i], strlen(names[i]), &field))
            return names[i];
    return NULL;
}

/* The colour keys that the subject has. */
static void color_names(struct lw_text *text, const struct lw_subject *subject)
{
    size_t count;
    const struct lw_color_key *keys = lw_color_keys(&count);
    struct lw_cell_field field;
    for (size_t i = 0; i < count; i++)
        if (lw_cell_field_find(subject, keys[i].name, strlen(keys[i].name), &field))
            lw_text_format(text, "%s%s", text->length ? ", " : "", keys[i].name);
}

static bool set_color(struct lw_view *view, struct lw_error *err)
{
    const char *key = view->options.color_by ? view->options.color_by : default_color(view);
    struct lw_cell_field field = {LW_FIELD_NONE, -1, -1, 1};
    view->color = key;
    if (key && !lw_cell_field_find(view->subject, key, strlen(key), &field)) {
        struct lw_text names = {0};
        color_names(&names, view->subject);
        lw_error_set(err, LW_ERROR_NAME, "no colour '%.40s' here: there are %s", key,
                     lw_text_string(&names));
        lw_text_free(&names);
        return false;
    }
    view->work[LW_WORK_COLOR] =
        (uint64_t)field.kind | (uint64_t)(field.dim + 1) << 8 | (uint64_t)(field.other + 1) << 16;
    view->work[LW_WORK_COLOR_UNIT] = field.unit;
    return true;
}

bool lw_view_open(struct lw_view *view, const struct lw_view_type *type,
                  const struct lw_subject *subject, const struct lw_view_options *options,
                  struct lw_error *err)
{
    memset(view, 0, sizeof *view);
    view->type = type;
    view->subject = subject;
    if (options)
        view->options = *options;
    if (view->options.cell && !lw_format_check(view->options.cell, subject, err))
        return false;
    return set_color(view, err) && type->open(view, err);
}

bool lw_view_fits(const struct lw_view_type *type, const struct lw_subject *subject)
{
    struct lw_view view;
    return type->fits_all || lw_view_open(&view, type, subject, NULL, NULL);
}

/* ---- Cells ---- */

void lw_cell_color(const struct lw_view *view, const uint64_t *in, const uint64_t *out,
                   struct lw_cell *cell)
{
    uint64_t packed = view->work[LW_WORK_COLOR];
    struct lw_cell_field field = {(enum lw_cell_field_kind)(packed & 255),
                                  (int)(packed >> 8 & 255) - 1, (int)(packed >> 16 & 255) - 1,
                                  view->work[LW_WORK_COLOR_UNIT]};
    cell->ink = field.kind == LW_FIELD_NONE ? LW_INK_PLAIN : LW_INK_INDEX;
    if (!in && lw_cell_field_of_index(field)) {
        cell->ink = LW_INK_HOLE;
        return;
    }
    cell->shade = lw_cell_field_value(view->subject, field, in, out);
}

void lw_cell_element(const struct lw_view *view, const uint64_t *in, struct lw_text *text,
                     struct lw_cell *cell)
{
    const struct lw_map *map = &view->subject->map;
    uint64_t out[LW_DIMS_MAX];
    *cell = (struct lw_cell){.ink = LW_INK_HOLE};
    if (!in || !lw_map_apply(map, in, out)) {
        lw_text_add(text, LW_HOLE);
        return;
    }
    lw_cell_color(view, in, out, cell);
    if (view->options.detail == LW_DETAIL_CHAR)
        lw_text_char(text, lw_one_character(cell->shade));
    else if (view->options.detail == LW_DETAIL_SHORT)
        lw_text_number(text, lw_element_index(&map->out, out));
    else
        lw_put_element(text, map->out.count, out);
}

void lw_put_letters(const struct lw_view *view, struct lw_text *text)
{
    enum { CHARACTERS = 62 };
    struct lw_cell_field field;
    if (view->options.detail != LW_DETAIL_CHAR || !view->color ||
        !lw_cell_field_find(view->subject, view->color, strlen(view->color), &field))
        return;
    uint64_t max = lw_cell_field_max(view->subject, field);
    for (uint64_t n = 10; n <= max && n < CHARACTERS; n += 10)
        lw_text_format(text, "%s%s%c = %llu", n == 10 ? view->color : "", n == 10 ? ": " : ", ",
                       lw_one_character(n), (unsigned long long)n);
    if (max >= CHARACTERS)
        lw_text_format(text, ", 0 again = %d", CHARACTERS);
}

size_t lw_cell_element_width(const struct lw_view *view)
{
    const struct lw_dims *out = &view->subject->map.out;
    uint64_t last[LW_DIMS_MAX];
    if (view->options.detail == LW_DETAIL_CHAR)
        return 1;
    if (view->options.detail == LW_DETAIL_FULL)
        return lw_element_width(out);
    for (int i = 0; i < out->count; i++)
        last[i] = out->dim[i].size - 1;
    return lw_digits(lw_element_index(out, last));
}

/* ---- Spots ---- */

bool lw_spot_index(const struct lw_view *view, const struct lw_spot *spot, uint64_t *in)
{
    const struct lw_map *map = &view->subject->map;
    if (spot->has_in) {
        memcpy(in, spot->in, (size_t)map->in.count * sizeof *in);
        return lw_is_hardware_index(map, in);
    }
    return spot->has_out && lw_map_owner(map, spot->out, 0, in);
}

bool lw_spot_of_index(const struct lw_view *view, const uint64_t *in, struct lw_spot *spot)
{
    const struct lw_map *map = &view->subject->map;
    memset(spot, 0, sizeof *spot);
    spot->has_out = lw_map_apply(map, in, spot->out);
    memcpy(spot->in, in, (size_t)map->in.count * sizeof *in);
    spot->has_in = lw_is_hardware_index(map, in);
    return spot->has_in;
}

size_t lw_widest_cell(const struct lw_view *view)
{
    struct lw_text text = {0};
    struct lw_cell cell;
    size_t widest = 1;
    for (uint64_t row = 0; row < view->rows; row++)
        for (uint64_t col = 0; col < view->cols; col++) {
            lw_text_clear(&text);
            view->type->cell(view, row, col, &text, &cell);
            size_t width = lw_text_width(lw_text_string(&text));
            widest = width > widest ? width : widest;
        }
    lw_text_free(&text);
    return widest;
}
