/* Options of the GGL schemes: the theta family, projection, half a kick, and what is unstable. Numbers
 * are those of the specification "GGL and Livens". */
#include "../claims/hand_over.h"
#include "watching.h"

enum { MOST = 16 };

static method with(const char *scheme, double theta, double vartheta)
{
    method m = {scheme, 1, 0, {0}};
    if (theta >= 0)
        lv_scheme_option_set(&m.more, LV_OPTION_THETA, theta);
    if (vartheta >= 0)
        lv_scheme_option_set(&m.more, LV_OPTION_VARTHETA, vartheta);
    return m;
}

static method and (method m, lv_option option)
{
    lv_scheme_option_set(&m.more, option, 1);
    return m;
}

/* ---- the theta family -------------------------------------------------------------------------- */

/* Positions and momenta of 100 steps, side by side. */
static void run_hundred(const lv_model *model, const method *m, double step, double *q,
                        double *p)
{
    lv_sim *sim = start(model, m, step);
    int n = lv_model_coordinate_count(model);
    for (int k = 0; k < 100; k++) {
        step_once(sim);
        memcpy(q + (size_t)k * (size_t)n, lv_sim_position(sim), (size_t)n * sizeof *q);
        memcpy(p + (size_t)k * (size_t)n, lv_sim_momentum(sim), (size_t)n * sizeof *p);
    }
    lv_sim_free(sim);
}

static const struct {
    const char *model;
    double step;
} systems[] = {{"pendulum3d", 0.05}, {"four-particles", 0.01}, {"torus", 0.05}};
enum { SYSTEMS = sizeof systems / sizeof *systems };

static double q_a[100 * MOST], p_a[100 * MOST], q_b[100 * MOST], p_b[100 * MOST];

static void positions_do_not_depend_on_vartheta(void **state)
{
    static const double thetas[] = {0, 0.3, 0.5, 1}, varthetas[] = {0, 0.2, 0.4};
    (void)state;
    for (int k = 0; k < SYSTEMS; k++) {
        lv_model *model = read_shipped(systems[k].model, NULL, NULL);
        int count = 100 * lv_model_coordinate_count(model);
        double worst = 0, momenta = 0;
        for (int i = 0; i < 4; i++) {
            const method half = with("vi-b", thetas[i], 0.5);
            run_hundred(model, &half, systems[k].step, q_a, p_a);
            for (int j = 0; j < 3; j++) {
                const method other = with("vi-b", thetas[i], varthetas[j]);
                run_hundred(model, &other, systems[k].step, q_b, p_b);
                worst = fmax(worst, distance(q_a, q_b, count));
                momenta = fmax(momenta, distance(p_a, p_b, count));
            }
        }
        print_message("    %-15s q %.1e, p %.1e\n", systems[k].model, worst, momenta);
        assert_at_most(worst, 2e-13);
        assert_at_least(momenta, 1e-4); /* but momenta do */
        lv_model_free(model);
    }
}

/* ---- projection ---------------------------------------------------------------------------------- */

/* Largest |G M^-1 p + g_t| over 100 steps. */
static double largest_hidden(const lv_model *model, const method *m, double step)
{
    lv_sim *sim = start(model, m, step);
    double worst = 0;
    for (int k = 0; k < 100; k++) {
        double g, hidden;
        step_once(sim);
        lv_sim_residuals(sim, &g, &hidden);
        worst = fmax(worst, hidden);
    }
    lv_sim_free(sim);
    return worst;
}

static void
projection_changes_no_position_and_satisfies_the_hidden_constraint(void **state)
{
    const method plain[] = {with("vi-s", -1, -1), with("vi-b", -1, -1),
                            with("vi-b2", -1, -1), with("vi-b", 0.3, 0.3),
                            with("vi-b", 1, 0)};
    (void)state;
    for (int k = 0; k < SYSTEMS; k++)
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
            char name[80];
            lv_model *model = read_shipped(systems[k].model, NULL, NULL);
            int count = 100 * lv_model_coordinate_count(model);
            const method projected = and(plain[i], LV_OPTION_PROJECTION);
            run_hundred(model, &plain[i], systems[k].step, q_a, p_a);
            run_hundred(model, &projected, systems[k].step, q_b, p_b);
            double q = distance(q_a, q_b, count);
            double hidden = largest_hidden(model, &projected, systems[k].step);
            print_message("    %-15s %-30s q %.1e, G v %.1e\n", systems[k].model,
                          method_name(&projected, name, sizeof name), q, hidden);
            assert_at_most(q, 2e-13);
            assert_at_most(hidden, 2e-14);
            lv_model_free(model);
        }
}

/* With projection any vartheta below 1 is stable, and momenta do not depend on it. */
static void projected_momenta_do_not_depend_on_vartheta(void **state)
{
    (void)state;
    lv_model *model = read_shipped("four-particles", NULL, NULL);
    const method half = and(with("vi-b", 0.3, 0.5), LV_OPTION_PROJECTION);
    run_hundred(model, &half, 0.01, q_a, p_a);
    for (double vartheta = 0; vartheta < 0.95; vartheta += 0.3) {
        const method other = and(with("vi-b", 0.3, vartheta), LV_OPTION_PROJECTION);
        run_hundred(model, &other, 0.01, q_b, p_b);
        assert_at_most(distance(q_a, q_b, 1200), 1e-12);
        assert_at_most(distance(p_a, p_b, 1200), 1e-11);
    }
    lv_model_free(model);
}

/* ---- half a kick ------------------------------------------------------------------------------------ */

static void half_a_kick_makes_positions_second_order(void **state)
{
    static const double exact[3] = {-0.9061288904274, -0.3945814687971, -0.1524332588862};
    static const double printed[4] = {.028, .0070, .0017, .0004};
    const method list[] = {and(with("vi-s", -1, -1), LV_OPTION_HALF_KICK),
                           and(with("vi-b", 1, 0.5), LV_OPTION_HALF_KICK),
                           and(with("vi-b", 1, 0), LV_OPTION_HALF_KICK)};
    (void)state;
    lv_model *model = read_shipped("pendulum3d", NULL, NULL);
    for (int k = 0; k < 3; k++) {
        double errors[4];
        for (int i = 0; i < 4; i++) {
            lv_sim *sim = start(model, &list[k], 0.05 / (1 << i));
            step_times(sim, 20 << i);
            errors[i] = relative_error(lv_sim_position(sim), exact, 3);
            lv_sim_free(sim);
        }
        print_message("    %s: %.4f %.4f %.4f %.4f\n", list[k].scheme, errors[0],
                      errors[1], errors[2], errors[3]);
        for (int i = 0; i < 4; i++)
            assert_at_most(fabs(errors[i] - printed[i]), (i == 0 ? 6e-4 : 6e-5));
        assert_at_most(fabs(log2(errors[2] / errors[3]) - 2), 0.02);
    }
    lv_model_free(model);
}

static void a_kick_is_not_repeated_after_a_checkpoint(void **state)
{
    const method list[] = {and(with("vi-s", -1, -1), LV_OPTION_HALF_KICK),
                           and(with("vi-b", 1, 0.5), LV_OPTION_HALF_KICK),
                           with("vi-b2", -1, -1),
                           with("vi-a", -1, -1),
                           {"em", 1, 0, {0}},
                           {"livens", 1, 0, {0}}};
    (void)state;
    lv_model *model = read_shipped("four-particles", NULL, NULL);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        lv_sim *once = start(model, &list[k], 0.001), *again = NULL;
        step_times(once, 77);
        again = start(model, &list[k], 0.001);
        hand_over(again, once);
        step_times(once, 100);
        step_times(again, 100);
        assert_memory_equal(once->state.q, again->state.q, 12 * sizeof(double));
        assert_memory_equal(once->state.p, again->state.p, 12 * sizeof(double));
        lv_sim_free(once);
        lv_sim_free(again);
    }
    lv_model_free(model);
}

/* ---- instability --------------------------------------------------------------------------------------- */

static double worst_position(lv_sim *sim)
{
    double g, hidden;
    lv_sim_residuals(sim, &g, &hidden);
    return g;
}

/* Growth per step of what should vanish, geometric mean over some steps. */
static double growth_of(const lv_model *model, const method *m, bool momenta, int from,
                        int to)
{
    lv_sim *sim = start(model, m, 1e-3);
    double first = 0, last = 0;
    for (int k = 1; k <= to; k++) {
        double g, hidden;
        step_once(sim);
        lv_sim_residuals(sim, &g, &hidden);
        double now = momenta ? hidden : worst_position(sim);
        first = k == from ? now : first;
        last = now;
    }
    lv_sim_free(sim);
    return pow(last / first, 1.0 / (to - from));
}

static void unstable_parameters_grow_as_predicted(void **state)
{
    const double predicted = 0.7 / 0.3;
    (void)state;
    lv_model *model = read_shipped("pendulum3d", NULL, NULL);
    const method low = and(with("vi-a", 0.3, -1), LV_OPTION_ALLOW_UNSTABLE);
    const method high = and(with("vi-a", 0.7, -1), LV_OPTION_ALLOW_UNSTABLE);
    const method split = and(with("vi-b", 0.5, 0.7), LV_OPTION_ALLOW_UNSTABLE);
    const double growth[] = {growth_of(model, &low, false, 4, 10),
                             growth_of(model, &high, true, 4, 10),
                             growth_of(model, &split, true, 4, 10)};
    print_message("    %.3f %.3f %.3f, predicted %.3f\n", growth[0], growth[1], growth[2],
                  predicted);
    for (int k = 0; k < 3; k++)
        assert_at_most(fabs(growth[k] - predicted), 0.1);
    lv_model_free(model);
}

static void check_option_refused(const method *m, const char *text, const char *note)
{
    lv_claims claims;
    lv_error err;
    const lv_scheme_options options = method_options(m);
    lv_error_clear(&err);
    assert_int_equal(lv_scheme_claims(&claims, m->scheme, &options, &err), LV_ERR_MODEL);
    if (!strstr(err.text, text) || !strstr(err.note, note))
        fail_msg("%s: \"%s\", \"%s\"", m->scheme, err.text, err.note);
}

static void what_is_unstable_or_senseless_is_refused_with_the_reason(void **state)
{
    (void)state;
    const method low = with("vi-a", 0.3, -1), end = with("vi-a", 1, -1);
    const method split = with("vi-b", 0.5, 0.7), last = with("vi-b", 1, 1);
    const method kick = and(with("vi-b", 0.5, 0), LV_OPTION_HALF_KICK);
    const method fixed = with("vi-b2", 0.3, -1);
    const method a = and(with("vi-a", -1, -1), LV_OPTION_PROJECTION);
    const method em = and(with("em", -1, -1), LV_OPTION_PROJECTION);
    method composed = with("vi-b2", -1, -1);
    composed.compose = 4;
    check_option_refused(&low, "unstable with theta = 0.3", "-2.33");
    check_option_refused(&end, "singular", "");
    check_option_refused(&split, "unstable with vartheta = 0.7", "-2.33");
    check_option_refused(&last, "singular", "end of the step");
    check_option_refused(&kick, "theta = 1", "");
    check_option_refused(&fixed, "no option 'theta'", "vi-b with theta = 1/2");
    check_option_refused(&a, "no option 'projection'", "change the motion");
    check_option_refused(&em, "no option 'projection'", "balance of energy");
    check_option_refused(&composed, "only with projection", "");

    const method unstable = and(last, LV_OPTION_ALLOW_UNSTABLE);
    check_option_refused(&unstable, "singular", "end of the step");
}

/* What depends on the system. */
static void check_refused_for(const char *model_text, const method *m, const char *text,
                              const char *hint)
{
    lv_model *model = read_text(model_text);
    lv_sim *sim = NULL;
    lv_error err;
    lv_error_clear(&err);
    assert_int_equal(try_start(&sim, model, m, 0.01, &err), LV_ERR_MODEL);
    if (!strstr(err.text, text) || !strstr(err.hint, hint))
        fail_msg("%s: \"%s\", \"%s\"", m->scheme, err.text, err.hint);
    lv_model_free(model);
}

#define OSCILLATOR                                                                       \
    "[coordinates]\nx = { value = 1, velocity = 0.6 }\n"                                 \
    "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^4/4\"\n"

/* Positions are of first order with half a kick if forces depend on velocities, or masses vary. */
static void half_a_kick_is_refused_where_it_does_not_help(void **state)
{
    (void)state;
    const method list[] = {and(with("vi-s", -1, -1), LV_OPTION_HALF_KICK),
                           and(with("vi-b", 1, 0.5), LV_OPTION_HALF_KICK)};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        check_refused_for(OSCILLATOR "[forces.air]\non = \"x\"\nforce = \"-x'/2\"\n",
                          &list[k], "forces that do not depend on velocities", "vi-b2");
        check_refused_for("[coordinates]\nx = { value = 1, velocity = 0.6 }\n"
                          "[energy]\nkinetic = \"(1 + x^2)*x'^2/2\"\n",
                          &list[k], "constant mass matrices", "vi-b2");
        lv_model *pushed =
            read_text(OSCILLATOR "[forces.push]\non = \"x\"\nforce = \"sin(t) - x\"\n");
        lv_sim_free(start(pushed, &list[k], 0.01));
        lv_model_free(pushed);
    }
}

/* Velocities of their own stay of second order. */
static void energy_momentum_schemes_are_composed_for_constant_masses(void **state)
{
    (void)state;
    const char *const names[] = {"em", "livens"};
    for (int k = 0; k < 2; k++)
        for (int order = 4; order <= 8; order += 2) {
            const method m = {.scheme = names[k], .compose = order};
            check_refused_for("[coordinates]\nx = { value = 1, velocity = 0.6 }\n"
                              "[energy]\nkinetic = \"(1 + x^2)*x'^2/2\"\n",
                              &m, "not composed where the mass matrix varies", "rattle");
            lv_model *constant = read_text(OSCILLATOR);
            lv_sim_free(start(constant, &m, 0.01));
            lv_model_free(constant);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(positions_do_not_depend_on_vartheta),
        RUN(projection_changes_no_position_and_satisfies_the_hidden_constraint),
        RUN(projected_momenta_do_not_depend_on_vartheta),
        RUN(half_a_kick_makes_positions_second_order),
        RUN(a_kick_is_not_repeated_after_a_checkpoint),
        RUN(unstable_parameters_grow_as_predicted),
        RUN(what_is_unstable_or_senseless_is_refused_with_the_reason),
        RUN(half_a_kick_is_refused_where_it_does_not_help),
        RUN(energy_momentum_schemes_are_composed_for_constant_masses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
