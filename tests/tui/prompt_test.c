/* The command line: completion, history, and the program's own commands behind the colon. */

#include "tui/drive.h"
#include "tui/keep/keep_file.h"
#include "tui/explore/explorer.h"
#include "tui/prompt/prompt.h"

#include "cli/command/commands.h"
#include "laneway/laneway.h"
#include "cli/shell.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmocka.h>

static void open_with_shell(struct drive *d, const char *source)
{
    static struct lw_tui_shell shell;
    shell = lw_shell(&lw_laneway);
    const struct lw_tui_options options = {.shell = &shell};
    drive_open_with(d, source, &options);
    drive_resize(d, 120, 40);
}

static void type(struct drive *d, const char *text)
{
    drive_type(d, text);
    drive_keys(d, "Enter");
}

static void words_are_completed(void **state)
{
    static const struct {
        const char *typed, *becomes, *shows;
    } cases[] = {
        {"vi", "view ", NULL},
        {"view ow", "view owners ", NULL},
        {"view m", "view m", "matrix  memory"},
        {"color ba", "color bank ", NULL},
        {"set sizeP", "set sizePerThread=", NULL},
        {"theme l", "theme light ", NULL},
        {"option mo", "option mouse=", NULL},
        {"open start/16x16-", "open start/16x16-matrix ", NULL},
        {"compare mma/m16n8k16.", "compare mma/m16n8k16.", "mma/m16n8k16.a"},
        {"ver", "version ", NULL},
        {"show --vie", "show --view ", NULL},
        {"show --view har", "show --view hardware ", NULL},
        {"show --format mark", "show --format markdown ", NULL},
        {"bases start/16x16-", "bases start/16x16-matrix ", NULL},
        {"zoo", "zoom-", "zoom-in  zoom-out"},
        {"xyz", "xyz", "nothing fits"},
        {"view xyz", "view xyz", "nothing fits"},
        {"write /dev/nul", "write /dev/null ", NULL},
        {"write /de", "write /dev/", NULL},
        {"expor", "export ", NULL}, /* a command and an action */
        {"target sm10", "target sm10", "sm100"},
        {"target layouts/targets/sm90.j", "target layouts/targets/sm90.json ", NULL},
    };
    struct drive d;
    (void)state;
    open_with_shell(&d, "blocked/16x64");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drive_keys(&d, ":");
        drive_type(&d, cases[i].typed);
        drive_keys(&d, "Tab");
        assert_string_equal(lw_text_string(&d.ex.prompt.line.text), cases[i].becomes);
        if (cases[i].shows)
            assert_shows(&d, cases[i].shows);
        else
            assert_int_equal(d.ex.prompt.candidates.length, 0);
        drive_keys(&d, "Esc");
    }
    drive_keys(&d, ":"); /* all there is */
    drive_keys(&d, "Tab");
    assert_shows(&d, "set  view  color");
    drive_keys(&d, "Esc");
    drive_close(&d);
}

static void commands_are_walked_through(void **state)
{
    struct drive d;
    (void)state;
    open_with_shell(&d, "blocked/16x64");
    type(&d, ":view hardware");
    type(&d, ":view owners");
    type(&d, ":view owners"); /* the same twice is once */
    drive_keys(&d, ":");
    drive_type(&d, "dra");
    drive_keys(&d, "Up");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "view owners");
    drive_keys(&d, "Up Up Up");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "view hardware");
    drive_keys(&d, "Down Down Down");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "dra");
    drive_keys(&d, "Up Up Enter");
    assert_int_equal(d.ex.panes.active->view_index, drive_view("hardware"));
    drive_close(&d);
}

static void put_history(const char *text)
{
    struct lw_text path = {0};
    assert_true(lw_folder_path(&path, LW_FOLDER_STATE, "history", NULL));
    assert_true(lw_folder_make(lw_text_string(&path), NULL));
    assert_true(lw_file_write(lw_text_string(&path), text, NULL));
    lw_text_free(&path);
}

static const char *history(void)
{
    static char read[256];
    struct lw_text path = {0}, text = {0};
    assert_true(lw_folder_path(&path, LW_FOLDER_STATE, "history", NULL));
    assert_true(lw_file_read(lw_text_string(&path), &text, NULL));
    snprintf(read, sizeof read, "%s", lw_text_string(&text));
    lw_text_free(&text);
    lw_text_free(&path);
    return read;
}

static void history_is_kept(void **state)
{
    struct drive d;
    (void)state;
    setenv("XDG_STATE_HOME", drive_folder, 1);
    open_with_shell(&d, "blocked/16x64");
    lw_recall_load(&d.ex); /* there is none yet */
    assert_int_equal(d.ex.keep.warning_count, 0);
    for (int i = 0; i < 700; i++) {
        char line[32];
        snprintf(line, sizeof line, "find %d,0", i % 16);
        lw_recall_add(&d.ex, line);
    }
    assert_int_equal(d.ex.prompt.recall.count, 500);
    drive_close(&d);
    open_with_shell(&d, "blocked/16x64");
    lw_recall_load(&d.ex);
    assert_int_equal(d.ex.prompt.recall.count, 500);
    drive_keys(&d, ": Up");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "find 11,0");
    drive_close(&d);
    /* Of two runs at once neither loses what the other has typed. */
    struct drive other;
    open_with_shell(&d, "blocked/16x64");
    lw_recall_load(&d.ex);
    open_with_shell(&other, "blocked/16x64");
    lw_recall_load(&other.ex);
    lw_recall_add(&d.ex, "view banks");
    lw_recall_add(&other.ex, "view bases");
    drive_close(&other);
    drive_close(&d);
    open_with_shell(&d, "blocked/16x64");
    lw_recall_load(&d.ex);
    assert_string_equal(d.ex.prompt.recall.lines[498], "view banks");
    assert_string_equal(d.ex.prompt.recall.lines[499], "view bases");
    drive_close(&d);
    put_history("view owners\nview \x01memory\nview matrix");
    open_with_shell(&d, "blocked/16x64");
    lw_recall_load(&d.ex);
    assert_shows(&d, "history:2: not a line of 1 to 1024 ASCII characters");
    assert_int_equal(d.ex.prompt.recall.count, 2);
    lw_recall_add(&d.ex, "view banks");
    drive_close(&d);
    open_with_shell(&d, "blocked/16x64");
    lw_recall_load(&d.ex); /* and was not written over */
    assert_shows(&d, "history:2: not a line");
    drive_close(&d);
    setenv("XDG_STATE_HOME", "/dev/null", 1); /* it cannot be kept, which is no error */
    open_with_shell(&d, "blocked/16x64");
    lw_recall_load(&d.ex);
    type(&d, ":view memory");
    assert_int_equal(d.ex.prompt.recall.count, 1);
    drive_close(&d);
    unsetenv("XDG_STATE_HOME");
}

/* While another run writes the file for long, lines wait: the next write has them, or the end. */
static void history_waits_for_others(void **state)
{
    struct drive d;
    struct lw_text path = {0};
    (void)state;
    setenv("XDG_STATE_HOME", drive_folder, 1);
    put_history("view facts\n");
    open_with_shell(&d, "blocked/16x64");
    lw_recall_load(&d.ex);
    assert_true(lw_folder_path(&path, LW_FOLDER_STATE, "history.lock", NULL));
    for (int i = 0; i < 2; i++) {
        int lock = open(lw_text_string(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        assert_int_equal(flock(lock, LOCK_EX), 0);
        lw_recall_add(&d.ex, i ? "view matrix" : "view owners");
        lw_recall_add(&d.ex, i ? "view facts" : "view banks");
        assert_string_equal(history(), i ? "view facts\nview owners\nview banks\nview bases\n"
                                         : "view facts\n");
        close(lock);
        if (!i)
            lw_recall_add(&d.ex, "view bases");
    }
    lw_recall_write(&d.ex);
    assert_string_equal(history(), "view facts\nview owners\nview banks\nview bases\n"
                                   "view matrix\nview facts\n");
    drive_close(&d);
    lw_text_free(&path);
    unsetenv("XDG_STATE_HOME");
}

/* What a shell prints for the same words. */
static void assert_same_as_program(struct drive *d, const char *arguments)
{
    struct lw_text line = {0}, printed = {0};
    char buffer[4096];
    lw_text_format(&line, "\"$LANEWAY\" %s", arguments);
    FILE *pipe = popen(lw_text_string(&line), "r");
    assert_non_null(pipe);
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        lw_text_bytes(&printed, buffer, got);
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(d->ex.focus, LW_FOCUS_PAGE);
    assert_string_equal(lw_text_string(&d->ex.page.text), lw_text_string(&printed));
    lw_text_free(&line);
    lw_text_free(&printed);
}

static void the_program_answers(void **state)
{
    static const char *const cases[][2] = {
        {":bases mma/m16n8k16.c", "bases mma/m16n8k16.c"},
        {":show 'spatial(4, 8)' --format markdown", "show 'spatial(4, 8)' --format markdown"},
        {":show \"spatial(4, 8)\" --view matrix", "show 'spatial(4, 8)' --view matrix"},
        {":bases", "bases 'local(2, 1).spatial(8, 4)'"},
        {":show it --view hardware", "show 'local(2, 1).spatial(8, 4)' --view hardware"},
        {":list", "list"},
    };
    struct drive d;
    (void)state;
    open_with_shell(&d, "local(2, 1).spatial(8, 4)");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        type(&d, cases[i][0]);
        assert_same_as_program(&d, cases[i][1]);
        drive_keys(&d, "q");
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    }
    type(&d, ":bases no/such/layout");
    assert_shows(&d, "no/such/layout");
    type(&d, ":bases --grass");
    assert_shows(&d, "unknown option '--grass'");
    type(&d, ":bases -"); /* there is no standard input here */
    assert_int_not_equal(d.ex.focus, LW_FOCUS_COMMAND);
    drive_keys(&d, "q");
    d.ex.focus = LW_FOCUS_VIEW;
    type(&d, ":bases 'open quote");
    d.ex.focus = LW_FOCUS_VIEW;
    type(&d, ":version");
    assert_shows(&d, LW_VERSION);
    struct lw_text line = {0}, text = {0};
    lw_text_format(&line, ":show --view matrix -o %s/out.txt", drive_folder);
    type(&d, lw_text_string(&line));
    assert_shows(&d, "out.txt: written");
    lw_text_clear(&line);
    lw_text_format(&line, "%s/out.txt", drive_folder);
    assert_true(lw_file_read(lw_text_string(&line), &text, NULL) && text.length > 100);
    lw_text_free(&line);
    lw_text_free(&text);
    drive_close(&d);
}

/* A lesson chosen in the list is no layout that a command could use. */
static void the_program_answers_without_a_layout(void **state)
{
    struct drive d;
    (void)state;
    open_with_shell(&d, NULL);
    d.ex.focus = LW_FOCUS_GALLERY;
    for (size_t i = 0; lw_explorer_entry(&d.ex)->loaded; i++) {
        assert_true(i < d.ex.list.count);
        drive_keys(&d, "Down");
    }
    type(&d, ":help sources");
    assert_shows(&d, "what names a layout");
    drive_close(&d);
}

/* What a command prints has no colours here, where a page is text. */
static void pages_are_text(void **state)
{
    struct drive d;
    (void)state;
    open_with_shell(&d, "start/16x16");
    drive_keys(&d, ":");
    type(&d, "show --view hardware --color always");
    assert_shows(&d, "(0,2)");
    assert_null(strchr(lw_text_string(&d.ex.page.text), 27));
    /* A table is not broken: what is further right is scrolled to. */
    drive_resize(&d, 80, 24);
    assert_shows(&d, "wider: Right");
    assert_hides(&d, "(7,14)");
    drive_keys(&d, "Right Right Right Right Right Right Right Right Right Right Right Right");
    for (int i = 0; i < 40; i++)
        drive_keys(&d, "l");
    assert_shows(&d, "the edge: Left");
    assert_shows(&d, "(7,14)");
    drive_close(&d);
}

/* Each prompt recalls its own lines, and the keys of a line edit them. */
static void lines_are_edited_and_recalled(void **state)
{
    struct drive d;
    (void)state;
    open_with_shell(&d, "blocked/16x64");
    drive_keys(&d, "/");
    type(&d, "3,5");
    drive_keys(&d, "/");
    type(&d, "t17");
    drive_keys(&d, "m");
    type(&d, "r1");
    drive_keys(&d, "/ Up Up");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "3,5");
    drive_keys(&d, "Down");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "t17");
    drive_keys(&d, "Esc m Up");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "r1");
    drive_keys(&d, "Esc : Up");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "");
    drive_type(&d, "open start/16x16");
    drive_keys(&d, "C-a C-d C-e C-w");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "pen ");
    drive_keys(&d, "C-b C-b C-k");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "pe");
    drive_keys(&d, "C-b C-u");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "e");
    /* What is offered gives way to what is typed, and stays when it is edited. */
    drive_keys(&d, "Esc S");
    assert_shows(&d, "16x64.json   Enter accepts it, typing replaces it");
    drive_type(&d, "other.json");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "other.json");
    drive_keys(&d, "Esc S Home");
    drive_type(&d, "my-");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "my-16x64.json");
    drive_keys(&d, "Esc e");
    assert_shows(&d, "grid.svg   Enter accepts it, typing replaces it");
    drive_type(&d, "out.md");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "out.md");
    drive_keys(&d, "Esc ?");
    drive_resize(&d, 80, 300);
    assert_shows(&d, "C-u C-k");
    drive_close(&d);
}

/* The name alone is its value; a result is named by all that was typed, so that results differ. */
static void results_are_named_as_typed(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, "
                   "16], warpsPerCTA = [1, 1], order = [1, 0]}>>");
    drive_resize(&d, 100, 30);
    drive_command(&d, "it.invert()");
    assert_string_equal(lw_entry_name(lw_explorer_entry(&d.ex)),
                        "tensor<16x64xf16, #ttg.b….invert()");
    assert_shows(&d, "laneway  tensor<16x64xf16, #ttg.b….invert()");
    drive_keys(&d, "Esc");
    drive_command(&d, "linear(it)");
    assert_string_equal(lw_entry_name(lw_explorer_entry(&d.ex)),
                        "linear(tensor<16x64xf16, #ttg.bl…)");
    drive_command(&d, "it.flattenOuts().flattenIns()");
    assert_string_equal(lw_entry_name(lw_explorer_entry(&d.ex)),
                        "linear(….flattenOuts().flattenIns()");
    drive_keys(&d, "Tab Tab");
    assert_shows(&d, "linear(….flattenOuts().flattenIns()");
    assert_shows(&d, "uts().flattenIns() │");
    drive_close(&d);
    drive_open(&d, "(4,8):(8,1)");
    drive_command(&d, "it");
    assert_false(d.ex.status.is_error);
    drive_command(&d, "let a=(2,2):(2,1)");
    drive_command(&d, "a");
    assert_string_equal(lw_explorer_entry(&d.ex)->source, "(2,2):(2,1)");
    drive_close(&d);
}

/* What is computed of `it` has its elements, but not its inverse, nor what is counted in another size. */
static void results_keep_the_element(void **state)
{
    static const struct {
        const char *source, *expr, *element;
    } cases[] = {
        {"mma/m16n8k16.a", "linear(it)", "f16"},
        {"swizzle/16x32-xor", "it.linear()", "f32"},
        {"mma/m16n8k16.a", "it.transposeOuts([dim1, dim0])", "f16"},
        {"mma/m16n8k16.a", "it.invert()", ""},
        {"cute/tiled-copy", "it.coalesce()", "f16"},
        {"cute/tiled-copy", "recast_layout<half_t, float>(it)", ""},
        {"cute/tiled-copy", "it.recast(16, 32)", ""},
        {"mma/m16n8k16.a", "identity1D(4, register, dim0)", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open(&d, cases[i].source);
        size_t count = d.ex.list.count;
        drive_command(&d, cases[i].expr);
        assert_int_equal(d.ex.list.count, count + 1);
        assert_string_equal(d.ex.layouts.opened.subject.tensor.element.name, cases[i].element);
        assert_false(lw_explorer_entry(&d.ex)->dirty);
        drive_close(&d);
    }
}

/* A prompt has its own line again after a search in the help that was opened over it. */
static void a_prompt_keeps_its_line(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, ":");
    drive_type(&d, "view ow");
    drive_keys(&d, "Left F1 /");
    drive_type(&d, "move ");
    drive_keys(&d, "Enter / x Esc F1");
    assert_int_equal(d.ex.focus, LW_FOCUS_COMMAND);
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "view ow");
    assert_int_equal(d.ex.prompt.line.caret, 6);
    drive_keys(&d, "Right Tab");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "view owners ");
    drive_keys(&d, "Esc S");
    char offered[64];
    snprintf(offered, sizeof offered, "%s", lw_text_string(&d.ex.prompt.line.text));
    drive_keys(&d, "F1 / z Enter Esc");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), offered);
    drive_close(&d);
}

/* Files are offered by name. */
static void files_are_sorted(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 200, 40);
    drive_keys(&d, ":");
    drive_type(&d, "write layouts/targets/sm1");
    drive_keys(&d, "Tab");
    assert_string_equal(lw_text_string(&d.ex.prompt.candidates),
                        "layouts/targets/sm100.json  layouts/targets/sm103.json  "
                        "layouts/targets/sm107.json  layouts/targets/sm110.json  "
                        "layouts/targets/sm120.json  layouts/targets/sm121.json");
    drive_close(&d);
}

/* A result that the list already has by another name is that entry, with both names. */
static void one_entry_has_two_names(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "local(4, 1)");
    drive_resize(&d, 120, 40);
    drive_command(&d, "linear(it)");
    size_t count = d.ex.list.count;
    drive_keys(&d, "Esc");
    drive_command(&d, "open local(2, 1).local(2, 1)");
    drive_command(&d, "linear(it)");
    assert_int_equal(d.ex.list.count, count + 1);
    assert_shows(&d, " is the same layout as linear(local(4, 1)): this entry is both");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_named_as_typed),
        cmocka_unit_test(words_are_completed),
        cmocka_unit_test(commands_are_walked_through),
        cmocka_unit_test(history_is_kept),
        cmocka_unit_test(the_program_answers_without_a_layout),
        cmocka_unit_test(history_waits_for_others),
        cmocka_unit_test(the_program_answers),
        cmocka_unit_test(pages_are_text),
        cmocka_unit_test(lines_are_edited_and_recalled),
        cmocka_unit_test(results_keep_the_element),
        cmocka_unit_test(a_prompt_keeps_its_line),
        cmocka_unit_test(files_are_sorted),
        cmocka_unit_test(one_entry_has_two_names),
    };
    return cmocka_run_group_tests_name("prompt", tests, drive_make_folder, drive_remove_folder);
}
