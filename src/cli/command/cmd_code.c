/* laneway code: a layout in the notation of each system, and as index arithmetic. */

#include "cli/command/commands.h"
#include "cli/load.h"
#include "core/text_json.h"
#include "export/output.h"

#include "laneway/formula.h"
#include "laneway/translate.h"

#include <string.h>

/* The layout that is written. */
struct coded {
    struct lw_loaded loaded; /* all layouts of an access */
    struct lw_document doc;  /* of the layout that is written, borrowed from `loaded` */
    struct lw_opened opened; /* that layout */
    struct lw_text name;     /* "banks/transpose-swizzled: shared S" */
    struct lw_translate_request request;
};

static void close_coded(struct coded *coded)
{
    lw_text_free(&coded->name);
    lw_subject_close(&coded->opened);
    lw_unload(&coded->loaded);
}

static bool open_coded(struct coded *coded, const struct lw_arguments *args, struct lw_error *err)
{
    struct lw_load_options options;
    enum lw_side side;
    memset(coded, 0, sizeof *coded);
    if (!lw_load_options(&options, args, err) ||
        !lw_load(&coded->loaded, args->operands[0], &options, err))
        return false;
    const struct lw_document *doc = &coded->loaded.doc;
    const struct lw_subject *subject = &coded->opened.subject;
    if (!lw_load_side(doc, args, &side, err) ||
        !lw_subject_open_side(&coded->opened, doc, side, coded->loaded.opened.subject.lanes, err)) {
        close_coded(coded);
        return false;
    }
    lw_document_side(&coded->doc, doc, side);
    lw_text_add(&coded->name, doc->name);
    if (lw_document_is_access(doc))
        lw_text_format(&coded->name, ": %s", lw_side_name(side));
    coded->request = (struct lw_translate_request){&subject->map, &subject->tensor, subject->lanes,
                                                   coded->doc.encoding};
    bool good = !coded->name.failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    good = good && lw_hardware_check_lanes(options.target, &subject->map, err);
    if (!good)
        close_coded(coded);
    return good;
}

/* The notation of one system, or all of its notations, and the remark in a comment. */
static bool print_translations(const struct coded *coded, const struct lw_translate_system *system,
                               bool all, FILE *out, struct lw_error *err)
{
    struct lw_arena arena = {0};
    struct lw_translations translations;
    bool good = lw_translate(&arena, system, &coded->request, &translations, err);
    for (int i = 0; good && i < (all ? translations.count : 1); i++)
        lw_output_print(out, "%s\n", translations.text[i]);
    if (good && translations.remark)
        lw_output_print(out, "%s %s\n", system->comment, translations.remark);
    lw_arena_free(&arena);
    return good;
}

static bool print_all(const struct coded *coded, bool all, FILE *out, struct lw_error *err)
{
    struct lw_translation_table translations = {0};
    bool good = lw_translation_table_fill(&translations, &coded->request, err);
    for (int i = 0; i < translations.count && good; i++)
        if (all || translations.row[i].first || translations.row[i].remark)
            lw_output_print(out, "%-8s%s%s\n",
                            translations.row[i].first ? translations.row[i].system->name : "",
                            translations.row[i].remark ? "-- " : "", translations.row[i].text);
    lw_translation_table_free(&translations);
    return good;
}

/* {"lang":"cute","texts":["..."],"remark":null}; without a text the remark is the reason. */
static void put_texts(struct lw_text *text, const char *lang, const char *const *texts, int count,
                      const char *remark)
{
    lw_json_put(text, NULL, "{");
    lw_json_string(text, "lang", lang);
    lw_json_put(text, "texts", "[");
    for (int i = 0; i < count; i++)
        lw_json_string(text, NULL, texts[i]);
    lw_text_char(text, ']');
    lw_json_string(text, "remark", remark);
    lw_text_char(text, '}');
}

/* The notations of each system, or of one. */
static bool put_json(struct lw_text *text, const struct coded *coded,
                     const struct lw_translate_system *chosen, struct lw_error *err)
{
    size_t count;
    const struct lw_translate_system *systems = lw_translate_systems(&count);
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        struct lw_arena arena = {0};
        struct lw_translations found = {.count = 0};
        struct lw_error why = {0};
        if (chosen && chosen != &systems[i])
            continue;
        const bool is_found = lw_translate(&arena, &systems[i], &coded->request, &found, &why);
        put_texts(text, systems[i].name, found.text, is_found ? found.count : 0,
                  found.remark || is_found ? found.remark : why.message);
        lw_arena_free(&arena);
        if (!is_found && (chosen || why.code != LW_ERROR_UNSUPPORTED)) {
            *err = why;
            good = false;
        }
    }
    return good;
}

static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    const char *lang = LW_OPTION_VALUE(args, LANG);
    const struct lw_translate_system *system = lang ? lw_translate_system_find(lang) : NULL;
    const bool all = LW_OPTION_IS_SET(args, ALL);
    struct coded coded;
    struct lw_text code = {0};
    bool good = true;
    answer->source = args->operands[0];
    if (!open_coded(&coded, args, err))
        return LW_STATUS_ERROR;
    if (lang && !system) { /* index arithmetic */
        const struct lw_subject *subject = &coded.opened.subject;
        good = lw_formula_print(&code, lw_formula_language_find(lang), &subject->map,
                                subject->tensor.element.bits, lw_text_string(&coded.name), err);
    }
    const char *const texts[] = {lw_text_string(&code)};
    lw_text_add(&answer->text, answer->out ? texts[0] : "[");
    if (!answer->out && lang && !system)
        put_texts(&answer->text, lang, texts, good, good ? NULL : err->message);
    else if (!answer->out)
        good = put_json(&answer->text, &coded, system, err);
    else if (system)
        good = print_translations(&coded, system, all, answer->out, err);
    else if (!lang)
        good = print_all(&coded, all, answer->out, err);
    lw_text_add(&answer->text, answer->out ? "" : "]");
    lw_text_free(&code);
    close_coded(&coded);
    return good ? LW_STATUS_OK : err->code == LW_ERROR_UNSUPPORTED ? LW_STATUS_NO : LW_STATUS_ERROR;
}

const struct lw_command lw_command_code = {
    .name = "code",
    .operands = "SOURCE",
    .help = "write a layout in every notation, or as index arithmetic",
    .about =
        "Prints one line per system: the layout in the notation of Triton, Gluon, tilus and CuTe, "
        "or why that system has none. --lang prints the notation of one system alone, --all every "
        "notation that was found; it exits 1 when there is none. Each was built again and compared "
        "with the layout. cute-cpp and cute-dsl write CuTe's notation as code. A remark follows "
        "after --, with --lang in a comment. An element type that is not set is f32. Of an access "
        "its first layout is written, or that of --side.\n\n"
        "--lang c, cuda and python write functions from the hardware index to the element "
        "(dim0_at) and back (thread_of, reg_of, offset_of, byte_of), with as few shifts, masks and "
        "xors as were found, compared with the layout: at every point of a small one, at the edges "
        "and at random points of a large one. cuda adds a kernel that stores by them: a file with "
        "it is a SOURCE, which 'laneway banks' reads back.\n\n"
        "--json prints a list of {\"lang\": \"cute\", \"texts\": [...], \"remark\": null}, one for "
        "each system or that of --lang: all its notations, the simplest first.",
    .options = LW_OPTIONS_SOURCE | LW_OPTION_BIT(LANG) | LW_OPTION_BIT(SIDE) | LW_OPTION_BIT(ALL) |
               LW_OPTIONS_ANSWER,
    .min_operands = 1,
    .max_operands = 1,
    .keys = {{"source", LW_REQUEST_SOURCE}},
    .examples = {{"code 'local(2, 1).spatial(8, 4).local(1, 2)'",
                  "in the notation of every system"},
                 {"code swizzle/8x64-half --lang cute", "a swizzle in CuTe's notation"},
                 {"code swizzle/8x64-half --lang cute-cpp", "the same as C++ writes it"},
                 {"code mma/m16n8k16.c --lang c", "a fragment as index arithmetic"},
                 {"code banks/transpose-swizzled --side shared --lang cuda",
                  "shared S of an access"}},
    .answer = answer,
};
