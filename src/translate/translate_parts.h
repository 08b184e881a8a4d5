#ifndef LANEWAY_WORDS_PARTS_H
#define LANEWAY_WORDS_PARTS_H

/* What the systems of words share: the layout in one form, whatever it was written as. */

#include "encoding/schema/schema.h"
#include "laneway/cute.h"
#include "laneway/translate.h"

enum lw_words_place { LW_WORDS_REGISTERS, LW_WORDS_MEMORY, LW_WORDS_ELSEWHERE };

struct lw_words_work {
    struct lw_arena *arena;
    struct lw_error *err;
    const struct lw_wording *of;
    enum lw_words_place place;
    /* The linear layout with all of register, lane, warp and block, or offset and block, and dims
     * dim0, dim1, ...; when there is none, why not. */
    bool linear;
    struct lw_layout layout;
    struct lw_error why;
};

/* A linear layout in that form; false when its dims are others. */
bool lw_words_normal(const struct lw_map *map, uint64_t lanes, struct lw_layout *out,
                     enum lw_words_place *place, struct lw_error *err);
/* Adds words, unless they are there already; a full list takes no more. */
bool lw_words_add(struct lw_words_work *work, struct lw_words_found *words, struct lw_text *text);
/* "not expressible in tilus: " is added by lw_words_find. */
bool lw_words_none(struct lw_words_work *work, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* "lane=4 -> (0, 1)": basis `bit` of in-dim `dim`, for messages. */
void lw_words_basis(struct lw_text *text, const struct lw_layout *layout, int dim, int bit);
/* What the layout was written as is known to be, of those of CuTe. */
enum lw_cute_role lw_words_role(const struct lw_words_work *work);
/* Fails for what is in neither registers nor memory that is laid out by elements. */
bool lw_words_need_elements(struct lw_words_work *work);
/* Fails when the layout is not linear, with the reason. */
bool lw_words_need_linear(struct lw_words_work *work);
/* Fails when several blocks share the tensor. */
bool lw_words_need_block(struct lw_words_work *work);

/* The digits of a layout of threads: of in-dim 0, the registers, and 1, the threads. At most
 * LW_MODES_MAX; `warp`: how many threads a warp has, where runs of lanes end. */
struct lw_words_digits {
    int count;
    struct lw_mode mode[LW_MODES_MAX];
    uint64_t warp;
};
bool lw_words_digits(struct lw_words_work *work, struct lw_words_digits *digits);

/* The modes of one dim, or of threads: sizes and strides, the fastest first. */
struct lw_words_modes {
    int count;
    int64_t size[LW_MODES_MAX], stride[LW_MODES_MAX];
};
/* Memory as sums: an offset is a constant and what each mode of a coordinate adds, swizzled. */
struct lw_words_sums {
    struct lw_words_modes dim[LW_DIMS_MAX];
    int64_t constant;
    struct lw_cute_swizzle swizzle;
};
bool lw_words_sums(struct lw_words_work *work, struct lw_words_sums *sums);

/* The encodings of Triton that are this layout, the simplest first. */
struct lw_words_encodings {
    int count;
    const struct lw_encoding *at[LW_WORDS_FOUND_MAX];
};
bool lw_words_triton(struct lw_words_work *work, struct lw_words_encodings *found);
bool lw_words_registers(struct lw_words_work *work, struct lw_words_encodings *found);
bool lw_words_memory(struct lw_words_work *work, struct lw_words_encodings *found);
/* Operand B of CuTe, N x K, as Triton's, K x N: encodings of the transpose. */
bool lw_words_turned(struct lw_words_work *work, struct lw_words_encodings *found);
/* Writes an encoding, of a tensor, as a system does. */
typedef bool lw_words_write(struct lw_words_work *work, const struct lw_encoding *encoding,
                            const struct lw_tensor *tensor, struct lw_text *text);
/* Says of operand B of CuTe what its transpose is called, and of warps that are no GPU's that Triton
 * refuses them; of others nothing. */
bool lw_words_remark(struct lw_words_work *work, lw_words_write *write,
                     struct lw_words_found *words);

/* A new encoding, and its parameters by name; what fails shows at lw_words_accept. */
struct lw_encoding *lw_words_new(struct lw_words_work *work, const char *type);
void lw_words_say(struct lw_words_work *work, struct lw_encoding *encoding, const char *name,
                  struct lw_value value);
void lw_words_say_list(struct lw_words_work *work, struct lw_encoding *encoding, const char *name,
                       const int64_t *numbers, int count);
/* An encoding in the spelling of Triton 3.7, for a tensor of `rank` dims; NULL when it has none there:
 * an instruction that is no more, or one whose k was not written yet. */
const struct lw_encoding *lw_words_current(struct lw_words_work *work,
                                           const struct lw_encoding *encoding, int rank);
/* The bases of one in-dim of a layout, as a value. */
struct lw_value lw_words_bases(struct lw_words_work *work, const struct lw_layout *layout, int dim);
/* The bases of one in-dim of the layout, as a parameter. */
void lw_words_say_bases(struct lw_words_work *work, struct lw_encoding *encoding, const char *name,
                        int dim);
/* The blocks as CGALayout, when there are any. `part` is the shape of one block's part. */
bool lw_words_say_blocks(struct lw_words_work *work, struct lw_encoding *encoding);
/* The shape of one block's part; false when the blocks do not part it so. */
bool lw_words_part(struct lw_words_work *work, uint64_t *part);
/* Whether the layout was written as an encoding of that type: then another of it says nothing new. */
bool lw_words_is_own(const struct lw_words_work *work, const struct lw_encoding *encoding);
/* Builds it, compares, and keeps it when it is the very layout. */
bool lw_words_accept(struct lw_words_work *work, const struct lw_encoding *encoding,
                     struct lw_words_encodings *found);

/* The rows of translate.c. */
bool lw_words_of_triton(struct lw_words_work *work, struct lw_words_found *words);
bool lw_words_of_gluon(struct lw_words_work *work, struct lw_words_found *words);
bool lw_words_of_tilus(struct lw_words_work *work, struct lw_words_found *words);
bool lw_words_tilus_shared(struct lw_words_work *work, struct lw_words_found *words);
/* Makes a text the remark, and frees it. */
bool lw_words_keep_remark(struct lw_words_work *work, struct lw_text *text,
                          struct lw_words_found *words);
bool lw_words_of_cute(struct lw_words_work *work, struct lw_words_found *words);

#endif
