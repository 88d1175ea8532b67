/* Goes on with runs from damaged result files: they go on or are refused with a message. */
#include "damaged.h"

/* A few steps are enough. */
static bool go_on(void *user, const lv_progress *progress)
{
    int *left = user;
    (void)progress;
    return --*left > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lv_error err;
    lv_model *model = NULL;
    lv_run_summary *summary = NULL;
    int left = 5;
    damaged_write("damaged.h5", data, size);
    lv_memory_set_budget((size_t)256 << 20);
    lv_status status = lv_resume(&summary, &model, "damaged.h5", 0.3, go_on, &left, &err);
    scratch_check(status == LV_OK || (err.code == status && err.text[0]));
    scratch_check(status != LV_OK || (summary && model));
    lv_run_summary_free(summary);
    lv_model_free(model);
    scratch_clear();
    return 0;
}
