#ifndef LANEWAY_TRITON_H
#define LANEWAY_TRITON_H

/*
 * Versions of Triton. The same text can mean another layout in another version: since 3.9, for
 * example, a `blocked` layout has no registers that hold copies. So every encoding has a version,
 * whose rules it is built by. It is chosen in this order: by the user (--triton 3.7), by the source
 * ("triton" in a document, "triton_version" in the metadata beside a dump), by a default of the
 * user (LANEWAY_TRITON), and otherwise it is the newest.
 */

#include "laneway/layout.h"

LW_BEGIN

/* A version, in the order of the releases. */
enum lw_triton {
    LW_TRITON_UNSET, /* the newest */
    LW_TRITON_3_5,
    LW_TRITON_3_6,
    LW_TRITON_3_7,
    LW_TRITON_3_8,
    LW_TRITON_3_9
};
#define LW_TRITON_NEWEST LW_TRITON_3_9 /* the default */

/* A known version: a row of a table, constant. */
struct lw_triton_version {
    const char *name; /* "3.9" */
    enum lw_triton version;
    const char *help; /* what changed, one line */
};

/* Every version, `*count` of them, the newest first. */
const struct lw_triton_version *lw_triton_versions(size_t *count);
/* The version of a name, "3.7", or of a release of it, "3.7.1". Fails with LW_ERROR_NAME on an
 * unknown one and names those that are known. */
bool lw_triton_find(enum lw_triton *version, const char *name, struct lw_error *err);
/* The name, "3.7"; of LW_TRITON_UNSET that of the newest. */
const char *lw_triton_name(enum lw_triton version);
/* Whether the rules of a version are those of `first` or of a later one. */
bool lw_triton_since(enum lw_triton version, enum lw_triton first);

/* Which in-dims of two layouts map to themselves in invertAndCompose of a version. */
enum lw_identity_rule lw_triton_identity_rule(enum lw_triton version);

/* Which version holds for a source. Set to all zeros: the version that the source sets. */
struct lw_triton_choice {
    enum lw_triton version; /* UNSET: none is chosen */
    bool weak;              /* only where the source sets none */
};

/* ---- Layouts by default ---- */

struct lw_arena;    /* arena.h */
struct lw_encoding; /* encoding.h */

/* What a blocked encoding is chosen from, when a kernel does not choose it. */
struct lw_blocked_request {
    int rank;             /* 1 to LW_RANK_MAX */
    const int64_t *shape; /* of the tensor, powers of two */
    const int64_t *size;  /* elements of a thread along each dim; NULL: one */
    const int64_t *order; /* the dims, the fastest first; NULL: the last is */
    int64_t warps, lanes; /* of a block, of a warp; powers of two */
    int64_t blocks;       /* of a cluster (numCTAs), a power of two; 0: one */
};

/* The encoding, in the arena: threads first along the fastest dim, as many as it has room for; the
 * last dim of the order takes what is left. The blocks of a cluster have parts of the slowest dim,
 * then of the next. NULL fails with LW_ERROR_SHAPE or LW_ERROR_PARAMETER when a number is not a
 * power of two, or the order does not have each dim once. Source: getDefaultBlockedEncoding and the
 * builders of BlockedEncodingAttr, in Dialect.cpp and TritonGPUAttrDefs.td of Triton 3.9. */
struct lw_encoding *lw_blocked_default(struct lw_arena *arena,
                                       const struct lw_blocked_request *request,
                                       struct lw_error *err);

LW_END

#endif
