/* Path: registers A, shared S and registers B of an access side by side, and below them the accesses as rows of
 * banks.
 *
 * A cell of the three grids is one word of 4 bytes: in registers the elements of a word of memory, in S the word
 * in its bank. What the instruction under the cursor moves is lit in all three: in S by the lane that moves it, in
 * registers by the lane that holds it. Space plays its wavefronts. */

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/picture/picture.h"
#include "analysis/access/path.h"
#include "view/view_parts.h"

#include <string.h>

enum { BANKS = 32, STEP_MS = 300 };
/* Columns of "  32 wavefronts, ideal 1", of "  1024 wf", and of "load ldmatrix.x4 x32". */
enum { WAVEFRONTS = 26, BRIEF = 9, NAMES = 24 };

struct path_picture;

/* One of the three grids. */
struct side {
    struct path_picture *path;
    enum lw_side side;
    const struct lw_subject *subject;
    struct lw_dims words; /* of registers: the tensor in words */
    struct lw_grid grid;
};

struct path_picture {
    struct lw_picture base;     /* its first grid is that of the accesses and banks */
    const struct lw_path *path; /* both of the model */
    const struct lw_folds *folds;
    const struct lw_fold *fold; /* under the cursor */
    bool is_brief;              /* rows of banks have only "load" for a name */
    struct side sides[LW_SIDES];
    uint64_t per_word; /* elements of a word, at least 1 */
    int along;         /* the dim of the tensor in which they are neighbours */
    unsigned bits;     /* of an element */
    uint64_t number;   /* of the instruction, among the stores or the loads */
    struct lw_instruction instruction;
    struct lw_moved all[LW_MOVED_MAX]; /* what it moves */
    size_t all_count;
    unsigned wavefront; /* that is shown, from 1; 0: none is played */
};

static struct path_picture *path_of(const struct lw_picture *picture)
{
    return (struct path_picture *)picture;
}

/* The registers of the access under the cursor. */
static enum lw_side registers_of(const struct path_picture *path)
{
    return path->fold->op == LW_ACCESS_STORE ? LW_SIDE_A : LW_SIDE_B;
}

/* ---- Elements, words and cells ---- */

/* The first element of a word of registers; false: it is beyond the last one. */
static bool element_of_key(const struct side *side, uint64_t key, uint64_t *out)
{
    const bool is_in = lw_element_at(&side->words, key, out);
    out[side->path->along] *= side->path->per_word;
    return is_in;
}

/* The cell of a side that has an element that the instruction moves: its number, row by row. Sets *lane to the lane
 * that moves it, or that holds it. */
static uint64_t key_of_moved(const struct side *side, const struct lw_moved *moved, unsigned *lane)
{
    const struct path_picture *path = side->path;
    const struct lw_subject *from = path->sides[registers_of(path)].subject;
    uint64_t out[LW_DIMS_MAX] = {0};
    struct lw_slot owner;
    *lane = moved->lane;
    if (side->side == LW_SIDE_S)
        return moved->offset * path->bits / 32;
    lw_dims_unflatten(&from->map.out, moved->element, out);
    if (lw_slot_find(&side->subject->map, side->subject->lanes, out, 0, &owner))
        *lane = (unsigned)owner.lane;
    out[path->along] /= path->per_word;
    return lw_element_index(&side->words, out);
}

/* Marks the visible cells that the instruction moves with the number of the wavefront, from 1, and their lane. */
static void mark_cells(struct side *side)
{
    const uint64_t cols = side->grid.count[LW_COL];
    const int count = side->grid.shown[LW_ROW] * side->grid.shown[LW_COL];
    for (int i = 0; i < count; i++)
        side->grid.cells[i].mark = 0;
    for (size_t i = 0; i < side->path->all_count; i++) {
        const struct lw_moved *moved = &side->path->all[i];
        unsigned lane;
        const uint64_t key = key_of_moved(side, moved, &lane);
        struct lw_grid_cell *cell = lw_grid_cell(&side->grid, key / cols, key % cols);
        if (!cell || (cell->mark && cell->mark <= moved->wavefront + 1))
            continue;
        cell->mark = moved->wavefront + 1;
        cell->number = lane;
        snprintf(cell->text, sizeof cell->text, "%u", lane);
    }
}

/* ---- The grids of A, S and B ---- */

/* The first element of a cell, of an exchange that of its first round; false: it has none. */
static bool element_at(const struct side *side, const uint64_t at[2], uint64_t *out)
{
    const struct lw_map *map = &side->subject->map;
    const uint64_t key = at[LW_ROW] * side->grid.count[LW_COL] + at[LW_COL];
    uint64_t in[LW_DIMS_MAX] = {0};
    if (side->side != LW_SIDE_S)
        return element_of_key(side, key, out) && lw_map_owner_count(map, out);
    in[lw_dims_find(&map->in, "offset")] = key * 32 / side->path->bits;
    return lw_map_apply(map, in, out);
}

static void side_cell(void *context, struct lw_grid_cell *cell)
{
    uint64_t out[LW_DIMS_MAX] = {0};
    cell->pen = lw_tone(element_at(context, cell->at, out) ? LW_TONE_FIELD : LW_TONE_TEXT);
}

/* A cell that is moved has the number of its lane. */
static struct lw_pen side_pen(void *context, struct lw_grid_cell *cell)
{
    const unsigned now = ((const struct side *)context)->path->wavefront;
    if (!cell->mark)
        return cell->pen;
    if (now && cell->mark <= now)
        return lw_tone(cell->mark < now ? LW_TONE_SERVED : LW_TONE_NOW);
    return lw_hue(LW_TONE_LIT, cell->number);
}

static void side_label(void *context, int axis, uint64_t i, struct lw_text *text)
{
    const struct side *side = context;
    const int last = side->subject->map.out.count - 1;
    uint64_t out[LW_DIMS_MAX] = {0};
    if (side->side == LW_SIDE_S || axis == LW_COL) {
        const bool has_words = side->side != LW_SIDE_S && side->path->along == last;
        lw_text_number(text, has_words ? i * side->path->per_word : i);
        return;
    }
    element_of_key(side, i * side->grid.count[LW_COL], out);
    lw_picture_put_row(text, &side->words, out);
}

static const struct lw_grid_source side_source = {side_cell, side_label, NULL, side_pen};

/* ---- The rows of banks ---- */

static void heat_cell(void *context, struct lw_grid_cell *cell)
{
    const struct path_picture *path = context;
    const struct lw_fold *fold = &path->folds->fold[cell->at[LW_ROW]];
    const unsigned words = cell->at[LW_COL] < fold->banks ? fold->words[cell->at[LW_COL]] : 0;
    cell->pen = lw_tone(LW_TONE_HOLE);
    if (!words)
        return;
    cell->pen = (struct lw_pen){LW_TONE_RAMP, (uint8_t)lw_ramp_level(words), 0, 0};
    snprintf(cell->text, sizeof cell->text, "%u", words);
}

static void heat_label(void *context, int axis, uint64_t i, struct lw_text *text)
{
    const struct path_picture *path = context;
    if (axis == LW_COL) {
        lw_text_number(text, i);
        return;
    }
    const struct lw_fold *fold = &path->folds->fold[i];
    lw_text_add(text, fold->op == LW_ACCESS_STORE ? "store" : "load");
    if (!path->is_brief)
        lw_text_format(text, " %s \xc3\x97%llu", fold->name, (unsigned long long)fold->count);
}

static const struct lw_grid_source heat_source = {heat_cell, heat_label, NULL, NULL};

/* ---- The instruction ---- */

/* Scrolls to the first element of the wavefront that is played, or of all that is moved. */
static void show_moved(struct path_picture *path)
{
    size_t i = 0;
    while (path->wavefront && i + 1 < path->all_count &&
           path->all[i].wavefront + 1 != path->wavefront)
        i++;
    for (int k = 0; k < LW_SIDES && path->all_count; k++) {
        struct lw_grid *grid = &path->sides[k].grid;
        unsigned lane;
        const uint64_t key = key_of_moved(&path->sides[k], &path->all[i], &lane);
        grid->at[LW_ROW] = key / grid->count[LW_COL];
        grid->at[LW_COL] = key % grid->count[LW_COL];
    }
}

/* Goes to an instruction of the fold under the cursor. */
static void choose(struct path_picture *path, uint64_t number)
{
    const enum lw_access_op op = path->fold->op;
    path->number = number;
    path->wavefront = 0;
    path->base.tick_at = 0;
    lw_path_instruction(path->path, op, number, &path->instruction);
    path->all_count = lw_path_moved(path->path, op, number, path->all, LW_MOVED_MAX);
    show_moved(path);
}

static void choose_fold(struct path_picture *path, size_t i)
{
    const struct lw_fold *fold = path->fold = &path->folds->fold[i];
    uint64_t *at = path->base.grid.at;
    path->base.lit->has_op = true;
    path->base.lit->is_load = fold->op == LW_ACCESS_LOAD;
    at[LW_ROW] = i;
    at[LW_COL] = 0;
    for (unsigned bank = 1; bank < fold->banks; bank++)
        if (fold->words[bank] > fold->words[at[LW_COL]])
            at[LW_COL] = bank;
    choose(path, fold->first);
}

/* The first fold of stores, or of loads; where there is none the last one. */
static size_t first_of(const struct path_picture *path, enum lw_access_op op)
{
    size_t i = 0;
    while (i + 1 < path->folds->count && path->folds->fold[i].op != op)
        i++;
    return i;
}

void lw_picture_path_choose(struct lw_picture *picture, enum lw_access_op op)
{
    if (picture && picture->type == &lw_picture_path)
        choose_fold(path_of(picture), first_of(path_of(picture), op));
}

bool lw_picture_path_plays(const struct lw_picture *picture)
{
    return picture && picture->type == &lw_picture_path && path_of(picture)->wavefront;
}

/* ---- Opening ---- */

static const struct lw_subject *subject_of(const struct lw_model *model,
                                           LW_UNUSED enum lw_side side)
{
    return model->has_path ? lw_picture_any(model, LW_SIDE_A) : NULL;
}

static void open_side(struct path_picture *path, enum lw_side side)
{
    const struct lw_model *model = path->base.model;
    const struct lw_subject *shared = lw_model_memory(model);
    struct side *at = &path->sides[side];
    uint64_t words = lw_dims_size(&shared->map.in, "offset") * path->bits / 32, cols = BANKS;
    *at = (struct side){.path = path, .side = side, .subject = shared};
    if (side != LW_SIDE_S) { /* where only one of registers A and B is set, it is both */
        at->subject = lw_model_at(model, side);
        if (!at->subject)
            at->subject = lw_model_at(model, side == LW_SIDE_A ? LW_SIDE_B : LW_SIDE_A);
        at->words = at->subject->map.out;
        struct lw_dim *along = &at->words.dim[path->along];
        along->size = (along->size + path->per_word - 1) / path->per_word;
        lw_dims_total(&at->words, &words, NULL);
        if (at->words.count > 1)
            cols = at->words.dim[at->words.count - 1].size;
    }
    at->grid = (struct lw_grid){.source = &side_source,
                                .context = at,
                                .to_right = true,
                                .count = {(words + cols - 1) / cols, cols}};
    path->base.grids[path->base.grid_count++] = &at->grid;
}

static bool open(struct lw_picture *picture, LW_UNUSED struct lw_error *err)
{
    struct path_picture *path = path_of(picture);
    path->path = &picture->model->path;
    path->folds = &picture->model->folds;
    const struct lw_plan *plan = path->path->store ? path->path->store : path->path->load;
    path->bits = plan->request.element_bits;
    path->per_word = path->bits < 32 ? 32 / path->bits : 1;
    path->along = lw_minor_dim(&lw_model_memory(picture->model)->map);
    for (int i = 0; i < LW_SIDES; i++)
        open_side(path, (enum lw_side)i);
    picture->grid = (struct lw_grid){.source = &heat_source,
                                     .context = path,
                                     .count = {path->folds->count, path->folds->fold[0].banks},
                                     .cell_lines = 1,
                                     .to_right = true,
                                     .has_cursor = true,
                                     .labels_only = true};
    /* The worst, or the worst of the direction that was chosen before. */
    const bool is_load = picture->lit->is_load;
    choose_fold(path, picture->lit->has_op
                          ? first_of(path, is_load ? LW_ACCESS_LOAD : LW_ACCESS_STORE)
                          : 0);
    return true;
}

/* ---- Placing ---- */

/* Finds the grids to show: A, S and B, or S and the side of the access under the cursor, or S alone, with the largest
 * cells that fit, and the gap between them. With a gap of 1 the rows of B, which are all shown, are named at A alone.
 * Returns how many there are. */
static int choose_cells(struct path_picture *path, struct lw_rect rect,
                        struct lw_grid *shown[LW_SIDES], int *gap)
{
    static const struct {
        int width, lines, gap; /* lines 0: half a line */
    } sizes[] = {{3, 1, LW_GAP}, {2, 1, LW_GAP}, {2, 1, 1},
                 {2, 0, LW_GAP}, {2, 0, 1},      {1, 0, LW_GAP}};
    const bool has[LW_SIDES] = {
        [LW_SIDE_A] = path->path->store, [LW_SIDE_S] = true, [LW_SIDE_B] = path->path->load};
    int count = 0, height, width;
    for (int way = 0; way < 3; way++) {
        count = 0;
        for (int i = 0; i < LW_SIDES; i++)
            if (has[i] &&
                (way == 0 || i == LW_SIDE_S || (way == 1 && i == (int)registers_of(path))))
                shown[count++] = &path->sides[i].grid;
        for (int rows = 1; rows >= 0; rows--)
            for (size_t size = 0; size < LW_COUNT(sizes); size++) {
                *gap = sizes[size].gap;
                path->sides[LW_SIDE_B].grid.no_labels[LW_ROW] = *gap == 1;
                if (*gap == 1 && (count < LW_SIDES || !rows))
                    continue;
                for (int i = 0; i < count; i++) {
                    shown[i]->cell_width = sizes[size].width;
                    shown[i]->cell_lines = sizes[size].lines;
                }
                lw_grids_measure(shown, count, rect, *gap, &height, &width);
                if (width <= rect.width && (!rows || height <= rect.height))
                    return count;
            }
    }
    return count;
}

static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    struct path_picture *path = path_of(picture);
    struct lw_grid *heat = &picture->grid, *shown[LW_SIDES];
    const bool roomy = rect.height >= 22;
    const size_t most = roomy ? (size_t)rect.height / 4 : 2;
    struct lw_rect above = rect, below = rect;
    int height, width, gap, tallest = 0;
    below.height = (int)(path->folds->count < most ? path->folds->count : most) + roomy;
    above.row++;
    above.height -= (roomy ? 3 : 1) + below.height;
    if (above.height < 3) {
        above.height += below.height;
        below.height = 0;
    }
    const int count = choose_cells(path, above, shown, &gap);
    if (!lw_grids_arrange(shown, count, above, gap))
        return false;
    for (int i = 0, k = 0; i < LW_SIDES; i++) {
        const struct lw_rect used = path->sides[i].grid.rect;
        if (k == count || shown[k] != &path->sides[i].grid)
            lw_grid_hide(&path->sides[i].grid);
        else if (k++, used.height > tallest)
            tallest = used.height;
        mark_cells(&path->sides[i]);
    }
    /* Banks of two columns, for their numbers, before long names and wavefronts. */
    heat->no_labels[LW_COL] = !roomy;
    width = 4000;
    for (int way = 0; way < 4 && width + BRIEF > rect.width; way++) {
        heat->cell_width = way < 2 ? 2 : 1;
        path->is_brief = way % 2;
        lw_grid_measure(heat, 0, 4000, &height, &width);
    }
    below.row = roomy ? above.row + tallest + 2 : rect.row + rect.height - below.height;
    return lw_grid_arrange(heat, below);
}

/* ---- Drawing ---- */

/* Appends wavefronts, and the ideal where it is less. Returns the pen. */
static struct lw_pen put_wavefronts(struct lw_text *text, uint64_t wavefronts, uint64_t ideal,
                                    uint64_t conflicts, const char *unit)
{
    lw_text_format(text, "%llu%s", (unsigned long long)wavefronts, unit);
    if (wavefronts > ideal)
        lw_text_format(text, ", ideal %llu", (unsigned long long)ideal);
    return lw_tone(conflicts ? LW_TONE_BAD : LW_TONE_GOOD);
}

/* "A registers ── store 32 ──────▶", up to the next grid; where that has no room "A ── store 32 ▶". */
static void draw_title(const struct path_picture *path, int i, struct lw_surface *surface)
{
    static const char *const names[LW_SIDES] = {"A registers", "S shared", "B registers"};
    const struct lw_grid *grid = &path->sides[i].grid;
    const struct lw_grid *next = i + 1 < LW_SIDES ? &path->sides[i + 1].grid : grid;
    const struct lw_plan_total *total =
        i == LW_SIDE_B
            ? NULL
            : lw_path_total(path->path, i == LW_SIDE_A ? LW_ACCESS_STORE : LW_ACCESS_LOAD);
    const int from = grid->rect.col + grid->label_width;
    const int end = next != grid && next->rect.height ? next->rect.col + next->label_width - 1
                                                      : grid->rect.col + grid->rect.width;
    const int line = grid->rect.row - 1;
    struct lw_text text = {0};
    struct lw_pen pen = {0};
    char name[16];
    if (total) {
        lw_text_format(&text, "\xe2\x94\x80\xe2\x94\x80 %s ", i == LW_SIDE_A ? "store" : "load");
        pen = put_wavefronts(&text, total->wavefronts, total->ideal, total->conflicts, "");
    }
    const size_t need = strlen(names[i]) + 1 + lw_text_width(lw_text_string(&text));
    snprintf(name, sizeof name, "%.*s", (int)need > end - from ? 1 : 15, names[i]);
    int col = from + lw_put(surface, line, from, end - from, lw_tone(LW_TONE_TITLE), name) + 1;
    if (total) {
        col += lw_put(surface, line, col, end - col, pen, lw_text_string(&text)) + 1;
        lw_put_repeated(surface, line, col, end - col - 1, pen, "\xe2\x94\x80");
        if (end - 1 > col)
            lw_put(surface, line, end - 1, 1, pen, "\xe2\x96\xb6");
    }
    lw_text_free(&text);
}

/* Beside the row of a fold: its wavefronts as a bar, the ideal in it, and their number. As many wavefronts as a warp
 * has lanes fill the room of a bar, at most a column each. */
static void draw_bars(const struct path_picture *path, struct lw_surface *surface)
{
    const struct lw_grid *heat = &path->base.grid;
    const int banks = heat->shown[LW_COL] * heat->cell_width;
    const int from = heat->rect.col + heat->label_width + banks + 2;
    const int end = path->base.rect.col + path->base.rect.width;
    const int left = path->base.rect.width - NAMES - banks - WAVEFRONTS; /* whatever the names */
    const struct lw_plan *plan = path->path->store ? path->path->store : path->path->load;
    const unsigned lanes = plan->request.hardware->lanes;
    const unsigned room = left < 0 ? 0 : (unsigned)left < lanes ? (unsigned)left : lanes;
    const bool is_brief = end - from < WAVEFRONTS - 2;
    for (int r = 0; r < heat->shown[LW_ROW]; r++) {
        const struct lw_cost *cost = &path->folds->fold[heat->first[LW_ROW] + (uint64_t)r].cost;
        const int row = heat->rect.row + heat->cells[r * heat->shown[LW_COL]].row;
        const unsigned taken = cost->wavefronts < lanes ? cost->wavefronts : lanes;
        const int bar = (int)((room * taken + lanes - 1) / lanes);
        const int ideal = cost->wavefronts > cost->ideal ? (int)(room * cost->ideal / lanes) : bar;
        struct lw_text text = {0};
        const struct lw_pen pen = put_wavefronts(
            &text, cost->wavefronts, is_brief ? cost->wavefronts : cost->ideal, cost->conflicts,
            is_brief                ? " wf"
            : cost->wavefronts == 1 ? " wavefront"
                                    : " wavefronts");
        lw_put_repeated(surface, row, from, bar, lw_tone(LW_TONE_BAD), "\xe2\x94\x81");
        lw_put_repeated(surface, row, from, ideal, lw_tone(LW_TONE_FAINT), "\xe2\x94\x81");
        const int col = from + bar + (bar > 0);
        lw_put(surface, row, col, end - col, pen, lw_text_string(&text));
        lw_text_free(&text);
    }
}

static void draw(struct lw_picture *picture, struct lw_surface *surface)
{
    const struct path_picture *path = path_of(picture);
    const struct lw_rect *heat = &picture->grid.rect;
    for (int i = 0; i < LW_SIDES; i++)
        if (path->sides[i].grid.rect.height)
            draw_title(path, i, surface);
    if (!picture->grid.no_labels[LW_COL] && heat->height)
        lw_put(surface, heat->row - 1, heat->col, heat->width, lw_tone(LW_TONE_TITLE),
               "words of each bank that one group of lanes needs");
    if (heat->height)
        draw_bars(path, surface);
}

/* ---- Keys ---- */

/* Shows the next wavefront, or one before; the last one ends the play. */
static void step(struct path_picture *path, int by, bool plays)
{
    const unsigned at = path->wavefront + (unsigned)by, last = path->fold->cost.wavefronts;
    path->wavefront = at < 1 ? 1 : at > last ? last : at;
    path->base.tick_at = plays && path->wavefront < last ? lw_now_ms() + STEP_MS : 0;
    show_moved(path);
}

/* To another access; while wavefronts are played, across to the next one. */
static void move(struct lw_picture *picture, int64_t rows, int64_t cols)
{
    struct path_picture *path = path_of(picture);
    if (rows)
        choose_fold(path, lw_step_within(picture->grid.at[LW_ROW], rows, path->folds->count));
    else if (path->wavefront)
        step(path, cols < 0 ? -1 : 1, false);
}

/* Space plays from the start, stops and goes on. */
static bool key(struct lw_picture *picture, uint32_t pressed)
{
    struct path_picture *path = path_of(picture);
    const bool stops = picture->tick_at || pressed == 27;
    if (pressed != ' ' && (pressed != 27 || !path->wavefront))
        return false;
    picture->tick_at = 0;
    if (pressed == 27 || path->wavefront == path->fold->cost.wavefronts)
        path->wavefront = 0;
    show_moved(path);
    if (!stops)
        step(path, 1, true);
    return true;
}

static void tick(struct lw_picture *picture)
{
    if (picture->tick_at && lw_now_ms() >= picture->tick_at)
        step(path_of(picture), 1, true);
}

/* The first element that the instruction moves. */
static bool spot(const struct lw_picture *picture, struct lw_spot *spot)
{
    const struct path_picture *path = path_of(picture);
    const struct lw_dims *dims = &path->sides[registers_of(path)].subject->map.out;
    if (path->all_count)
        lw_dims_unflatten(dims, path->all[0].element, spot->out);
    return spot->has_out = path->all_count > 0;
}

/* Goes to the access that moves an element: of the kind under the cursor, else of the other one. */
static bool go(struct lw_picture *picture, const struct lw_spot *spot)
{
    struct path_picture *path = path_of(picture);
    enum lw_access_op op = path->fold->op;
    uint64_t number;
    for (int i = 0; spot->has_out && i < 2; i++) {
        const struct lw_fold *fold = NULL;
        if (lw_path_count(path->path, op) && lw_path_find(path->path, op, spot->out, &number, 1))
            fold = lw_folds_of(path->folds, path->path, op, number);
        if (fold) {
            choose_fold(path, (size_t)(fold - path->folds->fold));
            choose(path, number);
            return true;
        }
        op = op == LW_ACCESS_STORE ? LW_ACCESS_LOAD : LW_ACCESS_STORE;
    }
    return false;
}

/* A click on a row of banks chooses that access, one on a word the access that moves it. */
static bool move_to(struct lw_picture *picture, int grid, const uint64_t at[2])
{
    struct path_picture *path = path_of(picture);
    struct lw_spot spot = {0};
    if (grid)
        spot.has_out = element_at(&path->sides[grid - 1], at, spot.out);
    else
        choose_fold(path, at[LW_ROW]);
    return !grid || go(picture, &spot);
}

/* ---- The inspector ---- */

/* "lanes 0-31": the lanes of a set. */
static void put_lanes(struct lw_text *text, uint64_t lanes)
{
    lw_text_add(text, (lanes & (lanes - 1)) == 0 ? "lane " : "lanes ");
    lw_put_set(text, lanes, 4);
}

static void explain(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct path_picture *path = path_of(picture);
    const struct lw_fold *fold = path->fold;
    const bool is_store = fold->op == LW_ACCESS_STORE;
    const struct lw_bank_model *model =
        (is_store ? path->path->store : path->path->load)->request.hardware->banks;
    struct lw_wavefronts wavefronts;
    const struct lw_access *access = &path->instruction.access;
    unsigned char words[LW_BANKS_MAX];
    unsigned worst = 0;
    struct lw_text *text;
    if (!lw_access_wavefronts(model, access, &wavefronts, NULL) ||
        !lw_access_words(model, access, words, NULL))
        return;
    if (path->wavefront) {
        const struct lw_wavefront *now = &wavefronts.wavefront[path->wavefront - 1];
        text = lw_explanation_line(explanation, "wavefront");
        lw_text_format(text, "%u of %u: serves ", path->wavefront, fold->cost.wavefronts);
        put_lanes(text, now->lanes);
        lw_text_format(text, ", one word of %d of %u banks", __builtin_popcountll(now->banks),
                       fold->banks);
    }
    text = lw_explanation_line(explanation, is_store ? "store" : "load");
    lw_text_format(text, "%llu of %llu, warp %llu, %s, %u byte%s a lane",
                   (unsigned long long)path->number + 1,
                   (unsigned long long)lw_path_count(path->path, fold->op),
                   (unsigned long long)path->instruction.warp, fold->name, fold->width,
                   fold->width == 1 ? "" : "s");
    text = lw_explanation_line(explanation, "because");
    for (unsigned bank = 0; bank < fold->banks; bank++)
        worst = words[bank] > words[worst] ? bank : worst;
    if (fold->most > 1) {
        lw_text_format(text, "bank %u has %u words for ", worst, fold->most);
        const struct lw_wavefront *w = wavefronts.wavefront, *last = w + wavefronts.count - 1;
        unsigned needs[LW_GROUPS_MAX] = {0};
        while (w < last && (!(w->banks >> worst & 1) || ++needs[w->group] < fold->most))
            w++; /* to a group that needs as many */
        put_lanes(text, wavefronts.lanes[worst] & wavefronts.group[w->group]);
        lw_text_add(text, ": one a wavefront");
    } else {
        lw_text_add(text, "no group of lanes needs two words of one bank: ");
        lw_put_count(text, wavefronts.group_count, "group");
    }
}

const struct lw_picture_type lw_picture_path = {
    .name = "path",
    .title = "Path",
    .about = "stores and loads, by bank",
    .is_tab = true,
    .state_size = sizeof(struct path_picture),
    .subject = subject_of,
    .open = open,
    .arrange = arrange,
    .draw = draw,
    .move = move,
    .key = key,
    .move_to = move_to,
    .tick = tick,
    .spot = spot,
    .go = go,
    .explain = explain,
};
