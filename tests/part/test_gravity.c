/* [gravity]. */
#include "twins.h"

static void gravity_acts_on_every_particle(void **state)
{
    (void)state;
    twins t =
        twins_read("[parameters]\ng = 9.81\n"
                   "[gravity]\nacceleration = [1, \"-g\"]\n"
                   "[particles.a]\nmass = 2\nposition = [1, 2]\n"
                   "[particles.b]\nmass = \"i\"\ncount = 2\nposition = [\"i\", 5]\n",
                   "[parameters]\ng = 9.81\n"
                   "[coordinates]\na = [1, 2]\n"
                   "b = { count = 2, value = [\"i\", 5] }\n"
                   "[energy]\nkinetic = \"norm2(a')\"\n"
                   "potential = \"2*(g*a[2] - a[1])\"\n"
                   "[energy.b]\nfor = \"k = 1..2\"\nkinetic = \"k/2*norm2(b_k')\"\n"
                   "potential = \"k*(g*b_k[2] - b_k[1])\"\n");
    assert_same_start(&t);
    assert_same_motion(&t, "verlet", 0.01, 1, 1e-13);
    twins_free(&t);
}

/* x(t) = x0 + v0 t + g t^2/2, which a scheme of order two reproduces. */
static void a_thrown_particle_flies_on_a_parabola(void **state)
{
    (void)state;
    lv_model *model = read_text("[gravity]\nacceleration = [0, 0, -9.81]\n"
                                "[particles.ball]\nmass = 0.3\nposition = [0, 0, 2]\n"
                                "velocity = [3, 0, 4]\n");
    lv_sim *sim = sim_of(model, "verlet", 0, 0, 0.1);
    advance(sim, 1.5);
    assert_close(lv_sim_position(sim)[0], 4.5, 1e-14);
    assert_close(lv_sim_position(sim)[2], 2 + 6 - 9.81 * 1.5 * 1.5 / 2, 1e-14);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* x'' = cos t from rest: x = 1 - cos t. */
static void gravity_may_depend_on_time(void **state)
{
    (void)state;
    lv_model *model = read_text("[gravity]\nacceleration = \"cos(t)\"\n"
                                "[particles.x]\nmass = 7\nposition = 0\n");
    lv_sim *sim = sim_of(model, "gauss", 3, 0, 0.05);
    advance(sim, 2);
    assert_close(lv_sim_position(sim)[0], 1 - cos(2), 1e-10);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void gravity_may_stand_anywhere_in_the_file(void **state)
{
    (void)state;
    twins t = twins_read("[particles.x]\nmass = 7\nposition = 2\n"
                         "[gravity]\nacceleration = -3\n",
                         "[gravity]\nacceleration = [-3]\n"
                         "[particles.x]\nmass = 7\nposition = 2\n");
    assert_same_start(&t);
    assert_close(t.part.at->potential, 42, 1e-15);
    twins_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(gravity_acts_on_every_particle),
        RUN(a_thrown_particle_flies_on_a_parabola),
        RUN(gravity_may_depend_on_time),
        RUN(gravity_may_stand_anywhere_in_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
