/* Leaving with unsaved edits, and what is kept of them when the program dies. */

#include "save_parts.h"

#include "tui/drive.h"
#include "tui/keep/keep_file.h"
#include "tui/pseudo.h"

#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

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
    assert_shows(&d, "a command is not an answer; press Enter, then s, d, or Esc");
    drive_keys(&d, "Enter");
    assert_hides(&d, "a command is not an answer");
    drive_keys(&d, "y");
    assert_shows(&d, "y is not an answer; press s, d, or Esc");
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
    assert_shows(&d, "crashed-while-edited-by-hand.json, kept today at ");
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
    drive_keys(&d, "d u");             /* what it was read as is known */
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 4]");
    drive_keys(&d, "C-r");
    assert_hides(&d, "nothing differs");
    drive_type(&d, ":w ");
    drive_type(&d, in_folder("rescued.json"));
    drive_keys(&d, "Enter");
    assert_true(file_has(in_folder("rescued.json"), "[1, 8]"));
    assert_int_equal(kept_files(), 0);
    drive_close(&d);
    edit_and_die(in_folder("crashed.json"));
    drive_open(&d, "start/16x16");
    offer(&d);
    drive_keys(&d, "D");
    assert_shows(&d, "1 of 1 discarded");
    assert_int_equal(kept_files(), 0);
    drive_close(&d);
    assert_int_equal(kept_folders(), 0);
    unsetenv("XDG_STATE_HOME");
}

/* Typed, and not accepted, when a signal ends the program: what is on the screen, or before it what was legal. */
static void what_is_typed_is_kept(void **state)
{
    static const int ends[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};
    static char variable[256];
    struct pseudo_options options = {.extra = variable};
    static struct pseudo p;
    (void)state;
    snprintf(variable, sizeof variable, "XDG_STATE_HOME=%s", in_folder("state"));
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    write_file(in_folder("typed.json"), document);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (int legal = 0; legal < 2; legal++) {
            pseudo_start(&p, &options, in_folder("typed.json"), NULL);
            wait_for(&p, "q quit");
            pseudo_send(&p, "\t");
            wait_for(&p, "[16, 64]");
            pseudo_send(&p, legal ? "8" : "8x");
            wait_for(&p, legal ? "[8, 64]" : "[8x, 64]");
            kill(p.pid, ends[i]);
            wait_end(&p);
            assert_restored(&p);
            pseudo_stop(&p);
            assert_int_equal(kept_files(), 1);
            struct drive d;
            drive_open(&d, "start/16x16");
            offer(&d);
            drive_keys(&d, "r");
            assert_string_equal(drive_value(&d, "shape"), "[8, 64]");
            lw_recovery_discard(&d.ex);
            drive_close(&d);
        }
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
    assert_hides(&b, "unsaved changes of");
    drive_type(&b, ":set shape=32,64");
    drive_keys(&b, "Enter");
    assert_int_equal(kept_files(), 2);
    drive_close(&a); /* this one is lost */
    assert_int_equal(kept_files(), 2);
    offer(&b);
    assert_shows(&b, "An earlier run ended with unsaved changes of");
    drive_keys(&b, "x Enter Down r"); /* an answer is taken at once, whatever came before it */
    assert_string_equal(drive_value(&b, "sizePerThread"), "[1, 16]");
    assert_int_equal(kept_files(), 2);
    lw_recovery_discard(&b.ex);
    drive_close(&b);
    assert_int_equal(kept_folders(), 0);
    unsetenv("XDG_STATE_HOME");
}

/* At the start a key that is no answer, a click beside the answers, the wheel and pasted text do what they do without
 * the question, and a message has what became of the changes. */
static void the_first_question_gives_way(void **state)
{
    static const char later[] = "the unsaved changes are kept: :unsaved restores or discards them";
    struct drive d;
    (void)state;
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    put_orphan("mine\n{}");
    drive_open(&d, NULL);
    for (int i = 0; i < 6; i++) {
        const size_t entry = d.ex.list.entry;
        lw_recovery_offer(&d.ex);
        assert_int_equal(d.ex.focus, LW_FOCUS_QUESTION);
        assert_shows(&d, "Any other key keeps them: :unsaved");
        if (i == 0) {
            drive_keys(&d, "Down");
            assert_int_equal(d.ex.list.entry, entry + 1);
            assert_shows(&d, later);
        } else if (i == 1) {
            drive_keys(&d, ":");
            drive_type(&d, "view banks");
            assert_shows(&d, ":view banks");
            drive_keys(&d, "Esc");
        } else if (i == 2) {
            drive_click(&d, 4, 3);
            assert_int_not_equal(d.ex.list.entry, entry);
        } else if (i == 3) {
            drive_wheel(&d, 10, 3, 1);
            assert_int_equal(d.ex.list.entry, entry + 1);
        } else if (i == 4) {
            drive_keys(&d, "Esc");
            assert_int_equal(d.ex.list.entry, entry);
        } else {
            struct lw_event paste = {.kind = LW_EVENT_PASTE, .text = "local(3, 4)"};
            lw_update(&d.ex, &paste);
            assert_shows(&d, "local(3, 4)");
        }
        assert_int_not_equal(d.ex.focus, LW_FOCUS_QUESTION);
        assert_false(d.ex.quit);
    }
    lw_recovery_offer(&d.ex);
    drive_command(&d, "unsaved"); /* who asks for it has to answer */
    drive_keys(&d, "x");
    assert_int_equal(d.ex.focus, LW_FOCUS_QUESTION);
    assert_shows(&d, "x is not an answer; press r, ");
    drive_keys(&d, "D");
    drive_close(&d);
    assert_int_equal(kept_folders(), 0);
    unsetenv("XDG_STATE_HOME");
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
    assert_hides(&d, "unsaved changes of");
    assert_int_equal(rmdir(in_folder("state/laneway/unsaved/gone/lock")), 0);
    assert_int_equal(
        rename(in_folder("state/laneway/unsaved/gone"), in_folder("state/laneway/unsaved/.gone")),
        0);
    lw_recovery_offer(&d.ex);
    assert_hides(&d, "unsaved changes of");
    assert_int_equal(
        rename(in_folder("state/laneway/unsaved/.gone"), in_folder("state/laneway/unsaved/gone")),
        0);
    offer(&d);
    assert_shows(&d, "unsaved changes of");
    drive_keys(&d, "D");
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
    drive_keys(&d, "D");
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

/* A name and a question end at a word where they are cut, the line of keys is below the box, and a key that is no
 * answer leads to the answers in full. */
static void a_question_is_cut_at_words(void **state)
{
    struct drive d;
    (void)state;
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    put_orphan("tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4]}>>\n{}");
    drive_open(&d, "start/16x16");
    lw_recovery_open(&d.ex, "");
    assert_shows(&d, "unsaved changes of tensor<16x64xf16,…");
    drive_keys(&d, "x");
    drive_resize(&d, 40, 12);
    assert_shows(&d, "x is not an answer; press r, ");
    assert_shows(&d, "D, or Esc");
    assert_shows(&d, "unsaved changes of…");
    assert_shows(&d, "r restore  D discard  Esc stay");
    for (int height = 1; height < 24; height++) {
        drive_resize(&d, 40, height);
        drive_draw(&d);
    }
    drive_keys(&d, "D");
    drive_close(&d);
    unsetenv("XDG_STATE_HOME");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typing_on_answers_nothing),
        cmocka_unit_test(saving_all_prompts_for_names),
        cmocka_unit_test(the_last_legal_one_is_kept),
        cmocka_unit_test(what_a_crash_leaves_is_offered),
        cmocka_unit_test_teardown(what_is_typed_is_kept, pseudo_teardown),
        cmocka_unit_test(explorers_keep_apart),
        cmocka_unit_test(the_first_question_gives_way),
        cmocka_unit_test(only_what_is_surely_over_is_offered),
        cmocka_unit_test(broken_recovery_is_reported),
        cmocka_unit_test(a_lost_folder_is_made_again),
        cmocka_unit_test(undoing_leaves_nothing_kept),
        cmocka_unit_test(no_home_is_reported_once),
        cmocka_unit_test(a_question_is_cut_at_words),
    };
    return cmocka_run_group_tests_name("recovery", tests, drive_make_folder, drive_remove_folder);
}
