/* The remaining gap minimises |g_joint|^2 + W^2 |g_others|^2 with a large W, by
 * Levenberg-Marquardt with dense normal equations. All other constraints then hold to
 * about gap / W^2. */
#include "run/gap.h"

#include "num/dense.h"
#include "system/elements.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- which joint, and by how much --------------------------------------------------------------- */

/* false: memory is short, and constraint rows are named without their joints. */
static bool find_elements(lv_elements *elements, lv_arena *arena, const lv_system *s)
{
    return lv_elements_init(elements, arena, s->model, NULL) == LV_OK;
}

const char *lv_gap_owner(const lv_system *s, int row, char *text, size_t size)
{
    lv_arena arena = {0};
    lv_elements elements;
    char name[160];
    snprintf(text, size, "constraint '%s'",
             lv_system_row_name(s, row, name, sizeof name));
    if (find_elements(&elements, &arena, s) && elements.of_row[row] >= 0) {
        const lv_element *element = &elements.list[elements.of_row[row]];
        if (element->shown)
            snprintf(text, size, "%s '%s'", lv_element_kind(element),
                     lv_element_name(element, name, sizeof name));
    }
    lv_arena_done(&arena);
    return text;
}

static const double *residuals_at(lv_system *s, const double *q)
{
    const lv_point point = {.q = q, .v = s->model->start_v};
    lv_plan_run(s->position_plan, &point);
    return lv_plan_result(s->position_plan, LV_Q_CONSTRAINT);
}

/* The norm of the rows of an element that have the same meaning. */
static double size_of(const lv_elements *e, const double *g, int rows, int element,
                      lv_row_meaning meaning)
{
    double sum = 0;
    for (int r = 0; r < rows; r++)
        if (e->of_row[r] == element &&
            lv_element_row(&e->list[element], lv_element_inside(e, r)) == meaning)
            sum += g[r] * g[r];
    return sqrt(sum);
}

static void write_violation(const lv_elements *e, int element, lv_row_meaning meaning,
                            double value, char *text, size_t size)
{
    char name[160], ends[260];
    const char *type = lv_item_entry(e->list[element].item, "type")->text;
    const bool plane = strcmp(type, "planar") == 0 || strcmp(type, "point_on_plane") == 0;
    const int used = snprintf(text, size, "joint '%s' between %s: ",
                              lv_element_name(&e->list[element], name, sizeof name),
                              lv_element_ends(e, element, ends, sizeof ends));
    if (used < 0 || (size_t)used >= size)
        return;
    if (meaning == LV_ROW_POINT)
        snprintf(text + used, size - (size_t)used, "its points are %.3g apart", value);
    else if (meaning == LV_ROW_ANGLE)
        snprintf(text + used, size - (size_t)used, "its axes are off by %.3g rad",
                 asin(fmin(1, value)));
    else
        snprintf(text + used, size - (size_t)used, "its point is %.3g off its %s", value,
                 plane ? "plane" : "line");
}

bool lv_gap_describe(lv_system *s, const double *q, int row, char *text, size_t size)
{
    lv_arena arena = {0};
    lv_elements elements;
    bool found = false;
    if (find_elements(&elements, &arena, s) && elements.of_row[row] >= 0) {
        const int element = elements.of_row[row];
        const lv_row_meaning meaning =
            lv_element_row(&elements.list[element], lv_element_inside(&elements, row));
        found = meaning != LV_ROW_PLAIN;
        if (found)
            write_violation(
                &elements, element, meaning,
                size_of(&elements, residuals_at(s, q), s->m, element, meaning), text,
                size);
    }
    lv_arena_done(&arena);
    return found;
}

/* ---- the gap that remains ------------------------------------------------------------------------ */

/* coordinates and constraint rows; larger systems get no answer */
enum { LARGEST = 400 };

typedef struct closing {
    lv_system *s;
    const lv_elements *elements;
    int element;      /* the joint that may stay open */
    double *q, *next; /* n each */
    double *normal;   /* n x n */
    double *step;     /* n */
} closing;

static double weight(const closing *c, int row)
{
    return c->elements->of_row[row] == c->element ? 1 : 1e3;
}

static double cost(const closing *c, const double *q)
{
    const double *g = residuals_at(c->s, q);
    double sum = 0;
    for (int r = 0; r < c->s->m; r++)
        sum += weight(c, r) * weight(c, r) * g[r] * g[r];
    return sum;
}

/* Sets up J^T W^2 J and -J^T W^2 g at the point that was evaluated last. */
static void normal_equations(closing *c)
{
    const lv_system *s = c->s;
    const size_t n = (size_t)s->n;
    const lv_pattern *p = lv_plan_pattern(s->position_plan, LV_Q_JACOBIAN);
    const double *values = lv_plan_result(s->position_plan, LV_Q_JACOBIAN);
    const double *g = lv_plan_result(s->position_plan, LV_Q_CONSTRAINT);
    memset(c->normal, 0, n * n * sizeof *c->normal);
    memset(c->step, 0, n * sizeof *c->step);
    for (int r = 0; r < s->m; r++) {
        const double w = weight(c, r) * weight(c, r);
        for (int e = p->start[r]; e < p->start[r + 1]; e++) {
            c->step[p->column[e]] -= w * values[e] * g[r];
            for (int f = p->start[r]; f < p->start[r + 1]; f++)
                c->normal[(size_t)p->column[e] * n + (size_t)p->column[f]] +=
                    w * values[e] * values[f];
        }
    }
}

/* Tries one step with the damping mu; false: it does not reduce the cost. */
static bool try_step(closing *c, double mu, double *value)
{
    const size_t n = (size_t)c->s->n;
    double most = 0;
    (void)cost(c, c->q);
    normal_equations(c);
    for (size_t i = 0; i < n; i++)
        most = fmax(most, c->normal[i * n + i]);
    for (size_t i = 0; i < n; i++)
        c->normal[i * n + i] += mu * most;
    if (!lv_cholesky_factor(c->normal, c->s->n))
        return false;
    lv_cholesky_solve(c->normal, c->s->n, c->step);
    for (size_t i = 0; i < n; i++)
        c->next[i] = c->q[i] + c->step[i];
    const double found = cost(c, c->next);
    if (!(found < *value))
        return false;
    *value = found;
    memcpy(c->q, c->next, n * sizeof *c->q);
    return true;
}

static void minimise(closing *c)
{
    enum { PASSES = 300 };
    const double least = 1e-14, most = 1e3;
    double value = cost(c, c->q), mu = 1e-6;
    for (int k = 0; k < PASSES && mu < most; k++) {
        const double before = value;
        if (!try_step(c, mu, &value))
            mu *= 10;
        else if (before - value < 1e-13 * before)
            break;
        else
            mu = fmax(least, mu / 5);
    }
}

/* The joint whose points are furthest apart at the start; -1: there is none. */
static int widest_joint(lv_system *s, const lv_elements *e)
{
    const double *g = residuals_at(s, s->model->start_q);
    int found = -1;
    double most = 0;
    for (int r = 0; r < s->m; r++) {
        const int element = e->of_row[r];
        if (element < 0 ||
            lv_element_row(&e->list[element], lv_element_inside(e, r)) != LV_ROW_POINT)
            continue;
        const double gap = size_of(e, g, s->m, element, LV_ROW_POINT);
        if (gap > most) {
            most = gap;
            found = element;
        }
    }
    return found;
}

/* Describes the gap that is left in the joint, if all other constraints hold. */
static void write_gap(const closing *c, char *text, size_t size)
{
    const double *g = residuals_at(c->s, c->q);
    const double gap = size_of(c->elements, g, c->s->m, c->element, LV_ROW_POINT);
    double others = 0;
    char name[160], ends[260];
    for (int r = 0; r < c->s->m; r++)
        if (c->elements->of_row[r] != c->element)
            others = fmax(others, fabs(g[r]));
    if (!(others < 1e-3 * gap))
        return;
    snprintf(text, size,
             "with all else closed, the points of joint '%s' on %s come no closer than "
             "%.4g near the start",
             lv_element_name(&c->elements->list[c->element], name, sizeof name),
             lv_element_ends(c->elements, c->element, ends, sizeof ends), gap);
}

lv_status lv_gap_remaining(lv_system *s, char *text, size_t size, lv_error *err)
{
    lv_arena arena = {0};
    lv_elements elements;
    closing c = {.s = s, .elements = &elements};
    const size_t n = (size_t)s->n;
    text[0] = '\0';
    if (s->m == 0 || s->n > LARGEST || s->m > LARGEST)
        return LV_OK;
    lv_status status = lv_elements_init(&elements, &arena, s->model, err);
    if (status == LV_OK) {
        c.q = lv_arena_alloc(&arena, 3 * n + n * n, sizeof *c.q);
        if (!c.q)
            status = lv_fail_memory(err);
    }
    if (status == LV_OK && (c.element = widest_joint(s, &elements)) >= 0) {
        c.next = c.q + n;
        c.step = c.q + 2 * n;
        c.normal = c.q + 3 * n;
        memcpy(c.q, s->model->start_q, n * sizeof *c.q);
        minimise(&c);
        write_gap(&c, text, size);
    }
    lv_arena_done(&arena);
    return status;
}
