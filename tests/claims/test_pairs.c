/* The pairs on which claims are measured: enough of them, and a claim that is broken, not measured, or measured
 * as NaN is seen. */
#include "pairs.h"

/* ---- enough pairs --------------------------------------------------------------------------- */

static const struct {
    unsigned trait;
    const char *name;
} traits[] = {{LV_TRAIT_HOLONOMIC, "holonomic constraints"},
              {LV_TRAIT_NONHOLONOMIC, "nonholonomic constraints"},
              {LV_TRAIT_MASS_VARIES, "a mass matrix that varies"},
              {LV_TRAIT_MASS_SINGULAR, "a singular mass matrix"},
              {LV_TRAIT_NOT_QUADRATIC, "a Lagrangian that is not quadratic"},
              {LV_TRAIT_VELOCITY_FORCES, "forces of velocities"}};
enum { TRAITS = sizeof traits / sizeof *traits };

/* How many systems with this trait the method takes. */
static int count_systems(const method *m, unsigned trait)
{
    int count = 0;
    for (int k = 0; k < TEST_SYSTEMS; k++)
        count +=
            (test_systems[k].traits & trait) != 0 && says_it_takes(m, &test_systems[k]);
    return count;
}

/* Where a descriptor takes a kind of system, some system of this kind tests it. A scheme for one system has
 * the traits of that alone. */
static void every_trait_that_a_scheme_takes_is_measured(void **state)
{
    (void)state;
    method list[MOST_METHODS];
    const int count = list_methods(list, 5);
    for (int k = 0; k < count; k++) {
        char name[METHOD_NAME];
        const lv_scheme *scheme = lv_scheme_find(list[k].scheme);
        const lv_scheme_options options = method_options(&list[k]);
        const unsigned refused = lv_scheme_refused_traits(scheme, &options);
        for (int i = 0; i < TRAITS && !scheme->info.only; i++)
            if ((refused & traits[i].trait) == 0 &&
                count_systems(&list[k], traits[i].trait) == 0)
                fail_msg("%s takes %s, and no system has them",
                         method_name(&list[k], name, sizeof name), traits[i].name);
    }
}

/* Without options a scheme refuses what the public part of its descriptor says, and nothing else. */
static void refused_traits_are_those_that_users_are_told(void **state)
{
    (void)state;
    const lv_scheme_options none = {0};
    for (int k = 0; lv_scheme_table[k]; k++) {
        const lv_scheme_info *info = &lv_scheme_table[k]->info;
        const unsigned told =
            (info->holonomic ? 0u : LV_TRAIT_HOLONOMIC) |
            (info->nonholonomic ? 0u : LV_TRAIT_NONHOLONOMIC) |
            (info->mass == LV_MASS_CONSTANT ? LV_TRAIT_MASS_VARIES : 0u) |
            (info->mass == LV_MASS_SINGULAR ? 0u : LV_TRAIT_MASS_SINGULAR) |
            (info->any_lagrangian ? 0u : LV_TRAIT_NOT_QUADRATIC) |
            (info->no_velocity_forces ? LV_TRAIT_VELOCITY_FORCES : 0u);
        const unsigned refused = lv_scheme_refused_traits(lv_scheme_table[k], &none);
        if (refused != told)
            fail_msg("%s refuses traits %#x, and says %#x", info->name, refused, told);
    }
}

/* Systems without any trait are for everybody, the system of a scheme for that scheme, and no system is left
 * without a scheme. */
static void every_scheme_and_every_system_has_a_pair(void **state)
{
    (void)state;
    lv_scheme_info info;
    int takers[TEST_SYSTEMS] = {0};
    for (int k = 0; lv_scheme_describe(k, &info); k++) {
        const method m = {info.name, 0, 0};
        int count = 0;
        for (int i = 0; i < TEST_SYSTEMS; i++) {
            const bool taken = says_it_takes(&m, &test_systems[i]);
            count += taken;
            takers[i] += taken;
        }
        print_message("    %-8s %d systems\n", info.name, count);
        assert_in_range(count, 1, TEST_SYSTEMS);
        if (!info.only)
            assert_true(says_it_takes(&m, find_system("henon-heiles")));
    }
    for (int i = 0; i < TEST_SYSTEMS; i++)
        assert_in_range(takers[i], 1, MOST_SCHEMES);
}

/* ---- failures are seen ----------------------------------------------------------------------- */

static double not_a_number(const pair *p)
{
    return strcmp(p->system->name, "torus") == 0 ? (double)NAN : 0;
}

static double too_large(const pair *p)
{
    return strcmp(p->method->scheme, "em") == 0 ? 2 : 0;
}

static double nothing(const pair *p)
{
    (void)p;
    return 0;
}

static bool always(const pair *p, double measured)
{
    (void)p;
    (void)measured;
    return true;
}

static bool never(const pair *p)
{
    (void)p;
    return false;
}

static void broken_claims_are_counted(void **state)
{
    (void)state;
    lv_scheme_info info;
    int schemes = 0;
    while (lv_scheme_describe(schemes, &info))
        schemes++;
    const tally good = measure_claim(&(claim){"nothing", NULL, NULL, nothing, 1, 2});
    assert_int_equal(good.broken, 0);
    const tally nan = measure_claim(&(claim){"nan", NULL, NULL, not_a_number, 1, 2});
    assert_in_range(nan.broken, 1, nan.measured - 1);
    const tally judged =
        measure_claim(&(claim){"judged", NULL, NULL, not_a_number, 1, 2, always});
    assert_int_equal(judged.broken, nan.broken);
    const tally large = measure_claim(&(claim){"large", NULL, NULL, too_large, 1, 2});
    assert_in_range(large.broken, 1, large.measured - 1);
    const tally none = measure_claim(&(claim){"none", NULL, never, nothing, 1, 2});
    assert_int_equal(none.measured, 0);
    assert_int_equal(none.broken, schemes);
}

/* As if the descriptor of a scheme, or the traits of a system, were wrong. */
static void refusals_that_the_descriptor_does_not_have_are_seen(void **state)
{
    (void)state;
    test_system s = *find_system("spherical");
    lv_model *model = read_text(s.text);
    const method gauss = {"gauss", 2, 0}, rattle = {"rattle", 0, 0};
    assert_true(keeps_its_word(&gauss, &s, model));
    assert_true(keeps_its_word(&rattle, &s, model));
    s.traits = 0;
    assert_false(keeps_its_word(&gauss, &s, model));
    s.traits = LV_TRAIT_MASS_SINGULAR;
    assert_false(keeps_its_word(&rattle, &s, model));
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_trait_that_a_scheme_takes_is_measured),
        RUN(refused_traits_are_those_that_users_are_told),
        RUN(every_scheme_and_every_system_has_a_pair),
        RUN(broken_claims_are_counted),
        RUN(refusals_that_the_descriptor_does_not_have_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
