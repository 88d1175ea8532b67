/* A sink that keeps recorded rows in memory. */
#ifndef LV_OUT_ROWS_H
#define LV_OUT_ROWS_H

#include <livens/run.h>

#include "base/arena.h"
#include "out/sink.h"

typedef struct lv_row_store {
    lv_sink sink; /* first member: the recorder holds a pointer to it */
    const lv_channels *channels;
    lv_arena arena; /* holds the names */
    lv_rows rows;
    double *values;
    size_t width, room; /* numbers per row, rows for which memory is allocated */
} lv_row_store;

/* `store` must be zero before. The store outlives the sink: closing the sink keeps the
 * rows, lv_row_store_done frees them. The channels must outlive the sink. */
lv_status lv_row_store_open(lv_row_store *store, lv_sink **sink,
                            const lv_channels *channels, lv_error *err);
void lv_row_store_done(lv_row_store *store);

#endif
