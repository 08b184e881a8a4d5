/* What pictures share: opening, closing, drawing and moving in a grid or a list, finding. */

#include "tui/picture/picture.h"

#include "core/array_count.h"
#include "view/query.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

const char *lw_lit_name(enum lw_lit_what what)
{
    static const char *const names[] = {"thread", "warp", "register", "bank"};
    return names[what];
}

uint64_t lw_lit_number(const struct lw_lit *lit)
{
    return lit->what == LW_LIT_WARP       ? lit->owner.warp
           : lit->what == LW_LIT_REGISTER ? lit->owner.reg
           : lit->what == LW_LIT_BANK     ? lit->bank
                                          : lit->owner.thread;
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

static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    return picture->type->arrange ? picture->type->arrange(picture, rect)
                                  : !picture->grid.source || lw_grid_arrange(&picture->grid, rect);
}

bool lw_picture_has_room(struct lw_picture *picture, struct lw_rect rect)
{
    bool has = rect.height <= 0 || arrange(picture, rect);
    for (int i = picture->focus > 0; i < picture->grid_count; i++) { /* of operands from 1 on */
        const struct lw_grid *grid = picture->grids[i];
        const bool is_operand = picture->focus && !grid->no_mouse;
        has = has && (grid->rect.height ? (uint64_t)grid->shown[LW_COL] >= grid->count[LW_COL]
                                        : !is_operand);
    }
    return has;
}

void lw_picture_draw(struct lw_picture *picture, struct lw_surface *surface, struct lw_rect rect)
{
    if (!picture || rect.height <= 0)
        return;
    picture->rect = rect;
    if (!arrange(picture, rect))
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
    const int room = grid->rect.width - grid->label_width;
    const int need = (int)(lw_text_width(name) + (*about ? 2 + lw_text_width(about) : 0));
    const int left = need > room && need <= grid->rect.width ? 0 : grid->label_width;
    const int row = grid->rect.row - 1, col = grid->rect.col + left;
    const int width = grid->rect.width - left; /* from the corner, if only then all of it fits */
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
        lw_list_move(&picture->list, rows + cols / 2); /* Home, End: its ends */
    else
        lw_grid_move(&picture->grid, rows, cols);
    follow(picture);
}

/* Lights what the pointer is on; false: a bank is lit, or it is on nothing that can be lit. */
static bool point(struct lw_lit *lit, const struct lw_grid *grid, const struct lw_grid_cell *cell)
{
    if (!grid->source->pen || cell->pen.kind != LW_TONE_OWNER || lit->what == LW_LIT_BANK)
        return false;
    lit->on = lit->by_pointer = true;
    lit->owner = cell->owner;
    return true;
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
    } else if (!cell ||
               (event->kind == LW_EVENT_HOVER && !point(picture->lit, picture->grids[i], cell))) {
        return false;
    } else {
        at = cell->at;
    }
    if (picture->type->move_to)
        return picture->type->move_to(picture, i, at);
    memcpy(picture->grid.at, at, sizeof picture->grid.at);
    follow(picture);
    return true;
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

/* ---- Finding: a query of the library, its matches in order, in one of the layouts of a model ---- */

/* Match number k of a query, modulo how many there are. Returns that. */
static uint64_t match(const struct lw_query *q, const struct lw_subject *subject, uint64_t k,
                      struct lw_spot *spot)
{
    const struct lw_map *map = &subject->map;
    memset(spot, 0, sizeof *spot);
    uint64_t count = q->element ? 1 : lw_query_index(q, subject, 0, spot->in);
    if (q->element) {
        const uint64_t owners = lw_map_owner_count(map, q->number);
        memcpy(spot->out, q->number, sizeof spot->out);
        spot->has_out = true;
        spot->has_in = lw_map_owner(map, spot->out, owners ? k % owners : 0, spot->in);
        count = owners ? owners : 1;
    } else if (count) {
        lw_query_index(q, subject, k % count, spot->in);
        spot->has_in = true;
        spot->has_out = lw_map_apply(map, spot->in, spot->out);
    }
    return count;
}

uint64_t lw_find_match(const struct lw_model *model, const struct lw_subject *first,
                       const char *text, uint64_t k, struct lw_spot *spot, struct lw_lit *lit,
                       struct lw_error *err)
{
    const struct lw_subject *tried[] = {first, lw_model_at(model, LW_SIDE_A),
                                        lw_model_at(model, LW_SIDE_S),
                                        lw_model_at(model, LW_SIDE_B)};
    struct lw_error why = {0};
    for (size_t i = 0; i < LW_COUNT(tried); i++) {
        const struct lw_subject *subject = tried[i];
        struct lw_query q;
        if (!subject || (i && subject == first))
            continue;
        if (!lw_query_read(&q, subject, text)) {
            lw_error_set(err, LW_ERROR_SYNTAX,
                         "find 3,5 (an element), t17, w1 l3, r4, bank 7, offset 40");
            return 0;
        }
        const uint64_t count = q.why[0] ? 0 : match(&q, subject, k, spot);
        if (!count) { /* what is foreign here may be found in another layout */
            if (why.code == LW_OK || (q.why[0] && !q.foreign))
                lw_error_set(&why, LW_ERROR_NAME, "%s", q.why[0] ? q.why : "no match");
            continue;
        }
        lit->what = q.bank ? LW_LIT_BANK : lit->what == LW_LIT_BANK ? LW_LIT_THREAD : lit->what;
        lit->bank = q.bank_number;
        lit->by_pointer = false;
        lit->on = q.bank || (spot->has_in && lw_slot_of_index(&subject->map, subject->lanes,
                                                              spot->in, &lit->owner));
        return count;
    }
    if (err)
        *err = why;
    return 0;
}
