#ifndef LANEWAY_MLIR_READER_H
#define LANEWAY_MLIR_READER_H

/*
 * MLIR text in pieces: a definition of an alias, an operation, the label of a block, the end of a region.
 *
 * The grammar of an operation is its dialect's own, so where one ends is seen by brackets and lines alone:
 * it goes on while a bracket is open, while the line before ended in `,` `:` `=` or an arrow, and when
 * the next line begins with nothing that begins an operation. The regions of an operation are pieces of their own;
 * it is told as it opens (its text up to the `{`), and what follows the `}` is its tail.
 *
 *     %r:2 = scf.for %i = %a to %b step %c iter_args(%x = %y) -> (f32) {      OPERATION, opens
 *       scf.yield %x : f32                                                    OPERATION
 *     } loc(#loc1)                                                            CLOSE
 *
 * A stream of any length is read in the memory of its longest piece and of its open brackets, both of which
 * have a limit.
 */

#include "laneway/arena.h"
#include "laneway/text.h"

enum lw_mlir_item_kind {
    LW_MLIR_END,       /* of the text */
    LW_MLIR_ALIAS,     /* `#name = value` outside of all regions; `!name = type` too */
    LW_MLIR_OPERATION, /* all of it, or when `opens` its text up to a region and the brace */
    LW_MLIR_BLOCK,     /* ^bb0(%x: f32): */
    LW_MLIR_CLOSE, /* `}` and the tail of the operation that it belongs to; `opens`: up to another region */
    LW_MLIR_PROBLEM /* stream->err; what follows is read on */
};

struct lw_mlir_item {
    enum lw_mlir_item_kind kind;
    const char *text; /* `length` bytes; until the next piece is asked for */
    size_t length;
    struct lw_position position; /* of its first byte */
    bool opens;
    bool cut; /* it was longer than LW_MLIR_ITEM_MAX: its end is left out */
};

/* Bytes of a piece, and open brackets, that are kept. */
#define LW_MLIR_ITEM_MAX ((size_t)4 << 20)
#define LW_BRACKETS_MAX ((size_t)1 << 20)

struct lw_mlir_reader {
    FILE *file;       /* NULL: the text is all in `data`, which is borrowed */
    const char *name; /* of the file, for messages */
    struct lw_error err;
    bool of_brackets; /* the problem is no more than a bracket without its other half */
    bool failed;      /* no more can be read: err says why */

    char *data;
    size_t start, at, end, room; /* in data: of the piece, the cursor, what has been read */
    uint64_t base;               /* how many bytes went before data, or were left out of it */
    uint64_t line_start;         /* in all bytes */
    int line;
    int part;     /* the part that is looked for, 1 the first; 0: none is */
    int dividers; /* lines `// -----` so far: each begins another part */
    int part_from,
        part_to;         /* the lines of the dividers around that part; 0: not met yet, or none */
    uint64_t total, max; /* bytes read so far, and at most; 0: any */
    bool ended, cut;

    char *brackets; /* ( [ < { and R, a region */
    size_t depth, brackets_room, beyond, regions;
};

/* Begins with a file that is open, or with a text that stays where it is and ends in a NUL. */
void lw_mlir_reader_open_file(struct lw_mlir_reader *reader, FILE *file, const char *name);
void lw_mlir_reader_open_text(struct lw_mlir_reader *reader, const char *text, size_t length);
/* The next piece; after LW_MLIR_END the same again. */
void lw_mlir_reader_next(struct lw_mlir_reader *reader, struct lw_mlir_item *item);
void lw_mlir_reader_free(struct lw_mlir_reader *reader);

/* The length of the bracketed stretch at p (at a bracket), or up to `end`; strings are skipped, an arrow
 * is no bracket. */
size_t lw_bracketed(const char *p, const char *end);
/* The length of a name of MLIR: letters, digits, `_`, `$`, `-` and, when `dots`, `.`. */
size_t lw_mlir_name(const char *p, const char *end, bool dots);

#endif
