/* Finding markers, line by line. Invariant: `at` is the beginning of line number `line`. */

#include "cli/docs/markers.h"

#include "core/text_escape.h"

#include <string.h>

/* ---- Kinds of documents ---- */

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

/* ---- One line ---- */

struct marker {
    enum lw_marker_kind kind;
    bool begins;
    struct lw_slice prefix, command;
};

/* The signs around a marker, and its end marker; in comments they are in the prefix. */
static const struct {
    enum lw_marker_kind kind;
    const char *open, *close, *end;
} forms[] = {{LW_MARKER_MARKDOWN, "<!--", "-->", "<!-- /laneway -->"},
             {LW_MARKER_HTML, "<!--", "-->", "<!-- /laneway -->"},
             {LW_MARKER_REST, ".. ", "", ".. /laneway"},
             {LW_MARKER_LATEX, "%", "", "% /laneway"},
             {LW_MARKER_COMMENT, "", "", "/laneway"}};
enum { FORMS = sizeof forms / sizeof *forms };

static struct lw_slice trimmed(struct lw_slice slice)
{
    while (slice.length && strchr(" \t", *slice.at)) {
        slice.at++;
        slice.length--;
    }
    while (slice.length && strchr(" \t", slice.at[slice.length - 1]))
        slice.length--;
    return slice;
}

/* Removes the text at the beginning; false when it begins with something else. */
static bool take(struct lw_slice *slice, const char *text)
{
    const size_t length = strlen(text);
    if (slice->length < length || memcmp(slice->at, text, length) != 0)
        return false;
    slice->at += length;
    slice->length -= length;
    return true;
}

/* Reads a line as a marker: its prefix, then one of the forms with "laneway: COMMAND" or "/laneway" in it, alone. A
 * slash at the end of a comment's signs may be that of "/laneway"; a prefix that opens a comment of C is none, as every
 * line of the block would. */
static bool read_marker(struct lw_slice line, unsigned kinds, struct marker *marker)
{
    const char *signs = kinds & LW_MARKER_COMMENT ? " \t/*#;%-!>|'\"@" : " \t>";
    size_t length = 0;
    for (; length < line.length && line.at[length] && strchr(signs, line.at[length]); length++)
        if (length && !memcmp(line.at + length - 1, "/*", 2))
            return false;
    for (size_t i = 0; i < FORMS; i++) {
        struct lw_slice rest = {line.at + length, line.length - length};
        size_t close = strlen(forms[i].close);
        if (!(kinds & forms[i].kind) || !take(&rest, forms[i].open) || rest.length < close ||
            memcmp(rest.at + rest.length - close, forms[i].close, close) != 0)
            continue;
        rest.length -= close;
        *marker = (struct marker){.kind = forms[i].kind, .prefix = {line.at, length}};
        const bool is_comment = marker->kind == LW_MARKER_COMMENT;
        if (is_comment && length && rest.at[-1] == '/' && rest.length >= 7 &&
            !memcmp(rest.at, "laneway", 7) && (rest.length == 7 || rest.at[7] != ':')) {
            marker->prefix.length--;
            rest = (struct lw_slice){rest.at - 1, rest.length + 1};
        }
        rest = trimmed(rest);
        marker->begins = take(&rest, "laneway:");
        if (is_comment && !trimmed(marker->prefix).length)
            continue;
        if (marker->begins ? !rest.length || strchr(" \t", *rest.at)
                           : take(&rest, "/laneway") && !rest.length) {
            marker->command = trimmed(rest);
            return true;
        }
    }
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
    size_t ending, form = 0;
    for (block->between.at = m->at; m->at < m->end; step(m)) {
        if (!read_marker(line_at(m, &ending), m->kinds, &marker) || marker.kind != block->kind ||
            marker.prefix.length != block->prefix.length ||
            memcmp(marker.prefix.at, block->prefix.at, block->prefix.length) != 0)
            continue;
        if (marker.begins)
            break;
        block->between.length = (size_t)(m->at - block->between.at);
        step(m);
        return true;
    }
    while (forms[form].kind != block->kind)
        form++;
    return lw_error_set(err, LW_ERROR_SYNTAX,
                        "this marker has no end marker: expected a line '%.*s%s'",
                        (int)block->prefix.length, block->prefix.at, forms[form].end);
}

/* A byte order mark is not part of the first line. */
void lw_markers_start(struct lw_markers *markers, const char *path, const char *text, size_t length)
{
    unsigned kinds = kinds_of(path);
    lw_skip_order_mark(&text, &length);
    *markers = (struct lw_markers){
        .at = text, .end = text + length, .line = 1, .kinds = kinds ? kinds : IN_COMMENTS};
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
