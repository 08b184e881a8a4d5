/* laneway code: a layout in the words of other systems, and as index arithmetic. */

#include "cli/cli.h"

#include "laneway/formula.h"
#include "laneway/translate.h"

#include <string.h>

static void wording_of(const struct lw_loaded *loaded, struct lw_wording *wording)
{
    const struct lw_subject *subject = &loaded->opened.subject;
    *wording =
        (struct lw_wording){&subject->map, &subject->tensor, subject->lanes, loaded->doc.encoding};
}

/* One system: its words, or all of them, and what is to be remarked on them in a comment. */
static bool print_words(const struct lw_loaded *loaded, const struct lw_words_system *system,
                        bool all, FILE *out, struct lw_error *err)
{
    struct lw_arena arena = {0};
    struct lw_wording wording;
    struct lw_words_found words;
    wording_of(loaded, &wording);
    bool good = lw_words_find(&arena, system, &wording, &words, err);
    for (int i = 0; good && i < (all ? words.count : 1); i++)
        fprintf(out, "%s\n", words.text[i]);
    if (good && words.remark)
        fprintf(out, "%s %s\n", system->comment, words.remark);
    lw_arena_free(&arena);
    return good;
}

static bool print_all(const struct lw_loaded *loaded, bool all, FILE *out, struct lw_error *err)
{
    struct lw_words_sheet sheet = {0};
    struct lw_wording wording;
    wording_of(loaded, &wording);
    bool good = lw_words_sheet_fill(&sheet, &wording, err);
    for (int i = 0; i < sheet.count && good; i++)
        if (all || sheet.row[i].first || sheet.row[i].remark)
            fprintf(out, "%-8s%s%s\n", sheet.row[i].first ? sheet.row[i].system->name : "",
                    sheet.row[i].remark ? "-- " : "", sheet.row[i].text);
    lw_words_sheet_free(&sheet);
    return good;
}

static bool print_formula(const struct lw_loaded *loaded,
                          const struct lw_formula_language *language, FILE *out,
                          struct lw_error *err)
{
    struct lw_text text = {0};
    const struct lw_subject *subject = &loaded->opened.subject;
    bool good = lw_formula_print(&text, language, &subject->map, subject->tensor.element.bits,
                                 loaded->doc.name, err);
    if (good)
        lw_output_text(out, &text);
    lw_text_free(&text);
    return good;
}

static bool print_code(const struct lw_loaded *loaded, const struct lw_arguments *args, FILE *out,
                       struct lw_error *err)
{
    const char *lang = LW_VALUE(args, LANG);
    bool all = LW_GIVEN(args, ALL);
    if (!lang)
        return print_all(loaded, all, out, err);
    const struct lw_words_system *system = lw_words_system_find(lang);
    return system ? print_words(loaded, system, all, out, err)
                  : print_formula(loaded, lw_formula_language_find(lang), out, err);
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct lw_load_options options;
    struct lw_loaded loaded;
    struct lw_error err;
    const char *source = args->words[0];
    if (!lw_load_options(&options, args, &err) || !lw_load(&loaded, source, &options, &err))
        return lw_complain(lw_source_name(source), &err);
    bool good = print_code(&loaded, args, out, &err);
    lw_unload(&loaded);
    if (good)
        return LW_STATUS_DONE;
    lw_complain(lw_source_name(source), &err);
    return err.code == LW_ERROR_UNSUPPORTED ? LW_STATUS_NO : LW_STATUS_WRONG;
}

const struct lw_command lw_command_code = {
    .name = "code",
    .words = "SOURCE",
    .help = "the layout in other systems' words, or as arithmetic",
    .about =
        "Without --lang one line for each system: the layout as Triton, Gluon, tilus and CuTe "
        "write "
        "it, recovered from where its elements are, or why that system has no words for it. With "
        "--lang of a system the words alone, and with --all every way to say it that was found; "
        "the exit status is 1 when there are none. Each line is exact: it was built again and "
        "compared. After -- stands a remark, with --lang in a comment: why there are none, what "
        "the "
        "transpose is called, or that Triton refuses warps of so many lanes. An element that was "
        "not said is f32.\n\n"
        "With --lang c, cuda or python: functions from the place to the element (dim0_at) and from "
        "the element to the place (thread_of, reg_of, offset_of, byte_of), in as few shifts, masks "
        "and xors as were found. Before it is printed it is evaluated and compared with the "
        "layout: at every point of a small one, at the edges and at random points of a large "
        "one.",
    .options =
        LW_TAKES_SOURCE | LW_TAKES(LANG) | LW_TAKES(ALL) | LW_TAKES(OUTPUT) | LW_TAKES(COLOR),
    .least = 1,
    .most = 1,
    .examples = {{"code 'local(2, 1).spatial(8, 4).local(1, 2)'", "in the words of every system"},
                 {"code swizzle/8x64-half --lang cute", "a swizzle in CuTe's words"},
                 {"code mma/m16n8k16.c --lang c", "a fragment as index arithmetic"}},
    .run = run,
};
