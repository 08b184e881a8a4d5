/* Owner grids: the text of owners, the size of cells, rules between warps, what is lit. */

#include "tui/picture/owner_grid.h"

#include "core/array_count.h"
#include "tui/picture/picture.h"
#include "tui/terminal/events.h"
#include "view/view_parts.h"

#include <string.h>

static const struct lw_map *map_of(const struct lw_owner_grid *owners)
{
    return &owners->subject->map;
}

/* ---- Elements ---- */

/* The index of the element at a row and a column of the tensor. */
static void index_of(const struct lw_owner_grid *owners, uint64_t row, uint64_t col, uint64_t *out)
{
    const struct lw_dims *dims = &map_of(owners)->out;
    if (dims->count)
        out[dims->count - 1] = col;
    for (int d = dims->count - 2; d >= 0; d--) {
        out[d] = row % dims->dim[d].size;
        row /= dims->dim[d].size;
    }
}

/* The offset of an element in memory, as a register without a thread; of tensor memory its row and column. */
static bool offset_of(const struct lw_map *map, const uint64_t *out, uint64_t k,
                      struct lw_slot *owner)
{
    uint64_t in[LW_DIMS_MAX] = {0};
    memset(owner, 0, sizeof *owner);
    if (!lw_map_owner(map, out, k, in))
        return false;
    owner->reg = in[0];
    int row = lw_dims_find(&map->in, "row"), col = lw_dims_find(&map->in, "col");
    if (row >= 0 && col >= 0) {
        owner->lane = owner->thread = in[row];
        owner->reg = in[col];
    }
    return true;
}

/* Owner number k of the element at a row and a column of the tensor. */
static bool owner_at(const struct lw_owner_grid *owners, uint64_t row, uint64_t col, uint64_t k,
                     struct lw_slot *owner)
{
    uint64_t out[LW_DIMS_MAX];
    index_of(owners, row, col, out);
    if (owners->is_memory || owners->is_tensor_memory)
        return offset_of(map_of(owners), out, k, owner);
    return lw_slot_find(map_of(owners), owners->lanes, out, k, owner);
}

/* The row and the column of the tensor at those of the grid. */
static void tensor_at(const struct lw_owner_grid *owners, uint64_t row, uint64_t col,
                      uint64_t at[2])
{
    at[0] = owners->origin[0] + (owners->wrap ? 0 : row);
    at[1] = owners->origin[1] + row * owners->wrap + col * owners->unit;
}

/* Owner number k of the first element of a cell of the grid. */
static bool owner_in(const struct lw_owner_grid *owners, uint64_t row, uint64_t col, uint64_t k,
                     struct lw_slot *owner)
{
    uint64_t at[2];
    tensor_at(owners, row, col, at);
    return owner_at(owners, at[0], at[1], k, owner);
}

/* ---- Texts ---- */

static uint64_t dim_size(const struct lw_map *map, const char *name)
{
    int dim = lw_dims_find(&map->in, name);
    return dim < 0 ? 1 : map->in.dim[dim].size;
}

static int digits_of(uint64_t count)
{
    int digits = 1;
    for (uint64_t last = count ? count - 1 : 0; last >= 10; last /= 10)
        digits++;
    return digits;
}

/* Which fields differ between the owners of an element: of up to `MANY` of them. */
static void compare_owners(const struct lw_owner_grid *owners, const struct lw_grid_cell *cell,
                           bool differs[3], uint64_t *second)
{
    enum { MANY = 64 };
    struct lw_slot other;
    memset(differs, 0, 3 * sizeof *differs);
    for (uint64_t k = 1; k < cell->owners && k < MANY; k++) {
        if (!owner_in(owners, cell->row, cell->col, k, &other))
            return;
        const uint64_t mine[3] = {cell->owner.warp, cell->owner.lane, cell->owner.reg};
        const uint64_t its[3] = {other.warp, other.lane, other.reg};
        for (int f = 0; f < 3; f++)
            if (mine[f] != its[f]) {
                differs[f] = true;
                if (k == 1)
                    *second = its[f];
            }
    }
}

/* Writes the number of a field: "9", "9,13" of two owners, "9+3" of more, "9+" where other fields differ too. */
static int put_number(char *at, size_t room, char letter, uint64_t number, bool differs, bool alone,
                      uint64_t owners, uint64_t second)
{
    if (!differs)
        return snprintf(at, room, "%c%llu", letter, (unsigned long long)number);
    if (!alone)
        return snprintf(at, room, "%c%llu+", letter, (unsigned long long)number);
    if (owners == 2)
        return snprintf(at, room, "%c%llu,%llu", letter, (unsigned long long)number,
                        (unsigned long long)second);
    return snprintf(at, room, "%c%llu+%llu", letter, (unsigned long long)number,
                    (unsigned long long)owners - 1);
}

/* "w0 l9 r1", "t9 r1", "w0 l9 r0-7". */
static void put_text(const struct lw_owner_grid *owners, struct lw_grid_cell *cell)
{
    bool differs[3] = {false, false, false};
    uint64_t second = 0;
    char *at = cell->text;
    size_t room = sizeof cell->text;
    if (owners->is_tensor_memory) {
        int used = snprintf(at, room, "row %llu col %llu", (unsigned long long)cell->owner.lane,
                            (unsigned long long)cell->owner.reg);
        if (owners->unit > 1)
            snprintf(at + used, room - (size_t)used, "-%llu",
                     (unsigned long long)(cell->owner.reg + owners->unit - 1));
        return;
    }
    if (cell->owners > 1)
        compare_owners(owners, cell, differs, &second);
    const bool alone = differs[0] + differs[1] + differs[2] == 1;
    const struct lw_slot *owner = &cell->owner;
    int used = 0;
    if (owners->with_warps && !owners->is_tilus)
        used = put_number(at, room, 'w', owner->warp, differs[0], alone, cell->owners, second);
    if (owners->threads > 1) {
        const char *gap = used ? " " : "";
        used += snprintf(at + used, room - (size_t)used, "%s", gap);
        bool other = differs[1] || (owners->is_tilus && differs[0]);
        used += put_number(at + used, room - (size_t)used, owners->is_tilus ? 't' : 'l',
                           owners->is_tilus ? owner->thread : owner->lane, other,
                           alone && !owners->is_tilus, cell->owners, second);
    }
    char *reg = owners->size == LW_SIZE_TALL ? cell->below : at + used;
    size_t reg_room = owners->size == LW_SIZE_TALL ? sizeof cell->below : room - (size_t)used;
    if (owners->size != LW_SIZE_TALL && used) {
        *reg++ = ' ';
        *reg = '\0';
        reg_room--;
    }
    if (owners->unit > 1)
        snprintf(reg, reg_room, "r%llu-%llu", (unsigned long long)owner->reg,
                 (unsigned long long)(owner->reg + owners->unit - 1));
    else
        put_number(reg, reg_room, 'r', owner->reg, differs[2], alone, cell->owners, second);
}

/* The number of cells that have only one. */
static uint64_t number_of(const struct lw_owner_grid *owners, const struct lw_slot *owner)
{
    const enum lw_lit_what color = owners->lit ? owners->lit->color : LW_LIT_THREAD;
    return color == LW_LIT_WARP                            ? owner->warp
           : color == LW_LIT_REGISTER || owners->is_memory ? owner->reg
           : owners->threads <= 1                          ? owner->reg
           : owners->is_tilus                              ? owner->thread
                                                           : owner->lane;
}

enum lw_lit_what lw_owner_grid_next_color(const struct lw_owner_grid *owners)
{
    const enum lw_lit_what color = owners->lit->color;
    if (color == LW_LIT_THREAD && owners->warps > 1)
        return LW_LIT_WARP;
    const bool has_registers = owners->threads > 1 && owners->registers > 1;
    return color != LW_LIT_REGISTER && has_registers ? LW_LIT_REGISTER : LW_LIT_THREAD;
}

/* The columns of the longest text of a size. */
static int text_width(const struct lw_owner_grid *owners, enum lw_cell_size size, bool with_warps)
{
    const bool copies = lw_map_replication(map_of(owners)) > 1, threads = owners->threads > 1;
    const int lane =
        digits_of(owners->is_tilus ? owners->threads : owners->threads / owners->warps);
    const int reg = owners->reg_digits;
    int thread = threads ? 1 + lane + (copies ? 1 + lane : 0) : 0;
    if (owners->is_tensor_memory)
        thread = 8 + lane; /* "row 127 col" */
    if (with_warps && !owners->is_tilus)
        thread += 2 + digits_of(owners->warps);
    switch (size) {
    case LW_SIZE_FULL:
        return thread + threads + 1 + reg + 1;
    case LW_SIZE_VECTOR:
        return thread + threads + 1 + 2 * reg + 1 + 1;
    case LW_SIZE_TALL:
        return (thread > 1 + reg ? thread : 1 + reg) + 1;
    case LW_SIZE_NUMBER:
    case LW_SIZE_VECTOR_NUMBER:
        return (threads ? lane : reg) + 1;
    default:
        return 1;
    }
}

/* ---- The grid ---- */

static void cell_at(void *context, uint64_t row, uint64_t col, struct lw_grid_cell *cell)
{
    struct lw_owner_grid *owners = context;
    const struct lw_map *map = map_of(owners);
    uint64_t out[LW_DIMS_MAX], at[2];
    tensor_at(owners, row, col, at);
    if (at[1] >= owners->all[1])
        return;
    index_of(owners, at[0], at[1], out);
    cell->kind = LW_GRID_HOLE;
    cell->owners = lw_map_owner_count(map, out);
    if (!cell->owners || !owner_at(owners, at[0], at[1], 0, &cell->owner)) {
        snprintf(cell->text, sizeof cell->text, "\xc2\xb7");
        return;
    }
    cell->kind = LW_GRID_HUE;
    cell->number = number_of(owners, &cell->owner);
    for (uint64_t i = 0; owners->comparison && i < owners->unit && !cell->mark; i++) {
        index_of(owners, at[0], at[1] + i, out);
        cell->mark = lw_compare_element(owners->comparison, out);
    }
    if (owners->size == LW_SIZE_NUMBER || owners->size == LW_SIZE_VECTOR_NUMBER)
        snprintf(cell->text, sizeof cell->text, "%llu", (unsigned long long)cell->number);
    else if (owners->size != LW_SIZE_BLOCK)
        put_text(owners, cell);
}

static void row_label(void *context, uint64_t row, struct lw_text *text)
{
    const struct lw_owner_grid *owners = context;
    const struct lw_dims *dims = &map_of(owners)->out;
    uint64_t out[LW_DIMS_MAX] = {0}, at[2];
    tensor_at(owners, row, 0, at);
    index_of(owners, at[0], at[1], out);
    for (int d = 0; d < (dims->count > 1 ? dims->count - 1 : dims->count); d++)
        lw_text_format(text, "%s%llu", d ? "," : "", (unsigned long long)out[d]);
}

/* Of a tensor of one dim, what is added to the label of the row. */
static void col_label(void *context, uint64_t col, struct lw_text *text)
{
    const struct lw_owner_grid *owners = context;
    uint64_t number = col * owners->unit + (owners->wrap ? 0 : owners->origin[1]);
    lw_text_format(text, owners->wrap && number ? "+%llu" : "%llu", (unsigned long long)number);
}

/* Whether the lanes start again from the first between two elements, or the warp or the block changes; its name. */
static bool group_begins(const struct lw_owner_grid *owners, const struct lw_slot *first,
                         const struct lw_slot *before, const struct lw_slot *here,
                         struct lw_text *name)
{
    if (before->block != here->block) {
        lw_text_format(name, "block %llu", (unsigned long long)here->block);
        return true;
    }
    if (before->warp != here->warp) {
        if (!owners->is_tilus)
            lw_text_format(name, "warp %llu", (unsigned long long)here->warp);
        return !owners->is_tilus;
    }
    return here->thread == first->thread && before->thread != first->thread;
}

static bool row_rule(void *context, uint64_t row, struct lw_text *name)
{
    const struct lw_owner_grid *owners = context;
    struct lw_slot first, before, here;
    return owner_in(owners, 0, 0, 0, &first) && owner_in(owners, row - 1, 0, 0, &before) &&
           owner_in(owners, row, 0, 0, &here) && group_begins(owners, &first, &before, &here, name);
}

static bool col_rule(void *context, uint64_t col, struct lw_text *name)
{
    const struct lw_owner_grid *owners = context;
    struct lw_slot before, here;
    return !owners->wrap && !owners->is_tilus && owner_in(owners, 0, col - 1, 0, &before) &&
           owner_in(owners, 0, col, 0, &here) &&
           (before.block != here.block || before.warp != here.warp) &&
           group_begins(owners, &here, &before, &here, name);
}

static bool is_lit(const struct lw_owner_grid *owners, const struct lw_slot *owner)
{
    const struct lw_lit *lit = owners->lit;
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
    if (is_lit(owners, &cell->owner))
        return true;
    for (uint64_t k = 1; k < cell->owners; k++)
        if (owner_in(owners, cell->row, cell->col, k, &other) && is_lit(owners, &other))
            return true;
    return false;
}

static struct lw_pen pen_of(void *context, const struct lw_grid_cell *cell)
{
    const struct lw_owner_grid *owners = context;
    if (cell->kind != LW_GRID_HUE)
        return lw_grid_pen(cell);
    if (owners->comparison && !cell->mark)
        return lw_hue(LW_TONE_QUIET, cell->number);
    if (!owners->lit || !owners->lit->on || owners->comparison)
        return lw_grid_pen(cell);
    return lw_hue(cell_is_lit(owners, cell) ? LW_TONE_LIT : LW_TONE_QUIET, cell->number);
}

static const struct lw_grid_source source = {cell_at,  row_label, col_label,
                                             row_rule, col_rule,  pen_of};

/* ---- Opening ---- */

static void show_all(struct lw_owner_grid *owners)
{
    owners->origin[0] = owners->origin[1] = 0;
    owners->shown[0] = owners->all[0];
    owners->shown[1] = owners->all[1];
}

void lw_owner_grid_open(struct lw_owner_grid *owners, const struct lw_subject *subject,
                        struct lw_lit *lit)
{
    const struct lw_map *map = &subject->map;
    const struct lw_dims *dims = &map->out;
    struct lw_repeat repeat;
    int along = -1;
    memset(owners, 0, sizeof *owners);
    owners->subject = subject;
    owners->lit = lit;
    owners->grid.source = &source;
    owners->grid.context = owners;
    owners->grid.has_cursor = true;
    owners->lanes = subject->lanes ? subject->lanes : LW_LANES_DEFAULT;
    owners->is_tilus = lw_dims_find(&map->in, "thread") >= 0;
    owners->is_memory = lw_dims_find(&map->in, "offset") >= 0;
    owners->is_tensor_memory =
        lw_dims_find(&map->in, "row") >= 0 && lw_dims_find(&map->in, "col") >= 0;
    owners->warps = dim_size(map, "warp");
    owners->blocks = dim_size(map, "block");
    owners->threads = owners->is_tilus
                          ? dim_size(map, "thread")
                          : dim_size(map, "lane") * dim_size(map, "row") * owners->warps;
    owners->registers = dim_size(map, "register") * dim_size(map, "local") *
                        dim_size(map, "offset") * dim_size(map, "col");
    owners->vector = lw_map_vector(map, &along);
    if (along != dims->count - 1)
        owners->vector = 1;
    owners->all[0] = owners->all[1] = owners->unit = 1;
    for (int d = 0; d < dims->count; d++)
        owners->all[d == dims->count - 1] *= dims->dim[d].size;
    for (int i = 0; i < 2; i++) {
        int dim = dims->count - 2 + i;
        owners->period[i] = owners->all[i];
        if (dim >= 0 && lw_map_repeat(map, dim, &repeat))
            owners->period[i] = repeat.period;
    }
    show_all(owners);
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
    if (owners->warps * owners->blocks == 1 || map_of(owners)->out.count == 1 ||
        !owner_at(owners, owners->origin[0], owners->origin[1], 0, &first))
        return 0;
    for (uint64_t col = 1; col < owners->shown[1]; col *= 2)
        if (owner_at(owners, owners->origin[0], owners->origin[1] + col, 0, &here) &&
            (here.warp != first.warp || here.block != first.block))
            return owners->shown[1] % col == 0 ? col : 0;
    return 0;
}

/* The digits of the registers that are shown: the last element has the largest one. */
static int shown_reg_digits(const struct lw_owner_grid *owners)
{
    struct lw_slot last;
    return owner_at(owners, owners->origin[0] + owners->shown[0] - 1,
                    owners->origin[1] + owners->shown[1] - 1, 0, &last)
               ? digits_of(last.reg + 1)
               : digits_of(owners->registers);
}

/* Ways to draw a size of cells, the best first. */
struct way {
    bool is_folded; /* warps are below each other, not beside */
    bool has_warps; /* cells name the warp */
    bool is_wide;   /* there is a blank after the longest text */
};
static const struct way ways[] = {{false, true, true},   {false, false, true}, {false, true, false},
                                  {false, false, false}, {true, true, true},   {true, true, false}};

/* Sets the grid to a size of cells; false: the size does not apply. */
static bool set_size(struct lw_owner_grid *owners, enum lw_cell_size size, struct way way,
                     int width)
{
    const bool with_warps = way.has_warps && owners->warps > 1;
    struct lw_grid *grid = &owners->grid;
    const struct lw_dims *dims = &map_of(owners)->out;
    const bool vectors = size == LW_SIZE_VECTOR || size == LW_SIZE_VECTOR_NUMBER;
    owners->unit = vectors ? owners->vector : 1;
    if ((vectors && owners->vector == 1) || (owners->is_memory && size < LW_SIZE_NUMBER) ||
        (owners->is_tensor_memory && size == LW_SIZE_TALL))
        return false;
    owners->size = size;
    owners->with_warps = with_warps;
    owners->reg_digits = shown_reg_digits(owners);
    grid->cell_width = text_width(owners, size, with_warps);
    if (size == LW_SIZE_FULL || size == LW_SIZE_VECTOR)
        grid->cell_width += way.is_wide;
    grid->cell_lines = size == LW_SIZE_BLOCK ? 0 : size == LW_SIZE_TALL ? 2 : 1;
    grid->to_right = size != LW_SIZE_FULL && size != LW_SIZE_VECTOR;
    grid->fold = 0;
    owners->wrap = 0;
    grid->rows = owners->shown[0];
    grid->cols = owners->shown[1] / owners->unit;
    if (dims->count == 1) {
        uint64_t columns = 1, most = (uint64_t)(width > 12 ? (width - 8) / grid->cell_width : 1);
        while (columns * 2 <= most && columns * 2 <= grid->cols)
            columns *= 2;
        owners->wrap = columns * owners->unit;
        grid->rows = (grid->cols + columns - 1) / columns;
        grid->cols = columns;
    }
    if (way.is_folded) {
        uint64_t columns = warp_columns(owners);
        if (!columns || columns % owners->unit)
            return false;
        grid->fold = columns / owners->unit;
        /* The letter of the warp is needed: bands have no names. */
        return with_warps || size == LW_SIZE_NUMBER || size == LW_SIZE_VECTOR_NUMBER;
    }
    return true;
}

/* Whether cells must name the warp: rules name it only where warps are below each other. */
static bool needs_warps(const struct lw_owner_grid *owners)
{
    return owners->warps > 1 && (owners->comparison || warp_columns(owners));
}

/* Measures the grid; rules are left out where only they do not fit, and of two layouts, so that their rows line up. */
static void measure(struct lw_owner_grid *owners, int height_limit, int width_limit, int *height,
                    int *width)
{
    owners->grid.no_rules = owners->comparison != NULL;
    lw_grid_measure(&owners->grid, height_limit, width_limit, height, width);
    if (*height <= height_limit || owners->comparison)
        return;
    owners->grid.no_rules = true;
    lw_grid_measure(&owners->grid, height_limit, width_limit, height, width);
    owners->grid.no_rules = *height <= height_limit;
}

bool lw_owner_grid_try(struct lw_owner_grid *owners, enum lw_cell_size size, int height_limit,
                       int width_limit, int *height, int *width)
{
    show_all(owners);
    if (!set_size(owners, size, (struct way){false, needs_warps(owners), true}, width_limit))
        return false;
    measure(owners, height_limit, width_limit, height, width);
    return true;
}

/* The first way in which cells of a size fit; NULL: none. */
static const struct way *find_way(struct lw_owner_grid *owners, enum lw_cell_size size,
                                  struct lw_rect rect, bool only_width)
{
    const bool needed = needs_warps(owners);
    for (size_t i = 0; i < LW_COUNT(ways); i++) {
        int height, width;
        if ((needed && !ways[i].has_warps) || !set_size(owners, size, ways[i], rect.width))
            continue;
        measure(owners, rect.height, rect.width, &height, &width);
        if (width <= rect.width && (only_width || height <= rect.height))
            return &ways[i];
    }
    return NULL;
}

/* Chooses the largest cells, up to `last`, with which what is shown fits, or its columns alone: then vectors, of
 * which there are fewer, come first. False: none. */
static bool choose_size(struct lw_owner_grid *owners, struct lw_rect rect, int smaller,
                        enum lw_cell_size last, bool only_width)
{
    static const enum lw_cell_size scrolled[] = {LW_SIZE_VECTOR,        LW_SIZE_FULL,
                                                 LW_SIZE_TALL,          LW_SIZE_NUMBER,
                                                 LW_SIZE_VECTOR_NUMBER, LW_SIZE_BLOCK};
    enum lw_cell_size sizes[LW_SIZES];
    const struct way *found[LW_SIZES];
    int count = 0;
    for (int i = 0; i <= (int)last; i++) {
        enum lw_cell_size size = only_width ? scrolled[i] : (enum lw_cell_size)i;
        if ((found[count] = find_way(owners, size, rect, only_width)))
            sizes[count++] = size;
    }
    if (!count)
        return false;
    int at = smaller < count ? smaller : count - 1;
    return set_size(owners, sizes[at], *found[at], rect.width);
}

/* The repeat that has the cursor; false: there is one only. */
static bool show_repeat(struct lw_owner_grid *owners)
{
    bool repeats = false;
    for (int i = 0; i < 2; i++) {
        owners->shown[i] = owners->period[i] < owners->all[i] ? owners->period[i] : owners->all[i];
        owners->origin[i] = owners->at[i] / owners->shown[i] * owners->shown[i];
        repeats = repeats || owners->shown[i] < owners->all[i];
    }
    return repeats;
}

bool lw_owner_grid_is_repeat(const struct lw_owner_grid *owners)
{
    return owners->shown[0] < owners->all[0] || owners->shown[1] < owners->all[1];
}

bool lw_owner_grid_arrange(struct lw_owner_grid *owners, struct lw_rect rect)
{
    struct lw_grid *grid = &owners->grid;
    grid->row = owners->at[0] - owners->origin[0];
    grid->col = owners->at[1] - owners->origin[1];
    if (owners->wrap) {
        grid->row = grid->col / owners->wrap;
        grid->col %= owners->wrap;
    }
    grid->col /= owners->unit;
    return lw_grid_arrange(grid, rect);
}

/* Whether the size was chosen for the same rectangle, and the cursor is within what is shown. */
static bool is_fitted(const struct lw_owner_grid *owners, struct lw_rect rect, int smaller)
{
    for (int i = 0; i < 2; i++)
        if (owners->at[i] < owners->origin[i] ||
            owners->at[i] - owners->origin[i] >= owners->shown[i])
            return false;
    return owners->is_fitted && owners->fitted_smaller == smaller &&
           !memcmp(&rect, &owners->fitted, sizeof rect);
}

bool lw_owner_grid_fit(struct lw_owner_grid *owners, struct lw_rect rect, int smaller)
{
    const struct lw_owner_grid was = *owners;
    if (is_fitted(owners, rect, smaller))
        return lw_owner_grid_arrange(owners, rect);
    show_all(owners);
    if (!choose_size(owners, rect, smaller, LW_SIZE_VECTOR_NUMBER, false)) {
        bool repeats = show_repeat(owners);
        if (!repeats || (!choose_size(owners, rect, smaller, LW_SIZE_VECTOR_NUMBER, false) &&
                         !choose_size(owners, rect, smaller, LW_SIZE_VECTOR_NUMBER, true))) {
            /* A narrow tensor is read better in cells with text, of which a part is visible. */
            const bool is_narrow = owners->all[1] <= 16;
            show_all(owners);
            if ((is_narrow || !choose_size(owners, rect, smaller, LW_SIZE_BLOCK, false)) &&
                !choose_size(owners, rect, smaller, LW_SIZE_BLOCK, true))
                set_size(owners, LW_SIZE_NUMBER, (struct way){0}, rect.width);
        }
    }
    if (was.size != owners->size || was.unit != owners->unit ||
        was.with_warps != owners->with_warps || was.wrap != owners->wrap ||
        was.grid.cell_width != owners->grid.cell_width || was.origin[0] != owners->origin[0] ||
        was.origin[1] != owners->origin[1])
        lw_grid_changed(&owners->grid);
    owners->fitted = rect;
    owners->fitted_smaller = smaller;
    owners->is_fitted = true;
    return lw_owner_grid_arrange(owners, rect);
}

/* ---- The cursor ---- */

/* The cursor is where that of the grid is. */
static void take_cursor(struct lw_owner_grid *owners)
{
    tensor_at(owners, owners->grid.row, owners->grid.col, owners->at);
    if (owners->at[1] >= owners->all[1])
        owners->at[1] = owners->all[1] - 1;
}

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

void lw_owner_grid_move(struct lw_owner_grid *owners, int64_t rows, int64_t cols)
{
    if (owners->grid.fold) {
        lw_grid_move(&owners->grid, rows, cols);
        take_cursor(owners);
        return;
    }
    if (rows && owners->wrap)
        owners->at[1] = step_by(owners->at[1], rows, owners->wrap, owners->all[1]) +
                        owners->at[1] % owners->wrap;
    else if (rows)
        owners->at[0] = lw_step_within(owners->at[0], rows, owners->all[0]);
    if (cols && owners->unit) /* 0: it was not arranged yet */
        owners->at[1] = step_by(owners->at[1], cols, owners->unit, owners->all[1]);
    if (owners->at[1] >= owners->all[1])
        owners->at[1] = owners->all[1] - 1;
}

void lw_owner_grid_spot(const struct lw_owner_grid *owners, struct lw_spot *spot)
{
    memset(spot, 0, sizeof *spot);
    index_of(owners, owners->at[0], owners->at[1], spot->out);
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
    const struct lw_grid_cell *cell = lw_grid_hit(&owners->grid, event->row, event->col);
    if (event->kind == LW_EVENT_WHEEL) {
        lw_grid_scroll(&owners->grid, event->amount);
        take_cursor(owners);
        return true;
    }
    if (!cell)
        return false;
    if (event->kind != LW_EVENT_HOVER) {
        tensor_at(owners, cell->row, cell->col, owners->at);
    } else if (!owners->lit->on || owners->lit->by_pointer) {
        owners->lit->on = owners->lit->by_pointer = true;
        owners->lit->owner = cell->owner;
    }
    return true;
}

/* ---- The inspector ---- */

/* "lane 9: r0 (5,4)  r1 (5,5)": the registers of the thread of an owner, as many as `columns` have room for. */
static void put_held(const struct lw_owner_grid *owners, const struct lw_slot *owner,
                     size_t columns, struct lw_text *text)
{
    const struct lw_map *map = map_of(owners);
    struct lw_slot slot = *owner;
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    lw_text_format(text, owners->is_tilus ? "thread %llu:" : "lane %llu:",
                   (unsigned long long)(owners->is_tilus ? owner->thread : owner->lane));
    for (slot.reg = 0; slot.reg < owners->registers; slot.reg++) {
        if (!lw_slot_index(map, owners->lanes, &slot, in) || !lw_map_apply(map, in, out))
            continue;
        if (lw_text_width(lw_text_string(text)) + 24 > columns) {
            lw_text_format(text, "  ... %llu in all", (unsigned long long)owners->registers);
            return;
        }
        lw_text_format(text, "  r%llu ", (unsigned long long)slot.reg);
        lw_put_element(text, map->out.count, out);
    }
}

/* The bits and the bases, without the way back from the element. */
static void put_bits(const struct lw_owner_grid *owners, const struct lw_spot *spot,
                     struct lw_explanation *explanation)
{
    struct lw_explanation bits = {.columns = explanation->columns};
    const char *label = "";
    lw_explain(owners->subject, spot, &bits);
    for (int i = 1; i < bits.count; i++) {
        label = bits.line[i].label[0] ? bits.line[i].label : label;
        if (!strcmp(label, "because") && !strstr(lw_text_string(&bits.line[i].text), "every index"))
            lw_text_add(lw_explanation_add(explanation, bits.line[i].label),
                        lw_text_string(&bits.line[i].text));
    }
    lw_explanation_free(&bits);
}

/* "   to (2,7)  register 7": the last element of a cell of several. */
static void put_last(struct lw_text *text, const struct lw_owner_grid *owners, const uint64_t *out)
{
    const struct lw_map *map = map_of(owners);
    uint64_t last[LW_DIMS_MAX], in[LW_DIMS_MAX];
    const int along = map->out.count - 1;
    if (owners->unit < 2 || along < 0)
        return;
    memcpy(last, out, sizeof *out * (size_t)map->out.count);
    last[along] += owners->unit - 1;
    if (last[along] >= map->out.dim[along].size || !lw_map_owner(map, last, 0, in))
        return;
    lw_text_add(text, "   to ");
    lw_put_element(text, map->out.count, last);
    lw_text_format(text, "  %s %llu", map->in.dim[0].name, (unsigned long long)in[0]);
}

void lw_owner_grid_explain(const struct lw_owner_grid *owners,
                           void (*why)(const void *context, const uint64_t *out,
                                       struct lw_explanation *explanation),
                           const void *context, struct lw_explanation *explanation)
{
    struct lw_spot spot;
    struct lw_slot owner;
    lw_owner_grid_spot(owners, &spot);
    struct lw_text *text = lw_explanation_add(explanation, "element");
    lw_put_element(text, map_of(owners)->out.count, spot.out);
    if (!spot.has_in) {
        lw_text_add(text, "  has no owner");
        return;
    }
    lw_text_add(text, "  ");
    lw_put_hardware_index(text, &map_of(owners)->in, spot.in);
    uint64_t count = lw_map_owner_count(map_of(owners), spot.out);
    if (count > 1)
        lw_text_format(text, ", and %llu more owner%s", (unsigned long long)count - 1,
                       count > 2 ? "s" : "");
    else
        put_last(text, owners, spot.out);
    if (why)
        why(context, spot.out, explanation);
    else
        put_bits(owners, &spot, explanation);
    if (!owners->is_memory && !owners->is_tensor_memory &&
        owner_at(owners, owners->at[0], owners->at[1], 0, &owner) && owners->registers > 1)
        put_held(owners, &owner, explanation->columns ? explanation->columns : 100,
                 lw_explanation_add(explanation, "holds"));
}
