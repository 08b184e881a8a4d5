/*
 * Commands that take two layouts of one tensor. Shape and element that one of them sets hold for the other
 * too.
 */

#include "cli/pair.h"

#include "cli/batch.h"
#include "export/output.h"
#include "laneway/export.h"

#include <string.h>

/* The element of a layout: that of its tensor, else that of its encoding. */
static struct lw_element element_of(const struct lw_document *doc)
{
    struct lw_element element = doc->tensor.element;
    if (!element.bits)
        element.bits = lw_encoding_element_bits(doc->encoding);
    return element;
}

static const char *label_of(const struct lw_element *element, char room[16])
{
    snprintf(room, 16, "%d bits", element->bits);
    return *element->name ? element->name : room;
}

/* The element that both hold. */
static bool agree(struct lw_pair *pair, struct lw_error *err)
{
    char room[2][16];
    const struct lw_element a = element_of(&pair->doc[0]), b = element_of(&pair->doc[1]);
    if (a.bits && b.bits && a.bits != b.bits)
        return lw_error_set(err, LW_ERROR_SHAPE, "the layouts have different elements: %s and %s",
                            label_of(&a, room[0]), label_of(&b, room[1]));
    pair->element_is_set = a.bits || b.bits;
    pair->element = pair->doc[0].tensor.element.bits ? a : b.bits ? b : a;
    if (!pair->element_is_set)
        pair->element.bits = 32;
    return true;
}

static bool build(struct lw_pair *pair, const struct lw_load_options *options, bool access,
                  struct lw_error *err)
{
    lw_document_share(&pair->doc[0], &pair->doc[1], access);
    lw_document_share(&pair->doc[1], &pair->doc[0], access);
    for (int i = 0; i < 2; i++) {
        pair->failed_source = i;
        const struct lw_hardware *target = options->target;
        if (!target && lw_load_sets_lanes(&pair->doc[i]))
            target = lw_hardware_default(); /* Triton rejects other numbers of lanes */
        if (!lw_document_build(&pair->doc[i], &pair->map[i], err) ||
            !lw_load_check_target(&pair->doc[i], &pair->map[i], target, err)) {
            lw_load_attribute_error(options, err);
            return false;
        }
    }
    pair->failed_source = -1;
    return agree(pair, err);
}

static bool split(struct lw_pair *pair, struct lw_error *err)
{
    struct lw_document *first = &pair->doc[0], *second = &pair->doc[1];
    if (!first->with)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "a second layout is needed: another SOURCE, or \"with\" in a document");
    lw_document_second(second, first);
    return true;
}

static void free_pair(struct lw_pair *pair)
{
    lw_document_free(&pair->doc[0]);
    lw_arena_free(&pair->doc[1].arena);
}

/* Builds what has been opened: both, or the first with its second layout. */
static bool finish(struct lw_pair *pair, size_t count, const struct lw_load_options *options,
                   bool access, struct lw_error *err)
{
    if ((count == 2 || split(pair, err)) && build(pair, options, access, err))
        return true;
    free_pair(pair);
    return false;
}

/* "with.name=value" sets a parameter of the second layout; "name=value" of the first, or of the second when the
 * first has no such parameter. */
static bool apply_sets(struct lw_pair *pair, const struct lw_load_options *options,
                       struct lw_error *err)
{
    struct lw_error other;
    for (size_t i = 0; i < options->set_count; i++) {
        const char *set = options->sets[i];
        bool second = !strncmp(set, "with.", 5);
        if (!strncmp(set, "with=", 5))
            return lw_error_set(
                err, LW_ERROR_NAME,
                "--set %.60s: the second layout is the second SOURCE, and cannot be set", set);
        if (second ? lw_load_set(&pair->doc[1], set + 5, err)
                   : lw_load_set(&pair->doc[0], set, err))
            continue;
        if (second || err->code != LW_ERROR_NAME || !lw_load_set(&pair->doc[1], set, &other))
            return false;
    }
    return true;
}

/* Loads two SOURCES, or the two layouts of one document. On failure there is nothing to free. */
static bool load(struct lw_pair *pair, const char *const *sources, size_t count,
                 const struct lw_load_options *options, bool access, struct lw_error *err)
{
    struct lw_load_options alone = *options;
    alone.set_count = count == 2 ? 0 : options->set_count;
    memset(pair, 0, sizeof *pair);
    for (size_t i = 0; i < count; i++) {
        pair->failed_source = (int)i;
        if (!lw_load_document(&pair->doc[i], sources[i], &alone, err)) {
            free_pair(pair);
            return false;
        }
    }
    pair->failed_source = -1;
    if (count == 2 && !apply_sets(pair, options, err)) {
        free_pair(pair);
        return false;
    }
    return finish(pair, count, options, access, err);
}

/* The warps of a layout in registers; threads are split into them. */
static uint64_t warps_of(const struct lw_map *map, uint64_t lanes)
{
    uint64_t threads = lw_dims_size(&map->in, "thread");
    return lw_dims_find(&map->in, "thread") < 0 ? lw_dims_size(&map->in, "warp")
                                                : (threads + lanes - 1) / lanes;
}

bool lw_pair_check_warps(const struct lw_pair *pair, uint64_t lanes, struct lw_error *err)
{
    uint64_t first = warps_of(&pair->map[0], lanes), second = warps_of(&pair->map[1], lanes);
    return first == second ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "the first layout has %llu warp%s, the second %llu: a kernel has one "
                        "number of warps, and Triton rejects such a pair",
                        (unsigned long long)first, first == 1 ? "" : "s",
                        (unsigned long long)second);
}

/* ---- What the commands print of a pair ---- */

void lw_pair_print_layout(struct lw_text *text, const char *label, const struct lw_pair *pair,
                          int which)
{
    const struct lw_document *doc = &pair->doc[which];
    struct lw_tensor tensor;
    struct lw_subject subject;
    lw_document_tensor(doc, &pair->map[which], &tensor);
    lw_subject_init(&subject, &pair->map[which], &tensor, doc->encoding->type->family);
    lw_text_format(text, "%-11s", label);
    lw_summary(text, &subject);
    lw_text_char(text, '\n');
}

void lw_pair_print_element(struct lw_text *text, const struct lw_pair *pair)
{
    lw_text_format(text, "elements:  %s%s", pair->element.name, *pair->element.name ? ", " : "");
    lw_text_format(text, "%d bits%s\n", pair->element.bits,
                   pair->element_is_set ? "" : " (default; -t f16 sets it)");
}

/* ---- Views ---- */

#define LINE_COLUMNS_MAX 80

bool lw_view_output_read(struct lw_view_output *output, const struct lw_arguments *args,
                         struct lw_error *err)
{
    const char *style = LW_OPTION_VALUE(args, STYLE), *format = LW_OPTION_VALUE(args, FORMAT);
    const struct lw_style *found = style ? lw_style_find(style) : NULL;
    *output = (struct lw_view_output){
        .format = lw_format_find(format ? format : "text"),
        .is_text = !format || !strcmp(format, "text"),
        .options = {.style = style,
                    .labels = true,
                    .bare_labels = true,
                    .all = true,
                    .tight = true,
                    .fit = LINE_COLUMNS_MAX},
    };
    return !style || (found && found->ruling) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED, "--style %s is not a table style", style);
}

bool lw_view_output_write(const struct lw_view_output *output, struct lw_view *view, FILE *out,
                          struct lw_error *err)
{
    bool good = view->rows == 0 || lw_export(view, output->format, &output->options, out, err);
    lw_view_close(view);
    return good;
}

/* ---- Requests ---- */

static bool check_request(const struct lw_pair_request *request, struct lw_error *err)
{
    if (request->to_global && !strcmp(request->op, "store"))
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "--to-global is for loads: it does not go with --op store");
    if (request->to_global && request->stage == LW_PLAN_TRITON)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "--to-global counts what the back end makes of a load: it does not go "
                            "with --as triton");
    return true;
}

static void set_request(struct lw_pair_request *request, const char *op, const char *as)
{
    if (op)
        request->op = op;
    if (as)
        request->stage = strcmp(as, "triton") ? LW_PLAN_COMPILED : LW_PLAN_TRITON;
}

static bool read_options(struct lw_pair_request *request, const struct lw_arguments *args,
                         const struct lw_load_options *options, struct lw_error *err)
{
    *request = (struct lw_pair_request){.op = "both",
                                        .stage = LW_PLAN_COMPILED,
                                        .to_global = LW_OPTION_IS_SET(args, TO_GLOBAL),
                                        .all = LW_OPTION_IS_SET(args, ALL),
                                        .one_document = args->operand_count == 1,
                                        .hardware = options->target};
    set_request(request, LW_OPTION_VALUE(args, OP), LW_OPTION_VALUE(args, AS));
    return check_request(request, err);
}

/* ---- Batches ---- */

/* The keys of a line; those that are options too come last, and the command must accept the option. */
enum { KEYS_MAX = 9, KEYS_ALWAYS = 6 };
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
        SOURCE_KEY("a"),
        SOURCE_KEY("b"),
        LW_BATCH_OPTION_KEYS,
        {"op", LW_KIND(STRING), "a string", &lw_choices_ops},
        {"as", LW_KIND(STRING), "a string", &lw_choices_stages},
        {"to_global", LW_KIND(BOOLEAN), "true or false", NULL},
    };
    static const uint64_t of_option[KEYS_MAX] = {
        [6] = LW_OPTION_BIT(OP), [7] = LW_OPTION_BIT(AS), [8] = LW_OPTION_BIT(TO_GLOBAL)};
    for (size_t i = 0; i < KEYS_MAX; i++)
        if (i < KEYS_ALWAYS || options & of_option[i])
            batch->keys[batch->key_count++] = keys[i];
    snprintf(batch->example, sizeof batch->example, "{\"%s\": \"...\", \"%s\": \"...\"}", names[0],
             names[1]);
}

/* The SOURCE with that key, or with its other name. */
static const struct lw_value *source_of(const struct lw_batch_line *line, const char *key,
                                        const char *other, struct lw_error *err)
{
    const struct lw_value *source = lw_batch_value(line, key),
                          *second = lw_batch_value(line, other);
    if (!source && !second)
        lw_batch_missing(key, err);
    if (!source || !second)
        return source ? source : second;
    lw_error_set(err, LW_ERROR_NAME, "\"%s\" and \"%s\" are the same key: give one of them", key,
                 other);
    return NULL;
}

static bool load_line(const struct batch *batch, const struct lw_batch_line *line,
                      struct lw_pair *pair, struct lw_error *err)
{
    static const char *const others[] = {"a", "b"};
    struct lw_load_options options = batch->options;
    const struct lw_value *source[2];
    if (!lw_batch_options(line, &options, err))
        return false;
    for (int i = 0; i < 2; i++)
        if (!(source[i] = source_of(line, batch->command->keys[i], others[i], err)))
            return false;
    memset(pair, 0, sizeof *pair);
    for (int i = 0; i < 2; i++)
        if (!lw_load_value(&pair->doc[i], source[i], line->text, line->length, &options, err)) {
            free_pair(pair);
            return false;
        }
    return finish(pair, 2, &options, batch->command->access, err);
}

static bool answer_line(void *context, struct lw_batch_line *line, struct lw_text *answer,
                        struct lw_error *err)
{
    const struct batch *batch = context;
    struct lw_pair_request request = *batch->request;
    struct lw_pair pair;
    if (!lw_batch_object(line, batch->example, err) ||
        !lw_batch_check_keys(line, batch->keys, batch->key_count, err))
        return false;
    const struct lw_value *to_global = lw_batch_value(line, "to_global");
    set_request(&request, lw_batch_string(line, "op"), lw_batch_string(line, "as"));
    if (to_global)
        request.to_global = to_global->integer;
    if (!load_line(batch, line, &pair, err))
        return false;
    bool good =
        check_request(&request, err) && batch->command->put_json(answer, &pair, &request, err);
    free_pair(&pair);
    if (good)
        batch->request->conflicts = request.conflicts;
    return good;
}

static enum lw_status run_batch(const struct lw_arguments *args,
                                const struct lw_load_options *options, FILE *out,
                                const struct lw_pair_command *command,
                                struct lw_pair_request *request)
{
    struct batch batch = {.command = command, .options = *options, .request = request};
    struct lw_error err;
    if (!lw_batch_check_operands(args, 0, &err))
        return lw_report_failure(NULL, &err);
    batch.options.input = NULL;
    set_keys(&batch, args->command->options);
    return lw_batch_run(out, answer_line, &batch);
}

/* ---- One pair ---- */

static bool print_pair(const struct lw_arguments *args, const struct lw_pair *pair, FILE *out,
                       const struct lw_pair_command *command, struct lw_pair_request *request,
                       struct lw_error *err)
{
    struct lw_view_output output;
    if (!LW_OPTION_IS_SET(args, JSON))
        return lw_view_output_read(&output, args, err) &&
               command->put_text(out, pair, request, &output, err);
    struct lw_text text = {0};
    bool good = command->put_json(&text, pair, request, err);
    lw_text_char(&text, '\n');
    if (good && text.failed)
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good)
        lw_output_text(out, &text);
    lw_text_free(&text);
    return good;
}

static enum lw_status run_pair(const struct lw_arguments *args,
                               const struct lw_load_options *options, FILE *out,
                               const struct lw_pair_command *command,
                               struct lw_pair_request *request)
{
    struct lw_pair pair;
    struct lw_error err;
    if (!load(&pair, args->operands, args->operand_count, options, command->access, &err))
        return lw_report_failure(
            pair.failed_source < 0 ? NULL : lw_source_name(args->operands[pair.failed_source]),
            &err);
    bool good = print_pair(args, &pair, out, command, request, &err);
    free_pair(&pair);
    return good ? LW_STATUS_OK : lw_report_failure(NULL, &err);
}

enum lw_status lw_pair_run(const struct lw_arguments *args, FILE *out,
                           const struct lw_pair_command *command)
{
    struct lw_load_options options;
    struct lw_pair_request request;
    struct lw_error err;
    uint64_t max;
    if (!lw_load_options(&options, args, &err) || !read_options(&request, args, &options, &err) ||
        !lw_fail_on_conflict(args, &max, &err))
        return lw_report_failure(NULL, &err);
    enum lw_status status = (LW_OPTION_IS_SET(args, BATCH) ? run_batch : run_pair)(
        args, &options, out, command, &request);
    return status == LW_STATUS_OK && request.conflicts > max ? LW_STATUS_NO : status;
}
