/*
 * The bytes below pieces: a window of the text, its lines, its brackets. Invariant: start <= at <= end,
 * data[end] is NUL, and of the `depth` brackets that are open `regions` are R.
 */

#include "notation/mlir/mlir_window.h"

#include "notation/document/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)1 << 16)
/* The beginning of a line that is longer is not kept to be quoted. */
#define LINE_KEPT ((size_t)1 << 14)

/* ---- Bytes ---- */

void lw_pieces_begin_file(struct lw_pieces *pieces, FILE *file, const char *name)
{
    memset(pieces, 0, sizeof *pieces);
    pieces->file = file;
    pieces->name = name;
    pieces->line = 1;
}

void lw_pieces_begin_text(struct lw_pieces *pieces, const char *text, size_t length)
{
    memset(pieces, 0, sizeof *pieces);
    pieces->data = (char *)(uintptr_t)text; /* nobody writes to it */
    pieces->end = length;
    pieces->total = length;
    pieces->ended = true;
    pieces->line = 1;
}

void lw_pieces_free(struct lw_pieces *pieces)
{
    if (pieces->file)
        free(pieces->data);
    free(pieces->brackets);
    memset(pieces, 0, sizeof *pieces);
}

static void fail(struct lw_pieces *pieces, enum lw_code code, const char *why)
{
    lw_error_set(&pieces->err, code, "%.200s%s%s", pieces->name ? pieces->name : "",
                 pieces->name ? ": " : "", why);
    pieces->failed = pieces->ended = true;
}

/* Leaves out what went before this line, and the middle of a piece that is too long. */
static void drop(struct lw_pieces *pieces)
{
    size_t from = pieces->start, keep = LW_PIECE_MOST;
    if (pieces->line_start >= pieces->base && pieces->line_start < pieces->base + from &&
        from - (size_t)(pieces->line_start - pieces->base) < LINE_KEPT)
        from = (size_t)(pieces->line_start - pieces->base);
    if (from) {
        memmove(pieces->data, pieces->data + from, pieces->end - from);
        pieces->base += from;
        pieces->start -= from;
        pieces->at -= from;
        pieces->end -= from;
    }
    if (pieces->at - pieces->start > keep) {
        size_t extra = pieces->at - pieces->start - keep;
        memmove(pieces->data + pieces->at - extra, pieces->data + pieces->at,
                pieces->end - pieces->at);
        pieces->base += extra;
        pieces->at -= extra;
        pieces->end -= extra;
        pieces->cut = true;
    }
}

static bool grow(struct lw_pieces *pieces)
{
    if (pieces->room - pieces->end > CHUNK)
        return true;
    size_t room = pieces->room ? 2 * pieces->room : 2 * CHUNK;
    char *data = realloc(pieces->data, room);
    if (!data) {
        fail(pieces, LW_ERROR_MEMORY, "out of memory");
        return false;
    }
    pieces->data = data;
    pieces->room = room;
    return true;
}

/* Reads on; false at the end. */
static bool more(struct lw_pieces *pieces)
{
    if (pieces->ended)
        return false;
    drop(pieces);
    if (!grow(pieces))
        return false;
    errno = 0;
    size_t got = fread(pieces->data + pieces->end, 1, CHUNK, pieces->file);
    pieces->end += got;
    pieces->total += got;
    pieces->data[pieces->end] = '\0';
    pieces->ended = got < CHUNK;
    if (ferror(pieces->file))
        fail(pieces, LW_ERROR_IO, strerror(errno ? errno : EIO));
    else if (pieces->most && pieces->total > pieces->most) {
        char why[64];
        snprintf(why, sizeof why, "over %llu bytes", (unsigned long long)pieces->most);
        fail(pieces, LW_ERROR_LIMIT, why);
    }
    return got > 0;
}

char lw_pieces_peek(struct lw_pieces *pieces, size_t ahead)
{
    while (pieces->at + ahead >= pieces->end)
        if (!more(pieces))
            return '\0';
    return pieces->data[pieces->at + ahead];
}

bool lw_pieces_ended(struct lw_pieces *pieces)
{
    return pieces->at >= pieces->end && !more(pieces);
}

void lw_pieces_step(struct lw_pieces *pieces)
{
    if (pieces->data[pieces->at++] == '\n') {
        pieces->line++;
        pieces->line_start = pieces->base + pieces->at;
    }
}

struct lw_place lw_pieces_place(const struct lw_pieces *pieces)
{
    return (struct lw_place){pieces->line,
                             (int)(pieces->base + pieces->at - pieces->line_start) + 1, 0};
}

/* ---- Problems ---- */

/* The line of a problem whose place is at index `from` of data, or after it. */
void lw_pieces_quote(struct lw_pieces *pieces, struct lw_place first)
{
    struct lw_error near = pieces->err;
    size_t from = pieces->start, back = (size_t)(first.column - 1);
    if (back > from || pieces->cut)
        return;
    from -= back;
    near.place.line -= first.line - 1;
    lw_error_excerpt(&near, pieces->data + from, pieces->end - from);
    memcpy(pieces->err.excerpt, near.excerpt, sizeof near.excerpt);
    pieces->err.excerpt_column = near.excerpt_column;
}

/* ---- Brackets ---- */

void lw_pieces_push(struct lw_pieces *pieces, char bracket)
{
    if (pieces->depth == LW_BRACKETS_MOST) {
        pieces->beyond++;
        return;
    }
    if (pieces->depth == pieces->brackets_room) {
        size_t room = pieces->brackets_room ? 2 * pieces->brackets_room : 64;
        char *brackets = realloc(pieces->brackets, room);
        if (!brackets) {
            fail(pieces, LW_ERROR_MEMORY, "out of memory");
            return;
        }
        pieces->brackets = brackets;
        pieces->brackets_room = room;
    }
    pieces->brackets[pieces->depth++] = bracket;
    pieces->regions += bracket == 'R';
}

char lw_pieces_top(const struct lw_pieces *pieces)
{
    return pieces->depth && !pieces->beyond ? pieces->brackets[pieces->depth - 1] : '\0';
}

bool lw_pieces_level(const struct lw_pieces *pieces)
{
    return !pieces->beyond && (pieces->depth == 0 || lw_pieces_top(pieces) == 'R');
}

bool lw_pieces_pop(struct lw_pieces *pieces, char bracket)
{
    if (pieces->beyond) {
        pieces->beyond--;
        return true;
    }
    if (lw_pieces_top(pieces) == bracket) {
        pieces->depth--;
        return true;
    }
    size_t depth = pieces->depth;
    while (depth && pieces->brackets[depth - 1] != 'R' && pieces->brackets[depth - 1] != bracket)
        depth--;
    if (depth == 0 || pieces->brackets[depth - 1] == 'R')
        return false;
    pieces->depth = depth - 1;
    return true;
}

void lw_pieces_forget(struct lw_pieces *pieces)
{
    pieces->beyond = 0;
    while (pieces->depth && pieces->brackets[pieces->depth - 1] != 'R')
        pieces->depth--;
}

/* ---- What is skipped ---- */

bool lw_pieces_string(struct lw_pieces *pieces)
{
    for (lw_pieces_step(pieces); !lw_pieces_ended(pieces) && pieces->data[pieces->at] != '\n';
         lw_pieces_step(pieces)) {
        if (pieces->data[pieces->at] == '"') {
            lw_pieces_step(pieces);
            return true;
        }
        if (pieces->data[pieces->at] == '\\' && lw_pieces_peek(pieces, 1) &&
            lw_pieces_peek(pieces, 1) != '\n')
            lw_pieces_step(pieces);
    }
    return false;
}

bool lw_pieces_comment(struct lw_pieces *pieces)
{
    return pieces->data[pieces->at] == '/' && lw_pieces_peek(pieces, 1) == '/';
}

/* A line `// -----` parts what is in one file for convenience alone. */
static void note_divider(struct lw_pieces *pieces)
{
    static const char divider[] = "// -----";
    if (pieces->base + pieces->at != pieces->line_start)
        return;
    for (size_t i = 0; i < sizeof divider - 1; i++)
        if (lw_pieces_peek(pieces, i) != divider[i])
            return;
    pieces->dividers++;
    if (pieces->part && pieces->dividers == pieces->part - 1)
        pieces->part_from = pieces->line;
    if (pieces->part && pieces->dividers == pieces->part)
        pieces->part_to = pieces->line;
}

static void skip_comment(struct lw_pieces *pieces)
{
    note_divider(pieces);
    while (!lw_pieces_ended(pieces) && pieces->data[pieces->at] != '\n') {
        char *stop = memchr(pieces->data + pieces->at, '\n', pieces->end - pieces->at);
        pieces->at = stop ? (size_t)(stop - pieces->data) : pieces->end;
    }
}

bool lw_pieces_space(struct lw_pieces *pieces)
{
    int line = pieces->line;
    while (!lw_pieces_ended(pieces)) {
        char c = pieces->data[pieces->at];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            lw_pieces_step(pieces);
        else if (c == '/' && lw_pieces_comment(pieces))
            skip_comment(pieces);
        else
            break;
    }
    return pieces->line > line;
}

/* ---- Stretches of text ---- */

size_t lw_mlir_name(const char *p, const char *end, bool dots)
{
    const char *from = p;
    while (p < end && (lw_is_name_part(*p) || *p == '$' ||
                       (*p == '-' && p + 1 < end && p[1] != '>') || (dots && *p == '.')))
        p++;
    return (size_t)(p - from);
}

size_t lw_bracketed(const char *p, const char *end)
{
    const char *from = p;
    int depth = 0;
    for (; p < end; p++) {
        if (*p == '"') {
            for (p++; p < end && *p != '"'; p++)
                p += *p == '\\' && p + 1 < end;
            if (p >= end)
                break;
        } else if (strchr("(<[{", *p) && *p) {
            depth++;
        } else if (*p == '-' && p + 1 < end && p[1] == '>') {
            p++;
        } else if (strchr(")>]}", *p) && *p && --depth <= 0) {
            return (size_t)(p + 1 - from);
        }
    }
    return (size_t)(end - from);
}
