/*
 * Requests: a line of JSON becomes the arguments of a command, which answers them.
 *
 * Invariants: every line gets one line of answer, in order. Of struct lw_lines, data[start..end)
 * has been read and not yet returned, and a returned line is valid until the next call.
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

/* ---- Lines of a file descriptor ---- */

/* Reads more of the file behind what is there, which is moved to the front; a full buffer is doubled. */
static bool read_more(struct lw_lines *lines, struct lw_error *err)
{
    const size_t left = lines->end - lines->start;
    if (left)
        memmove(lines->data, lines->data + lines->start, left);
    lines->start = 0;
    lines->end = left;
    if (left + 1 >= lines->room) {
        if (left > LW_LINE_MAX)
            return lw_error_set(err, LW_ERROR_LIMIT, "a line of %.200s has more than %zu bytes",
                                lines->name, LW_LINE_MAX);
        const size_t room = lines->room ? lines->room * 2 : (size_t)1 << 16;
        char *data = realloc(lines->data, room);
        if (!data)
            return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        lines->data = data;
        lines->room = room;
    }
    ssize_t n;
    do
        n = read(lines->fd, lines->data + left, lines->room - left - 1);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return lw_error_set(err, LW_ERROR_IO, "%.200s: %s", lines->name, strerror(errno));
    lines->over = n == 0;
    lines->end += (size_t)n;
    return true;
}

char *lw_lines_next(struct lw_lines *lines, size_t *length, void (*idle)(void *context),
                    void *context, struct lw_error *err)
{
    memset(err, 0, sizeof *err);
    for (size_t looked = 0;;) {
        const size_t have = lines->end - lines->start;
        char *line = lines->data ? lines->data + lines->start : NULL;
        char *newline = have > looked ? memchr(line + looked, '\n', have - looked) : NULL;
        if (newline || (lines->over && have)) {
            const char *text = line;
            *length = newline ? (size_t)(newline - line) : have;
            lines->start += *length + (newline != NULL);
            if (*length && line[*length - 1] == '\r')
                --*length;
            line[*length] = '\0';
            if (!lines->begun)
                lw_skip_order_mark(&text, length);
            lines->begun = true;
            return line + (text - line);
        }
        looked = have;
        if (lines->over)
            return NULL;
        idle(context);
        if (!read_more(lines, err))
            return NULL;
    }
}

void lw_lines_free(struct lw_lines *lines)
{
    free(lines->data);
    lines->data = NULL;
}

static void flush_answers(void *context)
{
    fflush(context);
}

enum lw_status lw_answer_lines(FILE *out, lw_line_answer *answer, void *context)
{
    struct lw_lines lines = {.fd = STDIN_FILENO, .name = "standard input"};
    struct lw_text text = {0};
    struct lw_request request = {0};
    struct lw_error err;
    while (!ferror(out) &&
           (request.text = lw_lines_next(&lines, &request.length, flush_answers, out, &err))) {
        lw_text_clear(&text);
        request.object = (struct lw_value){.kind = LW_VALUE_OBJECT};
        request.alone = NULL;
        answer(context, &request, &text);
        lw_text_char(&text, '\n');
        lw_output_text(out, &text);
        lw_arena_clear(&request.arena);
    }
    lw_text_free(&text);
    lw_arena_free(&request.arena);
    lw_lines_free(&lines);
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

/* The option of a key of requests to a command; LW_OPTION_COUNT: none. */
static size_t option_of(const struct lw_command *command, const char *key)
{
    size_t id = 0;
    while (id < LW_OPTION_COUNT &&
           !(lw_options_have(command->options, id) && is_key_of(key, &lw_options()[id]) &&
             !(lw_options()[id].traits & LW_OPTION_NO_KEY)))
        id++;
    return id;
}

/* The value of a key; NULL: missing. */
static const struct lw_value *value_of(const struct lw_value *object, const char *key)
{
    for (size_t i = 0; i < object->count; i++)
        if (!strcmp(object->names[i], key))
            return &object->items[i];
    return NULL;
}

static bool is_operand(const struct lw_command *command, const char *key)
{
    for (size_t i = 0; i < LW_REQUEST_KEYS_MAX && command->keys[i].name; i++)
        if (!strcmp(command->keys[i].name, key))
            return true;
    return false;
}

/* The names of the operands and the options of a command, for hints. */
static const char *key_at(const void *context, size_t i)
{
    const struct lw_command *command = context;
    const size_t id = i - LW_REQUEST_KEYS_MAX;
    if (i < LW_REQUEST_KEYS_MAX)
        return command->keys[i].name ? command->keys[i].name : "";
    return lw_options_have(command->options, id) ? lw_options()[id].name : "";
}

static bool unknown_key(const struct lw_command *command, const char *key, struct lw_error *err)
{
    char hint[LW_HINT_MAX];
    const size_t count = LW_REQUEST_KEYS_MAX + LW_OPTION_COUNT;
    return lw_error_set(err, LW_ERROR_NAME, "unknown key '%.60s'%s", key,
                        lw_text_hint(hint, lw_text_nearest(key, count, key_at, command),
                                     ": the keys are the operands and options of the command"));
}

/* The words of a command line, in the arena of the request. */
struct words {
    struct lw_arena *arena;
    const char **word; /* with room for all */
    size_t count;
    struct lw_error *err;
};

static bool add_word(struct words *words, const struct lw_text *text)
{
    words->word[words->count] = lw_arena_string(words->arena, lw_text_string(text), text->length);
    return (words->word[words->count++] && !text->failed) ||
           lw_error_set(words->err, LW_ERROR_MEMORY, "out of memory");
}

static bool add_string(struct words *words, const char *before, const char *string)
{
    struct lw_text text = {0};
    lw_text_format(&text, "%s%s", before, string);
    const bool good = add_word(words, &text);
    lw_text_free(&text);
    return good;
}

/* Adds "before=value" or the value alone, as it is written on a command line. */
static bool add_value(struct words *words, const char *before, const struct lw_value *value)
{
    struct lw_text text = {0};
    if (*before)
        lw_text_format(&text, "%s=", before);
    if (value->kind == LW_VALUE_STRING)
        lw_text_add(&text, value->string);
    else
        lw_value_print(&text, value);
    const bool good = add_word(words, &text);
    lw_text_free(&text);
    return good;
}

enum {
    STRING = 1 << LW_VALUE_STRING,
    NUMBERS = 1 << LW_VALUE_INTEGER | 1 << LW_VALUE_LIST,
    TRUTH = 1 << LW_VALUE_BOOLEAN,
    OBJECT = 1 << LW_VALUE_OBJECT
};

/* Fails unless the value has one of the kinds. */
static bool check_kind(const struct words *words, const char *key, const struct lw_value *value,
                       int kinds)
{
    return (kinds >> value->kind & 1) ||
           lw_error_set(words->err, LW_ERROR_SYNTAX, "\"%.60s\" must be %s", key,
                        kinds == TRUTH               ? "true or false"
                        : kinds == OBJECT            ? "an object: {\"NAME\": ...}"
                        : kinds == (STRING | OBJECT) ? "a SOURCE: a string or a layout document"
                                                     : "a string, a number or a list of numbers");
}

/* Adds the members of an object, each as NAME=VALUE after `before`. */
static bool add_members(struct words *words, const char *before, const char *key,
                        const struct lw_value *object)
{
    bool good = check_kind(words, key, object, OBJECT);
    for (size_t i = 0; good && i < object->count; i++) {
        struct lw_text name = {0};
        lw_text_format(&name, "%s%s", before, object->names[i]);
        good = add_value(words, lw_text_string(&name), &object->items[i]);
        lw_text_free(&name);
    }
    return good;
}

/* Adds the option of a key. */
static bool add_option(struct words *words, size_t id, const char *key,
                       const struct lw_value *value)
{
    const struct lw_option *option = &lw_options()[id];
    const bool is_source = option->argument && !strcmp(option->argument, "SOURCE");
    const bool inverse = !strncmp(option->name, "no-", 3);
    char name[40];
    snprintf(name, sizeof name, "--%s", option->name);
    if (id == LW_OPTION_SET || id == LW_OPTION_LET)
        return add_members(words, id == LW_OPTION_SET ? "--set=" : "--let=", key, value);
    if (!option->argument)
        return check_kind(words, key, value, TRUTH) &&
               (value->integer != inverse ? add_string(words, name, "") : true);
    return check_kind(words, key, value, is_source ? STRING | OBJECT : STRING | NUMBERS) &&
           add_value(words, name, value);
}

/* Adds the operands that a key has. */
static bool add_operand(struct words *words, const struct lw_request_key *key,
                        const struct lw_value *value)
{
    const bool is_list = key->kind == LW_REQUEST_SOURCES && value->kind == LW_VALUE_LIST;
    bool good = true;
    if (key->kind == LW_REQUEST_INDICES)
        return add_members(words, "", key->name, value);
    for (size_t i = 0; good && i < (is_list ? value->count : 1); i++) {
        const struct lw_value *item = is_list ? &value->items[i] : value;
        good = check_kind(words, key->name, item, STRING | OBJECT) && add_value(words, "", item);
    }
    return good;
}

static bool missing(const char *key, struct lw_error *err)
{
    return lw_error_set(err, LW_ERROR_SYNTAX, "\"%s\" is missing", key);
}

/* Adds all operands, in the order of the command's keys. Of several layouts "source" is the document of all. */
static bool add_operands(struct words *words, const struct lw_arguments *defaults,
                         const struct lw_request *request, bool whole)
{
    static const struct lw_request_key source[LW_REQUEST_KEYS_MAX] = {{"source", 0}};
    const struct lw_request_key *keys = whole ? source : defaults->command->keys;
    const char *absent = NULL;
    const size_t least = words->count + defaults->command->min_operands;
    for (size_t i = 0; i < LW_REQUEST_KEYS_MAX && keys[i].name; i++) {
        const struct lw_value *value = value_of(&request->object, keys[i].name);
        const char *text = i < defaults->operand_count ? defaults->operands[i] : NULL;
        text = !i && request->alone ? request->alone : text;
        if (!value && !text) {
            absent = absent ? absent : keys[i].name;
            continue;
        }
        if (absent)
            return missing(absent, words->err);
        if (value ? !add_operand(words, &keys[i], value) : !add_string(words, "", text))
            return false;
    }
    return words->count >= least || missing(absent, words->err);
}

/* Reads a request as a command line, whose strings are in its arena. Options of the command line hold where the
 * request does not set them; a name of --set has its last value, one of --let its first. */
static bool read_arguments(struct lw_arguments *args, const struct lw_arguments *defaults,
                           struct lw_request *request, struct lw_error *err)
{
    const struct lw_value *object = &request->object;
    const struct lw_command *command = defaults->command;
    const bool whole = command->is_pair && value_of(object, "source");
    bool given[LW_OPTION_COUNT] = {false}, good = true;
    struct words words = {&request->arena, NULL, 0, err};
    size_t room = LW_REQUEST_KEYS_MAX + 2 + defaults->set_count + defaults->let_count;
    for (size_t i = 0; i < object->count; i++)
        room += 1 + object->items[i].count;
    words.word = lw_arena_alloc(&request->arena, room * sizeof *words.word);
    if (!words.word)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    words.word[words.count++] = "laneway";
    for (size_t i = 0; good && i < defaults->set_count; i++)
        good = add_string(&words, "--set=", defaults->sets[i]);
    for (size_t i = 0; good && i < object->count; i++) {
        const char *key = object->names[i];
        const size_t id = option_of(command, key);
        if (whole ? !strcmp(key, "source") : is_operand(command, key))
            continue;
        if (id == LW_OPTION_COUNT)
            return unknown_key(command, key, err);
        given[id] = true;
        good = add_option(&words, id, key, &object->items[i]);
    }
    for (size_t i = 0; good && i < defaults->let_count; i++)
        good = add_string(&words, "--let=", defaults->lets[i]);
    words.word[words.count++] = "--"; /* a source can begin with a dash */
    if (!good || !add_operands(&words, defaults, request, whole) ||
        !lw_arguments_read(args, defaults->program, command, (int)words.count,
                           (char **)(uintptr_t)words.word, err))
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
    static const char *const of_document[] = {"laneway", "encoding", "bases",
                                              "store",   "shared",   "load"};
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
        is_document = is_document || value_of(&request->object, of_document[i]);
    if (is_document && command->keys[0].name && !strcmp(command->keys[0].name, "source") &&
        !value_of(&request->object, "source")) {
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
