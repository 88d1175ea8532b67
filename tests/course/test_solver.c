/* Coarse steps of bodies that roll: how many passes they take, and how many matrices these build. */
#include "../step/stepping.h"

#include "stepper/stepper_private.h"

/* A wheel that turns by 0.4 in a step, with a rider. */
static const way_to_step unicycle = OPEN_FAMILY("unicycle", LOBATTO, 4);
static const double step = 0.04;

/* The velocity at the end of a step and those that nonholonomic constraints ask for are factors in all
 * equations; those of the stages decide about positions. */
static void equations_are_affine_in_velocities_that_move_nothing(void **state)
{
    (void)state;
    stepping s;
    begin_stepping(&s, &unicycle);
    const lv_course *c = lv_stepper_course(s.stepper);
    int curved = 0, affine = 0;
    for (int k = 0; k < c->phase[1].columns.count; k++) {
        const lv_phase_column *column = &c->phase[1].columns.data[k];
        const char *name = c->form.fields.data[column->field].name;
        if (!column->vector)
            continue;
        assert_int_equal(column->curved, strcmp(name, "V") == 0);
        curved += column->curved;
        affine += !column->curved;
    }
    assert_int_equal(curved, 4);
    assert_int_equal(affine, 3);
    end_stepping(&s);
}

/* Every matrix evaluates the curvature of constraints at the four stages. */
static long count_matrices(const stepping *s)
{
    return lv_stepper_course(s->stepper)->evaluations[LV_Q_CURVATURE] / 4;
}

/* The first steps, which have no past steps to begin from. When corrections of all velocities had to
 * shrink they took 79 passes with 149 matrices, of which most were those of shortened corrections.
 * Their guesses are so far off that their branch is followed as well, which is not counted here. */
static void corrections_that_only_follow_shorten_little(void **state)
{
    (void)state;
    enum { STEPS = 5 };
    stepping s;
    int passes = 0, matrices = 0;
    begin_stepping(&s, &unicycle);
    const lv_newton *newton = &s.stepper->solvers[0].newton;
    for (int k = 0; k < STEPS; k++) {
        (void)take_step(&s, step, true);
        passes += newton->iterations;
        matrices += newton->built;
    }
    assert_in_range(passes, STEPS, 12 * STEPS);
    assert_in_range(matrices, STEPS, 12 * STEPS);
    end_stepping(&s);
}

/* Past steps give guesses whose positions are good, although the velocity that follows from them is not;
 * and an old matrix serves for several passes. */
static void later_steps_begin_from_past_ones(void **state)
{
    (void)state;
    enum { FIRST = 16, STEPS = 26 };
    stepping s;
    begin_stepping(&s, &unicycle);
    for (int k = 0; k < FIRST; k++)
        (void)take_step(&s, step, true);
    const long before = count_matrices(&s);
    int passes = 0;
    for (int k = 0; k < STEPS; k++) {
        passes += take_step(&s, step, true);
        assert_false(s.stepper->solvers[0].newton.without_history);
    }
    const long matrices = count_matrices(&s) - before;
    print_message("%d passes, %ld matrices\n", passes, matrices);
    assert_at_most(passes, 3.5 * STEPS);
    assert_at_most((double)matrices, 2 * STEPS);
    end_stepping(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_are_affine_in_velocities_that_move_nothing),
        cmocka_unit_test(corrections_that_only_follow_shorten_little),
        cmocka_unit_test(later_steps_begin_from_past_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
