/* Kinetic energies that can be negative. */
#include "../model/reading.h"
#include "deny.h"

#include "system/mass_definite.h"

static int found_in(const char *kinetic, const char *more)
{
    char text[600];
    int coordinate = -2;
    lv_error err;
    snprintf(text, sizeof text,
             "[coordinates]\nx = { value = 0.5, velocity = 1 }\n"
             "y = { value = 0.25, velocity = 0 }\nz = 2\n%s"
             "[energy]\nkinetic = \"%s\"\n",
             more, kinetic);
    lv_model *model = read_text(text);
    if (lv_mass_definite_test(model, &coordinate, &err) != LV_OK)
        fail_with(&err);
    lv_model_free(model);
    return coordinate;
}

static void positive_energies_are_let_pass(void **state)
{
    (void)state;
    assert_int_equal(found_in("x'^2 + y'^2 + z'^2", ""), -1);
    assert_int_equal(found_in("x'^2 + 2*y'^2 - 2.8*x'*y' + z'^2", ""), -1);
    assert_int_equal(found_in("1e-9*x'^2 + 1e9*y'^2 + z'^2", ""), -1);
    assert_int_equal(found_in("x'^2*(2 - y) + (y' + cos(x)*z')^2", ""), -1);
}

/* Singular, not negative: also where rounding leaves a little of the difference. */
static void zero_is_not_negative(void **state)
{
    (void)state;
    assert_int_equal(found_in("(x' + y' + z')^2", ""), -1);
    assert_int_equal(found_in("(x'/3 + y'/7 - z'*sqrt(2))^2", ""), -1);
    assert_int_equal(found_in("(x'/3 + y'/7)^2 + (y'/11 + z'*sqrt(3))^2", ""), -1);
}

static void negative_masses_are_found_by_their_coordinate(void **state)
{
    (void)state;
    assert_int_equal(found_in("-x'^2 + y'^2 + z'^2", ""), 0);
    assert_int_equal(found_in("x'^2 - y'^2 + z'^2", ""), 1);
    assert_int_equal(found_in("x'^2 + y'^2 - 1e-12*z'^2", ""), 2);
    assert_int_equal(found_in("x'^2 + y'^2 + (y - 1)*z'^2", ""), 2); /* at the start */
}

/* x' = 1, y' = -1 and the like, with a positive diagonal or none. */
static void indefinite_couplings_are_found(void **state)
{
    (void)state;
    assert_int_equal(found_in("x'^2 + y'^2 + 3*x'*y' + z'^2", ""), 1);
    assert_in_range(found_in("x'*y' + z'^2", ""), 0, 1);
    assert_in_range(found_in("x'^2 + y'*z'", ""), 1, 2);
    assert_in_range(found_in("x'^2 + y'^2 + z'^2 - 1.2*(x'*y' + y'*z' + z'*x')", ""), 0,
                    2);
}

/* More coupled coordinates than are tested together: the diagonal is. */
static void large_blocks_are_tested_on_their_diagonal(void **state)
{
    (void)state;
    const char *family = "q = { count = 70, value = 0 }\n[energy.chain]\n"
                         "for = \"i = 1..69\"\nkinetic = \"(q_i' - q_{i+1}')^2\"\n"
                         "[energy.odd]\nkinetic = \"-3*q_5'^2\"\n";
    assert_int_equal(found_in("x'^2 + y'^2 + z'^2", family), 3 + 4);
}

static lv_status test_without_memory(void *user, lv_error *err)
{
    int coordinate = -1;
    return lv_mass_definite_test(user, &coordinate, err);
}

static void every_denied_allocation_is_reported(void **state)
{
    (void)state;
    lv_model *model = read_text("[coordinates]\nx = 0\ny = 0\n[energy]\n"
                                "kinetic = \"x'^2 + x'*y'\"\n");
    lv_deny_sweep(test_without_memory, model);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(positive_energies_are_let_pass),
        RUN(zero_is_not_negative),
        RUN(negative_masses_are_found_by_their_coordinate),
        RUN(indefinite_couplings_are_found),
        RUN(large_blocks_are_tested_on_their_diagonal),
        RUN(every_denied_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
