/* Finding markers, line by line. Invariant: `at` is the beginning of line number `line`. */

#include "cli/docs/markers.h"

#include "core/text_escape.h"

#include <string.h>

/* ---- Slices ---- */

static void skip(struct lw_slice *slice, size_t count)
{
    slice->at += count;
    slice->length -= count;
}

/* How many bytes from the beginning are in `among`. */
static size_t span(struct lw_slice slice, const char *among)
{
    size_t length = 0;
    while (length < slice.length && slice.at[length] && strchr(among, slice.at[length]))
        length++;
    return length;
}

/* Removes the token at the beginning; false when it begins with something else. */
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

bool lw_slice_equal(struct lw_slice a, struct lw_slice b)
{
    return a.length == b.length && (!a.length || !memcmp(a.at, b.at, a.length));
}

/* ---- Markers ---- */

struct marker {
    enum lw_marker_kind kind;
    bool begins;
    struct lw_slice prefix, command;
};

/* The signs around a marker in the documents that have their own, and its end marker. */
static const struct {
    enum lw_marker_kind kind;
    const char *open, *close, *end;
} forms[] = {{LW_MARKER_MARKDOWN, "<!--", "-->", "<!-- /laneway -->"},
             {LW_MARKER_HTML, "<!--", "-->", "<!-- /laneway -->"},
             {LW_MARKER_REST, ".. ", "", ".. /laneway"},
             {LW_MARKER_LATEX, "%", "", "% /laneway"}};
enum { FORMS = sizeof forms / sizeof *forms };

/* "laneway: COMMAND" or "/laneway", alone. */
static bool read_command(struct lw_slice rest, struct marker *marker)
{
    marker->begins = take(&rest, "laneway:");
    if (marker->begins ? rest.length && !strchr(" \t", rest.at[0])
                       : !take(&rest, "/laneway") || rest.length)
        return false;
    trim(&rest);
    marker->command = rest;
    return true;
}

static bool read_form(struct lw_slice rest, unsigned kinds, struct marker *marker)
{
    size_t i = 0;
    trim(&rest);
    while (i < FORMS && !(kinds & forms[i].kind && take(&rest, forms[i].open)))
        i++;
    size_t length = i < FORMS ? strlen(forms[i].close) : 0;
    if (i == FORMS || rest.length < length ||
        memcmp(rest.at + rest.length - length, forms[i].close, length) != 0)
        return false;
    marker->kind = forms[i].kind;
    rest.length -= length;
    trim(&rest);
    return read_command(rest, marker);
}

static bool read_marker(struct lw_slice line, unsigned kinds, struct marker *marker)
{
    const bool comments = kinds & LW_MARKER_COMMENT;
    size_t length = span(line, comments ? " \t/*#;%-!>|'\"@" : " \t>");
    struct lw_slice rest = line;
    skip(&rest, length);
    marker->prefix = (struct lw_slice){line.at, length};
    if (read_form(rest, kinds, marker))
        return true;
    /* A slash before "laneway" makes it an end marker. */
    if (length && rest.at[-1] == '/' && !(rest.length > 7 && rest.at[7] == ':')) {
        length = --marker->prefix.length;
        rest = (struct lw_slice){line.at + length, line.length - length};
    }
    trim(&rest);
    marker->kind = LW_MARKER_COMMENT;
    return comments && span(marker->prefix, " \t") < length && read_command(rest, marker);
}

/* Whether a prefix opens a comment of C, so that every line of the block would. */
static bool opens_comment(struct lw_slice prefix)
{
    for (size_t i = 0; i + 1 < prefix.length; i++)
        if (!memcmp(prefix.at + i, "/*", 2))
            return true;
    return false;
}

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

/* Finds the end marker, and the text between the two. */
static bool find_end(struct lw_markers *m, struct lw_block *block, struct lw_error *err)
{
    struct marker marker;
    size_t ending;
    for (block->between.at = m->at; m->at < m->end; step(m)) {
        if (!read_marker(line_at(m, &ending), m->kinds, &marker) || marker.kind != block->kind ||
            !lw_slice_equal(marker.prefix, block->prefix))
            continue;
        if (marker.begins)
            break;
        block->between.length = (size_t)(m->at - block->between.at);
        step(m);
        return true;
    }
    const char *end = "/laneway";
    for (size_t i = 0; i < FORMS; i++)
        end = forms[i].kind == block->kind ? forms[i].end : end;
    return lw_error_set(err, LW_ERROR_SYNTAX,
                        "this marker has no end marker: expected a line '%.*s%s'",
                        (int)block->prefix.length, block->prefix.at, end);
}

bool lw_markers_next(struct lw_markers *m, struct lw_block *block, size_t *line,
                     struct lw_error *err)
{
    struct marker marker;
    size_t ending;
    *err = (struct lw_error){0};
    for (; m->at < m->end; step(m)) {
        if (!read_marker(line_at(m, &ending), m->kinds, &marker))
            continue;
        *line = m->line;
        if (!marker.begins)
            return lw_error_set(err, LW_ERROR_SYNTAX, "this end marker has no marker before it");
        if (opens_comment(marker.prefix))
            return lw_error_set(err, LW_ERROR_SYNTAX,
                                "a marker must be on its own line inside the comment");
        *block = (struct lw_block){.kind = marker.kind,
                                   .line = m->line,
                                   .prefix = marker.prefix,
                                   .command = marker.command,
                                   .newline = ending == 2 ? "\r\n" : "\n"};
        step(m);
        return find_end(m, block, err);
    }
    return false;
}

/* ---- Documents ---- */

#define IN_COMMENTS (LW_MARKER_MARKDOWN | LW_MARKER_REST | LW_MARKER_COMMENT)

/* The kinds of markers by extension. */
static const struct {
    const char *endings;
    unsigned kinds;
} documents[] = {
    {".md .markdown .qmd", LW_MARKER_MARKDOWN},
    {".rst .rest .txt", LW_MARKER_REST},
    {".html .htm .xhtml", LW_MARKER_HTML},
    {".tex", LW_MARKER_LATEX},
    {".c .h .cc .cpp .cxx .hpp .cu .cuh .py .rs .td .mlir", IN_COMMENTS},
};

static unsigned kinds_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    const size_t length = dot ? strlen(dot) : 0;
    for (size_t i = 0; dot && i < sizeof documents / sizeof *documents; i++)
        for (const char *at = strstr(documents[i].endings, dot); at; at = strstr(at + 1, dot))
            if (at[length] == ' ' || !at[length])
                return documents[i].kinds;
    return 0;
}

bool lw_markers_are_in(const char *path)
{
    return kinds_of(path) != 0;
}

/* A byte order mark is not part of the first line. */
void lw_markers_start(struct lw_markers *markers, const char *path, const char *text, size_t length)
{
    unsigned kinds = kinds_of(path);
    lw_skip_order_mark(&text, &length);
    *markers = (struct lw_markers){
        .at = text, .end = text + length, .line = 1, .kinds = kinds ? kinds : IN_COMMENTS};
}
