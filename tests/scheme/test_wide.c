/* Steps of large systems have the same bits with and without the wide registers of the processor. */
#include "../model/reading.h"
#include "base/wide.h"

#include <stdlib.h>

typedef struct large {
    const char *model, *size, *scheme;
    double step;
    int rotations; /* the number of the word: directors, exp, cay, exact */
} large;

static const large systems[] = {
    {"chain", "150", "rattle", 1e-4},         {"chain", "77", "em", 1e-3},
    {"chain", "130", "vi-b2", 1e-4},          {"chain", "60", "lobatto", 1e-3},
    {"n-four-bar", "41", "rattle", 1e-3},     {"chain", "91", "livens", 1e-4},
    {"spring-net", "41", "rattle", 1e-3},     {"spring-net", "31", "gauss", 1e-3},
    {"body-chain", "23", "rattle", 1e-4, 3},  {"body-chain", "23", "rattle", 1e-4},
    {"body-chain", "17", "lobatto", 1e-4, 1}, {"rod-chain", "40", "em", 1e-3},
};

/* Takes a few steps and returns a copy of the last state: positions, velocities, momenta. */
static double *end_state(const large *x, int *count, bool narrow)
{
    enum { STEPS = 12 };
    lv_error err;
    lv_sim *sim = NULL;
    lv_model *model = read_shipped(x->model, "N", x->size);
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = x->scheme;
    options.options = (lv_scheme_options){0};
    options.step = x->step;
    if (x->rotations > 0)
        lv_scheme_option_set(&options.options, LV_OPTION_ROTATIONS, x->rotations);
    lv_wide_forbid(narrow);
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK)
        fail_with(&err);
    for (int k = 0; k < STEPS; k++)
        if (lv_sim_step(sim, &err) != LV_OK)
            fail_with(&err);
    lv_wide_forbid(false);
    const int n = lv_model_coordinate_count(model);
    double *state = malloc(3 * (size_t)n * sizeof *state);
    assert_non_null(state);
    memcpy(state, lv_sim_position(sim), (size_t)n * sizeof *state);
    memcpy(state + n, lv_sim_velocity(sim), (size_t)n * sizeof *state);
    memcpy(state + 2 * n, lv_sim_momentum(sim), (size_t)n * sizeof *state);
    lv_sim_free(sim);
    lv_model_free(model);
    *count = 3 * n;
    return state;
}

static void wide_registers_change_no_bit(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof systems / sizeof *systems; k++) {
        int count = 0;
        double *wide = end_state(&systems[k], &count, false),
               *narrow = end_state(&systems[k], &count, true);
        if (memcmp(wide, narrow, (size_t)count * sizeof *wide) != 0)
            fail_msg("%s with %s differs", systems[k].model, systems[k].scheme);
        free(wide);
        free(narrow);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wide_registers_change_no_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
