/* Steady steps have the bits of general ones, and end where general ones would do something else. */
#include "../step/stepping.h"

#include "stepper/stepper_private.h"

static const way_to_step rows[] = {
    FAMILY("pendulum3d", LOBATTO, 2), FAMILY("four-particles", LOBATTO, 2),
    FAMILY(oscillators, GAUSS, 2),    OPEN_FAMILY(driven, LOBATTO, 2),
    FAMILY("torus", LOBATTO, 3),      PAIRS("pendulum-cartesian")};

enum { ROWS = sizeof rows / sizeof *rows };

/* The memory is asked for before every step, after which no workspace has the last one. */
static int take_general_step(stepping *s, double h)
{
    (void)lv_stepper_memory(s->stepper);
    return take_step(s, h, true);
}

static void kick(stepping *s, double factor)
{
    for (int i = 0; i < s->system->n; i++) {
        s->state.v[i] *= factor;
        s->state.p[i] *= factor;
    }
}

/* Both take the same steps: a long stretch of one size, some of another one, a kick, and steps that are too large for
 * one pass. Returns how many of them were steady. */
static int compare(const way_to_step *way)
{
    enum { STEPS = 500, KICK = 200, OTHER = 300, LARGE = 400 };
    stepping a, b;
    int steady = 0;
    begin_stepping(&a, way);
    begin_stepping(&b, way);
    for (int k = 0; k < STEPS; k++) {
        const double h = k >= LARGE ? 0.03 : k >= OTHER && k < OTHER + 5 ? 0.0013 : 0.001;
        if (k == KICK) {
            kick(&a, 0.9);
            kick(&b, 0.9);
        }
        const int before = a.stepper->programs.steady.left,
                  passes = take_step(&a, h, true);
        steady += before > 1 && a.stepper->programs.steady.left == before - 1;
        assert_int_equal(passes, take_general_step(&b, h));
        assert_memory_equal(a.numbers, b.numbers, sizeof a.numbers);
    }
    const lv_memory_view x = lv_stepper_memory(a.stepper),
                         y = lv_stepper_memory(b.stepper);
    assert_int_equal(x.count, y.count);
    assert_memory_equal(x.numbers, y.numbers, (size_t)x.count * sizeof *x.numbers);
    end_stepping(&a);
    end_stepping(&b);
    return steady;
}

static void steady_steps_have_the_bits_of_general_ones(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++)
        assert_in_range(compare(&rows[k]), 200, 500);
}

/* What a steady step has begun must not be seen. */
static void a_step_that_fails_leaves_the_state(void **state)
{
    stepping a;
    lv_error err;
    lv_step_report report = {0};
    double before[3 * MOST_NUMBERS];
    (void)state;
    begin_stepping(&a, &rows[0]);
    for (int k = 0; k < 100; k++)
        take_step(&a, 0.001, true);
    assert_true(a.stepper->programs.steady.left > 0);
    a.state.v[0] = (double)NAN;
    memcpy(before, a.numbers, sizeof before);
    assert_int_not_equal(lv_stepper_step(a.stepper, &a.state, 0.001, true, &report, &err),
                         LV_OK);
    assert_memory_equal(before, a.numbers, sizeof before);
    end_stepping(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(steady_steps_have_the_bits_of_general_ones),
        RUN(a_step_that_fails_leaves_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
