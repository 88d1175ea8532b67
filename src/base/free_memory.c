#include "base/free_memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Reads the beginning of a file; false if it cannot be read. */
static bool read_text(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const size_t length = fread(text, 1, size - 1, file);
    (void)fclose(file); /* nothing was written */
    text[length] = '\0';
    return length > 0;
}

/* Finds the number after a word at the beginning of a line, or the first number if the
 * word is empty. */
static bool find_number(const char *text, const char *word, size_t *number)
{
    const size_t length = strlen(word);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, word, length) != 0)
            continue;
        char *end = NULL;
        const unsigned long long value = strtoull(line + length, &end, 10);
        if (end == line + length)
            return false;
        *number = value > SIZE_MAX ? SIZE_MAX : (size_t)value;
        return true;
    }
    return false;
}

static size_t of_machine(void)
{
    char text[4096];
    size_t kilobytes = 0;
    if (read_text("/proc/meminfo", text, sizeof text) &&
        find_number(text, "MemAvailable:", &kilobytes))
        return kilobytes > SIZE_MAX / 1024 ? SIZE_MAX : kilobytes * 1024;
#if defined(_SC_PHYS_PAGES)
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0)
        return (size_t)pages * (size_t)page;
#endif
    return SIZE_MAX;
}

/* What the control group in a directory leaves: its limit minus what it uses, not
 * counting cached files, which are released on demand. */
static size_t of_group(const char *directory, const char *limit, const char *usage,
                       const char *cached)
{
    char path[1200], text[8192];
    size_t most = 0, now = 0, files = 0;
    (void)snprintf(path, sizeof path, "%s/%s", directory, limit);
    if (!read_text(path, text, sizeof text) || !find_number(text, "", &most))
        return SIZE_MAX; /* "max": there is no limit */
    (void)snprintf(path, sizeof path, "%s/%s", directory, usage);
    if (!read_text(path, text, sizeof text) || !find_number(text, "", &now))
        return most;
    (void)snprintf(path, sizeof path, "%s/memory.stat", directory);
    if (read_text(path, text, sizeof text))
        (void)find_number(text, cached, &files);
    now -= smaller(files, now);
    return now < most ? most - now : 0;
}

/* The least over a group and all groups that contain it, for both versions of control
 * groups. */
static size_t of_groups(void)
{
    char text[2048], directory[1100];
    size_t left = of_group("/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                           "memory.usage_in_bytes", "total_inactive_file ");
    char *own =
        read_text("/proc/self/cgroup", text, sizeof text) ? strstr(text, "0::/") : NULL;
    char *end = own ? strchr(own, '\n') : NULL;
    if (end)
        *end = '\0';
    const char *path = own ? own + 3 : "/";
    for (size_t length = strlen(path) < 1000 ? strlen(path) : 0;; length--) {
        if (length > 0 && path[length] != '/' && path[length] != '\0')
            continue;
        (void)snprintf(directory, sizeof directory, "/sys/fs/cgroup%.*s", (int)length,
                       path);
        left = smaller(
            left, of_group(directory, "memory.max", "memory.current", "inactive_file "));
        if (length == 0)
            return left;
    }
}

/* What the limits of the process leave of its address space and its data. */
static size_t of_process(void)
{
    char text[256];
    size_t pages = 0, left = SIZE_MAX;
    struct rlimit limit;
    const long page = sysconf(_SC_PAGESIZE);
    if (page > 0 && read_text("/proc/self/statm", text, sizeof text))
        (void)find_number(text, "", &pages);
    const size_t now = pages * (size_t)(page > 0 ? page : 0);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        left = limit.rlim_cur > now ? (size_t)(limit.rlim_cur - now) : 0;
    if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        left = smaller(left, (size_t)limit.rlim_cur);
    return left;
}

size_t lv_free_memory(void)
{
    return smaller(of_machine(), smaller(of_groups(), of_process()));
}
