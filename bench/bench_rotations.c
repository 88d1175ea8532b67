/* What it costs to follow bodies to a given accuracy, for each formulation of their rotations and schemes of several orders.
 *
 *     bench_rotations [--short] [--only SYSTEM] [--json FILE]
 *
 * A heavy top with a fixed tip, a free body, two bodies with joints, a closed mechanism, a rolling disc, chains of 10 and 100
 * links in space and in the plane. Each way makes its step smaller until axes and positions at the end (of the chains of 100 positions
 * alone) are accurate enough; then all take turns, and the best of several turns counts. Reading the model and preparing the
 * simulation are not counted. Peers that are installed take part: SUNDIALS follows the top, with quaternions (ERK) and with
 * directors (IDA), MuJoCo and Simbody follow the chains of 100 in joint coordinates, with hinges the one in the plane and with
 * balls the one in space. */
#include "clock.h"
#include "contest.h"
#include "peer_motion.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double targets[] = {1e-4, 1e-6, 1e-8};
enum { TARGETS = sizeof targets / sizeof *targets, BRIEF_TARGETS = 1, TURNS = 7 };

/* More steps than these are not tried. */
enum { MOST_STEPS = 40000, BRIEF_STEPS = 3000 };

/* ---- systems ------------------------------------------------------------------------------------------------- */

static const char top[] = "[gravity]\nacceleration = [0, 0, -9.81]\n"
                          "[bodies.top]\nmass = 15\n"
                          "inertia = [0.234375, 0.46875, 0.234375]\n"
                          "position = [0, 1, 0]\npivot = [0, -1, 0]\n"
                          "angular_velocity = [0, 150, -4.61538]\n";

static const char free_body[] = "[bodies.b]\nmass = 1\ninertia = [1, 2, 2.5]\n"
                                "position = [0, 0, 0]\npivot = [0, 0, 0]\n"
                                "angular_velocity = [0.4, 1.1, 0.3]\n";

/* The first swings on a hinge, the second on the first. */
static const char jointed[] =
    "[gravity]\nacceleration = [0, 0, -9.81]\n"
    "[bodies.a]\nmass = 1.2\ninertia = [0.10, 0.15, 0.22]\nposition = [0.4, 0, 0]\n"
    "spin = [0, 3, 0]\nvelocity = [0, 0, -1.2]\n"
    "[bodies.b]\nmass = 0.8\ninertia = [0.08, 0.12, 0.05]\nposition = [1.0, 0.1, 0]\n"
    "velocity = [0.8, -1.6, -2.4]\nspin = [6, 3, -8]\n"
    "[joints.hinge]\ntype = \"revolute\"\nbetween = [\"ground\", \"a\"]\nat = [0, 0, 0]\n"
    "axis = [0, 1, 0]\n"
    "[joints.ball]\ntype = \"spherical\"\nbetween = [\"a\", \"b\"]\nat = [0.8, 0, 0]\n";

/* Links of a chain of unit length and mass, let go in a horizontal line. The motion stays in a plane, where balls are as good as
 * hinges and cost less. */
static const char chain[] =
    "[parameters]\nN = 90\n[gravity]\nacceleration = [0, 0, -9.81]\n"
    "[bodies.rod]\ncount = \"N\"\nmass = \"1/N\"\n"
    "inertia = [\"0.09/N^3\", \"0.09/N^3\", \"0.01/N^3\"]\n"
    "position = [\"(i - 0.5)/N\", 0, 0]\nrotation = [0, \"pi/2\", 0]\n"
    "[joints.pin]\ntype = \"spherical\"\nbetween = [\"ground\", \"rod_1\"]\n"
    "at = [0, 0, 0]\n"
    "[joints.link]\nfor = \"i = 2..N\"\ntype = \"spherical\"\n"
    "between = [\"rod_{i-1}\", \"rod_i\"]\nat = [\"(i - 1)/N\", 0, 0]\n";

/* The same chain, of bodies in the plane. */
static const char plane_chain[] =
    "[parameters]\nN = 90\n[gravity]\nacceleration = [0, -9.81]\n"
    "[bodies.rod]\ncount = \"N\"\nmass = \"1/N\"\ninertia = \"0.09/N^3\"\n"
    "position = [\"(i - 0.5)/N\", 0]\n"
    "[joints.pin]\ntype = \"revolute\"\nbetween = [\"ground\", \"rod_1\"]\n"
    "at = [0, 0]\n"
    "[joints.link]\nfor = \"i = 2..N\"\ntype = \"revolute\"\n"
    "between = [\"rod_{i-1}\", \"rod_i\"]\nat = [\"(i - 1)/N\", 0]\n";

/* Columns of R at the end, from two other solvers. */
static const double top_end[] = {0.2292996408036, -0.7653407422047, -0.6013943989172,
                                 0.1733439640984, 0.6400885920706,  -0.7484907911336,
                                 0.9577961917016, 0.06738058045687, 0.279439282384};

/* What a system allows. */
typedef enum kind { FREE, CONSTRAINED, ROLLING, LONG, PLANE } kind;

typedef struct bodies {
    const char *name,
        *text; /* of the model; NULL: the shipped one of this name, with - in place of spaces */
    double until;
    const double *end; /* NULL: found with many stages, in two formulations */
    kind kind;
    int first_steps;
    int links;                /* of a chain; 0: no chain */
    const peer_motion *peers; /* NULL: none */
} bodies;

static const bodies systems[] = {
    {"heavy top", top, 1, top_end, FREE, 10, 0, peer_tops},
    {"free body", free_body, 4, NULL, FREE, 2, 0, NULL},
    {"jointed bodies", jointed, 1, NULL, CONSTRAINED, 4, 0, NULL},
    {"slider crank spatial", NULL, 0.25, NULL, CONSTRAINED, 10, 0, NULL},
    {"rolling disc body", NULL, 2, NULL, ROLLING, 4, 0, NULL},
    {"chain of 10", chain, 0.3, NULL, CONSTRAINED, 10, 10, NULL},
    {"chain of 100", chain, 0.3, NULL, LONG, 30, 100, peer_balls},
    {"chain of 100 in the plane", plane_chain, 0.3, NULL, PLANE, 30, 100, peer_hinges},
};
enum { SYSTEMS = sizeof systems / sizeof *systems, LARGEST = 1300, BRIEF_LINKS = 5 };

static bool is_long(const bodies *b)
{
    return b->kind == LONG || b->kind == PLANE;
}

/* ---- ways ---------------------------------------------------------------------------------------------------- */

enum { DIRECTORS, EXP, CAY, EXACT, ANGLE };
static const char *const rotations[] = {"directors", "exp", "cay", "exact", "angle"};

typedef struct way {
    const char *scheme;
    int rotations, stages, compose, order;
} way;

/* Without constraints. */
static const way ways[] = {
    {"rattle", DIRECTORS, 0, 0, 2}, {"rattle", DIRECTORS, 0, 4, 4},
    {"rattle", DIRECTORS, 0, 8, 8}, {"lobatto", DIRECTORS, 5, 0, 8},
    {"verlet", EXP, 0, 0, 2},       {"gauss", EXP, 2, 0, 4},
    {"gauss", EXP, 4, 0, 8},        {"verlet", CAY, 0, 0, 2},
    {"gauss", CAY, 2, 0, 4},        {"gauss", CAY, 4, 0, 8},
    {"verlet", EXACT, 0, 0, 2},     {"verlet", EXACT, 0, 4, 4},
    {"verlet", EXACT, 0, 6, 6},     {"verlet", EXACT, 0, 8, 8},
};

static const way constrained_ways[] = {
    {"rattle", DIRECTORS, 0, 0, 2},    {"rattle", DIRECTORS, 0, 4, 4},
    {"rattle", DIRECTORS, 0, 8, 8},    {"lobatto", DIRECTORS, 3, 0, 4},
    {"lobatto", DIRECTORS, 5, 0, 8},   {"rattle", EXP, 0, 0, 2},
    {"lobatto", EXP, 3, 0, 4},         {"lobatto", EXP, 5, 0, 8},
    {"rattle", CAY, 0, 0, 2},          {"lobatto", CAY, 3, 0, 4},
    {"lobatto", CAY, 5, 0, 8},         {"rattle", EXACT, 0, 0, 2},
    {"rattle", EXACT, 0, 4, 4},        {"rattle", EXACT, 0, 8, 8},
    {"multistep", DIRECTORS, 2, 0, 4}, {"multistep", DIRECTORS, 3, 0, 6},
};

/* There are no compositions. */
static const way rolling_ways[] = {
    {"rattle", DIRECTORS, 0, 0, 2},  {"lobatto", DIRECTORS, 3, 0, 4},
    {"lobatto", DIRECTORS, 4, 0, 6}, {"rattle", EXP, 0, 0, 2},
    {"lobatto", EXP, 3, 0, 4},       {"lobatto", EXP, 4, 0, 6},
    {"rattle", CAY, 0, 0, 2},        {"lobatto", CAY, 3, 0, 4},
    {"lobatto", CAY, 4, 0, 6},
};

/* Of the others the runs take too long. */
static const way long_ways[] = {
    {"rattle", DIRECTORS, 0, 0, 2},    {"rattle", DIRECTORS, 0, 4, 4},
    {"rattle", DIRECTORS, 0, 8, 8},    {"lobatto", EXP, 3, 0, 4},
    {"lobatto", EXP, 4, 0, 6},         {"rattle", EXACT, 0, 0, 2},
    {"rattle", EXACT, 0, 4, 4},        {"rattle", EXACT, 0, 8, 8},
    {"multistep", DIRECTORS, 2, 0, 4}, {"multistep", DIRECTORS, 3, 0, 6},
};
static const way plane_ways[] = {
    {"rattle", ANGLE, 0, 0, 2},    {"rattle", ANGLE, 0, 4, 4},
    {"rattle", ANGLE, 0, 6, 6},    {"rattle", ANGLE, 0, 8, 8},
    {"lobatto", ANGLE, 3, 0, 4},   {"lobatto", ANGLE, 4, 0, 6},
    {"multistep", ANGLE, 2, 0, 4}, {"multistep", ANGLE, 3, 0, 6},
};

typedef struct way_list {
    const way *ways;
    int count;
} way_list;

#define LIST(ways)                                                                       \
    {                                                                                    \
        ways, (int)(sizeof(ways) / sizeof *(ways))                                       \
    }
static const way_list lists[] = {[FREE] = LIST(ways),
                                 [CONSTRAINED] = LIST(constrained_ways),
                                 [ROLLING] = LIST(rolling_ways),
                                 [LONG] = LIST(long_ways),
                                 [PLANE] = LIST(plane_ways)};

enum { WAYS = 16, PEERS = 4, CONTESTANTS = WAYS + PEERS };

/* Positions are compared, so that a scheme whose velocities enter no step does not project them. */
static bool is_observed(const way *w)
{
    return strcmp(w->scheme, "multistep") == 0;
}

static void name_way(char *name, size_t size, const way *w)
{
    (void)snprintf(name, size, "%s", w->scheme);
    if (w->stages > 0)
        (void)snprintf(name, size, "%s --stages %d", w->scheme, w->stages);
    if (w->compose > 0)
        (void)snprintf(name, size, "%s --compose %d", w->scheme, w->compose);
    if (is_observed(w))
        (void)snprintf(name, size, "%s --stages %d --projection=false", w->scheme,
                       w->stages);
}

static lv_status read_model(lv_model **model, const bodies *b, lv_error *err)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%d", b->links);
    const lv_setting setting = {"N", text};
    if (b->text)
        return lv_model_parse(model, b->name, b->text, strlen(b->text), &setting,
                              b->links > 0, err);
    (void)snprintf(text, sizeof text, "%s", b->name);
    for (char *c = text; *c; c++)
        *c = *c == ' ' ? '-' : *c;
    return lv_model_read(model, text, NULL, 0, err);
}

static bench_sim create(const bodies *b, const way *w, int steps)
{
    bench_sim s = {0};
    lv_error err;
    bench_check(read_model(&s.model, b, &err) == LV_OK, err.text, b->name, 0);
    lv_sim_options options = lv_sim_options_default(s.model);
    options.scheme = w->scheme;
    options.options = (lv_scheme_options){0};
    options.step = b->until / steps;
    if (w->rotations != ANGLE)
        lv_scheme_option_set(&options.options, LV_OPTION_ROTATIONS, w->rotations);
    if (w->stages > 0)
        lv_scheme_option_set(&options.options, LV_OPTION_STAGES, w->stages);
    if (w->compose > 0)
        lv_scheme_option_set(&options.options, LV_OPTION_COMPOSE, w->compose);
    if (is_observed(w))
        lv_scheme_option_set(&options.options, LV_OPTION_PROJECTION, 0);
    bench_check(lv_sim_create(&s.sim, s.model, &options, &err) == LV_OK, err.text,
                b->name, 0);
    return s;
}

/* Numbers that are compared, and where they are in the end: axes and positions. Of long chains positions alone, in space. */
static int take_end(const bodies *b, const bench_sim *s, double *q)
{
    const double *x = lv_sim_position(s->sim);
    const int n = is_long(b) ? 3 * b->links : lv_model_coordinate_count(s->model);
    for (int k = 0; b->kind != PLANE && k < n; k++)
        q[k] = x[k];
    for (int k = 0; b->kind == PLANE && k < b->links; k++) {
        double *to = q + (ptrdiff_t)3 * k;
        to[0] = x[2 * k];
        to[1] = 0;
        to[2] = x[2 * k + 1];
    }
    return n;
}

/* false: a step failed. */
static bool reach(const bodies *b, const way *w, int steps, double *q)
{
    bench_sim s = create(b, w, steps);
    const bool ok = bench_sim_try(&s, steps);
    (void)take_end(b, &s, q);
    bench_sim_free(&s);
    return ok;
}

/* Two ways to find the end of a motion that have little in common. */
static void choose_fine(const bodies *b, way fine[2])
{
    const way stages = {"lobatto", EXP, 6, 0, 10},
              axes = {"lobatto", DIRECTORS, 6, 0, 10},
              composed = {"rattle", EXACT, 0, 8, 8}, five = {"lobatto", ANGLE, 5, 0, 8},
              angle = {"rattle", ANGLE, 0, 8, 8};
    fine[0] = b->kind == PLANE ? five : stages;
    fine[1] = b->kind == PLANE ? angle : b->links > 0 ? composed : axes;
}

/* The end of a motion, the same both ways. */
static int find_end(const bodies *b, bool brief, double *end)
{
    way fine[2];
    double other[LARGEST];
    choose_fine(b, fine);
    bench_sim s = create(b, &fine[0], 1);
    const int n = take_end(b, &s, end), steps = brief ? 60 : b->links > 10 ? 300 : 200;
    bench_sim_free(&s);
    if (b->end) {
        memcpy(end, b->end, (size_t)n * sizeof *end);
        return n;
    }
    const bool ok = reach(b, &fine[0], steps, end) && reach(b, &fine[1], steps, other);
    const double apart = bench_distance(end, other, n);
    const double most = brief ? 1e-7 : b->links > 0 ? 1e-9 : 1e-11;
    bench_check(ok && apart < most, "references are apart", b->name, apart);
    return n;
}

/* ---- contests -------------------------------------------------------------------------------------------------- */

/* What one contestant needs for one target. */
typedef struct result {
    double setting; /* steps or tolerance; 0: not reached */
    double error, ns;
} result;

typedef struct contest {
    const bodies *bodies;
    bool brief;
    int n, target_count, way_count, most_steps;
    const way *ways; /* those of its kind */
    double end[LARGEST];
    bench_sim sims[WAYS][TARGETS];
    result results[CONTESTANTS][TARGETS];
} contest;

/* In short runs it matters only that targets are met. */
static int finer(const contest *c, int steps)
{
    return c->brief ? 2 * steps : steps + steps / (is_long(c->bodies) ? 6 : 10) + 1;
}

/* Nobody waits for longer runs. */
static const double too_long = 3e9;

/* The largest steps that meet the targets, one after the other. */
static void find_steps(contest *c, int k)
{
    const bodies *b = c->bodies;
    int met = 0;
    double spent = 0;
    for (int steps = b->first_steps;
         steps <= c->most_steps && met < c->target_count && spent < too_long;
         steps = finer(c, steps)) {
        double q[LARGEST];
        const double start = bench_nanoseconds();
        const bool ok = reach(b, &c->ways[k], steps, q);
        const double error = ok ? bench_distance(q, c->end, c->n) : HUGE_VAL;
        spent = bench_nanoseconds() - start;
        while (met < c->target_count && error <= targets[met]) {
            c->results[k][met] = (result){steps, error, HUGE_VAL};
            c->sims[k][met++] = create(b, &c->ways[k], steps);
        }
    }
}

static bool run_peer(const contest *c, const peer_motion *p, double setting, result *r)
{
    double q[LARGEST];
    const double start = bench_nanoseconds();
    peer_began = 0;
    const bool ok = p->run(setting, c->bodies->until, c->bodies->links, q);
    const double spent = bench_nanoseconds() - (peer_began > 0 ? peer_began : start);
    const double error = ok ? bench_distance(q, c->end, c->n) : HUGE_VAL;
    *r = (result){setting, error, bench_smaller(r->ns, spent)};
    return ok;
}

/* A peer takes smaller tolerances, or more steps, until targets are met, or a run takes too long. */
static void find_setting(contest *c, int k, const peer_motion *p)
{
    int met = 0;
    double setting = p->fixed_steps ? c->bodies->first_steps : 1e-2;
    result r = {0, 0, 0};
    while (met < c->target_count && r.ns < too_long && setting > 1e-15) {
        r.ns = HUGE_VAL;
        (void)run_peer(c, p, setting, &r);
        while (met < c->target_count && r.error <= targets[met])
            c->results[k][met++] = r;
        setting = p->fixed_steps ? floor(1.15 * setting) : setting / (c->brief ? 10 : 2);
    }
}

static int peer_count(const contest *c)
{
    int count = 0;
    while (c->bodies->peers && c->bodies->peers[count].name)
        count++;
    return count;
}

/* What takes long varies little. */
static const double slow = 5e8;

static void take_turn(contest *c)
{
    for (int k = 0; k < c->way_count; k++)
        for (int t = 0; t < c->target_count; t++) {
            result *r = &c->results[k][t];
            if (r->setting <= 0 || (r->ns >= slow && isfinite(r->ns)))
                continue;
            bench_sim_restart(&c->sims[k][t]);
            const double start = bench_nanoseconds();
            const bool ok = bench_sim_try(&c->sims[k][t], (long)r->setting);
            const double spent = bench_nanoseconds() - start;
            bench_check(ok, "a run fails that did not before", c->bodies->name, k);
            r->ns = bench_smaller(r->ns, spent);
        }
    for (int p = 0; p < peer_count(c); p++)
        for (int t = 0; t < c->target_count; t++) {
            result *r = &c->results[c->way_count + p][t];
            if (r->setting > 0 && r->ns < slow)
                (void)run_peer(c, &c->bodies->peers[p], r->setting, r);
        }
}

/* ---- output ---------------------------------------------------------------------------------------------------- */

/* The least time to a target. */
static double least_of(const contest *c, int t)
{
    double least = HUGE_VAL;
    for (int k = 0; k < c->way_count; k++)
        if (c->results[k][t].setting > 0)
            least = bench_smaller(least, c->results[k][t].ns);
    return least;
}

static void print_row(const contest *c, const char *first, const char *second,
                      const result *r, bench_results *out)
{
    printf("%-26s %-10s %-20s", c->bodies->name, first, second);
    bench_results_case(out,
                       "\"system\": \"%s\", \"rotations\": \"%s\", \"scheme\": \"%s\"",
                       c->bodies->name, first, second);
    for (int t = 0; t < c->target_count; t++) {
        if (r[t].setting <= 0) {
            printf(" %9s %8s %7s", "-", "", "");
            continue;
        }
        printf(" %9.4g %8.3f %7.1f", r[t].setting, 1e-6 * r[t].ns,
               r[t].ns / least_of(c, t));
        bench_results_more(out,
                           "\"%.0e\": {\"setting\": %.6g, \"ns\": %.6g, \"cost\": %.4g}",
                           targets[t], r[t].setting, r[t].ns, r[t].ns / least_of(c, t));
    }
    printf("\n");
}

static void print_contest(const contest *c, bench_results *out)
{
    for (int k = 0; k < c->way_count; k++) {
        char name[40];
        name_way(name, sizeof name, &c->ways[k]);
        print_row(c, rotations[c->ways[k].rotations], name, c->results[k], out);
    }
    for (int p = 0; p < peer_count(c); p++)
        print_row(c, "-", c->bodies->peers[p].name, c->results[c->way_count + p], out);
}

/* Short runs leave out what takes long. */
static bool is_tried(const contest *c, const way *w)
{
    return !c->brief || (w->order > 2 && (w->rotations != DIRECTORS || w->stages < 5));
}

static void hold(const bodies *b, bool brief, bench_results *out)
{
    contest *c = bench_memory(1, sizeof *c);
    c->bodies = b;
    c->brief = brief;
    c->target_count = brief ? BRIEF_TARGETS : TARGETS;
    c->most_steps = brief ? BRIEF_STEPS : MOST_STEPS;
    c->ways = lists[b->kind].ways;
    c->way_count = lists[b->kind].count;
    c->n = find_end(b, brief, c->end);
    for (int k = 0; k < c->way_count; k++) {
        if (!is_tried(c, &c->ways[k]))
            continue;
        find_steps(c, k);
        const double met = c->results[k][0].setting;
        bench_check(met > 0 || c->ways[k].order == 2 || b->links > 10,
                    "the error stays above 1e-4", c->ways[k].scheme, k);
    }
    for (int p = 0; p < peer_count(c); p++) {
        find_setting(c, c->way_count + p, &b->peers[p]);
        bench_check(!brief || c->results[c->way_count + p][0].setting > 0,
                    "this one does not get there", b->peers[p].name, targets[0]);
    }
    for (int turn = 0; turn < (brief ? 1 : TURNS); turn++)
        take_turn(c);
    print_contest(c, out);
    for (int k = 0; k < c->way_count; k++)
        for (int t = 0; t < TARGETS; t++)
            bench_sim_free(&c->sims[k][t]);
    free(c);
}

/* Names that are given in full mean themselves alone. */
static bool is_wanted(const char *name, const char *only)
{
    for (int k = 0; only && k < SYSTEMS; k++)
        if (strcmp(systems[k].name, only) == 0)
            return strcmp(name, only) == 0;
    return !only || strstr(name, only);
}

int main(int argc, char **argv)
{
    const bench_request request = bench_request_read(argc, argv);
    bench_results out = bench_results_open(&request, "\"bench\": \"rotations\"");
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    printf("CPU time to errors of axes and positions of");
    for (int t = 0; t < (request.brief ? BRIEF_TARGETS : TARGETS); t++)
        printf(" %.0e", targets[t]);
    printf(": steps or tolerance, ms, relative to the least%s\n",
           peer_tops[1].name || peer_hinges[0].name ? "" : "; no peers were found");
    for (int k = 0; k < SYSTEMS; k++) {
        bodies b = systems[k];
        if (!is_wanted(b.name, request.only))
            continue;
        if (request.brief && is_long(&b)) {
            b.links = BRIEF_LINKS;
            b.first_steps = 10;
        }
        hold(&b, request.brief, &out);
    }
    return bench_results_close(&out);
}
