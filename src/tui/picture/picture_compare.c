/* Compare: two layouts of one tensor, side by side, with one size of cells. What is equal is quiet, what differs has
 * its colours. The cursor is on one element in both. A conversion without shared memory is drawn so, from registers A
 * to registers B. */

#include "tui/picture/owner_grid.h"
#include "tui/picture/picture.h"
#include "view/view_parts.h"

#include <string.h>

enum { GAP = 4 };

/* The comparison of two layouts; of registers of which one has threads and the other lanes, as both have lanes. */
struct compared {
    struct lw_comparison comparison;
    struct lw_map hardware[2];
};

struct compare {
    struct lw_picture base;
    const struct lw_subject *there;
    struct compared compared;
    struct lw_owner_grid here, other;
    struct lw_text verdict;
    bool is_below;                   /* the other one is below, not beside */
    struct lw_rect fitted, rects[2]; /* for which the size was chosen; those of the grids */
    int fitted_size;                 /* with picture.size */
    bool is_fitted;
};

static struct compare *compare_of(const struct lw_picture *picture)
{
    return (struct compare *)picture;
}

/* ---- The verdict ---- */

static void put_verdict(struct compare *compare)
{
    uint64_t differing, all;
    if (!lw_compare_count(&compare->compared.comparison, &differing, &all))
        lw_text_format(&compare->verdict,
                       "more than %d elements and owners, not all examined: %llu differ",
                       LW_COMPARED_MAX, (unsigned long long)differing);
    else if (!differing)
        lw_text_add(&compare->verdict, "the same: every element has the same owners");
    else
        lw_text_format(&compare->verdict, "%llu of %llu elements have other owners",
                       (unsigned long long)differing, (unsigned long long)all);
}

/* ---- Opening ---- */

static bool fits(const struct lw_model *model)
{
    (void)model;
    return false; /* it needs two models: lw_picture_open_compare */
}

static bool prepare(struct compared *compared, const struct lw_subject *a,
                    const struct lw_subject *b, struct lw_error *err)
{
    const struct lw_subject *const both[2] = {a, b};
    if (lw_compare(&compared->comparison, &a->map, &b->map, err))
        return true;
    for (int i = 0; i < 2; i++) {
        struct lw_layout layout;
        if (!lw_map_to_hardware(&both[i]->map, both[i]->lanes, &layout, NULL))
            return false;
        lw_map_from_layout(&compared->hardware[i], &layout);
    }
    return lw_compare(&compared->comparison, &compared->hardware[0], &compared->hardware[1], NULL);
}

bool lw_picture_can_compare(const struct lw_model *a, const struct lw_model *b,
                            struct lw_error *err)
{
    struct compared compared;
    return prepare(&compared, lw_model_own(a), lw_model_own(b), err);
}

static bool open(struct lw_picture *picture, struct lw_error *err)
{
    struct compare *compare = compare_of(picture);
    if (picture->type == &lw_picture_conversion) {
        compare->there = lw_model_at(picture->model, LW_SIDE_B);
        picture->subject = lw_model_at(picture->model, LW_SIDE_A);
    } else {
        compare->there = picture->other ? lw_model_own(picture->other) : NULL;
        picture->subject = lw_model_own(picture->model);
    }
    if (!compare->there)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "there is no layout to compare with");
    if (!prepare(&compare->compared, picture->subject, compare->there, err))
        return false;
    lw_owner_grid_open(&compare->here, picture->subject, picture->lit);
    lw_owner_grid_open(&compare->other, compare->there, picture->lit);
    /* One size of cells in both. */
    uint64_t vector =
        compare->here.vector < compare->other.vector ? compare->here.vector : compare->other.vector;
    compare->here.vector = compare->other.vector = vector;
    compare->here.comparison = compare->other.comparison = &compare->compared.comparison;
    put_verdict(compare);
    return true;
}

static void close(struct lw_picture *picture)
{
    struct compare *compare = compare_of(picture);
    lw_owner_grid_close(&compare->here);
    lw_owner_grid_close(&compare->other);
    lw_text_free(&compare->verdict);
}

/* ---- Arranging ---- */

/* Sets a size for both grids; false: they do not fit, beside or below each other. */
static bool try_size(struct compare *compare, enum lw_cell_size size, struct lw_rect rect,
                     bool all_rows)
{
    int height[2], width[2];
    if (!lw_owner_grid_try(&compare->here, size, rect.height, 4000, &height[0], &width[0]) ||
        !lw_owner_grid_try(&compare->other, size, rect.height, 4000, &height[1], &width[1]))
        return false;
    if (size == LW_SIZE_BLOCK && all_rows && compare->here.all[1] < 16)
        return false; /* a narrow tensor is read better in numbers, of which a part is visible */
    int tallest = height[0] > height[1] ? height[0] : height[1];
    int widest = width[0] > width[1] ? width[0] : width[1];
    compare->is_below = false;
    if (width[0] + GAP + width[1] <= rect.width)
        return !all_rows || tallest + 1 <= rect.height;
    compare->is_below = true;
    return widest <= rect.width && (!all_rows || height[0] + height[1] + 2 <= rect.height);
}

static void choose_size(struct compare *compare, struct lw_rect rect)
{
    int height, width, skipped = 0;
    bool found = false;
    for (int all_rows = 1; all_rows >= 0 && !found; all_rows--)
        for (int size = LW_SIZE_FULL; size < LW_SIZES && !found; size++)
            found = try_size(compare, (enum lw_cell_size)size, rect, all_rows) &&
                    skipped++ >= -compare->base.size;
    struct lw_rect one = {rect.row + 1, rect.col, rect.height - 1, rect.width}, two = one;
    lw_grid_measure(&compare->here.grid, rect.height, rect.width, &height, &width);
    if (!compare->is_below) {
        two.col += width + GAP;
        two.width -= width + GAP;
        one.width = width;
    } else {
        one.height = height < (rect.height - 2) / 2 ? height : (rect.height - 2) / 2;
        two.row = one.row + one.height + 1;
        two.height = rect.height - one.height - 2;
    }
    compare->rects[0] = one;
    compare->rects[1] = two;
    lw_grid_changed(&compare->here.grid);
    lw_grid_changed(&compare->other.grid);
}

static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    struct compare *compare = compare_of(picture);
    if (!compare->is_fitted || compare->fitted_size != picture->size ||
        memcmp(&rect, &compare->fitted, sizeof rect) != 0)
        choose_size(compare, rect);
    compare->fitted = rect;
    compare->fitted_size = picture->size;
    compare->is_fitted = true;
    compare->other.at[0] = compare->here.at[0];
    compare->other.at[1] = compare->here.at[1];
    if (!lw_owner_grid_arrange(&compare->here, compare->rects[0]))
        return false;
    compare->other.grid.top = compare->here.grid.top;
    return lw_owner_grid_arrange(&compare->other, compare->rects[1]);
}

/* Draws a name above a grid: that of a model, or else the short spelling of the layout. */
static void draw_one(const struct lw_owner_grid *grid, const struct lw_model *named,
                     struct lw_surface *surface)
{
    const struct lw_rect *rect = &grid->grid.rect;
    struct lw_text text = {0};
    if (named)
        lw_text_add(&text, lw_text_string(&named->text));
    else if (grid->subject->encoding)
        lw_encoding_print_short(&text, grid->subject->encoding);
    lw_put(surface, rect->row - 1, rect->col + grid->grid.label_width,
           rect->width - grid->grid.label_width, lw_tone(LW_TONE_TITLE), lw_text_string(&text));
    lw_text_free(&text);
}

static void draw(struct lw_picture *picture, struct lw_surface *surface)
{
    struct compare *compare = compare_of(picture);
    draw_one(&compare->here, NULL, surface);
    draw_one(&compare->other, picture->other, surface);
    lw_grid_draw(&compare->here.grid, surface);
    lw_grid_draw(&compare->other.grid, surface);
}

/* ---- The cursor ---- */

static void move(struct lw_picture *picture, int64_t rows, int64_t cols)
{
    lw_owner_grid_move(&compare_of(picture)->here, rows, cols);
}

static bool mouse(struct lw_picture *picture, const struct lw_event *event)
{
    struct compare *compare = compare_of(picture);
    if (event->kind == LW_EVENT_HOVER)
        return false;
    if (lw_owner_grid_mouse(&compare->here, event))
        return true;
    if (!lw_owner_grid_mouse(&compare->other, event))
        return false;
    memcpy(compare->here.at, compare->other.at, sizeof compare->here.at);
    return true;
}

static bool spot(const struct lw_picture *picture, struct lw_spot *spot)
{
    lw_owner_grid_spot(&compare_of(picture)->here, spot);
    return true;
}

static bool go(struct lw_picture *picture, const struct lw_spot *spot)
{
    if (spot->has_out)
        lw_owner_grid_go(&compare_of(picture)->here, spot->out);
    return spot->has_out;
}

/* The next element that differs, in the order of rows. */
static bool key(struct lw_picture *picture, uint32_t pressed)
{
    struct compare *compare = compare_of(picture);
    const struct lw_dims *dims = &picture->subject->map.out;
    struct lw_spot here;
    uint64_t all = 1;
    if (pressed != 'n')
        return false;
    for (int d = 0; d < dims->count; d++)
        all *= dims->dim[d].size;
    spot(picture, &here);
    for (uint64_t i = 0; i < all && i < LW_COMPARED_MAX; i++) {
        for (int d = dims->count - 1; d >= 0; d--) {
            here.out[d] = here.out[d] + 1 < dims->dim[d].size ? here.out[d] + 1 : 0;
            if (here.out[d])
                break;
        }
        if (lw_compare_element(&compare->compared.comparison, here.out)) {
            lw_owner_grid_go(&compare->here, here.out);
            return true;
        }
    }
    return true;
}

/* "warp 0, lane 9, register 1", and how many more owners. */
static void put_owners(struct lw_text *text, const struct lw_subject *subject, const uint64_t *out)
{
    uint64_t in[LW_DIMS_MAX], count = lw_map_owner_count(&subject->map, out);
    if (!lw_map_owner(&subject->map, out, 0, in)) {
        lw_text_add(text, "no owner");
        return;
    }
    lw_put_hardware_index(text, &subject->map.in, in);
    if (count > 1)
        lw_text_format(text, " and %llu more", (unsigned long long)count - 1);
}

static void explain(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct compare *compare = compare_of(picture);
    struct lw_spot at;
    spot(picture, &at);
    struct lw_text *text = lw_explanation_add(explanation, "differ");
    lw_text_add(text, lw_text_string(&compare->verdict));
    text = lw_explanation_add(explanation, "element");
    lw_put_element(text, picture->subject->map.out.count, at.out);
    lw_text_add(text, lw_compare_element(&compare->compared.comparison, at.out) ? "   here: "
                                                                                : "   in both: ");
    put_owners(text, picture->subject, at.out);
    if (lw_compare_element(&compare->compared.comparison, at.out)) {
        lw_text_add(text, "   there: ");
        put_owners(text, compare->there, at.out);
    }
}

static bool fits_conversion(const struct lw_model *model)
{
    return lw_model_is_conversion(model);
}

#define COMPARE_MEMBERS                                                                            \
    .state_size = sizeof(struct compare), .open = open, .close = close, .arrange = arrange,        \
    .draw = draw, .move = move, .key = key, .mouse = mouse, .spot = spot, .go = go,                \
    .explain = explain

const struct lw_picture_type lw_picture_compare = {.name = "compare",
                                                   .title = "Compare",
                                                   .about = "two layouts side by side",
                                                   .fits = fits,
                                                   COMPARE_MEMBERS};
const struct lw_picture_type lw_picture_conversion = {.name = "conversion",
                                                      .title = "Conversion",
                                                      .about = "what moves from A to B",
                                                      .is_tab = true,
                                                      .fits = fits_conversion,
                                                      COMPARE_MEMBERS};
