/* Lines of `laneway wavefronts`: each is answered, or complained about and answered by nothing. The first byte
 * selects the target, and whether in JSON. */

#include "fuzz_reading.h"

#include "cli/command/commands.h"

#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of the sanitizers, where they are: complaints are thrown away, their reports are not. */
extern void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

static FILE *throw_complaints_away(int *kept)
{
    FILE *null = fopen("/dev/null", "w");
    *kept = dup(STDERR_FILENO);
    must(null && *kept >= 0);
    if (__sanitizer_set_report_fd)
        __sanitizer_set_report_fd((void *)(intptr_t)*kept);
    return null;
}

/* The command's answers to this standard input. */
static enum lw_status answer(const struct lw_arguments *args, const uint8_t *data, size_t size,
                             char **answers, size_t *length)
{
    static FILE *input, *null;
    static int kept;
    if (!input) {
        must((input = tmpfile()) != NULL);
        null = throw_complaints_away(&kept);
    }
    int file = fileno(input);
    must(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    must(lseek(file, 0, SEEK_SET) == 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
    FILE *out = open_memstream(answers, length);
    must(out != NULL && dup2(fileno(null), STDERR_FILENO) == STDERR_FILENO);
    enum lw_status status = lw_command_wavefronts.run(args, out);
    must(fclose(out) == 0 && dup2(kept, STDERR_FILENO) == STDERR_FILENO);
    return status;
}

static size_t count_lines(const char *text, size_t size)
{
    size_t lines = size && text[size - 1] != '\n';
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    return lines;
}

/* Numbers in decimal, with the text between them; an error has a text of its own. */
static void check_answers(const char *answers, size_t length, bool json)
{
    const char *allowed = json ? "0123456789{}:,\"wavefrontsconflictsideal\n" : "0123456789,\n";
    must(length == 0 || answers[length - 1] == '\n');
    if (!json || !strstr(answers, "\"error\""))
        must(strspn(answers, allowed) == length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_arguments args = {.command = &lw_command_wavefronts};
    size_t targets, length;
    const struct lw_hardware *hardware = lw_hardware_list(&targets);
    char *answers;
    if (!size || memchr(data, '\0', size))
        return 0;
    bool json = data[0] & 1;
    args.value[LW_OPTION_TARGET] = hardware[data[0] / 2 % targets].name;
    args.value[LW_OPTION_JSON] = json ? "" : NULL;
    size_t lines = count_lines((const char *)data + 1, size - 1);
    enum lw_status status = answer(&args, data + 1, size - 1, &answers, &length);
    size_t answered = count_lines(answers, length);
    must(status == LW_STATUS_OK || status == LW_STATUS_ERROR);
    bool refused = status == LW_STATUS_ERROR && answered == 0; /* the header is wrong */
    must(refused || answered == lines || answered + 1 == lines);
    check_answers(answers, length, json);
    free(answers);
    return 0;
}
