/* The style `triton`: layouts exactly as Triton prints them (getDistributedLayoutStr and getSharedLayoutStr of
 * lib/Dialect/TritonGPU/IR/Dialect.cpp, release 3.7), written as a stream: an element's owners are computed when it is
 * printed. */

#include "core/tile.h"
#include "export/export_parts.h"
#include "view/view_parts.h"

#include <string.h>

struct triton {
    struct lw_map map; /* of the layout, its inputs in Triton's order */
    uint64_t registers, lanes, warps, blocks, offsets;
    FILE *stream;
};

/* Triton pads numbers to the digits of the size, not of the largest number. */
static void put_index(const struct triton *t, const uint64_t *out, char separator)
{
    const struct lw_dims *dims = &t->map.out;
    fputc('(', t->stream);
    for (int i = 0; i < dims->count; i++) {
        if (i)
            fputc(separator, t->stream);
        fprintf(t->stream, "%*llu", (int)lw_digits(dims->dim[i].size), (unsigned long long)out[i]);
    }
    fputc(')', t->stream);
}

/* ---- The tensor in nested brackets, with the owners of an element, or what shared memory has at its position ---- */

static void put_owners(const struct triton *t, const uint64_t *index)
{
    uint64_t in[LW_DIMS_MAX], count = lw_map_owner_count(&t->map, index);
    for (uint64_t k = 0; k < count && !ferror(t->stream); k++) {
        lw_map_owner(&t->map, index, k, in);
        uint64_t thread = in[1] + in[2] * t->lanes, threads = t->warps * t->lanes;
        size_t padding = lw_digits(t->blocks) - lw_digits(in[3]) + lw_digits(threads) -
                         lw_digits(thread) + lw_digits(t->registers) - lw_digits(in[0]);
        fprintf(t->stream, "%s%*s", k ? "|" : "", (int)padding, "");
        if (t->blocks > 1)
            fprintf(t->stream, "B%llu:", (unsigned long long)in[3]);
        fprintf(t->stream, "T%llu:%llu", (unsigned long long)thread, (unsigned long long)in[0]);
    }
}

static void put_tensor(const struct triton *t, bool shared)
{
    const struct lw_dims *dims = &t->map.out;
    uint64_t index[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX], flat = 0;
    int rank = dims->count, wrapped = rank;
    bool line = true;
    do {
        for (int i = 0; i < wrapped; i++)
            fputc('[', t->stream);
        for (int i = wrapped; line && i < rank; i++)
            fputc(' ', t->stream);
        /* in shared memory the element at the offset that the flat index is; with more blocks than elements Triton
         * prints nothing */
        const uint64_t offsets = t->offsets,
                       held[2] = {offsets ? flat % offsets : 0, offsets ? flat / offsets : 0};
        if (!shared)
            put_owners(t, index);
        else if (offsets && lw_map_apply(&t->map, held, out))
            put_index(t, out, ':');
        flat++;
        wrapped = 0; /* to the next index: how many of the last dims go back to 0 */
        for (int i = rank - 1; i >= 0 && ++index[i] >= dims->dim[i].size; i--) {
            index[i] = 0;
            wrapped++;
        }
        for (int i = 0; i < wrapped; i++)
            fputc(']', t->stream);
        line = wrapped > 0 || rank == 0;
        fputs(line ? "\n" : shared ? "," : ", ", t->stream);
    } while (wrapped < rank && !ferror(t->stream));
}

/* ---- The hardware's point of view ---- */

static void put_hardware(const struct triton *t, bool shared)
{
    uint64_t out[LW_DIMS_MAX];
    for (uint64_t block = 0; block < t->blocks; block++) {
        if (shared || t->blocks > 1)
            fprintf(t->stream, shared ? "Block: %llu:\n" : "Block%llu:\n",
                    (unsigned long long)block);
        for (uint64_t warp = 0; !shared && warp < t->warps && !ferror(t->stream); warp++) {
            fprintf(t->stream, "Warp%llu:\n", (unsigned long long)warp);
            for (uint64_t r = 0; r < t->registers && !ferror(t->stream); r++) {
                for (uint64_t lane = 0; lane < t->lanes; lane++) {
                    lw_map_apply(&t->map, (const uint64_t[4]){r, lane, warp, block}, out);
                    fputs(lane ? ", " : "", t->stream);
                    put_index(t, out, ',');
                }
                fputc('\n', t->stream);
            }
        }
        for (uint64_t offset = 0; shared && offset < t->offsets && !ferror(t->stream); offset++) {
            if (!lw_map_apply(&t->map, (const uint64_t[2]){offset, block}, out))
                break;
            fprintf(t->stream, "Offset: %llu -> ", (unsigned long long)offset);
            put_index(t, out, ',');
            fputc('\n', t->stream);
        }
    }
}

/* ---- Preparing ---- */

static bool prepare(struct triton *t, const struct lw_view *view, bool shared, struct lw_error *err)
{
    uint64_t lanes = lw_log2(view->subject->lanes) >= 0 ? view->subject->lanes : 32;
    struct lw_layout layout;
    if (!lw_map_to_hardware(&view->subject->map, lanes, &layout, err))
        return false;
    if (!lw_layout_with_ins(&layout, &layout, shared ? lw_shared_dims : lw_register_dims,
                            shared ? 2 : 4, NULL))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "Triton prints layouts of %s alone",
                            shared ? "offset and block" : "register, lane, warp and block");
    lw_map_from_layout(&t->map, &layout);
    const struct lw_dims *in = &t->map.in;
    t->registers = lw_dims_size(in, "register");
    t->lanes = lw_dims_size(in, "lane");
    t->warps = lw_dims_size(in, "warp");
    t->blocks = lw_dims_size(in, "block");
    /* Triton prints as many offsets as the tensor has elements. */
    t->offsets = shared ? ((uint64_t)1 << lw_layout_out_bits(&layout)) / t->blocks : 1;
    return true;
}

bool lw_write_triton(const struct lw_view *view, const struct lw_export_options *options,
                     FILE *stream, struct lw_error *err)
{
    bool shared = lw_dims_find(&view->subject->map.in, "offset") >= 0;
    const char *natural = shared ? "memory" : "owners";
    struct triton t = {.stream = stream};
    bool hardware = !strcmp(view->type->name, "hardware");
    if (!hardware && strcmp(view->type->name, natural) != 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "style triton prints view %s or hardware of this layout, not %s",
                            natural, view->type->name);
    if (!lw_is_whole(view, options))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "style triton prints whole layouts: leave out the rows and columns");
    if (!prepare(&t, view, shared, err))
        return false;
    (hardware ? put_hardware : put_tensor)(&t, shared);
    return true;
}
