#include "cli/outputs.h"

#include "cli/error.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const options[] = {"csv", "output", "series"};

enum { OPTIONS = sizeof options / sizeof options[0] };

static bool is_standard(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Are these two paths, either of which may be NULL, one file? */
static bool is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    if (!a || !b)
        return false;
    if (strcmp(a, b) == 0)
        return true;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && S_ISREG(one.st_mode) &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* One output against the model and the outputs before it. */
static lv_status check_one(const cli_args *args, int k, lv_error *err)
{
    const char *path = cli_args_value(args, options[k]);
    const char *model = is_standard(args->items[0]) ? NULL : args->items[0];
    if (is_standard(path) && cli_args_flag(args, "json"))
        return cli_fail(err, LV_ERR_USAGE,
                        "--json and --%s - would both write to standard output",
                        options[k]);
    for (int i = 0; i < k; i++) {
        const char *other = cli_args_value(args, options[i]);
        if (is_standard(path) && is_standard(other))
            return cli_fail(err, LV_ERR_USAGE,
                            "--%s - and --%s - would both write to standard output",
                            options[i], options[k]);
        if (is_same_file(other, path))
            return cli_fail(err, LV_ERR_USAGE, "--%s and --%s are the same file, '%s'",
                            options[i], options[k], other);
    }
    return is_same_file(path, model)
               ? cli_fail(err, LV_ERR_USAGE, "the output would replace the model '%s'",
                          model)
               : LV_OK;
}

lv_status cli_outputs_check(const cli_args *args, lv_error *err)
{
    lv_status status = LV_OK;
    if (is_standard(cli_args_value(args, "output")))
        return cli_fail(err, LV_ERR_USAGE, "HDF5 cannot be written to standard output");
    for (int k = 0; k < OPTIONS && status == LV_OK; k++)
        status = check_one(args, k, err);
    return status;
}

bool cli_outputs_on_stdout(const cli_args *args)
{
    for (int k = 0; k < OPTIONS; k++)
        if (is_standard(cli_args_value(args, options[k])))
            return true;
    return false;
}

bool cli_outputs_hide_progress(const cli_args *args)
{
    return cli_args_flag(args, "quiet") ||
           (cli_outputs_on_stdout(args) && isatty(STDOUT_FILENO));
}
