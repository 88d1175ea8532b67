/* SHA-256 (FIPS 180-4), which identifies the text of a model; the same as sha256sum
 * prints. */
#ifndef LV_REPORT_SHA256_H
#define LV_REPORT_SHA256_H

#include <stddef.h>

enum { LV_SHA256_SIZE = 65 };

/* 64 hexadecimal digits and a NUL. */
void lv_sha256(char hex[LV_SHA256_SIZE], const void *data, size_t size);

#endif
