/* Owner grids: the text of owners, the size of cells, rules between warps, what is lit. */

#include "tui/picture/owner_grid.h"

#include "core/array_count.h"
#include "tui/terminal/events.h"
#include "view/view_parts.h"

#include <string.h>

static const struct {
    bool has_text, is_vector;
    int lines; /* 0: half a line */
} sizes[LW_SIZES] = {
    [LW_SIZE_FULL] = {true, false, 1},   [LW_SIZE_VECTOR] = {true, true, 1},
    [LW_SIZE_TALL] = {true, false, 2},   [LW_SIZE_NUMBER] = {false, false, 1},
    [LW_SIZE_BLOCK] = {false, false, 0}, [LW_SIZE_VECTOR_NUMBER] = {false, true, 1}};

static const struct lw_map *map_of(const struct lw_owner_grid *owners)
{
    return &owners->subject->map;
}

/* ---- Elements ---- */

/* The index of the element at a row and a column of the tensor. */
static void index_of(const struct lw_owner_grid *owners, const uint64_t at[2], uint64_t *out)
{
    const struct lw_dims *dims = &map_of(owners)->out;
    uint64_t row = at[0];
    if (dims->count)
        out[dims->count - 1] = at[1];
    for (int d = dims->count - 2; d >= 0; d--) {
        out[d] = row % dims->dim[d].size;
        row /= dims->dim[d].size;
    }
}

/* Owner number k of the element at a row and a column of the tensor; in memory its offset as a register without a
 * thread, of tensor memory its row and column as lane and register. */
static bool owner_at(const struct lw_owner_grid *owners, const uint64_t at[2], uint64_t k,
                     struct lw_slot *owner)
{
    const struct lw_map *map = map_of(owners);
    uint64_t out[LW_DIMS_MAX], in[LW_DIMS_MAX] = {0};
    index_of(owners, at, out);
    if (!owners->is_memory && !owners->is_tensor_memory)
        return lw_slot_find(map, owners->lanes, out, k, owner);
    if (!lw_map_owner(map, out, k, in))
        return false;
    *owner = (struct lw_slot){.reg = in[0]};
    if (owners->is_tensor_memory) {
        owner->lane = owner->thread = in[lw_dims_find(&map->in, "row")];
        owner->reg = in[lw_dims_find(&map->in, "col")];
    }
    return true;
}

/* The row and the column of the tensor at those of the grid. */
static void tensor_at(const struct lw_owner_grid *owners, uint64_t row, uint64_t col,
                      uint64_t at[2])
{
    at[0] = owners->origin[0] + row % owners->shown[0];
    at[1] = owners->origin[1] + row / owners->shown[0] * owners->band + col * owners->unit;
}

/* Owner number k of the first element of a cell of the grid. */
static bool owner_in(const struct lw_owner_grid *owners, uint64_t row, uint64_t col, uint64_t k,
                     struct lw_slot *owner)
{
    uint64_t at[2];
    tensor_at(owners, row, col, at);
    return owner_at(owners, at, k, owner);
}

/* ---- Texts ---- */

enum { WARP, THREAD, REGISTER, FIELDS };

static uint64_t field_of(const struct lw_owner_grid *owners, const struct lw_slot *owner, int field)
{
    return field == WARP       ? owner->warp
           : field == REGISTER ? owner->reg
           : owners->is_tilus  ? owner->thread
                               : owner->lane;
}

/* Appends a number after `before` and a name; UINT64_MAX: none. */
static void append(char *at, size_t room, const char *before, const char *name, uint64_t number)
{
    const size_t used = strlen(at);
    if (number == UINT64_MAX)
        snprintf(at + used, room - used, "%s", before);
    else
        snprintf(at + used, room - used, "%s%s%llu", before, name, (unsigned long long)number);
}

/* Writes "w0 l9 r1", "t9 r1", "w0 l9 r0-7" of the owner `shown` into a cell. Where its elements have several owners,
 * which differ in one field, that is "l9,13" of two, "l9+3" of more; fields of which several differ are "l9+". */
static void put_text(const struct lw_owner_grid *owners, const struct lw_slot *shown,
                     struct lw_grid_cell *cell)
{
    enum { EXAMINED = 64 };
    const char *const names[FIELDS] = {"w",
                                       owners->is_tensor_memory ? "row "
                                       : owners->is_tilus       ? "t"
                                                                : "l",
                                       owners->is_tensor_memory ? "col " : "r"};
    const bool has_field[FIELDS] = {owners->with_warps, owners->threads > 1, true};
    bool differs[FIELDS] = {false};
    int differing = 0;
    struct lw_slot other, second = *shown;
    for (uint64_t k = 1; k < cell->owners && k < EXAMINED; k++) {
        if (!owner_in(owners, cell->row, cell->col, k, &other))
            break;
        second = k == 1 && shown == &cell->owner ? other : second;
        for (int f = 0; f < FIELDS; f++)
            if (!differs[f] && (!owners->is_tilus || f) &&
                field_of(owners, &other, f) != field_of(owners, &cell->owner, f)) {
                differs[f] = true;
                differing++;
            }
    }
    for (int f = 0; f < FIELDS; f++) {
        const bool is_below = f == REGISTER && owners->size == LW_SIZE_TALL;
        char *at = is_below ? cell->below : cell->text;
        const size_t room = is_below ? sizeof cell->below : sizeof cell->text;
        if (!has_field[f])
            continue;
        append(at, room, *at ? " " : "", names[f], field_of(owners, shown, f));
        if (f == REGISTER && owners->unit > 1)
            append(at, room, "-", "", shown->reg + owners->unit - 1);
        else if (differs[f] && cell->owners == 2 && differing == 1)
            append(at, room, ",", "", field_of(owners, &second, f));
        else if (differs[f])
            append(at, room, "+", "", differing == 1 ? cell->owners - 1 : UINT64_MAX);
    }
}

/* The number of cells that have only one. */
static uint64_t number_of(const struct lw_owner_grid *owners, const struct lw_slot *owner)
{
    const bool is_register = owners->lit->color == LW_LIT_REGISTER || owners->threads <= 1;
    return field_of(owners, owner,
                    is_register                         ? REGISTER
                    : owners->lit->color == LW_LIT_WARP ? WARP
                                                        : THREAD);
}

enum lw_lit_what lw_owner_grid_next_color(const struct lw_owner_grid *owners)
{
    const enum lw_lit_what color = owners->lit->color;
    if (color == LW_LIT_THREAD && owners->warps > 1)
        return LW_LIT_WARP;
    const bool has_registers = owners->threads > 1 && owners->registers > 1;
    return color != LW_LIT_REGISTER && has_registers ? LW_LIT_REGISTER : LW_LIT_THREAD;
}

/* The columns of the longest text: that of the largest numbers, with as many owners as the first element. Of those that
 * are shown the last element has the largest register. */
static int text_width(const struct lw_owner_grid *owners)
{
    struct lw_grid_cell cell = {.owners = lw_map_replication(map_of(owners))};
    struct lw_slot most = {0};
    const uint64_t last[2] = {owners->origin[0] + owners->shown[0] - 1,
                              owners->origin[1] + owners->shown[1] - 1};
    owner_in(owners, 0, 0, 0, &cell.owner);
    most.reg = owner_at(owners, last, 0, &most) ? most.reg : owners->registers - 1;
    most.reg -= most.reg % owners->unit;
    most.warp = owners->warps - 1;
    most.thread = owners->threads - 1;
    most.lane = owners->threads / owners->warps - 1;
    if (owners->size == LW_SIZE_BLOCK)
        return 1;
    if (!sizes[owners->size].has_text)
        return (int)lw_digits(number_of(owners, &most)) + 1;
    put_text(owners, &most, &cell);
    const size_t above = strlen(cell.text), below = strlen(cell.below);
    return (int)(above > below ? above : below) + 1;
}

/* ---- The grid ---- */

static void cell_at(void *context, uint64_t row, uint64_t col, struct lw_grid_cell *cell)
{
    struct lw_owner_grid *owners = context;
    uint64_t out[LW_DIMS_MAX], at[2];
    tensor_at(owners, row, col, at);
    if (at[1] >= owners->all[1])
        return;
    index_of(owners, at, out);
    cell->kind = LW_GRID_HOLE;
    cell->owners = lw_map_owner_count(map_of(owners), out);
    if (!cell->owners || !owner_at(owners, at, 0, &cell->owner)) {
        snprintf(cell->text, sizeof cell->text, "\xc2\xb7");
        return;
    }
    cell->kind = LW_GRID_HUE;
    cell->number = number_of(owners, &cell->owner);
    for (uint64_t i = 0; owners->comparison && i < owners->unit && !cell->mark; i++, at[1]++) {
        index_of(owners, at, out);
        cell->mark = lw_compare_element(owners->comparison, out);
    }
    if (sizes[owners->size].has_text)
        put_text(owners, &cell->owner, cell);
    else if (owners->size != LW_SIZE_BLOCK)
        snprintf(cell->text, sizeof cell->text, "%llu", (unsigned long long)cell->number);
}

static void row_label(void *context, uint64_t row, struct lw_text *text)
{
    const struct lw_owner_grid *owners = context;
    const int dims = map_of(owners)->out.count;
    uint64_t out[LW_DIMS_MAX] = {0}, at[2];
    tensor_at(owners, row, 0, at);
    index_of(owners, at, out);
    for (int d = 0; d < (dims > 1 ? dims - 1 : dims); d++)
        lw_text_format(text, "%s%llu", d ? "," : "", (unsigned long long)out[d]);
}

/* Of a tensor of one dim, what is added to the label of the row. */
static void col_label(void *context, uint64_t col, struct lw_text *text)
{
    const struct lw_owner_grid *owners = context;
    const bool is_row = map_of(owners)->out.count == 1;
    uint64_t number = col * owners->unit + (is_row ? 0 : owners->origin[1]);
    lw_text_format(text, is_row && number ? "+%llu" : "%llu", (unsigned long long)number);
}

/* Whether a warp or a block begins between two elements, or the lanes begin again from the first; its name. */
static bool row_rule(void *context, uint64_t row, struct lw_text *name)
{
    const struct lw_owner_grid *owners = context;
    struct lw_slot first, before, here;
    const bool is_band = map_of(owners)->out.count > 1 && row % owners->shown[0] == 0;
    if (!owner_in(owners, 0, 0, 0, &first) || !owner_in(owners, row - 1, 0, 0, &before) ||
        !owner_in(owners, row, 0, 0, &here))
        return is_band;
    const bool is_block = before.block != here.block;
    const bool is_warp = before.warp != here.warp && !owners->is_tilus;
    if (is_block || is_warp)
        lw_text_format(name, "%s %llu%s", is_block ? "block" : "warp",
                       (unsigned long long)(is_block ? here.block : here.warp),
                       is_band ? ", " : "");
    if (is_band)
        lw_text_format(name, "column %llu",
                       (unsigned long long)(row / owners->shown[0] * owners->band));
    return is_block || is_warp || is_band ||
           (here.thread == first.thread && before.thread != first.thread);
}

static bool col_rule(void *context, uint64_t col)
{
    const struct lw_owner_grid *owners = context;
    struct lw_slot before, here;
    return map_of(owners)->out.count > 1 && !owners->is_tilus &&
           owner_in(owners, 0, col - 1, 0, &before) && owner_in(owners, 0, col, 0, &here) &&
           (before.block != here.block || before.warp != here.warp);
}

static bool is_lit(const struct lw_lit *lit, const struct lw_slot *owner)
{
    switch (lit->what) {
    case LW_LIT_THREAD:
        return owner->thread == lit->owner.thread && owner->block == lit->owner.block;
    case LW_LIT_WARP:
        return owner->warp == lit->owner.warp && owner->block == lit->owner.block;
    default:
        return owner->reg == lit->owner.reg;
    }
}

static bool cell_is_lit(const struct lw_owner_grid *owners, const struct lw_grid_cell *cell)
{
    struct lw_slot other;
    if (owners->lit->what == LW_LIT_REGISTER && owners->unit > 1)
        return owners->lit->owner.reg - cell->owner.reg < owners->unit;
    if (is_lit(owners->lit, &cell->owner))
        return true;
    for (uint64_t k = 1; k < cell->owners; k++)
        if (owner_in(owners, cell->row, cell->col, k, &other) && is_lit(owners->lit, &other))
            return true;
    return false;
}

static struct lw_pen pen_of(void *context, struct lw_grid_cell *cell)
{
    const struct lw_owner_grid *owners = context;
    const bool shows_lit = owners->lit->on && !owners->comparison;
    if (cell->kind != LW_GRID_HUE || (!shows_lit && (!owners->comparison || cell->mark)))
        return lw_grid_pen(cell);
    return lw_hue(shows_lit && cell_is_lit(owners, cell) ? LW_TONE_LIT : LW_TONE_QUIET,
                  cell->number);
}

static const struct lw_grid_source source = {cell_at,  row_label, col_label,
                                             row_rule, col_rule,  pen_of};

/* ---- Opening ---- */

/* Shows all of the tensor, or the repeat that has the cursor. */
static void show(struct lw_owner_grid *owners, bool is_repeat)
{
    for (int i = 0; i < 2; i++) {
        owners->shown[i] = is_repeat ? owners->period[i] : owners->all[i];
        owners->origin[i] = owners->at[i] / owners->shown[i] * owners->shown[i];
    }
}

void lw_owner_grid_open(struct lw_owner_grid *owners, const struct lw_subject *subject,
                        struct lw_lit *lit)
{
    const struct lw_map *map = &subject->map;
    const struct lw_dims *in = &map->in, *out = &map->out;
    struct lw_repeat repeat;
    int along = -1;
    *owners = (struct lw_owner_grid){
        .grid = {.source = &source, .context = owners, .has_cursor = true},
        .subject = subject,
        .lit = lit,
        .lanes = subject->lanes ? subject->lanes : LW_LANES_DEFAULT,
        .is_tilus = lw_dims_find(in, "thread") >= 0,
        .is_memory = lw_dims_find(in, "offset") >= 0,
        .is_tensor_memory = lw_dims_find(in, "row") >= 0 && lw_dims_find(in, "col") >= 0,
        .warps = lw_dims_size(in, "warp"),
        .blocks = lw_dims_size(in, "block"),
        .registers = lw_dims_size(in, "register") * lw_dims_size(in, "local") *
                     lw_dims_size(in, "offset") * lw_dims_size(in, "col"),
        .vector = lw_map_vector(map, &along),
        .unit = 1,
        .all = {1, 1}};
    owners->threads = lw_dims_size(in, "thread") * lw_dims_size(in, "lane") *
                      lw_dims_size(in, "row") * owners->warps;
    if (along != out->count - 1)
        owners->vector = 1;
    for (int d = 0; d < out->count; d++)
        owners->all[d == out->count - 1] *= out->dim[d].size;
    for (int i = 0; i < 2; i++) {
        const int dim = out->count - 2 + i;
        owners->period[i] = owners->all[i];
        if (dim >= 0 && lw_map_repeat(map, dim, &repeat) && repeat.period < owners->all[i])
            owners->period[i] = repeat.period;
    }
    show(owners, false);
    owners->band = owners->all[1];
}

void lw_owner_grid_close(struct lw_owner_grid *owners)
{
    lw_grid_free(&owners->grid);
}

/* ---- Placing ---- */

/* The number of columns of one warp, where warps differ in columns; 0: they do not. */
static uint64_t warp_columns(const struct lw_owner_grid *owners)
{
    struct lw_slot first, here;
    uint64_t at[2] = {owners->origin[0], owners->origin[1]};
    if (owners->warps * owners->blocks == 1 || map_of(owners)->out.count == 1 ||
        !owner_at(owners, at, 0, &first))
        return 0;
    for (uint64_t col = 1; col < owners->shown[1]; col *= 2) {
        at[1] = owners->origin[1] + col;
        if (owner_at(owners, at, 0, &here) &&
            (here.warp != first.warp || here.block != first.block))
            return owners->shown[1] % col == 0 ? col : 0;
    }
    return 0;
}

/* Sets the grid to a size of cells in bands of some columns, wide ones with a blank after the longest text; false: the
 * size does not apply. */
static bool set_size(struct lw_owner_grid *owners, enum lw_cell_size size, bool with_warps,
                     bool is_wide, uint64_t band, int width)
{
    enum {
        NARROW = 16
    }; /* a tensor of which a part is read better in numbers than all in blocks */
    struct lw_grid *grid = &owners->grid;
    if ((sizes[size].is_vector && owners->vector == 1) ||
        (owners->is_memory && sizes[size].has_text))
        return false;
    owners->unit = sizes[size].is_vector ? owners->vector : 1;
    owners->size = size;
    owners->with_warps = with_warps && owners->warps > 1;
    owners->band = band;
    grid->cell_width = text_width(owners) + (is_wide && sizes[size].has_text);
    grid->cell_lines = sizes[size].lines;
    grid->to_right = !sizes[size].has_text;
    if (map_of(owners)->out.count == 1) {
        const uint64_t most = (uint64_t)(width > 12 ? (width - 8) / grid->cell_width : 1);
        for (owners->band = owners->unit;
             owners->band * 2 <= most * owners->unit && owners->band * 2 <= owners->shown[1];)
            owners->band *= 2;
    }
    grid->cols = owners->band / owners->unit;
    grid->rows = owners->shown[0] * ((owners->shown[1] + owners->band - 1) / owners->band);
    return owners->band % owners->unit == 0;
}

/* Measures the grid; rules are left out where only they do not fit, and of two layouts, so that their rows line up. */
static void measure(struct lw_owner_grid *owners, int height_limit, int width_limit, int *height,
                    int *width)
{
    struct lw_grid *grid = &owners->grid;
    grid->no_rules = owners->comparison != NULL;
    lw_grid_measure(grid, height_limit, width_limit, height, width);
    if (*height <= height_limit || *width > width_limit || grid->no_rules ||
        owners->band < owners->shown[1])
        return;
    grid->no_rules = true;
    lw_grid_measure(grid, height_limit, width_limit, height, width);
    grid->no_rules = *height <= height_limit;
}

bool lw_owner_grid_try(struct lw_owner_grid *owners, enum lw_cell_size size, int height_limit,
                       int width_limit, int *height, int *width)
{
    show(owners, false);
    if (!set_size(owners, size, owners->comparison || warp_columns(owners), true, owners->all[1],
                  width_limit))
        return false;
    measure(owners, height_limit, width_limit, height, width);
    return true;
}

/* Sets a size with which what is shown fits, or its columns alone; false: it does not. Cells name their warp where they
 * can, and must where warps are side by side; else warps are below each other. */
static bool fit_size(struct lw_owner_grid *owners, enum lw_cell_size size, struct lw_rect rect,
                     bool all_rows)
{
    const uint64_t columns = warp_columns(owners);
    for (int way = 0; way < 8; way++) {
        const bool is_folded = way & 4, has_warps = !(way & 2), is_wide = !(way & 1);
        int height, width;
        if ((is_folded && !columns) || (!is_folded && !has_warps && columns) ||
            (size == LW_SIZE_BLOCK && owners->all[1] <= LW_NARROW) ||
            !set_size(owners, size, has_warps, is_wide, is_folded ? columns : owners->shown[1],
                      rect.width))
            continue;
        measure(owners, rect.height, rect.width, &height, &width);
        if (width <= rect.width && (!all_rows || height <= rect.height))
            return true;
    }
    return false;
}

/* Chooses the size of cells: the largest with which all of the tensor fits, or one repeat of it, or its columns alone;
 * then vectors, of which there are fewer, come first. */
static void choose_size(struct lw_owner_grid *owners, struct lw_rect rect, int smaller)
{
    static const struct {
        bool is_repeat, all_rows;
        enum lw_cell_size last;
    } stages[] = {{false, true, LW_SIZE_VECTOR_NUMBER},
                  {true, true, LW_SIZE_VECTOR_NUMBER},
                  {true, false, LW_SIZE_VECTOR_NUMBER},
                  {false, true, LW_SIZE_BLOCK},
                  {false, false, LW_SIZE_BLOCK}};
    for (size_t s = 0; s < LW_COUNT(stages); s++) {
        struct lw_owner_grid chosen;
        struct lw_rect room = rect;
        int found = 0;
        show(owners, stages[s].is_repeat);
        if (stages[s].is_repeat && !lw_owner_grid_is_repeat(owners))
            continue;
        room.height -= stages[s].is_repeat;
        for (int i = 0; i <= (int)stages[s].last && found <= smaller; i++) {
            const int size = stages[s].all_rows || i > 1 ? i : 1 - i;
            if (fit_size(owners, (enum lw_cell_size)size, room, stages[s].all_rows)) {
                chosen = *owners;
                found++;
            }
        }
        if (found) {
            *owners = chosen;
            return;
        }
    }
    set_size(owners, LW_SIZE_NUMBER, false, false, owners->all[1], rect.width);
}

bool lw_owner_grid_is_repeat(const struct lw_owner_grid *owners)
{
    return owners->shown[0] < owners->all[0] || owners->shown[1] < owners->all[1];
}

bool lw_owner_grid_arrange(struct lw_owner_grid *owners, struct lw_rect rect)
{
    const uint64_t col = owners->at[1] - owners->origin[1];
    owners->grid.row = col / owners->band * owners->shown[0] + owners->at[0] - owners->origin[0];
    owners->grid.col = col % owners->band / owners->unit;
    return lw_grid_arrange(&owners->grid, rect);
}

bool lw_owner_grid_fit(struct lw_owner_grid *owners, struct lw_rect rect, int smaller)
{
    bool is_fitted = owners->is_fitted && owners->fitted_smaller == smaller &&
                     !memcmp(&rect, &owners->fitted, sizeof rect);
    for (int i = 0; i < 2; i++) /* else the cursor is in another repeat */
        is_fitted = is_fitted && owners->at[i] - owners->origin[i] < owners->shown[i];
    if (!is_fitted) {
        choose_size(owners, rect, smaller);
        lw_grid_changed(&owners->grid);
    }
    owners->fitted = rect;
    owners->fitted_smaller = smaller;
    owners->is_fitted = true;
    if (lw_owner_grid_is_repeat(owners)) {
        rect.row++;
        rect.height--;
    }
    return lw_owner_grid_arrange(owners, rect);
}

/* ---- The cursor ---- */

/* Moves a coordinate by a number of units. */
static uint64_t step_by(uint64_t at, int64_t by, uint64_t unit, uint64_t count)
{
    const int64_t limit = INT64_MAX / (int64_t)unit;
    at -= at % unit;
    return lw_step_within(at,
                          by > limit    ? INT64_MAX
                          : by < -limit ? -INT64_MAX
                                        : by * (int64_t)unit,
                          count);
}

/* In a tensor of one dim a row is a part of it. */
void lw_owner_grid_move(struct lw_owner_grid *owners, int64_t rows, int64_t cols)
{
    const uint64_t last = owners->all[1] - 1, band = owners->band;
    if (rows && map_of(owners)->out.count == 1)
        owners->at[1] =
            step_by(owners->at[1], rows, band, owners->all[1]) / band * band + owners->at[1] % band;
    else if (rows)
        owners->at[0] = lw_step_within(owners->at[0], rows, owners->all[0]);
    if (cols)
        owners->at[1] = step_by(owners->at[1], cols, owners->unit, owners->all[1]);
    owners->at[1] = owners->at[1] > last ? last : owners->at[1];
}

void lw_owner_grid_spot(const struct lw_owner_grid *owners, struct lw_spot *spot)
{
    memset(spot, 0, sizeof *spot);
    index_of(owners, owners->at, spot->out);
    spot->has_out = true;
    spot->has_in = lw_map_owner(map_of(owners), spot->out, 0, spot->in);
}

void lw_owner_grid_go(struct lw_owner_grid *owners, const uint64_t *out)
{
    const struct lw_dims *dims = &map_of(owners)->out;
    owners->at[0] = 0;
    owners->at[1] = dims->count ? out[dims->count - 1] : 0;
    for (int d = 0; d < dims->count - 1; d++)
        owners->at[0] = owners->at[0] * dims->dim[d].size + out[d];
}

bool lw_owner_grid_mouse(struct lw_owner_grid *owners, const struct lw_event *event)
{
    struct lw_grid *grid = &owners->grid;
    const struct lw_grid_cell *cell = lw_grid_hit(grid, event->row, event->col);
    if (event->kind == LW_EVENT_WHEEL) {
        lw_grid_scroll(grid, event->amount);
        tensor_at(owners, grid->row, grid->col, owners->at);
        lw_owner_grid_move(owners, 0, 0); /* the last row may have fewer cells */
        return true;
    }
    if (!cell || (event->kind == LW_EVENT_HOVER && owners->comparison))
        return false;
    if (event->kind == LW_EVENT_HOVER)
        lw_lit_point(owners->lit, cell);
    else
        tensor_at(owners, cell->row, cell->col, owners->at);
    return true;
}

/* ---- The inspector ---- */

/* "lane 9: r0 (5,4)  r1 (5,5)": as many registers as there is room for. */
static void explain_held(const struct lw_owner_grid *owners, struct lw_explanation *explanation)
{
    const struct lw_map *map = map_of(owners);
    struct lw_slot slot;
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    if (owners->is_memory || owners->is_tensor_memory || owners->registers < 2 ||
        !owner_at(owners, owners->at, 0, &slot))
        return;
    struct lw_text *text = lw_explanation_line(explanation, "holds");
    lw_text_format(text, owners->is_tilus ? "thread %llu:" : "lane %llu:",
                   (unsigned long long)field_of(owners, &slot, THREAD));
    for (slot.reg = 0; slot.reg < owners->registers; slot.reg++) {
        if (!lw_slot_index(map, owners->lanes, &slot, in) || !lw_map_apply(map, in, out))
            continue;
        if (lw_text_width(lw_text_string(text)) + 24 > explanation->columns) {
            lw_text_format(text, "  ... %llu in all", (unsigned long long)owners->registers);
            return;
        }
        lw_text_format(text, "  r%llu ", (unsigned long long)slot.reg);
        lw_put_element(text, map->out.count, out);
    }
}

/* What the element is, why, if there is room beside it, what its thread holds. */
void lw_owner_grid_explain(const struct lw_owner_grid *owners, struct lw_explanation *explanation)
{
    enum { NARROW = 80 }; /* there are two lines: why is cut */
    struct lw_spot spot;
    struct lw_explanation all = {.columns = explanation->columns};
    struct lw_text *text = lw_explanation_line(explanation, "element");
    lw_owner_grid_spot(owners, &spot);
    lw_explain(owners->subject, &spot, &all);
    lw_put_element(text, map_of(owners)->out.count, spot.out);
    lw_text_format(text, "  %s", lw_text_string(&all.line[0].text));
    int lines = 1;
    while (lines < all.count &&
           (!all.line[lines].label[0] || !strcmp(all.line[lines].label, "because")))
        lines++;
    const char *why = lines > 1 ? lw_text_string(&all.line[1].text) : "";
    const size_t width = lw_text_width(lw_text_string(text)) + lw_text_width(why) + 3;
    const bool joins = *why && (width <= explanation->columns || explanation->columns < NARROW);
    lw_text_format(text, "%s%s", joins ? "   " : "", joins ? why : "");
    explain_held(owners, explanation);
    for (int i = 1 + joins; i < lines; i++)
        lw_text_add(lw_explanation_line(explanation, i == 1 + joins ? "because" : ""),
                    lw_text_string(&all.line[i].text));
    lw_explanation_free(&all);
}
