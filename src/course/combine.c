#include "course/combine.h"

#include "base/inline.h"
#include "base/wide.h"
#include "step/power.h"

#include <assert.h>
#include <stddef.h>

/* Sums are computed in pieces that stay in the nearest cache, and TERMS sources at a
 * time, so that the compiler unrolls the sum and uses vector instructions for it. */
enum { PIECE = 256, TERMS = 4 };

/* What a sum of sources is added to: zero, so that a result -0 becomes +0; the result so
 * far; or the product of that with other numbers. */
typedef enum beginning { ZERO, RESULT, MULTIPLE } beginning;

void lv_combination_weigh(const lv_combination *s, double h)
{
    for (int k = 0; k < s->plain + s->inverse; k++)
        s->sources[k].weight = s->sources[k].c * lv_step_power(h, s->sources[k].power);
}

/* Adds `count` sources, at most TERMS, two at a time. */
LV_INLINE void add_terms(double *restrict to, beginning from, const double *factor,
                         const lv_summand *s, int count, ptrdiff_t first, int length)
{
    double w[TERMS];
    const double *x[TERMS];
    for (int k = 0; k < count; k++) {
        w[k] = s[k].weight;
        x[k] = s[k].x + first;
    }
    to += first;
    if (from == MULTIPLE)
        factor += first;
    for (int i = 0; i < length; i++) {
        double sum = from == ZERO ? 0 : from == MULTIPLE ? factor[i] * to[i] : to[i];
        if (count > 1)
            sum += w[0] * x[0][i] + w[1] * x[1][i];
        if (count > 3)
            sum += w[2] * x[2][i] + w[3] * x[3][i];
        if (count % 2 > 0)
            sum += w[count - 1] * x[count - 1][i];
        to[i] = sum;
    }
}

LV_INLINE void add_few(double *to, beginning from, const double *factor,
                       const lv_summand *s, int count, ptrdiff_t first, int length)
{
    switch (count) {
    case 0:
        add_terms(to, from, factor, s, 0, first, length);
        break;
    case 1:
        add_terms(to, from, factor, s, 1, first, length);
        break;
    case 2:
        add_terms(to, from, factor, s, 2, first, length);
        break;
    case 3:
        add_terms(to, from, factor, s, 3, first, length);
        break;
    default:
        add_terms(to, from, factor, s, TERMS, first, length);
        break;
    }
}

/* Adds any number of sources. */
LV_INLINE void add_sources(double *to, beginning from, const double *factor,
                           const lv_summand *s, int count, ptrdiff_t first, int length)
{
    add_few(to, from, factor, s, count < TERMS ? count : TERMS, first, length);
    for (int k = TERMS; k < count; k += TERMS)
        add_few(to, RESULT, NULL, s + k, count - k < TERMS ? count - k : TERMS, first,
                length);
}

/* out = (sum of `plain` sources) + inverse * (sum of `behind` sources that follow);
 * `inverse` is NULL if there are none of these. */
LV_INLINE void sum_pieces(double *out, const lv_summand *s, int plain,
                          const double *inverse, int behind, int size)
{
    for (int first = 0; first < size; first += PIECE) {
        const int length = size - first < PIECE ? size - first : PIECE;
        if (inverse) {
            add_sources(out, ZERO, NULL, s + plain, behind, first, length);
            add_sources(out, MULTIPLE, inverse, s, plain, first, length);
        } else
            add_sources(out, ZERO, NULL, s, plain, first, length);
    }
}

static void sum_plain(double *out, const lv_summand *s, int plain, const double *inverse,
                      int behind, int size)
{
    sum_pieces(out, s, plain, inverse, behind, size);
}

LV_WIDE static void sum_wide(double *out, const lv_summand *s, int plain,
                             const double *inverse, int behind, int size)
{
    sum_pieces(out, s, plain, inverse, behind, size);
}

static void sum(double *out, const lv_summand *s, int plain, const double *inverse,
                int behind, int size)
{
    for (int k = 0; k < plain + behind; k++)
        assert(s[k].x != out);
    (lv_is_wide() ? sum_wide : sum_plain)(out, s, plain, inverse, behind, size);
}

void lv_sum_sources(double *out, const lv_summand *sources, int count, int size)
{
    sum(out, sources, count, NULL, 0, size);
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
        sum(s->out, s->sources, s->plain, diagonal, s->inverse, s->size);
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
