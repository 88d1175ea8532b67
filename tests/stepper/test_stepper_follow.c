/* Steps end where the motion leads, or fail: of several solutions of their equations the one on the branch that begins
 * with h = 0 is found. */
#include "../model/reading.h"
#include "deny.h"

#include <math.h>
#include <stdlib.h>

static lv_sim *begin(const lv_model *model, const char *scheme, double step, bool project)
{
    lv_error err;
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = scheme;
    options.options = (lv_scheme_options){0};
    if (project)
        lv_scheme_option_set(&options.options, LV_OPTION_PROJECTION, 1);
    options.step = step;
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK)
        fail_with(&err);
    return sim;
}

static void step(lv_sim *sim)
{
    lv_error err;
    if (lv_sim_step(sim, &err) != LV_OK)
        fail_with(&err);
}

/* Steps until one fails, and returns the time that was reached. */
static double run(lv_sim *sim, int most, lv_error *err)
{
    lv_error_clear(err);
    for (int k = 0; k < most && lv_sim_step(sim, err) == LV_OK; k++)
        ;
    return lv_sim_time(sim);
}

/* Projections of the momenta change no position of vi-b. Without them velocities at the nodes are no guess for the next
 * step: the crank jumped to the other side at t = 0.273. */
static void a_mechanism_stays_in_its_assembly(void **state)
{
    (void)state;
    lv_model *model = read_shipped("slider-crank-spatial", NULL, NULL);
    lv_sim *free = begin(model, "vi-b", 0.003, false),
           *projected = begin(model, "vi-b", 0.003, true);
    const int n = lv_model_coordinate_count(model);
    for (int k = 0; k < 150; k++) {
        step(free);
        step(projected);
        const double *q = lv_sim_position(free), *r = lv_sim_position(projected);
        for (int i = 0; i < n; i++)
            if (!(fabs(q[i] - r[i]) <= 1e-12))
                fail_msg("t = %g: coordinate %d is %.15g, not %.15g", lv_sim_time(free),
                         i, q[i], r[i]);
    }
    lv_sim_free(free);
    lv_sim_free(projected);
    lv_model_free(model);
}

/* Carried multipliers leave the motion, but steps do not jump before their equations have no solution there: the wheels
 * rolled by 0.84 instead of 0.1 in the step from t = 0.6. */
static void a_step_follows_its_branch_as_far_as_there_is_one(void **state)
{
    (void)state;
    lv_error err;
    lv_model *model = read_shipped("bicycle", NULL, NULL);
    lv_sim *sim = begin(model, "rattle", 0.02, false);
    double before = 0;
    for (int k = 0; k < 38; k++) {
        step(sim);
        const double now = lv_sim_position(sim)[0];
        if (!(fabs(now - before - 0.1) <= 0.02))
            fail_msg("t = %g: the wheel moves by %g", lv_sim_time(sim), now - before);
        before = now;
    }
    assert_true(run(sim, 100, &err) > 0.9);
    assert_int_equal(err.code, LV_ERR_NUMERIC);
    assert_says(err.note, "the solution that belongs to the motion ends at 0.");
    assert_says(err.hint, "multipliers = motion");
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Where the branch ends in a fold, another solution is an error. */
static void another_solution_behind_a_fold_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *model, *scheme;
        double step, fails_at;
    } runs[] = {{"pendulum-cartesian", "lobatto", 0.9, 0},
                {"torus", "vi-s", 0.3, 1.2},
                {"double-pendulum", "vi-b", 0.15, 0.45},
                {"flyball-governor", "vi-s", 0.025, 0}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        lv_error err;
        lv_model *model = read_shipped(runs[k].model, NULL, NULL);
        lv_sim *sim = begin(model, runs[k].scheme, runs[k].step, false);
        const double t = run(sim, 20, &err);
        if (err.code != LV_ERR_NUMERIC || err.why != LV_WHY_DIVERGED ||
            fabs(t - runs[k].fails_at) > 1e-9)
            fail_msg("%s, %s: ends at t = %g: %s", runs[k].model, runs[k].scheme, t,
                     err.text);
        assert_says(err.text, "a solution that does not belong to the motion");
        assert_says(err.note, "that of the motion ends at 0.");
        assert_int_equal(err.about, LV_ABOUT_STEP);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* Steps that no guess solves are solved along the branch: these stopped, or constraints no longer agreed. */
static void the_branch_leads_to_solutions_that_no_guess_finds(void **state)
{
    (void)state;
    static const struct {
        const char *model, *scheme;
        double step, until, energy;
    } runs[] = {{"slider-crank-spatial", "multistep", 0.004, 0.6, 0.02},
                {"bennett-linkage", "multistep", 0.01, 3.4, 1e-6},
                {"rolling-disc-body", "rattle", 0.03, 3, 1e-2}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        lv_error err;
        lv_model *model = read_shipped(runs[k].model, NULL, NULL);
        lv_sim *sim = begin(model, runs[k].scheme, runs[k].step, false);
        const double begins = lv_sim_energies(sim).total;
        const int steps = (int)lround(runs[k].until / runs[k].step);
        const double t = run(sim, steps, &err),
                     off = fabs(lv_sim_energies(sim).total - begins);
        if (fabs(t - runs[k].until) > 1e-9 || !(off <= runs[k].energy * fabs(begins)))
            fail_msg("%s, %s: t = %g, the energy changes by %g: %s", runs[k].model,
                     runs[k].scheme, t, off, err.text);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* States that are saved between steps that are followed go on bit for bit. */
static void followed_steps_are_resumed_bit_for_bit(void **state)
{
    (void)state;
    lv_error err;
    lv_model *model = read_shipped("slider-crank-spatial", NULL, NULL);
    lv_sim *sim = begin(model, "vi-b", 0.003, false);
    for (int k = 0; k < 91; k++)
        step(sim);
    const size_t size = (size_t)lv_model_coordinate_count(model) * sizeof(double);
    const int count = lv_sim_save_count(sim);
    double *saved = malloc((size_t)count * sizeof *saved), *ends = malloc(size);
    assert_non_null(saved);
    assert_non_null(ends);
    assert_int_equal(lv_sim_save(sim, saved, count, &err), LV_OK);
    for (int k = 0; k < 10; k++)
        step(sim);
    memcpy(ends, lv_sim_position(sim), size);
    lv_sim *other = begin(model, "vi-b", 0.003, false);
    assert_int_equal(lv_sim_restore(other, saved, count, &err), LV_OK);
    for (int k = 0; k < 10; k++)
        step(other);
    assert_memory_equal(lv_sim_position(other), ends, size);
    lv_sim_free(other);
    lv_sim_free(sim);
    lv_model_free(model);
    free(ends);
    free(saved);
}

/* Long steps of a pendulum, whose branches are followed from the first one on. */
static lv_status swing(void *user, lv_error *err)
{
    lv_model *model = NULL;
    lv_sim *sim = NULL;
    (void)user;
    lv_status status = lv_model_read(&model, "pendulum-cartesian", NULL, 0, err);
    lv_sim_options options = model ? lv_sim_options_default(model) : (lv_sim_options){0};
    options.scheme = "em";
    options.options = (lv_scheme_options){0};
    options.step = 0.6;
    if (status == LV_OK)
        status = lv_sim_create(&sim, model, &options, err);
    for (int k = 0; k < 3 && status == LV_OK; k++)
        status = lv_sim_step(sim, err);
    lv_sim_free(sim);
    lv_model_free(model);
    return status;
}

static void memory_that_is_denied_is_reported(void **state)
{
    (void)state;
    lv_deny_sweep(swing, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_mechanism_stays_in_its_assembly),
        RUN(a_step_follows_its_branch_as_far_as_there_is_one),
        RUN(another_solution_behind_a_fold_is_refused),
        RUN(the_branch_leads_to_solutions_that_no_guess_finds),
        RUN(followed_steps_are_resumed_bit_for_bit),
        RUN(memory_that_is_denied_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
