/* Constraints that depend on others, with every scheme: as long as they agree they change nothing, and a step
 * in which they cease to do so fails and names them. */
#include "../claims/moving.h"
#include "run/sim.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>

/* ---- contradictions ----------------------------------------------------------------------- */

#define PENDULUM                                                                         \
    "[coordinates]\nx = { value = [1, 0], velocity = [0, 0] }\n"                         \
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"9.81*x[2]\"\n"                   \
    "[constraints]\nrod = { holonomic = \"norm2(x) - 1\" }\n"

static void assert_said_by(const char *text, const char *part, const char *who)
{
    if (!strstr(text, part))
        fail_msg("%s: '%s' does not say '%s'", who, text, part);
}

/* Steps until one fails; the state must be that of the last good one. */
static int steps_before_failure(const lv_model *model, const method *m, lv_error *err)
{
    double kept[6];
    lv_sim *sim = NULL;
    if (try_start(&sim, model, m, 0.01, err) != LV_OK)
        return -1;
    const size_t bytes = (size_t)lv_model_coordinate_count(model) * sizeof *kept;
    lv_status status = LV_OK;
    int steps = -1;
    for (; steps < 100 && status == LV_OK; steps++) {
        memcpy(kept, lv_sim_position(sim), bytes);
        memcpy(kept + 2, lv_sim_velocity(sim), bytes);
        memcpy(kept + 4, lv_sim_momentum(sim), bytes);
        status = lv_sim_step(sim, err);
    }
    if (status == LV_OK)
        fail_msg("%s goes on", m->scheme);
    assert_int_equal(status, LV_ERR_NUMERIC);
    assert_memory_equal(kept, lv_sim_position(sim), bytes);
    assert_memory_equal(kept + 2, lv_sim_velocity(sim), bytes);
    assert_memory_equal(kept + 4, lv_sim_momentum(sim), bytes);
    assert_int_equal(lv_sim_step(sim, NULL), status);
    lv_sim_free(sim);
    return steps;
}

static void check_contradiction(const char *text, int expected)
{
    method list[MOST_METHODS];
    const int count = list_methods(list, 4);
    int tried = 0;
    lv_model *model = read_text(text);
    for (int k = 0; k < count; k++) {
        char name[METHOD_NAME];
        lv_error err;
        int steps = steps_before_failure(model, &list[k], &err);
        if (steps < 0)
            continue; /* not for this model */
        method_name(&list[k], name, sizeof name);
        assert_said_by(err.text, "constraints 'rod' and 'again' contradict each other",
                       name);
        assert_said_by(err.note, "'again'", name);
        /* Composed steps look ahead and back. */
        if (list[k].compose == 0 ? steps != expected : abs(steps - expected) > 1)
            fail_msg("%s: %d steps", name, steps);
        tried++;
    }
    print_message("    %d methods\n", tried);
    assert_in_range(tried, 40, MOST_METHODS);
    lv_model_free(model);
}

/* They agree until t = 0.5. */
static void constraints_that_part_ways_stop_the_run(void **state)
{
    (void)state;
    check_contradiction(
        PENDULUM "again = { holonomic = \"2*norm2(x) - 2 - max(0, t - 0.5)^2\" }\n", 50);
}

/* The same where gradients are parallel on the circle only. */
static void so_do_those_that_depend_on_each_other_only_where_they_hold(void **state)
{
    (void)state;
    check_contradiction(
        PENDULUM
        "again = { holonomic = \"(norm2(x) - 1)*(2 + x[1]) - max(0, t - 0.5)^2\" }\n",
        50);
}

static void nonholonomic_constraints_part_ways_alike(void **state)
{
    static const method methods[] = {
        {"rattle", 2, 0}, {"lobatto", 3, 0}, {"lobatto", 4, 0}};
    (void)state;
    lv_model *model = read_text(
        "[coordinates]\nx = { value = [1, 0], velocity = [1, 1] }\n"
        "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"9.81*x[2]\"\n[constraints]\n"
        "rod = { nonholonomic = \"x[1]' - x[2]'\" }\n"
        "again = { nonholonomic = \"2*x[1]' - 2*x[2]' + max(0, t - 0.5)^2\" }\n");
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        lv_error err;
        assert_int_equal(steps_before_failure(model, &methods[k], &err), 50);
        assert_said_by(err.text, "constraints 'rod' and 'again' contradict each other",
                       methods[k].scheme);
    }
    lv_model_free(model);
}

/* ---- agreement ------------------------------------------------------------------------------ */

/* Largest difference of positions between two models, at the end of the run. */
static double difference(const lv_model *a, const lv_model *b, const method *m)
{
    lv_sim *one = start(a, m, 0.01), *other = start(b, m, 0.01);
    double most = 0;
    for (int k = 0; k < 200; k++) {
        step_once(one);
        step_once(other);
    }
    for (int i = 0; i < lv_model_coordinate_count(a); i++)
        most = fmax(most, fabs(lv_sim_position(one)[i] - lv_sim_position(other)[i]));
    lv_sim_free(one);
    lv_sim_free(other);
    return most;
}

/* Schemes that ask for constraints between the nodes, where dependent ones differ, do not ask the same of
 * different ones: within their own error. */
static bool looks_between_nodes(const char *scheme)
{
    static const char *const names[] = {"ansatz", "vi-a", "vi-b", "vi-b2", "vi-s"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(scheme, names[k]) == 0)
            return true;
    return false;
}

static void check_no_change(const char *independent, const char *dependent,
                            double between)
{
    method list[MOST_METHODS];
    const int count = list_methods(list, 4);
    int tried = 0;
    double worst = 0;
    lv_model *a = read_text(independent), *b = read_text(dependent);
    for (int k = 0; k < count; k++) {
        char name[METHOD_NAME];
        lv_sim *sim = NULL;
        lv_error err;
        if (try_start(&sim, a, &list[k], 0.01, &err) != LV_OK)
            continue;
        lv_sim_free(sim);
        double most = difference(a, b, &list[k]);
        if (!(most <= (looks_between_nodes(list[k].scheme) ? between : 1e-11)))
            fail_msg("%s: %.1e", method_name(&list[k], name, sizeof name), most);
        worst = fmax(worst, most);
        tried++;
    }
    print_message("    %d methods, at most %.1e\n", tried, worst);
    assert_in_range(tried, 40, MOST_METHODS);
    lv_model_free(a);
    lv_model_free(b);
}

/* Gradients are parallel on the circle only; at x[1] = 0 that of `again` vanishes. */
static void a_multiple_of_a_constraint_changes_nothing(void **state)
{
    (void)state;
    check_no_change(PENDULUM,
                    PENDULUM "again = { holonomic = \"(norm2(x) - 1)*x[1]\" }\n", 1e-4);
}

/* A plate on two parallel cranks; a third one follows from these, but not where they are violated. */
#define PLATE                                                                            \
    "[coordinates]\na = { value = [0.6, -0.8] }\nb = { value = [2.6, -0.8] }\n"          \
    "c = { value = [1.6, -0.3] }\n"                                                      \
    "[energy]\nkinetic = \"norm2(a')/2 + norm2(b')/2 + norm2(c')\"\n"                    \
    "potential = \"9.81*(a[2] + b[2] + c[2])\"\n[constraints]\n"                         \
    "A = { holonomic = \"norm2(a) - 1\" }\n"                                             \
    "B = { holonomic = \"norm2(b - [2, 0]) - 1\" }\n"                                    \
    "ab = { holonomic = \"norm2(a - b) - 4\" }\n"                                        \
    "bc = { holonomic = \"norm2(b - c) - 1.25\" }\n"                                     \
    "ac = { holonomic = \"norm2(a - c) - 1.25\" }\n"
#define THIRD_CRANK "C = { holonomic = \"norm2(c - [1, 0.5]) - 1\" }\n"

static void a_third_crank_changes_nothing(void **state)
{
    (void)state;
    check_no_change(PLATE, PLATE THIRD_CRANK, 1e-6);
}

static void a_third_crank_keeps_energy_and_constraints(void **state)
{
    static const method methods[] = {{"rattle", 2, 0}, {"lobatto", 3, 0}, {"em", 1, 0},
                                     {"livens", 1, 0}, {"em-g", 1, 0},    {"vi-b", 1, 0},
                                     {"vi-b2", 1, 0},  {"vi-s", 1, 0},    {"vi-a", 1, 0}};
    (void)state;
    lv_model *model = read_text(PLATE THIRD_CRANK);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        const lv_claims claims = claims_of(&methods[k]);
        lv_sim *sim = start(model, &methods[k], 0.01);
        double g = 0, hidden = 0, energy = lv_sim_energies(sim).total, drift = 0;
        int iterations = 0;
        for (int s = 0; s < 1000; s++) {
            double position, velocity;
            step_once(sim);
            lv_sim_residuals(sim, &position, &velocity);
            g = fmax(g, position);
            hidden = fmax(hidden, velocity);
            drift = fmax(drift, fabs(lv_sim_energies(sim).total - energy));
            iterations += lv_sim_iterations(sim);
        }
        print_message("    %-8s |g| %.1e, |dg/dt| %.1e, energy %.1e, %.2f iterations\n",
                      methods[k].scheme, g, hidden, drift, iterations / 1000.0);
        assert_at_most(g, (claims.position == LV_KEPT_EXACT ? 1e-13 : 1e-3));
        if (claims.velocity == LV_KEPT_EXACT)
            assert_at_most(hidden, 1e-12);
        assert_at_most(drift, (claims.energy == LV_KEPT_EXACT ? 1e-12 * 25 : 0.1));
        assert_true(iterations <= 4000);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* ---- large systems --------------------------------------------------------------------------- */

#define CHAIN                                                                            \
    "[particles.b]\ncount = 240\nmass = 1\nposition = [\"i\", 0, 0]\n"                   \
    "[gravity]\nacceleration = [0, 0.3, -9.81]\n"                                        \
    "[rods.first]\nbetween = [[0, 0, 0], \"b_1\"]\n"                                     \
    "[rods.r]\nfor = \"i = 2..240\"\nbetween = [\"b_{i-1}\", \"b_i\"]\n"
#define DAMPED "[forces.air]\nfor = \"i = 1..240\"\non = \"b_i\"\nforce = \"-0.1*b_i'\"\n"
#define TWICE                                                                            \
    "[constraints]\ntwice = { holonomic = \"norm2(b_3 - b_2) - 1\" }\n"                  \
    "scaled = { holonomic = \"1e3*norm2(b_140 - b_139) - 1e3\" }\n"                      \
    "end = { holonomic = \"2*norm2(b_1) - 2\" }\n"

/* More unknowns than dense factors would be allowed, or worth. */
static void compare_chains(const char *free, const char *bound, const method *methods,
                           int count)
{
    lv_model *a = read_text(free), *b = read_text(bound);
    for (int k = 0; k < count; k++) {
        lv_sim *one = start(a, &methods[k], 0.01), *other = start(b, &methods[k], 0.01);
        double most = 0;
        for (int step = 0; step < 12; step++) {
            step_once(one);
            step_once(other);
        }
        for (int i = 0; i < lv_model_coordinate_count(a); i++)
            most = fmax(most, fabs(lv_sim_position(one)[i] - lv_sim_position(other)[i]));
        print_message("    %-8s %.1e\n", methods[k].scheme, most);
        assert_at_most(most, 1e-10);
        lv_sim_free(one);
        lv_sim_free(other);
    }
    lv_model_free(a);
    lv_model_free(b);
}

static const method for_chains[] = {{"rattle", 2, 0}, {"lobatto", 3, 0}, {"ansatz", 0, 0},
                                    {"em", 1, 0},     {"livens", 1, 0},  {"em-g", 1, 0},
                                    {"vi-b", 1, 0},   {"vi-b2", 1, 0},   {"vi-s", 1, 0},
                                    {"vi-a", 1, 0}};
enum { FOR_CHAINS = sizeof for_chains / sizeof *for_chains };

static void doubled_rods_of_long_chains_change_nothing(void **state)
{
    (void)state;
    compare_chains(CHAIN, CHAIN TWICE, for_chains, FOR_CHAINS);
}

static void nor_do_they_with_forces_of_velocities(void **state)
{
    (void)state;
    compare_chains(CHAIN DAMPED, CHAIN DAMPED TWICE, for_chains, 3);
}

/* Which constraints depend on others stays as it is along these motions: it is found once. */
static void dependence_is_found_once(void **state)
{
    static const char *const texts[] = {CHAIN TWICE, PLATE THIRD_CRANK};
    (void)state;
    for (int t = 0; t < 2; t++) {
        lv_model *model = read_text(texts[t]);
        for (int k = 0; k < FOR_CHAINS; k++) {
            lv_sim *sim = start(model, &for_chains[k], 1e-3);
            for (int step = 0; step < 4; step++)
                step_once(sim);
            const int before = lv_dependence_looks(sim->system->dependence);
            for (int step = 0; step < 30; step++)
                step_once(sim);
            const int looks = lv_dependence_looks(sim->system->dependence) - before;
            print_message("    %-8s %d more\n", for_chains[k].scheme, looks);
            assert_at_most(looks, 3);
            lv_sim_free(sim);
        }
        lv_model_free(model);
    }
}

static void contradictions_in_long_chains_are_named(void **state)
{
    (void)state;
    lv_model *model = read_text(
        CHAIN TWICE "odd = { holonomic = \"norm2(b_201 - b_200) - 1 - max(0, t - "
                    "0.02)^2\" }\n");
    for (int k = 0; k < FOR_CHAINS; k++) {
        lv_error err = {0};
        lv_status status = LV_OK;
        lv_sim *sim = start(model, &for_chains[k], 0.01);
        for (int step = 0; step < 5 && status == LV_OK; step++)
            status = lv_sim_step(sim, &err);
        assert_int_equal(status, LV_ERR_NUMERIC);
        assert_said_by(err.text,
                       "constraints 'r (i = 201)' and 'odd' contradict each other",
                       for_chains[k].scheme);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(constraints_that_part_ways_stop_the_run),
        RUN(so_do_those_that_depend_on_each_other_only_where_they_hold),
        RUN(nonholonomic_constraints_part_ways_alike),
        RUN(a_multiple_of_a_constraint_changes_nothing),
        RUN(a_third_crank_changes_nothing),
        RUN(a_third_crank_keeps_energy_and_constraints),
        RUN(doubled_rods_of_long_chains_change_nothing),
        RUN(nor_do_they_with_forces_of_velocities),
        RUN(dependence_is_found_once),
        RUN(contradictions_in_long_chains_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
