/* laneway apply: from a hardware index to its element, or from an element to its owners. */

#include "cli/command/commands.h"
#include "cli/load.h"

#include <stdlib.h>
#include <string.h>

static bool out_of_range(const char *name, uint64_t value, uint64_t size, struct lw_error *err)
{
    return lw_error_set(err, LW_ERROR_PARAMETER, "%s = %llu: must be from 0 to %llu", name,
                        (unsigned long long)value, (unsigned long long)size - 1);
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

/* ---- The element at a hardware index ---- */

/* A hardware index is set name by name, and starts as all zeros. Names are the dims of the layout, or split or join
 * them: `thread` sets lane and warp, lane and warp set parts of `thread`. */
struct point {
    uint64_t in[LW_DIMS_MAX]; /* in the order of the map's dims */
    unsigned set;             /* two bits a dim: the low part, the high part */
};
enum { LOW = 1, HIGH = 2 };

static bool set_point(struct point *point, const struct lw_subject *subject, const char *name,
                      uint64_t value, struct lw_error *err)
{
    const struct lw_dims *in = &subject->map.in;
    const uint64_t first[LW_DIMS_MAX] = {0};
    const int lane = lw_dims_find(in, "lane"), thread = lw_dims_find(in, "thread");
    const bool is_lane = !strcmp(name, "lane");
    int dims[2] = {lw_dims_find(in, name), -1};
    uint64_t parts[2] = {value, 0}, size = 0, unused;
    unsigned which = LOW | HIGH;
    if (dims[0] >= 0) {
        size = in->dim[dims[0]].size;
    } else if (lane >= 0 && !strcmp(name, "thread")) {
        const uint64_t lanes = in->dim[lane].size;
        dims[0] = lane;
        dims[1] = lw_dims_find(in, "warp");
        size = lanes * (dims[1] >= 0 ? in->dim[dims[1]].size : 1);
        parts[0] = value % lanes;
        parts[1] = value / lanes;
    } else if (thread >= 0 && (is_lane || !strcmp(name, "warp")) &&
               lw_subject_field(subject, name, first, NULL, &unused)) {
        const uint64_t threads = in->dim[thread].size;
        const uint64_t lanes = subject->lanes < threads ? subject->lanes : threads;
        dims[0] = thread;
        which = is_lane ? LOW : HIGH;
        size = is_lane ? lanes : (threads + lanes - 1) / lanes;
        parts[0] = is_lane ? value : value * lanes;
    } else {
        struct lw_text names = {0};
        for (int i = 0; i < in->count; i++)
            lw_text_format(&names, "%s%s", i ? ", " : "", in->dim[i].name);
        lw_error_set(err, LW_ERROR_NAME, "unknown dim '%.40s': this layout has %s", name,
                     lw_text_string(&names));
        lw_text_free(&names);
        return false;
    }
    if (value >= size)
        return out_of_range(name, value, size, err);
    for (int i = 0; i < 2 && dims[i] >= 0; i++) {
        if (point->set & which << (2 * dims[i]))
            return lw_error_set(err, LW_ERROR_NAME, "duplicate '%s'", in->dim[dims[i]].name);
        point->set |= which << (2 * dims[i]);
        point->in[dims[i]] += parts[i];
    }
    return true;
}

static enum lw_status forward(struct lw_text *text, const struct lw_subject *subject,
                              const struct lw_arguments *args, bool json, struct lw_error *err)
{
    const struct lw_map *map = &subject->map;
    struct point point = {.set = 0};
    struct lw_text index = {0};
    uint64_t element[LW_DIMS_MAX], number;
    for (size_t i = 1; i < args->operand_count; i++) {
        const char *operand = args->operands[i], *equals = strchr(operand, '='), *end;
        char name[LW_NAME_MAX];
        if (!equals || equals == operand || (size_t)(equals - operand) >= sizeof name ||
            !read_number(equals + 1, &number, &end) || *end) {
            const bool negative = equals && equals[1] == '-' && equals[2];
            lw_error_set(err, LW_ERROR_SYNTAX, "'%.60s': expected DIM=NUMBER%s", operand,
                         negative ? ", with a number from 0" : "");
            return LW_STATUS_ERROR;
        }
        snprintf(name, sizeof name, "%.*s", (int)(equals - operand), operand);
        if (!set_point(&point, subject, name, number, err))
            return LW_STATUS_ERROR;
    }
    for (int i = 0; i < map->in.count; i++) { /* the last warp of `thread` need not be whole */
        const struct lw_dim *dim = &map->in.dim[i];
        if (point.in[i] >= dim->size) {
            out_of_range(dim->name, point.in[i], dim->size, err);
            return LW_STATUS_ERROR;
        }
        if (dim->size > 1)
            lw_text_format(&index, "%s%s %llu", index.length ? ", " : "", dim->name,
                           (unsigned long long)point.in[i]);
    }
    bool good = lw_map_check_unique(map, err);
    if (good && !(good = lw_map_apply(map, point.in, element)))
        lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s holds no element", lw_text_string(&index));
    lw_text_free(&index);
    if (good)
        print_element(text, &map->out, element, json);
    return good ? LW_STATUS_OK : LW_STATUS_NO;
}

/* ---- The owners of an element ---- */

/* Reads "2,3", also "(2, 3)" and "[2, 3]". */
static bool read_element(const char *at, const struct lw_dims *dims, uint64_t *element,
                         struct lw_error *err)
{
    const char *c = at + strspn(at, "([ ");
    int count = 0;
    for (; *c && !strchr(")]", *c); count++) {
        uint64_t number;
        if (!read_number(c, &number, &c))
            break;
        if (count < LW_DIMS_MAX)
            element[count] = number;
        c += strspn(c, ", ");
    }
    if (c[strspn(c, ")] ")])
        return lw_error_set(err, LW_ERROR_SYNTAX, "--at %.60s: expected numbers, such as 2,3", at);
    if (count != dims->count)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "the element has %d number%s, but the tensor has %d dim%s", count,
                            count == 1 ? "" : "s", dims->count, dims->count == 1 ? "" : "s");
    for (int i = 0; i < count; i++)
        if (element[i] >= dims->dim[i].size)
            return out_of_range(dims->dim[i].name, element[i], dims->dim[i].size, err);
    return true;
}

/* The most owners that are printed. */
#define OWNERS_MAX ((uint64_t)1 << 20)

static enum lw_status backward(struct lw_text *text, const struct lw_map *map,
                               const struct lw_arguments *args, bool json, struct lw_error *err)
{
    uint64_t element[LW_DIMS_MAX], in[LW_DIMS_MAX];
    if (!read_element(LW_OPTION_VALUE(args, AT), &map->out, element, err))
        return LW_STATUS_ERROR;
    if (lw_map_owner_count(map, element) > OWNERS_MAX) {
        lw_error_set(err, LW_ERROR_LIMIT, "too many owners: at most 2^20 are printed");
        return LW_STATUS_ERROR;
    }
    lw_text_add(text, json ? "{\"owners\":[" : "");
    for (uint64_t k = 0; lw_map_owner(map, element, k, in) && !text->failed; k++) {
        if (json) {
            lw_text_add(text, k ? "," : "");
            print_element(text, &map->in, in, true);
            continue;
        }
        for (int i = 0; i < map->in.count; i++) {
            lw_text_format(text, "%s%s=", i ? " " : "", map->in.dim[i].name);
            lw_text_number(text, in[i]);
        }
        lw_text_char(text, '\n');
    }
    lw_text_add(text, json ? "]}" : "");
    if (lw_map_owner_count(map, element) > 0)
        return LW_STATUS_OK;
    struct lw_text what = {0};
    print_element(&what, &map->out, element, false);
    lw_error_set(err, LW_ERROR_UNSUPPORTED, "no hardware index holds %s", lw_text_string(&what));
    lw_text_free(&what);
    return LW_STATUS_NO;
}

/* ---- The command ---- */

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
    const struct lw_subject *subject = &loaded.opened.subject;
    enum lw_status status = at ? backward(&answer->text, &subject->map, args, !answer->out, err)
                               : forward(&answer->text, subject, args, !answer->out, err);
    lw_unload(&loaded);
    if (answer->out && status == LW_STATUS_OK && !at)
        lw_text_char(&answer->text, '\n');
    return status;
}

const struct lw_command lw_command_apply = {
    .name = "apply",
    .operands = "SOURCE [DIM=NUMBER...]",
    .help = "print the element at a hardware index, or the owners of one",
    .about =
        "Forward: prints the element at a hardware index; exits 1 when there is none. Dims that "
        "are not set are 0; thread=17, or thread=0x11, sets lane and warp together. Backward, with "
        "--at: prints every hardware index that holds the element, one per line; exits 1 when "
        "there is none.",
    .options = LW_OPTIONS_SOURCE | LW_OPTION_BIT(AT) | LW_OPTION_BIT(JSON) | LW_OPTION_BIT(BATCH) |
               LW_OPTION_BIT(OUTPUT) | LW_OPTION_BIT(COLOR),
    .min_operands = 1,
    .max_operands = LW_ANY_NUMBER,
    .keys = {{"source", LW_REQUEST_SOURCE}, {"in", LW_REQUEST_INDICES}},
    .examples = {{"apply 'local(2, 1).spatial(8, 4)' local=1 thread=5",
                  "the element of thread 5, local 1"},
                 {"apply 'local(2, 1).spatial(8, 4)' --at 9,1", "its owners"},
                 {"apply 'local(2, 1).spatial(8, 4)' --at 9,1 --json", "for programs"}},
    .answer = answer,
};
