/* Runs with `multistep` against the classical form in positions and against exact motions: orders, states within
 * steps, long runs. */
#include "multistep_runs.h"

/* Positions agree with the classical form, far better than either with the motion. */
static void check_classical(orbit_kind kind, int half, double h)
{
    static classical run;
    lv_multistep t;
    enum { STEPS = 400 };
    lv_multistep_init(&t, half);
    classical_run(&run, &t, kind, h, STEPS);
    lv_model *model = model_of(kind);
    const method m = multistep(half, 0);
    lv_sim *sim = start(model, &m, h);
    orbit exact = orbit_start(kind);
    double difference = 0, error = 0;
    for (int n = 1; n <= STEPS; n++) {
        step_once(sim);
        orbit_move(&exact, h);
        const double *q = lv_sim_position(sim);
        difference =
            worst_of(difference, distance_to(q, run.q[t.order - 1 + n], size_of(kind)));
        error = worst_of(error, distance_to(q, exact.q, size_of(kind)));
    }
    print_message("    %s order %d, h = %g: difference %.1e, error %.1e\n",
                  kind == PENDULUM ? "pendulum" : "kepler", t.order, h, difference,
                  error);
    assert_at_most(difference, 1e-10);
    assert_above(error, 100 * difference);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void positions_are_those_of_the_classical_form(void **state)
{
    (void)state;
    check_classical(PENDULUM, 2, 0.005);
    check_classical(PENDULUM, 3, 0.01);
    check_classical(PENDULUM, 4, 0.015);
    check_classical(KEPLER, 2, 0.01);
    check_classical(KEPLER, 3, 0.02);
    check_classical(KEPLER, 4, 0.03);
}

/* Known from other programs, to be sure of the series. */
static void the_series_meet_the_known_state(void **state)
{
    (void)state;
    const double q[] = {0.2186113380002105, 0.046728350139105571, -0.97469253828632282},
                 v[] = {-1.2558010304061791, 4.3058996772858327, -0.07522860066619707};
    const orbit o = orbit_at(PENDULUM, 10);
    assert_at_most(distance_to(q, o.q, 3), 1e-14);
    assert_at_most(distance_to(v, o.v, 3), 1e-14);
    const orbit round = orbit_at(KEPLER, 2 * acosl(-1));
    const double back[] = {0.8, 0, 0};
    assert_at_most(distance_to(back, round.q, 3), 1e-16);
}

static void check_order(orbit_kind kind, real until, int half, int projection,
                        const int steps[SIZES])
{
    const orbit exact = orbit_at(kind, until);
    lv_model *model = model_of(kind);
    const int n = size_of(kind);
    errors e;
    const method m = multistep(half, projection);
    for (int k = 0; k < SIZES; k++) {
        e.h[k] = (double)until / steps[k];
        lv_sim *sim = start(model, &m, e.h[k]);
        step_times(sim, steps[k]);
        e.of[0][k] = distance_to(lv_sim_position(sim), exact.q, n);
        e.of[1][k] = distance_to(lv_sim_velocity(sim), exact.v, n);
        e.of[2][k] = distance_to(lv_sim_momentum(sim), exact.v, n); /* the mass is 1 */
        lv_sim_free(sim);
    }
    check_slopes(&e, 3, 2 * half - 0.3, projection ? "projected" : "not projected");
    lv_model_free(model);
}

static void the_pendulum_has_the_order_of_the_method(void **state)
{
    (void)state;
    static const int steps[MOST + 1][SIZES] = {[2] = {1000, 1414, 2000, 2828},
                                               [3] = {1000, 1414, 2000, 2828},
                                               [4] = {800, 1000, 1250, 1500}};
    for (int half = LEAST; half <= MOST; half++)
        for (int projection = 0; projection <= 1; projection++)
            check_order(PENDULUM, 10, half, projection, steps[half]);
}

static void an_orbit_has_the_order_of_the_method(void **state)
{
    (void)state;
    static const int steps[MOST + 1][SIZES] = {[2] = {400, 566, 800, 1131},
                                               [3] = {200, 283, 400, 566},
                                               [4] = {320, 400, 500, 640}};
    for (int half = LEAST; half <= MOST; half++)
        check_order(KEPLER, 8, half, 0, steps[half]);
}

/* The hidden constraint holds with the projection, and to the order without it. */
static void the_projection_changes_velocities_and_no_position(void **state)
{
    (void)state;
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        const method with = multistep(half, 1), without = multistep(half, 0);
        lv_sim *a = start(model, &with, 0.02), *b = start(model, &without, 0.02);
        double rod = 0, hidden = 0, other = 0;
        for (int n = 0; n < 200; n++) {
            double g, dg;
            step_once(a);
            step_once(b);
            assert_memory_equal(lv_sim_position(a), lv_sim_position(b),
                                3 * sizeof(double));
            lv_sim_residuals(a, &g, &dg);
            rod = worst_of(rod, g);
            hidden = worst_of(hidden, dg);
            lv_sim_residuals(b, NULL, &dg);
            other = worst_of(other, dg);
        }
        print_message("    order %d: g %.0e, dg/dt %.0e, without projection %.0e\n",
                      2 * half, rod, hidden, other);
        assert_at_most(rod, 2e-15);
        assert_at_most(hidden, 1e-14);
        assert_at_least(other, 1e-12);
        assert_at_most(other, 1e-2);
        lv_sim_free(a);
        lv_sim_free(b);
    }
    lv_model_free(model);
}

/* q = sin t: a force that depends on time and a spring that is not linear. */
#define DRIVEN                                                                           \
    "[coordinates]\nx = { value = 0, velocity = 1 }\n"                                   \
    "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^4/4\"\n"                            \
    "[forces.drive]\non = \"x\"\nforce = \"sin(t)^3 - sin(t)\"\n"

static const int driven_steps[MOST + 1][SIZES] = {
    [2] = {100, 141, 200, 283},
    [3] = {60, 85, 120, 170},
    [4] = {50, 65, 80, 100},
};

static void forces_of_time_keep_the_order(void **state)
{
    (void)state;
    lv_model *model = read_text(DRIVEN);
    for (int half = LEAST; half <= MOST; half++) {
        errors e;
        const method m = multistep(half, 1);
        for (int k = 0; k < SIZES; k++) {
            e.h[k] = 5.0 / driven_steps[half][k];
            lv_sim *sim = start(model, &m, e.h[k]);
            step_times(sim, driven_steps[half][k]);
            e.of[0][k] = fabs(*lv_sim_position(sim) - sin(5));
            e.of[1][k] = fabs(*lv_sim_velocity(sim) - cos(5));
            lv_sim_free(sim);
        }
        check_slopes(&e, 2, 2 * half - 0.3, "driven");
    }
    lv_model_free(model);
}

/* Models with more than one body, constraint and mass, or with constraints of time; their
 * files give positions at a time. */
typedef struct shipped {
    const char *name;
    double until, known[4];
    int steps[MOST + 1][SIZES];
} shipped;

/* Largest errors over all nodes, against a Runge-Kutta method of order 10 with the same
 * steps. */
static void shipped_errors(const lv_model *model, const shipped *s, const method *m,
                           int steps, double *q_error, double *v_error)
{
    const method fine = {"lobatto", 6, 0};
    const int n = lv_model_coordinate_count(model);
    const double h = s->until / steps;
    lv_sim *sim = start(model, m, h), *exact = start(model, &fine, h);
    *q_error = *v_error = 0;
    for (int k = 0; k < steps; k++) {
        step_once(sim);
        step_once(exact);
        *q_error =
            worst_of(*q_error, distance(lv_sim_position(sim), lv_sim_position(exact), n));
        *v_error =
            worst_of(*v_error, distance(lv_sim_velocity(sim), lv_sim_velocity(exact), n));
    }
    assert_at_most(distance(lv_sim_position(exact), s->known, n), 1e-12);
    lv_sim_free(sim);
    lv_sim_free(exact);
}

static void check_shipped(const shipped *s)
{
    lv_model *model = read_shipped(s->name, NULL, NULL);
    for (int half = LEAST; half <= MOST; half++)
        for (int projection = 0; projection <= 1; projection++) {
            errors e;
            const method m = multistep(half, projection);
            for (int k = 0; k < SIZES; k++) {
                const int steps = s->steps[half][k];
                e.h[k] = s->until / steps;
                shipped_errors(model, s, &m, steps, &e.of[0][k], &e.of[1][k]);
            }
            check_slopes(&e, 2, 2 * half - 0.3,
                         projection ? "projected" : "not projected");
        }
    lv_model_free(model);
}

static void constraints_of_time_keep_the_order(void **state)
{
    (void)state;
    check_shipped(&(shipped){
        "rheonomic-pendulum",
        1.2,
        {-0.44591997708, -1.329050797068},
        {[2] = {120, 170, 240, 340}, [3] = {60, 85, 120, 170}, [4] = {50, 60, 75, 90}}});
}

static void two_constraints_keep_the_order(void **state)
{
    (void)state;
    check_shipped(&(shipped){
        "double-pendulum",
        0.8,
        {-0.2638540545115, -0.9645626148249, -0.7050436867576, -1.631909382554},
        {[2] = {120, 170, 240, 340},
         [3] = {80, 113, 160, 226},
         [4] = {70, 80, 100, 120}}});
}

/* ---- within steps --------------------------------------------------------------- */

static const int sample_steps[MOST + 1][SIZES] = {
    [2] = {100, 141, 200, 283},
    [3] = {80, 113, 160, 226},
    [4] = {140, 170, 200, 250},
};

/* Largest errors of q, v, p at points of all steps up to the time 2. */
static void sample_errors(const lv_model *model, const method *m, int steps,
                          lv_sample kind, double *q_error, double *v_error,
                          double *p_error)
{
    enum { INSIDE = 4 };
    const double h = 2.0 / steps;
    lv_sim *sim = start_dense(model, m, h);
    orbit exact = orbit_start(PENDULUM);
    *q_error = *v_error = *p_error = 0;
    for (int n = 0; n < steps; n++) {
        const double before = lv_sim_time(sim);
        step_once(sim);
        for (int k = 1; k <= INSIDE; k++) {
            double q[3], v[3], p[3];
            const double t = k == INSIDE ? lv_sim_time(sim) : before + k * h / INSIDE;
            lv_error err;
            if (lv_sim_sample(sim, t, kind, q, v, p, &err) != LV_OK)
                fail_with(&err);
            orbit_step(&exact, (real)h / INSIDE);
            *q_error = worst_of(*q_error, distance_to(q, exact.q, 3));
            *v_error = worst_of(*v_error, distance_to(v, exact.v, 3));
            *p_error = worst_of(*p_error, distance_to(p, exact.v, 3));
        }
    }
    lv_sim_free(sim);
}

static void states_within_steps_are_accurate(void **state)
{
    (void)state;
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++)
        for (int kind = LV_SAMPLE_INTEGRATED; kind <= LV_SAMPLE_RAW; kind++) {
            errors e;
            const method m = multistep(half, 1);
            for (int k = 0; k < SIZES; k++) {
                e.h[k] = 2.0 / sample_steps[half][k];
                sample_errors(model, &m, sample_steps[half][k], (lv_sample)kind,
                              &e.of[0][k], &e.of[1][k], &e.of[2][k]);
            }
            check_slopes(&e, 3, 2 * half - 1 - 0.3,
                         kind == LV_SAMPLE_RAW ? "raw" : "integrated");
        }
    lv_model_free(model);
}

/* The state within a step meets the nodes at both ends. */
static void states_within_steps_meet_the_nodes(void **state)
{
    (void)state;
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        const method m = multistep(half, 1);
        lv_sim *sim = start_dense(model, &m, 0.01);
        for (int n = 0; n < 50; n++) {
            double before[3], q[3], v[3], t = lv_sim_time(sim);
            lv_error err;
            memcpy(before, lv_sim_position(sim), sizeof before);
            step_once(sim);
            assert_int_equal(
                lv_sim_sample(sim, t, LV_SAMPLE_INTEGRATED, q, v, NULL, &err), LV_OK);
            assert_at_most(distance(q, before, 3), 1e-14);
            assert_int_equal(lv_sim_sample(sim, lv_sim_time(sim), LV_SAMPLE_INTEGRATED, q,
                                           v, NULL, &err),
                             LV_OK);
            assert_memory_equal(q, lv_sim_position(sim), sizeof q);
            assert_memory_equal(v, lv_sim_velocity(sim), sizeof v);
        }
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* ---- long runs ------------------------------------------------------------------ */

enum { LONG = SLOW ? 2000 : 20000 };

/* Energy, and the angular momentum about the third axis. */
static void invariants(const lv_sim *sim, double *energy, double *spin)
{
    const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim);
    *energy = lv_sim_energies(sim).total;
    *spin = q[0] * v[1] - q[1] * v[0];
}

static void check_drift(orbit_kind kind, int half, int projection, double h)
{
    double energy, spin, e, s, energies[2] = {0}, spins[2] = {0};
    lv_model *model = model_of(kind);
    const method m = multistep(half, projection);
    lv_sim *sim = start(model, &m, h);
    invariants(sim, &energy, &spin);
    for (int n = 0; n < LONG; n++) {
        const int later = n >= LONG / 2;
        step_once(sim);
        invariants(sim, &e, &s);
        energies[later] = worst_of(energies[later], fabs(e - energy));
        spins[later] = worst_of(spins[later], fabs(s - spin));
    }
    print_message("    %s order %d%s: energy %.1e, %.1e; spin %.1e, %.1e\n",
                  kind == PENDULUM ? "pendulum" : "kepler", 2 * half,
                  projection ? ", projected" : "", energies[0], energies[1], spins[0],
                  spins[1]);
    assert_at_most(energies[0], 1e-3);
    assert_at_most(energies[1], 1.5 * energies[0]);
    assert_at_most(spins[1], 1.5 * spins[0]);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void an_orbit_does_not_drift(void **state)
{
    (void)state;
    for (int half = LEAST; half <= MOST; half++)
        check_drift(KEPLER, half, 0, acos(-1) / 100);
}

static void a_pendulum_does_not_drift(void **state)
{
    (void)state;
    for (int half = LEAST; half <= MOST; half++)
        for (int projection = 0; projection <= 1; projection++)
            check_drift(PENDULUM, half, projection, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(positions_are_those_of_the_classical_form),
        RUN(the_series_meet_the_known_state),
        RUN(the_pendulum_has_the_order_of_the_method),
        RUN(the_projection_changes_velocities_and_no_position),
        RUN(forces_of_time_keep_the_order),
        RUN(an_orbit_has_the_order_of_the_method),
        RUN(constraints_of_time_keep_the_order),
        RUN(two_constraints_keep_the_order),
        RUN(states_within_steps_are_accurate),
        RUN(states_within_steps_meet_the_nodes),
        RUN(an_orbit_does_not_drift),
        RUN(a_pendulum_does_not_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
