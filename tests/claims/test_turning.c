/* Bodies that turn and move under a potential, with every value of `rotations` and `poses`: steps that claim to be
 * symmetric are, and compositions have the order they claim. Free bodies are not enough: their steps are the same
 * wherever the chart stands (theory 10.7). */
#include "moving.h"
#include "run/sim.h"
#include "scheme/scheme.h"

enum { MOST = 16, ROTATIONS = 4, MOST_STAGES = 3 };

static const char in_space[] =
    "[bodies.b]\nmass = 1\ninertia = [1, 2, 2.5]\nposition = [0.1, 0.2, 0.3]\n"
    "rotation = [0.3, -0.2, 0.5]\nvelocity = [0.5, 0.2, -0.3]\n"
    "angular_velocity = [0.7, -1.1, 0.4]\n"
    "[energy]\npotential = \"0.5*norm2(b) + 0.4*b.e1[2] + 0.3*b[1]*b.e2[3]\"\n";

/* The kinetic energy couples the angle and the position. */
static const char in_the_plane[] =
    "[bodies.b]\nmass = 1\ninertia = 0.7\nposition = [0.1, 0.2]\nangle = 0.3\n"
    "velocity = [0.5, 0.2]\nangular_velocity = 1.4\n"
    "[energy]\npotential = \"0.5*norm2(b) + 0.4*b.e1[2] + 0.3*b[1]*sin(b.angle)\"\n"
    "kinetic = \"0.4*dot(b', b.e1)^2 + 0.1*b.omega*dot(b', b.e2)\"\n";

/* Distance from the start after a step of h and one of -h. */
static double symmetry_defect(const lv_model *model, const method *m)
{
    double q[MOST], v[MOST];
    lv_error err;
    const int n = lv_model_coordinate_count(model);
    lv_sim *sim = start(model, m, 0.1);
    assert_in_range(n, 1, MOST);
    step_times(sim, 3);
    memcpy(q, lv_sim_position(sim), (size_t)n * sizeof *q);
    memcpy(v, lv_sim_velocity(sim), (size_t)n * sizeof *v);
    step_once(sim);
    if (lv_sim_step_by(sim, -0.1, &err) != LV_OK)
        fail_with(&err);
    const double defect = worst_of(distance(lv_sim_position(sim), q, n),
                                   distance(lv_sim_velocity(sim), v, n));
    lv_sim_free(sim);
    return defect;
}

static void end_at_one(const lv_model *model, const method *m, int steps, double q[MOST])
{
    lv_sim *sim = start(model, m, 1.0 / steps);
    step_times(sim, steps);
    memcpy(q, lv_sim_position(sim), (size_t)lv_model_coordinate_count(model) * sizeof *q);
    lv_sim_free(sim);
}

/* The order seen in three runs, each with half of the step of the one before. Composing a
 * step that is not symmetric loses a whole one. */
static double observed_order(const lv_model *model, const method *m)
{
    double q[3][MOST];
    const int n = lv_model_coordinate_count(model);
    for (int k = 0; k < 3; k++)
        end_at_one(model, m, 12 << k, q[k]);
    return log2(distance(q[0], q[1], n) / distance(q[1], q[2], n));
}

/* Calls `test` on all schemes with an option `rotations`, up to three stages, all rotations and poses; returns how
 * often. Combinations that are refused are left out. */
static int for_all_rotations(const char *text, int compose,
                             void (*test)(const lv_model *model, const method *m))
{
    lv_model *model = read_text(text);
    lv_scheme_info info;
    lv_sim *sim = NULL;
    int count = 0;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        for (int c = 0;
             info.options >> LV_OPTION_POSES & 1 && c < MOST_STAGES * ROTATIONS * 2;
             c++) {
            method m = {info.name, 1 + c / ROTATIONS % MOST_STAGES, compose};
            lv_scheme_option_set(&m.more, LV_OPTION_ROTATIONS, c % ROTATIONS);
            if (c >= MOST_STAGES * ROTATIONS)
                lv_scheme_option_set(&m.more, LV_OPTION_POSES, 1);
            if (try_start(&sim, model, &m, 0.1, NULL) != LV_OK)
                continue;
            lv_sim_free(sim);
            test(model, &m);
            count++;
        }
    lv_model_free(model);
    return count;
}

/* Claims of the method for this model: options without effect do not count. */
static lv_claims claims_for(const lv_model *model, const method *m)
{
    lv_claims claims;
    lv_error err;
    lv_scheme_options options = method_options(m);
    lv_scheme_options_drop(&options, model);
    if (lv_scheme_claims(&claims, m->scheme, &options, &err) != LV_OK)
        fail_with(&err);
    return claims;
}

static void check_symmetry(const lv_model *model, const method *m)
{
    char name[METHOD_NAME];
    const double defect = symmetry_defect(model, m);
    const bool claimed = claims_for(model, m).symmetric;
    print_message("    %-36s %-12s %.1e\n", method_name(m, name, sizeof name),
                  claimed ? "symmetric" : "not claimed", defect);
    if (claimed && !(defect < 1e-13))
        fail_msg("%s claims to be symmetric; a step back misses by %.1e", name, defect);
}

static void steps_that_claim_it_are_symmetric(void **state)
{
    (void)state;
    assert_above(for_all_rotations(in_space, 0, check_symmetry), 20);
    assert_above(for_all_rotations(in_the_plane, 0, check_symmetry), 20);
}

static void check_order(const lv_model *model, const method *m)
{
    char name[METHOD_NAME];
    const double order = observed_order(model, m);
    print_message("    %-36s %.2f\n", method_name(m, name, sizeof name), order);
    if (!(order > claims_for(model, m).order - 0.5))
        fail_msg("%s has order %.2f", name, order);
}

static void compositions_have_the_order_they_claim(void **state)
{
    (void)state;
    assert_above(for_all_rotations(in_space, 4, check_order), 5);
    assert_above(for_all_rotations(in_the_plane, 4, check_order), 5);
}

static void single_steps_have_the_order_they_claim(void **state)
{
    (void)state;
    assert_above(for_all_rotations(in_space, 0, check_order), 20);
    assert_above(for_all_rotations(in_the_plane, 0, check_order), 20);
}

/* A single stage of gauss on a group: symmetric with the exponential map, not with the Cayley map, and the test sees
 * the difference. */
static void check_single_stage(const char *text, bool coupled)
{
    lv_model *model = read_text(text);
    for (int rotations = 1; rotations <= 2; rotations++) {
        method m = {"gauss", 1, 0};
        lv_scheme_option_set(&m.more, LV_OPTION_ROTATIONS, rotations);
        lv_scheme_option_set(&m.more, LV_OPTION_POSES, coupled);
        assert_int_equal(claims_of(&m).symmetric, rotations == 1);
        const double defect = symmetry_defect(model, &m);
        if (rotations == 1)
            assert_below(defect, 1e-13);
        else
            assert_above(defect, 1e-7);
    }
    lv_model_free(model);
}

static void a_single_stage_is_symmetric_with_exp_only(void **state)
{
    (void)state;
    check_single_stage(in_space, false);
    check_single_stage(in_space, true);
    check_single_stage(in_the_plane, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(steps_that_claim_it_are_symmetric),
        RUN(compositions_have_the_order_they_claim),
        RUN(single_steps_have_the_order_they_claim),
        RUN(a_single_stage_is_symmetric_with_exp_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
