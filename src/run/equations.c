/* Describes the steps of a simulation as text, with the equations derived for them. */
#include "base/memory.h"
#include "base/usage.h"
#include "course/write.h"
#include "run/sim.h"
#include "stepper/stepper.h"

static void write_composition(lv_text *out, const lv_sim *sim)
{
    char number[LV_STEP_NUMBER];
    if (sim->weight_count < 2)
        return;
    lv_text_append(out, "composed of %d steps like the following, of the sizes",
                   sim->weight_count);
    for (int k = 0; k < sim->weight_count; k++)
        lv_text_append(out, "%s %s h", k % 6 == 0 ? "\n " : "",
                       lv_step_number(number, sim->weights[k]));
    lv_text_append(out, "\n\n");
}

lv_status lv_sim_equations(char **text, const lv_sim *sim, lv_error *err)
{
    lv_text out = {0};
    lv_error_clear(err);
    LV_NEED(err, text);
    *text = NULL;
    LV_NEED(err, sim);
    write_composition(&out, sim);
    if (sim->scheme->stepper)
        lv_course_write(&out, lv_stepper_course(sim->scheme->stepper(sim->work)));
    else
        lv_text_append(&out, "steps are explicit: nothing is solved for\n");
    if (out.failed) {
        lv_text_done(&out);
        return lv_fail_memory(err);
    }
    *text = out.data;
    return LV_OK;
}
