#include "step/read.h"

#include "base/status.h"
#include "step/read_sum.h"

#include <stdio.h>
#include <string.h>

/* A name with an index that may be a free letter. */
typedef struct target {
    char name[LV_NAME_MOST];
    const char *index; /* text of the index; NULL: none */
} target;

static target read_target(lv_reader *r)
{
    target t = {{0}, NULL};
    lv_scan_name(&r->scan, t.name);
    if (lv_scan_take(&r->scan, '[')) {
        t.index = r->scan.at;
        r->scan.at += strcspn(r->scan.at, "]\n");
        lv_scan_need(&r->scan, ']');
    }
    return t;
}

static int target_index(lv_reader *r, const target *t)
{
    if (!t->index)
        return 0;
    const char *kept = r->scan.at;
    r->scan.at = t->index;
    const int index = lv_scan_index(&r->scan);
    r->scan.at = kept;
    return index;
}

/* The index letter over which a statement is repeated: that of its target, unless the
 * index is fixed. */
static char target_letter(const lv_reader *r, const target *t)
{
    return t->index && lv_word_length(t->index) == 1 &&
                   lv_scan_members(&r->scan, t->index[0]) >= 0
               ? t->index[0]
               : 0;
}

typedef struct range {
    char letter;
    int from, to;
} range;

/* Reads "for i = FROM..TO" at the end of the statement that begins here. */
static range find_range(lv_reader *r, char letter)
{
    range all = {letter, 1, letter ? lv_scan_members(&r->scan, letter) : 1};
    const char *kept = r->scan.at, *at = r->scan.at;
    for (; *at && !(*at == '\n' && at[1] != ' ' && at[1] != '\t'); at++)
        if (at[0] == ' ' && strncmp(at, " for ", 5) == 0) {
            r->scan.at = at + 5;
            char name[LV_NAME_MOST];
            lv_scan_name(&r->scan, name);
            lv_scan_need(&r->scan, '=');
            all.letter = name[0];
            all.from = lv_scan_index(&r->scan);
            lv_scan_need(&r->scan, '.');
            lv_scan_need(&r->scan, '.');
            all.to = lv_scan_index(&r->scan);
            break;
        }
    r->scan.at = kept;
    return all;
}

/* Reads a kind and sets the space and the scale of a new field. */
static void read_kind(lv_reader *r, lv_field *field)
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
        const char *kept = r->scan.at;
        if (lv_scan_word(&r->scan, kinds[k].word) &&
            (!kinds[k].rows || lv_scan_word(&r->scan, kinds[k].rows))) {
            field->scale = kinds[k].scale;
            field->space = kinds[k].space;
            return;
        }
        r->scan.at = kept;
    }
    lv_scan_fail(&r->scan,
                 "a kind is expected: point, tangent, momentum, multiplier g, ...");
}

static void add_fields(lv_reader *r, const target *t, const lv_field *kind,
                       lv_role_of role)
{
    const range all = find_range(r, target_letter(r, t));
    for (int k = all.from; k <= all.to && r->scan.status == LV_OK; k++) {
        lv_scan_bind(&r->scan, all.letter, all.letter ? k : 0);
        const int field =
            lv_form_field(r->form, t->name, target_index(r, t), kind->space, role);
        if (field >= 0)
            r->form->fields.data[field].scale = kind->scale;
    }
    lv_scan_bind(&r->scan, all.letter, 0);
}

static void skip_statement(lv_reader *r)
{
    while (*r->scan.at &&
           !(*r->scan.at == '\n' && r->scan.at[1] != ' ' && r->scan.at[1] != '\t'))
        r->scan.at++;
}

/* Checks that only the range of an index follows the statement that began at `start`,
 * unless it was read for no member at all, and skips that. */
static void end_statement(lv_reader *r, const char *start)
{
    lv_scan_skip(&r->scan);
    if (r->scan.at != start && r->scan.status == LV_OK && !lv_ends_sum(r->scan.at))
        lv_scan_fail(&r->scan, "the end of the line is expected");
    skip_statement(r);
}

static void read_declaration(lv_reader *r, lv_role_of role)
{
    const char *start = r->scan.at;
    do {
        lv_field kind = {0};
        const target t = read_target(r);
        read_kind(r, &kind);
        if (r->scan.status == LV_OK)
            add_fields(r, &t, &kind, role);
    } while (r->scan.status == LV_OK && lv_scan_take(&r->scan, ','));
    end_statement(r, start);
}

/* For let and point: the space of a field follows from the first term of its sum; a
 * definition without terms is a tangent. */
static lv_space space_of(const lv_reader *r, const lv_sum *sum)
{
    const lv_form *form = r->form;
    static const lv_space results[] = {[LV_RESULT_POINT] = LV_SPACE_POINT,
                                       [LV_RESULT_TANGENT] = LV_SPACE_TANGENT,
                                       [LV_RESULT_VECTOR] = LV_SPACE_MOMENTUM,
                                       [LV_RESULT_HOLONOMIC] = LV_SPACE_HOLONOMIC,
                                       [LV_RESULT_ROLLING] = LV_SPACE_ROLLING};
    if (sum->count == 0)
        return r->emptied >= 0 ? (lv_space)r->emptied : LV_SPACE_TANGENT;
    const lv_term *t = &sum->data[0];
    return t->field >= 0 ? form->fields.data[t->field].space
                         : results[form->atoms.data[t->atom].op->result];
}

static void read_definition(lv_reader *r, bool point)
{
    const target t = read_target(r);
    const range all = find_range(r, target_letter(r, &t));
    lv_scan_skip(&r->scan);
    const char *start = r->scan.at;
    for (int k = all.from; k <= all.to && r->scan.status == LV_OK; k++) {
        lv_sum sum = {0};
        double at = 0;
        r->scan.at = start;
        r->emptied = -1;
        lv_scan_bind(&r->scan, all.letter, all.letter ? k : 0);
        const int index = target_index(r, &t);
        if (point && lv_scan_word(&r->scan, "at"))
            at = lv_scan_scalar(&r->scan);
        lv_scan_need(&r->scan, '=');
        if (r->scan.status == LV_OK)
            lv_read_sum(r, &sum);
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
    lv_scan_bind(&r->scan, all.letter, 0);
    end_statement(r, start);
}

static void read_equation(lv_reader *r)
{
    const target t = read_target(r);
    const range all = find_range(r, target_letter(r, &t));
    const lv_asked asked = lv_scan_word(&r->scan, "once")        ? LV_ASKED_ONCE
                           : lv_scan_word(&r->scan, "dependent") ? LV_ASKED_DEPENDENT
                                                                 : LV_ASKED_ALWAYS;
    lv_scan_skip(&r->scan);
    const char *start = r->scan.at;
    for (int k = all.from; k <= all.to && r->scan.status == LV_OK; k++) {
        r->scan.at = start;
        lv_scan_bind(&r->scan, all.letter, all.letter ? k : 0);
        const int field = lv_form_find(r->form, t.name, target_index(r, &t));
        if (field < 0) {
            lv_scan_fail(&r->scan, "there is no such unknown");
            return;
        }
        if (r->sizes[r->form->fields.data[field].space] == 0)
            continue;
        lv_sum sum = {0};
        lv_scan_need(&r->scan, ':');
        lv_read_sum(r, &sum);
        LV_ARRAY_FREE(r->form->fields.data[field].sum);
        r->form->fields.data[field].sum = sum;
        r->form->fields.data[field].asked = asked;
    }
    lv_scan_bind(&r->scan, all.letter, 0);
    end_statement(r, start);
}

static const lv_opaque *find_function(const lv_reader *r, const char *name)
{
    for (const lv_opaque *f = r->scan.table->calls; f && f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

/* Reads a call, which is not repeated over an index. */
static void read_call_statement(lv_reader *r)
{
    lv_call call = {0};
    char name[LV_NAME_MOST];
    do {
        lv_field kind = {0};
        lv_scan_name(&r->scan, name);
        read_kind(r, &kind);
        if (r->scan.status != LV_OK || call.results == LV_CALL_RESULTS)
            break;
        const int field = lv_form_field(r->form, name, 0, kind.space, LV_FIELD_CALLED);
        if (field < 0)
            return;
        r->form->fields.data[field].call = r->form->calls.count;
        call.result[call.results++] = field;
    } while (lv_scan_take(&r->scan, ','));
    lv_scan_need(&r->scan, '=');
    lv_scan_name(&r->scan, name);
    lv_scan_need(&r->scan, '(');
    const lv_opaque *function = find_function(r, name);
    if (!function)
        lv_scan_fail(&r->scan, "there is no such function");
    do {
        if (call.arguments < LV_CALL_ARGUMENTS && r->scan.status == LV_OK)
            call.argument[call.arguments++] = lv_read_field(r);
    } while (r->scan.status == LV_OK && lv_scan_take(&r->scan, ','));
    lv_scan_need(&r->scan, ')');
    if (r->scan.status != LV_OK)
        return;
    call.function = *function;
    if (!LV_PUSH(r->form->calls, call))
        r->form->failed = true;
}

static void add_assignment(lv_reader *r, const char *name, int index, bool first)
{
    const int field = lv_form_find(r->form, name, index);
    lv_assignment a = {.field = field, .first = first};
    if (field < 0) {
        lv_scan_fail(&r->scan, "there is no such field");
        return;
    }
    if (r->sizes[r->form->fields.data[field].space] == 0)
        return;
    lv_scan_need(&r->scan, '<');
    lv_scan_need(&r->scan, '-');
    if (r->scan.status == LV_OK)
        lv_read_sum(r, &a.sum);
    if (!LV_PUSH(r->form->assignments, a)) {
        r->form->failed = true;
        LV_ARRAY_FREE(a.sum);
    }
}

static void read_assignment(lv_reader *r, bool first)
{
    const target t = read_target(r);
    const range all = find_range(r, target_letter(r, &t));
    lv_scan_skip(&r->scan);
    const char *start = r->scan.at;
    for (int k = all.from; k <= all.to && r->scan.status == LV_OK; k++) {
        r->scan.at = start;
        lv_scan_bind(&r->scan, all.letter, all.letter ? k : 0);
        add_assignment(r, t.name, target_index(r, &t), first);
    }
    lv_scan_bind(&r->scan, all.letter, 0);
    end_statement(r, start);
}

static void read_shown(lv_reader *r)
{
    const char *start = r->scan.at;
    do {
        const target t = read_target(r);
        for (int k = 0; k < r->form->fields.count; k++)
            if (strcmp(r->form->fields.data[k].name, t.name) == 0)
                r->form->fields.data[k].shown = true;
    } while (r->scan.status == LV_OK && lv_scan_take(&r->scan, ','));
    end_statement(r, start);
}

/* Reads "when FACT:" or "when not FACT:"; returns whether the statement counts. */
static bool holds(lv_reader *r)
{
    char name[LV_NAME_MOST];
    const bool negated = lv_scan_word(&r->scan, "not");
    bool found = false;
    lv_scan_name(&r->scan, name);
    lv_scan_need(&r->scan, ':');
    for (const char *const *f = r->scan.table->facts; f && *f; f++)
        found = found || strcmp(*f, name) == 0;
    return found != negated;
}

static void read_statement(lv_reader *r)
{
    while (r->scan.status == LV_OK && lv_scan_word(&r->scan, "when"))
        if (!holds(r)) {
            skip_statement(r);
            return;
        }
    if (lv_scan_word(&r->scan, "carried"))
        read_declaration(r, LV_FIELD_CARRIED);
    else if (lv_scan_word(&r->scan, "unknown"))
        read_declaration(r, LV_FIELD_UNKNOWN);
    else if (lv_scan_word(&r->scan, "let"))
        read_definition(r, false);
    else if (lv_scan_word(&r->scan, "point"))
        read_definition(r, true);
    else if (lv_scan_word(&r->scan, "eq"))
        read_equation(r);
    else if (lv_scan_word(&r->scan, "call"))
        read_call_statement(r);
    else if (lv_scan_word(&r->scan, "assign"))
        read_assignment(r, false);
    else if (lv_scan_word(&r->scan, "first"))
        read_assignment(r, true);
    else if (lv_scan_word(&r->scan, "show"))
        read_shown(r);
    else
        lv_scan_fail(&r->scan,
                     "a statement is expected: carried, unknown, let, point, eq, ...");
}

static void need_equations(lv_reader *r)
{
    char what[LV_NAME_MOST + 40];
    for (int k = 0; k < r->form->fields.count && r->scan.status == LV_OK; k++) {
        const lv_field *f = &r->form->fields.data[k];
        if (f->role != LV_FIELD_UNKNOWN || r->sizes[f->space] == 0 || f->sum.count > 0)
            continue;
        snprintf(what, sizeof what, "the unknown %s has no equation", f->name);
        lv_scan_fail(&r->scan, what);
    }
}

/* Copies the text without comments; lines keep their numbers. Returns NULL without
 * memory. */
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
    lv_reader r = {
        .scan = {.table = table, .text = text, .at = text, .err = err},
        .form = form,
        .sizes = sizes,
        .emptied = -1,
    };
    for (;;) {
        lv_scan_skip(&r.scan);
        while (*r.scan.at == '\n') {
            r.scan.at++;
            lv_scan_skip(&r.scan);
        }
        if (!*r.scan.at || r.scan.status != LV_OK || form->failed)
            break;
        read_statement(&r);
    }
    need_equations(&r);
    return form->failed ? lv_fail_memory(err) : r.scan.status;
}
