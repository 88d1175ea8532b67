/* Frames of the picture of a model: at a state, or at a row of a file, which may lack what the picture needs. */
#ifndef LV_REPORT_FRAMES_H
#define LV_REPORT_FRAMES_H

#include <livens/model.h>

#include "out/sink.h"
#include "step/state.h"

struct lv_viewer;

typedef struct lv_frames {
    struct lv_viewer *viewer;
    int size; /* numbers of a frame; 0: there is no picture */
    bool still; /* nothing of it moves */
} lv_frames;

/* After a failure lv_frames_done frees what there is. */
lv_status lv_frames_init(lv_frames *frames, const lv_model *model, lv_error *err);
void lv_frames_done(lv_frames *frames);

/* For rows with these channels. */
lv_status lv_frames_init_row(lv_frames *frames, const lv_model *model,
                             const lv_channels *channels, lv_error *err);

/* Both do nothing where there is no picture. */
lv_status lv_frames_state(lv_frames *frames, double *frame, const lv_state *state,
                          lv_error *err);
lv_status lv_frames_row(lv_frames *frames, double *frame, const lv_channels *channels,
                        lv_error *err);

#endif
