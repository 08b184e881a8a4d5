#ifndef LANEWAY_MLIR_WINDOW_H
#define LANEWAY_MLIR_WINDOW_H

/* The reader of MLIR text: its bytes, the window of them that is in memory, and the open brackets. */

#include "laneway/arena.h"
#include "laneway/text.h"

/* Bytes of an item, and open brackets, that are kept. */
#define LW_MLIR_ITEM_MAX ((size_t)4 << 20)
#define LW_BRACKETS_MAX ((size_t)1 << 20)

struct lw_mlir_reader {
    FILE *file;       /* NULL: the text is all in `data`, which is borrowed */
    const char *name; /* of the file, for messages */
    struct lw_error err;
    bool of_brackets; /* the problem is only a bracket without its partner */
    bool failed;      /* no more can be read, because of err */

    char *data;
    size_t start, at, end, room; /* in data: of the item, the cursor, what has been read */
    uint64_t base;               /* bytes that were before data, or were left out of it */
    uint64_t line_start;         /* in all bytes */
    int line;
    int part;               /* the part to read, from 1; 0: all */
    int dividers;           /* lines `// -----` so far */
    int part_from, part_to; /* lines of the dividers around that part; 0: not found yet, or none */
    uint64_t part_end;      /* bytes before the divider at its end */
    uint64_t total, max;    /* bytes read so far, and at most; 0: no limit */
    bool ended, cut;
    /* Called when more is read: true ends the reading. NULL: nothing does. */
    bool (*stop)(void *stop_context);
    void *stop_context;

    char *brackets; /* ( [ < { and R, a region */
    size_t depth, brackets_room, beyond, regions;
};

/* Begins reading an open file, or a text, which is borrowed and ends in a NUL. */
void lw_mlir_reader_open_file(struct lw_mlir_reader *reader, FILE *file, const char *name);
void lw_mlir_reader_open_text(struct lw_mlir_reader *reader, const char *text, size_t length);
/* Reads only that part of the text. When `line` is not 0 the part begins at that line and offset, and what is before is
 * not read; fails when the file cannot be read from there. Call it before anything is read. */
bool lw_mlir_reader_set_part(struct lw_mlir_reader *reader, int part, uint64_t offset, int line);
void lw_mlir_reader_free(struct lw_mlir_reader *reader);

/* Classes of bytes: a bracket that opens, one that closes, a part of a name, a byte that has no effect inside an item,
 * and one that may change the nesting: a bracket, a quote, the beginning of an arrow. */
enum {
    LW_MLIR_OPENS = 1,
    LW_MLIR_CLOSES = 2,
    LW_MLIR_NAME = 4,
    LW_MLIR_PLAIN = 8,
    LW_MLIR_NESTS = 16
};
extern const unsigned char lw_mlir_bytes[256];

static inline bool lw_mlir_is(char c, int what)
{
    return (lw_mlir_bytes[(unsigned char)c] & what) != 0;
}
static inline bool lw_mlir_opens(char c)
{
    return lw_mlir_is(c, LW_MLIR_OPENS);
}
static inline bool lw_mlir_closes(char c)
{
    return lw_mlir_is(c, LW_MLIR_CLOSES);
}

/* The length of the text from the bracket at p to its partner, or to `end`; strings are skipped, an arrow is not a
 * bracket. */
size_t lw_bracketed(const char *p, const char *end);
/* The length of a name of MLIR: letters, digits, `_`, `$`, `-` and, when `dots`, `.`. */
size_t lw_mlir_name(const char *p, const char *end, bool dots);

/* The byte at a distance of `ahead` from the cursor; NUL at the end. */
char lw_mlir_reader_peek(struct lw_mlir_reader *reader, size_t ahead);
bool lw_mlir_reader_at_end(struct lw_mlir_reader *reader);
/* Moves on by one byte; not at the end. */
void lw_mlir_reader_step(struct lw_mlir_reader *reader);
struct lw_position lw_mlir_reader_position(const struct lw_mlir_reader *reader);
/* Sets the excerpt of the error, when the item that began at `first` is still in the window. */
void lw_mlir_reader_quote(struct lw_mlir_reader *reader, struct lw_position first);

void lw_mlir_reader_push(struct lw_mlir_reader *reader, char bracket);
/* The innermost open bracket; NUL: none. */
char lw_mlir_reader_top(const struct lw_mlir_reader *reader);
/* Whether the item has no open bracket. */
bool lw_mlir_reader_is_level(const struct lw_mlir_reader *reader);
/* Closes that bracket of this item and all that were opened after it; false when there is none. */
bool lw_mlir_reader_pop(struct lw_mlir_reader *reader, char bracket);
/* Drops the open brackets of an item that has ended. */
void lw_mlir_reader_clear_brackets(struct lw_mlir_reader *reader);

/* Skips a string; false: it does not end on its line. */
bool lw_mlir_reader_skip_string(struct lw_mlir_reader *reader);
/* Whether a comment begins at the cursor. */
bool lw_mlir_reader_at_comment(struct lw_mlir_reader *reader);
/* Skips white space and comments; returns whether a line ended. */
bool lw_mlir_reader_skip_space(struct lw_mlir_reader *reader);

#endif
