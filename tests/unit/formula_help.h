#ifndef FORMULA_HELP_H
#define FORMULA_HELP_H

/* What index arithmetic must return, as the map has it: for each function and point one claim. */

#include "notation_help.h"

#include "laneway/text.h"

struct formula_subject {
    struct lw_map map;
    int bits;
    char name[200];
};

/* A place as the functions name it. */
struct formula_indices {
    int count;
    const char *name[LW_DIMS_MAX];
    uint64_t value[LW_DIMS_MAX];
};

void formula_indices_of(const struct lw_dims *in, const uint64_t *point,
                        struct formula_indices *indices);

/* That the function returns `value`. */
typedef void formula_claim(void *context, const char *function, int count,
                           const uint64_t *arguments, uint64_t value);

/* Claims about all indices and all elements, or about `max` random ones of each where there are
 * more, and of an element about one random copy. */
void formula_claims(const struct formula_subject *subject, uint64_t max, formula_claim *claim,
                    void *context);

#endif
