/*
 * The types of a kernel, and their encodings. While the text is read, each distinct text of a type gets
 * a number; when all aliases are known, each is read once. Invariant: an encoding has the types that name it by
 * its alias.
 */

#include "notation/mlir/kernel_parts.h"

#include <stdlib.h>
#include <string.h>

/* Whether a text begins as a type that has a shape and a layout. */
static bool begins_laid_out(const char *p, const char *end)
{
    static const char *const names[] = {
        "tensor<", "!ttg.memdesc<", "!tt.memdesc<", "!triton_gpu.memdesc<", "!tt.tensordesc<", "<"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if ((size_t)(end - p) > n && !memcmp(p, names[i], n))
            return p[n] >= '0' && p[n] <= '9';
    }
    return false;
}

/* The first such type in a text, itself or inside another (`!tt.ptr<tensor<...>>`); empty: none. */
static struct lw_span laid_out(struct lw_span text)
{
    const char *end = text.at + text.length;
    for (const char *p = text.at; p < end; p++)
        if ((*p == 't' || *p == '!' || (*p == '<' && p == text.at)) && begins_laid_out(p, end)) {
            const char *bracket = memchr(p, '<', (size_t)(end - p));
            return (struct lw_span){p, (size_t)(bracket - p) + lw_bracketed(bracket, end)};
        }
    return (struct lw_span){end, 0};
}

/* Writes a type with one blank for each run of white space, and with the name of a memdesc that has none. */
static void write_type(struct lw_text *out, struct lw_span text)
{
    bool blank = false, plain = true;
    static const char descriptor[] = "!tt.tensordesc";
    if (text.length > sizeof descriptor && !memcmp(text.at, descriptor, sizeof descriptor - 1)) {
        text.at += sizeof descriptor - 1; /* the descriptor is of a memdesc */
        text.length -= sizeof descriptor - 1;
    }
    if (*text.at == '<')
        lw_text_add(out, "!ttg.memdesc");
    for (size_t i = 0; i < text.length && plain; i++)
        plain = text.at[i] > ' ' ||
                (text.at[i] == ' ' && i + 1 < text.length && i > 0 && text.at[i + 1] != ' ');
    if (plain) {
        lw_text_bytes(out, text.at, text.length);
        return;
    }
    for (size_t i = 0; i < text.length; i++) {
        bool space = strchr(" \t\r\n", text.at[i]) && text.at[i];
        if (!space && blank)
            lw_text_char(out, ' ');
        blank = space;
        if (!space)
            lw_text_char(out, text.at[i]);
    }
}

/* The definition of `!name`; the text itself when it has none. */
static struct lw_span named_type(const struct lw_kernel_builder *builder, struct lw_span text)
{
    for (int depth = 0; depth < 8 && *text.at == '!' && !memchr(text.at, '.', text.length);
         depth++) {
        size_t number = lw_intern_find(&builder->type_names, text.at + 1, text.length - 1);
        if (number == SIZE_MAX)
            break;
        text.at = builder->type_values[number];
        text.length = strlen(text.at);
        if (text.length < 2)
            break;
    }
    return text;
}

int lw_builder_type(struct lw_kernel_builder *builder, struct lw_span text,
                    struct lw_position position)
{
    struct lw_text clean = {0};
    text = named_type(builder, text);
    struct lw_span found = laid_out(text);
    const char *rest = found.at + found.length, *end = text.at + text.length;
    if (!found.length)
        return -1;
    if (rest < end) /* there may be other types in the text */
        lw_builder_type(builder, (struct lw_span){rest, (size_t)(end - rest)}, position);
    if (!memchr(found.at, '#', found.length))
        return -1;
    write_type(&clean, found);
    builder->lacks_memory = builder->lacks_memory || clean.failed;
    size_t before = builder->types.count;
    size_t number = clean.failed
                        ? SIZE_MAX
                        : lw_intern_add(&builder->types, lw_text_string(&clean), clean.length);
    lw_text_free(&clean);
    if (number == SIZE_MAX) {
        lw_builder_limit(builder, LW_LIMIT_TYPES, position,
                         "more than %zu distinct types: the rest is skipped", LW_KERNEL_TYPES_MAX);
        return -1;
    }
    if (number == before) {
        if (!lw_builder_reserve(builder, &builder->kept_types, &builder->kept_type_room, before,
                                sizeof *builder->kept_types))
            return -1;
        builder->kept_types[number] = (struct lw_kept_type){.position = position};
    }
    builder->kept_types[number].uses++;
    return (int)number;
}

/* ---- Encodings ---- */

/* The part of a type that names its layout: after the first comma, up to the next. */
static struct lw_span layout_part(const char *type)
{
    const char *end = type + strlen(type), *p = strchr(type, '<');
    struct lw_span part = {type, 0};
    if (!p)
        return part;
    for (p++; p < end && *p != ',';)
        p += *p == '<' ? lw_bracketed(p, end) : 1;
    for (p += p < end; p < end && *p == ' '; p++)
        ;
    part.at = p;
    while (p < end && *p != ',' && *p != '>')
        p += *p == '<' ? lw_bracketed(p, end) : 1;
    part.length = (size_t)(p - part.at);
    return part;
}

struct encodings {
    struct lw_kernel_builder *builder;
    struct lw_intern names;
    struct lw_kernel_encoding *items; /* room for every layout alias and every type */
    const struct lw_error *left_out;  /* the problem of encodings over the limit; NULL: none */
};

#define CROWDED_BYTES (LW_ARENA_MAX / 4 * 3)

static void begin_scan(struct encodings *all, struct lw_arena *arena, struct lw_scan *scan,
                       const char *text, struct lw_error *err)
{
    lw_scan_begin(scan, arena, text, strlen(text), err);
    scan->comment = "//";
    scan->aliases = &all->builder->kernel->aliases;
}

/* Whether no more layouts are read: the rest of the arena is for the names of the others. */
static bool is_crowded(const struct encodings *all)
{
    return all->builder->kernel->arena.used > CROWDED_BYTES;
}

/* Keeps a problem. When `reported` it is also a problem of the text, unless it is a limit of this library. */
static const struct lw_error *keep_problem(struct encodings *all, const struct lw_error *err,
                                           bool reported)
{
    if (is_crowded(all) && all->left_out)
        return all->left_out;
    struct lw_error *copy = lw_arena_alloc(&all->builder->kernel->arena, sizeof *copy);
    if (copy)
        *copy = *err;
    if (reported && err->code != LW_ERROR_LIMIT && err->code != LW_ERROR_UNSUPPORTED)
        lw_builder_problem(all->builder, err);
    return copy;
}

/* The problem of a layout that is left out, which is reported once. */
static const struct lw_error *leave_out(struct encodings *all, struct lw_position position)
{
    struct lw_error err;
    if (all->left_out)
        return all->left_out;
    if (is_crowded(all))
        lw_error_at(&err, LW_ERROR_LIMIT, position,
                    "more than %zu MiB of layouts: those after this are skipped",
                    CROWDED_BYTES >> 20);
    else
        lw_error_at(&err, LW_ERROR_LIMIT, position,
                    "more than %zu aliases of layouts: those after this are skipped",
                    LW_KERNEL_ENCODINGS_MAX);
    lw_builder_problem(all->builder, &err);
    all->left_out = keep_problem(all, &err, false);
    return all->left_out;
}

/* Keeps an encoding if its version of Triton has all that its text has. */
static void keep_of_version(struct encodings *all, struct lw_kernel_encoding *item,
                            struct lw_encoding *encoding)
{
    struct lw_error err;
    if (lw_encoding_check_version(encoding, &err))
        item->encoding = encoding;
    else
        item->problem = keep_problem(all, &err, true);
}

/* Notes that memory was out: that a type could not be read is then no problem of the text, and the kernel is not
 * kept. */
static void note_lack(struct lw_kernel_builder *builder, const struct lw_error *err,
                      const struct lw_arena *arena)
{
    builder->lacks_memory =
        builder->lacks_memory || arena->failed || (err->code == LW_ERROR_MEMORY && !arena->full);
}

/* Reads the attribute that an encoding is named by. */
static void read_encoding(struct encodings *all, struct lw_kernel_encoding *item)
{
    if (is_crowded(all)) {
        item->text = item->alias;
        item->problem = leave_out(all, item->position);
        return;
    }
    struct lw_error err = {0};
    struct lw_scan scan;
    struct lw_encoding *encoding = NULL;
    begin_scan(all, &all->builder->kernel->arena, &scan, item->alias, &err);
    scan.whole = item->position;
    bool ok = *item->alias == '#'
                  ? lw_read_attribute(&scan, &encoding)
                  : lw_error_at(&err, LW_ERROR_SYNTAX, item->position,
                                "expected an encoding such as '#ttg.blocked<{...}>', found '%.60s'",
                                item->alias);
    ok = ok && (lw_scan_at_end(&scan) || lw_scan_unexpected(&scan, "the end of the encoding"));
    ok = ok && lw_check_nesting(encoding, item->position, &err);
    item->text = item->alias;
    if (!ok) {
        note_lack(all->builder, &err, &all->builder->kernel->arena);
        item->problem =
            keep_problem(all, &err, !lw_is_foreign(scan.aliases, item->alias, strlen(item->alias)));
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
    if (all->builder->options && all->builder->options->triton.weak)
        item->encoding = encoding;
    else
        keep_of_version(all, item, encoding);
}

/* The row of the encoding of that name; a new one is read. -1: out of memory. */
static int encoding_row(struct encodings *all, const char *name, size_t length,
                        struct lw_position position)
{
    size_t before = all->names.count;
    size_t number = lw_intern_add(&all->names, name, length);
    if (number == SIZE_MAX || number < before)
        return number == SIZE_MAX ? -1 : (int)number;
    struct lw_kernel_encoding *item = &all->items[number];
    item->alias = lw_arena_string(&all->builder->kernel->arena, name, length);
    item->position = position;
    if (!item->alias)
        return -1;
    read_encoding(all, item);
    return (int)number;
}

/* Adds every alias that is a layout, used or not. */
static bool read_aliases(struct encodings *all)
{
    const struct lw_aliases *aliases = &all->builder->kernel->aliases;
    for (size_t i = 0; i < aliases->count; i++) {
        const struct lw_alias *alias = &aliases->items[i];
        struct lw_text name = {0};
        if (lw_builder_is_stopped(all->builder, i))
            return false;
        if (!lw_alias_is_layout(aliases, alias))
            continue;
        if (all->names.count == LW_KERNEL_ENCODINGS_MAX)
            return leave_out(all, alias->position) != NULL;
        lw_text_format(&name, "#%s", alias->name);
        int row = encoding_row(all, lw_text_string(&name), name.length, alias->position);
        lw_text_free(&name);
        if (row < 0)
            return false;
    }
    return true;
}

/* Reads the shape and the element of a type; when its layout cannot be read, the part before it. */
static void read_tensor(struct encodings *all, struct lw_kernel_type *type, struct lw_span layout)
{
    struct lw_error err = {0};
    struct lw_scan scan;
    struct lw_encoding *again = NULL; /* it was read before */
    struct lw_arena own = {0};
    begin_scan(all, &own, &scan, type->text, &err);
    scan.whole = type->position;
    bool ok = true;
    if (type->encoding) {
        ok = lw_read_type(&scan, &type->tensor, &again);
    } else {
        const char *at = strchr(type->text, '<');
        const char *comma = layout.at;
        while (at && comma > at && *comma != ',')
            comma--;
        scan.at = at ? at + 1 : scan.end;
        scan.end = comma > scan.at ? comma : scan.at;
        ok = lw_read_tensor(&scan, &type->tensor);
        type->tensor.memory = *type->text == '!';
        note_lack(all->builder, &err, &own);
        err.code = LW_OK; /* that it cannot be read is reported already */
    }
    note_lack(all->builder, &err, &own);
    lw_arena_free(&own);
    type->problem = all->items[type->layout].problem;
    if (ok)
        return;
    lw_tensor_unknown(&type->tensor);
    if (err.code != LW_OK)
        type->problem = keep_problem(all, &err, true);
}

static bool make_type(struct encodings *all, struct lw_kernel_type *type, size_t number)
{
    struct lw_kernel_builder *builder = all->builder;
    const char *text = builder->types.names[number];
    type->text = lw_arena_string(&builder->kernel->arena, text, strlen(text));
    if (!type->text)
        return false;
    type->position = builder->kept_types[number].position;
    lw_tensor_unknown(&type->tensor);
    struct lw_span part = layout_part(type->text);
    type->layout = encoding_row(all, part.at, part.length, type->position);
    if (type->layout < 0)
        return false;
    struct lw_kernel_encoding *encoding = &all->items[type->layout];
    type->encoding = encoding->encoding;
    encoding->type_count++;
    encoding->uses += builder->kept_types[number].uses;
    read_tensor(all, type, part);
    return true;
}

/* Whether a problem is reported already: all slices of a parent have the same one. */
static bool is_reported(const struct encodings *all, const struct lw_error *err)
{
    for (size_t i = 0; i < all->names.count; i++) {
        const struct lw_error *problem = all->items[i].problem;
        if (problem && problem->position.line == err->position.line &&
            problem->position.column == err->position.column)
            return true;
    }
    return false;
}

/* Checks an encoding for problems that do not depend on the shape; none when it is over a limit of this library. */
static void check_encoding(struct encodings *all, struct lw_kernel_encoding *item)
{
    struct lw_error err;
    struct lw_tensor tensor;
    lw_tensor_unknown(&tensor);
    if (item->problem || !item->encoding || lw_encoding_check(item->encoding, &tensor, &err))
        return;
    if (err.code == LW_ERROR_PARAMETER && err.parameter[0] && strcmp(err.parameter, "shape") != 0 &&
        strcmp(err.parameter, "dim") != 0) /* its parent may have too many dims */
        item->problem = keep_problem(all, &err, !is_reported(all, &err));
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
    struct encodings all = {.builder = builder, .names = {.max = UINT32_MAX - 1}};
    struct lw_kernel_type *types = lw_arena_alloc(&kernel->arena, (count + 1) * sizeof *types);
    size_t layouts = 0;
    for (size_t i = 0; i < kernel->aliases.count; i++)
        layouts += lw_alias_is_layout(&kernel->aliases, &kernel->aliases.items[i]);
    if (layouts > LW_KERNEL_ENCODINGS_MAX)
        layouts = LW_KERNEL_ENCODINGS_MAX;
    all.items = lw_arena_alloc(&kernel->arena, (layouts + count + 1) * sizeof *all.items);
    bool ok = types && all.items && read_aliases(&all);
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
    lw_intern_free(&all.names);
    return ok || (builder->err.code == LW_OK &&
                  lw_error_set(&builder->err, LW_ERROR_MEMORY, "out of memory"));
}
