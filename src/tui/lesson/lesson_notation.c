/* Layouts as answers: "{notation cute}" is the layout on the screen in the notation of CuTe. A typed answer is right if
 * it is in that notation and the same function, however it is written. */

#include "tui/lesson/lesson_run.h"

#include "core/array_count.h"
#include "laneway/translate.h"

#include <string.h>

/* The systems whose notation can be typed. */
static const struct {
    const char *name, *title;
    enum lw_notation notation;
    const char *example;
} systems[] = {
    {"triton", "Triton", LW_NOTATION_MLIR,
     "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>"},
    {"cute", "CuTe", LW_NOTATION_CUTE, "Sw<1,2,3> o 0 o (32,8):(8,1)"},
    {"tilus", "tilus", LW_NOTATION_TILUS, "local(2, 1).spatial(8, 4)"},
};

static const struct lw_subject *target_of(const struct lw_lesson_state *state)
{
    return state->sides[LW_SIDE_S] ? state->sides[LW_SIDE_S] : state->own;
}

/* Puts the attribute of a type of Triton, "tensor<64x64xf16, #ttg.blocked<...>>"; another text unchanged. */
static void put_attribute(struct lw_text *text, const char *type)
{
    const char *attribute = strncmp(type, "tensor<", 7) != 0 ? NULL : strchr(type, '#');
    if (attribute)
        lw_text_bytes(text, attribute, strlen(attribute) - 1);
    else
        lw_text_add(text, type);
}

/* For "triton", or "triton of A": a side of the access as it was written. */
bool lw_lesson_put_notation(struct lw_text *text, const struct lw_lesson_state *state,
                            const char *what)
{
    static const char sides[] = "ASB", of[] = " of ";
    char name[16];
    size_t length = strcspn(what, " ");
    snprintf(name, sizeof name, "%.*s", (int)(length < 15 ? length : 15), what);
    bool has_side = !strncmp(what + length, of, strlen(of));
    const char *side = has_side ? strchr(sides, what[length + strlen(of)]) : NULL;
    const struct lw_translate_system *to = lw_translate_system_find(name);
    const struct lw_subject *subject = !has_side       ? target_of(state)
                                       : side && *side ? state->sides[side - sides]
                                                       : NULL;
    struct lw_arena arena = {0};
    struct lw_translations found;
    if (!to || !subject || (!has_side && what[length]))
        return false;
    const struct lw_translate_request request = {.map = &subject->map,
                                                 .tensor = &subject->tensor,
                                                 .lanes = state->lanes,
                                                 .encoding = has_side ? subject->encoding : NULL};
    bool good = lw_translate(&arena, to, &request, &found, NULL);
    if (good && has_side)
        put_attribute(text, found.text[0]);
    else if (good)
        lw_text_add(text, found.text[0]);
    lw_arena_free(&arena);
    return good;
}

bool lw_lesson_is_notation_answer(const char *answer, char system[16])
{
    static const char marker[] = "{notation ";
    if (strncmp(answer, marker, strlen(marker)) != 0)
        return false;
    const char *name = answer + strlen(marker);
    size_t length = strcspn(name, "}");
    snprintf(system, 16, "%.*s", (int)(length < 15 ? length : 15), name);
    return !strcmp(name + length, "}");
}

/* Builds the map of a typed layout of the tensor in question. */
static bool build(const struct lw_subject *subject, size_t system, const char *typed,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_text type = {0}, whole = {0};
    struct lw_document doc;
    lw_tensor_print(&type, &subject->tensor);
    const struct lw_open_options options = {.type = lw_text_string(&type)};
    bool is_bare = systems[system].notation == LW_NOTATION_MLIR && strstr(typed, "<{") &&
                   typed[0] >= 'a' && typed[0] <= 'z';
    lw_text_format(&whole, "%s%s", is_bare ? "#ttg." : "", typed); /* the prefix is optional */
    bool good = lw_document_read(&doc, lw_text_string(&whole), whole.length, &options, err);
    lw_text_free(&whole);
    lw_text_free(&type);
    if (!good)
        return false;
    if (doc.notation != systems[system].notation)
        good = lw_error_set(err, LW_ERROR_UNSUPPORTED, "expected the notation of %s: %s",
                            systems[system].title, systems[system].example);
    good = good && lw_document_build(&doc, map, err);
    lw_document_free(&doc);
    return good;
}

bool lw_lesson_is_layout(const struct lw_lesson_state *state, const char *system, const char *typed,
                         const char *other, struct lw_text *why)
{
    enum { POINTS_MAX = 1 << 20 };
    const struct lw_subject *subject = target_of(state);
    struct lw_error err = {0};
    struct lw_map a, b;
    size_t i = 0;
    while (i < LW_COUNT(systems) && strcmp(systems[i].name, system) != 0)
        i++;
    if (!subject || i == LW_COUNT(systems))
        return false;
    if (!build(subject, i, typed, &a, &err) || (other && !build(subject, i, other, &b, &err))) {
        if (why)
            lw_text_add(why, err.message);
        return false;
    }
    if (lw_translate_same_layout(&a, other ? &b : &subject->map, state->lanes, POINTS_MAX))
        return true;
    if (why)
        lw_text_add(why, "It is another function than the layout on the screen.");
    return false;
}
