/* A hundred thousand steps of `em` with bodies, joints and springs: energy, momenta, and the constraints on both
 * levels stay what they were. */
#include "moving.h"
#include "run/sim.h"

enum { MOST = 16 };

/* A pendulum on a ball joint, a forearm on a hinge with a torsional spring, a slider on a spring, a tie between
 * points of two bodies. */
static const char arm[] =
    "[gravity]\nacceleration = [0, 0, -9.81]\n"
    "[bodies.a]\nmass = 2\ninertia = [0.3, 0.4, 0.5]\nposition = [0, 0, -1]\nspin = [0, "
    "0, 0.7]\n"
    "[bodies.b]\nmass = 1\ninertia = [0.2, 0.15, 0.1]\nposition = [0.5, 0, -2]\n"
    "velocity = [0, 0.35, 0]\nspin = [0, 0, 0.7]\n"
    "[bodies.c]\nmass = 0.5\ninertia = [0.02, 0.025, 0.03]\nposition = [0.5, 0, -2.5]\n"
    "velocity = [0, 0.35, 0]\nspin = [0, 0, 0.7]\n"
    "[joints.top]\ntype = \"spherical\"\nbetween = [\"ground\", \"a\"]\nat = [0, 0, 0]\n"
    "[joints.hinge]\ntype = \"revolute\"\nbetween = [\"a\", \"b\"]\nat = [0, 0, "
    "-1.5]\naxis = [0, 1, 0]\n"
    "[joints.rail]\ntype = \"prismatic\"\nbetween = [\"b\", \"c\"]\nat = [0.5, 0, "
    "-2.2]\naxis = [0, 0, 1]\n"
    "[springs.twist]\njoint = \"hinge\"\nstiffness = 3\nlength = 0.4\n"
    "[springs.slide]\njoint = \"rail\"\nstiffness = 40\n"
    "[springs.tie]\nbetween = [\"point(a, [0.3, 0.1, 0.2])\", \"point(b, [0, 0.2, "
    "0])\"]\n"
    "stiffness = 5\nlength = 0.5\n";

/* Two bodies that tumble in space, on a universal joint, tied by a spring. */
static const char pair[] =
    "[bodies.a]\nmass = 2\ninertia = [0.3, 0.4, 0.5, 0.02, 0, -0.03]\nposition = [0, 0, "
    "0]\n"
    "spin = [0.3, 1, -0.4]\nvelocity = [0.02, 0, 0.01]\n"
    "[bodies.b]\nmass = 1\ninertia = [0.2, 0.15, 0.1]\nposition = [1, 0, 0]\n"
    "spin = [0.3, 1, -0.4]\nvelocity = [0.02, -0.4, -0.99]\n"
    "[joints.cross]\ntype = \"universal\"\nbetween = [\"a\", \"b\"]\nat = [0.6, 0, 0]\n"
    "axis = [0, 1, 0]\naxis2 = [0, 0, 1]\n"
    "[springs.tie]\nbetween = [\"point(a, [0, 0.5, 0])\", \"point(b, [0, 0.3, 0.2])\"]\n"
    "stiffness = 20\nlength = 0.8\n";

static void check_long(const char *text, double step, int steps, int maps)
{
    lv_model *model = read_text(text);
    lv_sim *sim = start(model, &(method){"em", 0, 0}, step);
    lv_system *system = sim->system;
    const lv_state *s = &sim->state;
    const double energy = lv_sim_energies(sim).total;
    double first[MOST], now[MOST], off = 0, momenta = 0, position = 0, velocity = 0;
    assert_int_equal(lv_system_map_count(system), maps);
    lv_system_momentum_maps(system, first, s->t, s->q, s->p);
    for (int k = 0; k < steps; k++) {
        double g, hidden;
        step_once(sim);
        lv_system_momentum_maps(system, now, s->t, s->q, s->p);
        lv_sim_residuals(sim, &g, &hidden);
        off = worst_of(off, fabs(lv_sim_energies(sim).total / energy - 1));
        momenta = worst_of(momenta, distance(now, first, maps));
        position = worst_of(position, g);
        velocity = worst_of(velocity, hidden);
    }
    print_message("    %d steps: E %.1e, %d momenta %.1e, |g| %.1e, |dg/dt| %.1e\n",
                  steps, off, maps, momenta, position, velocity);
    assert_below(off, 1e-11);
    assert_below(momenta, 1e-11);
    assert_below(position, 1e-13);
    assert_below(velocity, 1e-12);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void an_arm_of_joints_and_springs_keeps_its_energy(void **state)
{
    (void)state;
    check_long(arm, 0.01, SLOW ? 2000 : 100000, 1);
}

static void a_free_pair_keeps_all_momenta(void **state)
{
    (void)state;
    check_long(pair, 0.01, SLOW ? 2000 : 20000, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(an_arm_of_joints_and_springs_keeps_its_energy),
        RUN(a_free_pair_keeps_all_momenta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
