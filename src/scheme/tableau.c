/* Coefficients of partitioned Runge-Kutta schemes from Legendre series.
 *
 * With x = 2c - 1 at the points of a rule with weights b, every family integrates the Legendre
 * series that the rule makes of the velocities:
 *
 *   a_ij = b_j sum_{k<K} (2k+1) P_k(x_j) I_k(x_i)
 *   I_0 = (P_1 + 1) / 2,     I_k = (P_{k+1} - P_{k-1}) / (2 (2k+1))
 *
 * Closure C of degree m: K = m. Closures LR, RL, RR: K = m + 1, and P_{m+1} is replaced by
 * +P_m, -P_m, +P_m: the series is cut at degree m and a jump at one end takes the rest. The
 * conjugate is ah_ij = b_j (1 - a_ji / b_i), except that RR treats p as q.
 *
 *   Gauss               C, Gauss s,       m = s     (self-conjugate)
 *   Lobatto IIIA-IIIB   C, Lobatto s,     m = s - 1
 *   Radau IIA           C, right Radau s, m = s
 *   Radau IA            the conjugate of C, left Radau s, m = s
 *
 * All of this is done in twofold precision and rounded at the end. Structural entries need no
 * care: P_k(-1) and P_k(1) are exact, and so are then I_k = 0, I_0 = 0 or 1, a_ij / b_j = 1.
 *
 * Sources: Hairer, Wanner, Solving Ordinary Differential Equations II (1996), IV.5 (Legendre
 * form); Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), II.1, II.2, VI.4
 * (families, conjugates); Muehlebach, Heimsch, Glocker (2016) (closures). */
#include "scheme/tableau.h"

#include "base/memory.h"

#include <math.h>

enum { MOST = LV_RULE_MOST };

const lv_family_row lv_family_table[LV_FAMILIES] = {
    [LV_FAMILY_GAUSS] = {.name = "gauss",
                         .title = "Gauss",
                         .rule = LV_RULE_GAUSS,
                         .least = 1,
                         .symmetric = true,
                         .symplectic = true},
    [LV_FAMILY_LOBATTO] = {.name = "lobatto",
                           .title = "Lobatto IIIA-IIIB",
                           .rule = LV_RULE_LOBATTO,
                           .degree_loss = 1,
                           .least = 2,
                           .order_loss = 2,
                           .symmetric = true,
                           .symplectic = true,
                           .constraints = true},
    [LV_FAMILY_LOBATTO_B] = {.name = "lobatto-b",
                             .title = "Lobatto IIIB-IIIA",
                             .rule = LV_RULE_LOBATTO,
                             .degree_loss = 1,
                             .mirrored = true,
                             .least = 2,
                             .order_loss = 2,
                             .symmetric = true,
                             .symplectic = true},
    [LV_FAMILY_RADAU] = {.name = "radau",
                         .title = "Radau IIA with its conjugate",
                         .rule = LV_RULE_RADAU_RIGHT,
                         .least = 1,
                         .order_loss = 1,
                         .symplectic = true},
    [LV_FAMILY_RADAU_LEFT] = {.name = "radau-left",
                              .title = "Radau IA with its conjugate",
                              .rule = LV_RULE_RADAU_LEFT,
                              .mirrored = true,
                              .least = 1,
                              .order_loss = 1,
                              .symplectic = true},
};

/* Coefficients before rounding. */
typedef struct table {
    int stages;
    lv_dd c[MOST], b[MOST];
    lv_dd a[MOST * MOST], ah[MOST * MOST]; /* stages x stages by rows */
    lv_dd p[MOST][MOST + 1];               /* p[i][k] = P_k(x_i) */
    lv_dd integral[MOST][MOST + 1];        /* (2k+1) I_k(x_i) */
} table;

/* I_k at a point where the Legendre polynomials have the values p. */
static lv_dd integral(const lv_ansatz *ansatz, int k, const lv_dd *p)
{
    double jump = ansatz->closure == LV_CLOSURE_RL ? -1 : 1;
    lv_dd above = k < ansatz->degree ? p[k + 1] : lv_dd_scale(p[k], jump);
    if (k == 0)
        return lv_dd_scale(lv_dd_add(above, lv_dd_from(1)), 0.5);
    return lv_dd_div(lv_dd_sub(above, p[k - 1]), lv_dd_from(2 * (2 * k + 1)));
}

static void fill_integrals(table *work, const lv_ansatz *ansatz, const lv_dd *x)
{
    int s = work->stages;
    int terms = ansatz->closure == LV_CLOSURE_C ? ansatz->degree : ansatz->degree + 1;
    for (int i = 0; i < s; i++) {
        lv_legendre_dd(work->p[i], ansatz->degree, x[i]);
        for (int k = 0; k < terms; k++)
            work->integral[i][k] =
                lv_dd_scale(integral(ansatz, k, work->p[i]), 2 * k + 1);
    }
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            lv_dd sum = lv_dd_from(0);
            for (int k = 0; k < terms; k++)
                sum = lv_dd_add(sum, lv_dd_mul(work->p[j][k], work->integral[i][k]));
            work->a[i * s + j] = lv_dd_mul(work->b[j], sum);
        }
}

/* Replaces rounding noise by 0. Entries that vanish by structure come out as noise where
 * sums cancel: b^T a at the end of the step, LR and RL with a rule that has an end as a
 * point. No other coefficient is that small. */
static lv_dd without_noise(lv_dd a)
{
    return fabs(a.hi) < 1e-28 ? lv_dd_from(0) : a;
}

static void fill_conjugate(table *work)
{
    int s = work->stages;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            lv_dd quotient = lv_dd_div(work->a[j * s + i], work->b[i]);
            lv_dd rest = lv_dd_sub(lv_dd_from(1), quotient);
            work->ah[i * s + j] = lv_dd_mul(work->b[j], without_noise(rest));
        }
}

static void fill_ansatz(table *work, const lv_ansatz *ansatz)
{
    lv_dd x[MOST];
    int s = ansatz->points;
    work->stages = s;
    lv_rule_nodes_dd(x, work->b, ansatz->rule, s);
    for (int i = 0; i < s; i++)
        work->c[i] = lv_dd_scale(lv_dd_add(x[i], lv_dd_from(1)), 0.5);
    fill_integrals(work, ansatz, x);
    if (ansatz->closure == LV_CLOSURE_RR) {
        for (int i = 0; i < s * s; i++)
            work->ah[i] = work->a[i];
    } else {
        fill_conjugate(work);
    }
}

static void exchange_conjugates(table *work)
{
    for (int i = 0; i < work->stages * work->stages; i++) {
        lv_dd a = work->a[i];
        work->a[i] = work->ah[i];
        work->ah[i] = a;
    }
}

/* The nearest doubles to the product of a (rows x s) and b (s x s). */
static void multiply(double *product, const lv_dd *a, const lv_dd *b, int rows, int s)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < s; j++) {
            lv_dd sum = lv_dd_from(0);
            for (int k = 0; k < s; k++)
                sum = lv_dd_add(sum, lv_dd_mul(a[i * s + k], b[k * s + j]));
            product[i * s + j] = without_noise(sum).hi;
        }
}

static void round_to(double *to, const lv_dd *from, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = from[i].hi;
}

static bool row_is(const double *row, const double *b, int s)
{
    for (int j = 0; j < s; j++)
        if (row[j] != (b ? b[j] : 0))
            return false;
    return true;
}

/* Coefficients are of order 1: larger defects are not rounding errors. */
static bool vanishes(double defect)
{
    return fabs(defect) <= 1e-14;
}

/* c_i + c_r(i) = 1, b_i = b_r(i), m_ij + m_r(i)r(j) = b_j with r(i) = s - 1 - i. */
static bool is_symmetric(const lv_tableau *t, const double *m)
{
    int s = t->stages;
    for (int i = 0; i < s; i++) {
        int r = s - 1 - i;
        if (!vanishes(t->c[i] + t->c[r] - 1) || !vanishes(t->b[i] - t->b[r]))
            return false;
        for (int j = 0; j < s; j++)
            if (!vanishes(m[i * s + j] + m[r * s + s - 1 - j] - t->b[j]))
                return false;
    }
    return true;
}

static bool is_symplectic(const lv_tableau *t)
{
    int s = t->stages;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            if (!vanishes(t->b[i] * t->ah[i * s + j] + t->b[j] * t->a[j * s + i] -
                          t->b[i] * t->b[j]))
                return false;
    return true;
}

static void measure_properties(lv_tableau *t)
{
    int s = t->stages, last = s * (s - 1);
    bool starts = t->c[0] == 0, ends = t->c[s - 1] == 1;
    t->q_starts = starts && row_is(t->a, NULL, s);
    t->p_starts = starts && row_is(t->ah, NULL, s);
    t->q_ends = ends && row_is(t->a + last, t->b, s);
    t->p_ends = ends && row_is(t->ah + last, t->b, s);
    t->symmetric = is_symmetric(t, t->a) && is_symmetric(t, t->ah);
    t->symplectic = is_symplectic(t);
}

/* Allocates one block: the struct, then its arrays. */
static lv_tableau *tableau_allocate(int stages)
{
    size_t s = (size_t)stages, numbers = 3 * s + 4 * s * s;
    lv_tableau *t = lv_memory_zeroed(1, sizeof *t + numbers * sizeof(double));
    if (!t)
        return NULL;
    t->stages = stages;
    t->degree = -1;
    t->c = (double *)(t + 1);
    t->b = t->c + s;
    t->bah = t->b + s;
    t->a = t->bah + s;
    t->ah = t->a + s * s;
    t->aah = t->ah + s * s;
    t->aha = t->aah + s * s;
    return t;
}

/* Rounds `work` into a new tableau; frees `work` in any case. */
static lv_status round_table(lv_tableau **t, table *work, int order, lv_error *err)
{
    int s = work->stages;
    lv_tableau *made = tableau_allocate(s);
    if (made) {
        made->order = order;
        round_to(made->c, work->c, s);
        round_to(made->b, work->b, s);
        round_to(made->a, work->a, s * s);
        round_to(made->ah, work->ah, s * s);
        multiply(made->aah, work->a, work->ah, s, s);
        multiply(made->aha, work->ah, work->a, s, s);
        multiply(made->bah, work->b, work->ah, 1, s);
        measure_properties(made);
        *t = made;
    }
    lv_memory_free(work);
    return made ? LV_OK : lv_fail_memory(err);
}

static void note_ansatz(lv_tableau *t, const lv_ansatz *ansatz)
{
    t->closure = ansatz->closure;
    t->degree = ansatz->degree;
}

lv_status lv_tableau_create(lv_tableau **t, lv_family family, int stages, lv_error *err)
{
    const lv_family_row *row = &lv_family_table[family];
    if (stages < row->least || stages > MOST) {
        lv_fail(err, LV_ERR_USAGE, "%s has %d to %d stages, not %d", row->title,
                row->least, (int)MOST, stages);
        lv_error_hint(err, "with s stages its order is 2 s%s",
                      row->order_loss == 0   ? ""
                      : row->order_loss == 1 ? " - 1"
                                             : " - 2");
        return LV_ERR_USAGE;
    }
    table *work = lv_memory_zeroed(1, sizeof *work);
    if (!work)
        return lv_fail_memory(err);
    lv_ansatz ansatz = {.rule = row->rule,
                        .points = stages,
                        .closure = LV_CLOSURE_C,
                        .degree = stages - row->degree_loss};
    fill_ansatz(work, &ansatz);
    if (row->mirrored)
        exchange_conjugates(work);
    LV_TRY(round_table(t, work, 2 * stages - row->order_loss, err));
    if (!row->mirrored)
        note_ansatz(*t, &ansatz);
    return LV_OK;
}

lv_status lv_tableau_ansatz(lv_tableau **t, const lv_ansatz *ansatz, lv_error *err)
{
    int least_points = lv_rule_least(ansatz->rule);
    if (ansatz->points < least_points || ansatz->points > MOST)
        return lv_fail(err, LV_ERR_USAGE, "a %s rule has %d to %d points, not %d",
                       lv_rule_name(ansatz->rule), least_points, (int)MOST,
                       ansatz->points);
    int least = ansatz->closure == LV_CLOSURE_C ? 1 : 0;
    if (ansatz->degree < least || ansatz->degree > ansatz->points)
        return lv_fail(err, LV_ERR_USAGE,
                       "with a rule of %d points the degree is %d to %d, not %d",
                       ansatz->points, least, ansatz->points, ansatz->degree);
    table *work = lv_memory_zeroed(1, sizeof *work);
    if (!work)
        return lv_fail_memory(err);
    fill_ansatz(work, ansatz);
    LV_TRY(round_table(t, work, 0, err));
    note_ansatz(*t, ansatz);
    return LV_OK;
}

static lv_status check_given(int stages, const double *a, const double *b,
                             const double *c, lv_error *err)
{
    if (stages < 1 || stages > MOST)
        return lv_fail(err, LV_ERR_USAGE, "a scheme has 1 to %d stages, not %d",
                       (int)MOST, stages);
    lv_dd sum = lv_dd_from(0);
    for (int i = 0; i < stages; i++) {
        bool finite = isfinite(b[i]) && (!c || isfinite(c[i]));
        for (int j = 0; j < stages; j++)
            finite = finite && isfinite(a[i * stages + j]);
        if (!finite)
            return lv_fail(err, LV_ERR_USAGE, "a coefficient of stage %d is not finite",
                           i + 1);
        if (b[i] == 0) {
            lv_fail(err, LV_ERR_USAGE, "weight b_%d is zero", i + 1);
            lv_error_note(
                err, "the momenta use b_j (1 - a_ji / b_i), which needs every weight");
            return LV_ERR_USAGE;
        }
        sum = lv_dd_add(sum, lv_dd_from(b[i]));
    }
    if (!vanishes(sum.hi - 1))
        return lv_fail(err, LV_ERR_USAGE, "the weights b sum to %.17g, not 1", sum.hi);
    return LV_OK;
}

lv_status lv_tableau_given(lv_tableau **t, int stages, const double *a, const double *b,
                           const double *c, lv_error *err)
{
    LV_TRY(check_given(stages, a, b, c, err));
    table *work = lv_memory_zeroed(1, sizeof *work);
    if (!work)
        return lv_fail_memory(err);
    work->stages = stages;
    for (int i = 0; i < stages; i++) {
        lv_dd sum = lv_dd_from(0);
        for (int j = 0; j < stages; j++) {
            lv_dd entry = lv_dd_from(a[i * stages + j]);
            work->a[i * stages + j] = entry;
            sum = lv_dd_add(sum, entry);
        }
        work->b[i] = lv_dd_from(b[i]);
        work->c[i] = c ? lv_dd_from(c[i]) : sum;
    }
    fill_conjugate(work);
    return round_table(t, work, 0, err);
}

void lv_tableau_free(lv_tableau *t)
{
    lv_memory_free(t);
}
