/* Writes the equations derived for a step of a system (course/write.h). */
#include "course/write.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 75, INDENT = 2, HANGING = 6 };

typedef struct writer {
    lv_text *out;
    const lv_course *c;
    const lv_form *form;
    bool *needed; /* fields that equations and assignments need */
    int column;   /* column in the current line */
} writer;

/* ---- lines ------------------------------------------------------------------------- */

static void put_text(writer *w, const char *text)
{
    lv_text_append(w->out, "%s", text);
    w->column += (int)strlen(text);
}

/* Writes a piece that is not broken, on the current line if it fits, else on a new
 * one. */
static void put(writer *w, const lv_text *piece)
{
    if (w->column + piece->count > WIDTH && w->column > HANGING) {
        while (w->out->count > 0 && w->out->data[w->out->count - 1] == ' ')
            w->out->data[--w->out->count] = 0;
        lv_text_append(w->out, "\n%*s", HANGING, "");
        w->column = HANGING;
    }
    lv_text_bytes(w->out, piece->data ? piece->data : "", piece->count);
    w->column += piece->count;
    w->out->failed = w->out->failed || piece->failed;
}

static void begin_line(writer *w)
{
    lv_text_append(w->out, "%*s", INDENT, "");
    w->column = INDENT;
}

/* ---- fields and operators ---------------------------------------------------------- */

static void add_name(lv_text *to, const lv_form *form, int field)
{
    const lv_field *f = &form->fields.data[field];
    lv_text_append(to, "%s", f->name);
    if (f->index > 0)
        lv_text_append(to, "[%d]", f->index);
}

/* Is the operator a transposed matrix times a vector? Its name ends with T then, as
 * GT. */
static bool is_transposed(const lv_operator *op)
{
    return op->vector >= 0 && op->value.transposed;
}

/* "F(q, v)", "G(q)^T m[1]", "M x" */
static void add_atom(lv_text *to, const lv_form *form, int number)
{
    const lv_atom *atom = &form->atoms.data[number];
    const lv_operator *op = atom->op;
    const bool apart = is_transposed(op);
    const char *separator = "";
    if (strcmp(op->name, "M") == 0) {
        lv_text_append(to, "M ");
        add_name(to, form, atom->arg[op->vector]);
        return;
    }
    lv_text_append(to, "%.*s(", (int)strlen(op->name) - apart, op->name);
    for (const char *letter = op->slots; *letter; letter++) {
        const int argument = (int)lv_argument_of(*letter), field = atom->arg[argument];
        if (field < 0 || (apart && argument == op->vector))
            continue;
        lv_text_append(to, "%s", separator);
        add_name(to, form, field);
        separator = ", ";
    }
    lv_text_append(to, apart ? ")^T " : ")");
    if (apart)
        add_name(to, form, atom->arg[op->vector]);
}

/* ---- sums -------------------------------------------------------------------------- */

/* "", "2 ", "h ", "h^2/2 ", "5/12 h ", "2/h " for a coefficient that is not negative. */
static void add_factor(lv_text *to, double c, int power)
{
    char number[LV_STEP_NUMBER];
    const char *slash = strchr(lv_step_number(number, c), '/');
    const bool one = strcmp(number, "1") == 0;
    const bool unit = slash && slash == number + 1 && number[0] == '1';
    const char *sup = power > 1 || power < -1 ? "^" : "";
    if (power == 0) {
        lv_text_append(to, "%s%s", one ? "" : number, one ? "" : " ");
        return;
    }
    if (power < 0)
        lv_text_append(to, "%s/h", number);
    else if (one || unit)
        lv_text_append(to, "h");
    else
        lv_text_append(to, "%s h", number);
    if (*sup)
        lv_text_append(to, "^%d", power < 0 ? -power : power);
    lv_text_append(to, "%s ", unit && power > 0 ? slash : "");
}

/* Do both terms have the same factor? They are then written in one bracket. */
static bool has_same_factor(const lv_term *a, const lv_term *b)
{
    return a->power == b->power && a->inverse == b->inverse &&
           fabs(fabs(a->c) - fabs(b->c)) <= 1e-14 * fabs(a->c);
}

/* The order of terms: fields before operators, M^-1 last, small powers of h first, equal
 * factors together, carried fields before others, operators by their arguments. */
static bool comes_before(const lv_form *form, const lv_term *a, const lv_term *b)
{
    if ((a->atom >= 0) != (b->atom >= 0))
        return a->atom < 0;
    if (a->inverse != b->inverse)
        return b->inverse;
    if (a->power != b->power)
        return a->power < b->power;
    if (!has_same_factor(a, b))
        return fabs(a->c) > fabs(b->c);
    if (a->atom < 0)
        return a->field < b->field;
    const lv_atom *x = &form->atoms.data[a->atom], *y = &form->atoms.data[b->atom];
    if (x->arg[LV_ARG_Q] != y->arg[LV_ARG_Q])
        return x->arg[LV_ARG_Q] < y->arg[LV_ARG_Q];
    return x->op != y->op ? x->op < y->op : a->atom < b->atom;
}

static void add_operand(lv_text *to, const lv_form *form, const lv_term *t)
{
    if (t->atom >= 0)
        add_atom(to, form, t->atom);
    else
        add_name(to, form, t->field);
}

/* The number of terms from `first` on that have the same factor and follow each other. */
static int count_alike(const lv_sum *sum, int first)
{
    int count = 1;
    while (first + count < sum->count &&
           has_same_factor(&sum->data[first], &sum->data[first + count]))
        count++;
    return count;
}

static void write_group(writer *w, const lv_sum *sum, int first, int count)
{
    const lv_term *lead = &sum->data[first];
    const bool plain = fabs(lead->c) == 1 && lead->power == 0 && !lead->inverse;
    const bool bracket = count > 1 && !plain;
    for (int k = 0; k < count; k++) {
        const lv_term *t = &sum->data[first + k];
        const bool minus = t->c < 0, turned = bracket && lead->c < 0;
        lv_text piece = {0};
        if (k == 0)
            lv_text_append(&piece, "%s",
                           first == 0 ? (minus ? "-" : "")
                           : minus    ? "- "
                                      : "+ ");
        else
            lv_text_append(&piece, "%s", minus != turned ? "- " : "+ ");
        if (k == 0) {
            add_factor(&piece, fabs(t->c), t->power);
            lv_text_append(&piece, "%s%s", t->inverse ? "M^-1 " : "", bracket ? "(" : "");
        }
        add_operand(&piece, w->form, t);
        lv_text_append(&piece, "%s%s", bracket && k + 1 == count ? ")" : "",
                       first + k + 1 < sum->count ? " " : "");
        put(w, &piece);
        lv_text_done(&piece);
    }
}

static void write_sum(writer *w, const lv_sum *given)
{
    lv_sum sum = {0};
    for (int k = 0; k < given->count; k++) {
        if (!LV_PUSH(sum, given->data[k])) {
            w->out->failed = true;
            break;
        }
        for (int i = k; i > 0 && comes_before(w->form, &given->data[k], &sum.data[i - 1]);
             i--) {
            sum.data[i] = sum.data[i - 1];
            sum.data[i - 1] = given->data[k];
        }
    }
    for (int first = 0, count; first < sum.count; first += count) {
        count = count_alike(&sum, first);
        write_group(w, &sum, first, count);
    }
    lv_text_append(w->out, "%s\n", sum.count == 0 ? "0" : "");
    LV_ARRAY_FREE(sum);
}

/* ---- what is needed ---------------------------------------------------------------- */

static void need_field(writer *w, int field);

static void need_sum(writer *w, const lv_sum *sum)
{
    for (int k = 0; k < sum->count; k++) {
        const lv_term *t = &sum->data[k];
        if (t->field >= 0)
            need_field(w, t->field);
        for (int a = 0; t->atom >= 0 && a < LV_ARGUMENTS; a++)
            if (w->form->atoms.data[t->atom].arg[a] >= 0)
                need_field(w, w->form->atoms.data[t->atom].arg[a]);
    }
}

static void need_field(writer *w, int field)
{
    const lv_field *f = &w->form->fields.data[field];
    if (w->needed[field])
        return;
    w->needed[field] = true;
    if (f->role == LV_FIELD_DEFINED)
        need_sum(w, &f->sum);
    if (f->role == LV_FIELD_CALLED)
        for (int a = 0; a < w->form->calls.data[f->call].arguments; a++)
            need_field(w, w->form->calls.data[f->call].argument[a]);
}

static bool is_unknown(const writer *w, int field)
{
    const lv_field *f = &w->form->fields.data[field];
    return f->role == LV_FIELD_UNKNOWN && w->c->sizes[f->space] > 0;
}

static void need_all(writer *w)
{
    for (int k = 0; k < w->form->fields.count; k++)
        if (is_unknown(w, k))
            need_sum(w, &w->form->fields.data[k].sum);
    for (int k = 0; k < w->form->assignments.count; k++)
        need_sum(w, &w->form->assignments.data[k].sum);
}

/* ---- phases ------------------------------------------------------------------------ */

static void write_call(writer *w, const lv_call *call)
{
    lv_text line = {0};
    for (int k = 0; k < call->results; k++) {
        lv_text_append(&line, "%s", k > 0 ? ", " : "");
        add_name(&line, w->form, call->result[k]);
    }
    lv_text_append(&line, " = %s(", call->function.name);
    for (int k = 0; k < call->arguments; k++) {
        lv_text_append(&line, "%s", k > 0 ? ", " : "");
        add_name(&line, w->form, call->argument[k]);
    }
    lv_text_append(&line, ")");
    begin_line(w);
    put(w, &line);
    lv_text_append(w->out, "\n");
    lv_text_done(&line);
}

/* Writes the definitions that become known in a phase. */
static void write_definitions(writer *w, int phase)
{
    for (int k = 0; k < w->form->fields.count; k++) {
        const lv_field *f = &w->form->fields.data[k];
        if (!w->needed[k] || w->c->phases.of_field[k] != phase)
            continue;
        if (f->role == LV_FIELD_CALLED && w->form->calls.data[f->call].result[0] == k)
            write_call(w, &w->form->calls.data[f->call]);
        if (f->role != LV_FIELD_DEFINED)
            continue;
        lv_text name = {0};
        begin_line(w);
        add_name(&name, w->form, k);
        lv_text_append(&name, " = ");
        put(w, &name);
        lv_text_done(&name);
        write_sum(w, &f->sum);
    }
}

static void write_equations(writer *w, int phase)
{
    for (int k = 0; k < w->form->fields.count; k++) {
        if (!is_unknown(w, k) || w->c->phases.of_field[k] != phase)
            continue;
        begin_line(w);
        put_text(w, "0 = ");
        write_sum(w, &w->form->fields.data[k].sum);
    }
}

static void write_phase(writer *w, int phase)
{
    const lv_phase *p = &w->c->phase[phase];
    int numbers = 0;
    lv_text piece = {0};
    w->column = 0;
    put_text(w, "solve for ");
    for (int k = 0; k < p->unknowns; k++) {
        lv_text_done(&piece);
        add_name(&piece, w->form, p->columns.data[k].field);
        lv_text_append(&piece, "%s", k + 1 < p->unknowns ? ", " : ": ");
        put(w, &piece);
        numbers += p->columns.data[k].size;
    }
    lv_text_done(&piece);
    lv_text_append(&piece, "%d number%s, %s", numbers, numbers == 1 ? "" : "s",
                   p->linear ? "linear" : "Newton's method");
    put(w, &piece);
    lv_text_done(&piece);
    lv_text_append(w->out, "\n");
    write_definitions(w, phase);
    write_equations(w, phase);
    lv_text_append(w->out, "\n");
}

/* Finds a written definition with this sum; -1: there is none. */
static int find_definition(const writer *w, const lv_sum *sum)
{
    for (int k = 0; k < w->form->fields.count; k++) {
        const lv_field *f = &w->form->fields.data[k];
        bool same = w->needed[k] && f->role == LV_FIELD_DEFINED &&
                    f->sum.count == sum->count && sum->count > 1;
        for (int t = 0; same && t < sum->count; t++)
            same = lv_form_compare(&f->sum.data[t], &sum->data[t]) == 0 &&
                   f->sum.data[t].c == sum->data[t].c;
        if (same)
            return k;
    }
    return -1;
}

static void write_assignments(writer *w, bool first)
{
    for (int k = 0; k < w->form->assignments.count; k++) {
        const lv_assignment *a = &w->form->assignments.data[k];
        const int same = find_definition(w, &a->sum);
        lv_text name = {0};
        if (a->first != first)
            continue;
        begin_line(w);
        add_name(&name, w->form, a->field);
        lv_text_append(&name, " <- ");
        if (same >= 0)
            add_name(&name, w->form, same);
        put(w, &name);
        if (same >= 0)
            lv_text_append(w->out, "\n");
        else
            write_sum(w, &a->sum);
        lv_text_done(&name);
    }
}

/* ---- evaluations ------------------------------------------------------------------- */

static int count_evaluations(const lv_actions *actions, lv_quantity quantity, bool later)
{
    int count = 0;
    for (int k = 0; k < actions->count; k++) {
        const lv_action *a = &actions->data[k];
        count += a->kind == LV_DO_EVALUATE && (a->evaluate.wanted >> (int)quantity & 1) &&
                 (!later || a->later);
    }
    return count;
}

lv_force_count lv_course_forces(const lv_course *c, lv_quantity quantity)
{
    lv_force_count count = {0};
    for (int p = 0; p <= LV_PLACE_END(c); p++) {
        const int in_pass = count_evaluations(&c->phase[p].pass, quantity, false);
        const bool solved_at_once = p >= 1 && p <= c->phases.count && c->phase[p].linear;
        count.once += count_evaluations(&c->phase[p].before, quantity, false) +
                      count_evaluations(&c->phase[p].pass, quantity, true);
        if (solved_at_once)
            count.once += in_pass;
        else
            count.in_pass += in_pass;
    }
    return count;
}

static void add_times(lv_text *to, int count)
{
    if (count == 1)
        lv_text_append(to, "once");
    else
        lv_text_append(to, "%d times", count);
}

static void write_count(writer *w, const char *name, lv_quantity quantity)
{
    const lv_force_count n = lv_course_forces(w->c, quantity);
    if (n.in_pass == 0 && n.once == 0)
        return;
    lv_text_append(w->out, "%s is evaluated ", name);
    if (n.in_pass > 0) {
        add_times(w->out, n.in_pass);
        lv_text_append(w->out, " in every Newton pass%s", n.once > 0 ? " and " : "");
    }
    if (n.once > 0) {
        add_times(w->out, n.once);
        lv_text_append(w->out, " %sa step", n.in_pass > 0 ? "more " : "");
    }
    lv_text_append(w->out, "\n");
}

/* ---- the whole --------------------------------------------------------------------- */

static void write_system(writer *w)
{
    const lv_system *s = w->c->system;
    const int rolling = s->constraint_count - s->m;
    lv_text_append(w->out, "%d coordinate%s, ", s->n, s->n == 1 ? "" : "s");
    if (s->m > 0)
        lv_text_append(w->out, "%d holonomic constraint%s, ", s->m, s->m == 1 ? "" : "s");
    if (rolling > 0)
        lv_text_append(w->out, "%d nonholonomic constraint%s, ", rolling,
                       rolling == 1 ? "" : "s");
    lv_text_append(w->out, "the mass matrix %s\n\n",
                   s->mass_constant ? "M is constant" : "varies");
}

/* Writes a part with a heading; nothing if the part is empty. */
static void write_part(writer *w, const char *heading, void (*write)(writer *w))
{
    lv_text part = {0}, *out = w->out;
    w->out = &part;
    write(w);
    w->out = out;
    if (part.count > 0)
        lv_text_append(out, "%s\n%s\n", heading, part.data);
    out->failed = out->failed || part.failed;
    lv_text_done(&part);
}

static void write_start(writer *w)
{
    write_definitions(w, 0);
}

static void write_first(writer *w)
{
    write_assignments(w, true);
}

static void write_end(writer *w)
{
    write_assignments(w, false);
}

void lv_course_write(lv_text *out, const lv_course *c)
{
    writer w = {.out = out, .c = c, .form = &c->form};
    w.needed = lv_memory_zeroed((size_t)c->form.fields.count + 1, sizeof *w.needed);
    if (!w.needed) {
        out->failed = true;
        return;
    }
    need_all(&w);
    write_system(&w);
    write_part(&w, "before the first step", write_first);
    write_part(&w, "at the start of a step", write_start);
    for (int p = 1; p <= c->phases.count; p++)
        write_phase(&w, p);
    write_part(&w, "at the end of the step", write_end);
    write_count(&w, "F", LV_Q_FORCE);
    write_count(&w, "f", LV_Q_APPLIED);
    write_count(&w, "DV", LV_Q_PAIR_FORCE);
    lv_memory_free(w.needed);
}
