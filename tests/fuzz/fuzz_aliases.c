/* Triton dumps: their aliases are found and each is read, or refused with a message. */

#include "fuzz_reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Names are sorted, and each is found; no two are equal. */
static void check_names(const struct lw_aliases *aliases)
{
    for (size_t i = 0; i < aliases->count; i++) {
        const struct lw_alias *alias = &aliases->items[i];
        must(alias->value > aliases->text && alias->value < aliases->text + aliases->length);
        must(lw_aliases_find(aliases, alias->name, NULL) == alias);
        must(i == 0 || strcmp(aliases->by_name[i - 1]->name, aliases->by_name[i]->name) < 0);
    }
}

static void check_alias(const struct lw_aliases *aliases, const struct lw_alias *alias)
{
    struct lw_document doc, copy;
    struct lw_error err = {0};
    lw_alias_is_layout(aliases, alias);
    if (!lw_document_of_alias(&doc, aliases, alias, &err)) {
        check_error(&err);
        return;
    }
    must(lw_document_copy(&copy, &doc, NULL));
    lw_document_free(&doc);
    check_document(&copy);
    lw_document_free(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_aliases aliases;
    struct lw_error err = {0};
    if (!lw_aliases_read(&aliases, (const char *)data, size, &err)) {
        check_error(&err);
        return 0;
    }
    check_names(&aliases);
    if (!lw_aliases_find(&aliases, "mma", &err))
        check_error(&err);
    for (size_t i = 0; i < aliases.count && i < 16; i++)
        check_alias(&aliases, &aliases.items[i]);
    lw_aliases_free(&aliases);
    return 0;
}
