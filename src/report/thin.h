/* Keeps a bounded number of rows that arrive one by one: every 2^k-th row, and the last
 * one. Bands have the smallest and the largest value of the rows in between. */
#ifndef LV_REPORT_THIN_H
#define LV_REPORT_THIN_H

#include "base/status.h"

#include <stdbool.h>

typedef struct lv_thin {
    int width, room, rows; /* columns; capacity without the last row; rows kept */
    long long every, seen; /* every `every`-th of the rows seen is kept */
    bool bands;
    double *times;                /* room + 1 numbers */
    float *values, *least, *most; /* `width` columns of room + 1 numbers each */
    double last_time;             /* time of the last row seen */
    float *last;                  /* numbers of the last row seen */
} lv_thin;

/* room must be even and at least 2. After a failure lv_thin_done frees everything. */
lv_status lv_thin_init(lv_thin *thin, int width, int room, bool bands, lv_error *err);
void lv_thin_done(lv_thin *thin);

void lv_thin_add(lv_thin *thin, double t, const double *row);

/* Call it after the last row, which is kept whatever its number is. */
void lv_thin_end(lv_thin *thin);

/* Keeps every second row of those kept; also allowed after the end. */
void lv_thin_halve(lv_thin *thin);

/* The nearest float, also for numbers beyond the range of floats. */
float lv_thin_number(double x);

/* The numbers of column k in values, least or most. */
const float *lv_thin_column(const lv_thin *thin, const float *numbers, int k);

#endif
