/* The version of livens: that of the headers when a program is compiled, and that of the
 * library when it runs. */
#ifndef LIVENS_VERSION_H
#define LIVENS_VERSION_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the headers. Until 1.0 the interface may change with the minor number,
 * which is part of the name of the shared library. A program that is compiled for 0.1.0
 * runs with every 0.1. */
#define LV_VERSION_MAJOR 0
#define LV_VERSION_MINOR 1
#define LV_VERSION_PATCH 0
#define LV_VERSION_NUMBER                                                                \
    (LV_VERSION_MAJOR * 10000 + LV_VERSION_MINOR * 100 + LV_VERSION_PATCH)

/* The version of the library: as text, "0.1.0", and as the number 10000 major + 100 minor
 * + patch, to be compared with LV_VERSION_NUMBER. */
LV_API const char *lv_version(void);
LV_API int lv_version_number(void);

#ifdef __cplusplus
}
#endif
#endif
