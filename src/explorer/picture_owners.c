/* Owners: which thread and register holds each element. Of a large tensor one repeat is drawn, with the sentence
 * of its repeats. */

#include "explorer/owner_grid.h"
#include "explorer/picture.h"

struct owners {
    struct lw_picture base;
    struct lw_owner_grid grid;
};

static bool fits(const struct lw_model *model)
{
    return lw_picture_registers(model, LW_SIDE_A) != NULL;
}

static bool open(struct lw_picture *picture, struct lw_error *err)
{
    (void)err;
    lw_owner_grid_open(&((struct owners *)picture)->grid, picture->subject, picture->lit);
    return true;
}

static void close(struct lw_picture *picture)
{
    lw_owner_grid_close(&((struct owners *)picture)->grid);
}

static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    struct lw_owner_grid *grid = &((struct owners *)picture)->grid;
    struct lw_rect below = {rect.row + 2, rect.col, rect.height - 2, rect.width};
    return lw_owner_grid_fit(grid, rect, -picture->size) &&
           (!lw_owner_grid_is_repeat(grid) || lw_owner_grid_fit(grid, below, -picture->size));
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
    const struct lw_grid_cell *cell;
    if (!lw_owner_grid_mouse(&((struct owners *)picture)->grid, event, &cell))
        return false;
    if (event->kind == LW_EVENT_HOVER && (!picture->lit->on || picture->lit->by_pointer)) {
        picture->lit->on = picture->lit->by_pointer = true;
        picture->lit->owner = cell->owner;
    }
    return true;
}

static void explain(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    struct lw_spot here;
    spot(picture, &here);
    lw_explain(picture->subject, &here, explanation);
}

const struct lw_picture_type lw_picture_owners = {
    .name = "owners",
    .title = "Owners",
    .about = "which thread and register hold each element",
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
    .explain = explain,
};
