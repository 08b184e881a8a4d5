/* Two kernels: which operation of the second one is which of the first.
 *
 * Operations are paired in rounds, each with a key: those that have it in common are paired in the order of the files.
 * The first key is the most exact one. What no round pairs came or went. */

#include "laneway/arena.h"
#include "laneway/kernel_cost.h"

#include "core/array_count.h"
#include "core/base_name.h"
#include "kernel/kernel_rules.h"

#include <stdlib.h>
#include <string.h>

/* What a key of a round has, beside the kind of the operation. */
enum { LINE = 1, DEPTH = 2, TENSOR = 4, LAYOUTS = 8 };

/* The last two are for lines that moved within the kernel. */
static const unsigned rounds[] = {LINE | DEPTH | TENSOR | LAYOUTS, LINE | DEPTH, LINE,
                                  DEPTH | TENSOR | LAYOUTS, DEPTH | TENSOR};

struct entry {
    const char *key;
    size_t index;
    int side;
};

struct pairing {
    const struct lw_kernel_costs *side[2];
    int first_line[2]; /* of the source: the least line of an operation; lines count from it */
    int *mate[2];      /* of each operation; -1: none */
    struct entry *entries;
    struct lw_arena keys; /* of one round */
};

/* ---- Keys ---- */

static int first_line(const struct lw_kernel *kernel)
{
    int least = 0;
    for (size_t i = 0; i < kernel->operation_count; i++) {
        const struct lw_location *at = kernel->operations[i].location;
        while (at && at->caller)
            at = at->caller;
        if (at && at->line && (!least || at->line < least))
            least = at->line;
    }
    return least;
}

static void put_key(struct lw_text *key, const struct pairing *pairing, int side, size_t i,
                    unsigned parts)
{
    const struct lw_kernel *kernel = pairing->side[side]->kernel;
    const struct lw_operation *operation = &kernel->operations[i];
    lw_text_add(key, operation->kind->name);
    for (const struct lw_location *at = operation->location; at && (parts & LINE); at = at->caller)
        lw_text_format(key, " %s:%d", lw_base_name(at->file),
                       at->line - (at->caller ? 0 : pairing->first_line[side]));
    if (parts & DEPTH)
        lw_text_format(key, "\n%d", lw_operation_depth(kernel, operation));
    lw_text_char(key, '\n');
    if (parts & TENSOR)
        lw_operation_print_tensor(key, kernel, operation);
    for (int end = 0; end < 2 && (parts & LAYOUTS); end++) {
        const int row = end ? operation->to : operation->from;
        const struct lw_kernel_type *type = row < 0 ? NULL : &kernel->types[row];
        lw_text_char(key, '\n');
        if (type && type->encoding)
            lw_encoding_print(key, type->encoding);
        else if (type)
            lw_text_add(key, kernel->encodings[type->layout].text);
    }
}

static int by_key(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;
    const int order = strcmp(left->key, right->key);
    return order ? order
           : left->side != right->side
               ? left->side - right->side
               : (left->index > right->index) - (left->index < right->index);
}

/* ---- Rounds ---- */

/* Pairs operations without a mate that have equal keys. False when memory is out. */
static bool run_round(struct pairing *pairing, unsigned parts)
{
    struct entry *entries = pairing->entries;
    size_t count = 0;
    bool good = true;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < pairing->side[side]->kernel->operation_count; i++) {
            struct lw_text key = {0};
            if (pairing->mate[side][i] >= 0)
                continue;
            put_key(&key, pairing, side, i, parts);
            const char *kept =
                key.failed ? NULL
                           : lw_arena_string(&pairing->keys, lw_text_string(&key), key.length);
            lw_text_free(&key);
            entries[count++] = (struct entry){kept ? kept : "", i, side};
            good = good && kept;
        }
    qsort(entries, count, sizeof *entries, by_key);
    for (size_t from = 0, to; good && from < count; from = to) {
        size_t after = from;
        for (to = from; to < count && !strcmp(entries[to].key, entries[from].key); to++)
            after += !entries[to].side;
        for (size_t i = from; i < after && after + (i - from) < to; i++) {
            const size_t a = entries[i].index, b = entries[after + (i - from)].index;
            pairing->mate[0][a] = (int)b;
            pairing->mate[1][b] = (int)a;
        }
    }
    lw_arena_free(&pairing->keys);
    return good;
}

/* ---- What changed ---- */

static enum lw_change change_of(const struct pairing *pairing, size_t a, size_t b)
{
    const struct lw_kernel_costs *before = pairing->side[0], *after = pairing->side[1];
    const unsigned missing = lw_kernel_cost_missing(&before->costs[a]),
                   missing_after = lw_kernel_cost_missing(&after->costs[b]);
    struct lw_text keys[2] = {0};
    put_key(&keys[0], pairing, 0, a, DEPTH | TENSOR | LAYOUTS);
    put_key(&keys[1], pairing, 1, b, DEPTH | TENSOR | LAYOUTS);
    const bool equal = !strcmp(lw_text_string(&keys[0]), lw_text_string(&keys[1]));
    lw_text_free(&keys[0]);
    lw_text_free(&keys[1]);
    if (missing || missing_after) /* costs that are not counted are equal when the hardware is */
        return equal && missing == missing_after && before->hardware == after->hardware
                   ? LW_CHANGE_NONE
                   : LW_CHANGE_UNKNOWN;
    const struct lw_kernel_rank rank = lw_kernel_rank_of(before, a),
                                rank_after = lw_kernel_rank_of(after, b);
    const int order = lw_kernel_rank_compare(&rank, &rank_after);
    return order < 0 ? LW_CHANGE_DEARER
           : order   ? LW_CHANGE_CHEAPER
           : equal   ? LW_CHANGE_NONE
                     : LW_CHANGE_OTHER;
}

const char *lw_change_name(enum lw_change change)
{
    static const char *const names[] = {
        [LW_CHANGE_DEARER] = "dearer",       [LW_CHANGE_CAME] = "came",
        [LW_CHANGE_UNKNOWN] = "not counted", [LW_CHANGE_OTHER] = "changed",
        [LW_CHANGE_CHEAPER] = "cheaper",     [LW_CHANGE_WENT] = "went",
        [LW_CHANGE_NONE] = "equal"};
    return (unsigned)change < LW_CHANGES ? names[change] : "";
}

struct ranked {
    struct lw_kernel_pair pair;
    struct lw_kernel_rank rank; /* of the two sides, that which costs more */
};

static int by_change(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    const struct lw_kernel_pair *p = &left->pair, *q = &right->pair;
    const int by_rank = lw_kernel_rank_compare(&right->rank, &left->rank);
    return p->change != q->change ? (int)p->change - (int)q->change
           : by_rank              ? by_rank
           : p->after != q->after ? p->after - q->after
                                  : p->before - q->before;
}

/* Lists the pairs, and what has none. */
static void list_rows(const struct pairing *pairing, struct ranked *rows, size_t *count)
{
    const struct lw_kernel_costs *before = pairing->side[0], *after = pairing->side[1];
    for (size_t i = 0; i < after->kernel->operation_count; i++) {
        const int mate = pairing->mate[1][i];
        struct ranked row = {{mate, (int)i, LW_CHANGE_CAME}, lw_kernel_rank_of(after, i)};
        if (mate >= 0) {
            row.pair.change = change_of(pairing, (size_t)mate, i);
            if (row.pair.change == LW_CHANGE_CHEAPER)
                row.rank = lw_kernel_rank_of(before, (size_t)mate);
        }
        rows[(*count)++] = row;
    }
    for (size_t i = 0; i < before->kernel->operation_count; i++)
        if (pairing->mate[0][i] < 0)
            rows[(*count)++] =
                (struct ranked){{(int)i, -1, LW_CHANGE_WENT}, lw_kernel_rank_of(before, i)};
    qsort(rows, *count, sizeof *rows, by_change);
}

bool lw_kernel_pairs_make(struct lw_kernel_pairs *pairs, const struct lw_kernel_costs *before,
                          const struct lw_kernel_costs *after, struct lw_error *err)
{
    struct pairing pairing = {.side = {before, after}};
    size_t most = 1;
    bool good = true;
    *pairs = (struct lw_kernel_pairs){0};
    for (int side = 0; side < 2; side++) {
        size_t count = pairing.side[side]->kernel->operation_count;
        pairing.first_line[side] = first_line(pairing.side[side]->kernel);
        pairing.mate[side] = malloc((count + 1) * sizeof(int));
        good = good && pairing.mate[side];
        for (size_t i = 0; good && i < count; i++)
            pairing.mate[side][i] = -1;
        most += count;
    }
    struct ranked *rows = calloc(most, sizeof *rows);
    pairing.entries = calloc(most, sizeof *pairing.entries);
    pairs->pair = calloc(most, sizeof *pairs->pair);
    good = good && rows && pairing.entries && pairs->pair;
    for (size_t i = 0; good && i < LW_COUNT(rounds); i++)
        good = run_round(&pairing, rounds[i]);
    if (good)
        list_rows(&pairing, rows, &pairs->count);
    for (size_t i = 0; i < pairs->count; i++)
        pairs->pair[i] = rows[i].pair;
    free(pairing.entries);
    free(pairing.mate[0]);
    free(pairing.mate[1]);
    free(rows);
    if (!good)
        lw_kernel_pairs_free(pairs);
    return good || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

void lw_kernel_pairs_free(struct lw_kernel_pairs *pairs)
{
    free(pairs->pair);
    memset(pairs, 0, sizeof *pairs);
}
