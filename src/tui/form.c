/* The form: the fields of a document, made from the schema of its encodings, and editing them. Every
 * keystroke is tried on the document at once; what cannot be read stays in the field until it can.
 * Of a pair the layout that the pane with the keys shows comes first, then the other one: the paths of
 * the second layout's fields begin with `with.`, as in lw_document_set. */

#include "tui/form.h"
#include "tui/numbers.h"

#include <stdlib.h>
#include <string.h>

/* ---- The fields ---- */

#define SECOND_PATH "with."

static struct lw_field *add_field(struct lw_explorer *ex)
{
    if (ex->field_count == ex->field_room) {
        size_t room = ex->field_room ? ex->field_room * 2 : 16;
        struct lw_field *fields = realloc(ex->fields, room * sizeof *fields);
        if (!fields) {
            ex->failed = true;
            return NULL;
        }
        memset(fields + ex->field_room, 0, (room - ex->field_room) * sizeof *fields);
        for (size_t i = ex->field_room; i < room; i++)
            fields[i].row = -1;
        ex->fields = fields;
        ex->field_room = room;
    }
    struct lw_field *field = &ex->fields[ex->field_count++];
    struct lw_text text = field->text;
    lw_text_clear(&text);
    *field = (struct lw_field){.text = text, .row = field->row};
    return field;
}

static void add_heading(struct lw_explorer *ex, int depth, const char *name)
{
    struct lw_field *field = add_field(ex);
    if (!field)
        return;
    field->depth = depth;
    snprintf(field->label, sizeof field->label, "%s", name);
}

/* The same parameter of the document as it was read, or NULL when there the encoding differs. */
static const struct lw_encoding *twin(const struct lw_encoding *original,
                                      const struct lw_encoding *encoding)
{
    return original && original->type == encoding->type ? original : NULL;
}

static void add_params(struct lw_explorer *ex, const struct lw_encoding *encoding,
                       const struct lw_encoding *original, const char *path, int depth, int rank);

/* The encodings within this one, each with its own parameters. */
static void add_nested(struct lw_explorer *ex, const struct lw_encoding *encoding,
                       const struct lw_encoding *original, const char *path, int depth, int rank)
{
    for (size_t i = 0; i < encoding->type->param_count; i++) {
        const struct lw_value *value = &encoding->params[i];
        char below[LW_PATH_MAX];
        if (value->kind != LW_VALUE_ENCODING || depth > LW_NESTING_MAX)
            continue;
        const struct lw_encoding *old = original && original->params[i].kind == LW_VALUE_ENCODING
                                            ? twin(original->params[i].encoding, value->encoding)
                                            : NULL;
        int used = snprintf(below, sizeof below, "%s%s.", path, encoding->type->params[i].name);
        if (used < (int)sizeof below)
            add_params(ex, value->encoding, old, below, depth, rank);
    }
}

static void add_param(struct lw_explorer *ex, const struct lw_encoding *encoding, size_t index,
                      const struct lw_encoding *original, const char *path, int depth, int rank)
{
    const struct lw_param *param = &encoding->type->params[index];
    struct lw_arena arena = {0};
    struct lw_field *field = add_field(ex);
    if (!field)
        return;
    struct lw_value value = lw_encoding_effective(&arena, encoding, (int)index, rank);
    field->depth = depth;
    field->param = param;
    field->said = encoding->params[index].kind != LW_VALUE_NONE;
    field->changed =
        !original || !lw_value_equal(&encoding->params[index], &original->params[index]);
    snprintf(field->path, sizeof field->path, "%s%s", path, param->name);
    snprintf(field->label, sizeof field->label, "%s", param->name);
    if (value.kind != LW_VALUE_NONE)
        lw_value_print(&field->text, &value);
    lw_arena_free(&arena);
}

/* In the order in which they are written: what a call is chained to comes before it, what an
 * attribute holds after its own parameters. */
static void add_params(struct lw_explorer *ex, const struct lw_encoding *encoding,
                       const struct lw_encoding *original, const char *path, int depth, int rank)
{
    bool call = encoding->type->spelling == LW_SPELLING_CALL;
    if (call)
        add_nested(ex, encoding, original, path, depth, rank);
    add_heading(ex, depth, encoding->type->name);
    for (size_t i = 0; i < encoding->type->param_count; i++)
        if (encoding->type->params[i].type != LW_PARAM_ENCODING)
            add_param(ex, encoding, i, original, path, depth + 1, rank);
    if (!call)
        add_nested(ex, encoding, original, path, depth + 1, rank);
}

/* A field of the tensor; NULL when memory is out. */
static struct lw_field *add_plain(struct lw_explorer *ex, const char *path, const char *name,
                                  bool said)
{
    struct lw_field *field = add_field(ex);
    if (!field)
        return NULL;
    field->depth = 1;
    field->said = said;
    snprintf(field->path, sizeof field->path, "%s%s", path, name);
    snprintf(field->label, sizeof field->label, "%s", name);
    return field;
}

static void add_sizes(struct lw_explorer *ex, const char *path, const char *name,
                      const uint64_t *sizes, int rank, const uint64_t *old, int old_rank)
{
    struct lw_field *field = add_plain(ex, path, name, rank >= 0);
    if (!field)
        return;
    field->changed = rank != old_rank;
    lw_text_char(&field->text, '[');
    for (int i = 0; i < rank; i++) {
        lw_text_format(&field->text, "%s%llu", i ? ", " : "", (unsigned long long)sizes[i]);
        field->changed = field->changed || sizes[i] != old[i];
    }
    lw_text_char(&field->text, ']');
}

/* Only a tensor in memory is part of what is allocated. */
static void add_tensor(struct lw_explorer *ex, const struct lw_tensor *tensor,
                       const struct lw_tensor *old, const char *path)
{
    add_heading(ex, 0, tensor->memory ? "memdesc" : "tensor");
    add_sizes(ex, path, "shape", tensor->shape, tensor->rank, old->shape, old->rank);
    if (tensor->memory && tensor->rank >= 0)
        add_sizes(ex, path, "alloc", tensor->alloc, tensor->alloc_rank, old->alloc,
                  old->alloc_rank);
    struct lw_field *field = add_plain(ex, path, "element", tensor->element.bits > 0);
    if (!field)
        return;
    lw_text_add(&field->text, tensor->element.name);
    field->changed = strcmp(tensor->element.name, old->element.name) != 0;
}

/* A value may change how many fields there are: the one that is typed in stays the same. */
static void find_edited(struct lw_explorer *ex)
{
    for (size_t i = 0; i < ex->field_count; i++)
        if (!strcmp(ex->fields[i].path, ex->edited)) {
            ex->field = i;
            return;
        }
}

static void add_tensors(struct lw_explorer *ex, bool second)
{
    const struct lw_document *doc = &lw_explorer_entry(ex)->doc;
    const struct lw_document *old = &lw_explorer_entry(ex)->original;
    if (second)
        add_tensor(ex, &doc->with_tensor, &old->with_tensor, SECOND_PATH);
    else if (doc->tensor.rank >= 0 || doc->encoding->type->spelling == LW_SPELLING_ATTRIBUTE)
        add_tensor(ex, &doc->tensor, &old->tensor, "");
}

/* One of the two encodings, in a pair with its number. */
static void add_layout(struct lw_explorer *ex, bool second)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    const struct lw_encoding *encoding = second ? entry->doc.with : entry->doc.encoding;
    const struct lw_encoding *old = second ? entry->original.with : entry->original.encoding;
    const struct lw_tensor *tensor =
        second && entry->doc.with_tensor.rank >= 0 ? &entry->doc.with_tensor : &entry->doc.tensor;
    size_t at = ex->field_count;
    int rank = tensor->rank >= 0           ? tensor->rank
               : second && ex->has_second  ? ex->second.subject.map.out.count
               : !second && ex->has_opened ? ex->opened.subject.map.out.count
                                           : tensor->rank;
    add_params(ex, encoding, twin(old, encoding), second ? SECOND_PATH : "", 0, rank);
    if (entry->doc.with && at < ex->field_count) {
        struct lw_field *head = &ex->fields[at];
        size_t used = strlen(head->label);
        snprintf(head->label + used, sizeof head->label - used, ", %s layout",
                 second ? "second" : "first");
    }
}

bool lw_form_begins_second(const struct lw_explorer *ex)
{
    const struct lw_entry *entry = &ex->entries[ex->entry];
    return entry->loaded && entry->doc.with && ex->pane->shown == LW_SHOWN_SECOND;
}

void lw_form_refresh(struct lw_explorer *ex)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    bool second = lw_form_begins_second(ex);
    ex->field_count = 0;
    ex->form_second = second;
    if (!entry->loaded)
        return;
    bool own = entry->doc.with && entry->doc.with_tensor.rank >= 0; /* a tensor of the second */
    add_tensors(ex, second && own);
    add_layout(ex, second);
    if (own)
        add_tensors(ex, !second);
    if (entry->doc.with)
        add_layout(ex, !second);
    if (ex->place == LW_AT_EDIT)
        find_edited(ex);
    if (ex->field >= ex->field_count)
        ex->field = 0;
    if (ex->field_count && !ex->fields[ex->field].path[0])
        lw_form_move(ex, 1);
}

void lw_form_follow(struct lw_explorer *ex)
{
    if (ex->form_second == lw_form_begins_second(ex) || ex->place == LW_AT_EDIT)
        return;
    ex->field = ex->field_top = ex->item = 0;
    lw_form_refresh(ex);
}

struct lw_error *lw_form_problem(struct lw_explorer *ex, const char *path)
{
    bool second = !strncmp(path, SECOND_PATH, strlen(SECOND_PATH)) || !strcmp(path, "with");
    return second ? &ex->second_problem : &ex->problem;
}

const char *lw_form_path(const struct lw_explorer *ex, const char *name)
{
    size_t skip = strlen(SECOND_PATH);
    for (size_t i = 0; i < ex->field_count; i++) {
        const char *path = ex->fields[i].path;
        bool second = !strncmp(path, SECOND_PATH, skip);
        if (*path && !strcmp(path + (second ? skip : 0), name))
            return path;
    }
    return name;
}

void lw_form_choose(struct lw_explorer *ex, const char *path)
{
    for (size_t i = 0; i < ex->field_count; i++)
        if (ex->fields[i].path[0] && !strcmp(ex->fields[i].path, path) && i != ex->field) {
            ex->field = i;
            ex->item = 0;
            return;
        }
}

void lw_form_free(struct lw_explorer *ex)
{
    for (size_t i = 0; i < ex->field_room; i++)
        lw_text_free(&ex->fields[i].text);
    free(ex->fields);
    ex->fields = NULL;
    ex->field_count = ex->field_room = 0;
}

/* Behind the last field the facts are scrolled. */
void lw_form_move(struct lw_explorer *ex, int by)
{
    size_t at = ex->field;
    if (by < 0 && ex->facts_top > 0) {
        ex->facts_top--;
        return;
    }
    while (by > 0 ? at + 1 < ex->field_count : at > 0) {
        at = by > 0 ? at + 1 : at - 1;
        if (ex->fields[at].path[0]) {
            ex->field = at;
            ex->item = 0;
            return;
        }
    }
    if (by > 0 && ex->facts_more)
        ex->facts_top++;
}

/* ---- Numbers in a value ---- */

void lw_form_pick(struct lw_explorer *ex, int by)
{
    size_t start, end, item = ex->item + (size_t)by;
    if (ex->field >= ex->field_count || (by < 0 && ex->item == 0))
        return;
    if (lw_number_find(lw_text_string(&ex->fields[ex->field].text), item, &start, &end))
        ex->item = item;
}

void lw_form_pick_at(struct lw_explorer *ex, int column)
{
    size_t start, end;
    const char *text = lw_text_string(&ex->fields[ex->field].text);
    for (size_t item = 0; column >= 0 && lw_number_find(text, item, &start, &end); item++)
        if ((size_t)column >= start && (size_t)column < end)
            ex->item = item;
}

/* ---- Editing ---- */

static bool begin(struct lw_explorer *ex)
{
    if (ex->has_before)
        lw_document_free(&ex->before);
    ex->has_before = lw_document_copy(&ex->before, &lw_explorer_entry(ex)->doc, NULL);
    ex->failed = ex->failed || !ex->has_before;
    return ex->has_before;
}

/* Ends an edit: one step of history when it changed anything. */
static void finish(struct lw_explorer *ex)
{
    if (!ex->has_before)
        return;
    bool changed = !lw_documents_equal(&ex->before, &lw_explorer_entry(ex)->doc);
    if (changed && !lw_history_push(ex, &ex->before))
        ex->failed = true;
    lw_document_free(&ex->before);
    ex->has_before = false;
    if (changed)
        lw_save_note(ex);
}

static bool try_value(struct lw_explorer *ex, const char *path, const char *text)
{
    struct lw_document doc;
    struct lw_error err;
    if (!lw_document_copy(&doc, &lw_explorer_entry(ex)->doc, NULL)) {
        ex->failed = true;
        return false;
    }
    if (!lw_document_set(&doc, path, text, &err)) {
        lw_document_free(&doc);
        *lw_form_problem(ex, path) = err;
        return false;
    }
    lw_document_free(&lw_explorer_entry(ex)->doc);
    lw_explorer_entry(ex)->doc = doc;
    lw_explorer_rebuild(ex);
    return true;
}

static void typed(struct lw_explorer *ex)
{
    try_value(ex, ex->edited, lw_text_string(&ex->edit.text));
}

void lw_form_edit(struct lw_explorer *ex, uint32_t first)
{
    if (ex->field >= ex->field_count || !ex->fields[ex->field].path[0] || !begin(ex))
        return;
    const char *text = lw_text_string(&ex->fields[ex->field].text);
    size_t start, end;
    lw_line_set(&ex->edit, text);
    bool number = first >= '0' && first <= '9';
    if (first && number && lw_number_find(text, ex->item, &start, &end)) {
        /* Typing a digit replaces the number that is chosen and leaves the others. */
        ex->edit.caret = end;
        for (size_t i = start; i < end; i++)
            lw_line_key(&ex->edit, LW_KEY_BACKSPACE);
    } else if (first) {
        lw_line_set(&ex->edit, "");
    }
    snprintf(ex->edited, sizeof ex->edited, "%s", ex->fields[ex->field].path);
    ex->place = LW_AT_EDIT;
    ex->by_number = number;
    ex->replaces = false;
    if (first) {
        lw_line_key(&ex->edit, first);
        typed(ex);
    }
}

bool lw_form_turn(struct lw_explorer *ex, int by)
{
    const char *text = lw_text_string(&ex->edit.text);
    size_t item, start, end;
    if (!ex->by_number || !lw_number_at(text, ex->edit.caret, &item) || (by < 0 && item == 0) ||
        !lw_number_find(text, item + (size_t)by, &start, &end))
        return false;
    ex->item = item + (size_t)by;
    ex->edit.caret = end;
    ex->replaces = true;
    return true;
}

void lw_form_key(struct lw_explorer *ex, uint32_t key)
{
    const char *text = lw_text_string(&ex->edit.text);
    size_t start, end, caret = ex->edit.caret;
    bool at_end = !(text[caret] >= '0' && text[caret] <= '9');
    if ((key == LW_KEY_RIGHT && at_end && lw_form_turn(ex, 1)) ||
        (key == LW_KEY_LEFT && ex->replaces && lw_form_turn(ex, -1)))
        return;
    if (ex->replaces && key >= '0' && key <= '9' && lw_number_find(text, ex->item, &start, &end))
        while (ex->edit.caret > start)
            lw_line_key(&ex->edit, LW_KEY_BACKSPACE);
    ex->replaces = false;
    if (lw_line_key(&ex->edit, key))
        typed(ex);
}

bool lw_form_accept(struct lw_explorer *ex)
{
    if (!try_value(ex, ex->edited, lw_text_string(&ex->edit.text))) {
        lw_explorer_say(ex, true, "this cannot be read as a value; Esc gives it up");
        return false;
    }
    finish(ex);
    ex->place = LW_AT_FORM;
    return true;
}

bool lw_form_set(struct lw_explorer *ex, const char *path, const char *value)
{
    if (!lw_explorer_entry(ex)->loaded || !begin(ex))
        return false;
    bool read = try_value(ex, path, value);
    if (!read) {
        struct lw_error *why = lw_form_problem(ex, path);
        lw_explorer_say(ex, true, "%s", why->message);
        why->code = LW_OK;
    }
    finish(ex);
    if (read)
        lw_form_choose(ex, path);
    return read;
}

void lw_form_cancel(struct lw_explorer *ex)
{
    if (ex->has_before) {
        lw_document_free(&lw_explorer_entry(ex)->doc);
        lw_explorer_entry(ex)->doc = ex->before;
        ex->has_before = false;
    }
    ex->place = LW_AT_FORM;
    lw_explorer_rebuild(ex);
}

void lw_form_step(struct lw_explorer *ex, int direction)
{
    if (ex->field >= ex->field_count || !ex->fields[ex->field].path[0])
        return;
    struct lw_field *field = &ex->fields[ex->field];
    const char *text = lw_text_string(&field->text);
    struct lw_text next = {0};
    char path[sizeof field->path];
    size_t start, end;
    snprintf(path, sizeof path, "%s", field->path);
    if (field->param && field->param->type == LW_PARAM_BOOLEAN) {
        lw_text_add(&next, !strcmp(text, "true") ? "false" : "true");
    } else if (field->param && (field->param->rules & LW_RULE_PERMUTATION)) {
        lw_number_exchange(&next, text, ex->item, direction);
    } else if (lw_number_find(text, ex->item, &start, &end)) {
        long long n = strtoll(text + start, NULL, 10);
        lw_text_bytes(&next, text, start);
        lw_text_format(&next, "%lld", (long long)lw_number_step(field->param, n, direction));
        lw_text_add(&next, text + end);
    }
    if (next.length && begin(ex)) {
        try_value(ex, path, lw_text_string(&next));
        finish(ex);
    }
    lw_text_free(&next);
}
