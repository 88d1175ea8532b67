/* Prints how many threads there are once the shared library is loaded. */
#include <livens/livens.h>

#include <dirent.h>
#include <stdio.h>

int main(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    if (!tasks)
        return 77; /* not Linux: nothing to be seen */
    for (const struct dirent *d = readdir(tasks); d; d = readdir(tasks))
        count += d->d_name[0] != '.';
    (void)closedir(tasks);
    printf("livens %s: %d\n", lv_version(), count);
    return count == 1 ? 0 : 1;
}
