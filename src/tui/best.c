/* The search for the best S, and its list. */

#include "tui/best.h"

#include "core/array_count.h"
#include "tui/terminal/terminal.h"
#include "view/view_parts.h"

#include <string.h>

/* ---- The list ---- */

enum { KIND, WAVEFRONTS, BYTES, LABEL };

static void cell(void *context, size_t number, int column, struct lw_text *text, struct lw_pen *pen)
{
    const struct lw_best *best = context;
    const struct lw_best_row *row = &best->rows[number];
    const struct lw_swizzle *swizzle = row->swizzle;
    *pen = lw_tone(column < WAVEFRONTS || column == BYTES ? LW_TONE_TEXT
                   : column == LABEL                      ? LW_TONE_FAINT
                   : row->wavefronts > best->fewest       ? LW_TONE_BAD
                                                          : LW_TONE_GOOD);
    if (column == KIND)
        lw_text_add(text, row->kind);
    else if (column == WAVEFRONTS)
        lw_text_number(text, row->wavefronts);
    else if (column == BYTES)
        lw_text_number(text, swizzle ? swizzle->bytes : row->fix->bytes);
    else if (column == LABEL && number && !swizzle)
        lw_text_add(text, row->fix->changed);
    else if (column == LABEL && number)
        lw_swizzle_label(text, &best->search, swizzle);
}

static const struct lw_column columns[] = {
    {"best layouts for S", false, 0}, {"wavefronts", true, 0}, {"bytes", true, 6}, {"", false, 0}};
static const struct lw_list_source source = {columns, 4, cell, NULL, NULL};

static void add(struct lw_best *best, const char *kind, uint64_t wavefronts,
                const struct lw_swizzle *swizzle, const struct lw_cuda_fix *fix)
{
    best->rows[best->count++] = (struct lw_best_row){kind, wavefronts, swizzle, fix};
    if (best->count == 1 || wavefronts < best->fewest)
        best->fewest = wavefronts;
}

/* Lists S as it is, then what was found of each kind; of CUDA C++ the text as it is, and what pads or xors it. */
static void list_rows(struct lw_best *best)
{
    static const struct {
        enum lw_swizzle_kind kind;
        const char *name;
    } kinds[] = {{LW_SWIZZLE_SWIZZLED, "swizzle"},
                 {LW_SWIZZLE_NVMMA, "TMA, wgmma"},
                 {LW_SWIZZLE_PADDED, "padding"},
                 {LW_SWIZZLE_LINEAR, "linear"}};
    static const char *const names[] = {
        [LW_CUDA_AS_WRITTEN] = "as it is", [LW_CUDA_PADDED] = "padding", [LW_CUDA_XOR] = "xor"};
    best->count = 0;
    for (size_t i = 0; i < best->fixes.count; i++) {
        const struct lw_cuda_fix *fix = &best->fixes.fix[i];
        add(best, names[fix->kind], fix->wavefronts, NULL, fix);
    }
    if (!best->fixes.count)
        add(best, "as it is", lw_swizzle_wavefronts(&best->given), &best->given, NULL);
    for (size_t i = 0; i < LW_COUNT(kinds) && !best->fixes.count; i++) {
        const struct lw_swizzle *swizzle = &best->search.best[kinds[i].kind];
        if (best->search.found[kinds[i].kind])
            add(best, kinds[i].name, lw_swizzle_wavefronts(swizzle), swizzle, NULL);
    }
    best->list.source = &source;
    best->list.context = best;
    best->list.has_focus = true;
    lw_list_changed(&best->list, best->count);
}

/* ---- The search ---- */

void lw_best_begin(struct lw_best *best, const struct lw_model *model)
{
    struct lw_swizzle_request request = {0};
    const struct lw_subject *a = lw_model_at(model, LW_SIDE_A), *b = lw_model_at(model, LW_SIDE_B);
    lw_best_end(best);
    if (!model->has_path)
        return;
    const struct lw_plan *plan = model->path.store ? model->path.store : model->path.load;
    if (model->has_cuda) {
        const size_t array = model->cuda.accesses[model->doc.cuda_access - 1].array;
        best->has_search = lw_cuda_fixes_make(&best->fixes, &model->cuda, array,
                                              plan->request.hardware, &best->why_not);
        if (best->has_search)
            list_rows(best);
        return;
    }
    /* The memory of an exchange is what the compiler chose: any memory of the tensor could be used instead. */
    const struct lw_conversion *exchange = model->path.conversion;
    request.store = model->path.store ? &(a ? a : b)->map : NULL;
    request.load = model->path.load ? &(b ? b : a)->map : NULL;
    request.memory = exchange ? NULL : &lw_model_at(model, LW_SIDE_S)->map;
    request.element_bits = plan->request.element_bits;
    request.stage = plan->request.stage;
    request.hardware = plan->request.hardware;
    request.triton = plan->request.triton;
    if (!lw_swizzle_begin(&best->search, &request, &best->why_not))
        return;
    if (exchange)
        best->given = (struct lw_swizzle){.kind = LW_SWIZZLE_GIVEN,
                                          .bytes = exchange->shared_bytes,
                                          .store = exchange->store_total,
                                          .load = exchange->load_total};
    best->has_search = best->is_running =
        exchange || lw_swizzle_judge(&best->search, request.memory, &best->given, &best->why_not);
    if (!best->has_search) {
        lw_swizzle_end(&best->search);
        return;
    }
    struct lw_map plain;
    best->has_plain = !exchange && lw_memory_plain(request.memory, &plain) &&
                      lw_swizzle_judge(&best->search, &plain, &best->plain, NULL);
    list_rows(best);
}

void lw_best_end(struct lw_best *best)
{
    if (best->fixes.count)
        lw_cuda_fixes_free(&best->fixes);
    else if (best->has_search)
        lw_swizzle_end(&best->search);
    lw_list_free(&best->list);
    memset(best, 0, sizeof *best);
}

bool lw_best_work(struct lw_best *best)
{
    enum { SLICE_MS = 2 };
    const int64_t until = lw_now_ms() + SLICE_MS;
    if (!best->is_running)
        return false;
    while (best->is_running && lw_now_ms() < until)
        best->is_running = lw_swizzle_step(&best->search, 1);
    list_rows(best);
    return true;
}

bool lw_best_gains(const struct lw_best *best)
{
    return best->has_search && !best->is_running && best->fewest < best->rows[0].wavefronts;
}

uint64_t lw_best_given(const struct lw_best *best)
{
    return best->has_search ? best->rows[0].wavefronts : 0;
}

const struct lw_best_row *lw_best_chosen(const struct lw_best *best)
{
    return best->list.at && best->list.at < best->count ? &best->rows[best->list.at] : NULL;
}

void lw_best_draw(struct lw_best *best, struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_rect rows = {rect.row, rect.col, rect.height - 1, rect.width};
    struct lw_text text = {0};
    lw_list_draw(&best->list, surface, rows);
    if (best->is_running)
        lw_text_format(&text, "searching: %llu of %llu", (unsigned long long)best->search.done,
                       (unsigned long long)best->search.total);
    else if (best->fixes.count && best->count == 1)
        lw_text_add(&text,
                    "no padding and no xor of the column with the row is known to take fewer");
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

void lw_best_explain(const struct lw_best *best, const struct lw_model *shown, bool is_roomy,
                     struct lw_explanation *about)
{
    const struct lw_best_row *chosen = lw_best_chosen(best);
    const struct lw_subject *memory = lw_model_memory(shown);
    const struct lw_translate_request request = {&memory->map, &memory->tensor, memory->lanes,
                                                 memory->encoding};
    struct lw_translation_table table = {0};
    struct lw_text *text = lw_explanation_line(about, "spelling");
    if (!chosen && shown->has_exchange)
        lw_text_add(text, "the memory that the compiler chose");
    else if (!chosen)
        lw_encoding_print_short(text, memory->encoding);
    else if (chosen->fix)
        lw_text_add(text, chosen->fix->changed);
    else
        lw_swizzle_print(text, &best->search, chosen->swizzle);
    /* A fix changes the text of CUDA C++, and not always S. */
    if (is_roomy && !best->fixes.count && lw_translation_table_fill(&table, &request, NULL))
        for (int i = 1; i < table.count; i++)
            if (table.row[i].first && !table.row[i].remark)
                lw_text_add(lw_explanation_line(about, table.row[i].system->name),
                            table.row[i].text);
    lw_translation_table_free(&table);
}

struct lw_model *lw_best_model(const struct lw_best *best, const struct lw_model *model,
                               const struct lw_model_options *options, struct lw_error *err)
{
    const struct lw_best_row *row = lw_best_chosen(best);
    struct lw_document side, one;
    struct lw_model *made = NULL;
    if (row->fix)
        return lw_model_access(model, row->fix->text, model->doc.cuda_access, options, err);
    lw_document_side(&side, &model->doc, model->has_exchange ? model->side : LW_SIDE_S);
    if (!lw_document_copy(&one, &side, err))
        return NULL;
    one.expression = NULL;
    one.encoding = lw_swizzle_encoding(&one.arena, &best->search, row->swizzle);
    if (one.encoding)
        made = lw_model_with(model, LW_SIDE_S, &one, options, err);
    else
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    lw_document_free(&one);
    return made;
}
