/*
 * Running the tokens of a text, by all threads of the block at once.
 *
 * A value has a number for each thread, in a vector. A thread runs, or it waits at a level: that of the branch, the
 * loop or the function at whose end it runs again. So an expression is computed, and a statement executed, for the
 * threads that run, and an access of theirs is one row of addresses. Each expression leaves one vector on the stack of
 * vectors, that of its value; a variable keeps its own there until its block ends.
 *
 * The tokens are run twice. The first time is a trial, by one thread, with each loop once: it finds what is not C++,
 * the names that have no value, and the block. What is assigned in it is not known, and nothing is accessed. After an
 * error the rest of the text counts as its end: so nothing is checked but the error, when all has ended.
 */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"
#include "laneway/text.h"

#include <string.h>

enum {
    DEPTH_MAX = 128, /* of operators and statements in each other */
    ARGUMENTS_MAX = 12,
    TOKEN_WORK = 32 /* a token is read in about the time of computing for that many threads */
};
#define ARRAY_BYTES_MAX ((int64_t)1 << 32)

typedef struct lw_cuda_run context;
typedef struct lw_cuda_token token;
typedef struct lw_cuda_type type;
typedef struct lw_cuda_value value;

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
    else
        run->at++;
    return name;
}

/* Passes over what is before a word, and over the word; brackets are passed over with what is in them. */
static void skip_to(context *run, const char *word)
{
    const token *from = run->at;
    for (int open = 0; open > 0 || !is(run, word); run->at++) {
        open += lw_text_has_word("( [ {", run->at->text) - lw_text_has_word(") ] }", run->at->text);
        if (run->at->kind == LW_CUDA_END) {
            lw_cuda_fail(run, LW_ERROR_SYNTAX, from, "expected %s after this", word);
            return;
        }
    }
    run->at++;
}

/* The text between two brackets; line 0: it is not in one line, or a macro has made it. */
static struct lw_position inside_of(const token *open, const token *close)
{
    struct lw_position inside = open->position;
    inside.column++;
    inside.length = close->position.column - inside.column;
    const bool is_plain = open->position.length == 1 && close->position.length == 1 &&
                          open->position.line == close->position.line && inside.length > 0;
    return is_plain ? inside : (struct lw_position){0};
}

static bool starts_type(const context *run)
{
    return run->at->is_type || run->at->is_qualifier;
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
    bool is_unsigned = false, has_type = false;
    while (starts_type(run)) {
        const char *text = (run->at++)->text;
        type named;
        found.is_shared = found.is_shared || !strcmp(text, "__shared__");
        found.is_device = found.is_device || !strcmp(text, "__device__");
        found.is_const = found.is_const || lw_text_has_word("const constexpr __constant__", text);
        is_unsigned = is_unsigned || !strcmp(text, "unsigned");
        has_type = has_type || run->at[-1].is_type;
        if (!strcmp(found.type.name, "int") && lw_cuda_type_named(text, &named)) /* long int */
            found.type = named;
        if (!lw_text_has_word("__align__ alignas", text))
            continue;
        expect(run, "(");
        found.align = run->at->value;
        if (run->at->kind != LW_CUDA_NUMBER || found.align < 1 || found.align > 1024 ||
            (found.align & (found.align - 1)))
            lw_cuda_refuse(run, run->at, "expected a power of two of at most 1024 bytes");
        run->at += !run->failed;
        expect(run, ")");
    }
    if (!has_type)
        lw_cuda_fail(run, LW_ERROR_SYNTAX, run->at,
                     "expected a type: '%.40s' is not read; of a struct of 3 floats 'float *p' is, "
                     "indexed by 3 * i",
                     run->at->text);
    found.type.is_unsigned = found.type.is_unsigned || is_unsigned;
    return found;
}

/* `*`, `const` and `__restrict__` after a type. */
static type read_pointer(context *run, type of)
{
    for (; is(run, "*") || run->at->is_qualifier; run->at += !run->failed) {
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

/* ---- Branches ---- */

/* The threads that run in which a number is zero, or is not, wait. */
static void pause_threads(context *run, const value *number, bool is_zero, int level)
{
    for (size_t t = lw_cuda_running(run, 0); t < run->threads; t = lw_cuda_running(run, t + 1))
        if (number->v[t] != LW_CUDA_UNKNOWN && (number->v[t] == 0) == is_zero)
            run->state[t] = level;
}

/* Begins a branch, of the threads in which a condition holds, or does not; the others wait. Where it is not known in
 * a thread that runs, none may access. Returns what end_branch needs. */
static int begin_branch(context *run, const value *condition, bool holds)
{
    const int unsure = run->unsure;
    for (size_t t = lw_cuda_running(run, 0); t < run->threads; t = lw_cuda_running(run, t + 1))
        run->unsure += condition->v[t] == LW_CUDA_UNKNOWN;
    pause_threads(run, condition, holds, ++run->level);
    return unsure;
}

static void end_branch(context *run, int unsure)
{
    run->unsure = unsure;
    lw_cuda_set_state(run, run->level--, LW_CUDA_RUNS);
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
static void check_number(context *run, const value *a)
{
    if (a->kind != LW_CUDA_NUMERIC)
        lw_cuda_refuse(run, a->at, "expected a number, found an array or a pointer");
}

static value number(context *run, int least)
{
    const value a = rvalue(run, least);
    check_number(run, &a);
    return a;
}

static struct lw_cuda_variable *new_variable(context *run, const char *name, type of)
{
    struct lw_cuda_variable *made = &run->names[run->name_count];
    if (run->name_count == LW_CUDA_NAMES_MAX)
        lw_cuda_fail(run, LW_ERROR_LIMIT, run->at, "more than %d names are declared",
                     LW_CUDA_NAMES_MAX);
    else
        run->name_count++;
    *made = (struct lw_cuda_variable){.name = name, .type = of};
    made->value = lw_cuda_number(run, run->ended, of, LW_CUDA_UNKNOWN);
    return made;
}

static struct lw_cuda_variable *variable_named(context *run, const char *name)
{
    for (int i = run->name_count - 1; i >= 0; i--)
        if ((i >= run->locals || i < run->globals) && !strcmp(run->names[i].name, name))
            return &run->names[i];
    return NULL;
}

/* Declares what is there without a declaration. */
static void declare_built_ins(context *run)
{
    static const char *const names[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z", "blockDim.x",
                                        "blockDim.y",  "blockDim.z",  "blockIdx.x",  "blockIdx.y",
                                        "blockIdx.z",  "tid",         "lane",        "warp",
                                        "warpSize",    "true",        "false"};
    const uint64_t *block = run->cuda->block;
    for (size_t i = 0; i < LW_COUNT(names); i++) {
        const struct lw_cuda_variable *made =
            new_variable(run, names[i], lw_cuda_integer(4, i < 9));
        for (size_t t = 0; t < run->threads; t++) {
            const uint64_t x = run->is_trial ? 1 : block[0], y = run->is_trial ? 1 : block[1];
            const uint64_t numbers[] = {t % x, t / x % y, t / x / y, x,      y,  block[2], 0, 0,
                                        0,     t,         t % 32,    t / 32, 32, 1,        0};
            if (!run->is_trial || i >= 12)
                made->value.v[t] = (int64_t)numbers[i];
        }
    }
}

/* A name without a value: alone on one side of =, or as an argument, it is a value, and no memory. */
static value undeclared(context *run, token *from)
{
    const char *name = from->text;
    const struct lw_cuda_sign *before = from[-1].sign, *after = run->at->sign;
    const bool is_right =
                   before && before->order == 1 &&
                   (run->at->kind == LW_CUDA_END || lw_text_has_word("; , )", run->at->text)),
               is_left = after && after->order == 1;
    if (strstr(name, "::") || run->at->kind == LW_CUDA_NAME ||
        (is(run, "*") && is_word(run->at + 1, ")"))) /* a cast */
        lw_cuda_fail(run, LW_ERROR_SYNTAX, from,
                     "'%.60s' is not read: it is no name of a variable and no type that is known",
                     name);
    const char *names = lw_text_string(&run->unknown), *found = names;
    const size_t length = strlen(name);
    while ((found = strstr(found, name)) &&
           ((found != names && found[-1] != ' ') || (found[length] && found[length] != ',')))
        found += length;
    if (!run->is_alone && !is_left && !is_right && !found) {
        run->first_unknown = *names ? run->first_unknown : from;
        lw_text_format(&run->unknown, "%s%s", *names ? ", " : "", name);
    }
    return lw_cuda_data(run, from);
}

static value call(context *run, token *name, struct lw_cuda_routine *routine);

static value read_name(context *run)
{
    token *from = run->at++;
    struct lw_cuda_routine *routine = run->routines;
    while (routine && !is_word(from, routine->name))
        routine = routine->next;
    if (routine && is(run, "<")) /* of a template */
        skip_to(run, ">");
    if (is(run, "(") || (is(run, "<") && strstr(from->text, "_cast")))
        return call(run, from, routine);
    struct lw_cuda_variable *variable = variable_named(run, from->text);
    if (!variable)
        return undeclared(run, from);
    value made = lw_cuda_copy(run, &variable->value);
    made.at = from;
    if (made.kind == LW_CUDA_NUMERIC || made.kind == LW_CUDA_POINTER)
        made.kind = LW_CUDA_VARIABLE;
    made.variable = variable;
    return made;
}

/* ---- Calls ---- */

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

/* Executes an atomic function on what `a` points to. */
static void execute_atomic(context *run, token *name, bool is_counter, value *a)
{
    const struct lw_cuda_array *array = a->array ? &run->cuda->arrays[a->array - 1] : NULL;
    const bool is_float = !a->type.is_integer;
    if (a->kind != LW_CUDA_POINTER || (!array && !run->is_trial))
        lw_cuda_refuse(run, a->at, "expected the address of an element of an array, &name[i]");
    else if (array && array->is_shared &&
             (a->type.bytes != 4 || a->type.parts > 1 || (is_float && !is_word(name, "atomicAdd"))))
        lw_cuda_fail(
            run, LW_ERROR_UNSUPPORTED, name,
            "%.40s is counted on words of 4 bytes, int or unsigned, and for atomicAdd float",
            name->text);
    a->at = name;
    lw_cuda_record(run, a, LW_CUDA_ATOMIC,
                   is_word(name, "atomicCAS") ? LW_CUDA_CAS
                   : is_float                 ? LW_CUDA_FLOAT
                   : is_counter               ? LW_CUDA_COUNT
                                              : LW_CUDA_INTEGER);
}

static size_t read_parameters(context *run, const value *given, size_t count);

/* Calls a function of the device: `out` gets its value. */
static void call_routine(context *run, token *name, struct lw_cuda_routine *routine,
                         const value *given, size_t count, value *out)
{
    token *const after = run->at;
    value *const result = run->result;
    const int globals = run->globals, locals = run->locals, names = run->name_count,
              returned = run->returned;
    if (routine->is_open)
        lw_cuda_refuse(run, name, "a function that calls itself is not read");
    if (run->failed)
        return;
    routine->is_open = true;
    run->at = routine->begin;
    const type of = read_type(run);
    run->at = run->failed ? run->at : routine->at;
    run->globals = routine->names;
    run->locals = names;
    run->result = out;
    run->returned = ++run->level;
    const size_t needed = read_parameters(run, given, count);
    if (needed != count)
        lw_cuda_fail(run, LW_ERROR_SYNTAX, name, "%.40s takes %zu argument%s, not %zu", name->text,
                     needed, needed == 1 ? "" : "s", count);
    statement(run);
    lw_cuda_set_state(run, run->level--, LW_CUDA_RUNS);
    if (out->kind == LW_CUDA_NUMERIC && of.bytes)
        lw_cuda_retype(run, out, &of);
    run->returned = returned;
    run->result = result;
    run->globals = globals;
    run->locals = locals;
    run->name_count = names;
    routine->is_open = false;
    run->at = run->failed ? run->at : after;
}

static value call(context *run, token *name, struct lw_cuda_routine *routine)
{
    const bool is_cast = take(run, "<"), /* reinterpret_cast<float4 *>( */
        is_statement = run->statement == name;
    type to = {0};
    const bool is_type = !is_cast && lw_cuda_type_named(name->text, &to);
    size_t count = 0, i = routine ? LW_COUNT(functions) : 0;
    bool is_one = false; /* the last argument is 1 */
    value out = lw_cuda_data(run, name), given[ARGUMENTS_MAX + 1];
    if (is_cast) {
        to = read_type(run);
        expect(run, ">");
    }
    while (i < LW_COUNT(functions) && !lw_text_has_word(functions[i].names, name->text))
        i++;
    const bool is_atomic = i < LW_COUNT(functions) && functions[i].op == LW_CUDA_NONE;
    if (!is_cast && !is_type && !routine && i == LW_COUNT(functions) &&
        !begins("make_ __float __half __bfloat __h __f __low __high __int2 __uint2 __exp __log exp "
                "log sqrt rsqrt sin cos tanh pow erf fma fmin fabs",
                name->text)) /* functions of data */
        lw_cuda_fail(
            run, LW_ERROR_SYNTAX, name,
            "the function %.60s is not read: leave it out, or write what it does in its stead",
            name->text);
    expect(run, "(");
    for (bool more = !is(run, ")"); more && !run->failed; more = take(run, ",")) {
        const bool is_alone = lw_text_has_word(", )", run->at[1].text);
        if (count == ARGUMENTS_MAX)
            lw_cuda_fail(run, LW_ERROR_LIMIT, run->at, "a function has at most %d parameters",
                         ARGUMENTS_MAX);
        is_one = is_alone && run->at->kind == LW_CUDA_NUMBER && run->at->value == 1;
        run->is_alone = is_alone && count && is_atomic;
        given[count] = rvalue(run, 1);
        run->is_alone = false;
        count += !run->failed;
    }
    expect(run, ")");
    const size_t needed = is_cast ? 1 : i < LW_COUNT(functions) ? functions[i].arguments : count;
    if (count != needed)
        lw_cuda_fail(run, LW_ERROR_SYNTAX, name, "%.40s takes %zu argument%s, not %zu", name->text,
                     needed, needed == 1 ? "" : "s", count);
    if (run->failed)
        return out;
    if (routine) {
        call_routine(run, name, routine, given, count, &out);
    } else if (is_cast || (is_type && count == 1 && to.parts == 1)) {
        lw_cuda_replace(run, &out, &given[0]);
        lw_cuda_cast(run, name, &out, to);
    } else if (is_atomic) {
        is_one = is_one && is_word(name, "atomicAdd") && is_statement && is(run, ";");
        execute_atomic(run, name, is_one, &given[0]);
    } else if (i < LW_COUNT(functions)) {
        const type bits = lw_cuda_integer(4, true);
        lw_cuda_replace(run, &out, &given[0]);
        if (count == 1)
            lw_cuda_cast(run, name, &out, bits);
        lw_cuda_compute(run, name, functions[i].op, &out, count == 1 ? &out : &given[1]);
    }
    return out;
}

/* ---- Expressions ---- */

static value primary(context *run)
{
    token *from = run->at;
    if (take(run, "sizeof")) { /* of a type, or of what an expression names, which is not loaded */
        const value made = lw_cuda_number(run, from, lw_cuda_integer(8, true), 0);
        expect(run, "(");
        const value a =
            starts_type(run) ? lw_cuda_number(run, from, read_type(run), 0) : expression(run, 1);
        const struct lw_cuda_array *array = a.array ? &run->cuda->arrays[a.array - 1] : NULL;
        int64_t bytes = a.type.is_pointer || a.kind == LW_CUDA_POINTER ? 8 : a.type.bytes;
        for (int d = 0; d < a.rank; d++) /* of an array in registers it is not known */
            bytes = array && array->rank ? bytes * (int64_t)array->dims[array->rank - 1 - d]
                                         : LW_CUDA_UNKNOWN;
        for (size_t t = 0; t < run->threads; t++)
            made.v[t] = bytes;
        expect(run, ")");
        return made;
    }
    if (from->kind == LW_CUDA_NAME)
        return read_name(run);
    if (take(run, "(")) {
        const value made = expression(run, 0);
        expect(run, ")");
        return made;
    }
    if (take(run, "{")) /* of a vector or an array: passed over */
        skip_to(run, "}");
    else if (from->kind == LW_CUDA_REAL || from->kind == LW_CUDA_NUMBER)
        run->at++;
    else
        unexpected(run, "a value");
    return from->kind == LW_CUDA_NUMBER
               ? lw_cuda_number(run, from,
                                lw_cuda_integer(from->is_long ? 8 : 4, from->is_unsigned),
                                from->value)
               : lw_cuda_data(run, from);
}

static value postfix(context *run)
{
    value a = primary(run);
    for (;;) {
        token *open = run->at;
        const size_t mark = run->vector_count;
        if (take(run, "[")) {
            const value b = number(run, 0);
            const struct lw_position inside = inside_of(open, run->at);
            expect(run, "]");
            lw_cuda_index(run, &a, &b, inside);
        } else if (take(run, ".")) {
            static const char parts[] = "xyzw";
            const char *text = run->at->text, *part = *text ? strchr(parts, *text) : NULL;
            if (!part || text[1])
                lw_cuda_refuse(run, run->at,
                               "expected x, y, z or w of a vector: structs are not read");
            else
                lw_cuda_part(run, &a, (int)(part - parts));
            run->at += !run->failed;
        } else if (take(run, "++") || take(run, "--")) {
            value one = lw_cuda_number(run, open, lw_cuda_integer(4, false), 1);
            lw_cuda_update(run, open, &a, &one, true);
        } else {
            return a;
        }
        run->vector_count = mark;
    }
}

/* -a is 0 - a, +a is 0 + a, ~a is -1 ^ a, !a is 0 == a, ++a is a += 1. */
static void apply_sign(context *run, token *sign, value *a)
{
    const char what = sign->text[0];
    const bool is_step = sign->text[1] != '\0';
    const enum lw_cuda_operator op = what == '~'   ? LW_CUDA_XOR
                                     : what == '!' ? LW_CUDA_EQUAL
                                                   : sign->sign->op;
    value other = lw_cuda_number(run, sign, lw_cuda_integer(4, false), is_step - (what == '~'));
    if (is_step) {
        lw_cuda_update(run, sign, a, &other, false);
    } else if (what == '&') {
        if (a->kind != LW_CUDA_LVALUE)
            lw_cuda_refuse(run, sign, "& is read of what is in an array");
        a->kind = LW_CUDA_POINTER;
        a->rank = 0;
    } else if (what == '*') {
        lw_cuda_load(run, a);
        if (a->kind != LW_CUDA_POINTER)
            lw_cuda_refuse(run, sign, "this is no pointer to an array");
        a->kind = LW_CUDA_LVALUE;
    } else {
        lw_cuda_load(run, a);
        check_number(run, a);
        lw_cuda_compute(run, sign, op, &other, a);
        lw_cuda_replace(run, a, &other);
    }
    a->at = sign;
}

static value unary(context *run)
{
    token *from = run->at;
    const size_t mark = run->vector_count;
    value a;
    enter(run);
    if (from->sign && lw_text_has_word("- + ! ~ * & ++ --", from->text)) {
        run->at += !run->failed;
        a = unary(run);
        apply_sign(run, from, &a);
    } else if (is(run, "(") && (from[1].is_type || is_word(from + 1, "const")) &&
               !is_word(from + 2, "(") && !variable_named(run, from[1].text)) {
        run->at++;
        const type to = read_type(run);
        expect(run, ")");
        a = unary(run);
        lw_cuda_cast(run, from, &a, to);
    } else {
        a = postfix(run);
    }
    run->depth--;
    run->vector_count = run->failed ? mark : mark + 1;
    return a;
}

/* a ? b : c, and a && b as a ? b != 0 : 0, a || b as a ? 1 : b != 0: one side is for the threads in which a holds. */
static void choose(context *run, token *at, value *a)
{
    const enum lw_cuda_operator op = at->sign->op;
    value out = lw_cuda_data(run, at), side[2];
    check_number(run, a);
    for (int i = 0; i < 2; i++) {
        const int unsure = begin_branch(run, a, i == 0);
        if (op != LW_CUDA_CHOOSE && (op == LW_CUDA_LOGICAL_AND) == i) {
            side[i] = lw_cuda_number(run, at, lw_cuda_integer(4, false), !i);
        } else {
            value zero = lw_cuda_number(run, at, lw_cuda_integer(4, false), 0);
            side[i] = rvalue(run, op == LW_CUDA_CHOOSE ? 1 + i : at->sign->order + 1);
            if (op != LW_CUDA_CHOOSE)
                lw_cuda_compute(run, at, LW_CUDA_NOT_EQUAL, &side[i], &zero);
        }
        lw_cuda_merge(run, at, &out, &side[i], &side[i].type);
        end_branch(run, unsure);
        if (op == LW_CUDA_CHOOSE && !i)
            expect(run, ":");
    }
    const type as = lw_cuda_common_type(&side[0].type, &side[1].type);
    if (out.kind == LW_CUDA_NUMERIC)
        lw_cuda_retype(run, &out, &as);
    lw_cuda_replace(run, a, &out);
}

/* Operators of an order of at least `least`. */
static value expression(context *run, int least)
{
    value a = unary(run);
    const size_t mark = run->vector_count;
    for (;;) {
        token *at = run->at;
        const struct lw_cuda_sign *sign = at->sign;
        if (!sign || sign->order < least)
            return a;
        run->at++;
        if (sign->order != 1)
            lw_cuda_load(run, &a);
        if (sign->op >= LW_CUDA_LOGICAL_AND && sign->op <= LW_CUDA_CHOOSE) {
            choose(run, at, &a);
        } else {
            value b = rvalue(run, sign->order + (sign->order != 1));
            if (sign->order == 1 && sign->op != LW_CUDA_NONE)
                lw_cuda_update(run, at, &a, &b, false);
            else if (sign->order > 1)
                lw_cuda_compute(run, at, sign->op, &a, &b);
            else if (sign->order == 1)
                lw_cuda_store(run, at, &a, &b);
            if (sign->order < 1 || sign->op == LW_CUDA_NONE)
                lw_cuda_replace(run, &a, &b);
        }
        run->vector_count = mark;
    }
}

/* ---- Declarations ---- */

/* A constant from 1 to `most`; else `what` is refused. In the trial a length that is not known is 1. */
static int64_t read_constant(context *run, int64_t most, const char *what)
{
    token *from = run->at;
    const size_t mark = run->vector_count, first = lw_cuda_running(run, 0);
    const value a = number(run, 1);
    const int64_t constant = first < run->threads ? a.v[first] : LW_CUDA_UNKNOWN;
    bool good = constant >= 1 && constant <= most;
    for (size_t t = first; t < run->threads; t = lw_cuda_running(run, t + 1))
        good = good && a.v[t] == constant;
    run->vector_count = mark;
    if (!good && (!run->is_trial || most == LW_CUDA_THREADS_MAX || constant != LW_CUDA_UNKNOWN))
        lw_cuda_fail(run, LW_ERROR_PARAMETER, from, "%s", what);
    return good ? constant : 1;
}

/* The lengths of an array, `[N][M]`; false: there are none. With `[]` the rank is 0. */
static bool read_lengths(context *run, struct lw_cuda_array *array)
{
    static const char what[] = "the length of an array is a constant, from 1 to 2^32 bytes in all";
    token *const begin = run->at;
    for (token *open = run->at; take(run, "["); open = run->at) {
        if (!array->rank && take(run, "]")) {
            array->size = 0;
            break;
        }
        if (array->rank == LW_CUDA_DIMS_MAX)
            lw_cuda_fail(run, LW_ERROR_LIMIT, begin, "an array has at most %d dims",
                         LW_CUDA_DIMS_MAX);
        const uint64_t length = (uint64_t)read_constant(run, ARRAY_BYTES_MAX, what);
        if (length > (uint64_t)ARRAY_BYTES_MAX / (array->size ? array->size : 1))
            lw_cuda_fail(run, LW_ERROR_PARAMETER, begin, "%s", what);
        array->last_dim = inside_of(open, run->at);
        expect(run, "]");
        if (run->failed)
            break;
        array->dims[array->rank++] = length;
        array->size *= length;
    }
    return run->at != begin;
}

/* The numbers that --let gives an array; NULL: none. */
static const struct lw_cuda_let *given_list(const context *run, const token *name)
{
    for (int i = 0; i < run->built_ins; i++)
        if (run->names[i].value.kind == LW_CUDA_LIST && is_word(name, run->names[i].name))
            return run->names[i].value.let;
    return NULL;
}

/* The numbers of an array of constants, `= {3, 1, 4}`; NULL: they are not numbers alone. */
static const struct lw_cuda_let *read_list(context *run, token *name)
{
    const token *from = run->at + 2, *at = from; /* after = { */
    while (at->kind == LW_CUDA_NUMBER || is_word(at, ",") || is_word(at, "-"))
        at++;
    if (name->let || at == from || !is_word(at, "}"))
        return name->let;
    struct lw_cuda_let *let = lw_cuda_allocate(run, run->arena, sizeof *let);
    int64_t *values = lw_cuda_allocate(run, run->arena, (size_t)(at - from) * sizeof *values);
    if (run->failed)
        return NULL;
    *let = (struct lw_cuda_let){.name = name->text, .values = values};
    for (at = from; !is_word(at, "}"); at++)
        if (at->kind == LW_CUDA_NUMBER)
            values[let->count++] = is_word(at - 1, "-") ? -at->value : at->value;
    return name->let = let;
}

/* One name of a declaration: `*name[N][M] = value`. */
static void read_declarator(context *run, const struct specifiers *with)
{
    const type of = read_pointer(run, with->type);
    token *name = take_name(run);
    struct lw_cuda_array array = {.name = name->text,
                                  .type = of.name,
                                  .bytes = of.bytes,
                                  .size = of.bytes,
                                  .position = name->position};
    const bool is_array = read_lengths(run, &array), has_value = is(run, "=");
    const struct lw_cuda_let *let = given_list(run, name);
    if (!let && is_array && array.rank < 2 && with->is_const && of.is_integer && has_value &&
        is_word(run->at + 1, "{"))
        let = read_list(run, name);
    struct lw_cuda_variable *made = new_variable(run, name->text, of);
    value *const a = &made->value;
    const size_t mark = run->vector_count;
    array.is_shared = with->is_shared || (is_array && run->all_arrays_shared && !with->is_const);
    const bool is_memory = array.is_shared || (is_array && with->is_device);
    if (let) {
        a->kind = LW_CUDA_LIST;
        a->type = of.is_integer && !of.is_pointer ? of : lw_cuda_integer(4, false);
        a->let = let;
    } else if (is_array || is_memory || (of.is_pointer && !has_value)) {
        if (is_array && !array.rank && !array.is_shared && !has_value)
            lw_cuda_refuse(run, name, "an array without a length is extern __shared__");
        if (of.is_pointer && is_memory)
            lw_cuda_refuse(run, name, "pointers in memory are not read");
        a->kind = is_array || is_memory ? LW_CUDA_LVALUE : LW_CUDA_POINTER;
        a->rank = array.rank + (is_array && !array.rank);
        a->type.is_pointer = of.is_pointer && is_array;
        memset(a->v, 0, run->threads * sizeof *a->v);
        const uint64_t unit = with->align > 16 ? (uint64_t)with->align : 16;
        array.base = array.is_shared ? (run->shared_used + unit - 1) / unit * unit : 0;
        if (a->kind == LW_CUDA_POINTER)
            array.size = 0;
        if (!is_array && is_memory) /* __shared__ int count; */
            array.dims[array.rank++] = 1;
        if (is_memory || a->kind == LW_CUDA_POINTER)
            a->array = lw_cuda_add_array(run, name, &array);
    }
    if (of.parts == 3 && (has_value || is(run, "("))) { /* the block is read by read_block */
        skip_to(run, "(");
        skip_to(run, ")");
    } else if (take(run, "=") || is(run, "{")) {
        const value from = rvalue(run, 1);
        if (!of.bytes && !of.is_pointer) /* auto */
            made->type = from.type;
        if (a->kind == LW_CUDA_NUMERIC && from.kind == LW_CUDA_POINTER && !of.is_pointer &&
            of.bytes)
            lw_cuda_refuse(run, name, "a pointer is not read as a number");
        if (a->kind == LW_CUDA_NUMERIC)
            lw_cuda_merge(run, name, a, &from, &made->type);
    }
    run->vector_count = mark;
}

static void read_declaration(context *run)
{
    const struct specifiers with = read_specifiers(run);
    do
        read_declarator(run, &with);
    while (take(run, ","));
}

/* The parameters of a function, with the values given for them; without, those of the kernel: its pointers are to
 * arrays of their own, and what is an integer needs a value. Returns how many they are. */
static size_t read_parameters(context *run, const value *given, size_t count)
{
    size_t i = 0;
    expect(run, "(");
    if (is(run, "void") && is_word(run->at + 1, ")"))
        run->at++;
    for (bool more = !is(run, ")"); more && !run->failed; more = take(run, ","), i++) {
        const struct specifiers with = read_specifiers(run);
        type of = read_pointer(run, with.type);
        token *name = take_name(run);
        of.is_pointer = of.is_pointer || is(run, "[");
        if (take(run, "["))
            skip_to(run, "]");
        if (run->failed || (!given && (of.is_pointer ? !!given_list(run, name) : of.is_integer)))
            continue;
        struct lw_cuda_variable *made = new_variable(run, name->text, of);
        if (given && i < count) {
            lw_cuda_merge(run, name, &made->value, &given[i], &of);
        } else if (!given && of.is_pointer) {
            const struct lw_cuda_array array = {
                .name = name->text, .type = of.name, .bytes = of.bytes, .position = name->position};
            const value zero = lw_cuda_number(run, name, with.type, 0);
            made->value.kind = LW_CUDA_POINTER;
            made->value.type.is_pointer = false;
            memcpy(made->value.v, zero.v, run->threads * sizeof *zero.v);
            made->value.array = lw_cuda_add_array(run, name, &array);
        }
    }
    expect(run, ")");
    return i;
}

/* ---- Statements ---- */

/* A condition that threads must not take from memory. */
static value condition(context *run)
{
    token *from = run->at;
    const value a = number(run, 0);
    for (size_t t = lw_cuda_running(run, 0); t < run->threads && !run->is_trial;
         t = lw_cuda_running(run, t + 1))
        if (a.v[t] == LW_CUDA_UNKNOWN)
            lw_cuda_fail(run, LW_ERROR_UNSUPPORTED, from,
                         "which threads run this depends on what is in memory");
    return a;
}

/* for (init; condition; step), or while (condition). Each round is executed for the threads that are still in the
 * loop; the body once more for none of them, which passes over it. */
static void read_loop(context *run, bool is_for)
{
    const int broke = run->broke, continued = run->continued;
    token *step = NULL, *body = NULL;
    expect(run, "(");
    if (is_for && !is(run, ";")) {
        if (starts_type(run))
            read_declaration(run);
        else
            rvalue(run, 0);
    }
    if (is_for)
        expect(run, ";");
    token *const begin = run->at;
    const size_t mark = run->vector_count;
    const int names = run->name_count;
    run->broke = ++run->level;
    run->continued = ++run->level;
    do {
        enter(run);
        run->depth--;
        run->at = run->failed ? run->at : begin;
        if (!is(run, ";")) {
            const value holds = condition(run);
            pause_threads(run, &holds, true, run->broke);
        }
        if (is_for)
            expect(run, ";");
        step = run->at;
        skip_to(run, ")");
        if (!is_for && step != run->at - 1)
            unexpected(run, ")");
        statement(run);
        body = run->at;
        lw_cuda_set_state(run, run->continued, LW_CUDA_RUNS);
        run->at = run->failed ? run->at : step;
        if (is_for && !is(run, ")"))
            rvalue(run, 0);
        expect(run, ")");
        run->vector_count = mark;
        run->name_count = names;
    } while (!run->failed && !run->is_trial && lw_cuda_running(run, 0) < run->threads);
    run->at = run->failed ? run->at : body;
    lw_cuda_set_state(run, run->broke, LW_CUDA_RUNS);
    run->level -= 2;
    run->broke = broke;
    run->continued = continued;
}

/* A statement that ends in a semicolon. */
static void read_simple(context *run)
{
    token *from = run->at;
    if (take(run, "return")) {
        const value data = lw_cuda_data(run, from), given = is(run, ";") ? data : rvalue(run, 0);
        if (run->result)
            lw_cuda_merge(run, from, run->result, &given, &given.type);
        lw_cuda_set_state(run, LW_CUDA_RUNS, run->returned);
    } else if (take(run, "break")) {
        lw_cuda_set_state(run, LW_CUDA_RUNS, run->broke);
    } else if (take(run, "continue")) {
        lw_cuda_set_state(run, LW_CUDA_RUNS, run->continued);
    } else if (is_word(from + 1, "<<<") ||
               (from->kind == LW_CUDA_NAME &&
                begins("__sync __threadfence cg:: cooperative_groups:: assert static_assert "
                       "namespace using",
                       from->text))) { /* passed over; a launch is read by read_block */
        skip_to(run, ";");
        return;
    } else if (from->is_type || from->is_qualifier) {
        read_declaration(run);
    } else if (!is(run, ";")) {
        rvalue(run, 0);
    }
    if (run->at->kind != LW_CUDA_END)
        expect(run, ";");
}

/* A statement, of which no name is left after it but that of a declaration. */
static void statement(context *run)
{
    token *from = run->at;
    const int names = run->name_count;
    const size_t mark = run->vector_count;
    if (from->after && lw_cuda_running(run, 0) == run->threads) {
        run->at = from->after;
        return;
    }
    enter(run);
    run->statement = from;
    if (from->kind == LW_CUDA_NAME && !is_word(from + 1, "namespace") &&
        lw_text_has_word("do switch goto asm struct class union enum try typedef", from->text))
        lw_cuda_fail(run, LW_ERROR_SYNTAX, from,
                     "%.20s is not read: declarations, expressions, if, for and while are",
                     from->text);
    if (take(run, "{")) {
        while (!is(run, "}") && run->at->kind != LW_CUDA_END)
            statement(run);
        expect(run, "}");
    } else if (take(run, "if")) {
        take(run, "constexpr");
        expect(run, "(");
        const value holds = condition(run);
        expect(run, ")");
        for (int i = 0; i < 2 && (i == 0 || take(run, "else")); i++) {
            const int unsure = begin_branch(run, &holds, i == 0);
            statement(run);
            end_branch(run, unsure);
        }
    } else if (take(run, "for")) {
        read_loop(run, true);
    } else if (take(run, "while")) {
        read_loop(run, false);
    } else {
        read_simple(run);
    }
    if (!run->failed)
        from->after = run->at;
    run->depth--;
    if (!from->is_type && !from->is_qualifier) {
        run->name_count = names;
        run->vector_count = mark;
    }
}

/* ---- Functions and the block ---- */

/* Whether a word is between two tokens. */
static bool has_word(const token *from, const token *to, const char *word)
{
    while (from < to && !is_word(from, word))
        from++;
    return from < to;
}

/* A function: the kernel is executed, those of the device are noted, others are passed over. */
static void read_function(context *run, token *name)
{
    token *from = run->at;
    const bool is_kernel = has_word(from, name, "__global__");
    run->at = name + 2;
    skip_to(run, ")");
    if (is(run, ";")) /* it is declared alone */
        return;
    if (is_kernel && run->kernel && is_word(name, run->kernel)) {
        run->globals = run->locals = run->name_count;
        run->at = name + 1;
        read_parameters(run, NULL, 0);
        statement(run);
        run->name_count = run->globals;
        return;
    }
    struct lw_cuda_routine *routine = lw_cuda_allocate(run, run->arena, sizeof *routine);
    if (routine && !is_kernel && has_word(from, name, "__device__")) {
        *routine = (struct lw_cuda_routine){run->routines, name->text,      from,
                                            name + 1,      run->name_count, false};
        run->routines = routine;
    }
    run->at += !run->failed;
    skip_to(run, "}");
}

/* `(32, 8)` of a dim3, or one number. */
static void read_sizes(context *run, int64_t sizes[3], bool is_one)
{
    if (!is_one)
        expect(run, "(");
    for (int i = 0; i < 3; i++)
        sizes[i] = i && (is_one || !take(run, ","))
                       ? 1
                       : read_constant(run, LW_CUDA_THREADS_MAX,
                                       "the block has constants, of 1 to 1024 threads");
    if (!is_one)
        expect(run, ")");
}

/* `name(32, 8)`, or `name = dim3(32, 8)`: sets the block, unless it is a grid. */
static void read_dim3(context *run, int64_t sizes[3])
{
    const token *name = take_name(run);
    take(run, "=");
    take(run, "dim3");
    if (strstr(name->text, "rid") && take(run, "(")) {
        skip_to(run, ")");
    } else if (is(run, "(")) {
        struct lw_cuda_variable *made = new_variable(run, name->text, lw_cuda_integer(4, false));
        read_sizes(run, made->sizes, false);
        memcpy(sizes, made->sizes, sizeof made->sizes);
    }
}

/* The threads of the block: of dim3 and of launches outside of functions, else of a launch in a function of the host,
 * else of __launch_bounds__, else 32. */
static void read_block(context *run, token *first)
{
    enum { NOWHERE, BOUNDS, HOST, OUTSIDE };
    uint64_t *const block = run->cuda->block, threads = 1;
    int open = 0, found = NOWHERE;
    block[0] = 32;
    block[1] = block[2] = 1;
    for (run->at = first; run->at->kind != LW_CUDA_END;) {
        token *at = run->at++;
        int64_t sizes[3] = {0};
        open += is_word(at, "{") - is_word(at, "}");
        int where = open ? HOST : OUTSIDE;
        if (where < found)
            continue;
        if (is_word(at, "dim3") && run->at->kind == LW_CUDA_NAME) {
            do
                read_dim3(run, sizes);
            while (!run->failed && take(run, ","));
        } else if (run->kernel ? is_word(at, run->kernel) && lw_cuda_is_launch(at)
                               : is(run, "<<<")) {
            skip_to(run, "<<<");
            skip_to(run, ",");
            const struct lw_cuda_variable *named = variable_named(run, run->at->text);
            if (named && named->sizes[0])
                memcpy(sizes, named->sizes, sizeof named->sizes);
            else
                read_sizes(run, sizes, !take(run, "dim3"));
        } else if (is_word(at, "__launch_bounds__") && found <= BOUNDS && run->kernel) {
            const token *of = lw_cuda_function_name(at);
            run->at += !run->failed;
            where = BOUNDS;
            if (of && is_word(of, run->kernel))
                read_sizes(run, sizes, true);
        }
        for (int i = 0; i < 3 && sizes[0]; i++)
            block[i] = (uint64_t)sizes[i];
        found = sizes[0] ? where : found;
    }
    for (int i = 0; i < 3; i++)
        threads = block[i] > LW_CUDA_THREADS_MAX ? UINT32_MAX : threads * block[i];
    if (threads > LW_CUDA_THREADS_MAX)
        lw_cuda_fail(run, LW_ERROR_LIMIT, run->ended, "a block has at most %d threads",
                     LW_CUDA_THREADS_MAX);
    run->cuda->threads = (size_t)threads;
    run->cuda->block_is_assumed = found == NOWHERE;
}

/* Executes the text once: statements and functions; without a kernel all statements. */
static void run_once(context *run, token *first, bool is_trial)
{
    run->is_trial = is_trial;
    run->threads = is_trial ? 1 : run->cuda->threads;
    memset(run->vectors, 0, sizeof run->vectors);
    memset(run->state, 0, sizeof run->state);
    run->vectors[0] = lw_cuda_allocate(run, run->arena, run->threads * sizeof(int64_t));
    run->vector_count = 1;
    run->name_count = run->globals = run->locals = 0;
    run->level = run->unsure = 0;
    run->routines = NULL;
    if (!run->vectors[0])
        return;
    run->at = first;
    declare_built_ins(run);
    run->returned = ++run->level;
    while (run->at->kind != LW_CUDA_END && !run->at->position.line)
        statement(run); /* what is given */
    run->built_ins = run->name_count;
    while (run->at->kind != LW_CUDA_END) {
        token *name = lw_cuda_function_name(run->at);
        if (take(run, "template")) {
            skip_to(run, ">");
        } else if (is(run, "extern") && run->at[1].kind == LW_CUDA_REAL) {
            run->at += 2; /* extern "C" */
            take(run, "{");
        } else if (name && (run->kernel || has_word(run->at, name, "__device__"))) {
            read_function(run, name);
        } else if (!(run->kernel && (take(run, "}") || take(run, ";")))) {
            statement(run);
        }
    }
    lw_cuda_set_state(run, run->returned, LW_CUDA_RUNS);
    if (is_trial && !run->failed)
        read_block(run, first);
    if (run->unknown.failed)
        lw_cuda_fail(run, LW_ERROR_MEMORY, first, "out of memory");
    if (run->unknown.length)
        lw_cuda_fail(run, LW_ERROR_NAME, run->first_unknown,
                     "without a value: %.300s; --let NAME=8 or NAME=@FILE sets one, and arrays are "
                     "declared (float *name;)",
                     lw_text_string(&run->unknown));
}

/* Executes the tokens of a text, and sets the arrays and accesses of `cuda`, which has its text and options. */
static bool run_all(struct lw_cuda *cuda, struct lw_cuda_token *tokens, struct lw_error *err)
{
    struct lw_arena arena = {0};
    context *run = lw_arena_alloc(&arena, sizeof *run);
    *err = (struct lw_error){0};
    cuda->arrays = lw_arena_alloc(&cuda->arena, LW_CUDA_ARRAYS_MAX * sizeof *cuda->arrays);
    cuda->accesses = lw_arena_alloc(&cuda->arena, LW_CUDA_ACCESSES_MAX * sizeof *cuda->accesses);
    if (!run || !cuda->arrays || !cuda->accesses) {
        lw_arena_free(&arena);
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    const uint64_t work = cuda->options.work ? cuda->options.work : LW_CUDA_WORK_MAX;
    *run = (context){.cuda = cuda, .arena = &arena, .err = err, .work = work};
    for (size_t i = 0; i < LW_COUNT(run->ended); i++)
        run->ended[i].text = "";
    const char *named = cuda->options.kernel, *last = NULL;
    size_t kernels = 0, found = 0;
    run->all_arrays_shared = true;
    for (token *at = tokens; at->kind != LW_CUDA_END; at++) {
        const bool is_kernel = is_word(at, "__global__");
        const token *name = is_kernel ? lw_cuda_function_name(at) : NULL;
        if (name && (!last || !is_word(name, last))) {
            last = name->text;
            kernels++;
            found += named && is_word(name, named);
        }
        run->all_arrays_shared = run->all_arrays_shared && !is_kernel && !is_word(at, "__shared__");
    }
    run->kernel = named ? named : last;
    if (kernels > 1 && !named)
        lw_cuda_fail(run, LW_ERROR_NAME, run->ended,
                     "there are %zu kernels: name one, as in file.cu:%.60s", kernels, last);
    if (named && !found)
        lw_cuda_fail(run, LW_ERROR_NAME, run->ended, "there is no kernel '%.60s'", named);
    if (!run->failed)
        run_once(run, tokens, true);
    if (!run->failed)
        run_once(run, tokens, false);
    for (size_t i = 0; i < cuda->array_count; i++) /* those without a length are after all others */
        if (cuda->arrays[i].is_shared && !cuda->arrays[i].rank)
            cuda->arrays[i].base = (run->shared_used + 15) / 16 * 16;
    lw_text_free(&run->unknown);
    const bool good = !run->failed;
    lw_arena_free(&arena);
    return good;
}

bool lw_cuda_read(struct lw_cuda *cuda, const char *text, size_t length,
                  const struct lw_cuda_options *options, struct lw_error *err)
{
    static const struct lw_cuda_options defaults;
    struct lw_error scratch;
    struct lw_cuda_token *tokens;
    err = err ? err : &scratch;
    *cuda = (struct lw_cuda){0};
    if (lw_cuda_tokens(cuda, text, length, options ? options : &defaults, &tokens, err) &&
        run_all(cuda, tokens, err))
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
