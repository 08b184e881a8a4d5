#ifndef LANEWAY_TRANSLATE_PARTS_H
#define LANEWAY_TRANSLATE_PARTS_H

/* What the systems share: the layout in one form that does not depend on the notation it was written in. */

#include "encoding/schema/schema.h"
#include "laneway/cute.h"
#include "laneway/translate.h"

enum lw_translate_space { LW_TRANSLATE_REGISTERS, LW_TRANSLATE_MEMORY, LW_TRANSLATE_OTHER };

/* Triton encodings of this layout, the simplest first; once sought, they or the reason stay. */
struct lw_translate_encodings {
    bool sought;
    struct lw_error why;
    int count;
    const struct lw_encoding *at[LW_TRANSLATIONS_MAX];
};

struct lw_translate_work {
    struct lw_arena *arena;
    struct lw_error *err;
    const struct lw_translate_request *of;
    enum lw_translate_space space;
    /* The linear layout with all of the dims register, lane, warp and block, or offset and block,
     * to dim0, dim1, ...; when the map is not linear, why. */
    bool linear;
    struct lw_layout layout;
    struct lw_error why;
    struct lw_translate_encodings *found; /* where lw_translate_encodings collects them */
};

/* Converts a map to that form. Fails when the map is not linear or has other dims. */
bool lw_translate_normalize(const struct lw_map *map, uint64_t lanes, struct lw_layout *out,
                            enum lw_translate_space *space, struct lw_error *err);
/* Adds a translation unless the list has it already or is full, and frees the text. Fails when
 * memory is out. */
bool lw_translate_add(struct lw_translate_work *work, struct lw_translations *translations,
                      struct lw_text *text);
/* Sets the error; lw_translate puts "not expressible in tilus: " before it. */
bool lw_translate_fail(struct lw_translate_work *work, const char *format, ...) LW_PRINTF(2, 3);
/* The same with basis `bit` of in-dim `dim` before it: "lane=4 -> (0, 1): ". */
bool lw_translate_refuse_basis(struct lw_translate_work *work, int dim, int bit, const char *why);
/* The role of the CuTe encoding that the layout was written as; NONE for others. */
enum lw_cute_role lw_translate_role(const struct lw_translate_work *work);
/* Fails for CuTe layouts that are not of the elements of a tensor in registers or shared memory. */
bool lw_translate_need_elements(struct lw_translate_work *work);
/* Fails, with the reason, when the layout is not linear. */
bool lw_translate_need_linear(struct lw_translate_work *work);
/* Fails when the layout is of other dims than registers or memory, or several blocks share the
 * tensor. */
bool lw_translate_need_block(struct lw_translate_work *work);

/* The digits of a layout in registers: modes from in-dim 0, the register, or in-dim 1, the
 * thread, to one dim each; out_dim -1: copies. `warp`: the threads of a warp, 0: unknown. */
struct lw_translate_digits {
    int count;
    struct lw_mode mode[LW_MODES_MAX];
    uint64_t warp;
};
bool lw_translate_digits(struct lw_translate_work *work, struct lw_translate_digits *digits);
/* Those of a map of mixed radix, or of a sum of strides over threads, in ascending order of the
 * hardware index. Fails on other maps, and on a stride that is not a digit of one index. The digits
 * of an index may leave gaps. */
bool lw_digits_of_map(const struct lw_map *map, struct lw_translate_digits *digits,
                      struct lw_error *err);
/* A strided map of memory, or a padded one, as a sum of strides, the longest first. */
bool lw_strides_of_memory(const struct lw_map *map, struct lw_strides *sum, struct lw_error *err);

/* Modes: sizes and strides, the fastest first. */
struct lw_translate_modes {
    int count;
    int64_t size[LW_MODES_MAX], stride[LW_MODES_MAX];
};
/* Adds a mode, or extends the last one where this one continues it. A mode of size 1 is left out. */
void lw_translate_push_mode(struct lw_translate_modes *modes, uint64_t size, uint64_t stride);
/* Memory as sums: an offset is a constant plus the strides of each coordinate, then swizzled. */
struct lw_translate_sums {
    struct lw_translate_modes dim[LW_DIMS_MAX];
    int64_t constant;
    struct lw_cute_swizzle swizzle;
};
bool lw_translate_sums(struct lw_translate_work *work, struct lw_translate_sums *sums);
/* A layout in memory as a layout of CuTe that counts elements. */
bool lw_translate_cute_memory(struct lw_translate_work *work, struct lw_cute *out);

/* Writes an encoding in the notation of a system. */
typedef bool lw_translate_writer(struct lw_translate_work *work, const struct lw_encoding *encoding,
                                 const struct lw_tensor *tensor, struct lw_text *text);
/* Adds all encodings of the layout as `write` writes them; one that it cannot write is left out unless it is the only
 * one. Also sets the remark: for CuTe's operand B it is the translation of its transpose; for a warp size that no GPU
 * has, the statement that Triton refuses it. */
bool lw_translate_encodings(struct lw_translate_work *work, lw_translate_writer *write,
                            struct lw_translations *translations);

/* The functions of the rows of translate.c. */
bool lw_translate_to_triton(struct lw_translate_work *work, struct lw_translations *translations);
bool lw_translate_to_gluon(struct lw_translate_work *work, struct lw_translations *translations);
bool lw_translate_to_tilus(struct lw_translate_work *work, struct lw_translations *translations);
/* Sets the remark, and frees the text. */
bool lw_translate_set_remark(struct lw_translate_work *work, struct lw_text *text,
                             struct lw_translations *translations);
bool lw_translate_to_cute(struct lw_translate_work *work, struct lw_translations *translations);
bool lw_translate_to_cute_cpp(struct lw_translate_work *work, struct lw_translations *translations);
bool lw_translate_to_cute_dsl(struct lw_translate_work *work, struct lw_translations *translations);

#endif
