/* laneway calc: expressions over layouts. */

#include "cli/command/commands.h"
#include "cli/batch.h"
#include "encoding/triton/linear_bases.h"
#include "export/output.h"
#include "laneway/calc.h"
#include "core/array_count.h"

#include <stdlib.h>
#include <string.h>

/* The names that an expression can use: bindings of the line, then those of the command line. */
struct bindings {
    struct lw_calc_binding *lets;
    size_t count;
    struct lw_arena *arena; /* of the layouts of CuTe among them */
    int bits;               /* of an element; 0: not set */
    bool as_cute;
    struct lw_triton_choice triton;
};

/* Binds one more name to the layout of a document, and frees the document. */
static bool bind(struct bindings *bindings, const char *name, struct lw_document *doc,
                 const struct lw_load_options *options, struct lw_error *err)
{
    struct lw_calc_binding *let = &bindings->lets[bindings->count];
    bool good = lw_calc_bind_cute(let, doc->encoding, bindings->arena, err);
    if (!good && err->code == LW_OK) {
        bool linear = lw_load_layout(doc, options, &let->layout, err);
        good = lw_calc_bind_tilus(let, doc->encoding, bindings->arena, linear, err);
    }
    lw_document_free(doc);
    let->name = name;
    bindings->count += good;
    return good;
}

/* Checks that a name is legal and new. */
static bool check_name(const struct bindings *bindings, const char *name, struct lw_error *err)
{
    for (size_t i = 0; i < bindings->count; i++)
        if (!strcmp(bindings->lets[i].name, name))
            return lw_error_set(err, LW_ERROR_NAME, "duplicate name '%.40s'", name);
    return lw_calc_name_check(name, err);
}

static bool calc_json(const char *expr, const struct bindings *bindings, struct lw_text *text,
                      struct lw_error *err)
{
    struct lw_calc_result result;
    struct lw_calc_work work = {.arena = bindings->arena,
                                .bits = bindings->bits,
                                .as_cute = bindings->as_cute,
                                .triton = bindings->triton};
    if (!lw_calc(expr, bindings->lets, bindings->count, &work, &result, err))
        return false;
    lw_calc_print_json(text, &result);
    return true;
}

/* ---- The command line ---- */

/* Binds "A=SOURCE"; the name is copied into the arena. */
static bool bind_let(struct bindings *bindings, const char *let, struct lw_arena *arena,
                     const struct lw_load_options *options, struct lw_error *err)
{
    const char *equals = strchr(let, '=');
    if (!equals || equals == let)
        return lw_error_set(err, LW_ERROR_SYNTAX, "--let %.60s: expected NAME=SOURCE", let);
    const char *name = lw_arena_string(arena, let, (size_t)(equals - let));
    if (!name)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    struct lw_document doc;
    return check_name(bindings, name, err) && lw_load_document(&doc, equals + 1, options, err) &&
           bind(bindings, name, &doc, options, err);
}

/* Binds every --let, and reports errors. */
static bool bind_lets(struct bindings *bindings, const struct lw_arguments *args,
                      struct lw_arena *arena, const struct lw_load_options *options)
{
    struct lw_error err;
    bindings->arena = arena;
    bindings->lets = lw_arena_alloc(arena, args->let_count * sizeof *bindings->lets);
    if (!bindings->lets)
        return lw_error_set(&err, LW_ERROR_MEMORY, "out of memory") ||
               lw_report_failure(NULL, &err) == LW_STATUS_OK;
    for (size_t i = 0; i < args->let_count; i++)
        if (!bind_let(bindings, args->lets[i], arena, options, &err)) {
            const char *equals = strchr(args->lets[i], '=');
            lw_report_failure(equals ? lw_source_name(equals + 1) : NULL, &err);
            return false;
        }
    return true;
}

/* ---- Batch ---- */

struct batch {
    const struct lw_load_options *options;
    const struct bindings *defaults; /* of the command line */
    const char *expr;                /* of the command line; NULL: none */
};

static const struct lw_batch_key keys[] = {
    {"expr", LW_KIND(STRING), "a string", NULL},
    {"let", LW_KIND(OBJECT), "an object: {\"A\": \"SOURCE\"}", NULL},
    {"as_cute", LW_KIND(BOOLEAN), "true or false", NULL},
    LW_BATCH_OPTION_KEYS,
};

/* Binds a layout that is written out, which needs no document. */
static bool bind_bases(struct bindings *bindings, const char *name, const struct lw_value *value,
                       const struct lw_load_options *options)
{
    struct lw_calc_binding *let = &bindings->lets[bindings->count];
    if (value->kind != LW_VALUE_OBJECT || options->type || options->target ||
        !lw_bases_of_object(value, &let->layout))
        return false;
    let->name = name;
    bindings->count++;
    return true;
}

static bool bind_item(struct bindings *bindings, const struct lw_batch_line *line, const char *name,
                      const struct lw_value *value, const struct lw_load_options *options,
                      struct lw_error *err)
{
    struct lw_document doc;
    if (value->kind != LW_VALUE_STRING && value->kind != LW_VALUE_OBJECT)
        return lw_error_set(err, LW_ERROR_SYNTAX, "'%.40s' must be a SOURCE or a layout document",
                            name);
    if (check_name(bindings, name, err) &&
        (bind_bases(bindings, name, value, options) ||
         (lw_load_value(&doc, value, line->text, line->length, options, err) &&
          bind(bindings, name, &doc, options, err))))
        return true;
    char message[LW_MESSAGE_MAX];
    snprintf(message, sizeof message, "%.40s: %.460s", name, err->message);
    memcpy(err->message, message, sizeof message);
    return false;
}

/* The bindings of a line, then those of the command line, which they hide. */
static bool bind_line(struct bindings *bindings, const struct batch *batch,
                      struct lw_batch_line *line, struct lw_error *err)
{
    struct lw_load_options options = *batch->options;
    const struct lw_value *let = lw_batch_value(line, "let");
    const struct lw_value *as_cute = lw_batch_value(line, "as_cute");
    size_t own = let ? let->count : 0, defaults = batch->defaults->count;
    struct lw_element element = {.bits = batch->defaults->bits};
    if (!lw_batch_options(line, &options, err) ||
        (options.element && !lw_element_find(&element, options.element, err)))
        return false;
    bindings->arena = &line->arena;
    bindings->bits = element.bits;
    bindings->triton = options.triton;
    bindings->as_cute = as_cute ? as_cute->integer : batch->defaults->as_cute;
    bindings->lets = lw_arena_alloc(&line->arena, (own + defaults) * sizeof *bindings->lets);
    if (!bindings->lets)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < own; i++)
        if (!bind_item(bindings, line, let->names[i], &let->items[i], &options, err))
            return false;
    if (defaults)
        memcpy(bindings->lets + own, batch->defaults->lets, defaults * sizeof *bindings->lets);
    bindings->count += defaults;
    return true;
}

static bool answer_line(void *context, struct lw_batch_line *line, struct lw_text *text,
                        struct lw_error *err)
{
    static const char example[] = "{\"expr\": \"A * B\", \"let\": {\"A\": ...}}";
    const struct batch *batch = context;
    struct bindings bindings = {0};
    if (!lw_batch_object(line, example, err) ||
        !lw_batch_check_keys(line, keys, LW_COUNT(keys), err))
        return false;
    const char *expr = lw_batch_string(line, "expr");
    if (!expr)
        expr = batch->expr;
    if (!expr)
        return lw_batch_missing("expr", err);
    return bind_line(&bindings, batch, line, err) && calc_json(expr, &bindings, text, err);
}

static bool answer(const struct lw_arguments *args, struct lw_batch_line *line,
                   struct lw_text *text, struct lw_error *err)
{
    struct lw_load_options options;
    const struct bindings defaults = {0};
    const struct batch batch = {.options = &options, .defaults = &defaults};
    if (!lw_load_options(&options, args, err))
        return false;
    options.input = NULL;
    return answer_line((void *)(uintptr_t)&batch, line, text, err);
}

/* ---- One expression ---- */

/* Prints a result. For `none` and `false` the exit status is 1. */
static enum lw_status print(const struct lw_calc_result *result, bool json, FILE *out)
{
    struct lw_text text = {0};
    struct lw_error err;
    if (json)
        lw_calc_print_json(&text, result);
    else
        lw_calc_print(&text, result);
    lw_text_char(&text, '\n');
    size_t length = text.length;
    if (!json)
        lw_calc_print_start(&text, result);
    if (text.length > length)
        lw_text_char(&text, '\n');
    lw_output_text(out, &text);
    lw_text_free(&text);
    if (result->kind == LW_CALC_NONE) {
        lw_error_set(&err, LW_ERROR_UNSUPPORTED, "%s", result->as.why);
        lw_report_failure(NULL, &err);
        return LW_STATUS_NO;
    }
    return result->kind == LW_CALC_TRUTH && !result->as.truth ? LW_STATUS_NO : LW_STATUS_OK;
}

static enum lw_status calc(const struct lw_arguments *args, const struct bindings *bindings,
                           FILE *out)
{
    struct lw_calc_result result;
    struct lw_text steps = {0};
    struct lw_calc_work work = {.arena = bindings->arena,
                                .steps = LW_OPTION_IS_SET(args, EXPLAIN) ? &steps : NULL,
                                .bits = bindings->bits,
                                .as_cute = bindings->as_cute,
                                .triton = bindings->triton};
    struct lw_error err;
    bool good = lw_calc(args->operands[0], bindings->lets, bindings->count, &work, &result, &err);
    if (good && work.steps && !steps.length)
        lw_text_add(&steps, "no steps: the result is computed directly\n");
    lw_output_text(out, &steps); /* also after an error, which the steps explain */
    lw_text_free(&steps);
    return good ? print(&result, LW_OPTION_IS_SET(args, JSON), out) : lw_report_failure(NULL, &err);
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct lw_load_options options;
    struct lw_arena arena = {0};
    struct bindings bindings = {0};
    struct lw_error err;
    enum lw_status status = LW_STATUS_ERROR;
    if (!lw_load_options(&options, args, &err))
        return lw_report_failure(NULL, &err);
    struct lw_element element = {0};
    if (options.element && !lw_element_find(&element, options.element, &err))
        return lw_report_failure(NULL, &err);
    bindings.bits = element.bits;
    bindings.as_cute = LW_OPTION_IS_SET(args, AS_CUTE);
    bindings.triton = options.triton;
    if (LW_OPTION_IS_SET(args, BATCH))
        options.input = NULL;
    if (bind_lets(&bindings, args, &arena, &options)) {
        struct batch batch = {&options, &bindings, args->operand_count ? args->operands[0] : NULL};
        status = LW_OPTION_IS_SET(args, BATCH) ? lw_batch_run(out, answer_line, &batch)
                                               : calc(args, &bindings, out);
    }
    lw_arena_free(&arena);
    return status;
}

const struct lw_command lw_command_calc = {
    .name = "calc",
    .operands = "EXPR",
    .help = "compute with layouts: compose, invert, divide, reshape",
    .about =
        "Computes an expression. Names are layouts bound with --let; a SOURCE in quotes is a "
        "layout, and so is {...} as 'bases --json' prints it. 'laneway help operations' lists the "
        "operations. An expression can assign names first: A = identity1D(8, lane, dim0); "
        "A.invert().\n\n"
        "A layout is printed in Triton's notation, or with --json as one object. When a division "
        "has no result it prints none (with --json null) and exits 1; an expression that is false "
        "exits 1 too.\n\n"
        "Layouts of CuTe are written as CuTe prints them, (4,8):(8,1), and combined by the "
        "operations of its algebra; --explain prints each step of compositions, complements, "
        "divisions and products. <2:1, 4:1> is a tiler with one layout per mode, A(2, 3) an "
        "offset, A(_, 3) a column as a layout; (4,8):(1@0,1@1) has coordinates as strides, as "
        "make_identity_layout((4, 8)) has. Where some integers are written as static, _4, the "
        "others are unknown to the compiler of C++, and the result is the one of C++; in a call of "
        "Python, cute.make_layout((4, 8)), all are static. Integers are calculated with + - * / "
        "and %, bM + Int<1>{}. An operation that CuTe computes wrongly is refused, with the result "
        "of CuTe; --as-cute prints that result.\n\n"
        "Atoms of CuTe are tiled as in C++ or Python: "
        "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2,_1>>{}, "
        "Tile<_32,_32,_16>{}), make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, ...), "
        "cute.make_tiled_mma(...). get_slice(37).partition_A((128,64):(64,1)) is the part of A "
        "that thread 37 holds: a layout and, in a line that begins with #, its start (with --json "
        "{\"layout\":\"...\",\"start\":1090}). Of make_identity_layout((128,64)) the part has the "
        "coordinates. A swizzle stays before a part, where CuTe folds it into strides if it can. A "
        "tiled MMA is a SOURCE too: 'laneway show' draws C, or A and B where .A or .B follows.\n\n"
        "Layouts of tilus are written as tilus expressions: local(2, 1) * spatial(8, 4) / "
        "spatial(8, 4). The result is printed as tilus prints it. Names that are bound to such "
        "layouts can be used in them: in an expression of only these names and tilus's own "
        "functions and operators, A * B and A / B are those of tilus; any operation on linear "
        "layouts makes them linear.\n\n"
        "With --batch each line of standard input is an object {\"expr\": \"A.compose(B)\", "
        "\"let\": {\"A\": \"SOURCE\", \"B\": {...}}}; \"type\" is as -t, and \"triton\" as "
        "--triton, \"as_cute\": true as --as-cute. EXPR and --let of the command line are defaults "
        "for the lines.",
    .options = LW_OPTION_BIT(LET) | LW_OPTIONS_TENSOR | LW_OPTION_BIT(TARGET) |
               LW_OPTION_BIT(JSON) | LW_OPTION_BIT(BATCH) | LW_OPTION_BIT(EXPLAIN) |
               LW_OPTION_BIT(AS_CUTE) | LW_OPTION_BIT(OUTPUT) | LW_OPTION_BIT(COLOR),
    .min_operands = 1,
    .max_operands = 1,
    .words = &lw_choices_operation_names,
    .examples = {{"calc 'identity1D(4, register, dim0) * identity1D(8, lane, dim0)'", "a product"},
                 {"calc --let 'A=spatial(4, 8)' 'A.transposeOuts([dim1, dim0]).flattenOuts()'",
                  "columns first"},
                 {"calc --let 'A=local(2, 1).spatial(4, 8)' --let 'B=spatial(4, 8).local(2, 1)' "
                  "'A.invertAndCompose(B)' --json",
                  "for each index of A the index of B that holds the same element"},
                 {"calc --explain 'logical_divide((4,2,3):(2,1,8), 4:2)'",
                  "layouts of CuTe, with every step"},
                 {"calc 'make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2,_1>>{})"
                  ".get_slice(37).partition_A((128,64):(64,1))'",
                  "the part of a tensor that a thread holds"},
                 {"calc 'local(2, 1).spatial(8, 4).local(1, 2) / local(1, 2)'",
                  "layouts of tilus"}},
    .run = run,
    .answer = answer,
};
