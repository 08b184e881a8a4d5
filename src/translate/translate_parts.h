#ifndef LANEWAY_TRANSLATE_PARTS_H
#define LANEWAY_TRANSLATE_PARTS_H

/* What the systems of words share: the layout in one form, whatever it was written as. */

#include "encoding/schema/schema.h"
#include "laneway/cute.h"
#include "laneway/translate.h"

enum lw_translate_space { LW_TRANSLATE_REGISTERS, LW_TRANSLATE_MEMORY, LW_TRANSLATE_OTHER };

struct lw_translate_work {
    struct lw_arena *arena;
    struct lw_error *err;
    const struct lw_translate_request *of;
    enum lw_translate_space space;
    /* The linear layout with all of register, lane, warp and block, or offset and block, and dims
     * dim0, dim1, ...; when there is none, why not. */
    bool linear;
    struct lw_layout layout;
    struct lw_error why;
};

/* A linear layout in that form; false when its dims are others. */
bool lw_translate_normalize(const struct lw_map *map, uint64_t lanes, struct lw_layout *out,
                            enum lw_translate_space *space, struct lw_error *err);
/* Adds words, unless they are there already; a full list takes no more. */
bool lw_translate_add(struct lw_translate_work *work, struct lw_translations *translations,
                      struct lw_text *text);
/* "not expressible in tilus: " is added by lw_translate. */
bool lw_translate_fail(struct lw_translate_work *work, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* "lane=4 -> (0, 1)": basis `bit` of in-dim `dim`, for messages. */
void lw_translate_put_basis(struct lw_text *text, const struct lw_layout *layout, int dim, int bit);
/* What the layout was written as is known to be, of those of CuTe. */
enum lw_cute_role lw_translate_role(const struct lw_translate_work *work);
/* Fails for what is in neither registers nor memory that is laid out by elements. */
bool lw_translate_need_elements(struct lw_translate_work *work);
/* Fails when the layout is not linear, with the reason. */
bool lw_translate_need_linear(struct lw_translate_work *work);
/* Fails when several blocks share the tensor. */
bool lw_translate_need_block(struct lw_translate_work *work);

/* The digits of a layout of threads: of in-dim 0, the registers, and 1, the threads. At most
 * LW_MODES_MAX; `warp`: how many threads a warp has, where runs of lanes end. */
struct lw_translate_digits {
    int count;
    struct lw_mode mode[LW_MODES_MAX];
    uint64_t warp;
};
bool lw_translate_digits(struct lw_translate_work *work, struct lw_translate_digits *digits);

/* The modes of one dim, or of threads: sizes and strides, the fastest first. */
struct lw_translate_modes {
    int count;
    int64_t size[LW_MODES_MAX], stride[LW_MODES_MAX];
};
/* Adds a mode, or makes the last one longer where this one continues it; size 1 adds nothing. */
void lw_translate_push_mode(struct lw_translate_modes *modes, uint64_t size, uint64_t stride);
/* Memory as sums: an offset is a constant and what each mode of a coordinate adds, swizzled. */
struct lw_translate_sums {
    struct lw_translate_modes dim[LW_DIMS_MAX];
    int64_t constant;
    struct lw_cute_swizzle swizzle;
};
bool lw_translate_sums(struct lw_translate_work *work, struct lw_translate_sums *sums);

/* The encodings of Triton that are this layout, the simplest first. */
struct lw_translate_encodings {
    int count;
    const struct lw_encoding *at[LW_TRANSLATIONS_MAX];
};
bool lw_translate_encodings_of(struct lw_translate_work *work,
                               struct lw_translate_encodings *found);
bool lw_translate_registers(struct lw_translate_work *work, struct lw_translate_encodings *found);
bool lw_translate_memory(struct lw_translate_work *work, struct lw_translate_encodings *found);
/* Operand B of CuTe, N x K, as Triton's, K x N: encodings of the transpose. */
bool lw_translate_transposed(struct lw_translate_work *work, struct lw_translate_encodings *found);
/* Writes an encoding, of a tensor, as a system does. */
typedef bool lw_translate_writer(struct lw_translate_work *work, const struct lw_encoding *encoding,
                                 const struct lw_tensor *tensor, struct lw_text *text);
/* Says of operand B of CuTe what its transpose is called, and of warps that are no GPU's that Triton
 * refuses them; of others nothing. */
bool lw_translate_remark(struct lw_translate_work *work, lw_translate_writer *write,
                         struct lw_translations *translations);

/* A new encoding, and its parameters by name; what fails shows at lw_translate_accept. */
struct lw_encoding *lw_translate_new_encoding(struct lw_translate_work *work, const char *type);
void lw_translate_set(struct lw_encoding *encoding, const char *name, struct lw_value value);
void lw_translate_set_list(struct lw_translate_work *work, struct lw_encoding *encoding,
                           const char *name, const int64_t *numbers, int count);
/* An encoding in the spelling of Triton 3.7, for a tensor of `rank` dims; NULL when it has none there:
 * an instruction that is no more, or one whose k was not written yet. */
const struct lw_encoding *lw_translate_modernize(struct lw_translate_work *work,
                                                 const struct lw_encoding *encoding, int rank);
/* The bases of one in-dim of a layout, as a value. */
struct lw_value lw_translate_bases(struct lw_translate_work *work, const struct lw_layout *layout,
                                   int dim);
/* The bases of one in-dim of the layout, as a parameter. */
void lw_translate_set_bases(struct lw_translate_work *work, struct lw_encoding *encoding,
                            const char *name, int dim);
/* The blocks as CGALayout, when there are any. `part` is the shape of one block's part. */
bool lw_translate_set_blocks(struct lw_translate_work *work, struct lw_encoding *encoding);
/* The shape of one block's part; false when the blocks do not part it so. */
bool lw_translate_block_shape(struct lw_translate_work *work, uint64_t *part);
/* Whether the layout was written as an encoding of that type: then another of it says nothing new. */
bool lw_translate_is_original(const struct lw_translate_work *work,
                              const struct lw_encoding *encoding);
/* Builds it, compares, and keeps it when it is the very layout. */
bool lw_translate_accept(struct lw_translate_work *work, const struct lw_encoding *encoding,
                         struct lw_translate_encodings *found);

/* The rows of translate.c. */
bool lw_translate_to_triton(struct lw_translate_work *work, struct lw_translations *translations);
bool lw_translate_to_gluon(struct lw_translate_work *work, struct lw_translations *translations);
bool lw_translate_to_tilus(struct lw_translate_work *work, struct lw_translations *translations);
bool lw_translate_to_tilus_shared(struct lw_translate_work *work,
                                  struct lw_translations *translations);
/* Makes a text the remark, and frees it. */
bool lw_translate_set_remark(struct lw_translate_work *work, struct lw_text *text,
                             struct lw_translations *translations);
bool lw_translate_to_cute(struct lw_translate_work *work, struct lw_translations *translations);

#endif
