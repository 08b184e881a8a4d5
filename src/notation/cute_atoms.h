#ifndef LANEWAY_CUTE_ATOMS_H
#define LANEWAY_CUTE_ATOMS_H

#include <stddef.h>

/* The MMA and copy atoms of CuTe. In a name @ stands for any N and ~ for any M, multiples of 8 from 8 to
 * 256; in a layout they are these numbers and # is N / 8. */

enum { LW_ATOM_M = -1, LW_ATOM_N = -2 };

struct lw_atoms {
    const char *names;      /* blanks between them */
    int tile[3];            /* M, N, K, or the above; of copies 0 */
    const char *layouts[3]; /* of A, B, C; of source, destination and reference */
};

const struct lw_atoms *lw_atoms(size_t *count);

#endif
