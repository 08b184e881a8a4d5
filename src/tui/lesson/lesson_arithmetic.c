/* Arithmetic in markers: {32 / load-each}, {2 * (bank of 3,5) ^ 1}, {was wavefronts - wavefronts}. The operators are
 * those of C with its order, `^` last; a name is a kind of goal that is a number; a minus has a blank before it. */

#include "tui/lesson/lesson_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reads "3,5" as an element of this tensor. */
static bool read_element(const struct lw_subject *subject, const char *p, uint64_t *out)
{
    for (int i = 0; i < subject->map.out.count; i++) {
        char *end;
        out[i] = strtoull(p, &end, 10);
        if (end == p || out[i] >= subject->map.out.dim[i].size)
            return false;
        p = end;
        if (i + 1 < subject->map.out.count && *p++ != ',')
            return false;
    }
    return !*p;
}

/* A field of the first owner of an element: ("bank", "3,5"). False: the layout has no such field or element. */
static bool field_of(const struct lw_lesson_state *state, const char *field, const char *where,
                     uint64_t *value)
{
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    const struct lw_subject *subject = state->own;
    if (subject && !strcmp(field, "bank") && state->sides[LW_SIDE_S])
        subject = state->sides[LW_SIDE_S];
    return subject && read_element(subject, where, out) &&
           lw_map_owner(&subject->map, out, 0, in) &&
           lw_subject_field(subject, field, in, out, value);
}

enum { DEPTH_MAX = 16 };

struct sum {
    const char *p;
    struct lw_lesson_state *state;
    const struct lw_measures *was;
    int depth;
    bool good;
};

static uint64_t read_xor(struct sum *sum);

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_blanks(struct sum *sum)
{
    sum->p += strspn(sum->p, " ");
}

static uint64_t fail(struct sum *sum)
{
    sum->good = false;
    return 0;
}

static uint64_t in_brackets(struct sum *sum)
{
    if (++sum->depth > DEPTH_MAX)
        return fail(sum);
    sum->p++;
    uint64_t value = read_xor(sum);
    skip_blanks(sum);
    if (*sum->p++ != ')')
        return sum->p--, fail(sum);
    sum->depth--;
    return value;
}

/* The length of a name: its dashes are followed by letters. */
static size_t name_length(const char *p)
{
    size_t n = 0;
    while (is_letter(p[n]) || (n && p[n] >= '0' && p[n] <= '9') ||
           (n && p[n] == '-' && is_letter(p[n + 1])))
        n++;
    return n;
}

/* Reads "bank of 3,5", after its first word. */
static uint64_t read_field(struct sum *sum, const char *name)
{
    char where[32];
    size_t length = strspn(sum->p, "0123456789,");
    uint64_t value;
    snprintf(where, sizeof where, "%.*s", (int)(length < 31 ? length : 31), sum->p);
    sum->p += length;
    return field_of(sum->state, name, where, &value) ? value : fail(sum);
}

static uint64_t read_measure(struct sum *sum, const char *name, bool before)
{
    size_t count;
    const struct lw_goal_kind *kinds = lw_goal_kinds(&count);
    const struct lw_goal_kind *kind = lw_goal_kind_find(kinds, count, name, strlen(name));
    uint64_t value = 0;
    if (!kind || !kind->measure)
        return fail(sum);
    if (before)
        return sum->was && sum->was->known[kind - kinds] ? sum->was->value[kind - kinds]
                                                         : fail(sum);
    return kind->measure(sum->state, &value) ? value : fail(sum);
}

static uint64_t read_name(struct sum *sum)
{
    char name[48];
    size_t length = name_length(sum->p);
    bool before = length == 3 && !strncmp(sum->p, "was", 3);
    if (before) {
        sum->p += 3;
        skip_blanks(sum);
        length = name_length(sum->p);
    }
    if (!length || length >= sizeof name)
        return fail(sum);
    snprintf(name, sizeof name, "%.*s", (int)length, sum->p);
    sum->p += length;
    if (!strcmp(name, "log2") && *sum->p == '(') {
        uint64_t value = in_brackets(sum), log = 0;
        while (value >> log > 1)
            log++;
        return log;
    }
    if (!strncmp(sum->p, " of ", 4)) {
        sum->p += 4;
        return read_field(sum, name);
    }
    return read_measure(sum, name, before);
}

static uint64_t read_one(struct sum *sum)
{
    skip_blanks(sum);
    if (*sum->p == '(')
        return in_brackets(sum);
    if (*sum->p >= '0' && *sum->p <= '9') {
        char *end;
        errno = 0;
        uint64_t value = strtoull(sum->p, &end, 10);
        sum->p = end;
        return errno ? fail(sum) : value;
    }
    return read_name(sum);
}

static uint64_t read_product(struct sum *sum)
{
    uint64_t value = read_one(sum);
    for (;;) {
        skip_blanks(sum);
        char sign = *sum->p;
        if (!sign || !strchr("*/%", sign))
            return value;
        sum->p++;
        uint64_t right = read_one(sum);
        if (sign != '*' && !right)
            return fail(sum);
        if (sign == '*' && __builtin_mul_overflow(value, right, &value))
            return fail(sum);
        value = sign == '/' ? value / right : sign == '%' ? value % right : value;
    }
}

static uint64_t read_terms(struct sum *sum)
{
    uint64_t value = read_product(sum);
    for (;;) {
        skip_blanks(sum);
        char sign = *sum->p;
        if (sign != '+' && sign != '-')
            return value;
        sum->p++;
        uint64_t right = read_product(sum);
        if (sign == '+' ? __builtin_add_overflow(value, right, &value)
                        : __builtin_sub_overflow(value, right, &value))
            return fail(sum);
    }
}

static uint64_t read_xor(struct sum *sum)
{
    uint64_t value = read_terms(sum);
    for (skip_blanks(sum); *sum->p == '^'; skip_blanks(sum)) {
        sum->p++;
        value ^= read_terms(sum);
    }
    return value;
}

bool lw_lesson_arithmetic(struct lw_lesson_state *state, const struct lw_measures *was,
                          const char *text, uint64_t *value)
{
    struct sum sum = {.p = text, .state = state, .was = was, .good = true};
    *value = read_xor(&sum);
    return sum.good && !*sum.p;
}
