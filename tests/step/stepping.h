/* Steppers of partitioned texts on models, for tests. */
#ifndef LV_TESTS_STEPPING_H
#define LV_TESTS_STEPPING_H

#include "../model/reading.h"

#include "course/course.h"
#include "scheme/partitioned_text.h"
#include "stepper/stepper.h"

enum { MOST_NUMBERS = 64 };

/* A partitioned scheme: tableau of an ansatz or of a family, multipliers as polynomials or at stages. */
typedef struct way_to_step {
    const char *model; /* shipped, or a text */
    lv_family family;
    int stages;
    int coefficients;   /* of multipliers as polynomials; -1: at stages */
    lv_closure closure; /* with coefficients >= 0: Gauss points, degree stages - 1 */
    bool series;        /* then: the velocities as a series */
    const char *text;   /* instead of all of this: a text without coefficients */
    bool not_symplectic;
} way_to_step;

#define FAMILY(model, family, stages)                                                    \
    {                                                                                    \
        model, LV_FAMILY_##family, stages, -1, LV_CLOSURE_C                              \
    }
/* Forces of velocities, time, nonholonomic constraints. */
#define OPEN_FAMILY(model, family, stages)                                               \
    {                                                                                    \
        model, LV_FAMILY_##family, stages, -1, LV_CLOSURE_C, .not_symplectic = true      \
    }
#define SERIES(model, closure, stages, coefficients)                                     \
    {                                                                                    \
        model, LV_FAMILY_GAUSS, stages, coefficients, LV_CLOSURE_##closure, true         \
    }
#define SMOOTH(model, closure, stages, coefficients)                                     \
    {                                                                                    \
        model, LV_FAMILY_GAUSS, stages, coefficients, LV_CLOSURE_##closure               \
    }
#define PAIRS(model)                                                                     \
    {                                                                                    \
        model, LV_FAMILY_GAUSS, 1, -1, LV_CLOSURE_C, false, pairs, true                  \
    }

/* Discrete gradients, which have two ends. */
static const char pairs[] = "carried q point, p momentum, v tangent\n"
                            "unknown V tangent, y multiplier g\n"
                            "point q1 at 1 = q + h V\n"
                            "let K = DgT(q, q1; y) - DV(q, q1) + f(q1, V)\n"
                            "eq V: M(V) - p - 1/2 h K\n"
                            "eq y: g(q1)\n"
                            "assign q <- q1\n"
                            "assign p <- p + h K\n"
                            "assign v <- 2 V - v\n";

typedef struct stepping {
    lv_model *model;
    lv_system *system;
    lv_tableau *tableau;
    lv_stepper *stepper;
    lv_state state;
    double numbers[3 * MOST_NUMBERS];
} stepping;

static inline lv_model *model_of(const char *name)
{
    return strchr(name, '\n') ? read_text(name) : read_shipped(name, NULL, NULL);
}

static inline lv_status make_stepper(stepping *s, const way_to_step *way, lv_error *err)
{
    const lv_tableau *t = s->tableau;
    const lv_galerkin galerkin = {way->closure, way->stages - 1,  t->stages, t->c,
                                  t->b,         way->coefficients};
    if (way->text)
        return lv_stepper_create(&s->stepper, s->system, way->text, &(lv_step_table){0},
                                 (lv_stepper_options){0}, err);
    return way->series
               ? lv_series_stepper(&s->stepper, s->system, &galerkin, err)
               : lv_partitioned_stepper(&s->stepper, s->system, t, way->coefficients,
                                        LV_ROTATIONS_DIRECTORS, err);
}

/* The state is the start of the model; velocities are those that it has. */
static inline void begin_stepping(stepping *s, const way_to_step *way)
{
    lv_error err;
    const lv_ansatz ansatz = {LV_RULE_GAUSS, way->stages, way->closure, way->stages - 1};
    *s = (stepping){.model = model_of(way->model)};
    if (lv_system_create(&s->system, s->model, &err) != LV_OK ||
        (way->coefficients < 0
             ? lv_tableau_create(&s->tableau, way->family, way->stages, &err)
             : lv_tableau_ansatz(&s->tableau, &ansatz, &err)) != LV_OK ||
        make_stepper(s, way, &err) != LV_OK)
        fail_with(&err);
    const int n = s->system->n;
    assert_in_range(n, 1, MOST_NUMBERS);
    s->state = (lv_state){0, s->numbers, s->numbers + n, s->numbers + 2 * n};
    memcpy(s->state.q, s->model->start_q, (size_t)n * sizeof(double));
    memcpy(s->state.v, s->model->start_v, (size_t)n * sizeof(double));
    lv_system_momentum(s->system, s->state.p, 0, s->state.q, s->state.v);
}

static inline void end_stepping(stepping *s)
{
    lv_stepper_free(s->stepper);
    lv_tableau_free(s->tableau);
    lv_system_free(s->system);
    lv_model_free(s->model);
}

/* Returns the iterations. */
static inline int take_step(stepping *s, double h, bool project)
{
    lv_error err;
    lv_step_report report = {0};
    if (lv_stepper_step(s->stepper, &s->state, h, project, &report, &err) != LV_OK)
        fail_with(&err);
    s->state.t += h;
    return report.iterations;
}

/* Numbers between -1 and 1. */
static inline double scattered(int k, int salt)
{
    return sin(1.7 * k + 2.3 * salt + 0.4 + 0.1 * k * k);
}

/* Constant masses, forces of positions. */
static const char oscillators[] = "[coordinates]\n"
                                  "x = { value = 0.3, velocity = 0.2 }\n"
                                  "y = { value = -0.2, velocity = 0.4 }\n"
                                  "[energy]\n"
                                  "kinetic = \"x'^2 + 0.3*x'*y' + y'^2/2\"\n"
                                  "potential = \"x^2/2 + x^2*y + y^4\"\n";

static const char damped[] = "[coordinates]\n"
                             "x = { value = 0.3, velocity = 0.2 }\n"
                             "y = { value = -0.2, velocity = 0.4 }\n"
                             "[energy]\n"
                             "kinetic = \"x'^2 + 0.3*x'*y' + y'^2/2\"\n"
                             "potential = \"x^2/2 + x^2*y + y^4\"\n"
                             "[forces.drag]\n"
                             "on = [\"x\", \"y\"]\n"
                             "force = [\"-0.3*x' - 0.1*y'^3\", \"-0.2*x^2*y'\"]\n";

/* A force that depends on time. */
static const char driven[] = "[coordinates]\n"
                             "x = { value = 0.3, velocity = 0.2 }\n"
                             "[energy]\n"
                             "kinetic = \"x'^2\"\n"
                             "potential = \"x^4 - x*sin(3*t)\"\n";

/* Masses that vary, without and with a quartic constraint. */
static const char varying[] = "[coordinates]\n"
                              "x = { value = 0.3, velocity = 0.2 }\n"
                              "y = { value = -0.2, velocity = 0.4 }\n"
                              "[energy]\n"
                              "kinetic = \"(1 + y^2)*x'^2 + 0.3*x'*y'*cos(x) + y'^2/2\"\n"
                              "potential = \"x^2/2 + x^2*y + y^4\"\n";

static const char quartic_varying[] =
    "[coordinates]\n"
    "x = { value = 1, velocity = 0 }\n"
    "y = { value = 0, velocity = 0.4 }\n"
    "z = { value = 0, velocity = 0.3 }\n"
    "[energy]\n"
    "kinetic = \"(1 + y^2 + 0.3*z)*x'^2 + 0.3*x'*y'*cos(x) + y'^2/2 + z'^2\"\n"
    "potential = \"x^2/2 + x^2*y + y^4 + z\"\n"
    "[constraints.quartic]\n"
    "holonomic = \"x^4 + y^4 + z^4 + x*y^3 - 1\"\n";

/* Both kinds of constraints with constant masses. */
static const char both[] = "[coordinates]\n"
                           "x = { value = 1, velocity = 0 }\n"
                           "y = { value = 0, velocity = 0.4 }\n"
                           "z = { value = 0, velocity = 0.4 }\n"
                           "u = { value = 0.1, velocity = 0.1 }\n"
                           "[energy]\n"
                           "kinetic = \"x'^2 + 0.3*x'*y' + y'^2/2 + z'^2 + u'^2\"\n"
                           "potential = \"x^2/2 + x^2*y + y^4 + z + u^2*z\"\n"
                           "[constraints.quartic]\n"
                           "holonomic = \"x^4 + y^4 + z^4 + x*y^3 - 1\"\n"
                           "[constraints.rolling]\n"
                           "nonholonomic = \"z' - x*y' + u*u' - u*0.1\"\n";

/* Ways to step of all kinds. */
static const way_to_step ways[] = {
    FAMILY(oscillators, LOBATTO, 2),
    FAMILY(oscillators, LOBATTO, 3),
    FAMILY(oscillators, LOBATTO, 4),
    FAMILY(oscillators, GAUSS, 1),
    FAMILY(oscillators, GAUSS, 3),
    FAMILY(oscillators, RADAU, 2),
    FAMILY(oscillators, RADAU, 3),
    FAMILY(varying, LOBATTO, 2),
    FAMILY(varying, LOBATTO, 3),
    FAMILY(varying, GAUSS, 2),
    FAMILY("torus", LOBATTO, 2),
    FAMILY("torus", LOBATTO, 3),
    FAMILY("torus", LOBATTO, 5),
    FAMILY("pendulum-cartesian", LOBATTO, 2),
    FAMILY(quartic_varying, LOBATTO, 2),
    FAMILY(quartic_varying, LOBATTO, 3),
    FAMILY("four-particles", LOBATTO, 2),
    FAMILY("four-particles", LOBATTO, 3),
    FAMILY("double-rigid-pendulum", LOBATTO, 3),
    FAMILY("double-rigid-pendulum", LOBATTO, 4),
    SMOOTH("torus", LR, 3, 1),
    SMOOTH("torus", RL, 3, 1),
    SMOOTH("torus", RL, 3, 2),
    SMOOTH(quartic_varying, LR, 2, 1),
    SERIES("torus", LR, 3, 1),
    SERIES("torus", RL, 4, 2),
    SERIES("pendulum-cartesian", C, 3, 1),
    SERIES(oscillators, LR, 3, 0),
    OPEN_FAMILY(damped, LOBATTO, 2),
    OPEN_FAMILY(damped, LOBATTO, 3),
    OPEN_FAMILY(damped, GAUSS, 2),
    OPEN_FAMILY(driven, LOBATTO, 3),
    OPEN_FAMILY("rheonomic-pendulum", LOBATTO, 3),
    OPEN_FAMILY("nonholonomic-particle", LOBATTO, 2),
    OPEN_FAMILY("nonholonomic-particle", LOBATTO, 3),
    OPEN_FAMILY("nonholonomic-particle", LOBATTO, 4),
    OPEN_FAMILY(both, LOBATTO, 2),
    OPEN_FAMILY(both, LOBATTO, 3),
    OPEN_FAMILY("full-feature", LOBATTO, 2),
    OPEN_FAMILY("full-feature", LOBATTO, 3),
    PAIRS("torus"),
    PAIRS(oscillators),
    PAIRS(damped),
    PAIRS("four-particles"),
};
enum { WAYS = sizeof ways / sizeof *ways };

#endif
