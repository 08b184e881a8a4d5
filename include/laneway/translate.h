#ifndef LANEWAY_TRANSLATE_H
#define LANEWAY_TRANSLATE_H

/*
 * TRANSLATIONS: one layout in the notation of every system. A layout is a function; a notation is
 * one way to write it. The fragment of an m16n8 instruction is
 *
 *     triton   tensor<16x8xf32, #ttg.nvidia_mma<{versionMajor = 2, ..., instrShape = [16, 8]}>>
 *     gluon    gl.NVMMADistributedLayout(version=[2, 0], warps_per_cta=[1, 1], instr_shape=[16, 8])
 *     tilus    local(2, 1).spatial(8, 4).local(1, 2)
 *     cute     thread_value(((4,8),(2,2)):((32,1),(16,8)), (16,8))
 *
 * A translation is found from the function alone: how the layout was written does not matter,
 * except that the notation which it already has comes first. Nothing is approximate. Every
 * translation has been built again and compared with the layout; where a system cannot express a
 * layout, the error names the part of it in the way:
 *
 *     tilus    lane=2 -> (1, 4): it moves in two dims at once, and a tilus mode is part of one
 *
 * To add a system: one file in src/translate/ and one row in translate.c. Source:
 * LinearLayoutConversions.cpp of Triton 3.7 and its Gluon module; register_layout of tilus 0.2.0;
 * CUTLASS 4.
 */

#include "laneway/cute.h"
#include "laneway/encoding.h"

LW_BEGIN

/* What is to be translated; everything is borrowed. */
struct lw_translate_request {
    const struct lw_map *map;           /* of the layout */
    const struct lw_tensor *tensor;     /* complete: shape and element are set */
    uint64_t lanes;                     /* lanes of a warp, a power of two: splits threads */
    const struct lw_encoding *encoding; /* how it was written; NULL: unknown */
};

#define LW_TRANSLATIONS_MAX 8 /* translations into one system */

/* The translations into one system, the simplest first: each is exactly the layout. A related one,
 * such as its transpose, is in the remark only. */
struct lw_translations {
    int count;                             /* 0 to LW_TRANSLATIONS_MAX */
    const char *text[LW_TRANSLATIONS_MAX]; /* in the arena */
    const char *remark;                    /* in the arena; NULL: there is none */
};

struct lw_translate_work; /* private */

/* A system: a row of a table, constant. */
struct lw_translate_system {
    const char *name;    /* "triton" */
    const char *title;   /* "Triton" */
    const char *help;    /* one line: what is printed */
    const char *comment; /* how a comment begins there: "//", "#" */
    /* Private; call lw_translate. */
    bool (*find)(struct lw_translate_work *work, struct lw_translations *translations);
    /* Not in the table of all systems: the notation of another one as code. */
    bool alone;
};

/* All systems, `*count` of them; those that are not `alone` in the order of the table. */
const struct lw_translate_system *lw_translate_systems(size_t *count);
/* The system of that name, or NULL. */
const struct lw_translate_system *lw_translate_system_find(const char *name);

/* Finds the translations into a system, their text in the arena: at least one on success. Fails
 * with LW_ERROR_UNSUPPORTED, naming what the system cannot express, and then *translations
 * may still have a remark; with LW_ERROR_MEMORY when memory is out. */
bool lw_translate(struct lw_arena *arena, const struct lw_translate_system *system,
                  const struct lw_translate_request *request, struct lw_translations *translations,
                  struct lw_error *err);

/* A layout in shared memory as one of CuTe from (dim0, dim1, ...) to offsets; its trees are in the
 * arena. Fails with LW_ERROR_UNSUPPORTED on a layout in registers, and where CuTe has none. */
bool lw_translate_memory_to_cute(struct lw_arena *arena, const struct lw_translate_request *request,
                                 struct lw_cute *out, struct lw_error *err);

/* Whether two maps are the same layout. Threads are compared, not how they are split into warps;
 * dims of size 1 are ignored. `lanes` splits threads, a power of two. Maps that are not linear are
 * compared point by point, or where elements share an offset element by element; false when there
 * are over `max` of these. */
bool lw_translate_same_layout(const struct lw_map *a, const struct lw_map *b, uint64_t lanes,
                              uint64_t max);

#define LW_TRANSLATION_ROWS_MAX 32 /* rows of a table */

/* The translations into all systems, found once and kept. One set to all zeros is empty; free it
 * with lw_translation_table_free. */
struct lw_translation_table {
    bool done; /* it has been filled */
    int count; /* of rows */
    struct {
        const struct lw_translate_system *system;
        const char *text;
        bool first;  /* the first row of its system */
        bool remark; /* the text is no translation: why there is none, or a related layout */
    } row[LW_TRANSLATION_ROWS_MAX];
    struct lw_arena arena;
};
/* Fills a table unless it is filled already. Fails with LW_ERROR_MEMORY only. */
bool lw_translation_table_fill(struct lw_translation_table *table,
                               const struct lw_translate_request *request, struct lw_error *err);
/* Frees what a table owns and sets it to all zeros. */
void lw_translation_table_free(struct lw_translation_table *table);

LW_END

#endif
