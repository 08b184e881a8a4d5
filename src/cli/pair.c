/*
 * Several layouts of one tensor: loaded, built, and each put at its side of an access. Shape and element that one
 * of them sets hold for the others too.
 */

#include "cli/pair.h"
#include "notation/document/read.h"

#include <string.h>

/* ---- Elements ---- */

/* The element of a layout: that of its tensor, else that of its encoding. */
static struct lw_element element_of(const struct lw_document *doc)
{
    struct lw_element element = doc->tensor.element;
    if (!element.bits)
        element.bits = lw_encoding_element_bits(doc->encoding);
    return element;
}

/* Sets the common element; fails when the layouts differ in it. */
static bool agree(struct lw_pair *pair, struct lw_error *err)
{
    struct lw_element held = {0};
    bool is_of_tensor = false;
    for (size_t i = 0; i < pair->count; i++) {
        const struct lw_element element = element_of(&pair->doc[i]);
        if (held.bits && element.bits && held.bits != element.bits)
            return lw_error_set(
                err, LW_ERROR_SHAPE,
                "the layouts have different elements: %s%sof %d bits and %s%sof %d bits", held.name,
                *held.name ? " " : "", held.bits, element.name, *element.name ? " " : "",
                element.bits);
        if (element.bits && (!held.bits || (!is_of_tensor && pair->doc[i].tensor.element.bits))) {
            held = element;
            is_of_tensor = pair->doc[i].tensor.element.bits != 0;
        }
    }
    pair->element_is_set = held.bits != 0;
    pair->element = held;
    if (!pair->element_is_set)
        pair->element.bits = 32;
    return true;
}

/* ---- Sides ---- */

static bool is_memory(const struct lw_map *map)
{
    return lw_dims_find(&map->in, "offset") >= 0;
}

const struct lw_map *lw_pair_map(const struct lw_pair *pair, enum lw_side side)
{
    int at = pair->at[side];
    if (at < 0 && side != LW_SIDE_S)
        at = pair->at[side == LW_SIDE_A ? LW_SIDE_B : LW_SIDE_A];
    return at < 0 ? NULL : &pair->subject[at].map;
}

enum lw_triton lw_pair_triton(const struct lw_pair *pair)
{
    enum lw_triton triton = LW_TRITON_UNSET;
    for (size_t i = 0; i < pair->count && !triton; i++)
        triton = pair->doc[i].encoding->triton;
    return triton;
}

/* The subject at each side; NULL: there is none. */
static void find_sides(const struct lw_pair *pair, const struct lw_subject *sides[LW_SIDES])
{
    for (int i = 0; i < LW_SIDES; i++)
        sides[i] = pair->at[i] >= 0 ? &pair->subject[pair->at[i]] : NULL;
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

/* Builds the maps, and finds the side of each: for SOURCEs in the order of the command, or, for two layouts of an
 * access, by whether they are in shared memory. The subjects get the common element. */
static bool build(struct lw_pair *pair, const struct lw_load_options *options, bool access,
                  struct lw_error *err)
{
    const bool whole = pair->whole.encoding;
    /* Each layout without a shape has that of the others; in an access a CuTe layout beside registers is memory. */
    for (size_t i = 0; i < pair->count; i++)
        for (size_t k = 0; k < pair->count; k++)
            if (i != k)
                lw_document_share(&pair->doc[i], &pair->doc[k],
                                  access && (pair->count == 2 || i == 1 || k == 1));
    for (size_t i = 0; i < pair->count; i++) {
        const struct lw_hardware *target = options->target;
        if (!target && lw_load_sets_lanes(&pair->doc[i]))
            target = lw_hardware_default(); /* Triton rejects other numbers of lanes */
        if (check_no_atom(&pair->doc[i], err) &&
            lw_document_build(&pair->doc[i], &pair->subject[i].map, err) &&
            lw_hardware_check_lanes(target, &pair->subject[i].map, err))
            continue;
        pair->failed = pair->source[whole ? 0 : i];
        lw_load_attribute_error(options, err);
        return false;
    }
    if (!whole) {
        bool swapped = access && pair->count == 2 && is_memory(&pair->subject[0].map) &&
                       !is_memory(&pair->subject[1].map);
        pair->at[LW_SIDE_A] = swapped;
        pair->at[LW_SIDE_S] = access ? !swapped : pair->count > 2 ? 2 : -1;
        pair->at[LW_SIDE_B] = !access ? 1 : pair->count > 2 ? 2 : -1;
    }
    for (int side = 0; side < LW_SIDES && (pair->count > 2 || whole); side++) {
        const struct lw_map *map = pair->at[side] < 0 ? NULL : &pair->subject[pair->at[side]].map;
        if (map && is_memory(map) != (side == LW_SIDE_S))
            return lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s: this layout is %s",
                                lw_side_name((enum lw_side)side),
                                is_memory(map) ? "in shared memory" : "not in shared memory");
    }
    if (!agree(pair, err))
        return false;
    for (size_t i = 0; i < pair->count; i++) {
        const struct lw_document *doc = &pair->doc[i];
        const struct lw_map map = pair->subject[i].map;
        struct lw_tensor tensor;
        lw_document_tensor(doc, &map, &tensor);
        tensor.element = pair->element;
        lw_subject_init(&pair->subject[i], &map, &tensor, doc->encoding->type->family);
        pair->subject[i].encoding = doc->encoding;
        pair->subject[i].hardware = options->target;
    }
    return true;
}

bool lw_pair_join(struct lw_pair *pair, bool shared, struct lw_error *err)
{
    struct lw_subject *sides[LW_SIDES], *any = NULL;
    for (int i = 0; i < LW_SIDES; i++) {
        bool joins = pair->at[i] >= 0 && (i != LW_SIDE_S || shared);
        sides[i] = joins ? &pair->subject[pair->at[i]] : NULL;
        any = joins ? sides[i] : any;
    }
    if (!lw_subject_join(sides, err))
        return false;
    lw_subject_access_set_rules(any->access, pair->stage, pair->to_global || pair->whole.to_global);
    return true;
}

/* ---- Loading ---- */

/* Splits one document into its layouts. */
static bool split(struct lw_pair *pair, bool access, struct lw_error *err)
{
    pair->whole = pair->doc[0];
    pair->count = 0;
    memset(&pair->doc[0], 0, sizeof pair->doc[0]);
    if (!lw_document_is_access(&pair->whole))
        return lw_error_set(
            err, LW_ERROR_SYNTAX,
            access ? "expected another layout: a second SOURCE, or \"shared\" in the document"
                   : "expected another layout: a second SOURCE, or \"load\" in the document");
    for (int i = 0; i < LW_SIDES; i++) {
        pair->at[i] = -1;
        if (!lw_document_has(&pair->whole, (enum lw_side)i))
            continue;
        pair->at[i] = (int)pair->count;
        lw_document_side(&pair->doc[pair->count++], &pair->whole, (enum lw_side)i);
    }
    return true;
}

void lw_pair_free(struct lw_pair *pair)
{
    for (size_t i = 0; i < LW_SIDES; i++)
        lw_subject_separate(&pair->subject[i]);
    for (size_t i = 0; i < LW_SIDES; i++)
        if (pair->whole.encoding)
            lw_arena_free(&pair->doc[i].arena);
        else
            lw_document_free(&pair->doc[i]);
    lw_document_free(&pair->whole);
}

/* The index of the SOURCE that the prefix of a name selects, and the length of the prefix; -1: none. */
static int find_prefix(const struct lw_pair *pair, const char *set, bool access, size_t *length)
{
    enum lw_side side;
    if (!lw_document_find_side(set, &side, length))
        return -1;
    const int shared = pair->count > 2 || pair->doc[0].side != LW_SIDE_S; /* of an access */
    int at = side == LW_SIDE_A ? 0 : side == LW_SIDE_B ? 1 : 2;
    if (access)
        at = side == LW_SIDE_S ? shared : side == LW_SIDE_B && pair->count > 2 ? 2 : !shared;
    return at < (int)pair->count ? at : -1;
}

/* "shared.name=value" sets a parameter of the layout at that side; "name=value" of the first, or of the next that has
 * such a parameter. */
static bool apply_sets(struct lw_pair *pair, const struct lw_load_options *options, bool access,
                       struct lw_error *err)
{
    for (size_t i = 0; i < options->set_count; i++) {
        const char *set = options->sets[i];
        struct lw_error other;
        size_t length;
        const int at = find_prefix(pair, set, access, &length);
        bool good = at >= 0 ? lw_load_set(&pair->doc[at], set + length, err)
                            : lw_load_set(&pair->doc[0], set, err);
        for (size_t k = 1; at < 0 && !good && err->code == LW_ERROR_NAME && k < pair->count; k++)
            if ((good = lw_load_set(&pair->doc[k], set, &other)))
                *err = (struct lw_error){0};
        if (!good)
            return false;
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
    for (size_t i = 0; access && count > 1 && i < count && i < LW_SIDES; i++)
        if (args->value[taken[i]])
            return lw_error_set(err, LW_ERROR_SYNTAX,
                                "--%s: the SOURCEs are registers A%s already: omit one of the two",
                                lw_options()[taken[i]].name,
                                count > 2 ? ", shared S and registers B" : " and shared S");
    return true;
}

bool lw_pair_open(struct lw_pair *pair, const struct lw_arguments *args, bool access,
                  struct lw_error *err)
{
    struct lw_load_options options, alone;
    const char *last = access ? LW_OPTION_VALUE(args, LOAD) : LW_OPTION_VALUE(args, SHARED);
    memset(pair, 0, sizeof *pair);
    if (!read_options(pair, args, access, &options, err))
        return false;
    memcpy(pair->source, args->operands, args->operand_count * sizeof *pair->source);
    pair->count = args->operand_count;
    if (last && pair->count > 1)
        pair->source[pair->count++] = last;
    alone = options;
    alone.set_count = pair->count > 1 ? 0 : options.set_count;
    bool good = true;
    for (size_t i = 0; i < pair->count && good; i++) {
        pair->failed = pair->source[i];
        good = lw_load_document(&pair->doc[i], pair->source[i], &alone, err);
    }
    if (good && access && pair->count == 1)
        good = lw_load_put_sides(&pair->doc[0], args, &options, &pair->failed, err);
    if (good) {
        pair->failed = NULL;
        good = (pair->count > 1 ? apply_sets(pair, &options, access, err)
                                : split(pair, access, err)) &&
               build(pair, &options, access, err);
    }
    if (!good) {
        lw_pair_free(pair);
        return false;
    }
    const struct lw_subject *sides[LW_SIDES];
    const char *as = LW_OPTION_VALUE(args, AS);
    find_sides(pair, sides);
    pair->stage = as && !strcmp(as, "triton")                      ? LW_PLAN_TRITON
                  : as && !strcmp(as, "written")                   ? LW_PLAN_WRITTEN
                  : as || pair->to_global || pair->whole.to_global ? LW_PLAN_COMPILED
                                                                   : lw_subject_stage(sides);
    return true;
}

uint64_t lw_pair_lanes(const struct lw_pair *pair)
{
    return (pair->hardware ? pair->hardware : lw_hardware_default())->lanes;
}

enum lw_status lw_pair_status(const struct lw_pair *pair, uint64_t conflicts)
{
    return conflicts > pair->conflicts_max ? LW_STATUS_NO : LW_STATUS_OK;
}

/* The warps of a layout in registers; threads are split into them. */
static uint64_t warps_of(const struct lw_map *map, uint64_t lanes)
{
    uint64_t threads = lw_dims_size(&map->in, "thread");
    return lw_dims_find(&map->in, "thread") < 0 ? lw_dims_size(&map->in, "warp")
                                                : (threads + lanes - 1) / lanes;
}

bool lw_pair_check_warps(const struct lw_pair *pair, struct lw_error *err)
{
    const uint64_t lanes = lw_pair_lanes(pair);
    uint64_t a = warps_of(lw_pair_map(pair, LW_SIDE_A), lanes);
    uint64_t b = warps_of(lw_pair_map(pair, LW_SIDE_B), lanes);
    return a == b || lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                  "registers A have %llu warp%s, registers B %llu: a kernel has "
                                  "one number of warps, and Triton rejects such a pair",
                                  (unsigned long long)a, a == 1 ? "" : "s", (unsigned long long)b);
}

void lw_pair_print_head(struct lw_text *text, enum lw_head kind, const struct lw_pair *pair)
{
    const struct lw_subject *sides[LW_SIDES];
    find_sides(pair, sides);
    lw_put_head(text, kind, sides, pair->element_is_set ? "" : " (default; -t f16 sets it)");
}
