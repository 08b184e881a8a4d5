/* The program's command line inside the explorer: words as a shell has them, then the same reader of
 * arguments and the same commands. What they print is caught; they have no standard input. */

#include "cli/cli.h"
#include "tui/tui.h"

#include <string.h>

/* ---- Running ---- */

/* Like lw_program_run, but for where things go. */
static enum lw_status run_words(void *context, FILE *out)
{
    struct lw_words *words = context;
    struct lw_arguments args = {0};
    struct lw_output output = {.stream = out};
    struct lw_error err = {0};
    if (!lw_arguments_read(&args, words->count, words->word, &err))
        return lw_complain(NULL, &err);
    const char *path = LW_VALUE(&args, OUTPUT);
    if (!path)
        args.value[LW_OPTION_COLOR] = "never"; /* a page shows text alone */
    bool file = path && strcmp(path, "-") != 0;
    enum lw_status status = LW_STATUS_WRONG;
    if (file && !lw_output_open(&output, path, &err)) {
        lw_complain(NULL, &err);
    } else {
        status = args.command->run(&args, output.stream);
        if (file && !lw_output_close(&output, status != LW_STATUS_WRONG, &err))
            status = lw_complain(NULL, &err);
        else if (file && status != LW_STATUS_WRONG)
            fprintf(out, "%s: written\n", path);
    }
    lw_arguments_free(&args);
    return status;
}

/* Whether the words lack the source that the command needs: with one more it would have just one. One
 * source with a second layout in it stands for two. */
static bool lacks_source(const struct lw_words *words, const struct lw_command *command)
{
    struct lw_arguments args;
    bool of_two = command == &lw_command_banks || command == &lw_command_convert ||
                  command == &lw_command_swizzle;
    if ((!of_two && strncmp(command->words, "SOURCE", 6) != 0) ||
        !lw_arguments_read(&args, words->count, words->word, NULL))
        return false;
    bool lacks = args.word_count == 1;
    lw_arguments_free(&args);
    return lacks;
}

/* `it` is the layout on the screen, also where a command needs a source and has none. */
static bool put_it(struct lw_words *words, const struct lw_command *command, const char *it)
{
    if (!*it) /* there is none */
        return true;
    char *source = lw_arena_string(&words->arena, it, strlen(it));
    for (int i = 2; source && i < words->count; i++)
        if (!strcmp(words->word[i], "it"))
            words->word[i] = source;
    if (source && words->count < LW_WORDS_MAX) {
        words->word[words->count++] = source;
        if (!lacks_source(words, command))
            words->count--;
    }
    return source != NULL;
}

static bool run(const char *line, const char *it, struct lw_text *printed,
                struct lw_text *complaint)
{
    struct lw_words words;
    bool whole = lw_words_split(&words, line);
    const struct lw_command *command =
        whole && words.count > 1 ? lw_command_find(words.word[1]) : NULL;
    if (!command || !*command->name || !put_it(&words, command, it)) {
        lw_words_free(&words);
        return false;
    }
    lw_capture(run_words, &words, printed, complaint);
    lw_words_free(&words);
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
    struct lw_words words;
    bool found = false;
    if (lw_words_split(&words, line)) {
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
    lw_words_free(&words);
    return found;
}

const struct lw_tui_shell lw_shell = {run, complete};
