/* Path: registers A, shared S and registers B of an access side by side, and below them the accesses as rows of
 * banks.
 *
 * A cell of the three grids is one word of 4 bytes: in registers the elements of a word of memory, in S the word
 * in its bank. What the instruction under the cursor moves is lit in all three: in S by the lane that moves it, in
 * registers by the lane that holds it. Space plays its wavefronts. */

#include "core/array_count.h"
#include "tui/picture/picture.h"
#include "analysis/access/path.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

enum { BANKS = 32, STEP_MS = 300, TITLES = 2, GAP = 4 };
enum { WAVEFRONTS = 26 }; /* columns of "32 wavefronts, ideal 1" */

/* A cell that the instruction moves. */
struct moved_cell {
    uint64_t key; /* row * cols + col */
    unsigned lane, wavefront;
};

struct path_picture;

/* One of the three grids. */
struct side {
    struct path_picture *path;
    enum lw_side side;
    const struct lw_subject *subject;
    struct lw_dims words; /* of registers: the tensor in words */
    struct lw_grid grid;
    struct moved_cell *moved; /* by key */
    size_t moved_count;
    bool is_shown;
};

struct path_picture {
    struct lw_picture base;     /* its grid is that of the accesses and banks */
    const struct lw_path *path; /* both of the model */
    const struct lw_folds *folds;
    bool is_roomy, is_brief; /* rows of banks have heads; and only "load" for a name */
    struct side sides[LW_SIDES];
    uint64_t per_word; /* elements of a word, at least 1 */
    int along;         /* the dim of the tensor in which they are neighbours */
    unsigned bits;     /* of an element */
    size_t fold;       /* under the cursor */
    uint64_t number;   /* of the instruction, among the stores or the loads */
    struct lw_instruction instruction;
    struct lw_moved *all; /* what it moves */
    size_t all_count;
    unsigned wavefront; /* that is shown, from 1; 0: none is played */
    unsigned wavefronts;
};

static struct path_picture *path_of(const struct lw_picture *picture)
{
    return (struct path_picture *)picture;
}

static enum lw_access_op op_of(const struct path_picture *path)
{
    return path->folds->fold[path->fold].op;
}

/* ---- Elements, words and cells ---- */

/* The word of an element in a grid of registers, row by row. */
static uint64_t key_of_element(const struct side *side, const uint64_t *out)
{
    const struct path_picture *path = side->path;
    uint64_t word[LW_DIMS_MAX];
    memcpy(word, out, sizeof word);
    word[path->along] /= path->per_word;
    return lw_element_index(&side->words, word);
}

/* The first element of a word of registers; false: it is beyond the last one. */
static bool element_of_key(const struct side *side, uint64_t key, uint64_t *out)
{
    for (int d = side->words.count - 1; d >= 0; d--) {
        out[d] = key % side->words.dim[d].size;
        key /= side->words.dim[d].size;
    }
    out[side->path->along] *= side->path->per_word;
    return key == 0;
}

static int by_key(const void *a, const void *b)
{
    const struct moved_cell *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key ? 1 : (int)x->wavefront - (int)y->wavefront;
}

/* Finds the cells of a side that the instruction moves. */
static void find_cells(struct side *side)
{
    struct path_picture *path = side->path;
    const struct lw_dims *dims =
        &path->sides[op_of(path) == LW_ACCESS_STORE ? LW_SIDE_A : LW_SIDE_B].subject->map.out;
    uint64_t out[LW_DIMS_MAX] = {0};
    side->moved_count = 0;
    if (!side->subject || !side->moved)
        return;
    for (size_t i = 0; i < path->all_count; i++) {
        const struct lw_moved *moved = &path->all[i];
        struct moved_cell *cell = &side->moved[side->moved_count++];
        *cell = (struct moved_cell){.lane = moved->lane, .wavefront = moved->wavefront};
        if (side->side == LW_SIDE_S) {
            cell->key = moved->offset * path->bits / 32;
            continue;
        }
        struct lw_slot owner;
        lw_dims_unflatten(dims, moved->element, out);
        cell->key = key_of_element(side, out);
        if (lw_slot_find(&side->subject->map, side->subject->lanes, out, 0, &owner))
            cell->lane = (unsigned)owner.lane;
    }
    qsort(side->moved, side->moved_count, sizeof *side->moved, by_key);
}

static const struct moved_cell *cell_moved(const struct side *side, uint64_t key)
{
    size_t low = 0, high = side->moved_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (side->moved[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < side->moved_count && side->moved[low].key == key ? &side->moved[low] : NULL;
}

/* ---- The grids of A, S and B ---- */

static void side_cell(void *context, uint64_t row, uint64_t col, struct lw_grid_cell *cell)
{
    const struct side *side = context;
    uint64_t out[LW_DIMS_MAX] = {0};
    cell->kind = LW_GRID_PLAIN;
    cell->mark = row * side->grid.cols + col;
    if (side->side == LW_SIDE_S) {
        uint64_t in[LW_DIMS_MAX] = {0}; /* of an exchange, of its first round */
        in[lw_dims_find(&side->subject->map.in, "offset")] = cell->mark * 32 / side->path->bits;
        if (!lw_map_apply(&side->subject->map, in, out))
            cell->kind = LW_GRID_HOLE;
        return;
    }
    if (!element_of_key(side, cell->mark, out) || !lw_map_owner_count(&side->subject->map, out))
        cell->kind = LW_GRID_HOLE;
}

/* A cell that is moved has the number of its lane. */
static struct lw_pen side_pen(void *context, struct lw_grid_cell *cell)
{
    const struct side *side = context;
    const struct path_picture *path = side->path;
    const struct moved_cell *moved = cell_moved(side, cell->mark);
    if (!moved)
        return lw_tone(cell->kind == LW_GRID_HOLE ? LW_TONE_TEXT : LW_TONE_FIELD);
    snprintf(cell->text, sizeof cell->text, "%u", moved->lane);
    if (path->wavefront && moved->wavefront + 1 < path->wavefront)
        return lw_tone(LW_TONE_SERVED);
    if (path->wavefront && moved->wavefront + 1 == path->wavefront)
        return lw_tone(LW_TONE_NOW);
    return lw_hue(LW_TONE_LIT, moved->lane);
}

static void side_row_label(void *context, uint64_t row, struct lw_text *text)
{
    const struct side *side = context;
    const struct lw_dims *dims = &side->subject->map.out;
    uint64_t out[LW_DIMS_MAX] = {0};
    if (side->side == LW_SIDE_S) {
        lw_text_number(text, row);
        return;
    }
    element_of_key(side, row * side->grid.cols, out);
    for (int d = 0; d < (dims->count > 1 ? dims->count - 1 : 1); d++)
        lw_text_format(text, "%s%llu", d ? "," : "", (unsigned long long)out[d]);
}

static void side_col_label(void *context, uint64_t col, struct lw_text *text)
{
    const struct side *side = context;
    const struct lw_dims *dims = &side->subject->map.out;
    bool grouped = side->side != LW_SIDE_S && side->path->along == dims->count - 1;
    lw_text_number(text, grouped ? col * side->path->per_word : col);
}

static const struct lw_grid_source side_source = {side_cell, side_row_label, side_col_label,
                                                  NULL,      NULL,           side_pen};

/* ---- The rows of banks ---- */

static void heat_cell(void *context, uint64_t row, uint64_t col, struct lw_grid_cell *cell)
{
    const struct path_picture *path = context;
    const struct lw_fold *fold = &path->folds->fold[row];
    unsigned words = col < fold->banks ? fold->words[col] : 0;
    bool is_narrow = path->base.grid.cell_width == 1 && words > 9; /* the colour shows it */
    cell->kind = words ? LW_GRID_RAMP : LW_GRID_HOLE;
    cell->number = words;
    if (words && !is_narrow)
        snprintf(cell->text, sizeof cell->text, "%u", words);
    else if (!words)
        snprintf(cell->text, sizeof cell->text, "\xc2\xb7");
}

static void heat_row_label(void *context, uint64_t row, struct lw_text *text)
{
    const struct path_picture *path = context;
    const struct lw_fold *fold = &path->folds->fold[row];
    lw_text_add(text, fold->op == LW_ACCESS_STORE ? "store" : "load");
    if (!path->is_brief)
        lw_text_format(text, " %s \xc3\x97%llu", fold->name, (unsigned long long)fold->count);
}

static void heat_col_label(void *context, uint64_t col, struct lw_text *text)
{
    (void)context;
    lw_text_number(text, col);
}

static const struct lw_grid_source heat_source = {heat_cell, heat_row_label, heat_col_label,
                                                  NULL,      NULL,           NULL},
                                   heat_rows = {heat_cell, heat_row_label, NULL, NULL, NULL, NULL};

/* ---- The instruction ---- */

/* Goes to an instruction of the fold under the cursor. */
static void choose(struct path_picture *path, uint64_t number)
{
    const enum lw_access_op op = op_of(path);
    path->number = number;
    path->wavefront = 0;
    path->base.tick_at = 0;
    lw_path_instruction(path->path, op, number, &path->instruction);
    path->all_count =
        path->all ? lw_path_moved(path->path, op, number, path->all, LW_MOVED_MAX) : 0;
    path->wavefronts = path->folds->fold[path->fold].cost.wavefronts;
    for (int i = 0; i < LW_SIDES; i++) {
        struct side *side = &path->sides[i];
        find_cells(side);
        /* The first moved cell is the one to scroll to. */
        if (side->moved_count && side->grid.cols) {
            side->grid.row = side->moved[0].key / side->grid.cols;
            side->grid.col = side->moved[0].key % side->grid.cols;
        }
    }
}

static void choose_fold(struct path_picture *path, size_t fold)
{
    path->fold = fold;
    path->base.lit->has_op = true;
    path->base.lit->is_load = path->folds->fold[fold].op == LW_ACCESS_LOAD;
    path->base.grid.row = fold;
    path->base.grid.col = 0;
    for (unsigned bank = 1; bank < path->folds->fold[fold].banks; bank++)
        if (path->folds->fold[fold].words[bank] >
            path->folds->fold[fold].words[path->base.grid.col])
            path->base.grid.col = bank;
    choose(path, path->folds->fold[fold].first);
}

void lw_picture_path_choose(struct lw_picture *picture, enum lw_access_op op)
{
    struct path_picture *path =
        picture && picture->type == &lw_picture_path ? path_of(picture) : NULL;
    for (size_t i = 0; path && i < path->folds->count; i++)
        if (path->folds->fold[i].op == op) {
            choose_fold(path, i);
            return;
        }
}

/* The next instruction of the fold, or the one before. */
static void step_instruction(struct path_picture *path, int by)
{
    const struct lw_fold *fold = &path->folds->fold[path->fold];
    uint64_t count = lw_path_count(path->path, fold->op), at = path->number;
    while (by < 0 ? at > fold->first : at + 1 < count) {
        at += (uint64_t)by;
        if (lw_folds_of(path->folds, path->path, fold->op, at) == fold) {
            choose(path, at);
            return;
        }
    }
}

/* ---- Opening ---- */

static const struct lw_subject *subject_of(const struct lw_model *model, enum lw_side side)
{
    return model->has_path ? lw_picture_any(model, side) : NULL;
}

static bool open_side(struct path_picture *path, enum lw_side side)
{
    const struct lw_model *model = path->base.model;
    struct side *at = &path->sides[side];
    at->path = path;
    at->side = side;
    at->subject = side == LW_SIDE_S ? lw_model_memory(model) : lw_model_at(model, side);
    /* Where only one of registers A and B is set, it is both. */
    if (!at->subject && side != LW_SIDE_S)
        at->subject = lw_model_at(model, side == LW_SIDE_A ? LW_SIDE_B : LW_SIDE_A);
    at->grid = (struct lw_grid){.source = &side_source, .context = at, .to_right = true};
    at->moved = malloc(LW_MOVED_MAX * sizeof *at->moved);
    return at->moved != NULL;
}

static bool open(struct lw_picture *picture, struct lw_error *err)
{
    struct path_picture *path = path_of(picture);
    const struct lw_subject *shared = lw_model_memory(picture->model);
    for (int i = 0; i < LW_SIDES; i++)
        if (!open_side(path, (enum lw_side)i))
            return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    path->all = malloc(LW_MOVED_MAX * sizeof *path->all);
    if (!path->all)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    path->path = &picture->model->path;
    path->folds = &picture->model->folds;
    const struct lw_plan *plan = path->path->store ? path->path->store : path->path->load;
    path->bits = plan->request.element_bits;
    path->per_word = path->bits < 32 ? 32 / path->bits : 1;
    path->along = lw_minor_dim(&shared->map);
    for (int i = 0; i < LW_SIDES; i++) {
        struct side *side = &path->sides[i];
        uint64_t words = lw_dims_size(&shared->map.in, "offset") * path->bits / 32;
        side->grid.cols = BANKS;
        if (i != LW_SIDE_S) {
            side->words = side->subject->map.out;
            struct lw_dim *along = &side->words.dim[path->along];
            along->size = (along->size + path->per_word - 1) / path->per_word;
            lw_dims_total(&side->words, &words, NULL);
            if (side->words.count > 1)
                side->grid.cols = side->words.dim[side->words.count - 1].size;
        }
        side->grid.rows = (words + side->grid.cols - 1) / side->grid.cols;
    }
    picture->grid = (struct lw_grid){.source = &heat_source,
                                     .context = path,
                                     .rows = path->folds->count,
                                     .cols = path->folds->fold[0].banks,
                                     .cell_lines = 1,
                                     .to_right = true,
                                     .has_cursor = true,
                                     .labels_only = true};
    size_t first = 0; /* the worst, or the worst of the direction that was chosen before */
    while (picture->lit->has_op && first + 1 < path->folds->count &&
           (path->folds->fold[first].op == LW_ACCESS_LOAD) != picture->lit->is_load)
        first++;
    choose_fold(path, first);
    return true;
}

static void close(struct lw_picture *picture)
{
    struct path_picture *path = path_of(picture);
    for (int i = 0; i < LW_SIDES; i++) {
        lw_grid_free(&path->sides[i].grid);
        free(path->sides[i].moved);
    }
    free(path->all);
}

/* ---- Placing ---- */

/* Sizes of cells, the largest first: columns, and lines (0: half a line). */
static const struct {
    int width, lines;
} sizes[] = {{3, 1}, {2, 1}, {2, 0}, {1, 0}};

static int width_of(struct side *side, int height, int *tall)
{
    int width;
    lw_grid_measure(&side->grid, height, 4000, tall, &width);
    return width;
}

/* Whether the shown sides fit with a size of cells; with `all_rows` also their rows. */
static bool fit(struct path_picture *path, size_t size, int height, int width, bool all_rows)
{
    int used = -GAP, tall;
    for (int i = 0; i < LW_SIDES; i++) {
        struct side *side = &path->sides[i];
        side->grid.cell_width = sizes[size].width;
        side->grid.cell_lines = sizes[size].lines;
        if (!side->is_shown)
            continue;
        used += GAP + width_of(side, height, &tall);
        if (all_rows && tall > height)
            return false;
    }
    return used <= width;
}

/* Shows A, S and B, or S and the side of the access under the cursor, or S alone; with the largest cells that fit. */
static void choose_cells(struct path_picture *path, int height, int width)
{
    const bool store = op_of(path) == LW_ACCESS_STORE;
    size_t first = (size_t)-path->base.size;
    first = first < LW_COUNT(sizes) ? first : LW_COUNT(sizes) - 1;
    for (int way = 0; way < 3; way++) {
        path->sides[LW_SIDE_A].is_shown = path->path->store && (way == 0 || (way == 1 && store));
        path->sides[LW_SIDE_B].is_shown = path->path->load && (way == 0 || (way == 1 && !store));
        path->sides[LW_SIDE_S].is_shown = true;
        for (int rows = 1; rows >= 0; rows--)
            for (size_t size = first; size < LW_COUNT(sizes); size++)
                if (fit(path, size, height, width, rows))
                    return;
    }
}

static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    struct path_picture *path = path_of(picture);
    const bool roomy = path->is_roomy = rect.height >= 22;
    const int most = roomy ? rect.height / 4 : 2;
    int heat = (int)(path->folds->count < (size_t)most ? path->folds->count : (size_t)most);
    int above = roomy ? TITLES : 1, below = heat + (roomy ? 3 : 0);
    int height = rect.height - above - below;
    if (height < 3) {
        below = 0;
        height = rect.height - above;
    }
    choose_cells(path, height, rect.width);
    int col = rect.col, tallest = 0;
    for (int i = 0; i < LW_SIDES; i++) {
        struct side *side = &path->sides[i];
        int tall, width;
        if (!side->is_shown)
            continue;
        width = width_of(side, height, &tall);
        if (width > rect.col + rect.width - col)
            width = rect.col + rect.width - col;
        tall = tall < height ? tall : height;
        tallest = tall > tallest ? tall : tallest;
        if (!lw_grid_arrange(&side->grid, (struct lw_rect){rect.row + above, col, tall, width}))
            return false;
        col += width + GAP;
    }
    /* Banks of two columns where the wavefronts fit beside them, else of one; names are cut for the banks. */
    int tall, wide;
    path->base.grid.source = roomy ? &heat_source : &heat_rows;
    path->base.grid.cell_width = 2;
    path->is_brief = false;
    lw_grid_measure(&path->base.grid, 0, 4000, &tall, &wide);
    if (wide + WAVEFRONTS > rect.width) {
        path->base.grid.cell_width = 1;
        path->is_brief = wide - (int)path->base.grid.cols > rect.width;
    }
    int row = rect.row + above + tallest + (roomy ? 2 : 0);
    struct lw_rect banks = {row, rect.col, below ? heat + roomy : 0, rect.width};
    if (!roomy)
        banks.row = rect.row + rect.height - banks.height;
    return lw_grid_arrange(&path->base.grid, banks);
}

/* ---- Drawing ---- */

/* "A registers ── store 32 ──────▶" */
static void draw_title(const struct path_picture *path, const struct side *side,
                       struct lw_surface *surface, int end)
{
    const struct lw_grid *grid = &side->grid;
    static const char *const names[LW_SIDES] = {"A registers", "S shared", "B registers"};
    int col = grid->rect.col + grid->label_width;
    struct lw_text text = {0};
    enum lw_access_op op = side->side == LW_SIDE_A ? LW_ACCESS_STORE : LW_ACCESS_LOAD;
    const struct lw_plan_total *total =
        side->side == LW_SIDE_B ? NULL : lw_path_total(path->path, op);
    int line = grid->rect.row - (path->is_roomy ? TITLES : 1);
    col += lw_put(surface, line, col, end - col, lw_tone(LW_TONE_TITLE), names[side->side]) + 1;
    if (total) {
        struct lw_pen pen = lw_tone(total->conflicts ? LW_TONE_BAD : LW_TONE_GOOD);
        lw_text_format(&text, "\xe2\x94\x80\xe2\x94\x80 %s %llu",
                       op == LW_ACCESS_STORE ? "store" : "load",
                       (unsigned long long)total->wavefronts);
        if (total->wavefronts > total->ideal)
            lw_text_format(&text, ", ideal %llu", (unsigned long long)total->ideal);
        col += lw_put(surface, line, col, end - col, pen, lw_text_string(&text)) + 1;
        lw_put_repeated(surface, line, col, end - col - 1, pen, "\xe2\x94\x80");
        if (end - 1 > col)
            lw_put(surface, line, end - 1, 1, pen, "\xe2\x96\xb6");
    }
    if (line < grid->rect.row - 1 && side->subject->encoding) {
        lw_text_clear(&text);
        lw_encoding_print_short(&text, side->subject->encoding);
        int from = grid->rect.col + grid->label_width;
        lw_put(surface, line + 1, from, end - from, lw_tone(LW_TONE_FAINT), lw_text_string(&text));
    }
    lw_text_free(&text);
}

/* Beside the row of a fold: its wavefronts as a bar, the ideal in it, and their number. */
static void draw_bars(const struct path_picture *path, struct lw_surface *surface)
{
    const struct lw_grid *heat = &path->base.grid;
    int col = heat->rect.col + heat->label_width + heat->col_count * heat->cell_width + 2;
    unsigned most = 1;
    for (size_t i = 0; i < path->folds->count; i++)
        most = path->folds->fold[i].cost.wavefronts > most ? path->folds->fold[i].cost.wavefronts
                                                           : most;
    int room = surface->width - col - WAVEFRONTS;
    room = room > 32 ? 32 : room;
    for (int r = 0; r < heat->row_count; r++) {
        const struct lw_fold *fold = &path->folds->fold[heat->top + (uint64_t)r];
        struct lw_text text = {0};
        int row = heat->rect.row + heat->lines[r], at = col;
        if (room > 0) {
            int all = (int)(((unsigned)room * fold->cost.wavefronts + most - 1) / most);
            int ideal = (int)((unsigned)room * fold->cost.ideal / most);
            ideal = ideal < 1 ? 1 : ideal > all ? all : ideal;
            lw_put_repeated(surface, row, at, ideal, lw_tone(LW_TONE_FAINT), "\xe2\x94\x81");
            lw_put_repeated(surface, row, at + ideal, all - ideal, lw_tone(LW_TONE_BAD),
                            "\xe2\x94\x81");
            at += all + 1;
        }
        lw_text_format(&text, "%u wavefront%s", fold->cost.wavefronts,
                       fold->cost.wavefronts == 1 ? "" : "s");
        if (fold->cost.wavefronts > fold->cost.ideal)
            lw_text_format(&text, ", ideal %u", fold->cost.ideal);
        lw_put(surface, row, at, surface->width - at,
               lw_tone(fold->cost.conflicts ? LW_TONE_BAD : LW_TONE_GOOD), lw_text_string(&text));
        lw_text_free(&text);
    }
}

static void draw(struct lw_picture *picture, struct lw_surface *surface)
{
    struct path_picture *path = path_of(picture);
    for (int i = 0; i < LW_SIDES; i++) {
        struct side *side = &path->sides[i];
        int end = side->grid.rect.col + side->grid.rect.width;
        if (!side->is_shown)
            continue;
        if (i + 1 < LW_SIDES && path->sides[i + 1].is_shown)
            end = path->sides[i + 1].grid.rect.col + path->sides[i + 1].grid.label_width - 1;
        draw_title(path, side, surface, end);
        lw_grid_draw(&side->grid, surface);
    }
    if (!path->base.grid.rect.height)
        return;
    if (path->is_roomy)
        lw_put(surface, path->base.grid.rect.row - 1, path->base.grid.rect.col,
               path->base.grid.rect.width, lw_tone(LW_TONE_TITLE),
               "words of each bank that one group of lanes needs");
    lw_grid_draw(&path->base.grid, surface);
    draw_bars(path, surface);
}

/* ---- Keys ---- */

static void move(struct lw_picture *picture, int64_t rows, int64_t cols)
{
    struct path_picture *path = path_of(picture);
    if (rows) {
        int64_t at = (int64_t)path->fold + (rows < -1000 ? -1000 : rows > 1000 ? 1000 : rows);
        int64_t last = (int64_t)path->folds->count - 1;
        choose_fold(path, (size_t)(at < 0 ? 0 : at > last ? last : at));
        return;
    }
    int by = cols < 0 ? -1 : 1;
    if (path->wavefront) {
        path->base.tick_at = 0;
        if (by > 0 ? path->wavefront < path->wavefronts : path->wavefront > 1)
            path->wavefront += (unsigned)by;
        return;
    }
    step_instruction(path, by);
}

static void play(struct path_picture *path)
{
    if (path->wavefront && path->base.tick_at) {
        path->base.tick_at = 0;
        return;
    }
    if (path->wavefront == path->wavefronts)
        path->wavefront = 0;
    path->wavefront++;
    path->base.tick_at = path->wavefront < path->wavefronts ? lw_now_ms() + STEP_MS : 0;
}

static bool key(struct lw_picture *picture, uint32_t pressed)
{
    struct path_picture *path = path_of(picture);
    if (pressed == ' ') {
        play(path);
        return true;
    }
    if (pressed == 27 && path->wavefront) {
        path->wavefront = 0;
        path->base.tick_at = 0;
        return true;
    }
    return false;
}

static void tick(struct lw_picture *picture)
{
    struct path_picture *path = path_of(picture);
    if (!path->base.tick_at || lw_now_ms() < path->base.tick_at)
        return;
    path->wavefront++;
    path->base.tick_at = path->wavefront < path->wavefronts ? lw_now_ms() + STEP_MS : 0;
}

static bool mouse(struct lw_picture *picture, const struct lw_event *event)
{
    const struct lw_grid_cell *cell = lw_grid_hit(&picture->grid, event->row, event->col);
    if (event->kind != LW_EVENT_CLICK || !cell)
        return false;
    choose_fold(path_of(picture), (size_t)cell->row);
    return true;
}

/* The first element that the instruction moves. */
static bool spot(const struct lw_picture *picture, struct lw_spot *spot)
{
    const struct path_picture *path = path_of(picture);
    if (!path->all_count)
        return false;
    const struct side *side = &path->sides[op_of(path) == LW_ACCESS_STORE ? LW_SIDE_A : LW_SIDE_B];
    lw_dims_unflatten(&side->subject->map.out, path->all[0].element, spot->out);
    spot->has_out = true;
    return true;
}

/* Goes to the access that moves an element: of the kind under the cursor, else of the other one. */
static bool go(struct lw_picture *picture, const struct lw_spot *spot)
{
    struct path_picture *path = path_of(picture);
    const enum lw_access_op op = op_of(path);
    const enum lw_access_op ops[] = {op, op == LW_ACCESS_STORE ? LW_ACCESS_LOAD : LW_ACCESS_STORE};
    for (size_t i = 0; spot->has_out && i < LW_COUNT(ops); i++) {
        uint64_t number;
        if (!lw_path_count(path->path, ops[i]) ||
            !lw_path_find(path->path, ops[i], spot->out, &number, 1))
            continue;
        const struct lw_fold *fold = lw_folds_of(path->folds, path->path, ops[i], number);
        if (!fold)
            continue;
        choose_fold(path, (size_t)(fold - path->folds->fold));
        choose(path, number);
        return true;
    }
    return false;
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
    const struct lw_fold *fold = &path->folds->fold[path->fold];
    const struct lw_plan *plan = fold->op == LW_ACCESS_STORE ? path->path->store : path->path->load;
    struct lw_wavefronts wavefronts;
    if (!lw_access_wavefronts(plan->request.hardware->banks, &path->instruction.access, &wavefronts,
                              NULL))
        return;
    struct lw_text *text;
    if (path->wavefront) {
        const struct lw_wavefront *now = &wavefronts.wavefront[path->wavefront - 1];
        text = lw_explanation_line(explanation, "wavefront");
        lw_text_format(text, "%u of %u: serves ", path->wavefront, path->wavefronts);
        put_lanes(text, now->lanes);
        unsigned banks = 0;
        for (uint64_t set = now->banks; set; set &= set - 1)
            banks++;
        lw_text_format(text, ", one word of %u of %u banks", banks, fold->banks);
    }
    text = lw_explanation_line(explanation, fold->op == LW_ACCESS_STORE ? "store" : "load");
    lw_text_format(text, "%llu of %llu, warp %llu, %s, %u byte%s a lane",
                   (unsigned long long)path->number + 1,
                   (unsigned long long)lw_path_count(path->path, fold->op),
                   (unsigned long long)path->instruction.warp, fold->name, fold->width,
                   fold->width == 1 ? "" : "s");
    unsigned char words[LW_BANKS_MAX];
    unsigned worst = 0, lanes;
    if (!lw_access_words(plan->request.hardware->banks, &path->instruction.access, words, &lanes,
                         NULL))
        return;
    for (unsigned bank = 0; bank < fold->banks; bank++)
        worst = words[bank] > words[worst] ? bank : worst;
    text = lw_explanation_line(explanation, "because");
    if (fold->most > 1) {
        lw_text_format(text, "bank %u: ", worst);
        put_lanes(text, wavefronts.lanes[worst]);
        lw_text_format(text, " need %u different words%s; a bank delivers one a wavefront",
                       fold->most, wavefronts.group_count > 1 ? " in a group" : "");
    } else if (fold->cost.wavefronts > fold->cost.ideal) {
        lw_text_format(text, "%u groups of lanes, one wavefront each: no bank is needed twice",
                       wavefronts.group_count);
    } else {
        lw_text_add(text, "no group of lanes needs two words of one bank");
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
    .close = close,
    .arrange = arrange,
    .draw = draw,
    .move = move,
    .key = key,
    .mouse = mouse,
    .tick = tick,
    .spot = spot,
    .go = go,
    .explain = explain,
};
