/* Bodies on groups with nonholonomic constraints that are not linear in velocities, and
 * momenta that are more than a constant inertia times velocities. The gradients of such
 * rows vanish at rest, so that Newton's method has to begin near the velocities of the
 * motion. References: the same motions in director coordinates, with small steps. */
#include "groups.h"
#include "stepper/stepper.h"

enum { MOST = 40 };
enum { DIRECTORS, EXP, CAY };

#define BODY                                                                             \
    "[bodies.a]\nmass = 1\ninertia = [1, 1.3, 1.7]\nposition = [0.2, 0.1, 0]\n"          \
    "rotation = [0.3, 0.2, 0.1]\nvelocity = [0.3, 0.5, 0.1]\n"                           \
    "angular_velocity = [1, -0.5, 0.8]\n"                                                \
    "[energy.p]\npotential = \"0.5*norm2(a) + 0.3*a.e1[2]\"\n"                           \
    "[constraints.n]\nnonholonomic = \"dot(a', a.e1)*a.spin[3] - 0.05\"\n"

/* The mass matrix varies. */
static const char heavier_ahead[] =
    BODY "[energy.k]\nkinetic = \"0.3*dot(a', a.e1)^2\"\n[run]\ninitial = \"project\"\n";

/* The Lagrangian has terms linear in velocities. */
static const char magnetic[] = BODY "[energy.m]\n"
                                    "lagrangian = \"0.8*(a[1]*a'[2] - a[2]*a'[1])\"\n"
                                    "[run]\ninitial = \"project\"\n";

/* Two bodies and a coordinate whose mass varies. */
#define PAIR                                                                             \
    "[bodies.a]\nmass = 1\ninertia = [1, 1.3, 1.7, 0.1, 0.05, -0.1]\n"                   \
    "position = [0.2, 0.1, 0]\nrotation = [0.3, 0.2, 0.1]\n"                             \
    "velocity = [0.3, 0.5, 0.1]\nangular_velocity = [1, -0.5, 0.8]\n"                    \
    "[bodies.c]\nmass = 1\ninertia = [0.7, 0.7, 0.9]\nposition = [1, 0.1, 0]\n"          \
    "velocity = [0.3, 0.5, 0.1]\nangular_velocity = [0, -0.5, 0.8]\n"                    \
    "[coordinates]\ns = { value = 0.1, velocity = 0.2 }\n"                               \
    "[energy.k]\n"                                                                       \
    "kinetic = \"0.5*(1 + 0.3*a.e1[1]^2)*s'^2 + 0.1*s'*c.spin[1]\"\n"                    \
    "potential = \"0.5*norm2(a - c) + s^2 + 0.3*s*c.e3[2]*cos(2*t)\"\n"                  \
    "[run]\ninitial = \"project\"\n[constraints.n]\n"

static const char pair[] =
    PAIR "nonholonomic = [\"dot(c', c.e1)*c.spin[3] - 0.1*s' - 0.05\"]\n";

static const char joined[] =
    PAIR "nonholonomic = [\"norm2(a.omega)*0.3 + a'[1] - 0.5\",\n"
         "  \"dot(c', c.e1)*c.spin[3] - 0.1*s' - 0.05\"]\n"
         "[joints.j]\ntype = \"universal\"\nbetween = [\"a\", \"c\"]\n"
         "at = [0.5, 0.3, 0]\naxis = [1, 0, 0]\naxis2 = [0, 1, 0]\n";

typedef struct motion {
    const char *name, *text;
    double until;
} motion;

static const motion motions[] = {{"heavier ahead", heavier_ahead, 2},
                                 {"magnetic", magnetic, 1},
                                 {"pair", pair, 0.5},
                                 {"joined", joined, 0.5}};
enum { MOTIONS = sizeof motions / sizeof *motions };

typedef struct ending {
    double q[MOST], v[MOST];
    int n;
} ending;

static method way_of(int stages, int rotations, bool coupled)
{
    method m = {.scheme = "lobatto", .stages = stages};
    lv_scheme_option_set(&m.more, LV_OPTION_ROTATIONS, rotations);
    if (coupled)
        lv_scheme_option_set(&m.more, LV_OPTION_POSES, 1);
    return m;
}

static ending end_of(const motion *x, const method *m, long steps)
{
    ending e = {.n = 0};
    lv_model *model = read_text(x->text);
    lv_sim *sim = start(model, m, x->until / (double)steps);
    step_times(sim, steps);
    e.n = lv_model_coordinate_count(model);
    assert_in_range(e.n, 1, MOST);
    memcpy(e.q, lv_sim_position(sim), (size_t)e.n * sizeof *e.q);
    memcpy(e.v, lv_sim_velocity(sim), (size_t)e.n * sizeof *e.v);
    lv_sim_free(sim);
    lv_model_free(model);
    return e;
}

static double error_of(const ending *e, const ending *reference)
{
    return fmax(distance(e->q, reference->q, e->n), distance(e->v, reference->v, e->n));
}

static ending reference_of(const motion *x)
{
    const method fine = way_of(4, DIRECTORS, false);
    return end_of(x, &fine, 200);
}

static void two_stages_have_order_two(void **state)
{
    (void)state;
    for (int k = 0; k < MOTIONS; k++) {
        const ending reference = reference_of(&motions[k]);
        for (int rotations = EXP; rotations <= CAY; rotations++) {
            const method m = way_of(2, rotations, false);
            const ending coarse = end_of(&motions[k], &m, 50),
                         fine = end_of(&motions[k], &m, 100);
            const double large = error_of(&coarse, &reference),
                         small = error_of(&fine, &reference);
            print_message("    %s, rotations %d: %.1e %.1e\n", motions[k].name, rotations,
                          large, small);
            assert_at_most(large, 5e-3);
            assert_at_most(fabs(log2(large / small) - 2), 0.15);
        }
    }
}

/* Steps that measure how their matrices contract begin farther off: of these there are
 * several in a hundred. */
static void steps_of_any_size_stay_on_the_motion(void **state)
{
    (void)state;
    static const long steps[] = {40, 80, 99, 100, 101, 125, 250, 500};
    for (int k = 0; k < MOTIONS; k++) {
        const ending reference = reference_of(&motions[k]);
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
            for (int way = 0; way < 3; way++) {
                const method m = way_of(4, way == 1 ? CAY : EXP, way == 2);
                const ending e = end_of(&motions[k], &m, steps[i]);
                assert_at_most(error_of(&e, &reference), 1e-8);
            }
    }
}

static void the_general_executor_stays_on_the_motion(void **state)
{
    (void)state;
    static const long steps[] = {50, 80, 125};
    for (int k = 0; k < MOTIONS; k++) {
        const ending reference = reference_of(&motions[k]);
        for (lv_step_way way = LV_WAY_COURSE; way <= LV_WAY_UNREDUCED; way++)
            for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
                const method m = way_of(4, EXP, false);
                lv_stepper_force(way);
                const ending e = end_of(&motions[k], &m, steps[i]);
                lv_stepper_force(LV_WAY_USUAL);
                assert_at_most(error_of(&e, &reference), 1e-8);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(two_stages_have_order_two),
        RUN(steps_of_any_size_stay_on_the_motion),
        RUN(the_general_executor_stays_on_the_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
