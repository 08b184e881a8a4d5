#ifndef LANEWAY_ENCODING_H
#define LANEWAY_ENCODING_H

/*
 * Encodings: the layouts that people name, and their parameters.
 *
 * An encoding type is declared once, as one row of the registry: a table of its parameters and a
 * function that builds the map. That table alone drives every reader and printer, the edit form,
 * `--set`, the messages, the help pages and the fuzzers. Parameter names are those of the system
 * the encoding comes from, so that people can paste.
 *
 *     blocked: sizePerThread = [1, 4]  threadsPerWarp = [2, 16]  warpsPerCTA = [1, 1]  order = [1, 0]
 *
 * An encoding may hold others: a slice has a parent, a tilus call has the layout that it is chained
 * to. Nested parameters are named by a path: `parent.order`.
 *
 * To add an encoding: one file in src/encoding/ and one line in registry.c.
 */

#include "laneway/map.h"
#include "laneway/tensor.h"
#include "laneway/value.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* ---- The schema ---- */

enum lw_param_type {
    LW_PARAM_INTEGER,
    LW_PARAM_BOOLEAN,
    LW_PARAM_STRING,
    LW_PARAM_INTEGERS,    /* a list: [1, 4] */
    LW_PARAM_BASES,       /* a list of lists of equal length: [[0, 1], [0, 2]] */
    LW_PARAM_DIMS,        /* named sizes: [["register", 4], ["lane", 32]] */
    LW_PARAM_NAMED_BASES, /* {"register": [[0, 1]], "lane": []} */
    LW_PARAM_PADDINGS,    /* intervals and what is added after each: [[4, 2]], also [4:+2] */
    LW_PARAM_MATRIX,      /* numbers in lists of equal length, of any rank: [[0, 1], [2, 3]] */
    LW_PARAM_TUPLE,       /* integers, written _3 or 3, in lists in lists: [[2, 4], 8] */
    LW_PARAM_ENCODING
};

/* What is legal beyond the type; rows combine them with |. */
enum lw_rule {
    LW_RULE_NONE = 0,
    LW_RULE_POWER_OF_TWO = 1 << 0, /* the number, or each number of the list */
    LW_RULE_PERMUTATION = 1 << 1,  /* the list is a permutation of 0..n-1 */
    LW_RULE_RANK = 1 << 2,         /* a list has as many entries as the tensor has dims (a list of
                                      bases: each basis has) */
    LW_RULE_DISTINCT = 1 << 3,     /* no number twice */
    LW_RULE_OUTSIDE = 1 << 4, /* an attribute prints it after its braces: <{...}, alignment = 16>;
                                 when all are outside there are no braces: <blockM = 128> */
    LW_RULE_SILENT = 1 << 5,  /* not printed when it, or each of its entries, is `silent` */
    LW_RULE_BEFORE = 1 << 6   /* paddings that an attribute prints before its braces, without their
                                 name: <[4:+2] {...}> */
};

/* What stands in for a parameter that is not said. */
enum lw_default {
    LW_DEFAULT_REQUIRED,   /* nothing: it must be said */
    LW_DEFAULT_ABSENT,     /* nothing: the build function sees LW_VALUE_NONE */
    LW_DEFAULT_NUMBER,     /* `number` (INTEGER, BOOLEAN) */
    LW_DEFAULT_ONES,       /* [1, ..., 1], one for each dim */
    LW_DEFAULT_DESCENDING, /* [n-1, ..., 0] */
    LW_DEFAULT_EMPTY       /* [] */
};

struct lw_param {
    const char *name;
    enum lw_param_type type;
    unsigned rules;         /* enum lw_rule */
    int64_t min, max;       /* of the number, or of each number in the list; both 0: 0 to 2^31-1 */
    const int64_t *choices; /* NULL, or the only legal numbers, `choice_count` of them */
    size_t choice_count;
    enum lw_default fallback;
    int64_t number;
    int64_t silent;      /* see LW_RULE_SILENT */
    size_t silent_count; /* entries of a list that is not printed; 0: one for each dim */
    const char *help;    /* one line, lower case, no full stop */
};

/* ---- Encoding types ---- */

enum lw_family {
    LW_FAMILY_DISTRIBUTED,    /* in registers: (register, lane, warp, block) -> tensor */
    LW_FAMILY_SHARED,         /* in shared memory: (offset, block) -> tensor */
    LW_FAMILY_TENSOR_MEMORY,  /* (row, col) -> tensor */
    LW_FAMILY_TILUS_REGISTER, /* (local, thread) -> tensor */
    LW_FAMILY_TILUS_SHARED,   /* (offset) -> tensor */
    LW_FAMILY_PLAIN           /* named dims of its own */
};

enum lw_spelling {
    LW_SPELLING_ATTRIBUTE, /* #ttg.blocked<{...}> */
    LW_SPELLING_CUTE,      /* (4,8):(8,1) */
    LW_SPELLING_CALL       /* spatial(8, 4), a method of its `base`, or an operator */
};

struct lw_encoding {
    const struct lw_encoding_type *type;
    struct lw_place place;
    struct lw_value *params; /* type->param_count of them; kind NONE: not said */
};

struct lw_encoding_type {
    const char *name;    /* "blocked" */
    const char *dialect; /* "ttg", "ttng"; NULL for those that are calls */
    const char *title;   /* a few words */
    const char *about;   /* what it is for: a paragraph, for the help page */
    const char *example; /* a SOURCE that shows it */
    enum lw_family family;
    enum lw_spelling spelling;
    const struct lw_param *params;
    size_t param_count;
    /* The tensor that the nested encodings lay out, when it is not the same; NULL: the same. */
    bool (*nested_tensor)(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                          struct lw_tensor *nested, struct lw_error *err);
    /* What the table cannot say (two parameters that must agree); NULL: nothing. Called only when
     * every parameter is legal alone; adds each problem to the report. */
    void (*check)(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_report *report);
    /* Called only when everything is checked. May still fail (limits). */
    bool (*build)(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err);
};

/* The registry: every encoding type, in the order of the help screen. */
const struct lw_encoding_type *const *lw_encoding_types(size_t *count);
/* The type of that name, or of an older spelling of it ("shared"); NULL when there is none. */
const struct lw_encoding_type *lw_encoding_type_find(const char *name);
/* The same, or an error that names the nearest. */
const struct lw_encoding_type *lw_encoding_type_get(const char *name, struct lw_place place,
                                                    struct lw_error *err);

/* ---- Encodings ---- */

#define LW_NESTING_MAX 64

/* An encoding with nothing said, in the arena; NULL when memory is out. */
struct lw_encoding *lw_encoding_new(struct lw_arena *arena, const struct lw_encoding_type *type);
struct lw_encoding *lw_encoding_copy(struct lw_arena *arena, const struct lw_encoding *encoding);
bool lw_encoding_equal(const struct lw_encoding *a, const struct lw_encoding *b);
/* The index of a parameter, or -1. */
int lw_encoding_param(const struct lw_encoding *encoding, const char *name);
/* The index of the parameter whose name is nearest, or -1. */
int lw_encoding_nearest(const struct lw_encoding *encoding, const char *name);
/* Says a parameter. Fails on an unknown name (naming the nearest known) and on one said twice. */
bool lw_encoding_say(struct lw_encoding *encoding, const char *name, const struct lw_value *value,
                     struct lw_error *err);
/* Finds the parameter at a path ("order", "parent.order"): the encoding that has it and its index.
 */
bool lw_encoding_find(struct lw_encoding *encoding, const char *path, struct lw_encoding **owner,
                      int *index, struct lw_error *err);

/* What of a tensor is laid out. Of a memdesc that is the last dims of what was allocated, so a view of
 * a part has the offsets of the whole; and when it has one dim more than its encoding it is a row of
 * buffers, `!ttg.memdesc<3x64x64xf16, ...>`, and one of them is laid out. Of others it is all. */
void lw_encoding_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_tensor *out);
/* Bits of an element, 1 to 64 as a rule, where the encoding says them (elementBitWidth of shared memory,
 * dtype_nbytes, a pointer of CuTe); else 0. */
int lw_encoding_element_bits(const struct lw_encoding *encoding);
bool lw_encoding_is_buffers(const struct lw_encoding *encoding, const struct lw_tensor *tensor);
/* Whether the notation gives a shape: those of tilus, CuTe and bases, and shared_linear do; the others
 * lay out a tensor of any shape. */
bool lw_encoding_has_shape(const struct lw_encoding *encoding);

/* Finds every problem: of each parameter against its row, then of the whole. True when none. */
bool lw_encoding_check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_report *report);
/* Checks, then builds the map; the error is the first problem. */
bool lw_encoding_build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_map *map, struct lw_error *err);

/* ---- For build functions: parameters that have been checked ----
 * Each yields what was said, or the default. `rank` gives lists that stand for "one for each dim"
 * their length. */
bool lw_encoding_said(const struct lw_encoding *encoding, const char *name);
int64_t lw_encoding_integer(const struct lw_encoding *encoding, const char *name);
bool lw_encoding_boolean(const struct lw_encoding *encoding, const char *name);
/* Writes at most `room` numbers, returns how many there are. */
size_t lw_encoding_integers(const struct lw_encoding *encoding, const char *name, int rank,
                            int64_t *out, size_t room);
/* The value, or NULL when it was not said. */
const struct lw_value *lw_encoding_value(const struct lw_encoding *encoding, const char *name);
const struct lw_encoding *lw_encoding_nested(const struct lw_encoding *encoding, const char *name);
/* The value in force, said or default, for printers and forms (NONE when absent). List defaults are
 * made in the arena. */
struct lw_value lw_encoding_effective(struct lw_arena *arena, const struct lw_encoding *encoding,
                                      int index, int rank);

/* ---- Text ---- */

/* In its own notation: `#ttg.blocked<{sizePerThread = [1, 4], ...}>` as Triton 3.7 prints it, or
 * `local(2, 1).spatial(8, 4)`. */
void lw_encoding_print(struct lw_text *text, const struct lw_encoding *encoding);

/* A page about an encoding: what it is for, each parameter with what is legal, an example. */
void lw_encoding_help(struct lw_text *text, const struct lw_encoding_type *type);
/* "a list of integers, each a power of two; [1, ..., 1] when not said" */
void lw_param_meaning(struct lw_text *text, const struct lw_param *param);
/* What is legal for a parameter, in words: "each a power of two, one for each dim". */
void lw_param_legal(struct lw_text *text, const struct lw_param *param);
const char *lw_param_type_name(enum lw_param_type type);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
