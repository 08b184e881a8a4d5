/*
 * Requests: a line of JSON becomes the arguments of a command, which answers them.
 *
 * Invariants: every line gets one line of answer, in order. Of struct lw_lines, data[start..end)
 * has been read and not yet returned, and a returned line is valid until the next call.
 */

#include "cli/requests.h"

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
        request.object = (struct lw_value){.kind = LW_VALUE_NONE};
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

/* ---- Keys ---- */

/* Whether a key sets an option: "to_global" --to-global, "instructions": false --no-instructions. */
static bool is_key_of(const char *key, const struct lw_option *option)
{
    const char *name = option->name + (strncmp(option->name, "no-", 3) ? 0 : 3);
    for (; *key && *key == (*name == '-' ? '_' : *name); key++)
        name++;
    return !*key && !*name;
}

/* Whether requests to a command have an option as a key. */
static bool has_key(const struct lw_command *command, size_t id)
{
    return lw_options_have(command->options, id) && !(lw_options()[id].traits & LW_OPTION_NO_KEY);
}

static bool is_operand(const struct lw_command *command, const char *key)
{
    for (size_t i = 0; i < LW_REQUEST_KEYS_MAX && command->keys[i].name; i++)
        if (!strcmp(command->keys[i].name, key))
            return true;
    return false;
}

/* The value of a key; NULL: missing. */
static const struct lw_value *value_of(const struct lw_request *request, const char *key)
{
    for (size_t i = 0; i < request->object.count; i++)
        if (!strcmp(request->object.names[i], key))
            return &request->object.items[i];
    return NULL;
}

/* The keys of a command: its operands, then its options; NULL: there are no more. */
static const char *key_at(const void *context, size_t i)
{
    const struct lw_command *command = context;
    size_t k = 0, id = 0;
    while (k < LW_REQUEST_KEYS_MAX && command->keys[k].name)
        if (k++ == i)
            return command->keys[i].name;
    for (i -= k; id < LW_OPTION_COUNT; id++)
        if (has_key(command, id) && !is_operand(command, lw_options()[id].name) && i-- == 0)
            break;
    return id < LW_OPTION_COUNT ? lw_options()[id].name : NULL;
}

static bool unknown_key(const struct lw_command *command, const char *key, struct lw_error *err)
{
    struct lw_text names = {0};
    char hint[LW_HINT_MAX];
    size_t count = 0;
    for (const char *name; (name = key_at(command, count)) != NULL; count++) {
        lw_text_add(&names, count ? ", " : ": expected one of ");
        for (name += strncmp(name, "no-", 3) ? 0 : 3; *name; name++)
            lw_text_char(&names, *name == '-' ? '_' : *name);
    }
    lw_error_set(
        err, LW_ERROR_NAME, "unknown key '%.60s'%.380s", key,
        lw_text_hint(hint, lw_text_nearest(key, count, key_at, command), lw_text_string(&names)));
    lw_text_free(&names);
    return false;
}

/* Fails unless the value has one of the kinds. */
static bool check_kind(const char *key, const struct lw_value *value, unsigned kinds,
                       const char *expected, struct lw_error *err)
{
    return (kinds >> value->kind & 1) ||
           lw_error_set(err, LW_ERROR_SYNTAX, "\"%.60s\" must be %s", key, expected);
}

#define KIND(kind) (1u << LW_VALUE_##kind)
#define SOURCE_KINDS (KIND(STRING) | KIND(OBJECT)), "a SOURCE: a string or a layout document"

/* ---- From a request to arguments ---- */

/* A request while it is read. */
struct reader {
    struct lw_request *request;
    const struct lw_arguments *defaults;
    struct lw_arguments *args;
    struct lw_error *err;
};

static void *allocate(struct reader *r, size_t size)
{
    void *memory = lw_arena_alloc(&r->request->arena, size);
    if (!memory)
        lw_error_set(r->err, LW_ERROR_MEMORY, "out of memory");
    return memory;
}

/* The length of an object in the line, from its brace to the one that closes it; 0: columns are not bytes. */
static size_t object_length(const struct lw_request *request, const struct lw_value *object)
{
    const char *start = request->text + object->position.column - 1, *c = start;
    size_t depth = 0;
    if (!request->is_ascii || object->position.line != 1 || *start != '{')
        return 0;
    do {
        if (*c == '"')
            for (c++; *c != '"'; c++)
                c += *c == '\\';
        depth += *c == '{';
        depth -= *c == '}';
        c++;
    } while (depth);
    return (size_t)(c - start);
}

/* A value as it is written on a command line, "2,3" for a list; after a name as "order=[1, 0]". NULL: memory is out. */
static const char *written(struct reader *r, const char *name, const struct lw_value *value)
{
    struct lw_text text = {0};
    if (value->kind == LW_VALUE_STRING && !name)
        return value->string;
    if (name)
        lw_text_format(&text, "%s=", name);
    if (value->kind == LW_VALUE_STRING)
        lw_text_add(&text, value->string);
    else if (value->kind == LW_VALUE_OBJECT && object_length(r->request, value))
        lw_text_bytes(&text, r->request->text + value->position.column - 1,
                      object_length(r->request, value));
    else if (value->kind != LW_VALUE_LIST || name)
        lw_value_print(&text, value);
    else
        for (size_t i = 0; i < value->count; i++) {
            lw_text_add(&text, i ? "," : "");
            lw_value_print(&text, &value->items[i]);
        }
    const char *kept =
        text.failed ? NULL
                    : lw_arena_string(&r->request->arena, lw_text_string(&text), text.length);
    lw_text_free(&text);
    if (!kept)
        lw_error_set(r->err, LW_ERROR_MEMORY, "out of memory");
    return kept;
}

/* Adds the members of an object as NAME=VALUE to those of the command line with other names. */
static bool add_assignments(struct reader *r, const char ***list, size_t *count,
                            const struct lw_value *object)
{
    const char **all = allocate(r, (*count + object->count) * sizeof *all);
    size_t kept = 0;
    for (size_t i = 0; all && i < *count; i++) {
        size_t length = strcspn((*list)[i], "="), k = 0;
        while (k < object->count && (strlen(object->names[k]) != length ||
                                     strncmp(object->names[k], (*list)[i], length) != 0))
            k++;
        if (k == object->count)
            all[kept++] = (*list)[i];
    }
    for (size_t i = 0; all && i < object->count; i++) {
        all[kept] = written(r, object->names[i], &object->items[i]);
        if (!all[kept++])
            return false;
    }
    *list = all;
    *count = kept;
    return all;
}

/* Sets an option to the value of a key. */
static bool read_option(struct reader *r, size_t id, const char *key, const struct lw_value *value)
{
    const struct lw_option *option = &lw_options()[id];
    const char **set = &r->args->value[id];
    bool inverse = !strncmp(option->name, "no-", 3);
    if (!option->argument) {
        if (!check_kind(key, value, KIND(BOOLEAN), "true or false", r->err))
            return false;
        *set = (value->integer != 0) != inverse ? "" : NULL;
        return true;
    }
    if (id == LW_OPTION_SET || id == LW_OPTION_LET) {
        struct lw_arguments *args = r->args;
        *set = "";
        return check_kind(key, value, KIND(OBJECT), "an object: {\"NAME\": ...}", r->err) &&
               (id == LW_OPTION_SET ? add_assignments(r, &args->sets, &args->set_count, value)
                                    : add_assignments(r, &args->lets, &args->let_count, value));
    }
    if (!strcmp(option->argument, "SOURCE")
            ? !check_kind(key, value, SOURCE_KINDS, r->err)
            : !check_kind(key, value, KIND(STRING) | KIND(INTEGER) | KIND(LIST),
                          "a string, a number or a list of numbers", r->err))
        return false;
    *set = written(r, NULL, value);
    if (!*set || !option->choices || option->traits & LW_OPTION_OTHER_SPELLINGS ||
        lw_choices_have(option->choices, *set))
        return *set;
    struct lw_text names = {0};
    lw_choices_print(&names, option->choices, ", ");
    lw_error_set(r->err, LW_ERROR_NAME, "\"%s\" must be one of %s", key, lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

/* Adds the operands that a key has. */
static bool read_operand(struct reader *r, const struct lw_request_key *key,
                         const struct lw_value *value)
{
    struct lw_arguments *args = r->args;
    bool list = key->kind == LW_REQUEST_SOURCES && value->kind == LW_VALUE_LIST;
    size_t count = list || key->kind == LW_REQUEST_INDICES ? value->count : 1;
    if (key->kind == LW_REQUEST_INDICES)
        return check_kind(key->name, value, KIND(OBJECT), "an object: {\"register\": 3}", r->err) &&
               add_assignments(r, &args->operands, &args->operand_count, value);
    const char **all = allocate(r, (args->operand_count + count) * sizeof *all);
    if (!all)
        return false;
    if (args->operand_count)
        memcpy(all, args->operands, args->operand_count * sizeof *all);
    args->operands = all;
    for (size_t i = 0; i < count; i++) {
        const struct lw_value *item = list ? &value->items[i] : value;
        if (key->kind == LW_REQUEST_TEXT
                ? !check_kind(key->name, item, KIND(STRING), "a string", r->err)
                : !check_kind(key->name, item, SOURCE_KINDS, r->err))
            return false;
        all[args->operand_count] = written(r, NULL, item);
        if (!all[args->operand_count++])
            return false;
    }
    return true;
}

static bool missing(const char *key, struct lw_error *err)
{
    return lw_error_set(err, LW_ERROR_SYNTAX, "\"%s\" is missing", key);
}

/* Reads the operands, in the order of the command's keys. Of several layouts "source" is the document of all. */
static bool read_operands(struct reader *r, bool whole)
{
    static const struct lw_request_key source = {"source", LW_REQUEST_SOURCE};
    struct lw_arguments *args = r->args;
    const struct lw_arguments *defaults = r->defaults;
    const char *absent = NULL;
    const size_t least = args->command->is_pair && !whole ? 2 : args->command->min_operands;
    args->operand_count = 0;
    for (size_t i = 0; i < LW_REQUEST_KEYS_MAX && args->command->keys[i].name && !(whole && i);
         i++) {
        const struct lw_request_key *key = whole ? &source : &args->command->keys[i];
        const struct lw_value *value = value_of(r->request, key->name);
        if (value && absent)
            return missing(absent, r->err);
        if (value ? !read_operand(r, key, value)
                  : i < defaults->operand_count &&
                        !read_operand(r, &(struct lw_request_key){key->name, LW_REQUEST_TEXT},
                                      &(struct lw_value){.kind = LW_VALUE_STRING,
                                                         .string = defaults->operands[i]}))
            return false;
        if (!value && i >= defaults->operand_count)
            absent = absent ? absent : key->name;
    }
    return args->operand_count >= least || missing(absent, r->err);
}

/* Reads the object of a request. The arguments are in its arena. */
static bool read_arguments(struct reader *r)
{
    const struct lw_value *object = &r->request->object;
    const struct lw_command *command = r->args->command;
    bool whole = command->is_pair && value_of(r->request, "source");
    for (size_t i = 0; i < object->count; i++) {
        const char *key = object->names[i];
        if (whole ? !strcmp(key, "source") : is_operand(command, key))
            continue;
        size_t id = 0;
        while (id < LW_OPTION_COUNT && !(has_key(command, id) && is_key_of(key, &lw_options()[id])))
            id++;
        if (id == LW_OPTION_COUNT)
            return unknown_key(command, key, r->err);
        if (!read_option(r, id, key, &object->items[i]))
            return false;
    }
    return read_operands(r, whole);
}

bool lw_request_read(struct lw_request *request, const char *example, struct lw_error *err)
{
    if (!lw_check_bytes(request->text, request->length, err))
        return false;
    request->is_ascii = true;
    for (size_t i = lw_text_plain_length(request->text, request->length); i < request->length; i++)
        request->is_ascii = request->is_ascii && !(request->text[i] & 0x80);
    if (request->text[strspn(request->text, " \t")] != '{')
        return lw_error_set(err, LW_ERROR_SYNTAX, "expected an object: %s", example);
    return lw_read_json(&request->arena, request->text, request->length, &request->object, err);
}

enum lw_status lw_request_answer(const struct lw_arguments *defaults, struct lw_request *request,
                                 struct lw_text *text, struct lw_error *err)
{
    struct lw_arguments args = *defaults;
    struct reader r = {request, defaults, &args, err};
    struct lw_answer answer = {0};
    enum lw_status status = LW_STATUS_ERROR;
    memset(err, 0, sizeof *err);
    args.is_request = true;
    if (read_arguments(&r))
        status = args.command->answer(&args, &answer, err);
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

/* Whether the line is the document of a layout, without a key "source" around it. */
static bool is_document(const struct lw_request *request, const struct lw_command *command)
{
    static const char *const keys[] = {"encoding", "bases", "store", "shared", "load"};
    if (!command->keys[0].name || strcmp(command->keys[0].name, "source") != 0)
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (value_of(request, keys[i]) && !value_of(request, "source"))
            return true;
    return value_of(request, "laneway");
}

/* Reads a line of a batch: an object, or the first operand alone. */
static bool read_line(struct lw_request *request, const struct lw_command *command,
                      struct lw_error *err)
{
    static const char *names[1];
    size_t blank = strspn(request->text, " \t");
    if (blank == request->length)
        return lw_error_set(err, LW_ERROR_SYNTAX, "the line is empty");
    if (request->text[blank] == '{' && !lw_request_read(request, "", err))
        return false;
    if (request->text[blank] == '{' && !is_document(request, command))
        return true;
    if (request->text[blank] != '{' && !lw_check_bytes(request->text, request->length, err))
        return false;
    struct lw_value *source = lw_arena_alloc(&request->arena, sizeof *source);
    if (!source)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    *source = (struct lw_value){.kind = LW_VALUE_STRING, .string = request->text + blank};
    names[0] = command->keys[0].name;
    request->object =
        (struct lw_value){.kind = LW_VALUE_OBJECT, .count = 1, .items = source, .names = names};
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
