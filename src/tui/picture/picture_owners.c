/* Owners: which thread and register holds each element. Of a large tensor one repeat is drawn, with the sentence
 * of its repeats. */

#include "tui/picture/factors.h"
#include "tui/picture/picture.h"

struct owners {
    struct lw_picture base;
    struct lw_owner_grid grid;
    struct lw_factors factors; /* of a product of tilus */
    bool shows_factors;        /* there is room for them */
};

enum { GAP = 6 };

static bool fits(const struct lw_model *model)
{
    return lw_picture_registers(model, LW_SIDE_A) != NULL;
}

static bool open(struct lw_picture *picture, struct lw_error *err)
{
    struct owners *owners = (struct owners *)picture;
    (void)err;
    lw_owner_grid_open(&owners->grid, picture->subject, picture->lit);
    lw_factors_open(&owners->factors, picture->subject->encoding);
    return true;
}

static void close(struct lw_picture *picture)
{
    lw_owner_grid_close(&((struct owners *)picture)->grid);
    lw_factors_close(&((struct owners *)picture)->factors);
}

static bool fit(struct owners *owners, struct lw_rect rect)
{
    struct lw_owner_grid *grid = &owners->grid;
    struct lw_rect below = {rect.row + 2, rect.col, rect.height - 2, rect.width};
    const int smaller = -owners->base.size;
    if (lw_owner_grid_is_repeat(grid))
        return lw_owner_grid_fit(grid, below, smaller);
    return lw_owner_grid_fit(grid, rect, smaller) &&
           (!lw_owner_grid_is_repeat(grid) || lw_owner_grid_fit(grid, below, smaller));
}

/* The columns that the grid uses. */
static int used_width(struct owners *owners, struct lw_rect rect)
{
    int height, width;
    lw_grid_measure(&owners->grid.grid, 0, rect.width, &height, &width);
    return width;
}

static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    struct owners *owners = (struct owners *)picture;
    if (!fit(owners, rect))
        return false;
    owners->shows_factors = false;
    if (owners->factors.count)
        owners->shows_factors =
            used_width(owners, rect) + GAP + lw_factors_width(&owners->factors) <= rect.width;
    return true;
}

static void draw_repeat(const struct lw_owner_grid *grid, struct lw_surface *surface)
{
    const struct lw_rect *rect = &grid->grid.rect;
    struct lw_text text = {0};
    lw_text_format(&text, "one repeat: %llu x %llu of %llu x %llu",
                   (unsigned long long)grid->shown[0], (unsigned long long)grid->shown[1],
                   (unsigned long long)grid->all[0], (unsigned long long)grid->all[1]);
    int used = lw_put(surface, rect->row - 2, rect->col, rect->width, lw_tone(LW_TONE_TITLE),
                      lw_text_string(&text));
    lw_text_clear(&text);
    lw_map_put_repeats(&text, &grid->subject->map);
    lw_put(surface, rect->row - 2, rect->col + used + 3, rect->width - used - 3,
           lw_tone(LW_TONE_FAINT), lw_text_string(&text));
    lw_text_free(&text);
}

static void draw(struct lw_picture *picture, struct lw_surface *surface)
{
    struct lw_owner_grid *grid = &((struct owners *)picture)->grid;
    if (lw_owner_grid_is_repeat(grid))
        draw_repeat(grid, surface);
    lw_grid_draw(&grid->grid, surface);
    if (!((struct owners *)picture)->shows_factors)
        return;
    struct owners *owners = (struct owners *)picture;
    const struct lw_rect *rect = &grid->grid.rect;
    struct lw_spot here;
    int used = used_width(owners, *rect) + GAP;
    lw_owner_grid_spot(grid, &here);
    lw_factors_follow(&owners->factors, here.out, picture->lit->on);
    lw_factors_draw(
        &owners->factors, surface,
        (struct lw_rect){rect->row, rect->col + used, rect->height, rect->width - used});
}

static void move(struct lw_picture *picture, int64_t rows, int64_t cols)
{
    lw_owner_grid_move(&((struct owners *)picture)->grid, rows, cols);
}

static bool spot(const struct lw_picture *picture, struct lw_spot *spot)
{
    lw_owner_grid_spot(&((const struct owners *)picture)->grid, spot);
    return true;
}

static bool go(struct lw_picture *picture, const struct lw_spot *spot)
{
    if (spot->has_out)
        lw_owner_grid_go(&((struct owners *)picture)->grid, spot->out);
    return spot->has_out;
}

static bool mouse(struct lw_picture *picture, const struct lw_event *event)
{
    return lw_owner_grid_mouse(&((struct owners *)picture)->grid, event);
}

static void explain_factors(const void *context, const uint64_t *out,
                            struct lw_explanation *explanation)
{
    const struct lw_factors *factors = context;
    (void)out;
    lw_factors_explain(factors, explanation);
}

static void color(struct lw_picture *picture)
{
    struct lw_owner_grid *grid = &((struct owners *)picture)->grid;
    picture->lit->color = lw_owner_grid_next_color(grid);
    lw_grid_changed(&grid->grid);
}

static void explain(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    struct owners *owners = (struct owners *)(uintptr_t)picture;
    struct lw_spot here;
    lw_owner_grid_spot(&owners->grid, &here);
    lw_factors_follow(&owners->factors, here.out, picture->lit->on);
    lw_owner_grid_explain(&owners->grid, owners->factors.count ? explain_factors : NULL,
                          &owners->factors, explanation);
}

const struct lw_picture_type lw_picture_owners = {
    .name = "owners",
    .title = "Owners",
    .about = "who holds each element",
    .is_tab = true,
    .state_size = sizeof(struct owners),
    .fits = fits,
    .subject = lw_picture_registers,
    .open = open,
    .close = close,
    .arrange = arrange,
    .draw = draw,
    .move = move,
    .mouse = mouse,
    .spot = spot,
    .go = go,
    .color = color,
    .explain = explain,
};
