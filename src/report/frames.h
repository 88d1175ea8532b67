/* Frames of the picture of a model: at a state, or at a row of a file, which may lack what the picture needs. */
#ifndef LV_REPORT_FRAMES_H
#define LV_REPORT_FRAMES_H

#include <livens/view.h>

#include "out/sink.h"
#include "step/state.h"

typedef struct lv_frames {
    lv_viewer *viewer;
    int size;                /* numbers of a frame; 0: there is no picture */
    const lv_channel *q, *v; /* of rows of a file; v may be NULL */
} lv_frames;

/* After a failure lv_frames_done frees what there is. */
lv_status lv_frames_init(lv_frames *frames, const lv_model *model, lv_error *err);
void lv_frames_done(lv_frames *frames);

/* For rows with these channels, which outlive the frames. */
lv_status lv_frames_init_row(lv_frames *frames, const lv_model *model,
                             const lv_channels *channels, lv_error *err);

/* Both do nothing where there is no picture. */
lv_status lv_frames_state(const lv_frames *frames, double *frame, const lv_state *state,
                          lv_error *err);
lv_status lv_frames_row(const lv_frames *frames, double *frame, double t, lv_error *err);

#endif
