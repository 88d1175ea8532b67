/* Matrices of a plan held against differences of the vectors that they are derivatives of. */
#ifndef LV_TESTS_DIFFERENCES_H
#define LV_TESTS_DIFFERENCES_H

#include "../model/reading.h"

#include "model/model.h"
#include "num/sparse.h"
#include "plan/plan.h"

#include <string.h>

enum { MOST = 32 };

/* Inputs of a point, filled with numbers between -1 and 1; q and w are near each other. */
typedef struct place {
    double q[MOST], v[MOST], y[MOST], w[MOST], x[MOST];
    double t;
    double step; /* of differences, below the distance of both ends */
} place;

static inline double scattered(int k, int salt)
{
    return sin(1.7 * k + 2.3 * salt + 0.4);
}

/* The ends of the pair are `apart` from each other. */
static inline place some_place(int salt, double apart)
{
    place p = {.t = 0.7, .step = 4e-3 * (apart < 0.1 ? 10 * apart : 1)};
    for (int k = 0; k < MOST; k++) {
        p.q[k] = 0.3 * salt + scattered(k, salt);
        p.w[k] = p.q[k] + apart * (0.3 + 0.5 * scattered(2 * k, salt + 1));
        p.v[k] = scattered(3 * k, salt + 2);
        p.x[k] = p.v[k] + apart * scattered(k, salt + 3);
        p.y[k] = scattered(k, salt + 4);
    }
    return p;
}

static inline lv_point point_at(const place *p)
{
    return (lv_point){.q = p->q, .v = p->v, .t = p->t, .y = p->y, .w = p->w, .x = p->x};
}

/* The matrix is the derivative of a vector: of a quantity, or of its transpose times y (constraints) or
 * w (coordinates). */
typedef struct claim {
    lv_quantity matrix;
    lv_quantity of;
    size_t times; /* offsetof(place, y), offsetof(place, w), or NOTHING */
    size_t by;    /* offsetof(place, member) */
} claim;

#define NOTHING ((size_t)-1)
#define MEMBER(name) offsetof(place, name)

static inline double *member(place *p, size_t offset)
{
    return (double *)(void *)((char *)p + offset);
}

static inline lv_plan *plan_of(const lv_model *model, lv_wanted wanted)
{
    lv_error err;
    lv_plan *plan = NULL;
    if (lv_plan_create(&plan, model, wanted, &err) != LV_OK)
        fail_with(&err);
    return plan;
}

static inline void dense_at(lv_plan *plan, lv_quantity quantity, const place *p,
                            double dense[MOST][MOST])
{
    const lv_point at = point_at(p);
    const lv_pattern *pattern = lv_plan_pattern(plan, quantity);
    memset(dense, 0, sizeof(double[MOST][MOST]));
    lv_plan_run(plan, &at);
    for (int r = 0; r < pattern->rows; r++)
        for (int e = pattern->start[r]; e < pattern->start[r + 1]; e++)
            dense[r][pattern->column[e]] += lv_plan_result(plan, quantity)[e];
}

/* What the matrix of a claim is the derivative of. Only multipliers of the first `rows` constraints count. */
static inline void vector_at(lv_plan *plan, const claim *c, place p, int rows, int n,
                             double *vector)
{
    const lv_point at = point_at(&p);
    lv_plan_run(plan, &at);
    memset(vector, 0, (size_t)n * sizeof *vector);
    const double *values = lv_plan_result(plan, c->of);
    if (c->times == NOTHING) {
        memcpy(vector, values, (size_t)n * sizeof *vector);
        return;
    }
    for (int k = rows; c->times == MEMBER(y) && k < MOST; k++)
        p.y[k] = 0;
    lv_sparse_multiply_transposed(lv_plan_pattern(plan, c->of), values, 1,
                                  member(&p, c->times), vector);
}

/* Column k of the derivative, of sixth order. */
static inline void difference(lv_plan *plan, const claim *c, const place *p, int rows,
                              int n, int k, double *column)
{
    static const double weights[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const double step = p->step;
    double up[MOST], down[MOST];
    memset(column, 0, (size_t)n * sizeof *column);
    for (int s = 1; s <= 3; s++) {
        place moved = *p;
        member(&moved, c->by)[k] += s * step;
        vector_at(plan, c, moved, rows, n, up);
        member(&moved, c->by)[k] -= 2 * s * step;
        vector_at(plan, c, moved, rows, n, down);
        for (int i = 0; i < n; i++)
            column[i] += weights[s - 1] * (up[i] - down[i]) / step;
    }
}

/* All entries, also those outside of the pattern. Returns the largest one. */
static inline double check_dense(const lv_model *model, const claim *c, const place *p,
                                 double dense[MOST][MOST], double tolerance)
{
    const int n = model->coordinate_count, rows = model->row_count[LV_ROLE_HOLONOMIC];
    double column[MOST], largest = 0;
    assert_in_range(n, 1, MOST);
    lv_plan *plan = plan_of(model, (lv_wanted)1 << (unsigned)c->of);
    for (int k = 0; k < n; k++) {
        difference(plan, c, p, rows, n, k, column);
        for (int i = 0; i < n; i++) {
            assert_close(dense[i][k], column[i], tolerance);
            largest = fmax(largest, fabs(dense[i][k]));
        }
    }
    lv_plan_free(plan);
    return largest;
}

static inline double check_claim(const lv_model *model, const claim *c, const place *p,
                                 double tolerance)
{
    double dense[MOST][MOST];
    lv_plan *plan = plan_of(model, (lv_wanted)1 << (unsigned)c->matrix);
    dense_at(plan, c->matrix, p, dense);
    lv_plan_free(plan);
    return check_dense(model, c, p, dense, tolerance);
}

/* Ends of a pair that are far apart have quotients of differences, others means of slopes. Where one turns into the
 * other there is a jump, which differences must not cross: near ends are much nearer. */
static inline void check_claims(const char *text, const claim *claims, int count,
                                double tolerance, double tolerance_near)
{
    lv_model *model = read_text(text);
    for (int k = 0; k < 3 * count; k++) {
        const claim *c = &claims[k % count];
        const place far = some_place(k / count, 1), near = some_place(k / count, 1e-4);
        assert_above(check_claim(model, c, &far, tolerance), 0.1);
        assert_above(check_claim(model, c, &near, tolerance_near), 0.1);
    }
    lv_model_free(model);
}

static inline int entries_of(const lv_model *model, lv_quantity quantity)
{
    lv_plan *plan = plan_of(model, (lv_wanted)1 << (unsigned)quantity);
    const int count = lv_pattern_entries(lv_plan_pattern(plan, quantity));
    lv_plan_free(plan);
    return count;
}

/* ---- models --------------------------------------------------------------------------------------------- */

/* Masses that vary, one with an invariant of positions and velocities, a term linear in velocities; constraints
 * of degree four, without degree, that move; one of velocities; a potential of several kinds of terms. */
static const char varied[] =
    "[coordinates]\n"
    "a = { value = [1, 0.2, 0.3] }\n"
    "b = { value = [0, 1, 0.4] }\n"
    "s = { value = 0.3 }\n"
    "[energy]\n"
    "kinetic = \"\"\"(1 + a[1]^2 + 0.3*norm2(b))*norm2(a')/2 + norm2(b')/2\n"
    "  + dot(a, b')^2/3 + exp(0.4*s)*(s' + sin(a[2])*b'[3])^2/2\n"
    "  + s'^2/2/(2 + norm2(a))\"\"\"\n"
    "potential = \"norm2(b)^4/9 + exp(dot(a, b)) + sqrt(3 + norm2(a)*s^2) + a[1]*a[2]\"\n"
    "lagrangian = \"s*a[1]*b'[2] + a[3]^2*s'\"\n"
    "[constraints.quartic]\n"
    "holonomic = \"norm2(a)^2 - 2*a[1]*b[2]^3 + 4*s\"\n"
    "[constraints.moving]\n"
    "holonomic = \"norm2(b - a)*(1 + 0.2*sin(t)) - 1 - t*a[2]*s\"\n"
    "[constraints.curved]\n"
    "holonomic = \"b[1]*exp(0.3*s) + cos(t*a[1])*a[3] + norm2(a - b)^1.5\"\n"
    "[constraints.rolling]\n"
    "nonholonomic = \"s' - a[1]^3*b'[2]\"\n";

/* Members share coordinates with their neighbours. */
static const char chain[] =
    "[coordinates]\n"
    "x = { count = 5, value = [\"i\", \"0.1*i\", 0.2] }\n"
    "[energy.links]\n"
    "for = \"i = 1..4\"\n"
    "kinetic = \"norm2(x_i')*(1 + norm2(x_{i+1})^2)/2\"\n"
    "potential = \"norm2(x_i - x_{i+1})^1.5/i\"\n"
    "[energy.last]\n"
    "kinetic = \"norm2(x_5')/2\"\n"
    "[constraints.bent]\n"
    "for = \"i = 1..4\"\n"
    "holonomic = \"norm2(x_{i+1} - x_i)^2/i + i*x_i[1]*x_i[2]*x_i[3] - t*x_i[2]^3\"\n";

/* Constant masses, constraints at most quadratic that do not move. */
static const char plain[] = "[coordinates]\n"
                            "a = { value = [1, 2, 3] }\n"
                            "b = { value = [0, 1, 0] }\n"
                            "s = { value = 0.3 }\n"
                            "[energy]\n"
                            "kinetic = \"norm2(a') + norm2(b')/2 + s'*a'[1] + s'^2\"\n"
                            "potential = \"norm2(a)^2 + s*b[1]\"\n"
                            "[constraints.rod]\n"
                            "holonomic = \"norm2(b - a)/3 - 1\"\n"
                            "[constraints.saddle]\n"
                            "holonomic = \"a[1]*s - 2*b[3]*a[2] + s\"\n";

#endif
