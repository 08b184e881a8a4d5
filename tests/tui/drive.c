/* Driving the explorer without a terminal. */

#include "tui/drive.h"
#include "tui/lesson/lesson_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void drive_open_with(struct drive *drive, const char *source, const struct lw_tui_options *options)
{
    struct lw_error err = {0};
    memset(drive, 0, sizeof *drive);
    drive->options = *options;
    drive->sources[0] = source;
    drive->options.sources = drive->sources;
    drive->options.count = source ? 1 : 0;
    if (!lw_explorer_init(&drive->ex, &drive->options, &err))
        fail_msg("%s: %s", source ? source : "the gallery", err.message);
    snprintf(drive->ex.keep.settings.zoom, sizeof drive->ex.keep.settings.zoom, "full");
    lw_options_zoom(&drive->ex); /* tests read the owners in cells */
    drive_resize(drive, 80, 24);
}

void drive_fit(struct drive *drive)
{
    snprintf(drive->ex.keep.settings.zoom, sizeof drive->ex.keep.settings.zoom, "auto");
    lw_options_zoom(&drive->ex);
    lw_refresh(&drive->ex, 0);
}

void drive_zoom(struct drive *drive, unsigned zoom)
{
    for (int i = 0; i < LW_PANES_MAX; i++) {
        struct lw_view_pane *pane = &drive->ex.panes.all[i];
        pane->chosen[pane->view_index] =
            (struct lw_zoom_choice){.zoom = (uint8_t)(zoom + 1), .by_user = true};
    }
    lw_refresh(&drive->ex, LW_CHANGED_VIEW);
}

void drive_open(struct drive *drive, const char *source)
{
    const struct lw_tui_options options = {0};
    drive_open_with(drive, source, &options);
}

void drive_open_at(struct drive *drive, const char *source, int width, int height)
{
    drive_open(drive, source);
    drive_resize(drive, width, height);
    drive_fit(drive);
}

void drive_lesson(struct drive *drive, const char *lesson)
{
    const struct lw_tui_options options = {.writes_nothing = true, .lesson = lesson};
    struct lw_error err = {0};
    drive_open_with(drive, NULL, &options);
    if (!lw_lesson_begin(&drive->ex, lesson, &err))
        fail_msg("%s: %s", lesson, err.message);
}

void drive_solve(struct drive *drive)
{
    const struct lw_step *step = lw_lesson_step(drive->ex.lesson);
    for (size_t i = 0; i < step->solution.count; i++)
        drive_command(drive, step->solution.lines[i]);
    if (!step->solution.count)
        lw_lesson_solve_step(&drive->ex, step);
    drive->ex.status.message[0] = '\0';
}

void drive_close(struct drive *drive)
{
    assert_false(drive->ex.failed);
    lw_explorer_free(&drive->ex);
    lw_surface_free(&drive->surface);
    lw_text_free(&drive->text);
}

/* ---- Events ---- */

/* What a lesson searches for is found before anything else is done. */
static void settle(struct drive *drive)
{
    if (drive->ex.lesson && drive->ex.lesson->best.search)
        lw_lesson_wait(&drive->ex);
}

static void press(struct drive *drive, uint32_t key)
{
    struct lw_event event = {.kind = LW_EVENT_KEY, .key = key};
    settle(drive);
    if (drive->ex.browser) /* costs that are still being counted would be what a key ends */
        lw_job_finish(&drive->ex);
    lw_update(&drive->ex, &event);
}

void drive_keys(struct drive *drive, const char *names)
{
    while (*names) {
        size_t length = strcspn(names, " ");
        uint32_t key = lw_key_of_name(names, length);
        if (!key)
            fail_msg("%.*s is not a key", (int)length, names);
        press(drive, key);
        names += length;
        names += strspn(names, " ");
    }
}

void drive_type(struct drive *drive, const char *text)
{
    for (int n; *text; text += n)
        press(drive, lw_text_decode(text, &n));
}

void drive_command(struct drive *drive, const char *line)
{
    drive_type(drive, ":");
    drive_type(drive, line);
    drive_keys(drive, "Enter");
}

void drive_resize(struct drive *drive, int width, int height)
{
    struct lw_event event = {.kind = LW_EVENT_RESIZE, .row = height, .col = width};
    lw_update(&drive->ex, &event);
}

void drive_tick(struct drive *drive)
{
    const struct lw_event event = {.kind = LW_EVENT_TICK};
    lw_update(&drive->ex, &event);
}

void drive_click(struct drive *drive, int row, int col)
{
    struct lw_event event = {.kind = LW_EVENT_CLICK, .row = row, .col = col};
    lw_update(&drive->ex, &event);
}

void drive_wheel(struct drive *drive, int row, int col, int amount)
{
    struct lw_event event = {.kind = LW_EVENT_WHEEL, .row = row, .col = col, .amount = amount};
    lw_update(&drive->ex, &event);
}

void drive_action(struct drive *drive, const char *name)
{
    const struct lw_key_action *action = lw_key_action_find(&drive->ex, name);
    assert_non_null(action);
    action->run(&drive->ex, action->argument);
    lw_refresh(&drive->ex, 0);
}

/* ---- Looking ---- */

static struct lw_field *field_at(struct drive *drive, const char *path)
{
    for (size_t i = 0; i < drive->ex.form.count; i++)
        if (!strcmp(drive->ex.form.fields[i].path, path))
            return &drive->ex.form.fields[i];
    return NULL;
}

void drive_field(struct drive *drive, const char *path)
{
    struct lw_field *field = field_at(drive, path);
    if (!field) {
        fail_msg("no field %s", path);
        return;
    }
    if (drive->ex.focus == LW_FOCUS_VIEW)
        drive_action(drive, "form");
    assert_int_equal(drive->ex.focus, LW_FOCUS_FORM);
    for (size_t i = 0; i < drive->ex.form.count; i++)
        drive_keys(drive, "Up");
    for (size_t i = 0; i < drive->ex.form.count; i++)
        if (strcmp(drive->ex.form.fields[drive->ex.form.field].path, path) != 0)
            drive_keys(drive, "Down");
    assert_string_equal(drive->ex.form.fields[drive->ex.form.field].path, path);
}

const char *drive_value(struct drive *drive, const char *path)
{
    struct lw_field *field = field_at(drive, path);
    return field ? lw_text_string(&field->text) : NULL;
}

const char *drive_cell(struct drive *drive)
{
    const struct lw_view_pane *pane = drive->ex.panes.active;
    struct lw_cell cell = {0};
    struct lw_view full;
    assert_true(pane->has_view);
    struct lw_view_options options = pane->view.options;
    if (pane->view.type->picture) { /* whose zoom depends on the size of the screen */
        options.detail = LW_DETAIL_FULL;
        options.cell = drive->ex.options->cell ? drive->ex.options->cell
                                               : lw_explorer_entry(&drive->ex)->original->cell;
        if (options.cell && !options.cell[0])
            options.cell = NULL;
    }
    assert_true(lw_view_open(&full, pane->view.type, pane->view.subject, &options, NULL));
    lw_text_clear(&drive->text);
    full.type->cell(&full, pane->row, pane->col, &drive->text, &cell);
    lw_view_close(&full);
    return lw_text_string(&drive->text);
}

const char *drive_element(struct drive *drive)
{
    struct lw_spot spot;
    const struct lw_view *view = &drive->ex.panes.active->view;
    assert_true(drive->ex.panes.active->has_view && view->type->spot);
    lw_text_clear(&drive->text);
    if (!view->type->spot(view, drive->ex.panes.active->row, drive->ex.panes.active->col, &spot) ||
        !spot.has_out)
        return "nothing";
    for (int i = 0; i < drive->ex.layouts.opened.subject.map.out.count; i++)
        lw_text_format(&drive->text, "%s%llu", i ? "," : "", (unsigned long long)spot.out[i]);
    return lw_text_string(&drive->text);
}

size_t drive_view(const char *name)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(types[i]->name, name))
            return i;
    fail_msg("no view %s", name);
    return count;
}

void drive_show(struct drive *drive, const struct lw_view_type *type)
{
    char key[2] = {type->key, '\0'};
    if (type->key)
        drive_type(drive, key);
    else
        lw_explorer_set_view(&drive->ex, drive_view(type->name));
}

/* ---- The screen ---- */

void drive_check_tiles(const struct lw_surface *s)
{
    for (int i = 0; i < s->height * s->width; i++) {
        struct lw_glyph tile = s->tiles[i];
        bool last = i % s->width == s->width - 1;
        assert_true(tile.pen.kind < LW_PEN_COUNT);
        /* No control characters; the second half of a wide one behind its first, and nowhere else. */
        assert_true(tile.code || i % s->width > 0);
        assert_int_equal(lw_text_code_width(tile.code) == 2, !last && s->tiles[i + 1].code == 0);
        if (tile.code)
            assert_true(tile.code >= 32 && tile.code < 0x110000 &&
                        !(tile.code >= 127 && tile.code < 160));
        if (s->ascii)
            assert_true(tile.code && tile.code < 127);
    }
    assert_true(s->cursor_row < s->height && s->cursor_col < s->width);
    assert_true(s->cursor_row >= -1 && s->cursor_col >= -1);
}

void drive_draw(struct drive *drive)
{
    struct lw_explorer *ex = &drive->ex;
    drive->surface.ascii = drive->options.ascii;
    lw_lesson_check_goal(&drive->ex);
    settle(drive);
    lw_draw(ex, &drive->surface);
    assert_int_equal(drive->surface.height, ex->screen.height);
    assert_int_equal(drive->surface.width, ex->screen.width);
    drive_check_tiles(&drive->surface);
    if (ex->panes.active->has_view) {
        assert_true(ex->panes.active->view.rows == 0 ||
                    ex->panes.active->row < ex->panes.active->view.rows);
        assert_true(ex->panes.active->view.cols == 0 ||
                    ex->panes.active->col < ex->panes.active->view.cols);
    }
}

const char *drive_screen(struct drive *drive)
{
    drive_draw(drive);
    lw_text_clear(&drive->text);
    lw_surface_print(&drive->text, &drive->surface);
    return lw_text_string(&drive->text);
}

const struct lw_glyph *drive_tile(struct drive *drive, const char *text)
{
    const char *screen = drive_screen(drive), *found = strstr(screen, text);
    int row = 0, col = 0;
    if (!found)
        return NULL;
    for (int n; screen < found; screen += n) {
        uint32_t code = lw_text_decode(screen, &n);
        row += code == '\n';
        col = code == '\n' ? 0 : col + 1;
    }
    return &drive->surface.tiles[row * drive->surface.width + col];
}

char drive_folder[] = "/tmp/laneway-test.XXXXXX";

int drive_make_folder(void **state)
{
    (void)state;
    return mkdtemp(drive_folder) ? 0 : -1;
}

int drive_remove_folder(void **state)
{
    char command[sizeof drive_folder + 8];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", drive_folder);
    return system(command);
}

void drive_assert_shows(struct drive *drive, const char *text, const char *file, int line)
{
    const char *screen = drive_screen(drive);
    if (!strstr(screen, text)) {
        printf("%s\n%s:%d: \"%s\" is not on the screen above\n", screen, file, line, text);
        fail();
    }
}

void drive_assert_hides(struct drive *drive, const char *text, const char *file, int line)
{
    const char *screen = drive_screen(drive);
    if (strstr(screen, text)) {
        printf("%s\n%s:%d: \"%s\" is on the screen above\n", screen, file, line, text);
        fail();
    }
}

bool drive_has_help_of_places(const char *name)
{
    static const char *const names[] = {"up",    "down", "left",       "right", "form-left", "find",
                                        "enter", "open", "enter-view", "play",  "play-back"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

void drive_put_file(const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", drive_folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}
