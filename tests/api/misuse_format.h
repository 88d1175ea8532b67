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

#endif
