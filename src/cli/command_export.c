#include "cli/args.h"
#include "cli/error.h"
#include "cli/names.h"
#include "cli/outputs.h"
#include "cli/report.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef enum format { CSV, VTK, UNKNOWN } format;

/* The format of a path, by its ending. */
static format format_of(const char *path)
{
    const char *ending = strrchr(path, '.');
    if (strcmp(path, "-") == 0 || (ending && strcasecmp(ending, ".csv") == 0))
        return CSV;
    return ending && strcmp(ending, ".pvd") == 0 ? VTK : UNKNOWN;
}

static lv_status check_output(const char *output, const cli_args *args, lv_error *err)
{
    lv_status status = LV_OK;
    if (!output) {
        status = cli_fail(err, LV_ERR_USAGE, "export needs -o: where the rows go");
        cli_hint(err,
                 "for example livens export %s -o out.csv, or -o out.pvd for ParaView",
                 args->items[0]);
    } else if (cli_is_same_file(output, args->items[0])) {
        status = cli_fail(err, LV_ERR_USAGE, "the output would replace the results '%s'",
                          args->items[0]);
    } else if (format_of(output) == UNKNOWN) {
        status = cli_fail(err, LV_ERR_USAGE,
                          "the ending of '%s' does not say what to write", output);
        cli_hint(err, "-o OUT.csv writes CSV, -o OUT.pvd VTK files for ParaView");
    }
    return status;
}

/* "OUT.pvd: 101 times, 2 bodies, 3 joints, 5 shapes in 304 files" */
static void say(FILE *out, const char *output, const lv_export_info *info)
{
    const struct {
        int count;
        const char *one, *many;
    } parts[] = {{info->bodies, "body", "bodies"},
                 {info->points, "point", "points"},
                 {info->joints, "joint", "joints"},
                 {info->shapes, "shape", "shapes"}};
    cli_line l = {.length = 0};
    cli_line_add(&l, "%s: ", output);
    if (format_of(output) == CSV) {
        cli_line_add(&l, "%lld row%s of %d columns", info->rows,
                     info->rows == 1 ? "" : "s", info->columns);
    } else {
        cli_line_add(&l, "%lld time%s", info->rows, info->rows == 1 ? "" : "s");
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (parts[k].count > 0)
                cli_line_add(&l, ", %d %s", parts[k].count,
                             parts[k].count == 1 ? parts[k].one : parts[k].many);
        cli_line_add(&l, " in %d files; open it in ParaView", info->files);
    }
    cli_put_wrapped(out, l.text, 0, 0);
}

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    const char *output = cli_args_value(args, "output"), *file = args->items[0];
    lv_export_request request = {0};
    lv_export_info info = {0};
    cli_names channels = {0};
    lv_error *err = &outcome->error;
    lv_status status = check_output(output, args, err);
    if (status == LV_OK)
        status = cli_args_whole(args, "every", &request.every, err);
    if (status == LV_OK)
        status = cli_names_split(&channels, cli_args_value(args, "channels"), err);
    request.channels = channels.list;
    request.channel_count = channels.count;
    if (status == LV_OK)
        status = format_of(output) == CSV
                     ? lv_export_csv(&info, file, output, &request, err)
                     : lv_export_vtk(&info, file, output, &request, err);
    if (status == LV_OK && !cli_args_flag(args, "quiet") && strcmp(output, "-") != 0)
        say(stdout, output, &info);
    cli_names_done(&channels);
    return status;
}

static const cli_argument arguments[] = {
    {"OUT.h5", false, "an HDF5 file that livens run or livens sweep has written"},
    {NULL, false, NULL},
};

static const cli_option options[] = {
    {"output", 'o', false, "FILE",
     "what to write, by its ending: OUT.csv, or OUT.pvd with a directory OUT for "
     "ParaView; - "
     "is CSV on standard output; required"},
    {"channels", 0, false, "NAMES",
     "columns besides t, as --csv of livens run names them, separated by commas; of a "
     "vector "
     "also its name alone; all by default, as fields of VTK files T, V and E"},
    {"every", 0, false, "K", "every Kth row, and the last one"},
    {"quiet", 'q', false, NULL, "no word about what was written"},
    {NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens export swing.h5 -o swing.csv --channels top,E --every 10",
     "positions and energy of every tenth row"},
    {"livens export swing.h5 -o - | head -2", "which columns there are"},
    {"livens export swing.h5 -o swing.pvd", "the motion, for ParaView"},
    {NULL, NULL},
};

const cli_command cli_command_export = {
    .name = "export",
    .summary = "write results as CSV, or the motion for ParaView",
    .about =
        "Writes what an HDF5 file has recorded in formats that other programs read. "
        "Numbers of CSV have 17 digits: the bytes are those that livens run --csv writes."
        "\n\n"
        "For ParaView, OUT.pvd is the collection with all times, and the directory OUT "
        "has "
        "one file for each time of each of these: bodies, points with quaternion (w x y "
        "z), "
        "axes e1, e2, e3, velocity and angular_velocity in space axes; points, particles "
        "and others that are drawn, with radius and velocity; joints with axis, force "
        "and "
        "torque; shapes, what is drawn of bodies, rods, springs and surfaces, as "
        "triangles "
        "and lines. Arrows are glyphs of the vectors, balls glyphs of the points. "
        "Energies, "
        "or the columns that --channels names, are fields of every file. What was not "
        "recorded is nan.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
