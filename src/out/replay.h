/* Rows of a result file, one after the other, as the channels of a recorder have them. */
#ifndef LV_OUT_REPLAY_H
#define LV_OUT_REPLAY_H

#include "base/arena.h"
#include "out/sink.h"

typedef struct lv_replay {
    lv_arena arena;
    lv_hdf5_reader *reader;
    lv_channels channels; /* all of the file; their values are those of the present row */
    long long rows;
    long long first; /* of the block in memory */
    long long count; /* rows in it */
} lv_replay;

/* Opens a file; no row is present yet. Begin with zeros. After a failure lv_replay_done frees what there is. */
lv_status lv_replay_open(lv_replay *replay, const char *path, lv_error *err);
void lv_replay_done(lv_replay *replay);

/* Makes a row present, where rows count from 0 and are below `rows`. Reading one after the other is fast. */
lv_status lv_replay_row(lv_replay *replay, long long row, lv_error *err);

#endif
