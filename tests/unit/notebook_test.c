/* Notebooks: the texts of cells, and that a text that is put back changes nothing but what it has to. */

#include "unit.h"

#include "notation/document/notebook.h"

#include <stdlib.h>
#include <string.h>

/* As Jupyter writes it, with numbers and escapes that no other program would write so. */
static const char sample[] =
    "{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"metadata\": {\"a\": [1.50, "
    "-2E+3]},\n   \"source\": [\n    \"# \\u00dcber\\n\",\n    \"two\\n\",\n    \"thr\\u0065e\"\n  "
    " "
    "]\n  },\n  {\"cell_type\": \"raw\", \"source\": \"left out\"},\n  {\n   \"cell_type\": "
    "\"code\", \"outputs\": [{\"text\": \"]}\\\"\"}],\n   \"source\": \"x = 1\\ny\"\n  },\n"
    "  {\"cell_type\": \"markdown\", \"source\": [\"on one li\", \"ne\\nand more\"]},\n"
    "  {\"cell_type\": \"markdown\", \"source\": []}\n ],\n \"nbformat\": 4, \"nbformat_minor\": "
    "5\n}"
    "\n";

static void cells_are_read(void **unused)
{
    static const char *const texts[] = {("# \xc3\x9c"
                                         "ber\ntwo\nthree"),
                                        "x = 1\ny", "on one line\nand more", ""};
    static const size_t numbers[] = {1, 3, 4, 5}, lines[] = {7, 15, 17, 18};
    struct lw_notebook notebook;
    struct lw_error err;
    (void)unused;
    assert_true(lw_notebook_read(&notebook, sample, strlen(sample), &err));
    assert_int_equal(notebook.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct lw_notebook_cell *cell = &notebook.cell[i];
        assert_string_equal(lw_text_string(&cell->text), texts[i]);
        assert_int_equal(cell->number, numbers[i]);
        assert_int_equal(cell->code, i == 1);
        assert_int_equal(lw_notebook_line(&notebook, cell, 1), lines[i]);
    }
    assert_int_equal(lw_notebook_line(&notebook, &notebook.cell[0], 3), 9);
    lw_notebook_free(&notebook);
}

static void puts_back(const struct lw_notebook_cell *cell, const char *text, const char *json)
{
    struct lw_text out = {0};
    lw_notebook_put(&out, cell, text, strlen(text));
    assert_string_equal(lw_text_string(&out), json);
    lw_text_free(&out);
}

static void lines_stay_as_they_are(void **unused)
{
    struct lw_notebook notebook;
    struct lw_error err;
    (void)unused;
    assert_true(lw_notebook_read(&notebook, sample, strlen(sample), &err));
    for (size_t i = 0; i < notebook.count; i++) {
        const struct lw_notebook_cell *cell = &notebook.cell[i];
        struct lw_text same = {0};
        if (i != 2) { /* its strings are no lines, so they are written anew */
            lw_text_bytes(&same, cell->source, (size_t)(cell->source_end - cell->source));
            puts_back(cell, lw_text_string(&cell->text), lw_text_string(&same));
        }
        lw_text_free(&same);
    }
    puts_back(&notebook.cell[0],
              "# \xc3\x9c"
              "ber\nnew \"\\\ntwo\nthree",
              "[\n    \"# \\u00dcber\\n\",\n    \"new \\\"\\\\\\n\",\n    \"two\\n\",\n    "
              "\"thr\\u0065e\"\n   ]");
    puts_back(&notebook.cell[0],
              "first\n# \xc3\x9c"
              "ber\nthree",
              "[\n    \"first\\n\",\n    \"# \xc3\x9c"
              "ber\\n\",\n    \"thr\\u0065e\"\n   ]");
    puts_back(&notebook.cell[0],
              "# \xc3\x9c"
              "ber\n",
              "[\n    \"# \\u00dcber\\n\"\n   ]");
    puts_back(&notebook.cell[1], "a\n", "\"a\\n\"");
    puts_back(&notebook.cell[2], "a\nb", "[\"a\\n\", \"b\"]");
    lw_notebook_free(&notebook);
}

static void wrong_notebooks_are_refused(void **unused)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"cells\": [\n}", "line 2: this is not JSON"},
        {"{\"cells\": []\n,\x01\"metadata\": {}}", "line 2: this is not JSON"},
        {"[]", "this is not a notebook of nbformat 4: it has no list 'cells'"},
        {"{\"worksheets\": []}", "this is not a notebook of nbformat 4: it has no list 'cells'"},
        {"{\"cells\": [], \"cells\": []}",
         "this is not a notebook of nbformat 4: it has no list 'cells'"},
        {"{\"cells\": [1]}",
         "cell 1 has not one cell_type and one source, a text or a list of texts"},
        {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"a\", 1]}]}",
         "cell 1 has not one cell_type and one source, a text or a list of texts"},
        {"{\"cells\": [{\"cell_type\": \"code\", \"source\": \"\", \"source\": \"b\"}]}",
         "cell 1 has not one cell_type and one source, a text or a list of texts"},
        {"{\"cells\": [{\"cell_type\": \"code\", \"source\": \"a\\u0000b\"}]}",
         "cell 1 has not one cell_type and one source, a text or a list of texts"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_notebook notebook;
        struct lw_error err = {0};
        assert_false(lw_notebook_read(&notebook, cases[i].text, strlen(cases[i].text), &err));
        assert_string_equal(err.message, cases[i].message);
    }
}

/* A file that is cut anywhere is refused, and read no further than it is long. */
static void cut_notebooks_are_refused(void **unused)
{
    (void)unused;
    for (size_t length = 0; length + 2 < strlen(sample); length++) {
        struct lw_notebook notebook;
        struct lw_error err = {0};
        char *text = strndup(sample, length);
        assert_non_null(text);
        assert_false(lw_notebook_read(&notebook, text, length, &err));
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_read),
        cmocka_unit_test(lines_stay_as_they_are),
        cmocka_unit_test(wrong_notebooks_are_refused),
        cmocka_unit_test(cut_notebooks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
