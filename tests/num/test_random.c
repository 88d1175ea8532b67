#include "check.h"
#include "num/random.h"

#include <stdbool.h>
#include <string.h>

/* Published with the generator (Random123, philox4x32-10). */
static void the_bijection_gives_the_published_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], block[4];
    } rows[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint32_t block[4];
        lv_philox(block, rows[k].counter, rows[k].key);
        assert_memory_equal(block, rows[k].block, sizeof block);
    }
}

/* Computed from the definition in Python. */
static void numbers_are_those_of_seed_name_member_and_component(void **state)
{
    (void)state;
    static const struct {
        lv_draw draw;
        double uniform, normal;
    } rows[] = {
        {{1, "x0", 0, 0}, 0x1.cf55ad43f57fdp-1, 0.02655929402601923},
        {{1, "x0", 7, 0}, 0x1.be13b2065ba97p-1, -0.47293525500248285},
        {{1964, "u", 999, 2}, 0x1.8b138ec93e1e0p-6, -2.281918731594228},
        {{9007199254740992, "mass", 3, 1}, 0x1.35ea002953e99p-1, 0.8785738862094906},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assert_true(lv_random_uniform(&rows[k].draw) == rows[k].uniform);
        assert_close(lv_random_normal(&rows[k].draw), rows[k].normal, 1e-14);
    }
}

enum { COUNT = 200000 };

/* Five standard deviations of the estimate of a mean, given the variance of the summands. */
static double bound(double variance)
{
    return 5 * sqrt(variance / COUNT);
}

static void uniform_numbers_have_the_moments_of_the_interval(void **state)
{
    (void)state;
    double first = 0, second = 0, neighbours = 0, before = 0.5;
    int cells[16] = {0};
    for (uint32_t j = 0; j < COUNT; j++) {
        double x = lv_random_uniform(&(lv_draw){3, "x", j, 0});
        assert_true(x > 0 && x < 1);
        first += x - 0.5;
        second += (x - 0.5) * (x - 0.5) - 1.0 / 12;
        neighbours += (x - 0.5) * (before - 0.5);
        before = x;
        cells[(int)(16 * x)]++;
    }
    assert_below(fabs(first / COUNT), bound(1.0 / 12));
    assert_below(fabs(second / COUNT), bound(1.0 / 180));
    assert_below(fabs(neighbours / COUNT), bound(1.0 / 144));
    double chi2 = 0; /* 15 degrees of freedom: 50 is exceeded once in 80000 times */
    for (int k = 0; k < 16; k++)
        chi2 += pow(cells[k] - COUNT / 16.0, 2) / (COUNT / 16.0);
    assert_below(chi2, 50);
}

static void normal_numbers_have_the_normal_moments(void **state)
{
    (void)state;
    double sums[4] = {0};
    static const double moments[4] = {0, 1, 0, 3}, variances[4] = {1, 2, 15, 96};
    for (uint32_t j = 0; j < COUNT; j++) {
        double x = lv_random_normal(&(lv_draw){3, "x", j, 0}), power = 1;
        for (int k = 0; k < 4; k++) {
            power *= x;
            sums[k] += power - moments[k];
        }
    }
    for (int k = 0; k < 4; k++)
        assert_below(fabs(sums[k] / COUNT), bound(variances[k]));
}

/* Streams that differ in one respect have nothing in common. */
static void streams_are_uncorrelated(void **state)
{
    (void)state;
    const lv_draw others[] = {{3, "y", 0, 0}, {4, "x", 0, 0}, {3, "x", 0, 1}};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        double product = 0;
        for (uint32_t j = 0; j < COUNT; j++) {
            lv_draw other = others[k];
            other.member = j;
            double x = lv_random_uniform(&(lv_draw){3, "x", j, 0});
            double y = lv_random_uniform(&other);
            assert_true(x != y);
            product += (x - 0.5) * (y - 0.5);
        }
        assert_below(fabs(product / COUNT), bound(1.0 / 144));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_bijection_gives_the_published_answers),
        RUN(numbers_are_those_of_seed_name_member_and_component),
        RUN(uniform_numbers_have_the_moments_of_the_interval),
        RUN(normal_numbers_have_the_normal_moments),
        RUN(streams_are_uncorrelated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
