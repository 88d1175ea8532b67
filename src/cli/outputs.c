#include "cli/outputs.h"

#include "cli/error.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const options[] = {"csv", "output", "series", "report"};

enum { OPTIONS = sizeof options / sizeof options[0] };

static bool is_standard(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

bool cli_is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    if (!a || !b)
        return false;
    if (strcmp(a, b) == 0)
        return true;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && S_ISREG(one.st_mode) &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* Compares one output with the model and with the outputs before it. */
static lv_status check_one(const cli_args *args, int k, lv_error *err)
{
    const char *path = cli_args_value(args, options[k]);
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
        if (cli_is_same_file(other, path))
            return cli_fail(err, LV_ERR_USAGE, "--%s and --%s are the same file, '%s'",
                            options[i], options[k], other);
    }
    for (int i = 0; i < args->count; i++)
        if (!is_standard(args->items[i]) && cli_is_same_file(path, args->items[i]))
            return cli_fail(err, LV_ERR_USAGE, "the output would replace the %s '%s'",
                            cli_args_flag(args, "merge") ? "part" : "model",
                            args->items[i]);
    return LV_OK;
}

/* ---- formats --------------------------------------------------------------------------- */

typedef enum format { HDF5, CSV, NO_ENDING, UNKNOWN } format;

/* The format of a path, by its ending. */
static format format_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *ending = strrchr(name, '.');
    if (!ending || ending == name)
        return NO_ENDING;
    if (strcasecmp(ending, ".h5") == 0 || strcasecmp(ending, ".hdf5") == 0)
        return HDF5;
    return strcasecmp(ending, ".csv") == 0 ? CSV : UNKNOWN;
}

/* The format of --csv, --series and --report does not depend on the ending, but an ending
 * of HDF5 is refused. */
static lv_status check_ending(const char *option, const char *what, const char *path,
                              lv_error *err)
{
    if (!path || format_of(path) != HDF5)
        return LV_OK;
    lv_status status = cli_fail(err, LV_ERR_USAGE,
                                "--%s %s would write %s into a file that ends like HDF5",
                                option, path, what);
    cli_hint(err, "-o %s writes HDF5", path);
    return status;
}

static lv_status choose_format(cli_outputs *outputs, const char *path, lv_error *err)
{
    lv_status status = LV_OK;
    switch (format_of(path)) {
    case HDF5:
    case NO_ENDING:
        outputs->hdf5 = path;
        break;
    case CSV:
        if (outputs->csv)
            status = cli_fail(err, LV_ERR_USAGE,
                              "-o %s and --csv %s are both CSV: give one of them", path,
                              outputs->csv);
        outputs->csv = path;
        break;
    case UNKNOWN:
        status = cli_fail(err, LV_ERR_USAGE,
                          "the ending of '%s' does not say what to write", path);
        cli_hint(err, "-o OUT.h5 or OUT.hdf5 writes HDF5, -o OUT.csv writes CSV");
        break;
    }
    return status;
}

lv_status cli_outputs_read(cli_outputs *outputs, const cli_args *args, lv_error *err)
{
    const char *path = cli_args_value(args, "output");
    *outputs = (cli_outputs){.csv = cli_args_value(args, "csv"),
                             .series = cli_args_value(args, "series"),
                             .page = cli_args_value(args, "report")};
    if (is_standard(path))
        return cli_fail(err, LV_ERR_USAGE,
                        "HDF5 cannot be written to standard output; --csv - writes CSV");
    lv_status status = check_ending("csv", "CSV", outputs->csv, err);
    if (status == LV_OK)
        status = check_ending("series", "CSV", outputs->series, err);
    if (status == LV_OK)
        status = check_ending("report", "a page", outputs->page, err);
    for (int k = 0; k < OPTIONS && status == LV_OK; k++)
        status = check_one(args, k, err);
    return status == LV_OK && path ? choose_format(outputs, path, err) : status;
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
