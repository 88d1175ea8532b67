/* What is particular about nonholonomic systems: multipliers that are carried from step to step and
 * what they are good for, starts, refusals, large systems. Specification "partitioned Runge-Kutta",
 * 5 and 8. */
#include "../claims/reference_motion.h"
#include "../claims/two_form.h"
#include "rolling.h"

enum { MOST = REFERENCE_MOST };

/* ---- orders ------------------------------------------------------------------------------------- */

typedef struct end {
    double q[MOST], p[MOST], lambda[MOST];
} end;

/* The end of the motion, by a method that knows no multipliers but those of the accelerations. */
static end exact_end(const lv_model *model, double until, int steps)
{
    end e;
    lv_error err;
    reference_motion r;
    double all[MOST];
    lv_sim *sim = start_problem(model, 2, 0.01);
    reference_run(&r, model, sim, until, steps);
    assert_below(reference_state(&r, sim, e.q, e.p), 1e-11);
    if (lv_sim_multipliers(sim, all, &err) != LV_OK)
        fail_with(&err);
    memcpy(e.lambda, all + sim->system->m,
           (size_t)(sim->system->constraint_count - sim->system->m) * sizeof *all);
    reference_done(&r);
    lv_sim_free(sim);
    return e;
}

/* Adds to the first multiplier that is carried: the last one of the step times h^2, or, in the explicit
 * scheme, itself behind one other number. */
static void spoil_multiplier(lv_sim *sim, double wrong)
{
    const lv_memory_view memory = sim->scheme->memory(sim->work);
    const double *carried = sim->scheme->nonholonomic_multipliers(sim->work);
    assert_in_range(carried - memory.numbers, 0, memory.count - 1);
    memory.numbers[carried - memory.numbers] += wrong;
}

/* Errors of (q, p) and of the carried multipliers; `wrong` is added to the first of these after the
 * first step. */
static void errors_at_end(const lv_model *model, const end *e, double until, int stages,
                          int steps, double wrong, double errors[2])
{
    lv_sim *sim = start_problem(model, stages, until / steps);
    int n = sim->system->n, rolling = sim->system->constraint_count - sim->system->m;
    step_once(sim);
    spoil_multiplier(sim, wrong);
    step_times(sim, steps - 1);
    errors[0] = fmax(distance(lv_sim_position(sim), e->q, n),
                     distance(lv_sim_momentum(sim), e->p, n));
    errors[1] =
        distance(sim->scheme->nonholonomic_multipliers(sim->work), e->lambda, rolling);
    lv_sim_free(sim);
}

/* Even numbers of steps: with an even number of stages errors of multipliers alternate. */
static bool carried_orders_hold(const test_system *s)
{
    static const int claim[] = {0, 0, 2, 2, 4, 4};
    char row[200] = "";
    bool good = true;
    lv_model *model = read_text(s->text);
    const end e = exact_end(model, s->until, 4 * s->steps);
    for (int stages = 2; stages <= 5; stages++) {
        double coarse[2], fine[2];
        int steps = (stages < 4 ? 4 : 2) * s->steps; /* rounding is felt over h^2 */
        errors_at_end(model, &e, s->until, stages, steps, 0, coarse);
        errors_at_end(model, &e, s->until, stages, 2 * steps, 0, fine);
        double order = log2(coarse[1] / fine[1]);
        bool kept = fabs(order - claim[stages]) < 0.35;
        size_t used = strlen(row);
        snprintf(row + used, sizeof row - used, " %5.2f%c", order, kept ? ' ' : '!');
        good = good && kept;
    }
    print_message("%-16s%s\n", s->name, row);
    lv_model_free(model);
    return good;
}

static void carried_multipliers_have_their_orders(void **state)
{
    (void)state;
    int broken = 0, count = 0;
    for (int k = 0; k < TEST_SYSTEMS; k++) {
        lv_model *model = read_text(test_systems[k].text);
        bool rolling = is_rolling(model);
        lv_model_free(model);
        count += rolling;
        broken += rolling && !carried_orders_hold(&test_systems[k]);
    }
    assert_true(count >= 8);
    assert_int_equal(broken, 0);
}

/* An error of the multiplier stays, with the sign (-1)^(s-1) in every step, and q and p fall to the
 * orders 2, 2, 4, 4. */
static void an_error_of_the_multiplier_stays_and_costs_order(void **state)
{
    (void)state;
    static const int orders[] = {0, 0, 2, 2, 4, 4};
    lv_model *model = read_text(PARTICLE);
    const end e = exact_end(model, 2, 100);
    for (int stages = 2; stages <= 5; stages++) {
        double coarse[2], fine[2];
        errors_at_end(model, &e, 2, stages, 20, 0.1, coarse);
        errors_at_end(model, &e, 2, stages, 40, 0.1, fine);
        double order = log2(coarse[0] / fine[0]);
        if (!(fabs(order - orders[stages]) < 0.35))
            fail_msg("%d stages: order %.2f", stages, order);
        assert_below(fabs(fine[1] - 0.11), 0.02);
    }
    lv_model_free(model);
}

static void the_error_alternates_with_even_stages(void **state)
{
    (void)state;
    lv_model *model = read_text(PARTICLE);
    for (int stages = 2; stages <= 5; stages++) {
        lv_sim *good = start_problem(model, stages, 0.05),
               *bad = start_problem(model, stages, 0.05);
        step_once(good);
        step_once(bad);
        spoil_multiplier(bad, 0.1);
        for (int k = 1; k < 40; k++) {
            step_once(good);
            step_once(bad);
            double error = carried_lambda(bad) - carried_lambda(good);
            double sign = stages % 2 == 0 && k % 2 == 1 ? -1 : 1;
            assert_true(error * sign > 0.08 && error * sign < 0.2);
        }
        lv_sim_free(good);
        lv_sim_free(bad);
    }
    lv_model_free(model);
}

/* Multipliers that are refreshed in every step keep the order and lose the energy. */
static void multipliers_must_not_be_refreshed(void **state)
{
    (void)state;
    static const double slopes[] = {-2.4e-4, -8.3e-4};
    for (int k = 0; k < 2; k++) {
        lv_model *model = read_problem(&rolling_problems[CVT_HALF_LOW + k]);
        lv_sim *sim = start_problem(model, 2, 0.1);
        double first = energy_now(sim);
        for (int i = 0; i < 2000; i++) {
            sim->scheme->forget(sim->work);
            step_once(sim);
        }
        double slope = (energy_now(sim) - first) / 200;
        assert_below(fabs(slope / slopes[k] - 1), 0.15);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* ---- structure ------------------------------------------------------------------------------------ */

/* A nonholonomic flow keeps no symplectic form, and no scheme should. */
static void the_map_is_not_symplectic(void **state)
{
    (void)state;
    lv_model *model = read_text(COUPLED_LINEAR);
    lv_sim *sim = start_problem(model, 4, 0.2);
    assert_above(two_form_defect(sim, 4e-3), 1e-3);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Two stages, constant mass, linear constraint: explicit (5). */
static void two_stages_are_the_nonholonomic_leapfrog(void **state)
{
    (void)state;
    double q[] = {0.5, 1, 0}, v[] = {1, -0.4, 1}, lambda = -0.45, h = 0.1;
    lv_model *model = read_text(PARTICLE);
    lv_sim *sim = start_problem(model, 2, h);
    step_times(sim, 50);
    for (int k = 0; k < 50; k++) {
        v[0] += h / 2 * (-q[0] - q[1] * lambda);
        v[1] += h / 2 * -q[1];
        v[2] += h / 2 * lambda;
        for (int i = 0; i < 3; i++)
            q[i] += h * v[i];
        v[0] += h / 2 * -q[0];
        v[1] += h / 2 * -q[1];
        lambda = -(v[2] - q[1] * v[0]) / (h / 2 * (1 + q[1] * q[1]));
        v[0] += h / 2 * -q[1] * lambda;
        v[2] += h / 2 * lambda;
    }
    assert_below(distance(lv_sim_position(sim), q, 3), 1e-13);
    assert_below(distance(lv_sim_velocity(sim), v, 3), 1e-13);
    assert_close(carried_lambda(sim), lambda, 1e-12);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* A constraint that is integrable is kept as if it were holonomic: z' = 2 x x' on z = x^2. */
static void integrable_constraints_follow_their_surface(void **state)
{
    (void)state;
    lv_model *model =
        read_text("[coordinates]\nx = { value = 0.3, velocity = 0.5 }\n"
                  "z = { value = 0.09, velocity = 0.3 }\n"
                  "[energy]\nkinetic = \"(x'^2 + z'^2)/2\"\npotential = \"z\"\n"
                  "[constraints.wire]\nnonholonomic = \"z' - 2*x*x'\"\n");
    double last = 0;
    for (int k = 0; k < 2; k++) {
        lv_sim *sim = start_problem(model, 4, 0.1 / (1 << k));
        step_times(sim, 40 << k);
        double x = lv_sim_position(sim)[0], off = fabs(lv_sim_position(sim)[1] - x * x);
        assert_true(off < 1e-6 && (k == 0 || log2(last / off) > 5.5));
        last = off;
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* ---- starts and refusals --------------------------------------------------------------------------- */

#define SKATE                                                                            \
    "[coordinates]\nx = { value = 0.5, velocity = 1 }\n"                                 \
    "y = { value = 1, velocity = -0.4 }\nz = { value = 0, velocity = 0.5 }\n"            \
    "[energy]\nkinetic = \"(x'^2 + 2*y'^2 + z'^2)/2\"\n[constraints.blade]\n"
#define LINEAR_SKATE SKATE "nonholonomic = \"z' - y*x'\"\n"
#define NONLINEAR_SKATE SKATE "nonholonomic = \"z'^2 - 0.25*(x'^2 + y'^2)\"\n"
#define PROJECTED "[run]\ninitial = \"project\"\n"

/* z' = 0.5, y x' = 1: half of the difference each, for masses that are equal. */
static void inconsistent_velocities_are_refused_and_corrected_ones_offered(void **state)
{
    (void)state;
    lv_sim *sim = NULL;
    lv_error err;
    lv_model *model = read_text(LINEAR_SKATE);
    assert_int_equal(try_start(&sim, model, &(method){"lobatto", 2, 0}, 0.1, &err),
                     LV_ERR_MODEL);
    assert_null(sim);
    assert_string_equal(err.text,
                        "the velocities at the start violate constraint 'blade' by 0.5");
    assert_non_null(strstr(err.note, "x' = 0.75, z' = 0.75"));
    assert_non_null(strstr(err.hint, "initial = \"project\""));
    lv_model_free(model);
}

static void starts_are_projected(void **state)
{
    (void)state;
    lv_model *model = read_text(LINEAR_SKATE PROJECTED);
    lv_sim *sim = start_problem(model, 3, 0.1);
    assert_below(distance(lv_sim_velocity(sim), (double[]){0.75, -0.4, 0.75}, 3), 1e-15);
    step_once(sim);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Onto the cone, not far, and good enough to go on from. */
static void starts_are_projected_onto_constraints_that_are_not_linear(void **state)
{
    (void)state;
    double g, rate;
    lv_model *model = read_text(NONLINEAR_SKATE PROJECTED);
    lv_sim *sim = start_problem(model, 4, 0.1);
    const double *v = lv_sim_velocity(sim);
    assert_below(fabs(v[2] * v[2] - 0.25 * (v[0] * v[0] + v[1] * v[1])), 1e-15);
    assert_true(fabs(v[0] - 1) < 0.2 && fabs(v[1] + 0.4) < 0.2 && fabs(v[2] - 0.5) < 0.2);
    for (int k = 0; k < 20; k++) {
        step_once(sim);
        lv_sim_residuals(sim, &g, &rate);
        assert_below(rate, 1e-14);
    }
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Whoever refuses names a scheme that takes it. */
static void other_schemes_refuse_with_a_scheme_that_does_not(void **state)
{
    (void)state;
    lv_scheme_info info;
    lv_model *model = read_text(PARTICLE);
    for (int k = 0; lv_scheme_describe(k, &info); k++) {
        lv_sim *sim = NULL;
        lv_error err;
        const method m = {info.name, info.default_stages, 0};
        lv_status status = try_start(&sim, model, &m, 0.1, &err);
        lv_sim_free(sim);
        if (status == LV_OK)
            assert_true(info.nonholonomic);
        else if (status != LV_ERR_MODEL || info.nonholonomic ||
                 (strcmp(info.name, "bs99") != 0 &&
                  (!strstr(err.text, "nonholonomic") ||
                   strcmp(err.hint, "use rattle, verlet or lobatto") != 0)))
            fail_msg("%s: %s; %s", info.name, err.text, err.hint);
    }
    lv_model_free(model);
}

static void compositions_are_refused(void **state)
{
    (void)state;
    lv_sim *sim = NULL;
    lv_error err;
    lv_model *model = read_text(PARTICLE);
    assert_int_equal(try_start(&sim, model, &(method){"lobatto", 2, 4}, 0.1, &err),
                     LV_ERR_MODEL);
    assert_non_null(strstr(err.text, "gains no order by composition"));
    assert_string_equal(err.hint, "use lobatto with more stages");
    lv_model_free(model);
}

/* ---- large systems ----------------------------------------------------------------------------------- */

/* A train of skates with springs between them: band after band of unknowns. */
#define TRAIN                                                                            \
    "[parameters]\nN = 50\n"                                                             \
    "[coordinates]\n"                                                                    \
    "x = { count = \"N\", value = \"i\", velocity = \"cos(0.1*i)\" }\n"                  \
    "y = { count = \"N\", value = \"0.1*sin(i)\", velocity = \"sin(0.1*i)\" }\n"         \
    "a = { count = \"N\", value = \"0.1*i\", velocity = \"0.2*cos(i)\" }\n"              \
    "[energy.skate]\nfor = \"i = 1..N\"\n"                                               \
    "kinetic = \"(x_i'^2 + y_i'^2 + 0.3*a_i'^2)/2\"\n"                                   \
    "[energy.spring]\nfor = \"i = 2..N\"\n"                                              \
    "potential = \"(x_i - x_{i-1} - 1)^2 + (y_i - y_{i-1})^2 + 0.1*(a_i - "              \
    "a_{i-1})^2\"\n"                                                                     \
    "[constraints.edge]\nfor = \"i = 1..N\"\n"                                           \
    "nonholonomic = \"sin(a_i)*x_i' - cos(a_i)*y_i'\"\n"

static void a_train_of_skates_keeps_its_constraints(void **state)
{
    (void)state;
    lv_model *model = read_text(TRAIN);
    double drift[2] = {0};
    for (int stages = 2; stages <= 3; stages++) {
        lv_sim *sim = start_problem(model, stages, 0.05);
        double first = energy_now(sim), g, rate;
        assert_int_equal(lv_sim_constraint_count(sim), 50);
        for (int k = 0; k < 100; k++) {
            step_once(sim);
            lv_sim_residuals(sim, &g, &rate);
            assert_below(rate, 1e-13);
            drift[stages - 2] = fmax(drift[stages - 2], fabs(energy_now(sim) - first));
        }
        assert_true(lv_sim_iterations(sim) < 8);
        lv_sim_free(sim);
    }
    print_message("energy: %.1e %.1e\n", drift[0], drift[1]);
    assert_true(drift[0] < 5e-3 && drift[1] < 1e-7);
    lv_model_free(model);
}

/* The first skates of a long train feel nothing of its end before a wave could have come: they move as
 * those of a shorter one, whose equations are solved by other means. */
static void a_short_train_moves_alike(void **state)
{
    (void)state;
    const lv_setting few = {"N", "6"};
    lv_model *train = read_text(TRAIN), *shorter = read_with(TRAIN, &few, 1);
    lv_sim *sim = start_problem(train, 3, 0.01), *other = start_problem(shorter, 3, 0.01);
    step_times(sim, 5);
    step_times(other, 5);
    assert_below(distance(lv_sim_position(sim), lv_sim_position(other), 3), 1e-10);
    lv_sim_free(sim);
    lv_sim_free(other);
    lv_model_free(train);
    lv_model_free(shorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(carried_multipliers_have_their_orders),
        RUN(an_error_of_the_multiplier_stays_and_costs_order),
        RUN(the_error_alternates_with_even_stages),
        RUN(multipliers_must_not_be_refreshed),
        RUN(the_map_is_not_symplectic),
        RUN(two_stages_are_the_nonholonomic_leapfrog),
        RUN(integrable_constraints_follow_their_surface),
        RUN(inconsistent_velocities_are_refused_and_corrected_ones_offered),
        RUN(starts_are_projected),
        RUN(starts_are_projected_onto_constraints_that_are_not_linear),
        RUN(other_schemes_refuse_with_a_scheme_that_does_not),
        RUN(compositions_are_refused),
        RUN(a_train_of_skates_keeps_its_constraints),
        RUN(a_short_train_moves_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
