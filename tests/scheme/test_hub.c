/* Many constraints on one coordinate: rods from a free hub to particles that turn about it. By symmetry the hub stays and
 * every particle moves as it would if there were few of them. Matrices differ: that of few is G M^-1 G^T, which for
 * many would be full. */
#include "watching.h"

#define STAR                                                                             \
    "[parameters]\nN = 8\n"                                                              \
    "[particles.hub]\nmass = 3\nposition = [0, 0]\nvelocity = [0, 0]\n"                  \
    "[particles.p]\ncount = \"N\"\nmass = 1\n"                                           \
    "position = [\"cos(2*pi*i/N)\", \"sin(2*pi*i/N)\"]\n"                                \
    "velocity = [\"-2*sin(2*pi*i/N)\", \"2*cos(2*pi*i/N)\"]\n"                           \
    "[rods.r]\nfor = \"i = 1..N\"\nbetween = [\"hub\", \"p_i\"]\n"

enum { STEPS = 30 };

/* Position and momentum of the last particle, then those of the hub. */
static void move(double out[8], const char *scheme, const char *count)
{
    const lv_setting setting = {"N", count};
    lv_model *model;
    assert_int_equal(
        lv_model_parse(&model, "star", STAR, strlen(STAR), &setting, 1, NULL), LV_OK);
    lv_sim *sim = start(model, &(method){scheme, 0, 0, {0}}, 0.02);
    const int last = lv_model_coordinate_count(model) - 2;
    step_times(sim, STEPS);
    for (int i = 0; i < 2; i++) {
        out[i] = lv_sim_position(sim)[last + i];
        out[2 + i] = lv_sim_momentum(sim)[last + i];
        out[4 + i] = lv_sim_position(sim)[i];
        out[6 + i] = lv_sim_momentum(sim)[i];
    }
    lv_sim_free(sim);
    lv_model_free(model);
}

static void a_hub_with_many_rods_stays(void **state)
{
    (void)state;
    static const char *const schemes[] = {"rattle", "lobatto", "dpg",  "livens", "em",
                                          "vi-s",   "vi-a",    "vi-b", "vi-b2"};
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
        double few[8], many[8];
        move(few, schemes[s], "8");
        move(many, schemes[s], "300");
        const double off = distance(few, many, 4);
        print_message("    %-8s %.1e\n", schemes[s], off);
        assert_at_most(off, 1e-12);
        for (int i = 4; i < 8; i++)
            assert_at_most(fabs(many[i]), 1e-12);
        assert_at_most(fabs(few[0] - cos(2 * 0.02 * STEPS)), 0.03);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {RUN(a_hub_with_many_rods_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
