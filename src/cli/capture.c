/* A command line without a shell or a terminal: words as a shell has them, and what a command prints and
 * complains of, caught. */

#include "cli/cli.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* ---- Words ---- */

/* One word, quotes taken away; *text moves behind it. */
static char *take_word(struct lw_words *words, const char **text)
{
    char *word = lw_arena_string(&words->arena, *text, strlen(*text)), *end = word;
    char quote = '\0';
    const char *p = *text;
    for (; word && *p && (quote || *p != ' '); p++) {
        if (quote ? *p == quote : *p == '\'' || *p == '"')
            quote = quote ? '\0' : *p;
        else if (*p == '\\' && p[1] && quote != '\'')
            *end++ = *++p;
        else
            *end++ = *p;
    }
    if (word)
        *end = '\0';
    words->quote = quote;
    *text = p;
    return word;
}

bool lw_words_split(struct lw_words *words, const char *line)
{
    memset(words, 0, sizeof *words);
    words->word[words->count++] = (char *)(uintptr_t) "laneway";
    for (line += strspn(line, " "); *line; line += strspn(line, " ")) {
        char *word = words->count < LW_WORDS_MAX ? take_word(words, &line) : NULL;
        if (!word)
            return false;
        words->word[words->count++] = word;
        words->open = !*line;
    }
    return true;
}

void lw_words_free(struct lw_words *words)
{
    lw_arena_free(&words->arena);
}

/* ---- Catching ---- */

/* A stream of the process pointed elsewhere for a while. */
static int redirect(int fd, int to)
{
    int saved = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    if (to >= 0)
        dup2(to, fd);
    return saved;
}

static void restore(int fd, int saved)
{
    if (saved >= 0) {
        dup2(saved, fd);
        close(saved);
    }
}

static void read_back(FILE *file, struct lw_text *text)
{
    char buffer[4096];
    rewind(file);
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        lw_text_bytes(text, buffer, got);
}

enum lw_status lw_capture(enum lw_status (*run)(void *context, FILE *out), void *context,
                          struct lw_text *printed, struct lw_text *complaint)
{
    enum lw_status status = LW_STATUS_WRONG;
    FILE *out = tmpfile(), *said = tmpfile();
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (out && said && nothing >= 0) {
        int in = redirect(STDIN_FILENO, nothing), error = redirect(STDERR_FILENO, fileno(said));
        status = run(context, out);
        fflush(stderr);
        restore(STDERR_FILENO, error);
        restore(STDIN_FILENO, in);
        clearerr(stdin);
        read_back(out, printed);
        read_back(said, complaint);
    } else {
        lw_text_add(complaint, "laneway: no file for what it prints\n");
    }
    if (out)
        fclose(out);
    if (said)
        fclose(said);
    if (nothing >= 0)
        close(nothing);
    return status;
}
