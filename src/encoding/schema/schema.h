#ifndef LANEWAY_SCHEMA_H
#define LANEWAY_SCHEMA_H

/* What the files of this room share: rows of parameter tables, checks, building what is nested. */

#include "core/array_count.h"

#include "laneway/encoding.h"

/* Numbers of bases and sizes go up to here. */
#define LW_NUMBER_MAX ((int64_t)1 << 62)

/* The rank that an encoding's own lists say (the first list that has one entry for each dim), else
 * the tensor's, else -1. `tensor` may be NULL. */
int lw_schema_rank(const struct lw_encoding *encoding, const struct lw_tensor *tensor);

/* The rank of a layout in registers, looking through slices and operands; -1 when nobody says. */
int lw_distributed_rank(const struct lw_encoding *encoding);

/* For check functions: adds a problem with a parameter; the message begins with its name and value,
 * `kWidth = 3: `. */
void lw_check_add(struct lw_report *report, const struct lw_encoding *encoding, const char *param,
                  const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
/* The same of one that is too large for this library. */
void lw_check_limit(struct lw_report *report, const struct lw_encoding *encoding, const char *param,
                    const char *what);
/* The same of a parameter that was not said: `dot_op needs kWidth: `. */
void lw_check_missing(struct lw_report *report, const struct lw_encoding *encoding,
                      const char *param, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
/* The same of the tensor's shape: `shape [12, 20]: `. */
void lw_check_shape(struct lw_report *report, const struct lw_tensor *tensor, const char *format,
                    ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Whether the shape fits in what is allocated (memdesc.c). */
void lw_check_alloc(const struct lw_tensor *tensor, struct lw_report *report);

/* Builds an encoding that was checked as part of the one that holds it. */
bool lw_build_nested(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                     struct lw_map *map, struct lw_error *err);

/* The index of the parameter whose name is nearest, as lw_text_nearest has it, or -1. */
int lw_encoding_nearest(const struct lw_encoding *encoding, const char *name);

#endif
