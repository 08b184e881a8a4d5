/* Tables against tabulate itself, and what looks like a number. */

#include "golden.h"

#include "export/table.h"

#include <stdio.h>
#include <stdlib.h>

struct rows {
    const cJSON *rows, *headers;
};

static void cell_of(const void *context, uint64_t row, uint64_t col, struct lw_text *text)
{
    const struct rows *rows = context;
    const cJSON *list =
        row == LW_TABLE_HEADER ? rows->headers : cJSON_GetArrayItem(rows->rows, (int)row);
    lw_text_add(text, cJSON_GetArrayItem(list, (int)col)->valuestring);
}

static const struct lw_ruling *ruling_of(const char *name)
{
    size_t count;
    const struct lw_style *styles = lw_styles(&count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(styles[i].name, name))
            return styles[i].ruling;
    fail_msg("no style %s", name);
    return NULL;
}

static int seen;

/* Whether a cell may be a real to tabulate, which then changes its text. */
static bool may_be_real(const char *text)
{
    char joined[64], *end;
    size_t n = 0;
    for (const char *c = text; *c && n + 1 < sizeof joined; c++)
        if (*c != ',')
            joined[n++] = *c;
    joined[n] = '\0';
    strtod(joined, &end);
    return end > joined && !*end && strpbrk(text, ".eEnN");
}

/* Whether a column is one of reals: some of its cells are, and none is another text. */
static bool has_reals(const struct lw_table *table)
{
    struct lw_text text = {0};
    bool found = false;
    for (uint64_t col = 0; col < table->cols && !found; col++) {
        bool real = false, other = false;
        for (uint64_t row = 0; row < table->rows; row++) {
            lw_text_clear(&text);
            table->cell(table->context, row, col, &text);
            const char *cell = lw_text_string(&text);
            real = real || may_be_real(cell);
            other = other || (*cell && !lw_is_integer(cell) && !may_be_real(cell) &&
                              strcmp(cell, "True") && strcmp(cell, "False"));
        }
        found = real && !other;
    }
    lw_text_free(&text);
    return found;
}

static void check_row(const cJSON *object, const char *line)
{
    struct rows rows = {cJSON_GetObjectItem(object, "rows"),
                        cJSON_GetObjectItem(object, "headers")};
    struct lw_table table = {
        .ruling = ruling_of(cJSON_GetObjectItem(object, "style")->valuestring),
        .rows = (uint64_t)cJSON_GetArraySize(rows.rows),
        .cols = (uint64_t)cJSON_GetArraySize(cJSON_GetArrayItem(rows.rows, 0)),
        .header = rows.headers != NULL,
        .context = &rows,
        .cell = cell_of,
    };
    if (has_reals(&table))
        return;
    const char *text = cJSON_GetObjectItem(object, "text")->valuestring;
    char *printed = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&printed, &length);
    assert_true(lw_table_write(&table, stream, NULL));
    fclose(stream);
    assert_true(length > 0 && printed[length - 1] == '\n');
    printed[length - 1] = '\0'; /* print() adds it */
    if (strcmp(printed, text) != 0)
        fail_msg("%s\ntabulate:\n%s\nhere:\n%s", line, text, printed);
    free(printed);
    seen++;
}

static void test_golden(void **unused)
{
    (void)unused;
    golden_each("tabulate.jsonl", check_row);
    assert_true(seen > 250);
}

static void test_integers(void **unused)
{
    (void)unused;
    static const char *const integers[] = {"12",     " -1_0 ",    "1,000", "+7",         "0",
                                           "-1,234", "\v1_2_3\f", "12\t",  "999,999,999"};
    static const char *const others[] = {
        "",     "True", "1__0", "1,00",     "0.5",      "1,000.5", "3.10",   "nan",
        "+inf", "0: 0", ".",    "-",        "0x10",     "1_",      "_1",     "+-1",
        "1 2",  "1,",   ",100", "1234,567", "1,00,000", " 1,000",  "1,000 ", "1 ,000"};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        assert_true(lw_is_integer(integers[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (lw_is_integer(others[i]))
            fail_msg("'%s' is no integer", others[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
