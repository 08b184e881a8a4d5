/* Replacing files: whole or not at all, through links, with mode and hard links kept. */

#include "unit.h"

#include "export/replace.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/laneway-replace.XXXXXX";
static char spare[64];

static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    snprintf(spare, sizeof spare, "%s/state/writing", folder);
    return 0;
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

/* How many files are in the folder and in the spare one, hidden ones too. */
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
    if (!lw_replace_open(&file, path, spare, err))
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
    assert_true(replace("outer", "made", true, &err));
    holds("inner/target", "made");
    assert_true(lstat("inner/link", &info) == 0 && S_ISLNK(info.st_mode));
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_false(replace("loop", "x", true, &err));
    assert_string_equal(err.message, "loop: Too many levels of symbolic links");
    unlink("loop");
    unlink("outer");
    unlink("inner/link");
    unlink("inner/target");
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

static void hard_links_stay(void **state)
{
    struct lw_error err;
    struct stat one, other;
    (void)state;
    put("one", "a longer old text");
    assert_int_equal(link("one", "other"), 0);
    assert_true(replace("one", "new", true, &err));
    holds("other", "new");
    assert_true(replace("other", "and a much longer new text", true, &err));
    holds("one", "and a much longer new text");
    assert_true(stat("one", &one) == 0 && stat("other", &other) == 0);
    assert_true(one.st_ino == other.st_ino && one.st_nlink == 2);
    assert_int_equal(count_files(), 2); /* and nothing in the spare folder */
    struct lw_replacement file;
    assert_false(lw_replace_open(&file, "one", NULL, &err));
    assert_non_null(strstr(err.message, "hard links"));
    unlink("one");
    unlink("other");
}

static void long_names(void **state)
{
    char name[256], other[256];
    struct lw_error err;
    (void)state;
    memset(name, 'x', 255);
    name[255] = '\0';
    strcpy(other, name);
    other[254] = 'y';
    struct lw_replacement first, second; /* whose names differ only in the end */
    assert_true(lw_replace_open(&first, name, spare, &err));
    assert_true(lw_replace_open(&second, other, spare, &err));
    fputs("1", first.stream);
    fputs("2", second.stream);
    assert_true(lw_replace_close(&first, true, &err) && lw_replace_close(&second, true, &err));
    holds(name, "1");
    holds(other, "2");
    unlink(name);
    unlink(other);
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

/* Where the system has files without a name. */
static void a_killed_run_leaves_nothing(void **state)
{
    (void)state;
    int probe = lw_replace_open_unnamed("file", 0600);
    if (probe < 0)
        skip();
    close(probe);
    put("file", "old");
    pid_t child = fork();
    if (child == 0) {
        struct lw_replacement file;
        if (lw_replace_open(&file, "file", spare, NULL) && fputs("half", file.stream) >= 0 &&
            fflush(file.stream) == 0)
            raise(SIGKILL);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    holds("file", "old");
    assert_int_equal(count_files(), 1);
    unlink("file");
}

#ifdef __linux__
static void attributes_stay(void **state)
{
    char value[16] = "";
    struct lw_error err;
    struct stat before, after;
    (void)state;
    put("file", "old");
    if (setxattr("file", "user.laneway", "kept", 4, 0) != 0)
        skip();
    assert_true(stat("file", &before) == 0 && replace("file", "new", true, &err));
    assert_int_equal(getxattr("file", "user.laneway", value, sizeof value), 4);
    assert_string_equal(value, "kept");
    assert_true(stat("file", &after) == 0 && before.st_ino != after.st_ino);
    holds("file", "new");
    unlink("file");
}

static const char access_of_file[] = "system.posix_acl_access";
static const char access_of_folder[] = "system.posix_acl_default";

/* An access list as the system keeps it, which lets one more user read. */
static void make_list(uint8_t list[44], uint8_t user)
{
    /* Version 2; of 8 bytes each: tag, rights, user. The owner, the user, the group, the mask, others. */
    const uint8_t all[44] = {2, 0, 0,   0,   1,   0,   6,    0, 255, 255, 255, 255, 2,   0,    4,
                             0, 0, 0,   0,   0,   4,   0,    4, 0,   255, 255, 255, 255, 0x10, 0,
                             6, 0, 255, 255, 255, 255, 0x20, 0, 0,   0,   255, 255, 255, 255};
    memcpy(list, all, sizeof all);
    list[16] = user;
}

static void must_have_list(const char *path, const uint8_t *list)
{
    uint8_t found[64];
    ssize_t length = getxattr(path, access_of_file, found, sizeof found);
    assert_int_equal(length, list ? 44 : -1);
    if (list)
        assert_memory_equal(found, list, 44);
}

/* A file keeps its access list, or that it has none, whatever the folder gives to new files; those get it. */
static void access_lists_stay(void **state)
{
    uint8_t of_file[44], of_folder[44];
    struct lw_error err;
    struct stat before, after;
    (void)state;
    make_list(of_file, 77);
    make_list(of_folder, 99);
    assert_int_equal(mkdir("lists", 0755), 0);
    put("lists/without", "old");
    put("lists/with", "old");
    assert_int_equal(chmod("lists/without", 0640), 0);
    if (setxattr("lists/with", access_of_file, of_file, sizeof of_file, 0) != 0) {
        assert_int_equal(system("rm -r lists"), 0);
        skip();
    }
    assert_int_equal(setxattr("lists", access_of_folder, of_folder, sizeof of_folder, 0), 0);
    assert_true(stat("lists/with", &before) == 0 && replace("lists/with", "new", true, &err));
    assert_true(stat("lists/with", &after) == 0 && before.st_ino != after.st_ino);
    assert_int_equal(after.st_mode, before.st_mode);
    must_have_list("lists/with", of_file);
    assert_true(replace("lists/without", "new", true, &err) && stat("lists/without", &after) == 0);
    assert_int_equal(after.st_mode & 07777, 0640);
    must_have_list("lists/without", NULL);
    assert_true(replace("lists/made", "new", true, &err) && stat("lists/made", &after) == 0);
    assert_int_equal(after.st_mode & 07777, 0660);
    must_have_list("lists/made", of_folder);
    assert_int_equal(system("rm -r lists"), 0);
}
#else
static void attributes_stay(void **state)
{
    (void)state;
    skip();
}

static void access_lists_stay(void **state)
{
    (void)state;
    skip();
}
#endif

static void a_pipe_needs_a_reader(void **state)
{
    struct lw_error err;
    char text[8] = "";
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_false(replace("pipe", "x", true, &err));
    assert_string_equal(err.message, "pipe: no program reads this pipe");
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(replace("pipe", "text", true, &err));
    assert_int_equal(read(reader, text, sizeof text), 4);
    assert_string_equal(text, "text");
    close(reader);
    unlink("pipe");
}

/* Makes what a run leaves that is killed while it writes in place. */
static void leave_copy(const char *path, const char *old)
{
    char name[160];
    struct stat info;
    char *whole = realpath(path, NULL);
    assert_true(whole && stat(path, &info) == 0);
    snprintf(name, sizeof name, "%s/%llx-%llx.old", spare, (unsigned long long)info.st_dev,
             (unsigned long long)info.st_ino);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fwrite(whole, 1, strlen(whole) + 1, file);
    fputs(old, file);
    fclose(file);
    free(whole);
}

static void killed_runs_are_undone(void **state)
{
    struct lw_error err;
    (void)state;
    put("mixed", "new te, old text");
    leave_copy("mixed", "the old text");
    lw_replace_recover(spare);
    holds("mixed", "the old text");
    assert_int_equal(count_files(), 1);
    put("mixed", "written by others"); /* much later: it is not touched */
    leave_copy("mixed", "the old text");
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = time(NULL) + 3600}};
    assert_int_equal(utimensat(AT_FDCWD, "mixed", times, 0), 0);
    lw_replace_recover(spare);
    holds("mixed", "written by others");
    assert_int_equal(count_files(), 1);
    assert_true(replace("mixed", "end", true, &err));
    unlink("mixed");
}

static void other_files_are_opened_themselves(void **state)
{
    struct lw_error err;
    (void)state;
    assert_true(replace("/dev/null", "x", true, &err));
    assert_false(replace("/dev/full", "x", true, &err));
    assert_string_equal(err.message, "/dev/full: No space left on device");
    assert_false(replace(".", "x", true, &err));
    assert_string_equal(err.message, ".: Is a directory");
    assert_false(replace("none/file", "x", true, &err));
    assert_string_equal(err.message, "none/file: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_or_not_at_all),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(read_only_is_refused),
        cmocka_unit_test(hard_links_stay),
        cmocka_unit_test(long_names),
        cmocka_unit_test(dead_runs_are_cleaned),
        cmocka_unit_test(a_killed_run_leaves_nothing),
        cmocka_unit_test(attributes_stay),
        cmocka_unit_test(access_lists_stay),
        cmocka_unit_test(a_pipe_needs_a_reader),
        cmocka_unit_test(killed_runs_are_undone),
        cmocka_unit_test(other_files_are_opened_themselves),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
