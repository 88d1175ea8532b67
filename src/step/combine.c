#include "step/combine.h"

#include "num/pair.h"
#include "step/power.h"

#include <stddef.h>

/* ROUND numbers are computed at once, as many as registers have room for. Sums begin with
 * 0, so that a result -0 becomes +0. */
enum { PAIRS = 8, ROUND = PAIRS * LV_PAIR };

void lv_combination_weigh(const lv_combination *s, double h)
{
    for (int k = 0; k < s->plain + s->inverse; k++)
        s->sources[k].weight = s->sources[k].c * lv_step_power(h, s->sources[k].power);
}

/* Adds sources two at a time, here to ROUND numbers from i on. add_one adds in the same
 * order, so that results do not depend on the position of a number. */
LV_INLINE void add_round(lv_pair sum[PAIRS], const lv_summand *s, int count, int i)
{
    const lv_summand *const end = s + count;
    for (; s + 2 <= end; s += 2) {
        const double a = s[0].weight, b = s[1].weight, *x = s[0].x + i, *y = s[1].x + i;
        for (ptrdiff_t l = 0; l < PAIRS; l++)
            sum[l] += a * lv_pair_at(x + l * LV_PAIR) + b * lv_pair_at(y + l * LV_PAIR);
    }
    for (ptrdiff_t l = 0; s < end && l < PAIRS; l++)
        sum[l] += s->weight * lv_pair_at(s->x + i + l * LV_PAIR);
}

static double add_one(double sum, const lv_summand *s, int count, int i)
{
    const lv_summand *const end = s + count;
    for (; s + 2 <= end; s += 2)
        sum += s[0].weight * s[0].x[i] + s[1].weight * s[1].x[i];
    return s < end ? sum + s->weight * s->x[i] : sum;
}

void lv_sum_sources(double *out, const lv_summand *sources, int count, int size)
{
    int i = 0;
    for (; i + ROUND <= size; i += ROUND) {
        lv_pair sum[PAIRS] = {{0}};
        add_round(sum, sources, count, i);
        for (ptrdiff_t l = 0; l < PAIRS; l++)
            lv_pair_put(out + i + l * LV_PAIR, sum[l]);
    }
    for (; i < size; i++)
        out[i] = add_one(0, sources, count, i);
}

/* Runs a combination with a diagonal mass matrix. */
static void sum_points(const lv_combination *s, const double *inverse)
{
    const lv_summand *behind = s->sources + s->plain;
    int i = 0;
    for (; i + ROUND <= s->size; i += ROUND) {
        lv_pair sum[PAIRS] = {{0}};
        add_round(sum, behind, s->inverse, i);
        for (ptrdiff_t l = 0; l < PAIRS; l++)
            sum[l] *= lv_pair_at(inverse + i + l * LV_PAIR);
        add_round(sum, s->sources, s->plain, i);
        for (ptrdiff_t l = 0; l < PAIRS; l++)
            lv_pair_put(s->out + i + l * LV_PAIR, sum[l]);
    }
    for (; i < s->size; i++)
        s->out[i] = add_one(inverse[i] * add_one(0, behind, s->inverse, i), s->sources,
                            s->plain, i);
}

/* Whether the result is its only source, so that nothing is to be done. */
static bool is_made(const lv_combination *s)
{
    return s->plain == 1 && s->inverse == 0 && s->sources[0].x == s->out;
}

void lv_combination_run(const lv_combination *s, const lv_mass *mass, double *work)
{
    if (is_made(s))
        return;
    const double *diagonal = s->inverse > 0 ? lv_mass_inverse_diagonal(mass) : NULL;
    if (diagonal) {
        sum_points(s, diagonal);
        return;
    }
    if (s->inverse > 0) {
        lv_sum_sources(work, s->sources + s->plain, s->inverse, s->size);
        lv_mass_solve(mass, work);
    }
    lv_sum_sources(s->out, s->sources, s->plain, s->size);
    for (int i = 0; s->inverse > 0 && i < s->size; i++)
        s->out[i] += work[i];
}
