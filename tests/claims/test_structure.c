/* What schemes keep: the symplectic form, reversibility, momenta, constraints. */
#include "momenta.h"
#include "pairs.h"
#include "two_form.h"

enum { MOST = 16 };

/* ---- the symplectic form ------------------------------------------------------------------- */

static bool is_symplectic(const lv_claims *claims)
{
    return claims->symplectic;
}

static bool has_symplectic_flow(const pair *p)
{
    return p->system->hamiltonian && !begins_with_kick(p->method);
}

static double symplectic_defect(const pair *p)
{
    lv_sim *sim = start(p->model, p->method, 2 * p->system->long_step);
    double worst = two_form_defect(sim, 4e-3);
    lv_sim_free(sim);
    return worst;
}

/* The same by the derivative of a step, which is exact; schemes that have none by differences, whose limit is larger. */
static double exact_defect(const pair *p)
{
    if (!lv_scheme_find(p->method->scheme)->tangent)
        return 1e-2 * symplectic_defect(p);
    lv_sim *sim = start(p->model, p->method, 2 * p->system->long_step);
    step_once(sim);
    const double worst = exact_two_form_defect(sim);
    lv_sim_free(sim);
    return worst;
}

static void the_symplectic_form_is_kept_exactly(void **state)
{
    (void)state;
    check_claim(
        &(claim){"exact", is_symplectic, has_symplectic_flow, exact_defect, 1e-12, 3});
}

static void the_symplectic_form_is_kept(void **state)
{
    (void)state;
    check_claim(&(claim){"two-form", is_symplectic, has_symplectic_flow,
                         symplectic_defect, 1e-10, 12});
}

/* The measure can fail: with a force it does. */
static void the_symplectic_form_is_not_kept_under_friction(void **state)
{
    (void)state;
    test_system damped = {
        .text = DRIVEN_PENDULUM, .long_step = 0.05, .hamiltonian = true};
    const method m = {"lobatto", 3, 0};
    lv_model *model = read_text(damped.text);
    const pair p = {&m, &damped, model, claims_of(&m)};
    assert_above(symplectic_defect(&p), 1e-4);
    lv_model_free(model);
}

/* ---- symmetry in time ---------------------------------------------------------------------- */

/* A step from (q, v), then one from (q, -v); `back` is minus the velocity then. false: the scheme
 * has momenta of its own, which a state of q and v does not hold. */
static bool goes_back(lv_sim *sim, const double *q, const double *v, double *back)
{
    double p[MOST];
    int n = sim->system->n;
    move_to(sim, 0, q, v);
    step_once(sim);
    memcpy(p, lv_sim_momentum(sim), (size_t)n * sizeof *p);
    for (int k = 0; k < n; k++)
        back[k] = -lv_sim_velocity(sim)[k];
    move_to(sim, 0, lv_sim_position(sim), back);
    for (int k = 0; k < n; k++)
        p[k] += lv_sim_momentum(sim)[k];
    step_once(sim);
    for (int k = 0; k < n; k++)
        back[k] = -lv_sim_velocity(sim)[k];
    return largest(p, n) < 1e-12;
}

/* Multipliers that are carried, where there are; returns how many. */
static int carried_multipliers(lv_sim *sim, double *lambda)
{
    const double *carried = sim->scheme->nonholonomic_multipliers
                                ? sim->scheme->nonholonomic_multipliers(sim->work)
                                : NULL;
    int count = carried ? sim->system->constraint_count - sim->system->m : 0;
    for (int k = 0; k < count; k++)
        lambda[k] = carried[k];
    return count;
}

static bool is_symmetric(const lv_claims *claims)
{
    return claims->symmetric;
}

/* Distance from the start after a step of h and one of -h, and where that is the same motion,
 * after a step of h, (q, -v), and a step of h. Multipliers that are carried are a part of the state;
 * rounding of positions is felt in them over h^2, and more so the more stages there are. */
static double symmetry_defect(const pair *p)
{
    double q[MOST], v[MOST], back[MOST], lambda[MOST], again[MOST];
    lv_error err;
    lv_sim *sim = start(p->model, p->method, 2 * p->system->long_step);
    int n = sim->system->n;
    step_times(sim, 3);
    int count = carried_multipliers(sim, lambda);
    memcpy(q, lv_sim_position(sim), (size_t)n * sizeof *q);
    memcpy(v, lv_sim_velocity(sim), (size_t)n * sizeof *v);
    step_once(sim);
    if (lv_sim_step_by(sim, -sim->h, &err) != LV_OK)
        fail_with(&err);
    double worst = worst_of(distance(lv_sim_position(sim), q, n),
                            distance(lv_sim_velocity(sim), v, n));
    (void)carried_multipliers(sim, again);
    if (p->method->stages <= 5)
        worst = worst_of(worst, sim->h * sim->h * distance(again, lambda, count));

    if (p->system->reversible && goes_back(sim, q, v, back))
        worst = worst_of(
            worst, worst_of(distance(lv_sim_position(sim), q, n), distance(back, v, n)));
    lv_sim_free(sim);
    return worst / fmax(1, largest(v, n));
}

static void a_step_back_undoes_a_step(void **state)
{
    (void)state;
    check_claim(&(claim){"symmetry", is_symmetric, NULL, symmetry_defect, 1e-12, 12});
}

/* ---- many steps ------------------------------------------------------------------------------ */

/* Does the scheme say of every momentum map of the system that it keeps it? */
static bool says_it_keeps(const pair *p, int count)
{
    bool kept[MOST] = {false}, all = true;
    lv_error err;
    const lv_scheme_options options = method_options(p->method);
    if (lv_model_kept_momenta(p->model, p->method->scheme, &options, kept, count, &err) !=
        LV_OK)
        fail_with(&err);
    for (int k = 0; k < count; k++)
        all = all && kept[k];
    return all;
}

static bool keeps_momenta(const lv_claims *claims)
{
    return claims->momentum == LV_KEPT_EXACT;
}

static bool has_symmetries(const pair *p)
{
    return p->system->symmetries > 0;
}

/* Largest change of a momentum map, relative to the size of the products that make it. Infinite where the scheme
 * says that it does not keep one. */
static double momentum_change(const pair *p)
{
    double first[MOST], now[MOST], worst = 0, size = 1;
    lv_sim *sim = start(p->model, p->method, p->system->long_step);
    int count = lv_system_map_count(sim->system), n = sim->system->n;
    assert_in_range(count, p->system->symmetries, MOST);
    lv_system_momentum_maps(sim->system, first, 0, sim->state.q, sim->state.p);
    for (int k = 0; k < step_count(p, 1); k++) {
        step_once(sim);
        lv_system_momentum_maps(sim->system, now, sim->state.t, sim->state.q,
                                sim->state.p);
        worst = worst_of(worst, distance(now, first, count));
        size = worst_of(size, n * largest(sim->state.q, n) * largest(sim->state.p, n));
    }
    lv_sim_free(sim);
    return says_it_keeps(p, count) ? worst / size : (double)INFINITY;
}

static void momenta_are_kept_to_rounding(void **state)
{
    (void)state;
    check_claim(
        &(claim){"momenta", keeps_momenta, has_symmetries, momentum_change, 1e-12, 5});
}

static bool bounds_momenta(const lv_claims *claims)
{
    return claims->momentum == LV_KEPT_BOUNDED;
}

static bool is_symmetric_and_regular(const pair *p)
{
    return has_symmetries(p) && p->system->regular;
}

/* The largest change of a momentum map in the second half of a run over that in the first half: 2 for a drift,
 * about 1 for an oscillation. Rounding may add up. */
static double momentum_growth(const pair *p)
{
    enum { STEPS = 2000 };
    double first[MOST], now[MOST], half[2] = {0, 0};
    lv_sim *sim = start(p->model, p->method, long_step(p));
    const int count = lv_system_map_count(sim->system);
    lv_system_momentum_maps(sim->system, first, 0, sim->state.q, sim->state.p);
    for (int k = 0; k < STEPS; k++) {
        step_once(sim);
        lv_system_momentum_maps(sim->system, now, sim->state.t, sim->state.q,
                                sim->state.p);
        half[2 * k / STEPS] = worst_of(half[2 * k / STEPS], distance(now, first, count));
    }
    lv_sim_free(sim);
    return half[1] / (half[0] + 5e-12);
}

static void bounded_momenta_do_not_drift(void **state)
{
    (void)state;
    check_claim(&(claim){"momentum growth", bounds_momenta, is_symmetric_and_regular,
                         momentum_growth, 1.5, 5});
}

static bool keeps_constraints(const lv_claims *claims)
{
    return claims->position == LV_KEPT_EXACT || claims->velocity == LV_KEPT_EXACT;
}

static bool is_constrained(const pair *p)
{
    return (p->system->traits & (LV_TRAIT_HOLONOMIC | LV_TRAIT_NONHOLONOMIC)) != 0;
}

/* Largest |g|, |G v + g_t| and |Phi| at the nodes, as far as they are claimed. Other schemes than the
 * partitioned ones are allowed ten times as much. */
static double constraint_residual(const pair *p)
{
    bool exact = p->claims.position == LV_KEPT_EXACT;
    bool rates = p->claims.velocity == LV_KEPT_EXACT;
    double worst = 0;
    lv_sim *sim = start(p->model, p->method, p->system->long_step);
    for (int k = 0; k < step_count(p, 4); k++) {
        step_once(sim);
        lv_watch w = watch_momenta(sim);
        worst = worst_of(worst, exact ? w.position : 0);
        worst = worst_of(worst, rates ? worst_of(w.velocity, w.rolling) : 0);
    }
    lv_sim_free(sim);
    return is_partitioned(p->method->scheme) ? worst : worst / 10;
}

static void constraints_hold_to_rounding_at_the_nodes(void **state)
{
    (void)state;
    check_claim(&(claim){"residual", keeps_constraints, is_constrained,
                         constraint_residual, 1e-13, 12});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_symplectic_form_is_kept),
        RUN(the_symplectic_form_is_kept_exactly),
        RUN(the_symplectic_form_is_not_kept_under_friction),
        RUN(a_step_back_undoes_a_step),
        RUN(momenta_are_kept_to_rounding),
        RUN(bounded_momenta_do_not_drift),
        RUN(constraints_hold_to_rounding_at_the_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
