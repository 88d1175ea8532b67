/* Runs in which bodies turn far in a step, with their axes as coordinates, are warned of. */
#include "../claims/moving.h"

#include "scheme/compose.h"

#include <math.h>

/* A wheel that spins about its axis with 10 rad/s. */
static const char wheel[] =
    "[bodies.wheel]\nmass = 1\ninertia = [1, 1, 1.7]\nposition = [0, 0, 0]\n"
    "angular_velocity = [0, 0, 10]\n";

/* Of three bodies in a family the second is the fastest. */
static const char family[] =
    "[parameters]\nw = [1, 10, 2]\n"
    "[bodies.b]\ncount = 3\nmass = 1\ninertia = [1, 1, 1.7]\n"
    "position = [\"i\", 0, 0]\nangular_velocity = [0, 0, \"w[i]\"]\n";

static const char in_the_plane[] =
    "[bodies.wheel]\nmass = 1\ninertia = 1\nposition = [0, 0]\nangular_velocity = 10\n";

/* Runs and returns the number of warnings about bodies that turn, the last of which is copied; -1: a step is
 * refused. */
static int count_warnings(const char *text, const method *m, double step, char last[300])
{
    lv_error err;
    lv_run_summary *summary = NULL;
    lv_model *model = read_text(text);
    lv_run_request request = lv_run_request_default(model);
    int count = 0;
    request.sim.scheme = m->scheme;
    request.sim.options = method_options(m);
    request.sim.step = step;
    request.until = 10 * step;
    const lv_status status = lv_run(&summary, model, &request, &err);
    for (int k = 0; status == LV_OK && k < summary->warning_count; k++)
        if (strstr(summary->warnings[k], "turned by")) {
            snprintf(last, 300, "%s", summary->warnings[k]);
            count++;
        }
    lv_run_summary_free(summary);
    lv_model_free(model);
    return status == LV_OK ? count : -1;
}

static double angle_in(const char *warning)
{
    const char *at = strstr(warning, "turned by ");
    return at ? strtod(at + strlen("turned by "), NULL) : (double)NAN;
}

/* Each scheme warns once of 1.6 rad, or refuses the step; of 0.7 rad none does. */
static void every_scheme_warns_once(void **state)
{
    (void)state;
    lv_scheme_info info;
    int warned = 0;
    for (int k = 0; lv_scheme_describe(k, &info); k++) {
        const method m = {info.name, info.least_stages < 3 && info.most_stages >= 3
                                         ? 3
                                         : info.default_stages};
        char text[300] = "";
        const int far = count_warnings(wheel, &m, 0.16, text),
                  near = count_warnings(wheel, &m, 0.07, text);
        print_message("    %-10s %d %d\n", info.name, far, near);
        if (far > 1 || far == 0 || near > 0)
            fail_msg("%s warns %d times of 1.6 rad, %d times of 0.7", info.name, far,
                     near);
        warned += far == 1;
    }
    assert_above(warned, 4);
}

static void warnings_name_body_angle_and_what_helps(void **state)
{
    (void)state;
    char text[300] = "";
    assert_int_equal(count_warnings(wheel, &(method){"lobatto", 3}, 0.15, text), 1);
    assert_non_null(strstr(text, "body 'wheel'"));
    assert_close(angle_in(text), 1.5, 1e-12);
    assert_non_null(strstr(text, "from 0.8 rad on"));
    assert_non_null(strstr(text, "a smaller step, or rotations = exp"));
    assert_int_equal(count_warnings(wheel, &(method){"em"}, 0.15, text), 1);
    assert_non_null(strstr(text, "or scheme lobatto with rotations = exp"));
    assert_int_equal(count_warnings(family, &(method){"em"}, 0.1, text), 1);
    assert_non_null(strstr(text, "body 'b_2'"));
    assert_close(angle_in(text), 1, 1e-2);
}

/* With orders above 4 the angle is right in much larger steps. */
static void high_orders_may_turn_further(void **state)
{
    (void)state;
    char text[300] = "";
    assert_int_equal(count_warnings(wheel, &(method){"lobatto", 4}, 0.14, text), 0);
    assert_int_equal(count_warnings(wheel, &(method){"lobatto", 4}, 0.16, text), 1);
    assert_non_null(strstr(text, "from 1.5 rad on"));
}

/* What counts is the largest substep. */
static void substeps_of_compositions_count(void **state)
{
    (void)state;
    double weights[LV_COMPOSE_MOST], most = 0;
    int count = 0;
    char text[300] = "";
    assert_int_equal(lv_compose(weights, &count, 4, 6, NULL), LV_OK);
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(weights[k]));
    const method m = {"lobatto", 3, 6};
    assert_int_equal(count_warnings(wheel, &m, 0.09 / most, text), 1);
    assert_close(angle_in(text), 0.9, 1e-2);
    assert_int_equal(count_warnings(wheel, &m, 0.07 / most, text), 0);
}

/* An angle in the plane is a coordinate like others, and on groups 2 rad are not much. */
static void other_rotations_are_not_meant(void **state)
{
    (void)state;
    char text[300] = "";
    method on_group = {"lobatto", 3};
    lv_scheme_option_set(&on_group.more, LV_OPTION_ROTATIONS, 1);
    assert_int_equal(count_warnings(in_the_plane, &(method){"em"}, 0.2, text), 0);
    assert_int_equal(count_warnings(wheel, &on_group, 0.2, text), 0);
    assert_int_equal(count_warnings(wheel, &on_group, 0.27, text), 1);
    assert_null(strstr(text, "coordinates"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_scheme_warns_once),       RUN(warnings_name_body_angle_and_what_helps),
        RUN(high_orders_may_turn_further),  RUN(substeps_of_compositions_count),
        RUN(other_rotations_are_not_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
