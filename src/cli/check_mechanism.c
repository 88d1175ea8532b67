/* Bodies and joints in the report of `livens check`. */
#include "cli/check.h"
#include "cli/report.h"

#include <math.h>
#include <string.h>

enum { NAMES_MOST = 24, ELEMENTS_MOST = 8, GROUPS_MOST = 4 };

bool cli_check_has_elements(const lv_inspection *f)
{
    return f->mechanism.element_count > 0;
}

/* ---- elements --------------------------------------------------------------------------------- */

/* "rod_1..rod_5", "link (4)"; members of a family of joints have the indices of its
 * range */
static void add_element(cli_line *l, const lv_element_info *e)
{
    if (e->is_family && strcmp(e->kind, "body") == 0)
        cli_line_add(l, "%s_1..%s_%d", e->name, e->name, e->count);
    else if (e->is_family)
        cli_line_add(l, "%s (%d)", e->name, e->count);
    else
        cli_line_add(l, "%s", e->name);
}

static bool are_alike(const lv_element_info *a, const lv_element_info *b)
{
    const bool same_type =
        a->type == b->type || (a->type && b->type && strcmp(a->type, b->type) == 0);
    return strcmp(a->kind, b->kind) == 0 && same_type && a->freedom == b->freedom;
}

/* Whether the element is the first of those that are alike. */
static bool is_first(const lv_mechanism_info *m, int k)
{
    for (int j = 0; j < k; j++)
        if (are_alike(&m->elements[j], &m->elements[k]))
            return false;
    return true;
}

/* "crank, coupler in space (6 degrees of freedom each)", "revolute a, b" */
static void add_alike(cli_line *l, const lv_mechanism_info *m, int first)
{
    const lv_element_info *e = &m->elements[first];
    const bool is_body = strcmp(e->kind, "body") == 0;
    int named = 0, count = 0;
    if (l->length > 0)
        cli_line_add(l, "; ");
    if (!is_body && e->type)
        cli_line_add(l, "%s ", e->type);
    for (int k = first; k < m->element_count; k++) {
        if (!are_alike(e, &m->elements[k]))
            continue;
        count += m->elements[k].count;
        if (named++ >= NAMES_MOST)
            continue;
        cli_line_add(l, "%s", named > 1 ? ", " : "");
        add_element(l, &m->elements[k]);
    }
    if (named > NAMES_MOST)
        cli_line_add(l, ", ... and %d more", named - NAMES_MOST);
    if (is_body)
        cli_line_add(l, " in %s%s (%d degree%s of freedom%s)",
                     strcmp(e->type, "plane") == 0 ? "the " : "", e->type, e->freedom,
                     e->freedom == 1 ? "" : "s", count > 1 ? " each" : "");
}

static void write_kind(const lv_mechanism_info *m, const char *kind, const char *label,
                       int width, int count)
{
    cli_line l = {.length = 0};
    for (int k = 0; k < m->element_count; k++)
        if (strcmp(m->elements[k].kind, kind) == 0 && is_first(m, k))
            add_alike(&l, m, k);
    if (l.length > 0)
        cli_check_put_count(label, width, count, l.text);
}

void cli_check_write_elements(const lv_inspection *f, int width)
{
    const lv_mechanism_info *m = &f->mechanism;
    write_kind(m, "body", "bodies", width, m->bodies);
    write_kind(m, "joint", "joints", width, m->joints);
    write_kind(m, "motor", "motors", width, m->motors);
    write_kind(m, "contact", "rolling contacts", width, m->contacts);
}

/* ---- dependent joints ------------------------------------------------------------------------------- */

/* "force along [0, 1, 0] and torque" */
static void open_text(cli_line *l, const lv_dependent_info *d)
{
    const bool has_axis = d->axis[0] != 0 || d->axis[1] != 0 || d->axis[2] != 0;
    l->length = 0;
    l->text[0] = '\0';
    if (d->forces == 0 && d->torques == 0)
        cli_line_add(l, "force");
    if (d->forces > 0)
        cli_line_add(l, "force");
    if (d->forces > 0 && has_axis)
        cli_line_add(l, " %s [%.3g, %.3g, %.3g]", d->forces == 1 ? "along" : "normal to",
                     d->axis[0], d->axis[1], d->axis[2]);
    if (d->torques > 0)
        cli_line_add(l, "%storque", d->forces > 0 ? " and " : "");
}

/* Whether both take part in one set, with the same open forces and torques. */
static bool open_alike(const lv_dependent_info *a, const lv_dependent_info *b)
{
    const double close = 1e-3;
    for (int i = 0; i < 3; i++)
        if (fabs(a->axis[i] - b->axis[i]) > close)
            return false;
    return a->set == b->set && (a->forces > 0) == (b->forces > 0) &&
           (a->torques > 0) == (b->torques > 0);
}

/* "'a', 'b' and 'c'": the members of the set of `like`, or only those with the same open
 * forces and torques. */
static void add_names(cli_line *l, const lv_dependence_info *d, int like, bool alike)
{
    const lv_dependent_info *own = &d->list[like];
    int count = 0, named = 0;
    for (int k = 0; k < d->count; k++)
        count += alike ? open_alike(own, &d->list[k]) : d->list[k].set == own->set;
    for (int k = 0; k < d->count && named < ELEMENTS_MOST; k++) {
        if (alike ? !open_alike(own, &d->list[k]) : d->list[k].set != own->set)
            continue;
        cli_line_add(l, "%s'%s'",
                     named == 0          ? ""
                     : named + 1 < count ? ", "
                                         : " and ",
                     d->list[k].name);
        named++;
    }
    if (count > named)
        cli_line_add(l, " and %d others", count - named);
}

static bool open_alike_before(const lv_dependence_info *d, int k)
{
    for (int j = 0; j < k; j++)
        if (open_alike(&d->list[j], &d->list[k]))
            return true;
    return false;
}

/* The number of combinations in a set. */
static int combinations_of(const lv_dependence_info *d, int set)
{
    int count = 0, last = -1;
    for (int k = 0; k < d->weight_count; k++)
        if (d->weights[k].set == set && d->weights[k].combination != last) {
            last = d->weights[k].combination;
            count++;
        }
    return count;
}

static const char *kind_of_set(const lv_dependence_info *d, int first)
{
    for (int k = first; k < d->count; k++)
        if (d->list[k].set == d->list[first].set &&
            strcmp(d->list[k].kind, d->list[first].kind) != 0)
            return "";
    return strcmp(d->list[first].kind, "joint") == 0   ? "joints "
           : strcmp(d->list[first].kind, "motor") == 0 ? "motors "
                                                       : "constraints ";
}

static void warn_set(cli_check *check, const lv_dependence_info *d, int first)
{
    cli_line names = {.length = 0}, open = {.length = 0}, what;
    const int combinations = combinations_of(d, d->list[first].set);
    add_names(&names, d, first, false);
    for (int k = first, groups = 0; k < d->count && groups < GROUPS_MOST; k++) {
        if (d->list[k].set != d->list[first].set || open_alike_before(d, k))
            continue;
        groups++;
        open_text(&what, &d->list[k]);
        cli_line_add(&open, "%s%s of ", open.length > 0 ? "; " : "", what.text);
        add_names(&open, d, k, true);
    }
    cli_check_warn(check,
                   "%s%.300s depend on each other at the start, in %d combination%s: "
                   "nothing determines how they share their forces (%.350s)",
                   kind_of_set(d, first), names.text, combinations,
                   combinations == 1 ? "" : "s", open.text);
}

static bool is_first_of_set(const lv_dependence_info *d, int k)
{
    for (int j = 0; j < k; j++)
        if (d->list[j].set == d->list[k].set)
            return false;
    return true;
}

bool cli_check_warn_joints(cli_check *check)
{
    const lv_dependence_info *d = &check->facts->mechanism.dependence;
    bool has_joint = false;
    for (int k = 0; k < d->count; k++)
        has_joint = has_joint || strcmp(d->list[k].kind, "joint") == 0 ||
                    strcmp(d->list[k].kind, "motor") == 0 ||
                    strcmp(d->list[k].kind, "contact") == 0;
    for (int k = 0; k < d->count && has_joint; k++)
        if (check->warning_count < CLI_WARNINGS_MAX && is_first_of_set(d, k))
            warn_set(check, d, k);
    return has_joint;
}

/* ---- loose bodies ----------------------------------------------------------------------------- */

void cli_check_remark_loose(cli_check *check)
{
    const lv_mechanism_info *m = &check->facts->mechanism;
    cli_line l = {.length = 0};
    const int shown = m->loose_named < ELEMENTS_MOST ? m->loose_named : ELEMENTS_MOST;
    for (int k = 0; k < shown; k++)
        cli_line_add(&l, "%s'%s'",
                     k == 0                   ? ""
                     : k + 1 < m->loose_count ? ", "
                                              : " and ",
                     m->loose[k]);
    if (m->loose_count > shown)
        cli_line_add(&l, " and %d others", m->loose_count - shown);
    if (m->loose_count > 0)
        cli_check_remark(check,
                         "nothing holds %s %.600s: no joint, contact, spring or "
                         "constraint",
                         m->loose_count == 1 ? "body" : "bodies", l.text);
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static void put_element(cli_json *j, const lv_element_info *e)
{
    const bool is_body = strcmp(e->kind, "body") == 0;
    cli_json_open(j, '{');
    cli_json_put_text(j, "name", e->name);
    if (e->type)
        cli_json_put_text(j, is_body ? "moves_in" : "type", e->type);
    if (e->between[0]) {
        cli_json_key(j, "between");
        cli_json_open(j, '[');
        cli_json_text(j, e->between[0]);
        cli_json_text(j, e->between[1]);
        cli_json_close(j, ']');
    }
    cli_json_put_bool(j, "family", e->is_family);
    cli_json_put_whole(j, "count", e->count);
    cli_json_put_whole(j, is_body ? "freedom" : "rows", is_body ? e->freedom : e->rows);
    cli_json_close(j, '}');
}

static void put_kind(cli_json *j, const lv_mechanism_info *m, const char *kind,
                     const char *key)
{
    cli_json_key(j, key);
    cli_json_open(j, '[');
    for (int k = 0; k < m->element_count; k++)
        if (strcmp(m->elements[k].kind, kind) == 0)
            put_element(j, &m->elements[k]);
    cli_json_close(j, ']');
}

static void put_dependent(cli_json *j, const lv_dependent_info *d)
{
    cli_json_open(j, '{');
    cli_json_put_text(j, "name", d->name);
    cli_json_put_text(j, "kind", d->kind);
    cli_json_put_whole(j, "set", d->set);
    cli_json_put_whole(j, "undetermined", d->open);
    if (strcmp(d->kind, "joint") == 0) {
        cli_json_put_whole(j, "force", d->forces);
        cli_json_put_whole(j, "torque", d->torques);
        cli_json_key(j, "axis");
        if (d->axis[0] != 0 || d->axis[1] != 0 || d->axis[2] != 0)
            cli_json_numbers(j, d->axis, 3);
        else
            cli_json_null(j);
    }
    cli_json_close(j, '}');
}

static void put_combination(cli_json *j, const lv_dependence_info *d, int combination)
{
    cli_json_open(j, '{');
    for (int k = 0; k < d->weight_count; k++)
        if (d->weights[k].combination == combination)
            cli_json_put_number(j, d->weights[k].row, d->weights[k].weight);
    cli_json_close(j, '}');
}

static void put_dependence(cli_json *j, const lv_dependence_info *d)
{
    cli_json_key(j, "dependent");
    cli_json_open(j, '[');
    for (int k = 0; k < d->count; k++)
        put_dependent(j, &d->list[k]);
    cli_json_close(j, ']');
    cli_json_key(j, "combinations");
    cli_json_open(j, '[');
    for (int k = 0; k < d->combinations && d->weight_count > 0; k++)
        put_combination(j, d, k);
    cli_json_close(j, ']');
}

void cli_check_put_mechanism(cli_json *j, const cli_check *check)
{
    const lv_mechanism_info *m = &check->facts->mechanism;
    cli_json_key(j, "mechanism");
    cli_json_open(j, '{');
    put_kind(j, m, "body", "bodies");
    put_kind(j, m, "joint", "joints");
    put_kind(j, m, "motor", "motors");
    put_kind(j, m, "contact", "rolling");
    cli_json_put_whole(j, "mobility", m->mobility);
    put_dependence(j, &m->dependence);
    cli_json_key(j, "loose");
    cli_json_open(j, '[');
    for (int k = 0; k < m->loose_named; k++)
        cli_json_text(j, m->loose[k]);
    cli_json_close(j, ']');
    cli_json_close(j, '}');
}
