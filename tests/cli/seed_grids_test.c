/* Every grid that five public documents draw in characters, each by one command, byte for byte; and in
 * documents that are
 * kept in sync. */

#include "cli/program.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *string_of(const cJSON *row, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItem(row, name));
}

static void compare(const cJSON *row, void *context)
{
    char command[1024];
    struct result result;
    snprintf(command, sizeof command, "laneway show %s", string_of(row, "command"));
    run_command(&result, command);
    if (result.status != 0)
        print_message("$ %s\n%s", command, result.err);
    assert_int_equal(result.status, 0);
    assert_string_equal(result.out, string_of(row, "text"));
    result_free(&result);
    ++*(int *)context;
}

static void all_grids(void **state)
{
    int count = 0;
    (void)state;
    each_golden("seed_grids", compare, &count);
    assert_int_equal(count, 23);
}

/* The same grids in a document: in a fence of Markdown, and in a code block of reStructuredText. */
struct pages {
    FILE *markdown, *rest;
};

static void write_block(const cJSON *row, void *context)
{
    const struct pages *pages = context;
    const char *command = string_of(row, "command"), *text = string_of(row, "text");
    fprintf(pages->markdown, "<!-- laneway: show %s -->\n```text\n%s```\n<!-- /laneway -->\n",
            command, text);
    fprintf(pages->rest, ".. laneway: show %s\n\n.. code-block:: text\n\n", command);
    for (const char *end; *text; text = end + 1) {
        end = strchr(text, '\n');
        fprintf(pages->rest, "%s%.*s\n", end > text ? "   " : "", (int)(end - text), text);
    }
    fprintf(pages->rest, "\n.. /laneway\n");
}

static void in_documents(void **state)
{
    struct result result;
    char *text[2];
    size_t length[2];
    struct pages pages = {open_memstream(&text[0], &length[0]),
                          open_memstream(&text[1], &length[1])};
    (void)state;
    assert_true(pages.markdown && pages.rest);
    each_golden("seed_grids", write_block, &pages);
    fclose(pages.markdown);
    fclose(pages.rest);
    for (int i = 0; i < 2; i++) {
        const char *command = i ? "cat >$SCRATCH/a.rst; laneway docs --check $SCRATCH/a.rst"
                                : "cat >$SCRATCH/a.md; laneway docs --check $SCRATCH/a.md";
        run_with_input(&result, command, text[i], length[i]);
        if (result.status != 0)
            print_message("%s%s", result.out, result.err);
        assert_int_equal(result.status, 0);
        assert_non_null(strstr(result.out, ": 23 in sync\n"));
        result_free(&result);
        free(text[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_grids), cmocka_unit_test(in_documents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
