/* Starts that no correction makes consistent: what is said of them. */
#include "../claims/moving.h"

#define PENDULUM                                                                         \
    "[coordinates]\nx = { value = [1, 0], velocity = [0, 0] }\n"                         \
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"9.81*x[2]\"\n"                   \
    "[constraints]\nrod = { holonomic = \"norm2(x) - 1\" }\n"
#define PROJECT "[run]\ninitial = \"project\"\n"
#define CONTRADICT "constraints 'rod' and 'again' contradict each other"

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

/* ---- what consistent values are --------------------------------------------------------------------- */

/* n particles on circles of radius 1, each at distance 2 from the centre. */
#define CIRCLES(velocity, n)                                                             \
    "[coordinates]\nx = { count = " n ", value = [2, 0], velocity = " velocity           \
    " }\n[energy.all]\nfor = \"i = 1.." n "\"\nkinetic = \"norm2(x_i')/2\"\n"            \
    "[constraints.rod]\nfor = \"i = 1.." n "\"\nholonomic = \"norm2(x_i) - 1\"\n"

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

/* Positions and velocities, all eight of each kind: x is halved, and of v = (3, 1) the first falls away. */
static void all_values_that_differ_are_shown(void **state)
{
    (void)state;
    lv_error err;
    assert_int_equal(refuse_start(CIRCLES("[3, 1]", "8"), &err), LV_ERR_MODEL);
    assert_int_equal(err.about, LV_ABOUT_CONSTRAINT);
    assert_int_equal(count_of(err.note, "[1] = 1"), 8);
    assert_int_equal(count_of(err.note, "[1]' = "), 8);
    assert_int_equal(count_of(err.note, "[2]"), 0);
    assert_null(strstr(err.note, "more"));
}

/* Too many for a message: those that change most come first, and the rest is counted. */
static void of_many_values_the_largest_are_shown_and_all_are_counted(void **state)
{
    (void)state;
    lv_error err;
    int more = 0;
    const char *text =
        "[coordinates]\nx = { count = 200, value = [\"1 + i/100\", 0] }\n"
        "[energy.all]\nfor = \"i = 1..200\"\nkinetic = \"norm2(x_i')/2\"\n"
        "[constraints.rod]\nfor = \"i = 1..200\"\nholonomic = \"norm2(x_i) - 1\"\n";
    assert_int_equal(refuse_start(text, &err), LV_ERR_MODEL);
    assert_says(err.note,
                "consistent would be, for example: x_200[1] = 1, x_199[1] = 1,");
    const char *rest = strstr(err.note, ", and ");
    assert_non_null(rest);
    assert_int_equal(sscanf(rest, ", and %d values more", &more), 1);
    assert_int_equal(count_of(err.note, "[1] = 1") + more, 200);
    assert_true(count_of(err.note, "[1] = 1") >= 30);
}

static void projection_says_how_far_it_moved(void **state)
{
    (void)state;
    lv_error err;
    double q[2], v[2];
    lv_start_change change;
    lv_model *model =
        read_text("[coordinates]\nx = { value = [2, 0], velocity = [3, 1] }\n"
                  "[energy]\nkinetic = \"norm2(x')/2\"\n"
                  "[constraints]\nrod = { holonomic = \"norm2(x) - 1\" }\n" PROJECT);
    lv_sim *sim = start(model, &(method){"rattle", 2, 0}, 0.01);
    change = lv_sim_start_change(sim);
    assert_true(change.projected);
    assert_float_equal(change.position, 1, 1e-14);
    assert_float_equal(change.velocity, 3, 1e-14);
    assert_int_equal(change.position_coordinate, 0);
    assert_int_equal(change.velocity_coordinate, 0);
    lv_sim_free(sim);

    assert_int_equal(lv_model_start(model, LV_INITIAL_PROJECT, q, v, &change, &err),
                     LV_OK);
    assert_float_equal(q[0], 1, 1e-14);
    assert_float_equal(v[1], 1, 1e-14);
    assert_float_equal(change.position, 1, 1e-14);
    q[0] = 7;
    assert_int_equal(lv_model_start(model, LV_INITIAL_CHECK, q, v, &change, &err),
                     LV_ERR_MODEL);
    assert_says(err.text, "the start violates constraint 'rod' by 3");
    assert_true(q[0] == 7);
    lv_model_free(model);
}

static void a_start_that_is_not_moved_says_so(void **state)
{
    (void)state;
    lv_start_change change;
    lv_model *model = read_text(PENDULUM);
    assert_int_equal(lv_model_start(model, LV_INITIAL_CHECK, NULL, NULL, &change, NULL),
                     LV_OK);
    assert_false(change.projected);
    assert_true(change.position == 0 && change.velocity == 0);
    assert_int_equal(change.position_coordinate, -1);
    assert_int_equal(change.velocity_coordinate, -1);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(circles_without_a_common_point_are_named),
        RUN(rates_that_differ_are_named),
        RUN(redundant_constraints_that_agree_get_an_example),
        RUN(starts_out_of_reach_name_what_is_left),
        RUN(constraints_without_gradient_are_refused),
        RUN(all_values_that_differ_are_shown),
        RUN(of_many_values_the_largest_are_shown_and_all_are_counted),
        RUN(projection_says_how_far_it_moved),
        RUN(a_start_that_is_not_moved_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
