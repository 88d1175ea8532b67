/* Steps of vi-s have no solution where G M^-1 G^T shrinks too fast: a slider crank with a light pin and a heavy slider,
 *   (x^2 + y^2 - 1)/2 = 0,   ((s - x)^2 + y^2 - 4)/2 = 0,   masses m, m, 1,
 * that moves towards its dead point. The branch of solutions that begins with h = 0 was followed by arc length in the four
 * multipliers, with code that has nothing in common with the library: it folds at the steps that are given below. */
#include "watching.h"

#include "system/schur_change.h"

#include <math.h>

#define CRANK                                                                            \
    "[parameters]\na = -0.5\nm = 0.01\ny0 = \"sin(a)\"\nb = \"sqrt(4 - y0^2)\"\n"        \
    "[coordinates]\n"                                                                    \
    "x = { value = \"cos(a)\", velocity = \"-y0\" }\n"                                   \
    "y = { value = \"y0\", velocity = \"cos(a)\" }\n"                                    \
    "s = { value = \"cos(a) + b\", velocity = \"-y0 - y0*cos(a)/b\" }\n"                 \
    "[energy]\nkinetic = \"m/2*(x'^2 + y'^2) + s'^2/2\"\n"                               \
    "[constraints]\ncrank = { holonomic = \"(x^2 + y^2 - 1)/2\" }\n"                     \
    "rod = { holonomic = \"((s - x)^2 + y^2 - 4)/2\" }\n"

static lv_model *crank_at(double angle)
{
    char number[32];
    const lv_setting setting = {"a", number};
    lv_model *model = NULL;
    snprintf(number, sizeof number, "%.17g", angle);
    assert_int_equal(
        lv_model_parse(&model, "crank", CRANK, strlen(CRANK), &setting, 1, NULL), LV_OK);
    return model;
}

/* One step from the start; the state stays what it was if it fails. */
static lv_status try_step(const lv_model *model, const char *scheme, double h,
                          lv_error *err)
{
    lv_sim *sim = start(model, &(method){.scheme = scheme}, h);
    const lv_status status = lv_sim_step(sim, err);
    lv_sim_free(sim);
    return status;
}

static const struct {
    double angle, fold;
} folds[] = {{-1.2, 0.28830488218581274},
             {-0.8, 0.1674625200416053},
             {-0.5, 0.09947094686307162},
             {-0.3, 0.06041964862333885},
             {-0.2, 0.04290042213820767}};

static void vi_s_takes_steps_up_to_the_fold(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof folds / sizeof *folds; k++) {
        lv_model *model = crank_at(folds[k].angle);
        lv_error err;
        assert_int_equal(try_step(model, "vi-s", 0.99 * folds[k].fold, &err), LV_OK);
        assert_int_equal(try_step(model, "vi-s", 1.01 * folds[k].fold, &err),
                         LV_ERR_NUMERIC);
        lv_model_free(model);
    }
}

static void a_step_beyond_it_says_why_and_what_takes_it(void **state)
{
    (void)state;
    static const char *const others[] = {"rattle", "em", "vi-b2"};
    lv_model *model = crank_at(folds[2].angle);
    lv_error err;
    assert_int_equal(try_step(model, "vi-s", 1.01 * folds[2].fold, &err), LV_ERR_NUMERIC);
    print_message("    %s\n    %s\n    %s\n", err.text, err.note, err.hint);
    assert_non_null(strstr(err.note, "G M^-1 G^T shrinks by 0.37 of itself"));
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        assert_non_null(strstr(err.hint, others[k]));
        assert_int_equal(try_step(model, others[k], 2 * folds[2].fold, &err), LV_OK);
    }
    lv_model_free(model);
}

/* A y = G M^-1 G^T y of two constraints, and its rate: the least mu of A' y = mu A y by a quadratic equation. */
static double shrinking_of(double a)
{
    const double m = 0.01, x = cos(a), y = sin(a), c = sqrt(4 - y * y);
    const double vx = -y, vy = x, vc = -y * x / c; /* c = s - x */
    const double g[3] = {(x * x + y * y) / m, (y * y - c * x) / m,
                         (c * c + y * y) / m + c * c};
    const double r[3] = {2 * (x * vx + y * vy) / m, (2 * y * vy - vc * x - c * vx) / m,
                         2 * (c * vc + y * vy) / m + 2 * c * vc};
    const double det = g[0] * g[2] - g[1] * g[1],
                 mean = (g[2] * r[0] - 2 * g[1] * r[1] + g[0] * r[2]) / det / 2,
                 last = (r[0] * r[2] - r[1] * r[1]) / det;
    return -(mean - sqrt(mean * mean - last));
}

static void shrinking_is_that_of_two_by_two_matrices(void **state)
{
    (void)state;
    static const double angles[] = {-2.5, -1.2, -0.5, -0.1, 0.1, 0.8, 2};
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        lv_model *model = crank_at(angles[k]);
        lv_sim *sim = start(model, &(method){.scheme = "vi-s"}, 0.01);
        const lv_point at = {.q = sim->state.q, .v = sim->state.v};
        double rate;
        int row;
        assert_int_equal(lv_system_schur_shrinking(sim->system, &at, &rate, &row, NULL),
                         LV_OK);
        assert_close(rate, fmax(0, shrinking_of(angles[k])), 1e-4);
        assert_in_range(row, 0, 1);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(vi_s_takes_steps_up_to_the_fold),
        RUN(a_step_beyond_it_says_why_and_what_takes_it),
        RUN(shrinking_is_that_of_two_by_two_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
