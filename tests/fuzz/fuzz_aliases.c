/* Triton dumps: their aliases are found and each is read, or refused with a message. */

#include "fuzz_reading.h"

#include "laneway/kernel.h"
#include "notation/mlir/read_mlir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The parts of a text are all of it, and each alias is found by its name. */
static void check_names(const struct lw_dump *dump, const struct lw_aliases *aliases)
{
    size_t length = 0;
    for (size_t i = 0; i < dump->part_count; i++)
        length += dump->parts[i].length;
    must(length == dump->text.length);
    for (size_t i = 0; i < aliases->count; i++) {
        const struct lw_alias *alias = &aliases->items[i];
        must(alias->value.at + alias->value.length <= aliases->text + dump->text.length);
        must(lw_aliases_find(aliases, (struct lw_span){alias->name, strlen(alias->name)}) == alias);
    }
}

static void check_alias(const struct lw_dump *dump, const char *name)
{
    struct lw_document doc = {0};
    struct lw_error err = {0};
    struct lw_reading reading = {.arena = &doc.arena,
                                 .err = &err,
                                 .text = lw_text_string(&dump->text),
                                 .length = dump->text.length};
    if (!lw_read_alias_document(&reading, &doc, name)) {
        check_error(&err);
        lw_arena_free(&doc.arena);
        return;
    }
    doc.name = doc.title = doc.about = doc.view = doc.cell = "";
    for (int i = 0; i < LW_SIDES; i++)
        lw_tensor_unknown(&doc.others[i].tensor);
    check_document(&doc);
    lw_document_free(&doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_dump dump;
    struct lw_aliases aliases;
    struct lw_arena arena = {0};
    struct lw_error err = {0};
    must(lw_dump_read(&dump, (const char *)data, size, NULL, NULL));
    struct lw_reading reading = {.arena = &arena,
                                 .err = &err,
                                 .text = lw_text_string(&dump.text),
                                 .length = dump.text.length};
    if (lw_aliases_collect(&aliases, &reading)) {
        check_names(&dump, &aliases);
        for (size_t i = 0; i < aliases.count && i < 16; i++)
            check_alias(&dump, aliases.items[i].name);
    } else {
        check_error(&err);
    }
    check_alias(&dump, "mma");
    check_alias(&dump, NULL);
    lw_arena_free(&arena);
    lw_dump_free(&dump);
    return 0;
}
