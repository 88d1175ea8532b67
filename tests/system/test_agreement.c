/* Constraints that depend on each other: who contradicts whom, and gradients that vanish. */
#include "../model/reading.h"

#include "system/agreement.h"

typedef struct fixture {
    lv_model *model;
    lv_system *system;
} fixture;

static fixture make(const char *text)
{
    fixture f = {read_text(text), NULL};
    lv_error err;
    if (lv_system_create(&f.system, f.model, &err) != LV_OK)
        fail_with(&err);
    return f;
}

static void release(fixture *f)
{
    lv_system_free(f->system);
    lv_model_free(f->model);
}

#define PLANE(x, y)                                                                      \
    "[coordinates]\nq = { value = [" x ", " y "] }\n[energy]\nkinetic = "                \
    "\"norm2(q')/2\"\n[constraints]\n"

/* ---- contradictions ----------------------------------------------------------------------- */

static void constraints_that_contradict_each_other_are_named(void **state)
{
    (void)state;
    lv_error err;
    fixture f = make(PLANE("0.6", "0.8") "a = { holonomic = \"q[1] - 0.6\" }\n"
                                         "b = { holonomic = \"q[2] - 0.8\" }\n"
                                         "c = { holonomic = \"2*q[1] - 1.2 + t\" }\n");
    const double *q = f.model->start_q;
    assert_int_equal(lv_system_agree_position(f.system, 0, q, &err), LV_OK);
    assert_int_equal(lv_system_agree_position(f.system, 0.25, q, &err), LV_ERR_NUMERIC);
    assert_says(err.text, "constraints 'a' and 'c' contradict each other");
    assert_says(err.note, "at t = 0.25 the value of 'c' is 0.25");
    assert_true(err.hint[0] != '\0');
    assert_int_equal(lv_system_contradiction(f.system, 0.25, q, NULL), LV_ERR_NUMERIC);
    release(&f);
}

/* The rates of a and c differ from the beginning. Velocities do not change that. */
static void rates_contradict_each_other_alike(void **state)
{
    (void)state;
    lv_error err;
    const double v[][2] = {{0, 0}, {-0.5, 0}, {-0.2, 0}};
    fixture f = make(PLANE("0.6", "0.8") "a = { nonholonomic = \"q[1]'\" }\n"
                                         "c = { nonholonomic = \"2*q[1]' + 1\" }\n");
    for (int k = 0; k < 3; k++) {
        lv_status status =
            lv_system_agree_velocity(f.system, 0, f.model->start_q, v[k], &err);
        assert_int_equal(status, LV_ERR_NUMERIC);
        assert_says(err.text, "constraints 'a' and 'c' contradict each other");
        assert_says(err.note, "the rate of 'c' is 1,");
    }
    release(&f);
}

/* A residual that nothing contradicts is another matter: it was not solved for. Both are violated alike. */
static void residuals_without_contradiction_name_the_worst(void **state)
{
    (void)state;
    lv_error err;
    const double q[2] = {0.7, 0.8};
    fixture f = make(PLANE("0.6", "0.8") "a = { holonomic = \"q[1] - 0.6\" }\n"
                                         "c = { holonomic = \"2*q[1] - 1.2\" }\n");
    assert_int_equal(lv_system_agree_position(f.system, 0, q, &err), LV_ERR_NUMERIC);
    assert_says(err.text, "constraint 'a' could not be satisfied: 0.1 is left");
    assert_int_equal(lv_system_contradiction(f.system, 0, q, &err), LV_OK);
    release(&f);
}

static void rounding_is_let_pass_in_all_units(void **state)
{
    (void)state;
    const double q[2] = {6e7 * (1 + 1e-14), 8e7};
    fixture f = make(PLANE("6e7", "8e7") "a = { holonomic = \"norm2(q) - 1e16\" }\n"
                                         "b = { holonomic = \"2*norm2(q) - 2e16\" }\n");
    lv_error err;
    if (lv_system_agree_position(f.system, 0, q, &err) != LV_OK)
        fail_with(&err);
    release(&f);
}

/* ---- gradients that vanish ------------------------------------------------------------------- */

static void squares_have_no_gradient_where_they_vanish(void **state)
{
    static const struct {
        const char *constraint;
        int row;
    } cases[] = {
        {"(norm2(q) - 1)^2", 0},
        {"(norm2(q) - 1)^3", 0},
        {"norm2(q - [0.6, 0.8])", 0},
        {"1 - cos(norm2(q) - 1)", 0},
        {"1e-8*(norm2(q) - 1)^2", 0},
        {"norm2(q) - 1", -1},
        {"1e-8*(norm2(q) - 1)", -1},
        {"(norm2(q) - 1)*(q[1] - 0.6)", -1}, /* at the start only: two curves meet */
        {"(q[1] - 0.6)*(q[2] - 0.8)", -1},
        {"(q[1] - 0.6)^3 - q[2] + 0.8", -1},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[300];
        lv_error err;
        snprintf(text, sizeof text, PLANE("0.6", "0.8") "c = { holonomic = \"%s\" }\n",
                 cases[k].constraint);
        fixture f = make(text);
        int row = lv_system_flat_constraint(f.system, 0, f.model->start_q);
        if (row != cases[k].row)
            fail_msg("%s: %d", cases[k].constraint, row);
        if (row >= 0) {
            assert_int_equal(lv_system_refuse_flat(f.system, row, &err), LV_ERR_MODEL);
            assert_says(err.text, "the gradient of constraint 'c' vanishes wherever");
            assert_says(err.hint, "f in place of f^2");
        }
        release(&f);
    }
}

/* Lengths of any size, near the origin and far from it; the start is exact or a bit off. */
static void units_and_places_do_not_change_that(void **state)
{
    static const struct {
        const char *constraint;
        int row;
    } cases[] = {
        {"norm2(q - c) - l^2", -1},           {"norm(q - c) - l", -1},
        {"(norm2(q - c) - l^2)^2", 0},        {"(norm2(q - c) - l^2)^3", 0},
        {"norm2(q - c - [0.6*l, 0.8*l])", 0}, {"1e9*(norm2(q - c) - l^2)", -1},
    };
    static const double lengths[] = {1e-12, 1e-9, 1e-3, 1, 1e4, 1e9},
                        off[] = {0, 1e-7, 1e-4};
    (void)state;
    for (int n = 0; n < 6 * 6 * 3 * 2; n++) {
        char text[400];
        const int k = n % 6;
        const double l = lengths[n / 6 % 6], by = off[n / 36 % 3], away = n / 108 % 2;
        snprintf(text, sizeof text,
                 "[parameters]\nl = %g\nc = [\"%g*l\", \"-%g*l\"]\n[coordinates]\n"
                 "q = { value = [\"c[1] + 0.6*l*(1 + %g)\", \"c[2] + 0.8*l\"] }\n"
                 "[energy]\nkinetic = \"norm2(q')/2\"\n[constraints]\n"
                 "rod = { holonomic = \"%s\" }\n",
                 l, 1e5 * away, 3e4 * away, by, cases[k].constraint);
        fixture f = make(text);
        const int row = lv_system_flat_constraint(f.system, 0, f.model->start_q);
        inspected i = inspect_text(text);
        if (row != cases[k].row)
            fail_msg("%s", text);
        assert_string_equal(i.at->flat, row < 0 ? "" : "rod");
        inspected_free(&i);
        release(&f);
    }
}

/* A coordinate far from the origin whose part of the gradient is zero: the other one decides. With d the offset, r the
 * radius, the gradient of (x - d)^2 + y^2 - r^2 at (d, r) is (0, 2 r). */
static void offsets_do_not_hide_a_gradient(void **state)
{
    static const struct {
        const char *constraint;
        int row;
    } cases[] = {
        {"(x - d)^2 + y^2 - r^2", -1},    {"(x - d)^4 + y^4 - r^4", -1},
        {"y - r - (x - d)^2", -1},        {"(x - d)*y", -1},
        {"((x - d)^2 + y^2 - r^2)^2", 0}, {"(y - r)^2 + (x - d)^4", 0},
    };
    static const double far[] = {1e3, 1e6, 1e9}, radius[] = {1e-3, 1, 1e3};
    (void)state;
    for (int n = 0; n < 6 * 9; n++) {
        char text[400];
        const double d = far[n / 6 % 3], r = radius[n / 18];
        snprintf(text, sizeof text,
                 "[parameters]\nd = %g\nr = %g\n[coordinates]\n"
                 "x = { value = \"d\" }\ny = { value = \"r\" }\n"
                 "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n[constraints]\n"
                 "c = { holonomic = \"%s\" }\n",
                 d, r, cases[n % 6].constraint);
        fixture f = make(text);
        const int row = lv_system_flat_constraint(f.system, 0, f.model->start_q);
        if (row != cases[n % 6].row)
            fail_msg("%d: %s", row, text);
        release(&f);
    }
}

static void check_sees_what_has_no_gradient(void **state)
{
    (void)state;
    inspected i =
        inspect_text(PLANE("0.6", "0.8") "c = { holonomic = \"(norm2(q) - 1)^2\" }\n");
    assert_string_equal(i.at->flat, "c");
    inspected_free(&i);
    i = inspect_text(PLANE("0.6", "0.8") "c = { holonomic = \"norm2(q) - 1\" }\n"
                                         "d = { holonomic = \"3*norm2(q) - 3\" }\n");
    assert_string_equal(i.at->flat, "");
    assert_string_equal(i.at->redundant, "d");
    inspected_free(&i);
}

/* ---- singular masses ---------------------------------------------------------------------------- */

/* Rank is a matter of G. And multipliers do not need the inverse of M: in the model 2 x (q2 - x1) lambda / 2
 * is the force of spring 2, since q2 and x2 move the same mass (equation of q2 and of x2). */
static void a_singular_mass_leaves_constraints_independent(void **state)
{
    (void)state;
    fixture f = {read_shipped("mass-spring-redundant", NULL, NULL), NULL};
    lv_error err;
    if (lv_system_create(&f.system, f.model, &err) != LV_OK)
        fail_with(&err);
    const double x2 = 0.3, q[3] = {0.2, 1.3, x2}, v[3] = {0.4, 0.4, -0.7};
    double lambda = 0;
    assert_int_equal(lv_system_count_dependent(f.system, 0, q, v), 0);
    if (lv_system_accelerations(f.system, NULL, &lambda, 0, q, v, &err) != LV_OK)
        fail_with(&err);
    assert_int_equal(lv_saddle_redundant(f.system->saddle), 0);
    assert_close(lambda * 1.1, -0.25 * 3 * (2 * x2 + 4 * x2 * x2 * x2), 1e-13);
    release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(constraints_that_contradict_each_other_are_named),
        RUN(rates_contradict_each_other_alike),
        RUN(residuals_without_contradiction_name_the_worst),
        RUN(rounding_is_let_pass_in_all_units),
        RUN(squares_have_no_gradient_where_they_vanish),
        RUN(units_and_places_do_not_change_that),
        RUN(offsets_do_not_hide_a_gradient),
        RUN(check_sees_what_has_no_gradient),
        RUN(a_singular_mass_leaves_constraints_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
