/* The state that rows show is the state of the run, for all shipped models: bodies too, of which rows have quaternions. */
#include "check.h"
#include "report/placing.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

typedef struct listener {
    lv_sink sink;
    const lv_model *model;
    lv_arena arena;
    lv_placing placing;
    bool complete;
} listener;

static lv_status row(lv_sink *sink, lv_error *err)
{
    listener *l = (listener *)sink;
    (void)err;
    lv_placing_fill(&l->placing);
    return LV_OK;
}

static lv_status flush(lv_sink *sink, const lv_checkpoint *checkpoint, lv_error *err)
{
    (void)sink;
    (void)checkpoint;
    (void)err;
    return LV_OK;
}

static lv_status shut(lv_sink *sink, lv_error *err)
{
    (void)sink;
    (void)err;
    return LV_OK;
}

static lv_status listen(void *user, lv_sink **sink, const lv_channels *channels,
                        lv_error *err)
{
    listener *l = user;
    l->sink = (lv_sink){row, flush, shut, NULL};
    *sink = &l->sink;
    return lv_placing_init(&l->placing, l->model, channels, &l->arena, &l->complete, err);
}

/* Relative to the largest number of the state: axes of bodies are as large as 1. */
static void compare(const char *name, const double *a, const double *b, int count)
{
    double size = 1;
    for (int k = 0; k < count; k++)
        size = fmax(size, fabs(b[k]));
    for (int k = 0; k < count; k++)
        if (!(fabs(a[k] - b[k]) <= 1e-9 * size))
            fail_msg("%s: number %d is %.17g, not %.17g", name, k, a[k], b[k]);
}

static void check_model(const char *name)
{
    listener l = {0};
    lv_model *model = NULL;
    lv_run_summary *run = NULL;
    const lv_tap tap = {listen, &l, .brief = true};
    lv_error err;
    assert_int_equal(lv_model_read(&model, name, NULL, 0, &err), LV_OK);
    lv_run_request request = lv_run_request_default(model);
    request.until = 7 * request.sim.step;
    l.model = model;
    assert_int_equal(lv_run_tapped(&run, model, &request, &tap, &err), LV_OK);
    if (!l.complete)
        fail_msg("%s: rows lack coordinates", name);
    compare(name, l.placing.q, run->q, run->coordinates);
    compare(name, l.placing.v, run->v, run->coordinates);
    lv_run_summary_free(run);
    lv_arena_done(&l.arena);
    lv_model_free(model);
}

static void rows_of_shipped_models_have_their_states(void **state)
{
    (void)state;
    for (const char *const *name = lv_shipped_names(); *name; name++)
        check_model(*name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_shipped_models_have_their_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
