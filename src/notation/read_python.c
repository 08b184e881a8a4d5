/* Names as Python has them: with modules before a function, with what they are an attribute of, and with a
 * type after them: tilus.spatial(2, 4), self.mma = ..., layout: gl.constexpr = ... */

#include "encoding/gluon.h"
#include "notation/read.h"

#include <string.h>

#define PARTS_MOST 16 /* a name of more parts is none of Python's that is meant */

/* Reads on while a dot and a name follow; *last is the last of them. NULL: out of memory. */
static const char *read_dotted(struct lw_scan *scan, const char *name, const char **last)
{
    *last = name;
    for (int parts = 1; parts < PARTS_MOST && lw_scan_peek(scan) == '.'; parts++) {
        struct lw_scan before = *scan;
        struct lw_place place;
        struct lw_text text = {0};
        scan->at++;
        const char *next = lw_scan_name(scan, &place);
        if (!next) {
            *scan = before;
            break;
        }
        lw_text_format(&text, "%s.%s", name, next);
        name = lw_arena_string(scan->arena, lw_text_string(&text), text.length);
        lw_text_free(&text);
        *last = next;
        if (!name)
            break;
    }
    return name;
}

/* Whether a name is a module of functions that make layouts, as programs call it. */
static bool is_module(const char *name)
{
    static const char *const modules[] = {"tilus", "gl", "ttgl", "gluon"};
    for (size_t i = 0; i < LW_COUNT(modules); i++)
        if (!strcmp(name, modules[i]))
            return true;
    return false;
}

const char *lw_read_path(struct lw_scan *scan, const char *name, struct lw_place *place)
{
    struct lw_scan ahead = *scan;
    const char *last, *path = read_dotted(&ahead, name, &last);
    if (!path || path == name)
        return name;
    bool call = lw_scan_peek(&ahead) == '(';
    if (call && (lw_gluon_find(last) || is_module(name))) {
        place->column += (int)(strlen(path) - strlen(last));
        place->length = (int)strlen(last);
        *scan = ahead;
        return last;
    }
    /* What a name is an attribute of is a part of the name: self.mma, self.mma.local(2). */
    while (!lw_read_is_variable(scan, path) && strchr(path, '.')) {
        ahead = *scan;
        size_t length = (size_t)(strrchr(path, '.') - path);
        path = lw_arena_string(scan->arena, path, length);
        if (!path)
            return name;
    }
    for (const char *dot = path; (dot = strchr(dot, '.')); dot++) {
        struct lw_place part;
        lw_scan_take(scan, '.');
        lw_scan_name(scan, &part);
    }
    place->length = (int)strlen(path);
    return path;
}

const char *lw_read_keyword(struct lw_scan *scan, struct lw_place *place)
{
    struct lw_scan before = *scan;
    const char *name = lw_scan_name(scan, place);
    if (name && lw_scan_peek(scan) == '=' && !(scan->at + 1 < scan->end && scan->at[1] == '=')) {
        scan->at++;
        return name;
    }
    *scan = before;
    return NULL;
}

/* `: gl.constexpr`, when it is there. */
static void skip_type(struct lw_scan *scan)
{
    struct lw_place place;
    const char *last, *name;
    if (lw_scan_take(scan, ':') && (name = lw_scan_name(scan, &place)))
        read_dotted(scan, name, &last);
}

const char *lw_read_assigned(struct lw_scan *scan, struct lw_place *place)
{
    struct lw_scan before = *scan;
    const char *last, *name = lw_scan_name(scan, place);
    if (name)
        name = read_dotted(scan, name, &last);
    if (name)
        skip_type(scan);
    if (name && lw_scan_peek(scan) == '=' && !(scan->at + 1 < scan->end && scan->at[1] == '=')) {
        scan->at++;
        return name;
    }
    *scan = before;
    return NULL;
}

void lw_read_imports(struct lw_scan *scan)
{
    while (!lw_scan_ended(scan)) {
        struct lw_scan ahead = *scan;
        bool import = lw_scan_word(&ahead, "import") || lw_scan_word(&ahead, "from");
        if (!import || ahead.at == ahead.end || !strchr(" \t", *ahead.at))
            return;
        const char *end = memchr(ahead.at, '\n', (size_t)(ahead.end - ahead.at));
        scan->at = end ? end : ahead.end;
    }
}
