#include "ensembles.h"

#include "deny.h"
#include "results.h"

static lv_error refused(const char *text, const lv_sweep_request *request,
                        const lv_setting *settings, int count)
{
    lv_error err;
    lv_sweep_summary *summary = NULL;
    lv_model *m = read_with(text, settings, count);
    lv_status status = lv_sweep_run(&summary, m, request, &err);
    assert_int_not_equal(status, LV_OK);
    assert_int_equal(status, err.code);
    assert_null(summary);
    lv_model_free(m);
    return err;
}

/* ---- the same bits ------------------------------------------------------------------------- */

static void any_number_of_threads_writes_the_same_files(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 8};
    lv_model *m = read_text(pendulums);
    lv_text csv[4], series[4];
    for (int k = 0; k < 4; k++) {
        char paths[2][200];
        lv_error err;
        lv_sweep_summary *summary = NULL;
        lv_sweep_request request = lv_sweep_request_default();
        request.threads = threads[k];
        request.csv = temporary(paths[0], "members.csv");
        request.series = temporary(paths[1], "series.csv");
        request.changes.every = 5;
        if (lv_sweep_run(&summary, m, &request, &err) != LV_OK)
            fail_with(&err);
        assert_int_equal(summary->done, 8);
        assert_int_equal(summary->failed, 0);
        lv_sweep_summary_free(summary);
        csv[k] = take_file(request.csv);
        series[k] = take_file(request.series);
        assert_same_text(&csv[k], &csv[0]);
        assert_same_text(&series[k], &series[0]);
    }
    for (int k = 0; k < 4; k++) {
        lv_text_done(&csv[k]);
        lv_text_done(&series[k]);
    }
    lv_model_free(m);
}

/* The values in a row, as --set would have them. */
static lv_run_summary *run_alone(lv_model **m, const table *t, int row)
{
    char texts[4][100];
    const lv_setting settings[] = {
        {"m", texts[0]}, {"angle", texts[1]}, {"g", texts[2]}, {"spin", texts[3]}};
    lv_error err;
    lv_run_summary *run = NULL;
    snprintf(texts[0], sizeof texts[0], "%.17g", cell(t, row, "m"));
    snprintf(texts[1], sizeof texts[1], "%.17g", cell(t, row, "angle"));
    snprintf(texts[2], sizeof texts[2], "[%.17g, %.17g]", cell(t, row, "g[1]"),
             cell(t, row, "g[2]"));
    snprintf(texts[3], sizeof texts[3], "%.17g", cell(t, row, "spin"));
    *m = read_with(pendulums, settings, 4);
    lv_run_request request = lv_run_request_default(*m);
    if (lv_run(&run, *m, &request, &err) != LV_OK)
        fail_with(&err);
    return run;
}

static void members_are_runs_with_other_parameters_bit_for_bit(void **state)
{
    (void)state;
    lv_sweep_summary *summary = NULL;
    const lv_sweep_request request = lv_sweep_request_default();
    lv_model *m = read_text(pendulums), *alone = NULL;
    const table t = run_table(m, &request, &summary);
    assert_int_equal(t.count, 8);
    for (int row = 0; row < 8; row++) {
        lv_run_summary *run = run_alone(&alone, &t, row);
        assert_true(cell(&t, row, "t") == run->time);
        assert_true(cell(&t, row, "steps") == (double)run->steps);
        assert_true(cell(&t, row, "a[1]") == run->q[0]);
        assert_true(cell(&t, row, "a'[2]") == run->v[1]);
        assert_true(cell(&t, row, "p.a[1]") == run->p[0]);
        assert_true(cell(&t, row, "lambda.rod") == run->lambda[0]);
        assert_true(cell(&t, row, "height") == run->q[1]);
        assert_true(cell(&t, row, "E.initial") == run->energy.initial);
        assert_true(cell(&t, row, "E.final") == run->energy.final);
        assert_true(cell(&t, row, "E.deviation") == run->energy.max_deviation);
        assert_true(cell(&t, row, "g.max") == run->position_max);
        assert_true(cell(&t, row, "gdot.max") == run->velocity_max);
        assert_true(cell(&t, row, "newton.mean") == run->newton_mean);
        assert_true(cell(&t, row, "newton.max") == run->newton_max);
        lv_run_summary_free(run);
        lv_model_free(alone);
    }
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

static void changes_hold_for_all_members(void **state)
{
    (void)state;
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    request.changes.scheme = "lobatto";
    request.changes.step = 0.05;
    request.changes.until = 0.1;
    lv_scheme_option_set(&request.changes.options, LV_OPTION_STAGES, 3);
    lv_model *m = read_text(pendulums);
    const table t = run_table(m, &request, &summary);
    assert_string_equal(summary->scheme, "lobatto");
    assert_int_equal(summary->order, 4);
    for (int row = 0; row < t.count; row++)
        assert_true(cell(&t, row, "steps") == 2 && cell(&t, row, "t") == 0.1);
    assert_int_equal(summary->steps, 16);
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

/* The step is a formula of a parameter, and belongs to the member. */
static void settings_of_the_whole_sweep_reach_all_members(void **state)
{
    (void)state;
    lv_sweep_summary *summary = NULL;
    const lv_sweep_request request = lv_sweep_request_default();
    const lv_setting setting = {"h", "0.35/5"};
    lv_model *m = read_with(pendulums, &setting, 1);
    const table t = run_table(m, &request, &summary);
    for (int row = 0; row < t.count; row++)
        assert_true(cell(&t, row, "steps") == 5);
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

static void momenta_go_by_name(void **state)
{
    (void)state;
    static const char text[] =
        "[parameters]\nk = 1\n"
        "[coordinates]\nx = { value = 1, velocity = 0.25 }\ny = { value = 0, velocity = "
        "1 }\n"
        "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"k/2*x^2\"\n"
        "[run]\nscheme = \"verlet\"\nstep = 0.1\nuntil = 1\n"
        "[sweep]\nmembers = 2\n[sweep.set]\nk = \"1 - j\"\n";
    lv_sweep_summary *summary = NULL;
    const lv_sweep_request request = lv_sweep_request_default();
    lv_model *m = read_text(text);
    const table t = run_table(m, &request, &summary); /* p_x is kept in the second only */
    for (int row = 0; row < 2; row++)
        assert_true(cell(&t, row, "J.p_y.initial") == 1 &&
                    cell(&t, row, "J.p_y.deviation") < 1e-14);
    assert_true(cell(&t, 1, "x'") == 0.25);
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

/* ---- many ---------------------------------------------------------------------------------- */

static bool count_in_order(void *user, const lv_member *member)
{
    int *next = user;
    assert_int_equal(member->number, *next);
    assert_int_equal(member->status, LV_OK);
    ++*next;
    return true;
}

static void a_thousand_members_come_in_order(void **state)
{
    (void)state;
    lv_error err;
    lv_model *m = NULL;
    lv_sweep_summary *summary = NULL;
    int count = 0;
    lv_sweep_request request = lv_sweep_request_default();
    request.threads = 4;
    request.changes.until = 1;
    request.member = count_in_order;
    request.user = &count;
    assert_int_equal(lv_model_read(&m, "henon-heiles-ensemble", NULL, 0, &err), LV_OK);
    if (lv_sweep_run(&summary, m, &request, &err) != LV_OK)
        fail_with(&err);
    assert_int_equal(count, 1000);
    for (int k = 0; k < summary->column_count; k++) {
        const lv_column_range *c = &summary->columns[k];
        assert_true(c->least <= c->mean && c->mean <= c->most);
        if (strcmp(c->name, "E.initial") == 0)
            assert_true(c->least > 0.125 - 1e-15 && c->most < 0.125 + 1e-15);
        if (strcmp(c->name, "member") == 0)
            assert_true(c->least == 0 && c->mean == 499.5 && c->most == 999);
    }
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

/* ---- failures ------------------------------------------------------------------------------ */

static void a_member_that_fails_does_not_stop_the_others(void **state)
{
    (void)state;
    static const lv_status expected[] = {LV_OK,          LV_OK,          LV_ERR_DOMAIN,
                                         LV_ERR_NUMERIC, LV_ERR_NUMERIC, LV_ERR_DOMAIN};
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    request.threads = 3;
    lv_model *m = read_text(troubles);
    const table t = run_table(m, &request, &summary);
    assert_int_equal(t.count, 6);
    for (int row = 0; row < 6; row++) {
        bool well = expected[row] == LV_OK;
        assert_int_equal(t.status[row], expected[row]);
        assert_true((int)cell(&t, row, "status") == (int)expected[row]);
        assert_int_equal(t.messages[row][0] == '\0', well);
        assert_int_equal(isnan(cell(&t, row, "x")), !well);
        assert_int_equal(isnan(cell(&t, row, "square")), !well);
        assert_int_equal(cell(&t, row, "t") == 10, well);
        assert_int_equal(isnan(cell(&t, row, "E.initial")),
                         expected[row] == LV_ERR_DOMAIN);
    }
    assert_true(cell(&t, 3, "steps") > 0 && cell(&t, 3, "t") > 0);
    assert_true(cell(&t, 5, "k") == 6 && cell(&t, 5, "x0") == -1);
    assert_int_equal(summary->done, 6);
    assert_int_equal(summary->failed, 4);
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

static void failures_are_counted_by_cause(void **state)
{
    (void)state;
    lv_sweep_summary *summary = NULL;
    const lv_sweep_request request = lv_sweep_request_default();
    lv_model *m = read_text(troubles);
    const table t = run_table(m, &request, &summary);
    assert_string_not_equal(t.messages[3], t.messages[4]); /* other times */
    assert_int_equal(summary->failure_count, 2);
    assert_int_equal(summary->failures[0].status, LV_ERR_DOMAIN);
    assert_int_equal(summary->failures[0].count, 2);
    assert_int_equal(summary->failures[0].first, 2);
    assert_int_equal(summary->failures[1].status, LV_ERR_NUMERIC);
    assert_int_equal(summary->failures[1].count, 2);
    assert_int_equal(summary->failures[1].first, 3);
    assert_string_equal(summary->failures[1].text, t.messages[3]);
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

/* As a run of the same member alone says them. */
static void warnings_of_members_are_told(void **state)
{
    (void)state;
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    request.threads = 2;
    lv_model *m = read_text(cautions);
    const table t = run_table(m, &request, &summary);
    assert_int_equal(t.count, 4);
    for (int row = 0; row < 4; row++) {
        lv_error err;
        lv_model *member = NULL;
        lv_run_summary *run = NULL;
        assert_int_equal(lv_sweep_member(&member, m, row, &err), LV_OK);
        const lv_run_request alone = lv_run_request_default(member);
        assert_int_equal(lv_run(&run, member, &alone, &err), LV_OK);
        assert_int_equal(t.warnings[row], row % 2);
        assert_int_equal(run->warning_count, t.warnings[row]);
        assert_true(cell(&t, row, "warnings") == t.warnings[row]);
        if (run->warning_count > 0)
            assert_string_equal(run->warnings[0], t.warning[row]);
        lv_run_summary_free(run);
        lv_model_free(member);
    }
    assert_int_equal(summary->failed, 0);
    assert_int_equal(summary->warned, 2);
    assert_int_equal(summary->warning_count, 1);
    assert_int_equal(summary->warnings[0].status, LV_OK);
    assert_int_equal(summary->warnings[0].count, 2);
    assert_int_equal(summary->warnings[0].first, 1);
    assert_string_equal(summary->warnings[0].text, t.warning[1]);
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

static void messages_stand_in_the_csv(void **state)
{
    (void)state;
    char path[200];
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    request.csv = temporary(path, "failed.csv");
    lv_model *m = read_text(troubles);
    const table t = run_table(m, &request, &summary);
    lv_text csv = take_file(path);
    static const char head[] = "member,x0,k,status,t,steps,warnings,x,";
    assert_int_equal(strncmp(csv.data, head, strlen(head)), 0);
    for (int row = 2; row < 6; row++)
        assert_non_null(strstr(csv.data, t.messages[row]));
    lv_text_done(&csv);
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    static const char *const channels[] = {"heigt"};
    lv_sweep_request request = lv_sweep_request_default();
    const lv_setting setting = {"m", "3"};
    lv_error err = refused(pendulums, &request, &setting, 1);
    assert_non_null(strstr(err.text, "--set m"));

    request.series = "never-written.csv";
    request.channels = channels;
    request.channel_count = 1;
    err = refused(pendulums, &request, NULL, 0);
    assert_string_equal(err.text, "a run records nothing called 'heigt'");
    assert_string_equal(err.hint, "did you mean 'height'?");

    request = lv_sweep_request_default();
    request.changes.scheme = "ratle";
    err = refused(pendulums, &request, NULL, 0);
    assert_non_null(strstr(err.text, "there is no scheme 'ratle'"));
    request.changes.scheme = "gauss";
    err = refused(pendulums, &request, NULL, 0);
    assert_non_null(strstr(err.text, "holonomic"));

    request = lv_sweep_request_default();
    request.csv = "/nowhere/members.csv";
    err = refused(pendulums, &request, NULL, 0);
    assert_int_equal(err.code, LV_ERR_IO);
}

/* A table has no use for samples, a series has. */
static void samples_are_asked_of_a_scheme_that_has_them(void **state)
{
    (void)state;
    lv_error err;
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    lv_model *m = read_text(cautions);
    request.changes.scheme = "livens";
    request.changes.sample = 0.05;
    if (lv_sweep_run(&summary, m, &request, &err) != LV_OK)
        fail_with(&err);
    assert_int_equal(summary->failed, 0);
    lv_sweep_summary_free(summary);
    lv_model_free(m);
    request.series = "never-written.csv";
    err = refused(cautions, &request, NULL, 0);
    assert_string_equal(err.text, "scheme 'livens' has no dense output");
}

static void a_model_without_a_sweep_is_refused(void **state)
{
    (void)state;
    lv_error err;
    lv_model *m = NULL;
    lv_sweep_summary *summary = NULL;
    const lv_sweep_request request = lv_sweep_request_default();
    assert_int_equal(lv_model_read(&m, "kepler", NULL, 0, &err), LV_OK);
    assert_int_equal(lv_sweep_run(&summary, m, &request, &err), LV_ERR_MODEL);
    assert_string_equal(err.text, "the model has no [sweep]");
    assert_null(summary);
    lv_model_free(m);
}

/* A size may follow from what is set behind the model's back: N = 2*half. */
static void a_member_of_another_size_fails(void **state)
{
    (void)state;
    static const char text[] = "[parameters]\nhalf = 1\nN = \"2*half\"\n"
                               "[coordinates]\nx = { count = \"N\", value = 1 }\n"
                               "[energy.all]\nfor = \"i = 1..N\"\nkinetic = "
                               "\"x_i'^2/2\"\npotential = \"x_i^2/2\"\n"
                               "[run]\nscheme = \"verlet\"\nstep = 0.1\nuntil = 1\n"
                               "[sweep]\nmembers = 2\n[sweep.set]\nhalf = \"1 + j\"\n";
    lv_sweep_summary *summary = NULL;
    const lv_sweep_request request = lv_sweep_request_default();
    lv_model *m = read_text(text);
    const table t = run_table(m, &request, &summary);
    assert_int_equal(t.status[0], LV_OK);
    assert_int_equal(t.status[1], LV_ERR_MODEL);
    assert_non_null(strstr(t.messages[1], "'q' has 4 numbers in this member and 2 in"));
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

/* ---- ends ---------------------------------------------------------------------------------- */

static bool three_only(void *user, const lv_member *member)
{
    (void)user;
    return member->number < 2;
}

static void a_callback_ends_a_sweep_in_good_order(void **state)
{
    (void)state;
    char path[200];
    lv_error err;
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    request.threads = 1;
    request.csv = temporary(path, "some.csv");
    request.member = three_only;
    lv_model *m = read_text(pendulums);
    assert_int_equal(lv_sweep_run(&summary, m, &request, &err), LV_OK);
    assert_true(summary->interrupted);
    assert_int_equal(summary->done, 3);
    assert_int_equal(summary->members, 8);
    lv_text csv = take_file(path);
    int lines = 0;
    for (int k = 0; k < csv.count; k++)
        lines += csv.data[k] == '\n';
    assert_int_equal(lines, 1 + 3);
    lv_text_done(&csv);
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

static bool at_once(void *user, const lv_sweep_progress *progress)
{
    (void)user;
    assert_true(progress->share >= 0 && progress->share <= 1 && progress->members == 8);
    return false;
}

/* Members under way are given up: there is nothing to report of them. */
static void progress_ends_members_under_way(void **state)
{
    (void)state;
    lv_error err;
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    request.progress = at_once;
    lv_model *m = read_text(pendulums);
    assert_int_equal(lv_sweep_run(&summary, m, &request, &err), LV_OK);
    assert_true(summary->interrupted && summary->done == 0);
    for (int k = 0; k < summary->column_count; k++)
        assert_true(isnan(summary->columns[k].mean));
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

static void hdf5_has_the_same_table(void **state)
{
    (void)state;
    char path[200];
    lv_error err;
    results *file = NULL;
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    request.hdf5 = temporary(path, "members.h5");
    lv_model *m = read_text(pendulums);
    const table t = run_table(m, &request, &summary);
    if (results_open(&file, path, &err) != LV_OK)
        fail_with(&err);
    int columns = 0;
    for (int k = 0; k < results_count(file); k++) {
        const results_channel *d = results_get(file, k);
        double values[8 * 8];
        assert_int_equal(d->rows, 8);
        assert_true(d->width <= 8);
        assert_int_equal(results_read(file, values, d, 0, 8, &err), LV_OK);
        for (int row = 0; row < 8; row++)
            for (int c = 0; c < d->width; c++)
                assert_true(values[row * d->width + c] == cell(&t, row, d->labels[c]));
        columns += d->width;
    }
    assert_int_equal(columns, t.width);
    results_close(file);
    remove(path);
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

static lv_status sweep_and_free(void *user, lv_error *err)
{
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    char paths[2][200];
    request.threads = 1;
    request.csv = temporary(paths[0], "denied.csv");
    request.series = temporary(paths[1], "denied-series.csv");
    request.changes.until = 0.05;
    lv_status status = lv_sweep_run(&summary, user, &request, err);
    if (status == LV_OK && summary->failed > 0) {
        status = summary->failures[0].status; /* without memory a member fails */
        if (err)
            err->code = status;
    }
    lv_sweep_summary_free(summary);
    remove(paths[0]);
    remove(paths[1]);
    return status;
}

static void nothing_is_lost_without_memory(void **state)
{
    (void)state;
    lv_model *m = read_text(pendulums);
    lv_deny_sample(sweep_and_free, m, 400);
    lv_model_free(m);
    m = read_text(cautions);
    lv_deny_sample(sweep_and_free, m, 400);
    lv_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(any_number_of_threads_writes_the_same_files),
        RUN(members_are_runs_with_other_parameters_bit_for_bit),
        RUN(changes_hold_for_all_members),
        RUN(settings_of_the_whole_sweep_reach_all_members),
        RUN(momenta_go_by_name),
        RUN(a_thousand_members_come_in_order),
        RUN(a_member_that_fails_does_not_stop_the_others),
        RUN(failures_are_counted_by_cause),
        RUN(warnings_of_members_are_told),
        RUN(messages_stand_in_the_csv),
        RUN(what_makes_no_sense_is_refused),
        RUN(samples_are_asked_of_a_scheme_that_has_them),
        RUN(a_model_without_a_sweep_is_refused),
        RUN(a_member_of_another_size_fails),
        RUN(a_callback_ends_a_sweep_in_good_order),
        RUN(progress_ends_members_under_way),
        RUN(hdf5_has_the_same_table),
        RUN(nothing_is_lost_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
