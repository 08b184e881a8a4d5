/*
 * Batches. Invariant: every line gets one line of answer, in order, and answers are written out
 * before the program waits for more lines.
 */

#include "cli/batch.h"

#include "core/text_escape.h"
#include "export/output.h"
#include "notation/document/read.h"
#include "tui/tui.h"

#include <string.h>
#include <unistd.h>

/* ---- Lines ---- */

static void flush_answers(void *context)
{
    fflush(context);
}

static void print_answer(FILE *out, lw_batch_answer *answer, void *context,
                         struct lw_batch_line *line, struct lw_text *text)
{
    struct lw_error err = {0};
    lw_text_clear(text);
    if (!answer(context, line, text, &err) || text->failed) {
        if (err.code == LW_ERROR_MEMORY)
            lw_memory_note_failure();
        lw_text_clear(text);
        lw_text_add(text, "{\"error\":");
        lw_text_json_string(text, err.code == LW_OK ? "out of memory" : err.message);
        lw_text_char(text, '}');
    }
    lw_text_char(text, '\n');
    lw_output_text(out, text);
}

enum lw_status lw_batch_run(FILE *out, lw_batch_answer *answer, void *context)
{
    struct lw_lines lines = {.fd = STDIN_FILENO};
    struct lw_text text = {0};
    struct lw_arena arena = {0};
    struct lw_error err;
    while (!ferror(out)) {
        struct lw_batch_line line = {.arena = arena};
        line.text = lw_lines_next(&lines, &line.length, flush_answers, out, &err);
        if (!line.text)
            break;
        print_answer(out, answer, context, &line, &text);
        arena = line.arena;
        lw_arena_clear(&arena);
    }
    lw_text_free(&text);
    lw_arena_free(&arena);
    lw_lines_free(&lines);
    if (ferror(out) || err.code == LW_OK)
        return LW_STATUS_OK; /* a failed output is noticed when it is closed */
    return lw_report_failure(NULL, &err);
}

/* ---- Objects ---- */

/* Checks that the JSON reader accepts the bytes: whole UTF-8 without control characters. */
static bool check_bytes(const struct lw_batch_line *line, struct lw_error *err)
{
    int n;
    for (size_t i = lw_text_plain_length(line->text, line->length); i < line->length;
         i += (size_t)n) {
        const char *c = line->text + i;
        n = 1;
        if (*c >= ' ' && *c < 127)
            continue;
        uint32_t code = *c & 0x80 ? lw_text_decode(c, &n) : (unsigned char)*c;
        if (code == 0xfffd && n == 1)
            return lw_error_set(err, LW_ERROR_SYNTAX, "byte %zu of the line is not UTF-8", i + 1);
        if ((code < 32 && code != '\t') || code == 127)
            return lw_error_set(err, LW_ERROR_SYNTAX, "byte %zu of the line is a control character",
                                i + 1);
    }
    return true;
}

bool lw_batch_object(struct lw_batch_line *line, const char *example, struct lw_error *err)
{
    if (line->object.kind == LW_VALUE_OBJECT)
        return true;
    if (!check_bytes(line, err))
        return false;
    if (line->text[strspn(line->text, " \t")] != '{')
        return lw_error_set(err, LW_ERROR_SYNTAX, "expected an object: %s", example);
    return lw_read_json(&line->arena, line->text, line->length, &line->object, err);
}

/* The keys that are allowed. */
struct keys {
    const struct lw_batch_key *keys;
    size_t count;
};

static const char *key_name(const void *context, size_t i)
{
    return ((const struct keys *)context)->keys[i].name;
}

static bool unknown_key(const char *name, const struct keys *keys, struct lw_error *err)
{
    struct lw_text names = {0};
    char hint[LW_HINT_MAX];
    for (size_t i = 0; i < keys->count; i++)
        lw_text_format(&names, "%s%s", i ? ", " : ": expected one of ", keys->keys[i].name);
    lw_error_set(err, LW_ERROR_NAME, "unknown key '%.60s'%s", name,
                 lw_text_hint(hint, lw_text_nearest(name, keys->count, key_name, keys),
                              lw_text_string(&names)));
    lw_text_free(&names);
    return false;
}

static bool check_value(const struct lw_batch_key *key, const struct lw_value *value,
                        struct lw_error *err)
{
    if (!(key->kinds >> value->kind & 1))
        return lw_error_set(err, LW_ERROR_SYNTAX, "\"%s\" must be %s", key->name, key->expected);
    if (!key->choices || lw_choices_have(key->choices, value->string))
        return true;
    struct lw_text names = {0};
    lw_choices_print(&names, key->choices, ", ");
    lw_error_set(err, LW_ERROR_NAME, "\"%s\" must be one of %s", key->name, lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

bool lw_batch_check_keys(const struct lw_batch_line *line, const struct lw_batch_key *keys,
                         size_t count, struct lw_error *err)
{
    const struct keys all = {keys, count};
    for (size_t i = 0; i < line->object.count; i++) {
        const char *name = line->object.names[i];
        size_t key = 0;
        while (key < count && strcmp(keys[key].name, name) != 0)
            key++;
        if (key == count)
            return unknown_key(name, &all, err);
        if (!check_value(&keys[key], &line->object.items[i], err))
            return false;
    }
    return true;
}

const struct lw_value *lw_batch_value(const struct lw_batch_line *line, const char *key)
{
    for (size_t i = 0; i < line->object.count; i++)
        if (line->object.names[i][0] == key[0] && !strcmp(line->object.names[i], key))
            return &line->object.items[i];
    return NULL;
}

const char *lw_batch_string(const struct lw_batch_line *line, const char *key)
{
    const struct lw_value *value = lw_batch_value(line, key);
    return value ? value->string : NULL;
}

bool lw_batch_options(const struct lw_batch_line *line, struct lw_load_options *options,
                      struct lw_error *err)
{
    const char *type = lw_batch_string(line, "type"), *triton = lw_batch_string(line, "triton");
    const char *element = lw_batch_string(line, "element");
    const char *target = lw_batch_string(line, "target");
    if (type)
        options->type = type;
    if (element)
        options->element = element;
    if (triton)
        options->triton.weak = false;
    return (!triton || lw_triton_find(&options->triton.version, triton, err)) &&
           (!target || lw_target_find(target, &options->target, err));
}

bool lw_batch_missing(const char *key, struct lw_error *err)
{
    return lw_error_set(err, LW_ERROR_SYNTAX, "\"%s\" is missing", key);
}

/* ---- Requests about one layout ---- */

struct requests {
    struct lw_load_options options;
    lw_request_answer *answer;
    const struct lw_loaded *defaults; /* of the command line; NULL: none */
    bool points;
};

static const struct lw_batch_key request_keys[] = {
    {"source", LW_KIND(STRING) | LW_KIND(OBJECT), "a string or a layout document", NULL},
    LW_BATCH_OPTION_KEYS,
    {"set", LW_KIND(OBJECT), "an object: {\"vec\": 8}", NULL},
    /* for points only: */
    {"in", LW_KIND(OBJECT), "an object: {\"register\": 3}", NULL},
    {"at", LW_KIND(LIST), "a list of numbers: [2, 3]", NULL},
};
enum { REQUEST_KEYS = 2 + LW_BATCH_OPTION_KEY_COUNT, POINT_KEYS = REQUEST_KEYS + 2 };

/* Reads the line. Without points it can also be a bare SOURCE or a layout document, which is then *source. */
static bool read_request(struct lw_batch_line *line, bool points, struct lw_value *source,
                         struct lw_error *err)
{
    static const char example[] = "{\"source\": \"...\", \"in\": {\"register\": 3}} or "
                                  "{\"source\": \"...\", \"at\": [2, 3]}";
    size_t blank = strspn(line->text, " \t");
    if (blank == line->length)
        return lw_error_set(err, LW_ERROR_SYNTAX, "the line is empty");
    if (!points && line->text[blank] != '{') {
        *source = (struct lw_value){.kind = LW_VALUE_STRING, .string = line->text + blank};
        return check_bytes(line, err);
    }
    if (!lw_batch_object(line, example, err))
        return false;
    const struct lw_value *named = lw_batch_value(line, "source");
    if (!points && (!named || lw_batch_value(line, "laneway"))) {
        *source = line->object;
        line->object = (struct lw_value){.kind = LW_VALUE_NONE};
        return true;
    }
    if (named)
        *source = *named;
    return lw_batch_check_keys(line, request_keys, points ? POINT_KEYS : REQUEST_KEYS, err);
}

static bool set_items(struct lw_document *doc, const struct lw_value *set, struct lw_error *err)
{
    bool good = true;
    for (size_t i = 0; good && set && i < set->count; i++) {
        const struct lw_value *value = &set->items[i];
        struct lw_text text = {0};
        if (value->kind == LW_VALUE_STRING)
            lw_text_add(&text, value->string);
        else
            lw_value_print(&text, value);
        good = lw_document_set(doc, set->names[i], lw_text_string(&text), err);
        lw_text_free(&text);
    }
    return good;
}

static bool load_source(struct lw_loaded *loaded, const struct lw_value *source,
                        const struct lw_load_options *defaults, const struct lw_batch_line *line,
                        struct lw_error *err)
{
    struct lw_load_options options = *defaults;
    if (!lw_batch_options(line, &options, err) ||
        !lw_load_value(&loaded->doc, source, line->text, line->length, &options, err))
        return false;
    if (set_items(&loaded->doc, lw_batch_value(line, "set"), err) &&
        lw_load_build(loaded, options.target, err))
        return true;
    lw_load_attribute_error(&options, err);
    lw_document_free(&loaded->doc);
    return false;
}

static bool answer_request(void *context, struct lw_batch_line *line, struct lw_text *answer,
                           struct lw_error *err)
{
    const struct requests *requests = context;
    struct lw_value source = {.kind = LW_VALUE_NONE};
    struct lw_loaded loaded;
    if (!read_request(line, requests->points, &source, err))
        return false;
    struct lw_request request = {requests->defaults, lw_batch_value(line, "in"),
                                 lw_batch_value(line, "at")};
    if (requests->points && !request.in && !request.at)
        return lw_error_set(err, LW_ERROR_SYNTAX, "expected \"in\" or \"at\"");
    if (source.kind == LW_VALUE_NONE && !requests->defaults)
        return lw_batch_missing("source", err);
    if (source.kind == LW_VALUE_NONE &&
        (lw_batch_value(line, "type") || lw_batch_value(line, "set")))
        return lw_error_set(err, LW_ERROR_SYNTAX, "\"type\" and \"set\" need a \"source\"");
    if (source.kind == LW_VALUE_NONE)
        return requests->answer(&request, answer, err);
    if (!load_source(&loaded, &source, &requests->options, line, err))
        return false;
    request.loaded = &loaded;
    bool good = requests->answer(&request, answer, err);
    lw_unload(&loaded);
    return good;
}

/* The options of a command line for the lines of a batch, whose sources cannot be standard input. */
static bool open_requests(struct requests *requests, const struct lw_arguments *args,
                          struct lw_error *err)
{
    if (!lw_load_options(&requests->options, args, err))
        return false;
    requests->options.input = NULL;
    return true;
}

bool lw_batch_answer_request(const struct lw_arguments *args, struct lw_batch_line *line,
                             lw_request_answer *request_answer, bool points, struct lw_text *answer,
                             struct lw_error *err)
{
    struct requests requests = {.answer = request_answer, .points = points};
    return open_requests(&requests, args, err) && answer_request(&requests, line, answer, err);
}

bool lw_batch_check_operands(const struct lw_arguments *args, size_t max, struct lw_error *err)
{
    return args->operand_count <= max ||
           lw_error_set(err, LW_ERROR_SYNTAX,
                        "'%.60s': with --batch the requests come from standard input",
                        args->operands[max]);
}

enum lw_status lw_batch_requests(const struct lw_arguments *args, FILE *out,
                                 lw_request_answer *answer, bool points)
{
    struct requests requests = {.answer = answer, .points = points};
    struct lw_loaded defaults;
    struct lw_error err;
    if (!open_requests(&requests, args, &err) || !lw_batch_check_operands(args, points, &err))
        return lw_report_failure(NULL, &err);
    if (args->operand_count == 1) {
        if (!lw_load(&defaults, args->operands[0], &requests.options, &err))
            return lw_report_failure(lw_source_name(args->operands[0]), &err);
        requests.defaults = &defaults;
    }
    enum lw_status status = lw_batch_run(out, answer_request, &requests);
    if (requests.defaults)
        lw_unload(&defaults);
    return status;
}
