/* Starts that no correction makes consistent: what is said of them. */
#include "../claims/moving.h"

#define PENDULUM                                                                         \
    "[coordinates]\nx = { value = [1, 0], velocity = [0, 0] }\n"                         \
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"9.81*x[2]\"\n"                   \
    "[constraints]\nrod = { holonomic = \"norm2(x) - 1\" }\n"
#define PROJECT "[run]\ninitial = \"project\"\n"
#define CONTRADICT "constraints 'rod' and 'again' contradict each other"

static void assert_says(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' does not say '%s'", text, part);
}

static lv_status refuse_start(const char *text, lv_error *err)
{
    lv_sim *sim = NULL;
    lv_model *model = read_text(text);
    lv_status status = try_start(&sim, model, &(method){"rattle", 2, 0}, 0.01, err);
    assert_null(sim);
    lv_model_free(model);
    return status;
}

/* No point is on two circles of different radius: there is no example to give, and nothing that livens could
 * do. */
static void circles_without_a_common_point_are_named(void **state)
{
    (void)state;
    lv_error err;
    const char *text = PENDULUM "again = { holonomic = \"2*norm2(x) - 2.5\" }\n";
    assert_int_equal(refuse_start(text, &err), LV_ERR_MODEL);
    assert_says(err.text, "the start violates constraint 'again' by 0.5");
    assert_says(err.note, CONTRADICT);
    assert_null(strstr(err.hint, "project"));
    text = PENDULUM "again = { holonomic = \"2*norm2(x) - 2.5\" }\n" PROJECT;
    assert_int_equal(refuse_start(text, &err), LV_ERR_MODEL);
    assert_says(err.text, CONTRADICT);
    assert_says(err.note, "the value of 'again' is -0.5");
}

static void rates_that_differ_are_named(void **state)
{
    (void)state;
    lv_error err;
    const char *text = PENDULUM "again = { holonomic = \"norm2(x) - 1 + 0.3*t\" }\n";
    assert_int_equal(refuse_start(text, &err), LV_ERR_MODEL);
    assert_says(err.text,
                "the velocities at the start violate constraint 'again' by 0.3");
    assert_says(err.note, CONTRADICT);
    assert_null(strstr(err.hint, "project"));
    text = PENDULUM "again = { holonomic = \"norm2(x) - 1 + 0.3*t\" }\n" PROJECT;
    assert_int_equal(refuse_start(text, &err), LV_ERR_MODEL);
    assert_says(err.text, CONTRADICT);
    assert_says(err.note, "the rate of 'again' is 0.3");
}

/* Redundant constraints that agree leave an example to give, and it is consistent. */
static void redundant_constraints_that_agree_get_an_example(void **state)
{
    (void)state;
    lv_error err;
    const char *rest = "[energy]\nkinetic = \"norm2(x')/2\"\n[constraints]\n"
                       "rod = { holonomic = \"norm2(x) - 1\" }\n"
                       "again = { holonomic = \"2*norm2(x) - 2\" }\n";
    char text[400];
    snprintf(text, sizeof text, "[coordinates]\nx = { value = [1.25, 0] }\n%s", rest);
    assert_int_equal(refuse_start(text, &err), LV_ERR_MODEL);
    assert_says(err.note, "consistent would be, for example: x[1] = 1");
    assert_says(err.hint, "project");
    snprintf(text, sizeof text, "[coordinates]\nx = { value = [1, 0] }\n%s", rest);
    lv_model *model = read_text(text);
    lv_sim_free(start(model, &(method){"rattle", 2, 0}, 0.01));
    lv_model_free(model);
}

/* Where the projection does not get there for other reasons it says where it stopped. */
static void starts_out_of_reach_name_what_is_left(void **state)
{
    (void)state;
    lv_error err;
    const char *text = "[coordinates]\nx = { value = [0.5, 0] }\n"
                       "[energy]\nkinetic = \"norm2(x')/2\"\n"
                       "[constraints]\nvoid = { holonomic = \"x[1]^2 + 1 + x[2]\" }\n"
                       "floor = { holonomic = \"x[2]^2 - 0.25\" }\n";
    assert_int_equal(refuse_start(text, &err), LV_ERR_MODEL);
    assert_says(err.text, "the start violates constraint 'floor'"); /* has no gradient */
    assert_true(strstr(err.note, "'void'") || strstr(err.note, "'floor'"));
    assert_null(strstr(err.hint, "project"));
}

static void constraints_without_gradient_are_refused(void **state)
{
    (void)state;
    lv_error err;
    const char *text = "[coordinates]\nx = { value = [1, 0], velocity = [0, 1] }\n"
                       "[energy]\nkinetic = \"norm2(x')/2\"\n"
                       "[constraints]\nsquare = { holonomic = \"(norm2(x) - 1)^2\" }\n";
    assert_int_equal(refuse_start(text, &err), LV_ERR_MODEL);
    assert_says(err.text, "the gradient of constraint 'square' vanishes");
    assert_says(err.hint, "f in place of f^2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(circles_without_a_common_point_are_named),
        RUN(rates_that_differ_are_named),
        RUN(redundant_constraints_that_agree_get_an_example),
        RUN(starts_out_of_reach_name_what_is_left),
        RUN(constraints_without_gradient_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
