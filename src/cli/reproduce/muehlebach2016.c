/* Muehlebach, Heimsch, Glocker (2016): Galerkin schemes in time with discontinuous polynomials. */
#include "cli/reproduce/muehlebach2016.h"

#include <math.h>
#include <string.h>

/* ---- swings ------------------------------------------------------------------------------------- */

static void take_node(cli_swing *s, cli_motion *m, int node)
{
    memcpy(s->nodes_q[node], m->q, (size_t)m->n * sizeof(double));
    memcpy(s->nodes_p[node], m->p, (size_t)m->n * sizeof(double));
    s->energy[node] = m->energies.total;
    s->gap = fmax(s->gap, cli_read_position(m, -1));
}

/* Samples the polynomials of the last step. */
static lv_status take_step(cli_swing *s, cli_motion *m, int step, lv_error *err)
{
    for (int k = 0; k < CLI_SWING_SAMPLES; k++) {
        int point = step * CLI_SWING_SAMPLES + k;
        double x = (double)k / CLI_SWING_SAMPLES;
        s->lambda[point] = (double)NAN;
        lv_step_point at = {
            .q = s->q[point], .p = s->p[point], .lambda = &s->lambda[point]};
        CLI_TRY(lv_sim_step_point(m->sim, &at, x, LV_SAMPLE_RAW, err));
    }
    return LV_OK;
}

static lv_status follow(cli_swing *s, cli_motion *m, lv_error *err)
{
    take_node(s, m, 0);
    for (int step = 0; step < CLI_SWING_STEPS; step++) {
        CLI_TRY(cli_motion_step(m, err));
        CLI_TRY(take_step(s, m, step, err));
        take_node(s, m, step + 1);
    }
    return LV_OK;
}

static lv_status follow_exactly(cli_swing *s, cli_motion *m, lv_error *err)
{
    for (int point = 0; point < CLI_SWING_POINTS; point++) {
        memcpy(s->q[point], m->q, (size_t)m->n * sizeof(double));
        memcpy(s->p[point], m->p, (size_t)m->n * sizeof(double));
        if (m->m > 0)
            CLI_TRY(lv_sim_multipliers(m->sim, &s->lambda[point], err));
        if (point % CLI_SWING_SAMPLES == 0)
            take_node(s, m, point / CLI_SWING_SAMPLES);
        CLI_TRY(cli_motion_step(m, err));
    }
    take_node(s, m, CLI_SWING_STEPS);
    return LV_OK;
}

lv_status cli_swing_make(cli_swing **swing, cli_bench *bench, const char *model,
                         const char *scheme, lv_error *err)
{
    const cli_start start = {
        .model = model, .step = scheme ? 0.3 : 0.01, .dense = scheme != NULL};
    cli_swing *s = cli_pool_alloc(bench->pool, 1, sizeof *s);
    cli_motion m;
    *swing = s;
    if (!s)
        return cli_fail_memory(err);
    CLI_TRY(cli_motion_begin(&m, &start, scheme ? scheme : "lobatto stages=5", err));
    s->n = m.n;
    lv_status status = scheme ? follow(s, &m, err) : follow_exactly(s, &m, err);
    cli_motion_end(&m);
    return status;
}

lv_status cli_swing_race(cli_bench *bench, const char *model, const char *const *schemes,
                         const cli_column *columns, int count, cli_track *tracks,
                         lv_error *err)
{
    const cli_course course = {.start = {.model = model, .step = 0.3},
                               .schemes = schemes,
                               .steps = 6000,
                               .columns = columns,
                               .column_count = count};
    return cli_race_course(bench, &course, tracks, err);
}

void cli_swing_errors(const cli_swing *s, const cli_swing *exact, double *q, double *p,
                      double *lambda)
{
    double sums[3] = {0};
    for (int point = 0; point < CLI_SWING_POINTS; point++) {
        double off = s->lambda[point] - exact->lambda[point];
        sums[2] += off * off;
        for (int k = 0; k < s->n; k++) {
            double of_q = s->q[point][k] - exact->q[point][k];
            double of_p = s->p[point][k] - exact->p[point][k];
            sums[0] += of_q * of_q;
            sums[1] += of_p * of_p;
        }
    }
    *q = sqrt(sums[0] / CLI_SWING_POINTS);
    *p = sqrt(sums[1] / CLI_SWING_POINTS);
    *lambda = sqrt(sums[2] / CLI_SWING_POINTS);
}

/* ---- the paper ------------------------------------------------------------------------------------ */

static const cli_erratum_info errata[] = {
    {"Table II, Section 6.1", "rms error of q: 1.24e-4 rad", "1.24e-3 rad"},
    {"(24), (25), (41)", "conservation of an energy-like quantity",
     "an identity of each step: the quantity at the end of a step is not that at the "
     "start of the next"},
    {"(67)", "int tau' W tau_g eta; tau(0) p_z(T)",
     "int (tau' W + tau dW/dt) tau_g eta; tau(T) p_z(T)"},
    {"(71)", "W(q~(0+))", "W(q(t_i)), as in (38): only that is symplectic"},
    {"(B.8)", "- delta q f_NP inside the bracket", "+, as in (16) and (B.10)"},
    {"(29)", "W(xi, t)^T xi", "W(q, t)^T xi"},
    {"(9), (13), Fig. 3", "m_q",
     "once the number of parameters, once the degree of the polynomials"},
    {"Section 5", "Gauss points t_g1, t_g2 and t_g0, t_g1", "one of the two"},
    {"Section 2.4", "both left continuous as a natural variant",
     "neither symplectic nor stable; both right continuous damps"},
};

static const cli_chapter *const chapters[] = {&cli_muehlebach2016_properties,
                                              &cli_muehlebach2016_polar,
                                              &cli_muehlebach2016_cartesian, NULL};

extern const cli_paper cli_paper_muehlebach2016;

const cli_paper cli_paper_muehlebach2016 = {
    .name = "muehlebach2016",
    .title = "Variational integrators - A continuous time approach",
    .citation =
        "M. Muehlebach, T. Heimsch, Ch. Glocker, Int. J. Numer. Meth. Engng (2016)",
    .chapters = chapters,
    .errata = errata,
    .erratum_count = (int)(sizeof errata / sizeof *errata)};
