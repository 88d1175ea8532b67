/* Wrong calls of functions that evaluate a system or ask for coefficients. */
#ifndef LV_TESTS_MISUSE_EVALUATE_H
#define LV_TESTS_MISUSE_EVALUATE_H

#include "misuse.h"

static void wrong_coefficients(void)
{
    lv_coefficients *t = (lv_coefficients *)&t;
    REFUSED(lv_scheme_coefficients, "coefficients", NULL, "gauss", NULL, e);
    REFUSED(lv_scheme_coefficients, "name", &t, NULL, NULL, e);
    assert_null(t);
    assert_int_equal(lv_scheme_coefficients(&t, "gaus", NULL, NULL), LV_ERR_MODEL);
    assert_int_equal(lv_scheme_coefficients(&t, "em", NULL, NULL), LV_ERR_MODEL);
    assert_null(t);
    lv_coefficients_free(NULL);
}

static void wrong_equations(void)
{
    char buffer = 'x', *text = &buffer;
    REFUSED(lv_scheme_equations, "text", NULL, "gauss", NULL, e);
    REFUSED(lv_scheme_equations, "name", &text, NULL, NULL, e);
    assert_null(text);
    assert_int_equal(lv_scheme_equations(&text, "gaus", NULL, NULL), LV_ERR_MODEL);
    assert_null(text);
    text = &buffer;
    REFUSED(lv_sim_equations, "text", NULL, sim, e);
    REFUSED(lv_sim_equations, "sim", &text, NULL, e);
    assert_null(text);
    lv_equations_free(NULL);
}

static void wrong_step_point(void)
{
    lv_step_point none = {0};
    REFUSED(lv_sim_step_point, "sim", NULL, &none, 0, LV_SAMPLE_RAW, e);
    REFUSED(lv_sim_step_point, "point", sim, NULL, 0, LV_SAMPLE_RAW, e);
    REFUSED(lv_sim_step_point, "kind", sim, &none, 0, (lv_sample)2, e);
    REFUSED(lv_sim_step_point, "x = -0.1", sim, &none, -0.1, LV_SAMPLE_RAW, e);
    REFUSED(lv_sim_step_point, "x = 1.5", sim, &none, 1.5, LV_SAMPLE_RAW, e);
    REFUSED(lv_sim_step_point, "x = ", sim, &none, (double)NAN, LV_SAMPLE_RAW, e);
    assert_int_equal(lv_sim_step_point(sim, &none, 1, LV_SAMPLE_RAW, NULL), LV_OK);
}

static void wrong_evaluations(void)
{
    double q[2] = {1, 0}, v[2] = {0, 1}, p[2] = {0, 1}, x[2];
    lv_energies energies;
    REFUSED(lv_sim_momentum_at, "sim", NULL, x, 0, q, v, e);
    REFUSED(lv_sim_momentum_at, ": p is", sim, NULL, 0, q, v, e);
    REFUSED(lv_sim_momentum_at, ": q is", sim, x, 0, NULL, v, e);
    REFUSED(lv_sim_momentum_at, ": v is", sim, x, 0, q, NULL, e);
    REFUSED(lv_sim_velocity_at, "sim", NULL, x, 0, q, p, e);
    REFUSED(lv_sim_velocity_at, ": v is", sim, NULL, 0, q, p, e);
    REFUSED(lv_sim_velocity_at, ": q is", sim, x, 0, NULL, p, e);
    REFUSED(lv_sim_velocity_at, ": p is", sim, x, 0, q, NULL, e);
    REFUSED(lv_sim_velocity_at, "same array", sim, p, 0, q, p, e);
    REFUSED(lv_sim_energies_at, "sim", NULL, &energies, 0, q, v, p, e);
    REFUSED(lv_sim_energies_at, "energies", sim, NULL, 0, q, v, p, e);
    REFUSED(lv_sim_energies_at, ": q is", sim, &energies, 0, NULL, v, p, e);
    REFUSED(lv_sim_energies_at, ": v is", sim, &energies, 0, q, NULL, p, e);
    REFUSED(lv_sim_energies_at, ": p is", sim, &energies, 0, q, v, NULL, e);
    REFUSED(lv_sim_constraints_at, "sim", NULL, x, NULL, 0, q, v, e);
    REFUSED(lv_sim_constraints_at, ": q is", sim, x, NULL, 0, NULL, v, e);
    REFUSED(lv_sim_constraints_at, ": v is", sim, x, NULL, 0, q, NULL, e);
    assert_int_equal(lv_sim_constraints_at(sim, NULL, NULL, 0, q, v, NULL), LV_OK);
    REFUSED(lv_sim_constraint_force_at, "sim", NULL, x, 0, q, v, p, e);
    REFUSED(lv_sim_constraint_force_at, "force", sim, NULL, 0, q, v, p, e);
    REFUSED(lv_sim_constraint_force_at, ": q is", sim, x, 0, NULL, v, p, e);
    REFUSED(lv_sim_constraint_force_at, ": v is", sim, x, 0, q, NULL, p, e);
    REFUSED(lv_sim_constraint_force_at, "lambda", sim, x, 0, q, v, NULL, e);
}

static void wrong_step_multipliers(void)
{
    double lambda[1], gamma[1];
    assert_false(lv_sim_step_multipliers(NULL, lambda, gamma));
    assert_false(lv_sim_step_multipliers(sim, NULL, gamma));
    assert_false(lv_sim_step_multipliers(sim, lambda, NULL));
    assert_null(lv_sim_carried_multipliers(NULL));
    assert_int_equal(lv_sim_holonomic_count(NULL), 0);
    lv_sim_forget(NULL);
}

static void wrong_events(void)
{
    lv_event_info info;
    assert_int_equal(lv_sim_event_count(NULL), 0);
    assert_int_equal(lv_sim_event_count(sim), 0);
    assert_int_equal(lv_sim_stopped(NULL), -1);
    lv_sim_on_event(NULL, NULL, NULL);
    REFUSED(lv_sim_event, "sim", NULL, 0, &info, e);
    REFUSED(lv_sim_event, "info", sim, 0, NULL, e);
    REFUSED(lv_sim_event, "k is 0", sim, 0, &info, e);
    REFUSED(lv_sim_event, "k is -1", sim, -1, &info, e);
}

#endif
