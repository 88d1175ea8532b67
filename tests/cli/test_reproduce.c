/* Published experiments: all claims come out as expected, and the program would notice if not. */
#include "../model/reading.h"
#include "cli/reproduce/motion.h"
#include "deny.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cli_reproduction *reproduce(const char *name, const cli_reproduce_request *request)
{
    lv_error err;
    cli_reproduction *r = NULL;
    if (cli_reproduce(&r, name, request, &err) != LV_OK)
        fail_with(&err);
    return r;
}

/* ---- claims ------------------------------------------------------------------------------------- */

static int count_published(const cli_figure *figure)
{
    int count = 0;
    for (int k = 0; k < figure->claim_count; k++)
        count += figure->claims[k].published != NULL;
    return count;
}

static int count_bad(const cli_claim_info *claims, int count)
{
    int bad = 0;
    for (int k = 0; k < count; k++) {
        const cli_claim_info *c = &claims[k];
        if (c->verdict == CLI_CLAIM_AGREES || c->verdict == CLI_CLAIM_CORRECTED ||
            (c->verdict == CLI_CLAIM_OPEN && c->measured[0] == '\0'))
            continue;
        print_message("    %s, %s: %s: %.17g\n", c->where, c->claim,
                      cli_claim_verdict_name(c->verdict), c->value);
        bad++;
    }
    return bad;
}

/* What cannot be measured stays open, and nothing else. */
static int count_unexpected(const cli_reproduction *r, const cli_figure *figure)
{
    int open = 0, pinned = 0;
    for (int k = 0; k < figure->claim_count; k++) {
        open += figure->claims[k].published && figure->claims[k].unmeasured;
        pinned += figure->claims[k].pin.source != CLI_PIN_NONE;
    }
    assert_int_equal(r->claim_count, count_published(figure));
    assert_int_equal(r->pin_count, pinned);
    assert_int_equal(r->open, open);
    for (int k = 0; k < r->pin_count; k++)
        assert_true(r->pins[k].verdict != CLI_CLAIM_OPEN);
    return count_bad(r->claims, r->claim_count) + count_bad(r->pins, r->pin_count);
}

static int check_figure(const char *name, const cli_figure *figure)
{
    cli_reproduction *r =
        reproduce(name, &(cli_reproduce_request){.only = figure->where});
    int unexpected = count_unexpected(r, figure);
    cli_reproduction_free(r);
    return unexpected;
}

/* Sanitizers make minutes of what takes seconds. */
static bool takes_long(const cli_paper *paper, const cli_figure *figure)
{
    static const char *const slow[][2] = {{"kinon2023", "Section 6.3, h = 0.04"},
                                          {"martin-sato2018", "Fig. 6"},
                                          {"martin-sato2018", "Fig. 4"},
                                          {"martin-sato2018", "Section 7.2, eps = 0"},
                                          {"martin-sato2018", "Section 7.2, h = pi/10"},
                                          {"knoll2025", "Section 4.2, long run"},
                                          {"knoll2025", "Section 5, orders"}};
    for (size_t k = 0; SLOW && k < sizeof slow / sizeof *slow; k++)
        if (strcmp(paper->name, slow[k][0]) == 0 &&
            strcmp(figure->where, slow[k][1]) == 0)
            return true;
    return figure->lengthy;
}

/* Every figure on its own. */
static void every_claim_comes_out_as_expected(void **state)
{
    (void)state;
    int unexpected = 0;
    for (int k = 0; cli_paper_table[k]; k++)
        for (int c = 0; cli_paper_table[k]->chapters[c]; c++)
            for (int f = 0; f < cli_paper_table[k]->chapters[c]->count; f++) {
                const cli_figure *figure = &cli_paper_table[k]->chapters[c]->figures[f];
                if (!takes_long(cli_paper_table[k], figure))
                    unexpected += check_figure(cli_paper_table[k]->name, figure);
            }
    assert_int_equal(unexpected, 0);
}

/* Verdicts of a claim that was measured to be `value`. */
static cli_claim_verdict verdict_of(double value, const char *correction)
{
    const cli_claim claim = {.text = "it is about one",
                             .published = "1",
                             .least = 0.9,
                             .most = 1.1,
                             .correction = correction,
                             .pin = CLI_PIN(HERE, 0.99, 1.01)};
    const cli_figure figure = {.where = "Fig. 1", .claims = &claim, .claim_count = 1};
    cli_claim_info result = {.verdict = CLI_CLAIM_OPEN, .least = 0.9, .most = 1.1};
    cli_claim_info pin = {.verdict = CLI_CLAIM_OPEN, .least = 0.99, .most = 1.01};
    cli_pool pool = {0};
    cli_bench bench = {
        .figure = &figure, .results = &result, .pins = &pin, .pool = &pool};
    lv_error err;
    assert_int_equal(cli_bench_claim(&bench, 0, value, &err, NULL), LV_OK);
    assert_true(result.measured[0] != '\0');
    assert_int_equal(pin.verdict,
                     fabs(value - 1) <= 0.01 ? CLI_CLAIM_AGREES : CLI_CLAIM_DIFFERS);
    cli_pool_done(&pool);
    return result.verdict;
}

static void numbers_outside_of_their_range_differ(void **state)
{
    (void)state;
    assert_int_equal(verdict_of(1, NULL), CLI_CLAIM_AGREES);
    assert_int_equal(verdict_of(1.1, "it is not 2"), CLI_CLAIM_CORRECTED);
    assert_int_equal(verdict_of(1.2, NULL), CLI_CLAIM_DIFFERS);
    assert_int_equal(verdict_of(0.8, "it is not 2"), CLI_CLAIM_DIFFERS);
    assert_int_equal(verdict_of((double)NAN, NULL), CLI_CLAIM_DIFFERS);
    assert_int_equal(verdict_of((double)INFINITY, NULL), CLI_CLAIM_DIFFERS);
}

/* ---- descriptors ---------------------------------------------------------------------------------- */

static void check_claim(const char *where, const cli_claim *c)
{
    const bool pinned = c->pin.source != CLI_PIN_NONE;
    if (!c->text || (!c->published && !pinned) || !(c->least <= c->most))
        fail_msg("%s: a claim is not complete", where);
    if (pinned && !(c->pin.least <= c->pin.most))
        fail_msg("%s: a pin is not complete", where);
    if (!c->published && (c->correction || c->unmeasured))
        fail_msg("%s: a number that is not published cannot be corrected or open", where);
    if (c->published && c->published[0] == '(')
        fail_msg("%s: what is only drawn, or not in the paper, is a pin", where);
    if (c->correction && c->note)
        fail_msg("%s: a correction and a note: only one is shown", where);
    if (c->unmeasured && !c->note)
        fail_msg("%s: nothing says why a claim is not measured", where);
}

/* Places and files name one figure each; a range says something. */
static void descriptors_are_complete(void **state)
{
    (void)state;
    cli_paper_info info;
    for (int k = 0; cli_paper_describe(k, &info); k++) {
        cli_reproduction *r =
            reproduce(info.name, &(cli_reproduce_request){.list = true});
        assert_int_equal(r->claim_count, info.claims);
        assert_int_equal(r->open, info.claims);
        assert_int_equal(r->pin_count, info.pins);
        cli_reproduction_free(r);
        const cli_chapter *const *chapters = cli_paper_table[k]->chapters;
        int figures = 0;
        for (int c = 0; chapters[c]; c++)
            for (int f = 0; f < chapters[c]->count; f++, figures++) {
                const cli_figure *figure = &chapters[c]->figures[f];
                assert_true(figure->claim_count > 0);
                for (int i = 0; i < figure->claim_count; i++)
                    check_claim(figure->where, &figure->claims[i]);
                r = reproduce(info.name, &(cli_reproduce_request){.only = figure->where,
                                                                  .list = true});
                assert_int_equal(r->claim_count, count_published(figure));
                cli_reproduction_free(r);
            }
        assert_int_equal(figures, info.figures);
    }
}

static int count_claims(const char *only)
{
    cli_reproduction *r =
        reproduce("kinon2023", &(cli_reproduce_request){.only = only, .list = true});
    int count = r->claim_count;
    assert_string_equal(r->claims[0].where, "Fig. 8");
    cli_reproduction_free(r);
    return count;
}

static void figures_are_found_however_they_are_written(void **state)
{
    (void)state;
    assert_int_equal(count_claims("Fig. 8"), 4);
    assert_int_equal(count_claims("fig8"), 4);
    assert_int_equal(count_claims("figure 08"), 4);
    assert_int_equal(count_claims("FIG-8"), 4);
    assert_int_equal(count_claims("8"), 4);
}

static void check_usage(const char *name, const char *only, const char *text)
{
    lv_error err;
    cli_reproduction *r = NULL;
    const cli_reproduce_request request = {.only = only};
    assert_int_equal(cli_reproduce(&r, name, &request, &err), LV_ERR_USAGE);
    assert_null(r);
    assert_non_null(strstr(err.text, text));
    assert_true(err.hint[0] != '\0');
}

static void what_does_not_exist_is_refused(void **state)
{
    (void)state;
    check_usage("kinon2032", NULL, "there is no paper 'kinon2032'");
    check_usage("newton1687", NULL, "there is no paper");
    check_usage("kinon2023", "Fig. 99", "'Fig. 99' of kinon2023");
    check_usage("kinon2023", "", "'' of kinon2023");
}

/* ---- files ----------------------------------------------------------------------------------------- */

static void figures_are_written(void **state)
{
    (void)state;
    char directory[] = "/tmp/livens-reproduce-XXXXXX", path[200], line[400];
    assert_non_null(mkdtemp(directory));
    cli_reproduction *r = reproduce(
        "kinon2023", &(cli_reproduce_request){.only = "fig8", .csv = directory});
    snprintf(path, sizeof path, "%s/fig-08-energy.csv", directory);
    assert_int_equal(r->file_count, 1);
    assert_string_equal(r->files[0], path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "t,vi-s,vi-a,vi-b,em\n");
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "0,0.5,0.5,0.5,0.5\n");
    int rows = 1;
    while (fgets(line, sizeof line, file))
        rows++;
    assert_int_equal(rows, 201);
    assert_int_equal(fclose(file), 0);
    cli_reproduction_free(r);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(directory), 0);
}

static void directories_that_cannot_be_made_are_reported(void **state)
{
    (void)state;
    lv_error err;
    cli_reproduction *r = NULL;
    const cli_reproduce_request request = {.only = "fig8", .csv = "/dev/null/figures"};
    assert_int_equal(cli_reproduce(&r, "kinon2023", &request, &err), LV_ERR_IO);
    assert_null(r);
    assert_non_null(strstr(err.text, "/dev/null/figures"));
}

/* ---- interruption ------------------------------------------------------------------------------------ */

typedef struct patience {
    int left;
    int figure;
} patience;

static bool lose_patience(void *user, const cli_reproduce_progress *progress)
{
    patience *p = user;
    assert_true(progress->figure < progress->figures && progress->where[0] != '\0');
    p->figure = progress->figure;
    return p->left-- > 0;
}

static void an_interrupted_reproduction_leaves_claims_open(void **state)
{
    (void)state;
    for (int left = 0; left < 8; left++) {
        patience p = {left, 0};
        cli_reproduction *r =
            reproduce("kinon-livens",
                      &(cli_reproduce_request){.progress = lose_patience, .user = &p});
        assert_true(r->interrupted);
        assert_int_equal(r->differ, 0);
        assert_true(r->open > 0);
        assert_int_equal(r->open + r->agree + r->corrected, r->claim_count);
        assert_true(p.left == -1);
        cli_reproduction_free(r);
    }
}

/* Ensembles end as well, from whichever thread. */
static void an_interrupted_ensemble_leaves_claims_open(void **state)
{
    (void)state;
    patience p = {3, 0};
    cli_reproduction *r = reproduce(
        "martin-sato2018", &(cli_reproduce_request){
                               .only = "Fig. 6", .progress = lose_patience, .user = &p});
    assert_true(r->interrupted);
    assert_int_equal(r->open, r->claim_count);
    assert_true(p.left < 0);
    cli_reproduction_free(r);
}

static lv_status reproduce_and_free(void *user, lv_error *err)
{
    cli_reproduction *r = NULL;
    lv_status status = cli_reproduce(&r, "kinon-livens", user, err);
    cli_reproduction_free(r);
    return status;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    cli_reproduce_request request = {.only = "Fig. 4"};
    lv_deny_sample(reproduce_and_free, &request, 60);
}

/* ---- motions ------------------------------------------------------------------------------------------ */

/* Of a motion that is known in closed form: a free mass in its first coordinate. */
static double alternate(cli_motion *m, int k)
{
    return k + 3 * m->time + (lround(m->time / 0.05) % 2 == 0 ? 0.25 : -0.25);
}

static void tracks_see_extremes_and_alternations(void **state)
{
    (void)state;
    static const char *const schemes[] = {"rattle", NULL};
    static const cli_column columns[] = {{"plain", 0, alternate, 7, false},
                                         {"changes", 0, alternate, 7, true}};
    const cli_course course = {.start = {.model = "pendulum3d", .step = 0.05},
                               .schemes = schemes,
                               .steps = 20,
                               .columns = columns,
                               .column_count = 2,
                               .silent = true};
    const cli_figure figure = {.where = "Fig. 1"};
    cli_pool pool = {0};
    cli_bench bench = {.figure = &figure, .pool = &pool};
    cli_track t[2];
    lv_error err;
    if (cli_race_course(&bench, &course, t, &err) != LV_OK)
        fail_with(&err);
    assert_close(t[0].first, 7.25, 1e-14);
    assert_close(t[0].last, 10.25, 1e-14);
    assert_close(t[0].least, 6.9, 1e-14);
    assert_close(t[0].most, 10.25, 1e-14);
    assert_close(t[0].zigzag, 0.25, 1e-12);
    assert_close(t[0].drift, 3, 1e-12);
    assert_close(t[1].first, 0, 0);
    assert_close(t[1].size, 0.65, 1e-12);
    cli_pool_done(&pool);
}

/* The same as with options in their own structure. */
static void schemes_carry_their_options(void **state)
{
    (void)state;
    const cli_start start = {.model = "pendulum-cartesian", .step = 0.05};
    lv_error err;
    double q[2], p[2];
    if (cli_motion_reach(&start, "ansatz continuity=RL degree=3 points=5", 20, q, p,
                         &err) != LV_OK)
        fail_with(&err);
    lv_model *model = read_shipped("pendulum-cartesian", NULL, NULL);
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = "ansatz";
    options.step = 0.05;
    options.options = (lv_scheme_options){0};
    lv_scheme_option_set(&options.options, LV_OPTION_CONTINUITY, 1);
    lv_scheme_option_set(&options.options, LV_OPTION_DEGREE, 3);
    lv_scheme_option_set(&options.options, LV_OPTION_POINTS, 5);
    lv_sim *sim = NULL;
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK)
        fail_with(&err);
    for (int n = 0; n < 20; n++)
        assert_int_equal(lv_sim_step(sim, &err), LV_OK);
    for (int k = 0; k < 2; k++) {
        assert_true(q[k] == lv_sim_position(sim)[k]);
        assert_true(p[k] == lv_sim_momentum(sim)[k]);
    }
    lv_sim_free(sim);
    lv_model_free(model);
}

static void check_refused(const char *scheme, const char *word)
{
    const cli_start start = {.model = "pendulum-cartesian", .step = 0.05};
    cli_motion m;
    lv_error err;
    assert_int_equal(cli_motion_begin(&m, &start, scheme, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.text, word));
}

static void what_is_no_option_is_refused(void **state)
{
    (void)state;
    check_refused("ansatz degree=2 pionts=3", "'pionts'");
    check_refused("ansatz degree", "'degree'");
    check_refused("ansatz degree=two", "'degree'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_claim_comes_out_as_expected),
        RUN(numbers_outside_of_their_range_differ),
        RUN(descriptors_are_complete),
        RUN(figures_are_found_however_they_are_written),
        RUN(what_does_not_exist_is_refused),
        RUN(figures_are_written),
        RUN(directories_that_cannot_be_made_are_reported),
        RUN(an_interrupted_reproduction_leaves_claims_open),
        RUN(an_interrupted_ensemble_leaves_claims_open),
        RUN(allocations_may_fail),
        RUN(tracks_see_extremes_and_alternations),
        RUN(schemes_carry_their_options),
        RUN(what_is_no_option_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
