/* The scheme for the heavy top: published digits, what it keeps, what it takes and refuses. */
#include "../claims/two_form.h"
#include "deny.h"
#include "watching.h"

enum { N = 12, AXIS = 9 };

static const method bs99 = {"bs99", 1, 0};

/* The steady top with a passage of its text replaced. */
static lv_model *edited(const char *old, const char *new)
{
    char text[8000];
    const char *source = lv_shipped_text("steady-top"), *at = strstr(source, old);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - source), source, new,
             at + strlen(old));
    return read_text(text);
}

static void check_vector(const double *x, const double expected[3], double tolerance)
{
    for (int i = 0; i < 3; i++)
        assert_close(x[i], expected[i], tolerance);
}

/* ---- digits --------------------------------------------------------------------------------- */

static void check_top(const lv_sim *sim, const double axis[3], const double m[3])
{
    double now[6];
    momenta_of(sim, now);
    check_vector(lv_sim_position(sim) + AXIS, axis, 2e-12);
    check_vector(now + 3, m, 2e-13);
}

static void the_axis_moves_as_published(void **state)
{
    (void)state;
    lv_model *model = read_shipped("steady-top", NULL, NULL);
    lv_sim *sim = start(model, &bs99, 0.002);
    check_top(sim, (const double[]){0, -sqrt(0.75), 0.5},
              (const double[]){0, -0.04503947227544, 0.07106577106731});
    step_times(sim, 10);
    check_top(sim, (const double[]){0.1723618539054, -0.8497103875663, 0.4982806925622},
              (const double[]){0.008961211825635, -0.04423029368452, 0.07106577106731});
    step_times(sim, 990);
    check_top(sim, (const double[]){0.795528126162, -0.3454248610807, 0.4978118779545},
              (const double[]){0.04106507371027, -0.01879542365359, 0.07106577106731});
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Relative errors of the height and of the momentum of the centre of mass at t = 0.001; exact is a
 * rotation about e3. */
static void errors_are_as_tabulated(void **state)
{
    (void)state;
    static const double height[] = {8.656e-6, 4.328e-6, 2.164e-6, 1.082e-6};
    static const double momentum[] = {6.660e-6, 3.330e-6, 1.665e-6, 8.325e-7};
    lv_model *model = read_shipped("steady-top", NULL, NULL);
    for (int k = 0; k < 4; k++) {
        lv_sim *sim = start(model, &bs99, 1e-4 / (1 << k));
        const double speed = lv_sim_momentum(sim)[0];
        const double exact[] = {speed * cos(0.01), speed * sin(0.01), 0};
        step_times(sim, 10L << k);
        double off = fabs(lv_sim_position(sim)[2] - 0.0375) / 0.0375;
        assert_at_most(fabs(off - height[k]), 6e-4 * height[k]);
        off = relative_error(lv_sim_momentum(sim), exact, 3);
        assert_at_most(fabs(off - momentum[k]), 6e-4 * momentum[k]);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* ---- what is kept --------------------------------------------------------------------------------- */

static double modified_energy(lv_sim *sim)
{
    return sim->scheme->invariant(sim->work, &sim->state, sim->h);
}

static void heights_and_energies_stay_in_their_ranges(void **state)
{
    (void)state;
    lv_model *model = read_shipped("steady-top", NULL, NULL);
    lv_sim *sim = start(model, &bs99, 0.002);
    extremes x = watch(sim, 1000);
    assert_at_most(fabs(x.low - 0.036900188), 6e-10);
    assert_at_most(fabs(x.high - 0.038096440), 6e-10);
    assert_true(x.most - x.least > 8e-5 && x.most - x.least < 2e-4);
    assert_true(x.position < 1e-14 && x.hidden < 1e-12);
    assert_below(x.vertical, 2e-15);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Also with a body whose moments of inertia differ, and with directors of the other hand. */
static void check_invariants(lv_model *model)
{
    lv_sim *sim = start(model, &bs99, 0.002);
    double momenta[6], worst = 0, spin_change = 0;
    momenta_of(sim, momenta);
    const double *axis = lv_sim_position(sim) + AXIS;
    double first = modified_energy(sim);
    double spin = momenta[3] * axis[0] + momenta[4] * axis[1] + momenta[5] * axis[2];
    for (int k = 0; k < 3000; k++) {
        step_once(sim);
        momenta_of(sim, momenta);
        double now = momenta[3] * axis[0] + momenta[4] * axis[1] + momenta[5] * axis[2];
        spin_change = fmax(spin_change, fabs(now - spin));
        worst = fmax(worst, fabs(modified_energy(sim) - first));
    }
    assert_below(worst, 1e-12 * fabs(first));
    assert_below(spin_change, 1e-13 * fabs(spin));
    lv_sim_free(sim);
    lv_model_free(model);
}

static void the_modified_energy_and_the_spin_are_kept(void **state)
{
    (void)state;
    check_invariants(read_shipped("steady-top", NULL, NULL));
    check_invariants(read_shipped("steady-top", "I3", "4e-4"));
    check_invariants(
        edited("d2 = { value = [0, \"c\", \"s\"], velocity = \"cross(w, [0, c, s])\" }",
               "d2 = { value = [0, \"-c\", \"-s\"], velocity = \"cross(w, [0, -c, "
               "-s])\" }"));
    check_invariants(edited("m*g*phi[3]", "m*g*(phi[1] - 2*phi[2])"));
}

/* All of the body, not the axis only. */
static void the_symplectic_form_is_kept(void **state)
{
    (void)state;
    lv_model *model = read_shipped("steady-top", "I3", "4e-4");
    lv_sim *sim = start(model, &bs99, 0.005);
    step_times(sim, 3);
    double defect = two_form_defect(sim, 5e-4);
    print_message("    two-form: %.1e\n", defect);
    assert_below(defect, 1e-10);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* All directors approach the motion that another scheme computes, with order 1. */
static void directors_converge(void **state)
{
    (void)state;
    lv_model *model = read_shipped("steady-top", "I3", "4e-4");
    lv_sim *fine = start(model, &(method){"lobatto", 5, 0}, 1e-3);
    double exact[2 * N], end[2 * N], before = 0;
    step_times(fine, 100);
    memcpy(exact, lv_sim_position(fine), N * sizeof *exact);
    memcpy(exact + N, lv_sim_momentum(fine), N * sizeof *exact);
    for (int k = 0; k < 5; k++) {
        end_state(end, model, "bs99", 0.1, 400 << k);
        double now = distance(end, exact, 2 * N);
        if (k > 1)
            assert_below(fabs(log2(before / now) - 1), 0.1);
        before = now;
    }
    assert_below(before, 2e-2);
    lv_sim_free(fine);
    lv_model_free(model);
}

/* ---- what is taken ------------------------------------------------------------------------------------ */

static void refused(lv_model *model, const char *reason)
{
    check_refused(model, "bs99", reason);
    lv_model_free(model);
}

static void other_systems_are_refused_with_the_reason(void **state)
{
    (void)state;
    refused(read_shipped("pendulum3d", NULL, NULL), "twelve coordinates");
    refused(read_shipped("four-particles", NULL, NULL), "twelve coordinates");
    refused(edited("E1/2*(norm2(d1') + norm2(d2'))", "E1/2*(norm2(d1') + 2*norm2(d2'))"),
            "not symmetric about its third director");
    refused(edited("E3/2*norm2(d3')", "E3/2*norm2(d3') + E3*d3'[1]^2"),
            "one number for each vector");
    refused(edited("E3/2*norm2(d3')", "E3/2*norm2(d3') + E3/9*dot(d3', d1')"),
            "not diagonal");
    refused(edited("E3/2*norm2(d3')", "E3/2*(2 + d3[3])*norm2(d3')"),
            "for constant mass matrices");
    refused(edited("m*g*phi[3]\"", "m*g*phi[3]^2\""), "not constant");
    refused(edited("m*g*phi[3]\"", "m*g*phi[3] + m*g*l*d1[3]\""), "on its directors");
    refused(edited("m*g*phi[3]\"", "m*g*phi[3]*(1 + t)\""), "depends on time");
    refused(edited("\"dot(d1, d2)\"", "\"dot(d1, d2) + (d1[1] - 1)/5\""),
            "more than the directors");
    refused(edited("\"dot(d2, d3)\"", "\"(norm2(d2) + norm2(d3) - 2)/2\""),
            "not independent");
    refused(edited("[symmetries.vertical]",
                   "[forces.drag]\non = [\"phi\"]\nforce = [\"-phi'\"]\n\n"
                   "[symmetries.vertical]"),
            "without a potential");
}

/* Constraints written in another way, with other scales, are the same top. */
static void constraints_may_be_written_differently(void **state)
{
    (void)state;
    lv_model *model = edited("\"phi/l - d3\"", "\"100*(phi - l*d3)\"");
    lv_sim *sim = start(model, &bs99, 0.002);
    step_times(sim, 10);
    check_vector(lv_sim_position(sim) + AXIS,
                 (const double[]){0.1723618539054, -0.8497103875663, 0.4982806925622},
                 2e-13);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* What is carried is a copy of what the state says: after it is forgotten the motion goes on. */
static void a_state_of_positions_and_velocities_is_enough(void **state)
{
    (void)state;
    lv_model *model = read_shipped("steady-top", NULL, NULL);
    lv_sim *one = start(model, &bs99, 0.002), *other = start(model, &bs99, 0.002);
    step_times(one, 20);
    move_to(other, 0, lv_sim_position(one), lv_sim_velocity(one));
    step_times(one, 20);
    step_times(other, 20);
    assert_below(distance(lv_sim_position(one), lv_sim_position(other), N), 1e-12);
    lv_sim_free(one);
    lv_sim_free(other);
    lv_model_free(model);
}

static lv_status create_and_free(void *user, lv_error *err)
{
    lv_sim *sim = NULL;
    lv_status status = try_start(&sim, user, &bs99, 0.002, err);
    lv_sim_free(sim);
    return status;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    lv_model *model = read_shipped("steady-top", NULL, NULL);
    lv_deny_sample(create_and_free, model, 100);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_axis_moves_as_published),
        RUN(errors_are_as_tabulated),
        RUN(heights_and_energies_stay_in_their_ranges),
        RUN(the_modified_energy_and_the_spin_are_kept),
        RUN(the_symplectic_form_is_kept),
        RUN(directors_converge),
        RUN(other_systems_are_refused_with_the_reason),
        RUN(constraints_may_be_written_differently),
        RUN(a_state_of_positions_and_velocities_is_enough),
        RUN(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
