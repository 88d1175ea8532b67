#include "num/rank.h"

#include <math.h>
#include <stddef.h>

/* Scales `count` lines of `length` entries to largest entry 1; lines of zeros stay. */
static void scale_lines(double *a, int count, int length, size_t line_step,
                        size_t entry_step)
{
    for (int i = 0; i < count; i++) {
        double *line = a + (size_t)i * line_step, largest = 0;
        for (int k = 0; k < length; k++)
            largest = fmax(largest, fabs(line[(size_t)k * entry_step]));
        for (int k = 0; k < length && largest > 0; k++)
            line[(size_t)k * entry_step] /= largest;
    }
}

static void swap_lines(double *a, int length, size_t i, size_t j, size_t line_step,
                       size_t entry_step)
{
    for (int k = 0; i != j && k < length; k++) {
        double *x = a + i * line_step + (size_t)k * entry_step;
        double *y = a + j * line_step + (size_t)k * entry_step;
        double t = *x;
        *x = *y;
        *y = t;
    }
}

int lv_rank(double *a, int rows, int columns, double tolerance)
{
    const size_t width = (size_t)columns;
    const int most = rows < columns ? rows : columns;
    scale_lines(a, rows, columns, width, 1);
    scale_lines(a, columns, rows, 1, width);
    for (int step = 0; step < most; step++) {
        /* The largest entry that is left. */
        int at_row = step, at_column = step;
        double largest = -1;
        for (int i = step; i < rows; i++)
            for (int k = step; k < columns; k++)
                if (fabs(a[(size_t)i * width + (size_t)k]) > largest) {
                    largest = fabs(a[(size_t)i * width + (size_t)k]);
                    at_row = i;
                    at_column = k;
                }
        if (!(largest > tolerance))
            return step;
        swap_lines(a, columns, (size_t)step, (size_t)at_row, width, 1);
        swap_lines(a, rows, (size_t)step, (size_t)at_column, 1, width);

        const double *pivot_row = a + (size_t)step * width;
        for (int i = step + 1; i < rows; i++) {
            double *row = a + (size_t)i * width;
            double factor = row[step] / pivot_row[step];
            for (int k = step; k < columns && factor != 0; k++)
                row[k] -= factor * pivot_row[k];
        }
    }
    return most;
}
