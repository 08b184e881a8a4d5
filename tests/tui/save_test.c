/* Saving, asking before leaving, and what is kept of what was not saved. */

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

static char *in_folder(const char *name)
{
    static char path[4][200];
    static int next;
    char *made = path[next++ % 4];
    snprintf(made, sizeof path[0], "%s/%s", drive_folder, name);
    return made;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool file_has(const char *path, const char *piece)
{
    struct lw_text text = {0};
    bool has = lw_file_read(path, &text, NULL) && strstr(lw_text_string(&text), piece);
    lw_text_free(&text);
    return has;
}

static const char document[] =
    "{\"laneway\": 1, \"title\": \"mine\", \"encoding\": \"blocked\", \"shape\": [16, 64], "
    "\"element\": \"f16\", \"params\": {\"sizePerThread\": [1, 4], \"threadsPerWarp\": [2, 16], "
    "\"warpsPerCTA\": [1, 1], \"order\": [1, 0]}}";

/* A document of one's own, with an edit that is not saved. */
static void open_edited(struct drive *d, const char *path)
{
    write_file(path, document);
    drive_open(d, path);
    drive_field(d, "sizePerThread");
    drive_keys(d, "Right +");
    assert_string_equal(drive_value(d, "sizePerThread"), "[1, 8]");
    assert_true(d->ex.list.entries[0].dirty);
}

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
    assert_ptr_equal(d.ex.panes.all[1].view.options.cell, lw_explorer_entry(&d.ex)->original.cell);
    drive_keys(&d, "s");
    assert_shows(&d, "format.json: saved");
    assert_ptr_equal(d.ex.panes.all[1].view.options.cell, lw_explorer_entry(&d.ex)->original.cell);
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
    assert_shows(&d, "not saved: gone.json is no regular file now");
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
    char *path = in_folder("meant.json"), other[128];
    (void)state;
    open_edited(&d, path);
    snprintf(other, sizeof other, "%s.link", path);
    assert_int_equal(link(path, other), 0);
    drive_keys(&d, "s y");
    assert_true(file_has(other, "[1, 8]"));
    unlink(other);
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
        {"/dev/full", "No space left"},
        {"/", "irectory"},
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

/* A question is a box; who types on without having seen it answers nothing. */
static void typing_on_answers_nothing(void **state)
{
    struct drive d;
    char *path = in_folder("typed.json");
    (void)state;
    open_edited(&d, path);
    drive_keys(&d, "Esc q");
    assert_shows(&d, "Question");
    drive_type(&d, ":view banks nqsd");
    assert_int_equal(d.ex.focus, LW_FOCUS_QUESTION);
    assert_false(d.ex.quit);
    assert_false(file_has(path, "[1, 8]"));
    assert_shows(&d, "a command answers nothing here; press Enter, then s, d, or Esc");
    drive_keys(&d, "Enter");
    assert_hides(&d, "a command answers nothing here");
    drive_keys(&d, "y");
    assert_shows(&d, "y is no answer; press s, d, or Esc");
    drive_resize(&d, 80, 8); /* no room for a box */
    assert_shows(&d, "Esc stay");
    drive_resize(&d, 80, 24);
    drive_keys(&d, "x Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_keys(&d, "q s");
    assert_true(d.ex.quit);
    assert_true(file_has(path, "[1, 8]"));
    drive_close(&d);
}

static void saving_all_prompts_for_names(void **state)
{
    struct drive d;
    (void)state;
    open_edited(&d, in_folder("first.json"));
    drive_type(&d, ":open start/16x16");
    drive_keys(&d, "Enter");
    drive_type(&d, ":set shape=32,16");
    drive_keys(&d, "Enter q q q"); /* back to the form of the first layout, out of it, quit */
    assert_shows(&d, "2 layouts have unsaved changes: first.json, ...");
    drive_keys(&d, "s"); /* the first has a file, the second needs one */
    assert_int_equal(d.ex.focus, LW_FOCUS_SAVE);
    assert_true(file_has(in_folder("first.json"), "[1, 8]"));
    drive_keys(&d, "Esc");
    assert_false(d.ex.quit);
    drive_keys(&d, "q s C-u");
    drive_type(&d, in_folder("second.json"));
    drive_keys(&d, "Enter");
    assert_true(d.ex.quit);
    assert_true(file_has(in_folder("second.json"), "32"));
    drive_close(&d);
}

/* ---- Recovery ---- */

static size_t kept_files(void)
{
    glob_t found;
    bool any = glob(in_folder("state/laneway/unsaved/*/[0-9]*"), 0, NULL, &found) == 0;
    size_t count = any ? found.gl_pathc : 0;
    globfree(&found);
    return count;
}

/* Folders of runs, with something in them or not. */
static size_t kept_folders(void)
{
    glob_t found;
    bool any = glob(in_folder("state/laneway/unsaved/*"), 0, NULL, &found) == 0;
    size_t count = any ? found.gl_pathc : 0;
    globfree(&found);
    return count;
}

/* As at the start, with the question at once also beside a layout of another name. */
static void offer(struct drive *d)
{
    lw_recovery_offer(&d->ex);
    drive_command(d, "unsaved");
}

/* A layout that is not legal could not be restored: the last one that was legal is kept, or none. */
static void the_last_legal_one_is_kept(void **state)
{
    struct drive d, next;
    char *path = in_folder("illegal.json");
    (void)state;
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    write_file(path, document);
    drive_open(&d, path);
    lw_recovery_offer(&d.ex);
    drive_command(&d, "set sizePerThread=[1, 3]");
    assert_int_equal(kept_files(), 0);
    drive_command(&d, "set sizePerThread=[1, 8]");
    assert_int_equal(kept_files(), 1);
    drive_command(&d, "set shape=[16, 100]");
    drive_command(&d, "set sizePerThread=[1, 5]");
    assert_int_equal(kept_files(), 1);
    lw_recovery_leave(&d.ex.keep.recovery);
    drive_open(&next, "start/16x16");
    offer(&next);
    drive_keys(&next, "r");
    assert_shows(&next, "1 restored");
    assert_string_equal(drive_value(&next, "sizePerThread"), "[1, 8]");
    assert_string_equal(drive_value(&next, "shape"), "[16, 64]");
    assert_int_equal(next.ex.layouts.problem.code, LW_OK);
    lw_recovery_discard(&next.ex);
    drive_close(&next);
    drive_close(&d);
    assert_int_equal(kept_files(), 0);
}

/* Edits in a process that is then killed. */
static void edit_and_die(const char *path)
{
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        struct drive d;
        write_file(path, document);
        drive_open(&d, path);
        lw_recovery_offer(&d.ex);
        drive_field(&d, "sizePerThread");
        drive_keys(&d, "Right +");
        kill(getpid(), SIGKILL);
    }
    waitpid(pid, &status, 0);
    assert_true(WIFSIGNALED(status));
}

static void what_a_crash_leaves_is_offered(void **state)
{
    struct drive d;
    (void)state;
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    edit_and_die(in_folder("crashed-while-edited-by-hand.json"));
    assert_int_equal(kept_files(), 1);
    drive_open(&d, "start/16x16");
    offer(&d);
    assert_shows(&d, "An earlier run ended with unsaved changes of");
    assert_shows(&d, "crashed-while-edited-by-hand.json: they were kept today at ");
    drive_keys(&d, "Esc"); /* later */
    assert_int_equal(kept_files(), 1);
    lw_recovery_offer(&d.ex); /* it is not in the way of another layout */
    assert_int_not_equal(d.ex.focus, LW_FOCUS_QUESTION);
    assert_shows(&d, "unsaved changes of crashed-while-edited-by-hand.json were kept");
    drive_close(&d);
    drive_open(&d, "tests/golden/ttgir/transpose.sm90.ttgir"); /* nor of a kernel */
    lw_recovery_offer(&d.ex);
    assert_shows(&d, "unsaved changes of crashed-while-edited-by-hand.json were kept");
    drive_close(&d);
    drive_open(&d, "start/16x16");
    offer(&d);
    drive_keys(&d, "r");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 8]");
    assert_true(lw_explorer_entry(&d.ex)->dirty);
    assert_shows(&d, "crashed-while-edited-by-hand.json");
    assert_int_equal(kept_files(), 1); /* now kept as this program's own */
    drive_type(&d, ":w ");
    drive_type(&d, in_folder("rescued.json"));
    drive_keys(&d, "Enter");
    assert_true(file_has(in_folder("rescued.json"), "[1, 8]"));
    assert_int_equal(kept_files(), 0);
    drive_close(&d);
    edit_and_die(in_folder("crashed.json"));
    drive_open(&d, "start/16x16");
    offer(&d);
    drive_keys(&d, "d");
    assert_shows(&d, "1 of 1 discarded");
    assert_int_equal(kept_files(), 0);
    drive_close(&d);
    assert_int_equal(kept_folders(), 0);
    unsetenv("XDG_STATE_HOME");
}

/* Of two explorers each keeps its own, and what belongs to one that runs is not offered to the other. */
static void explorers_keep_apart(void **state)
{
    struct drive a, b;
    (void)state;
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    open_edited(&a, in_folder("both.json"));
    lw_recovery_offer(&a.ex);
    drive_keys(&a, "+");
    drive_open(&b, in_folder("both.json"));
    lw_recovery_offer(&b.ex);
    assert_hides(&b, "were kept");
    drive_type(&b, ":set shape=32,64");
    drive_keys(&b, "Enter");
    assert_int_equal(kept_files(), 2);
    drive_close(&a); /* this one is lost */
    assert_int_equal(kept_files(), 2);
    lw_recovery_offer(&b.ex);
    assert_shows(&b, "An earlier run ended with unsaved changes of");
    drive_keys(&b, "x Enter Down r"); /* an answer is taken at once, whatever came before it */
    assert_string_equal(drive_value(&b, "sizePerThread"), "[1, 16]");
    assert_int_equal(kept_files(), 2);
    lw_recovery_discard(&b.ex);
    drive_close(&b);
    assert_int_equal(kept_folders(), 0);
    unsetenv("XDG_STATE_HOME");
}

static void put_orphan(const char *text)
{
    mkdir(in_folder("state/laneway/unsaved/gone"), 0700);
    write_file(in_folder("state/laneway/unsaved/gone/0"), text);
}

/* Not every lock shows whether its run is over: then its files are not offered, nor are those of a run
 * that does not hold its lock yet. */
static void only_what_is_surely_over_is_offered(void **state)
{
    struct drive d;
    (void)state;
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    put_orphan("mine\n{}");
    assert_int_equal(mkdir(in_folder("state/laneway/unsaved/gone/lock"), 0700), 0);
    drive_open(&d, "start/16x16");
    offer(&d);
    assert_hides(&d, "were kept");
    assert_int_equal(rmdir(in_folder("state/laneway/unsaved/gone/lock")), 0);
    assert_int_equal(
        rename(in_folder("state/laneway/unsaved/gone"), in_folder("state/laneway/unsaved/.gone")),
        0);
    lw_recovery_offer(&d.ex);
    assert_hides(&d, "were kept");
    assert_int_equal(
        rename(in_folder("state/laneway/unsaved/.gone"), in_folder("state/laneway/unsaved/gone")),
        0);
    offer(&d);
    assert_shows(&d, "were kept");
    drive_keys(&d, "d");
    drive_close(&d);
    assert_int_equal(kept_folders(), 0);
    unsetenv("XDG_STATE_HOME");
}

/* Files that cannot be restored are reported, and stay until the user deletes them. */
static void broken_recovery_is_reported(void **state)
{
    static const char *const cases[][2] = {
        {"no newline", "gone/0: there is no document in it"},
        {"mine\n{\"laneway\": 1,\n oops", "gone/0:3:2: "},
        {"mine\n", "the text is empty: expected a layout"},
    };
    struct drive d;
    (void)state;
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_orphan(cases[i][0]);
        drive_open(&d, "start/16x16");
        drive_resize(&d, 200, 40);
        offer(&d);
        drive_keys(&d, "r");
        assert_shows(&d, "0 of 1 restored: ");
        assert_shows(&d, cases[i][1]);
        assert_int_equal(kept_files(), 1);
        drive_close(&d);
    }
    unlink(in_folder("state/laneway/unsaved/gone/0"));
    assert_int_equal(mkfifo(in_folder("state/laneway/unsaved/gone/0"), 0600), 0);
    drive_open(&d, "start/16x16");
    drive_resize(&d, 200, 40);
    lw_recovery_offer(&d.ex);
    assert_shows(&d, "unsaved changes of a layout whose file cannot be read were kept");
    offer(&d);
    drive_keys(&d, "r");
    assert_shows(&d, "this is a pipe");
    offer(&d);
    drive_keys(&d, "d");
    drive_close(&d);
    assert_int_equal(kept_folders(), 0);
    unsetenv("XDG_STATE_HOME");
}

/* The recovery files are deleted while the program runs: unsaved changes are kept again. */
static void a_lost_folder_is_made_again(void **state)
{
    struct drive d;
    char command[300];
    (void)state;
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    drive_open(&d, "start/16x16");
    offer(&d);
    drive_type(&d, ":set shape=32,16");
    drive_keys(&d, "Enter");
    drive_type(&d, ":open blocked/16x64");
    drive_keys(&d, "Enter");
    snprintf(command, sizeof command, "rm -r %s", in_folder("state/laneway"));
    assert_int_equal(system(command), 0);
    drive_type(&d, ":set shape=32,64");
    drive_keys(&d, "Enter");
    assert_hides(&d, "a crash would");
    assert_int_equal(kept_files(), 2);
    lw_recovery_discard(&d.ex);
    drive_close(&d);
    assert_int_equal(kept_folders(), 0);
    unsetenv("XDG_STATE_HOME");
}

static void undoing_leaves_nothing_kept(void **state)
{
    struct drive d;
    (void)state;
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    drive_open(&d, "start/16x16");
    offer(&d);
    drive_type(&d, ":set shape=32,16");
    drive_keys(&d, "Enter");
    assert_int_equal(kept_files(), 1);
    drive_keys(&d, "u");
    assert_int_equal(kept_files(), 0);
    drive_keys(&d, "C-r");
    lw_recovery_discard(&d.ex);
    assert_int_equal(kept_files(), 0);
    drive_close(&d);
    unsetenv("XDG_STATE_HOME");
}

static void no_home_is_reported_once(void **state)
{
    struct drive d;
    const char *home = getenv("HOME");
    char *was = home ? strdup(home) : NULL;
    (void)state;
    unsetenv("HOME");
    unsetenv("XDG_STATE_HOME");
    drive_open(&d, "start/16x16");
    offer(&d);
    drive_type(&d, ":set shape=32,16");
    drive_keys(&d, "Enter");
    assert_shows(&d, "a crash would lose this edit: neither HOME nor XDG_STATE_HOME is set");
    drive_type(&d, ":set shape=64,16");
    drive_keys(&d, "Enter");
    assert_hides(&d, "a crash would");
    drive_close(&d);
    if (was)
        setenv("HOME", was, 1);
    free(was);
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
        cmocka_unit_test(notices_that_the_file_is_gone),
        cmocka_unit_test(notices_changes_of_others),
        cmocka_unit_test(notices_changes_that_hide),
        cmocka_unit_test(keeps_what_was_meant),
        cmocka_unit_test(shows_the_reason),
        cmocka_unit_test(quitting_opens_a_question),
        cmocka_unit_test(typing_on_answers_nothing),
        cmocka_unit_test(saving_all_prompts_for_names),
        cmocka_unit_test(what_a_crash_leaves_is_offered),
        cmocka_unit_test(the_last_legal_one_is_kept),
        cmocka_unit_test(explorers_keep_apart),
        cmocka_unit_test(broken_recovery_is_reported),
        cmocka_unit_test(only_what_is_surely_over_is_offered),
        cmocka_unit_test(a_lost_folder_is_made_again),
        cmocka_unit_test(undoing_leaves_nothing_kept),
        cmocka_unit_test(no_home_is_reported_once),
    };
    return cmocka_run_group_tests_name("save", tests, drive_make_folder, drive_remove_folder);
}
