#include "course/blocks.h"

#include <string.h>

typedef struct deriver {
    lv_course *c;
    lv_phase *p;
    int phase, row;
    lv_site_finder find;
    void *user;
    bool failed, unsupported;
    lv_chains known; /* finds blocks by row, column and site */
} deriver;

static const lv_matrix_of mass_matrix = {LV_Q_MASS, LV_ROWS_ALL, false};

static int column_of(const deriver *d, int field)
{
    for (int k = 0; k < d->p->columns.count; k++)
        if (d->p->columns.data[k].field == field)
            return k;
    return -1;
}

static bool is_same_matrix(const lv_block *a, const lv_block *b)
{
    return a->matrix.quantity == b->matrix.quantity && a->matrix.rows == b->matrix.rows &&
           a->matrix.transposed == b->matrix.transposed && a->site == b->site &&
           a->bare == b->bare;
}

static bool has_same_factors(const lv_factors *a, const lv_factors *b)
{
    bool same = a->count == b->count;
    for (int k = 0; same && k < a->count; k++)
        same = a->list[k] == b->list[k];
    return same;
}

bool lv_block_is_alike(const lv_block *a, const lv_block *b)
{
    return is_same_matrix(a, b) && has_same_factors(&a->left, &b->left) &&
           has_same_factors(&a->right, &b->right);
}

static void add_block(deriver *d, lv_block block)
{
    const unsigned key = lv_chains_mix(
        lv_chains_mix(lv_chains_mix(1, block.row), block.column), block.site);
    if (block.bare && block.left.count == 0) {
        d->unsupported = true; /* a field is a term of an equation by itself */
        return;
    }
    for (int k = lv_chains_last(&d->known, key); k >= 0;
         k = lv_chains_before(&d->known, k)) {
        lv_block *b = &d->p->blocks.data[k];
        if (b->row == block.row && b->column == block.column && b->power == block.power &&
            lv_block_is_alike(b, &block)) {
            b->c += block.c;
            return;
        }
    }
    if (!LV_PUSH(d->p->blocks, block) || !lv_chains_add(&d->known, key))
        d->failed = true;
}

int lv_factor_find(lv_course *c, int atom, lv_argument by)
{
    for (int k = 0; k < c->factors.count; k++)
        if (c->factors.data[k].atom == atom && c->factors.data[k].by == by)
            return k;
    const lv_turn_of turn = c->form.atoms.data[atom].op->turn;
    const size_t size = LV_POSE_BLOCK * (size_t)c->turning.motion->pose_count + 1;
    const lv_factor new = {.atom = atom,
                           .by = by,
                           .blocks = lv_arena_alloc(&c->arena, size, sizeof(double)),
                           .plain = lv_turning_is_plain(turn, by)};
    return new.blocks &&LV_PUSH(c->factors, new) ? c->factors.count - 1 : -1;
}

static void derive_terms(deriver *d, const lv_sum *sum, lv_block block);

/* Adds the block of a field if it has a column; otherwise continues with its
 * definition. */
static void derive_field(deriver *d, int field, lv_block block)
{
    lv_course *c = d->c;
    if (c->phases.of_field[field] != d->phase || d->failed)
        return;
    block.column = column_of(d, field);
    if (block.column >= 0)
        add_block(d, block);
    else if (c->form.fields.data[field].role == LV_FIELD_DEFINED)
        derive_terms(d, &c->form.fields.data[field].sum, block);
}

bool lv_slope_site(const lv_course *c, const lv_atom *atom, const lv_slope *slope,
                   int arg[LV_ARGUMENTS])
{
    if (atom->arg[LV_ARG_Q] < 0 ||
        (slope->matrix.quantity == LV_Q_MASS && c->facts.mass_constant))
        return false;
    memcpy(arg, atom->arg, LV_ARGUMENTS * sizeof *arg);
    /* The derivative of a product by its vector is the matrix, which does not depend on
     * the vector. */
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

/* Derivatives of group operators are factors on the left of the matrix if it is still to
 * come, otherwise on its right. */
static void derive_turn(deriver *d, int number, lv_block block)
{
    const lv_atom *atom = &d->c->form.atoms.data[number];
    for (int a = 0; a < LV_ARGUMENTS; a++) {
        const int field = atom->arg[a];
        if (field < 0 || d->c->phases.of_field[field] != d->phase)
            continue;
        lv_block next = block;
        lv_factors *side = next.bare ? &next.left : &next.right;
        if (side->count == LV_FACTORS_MOST) {
            d->unsupported = true;
            return;
        }
        const int factor = lv_factor_find(d->c, number, (lv_argument)a);
        d->failed = d->failed || factor < 0;
        side->list[side->count++] = factor;
        derive_field(d, field, next);
    }
}

static void derive_atom(deriver *d, int number, lv_block block)
{
    const lv_atom *atom = &d->c->form.atoms.data[number];
    if (atom->op->turn != LV_TURN_NONE) {
        derive_turn(d, number, block);
        return;
    }
    if (!block.bare) {
        d->unsupported = true; /* a product of two matrices */
        return;
    }
    for (int a = 0; a < LV_ARGUMENTS; a++) {
        const lv_slope *slope = &atom->op->slope[a];
        const int field = atom->arg[a];
        if (slope->factor == 0 || field < 0 || d->c->phases.of_field[field] != d->phase)
            continue;
        lv_block next = block;
        next.c *= slope->factor;
        next.bare = false;
        next.matrix = slope->matrix;
        next.second = slope->second;
        next.optional = slope->optional;
        next.cheap = !slope->second || !d->p->columns.data[d->row].vector;
        next.site = site_of_slope(d, atom, slope);
        derive_field(d, field, next);
    }
}

static void derive_terms(deriver *d, const lv_sum *sum, lv_block block)
{
    for (int k = 0; k < sum->count; k++) {
        const lv_term *t = &sum->data[k];
        lv_block next = block;
        next.c *= t->c;
        next.power += t->power;
        if (t->field >= 0)
            derive_field(d, t->field, next);
        else if (d->c->phases.of_atom[t->atom] == d->phase)
            derive_atom(d, t->atom, next);
    }
}

/* Derives the row M x - M sum of a definition: its fields are multiplied by M; in terms
 * with M^-1 both cancel. */
static void derive_definition(deriver *d, int field, const lv_sum *sum)
{
    const lv_block of_mass = {
        .row = d->row, .c = 1, .matrix = mass_matrix, .site = -1, .cheap = true};
    const lv_block bare = {.row = d->row, .bare = true, .site = -1, .cheap = true};
    derive_field(d, field, of_mass);
    for (int k = 0; k < sum->count; k++) {
        const lv_term *t = &sum->data[k];
        lv_block block = t->atom < 0 && !t->inverse ? of_mass : bare;
        block.c = -t->c;
        block.power = t->power;
        if (t->field >= 0)
            derive_field(d, t->field, block);
        else if (d->c->phases.of_atom[t->atom] == d->phase)
            derive_atom(d, t->atom, block);
    }
}

/* Removes blocks whose terms cancel. */
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
        const lv_phase_column *column = &d.p->columns.data[k];
        const lv_sum *sum = &course->form.fields.data[column->field].sum;
        d.row = k;
        if (column->unknown)
            derive_terms(
                &d, sum,
                (lv_block){.row = k, .c = 1, .bare = true, .site = -1, .cheap = true});
        else
            derive_definition(&d, column->field, sum);
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
