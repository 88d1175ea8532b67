/* Starts that violate joints: by how much, what moves them onto the joints, and loops that cannot close. */
#include "../model/reading.h"
#include "mechanisms.h"

#include <math.h>

/* A body on a pin whose points are 0.1 apart, at rest; and one that moves although it is held. */
#define PINNED(more)                                                                     \
    "[bodies.b]\nmass = 1\ninertia = 0.1\nposition = [0, -0.5]\n" more                   \
    "[joints.pin]\ntype = \"revolute\"\nbetween = [\"ground\", \"b\"]\n"
#define HINGED(more)                                                                     \
    "[bodies.b]\nmass = 1\ninertia = [0.3, 0.2, 0.1]\nposition = [0, -0.5, 0]\n" more    \
    "[joints.pin]\ntype = \"revolute\"\nbetween = [\"ground\", \"b\"]\naxis = [0, 0, "   \
    "1]\n"
#define PROJECTED "[run]\ninitial = \"project\"\n"

/* Links of lengths 1, 2, 1 between pins that are 6 apart. */
#define TOO_SHORT                                                                        \
    PLANE_BODY("crank", "[0, 0.5]")                                                      \
    PLANE_BODY("coupler", "[1, 1]")                                                      \
    PLANE_BODY("rocker", "[6, 0.5]")                                                     \
    PIN("a", "ground", "crank", "[0, 0]")                                                \
    PIN("b", "crank", "coupler", "[0, 1]")                                               \
    "[joints.c]\ntype = \"revolute\"\nbetween = [\"coupler\", \"rocker\"]\npoint_a = "   \
    "[1, "                                                                               \
    "0]\npoint_b = [0, 0.5]\n" PIN("d", "ground", "rocker", "[6, 0]")

static lv_start_change moved(const char *text)
{
    lv_error err;
    lv_start_change change;
    lv_model *model = read_text(text);
    if (lv_model_start(model, LV_INITIAL_PROJECT, NULL, NULL, &change, &err) != LV_OK)
        fail_with(&err);
    lv_model_free(model);
    return change;
}

static lv_error refused(const char *text, lv_initial initial)
{
    lv_error err;
    lv_model *model = read_text(text);
    assert_int_equal(lv_model_start(model, initial, NULL, NULL, NULL, &err),
                     LV_ERR_MODEL);
    lv_model_free(model);
    return err;
}

static void expect_part(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in \"%s\"", part, text);
}

static void an_open_pin_moves_its_body_without_turning_it(void **state)
{
    (void)state;
    static const char *const texts[] = {
        PINNED("") "point_a = [0, 0.1]\npoint_b = [0, 0.5]\n" PROJECTED,
        HINGED("") "point_a = [0, 0.1, 0]\npoint_b = [0, 0.5, 0]\n" PROJECTED};
    for (int k = 0; k < 2; k++) {
        const lv_start_change c = moved(texts[k]);
        assert_int_equal(c.moved, 1);
        assert_string_equal(c.bodies[0].name, "b");
        assert_close(c.bodies[0].position, 0.1, 1e-12);
        assert_close(c.bodies[0].angle, 0, 1e-12);
        assert_close(c.bodies[0].velocity, 0, 1e-12);
        assert_int_equal(c.position_coordinate, -1);
    }
}

/* dv = 1 / (m (1/m + d^2/J)), dw = d dv m / J with d = 0.5: Gauss's principle for a blow at the pin. */
static void velocities_are_completed_by_body(void **state)
{
    (void)state;
    const double blow = 1 / (1 + 0.25 / 0.1);
    static const char *const texts[] = {
        PINNED("velocity = [1, 0]\n") "at = [0, 0]\n" PROJECTED,
        HINGED("velocity = [1, 0, 0]\n") "at = [0, 0, 0]\n" PROJECTED};
    for (int k = 0; k < 2; k++) {
        const lv_start_change c = moved(texts[k]);
        assert_int_equal(c.moved, 1);
        assert_close(c.bodies[0].position, 0, 1e-14);
        assert_close(c.bodies[0].velocity, blow, 1e-12);
        assert_close(c.bodies[0].angular_velocity, 0.5 * blow / 0.1, 1e-11);
    }
}

static void changes_are_said_in_words(void **state)
{
    (void)state;
    char text[200];
    const lv_body_change c = {.name = "rod", .angle = 0.25, .angular_velocity = 3};
    assert_string_equal(lv_body_change_text(&c, text, sizeof text),
                        "body 'rod' turned by 0.25 rad, angular velocity by 3");
}

static void violated_joints_are_named_with_their_gap(void **state)
{
    (void)state;
    lv_error err =
        refused(HINGED("") "point_a = [0.06, 0.08, 0]\npoint_b = [0, 0.5, 0]\n",
                LV_INITIAL_CHECK);
    expect_part(err.text,
                "joint 'pin' between 'b' and the ground: its points are 0.1 apart");
    expect_part(err.note, "body 'b' by ");
    err = refused(HINGED("velocity = [1, 0, 0]\n") "at = [0, 0, 0]\n", LV_INITIAL_CHECK);
    expect_part(err.text, "violate joint 'pin' by 1");
    /* axes that are 0.3 rad apart */
    err = refused(
        "[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 0]\nrotation "
        "= [0.3, 0, 0]\n[joints.pin]\ntype = \"revolute\"\nbetween = [\"ground\", "
        "\"b\"]\nat = [0, 0, 0]\naxis_a = [0, 0, 1]\naxis_b = [0, 0, 1]\n",
        LV_INITIAL_CHECK);
    expect_part(err.text, "its axes are off by 0.3 rad");
    err = refused("[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 0.2]\n"
                  "[joints.floor]\ntype = \"point_on_plane\"\nbetween = [\"ground\", "
                  "\"b\"]\npoint_a = [5, 5, 0]\npoint_b = [0, 0, 0]\naxis = [0, 0, 1]\n",
                  LV_INITIAL_CHECK);
    expect_part(err.text, "its point is 0.2 off its plane");
}

/* 6 - (1 + 2 + 1) */
static void a_loop_that_cannot_close_says_how_near_it_comes(void **state)
{
    (void)state;
    lv_error err = refused(TOO_SHORT, LV_INITIAL_CHECK);
    expect_part(err.text, "joint 'c'");
    expect_part(err.text, "4 apart");
    expect_part(err.note, "joint 'c' on 'coupler' and 'rocker' come no closer than 2 ");
    err = refused(TOO_SHORT, LV_INITIAL_PROJECT);
    expect_part(err.note, "come no closer than 2 ");
    expect_part(err.hint, "change a length");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_open_pin_moves_its_body_without_turning_it),
        cmocka_unit_test(velocities_are_completed_by_body),
        cmocka_unit_test(changes_are_said_in_words),
        cmocka_unit_test(violated_joints_are_named_with_their_gap),
        cmocka_unit_test(a_loop_that_cannot_close_says_how_near_it_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
