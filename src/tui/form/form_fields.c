/* The fields of the form: those of a document, made from the schema of its encodings. In an access the layout of the
 * active pane is first, then the others: the paths of their fields begin with `store.`, `shared.` or `load.`, as in
 * lw_document_set, those of the document's own layout have no prefix.
 *
 * Optional parameters that are not set are folded into a line with their number. Invariant: the chosen field is not
 * folded away. */

#include "tui/explore/explorer.h"
#include "tui/form/form.h"

#include <stdlib.h>
#include <string.h>

#define FOLD_PATH "..." /* appended to the path of the encoding */

enum { TYPING = LW_FOCUS_EDIT | LW_FOCUS_PICK };

static struct lw_field *add_field(struct lw_explorer *ex)
{
    if (ex->form.count == ex->form.room) {
        size_t room = ex->form.room ? ex->form.room * 2 : 16;
        struct lw_field *fields = realloc(ex->form.fields, room * sizeof *fields);
        if (!fields) {
            ex->failed = true;
            return NULL;
        }
        memset(fields + ex->form.room, 0, (room - ex->form.room) * sizeof *fields);
        for (size_t i = ex->form.room; i < room; i++)
            fields[i].row = -1;
        ex->form.fields = fields;
        ex->form.room = room;
    }
    struct lw_field *field = &ex->form.fields[ex->form.count++];
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
static const struct lw_encoding *same_in_original(const struct lw_encoding *original,
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
        const struct lw_encoding *old =
            original && original->params[i].kind == LW_VALUE_ENCODING
                ? same_in_original(original->params[i].encoding, value->encoding)
                : NULL;
        int used = snprintf(below, sizeof below, "%s%s.", path, encoding->type->params[i].name);
        if (used < (int)sizeof below)
            add_params(ex, value->encoding, old, below, depth, rank);
    }
}

/* Whether a parameter is optional and not set, and so folded away. */
static bool is_unset(const struct lw_explorer *ex, const struct lw_encoding *encoding, size_t index,
                     const struct lw_encoding *original, const char *path)
{
    const struct lw_param *param = &encoding->type->params[index];
    size_t length = strlen(path);
    bool typed = (ex->focus & TYPING) && !strncmp(ex->form.edited, path, length) &&
                 !strcmp(ex->form.edited + length, param->name);
    return param->fallback == LW_DEFAULT_ABSENT && param->type != LW_PARAM_ENCODING && !typed &&
           encoding->params[index].kind == LW_VALUE_NONE && original &&
           original->params[index].kind == LW_VALUE_NONE;
}

/* Adds the line of `count` folded parameters. */
static void add_fold(struct lw_explorer *ex, const char *path, int depth, int count)
{
    struct lw_field *field = add_field(ex);
    if (!field)
        return;
    field->depth = depth;
    field->folds = count;
    field->is_set = true;
    snprintf(field->path, sizeof field->path, "%s" FOLD_PATH, path);
    snprintf(field->label, sizeof field->label, "%d not set", count);
    lw_text_add(&field->text, ex->form.full ? "Enter hides them" : "Enter shows them");
}

/* Adds the field of a parameter; NULL: memory is out. */
static struct lw_field *add_param(struct lw_explorer *ex, const struct lw_encoding *encoding,
                                  size_t index, const struct lw_encoding *original,
                                  const char *path, int depth, int rank)
{
    const struct lw_param *param = &encoding->type->params[index];
    struct lw_arena arena = {0};
    struct lw_field *field = add_field(ex);
    if (!field)
        return NULL;
    struct lw_value value = lw_encoding_effective(&arena, encoding, (int)index, rank);
    field->depth = depth;
    field->param = param;
    field->is_set = encoding->params[index].kind != LW_VALUE_NONE;
    field->changed = original ? !lw_value_equal(&encoding->params[index], &original->params[index])
                              : field->is_set; /* the encoding has another type than before */
    snprintf(field->path, sizeof field->path, "%s%s", path, param->name);
    snprintf(field->label, sizeof field->label, "%s", param->name);
    if (value.kind != LW_VALUE_NONE)
        lw_value_print(&field->text, &value);
    lw_arena_free(&arena);
    return field;
}

/* Adds the parameters that are set, then those that are not. A single one is always shown. */
static void add_own(struct lw_explorer *ex, const struct lw_encoding *encoding,
                    const struct lw_encoding *original, const char *path, int depth, int rank)
{
    size_t count = encoding->type->param_count;
    int unset = 0;
    for (size_t i = 0; i < count; i++)
        unset += is_unset(ex, encoding, i, original, path);
    for (int pass = 0; pass < (unset > 1 ? 2 : 1); pass++) {
        if (pass)
            add_fold(ex, path, depth, unset);
        for (size_t i = 0; i < count; i++) {
            bool later = unset > 1 && is_unset(ex, encoding, i, original, path);
            if (encoding->type->params[i].type == LW_PARAM_ENCODING || later != (pass == 1))
                continue;
            struct lw_field *field = add_param(ex, encoding, i, original, path, depth, rank);
            if (field)
                field->hidden = later && !ex->form.full;
        }
    }
}

/* Adds them in the order of the text: an encoding that a call is chained to before it, the encodings in an attribute
 * after its own parameters. */
static void add_params(struct lw_explorer *ex, const struct lw_encoding *encoding,
                       const struct lw_encoding *original, const char *path, int depth, int rank)
{
    bool call = encoding->type->spelling == LW_SPELLING_CALL;
    if (call)
        add_nested(ex, encoding, original, path, depth, rank);
    if (lw_triton_since(encoding->triton, LW_TRITON_NEWEST) || depth > 0) {
        add_heading(ex, depth, encoding->type->name);
    } else {
        char name[40];
        snprintf(name, sizeof name, "%.22s (Triton %s)", encoding->type->name,
                 lw_triton_name(encoding->triton));
        add_heading(ex, depth, name);
    }
    add_own(ex, encoding, original, path, depth + 1, rank);
    if (!call)
        add_nested(ex, encoding, original, path, depth + 1, rank);
}

/* Adds a field of the tensor; NULL: memory is out. */
static struct lw_field *add_plain(struct lw_explorer *ex, const char *path, const char *name,
                                  bool is_set)
{
    struct lw_field *field = add_field(ex);
    if (!field)
        return NULL;
    field->depth = 1;
    field->is_set = is_set;
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

/* A tensor in memory has a field for its allocation, too. */
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

/* Finds the chosen field again after a value changed the number or the order of fields. */
static void find_chosen(struct lw_explorer *ex, const char *path)
{
    for (size_t i = 0; *path && i < ex->form.count; i++)
        if (!strcmp(ex->form.fields[i].path, path)) {
            ex->form.field = i;
            return;
        }
}

/* Puts the prefix of the paths of a layout's fields: "", "shared.". */
static void put_prefix(const struct lw_document *doc, enum lw_side side, char prefix[16])
{
    snprintf(prefix, 16, "%s%s", side == doc->side ? "" : lw_side_key(side),
             side == doc->side ? "" : ".");
}

/* The side of a path; *length: the length of its prefix. */
static enum lw_side side_of_path(const struct lw_document *doc, const char *path, size_t *length)
{
    enum lw_side side = doc->side;
    lw_document_find_side(path, &side, length);
    return side;
}

/* Adds the tensors of an access that are not the tensor of its own layout. */
static void add_tensors(struct lw_explorer *ex, enum lw_side side)
{
    const struct lw_document *doc = lw_explorer_entry(ex)->doc;
    const struct lw_document *old = lw_explorer_entry(ex)->original;
    char prefix[16];
    put_prefix(doc, side, prefix);
    if (side != doc->side && doc->others[side].tensor.rank >= 0)
        add_tensor(ex, &doc->others[side].tensor, &old->others[side].tensor, prefix);
    else if (side == doc->side &&
             (doc->tensor.rank >= 0 || doc->encoding->type->spelling == LW_SPELLING_ATTRIBUTE))
        add_tensor(ex, &doc->tensor, &old->tensor, "");
}

static int rank_of(const struct lw_explorer *ex, const struct lw_document *doc, enum lw_side side)
{
    const struct lw_subject *subject = lw_layouts_at(&ex->layouts, (struct lw_shown){side, false});
    const struct lw_tensor *own = &doc->others[side].tensor;
    if (side != doc->side && own->rank >= 0)
        return own->rank;
    return doc->tensor.rank >= 0 || !subject ? doc->tensor.rank : subject->map.out.count;
}

/* Adds one of the encodings, in an access with its side. */
static void add_layout(struct lw_explorer *ex, enum lw_side side)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    const struct lw_document *doc = entry->doc;
    bool own = side == doc->side;
    const struct lw_encoding *encoding = own ? doc->encoding : doc->others[side].encoding;
    const struct lw_encoding *old =
        own ? entry->original->encoding : entry->original->others[side].encoding;
    size_t at = ex->form.count;
    char prefix[16];
    put_prefix(doc, side, prefix);
    add_params(ex, encoding, same_in_original(old, encoding), prefix, 0, rank_of(ex, doc, side));
    if (lw_document_is_access(doc) && at < ex->form.count) {
        struct lw_field *head = &ex->form.fields[at];
        char name[sizeof head->label];
        snprintf(name, sizeof name, "%s", head->label);
        snprintf(head->label, sizeof head->label, "%s: %.24s", lw_side_name(side), name);
    }
}

/* The layout whose fields come first: the one that the active pane shows. */
static enum lw_side first_side(const struct lw_explorer *ex)
{
    const struct lw_entry *entry = &ex->list.entries[ex->list.entry];
    enum lw_side shown = ex->panes.active->shown.side;
    return entry->loaded && lw_document_has(entry->doc, shown) ? shown : entry->doc->side;
}

/* Whether a field can be chosen: it is not a heading, and not folded away. */
static bool can_choose(const struct lw_field *field)
{
    return field->path[0] && !field->hidden;
}

/* Moves through the fields; after the last one, scrolls the facts. */
void lw_form_move(struct lw_explorer *ex, int by)
{
    size_t at = ex->form.field;
    if (by < 0 && ex->form.facts_top > 0) {
        ex->form.facts_top--;
        return;
    }
    while (by > 0 ? at + 1 < ex->form.count : at > 0) {
        at = by > 0 ? at + 1 : at - 1;
        if (can_choose(&ex->form.fields[at])) {
            ex->form.field = at;
            ex->form.item = 0;
            return;
        }
    }
    if (by > 0 && ex->form.facts_more)
        ex->form.facts_top++;
}

static void add_side(struct lw_explorer *ex, enum lw_side side)
{
    add_tensors(ex, side);
    add_layout(ex, side);
}

void lw_form_refresh(struct lw_explorer *ex)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    enum lw_side first = first_side(ex);
    bool typing = (ex->focus & TYPING);
    char chosen[LW_PATH_MAX];
    snprintf(chosen, sizeof chosen, "%s",
             typing                            ? ex->form.edited
             : ex->form.field < ex->form.count ? ex->form.fields[ex->form.field].path
                                               : "");
    ex->form.count = 0;
    ex->form.side = first;
    if (!entry->loaded)
        return;
    if (first != entry->doc->side && entry->doc->others[first].tensor.rank < 0)
        add_tensors(ex, entry->doc->side); /* it is also that of this layout */
    add_side(ex, first);
    for (int i = 0; i < LW_SIDES; i++) {
        enum lw_side side = (enum lw_side)i;
        if (side == first || !lw_document_has(entry->doc, side))
            continue;
        if (side != entry->doc->side || entry->doc->others[first].tensor.rank >= 0)
            add_tensors(ex, side);
        add_layout(ex, side);
    }
    find_chosen(ex, chosen);
    if (ex->form.field >= ex->form.count)
        ex->form.field = 0;
    if (ex->form.count && !can_choose(&ex->form.fields[ex->form.field]))
        lw_form_move(ex, ex->form.fields[ex->form.field].hidden ? -1 : 1);
}

void lw_form_choose_bad(struct lw_explorer *ex)
{
    if (ex->form.field < ex->form.count && lw_form_is_bad(ex, &ex->form.fields[ex->form.field]))
        return;
    for (size_t i = 0; i < ex->form.count; i++)
        if (lw_form_is_bad(ex, &ex->form.fields[i])) {
            lw_form_choose_at(ex, i);
            return;
        }
}

void lw_form_follow(struct lw_explorer *ex)
{
    if (ex->form.side == first_side(ex) || (ex->focus & TYPING))
        return;
    ex->form.field = ex->form.top = ex->form.item = 0;
    lw_form_refresh(ex);
    if (ex->focus == LW_FOCUS_FORM)
        lw_form_choose_bad(ex);
}

static const char *last_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* Whether field `i` is of that layout and has that name, in any encoding. */
static bool has_name(const struct lw_explorer *ex, size_t i, const char *name, enum lw_side side)
{
    const struct lw_field *field = &ex->form.fields[i];
    const struct lw_document *doc = ex->list.entries[ex->list.entry].doc;
    size_t length;
    return field->path[0] && !field->folds && !strcmp(last_name(field->path), name) &&
           side == side_of_path(doc, field->path, &length);
}

static int count_named(const struct lw_explorer *ex, const char *name, enum lw_side side)
{
    int count = 0;
    for (size_t i = 0; i < ex->form.count; i++)
        count += has_name(ex, i, name, side);
    return count;
}

/* The side of the first layout in the form with such a field; if none has one, the first side. */
static enum lw_side side_with_name(const struct lw_explorer *ex, const char *name)
{
    if (count_named(ex, name, ex->form.side))
        return ex->form.side;
    for (int i = 0; i < LW_SIDES; i++)
        if (count_named(ex, name, (enum lw_side)i))
            return (enum lw_side)i;
    return ex->form.side;
}

void lw_form_put_path(const struct lw_explorer *ex, struct lw_text *text, size_t field)
{
    const char *path = ex->form.fields[field].path;
    bool outer =
        !strchr(path, '.') && count_named(ex, path, ex->list.entries[ex->list.entry].doc->side) > 1;
    lw_text_format(text, "%s%s", outer ? "." : "", path);
}

bool lw_form_disambiguate(struct lw_explorer *ex, const char *name)
{
    struct lw_text paths = {0};
    enum lw_side side = side_with_name(ex, name);
    if (count_named(ex, name, side) < 2)
        return true;
    for (size_t i = 0; i < ex->form.count; i++)
        if (has_name(ex, i, name, side)) {
            lw_text_add(&paths, paths.length ? ", " : "");
            lw_form_put_path(ex, &paths, i);
        }
    lw_explorer_set_message(ex, true, "which %s? there are %s", name, lw_text_string(&paths));
    lw_text_free(&paths);
    return false;
}

const char *lw_form_path(const struct lw_explorer *ex, const char *name)
{
    const struct lw_document *doc = ex->list.entries[ex->list.entry].doc;
    enum lw_side side = LW_SIDES;
    size_t length;
    if (*name == '.')
        return name + 1;
    bool sided = lw_document_find_side(name, &side, &length);
    for (size_t i = 0; i < ex->form.count; i++) {
        const char *path = ex->form.fields[i].path;
        size_t skip;
        bool fits = side_of_path(doc, path, &skip) == side || !sided;
        if (*path && fits && !strcmp(path + skip, name + length))
            return path;
    }
    return name;
}

void lw_form_choose(struct lw_explorer *ex, const char *path)
{
    for (size_t i = 0; i < ex->form.count; i++)
        if (ex->form.fields[i].path[0] && !strcmp(ex->form.fields[i].path, path) &&
            i != ex->form.field) {
            lw_form_choose_at(ex, i);
            return;
        }
}

void lw_form_choose_at(struct lw_explorer *ex, size_t at)
{
    bool hidden = ex->form.fields[at].hidden;
    ex->form.field = at;
    ex->form.item = 0;
    if (hidden)
        lw_form_unfold(ex, true);
}

void lw_form_unfold(struct lw_explorer *ex, bool full)
{
    ex->form.full = full;
    lw_form_refresh(ex);
}

void lw_form_free(struct lw_explorer *ex)
{
    for (size_t i = 0; i < ex->form.room; i++)
        lw_text_free(&ex->form.fields[i].text);
    free(ex->form.fields);
    ex->form.fields = NULL;
    ex->form.count = ex->form.room = 0;
}
