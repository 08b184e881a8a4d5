#ifndef LANEWAY_GLUON_H
#define LANEWAY_GLUON_H

/* The encodings of Triton as classes of Gluon, in Python. A class is a row: its name and its
 * arguments, in the order of the class, each with the parameter that it is. */

#include "encoding/schema/schema.h"

enum lw_gluon_kind {
    LW_GLUON_VALUE,   /* the parameter as it is */
    LW_GLUON_NEEDED,  /* the same; without it, or with an empty list, there is no class */
    LW_GLUON_TRUTH,   /* True or False; left out when it is not set */
    LW_GLUON_TYPE,    /* of an element, gl.float64; left out when it is not set */
    LW_GLUON_MAYBE,   /* left out when it is not set */
    LW_GLUON_PAIR,    /* (this, the next): left out when neither is set */
    LW_GLUON_PARENT,  /* a layout */
    LW_GLUON_VERSION, /* [versionMajor, versionMinor] */
    LW_GLUON_BLOCKS,  /* the bases of the blocks; left out when there are none */
    LW_GLUON_SHAPE,   /* the shape that the bases reach */
    LW_GLUON_WARPS,   /* the bases of the warps of amd_wmma */
    LW_GLUON_TILES,   /* the bases of the registers of amd_wmma; left out when there are none */
    LW_GLUON_RANK,    /* left out when it is 2 */
    LW_GLUON_DIMS,    /* the number of dims */
    LW_GLUON_SPLITS   /* of the notation before 3.6; left out when it is not set */
};

struct lw_gluon_argument {
    const char *name;
    enum lw_gluon_kind kind;
    const char *param;
};

#define LW_GLUON_ARGUMENTS_MAX 9
struct lw_gluon_class {
    const char *type; /* the encoding */
    const char *name; /* with its module: gl.BlockedLayout */
    enum lw_triton from,
        until; /* the versions whose class this is; UNSET: from the first, to the newest */
    struct lw_gluon_argument arguments[LW_GLUON_ARGUMENTS_MAX]; /* up to the first without a name */
};

/* Class number `i` of an encoding type in a version; NULL: there are no more. */
const struct lw_gluon_class *lw_gluon_of(const char *type, enum lw_triton triton, int i);
/* Whether a class has an argument that is that parameter. */
bool lw_gluon_has(const struct lw_gluon_class *class, const char *param);
/* Class number `i` of that name, without a module: BlockedLayout; the newest is number 0, others are of older
 * versions or of other encodings. NULL: there are no more. */
const struct lw_gluon_class *lw_gluon_find(const char *name, int i);
/* The name without its module. */
const char *lw_gluon_name(const struct lw_gluon_class *class);

#endif
