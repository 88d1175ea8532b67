#include "fused/steady.h"

/* ---- beginning --------------------------------------------------------------------- */

/* Collects what steps need for a phase. Returns false if the next step may need more. */
static bool begin_pass(lv_program_pass *x, double h)
{
    const lv_solver *w = x->solver;
    const lv_predictor *p = &w->predictor;
    const int used = (int)p->numbers[LV_PAST_USED],
              turns = (int)p->numbers[LV_PAST_TURNS];
    x->numbers = p->numbers;
    x->weights = p->weights[turns][used];
    x->m = p->m;
    x->far = used > LV_PREDICTOR_DEPTH / 2;
    return !w->probing && w->notes[LV_NOTE_SIZE] == h && w->notes[LV_NOTE_CURVE] != 0 &&
           p->m <= LV_PAST_FEW && p->numbers[LV_PAST_ALIKE] == LV_PREDICTOR_DEPTH &&
           used > 1 && p->found[turns][used] && x->found;
}

void lv_steady_begin(lv_steady *s, lv_program_way *way, const lv_step_now *now,
                     const lv_state *state)
{
    bool steady = !way->stuck && !way->fused->keeps;
    for (int k = 0; steady && k < way->fused->pass_count; k++)
        steady = begin_pass(&way->passes[k], now->h);
    s->left = steady ? LV_STEP_ROUND - 1 - now->number % LV_STEP_ROUND : 0;
    s->h = now->h;
    s->state = state;
    s->way = way;
}

/* ---- steps ------------------------------------------------------------------------- */

/* Whether the state is the end of the last step, and a step of this size may follow. */
LV_INLINE bool is_next(const lv_steady *s, const lv_state *state, double h)
{
    const lv_program_way *way = s->way;
    return state == s->state && h == s->h && lv_program_way_is_bound(way, state) &&
           (!way->of_time || way->fused->t + h == state->t) &&
           lv_number_copies_agree(&way->outside);
}

/* The prediction of lv_predictor_expect. */
LV_INLINE void expect(const lv_program_pass *x)
{
    const ptrdiff_t newest = (ptrdiff_t)x->numbers[LV_PAST_NEWEST];
    lv_predictor_sum_few(x->guess, x->weights,
                         x->numbers + LV_PAST_VALUES + newest * x->m, x->m, x->far);
}

/* Whether lv_passes_judge would be content with this pass. */
LV_INLINE bool is_enough(const lv_program_pass *x)
{
    return *x->size <= LV_STEP_DOUBTFUL &&
           lv_newton_is_enough(&x->solver->newton, *x->size);
}

/* Adds the unknowns to the past values, as lv_predictor_add does. */
LV_INLINE void add(const lv_program_pass *x)
{
    ptrdiff_t place = (ptrdiff_t)x->numbers[LV_PAST_NEWEST] + 1;
    if (place == LV_PAST_WINDOW) {
        lv_predictor_sort(x->numbers, x->m);
        place = LV_PAST_LAST + 1;
    }
    lv_copy(x->numbers + LV_PAST_VALUES + place * x->m, x->found, x->m);
    x->numbers[LV_PAST_NEWEST] = (double)place;
}

/* Runs the program. Returns false if one pass is not enough, or something is wrong. */
LV_INLINE bool run(const lv_steady *s, double t)
{
    lv_fused *f = s->way->fused;
    const lv_program_pass *end = s->way->passes + f->pass_count;
    lv_fused_begin(f, t, s->h, 0);
    for (const lv_program_pass *x = s->way->passes; x < end; x++)
        expect(x);
    lv_fused_run(f, LV_RUN_WHOLE_STEP);
    for (const lv_program_pass *x = s->way->passes; x < end; x++)
        if (!is_enough(x))
            return false;
    return f->workspace[f->growth_passes] <= LV_FUSED_GROWTH && lv_fused_is_regular(f) &&
           lv_fused_is_whole(f);
}

bool lv_steady_step(lv_steady *s, const lv_state *state, double h, lv_step_report *report)
{
    lv_program_way *way = s->way;
    const int count = way->fused->pass_count, left = s->left;
    s->left = 0;
    if (!is_next(s, state, h))
        return false;
    lv_number_copies_run(&way->inside);
    if (!run(s, state->t)) {
        s->begun = true;
        return false;
    }
    for (const lv_program_pass *x = way->passes, *end = x + count; x < end; x++)
        add(x);
    lv_number_copies_run(&way->outside);
    report->iterations += count;
    s->left = left - 1;
    return true;
}
