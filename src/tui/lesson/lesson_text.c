/* The texts of lessons: markers are filled in when a text is shown, so that its numbers are always
 * right.
 *
 *     {load-wavefronts}        the current value of a kind of goal
 *     {moves in words}         how far elements move, as a sentence
 *     {was load-wavefronts}    its value when the step began
 *     {bank of 3,5}            a field of the first owner of an element
 *     {32 / load-each}         arithmetic of these (lesson_arithmetic.c)
 *     {key play}               the key of an action, or of a view
 *     {line 12}                a line of the lesson's kernel
 *     {notation cute}          the layout (of an access that of shared memory) in the notation of a system
 *     {notation triton of A}   that of registers A (S, B), as it was written
 *     {element of lane=9 register=1}    the element at a hardware index; other dims are 0 */

#include "tui/lesson/lesson_run.h"

#include <stdlib.h>
#include <string.h>

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

static bool put_measure(struct lw_text *text, struct lw_lesson_state *state,
                        const struct lw_measures *was, const char *name)
{
    size_t count;
    bool before = !strncmp(name, "was ", 4);
    const struct lw_goal_kind *kinds = lw_goal_kinds(&count);
    name += before ? 4 : 0;
    const struct lw_goal_kind *kind = lw_goal_kind_find(kinds, count, name, strlen(name));
    uint64_t value;
    if (!kind || !kind->measure)
        return false;
    if (before && was)
        value = was->value[kind - kinds];
    if (!before && lw_goal_is_searched(kind) &&
        (state->drafts || (!state->best && state->best_waits))) {
        lw_text_add(text, state->drafts ? "{best}" : "...");
        return true;
    }
    if (before ? !was || !was->known[kind - kinds] : !kind->measure(state, &value))
        return false;
    lw_goal_put_value(text, kind, value);
    return true;
}

/* "No element moves.", "Elements move to other warps." */
static bool put_moves(struct lw_text *text, struct lw_lesson_state *state)
{
    struct lw_text moves = {0};
    bool good = put_measure(&moves, state, NULL, "moves");
    if (good && !strcmp(lw_text_string(&moves), "nowhere"))
        lw_text_add(text, "No element moves.");
    else if (good)
        lw_text_format(text, "Elements move to other %s.", lw_text_string(&moves));
    lw_text_free(&moves);
    return good;
}

/* Puts the key of an action, or of a view. */
static bool put_key(struct lw_text *text, const struct lw_tables *tables, const char *name)
{
    const struct lw_key_action *actions = tables->actions;
    for (size_t i = 0; i < tables->action_count; i++)
        if (!strcmp(actions[i].name, name)) {
            lw_text_bytes(text, actions[i].keys, strcspn(actions[i].keys, " "));
            return true;
        }
    const struct lw_view_type *view = lw_view_type_find(name);
    if (view && view->key)
        lw_text_char(text, view->key);
    return view && view->key;
}

/* Puts a line of the kernel, without the blanks around it. */
static bool put_line(struct lw_text *text, const char *kernel, const char *number)
{
    char *end;
    unsigned long line = strtoul(number, &end, 10);
    for (; kernel && line > 1 && *kernel; line--) {
        kernel += strcspn(kernel, "\n");
        kernel += *kernel == '\n';
    }
    if (!kernel || !*kernel || !line || *end)
        return false;
    kernel += strspn(kernel, " ");
    lw_text_bytes(text, kernel, strcspn(kernel, "\n"));
    return true;
}

/* Puts a text that may have braces; in a draft, which is filled in again, they are doubled. */
static bool put_literal(struct lw_text *text, const struct lw_lesson_state *state,
                        struct lw_text *literal, bool good)
{
    for (const char *p = lw_text_string(literal); *p && good; p++)
        lw_text_format(text, *p == '{' && state->drafts ? "{%c" : "%c", *p);
    lw_text_free(literal);
    return good;
}

static bool put_marker(struct lw_text *text, struct lw_lesson_state *state,
                       const struct lw_measures *was, const char *marker)
{
    struct lw_text literal = {0};
    static const char element[] = "element of ", key[] = "key ", line[] = "line ",
                      notation[] = "notation ";
    uint64_t value;
    if (!strncmp(marker, key, strlen(key)))
        return put_key(text, state->tables, marker + strlen(key));
    if (!strncmp(marker, line, strlen(line)))
        return put_literal(text, state, &literal,
                           put_line(&literal, state->kernel, marker + strlen(line)));
    if (!strncmp(marker, notation, strlen(notation)))
        return put_literal(text, state, &literal,
                           lw_lesson_put_notation(&literal, state, marker + strlen(notation)));
    if (!strncmp(marker, element, strlen(element)))
        return put_element(text, state->own, marker + strlen(element));
    if (!strcmp(marker, "moves in words"))
        return put_moves(text, state);
    if (put_measure(text, state, was, marker))
        return true;
    if (!lw_lesson_arithmetic(state, was, marker, &value))
        return false;
    lw_text_number(text, value);
    return true;
}

bool lw_lesson_fill(struct lw_text *text, const char *template, struct lw_lesson_state *state,
                    const struct lw_measures *was)
{
    bool good = true;
    while (*template) {
        size_t plain = strcspn(template, "{");
        lw_text_bytes(text, template, plain);
        template += plain;
        if (!*template ++)
            break;
        if (*template == '{') {
            lw_text_add(text, state->drafts ? "{{" : "{");
            template ++;
            continue;
        }
        char marker[64];
        size_t length = strcspn(template, "}");
        snprintf(marker, sizeof marker, "%.*s", (int)(length < 63 ? length : 63), template);
        template += length + (template[length] == '}');
        if (put_marker(text, state, was, marker))
            continue;
        lw_text_char(text, '?');
        good = false;
    }
    return good;
}
