/* What descriptors say of systems and options, held against what schemes do. */
#include "../claims/moving.h"
#include "../claims/systems.h"

/* x is without mass and held by a constraint; and without one. */
#define COVERED                                                                          \
    "[coordinates]\nx = 0\ny = { value = 0, velocity = 1 }\n[energy]\n"                  \
    "kinetic = \"y'^2/2\"\npotential = \"x^2/2 + y^2\"\n"                                \
    "[constraints.hold]\nholonomic = \"x - 0*y\"\n"
#define UNCOVERED                                                                        \
    "[coordinates]\nx = 0\ny = { value = 0, velocity = 1 }\n[energy]\n"                  \
    "kinetic = \"y'^2/2\"\npotential = \"x^2/2 + y^2\"\n"
#define FOURTH_DEGREE                                                                    \
    "[coordinates]\nx = { value = 0, velocity = 1 }\n[energy]\n"                         \
    "kinetic = \"x'^2/2 + x'^4/4\"\npotential = \"x^2/2\"\n"
#define ROLLING                                                                          \
    "[coordinates]\nx = 0\ny = 1\nz = 0\n[energy]\nkinetic = \"(x'^2 + y'^2 + "          \
    "z'^2)/2\"\n[constraints.blade]\nnonholonomic = \"z' - y*x'\"\n"

/* ---- advice ----------------------------------------------------------------------------------- */

/* Every scheme that a hint "use a, b or c" names takes the model, composed alike; and there is one. */
static void check_hint(const lv_model *model, const method *refused, const lv_error *err)
{
    char hint[400];
    int count = 0;
    if (strncmp(err->hint, "use ", 4) != 0)
        fail_msg("%s: '%s', hint '%s'", refused->scheme, err->text, err->hint);
    snprintf(hint, sizeof hint, "%s", err->hint + 4);
    for (char *name = strtok(hint, ", "); name; name = strtok(NULL, ", ")) {
        lv_error other;
        lv_sim *sim = NULL;
        const method m = {name, 0, refused->compose};
        if (strcmp(name, "or") == 0)
            continue;
        if (try_start(&sim, model, &m, 0.01, &other) != LV_OK)
            fail_msg("%s is refused ('%s'), and so is %s: '%s'", refused->scheme,
                     err->text, name, other.text);
        lv_sim_free(sim);
        count++;
    }
    assert_true(count > 0);
}

static void refusals_name_schemes_that_take_the_system(void **state)
{
    (void)state;
    static const char *const systems[] = {COVERED, ROLLING, TWO_LINK_ARM,
                                          SPHERICAL_PENDULUM, CHARGE};
    lv_scheme_info info;
    int refusals = 0;
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        lv_model *model = read_text(systems[i]);
        for (int k = 0; lv_scheme_describe(k, &info); k++) {
            lv_error err;
            lv_sim *sim = NULL;
            const method m = {info.name, 0, 0};
            if (try_start(&sim, model, &m, 0.01, &err) != LV_OK) {
                check_hint(model, &m, &err);
                refusals++;
            }
            lv_sim_free(sim);
        }
        lv_model_free(model);
    }
    assert_true(refusals > 30);
}

static void refused_compositions_name_schemes_that_compose(void **state)
{
    (void)state;
    static const method methods[] = {{"livens", 0, 4}, {"em-g", 0, 6}};
    lv_model *model = read_text(SPHERICAL_PENDULUM);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        lv_error err;
        lv_sim *sim = NULL;
        assert_int_equal(try_start(&sim, model, &methods[k], 0.01, &err), LV_ERR_MODEL);
        assert_non_null(strstr(err.text, "is composed only without constraints"));
        check_hint(model, &methods[k], &err);
    }
    lv_model_free(model);
}

/* Nothing that composes takes a singular mass matrix with constraints; livens takes it as it is. */
static void schemes_that_fit_without_composing_are_named(void **state)
{
    (void)state;
    static const method refused = {"livens", 0, 4}, plain = {"livens", 0, 0};
    lv_error err;
    lv_sim *sim = NULL;
    lv_model *model = read_text(COVERED);
    assert_int_equal(try_start(&sim, model, &refused, 0.01, &err), LV_ERR_MODEL);
    assert_non_null(strstr(err.hint, "without compose, use livens"));
    assert_int_equal(try_start(&sim, model, &plain, 0.01, &err), LV_OK);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void where_nothing_fits_that_is_said(void **state)
{
    (void)state;
    lv_scheme_info info;
    lv_model *model = read_text(UNCOVERED);
    for (int k = 0; lv_scheme_describe(k, &info); k++) {
        lv_error err;
        lv_sim *sim = NULL;
        const method m = {info.name, 0, 0};
        assert_int_equal(try_start(&sim, model, &m, 0.01, &err), LV_ERR_MODEL);
        if (!strstr(err.hint, "kinetic energy"))
            fail_msg("%s: '%s', hint '%s'", info.name, err.text, err.hint);
    }
    lv_model_free(model);
}

/* ---- descriptors -------------------------------------------------------------------------------- */

static bool takes(const char *text, const char *scheme, int compose)
{
    lv_sim *sim = NULL;
    lv_model *model = read_text(text);
    lv_status status = try_start(&sim, model, &(method){scheme, 0, compose}, 0.01, NULL);
    lv_sim_free(sim);
    lv_model_free(model);
    return status == LV_OK;
}

static void mass_matrices_are_taken_as_described(void **state)
{
    (void)state;
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++) {
        if (takes(TWO_LINK_ARM, info.name, 0) != (info.mass >= LV_MASS_VARYING) ||
            takes(COVERED, info.name, 0) != (info.mass == LV_MASS_SINGULAR) ||
            takes(HENON_HEILES, info.name, 0) != (info.only == NULL))
            fail_msg("%s takes other mass matrices than it says", info.name);
    }
}

/* Terms that are linear in the velocities, and a kinetic energy of fourth degree. */
static void lagrangians_are_taken_as_described(void **state)
{
    (void)state;
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        if (takes(CHARGE, info.name, 0) != info.any_lagrangian ||
            takes(FOURTH_DEGREE, info.name, 0) != info.any_lagrangian)
            fail_msg("%s takes other Lagrangians than it says", info.name);
}

static void compositions_are_taken_as_described(void **state)
{
    (void)state;
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++) {
        const char *only = info.composes_only ? info.composes_only : "";
        const bool unbound = strstr(only, "without constraints") != NULL;
        const bool constant = strstr(only, "constant mass") != NULL;
        const bool still = strstr(only, "without nonholonomic constraints") != NULL;
        const bool composes =
            info.composable && (!only[0] || unbound || constant || still);
        const int order = claims_of(&(method){info.name, 0, 0}).order + 2;
        if (takes(HENON_HEILES, info.name, order) != composes ||
            takes(SPHERICAL_PENDULUM, info.name, order) !=
                (composes && info.holonomic && !unbound) ||
            takes(ROLLING, info.name, order) !=
                (composes && info.nonholonomic && !still) ||
            takes(TWO_LINK_ARM, info.name, order) !=
                (composes && info.mass >= LV_MASS_VARYING && !constant))
            fail_msg("%s composes otherwise than it says", info.name);
    }
}

/* ---- complete options ----------------------------------------------------------------------------- */

static void complete(lv_scheme_options *all, const char *scheme,
                     const lv_scheme_options *options)
{
    lv_error err;
    if (lv_scheme_complete(all, scheme, options, &err) != LV_OK)
        fail_with(&err);
}

/* Nothing is missing; completing again changes nothing, nor does it change claims. */
static void options_are_completed(void **state)
{
    (void)state;
    method list[MOST_METHODS];
    const int count = list_methods(list, 3);
    for (int k = 0; k < count; k++) {
        char name[METHOD_NAME];
        lv_scheme_options all, again;
        lv_claims claims = claims_of(&list[k]), others;
        const lv_scheme_info info = info_of(list[k].scheme);
        const lv_scheme_options given = method_options(&list[k]);
        complete(&all, info.name, &given);
        complete(&again, info.name, &all);
        const unsigned chosen =
            info.options & ~(1u << LV_OPTION_ROTATIONS | 1u << LV_OPTION_POSES |
                             1u << LV_OPTION_MULTIPLIERS);
        bool good = (all.given & chosen) == chosen &&
                    memcmp(&all, &again, sizeof all) == 0 &&
                    lv_scheme_claims(&others, info.name, &all, NULL) == LV_OK &&
                    memcmp(&claims, &others, sizeof claims) == 0;
        for (int o = 0; o < LV_OPTIONS; o++)
            good = good && (!(given.given >> o & 1) || all.value[o] == given.value[o]);
        if (!good)
            fail_msg("%s", method_name(&list[k], name, sizeof name));
    }
}

static void every_scheme_describes_rotations_by_directors(void **state)
{
    (void)state;
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++) {
        lv_scheme_options given = {0}, all;
        double word = -1;
        assert_true(info.options >> LV_OPTION_ROTATIONS & 1);
        complete(&all, info.name, NULL);
        assert_false(lv_scheme_option_given(&all, LV_OPTION_ROTATIONS));
        assert_true(lv_option_parse(LV_OPTION_ROTATIONS, "directors", &word));
        lv_scheme_option_set(&given, LV_OPTION_ROTATIONS, word);
        complete(&all, info.name, &given);
        assert_true(lv_scheme_option(&all, LV_OPTION_ROTATIONS, -1) == word);
    }
}

/* Schemes that cannot say so, and name those that can. */
static void some_schemes_move_bodies_on_groups(void **state)
{
    (void)state;
    lv_scheme_info info;
    int count = 0;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        for (int chart = 0; chart < 2; chart++) {
            lv_scheme_options given = {0};
            lv_claims claims;
            lv_error err;
            double word = -1;
            assert_true(
                lv_option_parse(LV_OPTION_ROTATIONS, chart ? "cay" : "exp", &word));
            lv_scheme_option_set(&given, LV_OPTION_ROTATIONS, word);
            const lv_status status = lv_scheme_claims(&claims, info.name, &given, &err);
            if (lv_scheme_find(info.name)->moves) {
                assert_int_equal(status, LV_OK);
                count++;
            } else {
                assert_int_equal(status, LV_ERR_MODEL);
                assert_non_null(strstr(err.hint, "rattle"));
            }
        }
    assert_int_equal(count, 8);
}

static void defaults_are_those_of_the_schemes(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        lv_option option;
        double value;
    } known[] = {
        {"vi-b", LV_OPTION_THETA, 1},      {"vi-b", LV_OPTION_VARTHETA, 0.5},
        {"vi-b", LV_OPTION_PROJECTION, 0}, {"vi-a", LV_OPTION_THETA, 0.5},
        {"lobatto", LV_OPTION_STAGES, 3},  {"rattle", LV_OPTION_STAGES, 2},
        {"lobatto", LV_OPTION_COMPOSE, 0}, {"ansatz", LV_OPTION_CONTINUITY, 0},
        {"ansatz", LV_OPTION_DEGREE, 2},   {"ansatz", LV_OPTION_DEGREE_P, 2},
        {"ansatz", LV_OPTION_DEGREE_G, 2}, {"ansatz", LV_OPTION_QUADRATURE, 0},
        {"ansatz", LV_OPTION_POINTS, 3},   {"dpg", LV_OPTION_DEGREE, 2},
        {"dpg", LV_OPTION_QUADRATURE, 2},  {"dpg", LV_OPTION_POINTS, 3},
        {"dpg", LV_OPTION_DEGREE_G, 1},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        lv_scheme_options all;
        complete(&all, known[k].scheme, NULL);
        if (lv_scheme_option(&all, known[k].option, -1) != known[k].value)
            fail_msg("%s: option %d is %g", known[k].scheme, (int)known[k].option,
                     lv_scheme_option(&all, known[k].option, -1));
    }
}

/* Same bits, with options given or left to the scheme. */
static void completed_options_change_no_bit(void **state)
{
    (void)state;
    static const char *const schemes[] = {"vi-b", "vi-s", "ansatz", "dpg", "lobatto"};
    lv_model *model = read_text(SPHERICAL_PENDULUM);
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        method m = {schemes[k], 0, 0};
        lv_sim *plain = start(model, &m, 0.01);
        complete(&m.more, schemes[k], NULL);
        lv_sim *full = start(model, &m, 0.01);
        step_times(plain, 20);
        step_times(full, 20);
        assert_memory_equal(lv_sim_position(plain), lv_sim_position(full),
                            3 * sizeof(double));
        assert_memory_equal(lv_sim_momentum(plain), lv_sim_momentum(full),
                            3 * sizeof(double));
        lv_sim_free(plain);
        lv_sim_free(full);
    }
    lv_model_free(model);
}

static void wrong_options_are_not_completed(void **state)
{
    (void)state;
    lv_scheme_options all, wrong = {0};
    lv_scheme_option_set(&wrong, LV_OPTION_THETA, 0.5);
    assert_int_equal(lv_scheme_complete(&all, "lobatto", &wrong, NULL), LV_ERR_MODEL);
    assert_int_equal(lv_scheme_complete(&all, "lobato", NULL, NULL), LV_ERR_MODEL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(refusals_name_schemes_that_take_the_system),
        RUN(refused_compositions_name_schemes_that_compose),
        RUN(schemes_that_fit_without_composing_are_named),
        RUN(where_nothing_fits_that_is_said),
        RUN(mass_matrices_are_taken_as_described),
        RUN(lagrangians_are_taken_as_described),
        RUN(compositions_are_taken_as_described),
        RUN(options_are_completed),
        RUN(every_scheme_describes_rotations_by_directors),
        RUN(some_schemes_move_bodies_on_groups),
        RUN(defaults_are_those_of_the_schemes),
        RUN(completed_options_change_no_bit),
        RUN(wrong_options_are_not_completed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
