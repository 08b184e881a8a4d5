/* The style `triton`: layouts exactly as Triton prints them (getDistributedLayoutStr and
 * getSharedLayoutStr of lib/Dialect/TritonGPU/IR/Dialect.cpp, release 3.7), written as a stream: an
 * element's owners are computed when it is printed. */

#include "export/export_parts.h"

#include <string.h>

struct triton {
    struct lw_layout layout;
    struct lw_map map; /* of the layout, its inputs in Triton's order */
    uint64_t registers, lanes, warps, blocks, offsets;
    FILE *stream;
};

static size_t digits(uint64_t number)
{
    size_t n = 1;
    while (number /= 10)
        n++;
    return n;
}

/* Triton pads numbers to the digits of the size, not of the largest number. */
static void put_padded(FILE *stream, uint64_t number, uint64_t size)
{
    fprintf(stream, "%*llu", (int)digits(size), (unsigned long long)number);
}

static void put_index(const struct triton *t, const uint64_t *out, char separator)
{
    const struct lw_dims *dims = &t->map.out;
    fputc('(', t->stream);
    for (int i = 0; i < dims->count; i++) {
        if (i)
            fputc(separator, t->stream);
        put_padded(t->stream, out[i], dims->dim[i].size);
    }
    fputc(')', t->stream);
}

/* ---- The text of an element of the printed tensor ---- */

typedef void element_writer(const struct triton *t, const uint64_t *index, uint64_t flat);

static void put_owner(const struct triton *t, const uint64_t *in)
{
    uint64_t thread = in[1] + in[2] * t->lanes, threads = t->warps * t->lanes;
    size_t padding = digits(t->blocks) - digits(in[3]) + digits(threads) - digits(thread) +
                     digits(t->registers) - digits(in[0]);
    fprintf(t->stream, "%*s", (int)padding, "");
    if (t->blocks > 1)
        fprintf(t->stream, "B%llu:", (unsigned long long)in[3]);
    fprintf(t->stream, "T%llu:%llu", (unsigned long long)thread, (unsigned long long)in[0]);
}

static void put_owners(const struct triton *t, const uint64_t *index, uint64_t flat)
{
    uint64_t in[LW_DIMS_MAX], count = lw_map_owner_count(&t->map, index);
    (void)flat;
    for (uint64_t k = 0; k < count && !ferror(t->stream); k++) {
        lw_map_owner(&t->map, index, k, in);
        if (k)
            fputc('|', t->stream);
        put_owner(t, in);
    }
}

/* Writes the element at each offset of shared memory, in the shape of the tensor. */
static void put_held(const struct triton *t, const uint64_t *index, uint64_t flat)
{
    uint64_t out[LW_DIMS_MAX];
    (void)index;
    if (!t->offsets) /* with more blocks than elements Triton prints nothing */
        return;
    uint64_t in[2] = {flat % t->offsets, flat / t->offsets};
    if (lw_map_apply(&t->map, in, out))
        put_index(t, out, ':');
}

/* ---- Nested brackets ---- */

/* Steps to the next index, row-major; returns how many of the last dims went back to 0. */
static int step(const struct lw_dims *dims, uint64_t *index)
{
    int wrapped = 0;
    for (int i = dims->count - 1; i >= 0; i--) {
        if (++index[i] < dims->dim[i].size)
            break;
        index[i] = 0;
        wrapped++;
    }
    return wrapped;
}

static void put_tensor(const struct triton *t, element_writer *put, const char *separator)
{
    const struct lw_dims *dims = &t->map.out;
    uint64_t index[LW_DIMS_MAX] = {0}, flat = 0;
    int rank = dims->count, wrapped = rank;
    bool line = true;
    do {
        for (int i = 0; i < wrapped; i++)
            fputc('[', t->stream);
        for (int i = wrapped; line && i < rank; i++)
            fputc(' ', t->stream);
        put(t, index, flat++);
        wrapped = step(dims, index);
        for (int i = 0; i < wrapped; i++)
            fputc(']', t->stream);
        line = wrapped > 0 || rank == 0;
        fputs(line ? "\n" : separator, t->stream);
    } while (wrapped < rank && !ferror(t->stream));
}

/* ---- The hardware's point of view ---- */

static void put_registers(const struct triton *t, uint64_t block, uint64_t warp)
{
    uint64_t out[LW_DIMS_MAX];
    for (uint64_t r = 0; r < t->registers && !ferror(t->stream); r++) {
        for (uint64_t lane = 0; lane < t->lanes; lane++) {
            uint64_t in[4] = {r, lane, warp, block};
            lw_map_apply(&t->map, in, out);
            if (lane)
                fputs(", ", t->stream);
            put_index(t, out, ',');
        }
        fputc('\n', t->stream);
    }
}

static void put_distributed_hardware(const struct triton *t)
{
    for (uint64_t block = 0; block < t->blocks; block++) {
        if (t->blocks > 1)
            fprintf(t->stream, "Block%llu:\n", (unsigned long long)block);
        for (uint64_t warp = 0; warp < t->warps && !ferror(t->stream); warp++) {
            fprintf(t->stream, "Warp%llu:\n", (unsigned long long)warp);
            put_registers(t, block, warp);
        }
    }
}

static void put_shared_hardware(const struct triton *t)
{
    uint64_t out[LW_DIMS_MAX];
    for (uint64_t block = 0; block < t->blocks; block++) {
        fprintf(t->stream, "Block: %llu:\n", (unsigned long long)block);
        for (uint64_t offset = 0; offset < t->offsets && !ferror(t->stream); offset++) {
            uint64_t in[2] = {offset, block};
            if (!lw_map_apply(&t->map, in, out))
                break;
            fprintf(t->stream, "Offset: %llu -> ", (unsigned long long)offset);
            put_index(t, out, ',');
            fputc('\n', t->stream);
        }
    }
}

/* ---- Preparing ---- */

/* Gives the layout exactly these input dims, in this order; those it lacks have size 1. */
static bool arrange(struct triton *t, const char *const *names, int count, struct lw_error *err)
{
    struct lw_layout unit;
    for (int i = 0; i < count; i++) {
        if (lw_dims_find(&t->layout.in, names[i]) >= 0)
            continue;
        struct lw_dims in = {0}, out = {0};
        if (!lw_dims_add(&in, names[i], 1, err) || !lw_layout_of_dims(&unit, &in, &out, err) ||
            !lw_layout_product(&t->layout, &t->layout, &unit, err))
            return false;
    }
    for (int d = 0; d < t->layout.in.count; d++) {
        int i = 0;
        while (i < count && strcmp(names[i], t->layout.in.dim[d].name) != 0)
            i++;
        if (i == count)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "Triton does not print layouts with a dim '%s'",
                                t->layout.in.dim[d].name);
    }
    if (!lw_layout_transpose_ins(&t->layout, &t->layout, names, err))
        return false;
    lw_map_from_layout(&t->map, &t->layout);
    return true;
}

static bool is_shown(const struct lw_view *view, const char *name)
{
    return !strcmp(view->type->name, name);
}

static bool prepare(struct triton *t, const struct lw_view *view, bool shared, struct lw_error *err)
{
    static const char *const distributed[] = {"register", "lane", "warp", "block"};
    static const char *const memory[] = {"offset", "block"};
    uint64_t lanes = lw_log2(view->subject->lanes) >= 0 ? view->subject->lanes : 32;
    if (!lw_map_to_hardware(&view->subject->map, lanes, &t->layout, err) ||
        !arrange(t, shared ? memory : distributed, shared ? 2 : 4, err))
        return false;
    const struct lw_dims *in = &t->map.in;
    t->registers = lw_dims_size(in, "register");
    t->lanes = lw_dims_size(in, "lane");
    t->warps = lw_dims_size(in, "warp");
    t->blocks = lw_dims_size(in, "block");
    t->offsets = lw_dims_size(in, "offset");
    if (shared) { /* Triton prints as many offsets as the tensor has elements */
        uint64_t total = (uint64_t)1 << lw_layout_out_bits(&t->layout);
        t->offsets = total / t->blocks;
    }
    return true;
}

bool lw_write_triton(const struct lw_view *view, const struct lw_export_options *options,
                     FILE *stream, struct lw_error *err)
{
    bool shared = lw_dims_find(&view->subject->map.in, "offset") >= 0;
    const char *natural = shared ? "memory" : "owners";
    struct triton t = {.stream = stream};
    bool whole = options->row_to - options->row_from == view->rows &&
                 options->col_to - options->col_from == view->cols;
    if (!is_shown(view, natural) && !is_shown(view, "hardware"))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "style triton prints view %s or hardware of this layout, not %s%s",
                            natural, view->type->name,
                            whole ? "" : ", and prints them whole, not some of their cells");
    if (!whole)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "style triton prints whole layouts: leave out the rows and columns");
    if (!prepare(&t, view, shared, err))
        return false;
    if (!is_shown(view, "hardware"))
        put_tensor(&t, shared ? put_held : put_owners, shared ? "," : ", ");
    else if (shared)
        put_shared_hardware(&t);
    else
        put_distributed_hardware(&t);
    return true;
}
