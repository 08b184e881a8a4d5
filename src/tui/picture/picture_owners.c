/* Grids of owners side by side: the owners of a layout, with the factors of a product of tilus beside them; the
 * operands of an MMA or of a product, and the result; two layouts to compare, or registers A and B of a conversion.
 * They have one size of cells. The thread under the cursor is lit in all of them; two layouts are linked, with the
 * cursor on one element in both, and what is equal is quiet. */

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/picture/owner_grid.h"
#include "tui/picture/picture.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 3, GAP = 4, FACTORS = 5 };
enum { NO_GRID = 22 }; /* columns of an operand that is in memory */

struct part {
    struct lw_owner_grid grid;
    bool has_grid;
    const struct lw_subject *subject; /* NULL: nothing more is known of it */
    int operand;                      /* its number in a spot */
    struct lw_text name, about;       /* above the grid */
    struct lw_rect rect;              /* height 0: it is hidden */
};

/* A call of a chain of tilus, local(2, 1).spatial(8, 4).local(1, 2), alone. An index of the product has one digit in
 * each factor, the last factor's the fastest; thread and local are made of the digits likewise. */
struct factor {
    struct lw_subject subject;
    struct lw_owner_grid grid;
    struct lw_lit lit;
    struct lw_text name;         /* "spatial(8, 4)" */
    uint64_t digit[LW_DIMS_MAX]; /* of the element under the cursor */
};

struct panels {
    struct lw_picture base;
    struct part parts[PARTS]; /* from left to right */
    int count, now;           /* now: the part of the cursor */
    bool is_linked;           /* two layouts are compared: */
    struct lw_comparison comparison;
    struct lw_map
        hardware[2];       /* of which one has threads and the other lanes, as both have lanes */
    struct lw_view view;   /* of operands */
    struct lw_arena arena; /* of factors */
    struct factor *factors;
    int factor_count;
    struct lw_rect fitted; /* for which sizes were chosen, */
    int fitted_size;       /* with picture.size */
    bool is_fitted, fits;
};

static struct panels *panels_of(const struct lw_picture *picture)
{
    return (struct panels *)picture;
}

/* ---- Parts ---- */

static struct part *add_part(struct panels *panels, const struct lw_subject *subject, bool has_grid)
{
    struct part *part = &panels->parts[panels->count++];
    part->subject = subject;
    part->has_grid = has_grid;
    if (has_grid)
        lw_owner_grid_open(&part->grid, subject, panels->base.lit);
    return part;
}

static void focus(struct panels *panels, int now)
{
    panels->is_fitted = panels->is_fitted && panels->parts[now].rect.height;
    panels->now = now;
    panels->base.at = panels->parts[now].subject;
    for (int i = 0; i < panels->count; i++)
        panels->parts[i].grid.grid.has_cursor = panels->is_linked || i == now;
}

static void close(struct lw_picture *picture)
{
    struct panels *panels = panels_of(picture);
    for (int i = 0; i < panels->count; i++) {
        lw_owner_grid_close(&panels->parts[i].grid);
        lw_text_free(&panels->parts[i].name);
        lw_text_free(&panels->parts[i].about);
    }
    for (int i = 0; i < panels->factor_count; i++) {
        lw_owner_grid_close(&panels->factors[i].grid);
        lw_text_free(&panels->factors[i].name);
    }
    free(panels->factors);
    lw_arena_free(&panels->arena);
    lw_view_close(&panels->view);
}

/* ---- Factors of a product of tilus ---- */

/* Whether a call is a product with what it is chained to: its digits are those of its own sizes. */
static bool is_simple(const struct lw_encoding *encoding)
{
    static const char *const names[] = {"local", "spatial", "column_local", "column_spatial"};
    for (size_t i = 0; i < LW_COUNT(names); i++)
        if (!strcmp(encoding->type->name, names[i]))
            return !lw_encoding_is_set(encoding, "ranks");
    return false;
}

/* Opens one call of a chain alone. */
static bool open_factor(struct panels *panels, struct factor *factor,
                        const struct lw_encoding *encoding)
{
    struct lw_encoding *alone = lw_encoding_copy(&panels->arena, encoding);
    struct lw_tensor unknown;
    struct lw_map map;
    lw_tensor_unknown(&unknown);
    if (!alone)
        return false;
    alone->params[lw_encoding_param(alone, "base")].kind = LW_VALUE_NONE;
    if (!lw_encoding_build(alone, &unknown, &map, NULL))
        return false;
    lw_encoding_print(&factor->name, alone);
    lw_subject_init(&factor->subject, &map, &unknown, LW_FAMILY_TILUS_REGISTER);
    lw_owner_grid_open(&factor->grid, &factor->subject, &factor->lit);
    factor->lit.what = factor->grid.threads > 1 ? LW_LIT_THREAD : LW_LIT_REGISTER;
    factor->grid.grid.has_cursor = false;
    factor->grid.grid.no_labels = true;
    return true;
}

/* Opens the factors of an encoding; none where it is no such product. False when memory is out. */
static bool open_factors(struct panels *panels, const struct lw_encoding *encoding)
{
    const struct lw_encoding *chain[FACTORS];
    int count = 0;
    for (; encoding; encoding = lw_encoding_nested(encoding, "base")) {
        if (count == FACTORS || !is_simple(encoding))
            return true;
        chain[count++] = encoding;
    }
    if (count < 2)
        return true;
    if (!(panels->factors = calloc((size_t)count, sizeof *panels->factors)))
        return false;
    while (panels->factor_count < count &&
           open_factor(panels, &panels->factors[panels->factor_count],
                       chain[count - 1 - panels->factor_count]))
        panels->factor_count++;
    return panels->factor_count == count;
}

/* Goes to the digits of the element under the cursor. */
static void follow_factors(struct panels *panels)
{
    struct lw_spot here;
    lw_owner_grid_spot(&panels->parts[0].grid, &here);
    for (int i = panels->factor_count - 1; i >= 0; i--) {
        struct factor *factor = &panels->factors[i];
        const struct lw_map *map = &factor->subject.map;
        for (int d = 0; d < map->out.count; d++) {
            factor->digit[d] = here.out[d] % map->out.dim[d].size;
            here.out[d] /= map->out.dim[d].size;
        }
        factor->lit.on = panels->base.lit->on &&
                         lw_slot_find(map, LW_LANES_DEFAULT, factor->digit, 0, &factor->lit.owner);
    }
}

/* Draws them in a rectangle, in which they have room; without a surface only measures them. Returns their columns. */
static int draw_factors(struct panels *panels, struct lw_surface *surface, struct lw_rect rect)
{
    const int from = rect.col;
    if (surface)
        lw_put(surface, rect.row, rect.col, rect.width, lw_tone(LW_TONE_FAINT), "the product of");
    rect.row++;
    for (int i = 0; i < panels->factor_count; i++) {
        struct factor *factor = &panels->factors[i];
        const char *name = lw_text_string(&factor->name);
        struct lw_rect grid = {rect.row + 1, rect.col, rect.height - 2, (int)lw_text_width(name)};
        int height, width;
        lw_owner_grid_try(&factor->grid, LW_SIZE_NUMBER, 4000, 4000, &height, &width);
        grid.width = width > grid.width ? width : grid.width;
        rect.col += grid.width + GAP;
        if (!surface)
            continue;
        if (i)
            lw_put(surface, rect.row, grid.col - 3, 1, lw_tone(LW_TONE_FAINT), "\xc3\x97");
        lw_put(surface, rect.row, grid.col, grid.width, lw_tone(LW_TONE_TITLE), name);
        if (lw_owner_grid_arrange(&factor->grid, grid))
            lw_grid_draw(&factor->grid.grid, surface);
    }
    return rect.col - GAP - from;
}

/* ---- Opening ---- */

static bool open_owners(struct lw_picture *picture, struct lw_error *err)
{
    struct panels *panels = panels_of(picture);
    add_part(panels, picture->subject, true);
    return open_factors(panels, picture->subject->encoding) ||
           lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

static const struct lw_subject *own_of(const struct lw_model *model, LW_UNUSED enum lw_side side)
{
    return lw_model_own(model);
}

static const struct lw_subject *mma_of(const struct lw_model *model, LW_UNUSED enum lw_side side)
{
    const struct lw_subject *own = lw_model_own(model);
    return lw_view_fits(lw_view_type_find("mma"), own) ? own : NULL;
}

static const struct lw_subject *product_of(const struct lw_model *model, enum lw_side side)
{
    const struct lw_subject *own = lw_model_own(model);
    return !mma_of(model, side) && lw_view_fits(lw_view_type_find("product"), own) ? own : NULL;
}

/* The operands and the result; of an MMA A, then C, then B: a row of A and a column of B meet in C. */
static bool open_operands(struct lw_picture *picture, struct lw_error *err)
{
    static const int order[2][PARTS] = {{0, 1, 2}, {0, 2, 1}};
    struct panels *panels = panels_of(picture);
    const struct lw_view_type *type = lw_view_type_find(picture->type->name);
    if (!lw_view_open(&panels->view, type, picture->subject, NULL, err))
        return false;
    for (int i = 0; i < PARTS; i++) {
        struct lw_view_part of;
        const int operand = order[!strcmp(type->name, "mma")][i];
        if (!type->part(&panels->view, operand, &of))
            continue;
        struct part *part = add_part(panels, of.subject, of.subject && !of.memory);
        part->operand = operand + 1;
        lw_text_add(&part->name, of.name);
        for (int d = 0; of.subject && d < of.subject->map.out.count; d++)
            lw_text_format(&part->about, "%s%llu", d ? " x " : "",
                           (unsigned long long)of.subject->map.out.dim[d].size);
    }
    int first = 0;
    while (first + 1 < panels->count && !panels->parts[first].has_grid)
        first++;
    focus(panels, first);
    return true;
}

static const struct lw_subject *conversion_of(const struct lw_model *model,
                                              LW_UNUSED enum lw_side side)
{
    return lw_model_is_conversion(model) ? lw_model_at(model, LW_SIDE_A) : NULL;
}

static bool compare(struct lw_comparison *comparison, struct lw_map hardware[2],
                    const struct lw_subject *a, const struct lw_subject *b, struct lw_error *err)
{
    const struct lw_subject *const both[2] = {a, b};
    if (lw_compare(comparison, &a->map, &b->map, err))
        return true;
    for (int i = 0; i < 2; i++) {
        struct lw_layout layout;
        if (!lw_map_to_hardware(&both[i]->map, both[i]->lanes, &layout, NULL))
            return false;
        lw_map_from_layout(&hardware[i], &layout);
    }
    return lw_compare(comparison, &hardware[0], &hardware[1], NULL);
}

bool lw_picture_can_compare(const struct lw_model *a, const struct lw_model *b,
                            struct lw_error *err)
{
    struct lw_comparison comparison;
    struct lw_map hardware[2];
    return compare(&comparison, hardware, lw_model_own(a), lw_model_own(b), err);
}

static bool open_compared(struct lw_picture *picture, struct lw_error *err)
{
    struct panels *panels = panels_of(picture);
    const struct lw_model *model = picture->model, *other = picture->other;
    const struct lw_subject *there = other ? lw_model_own(other) : lw_model_at(model, LW_SIDE_B);
    if (!there)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "there is no layout to compare with");
    if (!compare(&panels->comparison, panels->hardware, picture->subject, there, err))
        return false;
    panels->is_linked = true;
    struct part *parts[] = {add_part(panels, picture->subject, true),
                            add_part(panels, there, true)};
    for (int i = 0; i < 2; i++) {
        const uint64_t vector = parts[1 - i]->grid.vector;
        parts[i]->grid.comparison = &panels->comparison;
        if (parts[i]->grid.vector > vector)
            parts[i]->grid.vector = vector;
        if (i && other)
            lw_text_add(&parts[i]->name, lw_text_string(&other->text));
        else if (parts[i]->subject->encoding)
            lw_encoding_print_short(&parts[i]->name, parts[i]->subject->encoding);
    }
    return true;
}

/* ---- Arranging ---- */

/* Sets a size for the parts numbered `from` to `to`, side by side or one below the other; false: they do not fit, with
 * `all_rows` also in height. Each has its name above it. */
static bool try_size(struct panels *panels, enum lw_cell_size size, struct lw_rect rect,
                     bool all_rows, bool is_below, int from, int to)
{
    int row = rect.row, col = rect.col;
    for (int i = 0; i < panels->count; i++)
        panels->parts[i].rect.height = 0;
    for (int i = from; i <= to; i++) {
        struct part *part = &panels->parts[i];
        int height = 1, width = NO_GRID;
        if (part->has_grid &&
            !lw_owner_grid_try(&part->grid, size, rect.height - 1, 4000, &height, &width) &&
            !lw_owner_grid_try(&part->grid, size == LW_SIZE_VECTOR ? LW_SIZE_FULL : LW_SIZE_NUMBER,
                               rect.height - 1, 4000, &height, &width))
            return false;
        height++;
        if (width > rect.width || (all_rows && height > rect.height) ||
            (panels->is_linked && size == LW_SIZE_BLOCK && part->grid.all[1] <= LW_NARROW))
            return false;
        if (!is_below || (!all_rows && height > rect.height / 2))
            height = is_below ? rect.height / 2 : rect.height;
        part->rect = (struct lw_rect){row, col, height, width};
        row += is_below ? height : 0;
        col += is_below ? 0 : width + GAP;
    }
    return is_below ? row <= rect.row + rect.height : col - GAP <= rect.col + rect.width;
}

static bool choose_size(struct panels *panels, struct lw_rect rect, int from, int to)
{
    const int arrangements = panels->is_linked ? 2 : 1; /* in a row, in a column */
    int skipped = 0;
    if (from < 0 || to >= panels->count)
        return false;
    for (int all_rows = 1; all_rows >= 0; all_rows--)
        for (int size = LW_SIZE_FULL; size < LW_SIZES; size++)
            for (int below = 0; below < arrangements; below++)
                if (try_size(panels, (enum lw_cell_size)size, rect, all_rows, below, from, to) &&
                    skipped++ >= -panels->base.size)
                    return true;
    return false;
}

/* Shows all parts, or the one of the cursor and a neighbour, or else that one alone. */
static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    struct panels *panels = panels_of(picture);
    const int now = panels->now, all = panels->count - 1;
    const bool is_new = !panels->is_fitted || panels->fitted_size != picture->size ||
                        memcmp(&rect, &panels->fitted, sizeof rect) != 0;
    if (is_new)
        panels->fits = all && (choose_size(panels, rect, 0, all) ||
                               (!panels->is_linked && (choose_size(panels, rect, now, now + 1) ||
                                                       choose_size(panels, rect, now - 1, now))));
    for (int i = 0; i <= all && !panels->fits; i++)
        panels->parts[i].rect = i == now ? rect : (struct lw_rect){0};
    panels->fitted = rect;
    panels->fitted_size = picture->size;
    panels->is_fitted = true;
    for (int i = 0; i <= all; i++) {
        struct part *part = &panels->parts[i];
        struct lw_rect below = part->rect;
        if (!part->has_grid || !part->rect.height)
            continue;
        below.row += all > 0;
        below.height -= all > 0;
        if (is_new)
            lw_grid_changed(&part->grid.grid);
        if (panels->is_linked) {
            memcpy(part->grid.at, panels->parts[0].grid.at, sizeof part->grid.at);
            part->grid.grid.top = panels->parts[0].grid.grid.top;
        }
        if (panels->fits ? !lw_owner_grid_arrange(&part->grid, below)
                         : !lw_owner_grid_fit(&part->grid, below, -picture->size))
            return false;
    }
    return true;
}

/* ---- Drawing ---- */

/* Draws a name, and beside it more about it. */
static void draw_title(struct lw_surface *surface, struct lw_rect rect, enum lw_tone tone,
                       const struct lw_text *name, const struct lw_text *about)
{
    int used = lw_put(surface, rect.row, rect.col, rect.width, lw_tone(tone), lw_text_string(name));
    lw_put(surface, rect.row, rect.col + used + 2, rect.width - used - 2, lw_tone(LW_TONE_FAINT),
           lw_text_string(about));
}

/* "one repeat: 16 x 64 of 1024 x 1024", and the sentence of its repeats. */
static void draw_repeat(const struct lw_owner_grid *grid, struct lw_surface *surface)
{
    struct lw_rect line = grid->grid.rect;
    struct lw_text name = {0}, about = {0};
    lw_text_format(&name, "one repeat: %llu x %llu of %llu x %llu",
                   (unsigned long long)grid->shown[0], (unsigned long long)grid->shown[1],
                   (unsigned long long)grid->all[0], (unsigned long long)grid->all[1]);
    lw_map_put_repeats(&about, &grid->subject->map);
    line.row--;
    draw_title(surface, line, LW_TONE_TITLE, &name, &about);
    lw_text_free(&name);
    lw_text_free(&about);
}

static void draw(struct lw_picture *picture, struct lw_surface *surface)
{
    struct panels *panels = panels_of(picture);
    for (int i = 0; i < panels->count; i++) {
        struct part *part = &panels->parts[i];
        struct lw_rect rect = part->rect;
        if (!rect.height)
            continue;
        rect.col += part->grid.grid.label_width;
        rect.width -= part->grid.grid.label_width;
        draw_title(surface, rect,
                   panels->view.type && i == panels->now ? LW_TONE_LABEL_ON : LW_TONE_TITLE,
                   &part->name, &part->about);
        if (!part->has_grid)
            lw_put(surface, rect.row + 1, rect.col, rect.width, lw_tone(LW_TONE_FAINT),
                   "read from memory");
        else if (!panels->fits && lw_owner_grid_is_repeat(&part->grid))
            draw_repeat(&part->grid, surface);
        lw_grid_draw(&part->grid.grid, surface);
    }
    if (!panels->factor_count)
        return;
    struct lw_rect beside = panels->parts[0].grid.grid.rect;
    int height, width;
    lw_grid_measure(&panels->parts[0].grid.grid, 0, beside.width, &height, &width);
    beside.col += width + GAP;
    beside.width -= width + GAP;
    follow_factors(panels);
    if (draw_factors(panels, NULL, beside) <= beside.width)
        draw_factors(panels, surface, beside);
}

/* ---- The cursor ---- */

/* The next part to the left or right that has a grid, without an end; the present one: there is no other. */
static int neighbour(const struct panels *panels, int by)
{
    int at = panels->now;
    do
        at = (at + by + panels->count) % panels->count;
    while (!panels->parts[at].has_grid && at != panels->now);
    return at;
}

/* At the edge of an operand the cursor goes on in the next one. */
static void move(struct lw_picture *picture, int64_t rows, int64_t cols)
{
    struct panels *panels = panels_of(picture);
    struct lw_owner_grid *grid = &panels->parts[panels->now].grid;
    const uint64_t before[2] = {grid->at[0], grid->at[1]};
    if (!panels->parts[panels->now].has_grid)
        return;
    lw_owner_grid_move(grid, rows, cols);
    const int next = cols == 1 || cols == -1 ? neighbour(panels, (int)cols) : panels->now;
    const bool is_beyond = cols > 0 ? next > panels->now : next < panels->now;
    if (panels->is_linked || !is_beyond || grid->at[1] != before[1])
        return;
    focus(panels, next);
    struct lw_owner_grid *other = &panels->parts[next].grid;
    other->at[0] = before[0] < other->all[0] ? before[0] : other->all[0] - 1;
    other->at[1] = cols > 0 ? 0 : other->all[1] - 1;
}

static bool mouse(struct lw_picture *picture, const struct lw_event *event)
{
    struct panels *panels = panels_of(picture);
    for (int i = 0; i < panels->count; i++) {
        struct part *part = &panels->parts[i];
        if (!part->has_grid || !part->rect.height ||
            (event->kind == LW_EVENT_WHEEL && i != panels->now) ||
            !lw_owner_grid_mouse(&part->grid, event))
            continue;
        if (panels->is_linked)
            memcpy(panels->parts[0].grid.at, part->grid.at, sizeof part->grid.at);
        else if (event->kind == LW_EVENT_CLICK)
            focus(panels, i);
        return true;
    }
    return false;
}

static bool spot(const struct lw_picture *picture, struct lw_spot *spot)
{
    const struct part *part = &panels_of(picture)->parts[panels_of(picture)->now];
    if (!part->has_grid)
        return false;
    lw_owner_grid_spot(&part->grid, spot);
    spot->operand = part->operand;
    return true;
}

static bool go(struct lw_picture *picture, const struct lw_spot *spot)
{
    struct panels *panels = panels_of(picture);
    for (int i = 0; i < panels->count && spot->has_out; i++) {
        const struct part *part = &panels->parts[i];
        const bool is_it = !panels->view.type ? !part->operand
                           : spot->operand    ? part->operand == spot->operand
                                              : part->subject == picture->subject;
        if (is_it && part->has_grid) {
            focus(panels, i);
            lw_owner_grid_go(&panels->parts[i].grid, spot->out);
            return true;
        }
    }
    return false;
}

static void color(struct lw_picture *picture)
{
    struct panels *panels = panels_of(picture);
    picture->lit->color = lw_owner_grid_next_color(&panels->parts[panels->now].grid);
    panels->is_fitted = false;
    for (int i = 0; i < panels->count; i++)
        panels->parts[i].grid.is_fitted = false;
}

/* Goes to the next element that differs, in the order of rows. */
static void find_difference(struct panels *panels)
{
    const struct lw_dims *dims = &panels->parts[0].subject->map.out;
    struct lw_spot here;
    lw_owner_grid_spot(&panels->parts[0].grid, &here);
    for (int i = 0; i < LW_COMPARED_MAX; i++) {
        for (int d = dims->count - 1; d >= 0; d--) {
            here.out[d] = here.out[d] + 1 < dims->dim[d].size ? here.out[d] + 1 : 0;
            if (here.out[d])
                break;
        }
        if (lw_compare_element(&panels->comparison, here.out)) {
            lw_owner_grid_go(&panels->parts[0].grid, here.out);
            return;
        }
    }
}

static bool key(struct lw_picture *picture, uint32_t pressed)
{
    struct panels *panels = panels_of(picture);
    if (panels->is_linked && pressed == 'n')
        find_difference(panels);
    else if (panels->view.type && pressed == 'x')
        focus(panels, neighbour(panels, 1));
    else
        return false;
    return true;
}

/* ---- The inspector ---- */

static void explain_owners(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    struct panels *panels = panels_of(picture);
    lw_owner_grid_explain(&panels->parts[0].grid, explanation);
    follow_factors(panels);
    for (int i = 0; i < panels->factor_count; i++) {
        const struct factor *factor = &panels->factors[i];
        struct lw_text *text = i ? &explanation->line[explanation->count - 1].text
                                 : lw_explanation_line(explanation, "digits");
        lw_text_add(text, i ? "   " : "");
        lw_put_element(text, factor->subject.map.out.count, factor->digit);
        lw_text_format(text, " of %s", lw_text_string(&factor->name));
    }
}

/* What the thread under the cursor holds of each part. */
static void explain_operands(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct panels *panels = panels_of(picture);
    struct lw_spot here;
    if (!spot(picture, &here))
        return;
    lw_explain(picture->at, &here, explanation);
    if (explanation->count > 1)
        explanation->count = 1;
    if (panels->view.type->explain_thread)
        panels->view.type->explain_thread(&panels->view, &here, explanation);
}

/* "warp 0, lane 9, register 1", and how many more owners. */
static void put_owners(struct lw_text *text, const struct lw_map *map, const uint64_t *out)
{
    uint64_t in[LW_DIMS_MAX], count = lw_map_owner_count(map, out);
    if (lw_map_owner(map, out, 0, in))
        lw_put_hardware_index(text, &map->in, in);
    else
        lw_text_add(text, "no owner");
    if (count > 1)
        lw_text_format(text, " and %llu more", (unsigned long long)count - 1);
}

static void explain_compared(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct panels *panels = panels_of(picture);
    struct lw_text *text = lw_explanation_line(explanation, "differ");
    struct lw_spot at;
    uint64_t differing, all;
    spot(picture, &at);
    if (!lw_compare_count(&panels->comparison, &differing, &all))
        lw_text_format(text, "more than %d elements and owners, not all examined: %llu differ",
                       LW_COMPARED_MAX, (unsigned long long)differing);
    else if (!differing)
        lw_text_add(text, "the same: every element has the same owners");
    else
        lw_text_format(text, "%llu of %llu elements have other owners",
                       (unsigned long long)differing, (unsigned long long)all);
    const bool differs = lw_compare_element(&panels->comparison, at.out);
    text = lw_explanation_line(explanation, "element");
    lw_put_element(text, picture->subject->map.out.count, at.out);
    for (int i = 0; i < (differs ? 2 : 1); i++) {
        lw_text_add(text, !differs ? "   in both: " : i ? "   there: " : "   here: ");
        put_owners(text, &panels->parts[i].subject->map, at.out);
    }
}

#define PANELS                                                                                     \
    .state_size = sizeof(struct panels), .close = close, .arrange = arrange, .draw = draw,         \
    .move = move, .key = key, .mouse = mouse, .spot = spot, .go = go, .color = color

const struct lw_picture_type lw_picture_owners = {.name = "owners",
                                                  .title = "Owners",
                                                  .about = "who holds each element",
                                                  .is_tab = true,
                                                  .subject = lw_picture_registers,
                                                  .open = open_owners,
                                                  .explain = explain_owners,
                                                  PANELS};
const struct lw_picture_type lw_picture_mma = {.name = "mma",
                                               .title = "MMA",
                                               .about = "operands and result",
                                               .is_tab = true,
                                               .subject = mma_of,
                                               .open = open_operands,
                                               .explain = explain_operands,
                                               PANELS};
const struct lw_picture_type lw_picture_product = {.name = "product",
                                                   .title = "Product",
                                                   .about = "two layouts and theirs",
                                                   .is_tab = true,
                                                   .subject = product_of,
                                                   .open = open_operands,
                                                   .explain = explain_operands,
                                                   PANELS};
const struct lw_picture_type lw_picture_compare = {.name = "compare",
                                                   .title = "Compare",
                                                   .about = "two layouts side by side",
                                                   .subject = own_of,
                                                   .open = open_compared,
                                                   .explain = explain_compared,
                                                   PANELS};
const struct lw_picture_type lw_picture_conversion = {.name = "conversion",
                                                      .title = "Conversion",
                                                      .about = "what moves from A to B",
                                                      .is_tab = true,
                                                      .subject = conversion_of,
                                                      .open = open_compared,
                                                      .explain = explain_compared,
                                                      PANELS};
