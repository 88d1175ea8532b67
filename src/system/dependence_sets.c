/* Splits the rows that may depend on each other into sets, and judges each set by dense
 * factors. */
#include "system/dependence_private.h"

#include "base/disjoint.h"
#include "base/memory.h"
#include "num/sparse.h"

#include <math.h>
#include <string.h>

/* Up to this number of rows all of them form one set. */
enum { FEW = 32 };

/* Limits on the rows and columns of a set, and on the numbers of all sets; larger ones
 * are not examined. */
enum { MOST = LV_DEPENDENCE_MOST, WIDEST = 12000 };
static const size_t most_numbers = (size_t)1 << 23;

/* Limit on the number of combinations times the entries of all rows: each combination
 * involves all rows. */
static const double most_work = 1e8;

static size_t numbers_of(int rows, int columns)
{
    return (size_t)rows * (size_t)columns + lv_least_norm_work(rows, columns);
}

/* Are the rows split into sets? Few rows form one set. */
static bool falls_apart(const lv_dependence *d)
{
    return d->rank && d->rows > FEW;
}

/* Allocates without zeroing, so that pages that are never used are never touched. */
bool lv_dependence_take_numbers(lv_dependence *d)
{
    const size_t one = numbers_of(d->rows, d->columns);
    const bool apart = falls_apart(d);
    d->room = !apart && (d->rows > MOST || d->columns > WIDEST) ? 0
              : apart && one > most_numbers                     ? most_numbers
                                                                : one;
    d->numbers = lv_memory_resize(NULL, (d->room + 1) * sizeof *d->numbers);
    return d->numbers != NULL;
}

/* ---- sets of rows ------------------------------------------------------------------ */

/* Makes one set of all rows. */
static void join_all(lv_dependence *d, const lv_pattern *p)
{
    d->sets = 1;
    d->set[0] = (lv_row_set){.least = {.rows = p->rows, .columns = p->columns},
                             .rows = d->row,
                             .columns = d->column};
    for (int r = 0; r < p->rows; r++)
        d->row[r] = r;
    for (int c = 0; c < p->columns; c++)
        d->column[c] = c;
}

/* Loose rows: those with small remainders that are not negligible. Their remainders are
 * expressed in an orthonormal basis, to which each loose row adds one vector. */
typedef struct loose {
    int count;
    int *which; /* their numbers in num/row_rank.h */
    double *basis;
    /* Length of a vector; distance of vectors, which includes the components of the
     * row */
    size_t width, stride;
} loose;

static double *vector_of(const loose *l, int i)
{
    return l->basis + (size_t)i * l->stride;
}

/* The norm of the remainder of a row after projection off the basis of the loose rows;
 * its components are stored behind those of the loose rows. */
static double off_loose(const loose *l, const double *rest)
{
    double *own = vector_of(l, l->count), *along = own + l->width, square = 0;
    memcpy(own, rest, l->width * sizeof *own);
    memset(along, 0, (size_t)l->count * sizeof *along);
    /* two passes: the second removes rounding errors */
    for (int i = 0; i < 2 * l->count; i++) {
        const double *other = vector_of(l, i % l->count);
        double part = 0;
        for (size_t c = 0; c < l->width; c++)
            part += own[c] * other[c];
        for (size_t c = 0; c < l->width; c++)
            own[c] -= part * other[c];
        along[i % l->count] += part;
    }
    for (size_t c = 0; c < l->width; c++)
        square += own[c] * own[c];
    return sqrt(square);
}

static void add_loose(loose *l, int k, double left)
{
    double *own = vector_of(l, l->count);
    for (size_t c = 0; c < l->width; c++)
        own[c] /= left;
    own[l->width + (size_t)l->count] = left;
    l->which[l->count++] = k;
}

/* weights += share times the combination of rows that row k is equal to, minus row k
 * itself. */
static void add_weights(lv_dependence *d, const lv_pattern *p, int k,
                        const double *weight, double share)
{
    for (int r = 0; r < p->rows; r++)
        d->weights[r] += share * weight[r];
    d->weights[lv_row_rank_row(d->rank, k)] -= share;
}

/* The weights of row k: of the other rows, and of the loose rows that make up its
 * remainder. */
static void find_weights(lv_dependence *d, const lv_pattern *p, const loose *l, int k,
                         const double *weight, bool loosely)
{
    double left;
    memset(d->weights, 0, (size_t)d->rows * sizeof *d->weights);
    add_weights(d, p, k, weight, 1);
    if (!loosely)
        return;
    double *along = vector_of(l, l->count) + l->width;
    for (int i = l->count - 1; i >= 0; i--) {
        const double *other = vector_of(l, i) + l->width;
        const double share = along[i] / other[i];
        for (int j = 0; j < i; j++)
            along[j] -= share * other[j];
        weight = lv_row_rank_combination(d->rank, l->which[i], &left);
        add_weights(d, p, l->which[i], weight, -share);
    }
}

/* Joins the rows with nonzero weights into one set; weights below a fraction of the
 * tolerance count as rounding. */
static void join_set(lv_dependence *d, const lv_pattern *p, int row, double tolerance)
{
    d->suspect[row] = true;
    for (int r = 0; r < p->rows; r++)
        if (!(fabs(d->weights[r]) <= 0.01 * tolerance)) {
            d->suspect[r] = true;
            lv_disjoint_join(d->parent, row, r);
        }
}

/* Finds the sets of rows that may depend on each other, with a coarse tolerance. Returns
 * false if a value is not finite or there is no room. */
static bool join_dependent(lv_dependence *d, const lv_pattern *p, const double *values,
                           double tolerance)
{
    const double coarse = fmin(0.3, fmax(0.03, 10 * tolerance)), limit = 10 * tolerance;
    d->gap = 0;
    const int count = lv_row_rank_find(d->rank, p, values, coarse);
    d->too_many = (double)count * lv_pattern_entries(p) > most_work;
    if (d->too_many)
        return false;
    const size_t width = (size_t)d->columns, stride = width + (size_t)d->rows;
    /* uses arrays that are not needed yet */
    loose l = {0, d->order, d->numbers, width, stride};
    for (int r = 0; r < p->rows; r++) {
        d->parent[r] = r;
        d->suspect[r] = false;
        d->size[r] = 0;
    }
    for (int k = 0; k < count; k++) {
        double left;
        const double *weight = lv_row_rank_combination(d->rank, k, &left);
        const bool loosely = left > limit;
        d->too_many = loosely && (size_t)(l.count + 1) * l.stride > d->room;
        if (d->too_many)
            return false;
        if (loosely)
            left = off_loose(&l, lv_row_rank_rest(d->rank));
        if (left > limit) {
            add_loose(&l, k, left);
        } else {
            find_weights(d, p, &l, k, weight, loosely);
            join_set(d, p, lv_row_rank_row(d->rank, k), tolerance);
        }
    }
    return count >= 0;
}

/* The columns of the rows of a set, in the order in which they are met. */
static int list_columns(lv_dependence *d, const lv_pattern *p, const lv_row_set *s,
                        int *column)
{
    int count = 0;
    for (int i = 0; i < s->least.rows; i++)
        for (int e = p->start[s->rows[i]]; e < p->start[s->rows[i] + 1]; e++)
            d->place[p->column[e]] = -1;
    for (int i = 0; i < s->least.rows; i++)
        for (int e = p->start[s->rows[i]]; e < p->start[s->rows[i] + 1]; e++) {
            const int c = p->column[e];
            if (d->place[c] < 0) {
                d->place[c] = count;
                column[count++] = c;
            }
        }
    return count;
}

/* Lists the sets by their smallest rows, which represent them while they are joined. */
static void list_sets(lv_dependence *d, const lv_pattern *p)
{
    int rows = 0, columns = 0, *which = d->order; /* an array that is not needed yet */
    for (int r = 0; r < p->rows; r++)
        if (d->suspect[r])
            d->size[lv_disjoint_find(d->parent, r)]++;
    for (int r = 0; r < p->rows; r++) {
        if (!d->suspect[r])
            continue;
        const int first = lv_disjoint_find(d->parent, r);
        if (first == r) {
            which[r] = d->sets++;
            d->set[which[r]] = (lv_row_set){.rows = d->row + rows};
            rows += d->size[r];
        }
        lv_row_set *s = &d->set[which[first]];
        d->row[(s->rows - d->row) + s->least.rows++] = r;
    }
    for (int k = 0; k < d->sets; k++) {
        lv_row_set *s = &d->set[k];
        s->columns = d->column + columns;
        s->least.columns = list_columns(d, p, s, d->column + columns);
        columns += s->least.columns;
    }
}

/* ---- judging ----------------------------------------------------------------------- */

static void fill_set(lv_dependence *d, const lv_row_set *s, const lv_pattern *p,
                     const double *values)
{
    const size_t width = (size_t)s->least.columns;
    memset(s->least.a, 0, (size_t)s->least.rows * width * sizeof *s->least.a);
    for (int t = 0; t < s->least.columns; t++)
        d->place[s->columns[t]] = t;
    for (int i = 0; i < s->least.rows; i++) {
        const int r = s->rows[i];
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            s->least.a[(size_t)i * width + (size_t)d->place[p->column[e]]] = values[e];
    }
}

/* Factors all sets; false if they are too large. */
static bool judge(lv_dependence *d, const lv_pattern *p, const double *values,
                  double tolerance)
{
    size_t used = 0;
    for (int k = 0; k < d->sets; k++) {
        lv_row_set *s = &d->set[k];
        const int rows = s->least.rows, columns = s->least.columns;
        const size_t needed = numbers_of(rows, columns);
        if (rows > MOST || columns > WIDEST || used + needed > d->room)
            return false;
        s->least.a = d->numbers + used;
        s->least.work = s->least.a + (size_t)rows * (size_t)columns;
        s->least.row_order = d->order + (s->rows - d->row);
        used += needed;
        fill_set(d, s, p, values);
        lv_least_norm_factor(&s->least, tolerance);
        for (int i = s->least.rank; i < rows; i++)
            d->dependent[d->count++] = (lv_dependent_row){k, i};
    }
    return true;
}

int lv_dependence_look_at_sets(lv_dependence *d, const lv_pattern *pattern,
                               const double *values, double tolerance)
{
    d->too_many = d->room == 0;
    if (d->too_many)
        return -1;
    if (!falls_apart(d))
        join_all(d, pattern);
    else if (join_dependent(d, pattern, values, tolerance))
        list_sets(d, pattern);
    else
        return -1;
    if (judge(d, pattern, values, tolerance))
        return d->count;
    d->too_many = true;
    d->count = d->sets = 0;
    return -1;
}
