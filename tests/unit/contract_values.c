/* Values for the types of the public headers: whole ones, of a layout that the pass chooses, or zeros where
 * the function fills them or zeros are legal. A function that takes another type is not called. */

#include "contract_values.h"
#include "notation_help.h"

#include "encoding/cute/cute_parts.h"
#include "laneway/laneway.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- What a pass chooses ---- */

static const char *called;
static unsigned chosen;
static size_t numbers_taken, texts_taken;

static const char memory[] =
    "!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = "
    "[1, 0]}>, #smem>";

static const char *const sources[] = {
    "banks/transpose-row-major",
    "local(3, 4).spatial(2, 3)",
    memory,
    "((2,4),8):((1,16),2)",
};

static const char kernel_text[] =
    "#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], "
    "order = [1, 0]}>\n"
    "#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], "
    "order = [0, 1]}>\n"
    "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, ttg.target = "
    "\"cuda:90\", "
    "\"ttg.threads-per-warp\" = 32 : i32} {\n  tt.func public @k(%0: tensor<32x32xf32, #b>) {\n"
    "    %1 = ttg.convert_layout %0 : tensor<32x32xf32, #b> -> tensor<32x32xf32, #c>\n    "
    "tt.return\n  }\n}\n";

/* ---- The values ---- */

static struct {
    struct lw_arena arena, work_arena;
    struct lw_document doc;
    struct lw_opened opened;
    struct lw_view view;
    struct lw_layout layout;
    struct lw_matrix matrix;
    struct lw_solver solver;
    struct lw_action action;
    struct lw_kernel kernel;
    struct lw_kernel_costs costs;
    struct lw_cute cute, coords, tile; /* of offsets, with coordinates, over a tile */
    struct lw_document pair;           /* it has a second layout */
    struct lw_cute_work work;
    struct lw_calc_work calc;
    struct lw_descriptor descriptor;
    struct lw_instruction_operands operands;
    struct lw_tensor_map tensor_map;
    struct lw_plan_request plan_request;
    struct lw_plan plan;
    struct lw_conversion_request conversion_request;
    struct lw_conversion conversion;
    struct lw_swizzle_request swizzle_request;
    struct lw_swizzle_search search;
    struct lw_translate_request translate;
    struct lw_calc_binding binding;
    struct lw_location location;
    struct lw_dump dump;
    struct lw_error error;
    FILE *nowhere;
} v;

static void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "a value cannot be made: %s\n", what);
        exit(4);
    }
}

static void make_cute(void)
{
    struct lw_calc_result result;
    v.calc.arena = v.work.arena = &v.work_arena;
    must(lw_calc("((2,4),8):((1,16),2)", NULL, 0, &v.calc, &result, NULL), "cute");
    v.cute = *lw_calc_cute(&result);
    must(lw_calc("(4,8):(1@0,1@1)", NULL, 0, &v.calc, &result, NULL), "coordinates");
    v.coords = *lw_calc_cute(&result);
    must(lw_cute_coords_to_tile(&v.work, &v.coords, &v.tile), "tile");
}

/* A descriptor and a tensor map. */
static void make_descriptors(void)
{
    v.descriptor = (struct lw_descriptor){LW_DESCRIPTOR_WGMMA, 0x4000004000010000};
    v.operands = (struct lw_instruction_operands){"half_t", "half_t", "float",    NULL,
                                                  128,      256,      LW_MAJOR_K, LW_MAJOR_MN};
    v.tensor_map = (struct lw_tensor_map){.type = "FLOAT16",
                                          .type_number = 6,
                                          .bits = 16,
                                          .rank = 2,
                                          .dims = {512, 1024},
                                          .strides = {2, 1024},
                                          .box = {64, 64},
                                          .swizzle = "128B",
                                          .swizzle_number = 3};
}

/* Requests about the registers of a blocked layout and a swizzled one in shared memory. */
static void make_requests(void)
{
    static struct lw_document docs[3];
    static struct lw_map maps[3];
    static const char *const texts[] = {"tensor<32x32xf32, #ttg.blocked<{sizePerThread = [1, 4], "
                                        "threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], "
                                        "order = [1, 0]}>>",
                                        "!ttg.memdesc<32x32xf32, #ttg.swizzled_shared<{vec = 4, "
                                        "perPhase = 1, maxPhase = 8, order = [1, 0]}>, "
                                        "#smem>",
                                        "tensor<32x32xf32, #ttg.blocked<{sizePerThread = [4, 1], "
                                        "threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], "
                                        "order = [0, 1]}>>"};
    for (int i = 0; i < 3; i++) {
        must(lw_document_read(&docs[i], texts[i], strlen(texts[i]), NULL, NULL), texts[i]);
        must(lw_document_build(&docs[i], &maps[i], NULL), texts[i]);
    }
    v.plan_request = (struct lw_plan_request){
        .registers = &maps[0], .memory = &maps[1], .element_bits = 32, .op = LW_ACCESS_LOAD};
    v.conversion_request =
        (struct lw_conversion_request){.from = &maps[0], .to = &maps[2], .element_bits = 32};
    v.swizzle_request =
        (struct lw_swizzle_request){.store = &maps[0], .load = &maps[0], .element_bits = 32};
    must(lw_plan_make(&v.plan, &v.plan_request, NULL), "plan");
    must(lw_conversion_make(&v.conversion, &v.conversion_request, NULL), "conversion");
    must(lw_swizzle_begin(&v.search, &v.swizzle_request, NULL), "search");
    lw_swizzle_step(&v.search, 3);
}

void contract_make(unsigned source_number)
{
    const char *source = sources[source_number];
    memset(&v, 0, sizeof v);
    v.nowhere = fopen("/dev/null", "w");
    must(lw_document_open(&v.doc, source, NULL, NULL), source);
    must(lw_subject_open(&v.opened, &v.doc, LW_LANES_DEFAULT, NULL), source);
    must(lw_view_open(&v.view, lw_view_type_find("owners"), &v.opened.subject, NULL, NULL), source);
    must(lw_document_open(&v.pair, sources[0], NULL, NULL), "pair");
    must(lw_layout_identity(&v.layout, 16, "register", "dim0", NULL), "layout");
    lw_layout_matrix(&v.layout, &v.matrix);
    lw_solver_init(&v.solver, v.layout.basis, lw_layout_in_bits(&v.layout));
    must(lw_kernel_read(&v.kernel, kernel_text, sizeof kernel_text - 1, NULL, NULL), "kernel");
    must(lw_kernel_costs_make(&v.costs, &v.kernel, NULL, NULL), "costs");
    v.translate = (struct lw_translate_request){&v.opened.subject.map, &v.opened.subject.tensor,
                                                LW_LANES_DEFAULT, v.doc.encoding};
    lw_error_set(&v.error, LW_ERROR_SYNTAX, "wrong");
    v.binding = (struct lw_calc_binding){.name = "A", .layout = v.layout};
    v.location = (struct lw_location){.file = "no/such/file.py", .line = 3};
    must(lw_dump_read(&v.dump, kernel_text, sizeof kernel_text - 1, NULL, NULL), "dump");
    make_cute();
    make_descriptors();
    make_requests();
}

void contract_choose(const char *function, unsigned pass)
{
    called = function;
    chosen = pass;
    numbers_taken = texts_taken = 0;
}

/* ---- Arguments ---- */

const char *contract_text(void)
{
    static const char *const texts[] = {
        "",       "dim0",    "register", "\xff\xfe\x80", "(((((((((",           "local(2, 3)",
        "owners", "{\"a\":", "-1e99",    "a b c",        "\x1b[2J\xe2\x80\xae", "no/such/file",
        "4,4",    "{lane}"};
    static char long_text[4096];
    size_t count = sizeof texts / sizeof *texts, i = (chosen / 2 + texts_taken++) % (count + 1);
    memset(long_text, 'x', sizeof long_text - 1);
    return i < count ? texts[i] : long_text;
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

/* What must be in range by the comment of the function. */
static bool must_be_in_range(const char *name)
{
    static const struct {
        const char *function, *name;
    } table[] = {
        {"lw_solver_init", "cols"},     {"lw_layout_set_basis", "dim"},
        {"lw_layout_set_basis", "bit"}, {"lw_layout_basis", "dim"},
        {"lw_layout_basis", "bit"},     {"lw_layout_in_log2", "dim"},
        {"lw_layout_in_shift", "dim"},  {"lw_layout_out_log2", "dim"},
        {"lw_layout_out_shift", "dim"}, {"lw_cute_mode", "i"},
        {"lw_plan_instruction", "i"},   {"lw_encoding_effective", "index"},
        {"lw_kernel_alias", "type"},    {"lw_document_side", "side"},
        {"lw_document_put", "side"},    {"lw_subject_open_side", "side"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].function, called) && !strcmp(table[i].name, name))
            return true;
    return false;
}

int64_t contract_number(const char *type, const char *name)
{
    static const char *const lengths[] = {"length",    "count", "room",     "size_t", "capacity",
                                          "out_count", "n",     "in_count", NULL};
    static const int64_t any[] = {0,  1,  2,   3,    -1,        31,        32,        63,
                                  64, 65, 100, 4096, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    if (is_one_of(name, lengths))
        return chosen / 2 % 2; /* of what is passed there is at least one */
    if (must_be_in_range(name))
        return 0;
    (void)type;
    return any[(chosen / 2 + 5 * numbers_taken++) % (sizeof any / sizeof *any)];
}

/* Zeros that a function may fill, or read as an empty value; they last for 16 calls. New pages are zero, and cost
 * nothing before they are used. */
static void *zeros(void)
{
    enum { BUFFERS = 16, BYTES = 1 << 17 };
    static void *buffers[BUFFERS];
    static unsigned next;
    next = (next + 1) % BUFFERS;
    if (buffers[next])
        munmap(buffers[next], BYTES);
    buffers[next] = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(buffers[next] != MAP_FAILED, "zeros");
    return buffers[next];
}

/* What the comments of some functions require of an argument. */
static void *required_value(const char *type)
{
    const struct {
        const char *function, *type;
        void *value;
    } table[] = {
        {"lw_document_set", "struct lw_document *", &v.doc},
        {"lw_document_share", "struct lw_document *", &v.doc},
        {"lw_document_put", "struct lw_document *", &v.doc},
        {"lw_document_settle", "struct lw_document *", &v.doc},
        {"lw_document_side", "const struct lw_document *", &v.pair},
        {"lw_subject_open_side", "const struct lw_document *", &v.pair},
        {"lw_kernel_costs_step", "struct lw_kernel_costs *", &v.costs},
        {"lw_cute_coords_to_tile", "const struct lw_cute *", &v.coords},
        {"lw_cute_tile_check", "const struct lw_cute *", &v.tile},
        {"lw_cute_tile_print", "const struct lw_cute *", &v.tile},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].function, called) && !strcmp(table[i].type, type))
            return table[i].value;
    return NULL;
}

void *contract_value(const char *type, const char *name)
{
    static const char *const strings[] = {"dim0", "dim1", "register", "lane", NULL};
    static const struct lw_view *views[] = {&v.view};
    static const struct lw_gallery_entry *gallery;
    size_t count;
    gallery = lw_gallery(&count);
    const struct {
        const char *type;
        const void *value;
    } table[] = {
        {"const char *const *", strings},
        {"FILE *", v.nowhere},
        {"const struct lw_document *", &v.doc},
        {"const struct lw_encoding *", v.doc.encoding},
        {"struct lw_encoding *", v.doc.encoding},
        {"const struct lw_encoding_type *", v.doc.encoding->type},
        {"const struct lw_param *", v.doc.encoding->type->params},
        {"const struct lw_tensor *", &v.opened.subject.tensor},
        {"const struct lw_subject *", &v.opened.subject},
        {"const struct lw_map *", &v.opened.subject.map},
        {"const struct lw_dims *", &v.opened.subject.map.in},
        {"const struct lw_view *", &v.view},
        {"const struct lw_view *const *", views},
        {"const struct lw_view_type *", v.view.type},
        {"const struct lw_format *", lw_format_find("text")},
        {"const struct lw_style *", lw_style_find("plain")},
        {"const struct lw_layout *", &v.layout},
        {"const struct lw_matrix *", &v.matrix},
        {"const struct lw_solver *", &v.solver},
        {"const struct lw_kernel *", &v.kernel},
        {"const struct lw_operation *", v.kernel.operations},
        {"const struct lw_kernel_cost *", v.costs.costs},
        {"const struct lw_hardware *", lw_hardware_default()},
        {"const struct lw_bank_model *", lw_hardware_default()->banks},
        {"const struct lw_cute *", &v.cute},
        {"const struct lw_cute_layout *", &v.cute.layout},
        {"const struct lw_cute_tuple *", &v.cute.layout.shape},
        {"struct lw_cute_work *", &v.work},
        {"const struct lw_calc_work *", &v.calc},
        {"const struct lw_plan_request *", &v.plan_request},
        {"const struct lw_plan *", &v.plan},
        {"const struct lw_conversion_request *", &v.conversion_request},
        {"const struct lw_conversion *", &v.conversion},
        {"const struct lw_swizzle_request *", &v.swizzle_request},
        {"const struct lw_swizzle_search *", &v.search},
        {"const struct lw_swizzle *", &v.search.plain},
        {"const struct lw_translate_request *", &v.translate},
        {"const struct lw_translate_system *", lw_translate_systems(&count)},
        {"const struct lw_formula_language *", lw_formula_languages(&count)},
        {"const struct lw_gallery_entry *", gallery},
        {"const struct lw_calc_binding *", &v.binding},
        {"const struct lw_location *", &v.location},
        {"const struct lw_dump *", &v.dump},
        {"const struct lw_error *", &v.error},
        {"const struct lw_descriptor *", &v.descriptor},
        {"const struct lw_instruction_operands *", &v.operands},
        {"const struct lw_descriptor_field *",
         lw_descriptor_fields(LW_DESCRIPTOR_WGMMA, &(int){0})},
        {"const struct lw_tensor_map *", &v.tensor_map},
    };
    static const char *const optional[] = {
        "const struct lw_open_options *", "const struct lw_export_options *",
        "const struct lw_kernel_options *", "const struct lw_calc_work *", NULL};
    static const char *const empty[] = {"const struct lw_access *",
                                        "const struct lw_action *",
                                        "const struct lw_calc_result *",
                                        "const struct lw_cute_swizzle *",
                                        "const struct lw_mode *",
                                        "const struct lw_padding *",
                                        "const struct lw_shuffle *",
                                        "const struct lw_spot *",
                                        "const struct lw_strides *",
                                        "const struct lw_text *",
                                        "const struct lw_value *",
                                        "const struct lw_view_options *",
                                        NULL};
    void *special = required_value(type);
    if (chosen / 4 % 2 && is_one_of(type, optional))
        return NULL;
    if (special)
        return special;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].type, type))
            return (void *)(uintptr_t)table[i].value;
    (void)name;
    if (!strncmp(type, "const struct ", 13) && !is_one_of(type, empty) &&
        !is_one_of(type, optional))
        _exit(CONTRACT_NO_VALUE);
    return zeros();
}
