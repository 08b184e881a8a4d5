/*
 * Running the tokens of a text, by all threads of the block at once.
 *
 * A value has a number for each thread, in a vector. A thread runs, or it waits at a level: that of the branch or the
 * loop at whose end it runs again. So an expression is computed, and a statement executed, for the threads that run,
 * and an access of theirs is one row of addresses. A vector is on a stack until its statement ends; that of a variable
 * until its block ends.
 *
 * What no thread runs is executed for none of them, which finds what is not C++. From the first name without a value on
 * nothing is accessed, and each loop runs once: more such names are found. After an error the text is at its end.
 */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"
#include "laneway/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MAX = 128, /* of operators and statements in each other */
    ARGUMENTS_MAX = 3,
    TOKEN_WORK = 32, /* a token is read in about the time of computing for that many threads */
    NAMES_MAX = 512,
    VECTORS_MAX = 8192,
    ARRAYS_MAX = 256,
    REGISTERS = ARRAYS_MAX + 1, /* the array of what is in no memory */
    ACCESSES_MAX = 1024,
    ACCESS_WORK = 8, /* an access costs as much as that many tokens, which bounds the addresses */
    RUNS = 0,        /* the state of a thread; else it waits at that level */
    RETURNED = -1    /* or it never runs again */
};
#define ARRAY_BYTES_MAX ((int64_t)1 << 32)
#define UNKNOWN INT64_MIN            /* a number that is in memory, or that is not computed */
__extension__ typedef __int128 wide; /* has every result of numbers of 64 bits */

typedef struct lw_cuda_token token;
typedef struct lw_cuda_type type;

/* A value: an address, which loads what is there, or else a number, or data. A variable is one that has a name. */
typedef struct value {
    size_t array;  /* 1 + the number of the array, or REGISTERS; 0: it is no address */
    bool is_array; /* what is there is an array of the text, or one in it, and has its lengths */
    int rank;  /* of an address: the dims that are left; 0: one element is meant; a pointer has 1 */
    type type; /* of an address that of an element */
    int64_t *v;             /* of each thread the number, or the byte in the array, or UNKNOWN */
    struct value *variable; /* whose value it is; NULL: of none */
    token *at;              /* where it begins */
    const char *name;       /* of a variable */
} value;

/* The state of a run. */
typedef struct {
    struct lw_cuda *cuda;
    struct lw_arena *arena; /* what is not needed after the run */
    struct lw_cuda_program program;
    struct lw_error *err;
    bool failed;      /* the first error is in `err` */
    token *at;        /* the next one; after an error an end */
    token *statement; /* its first one */
    int depth;
    uint64_t work; /* that is left */
    /* Names without a value: from the first one on more of them are found, and no values. */
    struct lw_text missing;
    token *first_missing;
    char thread[80]; /* the name of one */

    size_t threads;
    int state[LW_CUDA_THREADS_MAX];
    int level; /* the highest one */
    int64_t *vectors[VECTORS_MAX];
    size_t vector_count;
    value names[NAMES_MAX + 1]; /* those of inner blocks last */
    int name_count;

    uint64_t shared_used;              /* bytes */
    const int64_t *numbers[REGISTERS]; /* of an array of constants; NULL: it is memory */
    struct lw_text rows[ACCESSES_MAX]; /* the addresses of each access */
} context;

/* ---- Errors and tokens ---- */

/* Reports the first error, and ends the text. Errors of values are none once a name has no value. */
LW_PRINTF(4, 5)
static void fail(context *run, enum lw_code code, const token *at, const char *format, ...)
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
    run->at = run->program.end;
}

static void refuse(context *run, const token *at, const char *what)
{
    fail(run, LW_ERROR_SYNTAX, at, "%s", what);
}

static void unexpected(context *run, const char *expected)
{
    fail(run, LW_ERROR_SYNTAX, run->at, "expected %s, found '%.40s'", expected, run->at->text);
}

/* The name of a thread, for an error: "thread (3,1,0)". */
static const char *thread_name(context *run, size_t thread)
{
    const size_t x = (size_t)run->cuda->block[0], y = (size_t)run->cuda->block[1];
    snprintf(run->thread, sizeof run->thread, "thread (%zu,%zu,%zu)", thread % x, thread / x % y,
             thread / x / y);
    return run->thread;
}

/* Memory of an arena; NULL: it fails. */
static void *allocate(context *run, struct lw_arena *arena, size_t size)
{
    void *memory = lw_arena_alloc(arena, size);
    if (!memory)
        fail(run, LW_ERROR_MEMORY, run->program.end, "out of memory");
    return memory;
}

/* Counts the work of tokens for all threads, and how deep they are in others. */
static void spend(context *run, uint64_t tokens)
{
    const uint64_t work = tokens * (run->threads + TOKEN_WORK);
    if (run->depth > DEPTH_MAX)
        fail(run, LW_ERROR_LIMIT, run->at, "nested more than %d deep", DEPTH_MAX);
    if (run->work < work)
        fail(run, LW_ERROR_LIMIT, run->at,
             "this takes too long to run for all threads: smaller loops show the same");
    run->work -= run->failed ? 0 : work;
}

/* Goes on at a token, unless the text has ended with an error. */
static void go(context *run, token *at)
{
    run->at = run->failed ? run->at : at;
}

static bool is_word(const token *at, const char *text)
{
    return !strcmp(at->text, text);
}

static bool is(const context *run, const char *text)
{
    return is_word(run->at, text);
}

static bool take(context *run, const char *text)
{
    const bool found = is(run, text);
    run->at += found;
    return found;
}

static void expect(context *run, const char *text)
{
    if (!take(run, text))
        unexpected(run, text);
}

/* Passes over what is before a word, and over the word; brackets are passed over with what is in them. */
static void skip_to(context *run, const char *word)
{
    for (int open = 0; (open > 0 || !is(run, word)) && run->at->kind != LW_CUDA_END; run->at++) {
        open += lw_text_has_word("( [ {", run->at->text) - lw_text_has_word(") ] }", run->at->text);
        run->work -= run->work < TOKEN_WORK ? run->work : TOKEN_WORK;
        spend(run, 0);
    }
    expect(run, word);
}

/* ---- Numbers ---- */

/* int, unsigned or, with 8 bytes, long long. */
static type integer(uint8_t bytes, bool is_unsigned)
{
    return (type){"an integer", bytes, true, is_unsigned, false};
}

static const type int_type = {"an integer", 4, true, false, false};

/* The type in which two operands are computed: C's usual arithmetic conversions. */
static type common_type(const type *a, const type *b)
{
    if (!a->is_integer || !b->is_integer)
        return a->is_integer ? *b : *a;
    const uint8_t bytes = a->bytes == 8 || b->bytes == 8 ? 8 : 4;
    return integer(bytes,
                   (a->bytes == bytes && a->is_unsigned) || (b->bytes == bytes && b->is_unsigned));
}

/* A number in a type; UNKNOWN: the type is not computed with. */
static int64_t convert_number(const type *of, int64_t number)
{
    if (!of->is_integer || of->is_pointer || number == UNKNOWN)
        return UNKNOWN;
    const int unused = 64 - 8 * of->bytes;
    const uint64_t bits = (uint64_t)number << unused;
    return of->is_unsigned ? (int64_t)(bits >> unused) : (int64_t)bits >> unused;
}

/* What the operator of a sign makes of two numbers; 'm' is min, 'M' max, 'b' __brev and 'p' __popc. A divisor is not 0,
 * and bits to shift by are in the type. */
static wide compute_number(char op, wide a, wide b)
{
    wide reversed = 0;
    for (int i = 0; i < 32 && op == 'b'; i++)
        reversed |= (a >> i & 1) << (31 - i);
    return op == '+'   ? a + b
           : op == '-' ? a - b
           : op == '*' ? a * b
           : op == '/' ? a / b
           : op == '%' ? a % b
           : op == '&' ? a & b
           : op == '|' ? a | b
           : op == '^' ? a ^ b
           : op == 'L' ? a * ((wide)1 << b)
           : op == 'R' ? a >> b
           : op == 'm' ? (a < b ? a : b)
           : op == 'M' ? (a > b ? a : b)
           : op == 'b' ? reversed
           : op == 'p' ? __builtin_popcount((uint32_t)a)
           : op == '<' ? a < b
           : op == '>' ? a > b
           : op == 'l' ? a <= b
           : op == 'g' ? a >= b
           : op == '=' ? a == b
                       : a != b;
}

/* ---- Threads and values ---- */

/* Moves *t to the first thread from it on that runs; false: there is none. */
static bool running(const context *run, size_t *t)
{
    while (*t < run->threads && run->state[*t] != RUNS)
        ++*t;
    return *t < run->threads;
}

static bool any_runs(const context *run)
{
    size_t first = 0;
    return running(run, &first);
}

/* All threads of one state have another from now on. */
static void set_state(context *run, int from, int to)
{
    for (size_t t = 0; t < run->threads; t++)
        run->state[t] = run->state[t] == from ? to : run->state[t];
}

/* The threads that run in which a number is zero, or is not, wait at a level. */
static void pause_threads(context *run, const value *number, bool is_zero, int level)
{
    for (size_t t = 0; running(run, &t); t++)
        if (number->array)
            refuse(run, number->at, "expected a number, found an array or a pointer");
        else if (number->v[t] == UNKNOWN)
            fail(run, LW_ERROR_UNSUPPORTED, number->at,
                 "which threads run this depends on what is in memory");
        else if ((number->v[t] == 0) == is_zero)
            run->state[t] = level;
}

/* A value with a vector of one number. */
static value new_value(context *run, token *at, type of, int64_t number)
{
    size_t i = run->vector_count;
    if (i == VECTORS_MAX)
        fail(run, LW_ERROR_LIMIT, at, "more than %d values at once", VECTORS_MAX);
    else if (!run->vectors[i])
        run->vectors[i] = allocate(run, run->arena, run->threads * sizeof(int64_t));
    i = run->failed ? 0 : run->vector_count++; /* the first one is there in any case */
    for (size_t t = 0; t < run->threads; t++)
        run->vectors[i][t] = number;
    return (value){.type = of, .v = run->vectors[i], .at = at};
}

/* What is not computed with. */
static value data(context *run, token *at)
{
    return new_value(run, at, (type){"a value", 4, false, false, false}, UNKNOWN);
}

static value copy(context *run, const value *a)
{
    value made = *a;
    made.v = data(run, a->at).v;
    memcpy(made.v, a->v, run->threads * sizeof *made.v);
    return made;
}

/* Numbers in another type. */
static void retype(const context *run, value *a, const type *to)
{
    for (size_t t = 0; t < run->threads; t++)
        a->v[t] = convert_number(to, a->v[t]);
    a->type = *to;
}

/* The array that a value is in; NULL: it is in registers. */
static struct lw_cuda_array *array_of(const context *run, const value *a)
{
    return a->array % REGISTERS ? &run->cuda->arrays[a->array - 1] : NULL;
}

/* The bytes of that many dims, the last ones, of the array that a lvalue is in. */
static int64_t size_of(const context *run, const value *lvalue, int rank)
{
    const struct lw_cuda_array *array = array_of(run, lvalue);
    int64_t bytes = lvalue->type.bytes;
    for (int r = 1; array && r <= rank && r <= array->rank; r++)
        bytes *= (int64_t)array->dims[array->rank - r];
    return bytes;
}

/* a = a op b, of numbers, or of a pointer and numbers of what it points to, or of what is in an array; `at`: the
 * operator, or the bracket of a[b]. */
static void compute(context *run, const token *at, char op, value *a, const value *b)
{
    const bool is_shift = op == 'L' || op == 'R';
    const int64_t bytes = op == '-' ? -size_of(run, a, a->rank - 1) : size_of(run, a, a->rank - 1);
    if (b->array || (a->array && op != '+' && op != '-'))
        fail(run, LW_ERROR_SYNTAX, at, "%s is not read of arrays and pointers but as in p + 1",
             at->text);
    for (size_t t = 0; a->array && running(run, &t); t++) {
        int64_t step;
        if (a->v[t] == UNKNOWN || b->v[t] == UNKNOWN)
            a->v[t] = UNKNOWN;
        else if (__builtin_mul_overflow(b->v[t], bytes, &step) ||
                 __builtin_add_overflow(a->v[t], step, &a->v[t]))
            fail(run, LW_ERROR_PARAMETER, a->at, "%s: this address is beyond 64 bits",
                 thread_name(run, t));
    }
    a->is_array = false;
    if (a->array)
        return;
    const type common = common_type(&a->type, is_shift ? &int_type : &b->type);
    a->type = strchr("p<>lg=!", op) ? int_type : common;
    for (size_t t = 0; running(run, &t); t++) {
        const int64_t x = convert_number(&common, a->v[t]),
                      y = is_shift ? b->v[t] : convert_number(&common, b->v[t]);
        const bool is_known = x != UNKNOWN && y != UNKNOWN,
                   is_wrong = is_shift ? y < 0 || y >= 8 * common.bytes : strchr("/%", op) && !y;
        const wide out = !is_known || is_wrong ? UNKNOWN
                         : common.is_unsigned  ? compute_number(op, (uint64_t)x, (uint64_t)y)
                                               : compute_number(op, x, y);
        a->v[t] = convert_number(&a->type, (int64_t)out);
        if (is_known && (is_wrong || (!common.is_unsigned && op != 'L' && a->v[t] != out)))
            fail(run, LW_ERROR_PARAMETER, at, "%s: %lld %s %lld has no result of %d bits",
                 thread_name(run, t), (long long)x, at->text, (long long)y, 8 * common.bytes);
    }
}

/* ---- Memory ---- */

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

/* Fails with what is wrong with the address of an access by thread t, if it is. */
static bool check_address(context *run, const value *lvalue, size_t t)
{
    const struct lw_cuda_array *array = array_of(run, lvalue);
    const int64_t at = lvalue->v[t], bytes = lvalue->type.bytes,
                  end = array->rank ? (int64_t)array->size : ARRAY_BYTES_MAX;
    const bool is_inside = at >= 0 && at <= end - bytes,
               is_right = is_inside && ((int64_t)array->base + at) % bytes == 0;
    if (at == UNKNOWN)
        fail(run, LW_ERROR_UNSUPPORTED, lvalue->at,
             "this address depends on what is in memory: --let NAME=@FILE gives an array its "
             "values");
    else if (!is_right)
        fail(run, LW_ERROR_PARAMETER, lvalue->at,
             "%s accesses %d bytes at byte %lld of %.40s, which has %llu: %s", thread_name(run, t),
             (int)bytes, (long long)at, array->name, (unsigned long long)array->size,
             is_inside ? "not aligned, the kernel would fail (misaligned address)"
                       : "outside of the array");
    return is_right;
}

/* Notes that the threads that run access what is in memory. */
static void record(context *run, const value *lvalue, enum lw_cuda_op op,
                   enum lw_cuda_atomic atomic)
{
    struct lw_cuda *cuda = run->cuda;
    struct lw_cuda_array *array = array_of(run, lvalue);
    const struct lw_cuda_access access = {.op = op,
                                          .atomic = atomic,
                                          .array = lvalue->array - 1,
                                          .bytes = lvalue->type.bytes,
                                          .position = lvalue->at->position};
    uint64_t row[LW_CUDA_THREADS_MAX];
    size_t i = 0;
    if (!array || run->failed || run->missing.length || !any_runs(run))
        return;
    while (i < cuda->access_count && compare(&cuda->accesses[i], &access))
        i++;
    if (i == ACCESSES_MAX)
        fail(run, LW_ERROR_LIMIT, lvalue->at, "more than %d accesses", ACCESSES_MAX);
    else if (i == cuda->access_count)
        cuda->accesses[cuda->access_count++] = access;
    if (run->failed || (op == LW_CUDA_ATOMIC && !array->is_shared)) /* it is not counted */
        return;
    memset(row, 0xff, sizeof row);
    for (size_t t = 0; running(run, &t); t++) {
        check_address(run, lvalue, t);
        row[t] = (uint64_t)lvalue->v[t];
        if (!array->rank && row[t] + access.bytes > array->size)
            array->size = row[t] + access.bytes;
    }
    spend(run, ACCESS_WORK);
    lw_text_bytes(&run->rows[i], (const char *)row, run->threads * sizeof *row);
}

/* The value of what an expression names: what is in memory is loaded, an array of constants has numbers. */
static void load(context *run, value *a)
{
    const int64_t *numbers = a->array ? run->numbers[a->array - 1] : NULL;
    a->variable = NULL;
    if (!a->array || a->rank)
        return;
    if (!numbers)
        record(run, a, LW_CUDA_LOAD, LW_CUDA_INTEGER);
    for (size_t t = 0; t < run->threads; t++) {
        const bool is_known = numbers && run->state[t] == RUNS && a->v[t] != UNKNOWN &&
                              a->type.bytes == array_of(run, a)->bytes && check_address(run, a, t);
        a->v[t] = is_known ? convert_number(&a->type, numbers[a->v[t] / a->type.bytes]) : UNKNOWN;
    }
    a->array = 0;
}

/* Gives `to`, in the threads that run, the pointer, or the number in the type of `to`, that `from` is. */
static void merge(context *run, const token *at, value *to, const value *from)
{
    if (to->array && !any_runs(run))
        return;
    for (size_t t = 0; t < run->threads; t++)
        if (run->state[t] == RUNS)
            to->v[t] = from->array ? from->v[t]
                       : to->array ? UNKNOWN
                                   : convert_number(&to->type, from->v[t]);
        else if (from->array && to->array != from->array && to->v[t] != UNKNOWN)
            fail(run, LW_ERROR_UNSUPPORTED, at,
                 "which array this points to depends on the thread: one array with one more dim "
                 "has both");
    if (from->array) {
        to->type = from->type;
        to->rank = from->rank;
        to->array = from->array;
    }
}

/* Stores a value where `target` is; `at`: the operator. */
static void store(context *run, const token *at, const value *target, const value *from)
{
    value *to = target->variable;
    const bool is_memory = target->array && !target->rank,
               is_constant = target->array && run->numbers[target->array - 1];
    if (is_memory && !is_constant)
        record(run, target, LW_CUDA_STORE, LW_CUDA_INTEGER);
    else if (is_memory || target->is_array || (!to && target->type.is_integer))
        refuse(run, at, "this cannot be assigned to");
    else if (to && from->array && !to->array && !to->type.is_pointer)
        refuse(run, at, "a pointer is not read as a number");
    else if (to)
        merge(run, at, to, from);
}

/* a[b]; *a is a[0]. */
static void take_element(context *run, const token *at, value *a, const value *b)
{
    const struct lw_cuda_array *array = array_of(run, a);
    const bool is_array = a->is_array;
    const int d = array && is_array ? array->rank - a->rank : -1; /* -1: no length is known */
    if (!a->array && !a->type.is_integer && !a->type.is_pointer)  /* data */
        return;
    if (!a->array || !a->rank)
        refuse(run, a->at, "this is no array and no pointer to one that is known");
    for (size_t t = 0; d >= 0 && a->rank && running(run, &t); t++)
        if (b->v[t] != UNKNOWN && run->cuda->warning.code == LW_OK &&
            (b->v[t] < 0 || (uint64_t)b->v[t] >= array->dims[d]))
            lw_error_at(&run->cuda->warning, LW_ERROR_PARAMETER, b->at->position,
                        "%s: index %lld of a dim of %llu", thread_name(run, t), (long long)b->v[t],
                        (unsigned long long)array->dims[d]);
    compute(run, at, '+', a, b);
    a->is_array = is_array;
    a->rank--;
}

/* ---- Types and names ---- */

/* What a declaration has beside its type. */
struct specifiers {
    type type;
    bool is_shared, is_device, is_const;
    int64_t align;
};

/* Words of a type, with what is around them: `const unsigned int`, `__shared__ float`. */
static struct specifiers read_specifiers(context *run)
{
    struct specifiers found = {0};
    bool is_unsigned = false;
    for (; run->at->starts_type; go(run, run->at + 1)) {
        const token *at = run->at;
        is_unsigned = is_unsigned || is(run, "unsigned");
        found.is_shared = found.is_shared || is(run, "__shared__");
        found.is_device = found.is_device || is(run, "__device__");
        found.is_const =
            found.is_const || lw_text_has_word("const constexpr __constant__", at->text);
        if (at->type.name &&
            (!found.type.name || !lw_text_has_word("int signed unsigned", at->text)))
            found.type = at->type; /* of `unsigned char` and `long int` not the int */
        if (!lw_text_has_word("__align__ alignas", at->text))
            continue;
        run->at++;
        expect(run, "(");
        found.align = run->at->value;
        if (found.align < 1 || found.align > 1024 || (found.align & (found.align - 1)))
            unexpected(run, "a power of two of at most 1024 bytes");
        else if (!is_word(++run->at, ")"))
            unexpected(run, ")");
    }
    if (!found.type.name)
        fail(run, LW_ERROR_SYNTAX, run->at,
             "expected a type: '%.40s' is not read; of a struct of 3 floats 'float *p' is, indexed "
             "by 3 * i",
             run->at->text);
    found.type.is_unsigned = found.type.is_unsigned || is_unsigned;
    return found;
}

/* `*`, `const` and `__restrict__` after a type. */
static type read_pointer(context *run, type of)
{
    for (; is(run, "*") || (run->at->starts_type && !run->at->type.name); go(run, run->at + 1)) {
        if (is(run, "*") && of.is_pointer)
            refuse(run, run->at, "pointers to pointers are not read");
        of.is_pointer = of.is_pointer || is(run, "*");
    }
    return of;
}

static value *new_variable(context *run, type of, token *at, const char *name)
{
    value *made = &run->names[run->name_count];
    if (run->name_count == NAMES_MAX)
        fail(run, LW_ERROR_LIMIT, at, "more than %d names are declared", NAMES_MAX);
    else
        run->name_count++;
    *made = new_value(run, at, of, UNKNOWN);
    made->name = name;
    made->variable = made;
    return made;
}

static value *variable_named(context *run, const char *name)
{
    int i = run->name_count - 1;
    while (i >= 0 && strcmp(run->names[i].name, name) != 0)
        i--;
    return i < 0 ? NULL : &run->names[i];
}

/* A name without a value: alone on one side of = it is a value, and no memory. */
static value undeclared(context *run, token *from)
{
    const struct lw_cuda_sign *before = from[-1].sign, *after = run->at->sign;
    const bool ends = run->at->kind == LW_CUDA_END || lw_text_has_word("; , )", run->at->text),
               is_value = (after && after->order == 1) || (before && before->order == 1 && ends),
               is_type = is(run, "*") && is_word(run->at + 1, ")"), /* of a cast */
        is_scope = is(run, ":") && is_word(run->at + 1, ":");
    char listed[LW_MESSAGE_MAX];
    snprintf(listed, sizeof listed, "%.300s,", from->text);
    if (run->at->kind == LW_CUDA_NAME || is(run, "{") || is_type || is_scope ||
        (run->statement == from && ends)) {
        fail(run, LW_ERROR_SYNTAX, from,
             "'%.60s' is not read: no statement, name of a variable or type that is known",
             from->text);
    } else if (!is_value && !lw_text_has_word(lw_text_string(&run->missing), listed)) {
        run->first_missing = run->missing.length ? run->first_missing : from;
        lw_text_format(&run->missing, "%s ", listed);
    }
    return data(run, from);
}

/* ---- Expressions ---- */

static value expression(context *run, int least);
static value unary(context *run);
static value primary(context *run);

static value rvalue(context *run, int least)
{
    value a = expression(run, least);
    load(run, &a);
    return a;
}

/* The value before which a cast is, `(float4 *)` or `reinterpret_cast<float4 *>`, from the bracket on, as that type. */
static value cast(context *run, token *from)
{
    const bool is_named = is(run, "<");
    run->at++;
    type to = read_pointer(run, read_specifiers(run).type);
    expect(run, is_named ? ">" : ")");
    value a = is_named ? primary(run) : unary(run);
    load(run, &a);
    a.at = from;
    if (!to.is_pointer && a.array)
        refuse(run, from, "a pointer is not read as a number");
    else if (!to.is_pointer)
        retype(run, &a, &to);
    else if ((!a.array && !a.type.is_pointer) || !to.bytes)
        refuse(run, from, "expected a pointer to memory, and a type with a size");
    to.is_pointer = to.is_pointer && !a.array;
    a.type = to;
    a.rank = a.array > 0;
    a.is_array = false;
    return a;
}

/* A call; an atomic function is counted otherwise where its statement uses no result. */
static value call(context *run, token *name)
{
    static const struct {
        const char *names;
        size_t arguments;
        char op; /* 0: it is atomic */
    } functions[] = {
        {"min", 2, 'm'},
        {"max", 2, 'M'},
        {"__popc", 1, 'p'},
        {"__brev", 1, 'b'},
        {"atomicAdd atomicMax atomicMin atomicOr atomicAnd atomicXor atomicExch", 2, 0},
        {"atomicCAS", 3, 0},
    };
    const bool is_statement = run->statement == name, is_add = is_word(name, "atomicAdd");
    size_t i = 0;
    value given[ARGUMENTS_MAX], *const a = &given[0];
    while (i < LW_COUNT(functions) && !lw_text_has_word(functions[i].names, name->text))
        i++;
    if (i == LW_COUNT(functions)) {
        fail(run, LW_ERROR_SYNTAX, name,
             "the function %.60s is not read: leave it out, or write what it does in its stead",
             name->text);
        return data(run, name);
    }
    expect(run, "(");
    for (size_t k = 0; k < functions[i].arguments; k++) {
        if (k)
            expect(run, ",");
        given[k] = rvalue(run, 1);
    }
    expect(run, ")");
    a->at = name;
    if (functions[i].op) {
        const type bits = integer(4, true);
        if (functions[i].arguments == 1)
            retype(run, a, &bits);
        compute(run, name, functions[i].op, a, &given[functions[i].arguments - 1]);
        return *a;
    }
    const struct lw_cuda_array *array = array_of(run, a);
    const bool is_float = !strcmp(a->type.name, "float"),
               is_counted = a->type.bytes == 4 && (is_float ? is_add : a->type.is_integer),
               is_one = given[1].at->kind == LW_CUDA_NUMBER && given[1].at->value == 1 &&
                        is_word(given[1].at + 1, ")") && is(run, ";");
    if ((!a->array && !run->missing.length) || (array && array->is_shared && !is_counted))
        fail(run, LW_ERROR_UNSUPPORTED, name,
             "%.40s is counted on words of 4 bytes of an array, &name[i]: int or unsigned, and for "
             "atomicAdd float",
             name->text);
    record(run, a, LW_CUDA_ATOMIC,
           functions[i].arguments == 3        ? LW_CUDA_CAS
           : is_float                         ? LW_CUDA_FLOAT
           : is_add && is_one && is_statement ? LW_CUDA_COUNT
                                              : LW_CUDA_INTEGER);
    return data(run, name);
}

static value primary(context *run)
{
    token *from = run->at;
    if (take(run, "sizeof")) { /* of a type, or of what an expression names, which is not loaded */
        expect(run, "(");
        const value a = run->at->starts_type
                            ? new_value(run, from, read_pointer(run, read_specifiers(run).type), 0)
                            : expression(run, 1);
        const bool is_pointer = a.type.is_pointer || (a.array && a.rank && !a.is_array);
        expect(run, ")");
        return new_value(run, from, integer(8, true),
                         a.is_array && !array_of(run, &a) ? UNKNOWN /* in registers */
                         : is_pointer                     ? 8
                                                          : size_of(run, &a, a.rank));
    }
    if (from->kind == LW_CUDA_NAME) {
        value *named = variable_named(run, from->text);
        run->at++;
        if (strstr(from->text, "_cast") && is(run, "<"))
            return cast(run, from);
        if (is(run, "(") || !named)
            return is(run, "(") ? call(run, from) : undeclared(run, from);
        value made = copy(run, named);
        made.at = from;
        return made;
    }
    if (take(run, "(")) {
        const value made = expression(run, 0);
        expect(run, ")");
        return made;
    }
    if (from->kind == LW_CUDA_NUMBER) {
        run->at++;
        return new_value(run, from, integer(from->type.bytes, from->type.is_unsigned), from->value);
    }
    if (take(run, "{")) /* of a vector or an array: passed over */
        skip_to(run, "}");
    else if (from->kind == LW_CUDA_REAL)
        run->at++;
    else
        unexpected(run, "a value");
    return data(run, from);
}

/* a = a op b, where `a` is; its value is that after it. */
static void update(context *run, const token *at, value *a, const value *b)
{
    value made = copy(run, a);
    load(run, &made);
    compute(run, at, at->sign->op, &made, b);
    store(run, at, a, &made);
    *a = made;
}

static value postfix(context *run)
{
    value a = primary(run);
    for (;;) {
        token *open = run->at;
        if (take(run, "[")) {
            const value b = rvalue(run, 0);
            expect(run, "]");
            take_element(run, open, &a, &b);
        } else if (take(run, ".")) { /* of what is in registers */
            if (!lw_text_has_word("x y z w", run->at->text) || a.type.is_integer ||
                array_of(run, &a))
                unexpected(run, "x, y, z or w of a vector that is in registers");
            go(run, run->at + 1);
            a = data(run, a.at);
        } else if (take(run, "++") || take(run, "--")) {
            const value one = new_value(run, open, int_type, 1);
            update(run, open, &a, &one);
            compute(run, open, open->sign->op == '+' ? '-' : '+', &a, &one); /* as it was before */
        } else {
            return a;
        }
    }
}

/* A sign before an operand: -a is 0 - a, +a is 0 + a, ~a is -1 ^ a, !a is 0 == a, ++a is a += 1. */
static value unary(context *run)
{
    token *from = run->at;
    const char sign = from->text[0];
    value a;
    run->depth++;
    spend(run, 1);
    if (from->sign && lw_text_has_word("- + ! ~ * & ++ --", from->text)) {
        const bool is_step = from->text[1];
        value other = new_value(run, from, int_type, is_step - (sign == '~'));
        go(run, from + 1);
        a = unary(run);
        if (is_step) {
            update(run, from, &a, &other);
        } else if (sign == '&') {
            if (!a.array)
                refuse(run, from, "& is read of what is in an array");
            a.rank++;
            a.is_array = false;
            a.variable = NULL;
        } else if (sign == '*') {
            load(run, &a);
            take_element(run, from, &a, &other);
        } else {
            load(run, &a);
            compute(run, from, from->sign->op, &other, &a);
            a = other;
        }
        a.at = from;
    } else {
        a = is(run, "(") && from[1].starts_type ? cast(run, from) : postfix(run);
    }
    run->depth--;
    return a;
}

/* a ? b : c, and a && b as a ? b != 0 : 0, a || b as a ? 1 : b != 0: one side is for the threads in which a holds. */
static void choose(context *run, token *at, value *a)
{
    const bool is_and = is_word(at, "&&"), is_or = is_word(at, "||");
    value out = data(run, a->at), side[2];
    for (int i = 0; i < 2; i++) {
        pause_threads(run, a, i == 0, ++run->level);
        const value zero = new_value(run, at, int_type, 0);
        if (i ? is_and : is_or)
            side[i] = new_value(run, at, int_type, !i);
        else
            side[i] = rvalue(run, is_and || is_or ? at->sign->order + 1 : 1 + i);
        if (is_and || is_or)
            compute(run, at, '!', &side[i], &zero);
        else if (!i)
            expect(run, ":");
        out.type = out.array ? out.type : side[i].type;
        merge(run, at, &out, &side[i]);
        set_state(run, run->level--, RUNS);
    }
    const type as = common_type(&side[0].type, &side[1].type);
    if (!out.array)
        retype(run, &out, &as);
    *a = out;
}

/* Operators of an order of at least `least`. */
static value expression(context *run, int least)
{
    value a = unary(run);
    for (const struct lw_cuda_sign *sign; (sign = run->at->sign) && sign->order >= least;) {
        token *at = run->at++, *from = a.at;
        if (sign->order != 1)
            load(run, &a);
        if (sign->op == '?') {
            choose(run, at, &a);
        } else {
            const value b = rvalue(run, sign->order + (sign->order != 1));
            if (sign->order > 1)
                compute(run, at, sign->op, &a, &b);
            else if (sign->op)
                update(run, at, &a, &b);
            else if (sign->order == 1)
                store(run, at, &a, &b);
            a = sign->op ? a : b;
        }
        a.at = from;
    }
    return a;
}

/* ---- Declarations ---- */

/* The lengths of an array, `[N][M]`; false: there are none. With `[]` the rank is 0. Where no thread runs one is 1. */
static bool read_lengths(context *run, struct lw_cuda_array *array)
{
    token *const begin = run->at;
    while (take(run, "[")) {
        if (!array->rank && take(run, "]")) {
            array->size = 0;
            break;
        }
        const value a = rvalue(run, 1);
        const int64_t most = ARRAY_BYTES_MAX / (array->size ? (int64_t)array->size : 1);
        size_t first = 0;
        int64_t length = running(run, &first) ? a.v[first] : 1;
        for (size_t t = first; running(run, &t); t++)
            if (a.array || a.v[t] != length || length < 1 || length > most ||
                array->rank == LW_CUDA_DIMS_MAX) {
                fail(run, LW_ERROR_PARAMETER, a.at,
                     "the length of an array is a constant, in at most %d dims 1 to 2^32 bytes",
                     LW_CUDA_DIMS_MAX);
                length = 1;
            }
        expect(run, "]");
        if (array->rank == LW_CUDA_DIMS_MAX)
            break;
        array->dims[array->rank++] = (uint64_t)length;
        array->size *= (uint64_t)length;
    }
    return run->at != begin;
}

/* The numbers of an array of constants, `= {3, 1, 4}`; with `[]` it gets their count. NULL: there are other values. */
static const int64_t *read_numbers(context *run, const token *name, struct lw_cuda_array *array)
{
    const token *from = run->at + 2, *at = from;
    uint64_t count = 0;
    if (!is(run, "=") || !is_word(run->at + 1, "{"))
        return NULL;
    for (; at->kind == LW_CUDA_NUMBER || is_word(at, ",") || is_word(at, "-"); at++)
        count += at->kind == LW_CUDA_NUMBER;
    if (!count || !is_word(at, "}"))
        return NULL;
    if (any_runs(run) && array->rank && count > array->dims[0])
        refuse(run, name, "it has more values than its length");
    array->dims[0] = array->rank && array->dims[0] > count ? array->dims[0] : count;
    array->rank = 1;
    array->size = array->dims[0] * array->bytes;
    if (name->array) /* it was made before, in another run of a loop */
        return run->numbers[name->array - 1];
    int64_t *numbers = allocate(run, run->arena, array->dims[0] * sizeof *numbers);
    if (!numbers)
        return NULL;
    memset(numbers, 0, array->dims[0] * sizeof *numbers);
    count = 0;
    for (at = from; !is_word(at, "}"); at++)
        if (at->kind == LW_CUDA_NUMBER)
            numbers[count++] = is_word(at - 1, "-") ? -at->value : at->value;
    return numbers;
}

/* One name of a declaration, `*name[N][M] = value`, or a parameter of the kernel. What is given before the text, as a
 * value or without one an integer of the kernel, is not declared again. */
static void read_declarator(context *run, const struct specifiers *with, bool is_parameter)
{
    struct lw_cuda *cuda = run->cuda;
    const type of = read_pointer(run, with->type);
    token *name = run->at;
    if (name->kind != LW_CUDA_NAME)
        unexpected(run, "a name");
    go(run, name + 1);
    struct lw_cuda_array array = {.name = name->text,
                                  .type = of.name,
                                  .bytes = of.bytes,
                                  .size = of.bytes,
                                  .position = name->position};
    const bool is_array = read_lengths(run, &array), has_value = is(run, "=");
    value *before = variable_named(run, name->text);
    const bool is_given = before && before->at->kind == LW_CUDA_NAME && !before->at->position.line;
    if (is_parameter && before && !is_given)
        before->name = ""; /* the parameter has no value, whatever else has its name */
    if (!has_value && (is_given || (is_parameter && of.is_integer && !of.is_pointer)))
        return;
    const int64_t *numbers = is_array && array.rank < 2 && with->is_const && of.is_integer
                                 ? read_numbers(run, name, &array)
                                 : NULL;
    value *const a = new_variable(run, of, name, name->text);
    const size_t mark = run->vector_count;
    array.is_shared =
        with->is_shared || (is_array && !run->program.has_memory_space && !with->is_const);
    const bool is_memory = array.is_shared || numbers || (is_array && with->is_device);
    if (is_array && !array.rank && !array.is_shared)
        refuse(run, name, "an array without a length is extern __shared__");
    if (of.is_pointer && (is_array || is_memory))
        refuse(run, name, "pointers in memory are not read");
    if (is_array || is_memory || (of.is_pointer && !has_value)) {
        a->is_array = is_array;
        a->rank = is_array && array.rank ? array.rank : is_array || !is_memory;
        a->type.is_pointer = false;
        memset(a->v, 0, run->threads * sizeof *a->v);
        const uint64_t unit = with->align > 16 ? (uint64_t)with->align : 16;
        array.base = array.is_shared ? (run->shared_used + unit - 1) / unit * unit : 0;
        if (!is_array && is_memory) /* __shared__ int count; */
            array.dims[array.rank++] = 1;
        else if (!is_array)
            array.size = 0;
        if (!array.bytes)
            refuse(run, name, "an element of this has no size that is known");
        if (cuda->array_count == ARRAYS_MAX)
            fail(run, LW_ERROR_LIMIT, name, "more than %d arrays", ARRAYS_MAX);
        /* It is made the first time that this is executed. */
        if ((is_memory || !is_array) && !run->failed && !name->array && any_runs(run)) {
            run->numbers[cuda->array_count] = numbers;
            cuda->arrays[cuda->array_count] = array;
            name->array = ++cuda->array_count;
            run->shared_used = array.is_shared ? array.base + array.size : run->shared_used;
        }
        a->array = name->array ? name->array : REGISTERS;
    }
    if (take(run, "=")) {
        const value from = rvalue(run, 1);
        if (!a->array)
            store(run, name, a, &from);
    }
    run->vector_count = mark;
}

/* ---- Statements ---- */

/* A statement that ends in a semicolon. */
static void read_simple(context *run)
{
    token *from = run->at;
    if (lw_text_has_word("dim3 __syncthreads __syncwarp", from->text) ||
        is_word(from + 1, "<<<")) { /* passed over; the block is read by find_kernel */
        skip_to(run, ";");
        return;
    }
    if (take(run, "return")) {
        set_state(run, RUNS, RETURNED);
    } else if (from->starts_type) {
        const struct specifiers with = read_specifiers(run);
        do
            read_declarator(run, &with, false);
        while (take(run, ","));
    } else if (!is(run, ";")) {
        rvalue(run, 0);
    }
    if (run->at->kind != LW_CUDA_END)
        expect(run, ";");
}

static void statement(context *run);

/* for (init; condition; step). Each round is executed for the threads that are still in the loop; the body once more
 * for none of them, which passes over it. */
static void read_for(context *run)
{
    token *body = NULL;
    expect(run, "(");
    read_simple(run);
    token *const begin = run->at;
    const size_t mark = run->vector_count;
    const int names = run->name_count, level = ++run->level;
    do {
        spend(run, 1);
        go(run, begin);
        if (!is(run, ";")) {
            const value holds = rvalue(run, 0);
            pause_threads(run, &holds, true, level);
        }
        expect(run, ";");
        token *const step = run->at;
        skip_to(run, ")");
        statement(run);
        body = run->at;
        go(run, step);
        if (!is(run, ")"))
            rvalue(run, 0);
        expect(run, ")");
        run->vector_count = mark;
        run->name_count = names;
    } while (!run->failed && !run->missing.length && any_runs(run));
    go(run, body);
    set_state(run, run->level--, RUNS);
}

/* A statement, of which no name is left after it but that of a declaration. */
static void statement(context *run)
{
    token *from = run->at;
    const int names = run->name_count;
    const size_t mark = run->vector_count;
    run->depth++;
    spend(run, 1);
    run->statement = from;
    if (take(run, "{")) {
        while (!is(run, "}") && run->at->kind != LW_CUDA_END)
            statement(run);
        expect(run, "}");
    } else if (take(run, "if")) {
        expect(run, "(");
        const value holds = rvalue(run, 0);
        pause_threads(run, &holds, true, ++run->level);
        expect(run, ")");
        statement(run);
        set_state(run, run->level, RUNS);
        if (take(run, "else")) {
            pause_threads(run, &holds, false, run->level);
            statement(run);
            set_state(run, run->level, RUNS);
        }
        run->level--;
    } else if (take(run, "for")) {
        read_for(run);
    } else {
        read_simple(run);
    }
    run->depth--;
    if (!from->starts_type) {
        run->name_count = names;
        run->vector_count = mark;
    }
}

/* ---- The text ---- */

/* Executes statements; of functions the kernel, while others are passed over. */
static void run_text(context *run)
{
    static const char *const names[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z", "blockDim.x",
                                        "blockDim.y",  "blockDim.z",  "blockIdx.x",  "blockIdx.y",
                                        "blockIdx.z",  "tid",         "lane",        "warp",
                                        "warpSize"};
    const size_t x = run->cuda->block[0], y = run->cuda->block[1], z = run->cuda->block[2];
    for (size_t i = 0; i < LW_COUNT(names); i++) {
        value *made = new_variable(run, integer(4, i < 9), run->program.end, names[i]);
        for (size_t t = 0; t < run->threads; t++) {
            const size_t numbers[] = {t % x, t / x % y, t / x / y, x,      y,      z, 0,
                                      0,     0,         t,         t % 32, t / 32, 32};
            made->v[t] = (int64_t)numbers[i];
        }
    }
    for (run->at = run->program.first; run->at->kind != LW_CUDA_END;) {
        token *open = lw_cuda_parameters(run->at);
        const int names_before = run->name_count;
        const bool is_kernel =
            open && run->program.kernel && is_word(open - 1, run->program.kernel);
        if (take(run, "template")) {
            skip_to(run, ">");
        } else if (!open) {
            statement(run);
        } else {
            run->at = open + 1;
            skip_to(run, ")");
            if (is_kernel && is(run, "{")) {
                run->at = open + 1;
                for (bool more = !is(run, ")"); more && !run->failed; more = take(run, ",")) {
                    const struct specifiers with = read_specifiers(run);
                    read_declarator(run, &with, true);
                }
                expect(run, ")");
                statement(run);
                run->name_count = names_before;
            } else if (!take(run, ";")) { /* it is not declared alone */
                expect(run, "{");
                skip_to(run, "}");
            }
        }
    }
    if (run->missing.failed)
        fail(run, LW_ERROR_MEMORY, run->program.end, "out of memory");
    else if (run->missing.length)
        fail(run, LW_ERROR_NAME, run->first_missing,
             "without a value: %.*s; --let NAME=8 or NAME=@FILE sets one, and arrays are declared "
             "(float *name;)",
             (int)(run->missing.length < 300 ? run->missing.length - 2 : 300),
             lw_text_string(&run->missing));
}

bool lw_cuda_read(struct lw_cuda *cuda, const char *text, size_t length,
                  const struct lw_cuda_options *options, struct lw_error *err)
{
    struct lw_arena arena = {0};
    struct lw_error scratch;
    struct lw_cuda_program program = {0};
    context *run = lw_arena_alloc(&arena, sizeof *run);
    err = err ? err : &scratch;
    options = options ? options : &(struct lw_cuda_options){0};
    *cuda = (struct lw_cuda){0};
    bool good = run ? lw_cuda_tokens(cuda, text, length, options, &program, err)
                    : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good) {
        *err = (struct lw_error){0};
        *run = (context){.cuda = cuda,
                         .program = program,
                         .arena = &arena,
                         .err = err,
                         .work = options->work ? options->work : LW_CUDA_WORK_MAX,
                         .threads = cuda->threads,
                         .vector_count = 1};
        cuda->arrays = allocate(run, &cuda->arena, ARRAYS_MAX * sizeof *cuda->arrays);
        cuda->accesses = allocate(run, &cuda->arena, ACCESSES_MAX * sizeof *cuda->accesses);
        run->vectors[0] = allocate(run, &arena, run->threads * sizeof(int64_t));
        if (!run->failed)
            run_text(run);
        for (size_t i = 0; i < cuda->access_count; i++) {
            struct lw_cuda_access *access = &cuda->accesses[i];
            struct lw_text *rows = &run->rows[i];
            access->times = rows->length / sizeof *access->addresses / run->threads;
            access->addresses = allocate(run, &cuda->arena, rows->length);
            if (rows->failed)
                fail(run, LW_ERROR_MEMORY, run->program.end, "out of memory");
            else if (access->addresses)
                memcpy(access->addresses, lw_text_string(rows), rows->length);
            lw_text_free(rows);
        }
        qsort(cuda->accesses, cuda->access_count, sizeof *cuda->accesses, compare);
        /* Arrays without a length are after all others. */
        for (size_t i = 0; i < cuda->array_count; i++)
            if (cuda->arrays[i].is_shared && !cuda->arrays[i].rank)
                cuda->arrays[i].base = (run->shared_used + 15) / 16 * 16;
        lw_text_free(&run->missing);
        good = !run->failed;
    }
    lw_arena_free(&arena);
    if (good)
        return true;
    lw_error_excerpt(err, text, length);
    lw_cuda_free(cuda);
    return false;
}
