/* Steps of bodies on groups that a program makes are those of the course, to rounding. */
#include "../step/turning_steps.h"
#include "groups.h"
#include "run/sim.h"

#include <livens/sim.h>

enum { MOST_COORDINATES = 40, STEPS = 4 };
enum { DIRECTORS, EXP, CAY, EXACT };

static const char pivoted_top[] = "[gravity]\nacceleration = [0, 0, -9.81]\n"
                                  "[bodies.top]\nmass = 15\n"
                                  "inertia = [0.234375, 0.46875, 0.234375]\n"
                                  "position = [0, 1, 0]\npivot = [0, -1, 0]\n"
                                  "angular_velocity = [0, 150, -4.61538]\n";

static const char unicycle[] =
    "[bodies.wheel]\nmass = 2\ninertia = 0.5\nposition = [1, 0.5]\nangle = 0.3\n"
    "velocity = [\"0.4*cos(0.3)\", \"0.4*sin(0.3)\"]\nangular_velocity = 1.2\n"
    "[energy]\npotential = \"norm2(wheel)/2\"\n"
    "[constraints.blade]\nnonholonomic = \"dot(wheel', wheel.e2)\"\n";

/* A spring on a joint whose angle counts turns. */
static const char wound[] =
    "[gravity]\nacceleration = [0, 0, -9.81]\n"
    "[bodies.bar]\nmass = 1\ninertia = [0.1, 0.2, 0.2]\nposition = [1, 0, 0]\n"
    "spin = [0, 9, 0]\nvelocity = [0, 0, -9]\n"
    "[joints.hinge]\ntype = \"revolute\"\nbetween = [\"ground\", \"bar\"]\n"
    "at = [0, 0, 0]\naxis = [0, 1, 0]\n"
    "[motors.spring]\njoint = \"hinge\"\ntorque = \"-2*hinge.angle - 0.1*hinge.rate\"\n";

typedef struct program_case {
    const char *name, *model, *scheme;
    int stages, compose, rotations;
    bool coupled;
    double h;
} program_case;

static const program_case cases[] = {
    {"top", pivoted_top, "verlet", 0, 0, EXACT, false, 1e-3},
    {"top", pivoted_top, "verlet", 0, 8, EXACT, false, 1e-2},
    {"top", pivoted_top, "verlet", 0, 0, EXP, false, 1e-3},
    {"top", pivoted_top, "gauss", 2, 0, EXP, false, 1e-3},
    {"top", pivoted_top, "gauss", 2, 0, CAY, false, 1e-3},
    {"top", pivoted_top, "rattle", 0, 0, DIRECTORS, false, 1e-3},
    {"free body", turning_free, "verlet", 0, 0, EXACT, false, 0.1},
    {"free body", turning_free, "verlet", 0, 0, EXP, false, 0.1},
    {"free body", turning_free, "gauss", 1, 0, EXP, false, 0.5},
    {"free body", turning_free, "rattle", 0, 0, DIRECTORS, false, 0.1},
    {"free body", turning_free, "verlet", 0, 0, EXP, true, 0.01},
    {"free body", turning_free, "verlet", 0, 0, CAY, true, 0.01},
    {"ball joint", turning_spherical, "rattle", 0, 0, EXACT, false, 0.001},
    {"ball joint", turning_spherical, "rattle", 0, 0, DIRECTORS, false, 0.001},
    {"ball joint", turning_spherical, "rattle", 0, 0, EXP, false, 0.001},
    {"hinge", turning_revolute, "rattle", 0, 0, EXACT, false, 0.001},
    {"hinge", turning_revolute, "rattle", 0, 0, CAY, false, 0.001},
    {"slider", turning_prismatic, "rattle", 0, 0, EXACT, false, 0.001},
    {"mixed", turning_mixed, "lobatto", 2, 0, EXP, false, 0.01},
    {"unicycle", unicycle, "lobatto", 2, 0, EXP, true, 0.05},
    {"unicycle", unicycle, "lobatto", 3, 0, EXP, true, 0.05},
    {"unicycle", unicycle, "lobatto", 3, 0, CAY, true, 0.05},
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct outcome {
    double q[MOST_COORDINATES], v[MOST_COORDINATES];
    int n, by_program;
} outcome;

static outcome run_steps(const program_case *c, lv_step_way way, int steps)
{
    outcome x = {.n = 0};
    method m = {.scheme = c->scheme, .stages = c->stages, .compose = c->compose};
    char text[4000];
    snprintf(text, sizeof text, "%s[run]\ninitial = \"project\"\n", c->model);
    lv_model *model = model_of(text);
    lv_scheme_option_set(&m.more, LV_OPTION_ROTATIONS, c->rotations);
    if (c->coupled)
        lv_scheme_option_set(&m.more, LV_OPTION_POSES, 1);
    lv_stepper_force(way);
    lv_sim *sim = start(model, &m, c->h);
    lv_stepper_force(LV_WAY_COURSE);
    for (int k = 0; k < steps; k++) {
        step_once(sim);
        x.by_program += lv_stepper_by_program(sim->scheme->stepper(sim->work));
    }
    x.n = sim->system->n;
    assert_in_range(x.n, 1, MOST_COORDINATES);
    memcpy(x.q, lv_sim_position(sim), (size_t)x.n * sizeof *x.q);
    memcpy(x.v, lv_sim_velocity(sim), (size_t)x.n * sizeof *x.v);
    lv_sim_free(sim);
    lv_model_free(model);
    return x;
}

static outcome run_case(const program_case *c, lv_step_way way)
{
    return run_steps(c, way, STEPS);
}

static double relative(const double *x, const double *y, int n)
{
    return distance(x, y, n) / fmax(1, largest(y, n));
}

static void programs_step_bodies_as_the_course_does(void **state)
{
    (void)state;
    int wrong = 0;
    for (int k = 0; k < CASES; k++) {
        const program_case *c = &cases[k];
        const outcome course = run_case(c, LV_WAY_COURSE),
                      program = run_case(c, LV_WAY_USUAL);
        const double q = relative(program.q, course.q, course.n),
                     v = relative(program.v, course.v, course.n);
        /* positions to rounding; rounding of positions is felt in velocities over h */
        const bool good =
            q <= 1e-13 && v <= 1e-13 + 1e-15 / c->h && program.by_program >= STEPS - 1;
        print_message("    %-10s %-7s %d %d rotations %d%s: %d steps, %.1e %.1e%s\n",
                      c->name, c->scheme, c->stages, c->compose, c->rotations,
                      c->coupled ? " coupled" : "", program.by_program, q, v,
                      good ? "" : " !");
        assert_int_equal(course.by_program, 0);
        wrong += !good;
    }
    assert_int_equal(wrong, 0);
}

static void interpreter_and_code_give_the_same_bits(void **state)
{
    (void)state;
    int wrong = 0;
    for (int k = 0; k < CASES; k++) {
        const outcome code = run_case(&cases[k], LV_WAY_USUAL);
        lv_native_enable(false);
        const outcome interpreted = run_case(&cases[k], LV_WAY_USUAL);
        lv_native_enable(true);
        const size_t bytes = (size_t)code.n * sizeof *code.q;
        const bool same = code.by_program == interpreted.by_program &&
                          memcmp(code.q, interpreted.q, bytes) == 0 &&
                          memcmp(code.v, interpreted.v, bytes) == 0;
        if (!same)
            print_message("    %s %s, rotations %d\n", cases[k].name, cases[k].scheme,
                          cases[k].rotations);
        wrong += !same;
    }
    assert_int_equal(wrong, 0);
}

/* ---- angles that count turns ------------------------------------------------------------------------------- */

/* In 600 steps the bar goes around more than once. */
static void angles_that_count_turns_are_followed(void **state)
{
    (void)state;
    const program_case rotations[] = {
        {"wound", wound, "rattle", 0, 0, DIRECTORS, false, 2e-3},
        {"wound", wound, "rattle", 0, 0, EXP, false, 2e-3},
        {"wound", wound, "rattle", 0, 0, EXACT, false, 2e-3}};
    for (size_t k = 0; k < sizeof rotations / sizeof *rotations; k++) {
        const outcome course = run_steps(&rotations[k], LV_WAY_COURSE, 600),
                      program = run_steps(&rotations[k], LV_WAY_USUAL, 600);
        assert_int_equal(course.by_program, 0);
        assert_in_range(program.by_program, 500, 600);
        assert_at_most(relative(program.q, course.q, course.n), 1e-12);
        assert_at_most(relative(program.v, course.v, course.n), 1e-12);
    }
}

/* ---- sizes of steps --------------------------------------------------------------------------------------- */

/* More of them than a program remembers, each of them several times. */
static void run_sizes(lv_step_way way, double *q, int *by_program)
{
    const turning_way gauss = {turning_free, LV_FAMILY_GAUSS, 1, LV_CHART_EXP};
    turning_steps s;
    lv_stepper_force(way);
    begin_turning(&s, &gauss);
    lv_stepper_force(LV_WAY_COURSE);
    *by_program = 0;
    for (int k = 0; k < 240; k++) {
        take_turning_step(&s, 1e-3 * (1 + k * 7 % 40));
        *by_program += lv_stepper_by_program(s.stepper);
    }
    memcpy(q, s.state.q, 12 * sizeof *q);
    end_turning(&s);
}

static void steps_of_many_sizes_are_those_of_the_course(void **state)
{
    (void)state;
    double course[12], program[12];
    int by_course, by_program;
    run_sizes(LV_WAY_COURSE, course, &by_course);
    run_sizes(LV_WAY_USUAL, program, &by_program);
    assert_int_equal(by_course, 0);
    assert_in_range(by_program, 120, 240);
    assert_at_most(relative(program, course, 12), 1e-13);
}

/* ---- bail-outs --------------------------------------------------------------------------------------------- */

/* Beyond 3 rad a step the formulas of the chart do not hold: the course takes the step, with the same result as ever. */
static void steps_that_turn_too_far_are_left_to_the_course(void **state)
{
    (void)state;
    static const char spinning[] = "[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n"
                                   "position = [0, 0, 0]\npivot = [0, 0, 0]\n"
                                   "angular_velocity = [0, 0, 1]\n";
    const program_case near = {"spinning", spinning, "verlet", 0, 0, EXP, false, 2.9},
                       far = {"spinning", spinning, "verlet", 0, 0, EXP, false, 3.05};
    const outcome inside = run_case(&near, LV_WAY_USUAL),
                  beyond = run_case(&far, LV_WAY_USUAL);
    assert_in_range(inside.by_program, STEPS - 1, STEPS);
    assert_int_equal(beyond.by_program, 0);
    assert_at_most(fabs(inside.q[0] - cos(STEPS * 2.9)), 1e-13);
    assert_at_most(fabs(beyond.q[0] - cos(STEPS * 3.05)), 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(programs_step_bodies_as_the_course_does),
        RUN(interpreter_and_code_give_the_same_bits),
        RUN(angles_that_count_turns_are_followed),
        RUN(steps_of_many_sizes_are_those_of_the_course),
        RUN(steps_that_turn_too_far_are_left_to_the_course),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
