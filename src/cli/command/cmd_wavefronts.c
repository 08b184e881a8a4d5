/*
 * laneway wavefronts: what instructions on shared memory cost, from the byte addresses of their lanes.
 *
 * Invariant: every line except the header gets one line of answer, in order; for one that cannot be read this is an
 * empty line (an error with --json), with a message.
 */

#include "cli/command/commands.h"
#include "cli/requests.h"
#include "export/output.h"
#include "notation/document/read.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The content of a column. */
enum { FIELD_OP, FIELD_WIDTH, FIELD_MASK, FIELD_OFFSET, FIELD_NONE = -1 };

#define COLUMNS_MAX 1024

struct table {
    const struct lw_hardware *hardware;
    int columns[COLUMNS_MAX]; /* of each: FIELD_OFFSET + lane is the offset of a lane */
    unsigned count;
    const char *name; /* of the file, for messages */
    FILE *out;
    struct lw_text text; /* answers that are not yet written */
    bool json;
    uint64_t line, conflicts;
    bool wrong; /* a line could not be answered */
};

enum { OPS = 8, NAMES = 5 };

/* The operations, each with all of its names. */
static const struct {
    const char *names[NAMES];
    enum lw_access_op op;
    unsigned matrices;
} ops[OPS] = {
    {{"ld", "load", "ld.shared", "LDS", "ds_read"}, LW_ACCESS_LOAD, 0},
    {{"st", "store", "st.shared", "STS", "ds_write"}, LW_ACCESS_STORE, 0},
    {{"lm1", "ldmatrix.x1"}, LW_ACCESS_LDMATRIX, 1},
    {{"lm2", "ldmatrix.x2"}, LW_ACCESS_LDMATRIX, 2},
    {{"lm4", "ldmatrix.x4"}, LW_ACCESS_LDMATRIX, 4},
    {{"sm1", "stmatrix.x1"}, LW_ACCESS_STMATRIX, 1},
    {{"sm2", "stmatrix.x2"}, LW_ACCESS_STMATRIX, 2},
    {{"sm4", "stmatrix.x4"}, LW_ACCESS_STMATRIX, 4},
};

/* Name i of all; an operation with fewer names has its first one again. */
static const char *name_of(const void *unused, size_t i)
{
    const char *name = ops[i / NAMES].names[i % NAMES];
    (void)unused;
    return name ? name : ops[i / NAMES].names[0];
}

/* ---- Fields ---- */

/* A part of a line, without the blanks around it. */
struct field {
    const char *text;
    size_t length;
    int column; /* from 1 */
};

/* The next field of a line from *at on, which is then after its comma; NULL: it was the last one. */
static struct field next_field(const char *line, const char **at)
{
    const char *start = *at + strspn(*at, " \t"), *end = start + strcspn(start, ",");
    *at = *end ? end + 1 : NULL;
    while (end > start && strchr(" \t", end[-1]))
        end--;
    return (struct field){start, (size_t)(end - start), (int)((start - line) & INT32_MAX) + 1};
}

static bool is(struct field field, const char *name)
{
    return !strncmp(field.text, name, field.length) && !name[field.length];
}

/* The part of a field that a message shows. */
static int shown(struct field field)
{
    return (int)(field.length < 40 ? field.length : 40);
}

/* Reads a number, after 0x in base 16; false when it is none. *big: it does not fit in 64 bits. */
static bool read_digits(struct field field, bool hex, uint64_t *number, bool *big)
{
    static const char digits[] = "0123456789abcdef";
    size_t i = 0;
    if (field.length > 2 && field.text[0] == '0' && (field.text[1] | 32) == 'x') {
        hex = true;
        i = 2;
    }
    *number = 0;
    *big = false;
    for (; i < field.length; i++) {
        const char c = field.text[i];
        const char *digit = memchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c, hex ? 16 : 10);
        if (!digit)
            return false;
        *big = *big || __builtin_mul_overflow(*number, hex ? 16 : 10, number) ||
               __builtin_add_overflow(*number, (uint64_t)(digit - digits), number);
    }
    return field.length > 0;
}

/* The error about a field; `lane` is that of an offset, -1: none. Returns false. */
static bool bad_field(struct field field, const char *what, int lane, const char *why,
                      struct lw_error *err)
{
    char who[16] = "";
    struct lw_position position = {.column = field.column};
    if (lane >= 0)
        snprintf(who, sizeof who, "o%d: ", lane);
    if (!field.length)
        return lw_error_at(err, LW_ERROR_SYNTAX, position, "%sthe %s is missing", who, what);
    return lw_error_at(err, LW_ERROR_SYNTAX, position, "%s%s '%.*s' is %s", who, what, shown(field),
                       field.text, why);
}

static bool read_number(struct field field, const char *what, int lane, uint64_t *number,
                        struct lw_error *err)
{
    bool big;
    if (!read_digits(field, false, number, &big))
        return bad_field(field, what, lane,
                         field.text[0] == '-' ? "negative: it must be 0 or more" : "not a number",
                         err);
    return (!big && *number <= INT64_MAX) ||
           bad_field(field, what, lane, "too big: at most 2^63 - 1", err);
}

/* ---- Lines ---- */

/* Whether a line names columns: it has a field "op". */
static bool is_header(const char *line)
{
    for (const char *at = line; at;)
        if (is(next_field(line, &at), "op"))
            return true;
    return false;
}

/* Reads the names of the columns; others than those of the fields are ignored. */
static bool read_header(struct table *table, const char *line, struct lw_error *err)
{
    const unsigned lanes = table->hardware->lanes, fields = FIELD_OFFSET + lanes;
    bool seen[FIELD_OFFSET + LW_WARP_MAX] = {false};
    char names[FIELD_OFFSET + LW_WARP_MAX][16] = {"op", "width", "mask"};
    for (unsigned lane = 0; lane < lanes; lane++)
        snprintf(names[FIELD_OFFSET + lane], sizeof *names, "o%u", lane);
    table->count = 0;
    for (const char *at = line; at; table->count++) {
        const struct field name = next_field(line, &at);
        unsigned column = 0;
        if (table->count == COLUMNS_MAX)
            return lw_error_set(err, LW_ERROR_LIMIT, "the header has over %d columns", COLUMNS_MAX);
        while (column < fields && !is(name, names[column]))
            column++;
        table->columns[table->count] = column < fields ? (int)column : FIELD_NONE;
        if (column < fields && seen[column])
            return lw_error_set(err, LW_ERROR_NAME, "the header has two columns '%.*s'",
                                shown(name), name.text);
        if (column < fields)
            seen[column] = true;
    }
    for (unsigned i = 0; i < fields; i++)
        if (!seen[i] && i < FIELD_OFFSET)
            return lw_error_set(err, LW_ERROR_NAME, "the header has no column '%s'", names[i]);
        else if (!seen[i])
            return lw_error_set(err, LW_ERROR_NAME,
                                "the header has no column '%s': %s has %u lanes a warp", names[i],
                                table->hardware->name, lanes);
    return true;
}

static bool read_op(struct field field, struct lw_access *access, struct lw_error *err)
{
    char name[48], why[160];
    for (size_t i = 0; i < OPS * NAMES; i++)
        if (is(field, name_of(NULL, i))) {
            access->op = ops[i / NAMES].op;
            access->matrices = ops[i / NAMES].matrices;
            return true;
        }
    snprintf(name, sizeof name, "%.*s", shown(field), field.text);
    const char *near = lw_text_nearest(name, OPS * NAMES, name_of, NULL);
    snprintf(why, sizeof why,
             "not one of ld, st, lm1, lm2, lm4 (ldmatrix.x1, .x2, .x4), sm1, sm2 and sm4 "
             "(stmatrix.x1, .x2, .x4)%s%s%s",
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return bad_field(field, "op", -1, why, err);
}

/* Splits a line into its fields, by their columns, and reads them. */
static bool read_access(const struct table *table, const char *line, struct lw_access *access,
                        struct lw_error *err)
{
    struct field fields[FIELD_OFFSET + LW_WARP_MAX];
    uint64_t width;
    unsigned count = 0;
    bool big;
    if (!line[strspn(line, " \t")])
        return lw_error_set(err, LW_ERROR_SYNTAX, "the line is empty");
    for (const char *at = line; at; count++) {
        const struct field field = next_field(line, &at);
        if (count < table->count && table->columns[count] != FIELD_NONE)
            fields[table->columns[count]] = field;
    }
    if (count != table->count)
        return lw_error_set(err, LW_ERROR_SYNTAX, "%u field%s, but there are %u columns%s", count,
                            count == 1 ? "" : "s", table->count,
                            count < table->count ? ": the line is short" : "");
    if (!read_op(fields[FIELD_OP], access, err) ||
        !read_number(fields[FIELD_WIDTH], "width", -1, &width, err))
        return false;
    if (!read_digits(fields[FIELD_MASK], true, &access->active, &big))
        return bad_field(fields[FIELD_MASK], "mask", -1, "not a hexadecimal number", err);
    if (big)
        return bad_field(fields[FIELD_MASK], "mask", -1, "too long: it has one bit per lane", err);
    access->width = width > 999 ? 999 : (unsigned)width;
    for (unsigned lane = 0; lane < table->hardware->lanes; lane++)
        if (access->active >> lane & 1 && !read_number(fields[FIELD_OFFSET + lane], "offset",
                                                       (int)lane, &access->address[lane], err))
            return false;
    return true;
}

/* ---- Answers ---- */

/* Answers a line. An error is reported as "standard input:3: ...", and with --json is the answer too. */
static void answer(struct table *table, const char *line, size_t length)
{
    struct lw_text *text = &table->text;
    struct lw_access access;
    struct lw_cost cost;
    struct lw_error err;
    if ((strlen(line) == length || lw_error_set(&err, LW_ERROR_SYNTAX, "the line has a NUL")) &&
        read_access(table, line, &access, &err) &&
        lw_access_cost(table->hardware->banks, &access, &cost, &err)) {
        table->conflicts += cost.conflicts;
        lw_text_add(text, table->json ? "{\"wavefronts\":" : "");
        lw_text_number(text, cost.wavefronts);
        lw_text_add(text, table->json ? ",\"conflicts\":" : ",");
        lw_text_number(text, cost.conflicts);
        lw_text_add(text, table->json ? ",\"ideal\":" : "");
        if (table->json)
            lw_text_number(text, cost.ideal);
        lw_text_add(text, table->json ? "}\n" : "\n");
        return;
    }
    table->wrong = true;
    err.position.line = (int)(table->line & INT32_MAX);
    if (!err.position.column)
        err.position.column = 1;
    lw_report_failure(table->name, &err);
    if (table->json) {
        lw_text_add(text, "{\"error\":");
        lw_text_json_string(text, err.message);
        lw_text_char(text, '}');
    }
    lw_text_char(text, '\n');
}

static void flush(void *context)
{
    struct table *table = context;
    lw_output_text(table->out, &table->text);
    lw_text_clear(&table->text);
    fflush(table->out);
}

/* Answers every line; false when the input cannot be read. */
static bool answer_all(struct table *table, int input, struct lw_error *err)
{
    struct lw_lines lines = {.fd = input, .name = table->name};
    size_t length;
    char *line;
    bool good = true;
    while (good && !ferror(table->out) &&
           (line = lw_lines_next(&lines, &length, flush, table, err))) {
        table->line++;
        if (table->line == 1 && is_header(line))
            good = read_header(table, line, err);
        else
            answer(table, line, length);
        if (table->text.length > 1 << 16)
            flush(table);
    }
    flush(table);
    good = good && err->code == LW_OK;
    lw_lines_free(&lines);
    return good;
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct table table = {.json = LW_OPTION_IS_SET(args, JSON), .out = out};
    struct lw_error err = {0};
    uint64_t max;
    FILE *file = NULL;
    const bool named = args->operand_count && strcmp(args->operands[0], "-") != 0;
    if (!lw_target(args, &table.hardware, &err) || !lw_fail_on_conflict(args, &max, &err) ||
        (named && !(file = lw_open_regular(args->operands[0], SIZE_MAX, &err))))
        return lw_report_failure(NULL, &err);
    if (!table.hardware)
        table.hardware = lw_hardware_default();
    table.name = file ? args->operands[0] : "standard input";
    table.count = FIELD_OFFSET + table.hardware->lanes;
    for (unsigned i = 0; i < table.count; i++)
        table.columns[i] = (int)i;
    bool good = answer_all(&table, file ? fileno(file) : STDIN_FILENO, &err);
    lw_text_free(&table.text);
    if (file)
        fclose(file);
    if (!good)
        return lw_report_failure(table.name, &err);
    if (table.wrong)
        return LW_STATUS_ERROR;
    return table.conflicts > max ? LW_STATUS_NO : LW_STATUS_OK;
}

const struct lw_command lw_command_wavefronts = {
    .name = "wavefronts",
    .operands = "[FILE]",
    .help = "print what shared memory accesses cost, by their addresses",
    .about =
        "Reads lines op,width,mask,o0,...,o31 from the file, or from standard input, and prints "
        "wavefronts,conflicts for each. The op is ld, st, ldmatrix.x1, .x2 or .x4 (lm1, lm2, lm4), "
        "stmatrix.x1, .x2 or .x4 (sm1, sm2, sm4); the width is the number of bytes per lane, 16 "
        "for matrices; the mask is hexadecimal, with one bit per active lane; o0 to o31, or o63, "
        "are the byte offsets of the lanes. Lanes 0 to 7 hold the rows of the first matrix. When "
        "the first line has a field 'op', it names the columns, in any order; unknown columns are "
        "ignored.\n\n"
        "A wavefront moves at most one word of 4 bytes of each bank; lanes that access the same "
        "word share it. A conflict is a wavefront that would not be needed if no two words were in "
        "one bank. On NVIDIA, as counted on an H200, 1, 2 and 4 bytes per lane are one group of 32 "
        "lanes, 8 bytes two halves of the warp, 16 bytes four quarters, a matrix the eight lanes "
        "that hold its rows; a group takes as many wavefronts as the bank with the most words has "
        "words. When in a load of 8 or 16 bytes every active lane i has the address of lane i^1, "
        "or that lane is inactive, two groups are served as one; so also with i^2 for every lane. "
        "On AMD groups are those of AMD's documents, and accesses that these do not describe are "
        "refused.\n\n"
        "A line that cannot be answered is reported with its number and answered by an empty line, "
        "or with --json by {\"error\": \"...\"}; the exit status is then 2.",
    .options = LW_OPTION_BIT(TARGET) | LW_OPTION_BIT(FAIL_ON_CONFLICT) | LW_OPTION_BIT(JSON) |
               LW_OPTION_BIT(OUTPUT) | LW_OPTION_BIT(COLOR),
    .max_operands = 1,
    .words = &lw_choices_files,
    .examples = {{"wavefronts accesses.csv", "one instruction per line"}},
    .run = run,
};
