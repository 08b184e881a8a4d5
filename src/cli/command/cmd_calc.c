/* laneway calc: expressions over layouts. */

#include "cli/command/commands.h"
#include "cli/load.h"
#include "encoding/triton/linear_bases.h"
#include "laneway/calc.h"
#include "notation/document/read.h"

#include <stdlib.h>
#include <string.h>

/* An expression that is computed, with the layouts that --let binds to names. */
struct calculation {
    struct lw_load_options options;
    struct lw_calc_binding *lets;
    size_t count;
    struct lw_arena arena; /* of names, of layouts of CuTe and of the result */
    struct lw_calc_result result;
    const char *failed; /* the SOURCE that an error is about; NULL: none */
    const char *name;   /* that it is bound to */
};

/* Binds "A=SOURCE"; of several for one name the first holds. */
static bool bind(struct calculation *c, const char *let, struct lw_error *err)
{
    struct lw_document doc;
    struct lw_value value;
    const char *equals = strchr(let, '=');
    if (!equals || equals == let)
        return lw_error_set(err, LW_ERROR_SYNTAX, "--let %.60s: expected NAME=SOURCE", let);
    const char *name = lw_arena_string(&c->arena, let, (size_t)(equals - let));
    const char *source = equals + 1;
    if (!name)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < c->count; i++)
        if (!strcmp(c->lets[i].name, name))
            return true;
    struct lw_calc_binding *binding = &c->lets[c->count];
    c->failed = source;
    c->name = binding->name = name;
    if (!lw_calc_name_check(name, err))
        return false;
    /* A layout that is written out as its bases needs no document. */
    if (*source == '{' && !c->options.type && !c->options.target &&
        lw_read_json(&c->arena, source, strlen(source), &value, NULL) &&
        lw_bases_of_object(&value, &binding->layout)) {
        c->count++;
        return true;
    }
    if (!lw_load_document(&doc, source, &c->options, err))
        return false;
    bool good = lw_calc_bind_cute(binding, doc.encoding, &c->arena, err);
    if (!good && err->code == LW_OK)
        good = lw_load_layout(&doc, &c->options, &binding->layout, err);
    lw_document_free(&doc);
    c->count += good;
    return good;
}

/* Computes the expression; `steps` may be NULL. */
static bool calculate(struct calculation *c, const struct lw_arguments *args, struct lw_text *steps,
                      struct lw_error *err)
{
    struct lw_element element = {0};
    *err = (struct lw_error){0};
    if (!lw_load_options(&c->options, args, err) ||
        (c->options.element && !lw_element_find(&element, c->options.element, err)))
        return false;
    c->lets = lw_arena_alloc(&c->arena, args->let_count * sizeof *c->lets);
    if (!c->lets)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < args->let_count; i++)
        if (!bind(c, args->lets[i], err))
            return false;
    c->failed = NULL;
    struct lw_calc_work work = {.arena = &c->arena,
                                .steps = steps,
                                .bits = element.bits,
                                .as_cute = LW_OPTION_IS_SET(args, AS_CUTE),
                                .triton = c->options.triton};
    *err = (struct lw_error){0};
    return lw_calc(args->operands[0], c->lets, c->count, &work, &c->result, err);
}

static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    struct calculation c = {.count = 0};
    struct lw_text *text = &answer->text;
    const bool explain = answer->out && LW_OPTION_IS_SET(args, EXPLAIN);
    enum lw_status status = LW_STATUS_ERROR;
    if (calculate(&c, args, explain ? text : NULL, err)) {
        if (explain && !text->length)
            lw_text_add(text, "no steps: the result is computed directly\n");
        if (answer->out) { /* in a line of its own where a part of a tensor starts */
            lw_calc_print(text, &c.result);
            lw_text_char(text, '\n');
            const size_t length = text->length;
            lw_calc_print_start(text, &c.result);
            lw_text_add(text, text->length > length ? "\n" : "");
        } else {
            lw_calc_print_json(text, &c.result);
        }
        const bool none = c.result.kind == LW_CALC_NONE;
        const bool is_false = c.result.kind == LW_CALC_TRUTH && !c.result.as.truth;
        if (none)
            lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s", c.result.as.why);
        status = none || is_false ? LW_STATUS_NO : LW_STATUS_OK;
    }
    answer->source = c.failed;
    if (c.failed && args->is_request) { /* which has no other name for it */
        char message[LW_MESSAGE_MAX];
        snprintf(message, sizeof message, "%.40s: %.460s", c.name, err->message);
        memcpy(err->message, message, sizeof message);
    }
    lw_arena_free(&c.arena);
    return status;
}

const struct lw_command lw_command_calc = {
    .name = "calc",
    .operands = "EXPR",
    .help = "compute with layouts: compose, invert, divide, reshape",
    .about =
        "Computes an expression. Names are layouts bound with --let, or assigned first: A = "
        "identity1D(8, lane, dim0); A.invert(). A SOURCE in quotes is a layout, and so is {...} as "
        "'bases --json' prints it. 'laneway help operations' lists the operations. A layout is "
        "printed in Triton's notation, or with --json as one object. A division without a result "
        "prints none (null) and exits 1, as an expression that is false does.\n\n"
        "Layouts of CuTe are written as CuTe prints them, (4,8):(8,1); --explain prints each step "
        "of compositions, complements, divisions and products. <2:1, 4:1> is a tiler with one "
        "layout per mode, A(2, 3) an offset, A(_, 3) a column as a layout; (4,8):(1@0,1@1) has "
        "coordinates as strides. Where some integers are static, _4, the others are unknown to the "
        "compiler; in a call of Python, cute.make_layout((4, 8)), all are static. An operation "
        "that CuTe computes wrongly is refused, with the result of CuTe, which --as-cute "
        "prints.\n\n"
        "Atoms of CuTe are tiled as in C++ or Python ('laneway help atoms'): "
        "get_slice(37).partition_A((128,64):(64,1)) of a tiled MMA is the part of A that thread 37 "
        "holds: a layout and, in a line that begins with #, its start (with --json "
        "{\"layout\":\"...\",\"start\":1090}); of make_identity_layout((128,64)) it has the "
        "coordinates. A swizzle stays before a part, where CuTe folds it into strides if it "
        "can.\n\n"
        "Layouts of tilus are written as tilus expressions, local(2, 1) * spatial(8, 4) / "
        "spatial(8, 4), and printed as tilus prints them. Beside a name of --let, or in an "
        "operation on linear layouts, they must be in quotes: '\"spatial(8, 4)\".invert()'.",
    .options = LW_OPTION_BIT(LET) | LW_OPTIONS_TENSOR | LW_OPTION_BIT(TARGET) |
               LW_OPTION_BIT(EXPLAIN) | LW_OPTION_BIT(AS_CUTE) | LW_OPTIONS_ANSWER,
    .min_operands = 1,
    .max_operands = 1,
    .words = &lw_choices_files,
    .keys = {{"expr", LW_REQUEST_SOURCE}},
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
    .answer = answer,
};
