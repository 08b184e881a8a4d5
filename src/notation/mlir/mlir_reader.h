#ifndef LANEWAY_MLIR_READER_H
#define LANEWAY_MLIR_READER_H

/*
 * MLIR text as items: the definition of an alias, an operation, the label of a block, the end of a region.
 *
 * Each dialect has its own grammar of operations, so the end of one is found by brackets and lines alone: it
 * continues while a bracket is open, when the line before ended in `,` `:` `=` or an arrow, and when the next line
 * does not begin as an operation does. What is in the regions of an operation are further items; the operation itself
 * is an item up to the `{`, and what follows the `}` is the item that ends the region.
 *
 *     %r:2 = scf.for %i = %a to %b step %c iter_args(%x = %y) -> (f32) {      OPERATION, opens
 *       scf.yield %x : f32                                                    OPERATION
 *     } loc(#loc1)                                                            CLOSE
 *
 * A stream of any length is read in the memory of its longest item and of its open brackets, which are limited.
 */

#include "laneway/arena.h"
#include "laneway/text.h"

enum lw_mlir_item_kind {
    LW_MLIR_END,       /* of the text */
    LW_MLIR_ALIAS,     /* `#name = value` outside of all regions; `!name = type` too */
    LW_MLIR_OPERATION, /* all of it, or when `opens` its text up to the brace of a region */
    LW_MLIR_BLOCK,     /* ^bb0(%x: f32): */
    LW_MLIR_CLOSE,     /* `}` and the rest of its operation; when `opens`, up to another region */
    LW_MLIR_PROBLEM    /* reader->err; reading continues after it */
};

struct lw_mlir_item {
    enum lw_mlir_item_kind kind;
    const char *text; /* `length` bytes; valid until the next item is read */
    size_t length;
    struct lw_position position; /* of its first byte */
    bool opens;
    bool cut; /* it is longer than LW_MLIR_ITEM_MAX: its middle is left out */
};

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
/* Reads the next item; after LW_MLIR_END the same again. */
void lw_mlir_reader_next(struct lw_mlir_reader *reader, struct lw_mlir_item *item);
void lw_mlir_reader_free(struct lw_mlir_reader *reader);

/* What a byte is: a bracket that opens, one that closes, a part of a name, a byte without a meaning of its own between
 * items, and one that matters to brackets: a bracket, a quote, the beginning of an arrow. */
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

#endif
