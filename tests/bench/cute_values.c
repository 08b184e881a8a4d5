/* usage: cute_values OPERATION OPERAND...
 *
 * How long an operation of CuTe's algebra takes through the library, on values that are made before, and its result;
 * for cute_operations.py, which has the operations. Asserts nothing.
 */

#include "encoding/cute/cute_parts.h"
#include "laneway/calc.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define MANY 20000
#define TIMES 5

struct operands {
    struct lw_cute_layout a, b; /* layouts, by their place */
    struct lw_cute_tuple first; /* the operands as tuples */
    struct lw_cute_tuple second;
};

/* What a call gives: a layout or a number. */
struct given {
    struct lw_cute_layout layout;
    struct lw_cute_tuple number;
};

typedef bool operation(struct lw_cute_work *work, const struct operands *on, struct given *out);

#define OPERATION(name, call)                                                                      \
    static bool name(struct lw_cute_work *work, const struct operands *on, struct given *out)      \
    {                                                                                              \
        (void)work;                                                                                \
        return call;                                                                               \
    }
#define FORM(name, of, form) OPERATION(name, of(work, &on->a, &on->second, form, &out->layout))

OPERATION(coalesce, lw_cute_coalesce(work, &on->a, NULL, &out->layout))
OPERATION(composition, lw_cute_composition(work, &on->a, &on->second, &out->layout))
OPERATION(complement, lw_cute_complement(work, &on->a, &on->second, &out->layout))
OPERATION(right_inverse, lw_cute_right_inverse(work, &on->a, &out->layout))
OPERATION(left_inverse, lw_cute_left_inverse(work, &on->a, &out->layout))
FORM(logical_divide, lw_cute_divide, LW_CUTE_LOGICAL)
FORM(zipped_divide, lw_cute_divide, LW_CUTE_ZIPPED)
FORM(tiled_divide, lw_cute_divide, LW_CUTE_TILED)
FORM(logical_product, lw_cute_multiply, LW_CUTE_LOGICAL)
FORM(zipped_product, lw_cute_multiply, LW_CUTE_ZIPPED)
FORM(tiled_product, lw_cute_multiply, LW_CUTE_TILED)
OPERATION(blocked_product, lw_cute_blocked_product(work, &on->a, &on->b, false, &out->layout))
OPERATION(raked_product, lw_cute_blocked_product(work, &on->a, &on->b, true, &out->layout))
OPERATION(size, (out->number = lw_cute_integer(lw_cute_size(&on->a), false), true))
OPERATION(cosize, (out->number = lw_cute_integer(lw_cute_cosize(&on->a), false), true))
OPERATION(crd2idx, lw_cute_crd2idx(work, &on->first, &on->b.shape, &on->b.stride, &out->number))

#define ROW(name, is_number)                                                                       \
    {                                                                                              \
#name, name, is_number                                                                     \
    }
static const struct {
    const char *name;
    operation *run;
    bool is_number; /* what it gives */
} operations[] = {
    ROW(coalesce, false),       ROW(composition, false),   ROW(complement, false),
    ROW(right_inverse, false),  ROW(left_inverse, false),  ROW(logical_divide, false),
    ROW(zipped_divide, false),  ROW(tiled_divide, false),  ROW(logical_product, false),
    ROW(zipped_product, false), ROW(tiled_product, false), ROW(blocked_product, false),
    ROW(raked_product, false),  ROW(size, true),           ROW(cosize, true),
    ROW(crd2idx, true),
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Reads an operand, as a layout and as a tuple. */
static bool read(struct lw_arena *arena, const char *text, struct lw_cute *cute,
                 struct lw_cute_tuple *tuple)
{
    struct lw_calc_work work = {.arena = arena};
    struct lw_calc_result result;
    struct lw_error err;
    if (!lw_calc(text, NULL, 0, &work, &result, &err)) {
        fprintf(stderr, "%s: %s\n", text, err.message);
        return false;
    }
    *tuple = result.as.tree;
    if (lw_calc_cute(&result))
        *cute = *lw_calc_cute(&result);
    return true;
}

/* Prints the seconds of a call, the least of some times, and its result. */
static bool bench(operation *run, const struct operands *on, bool is_number)
{
    struct lw_arena arena = {0};
    struct lw_cute_work work = {.arena = &arena};
    struct lw_text text = {0};
    struct given given;
    double least = 0;
    bool good = true;
    for (int time = 0; time < TIMES; time++) {
        double start = now();
        for (int i = 0; i < MANY && good; i++) {
            lw_arena_clear(&arena);
            good = run(&work, on, &given);
        }
        double spent = (now() - start) / MANY;
        least = time == 0 || spent < least ? spent : least;
    }
    if (good && is_number)
        lw_cute_tuple_print(&text, &given.number);
    else if (good)
        lw_cute_layout_print(&text, &given.layout);
    printf("%.9f %s\n", least, lw_text_string(&text));
    lw_text_free(&text);
    lw_arena_free(&arena);
    return good;
}

int main(int argc, char **argv)
{
    struct lw_arena arena = {0};
    struct lw_cute first = {0}, second = {0};
    struct operands on = {0};
    bool good = argc > 2 && read(&arena, argv[2], &first, &on.first) &&
                (argc < 4 || read(&arena, argv[3], &second, &on.second));
    on.a = first.layout;
    on.b = second.layout;
    for (size_t i = 0; good && i < sizeof operations / sizeof *operations; i++)
        if (!strcmp(operations[i].name, argv[1]))
            good = bench(operations[i].run, &on, operations[i].is_number);
    if (argc < 3)
        printf("cute_operations.py runs it\n");
    lw_arena_free(&arena);
    return argc < 3 || good ? 0 : 1;
}
