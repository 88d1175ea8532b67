/* Galerkin schemes in time whose velocities are a Legendre series (theory 8.5), as a text
 * of the step language with its coefficients. */
#include "base/memory.h"
#include "course/write.h"
#include "num/legendre.h"
#include "scheme/dense.h"
#include "scheme/partitioned_text.h"

#include <math.h>
#include <string.h>

/* Velocities V are a Legendre series, forces W are values at the points of the rule, and
 * S is the series of the forces (theory 8.5). */
static const char series[] = "carried q point, p momentum, v tangent\n"
                             "# coefficients of the velocities, a Legendre series\n"
                             "unknown V[a] tangent\n"
                             "# multipliers as polynomials, impulses at both ends\n"
                             "unknown y[c] multiplier g\n"
                             "unknown n impulse g\n"
                             "unknown z impulse g\n"
                             "unknown x tangent\n"
                             "point Q[u] at c[u] = q + h a[u,a] V[a]\n"
                             "point qe at 1 = q + h e[a] V[a]\n"
                             "# velocities, multipliers and forces at the points\n"
                             "let U[u] = l[u,a] V[a]\n"
                             "let m[u] = shape[u,c] y[c]\n"
                             "let W[u] = F(Q[u], U[u]) + GT(Q[u]; m[u])\n"
                             "let S[k] = pi[k,u] W[u]\n"
                             "let p0 = p + GT(q; n)\n"
                             "let pe = p0 + h b[u] W[u] + GT(qe; z)\n"
                             "# the equations of motion, in the mean\n"
                             "eq V[a]: M(V[a]) - e[a] p0 - h ah[a,u] W[u]\n"
                             "eq y[c]: test[c,u] g(Q[u])\n"
                             "eq n: g(qe)\n"
                             "eq x: M(x) - pe\n"
                             "eq z once: rate(qe, x)\n"
                             "assign q <- qe\n"
                             "assign p <- pe\n"
                             "assign v <- x\n"
                             "show Q[u], U[u], V[a], S[k], p0\n";

/* Entry (row, column) of the matrix that integrates a series, truncated at degree `top`
 * with `jump` there (theory 8.2). */
static double integration(int row, int column, int top, double jump)
{
    if (row == 0 && column == 0)
        return 0.5 + (top == 0 ? 0.5 * jump : 0);
    if (row == column + 1)
        return 1 / (2 * (2 * (double)column + 1));
    if (row == column - 1)
        return -1 / (2 * (2 * (double)column + 1));
    return row == column && row == top ? jump / (2 * (2 * (double)top + 1)) : 0;
}

/* Coefficients of the text; `numbers` owns the block. */
typedef struct expansion {
    double *numbers;
    double *l, *a, *pi,
        /* l: L_a at the points, a: their integrals, pi: projection of point values onto
         * the series, ah: pi integrated */
        *ah;
    double *shape, *test, *e;
    /* numbers of terms of the series of forces and of velocities */
    int terms, velocities;
} expansion;

static lv_status make_expansion(expansion *x, const lv_galerkin *g, lv_error *err)
{
    const size_t points = (size_t)g->points, terms = (size_t)g->degree + 1,
                 k = (size_t)g->coefficients;
    x->terms = g->degree + 1;
    x->velocities = lv_dense_velocity_terms(g->closure, g->degree);
    const size_t v = (size_t)x->velocities;
    x->numbers =
        lv_memory_zeroed(points * (2 * v + terms + v + 2 * k) + v, sizeof *x->numbers);
    if (!x->numbers)
        return lv_fail_memory(err);
    x->l = x->numbers;
    x->a = x->l + points * v;
    x->ah = x->a + points * v;
    x->pi = x->ah + points * v;
    x->shape = x->pi + points * terms;
    x->test = x->shape + points * k;
    x->e = x->test + points * k;
    x->e[0] = 1;
    return LV_OK;
}

/* Replaces numbers that are 0 or 1 up to rounding by exactly these, so that points at the
 * ends of the step are recognised. */
static double clean(double x)
{
    const double rounding = 1e-15;
    return fabs(x) < rounding ? 0 : fabs(x - 1) < rounding ? 1 : x;
}

static void expand_at(expansion *x, const lv_galerkin *g, int u)
{
    double l[LV_RULE_MOST + 2];
    const bool c = g->closure == LV_CLOSURE_C;
    const double jump_q = c                             ? 0
                          : g->closure == LV_CLOSURE_RL ? -1
                                                        : 1,
                 jump_p = c                             ? 0
                          : g->closure == LV_CLOSURE_LR ? -1
                                                        : 1;
    const int top = c ? -1 : g->degree, v = x->velocities;
    lv_legendre_shifted(l, NULL, x->terms - 1, g->c[u]);
    for (int k = 0; k < x->terms; k++)
        x->pi[k * g->points + u] = (2 * k + 1) * g->b[u] * l[k];
    for (int a = 0; a < v; a++) {
        x->l[u * v + a] = l[a];
        for (int k = 0; k < x->terms; k++) {
            x->a[u * v + a] += l[k] * integration(k, a, top, jump_q);
            x->ah[a * g->points + u] +=
                integration(a, k, top, jump_p) * x->pi[k * g->points + u];
        }
        x->a[u * v + a] = clean(x->a[u * v + a]);
    }
    for (int k = 0; k < g->coefficients; k++) {
        x->shape[u * g->coefficients + k] = l[k];
        x->test[k * g->points + u] = g->b[u] * l[k];
    }
}

/* The coefficients and index sets with which the text is read. */
typedef struct prepared {
    expansion x;
    lv_coefficient list[10];
    lv_index_set sets[5];
} prepared;

static lv_status prepared_init(prepared *to, lv_galerkin g, lv_error *err)
{
    expansion x = {0};
    *to = (prepared){.x = {0}};
    if (g.coefficients < 0)
        g.coefficients = 0;
    LV_TRY(make_expansion(&x, &g, err));
    for (int u = 0; u < g.points; u++)
        expand_at(&x, &g, u);
    const int v = x.velocities, k = g.coefficients;
    const lv_coefficient list[] = {{"a", g.points, v, x.a},
                                   {"ah", v, g.points, x.ah},
                                   {"l", g.points, v, x.l},
                                   {"pi", x.terms, g.points, x.pi},
                                   {"e", v, 0, x.e},
                                   {"b", g.points, 0, g.b},
                                   {"c", g.points, 0, g.c},
                                   {"shape", g.points, k, x.shape},
                                   {"test", k, g.points, x.test},
                                   {0}};
    const lv_index_set sets[] = {
        {'a', v}, {'u', g.points}, {'c', k}, {'k', x.terms}, {0, 0}};
    to->x = x;
    memcpy(to->list, list, sizeof list);
    memcpy(to->sets, sets, sizeof sets);
    return LV_OK;
}

lv_status lv_series_stepper(lv_stepper **stepper, lv_system *system,
                            const lv_galerkin *galerkin, lv_error *err)
{
    prepared x;
    lv_galerkin g = *galerkin;
    *stepper = NULL;
    if (system->m == 0)
        g.coefficients = 0;
    LV_TRY(prepared_init(&x, g, err));
    const lv_step_table table = {.sets = x.sets, .coefficients = x.list};
    const lv_status status = lv_stepper_create(
        stepper, system, series, &table, (lv_stepper_options){.beginnings = 2}, err);
    lv_memory_free(x.x.numbers);
    return status;
}

lv_status lv_series_equations(lv_text *out, const lv_galerkin *galerkin, lv_error *err)
{
    prepared x;
    LV_TRY(prepared_init(&x, *galerkin, err));
    lv_source_write(out, &(lv_step_source){.text = series, .coefficients = x.list});
    lv_memory_free(x.x.numbers);
    return LV_OK;
}
