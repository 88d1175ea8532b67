#include "report/frames.h"

#include <string.h>

/* Finds the columns of inputs. If rows do not have all of them, the inputs of the model
 * are used. */
static void find_inputs(lv_frames *f, const lv_model *model, const lv_channels *channels)
{
    const int count = lv_model_input_count(model);
    for (int k = 0; k < channels->count && count > 0; k++) {
        const lv_channel *c = &channels->list[k];
        if (strcmp(c->name, "inputs") == 0 && c->width == count)
            f->inputs = c->values;
    }
    f->input_count = count;
}

lv_status lv_frames_init(lv_frames *f, const lv_model *model, const lv_channels *channels,
                         lv_error *err)
{
    const lv_view *view = lv_model_view(model);
    bool complete = false;
    *f = (lv_frames){.time = channels->list[0].values};
    if (!view || view->number_count == 0)
        return LV_OK;
    LV_TRY(lv_placing_init(&f->placing, model, channels, &f->arena, &complete, err));
    if (!complete)
        return LV_OK;
    f->size = view->number_count;
    find_inputs(f, model, channels);
    return lv_viewer_create(&f->viewer, model, err);
}

void lv_frames_done(lv_frames *f)
{
    lv_viewer_free(f->viewer);
    lv_arena_done(&f->arena);
    *f = (lv_frames){0};
}

lv_status lv_frames_row(const lv_frames *f, double *frame, lv_error *err)
{
    if (f->size == 0)
        return LV_OK;
    lv_placing_fill(&f->placing);
    if (f->inputs)
        LV_TRY(lv_viewer_set_inputs(f->viewer, f->inputs, f->input_count, err));
    return lv_viewer_frame(f->viewer, frame, *f->time, f->placing.q, f->placing.v, err);
}
