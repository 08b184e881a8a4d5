#ifndef TUI_PSEUDO_H
#define TUI_PSEUDO_H

/*
 * The real program on a pseudo-terminal, its screen kept by libvterm.
 *
 * Nothing here waits for a time: it waits until the screen shows something, and fails the test when
 * that has not come within a generous deadline.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

#include <vterm.h>

/* A layout that is small, and has every view. */
#define PSEUDO_BLOCKED                                                                             \
    "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "           \
    "warpsPerCTA = [1, 1], order = [1, 0]}>>"

struct pseudo {
    int master, slave; /* the slave stays open here, so that its modes can be read at the end */
    pid_t pid;
    bool ended;
    int status; /* as of waitpid, when it ended */
    struct termios before;
    VTerm *vt;
    VTermScreen *screen;
    int rows, cols;
    bool alternate, cursor; /* the alternate screen is on; the cursor is shown */
    bool was_alternate;     /* it was on at some time */
    bool alone;             /* the program is all that runs here: no shell writes beside it */
    char *raw;              /* everything that was written to the terminal */
    size_t raw_length;
    char partial[4]; /* the beginning of a character whose other bytes have not come yet */
    size_t partial_length;
    char *lines;
    char text[1 << 18];
};

struct pseudo_options {
    const char *term;   /* NULL: xterm-256color */
    const char *locale; /* NULL: C.UTF-8 */
    const char *extra;  /* one more variable, "NAME=value"; NULL: none */
    int rows, cols;     /* 0: 24 and 80 */
    const char *shell; /* a command line for sh instead of the program; "$LANEWAY" is the program */
};

/* Starts the program with the words that follow, up to NULL. */
void pseudo_start(struct pseudo *p, const struct pseudo_options *options, ...);
/* Ends what is left of it; does nothing the second time. */
void pseudo_stop(struct pseudo *p);
/* The same of the one that was started last, as the teardown of a test. */
int pseudo_teardown(void **state);

void pseudo_send(struct pseudo *p, const char *bytes);
/* Waits until the program has drawn its frame to the last byte: a system may show the rest of a write a moment before
 * the write returns. It sends a key that does nothing, twice, as the first may clear a message. */
void pseudo_wait_idle(struct pseudo *p, const char *file, int line);
/* Waits until the program has read all that was sent. */
void pseudo_wait_read(struct pseudo *p, const char *file, int line);
#define wait_read(p) pseudo_wait_read(p, __FILE__, __LINE__)
#define wait_idle(p) pseudo_wait_idle(p, __FILE__, __LINE__)
void pseudo_resize(struct pseudo *p, int rows, int cols);
/* Button 1 pressed and released, or the wheel turned (button 4: up, 5: down), in the reports of
 * mode 1006. */
void pseudo_mouse(struct pseudo *p, int row, int col, int button);
/* Takes what has been written so far, without waiting. */
void pseudo_drain(struct pseudo *p);
/* Sends the keys in turn, again and again, and reads nothing, until the program reads no more of
 * them: its output is full. */
void pseudo_fill(struct pseudo *p, const char *keys, const char *file, int line);
#define fill_output(p, keys) pseudo_fill(p, keys, __FILE__, __LINE__)

/* Has it written anything beyond ASCII? */
bool pseudo_has_high_bytes(const struct pseudo *p);
/* Has the program switched a private mode of the terminal on, and not off again? (libvterm reads
 * only the first of several modes in one sequence, so this is read from what was written.) */
bool pseudo_has_mode(const struct pseudo *p, int mode);
/* Has it asked for mouse reports? */
bool pseudo_wants_mouse(const struct pseudo *p);

/* The text of a row; "" once the row has changed, until pseudo_text makes it anew. */
char *pseudo_line(struct pseudo *p, int row);
/* The screen as text, one line a row. */
const char *pseudo_text(struct pseudo *p);
/* Finds a text on the screen; false when it is not there. */
bool pseudo_find(struct pseudo *p, const char *text, int *row, int *col);

void pseudo_wait(struct pseudo *p, const char *text, bool shown, const char *file, int line);
#define wait_for(p, text) pseudo_wait(p, text, true, __FILE__, __LINE__)
#define wait_gone(p, text) pseudo_wait(p, text, false, __FILE__, __LINE__)

/* Waits until the cursor is shown in that place: it comes there at the end of a frame, after the text. */
void pseudo_wait_cursor(struct pseudo *p, int row, int col, const char *file, int line);
#define wait_cursor(p, row, col) pseudo_wait_cursor(p, row, col, __FILE__, __LINE__)

/* Waits for the end of the program; its wait status is in p->status. */
void pseudo_wait_end(struct pseudo *p, const char *file, int line);
/* The same, and nothing is read of what it writes meanwhile. */
void pseudo_wait_end_unread(struct pseudo *p, const char *file, int line);
/* And the terminal is as it was: modes, screen, cursor, colours, keys, mouse. */
void pseudo_assert_restored(struct pseudo *p, const char *file, int line);
/* Sends the keys that end it, waits for that, and checks that all went well. */
void pseudo_leave(struct pseudo *p, const char *keys, const char *file, int line);
#define leave_with(p, keys) pseudo_leave(p, keys, __FILE__, __LINE__)
#define wait_end_unread(p) pseudo_wait_end_unread(p, __FILE__, __LINE__)
#define wait_end(p) pseudo_wait_end(p, __FILE__, __LINE__)
#define assert_restored(p) pseudo_assert_restored(p, __FILE__, __LINE__)

#endif
