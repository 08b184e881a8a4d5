#ifndef LANEWAY_TERMINAL_SIGNALS_H
#define LANEWAY_TERMINAL_SIGNALS_H

/* What the handlers of signals and the rest of the terminal share. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

struct lw_tty {
    int fd;              /* of the terminal that keys are read from */
    int out_fd, null_fd; /* where ncurses writes, and /dev/null */
    volatile sig_atomic_t in_frame, is_first, is_diverted, is_closing;
    volatile sig_atomic_t
        is_cut; /* the last frame was: the terminal may be in the middle of a sequence */
    volatile sig_atomic_t is_taken; /* a frame was begun since the terminal was restored last */
    volatile sig_atomic_t is_busy;  /* work that the user started is being done */
    volatile sig_atomic_t deadline; /* the signal that must have ended the program soon; 0: none */
    int wake[2];                    /* the pipe of signals */
    struct termios saved;           /* the modes from before, if has_saved */
    struct termios own;             /* those of the explorer, if has_own */
    bool has_saved, has_own;
    char reset[512]; /* what restores the terminal */
    volatile size_t reset_length;
};
extern struct lw_tty lw_tty;

/* Sets a handler for every signal. */
void lw_tty_catch_signals(void);
/* Stops the timer that a signal has started. */
void lw_tty_stop_timer(void);
/* From now on a key that comes while the terminal reads nothing cuts the frame, as a signal does. */
void lw_tty_watch_keys(void);
void lw_tty_stop_watching(void);
/* Whether a signal ends the program (and is not one of a crash). */
bool lw_tty_is_end(int number);
/* Starts output that Ctrl-S stopped; what the terminal does not take within that time is discarded. */
void lw_tty_release_output(int patience_ms);
/* Ends the control sequence that a cut frame may have left open, so that what follows is no part of it. */
void lw_tty_end_sequence(void);

/* Whether the terminal is not another process's: from the background nothing may be done to it. */
bool lw_tty_is_ours(void);
/* Restores the terminal without waiting for it and without ncurses. */
void lw_tty_restore(void);

/* ---- terminal_frame.c ---- */

/* Redirects the output of ncurses to /dev/null, or back to the terminal. */
void lw_tty_divert(bool nowhere);

#endif
