/* laneway apply: from a hardware index to its element, or from an element to its owners. */

#include "cli/command/commands.h"
#include "cli/load.h"
#include "view/query.h"
#include "view/view_parts.h"

#include <string.h>

/* Reads a hardware index, or with `at` an element, as find has them in the explorer. */
static bool read_index(struct lw_query *q, const struct lw_subject *subject, const char *text,
                       bool at, struct lw_error *err)
{
    if (!lw_query_read(q, subject, text) || q->element != (at && subject->map.out.count) || q->bank)
        return lw_error_set(err, LW_ERROR_SYNTAX, "%s'%.60s': expected %s", at ? "--at " : "", text,
                            at ? "numbers, such as 2,3" : "DIM=NUMBER, such as lane=3");
    return !*q->why || lw_error_set(err, LW_ERROR_PARAMETER, "%s", q->why);
}

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

/* The element at a hardware index; dims that are not named are 0. */
static enum lw_status forward(struct lw_text *text, const struct lw_subject *subject,
                              const struct lw_arguments *args, bool json, struct lw_error *err)
{
    const struct lw_map *map = &subject->map;
    struct lw_text typed = {0}, index = {0};
    struct lw_query q;
    uint64_t element[LW_DIMS_MAX];
    enum lw_status status = LW_STATUS_ERROR;
    for (size_t i = 1; i < args->operand_count; i++)
        lw_text_format(&typed, "%s%s", i > 1 ? " " : "", args->operands[i]);
    if (read_index(&q, subject, lw_text_string(&typed), false, err)) {
        status = LW_STATUS_NO;
        if (lw_map_check_unique(map, err)) {
            lw_put_hardware_index(&index, &map->in, q.value);
            if (lw_map_apply(map, q.value, element))
                status = LW_STATUS_OK;
            else
                lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s holds no element",
                             lw_text_string(&index));
        }
    }
    if (status == LW_STATUS_OK)
        print_element(text, &map->out, element, json);
    lw_text_free(&typed);
    lw_text_free(&index);
    return status;
}

/* The most owners that are printed. */
#define OWNERS_MAX ((uint64_t)1 << 20)

/* The owners of an element. */
static enum lw_status backward(struct lw_text *text, const struct lw_subject *subject,
                               const struct lw_arguments *args, bool json, struct lw_error *err)
{
    const struct lw_map *map = &subject->map;
    struct lw_query q;
    uint64_t in[LW_DIMS_MAX];
    if (!read_index(&q, subject, LW_OPTION_VALUE(args, AT), true, err))
        return LW_STATUS_ERROR;
    const uint64_t count = lw_map_owner_count(map, q.number);
    if (count > OWNERS_MAX) {
        lw_error_set(err, LW_ERROR_LIMIT, "too many owners: at most 2^20 are printed");
        return LW_STATUS_ERROR;
    }
    lw_text_add(text, json ? "{\"owners\":[" : "");
    for (uint64_t k = 0; lw_map_owner(map, q.number, k, in) && !text->failed; k++) {
        if (json) {
            lw_text_add(text, k ? "," : "");
            print_element(text, &map->in, in, true);
            continue;
        }
        for (int i = 0; i < map->in.count; i++)
            lw_text_format(text, "%s%s=%llu", i ? " " : "", map->in.dim[i].name,
                           (unsigned long long)in[i]);
        lw_text_char(text, '\n');
    }
    lw_text_add(text, json ? "]}" : "");
    if (count > 0)
        return LW_STATUS_OK;
    struct lw_text what = {0};
    print_element(&what, &map->out, q.number, false);
    lw_error_set(err, LW_ERROR_UNSUPPORTED, "no hardware index holds %s", lw_text_string(&what));
    lw_text_free(&what);
    return LW_STATUS_NO;
}

static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    const bool at = LW_OPTION_IS_SET(args, AT);
    struct lw_load_options options;
    struct lw_loaded loaded;
    if (!lw_load_options(&options, args, err))
        return LW_STATUS_ERROR;
    if (at && args->operand_count > 1) {
        lw_error_set(err, LW_ERROR_SYNTAX,
                     "unexpected '%.60s': --at cannot be combined with DIM=NUMBER",
                     args->operands[1]);
        return LW_STATUS_ERROR;
    }
    answer->source = args->operands[0];
    if (!lw_load(&loaded, args->operands[0], &options, err))
        return LW_STATUS_ERROR;
    answer->source = NULL;
    enum lw_status status =
        (at ? backward : forward)(&answer->text, &loaded.opened.subject, args, !answer->out, err);
    lw_unload(&loaded);
    if (answer->out && status == LW_STATUS_OK && !at)
        lw_text_char(&answer->text, '\n');
    return status;
}

const struct lw_command lw_command_apply = {
    .name = "apply",
    .operands = "SOURCE [DIM=NUMBER...]",
    .help = "print the element at a hardware index, or the owners of one",
    .about = "Forward: prints the element at a hardware index; dims that are not set are 0, and a "
             "thread "
             "can be set as thread=17 or by its lane and warp. Backward, with --at: prints every "
             "hardware "
             "index that holds the element, one per line. Exits 1 when there is none.",
    .options = LW_OPTIONS_SOURCE | LW_OPTION_BIT(AT) | LW_OPTIONS_ANSWER,
    .min_operands = 1,
    .max_operands = LW_ANY_NUMBER,
    .keys = {{"source", LW_REQUEST_SOURCE}, {"in", LW_REQUEST_INDICES}},
    .examples = {{"apply 'local(2, 1).spatial(8, 4)' local=1 thread=5",
                  "the element of thread 5, local 1"},
                 {"apply 'local(2, 1).spatial(8, 4)' --at 9,1", "its owners"},
                 {"apply 'local(2, 1).spatial(8, 4)' --at 9,1 --json", "for programs"}},
    .answer = answer,
};
