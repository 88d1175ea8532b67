/* Equations as text: every scheme has them, with all its options, and simulations what is derived from them. */
#include "../model/reading.h"

#include "scheme/scheme.h"

#include <livens/sim.h>

static char *equations_of(const char *name, const lv_scheme_options *options)
{
    lv_error err;
    char *text = NULL;
    if (lv_scheme_equations(&text, name, options, &err) != LV_OK)
        fail_with(&err);
    assert_non_null(text);
    assert_true(text[strlen(text) - 1] == '\n');
    return text;
}

static void every_scheme_has_equations(void **state)
{
    (void)state;
    for (int k = 0; lv_scheme_table[k]; k++) {
        char *text = equations_of(lv_scheme_table[k]->info.name, NULL);
        if (lv_scheme_table[k]->stepper) {
            assert_non_null(strstr(text, "carried q point, p momentum, v tangent"));
            assert_non_null(strstr(text, "assign q <- "));
        }
        lv_equations_free(text);
    }
}

/* What options decide is not left open. */
static void options_decide(void **state)
{
    (void)state;
    lv_scheme_options options = {0};
    char *text = equations_of("vi-b2", &options);
    assert_non_null(strstr(text, "\neq s dependent: rate(q1, x)\n"));
    assert_null(strstr(text, "projection"));
    assert_null(strstr(text, "first p"));
    lv_equations_free(text);
    lv_scheme_option_set(&options, LV_OPTION_PROJECTION, 1);
    text = equations_of("vi-b2", &options);
    assert_non_null(strstr(text, "\nunknown s impulse g\n"));
    assert_null(strstr(text, "dependent"));
    lv_equations_free(text);
    options = (lv_scheme_options){0};
    lv_scheme_option_set(&options, LV_OPTION_STAGES, 3);
    text = equations_of("lobatto", &options);
    assert_non_null(strstr(text, "\na =     0      0      0\n"
                                 "     5/24    1/3  -1/24\n"
                                 "      1/6    2/3    1/6\n"));
    lv_equations_free(text);
}

/* livens and em-g are em without the hidden constraints. */
static void em_g_knows_no_hidden_constraints(void **state)
{
    (void)state;
    char *text = equations_of("em-g", NULL), *both = equations_of("em", NULL);
    assert_null(strstr(text, "gamma"));
    assert_null(strstr(text, "rate("));
    assert_non_null(strstr(both, "unknown gamma"));
    assert_null(strstr(both, "when hidden"));
    lv_equations_free(text);
    lv_equations_free(both);
}

static char *derived_for(const char *model_name, const char *scheme, int compose)
{
    lv_error err;
    lv_model *model = read_shipped(model_name, NULL, NULL);
    lv_sim_options options = {.scheme = scheme, .step = 0.01};
    lv_sim *sim = NULL;
    char *text = NULL;
    if (compose > 0)
        lv_scheme_option_set(&options.options, LV_OPTION_COMPOSE, compose);
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK ||
        lv_sim_equations(&text, sim, &err) != LV_OK)
        fail_with(&err);
    lv_sim_free(sim);
    lv_model_free(model);
    return text;
}

static void simulations_say_what_is_solved_for(void **state)
{
    (void)state;
    char *text = derived_for("four-particles", "em", 0);
    assert_non_null(
        strstr(text, "solve for V, mu, gamma: 16 numbers, Newton's method\n"));
    assert_non_null(strstr(text, "DV is evaluated once in every Newton pass"));
    lv_equations_free(text);
    text = derived_for("steady-top", "bs99", 0);
    assert_non_null(strstr(text, "  v1, p1 = rotation(q1, m1)\n"));
    assert_null(strstr(text, "solve for"));
    lv_equations_free(text);
    text = derived_for("kepler", "verlet", 4);
    assert_non_null(strstr(text, "composed of "));
    lv_equations_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_scheme_has_equations),
        RUN(options_decide),
        RUN(em_g_knows_no_hidden_constraints),
        RUN(simulations_say_what_is_solved_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
