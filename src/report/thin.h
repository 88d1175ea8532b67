/* Rows that come one by one, of which a bounded number is kept: every 2^k-th, and the last. Of what lies between, bands
 * show the least and the largest value. */
#ifndef LV_REPORT_THIN_H
#define LV_REPORT_THIN_H

#include "base/status.h"

#include <stdbool.h>

typedef struct lv_thin {
    int width, room, rows; /* columns; rows that there is room for, the last one apart */
    long long every, seen; /* every so many rows of those seen are kept */
    bool bands;
    double *times;                /* room + 1 of them */
    float *values, *least, *most; /* width columns of room + 1 numbers each */
    double last_time;             /* of the row seen last, */
    float *last;                  /* and its numbers */
} lv_thin;

/* room is even and at least 2. After a failure lv_thin_done frees what there is. */
lv_status lv_thin_init(lv_thin *thin, int width, int room, bool bands, lv_error *err);
void lv_thin_done(lv_thin *thin);

void lv_thin_add(lv_thin *thin, double t, const double *row);

/* No more rows come: the last one is kept, whatever its number. */
void lv_thin_end(lv_thin *thin);

/* Keeps every second row of those there are; also after the end. */
void lv_thin_halve(lv_thin *thin);

/* The nearest float, also of what is beyond all floats. */
float lv_thin_number(double x);

/* The numbers of a column. */
const float *lv_thin_column(const lv_thin *thin, const float *numbers, int k);

#endif
