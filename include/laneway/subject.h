#ifndef LANEWAY_SUBJECT_H
#define LANEWAY_SUBJECT_H

/*
 * Subjects: what views are of.
 *
 * A subject is a layout with what is known about it: its map, its tensor, how it was written, the
 * hardware that it is for. It can be filled from a map by hand, or opened from a document, which
 * is how the program and the explorer open every layout:
 *
 *     lw_document_open(&doc, "local(2, 1).spatial(4, 8)", NULL, &err) &&
 *         lw_subject_open(&opened, &doc, LW_LANES_DEFAULT, &err)
 *     lw_summary(&text, &opened.subject);
 *     lw_subject_close(&opened);
 *
 * appends "2 registers x 32 threads -> 8 x 8, every element once".
 *
 * Subjects of one tensor can be joined to an access: registers A, shared S and registers B, or two
 * of them. The views of an access (banks, conversion) need that.
 */

#include "laneway/document.h"
#include "laneway/plan.h"
#include "laneway/translate.h"

LW_BEGIN

struct lw_subject_access; /* private */

/* A layout and what is known about it. Fill it with lw_subject_init, after which the members
 * after `lanes` may be set, or have lw_subject_open make it. It owns nothing but `access`
 * (lw_subject_separate). */
struct lw_subject {
    struct lw_map map;
    struct lw_tensor tensor; /* complete: shape and element are set */
    enum lw_family family;
    uint64_t lanes;             /* of a warp, for splitting threads: 32 or 64 */
    const char *head;           /* the line above a printed grid; "" none; borrowed */
    const char *title, *about;  /* of the document; "" none; borrowed */
    const struct lw_cute *cute; /* the layout of CuTe that it is; NULL: none; borrowed */
    const char *expression;     /* see lw_document; NULL: none; borrowed */
    /* How the layout was written; NULL: it is translated from the map alone; borrowed. */
    const struct lw_encoding *encoding;
    const char *notes; /* one more line for the facts view; "" none; borrowed */
    /* What joined subjects share, and the side of this one in it; else NULL. */
    struct lw_subject_access *access;
    enum lw_side side;
    bool to_global;                     /* see lw_document; of any layout of the access */
    const struct lw_hardware *hardware; /* the target; NULL: lw_hardware_default */
};

/* Fills a subject with copies of the map and the tensor, no head and no notes; `lanes` is the
 * size of the map's dim `lane`, or LW_LANES_DEFAULT. `family` is that of the encoding's type. */
void lw_subject_init(struct lw_subject *subject, const struct lw_map *map,
                     const struct lw_tensor *tensor, enum lw_family family);
/* The banks of the subject's hardware. */
const struct lw_bank_model *lw_subject_banks(const struct lw_subject *subject);
/* The name of the subject's hardware: "sm90". */
const char *lw_subject_target(const struct lw_subject *subject);
/* Joins the subjects of an access, by side, NULL where there is none; where only one of registers
 * A and B is set, it is both. Views of the access keep results with them, so the subjects must not
 * move in memory until they are separated, and only one thread may draw them at a time. Subjects
 * that are joined already are separated first. Fails with LW_ERROR_MEMORY only. */
bool lw_subject_join(struct lw_subject *const sides[LW_SIDES], struct lw_error *err);
/* The stage of the plans of an access when none is chosen: LW_PLAN_WRITTEN where no side is a
 * layout of Triton or an operand of an MMA or a copy, for which a compiler chooses the
 * instructions, else LW_PLAN_COMPILED. `sides` as of lw_subject_join. */
enum lw_plan_stage lw_subject_stage(const struct lw_subject *const sides[LW_SIDES]);
/* Undoes lw_subject_join for all of the access; views of it must not be used after this. Does
 * nothing to a subject that is not joined. */
void lw_subject_separate(struct lw_subject *subject);
/* The version of Triton whose rules hold for the subject: that of its encoding, else of another
 * one of its access. */
enum lw_triton lw_subject_triton(const struct lw_subject *subject);
/* The subject at a side of the access that this one is in; NULL: it is in none, or there is none
 * at that side. */
const struct lw_subject *lw_subject_at(const struct lw_subject *subject, enum lw_side side);

/* ---- From a document ---- */

/* A subject with the texts and values that it borrows; its address must not change while its
 * subject is joined. Close it with lw_subject_close. */
struct lw_opened {
    struct lw_subject subject;
    struct lw_text notes, head; /* what the subject's point to */
    struct lw_arena arena;      /* holds title, about, cute, expression and encoding */
};

/* Builds the map of a document's layout and fills *out with a subject of it, with the head, the
 * notes and the encoding set; other layouts are ignored. `lanes` is the target's lanes of a
 * warp, for layouts that do not state theirs: a power of two. The document is not needed any
 * longer. Fails as lw_document_build does; there is then nothing to close. */
bool lw_subject_open(struct lw_opened *out, const struct lw_document *doc, uint64_t lanes,
                     struct lw_error *err);
/* The same of the document's layout at a side, where it must have one. Fails with
 * LW_ERROR_UNSUPPORTED too when that is in shared memory and the side is of registers, or the
 * reverse. */
bool lw_subject_open_side(struct lw_opened *out, const struct lw_document *doc, enum lw_side side,
                          uint64_t lanes, struct lw_error *err);
/* Separates the subject, frees the texts and values that it borrows and sets all to zeros. */
void lw_subject_close(struct lw_opened *opened);

LW_END

#endif
