/* The motion that errors are measured against, by two independent methods: extrapolation
 * of the accelerations, and a scheme of high order that solves the constrained equations.
 * The distance between both is an estimate of their errors. */
#include "study/study.h"

#include "scheme/scheme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Motions with a worse reference are not studied. */
static const double useless = 1e-2;

/* The error that a reference must have to tell whether tolerances are met; motions with a
 * worse one are studied for a shorter time. */
static double good_of(const lv_studier *s)
{
    double least = (double)INFINITY;
    for (int k = 0; k < s->tolerance_count; k++)
        least = fmin(least, s->tolerances[k]);
    return fmin(fmax(least / 4, 1e-11), 1e-4);
}

/* Smaller changes that no longer shrink are rounding, which the motion has amplified. */
static const double noise = 1e-6;

/* A motion at the marks, and its change by a refinement of the steps. */
typedef struct motion {
    const char *scheme; /* NULL: extrapolation */
    lv_scheme_options options;
    double *states, *spare;
    long long part; /* number of steps in a quarter */
    double error;   /* NAN: the method failed */
    lv_status status;
    lv_error why;
} motion;

/* Number of steps between questions whether the study must end. */
enum { OFTEN = 64 };

/* Takes one step, or several shorter ones that end at the rows of tables. */
static lv_status take_step(lv_sim *sim, lv_feeds *feeds, lv_error *err)
{
    const double h = sim->h, near = 1e-6 * h, end = sim->state.t + h;
    while (feeds->count > 0) {
        const double row = lv_feeds_next(feeds, sim->state.t + near);
        if (!(row < end - near))
            break;
        LV_TRY(lv_feeds_apply(feeds, sim, row - sim->state.t, err));
        LV_TRY(lv_sim_advance(sim, row, err));
    }
    if (feeds->count == 0)
        return lv_sim_step(sim, err);
    LV_TRY(lv_feeds_apply(feeds, sim, end - sim->state.t, err));
    return lv_sim_advance(sim, end, err);
}

static bool run_motion(lv_studier *s, motion *m, long long part, lv_error *err)
{
    const size_t n = (size_t)s->marks.n;
    const double step = s->marks.span / (double)(part * s->marks.count);
    lv_sim *sim = NULL;
    lv_arena arena = {0};
    lv_feeds feeds;
    double *at = m->states;
    lv_status status = lv_feeds_copy(&feeds, &s->feeds, &arena, err);
    if (status == LV_OK)
        status = lv_studier_sim(s, &sim, m->scheme, &m->options, step, err);
    for (int mark = 0; mark < s->marks.count && status == LV_OK; mark++, at += 2 * n) {
        for (long long k = 0; k < part && status == LV_OK; k++) {
            if (k % OFTEN == 0 && !lv_studier_go_on(s, 0, 0))
                k = part; /* the result is not used */
            status = take_step(sim, &feeds, err);
        }
        memcpy(at, sim->state.q, n * sizeof *at);
        memcpy(at + n, sim->state.p, n * sizeof *at);
    }
    lv_sim_free(sim);
    lv_arena_done(&arena);
    return status == LV_OK;
}

/* Computes the motion with smaller and smaller steps until they change nothing more. */
static void refine(lv_studier *s, motion *m)
{
    /* The schemes have a high order: errors of half the step are then rounding. */
    const double enough = 1e-10;
    lv_marks marks = s->marks;
    m->error = (double)NAN;
    for (long long part = (s->part + 1) / 2;
         part * marks.count <= s->finest && lv_studier_go_on(s, 0, 0); part *= 2) {
        memcpy(m->spare, m->states, lv_marks_numbers(&marks) * sizeof *m->spare);
        if (!run_motion(s, m, part, &m->why))
            continue;
        const bool is_first = m->part == 0;
        m->part = part;
        if (is_first)
            continue;
        lv_marks_measure(&marks, &s->start, m->states);
        const double now = lv_marks_distance(&marks, m->spare, m->states);
        const bool resolved = part >= 2 * s->part,
                   stalls = now > 0.25 * m->error && (now < noise || resolved),
                   hopeless = resolved && !(now < useless);
        m->error = isfinite(now) ? now : m->error;
        if (now <= enough || stalls || hopeless)
            break;
    }
}

static bool go_on(void *user)
{
    return lv_studier_go_on(user, 0, 0);
}

static void extrapolate(lv_studier *s, motion *m)
{
    lv_marks marks = s->marks;
    lv_marks_way way = {.go_on = go_on,
                        .user = s,
                        .first = (s->part + 3) / 4,
                        .most = s->finest,
                        .enough = 1e-11,
                        .noise = noise,
                        .hopeless = useless};
    marks.size[0] = marks.size[1] = 1;
    lv_marks_measure(&marks, &s->start, m->states);
    m->status = lv_marks_extrapolate(&marks, s->system, &s->start, m->states, m->spare,
                                     &way, &m->why);
    m->part = way.taken;
    m->error = way.error;
}

static void find_motion(lv_studier *s, motion *m)
{
    m->part = 0;
    m->status = LV_OK;
    memset(m->states, 0, lv_marks_numbers(&s->marks) * sizeof *m->states);
    if (m->scheme)
        refine(s, m);
    else
        extrapolate(s, m);
}

/* The next scheme in the list that takes the model, those of high order first; false:
 * there is none. */
static bool choose_scheme(const lv_studier *s, motion *m, int *next)
{
    static const struct {
        const char *scheme;
        lv_option option;
        int value;
    } list[] = {{"lobatto", LV_OPTION_STAGES, 6}, {"gauss", LV_OPTION_STAGES, 6},
                {"rattle", LV_OPTION_COMPOSE, 8}, {"em", LV_OPTION_COMPOSE, 8},
                {"livens", LV_OPTION_COMPOSE, 8}, {"livens", LV_OPTION_COMPOSE, 0},
                {"em-g", LV_OPTION_COMPOSE, 0}};
    const int count = sizeof list / sizeof *list;
    while (*next < count) {
        const lv_scheme *scheme = NULL;
        const int k = (*next)++;
        lv_scheme_options options = {0};
        if (list[k].value > 0)
            lv_scheme_option_set(&options, list[k].option, list[k].value);
        if (lv_scheme_choose(&scheme, list[k].scheme, &options, NULL) == LV_OK &&
            lv_scheme_fits(scheme, s->system, &options, NULL) == LV_OK) {
            m->scheme = list[k].scheme;
            m->options = options;
            return true;
        }
    }
    return false;
}

/* Computes both motions over the current span, with other schemes if one of them fails.
 * Extrapolation cannot follow tables of inputs. */
static lv_status find_both(lv_studier *s, motion two[2], lv_error *err)
{
    int next = 0;
    two[0].scheme = NULL;
    bool some = (s->feeds.count == 0 || choose_scheme(s, &two[0], &next)) &&
                choose_scheme(s, &two[1], &next);
#ifdef _OPENMP
#pragma omp parallel for num_threads(2) schedule(static, 1) if (s->view.threads > 1)
#endif
    for (int k = 0; k < 2; k++)
        if (k == 0 || some)
            find_motion(s, &two[k]);
    for (int k = 0; k < 2 && some && !s->stop; k++)
        while (isnan(two[k].error) && two[k].status == LV_OK &&
               choose_scheme(s, &two[k], &next))
            find_motion(s, &two[k]);
    if (two[0].status == LV_ERR_MEMORY || two[1].status == LV_ERR_MEMORY)
        return lv_fail_memory(err);
    if (!some && two[0].scheme)
        return lv_fail(
            err, LV_ERR_MODEL,
            "with tables of inputs a study needs two schemes of high order that "
            "take the model: there is none but %s",
            two[0].scheme);
    return some ? LV_OK : lv_fail(err, LV_ERR_MODEL, "no scheme takes the model");
}

/* Whether an input changes within steps. */
static bool has_lines(const lv_studier *s)
{
    for (int k = 0; k < s->feeds.count; k++)
        if (s->feeds.list[k].kind == LV_TABLE_LINEAR && s->feeds.list[k].rows > 1)
            return true;
    return false;
}

static double difference_of(lv_studier *s, const motion two[2])
{
    if (isnan(two[0].error) || isnan(two[1].error))
        return (double)NAN;
    lv_marks_measure(&s->marks, &s->start, two[0].states);
    /* Half the step has an error of only a small fraction of the change, unless inputs
     * that are linear in time reduce the order to 2, with the same error in both
     * motions. */
    return fmax(lv_marks_distance(&s->marks, two[0].states, two[1].states),
                two[0].error / (has_lines(s) ? 2 : 100));
}

static lv_status note_reference(lv_studier *s, const motion two[2], lv_error *err)
{
    lv_study_reference *r = &s->view.reference;
    char text[120];
    const char *names[2];
    for (int k = 0; k < 2; k++) {
        if (two[k].scheme)
            lv_study_label(text, sizeof text, two[k].scheme, &two[k].options);
        else
            (void)snprintf(text, sizeof text, "extrapolation of order 16");
        names[k] = lv_studier_text(s, text, err);
        if (!names[k])
            return LV_ERR_MEMORY;
    }
    r->first = names[0];
    r->second = names[1];
    r->first_step = s->marks.span / (double)(two[0].part * s->marks.count);
    r->second_step = s->marks.span / (double)(two[1].part * s->marks.count);
    r->floor = fmax(1e-13, 3 * r->difference);
    s->order_floor = fmax(3e-12, 20 * r->difference);
    memcpy(s->reference, two[0].states,
           lv_marks_numbers(&s->marks) * sizeof *s->reference);
    return LV_OK;
}

static lv_status fail_without_reference(const lv_studier *s, const motion two[2],
                                        double difference, lv_error *err)
{
    char text[120];
    lv_status status;
    if (isnan(difference)) {
        const motion *m = isnan(two[0].error) ? &two[0] : &two[1];
        if (m->scheme)
            lv_study_label(text, sizeof text, m->scheme, &m->options);
        else
            (void)snprintf(text, sizeof text, "extrapolation of order 16");
        status =
            lv_fail(err, LV_ERR_NUMERIC,
                    "there is no reference up to t = %.6g: %s does not get there%s%s",
                    s->marks.span, text, m->scheme && m->why.text[0] ? ": " : "",
                    m->scheme ? m->why.text : "");
    } else {
        status = lv_fail(err, LV_ERR_NUMERIC,
                         "there is no reference at t = %.6g: two methods of high order "
                         "differ by %.1g of the size of the motion",
                         s->marks.span, difference);
        lv_error_note(err, "the motion is too sensitive, as chaotic ones are, or it is "
                           "not smooth");
    }
    lv_error_hint(err, "a shorter time, such as --until %.3g", s->marks.span / 4);
    return status;
}

/* Sets the span, and the number of steps in a quarter so that the step is the central
 * one. */
static void set_span(lv_studier *s, double span, double step)
{
    s->marks.span = span;
    s->part = llround(span / step / s->marks.count);
    s->part = s->part < 1 ? 1 : s->part;
}

/* Halves the time as long as the reference becomes much better. */
static lv_status search_span(lv_studier *s, motion two[2], motion other[2], lv_error *err)
{
    const double step = s->view.step, good = good_of(s);
    enum { HALVES = 8 };
    set_span(s, s->view.until, step);
    LV_TRY(find_both(s, two, err));
    double best = difference_of(s, two);
    for (int k = 0; k < HALVES && !s->request->whole && !s->stop && !(best <= good);
         k++) {
        const double span = s->marks.span;
        if (s->part < 8)
            break;
        set_span(s, span / 2, step);
        LV_TRY(find_both(s, other, err));
        const double now = difference_of(s, other);
        if (now < 0.3 * best || !(best <= useless)) {
            for (int i = 0; i < 2; i++) {
                const motion swapped = two[i];
                two[i] = other[i];
                other[i] = swapped;
            }
            best = now;
            s->view.shortened = "the motion is too sensitive, or not smooth enough, for "
                                "a reference that lasts longer";
        } else {
            set_span(s, span, step);
            (void)difference_of(s, two); /* sets the sizes for this span */
            break;
        }
    }
    s->view.until = s->marks.span;
    s->view.reference.difference = best;
    if (s->stop)
        return LV_OK;
    if (!(best <= useless))
        return fail_without_reference(s, two, best, err);
    return note_reference(s, two, err);
}

lv_status lv_studier_refer(lv_studier *s, lv_error *err)
{
    const size_t numbers = lv_marks_numbers(&s->marks);
    motion *all = lv_memory_zeroed(4, sizeof *all);
    double *room = lv_memory_zeroed(8 * numbers + 1, sizeof *room);
    s->reference = lv_arena_alloc(&s->arena, numbers, sizeof *s->reference);
    lv_status status = all && room && s->reference ? LV_OK : lv_fail_memory(err);
    for (int k = 0; k < 4 && status == LV_OK; k++) {
        all[k].states = room + 2 * (size_t)k * numbers;
        all[k].spare = all[k].states + numbers;
    }
    if (status == LV_OK)
        status = search_span(s, all, all + 2, err);
    lv_memory_free(room);
    lv_memory_free(all);
    return status;
}
