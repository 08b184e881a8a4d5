/* Finds the smallest groups at which a picture fits, and the texts of their cells. */

#include "tui/pane/groups.h"
#include "core/subspace.h"
#include "tui/draw/drawing.h"

#include <string.h>

/* The bits of a field of one layout that change with each power of two of a step down or across. */
struct changes {
    struct lw_view_part part;
    int operand;
    uint64_t all; /* values of the field, a power of two */
    uint64_t by[2][LW_BITS_MAX];
};

struct search {
    const struct lw_view *view;
    struct changes all[LW_GROUP_OPERANDS];
    int count;
};

/* The search of a pane, and of another one with cells of the same size. */
struct searches {
    struct search of[LW_PANES_MAX];
    int count;
    const struct lw_grid *grid;
    int bits_max; /* the most bits that change within a cell */
};

static bool value_at(const struct lw_view *view, const char *field, uint64_t row, uint64_t col,
                     uint64_t *value, int *operand)
{
    struct lw_spot spot;
    const char *name;
    if (!view->type->spot(view, row, col, &spot) || !spot.has_in)
        return false;
    *operand = spot.operand;
    const struct lw_subject *subject = lw_view_layout(view, spot.operand, &name);
    return subject && spot.operand < LW_GROUP_OPERANDS &&
           lw_subject_field(subject, field, spot.in, spot.out, value);
}

static bool is_power(uint64_t n)
{
    return n && !(n & (n - 1));
}

/* The number of values of a field: one more than at the last hardware index. */
static bool count_values(const struct lw_subject *subject, const char *field, uint64_t *all)
{
    uint64_t last[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX] = {0};
    for (int i = 0; i < subject->map.in.count; i++)
        last[i] = subject->map.in.dim[i].size - 1;
    if (subject->map.kind != LW_MAP_LINEAR || !lw_map_is_surjective(&subject->map) ||
        !lw_subject_field(subject, field, last, out, all))
        return false;
    return is_power(++*all);
}

static bool find_changes(const struct lw_view *view, const char *field, struct changes *changes)
{
    const struct lw_view_part *part = &changes->part;
    uint64_t first, value;
    const char *name;
    if (!value_at(view, field, part->row, part->col, &first, &changes->operand) ||
        !count_values(lw_view_layout(view, changes->operand, &name), field, &changes->all))
        return false;
    for (int across = 0; across < 2; across++)
        for (int i = 0; i < LW_BITS_MAX && (uint64_t)1 << i < (across ? part->cols : part->rows);
             i++) {
            uint64_t step = (uint64_t)1 << i;
            int operand;
            if (!value_at(view, field, part->row + (across ? 0 : step),
                          part->col + (across ? step : 0), &value, &operand))
                return false;
            changes->by[across][i] = value ^ first;
        }
    return true;
}

/* Begins a search for each layout of the picture in registers; false: one of them has no such field, or cannot have
 * groups. */
static bool begin(struct search *search, const char *field)
{
    const struct lw_view *view = search->view;
    const struct lw_view_part whole = {.rows = view->rows, .cols = view->cols};
    search->count = 0;
    for (int i = 0; i < LW_GROUP_OPERANDS; i++) {
        struct changes *changes = &search->all[search->count];
        *changes = (struct changes){.part = whole};
        if (view->type->part ? !view->type->part(view, i, &changes->part) : i > 0)
            break;
        if (changes->part.memory)
            continue;
        if (!is_power(changes->part.rows) || !is_power(changes->part.cols) ||
            !find_changes(view, field, changes))
            return false;
        search->count++;
    }
    return search->count > 0;
}

static int log2_of(uint64_t n)
{
    int log2 = 0;
    while (n >>= 1)
        log2++;
    return log2;
}

/* The number of bits of the field that change within a cell of 2^down rows and 2^across columns; -1: its values are not
 * consecutive. */
static int bits_within(const struct changes *changes, int down, int across)
{
    struct lw_space space = {.dim = 0};
    lw_space_add_all(&space, changes->by[0], down);
    lw_space_add_all(&space, changes->by[1], across);
    for (int i = 0; i < space.dim; i++)
        if (space.basis[i] >> space.dim)
            return -1;
    return space.dim;
}

/* Whether each cell is within one layout. */
static bool is_aligned(const struct search *search, uint64_t rows, uint64_t cols)
{
    const struct lw_view *view = search->view;
    struct lw_view_part part = {.rows = view->rows, .cols = view->cols};
    for (int i = 0; view->type->part ? view->type->part(view, i, &part) : i < 1; i++)
        if (part.row % rows || part.col % cols || part.rows % rows || part.cols % cols)
            return false;
    return true;
}

static int digits_of(uint64_t n)
{
    int digits = 1;
    while (n /= 10)
        digits++;
    return digits;
}

/* Whether all cells of that size have exact texts that differ, and fit. */
static bool try_size(const struct search *search, const struct searches *searches, int down,
                     int across, struct lw_groups *groups)
{
    enum { GAPS = 1, MARGIN = 2 }; /* between the layouts, and around the labels */
    const struct lw_view *view = search->view;
    const struct lw_grid *grid = searches->grid;
    bool differ = false;
    groups->rows = (uint64_t)1 << down;
    groups->cols = (uint64_t)1 << across;
    groups->width = 1;
    if (!is_aligned(search, groups->rows, groups->cols))
        return false;
    for (int i = 0; i < search->count; i++) {
        const struct changes *changes = &search->all[i];
        int bits = bits_within(changes, down, across), digits = digits_of(changes->all - 1);
        if (bits < 0 || bits > searches->bits_max)
            return false;
        groups->bits[changes->operand] = bits;
        int width = bits ? 2 * digits + 1 : digits;
        groups->width = width > groups->width ? width : groups->width;
        differ = differ || (uint64_t)1 << bits < changes->all;
    }
    uint64_t rows = lw_grid_cells(view->rows, groups->rows) + (view->type->part ? GAPS : 0);
    uint64_t cols = lw_grid_cells(view->cols, groups->cols);
    int room = grid->inside.width - grid->label - MARGIN;
    return differ && room > 0 && rows <= (uint64_t)grid->inside.height - 1 &&
           cols <= (uint64_t)(room / (groups->width + 1));
}

/* The same, also for the other pane, whose texts may be wider. */
static bool try_all(const struct searches *searches, int down, int across, struct lw_groups *groups)
{
    if (!try_size(&searches->of[0], searches, down, across, groups))
        return false;
    for (int i = 1; i < searches->count; i++) {
        struct lw_groups other = {.field = groups->field};
        if (!try_size(&searches->of[i], searches, down, across, &other))
            return false;
        groups->width = other.width > groups->width ? other.width : groups->width;
    }
    return true;
}

static bool begin_all(struct searches *searches, const char *field)
{
    for (int i = 0; i < searches->count; i++)
        if (!begin(&searches->of[i], field))
            return false;
    return true;
}

/* The smallest cells with texts of that field, of these the widest; 0 elements: there are none. */
static uint64_t find_least(struct searches *searches, const char *field, struct lw_groups *groups)
{
    const struct lw_view *view = searches->of[0].view;
    uint64_t least = 0;
    if (!field || !begin_all(searches, field))
        return 0;
    int most_down = log2_of(view->rows), most_across = log2_of(view->cols);
    for (int all = 1; !least && all <= most_down + most_across; all++)
        for (int across = all; !least && across >= 0; across--) {
            struct lw_groups now = {.field = field};
            if (across > most_across || all - across > most_down ||
                !try_all(searches, all - across, across, &now))
                continue;
            *groups = now;
            least = (uint64_t)1 << all;
        }
    return least;
}

/* Whether every cell has all values of the field of the colours. */
static bool has_all_colors(struct search *search, const struct lw_groups *groups)
{
    if (!search->view->color || !begin(search, search->view->color))
        return true;
    for (int i = 0; i < search->count; i++) {
        struct lw_space space = {.dim = 0};
        lw_space_add_all(&space, search->all[i].by[0], log2_of(groups->rows));
        lw_space_add_all(&space, search->all[i].by[1], log2_of(groups->cols));
        if ((uint64_t)1 << space.dim < search->all[i].all)
            return false;
    }
    return true;
}

/* Whether a cell has several values, and so several colours. */
static bool has_ranges(const struct lw_groups *groups)
{
    bool ranges = false;
    for (int i = 0; i < LW_GROUP_OPERANDS; i++)
        ranges = ranges || groups->bits[i] > 0;
    return ranges;
}

/* The view of the other pane, if it is a picture of the same size. */
static const struct lw_view *view_beside(const struct lw_explorer *ex,
                                         const struct lw_view_pane *pane)
{
    const struct lw_view_pane *other = &ex->panes.all[pane == ex->panes.all];
    bool alike = ex->panes.count == LW_PANES_MAX && other->fresh && other->has_view &&
                 other->view.type == pane->view.type && other->view.rows == pane->view.rows &&
                 other->view.cols == pane->view.cols;
    return alike ? &other->view : NULL;
}

/* The grid of a pane, no larger than that of the pane beside it. */
static struct lw_grid grid_of_both(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                                   const struct lw_grid *own)
{
    struct lw_panes rects;
    struct lw_grid grid = *own;
    int i = (int)(pane - ex->panes.all);
    lw_panes(ex, &rects);
    int width = rects.view[!i].width - rects.view[i].width;
    int height = rects.view[!i].height - rects.view[i].height;
    grid.inside.width += width < 0 ? width : 0;
    grid.inside.height += height < 0 ? height : 0;
    return grid;
}

bool lw_groups_find(const struct lw_explorer *ex, struct lw_view_pane *pane,
                    const struct lw_grid *own, uint64_t columns, bool few)
{
    const struct lw_view *view = &pane->view, *other = view_beside(ex, pane);
    const struct lw_grid grid = other ? grid_of_both(ex, pane, own) : *own;
    struct searches searches = {
        .of = {{.view = view}, {.view = other}}, .count = other ? 2 : 1, .grid = &grid};
    bool chosen = pane->color || ex->options->color_by;
    pane->groups = (struct lw_groups){.on = false};
    if (!pane->has_view || view->rows < 2 || view->cols < 2 || lw_view_shows_indices(view) ||
        view->shades || grid.inside.height < 2 ||
        (view->rows <= (uint64_t)grid.rows &&
         columns * view->cols <= (uint64_t)(grid.inside.width - grid.label)))
        return false;
    /* The warp of lanes would be unclear if there are several. */
    const struct {
        const char *field;
        int bits_max;
    } tries[] = {
        {chosen ? NULL : "thread", few ? log2_of(LW_GROUP_FEW) : 0},
        {chosen || !few ? NULL : "warp", 0},
        {chosen || !view->color || strcmp(view->color, "lane") ? view->color : NULL,
         few ? LW_BITS_MAX : 0},
    };
    uint64_t least = 0;
    for (size_t i = 0; !least && i < sizeof tries / sizeof *tries; i++) {
        searches.bits_max = tries[i].bits_max;
        least = find_least(&searches, tries[i].field, &pane->groups);
    }
    if (!least)
        return false;
    pane->groups.on = true;
    pane->groups.parts =
        !chosen && (!strcmp(pane->groups.field, "warp") || has_ranges(&pane->groups) ||
                    has_all_colors(&searches.of[0], &pane->groups));
    return true;
}

/* The least value of a cell, and the bits that change; false: no thread owns it. */
static bool least_at(const struct lw_view_pane *pane, uint64_t row, uint64_t col, uint64_t *least,
                     int *bits)
{
    int operand;
    if (!value_at(&pane->view, pane->groups.field, row, col, least, &operand))
        return false;
    *bits = pane->groups.bits[operand];
    *least = *least >> *bits << *bits;
    return true;
}

void lw_groups_put(const struct lw_view_pane *pane, uint64_t row, uint64_t col,
                   struct lw_text *text)
{
    uint64_t least;
    int bits;
    if (!least_at(pane, row, col, &least, &bits))
        return;
    lw_text_number(text, least);
    if (bits)
        lw_text_format(text, "-%llu", (unsigned long long)(least + ((uint64_t)1 << bits) - 1));
}

bool lw_groups_has(const struct lw_view_pane *pane, uint64_t row, uint64_t col, uint64_t value)
{
    uint64_t least;
    int bits;
    return least_at(pane, row, col, &least, &bits) && value >> bits == least >> bits;
}

void lw_groups_explain(const struct lw_view_pane *pane, struct lw_text *text)
{
    const struct lw_groups *groups = &pane->groups;
    bool single = !has_ranges(groups);
    lw_text_format(
        text, single ? " a cell is %llux%llu, of one %s " : " a cell is %llux%llu of %ss ",
        (unsigned long long)groups->rows, (unsigned long long)groups->cols, groups->field);
}
