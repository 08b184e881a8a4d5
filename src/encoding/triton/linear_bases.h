#ifndef LANEWAY_LINEAR_BASES_H
#define LANEWAY_LINEAR_BASES_H

/* Layouts whose parameters are bases, one parameter for each input dim. */

#include "encoding/schema/schema.h"
#include "core/tile.h"

/* A parameter that is bases: for each bit of an index, where it moves along each dim. */
#define LW_BASES_PARAM_SINCE(NAME, RULES, FALLBACK, SINCE, HELP)                                   \
    LW_ROW(NAME, LW_PARAM_BASES, HELP, .rules = RULES, .max = LW_NUMBER_MAX, .fallback = FALLBACK, \
           .since = SINCE)
#define LW_BASES_PARAM(NAME, RULES, FALLBACK, HELP)                                                \
    LW_BASES_PARAM_SINCE(NAME, RULES, FALLBACK, LW_TRITON_UNSET, HELP)

/* The bases of one input dim as a list; of kind NONE when memory is out. */
struct lw_value lw_bases_value(struct lw_arena *arena, const struct lw_layout *layout, int dim);
/* Doubles the sizes until they hold a list of bases. Here and below a list may be NULL: none. */
void lw_grow_to_bases(const struct lw_value *bases, uint64_t *sizes, int rank);
/* The layout of those input dims; its sizes are the least that hold the bases. */
bool lw_layout_of_bases(const char *const *names, const struct lw_value *const *lists, int count,
                        int rank, struct lw_layout *out, struct lw_error *err);
/* The layout of the parameters `names`. */
bool lw_read_bases(const struct lw_encoding *encoding, const char *const *names, int count,
                   int rank, struct lw_layout *out, struct lw_error *err);
/* The layout of an object as `bases --json` prints it; false for any other object, and when a part of it is not legal:
 * the reader of documents then reports that part. */
bool lw_bases_of_object(const struct lw_value *object, struct lw_layout *layout);
/* Whether a basis moves in one dim at most, and with `steps` by a power of two. */
bool lw_check_basis(const struct lw_encoding *encoding, const char *name,
                    const struct lw_value *basis, bool steps, struct lw_error *err);
/* Whether the bases that are not zero cover each element once. */
bool lw_check_bases(const struct lw_encoding *encoding, const char *const *names, int count,
                    const struct lw_tensor *tensor, struct lw_layout *out, struct lw_error *err);
/* Whether a layout of bases is as long as the tensor in each dim. */
bool lw_check_sizes(const struct lw_layout *layout, const struct lw_tensor *tensor,
                    struct lw_error *err);

#endif
