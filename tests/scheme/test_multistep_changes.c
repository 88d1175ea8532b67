/* Changes of the step, the state and the forces in runs with `multistep`, refusals and failures. */
#include "multistep_runs.h"

static void advance(lv_sim *sim, double until)
{
    lv_error err;
    if (lv_sim_advance(sim, until, &err) != LV_OK)
        fail_with(&err);
}

static double error_at_ten(const lv_sim *sim)
{
    const orbit exact = orbit_at(PENDULUM, 10);
    assert_close(lv_sim_time(sim), 10, 1e-14);
    return worst_of(distance_to(lv_sim_position(sim), exact.q, 3),
                    distance_to(lv_sim_velocity(sim), exact.v, 3));
}

static const double change_step[MOST + 1] = {[2] = 0.002, [3] = 0.004, [4] = 0.008};

/* Where the exact motion leads from the state of a simulation until the time 10, and how
 * far that is from where it should be: an error at a stop becomes one of the motion. */
static double error_carried_on(const lv_sim *sim)
{
    const orbit exact = orbit_at(PENDULUM, 10);
    orbit o = {.kind = PENDULUM};
    double q[3], v[3];
    for (int i = 0; i < 3; i++) {
        o.q[i] = lv_sim_position(sim)[i];
        o.v[i] = lv_sim_velocity(sim)[i];
    }
    orbit_move(&o, 10 - (real)lv_sim_time(sim));
    for (int i = 0; i < 3; i++) {
        q[i] = (double)o.q[i];
        v[i] = (double)o.v[i];
    }
    return worst_of(distance_to(q, exact.q, 3), distance_to(v, exact.v, 3));
}

/* Stops within steps, behind nodes as close as rounding allows, and in the first step. */
static void stops_between_nodes_keep_the_accuracy(void **state)
{
    (void)state;
    static const double stops[] = {3.33377,     3.336, 2.0 + 1e-4, 2.0 + 1e-7,
                                   2.0 + 1e-11, 1e-3,  5e-10,      9.9999999};
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        const method m = multistep(half, 1);
        lv_sim *sim = start(model, &m, change_step[half]);
        advance(sim, 10);
        const double plain = error_at_ten(sim);
        lv_sim_free(sim);
        for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
            sim = start(model, &m, change_step[half]);
            advance(sim, stops[k]);
            assert_true(lv_sim_time(sim) == stops[k]);
            const orbit exact = orbit_at(PENDULUM, stops[k]);
            const double here = worst_of(distance_to(lv_sim_position(sim), exact.q, 3),
                                         distance_to(lv_sim_velocity(sim), exact.v, 3));
            const double carried = error_carried_on(sim);
            advance(sim, 10);
            const double stopped = error_at_ten(sim);
            print_message("    order %d, stop at %.12g: %.1e; at 10 %.1e, exactly moved "
                          "%.1e, without stop %.1e\n",
                          2 * half, stops[k], here, stopped, carried, plain);
            assert_at_most(here, 2 * plain);
            assert_at_most(stopped, carried + 2 * plain);
            lv_sim_free(sim);
        }
    }
    lv_model_free(model);
}

static void another_step_size_keeps_the_accuracy(void **state)
{
    (void)state;
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        lv_error err;
        const method m = multistep(half, 1);
        lv_sim *sim = start(model, &m, change_step[half]);
        advance(sim, 10);
        const double plain = error_at_ten(sim);
        lv_sim_free(sim);
        sim = start(model, &m, change_step[half]);
        advance(sim, 4);
        assert_int_equal(lv_sim_set_step(sim, change_step[half] / 2, &err), LV_OK);
        advance(sim, 7);
        assert_int_equal(lv_sim_set_step(sim, change_step[half], &err), LV_OK);
        advance(sim, 10);
        print_message("    order %d: %.1e, without change %.1e\n", 2 * half,
                      error_at_ten(sim), plain);
        assert_at_most(error_at_ten(sim), 3 * plain);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* A state of the motion at a time, as numbers of the model. */
static void exact_state(double time, double *q, double *v)
{
    const orbit o = orbit_at(PENDULUM, time);
    for (int i = 0; i < 3; i++) {
        q[i] = (double)o.q[i];
        v[i] = (double)o.v[i];
    }
}

/* A run whose state is replaced has the same bits as one that begins there. */
static void another_state_begins_anew(void **state)
{
    (void)state;
    double q[3], v[3];
    exact_state(1, q, v);
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        const method m = multistep(half, 1);
        const double h = change_step[half];
        lv_sim *moved = start(model, &m, h), *fresh = start(model, &m, h);
        step_times(moved, 77);
        move_to(fresh, 1, q, v);
        move_to(moved, 1, q, v);
        double difference = 0;
        for (int n = 0; n < 100; n++) {
            step_once(fresh);
            step_once(moved);
            difference = worst_of(
                difference, distance(lv_sim_position(fresh), lv_sim_position(moved), 3));
        }
        advance(moved, 10);
        const double error = error_at_ten(moved);
        lv_sim *plain = start(model, &m, h);
        advance(plain, 10);
        print_message("    order %d: differs by %.1e; error %.1e, from the start %.1e\n",
                      2 * half, difference, error, error_at_ten(plain));
        assert_at_most(difference, 1e-14);
        assert_at_most(error, 3 * error_at_ten(plain));
        lv_sim_free(moved);
        lv_sim_free(fresh);
        lv_sim_free(plain);
    }
    lv_model_free(model);
}

/* A copy that is saved in the middle of a run goes on with the same bits. */
static void saved_runs_go_on_bit_for_bit(void **state)
{
    (void)state;
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        lv_error err;
        const method m = multistep(half, 1);
        lv_sim *a = start(model, &m, 0.01), *b = start(model, &m, 0.01);
        step_times(a, 33);
        assert_int_equal(lv_sim_copy(b, a, &err), LV_OK);
        for (int n = 0; n < 40; n++) {
            step_once(a);
            step_once(b);
            assert_memory_equal(lv_sim_position(a), lv_sim_position(b),
                                3 * sizeof(double));
            assert_memory_equal(lv_sim_velocity(a), lv_sim_velocity(b),
                                3 * sizeof(double));
        }
        lv_sim_free(a);
        lv_sim_free(b);
    }
    lv_model_free(model);
}

/* All posts of the linkages lie flat at this time: each of them could go on to either side. */
static const double flat = 0.7143555292929467;

/* A node is close to the configuration in which constraints are dependent, where multipliers
 * become large. A copy that is made there goes on with the same bits. */
static void dependent_constraints_are_passed(void **state)
{
    (void)state;
    const double beside[] = {1e-6, -1e-6, 4e-7};
    lv_model *model = read_shipped("n-four-bar", NULL, NULL);
    for (int half = LEAST; half <= MOST; half++)
        for (int k = 0; k < 9; k++) {
            lv_error err;
            const int steps = 500 + 100 * (k / 3);
            const double h = (flat + beside[k % 3]) / steps;
            const method m = multistep(half, 1);
            lv_sim *a = start(model, &m, h), *b = start(model, &m, h);
            const double energy = lv_sim_energies(a).total;
            step_times(a, steps + 1);
            assert_int_equal(lv_sim_copy(b, a, &err), LV_OK);
            step_times(a, steps / 2);
            step_times(b, steps / 2);
            assert_memory_equal(lv_sim_position(a), lv_sim_position(b),
                                sizeof(double) *
                                    (size_t)lv_model_coordinate_count(model));
            assert_at_most(fabs(lv_sim_energies(a).total - energy), 1e-5);
            lv_sim_free(a);
            lv_sim_free(b);
        }
    lv_model_free(model);
}

/* Three constraints follow from the others, in the course of the motion not always the
 * same ones. The guess of most steps stays good enough for one pass. */
static void other_constraints_left_out_are_no_trouble(void **state)
{
    (void)state;
    enum { STEPS = 1000 };
    lv_model *model = read_shipped("bennett-linkage", NULL, NULL);
    for (int half = LEAST; half <= MOST; half++) {
        int passes = 0;
        const method m = multistep(half, 1);
        lv_sim *sim = start(model, &m, 0.005);
        for (int n = 0; n < STEPS; n++) {
            step_once(sim);
            passes += lv_sim_iterations(sim);
        }
        print_message("    order %d: %.2f passes a step\n", 2 * half,
                      (double)passes / STEPS);
        assert_at_most((double)passes, 1.5 * STEPS);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* A pendulum in the plane with a wind that changes. */
#define WINDY                                                                            \
    "[coordinates]\nq = { value = [0.6, -0.8], velocity = [0.4, 0.3] }\n"                \
    "[energy]\nkinetic = \"norm2(q')/2\"\npotential = \"9.81*q[2]\"\n"                   \
    "[constraints.rod]\nholonomic = \"(norm2(q) - 1)/2\"\n"                              \
    "[forces.wind]\non = \"q\"\nforce = \"[wind, 0]\"\n"

/* Multiples of 3 far apart: how large errors are depends on where in a step impacts are. */
static const int change_steps[MOST + 1][SIZES] = {
    [2] = {150, 300, 600, 1200},
    [3] = {150, 240, 420, 750},
    [4] = {150, 210, 300, 450},
};

/* Steps both, and takes the largest differences of absolute values of x and of v. */
static void compare_steps(lv_sim *sim, lv_sim *exact, int steps, double *x_error,
                          double *v_error)
{
    for (int n = 0; n < steps; n++) {
        step_once(sim);
        step_once(exact);
        const double x = fabs(*lv_sim_position(sim)) - fabs(*lv_sim_position(exact)),
                     v = fabs(*lv_sim_velocity(sim)) - fabs(*lv_sim_velocity(exact));
        *x_error = worst_of(*x_error, fabs(x));
        *v_error = worst_of(*v_error, fabs(v));
    }
}

static void set_wind(lv_sim *sim, double wind)
{
    lv_error err;
    if (lv_sim_set_input(sim, "wind", &wind, 1, &err) != LV_OK)
        fail_with(&err);
}

static void inputs_that_change_keep_the_order(void **state)
{
    (void)state;
    static const double winds[] = {0.5, -6, 3};
    lv_model *model = read_text("[inputs]\nwind = 0.5\n" WINDY);
    for (int half = LEAST; half <= MOST; half++) {
        errors e = {0};
        const method m = multistep(half, 1), fine = {"lobatto", 6, 0};
        for (int k = 0; k < SIZES; k++) {
            const int steps = change_steps[half][k];
            e.h[k] = 3.0 / steps;
            lv_sim *sim = start(model, &m, e.h[k]), *exact = start(model, &fine, e.h[k]);
            for (int wind = 0; wind < 3; wind++) {
                set_wind(sim, winds[wind]);
                set_wind(exact, winds[wind]);
                compare_steps(sim, exact, steps / 3, &e.of[0][k], &e.of[1][k]);
            }
            lv_sim_free(sim);
            lv_sim_free(exact);
        }
        check_slopes(&e, 2, 2 * half - 0.3, "wind");
    }
    lv_model_free(model);
}

/* An input on which the motion does not depend. */
static void other_inputs_change_nothing(void **state)
{
    (void)state;
    lv_model *model = read_text("[outputs]\nmiss = \"q[1] - goal\"\n"
                                "[inputs]\ngoal = 0.2\nwind = 0.5\n" WINDY);
    for (int half = LEAST; half <= MOST; half++) {
        const method m = multistep(half, 1);
        lv_sim *plain = start(model, &m, 0.01), *told = start(model, &m, 0.01);
        for (int n = 0; n < 100; n++) {
            const double goal = 0.01 * n;
            lv_error err;
            assert_int_equal(lv_sim_set_input(told, "goal", &goal, 1, &err), LV_OK);
            step_once(plain);
            step_once(told);
        }
        assert_memory_equal(lv_sim_position(plain), lv_sim_position(told),
                            2 * sizeof(double));
        lv_sim_free(plain);
        lv_sim_free(told);
    }
    lv_model_free(model);
}

#define SPRING                                                                           \
    "[coordinates]\nx = 1\n"                                                             \
    "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2 + x^4/2\"\n"
#define WALL "[events.wall]\nwhen = \"x\"\ndirection = \"falling\"\nrestitution = 1\n"

/* A wall in the middle of a symmetric spring: the motion is the absolute value of that
 * without the wall. */
static void impacts_keep_the_order(void **state)
{
    (void)state;
    lv_model *model = read_text(SPRING WALL), *no_wall = read_text(SPRING);
    for (int half = LEAST; half <= MOST; half++) {
        errors e = {0};
        const method m = multistep(half, 1), fine = {"lobatto", 6, 0};
        for (int k = 0; k < SIZES; k++) {
            const int steps = change_steps[half][k];
            e.h[k] = 5.0 / steps;
            lv_sim *sim = start(model, &m, e.h[k]),
                   *exact = start(no_wall, &fine, e.h[k]);
            compare_steps(sim, exact, steps, &e.of[0][k], &e.of[0][k]);
            lv_sim_free(sim);
            lv_sim_free(exact);
        }
        check_slopes(&e, 1, 2 * half - 0.3, "wall");
    }
    lv_model_free(model);
    lv_model_free(no_wall);
}

/* A rod that turns fast, and a spring that counts its turns; b turns the whole system. */
#define TURNING                                                                          \
    "[parameters]\nb = 0\nk = 0.5\n[coordinates]\n"                                      \
    "x = { value = \"cos(b)\", velocity = \"-4*sin(b)\" }\n"                             \
    "y = { value = \"sin(b)\", velocity = \"4*cos(b)\" }\n"                              \
    "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"                                          \
    "potential = \"k/2*(winding(x, y) - b)^2\"\n"                                        \
    "[constraints.rod]\nholonomic = \"(x^2 + y^2 - 1)/2\"\n"

static double turning_error(const char *turned, double h)
{
    lv_model *model = NULL;
    lv_error err;
    const lv_setting setting = {"b", turned};
    if (lv_model_parse(&model, "turning", TURNING, strlen(TURNING), &setting, 1, &err) !=
        LV_OK)
        fail_with(&err);
    const method m = multistep(4, 1);
    lv_sim *sim = start(model, &m, h);
    const double first = lv_sim_energies(sim).total;
    double worst = 0;
    for (int n = 0; n < 20; n++) {
        step_once(sim);
        worst = worst_of(worst, fabs(lv_sim_energies(sim).total - first));
    }
    lv_sim_free(sim);
    lv_model_free(model);
    return worst;
}

/* The steps before the start turn the rod by more than the half turn within which its angle is known. */
static void turns_are_counted_before_the_start(void **state)
{
    (void)state;
    const double straight = turning_error("0", 0.09);
    assert_at_most(straight, 0.02);
    assert_close(turning_error("0.7", 0.09), straight, 0.02 * straight);
    assert_close(turning_error("-0.7", 0.09), straight, 0.02 * straight);
}

/* ---- refusals and failures ------------------------------------------------------ */

#define POINT "[coordinates]\nq = { value = [1, 0], velocity = [0, 1] }\n"

static const struct {
    const char *what, *text, *says;
} refused[] = {
    {"damping",
     POINT "[energy]\nkinetic = \"norm2(q')/2\"\npotential = \"norm2(q)/2\"\n"
           "[forces.drag]\non = \"q\"\nforce = \"-0.1*q'\"\n",
     "velocit"},
    {"a dissipation that is not linear",
     POINT "[energy]\nkinetic = \"norm2(q')/2\"\n"
           "[forces.drag]\non = \"q\"\nforce = \"-norm(q')*q'\"\n",
     "velocit"},
    {"a magnetic field",
     POINT "[energy]\nlagrangian = \"norm2(q')/2 + q[1]*q'[2] - norm2(q)/2\"\n",
     "velocit"},
    {"a nonholonomic constraint",
     "[coordinates]\nx = { value = 0, velocity = 1 }\ny = 0.5\nz = { value = 0, velocity "
     "= 0.5 }\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n"
     "[constraints.blade]\nnonholonomic = \"z' - y*x'\"\n",
     "nonholonomic"},
    {"a mass that varies with the position",
     POINT "[energy]\nkinetic = \"(1 + q[1]^2)*norm2(q')/2\"\n", "mass"},
    {"a mass that varies with time",
     POINT "[energy]\nkinetic = \"(2 + sin(t))*norm2(q')/2\"\n", "mass"},
};

static void what_it_cannot_do_is_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        lv_model *model = read_text(refused[k].text);
        for (int half = LEAST; half <= MOST; half++) {
            lv_error err;
            lv_sim *sim = NULL;
            const method m = multistep(half, 1);
            assert_int_equal(try_start(&sim, model, &m, 0.01, &err), LV_ERR_MODEL);
            assert_null(sim);
            if (half == LEAST)
                print_message("    %s: %s | %s\n", refused[k].what, err.text, err.hint);
            assert_int_equal(err.code, LV_ERR_MODEL);
            assert_says(err.text, "multistep");
            assert_says(err.text, refused[k].says);
            assert_true(strlen(err.hint) > 0);
        }
        lv_model_free(model);
    }
}

/* All numbers that a simulation would save: more than its state. */
typedef struct saved {
    int count;
    double *numbers;
} saved;

/* Numbers 4 and 5 tell how the last step was solved, which a step that fails changes. */
enum { ITERATIONS = 4, STAGNATED = 5 };

static void save(saved *s, const lv_sim *sim)
{
    lv_error err;
    if (!s->numbers) {
        s->count = lv_sim_save_count(sim);
        s->numbers = calloc((size_t)s->count, sizeof *s->numbers);
        assert_non_null(s->numbers);
    }
    assert_int_equal(lv_sim_save_count(sim), s->count);
    if (lv_sim_save(sim, s->numbers, s->count, &err) != LV_OK)
        fail_with(&err);
    s->numbers[ITERATIONS] = s->numbers[STAGNATED] = 0;
}

static void check_unchanged(const lv_sim *sim, const saved *before)
{
    saved after = {0};
    save(&after, sim);
    assert_int_equal(before->count, after.count);
    assert_memory_equal(before->numbers, after.numbers,
                        sizeof(double) * (size_t)after.count);
    free(after.numbers);
}

static void check_explained(const lv_error *err)
{
    print_message("    %s | %s | %s\n", err->text, err->note, err->hint);
    assert_int_equal(err->code, LV_ERR_NUMERIC);
    assert_says(err->text, "stopped at step");
    assert_says(err->hint, "smaller step");
}

/* A step of the size h fails, says why, and changes nothing. */
static void fail_step(lv_sim *sim, double h)
{
    lv_error err, other;
    const double step = lv_sim_step_size(sim);
    saved before = {0};
    assert_int_equal(lv_sim_set_step(sim, h, &other), LV_OK);
    save(&before, sim);
    assert_int_equal(lv_sim_step(sim, &err), LV_ERR_NUMERIC);
    check_explained(&err);
    check_unchanged(sim, &before);
    assert_int_equal(lv_sim_set_step(sim, step, &other), LV_OK);
    free(before.numbers);
}

static void steps_that_are_far_too_large_change_nothing(void **state)
{
    (void)state;
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++)
        for (int n = 0; n <= 50; n += 50) {
            const method m = multistep(half, 1);
            lv_sim *sim = start(model, &m, 0.01), *other = start(model, &m, 0.01);
            step_times(sim, n);
            step_times(other, n);
            fail_step(sim, 3);
            fail_step(sim, 1e6);
            step_times(sim, 20);
            step_times(other, 20);
            assert_at_most(distance(lv_sim_position(sim), lv_sim_position(other), 3),
                           1e-14);
            assert_at_most(distance(lv_sim_velocity(sim), lv_sim_velocity(other), 3),
                           1e-13);
            lv_sim_free(sim);
            lv_sim_free(other);
        }
    lv_model_free(model);
}

/* The iteration fails in the middle of a run whose step is too large. */
static void a_run_that_fails_keeps_its_last_state(void **state)
{
    (void)state;
    static const double steps[MOST + 1] = {[2] = 0.15, [3] = 0.12, [4] = 0.08};
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        lv_error err;
        lv_status status = LV_OK;
        saved before = {0};
        const method m = multistep(half, 1);
        lv_sim *sim = start(model, &m, steps[half]);
        for (int n = 0; n < 10000 && status == LV_OK; n++) {
            save(&before, sim);
            status = lv_sim_step(sim, &err);
        }
        assert_int_equal(status, LV_ERR_NUMERIC);
        assert_above((double)lv_sim_steps(sim), 0);
        check_explained(&err);
        check_unchanged(sim, &before);
        assert_int_equal(lv_sim_step(sim, &err), LV_ERR_NUMERIC); /* again */
        check_unchanged(sim, &before);
        free(before.numbers);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(stops_between_nodes_keep_the_accuracy),
        RUN(another_step_size_keeps_the_accuracy),
        RUN(another_state_begins_anew),
        RUN(inputs_that_change_keep_the_order),
        RUN(other_inputs_change_nothing),
        RUN(impacts_keep_the_order),
        RUN(saved_runs_go_on_bit_for_bit),
        RUN(dependent_constraints_are_passed),
        RUN(other_constraints_left_out_are_no_trouble),
        RUN(turns_are_counted_before_the_start),
        RUN(what_it_cannot_do_is_refused),
        RUN(steps_that_are_far_too_large_change_nothing),
        RUN(a_run_that_fails_keeps_its_last_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
