/* Shipped models of bodies against shipped models of formulas and closed forms. */
#include "frames.h"
#include "outputs.h"

/* The steady top as a body is the director model: the same coordinates, the same energies, the same motion. */
static void the_steady_top_is_that_of_its_directors(void **state)
{
    static const char *const schemes[] = {"em", "rattle", "lobatto", "livens", "vi-b2"};
    (void)state;
    lv_model *body = read_shipped("steady-top-body", NULL, NULL),
             *hand = read_shipped("steady-top", NULL, NULL);
    assert_int_equal(lv_model_coordinate_count(body), 12);
    assert_below(
        distance(lv_model_start_position(body), lv_model_start_position(hand), 12),
        1e-15);
    for (int k = 0; k < 5; k++) {
        const method m = {.scheme = schemes[k]};
        lv_sim *a = start(body, &m, 0.002), *b = start(hand, &m, 0.002);
        assert_close(lv_sim_energies(a).total, lv_sim_energies(b).total, 1e-14);
        step_times(a, 200);
        step_times(b, 200);
        const double apart = distance(lv_sim_position(a), lv_sim_position(b), 12);
        print_message("    %-8s %.1e\n", schemes[k], apart);
        assert_below(apart, 1e-10);
        lv_sim_free(a);
        lv_sim_free(b);
    }
    lv_model_free(body);
    lv_model_free(hand);
}

/* Precession at 10 rad/s at the height 0.0375, for ever. */
static void the_steady_top_precesses_steadily(void **state)
{
    (void)state;
    lv_model *body = read_shipped("steady-top-body", NULL, NULL);
    lv_sim *sim = start(body, &(method){"lobatto", 3, 0}, 2e-4);
    const double radius = 0.075 * sin(acos(0.5)), t = 0.1;
    step_times(sim, lround(t / 2e-4));
    assert_close(lv_sim_position(sim)[0], radius * sin(10 * t), 1e-8);
    assert_close(lv_sim_position(sim)[1], -radius * cos(10 * t), 1e-8);
    assert_close(lv_sim_position(sim)[2], 0.0375, 1e-8);
    lv_sim_free(sim);
    lv_model_free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_steady_top_is_that_of_its_directors),
        RUN(the_steady_top_precesses_steadily),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
