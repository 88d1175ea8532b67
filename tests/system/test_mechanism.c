/* Degrees of freedom by counting and by rank, and what is said of joints that depend on each other. */
#include "../model/reading.h"
#include "mechanisms.h"

static void expect_freedom(const lv_inspection *at, int mobility, int freedom)
{
    assert_int_equal(at->mechanism.mobility, mobility);
    assert_int_equal(at->freedom, freedom);
    assert_int_equal(at->mechanism.dependence.combinations, freedom - mobility);
}

static const lv_dependent_info *dependent_of(const lv_inspection *at, const char *name)
{
    const lv_dependence_info *d = &at->mechanism.dependence;
    for (int k = 0; k < d->count; k++)
        if (strcmp(d->list[k].name, name) == 0)
            return &d->list[k];
    fail_msg("'%s' is not dependent", name);
    return NULL;
}

static void a_planar_four_bar_has_one_degree_of_freedom_by_either_count(void **state)
{
    (void)state;
    inspected i = inspect_text(PLANAR_FOUR_BAR);
    expect_freedom(i.at, 1, 1);
    assert_int_equal(i.at->mechanism.bodies, 3);
    assert_int_equal(i.at->mechanism.joints, 4);
    assert_int_equal(i.at->mechanism.dependence.count, 0);
    for (int k = 0; k < 3; k++)
        assert_int_equal(i.at->mechanism.elements[k].freedom, 3);
    for (int k = 3; k < 7; k++)
        assert_int_equal(i.at->mechanism.elements[k].rows, 2);
    inspected_free(&i);
}

/* Forces across the plane and torques about axes in it are shared by all four hinges. */
static void a_spatial_four_bar_names_its_dependent_joints(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d"};
    inspected i = inspect_text(SPATIAL_FOUR_BAR);
    expect_freedom(i.at, -2, 1);
    const lv_dependence_info *d = &i.at->mechanism.dependence;
    assert_int_equal(d->count, 4);
    assert_int_equal(d->sets, 1);
    for (int k = 0; k < 4; k++) {
        const lv_dependent_info *joint = dependent_of(i.at, names[k]);
        assert_string_equal(joint->kind, "joint");
        assert_int_equal(joint->open, 3);
        assert_int_equal(joint->forces, 1);
        assert_int_equal(joint->torques, 2);
        assert_close(joint->axis[0], 0, 1e-12);
        assert_close(joint->axis[1], 1, 1e-12);
        assert_close(joint->axis[2], 0, 1e-12);
    }
    inspected_free(&i);
}

static void two_four_bars_are_two_sets(void **state)
{
    (void)state;
    inspected i = inspect_text(
        SPATIAL_FOUR_BAR SPACE_BODY("crank2", "[0, 5, 0.5]")
            SPACE_BODY("coupler2", "[1, 5, 1.25]") SPACE_BODY("rocker2", "[2, 5, 0.75]")
                HINGE("e", "ground", "crank2", "[0, 5, 0]", "[0, 1, 0]")
                    HINGE("f", "crank2", "coupler2", "[0, 5, 1]", "[0, 1, 0]")
                        HINGE("g", "coupler2", "rocker2", "[2, 5, 1.5]", "[0, 1, 0]")
                            HINGE("h", "ground", "rocker2", "[2, 5, 0]", "[0, 1, 0]"));
    expect_freedom(i.at, -4, 2);
    assert_int_equal(i.at->mechanism.dependence.sets, 2);
    assert_int_equal(dependent_of(i.at, "a")->set, dependent_of(i.at, "d")->set);
    assert_int_equal(dependent_of(i.at, "e")->set, dependent_of(i.at, "h")->set);
    assert_int_not_equal(dependent_of(i.at, "a")->set, dependent_of(i.at, "e")->set);
    inspected_free(&i);
}

static void bennetts_linkage_moves_although_counting_says_otherwise(void **state)
{
    (void)state;
    inspected i = inspect_text(BENNETT);
    expect_freedom(i.at, -2, 1);
    assert_int_equal(i.at->mechanism.dependence.count, 4);
    inspected_free(&i);
    /* another twist: no longer Bennett's condition, a structure */
    i = inspect_text(
        SPACE_BODY("one", "[0.1, 0.5, 0]") SPACE_BODY("two", "[-0.1, 0.4, 0.2]")
            SPACE_BODY("three", "[-0.8, -0.05, 0.2]") HINGE("a", "ground", "one",
                                                            "[0, 0, 0]", "[0, 0.1, 1]")
                HINGE("b", "one", "two", "[0.17, 0.98, 0]", "[0.75, 0, 0.6]")
                    HINGE("c", "two", "three", "[-0.3, -0.1, 0.4]", "[-0.3, 0.4, 0.8]")
                        HINGE("d", "ground", "three", "[-1.2, 0, 0]", "[0, 0.9, 0.3]"));
    expect_freedom(i.at, -2, 0);
    inspected_free(&i);
}

/* The weights of a combination add gradients up to zero: of two doubled hinges each row with its own. */
static void a_hinge_that_is_there_twice_depends_row_by_row(void **state)
{
    (void)state;
    inspected i =
        inspect_text(SPACE_BODY("door", "[1, 0, 0]")
                         HINGE("top", "ground", "door", "[0, 0, 1]", "[0, 0, 1]")
                             HINGE("again", "ground", "door", "[0, 0, 1]", "[0, 0, 1]"));
    expect_freedom(i.at, -4, 1);
    const lv_dependence_info *d = &i.at->mechanism.dependence;
    assert_int_equal(d->weight_count, 10);
    for (int k = 0; k < d->weight_count; k++)
        assert_close(fabs(d->weights[k].weight), 1, 1e-12);
    assert_int_equal(dependent_of(i.at, "top")->forces, 3);
    inspected_free(&i);
}

/* Two hinges of one door, the usual case: five of ten rows say nothing new. */
static void a_door_on_two_hinges_has_five_open_components(void **state)
{
    (void)state;
    inspected i =
        inspect_text(SPACE_BODY("door", "[1, 0, 0]")
                         HINGE("low", "ground", "door", "[0, 0, -1]", "[0, 0, 1]")
                             HINGE("top", "ground", "door", "[0, 0, 1]", "[0, 0, 1]"));
    expect_freedom(i.at, -4, 1);
    assert_int_equal(dependent_of(i.at, "low")->open, 5);
    inspected_free(&i);
}

static void members_of_families_are_named_with_their_indices(void **state)
{
    (void)state;
    const lv_setting lying[] = {{"f", "pi/2"}};
    inspected i = inspect_text(N_FOUR_BAR);
    expect_freedom(i.at, 1, 1);
    inspected_free(&i);
    i = inspect_model(read_with(N_FOUR_BAR, lying, 1));
    expect_freedom(i.at, 1, 3); /* in line each parallelogram may fold the other way */
    assert_int_equal(dependent_of(i.at, "left_2")->forces, 1);
    assert_close(dependent_of(i.at, "left_2")->axis[0], 1, 1e-7);
    assert_string_equal(dependent_of(i.at, "foot_3")->kind, "joint");
    inspected_free(&i);
}

/* A body about a pivot has three degrees of freedom in space and one in the plane; motors and contacts have rows. */
static void pivots_motors_and_contacts_are_counted(void **state)
{
    (void)state;
    inspected i = inspect_text(
        SPACE_BODY("top", "[0, 0, 1]") "pivot = [0, 0, -1]\n" PLANE_BODY(
            "arm", "[1, 0]") "pivot = [-1, 0]\n" SPACE_BODY("ball", "[3, 0, 0.5]")
            SPACE_BODY("wheel", "[0, 4, 0]")
                HINGE("axle", "ground", "wheel", "[0, 4, 0]",
                      "[1, 0, 0]") "[motors.drive]\njoint = \"axle\"\nangle = \"t\"\n"
                                   "[rolling.roll]\nbody = \"ball\"\nshape = "
                                   "\"sphere\"\nradius = "
                                   "0.5\n[run]\ninitial = \"project\"\n");
    expect_freedom(i.at, 3 + 1 + (6 - 3) + (6 - 5 - 1), 7);
    assert_int_equal(i.at->mechanism.elements[0].freedom, 3);
    assert_int_equal(i.at->mechanism.elements[1].freedom, 1);
    assert_int_equal(i.at->mechanism.motors, 1);
    assert_int_equal(i.at->mechanism.contacts, 1);
    assert_int_equal(i.at->mechanism.loose_count, 0);
    inspected_free(&i);
}

static void bodies_that_nothing_holds_are_found(void **state)
{
    (void)state;
    inspected i = inspect_text(
        "[bodies.rock]\ncount = 3\nmass = 1\ninertia = [1, 1, 1]\nposition = [\"i\", 0, "
        "0]\n" SPACE_BODY("moon", "[0, 0, 3]") SPACE_BODY(
            "kite",
            "[0, 5, 3]") "[springs.line]\nbetween = [\"kite\", [0, 0, 0]]\nstiffness = "
                         "1\n"
                         "[joints.weld]\ntype = \"fixed\"\nbetween = [\"rock_1\", "
                         "\"rock_3\"]\nat = "
                         "[0, 0, 0]\n[loads.push]\nbody = \"moon\"\nforce = [1, 0, 0]\n");
    assert_int_equal(i.at->mechanism.loose_count, 2);
    assert_string_equal(i.at->mechanism.loose[0], "rock_2");
    assert_string_equal(i.at->mechanism.loose[1], "moon");
    inspected_free(&i);
}

/* Ranks of large models are found, too. */
static void the_rank_of_a_long_chain_is_found(void **state)
{
    (void)state;
    inspected i = inspect_model(read_shipped("chain", "N", "5000"));
    assert_int_equal(i.at->constraint_rank, 5000);
    assert_int_equal(i.at->freedom, 10000);
    inspected_free(&i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planar_four_bar_has_one_degree_of_freedom_by_either_count),
        cmocka_unit_test(a_spatial_four_bar_names_its_dependent_joints),
        cmocka_unit_test(two_four_bars_are_two_sets),
        cmocka_unit_test(bennetts_linkage_moves_although_counting_says_otherwise),
        cmocka_unit_test(a_hinge_that_is_there_twice_depends_row_by_row),
        cmocka_unit_test(a_door_on_two_hinges_has_five_open_components),
        cmocka_unit_test(members_of_families_are_named_with_their_indices),
        cmocka_unit_test(pivots_motors_and_contacts_are_counted),
        cmocka_unit_test(bodies_that_nothing_holds_are_found),
        cmocka_unit_test(the_rank_of_a_long_chain_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
