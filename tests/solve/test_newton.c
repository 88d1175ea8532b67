/* The Newton frame on equations whose solutions are known. */
#include "check.h"

#include "solve/newton.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* One unknown: f(x) = 0 with derivative f'. */
typedef struct scalar {
    double (*f)(double), (*df)(double);
    double x, slope;
    double update[1], last[1];
    double guess; /* of the usual beginning */
    double wrong; /* error of the derivative, relative */
    int evaluations, builds, beginnings;
    bool (*accept)(double);
} scalar;

static void begin(void *work, lv_initial_guess b)
{
    scalar *s = work;
    s->x = b.no_history ? b.extrapolation : s->guess;
    s->beginnings++;
}

static void evaluate(void *work)
{
    scalar *s = work;
    s->update[0] = -s->f(s->x);
    s->evaluations++;
}

static bool build(void *work)
{
    scalar *s = work;
    s->slope = s->df(s->x) * (1 + s->wrong);
    s->builds++;
    return s->slope != 0;
}

static void solve(void *work)
{
    scalar *s = work;
    s->update[0] /= s->slope;
}

static double measure(void *work)
{
    scalar *s = work;
    return fabs(s->update[0]);
}

static void move(void *work, double fraction)
{
    scalar *s = work;
    s->x += fraction * s->update[0];
}

static bool settled(void *work)
{
    scalar *s = work;
    return !s->accept || s->accept(s->x);
}

static const lv_newton_equations equations = {begin,   evaluate, build,  solve,
                                              measure, move,     settled};

static lv_newton newton_of(scalar *s)
{
    return (lv_newton){.equations = &equations,
                       .work = s,
                       .size = 1,
                       .update = s->update,
                       .last = s->last,
                       .slow = 0.05};
}

static double cubic(double x)
{
    return x * x * x - 2;
}

static double cubic_slope(double x)
{
    return 3 * x * x;
}

static void a_root_is_found_to_rounding(void **state)
{
    (void)state;
    scalar s = {.f = cubic, .df = cubic_slope, .guess = 1.3};
    lv_newton n = newton_of(&s);
    assert_true(lv_newton_solve(&n));
    assert_at_most(fabs(s.x - cbrt(2)), 3e-16);
    assert_int_equal(s.beginnings, 1);
    assert_int_equal(n.iterations, n.converge.count);
}

/* The guess from past values is misled, and the one without, at 1, leads to the root: where past values are doubted it comes
 * first. */
static void doubted_guesses_come_after_the_one_without_history(void **state)
{
    (void)state;
    for (int doubts = 0; doubts < 2; doubts++) {
        scalar s = {.f = cubic, .df = cubic_slope, .guess = 1.3};
        lv_newton n = newton_of(&s);
        n.misled = 1e-3;
        n.doubts_history = doubts == 1;
        assert_true(lv_newton_solve(&n));
        assert_true(n.without_history);
        assert_at_most(fabs(s.x - cbrt(2)), 3e-16);
        assert_int_equal(s.beginnings, doubts == 1 ? 1 : 2);
    }
}

/* From 1e-6 away one matrix serves for all passes: the error shrinks by 1e-6 in each. */
static void a_good_matrix_is_kept(void **state)
{
    (void)state;
    scalar s = {.f = cubic, .df = cubic_slope, .guess = cbrt(2) + 1e-6};
    lv_newton n = newton_of(&s);
    assert_true(lv_newton_solve(&n));
    assert_int_equal(s.builds, 1);
    assert_at_most(fabs(s.x - cbrt(2)), 3e-16);
}

/* From 0.01 away a matrix contracts by 0.016: where building one takes as long as many passes, it is kept. */
static void a_matrix_that_is_dear_is_kept_longer(void **state)
{
    (void)state;
    int evaluations[2], builds[2];
    for (int dear = 0; dear < 2; dear++) {
        scalar s = {.f = cubic, .df = cubic_slope, .guess = cbrt(2) + 0.01};
        lv_newton n = newton_of(&s);
        n.slow = 0.01;
        n.build_passes = dear ? 20 : 0;
        assert_true(lv_newton_solve(&n));
        assert_at_most(fabs(s.x - cbrt(2)), 3e-16);
        evaluations[dear] = s.evaluations;
        builds[dear] = s.builds;
    }
    assert_int_equal(builds[1], 1);
    assert_true(builds[0] > 1);
    assert_in_range(evaluations[1], evaluations[0], evaluations[0] + 20);
}

/* A derivative that is wrong by a third makes the iteration linear; it is built anew in every pass. */
static void a_matrix_that_creeps_is_built_again(void **state)
{
    (void)state;
    scalar s = {.f = cubic, .df = cubic_slope, .guess = 1.26, .wrong = 0.33};
    lv_newton n = newton_of(&s);
    assert_true(lv_newton_solve(&n));
    assert_true(s.builds >= n.iterations - 2);
    assert_at_most(fabs(s.x - cbrt(2)), 1e-15);
}

/* Whole steps from |x| > 1.3917 leave for infinity; the frame shortens them. */
static double slope_of_arctangent(double x)
{
    return 1 / (1 + x * x);
}

static void steps_that_go_too_far_are_shortened(void **state)
{
    (void)state;
    for (double guess = 1.5; guess < 60; guess *= 1.7) {
        scalar s = {.f = atan, .df = slope_of_arctangent, .guess = guess};
        lv_newton n = newton_of(&s);
        assert_int_equal(lv_newton_iterate(&n, lv_newton_initial_guess(0)), LV_CONVERGED);
        assert_at_most(fabs(s.x), 1e-15);
    }
}

/* No real root. */
static double no_root(double x)
{
    return x * x + 1;
}

static double no_root_slope(double x)
{
    return 2 * x;
}

static double astray_from(double guess, double (*f)(double), double (*df)(double))
{
    scalar s = {.f = f, .df = df, .guess = guess};
    lv_newton n = newton_of(&s);
    assert_true(lv_newton_solve(&n));
    return n.astray;
}

/* From 1.3 the first correction of 0.04 leaves 0.001; from 0.3 it leads to 7.6, and five more that hardly shrink lead
 * back. Of a correction that was shortened nobody knows where it would have led. */
static void corrections_that_do_not_contract_may_lead_astray(void **state)
{
    (void)state;
    assert_at_most(astray_from(1.3, cubic, cubic_slope), LV_NEWTON_NOISE);
    assert_true(astray_from(0.3, cubic, cubic_slope) > 1);
    assert_true(astray_from(1.5, atan, slope_of_arctangent) > 1);
    assert_at_most(astray_from(0.3, atan, slope_of_arctangent), LV_NEWTON_NOISE);
}

static bool is_negative(double x)
{
    return x < 0;
}

static double square_less_one(double x)
{
    return x * x - 1;
}

/* The root 1 is not accepted: guesses without reason lead to -1. */
static void guesses_without_reason_lead_astray(void **state)
{
    (void)state;
    scalar s = {
        .f = square_less_one, .df = no_root_slope, .guess = 1.1, .accept = is_negative};
    lv_newton n = newton_of(&s);
    assert_true(lv_newton_solve(&n));
    assert_at_most(fabs(s.x + 1), 1e-15);
    assert_true(n.astray > 1e300);
}

static void a_guess_is_continued_if_corrections_contract(void **state)
{
    (void)state;
    static const struct {
        double from, most;
        bool continues;
    } guesses[] = {{1.3, 1e-9, true}, {0.3, 1e-9, false}, {0.3, 10, true}};
    for (size_t k = 0; k < sizeof guesses / sizeof *guesses; k++) {
        scalar s = {.f = cubic, .df = cubic_slope, .guess = guesses[k].from};
        lv_newton n = newton_of(&s);
        const bool found = lv_newton_continue(
            &n, (lv_initial_guess){.extrapolation = 1, .given = true}, guesses[k].most);
        assert_int_equal(found, guesses[k].continues);
        if (found)
            assert_at_most(fabs(s.x - cbrt(2)), 3e-16);
        else /* is given up at once */
            assert_int_equal(s.evaluations, 2);
    }
}

/* Two unknowns, with an equation that is affine in y: cubic(x) = 0 and y = big cubic(x)^2. Where y
 * begins it needs no correction at first, and a large one as soon as x has moved. */
typedef struct follower {
    double x, y, big, away; /* away: error of y in guesses from past steps */
    double slope[2], update[2], last[2];
    int evaluations, builds;
} follower;

static void follower_begin(void *work, lv_initial_guess b)
{
    follower *s = work;
    s->x = b.no_history ? b.extrapolation : 1.6;
    s->y = -s->big * cubic(s->x) * cubic(s->x);
    s->y += b.no_history ? 0 : s->away;
}

static void follower_evaluate(void *work)
{
    follower *s = work;
    s->update[0] = -cubic(s->x);
    s->update[1] = s->big * cubic(s->x) * cubic(s->x) - s->y;
    s->evaluations++;
}

static bool follower_build(void *work)
{
    follower *s = work;
    s->slope[0] = cubic_slope(s->x);
    s->slope[1] = -2 * s->big * cubic(s->x) * cubic_slope(s->x);
    s->builds++;
    return true;
}

static void follower_solve(void *work)
{
    follower *s = work;
    s->update[0] /= s->slope[0];
    s->update[1] -= s->slope[1] * s->update[0];
}

static double follower_measure(void *work)
{
    const follower *s = work;
    return fmax(fabs(s->update[0]), fabs(s->update[1]));
}

static void follower_move(void *work, double fraction)
{
    follower *s = work;
    s->x += fraction * s->update[0];
    s->y += fraction * s->update[1];
}

static double follower_curved_size(void *work)
{
    const follower *s = work;
    return fabs(s->update[0]);
}

static lv_newton newton_of_follower(follower *s)
{
    static const lv_newton_equations own = {.begin = follower_begin,
                                            .evaluate = follower_evaluate,
                                            .build = follower_build,
                                            .solve = follower_solve,
                                            .measure = follower_measure,
                                            .move = follower_move,
                                            .curved_size = follower_curved_size};
    return (lv_newton){.equations = &own,
                       .work = s,
                       .size = 2,
                       .update = s->update,
                       .last = s->last,
                       .slow = 0.05};
}

/* The correction of y is larger than the one of x before. Nothing is shortened for that. */
static void unknowns_that_only_follow_may_be_far_off(void **state)
{
    (void)state;
    follower s = {.big = 10};
    lv_newton n = newton_of_follower(&s);
    assert_true(lv_newton_solve(&n));
    assert_at_most(fabs(s.x - cbrt(2)), 3e-16);
    assert_int_equal(s.evaluations, n.iterations);
}

/* A guess is good if x is. */
static void guesses_are_judged_by_unknowns_that_lead(void **state)
{
    (void)state;
    follower s = {.big = 1, .away = 5};
    lv_newton n = newton_of_follower(&s);
    n.misled = 0.3;
    assert_true(lv_newton_solve(&n));
    assert_false(n.without_history);
    n.misled = 0.2;
    assert_true(lv_newton_solve(&n));
    assert_true(n.without_history);
}

static void every_beginning_is_tried_before_giving_up(void **state)
{
    (void)state;
    scalar s = {.f = no_root, .df = no_root_slope, .guess = 3};
    lv_newton n = newton_of(&s);
    assert_false(lv_newton_solve(&n));
    assert_int_equal(s.beginnings, LV_INITIAL_GUESSES);
    assert_true(n.iterations > n.converge.count);

    s.beginnings = 0;
    n.beginnings = 2;
    assert_false(lv_newton_solve(&n));
    assert_int_equal(s.beginnings, 2);
}

/* Two roots, 0 and 0.8; only the second one is a solution. */
static double two_roots(double x)
{
    return x * (x - 0.8);
}

static double two_roots_slope(double x)
{
    return 2 * x - 0.8;
}

static bool is_positive(double x)
{
    return x > 0.1;
}

static void a_point_where_equations_do_not_hold_is_no_solution(void **state)
{
    (void)state;
    scalar s = {
        .f = two_roots, .df = two_roots_slope, .guess = -1, .accept = is_positive};
    lv_newton n = newton_of(&s);
    assert_true(lv_newton_solve(&n));
    assert_at_most(fabs(s.x - 0.8), 1e-15);
    assert_int_equal(s.beginnings, 2);
}

/* A function without a value left of 0.5, where the first whole step leads. */
static double edge(double x)
{
    return log(x - 0.5) + 3;
}

static double edge_slope(double x)
{
    return 1 / (x - 0.5);
}

static void a_step_to_where_there_is_no_value_is_shortened(void **state)
{
    (void)state;
    scalar s = {.f = edge, .df = edge_slope, .guess = 2};
    lv_newton n = newton_of(&s);
    assert_int_equal(lv_newton_iterate(&n, lv_newton_initial_guess(0)), LV_CONVERGED);
    assert_at_most(fabs(s.x - 0.5 - exp(-3)), 1e-15);
}

static double flat(double x)
{
    (void)x;
    return 1;
}

static double flat_slope(double x)
{
    (void)x;
    return 0;
}

static double never(double x)
{
    return x + (double)NAN;
}

static double one(double x)
{
    (void)x;
    return 1;
}

static void failures_say_what_happened(void **state)
{
    (void)state;
    scalar s = {.f = flat, .df = flat_slope, .guess = 1};
    lv_newton n = newton_of(&s);
    assert_false(lv_newton_solve(&n));
    assert_true(n.lost && n.shown_singular);

    scalar bad = {.f = never, .df = one, .guess = 1};
    lv_newton m = newton_of(&bad);
    assert_false(lv_newton_solve(&m));
    assert_true(m.lost && !m.shown_singular);
    assert_int_equal(lv_converge_reason(&m.shown), LV_WHY_DIVERGED);
}

/* A slope of 1e-6 amplifies the rounding of f, 1e-16, to 1e-10: no correction gets smaller. */
static double noisy(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits *= 0x9e3779b97f4a7c15u;
    return 1e-6 * (x - 0.5) + 1e-16 * ((double)(bits >> 32) / 4294967296.0 - 0.5);
}

static double noisy_slope(double x)
{
    (void)x;
    return 1e-6;
}

static void amplified_rounding_is_as_good_as_it_gets(void **state)
{
    (void)state;
    scalar s = {.f = noisy, .df = noisy_slope, .guess = 0.5 + 1e-9};
    lv_newton n = newton_of(&s);
    assert_true(lv_newton_solve(&n));
    assert_true(fabs(s.x - 0.5) <= 3e-10);
    assert_int_equal(s.beginnings, 1);
    assert_true(n.stagnated);
    assert_true(n.converge.size > 1e-11 && n.converge.size < 1e-9);
}

/* The same for a multiplier y, of which x = 1e6 y is a consequence: sizes are those of x,
 * whose correction only `solve` computes. */
typedef struct led {
    double y, update[1], last[1];
    bool solved;
    double moved, per_multiplier; /* correction of x in `solve`, and per unit of y */
    double farthest;              /* largest |x - 0.5| of all evaluations */
} led;

static const double lead = 1e6;

static void led_begin(void *work, lv_initial_guess b)
{
    led *s = work;
    (void)b;
    s->y = (0.5 + 1e-9) / lead;
}

static void led_evaluate(void *work)
{
    led *s = work;
    s->update[0] = -noisy(lead * s->y);
    s->farthest = fmax(s->farthest, fabs(lead * s->y - 0.5));
    s->solved = false;
}

static bool led_build(void *work)
{
    (void)work;
    return true;
}

static void led_solve(void *work)
{
    led *s = work;
    s->moved = s->update[0] / noisy_slope(0);
    s->update[0] = s->moved / lead;
    s->solved = true;
}

static double led_measure(void *work)
{
    led *s = work;
    if (s->solved)
        s->per_multiplier = fabs(s->moved / s->update[0]);
    return s->solved ? fabs(s->moved) : s->per_multiplier * fabs(s->update[0]);
}

static void led_move(void *work, double fraction)
{
    led *s = work;
    s->y += fraction * s->update[0];
}

static void rounding_is_looked_for_nearby(void **state)
{
    (void)state;
    static const lv_newton_equations to_lead = {
        led_begin, led_evaluate, led_build, led_solve, led_measure, led_move, NULL};
    led s = {.y = 0};
    lv_newton n = {.equations = &to_lead,
                   .work = &s,
                   .size = 1,
                   .update = s.update,
                   .last = s.last,
                   .slow = 0.05};
    assert_true(lv_newton_solve(&n));
    assert_true(n.stagnated);
    assert_at_most(s.farthest, 1.1e-9);
    assert_at_most(fabs(lead * s.y - 0.5), 3e-10);
}

/* Rounding errors of 1e-14, as terms that are a hundred times as large as the unknown have. */
static double rounded(double x)
{
    return x * x - 0.25 + 1e2 * (noisy(x) - 1e-6 * (x - 0.5));
}

static double rounded_slope(double x)
{
    return 2 * x;
}

/* The size of a correction at the solution is measured, and the solution stays where it is. */
static void rounding_errors_are_measured(void **state)
{
    (void)state;
    scalar plain = {.f = rounded, .df = rounded_slope, .guess = 0.5 + 1e-4}, s = plain;
    lv_newton without = newton_of(&plain), n = newton_of(&s);
    n.measures_rounding = true;
    assert_true(lv_newton_solve(&without));
    assert_true(lv_newton_solve(&n));
    assert_true(s.x == plain.x);
    assert_int_equal(s.evaluations, plain.evaluations + 1);
    assert_true(without.rounding == 0);
    assert_true(n.rounding > 1e-17 && n.rounding < 2e-14);
}

/* A matrix that leaves a thousandth of the error, and an exact one: passes end where the next one would find rounding errors
 * alone, and not before. */
static void passes_end_where_rounding_is_left(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++)
        for (int known = 0; known < 2; known++) {
            const double noise = 1e-11;
            scalar s = {.f = cubic,
                        .df = cubic_slope,
                        .guess = cbrt(2) + 1e-4,
                        .wrong = exact ? 0 : 1e-3};
            lv_newton n = newton_of(&s);
            n.approximate = !exact;
            n.contraction = exact ? 0 : 8e-3;
            n.curvature = exact ? 100 : 0;
            n.noise = known ? noise : 0;
            assert_true(lv_newton_solve(&n));
            assert_int_equal(n.iterations, exact ? 3 - known : 5 - 2 * known);
            assert_at_most(fabs(s.x - cbrt(2)), known ? noise : 3e-16);
        }
}

/* Corrections are as small and do not shrink either, but f jumps by 1e-9 and has no root. */
static double jumping(double x)
{
    return x + (x > 0 ? 1e-9 : -1e-9);
}

static void small_corrections_that_are_not_rounding_are_no_solution(void **state)
{
    (void)state;
    scalar s = {.f = jumping, .df = one, .guess = 3e-9};
    lv_newton n = newton_of(&s);
    n.beginnings = 1;
    assert_false(lv_newton_solve(&n));
    assert_false(n.stagnated);
}

/* f is a sum with 2, so that its values are multiples of 4.4e-16, and none of them is 0: corrections of 1e-10 to and fro,
 * and steps of x below 4e-10 change nothing. */
static double coarse(double x)
{
    return ((2 + 1e-6 * (x - 0.5)) - 2) + 1e-16;
}

static void rounding_of_large_terms_is_as_good_as_it_gets(void **state)
{
    (void)state;
    for (int k = 1; k < 40; k++) {
        scalar s = {.f = coarse, .df = noisy_slope, .guess = 0.5 + 3.7e-9 * k};
        lv_newton n = newton_of(&s);
        n.beginnings = 1;
        assert_true(lv_newton_solve(&n));
        assert_true(fabs(s.x - 0.5) <= 1e-9);
        assert_true(n.stagnated);
    }
}

/* The least value of f is 1e-14; corrections are never below 1e-7. */
static double above(double x)
{
    return x * x + 1e-14;
}

static double above_slope(double x)
{
    return 2 * x;
}

static void curvature_and_slow_contraction_are_not_rounding(void **state)
{
    (void)state;
    for (int k = 1; k < 40; k++) {
        scalar s = {.f = above, .df = above_slope, .guess = 1.3e-7 * k};
        lv_newton n = newton_of(&s);
        n.beginnings = 1;
        assert_false(lv_newton_solve(&n));
        assert_false(n.stagnated);

        scalar slow = {.f = cubic, .df = cubic_slope, .guess = 1.2599, .wrong = k};
        lv_newton m = newton_of(&slow);
        m.beginnings = 1;
        (void)lv_newton_solve(&m);
        assert_false(m.stagnated);
    }
}

static void without_unknowns_the_beginning_is_the_end(void **state)
{
    (void)state;
    scalar s = {.f = cubic, .df = cubic_slope, .guess = 1};
    lv_newton n = newton_of(&s);
    n.size = 0;
    assert_true(lv_newton_solve(&n));
    assert_int_equal(n.iterations, 0);
    assert_int_equal(s.evaluations, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_root_is_found_to_rounding),
        RUN(doubted_guesses_come_after_the_one_without_history),
        RUN(a_good_matrix_is_kept),
        RUN(a_matrix_that_creeps_is_built_again),
        RUN(steps_that_go_too_far_are_shortened),
        RUN(corrections_that_do_not_contract_may_lead_astray),
        RUN(guesses_without_reason_lead_astray),
        RUN(a_guess_is_continued_if_corrections_contract),
        RUN(every_beginning_is_tried_before_giving_up),
        RUN(a_point_where_equations_do_not_hold_is_no_solution),
        RUN(a_step_to_where_there_is_no_value_is_shortened),
        RUN(failures_say_what_happened),
        RUN(rounding_errors_are_measured),
        cmocka_unit_test(unknowns_that_only_follow_may_be_far_off),
        cmocka_unit_test(guesses_are_judged_by_unknowns_that_lead),
        cmocka_unit_test(a_matrix_that_is_dear_is_kept_longer),
        cmocka_unit_test(passes_end_where_rounding_is_left),
        cmocka_unit_test(amplified_rounding_is_as_good_as_it_gets),
        RUN(rounding_is_looked_for_nearby),
        RUN(small_corrections_that_are_not_rounding_are_no_solution),
        RUN(rounding_of_large_terms_is_as_good_as_it_gets),
        RUN(curvature_and_slow_contraction_are_not_rounding),
        RUN(without_unknowns_the_beginning_is_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
