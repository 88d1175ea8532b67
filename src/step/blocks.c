#include "step/blocks.h"

#include <string.h>

typedef struct deriver {
    lv_course *c;
    lv_phase *p;
    int phase, row;
    lv_site_finder find;
    void *user;
    bool failed, unsupported;
    lv_chains known; /* blocks */
} deriver;

static const lv_matrix_of mass_matrix = {LV_Q_MASS, LV_ROWS_ALL, false};

static int column_of(const deriver *d, int field)
{
    for (int k = 0; k < d->p->columns.count; k++)
        if (d->p->columns.data[k].field == field)
            return k;
    return -1;
}

static bool is_same(lv_matrix_of a, lv_matrix_of b)
{
    return a.quantity == b.quantity && a.rows == b.rows && a.transposed == b.transposed;
}

static void add_block(deriver *d, lv_block block)
{
    const unsigned key = lv_chains_mix(
        lv_chains_mix(lv_chains_mix(1, block.row), block.column), block.site);
    for (int k = lv_chains_last(&d->known, key); k >= 0;
         k = lv_chains_before(&d->known, k)) {
        lv_block *b = &d->p->blocks.data[k];
        if (b->row == block.row && b->column == block.column && b->power == block.power &&
            b->site == block.site && is_same(b->matrix, block.matrix)) {
            b->c += block.c;
            return;
        }
    }
    if (!LV_PUSH(d->p->blocks, block) || !lv_chains_add(&d->known, key))
        d->failed = true;
}

/* The derivative of a field that stands in a block: columns that it depends on linearly. */
static void expand(deriver *d, int field, lv_block block)
{
    lv_course *c = d->c;
    if (c->phases.of_field[field] != d->phase)
        return;
    block.column = column_of(d, field);
    if (block.column >= 0) {
        add_block(d, block);
        return;
    }
    const lv_sum *sum = &c->form.fields.data[field].sum;
    for (int k = 0; k < sum->count; k++) {
        const lv_term *t = &sum->data[k];
        if (t->field >= 0) {
            lv_block next = block;
            next.c *= t->c;
            next.power += t->power;
            expand(d, t->field, next);
        } else if (c->phases.of_atom[t->atom] == d->phase) {
            d->unsupported = true;
        }
    }
}

bool lv_slope_site(const lv_course *c, const lv_atom *atom, const lv_slope *slope,
                   int arg[LV_ARGUMENTS])
{
    if (atom->arg[LV_ARG_Q] < 0 ||
        (slope->matrix.quantity == LV_Q_MASS && c->facts.mass_constant))
        return false;
    memcpy(arg, atom->arg, LV_ARGUMENTS * sizeof *arg);
    /* The derivative of a product by its vector is the matrix, which knows nothing of it. */
    if (atom->op->vector >= 0 && slope == &atom->op->slope[atom->op->vector])
        arg[atom->op->vector] = -1;
    if (slope->by_w) {
        arg[LV_ARG_V] = arg[LV_ARG_W];
        arg[LV_ARG_W] = -1;
    }
    if (slope->exchanged) {
        const int q = arg[LV_ARG_Q], v = arg[LV_ARG_V];
        arg[LV_ARG_Q] = arg[LV_ARG_Q0];
        arg[LV_ARG_V] = arg[LV_ARG_V0];
        arg[LV_ARG_Q0] = q;
        arg[LV_ARG_V0] = v;
    }
    return true;
}

static int site_of_slope(deriver *d, const lv_atom *atom, const lv_slope *slope)
{
    int arg[LV_ARGUMENTS];
    return lv_slope_site(d->c, atom, slope, arg) ? d->find(d->user, arg) : -1;
}

static void derive_atom(deriver *d, int number, lv_block block)
{
    const lv_atom *atom = &d->c->form.atoms.data[number];
    for (int a = 0; a < LV_ARGUMENTS; a++) {
        const lv_slope *slope = &atom->op->slope[a];
        const int field = atom->arg[a];
        if (slope->factor == 0 || field < 0 || d->c->phases.of_field[field] != d->phase)
            continue;
        lv_block next = block;
        next.c *= slope->factor;
        next.matrix = slope->matrix;
        next.second = slope->second;
        next.optional = slope->optional;
        next.cheap = !slope->second || !d->p->columns.data[d->row].vector;
        next.site = site_of_slope(d, atom, slope);
        expand(d, field, next);
    }
}

/* factor times the derivative of a sum. mass: fields are multiplied by M, and M^-1 drops out. */
static void derive_sum(deriver *d, const lv_sum *sum, double factor, bool mass)
{
    for (int k = 0; k < sum->count; k++) {
        const lv_term *t = &sum->data[k];
        lv_block block = {.row = d->row,
                          .c = factor * t->c,
                          .power = t->power,
                          .site = -1,
                          .cheap = true};
        if (t->atom >= 0) {
            if (d->c->phases.of_atom[t->atom] == d->phase)
                derive_atom(d, t->atom, block);
        } else if (mass && !t->inverse) {
            block.matrix = mass_matrix;
            expand(d, t->field, block);
        } else if (d->c->phases.of_field[t->field] == d->phase &&
                   d->c->form.fields.data[t->field].role != LV_FIELD_CALLED) {
            d->unsupported = true; /* a bare field in an equation */
        }
    }
}

/* Blocks of terms that cancel. */
static void drop_cancelled(lv_phase *p)
{
    int kept = 0;
    for (int k = 0; k < p->blocks.count; k++)
        if (p->blocks.data[k].c != 0)
            p->blocks.data[kept++] = p->blocks.data[k];
    p->blocks.count = kept;
}

lv_status lv_blocks_derive(lv_course *course, int phase, lv_site_finder find, void *user,
                           lv_error *err)
{
    deriver d = {.c = course,
                 .p = &course->phase[phase],
                 .phase = phase,
                 .find = find,
                 .user = user};
    for (int k = 0; k < d.p->columns.count && !d.failed; k++) {
        const lv_column *column = &d.p->columns.data[k];
        const lv_sum *sum = &course->form.fields.data[column->field].sum;
        d.row = k;
        if (column->unknown) {
            derive_sum(&d, sum, 1, false);
        } else {
            expand(
                &d, column->field,
                (lv_block){
                    .row = k, .c = 1, .matrix = mass_matrix, .site = -1, .cheap = true});
            derive_sum(&d, sum, -1, true);
        }
    }
    drop_cancelled(d.p);
    LV_ARRAY_FREE(d.known.before);
    if (d.failed)
        return lv_fail_memory(err);
    return d.unsupported
               ? lv_fail(err, LV_ERR_USAGE,
                         "an equation of a step has a term without a derivative")
               : LV_OK;
}

double lv_block_factor(const lv_course *c, const lv_phase *p, const lv_block *b)
{
    const int power =
        b->power + p->columns.data[b->row].row_power - p->columns.data[b->column].scale;
    return b->c * lv_step_power(c->h, power);
}
