/* Models: a document with its layouts open. */

#include "tui/model.h"

#include "notation/document/read.h"
#include "tui/memory_failed.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

static bool open_sides(struct lw_model *model, const struct lw_model_options *options,
                       struct lw_error *err)
{
    const enum lw_side own = model->side = model->doc.side;
    const struct lw_hardware *hardware =
        options->hardware ? options->hardware : lw_hardware_default();
    struct lw_subject *subject = &model->opened[own].subject;
    if (!lw_subject_open(&model->opened[own], &model->doc, hardware->lanes, err))
        return false;
    model->has[own] = true;
    subject->hardware = options->hardware;
    return !lw_document_is_access(&model->doc) ||
           lw_subject_open_others(subject, &model->doc, model->opened, model->has, options->as,
                                  err);
}

/* Finds the exchange of a conversion that goes through shared memory. */
static void make_exchange(struct lw_model *model)
{
    struct lw_error *why = &model->why_no_path;
    const struct lw_subject *a = lw_model_at(model, LW_SIDE_A);
    const struct lw_conversion *conversion = lw_subject_access_conversion(a->access, why);
    struct lw_map memory;
    const struct lw_error *unknown = conversion ? lw_conversion_unknown(conversion) : NULL;
    if (unknown)
        *why = *unknown;
    if (!conversion || unknown || conversion->kind != LW_CONVERSION_SHARED)
        return;
    lw_map_from_layout(&memory, &conversion->memory);
    lw_subject_init(&model->exchange, &memory, &a->tensor, LW_FAMILY_SHARED);
    model->exchange.hardware = a->hardware;
    model->has_exchange = true;
    model->path = lw_path_of_conversion(conversion);
}

/* Makes the plans of an access, or of an exchange, and their folds. */
static void make_path(struct lw_model *model)
{
    struct lw_error *why = &model->why_no_path;
    if (lw_model_is_conversion(model)) {
        make_exchange(model);
    } else if (model->has[LW_SIDE_S] && (model->has[LW_SIDE_A] || model->has[LW_SIDE_B])) {
        struct lw_subject_access *access = model->opened[LW_SIDE_S].subject.access;
        if (model->has[LW_SIDE_A] || !model->doc.is_one_way)
            model->path.store = lw_subject_access_plan(access, LW_ACCESS_STORE, why);
        if (model->has[LW_SIDE_B] || !model->doc.is_one_way)
            model->path.load = lw_subject_access_plan(access, LW_ACCESS_LOAD, why);
    }
    model->has_path =
        (model->path.store || model->path.load) && lw_folds_make(&model->folds, &model->path, why);
    if (model->has_path && !model->folds.count) {
        lw_error_set(why, LW_ERROR_UNSUPPORTED, "no lane executes an access");
        model->has_path = false;
    }
}

/* The access of CUDA C++ that takes the most beyond its least, to shared memory before others, from 1; 0: none takes
 * more. A picture is not of atomics, a verdict is of conflicts, of all accesses. */
static size_t worst_access(const struct lw_model *model, bool is_for_verdict)
{
    size_t worst = 0;
    uint64_t most = 0;
    for (size_t i = 0; model->has_cuda && i < model->cuda.access_count; i++) {
        const struct lw_cuda_cost *cost = &model->costs[i];
        const uint64_t excess = ((uint64_t)(cost->wavefronts - cost->ideal) << 32) + cost->sectors -
                                cost->ideal_sectors;
        if ((is_for_verdict ? cost->conflicts > 0 : model->cuda.accesses[i].op != LW_CUDA_ATOMIC) &&
            excess > most) {
            most = excess;
            worst = i + 1;
        }
    }
    return worst;
}

/* Writes the verdict, one sentence with the answer. */
static void judge(struct lw_model *model)
{
    struct lw_text *text = &model->verdict;
    const size_t worst = worst_access(model, true);
    const struct lw_cuda_access *access = worst ? &model->cuda.accesses[worst - 1] : NULL;
    if (access && (worst != model->doc.cuda_access || access->op == LW_CUDA_ATOMIC)) {
        static const char *const ops[] = {
            [LW_CUDA_LOAD] = "load", [LW_CUDA_STORE] = "store", [LW_CUDA_ATOMIC] = "atomic"};
        const struct lw_cuda_cost *cost = &model->costs[worst - 1];
        lw_text_format(text, "\xe2\x9c\x97 %s of %s, %d:%d: %llu wavefronts, ideal %llu",
                       ops[access->op], model->cuda.arrays[access->array].name,
                       access->position.line, access->position.column,
                       (unsigned long long)cost->wavefronts, (unsigned long long)cost->ideal);
        model->is_bad = true;
    } else if (model->has_path) {
        model->is_bad = !lw_path_is_free(&model->path);
        lw_text_add(text, model->is_bad ? "\xe2\x9c\x97 " : "\xe2\x9c\x93 ");
        lw_path_put_verdict(text, &model->path, &model->folds);
    } else if (model->why_no_path.code != LW_OK) {
        lw_text_add(text, model->why_no_path.message);
        model->is_bad = true;
    } else if (lw_model_is_conversion(model)) {
        struct lw_view view = {0};
        if (lw_view_open(&view, lw_view_type_find("conversion"), lw_model_at(model, LW_SIDE_A),
                         NULL, NULL))
            view.type->caption(&view, text);
        lw_view_close(&view);
    } else { /* the bases of a linear layout set its shape */
        const struct lw_encoding *encoding = model->doc.encoding;
        lw_put_held(text, lw_model_own(model),
                    model->doc.tensor.rank < 0 && !lw_encoding_has_shape(encoding) &&
                        strcmp(encoding->type->name, "linear") != 0);
    }
}

/* Reads all accesses of a text of CUDA C++, and counts them. */
static void read_cuda(struct lw_model *model, const struct lw_model_options *options)
{
    const struct lw_document *doc = &model->doc;
    struct lw_open_options open = options->open;
    struct lw_cuda_options cuda = *open.cuda;
    cuda.kernel = doc->cuda_kernel;
    open.cuda = &cuda;
    if (!doc->cuda || !lw_cuda_open(&model->cuda, doc->cuda, &open, NULL))
        return;
    const size_t count = model->cuda.access_count;
    model->costs = lw_arena_alloc(&model->cuda.arena, (count + 1) * sizeof *model->costs);
    model->has_cuda = model->costs && doc->cuda_access <= count;
    for (size_t i = 0; model->has_cuda && i < count; i++)
        model->has_cuda = lw_cuda_count(&model->cuda, &model->cuda.accesses[i], options->hardware,
                                        &model->costs[i], NULL);
}

struct lw_model *lw_model_new(const struct lw_document *doc, const char *text,
                              const struct lw_model_options *options, struct lw_error *err)
{
    struct lw_model *model = calloc(1, sizeof *model);
    if (!model) {
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    if (text)
        lw_text_add(&model->text, text);
    else
        lw_document_print_access(&model->text, doc);
    if (lw_document_copy(&model->doc, doc, err) && open_sides(model, options, err)) {
        make_path(model);
        read_cuda(model, options);
        judge(model);
        if (!model->text.failed && !model->verdict.failed && !lw_memory_failed())
            return model;
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory"); /* some part may be missing */
    }
    lw_model_free(model);
    return NULL;
}

struct lw_model *lw_model_with(const struct lw_model *model, enum lw_side side,
                               const struct lw_document *one,
                               const struct lw_model_options *options, struct lw_error *err)
{
    struct lw_document doc;
    struct lw_model *made = NULL;
    if (!lw_document_copy(&doc, &model->doc, err))
        return NULL;
    if (lw_document_put(&doc, side, one, err))
        made = lw_model_new(&doc, NULL, options, err);
    lw_document_free(&doc);
    return made;
}

struct lw_model *lw_model_flipped(const struct lw_model *model, const struct lw_subject *subject,
                                  uint64_t row, uint64_t col,
                                  const struct lw_model_options *options, struct lw_error *err)
{
    struct lw_document one;
    struct lw_layout matrix;
    struct lw_text json = {0};
    struct lw_model *made = NULL;
    const enum lw_side side = lw_document_is_access(&model->doc) ? subject->side : model->doc.side;
    if (!lw_map_to_layout(&subject->map, &matrix, err))
        return NULL;
    matrix.basis[col] ^= UINT64_C(1) << row;
    lw_layout_print_json(&json, &matrix);
    if (lw_document_read(&one, lw_text_string(&json), json.length, NULL, err)) {
        one.tensor = subject->tensor;
        made = lw_model_with(model, side, &one, options, err);
        lw_document_free(&one);
    }
    lw_text_free(&json);
    return made;
}

struct lw_model *lw_model_open(const char *text, const struct lw_model_options *options,
                               struct lw_error *err)
{
    struct lw_document doc;
    struct lw_model *model = NULL;
    if (lw_document_open(&doc, text, &options->open, err)) {
        if (options->beside)
            lw_document_share(&doc, options->beside, false);
        const bool was_access = lw_document_is_access(&doc);
        if (lw_document_set_all(&doc, options->sets, options->set_count, options->are_typed, err))
            model = lw_model_new(&doc, !was_access && lw_document_is_access(&doc) ? NULL : text,
                                 options, err);
        lw_document_free(&doc);
    }
    if (!model && options->are_typed)
        lw_error_of_explorer(err);
    const size_t worst = model && !options->open.cuda_access ? worst_access(model, false) : 0;
    const struct lw_cuda_cost *cost = worst ? &model->costs[worst - 1] : NULL;
    if (!cost || worst == model->doc.cuda_access ||
        (model->has_path && cost->wavefronts == cost->ideal)) /* of global memory */
        return model;
    struct lw_model *chosen = lw_model_access(model, text, worst, options, err);
    lw_model_free(model);
    return chosen;
}

struct lw_model *lw_model_access(const struct lw_model *model, const char *text, size_t access,
                                 const struct lw_model_options *options, struct lw_error *err)
{
    struct lw_model_options chosen = *options;
    struct lw_cuda_options cuda = *options->open.cuda;
    cuda.kernel = model->doc.cuda_kernel;
    chosen.open.cuda = &cuda;
    chosen.open.cuda_access = access;
    return lw_model_open(text, &chosen, err);
}

void lw_model_free(struct lw_model *model)
{
    if (!model)
        return;
    lw_folds_free(&model->folds);
    lw_cuda_free(&model->cuda);
    for (int i = 0; i < LW_SIDES; i++)
        if (model->has[i])
            lw_subject_close(&model->opened[i]);
    lw_document_free(&model->doc);
    lw_text_free(&model->text);
    lw_text_free(&model->verdict);
    free(model);
}

const struct lw_subject *lw_model_at(const struct lw_model *model, enum lw_side side)
{
    return model->has[side] ? &model->opened[side].subject : NULL;
}

const struct lw_subject *lw_model_own(const struct lw_model *model)
{
    return &model->opened[model->side].subject;
}

void lw_model_pair(const struct lw_model *a, const struct lw_model *b,
                   const struct lw_subject *pair[2])
{
    const bool are_accesses = lw_document_is_access(&a->doc) && lw_document_is_access(&b->doc);
    pair[0] = lw_model_own(a);
    pair[1] = lw_model_own(b);
    for (int i = LW_SIDES - 1; i >= 0 && are_accesses; i--) {
        const enum lw_side side = (enum lw_side)i;
        const struct lw_subject *l = lw_model_at(a, side), *r = lw_model_at(b, side);
        if (l && r && !lw_encoding_equal(l->encoding, r->encoding)) {
            pair[0] = l;
            pair[1] = r;
        }
    }
}

const struct lw_subject *lw_model_memory(const struct lw_model *model)
{
    return model->has_exchange ? &model->exchange : lw_model_at(model, LW_SIDE_S);
}

bool lw_model_is_conversion(const struct lw_model *model)
{
    return !model->has[LW_SIDE_S] && model->has[LW_SIDE_A] && model->has[LW_SIDE_B];
}
