#ifndef LANEWAY_SCHEMA_H
#define LANEWAY_SCHEMA_H

/* What the files of src/encoding share: values, checks, building of nested encodings. */

#include "core/array_count.h"

#include "laneway/encoding.h"

/* Numbers of bases and sizes go up to here. */
#define LW_NUMBER_MAX ((int64_t)1 << 62)

/* ---- value.c ---- */

/* Whether a value is "_3" or "_-3": a number that is known to CuTe at compile time. */
bool lw_value_is_static(const struct lw_value *value);

/* ---- rank.c ---- */

/* The tensor's rank; when it has none, the length of the first list with LW_RULE_RANK that is set;
 * else -1. `tensor` may be NULL. */
int lw_schema_rank(const struct lw_encoding *encoding, const struct lw_tensor *tensor);

/* The rank of a layout in registers, through slices and operands; -1 when no list gives it. */
int lw_distributed_rank(const struct lw_encoding *encoding);

/* ---- problems.c ----
 * A problem names the parameter and its value, `kWidth = 3: `. */

/* Adds a problem with a parameter. */
void lw_check_add(struct lw_report *report, const struct lw_encoding *encoding, const char *param,
                  const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
/* The same with another code than LW_ERROR_PARAMETER. */
void lw_check_add_code(struct lw_report *report, const struct lw_encoding *encoding,
                       const char *param, enum lw_code code, const char *what);
/* Adds that a parameter is not set: `dot_op needs kWidth: `. */
void lw_check_missing(struct lw_report *report, const struct lw_encoding *encoding,
                      const char *param, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
/* Adds a problem with the tensor's shape: `shape [12, 20]: `. */
void lw_check_shape(struct lw_report *report, const struct lw_tensor *tensor, const char *format,
                    ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/* Appends "[12, 20]". */
void lw_print_shape(struct lw_text *text, const uint64_t *shape, int rank);

/* ---- memdesc.c ---- */

/* Adds a problem when the shape does not fit in its allocation, or a part of one is not in memory. */
void lw_check_alloc(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                    struct lw_report *report);

/* ---- schema.c ---- */

/* Builds an encoding that was checked as part of the one that holds it. */
bool lw_build_nested(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                     struct lw_map *map, struct lw_error *err);

/* ---- encoding.c ---- */

/* The index of the parameter whose name is nearest, as lw_text_nearest finds it, or -1. */
int lw_encoding_nearest(const struct lw_encoding *encoding, const char *name);

/* lw_value_print with another way to print encodings. */
void lw_value_print_with(struct lw_text *text, const struct lw_value *value,
                         void (*print)(struct lw_text *text, const struct lw_encoding *encoding));

#endif
