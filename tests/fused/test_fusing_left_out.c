/* Steps of programs that leave out constraints which depend on others are those of the course, to rounding; where other
 * constraints would have to be left out, or those that are do not hold, the course takes the step. */
#include "../claims/moving.h"
#include "../scheme/four_bars.h"
#include "linkages.h"

#include "run/sim.h"
#include "stepper/stepper_private.h"

#include <math.h>

enum { DIRECTORS, EXP, CAY, EXACT };

/* Three bars in a plane, on hinges whose axes are parallel: of the constraints of four hinges three depend on others. */
#define HINGE(name, a, b, at)                                                            \
    "[joints." name "]\ntype = \"revolute\"\nbetween = [\"" a "\", \"" b "\"]\n"         \
    "at = " at "\naxis = [0, 1, 0]\n"
#define PLANE_LINKAGE                                                                    \
    "[gravity]\nacceleration = [0, 0, -9.81]\n"                                          \
    "[bodies.left]\nmass = 1\ninertia = [0.1, 0.1, 0.02]\nposition = [0, 0, 0.5]\n"      \
    "[bodies.top]\nmass = 2\ninertia = [0.02, 0.2, 0.2]\nposition = [0.6, 0, 1.1]\n"     \
    "[bodies.right]\nmass = 1\ninertia = [0.1, 0.1, 0.02]\nposition = [1.1, 0, "         \
    "0.6]\n" HINGE("A", "ground", "left", "[0, 0, 0]")                                   \
        HINGE("B", "left", "top", "[0, 0, 1]")                                           \
            HINGE("C", "top", "right", "[1.2, 0, 1.2]")                                  \
                HINGE("D", "right", "ground", "[1, 0, 0]")

static const char plane_linkage[] = PLANE_LINKAGE;
static const char driven_linkage[] =
    PLANE_LINKAGE "[motors.drive]\njoint = \"A\"\nangle = \"0.5*t\"\n";

/* A bar on two hinges of one axis. */
static const char door[] =
    "[gravity]\nacceleration = [0, 0, -9.81]\n"
    "[bodies.door]\nmass = 1\ninertia = [0.1, 0.2, 0.2]\nposition = [1, 0, 0]\n"
    "[joints.low]\ntype = \"revolute\"\nbetween = [\"ground\", \"door\"]\n"
    "at = [0, 0, 0]\naxis = [0, 1, 0.1]\n"
    "[joints.high]\ntype = \"revolute\"\nbetween = [\"ground\", \"door\"]\n"
    "at = [0, 1, 0.1]\naxis = [0, 1, 0.1]\n";

/* A disc that rolls in a plane, held up twice. */
static const char twice_on_the_ground[] =
    "[coordinates]\nx = { value = [0, 0, 0], velocity = [1, 0.5, 0] }\n"
    "a = { value = 0, velocity = 0.3 }\n"
    "[energy]\nkinetic = \"norm2(x')/2 + a'^2/4\"\npotential = \"9.81*x[3]\"\n"
    "[constraints]\n"
    "floor = { holonomic = \"x[3]\" }\nagain = { holonomic = \"2*x[3] + x[3]^2\" }\n"
    "blade = { nonholonomic = \"cos(a)*x[2]' - sin(a)*x[1]'\" }\n";

typedef struct left_out_case {
    const char *model; /* shipped, or a text */
    const char *scheme;
    int stages, compose, rotations;
    double h;
} left_out_case;

#define AGAIN LINKAGES LINKAGES_AGAIN
#define WHOLE LINKAGES LINKAGES_WHOLE

static const left_out_case cases[] = {
    {AGAIN, "rattle", 0, 0, 0, 1e-3},
    {WHOLE, "rattle", 0, 0, 0, 1e-3},
    {AGAIN, "rattle", 0, 4, 0, 1e-3},
    {FOUR_BAR_POINTS
     "[energy.masses]\nfor = \"i = 1..N+1\"\nkinetic = \"1/2*dot(b_i', b_i')\"\n"
     "[constraints.again]\nholonomic = \"3*dot(b_2 - b_1, b_2 - b_1) - 3\"\n",
     "em", 0, 0, 0, 1e-2},
    {FOUR_BAR_POINTS
     "[energy.masses]\nfor = \"i = 1..N+1\"\nkinetic = \"1/2*dot(b_i', b_i')\"\n"
     "[constraints.again]\nholonomic = \"3*dot(b_2 - b_1, b_2 - b_1) - 3\"\n",
     "vi-b2", 0, 0, 0, 1e-2},
    {FOUR_BAR_POINTS
     "[energy.masses]\nfor = \"i = 1..N+1\"\nkinetic = \"1/2*dot(b_i', b_i')\"\n"
     "[constraints.again]\nholonomic = \"3*dot(b_2 - b_1, b_2 - b_1) - 3\"\n",
     "lobatto", 3, 0, 0, 1e-2},
    {twice_on_the_ground, "lobatto", 2, 0, 0, 1e-2},
    {"bennett-linkage", "rattle", 0, 0, DIRECTORS, 1e-3},
    {"bennett-linkage", "rattle", 0, 0, EXP, 1e-3},
    {plane_linkage, "rattle", 0, 0, DIRECTORS, 1e-3},
    {plane_linkage, "rattle", 0, 0, EXP, 1e-3},
    {plane_linkage, "rattle", 0, 0, CAY, 1e-3},
    {plane_linkage, "rattle", 0, 0, EXACT, 1e-3},
    {driven_linkage, "rattle", 0, 0, EXP, 1e-3},
    {door, "rattle", 0, 0, DIRECTORS, 1e-3},
    {door, "rattle", 0, 0, EXP, 1e-3},
};
enum { CASES = sizeof cases / sizeof *cases, STEPS = 40 };

static lv_model *model_of(const char *model)
{
    return strchr(model, '\n') ? read_text(model) : read_shipped(model, NULL, NULL);
}

static lv_sim *start_case(const lv_model *model, const left_out_case *c, lv_step_way way)
{
    method m = {.scheme = c->scheme, .stages = c->stages, .compose = c->compose};
    lv_sim *sim = NULL;
    lv_error err;
    if (c->rotations != DIRECTORS)
        lv_scheme_option_set(&m.more, LV_OPTION_ROTATIONS, c->rotations);
    lv_sim_options options = sim_options(model, &m, c->h);
    options.initial = LV_INITIAL_PROJECT;
    lv_stepper_force(way);
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK)
        fail_with(&err);
    lv_stepper_force(LV_WAY_USUAL);
    return sim;
}

static const lv_stepper *stepper_of(lv_sim *sim)
{
    return sim->scheme->stepper(sim->work);
}

/* How many of these steps were made by a program. */
static int walk(lv_sim *sim, int steps)
{
    lv_error err;
    int by_program = 0;
    for (int k = 0; k < steps; k++) {
        if (lv_sim_step(sim, &err) != LV_OK)
            fail_with(&err);
        by_program += lv_stepper_by_program(stepper_of(sim));
    }
    return by_program;
}

static double apart(const double *x, const double *y, int n)
{
    double most = 0, size = 1;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    return most / size;
}

static void programs_step_as_the_course_does(void **state)
{
    (void)state;
    int wrong = 0;
    for (int k = 0; k < CASES; k++) {
        const left_out_case *c = &cases[k];
        lv_model *model = model_of(c->model);
        lv_sim *course = start_case(model, c, LV_WAY_COURSE),
               *program = start_case(model, c, LV_WAY_USUAL);
        const int by_course = walk(course, STEPS), made = walk(program, STEPS),
                  n = lv_model_coordinate_count(model);
        const double q = apart(lv_sim_position(program), lv_sim_position(course), n),
                     v = apart(lv_sim_velocity(program), lv_sim_velocity(course), n);
        const bool good = by_course == 0 && made >= STEPS - 2 &&
                          stepper_of(program)->frozen.count > 0 && q <= 1e-13 &&
                          v <= 1e-13 + 1e-15 / c->h;
        print_message("    %2d %-7s rotations %d: %d rows left out, %d of %d steps, %.1e "
                      "%.1e%s\n",
                      k, c->scheme, c->rotations, stepper_of(program)->frozen.count, made,
                      STEPS, q, v, good ? "" : " !");
        wrong += !good;
        lv_sim_free(course);
        lv_sim_free(program);
        lv_model_free(model);
    }
    assert_int_equal(wrong, 0);
}

/* ---- other choices ------------------------------------------------------------------------------------------ */

static void restore(lv_sim *to, lv_sim *from)
{
    lv_error err;
    const int count = lv_sim_save_count(from);
    double *numbers = malloc((size_t)count * sizeof *numbers);
    assert_non_null(numbers);
    if (lv_sim_save(from, numbers, count, &err) != LV_OK ||
        lv_sim_restore(to, numbers, count, &err) != LV_OK)
        fail_with(&err);
    free(numbers);
}

/* The hinges that are left out in the beginning do not stay a good choice. The program goes on with others, and a run
 * that is resumed before or after has the same bits. */
static void programs_go_on_with_another_choice(void **state)
{
    (void)state;
    const left_out_case bennett = {"bennett-linkage", "rattle", 0, 0, DIRECTORS, 2e-3};
    enum { PARTS = 3, PART = 300 };
    lv_model *model = model_of(bennett.model);
    lv_sim *sim = start_case(model, &bennett, LV_WAY_USUAL);
    const int n = lv_model_coordinate_count(model), rows = sim->system->m;
    bool *before = calloc((size_t)rows, sizeof *before);
    assert_non_null(before);
    (void)walk(sim, 1);
    memcpy(before, stepper_of(sim)->frozen.rows, (size_t)rows * sizeof *before);
    for (int k = 0; k < PARTS; k++) {
        lv_sim *resumed = start_case(model, &bennett, LV_WAY_USUAL);
        restore(resumed, sim);
        const int made = walk(sim, PART);
        assert_in_range(made, PART - 4, PART);
        (void)walk(resumed, PART);
        assert_memory_equal(lv_sim_position(sim), lv_sim_position(resumed),
                            (size_t)n * sizeof(double));
        assert_memory_equal(lv_sim_velocity(sim), lv_sim_velocity(resumed),
                            (size_t)n * sizeof(double));
        lv_sim_free(resumed);
    }
    assert_memory_not_equal(before, stepper_of(sim)->frozen.rows,
                            (size_t)rows * sizeof *before);
    free(before);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* When all cranks lie on the line of the couplers more constraints depend on others than usually. The course finds out,
 * and the motion is that of the mechanism without the second couplers. */
static void lines_are_passed(void **state)
{
    (void)state;
    const left_out_case plain = {four_bar_particles, "rattle", 0, 0, 0, 1e-3};
    left_out_case twice = plain;
    char text[2048];
    snprintf(text, sizeof text, "%s%s", four_bar_particles,
             "[constraints.again]\nfor = \"i = 1..N\"\n"
             "holonomic = \"2*dot(b_{i+1} - b_i, b_{i+1} - b_i) - 2\"\n");
    twice.model = text;
    lv_model *one = read_text(plain.model), *two = read_text(twice.model);
    lv_sim *a = start_case(one, &plain, LV_WAY_USUAL),
           *b = start_case(two, &twice, LV_WAY_USUAL);
    const int n = lv_model_coordinate_count(one);
    bool passed = false;
    int made = 0;
    for (int k = 0; k < 2000; k++) {
        (void)walk(a, 1);
        made += walk(b, 1);
        passed = passed || lv_sim_position(b)[1] < -0.1;
        assert_at_most(apart(lv_sim_position(b), lv_sim_position(a), n), 1e-9);
    }
    print_message("    %d of 2000 steps by a program\n", made);
    assert_true(passed);
    assert_in_range(made, 1000, 1990);
    lv_sim_free(a);
    lv_sim_free(b);
    lv_model_free(one);
    lv_model_free(two);
}

/* ---- contradictions ------------------------------------------------------------------------------------------- */

/* Constraints agree until t = 0.5: the program makes the steps until then, and the course says what is wrong. */
static void constraints_that_cease_to_agree_are_named(void **state)
{
    (void)state;
    lv_error err;
    double kept[2];
    const left_out_case rods = {
        "[coordinates]\nx = { value = [1, 0], velocity = [0, 0] }\n"
        "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"9.81*x[2]\"\n"
        "[constraints]\nrod = { holonomic = \"norm2(x) - 1\" }\n"
        "again = { holonomic = \"2*norm2(x) - 2 - max(0, t - 0.5)^2\" }\n",
        "rattle",
        0,
        0,
        0,
        0.01};
    lv_model *model = model_of(rods.model);
    lv_sim *sim = start_case(model, &rods, LV_WAY_USUAL);
    assert_in_range(walk(sim, 50), 45, 50);
    memcpy(kept, lv_sim_position(sim), sizeof kept);
    assert_int_equal(lv_sim_step(sim, &err), LV_ERR_NUMERIC);
    assert_non_null(
        strstr(err.text, "constraints 'rod' and 'again' contradict each other"));
    assert_memory_equal(lv_sim_position(sim), kept, sizeof kept);
    lv_sim_free(sim);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(programs_step_as_the_course_does),
        RUN(programs_go_on_with_another_choice),
        RUN(lines_are_passed),
        RUN(constraints_that_cease_to_agree_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
