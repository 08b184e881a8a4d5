/*
 * MLIR text in pieces. Invariant: start <= at <= end, data[end] is NUL, and of the `depth` brackets that
 * are open `regions` are R.
 *
 * Source: the language reference of MLIR; Triton prints each operation on a line of its own, its tests
 * wrap some of them.
 */

#include "notation/pieces.h"

#include "notation/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)1 << 16)
/* The beginning of a line that is longer is not kept to be quoted. */
#define LINE_KEPT ((size_t)1 << 14)
/* How far is looked ahead for what a brace or a line begins with. */
#define AHEAD 512

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

/* The byte `ahead` of the cursor; NUL at the end. */
static char peek(struct lw_pieces *pieces, size_t ahead)
{
    while (pieces->at + ahead >= pieces->end)
        if (!more(pieces))
            return '\0';
    return pieces->data[pieces->at + ahead];
}

static bool at_end(struct lw_pieces *pieces)
{
    return pieces->at >= pieces->end && !more(pieces);
}

static void step(struct lw_pieces *pieces)
{
    if (pieces->data[pieces->at++] == '\n') {
        pieces->line++;
        pieces->line_start = pieces->base + pieces->at;
    }
}

static struct lw_place place_here(const struct lw_pieces *pieces)
{
    return (struct lw_place){pieces->line,
                             (int)(pieces->base + pieces->at - pieces->line_start) + 1, 0};
}

/* ---- Problems ---- */

/* The line of a problem whose place is at index `from` of data, or after it. */
static void quote(struct lw_pieces *pieces, struct lw_place first)
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

static void push(struct lw_pieces *pieces, char bracket)
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

static char top(const struct lw_pieces *pieces)
{
    return pieces->depth && !pieces->beyond ? pieces->brackets[pieces->depth - 1] : '\0';
}

/* Whether the piece itself has no bracket open. */
static bool is_level(const struct lw_pieces *pieces)
{
    return !pieces->beyond && (pieces->depth == 0 || top(pieces) == 'R');
}

/* Closes back to that bracket of this piece; false when it has none. What was open inside is forgotten. */
static bool pop(struct lw_pieces *pieces, char bracket)
{
    if (pieces->beyond) {
        pieces->beyond--;
        return true;
    }
    if (top(pieces) == bracket) {
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

/* Forgets the brackets of a piece that has ended. */
static void level(struct lw_pieces *pieces)
{
    pieces->beyond = 0;
    while (pieces->depth && pieces->brackets[pieces->depth - 1] != 'R')
        pieces->depth--;
}

/* ---- Words ---- */

size_t lw_mlir_name(const char *p, const char *end, bool dots)
{
    const char *from = p;
    while (p < end && (lw_is_name_part(*p) || *p == '$' || (*p == '-' && p + 1 < end && p[1] != '>') ||
                       (dots && *p == '.')))
        p++;
    return (size_t)(p - from);
}

/* Skips a string; false: its line ends before it does. */
static bool skip_string(struct lw_pieces *pieces)
{
    for (step(pieces); !at_end(pieces) && pieces->data[pieces->at] != '\n'; step(pieces)) {
        if (pieces->data[pieces->at] == '"') {
            step(pieces);
            return true;
        }
        if (pieces->data[pieces->at] == '\\' && peek(pieces, 1) && peek(pieces, 1) != '\n')
            step(pieces);
    }
    return false;
}

static bool at_comment(struct lw_pieces *pieces)
{
    return pieces->data[pieces->at] == '/' && peek(pieces, 1) == '/';
}

static void skip_comment(struct lw_pieces *pieces)
{
    while (!at_end(pieces) && pieces->data[pieces->at] != '\n') {
        char *stop = memchr(pieces->data + pieces->at, '\n', pieces->end - pieces->at);
        pieces->at = stop ? (size_t)(stop - pieces->data) : pieces->end;
    }
}

/* Skips white space and comments; whether there was the end of a line among it. */
static bool skip_space(struct lw_pieces *pieces)
{
    int line = pieces->line;
    while (!at_end(pieces)) {
        char c = pieces->data[pieces->at];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            step(pieces);
        else if (c == '/' && at_comment(pieces))
            skip_comment(pieces);
        else
            break;
    }
    return pieces->line > line;
}

/* The bytes ahead, as many as there are of AHEAD; *end is after them. */
static const char *ahead(struct lw_pieces *pieces, const char **end)
{
    peek(pieces, AHEAD);
    size_t left = pieces->end - pieces->at;
    *end = pieces->data + pieces->at + (left < AHEAD ? left : AHEAD);
    return pieces->data + pieces->at;
}

static const char *blanks(const char *p, const char *end, bool *line)
{
    for (;; p++) {
        if (end - p > 1 && *p == '/' && p[1] == '/')
            while (p < end && *p != '\n')
                p++;
        if (p >= end || !strchr(" \t\r\n", *p) || !*p)
            return p;
        *line = *line || *p == '\n';
    }
}

/* Operations that end a region, and nothing else is named so. */
static bool ends_region(const char *name, size_t length)
{
    return lw_ends(name, length, "return") || lw_ends(name, length, "yield");
}

/* Whether the brace at the cursor begins a region, and not a dictionary of attributes. */
static bool at_region(struct lw_pieces *pieces)
{
    const char *end, *p = ahead(pieces, &end);
    bool line = false, ignored = false;
    p = blanks(p + 1, end, &line);
    if (p == end)
        return line;
    if (*p == '%' || *p == '^')
        return true;
    bool string = *p == '"';
    const char *name = p;
    if (string) {
        for (p++; p < end && *p != '"' && *p != '\n'; p++)
            ;
        p += p < end;
    } else {
        p += lw_mlir_name(p, end, true);
    }
    if (p == name)
        return false;
    size_t length = (size_t)(p - name);
    p = blanks(p, end, &ignored);
    if (string)
        return p < end && *p == '(';
    if (p < end && *p == '}')
        return memchr(name, '.', length) && (line || ends_region(name, length));
    return p == end || (*p != '=' && *p != ',');
}

/* Whether what ends in this (`-` stands for an arrow), or begins with it, has more to it. */
static bool goes_on(char c)
{
    return c && strchr(",:=(<[{-*", c);
}

/* Words without a dot that are an operation; others go on with one. */
static bool begins_builtin(const char *p, size_t length)
{
    static const char *const names[] = {"module", "func", "return", "call"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], p, length))
            return true;
    return false;
}

/* Whether the line that begins at the cursor begins something new, after one that ended in `last`. */
static bool begins_piece(struct lw_pieces *pieces, char last)
{
    const char *end, *p = ahead(pieces, &end);
    if (p == end || *p == '}')
        return true;
    if (goes_on(last))
        return false;
    if (strchr("%^\"#!", *p))
        return true;
    if (!lw_is_name_start(*p))
        return !strchr(":(,=-<{[*@>)]&|+?/", *p) && !(*p >= '0' && *p <= '9');
    size_t length = lw_mlir_name(p, end, true);
    return memchr(p, '.', length) || begins_builtin(p, length);
}

/* ---- Pieces ---- */

static void take_piece(struct lw_pieces *pieces, struct lw_piece *piece, size_t stop)
{
    piece->text = pieces->data + pieces->start;
    piece->length = stop - pieces->start;
    piece->cut = pieces->cut;
}

/* The bytes of a piece are text. */
static bool check_piece(struct lw_pieces *pieces, struct lw_piece *piece)
{
    if (lw_check_bytes(piece->text, piece->length, &pieces->err))
        return true;
    if (pieces->err.place.line == 1)
        pieces->err.place.column += piece->place.column - 1;
    pieces->err.place.line += piece->place.line - 1;
    quote(pieces, piece->place);
    piece->kind = LW_PIECE_PROBLEM;
    return false;
}

static bool complain(struct lw_pieces *pieces, struct lw_piece *piece, struct lw_place place,
                     const char *message)
{
    lw_error_at(&pieces->err, LW_ERROR_SYNTAX, place, "%s", message);
    quote(pieces, piece->place);
    piece->kind = LW_PIECE_PROBLEM;
    return false;
}

/* A bracket, with what else looks like one. False: the piece ends before it. *opens: it ends after it. */
static bool read_bracket(struct lw_pieces *pieces, char c, bool alias, bool *opens)
{
    char next = peek(pieces, 1);
    switch (c) {
    case '-':
        if (next == '>')
            step(pieces);
        break;
    case '<':
        if (next != '=')
            push(pieces, c);
        break;
    case '>':
        if (next != '=' && top(pieces) == '<')
            pop(pieces, '<');
        break;
    case '(':
    case '[':
        push(pieces, c);
        break;
    case ')':
        pop(pieces, '(');
        break;
    case ']':
        pop(pieces, '[');
        break;
    case '{':
        *opens = !alias && top(pieces) != '<' && !pieces->beyond && at_region(pieces);
        push(pieces, *opens ? 'R' : c);
        break;
    default: /* } */
        if (!pop(pieces, '{') && pieces->regions)
            return false;
    }
    step(pieces);
    return true;
}

/* After white space outside of all brackets: whether the definition of an alias is over. */
static bool alias_over(struct lw_pieces *pieces, char last)
{
    return at_end(pieces) || (!goes_on(last) && !goes_on(pieces->data[pieces->at]));
}

/* `#name =`, `!name =`: how long it is up to the value; 0: it is none. */
static size_t alias_ahead(struct lw_pieces *pieces)
{
    const char *end, *from = ahead(pieces, &end), *p = from;
    bool line = false;
    if (p == end || (*p != '#' && *p != '!'))
        return 0;
    size_t length = lw_mlir_name(++p, end, false);
    p = blanks(p + length, end, &line);
    return length && p < end && *p == '=' && !(p + 1 < end && p[1] == '=')
               ? (size_t)(p + 1 - from)
               : 0;
}

/* Up to where the piece ends, without the white space that follows. */
static bool read_rest(struct lw_pieces *pieces, struct lw_piece *piece, bool alias, char last)
{
    size_t length = pieces->at - pieces->start; /* start and at move together */
    while (!at_end(pieces)) {
        char c = pieces->data[pieces->at];
        bool opens = false;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || (c == '/' && at_comment(pieces))) {
            bool line = skip_space(pieces);
            if (is_level(pieces) && (alias ? alias_over(pieces, last)
                                           : line && begins_piece(pieces, last)))
                break;
            continue;
        }
        if ((c == '#' || c == '!') && !alias && is_level(pieces) && pieces->regions == 0 &&
            alias_ahead(pieces) && length)
            break;
        if (c == '"') {
            struct lw_place place = place_here(pieces);
            if (!skip_string(pieces)) {
                place.length = (int)(place_here(pieces).column - place.column);
                place.length = place.length > 0 ? place.length : 1;
                level(pieces);
                return complain(pieces, piece, place, "this string has no closing \"");
            }
        } else if (strchr("-<>()[]{}", c) && c) {
            if (!read_bracket(pieces, c, alias, &opens))
                break;
        } else {
            step(pieces);
        }
        last = c == '-' && pieces->data[pieces->at - 1] == '>' ? '-' : c;
        length = pieces->at - pieces->start;
        if (opens) {
            piece->opens = true;
            break;
        }
    }
    if (!is_level(pieces)) /* the text ended here */
        length = pieces->at - pieces->start;
    if (!piece->opens)
        level(pieces);
    size_t most = pieces->at - pieces->start;
    take_piece(pieces, piece, pieces->start + (length < most ? length : most));
    return check_piece(pieces, piece);
}

static void read_alias(struct lw_pieces *pieces, struct lw_piece *piece, size_t head)
{
    piece->kind = LW_PIECE_ALIAS;
    while (head--)
        step(pieces);
    skip_space(pieces);
    if (at_end(pieces))
        complain(pieces, piece, place_here(pieces),
                 "expected an attribute, but the text ends here");
    else
        read_rest(pieces, piece, true, '=');
}

/* ^bb0(%x: f32 loc(#loc)): */
static void read_block(struct lw_pieces *pieces, struct lw_piece *piece)
{
    bool opens = false;
    piece->kind = LW_PIECE_BLOCK;
    while (!at_end(pieces)) {
        char c = pieces->data[pieces->at];
        if (c == '"') {
            struct lw_place place = place_here(pieces);
            if (skip_string(pieces))
                continue;
            level(pieces);
            complain(pieces, piece, place, "this string has no closing \"");
            return;
        }
        if (is_level(pieces) && (c == ':' || c == '\n' || c == '}')) {
            if (c == ':')
                step(pieces);
            break;
        }
        if (!strchr("-<>()[]{}", c) || !c)
            step(pieces);
        else if (!read_bracket(pieces, c, true, &opens))
            break;
    }
    level(pieces);
    take_piece(pieces, piece, pieces->at);
    check_piece(pieces, piece);
}

/* The text is over. */
static void read_end(struct lw_pieces *pieces, struct lw_piece *piece)
{
    piece->kind = LW_PIECE_END;
    take_piece(pieces, piece, pieces->at);
    if (pieces->failed) {
        piece->kind = LW_PIECE_PROBLEM;
    } else if (pieces->regions) {
        pieces->of_brackets = true;
        complain(pieces, piece, place_here(pieces), "expected '}', but the text ends here");
        pieces->regions = pieces->depth = 0;
    }
}

static void read_close(struct lw_pieces *pieces, struct lw_piece *piece)
{
    if (pieces->regions == 0) {
        struct lw_place place = place_here(pieces);
        place.length = 1;
        pieces->of_brackets = true;
        complain(pieces, piece, place, "this '}' closes nothing");
        step(pieces);
        return;
    }
    level(pieces);
    pieces->depth--;
    pieces->regions--;
    piece->kind = LW_PIECE_CLOSE;
    step(pieces);
    read_rest(pieces, piece, false, '}');
}

void lw_pieces_next(struct lw_pieces *pieces, struct lw_piece *piece)
{
    size_t head;
    memset(piece, 0, sizeof *piece);
    pieces->cut = pieces->of_brackets = false;
    pieces->start = pieces->at;
    if (pieces->base == 0 && pieces->at == 0 && peek(pieces, 0) == '\xef' &&
        peek(pieces, 1) == '\xbb' && peek(pieces, 2) == '\xbf') {
        pieces->at = 3;
        pieces->line_start = 3;
    }
    do { /* white space is no part of a piece that begins */
        pieces->start = pieces->at;
        skip_space(pieces);
    } while (pieces->start != pieces->at);
    piece->place = place_here(pieces);
    if (at_end(pieces))
        read_end(pieces, piece);
    else if (pieces->data[pieces->at] == '}')
        read_close(pieces, piece);
    else if (pieces->data[pieces->at] == '^')
        read_block(pieces, piece);
    else if (pieces->regions == 0 && (head = alias_ahead(pieces)) > 0)
        read_alias(pieces, piece, head);
    else {
        piece->kind = LW_PIECE_OPERATION;
        read_rest(pieces, piece, false, '\0');
    }
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
