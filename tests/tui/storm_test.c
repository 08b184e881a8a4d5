/* The real program under random keys, mouse reports, resizes and signals, with a fixed seed: it stays
 * alive, and leaves the terminal as it was. LANEWAY_EVENTS sets how many, LANEWAY_SEED which. */

#include "tui/pseudo.h"

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include <cmocka.h>

static struct pseudo p;
static uint32_t seed;

static uint32_t random_below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

/* What is typed names no file: nothing is written but in the home of the test. No Ctrl-C, which leaves,
 * no Ctrl-Z, as there is no shell that would go on, and no half of a mouse report: ncurses waits for the
 * rest of it. */
static void random_key(void)
{
    static const char *const keys[] = {"\033",
                                       "\r",
                                       "\t",
                                       "\033OA",
                                       "\033OB",
                                       "\033OC",
                                       "\033OD",
                                       "\033[5~",
                                       "\033[6~",
                                       "\033OH",
                                       "\033OF",
                                       "\033[Z",
                                       "\177",
                                       "\022",
                                       "\f",
                                       "\004",
                                       "\025",
                                       "\033[3~",
                                       "\033OP",
                                       "\302\265",
                                       "\377",
                                       "\033[",

                                       "\033[200~",
                                       ":target gfx942\r",
                                       ":set shape=32,32\r",
                                       ":open convert/shared\r",
                                       ":set element=f32\r",
                                       ":help set\r"};
    char text[2] = {0};
    if (random_below(3) == 0) {
        pseudo_send(&p, keys[random_below(sizeof keys / sizeof *keys)]);
        return;
    }
    do
        text[0] = (char)(' ' + random_below(95));
    while (strchr("/~qZ", text[0]));
    pseudo_send(&p, text);
}

/* Only the program gets the new size: libvterm does not support every size. */
static void resize(uint32_t rows, uint32_t cols)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    assert_int_equal(ioctl(p.master, TIOCSWINSZ, &size), 0);
}

static void random_event(void)
{
    static const int signals[] = {SIGWINCH, SIGCONT, SIGPIPE, SIGXFSZ};
    switch (random_below(16)) {
    case 0:
        resize(1 + random_below(random_below(3) ? 70 : 3),
               1 + random_below(random_below(3) ? 220 : 5));
        break;
    case 1:
    case 2: {
        static const int buttons[] = {1, 4, 5};
        pseudo_mouse(&p, (int)random_below(70), (int)random_below(220), buttons[random_below(3)]);
        break;
    }
    case 3:
        kill(p.pid, signals[random_below(sizeof signals / sizeof *signals)]);
        break;
    default:
        random_key();
    }
}

static const char *const commands[] = {
    "exec \"$LANEWAY\"",
    "exec \"$LANEWAY\" start/16x16",
    "exec \"$LANEWAY\" banks/transpose-row-major",
    "exec \"$LANEWAY\" convert/not-linear",
    "exec \"$LANEWAY\" '(3,5):(5,1)'",
};

/* However it ends is right, as long as the program was not killed by what it did itself. */
static void finish(void)
{
    enum { LAST = 12000 }; /* a sanitizer's report is at the end */
    wait_read(&p);
    kill(p.pid, SIGTERM);
    wait_end(&p);
    if (!(WIFSIGNALED(p.status) && WTERMSIG(p.status) == SIGTERM) &&
        !(WIFEXITED(p.status) && WEXITSTATUS(p.status) == 0)) {
        fputs(p.raw + (p.raw_length > LAST ? p.raw_length - LAST : 0), stderr);
        fail_msg("it ended with status %x", (unsigned)p.status);
    }
    assert_restored(&p);
    pseudo_stop(&p);
}

/* Waits for its first frame: the keys of a screen, or of the question about what the round before has left. */
static void wait_begin(void)
{
    enum { WAITS = 3000 };
    int row, col;
    for (int i = 0; i < WAITS && !pseudo_find(&p, "n    later", &row, &col); i++) {
        if (pseudo_find(&p, "help", &row, &col))
            return;
        poll(NULL, 0, 5);
        pseudo_drain(&p);
    }
    wait_for(&p, "n    later");
}

static void survives(void **state)
{
    enum { ROUND = 150 };
    const char *asked = getenv("LANEWAY_EVENTS"), *first = getenv("LANEWAY_SEED");
    long left = asked ? atol(asked) : 1400;
    (void)state;
    seed = first ? (uint32_t)atol(first) : 11;
    for (size_t round = 0; left > 0; round++) {
        char line[256];
        const struct pseudo_options options = {.shell = line};
        snprintf(line, sizeof line, "cd && %s",
                 commands[round % (sizeof commands / sizeof *commands)]);
        pseudo_start(&p, &options, NULL);
        wait_begin();
        for (int i = 0; i < ROUND && left > 0; i++, left--) {
            random_event();
            pseudo_drain(&p);
            if (i % 8 == 0)
                wait_read(&p);
        }
        finish();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(survives, pseudo_teardown)};
    return cmocka_run_group_tests_name("storm", tests, NULL, NULL);
}
