/* Commands on several layouts of one tensor: their options, batches and output. */

#include "cli/pair.h"

#include "cli/batch.h"
#include "cli/figure.h"
#include "export/output.h"
#include "laneway/export.h"

#include <string.h>

/* ---- Views ---- */

static bool read_output(struct lw_view_output *output, const struct lw_arguments *args,
                        struct lw_error *err)
{
    const char *style = LW_OPTION_VALUE(args, STYLE);
    const struct lw_style *found = style ? lw_style_find(style) : NULL;
    const struct lw_format *format = NULL;
    if (!LW_OPTION_IS_SET(args, JSON) && !lw_figure_format(args, &format, err))
        return false;
    *output = (struct lw_view_output){
        .format = format ? format : lw_format_find("text"),
        .is_text = !format || !strcmp(format->name, "text"),
        .options = {.style = style ? style : "plain",
                    .labels = true,
                    .bare_labels = true,
                    .all = true,
                    .tight = true,
                    .fit = lw_figure_columns(args)},
    };
    return !style || (found && found->ruling) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED, "--style %s is not a table style", style);
}

bool lw_view_output_close(const struct lw_view_output *output, struct lw_view *view, FILE *out,
                          struct lw_error *err)
{
    bool good = view->rows == 0 || lw_export(view, output->format, &output->options, out, err);
    lw_view_close(view);
    return good;
}

bool lw_view_output_write(const struct lw_view_output *output, const char *name,
                          const struct lw_subject *subject, const struct lw_view_options *options,
                          FILE *out, struct lw_error *err)
{
    struct lw_view view;
    return lw_view_open(&view, lw_view_type_find(name), subject, options, err) &&
           lw_view_output_close(output, &view, out, err);
}

/* ---- Requests ---- */

static bool check_request(const struct lw_pair_request *request, struct lw_error *err)
{
    if (request->to_global && !strcmp(request->op, "store"))
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "--to-global is for loads: it cannot be combined with --op store");
    if (request->to_global && request->as && strcmp(request->as, "compiled") != 0)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "--to-global counts instructions after the back end: it cannot be "
                            "combined with --as %s",
                            request->as);
    return true;
}

static void set_request(struct lw_pair_request *request, const char *op, const char *as)
{
    if (op)
        request->op = op;
    if (as)
        request->as = as;
}

static bool read_options(struct lw_pair_request *request, const struct lw_arguments *args,
                         const struct lw_load_options *options, struct lw_error *err)
{
    *request = (struct lw_pair_request){.op = "both",
                                        .to_global = LW_OPTION_IS_SET(args, TO_GLOBAL),
                                        .all = LW_OPTION_IS_SET(args, ALL),
                                        .hardware = options->target};
    set_request(request, LW_OPTION_VALUE(args, OP), LW_OPTION_VALUE(args, AS));
    return check_request(request, err);
}

/* ---- Batches ---- */

/* The keys of a line; those that are options too come last, and the command must accept the option. */
enum { KEYS_ALWAYS = 6 + LW_BATCH_OPTION_KEY_COUNT, KEYS_MAX = KEYS_ALWAYS + 4 };
#define SOURCE_KEY(name)                                                                           \
    {                                                                                              \
        name, LW_KIND(STRING) | LW_KIND(OBJECT), "a SOURCE: a string or an object", NULL           \
    }

struct batch {
    const struct lw_pair_command *command;
    struct lw_load_options options;
    struct lw_pair_request *request; /* of the command line */
    struct lw_batch_key keys[KEYS_MAX];
    size_t key_count;
    char example[80];
};

static void set_keys(struct batch *batch, uint64_t options)
{
    const char *const *names = batch->command->keys;
    const struct lw_batch_key keys[KEYS_MAX] = {
        SOURCE_KEY(names[0]),
        SOURCE_KEY(names[1]),
        SOURCE_KEY(names[2]),
        SOURCE_KEY(batch->command->also),
        SOURCE_KEY("a"),
        SOURCE_KEY("b"),
        LW_BATCH_OPTION_KEYS,
        {"op", LW_KIND(STRING), "a string", &lw_choices_ops},
        {"as", LW_KIND(STRING), "a string", &lw_choices_stages},
        {"to_global", LW_KIND(BOOLEAN), "true or false", NULL},
        {"instructions", LW_KIND(BOOLEAN), "true or false", NULL},
    };
    static const uint64_t of_option[KEYS_MAX] = {
        [KEYS_ALWAYS] = LW_OPTION_BIT(OP),
        LW_OPTION_BIT(AS),
        LW_OPTION_BIT(TO_GLOBAL),
        LW_OPTION_BIT(OP) /* "instructions": only for banks, like "op" */};
    for (size_t i = 0; i < KEYS_MAX; i++)
        if ((i < KEYS_ALWAYS || options & of_option[i]) && keys[i].name)
            batch->keys[batch->key_count++] = keys[i];
    snprintf(batch->example, sizeof batch->example, "{\"%s\": \"...\", \"%s\": \"...\"}", names[0],
             names[1]);
}

/* The SOURCE under one of these keys, of which the last may be NULL; *found is NULL when the line has none. False when
 * it has several. */
static bool find_source(const struct lw_batch_line *line, const char *const keys[3],
                        const struct lw_value **found, struct lw_error *err)
{
    const char *first = NULL;
    *found = NULL;
    for (int i = 0; i < 3; i++) {
        const struct lw_value *value = keys[i] ? lw_batch_value(line, keys[i]) : NULL;
        if (value && *found)
            return lw_error_set(err, LW_ERROR_NAME,
                                "\"%s\" and \"%s\" are two names of one key: use one of them",
                                first, keys[i]);
        if (value) {
            *found = value;
            first = keys[i];
        }
    }
    return true;
}

static bool load_line(const struct batch *batch, const struct lw_batch_line *line,
                      const struct lw_load_options *options, struct lw_pair *pair,
                      struct lw_error *err)
{
    const struct lw_pair_command *command = batch->command;
    const char *const names[LW_SIDES][3] = {
        {command->keys[0], "a", command->also}, {command->keys[1], "b"}, {command->keys[2]}};
    const struct lw_value *source[LW_SIDES];
    for (int i = 0; i < LW_SIDES; i++) {
        if (!find_source(line, names[i], &source[i], err))
            return false;
        if (!source[i] && i < 2)
            return lw_batch_missing(command->keys[i], err);
    }
    memset(pair, 0, sizeof *pair);
    pair->count = source[2] ? 3 : 2;
    for (size_t i = 0; i < pair->count; i++)
        if (!lw_load_value(&pair->doc[i], source[i], line->text, line->length, options, err)) {
            lw_pair_free(pair);
            return false;
        }
    return lw_pair_finish(pair, options, command->access, err);
}

static bool answer_line(void *context, struct lw_batch_line *line, struct lw_text *answer,
                        struct lw_error *err)
{
    const struct batch *batch = context;
    struct lw_pair_request request = *batch->request;
    struct lw_load_options options = batch->options;
    struct lw_pair pair;
    if (!lw_batch_object(line, batch->example, err) ||
        !lw_batch_check_keys(line, batch->keys, batch->key_count, err))
        return false;
    const struct lw_value *to_global = lw_batch_value(line, "to_global");
    const struct lw_value *instructions = lw_batch_value(line, "instructions");
    set_request(&request, lw_batch_string(line, "op"), lw_batch_string(line, "as"));
    request.totals = instructions && !instructions->integer;
    if (to_global)
        request.to_global = to_global->integer;
    if (!lw_batch_options(line, &options, err) || !load_line(batch, line, &options, &pair, err))
        return false;
    request.hardware = options.target;
    bool good =
        check_request(&request, err) && batch->command->put_json(answer, &pair, &request, err);
    lw_pair_free(&pair);
    if (good)
        batch->request->conflicts = request.conflicts;
    return good;
}

static void open_batch(struct batch *batch, const struct lw_arguments *args,
                       const struct lw_load_options *options, struct lw_pair_request *request)
{
    *batch =
        (struct batch){.command = args->command->pair, .options = *options, .request = request};
    batch->options.input = NULL;
    set_keys(batch, args->command->options);
}

static enum lw_status run_batch(const struct lw_arguments *args,
                                const struct lw_load_options *options, FILE *out,
                                struct lw_pair_request *request)
{
    struct batch batch;
    struct lw_error err;
    if (args->command->pair->access && lw_options_are_set(args, LW_OPTIONS_SIDES))
        lw_error_set(&err, LW_ERROR_SYNTAX,
                     "--batch: the keys of each line name the layouts, and no option does");
    else if (lw_batch_check_operands(args, 0, &err))
        err.code = LW_OK;
    if (err.code != LW_OK)
        return lw_report_failure(NULL, &err);
    open_batch(&batch, args, options, request);
    return lw_batch_run(out, answer_line, &batch);
}

bool lw_pair_answer(const struct lw_arguments *args, struct lw_batch_line *line,
                    struct lw_text *answer, struct lw_error *err)
{
    struct lw_load_options options;
    struct lw_pair_request request;
    struct batch batch;
    if (!lw_load_options(&options, args, err) || !read_options(&request, args, &options, err))
        return false;
    open_batch(&batch, args, &options, &request);
    return answer_line(&batch, line, answer, err);
}

/* ---- One request ---- */

static bool print_pair(const struct lw_arguments *args, struct lw_pair *pair, FILE *out,
                       struct lw_pair_request *request, struct lw_error *err)
{
    const struct lw_pair_command *command = args->command->pair;
    struct lw_view_output output;
    if (!LW_OPTION_IS_SET(args, JSON))
        return read_output(&output, args, err) &&
               command->put_text(out, pair, request, &output, err);
    struct lw_text text = {0};
    request->out = out;
    bool good = command->put_json(&text, pair, request, err);
    lw_text_char(&text, '\n');
    if (good && text.failed)
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good)
        lw_output_text(out, &text);
    lw_text_free(&text);
    return good;
}

/* Checks the options that name layouts beside the SOURCEs: a second one is shared S, or without an access B. */
static bool check_sides(const struct lw_arguments *args, struct lw_error *err)
{
    static const enum lw_option_id taken[] = {LW_OPTION_STORE, LW_OPTION_SHARED, LW_OPTION_LOAD};
    const size_t count = args->operand_count;
    if (!args->command->pair->access)
        return !LW_OPTION_IS_SET(args, SHARED) || count > 1 ||
               lw_error_set(err, LW_ERROR_SYNTAX, "--shared is for two SOURCEs");
    for (size_t i = 0; count > 1 && i < count && i < sizeof taken / sizeof *taken; i++)
        if (args->value[taken[i]])
            return lw_error_set(err, LW_ERROR_SYNTAX,
                                "--%s: the SOURCEs are registers A%s already: omit one of the two",
                                lw_options()[taken[i]].name,
                                count > 2 ? ", shared S and registers B" : " and shared S");
    return true;
}

static enum lw_status run_pair(const struct lw_arguments *args,
                               const struct lw_load_options *options, FILE *out,
                               struct lw_pair_request *request)
{
    struct lw_pair pair;
    struct lw_error err;
    const char *sources[LW_SIDES + 1];
    size_t count = args->operand_count;
    memcpy(sources, args->operands, count * sizeof *sources);
    if (!check_sides(args, &err))
        return lw_report_failure(NULL, &err);
    const char *last =
        args->command->pair->access ? LW_OPTION_VALUE(args, LOAD) : LW_OPTION_VALUE(args, SHARED);
    if (last && count > 1)
        sources[count++] = last;
    if (!lw_pair_load(&pair, sources, count, args, options, &err))
        return lw_report_failure(pair.failed ? lw_source_name(pair.failed) : NULL, &err);
    bool good = print_pair(args, &pair, out, request, &err);
    lw_pair_free(&pair);
    return good ? LW_STATUS_OK : lw_report_failure(NULL, &err);
}

enum lw_status lw_pair_run(const struct lw_arguments *args, FILE *out)
{
    struct lw_load_options options;
    struct lw_pair_request request;
    struct lw_error err;
    uint64_t max;
    if (!lw_load_options(&options, args, &err) || !read_options(&request, args, &options, &err) ||
        !lw_fail_on_conflict(args, &max, &err))
        return lw_report_failure(NULL, &err);
    enum lw_status status =
        (LW_OPTION_IS_SET(args, BATCH) ? run_batch : run_pair)(args, &options, out, &request);
    return status == LW_STATUS_OK && request.conflicts > max ? LW_STATUS_NO : status;
}
