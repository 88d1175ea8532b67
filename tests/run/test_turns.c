/* Angles that count turns: winding(x, y) in energies, outputs, families, with every scheme, across
 * checkpoints. */
#include "../claims/moving.h"
#include "deny.h"
#include "requests.h"
#include "run/sim.h"

#include <unistd.h>

static const double pi = 3.14159265358979323846;

/* A point on the unit circle, and a spring that winds up: phi'' = -k (phi - a) for the polar angle. */
#define WINDING                                                                          \
    "[parameters]\nk = 0.04\na = 0.3\n"                                                  \
    "[coordinates]\nx = { value = -0.6, velocity = -2.4 }\n"                             \
    "y = { value = 0.8, velocity = -1.8 }\n"                                             \
    "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"                                          \
    "potential = \"k/2*(winding(x, y) - a)^2\"\n"                                        \
    "[constraints.circle]\nholonomic = \"(x^2 + y^2 - 1)/2\"\n"                          \
    "[outputs]\nphi = \"winding(x, y)\"\nrate = \"winding(2*x, 2*y)'\"\n"

static const double stiffness = 0.04, offset = 0.3, speed = 3;

static double polar(double t)
{
    const double w = sqrt(stiffness), start = atan2(0.8, -0.6);
    return offset + (start - offset) * cos(w * t) + speed / w * sin(w * t);
}

/* ---- outputs of a simulation ------------------------------------------------------------------ */

typedef struct moving {
    lv_model *model;
    lv_sim *sim;
    lv_plan *outputs;
} moving;

static moving begin(const char *text, const method *m, double step)
{
    moving x = {.model = read_text(text)};
    x.sim = start(x.model, m, step);
    assert_int_equal(
        lv_plan_create(&x.outputs, x.sim->system->model, LV_WANT(OUTPUT), NULL), LV_OK);
    return x;
}

static void end(moving *x)
{
    lv_plan_free(x->outputs);
    lv_sim_free(x->sim);
    lv_model_free(x->model);
}

static double output_at(const moving *x, int k, double t, const double *q,
                        const double *v)
{
    const lv_point point = {.q = q, .v = v, .t = t};
    lv_plan_run(x->outputs, &point);
    return lv_plan_result(x->outputs, LV_Q_OUTPUT)[k];
}

static double output(const moving *x, int k)
{
    const lv_state *s = &x->sim->state;
    return output_at(x, k, s->t, s->q, s->v);
}

/* The schemes that take a model, with their default options. */
static int list_schemes(const lv_model *model, method list[MOST_METHODS])
{
    bool fits[MOST_METHODS] = {false};
    lv_scheme_info info;
    int count = 0;
    assert_int_equal(lv_model_fitting_schemes(model, fits, MOST_METHODS, NULL), LV_OK);
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        if (fits[k])
            list[count++] = (method){.scheme = info.name};
    return count;
}

/* ---- motions ------------------------------------------------------------------------------------ */

/* Over six turns forth and back. */
static void an_angle_counts_turns_with_every_scheme(void **state)
{
    (void)state;
    method schemes[MOST_METHODS];
    lv_model *model = read_text(WINDING);
    const int count = list_schemes(model, schemes);
    lv_model_free(model);
    assert_true(count >= 10);
    for (int k = 0; k < count; k++) {
        moving x = begin(WINDING, &schemes[k], 0.02);
        double before = output(&x, 0), most = before, least = before;
        assert_close(before, atan2(0.8, -0.6), 1e-15);
        for (int step = 0; step < 1600; step++) {
            step_once(x.sim);
            const double *q = x.sim->state.q, *v = x.sim->state.v, phi = output(&x, 0);
            assert_close(remainder(phi - atan2(q[1], q[0]), 2 * pi), 0, 1e-12);
            assert_below(fabs(phi - before), 0.1);
            assert_close(output(&x, 1),
                         (q[0] * v[1] - q[1] * v[0]) / (q[0] * q[0] + q[1] * q[1]),
                         1e-12);
            before = phi;
            most = fmax(most, phi);
            least = fmin(least, phi);
        }
        assert_above(most, 15.3);
        assert_below(least, -14);
        assert_below(fabs(before - polar(x.sim->state.t)), 0.2);
        end(&x);
    }
}

static double error_of(const char *scheme, double step)
{
    moving x = begin(WINDING, &(method){.scheme = scheme}, step);
    step_times(x.sim, lround(25 / step));
    const double error = fabs(output(&x, 0) - polar(25));
    end(&x);
    return error;
}

static void the_angle_converges_to_that_of_polar_coordinates(void **state)
{
    (void)state;
    const double coarse = error_of("em", 0.05), fine = error_of("em", 0.025);
    assert_below(fine, 1e-2);
    assert_close(coarse / fine, 4, 0.1);
    assert_below(error_of("lobatto", 0.025), 1e-2);
}

static void discrete_gradients_keep_the_energy_over_many_turns(void **state)
{
    (void)state;
    static const char *const schemes[] = {"em", "em-g", "livens"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        moving x = begin(WINDING, &(method){.scheme = schemes[k]}, 0.05);
        const double energy = lv_sim_energies(x.sim).total;
        assert_close(
            energy, speed * speed / 2 + stiffness / 2 * pow(polar(0) - offset, 2), 1e-14);
        for (int step = 0; step < (SLOW ? 2000 : 20000); step++) {
            step_once(x.sim);
            assert_close(lv_sim_energies(x.sim).total / energy, 1, 1e-11);
        }
        end(&x);
    }
}

/* An angle between two vectors does not change when everything is turned. */
#define BETWEEN                                                                          \
    "[coordinates]\na = { value = [1, 0], velocity = [0.2, -1] }\n"                      \
    "b = { value = [0, 1], velocity = [-3, 0.5] }\n"                                     \
    "[definitions]\nangle = \"winding(dot(a, b), a[1]*b[2] - a[2]*b[1])\"\n"             \
    "[energy]\nkinetic = \"norm2(a')/2 + norm2(b')\"\n"                                  \
    "potential = \"0.03*(angle - 0.5)^2 + 20*(norm(a) - 1)^2 + 30*(norm(b) - 1)^2\"\n"   \
    "[outputs]\nangle = \"angle\"\n"

static void an_angle_between_vectors_keeps_the_angular_momentum(void **state)
{
    (void)state;
    moving x = begin(BETWEEN, &(method){.scheme = "em"}, 0.01);
    lv_system *system = x.sim->system;
    double first = 0, now = 0, most = 0;
    const lv_state *s = &x.sim->state;
    assert_int_equal(lv_system_map_count(system), 1); /* found, not declared */
    lv_system_momentum_maps(system, &first, s->t, s->q, s->p);
    const double energy = lv_sim_energies(x.sim).total;
    for (int step = 0; step < 3000; step++) {
        step_once(x.sim);
        lv_system_momentum_maps(system, &now, s->t, s->q, s->p);
        assert_close(now, first, 1e-11);
        assert_close(lv_sim_energies(x.sim).total, energy, 1e-11);
        most = fmax(most, fabs(output(&x, 0)));
    }
    assert_above(most, pi + 0.5);
    end(&x);
}

/* Eleven pendulums in one family move as each does alone. */
static void every_member_of_a_family_has_its_own_angle(void **state)
{
    (void)state;
    enum { COUNT = 11, STEPS = 900 };
    const char *family =
        "[parameters]\nN = 11\n[coordinates]\n"
        "r = { count = \"N\", value = [1, 0], velocity = [0, \"i-6\"] }\n"
        "[energy.spring]\nfor = \"i = 1..N\"\n"
        "kinetic = \"norm2(r_i')/2\"\n"
        "potential = \"0.02*winding(r_i[1], r_i[2])^2\"\n"
        "[constraints.circle]\nfor = \"i = 1..N\"\n"
        "holonomic = \"(norm2(r_i) - 1)/2\"\n";
    const method em = {.scheme = "em"};
    lv_model *model = read_text(family);
    lv_sim *all = start(model, &em, 0.02);
    step_times(all, STEPS);
    double together = 0, most = 0;
    for (int i = 1; i <= COUNT; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "[coordinates]\nr = { value = [1, 0], velocity = [0, %d] }\n"
                 "[energy]\nkinetic = \"norm2(r')/2\"\n"
                 "potential = \"0.02*winding(r[1], r[2])^2\"\n"
                 "[constraints.circle]\nholonomic = \"(norm2(r) - 1)/2\"\n"
                 "[outputs]\nphi = \"winding(r[1], r[2])\"\n",
                 i - 6);
        moving x = begin(text, &em, 0.02);
        step_times(x.sim, STEPS);
        together += lv_sim_energies(x.sim).potential;
        most = fmax(most, fabs(output(&x, 0)));
        for (int k = 0; k < 2; k++)
            assert_close(x.sim->state.q[k], all->state.q[2 * (i - 1) + k], 1e-9);
        end(&x);
    }
    assert_above(most, 2 * pi);
    assert_close(lv_sim_energies(all).potential, together, 1e-8);
    lv_sim_free(all);
    lv_model_free(model);
}

/* ---- Hamiltonians -------------------------------------------------------------------------------- */

/* The same motion, from two terms with an angle each; the output has momenta and an angle. */
#define HAMILTONIAN                                                                      \
    "[parameters]\nk = 0.04\na = 0.3\n"                                                  \
    "[coordinates]\nx = { value = -0.6, momentum = -2.4 }\n"                             \
    "y = { value = 0.8, momentum = -1.8 }\n"                                             \
    "[energy.turning]\n"                                                                 \
    "hamiltonian = \"(p_x^2 + p_y^2)/2 + k/4*(winding(x, y) - a)^2\"\n"                  \
    "[energy.spring]\nhamiltonian = \"k/4*(winding(3*x, 3*y) - a)^2\"\n"                 \
    "[constraints.circle]\nholonomic = \"(x^2 + y^2 - 1)/2\"\n"                          \
    "[outputs]\nphi = \"winding(x, y)\"\n"                                               \
    "product = \"(x*p_y - y*p_x)*winding(x, y)\"\n"

static void hamiltonians_and_momenta_may_stand_beside_angles(void **state)
{
    (void)state;
    const method em = {.scheme = "em"};
    moving x = begin(WINDING, &em, 0.02), y = begin(HAMILTONIAN, &em, 0.02);
    for (int step = 0; step < 1000; step++) {
        step_once(x.sim);
        step_once(y.sim);
        assert_close(output(&y, 0), output(&x, 0), 1e-8);
        assert_close(output(&y, 1), output(&x, 0) * output(&x, 1), 1e-7);
        assert_close(lv_sim_energies(y.sim).total, lv_sim_energies(x.sim).total, 1e-10);
    }
    assert_above(fabs(output(&x, 0)), 4);
    end(&x);
    end(&y);
}

/* v = H_p and the transformation contain the angle at the start; each member of the family has its own. */
static void momenta_at_the_start_know_the_angle(void **state)
{
    (void)state;
    enum { COUNT = 4 };
    moving x = begin("[coordinates]\n"
                     "r = { count = 4, value = [\"cos(2*i)\", \"sin(2*i)\"], "
                     "momentum = [\"i\", 3] }\n"
                     "[energy.all]\nfor = \"i = 1..4\"\n"
                     "hamiltonian = \"(5 + winding(r_i[1], r_i[2]))*norm2(p_r_i)/2 + "
                     "winding(-r_i[2], r_i[1])\"\n",
                     &(method){.scheme = "gauss"}, 0.01);
    for (int i = 0; i < COUNT; i++) {
        const double factor = 5 + remainder(2.0 * (i + 1), 2 * pi);
        assert_close(x.sim->state.v[2 * i], factor * (i + 1), 1e-13);
        assert_close(x.sim->state.v[2 * i + 1], factor * 3, 1e-13);
        assert_close(x.sim->state.p[2 * i], i + 1, 1e-13);
    }
    end(&x);
}

/* ---- references belong to a simulation ---------------------------------------------------------- */

static void simulations_of_one_model_count_on_their_own(void **state)
{
    (void)state;
    const method em = {.scheme = "em"};
    moving x = begin(WINDING, &em, 0.02);
    step_times(x.sim, 400); /* more than two turns */
    lv_sim *other = start(x.model, &em, 0.02);
    const double potential = lv_sim_energies(other).potential;
    assert_close(potential, stiffness / 2 * pow(polar(0) - offset, 2), 1e-14);
    step_times(other, 400);
    for (int k = 0; k < 2; k++)
        assert_true(other->state.q[k] == x.sim->state.q[k]);
    lv_sim_free(other);
    end(&x);
}

static void the_angle_at_the_start_is_that_of_atan2(void **state)
{
    (void)state;
    static const struct {
        double x, y, angle;
    } cases[] = {{1, 0, 0},         {0, 1, 0.5},     {-1, 0, 1},
                 {-1, -0.0, 1},     {0, -1, -0.5},   {3, 3, 0.25},
                 {-1e9, 1e9, 0.75}, {-2, -2, -0.75}, {1, -1, -0.25}};
    moving x =
        begin("[coordinates]\nx = 1\ny = 0\n"
              "[energy]\nkinetic = \"x'^2 + y'^2\"\n"
              "[outputs]\nphi = \"winding(x, y)\"\n"
              "nested = \"winding(cos(winding(x, y)), sin(winding(x, y)))\"\n"
              "fixed = \"winding(-1, 0)\"\nnow = \"winding(cos(3*t), sin(3*t))\"\n",
              &(method){.scheme = "verlet"}, 0.1);
    const double still[2] = {0, 0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        move_to(x.sim, 1, (double[]){cases[k].x, cases[k].y}, still);
        assert_close(output(&x, 0), pi * cases[k].angle, 1e-15);
        assert_close(remainder(output(&x, 1) - pi * cases[k].angle, 2 * pi), 0, 1e-15);
        assert_close(output(&x, 2), pi, 0);
        assert_close(output(&x, 3), 3, 1e-15);
    }
    step_times(x.sim, 50);
    assert_close(output(&x, 3), 18, 1e-12);
    end(&x);
}

static void samples_inside_a_step_belong_to_its_turn(void **state)
{
    (void)state;
    const method gauss = {.scheme = "lobatto"};
    moving x = {.model = read_text(WINDING)};
    x.sim = start_dense(x.model, &gauss, 0.1);
    assert_int_equal(
        lv_plan_create(&x.outputs, x.sim->system->model, LV_WANT(OUTPUT), NULL), LV_OK);
    for (int step = 0; step < 300; step++) {
        step_once(x.sim);
        for (int k = 0; k <= 4; k++) {
            double q[2], v[2], t = x.sim->before.t + 0.025 * k;
            t = fmin(t, x.sim->state.t);
            assert_int_equal(
                lv_sim_sample(x.sim, t, LV_SAMPLE_INTEGRATED, q, v, NULL, NULL), LV_OK);
            assert_close(output_at(&x, 0, t, q, v), polar(t), 2e-2);
        }
    }
    end(&x);
}

static void steps_with_turns_allocate_nothing(void **state)
{
    (void)state;
    moving x = begin(WINDING, &(method){.scheme = "em"}, 0.05);
    requests = 0;
    lv_memory_set_hook(counting_resize);
    step_times(x.sim, 200);
    lv_memory_set_hook(NULL);
    assert_int_equal(requests, 0);
    end(&x);
}

/* ---- checkpoints ---------------------------------------------------------------------------------- */

static lv_run_summary *run_to(const lv_model *model, const char *scheme, double until,
                              const char *path)
{
    lv_run_request request = lv_run_request_default(model);
    lv_run_summary *summary = NULL;
    lv_error err;
    request.sim.scheme = scheme;
    request.sim.step = 0.0625;
    request.until = until;
    request.hdf5 = path;
    if (lv_run(&summary, model, &request, &err) != LV_OK)
        fail_with(&err);
    return summary;
}

static void resumed_runs_have_the_same_bits(void **state)
{
    (void)state;
    const char *path = LIVENS_BINARY_DIR "/turns.h5";
    method schemes[MOST_METHODS];
    lv_model *model = read_text(WINDING);
    const int count = list_schemes(model, schemes);
    for (int k = 0; k < count; k++) {
        for (int steps = 20; steps < 28;
             steps++) { /* a reference changes in one of these */
            lv_run_summary *whole = run_to(model, schemes[k].scheme, 8, NULL);
            lv_run_summary *first =
                run_to(model, schemes[k].scheme, 0.0625 * steps, path);
            lv_run_summary *second = NULL;
            lv_model *stored = NULL;
            lv_error err;
            if (lv_resume(&second, &stored, path, 8, NULL, NULL, &err) != LV_OK)
                fail_with(&err);
            assert_above(whole->outputs[0].values[0], 4 * pi);
            if (memcmp(second->q, whole->q, 2 * sizeof *whole->q) != 0 ||
                second->outputs[0].values[0] != whole->outputs[0].values[0])
                fail_msg("%s, resumed after %d steps: %.17g, not %.17g",
                         schemes[k].scheme, steps, second->outputs[0].values[0],
                         whole->outputs[0].values[0]);
            lv_run_summary_free(whole);
            lv_run_summary_free(first);
            lv_run_summary_free(second);
            lv_model_free(stored);
        }
    }
    lv_model_free(model);
    (void)unlink(path);
}

/* ---- what is refused -------------------------------------------------------------------------------- */

static lv_status read_and_start(void *user, lv_error *err)
{
    lv_model *model = NULL;
    lv_sim *sim = NULL;
    lv_status status = lv_model_parse(&model, "test", user, strlen(user), NULL, 0, err);
    const lv_sim_options options = {.scheme = "em", .step = 0.1};
    if (status == LV_OK)
        status = lv_sim_create(&sim, model, &options, err);
    lv_sim_free(sim);
    lv_model_free(model);
    return status;
}

static void reading_and_starting_survive_every_denial(void **state)
{
    (void)state;
    char text[] = WINDING, other[] = HAMILTONIAN;
    lv_deny_sample(read_and_start, text, 200);
    lv_deny_sample(read_and_start, other, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(an_angle_counts_turns_with_every_scheme),
        RUN(the_angle_converges_to_that_of_polar_coordinates),
        RUN(discrete_gradients_keep_the_energy_over_many_turns),
        RUN(an_angle_between_vectors_keeps_the_angular_momentum),
        RUN(every_member_of_a_family_has_its_own_angle),
        RUN(hamiltonians_and_momenta_may_stand_beside_angles),
        RUN(momenta_at_the_start_know_the_angle),
        RUN(simulations_of_one_model_count_on_their_own),
        RUN(the_angle_at_the_start_is_that_of_atan2),
        RUN(samples_inside_a_step_belong_to_its_turn),
        RUN(steps_with_turns_allocate_nothing),
        RUN(resumed_runs_have_the_same_bits),
        RUN(reading_and_starting_survive_every_denial)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
