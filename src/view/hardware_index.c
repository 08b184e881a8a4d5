/* Hardware indices and elements: the owners of an element, copies, vectors; and how they are written.
 * All in closed form: nothing here counts up to the size of a tensor. */

#include "view/view_parts.h"
#include "core/map_kinds.h"

#include <string.h>

/* ---- Owners ---- */

void lw_owners_of(struct lw_owners *owners, const struct lw_map *map, const uint64_t *out)
{
    const struct lw_solver *solver = &map->as.linear.solver;
    owners->map = map;
    owners->count = lw_map_replication(map);
    owners->least = 0;
    memcpy(owners->out, out, (size_t)map->out.count * sizeof *out);
    for (int i = 0; i < map->out.count; i++)
        if (out[i] >= map->out.dim[i].size)
            owners->count = 0;
    if (owners->count && map->kind == LW_MAP_LINEAR &&
        !lw_solver_solve(solver, lw_dims_flatten(&map->out, out), &owners->least))
        owners->count = 0;
    if (owners->count && (map->kind == LW_MAP_STRIDED || map->kind == LW_MAP_TABLE))
        owners->count = lw_map_owner_count(map, out);
}

void lw_owners_get(const struct lw_owners *owners, uint64_t k, uint64_t *in)
{
    const struct lw_map *map = owners->map;
    if (map->kind == LW_MAP_LINEAR)
        lw_dims_unflatten(&map->in, lw_solver_answer(&map->as.linear.solver, owners->least, k), in);
    else
        lw_map_owner(map, owners->out, k, in);
}

bool lw_is_hardware_index(const struct lw_map *map, const uint64_t *in)
{
    for (int i = 0; i < map->in.count; i++)
        if (in[i] >= map->in.dim[i].size)
            return false;
    return true;
}

/* ---- Replication ---- */

static bool replicates(const struct lw_mode *mode)
{
    return mode->out_dim < 0 && mode->size > 1;
}

int lw_replication_count(const struct lw_map *map)
{
    int count = 0;
    if (map->kind == LW_MAP_LINEAR)
        return map->as.linear.solver.nullity;
    if (map->kind != LW_MAP_MIXED) {
        uint64_t copies = lw_map_replication(map) - 1;
        return copies < INT32_MAX ? (int)copies : INT32_MAX;
    }
    for (int i = 0; i < map->as.mixed.count; i++)
        count += replicates(&map->as.mixed.mode[i]);
    return count;
}

/* Replicating mode number i. */
static const struct lw_mode *replicating_mode(const struct lw_map *map, int i)
{
    for (int m = 0; m < map->as.mixed.count; m++)
        if (replicates(&map->as.mixed.mode[m]) && i-- == 0)
            return &map->as.mixed.mode[m];
    return NULL;
}

void lw_replication_index(const struct lw_map *map, int i, uint64_t *in)
{
    memset(in, 0, LW_DIMS_MAX * sizeof *in);
    if (map->kind == LW_MAP_LINEAR) {
        lw_dims_unflatten(&map->in, map->as.linear.solver.null_space[i], in);
    } else if (map->kind != LW_MAP_MIXED) {
        uint64_t zero[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX];
        lw_map_apply(map, zero, out);
        lw_map_owner(map, out, (uint64_t)i + 1, in);
    } else {
        const struct lw_mode *mode = replicating_mode(map, i);
        in[mode->in_dim] = mode->in_stride;
    }
}

void lw_put_copies(struct lw_text *text, const struct lw_map *map)
{
    uint64_t in[LW_DIMS_MAX];
    if (map->kind == LW_MAP_TABLE) {
        lw_text_add(text, lw_map_is_even(map) ? "" : "up to ");
        lw_text_number(text, map->as.table.copies);
        lw_text_add(text, map->as.table.element ? " hardware indices hold each element"
                                                : " cells of the table fall on each element");
        return;
    }
    if (map->kind == LW_MAP_STRIDED) {
        lw_text_number(text, map->as.strided.copies);
        lw_text_add(text, " hardware indices hold each element: strides of 0");
        return;
    }
    for (int i = 0; i < lw_replication_count(map) && !lw_text_full(text); i++) {
        if (map->kind == LW_MAP_LINEAR) {
            lw_replication_index(map, i, in);
            lw_text_add(text, i ? ", " : "");
            lw_put_bits(text, &map->in, in);
        } else {
            const struct lw_mode *mode = replicating_mode(map, i);
            lw_text_format(text, "%s%s + %llu*d, d = 0..%llu", i ? "; " : "",
                           lw_dim_title(&map->in.dim[mode->in_dim]),
                           (unsigned long long)mode->in_stride, (unsigned long long)mode->size - 1);
        }
    }
}

void lw_put_free_bits(struct lw_text *text, const struct lw_layout *layout)
{
    uint64_t masks[LW_DIMS_MAX];
    bool some = false;
    lw_layout_free_masks(layout, masks);
    for (int d = 0; d < layout->in.count; d++)
        for (int b = 0; b < LW_BITS_MAX && masks[d] >> b; b++)
            if (masks[d] >> b & 1) {
                lw_text_format(text, "%s%s.%d", some ? ", " : "", layout->in.dim[d].name, b);
                some = true;
            }
}

const struct lw_layout *lw_map_layout(const struct lw_map *map)
{
    return map->kind == LW_MAP_LINEAR   ? &map->as.linear.layout
           : map->kind == LW_MAP_PADDED ? &map->as.padded.layout
                                        : NULL;
}

uint64_t lw_element_index(const struct lw_dims *dims, const uint64_t *out)
{
    uint64_t index = 0;
    for (int i = 0; i < dims->count; i++)
        index = index * dims->dim[i].size + out[i];
    return index;
}

bool lw_element_at(const struct lw_dims *dims, uint64_t number, uint64_t *out)
{
    for (int d = dims->count - 1; d >= 0; d--) {
        out[d] = number % dims->dim[d].size;
        number /= dims->dim[d].size;
    }
    return number == 0;
}

/* ---- Writers ---- */

size_t lw_digits(uint64_t number)
{
    size_t digits = 1;
    while (number /= 10)
        digits++;
    return digits;
}

void lw_put_element(struct lw_text *text, int count, const uint64_t *out)
{
    lw_text_char(text, '(');
    for (int i = 0; i < count; i++) {
        if (i)
            lw_text_char(text, ',');
        lw_text_number(text, out[i]);
    }
    lw_text_char(text, ')');
}

size_t lw_element_width(const struct lw_dims *dims)
{
    size_t width = 2;
    for (int i = 0; i < dims->count; i++)
        width += lw_digits(dims->dim[i].size - 1) + (i > 0);
    return width;
}

const char *lw_dim_title(const struct lw_dim *dim)
{
    return strcmp(dim->name, "local") != 0 ? dim->name : "register";
}

static bool is_trivial(const struct lw_dim *dim)
{
    return dim->size == 1 && !strcmp(dim->name, "block");
}

void lw_put_hardware_index(struct lw_text *text, const struct lw_dims *dims, const uint64_t *in)
{
    bool some = false;
    for (int i = dims->count - 1; i >= 0; i--)
        if (!is_trivial(&dims->dim[i])) {
            lw_text_add(text, some ? ", " : "");
            lw_text_add(text, lw_dim_title(&dims->dim[i]));
            lw_text_char(text, ' ');
            lw_text_number(text, in[i]);
            some = true;
        }
}

void lw_put_hardware_index_short(struct lw_text *text, const struct lw_dims *dims,
                                 const uint64_t *in, int skip)
{
    bool some = false;
    for (int i = dims->count - 1; i >= 0; i--)
        if (i != skip && !is_trivial(&dims->dim[i])) {
            lw_text_add(text, some ? " " : "");
            const char *name = lw_dim_title(&dims->dim[i]); /* one letter for the common dims */
            if (lw_text_has_word(" register lane warp block ", name))
                lw_text_char(text, name[0]);
            else
                lw_text_format(text, "%s ", name);
            lw_text_number(text, in[i]);
            some = true;
        }
}

void lw_put_bits(struct lw_text *text, const struct lw_dims *dims, const uint64_t *in)
{
    bool some = false;
    for (int i = 0; i < dims->count; i++)
        if (in[i]) {
            lw_text_add(text, some ? " ^ " : "");
            lw_text_add(text, dims->dim[i].name);
            lw_text_char(text, '=');
            lw_text_number(text, in[i]);
            some = true;
        }
    if (!some)
        lw_text_char(text, '0');
}

void lw_put_binary(struct lw_text *text, uint64_t number, uint64_t size)
{
    int bits = 1;
    while (bits < 64 && ((size - 1) >> bits || number >> bits))
        bits++;
    lw_text_add(text, "0b");
    while (bits-- > 0)
        lw_text_char(text, number >> bits & 1 ? '1' : '0');
}

void lw_put_set_from(struct lw_text *text, uint64_t set, uint64_t first, int max)
{
    int ranges = 0;
    while (set) {
        int from = __builtin_ctzll(set);
        uint64_t rest = ~(set >> from);
        int count = rest ? __builtin_ctzll(rest) : 64;
        lw_text_add(text, ranges ? "," : "");
        if (ranges++ == max) {
            lw_text_add(text, "...");
            return;
        }
        lw_text_number(text, first + (uint64_t)from);
        if (count > 1) {
            lw_text_char(text, count > 2 ? '-' : ',');
            lw_text_number(text, first + (uint64_t)from + (uint64_t)count - 1);
        }
        if (from + count >= 64)
            return;
        set = set >> (from + count) << (from + count);
    }
}

void lw_put_set(struct lw_text *text, uint64_t set, int max)
{
    lw_put_set_from(text, set, 0, max);
}
