/* The copied command prints what the screen shows, and what y copies. */

#include "tui/copy_parts.h"

/* The view of the copied command has the texts of the screen, and a + or all owners where an element has several. */
static void check_texts(struct drive *d, const char *where)
{
    const struct lw_view_pane *pane = d->ex.panes.active;
    const struct lw_view *shown = &pane->view;
    struct lw_view view;
    struct lw_copy_format format;
    struct lw_export_options options;
    struct lw_text text = {0}, copied = {0};
    struct lw_cell cell;
    struct lw_spot spot;
    assert_true(lw_copy_pane(pane, &view, &format, &options, NULL));
    bool texts = shown->type->formatted && pane->detail != LW_DETAIL_CHAR && shown->rows < 300;
    bool flat =
        shown->color && !strcmp(shown->color, "hardware"); /* the one number that has no format */
    texts = texts && !(flat && pane->detail == LW_DETAIL_NUMBER);
    for (uint64_t r = 0; texts && r < shown->rows; r++)
        for (uint64_t c = 0; c < shown->cols && c < 300; c++) {
            uint64_t row = r, col = c;
            if (shown->type->layout && (!shown->type->spot(shown, r, c, &spot) || spot.operand ||
                                        !lw_view_find(&view, &spot, &row, &col)))
                continue;
            lw_text_clear(&text);
            lw_text_clear(&copied);
            shown->type->cell(shown, r, c, &text, &cell);
            view.type->cell(&view, row, col, &copied, &cell);
            const char *want = lw_text_string(&text), *got = lw_text_string(&copied);
            if (cell.owners > 1 ? !strchr(want, '+') && !strstr(got, want) : strcmp(got, want) != 0)
                fail_msg("%s: cell %d,%d is %s on the screen, %s in the copy", where, (int)r,
                         (int)c, want, got);
        }
    lw_view_close(&view);
    lw_text_free(&text);
    lw_text_free(&copied);
}

/* Cuts off what is around a grid: the title and text of a document of several layouts are not of one of them. */
static const char *grid_of(struct lw_text *text)
{
    char *all = text->data, *grid = all ? strstr(all, "┌") : NULL, *last = NULL;
    for (char *at = grid; at && (at = strstr(at, "┘")); at++)
        last = at;
    if (last)
        *last = '\0';
    return grid ? grid : all;
}

/* A saved document is read, and has that view. */
static void check_read_again(const char *json, const char *view)
{
    struct lw_document doc;
    struct lw_opened subject;
    struct lw_view opened;
    const struct lw_view_options options = {.detail = LW_DETAIL_FULL};
    assert_true(lw_document_read(&doc, json, strlen(json), NULL, NULL));
    assert_true(lw_subject_open(&subject, &doc, 0, NULL));
    assert_true(lw_view_open(&opened, lw_view_type_find(view), &subject.subject, &options, NULL));
    lw_view_close(&opened);
    lw_subject_close(&subject);
    lw_document_free(&doc);
}

/* What the copied command prints is what y copies, and that has the texts of the screen. */
static void check_command(struct drive *d, const char *where)
{
    struct lw_text printed = {0};
    drive_draw(d);
    lw_refresh(&d->ex, 0);
    check_texts(d, where);
    drive_action(d, "copy");
    if (d->ex.panes.active->has_view && d->ex.clipboard.text.length &&
        strcmp(d->ex.panes.active->view.type->name, "notation") != 0) {
        run_command(d, "--color never", &printed);
        const char *copied = grid_of(&d->ex.clipboard.text), *other = grid_of(&printed);
        if (strcmp(copied, other) != 0) {
            struct lw_text line = {0};
            lw_put_command(&d->ex, &line);
            for (; *copied && *copied == *other; other++)
                copied++;
            fail_msg("%s: %s prints %.60s, not %.60s", where, lw_text_string(&line), other, copied);
        }
    }
    lw_text_free(&printed);
}

static void check_views(const char *source)
{
    struct drive d;
    char where[160];
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    drive_open(&d, source);
    for (size_t v = 0; v < count; v++) {
        if (!lw_pane_can_show(&d.ex, d.ex.panes.active, v))
            continue;
        drive_fit(&d);
        drive_show(&d, types[v]);
        for (int zoom = 0; zoom < 4; zoom++, drive_keys(&d, "+")) {
            snprintf(where, sizeof where, "%s, view %s, %d times +", source, types[v]->name, zoom);
            check_command(&d, where);
        }
    }
    drive_close(&d);
}

/* Each layout of the gallery as it opens, and some in every view and zoom. */
static void commands_print_the_screen(void **state)
{
    static const char *const thorough[] = {
        "start/16x16",       "mma/m16n8k16",        "mma/2x2-warps",
        "swizzle/16x32-xor", "cute/tiled-mma-abc",  "banks/transpose-swizzled",
        "mma/m16n8k16.c",    "mma/wgmma-m64n64k16", "slice/row-of-16x64",
        "scale/sm120-a",     "convert/shuffle",     "local(3, 4).spatial(2, 3)"};
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    for (size_t i = 0; i < d.ex.list.count; i++) {
        struct drive one;
        if (d.ex.list.entries[i].lesson || strstr(d.ex.list.entries[i].source, ".ttgir"))
            continue;
        drive_open(&one, d.ex.list.entries[i].source);
        drive_fit(&one);
        check_command(&one, d.ex.list.entries[i].source);
        drive_close(&one);
    }
    drive_close(&d);
    for (size_t i = 0; i < sizeof thorough / sizeof *thorough; i++)
        check_views(thorough[i]);
}

/* Selected cells are the same in the copy, also where a cell of an MMA has several elements, and in a player. */
static void commands_have_selections(void **state)
{
    static const struct {
        const char *source, *view, *keys;
    } cases[] = {
        {"start/16x16", "owners", "Down Right v Down Down Right"},
        {"mma/m16n8k16", "mma", "Down v Down Right"},
        {"mma/m16n8k16.c", "mma", "End Left v Down Down Left Left"},
        {"mma/2x2-warps", "mma", "Down Right Right v Down Right Right Right Right Right"},
        {"slice/row-of-16x64", "owners", "Right Right v Right"},
        {"banks/transpose-row-major", "banks", ""},
        {"banks/transpose-row-major", "banks", "Enter"},
        {"banks/transpose-row-major", "banks", "Enter Space Right"},
        {"banks/transpose-swizzled", "banks", "Down v Down Right"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int fit = 0; fit < 2; fit++) {
            struct drive d;
            drive_open(&d, cases[i].source);
            if (fit)
                drive_fit(&d);
            drive_show(&d, lw_view_type_find(cases[i].view));
            drive_keys(&d, cases[i].keys);
            check_command(&d, cases[i].source);
            drive_close(&d);
        }
}

/* Selected cells of several elements have all of their elements: in the command, the copy and the file. */
static void commands_have_whole_cells(void **state)
{
    static const struct {
        const char *keys, *ranges;
    } cases[] = {
        {"v Right Right Down", "--rows 0:2 --cols 0:12"},
        {"Right Right v Left", "--rows 0:1 --cols 4:12"},
        {"End v Left Left", "--rows 0:1 --cols 52:64"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        struct lw_text line = {0}, path = {0}, written = {0};
        drive_open(&d, "blocked/16x64");
        drive_fit(&d);
        assert_int_equal(d.ex.panes.active->step_cols, 4);
        drive_keys(&d, cases[i].keys);
        lw_put_command(&d.ex, &line);
        assert_non_null(strstr(lw_text_string(&line), cases[i].ranges));
        check_command(&d, cases[i].keys);
        lw_text_format(&path, "%s/cells-%zu.txt", drive_folder, i);
        lw_export_to(&d.ex, lw_text_string(&path));
        drive_action(&d, "copy");
        assert_true(lw_file_read(lw_text_string(&path), &written, NULL));
        assert_string_equal(lw_text_string(&written), lw_text_string(&d.ex.clipboard.text));
        lw_text_free(&line);
        lw_text_free(&path);
        lw_text_free(&written);
        drive_close(&d);
    }
}

/* A mark that no cell of the command has is left out, and counted: a command that draws none of them would fail. */
static void commands_leave_marks_out(void **state)
{
    struct drive d;
    struct lw_text line = {0}, printed = {0};
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_command(&d, "mark t9");
    drive_command(&d, "mark 3,5");
    drive_keys(&d, "v Down Down Right Right");
    assert_int_equal(lw_put_command(&d.ex, &line), 2);
    assert_string_equal(lw_text_string(&line),
                        "laneway show blocked/16x64 --view owners --rows 0:3 --cols 0:3");
    run_command(&d, "", &printed);
    drive_keys(&d, "Y");
    assert_string_equal(d.ex.clipboard.label,
                        "laneway show blocked/16x64 --view owners --rows 0:3 --cols 0"
                        "… without 2 marks");
    drive_keys(&d, "Down Right Right Right");
    lw_text_clear(&line);
    assert_int_equal(lw_put_command(&d.ex, &line), 1);
    assert_non_null(strstr(lw_text_string(&line), "--cols 0:6 --highlight 3,5 --no-dim"));
    drive_keys(&d, "v");
    lw_text_clear(&line);
    assert_int_equal(lw_put_command(&d.ex, &line), 0);
    drive_command(&d, "set shape=1024,1024"); /* all of the view has the marks */
    lw_text_clear(&line);
    assert_int_equal(lw_put_command(&d.ex, &line), 0);
    assert_non_null(strstr(lw_text_string(&line), "--highlight 't9 | 3,5'"));
    lw_text_free(&line);
    lw_text_free(&printed);
    drive_close(&d);
}

/* The command has the marks of its picture also when they are of another layout on the screen: as elements. */
static void commands_have_marks_of_other_layouts(void **state)
{
    struct drive d;
    struct lw_text line = {0};
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_fit(&d);
    drive_show(&d, lw_view_type_find("memory"));
    while (d.ex.panes.active->shown.side != LW_SIDE_A)
        drive_keys(&d, "x");
    drive_command(&d, "mark t3"); /* of A, whose thread 3 has one element, (0,3) */
    while (d.ex.panes.active->shown.side != LW_SIDE_S)
        drive_keys(&d, "x");
    drive_command(&d, "mark 5,7");
    drive_command(&d, "mark bank 4");
    assert_int_equal(lw_put_command(&d.ex, &line), 0);
    assert_non_null(strstr(lw_text_string(&line), "--highlight '0,3 | 5,7 | bank 4' --no-dim"));
    check_command(&d, "marks of A and S");
    drive_show(&d, lw_view_type_find("owners"));
    while (d.ex.panes.active->shown.side != LW_SIDE_B)
        drive_keys(&d, "x");
    lw_text_clear(&line);
    lw_put_command(&d.ex, &line);
    assert_non_null(strstr(lw_text_string(&line), "--highlight '0,3 | 5,7 | 0,4 | 1,4 | "));
    check_command(&d, "marks of A and S at B");
    lw_text_free(&line);
    drive_close(&d);
}

/* A layout of the gallery has its name in the command, also where it was opened later. */
static void commands_have_names(void **state)
{
    static const char *const commands[][2] = {
        {"mma m16n8k16", "laneway show mma/m16n8k16 --view mma"},
        {"open mma/m16n8k16.c", "laneway show mma/m16n8k16.c --view owners"}};
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct lw_text line = {0};
        drive_command(&d, commands[i][0]);
        lw_put_command(&d.ex, &line);
        assert_string_equal(lw_text_string(&line), commands[i][1]);
        lw_text_free(&line);
        check_command(&d, commands[i][0]);
    }
    drive_close(&d);
}

/* What is lit while the rest is dimmed is in the command, in which the other cells are faint too, and in a copy. */
static void commands_have_what_is_lit(void **state)
{
    struct drive d;
    struct lw_text line = {0};
    (void)state;
    drive_open(&d, "mma/m16n8k16.c");
    drive_fit(&d);
    drive_keys(&d, "/");
    drive_type(&d, "t9");
    drive_keys(&d, "Enter");
    lw_put_command(&d.ex, &line);
    assert_null(strstr(lw_text_string(&line), "--highlight"));
    drive_keys(&d, "h");
    lw_text_clear(&line);
    lw_put_command(&d.ex, &line);
    assert_string_equal(lw_text_string(&line),
                        "laneway show mma/m16n8k16.c --view owners --highlight lane=9");
    check_command(&d, "a lane is lit");
    drive_command(&d, "mark 0,0");
    lw_text_clear(&line);
    lw_put_command(&d.ex, &line);
    assert_non_null(strstr(lw_text_string(&line), "--highlight '0,0 | lane=9'"));
    check_command(&d, "a lane is lit, an element marked");
    lw_text_free(&line);
    drive_close(&d);
}

/* The command and the saved document have the operands of what was computed here, also with an element. */
static void commands_have_operands(void **state)
{
    struct drive d;
    struct lw_text line = {0};
    (void)state;
    drive_open(&d, "(4,(2,8)):(2,(1,8))");
    for (int i = 0; i < 2; i++) {
        drive_command(&d, "zipped_divide(it, <2:1,8:2>)");
        assert_string_equal(d.ex.panes.active->view.type->name, "product");
        check_command(&d, "a quotient of it");
        lw_text_clear(&line);
        lw_document_print(&line, lw_explorer_document(&d.ex));
        check_read_again(lw_text_string(&line), "product");
        drive_keys(&d, "Esc");
        drive_command(&d, "set element=f16");
    }
    lw_text_free(&line);
    drive_close(&d);
}

/* The command has the target; one that `show` refuses, as there are too many cells, is not copied. */
static void commands_have_targets_and_limits(void **state)
{
    struct drive d;
    struct lw_text line = {0};
    (void)state;
    drive_open(&d, "shared/nvmma-128");
    drive_command(&d, "target gfx950");
    check_command(&d, "shared/nvmma-128 for gfx950");
    lw_put_command(&d.ex, &line);
    assert_string_equal(lw_text_string(&line),
                        "laneway show shared/nvmma-128 --view memory --target gfx950");
    drive_command(&d, "target layouts/targets/gfx1101.json");
    check_command(&d, "shared/nvmma-128 for the target of a file");
    lw_text_clear(&line);
    lw_put_command(&d.ex, &line);
    assert_string_equal(lw_text_string(&line), "laneway show shared/nvmma-128 --view memory "
                                               "--target layouts/targets/gfx1101.json");
    drive_close(&d);
    drive_open(&d, "local(2,2,2,2,8)"); /* as many marks as there can be, of many numbers */
    for (int i = 0; i < 8; i++) {
        lw_text_clear(&line);
        lw_text_format(&line, "mark 0,0,0,0,%d", i);
        drive_command(&d, lw_text_string(&line));
    }
    check_command(&d, "eight marks of five dims");
    drive_close(&d);
    drive_open(&d, "local(512,512).spatial(32,32)"); /* a selection of many cells */
    drive_command(&d, "view product");
    drive_keys(&d, "g v G Y");
    drive_close(&d);
    drive_open(&d, "blocked/16x64");
    drive_command(&d, "set shape=8192,8192");
    drive_keys(&d, "Y");
    assert_shows(&d, "more than 16777216 cells, which no command prints: v selects some");
    assert_int_equal(d.ex.clipboard.text.length, 0);
    drive_keys(&d, "v Right Down Y");
    assert_non_null(strstr(lw_text_string(&d.ex.clipboard.text), "--rows 0:2 --cols 0:2"));
    lw_text_free(&line);
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_print_the_screen),
        cmocka_unit_test(commands_have_selections),
        cmocka_unit_test(commands_have_whole_cells),
        cmocka_unit_test(commands_leave_marks_out),
        cmocka_unit_test(commands_have_marks_of_other_layouts),
        cmocka_unit_test(commands_have_names),
        cmocka_unit_test(commands_have_operands),
        cmocka_unit_test(commands_have_what_is_lit),
        cmocka_unit_test(commands_have_targets_and_limits),
    };
    return cmocka_run_group_tests_name("copy_command", tests, drive_make_folder,
                                       drive_remove_folder);
}
