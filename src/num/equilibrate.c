#include "num/equilibrate.h"

#include <assert.h>
#include <limits.h>
#include <math.h>

/* `row` and `column` hold exponents of two until the end. */

/* Number of sweeps between two searches for negligible entries, and number of these
 * searches. */
enum { SWEEPS = 40, LOOKS = 4 };

/* Sweeps end when no exponent changes by more than this. */
static const double still = 0.5;

/* Entries whose scaled exponent is below this are left out. */
static const double negligible = -20;

enum { LEFT_OUT = SHRT_MIN };

static bool find_exponents(const lv_pattern *p, const double *values, const int *slot,
                           short *exponent)
{
    for (int e = 0; e < p->start[p->rows]; e++) {
        const double value = values[slot[e]];
        int power = LEFT_OUT;
        if (!isfinite(value))
            return false;
        if (value != 0)
            (void)frexp(value, &power);
        exponent[e] = (short)power;
    }
    return true;
}

/* Sets the exponent of a line to minus the mean exponent of its entries, scaled by the
 * factors of the other side; returns its change. */
static double renew(double *exponent, double sum, int count)
{
    const double before = *exponent;
    if (count == 0)
        return 0;
    *exponent = -sum / count;
    return fabs(*exponent - before);
}

/* Computes the best row factors for the given column factors, then the column factors for
 * these; returns the largest change of an exponent. */
static double sweep(const lv_pattern *p, lv_equilibration *room, double *row,
                    double *column)
{
    double moved = 0;
    for (int j = 0; j < p->columns; j++)
        room->sum[j] = room->count[j] = 0;
    for (int i = 0; i < p->rows; i++) {
        double sum = 0;
        int count = 0;
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            if (room->exponent[e] != LEFT_OUT) {
                sum += room->exponent[e] + column[p->column[e]];
                count++;
            }
        moved = fmax(moved, renew(&row[i], sum, count));
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            if (room->exponent[e] != LEFT_OUT) {
                room->sum[p->column[e]] += room->exponent[e] + row[i];
                room->count[p->column[e]]++;
            }
    }
    for (int j = 0; j < p->columns; j++)
        moved = fmax(moved, renew(&column[j], room->sum[j], room->count[j]));
    return moved;
}

static double residual(const lv_pattern *p, const short *exponent, const double *row,
                       const double *column, int i, int e)
{
    return exponent[e] == LEFT_OUT ? 0 : exponent[e] + row[i] + column[p->column[e]];
}

/* Leaves out the smallest entries, not all small ones at once: the smallest make others
 * look small. Every row and column keeps an entry, since its mean is 1. Returns false if
 * no entry is negligible. */
static bool leave_out(const lv_pattern *p, short *exponent, const double *row,
                      const double *column)
{
    double least = 0;
    for (int i = 0; i < p->rows; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            least = fmin(least, residual(p, exponent, row, column, i, e));
    if (least > negligible)
        return false;
    for (int i = 0; i < p->rows; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            if (residual(p, exponent, row, column, i, e) < 0.75 * least)
                exponent[e] = LEFT_OUT;
    return true;
}

/* 2^exponent, limited so that products do not overflow. */
static double power_of_two(double exponent)
{
    return ldexp(1, (int)rint(fmin(fmax(exponent, -450), 450)));
}

bool lv_equilibrate(const lv_pattern *p, const double *values, const int *slot,
                    bool symmetric, lv_equilibration *room, double *row, double *column)
{
    assert(p->rows == p->columns);
    assert(room->sum && room->count && room->exponent);
    if (!find_exponents(p, values, slot, room->exponent))
        return false;
    for (int i = 0; i < p->rows; i++)
        row[i] = column[i] = 0;
    bool again = true;
    for (int look = 0; look < LOOKS && again; look++) {
        for (int k = 0; k < SWEEPS && sweep(p, room, row, column) > still; k++) {
        }
        again = leave_out(p, room->exponent, row, column);
    }
    for (int i = 0; i < p->rows; i++) {
        const double mean = 0.5 * (row[i] + column[i]);
        row[i] = power_of_two(symmetric ? mean : row[i]);
        column[i] = power_of_two(symmetric ? mean : column[i]);
    }
    return true;
}
