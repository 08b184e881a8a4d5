/*
 * A fuzz target without the fuzzer: feeds it every file of its corpus, as a cmocka program, so that
 * targets are built and run by `make test`. REPLAY_TARGET is the name of the target's file.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void feed_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = 0, capacity = 4096;
    uint8_t *data = malloc(capacity);
    assert_non_null(data);
    for (size_t got; (got = fread(data + size, 1, capacity - size, file)) > 0;) {
        size += got;
        if (size == capacity) {
            capacity *= 2;
            data = realloc(data, capacity);
            assert_non_null(data);
        }
    }
    fclose(file);
    /* An exact allocation lets the sanitizers see one byte too many. */
    uint8_t *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, data, size);
    free(data);
    printf("%s\n", path);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void empty_input(void **state)
{
    (void)state;
    const uint8_t nothing = 0;
    LLVMFuzzerTestOneInput(&nothing, 0);
}

static void corpus(void **state)
{
    (void)state;
    static const char directory[] = "tests/fuzz/corpus/" REPLAY_TARGET;
    DIR *entries = opendir(directory);
    if (!entries)
        fail_msg("no corpus in %s", directory);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char path[4096];
        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        feed_file(path);
    }
    closedir(entries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_input),
        cmocka_unit_test(corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
