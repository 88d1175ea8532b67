/* A directory of a fuzzer's own, in which it works and which goes away with it. */
#ifndef LV_FUZZ_SCRATCH_H
#define LV_FUZZ_SCRATCH_H

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch_path[200];

static inline void scratch_check(int holds)
{
    if (!holds)
        abort();
}

/* Removes all files in the working directory, which is the scratch directory. */
static inline void scratch_clear(void)
{
    DIR *directory = opendir(".");
    for (struct dirent *e = directory ? readdir(directory) : NULL; e;
         e = readdir(directory))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            (void)unlink(e->d_name);
    if (directory)
        (void)closedir(directory);
}

static inline void scratch_remove(void)
{
    if (chdir(scratch_path) == 0)
        scratch_clear();
    if (chdir("/") == 0)
        (void)rmdir(scratch_path);
}

/* Makes the directory and works in it from now on. Fuzzers are given their own paths as absolute ones. */
static inline void scratch_enter(void)
{
    const char *where = getenv("TMPDIR");
    (void)snprintf(scratch_path, sizeof scratch_path, "%s/livens-fuzz-XXXXXX",
                   where && strlen(where) < 150 ? where : "/tmp");
    scratch_check(mkdtemp(scratch_path) != NULL && chdir(scratch_path) == 0);
    scratch_check(atexit(scratch_remove) == 0);
}

/* The whole of a file that this fuzzer wrote. */
static inline unsigned char *scratch_read(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    scratch_check(file && fseek(file, 0, SEEK_END) == 0);
    const long length = ftell(file);
    scratch_check(length > 0 && fseek(file, 0, SEEK_SET) == 0);
    unsigned char *bytes = malloc((size_t)length);
    scratch_check(bytes && fread(bytes, 1, (size_t)length, file) == (size_t)length);
    scratch_check(fclose(file) == 0);
    *size = (size_t)length;
    return bytes;
}

static inline void scratch_write(const char *name, const unsigned char *bytes,
                                 size_t size)
{
    FILE *file = fopen(name, "wb");
    scratch_check(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

#endif
