/*
 * Running the tree for all threads of a block at once.
 *
 * A value is a number for each thread, or what is not known: what was loaded. Threads that do not run a statement are
 * left out by a mask. An access appends its addresses to those of its position in the text.
 */

#include "notation/cuda/cuda_parts.h"

#include "laneway/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORK_MAX = 1 << 28,      /* operations of threads */
    ADDRESSES_MAX = 1 << 22, /* of all accesses */
    ARRAYS_MAX = 256,
    SITES_MAX = 1024
};
#define SIZE_MAX_OF_ARRAY ((uint64_t)1 << 32)

enum what {
    NUMBER,   /* or a vector: `v` has it, if it is known */
    POINTER,  /* to a `type`, at the bytes `v` of an array */
    LVALUE,   /* what is there: a `type`, or an array of them */
    VARIABLE, /* that can be assigned to */
    LIST      /* the values that --let gives to an array */
};

/* A value of all threads. */
struct lw_cuda_value {
    enum what what;
    struct lw_cuda_type type;
    bool is_known, is_uniform; /* uniform: v[0] is that of every thread */
    int64_t *v;
    size_t array;         /* POINTER, LVALUE: 1 + its number; 0: registers */
    int rank;             /* LVALUE: dims that are left; 0: one element */
    const uint64_t *dims; /* of them; UINT64_MAX: any */
    struct lw_cuda_variable *variable;
    struct lw_position position;
    struct lw_position row,
        column; /* the last two indices of an array, of which it is an element */
};
typedef struct lw_cuda_value value;

/* Why a thread does not run, and until when. */
enum skip { RUNS, CONTINUES, BREAKS, RETURNS };

struct run {
    struct lw_cuda *cuda;
    const struct lw_cuda_program *program;
    struct lw_arena scratch;
    size_t threads;
    int64_t **pool; /* vectors for results, pool_used of them are in use until the statement ends */
    size_t pool_count, pool_used;
    uint8_t *skip; /* of each thread */
    uint64_t work;
    size_t address_count;
    uint64_t shared_used; /* bytes */
    struct lw_error *err;
};

/* ---- Memory ---- */

static bool out_of_memory(struct run *run)
{
    return lw_error_set(run->err, LW_ERROR_MEMORY, "out of memory");
}

/* A vector until the statement ends; NULL: memory is out. */
static int64_t *new_vector(struct run *run)
{
    if (run->pool_used == run->pool_count) {
        size_t room = run->pool_count ? 2 * run->pool_count : 64;
        int64_t **pool = lw_arena_alloc(&run->scratch, room * sizeof *pool);
        int64_t *rows =
            lw_arena_alloc(&run->scratch, (room - run->pool_count) * run->threads * sizeof *rows);
        if (!pool || !rows) {
            out_of_memory(run);
            return NULL;
        }
        for (size_t i = 0; i < room; i++)
            pool[i] =
                i < run->pool_count ? run->pool[i] : rows + (i - run->pool_count) * run->threads;
        run->pool = pool;
        run->pool_count = room;
    }
    return run->pool[run->pool_used++];
}

static uint8_t *new_mask(struct run *run)
{
    return (uint8_t *)new_vector(run);
}

/* ---- Threads ---- */

static int64_t at(const value *a, size_t thread)
{
    return a->v[a->is_uniform ? 0 : thread];
}

static size_t numbers(const struct run *run, const value *a)
{
    return a->is_uniform ? 1 : run->threads;
}

/* "thread (3,1,0)" */
static void put_thread(const struct run *run, size_t thread, char name[64])
{
    const uint64_t *block = run->cuda->block;
    snprintf(name, 64, "thread (%llu,%llu,%llu)", (unsigned long long)(thread % block[0]),
             (unsigned long long)(thread / block[0] % block[1]),
             (unsigned long long)(thread / block[0] / block[1]));
}

static size_t first_active(const struct run *run, const uint8_t *mask)
{
    size_t i = 0;
    while (i < run->threads && !mask[i])
        i++;
    return i;
}

/* The threads of a mask that run: those that neither returned nor left a loop; false: there are none. */
static bool running(struct run *run, const uint8_t *mask, uint8_t **out)
{
    bool any = false;
    *out = new_mask(run);
    for (size_t i = 0; *out && i < run->threads; i++) {
        (*out)[i] = mask[i] && run->skip[i] == RUNS;
        any = any || (*out)[i];
    }
    return any;
}

static bool count_work(struct run *run, struct lw_position where)
{
    run->work += run->threads;
    return run->work <= WORK_MAX ||
           lw_error_at(run->err, LW_ERROR_LIMIT, where,
                       "this takes too long to run for all threads: smaller loops show the same");
}

/* ---- Numbers ---- */

static const struct lw_cuda_type int_type = {"int", 4, 1, true, false, 0},
                                 unsigned_type = {"unsigned", 4, 1, true, true, 0},
                                 data_type = {"a value", 4, 1, false, false, 0};

static value unknown(const struct lw_cuda_type *type)
{
    return (value){.what = NUMBER, .type = *type, .is_uniform = true};
}

static bool constant(struct run *run, value *out, const struct lw_cuda_type *type, int64_t number)
{
    *out = (value){
        .what = NUMBER, .type = *type, .is_known = true, .is_uniform = true, .v = new_vector(run)};
    if (!out->v)
        return false;
    out->v[0] = lw_cuda_wrap(type, number);
    return true;
}

/* A value as another type of integer. */
static bool convert(struct run *run, value *a, const struct lw_cuda_type *type)
{
    if (!type->is_integer || !a->is_known) {
        *a = unknown(type);
        return true;
    }
    if (a->type.bytes == type->bytes && a->type.is_unsigned == type->is_unsigned) {
        a->type = *type;
        return true;
    }
    int64_t *v = new_vector(run);
    for (size_t i = 0, n = numbers(run, a); v && i < n; i++)
        v[i] = lw_cuda_wrap(type, a->v[i]);
    a->v = v;
    a->type = *type;
    return v != NULL;
}

/* The type in which two operands are computed: C's usual arithmetic conversions. */
static struct lw_cuda_type common_type(const struct lw_cuda_type *a, const struct lw_cuda_type *b)
{
    struct lw_cuda_type type = int_type;
    if (!a->is_integer || !b->is_integer)
        return a->is_integer ? *b : *a;
    if (a->bytes == 8 || b->bytes == 8) {
        type.name = "long long";
        type.bytes = 8;
        type.is_unsigned = (a->bytes == 8 && a->is_unsigned) || (b->bytes == 8 && b->is_unsigned);
    } else if ((a->bytes == 4 && a->is_unsigned) || (b->bytes == 4 && b->is_unsigned)) {
        type = unsigned_type;
    }
    return type;
}

/* Why a thread has no result. */
static bool no_result(struct run *run, struct lw_position where, const char *op, size_t thread,
                      int64_t a, int64_t b)
{
    char name[64];
    put_thread(run, thread, name);
    if ((op[0] == '/' || op[0] == '%') && !b)
        return lw_error_at(run->err, LW_ERROR_PARAMETER, where, "%s divides by zero", name);
    if ((op[0] == '<' || op[0] == '>') && op[1] == op[0])
        return lw_error_at(run->err, LW_ERROR_PARAMETER, where, "%s shifts by %lld bits", name,
                           (long long)b);
    return lw_error_at(run->err, LW_ERROR_PARAMETER, where,
                       "%s: %lld %.1s %lld is beyond the type of the result", name, (long long)a,
                       op, (long long)b);
}

/* a op b of numbers. */
static bool binary(struct run *run, const char *op, struct lw_position where, value *a, value *b,
                   const uint8_t *mask, value *out)
{
    const bool is_shift = op[0] == op[1] && (op[0] == '<' || op[0] == '>');
    struct lw_cuda_type type =
        is_shift ? common_type(&a->type, &int_type) : common_type(&a->type, &b->type);
    if (!type.is_integer || !a->is_known || !b->is_known) {
        *out = unknown(lw_cuda_is_comparison(op) ? &int_type : &type);
        return true;
    }
    if (!convert(run, a, &type) || (!is_shift && !convert(run, b, &type)))
        return false;
    *out = (value){.what = NUMBER,
                   .type = lw_cuda_is_comparison(op) ? int_type : type,
                   .is_known = true,
                   .is_uniform = a->is_uniform && b->is_uniform,
                   .v = new_vector(run)};
    if (!out->v)
        return false;
    for (size_t i = 0, n = numbers(run, out); i < n; i++)
        if (!lw_cuda_compute(op, &type, at(a, i), at(b, i), &out->v[i])) {
            const size_t thread = out->is_uniform ? first_active(run, mask) : i;
            if (mask[thread])
                return no_result(run, where, op, thread, at(a, i), at(b, i));
            out->v[i] = 0;
        }
    return true;
}

/* ---- Arrays ---- */

static bool evaluate(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out);
static bool number_of(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out);

/* Makes the array of a declaration: its dims are known and the same for all threads. */
static bool make_array(struct run *run, struct lw_cuda_variable *variable, const uint8_t *mask)
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
                                    .position = variable->position,
                                    .last_dim = variable->last_dim};
    array->size = array->bytes;
    for (int d = 0; d < variable->rank; d++) {
        value dim;
        if (!number_of(run, variable->dims[d], mask, &dim))
            return false;
        if (!dim.is_known || !dim.is_uniform || dim.v[0] < 1 ||
            __builtin_mul_overflow(array->size, (uint64_t)dim.v[0], &array->size) ||
            array->size > SIZE_MAX_OF_ARRAY)
            return lw_error_at(run->err, LW_ERROR_PARAMETER, variable->dims[d]->position,
                               "the length of an array is a constant, from 1 to 2^32 bytes in all");
        array->dims[d] = (uint64_t)dim.v[0];
    }
    if (variable->has_no_length) {
        array->dims[0] = UINT64_MAX;
        array->size = 0;
    }
    if (!array->bytes && variable->type.pointers < 2)
        return lw_error_at(run->err, LW_ERROR_SYNTAX, variable->position,
                           "what %.40s points to has no size", variable->name);
    if (array->is_shared) {
        const uint64_t align = variable->align > 16 ? variable->align : 16;
        array->base = (run->shared_used + align - 1) / align * align;
        run->shared_used = array->base + array->size;
    }
    variable->array = ++cuda->array_count;
    return true;
}

/* The value of the name of an array, or of a pointer that is declared. */
static bool value_of_array(struct run *run, struct lw_cuda_variable *variable, value *out)
{
    const struct lw_cuda_array *array =
        variable->array ? &run->cuda->arrays[variable->array - 1] : NULL;
    *out = (value){.what = variable->let ? LIST : LVALUE,
                   .type = variable->type,
                   .is_known = true,
                   .is_uniform = true,
                   .v = new_vector(run),
                   .array = variable->array,
                   .variable = variable,
                   .rank = variable->has_no_length ? 1 : variable->rank,
                   .dims = array ? array->dims : NULL};
    if (!out->v)
        return false;
    out->v[0] = 0;
    return true;
}

/* ---- Accesses ---- */

static bool is_before(const struct lw_cuda_access *a, const struct lw_cuda_access *b)
{
    if (a->position.line != b->position.line)
        return a->position.line < b->position.line;
    if (a->position.column != b->position.column)
        return a->position.column < b->position.column;
    return a->op < b->op;
}

static bool check_access(struct run *run, const value *lvalue, const uint64_t *addresses)
{
    struct lw_cuda_array *array = &run->cuda->arrays[lvalue->array - 1];
    const unsigned bytes = lvalue->type.bytes;
    char name[64];
    for (size_t i = 0; i < run->threads; i++) {
        const int64_t address = (int64_t)addresses[i];
        if (addresses[i] == LW_CUDA_INACTIVE)
            continue;
        const bool is_open = !array->rank; /* without a length */
        if (address < 0 || (!is_open && (uint64_t)address + bytes > array->size) ||
            (uint64_t)address > SIZE_MAX_OF_ARRAY) {
            put_thread(run, i, name);
            return lw_error_at(run->err, LW_ERROR_PARAMETER, lvalue->position,
                               "%s accesses byte %lld of %.40s, which has %llu", name,
                               (long long)address, array->name, (unsigned long long)array->size);
        }
        if ((array->base + (uint64_t)address) % bytes) {
            put_thread(run, i, name);
            return lw_error_at(
                run->err, LW_ERROR_PARAMETER, lvalue->position,
                "%s accesses %u bytes at byte %lld of %.40s: not aligned, the kernel "
                "would fail (misaligned address)",
                name, bytes, (long long)address, array->name);
        }
        if (is_open && (uint64_t)address + bytes > array->size)
            array->size = (uint64_t)address + bytes;
    }
    return true;
}

/* Appends an execution to the access of a node. */
static bool record(struct run *run, struct lw_cuda_node *node, const value *lvalue,
                   enum lw_cuda_op op, enum lw_cuda_atomic atomic, const uint8_t *mask)
{
    struct lw_cuda *cuda = run->cuda;
    size_t *site = &node->sites[op != LW_CUDA_LOAD];
    if (!lvalue->array)
        return true; /* registers */
    if (!lvalue->is_known)
        return lw_error_at(run->err, LW_ERROR_UNSUPPORTED, lvalue->position,
                           "this address depends on what is in memory: --let NAME=@FILE gives an "
                           "array its values");
    if (!*site) {
        if (cuda->access_count == SITES_MAX)
            return lw_error_at(run->err, LW_ERROR_LIMIT, lvalue->position, "more than %d accesses",
                               SITES_MAX);
        cuda->accesses[cuda->access_count] = (struct lw_cuda_access){.op = op,
                                                                     .atomic = atomic,
                                                                     .array = lvalue->array - 1,
                                                                     .bytes = lvalue->type.bytes,
                                                                     .position = lvalue->position,
                                                                     .row = lvalue->row,
                                                                     .column = lvalue->column};
        *site = ++cuda->access_count;
    }
    struct lw_cuda_access *access = &cuda->accesses[*site - 1];
    run->address_count += run->threads;
    if (run->address_count > ADDRESSES_MAX)
        return lw_error_at(run->err, LW_ERROR_LIMIT, lvalue->position,
                           "more than %d addresses of all accesses: smaller loops show the same",
                           ADDRESSES_MAX);
    if (!(access->times & (access->times - 1))) { /* room for twice as many */
        const size_t room = access->times ? 2 * access->times : 1;
        uint64_t *more = lw_arena_alloc(&cuda->arena, room * run->threads * sizeof *more);
        if (!more)
            return out_of_memory(run);
        if (access->times)
            memcpy(more, access->addresses, access->times * run->threads * sizeof *more);
        access->addresses = more;
    }
    uint64_t *addresses = access->addresses + access->times++ * run->threads;
    for (size_t i = 0; i < run->threads; i++)
        addresses[i] = mask[i] ? (uint64_t)at(lvalue, i) : LW_CUDA_INACTIVE;
    return check_access(run, lvalue, addresses);
}

/* ---- Expressions ---- */

/* The value of what an expression names: what is in a lvalue is loaded. */
static bool load(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *a)
{
    if (a->what == VARIABLE) {
        const struct lw_position position = a->position;
        if (!a->variable->value) {
            *a = unknown(&a->variable->type);
            return true;
        }
        *a = *a->variable->value;
        a->position = position;
        return true;
    }
    if (a->what == LVALUE && a->rank) {
        a->what = POINTER;
        return true;
    }
    if (a->what != LVALUE)
        return true;
    if (!record(run, node, a, LW_CUDA_LOAD, LW_CUDA_INTEGER, mask))
        return false;
    *a = unknown(&a->type);
    return true;
}

static bool rvalue(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    return evaluate(run, node, mask, out) && load(run, node, mask, out);
}

/* The same, which must be a number. */
static bool number_of(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    return rvalue(run, node, mask, out) &&
           (out->what == NUMBER || lw_error_at(run->err, LW_ERROR_SYNTAX, node->position,
                                               "expected a number, found an array or a pointer"));
}

/* Moves a pointer, or a lvalue, by `by` times a number of bytes. */
static bool move(struct run *run, struct lw_position where, value *a, value *by, uint64_t bytes,
                 bool back)
{
    if (!by->is_known || !a->is_known) {
        a->is_known = false;
        return true;
    }
    const bool is_uniform = a->is_uniform && by->is_uniform;
    int64_t *v = new_vector(run);
    for (size_t i = 0, n = is_uniform ? 1 : run->threads; v && i < n; i++) {
        int64_t step;
        if (__builtin_mul_overflow(at(by, i), (int64_t)bytes, &step) ||
            (back ? __builtin_sub_overflow(at(a, i), step, &v[i])
                  : __builtin_add_overflow(at(a, i), step, &v[i])))
            return lw_error_at(run->err, LW_ERROR_PARAMETER, where,
                               "this address is beyond 64 bits");
    }
    a->v = v;
    a->is_uniform = is_uniform;
    return v != NULL;
}

/* Notes an index beyond its dim: legal in a flat array, most often a mistake. */
static void check_index(struct run *run, struct lw_position where, const value *lvalue,
                        const value *index, const uint8_t *mask)
{
    char name[64];
    if (run->cuda->warning.code != LW_OK || !index->is_known)
        return;
    for (size_t i = 0; i < run->threads; i++) {
        const int64_t number = at(index, i);
        if (!mask[i] || (number >= 0 && (uint64_t)number < lvalue->dims[0]))
            continue;
        put_thread(run, i, name);
        lw_error_at(&run->cuda->warning, LW_ERROR_PARAMETER, where,
                    "%s: index %lld of a dim of %llu", name, (long long)number,
                    (unsigned long long)lvalue->dims[0]);
        return;
    }
}

/* bins[i] of values that were given. */
static bool from_list(struct run *run, struct lw_cuda_node *node, const uint8_t *mask,
                      const value *list, const value *index, value *out)
{
    const struct lw_cuda_let *let = list->variable->let;
    char name[64];
    *out = unknown(&list->type);
    out->type = list->type.is_integer ? list->type : int_type;
    out->type.pointers = 0;
    if (!index->is_known)
        return true;
    out->is_known = true;
    out->is_uniform = false;
    out->v = new_vector(run);
    for (size_t i = 0; out->v && i < run->threads; i++) {
        const int64_t number = at(index, i);
        const bool has = number >= 0 && (uint64_t)number < let->count;
        if (!has && mask[i]) {
            put_thread(run, i, name);
            return lw_error_at(run->err, LW_ERROR_PARAMETER, node->position,
                               "%s: index %lld of %.40s, which has %zu values", name,
                               (long long)number, let->name, let->count);
        }
        out->v[i] = has ? lw_cuda_wrap(&out->type, let->values[number]) : 0;
    }
    return out->v != NULL;
}

static bool index_of(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    value base, index;
    if (!evaluate(run, node->a, mask, &base) || !number_of(run, node->b, mask, &index))
        return false;
    if (base.what == LIST)
        return from_list(run, node, mask, &base, &index, out);
    if (base.what == VARIABLE && !load(run, node->a, mask, &base))
        return false;
    if (base.what == NUMBER) { /* of a vector in registers */
        *out = unknown(&data_type);
        return true;
    }
    uint64_t bytes = base.type.bytes;
    const bool is_pointer = base.what == POINTER;
    if (base.what == LVALUE && base.rank) {
        if (base.array)
            check_index(run, node->b->position, &base, &index, mask);
        for (int d = 1; d < base.rank && base.dims; d++)
            bytes *= base.dims[d];
        base.rank--;
        base.dims = base.dims ? base.dims + 1 : NULL;
    } else if (base.what == POINTER && base.type.pointers <= 1) {
        base.what = LVALUE;
        base.rank = 0;
        base.type.pointers = 0;
    } else {
        return lw_error_at(run->err, LW_ERROR_SYNTAX, node->position, "this is no array");
    }
    const bool is_first =
        node->b->kind == LW_CUDA_CONSTANT && !node->b->value; /* a pointer's [0] */
    *out = base;
    out->position = node->position;
    if (!is_pointer || !is_first) {
        out->row = is_pointer ? (struct lw_position){0} : base.column;
        out->column = is_pointer ? (struct lw_position){0} : node->inside;
    }
    return move(run, node->position, out, &index, bytes, false);
}

/* a.x: a part of a vector in memory, or of a value. */
static bool part_of(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    if (!evaluate(run, node->a, mask, out))
        return false;
    if (out->what != LVALUE || out->rank || out->type.parts < 2) {
        *out = unknown(&data_type);
        return true;
    }
    value one;
    struct lw_cuda_type part = data_type;
    part.bytes = (uint8_t)(out->type.bytes / out->type.parts);
    out->type = part;
    return constant(run, &one, &int_type, node->value) &&
           move(run, node->position, out, &one, part.bytes, false);
}

static bool cast(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    if (!rvalue(run, node->a, mask, out))
        return false;
    if (!node->type.pointers)
        return out->what == NUMBER ? convert(run, out, &node->type)
                                   : lw_error_at(run->err, LW_ERROR_SYNTAX, node->position,
                                                 "a pointer is not read as a number");
    if (out->what != POINTER || !node->type.bytes)
        return lw_error_at(run->err, LW_ERROR_SYNTAX, node->position,
                           "expected a pointer to memory, and a type with a size");
    out->type = node->type;
    return true;
}

static bool assign(struct run *run, struct lw_cuda_node *node, const value *target,
                   value *new_value, const uint8_t *mask);

/* ++a, a--: of a number or a pointer. */
static bool step(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    value target, one, after;
    const char op[2] = {node->name[0], '\0'};
    if (!evaluate(run, node->a, mask, &target) || !constant(run, &one, &int_type, 1))
        return false;
    *out = target;
    if (!load(run, node, mask, out))
        return false;
    after = *out;
    if (out->what == POINTER
            ? !move(run, node->position, &after, &one, out->type.bytes, op[0] == '-')
            : !binary(run, op, node->position, out, &one, mask, &after))
        return false;
    if (!node->value)
        *out = after;
    return assign(run, node, &target, &after, mask);
}

static bool unary(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    value zero;
    const char op = node->name[0];
    if (node->name[1])
        return step(run, node, mask, out);
    if (op == '&') {
        if (!evaluate(run, node->a, mask, out))
            return false;
        if (out->what != LVALUE)
            return lw_error_at(run->err, LW_ERROR_SYNTAX, node->position,
                               "& is read of what is in an array");
        out->what = POINTER;
        out->type.pointers = 1;
        out->rank = 0;
        return true;
    }
    if (op == '*') {
        if (!rvalue(run, node->a, mask, out))
            return false;
        if (out->what != POINTER)
            return lw_error_at(run->err, LW_ERROR_SYNTAX, node->position, "this is no pointer");
        out->what = LVALUE;
        out->rank = 0;
        out->type.pointers = 0;
        out->position = node->position;
        return true;
    }
    if (!number_of(run, node->a, mask, out) || op == '+' ||
        !constant(run, &zero, &int_type, op == '~' ? -1 : 0))
        return op == '+' && run->err->code == LW_OK;
    value operand = *out;
    return op == '-'   ? binary(run, "-", node->position, &zero, &operand, mask, out)
           : op == '~' ? binary(run, "^", node->position, &operand, &zero, mask, out)
                       : binary(run, "==", node->position, &operand, &zero, mask, out);
}

/* Splits a mask by a condition that is known; false: no thread is in `yes`. */
static bool split(struct run *run, const value *condition, const uint8_t *mask, uint8_t **yes,
                  uint8_t **no)
{
    bool any = false;
    *yes = new_mask(run);
    *no = new_mask(run);
    for (size_t i = 0; *yes && *no && i < run->threads; i++) {
        const bool is = at(condition, i) != 0;
        (*yes)[i] = mask[i] && is;
        (*no)[i] = mask[i] && !is;
        any = any || (*yes)[i];
    }
    return any;
}

static bool any_of(const struct run *run, const uint8_t *mask)
{
    return first_active(run, mask) < run->threads;
}

/* a && b, a || b: b is computed where a does not decide. */
static bool logical(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    const bool is_and = node->name[0] == '&';
    value a, b;
    uint8_t *yes, *no;
    if (!number_of(run, node->a, mask, &a))
        return false;
    if (!a.is_known) {
        *out = unknown(&int_type);
        return number_of(run, node->b, mask, &b);
    }
    split(run, &a, mask, &yes, &no);
    if (!yes || !no || !constant(run, out, &int_type, 0))
        return false;
    const uint8_t *rest = is_and ? yes : no;
    const bool needs = any_of(run, rest);
    if (needs && !number_of(run, node->b, rest, &b))
        return false;
    if (needs && !b.is_known) {
        *out = unknown(&int_type);
        return true;
    }
    out->is_uniform = a.is_uniform && (!needs || b.is_uniform);
    for (size_t i = 0, n = numbers(run, out); i < n; i++) {
        const bool left = at(&a, i) != 0, right = needs && at(&b, i) != 0;
        out->v[i] = is_and ? left && right : left || right;
    }
    return true;
}

static bool choice(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    value condition, a, b;
    uint8_t *yes, *no;
    if (!number_of(run, node->a, mask, &condition))
        return false;
    if (!condition.is_known) {
        if (!rvalue(run, node->b, mask, &a) || !rvalue(run, node->c, mask, &b))
            return false;
        *out = unknown(&a.type);
        return a.what == NUMBER || lw_error_at(run->err, LW_ERROR_UNSUPPORTED, node->position,
                                               "which pointer depends on what is in memory");
    }
    split(run, &condition, mask, &yes, &no);
    if (!yes || !no)
        return false;
    if (!any_of(run, no))
        return rvalue(run, node->b, yes, out);
    if (!any_of(run, yes))
        return rvalue(run, node->c, no, out);
    if (!rvalue(run, node->b, yes, &a) || !rvalue(run, node->c, no, &b))
        return false;
    if (a.what != b.what || (a.what == POINTER && a.array != b.array))
        return lw_error_at(run->err, LW_ERROR_UNSUPPORTED, node->position,
                           "threads have pointers to different arrays here");
    const struct lw_cuda_type type = a.what == NUMBER ? common_type(&a.type, &b.type) : a.type;
    if (!a.is_known || !b.is_known) {
        *out = a;
        out->is_known = false;
        return true;
    }
    if (a.what == NUMBER && (!convert(run, &a, &type) || !convert(run, &b, &type)))
        return false;
    *out = a;
    out->is_uniform = false;
    out->v = new_vector(run);
    for (size_t i = 0; out->v && i < run->threads; i++)
        out->v[i] = at(condition.v ? &condition : &a, i) ? at(&a, i) : at(&b, i);
    return out->v != NULL;
}

/* ---- Assignments ---- */

/* Sets a variable in the threads of a mask. */
static bool set_variable(struct run *run, struct lw_cuda_variable *variable, const value *from,
                         const uint8_t *mask)
{
    value *kept = variable->value;
    const bool all = !kept || memchr(mask, 0, run->threads) == NULL;
    if (!kept) {
        kept = lw_arena_alloc(&run->scratch, sizeof *kept);
        int64_t *v = lw_arena_alloc(&run->scratch, run->threads * sizeof *v);
        if (!kept || !v)
            return out_of_memory(run);
        *kept = (value){.v = v};
        variable->value = kept;
    }
    int64_t *v = kept->v;
    if (!all && kept->what == POINTER && kept->array != from->array)
        return lw_error_at(run->err, LW_ERROR_UNSUPPORTED, variable->position,
                           "threads have pointers to different arrays in %.40s", variable->name);
    const bool was_uniform = kept->is_uniform, was_known = kept->is_known;
    const bool is_known = from->is_known && (all || was_known);
    if (is_known && !all && was_uniform)
        for (size_t i = run->threads; i-- > 0;)
            v[i] = v[0];
    *kept = *from;
    kept->v = v;
    kept->is_known = is_known;
    kept->is_uniform = all && from->is_uniform;
    if (!is_known)
        return true;
    for (size_t i = 0, n = numbers(run, kept); i < n; i++)
        if (all || mask[i])
            v[i] = at(from, i);
    return true;
}

static bool assign(struct run *run, struct lw_cuda_node *node, const value *target, value *from,
                   const uint8_t *mask)
{
    if (target->what == VARIABLE) {
        struct lw_cuda_variable *variable = target->variable;
        const bool is_auto = !strcmp(variable->type.name, "auto");
        if (from->what == NUMBER && !variable->type.pointers && !is_auto &&
            !convert(run, from, &variable->type))
            return false;
        return set_variable(run, variable, from, mask);
    }
    if (target->what == LVALUE && !target->rank)
        return record(run, node, target, LW_CUDA_STORE, LW_CUDA_INTEGER, mask);
    return target->what == NUMBER ||
           lw_error_at(run->err, LW_ERROR_SYNTAX, node->position, "this cannot be assigned to");
}

static bool assignment(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    value target, before;
    char op[4];
    const size_t length = strlen(node->name) - 1;
    snprintf(op, sizeof op, "%.*s", (int)length, node->name);
    if (!length)
        return rvalue(run, node->b, mask, out) && evaluate(run, node->a, mask, &target) &&
               assign(run, node, &target, out, mask);
    if (!evaluate(run, node->a, mask, &target))
        return false;
    before = target;
    value right;
    if (!load(run, node, mask, &before) || !number_of(run, node->b, mask, &right))
        return false;
    *out = before;
    if (before.what == POINTER
            ? !move(run, node->position, out, &right, before.type.bytes, op[0] == '-')
            : !binary(run, op, node->position, &before, &right, mask, out))
        return false;
    return assign(run, node, &target, out, mask);
}

static bool operation(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    const char *op = node->name;
    value a, b;
    if (!strcmp(op, ","))
        return rvalue(run, node->a, mask, &a) && rvalue(run, node->b, mask, out);
    if (!strcmp(op, "&&") || !strcmp(op, "||"))
        return logical(run, node, mask, out);
    if (op[strlen(op) - 1] == '=' && !lw_cuda_is_comparison(op))
        return assignment(run, node, mask, out);
    if (!rvalue(run, node->a, mask, &a) || !rvalue(run, node->b, mask, &b))
        return false;
    if (b.what == POINTER && a.what == NUMBER && op[0] == '+') {
        value swap = a;
        a = b;
        b = swap;
    }
    if (a.what == POINTER && b.what == NUMBER && (op[0] == '+' || op[0] == '-')) {
        *out = a;
        out->row = out->column = (struct lw_position){0};
        return move(run, node->position, out, &b, a.type.bytes, op[0] == '-');
    }
    if (a.what != NUMBER || b.what != NUMBER)
        return lw_error_at(run->err, LW_ERROR_SYNTAX, node->position,
                           "%s is not read of arrays and pointers", op);
    return binary(run, op, node->position, &a, &b, mask, out);
}

/* ---- Calls ---- */

static bool atomic(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    value lvalue, operand;
    enum lw_cuda_atomic kind = LW_CUDA_INTEGER;
    if (!rvalue(run, node->a, mask, &lvalue) || !rvalue(run, node->b, mask, &operand) ||
        (node->c && !rvalue(run, node->c, mask, &operand)))
        return false;
    if (lvalue.what != POINTER || !lvalue.array)
        return lw_error_at(run->err, LW_ERROR_SYNTAX, node->a->position,
                           "expected the address of an element in shared memory");
    if (!run->cuda->arrays[lvalue.array - 1].is_shared)
        return lw_error_at(run->err, LW_ERROR_UNSUPPORTED, node->position,
                           "atomics on global memory are not counted");
    const bool is_float = !lvalue.type.is_integer;
    if (lvalue.type.bytes != 4 || lvalue.type.parts > 1 ||
        (is_float && strcmp(node->name, "atomicAdd") != 0))
        return lw_error_at(run->err, LW_ERROR_UNSUPPORTED, node->position,
                           "%.40s is counted on words of 4 bytes, int or unsigned, and for "
                           "atomicAdd float",
                           node->name);
    if (!strcmp(node->name, "atomicCAS"))
        kind = LW_CUDA_CAS;
    else if (is_float)
        kind = LW_CUDA_FLOAT;
    else if (!strcmp(node->name, "atomicAdd") && node->is_unused &&
             node->b->kind == LW_CUDA_CONSTANT && node->b->value == 1)
        kind = LW_CUDA_COUNT;
    lvalue.what = LVALUE;
    lvalue.type.pointers = 0;
    lvalue.position = node->position;
    *out = unknown(&lvalue.type);
    return record(run, node, &lvalue, LW_CUDA_ATOMIC, kind, mask);
}

static bool call(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    const char *name = node->name;
    value a, b;
    if (!strncmp(name, "atomic", 6))
        return atomic(run, node, mask, out);
    if (!strcmp(name, "__ldg")) {
        if (!rvalue(run, node->a, mask, out))
            return false;
        if (out->what != POINTER)
            return lw_error_at(run->err, LW_ERROR_SYNTAX, node->position, "expected a pointer");
        out->what = LVALUE;
        out->rank = 0;
        out->type.pointers = 0;
        out->position = node->position;
        return true;
    }
    const bool is_two = !strcmp(name, "min") || !strcmp(name, "max");
    if (!is_two && strcmp(name, "abs") != 0 && strcmp(name, "__popc") != 0 &&
        strcmp(name, "__brev") != 0 && strcmp(name, "__clz") != 0 && strcmp(name, "__ffs") != 0) {
        struct lw_cuda_node *const arguments[] = {node->a, node->b, node->c, node->body};
        for (int i = 0; i < 4; i++)
            if (arguments[i] && !rvalue(run, arguments[i], mask, &a))
                return false;
        *out = unknown(&data_type);
        return true;
    }
    if (!number_of(run, node->a, mask, &a) || (is_two && !number_of(run, node->b, mask, &b)))
        return false;
    struct lw_cuda_type type = is_two                   ? common_type(&a.type, &b.type)
                               : strcmp(name, "__brev") ? int_type
                                                        : unsigned_type;
    *out = unknown(&type);
    if (!a.is_known || (is_two && !b.is_known) || !type.is_integer)
        return true;
    if (!convert(run, &a, &type) || (is_two && !convert(run, &b, &type)))
        return false;
    out->is_known = true;
    out->is_uniform = a.is_uniform && (!is_two || b.is_uniform);
    out->v = new_vector(run);
    for (size_t i = 0, n = numbers(run, out); out->v && i < n; i++) {
        int64_t less = 0;
        if (is_two)
            lw_cuda_compute("<", &type, at(&a, i), at(&b, i), &less);
        out->v[i] = !is_two ? lw_cuda_of_bits(name, at(&a, i))
                            : at((less != 0) == (name[1] == 'i') ? &a : &b, i);
    }
    return out->v != NULL;
}

static bool built_in(struct run *run, struct lw_cuda_node *node, value *out)
{
    const uint64_t *block = run->cuda->block;
    const int which = (int)node->value;
    const bool is_own = which >= LW_CUDA_TID; /* int tid, as people declare it */
    const struct lw_cuda_type *type =
        is_own || which == LW_CUDA_WARP_SIZE ? &int_type : &unsigned_type;
    if (which >= LW_CUDA_BLOCK_DIM_X && which <= LW_CUDA_WARP_SIZE)
        return constant(run, out, type,
                        which == LW_CUDA_WARP_SIZE ? 32
                        : which >= LW_CUDA_BLOCK_X ? 0
                                                   : (int64_t)block[which - LW_CUDA_BLOCK_DIM_X]);
    *out = (value){.what = NUMBER, .type = *type, .is_known = true, .v = new_vector(run)};
    for (size_t i = 0; out->v && i < run->threads; i++)
        out->v[i] = (int64_t)(which == LW_CUDA_TID            ? i
                              : which == LW_CUDA_LANE         ? i % 32
                              : which == LW_CUDA_WARP         ? i / 32
                              : which == LW_CUDA_THREAD_X     ? i % block[0]
                              : which == LW_CUDA_THREAD_X + 1 ? i / block[0] % block[1]
                                                              : i / block[0] / block[1]);
    return out->v != NULL;
}

static bool evaluate(struct run *run, struct lw_cuda_node *node, const uint8_t *mask, value *out)
{
    if (!count_work(run, node->position))
        return false;
    switch (node->kind) {
    case LW_CUDA_CONSTANT: {
        struct lw_cuda_type type = node->is_unsigned ? unsigned_type : int_type;
        type.bytes = node->is_long ? 8 : 4;
        return constant(run, out, &type, node->value);
    }
    case LW_CUDA_VARIABLE:
        if (node->variable->is_array || node->variable->let)
            return value_of_array(run, node->variable, out) &&
                   (out->position = node->position, true);
        *out = (value){.what = VARIABLE,
                       .type = node->variable->type,
                       .variable = node->variable,
                       .position = node->position};
        return true;
    case LW_CUDA_BUILT_IN:
        return built_in(run, node, out);
    case LW_CUDA_UNARY:
        return unary(run, node, mask, out);
    case LW_CUDA_BINARY:
        return operation(run, node, mask, out);
    case LW_CUDA_CHOICE:
        return choice(run, node, mask, out);
    case LW_CUDA_INDEX:
        return index_of(run, node, mask, out);
    case LW_CUDA_PART:
        return part_of(run, node, mask, out);
    case LW_CUDA_CAST:
        return cast(run, node, mask, out);
    case LW_CUDA_CALL:
        return call(run, node, mask, out);
    case LW_CUDA_SIZEOF: {
        struct lw_cuda_type type = {"size_t", 8, 1, true, true, 0};
        uint64_t bytes = node->type.pointers ? 8 : node->type.bytes;
        if (node->a) {
            if (!evaluate(run, node->a, mask, out))
                return false;
            bytes = out->type.bytes;
            for (int d = 0; d < out->rank; d++)
                bytes *= out->dims ? out->dims[d] : 1;
        }
        return constant(run, out, &type, (int64_t)bytes);
    }
    default:
        *out = unknown(&data_type);
        return true;
    }
}

/* ---- Statements ---- */

static bool execute_all(struct run *run, struct lw_cuda_node *node, const uint8_t *mask);

static bool declare(struct run *run, struct lw_cuda_node *node, const uint8_t *mask)
{
    struct lw_cuda_variable *variable = node->variable;
    value from;
    if (variable->let)
        return true;
    if (variable->is_array)
        return !variable->is_shared || variable->array || make_array(run, variable, mask);
    if (!node->a && variable->type.pointers) { /* a pointer to global memory */
        if (!variable->array && !make_array(run, variable, mask))
            return false;
        if (!value_of_array(run, variable, &from))
            return false;
        from.what = POINTER;
        return set_variable(run, variable, &from, mask);
    }
    if (!node->a) {
        from = unknown(&variable->type);
        return set_variable(run, variable, &from, mask);
    }
    const value target = {.what = VARIABLE, .variable = variable};
    return rvalue(run, node->a, mask, &from) && assign(run, node, &target, &from, mask);
}

static bool condition_of(struct run *run, struct lw_cuda_node *node, const uint8_t *mask,
                         value *out)
{
    if (!number_of(run, node, mask, out))
        return false;
    return out->is_known || lw_error_at(run->err, LW_ERROR_UNSUPPORTED, node->position,
                                        "which threads run this depends on what is in memory");
}

static bool loop(struct run *run, struct lw_cuda_node *node, const uint8_t *mask)
{
    uint8_t *left = new_mask(run), *yes, *no;
    value condition;
    if (!left || (node->a && !execute_all(run, node->a, mask)))
        return false;
    memcpy(left, mask, run->threads);
    for (;;) {
        const size_t used = run->pool_used;
        if (!count_work(run, node->position))
            return false;
        if (node->b) {
            if (!condition_of(run, node->b, left, &condition))
                return false;
            split(run, &condition, left, &yes, &no);
            if (!yes || !no)
                return false;
            memcpy(left, yes, run->threads);
        }
        if (!any_of(run, left))
            break;
        if (node->body && !execute_all(run, node->body, left))
            return false;
        for (size_t i = 0; i < run->threads; i++) {
            run->skip[i] = run->skip[i] == CONTINUES ? RUNS : run->skip[i];
            left[i] = left[i] && run->skip[i] == RUNS;
        }
        if (node->c && any_of(run, left) && !evaluate(run, node->c, left, &condition))
            return false;
        run->pool_used = used;
    }
    for (size_t i = 0; i < run->threads; i++)
        run->skip[i] = run->skip[i] == BREAKS ? RUNS : run->skip[i];
    return true;
}

static bool branch(struct run *run, struct lw_cuda_node *node, const uint8_t *mask)
{
    value condition;
    uint8_t *yes, *no;
    if (!condition_of(run, node->a, mask, &condition))
        return false;
    split(run, &condition, mask, &yes, &no);
    if (!yes || !no)
        return false;
    return (!node->b || !any_of(run, yes) || execute_all(run, node->b, yes)) &&
           (!node->c || !any_of(run, no) || execute_all(run, node->c, no));
}

static bool execute(struct run *run, struct lw_cuda_node *node, const uint8_t *mask)
{
    value ignored;
    switch (node->kind) {
    case LW_CUDA_DECLARE:
        return declare(run, node, mask);
    case LW_CUDA_DO:
        return rvalue(run, node->a, mask, &ignored);
    case LW_CUDA_IF:
        return branch(run, node, mask);
    case LW_CUDA_LOOP:
        return loop(run, node, mask);
    case LW_CUDA_BLOCK:
        return !node->a || execute_all(run, node->a, mask);
    default:
        for (size_t i = 0; i < run->threads; i++)
            if (mask[i])
                run->skip[i] = node->kind == LW_CUDA_BREAK      ? BREAKS
                               : node->kind == LW_CUDA_CONTINUE ? CONTINUES
                                                                : RETURNS;
        return true;
    }
}

static bool execute_all(struct run *run, struct lw_cuda_node *node, const uint8_t *mask)
{
    for (; node; node = node->next) {
        const size_t used = run->pool_used;
        uint8_t *active;
        if (!count_work(run, node->position))
            return false;
        if (!running(run, mask, &active))
            return active != NULL;
        if (!execute(run, node, active))
            return false;
        run->pool_used = used;
    }
    return true;
}

/* ---- The block ---- */

/* The threads of a block that the text sets: dim3(32, 8), a name of such a declaration, or a number. */
static bool find_block(struct run *run, const struct lw_cuda_program *program, uint64_t block[3])
{
    struct lw_cuda_node *const *sizes = program->block;
    const uint8_t mask = 1;
    value size;
    for (int i = 0; i < 3; i++) {
        block[i] = 1;
        if (!sizes[i])
            continue;
        if (!number_of(run, sizes[i], &mask, &size))
            return false;
        if (!size.is_known || size.v[0] < 1 || size.v[0] > LW_CUDA_THREADS_MAX)
            return lw_error_at(run->err, LW_ERROR_PARAMETER, sizes[i]->position,
                               "the block has constants, of 1 to %d threads", LW_CUDA_THREADS_MAX);
        block[i] = (uint64_t)size.v[0];
    }
    return true;
}

static int compare_positions(const void *a, const void *b)
{
    return is_before(a, b) ? -1 : is_before(b, a) ? 1 : 0;
}

static bool run_block(struct run *run)
{
    struct lw_cuda *cuda = run->cuda;
    uint8_t *all = lw_arena_alloc(&run->scratch, run->threads);
    run->skip = lw_arena_alloc(&run->scratch, run->threads);
    cuda->arrays = lw_arena_alloc(&cuda->arena, ARRAYS_MAX * sizeof *cuda->arrays);
    cuda->accesses = lw_arena_alloc(&cuda->arena, SITES_MAX * sizeof *cuda->accesses);
    if (!all || !run->skip || !cuda->arrays || !cuda->accesses)
        return out_of_memory(run);
    memset(all, 1, run->threads);
    memset(run->skip, RUNS, run->threads);
    if (!execute_all(run, run->program->first, all))
        return false;
    qsort(cuda->accesses, cuda->access_count, sizeof *cuda->accesses, compare_positions);
    return true;
}

bool lw_cuda_run(struct lw_cuda *cuda, const struct lw_cuda_program *program, struct lw_error *err)
{
    const uint64_t *given = program->options->block;
    struct run run = {.cuda = cuda, .program = program, .threads = 1, .err = err};
    uint64_t threads = 1;
    bool good = true;
    if (program->block[0])
        good = find_block(&run, program, cuda->block);
    else
        for (int i = 0; i < 3; i++)
            cuda->block[i] = given[i] ? given[i] : i || given[1] || given[2] ? 1 : 32;
    for (int i = 0; i < 3 && good; i++)
        if (cuda->block[i] > LW_CUDA_THREADS_MAX ||
            (threads *= cuda->block[i]) > LW_CUDA_THREADS_MAX)
            good = lw_error_set(err, LW_ERROR_LIMIT, "a block has at most %d threads",
                                LW_CUDA_THREADS_MAX);
    lw_arena_free(&run.scratch);
    if (!good)
        return false;
    run = (struct run){.cuda = cuda, .program = program, .threads = (size_t)threads, .err = err};
    cuda->threads = run.threads;
    good = run_block(&run);
    lw_arena_free(&run.scratch);
    return good;
}
