/* What the costs of a folder leave out: which rows have it, and the page about a row. */

#include "browse_parts.h"

/* The row on the screen that begins with a text in the frame of a table; "": none. */
static const char *row_of(struct drive *d, const char *text)
{
    static char row[512];
    const char *at = strstr(drive_screen(d), text);
    snprintf(row, sizeof row, "%.*s", at ? (int)strcspn(at, "\n") : 0, at ? at : "");
    return row;
}

/* A file of which something is not counted has a mark at every width; below the table is the first operation and the
 * reason. */
static void what_is_not_counted_has_a_mark(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, FOLDER);
    lw_job_finish(&d.ex);
    drive_keys(&d, "/");
    drive_type(&d, "softmax.gfx");
    drive_keys(&d, "Enter G");
    for (int width = 40; width < 210; width += 20) {
        drive_resize(&d, width, 24);
        assert_shows(&d, "│!softmax ");
        assert_shows(&d, "│ softmax ");
        assert_shows(&d, "! 2 not counted");
    }
    drive_resize(&d, 120, 24);
    assert_shows(&d, "! 2 not counted (i lists them): line 36, tt.reduce: ");
    drive_keys(&d, "Esc Enter");
    lw_job_finish(&d.ex);
    assert_shows(&d, "; 2 not counted");
    drive_keys(&d, "G");
    assert_shows(&d, "│!");
    drive_close(&d);
}

/* The keys sort by what is not counted also where its column has no room. */
static void the_keys_sort_by_it(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, FOLDER);
    lw_job_finish(&d.ex);
    for (int i = 0; i < 3; i++) {
        drive_resize(&d, sizes[i][0], sizes[i][1]);
        for (int k = 0; k < 12 && !strstr(drive_screen(&d), ", by not counted"); k++)
            drive_keys(&d, "Right");
        drive_keys(&d, "g");
        assert_shows(&d, " ↓not counted");
        assert_true(row_of(&d, "│!")[0] != '\0');
        size_t file = d.ex.browser->tables[LW_BROWSE_FILES].rows[0];
        for (size_t j = 0; j < d.ex.browser->folder.count; j++)
            assert_true(d.ex.browser->folder_costs[j].uncounted <=
                        d.ex.browser->folder_costs[file].uncounted);
        drive_keys(&d, "Left");
        assert_hides(&d, ", by not counted");
    }
    drive_close(&d);
    drive_put_file("a.ttgir", "module attributes {\"ttg.num-warps\" = 1 : i32, ttg.target = "
                              "\"cuda:80\"} {\n  tt.func public @k() {\n    tt.return\n  }\n}\n");
    drive_open(&d, drive_folder); /* all of it is counted */
    lw_job_finish(&d.ex);
    drive_resize(&d, 200, 40);
    assert_shows(&d, " k ");
    assert_hides(&d, "not counted");
    assert_hides(&d, "│!");
    drive_close(&d);
}

/* `i` has all operations that are not counted, each with its reason, and what else is known. */
static void a_page_has_the_reasons(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, FOLDER);
    lw_job_finish(&d.ex);
    drive_resize(&d, 120, 40);
    drive_keys(&d, "/");
    drive_type(&d, "matmul.gfx1100");
    drive_keys(&d, "Enter i");
    assert_int_equal(d.ex.focus, LW_FOCUS_PAGE);
    assert_shows(&d, "target        hip:gfx1100");
    assert_shows(&d, "; 9 not counted");
    assert_shows(&d, "line 75, ttg.local_store: register 0 of warp 0");
    assert_shows(&d, "line 102, ttg.local_store: ");
    drive_keys(&d, "Esc Enter i");
    assert_shows(&d, "operation     ttg.local_load, line 94 of ");
    assert_shows(&d, "32 KiB moved; in 1 ");
    drive_keys(&d, "Esc Tab i");
    assert_shows(&d, "layout        #blocked, line 1 of ");
    assert_shows(&d, "line 75: ttg.local_store");
    drive_keys(&d, "Esc /");
    drive_type(&d, "nothing has this");
    drive_keys(&d, "Enter i");
    assert_shows(&d, "no row contains 'nothing has this': Esc shows all");
    drive_keys(&d, "Up Enter");
    assert_shows(&d, "no row contains 'nothing has this': Esc shows all");
    drive_put_file("none.ttgir", "module {\n}\n");
    drive_close(&d);
    char path[200];
    snprintf(path, sizeof path, "%s/none.ttgir", drive_folder);
    drive_open(&d, path);
    drive_keys(&d, "Enter");
    assert_shows(&d, "no row is chosen: there are no layouts");
    drive_keys(&d, "Tab Enter");
    assert_shows(&d, "no row is chosen: there are no operations");
    unlink(path);
    drive_close(&d);
}

/* A file that cannot be read, or has errors, has the reason. */
static void errors_have_the_reason(void **state)
{
    struct drive d;
    (void)state;
    drive_put_file("b.ttgir", "#x = #ttg.blocked<{sizePer\n");
    drive_open(&d, drive_folder);
    lw_job_finish(&d.ex);
    drive_resize(&d, 120, 24);
    drive_keys(&d, "G");
    assert_shows(&d, "! error on line 2: ");
    drive_keys(&d, "i");
    assert_shows(&d, "error on line 2: ");
    drive_close(&d);
}

/* :learn opens the lessons also from a kernel or a folder, whose lists do not have them, and Esc leads back. */
static void lessons_open_from_here(void **state)
{
    struct drive d;
    (void)state;
    for (int folder = 0; folder < 2; folder++)
        for (int named = 0; named < 2; named++) {
            drive_open(&d, folder ? FOLDER : MATMUL);
            lw_job_finish(&d.ex);
            const unsigned focus = d.ex.focus;
            drive_command(&d, named ? "learn 1" : "learn");
            assert_shows(&d, named ? "Lesson 1: Who holds what, step 1" : "Lessons 1 of ");
            drive_keys(&d, "Esc Esc");
            lw_job_finish(&d.ex);
            if (named)
                assert_int_equal(d.ex.focus, focus);
            drive_command(&d, "learn 2"); /* they are in the list once */
            assert_shows(&d, "Lesson 2: ");
            drive_close(&d);
        }
    drive_open(&d, MATMUL); /* also where the list has files of lessons */
    lw_job_finish(&d.ex);
    drive_command(&d, "open layouts/lessons");
    drive_command(&d, "learn 2");
    assert_shows(&d, "Lesson 2: ");
    drive_close(&d);
}

/* A folder counts the costs of its kernels as each kernel does: for the target and the version of Triton that are set.
 */
static void options_are_for_the_costs(void **state)
{
    const struct lw_tui_options options[] = {
        {.hardware = lw_hardware_find("gfx950")},
        {.triton = {.version = LW_TRITON_3_9}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct drive d;
        drive_open_with(&d, i ? "tests/golden/launches" : FOLDER, &options[i]);
        lw_job_finish(&d.ex);
        drive_keys(&d, "/");
        drive_type(&d, i ? "colsum" : "outer3.gfx942");
        drive_keys(&d, "Enter");
        if (!i)
            assert_shows(&d, "costs for gfx950 (AMD CDNA 4");
        const struct lw_folder_cost *cost =
            &d.ex.browser->folder_costs[lw_browse_chosen(d.ex.browser, LW_BROWSE_FILES)];
        drive_keys(&d, "Enter");
        lw_job_finish(&d.ex);
        assert_int_equal(cost->wavefronts, d.ex.browser->costs.run_wavefronts);
        assert_int_equal(cost->ideal, d.ex.browser->costs.run_ideal);
        drive_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_counted_has_a_mark),
        cmocka_unit_test(the_keys_sort_by_it),
        cmocka_unit_test(a_page_has_the_reasons),
        cmocka_unit_test(errors_have_the_reason),
        cmocka_unit_test(lessons_open_from_here),
        cmocka_unit_test(options_are_for_the_costs),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
