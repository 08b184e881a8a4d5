/* The named swizzles of shared memory. Source: Triton 3.7,
 * lib/Dialect/TritonGPU/IR/LinearLayoutConversions.cpp. */

#include "core/memory_tile.h"

/* ---- Rows whose columns are xored ---- */

uint64_t lw_phase_of_row(const struct lw_phases *phases, uint64_t row, uint64_t cols)
{
    return phases->vec * (row / phases->per_phase % phases->max_phase) % cols;
}

uint64_t lw_phase_rotating(const struct lw_phases *phases, uint64_t row, uint64_t cols)
{
    uint64_t phase = row / phases->per_phase % phases->max_phase;
    uint64_t group = row / phases->max_phase / phases->per_phase % phases->max_phase;
    return phases->vec * (phase ^ group) % cols;
}

/* The bases of the columns, then those of the rows with their swizzle. */
void lw_tile_rows(struct lw_tile *tile, const struct lw_phases *phases, lw_phase_function *function,
                  int row_dim, int col_dim, uint64_t rows, uint64_t cols)
{
    uint64_t bases[2 * LW_BITS_MAX][2];
    int count = 0;
    for (uint64_t c = 1; c < cols; c *= 2, count++) {
        bases[count][0] = 0;
        bases[count][1] = c;
    }
    for (uint64_t r = 1; r < rows; r *= 2, count++) {
        bases[count][0] = r;
        bases[count][1] = function(phases, r, cols);
    }
    lw_tile_bases(tile, "offset", row_dim, col_dim, (const uint64_t(*)[2])bases, count);
}

void lw_tile_swizzled(struct lw_tile *tile, const struct lw_phases *phases,
                      lw_phase_function *function, const uint64_t *shape, const int64_t *order,
                      int rank)
{
    if (rank == 1)
        lw_tile_identity(tile, shape[0], "offset", 0);
    else
        lw_tile_rows(tile, phases, function, (int)order[1], (int)order[0], shape[order[1]],
                     shape[order[0]]);
    for (int i = 2; i < rank; i++)
        lw_tile_identity(tile, shape[order[i]], "offset", (int)order[i]);
}

/* ---- TMA and wgmma ---- */

int lw_nvmma_fast(const struct lw_nvmma *nvmma)
{
    return nvmma->transposed ? 0 : nvmma->rank - 1;
}

uint64_t lw_nvmma_row(const struct lw_nvmma *nvmma)
{
    return 8 * nvmma->width / nvmma->bits;
}

static uint64_t min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What TMA copies at once: at most 256 of each dim, and rows exactly as long as the swizzle's
 * width. */
static void make_box(const struct lw_nvmma *nvmma, uint64_t *box)
{
    int fast = lw_nvmma_fast(nvmma);
    for (int d = 0; d < nvmma->rank; d++)
        box[d] = min(nvmma->part[d] << (nvmma->padded && d == fast), 256);
    if (nvmma->width)
        box[fast] = lw_nvmma_row(nvmma);
    if (nvmma->padded)
        box[fast] /= 2;
}

/* The box as a matrix: all dims but the last are rows. */
static void collapse(const struct lw_nvmma *nvmma, const uint64_t *box, uint64_t matrix[2])
{
    uint64_t rows = 1, last = box[nvmma->rank - 1];
    for (int d = 0; d + 1 < nvmma->rank; d++)
        rows *= box[d];
    matrix[0] = nvmma->transposed ? last : rows;
    matrix[1] = nvmma->transposed ? rows : last;
}

bool lw_nvmma_fits(const struct lw_nvmma *nvmma)
{
    uint64_t box[LW_DIMS_MAX], matrix[2];
    uint64_t row = lw_nvmma_row(nvmma), fast = nvmma->part[lw_nvmma_fast(nvmma)];
    if (nvmma->width == 0)
        return true;
    if (min(fast << nvmma->padded, 256) < row || (nvmma->padded && row < 16))
        return false;
    make_box(nvmma, box);
    collapse(nvmma, box, matrix);
    return matrix[0] >= 8;
}

/* Eight rows: 16-byte groups of columns are xored with the row's phase. With padding, offsets come in groups of 16 of
 * which 8 are used; the other 8 are given the same elements. */
static void add_core(struct lw_tile *tile, const struct lw_nvmma *nvmma)
{
    struct lw_phases phases = {128 / nvmma->bits, 128 / nvmma->width, nvmma->width / 16};
    uint64_t bases[LW_BITS_MAX][2], cols = lw_nvmma_row(nvmma);
    int count = 0;
    for (uint64_t col = 1; col < cols; col *= 2, count++) {
        bases[count][0] = 0;
        bases[count][1] = nvmma->padded ? col / 16 * 8 + col % 8 : col;
    }
    for (uint64_t row = 1; row < 8; row *= 2, count++) {
        uint64_t moved = lw_phase_of_row(&phases, row, cols);
        bases[count][0] = row;
        bases[count][1] = nvmma->padded ? moved / 16 * 8 + moved % 8 : moved;
    }
    lw_tile_bases(tile, "offset", 0, 1, (const uint64_t(*)[2])bases, count);
}

static void add_plain(struct lw_tile *tile, const struct lw_nvmma *nvmma, const uint64_t *box)
{
    int rank = nvmma->rank;
    int64_t order[LW_DIMS_MAX];
    bool rotated = nvmma->transposed && nvmma->rotated;
    for (int d = 0; d < rank; d++)
        order[d] = rank - 1 - d;
    for (int d = rank - 1; d >= 0; d--)
        lw_tile_identity(tile, box[rotated ? (d + 1) % rank : d], "offset",
                         rotated ? (d + rank - 1) % rank : d);
    lw_tile_outs(tile, order, rank);
}

static void add_swizzled(struct lw_tile *tile, const struct lw_nvmma *nvmma, const uint64_t *box)
{
    uint64_t matrix[2], shape[LW_DIMS_MAX];
    int64_t order[LW_DIMS_MAX];
    int rank = nvmma->rank;
    collapse(nvmma, box, matrix);
    add_core(tile, nvmma);
    lw_tile_not_smaller(tile, matrix);
    for (int d = 0; d < rank; d++) {
        shape[d] = box[nvmma->transposed ? (d + 1) % rank : d];
        order[d] = (d + rank - 1) % rank;
    }
    lw_tile_reshape(tile, shape, rank);
    if (nvmma->transposed)
        lw_tile_permute(tile, order, rank);
}

void lw_tile_nvmma(struct lw_tile *tile, const struct lw_nvmma *nvmma)
{
    uint64_t box[LW_DIMS_MAX];
    make_box(nvmma, box);
    if (nvmma->width)
        add_swizzled(tile, nvmma, box);
    else
        add_plain(tile, nvmma, box);
    lw_tile_not_smaller(tile, nvmma->part);
}
