#include "step/read_sum.h"

#include <ctype.h>
#include <string.h>

enum { ARGUMENTS = 8 };

/* ---- fields and operators ---------------------------------------------------------- */

int lv_read_field(lv_reader *r)
{
    char name[LV_NAME_MOST];
    int index = 0;
    lv_scan_name(&r->scan, name);
    if (lv_scan_take(&r->scan, '[')) {
        index = lv_scan_index(&r->scan);
        lv_scan_need(&r->scan, ']');
    }
    const int field = r->scan.status == LV_OK ? lv_form_find(r->form, name, index) : -1;
    if (field < 0) {
        lv_scan_fail(&r->scan, "there is no such field");
        return -1;
    }
    const lv_space space = r->form->fields.data[field].space;
    if (r->sizes[space] > 0)
        return field;
    r->emptied = (int)space;
    return -1;
}

/* The arguments of a group operator that remain as terms for plain coordinates, as
 * bits. */
static unsigned what_remains(lv_turn_of turn)
{
    const bool moves = turn == LV_TURN_MOVE || turn == LV_TURN_DRIFT;
    return moves ? 3 : turn == LV_TURN_B ? 0 : 2;
}

static bool is_space_empty(const lv_reader *r, lv_result_space result)
{
    return (result == LV_RESULT_HOLONOMIC && r->sizes[LV_SPACE_HOLONOMIC] == 0) ||
           (result == LV_RESULT_ROLLING && r->sizes[LV_SPACE_ROLLING] == 0);
}

static void add_call(lv_reader *r, lv_sum *sum, lv_term term, const char *name,
                     const int *arguments, int count)
{
    const lv_operator *op = lv_operator_find(name, strlen(name));
    if (!op || strlen(op->slots) != (size_t)count) {
        lv_scan_fail(&r->scan, op ? "an operator has other arguments"
                                  : "there is no such operator");
        return;
    }
    if (op->turn != LV_TURN_NONE && !r->scan.table->on_groups) {
        for (int a = 0; a < count; a++) {
            term.field = arguments[a];
            if (what_remains(op->turn) >> a & 1 && arguments[a] >= 0)
                lv_form_add(r->form, sum, term);
        }
        return;
    }
    lv_atom atom = {.op = op};
    for (int s = 0; s < LV_ARGUMENTS; s++)
        atom.arg[s] = -1;
    for (int a = 0; a < count; a++) {
        atom.arg[lv_argument_of(op->slots[a])] = arguments[a];
        if (arguments[a] < 0)
            return; /* its space is empty */
    }
    if (is_space_empty(r, op->result))
        return;
    term.field = -1;
    term.atom = lv_form_atom(r->form, &atom);
    lv_form_add(r->form, sum, term);
}

static void read_call(lv_reader *r, lv_sum *sum, lv_term term, const char *name)
{
    int arguments[ARGUMENTS], count = 0;
    lv_scan_need(&r->scan, '(');
    do {
        if (count < ARGUMENTS)
            arguments[count++] = lv_read_field(r);
    } while (r->scan.status == LV_OK &&
             (lv_scan_take(&r->scan, ',') || lv_scan_take(&r->scan, ';')));
    lv_scan_need(&r->scan, ')');
    if (r->scan.status == LV_OK)
        add_call(r, sum, term, name, arguments, count);
}

/* Reads a power of h. */
static int read_power(lv_reader *r)
{
    return lv_scan_take(&r->scan, '^') ? lv_scan_integer(&r->scan) : 1;
}

/* Reads factors up to the field or the operator that ends the term. */
static void read_term(lv_reader *r, lv_sum *sum, double sign)
{
    lv_term term = {.c = sign, .field = -1, .atom = -1};
    char name[LV_NAME_MOST];
    while (r->scan.status == LV_OK) {
        lv_scan_skip(&r->scan);
        if (isdigit((unsigned char)*r->scan.at) || *r->scan.at == '(') {
            term.c *= lv_scan_scalar(&r->scan);
        } else if (lv_scan_take(&r->scan, '/')) {
            if (lv_scan_word(&r->scan, "h"))
                term.power -= read_power(r);
            else
                term.c /= lv_scan_scalar(&r->scan);
        } else if (lv_scan_word(&r->scan, "h")) {
            term.power += read_power(r);
        } else {
            const char *start = r->scan.at;
            lv_scan_name(&r->scan, name);
            const lv_coefficient *c = lv_scan_find(&r->scan, name);
            lv_scan_skip(&r->scan);
            if (*r->scan.at == '(') {
                read_call(r, sum, term, name);
                return;
            }
            if (c) {
                term.c *= lv_scan_coefficient(&r->scan, c);
                continue;
            }
            r->scan.at = start;
            term.field = lv_read_field(r);
            if (term.field >= 0)
                lv_form_add(r->form, sum, term);
            return;
        }
    }
}

/* ---- sums -------------------------------------------------------------------------- */

bool lv_ends_sum(const char *at)
{
    return *at == 0 || *at == '\n' ||
           (strncmp(at, "for", 3) == 0 && (at[3] == ' ' || at[3] == '\t'));
}

/* The first index letter in the text of a term that is not bound; 0: all are bound. */
static char free_letter(const lv_reader *r, const char *from, const char *to)
{
    for (const char *c = from; c < to; c++) {
        if ((*c != '[' && *c != ',') || !isalpha((unsigned char)c[1]))
            continue;
        if (lv_word_length(c + 1) == 1 && lv_scan_members(&r->scan, c[1]) >= 0 &&
            lv_scan_bound(&r->scan, c[1]) == 0)
            return c[1];
    }
    return 0;
}

/* Where the term that begins here ends. */
static const char *term_end(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if (depth == 0 && (*at == '+' || *at == '-'))
            return at;
        if (*at == '\n' && at[1] != ' ' && at[1] != '\t')
            return at;
        if (depth == 0 && (at[-1] == ' ' || at[-1] == '\n') && lv_ends_sum(at) &&
            *at != '\n')
            return at;
    }
    return at;
}

/* Reads a term for all members of the index sets that its free letters run over. */
static void read_summed(lv_reader *r, lv_sum *sum, double sign)
{
    const char *from = r->scan.at, *to = term_end(from);
    const char letter = free_letter(r, from, to);
    if (letter == 0) {
        read_term(r, sum, sign);
        return;
    }
    const int count = lv_scan_members(&r->scan, letter);
    for (int k = 1; k <= count && r->scan.status == LV_OK; k++) {
        r->scan.at = from;
        lv_scan_bind(&r->scan, letter, k);
        read_summed(r, sum, sign);
    }
    lv_scan_bind(&r->scan, letter, 0);
    r->scan.at = to;
}

void lv_read_sum(lv_reader *r, lv_sum *sum)
{
    double sign = lv_scan_take(&r->scan, '-') ? -1 : 1;
    for (;;) {
        lv_scan_skip(&r->scan);
        if (*r->scan.at == '0' && !isdigit((unsigned char)r->scan.at[1]) &&
            r->scan.at[1] != '.')
            r->scan.at++; /* an empty sum */
        else
            read_summed(r, sum, sign);
        if (r->scan.status != LV_OK)
            return;
        if (lv_scan_take(&r->scan, '+'))
            sign = 1;
        else if (lv_scan_take(&r->scan, '-'))
            sign = -1;
        else
            return;
    }
}
