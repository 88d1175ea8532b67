/* Inputs that follow tables in certificates, studies and ensembles. */
#include "ensembles.h"

#include <livens/livens.h>

#include <math.h>

/* Schemes integrate it without an error: what is left is the error of the table. */
static const char driven[] = "[parameters]\nm = 1\n"
                             "[inputs]\nu = 1\nk = 0\n"
                             "[coordinates]\nx = 0\n"
                             "[energy]\nkinetic = \"m*x'^2/2\"\npotential = \"k*x^2/2\"\n"
                             "[forces.drive]\non = \"x\"\nforce = \"u + k*sqrt(u + 3)\"\n"
                             "[run]\nscheme = \"gauss\"\nstep = 0.125\nuntil = 4\n"
                             "[sweep.set]\nm = { values = [1, 2, 5] }\n";

static const lv_finding *find(const lv_certificate *c, lv_property property)
{
    for (int k = 0; k < c->count; k++)
        if (c->findings[k].property == property)
            return &c->findings[k];
    return NULL;
}

static lv_status verify(lv_certificate **c, const lv_model *model,
                        const lv_input_table *tables, int count, lv_error *err)
{
    lv_verify_request request = lv_verify_request_default(model);
    request.run.tables = tables;
    request.run.table_count = count;
    return lv_verify(c, model, &request, err);
}

/* ---- certificates ------------------------------------------------------------------------------------- */

static void certificates_follow_tables(void **state)
{
    (void)state;
    lv_model *model = read_text(driven);
    lv_certificate *c = NULL;
    lv_error err;
    const lv_input_table tables[] = {
        {.input = "u", .path = "u.csv", .text = "1,2\n2,0\n"},
        {.input = "k", .path = "k.csv", .text = "0,1\n4,3\n", .kind = LV_TABLE_LINEAR}};
    if (verify(&c, model, tables, 2, &err) != LV_OK)
        fail_with(&err);
    assert_int_equal(c->verdicts[LV_FINDING_BROKEN], 0);
    assert_int_equal(c->verdicts[LV_FINDING_OPEN], 0);
    assert_non_null(strstr(find(c, LV_PROPERTY_ORDER)->note, "inputs as at the start"));
    assert_true(find(c, LV_PROPERTY_ORDER)->measured > 3.7); /* not that of the table */
    assert_null(find(c, LV_PROPERTY_ENERGY)); /* inputs that change do work */
    assert_true(find(c, LV_PROPERTY_RESUME)->verdict == LV_FINDING_KEPT);
    lv_certificate_free(c);
    lv_model_free(model);
}

/* The formula of the force has no value there, so that the run was seen to follow the table. */
static void certificates_fail_where_a_run_would(void **state)
{
    (void)state;
    lv_model *model = read_text(driven);
    lv_certificate *c = NULL;
    lv_error err;
    const lv_input_table late = {.input = "u", .path = "u.csv", .text = "2,-4\n"},
                         unknown = {.input = "w", .path = "u.csv", .text = "2,-4\n"},
                         twice[] = {late, late};
    assert_true(verify(&c, model, &late, 1, &err) != LV_OK);
    assert_null(c);
    assert_int_equal(verify(&c, model, &unknown, 1, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "no input 'w'"));
    assert_int_equal(verify(&c, model, twice, 2, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "two tables"));
    lv_model_free(model);
}

/* ---- studies ------------------------------------------------------------------------------------------ */

/* x'' = u with u = 1 until `row`, then 3. */
static void study_step(const lv_model *model, const char *text, lv_table_kind kind,
                       lv_study_run *run)
{
    static const double step = 0.125;
    const lv_input_table rows = {
        .input = "u", .path = "u.csv", .text = text, .kind = kind};
    const lv_study_choice choice = {.scheme = "rattle"};
    lv_study_request request = lv_study_request_default(model);
    lv_study *s = NULL;
    lv_error err;
    request.run.tables = &rows;
    request.run.table_count = 1;
    request.steps = &step;
    request.step_count = 1;
    request.choices = &choice;
    request.choice_count = 1;
    request.whole = true;
    if (lv_study_make(&s, model, &request, &err) != LV_OK)
        fail_with(&err);
    assert_string_equal(s->reference.first, "lobatto, 6 stages");
    *run = s->methods[0].runs[0];
    lv_study_free(s);
}

static void studies_know_what_tables_cost(void **state)
{
    (void)state;
    lv_model *model = read_text(driven);
    lv_study_run run;
    study_step(model, "1,3\n", LV_TABLE_HELD, &run); /* where a step begins */
    assert_true(run.status == LV_OK && run.error < 1e-13);
    study_step(model, "1.05,3\n", LV_TABLE_HELD, &run); /* 0.075 too late */
    const double end = (1.05 * 1.05 + 3 * 2.95 * 2.95) / 2 + 1.05 * 2.95;
    assert_close(run.error_end, (2 * 2.95 - 0.075) * 0.075 / end, 1e-10);
    /* Linear tables are those of the middle of steps, of which velocities know nothing. */
    study_step(model, "0,0\n4,8\n", LV_TABLE_LINEAR, &run);
    assert_true(run.error < 1e-3);
    lv_model_free(model);
}

/* ---- ensembles ---------------------------------------------------------------------------------------- */

typedef struct ends {
    double x[3];
    int count, column;
} ends;

static bool keep(void *user, const lv_member *member)
{
    ends *e = user;
    for (e->column = 0; strcmp(member->columns[e->column], "x") != 0;)
        e->column++;
    e->x[e->count++] = member->values[e->column];
    return true;
}

static lv_status sweep(const lv_model *model, const lv_input_table *rows, const char *h5,
                       bool resume, ends *found, lv_error *err)
{
    lv_sweep_request request = lv_sweep_request_default();
    lv_sweep_summary *summary = NULL;
    *found = (ends){.count = 0};
    request.changes.tables = rows;
    request.changes.table_count = rows ? 1 : 0;
    request.hdf5 = h5;
    request.resume = resume;
    request.member = keep;
    request.user = found;
    const lv_status status = lv_sweep_run(&summary, model, &request, err);
    lv_sweep_summary_free(summary);
    return status;
}

static double end_of_run(const lv_model *model, const lv_input_table *rows, int number)
{
    lv_model *member = NULL;
    lv_run_summary *summary = NULL;
    lv_error err;
    if (lv_sweep_member(&member, model, number, &err) != LV_OK)
        fail_with(&err);
    lv_run_request request = lv_run_request_default(member);
    request.tables = rows;
    request.table_count = 1;
    if (lv_run(&summary, member, &request, &err) != LV_OK)
        fail_with(&err);
    const double x = summary->q[0];
    lv_run_summary_free(summary);
    lv_model_free(member);
    return x;
}

static void members_follow_tables_and_files_keep_them(void **state)
{
    (void)state;
    lv_model *model = read_text(driven);
    char path[200];
    ends found;
    lv_error err;
    const lv_input_table rows = {.input = "u", .path = "u.csv", .text = "t,u\n1.3,0.7\n"},
                         other = {
                             .input = "u", .path = "u.csv", .text = "t,u\n1.3,0.8\n"};
    const char *h5 = temporary(path, "tables.h5");
    if (sweep(model, &rows, h5, false, &found, &err) != LV_OK)
        fail_with(&err);
    assert_int_equal(found.count, 3);
    for (int k = 0; k < 3; k++)
        assert_true(found.x[k] == end_of_run(model, &rows, k));
    if (sweep(model, &rows, h5, true, &found, &err) != LV_OK)
        fail_with(&err);
    const lv_input_table *wrong[] = {&other, NULL};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(sweep(model, wrong[k], h5, true, &found, &err), LV_ERR_USAGE);
        assert_non_null(strstr(err.text, "/run/inputs"));
    }
    (void)unlink(path);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certificates_follow_tables),
        cmocka_unit_test(certificates_fail_where_a_run_would),
        cmocka_unit_test(studies_know_what_tables_cost),
        cmocka_unit_test(members_follow_tables_and_files_keep_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
