/*
 * laneway wavefronts: what instructions on shared memory cost, from the byte addresses of their lanes.
 *
 * Invariant: every line except the header gets one line of answer, in order; for one that cannot be read this is an
 * empty line (an error with --json), with a message.
 */

#include "cli/command/commands.h"
#include "cli/requests.h"
#include "core/array_count.h"
#include "export/output.h"
#include "notation/document/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a line has: FIELD_OFFSET + lane is the offset of a lane. */
enum { FIELD_OP, FIELD_WIDTH, FIELD_MASK, FIELD_OFFSET, FIELDS_MAX = FIELD_OFFSET + LW_WARP_MAX };
enum { COLUMNS_MAX = 1024 };

struct table {
    const struct lw_hardware *hardware;
    unsigned column[FIELDS_MAX]; /* of each field */
    unsigned count;              /* of columns */
    const char *name;            /* of the file, for messages */
    FILE *out;
    struct lw_text text; /* an answer that is not yet written */
    bool json;
    uint64_t line, conflicts;
    bool wrong; /* a line could not be answered */
};

/* The operations by their names. */
static const struct {
    const char *names;
    enum lw_access_op op;
    unsigned matrices;
} ops[] = {
    {"ld ld.shared", LW_ACCESS_LOAD, 0},        {"st st.shared", LW_ACCESS_STORE, 0},
    {"lm1 ldmatrix.x1", LW_ACCESS_LDMATRIX, 1}, {"lm2 ldmatrix.x2", LW_ACCESS_LDMATRIX, 2},
    {"lm4 ldmatrix.x4", LW_ACCESS_LDMATRIX, 4}, {"sm1 stmatrix.x1", LW_ACCESS_STMATRIX, 1},
    {"sm2 stmatrix.x2", LW_ACCESS_STMATRIX, 2}, {"sm4 stmatrix.x4", LW_ACCESS_STMATRIX, 4},
};

/* ---- Lines ---- */

/* Finds the column of each field in a header; others are ignored. */
static bool read_header(struct table *table, char *const *columns, unsigned count,
                        struct lw_error *err)
{
    static const char *const names[] = {"op", "width", "mask"};
    table->count = count;
    if (count > COLUMNS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "the header has over %d columns", COLUMNS_MAX);
    for (unsigned field = 0; field < FIELD_OFFSET + table->hardware->lanes; field++) {
        char name[16];
        unsigned *at = &table->column[field];
        if (field < FIELD_OFFSET)
            snprintf(name, sizeof name, "%s", names[field]);
        else
            snprintf(name, sizeof name, "o%u", field - FIELD_OFFSET);
        for (*at = 0; *at < count && strcmp(columns[*at], name) != 0;)
            ++*at;
        if (*at == count)
            return lw_error_set(err, LW_ERROR_NAME,
                                "the header has no column '%s': %s has %u lanes a warp", name,
                                table->hardware->name, table->hardware->lanes);
    }
    return true;
}

/* Reads a number, which is in base 16 after 0x. */
static bool read_number(const char *text, int base, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, text[0] == '0' && (text[1] | 32) == 'x' ? 16 : base);
    return !strchr("+-", *text) && !*end && !errno; /* strtoull accepts a sign */
}

/* Reads the columns of a line; on failure *field is the one that is wrong. */
static bool read_access(const struct table *table, char *const *columns, unsigned count,
                        struct lw_access *access, unsigned *field, struct lw_error *err)
{
    const char *text[FIELDS_MAX];
    uint64_t width;
    size_t op = 0;
    *field = 0;
    if (count == 1 && !*columns[0])
        return lw_error_set(err, LW_ERROR_SYNTAX, "the line is empty");
    if (count != table->count)
        return lw_error_set(err, LW_ERROR_SYNTAX, "%u field%s, but there are %u columns", count,
                            count == 1 ? "" : "s", table->count);
    for (unsigned i = 0; i < FIELD_OFFSET + table->hardware->lanes; i++)
        text[i] = columns[table->column[i]];
    while (op < LW_COUNT(ops) && !lw_text_has_word(ops[op].names, text[FIELD_OP]))
        op++;
    if (op == LW_COUNT(ops))
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "op '%.40s': expected ld, st, lm1, lm2, lm4 (ldmatrix.x1, .x2, .x4), "
                            "sm1, sm2 or sm4 (stmatrix.x1, .x2, .x4)",
                            text[FIELD_OP]);
    access->op = ops[op].op;
    access->matrices = ops[op].matrices;
    *field = FIELD_WIDTH;
    if (!read_number(text[FIELD_WIDTH], 10, &width))
        return lw_error_set(err, LW_ERROR_SYNTAX, "width '%.40s': expected a number",
                            text[FIELD_WIDTH]);
    access->width = width > 999 ? 999 : (unsigned)width;
    *field = FIELD_MASK;
    if (!read_number(text[FIELD_MASK], 16, &access->active))
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "mask '%.40s': expected a hexadecimal number, a bit per lane",
                            text[FIELD_MASK]);
    for (unsigned lane = 0; lane < table->hardware->lanes; lane++) {
        *field = FIELD_OFFSET + lane;
        if (access->active >> lane & 1 && (!read_number(text[*field], 10, &access->address[lane]) ||
                                           access->address[lane] > INT64_MAX))
            return lw_error_set(err, LW_ERROR_SYNTAX,
                                "o%u '%.40s': expected a number from 0 to 2^63 - 1", lane,
                                text[*field]);
    }
    *field = 0;
    return true;
}

/* ---- Answers ---- */

/* Answers a line. An error is reported as "standard input:3: ...", and with --json is the answer too. */
static void answer(struct table *table, const char *line, char *const *columns, unsigned count,
                   bool has_nul)
{
    struct lw_text *text = &table->text;
    struct lw_access access;
    struct lw_cost cost;
    struct lw_error err;
    unsigned field = 0;
    if (!has_nul && read_access(table, columns, count, &access, &field, &err) &&
        lw_access_cost(table->hardware->banks, &access, &cost, &err)) {
        table->conflicts += cost.conflicts;
        lw_text_format(text,
                       table->json ? "{\"wavefronts\":%llu,\"conflicts\":%llu,\"ideal\":%llu}\n"
                                   : "%llu,%llu\n",
                       (unsigned long long)cost.wavefronts, (unsigned long long)cost.conflicts,
                       (unsigned long long)cost.ideal);
        return;
    }
    if (has_nul)
        lw_error_set(&err, LW_ERROR_SYNTAX, "the line has a NUL");
    table->wrong = true;
    err.position.line = (int)(table->line & INT32_MAX);
    err.position.column = 1;
    if (count == table->count)
        err.position.column += (int)((columns[table->column[field]] - line) & INT32_MAX);
    lw_report_failure(table->name, &err);
    if (table->json) {
        lw_text_add(text, "{\"error\":");
        lw_text_json_string(text, err.message);
        lw_text_char(text, '}');
    }
    lw_text_char(text, '\n');
}

/* Answers every line. A first line with a field "op" names the columns. */
static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct table table = {.json = LW_OPTION_IS_SET(args, JSON), .out = out};
    struct lw_error err = {0};
    struct lw_lines lines = {.name = "standard input"};
    char *line, *columns[COLUMNS_MAX + 1];
    size_t length;
    uint64_t max;
    if (!lw_target(args, &table.hardware, &err) || !lw_fail_on_conflict(args, &max, &err))
        return lw_report_failure(NULL, &err);
    if (!args->operand_count || !strcmp(args->operands[0], "-"))
        lines.file = fdopen(dup(STDIN_FILENO), "r");
    else if ((lines.file = lw_open_regular(args->operands[0], SIZE_MAX, &err)) != NULL)
        lines.name = args->operands[0];
    if (!lines.file && err.code == LW_OK)
        lw_error_set(&err, LW_ERROR_IO, "standard input: %s", strerror(errno));
    if (!lines.file)
        return lw_report_failure(NULL, &err);
    if (!table.hardware)
        table.hardware = lw_hardware_default();
    table.name = lines.name;
    table.count = FIELD_OFFSET + table.hardware->lanes;
    for (unsigned i = 0; i < table.count; i++)
        table.column[i] = i;
    bool good = true;
    while (good && !ferror(out) && (line = lw_lines_next(&lines, &length, &err))) {
        const bool has_nul = strlen(line) != length;
        bool is_header = false;
        unsigned count = 0;
        for (char *at = line, *comma; at && count <= COLUMNS_MAX; at = comma ? comma + 1 : NULL) {
            comma = strchr(at, ',');
            if (comma)
                *comma = '\0';
            at += strspn(at, " \t"); /* without the blanks around it */
            for (char *end = at + strlen(at); end > at && strchr(" \t", end[-1]);)
                *--end = '\0';
            is_header = is_header || (!table.line && !strcmp(at, "op"));
            columns[count++] = at;
        }
        table.line++;
        if (is_header)
            good = read_header(&table, columns, count, &err);
        else
            answer(&table, line, columns, count, has_nul);
        lw_output_text(out, &table.text);
        lw_text_clear(&table.text);
        fflush(out); /* the writer of the input may wait for the answer */
    }
    good = good && err.code == LW_OK;
    lw_text_free(&table.text);
    lw_text_free(&lines.text);
    fclose(lines.file);
    if (!good)
        return lw_report_failure(table.name, &err);
    return table.wrong ? LW_STATUS_ERROR : table.conflicts > max ? LW_STATUS_NO : LW_STATUS_OK;
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
        "lanes, 8 bytes two, 16 bytes four, a matrix the eight lanes that hold its rows; when in a "
        "load of 8 or 16 bytes every active lane i has the address of lane i^1, or that lane is "
        "inactive, two groups are served as one; so also with i^2. On AMD accesses that AMD's "
        "documents do not describe are refused.\n\n"
        "A line that cannot be answered is reported with its number and answered by an empty line, "
        "or with --json by {\"error\": \"...\"}; the exit status is then 2.",
    .options = LW_OPTION_BIT(TARGET) | LW_OPTION_BIT(FAIL_ON_CONFLICT) | LW_OPTION_BIT(JSON) |
               LW_OPTION_BIT(OUTPUT) | LW_OPTION_BIT(COLOR),
    .max_operands = 1,
    .words = &lw_choices_files,
    .examples = {{"wavefronts accesses.csv", "one instruction per line"}},
    .run = run,
};
