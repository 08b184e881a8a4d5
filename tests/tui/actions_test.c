/* Every action of every screen, at every size; every name of scripts. */

#include "session.h"

#include "core/array_count.h"
#include "tui/command/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct session s;

static int teardown(void **state)
{
    (void)state;
    session_close(&s);
    return 0;
}

/* One of each kind of layout and size; NULL: the first screen. */
static const char *const sources[] = {
    NULL,
    "local(2, 1).spatial(8, 4).local(1, 2)",
    "blocked/16x64",
    "banks/transpose-row-major",
    "banks/transpose-padded",
    "shared/nvmma-128",
    "mma/m16n8k16",
    "tmem/four-tiles",
    "((4,8),(2,2)):((32,1),(16,8))",
    "(3,5):(5,1)",
    "local(3, 4)",
    "tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [2, 16], "
    "warpsPerCTA = [2, 2], order = [1, 0]}>>",
    "convert/shared",
    "tests/fuzz/small.ttgir",
    "convert/not-linear",
};

/* Every place that can be reached with keys, from the first screen of a source. */
static const char *const places[] = {"",  "e", "d", "d Enter", "?", ":", "/",
                                     "v", "1", "2", "3",       "4", "5", "Down Right"};

static size_t name_count(void)
{
    const char *help;
    size_t count = 0;
    while (lw_tui_script_name(count, &help))
        count++;
    return count;
}

/* Action number i of the screen on top, then of all screens; NULL: there are fewer. */
static const struct lw_screen_action *action_at(size_t i)
{
    const struct lw_screen_type *type = lw_app_top(&s.app)->type;
    if (i < type->action_count)
        return &type->actions[i];
    i -= type->action_count;
    return i < s.app.action_count ? &s.app.actions[i] : NULL;
}

enum { ACTIONS_MAX = 128 };

/* Which actions work now. */
static void find_working(bool working[ACTIONS_MAX])
{
    memset(working, 0, ACTIONS_MAX * sizeof *working);
    for (size_t i = 0; action_at(i); i++)
        working[i] = lw_action_works(action_at(i), lw_app_top(&s.app));
}

static void open_place(size_t source, size_t place)
{
    session_open(&s, sources[source], place % 2 ? 120 : 80, place % 2 ? 40 : 24);
    session_keys(&s, places[place]);
}

/* Each of them, drawn after it; a fresh session begins when it leads to where other actions work. */
static void every_action_of_every_place(void **state)
{
    int count = 0;
    (void)state;
    for (size_t i = 0; i < LW_COUNT(sources); i++)
        for (size_t k = 0; k < LW_COUNT(places); k++) {
            bool working[ACTIONS_MAX], now[ACTIONS_MAX];
            open_place(i, k);
            find_working(working);
            for (size_t n = 0; n < ACTIONS_MAX; n++) {
                if (!working[n])
                    continue;
                const struct lw_screen_type *type = lw_app_top(&s.app)->type;
                lw_action_run(action_at(n), lw_app_top(&s.app));
                count++;
                if (!s.app.quit) {
                    session_screen(&s);
                    find_working(now);
                }
                if (s.app.quit || lw_app_top(&s.app)->type != type ||
                    memcmp(working, now, sizeof now) != 0) {
                    session_close(&s);
                    open_place(i, k);
                }
            }
            session_close(&s);
        }
    assert_true(count > 1000);
    session_open(&s, NULL, 80, 24);
}

/* Each width with another height at each place, so that all pairs are seen. */
static void every_place_at_every_size(void **state)
{
    static const int widths[] = {1, 2, 3, 5, 9, 20, 40, 71, 72, 79, 100, 179, 240};
    static const int heights[] = {1, 2, 3, 4, 5, 7, 10, 23, 24, 29, 30, 31, 67};
    (void)state;
    for (size_t i = 0; i < LW_COUNT(sources); i++)
        for (size_t k = 0; k < LW_COUNT(places); k++) {
            session_open(&s, sources[i], 1, 1);
            s.options.ascii = k % 2;
            session_keys(&s, places[k]);
            for (size_t w = 0; w < LW_COUNT(widths); w++) {
                session_resize(&s, widths[w], heights[(w + i + k) % LW_COUNT(heights)]);
                session_screen(&s);
                if (w % 4 == 0)
                    session_keys(&s, "Right Down");
            }
            session_close(&s);
        }
    session_open(&s, NULL, 80, 24);
}

/* Esc goes back one step, and never ends the program. */
static void esc_goes_back_everywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < LW_COUNT(sources); i++)
        for (size_t k = 0; k < LW_COUNT(places); k++) {
            session_open(&s, sources[i], 120, 40);
            char *before = strdup(session_screen(&s));
            session_keys(&s, places[k]);
            for (int esc = 0; esc < 8; esc++) {
                const int depth = s.app.depth;
                session_keys(&s, "Esc");
                assert_in_range(s.app.depth, depth - 1, depth);
            }
            assert_int_equal(s.app.depth, 1);
            assert_false(s.app.quit);
            if (k > 0 && k < 8) { /* the others move or show another view */
                session_keys(&s, "C-l");
                assert_string_equal(session_screen(&s), before);
            }
            free(before);
            session_close(&s);
        }
    session_open(&s, NULL, 80, 24);
}

/* An action has a name, a help line, keys that exist, and a hint that begins with the first of them. */
static void tables_are_sound(void **state)
{
    size_t all_count;
    const struct lw_screen_action *all = lw_all_actions(&all_count);
    (void)state;
    session_open(&s, NULL, 80, 24);
    for (size_t t = 0; lw_screen_types[t] || !t; t++)
        for (size_t i = 0; lw_screen_types[t] && i < lw_screen_types[t]->action_count; i++) {
            const struct lw_screen_action *action = &lw_screen_types[t]->actions[i];
            assert_true(action->name[0] && action->help[0]);
            assert_true(action->run || lw_screen_types[t]->key);
            /* Signs of arrows are another name of their keys; a row without keys has a hint for those above it. */
            const char *keys = *action->keys ? action->keys : action[-1].keys;
            if (action->hint && (unsigned char)*action->hint < 128)
                assert_memory_equal(action->hint, keys, strcspn(action->hint, " "));
            for (const char *key = action->keys; *key;) {
                size_t length = strcspn(key, " ");
                if (!lw_key_of_name(key, length))
                    fail_msg("%s: %.*s is not a key", action->name, (int)length, key);
                key += length;
                key += strspn(key, " ");
            }
        }
    for (size_t i = 0; i < all_count; i++)
        assert_true(all[i].name[0] && all[i].help[0] && all[i].run);
}

static uint32_t seed = 7;

static uint32_t random_below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

/* Long sequences of actions and keys. */
static void random_actions(void **state)
{
    const size_t names = name_count();
    (void)state;
    for (int round = 0; round < 40; round++) {
        session_open(&s, sources[(size_t)round % LW_COUNT(sources)], 120, 40);
        for (int i = 0; i < 150 && !s.app.quit; i++) {
            const char *help, *name = lw_tui_script_name(random_below((uint32_t)names), &help);
            if (random_below(3))
                session_type(&s, (char[]){(char)(' ' + random_below(95)), '\0'});
            else if (strcmp(name, "quit") != 0)
                lw_app_run(&s.app, name);
            if (!s.app.quit && i % 5 == 0)
                session_screen(&s);
        }
        session_close(&s);
    }
    session_open(&s, NULL, 80, 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(tables_are_sound, teardown),
        cmocka_unit_test_teardown(every_action_of_every_place, teardown),
        cmocka_unit_test_teardown(every_place_at_every_size, teardown),
        cmocka_unit_test_teardown(esc_goes_back_everywhere, teardown),
        cmocka_unit_test_teardown(random_actions, teardown),
    };
    return cmocka_run_group_tests_name("actions", tests, NULL, NULL);
}
