/* Exports that take time: the question before very large ones, and the jobs that write them. */

#include "tui/copy_parts.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

/* A question comes before very much is written, with its size, which is near that of the file; a drawing is
 * refused, as it has a lower limit. */
static void large_exports_have_a_question(void **state)
{
    struct drive d;
    struct lw_text line = {0}, path = {0};
    struct stat info;
    double size = 0;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_command(&d, "set shape=1024,2048");
    lw_text_format(&path, "%s/large.md", drive_folder);
    lw_text_format(&line, "export %s", lw_text_string(&path));
    drive_command(&d, lw_text_string(&line));
    assert_int_equal(d.ex.focus, LW_FOCUS_QUESTION);
    assert_shows(&d, "large.md: 1024 x 2048 cells, about ");
    assert_shows(&d, "y    write it");
    assert_int_equal(sscanf(strstr(d.ex.question.text, "about"), "about %lf MB", &size), 1);
    drive_keys(&d, "Esc");
    assert_int_equal(access(lw_text_string(&path), F_OK), -1);
    drive_command(&d, lw_text_string(&line));
    drive_keys(&d, "y");
    lw_job_finish(&d.ex);
    assert_shows(&d, "large.md: written");
    assert_int_equal(stat(lw_text_string(&path), &info), 0);
    assert_true(size * 0.9 < (double)info.st_size / 1e6 && (double)info.st_size / 1e6 < size * 1.1);
    drive_command(&d, lw_text_string(&line)); /* one question, not two */
    assert_shows(&d, "large.md exists already; the new one has 1024 x 2048 cells, about ");
    drive_keys(&d, "Esc Y");
    assert_int_equal(d.ex.clipboard.text.length, 0);
    assert_shows(&d, "the command prints 1024 x 2048 cells, about ");
    drive_keys(&d, "y");
    assert_non_null(strstr(lw_text_string(&d.ex.clipboard.text), "--view owners"));
    lw_text_clear(&line);
    lw_text_format(&line, "export %s/large.svg", drive_folder);
    drive_command(&d, lw_text_string(&line));
    lw_job_finish(&d.ex);
    assert_shows(&d, "more than 65536 cells: v selects some");
    drive_keys(&d, "v Down Y"); /* a part is not large */
    assert_non_null(strstr(lw_text_string(&d.ex.clipboard.text), "--rows "));
    assert_int_equal(unlink(lw_text_string(&path)), 0);
    lw_text_free(&line);
    lw_text_free(&path);
    drive_close(&d);
}

/* There is no question about what the format refuses: its reason is shown at once, also when the file exists. */
static void refused_exports_have_no_question(void **state)
{
    static const char *const names[] = {"much.md", "much.txt", "much.svg"};
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct lw_text line = {0}, path = {0};
        drive_command(&d, "set shape=16,64");
        lw_text_format(&path, "%s/%s", drive_folder, names[i]);
        lw_text_format(&line, "export %s", lw_text_string(&path));
        drive_command(&d, lw_text_string(&line));
        assert_int_equal(access(lw_text_string(&path), F_OK), 0);
        drive_command(&d, "set shape=8192,8192");
        drive_command(&d, lw_text_string(&line));
        assert_int_equal(d.ex.focus & LW_FOCUS_QUESTION, 0);
        assert_non_null(strstr(d.ex.status.message, " cells: v selects some"));
        assert_int_equal(unlink(lw_text_string(&path)), 0);
        lw_text_free(&line);
        lw_text_free(&path);
    }
    drive_close(&d);
    /* Not too many cells, but each has very many owners. */
    drive_open(&d, "tensor<1x2097152xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = "
                   "[32, 1], warpsPerCTA = [64, 1], order = [1, 0]}>>");
    drive_keys(&d, "Y");
    assert_int_equal(d.ex.focus & LW_FOCUS_QUESTION, 0);
    assert_non_null(strstr(d.ex.status.message, "are more than 2^28: v selects some"));
    assert_int_equal(d.ex.clipboard.text.length, 0);
    drive_command(&d, "export much.md");
    assert_int_equal(d.ex.focus & LW_FOCUS_QUESTION, 0);
    assert_non_null(strstr(d.ex.status.message, "are more than 2^28: v selects some"));
    drive_close(&d);
}

static int files_in_folder(void)
{
    int count = 0;
    DIR *folder = opendir(drive_folder);
    assert_non_null(folder);
    for (struct dirent *file; (file = readdir(folder)) != NULL;)
        count += file->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* A long export is a job: stopped, it leaves no file, and what was there stays; else the file is that of
 * the layout as it was when the export began. */
static void long_exports_are_jobs(void **state)
{
    struct lw_text line = {0}, path = {0}, written = {0};
    struct drive d;
    (void)state;
    int before = files_in_folder();
    lw_text_format(&path, "%s/long.csv", drive_folder);
    lw_text_format(&line, ":export %s", lw_text_string(&path));
    drive_open(&d, "tensor<256x128xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = "
                   "[2, 16], warpsPerCTA = [1, 1], order = [1, 0]}>>");
    type(&d, lw_text_string(&line));
    assert_non_null(d.ex.job.step);
    drive_keys(&d, "Esc");
    assert_null(d.ex.job.step);
    assert_shows(&d, "stopped");
    assert_int_equal(files_in_folder(), before);
    type(&d, lw_text_string(&line));
    type(&d, ":set shape=16,64");
    lw_job_finish(&d.ex);
    assert_shows(&d, "long.csv: written");
    assert_true(lw_file_read(lw_text_string(&path), &written, NULL));
    int lines = 0;
    for (const char *at = lw_text_string(&written); *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 1 + 256);
    assert_int_equal(files_in_folder(), before + 1);
    /* Closed in the middle of it. */
    type(&d, ":set shape=512,512");
    type(&d, lw_text_string(&line));
    drive_keys(&d, "y");
    assert_non_null(d.ex.job.step);
    drive_close(&d);
    lw_text_clear(&written);
    assert_true(lw_file_read(lw_text_string(&path), &written, NULL));
    for (const char *at = lw_text_string(&written); *at; at++)
        lines -= *at == '\n';
    assert_int_equal(lines, 0);
    assert_int_equal(files_in_folder(), before + 1);
    lw_text_free(&line);
    lw_text_free(&path);
    lw_text_free(&written);
}

/* Leaving while a file is being written asks for confirmation. */
static void leaving_with_an_export_opens_a_question(void **state)
{
    struct lw_text line = {0}, path = {0}, written = {0};
    struct drive d;
    (void)state;
    int before = files_in_folder();
    lw_text_format(&path, "%s/left.csv", drive_folder);
    lw_text_format(&line, ":export %s", lw_text_string(&path));
    drive_open(&d, "tensor<256x128xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = "
                   "[2, 16], warpsPerCTA = [1, 1], order = [1, 0]}>>");
    type(&d, lw_text_string(&line));
    drive_keys(&d, "q");
    assert_false(d.ex.quit);
    assert_shows(&d, "a file is still being written");
    drive_keys(&d, "Esc");
    assert_false(d.ex.quit);
    assert_non_null(d.ex.job.step);
    drive_keys(&d, "q w");
    assert_false(d.ex.quit);
    lw_job_finish(&d.ex);
    assert_true(d.ex.quit);
    assert_true(lw_file_read(lw_text_string(&path), &written, NULL));
    assert_int_equal(files_in_folder(), before + 1);
    unlink(lw_text_string(&path));
    /* Stopped; what is not saved is asked about then. */
    d.ex.quit = false;
    type(&d, ":set order=0,1");
    type(&d, lw_text_string(&line));
    drive_keys(&d, "q s");
    assert_null(d.ex.job.step);
    assert_false(d.ex.quit);
    assert_shows(&d, "unsaved changes");
    drive_keys(&d, "d");
    assert_true(d.ex.quit);
    assert_int_equal(files_in_folder(), before);
    drive_close(&d);
    lw_text_free(&line);
    lw_text_free(&path);
    lw_text_free(&written);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_exports_have_a_question),
        cmocka_unit_test(refused_exports_have_no_question),
        cmocka_unit_test(long_exports_are_jobs),
        cmocka_unit_test(leaving_with_an_export_opens_a_question),
    };
    return cmocka_run_group_tests_name("export_file", tests, drive_make_folder,
                                       drive_remove_folder);
}
