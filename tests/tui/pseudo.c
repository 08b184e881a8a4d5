/* The real program on a pseudo-terminal. */

#include "tui/pseudo.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

#include <cmocka.h>

enum { DEADLINE = 60, WORDS = 16, PIECE = 16, BUFFER = 16384, RAW_MAX = 1 << 26 };

/* ---- The terminal ---- */

static int on_property(VTermProp property, VTermValue *value, void *user)
{
    struct pseudo *p = user;
    if (property == VTERM_PROP_ALTSCREEN) {
        p->alternate = value->boolean;
        p->was_alternate = p->was_alternate || p->alternate;
    } else if (property == VTERM_PROP_CURSORVISIBLE) {
        p->cursor = value->boolean;
    }
    return 1;
}

/* What the terminal sends: answers to queries. */
static void on_output(const char *bytes, size_t length, void *user)
{
    struct pseudo *p = user;
    if (!p->ended && write(p->master, bytes, length) < 0)
        p->ended = false; /* it will be noticed when nothing is answered */
}

static int on_damage(VTermRect rect, void *user)
{
    struct pseudo *p = user;
    for (int row = rect.start_row; row < rect.end_row && row < p->rows; row++)
        *pseudo_line(p, row) = '\0';
    return 1;
}

static void set_size(struct pseudo *p, int rows, int cols)
{
    free(p->lines);
    p->rows = rows;
    p->cols = cols;
    p->lines = calloc((size_t)rows, (size_t)cols * 4 + 1);
    assert_non_null(p->lines);
}

static void open_terminal(struct pseudo *p)
{
    static const VTermScreenCallbacks callbacks = {.damage = on_damage, .settermprop = on_property};
    p->vt = vterm_new(p->rows, p->cols);
    assert_non_null(p->vt);
    vterm_set_utf8(p->vt, 1);
    vterm_output_set_callback(p->vt, on_output, p);
    p->screen = vterm_obtain_screen(p->vt);
    vterm_screen_enable_altscreen(p->screen, 1);
    vterm_screen_set_callbacks(p->screen, &callbacks, p);
    vterm_screen_reset(p->screen, 1);
}

/* ---- The program ---- */

/* A home for the programs under test: made once, removed at the end. */
static char home[] = "/tmp/laneway-home.XXXXXX";

static void remove_home(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", home);
    if (system(command) != 0)
        perror(command);
}

static void make_home(void)
{
    static pid_t maker;
    if (maker)
        return;
    assert_non_null(mkdtemp(home));
    maker = getpid();
    atexit(remove_home);
}

static void set_variables(const struct pseudo_options *options)
{
    const char *program = getenv("LANEWAY");
    static char extra[256], laneway[4096], root[4096];
    const char *folder = getenv("LANEWAY_ROOT");
    snprintf(laneway, sizeof laneway, "%s", program ? program : "build/laneway");
    snprintf(root, sizeof root, "%s", folder ? folder : ".");
    clearenv();
    setenv("LANEWAY", laneway, 1);
    setenv("LANEWAY_ROOT", root, 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0:color=never:print_legend=0",
           1); /* ncurses keeps some memory for ever */
    setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
    setenv("HOME", home, 1);
    setenv("TERM", options->term ? options->term : "xterm-256color", 1);
    setenv("LC_ALL", options->locale ? options->locale : "C.UTF-8", 1);
    if (options->extra) {
        snprintf(extra, sizeof extra, "%s", options->extra);
        putenv(extra);
    }
}

static void run_program(const struct pseudo_options *options, const char *const *words)
{
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    set_variables(options);
    if (options->shell)
        execl("/bin/sh", "sh", "-c", options->shell, (char *)NULL);
    else
        execv(getenv("LANEWAY"), (char *const *)(uintptr_t)words);
    perror("exec");
    _exit(127);
}

static struct pseudo *last;

void pseudo_start(struct pseudo *p, const struct pseudo_options *options, ...)
{
    const char *words[WORDS] = {"laneway"};
    va_list args;
    va_start(args, options);
    for (int i = 1; i + 1 < WORDS && (words[i] = va_arg(args, const char *)) != NULL; i++)
        ;
    va_end(args);
    last = p;
    memset(p, 0, sizeof *p);
    set_size(p, options->rows ? options->rows : 24, options->cols ? options->cols : 80);
    p->cursor = true;
    p->alone = !options->shell;
    struct winsize size = {.ws_row = (unsigned short)p->rows, .ws_col = (unsigned short)p->cols};
    assert_int_equal(openpty(&p->master, &p->slave, NULL, NULL, &size), 0);
    assert_int_equal(tcgetattr(p->slave, &p->before), 0);
    fcntl(p->master, F_SETFD, FD_CLOEXEC);
    fcntl(p->slave, F_SETFD, FD_CLOEXEC);
    open_terminal(p);
    make_home();
    fflush(NULL);
    p->pid = fork();
    assert_true(p->pid >= 0);
    if (p->pid == 0) {
        close(p->master);
        if (login_tty(p->slave) == 0)
            run_program(options, words);
        _exit(126);
    }
    fcntl(p->master, F_SETFL, O_NONBLOCK);
}

void pseudo_stop(struct pseudo *p)
{
    if (!p->vt)
        return;
    if (!p->ended) {
        kill(-p->pid, SIGKILL);
        kill(p->pid, SIGKILL);
        waitpid(p->pid, &p->status, 0);
    }
    if (p->master >= 0)
        close(p->master);
    close(p->slave);
    vterm_free(p->vt);
    free(p->raw);
    free(p->lines);
    memset(p, 0, sizeof *p);
}

int pseudo_teardown(void **state)
{
    (void)state;
    if (last)
        pseudo_stop(last);
    return 0;
}

/* ---- Bytes ---- */

/* How many bytes at the end begin a character whose other bytes are not there yet. */
static size_t partial_length(const char *bytes, size_t length)
{
    for (size_t k = 1; k <= 3 && k <= length; k++) {
        unsigned char byte = (unsigned char)bytes[length - k];
        size_t whole = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
        if ((byte & 0xc0) != 0x80)
            return whole > k ? k : 0;
    }
    return 0;
}

/* libvterm does not put characters together whose bytes come in two pieces. */
static void show_bytes(struct pseudo *p, const char *bytes, size_t length)
{
    char whole[BUFFER + sizeof p->partial];
    memcpy(whole, p->partial, p->partial_length);
    memcpy(whole + p->partial_length, bytes, length);
    length += p->partial_length;
    p->partial_length = partial_length(whole, length);
    length -= p->partial_length;
    memcpy(p->partial, whole + length, p->partial_length);
    vterm_input_write(p->vt, whole, length);
}

/* Reads at most `size` bytes of what was written; false when there are none. */
static bool take(struct pseudo *p, size_t size)
{
    char buffer[BUFFER];
    ssize_t got = p->master < 0 ? 0 : read(p->master, buffer, size);
    if (got <= 0)
        return false;
    if (p->raw_length + (size_t)got > RAW_MAX)
        fail_msg("the program writes without end");
    p->raw = realloc(p->raw, p->raw_length + (size_t)got + 1);
    assert_non_null(p->raw);
    for (ssize_t i = 0; i < got; i++) /* padding is of NULs: out of the way of strstr */
        p->raw[p->raw_length + (size_t)i] = (char)(buffer[i] ? buffer[i] : ' ');
    p->raw_length += (size_t)got;
    p->raw[p->raw_length] = '\0';
    show_bytes(p, buffer, (size_t)got);
    return true;
}

void pseudo_drain(struct pseudo *p)
{
    while (take(p, BUFFER))
        ;
}

/* Waits a little for more to read; a while without anything ends the wait all the same. */
static void wait_output(const struct pseudo *p)
{
    struct pollfd fd = {.fd = p->master, .events = POLLIN};
    poll(&fd, p->master < 0 ? 0 : 1, 10);
    if (fd.revents & POLLHUP && !(fd.revents & POLLIN))
        poll(NULL, 0, 10);
}

static void idle(struct pseudo *p)
{
    wait_output(p);
    pseudo_drain(p);
}

static bool late(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - start->tv_sec > DEADLINE;
}

void pseudo_send(struct pseudo *p, const char *bytes)
{
    size_t length = strlen(bytes);
    while (length > 0) {
        ssize_t sent = write(p->master, bytes, length);
        if (sent > 0) {
            bytes += sent;
            length -= (size_t)sent;
        } else if (errno != EAGAIN && errno != EINTR) {
            fail_msg("the terminal takes no keys: %s", strerror(errno));
        }
        pseudo_drain(p);
    }
}

void pseudo_resize(struct pseudo *p, int rows, int cols)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    pseudo_drain(p);
    set_size(p, rows, cols);
    vterm_set_size(p->vt, rows, cols);
    assert_int_equal(ioctl(p->master, TIOCSWINSZ, &size), 0);
}

void pseudo_mouse(struct pseudo *p, int row, int col, int button)
{
    char report[64];
    int code = button < 4 ? button - 1 : 64 + button - 4;
    snprintf(report, sizeof report, "\033[<%d;%d;%dM", code, col + 1, row + 1);
    pseudo_send(p, report);
    snprintf(report, sizeof report, "\033[<%d;%d;%dm", code, col + 1, row + 1);
    if (button < 4)
        pseudo_send(p, report);
}

/* ---- Waiting ---- */

static bool has_ended(struct pseudo *p)
{
    if (!p->ended && waitpid(p->pid, &p->status, WNOHANG) == p->pid)
        p->ended = true;
    return p->ended;
}

/* What the program wrote last may still be on its way here: a bell goes the same way, behind it. */
static void drain_all(struct pseudo *p, const struct timespec *start)
{
    size_t from = p->raw_length;
    if (p->master < 0 || write(p->slave, "\a", 1) != 1)
        return;
    while (!late(start)) {
        pseudo_drain(p);
        if (p->raw_length > from && p->raw[p->raw_length - 1] == '\a')
            return;
        idle(p);
    }
}

/* The screen is looked at after every few bytes: a test that takes part of a frame for all of it fails always, and
 * not only where a read ends there. */
void pseudo_wait(struct pseudo *p, const char *text, bool shown, const char *file, int line)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    bool done;
    while (!(done = (strstr(pseudo_text(p), text) != NULL) == shown) && !late(&start)) {
        if (take(p, PIECE))
            continue;
        if (has_ended(p)) {
            drain_all(p, &start);
            done = (strstr(pseudo_text(p), text) != NULL) == shown;
            break;
        }
        wait_output(p);
    }
    if (done)
        return;
    printf("%s\n%s:%d: waited in vain for \"%s\" %s%s\n", p->text, file, line, text,
           shown ? "on the screen" : "to go", p->ended ? ", and the program ended" : "");
    fail();
}

void pseudo_wait_cursor(struct pseudo *p, int row, int col, const char *file, int line)
{
    struct timespec start;
    VTermPos at = {0};
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (pseudo_drain(p); !late(&start); idle(p)) {
        vterm_state_get_cursorpos(vterm_obtain_state(p->vt), &at);
        if (p->cursor && at.row == row && at.col == col)
            return;
    }
    fail_msg("%s:%d: the cursor is %s, at (%d, %d):\n%s", file, line,
             p->cursor ? "shown" : "hidden", at.row, at.col, pseudo_text(p));
}

void pseudo_wait_read(struct pseudo *p, const char *file, int line)
{
    struct timespec start;
    int left = 0;
    clock_gettime(CLOCK_MONOTONIC, &start);
    poll(NULL, 0, 3); /* what is sent is not there at once */
    while (!has_ended(p) && ioctl(p->slave, FIONREAD, &left) == 0 && left > 0) {
        if (late(&start))
            fail_msg("%s:%d: %d bytes are not read:\n%s", file, line, left, pseudo_text(p));
        idle(p);
    }
}

void pseudo_wait_idle(struct pseudo *p, const char *file, int line)
{
    struct timespec start;
    for (int i = 0; i < 2; i++) {
        pseudo_send(p, "*");
        pseudo_wait_read(p, file, line);
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    drain_all(p, &start);
}

static int unread_keys(struct pseudo *p)
{
    int left = 0;
    return ioctl(p->slave, FIONREAD, &left) == 0 ? left : 0;
}

void pseudo_fill(struct pseudo *p, const char *keys, const char *file, int line)
{
    enum { STILL = 30 };
    struct timespec start;
    struct pollfd output = {.fd = p->slave, .events = POLLOUT};
    clock_gettime(CLOCK_MONOTONIC, &start);
    const char *next = keys;
    for (int still = 0; still < STILL; still++) {
        if (unread_keys(p) == 0 && poll(&output, 1, 0) > 0) {
            still = 0;
            if (write(p->master, next, 1) == 1)
                next = next[1] ? next + 1 : keys;
        }
        if (has_ended(p) || late(&start))
            fail_msg("%s:%d: the output does not fill (status %x)", file, line,
                     (unsigned)p->status);
        poll(NULL, 0, 10);
    }
}

void pseudo_wait_end(struct pseudo *p, const char *file, int line)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (!has_ended(p)) {
        if (late(&start)) {
            printf("%s\n%s:%d: the program does not end\n", pseudo_text(p), file, line);
            fail();
        }
        idle(p);
    }
    drain_all(p, &start);
}

void pseudo_wait_end_unread(struct pseudo *p, const char *file, int line)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (!has_ended(p) && !late(&start))
        poll(NULL, 0, 10);
    if (!p->ended)
        fail_msg("%s:%d: the program does not end while nothing is read", file, line);
    pseudo_drain(p);
}

void pseudo_leave(struct pseudo *p, const char *keys, const char *file, int line)
{
    pseudo_send(p, keys);
    pseudo_wait_end(p, file, line);
    if (!WIFEXITED(p->status) || WEXITSTATUS(p->status) != 0)
        fail_msg("%s:%d: it ended with status %x", file, line, (unsigned)p->status);
    pseudo_assert_restored(p, file, line);
}
