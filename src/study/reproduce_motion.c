#include "study/reproduce_motion.h"

#include "system/sparse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- motions ------------------------------------------------------------------------------------- */

static void look(lv_motion *m)
{
    const lv_sim *sim = m->sim;
    m->time = sim->state.t;
    lv_system_watch(sim->system, &m->watch, m->time, m->q, m->v, m->p);
    if (!sim->scheme->multipliers)
        return;
    sim->scheme->multipliers(sim->work, m->lambda, m->gamma);
    for (int r = 0; r < m->m; r++)
        m->lambda[r] = -m->lambda[r];
}

static lv_status make_room(lv_motion *m, lv_error *err)
{
    size_t n = (size_t)m->n, rows = (size_t)m->m;
    double *room = lv_arena_alloc(&m->arena, 3 * n + 2 * rows + 1, sizeof *room);
    if (!room)
        return lv_fail_memory(err);
    m->before = room;
    m->scratch = room + n;
    m->lambda = room + 3 * n;
    m->gamma = m->lambda + rows;
    return LV_OK;
}

/* "degree=2": an option by its name in model files. */
static lv_status take_option(lv_scheme_options *options, char *word, lv_error *err)
{
    lv_option_info info;
    double value = 0;
    char *text = strchr(word, '=');
    if (text)
        *text++ = '\0';
    for (int k = 0; text && lv_option_describe(k, &info); k++)
        if (strcmp(info.name, word) == 0 && lv_option_parse((lv_option)k, text, &value)) {
            lv_scheme_option_set(options, (lv_option)k, value);
            return LV_OK;
        }
    return lv_fail(err, LV_ERR_USAGE, "'%s' is no option of a scheme", word);
}

/* Splits "ansatz degree=2 points=3" in place. */
static lv_status take_scheme(lv_sim_options *options, char *text, lv_error *err)
{
    char *word = strchr(text, ' ');
    options->scheme = text;
    while (word) {
        *word++ = '\0';
        char *next = strchr(word, ' ');
        if (next)
            *next = '\0';
        LV_TRY(take_option(&options->options, word, err));
        word = next;
    }
    return LV_OK;
}

static lv_status read_model(lv_motion *m, const lv_start *start, lv_error *err)
{
    int settings = 0;
    while (settings < LV_START_SETTINGS && start->settings[settings].name)
        settings++;
    return start->text
               ? lv_model_parse(&m->model, start->model, start->text, strlen(start->text),
                                start->settings, settings, err)
               : lv_model_read(&m->model, start->model, start->settings, settings, err);
}

static lv_status begin(lv_motion *m, const lv_start *start, const char *scheme,
                       lv_error *err)
{
    char text[120];
    lv_sim_options options = {.step = start->step, .dense = start->dense};
    snprintf(text, sizeof text, "%s", scheme);
    LV_TRY(take_scheme(&options, text, err));
    LV_TRY(read_model(m, start, err));
    LV_TRY(lv_sim_create(&m->sim, m->model, &options, err));
    m->n = m->sim->system->n;
    m->m = m->sim->system->m;
    m->q = lv_sim_position(m->sim);
    m->v = lv_sim_velocity(m->sim);
    m->p = lv_sim_momentum(m->sim);
    LV_TRY(make_room(m, err));
    if (start->velocity)
        LV_TRY(lv_sim_set_state(m->sim, 0, lv_model_start_position(m->model),
                                start->velocity, err));
    look(m);
    return LV_OK;
}

lv_status lv_motion_begin(lv_motion *m, const lv_start *start, const char *scheme,
                          lv_error *err)
{
    memset(m, 0, sizeof *m);
    lv_status status = begin(m, start, scheme, err);
    if (status != LV_OK)
        lv_motion_end(m);
    return status;
}

void lv_motion_end(lv_motion *m)
{
    lv_sim_free(m->sim);
    lv_model_free(m->model);
    lv_arena_done(&m->arena);
    memset(m, 0, sizeof *m);
}

lv_status lv_motion_step(lv_motion *m, lv_error *err)
{
    memcpy(m->before, m->q, (size_t)m->n * sizeof *m->before);
    LV_TRY(lv_sim_step(m->sim, err));
    m->iterations += lv_sim_iterations(m->sim);
    look(m);
    return LV_OK;
}

lv_status lv_motion_steps(lv_motion *m, long count, lv_error *err)
{
    for (long n = 0; n < count; n++)
        LV_TRY(lv_motion_step(m, err));
    return LV_OK;
}

lv_status lv_motion_reach(const lv_start *start, const char *scheme, long steps,
                          double *q, double *p, lv_error *err)
{
    lv_motion m;
    LV_TRY(lv_motion_begin(&m, start, scheme, err));
    lv_status status = lv_motion_steps(&m, steps, err);
    for (int k = 0; k < m.n; k++) {
        if (q)
            q[k] = m.q[k];
        if (p)
            p[k] = m.p[k];
    }
    lv_motion_end(&m);
    return status;
}

/* ---- readings ------------------------------------------------------------------------------------- */

double lv_read_q(lv_motion *m, int k)
{
    return m->q[k];
}

double lv_read_p(lv_motion *m, int k)
{
    return m->p[k];
}

double lv_read_lambda(lv_motion *m, int k)
{
    return m->lambda[k];
}

double lv_read_gamma(lv_motion *m, int k)
{
    return m->gamma[k];
}

double lv_read_kinetic(lv_motion *m, int k)
{
    (void)k;
    return m->watch.kinetic;
}

double lv_read_potential(lv_motion *m, int k)
{
    (void)k;
    return m->watch.potential;
}

double lv_read_energy(lv_motion *m, int k)
{
    (void)k;
    return m->watch.energy;
}

double lv_read_total(lv_motion *m, int k)
{
    (void)k;
    return m->watch.kinetic + m->watch.potential;
}

double lv_read_angular(lv_motion *m, int k)
{
    double sum = 0;
    int a = (k + 1) % 3, b = (k + 2) % 3;
    for (int i = 0; i + 2 < m->n; i += 3)
        sum += m->q[i + a] * m->p[i + b] - m->q[i + b] * m->p[i + a];
    return sum;
}

double lv_read_legendre(lv_motion *m, int k)
{
    double most = 0;
    (void)k;
    lv_system_momentum(m->sim->system, m->scratch, m->time, m->q, m->v);
    for (int i = 0; i < m->n; i++)
        most = fmax(most, fabs(m->p[i] - m->scratch[i]));
    return most;
}

static double pick(const double *rows, int count, int k)
{
    double most = 0;
    if (k >= 0)
        return rows[k];
    for (int r = 0; r < count; r++)
        most = fmax(most, fabs(rows[r]));
    return most;
}

/* Rows as the system evaluated them when the node was looked at. */
double lv_read_position(lv_motion *m, int k)
{
    return pick(lv_plan_result(m->sim->system->watch, LV_Q_CONSTRAINT), m->m, k);
}

double lv_read_hidden(lv_motion *m, int k)
{
    return pick(lv_plan_result(m->sim->system->watch, LV_Q_RATE), m->m, k);
}

double lv_read_inner(lv_motion *m, int k)
{
    lv_system *s = m->sim->system;
    double *velocity = m->scratch, *push = m->scratch + m->n, h = m->sim->h;
    for (int i = 0; i < m->n; i++) {
        velocity[i] = (m->q[i] - m->before[i]) / h;
        push[i] = 0;
    }
    const lv_point point = {.q = m->q, .v = velocity, .t = m->time};
    lv_plan_run(s->gauge, &point);
    lv_sparse_multiply_transposed(lv_plan_pattern(s->gauge, LV_Q_RATE_V),
                                  lv_plan_result(s->gauge, LV_Q_RATE_V), 1, m->gamma,
                                  push);
    lv_mass_solve(s->mass, push);
    for (int i = 0; i < m->n; i++)
        velocity[i] -= push[i];
    lv_plan_run(s->gauge, &point);
    return pick(lv_plan_result(s->gauge, LV_Q_RATE), m->m, k);
}

/* ---- races ------------------------------------------------------------------------------------------ */

lv_status lv_race_begin(lv_race *race, lv_bench *bench, const lv_start *start,
                        const char *const *schemes, lv_error *err)
{
    *race = (lv_race){.bench = bench};
    for (int k = 0; schemes[k]; k++) {
        lv_status status = lv_motion_begin(&race->motions[k], start, schemes[k], err);
        if (status != LV_OK) {
            lv_race_end(race);
            return status;
        }
        race->count++;
    }
    return LV_OK;
}

void lv_race_end(lv_race *race)
{
    for (int k = 0; k < race->count; k++)
        lv_motion_end(&race->motions[k]);
    race->count = 0;
}

/* The last readings of a column, to see changes and alternations. */
typedef struct past {
    double plain;       /* as read, for increments */
    double shown[4];    /* the last ones, newest first */
    double alternation; /* sum */
    double sums[4];     /* of t, x, t^2, t x, for the drift */
} past;

static double read_column(lv_race *race, const lv_column *c, past *p, bool first)
{
    double plain = c->read(&race->motions[c->motion], c->index);
    double shown = !c->increment ? plain : first ? 0 : plain - p->plain;
    p->plain = plain;
    return shown;
}

static void follow_zigzag(lv_track *t, past *p, double x, int node)
{
    const double *y = p->shown;
    if (node >= 4) {
        p->alternation += fabs(x - 4 * y[0] + 6 * y[1] - 4 * y[2] + y[3]) / 16;
        t->zigzag = p->alternation / (node - 3);
    }
    memmove(p->shown + 1, p->shown, 3 * sizeof *p->shown);
    p->shown[0] = x;
}

static void follow_drift(lv_track *t, past *p, double time, double x, int node)
{
    double count = node + 1, *s = p->sums;
    s[0] += time;
    s[1] += x - t->first; /* what is far from 0 would lose digits */
    s[2] += time * time;
    s[3] += time * (x - t->first);
    if (node > 0)
        t->drift = (count * s[3] - s[0] * s[1]) / (count * s[2] - s[0] * s[0]);
}

static void follow(lv_track *t, past *p, double time, double value, int node)
{
    if (node == 0)
        *t = (lv_track){.first = value, .least = value, .most = value};
    t->last = value;
    t->least = fmin(t->least, value);
    t->most = fmax(t->most, value);
    t->size = fmax(t->size, fabs(value));
    follow_zigzag(t, p, value, node);
    follow_drift(t, p, time, value, node);
}

/* Reads all columns at the node they have reached. */
static lv_status read_node(lv_race *race, const lv_column *columns, int count,
                           lv_track *tracks, past *pasts, int node, lv_error *err)
{
    race->bench->row[0] = race->motions[0].time;
    for (int c = 0; c < count; c++) {
        double value = read_column(race, &columns[c], &pasts[c], node == 0);
        race->bench->row[1 + c] = value;
        if (tracks)
            follow(&tracks[c], &pasts[c], race->bench->row[0], value, node);
    }
    return race->silent ? LV_OK : lv_bench_row(race->bench, err);
}

static lv_status name_columns(lv_bench *bench, const lv_column *columns, int count,
                              lv_error *err)
{
    const char **names = lv_arena_alloc(bench->arena, LV_BENCH_COLUMNS, sizeof *names);
    if (!names)
        return lv_fail_memory(err);
    names[0] = "t";
    for (int c = 0; c < count; c++)
        names[1 + c] = columns[c].name;
    return lv_bench_columns(bench, names, 1 + count, err);
}

lv_status lv_race_run(lv_race *race, int steps, const lv_column *columns, int count,
                      lv_track *tracks, lv_error *err)
{
    past pasts[LV_BENCH_COLUMNS] = {{0}};
    int node = 0;
    if (!race->silent)
        LV_TRY(name_columns(race->bench, columns, count, err));
    if (!race->skip_start)
        LV_TRY(read_node(race, columns, count, tracks, pasts, node++, err));
    for (int n = 0; n < steps; n++) {
        if (n % 256 == 0 && !lv_bench_go_on(race->bench))
            break;
        for (int k = 0; k < race->count; k++)
            LV_TRY(lv_motion_step(&race->motions[k], err));
        LV_TRY(read_node(race, columns, count, tracks, pasts, node++, err));
    }
    return LV_OK;
}

lv_status lv_race_course(lv_bench *bench, const lv_course *course, lv_track *tracks,
                         lv_error *err)
{
    lv_race race;
    LV_TRY(lv_race_begin(&race, bench, &course->start, course->schemes, err));
    race.skip_start = course->skip_start;
    race.silent = course->silent;
    lv_status status = lv_race_run(&race, course->steps, course->columns,
                                   course->column_count, tracks, err);
    lv_race_end(&race);
    return status;
}

/* ---- convergence ------------------------------------------------------------------------------------- */

double lv_relative_distance(const double *a, const double *b, int n)
{
    double difference = 0, size = 0;
    for (int i = 0; i < n; i++) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        size += b[i] * b[i];
    }
    return sqrt(difference / size);
}

double lv_largest_difference(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* The error after the steps of size h, to `until`. */
static lv_status error_at(const lv_refinement *r, const char *scheme, double h,
                          double *error, lv_error *err)
{
    lv_motion motion;
    lv_start start = r->start;
    start.step = h;
    LV_TRY(lv_motion_begin(&motion, &start, scheme, err));
    lv_status status = lv_motion_steps(&motion, lround(r->until / h), err);
    if (status == LV_OK)
        *error = r->error(&motion, r->reference);
    lv_motion_end(&motion);
    return status;
}

double lv_slope(const double *x, const double *y, int count)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 0; k < count; k++) {
        sx += x[k];
        sy += y[k];
        sxx += x[k] * x[k];
        sxy += x[k] * y[k];
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

lv_status lv_refine(lv_bench *bench, const lv_refinement *r, double *orders,
                    lv_error *err)
{
    double x[LV_SLOPE_STEPS], y[LV_RACE_MOST][LV_SLOPE_STEPS];
    int count = 0;
    while (r->schemes[count])
        orders[count++] = 0;
    if (!r->silent)
        LV_TRY(lv_bench_columns(bench, r->names, 1 + count, err));
    for (int i = 0; i < LV_SLOPE_STEPS; i++) {
        double h = r->start.step / (1 << i);
        x[i] = log(h);
        bench->row[0] = h;
        for (int k = 0; k < count; k++) {
            LV_TRY(error_at(r, r->schemes[k], h, &bench->row[1 + k], err));
            y[k][i] = log(bench->row[1 + k]);
            if (!lv_bench_go_on(bench))
                return LV_OK;
        }
        if (!r->silent)
            LV_TRY(lv_bench_row(bench, err));
    }
    for (int k = 0; k < count; k++)
        orders[k] = lv_slope(x, y[k], LV_SLOPE_STEPS);
    return LV_OK;
}
