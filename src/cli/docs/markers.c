/* Finding markers, line by line. */

#include "cli/docs/markers.h"

#include "core/array_count.h"
#include "core/text_escape.h"
#include "laneway/text.h"

#include <string.h>

#define IN_COMMENTS (1u << LW_MARKER_MARKDOWN | 1u << LW_MARKER_REST | 1u << LW_MARKER_COMMENT)

/* The kinds of markers by extension. */
static const struct {
    const char *endings;
    unsigned kinds;
} documents[] = {
    {".md .markdown .qmd", 1u << LW_MARKER_MARKDOWN},
    {".html .htm .xhtml", 1u << LW_MARKER_HTML},
    {".rst .rest .txt", 1u << LW_MARKER_REST},
    {".tex", 1u << LW_MARKER_LATEX},
    {".c .h .cc .cpp .cxx .hpp .cu .cuh .py .rs .td .mlir", IN_COMMENTS},
};

/* The signs around a marker; in comments they are in the prefix. */
static const struct {
    const char *open, *close;
} forms[LW_MARKER_KINDS] = {{"<!--", "-->"}, {"<!--", "-->"}, {"..", ""}, {"%", ""}, {"", ""}};

/* ---- One line ---- */

/* The line at `at`, without its end; false: there are no more. */
static bool next_line(struct lw_markers *m, struct lw_slice *line)
{
    if (m->at == m->end)
        return false;
    const char *newline = memchr(m->at, '\n', (size_t)(m->end - m->at));
    *line = (struct lw_slice){m->at, (size_t)((newline ? newline : m->end) - m->at)};
    m->at += line->length + (newline != NULL);
    m->is_crlf = newline && line->length && newline[-1] == '\r';
    line->length -= m->is_crlf;
    m->line++;
    return true;
}

static bool ends_with(struct lw_slice slice, const char *text)
{
    const size_t length = strlen(text);
    return slice.length >= length && !memcmp(slice.at + slice.length - length, text, length);
}

/* How many blanks are at the end. */
static size_t blanks(struct lw_slice slice)
{
    size_t count = 0;
    while (count < slice.length && strchr(" \t", slice.at[slice.length - count - 1]))
        count++;
    return count;
}

/* Finds a word in a line: what is before it, and what is after it. */
static bool split(struct lw_slice line, const char *word, struct lw_slice *before,
                  struct lw_slice *after)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= line.length; i++)
        if (!memcmp(line.at + i, word, length)) {
            *before = (struct lw_slice){line.at, i};
            *after = (struct lw_slice){line.at + i + length, line.length - i - length};
            return true;
        }
    return false;
}

/* Reads a line as a marker: a prefix of blanks and the signs of a comment, then a form of those kinds around
 * "laneway: COMMAND" or "/laneway", which has no command. A prefix that opens a comment of C is none, as every line of
 * the block would. */
static bool read_marker(struct lw_slice line, unsigned kinds, struct lw_block *marker, bool *begins)
{
    const char *signs = kinds >> LW_MARKER_COMMENT & 1 ? " \t/*#;%-!>|'\"@" : " \t>";
    struct lw_slice before, after, unused;
    *begins = split(line, "laneway:", &before, &after);
    if (!*begins && !split(line, "/laneway", &before, &after))
        return false;
    if (*begins && after.length && !strchr(" \t", *after.at))
        return false;
    for (int kind = 0; kind < LW_MARKER_KINDS; kind++) {
        const char *open = forms[kind].open, *close = forms[kind].close;
        struct lw_slice prefix = before, command = after;
        prefix.length -= *open ? blanks(prefix) : 0;
        if (!(kinds >> kind & 1) || !ends_with(prefix, open) || !ends_with(command, close))
            continue;
        prefix.length -= strlen(open);
        command.length -= strlen(close);
        command.length -= blanks(command);
        while (command.length && strchr(" \t", *command.at)) {
            command.at++;
            command.length--;
        }
        size_t length = 0;
        while (length < prefix.length && strchr(signs, prefix.at[length]) && prefix.at[length])
            length++;
        if (length < prefix.length || (!*begins && command.length) ||
            (kind == LW_MARKER_COMMENT && prefix.length == blanks(prefix)) ||
            split(prefix, "/*", &unused, &unused))
            continue;
        marker->kind = (enum lw_marker_kind)kind;
        marker->prefix = prefix;
        marker->command = command;
        return true;
    }
    return false;
}

/* ---- Blocks ---- */

/* A byte order mark is not part of the first line. */
void lw_markers_start(struct lw_markers *markers, const char *path, const char *text, size_t length)
{
    const char *dot = strrchr(path, '.');
    lw_skip_order_mark(&text, &length);
    *markers = (struct lw_markers){.at = text, .end = text + length, .kinds = IN_COMMENTS};
    for (size_t i = 0; dot && i < LW_COUNT(documents); i++)
        if (lw_text_has_word(documents[i].endings, dot))
            markers->kinds = documents[i].kinds;
}

bool lw_markers_next(struct lw_markers *m, struct lw_block *block, size_t *line,
                     struct lw_error *err)
{
    struct lw_block other;
    struct lw_slice text;
    bool begins = false, found = false;
    *err = (struct lw_error){0};
    while (!found && next_line(m, &text))
        found = read_marker(text, m->kinds, block, &begins);
    if (!found)
        return false;
    *line = block->line = m->line;
    block->newline = m->is_crlf ? "\r\n" : "\n";
    block->between.at = m->at;
    if (!begins)
        return lw_error_set(err, LW_ERROR_SYNTAX, "this end marker has no marker before it");
    begins = false;
    for (const char *end = m->at; !begins && next_line(m, &text); end = m->at) {
        if (!read_marker(text, m->kinds, &other, &begins) || other.kind != block->kind ||
            other.prefix.length != block->prefix.length ||
            memcmp(other.prefix.at, block->prefix.at, block->prefix.length) != 0) {
            begins = false;
            continue;
        }
        block->between.length = (size_t)(end - block->between.at);
        if (!begins)
            return true;
    }
    const char *open = forms[block->kind].open, *close = forms[block->kind].close;
    return lw_error_set(err, LW_ERROR_SYNTAX,
                        "this marker has no end marker: expected a line '%.*s%s%s/laneway%s%s'",
                        (int)block->prefix.length, block->prefix.at, open, *open ? " " : "",
                        *close ? " " : "", close);
}
