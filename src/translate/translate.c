/* Translations: the table of systems, and the translations of one layout into each. */

#include "translate/translate_parts.h"
#include "core/array_count.h"

#include <string.h>

static const struct lw_translate_system systems[] = {
    {"triton", "Triton", "the type with its encoding, as Triton prints it", "//",
     lw_translate_to_triton, false},
    {"gluon", "Gluon", "the constructor call of Triton's Gluon language", "#",
     lw_translate_to_gluon, false},
    {"tilus", "tilus", "an expression of the Python package tilus", "#", lw_translate_to_tilus,
     false},
    {"cute", "CuTe", "shape:stride, swizzled, or of threads and values over a tile", "//",
     lw_translate_to_cute, false},
    {"cute-cpp", "CuTe C++", "the same as a type or calls of C++", "//", lw_translate_to_cute_cpp,
     true},
    {"cute-dsl", "the CuTe DSL", "the same as calls of the CuTe DSL for Python", "#",
     lw_translate_to_cute_dsl, true},
};

const struct lw_translate_system *lw_translate_systems(size_t *count)
{
    *count = LW_COUNT(systems);
    return systems;
}

const struct lw_translate_system *lw_translate_system_find(const char *name)
{
    for (size_t i = 0; i < LW_COUNT(systems); i++)
        if (!strcmp(systems[i].name, name))
            return &systems[i];
    return NULL;
}

/* Encodings that one system has found serve the next. */
static bool translate(struct lw_arena *arena, const struct lw_translate_system *system,
                      const struct lw_translate_request *request,
                      struct lw_translate_encodings *found, struct lw_translations *translations,
                      struct lw_error *err)
{
    struct lw_error reason = {0};
    struct lw_tensor tensor = *request->tensor;
    struct lw_translate_request of = *request;
    struct lw_translate_work work = {.arena = arena, .err = &reason, .of = &of, .found = found};
    bool unset = request->encoding && !tensor.element.name[0];
    int bits = unset ? lw_encoding_element_bits(request->encoding) : 0;
    char element[16];
    snprintf(element, sizeof element, "i%d", bits);
    if (bits) /* the element type is that of the encoding */
        lw_element_find(&tensor.element, element, NULL);
    of.tensor = &tensor;
    if (of.encoding && of.encoding->listed) /* no notation has a list of elements */
        of.encoding = NULL;
    work.linear =
        lw_translate_normalize(request->map, request->lanes, &work.layout, &work.space, &work.why);
    *translations = (struct lw_translations){0};
    if (system->find(&work, translations) && translations->count)
        return true;
    bool lack = reason.code == LW_ERROR_UNSUPPORTED || reason.code == LW_ERROR_SHAPE ||
                reason.code == LW_ERROR_PARAMETER || reason.code == LW_OK;
    return lw_error_set(err, lack ? LW_ERROR_UNSUPPORTED : reason.code, "not expressible in %s: %s",
                        system->title, reason.message);
}

bool lw_translate(struct lw_arena *arena, const struct lw_translate_system *system,
                  const struct lw_translate_request *request, struct lw_translations *translations,
                  struct lw_error *err)
{
    struct lw_translate_encodings found = {0};
    return translate(arena, system, request, &found, translations, err);
}

bool lw_translate_memory_to_cute(struct lw_arena *arena, const struct lw_translate_request *request,
                                 struct lw_cute *out, struct lw_error *err)
{
    struct lw_error reason = {0};
    struct lw_translate_work work = {.arena = arena, .err = &reason, .of = request};
    work.linear =
        lw_translate_normalize(request->map, request->lanes, &work.layout, &work.space, &work.why);
    if (lw_dims_find(&request->map->in, "offset") < 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "this layout is not in shared memory");
    if (request->encoding && lw_cute_of_encoding(arena, request->encoding, out, NULL) && !out->tile)
        return true;
    if (lw_translate_need_block(&work) && lw_translate_cute_memory(&work, out))
        return true;
    return lw_error_set(err, LW_ERROR_UNSUPPORTED, "not expressible in CuTe: %s", reason.message);
}

/* ---- All systems ---- */

static bool add_row(struct lw_translation_table *table, const struct lw_translate_system *system,
                    const char *text, bool remark)
{
    int at = table->count;
    if (at == LW_TRANSLATION_ROWS_MAX || !text)
        return text;
    table->row[at].system = system;
    table->row[at].text = text;
    table->row[at].first = !at || table->row[at - 1].system != system;
    table->row[at].remark = remark;
    table->count++;
    return true;
}

bool lw_translation_table_fill(struct lw_translation_table *table,
                               const struct lw_translate_request *request, struct lw_error *err)
{
    struct lw_translate_encodings found = {0};
    bool good = true;
    for (size_t i = 0; i < LW_COUNT(systems) && good && !table->done; i++) {
        struct lw_translations translations;
        struct lw_error reason;
        if (systems[i].alone)
            continue;
        if (translate(&table->arena, &systems[i], request, &found, &translations, &reason))
            for (int k = 0; k < translations.count && good; k++)
                good = add_row(table, &systems[i], translations.text[k], false);
        else
            good = reason.code != LW_ERROR_MEMORY &&
                   add_row(table, &systems[i],
                           lw_arena_string(&table->arena, reason.message, strlen(reason.message)),
                           true);
        if (translations.remark && good)
            good = add_row(table, &systems[i], translations.remark, true);
    }
    table->done = true;
    if (good)
        return true;
    lw_translation_table_free(table); /* the next call starts over */
    return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

void lw_translation_table_free(struct lw_translation_table *table)
{
    lw_arena_free(&table->arena);
    memset(table, 0, sizeof *table);
}
