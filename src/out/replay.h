/* Reads rows of a result file one after the other, and shows them as the channels of a
 * recorder. */
#ifndef LV_OUT_REPLAY_H
#define LV_OUT_REPLAY_H

#include "base/arena.h"
#include "out/sink.h"

typedef struct lv_replay {
    lv_arena arena;
    lv_hdf5_reader *reader;
    /* all channels of the file; their values are those of the current row */
    lv_channels channels;
    long long rows;
    long long first; /* first row of the block in memory */
    long long count; /* number of rows in it */
} lv_replay;

/* Opens a file; there is no current row yet. `replay` must be zero before. After a
 * failure lv_replay_done frees everything. */
lv_status lv_replay_open(lv_replay *replay, const char *path, lv_error *err);
void lv_replay_done(lv_replay *replay);

/* Makes a row current; rows are numbered from 0 to `rows` - 1. Reading them in order is
 * fast. */
lv_status lv_replay_row(lv_replay *replay, long long row, lv_error *err);

#endif
