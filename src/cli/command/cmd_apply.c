/* laneway apply: from a hardware index to its element, or from an element to its owners. */

#include "cli/command/commands.h"
#include "cli/load.h"
#include "export/output.h"

#include <stdlib.h>
#include <string.h>

static bool out_of_range(const char *name, uint64_t value, uint64_t size, struct lw_error *err)
{
    return lw_error_set(err, LW_ERROR_PARAMETER, "%s = %llu: must be from 0 to %llu", name,
                        (unsigned long long)value, (unsigned long long)size - 1);
}

static bool check_element(const uint64_t *out, size_t count, const struct lw_dims *dims,
                          struct lw_error *err)
{
    if (count != (size_t)dims->count)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "the element has %zu number%s, but the tensor has %d dim%s", count,
                            count == 1 ? "" : "s", dims->count, dims->count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++)
        if (out[i] >= dims->dim[i].size)
            return out_of_range(dims->dim[i].name, out[i], dims->dim[i].size, err);
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

/* ---- A hardware index, set name by name ---- */

/*
 * Names are the dims of the layout, or split or join them: `thread` sets lane and warp, lane and warp set parts of
 * `thread`; register and local are synonyms.
 */

/* It starts as all zeros. */
struct point {
    uint64_t in[LW_DIMS_MAX]; /* in the order of the map's dims */
    unsigned set_dims;
};

/* One digit that a name sets: in[dim] += value / divide % modulo * times. `covers` has a bit for each part of a dim
 * (two per dim: the low part, the high part), to find parts that are set twice. */
struct part {
    int dim;
    uint64_t divide, modulo, times;
    unsigned covers;
};

struct meaning {
    int count;
    struct part part[2];
    uint64_t size; /* how many values the name may take */
};

enum { LOW = 1, HIGH = 2 };

static void add_part(struct meaning *meaning, int dim, uint64_t divide, uint64_t modulo,
                     uint64_t times, unsigned which)
{
    if (meaning->count == 0)
        meaning->size = 1;
    meaning->size *= modulo;
    meaning->part[meaning->count++] = (struct part){dim, divide, modulo, times, which << (2 * dim)};
}

static void add_dim(struct meaning *meaning, const struct lw_dims *in, int dim, uint64_t divide)
{
    add_part(meaning, dim, divide, in->dim[dim].size, 1, LOW | HIGH);
}

/* Adds the meaning of lane or warp in a layout that numbers threads. */
static void add_thread(struct meaning *meaning, const struct lw_subject *subject, int thread,
                       const char *name)
{
    uint64_t threads = subject->map.in.dim[thread].size;
    uint64_t lanes = subject->lanes < threads ? subject->lanes : threads;
    if (!strcmp(name, "lane"))
        add_part(meaning, thread, 1, lanes, 1, LOW);
    else
        add_part(meaning, thread, 1, (threads + lanes - 1) / lanes, lanes, HIGH);
}

static bool find_meaning(struct meaning *meaning, const struct lw_subject *subject,
                         const char *name)
{
    const struct lw_dims *in = &subject->map.in;
    int dim = lw_dims_find(in, name), lane = lw_dims_find(in, "lane");
    int warp = lw_dims_find(in, "warp"), thread = lw_dims_find(in, "thread");
    const uint64_t first[LW_DIMS_MAX] = {0};
    uint64_t value;
    memset(meaning, 0, sizeof *meaning);
    if (!strcmp(name, "reg") && dim < 0) /* its name in printed code */
        name = "register";
    if (dim < 0 && !strcmp(name, "register") && (dim = lw_dims_find(in, name)) < 0)
        dim = lw_dims_find(in, "local");
    else if (dim < 0 && !strcmp(name, "local"))
        dim = lw_dims_find(in, "register");
    if (dim >= 0) {
        add_dim(meaning, in, dim, 1);
    } else if (lane >= 0 && !strcmp(name, "thread")) {
        add_dim(meaning, in, lane, 1);
        if (warp >= 0)
            add_dim(meaning, in, warp, in->dim[lane].size);
    } else if (thread >= 0 && (!strcmp(name, "lane") || !strcmp(name, "warp")) &&
               lw_subject_field(subject, name, first, NULL, &value)) {
        add_thread(meaning, subject, thread, name);
    }
    return meaning->count > 0;
}

static bool unknown_dim(const struct lw_dims *in, const char *name, struct lw_error *err)
{
    struct lw_text names = {0};
    for (int i = 0; i < in->count; i++)
        lw_text_format(&names, "%s%s", i ? ", " : "", in->dim[i].name);
    lw_error_set(err, LW_ERROR_NAME, "unknown dim '%.40s': this layout has %s", name,
                 lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

static bool set_point(struct point *point, const struct lw_subject *subject, const char *name,
                      uint64_t value, struct lw_error *err)
{
    struct meaning meaning;
    if (!find_meaning(&meaning, subject, name))
        return unknown_dim(&subject->map.in, name, err);
    if (value >= meaning.size)
        return out_of_range(name, value, meaning.size, err);
    for (int i = 0; i < meaning.count; i++) {
        const struct part *part = &meaning.part[i];
        if (point->set_dims & part->covers)
            return lw_error_set(err, LW_ERROR_NAME, "duplicate '%s'",
                                subject->map.in.dim[part->dim].name);
        point->set_dims |= part->covers;
        point->in[part->dim] += value / part->divide % part->modulo * part->times;
    }
    return true;
}

static bool check_point(const struct point *point, const struct lw_dims *dims, struct lw_error *err)
{
    for (int i = 0; i < dims->count; i++)
        if (point->in[i] >= dims->dim[i].size)
            return out_of_range(dims->dim[i].name, point->in[i], dims->dim[i].size, err);
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

/* The most owners in JSON, which is kept in memory. */
#define OWNERS_MAX ((uint64_t)1 << 20)

/* Prints all owners. As text it is written to `out` now and then, so that millions need little memory. */
static bool print_owners(struct lw_text *text, const struct lw_map *map, const uint64_t *element,
                         FILE *out, struct lw_error *err)
{
    uint64_t in[LW_DIMS_MAX];
    if (!out && lw_map_owner_count(map, element) > OWNERS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "over 2^20 owners: as text --at prints any number of them");
    lw_text_add(text, out ? "" : "{\"owners\":[");
    for (uint64_t k = 0; lw_map_owner(map, element, k, in) && !text->failed; k++) {
        lw_text_add(text, !out && k ? "," : "");
        print_hardware_index(text, &map->in, in, !out);
        if (out && text->length > 1 << 15) {
            lw_output_text(out, text);
            lw_text_clear(text);
            if (ferror(out))
                break;
        }
    }
    lw_text_add(text, out ? "" : "]}");
    return true;
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

/* ---- The command line ---- */

static enum lw_status wrong(struct lw_error *err, const char *operand)
{
    const char *equals = strchr(operand, '=');
    bool negative = equals && equals[1] == '-' && equals[2];
    lw_error_set(err, LW_ERROR_SYNTAX, "'%.60s': expected DIM=NUMBER%s", operand,
                 negative ? ", with a number from 0" : "");
    return LW_STATUS_ERROR;
}

static enum lw_status forward(struct lw_text *text, const struct lw_loaded *loaded,
                              const struct lw_arguments *args, bool json, struct lw_error *err)
{
    const struct lw_subject *subject = &loaded->opened.subject;
    struct point point = {.set_dims = 0};
    uint64_t element[LW_DIMS_MAX], number;
    const char *end;
    char name[LW_NAME_MAX];
    for (size_t i = 1; i < args->operand_count; i++) {
        const char *operand = args->operands[i], *equals = strchr(operand, '=');
        if (!equals || equals == operand || (size_t)(equals - operand) >= sizeof name ||
            !read_number(equals + 1, &number, &end) || *end)
            return wrong(err, operand);
        snprintf(name, sizeof name, "%.*s", (int)(equals - operand), operand);
        if (!set_point(&point, subject, name, number, err))
            return LW_STATUS_ERROR;
    }
    if (!check_point(&point, &subject->map.in, err))
        return LW_STATUS_ERROR;
    if (!element_at(&subject->map, point.in, element, err))
        return LW_STATUS_NO;
    print_element(text, &subject->map.out, element, json);
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

/* Prints the owners, as text to `out`; NULL: as JSON. */
static enum lw_status backward(struct lw_text *text, const struct lw_loaded *loaded,
                               const struct lw_arguments *args, FILE *out, struct lw_error *err)
{
    const struct lw_map *map = &loaded->opened.subject.map;
    uint64_t element[LW_DIMS_MAX];
    size_t count;
    if (!read_element(LW_OPTION_VALUE(args, AT), element, &count, err) ||
        !check_element(element, count, &map->out, err) ||
        !print_owners(text, map, element, out, err))
        return LW_STATUS_ERROR;
    if (lw_map_owner_count(map, element) > 0)
        return LW_STATUS_OK;
    struct lw_text what = {0};
    print_element(&what, &map->out, element, false);
    lw_error_set(err, LW_ERROR_UNSUPPORTED, "no hardware index holds %s", lw_text_string(&what));
    lw_text_free(&what);
    return LW_STATUS_NO;
}

/* Appends the answer, of which some was written to `out` before; without `out` it is JSON. */
static enum lw_status put_answer(struct lw_text *text, const struct lw_arguments *args, FILE *out,
                                 const char **source, struct lw_error *err)
{
    struct lw_load_options options;
    struct lw_loaded loaded;
    if (!lw_load_options(&options, args, err))
        return LW_STATUS_ERROR;
    *source = args->operands[0];
    if (LW_OPTION_IS_SET(args, AT) && args->operand_count > 1) {
        *source = NULL;
        lw_error_set(err, LW_ERROR_SYNTAX,
                     "unexpected '%.60s': --at cannot be combined with DIM=NUMBER",
                     args->operands[1]);
        return LW_STATUS_ERROR;
    }
    if (!lw_load(&loaded, args->operands[0], &options, err))
        return LW_STATUS_ERROR;
    *source = NULL;
    enum lw_status status = LW_OPTION_IS_SET(args, AT) ? backward(text, &loaded, args, out, err)
                                                       : forward(text, &loaded, args, !out, err);
    lw_unload(&loaded);
    return status;
}

static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    enum lw_status status = put_answer(&answer->text, args, answer->out, &answer->source, err);
    if (answer->out && status == LW_STATUS_OK && !LW_OPTION_IS_SET(args, AT))
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
        "there is none.\n\n"
        "With --batch each line of standard input is an object {\"source\": \"...\", \"in\": "
        "{\"register\": 3}} or {\"source\": \"...\", \"at\": [2, 3]}; lines without \"source\" use "
        "the SOURCE of the command line.",
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
