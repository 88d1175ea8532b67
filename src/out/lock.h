/* Locks that admit one writer per file. */
#ifndef LV_OUT_LOCK_H
#define LV_OUT_LOCK_H

#include "base/status.h"

#include <stdbool.h>

/* Locks an open file for as long as it is open, against other processes and against other
 * descriptors in this one; fails if the file is locked already. Readers of the file do
 * not notice. On a file system without locks this succeeds. */
lv_status lv_lock_writer(int fd, const char *path, lv_error *err);

/* Whether the path still leads to the open file. Another writer may have removed or
 * replaced it between opening and locking. */
bool lv_lock_is_at(int fd, const char *path);

/* Fails if a writer has locked the file. */
lv_status lv_lock_test(int fd, const char *path, lv_error *err);

#endif
