/* Every row of the tables is whole, and is in the help, the manual page and the completions. */

#include "cli/command/commands.h"
#include "laneway/laneway.h"
#include "cli/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

/* Writes a text with one blank for each run of blanks and newlines: a long usage is wrapped. */
static const char *on_one_line(const char *text, struct lw_text *line)
{
    lw_text_clear(line);
    for (; *text; text++)
        if (!strchr(" \n", *text) || (line->length && !strchr(" \n", text[1])))
            lw_text_char(line, *text == '\n' ? ' ' : *text);
    return lw_text_string(line);
}

static void has(const char *text, const char *piece)
{
    if (!strstr(text, piece))
        print_message("'%s' is not in\n%s", piece, text);
    assert_non_null(strstr(text, piece));
}

static void has_all(const char *text, const struct lw_choices *choices)
{
    struct lw_choice choice;
    struct lw_text all = {0}, name = {0};
    assert_true(lw_choices_count(choices) > 0);
    on_one_line(text, &all);
    for (size_t i = 0; choices->at(choices->context, i, &choice); i++)
        has(lw_text_string(&all), on_one_line(choice.name, &name));
    lw_text_free(&all);
    lw_text_free(&name);
}

static void prints(const char *command, struct result *result)
{
    run_command(result, command);
    if (result->status != 0 || result->err_length)
        print_message("$ %s\nstatus %d: %s", command, result->status, result->err);
    assert_int_equal(result->status, 0);
    assert_string_equal(result->err, "");
    assert_true(result->out_length > 0 || strstr(command, " -o "));
}

/* One line, lower case, no full stop. */
static void good_help(const char *help)
{
    assert_true(*help && !strchr(help, '\n') && help[strlen(help) - 1] != '.');
    assert_false(help[0] >= 'A' && help[0] <= 'Z' && help[1] >= 'a' && help[1] <= 'z');
}

/* At most 80 columns, except for examples, which are not broken. */
static void no_long_lines(const char *text)
{
    while (*text) {
        char line[256];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        bool good = lw_text_width(line) <= 80 || !strncmp(line, "  laneway ", 10);
        if (!good)
            print_message("over 80 columns: %s\n", line);
        assert_true(good);
        text += length + (text[length] == '\n');
    }
}

static void commands_are_whole(void **state)
{
    (void)state;
    const struct lw_command *const *commands = lw_laneway.commands;
    uint64_t taken = LW_OPTION_BIT(HELP) | LW_OPTION_BIT(VERSION);
    for (size_t i = 0; commands[i]; i++) {
        good_help(commands[i]->help);
        assert_true(*commands[i]->about && commands[i]->examples[0].arguments);
        assert_ptr_equal(lw_command_find(&lw_laneway, commands[i]->name), commands[i]);
        taken |= commands[i]->options;
    }
    assert_true(taken == ((((uint64_t)1 << LW_OPTION_TITLE) - 1) | LW_OPTIONS_FIGURE));
}

/* Commands that answer in JSON are the requests of `serve`, and only they have --batch. */
static void answers_are_requests(void **state)
{
    (void)state;
    for (const struct lw_command *const *command = lw_laneway.commands; *command; command++) {
        uint64_t options = (*command)->options;
        assert_true((*command)->answer || !(options & LW_OPTION_BIT(BATCH)));
        if (!(*command)->answer)
            continue;
        assert_true(options & LW_OPTION_BIT(JSON));
        assert_non_null((*command)->keys[0].name);
        has(lw_command_serve.about, (*command)->name);
    }
}

static void options_are_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < LW_OPTION_COUNT; i++) {
        good_help(lw_options()[i].help);
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(lw_options()[i].name, lw_options()[j].name);
            assert_true(!lw_options()[i].letter ||
                        lw_options()[i].letter != lw_options()[j].letter);
        }
    }
}

static void help_of_commands(void **state)
{
    (void)state;
    const struct lw_command *const *commands = lw_laneway.commands;
    for (size_t i = 0; commands[i]; i++) {
        struct result help, option;
        char command[64], name[64];
        snprintf(command, sizeof command, "laneway help %s",
                 *commands[i]->name ? commands[i]->name : "explorer");
        prints(command, &help);
        no_long_lines(help.out);
        for (size_t id = 0; id < LW_OPTION_COUNT; id++) {
            snprintf(name, sizeof name, "--%s", lw_options()[id].name);
            if (lw_options_have(commands[i]->options, id))
                has(help.out, name);
        }
        snprintf(command, sizeof command, "laneway %s --help", commands[i]->name);
        prints(command, &option);
        if (*commands[i]->name)
            assert_string_equal(help.out, option.out);
        result_free(&help);
        result_free(&option);
    }
}

/* Examples run as they stand, in a shell. */
static void examples_run(void **state)
{
    (void)state;
    const struct lw_command *const *commands = lw_laneway.commands;
    for (size_t i = 0; commands[i]; i++)
        for (size_t j = 0; j < LW_EXAMPLES_MAX && commands[i]->examples[j].arguments; j++) {
            struct result result;
            char command[1024];
            snprintf(command, sizeof command,
                     "man() { cat; }; [ -d \"$SCRATCH/layouts\" ] || cp -r layouts \"$SCRATCH\"; "
                     "head -n 9 tests/golden/banks_h200.csv >\"$SCRATCH/accesses.csv\"; "
                     "for name in matmul before after; do "
                     "cp tests/golden/ttgir/matmul.sm90.ttgir \"$SCRATCH/$name.ttgir\"; done; "
                     "cd \"$SCRATCH\"; export HOME=\"$SCRATCH\"; mkdir -p .triton/cache/a; "
                     "cp matmul.ttgir .triton/cache/a; echo 'spatial(4, 8)' >sources.txt; "
                     "echo '{\"request\":\"bases\",\"source\":\"spatial(4, 8)\"}' >requests.jsonl; "
                     "printf '.. laneway: version\\n.. /laneway\\n' >guide.rst; laneway %s%s",
                     commands[i]->examples[j].arguments,
                     *commands[i]->name ? "" : " 2>/dev/null"); /* why no explorer opens */
            prints(command, &result);
            result_free(&result);
        }
}

static void help_of_encodings(void **state)
{
    (void)state;
    size_t count;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    for (size_t i = 0; i < count; i++) {
        struct result help;
        char command[128];
        snprintf(command, sizeof command, "laneway help '%s'", types[i]->name);
        prints(command, &help);
        no_long_lines(help.out);
        has(help.out, types[i]->title);
        for (size_t j = 0; j < types[i]->param_count; j++)
            has(help.out, types[i]->params[j].name);
        result_free(&help);
        if (types[i]->example && *types[i]->example) {
            struct lw_text show = {0};
            lw_text_format(&show, "laneway show '%s'", types[i]->example);
            prints(lw_text_string(&show), &help);
            lw_text_free(&show);
            result_free(&help);
        }
    }
}

static void help_of_topics(void **state)
{
    (void)state;
    static const struct {
        const char *topic;
        const struct lw_choices *choices;
    } lists[] = {
        {"output", &lw_choices_views},          {"output", &lw_choices_color_keys},
        {"output", &lw_choices_palettes},       {"output", &lw_choices_styles},
        {"output", &lw_choices_formats},        {"cells", &lw_choices_views},
        {"versions", &lw_choices_versions},     {"targets", &lw_choices_targets},
        {"operations", &lw_choices_operations}, {"scripts", &lw_choices_script},
        {"lessons", &lw_choices_step_keys},     {"goals", &lw_choices_goals},
        {"encodings", &lw_choices_encodings},
    };
    const struct lw_topic *topics = lw_laneway.topics;
    struct result help;
    char command[128];
    size_t count = 0;
    for (; topics[count].name; count++) {
        snprintf(command, sizeof command, "laneway help %s", topics[count].name);
        prints(command, &help);
        no_long_lines(help.out);
        assert_null(strstr(help.out, "\n@"));
        result_free(&help);
    }
    assert_true(count <= 13);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        snprintf(command, sizeof command, "laneway help %s", lists[i].topic);
        prints(command, &help);
        has_all(help.out, lists[i].choices);
        result_free(&help);
    }
}

/* Each command of `help agents` runs as it stands; a line indented below it is its output. */
static void help_of_agents(void **state)
{
    (void)state;
    struct result help;
    int commands = 0, outputs = 0;
    prints("laneway help agents", &help);
    for (char *line = help.out, *next; *line; line = next) {
        struct result result;
        char command[512];
        next = line + strcspn(line, "\n");
        if (!strncmp(line, "  laneway ", 10)) {
            snprintf(command, sizeof command,
                     "cp tests/golden/ttgir/matmul.sm90.ttgir \"$SCRATCH/kernel.ttgir\"; cd "
                     "\"$SCRATCH\"; %.*s",
                     (int)(next - line), line);
            prints(command, &result);
            if (!strncmp(next, "\n      ", 7)) {
                size_t length = strcspn(next + 7, "\n");
                assert_int_equal(result.out_length, length + 1);
                assert_memory_equal(result.out, next + 7, length);
                outputs++;
            }
            result_free(&result);
            commands++;
        }
        next += *next == '\n';
    }
    assert_true(commands >= 14 && outputs >= 3);
    result_free(&help);
}

static void overview(void **state)
{
    (void)state;
    struct result help;
    const struct lw_command *const *commands = lw_laneway.commands;
    prints("laneway --help", &help);
    no_long_lines(help.out);
    for (size_t i = 0; commands[i]; i++)
        if (*commands[i]->name)
            has(help.out, commands[i]->help);
    const struct lw_choices topics = lw_topic_choices(&lw_laneway);
    has_all(help.out, &topics);
    has_all(help.out, &lw_choices_encodings);
    result_free(&help);
}

static void known_requests(const char *page)
{
    static const char requests[] = ".TH .SH .SS .nf .fi .in ";
    for (const char *line = page; line; line = strchr(line, '\n'), line += line != NULL) {
        char request[8];
        if (*line != '.')
            continue;
        snprintf(request, sizeof request, "%.*s ", (int)(strcspn(line, " \n") % 6), line);
        has(requests, request);
    }
}

/* Every option and command is there, every encoding in the page of its own, and every line that begins with a dot is a
 * known request. The page is short enough to be read. */
static void manual(void **state)
{
    (void)state;
    struct result page;
    prints("laneway help --man", &page);
    for (size_t id = 0; id < LW_OPTION_COUNT; id++) {
        struct lw_text name = {0};
        for (const char *c = lw_options()[id].name; *c; c++)
            lw_text_format(&name, *c == '-' ? "\\%c" : "%c", *c);
        has(page.out, lw_text_string(&name));
        lw_text_free(&name);
    }
    size_t words = 0;
    for (const char *c = page.out; *c; c++)
        words += *c > ' ' && (c[1] == ' ' || c[1] == '\n');
    assert_true(words < 6500);
    known_requests(page.out);
    result_free(&page);
    prints("laneway help --man encodings", &page);
    has_all(page.out, &lw_choices_encodings);
    known_requests(page.out);
    result_free(&page);
    run_command(&page, "command -v groff >/dev/null || exit 0; for page in '' encodings; do "
                       "laneway help --man $page | groff -man -Tutf8 -ww -z 2>&1; done");
    assert_string_equal(page.out, "");
    result_free(&page);
}

static void completions(void **state)
{
    (void)state;
    static const char *const shells[] = {"bash", "zsh", "fish"};
    for (size_t i = 0; i < 3; i++) {
        struct result result;
        char command[256];
        snprintf(command, sizeof command, "laneway help --completions %s", shells[i]);
        prints(command, &result);
        result_free(&result);
        snprintf(command, sizeof command,
                 "command -v %s >/dev/null || exit 0; "
                 "laneway help --completions %s >\"$SCRATCH/c\" && %s -n \"$SCRATCH/c\"",
                 shells[i], shells[i], shells[i]);
        run_command(&result, command);
        assert_string_equal(result.err, "");
        assert_int_equal(result.status, 0);
        result_free(&result);
    }
}

/* The completions of bash, requested as bash does it. */
static void bash_offers(void **state)
{
    (void)state;
    static const struct {
        const char *operands, *offers;
    } cases[] = {
        {"laneway sho", "show\n"},
        {"laneway bases --ba", "--batch\n"},
        {"laneway show --view mat", "matrix\n"},
        {"laneway help --completions fi", "fish\n"},
        {"laneway help less", "lessons\n"},
        {"laneway show --color a", "auto\nalways\n"},
        {"laneway show --format = sv", "svg\n"},
        {"laneway banks --target = gfx94", "gfx942\ngfx942-rocroller\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct result result;
        char command[512];
        snprintf(command, sizeof command,
                 "command -v bash >/dev/null || { printf '%s'; exit; }; "
                 "laneway help --completions bash >\"$SCRATCH/c\"; cd /; "
                 "bash -c '. \"$SCRATCH/c\"; COMP_WORDS=(%s); "
                 "COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _laneway laneway; "
                 "printf \"%%s\\n\" \"${COMPREPLY[@]}\"'",
                 cases[i].offers, cases[i].operands);
        run_command(&result, command);
        assert_string_equal(result.out, cases[i].offers);
        assert_string_equal(result.err, "");
        result_free(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_whole), cmocka_unit_test(answers_are_requests),
        cmocka_unit_test(options_are_whole),  cmocka_unit_test(help_of_commands),
        cmocka_unit_test(examples_run),       cmocka_unit_test(help_of_encodings),
        cmocka_unit_test(help_of_topics),     cmocka_unit_test(help_of_agents),
        cmocka_unit_test(overview),           cmocka_unit_test(manual),
        cmocka_unit_test(completions),        cmocka_unit_test(bash_offers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
