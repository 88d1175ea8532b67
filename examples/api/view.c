/* What is drawn of a model, and where it is. */
#include "must.h"

int main(void)
{
    lv_error err;
    lv_viewer *viewer = NULL;
    lv_model *model = shipped("heavy-top");
    const lv_view *view = lv_model_view(model);
    for (int k = 0; k < view->item_count; k++)
        printf("  %s %s of %s\n", lv_view_kind_name(view->items[k].kind),
               view->items[k].name, view->items[k].section);
    printf("%zu bytes as JSON\n", lv_view_json(view, NULL, 0));

    /* Frames along a simulation. */
    double *numbers = calloc((size_t)view->number_count, sizeof *numbers);
    lv_sim *sim = begin(model, "rattle", 0.001);
    must(lv_sim_step(sim, &err), &err);
    must(lv_sim_view(sim, numbers, &err), &err);
    printf("a frame has %d numbers, the first is %g\n", view->number_count, numbers[0]);

    /* And from rows of results: position, quaternion and velocities of the body. */
    const double row[13] = {0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 150, 0};
    double q[16], v[16];
    must(lv_model_row_state(model, q, v, NULL, NULL, row, &err), &err);
    must(lv_viewer_create(&viewer, model, &err), &err);
    must(lv_viewer_set_inputs(viewer, row, lv_model_input_count(model), &err), &err);
    must(lv_viewer_frame(viewer, numbers, 0, q, v, &err), &err);
    printf("of the row: %g\n", numbers[0]);
    lv_viewer_free(viewer);
    free(numbers);
    lv_sim_free(sim);
    lv_model_free(model);
    return 0;
}
