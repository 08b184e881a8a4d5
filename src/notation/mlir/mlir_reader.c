/*
 * MLIR text in pieces. Invariant: between pieces no bracket is open but the R of regions.
 *
 * Source: the language reference of MLIR; Triton prints each operation on a line of its own, its tests
 * wrap some of them.
 */

#include "notation/mlir/mlir_window.h"
#include "notation/document/read.h"

#include <string.h>

/* How far is looked ahead for what a brace or a line begins with. */
#define AHEAD 512

/* ---- What is ahead ---- */

/* The bytes ahead, as many as there are of AHEAD; *end is after them. */
static const char *ahead(struct lw_pieces *pieces, const char **end)
{
    lw_pieces_peek(pieces, AHEAD);
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

/* `x = tt.load`, `@x = "tt.load"`: what was to be an operation, whatever its result begins with. */
static bool assigns_operation(const char *p, const char *end)
{
    bool ignored = false;
    p += !lw_is_name_start(*p);
    size_t length = lw_mlir_name(p, end, true);
    p = blanks(p + length, end, &ignored);
    if (!length || p >= end || *p != '=')
        return false;
    p = blanks(p + 1, end, &ignored);
    p += p < end && *p == '"';
    return p < end && lw_is_name_start(*p) && memchr(p, '.', lw_mlir_name(p, end, true));
}

/* Whether the line that begins at the cursor begins something new, after one that ended in `last`. */
static bool begins_piece(struct lw_pieces *pieces, char last)
{
    const char *end, *p = ahead(pieces, &end);
    if (p == end || *p == '}')
        return true;
    if (goes_on(last))
        return false;
    if (strchr("%^\"#!", *p) || assigns_operation(p, end))
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
    lw_pieces_quote(pieces, piece->place);
    piece->kind = LW_PIECE_PROBLEM;
    return false;
}

static bool complain(struct lw_pieces *pieces, struct lw_piece *piece, struct lw_place place,
                     const char *message)
{
    lw_error_at(&pieces->err, LW_ERROR_SYNTAX, place, "%s", message);
    lw_pieces_quote(pieces, piece->place);
    piece->kind = LW_PIECE_PROBLEM;
    return false;
}

/* A bracket, with what else looks like one. False: the piece ends before it. *opens: it ends after it. */
static bool read_bracket(struct lw_pieces *pieces, char c, bool alias, bool *opens)
{
    char next = lw_pieces_peek(pieces, 1);
    switch (c) {
    case '-':
        if (next == '>')
            lw_pieces_step(pieces);
        break;
    case '<':
        if (next != '=')
            lw_pieces_push(pieces, c);
        break;
    case '>':
        if (next != '=' && lw_pieces_top(pieces) == '<')
            lw_pieces_pop(pieces, '<');
        break;
    case '(':
    case '[':
        lw_pieces_push(pieces, c);
        break;
    case ')':
        lw_pieces_pop(pieces, '(');
        break;
    case ']':
        lw_pieces_pop(pieces, '[');
        break;
    case '{':
        *opens = !alias && lw_pieces_top(pieces) != '<' && !pieces->beyond && at_region(pieces);
        lw_pieces_push(pieces, *opens ? 'R' : c);
        break;
    default: /* } */
        if (!lw_pieces_pop(pieces, '{') && pieces->regions)
            return false;
    }
    lw_pieces_step(pieces);
    return true;
}

/* After white space outside of all brackets: whether the definition of an alias is over. */
static bool alias_over(struct lw_pieces *pieces, char last)
{
    return lw_pieces_ended(pieces) || (!goes_on(last) && !goes_on(pieces->data[pieces->at]));
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
    return length && p < end && *p == '=' && !(p + 1 < end && p[1] == '=') ? (size_t)(p + 1 - from)
                                                                           : 0;
}

/* Up to where the piece ends, without the white space that follows. */
static bool read_rest(struct lw_pieces *pieces, struct lw_piece *piece, bool alias, char last)
{
    size_t length = pieces->at - pieces->start; /* start and at move together */
    while (!lw_pieces_ended(pieces)) {
        char c = pieces->data[pieces->at];
        bool opens = false;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n' ||
            (c == '/' && lw_pieces_comment(pieces))) {
            bool line = lw_pieces_space(pieces);
            if (lw_pieces_level(pieces) &&
                (alias ? alias_over(pieces, last) : line && begins_piece(pieces, last)))
                break;
            continue;
        }
        if ((c == '#' || c == '!') && !alias && lw_pieces_level(pieces) && pieces->regions == 0 &&
            alias_ahead(pieces) && length)
            break;
        if (c == '"') {
            struct lw_place place = lw_pieces_place(pieces);
            if (!lw_pieces_string(pieces)) {
                place.length = (int)(lw_pieces_place(pieces).column - place.column);
                place.length = place.length > 0 ? place.length : 1;
                lw_pieces_forget(pieces);
                return complain(pieces, piece, place, "this string has no closing \"");
            }
        } else if (strchr("-<>()[]{}", c) && c) {
            if (!read_bracket(pieces, c, alias, &opens))
                break;
        } else {
            lw_pieces_step(pieces);
        }
        last = c == '-' && pieces->data[pieces->at - 1] == '>' ? '-' : c;
        length = pieces->at - pieces->start;
        if (opens) {
            piece->opens = true;
            break;
        }
    }
    if (!lw_pieces_level(pieces)) /* the text ended here */
        length = pieces->at - pieces->start;
    if (!piece->opens)
        lw_pieces_forget(pieces);
    size_t most = pieces->at - pieces->start;
    take_piece(pieces, piece, pieces->start + (length < most ? length : most));
    return check_piece(pieces, piece);
}

static void read_alias(struct lw_pieces *pieces, struct lw_piece *piece, size_t head)
{
    piece->kind = LW_PIECE_ALIAS;
    while (head--)
        lw_pieces_step(pieces);
    lw_pieces_space(pieces);
    if (lw_pieces_ended(pieces))
        complain(pieces, piece, lw_pieces_place(pieces),
                 "expected an attribute, but the text ends here");
    else
        read_rest(pieces, piece, true, '=');
}

/* ^bb0(%x: f32 loc(#loc)): */
static void read_block(struct lw_pieces *pieces, struct lw_piece *piece)
{
    bool opens = false;
    piece->kind = LW_PIECE_BLOCK;
    while (!lw_pieces_ended(pieces)) {
        char c = pieces->data[pieces->at];
        if (c == '"') {
            struct lw_place place = lw_pieces_place(pieces);
            if (lw_pieces_string(pieces))
                continue;
            lw_pieces_forget(pieces);
            complain(pieces, piece, place, "this string has no closing \"");
            return;
        }
        if (lw_pieces_level(pieces) && (c == ':' || c == '\n' || c == '}')) {
            if (c == ':')
                lw_pieces_step(pieces);
            break;
        }
        if (!strchr("-<>()[]{}", c) || !c)
            lw_pieces_step(pieces);
        else if (!read_bracket(pieces, c, true, &opens))
            break;
    }
    lw_pieces_forget(pieces);
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
        complain(pieces, piece, lw_pieces_place(pieces), "expected '}', but the text ends here");
        pieces->regions = pieces->depth = 0;
    }
}

static void read_close(struct lw_pieces *pieces, struct lw_piece *piece)
{
    if (pieces->regions == 0) {
        struct lw_place place = lw_pieces_place(pieces);
        place.length = 1;
        pieces->of_brackets = true;
        complain(pieces, piece, place, "this '}' closes nothing");
        lw_pieces_step(pieces);
        return;
    }
    lw_pieces_forget(pieces);
    pieces->depth--;
    pieces->regions--;
    piece->kind = LW_PIECE_CLOSE;
    lw_pieces_step(pieces);
    read_rest(pieces, piece, false, '}');
}

void lw_pieces_next(struct lw_pieces *pieces, struct lw_piece *piece)
{
    size_t head;
    memset(piece, 0, sizeof *piece);
    pieces->cut = pieces->of_brackets = false;
    pieces->start = pieces->at;
    if (pieces->base == 0 && pieces->at == 0 && lw_pieces_peek(pieces, 0) == '\xef' &&
        lw_pieces_peek(pieces, 1) == '\xbb' && lw_pieces_peek(pieces, 2) == '\xbf') {
        pieces->at = 3;
        pieces->line_start = 3;
    }
    do { /* white space is no part of a piece that begins */
        pieces->start = pieces->at;
        lw_pieces_space(pieces);
    } while (pieces->start != pieces->at);
    piece->place = lw_pieces_place(pieces);
    if (lw_pieces_ended(pieces))
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
