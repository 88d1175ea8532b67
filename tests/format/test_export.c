/* Exports of a run, whatever memory is denied on the way; what they write is looked at by tests/cli/formats.py. */
#include <livens/livens.h>

#include "deny.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/livens-export-XXXXXX";
static char results[60], csv[60], pvd[60];

static int set_up(void **state)
{
    (void)state;
    lv_model *model = NULL;
    lv_run_summary *summary = NULL;
    assert_non_null(mkdtemp(directory));
    (void)snprintf(results, sizeof results, "%s/run.h5", directory);
    (void)snprintf(csv, sizeof csv, "%s/run.csv", directory);
    (void)snprintf(pvd, sizeof pvd, "%s/run.pvd", directory);
    assert_int_equal(lv_model_read(&model, "slider-crank", NULL, 0, NULL), LV_OK);
    lv_run_request request = lv_run_request_default(model);
    request.hdf5 = results;
    request.until = 3 * request.sim.step;
    assert_int_equal(lv_run(&summary, model, &request, NULL), LV_OK);
    lv_run_summary_free(summary);
    lv_model_free(model);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char command[100];
    (void)snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

static void numbers_are_counted(void **state)
{
    (void)state;
    const char *const names[] = {"crank", "E"};
    const lv_export_request request = {.every = 2, .channel_count = 2, .channels = names};
    lv_export_info info;
    assert_int_equal(lv_export_csv(&info, results, csv, &request, NULL), LV_OK);
    assert_int_equal(info.rows, 3);
    assert_int_equal(info.columns, 4);
    assert_int_equal(info.files, 1);
    assert_int_equal(lv_export_vtk(&info, results, pvd, &request, NULL), LV_OK);
    assert_int_equal(info.rows, 3);
    assert_int_equal(info.columns, 3);
    assert_int_equal(info.bodies, 3);
    assert_int_equal(info.joints, 4);
    assert_int_equal(info.points, 0);
    assert_int_equal(info.files, 3 * 3 + 1);
}

static lv_status export_both(void *user, lv_error *err)
{
    (void)user;
    const lv_status status = lv_export_csv(NULL, results, csv, NULL, err);
    return status == LV_OK ? lv_export_vtk(NULL, results, pvd, NULL, err) : status;
}

static void denied_memory_is_reported(void **state)
{
    (void)state;
    lv_deny_sample(export_both, NULL, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_counted),
        cmocka_unit_test(denied_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
