/* Growing texts, UTF-8, nearest names. */

#include "unit.h"
#include "core/text_rows.h"

#include "laneway/arena.h"
#include "laneway/text.h"

static void growing(void **state)
{
    (void)state;
    struct lw_text text = {0};
    assert_string_equal(lw_text_string(&text), "");
    lw_text_add(&text, "lane");
    lw_text_char(&text, ' ');
    lw_text_number(&text, 0);
    lw_text_number(&text, UINT64_MAX);
    lw_text_repeat(&text, '-', 3);
    lw_text_format(&text, "%d:%s", 7, "x");
    lw_text_bytes(&text, "abc", 2);
    lw_text_bytes(&text, NULL, 0);
    assert_string_equal(lw_text_string(&text), "lane 018446744073709551615---7:xab");
    lw_text_clear(&text);
    assert_string_equal(lw_text_string(&text), "");
    for (int i = 0; i < 10000; i++)
        lw_text_format(&text, "%d,", i % 10);
    assert_int_equal(text.length, 20000);
    assert_int_equal(strlen(text.data), 20000);
    lw_text_free(&text);
    assert_null(text.data);
}

static void json_is(const char *string, const char *expected)
{
    struct lw_text text = {0};
    lw_text_json_string(&text, string);
    assert_string_equal(lw_text_string(&text), expected);
    lw_text_free(&text);
}

static void json_strings(void **state)
{
    (void)state;
    json_is("", "\"\"");
    json_is("lane 5", "\"lane 5\"");
    json_is("\"\\/", "\"\\\"\\\\/\"");
    json_is("a\nb\tc\rd", "\"a\\nb\\tc\\u000dd\"");
    json_is("\001\037\177", "\"\\u0001\\u001f\\u007f\"");
    json_is("\xe2\x86\x92 \xf0\x9f\x98\x80", "\"\xe2\x86\x92 \xf0\x9f\x98\x80\"");
    json_is("a\xff\xc3z\xe2\x86", "\"a\xef\xbf\xbd\xef\xbf\xbdz\xef\xbf\xbd\xef\xbf\xbd\"");
    struct lw_text text = {.limit = 8};
    lw_text_json_string(&text, "0123456789abcdef");
    assert_true(text.length < 12);
    lw_text_free(&text);
}

/* What has no picture is written in JSON's escapes, what is no UTF-8 as a byte; all else stays. */
static void shown(void **state)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"", ""},
        {"lane 5 \"\\", "lane 5 \"\\"},
        {"\xe2\x86\x92 \xf0\x9f\x98\x80 \xcc\x81", "\xe2\x86\x92 \xf0\x9f\x98\x80 \xcc\x81"},
        {"a\nb\tc\rd", "a\\nb\\tc\\u000dd"},
        {"\x1b[2J\x7f", "\\u001b[2J\\u007f"},
        {"\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "\\u0080\\u009b\\u009f\xc2\xa0"},
        {"\xe2\x80\xaeU\xe2\x81\xa6", "\\u202eU\\u2066"},
        {"\xe2\x80\x8b\xe2\x80\xa8\xef\xbb\xbf", "\\u200b\\u2028\\ufeff"},
        {"\xf3\xa0\x81\x81", "\\udb40\\udc41"},
        {"\x9b\xe2\x80", "\\x9b\\xe2\\x80"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_text text = {0};
        lw_text_shown(&text, cases[i].text);
        assert_string_equal(lw_text_string(&text), cases[i].shown);
        lw_text_free(&text);
    }
}

static void limits(void **state)
{
    (void)state;
    struct lw_text text = {.limit = 4};
    lw_text_add(&text, "abc");
    assert_false(lw_text_full(&text));
    lw_text_char(&text, 'd');
    assert_true(lw_text_full(&text));
    lw_text_free(&text);
    struct lw_text failed = {0};
    lw_text_fail(&failed);
    size_t length = failed.length;
    lw_text_add(&failed, "nothing");
    lw_text_cut(&failed, 0);
    assert_true(lw_text_full(&failed));
    assert_int_equal(failed.length, length);
    lw_text_clear(&failed);
    lw_text_add(&failed, "again");
    assert_string_equal(lw_text_string(&failed), "again");
    lw_text_free(&failed);
}

static void widths(void **state)
{
    (void)state;
    assert_int_equal(lw_text_width(""), 0);
    assert_int_equal(lw_text_width("lane"), 4);
    assert_int_equal(lw_text_width("\xe2\x94\x82x\xe2\x94\x82"), 3); /* bars of a grid */
    assert_int_equal(lw_text_width("\xe6\x97\xa5\xe6\x9c\xac"), 4);  /* two wide letters */
    assert_int_equal(lw_text_width("e\xcc\x81"), 1);                 /* an accent of its own */
    assert_int_equal(lw_text_width("\xff\xfe"), 2);
    assert_int_equal(lw_text_width("\xe2\x94"), 2); /* cut off */
}

/* The first and the last character of each range, and its neighbours: Unicode's East Asian Width, as
 * terminals draw it, and the characters without a picture. */
static void ranges(void **state)
{
    static const uint32_t wide[][2] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
                                       {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                                       {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
                                       {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff},
                                       {0x20000, 0x3fffd}};
    static const uint32_t narrow[] = {0x20,   0x7e,   0xff,   0x2ff,  0x370,   0x200a,
                                      0x2010, 0xfe0e, 0xfe10, 0x2502, 0x10ffff};
    static const uint32_t none[] = {0x300, 0x36f, 0x200b, 0x200f, 0xfe0f};
    static const uint32_t controls[][2] = {
        {0x1, 0x1f},        {0x7f, 0x9f},      {0xad, 0xad},       {0x61c, 0x61c},
        {0x180e, 0x180e},   {0x200b, 0x200f},  {0x2028, 0x202e},   {0x2060, 0x206f},
        {0xfeff, 0xfeff},   {0xfff9, 0xfffb},  {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
        {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
    (void)state;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        assert_int_equal(lw_text_code_width(wide[i][0] - 1), 1);
        assert_int_equal(lw_text_code_width(wide[i][0]), 2);
        assert_int_equal(lw_text_code_width(wide[i][1]), 2);
        assert_int_equal(lw_text_code_width(wide[i][1] + 1), 1);
    }
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        assert_int_equal(lw_text_code_width(narrow[i]), 1);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(lw_text_code_width(none[i]), 0);
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
        assert_true(i == 0 || !lw_text_is_control(controls[i][0] - 1));
        assert_true(lw_text_is_control(controls[i][0]));
        assert_true(lw_text_is_control(controls[i][1]));
        assert_false(lw_text_is_control(controls[i][1] + 1));
    }
}

/* Punctuation that begins no row, and punctuation that ends none. */
static void punctuation(void **state)
{
    static const uint32_t closing[] = {0x3001, 0x3002, 0x3009, 0x300b, 0x300d, 0x300f, 0x3011,
                                       0xff01, 0xff09, 0xff0c, 0xff0e, 0xff1a, 0xff1b, 0xff1f};
    static const uint32_t opening[] = {0x3008, 0x300a, 0x300c, 0x300e, 0x3010, 0xff08};
    const size_t all = sizeof closing / sizeof *closing + sizeof opening / sizeof *opening;
    (void)state;
    for (size_t i = 0; i < all; i++) {
        const bool opens = i >= sizeof closing / sizeof *closing;
        const uint32_t code = opens ? opening[i - sizeof closing / sizeof *closing] : closing[i];
        struct lw_text text = {0};
        char bytes[5] = {0};
        lw_text_encode(code, bytes);
        lw_text_format(&text, "漢字%s漢", bytes);
        /* three fit: a closing one takes its neighbour along, an opening one goes to the next row */
        assert_int_equal(lw_text_row_bytes(lw_text_string(&text), 4), opens ? 6 : 3);
        assert_int_equal(lw_text_row_bytes(lw_text_string(&text), 6), opens ? 6 : 9);
        lw_text_free(&text);
    }
}

static void all_code_points(void **state)
{
    (void)state;
    char four[4];
    assert_int_equal(lw_text_encode(0x7f, four), 1);
    assert_int_equal(lw_text_encode(0x80, four), 2);
    assert_int_equal(lw_text_encode(0x7ff, four), 2);
    assert_int_equal(lw_text_encode(0x800, four), 3);
    assert_int_equal(lw_text_encode(0xffff, four), 3);
    assert_int_equal(lw_text_encode(0x10000, four), 4);
    for (uint32_t code = 1; code <= 0x10ffff; code++) {
        char bytes[5] = {0};
        int length, n = lw_text_encode(code, bytes);
        bool surrogate = code >= 0xd800 && code < 0xe000;
        uint32_t back = lw_text_decode(bytes, &length);
        assert_true(surrogate ? back == 0xfffd : back == code && length == n);
    }
}

/* Longer forms than needed, lone bytes and numbers beyond Unicode are one bad byte each. */
static void bad_utf8(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\xc0\x80",     "\xc1\xbf",         "\xe0\x80\x80", "\xf0\x80\x80\x80", "\x80",     "\xbf",
        "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5",         "\xe2\x28\xa1",     "\xe2\x82", "\xff"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int length;
        assert_int_equal(lw_text_decode(bad[i], &length), 0xfffd);
        assert_int_equal(length, 1);
    }
}

static const char *name_at(const void *context, size_t i)
{
    return ((const char *const *)context)[i];
}

static void nearest(void **state)
{
    (void)state;
    static const char *const names[] = {"sizePerThread", "threadsPerWarp", "warpsPerCTA", "order"};
    static const char *const words[] = {"swizzled_shared", "amd_mfma"};
    static char huge[4096];
    memset(huge, 'x', sizeof huge - 1);
    assert_string_equal(lw_text_nearest("sizePerThred", 4, name_at, names), "sizePerThread");
    assert_string_equal(lw_text_nearest("warpsPerCta", 4, name_at, names), "warpsPerCTA");
    assert_string_equal(lw_text_nearest("ordre", 4, name_at, names), "order");
    assert_null(lw_text_nearest("zebra", 4, name_at, names));
    assert_null(lw_text_nearest(huge, 4, name_at, names));
    assert_null(lw_text_nearest("order", 0, name_at, names));
    assert_string_equal(lw_text_nearest("swizled", 2, name_at, words), "swizzled_shared");
    assert_string_equal(lw_text_nearest("mffma", 2, name_at, words), "amd_mfma");
    assert_null(lw_text_nearest("amx", 2, name_at, words));
    /* A third of the letters may differ, of two or three one; neighbours in the wrong order are one edit. */
    static const char *const few[] = {"ab", "abcdef", "lane_mask", "x"};
    assert_string_equal(lw_text_nearest("ac", 4, name_at, few), "ab");
    assert_string_equal(lw_text_nearest("ba", 4, name_at, few), "ab");
    assert_null(lw_text_nearest("y", 4, name_at, few));
    assert_string_equal(lw_text_nearest("x", 4, name_at, few), "x");
    assert_string_equal(lw_text_nearest("abcdxy", 4, name_at, few), "abcdef");
    assert_null(lw_text_nearest("abcxyz", 4, name_at, few));
    assert_string_equal(lw_text_nearest("ABDCEF", 4, name_at, few), "abcdef");
    assert_string_equal(lw_text_nearest("mask", 4, name_at, few), "lane_mask");
    assert_string_equal(lw_text_nearest("maks", 4, name_at, few), "lane_mask");
    assert_null(lw_text_nearest("mas", 4, name_at, few));
}

/* A word among others, not a part of one. */
static void words(void **state)
{
    (void)state;
    assert_true(lw_text_has_word("ab cd  e", "ab") && lw_text_has_word("ab cd  e", "cd"));
    assert_true(lw_text_has_word(" ab cd  e ", "e"));
    assert_false(lw_text_has_word("ab cd", "a"));
    assert_false(lw_text_has_word("ab cd", "abc"));
    assert_false(lw_text_has_word("ab cd", ""));
    assert_false(lw_text_has_word("", "a"));
}

/* Newlines separate words too: the end of a line does not stop the scan. */
static void wrapping(void **state)
{
    (void)state;
    struct lw_text text = {0};
    lw_text_wrap(&text, "one\ntwo \n three", 2, 0);
    assert_string_equal(lw_text_string(&text), "one two three\n");
    lw_text_clear(&text);
    lw_text_wrap(&text,
                 "lane warp register lane warp register lane warp register lane warp "
                 "register lane",
                 2, 0);
    assert_string_equal(lw_text_string(&text),
                        "lane warp register lane warp register lane warp register lane warp "
                        "register\n  lane\n");
    lw_text_clear(&text);
    /* Words longer than the line are kept whole, and those of wide characters need no blanks. */
    lw_text_wrap(&text, "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff b", 4, 30);
    assert_string_equal(lw_text_string(&text),
                        "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff\n    b\n");
    lw_text_clear(&text);
    lw_text_wrap(&text,
                 "每个线程持有哪些元素取决于布局的参数每个线程持有哪些元素取决于布局的参数每个线程",
                 2, 0);
    assert_string_equal(
        lw_text_string(&text),
        "每个线程持有哪些元素取决于布局的参数每个线程持有哪些元素取决于布局的参数每个\n  线程\n");
    lw_text_free(&text);
}

/* Rows are counted in columns, and no character is cut. */
static void rows(void **state)
{
    static const struct {
        const char *text;
        size_t columns;
        const char *rows; /* separated by | */
    } cases[] = {
        {"", 5, ""},
        {"one two three", 7, "one two|three"},
        {"one two three", 6, "one|two|three"},
        {"one  two", 4, "one |two"},
        {"  abcdefgh ij", 6, "  abcd|efgh|ij"},
        {"abcdef", 2, "ab|cd|ef"},
        {"abc", 0, "a|b|c"},
        {"one\ntwo", 9, "one|two"},
        {"éééé", 3, "ééé|é"},
        {"漢字漢字", 4, "漢字|漢字"},
        {"漢字漢字", 5, "漢字|漢字"},
        {"漢字", 1, "漢|字"},
        {"set 漢字字 abc", 8, "set 漢字|字 abc"},
        {"漢字。字", 4, "漢|字。|字"},
        {"字「漢字」字", 4, "字|「漢|字」|字"},
        {"e\314\201e\314\201e", 2, "e\314\201e\314\201|e"},
        {"\377\377\377", 2, "\377\377|\377"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_text text = {0};
        for (const char *rest = cases[i].text; *rest; rest += strspn(rest, " \n")) {
            size_t length = lw_text_row_bytes(rest, cases[i].columns);
            if (text.length)
                lw_text_char(&text, '|');
            lw_text_bytes(&text, rest, length);
            rest += length;
        }
        assert_string_equal(lw_text_string(&text), cases[i].rows);
        lw_text_free(&text);
    }
}

/* What gets the content of a text that has failed fails too. */
static void failures_spread(void **state)
{
    struct lw_text failed = {0}, text = {0};
    struct lw_arena arena = {0};
    struct lw_error err;
    (void)state;
    lw_text_add(&failed, "a part");
    lw_text_fail(&failed);
    lw_text_add(&text, lw_text_string(&failed));
    assert_true(text.failed);
    lw_text_clear(&text);
    lw_text_bytes(&text, lw_text_string(&failed), failed.length);
    assert_true(text.failed);
    lw_text_clear(&text);
    lw_text_format(&text, "before %s after", lw_text_string(&failed));
    assert_true(text.failed);
    lw_text_clear(&text);
    lw_text_json_string(&text, lw_text_string(&failed));
    assert_true(text.failed);
    lw_text_clear(&text);
    lw_text_wrap(&text, lw_text_string(&failed), 2, 2);
    assert_true(text.failed);
    assert_false(arena.failed);
    assert_null(lw_arena_string(&arena, lw_text_string(&failed), failed.length));
    assert_true(arena.failed);
    lw_error_set(&err, LW_ERROR_NAME, "expected one of %s", lw_text_string(&failed));
    assert_int_equal(err.code, LW_ERROR_MEMORY);
    assert_string_equal(err.message, "out of memory");
    lw_text_free(&text);
    lw_text_free(&failed);
    lw_arena_free(&arena);
}

static void cutting(void **state)
{
    struct lw_text text = {0};
    (void)state;
    lw_text_add(&text, "abcdef");
    lw_text_cut(&text, 9);
    assert_string_equal(lw_text_string(&text), "abcdef");
    lw_text_cut(&text, 2);
    assert_string_equal(lw_text_string(&text), "ab");
    lw_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shown),           cmocka_unit_test(growing),
        cmocka_unit_test(json_strings),    cmocka_unit_test(limits),
        cmocka_unit_test(widths),          cmocka_unit_test(all_code_points),
        cmocka_unit_test(bad_utf8),        cmocka_unit_test(nearest),
        cmocka_unit_test(wrapping),        cmocka_unit_test(rows),
        cmocka_unit_test(failures_spread), cmocka_unit_test(cutting),
        cmocka_unit_test(ranges),          cmocka_unit_test(punctuation),
        cmocka_unit_test(words),
    };
    return RUN(tests);
}
