/* Steppers of bodies on groups, for tests. */
#ifndef LV_TESTS_TURNING_STEPS_H
#define LV_TESTS_TURNING_STEPS_H

#include "stepping.h"

#include "model/moving.h"

/* A scheme on a model whose bodies move on groups. */
typedef struct turning_way {
    const char *model; /* shipped, or a text */
    lv_family family;
    int stages;
    lv_chart chart;
    bool coupled; /* poses are */
    bool exact;   /* bodies turn freely between kicks, in no chart */
} turning_way;

typedef struct turning_steps {
    lv_model *model;
    lv_system *still, *moving;
    lv_tableau *tableau;
    lv_stepper *stepper;
    const lv_motion *motion;
    lv_state state; /* in coordinates */
    double numbers[3 * MOST_NUMBERS];
} turning_steps;

/* The state is the start of the model, moved onto its constraints. */
static inline void begin_turning(turning_steps *s, const turning_way *way)
{
    lv_error err;
    *s = (turning_steps){.model = model_of(way->model)};
    if (lv_system_create(&s->still, s->model, &err) != LV_OK ||
        lv_system_move(s->still, way->coupled, &s->moving, &err) != LV_OK ||
        lv_tableau_create(&s->tableau, way->family, way->stages, &err) != LV_OK ||
        lv_partitioned_stepper(&s->stepper, s->moving, s->tableau, -1,
                               way->exact                   ? LV_ROTATIONS_EXACT
                               : way->chart == LV_CHART_EXP ? LV_ROTATIONS_EXP
                                                            : LV_ROTATIONS_CAY,
                               &err) != LV_OK)
        fail_with(&err);
    s->motion = s->moving->model->motion;
    const int n = s->still->n;
    assert_in_range(n, 1, MOST_NUMBERS);
    s->state = (lv_state){0, s->numbers, s->numbers + n, s->numbers + 2 * n};
    memcpy(s->state.q, s->model->start_q, (size_t)n * sizeof(double));
    memcpy(s->state.v, s->model->start_v, (size_t)n * sizeof(double));
    if (lv_system_project_position(s->still, s->state.q, 0, &err) != LV_OK ||
        lv_system_project_velocity(s->still, s->state.v, 0, s->state.q, &err) != LV_OK)
        fail_with(&err);
    lv_system_momentum(s->still, s->state.p, 0, s->state.q, s->state.v);
}

static inline void end_turning(turning_steps *s)
{
    lv_stepper_free(s->stepper);
    lv_tableau_free(s->tableau);
    lv_system_free(s->still);
    lv_model_free(s->model);
}

static inline void take_turning_step(turning_steps *s, double h)
{
    lv_error err;
    lv_step_report report = {0};
    if (lv_stepper_step(s->stepper, &s->state, h, true, &report, &err) != LV_OK)
        fail_with(&err);
    s->state.t += h;
}

/* A pendulum of two bodies with a spring and gravity, of every kind of joint. */
#define TURNING_PAIR(joint)                                                              \
    "[gravity]\nacceleration = [0, 0, -9.81]\n"                                          \
    "[bodies.a]\nmass = 1.2\ninertia = [0.10, 0.15, 0.22]\nposition = [0, 0, 0]\n"       \
    "rotation = [0.3, -0.2, 0.5]\nvelocity = [0.3, 0.1, -0.2]\n"                         \
    "angular_velocity = [1.5, -2.0, 1.0]\n"                                              \
    "[bodies.b]\nmass = 0.8\ninertia = [0.08, 0.12, 0.05]\nposition = [0.7, 0.2, 0.1]\n" \
    "rotation = [-0.4, 0.1, 0.2]\nangular_velocity = [-1.0, 2.0, 0.5]\n"                 \
    "[joints.j]\nbetween = [\"a\", \"b\"]\nat = [0.4, 0.1, 0]\n" joint                   \
    "[springs.s]\nbetween = [[0, 0, 1], \"point(a, [0.1, 0.2, -0.1])\"]\n"               \
    "stiffness = 30\nlength = 0.5\n"

static const char turning_free[] = "[bodies.b]\nmass = 1\ninertia = [1, 2, 2.5]\n"
                                   "position = [0.1, 0, 0.2]\nvelocity = [0.3, 0, 0.1]\n"
                                   "rotation = [0.2, -0.4, 0.3]\n"
                                   "angular_velocity = [0.4, 1.1, 0.3]\n";
static const char turning_revolute[] =
    TURNING_PAIR("type = \"revolute\"\naxis = [0.2, 1, -0.3]\n");
static const char turning_spherical[] = TURNING_PAIR("type = \"spherical\"\n");
static const char turning_prismatic[] =
    TURNING_PAIR("type = \"prismatic\"\naxis = [0.7, 0.3, 0.2]\n");

/* A body that rolls, a plain coordinate that is joined to it, and forces of velocities. */
static const char turning_mixed[] =
    "[gravity]\nacceleration = [0, 0, -9.81]\n"
    "[coordinates]\nx = { value = 0.1, velocity = 0.7 }\n"
    "phi = { value = 0, velocity = 1.4 }\n"
    "[energy]\nkinetic = \"(1 + 0.2*cos(x))*x'^2 + 0.1*phi'^2\"\n"
    "potential = \"12*x^2\"\n"
    "[bodies.b]\nmass = 1.3\ninertia = [0.05, 0.08, 0.03]\n"
    "position = [0.1, 0, -0.4]\nvelocity = [0.7, 0.2, 0]\nspin = [0.5, 0, 1.5]\n"
    "[constraints.seat]\nholonomic = \"point(b, [0, 0, 0.4]) - [x, 0, 0]\"\n"
    "[constraints.gear]\nnonholonomic = \"phi' - (2 + 1.5*b.e3[1])*x'\"\n"
    "[forces.drag]\non = \"b\"\nforce = \"-0.1*b'\"\n";

#endif
