/* Loads a layout from a SOURCE and the options. */

#include "cli/load.h"

#include "notation/document/read.h"

#include <stdlib.h>
#include <string.h>

/* Names the option in an error about its value, and keeps the quoted value. */
static bool attribute_error(const char *option, const char *name, struct lw_error *err)
{
    struct lw_error inner = *err;
    const size_t length = strlen(name);
    const bool named = length && !strncmp(inner.message, name, length);
    const char *why = inner.message + (named && inner.message[length] == ':' ? length + 2 : 0);
    lw_error_set(err, inner.code, "--%s%s%.60s: %.400s", option, *name ? " " : "", name, why);
    memcpy(err->excerpt, inner.excerpt, sizeof err->excerpt);
    err->excerpt_column = inner.excerpt_column;
    err->position.length = inner.position.length;
    return false;
}

/* Reads "32", "32,8", "[32, 8, 1]". */
static bool read_block(const char *text, uint64_t block[3], struct lw_error *err)
{
    const char *at = text ? text + strspn(text, "[ ") : "";
    for (int i = 0; i < 3 && *at; i++) {
        char *end;
        block[i] = strtoull(at, &end, 10);
        if (end == at || *at == '-' || !block[i] || block[i] > LW_CUDA_THREADS_MAX)
            break;
        at = end + strspn(end, ",] ");
    }
    return !*at || lw_error_set(err, LW_ERROR_SYNTAX,
                                "--block %.40s: expected 1 to 3 numbers of threads, as 32,8", text);
}

bool lw_load_options(struct lw_load_options *options, const struct lw_arguments *args,
                     struct lw_error *err)
{
    memset(options, 0, sizeof *options);
    options->type = LW_OPTION_VALUE(args, TYPE);
    options->element = LW_OPTION_VALUE(args, ELEMENT);
    options->input = args->is_request ? NULL : stdin;
    options->sets = args->sets;
    options->set_count = args->set_count;
    options->sides_follow = lw_options_are_set(args, LW_OPTIONS_SIDES);
    struct lw_tensor tensor;
    if (options->type && !lw_tensor_read(&tensor, options->type, err))
        return attribute_error("type", "", err);
    struct lw_element element;
    if (options->element && !lw_element_find(&element, options->element, err))
        return attribute_error("element", "", err);
    options->cuda.lets = args->lets;
    options->cuda.let_count = args->let_count;
    return read_block(LW_OPTION_VALUE(args, BLOCK), options->cuda.block, err) &&
           lw_chosen_triton(args, &options->triton, err) && lw_target(args, &options->target, err);
}

void lw_load_attribute_error(const struct lw_load_options *options, struct lw_error *err)
{
    const struct lw_error inner = *err;
    for (size_t i = 0; i < options->set_count; i++)
        if (*inner.parameter && strstr(options->sets[i], inner.parameter))
            lw_error_set(err, inner.code, "--set %.60s: %.400s", options->sets[i], inner.message);
}

bool lw_load_set(struct lw_document *doc, const char *set, struct lw_error *err)
{
    const char *equals = strchr(set, '=');
    char name[128];
    if (!equals || equals == set)
        return lw_error_set(err, LW_ERROR_SYNTAX, "--set %.60s: expected NAME=VALUE", set);
    if ((size_t)(equals - set) >= sizeof name)
        return lw_error_set(err, LW_ERROR_NAME, "--set %.60s...: the name is too long", set);
    memcpy(name, set, (size_t)(equals - set));
    name[equals - set] = '\0';
    doc->about = ""; /* it described the document before the change */
    return lw_document_set(doc, name, equals + 1, err) || attribute_error("set", name, err);
}

/* Checks the name of a view: the reader of documents accepts any, as it does not know the views. */
static bool check_view(const struct lw_document *doc, struct lw_error *err)
{
    char hint[LW_HINT_MAX];
    if (!*doc->view || lw_view_type_find(doc->view))
        return true;
    const char *instead = lw_choices_dropped(&lw_choices_views, doc->view);
    if (instead)
        return lw_error_about(err, "view", (struct lw_position){0},
                              "view: '%s' is no longer there: use %s", doc->view, instead);
    return lw_error_about(err, "view", (struct lw_position){0}, "view: unknown view '%.*s'%s",
                          lw_shown_length(doc->view, 60), doc->view,
                          lw_text_hint(hint, lw_choices_nearest(&lw_choices_views, doc->view), ""));
}

/* Whether a set is of another layout of the access, which an option adds: shared.vec=4. */
static bool is_of_side(const struct lw_document *doc, const struct lw_load_options *options,
                       const char *set)
{
    enum lw_side side;
    size_t length, word = strcspn(set, ".=");
    return options->sides_follow && set[word] == '.' &&
           lw_document_find_side(set, &side, &length) && side != doc->side;
}

bool lw_load_document(struct lw_document *doc, const char *source,
                      const struct lw_load_options *options, struct lw_error *err)
{
    struct lw_open_options open = {.type = options->type,
                                   .element = options->element,
                                   .triton = options->triton,
                                   .cuda = &options->cuda,
                                   .input = options->input};
    if (!lw_document_open(doc, source, &open, err))
        return false;
    bool good = check_view(doc, err);
    for (size_t i = 0; good && i < options->set_count; i++)
        good =
            is_of_side(doc, options, options->sets[i]) || lw_load_set(doc, options->sets[i], err);
    if (!good)
        lw_document_free(doc);
    return good;
}

bool lw_load_put_sides(struct lw_document *doc, const struct lw_arguments *args,
                       const struct lw_load_options *options, const char **failed,
                       struct lw_error *err)
{
    const char *const sources[LW_SIDES] = {
        LW_OPTION_VALUE(args, STORE), LW_OPTION_VALUE(args, SHARED), LW_OPTION_VALUE(args, LOAD)};
    struct lw_load_options plain = *options;
    plain.set_count = 0; /* sets are for the document itself */
    for (int i = 0; i < LW_SIDES; i++) {
        struct lw_document other;
        enum lw_side side = (enum lw_side)i;
        *failed = sources[i];
        if (!sources[i])
            continue;
        if (!lw_load_document(&other, sources[i], &plain, err))
            return false;
        lw_document_settle(doc);
        bool good = side != doc->side ||
                    lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                 "--%s: the first SOURCE is %s already: omit one of the two",
                                 lw_side_key(side), lw_side_name(side));
        good = good && lw_check_side(&other, side, err) && lw_document_put(doc, side, &other, err);
        lw_document_free(&other);
        if (!good)
            return false;
    }
    *failed = NULL;
    for (size_t i = 0; i < options->set_count; i++)
        if (is_of_side(doc, options, options->sets[i]) && !lw_load_set(doc, options->sets[i], err))
            return false;
    return true;
}

bool lw_load(struct lw_loaded *loaded, const char *source, const struct lw_load_options *options,
             struct lw_error *err)
{
    const struct lw_hardware *target = options->target;
    struct lw_subject *subject = &loaded->opened.subject;
    if (!lw_load_document(&loaded->doc, source, options, err))
        return false;
    if (options->like && !lw_encoding_has_shape(loaded->doc.encoding))
        lw_document_share(&loaded->doc, options->like, false);
    if (lw_subject_open(&loaded->opened, &loaded->doc, target ? target->lanes : LW_LANES_DEFAULT,
                        err)) {
        subject->hardware = target;
        if (lw_hardware_check_lanes(target, &subject->map, err))
            return true;
        lw_subject_close(&loaded->opened);
    }
    lw_load_attribute_error(options, err);
    lw_document_free(&loaded->doc);
    return false;
}

void lw_unload(struct lw_loaded *loaded)
{
    lw_subject_close(&loaded->opened);
    lw_document_free(&loaded->doc);
}

/* Makes the linear layout of a map; threads of tilus are split into lanes and warps. */
static bool to_layout(const struct lw_map *map, enum lw_family family, uint64_t lanes,
                      struct lw_layout *layout, struct lw_error *err)
{
    return family == LW_FAMILY_TILUS_REGISTER ? lw_map_to_hardware(map, lanes, layout, err)
                                              : lw_map_to_layout(map, layout, err);
}

bool lw_load_side(const struct lw_document *doc, const struct lw_arguments *args,
                  enum lw_side *side, struct lw_error *err)
{
    const char *name = LW_OPTION_VALUE(args, SIDE);
    *side = doc->side;
    for (int i = 0; name && i < LW_SIDES; i++)
        if (!strcmp(lw_side_key((enum lw_side)i), name))
            *side = (enum lw_side)i;
    if (name && !lw_document_is_access(doc))
        return lw_error_set(err, LW_ERROR_NAME, "--side %s: this is one layout, not an access",
                            name);
    return lw_document_has(doc, *side) ||
           lw_error_set(err, LW_ERROR_NAME, "--side %s: the access has no %s", name,
                        lw_side_name(*side));
}

bool lw_load_layout(const struct lw_document *doc, const struct lw_load_options *options,
                    struct lw_layout *layout, struct lw_error *err)
{
    struct lw_map map;
    const struct lw_hardware *target = options->target;
    if (lw_document_build(doc, &map, err) && lw_hardware_check_lanes(target, &map, err))
        return to_layout(&map, doc->encoding->type->family,
                         target ? target->lanes : LW_LANES_DEFAULT, layout, err);
    lw_load_attribute_error(options, err);
    return false;
}

bool lw_loaded_layout(const struct lw_loaded *loaded, struct lw_layout *layout,
                      struct lw_error *err)
{
    const struct lw_subject *subject = &loaded->opened.subject;
    return to_layout(&subject->map, subject->family, subject->lanes, layout, err);
}
