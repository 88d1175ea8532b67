/* Runs a model with a callback that watches it and may stop it, and reads the summary.
 *
 *     cc watch.c $(pkg-config --cflags --libs livens) -o watch && ./watch */
#include <livens/livens.h>

#include <stdio.h>

/* Called now and then; false would end the run in good order. */
static bool watch(void *user, const lv_progress *progress)
{
    int *calls = user;
    ++*calls;
    return progress->seconds < 60;
}

int main(void)
{
    lv_error err;
    lv_model *model = NULL;
    lv_run_summary *summary = NULL;
    int calls = 0;

    lv_status status = lv_model_read(&model, "double-pendulum", NULL, 0, &err);
    if (status == LV_OK) {
        lv_run_request request = lv_run_request_default(model);
        request.sim.scheme = "rattle";
        request.sim.options = (lv_scheme_options){0};
        lv_scheme_option_set(&request.sim.options, LV_OPTION_COMPOSE, 4);
        request.sim.step = 0.01;
        request.until = 10;
        request.progress = watch;
        request.user = &calls;
        status = lv_run(&summary, model, &request, &err);
    }
    if (summary)
        printf("%lld steps to t = %g: energy within %.1e, constraints within %.1e, "
               "watched %d "
               "times\n",
               summary->steps, summary->time, summary->energy.max_deviation,
               summary->position_max, calls > 0);
    if (status != LV_OK) {
        char text[4096];
        lv_error_write(&err, text, sizeof text);
        fputs(text, stderr);
    }
    lv_run_summary_free(summary);
    lv_model_free(model);
    return lv_status_exit_code(status);
}
