/* Grids of owners, which thread and register holds each element: those of a layout, with the factors of a product of
 * tilus beside them; the operands of an MMA or of a product, and the result; two layouts to compare, or registers A
 * and B of a conversion. They have one size of cells. The thread under the cursor is lit in all of them; two layouts
 * are linked, with the cursor on one element in both, and what is equal is quiet.
 *
 * The rows of a grid are the elements of all dims but the last, the columns those of the last one. A cell is one
 * element, or a vector: the elements along a row that lie together in one thread. A grid that is too wide is folded
 * into bands, one below the other: one of each warp that is beside others, and a tensor of one dim. Of a tensor that
 * does not fit one repeat is drawn, that of the cursor. */

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/picture/picture.h"
#include "view/view_parts.h"

#include <stdarg.h>
#include <string.h>

enum { OPERANDS = 3, FACTORS = 5, PARTS = OPERANDS + FACTORS };
/* columns of an operand that is in memory */
enum {
    NARROW = 16
}; /* columns of a tensor of which a part is read better in numbers than all in blocks */

/* The sizes of cells, from the largest: "w0 l9 r1", "w0 l9 r0-7" for a vector, the first on two lines, one number, one
 * number for a vector, half a character. */
enum size { FULL, VECTOR, TALL, NUMBER, VECTOR_NUMBER, BLOCK };
static const struct {
    bool has_text, is_vector;
    int lines; /* 0: half a line */
} sizes[] = {
    [FULL] = {true, false, 1},    [VECTOR] = {true, true, 1},  [TALL] = {true, false, 2},
    [NUMBER] = {false, false, 1}, [BLOCK] = {false, false, 0}, [VECTOR_NUMBER] = {false, true, 1}};

/* One grid. */
struct part {
    struct lw_grid grid;
    const struct lw_subject *subject;
    struct lw_lit *lit;
    int operand;                            /* its number in a spot */
    struct lw_text name, about;             /* above the grid */
    const struct lw_comparison *comparison; /* elements that are equal are dimmed; NULL: none */
    uint64_t lanes;                         /* of a warp */
    bool is_tilus;                          /* threads and locals, not lanes and registers */
    bool is_memory;                         /* elements have offsets, no owners */
    bool is_tensor_memory; /* they have a row and a column of tensor memory, as lane and register */
    uint64_t warps, threads, blocks, registers; /* how many there are */
    uint64_t vector;    /* elements along the last dim that lie together in a thread */
    uint64_t period[2]; /* of the repeat: rows and columns; all of them where there is none */
    uint64_t all[2];    /* rows and columns of the tensor */
    uint64_t at[2];     /* the cursor: row and column of the tensor */
    /* As placed: */
    enum size size;
    bool with_warps;     /* cells name the warp */
    uint64_t unit;       /* elements in a cell */
    uint64_t band;       /* columns of the tensor in a row of the grid */
    uint64_t origin[2];  /* the first row and column of the repeat that is drawn */
    uint64_t shown[2];   /* rows and columns of the tensor that are drawn */
    struct lw_rect rect; /* with the name; height 0: it is hidden */
};

/* A call of a chain of tilus, local(2, 1).spatial(8, 4).local(1, 2), alone. An index of the product has one digit in
 * each factor, the last factor's the fastest; thread and local are made of the digits likewise. */
struct factor {
    struct lw_subject subject;
    struct lw_lit lit;
};

struct panels {
    struct lw_picture base;
    struct part parts[PARTS]; /* from left to right; behind the first `count` the factors */
    int count, now;           /* now: the part of the cursor */
    struct factor factors[FACTORS];
    int factor_count;
    struct lw_arena arena; /* of factors */
    bool is_linked;        /* two layouts are compared: */
    struct lw_comparison comparison;
    struct lw_map
        hardware[2];       /* of which one has threads and the other lanes, as both have lanes */
    struct lw_view view;   /* of operands */
    struct lw_rect fitted; /* for which sizes were chosen, */
    int fitted_size;       /* with picture.size */
    bool is_fitted;
};

static struct panels *panels_of(const struct lw_picture *picture)
{
    return (struct panels *)picture;
}

static const struct lw_map *map_of(const struct part *part)
{
    return &part->subject->map;
}

static bool is_flat(const struct part *part)
{
    return map_of(part)->out.count == 1;
}

static bool is_repeat(const struct part *part)
{
    return part->shown[0] < part->all[0] || part->shown[1] < part->all[1];
}

/* ---- Elements ---- */

/* The index of the element at a row and a column of the tensor. */
static void element_at(const struct part *part, const uint64_t at[2], uint64_t *out)
{
    lw_picture_element(&map_of(part)->out, at[0] * part->all[1] + at[1], out);
}

static void go_to(struct part *part, const uint64_t *out)
{
    const uint64_t number = lw_element_index(&map_of(part)->out, out);
    part->at[0] = number / part->all[1];
    part->at[1] = number % part->all[1];
}

/* Owner number k of the element at a row and a column of the tensor; in memory its offset as a register without a
 * thread, of tensor memory its row and column as lane and register. */
static bool owner_at(const struct part *part, const uint64_t at[2], uint64_t k,
                     struct lw_slot *owner)
{
    const struct lw_map *map = map_of(part);
    uint64_t out[LW_DIMS_MAX], in[LW_DIMS_MAX] = {0};
    element_at(part, at, out);
    if (!part->is_memory && !part->is_tensor_memory)
        return lw_slot_find(map, part->lanes, out, k, owner);
    if (!lw_map_owner(map, out, k, in))
        return false;
    *owner = (struct lw_slot){.reg = in[0]};
    if (part->is_tensor_memory) {
        owner->lane = owner->thread = in[lw_dims_find(&map->in, "row")];
        owner->reg = in[lw_dims_find(&map->in, "col")];
    }
    return true;
}

/* The row and the column of the tensor at those of the grid. */
static void tensor_at(const struct part *part, const uint64_t cell[2], uint64_t at[2])
{
    at[0] = part->origin[0] + cell[LW_ROW] % part->shown[0];
    at[1] =
        part->origin[1] + cell[LW_ROW] / part->shown[0] * part->band + cell[LW_COL] * part->unit;
}

/* Owner number k of the first element of a cell of the grid. */
static bool owner_in(const struct part *part, const uint64_t cell[2], uint64_t k,
                     struct lw_slot *owner)
{
    uint64_t at[2];
    tensor_at(part, cell, at);
    return owner_at(part, at, k, owner);
}

/* ---- Cells ---- */

enum { WARP, THREAD, REGISTER, FIELDS };

static uint64_t field_of(const struct part *part, const struct lw_slot *owner, int field)
{
    return field == WARP       ? owner->warp
           : field == REGISTER ? owner->reg
           : part->is_tilus    ? owner->thread
                               : owner->lane;
}

static void append(char *text, size_t room, const char *format, ...) LW_PRINTF(3, 4);
static void append(char *text, size_t room, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, room - used, format, args);
    va_end(args);
}

/* Writes "w0 l9 r1", "t9 r1", "w0 l9 r0-7" of the owner `shown` into a cell. Where its elements have several owners,
 * which differ in one field, that is "l9,13" of two, "l9+3" of more; fields of which several differ are "l9+". */
static void put_text(const struct part *part, const struct lw_slot *shown,
                     struct lw_grid_cell *cell)
{
    enum { EXAMINED = 64 };
    const char *const names[FIELDS] = {"w",
                                       part->is_tensor_memory ? "row "
                                       : part->is_tilus       ? "t"
                                                              : "l",
                                       part->is_tensor_memory ? "col " : "r"};
    const bool has_field[FIELDS] = {part->with_warps, part->threads > 1, true};
    const size_t room = sizeof cell->text;
    bool differs[FIELDS] = {false};
    int differing = 0;
    struct lw_slot other, second = *shown;
    for (uint64_t k = 1; k < cell->owners && k < EXAMINED; k++) {
        if (!owner_in(part, cell->at, k, &other))
            break;
        second = k == 1 && shown == &cell->owner ? other : second;
        for (int f = part->is_tilus ? THREAD : WARP; f < FIELDS; f++)
            if (!differs[f] && field_of(part, &other, f) != field_of(part, &cell->owner, f)) {
                differs[f] = true;
                differing++;
            }
    }
    for (int f = 0; f < FIELDS; f++) {
        char *at = f == REGISTER && part->size == TALL ? cell->below : cell->text;
        if (!has_field[f])
            continue;
        append(at, room, "%s%s%llu", *at ? " " : "", names[f],
               (unsigned long long)field_of(part, shown, f));
        if (f == REGISTER && part->unit > 1)
            append(at, room, "-%llu", (unsigned long long)(shown->reg + part->unit - 1));
        else if (differs[f] && differing > 1)
            append(at, room, "+");
        else if (differs[f] && cell->owners == 2)
            append(at, room, ",%llu", (unsigned long long)field_of(part, &second, f));
        else if (differs[f])
            append(at, room, "+%llu", (unsigned long long)cell->owners - 1);
    }
}

/* The number of cells that have only one, by which they are coloured. */
static uint64_t number_of(const struct part *part, const struct lw_slot *owner)
{
    const bool is_register = part->lit->color == LW_LIT_REGISTER || part->threads <= 1;
    return field_of(part, owner,
                    is_register                       ? REGISTER
                    : part->lit->color == LW_LIT_WARP ? WARP
                                                      : THREAD);
}

/* The columns of the longest text: that of the largest numbers, with as many owners as the first element. Of those that
 * are shown the last element has the largest register. */
static int text_width(const struct part *part)
{
    struct lw_grid_cell cell = {.owners = lw_map_replication(map_of(part))};
    struct lw_slot most = {0};
    const uint64_t last[2] = {part->origin[0] + part->shown[0] - 1,
                              part->origin[1] + part->shown[1] - 1};
    owner_in(part, cell.at, 0, &cell.owner);
    most.reg = owner_at(part, last, 0, &most) ? most.reg : part->registers - 1;
    most.reg -= most.reg % part->unit;
    most.warp = part->warps - 1;
    most.thread = part->threads - 1;
    most.lane = part->threads / part->warps - 1;
    if (part->size == BLOCK)
        return 1;
    if (!sizes[part->size].has_text)
        return (int)lw_digits(number_of(part, &most)) + 1;
    put_text(part, &most, &cell);
    const size_t above = strlen(cell.text), below = strlen(cell.below);
    return (int)(above > below ? above : below) + 1;
}

static void fill_cell(void *context, struct lw_grid_cell *cell)
{
    struct part *part = context;
    uint64_t out[LW_DIMS_MAX], at[2];
    tensor_at(part, cell->at, at);
    if (at[1] >= part->all[1])
        return;
    element_at(part, at, out);
    cell->pen = lw_tone(LW_TONE_HOLE);
    cell->owners = lw_map_owner_count(map_of(part), out);
    if (!cell->owners || !owner_at(part, at, 0, &cell->owner))
        return;
    cell->number = number_of(part, &cell->owner);
    cell->pen = lw_hue(LW_TONE_OWNER, cell->number);
    for (uint64_t i = 0; part->comparison && i < part->unit && !cell->mark; i++, at[1]++) {
        element_at(part, at, out);
        cell->mark = lw_compare_element(part->comparison, out);
    }
    if (sizes[part->size].has_text)
        put_text(part, &cell->owner, cell);
    else
        snprintf(cell->text, sizeof cell->text, "%llu", (unsigned long long)cell->number);
}

/* Of a tensor of one dim columns are added to the label of the row. */
static void label(void *context, int axis, uint64_t i, struct lw_text *text)
{
    const struct part *part = context;
    const uint64_t cell[2] = {i, 0}, col = i * part->unit;
    uint64_t out[LW_DIMS_MAX] = {0}, at[2];
    if (axis == LW_COL) {
        const uint64_t number = col + (is_flat(part) ? 0 : part->origin[1]);
        lw_text_format(text, is_flat(part) && col ? "+%llu" : "%llu", (unsigned long long)number);
        return;
    }
    tensor_at(part, cell, at);
    element_at(part, at, out);
    lw_picture_put_row(text, &map_of(part)->out, out);
}

/* Whether a warp or a block begins between two elements, or the lanes begin again from the first. */
static bool rule(void *context, int axis, uint64_t i, struct lw_text *name)
{
    const struct part *part = context;
    const uint64_t cells[3][2] = {{0, 0},
                                  {axis == LW_ROW ? i - 1 : 0, axis == LW_COL ? i - 1 : 0},
                                  {axis == LW_ROW ? i : 0, axis == LW_COL ? i : 0}};
    const bool is_band = axis == LW_ROW && !is_flat(part) && i % part->shown[0] == 0;
    struct lw_slot first, before, here;
    if (!owner_in(part, cells[0], 0, &first) || !owner_in(part, cells[1], 0, &before) ||
        !owner_in(part, cells[2], 0, &here))
        return is_band;
    const bool is_block = before.block != here.block;
    const bool begins = is_block || (before.warp != here.warp && !part->is_tilus);
    if (axis == LW_COL)
        return begins && !is_flat(part) && !part->is_tilus;
    if (name && begins)
        lw_text_format(name, "%s %llu%s", is_block ? "block" : "warp",
                       (unsigned long long)(is_block ? here.block : here.warp),
                       is_band ? ", " : "");
    if (name && is_band)
        lw_text_format(name, "column %llu", (unsigned long long)(i / part->shown[0] * part->band));
    return begins || is_band || (here.thread == first.thread && before.thread != first.thread);
}

/* Whether what is lit owns the first element of a cell, or of a register some element. */
static bool is_lit(const struct part *part, const struct lw_grid_cell *cell)
{
    const struct lw_lit *lit = part->lit;
    struct lw_slot owner = cell->owner;
    for (uint64_t k = 0; k < cell->owners; k++) {
        if (k && !owner_in(part, cell->at, k, &owner))
            continue;
        if (lit->what == LW_LIT_THREAD ? owner.thread == lit->owner.thread
            : lit->what == LW_LIT_WARP ? owner.warp == lit->owner.warp
                                       : lit->owner.reg - owner.reg < part->unit)
            if (lit->what > LW_LIT_WARP || owner.block == lit->owner.block)
                return true;
    }
    return false;
}

static struct lw_pen pen_of(void *context, struct lw_grid_cell *cell)
{
    const struct part *part = context;
    const bool shows_lit = part->lit->on && !part->comparison;
    if (cell->pen.kind != LW_TONE_OWNER || (!shows_lit && (!part->comparison || cell->mark)))
        return cell->pen;
    return lw_hue(shows_lit && is_lit(part, cell) ? LW_TONE_LIT : LW_TONE_QUIET, cell->number);
}

static const struct lw_grid_source source = {fill_cell, label, rule, pen_of};

/* ---- Opening ---- */

/* Shows all of the tensor, or the repeat that has the cursor. */
static void show(struct part *part, bool repeat)
{
    for (int i = 0; i < 2; i++) {
        part->shown[i] = repeat ? part->period[i] : part->all[i];
        part->origin[i] = part->at[i] / part->shown[i] * part->shown[i];
    }
}

/* Adds a part; a factor has a light of its own. */
static struct part *add_part(struct panels *panels, const struct lw_subject *subject,
                             struct lw_lit *lit)
{
    struct lw_picture *picture = &panels->base;
    struct part *part = &panels->parts[picture->grid_count - 1];
    int along = -1;
    *part = (struct part){.subject = subject, .lit = lit};
    picture->grids[picture->grid_count++] = &part->grid;
    panels->count += lit == picture->lit;
    const struct lw_map *map = &subject->map;
    const struct lw_dims *in = &map->in, *out = &map->out;
    part->grid = (struct lw_grid){.source = &source, .context = part, .has_cursor = true};
    part->lanes = subject->lanes ? subject->lanes : LW_LANES_DEFAULT;
    part->is_tilus = lw_dims_find(in, "thread") >= 0;
    part->is_memory = lw_dims_find(in, "offset") >= 0;
    part->is_tensor_memory = lw_dims_find(in, "row") >= 0 && lw_dims_find(in, "col") >= 0;
    part->warps = lw_dims_size(in, "warp");
    part->blocks = lw_dims_size(in, "block");
    part->registers = lw_dims_size(in, "register") * lw_dims_size(in, "local") *
                      lw_dims_size(in, "offset") * lw_dims_size(in, "col");
    part->threads = lw_dims_size(in, "thread") * lw_dims_size(in, "lane") *
                    lw_dims_size(in, "row") * part->warps;
    part->vector = lw_map_vector(map, &along);
    if (along != out->count - 1)
        part->vector = 1;
    part->all[0] = part->all[1] = 1;
    for (int d = 0; d < out->count; d++)
        part->all[d == out->count - 1] *= out->dim[d].size;
    for (int i = 0; i < 2; i++) {
        struct lw_repeat repeat;
        const int dim = out->count - 2 + i;
        part->period[i] = part->all[i];
        if (dim >= 0 && lw_map_repeat(map, dim, &repeat) && repeat.period < part->all[i])
            part->period[i] = repeat.period;
    }
    show(part, false);
    part->band = part->all[1];
    part->unit = 1;
    return part;
}

static void focus(struct panels *panels, int now)
{
    panels->is_fitted = panels->is_fitted && panels->parts[now].rect.height;
    panels->now = now;
    panels->base.focus = now + 1;
    panels->base.at = panels->parts[now].subject;
    for (int i = 0; i < panels->count; i++)
        panels->parts[i].grid.has_cursor = panels->is_linked || i == now;
}

static void close(struct lw_picture *picture)
{
    struct panels *panels = panels_of(picture);
    for (int i = 0; i < PARTS; i++) {
        lw_text_free(&panels->parts[i].name);
        lw_text_free(&panels->parts[i].about);
    }
    lw_arena_free(&panels->arena);
    lw_view_close(&panels->view);
}

/* ---- Factors of a product of tilus ---- */

/* Whether a call is a product with what it is chained to: its digits are those of its own sizes. */
static bool is_simple(const struct lw_encoding *encoding)
{
    static const char *const names[] = {"local", "spatial", "column_local", "column_spatial"};
    for (size_t i = 0; i < LW_COUNT(names); i++)
        if (!strcmp(encoding->type->name, names[i]))
            return !lw_encoding_is_set(encoding, "ranks");
    return false;
}

/* Opens one call of a chain alone. */
static bool open_factor(struct panels *panels, const struct lw_encoding *encoding)
{
    struct factor *factor = &panels->factors[panels->factor_count++];
    struct lw_encoding *alone = lw_encoding_copy(&panels->arena, encoding);
    struct lw_tensor unknown;
    struct lw_map map;
    lw_tensor_unknown(&unknown);
    if (!alone)
        return false;
    alone->params[lw_encoding_param(alone, "base")].kind = LW_VALUE_NONE;
    if (!lw_encoding_build(alone, &unknown, &map, NULL))
        return false;
    lw_subject_init(&factor->subject, &map, &unknown, LW_FAMILY_TILUS_REGISTER);
    struct part *part = add_part(panels, &factor->subject, &factor->lit);
    lw_encoding_print(&part->name, alone);
    factor->lit.what = part->threads > 1 ? LW_LIT_THREAD : LW_LIT_REGISTER;
    part->grid.has_cursor = false;
    part->grid.no_mouse = true;
    part->grid.no_labels[LW_ROW] = true;
    return true;
}

/* Opens the factors of an encoding; none where it is no such product. False when memory is out. */
static bool open_factors(struct panels *panels, const struct lw_encoding *encoding)
{
    const struct lw_encoding *chain[FACTORS];
    int count = 0;
    for (; encoding; encoding = lw_encoding_nested(encoding, "base")) {
        if (count == FACTORS || !is_simple(encoding))
            return true;
        chain[count++] = encoding;
    }
    for (int i = count - 1; i >= 0 && count > 1; i--)
        if (!open_factor(panels, chain[i]))
            return false;
    return true;
}

/* Memory that has no lines of banks has owners too: its offsets. */
static const struct lw_subject *owners_of(const struct lw_model *model, enum lw_side side)
{
    const struct lw_subject *registers = lw_picture_registers(model, side);
    return registers || lw_picture_fits(&lw_picture_memory_lines, model) ? registers
                                                                         : lw_model_own(model);
}

static bool open_owners(struct lw_picture *picture, struct lw_error *err)
{
    struct panels *panels = panels_of(picture);
    add_part(panels, picture->subject, picture->lit);
    focus(panels, 0);
    return open_factors(panels, picture->subject->encoding) ||
           lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

/* ---- Operands ---- */

static const struct lw_subject *own_of(const struct lw_model *model, LW_UNUSED enum lw_side side)
{
    return lw_model_own(model);
}

static const struct lw_subject *mma_of(const struct lw_model *model, LW_UNUSED enum lw_side side)
{
    const struct lw_subject *own = lw_model_own(model);
    return lw_view_fits(lw_view_type_find("mma"), own) ? own : NULL;
}

static const struct lw_subject *product_of(const struct lw_model *model, enum lw_side side)
{
    const struct lw_subject *own = lw_model_own(model);
    return !mma_of(model, side) && lw_view_fits(lw_view_type_find("product"), own) ? own : NULL;
}

/* The operands in registers and the result; of an MMA A, then C, then B: a row of A and a column of B meet in C. */
static bool open_operands(struct lw_picture *picture, struct lw_error *err)
{
    static const int order[2][OPERANDS] = {{0, 1, 2}, {0, 2, 1}};
    struct panels *panels = panels_of(picture);
    const struct lw_view_type *type = lw_view_type_find(picture->type->name);
    if (!lw_view_open(&panels->view, type, picture->subject, NULL, err))
        return false;
    for (int i = 0; i < OPERANDS; i++) {
        struct lw_view_part of;
        const int operand = order[!strcmp(type->name, "mma")][i];
        if (!type->part(&panels->view, operand, &of) || !of.subject || of.memory)
            continue;
        struct part *part = add_part(panels, of.subject, picture->lit);
        part->operand = operand + 1;
        lw_text_add(&part->name, of.name);
        for (int d = 0; d < map_of(part)->out.count; d++)
            lw_text_format(&part->about, "%s%llu", d ? " x " : "",
                           (unsigned long long)map_of(part)->out.dim[d].size);
    }
    if (!panels->count)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "no operand is in registers");
    focus(panels, 0);
    return true;
}

/* ---- Two layouts ---- */

static const struct lw_subject *conversion_of(const struct lw_model *model,
                                              LW_UNUSED enum lw_side side)
{
    return lw_model_is_conversion(model) ? lw_model_at(model, LW_SIDE_A) : NULL;
}

static bool compare(struct lw_comparison *comparison, struct lw_map hardware[2],
                    const struct lw_subject *a, const struct lw_subject *b, struct lw_error *err)
{
    const struct lw_subject *const both[2] = {a, b};
    if (lw_compare(comparison, &a->map, &b->map, err))
        return true;
    for (int i = 0; i < 2; i++) {
        struct lw_layout layout;
        if (!lw_map_to_hardware(&both[i]->map, both[i]->lanes, &layout, NULL))
            return false;
        lw_map_from_layout(&hardware[i], &layout);
    }
    return lw_compare(comparison, &hardware[0], &hardware[1], NULL);
}

bool lw_picture_can_compare(const struct lw_model *a, const struct lw_model *b,
                            struct lw_error *err)
{
    struct lw_comparison comparison;
    struct lw_map hardware[2];
    return compare(&comparison, hardware, lw_model_own(a), lw_model_own(b), err);
}

static bool open_compared(struct lw_picture *picture, struct lw_error *err)
{
    struct panels *panels = panels_of(picture);
    uint64_t differing, all;
    const struct lw_model *model = picture->model, *other = picture->other;
    const struct lw_subject *there = other ? lw_model_own(other) : lw_model_at(model, LW_SIDE_B);
    if (!there)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "there is no layout to compare with");
    if (!compare(&panels->comparison, panels->hardware, picture->subject, there, err))
        return false;
    picture->is_same = lw_compare_count(&panels->comparison, &differing, &all) && !differing;
    panels->is_linked = true;
    struct part *a = add_part(panels, picture->subject, picture->lit),
                *b = add_part(panels, there, picture->lit);
    a->vector = b->vector = a->vector < b->vector ? a->vector : b->vector;
    a->comparison = b->comparison = &panels->comparison;
    if (a->subject->encoding)
        lw_encoding_print_short(&a->name, a->subject->encoding);
    if (other)
        lw_text_add(&b->name, lw_text_string(&other->text));
    else if (there->encoding)
        lw_encoding_print_short(&b->name, there->encoding);
    focus(panels, 0);
    /* The cursor begins where they differ. */
    uint64_t out[LW_DIMS_MAX];
    for (uint64_t i = 0; i < LW_COMPARED_MAX; i++)
        if (!lw_picture_element(&map_of(a)->out, i, out) ||
            lw_compare_element(&panels->comparison, out)) {
            go_to(a, out);
            break;
        }
    return true;
}

/* ---- Arranging ---- */

/* The ways to draw a size of cells: without the blank before a text, without the warp in it, in bands of a warp each,
 * two parts one below the other. */
enum { TIGHT = 1, NO_WARPS = 2, FOLDED = 4, BELOW = 8, WAYS = 16 };

/* The number of columns of one warp, where warps differ in columns; 0: they do not. */
static uint64_t warp_columns(const struct part *part)
{
    struct lw_slot first, here;
    uint64_t at[2] = {part->origin[0], part->origin[1]};
    if (part->warps * part->blocks == 1 || is_flat(part) || !owner_at(part, at, 0, &first))
        return 0;
    for (uint64_t col = 1; col < part->shown[1]; col *= 2) {
        at[1] = part->origin[1] + col;
        if (owner_at(part, at, 0, &here) && (here.warp != first.warp || here.block != first.block))
            return part->shown[1] % col == 0 ? col : 0;
    }
    return 0;
}

/* The size that a part has instead of one that does not apply to it. */
static enum size size_for(const struct part *part, enum size size)
{
    if (size == BLOCK)
        return part->all[1] <= NARROW && !part->operand ? NUMBER : BLOCK;
    if (part->is_memory && sizes[size].has_text)
        return NUMBER;
    return part->vector > 1 || !sizes[size].is_vector ? size : size == VECTOR ? FULL : NUMBER;
}

/* Sets a part to a size of cells in one of the ways, and measures it, up to the limits; false: the way does not apply.
 * Cells name their warp where they can, and must where warps are side by side. Rules are left out where only they do
 * not fit, and of two layouts, so that their rows line up. */
static bool set_cells(struct part *part, enum size size, int way, struct lw_rect limit, int *height,
                      int *width)
{
    struct lw_grid *grid = &part->grid;
    const uint64_t columns = warp_columns(part);
    const bool is_folded = way & FOLDED;
    if (is_folded ? !columns : way & NO_WARPS && columns)
        return false;
    part->unit = sizes[size].is_vector ? part->vector : 1;
    part->size = size;
    part->with_warps = !(way & NO_WARPS) && part->warps > 1;
    part->band = is_folded ? columns : part->shown[1];
    grid->cell_width = text_width(part) + (!(way & TIGHT) && sizes[size].has_text);
    grid->cell_lines = sizes[size].lines;
    grid->to_right = !sizes[size].has_text;
    if (is_flat(part)) {
        const uint64_t most =
            (uint64_t)(limit.width > 12 ? (limit.width - 8) / grid->cell_width : 1);
        for (part->band = part->unit;
             part->band * 2 <= most * part->unit && part->band * 2 <= part->shown[1];)
            part->band *= 2;
    }
    grid->count[LW_COL] = part->band / part->unit;
    grid->count[LW_ROW] = part->shown[0] * ((part->shown[1] + part->band - 1) / part->band);
    grid->no_rules = part->comparison != NULL;
    lw_grid_measure(grid, limit.height, limit.width, height, width);
    if (*height > limit.height && !grid->no_rules && part->band == part->shown[1]) {
        grid->no_rules = true;
        lw_grid_measure(grid, limit.height, limit.width, height, width);
        grid->no_rules = *height <= limit.height;
    }
    return part->band % part->unit == 0;
}

/* Several parts have names; a repeat is drawn with that of which it is one. */
static bool has_title(const struct panels *panels, const struct part *part)
{
    return panels->count > 1 || is_repeat(part);
}

/* What is shown of one part, and whether all rows must fit, or columns alone; with cells of a size up to `last`. */
struct stage {
    bool is_repeat, all_rows;
    enum size last;
};

/* Arranges the parts numbered `from` to `to` with a size of cells in one of the ways; false: they do not fit. */
static bool fit(struct panels *panels, const int group[2], const struct stage *stage,
                enum size size, int way, struct lw_rect rect)
{
    const bool is_below = way & BELOW;
    int row = rect.row, col = rect.col;
    bool applies = false;
    for (int i = group[0]; i <= group[1]; i++) {
        struct part *part = &panels->parts[i];
        const enum size own = size_for(part, size);
        struct lw_rect limit = rect;
        int height, width;
        show(part, stage->is_repeat);
        limit.height -= has_title(panels, part);
        if (!set_cells(part, own, way, limit, &height, &width))
            return false;
        if (width > rect.width || (stage->all_rows && height > limit.height))
            return false;
        applies = applies || own == size;
        height += rect.height - limit.height;
        if (!is_below || (!stage->all_rows && height > rect.height / 2))
            height = is_below ? rect.height / 2 : rect.height;
        if (group[0] == group[1])
            width = rect.width;
        part->rect = (struct lw_rect){row, col, height, width};
        row += is_below ? height : 0;
        col += is_below ? 0 : width + LW_GAP;
    }
    return applies &&
           (is_below ? row <= rect.row + rect.height : col - LW_GAP <= rect.col + rect.width);
}

/* Chooses the size of cells of a group of parts: the largest with which all of it fits, or of one part one repeat, or
 * columns alone; then vectors, of which there are fewer, come first. False: none fits. */
static bool choose(struct panels *panels, const int group[2], struct lw_rect rect)
{
    static const struct stage stages[] = {{false, true, VECTOR_NUMBER},
                                          {true, true, VECTOR_NUMBER},
                                          {true, false, VECTOR_NUMBER},
                                          {false, true, BLOCK},
                                          {false, false, BLOCK}};
    const bool is_one = group[0] == group[1];
    const int ways = is_one              ? TIGHT | NO_WARPS | FOLDED
                     : panels->is_linked ? TIGHT | BELOW
                                         : TIGHT | NO_WARPS;
    int left = -panels->base.size; /* to pass over */
    if (group[0] < 0 || group[1] >= panels->count)
        return false;
    for (int i = 0; i < panels->count; i++)
        panels->parts[i].rect.height = 0;
    for (size_t s = 0; s < LW_COUNT(stages); s++) {
        const struct stage *stage = &stages[s];
        int found = -1, found_way = 0;
        show(&panels->parts[group[0]], true);
        if (stage->is_repeat && !(is_one && is_repeat(&panels->parts[group[0]])))
            continue;
        for (int i = 0; i <= (int)stage->last && left >= 0; i++) {
            const int size = stage->all_rows || i > 1 ? i : 1 - i;
            for (int way = 0; way < WAYS; way++)
                if (!(way & ~ways) && fit(panels, group, stage, (enum size)size, way, rect)) {
                    found = size;
                    found_way = way;
                    left--;
                    break;
                }
        }
        if (found >= 0)
            return fit(panels, group, stage, (enum size)found, found_way, rect);
    }
    return false;
}

/* Goes to the digits of the element under the cursor. */
static void follow_factors(struct panels *panels)
{
    uint64_t out[LW_DIMS_MAX], digit[LW_DIMS_MAX] = {0};
    element_at(&panels->parts[0], panels->parts[0].at, out);
    for (int i = panels->factor_count - 1; i >= 0; i--) {
        struct part *part = &panels->parts[panels->count + i];
        const struct lw_dims *dims = &map_of(part)->out;
        for (int d = 0; d < dims->count; d++) {
            digit[d] = out[d] % dims->dim[d].size;
            out[d] /= dims->dim[d].size;
        }
        go_to(part, digit);
        part->lit->on = panels->base.lit->on && owner_at(part, part->at, 0, &part->lit->owner);
    }
}

/* Arranges the factors beside the owners, if they have room there. */
static bool arrange_factors(struct panels *panels)
{
    struct lw_rect beside = panels->parts[0].grid.rect;
    int height, width, needed;
    lw_grid_measure(&panels->parts[0].grid, 0, beside.width, &height, &needed);
    for (int i = 0; i < panels->factor_count; i++) {
        struct part *part = &panels->parts[panels->count + i];
        const int name = (int)lw_text_width(lw_text_string(&part->name));
        set_cells(part, NUMBER, 0, (struct lw_rect){0, 0, 4000, 4000}, &height, &width);
        width = width > name ? width : name;
        part->rect = (struct lw_rect){beside.row + 2, beside.col + needed + LW_GAP,
                                      beside.height - 2, width};
        needed += LW_GAP + width;
    }
    for (int i = 0; i < panels->factor_count; i++) {
        struct part *part = &panels->parts[panels->count + i];
        if (needed > beside.width)
            part->rect.height = 0;
        if (!lw_grid_arrange(&part->grid, part->rect))
            return false;
    }
    return true;
}

/* Shows all parts, or the one of the cursor and a neighbour, or else that one alone. */
static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    struct panels *panels = panels_of(picture);
    const int now = panels->now, all = panels->count - 1;
    const int groups[][2] = {{0, all}, {now, now + 1}, {now - 1, now}, {now, now}};
    struct part *first = &panels->parts[0], *at = &panels->parts[now];
    const bool is_new = !panels->is_fitted || panels->fitted_size != picture->size ||
                        memcmp(&rect, &panels->fitted, sizeof rect) != 0 ||
                        at->at[0] - at->origin[0] >= at->shown[0] ||
                        at->at[1] - at->origin[1] >= at->shown[1];
    size_t g = 0;
    while (is_new && g < LW_COUNT(groups) && !choose(panels, groups[g], rect))
        g++;
    if (g == LW_COUNT(groups)) { /* not even one column fits */
        int height, width;
        show(at, false);
        set_cells(at, NUMBER, 0, rect, &height, &width);
        at->rect = rect;
    }
    panels->fitted = rect;
    panels->fitted_size = picture->size;
    panels->is_fitted = true;
    for (int i = 0; i <= all; i++) {
        struct part *part = &panels->parts[i];
        struct lw_rect below = part->rect;
        if (is_new)
            lw_grid_changed(&part->grid);
        if (!below.height) {
            lw_grid_hide(&part->grid);
            continue;
        }
        below.row += has_title(panels, part);
        below.height -= has_title(panels, part);
        if (panels->is_linked && i) {
            memcpy(part->at, first->at, sizeof part->at);
            part->grid.first[LW_ROW] = first->grid.first[LW_ROW];
        }
        const uint64_t col = part->at[1] - part->origin[1];
        part->grid.at[LW_ROW] = col / part->band * part->shown[0] + part->at[0] - part->origin[0];
        part->grid.at[LW_COL] = col % part->band / part->unit;
        if (!lw_grid_arrange(&part->grid, below))
            return false;
    }
    if (!panels->factor_count)
        return true;
    follow_factors(panels);
    return arrange_factors(panels);
}

/* ---- Drawing ---- */

/* Above a repeat: "A, one repeat: 16 x 64 of 1024 x 1024", and the sentence of its repeats. */
static void draw_repeat(const struct part *part, struct lw_surface *surface)
{
    struct lw_text name = {0}, about = {0};
    lw_text_format(&name, "%s%sone repeat: %llu x %llu of %llu x %llu", lw_text_string(&part->name),
                   part->name.length ? ", " : "", (unsigned long long)part->shown[0],
                   (unsigned long long)part->shown[1], (unsigned long long)part->all[0],
                   (unsigned long long)part->all[1]);
    lw_map_put_repeats(&about, map_of(part));
    lw_picture_draw_title(surface, &part->grid, LW_TONE_TITLE, lw_text_string(&name),
                          lw_text_string(&about));
    lw_text_free(&name);
    lw_text_free(&about);
}

static void draw(struct lw_picture *picture, struct lw_surface *surface)
{
    const struct panels *panels = panels_of(picture);
    for (int i = 0; i < panels->count + panels->factor_count; i++) {
        const struct part *part = &panels->parts[i];
        const struct lw_rect *rect = &part->grid.rect;
        const bool is_on = panels->view.type && i == panels->now;
        if (!part->rect.height)
            continue;
        if (i == panels->count)
            lw_put(surface, rect->row - 2, rect->col, surface->width, lw_tone(LW_TONE_FAINT),
                   "the product of");
        else if (i > panels->count)
            lw_put(surface, rect->row - 1, rect->col - 3, 1, lw_tone(LW_TONE_FAINT), "\xc3\x97");
        if (is_repeat(part))
            draw_repeat(part, surface);
        else
            lw_picture_draw_title(surface, &part->grid, is_on ? LW_TONE_LABEL_ON : LW_TONE_TITLE,
                                  lw_text_string(&part->name), lw_text_string(&part->about));
    }
}

/* ---- The cursor ---- */

/* `at` moved by steps of a unit, within `count`. */
static uint64_t step(uint64_t at, int64_t by, uint64_t unit, uint64_t count)
{
    return lw_step_within(at / unit, by, (count + unit - 1) / unit) * unit;
}

/* In a tensor of one dim a row is a part of it. At the edge of an operand the cursor goes on in the next one. */
static void move(struct lw_picture *picture, int64_t rows, int64_t cols)
{
    struct panels *panels = panels_of(picture);
    struct part *part = &panels->parts[panels->now];
    const uint64_t before = part->at[1], last = part->all[1] - 1;
    if (rows && is_flat(part))
        part->at[1] = step(before, rows, part->band, part->all[1]) + before % part->band;
    else if (rows)
        part->at[0] = lw_step_within(part->at[0], rows, part->all[0]);
    if (cols)
        part->at[1] = step(before, cols, part->unit, part->all[1]);
    part->at[1] = part->at[1] > last ? last : part->at[1];
    const int next = panels->now + (cols == 1) - (cols == -1);
    if (panels->is_linked || part->at[1] != before || next == panels->now || next < 0 ||
        next == panels->count)
        return;
    struct part *other = &panels->parts[next];
    focus(panels, next);
    other->at[0] = part->at[0] < other->all[0] ? part->at[0] : other->all[0] - 1;
    other->at[1] = cols > 0 ? 0 : other->all[1] - 1;
}

static bool move_to(struct lw_picture *picture, int grid, const uint64_t at[2])
{
    struct panels *panels = panels_of(picture);
    const int i = grid - 1;
    struct part *part = &panels->parts[panels->is_linked ? 0 : i];
    tensor_at(&panels->parts[i], at, part->at);
    if (part->at[1] >= part->all[1]) /* the last row may have fewer cells */
        part->at[1] = part->all[1] - 1;
    if (!panels->is_linked)
        focus(panels, i);
    return true;
}

static bool spot(const struct lw_picture *picture, struct lw_spot *spot)
{
    const struct part *part = &panels_of(picture)->parts[panels_of(picture)->now];
    element_at(part, part->at, spot->out);
    spot->has_out = true;
    spot->has_in = lw_map_owner(map_of(part), spot->out, 0, spot->in);
    spot->operand = part->operand;
    return true;
}

static bool go(struct lw_picture *picture, const struct lw_spot *spot)
{
    struct panels *panels = panels_of(picture);
    for (int i = 0; i < panels->count && spot->has_out; i++) {
        struct part *part = &panels->parts[i];
        const bool is_it = !panels->view.type ? !part->operand
                           : spot->operand    ? part->operand == spot->operand
                                              : part->subject == picture->subject;
        if (is_it) {
            focus(panels, i);
            go_to(part, spot->out);
            return true;
        }
    }
    return false;
}

/* By thread, warp, register: of what differs. */
static void color(struct lw_picture *picture)
{
    struct panels *panels = panels_of(picture);
    const struct part *part = &panels->parts[panels->now];
    const enum lw_lit_what now = picture->lit->color;
    const bool has_registers = part->threads > 1 && part->registers > 1;
    picture->lit->color = now == LW_LIT_THREAD && part->warps > 1   ? LW_LIT_WARP
                          : now != LW_LIT_REGISTER && has_registers ? LW_LIT_REGISTER
                                                                    : LW_LIT_THREAD;
    panels->is_fitted = false;
}

/* ---- The inspector ---- */

/* "warp 1 lane 9: r2 (5,4)  r3 (5,5)": from the register under the cursor on, as many as there is room for. */
static void explain_held(const struct part *part, struct lw_explanation *explanation)
{
    const struct lw_map *map = map_of(part);
    struct lw_slot slot;
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    if (part->is_memory || part->is_tensor_memory || part->registers < 2 ||
        !owner_at(part, part->at, 0, &slot))
        return;
    struct lw_text *text = lw_explanation_line(explanation, "holds");
    if (!part->is_tilus && part->warps > 1)
        lw_text_format(text, "warp %llu ", (unsigned long long)slot.warp);
    lw_text_format(text, part->is_tilus ? "thread %llu:" : "lane %llu:",
                   (unsigned long long)field_of(part, &slot, THREAD));
    for (uint64_t i = 0; i < part->registers; i++, slot.reg = (slot.reg + 1) % part->registers) {
        if (!lw_slot_index(map, part->lanes, &slot, in) || !lw_map_apply(map, in, out))
            continue;
        if (lw_text_width(lw_text_string(text)) + 24 > explanation->columns) {
            lw_text_format(text, "  ... %llu in all", (unsigned long long)part->registers);
            return;
        }
        lw_text_format(text, "  r%llu ", (unsigned long long)slot.reg);
        lw_put_element(text, map->out.count, out);
    }
}

/* What the element is; what its thread holds; why, beside it if there is room. */
static void explain_element(const struct part *part, struct lw_explanation *explanation)
{
    enum { FEW = 80 }; /* columns with which there are two lines: why is cut */
    struct lw_spot here = {.has_out = true};
    struct lw_explanation all = {.columns = explanation->columns};
    struct lw_text *text = lw_explanation_line(explanation, "element");
    int lines = 1;
    element_at(part, part->at, here.out);
    lw_explain(part->subject, &here, &all);
    lw_put_element(text, map_of(part)->out.count, here.out);
    lw_text_format(text, "  %s", lw_text_string(&all.line[0].text));
    while (lines < all.count &&
           (!all.line[lines].label[0] || !strcmp(all.line[lines].label, "because")))
        lines++;
    const char *why = lines > 1 ? lw_text_string(&all.line[1].text) : "";
    const size_t width = lw_text_width(lw_text_string(text)) + lw_text_width(why) + 3;
    const bool joins = *why && (width <= explanation->columns || explanation->columns < FEW);
    lw_text_format(text, "%s%s", joins ? "   " : "", joins ? why : "");
    explain_held(part, explanation);
    for (int i = 1 + joins; i < lines; i++)
        lw_text_add(lw_explanation_line(explanation, i == 1 + joins ? "because" : ""),
                    lw_text_string(&all.line[i].text));
    lw_explanation_free(&all);
}

static void explain_owners(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct panels *panels = panels_of(picture);
    explain_element(&panels->parts[0], explanation);
    struct lw_text *text = panels->factor_count ? lw_explanation_line(explanation, "digits") : NULL;
    for (int i = 0; i < panels->factor_count; i++) {
        const struct part *part = &panels->parts[panels->count + i];
        uint64_t digit[LW_DIMS_MAX];
        element_at(part, part->at, digit);
        lw_text_add(text, i ? "   " : "");
        lw_put_element(text, map_of(part)->out.count, digit);
        lw_text_format(text, " of %s", lw_text_string(&part->name));
    }
}

/* What the thread under the cursor holds of each part. */
static void explain_operands(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct panels *panels = panels_of(picture);
    struct lw_spot here;
    if (!spot(picture, &here))
        return;
    lw_explain(picture->at, &here, explanation);
    if (explanation->count > 1)
        explanation->count = 1;
    if (panels->view.type->explain_thread)
        panels->view.type->explain_thread(&panels->view, &here, explanation);
}

/* "warp 0, lane 9, register 1", and how many more owners. */
static void put_owners(struct lw_text *text, const struct lw_map *map, const uint64_t *out)
{
    uint64_t in[LW_DIMS_MAX], count = lw_map_owner_count(map, out);
    if (lw_map_owner(map, out, 0, in))
        lw_put_hardware_index(text, &map->in, in);
    else
        lw_text_add(text, "no owner");
    if (count > 1)
        lw_text_format(text, " and %llu more", (unsigned long long)count - 1);
}

static void explain_compared(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct panels *panels = panels_of(picture);
    struct lw_text *text = lw_explanation_line(explanation, "differ");
    struct lw_spot at;
    uint64_t differing, all;
    spot(picture, &at);
    if (!lw_compare_count(&panels->comparison, &differing, &all))
        lw_text_format(text, "more than %d elements and owners, not all examined: %llu differ",
                       LW_COMPARED_MAX, (unsigned long long)differing);
    else if (!differing)
        lw_text_add(text, "the same: every element has the same owners");
    else
        lw_text_format(text, "%llu of %llu elements have other owners",
                       (unsigned long long)differing, (unsigned long long)all);
    const bool differs = lw_compare_element(&panels->comparison, at.out);
    text = lw_explanation_line(explanation, "element");
    lw_put_element(text, picture->subject->map.out.count, at.out);
    for (int i = 0; i < (differs ? 2 : 1); i++) {
        lw_text_add(text, !differs ? "   in both: " : i ? "   there: " : "   here: ");
        put_owners(text, &panels->parts[i].subject->map, at.out);
    }
}

#define PANELS                                                                                     \
    .state_size = sizeof(struct panels), .close = close, .arrange = arrange, .draw = draw,         \
    .move = move, .move_to = move_to, .spot = spot, .go = go, .color = color

const struct lw_picture_type lw_picture_owners = {.name = "owners",
                                                  .title = "Owners",
                                                  .about = "who holds each element",
                                                  .can_point = true,
                                                  .is_tab = true,
                                                  .subject = owners_of,
                                                  .open = open_owners,
                                                  .explain = explain_owners,
                                                  PANELS};
const struct lw_picture_type lw_picture_mma = {.name = "mma",
                                               .title = "MMA",
                                               .about = "operands and result",
                                               .can_point = true,
                                               .is_tab = true,
                                               .subject = mma_of,
                                               .open = open_operands,
                                               .explain = explain_operands,
                                               PANELS};
const struct lw_picture_type lw_picture_product = {.name = "product",
                                                   .title = "Product",
                                                   .about = "two layouts and theirs",
                                                   .can_point = true,
                                                   .is_tab = true,
                                                   .subject = product_of,
                                                   .open = open_operands,
                                                   .explain = explain_operands,
                                                   PANELS};
const struct lw_picture_type lw_picture_compare = {.name = "compare",
                                                   .title = "Compare",
                                                   .about = "two layouts side by side",
                                                   .subject = own_of,
                                                   .open = open_compared,
                                                   .explain = explain_compared,
                                                   PANELS};
const struct lw_picture_type lw_picture_conversion = {.name = "conversion",
                                                      .title = "Conversion",
                                                      .about = "what moves from A to B",
                                                      .is_tab = true,
                                                      .subject = conversion_of,
                                                      .open = open_compared,
                                                      .explain = explain_compared,
                                                      PANELS};
