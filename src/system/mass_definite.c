/* The mass matrix M = L_vv at the start is tested block by block, by symmetric
 * elimination with the largest diagonal entry as pivot. M is positive semidefinite if and
 * only if no diagonal entry becomes negative and, where only zeros remain on the
 * diagonal, nothing remains beside it. */
#include "system/mass_definite.h"

#include "plan/plan.h"
#include "system/mass.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Entries below this, relative to the largest of their block, count as rounding. */
static const double rounding = 1e-10;

/* The row with the largest diagonal entry from row k on. */
static int pivot_row(const double *a, int size, int k)
{
    int best = k;
    for (int i = k + 1; i < size; i++)
        if (a[i * size + i] > a[best * size + best])
            best = i;
    return best;
}

static void swap_rows(double *a, int *label, int size, int i, int k)
{
    const int kept = label[i];
    label[i] = label[k];
    label[k] = kept;
    for (int j = 0; j < size; j++) {
        double x = a[i * size + j];
        a[i * size + j] = a[k * size + j];
        a[k * size + j] = x;
    }
    for (int j = 0; j < size; j++) {
        double x = a[j * size + i];
        a[j * size + i] = a[j * size + k];
        a[j * size + k] = x;
    }
}

/* The label of a row that proves a negative direction among the rows from k on; -1: none
 * does so far. */
static int negative_row(const double *a, const int *label, int size, int k, double least)
{
    double largest = 0;
    for (int i = k; i < size; i++) {
        largest = fmax(largest, a[i * size + i]);
        if (a[i * size + i] < -least)
            return label[i];
    }
    for (int i = k; largest <= least && i < size; i++)
        for (int j = k; j < size; j++)
            if (fabs(a[i * size + j]) > least)
                return label[i];
    return -1;
}

/* Returns the label of a row that proves a negative direction, or -1. *massless receives
 * a row without mass; it is unchanged if there is none. */
static int test_block(double *a, int *label, int size, int *massless)
{
    double extent = 0;
    for (int i = 0; i < size * size; i++)
        extent = fmax(extent, fabs(a[i]));
    const double least = rounding * extent;
    for (int k = 0; k < size; k++) {
        int found = negative_row(a, label, size, k, least);
        if (found >= 0)
            return found;
        swap_rows(a, label, size, k, pivot_row(a, size, k));
        const double pivot = a[k * size + k];
        if (pivot <= least) { /* the remaining matrix is zero */
            *massless = label[k];
            return -1;
        }
        for (int i = k + 1; i < size; i++)
            for (int j = k + 1; j < size; j++)
                a[i * size + j] -= a[i * size + k] * a[k * size + j] / pivot;
    }
    return -1;
}

/* Copies the entries of one block to a square matrix; `label` receives its
 * coordinates. */
static void fill_block(double *a, int *label, const lv_pattern *p, const double *values,
                       const int *member, int size)
{
    for (int i = 0; i < size; i++) {
        int r = label[i] = member[i];
        for (int j = 0; j < size; j++)
            a[i * size + j] = 0;
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            for (int j = 0; j < size; j++)
                if (member[j] == p->column[e])
                    a[i * size + j] += values[e];
    }
}

static int test_diagonal(const lv_pattern *p, const double *values)
{
    for (int r = 0; r < p->rows; r++)
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            if (p->column[e] == r && values[e] < 0)
                return r;
    return -1;
}

static int test_blocks(const lv_mass *mass, const lv_pattern *p, const double *values,
                       int *massless)
{
    double a[LV_MASS_DEFINITE_LARGEST * LV_MASS_DEFINITE_LARGEST];
    int label[LV_MASS_DEFINITE_LARGEST], found = -1;
    for (int k = 0; found < 0 && k < lv_mass_block_count(mass); k++) {
        int size = 0;
        const int *member = lv_mass_block(mass, k, &size);
        if (size > LV_MASS_DEFINITE_LARGEST)
            continue;
        fill_block(a, label, p, values, member, size);
        found = test_block(a, label, size, massless);
    }
    return found >= 0 || lv_mass_block_count(mass) > 0 ? found : test_diagonal(p, values);
}

/* With a plan of the mass matrix. */
static lv_status examine_with(lv_plan *plan, const lv_model *model, int *negative,
                              int *massless, lv_error *err)
{
    lv_mass *mass = NULL;
    *negative = *massless = -1;
    const lv_point start = {.q = model->start_q, .v = model->start_v};
    const lv_pattern *pattern = lv_plan_pattern(plan, LV_Q_MASS);
    lv_status status = lv_mass_create(&mass, pattern, NULL, err);
    if (status == LV_OK) {
        lv_plan_run(plan, &start);
        *negative = test_blocks(mass, pattern, lv_plan_result(plan, LV_Q_MASS), massless);
    }
    lv_mass_free(mass);
    return status;
}

static lv_status examine(const lv_model *model, int *negative, int *massless,
                         lv_error *err)
{
    lv_plan *plan = NULL;
    LV_TRY(lv_plan_create(&plan, model, LV_WANT(MASS), err));
    const lv_status status = examine_with(plan, model, negative, massless, err);
    lv_plan_free(plan);
    return status;
}

lv_status lv_mass_definite_test_with(lv_plan *plan, const lv_model *model,
                                     int *coordinate, lv_error *err)
{
    int massless = -1;
    return examine_with(plan, model, coordinate, &massless, err);
}

lv_status lv_mass_definite_test(const lv_model *model, int *coordinate, lv_error *err)
{
    int massless = -1;
    return examine(model, coordinate, &massless, err);
}

/* ---- bodies without mass in some direction ----------------------------------------- */

static const lv_group *group_of(const lv_model *model, int coordinate)
{
    for (int k = 0; k < model->groups.count; k++) {
        const lv_group *g = &model->groups.data[k];
        if (coordinate >= g->first &&
            coordinate < g->first + g->count * lv_group_width(g))
            return g;
    }
    return NULL;
}

bool lv_massless_note(const lv_model *model, lv_error *err)
{
    int negative = -1, massless = -1;
    if (!err || examine(model, &negative, &massless, NULL) != LV_OK || massless < 0)
        return false;
    const lv_group *g = group_of(model, massless);
    const char *dot = g ? strchr(g->item->name, '.') : NULL;
    if (!dot || g->item->nature != LV_NATURE_DIRECTION)
        return false;
    char member[20] = "";
    if (g->is_family)
        snprintf(member, sizeof member, "_%d",
                 (massless - g->first) / lv_group_width(g) + 1);
    lv_error_note(err,
                  "body '%.*s%s' is flat or thin: its mass has no extent along at least "
                  "one axis, so that this axis has no mass of its own",
                  (int)(dot - g->item->name), g->item->name, member);
    return true;
}
