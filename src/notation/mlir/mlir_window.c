/*
 * The bytes that items are read from: a window of the text, its lines, its open brackets. Invariant: start <=
 * at <= end, data[end] is NUL, and `regions` of the `depth` open brackets are R.
 */

#include "notation/mlir/mlir_window.h"

#include "notation/document/read.h"
#include "notation/mlir/string_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)1 << 16)
/* A longer line is not kept, so it is not quoted. */
#define LINE_QUOTED_MAX ((size_t)1 << 14)

/* ---- Bytes ---- */

void lw_mlir_reader_open_file(struct lw_mlir_reader *reader, FILE *file, const char *name)
{
    memset(reader, 0, sizeof *reader);
    reader->file = file;
    reader->name = name;
    reader->line = 1;
}

void lw_mlir_reader_open_text(struct lw_mlir_reader *reader, const char *text, size_t length)
{
    memset(reader, 0, sizeof *reader);
    reader->data = (char *)(uintptr_t)text; /* never written to */
    reader->end = length;
    reader->total = length;
    reader->ended = true;
    reader->line = 1;
}

bool lw_mlir_reader_set_part(struct lw_mlir_reader *reader, int part, uint64_t offset, int line)
{
    reader->part = part;
    if (part < 2 || line < 1 || offset > INT64_MAX)
        return true;
    if (reader->file) {
        if (fseeko(reader->file, (off_t)offset, SEEK_SET) != 0)
            return false;
        reader->base = reader->total = offset;
    } else {
        if (offset > reader->end)
            return false;
        reader->start = reader->at = (size_t)offset;
    }
    reader->line_start = offset;
    reader->line = line;
    reader->dividers = part - 2; /* the divider before the part is read first */
    return true;
}

void lw_mlir_reader_free(struct lw_mlir_reader *reader)
{
    if (reader->file)
        free(reader->data);
    free(reader->brackets);
    memset(reader, 0, sizeof *reader);
}

static void fail(struct lw_mlir_reader *reader, enum lw_code code, const char *why)
{
    lw_error_set(&reader->err, code, "%.200s%s%s", reader->name ? reader->name : "",
                 reader->name ? ": " : "", why);
    reader->failed = reader->ended = true;
}

/* Drops what is before this line, and the middle of an item that is too long. */
static void drop(struct lw_mlir_reader *reader)
{
    size_t from = reader->start, keep = LW_MLIR_ITEM_MAX;
    if (reader->line_start >= reader->base && reader->line_start < reader->base + from &&
        from - (size_t)(reader->line_start - reader->base) < LINE_QUOTED_MAX)
        from = (size_t)(reader->line_start - reader->base);
    if (from) {
        memmove(reader->data, reader->data + from, reader->end - from);
        reader->base += from;
        reader->start -= from;
        reader->at -= from;
        reader->end -= from;
    }
    if (reader->at - reader->start > keep) {
        size_t extra = reader->at - reader->start - keep;
        memmove(reader->data + reader->at - extra, reader->data + reader->at,
                reader->end - reader->at);
        reader->base += extra;
        reader->at -= extra;
        reader->end -= extra;
        reader->cut = true;
    }
}

static bool grow(struct lw_mlir_reader *reader)
{
    if (reader->room - reader->end > CHUNK)
        return true;
    size_t room = reader->room ? 2 * reader->room : 2 * CHUNK;
    char *data = realloc(reader->data, room);
    if (!data) {
        fail(reader, LW_ERROR_MEMORY, "out of memory");
        return false;
    }
    reader->data = data;
    reader->room = room;
    return true;
}

/* Reads more; false at the end. */
static bool more(struct lw_mlir_reader *reader)
{
    if (reader->ended)
        return false;
    drop(reader);
    if (!grow(reader))
        return false;
    errno = 0;
    size_t got = fread(reader->data + reader->end, 1, CHUNK, reader->file);
    reader->end += got;
    reader->total += got;
    reader->data[reader->end] = '\0';
    reader->ended = got < CHUNK;
    if (ferror(reader->file))
        fail(reader, LW_ERROR_IO, strerror(errno ? errno : EIO));
    else if (reader->max && reader->total > reader->max) {
        char why[64];
        snprintf(why, sizeof why, "over %llu bytes", (unsigned long long)reader->max);
        fail(reader, LW_ERROR_LIMIT, why);
    } else if (reader->stop && reader->stop(reader->stop_context)) {
        fail(reader, LW_ERROR_STOPPED, "stopped");
    }
    return got > 0;
}

char lw_mlir_reader_peek(struct lw_mlir_reader *reader, size_t ahead)
{
    while (reader->at + ahead >= reader->end)
        if (!more(reader))
            return '\0';
    return reader->data[reader->at + ahead];
}

bool lw_mlir_reader_at_end(struct lw_mlir_reader *reader)
{
    return reader->at >= reader->end && !more(reader);
}

void lw_mlir_reader_step(struct lw_mlir_reader *reader)
{
    if (reader->data[reader->at++] == '\n') {
        reader->line++;
        reader->line_start = reader->base + reader->at;
    }
}

struct lw_position lw_mlir_reader_position(const struct lw_mlir_reader *reader)
{
    return (struct lw_position){reader->line,
                                (int)(reader->base + reader->at - reader->line_start) + 1, 0};
}

/* ---- Problems ---- */

void lw_mlir_reader_quote(struct lw_mlir_reader *reader, struct lw_position first)
{
    size_t from = reader->start, back = (size_t)(first.column - 1);
    if (back > from || reader->cut)
        return;
    from -= back; /* to where its line begins */
    first.column = 1;
    lw_excerpt_of_part(&reader->err, first, reader->data + from, reader->end - from);
}

/* ---- Brackets ---- */

void lw_mlir_reader_push(struct lw_mlir_reader *reader, char bracket)
{
    if (reader->depth == LW_BRACKETS_MAX) {
        reader->beyond++;
        return;
    }
    if (!lw_list_reserve(&reader->brackets, &reader->brackets_room, reader->depth, 1)) {
        fail(reader, LW_ERROR_MEMORY, "out of memory");
        return;
    }
    reader->brackets[reader->depth++] = bracket;
    reader->regions += bracket == 'R';
}

char lw_mlir_reader_top(const struct lw_mlir_reader *reader)
{
    return reader->depth && !reader->beyond ? reader->brackets[reader->depth - 1] : '\0';
}

bool lw_mlir_reader_is_level(const struct lw_mlir_reader *reader)
{
    return !reader->beyond && (reader->depth == 0 || lw_mlir_reader_top(reader) == 'R');
}

bool lw_mlir_reader_pop(struct lw_mlir_reader *reader, char bracket)
{
    if (reader->beyond) {
        reader->beyond--;
        return true;
    }
    if (lw_mlir_reader_top(reader) == bracket) {
        reader->depth--;
        return true;
    }
    size_t depth = reader->depth;
    while (depth && reader->brackets[depth - 1] != 'R' && reader->brackets[depth - 1] != bracket)
        depth--;
    if (depth == 0 || reader->brackets[depth - 1] == 'R')
        return false;
    reader->depth = depth - 1;
    return true;
}

void lw_mlir_reader_clear_brackets(struct lw_mlir_reader *reader)
{
    reader->beyond = 0;
    while (reader->depth && reader->brackets[reader->depth - 1] != 'R')
        reader->depth--;
}

/* ---- Skipping ---- */

bool lw_mlir_reader_skip_string(struct lw_mlir_reader *reader)
{
    for (lw_mlir_reader_step(reader);
         !lw_mlir_reader_at_end(reader) && reader->data[reader->at] != '\n';
         lw_mlir_reader_step(reader)) {
        if (reader->data[reader->at] == '"') {
            lw_mlir_reader_step(reader);
            return true;
        }
        if (reader->data[reader->at] == '\\' && lw_mlir_reader_peek(reader, 1) &&
            lw_mlir_reader_peek(reader, 1) != '\n')
            lw_mlir_reader_step(reader);
    }
    return false;
}

bool lw_mlir_reader_at_comment(struct lw_mlir_reader *reader)
{
    return reader->data[reader->at] == '/' && lw_mlir_reader_peek(reader, 1) == '/';
}

/* Counts a line `// -----`, which divides the parts of a file. */
static void note_divider(struct lw_mlir_reader *reader)
{
    static const char divider[] = "// -----";
    if (reader->base + reader->at != reader->line_start)
        return;
    for (size_t i = 0; i < sizeof divider - 1; i++)
        if (lw_mlir_reader_peek(reader, i) != divider[i])
            return;
    reader->dividers++;
    if (reader->part && reader->dividers == reader->part - 1)
        reader->part_from = reader->line;
    if (reader->part && reader->dividers == reader->part) {
        reader->part_to = reader->line;
        reader->part_end = reader->line_start;
    }
}

static void skip_comment(struct lw_mlir_reader *reader)
{
    note_divider(reader);
    while (!lw_mlir_reader_at_end(reader) && reader->data[reader->at] != '\n') {
        char *stop = memchr(reader->data + reader->at, '\n', reader->end - reader->at);
        reader->at = stop ? (size_t)(stop - reader->data) : reader->end;
    }
}

bool lw_mlir_reader_skip_space(struct lw_mlir_reader *reader)
{
    int line = reader->line;
    while (!lw_mlir_reader_at_end(reader)) {
        char c = reader->data[reader->at];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            lw_mlir_reader_step(reader);
        else if (c == '/' && lw_mlir_reader_at_comment(reader))
            skip_comment(reader);
        else
            break;
    }
    return reader->line > line;
}

/* ---- Parts of the text ---- */

#define OPENS (LW_MLIR_OPENS | LW_MLIR_NESTS)
#define CLOSES (LW_MLIR_CLOSES | LW_MLIR_NESTS)
#define LETTER (LW_MLIR_NAME | LW_MLIR_PLAIN)
#define EIGHT(c, n)                                                                                \
    [c] = (n), [c + 1] = (n), [c + 2] = (n), [c + 3] = (n), [c + 4] = (n), [c + 5] = (n),          \
    [c + 6] = (n), [c + 7] = (n)
#define LETTERS(c)                                                                                 \
    EIGHT(c, LETTER), EIGHT(c + 8, LETTER), EIGHT(c + 16, LETTER), [c + 24] = LETTER,              \
                                                                        [c + 25] = LETTER

const unsigned char lw_mlir_bytes[256] = {
    LETTERS('a'),          LETTERS('A'),          EIGHT('0', LETTER),    ['8'] = LETTER,
    ['9'] = LETTER,        ['_'] = LETTER,        ['$'] = LW_MLIR_NAME,  ['.'] = LW_MLIR_PLAIN,
    ['%'] = LW_MLIR_PLAIN, [','] = LW_MLIR_PLAIN, ['('] = OPENS,         ['<'] = OPENS,
    ['['] = OPENS,         ['{'] = OPENS,         [')'] = CLOSES,        ['>'] = CLOSES,
    [']'] = CLOSES,        ['}'] = CLOSES,        ['"'] = LW_MLIR_NESTS, ['-'] = LW_MLIR_NESTS,
};

size_t lw_mlir_name(const char *p, const char *end, bool dots)
{
    const char *from = p;
    for (;; p++) {
        while (p < end && lw_mlir_is(*p, LW_MLIR_NAME))
            p++;
        if (p >= end || !((*p == '-' && p + 1 < end && p[1] != '>') || (dots && *p == '.')))
            return (size_t)(p - from);
    }
}

size_t lw_bracketed(const char *p, const char *end)
{
    const char *from = p;
    int depth = 0;
    for (; p < end; p++) {
        if (!lw_mlir_is(*p, LW_MLIR_NESTS))
            continue;
        if (*p == '"') {
            for (p++; p < end && *p != '"'; p++)
                p += *p == '\\' && p + 1 < end;
            if (p >= end)
                break;
        } else if (lw_mlir_opens(*p)) {
            depth++;
        } else if (*p == '-' && p + 1 < end && p[1] == '>') {
            p++;
        } else if (lw_mlir_closes(*p) && --depth <= 0) {
            return (size_t)(p + 1 - from);
        }
    }
    return (size_t)(end - from);
}
