/* laneway check: every problem of a document, not just the first. */

#include "cli/command/commands.h"
#include "cli/load.h"
#include "export/output.h"
#include "notation/document/lesson.h"
#include "tui/tui.h"

#include <string.h>

/* Whether the source could not be found or read; if not, it was read and is not legal. */
static bool is_unread(const struct lw_error *err)
{
    bool whole = err->position.line == 0 && !err->parameter[0]; /* not about a part of the source */
    return err->code == LW_ERROR_IO || err->code == LW_ERROR_MEMORY ||
           (whole && (err->code == LW_ERROR_NAME || err->code == LW_ERROR_LIMIT));
}

static void print_problem(struct lw_text *text, const struct lw_error *err, bool first)
{
    lw_text_add(text, first ? "{" : ",{");
    if (err->position.line > 0)
        lw_text_format(text, "\"line\":%d,\"column\":%d,", err->position.line,
                       err->position.column);
    if (err->parameter[0]) {
        lw_text_add(text, "\"parameter\":");
        lw_text_json_string(text, err->parameter);
        lw_text_char(text, ',');
    }
    lw_text_add(text, "\"message\":");
    lw_text_json_string(text, err->message);
    lw_text_char(text, '}');
}

static void print_json(const char *source, const struct lw_report *report, FILE *out)
{
    struct lw_text text = {0};
    lw_text_add(&text, "{\"source\":");
    lw_text_json_string(&text, source);
    lw_text_format(&text, ",\"ok\":%s,\"problems\":[", report->total ? "false" : "true");
    for (int i = 0; i < report->count; i++)
        print_problem(&text, &report->errors[i], i == 0);
    lw_text_add(&text, "]}\n");
    lw_output_text(out, &text);
    lw_text_free(&text);
}

static void print_text(const char *source, const struct lw_report *report, FILE *out)
{
    lw_report_problems(lw_source_name(source), report);
    if (report->total == 0) {
        lw_output_name(out, source);
        lw_output_print(out, ": ok\n");
    }
}

/* Notes that no instruction has such a result, though the layout is defined. */
static void put_mma_notes(struct lw_text *text, const struct lw_encoding *encoding)
{
    const struct lw_value *instr = lw_encoding_value(encoding, "instrShape"),
                          *warps = lw_encoding_value(encoding, "warpsPerCTA");
    bool wgmma = lw_encoding_integer(encoding, "versionMajor") == 3;
    if (instr->count < 2 || warps->count < 1)
        return;
    int64_t m = instr->items[wgmma ? 0 : instr->count - 2].integer,
            n = instr->items[instr->count - 1].integer;
    int64_t first = warps->items[0].integer;
    if (wgmma && m != 16)
        lw_text_format(
            text,
            "  note: instrShape describes one warp: [16, n, k], not m = %lld; m = 64 in the name "
            "of a wgmma counts the rows of its four warps\n",
            (long long)m);
    if (wgmma && first % 4)
        lw_text_format(text,
                       "  note: wgmma is executed by four warps along m: warpsPerCTA[0] is a "
                       "multiple of 4, not %lld\n",
                       (long long)first);
    if (!wgmma && ((m != 16 && m != 8) || n != 8))
        lw_text_format(text,
                       "  note: mma.sync has m = 16, or 8 for f64, and n = 8: instrShape ends "
                       "in 16, 8 or 8, 8\n");
}

/* Notes on what is legal but probably not intended. */
static void put_notes(struct lw_text *text, const struct lw_loaded *loaded)
{
    const struct lw_encoding *encoding = loaded->doc.encoding;
    const struct lw_map *map = &loaded->opened.subject.map;
    uint64_t lanes = lw_dims_size(&map->in, "lane");
    int bits = loaded->opened.subject.tensor.element.bits;
    if (lw_load_sets_lanes(&loaded->doc) && lanes != 32 && lanes != 64)
        lw_text_format(text,
                       "  note: threadsPerWarp makes %llu lanes: a warp has 32 or 64, and Triton "
                       "rejects others\n",
                       (unsigned long long)lanes);
    int own = lw_encoding_element_bits(encoding);
    if (own && own != bits)
        lw_text_format(text,
                       "  note: the layout is for elements of %d bits, but the elements have %d\n",
                       own, bits);
    if (encoding->type == lw_encoding_type_find("nvidia_mma"))
        put_mma_notes(text, encoding);
}

/* Adds problems that appear only when the layout is built. */
static void check_built(struct lw_loaded *loaded, const struct lw_hardware *target,
                        struct lw_report *report, struct lw_text *notes)
{
    struct lw_error err;
    if (!lw_load_build(loaded, target, &err)) {
        lw_report_add(report, &err);
        return;
    }
    if (*loaded->doc.cell && !lw_format_check(loaded->doc.cell, &loaded->opened.subject, &err)) {
        snprintf(err.parameter, sizeof err.parameter, "cell");
        lw_report_add(report, &err);
    }
    put_notes(notes, loaded);
    lw_subject_close(&loaded->opened);
}

/* Collects the problems of a lesson file; false when the source is not one. */
static bool collect_lesson(const char *source, struct lw_report *report)
{
    struct lw_lesson lesson;
    if (!lw_lesson_is_text_file(source))
        return false;
    if (lw_lesson_open(&lesson, source, 0, report, NULL))
        lw_lesson_free(&lesson);
    return true;
}

/* Collects the problems of one source. False when it cannot be read: the report has the reason. */
static bool collect(const char *source, const struct lw_load_options *options,
                    struct lw_report *report, struct lw_text *notes)
{
    struct lw_load_options all = *options;
    struct lw_loaded loaded;
    struct lw_error err;
    memset(report, 0, sizeof *report);
    if (collect_lesson(source, report))
        return true;
    all.report = report;
    if (!lw_load_document(&loaded.doc, source, &all, &err))
        return !is_unread(&err);
    if (lw_document_check(&loaded.doc, report))
        check_built(&loaded, options->target, report, notes);
    for (int i = 0; i < report->count; i++)
        lw_load_attribute_error(options, &report->errors[i]);
    lw_document_free(&loaded.doc);
    return true;
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct lw_load_options options;
    struct lw_report report;
    enum lw_status status = LW_STATUS_OK;
    if (!lw_load_options(&options, args, &report.errors[0]))
        return lw_report_failure(NULL, &report.errors[0]);
    for (size_t i = 0; i < args->operand_count; i++) {
        struct lw_text notes = {0};
        bool found = collect(args->operands[i], &options, &report, &notes);
        if (LW_OPTION_IS_SET(args, JSON))
            print_json(args->operands[i], &report, out);
        else
            print_text(args->operands[i], &report, out);
        if (!LW_OPTION_IS_SET(args, JSON))
            lw_output_text(out, &notes);
        lw_text_free(&notes);
        if (!found)
            status = LW_STATUS_ERROR;
        else if (report.total && status == LW_STATUS_OK)
            status = LW_STATUS_NO;
    }
    return status;
}

const struct lw_command lw_command_check = {
    .name = "check",
    .operands = "SOURCE...",
    .help = "report every problem of a layout",
    .about = "Prints every problem of each source with its position in the text, or that it is ok. "
             "Files of lessons are checked too. Exits 1 when a source has a problem, 2 when one "
             "cannot be found or read, or an option is wrong.\n\n"
             "With --json it prints one object per line: {\"source\": \"...\", \"ok\": false, "
             "\"problems\": [{\"line\": 1, \"column\": 30, \"parameter\": \"order\", \"message\": "
             "\"...\"}]}.",
    .options =
        LW_OPTIONS_SOURCE | LW_OPTION_BIT(JSON) | LW_OPTION_BIT(OUTPUT) | LW_OPTION_BIT(COLOR),
    .min_operands = 1,
    .max_operands = LW_ANY_NUMBER,
    .examples = {{"check 'spatial(4, 8)' 'local(2, 1).spatial(8, 4)'", "both are ok"},
                 {"check blocked/16x64 mma/m16n8k16.c", "layouts of the gallery"}},
    .run = run,
};
