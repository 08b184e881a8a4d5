#ifndef LANEWAY_SCHEMA_H
#define LANEWAY_SCHEMA_H

/* What the files of src/encoding share, and readers use: values, checks, building of nested encodings. */

#include "core/array_count.h"

#include "laneway/encoding.h"

/* Numbers of bases and sizes go up to here. */
#define LW_NUMBER_MAX ((int64_t)1 << 62)

/* A row of a parameter table: its name, type and help, then the other members of struct lw_param. */
#define LW_ROW(NAME, TYPE, HELP, ...)                                                              \
    {                                                                                              \
        .name = NAME, .type = TYPE, .help = HELP, __VA_ARGS__                                      \
    }

/* ---- legal.c: one value against one row of a parameter table ---- */

/* A list has at most this many entries. */
#define LW_LIST_MAX 64

/* Whether a value is legal; else appends which values are, and sets the position of a number that is not. `rank` is -1
 * when it is unknown. */
bool lw_value_legal(struct lw_text *what, enum lw_code *code, struct lw_position *position,
                    const struct lw_param *param, const struct lw_value *value, int rank);

/* ---- schema.c: problems ----
 * Each sets the error to a problem and returns false, so that a check ends with
 * `return lw_refuse(...)`. A message begins with the parameter and its value: `kWidth = 3: `. */

/* A problem with a parameter. */
bool lw_refuse(struct lw_error *err, const struct lw_encoding *encoding, const char *param,
               const char *format, ...) LW_PRINTF(4, 5);
/* The same with another code than LW_ERROR_PARAMETER. */
bool lw_refuse_code(struct lw_error *err, const struct lw_encoding *encoding, const char *param,
                    enum lw_code code, const char *what);
/* A parameter that is not set: `dot_op needs kWidth: `. */
bool lw_refuse_missing(struct lw_error *err, const struct lw_encoding *encoding, const char *param,
                       const char *format, ...) LW_PRINTF(4, 5);
/* The tensor's shape: `shape [12, 20]: `, or that there is none: `mfma_scale needs a shape: `. */
bool lw_refuse_shape(struct lw_error *err, const struct lw_tensor *tensor, const char *format, ...)
    LW_PRINTF(3, 4);
bool lw_refuse_no_shape(struct lw_error *err, const struct lw_encoding *encoding, const char *why);

/* ---- schema.c: checks ---- */

/* Builds an encoding that was checked as part of the one that holds it. */
bool lw_build_nested(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                     struct lw_map *map, struct lw_error *err);

/* ---- encoding.c ---- */

/* Whether a value is "_3" or "_-3": a number that is known to CuTe at compile time. */
bool lw_value_is_static(const struct lw_value *value);
/* The tensor's rank; when it has none, the length of the first list with LW_RULE_RANK that is set;
 * else -1. `tensor` may be NULL. */
int lw_schema_rank(const struct lw_encoding *encoding, const struct lw_tensor *tensor);
/* The rank of a layout in registers, through slices and operands; -1 when no list gives it. */
int lw_distributed_rank(const struct lw_encoding *encoding);

/* lw_encoding_type_find that fails with LW_ERROR_NAME at that position and names the nearest. */
const struct lw_encoding_type *lw_encoding_type_get(const char *name, struct lw_position position,
                                                    struct lw_error *err);
/* An encoding of the type `listed`, which has a map instead of parameters: `elements` as of
 * lw_map_from_list, whose errors are its own. A map that is linear becomes LW_MAP_LINEAR. NULL:
 * the reason is in *err. */
struct lw_encoding *lw_encoding_of_list(struct lw_arena *arena, const struct lw_dims *in,
                                        const struct lw_dims *out, const uint64_t *elements,
                                        uint64_t vector, const char *text, struct lw_error *err);
/* Whether the text of the encoding's version of Triton has the type and each parameter that is set,
 * also of nested encodings; else fails with LW_ERROR_PARAMETER. True when no version is set. */
bool lw_encoding_check_version(const struct lw_encoding *encoding, struct lw_error *err);
/* Whether a tensor is a row of buffers (lw_encoding_tensor). */
bool lw_encoding_is_buffers(const struct lw_encoding *encoding, const struct lw_tensor *tensor);
/* lw_value_print with another way to print encodings. */
void lw_value_print_with(struct lw_text *text, const struct lw_value *value,
                         void (*print)(struct lw_text *text, const struct lw_encoding *encoding));

#endif
