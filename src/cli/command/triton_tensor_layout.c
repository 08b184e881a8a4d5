/*
 * The output of triton-tensor-layout: `-i FILE`, `-l ATTR`, `--alias-names`, `--use-hw-view`, `-t`.
 *
 * Each layout gets a line that names it, then the text of Triton's printers; an empty line follows
 * when it was named in --alias-names. Nothing is printed unless everything can be.
 *
 * Source: bin/triton-tensor-layout.cpp of Triton 3.7. Where that tool fails on a whole
 * kernel, this one prints the layouts and ignores locations and memory spaces.
 */

#include "cli/command/triton_tensor_layout.h"

#include "cli/load.h"
#include "export/output.h"
#include "laneway/export.h"

#include <stdlib.h>
#include <string.h>

/* The options that can be combined with these. */
#define ALLOWED                                                                                    \
    (LW_OPTIONS_TENSOR_LAYOUT | LW_OPTION_BIT(TYPE) | LW_OPTION_BIT(TARGET) |                      \
     LW_OPTION_BIT(OUTPUT) | LW_OPTION_BIT(ALL) | LW_OPTION_BIT(COLOR) | LW_OPTION_BIT(ASCII))

struct printer {
    const struct lw_arguments *args;
    struct lw_tensor tensor;
    const struct lw_hardware *target;
    struct lw_aliases aliases; /* of -i */
    FILE *out;                 /* NULL: everything is checked, nothing printed */
    const char *source;        /* the source of an error */
    struct lw_error err;
};

bool lw_tensor_layout_is_requested(const struct lw_arguments *args)
{
    return lw_options_are_set(args, LW_OPTIONS_TENSOR_LAYOUT);
}

/* ---- One layout ---- */

/* Triton prints layouts of registers and of shared memory. */
static const char *view_of(const struct printer *printer, enum lw_family family)
{
    if (family != LW_FAMILY_DISTRIBUTED && family != LW_FAMILY_SHARED)
        return NULL;
    if (LW_OPTION_IS_SET(printer->args, USE_HW_VIEW))
        return "hardware";
    return family == LW_FAMILY_SHARED ? "memory" : "owners";
}

/* `#name = ` is printed before an attribute that a file names. */
static void put_head(const struct lw_encoding *encoding, const char *name, FILE *out)
{
    struct lw_text text = {0};
    lw_text_add(&text, "Print layout attribute: ");
    if (name)
        lw_text_format(&text, "#%s = ", name);
    lw_encoding_print(&text, encoding);
    lw_text_char(&text, '\n');
    lw_output_text(out, &text);
    lw_text_free(&text);
}

/* The view that Triton prints of a layout; NULL when it prints none. */
static const struct lw_view_type *choose_view(struct printer *printer,
                                              const struct lw_loaded *loaded)
{
    const struct lw_encoding *encoding = loaded->doc.encoding;
    const char *name = view_of(printer, encoding->type->family);
    struct lw_layout layout;
    if (name && lw_loaded_layout(loaded, &layout, NULL))
        return lw_view_type_find(name);
    lw_error_at(&printer->err, LW_ERROR_UNSUPPORTED, encoding->position,
                "Triton does not print %s; 'show' without -l and -i does", encoding->type->name);
    lw_error_excerpt(&printer->err, loaded->doc.text, strlen(loaded->doc.text));
    return NULL;
}

static bool print_loaded(struct printer *printer, const struct lw_loaded *loaded, const char *name)
{
    struct lw_view view;
    struct lw_export_options options = {.style = "triton", .all = true};
    const struct lw_view_type *type = choose_view(printer, loaded);
    if (!type || !printer->out)
        return type;
    put_head(loaded->doc.encoding, name, printer->out);
    if (!lw_view_open(&view, type, &loaded->opened.subject, NULL, &printer->err))
        return false;
    bool good = lw_export(&view, lw_format_find("text"), &options, printer->out, &printer->err);
    lw_view_close(&view);
    return good;
}

/* Prints a document's layout at the shape of -t, and frees it. */
static bool print_document(struct printer *printer, struct lw_document *doc, const char *name)
{
    struct lw_loaded loaded = {.doc = *doc};
    struct lw_tensor tensor = printer->tensor;
    tensor.memory = doc->tensor.memory;
    loaded.doc.tensor = tensor;
    bool good = lw_load_build(&loaded, printer->target, &printer->err);
    if (good) {
        good = print_loaded(printer, &loaded, name);
        lw_subject_close(&loaded.opened);
    }
    lw_document_free(&loaded.doc);
    return good;
}

/* ---- -i ---- */

static bool print_alias(struct printer *printer, const struct lw_alias *alias)
{
    struct lw_document doc;
    return lw_document_of_alias(&doc, &printer->aliases, alias, &printer->err) &&
           print_document(printer, &doc, alias->name);
}

static bool print_all(struct printer *printer)
{
    const struct lw_aliases *aliases = &printer->aliases;
    for (size_t i = 0; i < aliases->count; i++)
        if (lw_alias_is_layout(aliases, &aliases->items[i]) &&
            !print_alias(printer, &aliases->items[i]))
            return false;
    return true;
}

/* "a,b": each of the names, with or without a `#` before it. */
static bool print_names(struct printer *printer, const char *names)
{
    char name[256];
    for (const char *next = names; next; next = strchr(next, ',')) {
        next += next > names;
        next += *next == '#';
        size_t length = strcspn(next, ",");
        snprintf(name, sizeof name, "%.*s", length < 255 ? (int)length : 255, next);
        const struct lw_alias *alias = lw_aliases_find(&printer->aliases, name, &printer->err);
        if (!alias || !print_alias(printer, alias))
            return false;
        if (printer->out)
            lw_output_print(printer->out, "\n");
    }
    return true;
}

static bool print_file(struct printer *printer)
{
    const struct lw_arguments *args = printer->args;
    bool good = true;
    printer->source = lw_source_name(LW_OPTION_VALUE(args, INPUT));
    if (!args->alias_names_count)
        return print_all(printer);
    for (size_t i = 0; good && i < args->alias_names_count; i++)
        good = print_names(printer, args->alias_names[i]);
    return good;
}

/* ---- -l ---- */

static bool print_attribute(struct printer *printer)
{
    struct lw_document doc;
    const char *text = LW_OPTION_VALUE(printer->args, LAYOUT);
    printer->source = NULL;
    return lw_document_read(&doc, text, strlen(text), NULL, &printer->err) &&
           print_document(printer, &doc, NULL);
}

/* ---- Both ---- */

static bool check_arguments(const struct lw_arguments *args, struct lw_error *err)
{
    if (!LW_OPTION_IS_SET(args, INPUT) && !LW_OPTION_IS_SET(args, LAYOUT))
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "--alias-names and --use-hw-view need -i FILE or -l ATTR");
    if (args->operand_count)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "unexpected '%.60s': -i and -l select what is printed",
                            args->operands[0]);
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (args->value[id] && !lw_options_have(ALLOWED, id))
            return lw_error_set(err, LW_ERROR_SYNTAX,
                                "--%s cannot be combined with -i and -l, which print what "
                                "triton-tensor-layout prints",
                                lw_options()[id].name);
    return lw_arguments_refuse_drawing(args, "", err);
}

static bool open_file(struct printer *printer, const char *path)
{
    struct lw_open_options options = {.input = stdin};
    if (lw_aliases_open(&printer->aliases, path, &options, &printer->err))
        return true;
    if (printer->err.position.line > 0)
        printer->source = lw_source_name(path);
    return false;
}

static bool read_options(struct printer *printer)
{
    const struct lw_arguments *args = printer->args;
    if (!check_arguments(args, &printer->err) ||
        (LW_OPTION_IS_SET(args, INPUT) && !open_file(printer, LW_OPTION_VALUE(args, INPUT))))
        return false;
    if (!LW_OPTION_IS_SET(args, TYPE))
        return lw_error_set(
            &printer->err, LW_ERROR_SYNTAX,
            "-i and -l need a shape and an element, set with -t 'tensor<16x64xf16>'");
    if (!lw_tensor_read(&printer->tensor, LW_OPTION_VALUE(args, TYPE), &printer->err))
        return false;
    if (printer->tensor.rank < 0)
        return lw_error_set(&printer->err, LW_ERROR_SHAPE,
                            "-t %.60s has no shape: expected one such as 'tensor<16x64xf16>'",
                            LW_OPTION_VALUE(args, TYPE));
    return lw_target(args, &printer->target, &printer->err);
}

static bool print(struct printer *printer, FILE *out)
{
    printer->out = out;
    return (!LW_OPTION_IS_SET(printer->args, INPUT) || print_file(printer)) &&
           (!LW_OPTION_IS_SET(printer->args, LAYOUT) || print_attribute(printer));
}

enum lw_status lw_tensor_layout(const struct lw_arguments *args, FILE *out)
{
    struct printer printer = {.args = args};
    bool good = read_options(&printer) && print(&printer, NULL) && print(&printer, out);
    lw_aliases_free(&printer.aliases);
    return good ? LW_STATUS_OK : lw_report_failure(printer.source, &printer.err);
}
