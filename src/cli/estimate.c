#include "cli/estimate.h"

#include "cli/report.h"
#include "cli/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 200, COMPONENTS = 3 };

/* Errors shrink by 2^order with half the step. */
static double extrapolated(const cli_summary *s, double difference)
{
    return fabs(difference) / (1 - pow(2, -s->run->order));
}

double cli_estimate_coordinate(const cli_summary *s, int k, bool velocity)
{
    const double *coarse = velocity ? s->run->v : s->run->q,
                 *fine = velocity ? s->finer->v : s->finer->q;
    return extrapolated(s, coarse[k] - fine[k]);
}

/* ---- bodies --------------------------------------------------------------------------------------- */

bool cli_estimate_is_body(const lv_part_result *part)
{
    return strcmp(part->section, "bodies") == 0;
}

static bool is_turn(const lv_output *value)
{
    return strcmp(value->name, "quaternion") == 0 || strcmp(value->name, "angle") == 0;
}

const char *cli_estimate_name(const lv_output *value)
{
    return is_turn(value) ? "orientation" : value->name;
}

/* The angle between two orientations: unit quaternions that differ by an angle a have the
 * distance 2 sin(a/4), and q and -q are the same orientation. */
static double angle_between(const double *a, const double *b)
{
    double apart = 0, across = 0;
    for (int k = 0; k < 4; k++) {
        apart += (a[k] - b[k]) * (a[k] - b[k]);
        across += (a[k] + b[k]) * (a[k] + b[k]);
    }
    const double distance = sqrt(fmin(apart, across)) / 2;
    return 4 * asin(fmin(1, distance));
}

int cli_estimate_body(const cli_summary *s, const lv_part_result *part, int i,
                      double *errors)
{
    const lv_output *coarse = &part->values[i],
                    *fine = &s->finer->parts[part - s->run->parts].values[i];
    if (!cli_estimate_is_body(part) || coarse->length > 4)
        return 0; /* a rotation matrix: its quaternion has the error already */
    if (coarse->length == 4) {
        errors[0] = extrapolated(s, angle_between(coarse->values, fine->values));
        return 1;
    }
    const int count = coarse->length > 0 ? coarse->length : 1;
    for (int k = 0; k < count && k < COMPONENTS; k++)
        errors[k] = extrapolated(s, coarse->values[k] - fine->values[k]);
    return count;
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static void put_body(cli_json *j, const cli_summary *s, const lv_part_result *part)
{
    double errors[COMPONENTS];
    cli_json_key(j, part->name);
    cli_json_open(j, '{');
    for (int i = 0; i < part->count; i++) {
        const int count = cli_estimate_body(s, part, i, errors);
        if (count == 0)
            continue;
        cli_json_key(j, cli_estimate_name(&part->values[i]));
        cli_json_numbers(j, errors, count > 1 ? count : 0);
    }
    cli_json_close(j, '}');
}

void cli_estimate_put(cli_json *j, const cli_summary *s)
{
    static const char *const keys[] = {"q", "v"};
    const int count = s->run->coordinates;
    double *errors = s->finer ? malloc(((size_t)count + 1) * sizeof *errors) : NULL;
    if (!errors)
        return;
    cli_json_key(j, "estimate");
    cli_json_open(j, '{');
    cli_json_put_number(j, "step", s->finer->step);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < count; k++)
            errors[k] = cli_estimate_coordinate(s, k, i == 1);
        cli_state_put(j, keys[i], s->model, errors, false);
    }
    cli_json_key(j, "bodies");
    cli_json_open(j, '{');
    for (int k = 0; k < s->run->part_count; k++)
        if (cli_estimate_is_body(&s->run->parts[k]))
            put_body(j, s, &s->run->parts[k]);
    cli_json_close(j, '}');
    cli_json_close(j, '}');
    free(errors);
}

/* ---- text ------------------------------------------------------------------------------------- */

/* The largest error of one kind, and the coordinate or body that has it. */
typedef struct worst {
    double error;
    char name[NAME_SIZE];
} worst;

static void note_larger(worst *w, double error, const char *name)
{
    if (w->name[0] && !(error > w->error))
        return;
    w->error = error;
    (void)snprintf(w->name, sizeof w->name, "%s", name);
}

static worst of_coordinates(const cli_summary *s, bool velocity)
{
    worst w = {0};
    char name[NAME_SIZE];
    for (int k = 0; k < s->run->coordinates; k++)
        if (!lv_model_coordinate_is_inner(s->model, k))
            note_larger(&w, cli_estimate_coordinate(s, k, velocity),
                        lv_model_coordinate_name(s->model, k, name, sizeof name));
    return w;
}

static worst of_bodies(const cli_summary *s, const char *quantity)
{
    worst w = {0};
    double errors[COMPONENTS];
    for (int k = 0; k < s->run->part_count; k++) {
        const lv_part_result *part = &s->run->parts[k];
        for (int i = 0; i < part->count; i++) {
            const int count = cli_estimate_body(s, part, i, errors);
            if (strcmp(cli_estimate_name(&part->values[i]), quantity) != 0)
                continue;
            for (int c = 0; c < count; c++)
                note_larger(&w, errors[c], part->name);
        }
    }
    return w;
}

static void add_worst(cli_line *l, const worst *w, const char *what, const char *unit)
{
    if (w->name[0])
        cli_line_add(l, "%s%.1e%s in %s%s", l->length > 0 ? ", " : "at most ", w->error,
                     unit, what, w->name);
}

void cli_estimate_write(FILE *out, const cli_summary *s)
{
    cli_line l = {.length = 0};
    if (!s->finer)
        return;
    const worst q = of_coordinates(s, false), v = of_coordinates(s, true),
                position = of_bodies(s, "position"), turn = of_bodies(s, "orientation"),
                velocity = of_bodies(s, "velocity"),
                spin = of_bodies(s, "angular_velocity");
    add_worst(&l, &q, "", "");
    add_worst(&l, &v, "the velocity of ", "");
    add_worst(&l, &position, "the position of ", "");
    add_worst(&l, &turn, "the orientation of ", " rad");
    add_worst(&l, &velocity, "the velocity of ", "");
    add_worst(&l, &spin, "the angular velocity of ", "");
    if (l.length > 0)
        cli_put_fact(out, "errors at the end", l.text);
}
