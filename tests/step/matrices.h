/* Newton matrices against differences of the equations: solving with the matrix undoes what the differences say that a
 * change of the unknowns does. */
#ifndef LV_TESTS_MATRICES_H
#define LV_TESTS_MATRICES_H

#include "stepping.h"

#include "course/matrix.h"

enum { UNKNOWNS = 200 };

/* Numbers of all unknowns of a phase, one behind the other. */
static inline int numbers_of(const lv_phase *p)
{
    int count = 0;
    for (int k = 0; k < p->unknowns; k++)
        count += p->columns.data[k].size;
    assert_in_range(count, 1, UNKNOWNS);
    return count;
}

/* All unknowns get values near to what they could be for velocities v. */
static inline void perturb(lv_course *c, const double *v, int salt)
{
    for (int k = 0; k < c->form.fields.count; k++) {
        const lv_field *f = &c->form.fields.data[k];
        if (f->role == LV_FIELD_DEFINED || !c->value[k])
            continue;
        for (int i = 0; i < c->sizes[f->space]; i++) {
            const double noise = 0.1 * scattered(3 * k + i, salt);
            if (f->role == LV_FIELD_UNKNOWN)
                c->value[k][i] = f->space == LV_SPACE_TANGENT ? v[i] + noise : 5 * noise;
            else if (f->space >= LV_SPACE_HOLONOMIC)
                c->value[k][i] = 5 * noise;
        }
    }
}

/* The residuals of a phase, scaled, with its unknowns moved along d by a small amount. */
static inline void residuals(lv_course *c, lv_phase *p, const double *d, double amount,
                             double *out)
{
    const double *from = d;
    for (int k = 0; k < p->unknowns; k++)
        for (int i = 0; i < p->columns.data[k].size; i++)
            c->value[p->columns.data[k].field][i] += amount * *from++;
    lv_course_run(c, &p->pass);
    for (int k = 0; k < p->unknowns; k++) {
        const lv_phase_column *column = &p->columns.data[k];
        lv_combine(c, &column->residual);
        for (int i = 0; i < column->size; i++)
            *out++ = lv_step_power(c->h, column->row_power) * column->residual.out[i];
    }
    from = d;
    for (int k = 0; k < p->unknowns; k++)
        for (int i = 0; i < p->columns.data[k].size; i++)
            c->value[p->columns.data[k].field][i] -= amount * *from++;
}

/* The derivative along d by differences of sixth order. */
static inline void along(lv_course *c, lv_phase *p, const double *d, double *out)
{
    static const double weights[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const double step = p->linear ? 100 : 2e-3; /* differences of linear ones are exact */
    const int size = numbers_of(p);
    double up[UNKNOWNS], down[UNKNOWNS];
    memset(out, 0, UNKNOWNS * sizeof *out);
    for (int s = 1; s <= 3; s++) {
        residuals(c, p, d, s * step, up);
        residuals(c, p, d, -s * step, down);
        for (int i = 0; i < size; i++)
            out[i] += weights[s - 1] * (up[i] - down[i]) / step;
    }
}

/* How far the solution is from d, relative. */
static inline double defect(lv_course *c, int phase, lv_step_matrix *matrix,
                            lv_level level, int salt)
{
    lv_phase *p = &c->phase[phase];
    double d[UNKNOWNS], x[3 * UNKNOWNS] = {0}, worst = 0;
    int at = 0;
    for (int i = 0; i < numbers_of(p); i++)
        d[i] = scattered(i, salt);
    assert_in_range(lv_step_matrix_size(matrix), 1, 3 * UNKNOWNS);
    along(c, p, d, x);
    lv_course_run(c, &p->pass);
    assert_true(lv_step_matrix_build(matrix, level, NULL));
    lv_step_matrix_solve(matrix, x);
    for (int k = 0; k < p->unknowns; k++)
        for (int i = 0; i < p->columns.data[k].size; i++, at++)
            worst =
                fmax(worst,
                     fabs(x[at] / lv_step_power(c->h, p->columns.data[k].scale) - d[at]));
    return worst;
}

/* Compares all matrices of a course whose fields have values; `where` is for messages. Returns how many are wrong. */
static inline int check_matrices(lv_course *c, const char *where, double tolerance)
{
    lv_error err;
    int wrong = 0;
    for (int p = 1; p <= c->phases.count; p++) {
        lv_course_run(c, &c->phase[p].before);
        for (int cheap = 0; cheap < 2; cheap++) {
            lv_step_matrix *matrix = NULL;
            if (lv_step_matrix_create(&matrix, c, p, cheap == 1, &err) != LV_OK)
                fail_with(&err);
            const bool exact = cheap == 0 || (lv_step_matrix_has_cheap(matrix) &&
                                              lv_step_matrix_is_exact(matrix));
            double error = exact
                               ? defect(c, p, matrix,
                                        cheap ? LV_LEVEL_CHEAP : LV_LEVEL_FULL, p + cheap)
                               : 0;
            if (cheap) /* the full one that may eliminate bodies */
                error = fmax(error, defect(c, p, matrix, LV_LEVEL_FULL, p + 2));
            if (!(error <= tolerance)) {
                print_error("%s, phase %d%s: %.2e\n", where, p, cheap ? ", cheap" : "",
                            error);
                wrong++;
            }
            lv_step_matrix_free(matrix);
        }
        lv_course_run(c, &c->phase[p].pass);
    }
    return wrong;
}

#endif
