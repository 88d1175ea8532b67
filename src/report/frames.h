/* Frames of the picture of a model for rows of a run or of a file; both give the same
 * bits. */
#ifndef LV_REPORT_FRAMES_H
#define LV_REPORT_FRAMES_H

#include <livens/view.h>

#include "report/placing.h"

typedef struct lv_frames {
    lv_arena arena;
    lv_viewer *viewer;
    lv_placing placing;
    const double *time;
    const double *inputs; /* inputs of the row; NULL: rows do not have all of them */
    int input_count;
    /* numbers of a frame; 0: there is no picture, or rows lack coordinates that it
     * needs */
    int size;
} lv_frames;

/* For rows with these channels, which must outlive the frames; the first channel has the
 * time. After a failure lv_frames_done frees everything. */
lv_status lv_frames_init(lv_frames *frames, const lv_model *model,
                         const lv_channels *channels, lv_error *err);
void lv_frames_done(lv_frames *frames);

/* Computes the frame of the current row of the channels; does nothing if there is no
 * picture. */
lv_status lv_frames_row(const lv_frames *frames, double *frame, lv_error *err);

#endif
