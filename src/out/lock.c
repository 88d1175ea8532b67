/* Uses locks of open file descriptions. Plain POSIX locks belong to the process and
 * vanish when it closes any descriptor of the file. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier) */

#include "out/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef F_OFD_SETLK
enum { SET = F_OFD_SETLK, GET = F_OFD_GETLK };
#else
enum { SET = F_SETLK, GET = F_GETLK };
#endif

static struct flock first_byte(void)
{
    return (struct flock){
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
}

static lv_status fail_locked(const char *path, lv_error *err)
{
    lv_status status =
        lv_fail(err, LV_ERR_IO, "'%s' is being written by another run", path);
    lv_error_hint(err, "wait until that run has ended, or give another file");
    return status;
}

lv_status lv_lock_writer(int fd, const char *path, lv_error *err)
{
    struct flock lock = first_byte();
    if (fcntl(fd, SET, &lock) != 0 && (errno == EACCES || errno == EAGAIN))
        return fail_locked(path, err);
    return LV_OK;
}

bool lv_lock_is_at(int fd, const char *path)
{
    struct stat open_file, found;
    return fstat(fd, &open_file) == 0 && stat(path, &found) == 0 &&
           open_file.st_dev == found.st_dev && open_file.st_ino == found.st_ino;
}

lv_status lv_lock_test(int fd, const char *path, lv_error *err)
{
    struct flock lock = first_byte();
    return fcntl(fd, GET, &lock) == 0 && lock.l_type != F_UNLCK ? fail_locked(path, err)
                                                                : LV_OK;
}
