/* A file that is written at given addresses and only grows. */
#ifndef LV_OUT_HDF5_FILE_H
#define LV_OUT_HDF5_FILE_H

#include "base/status.h"

#include <stdint.h>

typedef struct lv_h5_file {
    int fd;
    uint64_t end;     /* all bytes below this address are allocated */
    const char *path; /* for messages; owned by the caller */
} lv_h5_file;

/* Allocates size bytes at a multiple of 8 and returns their address. Nothing is
 * written. */
uint64_t lv_h5_take(lv_h5_file *file, uint64_t size);

lv_status lv_h5_write(const lv_h5_file *file, uint64_t address, const void *data,
                      size_t size, lv_error *err);
lv_status lv_h5_read(const lv_h5_file *file, uint64_t address, void *data, size_t size,
                     lv_error *err);

/* Fails with "cannot VERB 'path': reason", where the reason belongs to an errno value;
 * the path "-" is standard output. */
lv_status lv_io_fail(lv_error *err, const char *verb, const char *path, int reason);

#endif
