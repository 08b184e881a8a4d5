/* What can follow the words of a command line, and the scripts by which shells ask for it. */

#include "cli/report/help.h"

#include <string.h>

/* ---- What can follow ---- */

/* What can follow a line of arguments: names from lists, and files. */
struct completion {
    struct lw_argv argv; /* the line; to be freed */
    const char *typed;   /* its last word, which may be empty */
    size_t before;       /* bytes of it that are before each word that follows: "--format=" */
    const char *dashes;  /* before each of them; NULL: none */
    struct lw_choices lists[3];
    size_t count; /* of lists */
    bool files;
};

static bool option_at(const void *context, size_t i, struct lw_choice *choice)
{
    const struct lw_command *command = context;
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (lw_options_have(command->options | LW_OPTION_BIT(HELP), id) && i-- == 0) {
            *choice = (struct lw_choice){lw_options()[id].name, lw_options()[id].help};
            return true;
        }
    return false;
}

/* The option that a word names, "--format", "--format=svg" or "-t"; NULL: none. */
static const struct lw_option *option_of(const char *word)
{
    for (size_t id = 0; id < LW_OPTION_COUNT; id++) {
        const struct lw_option *option = &lw_options()[id];
        const size_t length = strlen(option->name);
        const bool is_long = !strncmp(word, "--", 2) && !strncmp(word + 2, option->name, length) &&
                             strchr("=", word[2 + length]);
        if (is_long || (option->letter && word[0] == '-' && word[1] == option->letter && !word[2]))
            return option;
    }
    return NULL;
}

static void add(struct completion *c, struct lw_choices list)
{
    c->lists[c->count++] = list;
}

static void add_values(struct completion *c, const struct lw_option *option)
{
    if (option->choices)
        add(c, *option->choices);
    c->files = option->argument && !strcmp(option->argument, "FILE");
}

/* A line of too many words has nothing that can follow. */
static void open_line(struct completion *c, const struct lw_program *program, const char *line)
{
    *c = (struct completion){0};
    if (!lw_argv_split(&c->argv, line))
        return;
    char *const *words = c->argv.argument;
    const int last = c->argv.count - c->argv.open; /* of the word that is typed */
    const char *typed = c->typed = c->argv.open ? words[last] : "", *equals = strchr(typed, '=');
    const char *before = last > 1 ? words[last - 1] : "";
    const struct lw_command *command = last > 1 ? lw_command_find(program, words[1]) : NULL;
    const struct lw_option *option = option_of(typed), *of_value = option_of(before);
    command = command ? command : lw_command_find(program, "");
    if (of_value && of_value->argument && !(of_value->traits & LW_OPTION_VALUE_OPTIONAL) &&
        !strchr(before, '=')) {
        add_values(c, of_value);
        return;
    }
    if (typed[0] == '-' && option && equals) {
        c->before = (size_t)(equals + 1 - typed);
        add_values(c, option);
        return;
    }
    if (typed[0] == '-') {
        c->dashes = "--";
        add(c, (struct lw_choices){option_at, command});
        return;
    }
    c->files = true;
    if (!strcmp(command->name, "help")) {
        add(c, lw_command_choices(program));
        add(c, lw_topic_choices(program));
        add(c, lw_choices_encodings);
    } else if (command->max_operands) {
        add(c, command->words ? *command->words : lw_choices_gallery);
    }
    if (!*command->name)
        add(c, lw_command_choices(program));
}

/* Appends word i that can follow, whether or not it begins as the typed word does; false: there are no more. */
static bool word_at(const struct completion *c, size_t i, struct lw_text *word, const char **help)
{
    struct lw_choice choice;
    for (size_t list = 0; list < c->count; list++) {
        const size_t count = lw_choices_count(&c->lists[list]);
        if (i < count && c->lists[list].at(c->lists[list].context, i, &choice)) {
            lw_text_bytes(word, c->typed, c->before);
            lw_text_format(word, "%s%s", c->dashes ? c->dashes : "", choice.name);
            *help = choice.help;
            return true;
        }
        i -= count;
    }
    return false;
}

void lw_print_words(struct lw_text *text, const struct lw_program *program, const char *line)
{
    struct completion c;
    struct lw_text word = {0};
    const char *help;
    open_line(&c, program, line);
    for (size_t i = 0; word_at(&c, i, &word, &help); i++) {
        if (word.length && !strncmp(lw_text_string(&word), c.typed, strlen(c.typed)))
            lw_text_format(text, "%s%s%s\n", lw_text_string(&word), *help ? "\t" : "", help);
        lw_text_clear(&word);
    }
    lw_text_free(&word);
    lw_argv_free(&c.argv);
    lw_text_add(text, c.files ? ":files\n" : "");
}

/* ---- Scripts ---- */

/* bash makes three words of --format=s: its answers begin after the '='. */
static const char bash[] =
    "# bash completion of laneway\n"
    "_laneway() {\n"
    "    local i word cur line= joined=\n"
    "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "        cur=${COMP_WORDS[i]} joined=\n"
    "        [[ $cur == = || ${COMP_WORDS[i-1]} == = ]] && joined=1 || line+=' '\n"
    "        line+=$cur\n"
    "    done\n"
    "    [[ $cur == = ]] && cur=\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r word; do\n"
    "        word=${word%%$'\\t'*}\n"
    "        if [[ $word == :files ]]; then\n"
    "            COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
    "        elif [[ $joined ]]; then\n"
    "            COMPREPLY+=(\"${word#*=}\")\n"
    "        else\n"
    "            COMPREPLY+=(\"$word\")\n"
    "        fi\n"
    "    done < <(command \"$1\" help --complete \"$line\" 2>/dev/null)\n"
    "}\n"
    "complete -o filenames -F _laneway laneway\n";

static const char zsh[] = "#compdef laneway\n"
                          "_laneway() {\n"
                          "    local line files=\n"
                          "    local -a names texts\n"
                          "    for line in \"${(@f)$(command $words[1] help --complete "
                          "\"${(j: :)words[2,CURRENT]}\" 2>/dev/null)}\"; do\n"
                          "        if [[ $line == :files ]]; then\n"
                          "            files=1\n"
                          "        elif [[ -n $line ]]; then\n"
                          "            names+=(\"${line%%$'\\t'*}\")\n"
                          "            texts+=(\"${line/$'\\t'/  -- }\")\n"
                          "        fi\n"
                          "    done\n"
                          "    compadd -l -d texts -a names\n"
                          "    if [[ -n $files ]]; then\n"
                          "        compset -P '--*='\n"
                          "        _files\n"
                          "    fi\n"
                          "}\n"
                          "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
                          "    _laneway \"$@\"\n"
                          "else\n"
                          "    compdef _laneway laneway\n"
                          "fi\n";

static const char fish[] =
    "# fish completion of laneway\n"
    "function __laneway_words\n"
    "    set -l words (commandline -opc) (commandline -ct)\n"
    "    command $words[1] help --complete \"$words[2..-1]\" 2>/dev/null | string match -v :files\n"
    "end\n"
    "complete -c laneway -a '(__laneway_words)'\n";

void lw_print_completions(struct lw_text *text, const char *shell)
{
    lw_text_add(text, !strcmp(shell, "bash") ? bash : !strcmp(shell, "zsh") ? zsh : fish);
}
