#ifndef LANEWAY_CUTE_ATOMS_H
#define LANEWAY_CUTE_ATOMS_H

#include "laneway/text.h"

#include <stddef.h>

/*
 * The MMA and copy atoms of CuTe, one row for each family. In a name {a|b} matches a or b, which may be empty,
 * * at the end matches anything, and ~, @ and ^ match the numbers M, N and R; a prefix up to :: is optional.
 * In a layout and a tile these characters are the numbers, also as 64*^ and ~/2.
 */

enum lw_atom_number { LW_ATOM_M, LW_ATOM_N, LW_ATOM_R };

/* The legal values of a number. */
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
    const char *why; /* why there are no layouts */
    const char
        *threads; /* ThrID, from the threads of the layouts to lanes; NULL: each is its own */
};

/* The index of the number that a character of a pattern matches; -1: none. */
int lw_atom_number_of(char c);
/* The range of number `i`, with M in it. */
struct lw_atom_range lw_atom_range_of(const struct lw_atoms *family, int i, const int numbers[3]);
/* The index of the number in a name that the family lacks; -1: it has all of them. */
int lw_atom_wrong_number(const struct lw_atoms *family, const int numbers[3]);
/* The family of a name and the numbers in it; a family without such sizes only when no other one matches. NULL: there
 * is no such name. */
const struct lw_atoms *lw_atom_find(const char *name, int numbers[3]);
#endif
