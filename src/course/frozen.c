#include "course/frozen.h"

#include "num/sparse.h"

#include <math.h>
#include <string.h>

/* Positions in the memory: 1 if there is a choice to keep; 1 plus the smallest number of
 * rows of any choice, or 0; then the rows as bits, BITS in each number. */
enum { CHOSEN, FEWEST, ROWS, BITS = 32 };

static int words(const lv_frozen *frozen)
{
    return (frozen->system->m + BITS - 1) / BITS;
}

lv_status lv_frozen_init(lv_frozen *frozen, lv_system *system, lv_plan *plan,
                         lv_arena *arena, lv_error *err)
{
    *frozen = (lv_frozen){.system = system, .plan = plan, .recalled_count = -1};
    if (plan)
        frozen->g = lv_plan_pattern(plan, LV_Q_JACOBIAN);
    const int entries = plan ? lv_pattern_entries(frozen->g) : 0;
    const size_t rows = (size_t)system->m + 1;
    frozen->rows = lv_arena_alloc(arena, rows, sizeof *frozen->rows);
    frozen->all = lv_arena_alloc(arena, rows, sizeof *frozen->all);
    frozen->before = lv_arena_alloc(arena, rows, sizeof *frozen->before);
    frozen->expected = lv_arena_alloc(arena, rows, sizeof *frozen->expected);
    frozen->taken = lv_arena_alloc(arena, rows, sizeof *frozen->taken);
    frozen->recalled =
        lv_arena_alloc(arena, (size_t)words(frozen) + 1, sizeof *frozen->recalled);
    if (frozen->all)
        memset(frozen->all, true, (size_t)system->m * sizeof *frozen->all);
    frozen->gradients =
        lv_arena_alloc(arena, (size_t)entries + 1, sizeof *frozen->gradients);
    return frozen->rows && frozen->all && frozen->before && frozen->expected &&
                   frozen->taken && frozen->recalled && frozen->gradients
               ? LV_OK
               : lv_fail_memory(err);
}

/* Positions behind the choice: 1 if the point is known, its time, and the point at which
 * the last step satisfied the constraints. */
enum { KEPT_IS_KNOWN, KEPT_TIME, KEPT_POINT };

static int choice_size(const lv_frozen *frozen)
{
    return frozen->system->m > 0 ? ROWS + words(frozen) : 0;
}

int lv_frozen_memory_size(const lv_frozen *frozen)
{
    return choice_size(frozen) +
           (frozen->keeps ? KEPT_POINT + frozen->system->points : 0);
}

double *lv_frozen_place(lv_frozen *frozen, double *memory)
{
    frozen->memory = memory;
    frozen->kept = memory + choice_size(frozen);
    return memory + lv_frozen_memory_size(frozen);
}

void lv_frozen_forget(lv_frozen *frozen)
{
    frozen->rank = LV_RANK_UNKNOWN;
}

/* ---- where the rank is judged ------------------------------------------------------ */

void lv_frozen_keep(lv_frozen *frozen, double t, const double *q)
{
    if (!frozen->keeps || lv_frozen_none(frozen))
        return;
    frozen->kept[KEPT_IS_KNOWN] = 1;
    frozen->kept[KEPT_TIME] = t;
    memcpy(frozen->kept + KEPT_POINT, q, (size_t)frozen->system->points * sizeof *q);
}

static lv_point judged_point(const lv_frozen *frozen, const lv_state *from)
{
    const double *kept = frozen->kept;
    if (!frozen->keeps || !kept || kept[KEPT_IS_KNOWN] == 0)
        return (lv_point){.q = from->q, .v = from->v, .t = from->t};
    return (lv_point){.q = kept + KEPT_POINT, .v = from->v, .t = kept[KEPT_TIME]};
}

/* ---- the choice -------------------------------------------------------------------- */

/* A quick test: where G loses rank, G M^-1 G^T does as well. */
static bool may_be_deficient(const lv_frozen *frozen, const lv_state *from)
{
    lv_system *s = frozen->system;
    const lv_point at = judged_point(frozen, from);
    return lv_system_accelerations(s, NULL, NULL, at.t, at.q, at.v, NULL) != LV_OK ||
           lv_saddle_redundant(s->saddle) > 0;
}

/* Judges the gradients, unless these were judged last, and returns how many depend on
 * others. closely: an earlier choice was not good. */
static int look(lv_frozen *frozen, const lv_state *from, bool closely)
{
    const lv_point at = judged_point(frozen, from);
    lv_dependence *dependence = frozen->system->dependence;
    const size_t size = (size_t)lv_pattern_entries(frozen->g) * sizeof(double);
    lv_plan_run(frozen->plan, &at);
    const double *gradients = lv_plan_result(frozen->plan, LV_Q_JACOBIAN);
    if (!closely && frozen->look > 0 && lv_dependence_looks(dependence) == frozen->look &&
        memcmp(frozen->gradients, gradients, size) == 0)
        return lv_dependence_count(dependence);
    memcpy(frozen->gradients, gradients, size);
    const int count = (closely ? lv_dependence_look_closely : lv_dependence_look)(
        dependence, frozen->g, frozen->gradients, LV_DEPENDENT);
    frozen->look = lv_dependence_looks(dependence);
    return count > 0 ? count : 0;
}

static void find_taken(lv_frozen *frozen)
{
    for (int r = 0; r < frozen->system->m; r++)
        frozen->taken[r] = frozen->rows[r] ? 0 : 1;
}

static void choose(lv_frozen *frozen, const lv_state *from, bool closely)
{
    frozen->count = look(frozen, from, closely);
    frozen->fresh = true;
    frozen->recalled_count = -1;
    memset(frozen->rows, 0, (size_t)frozen->system->m * sizeof *frozen->rows);
    for (int k = 0; k < frozen->count; k++)
        frozen->rows[lv_dependence_row(frozen->system->dependence, k)] = true;
    find_taken(frozen);
}

void lv_frozen_expect(lv_frozen *frozen)
{
    const lv_model *model = frozen->system->model;
    const lv_state start = {.q = model->start_q, .v = model->start_v};
    frozen->expected_count = 0;
    if (frozen->system->m == 0 || !may_be_deficient(frozen, &start))
        return;
    choose(frozen, &start, false);
    frozen->expected_count = frozen->count;
    memcpy(frozen->expected, frozen->rows, (size_t)frozen->system->m * sizeof(bool));
}

bool lv_frozen_expect_same(lv_frozen *frozen)
{
    const size_t size = (size_t)frozen->system->m * sizeof *frozen->before;
    const int count = frozen->expected_count;
    memcpy(frozen->before, frozen->expected, size);
    lv_frozen_expect(frozen);
    return frozen->expected_count == count &&
           (count == 0 || memcmp(frozen->before, frozen->expected, size) == 0);
}

/* Reads the rows of the choice from the memory and returns their number. */
static int unpack(const lv_frozen *frozen)
{
    int count = 0;
    for (int r = 0; r < frozen->system->m; r += BITS) {
        const double number = frozen->memory[ROWS + r / BITS];
        const unsigned long bits =
            number >= 0 && number < 0x1p32 ? (unsigned long)number : 0;
        for (int k = 0; k < BITS && r + k < frozen->system->m; k++) {
            frozen->rows[r + k] = (bits >> k & 1u) != 0;
            count += frozen->rows[r + k];
        }
    }
    return count;
}

/* Takes the choice of an earlier step from the memory; usually `rows` has it already. */
static void recall(lv_frozen *frozen)
{
    const size_t size = (size_t)words(frozen) * sizeof *frozen->recalled;
    frozen->fresh = false;
    if (frozen->recalled_count < 0 ||
        memcmp(frozen->recalled, frozen->memory + ROWS, size) != 0) {
        frozen->recalled_count = unpack(frozen);
        find_taken(frozen);
        memcpy(frozen->recalled, frozen->memory + ROWS, size);
    }
    frozen->count = frozen->recalled_count;
}

bool lv_frozen_is_settled(lv_frozen *frozen)
{
    if (lv_frozen_none(frozen))
        return frozen->expected_count == 0;
    if (frozen->rank != LV_RANK_DEFICIENT || frozen->memory[CHOSEN] != 1)
        return false;
    recall(frozen);
    return lv_frozen_allows_program(frozen);
}

void lv_frozen_look(lv_frozen *frozen, const lv_state *from)
{
    if (frozen->rank == LV_RANK_UNKNOWN)
        frozen->rank = may_be_deficient(frozen, from) ? LV_RANK_DEFICIENT : LV_RANK_FULL;
    if (frozen->rank == LV_RANK_FULL)
        return;
    if (frozen->memory[CHOSEN] == 1)
        recall(frozen);
    else
        choose(frozen, from, frozen->memory[FEWEST] > 0);
}

bool lv_frozen_choose_again(lv_frozen *frozen, const lv_state *from)
{
    const size_t size = (size_t)frozen->system->m * sizeof *frozen->rows;
    if (frozen->count == 0 || frozen->fresh)
        return false;
    memcpy(frozen->before, frozen->rows, size);
    choose(frozen, from, true);
    return memcmp(frozen->before, frozen->rows, size) != 0;
}

void lv_frozen_remember(lv_frozen *frozen, bool doubtful, int at_end)
{
    if (frozen->rank != LV_RANK_DEFICIENT)
        return;
    double *memory = frozen->memory;
    const int fewest = at_end < frozen->count ? at_end : frozen->count;
    if (memory[FEWEST] == 0 || fewest < memory[FEWEST])
        memory[FEWEST] = fewest + 1;
    memory[CHOSEN] = frozen->count < memory[FEWEST] && !doubtful ? 1 : 0;
    if (!frozen->fresh)
        return;
    for (int r = 0; r < frozen->system->m; r += BITS) {
        unsigned long bits = 0;
        for (int k = 0; k < BITS && r + k < frozen->system->m; k++)
            bits |= (unsigned long)frozen->rows[r + k] << k;
        memory[ROWS + r / BITS] = (double)bits;
    }
}

/* ---- multipliers ------------------------------------------------------------------- */

void lv_frozen_set_zero(lv_frozen *frozen, const lv_state *at, double *y)
{
    bool any = false;
    for (int r = 0; frozen->count > 0 && r < frozen->system->m; r++)
        any |= frozen->rows[r] && y[r] != 0;
    if (!any)
        return;
    if (look(frozen, at, false) > 0)
        lv_dependence_without(frozen->system->dependence, frozen->g, frozen->gradients,
                              y);
    for (int r = 0; r < frozen->system->m; r++)
        y[r] = frozen->rows[r] ? 0 : y[r];
}

/* Uses the memory to decide whether rows were frozen: in a resumed run nothing else is
 * known. */
void lv_frozen_release(lv_frozen *frozen, const lv_state *at, double *y)
{
    if (frozen->system->m > 0 && frozen->memory[FEWEST] > 1 &&
        look(frozen, at, false) > 0)
        lv_dependence_least_norm(frozen->system->dependence, frozen->g, frozen->gradients,
                                 y);
}
