/* Rows that a run keeps in memory: those of its CSV file to the last bit, pages made of them, memory that is denied; and
 * simulations by the thousand. */
#include "check.h"
#include "deny.h"

#include <livens/livens.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char csv_path[] = "test_kept.csv", page_path[] = "test_kept.html";

static lv_model *read_model(const char *name)
{
    lv_model *model = NULL;
    lv_error err;
    if (lv_model_read(&model, name, NULL, 0, &err) != LV_OK)
        fail_msg("%s", err.text);
    return model;
}

static lv_run_request keeping(const lv_model *model, double until)
{
    lv_run_request request = lv_run_request_default(model);
    request.until = until;
    request.keep_rows = true;
    return request;
}

static lv_run_summary *run(const lv_model *model, const lv_run_request *request)
{
    lv_run_summary *summary = NULL;
    lv_error err;
    if (lv_run(&summary, model, request, &err) != LV_OK)
        fail_msg("%s", err.text);
    assert_non_null(summary->kept);
    return summary;
}

static char *read_file(const char *path)
{
    enum { ROOM = 4000000 };
    FILE *file = fopen(path, "rb");
    char *text = malloc(ROOM);
    assert_non_null(file);
    assert_non_null(text);
    text[fread(text, 1, ROOM - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    (void)remove(path);
    return text;
}

/* Names in the first line, then numbers, which CSV writes with all their digits. */
static void assert_same_rows(char *text, const lv_rows *rows)
{
    const size_t width = (size_t)rows->column_count;
    char *line = text;
    for (size_t k = 0; k < width; k++) {
        const size_t length = strcspn(line, ",\n");
        line[length] = '\0';
        assert_string_equal(line, rows->columns[k].name);
        line += length + 1;
    }
    for (long long row = 0; row < rows->count; row++)
        for (size_t k = 0; k < width; k++) {
            const double x = strtod(line, &line),
                         y = rows->values[(size_t)row * width + k];
            assert_memory_equal(&x, &y, sizeof x);
            line++;
        }
    assert_int_equal(*line, '\0');
}

static void rows_are_those_of_the_file(void **state)
{
    static const char *const names[] = {"heavy-top", "chain", "kepler", "rolling-penny"};
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        lv_model *model = read_model(names[k]);
        lv_run_request request = keeping(model, 0);
        request.until = 150.5 * request.sim.step;
        request.csv = csv_path;
        lv_run_summary *summary = run(model, &request);
        assert_int_equal(summary->kept->count, 152);
        assert_string_equal(summary->kept->columns[0].kind, "t");
        char *text = read_file(csv_path);
        assert_same_rows(text, summary->kept);
        free(text);
        lv_run_summary_free(summary);
        lv_model_free(model);
    }
}

static void chosen_columns_and_samples_count(void **state)
{
    lv_model *model = read_model("kepler");
    const char *const wanted[] = {"r", "E"};
    lv_run_request request = keeping(model, 1);
    (void)state;
    request.channels = wanted;
    request.channel_count = 2;
    request.sim.scheme = "lobatto";
    request.sim.options = (lv_scheme_options){0};
    request.sample = 0.25;
    lv_run_summary *summary = run(model, &request);
    const lv_rows *rows = summary->kept;
    assert_int_equal(rows->count, 5);
    assert_int_equal(rows->column_count, 4);
    assert_string_equal(rows->columns[3].name, "E");
    assert_string_equal(rows->columns[3].kind, "energy");
    for (int k = 0; k < 5; k++)
        assert_true(rows->values[(ptrdiff_t)k * 4] == 0.25 * k);
    lv_run_summary_free(summary);
    lv_model_free(model);
}

static void nothing_is_kept_unless_asked(void **state)
{
    lv_model *model = read_model("kepler");
    lv_run_request request = lv_run_request_default(model);
    lv_run_summary *summary = NULL;
    (void)state;
    request.until = 1;
    assert_int_equal(lv_run(&summary, model, &request, NULL), LV_OK);
    assert_null(summary->kept);
    assert_int_equal(lv_summary_report(NULL, summary, page_path, NULL), LV_ERR_USAGE);
    lv_run_summary_free(summary);
    lv_model_free(model);
}

/* A page has no time of computation, so that both are the same bytes. */
static void pages_are_those_of_the_run(void **state)
{
    lv_model *model = read_model("heavy-top");
    lv_run_request request = keeping(model, 0.2);
    lv_run_summary *summary = NULL;
    lv_report_info info;
    (void)state;
    assert_int_equal(lv_run_report(&summary, &info, model, &request, page_path, NULL),
                     LV_OK);
    char *first = read_file(page_path);
    lv_report_info again;
    assert_int_equal(lv_summary_report(&again, summary, page_path, NULL), LV_OK);
    char *second = read_file(page_path);
    assert_string_equal(first, second);
    assert_int_equal(info.bytes, again.bytes);
    assert_int_equal(info.rows, again.rows);
    free(first);
    free(second);
    lv_run_summary_free(summary);
    lv_model_free(model);
}

static lv_status keep_and_show(void *user, lv_error *err)
{
    const lv_model *model = user;
    lv_run_request request = keeping(model, 0);
    lv_run_summary *summary = NULL;
    request.until = 70 * request.sim.step;
    lv_status status = lv_run(&summary, model, &request, err);
    if (status == LV_OK)
        status = lv_summary_report(NULL, summary, page_path, err);
    lv_run_summary_free(summary);
    return status;
}

static void memory_may_be_denied(void **state)
{
    lv_model *model = read_model("pendulum3d");
    (void)state;
    lv_deny_sample(keep_and_show, model, 150);
    lv_model_free(model);
    (void)remove(page_path);
}

static void steps_in_blocks_are_the_same_steps(void **state)
{
    lv_model *model = read_model("pendulum3d");
    const lv_sim_options options = lv_sim_options_default(model);
    lv_sim *one = NULL, *many = NULL;
    (void)state;
    assert_int_equal(lv_sim_create(&one, model, &options, NULL), LV_OK);
    assert_int_equal(lv_sim_create(&many, model, &options, NULL), LV_OK);
    const double *at = lv_sim_position(many);
    for (int k = 0; k < 100; k++)
        assert_int_equal(lv_sim_step(one, NULL), LV_OK);
    assert_int_equal(lv_sim_step_many(many, 0, NULL), LV_OK);
    assert_int_equal(lv_sim_step_many(many, 93, NULL), LV_OK);
    assert_int_equal(lv_sim_step_many(many, 7, NULL), LV_OK);
    assert_int_equal(lv_sim_steps(many), 100);
    assert_ptr_equal(lv_sim_position(many), at);
    assert_memory_equal(lv_sim_position(one), at, 3 * sizeof *at);
    lv_sim_free(one);
    lv_sim_free(many);
    lv_model_free(model);
}

/* Created, copied and freed, with steps between: a leak, or a copy that shares something, shows under sanitizers. */
static void simulations_come_and_go_by_the_thousand(void **state)
{
    enum { COUNT = 1000 };
    lv_model *model = read_model("pendulum-cartesian");
    const lv_sim_options options = lv_sim_options_default(model);
    lv_sim *last = NULL;
    (void)state;
    for (int k = 0; k < COUNT; k++) {
        lv_sim *sim = NULL;
        lv_error err;
        if (lv_sim_create(&sim, model, &options, &err) != LV_OK ||
            (last && lv_sim_copy(sim, last, &err) != LV_OK) ||
            lv_sim_step(sim, &err) != LV_OK)
            fail_msg("%s", err.text);
        assert_int_equal(lv_sim_steps(sim), k + 1);
        lv_sim_free(last);
        last = sim;
    }
    lv_sim_free(last);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(rows_are_those_of_the_file),
        RUN(chosen_columns_and_samples_count),
        RUN(nothing_is_kept_unless_asked),
        RUN(pages_are_those_of_the_run),
        RUN(memory_may_be_denied),
        RUN(steps_in_blocks_are_the_same_steps),
        RUN(simulations_come_and_go_by_the_thousand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
