#ifndef LANEWAY_ENCODING_H
#define LANEWAY_ENCODING_H

/*
 * Encodings: the layouts that people name, and their parameters. An encoding type is declared once,
 * as one row of the registry: a table of its parameters (the schema) and a function that builds the
 * map. The table alone drives every reader and printer, the edit form, `--set`, the messages, the
 * help pages and the fuzzers. Parameters have the names of the system that the encoding comes from.
 *
 *     blocked: sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [1, 1],
 *              order = [1, 0]
 *
 * laid over a tensor of 2 x 64 elements builds a map of 4 registers, 32 lanes, 1 warp and 1 block.
 * From a type to a map, though most programs read an encoding from text (document.h):
 *
 *     encoding = lw_encoding_new(&arena, lw_encoding_type_find("blocked"));
 *     lw_encoding_set(encoding, "sizePerThread", &value, &err) && ...
 *     lw_encoding_build(encoding, &tensor, &map, &err)
 *
 * An encoding may hold others: a slice has a parent, a tilus call has the layout that it is chained
 * to. Nested parameters are named by a path, `parent.order`. Encodings and their values live in an
 * arena. To add an encoding: one file in src/encoding/ and one line in schema/types.h.
 */

#include "laneway/map.h"
#include "laneway/tensor.h"
#include "laneway/triton.h"
#include "laneway/value.h"

LW_BEGIN

/* ---- The schema ---- */

/* The type of a parameter, and the kind of its value (value.h). */
enum lw_param_type {
    LW_PARAM_INTEGER,     /* INTEGER */
    LW_PARAM_BOOLEAN,     /* BOOLEAN */
    LW_PARAM_STRING,      /* STRING */
    LW_PARAM_INTEGERS,    /* a list: [1, 4] */
    LW_PARAM_BASES,       /* a list of lists of equal length: [[0, 1], [0, 2]] */
    LW_PARAM_DIMS,        /* named sizes: [["register", 4], ["lane", 32]] */
    LW_PARAM_NAMED_BASES, /* an object of BASES: {"register": [[0, 1]], "lane": []} */
    LW_PARAM_PADDINGS,    /* intervals and what is added after each: [[4, 2]], also [4:+2] */
    LW_PARAM_MATRIX,      /* numbers in lists of equal length, of any rank: [[0, 1], [2, 3]] */
    LW_PARAM_TUPLE,       /* integers, written _3 or 3, in lists in lists: [[2, 4], 8] */
    LW_PARAM_ENCODING     /* a nested encoding */
};

/* What a value must satisfy beyond its type, and how an attribute prints it; combined with |. */
enum lw_rule {
    LW_RULE_NONE = 0,
    LW_RULE_POWER_OF_TWO = 1 << 0, /* the number, or each number of the list */
    LW_RULE_PERMUTATION = 1 << 1,  /* the list is a permutation of 0..n-1 */
    LW_RULE_RANK = 1 << 2,     /* one entry, or in bases one number, for each dim of the tensor */
    LW_RULE_DISTINCT = 1 << 3, /* the list has no duplicates */
    LW_RULE_OUTSIDE = 1 << 4,  /* printed after the braces: <{...}, alignment = 16>; when all
                                      are there without braces: <blockM = 128> */
    LW_RULE_SILENT = 1 << 5,   /* not printed when it, or each of its entries, is `silent` */
    LW_RULE_BEFORE = 1 << 6,   /* paddings before the braces without a name: <[4:+2] {...}> */
    LW_RULE_FOLLOWS = 1 << 7   /* follows from the source: once set, it does not change alone */
};

/* The value of a parameter that is not set. */
enum lw_default {
    LW_DEFAULT_REQUIRED,   /* none: it must be set */
    LW_DEFAULT_ABSENT,     /* none: the build function gets LW_VALUE_NONE */
    LW_DEFAULT_NUMBER,     /* `number` (INTEGER, BOOLEAN) */
    LW_DEFAULT_ONES,       /* [1, ..., 1], one for each dim */
    LW_DEFAULT_DESCENDING, /* [n-1, ..., 0] */
    LW_DEFAULT_EMPTY       /* [] */
};

/* A row of the schema: one parameter. */
struct lw_param {
    const char *name; /* as the system writes it */
    enum lw_param_type type;
    unsigned rules;         /* enum lw_rule */
    int64_t min, max;       /* of the number, or of each number in the list; both 0: 0 to 2^31-1 */
    const int64_t *choices; /* NULL, or the only legal numbers, `choice_count` of them */
    size_t choice_count;
    enum lw_default fallback;
    int64_t number;              /* the default, of LW_DEFAULT_NUMBER */
    int64_t silent;              /* the number that LW_RULE_SILENT does not print */
    size_t silent_count;         /* entries of a list that is not printed; 0: one for each dim */
    const char *help;            /* one line, lower case, no full stop */
    const char *also;            /* NULL, or another name that is read, never written */
    enum lw_triton since, until; /* versions of Triton whose text has it; UNSET: no limit */
};

/* ---- Encoding types ---- */

/* What the map of an encoding is from and to. */
enum lw_family {
    LW_FAMILY_DISTRIBUTED,    /* in registers: (register, lane, warp, block) -> tensor */
    LW_FAMILY_SHARED,         /* in shared memory: (offset, block) -> tensor */
    LW_FAMILY_TENSOR_MEMORY,  /* (row, col) -> tensor */
    LW_FAMILY_TILUS_REGISTER, /* (local, thread) -> tensor */
    LW_FAMILY_TILUS_SHARED,   /* (offset) -> tensor */
    LW_FAMILY_PLAIN           /* dims with names that it chooses */
};

/* How an encoding is printed. */
enum lw_spelling {
    LW_SPELLING_ATTRIBUTE, /* #ttg.blocked<{...}> */
    LW_SPELLING_CUTE,      /* (4,8):(8,1) */
    LW_SPELLING_CALL       /* spatial(8, 4), a method of its `base`, or an operator */
};

/* What lw_encoding_of_list has instead of parameters: a map, and how it is accessed. */
struct lw_listed {
    struct lw_map map;
    uint64_t vector;  /* consecutive registers that a thread moves at once */
    const char *text; /* how it was written: "tile[threadIdx.y][threadIdx.x]" */
};

/* One encoding: a type and a value for each of its parameters. */
struct lw_encoding {
    const struct lw_encoding_type *type;
    struct lw_position position; /* in the text that it was read from; line 0: from no text */
    enum lw_triton triton;       /* the version whose rules it is built by; UNSET: the newest */
    struct lw_value *params;     /* type->param_count of them, in its order; kind NONE: not set */
    const struct lw_listed *listed; /* of lw_encoding_of_list; else NULL */
};

struct lw_tilus_call; /* src/encoding/tilus */
union lw_tilus_layout;

/* An encoding type: a row of the registry, constant. */
struct lw_encoding_type {
    const char *name;    /* "blocked" */
    const char *dialect; /* "ttg", "ttng"; NULL for those that are calls */
    const char *title;   /* a few words */
    const char *about;   /* what it is for: a paragraph of the help page; "": `title` is enough */
    const char *example; /* a SOURCE that shows it */
    enum lw_family family;
    enum lw_spelling spelling;
    const struct lw_param *params; /* the schema */
    size_t param_count;
    enum lw_triton since; /* the first version of Triton that has it; UNSET: the oldest known */
    /* The tensor that the nested encodings lay out; NULL: the same. */
    bool (*nested_tensor)(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                          struct lw_tensor *nested, struct lw_error *err);
    /* Appends the encoding in its notation; NULL: in the one that `spelling` names. */
    void (*print)(struct lw_text *text, const struct lw_encoding *encoding);
    /* Of a function of tilus, else NULL: makes the layout of a call, which need not have been
     * checked. */
    bool (*evaluate)(const struct lw_tilus_call *call, union lw_tilus_layout *out);
    /* Checks what the schema cannot express, such as two parameters that must agree, once every
     * parameter is legal by itself; NULL: nothing. */
    bool (*check)(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err);
    /* Builds the map once all checks have passed; may still fail, on limits. */
    bool (*build)(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err);
};

/* The registry: every encoding type, `*count` of them, in the order of the help screen. */
const struct lw_encoding_type *const *lw_encoding_types(size_t *count);
/* The type of that name, or of an older spelling of it ("shared"); NULL when no type has it. */
const struct lw_encoding_type *lw_encoding_type_find(const char *name);

/* ---- Encodings ---- */

#define LW_NESTING_MAX 64 /* depth of encodings in encodings; deeper ones are refused */

/* An encoding with no parameter set, in the arena; NULL when memory is out. */
struct lw_encoding *lw_encoding_new(struct lw_arena *arena, const struct lw_encoding_type *type);
/* A deep copy in the arena; NULL when memory is out. */
struct lw_encoding *lw_encoding_copy(struct lw_arena *arena, const struct lw_encoding *encoding);
/* Chooses the version of Triton of an encoding and of all that are nested in it. */
void lw_encoding_set_triton(struct lw_encoding *encoding, struct lw_triton_choice choice);
/* Whether the rules of an encoding are those of `first` or of a later version. */
bool lw_encoding_since(const struct lw_encoding *encoding, enum lw_triton first);
/* Whether types and set values are equal; a default that is set differs from one that is not.
 * The version of Triton does not count. */
bool lw_encoding_equal(const struct lw_encoding *a, const struct lw_encoding *b);
/* The index of the parameter of that name in type->params, or -1. */
int lw_encoding_param(const struct lw_encoding *encoding, const char *name);
/* Sets a parameter to a value, which is not copied and not yet checked. Fails with LW_ERROR_NAME
 * on an unknown name, naming the nearest, and with LW_ERROR_PARAMETER on one that is set. */
bool lw_encoding_set(struct lw_encoding *encoding, const char *name, const struct lw_value *value,
                     struct lw_error *err);
/* Finds the parameter at a path, "parent.order": the encoding that has it, and its index there.
 * Fails with LW_ERROR_NAME on an unknown name and on a path through what is no encoding. */
bool lw_encoding_find(struct lw_encoding *encoding, const char *path, struct lw_encoding **owner,
                      int *index, struct lw_error *err);

/* Sets *out to the part of a tensor that an encoding lays out. Of a memdesc that is the last dims
 * of its allocation, so that a view of a part has the offsets of the whole; one of a dim more than
 * its encoding is a row of buffers, `!ttg.memdesc<3x64x64xf16, ...>`, and one of them is laid out.
 * Of other tensors it is all. Source: toLinearLayout(MemDescType) of Triton 3.7. */
void lw_encoding_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_tensor *out);
/* Bits of an element where a parameter of the encoding sets them (elementBitWidth of shared memory,
 * dtype_nbytes, a pointer of CuTe); else 0. */
int lw_encoding_element_bits(const struct lw_encoding *encoding);
/* Whether the notation gives a shape: those of tilus, CuTe and bases, and shared_linear do. */
bool lw_encoding_has_shape(const struct lw_encoding *encoding);

/* Checks each parameter against its row, then the whole; fails with the first problem. `tensor` may
 * have no shape when the encoding has its own. */
bool lw_encoding_check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_error *err);
/* Checks, then builds the map. On failure *map is undefined. */
bool lw_encoding_build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_map *map, struct lw_error *err);

/* ---- Values of parameters that have been checked ----
 * Each returns the value that is set, or the default. `rank` is the length of lists that have one
 * entry for each dim. A name that the type lacks counts as a parameter that is not set. */

/* Whether a parameter is set. */
bool lw_encoding_is_set(const struct lw_encoding *encoding, const char *name);
/* The value of an INTEGER or BOOLEAN; 0 when it has none. */
int64_t lw_encoding_integer(const struct lw_encoding *encoding, const char *name);
/* Whether lw_encoding_integer is not 0. */
bool lw_encoding_boolean(const struct lw_encoding *encoding, const char *name);
/* Writes the numbers of an INTEGERS, at most `room`, and returns how many there are. */
size_t lw_encoding_integers(const struct lw_encoding *encoding, const char *name, int rank,
                            int64_t *out, size_t room);
/* The value that is set, owned by the encoding; NULL when none is. */
const struct lw_value *lw_encoding_value(const struct lw_encoding *encoding, const char *name);
/* The nested encoding that is set, owned by the outer one; NULL when none is. */
const struct lw_encoding *lw_encoding_nested(const struct lw_encoding *encoding, const char *name);
/* The value of parameter number `index`, in range, set or default, for printers and forms; of
 * kind NONE when there is neither. Defaults that are lists are made in the arena. */
struct lw_value lw_encoding_effective(struct lw_arena *arena, const struct lw_encoding *encoding,
                                      int index, int rank);

/* ---- Text ---- */

/* Appends an encoding in its own notation: `#ttg.blocked<{sizePerThread = [1, 4], ...}>` as
 * Triton 3.7 prints it, or `local(2, 1).spatial(8, 4)`. */
void lw_encoding_print(struct lw_text *text, const struct lw_encoding *encoding);

/* Appends the help page of a type: what it is for, its parameters, an example. */
void lw_encoding_help(struct lw_text *text, const struct lw_encoding_type *type);
/* Appends the legal values of a parameter: "each a power of two, one for each dim". */
void lw_param_legal(struct lw_text *text, const struct lw_param *param);

LW_END

#endif
