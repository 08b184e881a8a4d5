/* Fixes of bank conflicts as C++: padding of a row, and a xor of the column with the row. A fix is a change of the
 * text, which is then read and counted as any other. */

#include "laneway/kernel_cost.h"
#include "laneway/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { BANKS_BYTES = 128, PADDINGS = 32, EDITS_MAX = 64 };

/* A change of the text: a part of it is replaced. */
struct edit {
    size_t from, to; /* bytes of the text */
    const char *with;
};

struct fixing {
    struct lw_cuda_fixes *fixes;
    const struct lw_cuda *cuda;
    size_t array;
    const struct lw_hardware *hardware;
    unsigned vector; /* elements that an access moves at most */
    struct edit edits[EDITS_MAX];
    size_t edit_count;
};

/* Where a position begins in the text. */
static size_t byte_of(const struct fixing *fixing, struct lw_position position)
{
    size_t at = 0;
    for (int line = 1; line < position.line && at < fixing->cuda->length; at++)
        line += fixing->cuda->text[at] == '\n';
    return at + (size_t)position.column - 1;
}

static void add_edit(struct fixing *fixing, struct lw_position position, const char *with)
{
    const size_t from = byte_of(fixing, position);
    size_t at = fixing->edit_count;
    if (at == EDITS_MAX || !with)
        return;
    for (; at && fixing->edits[at - 1].from > from; at--)
        fixing->edits[at] = fixing->edits[at - 1];
    fixing->edits[at] = (struct edit){from, from + (size_t)position.length, with};
    fixing->edit_count++;
}

/* Counts the wavefronts of the array in a text; false: it is not legal, or has conflicts that are not known. */
static bool count(const struct fixing *fixing, const char *text, uint64_t *wavefronts,
                  uint64_t *bytes)
{
    struct lw_cuda cuda;
    bool good = lw_cuda_read(&cuda, text, strlen(text), &fixing->cuda->options, NULL);
    *wavefronts = 0;
    if (!good)
        return false;
    *bytes = cuda.arrays[fixing->array].size;
    for (size_t i = 0; good && i < cuda.access_count; i++) {
        struct lw_cuda_cost cost;
        if (cuda.accesses[i].array != fixing->array)
            continue;
        good = lw_cuda_count(&cuda, &cuda.accesses[i], fixing->hardware, &cost, NULL);
        *wavefronts += cost.wavefronts;
    }
    good = good && cuda.warning.code == LW_OK;
    lw_cuda_free(&cuda);
    return good;
}

/* Tries the edits; they are kept as the fix of that kind if they take fewer wavefronts than the one before. */
static void try_edits(struct fixing *fixing, enum lw_cuda_fix_kind kind, const char *changed)
{
    struct lw_cuda_fixes *fixes = fixing->fixes;
    struct lw_text text = {0};
    uint64_t wavefronts, bytes;
    size_t at = 0, slot = fixes->count;
    for (size_t i = 0; i < fixing->edit_count; i++) {
        lw_text_bytes(&text, fixing->cuda->text + at, fixing->edits[i].from - at);
        lw_text_add(&text, fixing->edits[i].with);
        at = fixing->edits[i].to;
    }
    lw_text_bytes(&text, fixing->cuda->text + at, fixing->cuda->length - at);
    if (fixes->fix[fixes->count - 1].kind == kind)
        slot--;
    if (count(fixing, lw_text_string(&text), &wavefronts, &bytes) &&
        wavefronts < fixes->fix[slot == fixes->count ? 0 : slot].wavefronts) {
        const char *kept = lw_arena_string(&fixes->arena, lw_text_string(&text), text.length);
        changed = lw_arena_string(&fixes->arena, changed, strlen(changed));
        if (kept && changed) {
            fixes->fix[slot] = (struct lw_cuda_fix){kind, kept, changed, wavefronts, bytes};
            fixes->count = slot + 1;
        }
    }
    lw_text_free(&text);
    fixing->edit_count = 0;
}

/* The text of a position, in the arena. */
static const char *text_of(const struct fixing *fixing, struct lw_position position)
{
    return lw_arena_string(&fixing->fixes->arena, fixing->cuda->text + byte_of(fixing, position),
                           (size_t)position.length);
}

static const char *keep(const struct fixing *fixing, struct lw_text *text)
{
    const char *kept = lw_arena_string(&fixing->fixes->arena, lw_text_string(text), text->length);
    lw_text_free(text);
    return kept;
}

/* ---- Padding ---- */

static void pad(struct fixing *fixing)
{
    const struct lw_cuda_array *array = &fixing->cuda->arrays[fixing->array];
    const uint64_t length = array->dims[array->rank - 1];
    const char *dim = text_of(fixing, array->last_dim);
    for (unsigned i = 1; dim && i <= PADDINGS && i * fixing->vector * array->bytes <= BANKS_BYTES;
         i++) {
        struct lw_text with = {0}, changed = {0};
        const unsigned more = i * fixing->vector;
        if (strspn(dim, "0123456789") == strlen(dim))
            lw_text_number(&with, length + more);
        else
            lw_text_format(&with, "%s + %u", dim, more);
        const char *text = keep(fixing, &with);
        lw_text_add(&changed, array->name);
        for (int d = 0; d + 1 < array->rank; d++)
            lw_text_format(&changed, "[%llu]", (unsigned long long)array->dims[d]);
        lw_text_format(&changed, "[%s]", text ? text : "");
        add_edit(fixing, array->last_dim, text);
        try_edits(fixing, LW_CUDA_PADDED, lw_text_string(&changed));
        lw_text_free(&changed);
    }
}

/* ---- Xor ---- */

/* An operand of an operator: in brackets unless it is one name, number, call or part. */
static void put_operand(struct lw_text *text, const char *operand)
{
    bool is_one = true;
    int open = 0;
    for (const char *at = operand; *at; at++) {
        open += *at == '(' || *at == '[';
        is_one = is_one && (open || isalnum((unsigned char)*at) || *at == '_' || *at == '.');
        open -= *at == ')' || *at == ']';
    }
    lw_text_format(text, is_one ? "%s" : "(%s)", operand);
}

/* "column ^ row % 8 * 4" */
static const char *xor_of(const struct fixing *fixing, const char *row, const char *column,
                          uint64_t rows, uint64_t turns)
{
    struct lw_text text = {0};
    if (strpbrk(column, "|?=,&")) /* they would be after ^ */
        lw_text_format(&text, "(%s) ^ ", column);
    else
        lw_text_format(&text, "%s ^ ", column);
    put_operand(&text, row);
    if (rows > turns)
        lw_text_format(&text, " %% %llu", (unsigned long long)turns);
    if (fixing->vector > 1)
        lw_text_format(&text, " * %u", fixing->vector);
    return keep(fixing, &text);
}

static void xor_columns(struct fixing *fixing)
{
    const struct lw_cuda *cuda = fixing->cuda;
    const struct lw_cuda_array *array = &cuda->arrays[fixing->array];
    const uint64_t length = array->dims[array->rank - 1], rows = array->dims[array->rank - 2];
    uint64_t turns = BANKS_BYTES / array->bytes / fixing->vector;
    const char *changed = NULL;
    while (turns > 1 && length % (turns * fixing->vector))
        turns /= 2;
    if (turns < 2)
        return;
    for (size_t i = 0; i < cuda->access_count; i++) {
        const struct lw_cuda_access *access = &cuda->accesses[i];
        if (access->array != fixing->array ||
            (i && access->position.line == access[-1].position.line &&
             access->column.column == access[-1].column.column))
            continue; /* += is one text */
        const char *row = text_of(fixing, access->row), *column = text_of(fixing, access->column);
        const char *text = row && column ? xor_of(fixing, row, column, rows, turns) : NULL;
        add_edit(fixing, access->column, text);
        if (!changed && text) {
            struct lw_text all = {0};
            lw_text_format(&all, "%s[%s][%s]", array->name, row, text);
            changed = keep(fixing, &all);
        }
    }
    try_edits(fixing, LW_CUDA_XOR, changed ? changed : "");
}

/* ---- All ---- */

static bool check(struct fixing *fixing, struct lw_error *err)
{
    const struct lw_cuda *cuda = fixing->cuda;
    const struct lw_cuda_array *array = &cuda->arrays[fixing->array];
    if (!array->is_shared || array->rank < 2 || !array->last_dim.line)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "%.40s has no rows to pad: declare it with two lengths, %.40s[ROWS][COLS]", array->name,
            array->name);
    for (size_t i = 0; i < cuda->access_count; i++) {
        const struct lw_cuda_access *access = &cuda->accesses[i];
        if (access->array != fixing->array)
            continue;
        if (!access->row.line || !access->column.line)
            return lw_error_at(err, LW_ERROR_UNSUPPORTED, access->position,
                               "this access is not written as %.40s[row][column]", array->name);
        if (access->bytes > fixing->vector * array->bytes)
            fixing->vector = access->bytes / array->bytes;
    }
    return true;
}

bool lw_cuda_fixes_make(struct lw_cuda_fixes *fixes, const struct lw_cuda *cuda, size_t array,
                        const struct lw_hardware *hardware, struct lw_error *err)
{
    struct fixing fixing = {
        .fixes = fixes, .cuda = cuda, .array = array, .hardware = hardware, .vector = 1};
    *fixes = (struct lw_cuda_fixes){.count = 1};
    struct lw_cuda_fix *first = &fixes->fix[0];
    if (!check(&fixing, err))
        return false;
    first->text = lw_arena_string(&fixes->arena, cuda->text, cuda->length);
    first->changed = "as it is written";
    if (!first->text || !count(&fixing, first->text, &first->wavefronts, &first->bytes)) {
        lw_cuda_fixes_free(fixes);
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the accesses to %.40s cannot be counted as they are written",
                            cuda->arrays[array].name);
    }
    pad(&fixing);
    xor_columns(&fixing);
    return true;
}

void lw_cuda_fixes_free(struct lw_cuda_fixes *fixes)
{
    lw_arena_free(&fixes->arena);
    *fixes = (struct lw_cuda_fixes){0};
}
