/* Motions that come to rest: equations are solved to the rounding of their terms, however small the state has become. */
#include "../claims/moving.h"

#include <math.h>

/* A pendulum on a cart, held upright by a force; feedback brings both to rest. */
#define CART                                                                             \
    "[coordinates]\nx = 0\ntheta = 0.1\n"                                                \
    "[definitions]\nend = \"[x + sin(theta)/2, cos(theta)/2]\"\n"                        \
    "[energy]\nkinetic = \"x'^2/2 + 0.15*norm2(end')\"\npotential = \"2.943*end[2]\"\n"  \
    "[forces.drive]\non = \"x\"\nforce = \"60*theta + 12*theta' + 4*x + 6*x'\"\n"

static void a_cart_pole_comes_to_rest(void **state)
{
    static const method methods[] = {{"em", 1, 0},     {"livens", 1, 0},
                                     {"rattle", 2, 0}, {"lobatto", 3, 0},
                                     {"vi-b2", 1, 0},  {"ansatz", 0, 0}};
    (void)state;
    lv_model *model = read_text(CART);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        lv_sim *sim = start(model, &methods[k], 0.01);
        for (int step = 0; step < 7000; step++)
            step_once(sim);
        const double *q = lv_sim_position(sim);
        print_message("    %-8s %.1e %.1e\n", methods[k].scheme, fabs(q[0]), fabs(q[1]));
        assert_below(fmax(fabs(q[0]), fabs(q[1])), 1e-20);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {RUN(a_cart_pole_comes_to_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
