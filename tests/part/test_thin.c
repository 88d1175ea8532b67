/* Flat and thin bodies: the axes of a body without extent in some direction have no mass of their own. */
#include "frames.h"
#include "outputs.h"

#define TOP                                                                              \
    "[gravity]\nacceleration = [0, 0, -9.81]\n[bodies.top]\nmass = 15\ninertia = "       \
    "[0.234375, 0.46875, 0.234375]\nposition = [0, 1, 0]\nangular_velocity = [0, 150, "  \
    "-4.61538]\n"
#define ON_JOINT                                                                         \
    TOP "velocity = [4.61538, 0, 0]\n[joints.tip]\ntype = \"spherical\"\nbetween = "     \
        "[\"ground\", \"top\"]\nat = [0, 0, 0]\n"
#define ON_PIVOT TOP "pivot = [0, -1, 0]\n"

/* The heavy top at t = 0.1, R row by row, from two independent integrations that agree to 7e-13. */
static const double R[9] = {-0.7168895366515, 0.4212966589254,  0.555498440518,
                            0.2277430075553,  0.8945719743456,  -0.38454402248,
                            -0.6589404485606, -0.1491647005619, -0.7372566563667};

static double top_error(const char *text, const method *m, double step)
{
    driven x = drive_model(read_text(text), m, step);
    const int axes = lv_model_coordinate_count(x.model) - 9;
    double error = 0;
    step_times(x.sim, lround(0.1 / step));
    for (int k = 0; k < 9; k++)
        error = worst_of(error,
                         fabs(lv_sim_position(x.sim)[axes + 3 * (k % 3) + k / 3] - R[k]));
    driven_free(&x);
    return error;
}

static void a_flat_heavy_top_runs_with_livens(void **state)
{
    (void)state;
    const method livens = {"livens", 0, 0};
    const double coarse = top_error(ON_JOINT, &livens, 2e-4),
                 fine = top_error(ON_JOINT, &livens, 1e-4);
    print_message("    livens %.2e %.2e\n", coarse, fine);
    assert_below(fine, 1e-3);
    assert_close(log2(coarse / fine), 2, 0.05);
}

/* About a pivot the mass matrix is regular, and all schemes take it. */
static void a_flat_top_on_a_pivot_runs_with_all_schemes(void **state)
{
    (void)state;
    const double coarse = top_error(ON_PIVOT, &(method){"lobatto", 3, 0}, 4e-4),
                 fine = top_error(ON_PIVOT, &(method){"lobatto", 3, 0}, 2e-4);
    print_message("    lobatto %.2e %.2e\n", coarse, fine);
    assert_below(fine, 1e-7);
    assert_close(log2(coarse / fine), 4, 0.1);
    assert_below(top_error(ON_PIVOT, &(method){"em", 0, 0}, 1e-4), 1e-3);
    assert_below(top_error(ON_PIVOT, &(method){"rattle", 0, 0}, 1e-4), 1e-3);
}

/* ---- refusals ------------------------------------------------------------------------------------------ */

static void check_refused(const char *text, const char *scheme, const char *says,
                          const char *note, const char *hint)
{
    lv_model *model = read_text(text);
    lv_sim *sim = NULL;
    lv_error err;
    assert_int_equal(try_start(&sim, model, &(method){.scheme = scheme}, 1e-3, &err),
                     LV_ERR_MODEL);
    assert_string_equal(err.text, says);
    assert_string_equal(err.note, note);
    assert_string_equal(err.hint, hint);
    lv_model_free(model);
}

static void schemes_that_divide_by_the_mass_name_the_flat_body(void **state)
{
    (void)state;
    static const char *const schemes[] = {"lobatto", "em", "vi-b2"};
    static const char *const hints[] = {
        ("lobatto takes it with rotations = exp; otherwise "
         "use rattle, verlet or livens"),
        "use livens, rattle or verlet", "use rattle, verlet or livens"};
    const char *note =
        "body 'top' is flat or thin: its mass has no extent along at least "
        "one axis, so that this axis has no mass of its own";
    for (int k = 0; k < 3; k++) {
        char says[200];
        snprintf(says, sizeof says,
                 "scheme '%s' inverts the mass matrix, which is singular at the start",
                 schemes[k]);
        check_refused(ON_JOINT, schemes[k], says, note, hints[k]);
    }
    /* One of a family, with products of inertia: a disc across (1, 1, 0)/sqrt(2). */
    check_refused(
        "[bodies.b]\ncount = 3\nmass = 1\ninertia = [1.5, 1.5, 1, \"if(i == 2, "
        "0.5, 0.4)\", 0, 0]\nposition = [\"i\", 0, 0]\n",
        "lobatto",
        "scheme 'lobatto' inverts the mass matrix, which is singular at the start",
        "body 'b_2' is flat or thin: its mass has no extent along at least one "
        "axis, so that this axis has no mass of its own",
        "lobatto takes it with rotations = exp; otherwise use rattle, verlet or livens");
    /* With forces that depend on velocities rattle stays in coordinates. */
    check_refused(
        ON_JOINT "[loads.drag]\nbody = \"top\"\nforce = \"-0.1*top'\"\n", "rattle",
        "scheme 'rattle' inverts the mass matrix, which is singular at the start", note,
        "rattle takes it with rotations = exp; otherwise use livens");
}

/* A rod without thickness can spin about itself without energy: no scheme can tell how. */
static void a_line_is_refused_by_name(void **state)
{
    (void)state;
    check_refused(
        "[bodies.rod]\nmass = 1\ninertia = [0, 1, 1]\nposition = [0, 0, 0]\n", "livens",
        "scheme 'livens' takes a singular mass matrix only where constraints hold "
        "what has no mass",
        "body 'rod' is flat or thin: its mass has no extent along at least one "
        "axis, so that this axis has no mass of its own",
        "a line has no inertia about itself: give it a small one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_flat_heavy_top_runs_with_livens),
        RUN(a_flat_top_on_a_pivot_runs_with_all_schemes),
        RUN(schemes_that_divide_by_the_mass_name_the_flat_body),
        RUN(a_line_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
