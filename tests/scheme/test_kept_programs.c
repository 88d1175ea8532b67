/* Programs of steps that keep an approximate matrix for all passes of a step: schemes with many stages, whose exact
 * matrices would be too large for a program. */
#include "../claims/moving.h"
#include "../step/stepping.h"
#include "run/sim.h"
#include "stepper/stepper.h"

#include <livens/sim.h>
#include <math.h>

enum { MOST_COORDINATES = 40, STEPS = 200 };

typedef struct kept_case {
    const char *model;
    int stages;
    double h;
    double spread; /* by which rounding may have grown after all steps */
} kept_case;

static const kept_case cases[] = {
    {"four-particles", 4, 0.015, 1e-11},
    {"four-particles", 5, 0.01, 1e-11},
    {"chain", 3, 0.001, 1e-10},
    {"chain", 4, 0.002, 1e-10},
};
enum { CASES = sizeof cases / sizeof *cases };

/* A pendulum with a string of springs. */
static const char springs[] =
    "[coordinates]\na = [1, 0, 0]\nb = { count = 8, value = [\"1 + i\", 0.01, 0] }\n"
    "[energy.pendulum]\nkinetic = \"norm2(a')/2\"\n"
    "potential = \"9.81*a[3] + %g*norm2(b_1 - a - [1, 0, 0])\"\n"
    "[energy.points]\nfor = \"i = 1..8\"\nkinetic = \"norm2(b_i')/2\"\n"
    "potential = \"9.81*b_i[3]\"\n"
    "[energy.springs]\nfor = \"i = 2..8\"\n"
    "potential = \"%g*norm2(b_i - b_{i-1} - [1, 0, 0])\"\n"
    "[constraints.rod]\nholonomic = \"norm2(a) - 1\"\n";

typedef struct outcome {
    double q[MOST_COORDINATES], v[MOST_COORDINATES];
    int n, by_program;
} outcome;

static lv_sim *begin(const lv_model *model, const kept_case *c, lv_step_way way)
{
    const method m = {.scheme = "lobatto", .stages = c->stages};
    lv_stepper_force(way);
    lv_sim *sim = start(model, &m, c->h);
    lv_stepper_force(LV_WAY_COURSE);
    return sim;
}

static void take_steps(lv_sim *sim, outcome *x, int steps)
{
    for (int k = 0; k < steps; k++) {
        step_once(sim);
        x->by_program += lv_stepper_by_program(sim->scheme->stepper(sim->work));
    }
    x->n = sim->system->n;
    assert_in_range(x->n, 1, MOST_COORDINATES);
    memcpy(x->q, lv_sim_position(sim), (size_t)x->n * sizeof *x->q);
    memcpy(x->v, lv_sim_velocity(sim), (size_t)x->n * sizeof *x->v);
}

static outcome run_case(const kept_case *c, lv_step_way way, int steps)
{
    outcome x = {.n = 0};
    lv_model *model = model_of(c->model);
    lv_sim *sim = begin(model, c, way);
    take_steps(sim, &x, steps);
    lv_sim_free(sim);
    lv_model_free(model);
    return x;
}

static bool is_same(const outcome *a, const outcome *b)
{
    const size_t bytes = (size_t)a->n * sizeof *a->q;
    return memcmp(a->q, b->q, bytes) == 0 && memcmp(a->v, b->v, bytes) == 0;
}

static double relative(const double *x, const double *y, int n)
{
    double apart = 0, size = 1;
    for (int i = 0; i < n; i++) {
        apart = fmax(apart, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    return apart / size;
}

static void kept_matrices_lead_to_the_steps_of_the_course(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        const outcome course = run_case(&cases[k], LV_WAY_COURSE, STEPS),
                      program = run_case(&cases[k], LV_WAY_USUAL, STEPS);
        assert_int_equal(course.by_program, 0);
        assert_in_range(program.by_program, STEPS - 5, STEPS);
        assert_true(relative(program.q, course.q, course.n) <= cases[k].spread);
    }
}

static void interpreter_and_code_give_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        const outcome code = run_case(&cases[k], LV_WAY_USUAL, STEPS);
        lv_native_enable(false);
        const outcome interpreted = run_case(&cases[k], LV_WAY_USUAL, STEPS);
        lv_native_enable(true);
        assert_int_equal(code.by_program, interpreted.by_program);
        assert_true(is_same(&code, &interpreted));
    }
}

/* Factors are no part of the state: every step makes its own. */
static void resumed_runs_have_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        lv_model *model = model_of(cases[k].model);
        lv_sim *sim = begin(model, &cases[k], LV_WAY_USUAL),
               *other = begin(model, &cases[k], LV_WAY_USUAL);
        lv_error err;
        outcome x = {.n = 0}, y = {.n = 0};
        take_steps(sim, &x, STEPS / 2 + 3);
        assert_int_equal(lv_sim_copy(other, sim, &err), LV_OK);
        take_steps(sim, &x, STEPS);
        take_steps(other, &y, STEPS);
        assert_in_range(y.by_program, STEPS - 5, STEPS);
        assert_true(is_same(&x, &y));
        lv_sim_free(sim);
        lv_sim_free(other);
        lv_model_free(model);
    }
}

static outcome run_springs(double stiffness, lv_step_way way)
{
    char text[1000];
    snprintf(text, sizeof text, springs, stiffness, stiffness);
    return run_case(&(kept_case){text, 4, 0.01, 0}, way, STEPS);
}

/* Where springs oscillate faster than the step, passes without their stiffness in the matrix do not contract. The
 * course takes such steps with exact matrices, and the program is not tried again for a while. */
static void programs_leave_stiff_systems_to_the_course(void **state)
{
    (void)state;
    const outcome soft = run_springs(20, LV_WAY_USUAL),
                  stiff = run_springs(2e4, LV_WAY_USUAL),
                  course = run_springs(2e4, LV_WAY_COURSE);
    assert_in_range(soft.by_program, STEPS - 5, STEPS);
    assert_in_range(stiff.by_program, 0, STEPS / 10);
    assert_true(relative(stiff.q, course.q, course.n) <= 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(kept_matrices_lead_to_the_steps_of_the_course),
        RUN(interpreter_and_code_give_the_same_bits),
        RUN(resumed_runs_have_the_same_bits),
        RUN(programs_leave_stiff_systems_to_the_course),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
