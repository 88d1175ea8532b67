#include "cli/args.h"
#include "cli/error.h"
#include "cli/outputs.h"
#include "cli/report.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- joints ------------------------------------------------------------------------------------------------- */

/* Positions given by --set, with their names. */
typedef struct positions {
    lv_joint_position *list;
    char **names;
    int count;
} positions;

static void positions_done(positions *p)
{
    for (int k = 0; k < p->count; k++)
        free(p->names[k]);
    free(p->names);
    free(p->list);
}

/* Reads "elbow=0.3". */
static lv_status read_position(positions *p, const char *text, lv_error *err)
{
    const char *equals = strchr(text, '=');
    char *end = NULL;
    const double value = equals ? strtod(equals + 1, &end) : 0;
    if (!equals || equals == text || end == equals + 1 || *end != '\0') {
        const lv_status status =
            cli_fail(err, LV_ERR_USAGE, "--set %s is no joint with a number", text);
        cli_hint(err, "for example --set elbow=0.3, in radians or metres");
        return status;
    }
    const size_t length = (size_t)(equals - text);
    char *name = malloc(length + 1);
    if (!name)
        return cli_fail(err, LV_ERR_MEMORY, "the machine has no memory left");
    memcpy(name, text, length);
    name[length] = '\0';
    p->names[p->count] = name;
    p->list[p->count++] = (lv_joint_position){name, value};
    return LV_OK;
}

static lv_status read_positions(positions *p, const cli_args *args, lv_error *err)
{
    const size_t most = (size_t)args->given_count + 1;
    p->list = calloc(most, sizeof *p->list);
    p->names = calloc(most, sizeof *p->names);
    if (!p->list || !p->names)
        return cli_fail(err, LV_ERR_MEMORY, "the machine has no memory left");
    lv_status status = LV_OK;
    for (int k = 0; k < args->given_count && status == LV_OK; k++)
        if (strcmp(args->given[k].option->name, "set") == 0)
            status = read_position(p, args->given[k].value, err);
    return status;
}

/* ---- the model ----------------------------------------------------------------------------------------------- */

static lv_status save(const lv_import *import, const char *output, lv_error *err)
{
    const bool standard = strcmp(output, "-") == 0;
    FILE *file = standard ? stdout : fopen(output, "wb");
    if (!file)
        return cli_fail(err, LV_ERR_IO, "cannot write '%s': %s", output, strerror(errno));
    const bool put = fputs(import->text, file) >= 0;
    const bool closed = (standard ? fflush(file) : fclose(file)) == 0;
    return put && closed ? LV_OK
                         : cli_fail(err, LV_ERR_IO, "cannot write '%s': %s", output,
                                    strerror(errno));
}

/* Writes the notes about what is left out, then what the model has. */
static void say(const lv_import *import, const char *file, const char *output)
{
    for (int k = 0; k < import->note_count; k++) {
        cli_line l = {.length = 0};
        cli_line_add(&l, "%s:%d: %s", file, import->notes[k].line, import->notes[k].text);
        cli_put_wrapped(stderr, l.text, 0, 3);
    }
    if (strcmp(output, "-") != 0) {
        cli_line l = {.length = 0};
        cli_line_add(&l, "%s: %d %s, %d joint%s; livens check %s looks at it", output,
                     import->bodies, import->bodies == 1 ? "body" : "bodies",
                     import->joints, import->joints == 1 ? "" : "s", output);
        cli_put_wrapped(stdout, l.text, 0, 0);
    }
}

static lv_status check_output(const char *output, const cli_args *args, lv_error *err)
{
    if (!output) {
        const lv_status status =
            cli_fail(err, LV_ERR_USAGE, "import needs -o: where the model goes");
        cli_hint(err, "for example livens import %s -o robot.toml", args->items[0]);
        return status;
    }
    return cli_is_same_file(output, args->items[0])
               ? cli_fail(err, LV_ERR_USAGE, "the model would replace '%s'",
                          args->items[0])
               : LV_OK;
}

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    static const char *const roots[] = {"fixed", "floating", NULL};
    const char *output = cli_args_value(args, "output"), *file = args->items[0];
    lv_import_request request = {0};
    lv_import *import = NULL;
    positions at = {0};
    int root = 0;
    lv_error *err = &outcome->error;
    lv_status status = check_output(output, args, err);
    if (status == LV_OK)
        status = cli_args_choice(args, "root", roots, &root, err);
    if (status == LV_OK)
        status = read_positions(&at, args, err);
    request.floating = root == 1;
    request.positions = at.list;
    request.position_count = at.count;
    if (status == LV_OK)
        status = lv_import_urdf(&import, file, &request, err);
    if (status == LV_OK)
        status = save(import, output, err);
    if (status == LV_OK && !cli_args_flag(args, "quiet"))
        say(import, file, output);
    lv_import_free(import);
    positions_done(&at);
    return status;
}

static const cli_argument arguments[] = {
    {"ROBOT.urdf", false,
     "a robot as URDF describes it; macros of xacro must be expanded"},
    {NULL, false, NULL},
};

static const cli_option options[] = {
    {"output", 'o', false, "ROBOT.toml",
     "where the model goes; - is standard output; required"},
    {"root", 0, false, "fixed|floating",
     "the root link is the ground, as it is by default, or a body that moves freely"},
    {"set", 0, true, "JOINT=VALUE",
     "where a joint is at the start, in radians or metres; 0 if it is not given"},
    {"quiet", 'q', false, NULL,
     "no word about what was left out, and none about the model"},
    {NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens import arm.urdf -o arm.toml", "a model file, to be read and edited"},
    {"livens import arm.urdf -o arm.toml --set elbow=0.3 --set shoulder=-1.2",
     "another start"},
    {"livens import walker.urdf -o walker.toml --root floating",
     "a robot without a base"},
    {NULL, NULL},
};

const cli_command cli_command_import = {
    .name = "import",
    .summary = "turn a robot of a URDF file into a model",
    .about =
        "Writes a model file with the bodies and joints of a robot. Links that are fixed "
        "to "
        "each other become one body, with their masses and inertias added; links without "
        "mass at the ends of the tree are left out. Joints that are revolute, "
        "continuous, "
        "prismatic or planar become joints, of a floating one nothing remains but the "
        "free "
        "body. Damping becomes a damper, dry friction and a transmission a motor whose "
        "effort "
        "is an input, mimic a constraint, boxes, cylinders and spheres of <visual> "
        "pictures."
        "\n\n"
        "Everything that is left out is said by line and name, on standard error and at "
        "the "
        "head of the model: meshes, collisions, limits, what livens does not know."
        "\n\n"
        "URDF describes trees. A loop is closed in the model, by a joint of one's own "
        "between "
        "two of the bodies: [joints.loop] with type, between, at and axis at the start, "
        "which "
        "must be a position in which the loop is closed (--set, or initial = \"project\" "
        "in "
        "[run]).",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
