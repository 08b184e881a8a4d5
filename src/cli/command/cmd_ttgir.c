/* laneway ttgir: what a compiled kernel moves and what that costs, or how two kernels differ. */

#include "cli/command/commands.h"
#include "cli/figure.h"
#include "cli/report/kernel_report.h"
#include "cli/requests.h"
#include "core/array_count.h"
#include "export/output.h"
#include "kernel/kernel_folder.h"
#include "kernel/loop_trips.h"
#include "kernel/source_lines.h"
#include "notation/document/read.h"

#include <stdlib.h>
#include <string.h>

struct request {
    struct lw_report_options report;
    struct lw_kernel_options kernel;
    struct lw_trips_text trips;
    const struct lw_hardware *hardware;
    struct lw_text *json;    /* where an answer in JSON is put; NULL: a report is printed */
    FILE *out;               /* of the report */
    bool quiet;              /* messages are not printed */
    bool used[LW_TRIPS_MAX]; /* each of `trips`: a loop has that line or value */
};

/* ---- Options ---- */

/* Checks that the whole file of --source can be read, before anything else. */
static bool check_source(const char *path, struct lw_error *err)
{
    struct lw_error why;
    struct lw_reading reading = {.err = &why, .max = LW_SOURCE_LINES_BYTES_MAX};
    struct lw_text text = {0};
    FILE *file = path ? lw_open_regular(path, reading.max, &why) : NULL;
    bool good = !path || (file && lw_read_stream(&reading, file, path, &text)) ||
                lw_error_set(err, why.code, "--source %.400s", why.message);
    if (file)
        fclose(file);
    lw_text_free(&text);
    return good;
}

static bool read_request(struct request *request, const struct lw_arguments *args,
                         struct lw_error *err)
{
    request->quiet = args->is_request;
    request->kernel.input = args->is_request ? NULL : stdin;
    request->kernel.trips = request->trips.trips;
    request->report.style = LW_OPTION_VALUE(args, STYLE);
    request->report.fit = lw_figure_columns(args);
    request->report.source = LW_OPTION_VALUE(args, SOURCE);
    if (!lw_figure_format(args, &request->report.format, err) ||
        !check_source(request->report.source, err))
        return false;
    const char *style = request->report.style;
    if (style && !lw_style_find(style)->ruling && !request->json)
        return lw_error_set(err, LW_ERROR_NAME, "--style %s: this is not a table style", style);
    if (!request->report.format || request->json)
        request->report.format = lw_format_find("text");
    if (LW_OPTION_IS_SET(args, TRIPS) &&
        !lw_trips_read(&request->trips, LW_OPTION_VALUE(args, TRIPS), "--trips", err))
        return false;
    request->kernel.trips_count = request->trips.count;
    return lw_chosen_triton(args, &request->kernel.triton, err) &&
           lw_target(args, &request->hardware, err);
}

static void mark_loops(struct request *request, const struct lw_kernel *kernel)
{
    for (size_t i = 0; i < request->kernel.trips_count; i++) {
        const int line = request->trips.trips[i].line;
        request->used[i] = request->used[i] || (kernel->values_used >> i & 1);
        for (size_t j = 0; j < kernel->loop_count; j++)
            request->used[i] = request->used[i] || line == kernel->loops[j].position.line;
    }
}

/* Checks that trips are of a line on which a loop begins, or of a value that bounds of loops are computed from. */
static bool check_trips(const struct request *request, struct lw_error *err)
{
    for (size_t i = 0; i < request->kernel.trips_count; i++) {
        const struct lw_trips *trips = &request->trips.trips[i];
        if (trips->name && !request->used[i])
            return lw_error_set(err, LW_ERROR_NAME,
                                "--trips %.60s=...: no bounds of a loop are computed from that "
                                "value alone; --trips N sets all that are not known, LINE=N those "
                                "of one loop",
                                trips->name);
        if (trips->line && !request->used[i])
            return lw_error_set(err, LW_ERROR_NAME,
                                "--trips %d=...: no loop begins on that line; the report "
                                "names the lines of loops",
                                trips->line);
    }
    return true;
}

/* ---- Kernels ---- */

/* Counts the costs of a kernel; on failure frees it. */
static bool add_costs(struct lw_kernel_loaded *loaded, const struct lw_hardware *hardware,
                      struct lw_error *err)
{
    if (lw_kernel_costs_make(&loaded->costs, &loaded->kernel, hardware, err))
        return true;
    lw_kernel_free(&loaded->kernel);
    return false;
}

static void unload(struct lw_kernel_loaded *loaded)
{
    lw_kernel_costs_free(&loaded->costs);
    lw_kernel_free(&loaded->kernel);
}

/* Reports the problems of the text, and only the first when there is nothing else; the other parts of the kernel are
 * printed. */
static enum lw_status report_problems_of(const struct request *request,
                                         const struct lw_kernel *kernel)
{
    const struct lw_report *problems = &kernel->problems;
    const bool is_kernel = kernel->encoding_count || kernel->operation_count;
    const int count = is_kernel || !problems->count ? problems->count : 1;
    for (int i = 0; i < count && !request->quiet; i++)
        lw_report_failure(kernel->name, &problems->errors[i]);
    if (problems->total > count && !request->quiet)
        lw_output_print(lw_messages(), "laneway: %s: and %d more\n", kernel->name,
                        problems->total - count);
    return problems->total ? LW_STATUS_ERROR : LW_STATUS_OK;
}

/* Reports one part of a dump. */
static enum lw_status report_part(struct request *request, const struct lw_dump *dump, size_t part,
                                  struct lw_error *err)
{
    struct lw_kernel_loaded loaded;
    struct lw_kernel_options options = request->kernel;
    options.part = (int)part;
    if (!lw_dump_kernel(&loaded.kernel, dump, &options, err) ||
        !add_costs(&loaded, request->hardware, err))
        return LW_STATUS_ERROR;
    enum lw_status status = report_problems_of(request, &loaded.kernel);
    mark_loops(request, &loaded.kernel);
    bool empty = part > 1 && !loaded.kernel.total && !loaded.kernel.encoding_count;
    if (!empty && request->json) {
        lw_text_add(request->json, request->json->length ? "\n" : "");
        lw_kernel_report_json(&loaded, request->json);
    } else if (!empty) {
        if (request->report.format->between && dump->part_count > 1)
            lw_output_print(request->out, "%spart %zu: ", part > 1 ? "\n" : "", part);
        if (!lw_kernel_report(&loaded, &request->report, request->out, err))
            status = LW_STATUS_ERROR;
    }
    unload(&loaded);
    return status;
}

static enum lw_status report_one(struct request *request, const char *path, struct lw_error *err)
{
    struct lw_dump dump;
    enum lw_status worst = LW_STATUS_OK;
    if (!lw_dump_open(&dump, path, &request->kernel, err))
        return LW_STATUS_ERROR;
    for (size_t part = 1; part <= dump.part_count && err->code == LW_OK; part++) {
        const enum lw_status status = report_part(request, &dump, part, err);
        worst = status > worst ? status : worst;
    }
    lw_dump_free(&dump);
    return err->code == LW_OK && !check_trips(request, err) ? LW_STATUS_ERROR : worst;
}

static enum lw_status report_two(struct request *request, const char *const *paths,
                                 struct lw_error *err)
{
    struct lw_kernel_loaded sides[2];
    enum lw_status status = LW_STATUS_OK;
    bool worse = false;
    for (int i = 0; i < 2; i++)
        if (!lw_kernel_open(&sides[i].kernel, paths[i], &request->kernel, err) ||
            !add_costs(&sides[i], request->hardware, err)) {
            if (i)
                unload(&sides[0]);
            return LW_STATUS_ERROR;
        }
    for (int i = 0; i < 2; i++)
        if (report_problems_of(request, &sides[i].kernel) != LW_STATUS_OK)
            status = LW_STATUS_ERROR;
    if (!lw_kernel_compare(&sides[0], &sides[1], &request->report, request->json, &worse,
                           request->out, err))
        status = LW_STATUS_ERROR;
    if (status == LW_STATUS_OK && worse)
        status = LW_STATUS_NO;
    for (int i = 0; i < 2; i++) {
        mark_loops(request, &sides[i].kernel);
        unload(&sides[i]);
    }
    return err->code == LW_OK && !check_trips(request, err) ? LW_STATUS_ERROR : status;
}

/* ---- Folders ---- */

/* Lists the kernels in a folder, one per row; of a folder without kernels the layouts in it. */
static bool list_folder(const struct request *request, const char *path, struct lw_error *err)
{
    static const char *const heads[] = {"kernel", "target", "warps", "shared bytes", "file"};
    struct lw_report_table table = {.heads = heads, .cols = LW_COUNT(heads)};
    struct lw_kernel_folder folder;
    if (request->json)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "%.200s is a folder: its kernels are listed as text, markdown or csv",
                            path);
    if (!lw_kernel_folder_open(&folder, path, false, err))
        return false;
    for (size_t i = 0; i < folder.count; i++) {
        const struct lw_kernel_about *about = lw_kernel_folder_about(&folder, i);
        char warps[16] = "", shared[24] = "";
        if (about->num_warps)
            snprintf(warps, sizeof warps, "%lld", (long long)about->num_warps);
        if (about->shared >= 0)
            snprintf(shared, sizeof shared, "%lld", (long long)about->shared);
        const char *const cells[] = {about->name, about->target, warps, shared,
                                     folder.files[i].path + strlen(folder.path) + 1};
        for (size_t k = 0; k < LW_COUNT(cells); k++)
            lw_report_table_cell(&table, cells[k]);
    }
    bool good = lw_report_table_write(&table, request->report.format, request->report.style,
                                      request->report.fit, request->out, err);
    lw_report_table_free(&table);
    lw_kernel_folder_free(&folder);
    return good;
}

/* *err has what is wrong with the request, or that a comparison is not sure. */
static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    const char *format = LW_OPTION_VALUE(args, FORMAT), *path = args->operands[0];
    const bool json = !answer->out || (format && !strcmp(format, "json"));
    struct request request = {.out = answer->out, .json = json ? &answer->text : NULL};
    enum lw_status status = LW_STATUS_ERROR;
    *err = (struct lw_error){0};
    if (!read_request(&request, args, err))
        return LW_STATUS_ERROR;
    if (args->operand_count > 1)
        status = report_two(&request, args->operands, err);
    else if (!lw_is_folder(path))
        status = report_one(&request, path, err);
    else if (list_folder(&request, path, err))
        status = LW_STATUS_OK;
    if (answer->out && answer->text.length)
        lw_text_char(&answer->text, '\n');
    return status;
}

const struct lw_command lw_command_ttgir = {
    .name = "ttgir",
    .operands = "FILE [FILE]",
    .help = "report what a compiled kernel moves, where, and what it costs",
    .about =
        "Reads the TTGIR of a kernel, as Triton keeps it in its cache, and prints every operation "
        "that moves data, the most expensive first: its source line, loops, layouts (of a "
        "conversion also the operation that needs its result) and instructions, the wavefronts of "
        "shared memory with their ideal number, and the sectors of global memory; then notes, and "
        "every encoding with its shapes. Costs are those of one block, all its warps together; "
        "what no rule covers is not counted, and the notes give the reason. The share is the part "
        "of all wavefronts, or without any of all sectors.\n\n"
        "A loop with constant bounds counts as often as it runs; --trips sets how often other "
        "loops run, or values, such as arguments of the kernel, that their bounds are computed "
        "from. Without it they count once, and operations in them come first. An operation in a "
        "branch counts as if it ran. The source is quoted when its file is found under the name "
        "that the kernel has for it, in the folder of the dump, or with --source.\n\n"
        "The hardware's counters can show more wavefronts where several warps, or the tensor core, "
        "access shared memory at the same time. Masks are not examined: a warp for which the mask "
        "of the last store is false skips its last load before it, and code whose value is dropped "
        "in all threads is removed. The notes name these operations.\n\n"
        "Two files have their operations paired by the line of the source and the kind: those that "
        "came, went, got dearer or cheaper, or changed, with the costs before and after. It exits "
        "1 when the second costs more wavefronts, or as many and more sectors, and 2 when that "
        "depends on operations that are not counted.\n\n"
        "Parts of one file, separated by lines `// -----`, are reported one after another; of a "
        "folder the kernels in it and below are listed. Text that is not MLIR is reported with its "
        "position, everything else is processed, and the exit status is 2.",
    .options = LW_OPTION_BIT(SOURCE) | LW_OPTION_BIT(TRIPS) | LW_OPTION_BIT(TARGET) |
               LW_OPTION_BIT(TRITON) | LW_OPTION_BIT(FORMAT) | LW_OPTION_BIT(STYLE) |
               LW_OPTIONS_ANSWER,
    .min_operands = 1,
    .max_operands = 2,
    .keys = {{"file", LW_REQUEST_SOURCES}},
    .examples = {{"ttgir matmul.ttgir", "the most expensive operation first"},
                 {"ttgir matmul.ttgir --trips 16", "16 trips per loop"},
                 {"ttgir matmul.ttgir --trips K=512", "bounds computed from the argument K"},
                 {"ttgir before.ttgir after.ttgir", "exits 1 when it became worse"},
                 {"ttgir matmul.ttgir --json", "for programs"}},
    .answer = answer,
};
