#include "scheme/partitioned_text.h"

#include "base/memory.h"
#include "course/write.h"
#include "num/legendre.h"

#include <string.h>

/* Stages at both ends of the step, with constraints of both kinds (theory 4). V are the
 * velocities of the stages, x the velocities that belong to the momenta there. The sums
 * with bl and k equal those with b and ah, but show that the multipliers of the last
 * stage do not enter the other equations. */
static const char closed[] =
    "carried q point, p momentum, v tangent, l multiplier Phi\n"
    "# velocities and multipliers of the stages 1..s; velocities of the momenta\n"
    "unknown V[i] tangent\n"
    "unknown m[i] multiplier g\n"
    "unknown L[i] multiplier Phi for i = 2..s\n"
    "unknown x[i] tangent for i = E..s\n"
    "let L[1] = l\n"
    "# positions of the stages\n"
    "let X[i] = h a[i,j] V[j]\n"
    "let xi = h b[j] V[j]\n"
    "point Q[i] at c[i] = move(q, X[i])\n"
    "let e[i] = D(X[i], V[i])\n"
    "let P[i] = p(Q[i], e[i])\n"
    "# forces, with those of the constraints\n"
    "let W[i] = F(Q[i], e[i]) + GT(Q[i]; m[i]) + AT(Q[i], e[i]; L[i])\n"
    "let K[i] = DT(X[i], W[i])\n"
    "let B[i] = B(X[i], V[i], P[i])\n"
    "let S[i] = space(Q[i], W[i])\n"
    "# momenta at the end, without the last force, and at the stages\n"
    "let pm = p + h bl[j] S[j]\n"
    "let bm = body(q, pm)\n"
    "let pp[i] = p + h a[i,j] S[j]\n"
    "# P[i] = p + h (ah[i,1] W[1] + ... + ah[i,s] W[s]), with bl and k = bl - ah\n"
    "eq V[i]: DT(X[i], P[i]) + h k[i,j] K[j] + h abar[i,j] B[j] - DTm(xi, bm)\n"
    "eq x[i]: p(Q[i], x[i]) - body(Q[i], pp[i]) for i = E..s\n"
    "# constraints at the stages, their rate at the end\n"
    "eq m[i]: g(Q[i+1]) for i = 1..s-1\n"
    "eq m[s] once: rate(Q[s], x[s])\n"
    "eq L[i]: Phi(Q[i], x[i]) for i = 2..s\n"
    "assign q <- Q[s]\n"
    "assign p <- pp[s]\n"
    "assign v <- x[s]\n"
    "assign l <- L[s]\n"
    "show Q[i], V[i], W[i], e[i], S[i]\n";

/* Stages at any points, without constraints. */
static const char open[] =
    "carried q point, p momentum, v tangent\n"
    "# velocities of the stages, and of the momentum at the end\n"
    "unknown V[i] tangent\n"
    "unknown x tangent\n"
    "# positions of the stages and of the end\n"
    "let X[i] = h a[i,j] V[j]\n"
    "let xi = h b[j] V[j]\n"
    "point Q[i] at c[i] = move(q, X[i])\n"
    "point qe at 1 = move(q, xi)\n"
    "let e[i] = D(X[i], V[i])\n"
    "let P[i] = p(Q[i], e[i])\n"
    "# forces\n"
    "let W[i] = F(Q[i], e[i])\n"
    "let K[i] = DT(X[i], W[i])\n"
    "let B[i] = B(X[i], V[i], P[i])\n"
    "let S[i] = space(Q[i], W[i])\n"
    "let pe = p + h b[j] S[j]\n"
    "let bm = body(q, pe)\n"
    "# P[i] = p + h (ah[i,1] W[1] + ... + ah[i,s] W[s]), with abar = b - ah\n"
    "eq V[i]: DT(X[i], P[i]) + h abar[i,j] K[j] + h abar[i,j] B[j] - DTm(xi, bm)\n"
    "eq x: p(qe, x) - body(qe, pe)\n"
    "assign q <- qe\n"
    "assign p <- pe\n"
    "assign v <- x\n"
    "show Q[i], V[i], W[i], e[i], S[i]\n";

/* Multipliers are polynomials in the step with coefficients y, and n and z are impulses
 * at its ends (theory 8). */
static const char smooth[] = "carried q point, p momentum, v tangent\n"
                             "# velocities of the stages\n"
                             "unknown V[i] tangent\n"
                             "# multipliers as polynomials, impulses at both ends\n"
                             "unknown y[c] multiplier g\n"
                             "unknown n impulse g\n"
                             "unknown z impulse g\n"
                             "unknown x tangent\n"
                             "point Q[i] at c[i] = q + h a[i,j] V[j]\n"
                             "point qe at 1 = q + h b[j] V[j]\n"
                             "# forces, with those of the constraints\n"
                             "let m[i] = shape[i,c] y[c]\n"
                             "let W[i] = F(Q[i], V[i]) + GT(Q[i]; m[i])\n"
                             "let p0 = p + GT(q; n)\n"
                             "let pe = p0 + h b[j] W[j] + GT(qe; z)\n"
                             "eq V[i]: p(Q[i], V[i]) - p0 - h ah[i,j] W[j]\n"
                             "# constraints in the mean and at the end, their rate\n"
                             "eq y[c]: test[c,i] g(Q[i])\n"
                             "eq n: g(qe)\n"
                             "eq x: p(qe, x) - pe\n"
                             "eq z once: rate(qe, x)\n"
                             "assign q <- qe\n"
                             "assign p <- pe\n"
                             "assign v <- x\n"
                             "show Q[i], V[i], W[i], p0\n";

/* Two stages with the axes of bodies as coordinates, in three unknowns per body (theory
 * 10.8): the same map as `closed` with nine coordinates and six constraints. With the
 * chart cay, the equation of V is that of Moser and Veselov. */
static const char directors[] =
    "carried q point, p momentum, v tangent\n"
    "# velocities of the step and of the end, multipliers at the start and at the end\n"
    "unknown V tangent\n"
    "unknown m[i] multiplier g\n"
    "unknown x tangent\n"
    "let X = h V\n"
    "point qe at 1 = move(q, X)\n"
    "# forces, with those of the constraints\n"
    "let W = F(q, v) + GT(q; m[1])\n"
    "let We = F(qe, x) + GT(qe; m[2])\n"
    "# momenta inside of the step and at the end\n"
    "let pm = p + 1/2 h space(q, W)\n"
    "let pe = pm + 1/2 h space(qe, We)\n"
    "let P = p(q, V)\n"
    "eq V: DT(X, P) - body(q, pm)\n"
    "eq m[1]: g(qe)\n"
    "eq x: p(qe, x) - body(qe, pe)\n"
    "eq m[2] once: rate(qe, x)\n"
    "assign q <- qe\n"
    "assign p <- pe\n"
    "assign v <- x\n";

/* Kick, free motion, kick (theory 10.9). */
static const char exact[] =
    "carried q point, p momentum, v tangent\n"
    "# velocities after the first kick and at the end, multipliers at both ends\n"
    "unknown V tangent\n"
    "unknown m[i] multiplier g\n"
    "unknown x tangent\n"
    "let X = h V\n"
    "point qe at 1 = drift(q, X)\n"
    "# forces, with those of the constraints\n"
    "let W = F(q, v) + GT(q; m[1])\n"
    "let We = F(qe, x) + GT(qe; m[2])\n"
    "# momenta inside of the step and at the end\n"
    "let pm = p + 1/2 h space(q, W)\n"
    "let pe = pm + 1/2 h space(qe, We)\n"
    "eq V: p(q, V) - body(q, pm)\n"
    "eq m[1]: g(qe)\n"
    "eq x: p(qe, x) - body(qe, pe)\n"
    "eq m[2] once: rate(qe, x)\n"
    "assign q <- qe\n"
    "assign p <- pe\n"
    "assign v <- x\n"
    "show V, pm, pe\n";

/* constraints: whether the system has holonomic constraints. */
static const char *text_for(bool constraints, const lv_tableau *t, int coefficients)
{
    if (coefficients >= 0 && constraints)
        return smooth;
    return t->q_starts && t->q_ends ? closed : open;
}

/* Coefficients derived from those of the tableau; `numbers` owns the block. */
typedef struct derived {
    double *numbers, *bl, *k, *abar;
    double stages, first;
} derived;

static lv_status derive(derived *d, bool rolls, const lv_tableau *t, lv_error *err)
{
    const int s = t->stages;
    d->numbers =
        lv_memory_zeroed(2 * (size_t)s * (size_t)s + (size_t)s, sizeof *d->numbers);
    if (!d->numbers)
        return lv_fail_memory(err);
    d->bl = d->numbers;
    d->k = d->bl + s;
    d->abar = d->k + (ptrdiff_t)s * s;
    d->stages = s;
    d->first = rolls ? 2 : s;
    for (int j = 0; j < s; j++) {
        d->bl[j] = t->q_ends && j == s - 1 ? 0 : t->b[j];
        for (int i = 0; i < s; i++) {
            d->k[i * s + j] = d->bl[j] - t->ah[i * s + j];
            d->abar[i * s + j] = t->b[j] - t->ah[i * s + j];
        }
    }
    return LV_OK;
}

/* For multipliers that are polynomials: Legendre polynomials at the stages (shape, stages
 * x coefficients), and the same times the weights of the rule (test, coefficients x
 * stages), with which constraints hold in the mean. */
static lv_status derive_smooth(double **numbers, const lv_tableau *t, int coefficients,
                               lv_error *err)
{
    const int s = t->stages, k = coefficients;
    double value[LV_RULE_MOST + 1];
    *numbers = NULL;
    if (k <= 0)
        return LV_OK;
    double *to = *numbers = lv_memory_zeroed(2 * (size_t)s * (size_t)k, sizeof *to);
    for (int i = 0; to && i < s; i++) {
        lv_legendre_shifted(value, NULL, k - 1, t->c[i]);
        for (int c = 0; c < k; c++) {
            to[i * k + c] = value[c];
            to[s * k + c * s + i] = t->b[i] * value[c];
        }
    }
    return to ? LV_OK : lv_fail_memory(err);
}

/* The coefficients and index sets with which a text is read. */
typedef struct prepared {
    derived d;
    double *shapes, none;
    lv_coefficient list[12];
    lv_index_set sets[4];
} prepared;

static void prepared_done(prepared *x)
{
    lv_memory_free(x->d.numbers);
    lv_memory_free(x->shapes);
}

static lv_status prepared_init(prepared *x, const lv_tableau *t, int coefficients,
                               bool rolls, lv_error *err)
{
    const int s = t->stages, k = coefficients > 0 ? coefficients : 0;
    *x = (prepared){.none = 0};
    LV_TRY(derive(&x->d, rolls, t, err));
    lv_status status = derive_smooth(&x->shapes, t, k, err);
    const derived *d = &x->d;
    const lv_coefficient list[] = {
        {"s", 0, 0, &d->stages},
        {"E", 0, 0, &d->first},
        {"c", s, 0, t->c},
        {"b", s, 0, t->b},
        {"a", s, s, t->a},
        {"ah", s, s, t->ah},
        {"bl", s, 0, d->bl},
        {"k", s, s, d->k},
        {"abar", s, s, d->abar},
        {"shape", s, k, x->shapes ? x->shapes : &x->none},
        {"test", k, s, x->shapes ? x->shapes + (ptrdiff_t)s * k : &x->none},
        {0}};
    const lv_index_set sets[] = {{'i', s}, {'j', s}, {'c', k}, {0, 0}};
    memcpy(x->list, list, sizeof list);
    memcpy(x->sets, sets, sizeof sets);
    return status;
}

lv_status lv_partitioned_stepper(lv_stepper **stepper, lv_system *system,
                                 const lv_tableau *t, int coefficients,
                                 lv_rotations_as rotations, lv_error *err)
{
    prepared x;
    *stepper = NULL;
    const bool by_axes = system->model->motion && rotations == LV_ROTATIONS_DIRECTORS;
    const bool is_free = system->model->motion && rotations == LV_ROTATIONS_EXACT;
    const lv_stepper_options options = {
        .beginnings = 2,
        .chart = by_axes || rotations == LV_ROTATIONS_CAY ? LV_CHART_CAY : LV_CHART_EXP,
        .turns_below_one = by_axes};
    lv_status status = prepared_init(&x, t, coefficients, system->has_nonholonomic, err);
    const lv_step_table table = {.sets = x.sets, .coefficients = x.list};
    if (status == LV_OK)
        status = lv_stepper_create(stepper, system,
                                   by_axes   ? directors
                                   : is_free ? exact
                                             : text_for(system->m > 0, t, coefficients),
                                   &table, options, err);
    prepared_done(&x);
    return status;
}

lv_status lv_partitioned_equations(lv_text *out, const lv_tableau *t, int coefficients,
                                   lv_error *err)
{
    prepared x;
    const lv_status status = prepared_init(&x, t, coefficients, false, err);
    const lv_step_source source = {.text = text_for(true, t, coefficients),
                                   .coefficients = x.list};
    if (status == LV_OK)
        lv_source_write(out, &source);
    prepared_done(&x);
    return status;
}
