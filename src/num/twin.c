#include "num/twin.h"

#include "base/inline.h"

#include <math.h>
#include <stddef.h>

#if defined(__GNUC__)
/* Both lanes of a number; where it stands is a multiple of 8 bytes. */
typedef double twin
    __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));
enum { AT_ONCE = 2 };
#else
typedef double twin; /* one lane after the other */
enum { AT_ONCE = 1 };
#endif

/* A pivot that has shrunk to less than this part of what stood there is not trusted. */
static const double least_pivot = 1e-3;

/* Number k of an array of pairs. */
LV_INLINE twin get(const double *x, int k)
{
    return *(const twin *)(x + (ptrdiff_t)(2 * k));
}

LV_INLINE void put(double *x, int k, twin value)
{
    *(twin *)(x + (ptrdiff_t)(2 * k)) = value;
}

/* Made at once: numbers written one by one would be waited for when they are read in pairs. */
LV_INLINE twin pick(const double *from, const int *index, int lane)
{
#if defined(__GNUC__)
    (void)lane;
    return (twin){from[index[0]], from[index[1]]};
#else
    return from[index[lane]];
#endif
}

LV_INLINE twin gather(const double *from, const int *index, int lane)
{
#if defined(__GNUC__)
    (void)lane;
    return (twin){index[0] < 0 ? 0 : from[index[0]], index[1] < 0 ? 0 : from[index[1]]};
#else
    return index[lane] < 0 ? 0 : from[index[lane]];
#endif
}

LV_HOT void lv_twin_put(double *to, double c, const double *from, const int *index,
                        int count)
{
    for (int k = 0; k < count; k++, index += 2)
        for (int lane = 0; lane < 2; lane += AT_ONCE)
            put(to + lane, k, c * pick(from, index, lane));
}

LV_INLINE void add_all(double *to, const int *at, double c, const double *from,
                       const int *index, int count, bool complete)
{
    for (int k = 0; k < count; k++, index += 2)
        for (int lane = 0; lane < 2; lane += AT_ONCE) {
            const twin more =
                complete ? pick(from, index, lane) : gather(from, index, lane);
            put(to + lane, at[k], get(to + lane, at[k]) + c * more);
        }
}

LV_HOT void lv_twin_add(double *to, const int *at, double c, const double *from,
                        const int *index, int count, bool complete)
{
    if (complete)
        add_all(to, at, c, from, index, count, true);
    else
        add_all(to, at, c, from, index, count, false);
}

/* what stood there / pivot, lane by lane */
LV_INLINE bool is_fine(twin ratio)
{
    double both[2] = {0};
    put(both, 0, ratio);
    return fabs(both[0]) < 1 / least_pivot && fabs(both[1]) < 1 / least_pivot;
}

/* ---- any size: L U --------------------------------------------------------------------------------- */

/* Reciprocals stand for the pivots. */
LV_INLINE bool eliminate(double *lu, int n)
{
    bool fine = true;
    twin diagonal[LV_TWIN_LARGEST];
    for (int k = 0; k < n; k++)
        diagonal[k] = get(lu, k * n + k);
    for (int k = 0; k < n; k++) {
        const twin inverse = 1 / get(lu, k * n + k);
        put(lu, k * n + k, inverse);
        fine &= is_fine(diagonal[k] * inverse);
        for (int i = k + 1; i < n; i++) {
            const twin factor = get(lu, i * n + k) * inverse;
            put(lu, i * n + k, factor);
            for (int j = k + 1; j < n; j++)
                put(lu, i * n + j, get(lu, i * n + j) - factor * get(lu, k * n + j));
        }
    }
    return fine;
}

/* y: the right-hand side */
LV_INLINE void substitute(const double *lu, int n, twin *y, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            y[i] -= get(lu, i * n + k) * y[k];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            y[i] -= get(lu, i * n + k) * y[k];
        y[i] *= get(lu, i * n + i);
        put(x, i, y[i]);
    }
}

/* ---- points in space: inverses of three by three ----------------------------------------------------- */

typedef struct square {
    twin x[9];
} square;

typedef struct vector {
    twin x[3];
} vector;

/* Three lines of an array, `stride` numbers apart. */
LV_INLINE square take(const double *from, int stride)
{
    square s;
    for (int k = 0; k < 9; k++)
        s.x[k] = get(from, k / 3 * stride + k % 3);
    return s;
}

LV_INLINE void store(double *to, const square *s)
{
    for (int k = 0; k < 9; k++)
        put(to, k, s->x[k]);
}

LV_INLINE vector take_vector(const twin *from)
{
    return (vector){{from[0], from[1], from[2]}};
}

LV_INLINE void store_vector(double *to, vector v)
{
    for (int k = 0; k < 3; k++)
        put(to, k, v.x[k]);
}

LV_INLINE twin diagonal_of(const square *s)
{
    return s->x[0] * s->x[4] * s->x[8];
}

/* By cofactors, which do not wait for each other. before: the product of what stood on the diagonal */
LV_INLINE bool invert(square *s, twin before)
{
    const twin *x = s->x, *y = x + 3, *z = y + 3;
    const twin c0 = y[1] * z[2] - y[2] * z[1], c1 = y[2] * z[0] - y[0] * z[2],
               c2 = y[0] * z[1] - y[1] * z[0];
    const twin r = 1 / (x[0] * c0 + x[1] * c1 + x[2] * c2);
    const bool fine = is_fine(before * r);
    *s = (square){
        {r * c0, r * (x[2] * z[1] - x[1] * z[2]), r * (x[1] * y[2] - x[2] * y[1]), r * c1,
         r * (x[0] * z[2] - x[2] * z[0]), r * (x[2] * y[0] - x[0] * y[2]), r * c2,
         r * (x[1] * z[0] - x[0] * z[1]), r * (x[0] * y[1] - x[1] * y[0])}};
    return fine;
}

LV_INLINE square multiply(const square *a, const square *b)
{
    square s;
    for (int i = 0; i < 9; i += 3)
        for (int j = 0; j < 3; j++)
            s.x[i + j] =
                a->x[i] * b->x[j] + a->x[i + 1] * b->x[j + 3] + a->x[i + 2] * b->x[j + 6];
    return s;
}

LV_INLINE vector apply(const double *s, vector v)
{
    vector y;
    for (int i = 0; i < 3; i++)
        y.x[i] = get(s, 3 * i) * v.x[0] + get(s, 3 * i + 1) * v.x[1] +
                 get(s, 3 * i + 2) * v.x[2];
    return y;
}

LV_INLINE vector minus(vector a, vector b)
{
    return (vector){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}

LV_INLINE bool invert_three(double *a)
{
    square s = take(a, 3);
    const bool fine = invert(&s, diagonal_of(&s));
    store(a, &s);
    return fine;
}

/* Two points, [P Q; R S]: P^-1, P^-1 Q, R and (S - R P^-1 Q)^-1 are kept, 9 numbers each. */
enum { P = 0, PQ = 18, R = 36, S = 54 };

LV_INLINE bool factor_six(double *a)
{
    square p = take(a, 6), q = take(a + 6, 6), r = take(a + 36, 6), s = take(a + 42, 6);
    const twin before = diagonal_of(&s);
    const bool fine = invert(&p, diagonal_of(&p));
    const square pq = multiply(&p, &q), rpq = multiply(&r, &pq);
    for (int k = 0; k < 9; k++)
        s.x[k] -= rpq.x[k];
    const bool also = invert(&s, before);
    store(a + P, &p);
    store(a + PQ, &pq);
    store(a + R, &r);
    store(a + S, &s);
    return fine && also;
}

LV_INLINE void solve_six(const double *f, const twin *y, double *x)
{
    const vector first = apply(f + P, take_vector(y));
    const vector second = apply(f + S, minus(take_vector(y + 3), apply(f + R, first)));
    store_vector(x, minus(first, apply(f + PQ, second)));
    store_vector(x + 6, second);
}

/* ---- both lanes, sizes known to the compiler as a rule ------------------------------------------------- */

LV_INLINE bool factor_sized(double *a, int n)
{
    bool fine = true;
    for (int lane = 0; lane < 2; lane += AT_ONCE)
        fine &= n == 3   ? invert_three(a + lane)
                : n == 6 ? factor_six(a + lane)
                         : eliminate(a + lane, n);
    return fine;
}

LV_INLINE void solve_sized(const double *f, int n, double *x, const double *from,
                           const int *index)
{
    twin y[LV_TWIN_LARGEST];
    for (int lane = 0; lane < 2; lane += AT_ONCE) {
        for (int i = 0; i < n; i++)
            y[i] = gather(from, index + (ptrdiff_t)(2 * i), lane);
        if (n == 3)
            store_vector(x + lane, apply(f + lane, take_vector(y)));
        else if (n == 6)
            solve_six(f + lane, y, x + lane);
        else
            substitute(f + lane, n, y, x + lane);
    }
}

LV_HOT bool lv_twin_factor(double *a, int n)
{
    switch (n) {
    case 1:
        return factor_sized(a, 1);
    case 3:
        return factor_sized(a, 3);
    case 6:
        return factor_sized(a, 6);
    default:
        return factor_sized(a, n);
    }
}

LV_HOT void lv_twin_solve(const double *factors, int n, double *x, const double *from,
                          const int *index)
{
    switch (n) {
    case 1:
        solve_sized(factors, 1, x, from, index);
        break;
    case 3:
        solve_sized(factors, 3, x, from, index);
        break;
    case 6:
        solve_sized(factors, 6, x, from, index);
        break;
    default:
        solve_sized(factors, n, x, from, index);
    }
}
