#ifndef LANEWAY_SCAN_H
#define LANEWAY_SCAN_H

/*
 * A cursor over text with its line and column.
 *
 * The parser of expressions and the MLIR readers all walk one of these. The text may be a piece of a larger one (a
 * string in a JSON document): then positions are those in the larger one.
 */

#include "laneway/encoding.h"

struct lw_aliases; /* notation/mlir */
struct lw_alias_expansion;

/* A part of a text, which is borrowed. */
struct lw_span {
    const char *at;
    size_t length;
};

bool lw_span_is(struct lw_span span, const char *string);
bool lw_span_is_one(struct lw_span span, const char *const *strings, size_t count);
bool lw_span_equal(struct lw_span a, struct lw_span b);

struct lw_scan;
typedef bool lw_attribute_reader(struct lw_scan *scan, struct lw_encoding **encoding);

struct lw_scan {
    struct lw_arena *arena;
    struct lw_error *err; /* never NULL */
    const char *at, *end;
    const char *line_start;
    int line;
    int shift;                /* the column of line_start */
    struct lw_position whole; /* line > 0: every position is this one */
    const char *comment; /* what starts a comment: "#" in Python, "//" in MLIR; NULL: nothing */
    bool cpp;       /* also "//" and those in slashes with stars, and variables: auto x = ... */
    bool multiline; /* a string may continue on the next line */
    bool json;      /* only what JSON has is read: no operators, no calls, double quotes */
    int depth;      /* how many brackets and calls are open */
    size_t parts;   /* nodes of expressions that were parsed */
    size_t nodes;   /* how many encodings were made */
    lw_attribute_reader *attribute; /* reads `#ttg.blocked<...>` in an expression; NULL: refused */
    enum lw_triton triton;          /* whose classes of Gluon are read; UNSET: the newest */
    const struct lw_aliases *aliases; /* the definitions of `#mma`; NULL: none */
    const struct lw_alias_expansion *expansion;
};

/* More encodings than this in one text are refused (variables can double them at every use). */
#define LW_NODES_MAX 4096

void lw_scan_begin(struct lw_scan *scan, struct lw_arena *arena, const char *text, size_t length,
                   struct lw_error *err);
/* Where the cursor is, with a length of 0; lw_scan_until gives it the length up to the cursor. */
static inline struct lw_position lw_scan_position(const struct lw_scan *scan)
{
    if (scan->whole.line > 0)
        return scan->whole;
    return (struct lw_position){scan->line, (int)(scan->at - scan->line_start) + scan->shift, 0};
}

static inline struct lw_position lw_scan_until(const struct lw_scan *scan, struct lw_position from)
{
    if (scan->whole.line > 0)
        return scan->whole;
    struct lw_position here = lw_scan_position(scan);
    from.length = here.line == from.line ? here.column - from.column : 1;
    return from;
}

/* Gives an error that has no position one. Returns false. */
static inline bool lw_error_locate(struct lw_error *err, struct lw_position position)
{
    if (err->position.line == 0)
        err->position = position;
    return false;
}

/* From the start of one position to the end of another. */
struct lw_position lw_position_join(struct lw_position from, struct lw_position to);
/* Moves the cursor on to a byte of the text. */
void lw_scan_move(struct lw_scan *scan, const char *to);
/* Skips white space and comments. The functions below all begin with that. */
void lw_scan_space(struct lw_scan *scan);

/* Whether a character is neither white space nor the begin of a comment. */
static inline bool lw_scan_is_mark(char c)
{
    return c > ' ' && c != '#' && c != '/';
}

/* The next character, '\0' at the end. The cursor is nearly always at it, or at a blank before it. */
static inline char lw_scan_peek(struct lw_scan *scan)
{
    if (scan->at != scan->end && *scan->at == ' ')
        scan->at++;
    if (scan->at == scan->end || !lw_scan_is_mark(*scan->at))
        lw_scan_space(scan);
    return scan->at == scan->end ? '\0' : *scan->at;
}

static inline bool lw_scan_at_end(struct lw_scan *scan)
{
    lw_scan_peek(scan);
    return scan->at == scan->end;
}

static inline bool lw_scan_accept(struct lw_scan *scan, char c)
{
    if (lw_scan_peek(scan) != c || scan->at == scan->end)
        return false;
    scan->at++;
    return true;
}

/* Consumes that word when it is the next whole word. */
bool lw_scan_keyword(struct lw_scan *scan, const char *word);
/* Consumes `c`, or reports that `expected` (such as "`,` or `]`") was expected. */
bool lw_scan_expect(struct lw_scan *scan, char c, const char *expected);
/* An error at the cursor: expected this, found that. Returns false. */
bool lw_scan_unexpected(struct lw_scan *scan, const char *expected);
/* Reads a name (letters, digits, `_`) into the arena; NULL, without an error, when there is none. */
const char *lw_scan_name(struct lw_scan *scan, struct lw_position *position);
/* The same of a dim, whose name may begin with a digit. */
const char *lw_scan_dim(struct lw_scan *scan, struct lw_position *position);
/* The words of `GMMA::Layout_K`, which are one name, and the `_-4` of CuTe; NULL and an error. */
const char *lw_scan_words(struct lw_scan *scan, struct lw_position *position);
/* An unsigned integer below 2^63, with an error when there is none. */
bool lw_scan_integer(struct lw_scan *scan, int64_t *integer);
/* The same with a sign: -4, +4. */
bool lw_scan_number(struct lw_scan *scan, int64_t *number);
/* Moves past the string at the cursor; an error when it has no end. */
bool lw_scan_skip_quoted(struct lw_scan *scan);
/* The text between the quotes at the cursor, in the arena, escapes resolved; NULL and an error. */
const char *lw_scan_quoted(struct lw_scan *scan);
/* Enters a nested part; fails when LW_NESTING_MAX are open. `depth--` ends it. */
bool lw_scan_enter(struct lw_scan *scan, struct lw_position position);
bool lw_scan_out_of_memory(struct lw_scan *scan);

/* How many bytes of a string to show so that at most `max` are, and no character is cut in two. */
int lw_shown_length(const char *string, int max);

bool lw_is_name_start(char c);
bool lw_is_name_part(char c);
static inline bool lw_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* lw_text_nearest of `count` rows of `size` bytes, each of which begins with its name, a `const char *`. */
const char *lw_nearest_row(const char *name, size_t count, const void *rows, size_t size);

#endif
