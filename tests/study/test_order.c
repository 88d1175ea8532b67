/* Verdicts on errors that are made up, and the order of schemes on a motion that is known. */
#include "../claims/moving.h"

#include "study/order.h"

/* errors[k] belongs to the step 0.1 / 2^k. */
static lv_convergence errors_of(const double *errors, int count)
{
    lv_convergence c = {.count = count};
    for (int k = 0; k < count; k++) {
        c.step[k] = 0.1 / pow(2, k);
        c.error[k] = errors[k];
    }
    return c;
}

static void an_order_at_the_step_itself_is_seen(void **state)
{
    (void)state;
    const double errors[] = {1e-2, 2.6e-3, 6.4e-4};
    lv_convergence c = errors_of(errors, 3);
    assert_int_equal(lv_order_judge(&c, 2, 0.1), LV_ORDER_SEEN);
    assert_true(c.asymptotic && c.asymptotic_step == 0.1);
    assert_true(fabs(c.observed - log2(1e-2 / 6.4e-4) / 2) < 1e-12);
    assert_true(fabs(c.order[0] - log2(1e-2 / 2.6e-3)) < 1e-12);
}

/* Errors of the step itself may be rounding: larger ones show the order. */
static void an_order_at_larger_steps_is_seen(void **state)
{
    (void)state;
    const double errors[] = {1e-6, 1.6e-8, 2.5e-10};
    lv_convergence c = errors_of(errors, 3);
    assert_int_equal(lv_order_judge(&c, 6, 0.001), LV_ORDER_SEEN);
    assert_true(c.asymptotic);
}

static void an_order_at_smaller_steps_is_not_that_of_the_step(void **state)
{
    (void)state;
    const double errors[] = {5e-2, 4e-2, 3e-2, 7e-3, 1.8e-3, 4.5e-4};
    lv_convergence c = errors_of(errors, 6);
    assert_int_equal(lv_order_judge(&c, 2, 0.1), LV_ORDER_LATER);
    assert_false(c.asymptotic);
    assert_true(c.asymptotic_step == 0.1 / 4);
    /* The error of the step itself is as large as the motion. */
    c = errors_of(errors + 3, 3);
    assert_int_equal(lv_order_judge(&c, 2, 0.8), LV_ORDER_LATER);
    assert_false(c.asymptotic);
}

static void a_steady_lower_order_is_missed(void **state)
{
    (void)state;
    const double first[] = {1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.2e-4, 3.1e-4},
                 none[] = {1e-2, 1e-2, 9.9e-3, 1e-2, 1e-2, 1e-2};
    lv_convergence c = errors_of(first, 6);
    assert_int_equal(lv_order_judge(&c, 2, 0.1), LV_ORDER_MISSED);
    c = errors_of(none, 6);
    assert_int_equal(lv_order_judge(&c, 2, 0.1), LV_ORDER_MISSED);
}

static void errors_that_go_up_and_down_say_nothing(void **state)
{
    (void)state;
    const double errors[] = {2e-2, 5e-2, 1e-2, 4e-2, 3e-2, 6e-2};
    lv_convergence c = errors_of(errors, 6);
    assert_int_equal(lv_order_judge(&c, 2, 0.1), LV_ORDER_NOT_YET);
    c = errors_of(errors, 2);
    assert_int_equal(lv_order_judge(&c, 2, 0.1), LV_ORDER_ROUNDING);
}

/* The midpoint rule moves an oscillator of frequency 1 with the frequency 2/h atan(h/2), exactly. */
static void errors_are_those_of_a_closed_form(void **state)
{
    (void)state;
    static const char oscillator[] = "[coordinates]\nx = { value = 1, velocity = 0 }\n"
                                     "[energy]\nkinetic = \"x'^2/2\"\n"
                                     "potential = \"x^2/2\"\n";
    const method m = {"gauss", 1, 0};
    lv_model *model = read_text(oscillator);
    lv_sim *sim = start(model, &m, 0.05);
    double numbers[400];
    lv_error err;
    lv_order_found found;
    assert_in_range(lv_sim_number_count(sim), 1, 400);
    lv_sim_write_numbers(sim, numbers);
    const lv_order_request request = {numbers, 2, false, 64, 256, 10000};
    if (lv_order_measure(&found, sim, &request, &err) != LV_OK)
        fail_with(&err);
    assert_int_equal(found.outcome, LV_ORDER_SEEN);
    assert_true(fabs(found.convergence.span - 3.2) < 1e-12);
    for (int k = 0; k < 3; k++) {
        const double h = 0.05 / pow(2, k), w = 2 / h * atan(h / 2);
        double worst = 0, size = 0;
        for (int mark = 1; mark <= 4;
             mark++) { /* of x, p relative to the largest of each */
            const double t = 0.8 * mark;
            size = fmax(size, fabs(sin(t)));
        }
        for (int mark = 1; mark <= 4; mark++) {
            const double t = 0.8 * mark;
            worst = fmax(
                worst, fmax(fabs(cos(w * t) - cos(t)), fabs(sin(w * t) - sin(t)) / size));
        }
        assert_true(fabs(found.convergence.error[k] - worst) < 1e-3 * worst);
    }
    assert_true(lv_sim_time(sim) == 0);
    lv_sim_free(sim);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(an_order_at_the_step_itself_is_seen),
        RUN(an_order_at_larger_steps_is_seen),
        RUN(an_order_at_smaller_steps_is_not_that_of_the_step),
        RUN(a_steady_lower_order_is_missed),
        RUN(errors_that_go_up_and_down_say_nothing),
        RUN(errors_are_those_of_a_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
