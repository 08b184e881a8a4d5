/* laneway apply: from a hardware index to its element, or from an element to its owners. */

#include "cli/command/commands.h"
#include "cli/batch.h"
#include "export/output.h"

#include <stdlib.h>
#include <string.h>

static bool check_element(const uint64_t *out, size_t count, const struct lw_dims *dims,
                          struct lw_error *err)
{
    if (count != (size_t)dims->count)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "the element has %zu number%s, but the tensor has %d dim%s", count,
                            count == 1 ? "" : "s", dims->count, dims->count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++)
        if (out[i] >= dims->dim[i].size)
            return lw_error_set(err, LW_ERROR_PARAMETER, "%s = %llu: must be from 0 to %llu",
                                dims->dim[i].name, (unsigned long long)out[i],
                                (unsigned long long)dims->dim[i].size - 1);
    return true;
}

/* Reads a number, decimal or after 0x; *end is the text after it. */
static bool read_number(const char *text, uint64_t *number, const char **end)
{
    bool hex = text[0] == '0' && (text[1] | 32) == 'x';
    const char *first = text + (hex ? 2 : 0);
    size_t digits = strspn(first, hex ? "0123456789abcdefABCDEF" : "0123456789");
    *end = first + digits;
    if (digits == 0 || digits > (hex ? 16 : 19))
        return false;
    *number = strtoull(first, NULL, hex ? 16 : 10);
    return true;
}

/* ---- Printing ---- */

static void print_element(struct lw_text *text, const struct lw_dims *dims, const uint64_t *out,
                          bool json)
{
    lw_text_char(text, json ? '{' : '(');
    for (int i = 0; i < dims->count; i++) {
        if (i)
            lw_text_add(text, json ? "," : ", ");
        if (json)
            lw_text_format(text, "\"%s\":", dims->dim[i].name);
        lw_text_number(text, out[i]);
    }
    lw_text_char(text, json ? '}' : ')');
}

static void print_hardware_index(struct lw_text *text, const struct lw_dims *dims,
                                 const uint64_t *in, bool json)
{
    if (json) {
        print_element(text, dims, in, true);
        return;
    }
    for (int i = 0; i < dims->count; i++) {
        lw_text_format(text, "%s%s=", i ? " " : "", dims->dim[i].name);
        lw_text_number(text, in[i]);
    }
    lw_text_char(text, '\n');
}

/* Prints all owners. With `out` the text is written there now and then, so that millions need little memory. */
static void print_owners(struct lw_text *text, const struct lw_map *map, const uint64_t *element,
                         bool json, FILE *out)
{
    uint64_t in[LW_DIMS_MAX];
    if (json)
        lw_text_add(text, "{\"owners\":[");
    for (uint64_t k = 0; lw_map_owner(map, element, k, in) && !text->failed; k++) {
        if (json && k)
            lw_text_char(text, ',');
        print_hardware_index(text, &map->in, in, json);
        if (out && text->length > 1 << 15) {
            lw_output_text(out, text);
            lw_text_clear(text);
            if (ferror(out))
                return;
        }
    }
    if (json)
        lw_text_add(text, "]}");
}

/* The element at a hardware index that is in range. */
static bool element_at(const struct lw_map *map, const uint64_t *in, uint64_t *element,
                       struct lw_error *err)
{
    struct lw_text index = {0};
    if (!lw_map_check_unique(map, err))
        return false;
    if (lw_map_apply(map, in, element))
        return true;
    for (int i = 0; i < map->in.count; i++)
        if (map->in.dim[i].size > 1)
            lw_text_format(&index, "%s%s %llu", index.length ? ", " : "", map->in.dim[i].name,
                           (unsigned long long)in[i]);
    lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s holds no element", lw_text_string(&index));
    lw_text_free(&index);
    return false;
}

/* ---- Batch ---- */

/* The most owners in one answer, which is kept in memory. */
#define OWNERS_MAX ((uint64_t)1 << 20)

static bool answer_at(const struct lw_request *request, struct lw_text *text, struct lw_error *err)
{
    const struct lw_map *map = &request->loaded->opened.subject.map;
    const struct lw_value *at = request->at;
    uint64_t element[LW_DIMS_MAX];
    for (size_t i = 0; i < at->count; i++) {
        if (at->items[i].kind != LW_VALUE_INTEGER || at->items[i].integer < 0)
            return lw_error_set(err, LW_ERROR_SYNTAX, "\"at\" must be a list of numbers: [2, 3]");
        if (i < LW_DIMS_MAX)
            element[i] = (uint64_t)at->items[i].integer;
    }
    if (!check_element(element, at->count, &map->out, err))
        return false;
    if (lw_map_owner_count(map, element) > OWNERS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "over 2^20 owners: without --batch, --at prints any number of them");
    print_owners(text, map, element, true, NULL);
    return true;
}

static bool answer_in(const struct lw_request *request, struct lw_text *text, struct lw_error *err)
{
    const struct lw_subject *subject = &request->loaded->opened.subject;
    const struct lw_value *in = request->in;
    struct lw_point point = {.set_dims = 0};
    uint64_t element[LW_DIMS_MAX];
    for (size_t i = 0; i < in->count; i++) {
        const struct lw_value *value = &in->items[i];
        if (value->kind != LW_VALUE_INTEGER || value->integer < 0)
            return lw_error_set(err, LW_ERROR_SYNTAX, "\"%.40s\" must be a number from 0",
                                in->names[i]);
        if (!lw_point_set(&point, subject, in->names[i], (uint64_t)value->integer, err))
            return false;
    }
    if (!lw_point_check(&point, &subject->map.in, err))
        return false;
    if (!element_at(&subject->map, point.in, element, err))
        return false;
    print_element(text, &subject->map.out, element, true);
    return true;
}

static bool answer_request(const struct lw_request *request, struct lw_text *text,
                           struct lw_error *err)
{
    if (request->in && request->at)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "\"in\" and \"at\" cannot be combined: use one of them");
    return request->at ? answer_at(request, text, err) : answer_in(request, text, err);
}

/* ---- The command line ---- */

static enum lw_status wrong(struct lw_error *err, const char *operand)
{
    const char *equals = strchr(operand, '=');
    bool negative = equals && equals[1] == '-' && equals[2];
    lw_error_set(err, LW_ERROR_SYNTAX, "'%.60s': expected DIM=NUMBER%s", operand,
                 negative ? ", with a number from 0" : "");
    return LW_STATUS_ERROR;
}

static enum lw_status forward(const struct lw_loaded *loaded, const struct lw_arguments *args,
                              struct lw_text *text, struct lw_error *err)
{
    const struct lw_subject *subject = &loaded->opened.subject;
    struct lw_point point = {.set_dims = 0};
    uint64_t element[LW_DIMS_MAX], number;
    const char *end;
    char name[LW_NAME_MAX];
    for (size_t i = 1; i < args->operand_count; i++) {
        const char *operand = args->operands[i], *equals = strchr(operand, '=');
        if (!equals || equals == operand || (size_t)(equals - operand) >= sizeof name ||
            !read_number(equals + 1, &number, &end) || *end)
            return wrong(err, operand);
        snprintf(name, sizeof name, "%.*s", (int)(equals - operand), operand);
        if (!lw_point_set(&point, subject, name, number, err))
            return LW_STATUS_ERROR;
    }
    if (!lw_point_check(&point, &subject->map.in, err))
        return LW_STATUS_ERROR;
    if (!element_at(&subject->map, point.in, element, err))
        return LW_STATUS_NO;
    print_element(text, &subject->map.out, element, LW_OPTION_IS_SET(args, JSON));
    lw_text_char(text, '\n');
    return LW_STATUS_OK;
}

/* Reads "2,3", also "(2, 3)" and "[2, 3]". */
static bool read_element(const char *at, uint64_t *element, size_t *count, struct lw_error *err)
{
    const char *c = at + strspn(at, "([ ");
    for (*count = 0; *c && !strchr(")]", *c);) {
        uint64_t number;
        if (!read_number(c, &number, &c))
            return lw_error_set(err, LW_ERROR_SYNTAX, "--at %.60s: expected numbers, such as 2,3",
                                at);
        if (*count < LW_DIMS_MAX)
            element[*count] = number;
        ++*count;
        c += strspn(c, ", ");
    }
    if (c[strspn(c, ")] ")])
        return lw_error_set(err, LW_ERROR_SYNTAX, "--at %.60s: expected numbers, such as 2,3", at);
    return true;
}

static enum lw_status backward(const struct lw_loaded *loaded, const struct lw_arguments *args,
                               struct lw_text *text, FILE *out, struct lw_error *err)
{
    const struct lw_map *map = &loaded->opened.subject.map;
    uint64_t element[LW_DIMS_MAX];
    size_t count;
    if (!read_element(LW_OPTION_VALUE(args, AT), element, &count, err) ||
        !check_element(element, count, &map->out, err))
        return LW_STATUS_ERROR;
    bool held = lw_map_owner_count(map, element) > 0, json = LW_OPTION_IS_SET(args, JSON);
    print_owners(text, map, element, json, out);
    if (json)
        lw_text_char(text, '\n');
    if (held)
        return LW_STATUS_OK;
    struct lw_text what = {0};
    print_element(&what, &map->out, element, false);
    lw_error_set(err, LW_ERROR_UNSUPPORTED, "no hardware index holds %s", lw_text_string(&what));
    lw_text_free(&what);
    return LW_STATUS_NO;
}

static enum lw_status answer_arguments(const struct lw_loaded *loaded,
                                       const struct lw_arguments *args, struct lw_text *text,
                                       FILE *out, struct lw_error *err)
{
    if (!LW_OPTION_IS_SET(args, AT))
        return forward(loaded, args, text, err);
    if (args->operand_count == 1)
        return backward(loaded, args, text, out, err);
    lw_error_set(err, LW_ERROR_SYNTAX,
                 "unexpected '%.60s': --at cannot be combined with DIM=NUMBER", args->operands[1]);
    return LW_STATUS_ERROR;
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct lw_load_options options;
    struct lw_loaded loaded;
    struct lw_text text = {0};
    struct lw_error err;
    if (LW_OPTION_IS_SET(args, BATCH))
        return lw_batch_requests(args, out, answer_request, true);
    if (!lw_load_options(&options, args, &err))
        return lw_report_failure(NULL, &err);
    if (!lw_load(&loaded, args->operands[0], &options, &err))
        return lw_report_failure(lw_source_name(args->operands[0]), &err);
    enum lw_status status = answer_arguments(&loaded, args, &text, out, &err);
    lw_output_text(out, &text);
    if (status != LW_STATUS_OK)
        lw_report_failure(NULL, &err);
    lw_text_free(&text);
    lw_unload(&loaded);
    return status;
}

static bool answer(const struct lw_arguments *args, struct lw_batch_line *line,
                   struct lw_text *text, struct lw_error *err)
{
    return lw_batch_answer_request(args, line, answer_request, true, text, err);
}

const struct lw_command lw_command_apply = {
    .name = "apply",
    .operands = "SOURCE [DIM=NUMBER...]",
    .help = "print the element at a hardware index, or the owners of one",
    .about =
        "Forward: prints the element at a hardware index; exits 1 when there is none. Dims that "
        "are not set are 0; thread=17, or thread=0x11, sets lane and warp together. Backward, with "
        "--at: prints every hardware index that holds the element, one per line; exits 1 when "
        "there is none.\n\n"
        "With --batch each line of standard input is an object {\"source\": \"...\", \"in\": "
        "{\"register\": 3}} or {\"source\": \"...\", \"at\": [2, 3]}; lines without \"source\" use "
        "the SOURCE of the command line.",
    .options = LW_OPTIONS_SOURCE | LW_OPTION_BIT(AT) | LW_OPTION_BIT(JSON) | LW_OPTION_BIT(BATCH) |
               LW_OPTION_BIT(OUTPUT) | LW_OPTION_BIT(COLOR),
    .min_operands = 1,
    .max_operands = LW_ANY_NUMBER,
    .examples = {{"apply 'local(2, 1).spatial(8, 4)' local=1 thread=5",
                  "the element of thread 5, local 1"},
                 {"apply 'local(2, 1).spatial(8, 4)' --at 9,1", "its owners"},
                 {"apply 'local(2, 1).spatial(8, 4)' --at 9,1 --json", "for programs"}},
    .run = run,
    .answer = answer,
};
