/* Every action of a script on every page: it does something or says why not, and what is drawn then is
 * sound. Each page is reached as a user reaches it, by a script. */

#include "tui/drive.h"
#include "seeded.h"
#include "tui/lesson/lesson_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define PAIR "banks/transpose-row-major"
#define KERNEL "tests/golden/ttgir/matmul.sm90.ttgir"
#define FOLDER "tests/golden/ttgir"

static const struct page {
    const char *name;
    const char *source; /* NULL: the gallery */
    const char *script; /* the way from the start of the explorer to the page */
    unsigned focus;     /* where it ends; 0: not of one focus */
} pages[] = {
    {"gallery", NULL, "", LW_FOCUS_GALLERY},
    {"one layout", "start/16x16", "", LW_FOCUS_VIEW},
    {"layout of no linear map", "local(3, 4).spatial(2, 3)", "", LW_FOCUS_VIEW},
    {"form", "start/16x16", "form\n", LW_FOCUS_FORM},
    {"edit of a field", "start/16x16", "form\nedit\n", LW_FOCUS_EDIT},
    {"illegal value", "blocked/16x64", "form\ntype 3\nkey Enter\n", LW_FOCUS_FORM},
    {"kernel operations", KERNEL, "", LW_FOCUS_KERNEL},
    {"kernel layouts", KERNEL, "other-list\n", LW_FOCUS_KERNEL},
    {"layout of a kernel", KERNEL, "other-list\nenter\n", LW_FOCUS_VIEW},
    {"conversion of a kernel", KERNEL, "enter\n", 0},
    {"kernel folder", FOLDER, "", LW_FOCUS_FOLDER},
    {"kernel of a folder", FOLDER, "enter\n", LW_FOCUS_KERNEL},
    {"layout of a kernel of a folder", FOLDER, "enter\nother-list\nenter\n", LW_FOCUS_VIEW},
    {"lesson", "lesson", "", 0},
    {"lesson text", "lesson", "previous-pane\n", LW_FOCUS_LESSON},
    {"list of lessons", "lessons", "", LW_FOCUS_GALLERY},
    {"split", "start/16x16", "split\n", LW_FOCUS_VIEW},
    {"split of a pair", PAIR, "split\nother-layout\n", LW_FOCUS_VIEW},
    {"compare", "blocked/16x64", "command\ntype set sizePerThread=1,2\naccept\ncompare\n", 0},
    {"player", PAIR, "play\nplay\n", LW_FOCUS_VIEW},
    {"list of layouts", PAIR, "pick-layout\n", LW_FOCUS_LAYOUTS},
    {"solve", PAIR, "solve\n", LW_FOCUS_SOLVE},
    {"help", "start/16x16", "help\n", LW_FOCUS_HELP},
    {"about", "start/16x16", "about\n", LW_FOCUS_PAGE},
    {"list of views", "start/16x16", "pick-view\n", LW_FOCUS_VIEWS},
    {"prompt of find", "start/16x16", "find\ntype 1,2\n", LW_FOCUS_FIND},
    {"prompt of commands", "start/16x16", "command\ntype se\ncomplete\n", LW_FOCUS_COMMAND},
    {"prompt of marks", "start/16x16", "mark\n", LW_FOCUS_MARK},
    {"prompt to save", "start/16x16", "save-as\n", LW_FOCUS_SAVE},
    {"prompt to export", "start/16x16", "export\n", LW_FOCUS_EXPORT},
    {"question", "start/16x16", "command\ntype set .shape=64,64\naccept\nclose\n",
     LW_FOCUS_QUESTION},
    {"question over the gallery", NULL, "command\ntype set .shape=64,64\naccept\nclose\n",
     LW_FOCUS_QUESTION},
    {"selection", "start/16x16", "select\ndown\nright\n", LW_FOCUS_VIEW},
    {"help over a kernel", KERNEL, "help\n", LW_FOCUS_HELP},
    {"help over a folder", FOLDER, "help\n", LW_FOCUS_HELP},
    {"prompt over a kernel", KERNEL, "command\n", LW_FOCUS_COMMAND},
    {"search over a folder", FOLDER, "find\n", LW_FOCUS_FIND},
    {"calculation", "start/16x16", "command\ntype it.invert()\naccept\n", 0},
    {"small screen", "start/16x16", "resize 3x2\n", LW_FOCUS_VIEW},
    {"small screen over a kernel", KERNEL, "resize 1x1\n", LW_FOCUS_KERNEL},
};

static void run(struct drive *d, const char *format, ...)
{
    char script[200];
    struct lw_error err = {0};
    va_list arguments;
    va_start(arguments, format);
    assert_in_range(vsnprintf(script, sizeof script, format, arguments), 0, sizeof script - 1);
    va_end(arguments);
    if (!script[0])
        return;
    FILE *file = fmemopen(script, strlen(script), "r");
    assert_non_null(file);
    if (!lw_script_lines(&d->ex, file, &err))
        fail_msg("%s", err.message);
    fclose(file);
}

static void open_page(struct drive *d, const struct page *page)
{
    const struct lw_tui_options options = {.writes_nothing = true};
    if (page->source && !strcmp(page->source, "lesson"))
        drive_lesson(d, "swizzling");
    else if (page->source && !strcmp(page->source, "lessons")) {
        drive_open_with(d, NULL, &options);
        lw_lesson_list(&d->ex);
    } else
        drive_open_with(d, page->source, &options);
    run(d, "%s", page->script);
    drive_draw(d);
    if (page->focus && d->ex.focus != page->focus)
        fail_msg("%s: the focus is %u", page->name, d->ex.focus);
}

/* The action, followed by what most users do next. */
static void act(const struct page *page, const char *name)
{
    static const char *const after[] = {"down\nright\n", "key Enter\n", "key Esc Esc\n"};
    struct drive d;
    open_page(&d, page);
    run(&d, "%s\n", name);
    drive_draw(&d);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
        run(&d, "%s", after[i]);
        drive_draw(&d);
    }
    drive_close(&d);
}

static void every_action_on_every_page(void **state)
{
    size_t count;
    const struct lw_key_action *actions = lw_key_actions(&count);
    (void)state;
    for (size_t p = 0; p < sizeof pages / sizeof *pages; p++)
        for (size_t i = 0; i < count; i++)
            act(&pages[p], actions[i].name);
}

/* Thirty actions one after the other, in any order. */
static void walks_from_every_page(void **state)
{
    enum { WALKS = 3, STEPS = 30 };
    uint64_t seed = 1;
    size_t count;
    const struct lw_key_action *actions = lw_key_actions(&count);
    (void)state;
    for (size_t p = 0; p < sizeof pages / sizeof *pages; p++)
        for (int walk = 0; walk < WALKS; walk++) {
            struct drive d;
            open_page(&d, &pages[p]);
            for (int step = 0; step < STEPS && !d.ex.quit; step++) {
                run(&d, "%s\n", actions[seeded_below(&seed, count)].name);
                drive_draw(&d);
            }
            drive_close(&d);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_action_on_every_page),
        cmocka_unit_test(walks_from_every_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
