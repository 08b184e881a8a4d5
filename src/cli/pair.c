/*
 * Two layouts of one tensor: what the commands of two SOURCES are about. What the one says of shape and
 * element the other need not say again.
 */

#include "cli/cli.h"
#include "notation/document/read.h"

#include <string.h>

/* The element of a layout, where its tensor or else the layout itself says one. */
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
        return lw_error_set(err, LW_ERROR_SHAPE, "the layouts are of different elements: %s and %s",
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
            target = lw_hardware_default(); /* Triton refuses another number of lanes */
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

/* "with.name=value" is of the second layout; "name=value" of the first, or of the second where the first has
 * no such parameter. */
static bool apply_sets(struct lw_pair *pair, const struct lw_load_options *options,
                       struct lw_error *err)
{
    struct lw_error other;
    for (size_t i = 0; i < options->set_count; i++) {
        const char *set = options->sets[i];
        bool second = !strncmp(set, "with.", 5);
        if (!strncmp(set, "with=", 5))
            return lw_error_set(err, LW_ERROR_NAME,
                                "--set %.60s: the second SOURCE says what the second layout is",
                                set);
        if (second ? lw_load_set(&pair->doc[1], set + 5, err)
                   : lw_load_set(&pair->doc[0], set, err))
            continue;
        if (second || err->code != LW_ERROR_NAME || !lw_load_set(&pair->doc[1], set, &other))
            return false;
    }
    return true;
}

/* Loads two SOURCES; with one word, the two layouts of its document. On failure there is nothing to free. */
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
                        "the first layout is of %llu warp%s, the second of %llu: a kernel has one "
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
                   pair->element_is_set ? "" : " (not said: -t f16 would)");
}

/* ---- Tables ---- */

#define LINE_BYTES_MAX 80

/* Stands for: simple_grid where that fits into a line, else plain. */
static const struct lw_ruling fitting;

static const struct lw_ruling *ruling_of(const char *name)
{
    size_t count;
    const struct lw_style *styles = lw_styles(&count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(styles[i].name, name))
            return styles[i].ruling;
    return NULL;
}

const struct lw_ruling *lw_ruling_from_options(const struct lw_arguments *args,
                                               struct lw_error *err)
{
    const char *name = LW_OPTION_VALUE(args, STYLE);
    const struct lw_ruling *ruling = name ? ruling_of(name) : &fitting;
    if (!ruling)
        lw_error_set(err, LW_ERROR_UNSUPPORTED, "--style %s is no style of tables", name);
    return ruling;
}

bool lw_put_table(const struct lw_table *table, FILE *out, struct lw_error *err)
{
    struct lw_table fits = *table;
    fits.tight = true;
    if (table->ruling == &fitting) {
        fits.ruling = ruling_of("simple_grid");
        if (lw_table_width(&fits) > LINE_BYTES_MAX)
            fits.ruling = ruling_of("plain");
    }
    return lw_table_write(&fits, out, err);
}

/* ---- Batches ---- */

struct batch {
    const struct lw_pair_command *command;
    struct lw_load_options options;
};

struct line {
    struct lw_arena arena;
    struct lw_value object;
    const struct lw_value *source[2];
    const char *type;
};

static const char *known_key(const void *context, size_t i)
{
    const struct lw_pair_command *command = context;
    static const char *const general[] = {"type", "a", "b"};
    if (i < 2)
        return command->keys[i];
    return i < 5 ? general[i - 2] : command->more[i - 5];
}

static bool read_item(const struct batch *batch, struct line *line, const char *name,
                      const struct lw_value *value, struct lw_error *err)
{
    const struct lw_pair_command *command = batch->command;
    size_t known = 5 + command->more_count, key = 0;
    while (key < known && strcmp(known_key(command, key), name) != 0)
        key++;
    if (key == known) {
        const char *near = lw_text_nearest(name, known, known_key, command);
        return lw_error_set(err, LW_ERROR_NAME, "unknown key '%.60s'; did you mean '%s'?", name,
                            near ? near : command->keys[0]);
    }
    if (key > 4)
        return true;
    if (key == 2) {
        line->type = value->string;
        return value->kind == LW_VALUE_STRING ||
               lw_error_set(err, LW_ERROR_SYNTAX, "\"type\" is a string, such as \"16x64xf16\"");
    }
    const struct lw_value **source = &line->source[key < 2 ? key : key - 3];
    if (*source)
        return lw_error_set(err, LW_ERROR_NAME, "\"%s\" and \"%s\" are the same: one is needed",
                            command->keys[source - line->source],
                            source == line->source ? "a" : "b");
    *source = value;
    return value->kind == LW_VALUE_OBJECT || value->kind == LW_VALUE_STRING ||
           lw_error_set(err, LW_ERROR_SYNTAX, "\"%.40s\" is a SOURCE: a string or an object", name);
}

static bool read_line(const struct batch *batch, struct line *line, const char *text, size_t length,
                      struct lw_error *err)
{
    const struct lw_pair_command *command = batch->command;
    if (!lw_batch_check(text, length, err))
        return false;
    if (text[strspn(text, " \t")] != '{')
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "an object is needed: {\"%s\": \"...\", \"%s\": \"...\"}",
                            command->keys[0], command->keys[1]);
    if (!lw_read_json(&line->arena, text, length, &line->object, err))
        return false;
    for (size_t i = 0; i < line->object.count; i++)
        if (!read_item(batch, line, line->object.names[i], &line->object.items[i], err))
            return false;
    for (int i = 0; i < 2; i++)
        if (!line->source[i])
            return lw_error_set(err, LW_ERROR_SYNTAX, "\"%s\" is not there", command->keys[i]);
    return true;
}

static bool load_line(const struct batch *batch, const struct line *line, const char *text,
                      size_t length, struct lw_pair *pair, struct lw_error *err)
{
    struct lw_load_options options = batch->options;
    if (line->type)
        options.type = line->type;
    memset(pair, 0, sizeof *pair);
    for (int i = 0; i < 2; i++)
        if (!lw_load_value(&pair->doc[i], line->source[i], text, length, &options, err)) {
            free_pair(pair);
            return false;
        }
    return finish(pair, 2, &options, batch->command->access, err);
}

static bool answer_line(void *context, char *text, size_t length, struct lw_text *answer,
                        struct lw_error *err)
{
    const struct batch *batch = context;
    struct line line = {.type = NULL};
    struct lw_pair pair;
    bool good = read_line(batch, &line, text, length, err) &&
                load_line(batch, &line, text, length, &pair, err);
    if (good) {
        good = batch->command->answer(batch->command->context, &pair, &line.object, answer, err);
        free_pair(&pair);
    }
    lw_arena_free(&line.arena);
    return good;
}

static enum lw_status run_batch(const struct lw_arguments *args, FILE *out,
                                const struct lw_pair_command *command)
{
    struct batch batch = {.command = command};
    struct lw_error err;
    if (!lw_load_options(&batch.options, args, &err))
        return lw_report_failure(NULL, &err);
    batch.options.input = NULL;
    if (args->operand_count) {
        lw_error_set(&err, LW_ERROR_SYNTAX,
                     "'%.60s': with --batch the requests come from standard input",
                     args->operands[0]);
        return lw_report_failure(NULL, &err);
    }
    return lw_batch_lines(out, answer_line, &batch);
}

enum lw_status lw_pair_run(const struct lw_arguments *args, const struct lw_load_options *options,
                           FILE *out, const struct lw_pair_command *command)
{
    struct lw_pair pair;
    struct lw_error err;
    if (LW_OPTION_IS_SET(args, BATCH))
        return run_batch(args, out, command);
    if (!load(&pair, args->operands, args->operand_count, options, command->access, &err))
        return lw_report_failure(
            pair.failed_source < 0 ? NULL : lw_source_name(args->operands[pair.failed_source]),
            &err);
    bool good = command->print(command->context, args, &pair, out, &err);
    free_pair(&pair);
    return good ? LW_STATUS_OK : lw_report_failure(NULL, &err);
}
