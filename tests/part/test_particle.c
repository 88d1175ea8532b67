/* [particles], and what parts in general have in common. */
#include "twins.h"

#include "deny.h"

static void a_particle_is_a_coordinate_with_kinetic_energy(void **state)
{
    (void)state;
    twins t = twins_read("[parameters]\nm = 2\nw = [0, 3, 0]\n"
                         "[particles.ball]\nmass = \"m/4\"\nposition = [1, \"m\", 3]\n"
                         "velocity = \"w\"\n"
                         "[energy.field]\npotential = \"norm2(ball)^2\"\n",
                         "[parameters]\nm = 2\nw = [0, 3, 0]\n"
                         "[coordinates]\n"
                         "ball = { value = [1, \"m\", 3], velocity = \"w\" }\n"
                         "[energy]\nkinetic = \"m/4/2*norm2(ball')\"\n"
                         "[energy.field]\npotential = \"norm2(ball)^2\"\n");
    assert_same_start(&t);
    assert_close(t.part.at->kinetic, 0.25 * 9, 1e-15);
    assert_same_motion(&t, "verlet", 0.002, 1, 1e-13);
    twins_free(&t);
}

static void members_of_a_family_know_their_index(void **state)
{
    (void)state;
    twins t =
        twins_read("[parameters]\nN = 3\n"
                   "[particles.q]\ncount = \"N\"\nmass = \"i^2\"\n"
                   "position = [\"i/N\", 0]\nvelocity = [0, \"1/i\"]\n"
                   "[energy.wells]\nfor = \"j = 1..N\"\npotential = \"norm2(q_j)\"\n",
                   "[parameters]\nN = 3\n"
                   "[coordinates]\nq = { count = \"N\", value = [\"i/N\", 0], "
                   "velocity = [0, \"1/i\"] }\n"
                   "[energy.points]\nfor = \"i = 1..N\"\n"
                   "kinetic = \"i^2/2*norm2(q_i')\"\n"
                   "[energy.wells]\nfor = \"j = 1..N\"\npotential = \"norm2(q_j)\"\n");
    assert_same_start(&t);
    assert_close(t.part.at->kinetic, 1.5, 1e-15);
    assert_int_equal(term_of(t.part.at, "q", "kinetic")->instances, 3);
    assert_same_motion(&t, "verlet", 0.01, 2, 1e-13);
    twins_free(&t);
}

static void particles_live_in_any_dimension(void **state)
{
    (void)state;
    twins t = twins_read("[particles.x]\nmass = 2\nposition = 1\nvelocity = 3\n"
                         "[particles.y]\nmass = 3\nposition = [1]\nvelocity = [2]\n",
                         "[coordinates]\nx = { value = 1, velocity = 3 }\n"
                         "y = { value = [1], velocity = [2] }\n"
                         "[energy]\nkinetic = \"x'^2 + 3/2*y'[1]^2\"\n");
    assert_same_start(&t);
    assert_close(t.part.at->kinetic, 15, 1e-15);
    twins_free(&t);
}

/* Coordinates are numbered in the order of the file, whatever makes them. */
static void parts_keep_the_order_of_the_file(void **state)
{
    static const char *const expected[] = {"a", "p[1]", "p[2]", "z", "q_1", "q_2"};
    char name[40];
    (void)state;
    lv_model *model = read_text("[coordinates]\na = 0\n"
                                "[particles.p]\nmass = 1\nposition = [0, 0]\n"
                                "[particles.z]\nmass = 1\nposition = 0\n"
                                "[particles.q]\nmass = 1\nposition = 0\ncount = 2\n"
                                "[energy]\nkinetic = \"a'^2\"\n");
    assert_int_equal(lv_model_coordinate_count(model), 6);
    for (int k = 0; k < 6; k++)
        assert_string_equal(lv_model_coordinate_name(model, k, name, sizeof name),
                            expected[k]);
    lv_model_free(model);
}

static void an_empty_family_of_particles_is_allowed(void **state)
{
    (void)state;
    inspected i = inspect_text("[parameters]\nN = 0\n"
                               "[particles.q]\ncount = \"N\"\nmass = \"i - 1\"\n"
                               "position = [\"i\", 0]\n"
                               "[particles.p]\nmass = 1\nposition = 0\n");
    assert_int_equal(i.at->coordinates, 1);
    inspected_free(&i);
}

/* Terms are reported where they stand in the file. */
static void terms_belong_to_the_section_of_their_part(void **state)
{
    (void)state;
    inspected i = inspect_text("[gravity]\nacceleration = [0, -1]\n"
                               "[particles.p]\nmass = 1\nposition = [1, 0]\n"
                               "[rods.r]\nbetween = [[0, 0], \"p\"]\n"
                               "[springs.s]\nbetween = [[0, 1], \"p\"]\nstiffness = 1\n"
                               "damping = 2\n");
    assert_string_equal(term_of(i.at, "p", "kinetic")->section, "particles");
    assert_string_equal(term_of(i.at, "p", "potential")->section, "particles");
    assert_string_equal(term_of(i.at, "r", "holonomic")->section, "rods");
    assert_string_equal(term_of(i.at, "s", "potential")->section, "springs");
    assert_string_equal(term_of(i.at, "s", "force")->section, "springs");
    assert_int_equal(i.at->term_count, 5);
    inspected_free(&i);
}

static void settings_reach_parts(void **state)
{
    const lv_setting settings[] = {{"m", "8"}};
    (void)state;
    lv_model *model =
        read_with("[parameters]\nm = 1\n"
                  "[particles.p]\nmass = \"m\"\nposition = 0\nvelocity = 1\n",
                  settings, 1);
    inspected i = inspect_model(model);
    assert_close(i.at->kinetic, 4, 1e-15);
    inspected_free(&i);
}

static const char every_part[] =
    "[parameters]\nN = 2\nl = 0.5\n"
    "[definitions]\ntip = \"[l, 0] + p\"\n"
    "[gravity]\nacceleration = [0, \"-sin(t)\"]\n"
    "[particles.p]\nmass = \"l\"\nposition = [1, 0]\nvelocity = [0, 1]\n"
    "[particles.q]\ncount = \"N\"\nmass = \"i\"\nposition = [\"i\", 2]\n"
    "[rods.r]\nbetween = [[0, 0], \"p\"]\nlength = \"2*l\"\n"
    "[rods.chain]\nfor = \"i = 2..N\"\nbetween = [\"q_{i-1}\", \"q_i\"]\n"
    "[springs.s]\nbetween = [\"tip\", \"q_1\"]\nstiffness = \"1/l\"\nlength = 1\ndamping "
    "= 1\n"
    "[springs.z]\nfor = \"i = 1..N\"\nbetween = [\"q_i\", \"[0, t]\"]\nstiffness = "
    "\"i\"\n"
    "form = \"quadratic\"\n";

static lv_status read_and_inspect(void *user, lv_error *err)
{
    lv_model *model = NULL;
    lv_inspection *inspection = NULL;
    (void)user;
    lv_status status =
        lv_model_parse(&model, "test", every_part, strlen(every_part), NULL, 0, err);
    if (status == LV_OK)
        status = lv_model_inspect(&inspection, model, err);
    lv_inspection_free(inspection);
    lv_model_free(model);
    return status;
}

static void parts_survive_every_missing_request(void **state)
{
    (void)state;
    lv_deny_sweep(read_and_inspect, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_particle_is_a_coordinate_with_kinetic_energy),
        RUN(members_of_a_family_know_their_index),
        RUN(particles_live_in_any_dimension),
        RUN(parts_keep_the_order_of_the_file),
        RUN(an_empty_family_of_particles_is_allowed),
        RUN(terms_belong_to_the_section_of_their_part),
        RUN(settings_reach_parts),
        RUN(parts_survive_every_missing_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
