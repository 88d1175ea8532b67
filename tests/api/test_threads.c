/* A dozen threads that share models: simulations are created, pushed, stepped, copied, asked and freed, runs and sweeps
 * made, and mistakes reported, all at a time. Results have the bits that one thread alone gets. tools/run-tsan has the
 * thread sanitizer look for races. */
#include "check.h"

#include <livens/livens.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 12, ROUNDS = SLOW ? 2 : 6, STEPS = 20, MOST = 200 };

static const char members[] = "[parameters]\nl = 1\n[coordinates]\nphi = 1\n[energy]\n"
                              "kinetic = \"l^2*phi'^2/2\"\npotential = \"-cos(phi)/l\"\n"
                              "[sweep]\nmembers = 5\n[sweep.set]\nl = \"1 + j/10\"\n"
                              "[run]\nscheme = \"em\"\nstep = 0.01\nuntil = 0.2\n";

/* What all threads use, and none changes. */
typedef struct shared {
    lv_model *models[4];
    lv_model *ensemble;
    double numbers[4][MOST]; /* what one thread alone got */
    double mean;
} shared;

static const char *const names[4] = {"four-particles", "heavy-top", "cart-pole",
                                     "rolling-penny"};
static const char *const schemes[4] = {"em", "lobatto", "rattle", "lobatto"};

typedef struct worker {
    shared *all;
    int number;
    const char *wrong; /* NULL: all was well */
} worker;

/* Steps in one simulation, the rest of them in a copy that is made on the way. */
static const char *simulate(const lv_model *model, const char *scheme, double *numbers)
{
    lv_error err;
    lv_sim *sim = NULL, *copy = NULL;
    const lv_output *outputs = NULL;
    const lv_part_result *parts = NULL;
    int count = 0;
    const size_t size = (size_t)lv_model_coordinate_count(model) * sizeof *numbers;
    lv_sim_options options = lv_sim_options_default(model);
    const double force = 0.5;
    const char *wrong = NULL;
    options.scheme = scheme;
    options.options = (lv_scheme_options){0};
    options.step = 0.001;
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK ||
        lv_sim_create(&copy, model, &options, &err) != LV_OK)
        wrong = "a simulation is not created";
    else if (lv_model_input_count(model) == 1 &&
             lv_sim_set_input(sim, "force", &force, 1, &err) != LV_OK)
        wrong = "an input is not set";
    else if (lv_sim_step_many(sim, STEPS, &err) != LV_OK ||
             lv_sim_copy(copy, sim, &err) != LV_OK ||
             lv_sim_step_many(copy, STEPS, &err) != LV_OK)
        wrong = "steps fail";
    else if (lv_sim_outputs(copy, &outputs, &count, &err) != LV_OK ||
             lv_sim_parts(copy, &parts, &count, &err) != LV_OK)
        wrong = "questions fail";
    else
        memcpy(numbers, lv_sim_position(copy), size);
    lv_sim_free(sim);
    lv_sim_free(copy);
    return wrong;
}

static const char *look_into(const lv_model *model)
{
    lv_error err;
    lv_inspection *inspection = NULL;
    const lv_status status = lv_model_inspect(&inspection, model, &err);
    lv_inspection_free(inspection);
    return status == LV_OK ? NULL : "an inspection fails";
}

static const char *make_mistakes(const lv_model *model)
{
    lv_error err;
    lv_model *none = NULL;
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = "no such scheme";
    if (lv_sim_create(&sim, model, &options, &err) != LV_ERR_MODEL)
        return "a scheme that is none is taken";
    if (lv_model_parse(&none, "bad", "[energy", 7, NULL, 0, &err) != LV_ERR_SYNTAX)
        return "a bad model is read";
    return lv_model_read(&none, "no-such-model", NULL, 0, &err) == LV_ERR_IO
               ? NULL
               : "a file that is not there is read";
}

static const char *run_all(const lv_model *model)
{
    lv_error err;
    lv_run_summary *summary = NULL;
    lv_run_request request = lv_run_request_default(model);
    request.sim.step = 0.01;
    request.until = 0.05;
    request.keep_rows = true;
    const lv_status status = lv_run(&summary, model, &request, &err);
    lv_run_summary_free(summary);
    return status == LV_OK ? NULL : "a run fails";
}

static const char *sweep(const lv_model *model, double *mean)
{
    lv_error err;
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    request.threads = 2;
    const lv_status status = lv_sweep_run(&summary, model, &request, &err);
    if (status == LV_OK)
        *mean =
            summary->columns[summary->column_count - 1].mean + summary->columns[3].mean;
    lv_sweep_summary_free(summary);
    return status == LV_OK ? NULL : "a sweep fails";
}

/* A round of a thread: simulations, then what its number says. */
static const char *take_round(worker *w, int round)
{
    const int which = (w->number + round) % 4;
    const lv_model *model = w->all->models[which];
    double numbers[MOST], mean = 0;
    const char *wrong = simulate(model, schemes[which], numbers);
    if (wrong)
        return wrong;
    if (memcmp(numbers, w->all->numbers[which],
               (size_t)lv_model_coordinate_count(model) * sizeof *numbers) != 0)
        return "bits differ";
    switch (w->number % 4) {
    case 0:
        return look_into(model);
    case 1:
        return make_mistakes(model);
    case 2:
        return run_all(model);
    default:
        wrong = sweep(w->all->ensemble, &mean);
        return wrong ? wrong : mean == w->all->mean ? NULL : "means differ";
    }
}

static void *work(void *user)
{
    worker *w = user;
    for (int k = 0; k < ROUNDS && !w->wrong; k++)
        w->wrong = take_round(w, k);
    return NULL;
}

static void prepare(shared *all)
{
    lv_error err;
    for (int k = 0; k < 4; k++) {
        assert_int_equal(lv_model_read(&all->models[k], names[k], NULL, 0, &err), LV_OK);
        assert_true(lv_model_coordinate_count(all->models[k]) <= MOST);
        assert_null(simulate(all->models[k], schemes[k], all->numbers[k]));
    }
    assert_int_equal(lv_model_parse(&all->ensemble, "members", members, strlen(members),
                                    NULL, 0, &err),
                     LV_OK);
    assert_null(sweep(all->ensemble, &all->mean));
}

static void threads_do_not_disturb_each_other(void **state)
{
    (void)state;
    static shared all;
    pthread_t threads[THREADS];
    worker workers[THREADS];
    prepare(&all);
    for (int k = 0; k < THREADS; k++) {
        workers[k] = (worker){&all, k, NULL};
        assert_int_equal(pthread_create(&threads[k], NULL, work, &workers[k]), 0);
    }
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_join(threads[k], NULL), 0);
    for (int k = 0; k < THREADS; k++)
        if (workers[k].wrong)
            fail_msg("thread %d: %s", k, workers[k].wrong);
    for (int k = 0; k < 4; k++)
        lv_model_free(all.models[k]);
    lv_model_free(all.ensemble);
}

int main(void)
{
    const struct CMUnitTest tests[] = {RUN(threads_do_not_disturb_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
