/* Members run by plain threads, which the thread sanitizer understands. */
#include "ensembles.h"

#include "study/ensemble.h"

#include <livens/memory.h>

#include <pthread.h>

enum { THREADS = 4 };

static void *work(void *user)
{
    lv_ensemble_work(user);
    return NULL;
}

/* The summary has to be freed with the ensemble. */
static lv_ensemble *run_with(const lv_model *m, const lv_sweep_request *request)
{
    lv_error err;
    lv_ensemble *e = NULL;
    pthread_t threads[THREADS];
    if (lv_ensemble_create(&e, m, request, &err) != LV_OK)
        fail_with(&err);
    for (int k = 0; k < request->threads; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, work, e), 0);
    for (int k = 0; k < request->threads; k++)
        assert_int_equal(pthread_join(threads[k], NULL), 0);
    if (lv_ensemble_finish(e, &err) != LV_OK)
        fail_with(&err);
    return e;
}

static bool go_on(void *user, const lv_sweep_progress *progress)
{
    double *share = user;
    *share = progress->share; /* unprotected: calls never overlap */
    return true;
}

static lv_text series_with(const lv_model *m, int threads)
{
    char path[200];
    double share = 0;
    lv_sweep_request request = lv_sweep_request_default();
    request.threads = threads;
    request.series = temporary(path, "threads.csv");
    request.progress = go_on;
    request.user = &share;
    lv_ensemble *e = run_with(m, &request);
    const lv_sweep_summary *s = lv_ensemble_summary(e);
    assert_int_equal(s->done, s->members);
    assert_int_equal(s->failed, 0);
    assert_true(share == 1);
    lv_ensemble_free(e);
    return take_file(path);
}

static void threads_share_a_model_and_give_the_same_bits(void **state)
{
    (void)state;
    lv_model *m = read_text(pendulums);
    lv_text one = series_with(m, 1), several = series_with(m, THREADS);
    assert_same_text(&one, &several);
    lv_text_done(&one);
    lv_text_done(&several);
    lv_model_free(m);
}

/* The next number or name of a line of CSV. */
static const char *next_field(char **rest)
{
    char *field = *rest, *end = field + strcspn(field, ",\n");
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return field;
}

/* Statistics over time in the summary: the numbers that the file has. */
static void series_can_stay_in_memory(void **state)
{
    (void)state;
    char path[200];
    lv_model *m = read_text(pendulums);
    lv_sweep_request request = lv_sweep_request_default();
    request.threads = THREADS;
    request.keep_series = true;
    request.series = temporary(path, "kept.csv");
    lv_ensemble *kept = run_with(m, &request);
    const lv_sweep_series *s = lv_ensemble_summary(kept)->series;
    assert_non_null(s);
    assert_int_equal(s->rows, 36);
    assert_true(s->column_count >= 5);
    lv_text file = take_file(path);
    char *rest = file.data;
    for (int k = 0; k < s->column_count; k++)
        assert_string_equal(next_field(&rest), s->columns[k]);
    for (int k = 0; k < s->rows * s->column_count; k++)
        assert_true(strtod(next_field(&rest), NULL) == s->values[k]);
    assert_true(*rest == '\0');
    const double *last = s->values + (size_t)(s->rows - 1) * (size_t)s->column_count;
    assert_true(last[1] == lv_ensemble_summary(kept)->members);
    assert_true(last[2] > 0);
    lv_text_done(&file);
    request.series = NULL;
    request.keep_series = false;
    lv_ensemble *none = run_with(m, &request);
    assert_null(lv_ensemble_summary(none)->series);
    lv_ensemble_free(none);
    lv_ensemble_free(kept);
    lv_model_free(m);
}

/* All families of schemes, and a system that needs sparse algebra. */
static void schemes_keep_no_state_of_their_own(void **state)
{
    (void)state;
    static const char *const schemes[] = {"rattle", "lobatto", "em", "livens", "vi-s"};
    lv_model *m = read_text(pendulums);
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        lv_sweep_request request = lv_sweep_request_default();
        request.threads = THREADS;
        request.changes.scheme = schemes[k];
        request.changes.until = 0.1;
        lv_ensemble *e = run_with(m, &request);
        assert_int_equal(lv_ensemble_summary(e)->failed, 0);
        lv_ensemble_free(e);
    }
    lv_model_free(m);
}

static void large_members_share_nothing_either(void **state)
{
    (void)state;
    static const char text[] =
        "[parameters]\nN = 80\ng = 9.81\n"
        "[coordinates]\nq = { count = \"N\", value = [\"i/N\", 0, 0] }\n"
        "[energy.masses]\nfor = \"i = 1..N\"\nkinetic = \"norm2(q_i')/(2*N)\"\n"
        "potential = \"g/N*q_i[3]\"\n"
        "[constraints.first]\nholonomic = \"norm2(q_1) - 1/N^2\"\n"
        "[constraints.link]\nfor = \"i = 2..N\"\n"
        "holonomic = \"norm2(q_i - q_{i-1}) - 1/N^2\"\n"
        "[run]\nscheme = \"rattle\"\nstep = 0.002\nuntil = 0.01\n"
        "[sweep.set]\ng = { from = 1, to = 10, count = 6 }\n";
    lv_sweep_request request = lv_sweep_request_default();
    request.threads = THREADS;
    lv_model *m = read_text(text);
    lv_ensemble *e = run_with(m, &request);
    assert_int_equal(lv_ensemble_summary(e)->failed, 0);
    lv_ensemble_free(e);
    lv_model_free(m);
}

static bool stop_after_three(void *user, const lv_member *member)
{
    int *count = user;
    (void)member;
    return ++*count < 3;
}

static void threads_stop_together(void **state)
{
    (void)state;
    int count = 0;
    lv_sweep_request request = lv_sweep_request_default();
    request.threads = THREADS;
    request.member = stop_after_three;
    request.user = &count;
    lv_model *m = read_text(pendulums);
    lv_ensemble *e = run_with(m, &request);
    const lv_sweep_summary *s = lv_ensemble_summary(e);
    assert_true(s->interrupted && s->done >= 3 && s->done == count);
    lv_ensemble_free(e);
    lv_model_free(m);
}

/* Masses and steps that follow from what is set: some members cannot be read, and members after those can. */
static const char refused[] =
    "[parameters]\na = 1\nb = \"sqrt(a + 5)\"\n"
    "[particles.ball]\ncount = 2\nmass = \"a/i\"\nposition = [\"b*i\", 0, 0]\n"
    "velocity = [0, \"a\", 0]\n"
    "[springs.s]\nbetween = [\"ball_1\", \"ball_2\"]\nstiffness = \"3 + a^2\"\nlength = "
    "1\n"
    "[run]\nscheme = \"verlet\"\nstep = \"0.01*b\"\nuntil = 0.5\n"
    "[sweep]\nmembers = 40\n[sweep.set]\na = \"10*sin(7*j) - 1\"\n";

/* The value of a column. */
static double value_of(const lv_member *member, const char *column)
{
    for (int k = 0; k < member->column_count; k++)
        if (strcmp(member->columns[k], column) == 0)
            return member->values[k];
    return (double)NAN;
}

/* A member has what reading and running it alone gives, or fails with what reading says. */
static bool compare_with_reading(void *user, const lv_member *member)
{
    lv_model *m = NULL;
    lv_run_summary *run = NULL;
    lv_error err;
    const lv_status status = lv_sweep_member(&m, user, member->number, &err);
    assert_int_equal(member->status, status);
    if (status != LV_OK) {
        assert_string_equal(member->error->text, err.text);
        assert_int_equal(member->error->line, err.line);
        return true;
    }
    const lv_run_request request = lv_run_request_default(m);
    if (lv_run(&run, m, &request, &err) != LV_OK)
        fail_with(&err);
    assert_true(value_of(member, "ball_1[1]") == run->q[0]);
    assert_true(value_of(member, "steps") == (double)run->steps);
    assert_true(value_of(member, "E.deviation") == run->energy.max_deviation);
    lv_run_summary_free(run);
    lv_model_free(m);
    return true;
}

static void members_that_cannot_be_read_say_so(void **state)
{
    (void)state;
    lv_model *m = read_text(refused);
    lv_sweep_request request = lv_sweep_request_default();
    request.threads = 1;
    request.member = compare_with_reading;
    request.user = m;
    lv_ensemble *e = run_with(m, &request);
    const lv_sweep_summary *s = lv_ensemble_summary(e);
    assert_true(s->done == 40 && s->failed > 10 && s->failed < 30);
    lv_ensemble_free(e);
    lv_model_free(m);
}

/* Members that do not all fit into the budget at once run one after the other. */
static void members_do_not_fail_for_the_memory_of_others(void **state)
{
    (void)state;
    lv_model *m = read_text(pendulums);
    const size_t before = lv_memory_budget();
    for (int threads = 1; threads <= THREADS; threads++) {
        lv_sweep_request request = lv_sweep_request_default();
        request.threads = threads;
        lv_memory_set_budget(lv_memory_used() + ((size_t)1 << 20));
        lv_ensemble *e = run_with(m, &request);
        lv_memory_set_budget(before);
        const lv_sweep_summary *s = lv_ensemble_summary(e);
        assert_int_equal(s->done, 8);
        assert_int_equal(s->failed, 0);
        lv_ensemble_free(e);
    }
    lv_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(threads_share_a_model_and_give_the_same_bits),
        RUN(series_can_stay_in_memory),
        RUN(schemes_keep_no_state_of_their_own),
        RUN(large_members_share_nothing_either),
        RUN(threads_stop_together),
        RUN(members_that_cannot_be_read_say_so),
        RUN(members_do_not_fail_for_the_memory_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
