/* Events against closed forms: times of impacts and crossings, what they do to velocities and energies, what ends a
 * simulation, and that all of it is part of the state. */
#include "../claims/moving.h"
#include "run/sim.h"

#include <string.h>

#define BALL                                                                             \
    "[parameters]\ng = 9.81\ne = 0.8\n"                                                  \
    "[coordinates]\ny = 1\nx = { value = 0, velocity = 0.5 }\n"                          \
    "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"g*y\"\n"
#define BOUNCE                                                                           \
    "[events.bounce]\nwhen = \"y\"\ndirection = \"falling\"\nrestitution = \"e\"\n"

static const double pi = 3.14159265358979323846;

typedef struct moving {
    lv_model *model;
    lv_sim *sim;
} moving;

static moving begin(const char *text, const char *scheme, double step)
{
    const method m = {.scheme = scheme};
    moving x = {.model = read_text(text)};
    x.sim = start(x.model, &m, step);
    return x;
}

static void end(moving *x)
{
    lv_sim_free(x->sim);
    lv_model_free(x->model);
}

static void advance(moving *x, double until)
{
    lv_error err;
    if (lv_sim_advance(x->sim, until, &err) != LV_OK)
        fail_msg("%s", err.text);
}

static lv_event_info event_of(const moving *x, int k)
{
    lv_event_info info;
    assert_int_equal(lv_sim_event(x->sim, k, &info, NULL), LV_OK);
    return info;
}

/* ---- impacts ------------------------------------------------------------------------------------------ */

/* The n-th impact of a ball that falls from height 1, n from 1. */
static double impact_time(int n, double e)
{
    const double fall = sqrt(2 / 9.81);
    double time = fall, flight = 2 * fall;
    for (int k = 1; k < n; k++)
        time += flight *= e;
    return time;
}

static void a_ball_bounces_when_it_should(void **state)
{
    (void)state;
    const char *const schemes[] = {"rattle", "gauss", "lobatto", "em", "vi-b2", "dpg"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        moving x = begin(BALL BOUNCE, schemes[k], 0.05);
        advance(&x, 2.4);
        const lv_event_info bounce = event_of(&x, 0);
        assert_int_equal(bounce.count, 4);
        assert_true(bounce.jumps);
        assert_close(bounce.first, impact_time(1, 0.8), 1e-12);
        assert_close(bounce.last, impact_time(4, 0.8), 1e-12);
        const double left = 2.4 - impact_time(4, 0.8);
        const double up = pow(0.8, 4) * sqrt(2 * 9.81);
        assert_close(lv_sim_position(x.sim)[0], left * (up - 9.81 / 2 * left), 1e-11);
        assert_close(lv_sim_position(x.sim)[1], 1.2, 1e-13);
        end(&x);
    }
}

/* What impacts take is their work, and nothing else changes the energy. */
static void impacts_do_work(void **state)
{
    (void)state;
    moving x = begin(BALL BOUNCE, "rattle", 0.05);
    advance(&x, 2.4);
    assert_int_equal(lv_sim_work_count(x.sim), 1);
    assert_string_equal(lv_sim_work_name(x.sim, 0), "bounce");
    assert_close(lv_sim_work(x.sim)[0], 9.81 * (pow(0.64, 4) - 1), 1e-11);
    assert_at_most(fabs(lv_sim_balance(x.sim)), 1e-12);
    end(&x);
}

/* Flights that are shorter than a step, many of them in one. */
static void several_impacts_may_be_in_one_step(void **state)
{
    (void)state;
    moving x = begin(BALL BOUNCE, "gauss", 0.8);
    advance(&x, 3.2);
    assert_int_equal(event_of(&x, 0).count, 7);
    assert_close(event_of(&x, 0).last, impact_time(7, 0.8), 1e-12);
    end(&x);
}

static void impacts_that_accumulate_are_an_error_and_lose_nothing(void **state)
{
    (void)state;
    lv_error err;
    moving x = begin(BALL BOUNCE, "rattle", 0.1);
    lv_status status = LV_OK;
    double before = 0, q = 0, v = 0;
    while (status == LV_OK) {
        before = lv_sim_time(x.sim);
        q = lv_sim_position(x.sim)[0];
        v = lv_sim_velocity(x.sim)[0];
        status = lv_sim_step(x.sim, &err);
    }
    assert_int_equal(status, LV_ERR_NUMERIC);
    assert_non_null(strstr(err.text, "event 'bounce' accumulates"));
    const double last =
        sqrt(2 / 9.81) * (1 + 2 * 0.8 / (1 - 0.8)); /* of infinitely many */
    assert_below(before, last);
    assert_above(before, last - 0.1 - 1e-9);
    assert_true(before == lv_sim_time(x.sim));
    assert_true(q == lv_sim_position(x.sim)[0]);
    assert_true(v == lv_sim_velocity(x.sim)[0]);
    end(&x);
}

/* A pendulum in Cartesian coordinates against a wall through its axis, which turns its velocity round, and against one
 * at 30 degrees: the impulse of the wall is balanced by the rod. */
static void impacts_of_mechanisms_keep_their_constraints(void **state)
{
    (void)state;
    lv_error err;
    moving x =
        begin("[coordinates]\nx = { value = 0.6, velocity = 0 }\n"
              "y = { value = -0.8, velocity = 0 }\n"
              "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"9.81*y\"\n"
              "[constraints.rod]\nholonomic = \"(x^2 + y^2 - 1)/2\"\n"
              "[events.wall]\nwhen = \"x - 0.5\"\nrestitution = 0.5\nstop = true\n",
              "lobatto", 0.05);
    while (lv_sim_stopped(x.sim) < 0)
        assert_int_equal(lv_sim_step(x.sim, &err), LV_OK);
    const double *q = lv_sim_position(x.sim), *v = lv_sim_velocity(x.sim);
    const double height = sqrt(0.75) - 0.8, speed = 0.5 * sqrt(2 * 9.81 * height);
    assert_close(q[0], 0.5, 1e-13);
    assert_at_most(fabs(q[0] * v[0] + q[1] * v[1]), 1e-13);
    assert_above(v[0], 0);
    assert_close(hypot(v[0], v[1]), speed, 1e-6);
    assert_at_most(fabs(lv_sim_balance(x.sim)), 1e-6);
    end(&x);
}

static void velocities_can_be_set(void **state)
{
    (void)state;
    moving x = begin(BALL "[events.wall]\nwhen = \"x - 0.2\"\non = [\"x\", \"y\"]\n"
                          "velocity = [\"-x'\", \"y'/2\"]\n",
                     "gauss", 0.15);
    advance(&x, 0.6);
    assert_close(event_of(&x, 0).last, 0.4, 1e-14);
    assert_close(lv_sim_position(x.sim)[1], 0.1, 1e-14);
    assert_close(lv_sim_velocity(x.sim)[0], -9.81 * (0.2 + 0.2), 1e-13);
    end(&x);
}

/* Housner's block: every hit leaves the fraction r^2 of the energy above that of rest, and turns an input round. */
static void events_set_inputs(void **state)
{
    (void)state;
    moving x = begin("[parameters]\na = 0.25\nr = 0.9\n[inputs]\ns = 1\n"
                     "[coordinates]\nphi = \"0.6*a\"\n[energy]\nkinetic = \"phi'^2/2\"\n"
                     "potential = \"cos(a - s*phi)\"\n"
                     "[events.hit]\nwhen = \"phi\"\non = \"phi\"\nvelocity = \"r*phi'\"\n"
                     "input = \"s\"\nvalue = \"-s\"\nstop = true\nafter = 7\n",
                     "lobatto", 0.02);
    advance(&x, 100);
    assert_int_equal(lv_sim_stopped(x.sim), 0);
    assert_close(*lv_sim_input(x.sim, "s"), -1, 0);
    const double above = cos(0.4 * 0.25) - cos(0.25);
    assert_close(lv_sim_energies(x.sim).total - cos(0.25), above * pow(0.81, 7), 1e-10);
    assert_at_most(fabs(lv_sim_balance(x.sim)), 1e-10);
    end(&x);
}

/* ---- crossings ---------------------------------------------------------------------------------------- */

#define PENDULUM                                                                         \
    "[coordinates]\nphi = 1\n[energy]\nkinetic = \"phi'^2/2\"\n"                         \
    "potential = \"-cos(phi)\"\n[events.low]\nwhen = \"phi\"\n"                          \
    "[events.turn]\nwhen = \"phi'\"\n"

/* A quarter of the period: K(sin 1/2), by means of both kinds. */
static double quarter(void)
{
    double a = 1, g = cos(0.5);
    for (int k = 0; k < 8; k++) {
        const double mean = (a + g) / 2;
        g = sqrt(a * g);
        a = mean;
    }
    return pi / (2 * a);
}

static double crossing_error(const char *scheme, int stages, double step, int event)
{
    const method m = {.scheme = scheme, .stages = stages};
    moving x = {.model = read_text(PENDULUM)};
    x.sim = start(x.model, &m, step);
    advance(&x, 4 * quarter() + 0.3);
    const lv_event_info info = event_of(&x, event);
    assert_int_equal(info.count, 2);
    const double error = fabs(info.last - (event == 0 ? 3 : 4) * quarter());
    end(&x);
    return error;
}

static void crossings_have_the_order_of_the_scheme(void **state)
{
    (void)state;
    const struct {
        const char *scheme;
        int stages, order;
        double step;
    } cases[] = {{"rattle", 0, 2, 0.04},
                 {"em", 0, 2, 0.04},
                 {"lobatto", 3, 4, 0.1},
                 {"gauss", 2, 4, 0.1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int event = 0; event < 2; event++) {
            const double h = cases[k].step;
            const double coarse =
                crossing_error(cases[k].scheme, cases[k].stages, h, event);
            const double fine =
                crossing_error(cases[k].scheme, cases[k].stages, h / 4, event);
            assert_above(coarse, 1e-9);
            assert_close(log2(coarse / fine) / 2, cases[k].order, 0.1);
        }
}

static void crossings_are_found_to_twelve_digits(void **state)
{
    (void)state;
    for (int event = 0; event < 2; event++)
        assert_at_most(crossing_error("lobatto", 4, 0.02, event), 1e-12);
}

/* y passes a height upwards and downwards within one step, whose ends are both below it. */
static void two_crossings_in_one_step_are_seen(void **state)
{
    (void)state;
    moving x = begin("[coordinates]\ny = { value = 0, velocity = 5 }\n"
                     "[energy]\nkinetic = \"y'^2/2\"\npotential = \"10*y\"\n"
                     "[events.up]\nwhen = \"y - 1.24\"\ndirection = \"rising\"\n"
                     "[events.down]\nwhen = \"y - 1.24\"\ndirection = \"falling\"\n"
                     "[events.any]\nwhen = \"y - 1.24\"\n",
                     "rattle", 0.99);
    advance(&x, 0.99);
    const double half = sqrt(25 - 20 * 1.24) / 10;
    assert_int_equal(event_of(&x, 0).count, 1);
    assert_int_equal(event_of(&x, 1).count, 1);
    assert_int_equal(event_of(&x, 2).count, 2);
    assert_close(event_of(&x, 0).last, 0.5 - half, 1e-12);
    assert_close(event_of(&x, 1).last, 0.5 + half, 1e-12);
    assert_close(event_of(&x, 2).first, 0.5 - half, 1e-12);
    assert_close(event_of(&x, 2).last, 0.5 + half, 1e-12);
    end(&x);
}

/* At nodes, at the start, several at once: each exactly once. */
static void events_at_nodes_happen_once(void **state)
{
    (void)state;
    moving x = begin(BALL "[events.node]\nwhen = \"t - 0.3\"\n"
                          "[events.same]\nwhen = \"0.3 - t\"\n"
                          "[events.start]\nwhen = \"x\"\n"
                          "[events.place]\nwhen = \"x - 0.25\"\n",
                     "gauss", 0.1);
    advance(&x, 1);
    assert_int_equal(event_of(&x, 0).count, 1);
    assert_int_equal(event_of(&x, 1).count, 1);
    assert_int_equal(event_of(&x, 2).count, 0);
    assert_int_equal(event_of(&x, 3).count, 1);
    assert_close(event_of(&x, 0).last, 0.3, 1e-15);
    assert_close(event_of(&x, 3).last, 0.5, 1e-14);
    end(&x);
}

/* ---- state -------------------------------------------------------------------------------------------- */

static void the_end_is_where_the_event_is(void **state)
{
    (void)state;
    lv_error err;
    moving x = begin(BALL BOUNCE "stop = true\nafter = 2\n", "rattle", 0.1);
    advance(&x, 5);
    assert_int_equal(lv_sim_stopped(x.sim), 0);
    assert_close(lv_sim_time(x.sim), impact_time(2, 0.8), 1e-13);
    assert_int_equal(lv_sim_step(x.sim, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "event 'bounce' has ended the simulation"));
    const double q[] = {1, 0}, v[] = {0, 0};
    assert_int_equal(lv_sim_set_state(x.sim, 0, q, v, &err), LV_OK);
    assert_int_equal(lv_sim_stopped(x.sim), -1);
    end(&x);
}

static void simulations_go_on_bit_for_bit(void **state)
{
    (void)state;
    double numbers[2000];
    moving x = begin(BALL BOUNCE, "lobatto", 0.07),
           y = begin(BALL BOUNCE, "lobatto", 0.07);
    advance(&x, 0.07 * 12);
    const int count = lv_sim_save_count(x.sim);
    assert_at_most(count, 2000);
    assert_int_equal(lv_sim_save(x.sim, numbers, count, NULL), LV_OK);
    assert_int_equal(lv_sim_restore(y.sim, numbers, count, NULL), LV_OK);
    for (int k = 0; k < 15; k++) {
        assert_int_equal(lv_sim_step(x.sim, NULL), LV_OK);
        assert_int_equal(lv_sim_step(y.sim, NULL), LV_OK);
    }
    assert_memory_equal(lv_sim_position(x.sim), lv_sim_position(y.sim),
                        2 * sizeof(double));
    const lv_event_info a = event_of(&x, 0), b = event_of(&y, 0);
    assert_int_equal(a.count, b.count);
    assert_true(a.last == b.last);
    end(&x);
    end(&y);
}

static lv_status count_calls(void *user, const lv_sim *sim, int event, lv_error *err)
{
    int *calls = user;
    (void)err;
    assert_int_equal(event, 0);
    assert_above(lv_sim_velocity(sim)[0], 0);
    return ++*calls < 3 ? LV_OK : LV_ERR_USAGE;
}

static void callers_are_told_and_may_refuse(void **state)
{
    (void)state;
    int calls = 0;
    moving x = begin(BALL BOUNCE, "rattle", 0.05);
    lv_sim_on_event(x.sim, count_calls, &calls);
    assert_int_equal(lv_sim_advance(x.sim, 5, NULL), LV_ERR_USAGE);
    assert_int_equal(calls, 3);
    assert_int_equal(event_of(&x, 0).count, 2); /* the state is that before the step */
    end(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_ball_bounces_when_it_should),
        RUN(impacts_do_work),
        RUN(several_impacts_may_be_in_one_step),
        RUN(impacts_that_accumulate_are_an_error_and_lose_nothing),
        RUN(impacts_of_mechanisms_keep_their_constraints),
        RUN(velocities_can_be_set),
        RUN(events_set_inputs),
        RUN(crossings_have_the_order_of_the_scheme),
        RUN(crossings_are_found_to_twelve_digits),
        RUN(two_crossings_in_one_step_are_seen),
        RUN(events_at_nodes_happen_once),
        RUN(the_end_is_where_the_event_is),
        RUN(simulations_go_on_bit_for_bit),
        RUN(callers_are_told_and_may_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
