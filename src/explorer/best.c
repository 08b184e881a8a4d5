/* The search for the best S, and its list. */

#include "explorer/best.h"

#include "tui/terminal/terminal.h"

#include <string.h>

static const char *const kind_names[] = {
    [LW_SWIZZLE_SWIZZLED] = "swizzle", [LW_SWIZZLE_NVMMA] = "TMA, wgmma",
    [LW_SWIZZLE_LINEAR] = "linear",    [LW_SWIZZLE_PADDED] = "padding",
    [LW_SWIZZLE_GIVEN] = "as it is",
};

static const struct lw_swizzle *of_kind(const struct lw_best *best, int kind)
{
    return kind == LW_SWIZZLE_GIVEN ? &best->given : &best->search.best[kind];
}

/* ---- The list ---- */

enum { KIND, WAVEFRONTS, STORE, LOAD, BYTES, LABEL };

static void cell(void *context, size_t row, int column, struct lw_text *text, struct lw_pen *pen)
{
    const struct lw_best *best = context;
    const int kind = best->kinds[row];
    const struct lw_swizzle *swizzle = of_kind(best, kind);
    const bool is_better = lw_swizzle_wavefronts(swizzle) < lw_swizzle_wavefronts(&best->given);
    switch (column) {
    case KIND:
        lw_text_add(text, kind_names[kind]);
        return;
    case WAVEFRONTS:
        lw_text_number(text, lw_swizzle_wavefronts(swizzle));
        break;
    case STORE:
        lw_text_number(text, swizzle->store.wavefronts);
        break;
    case LOAD:
        lw_text_number(text, swizzle->load.wavefronts);
        break;
    case BYTES:
        lw_text_number(text, swizzle->bytes);
        break;
    default:
        if (kind != LW_SWIZZLE_GIVEN)
            lw_swizzle_label(text, &best->search, swizzle);
        *pen = lw_tone(LW_TONE_FAINT);
        return;
    }
    uint64_t conflicts = column == STORE  ? swizzle->store.conflicts
                         : column == LOAD ? swizzle->load.conflicts
                                          : swizzle->store.conflicts + swizzle->load.conflicts;
    if (column != BYTES)
        *pen = lw_tone(conflicts && !is_better ? LW_TONE_BAD : LW_TONE_GOOD);
}

static const struct lw_column columns[] = {{"best layouts for S", false, false, 0, 9},
                                           {"wavefronts", true, false, 0, 8},
                                           {"store", true, false, 6, 6},
                                           {"load", true, false, 6, 7},
                                           {"bytes", true, false, 6, 5},
                                           {"", false, true, 12, 4}};
static const struct lw_rows_source source = {columns, 6, cell, NULL, NULL};

/* S as it is, then what was found of each kind. */
static void list(struct lw_best *best)
{
    static const int order[] = {LW_SWIZZLE_SWIZZLED, LW_SWIZZLE_NVMMA, LW_SWIZZLE_PADDED,
                                LW_SWIZZLE_LINEAR};
    best->count = 0;
    if (best->has_given)
        best->kinds[best->count++] = LW_SWIZZLE_GIVEN;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (best->search.found[order[i]])
            best->kinds[best->count++] = order[i];
    best->list.source = &source;
    best->list.context = best;
    best->list.has_focus = true;
    best->list.sort = -1;
    lw_rows_changed(&best->list, best->count);
}

/* ---- The search ---- */

void lw_best_begin(struct lw_best *best, const struct lw_model *model)
{
    struct lw_swizzle_request request = {0};
    const struct lw_subject *a = lw_model_at(model, LW_SIDE_A), *b = lw_model_at(model, LW_SIDE_B);
    lw_best_end(best);
    if (!model->has_path || model->has_exchange)
        return;
    const struct lw_plan *plan = model->path.store ? model->path.store : model->path.load;
    const struct lw_map *memory = &lw_model_at(model, LW_SIDE_S)->map;
    request.store = model->path.store ? &(a ? a : b)->map : NULL;
    request.load = model->path.load ? &(b ? b : a)->map : NULL;
    request.memory = memory;
    request.element_bits = plan->request.element_bits;
    request.stage = plan->request.stage;
    request.hardware = plan->request.hardware;
    request.triton = plan->request.triton;
    best->has_search = best->is_running = lw_swizzle_begin(&best->search, &request, &best->why_not);
    if (!best->has_search)
        return;
    best->has_given = lw_swizzle_judge(&best->search, memory, &best->given, NULL);
    list(best);
}

void lw_best_end(struct lw_best *best)
{
    if (best->has_search)
        lw_swizzle_end(&best->search);
    lw_rows_free(&best->list);
    memset(best, 0, sizeof *best);
}

bool lw_best_work(struct lw_best *best)
{
    enum { SLICE_MS = 2, STEP = 16 };
    const int64_t until = lw_now_ms() + SLICE_MS;
    if (!best->is_running)
        return false;
    while (best->is_running && lw_now_ms() < until)
        best->is_running = lw_swizzle_step(&best->search, STEP);
    list(best);
    return true;
}

void lw_best_finish(struct lw_best *best)
{
    while (lw_best_work(best))
        ;
}

const struct lw_swizzle *lw_best_gain(const struct lw_best *best)
{
    if (!best->has_search || best->is_running || !best->has_given)
        return NULL;
    const struct lw_swizzle *found = lw_swizzle_best(&best->search);
    return found && lw_swizzle_wavefronts(found) < lw_swizzle_wavefronts(&best->given) ? found
                                                                                       : NULL;
}

const struct lw_swizzle *lw_best_chosen(const struct lw_best *best)
{
    if (best->list.at >= best->count || best->kinds[best->list.at] == LW_SWIZZLE_GIVEN)
        return NULL;
    return of_kind(best, best->kinds[best->list.at]);
}

int lw_best_lines(const struct lw_best *best)
{
    return (int)best->count + 2;
}

void lw_best_draw(struct lw_best *best, struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_rect rows = {rect.row, rect.col, rect.height - 1, rect.width};
    struct lw_text text = {0};
    lw_rows_draw(&best->list, surface, rows);
    if (best->is_running)
        lw_text_format(&text, "searching: %llu of %llu", (unsigned long long)best->search.done,
                       (unsigned long long)best->search.total);
    else if (lw_swizzle_bound_is_proof(&best->search))
        lw_text_format(&text, "no linear layout of this memory takes fewer than %llu: proven",
                       (unsigned long long)best->search.bound);
    else if (best->search.bound)
        lw_text_format(&text, "no linear layout is known to take fewer than %llu",
                       (unsigned long long)best->search.bound);
    int line = rect.row + (int)best->count + 1;
    if (line < rect.row + rect.height)
        lw_put(surface, line, rect.col + 2, rect.width - 2, lw_tone(LW_TONE_FAINT),
               lw_text_string(&text));
    lw_text_free(&text);
}

bool lw_best_document(const struct lw_best *best, const struct lw_model *model,
                      struct lw_document *doc, struct lw_error *err)
{
    const struct lw_swizzle *chosen = lw_best_chosen(best);
    struct lw_document side, one;
    if (!lw_document_copy(doc, &model->doc, err))
        return false;
    if (!chosen)
        return true;
    lw_document_side(&side, doc, LW_SIDE_S);
    bool good = lw_document_copy(&one, &side, err);
    if (good) {
        one.expression = NULL;
        one.encoding = lw_swizzle_encoding(&one.arena, &best->search, chosen);
        good = one.encoding ? lw_document_put(doc, LW_SIDE_S, &one, err)
                            : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        lw_document_free(&one);
    }
    if (!good)
        lw_document_free(doc);
    return good;
}
