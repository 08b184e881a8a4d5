#ifndef LANEWAY_MLIR_READER_H
#define LANEWAY_MLIR_READER_H

/*
 * MLIR text as items: the definition of an alias, an operation, the label of a block, the end of a region.
 *
 * Each dialect has its own grammar, so the end of an operation is found by brackets and lines alone: it continues while
 * a bracket is open, when the line before ended in `,` `:` `=` or an arrow, and when the next line does not begin as an
 * operation does. The content of an operation's regions are further items: the operation itself is an item up to the
 * `{`, and the text from the `}` on is the item that ends the region.
 *
 *     %r:2 = scf.for %i = %a to %b step %c iter_args(%x = %y) -> (f32) {      OPERATION, opens
 *       scf.yield %x : f32                                                    OPERATION
 *     } loc(#loc1)                                                            CLOSE
 *
 * A stream of any length is read in the memory of its longest item and of its open brackets, which are limited.
 */

#include "notation/mlir/mlir_window.h"

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

/* Reads the next item; after LW_MLIR_END the same again. */
void lw_mlir_reader_next(struct lw_mlir_reader *reader, struct lw_mlir_item *item);

#endif
