/* calc EXPR --let NAME=SOURCE: the first line is the expression, each other one a value of --let. */

#include "cli/command/commands.h"
#include "fuzz_reading.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LETS_MAX = 6 };

/* The next line of the text, which is changed; NULL: there are no more. */
static char *take_line(char **text)
{
    char *line = *text;
    if (!line)
        return NULL;
    char *end = strchr(line, '\n');
    if (end)
        *end++ = '\0';
    *text = end;
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *argv[8 + 2 * LETS_MAX] = {"laneway", "calc", "-o", "/dev/null"};
    int argc = 4;
    static FILE *nowhere;
    char *text = calloc(1, size + 1), *rest = text, *line;
    must(text != NULL);
    for (size_t i = 0; i < size; i++)
        text[i] = data[i] ? (char)data[i] : ' ';
    char *expr = take_line(&rest);
    for (int i = 0; i < LETS_MAX && (line = take_line(&rest)) != NULL; i++) {
        argv[argc++] = "--let";
        argv[argc++] = line;
    }
    argv[argc++] = "--";
    argv[argc++] = expr;
    nowhere = nowhere ? nowhere : fopen("/dev/null", "w");
    lw_messages_redirect(nowhere);
    int status = lw_program_run(&lw_laneway, argc, argv);
    must(status >= 0 && status <= 2);
    lw_messages_redirect(NULL);
    free(text);
    return 0;
}
