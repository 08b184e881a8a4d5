/*
 * Requests: a line of JSON becomes the arguments of a command, which answers them.
 *
 * Invariant: every line gets one line of answer, in order.
 */

#include "cli/requests.h"

#include "core/array_count.h"
#include "core/text_escape.h"
#include "export/output.h"
#include "notation/document/read.h"
#include "tui/tui.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Lines ---- */

char *lw_lines_next(struct lw_lines *lines, size_t *length, struct lw_error *err)
{
    struct lw_text *text = &lines->text;
    int c;
    memset(err, 0, sizeof *err);
    lw_text_clear(text);
    while ((c = getc_unlocked(lines->file)) != EOF && c != '\n' && text->length <= LW_LINE_MAX)
        lw_text_char(text, (char)c);
    if (ferror(lines->file))
        lw_error_set(err, LW_ERROR_IO, "%.200s: %s", lines->name, strerror(errno));
    else if (text->failed)
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    else if (text->length > LW_LINE_MAX)
        lw_error_set(err, LW_ERROR_LIMIT, "a line of %.200s has more than %zu bytes", lines->name,
                     LW_LINE_MAX);
    if (err->code != LW_OK || (c == EOF && !text->length))
        return NULL;
    const char *line = lw_text_string(text);
    *length = text->length;
    if (*length && line[*length - 1] == '\r')
        text->data[--*length] = '\0';
    if (!lines->begun)
        lw_skip_order_mark(&line, length);
    lines->begun = true;
    return *length ? text->data + (line - text->data) : lines->empty;
}

enum lw_status lw_answer_lines(FILE *out, lw_line_answer *answer, void *context)
{
    /* a stream of its own: a command that it runs reads nothing of it */
    struct lw_lines lines = {.file = fdopen(dup(STDIN_FILENO), "r"), .name = "standard input"};
    struct lw_text text = {0};
    struct lw_request request = {0};
    struct lw_error err;
    if (!lines.file) {
        lw_error_set(&err, LW_ERROR_IO, "standard input: %s", strerror(errno));
        return lw_report_failure(NULL, &err);
    }
    while (!ferror(out) && (request.text = lw_lines_next(&lines, &request.length, &err))) {
        lw_text_clear(&text);
        request.object = (struct lw_value){.kind = LW_VALUE_OBJECT};
        request.alone = NULL;
        answer(context, &request, &text);
        lw_text_char(&text, '\n');
        lw_output_text(out, &text);
        fflush(out);
        lw_arena_clear(&request.arena);
    }
    lw_text_free(&text);
    lw_arena_free(&request.arena);
    lw_text_free(&lines.text);
    fclose(lines.file);
    if (ferror(out) || err.code == LW_OK)
        return LW_STATUS_OK; /* a failed output is noticed when it is closed */
    return lw_report_failure(NULL, &err);
}

/* ---- From a request to arguments ---- */

/* Whether a key is that of an option: "to_global" of --to-global, "instructions" of --no-instructions. */
static bool is_key_of(const char *key, const struct lw_option *option)
{
    const char *name = option->name + (strncmp(option->name, "no-", 3) ? 0 : 3);
    for (; *key && *key == (*name == '-' ? '_' : *name); key++)
        name++;
    return !*key && !*name;
}

/* Whether a command has an operand of that key; of several layouts "source" is the document of all. */
static bool is_operand(const struct lw_command *command, const char *key, bool whole)
{
    for (size_t i = 0; !whole && i < LW_REQUEST_KEYS_MAX && command->keys[i].name; i++)
        if (!strcmp(command->keys[i].name, key))
            return true;
    return whole && !strcmp(key, "source");
}

/* The names of the operands and the options of a command, for hints. */
static const char *key_at(const void *context, size_t i)
{
    const struct lw_command *command = context;
    const size_t id = i - LW_REQUEST_KEYS_MAX;
    if (i < LW_REQUEST_KEYS_MAX)
        return command->keys[i].name ? command->keys[i].name : "";
    const bool is_key =
        lw_options_have(command->options, id) && !(lw_options()[id].traits & LW_OPTION_NO_KEY);
    return is_key ? lw_options()[id].name : "";
}

/* Appends a word of a command line, which ends in NUL: `before`, and the value as it is written there. */
static void add_value(struct lw_text *words, const char *before, const struct lw_value *value)
{
    lw_text_add(words, before);
    if (value->kind == LW_VALUE_STRING)
        lw_text_add(words, value->string);
    else
        lw_value_print(words, value);
    lw_text_char(words, '\0');
}

static void add_string(struct lw_text *words, const char *before, const char *string)
{
    lw_text_format(words, "%s%s", before, string);
    lw_text_char(words, '\0');
}

enum {
    STRING = 1 << LW_VALUE_STRING,
    NUMBERS = 1 << LW_VALUE_INTEGER | 1 << LW_VALUE_LIST,
    TRUTH = 1 << LW_VALUE_BOOLEAN,
    OBJECT = 1 << LW_VALUE_OBJECT
};

/* Fails unless the value has one of the kinds. */
static bool check_kind(const char *key, const struct lw_value *value, int kinds,
                       struct lw_error *err)
{
    return (kinds >> value->kind & 1) ||
           lw_error_set(err, LW_ERROR_SYNTAX, "\"%.60s\" must be %s", key,
                        kinds == TRUTH               ? "true or false"
                        : kinds == OBJECT            ? "an object: {\"NAME\": ...}"
                        : kinds == (STRING | OBJECT) ? "a SOURCE: a string or a layout document"
                                                     : "a string, a number or a list of numbers");
}

/* Adds the members of an object, each as NAME=VALUE after `before`. */
static bool add_members(struct lw_text *words, const char *before, const char *key,
                        const struct lw_value *object, struct lw_error *err)
{
    if (!check_kind(key, object, OBJECT, err))
        return false;
    for (size_t i = 0; i < object->count; i++) {
        lw_text_format(words, "%s%s=", before, object->names[i]);
        add_value(words, "", &object->items[i]);
    }
    return true;
}

/* Adds the option of a key, whose number is *id. */
static bool add_option(struct lw_text *words, const struct lw_command *command, const char *key,
                       const struct lw_value *value, size_t *id, struct lw_error *err)
{
    char name[40], hint[LW_HINT_MAX];
    const struct lw_option *option = lw_options();
    for (*id = 0; *id < LW_OPTION_COUNT; ++*id, option++)
        if (lw_options_have(command->options, *id) && is_key_of(key, option) &&
            !(option->traits & LW_OPTION_NO_KEY))
            break;
    if (*id == LW_OPTION_COUNT)
        return lw_error_set(err, LW_ERROR_NAME, "unknown key '%.60s'%s", key,
                            lw_text_hint(hint,
                                         lw_text_nearest(key, LW_REQUEST_KEYS_MAX + LW_OPTION_COUNT,
                                                         key_at, command),
                                         ": the keys are the operands and options of the command"));
    if (*id == LW_OPTION_SET || *id == LW_OPTION_LET)
        return add_members(words, *id == LW_OPTION_SET ? "--set=" : "--let=", key, value, err);
    const bool is_source = option->argument && !strcmp(option->argument, "SOURCE");
    const bool is_inverse = !strncmp(option->name, "no-", 3);
    if (!check_kind(key, value,
                    !option->argument ? TRUTH
                    : is_source       ? STRING | OBJECT
                                      : STRING | NUMBERS,
                    err))
        return false;
    snprintf(name, sizeof name, "--%s%s", option->name, option->argument ? "=" : "");
    if (option->argument)
        add_value(words, name, value);
    else if (value->integer != is_inverse)
        add_string(words, name, "");
    return true;
}

static bool missing(const char *key, struct lw_error *err)
{
    return lw_error_set(err, LW_ERROR_SYNTAX, "\"%s\" is missing", key);
}

/* Adds all operands, in the order of the command's keys. */
static bool add_operands(struct lw_text *words, const struct lw_arguments *defaults,
                         const struct lw_request *request, bool whole, struct lw_error *err)
{
    static const struct lw_request_key source[LW_REQUEST_KEYS_MAX] = {{"source", 0}};
    const struct lw_request_key *keys = whole ? source : defaults->command->keys;
    const char *absent = NULL;
    size_t count = 0;
    for (size_t i = 0; i < LW_REQUEST_KEYS_MAX && keys[i].name; i++) {
        const struct lw_value *value = lw_value_member(&request->object, keys[i].name);
        const char *text = i < defaults->operand_count ? defaults->operands[i] : NULL;
        text = !i && request->alone ? request->alone : text;
        if (!value && !text) {
            absent = absent ? absent : keys[i].name;
            continue;
        }
        if (absent)
            return missing(absent, err);
        count++;
        if (!value) {
            add_string(words, "", text);
            continue;
        }
        if (keys[i].kind == LW_REQUEST_INDICES) {
            if (!add_members(words, "", keys[i].name, value, err))
                return false;
            continue;
        }
        const bool is_list = keys[i].kind == LW_REQUEST_SOURCES && value->kind == LW_VALUE_LIST;
        for (size_t k = 0; k < (is_list ? value->count : 1); k++) {
            const struct lw_value *item = is_list ? &value->items[k] : value;
            if (!check_kind(keys[i].name, item, STRING | OBJECT, err))
                return false;
            add_value(words, "", item);
        }
    }
    return !absent || count >= defaults->command->min_operands || missing(absent, err);
}

/* Reads a request as a command line, whose strings are in its arena. Options of the command line hold where the
 * request does not set them; a name of --set has its last value, one of --let its first. */
static bool read_arguments(struct lw_arguments *args, const struct lw_arguments *defaults,
                           struct lw_request *request, struct lw_error *err)
{
    const struct lw_value *object = &request->object;
    const struct lw_command *command = defaults->command;
    const bool whole = command->is_pair && lw_value_member(object, "source");
    bool given[LW_OPTION_COUNT] = {false}, good = true;
    struct lw_text words = {0};
    add_string(&words, "", "laneway");
    for (size_t i = 0; i < defaults->set_count; i++)
        add_string(&words, "--set=", defaults->sets[i]);
    for (size_t i = 0, id; good && i < object->count; i++) {
        const char *key = object->names[i];
        if (is_operand(command, key, whole))
            continue;
        good = add_option(&words, command, key, &object->items[i], &id, err);
        given[good ? id : 0] = true;
    }
    for (size_t i = 0; i < defaults->let_count; i++)
        add_string(&words, "--let=", defaults->lets[i]);
    add_string(&words, "", "--"); /* a source can begin with a dash */
    good = good && add_operands(&words, defaults, request, whole, err);
    int count = 0;
    for (size_t i = 0; i < words.length; i++)
        count += !words.data[i];
    char *copy = lw_arena_alloc(&request->arena, words.length + 1);
    char **argv = lw_arena_alloc(&request->arena, ((size_t)count + 1) * sizeof *argv);
    if (good && (words.failed || !copy || !argv))
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good)
        memcpy(copy, words.data, words.length);
    lw_text_free(&words);
    for (int i = 0; good && i < count; i++, copy += strlen(copy) + 1)
        argv[i] = copy;
    if (!good || !lw_arguments_read(args, defaults->program, command, count, argv, err))
        return false;
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (!given[id] && !args->value[id])
            args->value[id] = defaults->value[id];
    args->is_request = true;
    return true;
}

bool lw_request_read(struct lw_request *request, const char *example, struct lw_error *err)
{
    if (!lw_check_bytes(request->text, request->length, err))
        return false;
    if (request->text[strspn(request->text, " \t")] != '{')
        return lw_error_set(err, LW_ERROR_SYNTAX, "expected an object: %s", example);
    return lw_read_json(&request->arena, request->text, request->length, &request->object, err);
}

enum lw_status lw_request_answer(const struct lw_arguments *defaults, struct lw_request *request,
                                 struct lw_text *text, struct lw_error *err)
{
    struct lw_arguments args;
    struct lw_answer answer = {0};
    *err = (struct lw_error){0};
    if (!read_arguments(&args, defaults, request, err))
        return LW_STATUS_ERROR;
    const enum lw_status status = args.command->answer(&args, &answer, err);
    lw_arguments_free(&args);
    /* Several answers, as those of the parts of a file, are a list. */
    const char *lines = lw_text_string(&answer.text);
    bool several = strchr(lines, '\n') != NULL;
    lw_text_add(text, several ? "[" : "");
    for (size_t length; *lines; lines += length + (lines[length] != '\0')) {
        length = strcspn(lines, "\n");
        lw_text_bytes(text, lines, length);
        lw_text_add(text, lines[length] ? "," : "");
    }
    lw_text_add(text, several ? "]" : "");
    if (answer.text.failed)
        lw_text_fail(text);
    lw_text_free(&answer.text);
    return status;
}

/* ---- Command lines ---- */

struct batch {
    const struct lw_arguments *args;
    bool conflicts; /* an answer has more than --fail-on-conflict allows */
};

/* Reads a line of a batch: an object with keys, or the first operand alone, which can be the document of a layout. */
static bool read_line(struct lw_request *request, const struct lw_command *command,
                      struct lw_error *err)
{
    static const char *const of_document[] = {"encoding", "bases", "store", "shared", "load"};
    const char *text = request->text + strspn(request->text, " \t");
    if (!*text && (size_t)(text - request->text) == request->length)
        return lw_error_set(err, LW_ERROR_SYNTAX, "the line is empty");
    if (*text != '{') {
        request->alone = text;
        return lw_check_bytes(request->text, request->length, err);
    }
    if (!lw_request_read(request, "", err))
        return false;
    bool is_document = false;
    for (size_t i = 0; i < LW_COUNT(of_document); i++)
        is_document = is_document || lw_value_member(&request->object, of_document[i]);
    if (is_document && command->keys[0].name && !strcmp(command->keys[0].name, "source") &&
        !lw_value_member(&request->object, "source")) {
        request->alone = text;
        request->object.count = 0;
    }
    return true;
}

static void answer_line(void *context, struct lw_request *request, struct lw_text *text)
{
    struct batch *batch = context;
    struct lw_error err = {0};
    enum lw_status status = LW_STATUS_ERROR;
    if (read_line(request, batch->args->command, &err))
        status = lw_request_answer(batch->args, request, text, &err);
    batch->conflicts = batch->conflicts ||
                       (status == LW_STATUS_NO && LW_OPTION_IS_SET(batch->args, FAIL_ON_CONFLICT));
    if (text->length && !text->failed)
        return;
    if (err.code == LW_ERROR_MEMORY)
        lw_memory_note_failure();
    lw_text_clear(text);
    lw_text_add(text, "{\"error\":");
    lw_text_json_string(text, err.code == LW_OK ? "out of memory" : err.message);
    lw_text_char(text, '}');
}

static enum lw_status run_batch(const struct lw_arguments *args, FILE *out)
{
    struct batch batch = {.args = args};
    enum lw_status status = lw_answer_lines(out, answer_line, &batch);
    return status == LW_STATUS_OK && batch.conflicts ? LW_STATUS_NO : status;
}

static enum lw_status print_answer(const struct lw_arguments *args, FILE *out)
{
    const bool json = LW_OPTION_IS_SET(args, JSON);
    struct lw_answer answer = {.out = json ? NULL : out};
    struct lw_error err = {0};
    enum lw_status status = args->command->answer(args, &answer, &err);
    if (json && answer.text.length)
        lw_text_char(&answer.text, '\n');
    lw_output_text(out, &answer.text);
    lw_text_free(&answer.text);
    if (status != LW_STATUS_OK && err.code != LW_OK)
        lw_report_failure(answer.source ? lw_source_name(answer.source) : NULL, &err);
    return status;
}

enum lw_status lw_command_line_run(const struct lw_arguments *args, FILE *out)
{
    if (LW_OPTION_IS_SET(args, BATCH))
        return run_batch(args, out);
    return args->command->answer ? print_answer(args, out) : args->command->run(args, out);
}
