#ifndef LANEWAY_WORDS_H
#define LANEWAY_WORDS_H

/*
 * WORDS: one layout in the notation of every system.
 *
 * A layout is a function; a notation is one way to write it. The fragment of an m16n8 instruction is
 *
 *     triton   tensor<16x8xf32, #ttg.nvidia_mma<{versionMajor = 2, ..., instrShape = [16, 8]}>>
 *     gluon    gl.NVMMADistributedLayout(version=[2, 0], warps_per_cta=[1, 1], instr_shape=[16, 8])
 *     tilus    local(2, 1).spatial(8, 4).local(1, 2)
 *     cute     thread_value(((4,8),(2,2)):((32,1),(16,8)), (16,8))
 *
 * and these are recovered here from the function alone: what a layout was written as does not
 * matter, though words that it already has come first. Nothing is approximate. Every answer has been
 * built again and compared; and where a system has no words for a layout, the error says which part
 * of it is not expressible:
 *
 *     tilus    lane=2 -> (1, 4): it moves in two dims at once, and a tilus mode is part of one
 *
 * To add a system: one file in src/encoding/ and one line in words.c.
 *
 * Source: LinearLayoutConversions.cpp of Triton 3.7 and its Gluon module; register_layout of tilus
 * 0.2.0; CUTLASS 4.
 */

#include "laneway/encoding.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* What is to be put in words. */
struct lw_wording {
    const struct lw_map *map;
    const struct lw_tensor *tensor;     /* complete: shape and element are set */
    uint64_t lanes;                     /* lanes a warp, a power of two: splits threads */
    const struct lw_encoding *encoding; /* what it was written as; NULL: not known */
};

#define LW_WORDS_FOUND_MAX 8

/* The words, the simplest first: each is the layout. What is not the layout itself but near, such as the
 * words of its transpose, is said in the remark, which no reader takes for words. */
struct lw_words_found {
    int count;
    const char *text[LW_WORDS_FOUND_MAX]; /* in the arena */
    const char *remark;                   /* in the arena; NULL: there is none */
};

struct lw_words_work;
struct lw_words_system {
    const char *name; /* "triton" */
    const char *title;
    const char *help;    /* a line: what is printed */
    const char *comment; /* how a comment begins there */
    bool (*find)(struct lw_words_work *work, struct lw_words_found *words);
};

/* In the order in which they are shown. */
const struct lw_words_system *lw_words_systems(size_t *count);
const struct lw_words_system *lw_words_system_find(const char *name);

/* At least one, or an error of code LW_ERROR_UNSUPPORTED that says what has no words; there may be a
 * remark then, too. */
bool lw_words_find(struct lw_arena *arena, const struct lw_words_system *system,
                   const struct lw_wording *wording, struct lw_words_found *words,
                   struct lw_error *err);

/* Whether two maps are one layout: a thread is a thread, however many a warp has; dims of size 1 do not
 * count; and maps that are no linear layouts are compared point by point up to `most` points (more:
 * false). */
bool lw_words_same(const struct lw_map *a, const struct lw_map *b, uint64_t lanes, uint64_t most);

/* All words in all systems, found once and kept; one set to all zeros is empty. */
#define LW_WORDS_ROWS_MAX 32
struct lw_words_sheet {
    bool done;
    int count;
    struct {
        const struct lw_words_system *system;
        const char *text;
        bool first;  /* of its system */
        bool remark; /* the text is none of its words: why there are none, or what is near them */
    } row[LW_WORDS_ROWS_MAX];
    struct lw_arena arena;
};
/* Fills it, if it was not done. Fails only when memory is out. */
bool lw_words_sheet_fill(struct lw_words_sheet *sheet, const struct lw_wording *wording,
                         struct lw_error *err);
void lw_words_sheet_free(struct lw_words_sheet *sheet);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
