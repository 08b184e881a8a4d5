/* Documents of the aliases of a dump: kernel.ttgir:#mma. */

#include "notation/mlir/read_mlir.h"

#include <string.h>

bool lw_read_expanded_alias(struct lw_reading *reading, struct lw_document *doc,
                            const struct lw_aliases *aliases, const struct lw_alias *alias)
{
    struct lw_scan scan;
    lw_scan_begin(&scan, reading->arena, reading->text, reading->length, reading->err);
    scan.comment = "//";
    scan.aliases = aliases;
    scan.attribute = lw_read_attribute;
    scan.report = reading->report;
    int before = scan.report ? scan.report->count : 0;
    doc->tensor.rank = -1;
    doc->notation = LW_NOTATION_MLIR;
    doc->text = reading->text;
    bool ok = lw_expand_alias(&scan, alias, alias->position, &doc->encoding) &&
              lw_check_nesting(doc->encoding, alias->position, reading->err);
    for (int i = before; scan.report && i < scan.report->count; i++)
        lw_error_excerpt(&scan.report->errors[i], reading->text, reading->length);
    if (!ok)
        lw_error_excerpt(reading->err, reading->text, reading->length);
    return ok;
}

bool lw_read_alias_document(struct lw_reading *reading, struct lw_document *doc, const char *name)
{
    struct lw_aliases aliases;
    if (!lw_aliases_collect(&aliases, reading->arena, reading->text, reading->length, reading->err))
        return false;
    const struct lw_alias *alias = lw_aliases_find(&aliases, name, reading->err);
    return alias && lw_read_expanded_alias(reading, doc, &aliases, alias);
}

const char *lw_after_aliases(const char *text, size_t length)
{
    struct lw_mlir_reader reader;
    struct lw_mlir_item item;
    lw_mlir_reader_open_text(&reader, text, length);
    do
        lw_mlir_reader_next(&reader, &item);
    while (item.kind == LW_MLIR_ALIAS);
    const char *rest = item.kind == LW_MLIR_OPERATION ? item.text : NULL;
    lw_mlir_reader_free(&reader);
    return rest;
}

bool lw_read_only_alias(struct lw_reading *reading, struct lw_document *doc,
                        const struct lw_aliases *aliases)
{
    const struct lw_alias *only = NULL;
    struct lw_text names = {0};
    for (size_t i = 0; i < aliases->count; i++)
        if (lw_alias_is_layout(aliases, &aliases->items[i]))
            only = &aliases->items[i];
    lw_aliases_list(&names, aliases);
    bool several = strchr(lw_text_string(&names), ',') != NULL;
    if (several)
        lw_error_set(reading->err, LW_ERROR_NAME,
                     "after the definitions a type has to name one of %.262s: "
                     "tensor<16x64xf16, #name>",
                     lw_text_string(&names));
    else if (!only)
        lw_error_set(reading->err, LW_ERROR_NAME, "none of these definitions is a layout");
    lw_text_free(&names);
    return only && !several && lw_read_expanded_alias(reading, doc, aliases, only);
}

bool lw_alias_not_named(struct lw_reading *reading)
{
    struct lw_aliases aliases;
    struct lw_text names = {0};
    if (!lw_aliases_collect(&aliases, reading->arena, reading->text, reading->length, reading->err))
        return false;
    lw_aliases_list(&names, &aliases);
    if (names.length)
        lw_error_set(reading->err, LW_ERROR_NAME,
                     "name a layout of this file, as in kernel.ttgir:#name: it has %.262s",
                     lw_text_string(&names));
    else
        lw_error_set(reading->err, LW_ERROR_NAME, "this file has no alias of a layout");
    lw_text_free(&names);
    return false;
}
