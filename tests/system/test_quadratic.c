/* Second derivatives of constraints that are at most quadratic: they take constraints and Jacobian from one
 * place to another exactly. */
#include "../model/reading.h"

#include "system/quadratic.h"
#include "system/sparse.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rods, a plane, a saddle with mixed products, and a condition on all points. */
static const char mixed[] = "[coordinates]\n"
                            "a = { value = [1, 2, 3] }\n"
                            "b = { value = [0, 1, 0] }\n"
                            "c = { value = [1, 1, 0] }\n"
                            "z = { value = 0.3 }\n"
                            "[energy]\n"
                            "kinetic = \"(norm2(a') + norm2(b') + norm2(c') + z'^2)/2\"\n"
                            "[constraints.rod]\n"
                            "holonomic = \"norm2(b - a)/3 - 1\"\n"
                            "[constraints.saddle]\n"
                            "holonomic = \"a[1]*c[2] - 2*z*b[3] + z\"\n"
                            "[constraints.plane]\n"
                            "holonomic = \"c[1] + 2*c[2] - 3\"\n"
                            "[constraints.all]\n"
                            "holonomic = \"norm2(a) + norm2(b) + 2*dot(b, c) - 4\"\n";

typedef struct fixture {
    lv_model *model;
    lv_plan *rate, *end;
    const lv_pattern *g;
    lv_quadratic *quadratic;
} fixture;

static fixture make(lv_model *model)
{
    fixture f = {.model = model};
    assert_int_equal(lv_plan_create(&f.rate, model, LV_WANT(RATE_Q), NULL), LV_OK);
    assert_int_equal(
        lv_plan_create(&f.end, model, LV_WANT(CONSTRAINT) | LV_WANT(JACOBIAN), NULL),
        LV_OK);
    f.g = lv_plan_pattern(f.end, LV_Q_JACOBIAN);
    assert_int_equal(lv_quadratic_create(&f.quadratic, f.rate, f.g, NULL), LV_OK);
    return f;
}

static void release(fixture *f)
{
    lv_quadratic_free(f->quadratic);
    lv_plan_free(f->rate);
    lv_plan_free(f->end);
    lv_model_free(f->model);
}

static void evaluate(const fixture *f, const double *q, double *g, double *jacobian)
{
    const lv_point at = {.q = q, .v = q};
    lv_plan_run(f->end, &at);
    memcpy(g, lv_plan_result(f->end, LV_Q_CONSTRAINT), (size_t)f->g->rows * sizeof *g);
    memcpy(jacobian, lv_plan_result(f->end, LV_Q_JACOBIAN),
           (size_t)lv_pattern_entries(f->g) * sizeof *jacobian);
}

enum { MOST = 64 };

/* The constraints there, not only their Jacobian. */
static void compare_followed(const fixture *f, const lv_quadratic_place *from,
                             const double *q)
{
    double g[MOST], jacobian[MOST], followed[MOST], turned[MOST];
    evaluate(f, q, g, jacobian);
    lv_quadratic_follow(f->quadratic, from, q, followed, turned);
    for (int r = 0; r < f->g->rows; r++)
        assert_close(followed[r], g[r], 1e-14);
    for (int e = 0; e < lv_pattern_entries(f->g); e++)
        assert_close(turned[e], jacobian[e], 1e-14);
}

static void compare(fixture *f)
{
    double q[MOST], x[MOST], there[MOST], g[MOST], from[MOST], to[MOST], turned[MOST],
        alone[MOST];
    const lv_quadratic_place place = {q, g, from};
    const int n = f->g->columns, entries = lv_pattern_entries(f->g);
    assert_in_range(entries, 1, MOST);
    assert_in_range(n, 1, MOST);
    for (int i = 0; i < n; i++) {
        q[i] = sin(i + 1.0);
        x[i] = cos(3.0 * i);
        there[i] = q[i] + x[i];
    }
    evaluate(f, there, g, to);
    evaluate(f, q, g, from);
    compare_followed(f, &place, there);
    lv_quadratic_turn(f->quadratic, turned, from, x);
    lv_quadratic_turn(f->quadratic, alone, NULL, x);
    for (int e = 0; e < entries; e++) {
        assert_close(turned[e], to[e], 1e-14);
        assert_close(alone[e], to[e] - from[e], 1e-14);
    }
}

static void constraints_are_taken_from_place_to_place(void **state)
{
    (void)state;
    fixture f = make(read_text(mixed));
    assert_non_null(f.quadratic);
    compare(&f);
    release(&f);
}

/* Entries with at most two parts each have loops of their own, in threes, twos and ones. */
static const char space[] = "[coordinates]\n"
                            "a = { value = [1, 2, 3] }\n"
                            "b = { value = [0, 1, 0] }\n"
                            "[energy]\n"
                            "kinetic = \"(norm2(a') + norm2(b'))/2\"\n"
                            "[constraints.fixed]\n"
                            "holonomic = \"norm2(a) - 14\"\n"
                            "[constraints.rod]\n"
                            "holonomic = \"norm2(b - a) - 11\"\n";

static const char plane[] = "[coordinates]\n"
                            "x = { value = 1 }\n"
                            "y = { value = 2 }\n"
                            "z = { value = 3 }\n"
                            "[energy]\n"
                            "kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n"
                            "[constraints.circle]\n"
                            "holonomic = \"x^2 + y^2 - 5\"\n";

static const char line[] = "[coordinates]\n"
                           "x = { value = 1 }\n"
                           "y = { value = 2 }\n"
                           "z = { value = 3 }\n"
                           "[energy]\n"
                           "kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n"
                           "[constraints.saddle]\n"
                           "holonomic = \"x*y - 2 + z\"\n"
                           "[constraints.ellipse]\n"
                           "holonomic = \"x^2 + 2*z^2 - 19\"\n";

static void rods_are_no_exception(void **state)
{
    const char *const texts[] = {space, plane, line};
    (void)state;
    for (int k = -1; k < 3; k++) {
        fixture f = make(k < 0 ? read_shipped("four-particles", NULL, NULL)
                               : read_text(texts[k]));
        assert_non_null(f.quadratic);
        compare(&f);
        release(&f);
    }
}

/* q1^2 + q2^2 + ..., behind what is in the text. */
static void add_squares(char *text, const char *name, int count)
{
    for (int k = 1; k <= count; k++)
        sprintf(text + strlen(text), "%s%s%d^2", k > 1 ? " + " : "", name, k);
}

static void constraints_on_many_coordinates_are_left_out(void **state)
{
    enum { MANY = 70 };
    char text[8000] = "[coordinates]\n";
    (void)state;
    for (int k = 1; k <= MANY; k++)
        sprintf(text + strlen(text), "q%d = { value = 1 }\n", k);
    for (int k = 1; k <= MANY; k++)
        sprintf(text + strlen(text), "[energy.t%d]\nkinetic = \"q%d'^2/2\"\n", k, k);
    strcat(text, "[constraints.all]\nholonomic = \"");
    add_squares(text, "q", MANY);
    strcat(text, " - 70\"\n");
    fixture f = make(read_text(text));
    assert_null(f.quadratic);
    release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {RUN(constraints_are_taken_from_place_to_place),
                                       RUN(rods_are_no_exception),
                                       RUN(constraints_on_many_coordinates_are_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
