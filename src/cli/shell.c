/* The program's command line inside the explorer: words as a shell has them, then the same reader of
 * arguments and the same commands. What they print is caught; they have no standard input. */

#include "cli/cli.h"
#include "tui/tui.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Words ---- */

enum { WORDS_MAX = 64 };

struct words {
    struct lw_arena arena;
    int count;
    char *word[WORDS_MAX + 1];
    bool open; /* the last word has no end yet: there is no blank behind it */
};

/* One word, quotes taken away; *text moves behind it. */
static char *take_word(struct words *words, const char **text)
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
    *text = p;
    return word;
}

static bool split(struct words *words, const char *line)
{
    memset(words, 0, sizeof *words);
    words->word[words->count++] = (char *)(uintptr_t) "laneway";
    for (line += strspn(line, " "); *line; line += strspn(line, " ")) {
        char *word = words->count < WORDS_MAX ? take_word(words, &line) : NULL;
        if (!word)
            return false;
        words->word[words->count++] = word;
        words->open = !*line;
    }
    return true;
}

/* ---- Running ---- */

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

/* Like lw_program_run, but for where things go. */
static void run_words(struct words *words, FILE *out, struct lw_error *err)
{
    struct lw_arguments args = {0};
    struct lw_output output = {.stream = out};
    if (!lw_arguments_read(&args, words->count, words->word, err)) {
        lw_complain(NULL, err);
        return;
    }
    const char *path = LW_VALUE(&args, OUTPUT);
    bool file = path && strcmp(path, "-") != 0;
    if (file && !lw_output_open(&output, path, err)) {
        lw_complain(NULL, err);
    } else {
        enum lw_status status = args.command->run(&args, output.stream);
        if (file && !lw_output_close(&output, status != LW_STATUS_WRONG, err))
            lw_complain(NULL, err);
        else if (file && status != LW_STATUS_WRONG)
            fprintf(out, "%s: written\n", path);
    }
    lw_arguments_free(&args);
}

/* Whether the words lack the source that the command needs: with one more it would have just one. */
static bool lacks_source(const struct words *words, const struct lw_command *command)
{
    struct lw_arguments args;
    if (strncmp(command->words, "SOURCE", 6) != 0 ||
        !lw_arguments_read(&args, words->count, words->word, NULL))
        return false;
    bool lacks = args.word_count == 1;
    lw_arguments_free(&args);
    return lacks;
}

/* `it` is the layout on the screen, also where a command needs a source and has none. */
static bool put_it(struct words *words, const struct lw_command *command, const char *it)
{
    char *source = lw_arena_string(&words->arena, it, strlen(it));
    for (int i = 2; source && i < words->count; i++)
        if (!strcmp(words->word[i], "it"))
            words->word[i] = source;
    if (source && words->count < WORDS_MAX) {
        words->word[words->count++] = source;
        if (!lacks_source(words, command))
            words->count--;
    }
    return source != NULL;
}

static bool run(const char *line, const char *it, struct lw_text *printed,
                struct lw_text *complaint)
{
    struct words words;
    struct lw_error err = {0};
    bool whole = split(&words, line);
    const struct lw_command *command =
        whole && words.count > 1 ? lw_command_find(words.word[1]) : NULL;
    if (!command || !*command->name || !put_it(&words, command, it)) {
        lw_arena_free(&words.arena);
        return false;
    }
    FILE *out = tmpfile(), *said = tmpfile();
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (out && said && nothing >= 0) {
        int in = redirect(STDIN_FILENO, nothing), error = redirect(STDERR_FILENO, fileno(said));
        run_words(&words, out, &err);
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
    lw_arena_free(&words.arena);
    return true;
}

/* ---- Completing ---- */

static bool choice_at(const struct lw_choices *choices, size_t i, struct lw_text *word)
{
    if (i >= choices->count())
        return false;
    lw_text_add(word, choices->name(NULL, i));
    return true;
}

/* The option whose value is to come, or NULL. */
static const struct lw_option *option_before(const char *word)
{
    if (strncmp(word, "--", 2) != 0)
        return NULL;
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (!strcmp(lw_options()[id].name, word + 2))
            return lw_options()[id].argument ? &lw_options()[id] : NULL;
    return NULL;
}

static bool option_at(uint64_t takes, size_t i, struct lw_text *word)
{
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if ((takes >> id & 1) && i-- == 0) {
            lw_text_format(word, "--%s", lw_options()[id].name);
            return true;
        }
    return false;
}

static bool complete(const char *line, size_t i, struct lw_text *word)
{
    struct words words;
    bool found = false;
    if (split(&words, line)) {
        int last = words.count - (words.open ? 1 : 0); /* the place of the word to be */
        const char *typed = words.open ? words.word[last] : "";
        const struct lw_command *command = last > 1 ? lw_command_find(words.word[1]) : NULL;
        const struct lw_option *option = last > 2 ? option_before(words.word[last - 1]) : NULL;
        if (last == 1)
            found = choice_at(&lw_choices_commands, i, word);
        else if (command && typed[0] == '-')
            found = option_at(command->options, i, word);
        else if (command && option && option->choices)
            found = choice_at(option->choices, i, word);
        else if (command && !option)
            found = choice_at(&lw_choices_gallery, i, word);
    }
    lw_arena_free(&words.arena);
    return found;
}

const struct lw_tui_shell lw_shell = {run, complete};
