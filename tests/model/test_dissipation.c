/* [forces] by their dissipation. */
#include "../part/twins.h"

#define START                                                                            \
    "[parameters]\nc = 0.3\n"                                                            \
    "[coordinates]\nx = { value = 1, velocity = 2 }\n"                                   \
    "q = { count = 2, value = [\"i\", 0], velocity = [1, \"-i\"] }\n"                    \
    "[energy]\nkinetic = \"x'^2/2 + norm2(q_1') + norm2(q_2')\"\n"                       \
    "potential = \"x^2 + norm2(q_1 - q_2)\"\n"

static void assert_same_forces(const char *dissipation, const char *forces)
{
    assert_twins_move_alike(START, dissipation, forces, "verlet", 1e-13);
}

static void forces_are_the_derivatives_of_the_dissipation(void **state)
{
    (void)state;
    assert_same_forces("[forces.f]\ndissipation = \"c/2*x'^2\"\n",
                       "[forces.f]\non = \"x\"\nforce = \"-c*x'\"\n");
    assert_same_forces(
        "[forces.f]\ndissipation = \"c*x^2*abs(x')^3*(1 + t)\"\n",
        "[forces.f]\non = \"x\"\nforce = \"-3*c*x^2*x'*abs(x')*(1 + t)\"\n");
    assert_same_forces("[forces.f]\ndissipation = \"c/2*(x' - q_1'[1])^2\"\n",
                       "[forces.f]\non = [\"x\", \"q_1\"]\n"
                       "force = [\"-c*(x' - q_1'[1])\", \"c*(x' - q_1'[1])\", 0]\n");
    assert_same_forces(
        "[forces.f]\nfor = \"i = 1..2\"\ndissipation = \"i*norm2(q_i')/2\"\n",
        "[forces.f]\nfor = \"i = 1..2\"\non = \"q_i\"\nforce = \"-i*q_i'\"\n");
}

static void a_force_may_have_both_forms(void **state)
{
    (void)state;
    assert_same_forces("[forces.f]\non = \"x\"\nforce = \"cos(t)\"\n"
                       "dissipation = \"c/2*x'^2\"\n",
                       "[forces.f]\non = \"x\"\nforce = \"cos(t) - c*x'\"\n");
}

/* Only where a velocity occurs there is a force. */
static void coordinates_without_velocity_feel_nothing(void **state)
{
    (void)state;
    inspected i = inspect_text(START "[forces.f]\ndissipation = \"norm2(q_2)*x'^2\"\n");
    assert_int_equal(term_of(i.at, "f", "force")->rows, 1);
    assert_int_equal(term_of(i.at, "f", "force")->coordinates, 3);
    inspected_free(&i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(forces_are_the_derivatives_of_the_dissipation),
        RUN(a_force_may_have_both_forms),
        RUN(coordinates_without_velocity_feel_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
