/*
 * Values of all threads at once: numbers as C computes with them, pointers, and what is in memory.
 *
 * A value has a number for each thread, in a vector on the stack of vectors. What is done with values is done for the
 * threads that run.
 */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"
#include "laneway/text.h"

#include <stdlib.h>
#include <string.h>

enum { ADDRESSES_MAX = 1 << 22 /* of all accesses */ };
#define ARRAY_BYTES_MAX ((int64_t)1 << 32)

typedef struct lw_cuda_run context;
typedef struct lw_cuda_token token;
typedef struct lw_cuda_type type;
typedef struct lw_cuda_value value;
__extension__ typedef __int128 wide; /* has every result of numbers of 64 bits */

/* ---- Errors ---- */

void lw_cuda_fail(context *run, enum lw_code code, const token *at, const char *format, ...)
{
    char what[LW_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    const bool is_of_values = code == LW_ERROR_PARAMETER || code == LW_ERROR_UNSUPPORTED;
    if (run->failed || (run->missing.length && is_of_values))
        return;
    lw_error_at(run->err, code, at->position, "%s", what);
    run->failed = true;
    run->at = run->ended;
}

void lw_cuda_refuse(context *run, const token *at, const char *what)
{
    lw_cuda_fail(run, LW_ERROR_SYNTAX, at, "%s", what);
}

/* The name of a thread, for an error: "thread (3,1,0)". */
static const char *thread_name(context *run, size_t thread)
{
    const size_t x = (size_t)run->cuda->block[0], y = (size_t)run->cuda->block[1];
    snprintf(run->thread, sizeof run->thread, "thread (%zu,%zu,%zu)", thread % x, thread / x % y,
             thread / x / y);
    return run->thread;
}

void *lw_cuda_allocate(context *run, struct lw_arena *arena, size_t size)
{
    void *memory = lw_arena_alloc(arena, size);
    if (!memory)
        lw_cuda_fail(run, LW_ERROR_MEMORY, run->ended, "out of memory");
    return memory;
}

/* ---- Types and numbers ---- */

/* Names of types. */
static const struct {
    const char *names;
    uint8_t bytes, parts;
    bool is_integer, is_unsigned;
} types[] = {
    {"void auto", 0, 1, false, false},
    {"char int8_t", 1, 1, true, false},
    {"bool uchar uint8_t", 1, 1, true, true},
    {"short int16_t", 2, 1, true, false},
    {"ushort uint16_t", 2, 1, true, true},
    {"int int32_t", 4, 1, true, false},
    {"uint uint32_t", 4, 1, true, true},
    {"long int64_t", 8, 1, true, false},
    {"uint64_t size_t", 8, 1, true, true},
    {"__nv_fp8_e4m3 __nv_fp8_e5m2", 1, 1, false, false},
    {"half __half __nv_bfloat16 nv_bfloat16", 2, 1, false, false},
    {"float", 4, 1, false, false},
    {"double", 8, 1, false, false},
    {"char2 uchar2", 2, 2, false, false},
    {"char4 uchar4", 4, 4, false, false},
    {"half2 __half2 __nv_bfloat162 nv_bfloat162 short2 ushort2", 4, 2, false, false},
    {"short4 ushort4", 8, 4, false, false},
    {"int2 uint2 float2", 8, 2, false, false},
    {"int4 uint4 float4", 16, 4, false, false},
    {"double2 longlong2 ulonglong2", 16, 2, false, false},
    {"dim3", 0, 3, false, false},
};

bool lw_cuda_type_named(const char *name, type *found)
{
    name += strncmp(name, "std::", 5) ? 0 : 5;
    size_t i = 0;
    while (i < LW_COUNT(types) && !lw_text_has_word(types[i].names, name))
        i++;
    if (i < LW_COUNT(types) && found)
        *found = (type){
            name, types[i].bytes, types[i].parts, types[i].is_integer, types[i].is_unsigned, false};
    return i < LW_COUNT(types);
}

type lw_cuda_integer(uint8_t bytes, bool is_unsigned)
{
    const char *name = bytes == 8 ? "long long" : is_unsigned ? "unsigned" : "int";
    return (type){name, bytes, 1, true, is_unsigned, false};
}

type lw_cuda_common_type(const type *a, const type *b)
{
    if (!a->is_integer || !b->is_integer)
        return a->is_integer ? *b : *a;
    const uint8_t bytes = a->bytes == 8 || b->bytes == 8 ? 8 : 4;
    return lw_cuda_integer(bytes, (a->bytes == bytes && a->is_unsigned) ||
                                      (b->bytes == bytes && b->is_unsigned));
}

/* A number in a type; UNKNOWN: the type is not computed with. */
static int64_t convert_one(const type *of, int64_t number)
{
    if (!of->is_integer || of->is_pointer || number == LW_CUDA_UNKNOWN)
        return LW_CUDA_UNKNOWN;
    if (of->bytes == 1 && !strcmp(of->name, "bool"))
        return number != 0;
    const int unused = 64 - 8 * of->bytes;
    const uint64_t bits = (uint64_t)number << unused;
    return of->is_unsigned ? (int64_t)(bits >> unused) : (int64_t)bits >> unused;
}

/* What an operator makes of two numbers; a divisor is not 0, and bits to shift by are in the type. */
static wide compute_one(enum lw_cuda_operator op, wide a, wide b)
{
    wide out = 0;
    switch (op) {
    case LW_CUDA_ADD:
        return a + b;
    case LW_CUDA_SUB:
        return a - b;
    case LW_CUDA_MUL:
        return a * b;
    case LW_CUDA_DIV:
        return a / b;
    case LW_CUDA_REM:
        return a % b;
    case LW_CUDA_AND:
        return a & b;
    case LW_CUDA_OR:
        return a | b;
    case LW_CUDA_XOR:
        return a ^ b;
    case LW_CUDA_SHL:
        return a * ((wide)1 << b);
    case LW_CUDA_SHR:
        return a >> b;
    case LW_CUDA_MIN:
        return a < b ? a : b;
    case LW_CUDA_MAX:
        return a > b ? a : b;
    case LW_CUDA_BREV:
        for (int i = 0; i < 32; i++)
            out |= (a >> i & 1) << (31 - i);
        return out;
    case LW_CUDA_POPC:
        return __builtin_popcount((uint32_t)a);
    case LW_CUDA_LESS:
        return a < b;
    case LW_CUDA_GREATER:
        return a > b;
    case LW_CUDA_LESS_EQUAL:
        return a <= b;
    case LW_CUDA_GREATER_EQUAL:
        return a >= b;
    case LW_CUDA_EQUAL:
        return a == b;
    default:
        return a != b;
    }
}

/* ---- Threads and vectors ---- */

bool lw_cuda_running(const context *run, size_t *t)
{
    while (*t < run->threads && run->state[*t] != LW_CUDA_RUNS)
        ++*t;
    return *t < run->threads;
}

bool lw_cuda_any_runs(const context *run)
{
    size_t first = 0;
    return lw_cuda_running(run, &first);
}

void lw_cuda_set_state(context *run, int from, int to)
{
    for (size_t t = 0; t < run->threads; t++)
        run->state[t] = run->state[t] == from ? to : run->state[t];
}

value lw_cuda_number(context *run, token *at, type of, int64_t number)
{
    size_t i = run->vector_count;
    if (i == LW_CUDA_VECTORS_MAX)
        lw_cuda_fail(run, LW_ERROR_LIMIT, at, "more than %d values at once", LW_CUDA_VECTORS_MAX);
    else if (!run->vectors[i])
        run->vectors[i] = lw_cuda_allocate(run, run->arena, run->threads * sizeof(int64_t));
    i = run->failed ? 0 : run->vector_count++; /* the first one is there in any case */
    for (size_t t = 0; t < run->threads; t++)
        run->vectors[i][t] = number;
    return (value){.type = of, .v = run->vectors[i], .at = at};
}

value lw_cuda_data(context *run, token *at)
{
    return lw_cuda_number(run, at, (type){"a value", 4, 1, false, false, false}, LW_CUDA_UNKNOWN);
}

value lw_cuda_copy(context *run, const value *a)
{
    value made = *a;
    made.v = lw_cuda_data(run, a->at).v;
    memcpy(made.v, a->v, run->threads * sizeof *made.v);
    return made;
}

void lw_cuda_retype(const context *run, value *a, const type *to)
{
    for (size_t t = 0; t < run->threads; t++)
        a->v[t] = convert_one(to, a->v[t]);
    a->type = *to;
}

int64_t lw_cuda_size(const context *run, const value *lvalue, int rank)
{
    const struct lw_cuda_array *array =
        lvalue->array ? &run->cuda->arrays[lvalue->array - 1] : NULL;
    int64_t bytes = lvalue->type.bytes;
    for (int r = 1; array && r <= rank && r <= array->rank; r++)
        bytes *= (int64_t)array->dims[array->rank - r];
    return bytes;
}

/* Moves a lvalue by numbers of what is in the array, or what the pointer points to, that it is; `sign`: 1 or -1. */
static void move(context *run, value *a, const value *by, int sign)
{
    const int64_t bytes = sign * lw_cuda_size(run, a, a->rank - 1);
    for (size_t t = 0; lw_cuda_running(run, &t); t++) {
        int64_t step;
        if (a->v[t] == LW_CUDA_UNKNOWN || by->v[t] == LW_CUDA_UNKNOWN)
            a->v[t] = LW_CUDA_UNKNOWN;
        else if (__builtin_mul_overflow(by->v[t], bytes, &step) ||
                 __builtin_add_overflow(a->v[t], step, &a->v[t]))
            lw_cuda_fail(run, LW_ERROR_PARAMETER, a->at, "%s: this address is beyond 64 bits",
                         thread_name(run, t));
    }
}

void lw_cuda_compute(context *run, const token *at, enum lw_cuda_operator op, value *a,
                     const value *b)
{
    const bool is_shift = op == LW_CUDA_SHL || op == LW_CUDA_SHR;
    const type int_type = lw_cuda_integer(4, false);
    if (a->is_address && !b->is_address && (op == LW_CUDA_ADD || op == LW_CUDA_SUB)) {
        move(run, a, b, op == LW_CUDA_SUB ? -1 : 1);
        a->is_array = false;
        return;
    }
    if (a->is_address || b->is_address) {
        lw_cuda_fail(run, LW_ERROR_SYNTAX, at,
                     "%s is not read of arrays and pointers but as in p + 1", at->text);
        return;
    }
    const type common = lw_cuda_common_type(&a->type, is_shift ? &int_type : &b->type);
    a->type = op >= LW_CUDA_POPC ? int_type : common;
    for (size_t t = 0; lw_cuda_running(run, &t); t++) {
        const int64_t x = convert_one(&common, a->v[t]),
                      y = is_shift ? b->v[t] : convert_one(&common, b->v[t]);
        a->v[t] = LW_CUDA_UNKNOWN;
        if (x == LW_CUDA_UNKNOWN || y == LW_CUDA_UNKNOWN)
            continue;
        if ((op == LW_CUDA_DIV || op == LW_CUDA_REM) && !y) {
            lw_cuda_fail(run, LW_ERROR_PARAMETER, at, "%s divides by zero", thread_name(run, t));
        } else if (is_shift && (y < 0 || y >= 8 * common.bytes)) {
            lw_cuda_fail(run, LW_ERROR_PARAMETER, at, "%s shifts by %lld bits", thread_name(run, t),
                         (long long)y);
        } else {
            const wide out = common.is_unsigned ? compute_one(op, (uint64_t)x, (uint64_t)y)
                                                : compute_one(op, x, y);
            a->v[t] = convert_one(&a->type, (int64_t)out);
            if (!common.is_unsigned && op != LW_CUDA_SHL && a->v[t] != out)
                lw_cuda_fail(run, LW_ERROR_PARAMETER, at,
                             "%s: %lld %.1s %lld is beyond the %d bits of the result",
                             thread_name(run, t), (long long)x, at->text, (long long)y,
                             8 * common.bytes);
        }
    }
}

/* ---- Arrays and accesses ---- */

/* The order of two accesses in the text: a load is before a store that is written there too. */
static int compare(const void *left, const void *right)
{
    const struct lw_cuda_access *a = left, *b = right;
    const int64_t x[] = {a->position.line, a->position.column, a->op, (int64_t)a->array, a->bytes},
                  y[] = {b->position.line, b->position.column, b->op, (int64_t)b->array, b->bytes};
    size_t i = 0;
    while (i + 1 < LW_COUNT(x) && x[i] == y[i])
        i++;
    return (x[i] > y[i]) - (x[i] < y[i]);
}

/* The number of an access, which is made the first time. */
static size_t access_of(context *run, const value *lvalue, enum lw_cuda_op op,
                        enum lw_cuda_atomic atomic)
{
    struct lw_cuda *cuda = run->cuda;
    const struct lw_cuda_access access = {.op = op,
                                          .atomic = atomic,
                                          .array = lvalue->array - 1,
                                          .bytes = lvalue->type.bytes,
                                          .position = lvalue->at->position};
    size_t i = 0;
    while (i < cuda->access_count && compare(&cuda->accesses[i], &access))
        i++;
    if (i == LW_CUDA_ACCESSES_MAX)
        lw_cuda_fail(run, LW_ERROR_LIMIT, lvalue->at, "more than %d accesses",
                     LW_CUDA_ACCESSES_MAX);
    else if (i == cuda->access_count)
        cuda->accesses[cuda->access_count++] = access;
    return i;
}

void lw_cuda_record(context *run, const value *lvalue, enum lw_cuda_op op,
                    enum lw_cuda_atomic atomic)
{
    uint64_t row[LW_CUDA_THREADS_MAX];
    const token *where = lvalue->at;
    const int64_t bytes = lvalue->type.bytes;
    if (!lvalue->array || run->failed || run->missing.length || !lw_cuda_any_runs(run))
        return;
    struct lw_cuda_array *array = &run->cuda->arrays[lvalue->array - 1];
    const uint64_t *block = run->cuda->block;
    const int64_t end = array->rank ? (int64_t)array->size : ARRAY_BYTES_MAX;
    const size_t i = access_of(run, lvalue, op, atomic);
    if (run->failed || (op == LW_CUDA_ATOMIC && !array->is_shared)) /* it is not counted */
        return;
    memset(row, 0xff, sizeof row);
    for (size_t t = 0; lw_cuda_running(run, &t); t++) {
        const int64_t at = lvalue->v[t];
        row[t] = (uint64_t)at;
        if (run->unsure)
            lw_cuda_fail(run, LW_ERROR_UNSUPPORTED, where,
                         "which threads access this depends on what is in memory");
        else if (at == LW_CUDA_UNKNOWN)
            lw_cuda_fail(
                run, LW_ERROR_UNSUPPORTED, where,
                "this address depends on what is in memory: --let NAME=@FILE gives an array its "
                "values");
        else if (at < 0 || at > end - bytes)
            lw_cuda_fail(run, LW_ERROR_PARAMETER, where,
                         "%s accesses byte %lld of %.40s, which has %llu; the block is (%d,%d,%d)",
                         thread_name(run, t), (long long)at, array->name,
                         (unsigned long long)array->size, (int)block[0], (int)block[1],
                         (int)block[2]);
        else if (((int64_t)array->base + at) % bytes)
            lw_cuda_fail(run, LW_ERROR_PARAMETER, where,
                         "%s accesses %d bytes at byte %lld of %.40s: not aligned, the kernel "
                         "would fail (misaligned address)",
                         thread_name(run, t), (int)bytes, (long long)at, array->name);
        if (!array->rank && row[t] + (uint64_t)bytes > array->size)
            array->size = row[t] + (uint64_t)bytes;
    }
    run->address_count += run->threads;
    if (run->address_count > ADDRESSES_MAX)
        lw_cuda_fail(run, LW_ERROR_LIMIT, where,
                     "more than %d addresses of all accesses: smaller loops show the same",
                     ADDRESSES_MAX);
    lw_text_bytes(&run->rows[i], (const char *)row, run->threads * sizeof *row);
}

void lw_cuda_finish(context *run)
{
    struct lw_cuda *cuda = run->cuda;
    for (size_t i = 0; i < cuda->access_count; i++) {
        struct lw_cuda_access *access = &cuda->accesses[i];
        struct lw_text *rows = &run->rows[i];
        access->times = rows->length / sizeof *access->addresses / run->threads;
        access->addresses = lw_cuda_allocate(run, &cuda->arena, rows->length);
        if (rows->failed)
            lw_cuda_fail(run, LW_ERROR_MEMORY, run->ended, "out of memory");
        else if (access->addresses)
            memcpy(access->addresses, lw_text_string(rows), rows->length);
        lw_text_free(rows);
    }
    qsort(cuda->accesses, cuda->access_count, sizeof *cuda->accesses, compare);
    for (size_t i = 0; i < cuda->array_count; i++) /* those without a length are after all others */
        if (cuda->arrays[i].is_shared && !cuda->arrays[i].rank)
            cuda->arrays[i].base = (run->shared_used + 15) / 16 * 16;
}

/* The numbers of an array of constants, where a value is. */
static void load_numbers(context *run, value *a)
{
    const struct lw_cuda_array *array = &run->cuda->arrays[a->array - 1];
    const int64_t bytes = a->type.bytes;
    for (size_t t = 0; lw_cuda_running(run, &t); t++) {
        const int64_t at = a->v[t];
        a->v[t] = LW_CUDA_UNKNOWN;
        if (at == LW_CUDA_UNKNOWN || bytes != array->bytes)
            continue;
        if (at >= 0 && (uint64_t)at < array->size)
            a->v[t] = convert_one(&a->type, run->numbers[a->array - 1][at / bytes]);
        else
            lw_cuda_fail(run, LW_ERROR_PARAMETER, a->at,
                         "%s: index %lld of %.40s, which has %llu values", thread_name(run, t),
                         (long long)(at / bytes), array->name, (unsigned long long)array->dims[0]);
    }
}

void lw_cuda_load(context *run, value *a)
{
    a->variable = NULL;
    if (!a->is_address || a->rank)
        return;
    a->is_address = false;
    if (a->array && run->numbers[a->array - 1]) {
        load_numbers(run, a);
        return;
    }
    lw_cuda_record(run, a, LW_CUDA_LOAD, LW_CUDA_INTEGER);
    for (size_t t = 0; t < run->threads; t++)
        a->v[t] = LW_CUDA_UNKNOWN;
}

void lw_cuda_merge(context *run, const token *at, value *to, const value *from, const type *as)
{
    const bool is_other = from->is_address && (!to->is_address || to->array != from->array);
    if (to->is_address && !lw_cuda_any_runs(run))
        return;
    for (size_t t = 0; t < run->threads; t++)
        if (run->state[t] == LW_CUDA_RUNS)
            to->v[t] = run->unsure        ? LW_CUDA_UNKNOWN
                       : from->is_address ? from->v[t]
                                          : convert_one(as, from->v[t]);
        else if (is_other && to->v[t] != LW_CUDA_UNKNOWN)
            lw_cuda_fail(
                run, LW_ERROR_UNSUPPORTED, at,
                "which array this points to depends on the thread: one array with one more dim "
                "has both");
    if (from->is_address) {
        to->is_address = true;
        to->rank = from->rank;
        to->array = from->array;
    }
    to->type = from->is_address ? from->type : to->is_address ? to->type : *as;
}

void lw_cuda_store(context *run, const token *at, const value *target, const value *from)
{
    struct lw_cuda_variable *variable = target->variable;
    const bool is_memory = target->is_address && !target->rank,
               is_constant = target->array && run->numbers[target->array - 1];
    if (is_memory && !is_constant)
        lw_cuda_record(run, target, LW_CUDA_STORE, LW_CUDA_INTEGER);
    else if (is_memory || target->is_array || (!variable && target->type.is_integer))
        lw_cuda_refuse(run, at, "this cannot be assigned to");
    else if (variable && from->is_address && !variable->type.is_pointer)
        lw_cuda_refuse(run, at, "a pointer is not read as a number");
    else if (variable)
        lw_cuda_merge(run, at, &variable->value, from, &variable->type);
}

void lw_cuda_index(context *run, value *a, const value *b)
{
    const struct lw_cuda_array *array = a->array ? &run->cuda->arrays[a->array - 1] : NULL;
    const int d = array && a->is_array ? array->rank - a->rank : -1; /* -1: no length is known */
    if (a->is_address && a->rank) {
        for (size_t t = 0; d >= 0 && lw_cuda_running(run, &t); t++)
            if (b->v[t] != LW_CUDA_UNKNOWN && run->cuda->warning.code == LW_OK &&
                (b->v[t] < 0 || (uint64_t)b->v[t] >= array->dims[d]))
                lw_error_at(&run->cuda->warning, LW_ERROR_PARAMETER, b->at->position,
                            "%s: index %lld of a dim of %llu", thread_name(run, t),
                            (long long)b->v[t], (unsigned long long)array->dims[d]);
        move(run, a, b, 1);
        a->rank--;
    } else if (a->is_address || a->type.is_integer || a->type.is_pointer) { /* else it is data */
        lw_cuda_refuse(run, a->at,
                       a->type.is_pointer ? "what this points to is not known: declare an array"
                                          : "this is no array");
    }
}
