#include "cli/reproduce/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- motions ------------------------------------------------------------------------------------- */

static lv_status observe_node(cli_motion *m, lv_error *err)
{
    m->time = lv_sim_time(m->sim);
    m->energies = lv_sim_energies(m->sim);
    CLI_TRY(lv_sim_constraints_at(m->sim, m->g, m->rate, m->time, m->q, m->v, err));
    if (lv_sim_step_multipliers(m->sim, m->lambda, m->gamma))
        for (int r = 0; r < m->m; r++)
            m->lambda[r] = -m->lambda[r];
    return LV_OK;
}

static lv_status motion_make_room(cli_motion *m, lv_error *err)
{
    size_t n = (size_t)m->n, rows = (size_t)lv_sim_constraint_count(m->sim);
    m->room = calloc(4 * n + 4 * rows + 1, sizeof *m->room);
    if (!m->room)
        return cli_fail_memory(err);
    m->before = m->room;
    m->scratch = m->room + n;
    m->lambda = m->room + 4 * n;
    m->gamma = m->lambda + rows;
    m->g = m->gamma + rows;
    m->rate = m->g + rows;
    return LV_OK;
}

/* Reads "degree=2", an option by its name in model files. */
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
    return cli_fail(err, LV_ERR_USAGE, "'%s' is no option of a scheme", word);
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
        CLI_TRY(take_option(&options->options, word, err));
        word = next;
    }
    return LV_OK;
}

static lv_status read_model(cli_motion *m, const cli_start *start, lv_error *err)
{
    int settings = 0;
    while (settings < CLI_START_SETTINGS && start->settings[settings].name)
        settings++;
    return start->text
               ? lv_model_parse(&m->model, start->model, start->text, strlen(start->text),
                                start->settings, settings, err)
               : lv_model_read(&m->model, start->model, start->settings, settings, err);
}

static lv_status motion_begin(cli_motion *m, const cli_start *start, const char *scheme,
                              lv_error *err)
{
    char text[120];
    lv_sim_options options = {.step = start->step, .dense = start->dense};
    snprintf(text, sizeof text, "%s", scheme);
    CLI_TRY(take_scheme(&options, text, err));
    CLI_TRY(read_model(m, start, err));
    CLI_TRY(lv_sim_create(&m->sim, m->model, &options, err));
    m->step = start->step;
    m->n = lv_model_coordinate_count(m->model);
    m->m = lv_sim_holonomic_count(m->sim);
    m->q = lv_sim_position(m->sim);
    m->v = lv_sim_velocity(m->sim);
    m->p = lv_sim_momentum(m->sim);
    CLI_TRY(motion_make_room(m, err));
    if (start->velocity)
        CLI_TRY(lv_sim_set_state(m->sim, 0, lv_model_start_position(m->model),
                                 start->velocity, err));
    return observe_node(m, err);
}

lv_status cli_motion_begin(cli_motion *m, const cli_start *start, const char *scheme,
                           lv_error *err)
{
    memset(m, 0, sizeof *m);
    lv_status status = motion_begin(m, start, scheme, err);
    if (status != LV_OK)
        cli_motion_end(m);
    return status;
}

void cli_motion_end(cli_motion *m)
{
    lv_sim_free(m->sim);
    lv_model_free(m->model);
    free(m->room);
    memset(m, 0, sizeof *m);
}

lv_status cli_motion_step(cli_motion *m, lv_error *err)
{
    memcpy(m->before, m->q, (size_t)m->n * sizeof *m->before);
    CLI_TRY(lv_sim_step(m->sim, err));
    m->iterations += lv_sim_iterations(m->sim);
    return observe_node(m, err);
}

lv_status cli_motion_steps(cli_motion *m, long count, lv_error *err)
{
    for (long n = 0; n < count; n++)
        CLI_TRY(cli_motion_step(m, err));
    return LV_OK;
}

lv_status cli_motion_reach(const cli_start *start, const char *scheme, long steps,
                           double *q, double *p, lv_error *err)
{
    cli_motion m;
    CLI_TRY(cli_motion_begin(&m, start, scheme, err));
    lv_status status = cli_motion_steps(&m, steps, err);
    for (int k = 0; k < m.n; k++) {
        if (q)
            q[k] = m.q[k];
        if (p)
            p[k] = m.p[k];
    }
    cli_motion_end(&m);
    return status;
}

/* ---- readings ------------------------------------------------------------------------------------- */

double cli_read_q(cli_motion *m, int k)
{
    return m->q[k];
}

double cli_read_p(cli_motion *m, int k)
{
    return m->p[k];
}

double cli_read_lambda(cli_motion *m, int k)
{
    return m->lambda[k];
}

double cli_read_gamma(cli_motion *m, int k)
{
    return m->gamma[k];
}

double cli_read_kinetic(cli_motion *m, int k)
{
    (void)k;
    return m->energies.kinetic;
}

double cli_read_potential(cli_motion *m, int k)
{
    (void)k;
    return m->energies.potential;
}

double cli_read_energy(cli_motion *m, int k)
{
    (void)k;
    return m->energies.total;
}

double cli_read_total(cli_motion *m, int k)
{
    (void)k;
    return m->energies.kinetic + m->energies.potential;
}

double cli_read_angular(cli_motion *m, int k)
{
    double sum = 0;
    int a = (k + 1) % 3, b = (k + 2) % 3;
    for (int i = 0; i + 2 < m->n; i += 3)
        sum += m->q[i + a] * m->p[i + b] - m->q[i + b] * m->p[i + a];
    return sum;
}

double cli_read_legendre(cli_motion *m, int k)
{
    (void)k;
    if (lv_sim_momentum_at(m->sim, m->scratch, m->time, m->q, m->v, NULL) != LV_OK)
        return (double)NAN;
    return cli_largest_difference(m->p, m->scratch, m->n);
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

double cli_read_position(cli_motion *m, int k)
{
    return pick(m->g, m->m, k);
}

double cli_read_hidden(cli_motion *m, int k)
{
    return pick(m->rate, m->m, k);
}

/* The mass matrix is constant, so that the function that turns momenta into velocities
 * applies M^-1. */
double cli_read_inner(cli_motion *m, int k)
{
    double *velocity = m->scratch, *force = velocity + m->n, *push = force + m->n;
    for (int i = 0; i < m->n; i++) {
        velocity[i] = (m->q[i] - m->before[i]) / m->step;
        push[i] = 0;
    }
    if (lv_sim_constraint_force_at(m->sim, force, m->time, m->q, velocity, m->gamma,
                                   NULL) != LV_OK ||
        lv_sim_velocity_at(m->sim, push, m->time, m->q, force, NULL) != LV_OK)
        return (double)NAN;
    for (int i = 0; i < m->n; i++)
        velocity[i] -= push[i];
    if (lv_sim_constraints_at(m->sim, NULL, m->rate, m->time, m->q, velocity, NULL) !=
        LV_OK)
        return (double)NAN;
    return pick(m->rate, m->m, k);
}

/* ---- races ------------------------------------------------------------------------------------------ */

lv_status cli_race_begin(cli_race *race, cli_bench *bench, const cli_start *start,
                         const char *const *schemes, lv_error *err)
{
    *race = (cli_race){.bench = bench};
    for (int k = 0; schemes[k]; k++) {
        lv_status status = cli_motion_begin(&race->motions[k], start, schemes[k], err);
        if (status != LV_OK) {
            cli_race_end(race);
            return status;
        }
        race->count++;
    }
    return LV_OK;
}

void cli_race_end(cli_race *race)
{
    for (int k = 0; k < race->count; k++)
        cli_motion_end(&race->motions[k]);
    race->count = 0;
}

/* The last readings of a column, for changes and alternations. */
typedef struct past {
    double plain;       /* as read, for increments */
    double shown[4];    /* the last ones, newest first */
    double alternation; /* sum of |fourth differences| */
    double sums[4];     /* of t, x, t^2, t x, for the drift */
} past;

static double read_column(cli_race *race, const cli_column *c, past *p, bool first)
{
    double plain = c->read(&race->motions[c->motion], c->index);
    double shown = !c->increment ? plain : first ? 0 : plain - p->plain;
    p->plain = plain;
    return shown;
}

static void follow_zigzag(cli_track *t, past *p, double x, int node)
{
    const double *y = p->shown;
    if (node >= 4) {
        p->alternation += fabs(x - 4 * y[0] + 6 * y[1] - 4 * y[2] + y[3]) / 16;
        t->zigzag = p->alternation / (node - 3);
    }
    memmove(p->shown + 1, p->shown, 3 * sizeof *p->shown);
    p->shown[0] = x;
}

static void follow_drift(cli_track *t, past *p, double time, double x, int node)
{
    double count = node + 1, *s = p->sums;
    s[0] += time;
    s[1] += x - t->first; /* the difference keeps digits if x is far from 0 */
    s[2] += time * time;
    s[3] += time * (x - t->first);
    if (node > 0)
        t->drift = (count * s[3] - s[0] * s[1]) / (count * s[2] - s[0] * s[0]);
}

static void follow(cli_track *t, past *p, double time, double value, int node)
{
    if (node == 0)
        *t = (cli_track){.first = value, .least = value, .most = value};
    t->last = value;
    t->least = fmin(t->least, value);
    t->most = fmax(t->most, value);
    t->size = fmax(t->size, fabs(value));
    follow_zigzag(t, p, value, node);
    follow_drift(t, p, time, value, node);
}

/* Reads all columns at the current node. */
static lv_status read_node(cli_race *race, const cli_column *columns, int count,
                           cli_track *tracks, past *pasts, int node, lv_error *err)
{
    race->bench->row[0] = race->motions[0].time;
    for (int c = 0; c < count; c++) {
        double value = read_column(race, &columns[c], &pasts[c], node == 0);
        race->bench->row[1 + c] = value;
        if (tracks)
            follow(&tracks[c], &pasts[c], race->bench->row[0], value, node);
    }
    return race->silent ? LV_OK : cli_bench_row(race->bench, err);
}

static lv_status name_columns(cli_bench *bench, const cli_column *columns, int count,
                              lv_error *err)
{
    const char **names = cli_pool_alloc(bench->pool, CLI_BENCH_COLUMNS, sizeof *names);
    if (!names)
        return cli_fail_memory(err);
    names[0] = "t";
    for (int c = 0; c < count; c++)
        names[1 + c] = columns[c].name;
    return cli_bench_columns(bench, names, 1 + count, err);
}

lv_status cli_race_run(cli_race *race, int steps, const cli_column *columns, int count,
                       cli_track *tracks, lv_error *err)
{
    past pasts[CLI_BENCH_COLUMNS] = {{0}};
    int node = 0;
    if (!race->silent)
        CLI_TRY(name_columns(race->bench, columns, count, err));
    if (!race->skip_start)
        CLI_TRY(read_node(race, columns, count, tracks, pasts, node++, err));
    for (int n = 0; n < steps; n++) {
        if (n % 256 == 0 && !cli_bench_go_on(race->bench))
            break;
        for (int k = 0; k < race->count; k++)
            CLI_TRY(cli_motion_step(&race->motions[k], err));
        CLI_TRY(read_node(race, columns, count, tracks, pasts, node++, err));
    }
    return LV_OK;
}

lv_status cli_race_course(cli_bench *bench, const cli_course *course, cli_track *tracks,
                          lv_error *err)
{
    cli_race race;
    CLI_TRY(cli_race_begin(&race, bench, &course->start, course->schemes, err));
    race.skip_start = course->skip_start;
    race.silent = course->silent;
    lv_status status = cli_race_run(&race, course->steps, course->columns,
                                    course->column_count, tracks, err);
    cli_race_end(&race);
    return status;
}

/* ---- convergence ------------------------------------------------------------------------------------- */

double cli_relative_distance(const double *a, const double *b, int n)
{
    double difference = 0, size = 0;
    for (int i = 0; i < n; i++) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        size += b[i] * b[i];
    }
    return sqrt(difference / size);
}

double cli_largest_difference(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* The error at the time `until` with steps of size h. */
static lv_status error_at(const cli_refinement *r, const char *scheme, double h,
                          double *error, lv_error *err)
{
    cli_motion motion;
    cli_start start = r->start;
    start.step = h;
    CLI_TRY(cli_motion_begin(&motion, &start, scheme, err));
    lv_status status = cli_motion_steps(&motion, lround(r->until / h), err);
    if (status == LV_OK)
        *error = r->error(&motion, r->reference);
    cli_motion_end(&motion);
    return status;
}

double cli_slope(const double *x, const double *y, int count)
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

lv_status cli_refine(cli_bench *bench, const cli_refinement *r, double *orders,
                     lv_error *err)
{
    double x[CLI_SLOPE_STEPS], y[CLI_RACE_MOST][CLI_SLOPE_STEPS];
    int count = 0;
    while (r->schemes[count])
        orders[count++] = 0;
    if (!r->silent)
        CLI_TRY(cli_bench_columns(bench, r->names, 1 + count, err));
    for (int i = 0; i < CLI_SLOPE_STEPS; i++) {
        double h = r->start.step / (1 << i);
        x[i] = log(h);
        bench->row[0] = h;
        for (int k = 0; k < count; k++) {
            CLI_TRY(error_at(r, r->schemes[k], h, &bench->row[1 + k], err));
            y[k][i] = log(bench->row[1 + k]);
            if (!cli_bench_go_on(bench))
                return LV_OK;
        }
        if (!r->silent)
            CLI_TRY(cli_bench_row(bench, err));
    }
    for (int k = 0; k < count; k++)
        orders[k] = cli_slope(x, y[k], CLI_SLOPE_STEPS);
    return LV_OK;
}
