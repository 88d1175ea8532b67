/* What substeps of compositions let expect of each other. */
#include "../step/stepping.h"

#include "scheme/compose.h"

#include <livens/sim.h>

static const way_to_step rows[] = {
    FAMILY("pendulum-cartesian", LOBATTO, 2), FAMILY("torus", LOBATTO, 3),
    FAMILY(oscillators, GAUSS, 2), FAMILY(varying, GAUSS, 1)};

enum { ROWS = sizeof rows / sizeof *rows };

static int take_composed(stepping *s, const double *weights, int count, double h)
{
    int passes = 0;
    for (int k = 0; k < count; k++)
        passes += take_step(s, weights[k] * h, k == count - 1);
    return passes;
}

/* Newton passes in the last composed steps of a run, composed to order 6. */
static int passes_of(const way_to_step *way, bool told)
{
    enum { STEPS = 100, LAST = 20 };
    stepping s;
    lv_error err;
    double weights[LV_COMPOSE_MOST];
    int count, passes = 0;
    begin_stepping(&s, way);
    assert_int_equal(lv_compose(weights, &count, 2, 6, &err), LV_OK);
    if (told)
        assert_int_equal(lv_stepper_compose(s.stepper, count, &err), LV_OK);
    for (int k = 0; k < STEPS; k++) {
        const int now = take_composed(&s, weights, count, 0.01);
        passes += k >= STEPS - LAST ? now : 0;
    }
    end_stepping(&s);
    return passes;
}

/* Substeps have different sizes, and only the last one makes velocities tangent: values of one and the same substep
 * are smooth functions of time, those of successive ones are not. */
static void substeps_expect_what_the_same_substep_found(void **state)
{
    (void)state;
    int wrong = 0;
    for (int k = 0; k < ROWS; k++) {
        const int apart = passes_of(&rows[k], false), told = passes_of(&rows[k], true);
        if (4 * told <= 3 * apart)
            continue;
        print_message("    %.24s, family %d: %d passes, %d\n", rows[k].model,
                      (int)rows[k].family, apart, told);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* The memory is all that decides the bits of the next step: after a composed step, a second stepper goes on with it. */
static void composed_steps_are_resumed_bit_for_bit(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        stepping a, b;
        lv_error err;
        double weights[LV_COMPOSE_MOST];
        int count;
        begin_stepping(&a, &rows[k]);
        begin_stepping(&b, &rows[k]);
        assert_int_equal(lv_compose(weights, &count, 2, 4, &err), LV_OK);
        assert_int_equal(lv_stepper_compose(a.stepper, count, &err), LV_OK);
        assert_int_equal(lv_stepper_compose(b.stepper, count, &err), LV_OK);
        for (int i = 0; i < 10; i++)
            take_composed(&a, weights, count, 0.02);
        const lv_memory_view from = lv_stepper_memory(a.stepper),
                             to = lv_stepper_memory(b.stepper);
        assert_int_equal(from.count, to.count);
        memcpy(to.numbers, from.numbers, (size_t)to.count * sizeof *to.numbers);
        memcpy(b.numbers, a.numbers, sizeof b.numbers);
        b.state.t = a.state.t;
        for (int i = 0; i < 5; i++)
            assert_int_equal(take_composed(&a, weights, count, 0.02),
                             take_composed(&b, weights, count, 0.02));
        assert_memory_equal(a.numbers, b.numbers, sizeof a.numbers);
        end_stepping(&a);
        end_stepping(&b);
    }
}

/* Coarse steps take several passes, which machine code makes in parts and the interpreter with all of the step. */
static int end_of(const way_to_step *way, bool native, double *end)
{
    enum { STEPS = 40 };
    stepping s;
    lv_error err;
    double weights[LV_COMPOSE_MOST];
    int count, passes = 0, by_program = 0;
    lv_native_enable(native);
    begin_stepping(&s, way);
    assert_int_equal(lv_compose(weights, &count, 2, 6, &err), LV_OK);
    assert_int_equal(lv_stepper_compose(s.stepper, count, &err), LV_OK);
    for (int i = 0; i < STEPS * count; i++) {
        passes += take_step(&s, weights[i % count] * 0.03, i % count == count - 1);
        by_program += lv_stepper_by_program(s.stepper);
    }
    memcpy(end, s.numbers, sizeof s.numbers);
    end_stepping(&s);
    lv_native_enable(true);
    assert_true(by_program > STEPS * count / 2);
    return passes;
}

static void coarse_steps_are_the_same_by_parts_of_a_program(void **state)
{
    static const way_to_step some[] = {
        FAMILY("pendulum-cartesian", LOBATTO, 2), FAMILY("pendulum3d", LOBATTO, 2),
        FAMILY("four-particles", LOBATTO, 2), FAMILY(oscillators, GAUSS, 2)};
    enum { SOME = sizeof some / sizeof *some, LEAST = 40 * 9 };
    (void)state;
    for (int k = 0; k < SOME; k++) {
        double by_code[3 * MOST_NUMBERS], interpreted[3 * MOST_NUMBERS];
        const int passes = end_of(&some[k], true, by_code);
        assert_int_equal(passes, end_of(&some[k], false, interpreted));
        assert_memory_equal(by_code, interpreted, sizeof by_code);
        assert_true(passes > LEAST);
    }
}

/* Begins two steppers of composed steps, of which the first one hides its substeps. */
static int begin_hiding(stepping *a, stepping *b, const way_to_step *way, double *weights)
{
    lv_error err;
    int count;
    begin_stepping(a, way);
    begin_stepping(b, way);
    assert_int_equal(lv_compose(weights, &count, 2, 4, &err), LV_OK);
    lv_stepper_hide_substeps(a->stepper);
    assert_int_equal(lv_stepper_compose(a->stepper, count, &err), LV_OK);
    assert_int_equal(lv_stepper_compose(b->stepper, count, &err), LV_OK);
    for (int i = 0; i < 20; i++) {
        take_composed(a, weights, count, 0.02);
        take_composed(b, weights, count, 0.02);
        assert_memory_equal(a->numbers, b->numbers, sizeof a->numbers);
    }
    return count;
}

/* The state is that of the last composed step until somebody asks, or a substep fails. */
static void hidden_substeps_change_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        stepping a, b;
        lv_error err;
        lv_step_report report = {0};
        double weights[LV_COMPOSE_MOST], before[3 * MOST_NUMBERS];
        const int count = begin_hiding(&a, &b, &rows[k], weights);
        memcpy(before, a.numbers, sizeof before);
        take_step(&a, weights[0] * 0.02, false);
        take_step(&b, weights[0] * 0.02, false);
        assert_memory_equal(a.numbers, before, sizeof before);
        (void)lv_stepper_memory(a.stepper);
        assert_memory_equal(a.numbers, b.numbers, sizeof b.numbers);
        for (int i = 1; i < count - 1; i++) {
            take_step(&a, weights[i] * 0.02, false);
            take_step(&b, weights[i] * 0.02, false);
        }
        assert_int_not_equal(
            lv_stepper_step(a.stepper, &a.state, (double)NAN, true, &report, &err),
            LV_OK);
        assert_memory_equal(a.numbers, b.numbers, sizeof b.numbers);
        end_stepping(&a);
        end_stepping(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(substeps_expect_what_the_same_substep_found),
        RUN(composed_steps_are_resumed_bit_for_bit),
        RUN(coarse_steps_are_the_same_by_parts_of_a_program),
        RUN(hidden_substeps_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
