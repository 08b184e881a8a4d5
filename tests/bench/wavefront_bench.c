/*
 * How many instructions on shared memory the simulator costs in a second of one core, and how many wavefront by
 * wavefront. The last line is the instructions counted on an H200, over and over. Prints a table and asserts nothing.
 */

#include "laneway/wavefront.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROWS_MAX 2048

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static volatile unsigned sink;

/* Millions of instructions a second: the best of five runs of about 50 ms. */
static double rate(const struct lw_access *accesses, size_t count, bool all)
{
    static struct lw_wavefronts wavefronts;
    const struct lw_bank_model *model = lw_hardware_default()->banks;
    double best = 0;
    for (int round = 0; round < 5; round++) {
        double start = now(), took = 0;
        size_t done = 0, next = 0;
        unsigned sum = 0;
        for (; (took = now() - start) < 0.05; done += 4096)
            for (size_t i = 0; i < 4096; i++) {
                const struct lw_access *access = &accesses[next];
                struct lw_cost cost;
                if (all && lw_access_wavefronts(model, access, &wavefronts, NULL))
                    sum += wavefronts.count;
                else if (!all && lw_access_cost(model, access, &cost, NULL))
                    sum += cost.wavefronts;
                next = next + 1 < count ? next + 1 : 0;
            }
        sink = sum;
        best = (double)done / took > best ? (double)done / took : best;
    }
    return best / 1e6;
}

static void row(const char *name, const struct lw_access *accesses, size_t count)
{
    printf("  %-44s %10.1f %14.1f\n", name, rate(accesses, count, false),
           rate(accesses, count, true));
}

static struct lw_access strided(enum lw_access_op op, unsigned width, uint64_t stride)
{
    struct lw_access access = {.op = op, .width = width, .active = 0xffffffff};
    for (unsigned i = 0; i < 32; i++)
        access.address[i] = stride * i;
    access.matrices = op == LW_ACCESS_LDMATRIX ? 4 : 0;
    return access;
}

/* The op, width, mask and offsets of tests/golden/banks_h200.csv. */
static size_t read_counted(struct lw_access *accesses)
{
    const char *root = getenv("LANEWAY_ROOT");
    char path[1024], line[1024];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/tests/golden/banks_h200.csv", root ? root : ".");
    FILE *file = fopen(path, "r");
    while (file && count < ROWS_MAX && fgets(line, sizeof line, file)) {
        struct lw_access *access = &accesses[count];
        const char *op = strtok(line, ",");
        if (!op || !strcmp(op, "op"))
            continue;
        bool load = op[0] == 'l', matrix = op[1] == 'm';
        memset(access, 0, sizeof *access);
        access->op = matrix ? (load ? LW_ACCESS_LDMATRIX : LW_ACCESS_STMATRIX)
                            : (load ? LW_ACCESS_LOAD : LW_ACCESS_STORE);
        access->matrices = matrix ? (unsigned)atoi(op + 2) : 0;
        access->width = (unsigned)atoi(strtok(NULL, ","));
        access->active = strtoull(strtok(NULL, ","), NULL, 16);
        strtok(NULL, ",");
        strtok(NULL, ",");
        for (int lane = 0; lane < 32; lane++)
            access->address[lane] = strtoull(strtok(NULL, ","), NULL, 10);
        count++;
    }
    if (file)
        fclose(file);
    return count;
}

int main(void)
{
    static struct lw_access counted[ROWS_MAX];
    struct lw_access one = strided(LW_ACCESS_LOAD, 4, 4), column = strided(LW_ACCESS_LOAD, 4, 128);
    struct lw_access wide = strided(LW_ACCESS_STORE, 16, 16), swizzled = column;
    struct lw_access matrix = strided(LW_ACCESS_LDMATRIX, 16, 128);
    for (unsigned i = 0; i < 32; i++)
        swizzled.address[i] ^= 4 * (31 - i);
    for (unsigned i = 0; i < 32; i++)
        matrix.address[i] ^= 16 * (7 - i % 8);
    size_t count = read_counted(counted);
    printf("  %-44s %10s %14s\n", "million instructions a second", "cost", "wavefronts");
    row("32 neighbouring words", &one, 1);
    row("a column of 32 words, 32-way", &column, 1);
    row("the same column, swizzled", &swizzled, 1);
    row("16 bytes a lane", &wide, 1);
    row("ldmatrix.x4, swizzled", &matrix, 1);
    if (count)
        row("those counted on an H200", counted, count);
    return 0;
}
