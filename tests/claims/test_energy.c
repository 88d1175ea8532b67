/* Energies: exact where that is claimed, else bounded, with errors that shrink with the order. */
#include "pairs.h"

enum { MOST = 16 };

/* Largest deviations from the initial energy in both halves of a run, at reduced velocities. */
static void energy_deviation(const pair *p, double h, int steps, double half[2])
{
    double v[MOST];
    lv_sim *sim = start(p->model, p->method, h);
    for (int k = 0; k < lv_model_coordinate_count(p->model); k++)
        v[k] = 0.6 * lv_sim_velocity(sim)[k];
    move_to(sim, 0, lv_sim_position(sim), v);
    double first = lv_sim_energies(sim).total;
    half[0] = half[1] = 0;
    for (int k = 0; k < steps; k++) {
        step_once(sim);
        double *worst = &half[2 * k / steps];
        *worst = worst_of(*worst, fabs(lv_sim_energies(sim).total - first));
    }
    lv_sim_free(sim);
}

static bool is_exact(const lv_claims *claims)
{
    return claims->energy == LV_KEPT_EXACT;
}

static bool is_bounded(const lv_claims *claims)
{
    return claims->energy == LV_KEPT_BOUNDED;
}

static bool is_conservative(const pair *p)
{
    return p->system->conservative;
}

/* ---- exact energies ----------------------------------------------------------------------- */

static double energy_change(const pair *p)
{
    double half[2];
    energy_deviation(p, p->system->long_step, step_count(p, 2), half);
    return worst_of(half[0], half[1]);
}

static void exact_energies_are_kept_to_rounding(void **state)
{
    (void)state;
    check_claim(&(claim){"energy", is_exact, is_conservative, energy_change, 1e-11, 5});
}

/* ---- bounded energies ---------------------------------------------------------------------- */

/* Schemes with an odd number of stages carry errors of nonholonomic multipliers along with their sign, so that
 * these can add up. With few coefficients of multipliers the error follows the constraint forces, which
 * take longer than the test to repeat themselves. */
static bool must_not_grow(const pair *p)
{
    bool may_drift = is_rolling(p->model) && p->method->stages % 2 == 1;
    bool few = lv_scheme_option_given(&p->method->more, LV_OPTION_DEGREE_G);
    return is_conservative(p) && p->system->regular && !may_drift && !few;
}

/* The second half over the first: 2 for a drift, about 1 for an oscillation; errors that are rounding
 * may add up. */
static double energy_growth(const pair *p)
{
    double half[2];
    energy_deviation(p, long_step(p), p->method->compose > 0 ? 200 : 1500, half);
    return half[1] / (half[0] + 5e-12);
}

static void energy_errors_do_not_grow(void **state)
{
    (void)state;
    check_claim(&(claim){"growth", is_bounded, must_not_grow, energy_growth, 1.5, 5});
}

/* How far the order of the energy error is below the claim. */
static double energy_order_loss(const pair *p)
{
    double coarse[2], fine[2], h = long_step(p) * (p->claims.order < 4 ? 1 : 1.5);
    int steps = p->method->compose > 0 ? 60 : 200;
    energy_deviation(p, h, steps, coarse);
    energy_deviation(p, h / 2, 2 * steps, fine);
    const double error = worst_of(fine[0], fine[1]);
    const double order = log2(worst_of(coarse[0], coarse[1]) / error);
    const bool rounding = error < (is_galerkin(p->method) ? 2e-11 : 1e-12);
    return rounding ? 0 : worst_of(0, p->claims.order - order);
}

static void energy_errors_shrink_with_the_order(void **state)
{
    (void)state;
    check_claim(&(claim){"loss", is_bounded, is_conservative, energy_order_loss, 0.5, 5});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(exact_energies_are_kept_to_rounding),
        RUN(energy_errors_do_not_grow),
        RUN(energy_errors_shrink_with_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
