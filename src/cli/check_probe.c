/* The fastest motions at the start, and the results of a short motion, in the report of
 * `livens check`. */
#include "cli/check.h"
#include "cli/report.h"

#include <math.h>

static double period(double rate)
{
    return 2 * acos(-1) / rate;
}

static double fastest(const lv_probe_info *p)
{
    return fmax(p->frequency, p->rotation);
}

/* Whether constraints come much closer to being dependent than at the start. */
static bool comes_near(const lv_probe_info *p)
{
    return p->looks > 1 && p->nearest_time > 0 && p->nearest < 0.1 * p->nearest_at_start;
}

static bool freedom_changes(const lv_probe_info *p)
{
    return p->looks > 1 && p->freedom_least != p->freedom_most;
}

/* ---- warnings ---------------------------------------------------------------------------------------- */

/* Constraints are dependent at some states and independent at others. */
static void warn_change(cli_check *check, const lv_probe_info *p)
{
    if (check->facts->freedom == p->freedom_most)
        cli_check_warn(check,
                       "the start is a singular configuration: it has %d degrees of "
                       "freedom, the motion from it %d; where it goes on is not "
                       "determined by the constraints alone",
                       p->freedom_most, p->freedom_least);
    else
        cli_check_warn(check,
                       "the motion passes a singular configuration at t = %.4g: %s%s%d "
                       "degrees of freedom there instead of %d",
                       p->freedom_changed, p->nearest_names,
                       p->nearest_names[0] ? " depend on each other, " : "",
                       p->freedom_most, p->freedom_least);
}

/* livens explain also mentions the limit. */
static void warn_shrinking(cli_check *check, const lv_probe_info *p)
{
    const double most = p->shrinking_most;
    if (p->shrinking > most)
        cli_check_warn(check,
                       "G M^-1 G^T shrinks by %.2g of itself in a step of %.3g: '%s' may "
                       "have no solution from %.2g on; use rattle, em or vi-b2, or a "
                       "step below %.2g",
                       p->shrinking, p->size, p->scheme, most,
                       p->size * most / p->shrinking);
}

void cli_check_warn_probe(cli_check *check)
{
    const lv_probe_info *p = &check->probe;
    const double step = lv_model_run_options(check->model)->step;
    if (freedom_changes(p))
        warn_change(check, p);
    else if (comes_near(p) && p->nearest_names[0])
        cli_check_warn(
            check,
            "the motion comes near a singular configuration at t = %.4g: %s are "
            "nearly dependent there, their forces grow and lose digits",
            p->nearest_time, p->nearest_names);
    warn_shrinking(check, p);
    if (step > 0 && fastest(p) > 0 && step > period(fastest(p)) / 6)
        cli_check_remark(check,
                         "the step %.3g is long for what is fastest at the start: a "
                         "period of %.3g, which steps of %.3g resolve",
                         step, period(fastest(p)), p->step);
}

/* ---- text --------------------------------------------------------------------------------------------- */

static void write_fastest(const lv_probe_info *p)
{
    cli_line l = {.length = 0};
    if (p->frequency > 0)
        cli_line_add(&l, "%.4g rad/s", p->frequency);
    if (p->rotation > 0)
        cli_line_add(&l, "%sbody '%.60s' turns at %.4g rad/s", l.length > 0 ? ", " : "",
                     p->rotates, p->rotation);
    if (p->step > 0)
        cli_line_add(&l, "; steps of %.3g resolve it", p->step);
    if (l.length > 0)
        cli_put_fact(stdout, "fastest", l.text);
}

/* For models without bodies only remarkable results are written. */
static void write_motion(const lv_probe_info *p, bool has_elements)
{
    cli_line l = {.length = 0};
    if (!has_elements && !freedom_changes(p) && !comes_near(p))
        return;
    if (p->steps > 0)
        cli_line_add(&l, "%d steps of %.3g (%s): ", p->steps, p->size, p->scheme);
    if (p->steps > 0 && freedom_changes(p))
        cli_line_add(&l, "%d to %d degrees of freedom", p->freedom_least,
                     p->freedom_most);
    else if (p->steps > 0)
        cli_line_add(&l, "%d degree%s of freedom throughout", p->freedom_least,
                     p->freedom_least == 1 ? "" : "s");
    if (comes_near(p) && p->nearest_names[0])
        cli_line_add(&l, "; %s nearly dependent at t = %.4g", p->nearest_names,
                     p->nearest_time);
    if (p->stopped[0])
        cli_line_add(&l, "%s: %s",
                     p->steps > 0 ? "; it could not go on" : "no motion was tried",
                     p->stopped);
    if (l.length > 0)
        cli_put_fact(stdout, "short motion", l.text);
}

void cli_check_write_probe(const cli_check *check)
{
    write_fastest(&check->probe);
    write_motion(&check->probe, cli_check_has_elements(check->facts));
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static void put_known(cli_json *j, const char *key, double value, bool known)
{
    cli_json_key(j, key);
    if (known)
        cli_json_number(j, value);
    else
        cli_json_null(j);
}

static void put_nearest(cli_json *j, const lv_probe_info *p)
{
    cli_json_key(j, "nearest");
    if (p->looks == 0) {
        cli_json_null(j);
        return;
    }
    cli_json_open(j, '{');
    cli_json_put_number(j, "value", p->nearest);
    cli_json_put_number(j, "initial", p->nearest_at_start);
    cli_json_put_number(j, "time", p->nearest_time);
    cli_json_put_text(j, "constraints", p->nearest_names);
    cli_json_close(j, '}');
}

void cli_check_put_probe(cli_json *j, const cli_check *check)
{
    const lv_probe_info *p = &check->probe;
    cli_json_key(j, "probe");
    cli_json_open(j, '{');
    put_known(j, "frequency", p->frequency, p->frequency >= 0);
    cli_json_put_number(j, "rotation", p->rotation);
    cli_json_put_text(j, "rotates", p->rotates[0] ? p->rotates : NULL);
    put_known(j, "suggested_step", p->step, p->step > 0);
    cli_json_put_text(j, "scheme", p->scheme);
    put_known(j, "step", p->size, p->size > 0);
    cli_json_put_whole(j, "steps", p->steps);
    cli_json_put_number(j, "time", p->time);
    cli_json_put_text(j, "stopped", p->stopped[0] ? p->stopped : NULL);
    put_known(j, "freedom_min", p->freedom_least, p->looks > 0);
    put_known(j, "freedom_max", p->freedom_most, p->looks > 0);
    put_nearest(j, p);
    cli_json_close(j, '}');
}
