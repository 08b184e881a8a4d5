/* What the explorer keeps: saving, unsaved edits, recovery after a kill, settings, export, copying. */

#include "session.h"
#include "core/array_count.h"
#include "laneway/export.h"

#include "tui/keep/edits.h"
#include "tui/command/command.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/laneway-edits.XXXXXX";

static char *path_of(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void run(const char *format)
{
    char command[1200];
    snprintf(command, sizeof command, format, folder, folder);
    assert_int_equal(system(command), 0);
}

static int make_folder(void **state)
{
    (void)state;
    return !mkdtemp(folder) || setenv("HOME", folder, 1) != 0 || unsetenv("XDG_STATE_HOME") != 0 ||
           unsetenv("XDG_CONFIG_HOME") != 0;
}

static int remove_folder(void **state)
{
    (void)state;
    run("chmod -R u+w '%s'; rm -rf '%s'");
    return 0;
}

/* Before each test: nothing is kept, and there is a document. */
static int begin(void **state)
{
    (void)state;
    run("cd '%s' && rm -rf .local .config *.json *.svg *.csv *.md");
    FILE *file = fopen(path_of("x.json"), "w");
    fputs("{\"laneway\": 1, \"shape\": [16, 64], \"element\": \"f16\", \"encoding\": \"blocked\", "
          "\"params\": {\"sizePerThread\": [1, 8], \"threadsPerWarp\": [4, 8], \"warpsPerCTA\": "
          "[4, 1], \"order\": [1, 0]}}\n",
          file);
    return fclose(file);
}

/* Opens a source in a session that writes files. */
static void open_writing(struct session *s, const char *source)
{
    struct lw_error err = {0};
    memset(s, 0, sizeof *s);
    s->source = source;
    s->options = (struct lw_tui_options){.sources = &s->source, .count = source != NULL};
    if (!lw_app_open(&s->app, &s->options, &err))
        fail_msg("%s", err.message);
    session_resize(s, 100, 30);
}

static char *read_file(const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* How many recovery files there are. */
static int kept(void)
{
    FILE *out = popen("find ~/.local/state/laneway/unsaved -type f 2>/dev/null | wc -l", "r");
    int count = -1;
    assert_int_equal(fscanf(out, "%d", &count), 1);
    pclose(out);
    return count;
}

static void edit(struct session *s)
{
    session_command(s, "set sizePerThread=[1, 2]");
    assert_string_equal(s->app.message_is_bad ? s->app.message : "", "");
}

/* ---- Saving ---- */

static void a_layout_is_saved_to_its_file(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, path_of("x.json"));
    edit(&s);
    assert_int_equal(kept(), 1);
    session_keys(&s, "s");
    assert_shows(&s, "x.json: saved again; w exports the picture");
    assert_non_null(strstr(read_file(path_of("x.json")), "\"sizePerThread\": [1, 2]"));
    assert_int_equal(kept(), 0);
    session_keys(&s, "q");
    assert_true(s.app.quit);
    session_close(&s);
}

/* A directive begins a line, also behind what --block and --let set. */
static void a_directive_is_saved(void **state)
{
    struct session s;
    struct lw_error err;
    (void)state;
    memset(&s, 0, sizeof s);
    FILE *file = fopen(path_of("t.cu"), "w");
    assert_non_null(file);
    fputs("#define N 32\n__global__ void k() { __shared__ float t[N][N]; v = "
          "t[threadIdx.x][threadIdx.y + gridDim.x - blocks[2]]; }\n",
          file);
    assert_int_equal(fclose(file), 0);
    s.source = path_of("t.cu");
    const char *const lets[] = {"gridDim.x=4", "blocks=[-1, 2, 4]"};
    s.options =
        (struct lw_tui_options){.sources = &s.source,
                                .count = 1,
                                .cuda = {.block = {32, 8, 1}, .lets = lets, .let_count = 2}};
    if (!lw_app_open(&s.app, &s.options, &err))
        fail_msg("%s", err.message);
    session_resize(&s, 100, 30);
    session_command(&s, "save ~/define.json");
    session_close(&s);
    open_writing(&s, path_of("define.json"));
    assert_shows(&s, "32 words of one bank");
    session_close(&s);
}

/* A file of CUDA C++ has the text as it stands, which is opened again; other layouts have none. */
static void a_fix_is_saved_as_code(void **state)
{
    struct session s;
    (void)state;
    FILE *file = fopen(path_of("tile.cu"), "w");
    assert_non_null(file);
    fputs("__shared__ float t[32][32];\nv = t[tid][0];\n", file);
    assert_int_equal(fclose(file), 0);
    open_writing(&s, path_of("tile.cu"));
    session_keys(&s, "o Enter s");
    assert_shows(&s, path_of("tile.cu"));
    session_type(&s, "~/fixed.cu");
    session_keys(&s, "Enter");
    assert_string_equal(read_file(path_of("fixed.cu")),
                        "__shared__ float t[32][33];\nv = t[tid][0];\n");
    session_close(&s);
    open_writing(&s, path_of("fixed.cu"));
    assert_shows(&s, "load 1 wavefront: no conflicts");
    session_close(&s);
    open_writing(&s, "blocked/16x64");
    session_command(&s, "save ~/none.cuh");
    assert_shows(&s, "not saved: none.cuh: this layout is no CUDA C++");
    assert_int_equal(access(path_of("none.cuh"), F_OK), -1);
    session_close(&s);
}

/* What is typed replaces the name that is suggested, as in every prompt; an arrow key keeps that. */
static void a_name_is_requested(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, "blocked/16x64");
    session_keys(&s, "s");
    assert_shows(&s, "save as layout.json");
    session_keys(&s, "Right");
    session_type(&s, "5");
    assert_shows(&s, "save as layout.json5");
    session_keys(&s, "Esc s");
    session_type(&s, "~/new"); /* what could not be opened again is not written */
    session_keys(&s, "Enter");
    assert_shows(&s, "~/new: the name ends in .json, or in .cu");
    assert_int_equal(access(path_of("new"), F_OK), -1);
    session_keys(&s, "Esc s");
    session_type(&s, "~/new.json");
    assert_shows(&s, "save as ~/new.json");
    session_keys(&s, "Enter");
    assert_non_null(read_file(path_of("new.json")));
    session_command(&s, "save ~/x.json");
    assert_shows(&s, "x.json exists already");
    session_keys(&s, "q x Esc");
    assert_false(s.app.quit);
    assert_null(strstr(read_file(path_of("x.json")), "title"));
    session_command(&s, "save ~/x.json");
    session_keys(&s, "o");
    assert_non_null(strstr(read_file(path_of("x.json")), "title"));
    session_close(&s);
}

/* What another program has written is not replaced without a question. */
static void a_change_of_the_file_is_noticed(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, path_of("x.json"));
    edit(&s);
    run("echo 'other' >'%s/x.json'");
    session_keys(&s, "s");
    assert_shows(&s, "another program has changed it");
    session_keys(&s, "Esc");
    assert_string_equal(read_file(path_of("x.json")), "other\n");
    session_keys(&s, "s o");
    assert_non_null(strstr(read_file(path_of("x.json")), "sizePerThread"));
    session_close(&s);
}

static void a_file_that_cannot_be_written_is_reported(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, path_of("x.json"));
    edit(&s);
    session_command(&s, "save /no/such/folder/x.json");
    assert_shows(&s, "not saved: /no/such/folder/x.json");
    session_keys(&s, "q");
    assert_shows(&s, "unsaved edits of x.json");
    session_close(&s);
}

/* ---- Leaving ---- */

static void leaving_asks_for_unsaved_edits(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, NULL);
    session_command(&s, "open blocked/16x64");
    session_keys(&s, "Esc");
    assert_string_equal(lw_app_top(&s.app)->type->name, "start");
    session_command(&s, "open blocked/16x64");
    edit(&s);
    session_keys(&s, "Esc");
    assert_shows(&s, "unsaved edits of");
    session_keys(&s, "Esc");
    assert_string_equal(lw_app_top(&s.app)->type->name, "layout");
    session_keys(&s, "u Esc"); /* what is undone is not lost */
    assert_string_equal(lw_app_top(&s.app)->type->name, "start");
    session_command(&s, "open blocked/16x64");
    edit(&s);
    session_keys(&s, "Esc d");
    assert_string_equal(lw_app_top(&s.app)->type->name, "start");
    assert_int_equal(kept(), 0);
    session_close(&s);
}

/* Ending the program asks for each layout, and saves those that the user wants. */
static void ending_asks_for_all_layouts(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, path_of("x.json"));
    edit(&s);
    session_command(&s, "open blocked/16x64");
    edit(&s);
    assert_int_equal(kept(), 2);
    session_keys(&s, "q d");
    assert_false(s.app.quit);
    assert_shows(&s, "unsaved edits of x.json");
    session_keys(&s, "s");
    assert_true(s.app.quit);
    assert_non_null(strstr(read_file(path_of("x.json")), "[1, 2]"));
    session_close(&s);
    assert_int_equal(kept(), 0);
}

/* A save that leads to nothing else: the question before it was left by Esc. */
static void a_save_after_staying_ends_nothing(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, path_of("x.json"));
    edit(&s);
    session_keys(&s, "q Esc s");
    assert_shows(&s, "x.json: saved");
    assert_false(s.app.quit);
    session_command(&s, "set sizePerThread=[1, 4]");
    session_keys(&s, "q Esc");
    session_command(&s, "save ~/new.json");
    assert_false(s.app.quit);
    session_close(&s);
}

/* Edits after a discard are edits like others. */
static void edits_after_a_discard_are_kept(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, path_of("x.json"));
    edit(&s);
    session_command(&s, "open blocked/16x64");
    edit(&s);
    session_keys(&s, "q d");
    assert_shows(&s, "unsaved edits of x.json");
    session_keys(&s, "Esc");
    session_command(&s, "set sizePerThread=[1, 1]");
    session_keys(&s, "q");
    assert_hides(&s, "unsaved edits of x.json");
    lw_app_close(&s.app); /* as after a signal */
    session_close(&s);
    assert_int_equal(kept(), 2);
}

/* Its line of keys has what works, and nothing else. */
static void a_question_shows_its_keys(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, path_of("x.json"));
    edit(&s);
    session_keys(&s, "q ? F1");
    assert_non_null(strstr(session_screen(&s), "s    save"));
    assert_shows(&s, "Esc  stay");
    assert_hides(&s, "? help");
    session_keys(&s, "d");
    assert_true(s.app.quit);
    session_close(&s);
}

/* ---- Recovery ---- */

/* Edits a layout in another process, which is killed. */
static void edit_and_die(const char *source, int signal_number)
{
    pid_t child = fork();
    if (!child) {
        struct session s;
        open_writing(&s, source);
        if (lw_app_top(&s.app)->type->is_over) /* what the one before left */
            session_keys(&s, "Esc");
        if (strstr(source, "__shared__"))
            session_keys(&s, "o Down Enter");
        else
            session_command(&s, "set sizePerThread=[1, 2]");
        if (!signal_number) { /* as the loop ends after a signal */
            lw_app_close(&s.app);
            _exit(0);
        }
        raise(signal_number);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
}

static void edits_are_recovered_after_a_kill(void **state)
{
    const int signals[] = {SIGKILL, 0};
    struct session s;
    (void)state;
    for (int i = 0; i < 2; i++) {
        edit_and_die(path_of("x.json"), signals[i]);
        assert_int_equal(kept(), 1);
        assert_non_null(strstr(read_file(path_of("x.json")), "[1, 8]"));
        open_writing(&s, NULL);
        assert_shows(&s, "unsaved edits of x.json");
        session_keys(&s, "q y");
        assert_false(s.app.quit);
        assert_string_equal(lw_app_top(&s.app)->type->name, "layout");
        assert_int_equal(kept(), 1);
        session_keys(&s, "q");
        assert_shows(&s, "unsaved edits of x.json");
        session_keys(&s, "d");
        assert_true(s.app.quit);
        session_close(&s);
        assert_int_equal(kept(), 0);
    }
}

/* The restored layout is the edited one, and is saved to its file after a question, as that may have changed. */
static void recovered_edits_are_saved(void **state)
{
    struct session s;
    (void)state;
    edit_and_die(path_of("x.json"), SIGKILL);
    open_writing(&s, NULL);
    session_keys(&s, "y s");
    assert_shows(&s, "x.json");
    session_keys(&s, "o");
    assert_shows(&s, "saved");
    assert_non_null(strstr(read_file(path_of("x.json")), "[1, 2]"));
    assert_int_equal(kept(), 0);
    session_close(&s);
}

/* What is not an answer does nothing, as what was typed before the question was read; nor does a paste. */
static void text_is_no_answer(void **state)
{
    struct session s;
    (void)state;
    edit_and_die(path_of("x.json"), SIGKILL);
    open_writing(&s, NULL);
    session_paste(&s, "yn");
    session_type(&s, "q?:/DR blocked \t");
    session_keys(&s, "F1 C-u");
    assert_shows(&s, "y    restore");
    assert_shows(&s, "Del  discard");
    assert_int_equal(s.app.depth, 2);
    assert_int_equal(kept(), 1);
    session_close(&s);
}

/* A later run starts in another folder, and has not read the file. */
static void edits_of_a_relative_path_are_recovered(void **state)
{
    struct session s;
    char *before = realpath(".", NULL);
    (void)state;
    assert_int_equal(chdir(folder), 0);
    edit_and_die("x.json", SIGKILL);
    assert_int_equal(chdir(before), 0);
    free(before);
    run("sed -i.old '2s|.*|%s/x.json|' '%s'/.local/state/laneway/unsaved/*/1; rm -f "
        "~/.local/state/laneway/unsaved/*/*.old");
    open_writing(&s, NULL);
    session_keys(&s, "y s");
    assert_shows(&s, "x.json: another program has changed it");
    session_keys(&s, "o");
    assert_non_null(strstr(read_file(path_of("x.json")), "[1, 2]"));
    session_close(&s);
}

static void a_title_of_two_lines_is_recovered(void **state)
{
    struct session s;
    (void)state;
    run("cd '%s' && sed 's/{/{\"title\": \"one\\\\ntwo\", /' x.json >y.json && mv y.json x.json");
    edit_and_die(read_file(path_of("x.json")), SIGKILL);
    open_writing(&s, NULL);
    assert_shows(&s, "unsaved edits of one two");
    session_keys(&s, "y");
    assert_shows(&s, "restored: 1 of 1;");
    session_keys(&s, "s");
    assert_shows(&s, "save as layout.json"); /* it has no file */
    session_keys(&s, "Esc q d");
    session_close(&s);
}

/* What earlier runs left is named; what cannot be read is said, and stays until it is discarded. */
static void what_was_left_is_offered(void **state)
{
#define LEFT(name) name "\nlocal(2)\n\n{\"laneway\": 1, \"source\": \"local(2)\"}"
    static const struct {
        const char *files[2], *shown, *restored; /* the files of two runs */
        int kept, discarded;
    } cases[] = {
        {{LEFT("one")},
         "has left unsaved edits of one",
         "restored: 1 of 1; s saves this one",
         1,
         1},
        {{LEFT("")}, "unsaved edits of a layout", "restored: 1 of 1; s saves this one", 1, 1},
        {{LEFT("one"), LEFT("one")}, "of one and others", "restored: 2 of 2; s saves", 2, 2},
        {{"one\nlocal(2)\n"}, "unsaved edits of a layout", "restored: 0 of 1; ", 1, 1},
        {{"one"}, "unsaved edits of a layout", "there is no document in it", 1, 1},
        {{""}, "unsaved edits of a layout", "there is no document in it", 1, 1},
        {{"one\nlocal(2)\n\n{"}, "unsaved edits of one", "restored: 0 of 1; ", 1, 1},
        {{"one\nlocal(2)\n\n{\"laneway\": 1}"}, "edits of one", "restored: 0 of 1; ", 1, 1},
        {{LEFT("one"), ""}, "and others", "restored: 1 of 2; ", 2, 2},
    };
    (void)state;
    for (size_t i = 0; i < LW_COUNT(cases); i++)
        for (int discards = 0; discards < 2; discards++) {
            struct session s;
            char text[40];
            run("rm -rf '%s/.local' && mkdir -p '%s/.local/state/laneway/unsaved'");
            for (int k = 0; k < 2 && cases[i].files[k]; k++) {
                char name[80];
                snprintf(name, sizeof name, "mkdir '%%s/.local/state/laneway/unsaved/%d'", k);
                run(name);
                snprintf(name, sizeof name, ".local/state/laneway/unsaved/%d/1", k);
                FILE *file = fopen(path_of(name), "w");
                assert_non_null(file);
                fputs(cases[i].files[k], file);
                assert_int_equal(fclose(file), 0);
            }
            open_writing(&s, NULL);
            session_resize(&s, 200, 30);
            assert_shows(&s, cases[i].shown);
            session_keys(&s, discards ? "Del" : "y");
            snprintf(text, sizeof text, "discarded: %d", cases[i].discarded);
            assert_shows(&s, discards ? text : cases[i].restored);
            assert_int_equal(kept(), discards ? 0 : cases[i].kept);
            session_close(&s);
        }
#undef LEFT
}

/* So that a directive of CUDA C++ ends where it did. */
static void the_lines_of_a_text_are_recovered(void **state)
{
    struct session s;
    (void)state;
    edit_and_die("__shared__ float s[64];\n#define N 2\ns[tid * N] = v;", SIGKILL);
    open_writing(&s, NULL);
    session_keys(&s, "y");
    assert_shows(&s, "s[64]; #define N 2 s[tid * N ^ tid * N / 32] = v;");
    session_keys(&s, "e");
    session_type(&s, " ");
    assert_shows(&s, "no conflicts");
    assert_hides(&s, "\xe2\x96\xb2");
    session_keys(&s, "Esc q d");
    session_close(&s);
}

static void a_folder_that_cannot_be_made_is_reported(void **state)
{
    struct session s;
    (void)state;
    run("ln -s nothing '%s/.local'");
    open_writing(&s, path_of("x.json"));
    edit(&s);
    assert_non_null(strstr(s.app.message, "cannot be kept for recovery"));
    assert_non_null(strstr(s.app.message, ".local: File exists"));
    session_close(&s);
}

/* A run whose folder cannot be locked has none, so that the next edit makes one. */
static void a_folder_that_cannot_be_locked_is_not_used(void **state)
{
    struct session s;
    struct rlimit limit, none;
    (void)state;
    open_writing(&s, path_of("x.json"));
    session_command(&s, "set sizePerThread=[1, 2]");
    lw_recovery_end(&s.app); /* there is a file in it, of an earlier run then */
    run("rm -rf '%s/.local'");
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = limit;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    session_command(&s, "set sizePerThread=[1, 4]");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_non_null(strstr(s.app.message, "cannot be kept for recovery"));
    assert_null(s.app.recovery);
    session_command(&s, "set sizePerThread=[1, 1]");
    assert_non_null(s.app.recovery);
    assert_true(s.app.recovery_lock >= 0);
    session_close(&s);
}

static void edits_are_kept_until_they_are_discarded(void **state)
{
    struct session s;
    (void)state;
    edit_and_die(path_of("x.json"), SIGKILL);
    edit_and_die("blocked/16x64", SIGKILL);
    open_writing(&s, NULL);
    assert_shows(&s, " and others");
    session_keys(&s, "n");
    assert_int_equal(s.app.depth, 1);
    assert_int_equal(kept(), 2);
    session_close(&s);
    open_writing(&s, NULL);
    session_keys(&s, "Del");
    assert_shows(&s, "discarded: 2");
    assert_int_equal(kept(), 0);
    session_close(&s);
    open_writing(&s, NULL);
    assert_hides(&s, "a run that ended");
    session_close(&s);
}

/* Those of a run that is still there are not offered. */
static void edits_of_a_running_program_are_its_own(void **state)
{
    struct session s, other;
    (void)state;
    open_writing(&s, path_of("x.json"));
    edit(&s);
    open_writing(&other, NULL);
    assert_hides(&other, "unsaved edits");
    session_close(&other);
    assert_int_equal(kept(), 1);
    session_keys(&s, "q d");
    session_close(&s);
}

/* ---- Settings ---- */

static void settings_last(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, "blocked/16x64");
    session_command(&s, "option mouse=false");
    session_command(&s, "option theme=safe");
    session_command(&s, "option ascii=maybe");
    assert_shows(&s, "ascii");
    session_close(&s);
    assert_string_equal(read_file(path_of(".config/laneway/settings.json")),
                        "{\n  \"mouse\": \"false\",\n  \"theme\": \"safe\"\n}\n");
    open_writing(&s, "blocked/16x64");
    assert_string_equal(s.app.settings[LW_SETTING_MOUSE], "false");
    assert_string_equal(s.app.settings[LW_SETTING_THEME], "safe");
    assert_ptr_equal(s.app.look, lw_look_find("safe"));
    session_close(&s);
}

/* A file with a mistake is reported and never overwritten. */
static void a_wrong_settings_file_stays(void **state)
{
    struct session s;
    (void)state;
    run("mkdir -p '%s/.config/laneway' && cd '%s/.config/laneway' && printf '{\"mouse\": "
        "true,\\n\"theme\": 3}' >settings.json");
    open_writing(&s, "blocked/16x64");
    assert_non_null(strstr(s.app.message,
                           "settings.json:2:10: theme must be one of auto dark light safe mono"));
    session_command(&s, "option mouse=false");
    assert_string_equal(s.app.settings[LW_SETTING_MOUSE], "false");
    assert_string_equal(read_file(path_of(".config/laneway/settings.json")),
                        "{\"mouse\": true,\n\"theme\": 3}");
    session_close(&s);
}

/* ---- Taking out ---- */

static void the_picture_is_exported(void **state)
{
    struct session s;
    size_t count;
    const struct lw_format *const *formats = lw_formats(&count);
    char extension[16];
    (void)state;
    open_writing(&s, "blocked/16x64");
    session_keys(&s, "w");
    for (size_t i = 0; i < count; i++) { /* the prompt names all */
        snprintf(extension, sizeof extension, " %s", formats[i]->extension);
        assert_shows(&s, extension);
    }
    session_keys(&s, "C-u");
    session_type(&s, "~/x.nothing");
    session_keys(&s, "Enter");
    assert_shows(&s, "nothing");
    session_keys(&s, "C-u");
    session_type(&s, "~/x.csv");
    session_keys(&s, "Enter");
    assert_shows(&s, "x.csv: written");
    assert_non_null(strstr(read_file(path_of("x.csv")), "T0:0"));
    session_keys(&s, "Down"); /* thread 8 is lit */
    session_command(&s, "export ~/x.svg");
    assert_non_null(strstr(read_file(path_of("x.svg")), "</svg>"));
    session_command(&s, "export ~/x.csv");
    assert_shows(&s, "x.csv exists already");
    session_keys(&s, "o");
    assert_shows(&s, "written");
    session_close(&s);
}

static void a_load_alone_is_exported(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, "float t[32][32]; v = t[threadIdx.x][threadIdx.y];");
    session_command(&s, "export ~/load.svg");
    assert_shows(&s, "load.svg: written");
    session_close(&s);
}

/* Every view is written, or refused with what writes it. */
static void each_view_is_exported(void **state)
{
    static const char *const sources[] = {"cuda/transpose", "mma/m16n8k16", "convert/shuffle",
                                          "shared/nvmma-128", "tilus/product-3x4-2x3"};
    struct session s;
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        open_writing(&s, sources[i]);
        for (const char *key = "123456"; *key; key++) {
            run("rm -f '%s/view.svg'");
            session_type(&s, (const char[]){*key, '\0'});
            const bool is_list = !strcmp(lw_layout_view(lw_app_top(&s.app)), "accesses");
            session_command(&s, "export ~/view.svg");
            assert_shows(&s, is_list ? "'laneway banks CODE' prints it" : "view.svg: written");
        }
        session_close(&s);
    }
}

/* The picture of a lesson is that of its layout. */
static void a_lesson_is_exported(void **state)
{
    struct session s;
    (void)state;
    session_open_lesson(&s, "blocked", 100, 35);
    s.options.writes_nothing = false;
    session_keys(&s, "w");
    session_type(&s, "~/lesson.md");
    session_keys(&s, "Enter");
    assert_shows(&s, "lesson.md: written");
    assert_non_null(read_file(path_of("lesson.md")));
    session_close(&s);
}

/* An access is written as its banks and its three layouts, in a figure as they are on the screen: A, S and B side by
 * side, and the banks below them. */
static void a_path_is_exported_as_panels(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, "banks/transpose-swizzled");
    session_command(&s, "export ~/x.md");
    const char *text = read_file(path_of("x.md"));
    assert_non_null(text);
    size_t tables = 0;
    for (const char *at = text; (at = strstr(at, "\n| ---")) != NULL; at++)
        tables++;
    assert_int_equal(tables, 4);
    session_command(&s, "export ~/x.svg");
    const char *title = read_file(path_of("x.svg"));
    unsigned row[4] = {0};
    for (int i = 0; i < 4; i++, title++) {
        title = strstr(title, "<text class=\"t\"");
        assert_non_null(title);
        assert_int_equal(sscanf(title, "<text class=\"t\" x=\"%*u\" y=\"%u", &row[i]), 1);
    }
    assert_true(row[0] == row[1] && row[1] == row[2] && row[2] < row[3]);
    session_command(&s, "export ~/x.csv"); /* one view: the banks */
    assert_non_null(strstr(read_file(path_of("x.csv")), "wavefronts"));
    session_close(&s);
    open_writing(&s, "convert/shared"); /* its memory is that of the exchange */
    session_keys(&s, "2");
    session_command(&s, "export ~/exchange.svg");
    assert_non_null(strstr(read_file(path_of("exchange.svg")), ">Memory<"));
    session_close(&s);
}

static void what_is_too_large_is_refused(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, NULL);
    session_command(&s, "open tensor<4096x4096xf32, #ttg.blocked<{sizePerThread = [1, 1], "
                        "threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>>");
    session_command(&s, "export ~/x.svg");
    assert_shows(&s, "4096 x 4096 cells are too many");
    assert_null(read_file(path_of("x.svg")));
    session_close(&s);
}

/* A name that is typed on the first screen: what begins like a search and has no match, and ~, which is HOME. */
static void a_file_is_typed_on_the_first_screen(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, NULL);
    session_keys(&s, "/");
    session_type(&s, path_of("x.json") + 1);
    session_keys(&s, "Enter");
    assert_shows(&s, "x 32 lanes x 4 warps hold 16 x 64");
    session_keys(&s, "Esc");
    assert_shows(&s, "A column through shared memory"); /* all rows again */
    session_type(&s, "~/x.json");
    session_keys(&s, "Enter");
    assert_shows(&s, "x 32 lanes x 4 warps hold 16 x 64");
    session_keys(&s, "Esc Esc /");
    session_type(&s, path_of("none.json") + 1);
    session_keys(&s, "Enter");
    assert_shows(&s, "no row has");
    session_close(&s);
}

static void texts_are_copied(void **state)
{
    struct session s;
    (void)state;
    open_writing(&s, "local(2, 1).spatial(8, 4).local(1, 2)");
    session_keys(&s, "y Enter");
    assert_string_equal(lw_text_string(&s.app.copied), "local(2, 1).spatial(8, 4).local(1, 2)");
    assert_string_equal(s.app.message, "copied: source: local(2, 1).spatial(8, 4).local(1, 2)");
    session_keys(&s, "y End Enter");
    assert_non_null(strstr(lw_text_string(&s.app.copied), "\"laneway\": 1"));
    session_keys(&s, "y Esc");
    assert_string_equal(lw_app_top(&s.app)->type->name, "layout");
    session_close(&s);
    open_writing(&s, "banks/transpose-swizzled");
    session_keys(&s, "y");
    assert_shows(&s, "S in CuTe");
    assert_shows(&s, "Sw<5,");
    session_keys(&s, "End");
    assert_shows(&s, "the layout as JSON");
    session_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_layout_is_saved_to_its_file, begin),
        cmocka_unit_test_setup(a_fix_is_saved_as_code, begin),
        cmocka_unit_test_setup(a_name_is_requested, begin),
        cmocka_unit_test_setup(a_directive_is_saved, begin),
        cmocka_unit_test_setup(a_change_of_the_file_is_noticed, begin),
        cmocka_unit_test_setup(a_file_that_cannot_be_written_is_reported, begin),
        cmocka_unit_test_setup(leaving_asks_for_unsaved_edits, begin),
        cmocka_unit_test_setup(ending_asks_for_all_layouts, begin),
        cmocka_unit_test_setup(a_save_after_staying_ends_nothing, begin),
        cmocka_unit_test_setup(edits_after_a_discard_are_kept, begin),
        cmocka_unit_test_setup(a_question_shows_its_keys, begin),
        cmocka_unit_test_setup(edits_are_recovered_after_a_kill, begin),
        cmocka_unit_test_setup(recovered_edits_are_saved, begin),
        cmocka_unit_test_setup(text_is_no_answer, begin),
        cmocka_unit_test_setup(edits_of_a_relative_path_are_recovered, begin),
        cmocka_unit_test_setup(a_title_of_two_lines_is_recovered, begin),
        cmocka_unit_test_setup(what_was_left_is_offered, begin),
        cmocka_unit_test_setup(the_lines_of_a_text_are_recovered, begin),
        cmocka_unit_test_setup(a_folder_that_cannot_be_made_is_reported, begin),
        cmocka_unit_test_setup(a_folder_that_cannot_be_locked_is_not_used, begin),
        cmocka_unit_test_setup(edits_are_kept_until_they_are_discarded, begin),
        cmocka_unit_test_setup(edits_of_a_running_program_are_its_own, begin),
        cmocka_unit_test_setup(settings_last, begin),
        cmocka_unit_test_setup(a_wrong_settings_file_stays, begin),
        cmocka_unit_test_setup(the_picture_is_exported, begin),
        cmocka_unit_test_setup(a_load_alone_is_exported, begin),
        cmocka_unit_test_setup(each_view_is_exported, begin),
        cmocka_unit_test_setup(a_lesson_is_exported, begin),
        cmocka_unit_test_setup(a_path_is_exported_as_panels, begin),
        cmocka_unit_test_setup(what_is_too_large_is_refused, begin),
        cmocka_unit_test_setup(a_file_is_typed_on_the_first_screen, begin),
        cmocka_unit_test_setup(texts_are_copied, begin),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
