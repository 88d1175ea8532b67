/* One joint in a model, and its rows. */
#ifndef LV_TESTS_JOINT_ROWS_H
#define LV_TESTS_JOINT_ROWS_H

#include "../model/reading.h"
#include "frames.h"
#include "model/model.h"
#include "plan/plan.h"

enum { MOST = 24, ROWS = 6 };

typedef enum end_kind { BODY, GROUND, PARTICLE } end_kind;

/* One joint between two ends at the start that `starts` gives. */
typedef struct assembly {
    lv_model *model;
    lv_plan *plan;
    end_kind kinds[2];
    frame starts[2];
    int offset[2]; /* of the coordinates of each end */
    int n, first, rows, constraints;
    vec at, axis, axis2;
} assembly;

/* ---- evaluation ----------------------------------------------------------------------------------- */

static const double zeros[MOST]; /* velocities of a system at rest */

static inline void evaluate(const assembly *x, const double *q, const double *v)
{
    lv_plan_run(x->plan, &(lv_point){.q = q, .v = v ? v : zeros});
}

/* The rows of the joint. */
static inline void rows_at(const assembly *x, const double *q, double g[ROWS])
{
    evaluate(x, q, NULL);
    memcpy(g, lv_plan_result(x->plan, LV_Q_CONSTRAINT) + x->first,
           (size_t)x->rows * sizeof *g);
}

/* The rows of a matrix of the joint, dense. */
static inline void dense(const assembly *x, lv_quantity quantity, double G[ROWS][MOST])
{
    const lv_pattern *p = lv_plan_pattern(x->plan, quantity);
    const double *values = lv_plan_result(x->plan, quantity);
    memset(G, 0, sizeof(double[ROWS][MOST]));
    for (int i = 0; i < x->rows; i++)
        for (int k = p->start[x->first + i]; k < p->start[x->first + i + 1]; k++)
            G[i][p->column[k]] = values[k];
}

static inline void random_point(const assembly *x, unsigned *seed, double *q)
{
    for (int k = 0; k < x->n; k++)
        q[k] = 2 * some_number(seed);
}

static inline void find_rows(assembly *x)
{
    char name[80];
    x->constraints = x->model->row_count[LV_ROLE_HOLONOMIC];
    x->first = -1;
    for (int k = 0; k < x->constraints; k++) {
        lv_model_constraint_name(x->model, k, name, sizeof name);
        if (name[0] != 'j')
            continue;
        x->first = x->first < 0 ? k : x->first;
        x->rows = k - x->first + 1;
    }
    assert_in_range(x->rows, 1, ROWS);
}

static inline int rank_of(double a[ROWS][12], int rows, int columns)
{
    int rank = 0;
    for (int j = 0; j < columns && rank < rows; j++) {
        int best = rank;
        for (int i = rank; i < rows; i++)
            best = fabs(a[i][j]) > fabs(a[best][j]) ? i : best;
        if (fabs(a[best][j]) < 1e-9)
            continue;
        for (int k = 0; k < columns; k++) {
            const double swap = a[best][k];
            a[best][k] = a[rank][k];
            a[rank][k] = swap;
        }
        for (int i = rank + 1; i < rows; i++)
            for (int k = columns - 1; k >= j; k--)
                a[i][k] -= a[i][j] / a[rank][j] * a[rank][k];
        rank++;
    }
    return rank;
}

static inline void disassemble(assembly *x)
{
    lv_plan_free(x->plan);
    lv_model_free(x->model);
}

#endif
