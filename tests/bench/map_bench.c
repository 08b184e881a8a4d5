/*
 * How long the core takes: one call of apply, owners, compose, invert, of maps and layouts; reading
 * and building a source. Prints tables and asserts nothing. Each number is the least of several
 * runs.
 */

#include "laneway/document.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* What a run computes goes here, so that nothing is computed in vain. */
static volatile uint64_t sink;

/* One thing to be measured: `run` does it `times` times. */
struct task {
    const char *name;
    void (*run)(const void *what, long times);
    const void *what;
};

/* Nanoseconds of one call: the number of calls grows until they take 10 ms, then the best of 5. */
static double measure(const struct task *task)
{
    long times = 1;
    double best = 0;
    for (;; times *= 4) {
        double start = now();
        task->run(task->what, times);
        best = now() - start;
        if (best > 1e7 || times > 1L << 28)
            break;
    }
    for (int round = 0; round < 4; round++) {
        double start = now();
        task->run(task->what, times);
        double took = now() - start;
        best = took < best ? took : best;
    }
    return best / (double)times;
}

/* ---- Layouts and maps ---- */

struct subject {
    const char *source;
    struct lw_document doc;
    struct lw_map map;
    struct lw_layout layout; /* the zero value when the map is not linear */
    bool linear;
};

static bool open_subject(struct subject *subject, const char *source)
{
    struct lw_error err;
    memset(subject, 0, sizeof *subject);
    subject->source = source;
    if (!lw_document_open(&subject->doc, source, NULL, &err)) {
        printf("  (%s cannot be read: %s)\n", source, err.message);
        return false;
    }
    if (!lw_document_build(&subject->doc, &subject->map, &err)) {
        printf("  (%s cannot be built: %s)\n", source, err.message);
        lw_document_free(&subject->doc);
        return false;
    }
    subject->linear = lw_map_to_layout(&subject->map, &subject->layout, NULL);
    return true;
}

/* Another point each time, within the dims; k counts the calls. */
static void point_of(const struct lw_dims *dims, uint64_t k, uint64_t *point)
{
    for (int i = 0; i < dims->count; i++) {
        uint64_t size = dims->dim[i].size;
        point[i] = size & (size - 1) ? k * 7 % size : k * 7 & (size - 1);
    }
}

static void run_apply(const void *what, long times)
{
    const struct lw_map *map = what;
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX] = {0}, sum = 0;
    for (long k = 0; k < times; k++) {
        point_of(&map->in, (uint64_t)k, in);
        lw_map_apply(map, in, out);
        sum += out[0];
    }
    sink = sum;
}

static void run_owner(const void *what, long times)
{
    const struct lw_map *map = what;
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX], sum = 0;
    for (long k = 0; k < times; k++) {
        point_of(&map->out, (uint64_t)k, out);
        lw_map_owner(map, out, 0, in);
        sum += in[0];
    }
    sink = sum;
}

static void run_owners(const void *what, long times)
{
    const struct lw_map *map = what;
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX], sum = 0;
    for (long k = 0; k < times; k++) {
        point_of(&map->out, (uint64_t)k, out);
        uint64_t count = lw_map_owner_count(map, out);
        for (uint64_t i = 0; i < count; i++)
            if (lw_map_owner(map, out, i, in))
                sum += in[0];
    }
    sink = sum;
}

static void run_make_map(const void *what, long times)
{
    struct lw_map map;
    for (long k = 0; k < times; k++) {
        lw_map_from_layout(&map, what);
        sink = (uint64_t)map.as.linear.solver.rank;
    }
}

static void run_pseudoinvert(const void *what, long times)
{
    struct lw_layout inverse;
    for (long k = 0; k < times; k++)
        sink = lw_layout_pseudoinvert(&inverse, what, NULL);
}

static void run_invert(const void *what, long times)
{
    struct lw_layout inverse;
    for (long k = 0; k < times; k++)
        sink = lw_layout_invert(&inverse, what, NULL);
}

/* After its own pseudoinverse: the projection onto the least owners. */
static void run_compose(const void *what, long times)
{
    struct lw_layout inverse, both;
    if (!lw_layout_pseudoinvert(&inverse, what, NULL))
        return;
    for (long k = 0; k < times; k++)
        sink = lw_layout_compose(&both, what, &inverse, NULL);
}

static void run_invert_and_compose(const void *what, long times)
{
    struct lw_layout both;
    for (long k = 0; k < times; k++)
        sink = lw_layout_invert_and_compose(&both, what, what, LW_IDENTITY_SIZED, NULL);
}

static void run_parse(const void *what, long times)
{
    const struct subject *subject = what;
    struct lw_document doc;
    for (long k = 0; k < times; k++)
        if (lw_document_open(&doc, subject->source, NULL, NULL))
            lw_document_free(&doc);
}

static void run_build(const void *what, long times)
{
    const struct subject *subject = what;
    struct lw_map map;
    for (long k = 0; k < times; k++)
        sink = lw_document_build(&subject->doc, &map, NULL);
}

static void bench_subject(const char *source)
{
    struct subject subject;
    printf("\n%s\n", source);
    if (!open_subject(&subject, source))
        return;
    const struct task tasks[] = {
        {"read", run_parse, &subject},
        {"check and build", run_build, &subject},
        {"apply", run_apply, &subject.map},
        {"one owner", run_owner, &subject.map},
        {"all owners", run_owners, &subject.map},
        {"map from layout", run_make_map, &subject.layout},
        {"compose", run_compose, &subject.layout},
        {"invert", run_invert, &subject.layout},
        {"pseudoinvert", run_pseudoinvert, &subject.layout},
        {"invert and compose", run_invert_and_compose, &subject.layout},
    };
    int count = (int)(sizeof tasks / sizeof *tasks) - (subject.linear ? 0 : 5);
    for (int i = 0; i < count; i++)
        printf("  %-20s %10.1f ns\n", tasks[i].name, measure(&tasks[i]));
    lw_document_free(&subject.doc);
}

int main(void)
{
    bench_subject("local(2, 1).spatial(8, 4).local(1, 2)");
    bench_subject("local(3, 4).spatial(2, 3)");
    bench_subject("reduce(spatial(8, 4).local(4, 4), dims=[0])");
    bench_subject("#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], "
                  "warpsPerCTA = [4, 1], order = [1, 0]}>");
    bench_subject("tensor<128x128xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = "
                  "[4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>");
    return 0;
}
