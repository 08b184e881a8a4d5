/* Completions of the shells, from the tables of commands, options and choices. */

#include "cli/report/help.h"

#include <string.h>

/* The names of a list, each after a blank. */
static void put_choices(struct lw_text *text, const struct lw_choices *choices)
{
    lw_text_char(text, ' ');
    lw_choices_print(text, choices, " ");
}

static bool value_is_file(const struct lw_option *option)
{
    return option->argument && !strcmp(option->argument, "FILE");
}

static void option_choices(struct lw_text *text, uint64_t options)
{
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (lw_options_have(options, id))
            lw_text_format(text, " --%s", lw_options()[id].name);
}

/* Whether the value is the next argument. */
static bool value_is_next(const struct lw_option *option)
{
    return option->argument && !(option->traits & LW_OPTION_VALUE_OPTIONAL);
}

/* The names that can be the first operand of a command. */
static void first_operands(struct lw_text *text, const struct lw_program *program,
                           const struct lw_command *command)
{
    const struct lw_choices commands = lw_command_choices(program);
    const struct lw_choices topics = lw_topic_choices(program);
    if (!strcmp(command->name, "help")) {
        put_choices(text, &commands);
        put_choices(text, &topics);
        put_choices(text, &lw_choices_encodings);
    } else if (command->max_operands) {
        put_choices(text, command->words ? command->words : &lw_choices_gallery);
    }
    if (!*command->name)
        put_choices(text, &commands);
}

/* Calls a function for every command, the explorer last: its pattern `*` in the `case` of a shell matches
 * everything. */
static void each_command(struct lw_text *text, const struct lw_program *program,
                         void (*put)(struct lw_text *text, const struct lw_program *program,
                                     const struct lw_command *command))
{
    for (const struct lw_command *const *command = program->commands + 1; *command; command++)
        put(text, program, *command);
    put(text, program, program->commands[0]);
}

/* ---- bash ---- */

static void bash_values(struct lw_text *text)
{
    for (size_t id = 0; id < LW_OPTION_COUNT; id++) {
        const struct lw_option *option = &lw_options()[id];
        if (!value_is_next(option))
            continue;
        lw_text_format(text, "    --%s", option->name);
        if (option->letter)
            lw_text_format(text, " | -%c", option->letter);
        lw_text_add(text, ")\n");
        if (option->choices) {
            lw_text_add(text, "        COMPREPLY=($(compgen -W '");
            put_choices(text, option->choices);
            lw_text_add(text, "' -- \"$cur\"))\n");
        } else if (value_is_file(option)) {
            lw_text_add(text, "        COMPREPLY=($(compgen -f -- \"$cur\"))\n");
        }
        lw_text_add(text, "        return ;;\n");
    }
}

static void bash_command(struct lw_text *text, const struct lw_program *program,
                         const struct lw_command *command)
{
    lw_text_format(text, "    %s)\n        options='", *command->name ? command->name : "*");
    option_choices(text, command->options | LW_OPTION_BIT(HELP));
    lw_text_add(text, "'\n        words='");
    first_operands(text, program, command);
    lw_text_add(text, "' ;;\n");
}

static void bash(struct lw_text *text, const struct lw_program *program)
{
    lw_text_add(text, "# bash completion of laneway\n"
                      "_laneway() {\n"
                      "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                      "    local options words\n"
                      "    if [[ $cur == = ]]; then\n" /* bash splits --format=s at the '=' */
                      "        cur=\n"
                      "    elif [[ $prev == = ]]; then\n"
                      "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
                      "    fi\n"
                      "    case $prev in\n");
    bash_values(text);
    lw_text_add(text, "    esac\n    case ${COMP_WORDS[1]} in\n");
    each_command(text, program, bash_command);
    lw_text_add(text, "    esac\n"
                      "    if [[ $cur == -* ]]; then\n"
                      "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
                      "    else\n"
                      "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")"
                      " $(compgen -f -- \"$cur\"))\n"
                      "    fi\n"
                      "}\n"
                      "complete -o filenames -F _laneway laneway\n");
}

/* ---- zsh ---- */

/* Inside single quotes, where brackets and colons have a meaning too. */
static void zsh_quoted(struct lw_text *text, const char *string)
{
    for (const char *c = string; *c; c++) {
        if (*c == '\'')
            lw_text_add(text, "'\\''");
        else if (strchr("[]:\\", *c))
            lw_text_format(text, "\\%c", *c);
        else
            lw_text_char(text, *c);
    }
}

static void zsh_option(struct lw_text *text, size_t id)
{
    const struct lw_option *option = &lw_options()[id];
    lw_text_format(text, " \\\n            '%s--%s%s[", id == LW_OPTION_SET ? "*" : "",
                   option->name,
                   value_is_next(option) ? "="
                   : option->argument    ? "=-"
                                         : "");
    zsh_quoted(text, option->help);
    lw_text_char(text, ']');
    if (option->argument) {
        lw_text_add(text, value_is_next(option) ? ":" : "::");
        zsh_quoted(text, option->argument);
        lw_text_char(text, ':');
        if (option->choices) {
            lw_text_char(text, '(');
            put_choices(text, option->choices);
            lw_text_char(text, ')');
        } else if (value_is_file(option)) {
            lw_text_add(text, "_files");
        }
    }
    lw_text_char(text, '\'');
}

static void zsh_command(struct lw_text *text, const struct lw_program *program,
                        const struct lw_command *command)
{
    lw_text_format(text, "    %s)\n        words_of=(", *command->name ? command->name : "*");
    first_operands(text, program, command);
    lw_text_add(text, ")\n        _arguments -S");
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (lw_options_have(command->options | LW_OPTION_BIT(HELP), id))
            zsh_option(text, id);
    lw_text_add(text, " \\\n            '*:word:_laneway_word' ;;\n");
}

static void zsh(struct lw_text *text, const struct lw_program *program)
{
    lw_text_add(text, "#compdef laneway\n"
                      "_laneway_word() {\n"
                      "    _alternative 'word:word:compadd -a words_of' 'file:file:_files'\n"
                      "}\n"
                      "_laneway() {\n"
                      "    local -a words_of\n"
                      "    case ${words[2]} in\n");
    each_command(text, program, zsh_command);
    lw_text_add(text, "    esac\n"
                      "}\n"
                      "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
                      "    _laneway \"$@\"\n"
                      "else\n"
                      "    compdef _laneway laneway\n"
                      "fi\n");
}

/* ---- fish ---- */

static void fish_quoted(struct lw_text *text, const char *string)
{
    lw_text_char(text, '\'');
    for (const char *c = string; *c; c++)
        lw_text_format(text, *c == '\'' || *c == '\\' ? "\\%c" : "%c", *c);
    lw_text_char(text, '\'');
}

static void fish_option(struct lw_text *text, const struct lw_command *command, size_t id)
{
    const struct lw_option *option = &lw_options()[id];
    lw_text_format(text, "complete -c laneway -n %s%s%s -l %s",
                   *command->name ? "'__fish_seen_subcommand_from " : "__fish_use_subcommand",
                   command->name, *command->name ? "'" : "", option->name);
    if (option->letter)
        lw_text_format(text, " -s %c", option->letter);
    if (value_is_next(option))
        lw_text_add(text, value_is_file(option) ? " -r -F" : " -x");
    if (option->choices) {
        lw_text_add(text, " -a '");
        put_choices(text, option->choices);
        lw_text_char(text, '\'');
    }
    lw_text_add(text, " -d ");
    fish_quoted(text, option->help);
    lw_text_char(text, '\n');
}

static void fish_command(struct lw_text *text, const struct lw_program *program,
                         const struct lw_command *command)
{
    if (*command->name) {
        lw_text_format(text, "complete -c laneway -n __fish_use_subcommand -a %s -d ",
                       command->name);
        fish_quoted(text, command->help);
        lw_text_char(text, '\n');
    }
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (lw_options_have(command->options | LW_OPTION_BIT(HELP), id))
            fish_option(text, command, id);
    struct lw_text list = {0};
    first_operands(&list, program, command);
    if (list.length)
        lw_text_format(text, "complete -c laneway -n %s%s%s -a '%s'\n",
                       *command->name ? "'__fish_seen_subcommand_from " : "__fish_use_subcommand",
                       command->name, *command->name ? "'" : "", lw_text_string(&list));
    lw_text_free(&list);
}

static void fish(struct lw_text *text, const struct lw_program *program)
{
    lw_text_add(text, "# fish completion of laneway\n");
    each_command(text, program, fish_command);
}

bool lw_print_completions(struct lw_text *text, const struct lw_program *program, const char *shell)
{
    static const struct {
        const char *name;
        void (*print)(struct lw_text *text, const struct lw_program *program);
    } rows[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, shell)) {
            rows[i].print(text, program);
            return true;
        }
    return false;
}
