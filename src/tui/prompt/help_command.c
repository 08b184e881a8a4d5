/* `:help`: the commands and actions as a page, or the help of one name. */

#include "tui/explore/explorer.h"
#include "tui/prompt/prompt.h"

#include "laneway/calc.h"

#include <string.h>

/* Puts "write, w [FILE]". */
static void put_usage(struct lw_text *text, const struct lw_prompt_command *command)
{
    lw_text_add(text, command->name);
    if (command->also)
        lw_text_format(text, ", %s", command->also);
    if (*command->arguments)
        lw_text_format(text, " %s", command->arguments);
}

const struct lw_calc_operation *lw_operation_named(const char *name)
{
    const struct lw_calc_operation *operation = NULL;
    for (size_t i = 0; (operation = lw_calc_operation_at(i)) != NULL; i++)
        if (!strcmp(operation->name, name))
            break;
    return operation;
}

/* Help of one command, action or operation, else the help of the program. */
static void help_of(struct lw_explorer *ex, const char *name)
{
    const struct lw_prompt_command *command = lw_prompt_command_find(ex, name);
    const struct lw_calc_operation *operation = lw_operation_named(name);
    const struct lw_key_action *action = lw_key_action_find(ex, name);
    struct lw_text text = {0};
    if (command) {
        put_usage(&text, command);
        lw_explorer_set_message(ex, false, "%s: %s", lw_text_string(&text), command->help);
    } else if (action) {
        lw_explorer_set_message(ex, false, "%s, keys %s: %s", action->name, action->keys,
                                action->help);
    } else {
        lw_text_format(&text, "help %s", name);
        const bool run = lw_run_program(ex, lw_text_string(&text));
        const bool unknown = !run || !strncmp(ex->status.message, "no help about", 13);
        if (unknown && operation)
            lw_explorer_set_message(ex, false, "%s: %s", operation->usage, operation->help);
        else if (!run)
            lw_explorer_set_message(ex, true, "no help for '%s': :help lists the commands", name);
    }
    lw_text_free(&text);
}

void lw_help(struct lw_explorer *ex, const char *name)
{
    enum { COLUMN = 21 };
    struct lw_text text = {0};
    const struct lw_tables *tables = &ex->tables;
    if (*name) {
        help_of(ex, name);
        return;
    }
    for (size_t i = 0; i < tables->command_count; i++) {
        size_t from = text.length;
        put_usage(&text, &tables->commands[i]);
        size_t used = text.length - from;
        lw_text_repeat(&text, ' ', used < COLUMN ? COLUMN - used : 2);
        lw_text_format(&text, "%s\n", tables->commands[i].help);
    }
    lw_text_add(&text, "\nand every action that has keys:\n\n");
    for (size_t i = 0; i < tables->action_count; i++)
        lw_text_format(&text, "%-*s%s\n", COLUMN, tables->actions[i].name, tables->actions[i].help);
    lw_text_add(&text,
                "\nand every command of the program, such as 'bases' or 'show --view matrix';\n"
                "Without a SOURCE they use this layout; its name is `it`.\n");
    lw_text_add(&text, "\nAny other text is an expression for the calculator: 'help operations'\n"
                       "lists its operations.\n");
    lw_page_open(ex, "Commands", lw_text_string(&text));
    lw_text_free(&text);
}
