/* Notebooks: read, or refused with a message; a text that is put back as it is changes nothing. */

#include "fuzz_reading.h"
#include "notation/document/notebook.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_cell(const struct lw_notebook *notebook, const struct lw_notebook_cell *cell,
                       size_t length)
{
    struct lw_text same = {0};
    must(cell->source >= notebook->text && cell->source <= cell->source_end);
    must(cell->source_end <= notebook->text + length);
    for (size_t i = 0; i < cell->count; i++)
        must(cell->string[i].at > cell->source && cell->string[i].end <= cell->source_end &&
             cell->string[i].from + cell->string[i].length <= cell->text.length);
    lw_notebook_put(&same, cell, lw_text_string(&cell->text), cell->text.length);
    must(same.length > 0 && lw_notebook_line(notebook, cell, 1) > 0);
    lw_text_free(&same);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_notebook notebook;
    struct lw_error err = {0};
    char *text = malloc(size + 1);
    must(text != NULL);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    size_t length = strlen(text); /* files with a NUL are refused before */
    if (lw_notebook_read(&notebook, text, length, &err)) {
        for (size_t i = 0; i < notebook.count; i++)
            check_cell(&notebook, &notebook.cell[i], length);
        lw_notebook_free(&notebook);
    } else {
        check_error(&err);
    }
    free(text);
    return 0;
}
