#include "report/frames.h"

#include <string.h>

lv_status lv_frames_init(lv_frames *f, const lv_model *model, lv_error *err)
{
    const lv_view *view = lv_model_view(model);
    *f = (lv_frames){0};
    if (!view || view->number_count == 0)
        return LV_OK;
    f->size = view->number_count;
    return lv_viewer_create(&f->viewer, model, err);
}

void lv_frames_done(lv_frames *f)
{
    lv_viewer_free(f->viewer);
    *f = (lv_frames){0};
}

static const lv_channel *find(const lv_channels *channels, const char *name, int width)
{
    for (int k = 0; k < channels->count; k++)
        if (strcmp(channels->list[k].name, name) == 0)
            return channels->list[k].width == width ? &channels->list[k] : NULL;
    return NULL;
}

lv_status lv_frames_init_row(lv_frames *f, const lv_model *model,
                             const lv_channels *channels, lv_error *err)
{
    const int n = lv_model_coordinate_count(model);
    LV_TRY(lv_frames_init(f, model, err));
    f->q = find(channels, "q", n);
    f->v = find(channels, "v", n);
    if (!f->q)
        f->size = 0;
    return LV_OK;
}

lv_status lv_frames_state(const lv_frames *f, double *frame, const lv_state *state,
                          lv_error *err)
{
    if (f->size == 0)
        return LV_OK;
    return lv_viewer_frame(f->viewer, frame, state->t, state->q, state->v, err);
}

lv_status lv_frames_row(const lv_frames *f, double *frame, double t, lv_error *err)
{
    if (f->size == 0)
        return LV_OK;
    return lv_viewer_frame(f->viewer, frame, t, f->q->values, f->v ? f->v->values : NULL,
                           err);
}
