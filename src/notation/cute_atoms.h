#ifndef LANEWAY_CUTE_ATOMS_H
#define LANEWAY_CUTE_ATOMS_H

#include <stddef.h>

/*
 * The MMA and copy atoms of CuTe, a row a family. In a name {a|b} is one of these, empty ones too, * at
 * the end anything, and ~, @ and ^ are numbers M, N and R; what is before a :: may be left out. In a
 * layout and a tile these stand for their numbers, also as 64*^ and ~/2.
 */

enum lw_atom_number { LW_ATOM_M, LW_ATOM_N, LW_ATOM_R };

/* What a number may be. */
struct lw_atom_range {
    int from, to, step; /* step 0: powers of two; from and step -8: M / 8 */
    int also[2];        /* 0, or more of them */
};

struct lw_atoms {
    const char *names; /* blanks between them */
    const char *tile;  /* "16 8 16": M, N and K; NULL of copies */
    const char *
        layouts; /* "A=...;B!=...;C=...": threads and values to elements, of copies to bits; `!`: not in
                     registers, the instruction finds it in shared or tensor memory; `?`: there is no
                     such layout, and why */
    struct lw_atom_range number[3];
    const char *why; /* there are no layouts, and why */
};

const struct lw_atoms *lw_atoms(size_t *count);

#endif
