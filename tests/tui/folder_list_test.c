/* A folder of layouts as SOURCE: a list of its documents, as the gallery is one. */

#include "browse_parts.h"
#include "kernel/kernel_folder.h"

#define LAYOUT                                                                                     \
    "{\"encoding\": \"blocked\", \"title\": \"%s\", \"shape\": [16, 64], \"element\": \"f16\", "   \
    "\"params\": {\"sizePerThread\": [1, 8], \"threadsPerWarp\": [4, 8], \"warpsPerCTA\": [4, "    \
    "1], "                                                                                         \
    "\"order\": [1, 0]}}"

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", drive_folder, name);
    return path;
}

static void put_file(const char *name, const char *format, const char *title)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fprintf(file, format, title);
    fclose(file);
}

static void make_files(void)
{
    mkdir(path_of("saved"), 0700);
    mkdir(path_of("saved/sub"), 0700);
    mkdir(path_of("saved/.hidden"), 0700);
    put_file("saved/b.json", LAYOUT, "the second one");
    put_file("saved/a.json", LAYOUT, "the first one");
    put_file("saved/broken.json", "{\"encoding\": %s", "");
    put_file("saved/notes.txt", "%s", "no layout");
    put_file("saved/sub/c.json", LAYOUT, "one below");
    put_file("saved/.hidden/d.json", LAYOUT, "hidden");
}

/* Its documents are the list, by their paths; one that cannot be read is there, with the reason when it is chosen. */
static void a_folder_is_its_layouts(void **state)
{
    struct drive d;
    (void)state;
    make_files();
    drive_open(&d, path_of("saved"));
    drive_resize(&d, 120, 40);
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    assert_shows(&d, "Layouts 1 of 4");
    assert_shows(&d, " a.json ");
    assert_shows(&d, " sub/c.json ");
    assert_shows(&d, "the first one");
    assert_hides(&d, "notes.txt");
    assert_hides(&d, "d.json");
    assert_hides(&d, "blocked/16x64"); /* the gallery */
    drive_keys(&d, "Down Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_shows(&d, "laneway  b.json   16x64xf16 blocked");
    drive_keys(&d, "Esc Down");
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    assert_shows(&d, "broken.json");
    assert_shows(&d, "expected ");
    drive_keys(&d, "/");
    drive_type(&d, "sub/");
    drive_keys(&d, "Enter");
    assert_string_equal(lw_entry_name(lw_explorer_entry(&d.ex)), "sub/c.json");
    drive_keys(&d, "Esc q");
    assert_true(d.ex.quit);
    drive_close(&d);
}

/* An edit of one is saved to its file, and options of the command line are for all of them. */
static void its_layouts_are_edited_and_saved(void **state)
{
    const struct lw_tui_options options = {.element = "f32"};
    char line[512] = "";
    struct drive d;
    (void)state;
    make_files();
    drive_open(&d, path_of("saved"));
    drive_keys(&d, "Down");
    drive_command(&d, "set sizePerThread=[1, 4]");
    assert_true(lw_explorer_entry(&d.ex)->dirty);
    drive_keys(&d, "s");
    assert_false(lw_explorer_entry(&d.ex)->dirty);
    drive_close(&d);
    FILE *file = fopen(path_of("saved/b.json"), "r");
    assert_non_null(file);
    size_t length = fread(line, 1, sizeof line - 1, file);
    line[length] = '\0';
    fclose(file);
    assert_non_null(strstr(line, "[1, 4]"));
    drive_open_with(&d, path_of("saved"), &options);
    drive_resize(&d, 120, 40);
    assert_shows(&d, "16x64xf32 blocked");
    drive_close(&d);
}

/* :open adds them to the list, each once, and Esc leads back. */
static void a_command_opens_a_folder(void **state)
{
    struct drive d;
    char line[300];
    (void)state;
    make_files();
    snprintf(line, sizeof line, "open %s", path_of("saved"));
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 40);
    size_t count = d.ex.list.count;
    for (int i = 0; i < 2; i++) {
        drive_command(&d, line);
        assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
        assert_int_equal(d.ex.list.count, count + 4);
        assert_string_equal(lw_entry_name(lw_explorer_entry(&d.ex)), "a.json");
        drive_keys(&d, "Esc");
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        assert_shows(&d, "laneway  blocked/16x64");
    }
    mkdir(path_of("empty"), 0700);
    snprintf(line, sizeof line, "open %s", path_of("empty"));
    drive_command(&d, line);
    assert_shows(&d, "there is neither a kernel nor a layout in this folder or below it");
    assert_int_equal(d.ex.list.count, count + 4);
    drive_close(&d);
}

/* A folder with neither is refused; with a kernel it is the table of its kernels, as Triton's own files are beside
 * those. */
static void other_folders(void **state)
{
    char path[256];
    const char *source = path;
    const struct lw_tui_options options = {.sources = &source, .count = 1};
    struct lw_explorer ex;
    struct lw_error err;
    struct drive d;
    (void)state;
    snprintf(path, sizeof path, "%s", path_of("none"));
    mkdir(source, 0700);
    assert_false(lw_explorer_init(&ex, &options, &err));
    assert_non_null(strstr(err.message, "there is neither a kernel nor a layout in this folder"));
    put_file("none/k.json", LAYOUT, "metadata");
    put_file("none/k.ttgir", "module {\n}\n%s", "");
    drive_open(&d, source);
    assert_int_equal(d.ex.focus, LW_FOCUS_FOLDER);
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_is_its_layouts),
        cmocka_unit_test(its_layouts_are_edited_and_saved),
        cmocka_unit_test(a_command_opens_a_folder),
        cmocka_unit_test(other_folders),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
