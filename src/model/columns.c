#include "model/columns.h"

#include "expr/analyse.h"
#include "model/shown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const lv_column_word lv_column_words[] = {
    {"t", NULL, "the time"},
    {"T", NULL, "the kinetic energy"},
    {"V", NULL, "the potential energy"},
    {"E", NULL, "the total energy"},
    {"balance", NULL, "the energy less its initial value and all work"},
    {"E", "modified", "the energy that a scheme keeps"},
    {"E", "initial", "the energy at the start of a member of a sweep"},
    {"E", "final", "the energy at the end of a member of a sweep"},
    {"E", "deviation", "the largest deviation of the energy of a member of a sweep"},
    {"g", "max", "the largest residual of the constraints"},
    {"gdot", "max", "the largest rate of a constraint"},
    {"nonholonomic", "max", "the largest residual of the nonholonomic constraints"},
    {"undetermined", NULL, "how many combinations of multipliers rounding decides"},
    {"legendre", NULL, "the distance of momenta from those of the velocities"},
    {"newton", NULL, "the iterations of the last step"},
    {"newton", "mean",
     "the mean number of iterations of the steps of a member of a sweep"},
    {"newton", "max",
     "the largest number of iterations of the steps of a member of a sweep"},
    {"member", NULL, "the number of a member of a sweep"},
    {"status", NULL, "how a member of a sweep ended"},
    {"steps", NULL, "the steps of a member of a sweep"},
    {"warnings", NULL, "the number of warnings of a member of a sweep"},
    {"message", NULL, "why a member of a sweep failed"},
    {NULL, NULL, NULL},
};

/* What a column of the model belongs to. */
typedef enum column_kind {
    COORDINATE,
    BODY, /* BODY to ROLLING have the order of lv_shown_kind */
    JOINT,
    MOTOR,
    ROLLING,
    INPUT,
    OUTPUT,
    SWEPT,
    CONSTRAINT,
    SYMMETRY,
    EVENT,
    WORK
} column_kind;

/* The name of a kind in messages, and the ending of a suggested name. */
static const struct {
    const char *name, *ending;
} kinds[] = {
    [COORDINATE] = {"coordinate", "_q"},
    [BODY] = {"body", "_b"},
    [JOINT] = {"joint", "_j"},
    [MOTOR] = {"motor", "_m"},
    [ROLLING] = {"rolling contact", "_r"},
    [INPUT] = {"input", "_in"},
    [OUTPUT] = {"output", "_out"},
    [SWEPT] = {"swept parameter", "_par"},
    [CONSTRAINT] = {"constraint", "_c"},
    [SYMMETRY] = {"symmetry", "_s"},
    [EVENT] = {"event", "_e"},
    [WORK] = {"term", "_w"},
};

/* A name of the model and its columns, such as "p.rod_2" or "rod_2.omega": a prefix, the
 * name, the indices of every member of a family, and a suffix. Components of vectors do
 * not count: "a[1]" has the name "a". */
typedef struct entry {
    const char *prefix, *name, *suffix;
    column_kind kind;
    lv_place place;
    int index_count;
    int members; /* number of members of a family */
    /* indices of the members, in increasing order; NULL: 1, 2, ... */
    const double *indices;
} entry;

typedef struct checker {
    const lv_model *model;
    lv_arena arena;
    lv_names names; /* names of all columns so far, with a star for each index */
    LV_ARRAY(entry) columns;
    lv_error *err;
} checker;

/* ---- messages ----------------------------------------------------------------------------- */

static bool is_taken(const checker *c, const char *name)
{
    if (lv_names_find(&c->model->names, name, (int)strlen(name)))
        return true;
    for (int k = 0; k < c->model->declarations.items.count; k++)
        if (strcmp(c->model->declarations.items.data[k].name, name) == 0)
            return true;
    return false;
}

static void suggest_name(const checker *c, const entry *column)
{
    char name[160];
    snprintf(name, sizeof name, "%s%s", column->name, kinds[column->kind].ending);
    for (int k = 2; is_taken(c, name); k++)
        snprintf(name, sizeof name, "%s%s%d", column->name, kinds[column->kind].ending,
                 k);
    lv_error_hint(c->err, "another name is free, for instance '%s'", name);
}

static lv_status refuse_word(const checker *c, const entry *column,
                             const lv_column_word *word)
{
    const char *dot = word->attribute ? "." : "";
    lv_status status = lv_fail_at(
        c->err, LV_ERR_MODEL, LV_AT(column->place),
        "'%s' cannot be the name of a%s %s: results have a column '%s%s%s', "
        "%s",
        column->name, column->kind == OUTPUT ? "n" : "", kinds[column->kind].name,
        word->text, dot, word->attribute ? word->attribute : "", word->meaning);
    suggest_name(c, column);
    return status;
}

static lv_status refuse_twin(const checker *c, const entry *column, const entry *other)
{
    int line = 0, place = 0;
    lv_status status = lv_fail_at(
        c->err, LV_ERR_MODEL, LV_AT(column->place),
        "the %s '%s' and the %s '%s' would both give the column '%s%s%s%s' of results",
        kinds[column->kind].name, column->name, kinds[other->kind].name, other->name,
        column->prefix, column->name, column->index_count > 0 ? "_..." : "",
        column->suffix);
    lv_source_position(other->place.source, other->place.offset, &line, &place);
    lv_error_note(c->err, "'%s' is declared at %s:%d", other->name,
                  other->place.source->name, line);
    suggest_name(c, column);
    return status;
}

/* ---- families ------------------------------------------------------------------------------ */

enum { KEY = 400 };

/* The key of the columns of name[0..length) with so many indices: "lambda.link_*_*",
 * "rod_*.omega". */
static const char *key_of(char key[KEY], const entry *column, size_t length, int indices)
{
    static const char stars[] = "_*_*_*_*_*_*_*_*";
    snprintf(key, KEY, "%s%.*s%.*s%s", column->prefix, (int)length, column->name,
             2 * indices, stars, column->suffix);
    return key;
}

static const entry *find_column(const checker *c, const char *key)
{
    const lv_name *found = lv_names_find(&c->names, key, (int)strlen(key));
    return found ? &c->columns.data[found->index] : NULL;
}

enum { INDICES_MOST = LV_RANGES_MOST };

/* Cuts the number of a member off the end of a name: "link_2" becomes "link" and 2.
 * Results write numbers without leading zeros, and with a sign only if it is a minus. */
static bool cut_index(const char *name, size_t *length, double *index)
{
    size_t end = *length, begin = end;
    while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9')
        begin--;
    const size_t digits = end - begin;
    const bool minus = begin > 1 && name[begin - 1] == '-';
    if (digits == 0 || digits > 15 || (name[begin] == '0' && (digits > 1 || minus)))
        return false;
    *index = strtod(name + begin, NULL) * (minus ? -1 : 1);
    begin -= minus ? 1 : 0;
    if (begin < 2 || name[begin - 1] != '_')
        return false;
    *length = begin - 1;
    return true;
}

/* Whether the family has a member with these first indices. Members are in increasing
 * order. */
static bool has_member(const entry *family, const double *first, int count)
{
    if (!family->indices)
        return first[0] >= 1 && first[0] <= family->members;
    int low = 0, high = family->members;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const double *at = family->indices + (size_t)middle * (size_t)family->index_count;
        int k = 0;
        while (k < count && at[k] == first[k])
            k++;
        if (k == count)
            return true;
        if (at[k] < first[k])
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Fails if the column, "link_2", is also a member of a family "link". If the column is a
 * family itself, "link_2" with the index j, it collides with "link" of i and j if that
 * has any member with i = 2. */
static lv_status check_members(checker *c, const entry *column)
{
    double indices[INDICES_MOST];
    char key[KEY];
    size_t length = strlen(column->name);
    for (int count = 1; count <= INDICES_MOST; count++) {
        double *first = indices + INDICES_MOST - count;
        if (!cut_index(column->name, &length, first))
            return LV_OK;
        const int all = count + column->index_count;
        const entry *family =
            all <= INDICES_MOST ? find_column(c, key_of(key, column, length, all)) : NULL;
        if (family && has_member(family, first, count))
            return refuse_twin(c, column, family);
    }
    return LV_OK;
}

/* ---- columns ------------------------------------------------------------------------------- */

static lv_status check_words(const checker *c, const entry *column)
{
    if (column->prefix[0] || column->suffix[0] || column->index_count > 0)
        return LV_OK;
    for (const lv_column_word *word = lv_column_words; word->text; word++)
        if (strcmp(word->text, column->name) == 0 &&
            (!word->attribute || column->kind != SWEPT))
            return refuse_word(c, column, word);
    return LV_OK;
}

static lv_status add_column(checker *c, entry column, const char *prefix,
                            const char *suffix)
{
    char text[KEY];
    column.prefix = prefix;
    column.suffix = suffix;
    key_of(text, &column, strlen(column.name), column.index_count);
    const entry *other = find_column(c, text);
    LV_TRY(check_words(c, &column));
    if (other && column.kind == WORK && other->kind == WORK)
        return LV_OK; /* terms of one name share a column */
    if (other)
        return refuse_twin(c, &column, other);
    const char *copy = lv_arena_text(&c->arena, text, strlen(text));
    const lv_name name = {copy, LV_NAME_COORDINATE, c->columns.count, column.place};
    return copy && lv_names_put(&c->names, &name) && LV_PUSH(c->columns, column)
               ? LV_OK
               : lv_fail_memory(c->err);
}

static lv_status add_item(checker *c, column_kind kind, const lv_item *item,
                          const char *prefix)
{
    return add_column(c, (entry){.name = item->name, .kind = kind, .place = item->place},
                      prefix, "");
}

static lv_status add_coordinates(checker *c)
{
    for (int k = 0; k < c->model->groups.count; k++) {
        const lv_group *group = &c->model->groups.data[k];
        const entry own = {.name = group->item->name,
                           .kind = COORDINATE,
                           .place = group->item->place,
                           .index_count = group->is_family ? 1 : 0,
                           .members = group->count};
        if (group->item->is_inner)
            continue;
        LV_TRY(add_column(c, own, "", ""));
        LV_TRY(add_column(c, own, "p.", ""));
    }
    return LV_OK;
}

static entry entry_of(column_kind kind, const lv_kernel *kernel)
{
    return (entry){.name = kernel->item->name,
                   .kind = kind,
                   .place = kernel->item->place,
                   .index_count = kernel->index_count,
                   .members = kernel->instance_count,
                   .indices = kernel->indices};
}

static lv_status add_constraint(checker *c, const lv_kernel *kernel)
{
    static const char *const prefixes[] = {"lambda.", "lambda_scheme.", "gamma."};
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        LV_TRY(add_column(c, entry_of(CONSTRAINT, kernel), prefixes[k], ""));
    return LV_OK;
}

static lv_status add_shown(checker *c, const lv_kernel *kernel)
{
    lv_shown_field fields[LV_SHOWN_FIELDS_MOST];
    const int count = lv_shown_fields(kernel, fields);
    const column_kind kind = BODY + (column_kind)kernel->shown->kind;
    for (int k = 0; k < count; k++)
        LV_TRY(add_column(c, entry_of(kind, kernel), "", fields[k].suffix));
    return LV_OK;
}

static lv_status add_kernel(checker *c, const lv_kernel *kernel)
{
    switch ((int)kernel->role) {
    case LV_ROLE_HOLONOMIC:
    case LV_ROLE_NONHOLONOMIC:
        return kernel->item->is_inner ? LV_OK : add_constraint(c, kernel);
    case LV_ROLE_SHOWN:
        return add_shown(c, kernel);
    case LV_ROLE_OUTPUT:
        return add_item(c, OUTPUT, kernel->item, "");
    case LV_ROLE_EVENT:
        return kernel->entry == lv_item_entry(kernel->item, "when")
                   ? add_item(c, EVENT, kernel->item, "events.")
                   : LV_OK;
    case LV_ROLE_SYMMETRY:
        return add_item(c, SYMMETRY, kernel->item, "J.");
    default:
        return LV_OK;
    }
}

/* There is a column of work for each term that may do work: forces, nonholonomic
 * constraints and terms that depend on time. */
static lv_status add_work(checker *c, const lv_kernel *kernel)
{
    lv_kinds reach = 0;
    if (kernel->role == LV_ROLE_EVENT &&
        kernel->entry != lv_item_entry(kernel->item, "when"))
        return add_item(c, WORK, kernel->item, "work.");
    if (kernel->role >= LV_ROLE_SYMMETRY || !kernel->item->name[0])
        return LV_OK;
    LV_TRY(
        lv_analyse_reach(kernel->graph, &reach, kernel->rows, kernel->row_count, c->err));
    if (kernel->role < LV_ROLE_NONHOLONOMIC && !(reach & LV_KIND(T)))
        return LV_OK;
    return add_item(c, WORK, kernel->item, "work.");
}

static lv_status add_kernels(checker *c)
{
    for (int k = 0; k < c->model->kernels.count; k++)
        LV_TRY(add_kernel(c, &c->model->kernels.data[k]));
    for (int k = 0; k < c->model->kernels.count; k++)
        LV_TRY(add_work(c, &c->model->kernels.data[k]));
    return LV_OK;
}

static lv_status add_inputs(checker *c)
{
    for (int k = 0; k < c->model->inputs.count; k++) {
        const lv_model_input *input = &c->model->inputs.data[k];
        LV_TRY(add_item(c, INPUT, input->item, ""));
        if (lv_input_does_work(input))
            LV_TRY(add_item(c, WORK, input->item, "work."));
    }
    return LV_OK;
}

static lv_status add_swept(checker *c)
{
    const lv_sweep_plan *plan = &c->model->sweep;
    if (plan->parameter >= 0)
        LV_TRY(add_item(c, SWEPT, c->model->parameters.data[plan->parameter].item, ""));
    for (int k = 0; k < plan->list.count; k++)
        LV_TRY(add_item(c, SWEPT, plan->list.data[k].item, ""));
    return LV_OK;
}

lv_status lv_model_check_columns(const lv_model *m, lv_error *err)
{
    checker c = {.model = m, .err = err};
    lv_status status = add_coordinates(&c);
    if (status == LV_OK)
        status = add_swept(&c);
    if (status == LV_OK)
        status = add_kernels(&c);
    if (status == LV_OK)
        status = add_inputs(&c);
    for (int k = 0; k < c.columns.count && status == LV_OK; k++)
        status = check_members(&c, &c.columns.data[k]);
    lv_names_done(&c.names);
    LV_ARRAY_FREE(c.columns);
    lv_arena_done(&c.arena);
    return status;
}
