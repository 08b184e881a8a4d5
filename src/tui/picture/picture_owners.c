/* Grids of owners, which thread and register holds each element: those of a layout, with the factors of a product of
 * tilus beside them; the operands of an MMA or of a product, and the result; two layouts to compare, or registers A
 * and B of a conversion. They have one size of cells. The thread under the cursor is lit in all of them; two layouts
 * are linked, with the cursor on one element in both, and what is equal is quiet.
 *
 * The rows of a grid are the elements of all dims but the last, the columns those of the last one. A cell is one
 * element, or a vector: the elements along a row that lie together in one thread. A grid that is too wide is folded
 * into bands, one below the other: one of each warp that is beside others, and a tensor of one dim. Of a tensor that
 * does not fit one repeat is drawn, that of the cursor; of operands what one warp has, the cursor of each at the thread
 * of the cursor. */

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/picture/picture.h"
#include "view/operand/product.h"

#include <string.h>

enum { OPERANDS = 3, PARTS = 1 + LW_PRODUCT_STEPS };

/* The sizes of cells, from the largest. Of those that fit the largest is chosen; `-` passes over it. */
static const struct size {
    bool has_text, is_vector;
    int lines; /* 0: half a line */
    bool is_narrow;
} sizes[] = {
    {true, false, 1, false},  /* w0 l9 r1 */
    {true, true, 1, false},   /* w0 l9 r0-7: a vector */
    {true, false, 2, false},  /* w0 l9 over r1 */
    {false, false, 1, false}, /* 9 */
    {false, true, 1, false},  /* 9: a vector */
    {false, false, 1, true},  /* a character: colours repeat, with a mark */
    {false, false, 0, true},  /* half a character */
};
enum { VECTOR = 1, NUMBER = 3, NARROW = 5, BLOCK = 6 };

/* One grid. */
struct part {
    struct lw_grid grid;
    const struct lw_subject *subject;
    struct lw_lit *lit;
    int operand;                /* its number in a spot */
    struct lw_text name, about; /* above the grid: what it is, and what is drawn of it */
    const struct lw_comparison *comparison; /* elements that are equal are dimmed; NULL: none */
    bool is_factor;            /* of a product, whose cursor may be at the digits of an element */
    bool in_registers;         /* else in memory: elements have offsets; or rows and columns */
    bool is_tilus;             /* threads and locals, not lanes and registers */
    struct lw_owner_dims dims; /* of the owners; an offset is a register, a row a lane */
    uint64_t warps, threads, blocks, registers; /* how many there are */
    uint64_t vector;     /* elements along the last dim that lie together in a thread */
    uint64_t period[2];  /* of the repeat: rows and columns; all of them where there is none */
    uint64_t of_warp[2]; /* rows and columns that lie together in one warp */
    uint64_t all[2];     /* rows and columns of the tensor */
    uint64_t at[2];      /* the cursor: row and column of the tensor */
    /* As placed: */
    const struct size *size;
    bool is_digit;       /* the cursor is at the digits of an element, and no thread is lit */
    bool is_one_warp;    /* one of several is drawn */
    bool with_warps;     /* cells name the warp */
    bool is_glued;       /* numbers have no blank before them */
    uint64_t label_step; /* labels of rows do, of columns so far apart; 0: they do not */
    uint64_t unit;       /* elements in a cell */
    uint64_t band;       /* columns of the tensor in a row of the grid */
    uint64_t origin[2];  /* the first row and column of the repeat that is drawn */
    uint64_t shown[2];   /* rows and columns of the tensor that are drawn */
    struct lw_rect rect; /* with the name; height 0: it is hidden */
};

/* How parts are arranged in a rectangle: which, what of them is shown and must fit, in what cells. */
struct plan {
    int from, to; /* the first and the last one */
    struct lw_rect rect;
    int stage, way;
    const struct size *size;
};

struct panels {
    struct lw_picture base;
    struct part parts[PARTS]; /* from left to right; behind the first `count` the factors */
    int count, now;           /* now: the part of the cursor */
    struct lw_view view;      /* of operands */
    struct lw_view product;   /* of owners: with their factors, */
    struct lw_subject factors[LW_PRODUCT_STEPS]; /* local(2, 1).spatial(8, 4), each alone */
    int factor_count;
    bool is_linked;         /* two layouts are compared: */
    enum lw_lit_what color; /* of `lit`, before it became that in which they differ */
    const char *sides[2];   /* their names: "left" and "right", or "A" and "B" */
    struct lw_comparison comparison;
    struct lw_map hardware[2]; /* with lanes, where only one of them has threads */
    struct plan plan;
    struct lw_rect fitted; /* for which it was chosen; height 0: it was not, */
    int fitted_size;       /* with picture.size */
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

/* What is drawn of it, or of large memory all, has a sentence of its repeats. */
static bool is_repeat(const struct part *part)
{
    const uint64_t *of = part->in_registers ? part->shown : part->period;
    return of[0] < part->all[0] || of[1] < part->all[1];
}

/* ---- Elements ---- */

/* The index of the element at a row and a column of the tensor. */
static void element_at(const struct part *part, const uint64_t at[2], uint64_t *out)
{
    lw_element_at(&map_of(part)->out, at[0] * part->all[1] + at[1], out);
}

static void go_to(struct part *part, const uint64_t *out)
{
    const uint64_t number = lw_element_index(&map_of(part)->out, out);
    part->at[0] = number / part->all[1];
    part->at[1] = number % part->all[1];
}

/* Owner number k of the element at a row and a column of the tensor. */
static bool owner_at(const struct part *part, const uint64_t at[2], uint64_t k,
                     struct lw_slot *owner)
{
    uint64_t out[LW_DIMS_MAX], in[LW_DIMS_MAX] = {0};
    element_at(part, at, out);
    if (!lw_map_owner(map_of(part), out, k, in))
        return false;
    *owner = lw_slot_at(&part->dims, in);
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

static uint64_t field_of(const struct part *part, const struct lw_slot *owner,
                         enum lw_lit_what field)
{
    return field == LW_LIT_WARP       ? owner->warp
           : field == LW_LIT_REGISTER ? owner->reg
           : part->is_tilus           ? owner->thread
                                      : owner->lane;
}

/* Writes "w0 l9 r1", "t9 r1", "w0 l9 r0-7" of the owner `shown` into a cell. A field in which a second owner of its
 * element differs is "l9,13" of two owners; the first such field is "l9+3" of more. */
static void put_text(const struct part *part, const struct lw_slot *shown,
                     struct lw_grid_cell *cell)
{
    const struct {
        enum lw_lit_what what;
        bool is_shown;
        const char *name;
    } fields[] = {{LW_LIT_WARP, part->with_warps, "w"},
                  {LW_LIT_THREAD, part->threads > 1,
                   part->is_tilus       ? "t"
                   : part->in_registers ? "l"
                                        : "row "},
                  {LW_LIT_REGISTER, part->registers > 1 || part->threads == 1 || !part->is_factor,
                   part->in_registers ? "r" : "col "}};
    struct lw_slot second = cell->owner;
    bool is_counted = cell->owners < 2 || !owner_in(part, cell->at, 1, &second);
    for (size_t f = 0; f < LW_COUNT(fields); f++) {
        const bool is_register = fields[f].what == LW_LIT_REGISTER;
        const uint64_t number = field_of(part, shown, fields[f].what);
        const uint64_t other = field_of(part, &second, fields[f].what);
        const bool differs = other != field_of(part, &cell->owner, fields[f].what);
        char *text = is_register && part->size->lines == 2 ? cell->below : cell->text;
        char rest[24] = "";
        const size_t used = strlen(text);
        if (!fields[f].is_shown)
            continue;
        if (is_register && part->unit > 1) {
            snprintf(rest, sizeof rest, "-%llu", (unsigned long long)(number + part->unit - 1));
        } else if (differs && cell->owners == 2) {
            snprintf(rest, sizeof rest, ",%llu",
                     (unsigned long long)(shown == &cell->owner ? other : number));
        } else if (differs && !is_counted) {
            snprintf(rest, sizeof rest, "+%llu", (unsigned long long)cell->owners - 1);
            is_counted = true;
        }
        snprintf(text + used, sizeof cell->text - used, "%s%s%llu%s", used ? " " : "",
                 fields[f].name, (unsigned long long)number, rest);
    }
}

/* What the number of cells that have only one is of, by which they are coloured. */
static enum lw_lit_what colored_by(const struct part *part)
{
    const struct part *twin = part->grid.twin ? part->grid.twin->context : part;
    return part->threads > 1 || twin->threads > 1 ? part->lit->color : LW_LIT_REGISTER;
}

static uint64_t number_of(const struct part *part, const struct lw_slot *owner)
{
    return field_of(part, owner, colored_by(part));
}

/* Before that number, of two layouts, "w" of a warp, "r" of a register. */
static const char *sign_of(const struct part *part)
{
    static const char *const signs[] = {"", "w", "r"};
    return part->comparison && part->in_registers ? signs[colored_by(part)] : "";
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
    const int sign = (int)strlen(sign_of(part));
    if (!part->size->has_text)
        return part->size->is_narrow ? 1 : sign + (int)lw_digits(number_of(part, &most)) + 1;
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
    if (part->size->has_text)
        put_text(part, &cell->owner, cell);
    else /* a narrow cell's is too long to be shown */
        snprintf(cell->text, sizeof cell->text, part->size->is_narrow ? "%s%02llu" : "%s%llu",
                 sign_of(part), (unsigned long long)cell->number);
}

/* "w0,1 ": the warps along a row of the grid from an element on, until they repeat. */
static void put_warps(const struct part *part, uint64_t at[2], struct lw_text *text)
{
    const uint64_t end = at[1] + part->band;
    uint64_t first = UINT64_MAX;
    struct lw_slot owner;
    for (; at[1] < end && at[1] < part->all[1]; at[1] += part->label_step) {
        if (!owner_at(part, at, 0, &owner) || owner.warp == first)
            break;
        first = text->length ? first : owner.warp;
        lw_text_format(text, "%s%llu", text->length ? "," : "w", (unsigned long long)owner.warp);
    }
    lw_text_add(text, " ");
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
    if (part->label_step)
        put_warps(part, at, text);
    lw_picture_put_row(text, &map_of(part)->out, out);
}

/* Whether a warp or a block begins between two elements, or lanes begin again from the first. */
static bool rule(void *context, int axis, uint64_t i, struct lw_text *name)
{
    const struct part *part = context;
    const uint64_t cells[3][2] = {{0, 0},
                                  {axis == LW_ROW ? i - 1 : 0, axis == LW_COL ? i - 1 : 0},
                                  {axis == LW_ROW ? i : 0, axis == LW_COL ? i : 0}};
    const bool is_band = axis == LW_ROW && !is_flat(part) && i % part->shown[0] == 0;
    struct lw_slot first, before, here;
    if (axis == LW_COL && (is_flat(part) || part->is_tilus))
        return false;
    if (!owner_in(part, cells[1], 0, &before) || !owner_in(part, cells[2], 0, &here))
        return is_band;
    const bool is_block = before.block != here.block;
    const bool begins = is_block || (before.warp != here.warp && !part->is_tilus);
    if (name && begins)
        lw_text_format(name, "%s %llu%s", is_block ? "block" : "warp",
                       (unsigned long long)(is_block ? here.block : here.warp),
                       is_band ? ", " : "");
    if (name && is_band)
        lw_text_format(name, "column %llu", (unsigned long long)(i / part->shown[0] * part->band));
    return begins || is_band ||
           (axis == LW_ROW && part->warps == 1 && here.lane != before.lane &&
            owner_in(part, cells[0], 0, &first) && here.lane == first.lane);
}

/* Whether what is lit owns the first element of a cell, or of a register some element. */
static bool is_lit(const struct part *part, const struct lw_grid_cell *cell)
{
    const struct lw_lit *lit = part->lit;
    struct lw_slot owner = cell->owner;
    for (uint64_t k = 0; k < cell->owners; k++) {
        if (k && !owner_in(part, cell->at, k, &owner))
            continue;
        if (lit->what >= LW_LIT_REGISTER      ? lit->owner.reg - owner.reg < part->unit
            : owner.block != lit->owner.block ? false
            : lit->what == LW_LIT_WARP        ? owner.warp == lit->owner.warp
                                              : owner.thread == lit->owner.thread)
            return true;
    }
    return false;
}

static struct lw_pen pen_of(void *context, struct lw_grid_cell *cell)
{
    const struct part *part = context;
    if (cell->pen.kind != LW_TONE_OWNER || (part->comparison ? cell->mark : !part->lit->on))
        return cell->pen;
    return lw_hue(part->comparison                        ? LW_TONE_EQUAL
                  : !part->is_digit && is_lit(part, cell) ? LW_TONE_LIT
                                                          : LW_TONE_QUIET,
                  cell->number);
}

static const struct lw_grid_source source = {fill_cell, label, rule, pen_of};

/* ---- Opening ---- */

/* Of more rows or columns one repeat is enough; more elements are a large memory; more numbers may stand close. */
enum { LARGE = 16, MANY = 4096, WIDE = 8, ENOUGH = 1024 /* elements that differ */ };

/* For one part, several, or two layouts: what is shown, all or one repeat down, or across, of several parts of those
 * that are large, or also of small ones, but not of factors, and of that what one warp has. */
enum { ONE = 1, SEVERAL = 2, COMPARED = 4, DOWN = 8, ACROSS = 16, SMALL = 32, WARP = 64 };
/* What must fit; whether blocks will do, or numbers without blanks between them, or the last part below the others. */
enum { ROWS = 128, TITLES = 256, COLUMNS = 512, BLOCKS = 1024, GLUED = 2048, UNDER = 4096 };

/* Shows what has the cursor of a part. */
static void show(struct part *part, int what)
{
    part->is_one_warp = false;
    for (int i = 0; i < 2; i++) {
        const bool is_large = !part->is_factor && (what & SMALL || part->all[i] > LARGE);
        const bool is_one =
            part->in_registers && what & (i ? ACROSS : DOWN) && (what & ONE || is_large);
        part->shown[i] = is_one ? part->period[i] : part->all[i];
        if (what & WARP && part->of_warp[i] < part->shown[i]) {
            part->shown[i] = part->of_warp[i];
            part->is_one_warp = true;
        }
        part->origin[i] = part->at[i] / part->shown[i] * part->shown[i];
    }
}

/* Adds a part. */
static struct part *add_part(struct panels *panels, const struct lw_subject *subject)
{
    struct lw_picture *picture = &panels->base;
    struct part *part = &panels->parts[picture->grid_count - 1];
    int along = -1;
    *part = (struct part){.subject = subject, .lit = picture->lit};
    picture->grids[picture->grid_count++] = &part->grid;
    const struct lw_map *map = &subject->map;
    const struct lw_dims *in = &map->in, *out = &map->out;
    part->grid = (struct lw_grid){.source = &source, .context = part, .has_cursor = true};
    part->in_registers = lw_owner_dims_find(
        &part->dims, in, subject->lanes ? subject->lanes : LW_LANES_DEFAULT, NULL);
    part->is_tilus = part->dims.thread >= 0;
    if (!part->in_registers) {
        part->dims.lane = lw_dims_find(in, "row");
        part->dims.reg = lw_dims_find(in, part->dims.lane < 0 ? "offset" : "col");
    }
    part->warps = lw_dims_size(in, "warp");
    part->blocks = lw_dims_size(in, "block");
    part->registers = lw_dims_size(in, "register") * lw_dims_size(in, "local") *
                      lw_dims_size(in, "offset") * lw_dims_size(in, "col");
    part->threads = lw_dims_size(in, "thread") * lw_dims_size(in, "lane") *
                    lw_dims_size(in, "row") * part->warps;
    part->vector = lw_map_vector(map, &along);
    part->all[0] = part->all[1] = 1;
    for (int d = 0; d < out->count; d++)
        part->all[d == out->count - 1] *= out->dim[d].size;
    const bool has_repeats = part->in_registers || part->all[0] * part->all[1] > MANY;
    if (along != out->count - 1 || (!part->in_registers && part->vector == part->all[1]))
        part->vector = 1;
    for (int i = 0; i < 2; i++) {
        struct lw_repeat repeat;
        part->period[i] = part->of_warp[i] = part->all[i];
        if (part->warps * part->blocks > 1)
            part->of_warp[i] = lw_map_of_warp(map, part->dims.lanes, i == 0);
        if (has_repeats && lw_map_repeat(map, out->count - 2 + i, &repeat))
            part->period[i] = repeat.period;
    }
    show(part, 0);
    part->band = part->all[1];
    part->unit = 1;
    return part;
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

/* Sets the cursors of the other operands, at the thread of the cursor or at the digits of its element, and of factors,
 * at these. */
static void follow_cursor(struct panels *panels)
{
    const struct lw_view_type *type = panels->view.type;
    struct lw_factor factors[LW_PRODUCT_STEPS];
    uint64_t out[LW_DIMS_MAX];
    struct lw_spot here = {0};
    spot(&panels->base, &here);
    for (int i = 0; i < panels->count; i++) {
        struct part *part = &panels->parts[i];
        const bool is_other = type && i != panels->now;
        part->is_digit = false;
        if (is_other && type->linked(&panels->view, &here, part->operand - 1, out)) {
            go_to(part, out);
            part->is_digit = part->is_factor;
        }
        part->grid.has_cursor = !is_other || part->is_digit;
    }
    if (panels->factor_count)
        lw_product_factors(&panels->product, here.out, factors);
    for (int i = 0; i < panels->factor_count; i++)
        go_to(&panels->parts[i + 1], factors[i].element);
}

/* The cursor goes on in another part, at what belongs to it. */
static void focus(struct panels *panels, int now)
{
    follow_cursor(panels);
    if (!panels->parts[now].rect.height)
        panels->fitted.height = 0;
    panels->now = now;
    panels->base.focus = now + 1;
    panels->base.at = panels->parts[now].subject;
    panels->base.operand = panels->view.type ? &panels->parts[now].name : NULL;
}

static bool go(struct lw_picture *picture, const struct lw_spot *spot)
{
    struct panels *panels = panels_of(picture);
    for (int i = 0; i < panels->count && spot->has_out; i++) {
        struct part *part = &panels->parts[i];
        if (!panels->view.type ||
            (spot->operand ? part->operand == spot->operand : part->subject == picture->subject)) {
            focus(panels, i);
            go_to(part, spot->out);
            return true;
        }
    }
    return false;
}

static void close(struct lw_picture *picture)
{
    struct panels *panels = panels_of(picture);
    for (int i = 0; i < PARTS; i++) {
        lw_text_free(&panels->parts[i].name);
        lw_text_free(&panels->parts[i].about);
    }
    lw_view_close(&panels->view);
    lw_view_close(&panels->product);
    if (panels->is_linked)
        picture->lit->color = panels->color;
}

/* Memory that has no lines of banks has owners too: its offsets. */
static const struct lw_subject *owners_of(const struct lw_model *model, enum lw_side side)
{
    const struct lw_subject *registers = lw_picture_registers(model, side);
    return registers || lw_picture_fits(&lw_picture_memory_lines, model) ? registers
                                                                         : lw_model_own(model);
}

/* The owners, and of a product of tilus its factors. */
static bool open_owners(struct lw_picture *picture, LW_UNUSED struct lw_error *err)
{
    static const uint64_t origin[LW_DIMS_MAX];
    struct panels *panels = panels_of(picture);
    struct lw_factor factors[LW_PRODUCT_STEPS];
    struct lw_tensor unknown;
    const bool is_tilus = add_part(panels, picture->subject)->is_tilus;
    panels->count = 1;
    focus(panels, 0);
    lw_tensor_unknown(&unknown);
    if (is_tilus && lw_view_open(&panels->product, &lw_view_product, picture->subject, NULL, NULL))
        panels->factor_count = lw_product_factors(&panels->product, origin, factors);
    for (int i = 0; i < panels->factor_count; i++) {
        lw_subject_init(&panels->factors[i], factors[i].map, &unknown, LW_FAMILY_TILUS_REGISTER);
        struct part *part = add_part(panels, &panels->factors[i]);
        part->is_factor = part->is_digit = true;
        lw_text_format(&part->name, "%s %s", i ? "\xc3\x97" : "=", factors[i].name);
        part->grid.no_mouse = part->grid.no_labels[LW_ROW] = part->grid.no_labels[LW_COL] = true;
    }
    return true;
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
    const bool is_mma = !strcmp(type->name, "mma");
    if (!lw_view_open(&panels->view, type, picture->subject, NULL, err))
        return false;
    for (int i = 0; i < OPERANDS; i++) {
        struct lw_view_part of;
        const int operand = order[is_mma][i];
        if (!type->part(&panels->view, operand, &of) || !of.subject || of.memory)
            continue;
        struct part *part = add_part(panels, of.subject);
        panels->count++;
        part->operand = operand + 1;
        part->is_factor = !is_mma && part->operand < OPERANDS;
        lw_text_add(&part->name, of.name);
    }
    if (!panels->count)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "no operand is in registers");
    focus(panels, 0);
    go(picture, &(struct lw_spot){.has_out = true}); /* the layout itself */
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
    const struct lw_subject *pair[2];
    lw_model_pair(a, b, pair);
    return compare(&comparison, hardware, pair[0], pair[1], err);
}

static bool open_compared(struct lw_picture *picture, struct lw_error *err)
{
    struct panels *panels = panels_of(picture);
    const struct lw_model *model = picture->model, *other = picture->other;
    const struct lw_subject *pair[2] = {picture->subject, lw_model_at(model, LW_SIDE_B)};
    if (other)
        lw_model_pair(model, other, pair);
    if (!compare(&panels->comparison, panels->hardware, pair[0], pair[1], err))
        return false;
    const char *holder = lw_subject_is_memory(pair[0]) ? "offset" : "owner";
    uint64_t differing, compared;
    const bool is_all = lw_compare_count(&panels->comparison, &differing, &compared);
    if (is_all && !differing)
        snprintf(picture->answer, sizeof picture->answer, "= the same %ss", holder);
    else
        snprintf(picture->answer, sizeof picture->answer,
                 "\xe2\x89\xa0 %llu of %s%llu elements have another %s%s",
                 (unsigned long long)differing, is_all ? "" : "the first ",
                 (unsigned long long)compared, holder,
                 differing < compared ? "; grey: the same" : "");
    panels->is_linked = true;
    struct part *a = add_part(panels, pair[0]), *b = add_part(panels, pair[1]);
    panels->count = 2;
    a->vector = b->vector = a->vector < b->vector ? a->vector : b->vector;
    a->comparison = b->comparison = &panels->comparison;
    a->grid.twin = &b->grid;
    b->grid.twin = &a->grid;
    panels->sides[0] = other ? "left" : "A";
    panels->sides[1] = other ? "right" : "B";
    picture->names[0] = &a->name;
    picture->names[1] = &b->name;
    lw_text_format(&a->name, "%s: ", panels->sides[0]);
    lw_text_format(&b->name, "%s: ", panels->sides[1]);
    lw_encoding_print_short(&a->name, a->subject->encoding);
    if (other && other->has_own_name)
        lw_text_add(&b->name, lw_text_string(&other->text));
    else
        lw_encoding_print_short(&b->name, b->subject->encoding);
    focus(panels, 0);
    /* The cursor begins where they differ; colours are of the first field that does so. */
    uint64_t out[LW_DIMS_MAX], in[2][LW_DIMS_MAX], i = 0;
    enum lw_lit_what field = LW_LIT_BANK;
    int found = 0;
    while (field && found < ENOUGH && (uint64_t)found < differing && i < LW_COMPARED_MAX &&
           lw_element_at(&map_of(a)->out, i++, out)) {
        if (!lw_compare_element(&panels->comparison, out))
            continue;
        if (!found++)
            go_to(a, out);
        if (lw_map_owner(map_of(a), out, 0, in[0]) && lw_map_owner(map_of(b), out, 0, in[1])) {
            const struct lw_slot l = lw_slot_at(&a->dims, in[0]), r = lw_slot_at(&b->dims, in[1]);
            for (enum lw_lit_what f = LW_LIT_THREAD; f < field; f++)
                if (f ? field_of(a, &l, f) != field_of(b, &r, f) : l.lane != r.lane)
                    field = f;
        }
    }
    panels->color = picture->lit->color;
    picture->lit->color = field == LW_LIT_BANK ? panels->color : field;
    return true;
}

/* ---- Arranging ---- */

/* The ways to draw a size of cells: without the blank before a text, without the warp in it, in bands of a warp each,
 * two layouts, or the operands of a product, one below the other. */
enum { TIGHT = 1, NO_WARPS = 2, FOLDED = 4, BELOW = 8, WAYS = 16 };

/* Whether a size shows something of a part: vectors of those that it has, owners of registers, blocks of more than a
 * few columns, which are read better in numbers, where lanes need no mark. */
static bool applies(const struct part *part, const struct size *size)
{
    const bool has_marks = !part->is_tilus && part->lit->color == LW_LIT_THREAD &&
                           part->threads / part->warps > LW_HUES;
    if (size->is_narrow)
        return (part->all[1] > LARGE || part->operand) && has_marks == (size->lines > 0);
    return (part->vector > 1 || !size->is_vector) &&
           (part->in_registers || part->threads > 1 || !size->has_text);
}

/* Sets a part to a size of cells in one of the ways, and measures it, up to the limits; false: the way does not apply.
 * Cells name their warp where they can, else rules do, or where these are left out, do not fit or are columns the
 * labels. Rules are left out where only they do not fit, and of two layouts, so that their rows line up. */
static bool set_cells(struct part *part, const struct size *size, int way, struct lw_rect limit,
                      int *height, int *width)
{
    struct lw_grid *grid = &part->grid;
    const uint64_t columns = part->of_warp[1] < part->shown[1] ? part->of_warp[1] : 0;
    const bool can_fold = columns && !is_flat(part), is_beside = can_fold && !(way & FOLDED);
    if (way & FOLDED ? !can_fold : way & NO_WARPS && can_fold)
        return false;
    part->unit = size->is_vector ? part->vector : 1;
    part->size = size;
    part->with_warps = !(way & NO_WARPS) && part->warps > 1 && !part->is_one_warp;
    part->band = columns && !is_beside ? columns : part->shown[1];
    const struct part *twin = grid->twin ? grid->twin->context : part;
    const int own = text_width(part), other = twin->size ? text_width(twin) : 0;
    grid->cell_width = (own > other ? own : other) + (!(way & TIGHT) && size->has_text);
    grid->cell_lines = size->lines;
    grid->to_right = !size->has_text;
    if (is_flat(part)) {
        const int most = limit.width > 12 ? (limit.width - 8) / grid->cell_width : 1;
        const uint64_t widest = part->band;
        part->band = part->unit;
        while (part->band * 2 <= (uint64_t)most * part->unit && part->band * 2 <= widest)
            part->band *= 2;
    }
    grid->count[LW_COL] = part->band / part->unit;
    part->is_glued =
        way & GLUED && size == &sizes[NUMBER + size->is_vector] && grid->count[LW_COL] > WIDE;
    grid->cell_width -= part->is_glued;
    grid->count[LW_ROW] = part->shown[0] * ((part->shown[1] + part->band - 1) / part->band);
    const bool is_named =
        part->warps == 1 || part->is_one_warp || (part->with_warps && size->has_text);
    const bool is_compared = part->comparison != NULL;
    const bool is_each = grid->count[LW_ROW] > 1 && rule(part, LW_ROW, 1, NULL);
    const uint64_t label_step = is_named ? 0 : is_beside ? columns : part->band;
    grid->no_rules = is_compared;
    part->label_step = is_compared || is_beside ? label_step : 0;
    lw_grid_measure(grid, limit.height, limit.width, height, width);
    if (*height > limit.height && !is_compared) {
        const bool is_optional =
            part->band == part->shown[1] && part->blocks == 1 && (is_named || !is_beside);
        part->label_step = label_step;
        grid->no_rules = is_optional;
        lw_grid_measure(grid, limit.height, limit.width, height, width);
        grid->no_rules = is_optional && (*height <= limit.height || is_each);
    }
    /* Two rows that share a line have no rule between them. */
    if (!size->lines && !is_compared && is_each)
        return false;
    return part->band % part->unit == 0 && (!part->is_glued || part->unit == part->vector);
}

/* One of several parts has a name; a repeat is drawn with that of which it is one, one dim with what numbers are. */
static bool has_title(const struct panels *panels, const struct part *part)
{
    return panels->count > 1 || part->name.length || is_repeat(part) ||
           (is_flat(part) && !panels->plan.size->has_text);
}

/* Sets the text about what is drawn of a part: "period 64 x 16: 8 across, register + 8 each", "warp 2 of 4, 2 a cell";
 * of a product, and of one dim, also what numbers are: "3 x 4: registers", "lanes". */
static void describe(struct panels *panels, struct part *part)
{
    const bool is_operand = panels->view.type != NULL;
    const bool is_vector = is_operand && part->unit > 1 && part->shown[1] >= part->of_warp[1];
    struct lw_slot owner;
    lw_text_clear(&part->about);
    if (part->is_one_warp && part == panels->parts && owner_at(part, part->at, 0, &owner))
        lw_text_format(&part->about, "warp %llu of %llu%s", (unsigned long long)owner.warp,
                       (unsigned long long)part->warps, is_vector ? "" : ": ");
    if (is_operand ? !is_vector || !part->about.length : is_repeat(part))
        lw_map_put_part(&part->about, map_of(part),
                        part->in_registers ? part->shown : part->period);
    if (is_vector)
        lw_text_format(&part->about, ", %llu a cell", (unsigned long long)part->unit);
    const enum lw_lit_what what = colored_by(part);
    const bool is_of_product = panels->parts[0].is_factor && part->is_tilus;
    if (!part->size->has_text && (is_of_product || (is_flat(part) && !part->is_factor)))
        lw_text_format(&part->about, "%s%ss", part->about.length ? ": " : "",
                       !part->in_registers                        ? "offset"
                       : what == LW_LIT_THREAD && !part->is_tilus ? "lane"
                                                                  : lw_lit_name(what));
}

/* Arranges parts as planned; false: they do not fit. */
static bool fit(struct panels *panels)
{
    enum { SOME = 8, LEAST = 3 }; /* columns; lines: a title, labels, a row */
    const struct plan *plan = &panels->plan;
    const int from = plan->from, to = plan->to, stage = plan->stage;
    struct lw_rect rest = plan->rect;
    int height, width, widest = 0;
    if (panels->is_linked) /* the first one is as wide as the second, which is set again */
        set_cells(&panels->parts[1], plan->size, plan->way, rest, &height, &width);
    for (int i = from; i <= to; i++) {
        struct part *part = &panels->parts[i];
        const bool is_under = stage & UNDER && i == to;
        rest = is_under ? plan->rect : rest;
        struct lw_rect limit = rest;
        show(part, stage);
        const int title = has_title(panels, part);
        limit.height -= title;
        if (!set_cells(part, plan->size, plan->way | (stage & GLUED), limit, &height, &width) ||
            (stage & ROWS && height > limit.height) || (is_under && height + LEAST >= limit.height))
            return false;
        describe(panels, part);
        const int labels = width - (int)part->grid.count[LW_COL] * part->grid.cell_width;
        const int gap = i == to             ? 0 /* up to the next title, or grid */
                        : plan->way & BELOW ? LW_GAP - 1
                                            : LW_GAP - 2 + labels;
        const int named = labels + (int)(part->name.length + 2 + part->about.length) - gap;
        if (stage & TITLES && panels->view.type && named > width)
            width = named;
        const bool is_cut =
            from == to || (panels->is_linked ? plan->way & BELOW && plan->rect.height >= 2 * LEAST
                                             : i == to && !panels->parts[0].is_factor &&
                                                   SOME * part->grid.cell_width <= rest.width);
        if (width > rest.width && (stage & COLUMNS || !is_cut))
            return false;
        widest = width > widest ? width : widest;
        part->rect = rest;
        for (int k = from; is_under && k < to; k++) /* above it there is less room */
            panels->parts[k].rect.height -= height + title + 1;
        if (is_under)
            part->rect = lw_cut_lines(&rest, height + title);
        if (plan->way & BELOW && (panels->is_linked || i + 1 < to)) {
            part->rect.height =
                stage & ROWS ? height + title + !panels->is_linked : plan->rect.height / (to + 1);
            rest.row += part->rect.height;
            rest.height -= part->rect.height;
        } else if (i < to) {
            for (int k = from; k <= i; k++)
                if (panels->parts[k].rect.col == rest.col)
                    panels->parts[k].rect.width = widest + gap;
            rest.row = plan->rect.row;
            rest.height = plan->rect.height;
            rest.col += widest + LW_GAP;
            rest.width -= widest + LW_GAP;
            widest = 0;
        }
    }
    return true;
}

/* Chooses the size of cells of a group of parts: the largest with which all of it fits, or of one part one repeat, or
 * columns alone; then vectors, of which there are fewer, come first; of several parts those of one warp, and repeats of
 * those that are larger, with their titles; of two layouts parts of both, one above the other. False: none fits. */
static bool choose(struct panels *panels, int from, int to, struct lw_rect rect)
{
    enum { ALL = ROWS | TITLES | COLUMNS, ONE_WARP = SEVERAL | WARP | ROWS | COLUMNS };
    static const int stages[] = {ONE | SEVERAL | COMPARED | ALL,
                                 ONE | DOWN | ACROSS | ROWS | COLUMNS,
                                 ONE | DOWN | ACROSS | ROWS | COLUMNS | GLUED,
                                 ONE | DOWN | ACROSS | COLUMNS,
                                 ONE | COLUMNS,
                                 ONE_WARP | TITLES,
                                 ONE_WARP | TITLES | DOWN | ACROSS,
                                 ONE_WARP | DOWN,
                                 ONE_WARP | DOWN | ACROSS | SMALL,
                                 SEVERAL | WARP | TITLES | COLUMNS | UNDER,
                                 SEVERAL | WARP | TITLES | COLUMNS | GLUED,
                                 SEVERAL | WARP | TITLES | COLUMNS | GLUED | UNDER,
                                 SEVERAL | WARP,
                                 ONE | SEVERAL | COMPARED | ALL | BLOCKS,
                                 ONE | SEVERAL | COMPARED | COLUMNS | BLOCKS,
                                 ONE,
                                 COMPARED | BLOCKS};
    const int kind = from == to ? ONE : panels->is_linked ? COMPARED : SEVERAL;
    const int below = panels->is_linked || panels->parts[0].is_factor ? BELOW : 0;
    const struct part *first = &panels->parts[from];
    const bool has_warps = !panels->is_linked && first->warps * first->blocks > 1;
    const int ways = below | TIGHT | (has_warps ? NO_WARPS | FOLDED : 0);
    struct plan *plan = &panels->plan, found = {0};
    int left = -panels->base.size; /* to pass over */
    for (int i = 0; i < panels->count; i++)
        panels->parts[i].rect.height = 0;
    *plan = (struct plan){.from = from, .to = to, .rect = rect};
    for (size_t k = 0; k < LW_COUNT(stages); k++) {
        const int stage = plan->stage = stages[k], last = stage & BLOCKS ? BLOCK : NARROW - 1;
        show(&panels->parts[from], stage);
        if (!(stage & kind) || (from == to && stage & DOWN && !is_repeat(first)) ||
            (stage == (ONE | COLUMNS) && is_flat(first)))
            continue;
        for (int i = stage & COLUMNS ? 0 : NUMBER; i <= last; i++) {
            bool is_any = false;
            plan->size = &sizes[stage & ROWS || i > VECTOR ? i : VECTOR - i];
            for (int n = from; n <= to; n++)
                is_any = is_any || applies(&panels->parts[n], plan->size);
            for (plan->way = 0; plan->way < WAYS && is_any; plan->way++)
                if (!(plan->way & ~ways) && fit(panels)) {
                    if (left-- == 0)
                        return true;
                    found = *plan;
                    break;
                }
        }
        if (found.size) {
            *plan = found;
            return fit(panels);
        }
    }
    return false;
}

/* Sets the factors one below the other, as many rows of each as fit: try 0 with their names, 2 in numbers. Returns the
 * columns of the widest one, over the limits where not even a row of each fits. */
static int stack_factors(struct panels *panels, int try, struct lw_rect rect)
{
    int heights[PARTS], width, widest = 0, need = rect.height + 1;
    for (int i = 1; i <= panels->factor_count; i++) {
        struct part *part = &panels->parts[i];
        const int name = try ? 0 : (int)lw_text_width(lw_text_string(&part->name));
        set_cells(part, &sizes[try < 2 ? 0 : NUMBER], TIGHT, rect, &heights[i], &width);
        width = name > width ? name : width;
        widest = width > widest ? width : widest;
    }
    for (int rows = need; rows > 0 && need > rect.height; rows--) {
        need = 0;
        for (int i = 1; i <= panels->factor_count; i++) {
            const int lines = 1 + (heights[i] < rows ? heights[i] : rows);
            panels->parts[i].rect = (struct lw_rect){rect.row + need, rect.col, lines, rect.width};
            need += lines + (rows > rect.height); /* first with blank lines */
        }
    }
    return need > rect.height ? rect.width + 1 : widest;
}

/* Puts the factors beside the owners, where these keep all columns that are drawn, in numbers. Where these also keep
 * their size, the names of factors are cut, then cells of factors are numbers too. */
static void put_factors(struct panels *panels, struct lw_rect rect)
{
    const struct part *owners = &panels->parts[0];
    const struct size *alone = owners->size;
    struct lw_rect rest = rect;
    int height, width, at = 0;
    const int tries = owners->lit->color == LW_LIT_THREAD ? 3 : 2; /* numbers are threads */
    for (int i = 0; i < tries && !at; i++) {
        const int widest = stack_factors(panels, i, rect), gap = LW_GAP - 1 - i;
        rest.width = rect.width - widest - gap;
        bool fits = widest <= rect.width / 2 && choose(panels, 0, 0, rest) &&
                    (owners->size == alone || !(i || owners->size->is_narrow));
        lw_grid_measure(&panels->parts[0].grid, 0, rest.width, &height, &width);
        fits = fits && width <= rest.width;
        if ((int)owners->about.length > width - LW_GAP) /* which stands above them */
            width = rest.width;
        at = fits ? width + gap : 0;
    }
    if (!at)
        choose(panels, 0, 0, rect);
    for (int i = 1; i <= panels->factor_count; i++) {
        struct lw_rect *own = &panels->parts[i].rect;
        own->col += at;
        own->width -= at;
        own->height *= at > 0;
    }
}

/* Shows all parts, or that of the cursor alone. A plan is chosen again in another rectangle, and where the element of a
 * cursor is not shown and the parts with it do not fit. */
static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    struct panels *panels = panels_of(picture);
    const int count = panels->count + panels->factor_count;
    struct part *first = &panels->parts[0];
    bool is_moved = false, is_new = panels->fitted_size != picture->size ||
                                    memcmp(&rect, &panels->fitted, sizeof rect) != 0;
    follow_cursor(panels);
    for (int i = 0; i < (panels->is_linked ? 1 : panels->count); i++) {
        const struct part *part = &panels->parts[i];
        is_moved |= part->rect.height && (part->at[0] - part->origin[0] >= part->shown[0] ||
                                          part->at[1] - part->origin[1] >= part->shown[1]);
    }
    for (int i = 0; i < count && (is_new || is_moved); i++)
        lw_grid_hide(&panels->parts[i].grid);
    is_new = is_new || (is_moved && !fit(panels));
    if (is_new && !choose(panels, 0, panels->count - 1, rect))
        choose(panels, panels->now, panels->now, rect);
    if (is_new && panels->factor_count)
        put_factors(panels, rect);
    panels->fitted = rect;
    panels->fitted_size = picture->size;
    for (int i = 0; i < count; i++) {
        struct part *part = &panels->parts[i];
        struct lw_rect below = part->rect;
        if (!below.height)
            continue;
        below.row += has_title(panels, part);
        below.height -= has_title(panels, part);
        if (panels->is_linked && i) {
            memcpy(part->at, first->at, sizeof part->at);
            memcpy(part->grid.first, first->grid.first, sizeof part->grid.first);
        }
        const uint64_t col = part->at[1] - part->origin[1];
        part->grid.at[LW_ROW] = col / part->band * part->shown[0] + part->at[0] - part->origin[0];
        part->grid.at[LW_COL] = col % part->band / part->unit;
        if (!lw_grid_arrange(&part->grid, below))
            return false;
    }
    return true;
}

/* ---- Drawing ---- */

/* Above a part its name and what is drawn of it: "B  Tab: A, C   8 x 32   11 of 32 columns". Right of them the operands
 * in memory: "B  16 x 64 in memory". */
static void draw(struct lw_picture *picture, struct lw_surface *surface)
{
    const struct panels *panels = panels_of(picture);
    const struct lw_grid *grid = NULL; /* of the last operand */
    struct lw_view_part of;
    for (int i = 0; i < panels->count + panels->factor_count; i++) {
        const struct part *part = &panels->parts[i];
        const bool is_on = panels->view.type && i == panels->now, has_name = part->name.length;
        struct lw_text about = {0};
        if (!part->rect.height)
            continue;
        grid = i < panels->count ? &part->grid : grid;
        for (int k = 0; k < panels->count && panels->view.type; k++)
            if (!panels->parts[k].rect.height)
                lw_text_format(&about, "%s%s", about.length ? ", " : "Tab: ",
                               lw_text_string(&panels->parts[k].name));
        lw_text_format(&about, "%s%s", about.length ? "   " : "", lw_text_string(&part->about));
        const uint64_t cols = (uint64_t)part->grid.shown[LW_COL] * part->unit;
        if (has_name && cols < part->band)
            lw_text_format(&about, "%s%llu of %llu columns", about.length ? "   " : "",
                           (unsigned long long)cols, (unsigned long long)part->band);
        lw_picture_draw_title(surface, &part->grid, is_on ? LW_TONE_LABEL_ON : LW_TONE_TITLE,
                              lw_text_string(has_name ? &part->name : &about),
                              has_name ? lw_text_string(&about) : "");
        lw_text_free(&about);
    }
    for (int i = 0; panels->view.type && panels->view.type->part(&panels->view, i, &of); i++)
        if ((!of.subject || of.memory) && grid && grid->shown[LW_ROW] && grid->shown[LW_COL]) {
            const struct lw_grid_cell *last = &grid->cells[grid->shown[LW_COL] - 1];
            struct lw_grid beside = {.rect = grid->rect,
                                     .label_width = last->col + grid->cell_width + LW_GAP};
            char size[64];
            beside.rect.row++;
            snprintf(size, sizeof size, "%llu x %llu in memory", (unsigned long long)of.rows,
                     (unsigned long long)of.cols);
            if (beside.label_width + (int)strlen(size) + 3 <= beside.rect.width)
                lw_picture_draw_title(surface, &beside, LW_TONE_TITLE, of.name, size);
        }
}

/* ---- The cursor ---- */

/* In a tensor of one dim a row is a part of it. At the edge of an operand the cursor goes on in the next one. */
static void move(struct lw_picture *picture, int64_t rows, int64_t cols)
{
    struct panels *panels = panels_of(picture);
    struct part *part = &panels->parts[panels->now];
    const uint64_t before = part->at[1], last = part->all[1] - 1;
    const uint64_t unit = rows ? part->band : part->unit;
    if (rows && !is_flat(part))
        part->at[0] = lw_step_within(part->at[0], rows, part->all[0]);
    else if (rows || cols)
        part->at[1] = lw_step_within(before / unit, rows ? rows : cols, last / unit + 1) * unit +
                      (rows ? before % unit : 0);
    part->at[1] = part->at[1] > last ? last : part->at[1];
    const int next = panels->now + (cols == 1) - (cols == -1);
    if (!panels->is_linked && part->at[1] == before && next >= 0 && next < panels->count)
        focus(panels, next);
}

static bool move_to(struct lw_picture *picture, int grid, const uint64_t at[2])
{
    struct panels *panels = panels_of(picture);
    const int i = grid - 1;
    struct part *part = &panels->parts[panels->is_linked ? 0 : i];
    if (!panels->is_linked) /* which moves its cursor */
        focus(panels, i);
    tensor_at(&panels->parts[i], at, part->at);
    if (part->at[1] >= part->all[1]) /* the last row may have fewer cells */
        part->at[1] = part->all[1] - 1;
    return true;
}

/* Tab: the next operand, Shift-Tab: the one before. */
static bool key(struct lw_picture *picture, uint32_t key)
{
    struct panels *panels = panels_of(picture);
    const int by = key == '\t' ? 1 : panels->count - 1;
    if ((key != '\t' && key != LW_KEY_BACK_TAB) || !panels->view.type)
        return false;
    focus(panels, (panels->now + by) % panels->count);
    return true;
}

/* By thread, warp, register: of what differs. */
static void color(struct lw_picture *picture)
{
    struct panels *panels = panels_of(picture);
    const struct part *part = &panels->parts[panels->now];
    enum lw_lit_what *color = &picture->lit->color;
    do
        *color = (enum lw_lit_what)((*color + 1) % LW_LIT_BANK);
    while ((*color == LW_LIT_WARP && part->warps < 2) ||
           (*color == LW_LIT_REGISTER && (part->threads < 2 || part->registers < 2)));
    panels->fitted.height = 0;
}

/* ---- The inspector ---- */

/* What the element is and why, on one line if that fits or lines are few; of a product its factors; what its thread
 * holds, and the rest of why. */
static void explain_owners(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    enum { FEW = 80 }; /* columns with which there are two lines: why is cut */
    const struct panels *panels = panels_of(picture);
    const struct part *part = &panels->parts[0];
    struct lw_spot here = {.has_out = true};
    struct lw_slot slot;
    struct lw_explanation all = {.columns = explanation->columns};
    struct lw_text *text = lw_explanation_line(explanation, "element");
    element_at(part, part->at, here.out);
    lw_explain(part->subject, &here, &all);
    lw_put_element(text, map_of(part)->out.count, here.out);
    lw_text_format(text, "  %s", lw_text_string(&all.line[0].text));
    lw_put_copies_of(text, map_of(part), here.out, explanation->columns);
    const char *why = all.count > 1 ? lw_text_string(&all.line[1].text) : "";
    const size_t width = lw_text_width(lw_text_string(text)) + lw_text_width(why) + 3;
    const bool joins =
        !panels->factor_count && (width <= explanation->columns || explanation->columns < FEW);
    if (panels->factor_count)
        lw_view_product.explain_thread(&panels->product, &here, explanation);
    if (*why && !joins)
        text = lw_explanation_line(explanation, all.line[1].label);
    lw_text_format(text, "%s%s", *why && joins ? "   " : "", why);
    if (part->in_registers && part->registers > 1 && owner_at(part, part->at, 0, &slot))
        lw_put_held_from(lw_explanation_line(explanation, "thread has"), map_of(part), &part->dims,
                         slot, explanation->columns);
    for (int i = 2; i < all.count; i++) {
        const char *label = all.line[i].label;
        text = lw_explanation_line(explanation, i == 2 && !*label ? "because" : label);
        lw_text_add(text, lw_text_string(&all.line[i].text));
    }
    lw_explanation_free(&all);
}

/* What the thread under the cursor holds of each part. */
static void explain_all(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct panels *panels = panels_of(picture);
    struct lw_spot here;
    spot(picture, &here);
    lw_explain(picture->at, &here, explanation);
    explanation->count = 1;
    panels->view.type->explain_thread(&panels->view, &here, explanation);
}

/* "(3,4)   left: warp 0, lane 9, register 1 and 3 more   right: ...": the first owner, and how many more. */
static void explain_compared(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct panels *panels = panels_of(picture);
    struct lw_spot at;
    spot(picture, &at);
    if (!picture->other)
        lw_text_add(lw_explanation_line(explanation, "owners"), picture->answer);
    const bool differs = lw_compare_element(&panels->comparison, at.out);
    struct lw_text *text = lw_explanation_line(explanation, "element");
    lw_put_element(text, picture->subject->map.out.count, at.out);
    for (int i = 0; i < (differs ? 2 : 1); i++) {
        const struct lw_map *map = map_of(&panels->parts[i]);
        const uint64_t count = lw_map_owner_count(map, at.out);
        lw_text_format(text, "   %s: %s", differs ? panels->sides[i] : "in both",
                       count ? "" : "no owner");
        if (lw_map_owner(map, at.out, 0, at.in))
            lw_put_hardware_index(text, &map->in, at.in);
        if (count > 1)
            lw_text_format(text, " and %llu more", (unsigned long long)count - 1);
    }
}

/* ---- The pictures ---- */

#define PANELS                                                                                     \
    .state_size = sizeof(struct panels), .close = close, .arrange = arrange, .draw = draw,         \
    .move = move, .move_to = move_to, .spot = spot, .go = go, .color = color, .key = key
#define PICTURE(NAME, TITLE, ABOUT, SUBJECT, OPEN, EXPLAIN, IS_TAB)                                \
    const struct lw_picture_type lw_picture_##NAME = {                                             \
        #NAME, TITLE, ABOUT, IS_TAB, .subject = SUBJECT, .open = OPEN, .explain = EXPLAIN, PANELS}

PICTURE(owners, "Owners", "who holds each element", owners_of, open_owners, explain_owners, true);
PICTURE(mma, "MMA", "operands and result", mma_of, open_operands, explain_all, true);
PICTURE(product, "Product", "two layouts and theirs", product_of, open_operands, explain_all, true);
PICTURE(conversion, "Conversion", "what moves from A to B", conversion_of, open_compared,
        explain_compared, true);
PICTURE(compare, "Compare", "two layouts side by side", own_of, open_compared, explain_compared,
        false);
