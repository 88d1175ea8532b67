/* Raw deflate (RFC 1951), as browsers inflate it. The bits depend on the data alone, on every machine. */
#ifndef LV_REPORT_DEFLATE_H
#define LV_REPORT_DEFLATE_H

#include "base/text.h"

/* Appends the compressed data; a failed allocation sticks in `out`, as those of its own do. */
void lv_deflate(lv_text *out, const unsigned char *data, size_t size);

#endif
