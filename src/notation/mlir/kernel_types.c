/*
 * The types of a kernel, their encodings, and its locations. While the text is read, each distinct text of a type gets
 * a number, and each of a location; when all aliases are known, each is read once. Invariant: an encoding has the types
 * that name it by its alias.
 */

#include "notation/mlir/kernel_parts.h"
#include "notation/mlir/operations.h"
#include "encoding/schema/schema.h"

#include "core/array_count.h"
#include "core/base_name.h"

#include <string.h>

/* ---- Problems ---- */

void lw_builder_problem(struct lw_kernel_builder *builder, const struct lw_error *err)
{
    lw_report_add(&builder->kernel->problems, err);
}

bool lw_builder_is_stopped(struct lw_kernel_builder *builder, size_t step)
{
    enum { STEPS = 256 };
    const struct lw_kernel_options *options = builder->options;
    if (step % STEPS == 0 && options->stop && options->stop(options->stop_context))
        lw_error_set(&builder->err, LW_ERROR_STOPPED, "%.200s: stopped", builder->kernel->name);
    return builder->err.code == LW_ERROR_STOPPED;
}

/* ---- Types as they are written ---- */

/* The first type in a text that has a shape, itself or inside another (`!tt.ptr<tensor<...>>`); empty: none. */
static struct lw_span laid_out(struct lw_span text)
{
    static const char *const names[] = {
        "tensor<", "!ttg.memdesc<", "!tt.memdesc<", "!triton_gpu.memdesc<", "!tt.tensordesc<", "<"};
    const char *end = text.at + text.length;
    for (const char *p = text.at; p < end; p++)
        for (size_t i = 0; i < LW_COUNT(names); i++) {
            size_t n = strlen(names[i]);
            if (*p != *names[i] || (*p == '<' && p != text.at) || (size_t)(end - p) <= n ||
                memcmp(p, names[i], n) != 0 || p[n] < '0' || p[n] > '9')
                continue;
            return (struct lw_span){p, n - 1 + lw_bracketed(p + n - 1, end)};
        }
    return (struct lw_span){end, 0};
}

/* Counts a use of a type that has a layout; returns its number, or -1. */
static int count_type(struct lw_kernel_builder *builder, struct lw_span found,
                      struct lw_position position)
{
    static const char descriptor[] = "!tt.tensordesc"; /* it is of a memdesc, whose name may lack */
    struct lw_text clean = {0};
    size_t skip = lw_starts(found.at, found.length, descriptor) ? sizeof descriptor - 1 : 0;
    lw_text_add(&clean, found.at[skip] == '<' ? "!ttg.memdesc" : "");
    lw_text_bytes(&clean, found.at + skip, found.length - skip);
    struct lw_span text = {lw_text_string(&clean), clean.length};
    size_t number = clean.failed ? SIZE_MAX : lw_intern_find(&builder->types, text);
    if (number == SIZE_MAX && !clean.failed) { /* the table borrows the text */
        text.at = lw_arena_string(&builder->kernel->arena, text.at, text.length);
        number = text.at ? lw_intern_add(&builder->types, &builder->memory, text) : SIZE_MAX;
        if (number != SIZE_MAX && LW_BUILDER_ROOM(builder, kept_types, kept_type_room, number))
            builder->kept_types[number] = (struct lw_kept_type){.position = position};
        else
            number = SIZE_MAX;
    }
    lw_text_free(&clean);
    if (number == SIZE_MAX) {
        builder->lacks_memory = true;
        return -1;
    }
    builder->kept_types[number].uses++;
    return (int)number;
}

int lw_builder_type(struct lw_kernel_builder *builder, struct lw_span text,
                    struct lw_position position)
{
    const char *end = text.at + text.length;
    int first = -1;
    for (struct lw_span found; (found = laid_out(text)).length;) {
        int type = memchr(found.at, '#', found.length) ? count_type(builder, found, position) : -1;
        first = first < 0 ? type : first;
        text.at = found.at + found.length;
        text.length = (size_t)(end - text.at);
    }
    return first;
}

/* ---- Encodings ---- */

struct encodings {
    struct lw_kernel_builder *builder;
    struct lw_intern names;
    struct lw_kernel_encoding *items; /* room for every layout alias and every type */
};

static void begin_scan(struct encodings *all, struct lw_arena *arena, struct lw_scan *scan,
                       const char *text, struct lw_error *err)
{
    lw_scan_begin(scan, arena, text, strlen(text), err);
    scan->comment = "//";
    scan->aliases = &all->builder->aliases;
}

/* Keeps a problem. When `reported` it is also a problem of the text, unless it is a limit of this library. */
static const struct lw_error *keep_problem(struct encodings *all, const struct lw_error *err,
                                           bool reported)
{
    struct lw_error *copy = lw_arena_alloc(&all->builder->kernel->arena, sizeof *copy);
    if (err->code == LW_ERROR_MEMORY) /* no problem of the text: the kernel is not kept */
        all->builder->lacks_memory = true;
    if (copy)
        *copy = *err;
    if (reported && err->code != LW_ERROR_LIMIT && err->code != LW_ERROR_UNSUPPORTED)
        lw_builder_problem(all->builder, err);
    return copy;
}

/* Reads the attribute that an encoding is named by. */
static void read_encoding(struct encodings *all, struct lw_kernel_encoding *item)
{
    struct lw_error err = {0};
    struct lw_scan scan;
    struct lw_encoding *encoding = NULL;
    begin_scan(all, &all->builder->kernel->arena, &scan, item->alias, &err);
    scan.whole = item->position;
    bool ok = lw_read_attribute(&scan, &encoding);
    ok = ok && (lw_scan_at_end(&scan) || lw_scan_unexpected(&scan, "the end of the encoding"));
    ok = ok && lw_check_nesting(encoding, item->position, &err);
    item->text = item->alias;
    if (!ok) {
        item->problem = keep_problem(all, &err, true);
        return;
    }
    struct lw_text full = {0};
    lw_encoding_print(&full, encoding);
    const char *text =
        lw_arena_string(&all->builder->kernel->arena, lw_text_string(&full), full.length);
    lw_text_free(&full);
    lw_encoding_set_triton(encoding,
                           (struct lw_triton_choice){.version = all->builder->kernel->triton});
    item->text = text ? text : item->alias;
    /* It is kept if its version of Triton has all that its text has. */
    if (all->builder->options->triton.weak || lw_encoding_check_version(encoding, &err))
        item->encoding = encoding;
    else
        item->problem = keep_problem(all, &err, true);
}

/* The row of the encoding of that name; a new one is read. -1: out of memory. */
static int encoding_row(struct encodings *all, struct lw_span name, struct lw_position position)
{
    size_t before = all->names.count,
           number = lw_intern_add(&all->names, &all->builder->memory, name);
    if (number != before)
        return number == SIZE_MAX ? -1 : (int)number;
    struct lw_kernel_encoding *item = &all->items[number];
    item->alias = lw_arena_string(&all->builder->kernel->arena, name.at, name.length);
    item->position = position;
    if (!item->alias)
        return -1;
    read_encoding(all, item);
    return (int)number;
}

/* Reads a type: its shape, its element, and its layout, which is read once for all types that have it. */
static bool make_type(struct encodings *all, struct lw_kernel_type *type, size_t number)
{
    struct lw_kernel_builder *builder = all->builder;
    struct lw_error err = {0};
    struct lw_scan scan;
    type->text = builder->types.names[number].at;
    const char *end = type->text + strlen(type->text);
    struct lw_span layout = {strchr(type->text, '#'), 1}; /* `#mma` or `#ttg.blocked<...>` */
    layout.length += lw_mlir_name(layout.at + 1, end, true);
    if (layout.at[layout.length] == '<')
        layout.length += lw_bracketed(layout.at + layout.length, end);
    type->position = builder->kept_types[number].position;
    begin_scan(all, &builder->memory, &scan, type->text, &err);
    scan.whole = type->position;
    bool ok = lw_read_type(&scan, &type->tensor, NULL);
    type->layout = encoding_row(all, layout, type->position);
    if (type->layout < 0)
        return false;
    struct lw_kernel_encoding *encoding = &all->items[type->layout];
    type->encoding = encoding->encoding;
    type->problem = encoding->problem;
    encoding->type_count++;
    encoding->uses += builder->kept_types[number].uses;
    if (!ok && !type->problem) { /* else it is reported already */
        lw_tensor_unknown(&type->tensor);
        type->problem = keep_problem(all, &err, true);
    }
    return true;
}

/* Checks an encoding for problems that do not depend on the shape; none when it is over a limit of this library. */
static void check_encoding(struct encodings *all, struct lw_kernel_encoding *item)
{
    struct lw_error err;
    struct lw_tensor tensor;
    lw_tensor_unknown(&tensor);
    if (item->problem || !item->encoding || lw_encoding_check(item->encoding, &tensor, &err))
        return;
    bool reported = false; /* all slices of a parent have the same problem */
    for (size_t i = 0; i < all->names.count && !reported; i++) {
        const struct lw_error *problem = all->items[i].problem;
        reported = problem && problem->position.line == err.position.line &&
                   problem->position.column == err.position.column;
    }
    if (err.code == LW_ERROR_PARAMETER && err.parameter[0] && strcmp(err.parameter, "shape") != 0 &&
        strcmp(err.parameter, "dim") != 0) /* its parent may have too many dims */
        item->problem = keep_problem(all, &err, !reported);
}

/* Gives each encoding the list of its types. */
static bool list_types(struct encodings *all, const struct lw_kernel_type *types, size_t count)
{
    int *list = lw_arena_alloc(&all->builder->kernel->arena, (count + 1) * sizeof *list);
    if (!list)
        return false;
    for (size_t i = 0; i < all->names.count; i++) {
        all->items[i].types = list;
        list += all->items[i].type_count;
        all->items[i].type_count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        struct lw_kernel_encoding *encoding = &all->items[types[i].layout];
        ((int *)(uintptr_t)encoding->types)[encoding->type_count++] = (int)i;
    }
    return true;
}

bool lw_builder_finish_types(struct lw_kernel_builder *builder)
{
    struct lw_kernel *kernel = builder->kernel;
    size_t count = builder->types.count;
    struct encodings all = {.builder = builder};
    struct lw_kernel_type *types = lw_arena_alloc(&kernel->arena, (count + 1) * sizeof *types);
    size_t layouts = 0;
    const struct lw_aliases *aliases = &builder->aliases;
    for (size_t i = 0; i < aliases->count; i++)
        layouts += lw_alias_is_layout(aliases, &aliases->items[i]);
    all.items = lw_arena_alloc(&kernel->arena, (layouts + count + 1) * sizeof *all.items);
    bool ok = types && all.items;
    for (size_t i = 0; ok && i < aliases->count; i++) { /* used or not */
        const struct lw_alias *alias = &aliases->items[i];
        struct lw_span name = {aliases->names.names[i].at - 1, aliases->names.names[i].length + 1};
        ok = !lw_builder_is_stopped(builder, i) && (!lw_alias_is_layout(aliases, alias) ||
                                                    encoding_row(&all, name, alias->position) >= 0);
    }
    for (size_t i = 0; ok && i < count; i++)
        ok = !lw_builder_is_stopped(builder, i) && make_type(&all, &types[i], i);
    ok = ok && list_types(&all, types, count);
    for (size_t i = 0; ok && i < all.names.count; i++) {
        ok = !lw_builder_is_stopped(builder, i);
        check_encoding(&all, &all.items[i]);
    }
    kernel->types = types;
    kernel->type_count = ok ? count : 0;
    kernel->encodings = all.items;
    kernel->encoding_count = ok ? all.names.count : 0;
    return ok || (builder->err.code == LW_OK &&
                  lw_error_set(&builder->err, LW_ERROR_MEMORY, "out of memory"));
}

/* ---- Locations ---- */

/* Locations: `"k.py":26:12`, `"pa"(child)`, `callsite(a at b)`, `fused<...>[a, b]`, `#loc1`, `unknown`, as MLIR's
 * builtin dialect has them. One that cannot be read, or in too many steps, is unknown. */
struct locations {
    const struct lw_aliases *aliases;
    int steps;
};
enum { STEPS_MAX = 1024 };

static bool read_location(struct locations *all, struct lw_scan *scan,
                          struct lw_location *location);

/* `"k.py":26:12`, perhaps ` to :26:30`; `"pa"`, `"pa"(child)`, the name of a value. */
static bool read_named(struct locations *all, struct lw_scan *scan, struct lw_location *location)
{
    int64_t line, column, ignored;
    const char *string = lw_scan_peek(scan) == '"' ? lw_scan_quoted(scan) : NULL;
    if (!string)
        return false;
    if (!lw_scan_accept(scan, ':')) {
        if (lw_scan_accept(scan, '(') && read_location(all, scan, location))
            lw_scan_accept(scan, ')');
        location->name = string; /* the outermost one */
        return true;
    }
    if (!lw_scan_integer(scan, &line) || !lw_scan_expect(scan, ':', "':'") ||
        !lw_scan_integer(scan, &column))
        return false;
    location->file = string;
    location->line = line > INT32_MAX ? 0 : (int)line;
    location->column = column > INT32_MAX ? 0 : (int)column;
    for (int i = lw_scan_keyword(scan, "to") ? 0 : 2; i < 2; i++)
        if (lw_scan_accept(scan, ':') && !lw_scan_integer(scan, &ignored))
            return false;
    return true;
}

/* The brackets of `loc(a)`, of `callsite(callee at caller)`, the innermost function first, and of `fused<...>[a, b]`,
 * the first one that has a file. */
static bool read_group(struct locations *all, struct lw_scan *scan, struct lw_location *location)
{
    if (lw_scan_peek(scan) == '<')
        scan->at += lw_bracketed(scan->at, scan->end);
    if ((!lw_scan_accept(scan, '(') && !lw_scan_accept(scan, '[')) ||
        !read_location(all, scan, location))
        return false;
    for (bool calls; (calls = lw_scan_keyword(scan, "at")) || lw_scan_accept(scan, ',');) {
        struct lw_location *other = lw_arena_alloc(scan->arena, sizeof *other), *last = location;
        if (!other)
            return false;
        *other = (struct lw_location){.name = "", .file = ""};
        if (!read_location(all, scan, other))
            return *location->file;
        while (last->caller) /* an inlined function that inlined another */
            last = (struct lw_location *)(uintptr_t)last->caller;
        if (calls && *other->file)
            last->caller = other;
        else if (!calls && !*location->file)
            *location = *other;
    }
    return lw_scan_accept(scan, ')') || lw_scan_accept(scan, ']');
}

static bool read_location(struct locations *all, struct lw_scan *scan, struct lw_location *location)
{
    if (++all->steps > STEPS_MAX)
        return false;
    if (lw_scan_accept(scan, '#')) {
        struct lw_span name = {scan->at, lw_mlir_name(scan->at, scan->end, false)};
        const struct lw_alias *alias = lw_aliases_find(all->aliases, name);
        struct lw_scan inner;
        scan->at += name.length;
        if (alias)
            lw_scan_begin(&inner, scan->arena, alias->value.at, alias->value.length, scan->err);
        return alias && read_location(all, &inner, location);
    }
    if (lw_scan_keyword(scan, "loc") || lw_scan_keyword(scan, "callsite") ||
        lw_scan_keyword(scan, "fused"))
        return read_group(all, scan, location);
    return lw_scan_keyword(scan, "unknown") || read_named(all, scan, location);
}

const struct lw_location *lw_builder_location(struct lw_kernel_builder *builder)
{
    struct lw_span text = builder->op.loc;
    size_t before = builder->locs.count,
           number = text.length ? lw_intern_add(&builder->locs, &builder->memory, text) : SIZE_MAX;
    if (number == SIZE_MAX || !LW_BUILDER_ROOM(builder, locations, location_room, number))
        return NULL;
    if (number == before) {
        struct lw_location *location = lw_arena_alloc(&builder->kernel->arena, sizeof *location);
        if (location)
            location->name = location->file = "";
        builder->locations[number] = location;
    }
    return builder->locations[number];
}

bool lw_builder_finish_locations(struct lw_kernel_builder *builder)
{
    for (size_t i = 0; i < builder->locs.count; i++) {
        struct locations all = {.aliases = &builder->aliases};
        struct lw_error ignored;
        struct lw_scan scan;
        if (lw_builder_is_stopped(builder, i))
            return false;
        lw_scan_begin(&scan, &builder->kernel->arena, builder->locs.names[i].at,
                      builder->locs.names[i].length, &ignored);
        if (builder->locations[i])
            read_location(&all, &scan, builder->locations[i]);
    }
    return true;
}

void lw_location_print(struct lw_text *text, const struct lw_location *location, bool callers)
{
    for (; location; location = callers ? location->caller : NULL)
        if (*location->file) {
            const char *slash = strrchr(location->file, '/');
            lw_text_format(text, "%s:%d:%d", slash ? slash + 1 : location->file, location->line,
                           location->column);
            if (callers && location->caller)
                lw_text_add(text, " < ");
        }
}

const struct lw_location *lw_operation_location(const struct lw_operation *operation)
{
    const struct lw_location *at = operation->location;
    while (at && at->caller && at->caller->line)
        at = at->caller;
    return at;
}

bool lw_operation_put_line(struct lw_text *text, const struct lw_operation *operation)
{
    const struct lw_location *at = lw_operation_location(operation);
    const bool has = at && at->line;
    if (has)
        lw_text_format(text, "%s:%d", lw_base_name(at->file), at->line);
    return has;
}

void lw_operation_put_name(struct lw_text *text, const struct lw_operation *operation)
{
    const char *dot = strchr(operation->name, '.');
    lw_text_add(text, dot ? dot + 1 : operation->name);
}

bool lw_operation_is_of_indices(const struct lw_kernel *kernel,
                                const struct lw_operation *operation)
{
    const enum lw_role role = operation->kind->role;
    const int from = operation->from, to = operation->to >= 0 ? operation->to : from;
    if (to < 0 ||
        (role != LW_ROLE_CONVERT && role != LW_ROLE_RELABEL && role != LW_ROLE_ELEMENTWISE))
        return false;
    const char *element = kernel->types[to].tensor.element.name;
    const char *layout = from < 0 ? "" : kernel->encodings[kernel->types[from].layout].text;
    if (!strcmp(element, "i1") || !strcmp(element, "i32") || !strcmp(element, "i64"))
        return !strstr(layout, "mma"); /* a product of integers is data */
    return strstr(kernel->types[to].text, "tt.ptr<") != NULL;
}
