/*
 * Batches. Invariant: every line gets one line of answer, in order, and answers are written out
 * before the program waits for more lines.
 */

#include "cli/cli.h"
#include "notation/document/read.h"

#include <string.h>
#include <unistd.h>

/* A line taken apart. Strings and values are in the arena or in the text itself. */
struct line {
    struct lw_arena arena;
    const char *text;
    size_t length;
    bool points;            /* whether "in" and "at" are asked for */
    struct lw_value source; /* NONE: the one of the command line */
    const char *type;
    const struct lw_value *set, *in, *at;
};

/* The keys of a request; the last two where points are asked for. */
enum { KEY_SOURCE, KEY_TYPE, KEY_SET, KEY_IN, KEY_AT, KEYS };
static const char *const keys[KEYS] = {"source", "type", "set", "in", "at"};

static const char *key_name(const void *unused, size_t i)
{
    (void)unused;
    return keys[i];
}

static bool unknown_key(const char *name, size_t known, struct lw_error *err)
{
    const char *near = lw_text_nearest(name, known, key_name, NULL);
    struct lw_text names = {0};
    char hint[LW_HINT_MAX];
    for (size_t i = 0; i < known; i++)
        lw_text_format(&names, "%s%s", i ? ", " : ": it may be ", keys[i]);
    lw_error_set(err, LW_ERROR_NAME, "unknown key '%.60s'%s", name,
                 lw_text_hint(hint, near, lw_text_string(&names)));
    lw_text_free(&names);
    return false;
}

static bool read_source(struct line *line, const struct lw_value *value, struct lw_error *err)
{
    line->source = *value;
    return value->kind == LW_VALUE_STRING || value->kind == LW_VALUE_OBJECT ||
           lw_error_set(err, LW_ERROR_SYNTAX, "\"source\" is a string or a layout document");
}

static bool read_item(struct line *line, const char *name, const struct lw_value *value,
                      struct lw_error *err)
{
    size_t key = 0, known = line->points ? KEYS : KEY_IN;
    while (key < known && strcmp(keys[key], name) != 0)
        key++;
    if (key == known)
        return unknown_key(name, known, err);
    if (key == KEY_SOURCE)
        return read_source(line, value, err);
    if (key == KEY_TYPE && value->kind != LW_VALUE_STRING)
        return lw_error_set(err, LW_ERROR_SYNTAX, "\"type\" is a string: \"tensor<16x64xf16>\"");
    if (key == KEY_SET && value->kind != LW_VALUE_OBJECT)
        return lw_error_set(err, LW_ERROR_SYNTAX, "\"set\" is an object: {\"vec\": 8}");
    if (key == KEY_TYPE)
        line->type = value->string;
    else
        *(key == KEY_SET ? &line->set : key == KEY_IN ? &line->in : &line->at) = value;
    return true;
}

/* Any object where points are asked for; else one that has a "source" and is no document. */
static bool is_request(const struct lw_value *object, bool points)
{
    bool source = false, document = false;
    for (size_t i = 0; i < object->count; i++) {
        source = source || !strcmp(object->names[i], "source");
        document = document || !strcmp(object->names[i], "laneway");
    }
    return points || (source && !document);
}

static bool read_object(struct line *line, struct lw_error *err)
{
    struct lw_value object = {0};
    if (!lw_read_json(&line->arena, line->text, line->length, &object, err))
        return false;
    if (!is_request(&object, line->points)) {
        line->source = object;
        return true;
    }
    for (size_t i = 0; i < object.count; i++)
        if (!read_item(line, object.names[i], &object.items[i], err))
            return false;
    if (line->points && !line->in && !line->at)
        return lw_error_set(err, LW_ERROR_SYNTAX, "neither \"in\" nor \"at\" is there");
    return true;
}

bool lw_batch_check(const char *line, size_t length, struct lw_error *err)
{
    int n;
    for (size_t i = 0; i < length; i += (size_t)n) {
        n = 1;
        uint32_t code = line[i] & 0x80 ? lw_text_decode(line + i, &n) : (unsigned char)line[i];
        if (code == 0xfffd && n == 1)
            return lw_error_set(err, LW_ERROR_SYNTAX, "byte %zu of the line is not UTF-8", i + 1);
        if ((code < 32 && code != '\t') || code == 127)
            return lw_error_set(err, LW_ERROR_SYNTAX, "byte %zu of the line is a control character",
                                i + 1);
    }
    return true;
}

static bool read_line(struct line *line, struct lw_error *err)
{
    size_t blank = strspn(line->text, " \t");
    if (blank == line->length)
        return lw_error_set(err, LW_ERROR_SYNTAX, "the line is empty");
    if (!lw_batch_check(line->text, line->length, err))
        return false;
    if (line->text[blank] == '{')
        return read_object(line, err);
    line->source = (struct lw_value){.kind = LW_VALUE_STRING, .string = line->text + blank};
    return !line->points ||
           lw_error_set(err, LW_ERROR_SYNTAX,
                        "an object is needed: {\"source\": \"...\", \"in\": {\"register\": 3}} or "
                        "{\"source\": \"...\", \"at\": [2, 3]}");
}

/* ---- Its answer ---- */

struct batch {
    struct lw_load_options options;
    lw_answer *answer;
    const struct lw_loaded *defaults; /* of the command line; NULL: none */
    bool points;
};

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

static bool answer_source(const struct batch *batch, const struct line *line, struct lw_text *text,
                          struct lw_error *err)
{
    struct lw_load_options options = batch->options;
    struct lw_loaded loaded;
    if (line->type)
        options.type = line->type;
    if (!lw_load_value(&loaded.doc, &line->source, line->text, line->length, &options, err))
        return false;
    bool good =
        set_items(&loaded.doc, line->set, err) && lw_load_build(&loaded, options.target, err);
    if (!good) {
        lw_load_attribute_error(&options, err);
        lw_document_free(&loaded.doc);
        return false;
    }
    struct lw_request request = {&loaded, line->in, line->at};
    good = batch->answer(&request, text, err);
    lw_unload(&loaded);
    return good;
}

static bool answer_line(const struct batch *batch, struct line *line, struct lw_text *text,
                        struct lw_error *err)
{
    if (!read_line(line, err))
        return false;
    if (line->source.kind != LW_VALUE_NONE)
        return answer_source(batch, line, text, err);
    if (!batch->defaults)
        return lw_error_set(err, LW_ERROR_SYNTAX, "\"source\" is not there");
    if (line->type || line->set)
        return lw_error_set(err, LW_ERROR_SYNTAX, "\"type\" and \"set\" need a \"source\"");
    struct lw_request request = {batch->defaults, line->in, line->at};
    return batch->answer(&request, text, err);
}

static bool answer_text(void *context, char *text, size_t length, struct lw_text *answer,
                        struct lw_error *err)
{
    const struct batch *batch = context;
    struct line line = {.text = text, .length = length, .points = batch->points};
    bool good = answer_line(batch, &line, answer, err);
    lw_arena_free(&line.arena);
    return good;
}

/* ---- All of them ---- */

static void flush_answers(void *context)
{
    fflush(context);
}

static void print_answer(FILE *out, lw_line_answer *answer, void *context, char *line,
                         size_t length, struct lw_text *text)
{
    struct lw_error err = {0};
    lw_text_clear(text);
    if (!answer(context, line, length, text, &err) || text->failed) {
        lw_text_clear(text);
        lw_text_add(text, "{\"error\":");
        lw_text_json_string(text, err.code == LW_OK ? "out of memory" : err.message);
        lw_text_char(text, '}');
    }
    lw_text_char(text, '\n');
    lw_output_text(out, text);
}

enum lw_status lw_batch_lines(FILE *out, lw_line_answer *answer, void *context)
{
    struct lw_lines lines = {.fd = STDIN_FILENO};
    struct lw_text text = {0};
    struct lw_error err;
    size_t length;
    char *next;
    while (!ferror(out) && (next = lw_lines_next(&lines, &length, flush_answers, out, &err)))
        print_answer(out, answer, context, next, length, &text);
    lw_text_free(&text);
    lw_lines_free(&lines);
    if (ferror(out) || err.code == LW_OK)
        return LW_STATUS_OK; /* a failed output is noticed when it is closed */
    return lw_report_failure(NULL, &err);
}

enum lw_status lw_batch_run(const struct lw_arguments *args, FILE *out, lw_answer *answer,
                            bool points)
{
    struct batch batch = {.answer = answer, .points = points};
    struct lw_loaded defaults;
    struct lw_error err;
    if (!lw_load_options(&batch.options, args, &err))
        return lw_report_failure(NULL, &err);
    if (args->operand_count > points) {
        lw_error_set(&err, LW_ERROR_SYNTAX,
                     "'%.60s': with --batch the requests come from standard input",
                     args->operands[points]);
        return lw_report_failure(NULL, &err);
    }
    batch.options.input = NULL;
    if (args->operand_count == 1) {
        if (!lw_load(&defaults, args->operands[0], &batch.options, &err))
            return lw_report_failure(lw_source_name(args->operands[0]), &err);
        batch.defaults = &defaults;
    }
    enum lw_status status = lw_batch_lines(out, answer_text, &batch);
    if (batch.defaults)
        lw_unload(&defaults);
    return status;
}
