/* Unsaved changes that were restored: what they are changes of is known. */

#include "save_parts.h"

#include "tui/drive.h"

#include <signal.h>

#define TYPED                                                                                      \
    "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "           \
    "warpsPerCTA = [1, 1], order = [1, 0]}>>"

/* A layout that was typed has no file: what it was is kept too, also when the restored one crashes again. */
static void what_was_typed_is_known_again(void **state)
{
    (void)state;
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    for (int run = 0; run < 3; run++) {
        int status;
        fflush(NULL);
        pid_t pid = fork();
        if (pid == 0) {
            struct drive d;
            drive_open(&d, run ? "start/16x16" : TYPED);
            offer(&d);
            if (run == 0) {
                drive_command(&d, "set sizePerThread=1,8");
            } else {
                drive_keys(&d, "r d");
                assert_hides(&d, "nothing differs");
                drive_keys(&d, "d u");
                assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 4]");
                drive_keys(&d, "C-r");
            }
            kill(getpid(), SIGKILL);
        }
        waitpid(pid, &status, 0);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(kept_files(), 1);
    }
    struct drive d;
    drive_open(&d, "start/16x16");
    offer(&d);
    drive_keys(&d, "D");
    drive_close(&d);
    assert_int_equal(kept_folders(), 0);
    unsetenv("XDG_STATE_HOME");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_typed_is_known_again),
    };
    return cmocka_run_group_tests_name("restored", tests, drive_make_folder, drive_remove_folder);
}
