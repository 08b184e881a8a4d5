/* Finding markers, line by line. Invariant: `at` is the beginning of line number `line`. */

#include "cli/markers.h"

#include <string.h>

/* ---- Lines ---- */

/* The line at `at` without its end, which is *ending bytes long. */
static struct lw_slice line_at(const struct lw_markers *m, size_t *ending)
{
    const char *newline = memchr(m->at, '\n', (size_t)(m->end - m->at));
    struct lw_slice line = {m->at, (size_t)((newline ? newline : m->end) - m->at)};
    *ending = newline != NULL;
    if (newline && line.length && newline[-1] == '\r') {
        line.length--;
        ++*ending;
    }
    return line;
}

static void step(struct lw_markers *m)
{
    size_t ending;
    struct lw_slice line = line_at(m, &ending);
    m->at += line.length + ending;
    m->line++;
}

static void skip(struct lw_slice *slice, size_t count)
{
    slice->at += count;
    slice->length -= count;
}

/* How many bytes from the beginning are among these. */
static size_t span(struct lw_slice slice, const char *among)
{
    size_t length = 0;
    while (length < slice.length && slice.at[length] && strchr(among, slice.at[length]))
        length++;
    return length;
}

static bool take(struct lw_slice *slice, const char *token)
{
    size_t length = strlen(token);
    if (slice->length < length || memcmp(slice->at, token, length) != 0)
        return false;
    skip(slice, length);
    return true;
}

static void trim(struct lw_slice *slice)
{
    skip(slice, span(*slice, " \t"));
    while (slice->length && strchr(" \t", slice->at[slice->length - 1]))
        slice->length--;
}

/* ---- Fences ---- */

/* Follows the fences of Markdown; whether the line is part of one. */
static bool in_fence(struct lw_fence *fence, struct lw_slice line)
{
    trim(&line);
    char sign = line.length ? line.at[0] : '\0';
    const char signs[] = {sign, '\0'};
    size_t length = sign == '`' || sign == '~' ? span(line, signs) : 0;
    bool was = fence->sign != '\0';
    if (length < 3)
        return was;
    skip(&line, length);
    if (!was && !(sign == '`' && memchr(line.at, '`', line.length)))
        *fence = (struct lw_fence){sign, length};
    else if (was && sign == fence->sign && length >= fence->length && !line.length)
        *fence = (struct lw_fence){0};
    return was || fence->sign;
}

/* ---- Markers ---- */

struct marker {
    enum lw_marker_kind kind;
    bool begins;
    struct lw_slice prefix, command;
};

/* The characters that can be before a marker: in source files those that comments begin with. */
static const char *prefix_signs(unsigned kinds)
{
    return kinds & LW_MARKER_COMMENT ? " \t/*#;%-!>|'\"@" : " \t>";
}

/* "laneway: COMMAND" or "/laneway", alone. */
static bool read_command(struct lw_slice rest, struct marker *marker)
{
    marker->begins = take(&rest, "laneway:");
    if (!marker->begins && !take(&rest, "/laneway"))
        return false;
    if (marker->begins ? rest.length && !strchr(" \t", rest.at[0]) : rest.length > 0)
        return false;
    trim(&rest);
    marker->command = rest;
    return true;
}

static bool read_dressed(struct lw_slice rest, unsigned kinds, struct marker *marker)
{
    trim(&rest);
    if (kinds & LW_MARKER_MARKDOWN && take(&rest, "<!--")) {
        marker->kind = LW_MARKER_MARKDOWN;
        if (rest.length < 3 || memcmp(rest.at + rest.length - 3, "-->", 3) != 0)
            return false;
        rest.length -= 3;
    } else if (kinds & LW_MARKER_REST && take(&rest, ".. ")) {
        marker->kind = LW_MARKER_REST;
    } else {
        return false;
    }
    trim(&rest);
    return read_command(rest, marker);
}

static bool read_marker(struct lw_slice line, unsigned kinds, struct marker *marker)
{
    size_t length = span(line, prefix_signs(kinds));
    struct lw_slice rest = line;
    skip(&rest, length);
    marker->prefix = (struct lw_slice){line.at, length};
    if (read_dressed(rest, kinds, marker))
        return true;
    /* The slash before "laneway" is that of the end marker. */
    if (length && rest.at[-1] == '/' && !(rest.length > 7 && rest.at[7] == ':')) {
        length = --marker->prefix.length;
        rest = (struct lw_slice){line.at + length, line.length - length};
    }
    trim(&rest);
    marker->kind = LW_MARKER_COMMENT;
    return kinds & LW_MARKER_COMMENT && span(marker->prefix, " \t") < length &&
           read_command(rest, marker);
}

static bool same_slice(struct lw_slice a, struct lw_slice b)
{
    return a.length == b.length && !memcmp(a.at, b.at, a.length);
}

/* From the line after the first marker to behind the second one. */
static bool find_end(struct lw_markers *m, struct lw_embedded *pair, size_t *line,
                     struct lw_error *err)
{
    struct lw_fence fence = {0};
    struct marker marker;
    size_t ending;
    pair->between.at = m->at;
    for (; m->at < m->end; step(m)) {
        struct lw_slice text = line_at(m, &ending), inner = text;
        if (text.length >= pair->prefix.length)
            skip(&inner, pair->prefix.length);
        if (pair->kind == LW_MARKER_MARKDOWN && in_fence(&fence, inner))
            continue;
        if (!read_marker(text, m->kinds, &marker) || marker.kind != pair->kind ||
            !same_slice(marker.prefix, pair->prefix))
            continue;
        if (marker.begins)
            break;
        pair->between.length = (size_t)(m->at - pair->between.at);
        step(m);
        return true;
    }
    static const char *const ends[] = {[LW_MARKER_MARKDOWN] = "<!-- /laneway -->",
                                       [LW_MARKER_REST] = ".. /laneway",
                                       [LW_MARKER_COMMENT] = "/laneway"};
    *line = pair->line;
    return lw_error_set(err, LW_ERROR_SYNTAX,
                        "this marker has no end marker: expected a line '%.*s%s'",
                        (int)pair->prefix.length, pair->prefix.at, ends[pair->kind]);
}

/* Lines that begin as this one would each open a comment of C. */
static bool opens_comment(struct lw_slice prefix)
{
    for (size_t i = 0; i + 1 < prefix.length; i++)
        if (!memcmp(prefix.at + i, "/*", 2))
            return true;
    return false;
}

/* ---- Public ---- */

void lw_markers_start(struct lw_markers *markers, const char *path, const char *text, size_t length)
{
    static const struct {
        const char *ending;
        unsigned kinds;
    } endings[] = {{".md", LW_MARKER_MARKDOWN},
                   {".markdown", LW_MARKER_MARKDOWN},
                   {".rst", LW_MARKER_REST},
                   {".rest", LW_MARKER_REST},
                   {".txt", LW_MARKER_REST}};
    const char *dot = strrchr(path, '.');
    *markers = (struct lw_markers){.at = text, .end = text + length, .line = 1};
    markers->kinds = LW_MARKER_MARKDOWN | LW_MARKER_REST | LW_MARKER_COMMENT;
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(dot, endings[i].ending))
            markers->kinds = endings[i].kinds;
}

bool lw_markers_next(struct lw_markers *m, struct lw_embedded *pair, size_t *line,
                     struct lw_error *err)
{
    struct marker marker;
    size_t ending;
    lw_error_set(err, LW_OK, "%s", "");
    for (; m->at < m->end; step(m)) {
        struct lw_slice text = line_at(m, &ending);
        if (m->kinds == LW_MARKER_MARKDOWN && in_fence(&m->fence, text))
            continue;
        if (!read_marker(text, m->kinds, &marker))
            continue;
        *line = m->line;
        if (!marker.begins)
            return lw_error_set(err, LW_ERROR_SYNTAX, "this end marker has no marker before it");
        if (opens_comment(marker.prefix))
            return lw_error_set(err, LW_ERROR_SYNTAX,
                                "a marker must be on its own line inside the comment");
        *pair = (struct lw_embedded){.kind = marker.kind,
                                     .line = m->line,
                                     .prefix = marker.prefix,
                                     .command = marker.command,
                                     .newline = ending == 2 ? "\r\n" : "\n"};
        step(m);
        return find_end(m, pair, line, err);
    }
    return false;
}
