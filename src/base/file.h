/* Whole files. */
#ifndef LV_BASE_FILE_H
#define LV_BASE_FILE_H

#include "base/status.h"

#include <stdio.h>

/* Reads what is left of a file, at most so many bytes; pipes work, too. The text is the caller's, lv_memory_free frees
 * it. `path` is for messages. */
lv_status lv_file_read_rest(char **text, size_t *size, FILE *file, const char *path,
                            int most, lv_error *err);

/* The same of the file with this path. LV_ERR_IO if it cannot be read. */
lv_status lv_file_read(char **text, size_t *size, const char *path, int most,
                       lv_error *err);

#endif
