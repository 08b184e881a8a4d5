/* Every answer in JSON is JSON: of each request to `serve`, of --batch and of --json, for layouts of every kind. */

#include "cli/command/commands.h"
#include "cli/program.h"
#include "laneway/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <string.h>

/* Kinds of layouts that the gallery lacks. */
static const char *const sources[] = {
    "replicated(num_workers=25)",
    "local(3, 4)",
    "spatial(1)",
    "(3,5):(5,1)",
    "(2,2):(0,1)",
    "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)",
    "SM80_16x8x16_F32F16F16F32_TN.C",
    "(4,8):(1@0,1@1)",
    "!ttg.memdesc<1xf32, #ttg.padded_shared<[4:+8] {order = [0], shape = [1]}>, #smem>",
    ("tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], "
     "warpsPerCTA = [1, 1], order = [1, 0]}>>"),
    "tests/golden/ttgir/transpose.sm90.ttgir:#blocked",
    "nothing like it \"\\\n\x01 \xc3\xa9 \xff",
};

/* Requests: %s is a source as a string of JSON. */
static const char *const requests[] = {
    "{\"request\":\"show\",\"source\":%s}",
    "{\"request\":\"show\",\"source\":[%s,\"spatial(4, 8)\"],\"view\":\"facts\"}",
    "{\"request\":\"bases\",\"source\":%s}",
    "{\"request\":\"apply\",\"source\":%s}",
    "{\"request\":\"apply\",\"source\":%s,\"at\":[0,0]}",
    "{\"request\":\"banks\",\"source\":%s}",
    "{\"request\":\"banks\",\"registers\":\"spatial(4, 8)\",\"shared\":%s}",
    "{\"request\":\"convert\",\"source\":%s}",
    "{\"request\":\"convert\",\"from\":%s,\"to\":\"spatial(4, 8)\"}",
    "{\"request\":\"calc\",\"expr\":\"A\",\"let\":{\"A\":%s}}",
    "{\"request\":\"calc\",\"expr\":%s}",
    "{\"request\":\"code\",\"source\":%s,\"lang\":\"cute\"}",
    "{\"request\":\"descriptor\",\"source\":%s}",
    "{\"request\":\"ttgir\",\"file\":%s}",
    "{\"request\":\"list\",\"pattern\":%s}",
    "{\"request\":\"describe\",\"source\":%s}",
    "{\"request\":\"table\",\"source\":%s}",
};
enum { REQUESTS = sizeof requests / sizeof *requests };

static void add(struct lw_text *lines, const char *source)
{
    struct lw_text quoted = {0};
    lw_text_json_string(&quoted, source);
    for (size_t i = 0; i < REQUESTS; i++) {
        const char *at = strstr(requests[i], "%s");
        lw_text_bytes(lines, requests[i], (size_t)(at - requests[i]));
        lw_text_add(lines, lw_text_string(&quoted));
        lw_text_format(lines, "%s\n", at + 2);
    }
    lw_text_free(&quoted);
}

/* Each line is one value; returns how many there are, and in *answers how many have "answer". */
static int parse_lines(const char *text, int *answers)
{
    int count = 0;
    for (const char *end; *text; text = end + 1, count++) {
        const char *parsed;
        end = strchr(text, '\n');
        assert_non_null(end);
        cJSON *value = cJSON_ParseWithLengthOpts(text, (size_t)(end - text) + 1, &parsed, 0);
        if (!value || parsed != end)
            print_message("not JSON: %.*s\n", (int)(end - text < 2000 ? end - text : 2000), text);
        assert_non_null(value);
        assert_ptr_equal(parsed, end);
        *answers += cJSON_GetObjectItem(value, "answer") != NULL;
        cJSON_Delete(value);
    }
    return count;
}

static void answers_of_serve(void **state)
{
    (void)state;
    struct lw_text lines = {0};
    struct result result;
    size_t count, every = 0;
    int answers = 0;
    const struct lw_gallery_entry *gallery = lw_gallery(&count);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++, every++)
        add(&lines, sources[i]);
    for (size_t i = 0; i < count; i += 4, every++)
        add(&lines, gallery[i].name);
    run_with_input(&result, "laneway serve --stdio", lw_text_string(&lines), lines.length);
    assert_string_equal(result.err, "");
    assert_int_equal(result.status, 0);
    assert_int_equal(parse_lines(result.out, &answers), every * REQUESTS);
    assert_true(answers > 7 * (int)every);
    result_free(&result);
    lw_text_free(&lines);
}

/* Every command with --json, on a command line. */
static void answers_of_commands(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "show replicated\\(num_workers=25\\) start/4x4",
        "start/4x4",
        "bases start/4x4 slice/dim0-of-4x4",
        "apply start/4x4 lane=3",
        "apply start/4x4 --at 2,1",
        "banks banks/transpose-swizzled",
        "banks banks/transpose-swizzled --no-instructions",
        "convert convert/shuffle",
        "convert convert/shared",
        "swizzle banks/transpose-row-major",
        "calc 'divideLeft(identity1D(4, lane, dim0), identity1D(8, lane, dim0))'",
        "calc '(4,8):(8,1)'",
        "code start/4x4",
        "code start/4x4 --lang c",
        "descriptor '(64,64):(64,1)' --element f16",
        "descriptor 0x08410490 --for idesc",
        "ttgir tests/golden/ttgir/transpose.sm90.ttgir",
        "ttgir tests/golden/ttgir/transpose.sm90.ttgir tests/golden/ttgir/matmul.sm90.ttgir",
        "list",
        "learn",
        "learn 2",
        "wavefronts <tests/golden/banks_h200.csv",
    };
    uint64_t tried = 0, all = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct result result;
        struct lw_text command = {0};
        int answers = 0;
        lw_text_format(&command, "laneway --json %s", lines[i]);
        run_command(&result, lw_text_string(&command));
        if (!parse_lines(result.out, &answers))
            print_message("$ %s\n%s", lw_text_string(&command), result.err);
        assert_true(result.out_length > 0);
        result_free(&result);
        lw_text_free(&command);
        for (size_t k = 0; lw_laneway.commands[k]; k++) {
            const char *name = lw_laneway.commands[k]->name;
            if (!strncmp(lines[i], name, strlen(name)))
                tried |= (uint64_t)1 << k;
        }
    }
    for (size_t k = 0; lw_laneway.commands[k]; k++)
        if (lw_laneway.commands[k]->options & LW_OPTION_BIT(JSON))
            all |= (uint64_t)1 << k;
    assert_int_equal(tried & all, all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_of_serve),
        cmocka_unit_test(answers_of_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
