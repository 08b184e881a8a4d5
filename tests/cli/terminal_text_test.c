/* Nothing that a file, a name or an argument contains reaches a terminal as control: every entrance of the program is
 * given hostile text, and what comes out on standard output and error is checked byte for byte. */

#include "cli/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ESC, BEL, CR, DEL, CSI of C1, a right-to-left override, an isolate, a zero-width space, a line separator, a
 * byte order
 * mark, a tag, and bytes that are no UTF-8. */
#define EVIL                                                                                       \
    "A\x1b]0;x\x07\r\x7f\xc2\x9b\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8b\xe2\x80\xa8\xef\xbb\xbf"      \
    "\xf3\xa0\x81\x81\x9bZ"
/* The same without what is refused in the text of a file, and as the escapes of JSON. */
#define EVIL_TEXT "A\xc2\x9b\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8b\xe2\x80\xa8\xf3\xa0\x81\x81Z"
#define EVIL_JSON                                                                                  \
    "A\\u001b]0;x\\u0007\\r\\n\\t\\u007f\\u009b\\u202e\\u2066\\u200b\\u2028\\ufeff\\udb40\\udc41Z"

/* A control character at the start of a text, by the code charts: C0 without line ends and tabs, DEL, C1, and what
 * changes the direction of a text or has no width. Also a byte that is no UTF-8. Its length in bytes; 0: none. */
static int control_at(const unsigned char *s, int *bytes)
{
    static const struct {
        uint32_t first, last;
    } bad[] = {{0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
               {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e},
               {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xe0000, 0xe007f}};
    uint32_t code = s[0];
    *bytes = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
    if (*bytes == 0)
        return *bytes = 1;
    if (*bytes > 1)
        code &= 0x7fu >> *bytes;
    for (int i = 1; i < *bytes; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 1;
        code = code << 6 | (s[i] & 0x3fu);
    }
    if (code < 0x20)
        return code != '\n' && code != '\t';
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (code >= bad[i].first && code <= bad[i].last)
            return 1;
    return 0;
}

/* Colours of the format ansi (ESC [ digits and semicolons m) and the line ends of CSV are the program's own. */
static bool is_own(const char *command, const char *at, int *bytes)
{
    if (strstr(command, "ansi") && at[0] == 0x1b && at[1] == '[') {
        size_t digits = strspn(at + 2, "0123456789;");
        *bytes = (int)digits + 3;
        return at[2 + digits] == 'm' && strlen(at) >= digits + 3;
    }
    return strstr(command, "csv") && at[0] == '\r' && at[1] == '\n';
}

static void check_stream(const char *command, const char *name, const char *text, size_t length)
{
    int bytes = 1;
    for (size_t i = 0; i < length; i += (size_t)bytes) {
        if (!control_at((const unsigned char *)text + i, &bytes) ||
            is_own(command, text + i, &bytes))
            continue;
        fail_msg("%s\n%s has the byte 0x%02x at %zu: %.60s", command, name,
                 (unsigned)(unsigned char)text[i], i, text + (i < 30 ? 0 : i - 30));
    }
}

/* Runs a command in the scratch folder; $E is hostile text of any bytes, $T of UTF-8, $J the same as JSON escapes. It
 * must print something. */
static void run(const char *command)
{
    static const char before[] = "R=$PWD; cd \"$SCRATCH\"; ";
    char *line = malloc(sizeof before + strlen(command));
    struct result result;
    assert_non_null(line);
    strcpy(line, before);
    strcat(line, command);
    setenv("E", EVIL, 1);
    setenv("T", EVIL_TEXT, 1);
    setenv("J", EVIL_JSON, 1);
    run_command(&result, line);
    if (result.status > 2 || result.out_length + result.err_length == 0)
        fail_msg("%s\nstatus %d\n%s", command, result.status, result.err);
    check_stream(command, "standard output", result.out, result.out_length);
    check_stream(command, "standard error", result.err, result.err_length);
    result_free(&result);
    free(line);
}

static void run_all(const char *const *commands, size_t count)
{
    for (size_t i = 0; i < count; i++)
        run(commands[i]);
}

#define RUN_ALL(commands) run_all(commands, sizeof(commands) / sizeof *(commands))

/* ---- Arguments ---- */

static void arguments(void **state)
{
    static const char *const commands[] = {
        "laneway \"$E\"",
        "laneway \"--$E\"",
        "laneway show \"$E\"",
        "laneway show \"$T\"",
        "laneway show \"local($T)\"",
        "laneway show \"local(2, 3)$T\"",
        "laneway show \"tensor<4x$T>\"",
        "laneway show \"#ttg.$T<{}>\"",
        "laneway show \"(4,8):$T\"",
        "laneway show \"{\\\"$T\\\": 1}\"",
        "laneway show 'local(2, 3)' --view \"$E\"",
        "laneway show 'local(2, 3)' --format \"$E\"",
        "laneway show 'local(2, 3)' --style \"$E\"",
        "laneway show 'local(2, 3)' --cell \"$E\"",
        "laneway show 'local(2, 3)' --cell \"{$T}\"",
        "laneway show 'local(2, 3)' --cell \"$T\"",
        "laneway show 'local(2, 3)' --color-by \"$E\"",
        "laneway show 'local(2, 3)' --rows \"$E\"",
        "laneway show 'local(2, 3)' --load \"$E\"",
        "laneway show 'local(2, 3)' --set \"$E\"",
        "laneway show 'local(2, 3)' --set \"$E=1\"",
        "laneway show 'local(2, 3)' --target \"$E\"",
        "laneway show 'local(2, 3)' -t \"$E\"",
        "laneway show 'local(2, 3)' --element \"$E\"",
        "laneway show 'local(2, 3)' -o \"no/$E\"",
        "laneway show 'local(2, 3)' --color \"$E\"",
        "laneway show start/16x16 --script \"$E\"",
        "laneway bases \"$E\"",
        "laneway apply 'local(2, 3)' \"$E=1\"",
        "laneway apply 'local(2, 3)' --at \"$E\"",
        "laneway apply 'local(2, 3)' \"register=$E\"",
        "laneway banks start/16x16 \"$E\"",
        "laneway banks start/16x16 start/16x16 --op \"$E\"",
        "laneway convert start/16x16 \"$E\"",
        "laneway swizzle start/16x16 \"$E\"",
        "laneway wavefronts \"$E\"",
        "laneway calc \"$E\"",
        "laneway calc \"$T.compose(B)\"",
        "laneway calc 'A.invert()' --let \"$E\"",
        "laneway calc 'A.invert()' --let \"A=$E\"",
        "laneway calc 'identity1D(4, \"'\"$T\"'\", dim0)'",
        "laneway calc 'identity1D(4, \"'\"$T\"'\", dim0)' --json",
        "laneway code 'local(2, 3)' --lang \"$E\"",
        "laneway ttgir \"$E\"",
        "laneway ttgir $R/tests/golden/ttgir/transpose.sm90.ttgir --by \"$E\"",
        "laneway docs \"$E\"",
        "laneway list \"$E\"",
        "laneway learn \"$E\"",
        "laneway learn --check \"$E\"",
        "laneway help \"$E\"",
        "laneway help scripts \"$E\"",
        "laneway \"$E\" --lesson",
    };
    (void)state;
    RUN_ALL(commands);
}

/* ---- Names of files ---- */

static void names_of_files(void **state)
{
    static const char *const commands[] = {
        "echo 'local(2, 3)' >\"$E.txt\" && laneway show \"$E.txt\"",
        "echo 'local(2, ' >\"$E.json\" && laneway show \"$E.json\"",
        "echo '{\"laneway\": 1, \"encoding\": \"x\"}' >\"$E.json\" && laneway show \"$E.json\"",
        "laneway show start/16x16 --format json >\"$E.d\"; echo '{\"laneway\": 1, \"source\": "
        "\"local(2, 3)\"}' >\"$E.json\" && laneway show \"$E.json\"",
        "echo '{\"laneway\": 1, \"source\": \"local(2, 3)\"}' >\"$E\n.json\" && laneway show "
        "\"$E\n.json\"",
        "echo '<!-- laneway: show x -->\n<!-- laneway: end -->' >\"$E.md\" && laneway docs "
        "\"$E.md\"",
        "echo '<!-- laneway: show x -->' >\"$E.md\" && laneway docs --check \"$E.md\"",
        "printf '<!-- laneway: list start -->\\n<!-- laneway: end -->\\n' >\"$E.md\"; laneway docs "
        "--check \"$E.md\"; laneway docs \"$E.md\"",
        "cp $R/tests/golden/ttgir/transpose.sm90.ttgir \"$E.ttgir\" && laneway ttgir \"$E.ttgir\"",
        "laneway ttgir --json \"$E.ttgir\"",
        "laneway ttgir \"$E.ttgir\" \"$E.ttgir\"",
        "laneway ttgir \"$E.ttgir\" --style markdown",
        "laneway show \"$E.ttgir:#nothing\"",
        "laneway show \"$E.ttgir:1\"",
        "echo x >\"$E.ttgir\" && laneway ttgir \"$E.ttgir\"",
        "mkdir -p \"$E\" && cp $R/tests/golden/ttgir/transpose.sm90.ttgir \"$E/$E.ttgir\" && "
        "echo save-screen - | laneway \"$E\" --script -",
        "printf 'enter\\nsave-screen -\\n' | laneway \"$E\" --script -",
        "printf 'help\\ncommand\\ntype open %s\\naccept\\nsave-screen -\\n' \"$T\" | laneway "
        "start/16x16 --script -",
        "echo \"$T\" >\"$E.script\"; laneway start/16x16 --script \"$E.script\"",
        "laneway show 'local(2, 3)' -o \"$E/\"",
        "echo '{}' >\"$E.json\"; laneway learn --check \"$E.json\"",
    };
    (void)state;
    RUN_ALL(commands);
}

/* ---- What files contain ---- */

#define DOCUMENT "{\"laneway\": 1, \"title\": \"'\"$J\"'\", \"about\": \"'\"$J\"'\", "
#define LINEAR                                                                                     \
    DOCUMENT                                                                                       \
    "\"in\": [[\"register\", 2], [\"lane\", 2]], \"out\": [[\"'\"$J\"'\", 4]], \"bases\": "        \
    "{\"register\": [[1]], \"lane\": [[2]]}}"
#define NAMED                                                                                      \
    "{\"in\": [[\"'\"$J\"'\", 2], [\"lane\", 2]], \"out\": [[\"dim'\"$J\"'\", 4]], \"bases\": "    \
    "{\"'\"$J\"'\": [[1]], \"lane\": [[2]]}}"
#define LESSON                                                                                     \
    "{\"laneway\": 1, \"lesson\": \"'\"$J\"'\", \"about\": \"'\"$J\"'\", \"steps\": [{\"text\": "  \
    "\"'\"$J\"'\", \"open\": \"start/16x16\", \"do\": \"'\"$J\"'\", \"goal\": {\"cursor\": "       \
    "{\"row\": "                                                                                   \
    "2}}, \"hints\": [\"'\"$J\"'\"], \"solution\": [\"find 2,0\"], \"done\": \"'\"$J\"'\"}], "     \
    "\"learnt\": [\"'\"$J\"'\"], \"read\": [\"'\"$J\"'\"]}"

static void contents_of_documents(void **state)
{
    static const char *const commands[] = {
        "echo '" NAMED "' >n.json; laneway show n.json",
        "laneway bases n.json",
        "laneway bases --json n.json",
        "laneway apply n.json lane=1",
        "laneway show n.json --format ansi",
        "laneway show n.json --format csv",
        "laneway show n.json --format markdown",
        "laneway show n.json --format json",
        "laneway show n.json --format html",
        "laneway show n.json --format svg",
        "laneway show n.json --format latex",
        "laneway show n.json --view hardware",
        "laneway show n.json --view matrix",
        "laneway show n.json --view bases",
        "laneway show n.json --view facts",
        "laneway show n.json --view notation",
        "laneway code n.json --all",
        "laneway convert n.json n.json",
        "laneway calc 'A.invert()' --let A=n.json",
        "laneway calc 'A.invert()' --let A=n.json --json",
        "for v in owners hardware matrix memory banks conversion bases facts notation plan; do "
        "laneway show start/16x16 --load n.json --view $v; done",
        "printf 'save-screen -\\nabout\\nsave-screen -\\n' | laneway n.json --script -",
        "for t in '" DOCUMENT "\"source\": \"local(2, 3)\"}' '" DOCUMENT
        "\"'\"$J\"'\": 1}' '" DOCUMENT "\"encoding\": \"'\"$J\"'\"}' '" DOCUMENT
        "\"source\": \"'\"$J\"'\"}' '" DOCUMENT
        "\"source\": \"local(2, 3)\", \"cell\": \"'\"$J\"'\"}' '" DOCUMENT
        "\"source\": \"local(2, 3)\", \"view\": \"'\"$J\"'\"}' '" DOCUMENT
        "\"source\": \"local(2, 3)\", \"with\": \"'\"$J\"'\"}' '" DOCUMENT
        "\"encoding\": \"blocked\", \"params\": {\"'\"$J\"'\": 1}}' '" DOCUMENT
        "\"encoding\": \"blocked\", \"params\": {\"order\": \"'\"$J\"'\"}}' '" DOCUMENT
        "\"source\": \"local(2, 3)\", \"element\": \"'\"$J\"'\"}' '" LINEAR "'; do echo \"$t\" "
        ">d.json; laneway show d.json; printf "
        "'save-screen -\\nabout\\nsave-screen -\\n' | laneway d.json --script -; done",
        "printf '{\"a\": \"'\"$T\"'\", }' | laneway show -",
        "printf '\\033[2J' | laneway show -",
    };
    (void)state;
    RUN_ALL(commands);
}

static void contents_of_lessons_and_documents(void **state)
{
    static const char *const commands[] = {
        "echo '" LESSON "' >l.json; laneway learn l.json",
        "laneway learn --check l.json",
        "printf 'save-screen -\\nlesson-hint\\nsave-screen -\\ncommand\\ntype find 2,0\\naccept\\n"
        "save-screen -\\nkey Enter\\nsave-screen -\\n' | laneway learn l.json --script -",
        "sed 's/cursor/'\"$T\"'/' l.json >m.json; laneway learn m.json; laneway learn --check "
        "m.json",
        "sed 's/find 2,0/'\"$T\"'/' l.json >m.json; laneway learn m.json; laneway learn --check "
        "m.json",
        "sed 's/start.16x16/'\"$T\"'/' l.json >m.json; laneway learn m.json",
        "printf '<!-- laneway: %s -->\\n<!-- laneway: end -->\\n' \"$E\" >d.md; laneway docs d.md; "
        "laneway docs --check d.md",
        "printf '<!-- laneway: show %s -->\\n<!-- laneway: end -->\\n' \"$T\" >d.md; laneway docs "
        "d.md",
        "printf '<!-- laneway: list %s -->\\n<!-- laneway: end -->\\n' \"$T\" >d.md; laneway docs "
        "--check d.md; laneway docs d.md",
        "printf '%s\\n' \"$T\" >s; laneway start/16x16 --script s",
        "printf 'key %s\\n' \"$T\" >s; laneway start/16x16 --script s",
        "printf 'type %s\\nfind\\ntype %s\\nsave-screen -\\naccept\\nsave-screen -\\n' \"$E\" "
        "\"$E\" "
        ">s; laneway start/16x16 --script s",
        "printf 'command\\ntype %s\\naccept\\nsave-screen -\\n' \"$E\" >s; laneway start/16x16 "
        "--script s",
        "printf 'save-screen no/%s\\n' \"$E\" >s; laneway start/16x16 --script s",
    };
    (void)state;
    RUN_ALL(commands);
}

static void contents_of_kernels(void **state)
{
    static const char *const commands[] = {
        "sed 's/tt.func public @[a-z_]*/tt.func public @'\"$T\"'/; "
        "s/loc(\"[^\"]*\"/loc(\"'\"$T\"'\"/' "
        "$R/tests/golden/ttgir/transpose.sm90.ttgir >k.ttgir; laneway ttgir k.ttgir",
        "laneway ttgir --json k.ttgir",
        "laneway ttgir --style markdown k.ttgir",
        "laneway ttgir k.ttgir $R/tests/golden/ttgir/transpose.sm90.ttgir",
        "laneway ttgir k.ttgir --format csv",
        "printf 'save-screen -\\nother-list\\nsave-screen -\\nenter\\nsave-screen -\\nabout\\n"
        "save-screen -\\n' | laneway k.ttgir --script -",
        "sed 's/ttg.convert_layout/'\"$T\"'/; s/tt.trans/'\"$T\"'/; s/tt.store/'\"$T\"'/' "
        "$R/tests/golden/ttgir/transpose.sm90.ttgir >k.ttgir; laneway ttgir k.ttgir",
        "sed 's/#blocked1/#'\"$T\"'/g' $R/tests/golden/ttgir/transpose.sm90.ttgir >k.ttgir; "
        "laneway ttgir k.ttgir; laneway ttgir --json k.ttgir",
        "sed 's/cuda:90/'\"$T\"'/' $R/tests/golden/ttgir/transpose.sm90.ttgir >k.ttgir; laneway "
        "ttgir k.ttgir; laneway ttgir --json k.ttgir",
    };
    (void)state;
    RUN_ALL(commands);
}

static void lines_of_standard_input(void **state)
{
    static const char *const commands[] = {
        "printf '%s\\n' \"$E\" | laneway bases --batch",
        "printf '%s\\n' \"$T\" | laneway bases --batch --json",
        "printf '{\"source\": \"%s\"}\\n{\"%s\": 1}\\n' \"$J\" \"$J\" | laneway bases --batch "
        "--json",
        "printf '{\"expr\": \"%s\", \"let\": {\"%s\": \"%s\"}}\\n' \"$J\" \"$J\" \"$J\" | laneway "
        "calc "
        "--batch --json",
        "printf '{\"a\": \"%s\", \"b\": \"%s\"}\\n%s\\n' \"$J\" \"$J\" \"$E\" | laneway convert "
        "--batch "
        "--json",
        "printf '%s\\n%s,1\\n' \"$E\" \"$T\" | laneway wavefronts",
        "printf 'op,width,mask,%s\\n' \"$E\" | laneway wavefronts",
    };
    (void)state;
    RUN_ALL(commands);
}

/* Every format that is text, with hostile text in each place that takes some. */
static void formats(void **state)
{
    static const char *const names[] = {"text", "ansi", "markdown", "rst",   "csv",
                                        "json", "html", "svg",      "latex", "latex --fragment"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[512];
        snprintf(line, sizeof line,
                 "laneway show 'local(2, 3)' --title \"$T\" --caption \"$T\" --cell \"$T{local}\" "
                 "--format %s",
                 names[i]);
        run(line);
        snprintf(line, sizeof line,
                 "laneway show 'local(2, 3)' 'local(2, 3)' --title \"$E\" --titles \"$E|$E\" "
                 "--caption \"$E\" --format %s",
                 names[i]);
        run(line);
    }
}

/* Settings and themes are files too. */
static void settings(void **state)
{
    static const char *const commands[] = {
        "mkdir -p c/laneway/themes; export XDG_CONFIG_HOME=$PWD/c XDG_STATE_HOME=$PWD/s "
        "XDG_DATA_HOME=$PWD/s; printf '{\"%s\": 1}' \"$J\" >c/laneway/settings.json; printf "
        "'{\"%s\": 1}' \"$J\" >c/laneway/themes/x.json; printf 'save-screen -\\ncommand\\ntype "
        "theme "
        "x\\naccept\\nsave-screen -\\n' >s; laneway start/16x16 --script s; laneway start/16x16 "
        "--theme \"$E\" --script s; laneway start/16x16 --theme x --script s; laneway learn",
    };
    (void)state;
    RUN_ALL(commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments),
        cmocka_unit_test(names_of_files),
        cmocka_unit_test(contents_of_documents),
        cmocka_unit_test(contents_of_lessons_and_documents),
        cmocka_unit_test(contents_of_kernels),
        cmocka_unit_test(lines_of_standard_input),
        cmocka_unit_test(formats),
        cmocka_unit_test(settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
