/* Constraints that hold anyway change nothing: N four-bar linkages beside each other, with a rod from the first to the
 * last pin, which depends on all constraints before it, or with every rod twice. */
#include "check.h"
#include "linkages.h"

#include <livens/livens.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char whole[] = LINKAGES_WHOLE;
static const char again[] = LINKAGES_AGAIN;

typedef struct motion {
    lv_model *model;
    lv_sim *sim;
} motion;

static motion begin(const char *more, int size, const char *scheme, double step)
{
    char text[2048], number[16];
    motion m = {0};
    lv_error err;
    snprintf(text, sizeof text, "%s%s", LINKAGES, more);
    snprintf(number, sizeof number, "%d", size);
    const lv_setting setting = {"N", number};
    if (lv_model_parse(&m.model, "bars", text, strlen(text), &setting, 1, &err) != LV_OK)
        fail_msg("%s", err.text);
    lv_sim_options options = lv_sim_options_default(m.model);
    options.scheme = scheme;
    options.step = step;
    if (lv_sim_create(&m.sim, m.model, &options, &err) != LV_OK)
        fail_msg("%s", err.text);
    return m;
}

static void end(motion *m)
{
    lv_sim_free(m->sim);
    lv_model_free(m->model);
}

static void walk(motion *m, int steps)
{
    lv_error err;
    for (int k = 0; k < steps; k++)
        if (lv_sim_step(m->sim, &err) != LV_OK)
            fail_msg("step %d: %s", k, err.text);
}

/* The same positions as without, and multipliers with the same forces on the pins: those of least norm share. */
static void compare(const char *more, int size, const char *scheme, double step,
                    int steps)
{
    motion plain = begin("", size, scheme, step), full = begin(more, size, scheme, step);
    lv_error err;
    walk(&plain, steps);
    walk(&full, steps);
    for (int i = 0; i < 2 * (size + 1); i++)
        assert_close(lv_sim_position(full.sim)[i], lv_sim_position(plain.sim)[i],
                     1e-10 * size);
    const int rows = lv_sim_constraint_count(full.sim), own = 2 * size + 1;
    double *x = calloc((size_t)own, sizeof *x), *y = calloc((size_t)rows, sizeof *y);
    assert_true(x && y);
    assert_int_equal(lv_sim_multipliers(plain.sim, x, &err), LV_OK);
    assert_int_equal(lv_sim_multipliers(full.sim, y, &err), LV_OK);
    /* Rods twice share alike. The long one, N times as long as the rods, which are all stretched by the same force:
     * |x - z|^2 + |z|^2 / N^2 is least for z = N^2 sum x / (1 + N^3). */
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += x[size + 1 + i];
    const bool twice = rows > own + 1;
    const double share = sum * size / (1 + (double)size * size * size);
    const double tolerance = 1e-7 * size * (1 + fabs(x[size / 2]));
    for (int i = 0; i < size; i++) {
        const double expected =
            twice ? x[size + 1 + i] / 2 : x[size + 1 + i] - size * share;
        assert_close(y[size + 1 + i], expected, tolerance);
    }
    assert_close(y[own], twice ? x[size + 1] / 2 : share, tolerance);
    free(x);
    free(y);
    end(&plain);
    end(&full);
}

static const char *const schemes[] = {"rattle", "lobatto", "em", "livens", "vi-b2"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static void few_change_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; k++) {
        compare(whole, 3, schemes[k], 1e-3, 100);
        compare(again, 3, schemes[k], 1e-3, 100);
        compare(whole, 20, schemes[k], 1e-3, 50);
        compare(again, 20, schemes[k], 1e-3, 50);
    }
}

/* There is no limit to how many depend on each other. */
static void many_change_nothing(void **state)
{
    (void)state;
    compare(whole, 700, "rattle", 1e-3, 10);
    compare(again, 700, "rattle", 1e-3, 10);
    compare(whole, 700, "em", 1e-3, 3);
    compare(whole, 700, "livens", 1e-3, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(few_change_nothing),
        RUN(many_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
