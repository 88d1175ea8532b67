/* Recorded rows in memory. */
#ifndef LV_OUT_ROWS_H
#define LV_OUT_ROWS_H

#include <livens/run.h>

#include "base/arena.h"
#include "out/sink.h"

typedef struct lv_row_store {
    lv_sink sink; /* first: the recorder has a pointer to it */
    const lv_channels *channels;
    lv_arena arena; /* of the names */
    lv_rows rows;
    double *values;
    size_t width, room; /* numbers of a row, rows that there is memory for */
} lv_row_store;

/* Begin with zeros. The store outlives the sink: closing the sink keeps the rows, lv_row_store_done frees them. The
 * channels must outlive the sink. */
lv_status lv_row_store_open(lv_row_store *store, lv_sink **sink,
                            const lv_channels *channels, lv_error *err);
void lv_row_store_done(lv_row_store *store);

#endif
