#include "study/reproduce.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/usage.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define LV_X(id) extern const lv_paper id;
#include "study/reproduce_list.h"
#undef LV_X

const lv_paper *const lv_paper_table[] = {
#define LV_X(id) &id,
#include "study/reproduce_list.h"
#undef LV_X
    NULL,
};

/* A reproduction under way; the caller's view is the first member. */
typedef struct work {
    lv_reproduction view;
    lv_arena arena;
    lv_claim_info *claims, *pins; /* one per entry while figures are measured */
    int entries;
    const char **files;
    const lv_reproduce_request *request;
    lv_reproduce_progress progress;
    double began; /* seconds */
} work;

const char *lv_claim_verdict_name(lv_claim_verdict verdict)
{
    static const char *const names[] = {"agrees", "corrected", "differs", "open"};
    return (int)verdict >= 0 && (int)verdict <= LV_CLAIM_OPEN ? names[verdict]
                                                              : "unknown";
}

const char *lv_pin_source_name(lv_pin_source source)
{
    static const char *const names[] = {"", "another implementation", "livens"};
    return (int)source >= 0 && (int)source < (int)(sizeof names / sizeof names[0])
               ? names[source]
               : "unknown";
}

/* ---- papers and figures ------------------------------------------------------------------------- */

static lv_paper_info describe(const lv_paper *paper)
{
    lv_paper_info info = {
        .name = paper->name, .title = paper->title, .citation = paper->citation};
    for (int c = 0; paper->chapters[c]; c++)
        for (int k = 0; k < paper->chapters[c]->count; k++) {
            const lv_figure *figure = &paper->chapters[c]->figures[k];
            info.figures++;
            for (int i = 0; i < figure->claim_count; i++) {
                info.claims += figure->claims[i].published != NULL;
                info.pins += figure->claims[i].pin.source != LV_PIN_NONE;
            }
        }
    return info;
}

bool lv_paper_describe(int k, lv_paper_info *info)
{
    if (!info || k < 0)
        return false;
    for (int i = 0; i <= k; i++)
        if (!lv_paper_table[i])
            return false;
    *info = describe(lv_paper_table[k]);
    return true;
}

static lv_status find_paper(const lv_paper **paper, const char *name, lv_error *err)
{
    lv_nearest nearest;
    lv_nearest_start(&nearest, name);
    for (int k = 0; (*paper = lv_paper_table[k]); k++) {
        if (strcmp((*paper)->name, name) == 0)
            return LV_OK;
        lv_nearest_offer(&nearest, (*paper)->name);
    }
    lv_status status = lv_fail(err, LV_ERR_USAGE, "there is no paper '%s'", name);
    lv_nearest_hint(&nearest, err, "'livens reproduce' lists the papers");
    return status;
}

/* "Fig. 8", "fig 08", "figure-8" and "8" are one: letters up to the third, digits without leading
 * zeros. */
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

static bool is_selected(const lv_figure *figure, const char *only)
{
    char wanted[80], have[80];
    if (!only)
        return true;
    simplify(only, wanted);
    simplify(figure->where, have);
    return strcmp(wanted, have) == 0;
}

static lv_status check_selection(const lv_paper *paper, const char *only, int figures,
                                 lv_error *err)
{
    if (figures > 0)
        return LV_OK;
    lv_status status =
        lv_fail(err, LV_ERR_USAGE, "'%s' of %s is not among what can be reproduced", only,
                paper->name);
    lv_error_hint(err, "'livens reproduce %s --list' shows all figures and tables",
                  paper->name);
    return status;
}

/* ---- the bench ----------------------------------------------------------------------------------- */

static void judge(lv_claim_info *result, double value, const char *measured,
                  lv_claim_verdict good)
{
    result->value = value;
    result->measured = measured;
    result->verdict =
        value >= result->least && value <= result->most ? good : LV_CLAIM_DIFFERS;
}

lv_status lv_bench_claim(lv_bench *b, int k, double value, lv_error *err,
                         const char *format, ...)
{
    char text[200];
    const lv_claim *claim = &b->figure->claims[k];
    if (format) {
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
    } else {
        snprintf(text, sizeof text, "%.3g", value);
    }
    const char *measured = lv_arena_text(b->arena, text, strlen(text));
    if (!measured)
        return lv_fail_memory(err);
    if (!claim->unmeasured)
        judge(&b->results[k], value, measured,
              claim->correction ? LV_CLAIM_CORRECTED : LV_CLAIM_AGREES);
    judge(&b->pins[k], value, measured, LV_CLAIM_AGREES);
    return LV_OK;
}

static const char *label(const void *user, int k, char *buffer, size_t size)
{
    const lv_bench *b = user;
    snprintf(buffer, size, "%s", b->names[k]);
    return buffer;
}

lv_status lv_bench_columns(lv_bench *b, const char *const *names, int count,
                           lv_error *err)
{
    if (!b->path)
        return LV_OK;
    b->names = names;
    b->channel = (lv_channel){.name = b->figure->file,
                              .doc = b->figure->subject,
                              .width = count,
                              .values = b->row,
                              .label = label,
                              .user = b};
    b->channels = (lv_channels){1, &b->channel};
    return lv_csv_create(&b->sink, b->path, &b->channels, err);
}

lv_status lv_bench_row(lv_bench *b, lv_error *err)
{
    return b->sink ? b->sink->row(b->sink, err) : LV_OK;
}

bool lv_bench_go_on(lv_bench *b)
{
    if (!b->interrupted && b->go_on && !b->go_on(b->user))
        b->interrupted = true;
    return !b->interrupted;
}

static lv_status close_file(lv_bench *b, lv_status status, lv_error *err)
{
    if (!b->sink)
        return status;
    lv_status closed = b->sink->close(b->sink, status == LV_OK ? err : NULL);
    b->sink = NULL;
    return status == LV_OK ? closed : status;
}

/* ---- running ------------------------------------------------------------------------------------- */

static bool keep_going(void *user)
{
    work *w = user;
    w->progress.seconds = lv_clock_seconds() - w->began;
    return !w->request->progress || w->request->progress(w->request->user, &w->progress);
}

static lv_status make_directory(const char *path, lv_error *err)
{
    struct stat state;
    if (mkdir(path, 0777) == 0 ||
        (errno == EEXIST && stat(path, &state) == 0 && S_ISDIR(state.st_mode)))
        return LV_OK;
    return lv_fail(err, LV_ERR_IO, "%s cannot be made a directory: %s", path,
                   strerror(errno));
}

static lv_status csv_path(work *w, lv_bench *b, lv_error *err)
{
    const char *directory = w->request->csv;
    if (!directory || !b->figure->file)
        return LV_OK;
    size_t size = strlen(directory) + strlen(b->figure->file) + sizeof "/.csv";
    char *path = lv_arena_alloc(&w->arena, size, 1);
    if (!path)
        return lv_fail_memory(err);
    snprintf(path, size, "%s/%s.csv", directory, b->figure->file);
    b->path = path;
    return LV_OK;
}

/* Says which figure failed. */
static lv_status name_figure(const lv_figure *figure, lv_status status, lv_error *err)
{
    char text[700];
    if (status == LV_OK || status == LV_ERR_MEMORY || !err)
        return status;
    snprintf(text, sizeof text, "%s: %.600s", figure->where, err->text);
    snprintf(err->text, sizeof err->text, "%s", text);
    return status;
}

/* All entries of a figure as they are before anything is measured. */
static void put_entries(lv_claim_info *results, lv_claim_info *pins,
                        const lv_figure *figure)
{
    for (int k = 0; k < figure->claim_count; k++) {
        const lv_claim *c = &figure->claims[k];
        results[k] = (lv_claim_info){.where = figure->where,
                                     .subject = figure->subject,
                                     .claim = c->text,
                                     .published = c->published,
                                     .note = c->correction ? c->correction : c->note,
                                     .lengthy = figure->lengthy,
                                     .measured = "",
                                     .value = (double)NAN,
                                     .least = c->least,
                                     .most = c->most,
                                     .verdict = LV_CLAIM_OPEN};
        pins[k] = results[k];
        pins[k].published = NULL;
        pins[k].source = c->pin.source;
        pins[k].least = c->pin.least;
        pins[k].most = c->pin.most;
        /* A note stands once: below the claim where there is one. */
        if (c->published)
            pins[k].note = NULL;
    }
}

static lv_status run_figure(work *w, const lv_figure *figure, int first, lv_error *err)
{
    lv_claim_info *results = w->claims + first, *pins = w->pins + first;
    lv_bench b = {.figure = figure,
                  .results = results,
                  .pins = pins,
                  .arena = &w->arena,
                  .go_on = keep_going,
                  .user = w};
    w->progress.where = figure->where;
    LV_TRY(csv_path(w, &b, err));
    if (!lv_bench_go_on(&b)) {
        w->view.interrupted = true;
        return LV_OK;
    }
    lv_status status = close_file(&b, figure->run(&b, err), err);
    if (status == LV_OK && b.path)
        w->files[w->view.file_count++] = b.path;
    w->view.interrupted = b.interrupted;
    if (b.interrupted) /* what was measured is half of it */
        put_entries(results, pins, figure);
    w->progress.figure++;
    return name_figure(figure, status, err);
}

/* Entries become the claims and the pins that the caller sees. */
static void sort_entries(work *w)
{
    lv_reproduction *view = &w->view;
    for (int k = 0; k < w->entries; k++) {
        if (w->claims[k].published)
            w->claims[view->claim_count++] = w->claims[k];
        if (w->pins[k].source != LV_PIN_NONE)
            w->pins[view->pin_count++] = w->pins[k];
    }
}

static void count_verdicts(lv_reproduction *view)
{
    for (int k = 0; k < view->pin_count; k++)
        view->pins_differ += view->pins[k].verdict == LV_CLAIM_DIFFERS;
    for (int k = 0; k < view->claim_count; k++) {
        lv_claim_verdict verdict = view->claims[k].verdict;
        view->agree += verdict == LV_CLAIM_AGREES;
        view->corrected += verdict == LV_CLAIM_CORRECTED;
        view->differ += verdict == LV_CLAIM_DIFFERS;
        view->open += verdict == LV_CLAIM_OPEN;
    }
}

typedef lv_status (*visit)(work *w, const lv_figure *figure, int first, lv_error *err);

/* Visits the selected figures in order, with the number of their first entry. */
static lv_status for_figures(work *w, const lv_paper *paper, visit function,
                             lv_error *err)
{
    int first = 0;
    for (int c = 0; paper->chapters[c]; c++)
        for (int k = 0; k < paper->chapters[c]->count; k++) {
            const lv_figure *figure = &paper->chapters[c]->figures[k];
            if (!is_selected(figure, w->request->only))
                continue;
            LV_TRY(function(w, figure, first, err));
            first += figure->claim_count;
        }
    return LV_OK;
}

static bool is_wanted(const work *w, const lv_figure *figure)
{
    return !w->request->list && (w->request->full || !figure->lengthy);
}

static lv_status prepare(work *w, const lv_figure *figure, int first, lv_error *err)
{
    (void)err;
    put_entries(w->claims + first, w->pins + first, figure);
    w->entries = first + figure->claim_count;
    w->progress.figures += is_wanted(w, figure);
    return LV_OK;
}

static lv_status measure(work *w, const lv_figure *figure, int first, lv_error *err)
{
    return is_wanted(w, figure) && !w->view.interrupted
               ? run_figure(w, figure, first, err)
               : LV_OK;
}

static int count_entries(const lv_paper *paper)
{
    int entries = 0;
    for (int c = 0; paper->chapters[c]; c++)
        for (int k = 0; k < paper->chapters[c]->count; k++)
            entries += paper->chapters[c]->figures[k].claim_count;
    return entries;
}

static lv_status reproduce(work *w, const lv_paper *paper, lv_error *err)
{
    lv_reproduction *view = &w->view;
    const size_t room = (size_t)count_entries(paper) + 1;
    view->paper = describe(paper);
    view->errata = paper->errata;
    view->erratum_count = paper->erratum_count;
    w->claims = lv_arena_alloc(&w->arena, room, sizeof *w->claims);
    w->pins = lv_arena_alloc(&w->arena, room, sizeof *w->pins);
    w->files =
        lv_arena_alloc(&w->arena, (size_t)view->paper.figures + 1, sizeof *w->files);
    if (!w->claims || !w->pins || !w->files)
        return lv_fail_memory(err);
    view->claims = w->claims;
    view->pins = w->pins;
    view->files = w->files;
    LV_TRY(for_figures(w, paper, prepare, err));
    LV_TRY(check_selection(paper, w->request->only, w->entries, err));
    if (w->request->csv && !w->request->list)
        LV_TRY(make_directory(w->request->csv, err));
    LV_TRY(for_figures(w, paper, measure, err));
    sort_entries(w);
    count_verdicts(view);
    return LV_OK;
}

lv_status lv_reproduce(lv_reproduction **reproduction, const char *name,
                       const lv_reproduce_request *request, lv_error *err)
{
    const lv_paper *paper = NULL;
    lv_error_clear(err);
    LV_NEED(err, reproduction);
    *reproduction = NULL;
    LV_NEED(err, name);
    LV_NEED(err, request);
    LV_TRY(find_paper(&paper, name, err));
    work *w = lv_memory_zeroed(1, sizeof *w);
    if (!w)
        return lv_fail_memory(err);
    w->request = request;
    w->began = lv_clock_seconds();
    lv_status status = reproduce(w, paper, err);
    w->request = NULL;
    if (status == LV_OK)
        *reproduction = &w->view;
    else
        lv_reproduction_free(&w->view);
    return status;
}

void lv_reproduction_free(lv_reproduction *reproduction)
{
    work *w = (work *)reproduction;
    if (!w)
        return;
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}
