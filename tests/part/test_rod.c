/* [rods]. */
#include "twins.h"

/* The shipped chains: halving a constraint changes its multiplier and nothing else. */
static void a_chain_of_rods_moves_like_one_of_formulas(void **state)
{
    enum { N = 10 };
    double part[N], hand[N];
    lv_error err;
    (void)state;
    twins t = twins_of(read_shipped("rod-chain", NULL, NULL),
                       read_shipped("chain", NULL, NULL));
    assert_same_start(&t);
    assert_same_motion(&t, "rattle", 0.001, 1, 1e-13);
    lv_sim *a = sim_of(t.part.model, "rattle", 0, 0, 0.001);
    lv_sim *b = sim_of(t.hand.model, "rattle", 0, 0, 0.001);
    advance(a, 0.5);
    advance(b, 0.5);
    assert_int_equal(lv_sim_constraint_count(a), N);
    assert_int_equal(lv_sim_multipliers(a, part, &err), LV_OK);
    assert_int_equal(lv_sim_multipliers(b, hand, &err), LV_OK);
    for (int k = 0; k < N; k++)
        assert_close(part[k], 2 * hand[k], 1e-12);
    lv_sim_free(a);
    lv_sim_free(b);
    twins_free(&t);
}

static void constraints_are_named_after_their_rod(void **state)
{
    char name[40];
    (void)state;
    lv_model *model = read_shipped("rod-chain", "N", "3");
    assert_string_equal(lv_model_constraint_name(model, 0, name, sizeof name), "first");
    assert_string_equal(lv_model_constraint_name(model, 1, name, sizeof name), "link_2");
    assert_string_equal(lv_model_constraint_name(model, 2, name, sizeof name), "link_3");
    lv_model_free(model);
}

/* The multiplier times the length is the force: m g for a pendulum that hangs, m g - m w^2 l
 * less what turns it. */
static void the_multiplier_times_the_length_is_the_force(void **state)
{
    double lambda = 0;
    lv_error err;
    (void)state;
    lv_model *model = read_text("[gravity]\nacceleration = [0, -10]\n"
                                "[particles.bob]\nmass = 3\nposition = [0, -2]\n"
                                "velocity = [1, 0]\n"
                                "[rods.arm]\nbetween = [[0, 0], \"bob\"]\n");
    lv_sim *sim = sim_of(model, "rattle", 0, 0, 0.01);
    assert_int_equal(lv_sim_multipliers(sim, &lambda, &err), LV_OK);
    assert_close(fabs(lambda) * 2, 3 * 10 + 3 * 1.0 / 2, 1e-13);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Whatever the ends are, the rod begins with the length it has: the residual is zero exactly,
 * and the row is that of a rod with this length. */
static void assert_default_length(const char *model, const char *length)
{
    char part[1000], hand[1000];
    snprintf(part, sizeof part, "%s", model);
    snprintf(hand, sizeof hand, "%slength = %s\n", model, length);
    twins t = twins_read(part, hand);
    assert_true(t.part.at->position_residual == 0);
    assert_below(t.hand.at->position_residual, 1e-15);
    assert_same_motion(&t, "rattle", 0.01, 0.5, 1e-12);
    twins_free(&t);
}

static void the_length_is_by_default_that_at_the_start(void **state)
{
    (void)state;
    assert_default_length("[parameters]\nh = 0.3\n"
                          "[particles.a]\nmass = 1\nposition = [0, \"h\"]\n"
                          "velocity = [1, 0]\n"
                          "[particles.b]\nmass = 2\nposition = [0.4, 0]\n"
                          "velocity = [1, 0]\n"
                          "[rods.r]\nbetween = [\"a\", \"b\"]\n",
                          "\"sqrt(0.16 + h^2)\"");
}

/* Each instance has a length of its own, by the index of each member. */
static void members_of_families_have_lengths_of_their_own(void **state)
{
    (void)state;
    assert_default_length(
        "[particles.q]\ncount = 4\nmass = 1\nposition = [\"i^2\", 0, 0]\n"
        "[rods.r]\nfor = \"k = 3..4\"\n"
        "between = [\"q_{k-2}\", \"q_k\"]\n",
        "\"k^2 - (k-2)^2\"");
}

static void ends_may_be_formulas_and_definitions(void **state)
{
    (void)state;
    assert_default_length(
        "[parameters]\ns = 2\n"
        "[definitions]\nmiddle = \"(a + b)/2\"\nfoot = \"[s, s*t]\"\n"
        "[particles.a]\nmass = 1\nposition = [0, 0]\n"
        "[particles.b]\nmass = 1\nposition = [2, 4]\nvelocity = [0, 4]\n"
        "[rods.r]\nbetween = [\"middle\", \"foot\"]\n",
        "\"sqrt(5)\"");
}

static void ends_may_be_scalars(void **state)
{
    (void)state;
    assert_default_length("[particles.x]\nmass = 1\nposition = 0\nvelocity = 1\n"
                          "[particles.y]\nmass = 3\nposition = 0.25\nvelocity = 1\n"
                          "[rods.r]\nbetween = [\"x\", \"y\"]\n",
                          "0.25");
}

static void the_default_length_follows_settings(void **state)
{
    const lv_setting setting = {"l", "3"};
    (void)state;
    lv_model *model = read_with("[parameters]\nl = 1\n"
                                "[particles.a]\nmass = 1\nposition = [\"l\", 0]\n"
                                "[rods.r]\nbetween = [0, \"a[1]\"]\n",
                                &setting, 1);
    inspected i = inspect_model(model);
    assert_true(i.at->position_residual == 0);
    inspected_free(&i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_chain_of_rods_moves_like_one_of_formulas),
        RUN(constraints_are_named_after_their_rod),
        RUN(the_multiplier_times_the_length_is_the_force),
        RUN(the_length_is_by_default_that_at_the_start),
        RUN(members_of_families_have_lengths_of_their_own),
        RUN(ends_may_be_formulas_and_definitions),
        RUN(ends_may_be_scalars),
        RUN(the_default_length_follows_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
