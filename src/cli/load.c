/*
 * Loads a layout from a SOURCE and the options; or several layouts of one tensor, each put at its side of an access:
 * shape and element that one of them sets hold for the others too.
 */

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

/* Sets "name=value" of a document. */
static bool set_param(struct lw_document *doc, const char *set, struct lw_error *err)
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
    /* the reader of documents accepts any name, as it does not know the views */
    bool good = !*doc->view || lw_choices_check(&lw_choices_views, "view", doc->view, err);
    for (size_t i = 0; good && i < options->set_count; i++)
        good = is_of_side(doc, options, options->sets[i]) || set_param(doc, options->sets[i], err);
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
        if (is_of_side(doc, options, options->sets[i]) && !set_param(doc, options->sets[i], err))
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
        return doc->encoding->type->family == LW_FAMILY_TILUS_REGISTER
                   ? lw_map_to_hardware(&map, target ? target->lanes : LW_LANES_DEFAULT, layout,
                                        err)
                   : lw_map_to_layout(&map, layout, err);
    lw_load_attribute_error(options, err);
    return false;
}

/* ---- Several layouts of one tensor ---- */

static bool has(const struct lw_pair *pair, int side)
{
    return pair->doc[side].encoding != NULL;
}

/* ---- Building ---- */

/* Sets the common element: that of a tensor, else that of an encoding. Fails when the layouts differ in it. */
static bool agree(struct lw_pair *pair, struct lw_error *err)
{
    struct lw_element held = {0};
    bool is_of_tensor = false;
    for (int i = 0; i < LW_SIDES; i++) {
        struct lw_element element = pair->doc[i].tensor.element;
        const bool is_own = element.bits != 0;
        if (has(pair, i) && !is_own)
            element.bits = lw_encoding_element_bits(pair->doc[i].encoding);
        if (!has(pair, i) || !element.bits)
            continue;
        if (held.bits && held.bits != element.bits)
            return lw_error_set(
                err, LW_ERROR_SHAPE,
                "the layouts have different elements: %s%sof %d bits and %s%sof %d bits", held.name,
                *held.name ? " " : "", held.bits, element.name, *element.name ? " " : "",
                element.bits);
        if (!held.bits || (!is_of_tensor && is_own))
            held = element;
        is_of_tensor = is_of_tensor || is_own;
    }
    pair->element_is_set = held.bits != 0;
    pair->element = held;
    if (!held.bits)
        pair->element.bits = 32;
    return true;
}

/* The layout of a copy atom is of its threads and bits: no memory, though its map is from offsets. */
static bool check_no_atom(const struct lw_document *doc, struct lw_error *err)
{
    const struct lw_value *role = lw_encoding_value(doc->encoding, "role");
    return !role || role->kind != LW_VALUE_STRING || strcmp(role->string, "bits") != 0 ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "the layout of a copy atom is of its threads and bits, in neither "
                        "registers nor memory: .S and .D of make_tiled_copy(Copy_Atom<...>{}, "
                        "...) are in registers");
}

/* Whether the encoding, or a parent in it, has a threadsPerWarp: Triton rejects other numbers of lanes. */
static bool sets_lanes(const struct lw_encoding *encoding)
{
    for (int depth = 0; encoding && depth < LW_NESTING_MAX; depth++) {
        if (lw_encoding_param(encoding, "threadsPerWarp") >= 0)
            return true;
        bool sliced = lw_encoding_param(encoding, "parent") >= 0;
        encoding = sliced ? lw_encoding_nested(encoding, "parent") : NULL;
    }
    return false;
}

/* Builds the maps, and the subjects with the common element. */
static bool build(struct lw_pair *pair, const struct lw_load_options *options, bool access,
                  struct lw_error *err)
{
    /* Each layout without a shape has that of the others; in an access a CuTe layout beside registers is memory. */
    for (int i = 0; i < LW_SIDES; i++)
        for (int k = 0; k < LW_SIDES; k++)
            if (i != k && has(pair, i) && has(pair, k))
                lw_document_share(&pair->doc[i], &pair->doc[k],
                                  access && (i == LW_SIDE_S || k == LW_SIDE_S));
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_document *doc = &pair->doc[i];
        struct lw_map *map = &pair->subject[i].map;
        if (!has(pair, i))
            continue;
        const struct lw_hardware *target =
            options->target || !sets_lanes(doc->encoding) ? options->target : lw_hardware_default();
        if (!check_no_atom(doc, err) || !lw_document_build(doc, map, err) ||
            !lw_hardware_check_lanes(target, map, err)) {
            pair->failed = pair->source[i];
            lw_load_attribute_error(options, err);
            return false;
        }
    }
    for (int i = 0; i < LW_SIDES; i++)
        if (has(pair, i) &&
            (lw_dims_find(&pair->subject[i].map.in, "offset") >= 0) != (i == LW_SIDE_S))
            return lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s: this layout is %sin shared memory",
                                lw_side_name((enum lw_side)i), i == LW_SIDE_S ? "not " : "");
    if (!agree(pair, err))
        return false;
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_document *doc = &pair->doc[i];
        const struct lw_map map = pair->subject[i].map;
        struct lw_tensor tensor;
        if (!has(pair, i))
            continue;
        lw_document_tensor(doc, &map, &tensor);
        tensor.element = pair->element;
        lw_subject_init(&pair->subject[i], &map, &tensor, doc->encoding->type->family);
        pair->subject[i].encoding = doc->encoding;
        pair->subject[i].hardware = options->target;
    }
    return true;
}

/* ---- Loading ---- */

/* Splits the one document into its layouts. */
static bool split(struct lw_pair *pair, bool access, struct lw_error *err)
{
    pair->whole = pair->doc[LW_SIDE_A];
    pair->source[LW_SIDE_S] = pair->source[LW_SIDE_B] = pair->source[LW_SIDE_A];
    memset(pair->doc, 0, sizeof pair->doc);
    for (int i = 0; i < LW_SIDES; i++)
        if (lw_document_has(&pair->whole, (enum lw_side)i))
            lw_document_side(&pair->doc[i], &pair->whole, (enum lw_side)i);
    return lw_document_is_access(&pair->whole) ||
           lw_error_set(err, LW_ERROR_SYNTAX,
                        "expected another layout: a second SOURCE, or \"%s\" in the document",
                        access ? "shared" : "load");
}

/* "shared.name=value" sets a parameter of the layout at that side, "name=value" of the first that has it. */
static bool apply_sets(struct lw_pair *pair, const struct lw_load_options *options,
                       const enum lw_side order[LW_SIDES], struct lw_error *err)
{
    for (size_t i = 0; i < options->set_count; i++) {
        enum lw_side side;
        struct lw_error why;
        size_t length;
        const bool is_prefixed = lw_document_find_side(options->sets[i], &side, &length);
        bool good = false;
        if (is_prefixed && side == LW_SIDE_B && !has(pair, (int)side)) /* it is the same as A */
            side = LW_SIDE_A;
        for (int k = 0; k < LW_SIDES && !good; k++)
            if (has(pair, (int)order[k]) && (!is_prefixed || order[k] == side)) {
                good = set_param(&pair->doc[order[k]], options->sets[i] + length, &why);
                if (!good && why.code != LW_ERROR_NAME)
                    k = LW_SIDES;
            }
        if (!good) {
            *err = why;
            return false;
        }
    }
    return true;
}

/* Reads the options, and checks those that name layouts beside the SOURCEs: a second SOURCE is shared S, or without an
 * access B. */
static bool read_options(struct lw_pair *pair, const struct lw_arguments *args, bool access,
                         struct lw_load_options *options, struct lw_error *err)
{
    static const enum lw_option_id taken[] = {LW_OPTION_STORE, LW_OPTION_SHARED, LW_OPTION_LOAD};
    const char *as = LW_OPTION_VALUE(args, AS);
    const size_t count = args->operand_count;
    if (!lw_load_options(options, args, err) ||
        !lw_fail_on_conflict(args, &pair->conflicts_max, err))
        return false;
    pair->to_global = LW_OPTION_IS_SET(args, TO_GLOBAL);
    pair->hardware = options->target;
    if (pair->to_global && as && strcmp(as, "compiled") != 0)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "--to-global counts instructions after the back end: it cannot be "
                            "combined with --as %s",
                            as);
    if (!access && count == 1 && LW_OPTION_IS_SET(args, SHARED))
        return lw_error_set(err, LW_ERROR_SYNTAX, "--shared is for two SOURCEs");
    for (size_t i = 0; access && count > 1 && i < count; i++)
        if (args->value[taken[i]])
            return lw_error_set(err, LW_ERROR_SYNTAX,
                                "--%s: the SOURCEs are registers A%s already: omit one of the two",
                                lw_options()[taken[i]].name,
                                count > 2 ? ", shared S and registers B" : " and shared S");
    return true;
}

/* Loads all layouts and puts each at its side. */
static bool load(struct lw_pair *pair, const struct lw_arguments *args, bool access,
                 const struct lw_load_options *options, struct lw_error *err)
{
    static const enum lw_side orders[][LW_SIDES] = {{LW_SIDE_A, LW_SIDE_B, LW_SIDE_S},
                                                    {LW_SIDE_A, LW_SIDE_S, LW_SIDE_B}};
    const enum lw_side *order = orders[access];
    const char *last = access ? LW_OPTION_VALUE(args, LOAD) : LW_OPTION_VALUE(args, SHARED);
    const size_t operands = args->operand_count, count = operands + (last && operands > 1);
    struct lw_load_options alone = *options;
    alone.set_count = count > 1 ? 0 : options->set_count;
    for (size_t i = 0; i < count; i++) {
        pair->failed = pair->source[order[i]] = i < operands ? args->operands[i] : last;
        if (!lw_load_document(&pair->doc[order[i]], pair->failed, &alone, err))
            return false;
    }
    if (count == 1 && access &&
        !lw_load_put_sides(&pair->doc[LW_SIDE_A], args, options, &pair->failed, err))
        return false;
    pair->failed = NULL;
    struct lw_document *a = &pair->doc[LW_SIDE_A], *s = &pair->doc[LW_SIDE_S];
    if (access && count == 2 && lw_document_is_in_memory(a) && !lw_document_is_in_memory(s)) {
        const struct lw_document first = *a; /* they may come in either order */
        *a = *s;
        *s = first;
        pair->source[LW_SIDE_A] = args->operands[1];
        pair->source[LW_SIDE_S] = args->operands[0];
    }
    return count == 1 ? split(pair, access, err) : apply_sets(pair, options, order, err);
}

/* The subject at each side; NULL: there is none. */
static void find_sides(const struct lw_pair *pair, const struct lw_subject *sides[LW_SIDES])
{
    for (int i = 0; i < LW_SIDES; i++)
        sides[i] = has(pair, i) ? &pair->subject[i] : NULL;
}

bool lw_pair_open(struct lw_pair *pair, const struct lw_arguments *args, bool access,
                  struct lw_error *err)
{
    struct lw_load_options options;
    const struct lw_subject *sides[LW_SIDES];
    const char *as = LW_OPTION_VALUE(args, AS);
    memset(pair, 0, sizeof *pair);
    if (!read_options(pair, args, access, &options, err))
        return false;
    if (!load(pair, args, access, &options, err) || !build(pair, &options, access, err)) {
        lw_pair_free(pair);
        return false;
    }
    find_sides(pair, sides);
    pair->to_global = pair->to_global || pair->whole.to_global;
    pair->stage = as && !strcmp(as, "triton")    ? LW_PLAN_TRITON
                  : as && !strcmp(as, "written") ? LW_PLAN_WRITTEN
                  : as || pair->to_global        ? LW_PLAN_COMPILED
                                                 : lw_subject_stage(sides);
    return true;
}

void lw_pair_free(struct lw_pair *pair)
{
    for (int i = 0; i < LW_SIDES; i++)
        lw_subject_separate(&pair->subject[i]);
    for (int i = 0; i < LW_SIDES; i++)
        lw_document_free(&pair->doc[i]); /* a side of the whole one has nothing of its own */
    lw_document_free(&pair->whole);
}

/* ---- A pair ---- */

bool lw_pair_join(struct lw_pair *pair, bool shared, struct lw_error *err)
{
    struct lw_subject *sides[LW_SIDES];
    for (int i = 0; i < LW_SIDES; i++) {
        sides[i] = has(pair, i) && (i != LW_SIDE_S || shared) ? &pair->subject[i] : NULL;
        pair->joined = sides[i] ? sides[i] : pair->joined;
    }
    if (!lw_subject_join(sides, err))
        return false;
    lw_subject_access_set_rules(pair->joined->access, pair->stage, pair->to_global);
    return true;
}

const struct lw_map *lw_pair_map(const struct lw_pair *pair, enum lw_side side)
{
    if (side != LW_SIDE_S && !has(pair, (int)side))
        side = side == LW_SIDE_A ? LW_SIDE_B : LW_SIDE_A;
    return has(pair, (int)side) ? &pair->subject[side].map : NULL;
}

uint64_t lw_pair_lanes(const struct lw_pair *pair)
{
    return (pair->hardware ? pair->hardware : lw_hardware_default())->lanes;
}

enum lw_status lw_pair_status(const struct lw_pair *pair, uint64_t conflicts)
{
    return conflicts > pair->conflicts_max ? LW_STATUS_NO : LW_STATUS_OK;
}

bool lw_pair_check_warps(const struct lw_pair *pair, struct lw_error *err)
{
    uint64_t warps[2];
    for (int i = 0; i < 2; i++) {
        const struct lw_dims *in = &lw_pair_map(pair, i ? LW_SIDE_B : LW_SIDE_A)->in;
        const uint64_t lanes = lw_pair_lanes(pair), threads = lw_dims_size(in, "thread");
        warps[i] = lw_dims_find(in, "thread") < 0 ? lw_dims_size(in, "warp")
                                                  : (threads + lanes - 1) / lanes;
    }
    return warps[0] == warps[1] ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "registers A have %llu warp%s, registers B %llu: a kernel has "
                        "one number of warps, and Triton rejects such a pair",
                        (unsigned long long)warps[0], warps[0] == 1 ? "" : "s",
                        (unsigned long long)warps[1]);
}

void lw_pair_print_head(struct lw_text *text, enum lw_head kind, const struct lw_pair *pair)
{
    const struct lw_subject *sides[LW_SIDES];
    find_sides(pair, sides);
    lw_put_head(text, kind, sides, pair->element_is_set ? "" : " (default; -t f16 sets it)");
}
