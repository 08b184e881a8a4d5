/* laneway serve: one process that answers many requests, each a line of JSON. */

#include "cli/command/commands.h"
#include "cli/load.h"
#include "core/text_json.h"
#include "cli/requests.h"
#include "cli/shell.h"
#include "core/array_count.h"
#include "tui/tui.h"

#include <string.h>

/* ---- Requests that are no command ---- */

/* [["dim0",16],["dim1",64]] */
static void put_dims(struct lw_text *text, const char *key, const struct lw_dims *dims)
{
    lw_json_put(text, key, "[");
    for (int i = 0; i < dims->count; i++) {
        lw_json_put(text, NULL, "[");
        lw_json_string(text, NULL, dims->dim[i].name);
        lw_json_number(text, NULL, dims->dim[i].size);
        lw_text_char(text, ']');
    }
    lw_text_char(text, ']');
}

static void put_description(struct lw_text *text, const struct lw_loaded *loaded, bool is_linear)
{
    const struct lw_subject *subject = &loaded->opened.subject;
    const struct lw_map *map = &subject->map;
    lw_text_char(text, '{');
    lw_json_string(text, "encoding", loaded->doc.encoding->type->name);
    lw_json_string(text, "memory", lw_dims_find(&map->in, "offset") >= 0 ? "shared" : "registers");
    lw_json_string(text, "element", subject->tensor.element.name);
    put_dims(text, "in", &map->in);
    put_dims(text, "out", &map->out);
    lw_json_truth(text, "surjective", lw_map_is_surjective(map));
    lw_json_truth(text, "injective", lw_map_is_injective(map));
    lw_json_truth(text, "linear", is_linear);
    lw_text_char(text, '}');
}

/* The most rows of an answer, which is kept in memory. */
#define TABLE_ROWS_MAX ((uint64_t)1 << 20)

static bool put_table(struct lw_text *text, const struct lw_loaded *loaded, struct lw_error *err)
{
    const struct lw_map *map = &loaded->opened.subject.map;
    const struct lw_dims *dims[] = {&map->in, &map->out};
    uint64_t total, in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    if (!lw_map_check_unique(map, err) || !lw_dims_total(&map->in, &total, err))
        return false;
    if (total > TABLE_ROWS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "too many hardware indices, at most 2^20 are printed: %llu",
                            (unsigned long long)total);
    lw_text_char(text, '{');
    for (int side = 0; side < 2; side++) {
        lw_json_put(text, side ? "out" : "in", "[");
        for (int i = 0; i < dims[side]->count; i++)
            lw_json_string(text, NULL, dims[side]->dim[i].name);
        lw_text_char(text, ']');
    }
    lw_json_put(text, "rows", "[");
    for (uint64_t flat = 0; flat < total && !text->failed; flat++) {
        lw_dims_unflatten(&map->in, flat, in);
        if (!lw_map_apply(map, in, out))
            continue; /* this index holds no element */
        lw_json_put(text, NULL, "[");
        for (int i = 0; i < map->in.count + map->out.count; i++)
            lw_json_number(text, NULL, i < map->in.count ? in[i] : out[i - map->in.count]);
        lw_text_char(text, ']');
    }
    lw_text_add(text, "]}");
    return true;
}

static enum lw_status answer_own(const struct lw_arguments *args, struct lw_answer *answer,
                                 struct lw_error *err)
{
    struct lw_load_options options;
    struct lw_loaded loaded;
    if (!lw_load_options(&options, args, err) ||
        !lw_load(&loaded, args->operands[0], &options, err))
        return LW_STATUS_ERROR;
    struct lw_layout layout;
    bool good = true;
    if (!strcmp(args->command->name, "table"))
        good = put_table(&answer->text, &loaded, err);
    else
        put_description(&answer->text, &loaded,
                        lw_load_layout(&loaded.doc, &options, &layout, NULL));
    lw_unload(&loaded);
    return good ? LW_STATUS_OK : LW_STATUS_ERROR;
}

#define OWN(NAME)                                                                                  \
    {                                                                                              \
        .name = NAME, .operands = "SOURCE", .options = LW_OPTIONS_SOURCE, .min_operands = 1,       \
        .max_operands = 1, .keys = {{"source", LW_REQUEST_SOURCE}}, .answer = answer_own,          \
    }
static const struct lw_command own[] = {OWN("describe"), OWN("table")};

/* ---- Command lines ---- */

struct server {
    const struct lw_program *program;
    enum lw_status status; /* LW_STATUS_ERROR when a call of the system has failed */
};

/* The most bytes of a command's output. */
#define OUTPUT_MAX ((size_t)64 << 20)

/* Collects a list of strings as the arguments of a command that this process can run. */
static bool read_arguments(struct lw_argv *argv, const struct lw_program *program,
                           const struct lw_value *list, struct lw_error *err)
{
    argv->argument[argv->count++] = (char *)(uintptr_t) "laneway";
    if (list->count >= LW_ARGV_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "over %d arguments", LW_ARGV_MAX - 1);
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].kind != LW_VALUE_STRING)
            return lw_error_set(err, LW_ERROR_SYNTAX,
                                "\"arguments\" must be a list of strings: [\"show\", \"...\"]");
        argv->argument[argv->count++] = (char *)(uintptr_t)list->items[i].string;
    }
    const struct lw_command *command =
        list->count ? lw_command_find(program, list->items[0].string) : NULL;
    return (command && *command->name && command != &lw_command_serve) ||
           lw_error_set(err, LW_ERROR_NAME,
                        "\"arguments\" must begin with a command that prints: \"show\", \"code\"");
}

/* Answers with the status, the output and the messages of a command line. */
static bool run_arguments(struct server *server, const struct lw_value *list,
                          struct lw_text *answer, struct lw_error *err)
{
    struct lw_argv argv = {.count = 0};
    struct lw_text printed = {.limit = OUTPUT_MAX}, messages = {.limit = OUTPUT_MAX};
    int step = 1;
    bool good = read_arguments(&argv, server->program, list, err);
    if (good) {
        enum lw_status status = lw_shell_run(server->program, &argv, &printed, &messages, err);
        good = err->code == LW_OK;
        if (!good) /* the command did not run */
            server->status = lw_report_failure(NULL, err);
        if (good && lw_text_full(&printed) && !printed.failed)
            good = lw_error_set(
                err, LW_ERROR_LIMIT,
                "the output has more than %zu bytes: write it to a file with -o FILE", OUTPUT_MAX);
        const char *bytes = lw_text_string(&printed);
        for (size_t i = 0; good && i < printed.length; i += (size_t)step)
            if (!bytes[i] || (lw_text_decode(bytes + i, &step) == 0xfffd && step == 1))
                good = lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                    "the output is not text: write it to a file with -o FILE");
        lw_json_put(answer, NULL, "{");
        lw_json_number(answer, "status", (uint64_t)status);
        lw_json_string(answer, "output", bytes);
        lw_json_string(answer, "messages", lw_text_string(&messages));
        lw_text_char(answer, '}');
        if (printed.failed || messages.failed)
            lw_text_fail(answer);
    }
    lw_text_free(&printed);
    lw_text_free(&messages);
    lw_argv_free(&argv);
    return good;
}

/* ---- Lines ---- */

/* Removes a key from the object of a request; its value is of kind NONE when it is missing. */
static struct lw_value take(struct lw_request *request, const char *key)
{
    struct lw_value *object = &request->object, value = {.kind = LW_VALUE_NONE};
    for (size_t i = 0; i < object->count; i++) {
        if (strcmp(object->names[i], key) != 0)
            continue;
        size_t after = --object->count - i;
        value = object->items[i];
        memmove(&object->items[i], &object->items[i + 1], after * sizeof *object->items);
        memmove(&object->names[i], &object->names[i + 1], after * sizeof *object->names);
        break;
    }
    return value;
}

/* Answers a request by its name, which has been removed from the line. */
static bool answer_named(const struct lw_program *program, const char *name,
                         struct lw_request *request, struct lw_text *answer, struct lw_error *err)
{
    const struct lw_command *command = lw_command_find(program, name);
    struct lw_text names = {0};
    for (size_t i = 0; i < LW_COUNT(own); i++)
        if (!strcmp(own[i].name, name))
            command = &own[i];
    if (command && command->answer) {
        const struct lw_arguments args = {.program = program, .command = command};
        lw_request_answer(&args, request, answer, err);
        return answer->length > 0;
    }
    for (const struct lw_command *const *row = program->commands; *row; row++)
        if ((*row)->answer)
            lw_text_format(&names, "%s, ", (*row)->name);
    lw_error_set(err, LW_ERROR_NAME, "unknown request '%.40s': expected one of %sdescribe, table",
                 name, lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

static void answer_line(void *context, struct lw_request *request, struct lw_text *text)
{
    static const char example[] = "{\"id\": 1, \"request\": \"bases\", \"source\": \"...\"}";
    struct lw_text answer = {0}, whole = {0};
    struct lw_value id = {.kind = LW_VALUE_NONE};
    struct lw_error err = {0};
    bool good = lw_request_read(request, example, &err);
    if (good) {
        id = take(request, "id");
        const struct lw_value name = take(request, "request"), list = take(request, "arguments");
        if (list.kind == LW_VALUE_LIST && name.kind == LW_VALUE_NONE && request->object.count == 0)
            good = run_arguments(context, &list, &answer, &err);
        else if (name.kind == LW_VALUE_STRING && list.kind == LW_VALUE_NONE)
            good = answer_named(((struct server *)context)->program, name.string, request, &answer,
                                &err);
        else
            good = lw_error_set(&err, LW_ERROR_SYNTAX,
                                "expected \"request\", a string, and the keys of that request, or "
                                "\"arguments\", a list of strings");
    }
    if (!good && err.code == LW_ERROR_MEMORY)
        lw_memory_note_failure();
    lw_text_char(text, '{');
    if (id.kind == LW_VALUE_STRING || id.kind == LW_VALUE_INTEGER) {
        lw_json_put(text, "id", "");
        lw_value_print(text, &id);
    }
    if (good) {
        lw_json_put(text, "answer", "");
        lw_text_bytes(text, lw_text_string(&answer), answer.length);
    } else {
        lw_text_error(&whole, NULL, &err);
        lw_json_string(text, "error", err.message);
        lw_json_string(text, "text", lw_text_string(&whole));
    }
    lw_text_char(text, '}');
    if (answer.failed || whole.failed)
        lw_text_fail(text);
    lw_text_free(&answer);
    lw_text_free(&whole);
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct lw_error err;
    if (!LW_OPTION_IS_SET(args, STDIO)) {
        lw_error_set(&err, LW_ERROR_SYNTAX, "usage: laneway serve --stdio");
        return lw_report_failure(NULL, &err);
    }
    struct server server = {.program = args->program};
    enum lw_status status = lw_answer_lines(out, answer_line, &server);
    return status == LW_STATUS_OK ? server.status : status;
}

const struct lw_command lw_command_serve = {
    .name = "serve",
    .operands = "--stdio",
    .help = "answer requests from another program, each a line of JSON",
    .about =
        "Answers each line of standard input with one line of JSON, in order, until the input "
        "ends. A line is an object with \"request\" and the keys of that request; \"id\", a string "
        "or an integer, is optional and is repeated in the answer:\n\n"
        "  {\"id\": 1, \"request\": \"bases\", \"source\": \"spatial(4, 8)\"}\n"
        "  {\"id\": 1, \"answer\": {...}}\n\n"
        "The requests show, bases, apply, banks, convert, swizzle, calc, code, descriptor, ttgir "
        "and list have the operands and options of these commands as keys, and the answer is what "
        "--json prints ('laneway help batch'). Two more accept the keys of bases: describe answers "
        "with the encoding, its memory, element and dims, and whether the layout is surjective, "
        "injective and linear; table with every hardware index and its element, at most 2^20 rows. "
        "Any other command is a list of its arguments:\n\n"
        "  {\"arguments\": [\"show\", \"spatial(4, 8)\", \"--format\", \"svg\"]}\n"
        "  {\"answer\": {\"status\": 0, \"output\": \"<svg ...\", \"messages\": \"\"}}\n\n"
        "A png or a pdf needs -o FILE. A request that cannot be answered has \"error\", the "
        "message, and \"text\", the message with its position and the line that it is about. The "
        "exit status is 0.",
    .options = LW_OPTION_BIT(STDIO),
    .max_operands = 0,
    .has_side_effects = true,
    .examples = {{"serve --stdio <requests.jsonl", "one answer per line"}},
    .run = run,
};
