#ifndef LANEWAY_TERMINAL_SIGNALS_H
#define LANEWAY_TERMINAL_SIGNALS_H

/* The state that the handlers of signals share with the rest of the terminal. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

struct lw_tty {
    int fd;              /* the terminal from which keys are read */
    int out_fd, null_fd; /* the output of ncurses, and /dev/null */
    volatile sig_atomic_t in_frame, is_first, is_diverted;
    volatile sig_atomic_t is_cut;   /* the last frame was: the terminal may be in a sequence */
    volatile sig_atomic_t is_taken; /* a frame has begun since the terminal was last restored */
    volatile sig_atomic_t deadline; /* the signal that ends the program; 0: none */
    int wake[2];                    /* the pipe of signals */
    struct termios saved;           /* the modes before the explorer, if has_saved */
    struct termios own;             /* those of the explorer, if has_own */
    bool has_saved, has_own;
    char reset[512]; /* the string that restores the terminal */
    volatile size_t reset_length;
    size_t plain_length; /* its beginning, which switches attributes and colours off */
};
extern struct lw_tty lw_tty;

/* Sets a handler for every signal. */
void lw_tty_catch_signals(void);
/* Starts the timer that a signal starts, or with 0 stops it. */
void lw_tty_set_alarm(int microseconds);
/* Whether a signal ends the program, except those of a crash. */
bool lw_tty_is_end(int number);
/* Continues output that is held; output that the terminal does not read within that time is discarded. */
void lw_tty_release_output(int patience_ms);
/* Ends the control sequence that a cut frame may have left open, so that later output is not part of it. */
void lw_tty_end_sequence(void);

/* Whether the program is in the foreground of its terminal: from the background it must not change the terminal. */
bool lw_tty_is_ours(void);
/* Restores the terminal without waiting for it and without ncurses. */
void lw_tty_restore(void);

#endif
