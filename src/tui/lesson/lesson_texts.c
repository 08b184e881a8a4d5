/* Markers of the texts of lessons: what is computed is written in braces. */

#include "tui/lesson/lesson_screen.h"

#include "core/array_count.h"
#include "laneway/calc.h"
#include "laneway/translate.h"

#include <stdlib.h>
#include <string.h>

/* ---- Arithmetic ---- */

/* Reads "3,5" as an element of this tensor. */
static bool read_element(const struct lw_subject *subject, const char *p, uint64_t *out)
{
    for (int i = 0; i < subject->map.out.count; i++) {
        char *end;
        out[i] = strtoull(p, &end, 10);
        if (end == p || out[i] >= subject->map.out.dim[i].size)
            return false;
        p = end;
        if (i + 1 < subject->map.out.count && *p++ != ',')
            return false;
    }
    return !*p;
}

/* A field of the first owner of an element: ("bank", "3,5"). False: the layout has no such field or element. */
static bool field_of(const struct lw_lesson_state *state, const char *field, const char *where,
                     uint64_t *value)
{
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    const struct lw_subject *subject = state->own;
    if (subject && !strcmp(field, "bank") && state->sides[LW_SIDE_S])
        subject = state->sides[LW_SIDE_S];
    return subject && read_element(subject, where, out) &&
           lw_map_owner(&subject->map, out, 0, in) &&
           lw_subject_field(subject, field, in, out, value);
}

/* The value of a kind of goal; NULL: it has none. */
static const struct lw_goal_kind *measure(struct lw_lesson_state *state, const char *name,
                                          uint64_t *value)
{
    size_t count;
    const struct lw_goal_kind *kinds = lw_goal_kinds(&count);
    const struct lw_goal_kind *kind = lw_goal_kind_find(kinds, count, name, strlen(name));
    return kind && kind->measure && kind->measure(state, kind->what, value) ? kind : NULL;
}

/* Reads a name, whose dashes are followed by letters; false: there is none, or it is too long. */
static bool read_word(const char **p, char *name, size_t room)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    size_t n = strspn(*p, letters);
    while (n && (((*p)[n] >= '0' && (*p)[n] <= '9') || strspn(*p + n, letters) ||
                 ((*p)[n] == '-' && strspn(*p + n + 1, letters))))
        n++;
    snprintf(name, room, "%.*s", (int)(n < room ? n : 0), *p);
    *p += n;
    return n && n < room;
}

/* Reads a name, "log2" and a name, or "bank of 3,5". */
static bool read_named(const char **p, struct lw_lesson_state *state, uint64_t *value)
{
    enum { ROOM = 48 };
    char name[ROOM], where[32];
    uint64_t size, log = 0;
    if (!read_word(p, name, ROOM))
        return false;
    if (!strcmp(name, "log2") && **p == ' ') {
        *p += 1;
        if (!read_word(p, name, ROOM) || !measure(state, name, &size))
            return false;
        while (size >> log > 1)
            log++;
        *value = log;
        return true;
    }
    if (strncmp(*p, " of ", 4) != 0)
        return measure(state, name, value);
    const size_t length = strspn(*p + 4, "0123456789,");
    snprintf(where, sizeof where, "%.*s", (int)(length < 31 ? length : 31), *p + 4);
    *p += 4 + length;
    return field_of(state, name, where, value);
}

/* Appends the value of an expression of names and numbers, as the calculator has it: "32 / load-each". */
static bool put_sum(struct lw_text *text, struct lw_lesson_state *state, const char *p)
{
    struct lw_text sum = {0}, printed = {0};
    struct lw_arena arena = {0};
    const struct lw_calc_work work = {.arena = &arena};
    struct lw_calc_result result;
    bool good = true;
    while (good && *p) {
        uint64_t value;
        const size_t plain = strspn(p, "0123456789+-*/%() ");
        lw_text_bytes(&sum, p, plain);
        p += plain;
        if (*p && (good = read_named(&p, state, &value)))
            lw_text_number(&sum, value);
    }
    good = good && lw_calc(lw_text_string(&sum), NULL, 0, &work, &result, NULL);
    if (good)
        lw_calc_print(&printed, &result);
    const char *all = lw_text_string(&printed);
    good = good && *all && !all[strspn(all, "0123456789")];
    if (good)
        lw_text_add(text, all);
    lw_arena_free(&arena);
    lw_text_free(&sum);
    lw_text_free(&printed);
    return good;
}

/* ---- Layouts as answers ---- */

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

/* For "triton", or "triton of A": a side of the access as it was written. */
static bool put_notation(struct lw_text *text, const struct lw_lesson_state *state,
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
    /* Of a type of Triton as it was written the attribute: "tensor<64x64xf16, #ttg.blocked<...>>". */
    const char *type = good ? found.text[0] : "";
    const char *attribute = has_side && !strncmp(type, "tensor<", 7) ? strchr(type, '#') : NULL;
    if (attribute)
        lw_text_bytes(text, attribute, strlen(attribute) - 1);
    else
        lw_text_add(text, type);
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
    struct lw_text type = {0};
    struct lw_document doc;
    lw_tensor_print(&type, &subject->tensor);
    const struct lw_open_options options = {.type = lw_text_string(&type)};
    bool good = lw_document_read(&doc, typed, strlen(typed), &options, err);
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

/* ---- Markers ---- */

/* Puts the element at "lane=9 register=1". */
static bool put_element(struct lw_text *text, const struct lw_subject *subject, const char *p)
{
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX];
    while (subject && *p) {
        char name[24], *end;
        size_t length = strcspn(p, "= ");
        snprintf(name, sizeof name, "%.*s", (int)(length < 23 ? length : 23), p);
        int dim = lw_dims_find(&subject->map.in, name);
        if (dim < 0 || p[length] != '=')
            return false;
        in[dim] = strtoull(p + length + 1, &end, 10);
        if (end == p + length + 1)
            return false;
        p = end + strspn(end, " ");
    }
    if (!subject || !lw_map_apply(&subject->map, in, out))
        return false;
    for (int i = 0; i < subject->map.out.count; i++)
        lw_text_format(text, "%s%llu", i ? ", " : "(", (unsigned long long)out[i]);
    lw_text_char(text, ')');
    return true;
}

/* "0 0 1 0 0  bank bit 8", a line for each bit of the bank. */
static bool put_bank_matrix(struct lw_text *text, struct lw_lesson_state *state)
{
    struct lw_matrix matrix;
    if (!lw_lesson_bank_matrix(state, &matrix))
        return false;
    for (int row = 0; row < matrix.rows; row++) {
        for (int col = 0; col < matrix.cols; col++)
            lw_text_format(text, "%d ", (int)(matrix.column[col] >> row & 1));
        lw_text_format(text, "bank bit %d%s", 1 << row, row + 1 < matrix.rows ? "\n" : "");
    }
    return true;
}

static bool put_marker(struct lw_text *text, struct lw_lesson_state *state, const char *marker)
{
    static const char element[] = "element of ", key[] = "key ", notation[] = "notation ";
    uint64_t value;
    if (!strncmp(marker, key, strlen(key)))
        return state->put_key && state->put_key(state->lesson, text, marker + strlen(key));
    if (!strncmp(marker, notation, strlen(notation)))
        return put_notation(text, state, marker + strlen(notation));
    if (!strncmp(marker, element, strlen(element)))
        return put_element(text, state->own, marker + strlen(element));
    if (!strcmp(marker, "bank-matrix of load"))
        return put_bank_matrix(text, state);
    const struct lw_goal_kind *kind = measure(state, marker, &value);
    if (kind)
        lw_goal_put_value(text, kind, value);
    return kind || put_sum(text, state, marker);
}

bool lw_lesson_fill(struct lw_text *text, const char *template, struct lw_lesson_state *state,
                    bool only_was)
{
    static const char was[] = "was ";
    bool good = true;
    while (*template) {
        size_t plain = strcspn(template, "{");
        lw_text_bytes(text, template, plain);
        template += plain;
        if (!*template ++)
            break;
        if (*template == '{') {
            lw_text_add(text, only_was ? "{{" : "{");
            template ++;
            continue;
        }
        char marker[64];
        size_t length = strcspn(template, "}");
        snprintf(marker, sizeof marker, "%.*s", (int)(length < 63 ? length : 63), template);
        template += length + (template[length] == '}');
        const bool is_was = !strncmp(marker, was, strlen(was));
        if (only_was && !is_was) {
            lw_text_format(text, "{%s}", marker);
        } else if (!put_marker(text, state, marker + (is_was ? strlen(was) : 0))) {
            lw_text_char(text, '?');
            if (good)
                snprintf(state->no_value, sizeof state->no_value, "{%s}", marker);
            good = false;
        }
    }
    return good;
}
