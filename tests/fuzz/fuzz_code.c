/* The words of other systems and index arithmetic: of a layout that is read and builds, every word reads
 * as that layout, and the arithmetic is printed or refused with a message. */

#include "fuzz_reading.h"

#include "laneway/formula.h"
#include "laneway/translate.h"

#define POINTS_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Point by point where they are of other dims and not linear, so only of a size that allows that. */
static bool is_same(const struct lw_translate_request *request, const struct lw_map *map)
{
    uint64_t points, elements;
    struct lw_layout one, two;
    bool linear = lw_map_to_layout(request->map, &one, NULL);
    if (linear && lw_map_to_layout(map, &two, NULL) && lw_layout_equal(&one, &two))
        return true;
    bool small = lw_dims_total(&request->map->in, &points, NULL) && points <= POINTS_MAX &&
                 lw_dims_total(&request->map->out, &elements, NULL) && elements <= POINTS_MAX;
    return (!linear && !small) ||
           lw_translate_same_layout(request->map, map, request->lanes, POINTS_MAX);
}

static void check_translation(const char *word, const struct lw_translate_request *request)
{
    struct lw_document doc;
    struct lw_map map;
    must(lw_document_read(&doc, word, strlen(word), NULL, NULL));
    must(lw_document_build(&doc, &map, NULL));
    must(is_same(request, &map));
    lw_document_free(&doc);
}

/* The notation of Gluon is without the tensor, and code for threads and values without their tile. */
static bool is_read(const struct lw_translate_system *system,
                    const struct lw_translate_request *request)
{
    return strcmp(system->name, "gluon") != 0 &&
           (!system->alone || lw_dims_find(&request->map->in, "offset") >= 0);
}

static void check_translations(const struct lw_translate_request *request)
{
    size_t count;
    const struct lw_translate_system *systems = lw_translate_systems(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_arena arena = {0};
        struct lw_translations translations;
        struct lw_error err = {0};
        if (!lw_translate(&arena, &systems[i], request, &translations, &err))
            check_error(&err);
        else
            for (int k = 0; k < translations.count && is_read(&systems[i], request); k++)
                check_translation(translations.text[k], request);
        lw_arena_free(&arena);
    }
}

static void check_formulas(const struct lw_map *map, int bits)
{
    size_t count;
    const struct lw_formula_language *languages = lw_formula_languages(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_text text = {0};
        struct lw_error err = {0};
        if (lw_formula_print(&text, &languages[i], map, bits, "x", &err))
            must(text.length > 0);
        else
            check_error(&err);
        must(err.code != LW_ERROR_INTERNAL);
        lw_text_free(&text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_document doc;
    struct lw_map map;
    struct lw_tensor tensor;
    if (!lw_document_read(&doc, (const char *)data, size, NULL, NULL))
        return 0;
    if (lw_document_build(&doc, &map, NULL)) {
        int lane = lw_dims_find(&map.in, "lane");
        lw_document_tensor(&doc, &map, &tensor);
        struct lw_translate_request request = {&map, &tensor,
                                               lane < 0 ? LW_LANES_DEFAULT : map.in.dim[lane].size,
                                               data[0] % 2 ? doc.encoding : NULL};
        check_translations(&request);
        check_formulas(&map, tensor.element.bits);
    }
    lw_document_free(&doc);
    return 0;
}
