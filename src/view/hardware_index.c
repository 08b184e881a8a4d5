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

/* Appends "-3": the last one of a run. */
static void put_end(struct lw_text *text, uint64_t first, uint64_t run)
{
    if (run > 1)
        lw_text_format(text, "-%llu", (unsigned long long)(first + run - 1));
}

void lw_put_held_from(struct lw_text *text, const struct lw_map *map,
                      const struct lw_owner_dims *dims, struct lw_slot slot, size_t columns)
{
    enum { REST = 18 }; /* columns of "  ... 8192 in all" */
    const uint64_t registers = dims->reg < 0 ? 1 : map->in.dim[dims->reg].size;
    const int last = map->out.count - 1;
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX], run;
    int along;
    const uint64_t found = lw_map_vector(map, &along), vector = along == last ? found : 1;
    size_t fits = 0;
    for (uint64_t left = registers; left && text->length <= columns; left -= run) {
        run = vector - slot.reg % vector;
        run = run < left ? run : left;
        if (lw_slot_index(map, dims->lanes, &slot, in) && lw_map_apply(map, in, out)) {
            fits = text->length + REST <= columns ? text->length : fits;
            lw_text_format(text, "%sr%llu", text->length ? "  " : "", (unsigned long long)slot.reg);
            put_end(text, slot.reg, run);
            lw_text_char(text, ' ');
            lw_put_element(text, last + 1, out);
            lw_text_cut(text, text->length - 1);
            put_end(text, last < 0 ? 0 : out[last], run);
            lw_text_char(text, ')');
        }
        slot.reg = (slot.reg + run) % registers;
    }
    if (text->length > columns) {
        lw_text_cut(text, fits);
        lw_text_format(text, "  ... %llu in all", (unsigned long long)registers);
    }
}

void lw_put_copies_of(struct lw_text *text, const struct lw_map *map, const uint64_t *out,
                      size_t columns)
{
    uint64_t in[LW_DIMS_MAX];
    size_t fits = text->length;
    for (uint64_t k = 1; text->length <= columns && lw_map_owner(map, out, k, in); k++) {
        fits = text->length;
        lw_text_add(text, k > 1 ? ", " : "; also ");
        lw_put_hardware_index_short(text, &map->in, in, -1);
    }
    if (text->length > columns)
        lw_text_cut(text, fits);
}
