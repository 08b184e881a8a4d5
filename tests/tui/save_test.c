/* Saving, asking before leaving, and what is kept of what was not saved. */

#include "save_parts.h"

#include "tui/drive.h"
#include "tui/keep/keep_file.h"

#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void saves_where_it_was(void **state)
{
    struct drive d;
    char *path = in_folder("own.json");
    (void)state;
    open_edited(&d, path);
    drive_keys(&d, "Down");
    assert_shows(&d, "*sizePerThread");
    drive_keys(&d, "s");
    assert_shows(&d, "own.json: saved");
    assert_false(d.ex.list.entries[0].dirty);
    assert_hides(&d, "*sizePerThread");
    assert_true(file_has(path, "[1, 8]"));
    drive_keys(&d, "u"); /* history goes on: now the document differs from the file again */
    assert_true(d.ex.list.entries[0].dirty);
    drive_keys(&d, "C-r");
    assert_false(d.ex.list.entries[0].dirty);
    drive_keys(&d, "Esc q");
    assert_true(d.ex.quit);
    drive_close(&d);
}

/* What no program could open again is not written over what can be opened, by any way of saving. */
static void what_is_not_legal_is_not_saved(void **state)
{
    static const char *const sets[] = {"set sizePerThread=[1, 3]", "set shape=[16, 100]"};
    struct drive d;
    char *path = in_folder("legal.json"), *other = in_folder("never.json");
    struct stat info;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        write_file(path, document);
        drive_open(&d, path);
        drive_command(&d, sets[i]);
        assert_shows(&d, "u undoes it");
        drive_keys(&d, "s");
        assert_shows(&d, "not saved: ");
        assert_shows(&d, "power of two");
        assert_true(file_has(path, "[1, 4]") && !file_has(path, "[1, 3]"));
        drive_type(&d, ":write ");
        drive_type(&d, other);
        drive_keys(&d, "Enter");
        assert_shows(&d, "not saved: ");
        assert_int_not_equal(stat(other, &info), 0);
        drive_command(&d, "q");
        drive_keys(&d, "s");
        assert_false(d.ex.quit);
        assert_shows(&d, "not saved: ");
        drive_command(&d, "wq");
        assert_false(d.ex.quit);
        assert_true(d.ex.list.entries[0].dirty);
        drive_keys(&d, "u s");
        assert_shows(&d, "legal.json: saved");
        drive_close(&d);
    }
    /* Another layout of an access too. */
    write_file(path, "{\"laneway\": 1, \"source\": \"local(1, 8).spatial(16, 8)\", \"element\": "
                     "\"f16\", \"with\": {\"encoding\": \"swizzled_shared\", \"params\": "
                     "{\"vec\": 8, \"perPhase\": 1, \"maxPhase\": 8, \"order\": [1, 0]}}}");
    drive_open(&d, path);
    drive_command(&d, "set with.maxPhase=3");
    drive_keys(&d, "s");
    assert_shows(&d, "not saved: ");
    drive_command(&d, "set with.maxPhase=4");
    drive_keys(&d, "s");
    assert_shows(&d, "legal.json: saved");
    assert_true(file_has(path, "\"maxPhase\": 4"));
    drive_close(&d);
}

/* As another editor has them; one that is also saved never takes others with it. */
static void leaves_by_command(void **state)
{
    static const char *const words[] = {"q", "quit"};
    struct drive d;
    char *path = in_folder("left.json");
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        open_edited(&d, path);
        drive_command(&d, words[i]);
        assert_false(d.ex.quit);
        assert_shows(&d, "left.json has unsaved changes");
        drive_keys(&d, "d");
        assert_true(d.ex.quit);
        drive_close(&d);
        drive_open(&d, path);
        drive_command(&d, words[i]);
        assert_true(d.ex.quit);
        drive_close(&d);
    }
    open_edited(&d, path);
    drive_command(&d, "wq");
    assert_true(d.ex.quit && file_has(path, "[1, 8]"));
    drive_close(&d);
    open_edited(&d, path);
    drive_command(&d, "open start/16x16");
    drive_command(&d, "set shape=32,16");
    drive_type(&d, ":wq ");
    drive_type(&d, in_folder("right.json"));
    drive_keys(&d, "Enter");
    assert_true(file_has(in_folder("right.json"), "32"));
    assert_false(d.ex.quit);
    assert_shows(&d, "left.json has unsaved changes");
    drive_keys(&d, "d");
    assert_true(d.ex.quit && file_has(path, "[1, 4]"));
    drive_close(&d);
}

/* The format of the cells is that of the document as read, which saving replaces under the views. */
static void saves_what_has_a_format(void **state)
{
    struct drive d;
    (void)state;
    write_file(
        in_folder("format.json"),
        "{\"laneway\": 1, \"encoding\": \"local\", \"shape\": [4, 4], \"cell\": \"r{local}\", "
        "\"params\": {\"shape\": [4, 4]}}");
    drive_open(&d, in_folder("format.json"));
    drive_resize(&d, 200, 60);
    drive_keys(&d, "| 1 w 1");
    assert_ptr_equal(d.ex.panes.all[1].view.options.cell, lw_explorer_entry(&d.ex)->original->cell);
    drive_keys(&d, "s");
    assert_shows(&d, "format.json: saved");
    assert_ptr_equal(d.ex.panes.all[1].view.options.cell, lw_explorer_entry(&d.ex)->original->cell);
    drive_close(&d);
}

static void prompts_for_a_path(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, "s");
    assert_int_equal(d.ex.focus, LW_FOCUS_SAVE);
    assert_shows(&d, "save to: 16x16.json");
    drive_keys(&d, "C-u");
    drive_type(&d, in_folder("made.json"));
    drive_keys(&d, "Enter");
    assert_shows(&d, "saved");
    assert_true(file_has(in_folder("made.json"), "\"laneway\": 1"));
    drive_keys(&d, "s"); /* it has a path now */
    assert_shows(&d, "saved");
    drive_keys(&d, "S Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_close(&d);
}

static void overwrites_only_with_w_bang(void **state)
{
    struct drive d;
    char *other = in_folder("other.json");
    (void)state;
    write_file(other, "precious");
    drive_open(&d, "start/16x16");
    drive_type(&d, ":w ");
    drive_type(&d, other);
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_QUESTION);
    assert_shows(&d, "exists already");
    drive_keys(&d, "x Tab Enter"); /* no answers */
    assert_int_equal(d.ex.focus, LW_FOCUS_QUESTION);
    drive_keys(&d, "Esc");
    assert_true(file_has(other, "precious"));
    drive_type(&d, ":w ");
    drive_type(&d, other);
    drive_keys(&d, "Enter y");
    assert_shows(&d, "saved");
    assert_false(file_has(other, "precious"));
    drive_close(&d);
}

static void notices_changes_of_others(void **state)
{
    struct drive d;
    char *path = in_folder("shared.json");
    (void)state;
    open_edited(&d, path);
    write_file(path, "somebody else's");
    drive_keys(&d, "s");
    assert_shows(&d, "has changed since");
    drive_keys(&d, "Esc");
    assert_true(file_has(path, "somebody else's"));
    assert_true(d.ex.list.entries[0].dirty);
    drive_keys(&d, "s y");
    assert_true(file_has(path, "[1, 8]"));
    drive_close(&d);
}

static void notices_that_the_file_is_gone(void **state)
{
    struct drive d;
    char *path = in_folder("gone.json");
    struct stat info;
    (void)state;
    open_edited(&d, path);
    assert_int_equal(unlink(path), 0);
    drive_keys(&d, "s");
    assert_shows(&d, "gone.json was deleted since it was read");
    drive_keys(&d, "Esc");
    assert_int_not_equal(stat(path, &info), 0);
    assert_int_equal(mkdir(path, 0777), 0);
    drive_keys(&d, "s");
    assert_shows(&d, "not saved: gone.json is a folder now");
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(mkfifo(path, 0666), 0);
    drive_keys(&d, "s");
    assert_shows(&d, "not saved: gone.json is not a regular file now");
    assert_int_equal(unlink(path), 0);
    assert_true(d.ex.list.entries[0].dirty);
    drive_keys(&d, "s y");
    assert_true(file_has(path, "[1, 8]"));
    drive_close(&d);
}

/* Another's change of equal size, with the time set back. */
static void notices_changes_that_hide(void **state)
{
    struct drive d;
    char *path = in_folder("hidden.json");
    struct stat before;
    (void)state;
    open_edited(&d, path);
    assert_int_equal(stat(path, &before), 0);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    fputc(' ', file);
    fclose(file);
    const struct timespec times[2] = {before.st_atim, before.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    drive_keys(&d, "s");
    assert_shows(&d, "has changed since");
    drive_keys(&d, "Esc");
    drive_close(&d);
}

/* What saving must not replace. */
static void keeps_what_was_meant(void **state)
{
    struct drive d;
    struct stat info;
    char *path = in_folder("meant.json");
    (void)state;
    open_edited(&d, path);
    drive_keys(&d, "s y");
    assert_int_equal(chmod(path, 0444), 0);
    drive_keys(&d, "u s y");
    assert_shows(&d, "the file is read-only");
    assert_true(d.ex.list.entries[0].dirty && file_has(path, "[1, 8]"));
    assert_true(stat(path, &info) == 0 && (info.st_mode & 0777) == 0444);
    drive_close(&d);
    unlink(path);
}

static void shows_the_reason(void **state)
{
    static const char *const paths[][2] = {
        {"/nowhere/at/all.json", "No such file"},
        {"/dev/full", "not a regular file"},
        {"/", "not a regular file"},
    };
    struct drive d;
    (void)state;
    open_edited(&d, in_folder("kept.json"));
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        drive_type(&d, ":w ");
        drive_type(&d, paths[i][0]);
        drive_keys(&d, "Enter");
        if (d.ex.focus == LW_FOCUS_QUESTION)
            drive_keys(&d, "y");
        assert_shows(&d, "saving failed: ");
        assert_shows(&d, paths[i][1]);
        assert_true(d.ex.list.entries[0].dirty);
    }
    drive_close(&d);
}

static void quitting_opens_a_question(void **state)
{
    struct drive d;
    char *path = in_folder("quit.json");
    (void)state;
    open_edited(&d, path);
    drive_keys(&d, "Esc q");
    assert_false(d.ex.quit);
    assert_shows(&d, "quit.json has unsaved changes");
    assert_shows(&d, "discard and quit");
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_keys(&d, "q s");
    assert_true(d.ex.quit);
    assert_true(file_has(path, "[1, 8]"));
    drive_close(&d);
    open_edited(&d, path);
    drive_keys(&d, "Esc q d");
    assert_true(d.ex.quit);
    assert_false(file_has(path, "[1, 8]"));
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saves_where_it_was),
        cmocka_unit_test(what_is_not_legal_is_not_saved),
        cmocka_unit_test(leaves_by_command),
        cmocka_unit_test(saves_what_has_a_format),
        cmocka_unit_test(prompts_for_a_path),
        cmocka_unit_test(overwrites_only_with_w_bang),
        cmocka_unit_test(notices_changes_of_others),
        cmocka_unit_test(notices_that_the_file_is_gone),
        cmocka_unit_test(notices_changes_that_hide),
        cmocka_unit_test(keeps_what_was_meant),
        cmocka_unit_test(shows_the_reason),
        cmocka_unit_test(quitting_opens_a_question),
    };
    return cmocka_run_group_tests_name("save", tests, drive_make_folder, drive_remove_folder);
}
