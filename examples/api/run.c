/* A run into a file, its summary, and how it goes on. */
#include "must.h"

int main(void)
{
    static const char file[] = "api-run.h5";
    lv_error err;
    lv_run_summary *summary = NULL;
    lv_model *model = shipped("four-particles"), *again = NULL;
    lv_run_request request = lv_run_request_default(model);
    lv_run_request_change(&request,
                          &(lv_run_changes){.scheme = "em", .step = 0.01, .until = 1});
    request.hdf5 = file;
    request.every = 10;
    must(lv_run(&summary, model, &request, &err), &err);
    printf(
        "%s: t = %g after %lld steps, energy within %.1e, %d momentum maps, %lld rows\n",
        summary->scheme, summary->time, summary->steps, summary->energy.max_deviation,
        summary->momentum_count, summary->rows);
    lv_run_summary_free(summary);

    /* Later, perhaps in another process. */
    must(lv_resume(&summary, &again, file, 2, NULL, NULL, &err), &err);
    printf("went on to t = %g\n", summary->time);
    lv_run_summary_free(summary);
    lv_model_free(again);
    lv_model_free(model);
    (void)remove(file);
    return 0;
}
