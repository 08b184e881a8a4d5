/*
 * Locations: `"k.py":26:12`, `"pa"(child)`, `callsite(a at b)`, `fused<...>[a, b]`, `#loc1`, `unknown`.
 * A location that cannot be read is unknown. Invariant: every step goes down a level or follows an alias, at most
 * LEVELS times.
 *
 * Source: the location attributes of MLIR's builtin dialect.
 */

#include "notation/mlir/kernel_parts.h"

#include <string.h>

#define LEVELS 64

struct reader {
    struct lw_scan scan;
    struct lw_arena *arena;
    const struct lw_aliases *aliases;
    int level;
    int steps; /* fused locations of fused locations */
};
#define STEPS 4096

static bool read_location(struct reader *reader, struct lw_location *location);

/* Reads a string, whose escapes are not resolved; NULL: there is none. */
static const char *read_string(struct reader *reader)
{
    struct lw_scan *scan = &reader->scan;
    if (lw_scan_peek(scan) != '"')
        return NULL;
    const char *from = ++scan->at;
    while (scan->at < scan->end && *scan->at != '"')
        scan->at += *scan->at == '\\' && scan->at + 1 < scan->end ? 2 : 1;
    const char *string = lw_arena_string(reader->arena, from, (size_t)(scan->at - from));
    scan->at += scan->at < scan->end;
    return string;
}

/* `:26:12`, perhaps ` to :26:30`. */
static bool read_line(struct lw_scan *scan, struct lw_location *location)
{
    int64_t line, column, ignored;
    if (!lw_scan_integer(scan, &line) || !lw_scan_expect(scan, ':', "':'") ||
        !lw_scan_integer(scan, &column))
        return false;
    location->line = line > INT32_MAX ? 0 : (int)line;
    location->column = column > INT32_MAX ? 0 : (int)column;
    if (lw_scan_keyword(scan, "to"))
        for (int i = 0; i < 2; i++)
            if (lw_scan_accept(scan, ':') && !lw_scan_integer(scan, &ignored))
                return false;
    return true;
}

/* `"k.py":26:12`, `"pa"`, `"pa"(child)` */
static bool read_named(struct reader *reader, struct lw_location *location)
{
    const char *string = read_string(reader);
    if (!string)
        return false;
    if (lw_scan_accept(&reader->scan, ':')) {
        location->file = string;
        return read_line(&reader->scan, location);
    }
    if (lw_scan_accept(&reader->scan, '(')) {
        read_location(reader, location); /* when it fails, the name is still known */
        lw_scan_accept(&reader->scan, ')');
    }
    location->name = string; /* the name of the value is the outermost one */
    return true;
}

/* `callsite(callee at caller)`: the innermost function first. */
static bool read_callsite(struct reader *reader, struct lw_location *location)
{
    struct lw_location *caller = lw_arena_alloc(reader->arena, sizeof *caller);
    if (!caller || !lw_scan_accept(&reader->scan, '(') || !read_location(reader, location) ||
        !lw_scan_keyword(&reader->scan, "at"))
        return false;
    *caller = (struct lw_location){.name = "", .file = ""};
    if (read_location(reader, caller) && *caller->file) {
        const struct lw_location **last = &location->caller;
        struct lw_location *copy;
        while (*last) { /* an inlined function that inlined another */
            copy = lw_arena_alloc(reader->arena, sizeof *copy);
            if (!copy)
                return false;
            *copy = **last;
            *last = copy;
            last = &copy->caller;
        }
        *last = caller;
    }
    lw_scan_accept(&reader->scan, ')');
    return true;
}

/* `fused<...>[a, b]`: the first one that has a file. */
static bool read_fused(struct reader *reader, struct lw_location *location)
{
    struct lw_scan *scan = &reader->scan;
    if (lw_scan_peek(scan) == '<')
        scan->at += lw_bracketed(scan->at, scan->end);
    if (!lw_scan_accept(scan, '['))
        return false;
    do {
        struct lw_location one = {.name = "", .file = ""};
        if (!read_location(reader, &one))
            return *location->file;
        if (!*location->file)
            *location = one;
    } while (lw_scan_accept(scan, ','));
    lw_scan_accept(scan, ']');
    return true;
}

/* `#loc1`, or `loc("k.py":1:2)`. */
static bool follow(struct reader *reader, struct lw_location *location)
{
    struct lw_scan *scan = &reader->scan, outer;
    struct lw_span name = {scan->at, lw_mlir_name(scan->at, scan->end, false)};
    const struct lw_alias *alias = lw_aliases_find(reader->aliases, name);
    scan->at += name.length;
    if (!alias)
        return false;
    outer = *scan;
    scan->at = alias->value.at;
    scan->end = alias->value.at + alias->value.length;
    bool ok = read_location(reader, location);
    *scan = outer;
    return ok;
}

static bool read_location(struct reader *reader, struct lw_location *location)
{
    struct lw_scan *scan = &reader->scan;
    bool ok = false;
    if (reader->level >= LEVELS || ++reader->steps > STEPS)
        return false;
    reader->level++;
    if (lw_scan_accept(scan, '#')) {
        ok = follow(reader, location);
    } else if (lw_scan_keyword(scan, "loc")) {
        ok = lw_scan_accept(scan, '(') && read_location(reader, location);
        lw_scan_accept(scan, ')');
    } else if (lw_scan_keyword(scan, "callsite")) {
        ok = read_callsite(reader, location);
    } else if (lw_scan_keyword(scan, "fused")) {
        ok = read_fused(reader, location);
    } else if (lw_scan_keyword(scan, "unknown")) {
        ok = true;
    } else {
        ok = read_named(reader, location);
    }
    reader->level--;
    return ok;
}

const struct lw_location *lw_location_read(struct lw_arena *arena, const struct lw_aliases *aliases,
                                           struct lw_span text)
{
    struct lw_error ignored;
    struct reader reader = {.arena = arena, .aliases = aliases};
    struct lw_location *location = lw_arena_alloc(arena, sizeof *location);
    if (!location)
        return NULL;
    *location = (struct lw_location){.name = "", .file = ""};
    lw_scan_begin(&reader.scan, arena, text.at, text.length, &ignored);
    read_location(&reader, location);
    return *location->file || *location->name ? location : NULL;
}

void lw_location_print(struct lw_text *text, const struct lw_location *location, bool callers)
{
    for (; location; location = callers ? location->caller : NULL)
        if (*location->file) {
            const char *slash = strrchr(location->file, '/');
            lw_text_format(text, "%s:%d:%d", slash ? slash + 1 : location->file, location->line,
                           location->column);
            if (callers && location->caller)
                lw_text_add(text, " < ");
        }
}
