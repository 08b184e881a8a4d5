/* Accesses: all of a text of CUDA C++ with what each takes; of one on global memory, below them, the lanes of its first
 * instruction, each over its sector. */

#include "core/unused.h"
#include "tui/picture/picture.h"
#include "view/view_parts.h"

#include <string.h>

struct accesses {
    struct lw_picture base; /* its list is that of the accesses, its grid that of the lanes */
    bool has_lanes;         /* the access under the cursor has them */
    struct lw_access first; /* its first instruction with an active lane */
};

static struct accesses *accesses_of(const struct lw_picture *picture)
{
    return (struct accesses *)picture;
}

static bool is_shared(const struct lw_model *model, size_t i)
{
    return model->cuda.arrays[model->cuda.accesses[i].array].is_shared;
}

/* ---- The list ---- */

enum { LINE, OP, BYTES, INSTRUCTIONS, TAKES, IDEAL, CODE };

/* An access with what follows in its statement. */
static void put_code(struct lw_text *text, const struct lw_cuda *cuda,
                     const struct lw_cuda_access *access)
{
    const char *line = cuda->text;
    for (int i = 1; i < access->position.line; i++)
        line += strcspn(line, "\n") + 1;
    line += access->position.column - 1;
    lw_text_bytes(text, line, strcspn(line, ";\r\n"));
}

static void cell(void *context, size_t row, int column, struct lw_text *text, struct lw_pen *pen)
{
    static const char *const ops[] = {
        [LW_CUDA_LOAD] = "load", [LW_CUDA_STORE] = "store", [LW_CUDA_ATOMIC] = "atomic"};
    const struct accesses *accesses = context;
    const struct lw_model *model = accesses->base.model;
    const struct lw_cuda_access *access = &model->cuda.accesses[row];
    const struct lw_cuda_cost *cost = &model->costs[row];
    const bool shared = is_shared(model, row);
    const uint64_t takes = shared ? cost->wavefronts : cost->sectors;
    const uint64_t ideal = shared ? cost->ideal : cost->ideal_sectors;
    switch (column) {
    case LINE:
        lw_text_format(text, "%d:%d", access->position.line, access->position.column);
        *pen = lw_tone(LW_TONE_FAINT);
        break;
    case OP:
        lw_text_add(text, ops[access->op]);
        break;
    case BYTES:
        lw_text_number(text, access->bytes);
        break;
    case INSTRUCTIONS:
    case IDEAL:
        if (access->times)
            lw_text_number(text, column == IDEAL ? ideal : cost->instructions);
        else
            lw_text_char(text, '-');
        break;
    case TAKES:
        lw_text_format(text, access->times ? "%llu %-10s" : "not counted",
                       (unsigned long long)takes,
                       takes == 1 ? shared ? "wavefront" : "sector"
                       : shared   ? "wavefronts"
                                  : "sectors");
        *pen = lw_tone(takes > ideal ? LW_TONE_BAD : LW_TONE_GOOD);
        break;
    default:
        put_code(text, &model->cuda, access);
        *pen = lw_tone(LW_TONE_FAINT);
    }
}

/* What it takes beyond the least: the worst are first. */
static uint64_t excess(void *context, size_t row)
{
    const struct lw_cuda_cost *cost = &((const struct accesses *)context)->base.model->costs[row];
    return cost->wavefronts - cost->ideal + cost->sectors - cost->ideal_sectors;
}

static const struct lw_column columns[] = {
    {"line", true, 0},  {"op", false, 0},   {"bytes", true, 0}, {"instructions", true, 0},
    {"takes", true, 0}, {"ideal", true, 0}, {"", false, 10}};
static const struct lw_list_source source = {columns, 7, cell, NULL, excess};

/* ---- The lanes ---- */

static void find_first(struct lw_picture *picture)
{
    struct accesses *accesses = accesses_of(picture);
    const struct lw_cuda *cuda = &picture->model->cuda;
    const struct lw_cuda_access *access = &cuda->accesses[picture->list.at];
    const size_t count = access->times * ((cuda->threads + 31) / 32);
    accesses->has_lanes = false;
    for (size_t i = 0; i < count && !accesses->has_lanes; i++)
        accesses->has_lanes = !is_shared(picture->model, picture->list.at) &&
                              lw_cuda_instruction(cuda, access, i, &accesses->first);
    lw_grid_hide(&picture->grid);
}

/* A lane over its sector, counted from that of the lowest address. */
static void lane_cell(void *context, struct lw_grid_cell *cell)
{
    const struct accesses *accesses = context;
    const struct lw_access *access = &accesses->first;
    const unsigned lane =
        (unsigned)(cell->at[LW_ROW] * accesses->base.grid.count[LW_COL] + cell->at[LW_COL]);
    uint64_t lowest = UINT64_MAX;
    cell->pen = lw_tone(LW_TONE_FAINT);
    snprintf(cell->text, sizeof cell->text, "%u", lane);
    if (!(access->active >> lane & 1))
        return;
    for (unsigned i = 0; i < 32; i++)
        if (access->active >> i & 1 && access->address[i] < lowest)
            lowest = access->address[i];
    const uint64_t sector = access->address[lane] / 32 - lowest / 32;
    cell->pen = lw_hue(LW_TONE_OWNER, sector);
    snprintf(cell->below, sizeof cell->below, "%llu", (unsigned long long)sector);
}

static void lane_label(LW_UNUSED void *context, LW_UNUSED int axis, LW_UNUSED uint64_t i,
                       struct lw_text *text)
{
    lw_text_add(text, "lane, sector");
}

static const struct lw_grid_source lanes = {lane_cell, lane_label, NULL, NULL};

/* ---- The picture ---- */

static const struct lw_subject *subject_of(const struct lw_model *model,
                                           LW_UNUSED enum lw_side side)
{
    return model->has_cuda ? lw_picture_any(model, LW_SIDE_A) : NULL;
}

static bool open(struct lw_picture *picture, LW_UNUSED struct lw_error *err)
{
    picture->list = (struct lw_list){.source = &source, .context = picture, .has_focus = true};
    lw_list_changed(&picture->list, picture->model->cuda.access_count);
    picture->list.at = picture->model->doc.cuda_access - 1;
    picture->grid = (struct lw_grid){.source = &lanes,
                                     .context = picture,
                                     .cell_lines = 2,
                                     .cell_width = 4,
                                     .to_right = true,
                                     .count = {[LW_COL] = 16},
                                     .no_labels = {[LW_COL] = true}};
    find_first(picture);
    return true;
}

static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    enum { LANES = 5 };
    const int need = (int)picture->list.count + 1;
    struct lw_rect list = rect, below = rect;
    if (rect.height > need + 1)
        list.height = need;
    else if (rect.height > 2 * LANES && accesses_of(picture)->has_lanes)
        list.height -= LANES;
    picture->list.rect = list;
    below.row += list.height + 1;
    below.height -= list.height + 1;
    picture->grid.count[LW_ROW] = accesses_of(picture)->has_lanes ? 2 : 0;
    return lw_grid_arrange(&picture->grid, below);
}

static void draw(struct lw_picture *picture, struct lw_surface *surface)
{
    lw_list_draw(&picture->list, surface, picture->list.rect);
}

static void explain(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct lw_model *model = picture->model;
    const size_t i = picture->list.at;
    const struct lw_cuda_access *access = &model->cuda.accesses[i];
    const struct lw_cuda_cost *cost = &model->costs[i];
    struct lw_text *text = lw_explanation_line(explanation, "code");
    put_code(text, &model->cuda, access);
    text = lw_explanation_line(explanation, "takes");
    if (!access->times) {
        lw_text_add(text, "atomics on global memory are not counted");
    } else if (is_shared(model, i)) {
        lw_put_count(text, cost->conflicts, "conflict");
    } else {
        lw_put_count(text, cost->sectors, "sector");
        lw_text_add(text, " of 32 bytes in ");
        lw_put_count(text, cost->lines, "line");
        lw_text_add(text, " of 128");
    }
    if (model->cuda.warning.code != LW_OK)
        lw_text_format(lw_explanation_line(explanation, "warning"), "%d:%d: %s",
                       model->cuda.warning.position.line, model->cuda.warning.position.column,
                       model->cuda.warning.message);
}

size_t lw_picture_access(const struct lw_picture *picture)
{
    if (!picture || picture->type != &lw_picture_accesses)
        return 0;
    const size_t i = picture->list.at;
    return is_shared(picture->model, i) && picture->model->cuda.accesses[i].op != LW_CUDA_ATOMIC
               ? i + 1
               : 0;
}

const struct lw_picture_type lw_picture_accesses = {
    .name = "accesses",
    .title = "Accesses",
    .about = "all accesses of the text, with what each takes",
    .is_tab = true,
    .state_size = sizeof(struct accesses),
    .subject = subject_of,
    .open = open,
    .arrange = arrange,
    .draw = draw,
    .follow = find_first,
    .explain = explain,
};
