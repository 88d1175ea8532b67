/* One writer per file. */
#ifndef LV_OUT_LOCK_H
#define LV_OUT_LOCK_H

#include "base/status.h"

/* Locks an open file for as long as it is open, against other processes and other openings in
 * this one; fails if somebody else has it. Readers of the file do not notice. A file system
 * without locks is taken as it is. */
lv_status lv_lock_writer(int fd, const char *path, lv_error *err);

/* Fails if a writer has the file. */
lv_status lv_lock_test(int fd, const char *path, lv_error *err);

#endif
