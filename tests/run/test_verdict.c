/* Warnings of runs: that they come when something is wrong, and only then. */
#include "../claims/pairs.h"

#include "run/verdict.h"

/* ---- states that were tampered with ----------------------------------------------------------- */

typedef struct watched {
    lv_model *model;
    lv_sim *sim;
    lv_arena arena;
    lv_monitor monitor;
    lv_verdicts verdicts;
} watched;

static void watch_by(watched *w, const char *text, const char *scheme, double step)
{
    lv_error err;
    *w = (watched){.model = read_text(text)};
    w->sim = start(w->model, &(method){scheme, 0, 0}, step);
    assert_int_equal(lv_monitor_init(&w->monitor, w->sim, &w->arena, &err), LV_OK);
    lv_monitor_look(&w->monitor, true);
}

static void watch(watched *w, const char *text, const char *scheme)
{
    watch_by(w, text, scheme, 0.01);
}

static void watch_steps(watched *w, int count)
{
    for (int k = 0; k < count; k++) {
        step_once(w->sim);
        lv_monitor_look(&w->monitor, false);
    }
}

/* A warning that says this, or none. */
static void judged(watched *w, const char *says)
{
    lv_error err;
    assert_int_equal(lv_verdicts_find(&w->verdicts, &w->monitor, 100, &w->arena, &err),
                     LV_OK);
    if (!says && w->verdicts.count > 0)
        fail_msg("'%s'", w->verdicts.texts[0]);
    if (says) {
        assert_int_equal(w->verdicts.count, 1);
        assert_says(w->verdicts.texts[0], says);
    }
    lv_sim_free(w->sim);
    lv_arena_done(&w->arena);
    lv_model_free(w->model);
}

/* A short rod far from the origin that stands upright and never begins to fall; bodies that friction brings to rest, with
 * and without gravity. What moves then is rounding, and no tolerance is below that; every scheme goes on. */
#define UPRIGHT                                                                          \
    "[coordinates]\nx = 1000\ny = 0.001\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"      \
    "potential = \"9.81*y\"\n[constraints.rod]\n"                                        \
    "holonomic = \"(x - 1000)^2 + y^2 - 0.001^2\"\n"
#define BRAKED(gravity)                                                                  \
    "[coordinates]\nx = 1\ny = { value = 0, velocity = 1 }\n[energy]\n"                  \
    "kinetic = \"(x'^2 + y'^2)/2\"\npotential = \"" gravity "*y\"\n"                     \
    "[constraints.rod]\nholonomic = \"x^2 + y^2 - 1\"\n"                                 \
    "[forces.drag]\non = [\"x\", \"y\"]\nforce = [\"-5*x'\", \"-5*y'\"]\n"

#define BODIES_AT_REST                                                                   \
    "[bodies.a]\nmass = 1\ninertia = [0.3, 0.4, 0.5]\nposition = [1, 2, 3]\nrotation = " \
    "[0.1, 0.2, 0.3]\n[bodies.b]\nmass = 1\ninertia = [0.3, 0.4, 0.5]\nposition = [1, "  \
    "0, 3]\nrotation = [[0.1, 0.2, 0.3], [0.5, 0, -1]]\n[joints.j]\ntype = "             \
    "\"revolute\"\nbetween = [\"a\", \"b\"]\nat = [1, 1, 1]\naxis = [1, 2, 2]\n"

static void rest_gives_no_warning(void **state)
{
    (void)state;
    static const char *const systems[] = {UPRIGHT, BRAKED("9.81"), BRAKED("0"),
                                          BODIES_AT_REST};
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
            watched w;
            /* The step is long for the rod: only explicit equations have a solution. */
            const bool brakes = i == 1 || i == 2;
            const bool taken = i == 0 ? strcmp(info.name, "rattle") == 0
                                      : info.holonomic && !info.only &&
                                            !(brakes && info.no_velocity_forces);
            if (!taken)
                continue;
            watch(&w, systems[i], info.name);
            watch_steps(&w, i == 0 || i == 3 ? 100 : 4000);
            judged(&w, NULL);
        }
}

static void steps_as_they_are_give_no_warning(void **state)
{
    (void)state;
    static const char *const systems[] = {"henon-heiles", "arm", "spherical", "torus",
                                          "four-particles"};
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
            watched w;
            const test_system *s = find_system(systems[i]);
            if (!says_it_takes(&(method){info.name, 0, 0}, s))
                continue;
            watch(&w, s->text, info.name);
            watch_steps(&w, 100);
            judged(&w, NULL);
        }
}

/* One part in a million is far from rounding, and a small error of schemes that keep it within bounds. */
static void energy_that_should_be_exact_is_watched(void **state)
{
    (void)state;
    static const struct {
        const char *scheme, *says;
    } cases[] = {{"em", "should keep it to rounding"},
                 {"livens", "the energy has changed by"},
                 {"rattle", NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        watched w;
        watch(&w, HENON_HEILES, cases[k].scheme);
        watch_steps(&w, 50);
        w.sim->state.q[0] *= 1 + 1e-6;
        watch_steps(&w, 50);
        judged(&w, cases[k].says);
    }
}

static void forces_may_change_the_energy(void **state)
{
    (void)state;
    watched w;
    watch(&w, DRIVEN_PENDULUM, "em");
    watch_steps(&w, 100);
    assert_above(w.monitor.energy[2], 1e-3);
    judged(&w, NULL);
}

static void energy_that_should_be_bounded_is_watched(void **state)
{
    (void)state;
    watched w;
    watch(&w, HENON_HEILES, "rattle");
    watch_steps(&w, 50);
    w.sim->state.v[0] *= 30;
    w.sim->state.p[0] *= 30;
    lv_monitor_look(&w.monitor, false);
    judged(&w, "as much as there is");
}

#define FREE_FALL                                                                        \
    "[coordinates]\nx = { value = [1, 2, 3], velocity = [1, 0, 0] }\n"                   \
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"x[3]\"\n"

static void found_momenta_are_watched(void **state)
{
    (void)state;
    watched w;
    watch(&w, FREE_FALL, "rattle");
    watch_steps(&w, 50);
    w.sim->state.p[1] += 1e-6;
    lv_monitor_look(&w.monitor, false);
    judged(&w, "J.P_y has changed by 1e-06");
}

/* Whatever the scheme: none of them is to blame, and all runs say the same. */
static void declared_symmetries_that_are_none_are_told(void **state)
{
    static const char *const schemes[] = {"rattle", "lobatto", "em", "livens", "vi-b2"};
    static const char text[] =
        "[coordinates]\na = { value = [1, 0, 0], velocity = [0, 1, 0.5] }\n"
        "[energy]\nkinetic = \"norm2(a')/2\"\n[energy.weight]\npotential = "
        "\"9.81*a[3]\"\n[constraints.rod]\nholonomic = \"norm2(a) - 1\"\n"
        "[symmetries.spin]\non = \"a\"\ngenerator = \"cross([0, 1, 0], a)\"\n";
    (void)state;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        watched w;
        watch(&w, text, schemes[k]);
        watch_steps(&w, 20);
        judged(&w, ":11:13: 'spin' is no symmetry: the potential 'weight'");
    }
}

static void dissipation_that_drives_is_told(void **state)
{
    (void)state;
    watched w;
    watch(&w,
          "[coordinates]\nx = { value = 1, velocity = 1 }\n[energy]\nkinetic = "
          "\"x'^2/2\"\n[forces.drag]\ndissipation = \"-0.1*x'^2\"\n",
          "gauss");
    watch_steps(&w, 20);
    judged(&w, "the dissipation 'drag' (");
}

/* x = 1 + t/10 in good approximation: R = (2 - x)*x'^2/2 changes its sign at t = 10. */
static void dissipation_that_drives_later_is_told_with_its_time(void **state)
{
    (void)state;
    static const char text[] =
        "[coordinates]\nx = { value = 1, velocity = 0.1 }\n[energy]\nkinetic = "
        "\"1e6*x'^2/2\"\n[forces.drag]\ndissipation = \"(2 - x)*x'^2/2\"\n"
        "[forces.other]\ndissipation = \"0.1*x'^2\"\n";
    watched w;
    watch_by(&w, text, "gauss", 0.75);
    watch_steps(&w, 13); /* to 9.75 */
    judged(&w, NULL);

    watch_by(&w, text, "gauss", 0.75);
    watch_steps(&w, 16);
    judged(&w, "is negative at the end of 3 steps, first at t = 10.5: it feeds energy");

    watch_by(&w, text, "gauss", 0.75);
    watch_steps(&w, 16);
    judged(&w, "the dissipation 'drag' (");
}

static void constraints_are_watched(void **state)
{
    (void)state;
    watched w;
    watch(&w, SPHERICAL_PENDULUM, "rattle");
    watch_steps(&w, 50);
    for (int k = 0; k < 3; k++)
        w.sim->state.q[k] *= 1 + 1e-6;
    lv_monitor_look(&w.monitor, false);
    judged(&w, "constraint 'rod' is violated by");

    watch(&w, SPHERICAL_PENDULUM, "em");
    watch_steps(&w, 50);
    for (int k = 0; k < 3; k++)
        w.sim->state.v[k] += 1e-6 * w.sim->state.q[k];
    lv_monitor_look(&w.monitor, false);
    judged(&w, "the rate of constraint 'rod' is violated");
}

/* Two pendulums of length l, released at rest, in any units of length and time; their constraints have units of their
 * own: rounding in the one may be larger than an error in the other. */
static const char pendulums[] =
    "[parameters]\nl = %.17g\nT = %.17g\nc = %.17g\n"
    "[coordinates]\n"
    "x = { value = [\"0.6*l\", \"-0.8*l\"], velocity = [0, 0] }\n"
    "y = { value = [\"0.28*l\", \"-0.96*l\"], velocity = [0, 0] }\n"
    "[energy]\nkinetic = \"norm2(x')/2 + norm2(y')/2\"\n"
    "potential = \"9.81*l/T^2*(x[2] + y[2])\"\n"
    "[constraints]\nrod = { holonomic = \"c*(norm2(x)/l^2 - 1)\" }\n"
    "other = { holonomic = \"(norm2(y)/l^2 - 1)/c\" }\n";

typedef struct units {
    double l, time, constraint;
} units;

/* Moves one pendulum off its way, by a part of its length or of a speed. */
static void move_off(const units *u, double part, bool velocity, const char *says)
{
    watched w;
    char text[700];
    snprintf(text, sizeof text, pendulums, u->l, u->time, u->constraint);
    watch_by(&w, text, "rattle", 0.01 * u->time);
    watch_steps(&w, 50);
    for (int k = 0; k < 2; k++)
        if (velocity)
            w.sim->state.v[k] += part / u->time * w.sim->state.q[k];
        else
            w.sim->state.q[k] *= 1 + part;
    lv_monitor_look(&w.monitor, false);
    judged(&w, says);
}

static void constraints_are_watched_in_any_units(void **state)
{
    (void)state;
    const double scales[] = {1e-9, 1e-3, 1, 1e7};
    for (int k = 0; k < 64; k++) {
        const units u = {scales[k % 4], scales[k / 4 % 4], scales[k / 16]};
        move_off(&u, 0, false, NULL);
        move_off(&u, 1e-11, false, NULL);
        move_off(&u, 1e-6, false, "constraint 'rod' is violated by");
        move_off(&u, 1e-11, true, NULL);
        move_off(&u, 1e-6, true, "the rate of constraint 'rod' is violated");
    }
}

/* Of vi-a nothing is claimed at the nodes, of the others no rates. */
static void constraints_that_are_not_claimed_are_not_watched(void **state)
{
    (void)state;
    static const char *const schemes[] = {"vi-a", "em-g", "vi-b"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        watched w;
        watch(&w, SPHERICAL_PENDULUM, schemes[k]);
        watch_steps(&w, 100);
        assert_above(w.monitor.residual[1], 1e-6);
        judged(&w, NULL);
    }
}

/* ---- momenta and velocities --------------------------------------------------------------------- */

static void velocities_of_their_own_are_watched(void **state)
{
    (void)state;
    static const char *const schemes[] = {"livens", "em"};
    for (size_t k = 0; k < 2; k++) {
        watched w;
        watch(&w, TWO_LINK_ARM, schemes[k]);
        assert_true(lv_monitor_has_legendre(&w.monitor));
        watch_steps(&w, 100);
        assert_true(w.monitor.legendre[1] > 1e-8 && w.monitor.legendre[1] < 1e-2);
        judged(&w, NULL);
        watch(&w, TWO_LINK_ARM, schemes[k]);
        watch_steps(&w, 100);
        const double t = w.sim->state.t;
        w.sim->state.p[0] *= 1.5;
        lv_monitor_look(&w.monitor, false);
        assert_true(w.monitor.legendre[1] > 0.1 && w.monitor.legendre[2] == t);
        /* which has changed as well */
        w.monitor.energy[1] = w.monitor.energy[0];
        w.monitor.energy[2] = w.monitor.leap[LV_LEAP_AFTER] = 0;
        judged(&w, "have come apart");
    }
}

/* |p - M v| shrinks with the square of the step. */
static void the_distance_of_momenta_from_velocities_is_of_second_order(void **state)
{
    (void)state;
    double apart[2];
    lv_model *model = read_text(TWO_LINK_ARM);
    for (int k = 0; k < 2; k++) {
        lv_error err;
        lv_run_summary *summary = NULL;
        lv_run_request request = lv_run_request_default(model);
        request.sim.scheme = "livens";
        request.sim.step = k == 0 ? 0.02 : 0.01;
        request.until = 1;
        if (lv_run(&summary, model, &request, &err) != LV_OK)
            fail_with(&err);
        apart[k] = summary->legendre_max;
        lv_run_summary_free(summary);
    }
    lv_model_free(model);
    if (!(apart[1] > 0 && fabs(apart[0] / apart[1] - 4) < 0.3))
        fail_msg("%.3e and %.3e", apart[0], apart[1]);
}

static void velocities_of_momenta_are_not_watched(void **state)
{
    (void)state;
    static const struct {
        const char *text, *scheme;
    } cases[] = {
        {TWO_LINK_ARM, "lobatto"}, {TWO_LINK_ARM, "vi-s"}, {HENON_HEILES, "livens"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        watched w;
        watch(&w, cases[k].text, cases[k].scheme);
        assert_false(lv_monitor_has_legendre(&w.monitor));
        watch_steps(&w, 10);
        assert_true(w.monitor.legendre[1] == 0);
        judged(&w, NULL);
    }
}

/* ---- what a run alone shows ---------------------------------------------------------------------- */

static unsigned shown_by(const char *text, const char *scheme, int steps)
{
    watched w;
    lv_error err;
    unsigned shown = 0;
    watch(&w, text, scheme);
    watch_steps(&w, steps);
    assert_int_equal(lv_verdicts_shown(&shown, &w.monitor, steps, &w.arena, &err), LV_OK);
    judged(&w, NULL);
    return shown;
}

static void a_run_shows_what_is_kept_to_rounding(void **state)
{
    (void)state;
    static const char pendulum[] =
        "[coordinates]\nx = { value = [1, 0, 0], velocity = [0, 1, 0] }\n"
        "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"9.81*x[3]\"\n"
        "[constraints.rod]\nholonomic = \"norm2(x) - 1\"\n",
                      oscillator[] = "[coordinates]\nx = { value = 1 }\n[energy]\n"
                                     "kinetic = \"x'^2/2\"\npotential = \"x^4\"\n",
                      damped[] = "[coordinates]\nx = { value = 1 }\n[energy]\n"
                                 "kinetic = \"x'^2/2\"\npotential = \"x^4\"\n"
                                 "[forces.f]\non = \"x\"\nforce = \"-x'\"\n";
    const unsigned energy = 1u << LV_PROPERTY_ENERGY,
                   momentum = 1u << LV_PROPERTY_MOMENTUM,
                   position = 1u << LV_PROPERTY_POSITION,
                   velocity = 1u << LV_PROPERTY_VELOCITY;
    assert_int_equal(shown_by(pendulum, "em", 50),
                     energy | momentum | position | velocity);
    assert_int_equal(shown_by(pendulum, "em-g", 50), energy | momentum | position);
    assert_int_equal(shown_by(pendulum, "rattle", 50), momentum | position | velocity);
    assert_int_equal(shown_by(oscillator, "rattle", 50), 0);
    assert_int_equal(shown_by(oscillator, "em", 50), energy);
    assert_int_equal(shown_by(damped, "em", 50), 0);
    assert_int_equal(shown_by(pendulum, "em", 0), 0);
}

/* What was tampered with is not shown. */
static void a_run_does_not_show_what_was_lost(void **state)
{
    (void)state;
    watched w;
    lv_error err;
    unsigned shown = 0;
    watch(&w,
          "[coordinates]\nx = { value = 1 }\n[energy]\n"
          "kinetic = \"x'^2/2\"\npotential = \"x^4\"\n",
          "em");
    watch_steps(&w, 20);
    w.sim->state.p[0] *= 1.001;
    w.sim->state.v[0] *= 1.001;
    watch_steps(&w, 20);
    assert_int_equal(lv_verdicts_shown(&shown, &w.monitor, 40, &w.arena, &err), LV_OK);
    assert_int_equal(shown, 0);
    judged(&w, "the energy has changed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(rest_gives_no_warning),
        RUN(steps_as_they_are_give_no_warning),
        RUN(energy_that_should_be_exact_is_watched),
        RUN(forces_may_change_the_energy),
        RUN(energy_that_should_be_bounded_is_watched),
        RUN(found_momenta_are_watched),
        RUN(declared_symmetries_that_are_none_are_told),
        RUN(dissipation_that_drives_is_told),
        RUN(dissipation_that_drives_later_is_told_with_its_time),
        RUN(constraints_are_watched),
        RUN(constraints_are_watched_in_any_units),
        RUN(constraints_that_are_not_claimed_are_not_watched),
        RUN(velocities_of_their_own_are_watched),
        RUN(the_distance_of_momenta_from_velocities_is_of_second_order),
        RUN(velocities_of_momenta_are_not_watched),
        RUN(a_run_shows_what_is_kept_to_rounding),
        RUN(a_run_does_not_show_what_was_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
