/* The entries: sources of the command line, then the gallery with its kernels and the lessons, then layouts opened
 * later. A document is read when it is first shown. */

#include "tui/lesson/lesson_run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds the built-in lessons, and a lesson file of the command line; or those of a folder. */
static void add_lessons(struct lw_explorer *ex)
{
    size_t count;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    const struct lw_course *course = ex->options->course;
    for (size_t i = 0; course && i < course->count; i++) {
        struct lw_entry *entry = &ex->list.entries[ex->list.count++];
        const char *name = lw_base_name(course->paths[i]);
        entry->source = entry->lesson = course->paths[i];
        snprintf(entry->label, sizeof entry->label, "lesson %zu: %.*s", i + 1,
                 (int)strlen(name) - 5, name);
    }
    for (size_t i = 0; !course && i < count; i++) {
        struct lw_entry *entry = &ex->list.entries[ex->list.count++];
        entry->source = entry->lesson = lw_lesson_name(&lessons[i]);
        snprintf(entry->label, sizeof entry->label, "lesson %zu: %s", i + 1, entry->source);
    }
    if (!course && ex->options->lesson && lw_lesson_is_file(ex->options->lesson)) {
        struct lw_entry *entry = &ex->list.entries[ex->list.count++];
        entry->source = entry->lesson = ex->options->lesson;
    }
}

bool lw_entries_add_lessons(struct lw_explorer *ex)
{
    struct lw_list *list = &ex->list;
    size_t lessons;
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].lesson && !list->entries[i].own) /* not a file that was opened */
            return false;
    lw_lessons(&lessons);
    lessons += 1 + (ex->options->course ? ex->options->course->count : 0);
    struct lw_entry *entries = realloc(list->entries, (list->count + lessons) * sizeof *entries);
    if (!entries) {
        ex->failed = true;
        return false;
    }
    list->entries = entries;
    for (size_t i = list->count; i < list->count + lessons; i++) {
        entries[i] = (struct lw_entry){.source = ""};
        lw_entry_clear(list, &entries[i]);
    }
    add_lessons(ex);
    return true;
}

/* Adds the kernels of the gallery, unless the command line names a kernel. */
static void add_kernels(struct lw_explorer *ex)
{
    size_t count;
    const struct lw_gallery_entry *kernels = lw_gallery_kernels(&count);
    for (size_t i = 0; !ex->browser && i < count; i++) {
        struct lw_entry *entry = &ex->list.entries[ex->list.count++];
        entry->source = kernels[i].name;
        lw_gallery_title(&kernels[i], entry->title, sizeof entry->title);
    }
}

bool lw_entries_make(struct lw_explorer *ex, struct lw_error *err)
{
    size_t gallery;
    const struct lw_gallery_entry *named = lw_gallery(&gallery);
    size_t sources = ex->browser ? 0 : ex->options->count, lessons, kernels;
    lw_gallery_kernels(&kernels);
    lw_lessons(&lessons);
    lessons += ex->options->course ? ex->options->course->count : 0;
    gallery = ex->browser ? 0 : gallery; /* a kernel's own layouts are the list */
    size_t room =
        sources + gallery + kernels + lessons + 1; /* without a layout an empty entry is shown */
    ex->list.entries = calloc(room, sizeof *ex->list.entries);
    if (!ex->list.entries)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < room; i++) {
        ex->list.entries[i].source = "";
        lw_entry_clear(&ex->list, &ex->list.entries[i]);
    }
    for (size_t i = 0; i < sources; i++)
        ex->list.entries[i].source = ex->options->sources[i];
    ex->list.count = sources;
    /* With a folder to begin in, the kernels come first, then that folder, then the lessons. */
    const char *start = ex->options->start ? ex->options->start : "";
    size_t folder = strcspn(start, "/");
    bool lessons_next = (start[folder] || ex->options->lessons) && !ex->browser;
    if (start[folder])
        add_kernels(ex);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < gallery; i++) {
            bool first = start[folder] && !strncmp(named[i].name, start, folder + 1);
            if (first != (pass == 0))
                continue;
            struct lw_entry *entry = &ex->list.entries[ex->list.count++];
            entry->source = named[i].name;
        }
        if (!start[folder] && pass == 1)
            add_kernels(ex);
        if (!ex->browser && lessons_next == (pass == 0))
            add_lessons(ex);
    }
    return true;
}

/* Records the file that the entry was read from. */
static void record_file(struct lw_entry *entry, const struct lw_file_state *state)
{
    const char *source = entry->source;
    size_t length = strlen(source);
    if (entry->doc->notation != LW_NOTATION_JSON || lw_source_path(source) != length ||
        length < 6 || strcmp(source + length - 5, ".json") != 0)
        return;
    free(entry->path);
    entry->path = strdup(source);
    entry->file = *state;
}

/* ---- Reading and adding ---- */

/* Reads an entry's document, once. The gallery's entries come after the sources. */
bool lw_entry_load(struct lw_explorer *ex, size_t index, struct lw_error *err)
{
    struct lw_entry *entry = &ex->list.entries[index];
    if (entry->loaded)
        return true;
    if (entry->lesson)
        return lw_lesson_load(entry, err);
    if (lw_entry_is_kernel(entry))
        return lw_error_set(err, LW_ERROR_NAME,
                            "a compiled kernel: Enter shows its operations and what each costs");
    struct lw_document doc;
    bool given = entry->given || (index < ex->options->count && !entry->own);
    struct lw_open_options options = {.triton = ex->options->triton};
    const struct lw_file_state before = lw_file_state_of(entry->source);
    if (given) { /* while the explorer has the terminal, nothing else may read from it */
        options.type = ex->options->type;
        options.element = ex->options->element;
        options.input = stdin;
    }
    if (!lw_document_open(&doc, entry->source, &options, err))
        return false;
    for (size_t i = 0; given && i < ex->options->set_count; i++) {
        char name[128];
        const char *set = ex->options->sets[i], *equals = strchr(set, '=');
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - set) : 0, set);
        if (!equals || !lw_document_set(&doc, name, equals + 1, err)) {
            lw_document_free(&doc);
            return equals ? false
                          : lw_error_set(err, LW_ERROR_SYNTAX, "--set %s: needs name=value", set);
        }
    }
    struct lw_document original;
    if (!lw_document_copy(&original, &doc, err)) {
        lw_document_free(&doc);
        return false;
    }
    if (!lw_entry_put(entry, &original, &doc, err))
        return false;
    if (!entry->title[0] && doc.title[0])
        snprintf(entry->title, sizeof entry->title, "%s", doc.title);
    record_file(entry, &before);
    return true;
}

/* Sets the label; a long one is cut after a whole character and ends in an ellipsis. */
static void put_label(struct lw_entry *entry, const char *label)
{
    static const char more[] = "…";
    size_t room = sizeof entry->label - 1, length = strlen(label);
    bool cut = length > room;
    for (length = cut ? room - strlen(more) : length; cut && (label[length] & 0xc0) == 0x80;)
        length--;
    snprintf(entry->label, sizeof entry->label, "%.*s%s", (int)length, label, cut ? more : "");
}

/* Makes room for one more entry, which does not count yet; NULL: memory is out. */
static struct lw_entry *add_empty_entry(struct lw_explorer *ex, const char *source,
                                        const char *label)
{
    struct lw_entry *entries = realloc(ex->list.entries, (ex->list.count + 1) * sizeof *entries);
    char *own = strdup(source);
    if (entries)
        ex->list.entries = entries;
    if (!entries || !own) {
        free(own);
        ex->failed = true;
        return NULL;
    }
    struct lw_entry *entry = &ex->list.entries[ex->list.count];
    *entry = (struct lw_entry){.source = own, .own = own};
    lw_entry_clear(&ex->list, entry);
    put_label(entry, label ? label : "");
    return entry;
}

struct lw_entry *lw_entry_add(struct lw_explorer *ex, const char *source, const char *label)
{
    struct lw_entry *entry = add_empty_entry(ex, source, label);
    ex->list.count += entry != NULL;
    return entry;
}

/* Shows an error with its position in the text of the source, or in a file. */
static void show_reason(struct lw_explorer *ex, const char *source, const struct lw_error *err)
{
    bool file = access(source, F_OK) == 0;
    struct lw_text text = {0};
    lw_text_error(&text, file && err->position.line ? lw_base_name(source) : NULL, err);
    const char *line = lw_text_string(&text);
    lw_explorer_set_message(ex, true, "%.*s", (int)strcspn(line, "\n"), line);
    lw_text_free(&text);
}

/* Counts the entry after the last one, which has been filled in, and shows it. */
static void show_last(struct lw_explorer *ex)
{
    ex->list.entry = ex->list.count++;
    ex->changed |= LW_CHANGED_ENTRY;
}

bool lw_explorer_add(struct lw_explorer *ex, const char *source, const char *label)
{
    struct lw_error err;
    struct lw_entry *entry = add_empty_entry(ex, source, label);
    if (!entry)
        return false;
    if (!lw_entry_load(ex, ex->list.count, &err)) {
        lw_entry_free(entry);
        show_reason(ex, source, &err);
        return false;
    }
    show_last(ex);
    return true;
}

/* An entry that was opened from the same text, not a file, and was not edited; list.count: there is none. */
static size_t find_opened(const struct lw_list *list, const char *source)
{
    size_t i = 0;
    while (i < list->count &&
           (!list->entries[i].own || strcmp(list->entries[i].source, source) != 0 ||
            list->entries[i].past_total || list->entries[i].dirty || list->entries[i].path ||
            access(source, F_OK) == 0))
        i++;
    return i;
}

bool lw_explorer_open(struct lw_explorer *ex, const char *source, const char *label)
{
    lw_trail_push(ex);
    bool second = lw_trail_has_second(ex); /* that pane is for an operation, which the next layout
                                              does not have */
    size_t opened = find_opened(&ex->list, source);
    if (opened < ex->list.count && opened == ex->list.entry) { /* it is on the screen */
        lw_trail_drop(ex);
    } else if (opened < ex->list.count) {
        ex->list.entry = opened;
        ex->changed |= LW_CHANGED_ENTRY;
    } else if (!lw_explorer_add(ex, source, label)) {
        lw_trail_drop(ex);
        return false;
    }
    if (second && (ex->changed & LW_CHANGED_ENTRY)) {
        ex->panes.active = ex->panes.all;
        ex->panes.count = 1;
    }
    ex->focus = LW_FOCUS_VIEW;
    return true;
}

bool lw_explorer_add_document(struct lw_explorer *ex, struct lw_document *doc, const char *source,
                              const char *label)
{
    struct lw_document original;
    struct lw_entry *entry = add_empty_entry(ex, source, label);
    bool copied = entry && lw_document_copy(&original, doc, NULL);
    if (!copied)
        lw_document_free(doc);
    if (!copied || !lw_entry_put(entry, &original, doc, NULL)) {
        if (entry)
            lw_entry_free(entry);
        return !(ex->failed = true);
    }
    show_last(ex);
    return true;
}

void lw_entries_release(struct lw_explorer *ex)
{
    for (size_t i = ex->options->count; i < ex->list.count; i++) {
        struct lw_entry *entry = &ex->list.entries[i];
        bool changed = entry->past_total || entry->dirty || entry->recovered ||
                       entry->has_recovery || entry->path;
        bool taken = ex->lesson && ex->lesson->entry == i;
        if (i == ex->list.entry || !entry->loaded || entry->own || taken || changed)
            continue;
        lw_entry_drop(entry);
        lw_entry_clear(&ex->list, entry);
    }
}
