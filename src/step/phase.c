#include "step/phase.h"

#include <string.h>

typedef struct finder {
    const lv_form *form;
    lv_phases *phases;
    const lv_step_facts *facts;
    const int *sizes;
    int *index, *low, *stack; /* by field: numbers of Tarjan's search */
    bool *on_stack, *seen_field, *seen_atom;
    int depth, next;
} finder;

static bool is_unknown(const finder *f, int field)
{
    const lv_field *x = &f->form->fields.data[field];
    return x->role == LV_FIELD_UNKNOWN && f->sizes[x->space] > 0;
}

/* ---- components -------------------------------------------------------------------- */

static void connect(finder *f, int unknown);

static void meet_field(finder *f, int unknown, int field);

static void meet_sum(finder *f, int unknown, const lv_sum *sum)
{
    for (int k = 0; k < sum->count; k++) {
        const lv_term *t = &sum->data[k];
        if (t->field >= 0)
            meet_field(f, unknown, t->field);
        else
            for (int a = 0; a < LV_ARGUMENTS; a++)
                if (f->form->atoms.data[t->atom].arg[a] >= 0)
                    meet_field(f, unknown, f->form->atoms.data[t->atom].arg[a]);
    }
}

/* Notes that the equation of `unknown` needs the field: other unknowns are connected
 * first, definitions are followed. */
static void meet_field(finder *f, int unknown, int field)
{
    if (is_unknown(f, field)) {
        if (f->index[field] == 0)
            connect(f, field);
        if (f->on_stack[field] && f->low[field] < f->low[unknown])
            f->low[unknown] = f->low[field];
    } else if (f->form->fields.data[field].role == LV_FIELD_DEFINED) {
        meet_sum(f, unknown, &f->form->fields.data[field].sum);
    } else if (f->form->fields.data[field].role == LV_FIELD_CALLED) {
        const lv_call *call = &f->form->calls.data[f->form->fields.data[field].call];
        for (int a = 0; a < call->arguments; a++)
            meet_field(f, unknown, call->argument[a]);
    }
}

/* Tarjan's search for strongly connected components, which are found in the order in
 * which they can be solved. */
static void connect(finder *f, int unknown)
{
    f->index[unknown] = f->low[unknown] = ++f->next;
    f->stack[f->depth++] = unknown;
    f->on_stack[unknown] = true;
    meet_sum(f, unknown, &f->form->fields.data[unknown].sum);
    if (f->low[unknown] != f->index[unknown])
        return;
    const int phase = ++f->phases->count;
    for (int top = -1; top != unknown;) {
        top = f->stack[--f->depth];
        f->on_stack[top] = false;
        f->phases->of_field[top] = phase;
    }
}

/* ---- what is known when ------------------------------------------------------------ */

static void date_field(finder *f, int field);

static int date_sum(finder *f, const lv_sum *sum)
{
    int phase = 0;
    for (int k = 0; k < sum->count; k++) {
        const lv_term *t = &sum->data[k];
        int when = 0;
        if (t->field >= 0) {
            date_field(f, t->field);
            when = f->phases->of_field[t->field];
        } else {
            const lv_atom *atom = &f->form->atoms.data[t->atom];
            for (int a = 0; a < LV_ARGUMENTS && !f->seen_atom[t->atom]; a++)
                if (atom->arg[a] >= 0) {
                    date_field(f, atom->arg[a]);
                    const int argument = f->phases->of_field[atom->arg[a]];
                    int *of_atom = &f->phases->of_atom[t->atom];
                    *of_atom = argument > *of_atom ? argument : *of_atom;
                }
            f->seen_atom[t->atom] = true;
            when = f->phases->of_atom[t->atom];
        }
        phase = when > phase ? when : phase;
    }
    return phase;
}

static int date_call(finder *f, const lv_call *call)
{
    int phase = 0;
    for (int a = 0; a < call->arguments; a++) {
        date_field(f, call->argument[a]);
        const int when = f->phases->of_field[call->argument[a]];
        phase = when > phase ? when : phase;
    }
    return phase;
}

static void date_field(finder *f, int field)
{
    const lv_field *x = &f->form->fields.data[field];
    if (f->seen_field[field])
        return;
    f->seen_field[field] = true;
    if (x->role == LV_FIELD_DEFINED)
        f->phases->of_field[field] = date_sum(f, &x->sum);
    if (x->role == LV_FIELD_CALLED)
        f->phases->of_field[field] = date_call(f, &f->form->calls.data[x->call]);
}

static void date_all(finder *f)
{
    for (int k = 0; k < f->form->fields.count; k++)
        date_field(f, k);
    for (int k = 0; k < f->form->fields.count; k++)
        if (is_unknown(f, k))
            (void)date_sum(f, &f->form->fields.data[k].sum);
    for (int k = 0; k < f->form->assignments.count; k++)
        (void)date_sum(f, &f->form->assignments.data[k].sum);
}

/* ---- linear phases ----------------------------------------------------------------- */

/* Is the operator affine in this argument? It is affine in the vector that a matrix is
 * multiplied by. */
static bool is_linear_in(const finder *f, const lv_atom *atom, int argument)
{
    if (argument == LV_ARG_V && strcmp(atom->op->name, "p") == 0)
        return f->facts->momentum_affine;
    if (argument == LV_ARG_V && strcmp(atom->op->name, "Phi") == 0)
        return f->facts->rolling_affine;
    return argument == atom->op->vector;
}

/* Notes that the equations of this phase are not affine in a field, nor in what the field
 * is computed from. */
static void bend(const finder *f, int field, int phase);

static void bend_sum(const finder *f, const lv_sum *sum, int phase)
{
    for (int k = 0; k < sum->count; k++) {
        const lv_term *t = &sum->data[k];
        if (t->field >= 0)
            bend(f, t->field, phase);
        else
            for (int a = 0; a < LV_ARGUMENTS; a++)
                if (f->form->atoms.data[t->atom].arg[a] >= 0)
                    bend(f, f->form->atoms.data[t->atom].arg[a], phase);
    }
}

static void bend(const finder *f, int field, int phase)
{
    const lv_field *x = &f->form->fields.data[field];
    if (f->phases->of_field[field] != phase || f->phases->curved[field])
        return;
    f->phases->curved[field] = true;
    if (x->role == LV_FIELD_DEFINED)
        bend_sum(f, &x->sum, phase);
    if (x->role == LV_FIELD_CALLED)
        for (int a = 0; a < f->form->calls.data[x->call].arguments; a++)
            bend(f, f->form->calls.data[x->call].argument[a], phase);
}

/* Bends what operators of the sum, and of the definitions that it uses, are not affine
 * in. */
static void inspect_sum(const finder *f, const lv_sum *sum, int phase);

static void inspect_field(const finder *f, int field, int phase)
{
    const lv_field *x = &f->form->fields.data[field];
    if (f->phases->of_field[field] != phase || f->seen_field[field])
        return;
    f->seen_field[field] = true;
    if (x->role == LV_FIELD_DEFINED)
        inspect_sum(f, &x->sum, phase);
    if (x->role == LV_FIELD_CALLED)
        bend(f, field, phase);
}

static void inspect_sum(const finder *f, const lv_sum *sum, int phase)
{
    for (int k = 0; k < sum->count; k++) {
        const lv_term *t = &sum->data[k];
        if (t->field >= 0) {
            inspect_field(f, t->field, phase);
            continue;
        }
        const lv_atom *atom = &f->form->atoms.data[t->atom];
        for (int a = 0; a < LV_ARGUMENTS; a++)
            if (atom->arg[a] >= 0 && is_linear_in(f, atom, a))
                inspect_field(f, atom->arg[a], phase);
            else if (atom->arg[a] >= 0)
                bend(f, atom->arg[a], phase);
    }
}

static void find_linear(finder *f)
{
    const int fields = f->form->fields.count;
    for (int k = 0; k < fields; k++)
        f->seen_field[k] = false;
    for (int k = 0; k < fields; k++)
        if (is_unknown(f, k))
            inspect_sum(f, &f->form->fields.data[k].sum, f->phases->of_field[k]);
    for (int p = 1; p <= f->phases->count; p++)
        f->phases->linear[p] = true;
    for (int k = 0; k < fields; k++)
        if (f->phases->curved[k])
            f->phases->linear[f->phases->of_field[k]] = false;
}

lv_status lv_phases_find(lv_phases *phases, const lv_form *form,
                         const lv_step_facts *facts, const int sizes[LV_SPACES],
                         lv_arena *arena, lv_error *err)
{
    const size_t fields = (size_t)form->fields.count + 1,
                 atoms = (size_t)form->atoms.count + 1;
    finder f = {.form = form, .phases = phases, .facts = facts, .sizes = sizes};
    *phases =
        (lv_phases){.of_field = lv_arena_alloc(arena, fields, sizeof *phases->of_field),
                    .of_atom = lv_arena_alloc(arena, atoms, sizeof *phases->of_atom),
                    .linear = lv_arena_alloc(arena, fields + 2, sizeof *phases->linear),
                    .curved = lv_arena_alloc(arena, fields, sizeof *phases->curved)};
    int *numbers = lv_arena_alloc(arena, 3 * fields, sizeof *numbers);
    bool *marks = lv_arena_alloc(arena, 2 * fields + atoms, sizeof *marks);
    if (!phases->of_field || !phases->of_atom || !phases->linear || !phases->curved ||
        !numbers || !marks)
        return lv_fail_memory(err);
    f.index = numbers;
    f.low = numbers + fields;
    f.stack = numbers + 2 * fields;
    f.on_stack = marks;
    f.seen_field = marks + fields;
    f.seen_atom = marks + 2 * fields;
    for (int k = 0; k < form->fields.count; k++)
        if (is_unknown(&f, k) && f.index[k] == 0)
            connect(&f, k);
    date_all(&f);
    find_linear(&f);
    return LV_OK;
}
