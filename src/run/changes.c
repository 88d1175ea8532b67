#include "run/changes.h"

#include <string.h>

enum { COUNT, FIRST, LAST, NUMBERS };

static int slot_count(const lv_model *m)
{
    return m->inputs.count + m->parameters.count + 1;
}

lv_status lv_changes_init(lv_changes *c, const lv_model *model, lv_arena *arena,
                          lv_error *err)
{
    c->model = model;
    c->number_count = 1 + NUMBERS * slot_count(model);
    c->numbers = lv_arena_alloc(arena, (size_t)c->number_count, sizeof *c->numbers);
    if (!c->numbers)
        return lv_fail_memory(err);
    lv_changes_begin(c, 0);
    return LV_OK;
}

void lv_changes_begin(lv_changes *c, double t)
{
    memset(c->numbers, 0, (size_t)c->number_count * sizeof *c->numbers);
    c->numbers[0] = t;
}

static double *slot_at(const lv_changes *c, int slot)
{
    return c->numbers + 1 + (ptrdiff_t)NUMBERS * slot;
}

static void note_change(lv_changes *c, int slot, double t)
{
    double *numbers = slot_at(c, slot);
    if (t == c->numbers[0])
        return;
    if (numbers[COUNT] == 0)
        numbers[FIRST] = t;
    numbers[COUNT] += 1;
    numbers[LAST] = t;
}

void lv_changes_note_input(lv_changes *c, int input, double t)
{
    note_change(c, input, t);
}

void lv_changes_note_parameter(lv_changes *c, int parameter, double t)
{
    note_change(c, c->model->inputs.count + parameter, t);
}

void lv_changes_note_step(lv_changes *c, double t)
{
    note_change(c, slot_count(c->model) - 1, t);
}

/* ---- questions -------------------------------------------------------------------------------------- */

int lv_changes_count(const lv_changes *c)
{
    int count = 0;
    for (int k = 0; k < slot_count(c->model); k++)
        count += slot_at(c, k)[COUNT] > 0;
    return count;
}

static void name_slot(const lv_model *m, int slot, lv_change_info *info)
{
    const int inputs = m->inputs.count, parameters = m->parameters.count;
    info->kind = slot < inputs                ? "input"
                 : slot < inputs + parameters ? "parameter"
                                              : "step";
    info->name = slot < inputs ? m->inputs.data[slot].item->name
                 : slot < inputs + parameters
                     ? m->parameters.data[slot - inputs].item->name
                     : "step";
}

lv_change_info lv_changes_describe(const lv_changes *c, int k)
{
    int slot = 0;
    while (slot_at(c, slot)[COUNT] == 0 || k-- > 0)
        slot++;
    const double *numbers = slot_at(c, slot);
    lv_change_info info = {.count = (long long)numbers[COUNT],
                           .first = numbers[FIRST],
                           .last = numbers[LAST]};
    name_slot(c->model, slot, &info);
    return info;
}
