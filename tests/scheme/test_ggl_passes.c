/* However a step of the GGL schemes begins and however few passes it takes, its equations hold to rounding:
 * without what past steps show, with multipliers that begin at 0, after a single pass, far away, fast. */
#include "watching.h"

#include <float.h>

/* Three rods in a row and a spring from the origin to their end. Particles in the middle share two rods, so that
 * multipliers of one act on the other. */
#define RODS(spring)                                                                     \
    "[coordinates]\na = { value = [1, 0, 0], velocity = [0, 1, 0] }\n"                   \
    "b = { value = [1, 1, 0], velocity = [-1, 1, 2] }\n"                                 \
    "c = { value = [1, 1, 1], velocity = [1, 0, 2] }\n"                                  \
    "[energy.all]\nkinetic = \"norm2(a')/2 + norm2(b') + norm2(c')\"\n"                  \
    "potential = \"9.81*(a[3] + b[3] + c[3])\"\n"                                        \
    "[energy.spring]\npotential = \"" spring "*(norm(c) - 1.5)^2\"\n"                    \
    "[constraints.r]\nholonomic = \"(norm2(a) - 1)/2\"\n"                                \
    "[constraints.s]\nholonomic = \"(norm2(b - a) - 1)/2\"\n"                            \
    "[constraints.u]\nholonomic = \"(norm2(c - b) - 1)/2\"\n"

/* The largest change of the energy in a step, of those from `first` on. */
static double largest_change(const char *text, double h, int first, int steps)
{
    lv_model *model = read_text(text);
    lv_sim *sim = start(model, &(method){"em", 1, 0, {0}}, h);
    double most = 0;
    for (int k = 0; k < steps; k++) {
        const double before = energy_of(sim);
        step_once(sim);
        if (k >= first)
            most = fmax(most, fabs(energy_of(sim) - before));
    }
    print_message("    h = %g: %.1e in one of the steps %d to %d\n", h, most, first + 1,
                  steps);
    lv_sim_free(sim);
    lv_model_free(model);
    return most;
}

/* gamma is not 0 in it, and nothing is known of gamma. */
static void the_first_step_keeps_the_energy(void **state)
{
    static const double steps[] = {0.01, 0.05, 0.1};
    (void)state;
    for (int k = 0; k < 3; k++)
        assert_at_most(largest_change(RODS("0"), steps[k], 0, 1), 1e-13);
}

/* Many of these begin more than once. */
static void large_steps_keep_the_energy(void **state)
{
    (void)state;
    assert_at_most(largest_change(RODS("50"), 0.1, 0, 400), 1e-11);
}

/* More than half of these steps take one pass. */
static void single_passes_keep_the_energy(void **state)
{
    (void)state;
    assert_at_most(largest_change(RODS("50"), 0.004, 1, 2000), 1e-12);
    assert_at_most(largest_change(RODS("200"), 0.004, 1, 2000), 1e-12);
}

/* Iterations that contract by a thousandth leave remainders of one sign, which would show in the sum. */
static void remainders_do_not_add_up(void **state)
{
    (void)state;
    lv_model *model = read_shipped("chain", NULL, NULL);
    lv_sim *sim = start(model, &(method){"em", 1, 0, {0}}, 0.001);
    const double before = energy_of(sim);
    double drift = 0, rate = 0, g, hidden;
    for (int k = 0; k < 5000; k++) {
        step_once(sim);
        lv_sim_residuals(sim, &g, &hidden);
        drift = fmax(drift, fabs(energy_of(sim) - before));
        rate = fmax(rate, hidden);
    }
    print_message("    energy %.1e, G v %.1e\n", drift, rate);
    assert_true(drift <= 2e-13 && rate <= 3e-14);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* The four particles as they pass with a speed of 10^4: the rods hold as well as coordinates are rounded. */
static void rods_hold_at_any_speed(void **state)
{
    static const char *const schemes[] = {"vi-b2", "em"};
    (void)state;
    lv_model *model = read_shipped("four-particles", NULL, NULL);
    for (int s = 0; s < 2; s++) {
        lv_sim *sim = start(model, &(method){schemes[s], 1, 0, {0}}, 0.01);
        double v[12], worst = 0, g, hidden;
        for (int k = 0; k < 12; k++)
            v[k] = lv_sim_velocity(sim)[k] + (k % 3 == 0 ? 1e4 : 0);
        move_to(sim, 0, lv_model_start_position(model), v);
        for (int k = 0; k < 100; k++) {
            step_once(sim);
            lv_sim_residuals(sim, &g, &hidden);
            worst = fmax(worst, g / (DBL_EPSILON * largest(lv_sim_position(sim), 12)));
        }
        print_message("    %-6s |g| is %.1f of the rounding\n", schemes[s], worst);
        assert_true(worst <= 5);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* Two particles that meet a million away, without constraints: then M (q1 - q0) / h = (p0 + p1) / 2, where p1 is
 * a sum of forces, and what is missing is the distance from the solution. */
static void steps_are_solved_far_away(void **state)
{
    const double h = 0.005;
    (void)state;
    lv_model *model =
        read_text("[definitions]\ny = \"0.04/norm2(b - a)\"\n"
                  "[coordinates]\na = { value = [1e6, 0, 0], velocity = [0, 0.3, 0] }\n"
                  "b = { value = [\"1e6 - 0.26\", 0, 0], velocity = [0, 0, -0.1] }\n"
                  "[energy]\nkinetic = \"(norm2(a') + norm2(b'))/2\"\n"
                  "potential = \"y^6 - 2*y^3\"\n");
    lv_sim *sim = start(model, &(method){"vi-b2", 1, 0, {0}}, h);
    double worst = 0;
    for (int k = 0; k < 400; k++) {
        double q[6], p[6];
        memcpy(q, lv_sim_position(sim), sizeof q);
        memcpy(p, lv_sim_momentum(sim), sizeof p);
        step_once(sim);
        for (int i = 0; i < 6; i++) {
            const double mean = (p[i] + lv_sim_momentum(sim)[i]) / 2;
            const double moved = lv_sim_position(sim)[i] - q[i];
            worst = fmax(worst, fabs(moved - h * mean));
        }
    }
    worst /= DBL_EPSILON * 1e6;
    print_message("    %.1f of the rounding of coordinates\n", worst);
    assert_true(worst <= 5);
    lv_sim_free(sim);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_first_step_keeps_the_energy), RUN(large_steps_keep_the_energy),
        RUN(single_passes_keep_the_energy),   RUN(remainders_do_not_add_up),
        RUN(rods_hold_at_any_speed),          RUN(steps_are_solved_far_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
