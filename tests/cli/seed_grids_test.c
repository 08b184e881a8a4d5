/* Every grid that five public documents draw in characters, each by one command, byte for byte. */

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_grids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
