#include "step/read.h"

#include "base/status.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 32, LETTERS = 128, ARGUMENTS = 8 };

typedef struct reader {
    lv_form *form;
    const lv_step_table *table;
    const int *sizes;
    const char *text, *at;
    int bound[LETTERS]; /* the member that an index letter stands for; 0: none */
    int emptied; /* the last space without coordinates whose field was left out; -1: none */
    lv_error *err;
    lv_status status;
} reader;

/* ---- characters and words ------------------------------------------------------------------------ */

static int line_of(const reader *r)
{
    int line = 1;
    for (const char *c = r->text; c < r->at && *c; c++)
        line += *c == '\n';
    return line;
}

static void fail(reader *r, const char *what)
{
    if (r->status == LV_OK)
        r->status = lv_fail(r->err, LV_ERR_USAGE, "text of a scheme, line %d: %s",
                            line_of(r), what);
}

/* Blanks, and ends of lines that the next line continues. */
static void skip(reader *r)
{
    for (;;) {
        while (*r->at == ' ' || *r->at == '\t')
            r->at++;
        if (*r->at == '\n' && (r->at[1] == ' ' || r->at[1] == '\t'))
            r->at++;
        else
            return;
    }
}

static bool take(reader *r, char c)
{
    skip(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static void need(reader *r, char c)
{
    char what[] = "'?' is expected";
    what[1] = c;
    if (!take(r, c))
        fail(r, what);
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    if (isalpha((unsigned char)*at))
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
    return length;
}

static bool take_word(reader *r, const char *word)
{
    skip(r);
    const size_t length = word_length(r->at);
    if (length != strlen(word) || memcmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

static void read_name(reader *r, char name[NAME_MOST])
{
    skip(r);
    const size_t length = word_length(r->at);
    name[0] = 0;
    if (length == 0 || length >= NAME_MOST) {
        fail(r, "a name is expected");
        return;
    }
    memcpy(name, r->at, length);
    name[length] = 0;
    r->at += length;
}

static double read_number(reader *r)
{
    char *end = NULL;
    const double value =
        strtod(r->at, &end); /* digits only: the locale does not matter */
    r->at = end;
    return value;
}

/* Digits only: "2..s" begins with the number 2. */
static int read_integer(reader *r)
{
    char *end = NULL;
    const long value = strtol(r->at, &end, 10);
    r->at = end;
    return (int)value;
}

/* ---- coefficients and indices --------------------------------------------------------------------- */

static const lv_coefficient *find_coefficient(const reader *r, const char *name)
{
    for (const lv_coefficient *c = r->table->coefficients; c && c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

/* -1: the letter is not an index. */
static int members(const reader *r, char letter)
{
    for (const lv_index_set *s = r->table->sets; s && s->letter; s++)
        if (s->letter == letter)
            return s->count;
    return -1;
}

/* A number, a bound letter or a named number, and what is added to it. */
static int read_index(reader *r)
{
    char name[NAME_MOST];
    int value = 0;
    skip(r);
    if (isdigit((unsigned char)*r->at)) {
        value = read_integer(r);
    } else {
        read_name(r, name);
        const lv_coefficient *c = find_coefficient(r, name);
        if (name[0] && !name[1] && r->bound[(unsigned char)name[0] % LETTERS] > 0)
            value = r->bound[(unsigned char)name[0] % LETTERS];
        else if (c && c->rows == 0)
            value = (int)c->values[0];
        else
            fail(r, "an index is expected");
    }
    if (take(r, '+'))
        value += read_integer(r);
    else if (take(r, '-'))
        value -= read_integer(r);
    return value;
}

static double coefficient_at(reader *r, const lv_coefficient *c)
{
    int i = 1, j = 1;
    if (c->rows > 0) {
        need(r, '[');
        i = read_index(r);
        if (c->columns > 0) {
            need(r, ',');
            j = read_index(r);
        }
        need(r, ']');
    }
    const int rows = c->rows > 0 ? c->rows : 1, columns = c->columns > 0 ? c->columns : 1;
    if (i < 1 || i > rows || j < 1 || j > columns) {
        fail(r, "a coefficient has no such index");
        return 0;
    }
    return c->values[(i - 1) * columns + (j - 1)];
}

/* number | coefficient | (1 - coefficient ...) */
static double read_scalar(reader *r)
{
    char name[NAME_MOST];
    skip(r);
    if (isdigit((unsigned char)*r->at)) {
        double value = read_number(r);
        while (*r->at == '/' && isdigit((unsigned char)r->at[1])) {
            r->at++;
            value /= read_number(r);
        }
        return value;
    }
    if (take(r, '(')) {
        double value = take(r, '-') ? -read_scalar(r) : read_scalar(r);
        while (r->status == LV_OK && !take(r, ')')) {
            if (take(r, '+'))
                value += read_scalar(r);
            else if (take(r, '-'))
                value -= read_scalar(r);
            else
                fail(r, "')' is expected");
        }
        return value;
    }
    read_name(r, name);
    const lv_coefficient *c = find_coefficient(r, name);
    if (!c)
        fail(r, "a coefficient is expected");
    return c && r->status == LV_OK ? coefficient_at(r, c) : 0;
}

/* ---- fields and operators ------------------------------------------------------------------------- */

/* A field by name and index; -1 where its space is empty, which is no mistake. */
static int read_field(reader *r)
{
    char name[NAME_MOST];
    int index = 0;
    read_name(r, name);
    if (take(r, '[')) {
        index = read_index(r);
        need(r, ']');
    }
    const int field = r->status == LV_OK ? lv_form_find(r->form, name, index) : -1;
    if (field < 0) {
        fail(r, "there is no such field");
        return -1;
    }
    const lv_space space = r->form->fields.data[field].space;
    if (r->sizes[space] > 0)
        return field;
    r->emptied = (int)space;
    return -1;
}

/* Operators of groups for plain coordinates: which of the arguments remain. */
static const struct {
    const char *name;
    unsigned remains;
} group_operators[] = {{"move", 3}, {"D", 2},     {"DT", 2},  {"DTm", 2},
                       {"B", 0},    {"space", 2}, {"body", 2}};

static bool is_space_empty(const reader *r, lv_result_space result)
{
    return (result == LV_RESULT_HOLONOMIC && r->sizes[LV_SPACE_HOLONOMIC] == 0) ||
           (result == LV_RESULT_ROLLING && r->sizes[LV_SPACE_ROLLING] == 0);
}

static void add_call(reader *r, lv_sum *sum, lv_term term, const char *name,
                     const int *arguments, int count)
{
    for (size_t k = 0; k < sizeof group_operators / sizeof *group_operators; k++) {
        if (strcmp(name, group_operators[k].name) != 0)
            continue;
        for (int a = 0; a < count; a++) {
            term.field = arguments[a];
            if (group_operators[k].remains >> a & 1 && arguments[a] >= 0)
                lv_form_add(r->form, sum, term);
        }
        return;
    }
    const lv_operator *op = lv_operator_find(name, strlen(name));
    if (!op || strlen(op->slots) != (size_t)count) {
        fail(r, op ? "an operator has other arguments" : "there is no such operator");
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

static void read_call(reader *r, lv_sum *sum, lv_term term, const char *name)
{
    int arguments[ARGUMENTS], count = 0;
    need(r, '(');
    do {
        if (count < ARGUMENTS)
            arguments[count++] = read_field(r);
    } while (r->status == LV_OK && (take(r, ',') || take(r, ';')));
    need(r, ')');
    if (r->status == LV_OK)
        add_call(r, sum, term, name, arguments, count);
}

/* h, h^2 */
static int read_power(reader *r)
{
    return take(r, '^') ? read_integer(r) : 1;
}

/* Factors up to the field or the operator that ends the term. */
static void read_term(reader *r, lv_sum *sum, double sign)
{
    lv_term term = {.c = sign, .field = -1, .atom = -1};
    char name[NAME_MOST];
    while (r->status == LV_OK) {
        skip(r);
        if (isdigit((unsigned char)*r->at) || *r->at == '(') {
            term.c *= read_scalar(r);
        } else if (take(r, '/')) {
            if (take_word(r, "h"))
                term.power -= read_power(r);
            else
                term.c /= read_scalar(r);
        } else if (take_word(r, "h")) {
            term.power += read_power(r);
        } else {
            const char *start = r->at;
            read_name(r, name);
            const lv_coefficient *c = find_coefficient(r, name);
            skip(r);
            if (*r->at == '(') {
                read_call(r, sum, term, name);
                return;
            }
            if (c) {
                term.c *= coefficient_at(r, c);
                continue;
            }
            r->at = start;
            term.field = read_field(r);
            if (term.field >= 0)
                lv_form_add(r->form, sum, term);
            return;
        }
    }
}

/* ---- sums ------------------------------------------------------------------------------------------ */

static bool ends_sum(const char *at)
{
    return *at == 0 || *at == '\n' ||
           (strncmp(at, "for", 3) == 0 && (at[3] == ' ' || at[3] == '\t'));
}

/* The first letter of an index in the text of a term that is not bound; 0: all are. */
static char free_letter(const reader *r, const char *from, const char *to)
{
    for (const char *c = from; c < to; c++) {
        if ((*c != '[' && *c != ',') || !isalpha((unsigned char)c[1]))
            continue;
        if (word_length(c + 1) == 1 && members(r, c[1]) >= 0 &&
            r->bound[(unsigned char)c[1] % LETTERS] == 0)
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
        if (depth == 0 && (at[-1] == ' ' || at[-1] == '\n') && ends_sum(at) &&
            *at != '\n')
            return at;
    }
    return at;
}

/* Reads a term for all members of the index sets that its free letters run over. */
static void read_summed(reader *r, lv_sum *sum, double sign)
{
    const char *from = r->at, *to = term_end(from);
    const char letter = free_letter(r, from, to);
    if (letter == 0) {
        read_term(r, sum, sign);
        return;
    }
    const int count = members(r, letter);
    for (int k = 1; k <= count && r->status == LV_OK; k++) {
        r->at = from;
        r->bound[(unsigned char)letter] = k;
        read_summed(r, sum, sign);
    }
    r->bound[(unsigned char)letter] = 0;
    r->at = to;
}

static void read_sum(reader *r, lv_sum *sum)
{
    double sign = take(r, '-') ? -1 : 1;
    for (;;) {
        skip(r);
        if (*r->at == '0' && !isdigit((unsigned char)r->at[1]) && r->at[1] != '.')
            r->at++; /* an empty sum */
        else
            read_summed(r, sum, sign);
        if (r->status != LV_OK)
            return;
        if (take(r, '+'))
            sign = 1;
        else if (take(r, '-'))
            sign = -1;
        else
            return;
    }
}

/* ---- statements -------------------------------------------------------------------------------------- */

/* A name with an index that may be a free letter. */
typedef struct target {
    char name[NAME_MOST];
    const char *index; /* its text; NULL: none */
} target;

static target read_target(reader *r)
{
    target t = {{0}, NULL};
    read_name(r, t.name);
    if (take(r, '[')) {
        t.index = r->at;
        r->at += strcspn(r->at, "]\n");
        need(r, ']');
    }
    return t;
}

static int target_index(reader *r, const target *t)
{
    if (!t->index)
        return 0;
    const char *kept = r->at;
    r->at = t->index;
    const int index = read_index(r);
    r->at = kept;
    return index;
}

/* The index letter that a statement is repeated for: that of its target, unless it is a fixed index. */
static char target_letter(const reader *r, const target *t)
{
    return t->index && word_length(t->index) == 1 && members(r, t->index[0]) >= 0
               ? t->index[0]
               : 0;
}

typedef struct range {
    char letter;
    int from, to;
} range;

/* for i = FROM..TO stands behind the statement, which begins here. */
static range find_range(reader *r, char letter)
{
    range all = {letter, 1, letter ? members(r, letter) : 1};
    const char *kept = r->at, *at = r->at;
    for (; *at && !(*at == '\n' && at[1] != ' ' && at[1] != '\t'); at++)
        if (at[0] == ' ' && strncmp(at, " for ", 5) == 0) {
            r->at = at + 5;
            char name[NAME_MOST];
            read_name(r, name);
            need(r, '=');
            all.letter = name[0];
            all.from = read_index(r);
            need(r, '.');
            need(r, '.');
            all.to = read_index(r);
            break;
        }
    r->at = kept;
    return all;
}

/* Reads a kind into a field that is to be made: its space, and how the solver sees it. */
static void read_kind(reader *r, lv_field *field)
{
    static const struct {
        const char *word, *rows;
        lv_space space;
        int scale;
    } kinds[] = {{"point", NULL, LV_SPACE_POINT, 0},
                 {"tangent", NULL, LV_SPACE_TANGENT, 1},
                 {"momentum", NULL, LV_SPACE_MOMENTUM, 1},
                 {"multiplier", "g", LV_SPACE_HOLONOMIC, 2},
                 {"multiplier", "Phi", LV_SPACE_ROLLING, 2},
                 {"impulse", "g", LV_SPACE_HOLONOMIC, 1}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const char *kept = r->at;
        if (take_word(r, kinds[k].word) &&
            (!kinds[k].rows || take_word(r, kinds[k].rows))) {
            field->scale = kinds[k].scale;
            field->space = kinds[k].space;
            return;
        }
        r->at = kept;
    }
    fail(r, "a kind is expected: point, tangent, momentum, multiplier g, ...");
}

static void add_fields(reader *r, const target *t, const lv_field *kind, lv_role_of role)
{
    const range all = find_range(r, target_letter(r, t));
    for (int k = all.from; k <= all.to && r->status == LV_OK; k++) {
        r->bound[(unsigned char)all.letter % LETTERS] = all.letter ? k : 0;
        const int field =
            lv_form_field(r->form, t->name, target_index(r, t), kind->space, role);
        if (field >= 0)
            r->form->fields.data[field].scale = kind->scale;
    }
    r->bound[(unsigned char)all.letter % LETTERS] = 0;
}

static void skip_statement(reader *r)
{
    while (*r->at && !(*r->at == '\n' && r->at[1] != ' ' && r->at[1] != '\t'))
        r->at++;
}

/* Nothing but the range of an index may follow a statement that was read, from `start` on, for some member at least. */
static void end_statement(reader *r, const char *start)
{
    skip(r);
    if (r->at != start && r->status == LV_OK && !ends_sum(r->at))
        fail(r, "the end of the line is expected");
    skip_statement(r);
}

static void read_declaration(reader *r, lv_role_of role)
{
    const char *start = r->at;
    do {
        lv_field kind = {0};
        const target t = read_target(r);
        read_kind(r, &kind);
        if (r->status == LV_OK)
            add_fields(r, &t, &kind, role);
    } while (r->status == LV_OK && take(r, ','));
    end_statement(r, start);
}

/* let and point: the field is made with its sum. Its space follows from the first term: a definition without any is
 * a tangent. */
static lv_space space_of(const reader *r, const lv_sum *sum)
{
    const lv_form *form = r->form;
    static const lv_space results[] = {[LV_RESULT_VECTOR] = LV_SPACE_MOMENTUM,
                                       [LV_RESULT_HOLONOMIC] = LV_SPACE_HOLONOMIC,
                                       [LV_RESULT_ROLLING] = LV_SPACE_ROLLING};
    if (sum->count == 0)
        return r->emptied >= 0 ? (lv_space)r->emptied : LV_SPACE_TANGENT;
    const lv_term *t = &sum->data[0];
    return t->field >= 0 ? form->fields.data[t->field].space
                         : results[form->atoms.data[t->atom].op->result];
}

static void read_definition(reader *r, bool point)
{
    const target t = read_target(r);
    const range all = find_range(r, target_letter(r, &t));
    skip(r);
    const char *start = r->at;
    for (int k = all.from; k <= all.to && r->status == LV_OK; k++) {
        lv_sum sum = {0};
        double at = 0;
        r->at = start;
        r->emptied = -1;
        r->bound[(unsigned char)all.letter % LETTERS] = all.letter ? k : 0;
        const int index = target_index(r, &t);
        if (point && take_word(r, "at"))
            at = read_scalar(r);
        need(r, '=');
        if (r->status == LV_OK)
            read_sum(r, &sum);
        const int field =
            lv_form_field(r->form, t.name, index,
                          point ? LV_SPACE_POINT : space_of(r, &sum), LV_FIELD_DEFINED);
        if (field < 0) {
            LV_ARRAY_FREE(sum);
            return;
        }
        r->form->fields.data[field].at = at;
        r->form->fields.data[field].sum = sum;
    }
    r->bound[(unsigned char)all.letter % LETTERS] = 0;
    end_statement(r, start);
}

static void read_equation(reader *r)
{
    const target t = read_target(r);
    const range all = find_range(r, target_letter(r, &t));
    const bool once = take_word(r, "once");
    skip(r);
    const char *start = r->at;
    for (int k = all.from; k <= all.to && r->status == LV_OK; k++) {
        r->at = start;
        r->bound[(unsigned char)all.letter % LETTERS] = all.letter ? k : 0;
        const int field = lv_form_find(r->form, t.name, target_index(r, &t));
        if (field < 0) {
            fail(r, "there is no such unknown");
            return;
        }
        if (r->sizes[r->form->fields.data[field].space] == 0)
            continue;
        lv_sum sum = {0};
        need(r, ':');
        read_sum(r, &sum);
        LV_ARRAY_FREE(r->form->fields.data[field].sum);
        r->form->fields.data[field].sum = sum;
        r->form->fields.data[field].once = once;
    }
    r->bound[(unsigned char)all.letter % LETTERS] = 0;
    end_statement(r, start);
}

static const lv_opaque *find_function(const reader *r, const char *name)
{
    for (const lv_opaque *f = r->table->calls; f && f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

/* A call stands for itself: it has no families. */
static void read_call_statement(reader *r)
{
    lv_call call = {0};
    char name[NAME_MOST];
    do {
        lv_field kind = {0};
        read_name(r, name);
        read_kind(r, &kind);
        if (r->status != LV_OK || call.results == LV_CALL_RESULTS)
            break;
        const int field = lv_form_field(r->form, name, 0, kind.space, LV_FIELD_CALLED);
        if (field < 0)
            return;
        r->form->fields.data[field].call = r->form->calls.count;
        call.result[call.results++] = field;
    } while (take(r, ','));
    need(r, '=');
    read_name(r, name);
    need(r, '(');
    const lv_opaque *function = find_function(r, name);
    if (!function)
        fail(r, "there is no such function");
    do {
        if (call.arguments < LV_CALL_ARGUMENTS && r->status == LV_OK)
            call.argument[call.arguments++] = read_field(r);
    } while (r->status == LV_OK && take(r, ','));
    need(r, ')');
    if (r->status != LV_OK)
        return;
    call.function = *function;
    if (!LV_PUSH(r->form->calls, call))
        r->form->failed = true;
}

static void read_assignment(reader *r, bool first)
{
    const char *start = r->at;
    const int field = read_field(r);
    lv_assignment a = {.field = field, .first = first};
    need(r, '<');
    need(r, '-');
    if (r->status == LV_OK)
        read_sum(r, &a.sum);
    if (field < 0 || !LV_PUSH(r->form->assignments, a)) {
        r->form->failed |= field >= 0;
        LV_ARRAY_FREE(a.sum);
        if (field < 0 && r->status == LV_ERR_USAGE)
            return;
    }
    end_statement(r, start);
}

static void read_shown(reader *r)
{
    const char *start = r->at;
    do {
        const target t = read_target(r);
        for (int k = 0; k < r->form->fields.count; k++)
            if (strcmp(r->form->fields.data[k].name, t.name) == 0)
                r->form->fields.data[k].shown = true;
    } while (r->status == LV_OK && take(r, ','));
    end_statement(r, start);
}

/* when FACT: and when not FACT: */
static bool holds(reader *r)
{
    char name[NAME_MOST];
    const bool negated = take_word(r, "not");
    bool found = false;
    read_name(r, name);
    need(r, ':');
    for (const char *const *f = r->table->facts; f && *f; f++)
        found = found || strcmp(*f, name) == 0;
    return found != negated;
}

static void read_statement(reader *r)
{
    while (r->status == LV_OK && take_word(r, "when"))
        if (!holds(r)) {
            skip_statement(r);
            return;
        }
    if (take_word(r, "carried"))
        read_declaration(r, LV_FIELD_CARRIED);
    else if (take_word(r, "unknown"))
        read_declaration(r, LV_FIELD_UNKNOWN);
    else if (take_word(r, "let"))
        read_definition(r, false);
    else if (take_word(r, "point"))
        read_definition(r, true);
    else if (take_word(r, "eq"))
        read_equation(r);
    else if (take_word(r, "call"))
        read_call_statement(r);
    else if (take_word(r, "assign"))
        read_assignment(r, false);
    else if (take_word(r, "first"))
        read_assignment(r, true);
    else if (take_word(r, "show"))
        read_shown(r);
    else
        fail(r, "a statement is expected: carried, unknown, let, point, eq, ...");
}

static void need_equations(reader *r)
{
    char what[NAME_MOST + 40];
    for (int k = 0; k < r->form->fields.count && r->status == LV_OK; k++) {
        const lv_field *f = &r->form->fields.data[k];
        if (f->role != LV_FIELD_UNKNOWN || r->sizes[f->space] == 0 || f->sum.count > 0)
            continue;
        snprintf(what, sizeof what, "the unknown %s has no equation", f->name);
        fail(r, what);
    }
}

/* A copy of the text without what stands behind #; lines keep their numbers. NULL: there is no memory. */
static const char *without_comments(lv_form *form, const char *text)
{
    char *copy = lv_arena_text(&form->arena, text, strlen(text)), *to = copy;
    for (const char *from = text; copy && *from; from++) {
        from += *from == '#' ? strcspn(from, "\n") : 0;
        if (!*from)
            break;
        *to++ = *from;
    }
    if (copy)
        *to = 0;
    return copy;
}

lv_status lv_form_read(lv_form *form, const char *text, const lv_step_table *table,
                       const int sizes[LV_SPACES], lv_error *err)
{
    text = without_comments(form, text);
    if (!text)
        return lv_fail_memory(err);
    reader r = {.form = form,
                .table = table,
                .sizes = sizes,
                .text = text,
                .at = text,
                .emptied = -1,
                .err = err};
    for (;;) {
        skip(&r);
        while (*r.at == '\n') {
            r.at++;
            skip(&r);
        }
        if (!*r.at || r.status != LV_OK || form->failed)
            break;
        read_statement(&r);
    }
    need_equations(&r);
    return form->failed ? lv_fail_memory(err) : r.status;
}
