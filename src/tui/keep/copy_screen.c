/* The list of what can be copied of a layout: its source, the command line that prints the picture, each notation, the
 * document. The row under the cursor goes to the clipboard. */

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/command/choice_screen.h"
#include "tui/command/command.h"
#include "tui/keep/taken.h"

#include <stdlib.h>
#include <string.h>

struct choice {
    char label[24];
    char *text;
};

struct copies {
    struct choice *choices;
    size_t count;
};

/* ---- Rows ---- */

static void add(struct copies *copies, const char *label, const char *text)
{
    struct choice choice = {.text = strdup(text)};
    struct choice *more = realloc(copies->choices, (copies->count + 1) * sizeof *more);
    if (more)
        copies->choices = more;
    if (!more || !choice.text) {
        free(choice.text); /* memory is out: this row is missing */
        return;
    }
    snprintf(choice.label, sizeof choice.label, "%s", label);
    copies->choices[copies->count++] = choice;
}

/* The command line that prints the picture. */
static void put_command(struct lw_text *text, const struct lw_on_screen *shown)
{
    struct lw_taken_view views[LW_TAKEN_VIEWS];
    struct lw_text highlight = {0};
    size_t count = lw_taken_views(shown, views);
    lw_text_add(text, "laneway show ");
    lw_put_quoted(text, lw_text_string(&shown->model->text));
    if (shown->other) {
        lw_text_char(text, ' ');
        lw_put_quoted(text, lw_text_string(&shown->other->text));
        return;
    }
    for (size_t i = 0; i < count && i < 1; i++)
        lw_text_format(text, " --view %s", views[i].name);
    lw_taken_highlight(shown, &highlight);
    if (highlight.length)
        lw_text_format(text, " --highlight %s", lw_text_string(&highlight));
    lw_text_free(&highlight);
}

/* Each notation of the layout that is shown. */
static void add_notations(struct copies *copies, const struct lw_subject *subject,
                          const char *before)
{
    const struct lw_translate_request request = {&subject->map, &subject->tensor, subject->lanes,
                                                 subject->encoding};
    struct lw_translation_table table = {0};
    if (lw_translation_table_fill(&table, &request, NULL))
        for (int i = 0; i < table.count; i++)
            if (!table.row[i].remark) {
                char label[24];
                snprintf(label, sizeof label, "%s%s", before, table.row[i].system->title);
                add(copies, label, table.row[i].text);
            }
    lw_translation_table_free(&table);
}

static void add_all(struct copies *copies, const struct lw_on_screen *shown)
{
    struct lw_text text = {0};
    add(copies, "source", lw_text_string(&shown->model->text));
    put_command(&text, shown);
    add(copies, "command line", lw_text_string(&text));
    const struct lw_subject *memory = lw_model_at(shown->model, LW_SIDE_S);
    if (memory && memory != shown->subject) /* what is copied most of an access */
        add_notations(copies, memory, "S in ");
    add_notations(copies, shown->subject, memory == shown->subject ? "S in " : "");
    lw_text_clear(&text);
    lw_document_print(&text, &shown->model->doc);
    add(copies, "document", lw_text_string(&text));
    lw_text_free(&text);
}

static void put_cell(void *context, size_t row, int column, struct lw_text *text,
                     struct lw_pen *pen)
{
    const struct copies *copies = context;
    const struct choice *choice = &copies->choices[row];
    lw_text_add(text, column == 0               ? choice->label
                      : row + 1 < copies->count ? choice->text
                                                : "the layout as JSON");
    if (column == 0)
        *pen = lw_tone(LW_TONE_KEY);
}

static const struct lw_column columns[] = {{"", false, false, 12, 2}, {"", false, true, 8, 1}};
static const struct lw_list_source source = {columns, LW_COUNT(columns), put_cell, NULL, NULL};

static void take(struct lw_screen *below, void *context, size_t row)
{
    const struct choice *choice = &((const struct copies *)context)->choices[row];
    lw_text_clear(&below->app->copied);
    lw_text_add(&below->app->copied, choice->text);
    lw_app_message(below->app, "copied: %s", choice->label);
}

static void close_copies(void *context)
{
    struct copies *copies = context;
    for (size_t i = 0; copies && i < copies->count; i++)
        free(copies->choices[i].text);
    free(copies ? copies->choices : NULL);
    free(copies);
}

void lw_copy_request(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_choice_kind kind = {.title = "copy to the clipboard",
                                               .width = 100,
                                               .rows = &source,
                                               .take = take,
                                               .close = close_copies};
    struct lw_on_screen shown;
    struct copies *copies = lw_on_screen(screen, &shown) ? calloc(1, sizeof *copies) : NULL;
    if (!copies)
        return;
    add_all(copies, &shown);
    lw_choice_open(screen, &kind, copies, copies->count, 0);
}
