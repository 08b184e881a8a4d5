/* Replacing files: whole or not at all, through links, with the mode kept; and what is refused. */

#include "unit.h"

#include "export/replace.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/laneway-replace.XXXXXX";

static int begin(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int end(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") || system(command);
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void holds(const char *path, const char *text)
{
    char found[256];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(found, text);
}

/* How many files are in the folder, hidden ones too. */
static int count_files(void)
{
    int count = 0;
    FILE *list = popen("find . -type f -o -type l | wc -l", "r");
    assert_non_null(list);
    assert_int_equal(fscanf(list, "%d", &count), 1);
    pclose(list);
    return count;
}

static bool replace(const char *path, const char *text, bool keep, struct lw_error *err)
{
    struct lw_replacement file;
    if (!lw_replace_open(&file, path, err))
        return false;
    fputs(text, file.stream);
    return lw_replace_close(&file, keep, err);
}

static void whole_or_not_at_all(void **state)
{
    struct lw_error err;
    struct stat info;
    (void)state;
    assert_true(replace("new", "first", true, &err));
    holds("new", "first");
    assert_int_equal(chmod("new", 0640), 0);
    assert_true(replace("new", "second", true, &err));
    holds("new", "second");
    assert_int_equal(stat("new", &info), 0);
    assert_int_equal(info.st_mode & 07777, 0640);
    assert_true(replace("new", "third", false, &err));
    holds("new", "second");
    assert_true(replace("never", "", false, &err));
    assert_int_not_equal(access("never", F_OK), 0);
    assert_int_equal(count_files(), 1);
    unlink("new");
}

static void links_are_followed(void **state)
{
    struct lw_error err;
    struct stat info;
    (void)state;
    assert_int_equal(mkdir("inner", 0700), 0);
    put("inner/target", "old");
    assert_int_equal(symlink("inner/link", "outer"), 0);
    assert_int_equal(symlink("target", "inner/link"), 0);
    assert_true(replace("outer", "new", true, &err));
    holds("inner/target", "new");
    assert_true(lstat("outer", &info) == 0 && S_ISLNK(info.st_mode));
    unlink("inner/target"); /* now it points to nothing */
    assert_false(replace("outer", "made", true, &err));
    assert_string_equal(err.message, "outer: this is a symbolic link, not a regular file");
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_false(replace("loop", "x", true, &err));
    assert_string_equal(err.message, "loop: Too many levels of symbolic links");
    unlink("loop");
    unlink("outer");
    unlink("inner/link");
    assert_int_equal(count_files(), 0);
}

static void read_only_is_refused(void **state)
{
    struct lw_error err;
    (void)state;
    put("fixed", "old");
    assert_int_equal(chmod("fixed", 0444), 0);
    assert_false(replace("fixed", "new", true, &err));
    assert_string_equal(err.message, "fixed: the file is read-only");
    holds("fixed", "old");
    unlink("fixed");
}

static void long_names(void **state)
{
    char name[NAME_MAX + 2];
    struct lw_error err;
    (void)state;
    memset(name, 'x', NAME_MAX + 1);
    name[NAME_MAX + 1] = '\0';
    assert_false(replace(name, "1", true, &err));
    assert_non_null(strstr(err.message, "x: File name too long"));
    assert_true(replace(name + 1, "1", true, &err));
    holds(name + 1, "1");
    unlink(name + 1);
    assert_int_equal(count_files(), 0);
}

static void dead_runs_are_cleaned(void **state)
{
    struct lw_error err;
    (void)state;
    put(".file.laneway", "half");
    assert_true(replace("file", "whole", true, &err));
    holds("file", "whole");
    assert_int_equal(count_files(), 1);
    put(".file.laneway", "of a run that goes on");
    int held = open(".file.laneway", O_RDONLY);
    assert_int_equal(flock(held, LOCK_EX | LOCK_NB), 0);
    assert_false(replace("file", "other", true, &err));
    assert_string_equal(err.message, "file: another run is writing it");
    holds("file", "whole");
    close(held);
    unlink(".file.laneway");
    unlink("file");
}

static void a_killed_run_is_cleaned(void **state)
{
    struct lw_error err;
    (void)state;
    put("file", "old");
    pid_t child = fork();
    if (child == 0) {
        struct lw_replacement file;
        if (lw_replace_open(&file, "file", NULL) && fputs("half", file.stream) >= 0 &&
            fflush(file.stream) == 0)
            raise(SIGKILL);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    holds("file", "old");
    assert_true(replace("file", "new", true, &err));
    holds("file", "new");
    assert_int_equal(count_files(), 1);
    unlink("file");
}

/* Until it has its name, no other run takes the new file for that of a run that has ended. */
static void the_new_file_is_locked_until_it_is_renamed(void **state)
{
    struct lw_replacement file;
    struct lw_error err;
    (void)state;
    assert_true(lw_replace_open(&file, "file", &err));
    fputs("of the first", file.stream);
    assert_int_equal(fflush(file.stream), 0);
    assert_false(replace("file", "of the second", true, &err));
    assert_string_equal(err.message, "file: another run is writing it");
    assert_true(lw_replace_close(&file, true, &err));
    holds("file", "of the first");
    unlink("file");
}

static void only_regular_files_are_replaced(void **state)
{
    struct lw_error err;
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_false(replace("pipe", "x", true, &err));
    assert_string_equal(err.message, "pipe: this is a device or a pipe, not a regular file");
    assert_false(replace("/dev/null", "x", true, &err));
    assert_string_equal(err.message, "/dev/null: this is a device or a pipe, not a regular file");
    assert_false(replace(".", "x", true, &err));
    assert_string_equal(err.message, ".: this is a folder, not a regular file");
    assert_false(replace("none/file", "x", true, &err));
    assert_string_equal(err.message, "none/file: No such file or directory");
    assert_false(replace("", "x", true, &err));
    assert_string_equal(err.message, ": No such file or directory");
    unlink("pipe");
}

/* Below a folder no link is followed: neither one that is there, nor one that is placed while the file is written. */
static void a_file_below_a_folder_stays_there(void **state)
{
    struct lw_replacement file;
    struct lw_error err;
    (void)state;
    assert_true(mkdir("out", 0700) == 0 && mkdir("home", 0700) == 0);
    assert_true(symlink("../out", "home/away") == 0 && symlink("../out/x", "home/x") == 0);
    assert_false(lw_replace_open_below(&file, "home", "away/x", &err));
    assert_string_equal(err.message,
                        "away/x: 'away' is not a folder below home, or is a symbolic link");
    assert_false(lw_replace_open_below(&file, "home", "x", &err));
    assert_string_equal(err.message, "x: this is a symbolic link, not a regular file");
    assert_false(lw_replace_open_below(&file, "home", "../out/x", &err));
    assert_string_equal(err.message, "../out/x: '..' is not a folder below home");
    assert_true(lw_replace_open_below(&file, "home", "new/deep/x", &err));
    assert_true(rename("home/new", "home/moved") == 0 && symlink("../out", "home/new") == 0);
    assert_int_equal(mkdir("out/deep", 0700), 0);
    fputs("text", file.stream);
    assert_true(lw_replace_close(&file, true, &err));
    holds("home/moved/deep/x", "text");
    assert_int_not_equal(access("out/deep/x", F_OK), 0);
    assert_int_equal(system("rm -r home out"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_or_not_at_all),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(read_only_is_refused),
        cmocka_unit_test(long_names),
        cmocka_unit_test(dead_runs_are_cleaned),
        cmocka_unit_test(a_killed_run_is_cleaned),
        cmocka_unit_test(the_new_file_is_locked_until_it_is_renamed),
        cmocka_unit_test(only_regular_files_are_replaced),
        cmocka_unit_test(a_file_below_a_folder_stays_there),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
