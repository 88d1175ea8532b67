/* What tests of wrong calls share: a model, a simulation of it, and refusals. */
#ifndef LV_TESTS_MISUSE_H
#define LV_TESTS_MISUSE_H

#include "../claims/moving.h"

#include <livens/livens.h>

#include <limits.h>

static lv_model *model;      /* a pendulum, with a sweep of three members */
static lv_sim *sim;          /* of it, with a step behind it */
static lv_run_request asked; /* a short run of it */

#define PENDULUM                                                                         \
    "[parameters]\ng = 9.81\n"                                                           \
    "[coordinates]\nx = { value = [1, 0], velocity = [0, 1] }\n"                         \
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"g*x[2]\"\n"                      \
    "[constraints]\nrod = { holonomic = \"norm2(x) - 1\" }\n"                            \
    "[run]\nscheme = \"lobatto\"\nstep = 0.01\nuntil = 0.1\n"                            \
    "[sweep]\nmembers = 3\n[sweep.set]\ng = \"9 + j\"\n"

static int set_up(void **state)
{
    (void)state;
    lv_error err;
    model = read_text(PENDULUM);
    lv_sim_options options = lv_sim_options_default(model);
    options.dense = true;
    assert_int_equal(lv_sim_create(&sim, model, &options, &err), LV_OK);
    assert_int_equal(lv_sim_step(sim, &err), LV_OK);
    asked = lv_run_request_default(model);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lv_sim_free(sim);
    lv_model_free(model);
    return 0;
}

/* The call, which uses `e`, is refused: with and without room for an explanation, which names the
 * function and the argument. */
#define REFUSED(function, argument, ...)                                                 \
    do {                                                                                 \
        lv_error explained = {.code = LV_OK}, *e = &explained;                           \
        assert_int_equal(function(__VA_ARGS__), LV_ERR_USAGE);                           \
        assert_int_equal(explained.code, LV_ERR_USAGE);                                  \
        if (!strstr(explained.text, #function) || !strstr(explained.text, argument))     \
            fail_msg("'%s' names not both %s and %s", explained.text, #function,         \
                     argument);                                                          \
        e = NULL;                                                                        \
        assert_int_equal(function(__VA_ARGS__), LV_ERR_USAGE);                           \
    } while (0)

static const lv_option bad_options[] = {(lv_option)-1, LV_OPTIONS, (lv_option)31,
                                        (lv_option)32, (lv_option)1000000};
enum { BAD_OPTIONS = sizeof bad_options / sizeof bad_options[0] };

#endif
