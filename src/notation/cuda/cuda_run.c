/*
 * Running the tree for the threads of a block, one after the other.
 *
 * A value is a number, or it is not known: what was loaded. An access notes its address in the row of its moment: the
 * iteration of the loops around it. So the threads of a warp whose addresses are in one row execute one instruction.
 */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"
#include "laneway/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    ADDRESSES_MAX = 1 << 22, /* of all accesses */
    ARRAYS_MAX = 256,
    ACCESSES_MAX = 1024,
    ARGUMENTS_MAX = 12
};
#define SIZE_MAX_OF_ARRAY ((uint64_t)1 << 32)

typedef struct lw_cuda_value value;
typedef struct lw_cuda_node node;

/* An iteration of a loop, or a call of a function, within that of the one around it, the same for all threads. */
struct moment {
    size_t number;               /* among those of its loop or function */
    const node *loop;            /* or call */
    struct moment *next;         /* the next iteration */
    struct moment *inner, *more; /* the first iterations of loops in it; `more`: of the next loop */
};

struct run {
    struct lw_cuda *cuda;
    const struct lw_cuda_program *program;
    struct lw_arena scratch;
    size_t thread; /* that runs */
    int64_t index[3];
    struct moment *now;
    value result;              /* of the function that returns */
    size_t rows[ACCESSES_MAX]; /* of addresses that each access has room for */
    uint64_t work;             /* that is left */
    size_t address_count;
    uint64_t shared_used; /* bytes */
    struct lw_error *err;
};

static bool out_of_memory(struct run *run)
{
    return lw_error_set(run->err, LW_ERROR_MEMORY, "out of memory");
}

/* An error of the thread that runs: "thread (3,1,0) divides by zero". */
static bool fail(struct run *run, struct lw_position where, const char *format, ...)
    LW_PRINTF(3, 4);

static bool fail(struct run *run, struct lw_position where, const char *format, ...)
{
    char what[200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return lw_error_at(run->err, LW_ERROR_PARAMETER, where, "thread (%lld,%lld,%lld)%s",
                       (long long)run->index[0], (long long)run->index[1], (long long)run->index[2],
                       what);
}

static bool refuse(struct run *run, struct lw_position where, const char *what)
{
    return lw_error_at(run->err, LW_ERROR_SYNTAX, where, "%s", what);
}

static bool evaluate(struct run *run, node *expression, value *out);
static bool rvalue(struct run *run, node *expression, value *out);
static bool call_routine(struct run *run, node *at, value *out);

/* ---- Numbers ---- */

static value unknown(const struct lw_cuda_type *type)
{
    return (value){.what = LW_CUDA_UNKNOWN, .type = *type};
}

static value known(struct lw_cuda_type type, int64_t number)
{
    return (value){.what = LW_CUDA_KNOWN, .type = type, .v = number};
}

static bool is_number(const value *a)
{
    return a->what == LW_CUDA_KNOWN || a->what == LW_CUDA_UNKNOWN;
}

/* An expression that must be a number. */
static bool number_of(struct run *run, node *expression, value *out)
{
    return rvalue(run, expression, out) &&
           (is_number(out) ||
            refuse(run, expression->position, "expected a number, found an array or a pointer"));
}

/* A number as a type has it. */
static int64_t wrap(const struct lw_cuda_type *type, int64_t number)
{
    const uint64_t bits = (uint64_t)number;
    switch (type->bytes) {
    case 1:
        return type->is_unsigned ? (int64_t)(uint8_t)bits : (int8_t)bits;
    case 2:
        return type->is_unsigned ? (int64_t)(uint16_t)bits : (int16_t)bits;
    case 4:
        return type->is_unsigned ? (int64_t)(uint32_t)bits : (int32_t)bits;
    default:
        return number;
    }
}

/* A number as another type. */
static void convert(value *a, const struct lw_cuda_type *type)
{
    if (!type->is_integer || a->what != LW_CUDA_KNOWN) {
        *a = unknown(type);
        return;
    }
    a->v = wrap(type, a->v);
    a->type = *type;
}

/* The type in which two operands are computed: C's usual arithmetic conversions. */
static struct lw_cuda_type common_type(const struct lw_cuda_type *a, const struct lw_cuda_type *b)
{
    if (!a->is_integer || !b->is_integer)
        return a->is_integer ? *b : *a;
    const uint8_t bytes = a->bytes == 8 || b->bytes == 8 ? 8 : 4;
    return lw_cuda_integer(bytes, (a->bytes == bytes && a->is_unsigned) ||
                                      (b->bytes == bytes && b->is_unsigned));
}

/* What an operator makes of two numbers of a type; false: it has no result. */
static bool compute(enum lw_cuda_operator op, const struct lw_cuda_type *type, int64_t a, int64_t b,
                    int64_t *out)
{
    const bool is_unsigned = type->is_unsigned;
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    bool overflows = false;
    switch (op) {
    case LW_CUDA_ADD:
        overflows = __builtin_add_overflow(a, b, out);
        break;
    case LW_CUDA_SUB:
        overflows = __builtin_sub_overflow(a, b, out);
        break;
    case LW_CUDA_MUL:
        overflows = __builtin_mul_overflow(a, b, out);
        break;
    case LW_CUDA_DIV:
    case LW_CUDA_REM:
        if (!b || (!is_unsigned && b == -1 && a == (type->bytes == 8 ? INT64_MIN : INT32_MIN)))
            return false;
        *out = op == LW_CUDA_DIV ? (is_unsigned ? (int64_t)(x / y) : a / b)
                                 : (is_unsigned ? (int64_t)(x % y) : a % b);
        return true;
    case LW_CUDA_AND:
        *out = a & b;
        return true;
    case LW_CUDA_OR:
        *out = a | b;
        return true;
    case LW_CUDA_XOR:
        *out = a ^ b;
        return true;
    case LW_CUDA_SHL:
    case LW_CUDA_SHR:
        if (b < 0 || b >= 8 * type->bytes)
            return false;
        *out = op == LW_CUDA_SHL ? wrap(type, (int64_t)(x << b))
               : is_unsigned     ? (int64_t)(x >> b)
                                 : a >> b;
        return true;
    case LW_CUDA_LESS:
        *out = is_unsigned ? x < y : a < b;
        return true;
    case LW_CUDA_GREATER:
        *out = is_unsigned ? x > y : a > b;
        return true;
    case LW_CUDA_LESS_EQUAL:
        *out = is_unsigned ? x <= y : a <= b;
        return true;
    case LW_CUDA_GREATER_EQUAL:
        *out = is_unsigned ? x >= y : a >= b;
        return true;
    case LW_CUDA_EQUAL:
        *out = a == b;
        return true;
    default:
        *out = a != b;
        return true;
    }
    if (is_unsigned)
        *out = wrap(type, (int64_t)(op == LW_CUDA_ADD ? x + y : op == LW_CUDA_SUB ? x - y : x * y));
    return is_unsigned || (!overflows && (type->bytes == 8 || *out == (int32_t)*out));
}

/* a op b of numbers. */
static bool binary(struct run *run, enum lw_cuda_operator op, const node *at, value a, value b,
                   value *out)
{
    const bool is_shift = op == LW_CUDA_SHL || op == LW_CUDA_SHR;
    const struct lw_cuda_type int_type = lw_cuda_integer(4, false),
                              type = common_type(&a.type, is_shift ? &int_type : &b.type);
    const bool compares = op >= LW_CUDA_LESS;
    *out = unknown(compares ? &int_type : &type);
    if (!type.is_integer || a.what != LW_CUDA_KNOWN || b.what != LW_CUDA_KNOWN)
        return true;
    a.v = wrap(&type, a.v);
    b.v = is_shift ? b.v : wrap(&type, b.v);
    out->what = LW_CUDA_KNOWN;
    if (compute(op, &type, a.v, b.v, &out->v))
        return true;
    if ((op == LW_CUDA_DIV || op == LW_CUDA_REM) && !b.v)
        return fail(run, at->position, " divides by zero");
    if (is_shift)
        return fail(run, at->position, " shifts by %lld bits", (long long)b.v);
    return fail(run, at->position, ": %lld %.1s %lld is beyond the %d bits of the result",
                (long long)a.v,
                *at->name           ? at->name
                : op == LW_CUDA_ADD ? "+"
                                    : "-",
                (long long)b.v, 8 * type.bytes);
}

/* ---- Arrays ---- */

/* Makes the array of a declaration, with constant dims. */
static bool make_array(struct run *run, struct lw_cuda_variable *variable)
{
    struct lw_cuda *cuda = run->cuda;
    struct lw_cuda_array *array = &cuda->arrays[cuda->array_count];
    if (cuda->array_count == ARRAYS_MAX)
        return lw_error_at(run->err, LW_ERROR_LIMIT, variable->position, "more than %d arrays",
                           ARRAYS_MAX);
    *array = (struct lw_cuda_array){.name = variable->name,
                                    .type = variable->type.name,
                                    .bytes = variable->type.bytes,
                                    .is_shared = variable->is_shared,
                                    .rank = variable->rank,
                                    .size = variable->has_no_length ? 0 : variable->type.bytes,
                                    .position = variable->position,
                                    .last_dim = variable->last_dim};
    for (int d = 0; d < variable->rank; d++) {
        value dim;
        if (!number_of(run, variable->dims[d], &dim))
            return false;
        if (dim.what != LW_CUDA_KNOWN || dim.v < 1 ||
            __builtin_mul_overflow(array->size, (uint64_t)dim.v, &array->size) ||
            array->size > SIZE_MAX_OF_ARRAY)
            return lw_error_at(run->err, LW_ERROR_PARAMETER, variable->dims[d]->position,
                               "the length of an array is a constant, from 1 to 2^32 bytes in all");
        array->dims[d] = (uint64_t)dim.v;
    }
    if (!array->bytes || variable->type.pointers > variable->is_shared + !variable->is_array)
        return lw_error_at(run->err, LW_ERROR_SYNTAX, variable->position,
                           "what %.40s points to has no size that is known", variable->name);
    if (!variable->rank && variable->is_shared && !variable->is_array) { /* __shared__ int count; */
        array->rank = 1;
        array->dims[0] = 1;
    }
    if (array->is_shared) {
        const uint64_t align = variable->align > 16 ? variable->align : 16;
        array->base = (run->shared_used + align - 1) / align * align;
        run->shared_used = array->base + array->size;
    }
    variable->array = ++cuda->array_count;
    return true;
}

/* Moves a pointer, or what is in memory, by a number of elements of `bytes`. */
static bool move(struct run *run, struct lw_position where, value *a, const value *by,
                 uint64_t bytes, bool back)
{
    int64_t step;
    if (by->what != LW_CUDA_KNOWN || a->is_lost) {
        a->is_lost = true;
        return true;
    }
    return (!__builtin_mul_overflow(by->v, (int64_t)bytes, &step) &&
            !(back ? __builtin_sub_overflow(a->v, step, &a->v)
                   : __builtin_add_overflow(a->v, step, &a->v))) ||
           fail(run, where, ": this address is beyond 64 bits");
}

/* ---- Accesses ---- */

/* The last two indices of an access in the text: those below casts, & and *, and a [0] of a pointer. */
static void find_indices(const node *at, struct lw_cuda_access *access)
{
    while (at->kind == LW_CUDA_CAST || at->kind == LW_CUDA_ADDRESS ||
           at->kind == LW_CUDA_DEREFERENCE || at->kind == LW_CUDA_PART ||
           at->kind == LW_CUDA_ASSIGN || at->kind == LW_CUDA_CALL ||
           (at->kind == LW_CUDA_INDEX && at->b->kind == LW_CUDA_CONSTANT && !at->b->value &&
            at->a->kind == LW_CUDA_CAST))
        at = at->a;
    if (at->kind == LW_CUDA_INDEX) {
        access->column = at->inside;
        if (at->a->kind == LW_CUDA_INDEX)
            access->row = at->a->inside;
    }
}

/* The row of addresses of an access at this moment; NULL: there is no memory, or a limit. */
static uint64_t *row_of(struct run *run, size_t site)
{
    struct lw_cuda *cuda = run->cuda;
    struct lw_cuda_access *access = &cuda->accesses[site];
    const size_t number = run->now->number, threads = cuda->threads;
    if (number >= run->rows[site]) {
        size_t rows = run->rows[site] ? run->rows[site] : 1;
        while (rows <= number)
            rows *= 2;
        run->address_count += (rows - run->rows[site]) * threads;
        if (run->address_count > 2 * (size_t)ADDRESSES_MAX) {
            lw_error_at(run->err, LW_ERROR_LIMIT, access->position,
                        "more than %d addresses of all accesses: smaller loops show the same",
                        ADDRESSES_MAX);
            return NULL;
        }
        uint64_t *more = lw_arena_alloc(&cuda->arena, rows * threads * sizeof *more);
        if (!more) {
            out_of_memory(run);
            return NULL;
        }
        if (access->times)
            memcpy(more, access->addresses, access->times * threads * sizeof *more);
        access->addresses = more;
        run->rows[site] = rows;
    }
    for (; access->times <= number; access->times++)
        memset(access->addresses + access->times * threads, 0xff, threads * sizeof(uint64_t));
    return access->addresses + number * threads;
}

/* Notes that the thread accesses what is in memory. */
static bool record(struct run *run, node *at, struct lw_position where, const value *lvalue,
                   enum lw_cuda_op op, enum lw_cuda_atomic atomic)
{
    struct lw_cuda *cuda = run->cuda;
    size_t *site = &at->sites[op != LW_CUDA_LOAD];
    const uint64_t bytes = lvalue->type.bytes, address = (uint64_t)lvalue->v;
    if (!lvalue->array)
        return true; /* registers */
    struct lw_cuda_array *array = &cuda->arrays[lvalue->array - 1];
    if (lvalue->is_lost)
        return lw_error_at(run->err, LW_ERROR_UNSUPPORTED, where,
                           "this address depends on what is in memory: --let NAME=@FILE gives an "
                           "array its values");
    if (!*site) {
        if (cuda->access_count == ACCESSES_MAX)
            return lw_error_at(run->err, LW_ERROR_LIMIT, where, "more than %d accesses",
                               ACCESSES_MAX);
        struct lw_cuda_access *made = &cuda->accesses[cuda->access_count];
        *made = (struct lw_cuda_access){.op = op,
                                        .atomic = atomic,
                                        .array = lvalue->array - 1,
                                        .bytes = lvalue->type.bytes,
                                        .position = where};
        find_indices(at, made);
        *site = ++cuda->access_count;
    }
    if (cuda->accesses[*site - 1].array != lvalue->array - 1)
        return lw_error_at(run->err, LW_ERROR_UNSUPPORTED, where,
                           "this is an access to %.40s and to %.40s: one array with one more dim "
                           "has both",
                           cuda->arrays[cuda->accesses[*site - 1].array].name, array->name);
    const bool is_open = !array->rank; /* without a length */
    if (lvalue->v < 0 || (!is_open && address + bytes > array->size) || address > SIZE_MAX_OF_ARRAY)
        return fail(run, where, " accesses byte %lld of %.40s, which has %llu",
                    (long long)lvalue->v, array->name, (unsigned long long)array->size);
    if ((array->base + address) % bytes)
        return fail(run, where,
                    " accesses %u bytes at byte %lld of %.40s: not aligned, the kernel "
                    "would fail (misaligned address)",
                    lvalue->type.bytes, (long long)lvalue->v, array->name);
    if (is_open && address + bytes > array->size)
        array->size = address + bytes;
    uint64_t *row = row_of(run, *site - 1);
    if (row)
        row[run->thread] = address;
    return row != NULL;
}

/* The value of what an expression names: what is in memory is loaded. */
static bool load(struct run *run, node *at, struct lw_position where, value *a)
{
    if (a->what == LW_CUDA_NAMED) {
        *a = a->variable->value;
    } else if (a->what == LW_CUDA_LVALUE && a->rank) {
        a->what = LW_CUDA_POINTER;
        a->rank = 0;
        a->type.pointers = 1;
    } else if (a->what == LW_CUDA_LVALUE) {
        if (!record(run, at, where, a, LW_CUDA_LOAD, LW_CUDA_INTEGER))
            return false;
        *a = unknown(&a->type);
    }
    return true;
}

static bool rvalue(struct run *run, node *expression, value *out)
{
    return evaluate(run, expression, out) && load(run, expression, expression->position, out);
}

/* ---- Expressions ---- */

/* bins[i] of values that are given. */
static bool from_list(struct run *run, const node *at, const struct lw_cuda_variable *list,
                      const value *index, value *out)
{
    const struct lw_cuda_type type = list->type.is_integer ? list->type : lw_cuda_integer(4, false);
    *out = unknown(&type);
    out->type.pointers = 0;
    if (index->what != LW_CUDA_KNOWN)
        return true;
    if (index->v < 0 || (uint64_t)index->v >= list->let->count)
        return fail(run, at->position, ": index %lld of %.40s, which has %zu values",
                    (long long)index->v, list->name, list->let->count);
    out->what = LW_CUDA_KNOWN;
    out->v = wrap(&out->type, list->let->values[index->v]);
    return true;
}

static bool index_of(struct run *run, node *at, value *out)
{
    value index;
    if (!evaluate(run, at->a, out) || !number_of(run, at->b, &index))
        return false;
    if (out->what == LW_CUDA_LIST)
        return from_list(run, at, out->variable, &index, out);
    if (out->what == LW_CUDA_NAMED && !load(run, at->a, at->position, out))
        return false;
    uint64_t bytes = out->type.bytes;
    if (out->what == LW_CUDA_LVALUE && out->rank) {
        const struct lw_cuda_array *array = out->array ? &run->cuda->arrays[out->array - 1] : NULL;
        const int d = array ? array->rank - out->rank : 0;
        struct lw_error *warning = &run->cuda->warning;
        if (array && index.what == LW_CUDA_KNOWN && warning->code == LW_OK &&
            (index.v < 0 || (uint64_t)index.v >= array->dims[d])) {
            struct run noted = *run;
            noted.err = warning;
            fail(&noted, at->b->position, ": index %lld of a dim of %llu", (long long)index.v,
                 (unsigned long long)array->dims[d]);
        }
        for (int i = d + 1; array && i < array->rank; i++)
            bytes *= array->dims[i];
        out->rank--;
    } else if (out->what == LW_CUDA_POINTER && out->type.pointers <= 1) {
        out->what = LW_CUDA_LVALUE;
        out->type.pointers = 0;
    } else if (out->what == LW_CUDA_UNKNOWN && !out->type.pointers) {
        return true; /* a part of a vector in registers */
    } else {
        return refuse(run, at->position,
                      out->what == LW_CUDA_UNKNOWN
                          ? "what this points to is not known: declare an array"
                          : "this is no array");
    }
    return move(run, at->position, out, &index, bytes, false);
}

/* a.x: a part of a vector in memory, or of a value. */
static bool part_of(struct run *run, node *at, value *out)
{
    struct lw_cuda_type part = lw_cuda_integer(4, false);
    if (!evaluate(run, at->a, out))
        return false;
    const bool is_memory = out->what == LW_CUDA_LVALUE && !out->rank && out->type.parts > 1;
    part.is_integer = false;
    if (is_memory)
        part.bytes = (uint8_t)(out->type.bytes / out->type.parts);
    out->type = part;
    out->v += is_memory ? at->value * part.bytes : 0;
    if (!is_memory)
        *out = unknown(&part);
    return true;
}

static bool cast(struct run *run, node *at, value *out)
{
    if (!rvalue(run, at->a, out))
        return false;
    if (!at->type.pointers) {
        if (!is_number(out))
            return refuse(run, at->position, "a pointer is not read as a number");
        convert(out, &at->type);
        return true;
    }
    if (out->what == LW_CUDA_UNKNOWN && out->type.pointers) {
        out->type = at->type;
        return true;
    }
    if (out->what != LW_CUDA_POINTER || !at->type.bytes || at->type.pointers > 1)
        return refuse(run, at->position, "expected a pointer to memory, and a type with a size");
    out->type = at->type;
    return true;
}

/* *a, &a */
static bool point(struct run *run, node *at, value *out)
{
    if (at->kind == LW_CUDA_ADDRESS) {
        if (!evaluate(run, at->a, out))
            return false;
        if (out->what != LW_CUDA_LVALUE)
            return refuse(run, at->position, "& is read of what is in an array");
        out->what = LW_CUDA_POINTER;
        out->type.pointers = 1;
        out->rank = 0;
        return true;
    }
    if (!rvalue(run, at->a, out))
        return false;
    if (out->what != LW_CUDA_POINTER || out->type.pointers > 1)
        return refuse(run, at->position, "this is no pointer to an array");
    out->what = LW_CUDA_LVALUE;
    out->type.pointers = 0;
    return true;
}

/* a && b, a || b: b is computed where a does not decide. */
static bool logical(struct run *run, node *at, value *out)
{
    value a, b;
    const bool is_and = at->op == LW_CUDA_LOGICAL_AND;
    if (!number_of(run, at->a, &a))
        return false;
    *out = known(lw_cuda_integer(4, false), !is_and);
    if (a.what == LW_CUDA_KNOWN && (a.v != 0) != is_and)
        return true;
    if (!number_of(run, at->b, &b))
        return false;
    if (a.what == LW_CUDA_UNKNOWN || b.what == LW_CUDA_UNKNOWN)
        *out = unknown(&out->type);
    else
        out->v = b.v != 0;
    return true;
}

static bool choice(struct run *run, node *at, value *out)
{
    value condition, other;
    if (!number_of(run, at->a, &condition))
        return false;
    if (condition.what == LW_CUDA_KNOWN)
        return rvalue(run, condition.v ? at->b : at->c, out);
    if (!rvalue(run, at->b, out) || !rvalue(run, at->c, &other))
        return false;
    if (!is_number(out))
        return lw_error_at(run->err, LW_ERROR_UNSUPPORTED, at->position,
                           "which pointer depends on what is in memory");
    *out = unknown(&out->type);
    return true;
}

static bool operation(struct run *run, node *at, value *out)
{
    value a, b;
    if (at->op == LW_CUDA_LOGICAL_AND || at->op == LW_CUDA_LOGICAL_OR)
        return logical(run, at, out);
    if (!rvalue(run, at->a, &a) || !rvalue(run, at->b, &b))
        return false;
    if (at->op == LW_CUDA_COMMA) {
        *out = b;
        return true;
    }
    if (is_number(&a) && is_number(&b))
        return binary(run, at->op, at, a, b, out);
    const bool swapped = b.what == LW_CUDA_POINTER && is_number(&a) && at->op == LW_CUDA_ADD;
    *out = swapped ? b : a;
    if (out->what == LW_CUDA_POINTER && is_number(swapped ? &a : &b) &&
        (at->op == LW_CUDA_ADD || at->op == LW_CUDA_SUB))
        return move(run, at->position, out, swapped ? &a : &b, out->type.bytes,
                    at->op == LW_CUDA_SUB);
    return lw_error_at(run->err, LW_ERROR_SYNTAX, at->position,
                       "%s is not read of arrays and pointers", at->name);
}

/* Stores a value where `target` is. */
static bool assign(struct run *run, node *at, const value *target, value *from)
{
    if (target->what == LW_CUDA_NAMED) {
        const struct lw_cuda_type *type = &target->variable->type;
        if (type->pointers && is_number(from)) { /* what it points to is not known */
            *from = unknown(type);
        } else if (is_number(from) && type->bytes) {
            convert(from, type);
        } else if (!is_number(from) && !type->pointers && type->bytes) {
            return refuse(run, at->position, "a pointer is not read as a number");
        }
        target->variable->value = *from;
        return true;
    }
    if (target->what == LW_CUDA_LVALUE && !target->rank)
        return record(run, at, at->a ? at->a->position : at->position, target, LW_CUDA_STORE,
                      LW_CUDA_INTEGER);
    return is_number(target) || refuse(run, at->position, "this cannot be assigned to");
}

static bool assignment(struct run *run, node *at, value *out)
{
    value target, before, right;
    if (!at->op)
        return rvalue(run, at->b, out) && evaluate(run, at->a, &target) &&
               assign(run, at, &target, out);
    if (!evaluate(run, at->a, &target))
        return false;
    before = target;
    if (!load(run, at, at->a->position, &before) || !number_of(run, at->b, &right))
        return false;
    *out = before;
    if (before.what == LW_CUDA_POINTER
            ? !move(run, at->position, out, &right, before.type.bytes, at->op == LW_CUDA_SUB)
            : !binary(run, at->op, at, before, right, out))
        return false;
    right = *out;
    if (at->value)
        *out = before;
    return assign(run, at, &target, &right);
}

/* ---- Calls ---- */

static bool atomic(struct run *run, node *at, value *out)
{
    value lvalue, operand;
    const node *with = at->a->next;
    enum lw_cuda_atomic kind = LW_CUDA_INTEGER;
    if (!rvalue(run, at->a, &lvalue) || !rvalue(run, at->a->next, &operand) ||
        (with->next && !rvalue(run, with->next, &operand)))
        return false;
    if (lvalue.what != LW_CUDA_POINTER || !lvalue.array)
        return refuse(run, at->a->position,
                      "expected the address of an element in shared memory, &name[i]");
    if (!run->cuda->arrays[lvalue.array - 1].is_shared)
        return lw_error_at(run->err, LW_ERROR_UNSUPPORTED, at->position,
                           "atomics on global memory are not counted: %.40s is in global memory",
                           run->cuda->arrays[lvalue.array - 1].name);
    const bool is_float = !lvalue.type.is_integer;
    if (lvalue.type.bytes != 4 || lvalue.type.parts > 1 ||
        (is_float && at->value != LW_CUDA_ATOMIC_ADD))
        return lw_error_at(run->err, LW_ERROR_UNSUPPORTED, at->position,
                           "%.40s is counted on words of 4 bytes, int or unsigned, and for "
                           "atomicAdd float",
                           at->name);
    if (at->value == LW_CUDA_ATOMIC_CAS)
        kind = LW_CUDA_CAS;
    else if (is_float)
        kind = LW_CUDA_FLOAT;
    else if (at->value == LW_CUDA_ATOMIC_ADD && at->is_unused && with->kind == LW_CUDA_CONSTANT &&
             with->value == 1)
        kind = LW_CUDA_COUNT;
    lvalue.type.pointers = 0;
    *out = unknown(&lvalue.type);
    return record(run, at, at->position, &lvalue, LW_CUDA_ATOMIC, kind);
}

/* min, max and the functions of bits. */
static bool of_numbers(struct run *run, node *at, value *out)
{
    value a, b;
    const enum lw_cuda_function function = (enum lw_cuda_function)at->value;
    const bool is_two = function == LW_CUDA_MIN || function == LW_CUDA_MAX;
    int64_t less;
    if (!number_of(run, at->a, &a) || (is_two && !number_of(run, at->a->next, &b)))
        return false;
    const struct lw_cuda_type type =
        is_two ? common_type(&a.type, &b.type) : lw_cuda_integer(4, function == LW_CUDA_BREV);
    *out = unknown(&type);
    if (!type.is_integer || a.what != LW_CUDA_KNOWN || (is_two && b.what != LW_CUDA_KNOWN))
        return true;
    a.v = wrap(&type, a.v);
    const uint32_t bits = (uint32_t)a.v;
    out->what = LW_CUDA_KNOWN;
    switch (function) {
    case LW_CUDA_MIN:
    case LW_CUDA_MAX:
        b.v = wrap(&type, b.v);
        compute(LW_CUDA_LESS, &type, a.v, b.v, &less);
        out->v = (less != 0) == (function == LW_CUDA_MIN) ? a.v : b.v;
        return true;
    case LW_CUDA_POPC:
        out->v = __builtin_popcount(bits);
        return true;
    default: /* LW_CUDA_BREV */
        out->v = 0;
        for (int i = 0; i < 32; i++)
            out->v |= (int64_t)(bits >> i & 1) << (31 - i);
        return true;
    }
}

static bool call(struct run *run, node *at, value *out)
{
    static const struct lw_cuda_type data = {"a value", 4, 1, false, false, 0};
    if (at->routine)
        return call_routine(run, at, out);
    if (at->value >= LW_CUDA_ATOMIC_INTEGER)
        return atomic(run, at, out);
    if (at->value != LW_CUDA_OF_DATA)
        return of_numbers(run, at, out);
    for (node *argument = at->a; argument; argument = argument->next)
        if (!rvalue(run, argument, out))
            return false;
    *out = unknown(&data);
    return true;
}

/* ---- Names ---- */

static int64_t built_in(const struct run *run, int64_t which)
{
    switch (which) {
    case LW_CUDA_WARP_SIZE:
        return 32;
    case LW_CUDA_TID:
        return (int64_t)run->thread;
    case LW_CUDA_LANE:
        return (int64_t)run->thread % 32;
    case LW_CUDA_WARP:
        return (int64_t)run->thread / 32;
    default:
        return which < LW_CUDA_BLOCK_DIM_X ? run->index[which]
               : which < LW_CUDA_BLOCK_X   ? (int64_t)run->cuda->block[which - LW_CUDA_BLOCK_DIM_X]
                                           : 0; /* blockIdx */
    }
}

/* A name of the text: an array is where it begins, another variable can be assigned to. */
static value named(struct lw_cuda_variable *variable)
{
    value out = {.what = LW_CUDA_NAMED, .type = variable->type, .variable = variable};
    if (variable->let) {
        out.what = LW_CUDA_LIST;
    } else if (variable->has_no_length) {
        out.what = LW_CUDA_POINTER;
        out.type.pointers = 1;
        out.array = variable->array;
    } else if (variable->is_array || variable->is_shared) { /* also in registers */
        out.what = LW_CUDA_LVALUE;
        out.rank = (uint8_t)variable->rank;
        out.array = variable->array;
    }
    return out;
}

static bool size_of(struct run *run, node *at, value *out)
{
    uint64_t bytes = at->type.pointers ? 8 : at->type.bytes;
    if (at->a) {
        if (!evaluate(run, at->a, out))
            return false;
        bytes = out->type.pointers && out->what != LW_CUDA_LVALUE ? 8 : out->type.bytes;
        const struct lw_cuda_array *array = out->array ? &run->cuda->arrays[out->array - 1] : NULL;
        for (int d = 0; d < out->rank && array; d++)
            bytes *= array->dims[array->rank - 1 - d];
    }
    *out = known(lw_cuda_integer(8, true), (int64_t)bytes);
    return true;
}

/* One node more; false: there are too many. */
static bool count_work(struct run *run, struct lw_position where)
{
    if (run->work) {
        run->work--;
        return true;
    }
    return lw_error_at(run->err, LW_ERROR_LIMIT, where,
                       "this takes too long to run for all threads: smaller loops show the same");
}

static bool evaluate(struct run *run, node *at, value *out)
{
    if (!count_work(run, at->position))
        return false;
    switch (at->kind) {
    case LW_CUDA_CONSTANT:
        *out = known(at->type, at->value);
        return true;
    case LW_CUDA_VARIABLE:
        *out = named(at->variable);
        return true;
    case LW_CUDA_BUILT_IN: /* int tid, as people declare it */
        *out = known(lw_cuda_integer(4, at->value < LW_CUDA_WARP_SIZE), built_in(run, at->value));
        return true;
    case LW_CUDA_BINARY:
        return operation(run, at, out);
    case LW_CUDA_ASSIGN:
        return assignment(run, at, out);
    case LW_CUDA_CHOICE:
        return choice(run, at, out);
    case LW_CUDA_DEREFERENCE:
    case LW_CUDA_ADDRESS:
        return point(run, at, out);
    case LW_CUDA_INDEX:
        return index_of(run, at, out);
    case LW_CUDA_PART:
        return part_of(run, at, out);
    case LW_CUDA_CAST:
        return cast(run, at, out);
    case LW_CUDA_CALL:
        return call(run, at, out);
    case LW_CUDA_SIZEOF:
        return size_of(run, at, out);
    default:
        *out = (value){.what = LW_CUDA_UNKNOWN, .type = {"a value", 4, 1, false, false, 0}};
        return true;
    }
}

/* ---- Statements ---- */

/* How a statement ends; FAILS: the reason is in the error. */
enum end { GOES_ON, CONTINUES, BREAKS, RETURNS, FAILS };

static bool declare(struct run *run, node *at)
{
    struct lw_cuda_variable *variable = at->variable;
    value from;
    const bool is_pointer = !at->a && variable->type.pointers && !variable->is_array;
    variable->value = unknown(&variable->type);
    if (variable->let)
        return true;
    if ((variable->is_shared || variable->is_global || is_pointer) && !variable->array &&
        !make_array(run, variable))
        return false;
    if (is_pointer) {
        variable->value.what = LW_CUDA_POINTER;
        variable->value.array = variable->array;
        return true;
    }
    if (!at->a || variable->is_array || variable->is_shared)
        return true;
    const value target = {.what = LW_CUDA_NAMED, .variable = variable};
    return rvalue(run, at->a, &from) && assign(run, at, &target, &from);
}

/* Whether a condition holds; one that is not known fails. */
static bool condition(struct run *run, node *at, bool *holds)
{
    value out;
    if (!number_of(run, at, &out))
        return false;
    *holds = out.v != 0;
    return out.what == LW_CUDA_KNOWN ||
           lw_error_at(run->err, LW_ERROR_UNSUPPORTED, at->position,
                       "which threads run this depends on what is in memory");
}

/* The first iteration of a loop, or a call, at this moment: where it is linked, NULL there: it is new. */
static struct moment **inner_moment(struct run *run, const node *at)
{
    struct moment **inner = &run->now->inner;
    while (*inner && (*inner)->loop != at)
        inner = &(*inner)->more;
    return inner;
}

/* Goes to a moment, which is made unless there is one; `count`: how many its loop or function has. */
static bool enter(struct run *run, struct moment **moment, const node *at, size_t *count)
{
    if (!*moment) {
        *moment = lw_arena_alloc(&run->scratch, sizeof **moment);
        if (!*moment)
            return out_of_memory(run);
        **moment = (struct moment){.number = (*count)++, .loop = at};
    }
    run->now = *moment;
    return true;
}

static enum end execute(struct run *run, node *at);

/* Calls a function of the device. */
static bool call_routine(struct run *run, node *at, value *out)
{
    struct lw_cuda_routine *routine = at->routine;
    struct moment *outer = run->now;
    value given[ARGUMENTS_MAX];
    size_t count = 0;
    for (node *argument = at->a; argument; argument = argument->next, count++) {
        if (count == ARGUMENTS_MAX)
            return lw_error_at(run->err, LW_ERROR_LIMIT, argument->position,
                               "a function has at most %d parameters", ARGUMENTS_MAX);
        if (!rvalue(run, argument, &given[count]))
            return false;
    }
    count = 0;
    for (node *parameter = routine->parameters; parameter; parameter = parameter->next) {
        const value target = {.what = LW_CUDA_NAMED, .variable = parameter->variable};
        if (!assign(run, parameter, &target, &given[count++]))
            return false;
    }
    if (!enter(run, inner_moment(run, at), at, &routine->moments))
        return false;
    run->result = (value){.what = LW_CUDA_UNKNOWN, .type = {"a value", 4, 1, false, false, 0}};
    if (execute(run, routine->body) == FAILS)
        return false;
    *out = run->result;
    run->now = outer;
    return true;
}

static enum end loop(struct run *run, node *at)
{
    struct moment *outer = run->now, **next = inner_moment(run, at);
    enum end end = GOES_ON;
    value ignored;
    for (;;) {
        bool holds = true;
        if (!enter(run, next, at, &at->moments))
            return FAILS;
        next = &run->now->next;
        if (!count_work(run, at->position) || (at->a && !condition(run, at->a, &holds)))
            return FAILS;
        if (!holds)
            break;
        end = execute(run, at->c);
        if (end >= BREAKS)
            break;
        if (at->b && !evaluate(run, at->b, &ignored))
            return FAILS;
    }
    run->now = outer;
    return end >= RETURNS ? end : GOES_ON;
}

/* Statements, one after the other. */
static enum end execute(struct run *run, node *at)
{
    enum end end = GOES_ON;
    bool holds;
    value ignored;
    for (; at && end == GOES_ON; at = at->next) {
        if (!count_work(run, at->position))
            return FAILS;
        switch (at->kind) {
        case LW_CUDA_DECLARE:
            end = declare(run, at) ? GOES_ON : FAILS;
            break;
        case LW_CUDA_DO:
            end = rvalue(run, at->a, &ignored) ? GOES_ON : FAILS;
            break;
        case LW_CUDA_IF:
            end = condition(run, at->a, &holds) ? execute(run, holds ? at->b : at->c) : FAILS;
            break;
        case LW_CUDA_LOOP:
            end = loop(run, at);
            break;
        case LW_CUDA_BLOCK:
            end = execute(run, at->a);
            break;
        case LW_CUDA_RETURN:
            return !at->a || rvalue(run, at->a, &run->result) ? RETURNS : FAILS;
        default:
            return at->kind == LW_CUDA_BREAK ? BREAKS : CONTINUES;
        }
    }
    return end;
}

/* ---- The block ---- */

/* The threads of a block: those that the text sets, else those of the options, else those of __launch_bounds__. */
static bool find_block(struct run *run)
{
    const struct lw_cuda_program *program = run->program;
    const uint64_t *given = program->options->block;
    const bool is_given = given[0] || given[1] || given[2];
    uint64_t *block = run->cuda->block, threads = 1;
    struct lw_error ignored, *err = run->err;
    value size;
    run->err = &ignored; /* constants are computed before, and again by each thread */
    for (node *at = program->first; at; at = at->next)
        if (at->kind == LW_CUDA_DECLARE && at->a && at->variable->type.is_integer &&
            !at->variable->type.pointers && !at->variable->is_array && !at->variable->is_shared)
            declare(run, at);
    run->err = err;
    for (int i = 0; i < 3; i++) {
        node *sets = program->block[0] ? program->block[i] : is_given || i ? NULL : program->bounds;
        block[i] = !program->block[0] && given[i]                          ? given[i]
                   : i || program->block[0] || is_given || program->bounds ? 1
                                                                           : 32;
        if (sets) {
            if (!number_of(run, sets, &size))
                return false;
            if (size.what != LW_CUDA_KNOWN || size.v < 1 || size.v > LW_CUDA_THREADS_MAX)
                return lw_error_at(run->err, LW_ERROR_PARAMETER, sets->position,
                                   "the block has constants, of 1 to %d threads",
                                   LW_CUDA_THREADS_MAX);
            block[i] = (uint64_t)size.v;
        }
        if (block[i] > LW_CUDA_THREADS_MAX || (threads *= block[i]) > LW_CUDA_THREADS_MAX)
            return lw_error_set(run->err, LW_ERROR_LIMIT, "a block has at most %d threads",
                                LW_CUDA_THREADS_MAX);
    }
    run->cuda->threads = (size_t)threads;
    return true;
}

/* In the order of the text; a load before a store that is written there too. */
static int compare_accesses(const void *a, const void *b)
{
    const struct lw_cuda_access *x = a, *y = b;
    return x->position.line != y->position.line       ? x->position.line - y->position.line
           : x->position.column != y->position.column ? x->position.column - y->position.column
                                                      : (int)x->op - (int)y->op;
}

/* Removes the moments in which no thread accesses, and gives arrays without a length the memory after all others. */
static void finish(struct run *run)
{
    struct lw_cuda *cuda = run->cuda;
    const size_t threads = cuda->threads;
    for (size_t i = 0; i < cuda->access_count; i++) {
        struct lw_cuda_access *access = &cuda->accesses[i];
        size_t kept = 0;
        for (size_t k = 0; k < access->times; k++) {
            const uint64_t *row = access->addresses + k * threads;
            size_t t = 0;
            while (t < threads && row[t] == LW_CUDA_INACTIVE)
                t++;
            if (t < threads)
                memmove(access->addresses + kept++ * threads, row, threads * sizeof *row);
        }
        access->times = kept;
    }
    for (size_t i = 0; i < cuda->array_count; i++)
        if (cuda->arrays[i].is_shared && !cuda->arrays[i].rank)
            cuda->arrays[i].base = (run->shared_used + 15) / 16 * 16;
    qsort(cuda->accesses, cuda->access_count, sizeof *cuda->accesses, compare_accesses);
}

static bool run_block(struct run *run)
{
    struct lw_cuda *cuda = run->cuda;
    cuda->arrays = lw_arena_alloc(&cuda->arena, ARRAYS_MAX * sizeof *cuda->arrays);
    cuda->accesses = lw_arena_alloc(&cuda->arena, ACCESSES_MAX * sizeof *cuda->accesses);
    struct moment *const first = run->now;
    if (!cuda->arrays || !cuda->accesses)
        return out_of_memory(run);
    if (!find_block(run))
        return false;
    for (run->thread = 0; run->thread < cuda->threads; run->thread++) {
        const int64_t thread = (int64_t)run->thread, x = (int64_t)cuda->block[0],
                      y = (int64_t)cuda->block[1];
        run->index[0] = thread % x;
        run->index[1] = thread / x % y;
        run->index[2] = thread / x / y;
        run->now = first;
        if (execute(run, run->program->first) == FAILS)
            return false;
    }
    finish(run);
    return true;
}

bool lw_cuda_run(struct lw_cuda *cuda, const struct lw_cuda_program *program, struct lw_error *err)
{
    const uint64_t work = program->options->work;
    struct moment first = {0};
    struct run run = {.cuda = cuda,
                      .program = program,
                      .work = work ? work : LW_CUDA_WORK_MAX,
                      .err = err,
                      .now = &first};
    bool good = run_block(&run);
    lw_arena_free(&run.scratch);
    return good;
}
