/* MMA and product: several layouts side by side, the operands of an operation and its result, each a grid of
 * owners. The thread under the cursor is lit in all of them. The grids have one size of cells. */

#include "core/array_count.h"
#include "tui/picture/owner_grid.h"
#include "tui/picture/picture.h"

#include <string.h>

enum { PARTS = 3, GAP = 3 };

struct operands {
    struct lw_picture base;
    struct lw_view view;
    bool is_open;
    int count;
    struct lw_view_part parts[PARTS];
    struct lw_owner_grid grids[PARTS];
    int order[PARTS]; /* the parts from left to right */
    int now;          /* the part of the cursor */
    struct lw_rect rects[PARTS];
    struct lw_rect fitted; /* for which sizes were chosen, */
    int fitted_size;       /* with picture.size */
    bool is_fitted, fits;
};

static struct operands *operands_of(const struct lw_picture *picture)
{
    return (struct operands *)picture;
}

static bool has_grid(const struct operands *operands, int part)
{
    return operands->parts[part].subject && !operands->parts[part].memory;
}

/* ---- Opening ---- */

static bool fits_mma(const struct lw_model *model)
{
    return lw_view_fits(lw_view_type_find("mma"), lw_model_own(model));
}

static bool fits_product(const struct lw_model *model)
{
    return !fits_mma(model) && lw_view_fits(lw_view_type_find("product"), lw_model_own(model));
}

static bool open(struct lw_picture *picture, struct lw_error *err)
{
    struct operands *operands = operands_of(picture);
    const struct lw_view_type *type = lw_view_type_find(picture->type->name);
    picture->subject = lw_model_own(picture->model);
    if (!lw_view_open(&operands->view, type, picture->subject, NULL, err))
        return false;
    operands->is_open = true;
    while (operands->count < PARTS &&
           type->part(&operands->view, operands->count, &operands->parts[operands->count]))
        operands->count++;
    for (int i = 0; i < operands->count; i++) {
        if (has_grid(operands, i))
            lw_owner_grid_open(&operands->grids[i], operands->parts[i].subject, picture->lit);
        operands->grids[i].grid.has_cursor = false;
        operands->order[i] = i;
    }
    /* A, then C, then B: a row of A and a column of B meet in C. */
    if (operands->count == PARTS && !strcmp(picture->type->name, "mma")) {
        operands->order[1] = 2;
        operands->order[2] = 1;
    }
    operands->now = operands->order[0];
    while (operands->now < operands->count && !has_grid(operands, operands->now))
        operands->now++;
    if (operands->now == operands->count)
        operands->now = 0;
    operands->grids[operands->now].grid.has_cursor = true;
    return true;
}

static void close(struct lw_picture *picture)
{
    struct operands *operands = operands_of(picture);
    for (int i = 0; i < operands->count; i++)
        lw_owner_grid_close(&operands->grids[i]);
    if (operands->is_open)
        lw_view_close(&operands->view);
}

/* ---- Arranging ---- */

/* The columns of a part without a grid. */
enum { NO_GRID = 22 };

/* Sets a size for the parts numbered `from` to `to`; false: they do not fit side by side, or with `all_rows` not in
 * height. */
static bool try_size(struct operands *operands, enum lw_cell_size size, struct lw_rect rect,
                     bool all_rows, int from, int to)
{
    int col = rect.col;
    for (int i = 0; i < operands->count; i++)
        operands->rects[i] = (struct lw_rect){rect.row, rect.col, 0, 0};
    for (int i = from; i <= to; i++) {
        int part = operands->order[i], height = 1, width = NO_GRID;
        if (has_grid(operands, part) &&
            !lw_owner_grid_try(&operands->grids[part], size, rect.height - 1, 4000, &height,
                               &width) &&
            !lw_owner_grid_try(&operands->grids[part],
                               size == LW_SIZE_VECTOR ? LW_SIZE_FULL : LW_SIZE_NUMBER,
                               rect.height - 1, 4000, &height, &width))
            return false;
        if (all_rows && height > rect.height - 1)
            return false;
        operands->rects[part] = (struct lw_rect){rect.row + 1, col, rect.height - 1, width};
        col += width + GAP;
    }
    return col - GAP <= rect.col + rect.width;
}

static bool choose_size(struct operands *operands, struct lw_rect rect, int from, int to)
{
    int skipped = 0;
    if (from < 0 || to >= operands->count)
        return false;
    for (int all_rows = 1; all_rows >= 0; all_rows--)
        for (int size = LW_SIZE_FULL; size < LW_SIZES; size++)
            if (try_size(operands, (enum lw_cell_size)size, rect, all_rows, from, to) &&
                skipped++ >= -operands->base.size)
                return true;
    return false;
}

/* All parts, or the one of the cursor and a neighbour; false: that one alone has room. */
static bool choose_parts(struct operands *operands, struct lw_rect rect)
{
    int now = 0;
    while (operands->order[now] != operands->now)
        now++;
    return choose_size(operands, rect, 0, operands->count - 1) ||
           choose_size(operands, rect, now, now + 1) || choose_size(operands, rect, now - 1, now);
}

/* Shows the part of the cursor alone, as there is no room for all. */
static void show_one(struct operands *operands, struct lw_rect rect)
{
    for (int i = 0; i < operands->count; i++)
        operands->rects[i] = (struct lw_rect){rect.row, rect.col, 0, 0};
    operands->rects[operands->now] =
        (struct lw_rect){rect.row + 1, rect.col, rect.height - 1, rect.width};
}

static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    struct operands *operands = operands_of(picture);
    bool is_new = !operands->is_fitted || operands->fitted_size != picture->size ||
                  memcmp(&rect, &operands->fitted, sizeof rect) != 0;
    if (is_new)
        operands->fits = choose_parts(operands, rect);
    if (!operands->fits)
        show_one(operands, rect);
    operands->fitted = rect;
    operands->fitted_size = picture->size;
    operands->is_fitted = true;
    for (int i = 0; i < operands->count; i++) {
        struct lw_owner_grid *grid = &operands->grids[i];
        if (!has_grid(operands, i) || !operands->rects[i].height)
            continue;
        if (is_new)
            lw_grid_changed(&grid->grid);
        if (operands->fits ? !lw_owner_grid_arrange(grid, operands->rects[i])
                           : !lw_owner_grid_fit(grid, operands->rects[i], -picture->size))
            return false;
    }
    return true;
}

/* ---- Drawing ---- */

static void draw_part(const struct operands *operands, int part, struct lw_surface *surface)
{
    const struct lw_rect *rect = &operands->rects[part];
    const struct lw_view_part *about = &operands->parts[part];
    const int col = rect->col + operands->grids[part].grid.label_width;
    struct lw_text text = {0};
    int used =
        lw_put(surface, rect->row - 1, col, rect->width,
               lw_tone(part == operands->now ? LW_TONE_LABEL_ON : LW_TONE_TITLE), about->name);
    if (about->subject) {
        const struct lw_dims *dims = &about->subject->map.out;
        for (int d = 0; d < dims->count; d++)
            lw_text_format(&text, "%s%llu", d ? " x " : "", (unsigned long long)dims->dim[d].size);
    }
    lw_put(surface, rect->row - 1, col + used + 2, rect->width - used - 2, lw_tone(LW_TONE_FAINT),
           lw_text_string(&text));
    if (!has_grid(operands, part))
        lw_put(surface, rect->row, col, rect->width, lw_tone(LW_TONE_FAINT), "read from memory");
    lw_text_free(&text);
}

static void draw(struct lw_picture *picture, struct lw_surface *surface)
{
    struct operands *operands = operands_of(picture);
    for (int i = 0; i < operands->count; i++) {
        if (!operands->rects[i].height)
            continue;
        draw_part(operands, i, surface);
        if (has_grid(operands, i))
            lw_grid_draw(&operands->grids[i].grid, surface);
    }
}

/* ---- The cursor ---- */

static void focus(struct operands *operands, int part)
{
    operands->grids[operands->now].grid.has_cursor = false;
    if (!operands->rects[part].height)
        operands->is_fitted = false;
    operands->now = part;
    operands->grids[part].grid.has_cursor = true;
}

/* The next part to the left or right that has a grid; -1: none. */
static int neighbour(const struct operands *operands, int by)
{
    int at = 0;
    while (operands->order[at] != operands->now)
        at++;
    for (at += by; at >= 0 && at < operands->count; at += by)
        if (has_grid(operands, operands->order[at]))
            return operands->order[at];
    return -1;
}

/* At the edge of a grid the cursor goes on in the next one. */
static void move(struct lw_picture *picture, int64_t rows, int64_t cols)
{
    struct operands *operands = operands_of(picture);
    struct lw_owner_grid *grid = &operands->grids[operands->now];
    uint64_t before[2] = {grid->at[0], grid->at[1]};
    lw_owner_grid_move(grid, rows, cols);
    int next = cols == 1 ? neighbour(operands, 1) : cols == -1 ? neighbour(operands, -1) : -1;
    if (next < 0 || grid->at[0] != before[0] || grid->at[1] != before[1])
        return;
    focus(operands, next);
    struct lw_owner_grid *other = &operands->grids[next];
    other->at[0] = before[0] < other->all[0] ? before[0] : other->all[0] - 1;
    other->at[1] = cols > 0 ? 0 : other->all[1] - 1;
}

static bool key(struct lw_picture *picture, uint32_t pressed)
{
    struct operands *operands = operands_of(picture);
    if (pressed != 'x')
        return false;
    int next = neighbour(operands, 1);
    for (int i = 0; next < 0 && i < operands->count; i++)
        if (has_grid(operands, operands->order[i]))
            next = operands->order[i];
    if (next >= 0)
        focus(operands, next);
    return true;
}

static bool mouse(struct lw_picture *picture, const struct lw_event *event)
{
    struct operands *operands = operands_of(picture);
    for (int i = 0; i < operands->count; i++) {
        const bool wheel = event->kind == LW_EVENT_WHEEL;
        if (!has_grid(operands, i) || !operands->rects[i].height || (wheel && i != operands->now) ||
            !lw_owner_grid_mouse(&operands->grids[i], event))
            continue;
        if (event->kind == LW_EVENT_CLICK)
            focus(operands, i);
        return true;
    }
    return false;
}

static bool spot(const struct lw_picture *picture, struct lw_spot *spot)
{
    const struct operands *operands = operands_of(picture);
    if (!has_grid(operands, operands->now))
        return false;
    lw_owner_grid_spot(&operands->grids[operands->now], spot);
    spot->operand = operands->now + 1;
    return true;
}

static const struct lw_subject *spot_subject(const struct lw_picture *picture)
{
    return operands_of(picture)->parts[operands_of(picture)->now].subject;
}

static bool go(struct lw_picture *picture, const struct lw_spot *spot)
{
    struct operands *operands = operands_of(picture);
    const int part = spot->operand - 1;
    if (!spot->has_out || part < 0 || part >= operands->count || !has_grid(operands, part))
        return false;
    focus(operands, part);
    lw_owner_grid_go(&operands->grids[part], spot->out);
    return true;
}

static void color(struct lw_picture *picture)
{
    struct operands *operands = operands_of(picture);
    picture->lit->color = lw_owner_grid_next_color(&operands->grids[operands->now]);
}

/* What the thread under the cursor holds of each part. */
static void explain(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct operands *operands = operands_of(picture);
    struct lw_spot here;
    if (!spot(picture, &here))
        return;
    const struct lw_owner_grid *grid = &operands->grids[operands->now];
    lw_explain(grid->subject, &here, explanation);
    if (explanation->count > 1)
        explanation->count = 1;
    if (operands->view.type->explain_thread)
        operands->view.type->explain_thread(&operands->view, &here, explanation);
}

#define OPERANDS_MEMBERS                                                                           \
    .state_size = sizeof(struct operands), .open = open, .close = close, .arrange = arrange,       \
    .draw = draw, .move = move, .key = key, .mouse = mouse, .spot = spot,                          \
    .spot_subject = spot_subject, .go = go, .color = color, .explain = explain

const struct lw_picture_type lw_picture_mma = {.name = "mma",
                                               .title = "MMA",
                                               .about = "operands and result",
                                               .is_tab = true,
                                               .fits = fits_mma,
                                               OPERANDS_MEMBERS};

const struct lw_picture_type lw_picture_product = {.name = "product",
                                                   .title = "Product",
                                                   .about = "two layouts and theirs",
                                                   .is_tab = true,
                                                   .fits = fits_product,
                                                   OPERANDS_MEMBERS};
