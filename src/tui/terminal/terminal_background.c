/* The query of the terminal's background (OSC 11). It is sent once, before a frame, and the program does not wait for
 * the answer, which is an event. */

#include "tui/terminal/terminal.h"

#include <poll.h>
#include <unistd.h>

static struct {
    bool planned; /* to be sent before the next frame */
    bool open;    /* sent, and not answered yet */
    int64_t sent; /* the time at which it was sent, in ms */
} query;

void lw_terminal_plan_query(bool planned)
{
    query.planned = planned;
    query.open = false;
}

/* If the output of the terminal is stopped, the query is sent before a later frame. */
void lw_terminal_query_background(void)
{
    static const char question[] = "\033]11;?\033\\";
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (!query.planned || poll(&output, 1, 0) <= 0)
        return;
    query.planned = false;
    query.open = write(STDOUT_FILENO, question, sizeof question - 1) > 0;
    query.sent = lw_now_ms();
}

void lw_terminal_note_answer(const struct lw_event *event)
{
    query.open = query.open && event->kind != LW_EVENT_BACKGROUND;
}

void lw_terminal_await_answer(int fd)
{
    enum { ANSWER_MS = 100 };
    const int64_t until = query.sent + ANSWER_MS;
    struct lw_event event;
    struct pollfd input = {.fd = fd, .events = POLLIN};
    for (int64_t left; query.open && (left = until - lw_now_ms()) > 0;) {
        if (poll(&input, 1, (int)left) <= 0 || input.revents & (POLLHUP | POLLERR | POLLNVAL))
            break;
        if (lw_terminal_read(&event))
            lw_terminal_note_answer(&event);
    }
    query.open = false;
}
