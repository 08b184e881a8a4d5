/*
 * Values of all threads at once: numbers as C computes with them, pointers, and what is in memory.
 *
 * A value has a number for each thread, in a vector on the stack of vectors. What is done with values is done for the
 * threads that run.
 */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"
#include "laneway/text.h"

#include <string.h>

enum { ADDRESSES_MAX = 1 << 22 /* of all accesses */ };
#define ARRAY_BYTES_MAX ((int64_t)1 << 32)

typedef struct lw_cuda_run context;
typedef struct lw_cuda_token token;
typedef struct lw_cuda_type type;
typedef struct lw_cuda_value value;

/* ---- Errors ---- */

void lw_cuda_fail(context *run, enum lw_code code, const token *at, const char *format, ...)
{
    char what[LW_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (!run->failed)
        lw_error_at(run->err, code, at->position, "%s", what);
    run->failed = true;
    run->at = run->ended;
}

void lw_cuda_refuse(context *run, const token *at, const char *what)
{
    lw_cuda_fail(run, LW_ERROR_SYNTAX, at, "%s", what);
}

static void fail_thread(context *run, struct lw_error *err, size_t thread, const token *at,
                        const char *format, ...) LW_PRINTF(5, 6);

/* What a thread does, after its index: "thread (3,1,0) divides by zero". A warning has an error of its own, which does
 * not end the text. In the trial nothing is reported. */
static void fail_thread(context *run, struct lw_error *err, size_t thread, const token *at,
                        const char *format, ...)
{
    const size_t x = (size_t)run->cuda->block[0], y = (size_t)run->cuda->block[1];
    char what[200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (run->is_trial || run->failed || err->code != LW_OK)
        return;
    lw_error_at(err, LW_ERROR_PARAMETER, at->position, "thread (%zu,%zu,%zu)%s", thread % x,
                thread / x % y, thread / x / y, what);
    run->failed = err == run->err;
    run->at = run->failed ? run->ended : run->at;
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
    {"dim3", 12, 3, false, false},
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

/* What an operator makes of two numbers of a type; UNKNOWN: it has no result in it. */
static int64_t compute_one(enum lw_cuda_operator op, const type *of, int64_t a, int64_t b)
{
    const bool is_unsigned = of->is_unsigned;
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    const int order = is_unsigned ? (x > y) - (x < y) : (a > b) - (a < b);
    bool overflows = false;
    int64_t out;
    switch (op) {
    case LW_CUDA_ADD:
        overflows = __builtin_add_overflow(a, b, &out);
        break;
    case LW_CUDA_SUB:
        overflows = __builtin_sub_overflow(a, b, &out);
        break;
    case LW_CUDA_MUL:
        overflows = __builtin_mul_overflow(a, b, &out);
        break;
    case LW_CUDA_DIV:
        if (!b) /* INT64_MIN, which is UNKNOWN, is not divided */
            return LW_CUDA_UNKNOWN;
        out = is_unsigned ? (int64_t)(x / y) : a / b;
        break;
    case LW_CUDA_REM:
        if (!b || (!is_unsigned && b == -1 && a == INT32_MIN && of->bytes == 4))
            return LW_CUDA_UNKNOWN;
        out = is_unsigned ? (int64_t)(x % y) : a % b;
        break;
    case LW_CUDA_AND:
        out = a & b;
        break;
    case LW_CUDA_OR:
        out = a | b;
        break;
    case LW_CUDA_XOR:
        out = a ^ b;
        break;
    case LW_CUDA_SHL:
    case LW_CUDA_SHR:
        if (b < 0 || b >= 8 * of->bytes)
            return LW_CUDA_UNKNOWN;
        if (op == LW_CUDA_SHL)
            out = convert_one(of, (int64_t)(x << b));
        else
            out = is_unsigned ? (int64_t)(x >> b) : a >> b;
        break;
    case LW_CUDA_MIN:
    case LW_CUDA_MAX:
        return (order < 0) == (op == LW_CUDA_MIN) ? a : b;
    case LW_CUDA_BREV:
        out = 0;
        for (int i = 0; i < 32; i++)
            out |= (a >> i & 1) << (31 - i);
        return out;
    case LW_CUDA_POPC:
        return __builtin_popcount((uint32_t)a);
    case LW_CUDA_LESS:
        return order < 0;
    case LW_CUDA_GREATER:
        return order > 0;
    case LW_CUDA_LESS_EQUAL:
        return order <= 0;
    case LW_CUDA_GREATER_EQUAL:
        return order >= 0;
    case LW_CUDA_EQUAL:
        return a == b;
    default:
        return a != b;
    }
    if (is_unsigned)
        return convert_one(of, out);
    return !overflows && (of->bytes == 8 || out == (int32_t)out) ? out : LW_CUDA_UNKNOWN;
}
/* ---- Threads and vectors ---- */

size_t lw_cuda_running(const context *run, size_t from)
{
    while (from < run->threads && run->state[from] != LW_CUDA_RUNS)
        from++;
    return from;
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
    return (value){.kind = LW_CUDA_NUMERIC, .type = of, .v = run->vectors[i], .at = at};
}

value lw_cuda_data(context *run, token *at)
{
    return lw_cuda_number(run, at, (type){"a value", 4, 1, false, false, false}, LW_CUDA_UNKNOWN);
}

void lw_cuda_replace(const context *run, value *a, const value *b)
{
    int64_t *v = a->v;
    token *at = a->at;
    memmove(v, b->v, run->threads * sizeof *v);
    *a = *b;
    a->v = v;
    a->at = at;
}

value lw_cuda_copy(context *run, const value *a)
{
    value made = lw_cuda_data(run, a->at);
    lw_cuda_replace(run, &made, a);
    return made;
}

void lw_cuda_retype(const context *run, value *a, const type *to)
{
    for (size_t t = 0; t < run->threads; t++)
        a->v[t] = convert_one(to, a->v[t]);
    a->type = *to;
}

/* Moves a pointer, or what is in memory, by numbers of elements of `bytes`. */
static void move(context *run, value *a, const value *by, int64_t bytes)
{
    for (size_t t = lw_cuda_running(run, 0); t < run->threads; t = lw_cuda_running(run, t + 1)) {
        int64_t step;
        if (a->v[t] == LW_CUDA_UNKNOWN || by->v[t] == LW_CUDA_UNKNOWN)
            a->v[t] = LW_CUDA_UNKNOWN;
        else if (__builtin_mul_overflow(by->v[t], bytes, &step) ||
                 __builtin_add_overflow(a->v[t], step, &a->v[t]))
            fail_thread(run, run->err, t, a->at, ": this address is beyond 64 bits");
    }
}

void lw_cuda_compute(context *run, const token *at, enum lw_cuda_operator op, value *a, value *b)
{
    const bool is_shift = op == LW_CUDA_SHL || op == LW_CUDA_SHR;
    const type int_type = lw_cuda_integer(4, false);
    if (a->kind == LW_CUDA_POINTER && b->kind == LW_CUDA_NUMERIC &&
        (op == LW_CUDA_ADD || op == LW_CUDA_SUB)) {
        move(run, a, b, op == LW_CUDA_SUB ? -a->type.bytes : a->type.bytes);
        a->row = a->column = (struct lw_position){0};
        return;
    }
    if (a->kind != LW_CUDA_NUMERIC || b->kind != LW_CUDA_NUMERIC) {
        lw_cuda_fail(run, LW_ERROR_SYNTAX, at,
                     "%s is not read of arrays and pointers but as in p + 1", at->text);
        return;
    }
    const type common = lw_cuda_common_type(&a->type, is_shift ? &int_type : &b->type);
    a->type = op >= LW_CUDA_POPC ? int_type : common;
    for (size_t t = lw_cuda_running(run, 0); t < run->threads; t = lw_cuda_running(run, t + 1)) {
        const int64_t x = convert_one(&common, a->v[t]),
                      y = is_shift ? b->v[t] : convert_one(&common, b->v[t]);
        a->v[t] = LW_CUDA_UNKNOWN;
        if (x == LW_CUDA_UNKNOWN || y == LW_CUDA_UNKNOWN)
            continue;
        a->v[t] = compute_one(op, &common, x, y);
        if (a->v[t] != LW_CUDA_UNKNOWN)
            continue;
        if ((op == LW_CUDA_DIV || op == LW_CUDA_REM) && !y)
            fail_thread(run, run->err, t, at, " divides by zero");
        else if (is_shift)
            fail_thread(run, run->err, t, at, " shifts by %lld bits", (long long)y);
        else
            fail_thread(run, run->err, t, at,
                        ": %lld %.1s %lld is beyond the %d bits of the result", (long long)x,
                        at->text, (long long)y, 8 * common.bytes);
    }
}

/* ---- Arrays and accesses ---- */

size_t lw_cuda_add_array(context *run, token *name, const struct lw_cuda_array *array)
{
    struct lw_cuda *cuda = run->cuda;
    if (!array->bytes)
        lw_cuda_fail(run, LW_ERROR_SYNTAX, name, "what %.40s points to has no size that is known",
                     name->text);
    if (cuda->array_count == LW_CUDA_ARRAYS_MAX)
        lw_cuda_fail(run, LW_ERROR_LIMIT, name, "more than %d arrays", LW_CUDA_ARRAYS_MAX);
    if (!run->is_trial && !run->failed && !name->array) {
        cuda->arrays[cuda->array_count] = *array;
        name->array = ++cuda->array_count;
        run->shared_used = array->is_shared ? array->base + array->size : run->shared_used;
    }
    return name->array;
}

/* The access of a position in the text; NULL: it fails. It is made the first time, in the order of the text, a load
 * before a store that is written there too. */
static struct lw_cuda_access *access_of(context *run, const value *lvalue, enum lw_cuda_op op,
                                        enum lw_cuda_atomic atomic)
{
    struct lw_cuda_access *const accesses = run->cuda->accesses;
    const size_t array = lvalue->array - 1, count = run->cuda->access_count;
    const struct lw_position where = lvalue->at->position;
    const unsigned bytes = lvalue->type.bytes;
    size_t at = count;
    for (size_t i = 0; i < count; i++)
        if (run->sites[i] == lvalue->at && accesses[i].op == op && accesses[i].array == array &&
            accesses[i].bytes == bytes)
            return &accesses[i];
    if (count == LW_CUDA_ACCESSES_MAX) {
        lw_cuda_fail(run, LW_ERROR_LIMIT, lvalue->at, "more than %d accesses",
                     LW_CUDA_ACCESSES_MAX);
        return NULL;
    }
    for (; at; at--) {
        const struct lw_position b = accesses[at - 1].position;
        if (b.line != where.line       ? b.line < where.line
            : b.column != where.column ? b.column < where.column
                                       : accesses[at - 1].op <= op)
            break;
        accesses[at] = accesses[at - 1];
        run->sites[at] = run->sites[at - 1];
    }
    run->sites[at] = lvalue->at;
    accesses[at] = (struct lw_cuda_access){op,          atomic,         array, bytes, where,
                                           lvalue->row, lvalue->column, 0,     NULL};
    run->cuda->access_count++;
    return &accesses[at];
}

/* One more row of addresses, all of them inactive; NULL: it fails. */
static uint64_t *new_row(context *run, struct lw_cuda_access *access, const token *at)
{
    const size_t times = access->times, row = run->threads * sizeof(uint64_t);
    if (!(times & (times - 1))) { /* there is room for a power of two of them */
        run->address_count += (times ? times : 1) * run->threads;
        if (run->address_count > 2 * (size_t)ADDRESSES_MAX)
            lw_cuda_fail(run, LW_ERROR_LIMIT, at,
                         "more than %d addresses of all accesses: smaller loops show the same",
                         ADDRESSES_MAX);
        uint64_t *more =
            run->failed ? NULL
                        : lw_cuda_allocate(run, &run->cuda->arena, (times ? 2 * times : 1) * row);
        if (!more)
            return NULL;
        if (times)
            memcpy(more, access->addresses, times * row);
        access->addresses = more;
    }
    return memset(access->addresses + access->times++ * run->threads, 0xff, row);
}

void lw_cuda_record(context *run, const value *lvalue, enum lw_cuda_op op,
                    enum lw_cuda_atomic atomic)
{
    const token *where = lvalue->at;
    const int64_t bytes = lvalue->type.bytes;
    if (!lvalue->array || run->failed || lw_cuda_running(run, 0) == run->threads)
        return;
    if (bytes & (bytes - 1)) {
        lw_cuda_refuse(run, where,
                       "an instruction moves 1, 2, 4, 8 or 16 bytes: access its parts, .x");
        return;
    }
    struct lw_cuda_array *array = &run->cuda->arrays[lvalue->array - 1];
    const uint64_t *block = run->cuda->block;
    const int64_t end = array->rank ? (int64_t)array->size : ARRAY_BYTES_MAX;
    struct lw_cuda_access *access = access_of(run, lvalue, op, atomic);
    const bool is_counted = op != LW_CUDA_ATOMIC || array->is_shared;
    uint64_t *row = access && is_counted ? new_row(run, access, where) : NULL;
    for (size_t t = lw_cuda_running(run, 0); row && t < run->threads;
         t = lw_cuda_running(run, t + 1)) {
        const int64_t at = lvalue->v[t];
        if (run->unsure)
            lw_cuda_fail(run, LW_ERROR_UNSUPPORTED, where,
                         "which threads access this depends on what is in memory");
        else if (at == LW_CUDA_UNKNOWN)
            lw_cuda_fail(
                run, LW_ERROR_UNSUPPORTED, where,
                "this address depends on what is in memory: --let NAME=@FILE gives an array its "
                "values");
        else if (at < 0 || at > end - bytes)
            fail_thread(run, run->err, t, where,
                        " accesses byte %lld of %.40s, which has %llu; the block is (%d,%d,%d)",
                        (long long)at, array->name, (unsigned long long)array->size, (int)block[0],
                        (int)block[1], (int)block[2]);
        else if (((int64_t)array->base + at) % bytes)
            fail_thread(run, run->err, t, where,
                        " accesses %d bytes at byte %lld of %.40s: not aligned, the kernel would "
                        "fail (misaligned address)",
                        (int)bytes, (long long)at, array->name);
        if (run->failed)
            return;
        row[t] = (uint64_t)at;
        if (!array->rank && row[t] + (uint64_t)bytes > array->size)
            array->size = row[t] + (uint64_t)bytes;
    }
}

void lw_cuda_load(context *run, value *a)
{
    if (a->kind == LW_CUDA_VARIABLE) {
        lw_cuda_replace(run, a, &a->variable->value);
    } else if (a->kind == LW_CUDA_LVALUE && a->rank) {
        a->kind = LW_CUDA_POINTER;
        a->rank = 0;
    } else if (a->kind == LW_CUDA_LVALUE) {
        lw_cuda_record(run, a, LW_CUDA_LOAD, LW_CUDA_INTEGER);
        a->kind = LW_CUDA_NUMERIC;
        for (size_t t = 0; t < run->threads; t++)
            a->v[t] = LW_CUDA_UNKNOWN;
    } else if (a->kind == LW_CUDA_LIST) {
        lw_cuda_refuse(run, a->at, "the values of an array are read one by one, with an index");
    }
}

void lw_cuda_merge(context *run, const token *at, value *to, const value *from, const type *as)
{
    const bool is_pointer = from->kind == LW_CUDA_POINTER,
               is_other = is_pointer && (to->kind != LW_CUDA_POINTER || to->array != from->array);
    if (to->kind == LW_CUDA_POINTER && lw_cuda_running(run, 0) == run->threads)
        return;
    for (size_t t = 0; t < run->threads; t++)
        if (run->state[t] == LW_CUDA_RUNS)
            to->v[t] = run->unsure  ? LW_CUDA_UNKNOWN
                       : is_pointer ? from->v[t]
                                    : convert_one(as, from->v[t]);
        else if (is_other && to->v[t] != LW_CUDA_UNKNOWN)
            lw_cuda_fail(
                run, LW_ERROR_UNSUPPORTED, at,
                "which array this points to depends on the thread: one array with one more dim "
                "has both");
    to->kind = is_pointer ? LW_CUDA_POINTER : to->kind;
    to->array = is_pointer ? from->array : to->array;
    to->type = is_pointer ? from->type : to->kind == LW_CUDA_NUMERIC ? *as : to->type;
}

void lw_cuda_store(context *run, const token *at, const value *target, const value *from)
{
    struct lw_cuda_variable *variable = target->kind == LW_CUDA_VARIABLE ? target->variable : NULL;
    bool is_assigned = variable || target->kind == LW_CUDA_NUMERIC;
    for (size_t t = lw_cuda_running(run, 0); target->kind == LW_CUDA_NUMERIC && t < run->threads;
         t = lw_cuda_running(run, t + 1)) /* v = a[i], v.x = a[i] */
        is_assigned = is_assigned && target->v[t] == LW_CUDA_UNKNOWN;
    if (target->kind == LW_CUDA_LVALUE && !target->rank)
        lw_cuda_record(run, target, LW_CUDA_STORE, LW_CUDA_INTEGER);
    else if (!is_assigned)
        lw_cuda_refuse(run, at, "this cannot be assigned to");
    else if (variable && from->kind == LW_CUDA_POINTER && !variable->type.is_pointer)
        lw_cuda_refuse(run, at, "a pointer is not read as a number");
    else if (variable)
        lw_cuda_merge(run, at, &variable->value, from, &variable->type);
    for (size_t t = 0; t < run->threads && variable && run->is_trial; t++)
        variable->value.v[t] = LW_CUDA_UNKNOWN;
}

/* ---- Casts and indices ---- */

void lw_cuda_cast(context *run, token *at, value *a, type to)
{
    lw_cuda_load(run, a);
    a->at = at;
    if (!to.is_pointer && a->kind != LW_CUDA_NUMERIC)
        lw_cuda_refuse(run, at, "a pointer is not read as a number");
    else if (!to.is_pointer)
        lw_cuda_retype(run, a, &to);
    else if ((a->kind != LW_CUDA_POINTER && !a->type.is_pointer) || !to.bytes)
        lw_cuda_refuse(run, at, "expected a pointer to memory, and a type with a size");
    to.is_pointer = to.is_pointer && a->kind != LW_CUDA_POINTER;
    a->type = to;
}

/* a[b] of values that are given. */
static void index_list(context *run, value *a, const value *b)
{
    const struct lw_cuda_let *let = a->let;
    for (size_t t = 0; t < run->threads; t++) {
        const int64_t i = b->v[t];
        const bool is_in = i >= 0 && (size_t)i < let->count;
        a->v[t] = is_in ? convert_one(&a->type, let->values[i]) : LW_CUDA_UNKNOWN;
        if (!is_in && i != LW_CUDA_UNKNOWN && run->state[t] == LW_CUDA_RUNS)
            fail_thread(run, run->err, t, a->at, ": index %lld of %.40s, which has %zu values",
                        (long long)i, let->name, let->count);
    }
    a->kind = LW_CUDA_NUMERIC;
}

void lw_cuda_index(context *run, value *a, const value *b, struct lw_position inside)
{
    const bool is_first = b->at->kind == LW_CUDA_NUMBER && !b->at->value; /* of a pointer */
    const struct lw_cuda_array *array = a->array ? &run->cuda->arrays[a->array - 1] : NULL;
    if (a->kind == LW_CUDA_VARIABLE)
        lw_cuda_load(run, a);
    int64_t bytes = a->type.bytes;
    if (a->kind == LW_CUDA_LIST) {
        index_list(run, a, b);
        return;
    }
    if (a->kind == LW_CUDA_LVALUE && a->rank) {
        const int d = array ? array->rank - a->rank : 0; /* below 0: an array without a length */
        for (int i = d + 1; array && i < array->rank; i++)
            bytes *= (int64_t)array->dims[i];
        for (size_t t = lw_cuda_running(run, 0); array && d >= 0 && t < run->threads;
             t = lw_cuda_running(run, t + 1))
            if (b->v[t] != LW_CUDA_UNKNOWN && (b->v[t] < 0 || (uint64_t)b->v[t] >= array->dims[d]))
                fail_thread(run, &run->cuda->warning, t, b->at, ": index %lld of a dim of %llu",
                            (long long)b->v[t], (unsigned long long)array->dims[d]);
        a->rank--;
        a->row = a->column;
        a->column = inside;
    } else if (a->kind == LW_CUDA_POINTER) {
        a->kind = LW_CUDA_LVALUE;
        a->row = is_first ? a->row : (struct lw_position){0};
        a->column = is_first && a->column.line ? a->column : inside;
    } else if (a->kind == LW_CUDA_NUMERIC && !a->type.is_integer && !a->type.is_pointer) {
        bytes = 0; /* a part of a vector in registers */
    } else {
        lw_cuda_refuse(run, a->at,
                       a->type.is_pointer ? "what this points to is not known: declare an array"
                                          : "this is no array");
    }
    move(run, a, b, bytes);
}

void lw_cuda_part(context *run, value *a, int part)
{
    if (a->kind == LW_CUDA_LVALUE && !a->rank && a->type.parts > 1) {
        a->type.bytes = (uint8_t)(a->type.bytes / a->type.parts);
        for (size_t t = 0; t < run->threads; t++)
            a->v[t] += a->v[t] != LW_CUDA_UNKNOWN ? part * a->type.bytes : 0;
        a->type.parts = 1;
    } else {
        const value data = lw_cuda_data(run, a->at);
        lw_cuda_replace(run, a, &data);
    }
    a->type.is_integer = false;
}

void lw_cuda_update(context *run, const token *at, value *a, value *b, bool gives_old)
{
    value old = lw_cuda_copy(run, a);
    lw_cuda_load(run, &old);
    value new = lw_cuda_copy(run, &old);
    lw_cuda_compute(run, at, at->sign->op, &new, b);
    lw_cuda_store(run, at, a, &new);
    lw_cuda_replace(run, a, gives_old ? &old : &new);
}
