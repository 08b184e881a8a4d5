/*
 * Running the tokens of a text, by all threads of the block at once.
 *
 * A value has a number for each thread, in a vector. A thread runs, or it waits at a level: that of the branch, the
 * loop or the function at whose end it runs again. So an expression is computed, and a statement executed, for the
 * threads that run, and an access of theirs is one row of addresses. A vector is on a stack until its statement ends;
 * that of a variable until its block ends.
 *
 * What no thread runs is executed once for none of them, which finds what is not C++. From the first name without a
 * value on nothing is accessed, and each loop runs once: more such names are found. After an error the rest of the text
 * counts as its end: so nothing is checked but the error, when all has ended.
 */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"
#include "laneway/text.h"

#include <string.h>

enum {
    DEPTH_MAX = 128, /* of operators and statements in each other */
    ARGUMENTS_MAX = 12,
    HEAD_MAX = 1024, /* tokens of a function before its body */
    TOKEN_WORK = 32  /* a token is read in about the time of computing for that many threads */
};
#define ARRAY_BYTES_MAX ((int64_t)1 << 32)

typedef struct lw_cuda_run context;
typedef struct lw_cuda_token token;
typedef struct lw_cuda_type type;
typedef struct lw_cuda_value value;
typedef struct lw_cuda_variable variable;

/* ---- Tokens ---- */

/* Counts the work of a token for all threads, and how deep it is. */
static void enter(context *run)
{
    const uint64_t work = run->threads + TOKEN_WORK;
    if (++run->depth > DEPTH_MAX)
        lw_cuda_fail(run, LW_ERROR_LIMIT, run->at, "nested more than %d deep", DEPTH_MAX);
    if (run->work < work)
        lw_cuda_fail(run, LW_ERROR_LIMIT, run->at,
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

static void unexpected(context *run, const char *expected)
{
    const bool is_end = run->at->kind == LW_CUDA_END;
    lw_cuda_fail(run, LW_ERROR_SYNTAX, run->at, "expected %s, found %s%.40s%s", expected,
                 is_end ? "the end" : "'", run->at->text, is_end ? "" : "'");
}

static void expect(context *run, const char *text)
{
    if (!take(run, text))
        unexpected(run, text);
}

static token *take_name(context *run)
{
    token *name = run->at;
    if (name->kind != LW_CUDA_NAME)
        unexpected(run, "a name");
    go(run, name + 1);
    return name;
}

/* Passes over what is before a word, and over the word; brackets are passed over with what is in them. */
static void skip_to(context *run, const char *word)
{
    for (int open = 0; run->at->kind != LW_CUDA_END && (open > 0 || !is(run, word)); run->at++) {
        open += lw_text_has_word("( [ {", run->at->text) - lw_text_has_word(") ] }", run->at->text);
        if (run->work < TOKEN_WORK)
            break;
        run->work -= TOKEN_WORK;
    }
    expect(run, word);
}

/* Whether a word is between two tokens. */
static bool has_word(const token *from, const token *to, const char *word)
{
    while (from != to && from->kind != LW_CUDA_END && !is_word(from, word))
        from++;
    return from != to && from->kind != LW_CUDA_END;
}

static bool starts_type(const token *at)
{
    return at->is_type || at->is_qualifier;
}

/* What a declaration has beside its type. */
struct specifiers {
    type type;
    bool is_shared, is_device, is_const;
    int64_t align;
};

/* Words of a type, with what is around them: `const unsigned int`, `__shared__ float`. */
static struct specifiers read_specifiers(context *run)
{
    struct specifiers found = {.type = lw_cuda_integer(4, false)};
    const token *from = run->at;
    bool has_type = false;
    while (starts_type(run->at)) {
        const token *at = run->at++;
        has_type = has_type || at->is_type;
        if (!strcmp(found.type.name, "int")) /* long int */
            lw_cuda_type_named(at->text, &found.type);
        if (!lw_text_has_word("__align__ alignas", at->text))
            continue;
        expect(run, "(");
        found.align = run->at->value;
        if (found.align < 1 || found.align > 1024 || (found.align & (found.align - 1)))
            unexpected(run, "a power of two of at most 1024 bytes");
        go(run, run->at + 1);
        expect(run, ")");
    }
    if (!has_type)
        lw_cuda_fail(run, LW_ERROR_SYNTAX, run->at,
                     "expected a type: '%.40s' is not read; of a struct of 3 floats 'float *p' is, "
                     "indexed by 3 * i",
                     run->at->text);
    found.is_shared = has_word(from, run->at, "__shared__");
    found.is_device = has_word(from, run->at, "__device__");
    found.is_const = has_word(from, run->at, "const") || has_word(from, run->at, "constexpr") ||
                     has_word(from, run->at, "__constant__");
    found.type.is_unsigned = found.type.is_unsigned || has_word(from, run->at, "unsigned");
    return found;
}

/* `*`, `const` and `__restrict__` after a type. */
static type read_pointer(context *run, type of)
{
    for (; is(run, "*") || run->at->is_qualifier; go(run, run->at + 1)) {
        if (is(run, "*") && of.is_pointer)
            lw_cuda_refuse(run, run->at, "pointers to pointers are not read");
        of.is_pointer = of.is_pointer || is(run, "*");
    }
    return of;
}

/* A type by itself, as of a cast: `const float4 *`. */
static type read_type(context *run)
{
    return read_pointer(run, read_specifiers(run).type);
}

/* The threads that run in which a number is zero, or is not, wait at a level; returns in how many it is not known. */
static int pause_threads(context *run, const value *number, bool is_zero, int level)
{
    int unknown = 0;
    for (size_t t = 0; lw_cuda_running(run, &t); t++)
        if (number->v[t] == LW_CUDA_UNKNOWN)
            unknown++;
        else if ((number->v[t] == 0) == is_zero)
            run->state[t] = level;
    return unknown;
}

/* ---- Names ---- */

static value expression(context *run, int least);
static value unary(context *run);
static void statement(context *run);

static value rvalue(context *run, int least)
{
    value a = expression(run, least);
    lw_cuda_load(run, &a);
    return a;
}

/* What must be a number. */
static value number(context *run, int least)
{
    const value a = rvalue(run, least);
    if (a.is_address)
        lw_cuda_refuse(run, a.at, "expected a number, found an array or a pointer");
    return a;
}

static variable *new_variable(context *run, const char *name, type of, token *at)
{
    variable *made = &run->names[run->name_count];
    if (run->name_count == LW_CUDA_NAMES_MAX)
        lw_cuda_fail(run, LW_ERROR_LIMIT, at, "more than %d names are declared", LW_CUDA_NAMES_MAX);
    else
        run->name_count++;
    *made = (variable){.name = name, .type = of};
    made->value = lw_cuda_number(run, at, of, LW_CUDA_UNKNOWN);
    return made;
}

static variable *variable_named(context *run, const char *name)
{
    for (int i = run->name_count - 1; i >= 0; i--)
        if ((i >= run->frame.locals || i < run->frame.globals) && !strcmp(run->names[i].name, name))
            return &run->names[i];
    return NULL;
}

/* Whether a name has a value that is given before the text. */
static bool is_given(context *run, const token *name)
{
    const variable *before = variable_named(run, name->text);
    return before && before->value.at->kind == LW_CUDA_NAME && !before->value.at->position.line &&
           name->position.line;
}

/* Declares what is there without a declaration. */
static void declare_built_ins(context *run)
{
    static const char *const names[] = {
        "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockDim.x", "blockDim.y", "blockDim.z",
        "blockIdx.x",  "blockIdx.y",  "blockIdx.z",  "gridDim.x",  "gridDim.y",  "gridDim.z",
        "tid",         "lane",        "warp",        "warpSize",   "true",       "false"};
    const size_t x = run->cuda->block[0], y = run->cuda->block[1], z = run->cuda->block[2];
    const int64_t *grid = run->grid;
    for (size_t i = 0; i < LW_COUNT(names); i++) {
        if (!grid[0] && !strncmp(names[i], "gridDim", 7)) /* it is not known */
            continue;
        const variable *made = new_variable(run, names[i], lw_cuda_integer(4, i < 12), run->ended);
        for (size_t t = 0; t < run->threads; t++) {
            const size_t numbers[] = {
                t % x,           t / x % y,       t / x / y,       x, y,      z,      0,  0, 0,
                (size_t)grid[0], (size_t)grid[1], (size_t)grid[2], t, t % 32, t / 32, 32, 1, 0};
            made->value.v[t] = (int64_t)numbers[i];
        }
    }
}

static bool assigns(const token *at)
{
    return at->sign && at->sign->order == 1;
}

/* A name without a value: alone on one side of = it is a value, and no memory. */
static value undeclared(context *run, token *from)
{
    const bool ends = run->at->kind == LW_CUDA_END || lw_text_has_word("; , )", run->at->text),
               is_value = assigns(run->at) || (assigns(from - 1) && ends);
    char listed[LW_MESSAGE_MAX];
    snprintf(listed, sizeof listed, "%.300s,", from->text);
    if (strstr(from->text, "::") || run->at->kind == LW_CUDA_NAME || is(run, "{") ||
        (is(run, "*") && is_word(run->at + 1, ")"))) { /* a cast */
        lw_cuda_fail(run, LW_ERROR_SYNTAX, from,
                     "'%.60s' is not read: it is no statement, no name of a variable and no type "
                     "that is known",
                     from->text);
    } else if (!is_value && !lw_text_has_word(lw_text_string(&run->missing), listed)) {
        run->first_missing = run->missing.length ? run->first_missing : from;
        lw_text_format(&run->missing, "%s ", listed);
    }
    return lw_cuda_data(run, from);
}

static value call(context *run, token *name, variable *routine);

static value read_name(context *run)
{
    token *from = run->at++;
    variable *named = variable_named(run, from->text);
    const bool is_routine = named && named->function;
    if (is_routine && is(run, "<")) /* of a template */
        skip_to(run, ">");
    if (is(run, "(") || (is(run, "<") && strstr(from->text, "_cast")))
        return call(run, from, is_routine ? named : NULL);
    if (!named)
        return undeclared(run, from);
    value made = lw_cuda_copy(run, &named->value);
    made.at = from;
    made.variable = named;
    return made;
}

/* ---- Calls ---- */

/* a as another type: of a number, or what it points to. */
static void cast(context *run, token *at, value *a, type to)
{
    lw_cuda_load(run, a);
    a->at = at;
    if (!to.is_pointer && a->is_address)
        lw_cuda_refuse(run, at, "a pointer is not read as a number");
    else if (!to.is_pointer)
        lw_cuda_retype(run, a, &to);
    else if ((!a->is_address && !a->type.is_pointer) || !to.bytes)
        lw_cuda_refuse(run, at, "expected a pointer to memory, and a type with a size");
    to.is_pointer = to.is_pointer && !a->is_address;
    a->type = to;
    a->rank = a->is_address;
    a->is_array = false;
}

/* Functions that have a meaning for addresses, with the number of their arguments; others are atomics. */
static const struct {
    const char *names;
    size_t arguments;
    enum lw_cuda_operator op;
} functions[] = {
    {"min", 2, LW_CUDA_MIN},
    {"max", 2, LW_CUDA_MAX},
    {"__popc", 1, LW_CUDA_POPC},
    {"__brev", 1, LW_CUDA_BREV},
    {"atomicAdd atomicSub atomicMax atomicMin atomicOr atomicAnd atomicXor atomicExch", 2,
     LW_CUDA_NONE},
    {"atomicCAS", 3, LW_CUDA_NONE},
};

/* Whether a name begins with one of a list, with blanks between them. */
static bool begins(const char *list, const char *name)
{
    for (const char *at = list; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (!strncmp(at, name, length))
            return true;
        at += length;
    }
    return false;
}

/* Executes an atomic function on what `a` points to; `b` is its second argument. A statement uses no result. */
static void execute_atomic(context *run, token *name, bool is_statement, value *a, const value *b)
{
    const struct lw_cuda_array *array = a->array ? &run->cuda->arrays[a->array - 1] : NULL;
    const bool is_float = !a->type.is_integer, is_add = is_word(name, "atomicAdd"),
               is_one = b->at->kind == LW_CUDA_NUMBER && b->at->value == 1 &&
                        is_word(b->at + 1, ")") && is(run, ";");
    if ((!a->is_address && !run->missing.length) ||
        (array && array->is_shared &&
         (a->type.bytes != 4 || a->type.parts > 1 || (is_float && !is_add))))
        lw_cuda_fail(run, LW_ERROR_UNSUPPORTED, name,
                     "%.40s is counted on words of 4 bytes of an array, &name[i]: int or unsigned, "
                     "and for atomicAdd float",
                     name->text);
    a->at = name;
    lw_cuda_record(run, a, LW_CUDA_ATOMIC,
                   is_word(name, "atomicCAS")         ? LW_CUDA_CAS
                   : is_float                         ? LW_CUDA_FLOAT
                   : is_add && is_one && is_statement ? LW_CUDA_COUNT
                                                      : LW_CUDA_INTEGER);
}

static token *parameters_of(token *at);
static size_t read_parameters(context *run, const value *given, size_t count);

/* Calls a function of the device, which sees the names before its own; `out` gets its value. Returns how many
 * parameters it has. */
static size_t call_routine(context *run, variable *routine, const value *given, size_t count,
                           value *out)
{
    token *const after = run->at;
    const struct lw_cuda_frame frame = run->frame;
    const int names = run->name_count;
    enter(run);
    go(run, routine->function);
    const type of = read_type(run);
    go(run, parameters_of(routine->function));
    run->frame = (struct lw_cuda_frame){.returned = ++run->level,
                                        .globals = (int)(routine - run->names) + 1,
                                        .locals = names,
                                        .result = out};
    const size_t needed = read_parameters(run, given, count);
    statement(run);
    lw_cuda_set_state(run, run->level--, LW_CUDA_RUNS);
    if (!out->is_address && of.bytes)
        lw_cuda_retype(run, out, &of);
    run->frame = frame;
    run->name_count = names;
    run->depth--;
    go(run, after);
    return needed;
}

static value call(context *run, token *name, variable *routine)
{
    const bool is_statement = run->statement == name,
               is_cast = take(run, "<"); /* reinterpret_cast<float4 *>( */
    type to = {0};
    const bool is_type = !is_cast && lw_cuda_type_named(name->text, &to);
    size_t count = 0, needed, i = 0;
    value out = lw_cuda_data(run, name), given[ARGUMENTS_MAX + 1];
    if (is_cast) {
        to = read_type(run);
        expect(run, ">");
    }
    while (i < LW_COUNT(functions) &&
           (routine || !lw_text_has_word(functions[i].names, name->text)))
        i++;
    const bool is_known = i < LW_COUNT(functions),
               is_atomic = is_known && functions[i].op == LW_CUDA_NONE;
    if (!is_cast && !is_type && !routine && !is_known &&
        !begins("make_ __float __half __bfloat __h __f __low __high __int2 __uint2 __exp __log exp "
                "log sqrt rsqrt sin cos tanh pow erf fma fmin fabs",
                name->text)) /* functions of data */
        lw_cuda_fail(
            run, LW_ERROR_SYNTAX, name,
            "the function %.60s is not read: leave it out, or write what it does in its stead",
            name->text);
    expect(run, "(");
    for (bool more = !is(run, ")"); more && !run->failed; more = take(run, ",")) {
        if (count == ARGUMENTS_MAX)
            lw_cuda_fail(run, LW_ERROR_LIMIT, run->at, "a function has at most %d parameters",
                         ARGUMENTS_MAX);
        given[count] = rvalue(run, 1);
        count += !run->failed;
    }
    expect(run, ")");
    needed = is_cast ? 1 : is_known ? functions[i].arguments : count;
    if (routine)
        needed = call_routine(run, routine, given, count, &out);
    if (count != needed)
        lw_cuda_fail(run, LW_ERROR_SYNTAX, name, "%.40s takes %zu argument%s, not %zu", name->text,
                     needed, needed == 1 ? "" : "s", count);
    if (run->failed)
        return out;
    if (is_cast || (is_type && count == 1 && to.parts == 1)) {
        out = given[0];
        cast(run, name, &out, to);
    } else if (is_atomic) {
        execute_atomic(run, name, is_statement, &given[0], &given[1]);
    } else if (is_known) {
        out = given[0];
        if (count == 1)
            cast(run, name, &out, lw_cuda_integer(4, true));
        lw_cuda_compute(run, name, functions[i].op, &out, count == 1 ? &out : &given[1]);
    }
    return out;
}

/* ---- Expressions ---- */

/* sizeof of a type, or of what an expression names, which is not loaded. */
static value read_sizeof(context *run, token *from)
{
    const value made = lw_cuda_number(run, from, lw_cuda_integer(8, true), 0);
    expect(run, "(");
    const value a =
        starts_type(run->at) ? lw_cuda_number(run, from, read_type(run), 0) : expression(run, 1);
    const bool is_pointer = a.type.is_pointer || (a.is_address && a.rank && !a.is_array);
    const int64_t bytes = is_pointer ? 8 : lw_cuda_size(run, &a, a.rank);
    for (size_t t = 0; t < run->threads; t++)
        made.v[t] = a.is_array && !a.array ? LW_CUDA_UNKNOWN : bytes; /* in registers */
    expect(run, ")");
    return made;
}

static value primary(context *run)
{
    token *from = run->at;
    if (take(run, "sizeof"))
        return read_sizeof(run, from);
    if (from->kind == LW_CUDA_NAME)
        return read_name(run);
    if (take(run, "(")) {
        const value made = expression(run, 0);
        expect(run, ")");
        return made;
    }
    if (from->kind == LW_CUDA_NUMBER) {
        run->at++;
        return lw_cuda_number(run, from, from->type, from->value);
    }
    if (take(run, "{")) /* of a vector or an array: passed over */
        skip_to(run, "}");
    else if (from->kind == LW_CUDA_REAL)
        run->at++;
    else
        unexpected(run, "a value");
    return lw_cuda_data(run, from);
}

/* a.x: part 0 of a vector in memory, or of a value. */
static void take_part(context *run, value *a, int part)
{
    if (a->is_address && !a->rank && a->type.parts > 1) {
        a->type.bytes = (uint8_t)(a->type.bytes / a->type.parts);
        for (size_t t = 0; t < run->threads; t++)
            a->v[t] += a->v[t] != LW_CUDA_UNKNOWN ? part * a->type.bytes : 0;
        a->type.parts = 1;
    } else {
        *a = lw_cuda_data(run, a->at);
    }
    a->type.is_integer = false;
}

/* a = a op b, where `a` is; with `gives_old` the result is what it was, as of a++. */
static void update(context *run, const token *at, value *a, const value *b, bool gives_old)
{
    value old = lw_cuda_copy(run, a);
    lw_cuda_load(run, &old);
    value new = lw_cuda_copy(run, &old);
    lw_cuda_compute(run, at, at->sign->op, &new, b);
    lw_cuda_store(run, at, a, &new);
    *a = gives_old ? old : new;
}

static value postfix(context *run)
{
    value a = primary(run);
    for (;;) {
        token *open = run->at;
        if (take(run, "[")) {
            const value b = number(run, 0);
            expect(run, "]");
            lw_cuda_index(run, &a, &b);
        } else if (take(run, ".")) {
            const size_t part = strcspn("xyzw", run->at->text);
            if (part == 4 || run->at->text[1])
                unexpected(run, "x, y, z or w of a vector (structs are not read)");
            else
                take_part(run, &a, (int)part);
            go(run, run->at + 1);
        } else if (take(run, "++") || take(run, "--")) {
            const value one = lw_cuda_number(run, open, lw_cuda_integer(4, false), 1);
            update(run, open, &a, &one, true);
        } else {
            return a;
        }
    }
}

/* -a is 0 - a, +a is 0 + a, ~a is -1 ^ a, !a is 0 == a, ++a is a += 1. */
static void apply_sign(context *run, token *sign, value *a)
{
    const char what = sign->text[0];
    const bool is_step = sign->text[1] != '\0';
    value other = lw_cuda_number(run, sign, lw_cuda_integer(4, false), is_step - (what == '~'));
    if (is_step) {
        update(run, sign, a, &other, false);
    } else if (what == '&') {
        if (!a->is_address)
            lw_cuda_refuse(run, sign, "& is read of what is in an array");
        a->rank++;
        a->is_array = false;
        a->variable = NULL;
    } else if (what == '*') {
        lw_cuda_load(run, a);
        if (!a->is_address)
            lw_cuda_refuse(run, sign, "this is no pointer to an array");
        a->rank--;
    } else {
        lw_cuda_load(run, a);
        lw_cuda_compute(run, sign, sign->sign->op, &other, a);
        *a = other;
    }
    a->at = sign;
}

static value unary(context *run)
{
    token *from = run->at;
    value a;
    enter(run);
    if (from->sign && lw_text_has_word("- + ! ~ * & ++ --", from->text)) {
        go(run, from + 1);
        a = unary(run);
        apply_sign(run, from, &a);
    } else if (is(run, "(") && starts_type(from + 1) && !is_word(from + 2, "(") &&
               !variable_named(run, from[1].text)) {
        run->at++;
        const type to = read_type(run);
        expect(run, ")");
        a = unary(run);
        cast(run, from, &a, to);
    } else {
        a = postfix(run);
    }
    run->depth--;
    return a;
}

/* a ? b : c, and a && b as a ? b != 0 : 0, a || b as a ? 1 : b != 0: one side is for the threads in which a holds. */
static void choose(context *run, token *at, value *a)
{
    const bool is_and = is_word(at, "&&"), is_or = is_word(at, "||");
    const type int_type = lw_cuda_integer(4, false);
    value out = lw_cuda_data(run, a->at), side[2];
    if (a->is_address)
        lw_cuda_refuse(run, a->at, "expected a number, found an array or a pointer");
    for (int i = 0; i < 2; i++) {
        const int unsure = run->unsure;
        run->unsure += pause_threads(run, a, i == 0, ++run->level);
        const value zero = lw_cuda_number(run, at, int_type, 0);
        if (i ? is_and : is_or)
            side[i] = lw_cuda_number(run, at, int_type, !i);
        else
            side[i] = rvalue(run, is_and || is_or ? at->sign->order + 1 : 1 + i);
        if (is_and || is_or)
            lw_cuda_compute(run, at, LW_CUDA_NOT_EQUAL, &side[i], &zero);
        else if (!i)
            expect(run, ":");
        lw_cuda_merge(run, at, &out, &side[i], &side[i].type);
        lw_cuda_set_state(run, run->level--, LW_CUDA_RUNS);
        run->unsure = unsure;
    }
    const type as = lw_cuda_common_type(&side[0].type, &side[1].type);
    if (!out.is_address)
        lw_cuda_retype(run, &out, &as);
    *a = out;
}

/* Operators of an order of at least `least`. */
static value expression(context *run, int least)
{
    value a = unary(run);
    for (;;) {
        token *at = run->at, *from = a.at;
        const struct lw_cuda_sign *sign = at->sign;
        if (!sign || sign->order < least)
            return a;
        run->at++;
        if (sign->order != 1)
            lw_cuda_load(run, &a);
        if (sign->op == LW_CUDA_CHOOSE) {
            choose(run, at, &a);
        } else {
            const value b = rvalue(run, sign->order + (sign->order != 1));
            if (sign->order > 1)
                lw_cuda_compute(run, at, sign->op, &a, &b);
            else if (sign->op != LW_CUDA_NONE)
                update(run, at, &a, &b, false);
            else if (sign->order == 1)
                lw_cuda_store(run, at, &a, &b);
            if (sign->op == LW_CUDA_NONE)
                a = b;
        }
        a.at = from;
    }
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
        if (array->rank == LW_CUDA_DIMS_MAX)
            lw_cuda_fail(run, LW_ERROR_LIMIT, begin, "an array has at most %d dims",
                         LW_CUDA_DIMS_MAX);
        const value a = number(run, 1);
        const int64_t most = ARRAY_BYTES_MAX / (array->size ? (int64_t)array->size : 1);
        int64_t length = LW_CUDA_UNKNOWN;
        bool good = true;
        for (size_t t = 0; lw_cuda_running(run, &t); t++) {
            length = length == LW_CUDA_UNKNOWN ? a.v[t] : length;
            good = good && a.v[t] == length && length >= 1 && length <= most;
        }
        if (!good)
            lw_cuda_fail(run, LW_ERROR_PARAMETER, a.at,
                         "the length of an array is a constant, from 1 to 2^32 bytes in all");
        length = good && length > 0 ? length : 1;
        expect(run, "]");
        if (run->failed)
            break;
        array->dims[array->rank++] = (uint64_t)length;
        array->size *= (uint64_t)length;
    }
    return run->at != begin;
}

/* The numbers of an array of constants, `= {3, 1, 4}`, which gets their count as its length; NULL: there are others. */
static const int64_t *read_numbers(context *run, const token *name, struct lw_cuda_array *array)
{
    const token *from = run->at + 2, *at = from;
    if (name->array)
        return run->numbers[name->array - 1];
    if (!is(run, "=") || !is_word(from - 1, "{"))
        return NULL;
    while (at->kind == LW_CUDA_NUMBER || is_word(at, ",") || is_word(at, "-"))
        at++;
    int64_t *numbers =
        at > from && is_word(at, "}")
            ? lw_cuda_allocate(run, run->arena, (size_t)(at - from) * sizeof *numbers)
            : NULL;
    if (!numbers)
        return NULL;
    array->rank = 1;
    array->dims[0] = 0;
    for (at = from; !is_word(at, "}"); at++)
        if (at->kind == LW_CUDA_NUMBER)
            numbers[array->dims[0]++] = is_word(at - 1, "-") ? -at->value : at->value;
    array->size = array->dims[0] * array->bytes;
    return numbers;
}

/* Makes the array of a declaration the first time that this is executed. */
static void add_array(context *run, token *name, const struct lw_cuda_array *array,
                      const int64_t *numbers)
{
    struct lw_cuda *cuda = run->cuda;
    if (!array->bytes)
        lw_cuda_fail(run, LW_ERROR_SYNTAX, name, "an element of %.40s has no size that is known",
                     name->text);
    if (cuda->array_count == LW_CUDA_ARRAYS_MAX)
        lw_cuda_fail(run, LW_ERROR_LIMIT, name, "more than %d arrays", LW_CUDA_ARRAYS_MAX);
    if (run->failed || name->array || !lw_cuda_any_runs(run))
        return;
    run->numbers[cuda->array_count] = numbers;
    cuda->arrays[cuda->array_count] = *array;
    name->array = ++cuda->array_count;
    run->shared_used = array->is_shared ? array->base + array->size : run->shared_used;
}

/* One name of a declaration, `*name[N][M] = value`, or a parameter of a function, with the value given for it; NULL:
 * none. What is given before the text, as a value or without one an integer of the kernel, is not declared again. */
static void read_declarator(context *run, const struct specifiers *with, bool is_parameter,
                            const value *given)
{
    type of = read_pointer(run, with->type);
    token *name = take_name(run);
    struct lw_cuda_array array = {.name = name->text,
                                  .type = of.name,
                                  .bytes = of.bytes,
                                  .size = of.bytes,
                                  .position = name->position};
    bool is_array = read_lengths(run, &array);
    const bool has_value = given || is(run, "=") || is(run, "{");
    if (is_parameter && is_array) { /* T name[] is T *name */
        of.is_pointer = true;
        is_array = false;
    }
    if (!has_value && (is_given(run, name) || (is_parameter && of.is_integer && !of.is_pointer)))
        return;
    const int64_t *numbers =
        is_array && array.rank < 2 && with->is_const && of.is_integer && !of.is_pointer
            ? read_numbers(run, name, &array)
            : NULL;
    variable *made = new_variable(run, name->text, of, name);
    value *const a = &made->value;
    const size_t mark = run->vector_count;
    array.is_shared = with->is_shared || (is_array && run->all_arrays_shared && !with->is_const);
    const bool is_memory = array.is_shared || numbers || (is_array && with->is_device);
    if (is_array || is_memory || (of.is_pointer && !has_value)) {
        if (is_array && !array.rank && !array.is_shared && !has_value)
            lw_cuda_refuse(run, name, "an array without a length is extern __shared__");
        if (of.is_pointer && is_memory)
            lw_cuda_refuse(run, name, "pointers in memory are not read");
        a->is_address = true;
        a->is_array = is_array;
        a->rank = is_array && array.rank ? array.rank : is_array || !is_memory;
        a->type.is_pointer = of.is_pointer && is_array;
        memset(a->v, 0, run->threads * sizeof *a->v);
        const uint64_t unit = with->align > 16 ? (uint64_t)with->align : 16;
        array.base = array.is_shared ? (run->shared_used + unit - 1) / unit * unit : 0;
        if (!is_array && is_memory) { /* __shared__ int count; */
            array.dims[array.rank++] = 1;
        } else if (!is_array) {
            array.rank = 0;
            array.size = 0;
        }
        if (is_memory || !is_array)
            add_array(run, name, &array, numbers);
        a->array = name->array;
    }
    if (!given)
        take(run, "=");
    if (has_value) {
        const value from = given ? *given : rvalue(run, 1);
        value target = *a;
        target.variable = made;
        if (!of.bytes && !of.is_pointer) { /* auto */
            made->type = from.type;
            made->type.is_pointer = from.is_address;
        }
        if (!a->is_address)
            lw_cuda_store(run, name, &target, &from);
    }
    run->vector_count = mark;
}

/* The parameters of a function, with the values given for them; without those of the kernel. Returns their number. */
static size_t read_parameters(context *run, const value *given, size_t count)
{
    size_t i = 0;
    expect(run, "(");
    if (is(run, "void") && is_word(run->at + 1, ")"))
        run->at++;
    for (bool more = !is(run, ")"); more && !run->failed; more = take(run, ","), i++) {
        const struct specifiers with = read_specifiers(run);
        read_declarator(run, &with, true, i < count ? &given[i] : NULL);
    }
    expect(run, ")");
    return i;
}

/* ---- Statements ---- */

/* A condition, which threads must not take from memory; those in which it does not hold wait at a level. */
static value condition(context *run, int level)
{
    const value a = number(run, 0);
    if (pause_threads(run, &a, true, level))
        lw_cuda_fail(run, LW_ERROR_UNSUPPORTED, a.at,
                     "which threads run this depends on what is in memory");
    return a;
}

/* A statement that ends in a semicolon. */
static void read_simple(context *run)
{
    token *from = run->at;
    if (take(run, "return")) {
        const value data = lw_cuda_data(run, from), given = is(run, ";") ? data : rvalue(run, 0);
        if (run->frame.result)
            lw_cuda_merge(run, from, run->frame.result, &given, &given.type);
        lw_cuda_set_state(run, LW_CUDA_RUNS, run->frame.returned);
    } else if (take(run, "break")) {
        lw_cuda_set_state(run, LW_CUDA_RUNS, run->frame.broke);
    } else if (take(run, "continue")) {
        lw_cuda_set_state(run, LW_CUDA_RUNS, run->frame.continued);
    } else if (is_word(from, "dim3") || is_word(from + 1, "<<<") ||
               (from->kind == LW_CUDA_NAME &&
                begins("__sync __threadfence cg:: cooperative_groups:: assert static_assert "
                       "namespace using",
                       from->text))) { /* passed over; the block is read by find_kernel */
        if (is_word(from + 1, "<<<"))
            skip_to(run, ">>>");
        skip_to(run, ";");
        return;
    } else if (starts_type(from)) {
        const struct specifiers with = read_specifiers(run);
        do
            read_declarator(run, &with, false, NULL);
        while (take(run, ","));
    } else if (!is(run, ";")) {
        rvalue(run, 0);
    }
    if (run->at->kind != LW_CUDA_END)
        expect(run, ";");
}

/* for (init; condition; step), or while (condition). Each round is executed for the threads that are still in the
 * loop; the body once more for none of them, which passes over it. */
static void read_loop(context *run)
{
    const bool is_for = is_word(run->at - 1, "for");
    const struct lw_cuda_frame frame = run->frame;
    token *body = NULL;
    expect(run, "(");
    if (is_for)
        read_simple(run);
    token *const begin = run->at;
    const size_t mark = run->vector_count;
    const int names = run->name_count;
    run->frame.broke = ++run->level;
    run->frame.continued = ++run->level;
    do {
        enter(run);
        run->depth--;
        go(run, begin);
        if (!is(run, ";"))
            condition(run, run->frame.broke);
        if (is_for)
            expect(run, ";");
        else if (!is(run, ")"))
            unexpected(run, ")");
        token *const step = run->at;
        skip_to(run, ")");
        statement(run);
        body = run->at;
        lw_cuda_set_state(run, run->frame.continued, LW_CUDA_RUNS);
        go(run, step);
        if (!is(run, ")"))
            rvalue(run, 0);
        expect(run, ")");
        run->vector_count = mark;
        run->name_count = names;
    } while (!run->failed && !run->missing.length && lw_cuda_any_runs(run));
    go(run, body);
    lw_cuda_set_state(run, run->frame.broke, LW_CUDA_RUNS);
    run->level -= 2;
    run->frame = frame;
}

/* A statement, of which no name is left after it but that of a declaration. */
static void statement(context *run)
{
    token *from = run->at;
    const int names = run->name_count;
    const size_t mark = run->vector_count;
    if (from->after && !lw_cuda_any_runs(run)) {
        run->at = from->after;
        return;
    }
    enter(run);
    run->statement = from;
    if (take(run, "{")) {
        while (!is(run, "}") && run->at->kind != LW_CUDA_END)
            statement(run);
        expect(run, "}");
    } else if (take(run, "if")) {
        take(run, "constexpr");
        expect(run, "(");
        const value holds = condition(run, ++run->level);
        expect(run, ")");
        statement(run);
        lw_cuda_set_state(run, run->level, LW_CUDA_RUNS);
        if (take(run, "else")) {
            pause_threads(run, &holds, false, run->level);
            statement(run);
            lw_cuda_set_state(run, run->level, LW_CUDA_RUNS);
        }
        run->level--;
    } else if (take(run, "for") || take(run, "while")) {
        read_loop(run);
    } else {
        read_simple(run);
    }
    if (!run->failed)
        from->after = run->at;
    run->depth--;
    if (!starts_type(from)) {
        run->name_count = names;
        run->vector_count = mark;
    }
}

/* ---- Functions and the block ---- */

/* The bracket of the parameters of the function that is declared at a token: the last one before its body, or of a
 * declaration alone before a semicolon; NULL: there is none. */
static token *parameters_of(token *at)
{
    token *from = at, *last = NULL;
    for (int open = 0; open || at->kind == LW_CUDA_NAME || at->kind == LW_CUDA_REAL ||
                       lw_text_has_word("* & (", at->text);
         at++) {
        last = is_word(at, "(") && !open ? at : last;
        open += is_word(at, "(") - is_word(at, ")");
        if (at->kind == LW_CUDA_END || at - from > HEAD_MAX)
            return NULL;
    }
    const bool is_function = last && last - 1 > from && last[-1].kind == LW_CUDA_NAME &&
                             is_word(at - 1, ")") && !is_word(from, "dim3");
    return is_function && (is_word(at, "{") || is_word(at, ";")) ? last : NULL;
}

/* The numbers of a dim3: of its variable, of `dim3(32, 8)`, or one number; `in_brackets`: `(32, 8)`. False, and all
 * are 0: they are not known. */
static bool read_sizes(context *run, int64_t sizes[3], bool in_brackets)
{
    const variable *named = variable_named(run, run->at->text);
    bool more = true, good = true;
    if (named && named->sizes[0]) {
        memcpy(sizes, named->sizes, sizeof named->sizes);
        run->at++;
        return true;
    }
    in_brackets = take(run, "dim3") || in_brackets;
    if (in_brackets)
        expect(run, "(");
    for (int i = 0; i < 3; i++) {
        const value a = more ? rvalue(run, 1) : lw_cuda_number(run, run->at, (type){0}, 1);
        sizes[i] = a.v[0];
        good = good && !a.is_address && sizes[i] > 0;
        more = more && in_brackets && take(run, ",");
    }
    if (in_brackets)
        expect(run, ")");
    if (!good || run->failed)
        memset(sizes, 0, 3 * sizeof *sizes);
    return sizes[0];
}

/* What is not read before the run is passed over. */
static void forgive(context *run)
{
    run->failed = run->failed && run->err->code == LW_ERROR_MEMORY;
    lw_text_clear(&run->missing);
}

/* Finds the kernel, the only one or the one that is named; the threads of the block: of dim3 and of launches outside of
 * functions, else of a launch in a function of the host, else of __launch_bounds__, else 32; and the grid of a launch.
 * Numbers that these need are declared before, as `int n = 256`. */
static void find_kernel(context *run, token *first, const char *named)
{
    enum { NOWHERE, BOUNDS, HOST, OUTSIDE } found = NOWHERE, where;
    uint64_t *const block = run->cuda->block, threads = 1;
    const token *unknown = NULL;          /* sets a block that is not known */
    int open = 0, names[DEPTH_MAX] = {0}; /* that are declared before each bracket */
    size_t kernels = 0;
    block[0] = 32;
    block[1] = block[2] = 1;
    run->kernel = named;
    run->all_arrays_shared = true;
    for (token *at = first; at->kind != LW_CUDA_END; at++) {
        int64_t sizes[3] = {0};
        const bool is_kernel = is_word(at, "__global__"), is_launch = is_word(at, "<<<");
        const token *parameters =
                        is_kernel || is_word(at, "__launch_bounds__") ? parameters_of(at) : NULL,
                    *of = parameters ? parameters - 1 : at - 1; /* the name of a function */
        while (is_launch && is_word(at - 1, ">") && of->kind != LW_CUDA_END && at - of < HEAD_MAX &&
               !is_word(of + 1, "<"))
            of--; /* name<64><<<...>>> */
        const bool is_own = run->kernel && is_word(of, run->kernel);
        if (is_kernel && parameters && !named && !is_own)
            run->kernel = of->text;
        kernels += is_kernel && parameters && !named == !is_own;
        run->all_arrays_shared = run->all_arrays_shared && !is_kernel && !is_word(at, "__shared__");
        where = open ? HOST : OUTSIDE;
        if (is_word(at, "{") && open < DEPTH_MAX)
            names[open++] = run->name_count;
        if (is_word(at, "}") && open)
            run->name_count = names[--open];
        go(run, at + 1);
        if (is_word(at, "dim3") && run->at->kind == LW_CUDA_NAME && is_word(at + 2, "(")) {
            do {
                const token *name = take_name(run);
                variable *made = new_variable(run, name->text, lw_cuda_integer(4, false), at);
                unknown = !read_sizes(run, made->sizes, true) && !open ? at : unknown;
                if (!strstr(name->text, "rid"))
                    memcpy(sizes, made->sizes, sizeof sizes);
            } while (take(run, ","));
        } else if (is_launch && (!run->kernel || is_own)) {
            read_sizes(run, run->grid, false);
            forgive(run);
            go(run, at + 1);
            skip_to(run, ",");
            unknown = read_sizes(run, sizes, false) ? unknown : at;
        } else if (parameters && !is_kernel && is_own) {
            where = BOUNDS;
            expect(run, "(");
            read_sizes(run, sizes, false);
        } else if (at->kind == LW_CUDA_NAME && at[-1].is_type && !is(run, "(") &&
                   (is(run, "=") || !is_given(run, at))) {
            variable *made = new_variable(run, at->text, lw_cuda_integer(4, false), at);
            const size_t mark = run->vector_count;
            const value from = take(run, "=") ? rvalue(run, 1) : made->value;
            lw_cuda_merge(run, at, &made->value, &from, &from.type);
            run->vector_count = mark;
        }
        if (sizes[0] && where >= found) {
            for (int i = 0; i < 3; i++)
                block[i] = (uint64_t)sizes[i];
            found = where;
        }
        forgive(run);
    }
    if (named && !kernels)
        lw_cuda_fail(run, LW_ERROR_NAME, run->ended, "there is no kernel '%.60s'", named);
    if (!named && kernels > 1)
        lw_cuda_fail(run, LW_ERROR_NAME, run->ended,
                     "there are %zu kernels: name one, as in file.cu:%.60s", kernels, run->kernel);
    if (unknown && found == NOWHERE)
        lw_cuda_fail(run, LW_ERROR_PARAMETER, unknown,
                     "the block that this sets is not known: --block 32,8 sets one");
    for (int i = 0; i < 3; i++)
        threads = block[i] > LW_CUDA_THREADS_MAX ? UINT32_MAX : threads * block[i];
    if (threads > LW_CUDA_THREADS_MAX)
        lw_cuda_fail(run, LW_ERROR_LIMIT, run->ended, "a block has at most %d threads",
                     LW_CUDA_THREADS_MAX);
    run->cuda->threads = (size_t)threads;
    run->cuda->block_is_assumed = found == NOWHERE;
}

/* Executes statements; of functions the kernel, while those of the device are noted, and others passed over. */
static void run_text(context *run, token *first)
{
    declare_built_ins(run);
    run->frame.returned = ++run->level;
    for (run->at = first; run->at->kind != LW_CUDA_END;) {
        token *from = run->at, *open = parameters_of(from);
        const bool is_kernel = open && has_word(from, open, "__global__"),
                   is_device = open && !is_kernel && has_word(from, open, "__device__");
        if (take(run, "template")) {
            skip_to(run, ">");
        } else if (open && (run->kernel || is_device)) {
            run->at = open + 1;
            skip_to(run, ")");
            if (is(run, ";")) /* it is declared alone */
                continue;
            if (is_kernel && is_word(open - 1, run->kernel)) {
                run->frame.globals = run->frame.locals = run->name_count;
                go(run, open);
                read_parameters(run, NULL, 0);
                statement(run);
                run->name_count = run->frame.globals;
                continue;
            }
            if (is_device)
                new_variable(run, open[-1].text, lw_cuda_integer(4, false), from)->function = from;
            go(run, run->at + 1);
            skip_to(run, "}");
        } else if (from[1].kind == LW_CUDA_REAL && take(run, "extern")) { /* "C" { */
            run->at++;
            take(run, "{");
        } else if (!(run->kernel && (take(run, "}") || take(run, ";")))) {
            statement(run);
        }
    }
    lw_cuda_set_state(run, run->frame.returned, LW_CUDA_RUNS);
    if (run->missing.failed)
        lw_cuda_fail(run, LW_ERROR_MEMORY, first, "out of memory");
    if (run->missing.length)
        lw_cuda_fail(run, LW_ERROR_NAME, run->first_missing,
                     "without a value: %.*s; --let NAME=8 or NAME=@FILE sets one, and arrays are "
                     "declared (float *name;)",
                     (int)(run->missing.length < 300 ? run->missing.length - 2 : 300),
                     lw_text_string(&run->missing));
}

/* Threads all run, and have a vector: the first one, which is there in any case. */
static void begin_run(context *run, size_t threads)
{
    run->threads = threads;
    memset(run->vectors, 0, sizeof run->vectors);
    run->vectors[0] = lw_cuda_allocate(run, run->arena, threads * sizeof(int64_t));
    run->vector_count = 1;
    run->name_count = 0;
}

bool lw_cuda_read(struct lw_cuda *cuda, const char *text, size_t length,
                  const struct lw_cuda_options *options, struct lw_error *err)
{
    static const struct lw_cuda_options defaults;
    struct lw_arena arena = {0};
    struct lw_error scratch;
    token *tokens;
    context *run = lw_arena_alloc(&arena, sizeof *run);
    err = err ? err : &scratch;
    options = options ? options : &defaults;
    *cuda = (struct lw_cuda){0};
    bool good = run ? lw_cuda_tokens(cuda, text, length, options, &tokens, err)
                    : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good) {
        *err = (struct lw_error){0};
        *run = (context){.cuda = cuda,
                         .arena = &arena,
                         .err = err,
                         .work = options->work ? options->work : LW_CUDA_WORK_MAX,
                         .ended = {{.text = ""}, {.text = ""}, {.text = ""}}};
        cuda->arrays =
            lw_cuda_allocate(run, &cuda->arena, LW_CUDA_ARRAYS_MAX * sizeof *cuda->arrays);
        cuda->accesses =
            lw_cuda_allocate(run, &cuda->arena, LW_CUDA_ACCESSES_MAX * sizeof *cuda->accesses);
        begin_run(run, 1);
        if (!run->failed)
            find_kernel(run, tokens, cuda->options.kernel);
        begin_run(run, cuda->threads);
        if (!run->failed)
            run_text(run, tokens);
        lw_cuda_finish(run);
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

void lw_cuda_free(struct lw_cuda *cuda)
{
    lw_arena_free(&cuda->arena);
    *cuda = (struct lw_cuda){0};
}
