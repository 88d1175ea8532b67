#include "cli/reproduce/bench.h"

#include "cli/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define CLI_X(id) extern const cli_paper id;
#include "cli/reproduce/list.h"
#undef CLI_X

const cli_paper *const cli_paper_table[] = {
#define CLI_X(id) &id,
#include "cli/reproduce/list.h"
#undef CLI_X
    NULL,
};

/* A reproduction in progress; the caller's view is the first member. */
typedef struct work {
    cli_reproduction view;
    cli_pool pool;
    cli_claim_info *claims, *pins; /* one per entry while figures are measured */
    int entries;
    const char **files;
    const cli_reproduce_request *request;
    cli_reproduce_progress progress;
    double began; /* in seconds */
} work;

const char *cli_claim_verdict_name(cli_claim_verdict verdict)
{
    static const char *const names[] = {"agrees", "corrected", "differs", "open"};
    return (int)verdict >= 0 && (int)verdict <= CLI_CLAIM_OPEN ? names[verdict]
                                                               : "unknown";
}

const char *cli_pin_source_name(cli_pin_source source)
{
    static const char *const names[] = {"", "another implementation", "livens"};
    return (int)source >= 0 && (int)source < (int)(sizeof names / sizeof names[0])
               ? names[source]
               : "unknown";
}

/* ---- papers and figures ------------------------------------------------------------------------- */

static cli_paper_info describe(const cli_paper *paper)
{
    cli_paper_info info = {
        .name = paper->name, .title = paper->title, .citation = paper->citation};
    for (int c = 0; paper->chapters[c]; c++)
        for (int k = 0; k < paper->chapters[c]->count; k++) {
            const cli_figure *figure = &paper->chapters[c]->figures[k];
            info.figures++;
            for (int i = 0; i < figure->claim_count; i++) {
                info.claims += figure->claims[i].published != NULL;
                info.pins += figure->claims[i].pin.source != CLI_PIN_NONE;
            }
        }
    return info;
}

bool cli_paper_describe(int k, cli_paper_info *info)
{
    if (!info || k < 0)
        return false;
    for (int i = 0; i <= k; i++)
        if (!cli_paper_table[i])
            return false;
    *info = describe(cli_paper_table[k]);
    return true;
}

static lv_status find_paper(const cli_paper **paper, const char *name, lv_error *err)
{
    cli_nearest nearest = {.word = name};
    for (int k = 0; (*paper = cli_paper_table[k]); k++) {
        if (strcmp((*paper)->name, name) == 0)
            return LV_OK;
        cli_nearest_offer(&nearest, (*paper)->name);
    }
    lv_status status = cli_fail(err, LV_ERR_USAGE, "there is no paper '%s'", name);
    const char *meant = cli_nearest_result(&nearest);
    if (meant)
        cli_hint(err, "did you mean '%s'?", meant);
    else
        cli_hint(err, "'livens reproduce' lists the papers");
    return status;
}

/* Simplifies the name of a figure, so that "Fig. 8", "fig 08", "figure-8" and "8" are
 * equal: up to three letters, digits without leading zeros. */
static void simplify(const char *text, char simple[80])
{
    int used = isdigit((unsigned char)*text) ? snprintf(simple, 80, "fig") : 0;
    int letters = 0;
    bool number = false;
    for (; *text && used < 79; text++) {
        bool digit = isdigit((unsigned char)*text);
        if (isalpha((unsigned char)*text) && letters++ < 3)
            simple[used++] = (char)tolower((unsigned char)*text);
        else if (digit && (number || *text != '0'))
            simple[used++] = *text;
        if (!isalpha((unsigned char)*text))
            letters = 0;
        number = digit && (number || *text != '0');
    }
    simple[used] = '\0';
}

static bool is_selected(const cli_figure *figure, const char *only)
{
    char wanted[80], have[80];
    if (!only)
        return true;
    simplify(only, wanted);
    simplify(figure->where, have);
    return strcmp(wanted, have) == 0;
}

static lv_status check_selection(const cli_paper *paper, const char *only, int figures,
                                 lv_error *err)
{
    if (figures > 0)
        return LV_OK;
    lv_status status =
        cli_fail(err, LV_ERR_USAGE, "'%s' of %s is not among what can be reproduced",
                 only, paper->name);
    cli_hint(err, "'livens reproduce %s --list' shows all figures and tables",
             paper->name);
    return status;
}

static double seconds_now(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- running ------------------------------------------------------------------------------------- */

static bool keep_going(void *user)
{
    work *w = user;
    w->progress.seconds = seconds_now() - w->began;
    return !w->request->progress || w->request->progress(w->request->user, &w->progress);
}

static lv_status make_directory(const char *path, lv_error *err)
{
    struct stat state;
    if (mkdir(path, 0777) == 0 ||
        (errno == EEXIST && stat(path, &state) == 0 && S_ISDIR(state.st_mode)))
        return LV_OK;
    return cli_fail(err, LV_ERR_IO, "%s cannot be made a directory: %s", path,
                    strerror(errno));
}

static lv_status csv_path(work *w, cli_bench *b, lv_error *err)
{
    const char *directory = w->request->csv;
    if (!directory || !b->figure->file)
        return LV_OK;
    size_t size = strlen(directory) + strlen(b->figure->file) + sizeof "/.csv";
    char *path = cli_pool_alloc(&w->pool, size, 1);
    if (!path)
        return cli_fail_memory(err);
    snprintf(path, size, "%s/%s.csv", directory, b->figure->file);
    b->path = path;
    return LV_OK;
}

/* Adds the name of the figure that failed to the message. */
static lv_status name_figure(const cli_figure *figure, lv_status status, lv_error *err)
{
    char text[700];
    if (status == LV_OK || status == LV_ERR_MEMORY || !err)
        return status;
    snprintf(text, sizeof text, "%s: %.600s", figure->where, err->text);
    snprintf(err->text, sizeof err->text, "%s", text);
    return status;
}

/* Sets all entries of a figure to their state before the measurement. */
static void put_entries(cli_claim_info *results, cli_claim_info *pins,
                        const cli_figure *figure)
{
    for (int k = 0; k < figure->claim_count; k++) {
        const cli_claim *c = &figure->claims[k];
        results[k] = (cli_claim_info){.where = figure->where,
                                      .subject = figure->subject,
                                      .claim = c->text,
                                      .published = c->published,
                                      .note = c->correction ? c->correction : c->note,
                                      .lengthy = figure->lengthy,
                                      .measured = "",
                                      .value = (double)NAN,
                                      .least = c->least,
                                      .most = c->most,
                                      .verdict = CLI_CLAIM_OPEN};
        pins[k] = results[k];
        pins[k].published = NULL;
        pins[k].source = c->pin.source;
        pins[k].least = c->pin.least;
        pins[k].most = c->pin.most;
        /* A note is written once: below the claim if there is one. */
        if (c->published)
            pins[k].note = NULL;
    }
}

static lv_status run_figure(work *w, const cli_figure *figure, int first, lv_error *err)
{
    cli_claim_info *results = w->claims + first, *pins = w->pins + first;
    cli_bench b = {.figure = figure,
                   .results = results,
                   .pins = pins,
                   .pool = &w->pool,
                   .go_on = keep_going,
                   .user = w};
    w->progress.where = figure->where;
    CLI_TRY(csv_path(w, &b, err));
    if (!cli_bench_go_on(&b)) {
        w->view.interrupted = true;
        return LV_OK;
    }
    lv_status status = cli_bench_close(&b, figure->run(&b, err), err);
    if (status == LV_OK && b.path)
        w->files[w->view.file_count++] = b.path;
    w->view.interrupted = b.interrupted;
    if (b.interrupted) /* the measurement is incomplete */
        put_entries(results, pins, figure);
    w->progress.figure++;
    return name_figure(figure, status, err);
}

/* Separates the entries into the claims and the pins that the caller sees. */
static void sort_entries(work *w)
{
    cli_reproduction *view = &w->view;
    for (int k = 0; k < w->entries; k++) {
        if (w->claims[k].published)
            w->claims[view->claim_count++] = w->claims[k];
        if (w->pins[k].source != CLI_PIN_NONE)
            w->pins[view->pin_count++] = w->pins[k];
    }
}

static void count_verdicts(cli_reproduction *view)
{
    for (int k = 0; k < view->pin_count; k++)
        view->pins_differ += view->pins[k].verdict == CLI_CLAIM_DIFFERS;
    for (int k = 0; k < view->claim_count; k++) {
        cli_claim_verdict verdict = view->claims[k].verdict;
        view->agree += verdict == CLI_CLAIM_AGREES;
        view->corrected += verdict == CLI_CLAIM_CORRECTED;
        view->differ += verdict == CLI_CLAIM_DIFFERS;
        view->open += verdict == CLI_CLAIM_OPEN;
    }
}

typedef lv_status (*visit)(work *w, const cli_figure *figure, int first, lv_error *err);

/* Visits the selected figures in order, with the index of their first entry. */
static lv_status for_figures(work *w, const cli_paper *paper, visit function,
                             lv_error *err)
{
    int first = 0;
    for (int c = 0; paper->chapters[c]; c++)
        for (int k = 0; k < paper->chapters[c]->count; k++) {
            const cli_figure *figure = &paper->chapters[c]->figures[k];
            if (!is_selected(figure, w->request->only))
                continue;
            CLI_TRY(function(w, figure, first, err));
            first += figure->claim_count;
        }
    return LV_OK;
}

static bool is_wanted(const work *w, const cli_figure *figure)
{
    return !w->request->list && (w->request->full || !figure->lengthy);
}

static lv_status prepare(work *w, const cli_figure *figure, int first, lv_error *err)
{
    (void)err;
    put_entries(w->claims + first, w->pins + first, figure);
    w->entries = first + figure->claim_count;
    w->progress.figures += is_wanted(w, figure);
    return LV_OK;
}

static lv_status measure(work *w, const cli_figure *figure, int first, lv_error *err)
{
    return is_wanted(w, figure) && !w->view.interrupted
               ? run_figure(w, figure, first, err)
               : LV_OK;
}

static int count_entries(const cli_paper *paper)
{
    int entries = 0;
    for (int c = 0; paper->chapters[c]; c++)
        for (int k = 0; k < paper->chapters[c]->count; k++)
            entries += paper->chapters[c]->figures[k].claim_count;
    return entries;
}

static lv_status reproduce(work *w, const cli_paper *paper, lv_error *err)
{
    cli_reproduction *view = &w->view;
    const size_t room = (size_t)count_entries(paper) + 1;
    view->paper = describe(paper);
    view->errata = paper->errata;
    view->erratum_count = paper->erratum_count;
    w->claims = cli_pool_alloc(&w->pool, room, sizeof *w->claims);
    w->pins = cli_pool_alloc(&w->pool, room, sizeof *w->pins);
    w->files =
        cli_pool_alloc(&w->pool, (size_t)view->paper.figures + 1, sizeof *w->files);
    if (!w->claims || !w->pins || !w->files)
        return cli_fail_memory(err);
    view->claims = w->claims;
    view->pins = w->pins;
    view->files = w->files;
    CLI_TRY(for_figures(w, paper, prepare, err));
    CLI_TRY(check_selection(paper, w->request->only, w->entries, err));
    if (w->request->csv && !w->request->list)
        CLI_TRY(make_directory(w->request->csv, err));
    CLI_TRY(for_figures(w, paper, measure, err));
    sort_entries(w);
    count_verdicts(view);
    return LV_OK;
}

lv_status cli_reproduce(cli_reproduction **reproduction, const char *name,
                        const cli_reproduce_request *request, lv_error *err)
{
    const cli_paper *paper = NULL;
    lv_error_clear(err);
    *reproduction = NULL;
    CLI_TRY(find_paper(&paper, name, err));
    work *w = calloc(1, sizeof *w);
    if (!w)
        return cli_fail_memory(err);
    w->request = request;
    w->began = seconds_now();
    lv_status status = reproduce(w, paper, err);
    w->request = NULL;
    if (status == LV_OK)
        *reproduction = &w->view;
    else
        cli_reproduction_free(&w->view);
    return status;
}

void cli_reproduction_free(cli_reproduction *reproduction)
{
    work *w = (work *)reproduction;
    if (!w)
        return;
    cli_pool_done(&w->pool);
    free(w);
}
