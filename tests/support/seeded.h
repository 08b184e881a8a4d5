#ifndef LANEWAY_SEEDED_H
#define LANEWAY_SEEDED_H

/* Random numbers and layouts that are the same in every run: each test names its seed. */

#include "laneway/layout.h"

/* The next number; the state is any number at first. (splitmix64) */
uint64_t seeded_next(uint64_t *state);
/* From 0 to n - 1. */
uint64_t seeded_below(uint64_t *state, uint64_t n);
/* Dims of `bits` bits together: `count` dims of names that begin with `name`. */
void seeded_dims(uint64_t *state, struct lw_dims *dims, const char *name, int count, int bits);
/* Any bases at all. */
void seeded_layout(uint64_t *state, struct lw_layout *layout, const struct lw_dims *in,
                   const struct lw_dims *out);
/* A square one of full rank. */
void seeded_invertible(uint64_t *state, struct lw_layout *layout, const struct lw_dims *in,
                       const struct lw_dims *out);

#endif
