/* Copying out and exporting: what is written is what the command line that is copied prints. */

#include "tui/copy_parts.h"

#include <stdlib.h>
#include <unistd.h>

/* Of the words one line is wanted, the whole of it. */
static void a_line_of_words(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_keys(&d, "9 y");
    assert_string_equal(d.ex.clipboard.label, "this line");
    assert_string_equal(lw_text_string(&d.ex.clipboard.text), drive_cell(&d));
    assert_null(strchr(lw_text_string(&d.ex.clipboard.text), '\n'));
    drive_keys(&d, "Down y");
    assert_string_equal(lw_text_string(&d.ex.clipboard.text), drive_cell(&d));
    drive_keys(&d, "v y");
    assert_string_equal(d.ex.clipboard.label, "the selected cells of 1 x 1");
    drive_close(&d);
}

static void exports_are_what_the_command_prints(void **state)
{
    static const struct {
        const char *source, *keys;
    } cases[] = {
        {"start/16x16", ""},
        {"start/16x16", "/ t 9 Enter m Enter m C-u 5 , 7 Enter m C-u l a n e Space 3 Enter"},
        {"start/16x16", "m C-u t 9 Enter 2"},
        {"blocked/16x64", "m C-u t 9 Enter Down v Down Right Right Right Right Right"},
        {"mma/m16n8k16", "m C-u B Space t 1 3 Enter m C-u A Space 3 , 5 Enter"},
        {"blocked/16x64", "2"},
        {"mma/m16n8k16.c", "c"},
        {"swizzle/16x32-xor", "4"},
        {"local(2, 1).spatial(8, 4)", "Down Right v Down Down Right"},
        {"blocked/16x64", "Down v Down Right"},
        {"mma/m16n8k16.c", "3"},
    };
    size_t count;
    const struct lw_format *const *formats = lw_formats(&count);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open(&d, cases[i].source);
        drive_keys(&d, cases[i].keys);
        assert_int_equal(d.ex.marks.count > 0, strstr(cases[i].keys, "m C-u") != NULL);
        for (size_t f = 0; f < count; f++) {
            if (formats[f]->binary)
                continue; /* the drawing of svg, and no text */
            if (d.ex.marks.count && !formats[f]->marks)
                continue; /* refused: the file would have no marks */
            struct lw_text line = {0}, printed = {0}, written = {0}, path = {0};
            char more[64];
            lw_text_format(&path, "%s/%zu-%zu.%s", drive_folder, i, f, formats[f]->extension);
            lw_text_format(&line, ":export %s", lw_text_string(&path));
            type(&d, lw_text_string(&line));
            assert_shows(&d, "written");
            assert_true(lw_file_read(lw_text_string(&path), &written, NULL));
            snprintf(more, sizeof more, "--format %s", formats[f]->name);
            run_command(&d, more, &printed);
            assert_string_equal(lw_text_string(&written), lw_text_string(&printed));
            lw_text_free(&line);
            lw_text_free(&printed);
            lw_text_free(&written);
            lw_text_free(&path);
        }
        drive_close(&d);
    }
}

static size_t count_of(const char *text, const char *piece)
{
    size_t count = 0;
    for (; (text = strstr(text, piece)); text += strlen(piece))
        count++;
    return count;
}

/* A drawing has what is on the screen: both panes, and the marks of the cells that the explorer marks. */
static void drawings_have_panes_and_marks(void **state)
{
    struct drive d;
    struct lw_text line = {0}, written = {0}, path = {0};
    (void)state;
    drive_open(&d, "mma/m16n8k16.c");
    type(&d, ":mark l9");
    drive_keys(&d, "|");
    assert_int_equal(d.ex.panes.count, 2);
    lw_text_format(&path, "%s/both.svg", drive_folder);
    lw_text_format(&line, ":export %s", lw_text_string(&path));
    type(&d, lw_text_string(&line));
    assert_shows(&d, "written");
    assert_true(lw_file_read(lw_text_string(&path), &written, NULL));
    assert_int_equal(count_of(lw_text_string(&written), "class=\"k\""), 2);
    const char *marks = strstr(lw_text_string(&written), "class=\"k\" d=\"");
    assert_int_equal(count_of(marks, "z"), 8); /* four elements of lane 9 in each */
    lw_text_free(&line);
    lw_text_free(&written);
    lw_text_free(&path);
    drive_close(&d);
}

/* A file has both panes, one after the other where it is no drawing; a format that has one view reports the other. */
static void files_have_both_panes(void **state)
{
    static const struct {
        const char *name, *message;
        bool both;
    } cases[] = {
        {"both.txt", "both.txt: written", true},
        {"both.md", "both.md: written", true},
        {"both.csv",
         "both.csv: written without the other pane (Owners: blocked/row-major-4x4): svg, html and "
         "md have both",
         false},
        {"both.json", "both.json: written without the other pane (Owners: blocked/row-major-4x4)",
         false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        struct lw_text line = {0}, written = {0}, path = {0};
        drive_open(&d, "blocked/row-major-4x4");
        drive_resize(&d, 200, 40);
        drive_command(&d, "compare blocked/column-major-4x4");
        drive_keys(&d, "w");
        lw_text_format(&path, "%s/%s", drive_folder, cases[i].name);
        lw_text_format(&line, ":export %s", lw_text_string(&path));
        type(&d, lw_text_string(&line));
        assert_non_null(strstr(d.ex.status.message, cases[i].message));
        assert_true(lw_file_read(lw_text_string(&path), &written, NULL));
        const char *text = lw_text_string(&written);
        assert_int_equal(strstr(text, "order = [0, 1]") != NULL, i != 2);
        assert_int_equal(strstr(text, "order = [1, 0]") != NULL, cases[i].both);
        lw_text_free(&line);
        lw_text_free(&written);
        lw_text_free(&path);
        drive_close(&d);
    }
}

/* The copied command has the marks, each as --highlight reads it. */
static void commands_have_marks(void **state)
{
    struct drive d;
    struct lw_text line = {0};
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_command(&d, "mark t9");
    drive_command(&d, "mark 3,5");
    lw_put_command(&d.ex, &line);
    assert_string_equal(lw_text_string(&line), "laneway show blocked/16x64 --view owners "
                                               "--highlight 't9 | 3,5' --no-dim");
    lw_copy(&d.ex, true);
    assert_null(strstr(d.ex.clipboard.label, " without "));
    drive_keys(&d, "3"); /* a matrix shows no marks */
    lw_copy(&d.ex, true);
    assert_non_null(strstr(d.ex.clipboard.label, " without 2 marks"));
    drive_keys(&d, "1");
    drive_keys(&d, "M");
    drive_command(&d, "mark 3 5");
    drive_command(&d, "mark W0l3");
    drive_command(&d, "mark T9:1");
    lw_text_clear(&line);
    lw_put_command(&d.ex, &line);
    assert_non_null(strstr(lw_text_string(&line), "--highlight '3 5 | W0l3 | T9:1' --no-dim"));
    drive_keys(&d, "M");
    lw_text_clear(&line);
    lw_put_command(&d.ex, &line);
    assert_string_equal(lw_text_string(&line), "laneway show blocked/16x64 --view owners");
    lw_text_free(&line);
    drive_close(&d);
}

/* In tables of markup the texts of marked cells are bold; a format that cannot show marks is reported. */
static void tables_have_marks(void **state)
{
    static const struct {
        const char *name, *cell, *message;
    } cases[] = {
        {"m.md", "| **T9:0** ", "m.md: written"},
        {"m.rst", "**T9:0**", "m.rst: written"},
        {"m.txt", "│ *T9:0* ", "m.txt: written"},
        {"m.ans", "\x1b[1;4;38;5;231;48;5;63mT9:0\x1b[0m", "m.ans: written"},
        {"m.csv", "T9:0", "written without the marks: svg, html and md show them"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        struct lw_text path = {0}, written = {0};
        drive_open(&d, "blocked/16x64");
        drive_resize(&d, 200, 40);
        drive_command(&d, "mark t9");
        lw_text_format(&path, "%s/%s", drive_folder, cases[i].name);
        drive_keys(&d, "e C-u");
        type(&d, lw_text_string(&path));
        assert_shows(&d, cases[i].message);
        FILE *file = fopen(lw_text_string(&path), "r");
        assert_non_null(file);
        read_all(file, &written);
        fclose(file);
        assert_non_null(strstr(lw_text_string(&written), cases[i].cell));
        assert_null(strstr(lw_text_string(&written), "**T10:0**"));
        lw_text_free(&written);
        lw_text_free(&path);
        drive_close(&d);
    }
}

/* As on the screen, a drawing is not folded; its panels are below each other, and what differs is marked. */
static void drawings_are_not_folded(void **state)
{
    struct drive d;
    struct lw_text line = {0}, written = {0}, path = {0};
    unsigned width = 0, height = 0;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_keys(&d, "d");
    type(&d, ":set order=[0, 1]");
    lw_text_format(&path, "%s/compared.svg", drive_folder);
    lw_text_format(&line, ":export %s", lw_text_string(&path));
    type(&d, lw_text_string(&line));
    assert_shows(&d, "written");
    assert_true(lw_file_read(lw_text_string(&path), &written, NULL));
    const char *size = strstr(lw_text_string(&written), "viewBox=\"0 0 ");
    assert_non_null(size);
    assert_int_equal(sscanf(size, "viewBox=\"0 0 %u %u", &width, &height), 2);
    assert_true(width > 960 && height < width);
    assert_int_equal(count_of(lw_text_string(&written), "class=\"k\""), 2);
    lw_text_free(&line);
    lw_text_free(&written);
    lw_text_free(&path);
    drive_close(&d);
}

static void copies_are_what_the_command_prints(void **state)
{
    struct drive d;
    struct lw_text printed = {0};
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_keys(&d, "2 Down v Down Right y");
    run_command(&d, "--color never", &printed);
    assert_string_equal(lw_text_string(&d.ex.clipboard.text), lw_text_string(&printed));
    lw_copied(&d.ex, LW_COPIED_SENT);
    assert_shows(&d, "copied the selected cells of 2 x 2: sent to the terminal");
    assert_int_equal(d.ex.clipboard.text.length, 0);
    drive_keys(&d, "v Y");
    assert_string_equal(lw_text_string(&d.ex.clipboard.text),
                        "laneway show blocked/16x64 --view hardware");
    lw_copied(&d.ex, LW_COPIED_SENT);
    type(&d, ":set order=[0, 1]"); /* an edited layout is copied in full */
    lw_text_clear(&printed);
    run_command(&d, "--color never", &printed);
    drive_keys(&d, "y");
    assert_string_equal(lw_text_string(&d.ex.clipboard.text), lw_text_string(&printed));
    lw_text_free(&printed);
    drive_close(&d);
}

static void a_file_where_there_is_no_clipboard(void **state)
{
    struct drive d;
    struct lw_text path = {0}, text = {0};
    (void)state;
    drive_open(&d, "local(2, 1).spatial(8, 4)");
    drive_resize(&d, 160, 30);
    setenv("XDG_STATE_HOME", drive_folder, 1);
    drive_keys(&d, "Y");
    const size_t length = d.ex.clipboard.text.length;
    struct lw_text reason = {0};
    lw_copied(&d.ex, LW_COPIED_TOO_LONG);
    lw_text_format(&reason, "as its %zu bytes are more than a clipboard accepts (74994)", length);
    assert_non_null(strstr(d.ex.status.message, lw_text_string(&reason)));
    lw_text_free(&reason);
    drive_keys(&d, "Y");
    lw_copied(&d.ex, LW_COPIED_NO_CLIPBOARD);
    assert_shows(&d, "as this terminal has no clipboard");
    assert_shows(&d, drive_folder);
    assert_true(lw_folder_path(&path, LW_FOLDER_STATE, "copied.txt", NULL));
    assert_true(lw_file_read(lw_text_string(&path), &text, NULL));
    assert_string_equal(lw_text_string(&text),
                        "laneway show 'local(2, 1).spatial(8, 4)' --view product");
    setenv("XDG_STATE_HOME", "/dev/null", 1); /* no folder can be there */
    drive_keys(&d, "Y");
    lw_copied(&d.ex, LW_COPIED_NO_CLIPBOARD);
    assert_shows(&d, "not copied: ");
    unsetenv("XDG_STATE_HOME");
    lw_text_free(&path);
    lw_text_free(&text);
    drive_close(&d);
}

static void refusals(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [2, 4], "
                   "threadsPerWarp = [2, 16], warpsPerCTA = [2, 2], order = [1, 0]}>>");
    drive_keys(&d, "y");
    assert_shows(&d, "more than 65536 cells");
    type(&d, ":export grid.txet");
    assert_shows(&d, "unknown extension");
    type(&d, ":set shape=1024,1024");
    type(&d, ":export grid.svg");
    lw_job_finish(&d.ex);
    assert_shows(&d, "more than 65536 cells: v selects some");
    type(&d, ":export /nowhere/grid.txt");
    assert_shows(&d, "not written: ");
    drive_close(&d);
    drive_open(&d, "start/16x16");
    type(&d, ":export /dev/full.txt/x.txt");
    assert_shows(&d, "not written: ");
    drive_keys(&d, "e");
    assert_int_equal(d.ex.focus, LW_FOCUS_EXPORT);
    drive_keys(&d, "Esc");
    struct lw_text line = {0};
    lw_text_format(&line, ":export %s/twice.md", drive_folder);
    type(&d, lw_text_string(&line));
    type(&d, lw_text_string(&line));
    assert_shows(&d, "twice.md exists already");
    drive_keys(&d, "y");
    assert_shows(&d, "written");
    lw_text_free(&line);
    drive_close(&d);
}

/* A name of a file that is refused stays in the line, with the reason above it, until it is accepted or cancelled. */
static void refused_names_stay(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, "e");
    drive_type(&d, "/nowhere/grid.latx");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_EXPORT);
    assert_shows(&d, "export to: /nowhere/grid.latx");
    assert_shows(&d, "unknown extension");
    drive_keys(&d, "Backspace Backspace Backspace Backspace");
    drive_type(&d, "tex");
    assert_hides(&d, "unknown extension");
    drive_keys(&d, "Enter");
    assert_shows(&d, "export to: /nowhere/grid.tex");
    assert_shows(&d, "No such file or directory");
    drive_resize(&d, 20, 2); /* without a row for the reason */
    drive_draw(&d);
    drive_resize(&d, 80, 24);
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_hides(&d, "No such file or directory");
    drive_keys(&d, "s");
    drive_type(&d, "/nowhere/it.json");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_SAVE);
    assert_shows(&d, "save to: /nowhere/it.json");
    drive_keys(&d, "Esc");
    drive_close(&d);
}

/* A command where a file name belongs is refused, and the message has what would be right. */
static void commands_are_no_file_names(void **state)
{
    static const char *const cases[][2] = {
        {":write :export b.png",
         "':export b.png' is no file name: the command is typed alone, :export "
         "b.png; a file of that name is ./:export b.png"},
        {":w export b.png",
         "'export b.png' is no file name: the command is typed alone, :export b.png;"},
        {":write w", NULL},
        {":write :", "':' is no file name"},
        {":export a.svg :view banks", "the command is typed alone, :view banks;"},
        {":write it.json :q", "the command is typed alone, :q;"},
        {":export :it.svg", "':it.svg' is no file name"},
        {":write my layout.json", NULL},
        {":write ./export b.json", NULL},
    };
    char before[1024];
    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(drive_folder), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open(&d, "start/16x16");
        drive_type(&d, cases[i][0]);
        drive_keys(&d, "Enter");
        if (cases[i][1])
            assert_non_null(strstr(d.ex.status.message, cases[i][1]));
        else
            assert_non_null(strstr(d.ex.status.message, "saved"));
        drive_close(&d);
    }
    assert_int_not_equal(access(":export b.png", F_OK), 0);
    assert_int_not_equal(access("export b.png", F_OK), 0);
    assert_int_equal(unlink("w") | unlink("my layout.json") | unlink("export b.json"), 0);
    assert_int_equal(chdir(before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_of_words),
        cmocka_unit_test(exports_are_what_the_command_prints),
        cmocka_unit_test(drawings_have_panes_and_marks),
        cmocka_unit_test(files_have_both_panes),
        cmocka_unit_test(commands_have_marks),
        cmocka_unit_test(tables_have_marks),
        cmocka_unit_test(drawings_are_not_folded),
        cmocka_unit_test(copies_are_what_the_command_prints),
        cmocka_unit_test(a_file_where_there_is_no_clipboard),
        cmocka_unit_test(refusals),
        cmocka_unit_test(refused_names_stay),
        cmocka_unit_test(commands_are_no_file_names),
    };
    return cmocka_run_group_tests_name("copy", tests, drive_make_folder, drive_remove_folder);
}
