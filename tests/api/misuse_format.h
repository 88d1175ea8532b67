/* Wrong calls of imports and exports. */
#ifndef LV_TESTS_MISUSE_FORMAT_H
#define LV_TESTS_MISUSE_FORMAT_H

#include "misuse.h"

static void wrong_export(void)
{
    const char *const names[] = {"E", NULL};
    const lv_export_request counts[] = {{.every = -1}, {.channel_count = -1}};
    const lv_export_request lists[] = {{.channel_count = 1},
                                       {.channel_count = 2, .channels = names}};
    const lv_export_request later = {.reserved = {1}};
    REFUSED(lv_export_csv, "file", NULL, NULL, "x.csv", NULL, e);
    REFUSED(lv_export_csv, "csv", NULL, "x.h5", NULL, NULL, e);
    REFUSED(lv_export_vtk, "file", NULL, NULL, "x.pvd", NULL, e);
    REFUSED(lv_export_vtk, "pvd", NULL, "x.h5", NULL, NULL, e);
    for (int k = 0; k < 2; k++) {
        REFUSED(lv_export_csv, k ? "channel_count" : "every", NULL, "x.h5", "x.csv",
                &counts[k], e);
        REFUSED(lv_export_csv, "channels", NULL, "x.h5", "x.csv", &lists[k], e);
        REFUSED(lv_export_vtk, "channels", NULL, "x.h5", "x.pvd", &lists[k], e);
    }
    REFUSED(lv_export_csv, "request uses room", NULL, "x.h5", "x.csv", &later, e);
    REFUSED(lv_export_vtk, "request uses room", NULL, "x.h5", "x.pvd", &later, e);
    assert_int_equal(lv_export_csv(NULL, "there is no such file.h5", "x.csv", NULL, NULL),
                     LV_ERR_IO);
}

static void wrong_import(void)
{
    lv_import *result = (lv_import *)&result;
    static const lv_joint_position nameless = {0};
    static const lv_joint_position endless = {"j", (double)INFINITY};
    const lv_import_request none = {.position_count = 1};
    const lv_import_request names = {.position_count = 1, .positions = &nameless};
    const lv_import_request values = {.position_count = 1, .positions = &endless};
    const lv_import_request negative = {.position_count = -1};
    const lv_import_request later = {.reserved = {1}};
    const lv_import_request *const bad[] = {&none, &names, &values};
    REFUSED(lv_import_urdf, "result", NULL, "x.urdf", NULL, e);
    REFUSED(lv_import_urdf, "path", &result, NULL, NULL, e);
    assert_null(result);
    REFUSED(lv_import_urdf_text, "result", NULL, "x", "", 0, NULL, e);
    REFUSED(lv_import_urdf_text, "name", &result, NULL, "", 0, NULL, e);
    REFUSED(lv_import_urdf_text, "text", &result, "x", NULL, 0, NULL, e);
    for (int k = 0; k < 3; k++)
        REFUSED(lv_import_urdf, "positions", &result, "x.urdf", bad[k], e);
    REFUSED(lv_import_urdf, "position_count", &result, "x.urdf", &negative, e);
    REFUSED(lv_import_urdf_text, "request uses room", &result, "x", "", 0, &later, e);
    assert_int_equal(lv_import_urdf(&result, "no such file.urdf", NULL, NULL), LV_ERR_IO);
    assert_null(result);
    lv_import_free(NULL);
}

#endif
