/* Pieces of pages: names of texts, JSON, rows that are thinned; and memory that is denied. */
#include "check.h"
#include "deny.h"
#include "report/json.h"
#include "report/pack.h"
#include "report/sha256.h"
#include "report/thin.h"

#include <livens/report.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* FIPS 180-4, examples of NIST. */
static void hashes_are_those_of_the_standard(void **state)
{
    char hash[LV_SHA256_SIZE];
    char *many = malloc(1000000);
    (void)state;
    lv_sha256(hash, "", 0);
    assert_string_equal(
        hash, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    lv_sha256(hash, "abc", 3);
    assert_string_equal(
        hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    lv_sha256(hash, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56);
    assert_string_equal(
        hash, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_non_null(many);
    memset(many, 'a', 1000000);
    lv_sha256(hash, many, 1000000);
    assert_string_equal(
        hash, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(many);
}

static void json_of_any_text_can_stand_in_a_script(void **state)
{
    lv_json j = {0};
    (void)state;
    lv_json_open(&j, '{');
    lv_json_put_text(&j, "a\"b", "</script>\n\\ \x01 \x7f \xc3\xa4");
    lv_json_put_text(&j, "bad", "\xff \xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82");
    lv_json_put_number(&j, "x", 0.1);
    lv_json_put_number(&j, "y", (double)NAN);
    lv_json_key(&j, "raw");
    lv_json_raw(&j, "[\"<\",\"<<\"]", 10);
    lv_json_put_flag(&j, "f", true);
    lv_json_put_text(&j, "n", NULL);
    lv_json_close(&j, '}');
    assert_string_equal(
        j.text.data,
        "{\"a\\\"b\":\"\\u003c/script>\\u000a\\\\ \\u0001 \\u007f \xc3\xa4\","
        "\"bad\":\"\\ufffd \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd "
        "\\ufffd\\ufffd\\ufffd\\ufffd \\ufffd\\ufffd\","
        "\"x\":0.1,\"y\":null,\"raw\":[\"\\u003c\",\"\\u003c\\u003c\"],\"f\":true,"
        "\"n\":null}");
    lv_text_done(&j.text);
}

/* RFC 4648, section 10. */
static void base64_is_that_of_the_standard(void **state)
{
    static const char *const right[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                        "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    (void)state;
    for (size_t k = 0; k < 7; k++) {
        lv_text text = {0};
        lv_base64(&text, (const unsigned char *)"foobar", k);
        assert_string_equal(text.data ? text.data : "", right[k]);
        lv_text_done(&text);
    }
}

/* What a row has in a column. */
static double value_at(long long row)
{
    return sin(0.37 * (double)row) * (double)(row % 101);
}

/* Compares a table of so many rows with what should be in it, bands by looking at all rows again. */
static void check_thinned(int rows, int room, int halvings)
{
    lv_thin t;
    assert_int_equal(lv_thin_init(&t, 2, room, true, NULL), LV_OK);
    for (long long k = 0; k < rows; k++) {
        const double row[2] = {value_at(k), (double)k};
        lv_thin_add(&t, 0.5 * (double)k, row);
    }
    lv_thin_end(&t);
    for (int k = 0; k < halvings; k++)
        lv_thin_halve(&t);
    assert_int_equal(t.seen, rows);
    assert_true(t.rows <= room + 1);
    const float *number = lv_thin_column(&t, t.values, 1);
    const float *value = lv_thin_column(&t, t.values, 0);
    const float *least = lv_thin_column(&t, t.least, 0);
    const float *most = lv_thin_column(&t, t.most, 0);
    for (int k = 0; k < t.rows; k++) {
        const bool last = k == t.rows - 1;
        const long long first = last ? rows - 1 : k * t.every;
        assert_true((long long)number[k] == first ||
                    (last && number[k] == (float)(k * t.every)));
        assert_true(t.times[k] == 0.5 * (double)number[k]);
        assert_true(fabs((double)value[k] - value_at((long long)number[k])) <= 1e-5);
        const long long end = last ? rows : (long long)number[k + 1];
        double low = INFINITY, high = -INFINITY;
        for (long long i = (long long)number[k]; i < end; i++) {
            low = fmin(low, value_at(i));
            high = fmax(high, value_at(i));
        }
        assert_true((double)least[k] <= low + 1e-5 && (double)most[k] >= high - 1e-5);
    }
    assert_true((int)number[t.rows - 1] == rows - 1);
    lv_thin_done(&t);
}

static void thinned_rows_are_every_so_many_with_the_range_between(void **state)
{
    static const int rows[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 100, 1000, 4097};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        for (int halvings = 0; halvings < 3; halvings++) {
            check_thinned(rows[k], 8, halvings);
            check_thinned(rows[k], 64, halvings);
        }
}

static void numbers_beyond_floats_and_no_numbers_stay_what_they_are(void **state)
{
    lv_thin t;
    const double rows[][1] = {
        {1e300}, {-1e300}, {(double)INFINITY}, {(double)NAN}, {1e-60}};
    (void)state;
    assert_int_equal(lv_thin_init(&t, 1, 8, true, NULL), LV_OK);
    for (int k = 0; k < 5; k++)
        lv_thin_add(&t, k, rows[k]);
    lv_thin_end(&t);
    assert_true(t.values[0] > 1e38F && isfinite(t.values[0]));
    assert_true(t.values[1] < -1e38F && isfinite(t.values[1]));
    assert_true(isinf(t.values[2]) && isnan(t.values[3]) && t.values[4] == 0);
    lv_thin_done(&t);
}

/* ---- whole pages ---------------------------------------------------------------------------------- */

static const char page_path[] = "test_report_page.html";

static lv_status make_page(void *user, lv_error *err)
{
    lv_run_summary *summary = NULL;
    const lv_model *model = user;
    lv_run_request request = lv_run_request_default(model);
    request.until = 5 * request.sim.step;
    lv_status status = lv_run_report(&summary, NULL, model, &request, page_path, err);
    lv_run_summary_free(summary);
    return status;
}

static lv_status certify(void *user, lv_error *err)
{
    lv_certificate *certificate = NULL;
    const lv_model *model = user;
    lv_verify_request request = lv_verify_request_default(model);
    request.run.until = 3 * request.run.sim.step;
    request.threads = 1;
    lv_status status =
        lv_verify_report(&certificate, NULL, model, &request, page_path, err);
    lv_certificate_free(certificate);
    return status;
}

static lv_status report_file(void *user, lv_error *err)
{
    const char *const files[] = {user};
    return lv_report(NULL, page_path, files, 1, err);
}

static void pages_survive_memory_that_is_denied(void **state)
{
    lv_model *model = NULL;
    lv_run_summary *summary = NULL;
    char file[] = "test_report.h5";
    (void)state;
    assert_int_equal(lv_model_read(&model, "four-particles", NULL, 0, NULL), LV_OK);
    lv_deny_sample(make_page, model, 150);
    lv_deny_sample(certify, model, 100);
    lv_run_request request = lv_run_request_default(model);
    request.until = 5 * request.sim.step;
    request.hdf5 = file;
    assert_int_equal(lv_run(&summary, model, &request, NULL), LV_OK);
    lv_run_summary_free(summary);
    lv_deny_sample(report_file, file, 150);
    lv_model_free(model);
    assert_int_equal(access(page_path, F_OK), 0);
    assert_int_not_equal(access("test_report_page.html.part", F_OK), 0);
    (void)remove(page_path);
    (void)remove(file);
}

/* The data of a page: what stands in its first script. */
static char *read_data(const char *path)
{
    static const char mark[] = "id=\"livens-data\">";
    FILE *file = fopen(path, "rb");
    const size_t room = 4000000;
    char *text = malloc(room);
    assert_non_null(file);
    assert_non_null(text);
    text[fread(text, 1, room - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    const char *from = strstr(text, mark);
    assert_non_null(from);
    from += strlen(mark);
    memmove(text, from, strlen(from) + 1);
    char *end = strstr(text, "</script>");
    assert_non_null(end);
    *end = '\0';
    (void)remove(path);
    return text;
}

static const char evil[] =
    "name = \"</script><b>\\u0001&'\"\n[parameters]\nk = 1\n[coordinates]\nx = 1\n"
    "[energy]\nkinetic = \"x'^2/2\"\npotential = \"k*x^2/2\"\n[sweep]\nmembers = 5\n"
    "[sweep.set]\nk = \"j/3\"\n[run]\nscheme = \"rattle\"\nstep = 0.1\nuntil = 1\n";

static bool seen_by_caller(void *user, const lv_member *member)
{
    int *count = user;
    assert_int_equal(member->number, *count);
    ++*count;
    return true;
}

/* The caller's own function is called, too; the same members give the same page. */
static void pages_of_ensembles_have_all_members(void **state)
{
    lv_model *model = NULL;
    char *pages[2];
    (void)state;
    assert_int_equal(lv_model_parse(&model, "x", evil, strlen(evil), NULL, 0, NULL),
                     LV_OK);
    for (int k = 0; k < 2; k++) {
        lv_sweep_summary *summary = NULL;
        lv_report_info info;
        lv_sweep_request request = lv_sweep_request_default();
        int count = 0;
        request.threads = 1 + k;
        request.member = seen_by_caller;
        request.user = &count;
        assert_int_equal(
            lv_sweep_report(&summary, &info, model, &request, page_path, NULL), LV_OK);
        assert_int_equal(count, 5);
        assert_int_equal(info.rows, 5);
        lv_sweep_summary_free(summary);
        pages[k] = read_data(page_path);
    }
    assert_string_equal(pages[0], pages[1]);
    assert_non_null(strstr(pages[0], "\"kind\":\"sweep\""));
    assert_non_null(strstr(pages[0], "\\u003c/script>\\u003cb>\\u0001&'"));
    assert_null(strchr(pages[0], '<'));
    free(pages[0]);
    free(pages[1]);
    lv_model_free(model);
}

static void pages_of_studies_have_all_runs(void **state)
{
    lv_model *model = NULL;
    lv_study *study = NULL;
    lv_error err;
    const double steps[] = {0.1, 0.05, 0.025};
    (void)state;
    assert_int_equal(lv_model_parse(&model, "x", evil, strlen(evil), NULL, 0, NULL),
                     LV_OK);
    lv_study_request request = lv_study_request_default(model);
    const lv_study_choice choices[] = {{.scheme = "rattle"}, {.scheme = "em"}};
    request.steps = steps;
    request.step_count = 3;
    request.choices = choices;
    request.choice_count = 2;
    if (lv_study_report(&study, NULL, model, &request, page_path, &err) != LV_OK)
        fail_msg("%s", err.text);
    char *page = read_data(page_path);
    int runs = 0, found = 0;
    for (int k = 0; k < study->method_count; k++)
        runs += study->methods[k].run_count;
    for (const char *at = page; (at = strstr(at, "\"below_floor\"")); at++)
        found++;
    assert_true(runs >= 6);
    assert_int_equal(found, runs);
    assert_non_null(strstr(page, "\"kind\":\"study\""));
    assert_null(strchr(page, '<'));
    free(page);
    lv_study_free(study);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_those_of_the_standard),
        cmocka_unit_test(json_of_any_text_can_stand_in_a_script),
        cmocka_unit_test(base64_is_that_of_the_standard),
        cmocka_unit_test(thinned_rows_are_every_so_many_with_the_range_between),
        cmocka_unit_test(numbers_beyond_floats_and_no_numbers_stay_what_they_are),
        cmocka_unit_test(pages_survive_memory_that_is_denied),
        cmocka_unit_test(pages_of_ensembles_have_all_members),
        cmocka_unit_test(pages_of_studies_have_all_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
