/* Targets as data: the documents of layouts/targets/ against the tables made of them, and what is refused. */

#include "unit.h"

#include "laneway/hardware.h"
#include "laneway/wavefront.h"
#include "notation/document/read.h"

#include <stdio.h>

static bool made(struct lw_target *target, const char *text, struct lw_error *err)
{
    struct lw_arena arena = {0};
    struct lw_value object;
    *err = (struct lw_error){0};
    bool good = lw_read_json_object(&arena, text, strlen(text), "{}", &object, err) &&
                lw_target_make(target, &object, err);
    lw_arena_free(&arena);
    return good;
}

static void same_groups(const struct lw_lane_groups *a, const struct lw_lane_groups *b)
{
    assert_true(!a == !b);
    if (!a)
        return;
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->banks, b->banks);
    for (unsigned g = 0; g < a->count; g++)
        assert_true(a->lanes[g] == b->lanes[g]);
}

static void same_text(const char *a, const char *b)
{
    assert_true(!a == !b);
    if (a)
        assert_string_equal(a, b);
}

/* The tables are made by a script that reads lines; here the documents are read as JSON. */
static void built_in(void **state)
{
    size_t count;
    const struct lw_hardware *rows = lw_hardware_list(&count);
    (void)state;
    assert_true(count > 30);
    for (size_t i = 0; i < count; i++) {
        char path[128], text[8192];
        struct lw_target target;
        struct lw_error err;
        snprintf(path, sizeof path, "layouts/targets/%s.json", rows[i].name);
        FILE *file = fopen(path, "rb");
        if (!file)
            fail_msg("%s cannot be opened", path);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        if (!made(&target, text, &err))
            fail_msg("%s: %s", path, err.message);
        const struct lw_bank_model *a = rows[i].banks, *b = target.hardware.banks;
        assert_string_equal(rows[i].name, target.hardware.name);
        assert_string_equal(rows[i].title, target.hardware.title);
        assert_int_equal(rows[i].lanes, target.hardware.lanes);
        same_text(a->name, b->name);
        same_text(a->evidence, b->evidence);
        same_text(a->disagreement, b->disagreement);
        assert_int_equal(a->lanes, b->lanes);
        assert_int_equal(a->banks, b->banks);
        assert_int_equal(a->bank_bytes, b->bank_bytes);
        assert_true(a->pairs == b->pairs && a->ldmatrix == b->ldmatrix &&
                    a->stmatrix == b->stmatrix);
        for (int width = 0; width < LW_WIDTHS; width++) {
            same_groups(a->load[width], b->load[width]);
            same_groups(a->store[width], b->store[width]);
        }
    }
    assert_string_equal(lw_hardware_default()->name, "sm90");
}

#define HEAD                                                                                       \
    "{\"target\": \"toy\", \"title\": \"t\", \"evidence\": \"e\", \"lanes\": 8, \"banks\": 8"

#define TOY(name, lanes, banks)                                                                    \
    "{\"target\": \"" name "\", \"title\": \"t\", \"evidence\": \"e\", \"lanes\": " lanes          \
    ", \"banks\": " banks
#define FORTY "1234567890123456789012345678901234567890"

/* At each limit, and what is left out. */
static void at_limits(void **state)
{
    static const char *const rows[] = {
        HEAD ", \"laneway\": 1, \"bank_bytes\": 2, \"sources\": {\"banks\": \"x\"}}",
        HEAD ", \"model\": \"" FORTY "1234567\", \"stmatrix\": false}",
        HEAD ", \"load\": {\"1\": 1, \"2\": 8, \"4\": [\"0-3, 4 5,6-7\"]}}",
        HEAD
        ", \"merging\": true, \"load\": {\"4\": 8, \"8\": 4, \"16\": 2}, \"store\": {\"8\": 8}}",
        HEAD ", \"store\": {\"16\": {\"lanes\": 2, \"banks\": 4}}}",
        TOY("a-b_c.9", "64", "64") ", \"load\": {\"4\": 4}}",
        TOY("toy", "1", "4") "}",
        TOY("toy", "32", "32") ", \"ldmatrix\": true, \"stmatrix\": true, \"load\": {\"4\": 2}}"};
    struct lw_target target;
    struct lw_error err;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!made(&target, rows[i], &err))
            fail_msg("%s: %s", rows[i], err.message);
    assert_true(made(&target, rows[2], &err));
    assert_string_equal(target.model.name, "t"); /* the title */
    assert_null(target.model.disagreement);
    assert_int_equal(target.model.bank_bytes, 4);
    assert_int_equal(target.model.load[0]->count, 8);
    assert_int_equal(target.model.load[1]->count, 1);
    assert_int_equal(target.model.load[2]->lanes[0], 0xff);
    assert_null(target.model.load[3]);
    assert_null(target.model.store[2]);
    assert_true(made(&target, rows[1], &err));
    assert_string_equal(target.model.name, FORTY "1234567");
    assert_true(made(&target, rows[0], &err));
    assert_int_equal(lw_bank_model_row_bytes(&target.model), 16);
    unsigned number = 7;
    assert_true(lw_hardware_sm(lw_hardware_find("sm103"), &number) && number == 103);
    assert_false(lw_hardware_sm(lw_hardware_find("gfx942"), &number));
}

static void refused(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"[]", "it must be an object"},
        {"{\"target\": \"toy\"}", "a target needs 'title'"},
        {HEAD ", \"bank\": 4}", "a target has no 'bank'"},
        {HEAD ", \"bank_bytes\": 3}", "bank_bytes: expected a power of two from 1 to 4"},
        {HEAD ", \"bank_bytes\": 1}", "banks: all banks together must have at least 16 bytes"},
        {HEAD ", \"load\": {\"3\": 2}}", "load: a lane moves 1, 2, 4, 8 or 16 bytes"},
        {HEAD ", \"load\": {\"4\": 3}}", "load: expected the number of lanes served together"},
        {HEAD ", \"load\": {\"4\": [\"0-3\"]}}",
         "load: expected the number of lanes served together"},
        {HEAD ", \"load\": {\"4\": [\"0-3\", \"3-7\"]}}",
         "load: expected the number of lanes served together"},
        {HEAD ", \"load\": {\"4\": [\"0-8\"]}}",
         "load: expected the number of lanes served together"},
        {HEAD ", \"store\": {\"4\": {\"lanes\": 2, \"banks\": 16}}}",
         "store: banks must be a power"},
        {HEAD ", \"store\": {\"16\": {\"lanes\": 2, \"banks\": 2}}}", "store: fewer banks than"},
        {HEAD ", \"ldmatrix\": true}", "ldmatrix: matrix instructions are of 32 lanes"},
        {HEAD ", \"sources\": {\"bank\": \"x\"}}", "sources: expected an object of texts"},
        {HEAD ", \"sources\": {\"banks\": 1}}", "sources: expected an object of texts"},
        {HEAD ", \"sources\": 1}", "sources: expected an object of texts"},
        {HEAD ", \"laneway\": 2}", "laneway: expected a power of two from 1 to 1"},
        {HEAD ", \"bank_bytes\": 8}", "bank_bytes: expected a power of two from 1 to 4"},
        {HEAD ", \"bank_bytes\": 0}", "bank_bytes: expected a power of two from 1 to 4"},
        {HEAD ", \"merging\": 1}", "merging: expected true or false"},
        {HEAD ", \"ldmatrix\": \"yes\"}", "ldmatrix: expected true or false"},
        {HEAD ", \"stmatrix\": true}", "ldmatrix: matrix instructions are of 32 lanes"},
        {HEAD ", \"model\": \"\"}", "model: expected a text of 1 to 47 bytes on one line"},
        {HEAD ", \"model\": \"a\\nb\"}", "model: expected a text of 1 to 47 bytes on one line"},
        {HEAD ", \"model\": \"a\\tb\"}", "model: expected a text of 1 to 47 bytes on one line"},
        {HEAD ", \"model\": 7}", "model: expected a text of 1 to 47 bytes on one line"},
        {HEAD ", \"model\": \"" FORTY "12345678\"}", "model: expected a text of 1 to 47 bytes"},
        {HEAD ", \"disagreement\": \"\"}", "disagreement: expected a text of 1 to 399 bytes"},
        {HEAD ", \"load\": 4}", "load: expected an object of widths"},
        {HEAD ", \"load\": {\"32\": 4}}", "load: a lane moves 1, 2, 4, 8 or 16 bytes"},
        {HEAD ", \"load\": {\"4\": 0}}", "load: expected the number of lanes served together"},
        {HEAD ", \"load\": {\"4\": 16}}", "load: expected the number of lanes served together"},
        {HEAD ", \"load\": {\"4\": true}}", "load: expected the number of lanes served together"},
        {HEAD ", \"load\": {\"4\": []}}", "load: expected the number of lanes served together"},
        {HEAD ", \"load\": {\"4\": [7]}}", "load: expected the number of lanes served together"},
        {HEAD ", \"load\": {\"4\": [\"7-0\"]}}",
         "load: expected the number of lanes served together"},
        {HEAD ", \"load\": {\"4\": [\"0-3\", \"4-\"]}}",
         "load: expected the number of lanes served together"},
        {HEAD ", \"load\": {\"4\": [\"0-7\", \"\"]}}",
         "load: expected the number of lanes served together"},
        {HEAD ", \"load\": {\"4\": [\"0-3 0, 4-7\"]}}",
         "load: expected the number of lanes served together"},
        {HEAD ", \"store\": {\"4\": {\"lanes\": 2, \"bank\": 2}}}",
         "store: has \"lanes\" and \"banks\""},
        {HEAD ", \"store\": {\"4\": {\"lanes\": 2, \"banks\": 3}}}",
         "store: banks must be a power"},
        {HEAD ", \"store\": {\"4\": {\"lanes\": 2, \"banks\": 0}}}",
         "store: banks must be a power"},
        {HEAD ", \"store\": {\"4\": {\"banks\": 2}}}",
         "store: expected the number of lanes served together"},
        {HEAD ", \"merging\": true, \"load\": {\"8\": 8}}", "merging: loads of 8 and 16 bytes"},
        {HEAD ", \"merging\": true, \"load\": {\"16\": 8}}", "merging: loads of 8 and 16 bytes"},
        {TOY("Toy", "8", "8") "}", "target: a name has small letters, digits and -_. only"},
        {TOY("a b", "8", "8") "}", "target: a name has small letters, digits and -_. only"},
        {TOY("toy", "128", "8") "}", "lanes: expected a power of two from 1 to 64"},
        {TOY("toy", "12", "8") "}", "lanes: expected a power of two from 1 to 64"},
        {TOY("toy", "8", "128") "}", "banks: expected a power of two from 1 to 64"},
        {TOY("toy", "8", "2") "}", "banks: all banks together must have at least 16 bytes"},
        {TOY("toy", "32", "8") ", \"load\": {\"4\": 1}}",
         "load: expected the number of lanes served together"}, /* 32 groups */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_target target;
        struct lw_error err;
        if (made(&target, rows[i].text, &err))
            fail_msg("%s: legal", rows[i].text);
        if (strncmp(err.message, rows[i].message, strlen(rows[i].message)) != 0)
            fail_msg("%s: %s", rows[i].text, err.message);
    }
}

static struct lw_cost cost_of(const struct lw_bank_model *model, enum lw_access_op op,
                              unsigned width, uint64_t step)
{
    struct lw_access access = {.op = op, .width = width, .active = lw_f2_mask((int)model->lanes)};
    struct lw_cost cost;
    struct lw_error err;
    for (unsigned lane = 0; lane < model->lanes; lane++)
        access.address[lane] = lane * step;
    if (!lw_access_cost(model, &access, &cost, &err))
        fail_msg("%s", err.message);
    return cost;
}

/* Worked out by hand from the documents. */
static void served(void **state)
{
    struct lw_target toy;
    struct lw_error err;
    (void)state;
    assert_true(made(&toy,
                     HEAD ", \"load\": {\"4\": 2}, \"store\": {\"4\": [\"0, 4\", \"1, 5\", "
                          "\"2, 6\", \"3, 7\"]}}",
                     &err));
    /* Lanes 8 words apart are all in one bank: both of each pair. */
    assert_int_equal(cost_of(&toy.model, LW_ACCESS_LOAD, 4, 4).wavefronts, 4);
    assert_int_equal(cost_of(&toy.model, LW_ACCESS_LOAD, 4, 32).wavefronts, 8);
    assert_int_equal(cost_of(&toy.model, LW_ACCESS_STORE, 4, 4).wavefronts, 4);
    /* Lanes 2 words apart: 0 and 4 are in one bank, 0 and 1 are not. */
    assert_int_equal(cost_of(&toy.model, LW_ACCESS_STORE, 4, 8).wavefronts, 8);
    assert_int_equal(cost_of(&toy.model, LW_ACCESS_LOAD, 4, 8).wavefronts, 4);
    /* CDNA 4 stores 4 bytes by 16 lanes over 32 banks: 2 words apart they meet no other. */
    const struct lw_bank_model *cdna4 = lw_hardware_find("gfx950")->banks;
    assert_int_equal(cost_of(cdna4, LW_ACCESS_STORE, 4, 4).wavefronts, 4);
    assert_int_equal(cost_of(cdna4, LW_ACCESS_STORE, 4, 8).wavefronts, 4);
    assert_int_equal(cost_of(cdna4, LW_ACCESS_STORE, 4, 16).wavefronts, 8);
    assert_int_equal(cost_of(cdna4, LW_ACCESS_STORE, 16, 16).wavefronts, 16);
    /* Its loads of 4 bytes: 64 lanes over 64 banks by the guide, 16 over 32 by rocRoller. */
    assert_int_equal(cost_of(cdna4, LW_ACCESS_LOAD, 4, 4).wavefronts, 1);
    assert_int_equal(
        cost_of(lw_hardware_find("gfx950-rocroller")->banks, LW_ACCESS_LOAD, 4, 4).wavefronts, 4);
    /* Its stores of 8 bytes: 8 lanes at a time by rocRoller, 16 as HipKittens measured them. */
    const struct lw_bank_model *measured = lw_hardware_find("gfx950-hipkittens")->banks;
    assert_int_equal(cost_of(cdna4, LW_ACCESS_STORE, 8, 8).wavefronts, 8);
    assert_int_equal(cost_of(measured, LW_ACCESS_STORE, 8, 8).wavefronts, 4);
    assert_int_equal(cost_of(measured, LW_ACCESS_LOAD, 16, 16).wavefronts,
                     cost_of(cdna4, LW_ACCESS_LOAD, 16, 16).wavefronts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(built_in), cmocka_unit_test(at_limits),
                                       cmocka_unit_test(refused), cmocka_unit_test(served)};
    return RUN(tests);
}
