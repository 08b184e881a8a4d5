/* Runs a command line; returns its exit status. */

#include "cli/requests.h"
#include "export/output.h"
#include "tui/tui.h"
#include "core/unused.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Handles SIGPIPE: the reader has closed the output, which is no error. */
static void pipe_closed(LW_UNUSED int signal)
{
    _exit(LW_STATUS_OK);
}

enum lw_status lw_command_line_write(const struct lw_arguments *args, FILE *standard)
{
    struct lw_error err = {0};
    struct lw_output output;
    if (!lw_output_open(&output, LW_OPTION_VALUE(args, OUTPUT), standard, &err))
        return lw_report_failure(NULL, &err);
    lw_messages_set_output(output.stream);
    enum lw_status status = lw_command_line_run(args, output.stream);
    lw_messages_set_output(NULL);
    bool has_failed = ferror(output.stream); /* not yet reported */
    if (lw_memory_failed())                  /* also when the command did not report it */
        status = lw_report_failure(NULL, &err);
    if (!lw_output_close(&output, status != LW_STATUS_ERROR, &err) &&
        (status != LW_STATUS_ERROR || has_failed))
        return lw_report_failure(NULL, &err);
    return status;
}

int lw_program_run(const struct lw_program *program, int argc, char *const *argv)
{
    struct lw_arguments args = {0};
    struct lw_error err;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = pipe_closed;
    sigaction(SIGPIPE, &action, NULL);
    action.sa_handler = SIG_IGN; /* so that a write over the limit of a file's size fails */
    sigaction(SIGXFSZ, &action, NULL);
    /* Where no locale is set, as in containers, text is UTF-8; terminals with the name xterm have 256 colours. */
    const char *all = getenv("LC_ALL"), *type = getenv("LC_CTYPE"), *lang = getenv("LANG");
    const char *term = getenv("TERM");
    if (!(all && *all) && !(type && *type) && !(lang && *lang))
        setenv("LC_CTYPE", "C.UTF-8", 1);
    if (term && !strcmp(term, "xterm"))
        setenv("TERM", "xterm-256color", 1);
    if (!lw_arguments_read(&args, program, NULL, argc, argv, &err))
        return (int)lw_report_failure(NULL, &err);
    enum lw_status status = lw_command_line_write(&args, stdout);
    lw_arguments_free(&args);
    return (int)status;
}
