/* One writer per file. */
#ifndef LV_OUT_LOCK_H
#define LV_OUT_LOCK_H

#include "base/status.h"

#include <stdbool.h>

/* Locks an open file for as long as it is open, against other processes and other openings in
 * this one; fails if somebody else has it. Readers of the file do not notice. A file system
 * without locks is taken as it is. */
lv_status lv_lock_writer(int fd, const char *path, lv_error *err);

/* Is the open file still the one that the path leads to? Between opening and locking another writer may
 * have removed or replaced it. */
bool lv_lock_is_at(int fd, const char *path);

/* Fails if a writer has the file. */
lv_status lv_lock_test(int fd, const char *path, lv_error *err);

#endif
