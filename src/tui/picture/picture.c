/* What pictures share: opening, closing, drawing and moving in a grid or a list. */

#include "tui/picture/picture.h"

#include "core/array_count.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

const char *lw_lit_name(enum lw_lit_what what)
{
    static const char *const names[] = {"thread", "warp", "register", "bank"};
    return names[what];
}

struct lw_picture *lw_picture_open(const struct lw_picture_type *type, const struct lw_model *model,
                                   const struct lw_model *other, enum lw_side side,
                                   struct lw_lit *lit, struct lw_error *err)
{
    struct lw_picture *picture = calloc(1, type->state_size);
    if (!picture) {
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    *picture = (struct lw_picture){.type = type, .model = model, .other = other, .lit = lit};
    picture->grids[picture->grid_count++] = &picture->grid;
    picture->subject = picture->at = type->subject(model, side);
    if (!picture->subject) /* the type fitted the model before */
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    else if (type->open(picture, err))
        return picture;
    lw_picture_close(picture);
    return NULL;
}

void lw_picture_close(struct lw_picture *picture)
{
    if (!picture)
        return;
    if (picture->type->close)
        picture->type->close(picture);
    for (int i = 0; i < picture->grid_count; i++)
        lw_grid_free(picture->grids[i]);
    lw_list_free(&picture->list);
    free(picture);
}

void lw_picture_draw(struct lw_picture *picture, struct lw_surface *surface, struct lw_rect rect)
{
    if (!picture || rect.height <= 0)
        return;
    picture->rect = rect;
    if (picture->type->arrange ? !picture->type->arrange(picture, rect)
                               : picture->grid.source && !lw_grid_arrange(&picture->grid, rect))
        return;
    if (picture->type->draw)
        picture->type->draw(picture, surface);
    else if (picture->list.source)
        lw_list_draw(&picture->list, surface, rect);
    for (int i = 0; i < picture->grid_count; i++)
        lw_grid_draw(picture->grids[i], surface);
}

void lw_picture_draw_title(struct lw_surface *surface, const struct lw_grid *grid,
                           enum lw_tone tone, const char *name, const char *about)
{
    const int row = grid->rect.row - 1, col = grid->rect.col + grid->label_width;
    const int width = grid->rect.width - grid->label_width;
    const int used = lw_put(surface, row, col, width, lw_tone(tone), name);
    lw_put(surface, row, col + used + 2, width - used - 2, lw_tone(LW_TONE_FAINT), about);
}

static void follow(struct lw_picture *picture)
{
    if (picture->type->follow)
        picture->type->follow(picture);
}

void lw_picture_move(struct lw_picture *picture, int64_t rows, int64_t cols)
{
    if (!picture)
        return;
    if (picture->type->move)
        picture->type->move(picture, rows, cols);
    else if (picture->list.source)
        lw_list_move(&picture->list, rows);
    else
        lw_grid_move(&picture->grid, rows, cols);
    follow(picture);
}

/* Lights what the pointer is on, unless that of the cursor is lit. */
static void point(struct lw_lit *lit, const struct lw_grid_cell *cell)
{
    if (lit->on && !lit->by_pointer)
        return;
    lit->on = lit->by_pointer = true;
    lit->owner = cell->owner;
    lit->vector = cell->number;
}

bool lw_picture_mouse(struct lw_picture *picture, const struct lw_event *event)
{
    const struct lw_grid_cell *cell = NULL;
    const uint64_t *at;
    bool opened;
    int i = 0;
    if (!picture)
        return false;
    if (picture->list.source) {
        if (!lw_list_mouse(&picture->list, event, &opened))
            return false;
        follow(picture);
        return true;
    }
    while (i < picture->grid_count &&
           !(cell = lw_grid_hit(picture->grids[i], event->row, event->col)))
        i++;
    if (event->kind == LW_EVENT_WHEEL) {
        i = picture->focus;
        lw_grid_scroll(picture->grids[i], event->amount);
        at = picture->grids[i]->at;
    } else if (!cell || (event->kind == LW_EVENT_HOVER && !picture->type->can_point)) {
        return false;
    } else if (event->kind == LW_EVENT_HOVER) {
        point(picture->lit, cell);
        return true;
    } else {
        at = cell->at;
    }
    if (picture->type->move_to)
        return picture->type->move_to(picture, i, at);
    memcpy(picture->grid.at, at, sizeof picture->grid.at);
    follow(picture);
    return true;
}

bool lw_picture_element(const struct lw_dims *dims, uint64_t number, uint64_t *out)
{
    for (int d = dims->count - 1; d >= 0; d--) {
        out[d] = number % dims->dim[d].size;
        number /= dims->dim[d].size;
    }
    return number == 0;
}

void lw_picture_put_row(struct lw_text *text, const struct lw_dims *dims, const uint64_t *out)
{
    for (int d = 0; d < (dims->count > 1 ? dims->count - 1 : dims->count); d++)
        lw_text_format(text, "%s%llu", d ? "," : "", (unsigned long long)out[d]);
}

bool lw_picture_spot(const struct lw_picture *picture, struct lw_spot *spot)
{
    memset(spot, 0, sizeof *spot);
    return picture && picture->type->spot && picture->type->spot(picture, spot);
}

bool lw_picture_go(struct lw_picture *picture, const struct lw_spot *spot)
{
    return picture && picture->type->go && picture->type->go(picture, spot);
}

const struct lw_subject *lw_picture_registers(const struct lw_model *model, enum lw_side side)
{
    const enum lw_side sides[] = {side, LW_SIDE_A, LW_SIDE_B};
    for (size_t i = 0; i < LW_COUNT(sides); i++) {
        const struct lw_subject *subject = lw_model_at(model, sides[i]);
        if (subject && !lw_subject_is_memory(subject))
            return subject;
    }
    return NULL;
}

const struct lw_subject *lw_picture_any(const struct lw_model *model, enum lw_side side)
{
    const struct lw_subject *at = lw_model_at(model, side);
    return at ? at : lw_model_own(model);
}

bool lw_picture_fits(const struct lw_picture_type *type, const struct lw_model *model)
{
    return type->subject(model, LW_SIDE_A) != NULL;
}
