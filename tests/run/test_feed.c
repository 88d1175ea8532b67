/* Inputs in the course of a run: tables from CSV files, callbacks, and runs that go on from their files. */
#include "../model/reading.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const char cart[] = "[inputs]\n"
                           "u = 0.5\n"
                           "w = [0, 0]\n"
                           "[coordinates]\n"
                           "x = 0\n"
                           "y = 0\n"
                           "[energy]\n"
                           "kinetic = \"(x'^2 + y'^2)/2\"\n"
                           "potential = \"w[2]*y\"\n"
                           "[forces.drive]\n"
                           "on = \"x\"\n"
                           "force = \"u + w[1]\"\n"
                           "[run]\n"
                           "scheme = \"gauss\"\n"
                           "step = 0.125\n"
                           "until = 4\n";

static lv_run_summary *run(const lv_model *model, const lv_run_request *request)
{
    lv_run_summary *summary = NULL;
    lv_error err;
    if (lv_run(&summary, model, request, &err) != LV_OK)
        fail_with(&err);
    return summary;
}

static lv_run_summary *run_table(const lv_model *model, const char *input,
                                 const char *text, lv_table_kind kind)
{
    const lv_input_table table = {
        .input = input, .path = "u.csv", .text = text, .kind = kind};
    lv_run_request request = lv_run_request_default(model);
    request.tables = &table;
    request.table_count = 1;
    return run(model, &request);
}

/* u is 0.5 until t = 1, 2 until t = 3, then -1: x' and x are sums of parabolas. */
static void held_tables_hold_until_the_next_row(void **state)
{
    (void)state;
    lv_model *model = read_text(cart);
    lv_run_summary *s = run_table(model, "u", "t,u\n1,2\n3,-1\n", LV_TABLE_HELD);
    const double v1 = 0.5, x1 = 0.25, v3 = v1 + 4, x3 = x1 + 2 * v1 + 4;
    assert_close(s->v[0], v3 - 1, 1e-13);
    assert_close(s->q[0], x3 + v3 - 0.5, 1e-13);
    assert_int_equal(s->input_count, 2);
    assert_true(s->inputs[0].values[0] == -1);
    assert_int_equal(s->table_count, 1);
    assert_string_equal(s->tables[0].kind, "held");
    assert_int_equal(s->tables[0].rows, 2);
    lv_run_summary_free(s);
    lv_model_free(model);
}

/* u = t: the values in the middles of steps make x' exact, and x up to h^2/24 u' t. */
static void linear_tables_are_taken_in_the_middle_of_steps(void **state)
{
    (void)state;
    lv_model *model = read_text(cart);
    lv_run_summary *s = run_table(model, "u", "0,0\n4,4\n", LV_TABLE_LINEAR);
    assert_close(s->v[0], 8, 1e-13);
    assert_close(s->q[0], 64.0 / 6, 0.125 * 0.125 / 24 * 4 + 1e-13);
    lv_run_summary_free(s);
    s = run_table(model, "u", "1,1\n2,2\n", LV_TABLE_LINEAR); /* held beyond its ends */
    assert_close(s->v[0], 1 + 1.5 + 4, 1e-13);
    lv_run_summary_free(s);
    lv_model_free(model);
}

/* Names choose among columns, of vectors in two ways. */
static void columns_are_found_by_name(void **state)
{
    static const char *const texts[] = {"w[2], t, other, w[1]\n3, 0, x, 1\n",
                                        "# a comment\n\nt,w1,w2\r\n0,1,3\r\n", "0,1,3\n",
                                        "\"time\",\"w[1]\",\"w[2]\"\n-1,1,3\n"};
    (void)state;
    lv_model *model = read_text(cart);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        lv_run_summary *s = run_table(model, "w", texts[k], LV_TABLE_HELD);
        assert_close(s->v[0], 1.5 * 4, 1e-13);
        assert_close(s->v[1], -3 * 4, 1e-13);
        lv_run_summary_free(s);
    }
    lv_model_free(model);
}

typedef struct mistake {
    const char *input, *text, *says;
    int line, column;
} mistake;

static const mistake mistakes[] = {
    {"v", "0,1\n", "no input 'v'", 0, 0},
    {"u", "", "no rows", 0, 0},
    {"u", "t,u\n", "names and no rows", 0, 0},
    {"u", "t,v\n0,1\n", "no column 'u'", 1, 1},
    {"w", "t,w[1]\n0,1\n", "no column 'w[2]'", 1, 1},
    {"u", "x,u\n0,1\n", "no column 't'", 1, 1},
    {"u", "0,1,2\n", "there must be 2 columns", 1, 1},
    {"u", "t,u\n0,1\n1,two\n", "no number", 3, 3},
    {"u", "t,u\n0,1\n1,\n", "missing", 3, 3},
    {"u", "t,u\n0,1\n1,nan\n", "no number", 3, 3},
    {"u", "t,u\n0,1\n1,1e999\n", "not finite", 3, 3},
    {"u", "t,u\n0,1\n0,2\n", "rise", 3, 1},
    {"u", "t,u\n0,1\n1,2,3\n", "3 fields", 3, 5},
};

static void mistakes_in_tables_have_a_place(void **state)
{
    (void)state;
    lv_model *model = read_text(cart);
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        const mistake *m = &mistakes[k];
        const lv_input_table table = {
            .input = m->input, .path = "u.csv", .text = m->text};
        lv_run_request request = lv_run_request_default(model);
        lv_run_summary *summary = NULL;
        lv_error err;
        request.tables = &table;
        request.table_count = 1;
        assert_int_not_equal(lv_run(&summary, model, &request, &err), LV_OK);
        assert_null(summary);
        if (!strstr(err.text, m->says) || err.line != m->line ||
            err.column != m->column || (m->line > 0 && !strstr(err.file, "u.csv")))
            fail_msg("%zu: %d:%d %s, %s", k, err.line, err.column, err.text, m->says);
    }
    lv_model_free(model);
}

static void missing_files_and_double_tables_are_refused(void **state)
{
    (void)state;
    lv_model *model = read_text(cart);
    const lv_input_table tables[] = {{.input = "u", .path = "there-is-none.csv"},
                                     {.input = "u", .path = "", .text = "0,1"},
                                     {.input = "u", .path = "", .text = "0,1"}};
    lv_run_request request = lv_run_request_default(model);
    lv_run_summary *summary = NULL;
    lv_error err;
    request.tables = tables;
    request.table_count = 1;
    assert_int_equal(lv_run(&summary, model, &request, &err), LV_ERR_IO);
    assert_non_null(strstr(err.text, "there-is-none.csv"));
    request.tables = tables + 1;
    request.table_count = 2;
    assert_int_equal(lv_run(&summary, model, &request, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "two tables"));
    lv_model_free(model);
}

/* ---- runs that go on ------------------------------------------------------------------------------- */

static bool stop_halfway(void *user, const lv_progress *p)
{
    (void)user;
    return p->time < 2;
}

/* The tables are in the file: those beside it may be gone. */
static void resumed_runs_follow_their_tables_bit_for_bit(void **state)
{
    static const char text[] = "t,u\n0,1\n1.5,-2\n2.5,3\n3.25,0.1\n";
    static const char path[] = "test_feed.h5";
    (void)state;
    lv_model *model = read_text(cart), *again = NULL;
    const lv_input_table tables[] = {
        {.input = "u", .path = "u v.csv", .text = text},
        {.input = "w", .path = "w", .text = "0,1,2\n4,3,-1", .kind = LV_TABLE_LINEAR}};
    lv_run_request request = lv_run_request_default(model);
    request.tables = tables;
    request.table_count = 2;
    lv_run_summary *whole = run(model, &request), *rest = NULL;
    request.hdf5 = path;
    request.progress = stop_halfway;
    lv_run_summary *half = run(model, &request);
    assert_true(half->interrupted);
    assert_true(half->time < 4);
    lv_error err;
    if (lv_resume(&rest, &again, path, 0, NULL, NULL, &err) != LV_OK)
        fail_with(&err);
    assert_memory_equal(rest->q, whole->q, 2 * sizeof(double));
    assert_memory_equal(rest->v, whole->v, 2 * sizeof(double));
    assert_true(rest->energy.final == whole->energy.final);
    assert_int_equal(rest->table_count, 2);
    assert_string_equal(rest->tables[0].path, "u v.csv");
    assert_string_equal(rest->tables[1].kind, "linear");
    lv_run_summary_free(whole);
    lv_run_summary_free(half);
    lv_run_summary_free(rest);
    lv_model_free(model);
    lv_model_free(again);
    assert_int_equal(unlink(path), 0);
}

/* ---- callbacks -------------------------------------------------------------------------------------- */

typedef struct watcher {
    int steps, rows, most_steps, most_rows;
    double last;
    lv_error err;
} watcher;

static bool steer(void *user, lv_sim *sim)
{
    watcher *w = user;
    const double u = -lv_sim_position(sim)[0] + w->steps;
    w->steps++;
    return lv_sim_set_input(sim, "u", &u, 1, &w->err) == LV_OK &&
           w->steps <= w->most_steps;
}

static bool see(void *user, const lv_row_state *row)
{
    watcher *w = user;
    assert_true(row->t > w->last || w->rows == 0);
    w->last = row->t;
    w->rows++;
    return w->rows <= w->most_rows;
}

/* The same as steps and set_input by hand, to the last bit. */
static void runs_are_steered_before_every_step(void **state)
{
    (void)state;
    lv_model *model = read_text(cart);
    watcher w = {.most_steps = 1000, .most_rows = 1000}, by_hand = w;
    lv_run_request request = lv_run_request_default(model);
    request.before_step = steer;
    request.at_row = see;
    request.user = &w;
    lv_run_summary *s = run(model, &request);
    assert_int_equal(w.steps, 32);
    assert_int_equal(w.rows, 33);
    lv_sim *sim = NULL;
    assert_int_equal(lv_sim_create(&sim, model, &request.sim, &w.err), LV_OK);
    for (int k = 0; k < 32; k++) {
        assert_true(steer(&by_hand, sim));
        assert_int_equal(lv_sim_step(sim, &w.err), LV_OK);
    }
    assert_memory_equal(lv_sim_position(sim), s->q, 2 * sizeof(double));
    lv_sim_free(sim);
    lv_run_summary_free(s);
    lv_model_free(model);
}

static void callbacks_end_runs_in_good_order(void **state)
{
    (void)state;
    lv_model *model = read_text(cart);
    lv_run_request request = lv_run_request_default(model);
    watcher w = {.most_steps = 10, .most_rows = 1000};
    request.before_step = steer;
    request.user = &w;
    lv_run_summary *s = run(model, &request);
    assert_true(s->interrupted);
    assert_int_equal(s->steps, 10);
    lv_run_summary_free(s);
    w = (watcher){.most_steps = 1000, .most_rows = 7};
    request.before_step = NULL;
    request.at_row = see;
    request.sample = 0.05; /* rows between steps */
    s = run(model, &request);
    assert_true(s->interrupted);
    assert_close(w.last, 7 * 0.05, 0.126);
    lv_run_summary_free(s);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_tables_hold_until_the_next_row),
        cmocka_unit_test(linear_tables_are_taken_in_the_middle_of_steps),
        cmocka_unit_test(columns_are_found_by_name),
        cmocka_unit_test(mistakes_in_tables_have_a_place),
        cmocka_unit_test(missing_files_and_double_tables_are_refused),
        cmocka_unit_test(resumed_runs_follow_their_tables_bit_for_bit),
        cmocka_unit_test(runs_are_steered_before_every_step),
        cmocka_unit_test(callbacks_end_runs_in_good_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
