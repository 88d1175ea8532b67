#include "report/frames.h"

lv_status lv_frames_init(lv_frames *f, const lv_model *model, lv_error *err)
{
    (void)model;
    (void)err;
    *f = (lv_frames){0};
    return LV_OK;
}

void lv_frames_done(lv_frames *f)
{
    *f = (lv_frames){0};
}

lv_status lv_frames_init_row(lv_frames *f, const lv_model *model,
                             const lv_channels *channels, lv_error *err)
{
    (void)channels;
    return lv_frames_init(f, model, err);
}

lv_status lv_frames_state(lv_frames *f, double *frame, const lv_state *state,
                          lv_error *err)
{
    (void)f;
    (void)frame;
    (void)state;
    (void)err;
    return LV_OK;
}

lv_status lv_frames_row(lv_frames *f, double *frame, const lv_channels *channels,
                        lv_error *err)
{
    (void)f;
    (void)frame;
    (void)channels;
    (void)err;
    return LV_OK;
}
