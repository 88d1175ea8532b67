/* Events of a model: how often, when, and who is called. */
#include "must.h"

static lv_status tell(void *user, const lv_sim *sim, int event, lv_error *err)
{
    int *calls = user;
    (void)err;
    ++*calls;
    printf("event %d at t = %.6f\n", event, lv_sim_time(sim));
    return LV_OK;
}

int main(void)
{
    lv_error err;
    lv_event_info info;
    int calls = 0;
    lv_model *model = shipped("bouncing-ball");
    lv_sim *sim = begin(model, "lobatto", 0.01);
    lv_sim_on_event(sim, tell, &calls);
    must(lv_sim_advance(sim, 1.5, &err), &err);
    for (int k = 0; k < lv_sim_event_count(sim); k++) {
        must(lv_sim_event(sim, k, &info, &err), &err);
        printf("%s: %lld times, first at t = %.6f%s\n", info.name, info.count, info.first,
               info.jumps ? ", it changes velocities" : "");
    }
    printf("called %d times; %s\n", calls,
           lv_sim_stopped(sim) < 0 ? "it goes on" : "an event has ended it");
    lv_sim_free(sim);
    lv_model_free(model);
    return 0;
}
