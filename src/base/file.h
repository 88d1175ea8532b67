/* Reads whole files. */
#ifndef LV_BASE_FILE_H
#define LV_BASE_FILE_H

#include "base/status.h"

#include <stdio.h>

/* Reads a whole file of at most `most` bytes. The text grows as data arrives, so pipes
 * work, too. `path` is for messages. Free the text with lv_memory_free; it has no final
 * NUL. */
lv_status lv_file_read(FILE *file, char **text, size_t *size, int most, const char *path,
                       lv_error *err);

/* Does the same for the file with the name `path`. */
lv_status lv_file_read_named(const char *path, char **text, size_t *size, int most,
                             lv_error *err);

#endif
