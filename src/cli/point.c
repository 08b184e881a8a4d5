/*
 * A hardware index, set name by name: by the dims of the layout, or by names that split or join them. `thread` sets
 * lane and warp, lane and warp set parts of `thread`; register and local are synonyms.
 */

#include "cli/load.h"

#include <string.h>

/* One digit that a name sets: in[dim] += value / divide % modulo * times. `covers` has a bit for each part of a dim
 * (two per dim: the low part, the high part), to find parts that are set twice. */
struct part {
    int dim;
    uint64_t divide, modulo, times;
    unsigned covers;
};

struct meaning {
    int count;
    struct part part[2];
    uint64_t size; /* how many values the name may take */
};

enum { LOW = 1, HIGH = 2 };

static void add_part(struct meaning *meaning, int dim, uint64_t divide, uint64_t modulo,
                     uint64_t times, unsigned which)
{
    if (meaning->count == 0)
        meaning->size = 1;
    meaning->size *= modulo;
    meaning->part[meaning->count++] = (struct part){dim, divide, modulo, times, which << (2 * dim)};
}

static void add_dim(struct meaning *meaning, const struct lw_dims *in, int dim, uint64_t divide)
{
    add_part(meaning, dim, divide, in->dim[dim].size, 1, LOW | HIGH);
}

/* Adds the meaning of lane or warp in a layout that numbers threads. */
static void add_thread(struct meaning *meaning, const struct lw_subject *subject, int thread,
                       const char *name)
{
    uint64_t threads = subject->map.in.dim[thread].size;
    uint64_t lanes = subject->lanes < threads ? subject->lanes : threads;
    if (!strcmp(name, "lane"))
        add_part(meaning, thread, 1, lanes, 1, LOW);
    else
        add_part(meaning, thread, 1, (threads + lanes - 1) / lanes, lanes, HIGH);
}

static bool find_meaning(struct meaning *meaning, const struct lw_subject *subject,
                         const char *name)
{
    const struct lw_dims *in = &subject->map.in;
    int dim = lw_dims_find(in, name), lane = lw_dims_find(in, "lane");
    int warp = lw_dims_find(in, "warp"), thread = lw_dims_find(in, "thread");
    const uint64_t first[LW_DIMS_MAX] = {0};
    uint64_t value;
    memset(meaning, 0, sizeof *meaning);
    if (!strcmp(name, "reg") && dim < 0) /* its name in printed code */
        name = "register";
    if (dim < 0 && !strcmp(name, "register") && (dim = lw_dims_find(in, name)) < 0)
        dim = lw_dims_find(in, "local");
    else if (dim < 0 && !strcmp(name, "local"))
        dim = lw_dims_find(in, "register");
    if (dim >= 0) {
        add_dim(meaning, in, dim, 1);
    } else if (lane >= 0 && !strcmp(name, "thread")) {
        add_dim(meaning, in, lane, 1);
        if (warp >= 0)
            add_dim(meaning, in, warp, in->dim[lane].size);
    } else if (thread >= 0 && (!strcmp(name, "lane") || !strcmp(name, "warp")) &&
               lw_subject_field(subject, name, first, NULL, &value)) {
        add_thread(meaning, subject, thread, name);
    }
    return meaning->count > 0;
}

static bool unknown_dim(const struct lw_dims *in, const char *name, struct lw_error *err)
{
    struct lw_text names = {0};
    for (int i = 0; i < in->count; i++)
        lw_text_format(&names, "%s%s", i ? ", " : "", in->dim[i].name);
    lw_error_set(err, LW_ERROR_NAME, "unknown dim '%.40s': this layout has %s", name,
                 lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

static bool out_of_range(const char *name, uint64_t value, uint64_t size, struct lw_error *err)
{
    return lw_error_set(err, LW_ERROR_PARAMETER, "%s = %llu: must be from 0 to %llu", name,
                        (unsigned long long)value, (unsigned long long)size - 1);
}

bool lw_point_set(struct lw_point *point, const struct lw_subject *subject, const char *name,
                  uint64_t value, struct lw_error *err)
{
    struct meaning meaning;
    if (!find_meaning(&meaning, subject, name))
        return unknown_dim(&subject->map.in, name, err);
    if (value >= meaning.size)
        return out_of_range(name, value, meaning.size, err);
    for (int i = 0; i < meaning.count; i++) {
        const struct part *part = &meaning.part[i];
        if (point->set_dims & part->covers)
            return lw_error_set(err, LW_ERROR_NAME, "duplicate '%s'",
                                subject->map.in.dim[part->dim].name);
        point->set_dims |= part->covers;
        point->in[part->dim] += value / part->divide % part->modulo * part->times;
    }
    return true;
}

bool lw_point_check(const struct lw_point *point, const struct lw_dims *dims, struct lw_error *err)
{
    for (int i = 0; i < dims->count; i++)
        if (point->in[i] >= dims->dim[i].size)
            return out_of_range(dims->dim[i].name, point->in[i], dims->dim[i].size, err);
    return true;
}
