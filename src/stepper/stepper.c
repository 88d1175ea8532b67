#include "stepper/stepper.h"

#include "base/inline.h"
#include "base/memory.h"
#include "stepper/stepper_private.h"

#include <string.h>

static lv_step_way forced = LV_WAY_USUAL;

void lv_stepper_force(lv_step_way way)
{
    forced = way;
}

/* ---- creation ---------------------------------------------------------------------- */

static lv_status make_course(lv_stepper *s, const char *text, const lv_step_table *table,
                             lv_chart chart, lv_error *err)
{
    lv_form form = {0};
    lv_system *system = s->system;
    int sizes[LV_SPACES];
    lv_course_sizes(sizes, system);
    lv_step_table own = *table;
    own.on_groups = system->still != NULL;
    lv_status status = lv_form_read(&form, text, &own, sizes, err);
    if (status != LV_OK) {
        lv_form_done(&form);
        return status;
    }
    LV_TRY(lv_course_create(&s->course, system, &form, forced != LV_WAY_UNREDUCED, err));
    s->course->turning.chart = chart;
    return LV_OK;
}

static lv_status make_solvers(lv_stepper *s, lv_stepper_options options, lv_error *err)
{
    const int phases = s->course->phases.count;
    s->solvers = lv_arena_alloc(&s->arena, (size_t)phases + 1, sizeof *s->solvers);
    if (!s->solvers)
        return lv_fail_memory(err);
    for (int k = 0; k < phases; k++) {
        lv_solver *w = &s->solvers[k];
        LV_TRY(lv_solver_init(w, s->course, k + 1, forced <= LV_WAY_COURSE, options,
                              &s->arena, err));
        w->frozen = &s->frozen;
        w->now = &s->now;
    }
    return LV_OK;
}

/* Makes a program. If some constraints depend on others at the start of the model, it
 * leaves constraints out; there is no such program for schemes whose nodes do not
 * satisfy the constraints. */
static lv_status make_program(lv_stepper *s, bool project, lv_error *err)
{
    const bool asks[LV_ASKED_WHEN] = {
        [LV_ASKED_ALWAYS] = true, [LV_ASKED_ONCE] = project, [LV_ASKED_DEPENDENT] = true};
    const lv_rows_left_out left_out = {
        .taken = lv_frozen_expected(&s->frozen) ? s->frozen.taken : NULL,
        .q = s->ending.q,
        .v = lv_ending_checks_rates(&s->ending, asks) ? s->ending.v : NULL};
    s->programs.course = s->course;
    s->programs.solvers = s->solvers;
    s->programs.carried = s->carried;
    s->programs.carried_count = s->carried_count;
    s->programs.substeps = s->substeps;
    s->programs.waits = s->course->turning.motion != NULL;
    s->programs.repeats = s->substeps == 1 && !s->programs.waits;
    if (forced != LV_WAY_USUAL || (left_out.taken && s->frozen.keeps))
        return LV_OK;
    return lv_program_steps_make(&s->programs, project, &left_out, err);
}

static lv_status make_constraints(lv_stepper *s, lv_error *err)
{
    if (s->system->m > 0)
        LV_TRY(lv_plan_create(&s->constraints, s->system->model,
                              LV_WANT(JACOBIAN) | LV_WANT(CONSTRAINT), err));
    LV_TRY(lv_frozen_init(&s->frozen, s->system, s->constraints, &s->arena, err));
    const lv_form *form = &s->course->form;
    lv_ending_init(&s->ending, s->course, lv_form_find(form, "q", 0),
                   lv_form_find(form, "v", 0), s->constraints);
    s->frozen.keeps = s->ending.at < 1;
    return LV_OK;
}

/* Constraints that depend on others at the start of the model do so in most steps:
 * prepares matrices without them. */
static lv_status expect_dependent(lv_stepper *s, lv_error *err)
{
    lv_frozen_expect(&s->frozen);
    const bool *rows = lv_frozen_expected(&s->frozen);
    for (int k = 0; rows && k < s->course->phases.count; k++)
        LV_TRY(lv_step_matrix_expect_left_out(s->solvers[k].matrix, rows, err));
    return LV_OK;
}

static lv_status make_memory(lv_stepper *s, lv_error *err)
{
    const int phases = s->course->phases.count;
    /* On groups the state has other coordinates than the step. */
    const bool apart = s->system->still != NULL;
    const int carried = lv_carried_memory_size(s->carried, s->carried_count, apart);
    s->memory_size = LV_MEMORY_CARRIED + carried + lv_frozen_memory_size(&s->frozen);
    for (int k = 0; k < phases; k++)
        s->memory_size += lv_solver_memory_size(&s->solvers[k], s->substeps);
    s->memory_size += s->programs.way[1] ? lv_course_kept_size(s->course) : 0;
    s->memory = lv_arena_alloc(&s->arena, (size_t)s->memory_size + 1, sizeof *s->memory);
    if (!s->memory)
        return lv_fail_memory(err);
    lv_carried_settle(s->carried, s->carried_count, apart, s->memory + LV_MEMORY_CARRIED,
                      &s->inside);
    double *at = lv_frozen_place(&s->frozen, s->memory + LV_MEMORY_CARRIED + carried);
    for (int k = 0; k < phases; k++)
        at = lv_solver_place_memory(&s->solvers[k], at, s->substeps);
    if (s->programs.way[1])
        lv_course_place_kept(s->course, at);
    return LV_OK;
}

static lv_status stepper_fill(lv_stepper *s, const char *text, const lv_step_table *table,
                              lv_stepper_options options, lv_error *err)
{
    LV_TRY(make_course(s, text, table, options.chart, err));
    lv_limit_init(&s->limit, s->course, options.turns_below_one);
    LV_TRY(make_solvers(s, options, err));
    LV_TRY(lv_carried_find(&s->carried, &s->carried_count, s->course, &s->arena, err));
    LV_TRY(make_constraints(s, err));
    LV_TRY(expect_dependent(s, err));
    LV_TRY(make_program(s, true, err));
    s->place = lv_arena_alloc(&s->arena,
                              (size_t)s->system->points + 2 * (size_t)s->system->n + 1,
                              sizeof *s->place);
    if (!s->place)
        return lv_fail_memory(err);
    return make_memory(s, err);
}

lv_status lv_stepper_create(lv_stepper **result, lv_system *system, const char *text,
                            const lv_step_table *table, lv_stepper_options options,
                            lv_error *err)
{
    lv_stepper *s = lv_memory_zeroed(1, sizeof *s);
    *result = NULL;
    if (!s)
        return lv_fail_memory(err);
    s->system = system;
    s->substeps = 1;
    s->remembers = options.remembers;
    lv_status status = stepper_fill(s, text, table, options, err);
    if (status == LV_OK)
        *result = s;
    else
        lv_stepper_free(s);
    return status;
}

void lv_stepper_free(lv_stepper *s)
{
    if (!s)
        return;
    for (int k = 0; s->solvers && k < s->course->phases.count; k++)
        lv_solver_done(&s->solvers[k]);
    lv_plan_free(s->constraints);
    lv_tangent_free(s->tangent);
    lv_program_steps_done(&s->programs);
    lv_course_free(s->course);
    lv_arena_done(&s->arena);
    lv_memory_free(s);
}

lv_status lv_stepper_compose(lv_stepper *s, int substeps, lv_error *err)
{
    s->substeps = substeps;
    if (substeps > 1)
        LV_TRY(make_program(s, false, err));
    return make_memory(s, err);
}

void lv_stepper_hide_substeps(lv_stepper *s)
{
    s->hides = true;
}

void lv_stepper_restart_multipliers(lv_stepper *s)
{
    s->restarts = true;
    s->programs.repeats = false;
}

lv_memory_view lv_stepper_memory(lv_stepper *s)
{
    lv_program_steps_settle(&s->programs);
    for (int k = 0; k < s->course->phases.count; k++)
        lv_solver_sort_memory(&s->solvers[k], s->substeps);
    s->viewed = true;
    return (lv_memory_view){s->memory, s->memory_size};
}

void lv_stepper_forget(lv_stepper *s)
{
    memset(s->memory, 0, (size_t)s->memory_size * sizeof *s->memory);
    lv_frozen_forget(&s->frozen);
    lv_program_steps_forget(&s->programs);
    s->viewed = true;
    s->course->finished = false;
}

void lv_stepper_change_inputs(lv_stepper *s)
{
    if (s->remembers)
        lv_stepper_forget(s);
    if (!lv_course_hands_over_inputs(s->course))
        return;
    lv_program_steps_settle(&s->programs);
    lv_course_change_inputs(s->course);
}

/* ---- carried fields ---------------------------------------------------------------- */

static void load(const lv_stepper *s, const lv_state *state)
{
    for (int k = 0; k < s->carried_count; k++)
        lv_copy(s->course->value[s->carried[k].field],
                lv_carried_place(&s->carried[k], state), s->carried[k].size);
}

/* Copies assigned values to the state and to the memory. The course keeps the values at
 * the start of the step, for fields that are shown. */
static void store(lv_stepper *s, const lv_state *state)
{
    for (int k = 0; k < s->carried_count; k++) {
        const lv_carried_field *x = &s->carried[k];
        if (!x->becomes)
            continue;
        double *to = lv_carried_place(x, state);
        memcpy(to, x->becomes, (size_t)x->size * sizeof *to);
    }
}

/* ---- the first step ---------------------------------------------------------------- */

/* Sets the carried multipliers of nonholonomic constraints to those of the accelerations
 * at the start, before the first step or before every one. Other carried fields start at
 * 0. */
static lv_status start(lv_stepper *s, const lv_state *state, lv_error *err)
{
    lv_course *c = s->course;
    bool known = false;
    for (int k = 0; k < s->carried_count; k++) {
        const lv_carried_field *x = &s->carried[k];
        if (x->space != LV_SPACE_ROLLING || x->size == 0)
            continue;
        if (!known)
            LV_TRY(lv_system_accelerations(s->system, NULL, c->multipliers, state->t,
                                           state->q, state->v, err));
        known = true;
        memcpy(c->value[x->field], c->multipliers + s->system->m,
               (size_t)x->size * sizeof(double));
    }
    return LV_OK;
}

/* Does the assignments of the text that precede the first step. If they change the
 * momenta, velocities follow from these. */
static void do_first(lv_stepper *s)
{
    lv_course *c = s->course;
    bool kicked = false;
    lv_course_run(c, &c->phase[LV_PLACE_FIRST(c)].before);
    for (int k = 0; k < c->form.assignments.count; k++)
        if (c->form.assignments.data[k].first)
            lv_combine(c, &c->assignments[k]);
    for (int k = 0; k < c->form.assignments.count; k++) {
        const lv_assignment *a = &c->form.assignments.data[k];
        if (!a->first)
            continue;
        lv_copy(c->value[a->field], c->assignments[k].out, c->assignments[k].size);
        kicked = kicked || a->field == c->facts.p;
    }
    if (!kicked)
        return;
    lv_copy(c->value[c->facts.v], c->value[c->facts.p], s->system->n);
    lv_mass_solve(c->mass, c->value[c->facts.v]);
}

/* ---- steps ------------------------------------------------------------------------- */

/* Whether a program may take the step. The first step needs more than programs do, and
 * so do steps that choose which constraints to leave out. */
static bool may_be_program(const lv_stepper *s)
{
    return s->now.number > 0 && lv_frozen_allows_program(&s->frozen) &&
           s->programs.way[s->now.project];
}

/* Prepares the course: loads the carried fields and the quantities at the start of the
 * step. */
static lv_status begin(lv_stepper *s, const lv_state *state, lv_error *err)
{
    const bool first = s->now.number == 0;
    lv_program_steps_settle(&s->programs);
    load(s, state);
    if (first || s->restarts)
        LV_TRY(start(s, state, err));
    lv_course_begin(s->course, state->t, s->now.h);
    if (first)
        do_first(s);
    return LV_OK;
}

/* Tries the usual way to take a step: by a program, as the continuation of the step
 * before. */
LV_INLINE lv_program_end go_on(lv_stepper *s, const lv_state *state,
                               lv_step_report *report)
{
    const lv_program_end end =
        may_be_program(s) && !s->restarts
            ? lv_program_steps_go_on(&s->programs, &s->now, state, report)
            : LV_PROGRAM_ELSEWHERE;
    s->now.asks[LV_ASKED_DEPENDENT] = s->frozen.count > 0;
    s->replayed = false;
    s->by_program = end == LV_PROGRAM_SOLVED;
    return end;
}

/* Solves a step that does not go on in a workspace: by a program unless one has failed,
 * otherwise by the course. */
static lv_status solve_anew(lv_stepper *s, const lv_state *state, lv_program_end end,
                            lv_step_report *report, lv_error *err)
{
    LV_TRY(begin(s, state, err));
    s->by_program =
        may_be_program(s) && end == LV_PROGRAM_ELSEWHERE &&
        lv_program_steps_begin(&s->programs, &s->now, state, report) == LV_PROGRAM_SOLVED;
    return s->by_program ? LV_OK : lv_stepper_run_course(s, state, report, err);
}

/* Solves the step after it could not go on. If an earlier choice of constraints that are
 * left out does not hold to rounding, or the step fails with it, chooses again. */
static lv_status solve_otherwise(lv_stepper *s, const lv_state *state, lv_program_end end,
                                 lv_step_report *report, lv_error *err)
{
    const lv_step_report before = *report;
    const lv_status status = solve_anew(s, state, end, report, err);
    const bool good = status == LV_OK && (s->by_program || !s->ending.doubtful);
    if (good || !lv_frozen_choose_again(&s->frozen, state))
        return status;
    if (status == LV_OK)
        lv_stepper_restore_notes(s);
    *report = before;
    end = go_on(s, state, report);
    return s->by_program ? LV_OK : solve_anew(s, state, end, report, err);
}

/* Solves the step without constraints that depend on others. */
LV_INLINE lv_status solve(lv_stepper *s, const lv_state *state, lv_step_report *report,
                          lv_error *err)
{
    lv_frozen_find(&s->frozen, state);
    const lv_program_end end = go_on(s, state, report);
    return s->by_program ? LV_OK : solve_otherwise(s, state, end, report, err);
}

/* Copies to the course what the limits on turns need. */
static void deliver_turns(const lv_stepper *s)
{
    if (!s->by_program)
        return;
    if (s->limit.by_axes) {
        lv_program_steps_deliver(&s->programs);
        return;
    }
    lv_program_steps_deliver_some(&s->programs, s->ending.q);
    lv_program_steps_deliver_some(&s->programs, s->ending.v);
}

/* Checks how far bodies have turned. */
static lv_status check_turns(lv_stepper *s, const lv_state *state, lv_step_report *report,
                             lv_error *err)
{
    deliver_turns(s);
    const lv_status status = lv_limit_check_end(&s->limit, state, s->ending.q,
                                                s->ending.v, s->now.h, report, err);
    if (status != LV_OK && s->by_program)
        lv_program_steps_refuse(&s->programs);
    else if (status != LV_OK)
        lv_stepper_restore_notes(s);
    return status;
}

LV_INLINE lv_status try_step(lv_stepper *s, const lv_state *state, lv_step_report *report,
                             lv_error *err)
{
    const bool turns = s->course->turning.motion != NULL;
    if (turns)
        LV_TRY(lv_limit_check_start(&s->limit, state, s->now.h, err));
    LV_TRY(solve(s, state, report, err));
    return turns ? check_turns(s, state, report, err) : LV_OK;
}

/* Stores what a step of the course has found. */
static void accept_course(lv_stepper *s, const lv_state *state)
{
    for (int k = 0; k < s->course->phases.count; k++) {
        lv_solver_remember(&s->solvers[k]);
        if (s->ending.doubtful)
            lv_solver_distrust(&s->solvers[k]);
    }
    lv_stepper_remember_choice(s);
    store(s, state);
    lv_frozen_keep(&s->frozen, state->t + s->ending.at * s->now.h, s->ending.last);
    lv_course_keep(s->course, false);
    s->course->finished = true;
}

/* A count in the memory, from 0 to most; 0 if the number, which may come from a file, is
 * impossible. */
static int count_in(const lv_stepper *s, int place, int most)
{
    const double count = s->memory[place];
    return count >= 1 && count <= most ? (int)count : 0;
}

static void read_counts(lv_stepper *s)
{
    s->next_number = count_in(s, LV_MEMORY_STEPS, LV_STEP_ROUND);
    s->next_substep = count_in(s, LV_MEMORY_SUBSTEPS, s->substeps - 1);
    s->viewed = false;
}

/* Counts composed steps at their end. The very first substep also counts as a step:
 * nothing after it is the first. */
LV_INLINE void count_step(lv_stepper *s)
{
    const int next = s->now.substep + 1;
    const bool last = s->now.project || next >= s->substeps;
    if (last || s->now.number == 0)
        s->next_number = s->now.number < LV_STEP_ROUND ? s->now.number + 1 : 1;
    s->next_substep = last ? 0 : next;
    s->memory[LV_MEMORY_STEPS] = s->next_number;
    s->memory[LV_MEMORY_SUBSTEPS] = s->next_substep;
}

/* Tries to take a step like the one before. */
LV_INLINE bool repeat(lv_stepper *s, const lv_state *state, double h, bool project,
                      lv_step_report *report)
{
    lv_steady *steady = &s->programs.steady;
    if (steady->left == 0 || !project || !lv_frozen_none(&s->frozen) ||
        !lv_steady_step(steady, state, h, report))
        return false;
    s->now.number = s->next_number++;
    s->memory[LV_MEMORY_STEPS] = s->next_number;
    return true;
}

/* Takes a step that is not like the one before. */
LV_APART lv_status step_otherwise(lv_stepper *s, lv_state *state, double h, bool project,
                                  lv_step_report *report, lv_error *err)
{
    lv_state *inside = s->system->still ? &s->inside : state;
    lv_step_now *now = &s->now;
    if (s->viewed)
        read_counts(s);
    now->from = inside;
    now->h = h;
    now->project = project;
    now->hidden = s->hides && !project && inside == state && lv_frozen_none(&s->frozen);
    now->asks[LV_ASKED_ALWAYS] = true;
    now->asks[LV_ASKED_ONCE] = project;
    now->asks[LV_ASKED_DEPENDENT] = false;
    now->substep = s->next_substep;
    now->number = s->next_number;
    if (inside != state)
        lv_stepper_take_in(s, state);
    LV_TRY(try_step(s, inside, report, err));
    if (!s->by_program)
        accept_course(s, inside);
    else if (s->programs.waits)
        lv_program_steps_accept(&s->programs, now, inside, report);
    if (inside != state && s->hides && !project && !s->by_program)
        lv_stepper_put_position(s, state);
    else if (inside != state)
        lv_stepper_put_out(s, state, state->t + h, s->inside.q, s->inside.v);
    count_step(s);
    return LV_OK;
}

lv_status lv_stepper_step(lv_stepper *s, lv_state *state, double h, bool project,
                          lv_step_report *report, lv_error *err)
{
    return repeat(s, state, h, project, report)
               ? LV_OK
               : step_otherwise(s, state, h, project, report, err);
}
