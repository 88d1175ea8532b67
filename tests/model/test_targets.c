/* [forces] that act on formulas: points, angles and rates. The same motion is written by hand with the
 * generalised forces that virtual work gives. */
#include "../part/twins.h"

#define POLAR                                                                            \
    "[parameters]\nl = 0.7\nw = 1.3\n"                                                   \
    "[definitions]\nend = \"[l*sin(phi) + x, -l*cos(phi)]\"\n"                           \
    "[coordinates]\nphi = { value = 0.4, velocity = 1 }\n"                               \
    "x = { value = 0, velocity = -0.2 }\n"                                               \
    "q = { count = 2, value = [\"i\", 0.3], velocity = [1, \"-i\"] }\n"                  \
    "[energy]\nkinetic = \"x'^2 + norm2(end')/2 + norm2(q_1') + norm2(q_2')\"\n"         \
    "potential = \"2*end[2] + x^2 + norm2(q_1 - q_2)\"\n"

static void assert_same_forces(const char *virtual, const char *forces)
{
    assert_twins_move_alike(POLAR, virtual, forces, "rattle", 1e-12);
}

static void a_force_at_a_point_turns_the_angle(void **state)
{
    (void)state;
    assert_same_forces("[forces.f]\non = \"end\"\nforce = [\"w*cos(t)\", \"w*x\"]\n",
                       "[forces.f]\non = [\"phi\", \"x\"]\n"
                       "force = [\"l*(w*cos(t)*cos(phi) + w*x*sin(phi))\", "
                       "\"w*cos(t)\"]\n");
    assert_same_forces("[forces.f]\non = \"end[2]\"\nforce = \"-w*end[2]'\"\n",
                       "[forces.f]\non = \"phi\"\n"
                       "force = \"-w*l^2*sin(phi)^2*phi'\"\n");
}

/* How time moves a point does no virtual work. */
static void a_point_may_move_in_time(void **state)
{
    (void)state;
    const char *by_hand =
        "[forces.f]\non = [\"phi\", \"x\"]\nforce = [\"t*w*cos(phi)\", \"t^2*w\"]\n";
    assert_same_forces("[forces.f]\non = \"t*sin(phi) + t^2*x\"\nforce = \"w\"\n",
                       by_hand);
    assert_same_forces("[forces.f]\non = \"t*cos(phi)*phi' + t^2*x' + sin(phi) + 2*t\"\n"
                       "force = \"w\"\n",
                       by_hand);
}

static void a_torque_acts_on_a_rate(void **state)
{
    (void)state;
    const char *by_hand = "[forces.f]\non = [\"phi\", \"q_1\"]\n"
                          "force = [\"w*sin(t)\", \"-w*sin(t)*q_1[2]/norm2(q_1)\", "
                          "\"w*sin(t)*q_1[1]/norm2(q_1)\"]\n";
    assert_same_forces("[forces.f]\n"
                       "on = \"phi' + (q_1[1]*q_1'[2] - q_1[2]*q_1'[1])/norm2(q_1)\"\n"
                       "force = \"w*sin(t)\"\n",
                       by_hand);
    assert_same_forces("[forces.f]\non = \"phi + atan2(q_1[2], q_1[1])\"\n"
                       "force = \"w*sin(t)\"\n",
                       by_hand);
    assert_same_forces("[forces.f]\non = \"(phi + atan2(q_1[2], q_1[1]))'\"\n"
                       "force = \"w*sin(t)\"\n",
                       by_hand);
}

static void lists_mix_coordinates_functions_and_rates(void **state)
{
    (void)state;
    assert_same_forces("[forces.f]\non = [\"x\", \"sin(x)*phi\", \"q_2'\", \"2*x'\"]\n"
                       "force = [1, 2, 3, \"w\", \"t\"]\n",
                       "[forces.f]\non = [\"x\", \"phi\", \"q_2\"]\n"
                       "force = [\"1 + 2*cos(x)*phi + 2*t\", \"2*sin(x)\", 3, \"w\"]\n");
}

/* Components that stand still take their part of the force without effect; in a rate, formulas
 * without velocities are the share of time. */
static void components_may_stand_still(void **state)
{
    (void)state;
    assert_same_forces("[forces.f]\non = \"[sin(phi), 0, t]\"\n"
                       "force = [\"w*x'\", 5, 7]\n",
                       "[forces.f]\non = \"phi\"\nforce = \"w*x'*cos(phi)\"\n");
    assert_same_forces("[forces.f]\non = \"[2*phi', sin(x)]\"\nforce = [\"w\", 5]\n",
                       "[forces.f]\non = \"phi\"\nforce = \"2*w\"\n");
}

static void families_act_on_formulas(void **state)
{
    (void)state;
    assert_same_forces("[forces.f]\nfor = \"i = 1..2\"\non = \"norm2(q_i)/2 + i*x\"\n"
                       "force = \"-i*x'\"\n",
                       "[forces.f]\nfor = \"i = 1..2\"\non = [\"q_i\", \"x\"]\n"
                       "force = [\"-i*x'*q_i[1]\", \"-i*x'*q_i[2]\", \"-i^2*x'\"]\n");
}

static void only_coordinates_that_move_the_point_feel_the_force(void **state)
{
    (void)state;
    inspected i =
        inspect_text(POLAR "[forces.f]\non = \"end\"\nforce = [\"norm2(q_2)\", 0]\n");
    assert_int_equal(term_of(i.at, "f", "force")->rows, 2);
    assert_int_equal(term_of(i.at, "f", "force")->coordinates, 4);
    inspected_free(&i);
}

/* Momenta of a Hamiltonian may stand in the force, velocities in what it acts on. */
static void momenta_become_velocities_in_virtual_forces(void **state)
{
    (void)state;
    twins t = twins_read("[coordinates]\nx = 1\ny = { value = 0, velocity = 1 }\n"
                         "[energy]\nhamiltonian = \"p_x^2/4 + p_y^2/2 + x^2 + y^2\"\n"
                         "[forces.f]\non = [\"x*y\", \"x'\"]\nforce = [\"-p_x\", 1]\n",
                         "[coordinates]\nx = 1\ny = { value = 0, velocity = 1 }\n"
                         "[energy]\nkinetic = \"x'^2 + y'^2/2\"\n"
                         "potential = \"x^2 + y^2\"\n"
                         "[forces.f]\non = [\"x\", \"y\"]\n"
                         "force = [\"1 - 2*x'*y\", \"-2*x'*x\"]\n");
    assert_same_motion(&t, "rattle", 0.01, 1, 1e-12);
    twins_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_force_at_a_point_turns_the_angle),
        RUN(a_point_may_move_in_time),
        RUN(a_torque_acts_on_a_rate),
        RUN(lists_mix_coordinates_functions_and_rates),
        RUN(components_may_stand_still),
        RUN(families_act_on_formulas),
        RUN(only_coordinates_that_move_the_point_feel_the_force),
        RUN(momenta_become_velocities_in_virtual_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
