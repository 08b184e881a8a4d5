/* Equal instructions of an access. Each instruction is described by its kind and by the number of words it needs of
 * each bank; a hash table finds the row of such an instruction. */

#include "view/banks/view_banks.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 2 * LW_BANK_FOLDS_MAX }; /* of the table: at most half of them are used */

/* What makes two instructions equal. Compared by its bytes, so it is all zeros before it is filled. */
struct shape {
    uint8_t op, width, matrices, transposed;
    struct lw_cost cost;
    uint8_t words[LW_BANKS_MAX], ways[LW_BANKS_MAX];
};

struct finder {
    struct lw_bank_folds *folds;
    struct shape *shape; /* of each row */
    uint16_t *slot;      /* 1 + a row; 0: none */
};

unsigned lw_banks_ways(const struct lw_wavefronts *all, int bank)
{
    unsigned count = 0, max = 0; /* in the group */
    for (unsigned i = 0; all->words[bank] && i < all->count; i++) {
        if (i && all->wavefront[i].group != all->wavefront[i - 1].group)
            count = 0;
        count += all->wavefront[i].banks >> bank & 1;
        max = count > max ? count : max;
    }
    return max;
}

/* FNV-1a */
static uint64_t hash(const struct shape *shape)
{
    const unsigned char *bytes = (const unsigned char *)shape;
    uint64_t h = 0xcbf29ce484222325;
    for (size_t i = 0; i < sizeof *shape; i++)
        h = (h ^ bytes[i]) * 0x100000001b3;
    return h ^ h >> 32;
}

/* The row of instructions of a shape, a new one if there is none. */
static uint64_t row_of(struct finder *finder, const struct shape *shape)
{
    size_t at = hash(shape) % SLOTS;
    for (; finder->slot[at]; at = (at + 1) % SLOTS)
        if (!memcmp(&finder->shape[finder->slot[at] - 1], shape, sizeof *shape))
            return finder->slot[at] - 1u;
    finder->shape[finder->folds->rows] = *shape;
    finder->slot[at] = (uint16_t)(finder->folds->rows + 1);
    return finder->folds->rows++;
}

static bool make(struct lw_bank_folds *folds, struct lw_subject_access *access,
                 enum lw_view_access which, uint64_t count)
{
    struct finder finder = {.folds = folds,
                            .shape = malloc(count * sizeof *finder.shape),
                            .slot = calloc(SLOTS, sizeof *finder.slot)};
    folds->fold = calloc(count, sizeof *folds->fold);
    bool good = finder.shape && finder.slot && folds->fold;
    for (uint64_t i = 0; good && i < count; i++) {
        const struct lw_served *served = lw_subject_access_served(access, which, i);
        if (!served)
            continue;
        const struct lw_access *one = &served->instruction.access;
        struct shape shape;
        memset(&shape, 0, sizeof shape);
        shape.op = (uint8_t)one->op;
        shape.width = (uint8_t)one->width;
        shape.matrices = (uint8_t)one->matrices;
        shape.transposed = served->instruction.transposed;
        shape.cost = served->wavefronts.cost;
        for (int bank = 0; bank < LW_BANKS_MAX; bank++) {
            shape.words[bank] = (uint8_t)served->wavefronts.words[bank];
            shape.ways[bank] = (uint8_t)lw_banks_ways(&served->wavefronts, bank);
        }
        uint64_t warp = served->instruction.warp;
        struct lw_bank_fold *fold = &folds->fold[row_of(&finder, &shape)];
        fold->first = fold->count++ ? fold->first : i;
        fold->warps |= warp < 64 ? (uint64_t)1 << warp : 0;
    }
    if (!good) {
        free(folds->fold);
        folds->fold = NULL;
    }
    free(finder.shape);
    free(finder.slot);
    return good;
}

const struct lw_bank_folds *lw_bank_folds_of(struct lw_subject_access *access,
                                             enum lw_view_access which, struct lw_error *err)
{
    struct lw_bank_folds *folds = lw_subject_access_folds(access, which);
    uint64_t count;
    if (folds->rows)
        return folds;
    if (!lw_subject_access_count(access, which, &count, err))
        return NULL;
    if (!count || count > LW_BANK_FOLDS_MAX)
        folds->rows = count;
    else if (!make(folds, access, which, count))
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    return folds->rows || !count ? folds : NULL;
}

uint64_t lw_bank_folds_first(const struct lw_bank_folds *folds, uint64_t row)
{
    return folds->fold ? folds->fold[row].first : row;
}
