#include "model/columns.h"

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

/* What a column of the model stands for. */
typedef enum column_kind {
    COORDINATE,
    BODY,
    OUTPUT,
    SWEPT,
    CONSTRAINT,
    SYMMETRY
} column_kind;

/* How messages call it, before what its columns stand, and what a free name could end in. */
static const struct {
    const char *name, *prefix, *suffix;
} kinds[] = {
    [COORDINATE] = {"coordinate", "", "_q"},
    [BODY] = {"body", "", "_b"},
    [OUTPUT] = {"output", "", "_out"},
    [SWEPT] = {"swept parameter", "", "_par"},
    [CONSTRAINT] = {"constraint", "lambda.", "_c"},
    [SYMMETRY] = {"symmetry", "J.", "_s"},
};

/* A name of the model and the columns it gives: itself or, of a family, the name with the indices of
 * every member, "link_2_3". Components of vectors add nothing: "a[1]" has the name "a". */
typedef struct entry {
    const char *name; /* without the prefix of its kind */
    column_kind kind;
    lv_place place;
    int index_count;
    int members;           /* of a family */
    const double *indices; /* of the members, in rising order; NULL: 1, 2, ... */
} entry;

typedef struct checker {
    const lv_model *model;
    lv_arena arena;
    lv_names names; /* of all columns so far, with their prefixes */
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

static void suggest(const checker *c, const entry *column)
{
    char name[160];
    snprintf(name, sizeof name, "%s%s", column->name, kinds[column->kind].suffix);
    for (int k = 2; is_taken(c, name); k++)
        snprintf(name, sizeof name, "%s%s%d", column->name, kinds[column->kind].suffix,
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
    suggest(c, column);
    return status;
}

static lv_status refuse_twin(const checker *c, const entry *column, const entry *other)
{
    int line = 0, place = 0;
    lv_status status = lv_fail_at(
        c->err, LV_ERR_MODEL, LV_AT(column->place),
        "the %s '%s' and the %s '%s' would both be the column '%s%s%s' of results",
        kinds[column->kind].name, column->name, kinds[other->kind].name, other->name,
        kinds[column->kind].prefix, column->name, column->index_count > 0 ? "_..." : "");
    lv_source_position(other->place.source, other->place.offset, &line, &place);
    lv_error_note(c->err, "'%s' is declared at %s:%d", other->name,
                  other->place.source->name, line);
    suggest(c, column);
    return status;
}

/* ---- families ------------------------------------------------------------------------------ */

enum { INDICES_MOST = LV_RANGES_MOST };

/* Cuts a member number off the end of a name: "link_2" to "link", 2. Numbers as results write
 * them have no sign, except in front of all digits, and no leading zeros. */
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

/* Has the family a member whose first indices are these? Members stand in rising order. */
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

/* Is the column, "link_2", also a member of a family, "link"? Of a column that is a family itself,
 * "link_2" of j, all members are taken to be in "link" of i and j if any with i = 2 is. */
static lv_status check_members(checker *c, const entry *column)
{
    double indices[INDICES_MOST];
    char base[300];
    const char *prefix = kinds[column->kind].prefix;
    size_t length = strlen(column->name);
    for (int count = 1; count <= INDICES_MOST; count++) {
        double *first = indices + INDICES_MOST - count;
        if (!cut_index(column->name, &length, first))
            return LV_OK;
        snprintf(base, sizeof base, "%s%.*s", prefix, (int)length, column->name);
        const lv_name *found = lv_names_find(&c->names, base, (int)strlen(base));
        const entry *family = found ? &c->columns.data[found->index] : NULL;
        if (family && family->index_count == count + column->index_count &&
            has_member(family, first, count))
            return refuse_twin(c, column, family);
    }
    return LV_OK;
}

/* ---- columns ------------------------------------------------------------------------------- */

static lv_status check_words(const checker *c, const entry *column)
{
    if (kinds[column->kind].prefix[0] != '\0' || column->index_count > 0)
        return LV_OK;
    for (const lv_column_word *word = lv_column_words; word->text; word++)
        if (strcmp(word->text, column->name) == 0 &&
            (!word->attribute || column->kind != SWEPT))
            return refuse_word(c, column, word);
    return LV_OK;
}

static lv_status add(checker *c, entry column)
{
    char text[300];
    snprintf(text, sizeof text, "%s%s", kinds[column.kind].prefix, column.name);
    const lv_name *other = lv_names_find(&c->names, text, (int)strlen(text));
    LV_TRY(check_words(c, &column));
    if (other)
        return refuse_twin(c, &column, &c->columns.data[other->index]);
    const char *copy = lv_arena_text(&c->arena, text, strlen(text));
    const lv_name name = {copy, LV_NAME_COORDINATE, c->columns.count, column.place};
    return copy && lv_names_put(&c->names, &name) && LV_PUSH(c->columns, column)
               ? LV_OK
               : lv_fail_memory(c->err);
}

static lv_status add_item(checker *c, column_kind kind, const lv_item *item)
{
    return add(c, (entry){.name = item->name, .kind = kind, .place = item->place});
}

static lv_status add_coordinates(checker *c)
{
    for (int k = 0; k < c->model->groups.count; k++) {
        const lv_group *group = &c->model->groups.data[k];
        LV_TRY(add(c, (entry){.name = group->item->name,
                              .kind = COORDINATE,
                              .place = group->item->place,
                              .index_count = group->is_family ? 1 : 0,
                              .members = group->count}));
    }
    return LV_OK;
}

/* The position of a body that turns about a pivot is no coordinate, but a column. */
static lv_status add_body(checker *c, const lv_kernel *kernel)
{
    const char *name = kernel->item->name;
    for (int k = 0; k < c->model->groups.count; k++)
        if (strcmp(c->model->groups.data[k].item->name, name) == 0)
            return LV_OK;
    return add(c, (entry){.name = name,
                          .kind = BODY,
                          .place = kernel->item->place,
                          .index_count = kernel->index_count,
                          .members = kernel->instance_count});
}

static lv_status add_kernels(checker *c)
{
    for (int k = 0; k < c->model->kernels.count; k++) {
        const lv_kernel *kernel = &c->model->kernels.data[k];
        const bool constrains =
            kernel->role == LV_ROLE_HOLONOMIC || kernel->role == LV_ROLE_NONHOLONOMIC;
        if (constrains)
            LV_TRY(add(c, (entry){.name = kernel->item->name,
                                  .kind = CONSTRAINT,
                                  .place = kernel->item->place,
                                  .index_count = kernel->index_count,
                                  .members = kernel->instance_count,
                                  .indices = kernel->indices}));
        if (lv_kernel_shows(kernel, LV_SHOWN_BODY))
            LV_TRY(add_body(c, kernel));
        if (kernel->role == LV_ROLE_OUTPUT || kernel->role == LV_ROLE_SYMMETRY)
            LV_TRY(add_item(c, kernel->role == LV_ROLE_OUTPUT ? OUTPUT : SYMMETRY,
                            kernel->item));
    }
    return LV_OK;
}

static lv_status add_swept(checker *c)
{
    const lv_sweep_plan *plan = &c->model->sweep;
    if (plan->parameter >= 0)
        LV_TRY(add_item(c, SWEPT, c->model->parameters.data[plan->parameter].item));
    for (int k = 0; k < plan->list.count; k++)
        LV_TRY(add_item(c, SWEPT, plan->list.data[k].item));
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
    for (int k = 0; k < c.columns.count && status == LV_OK; k++)
        status = check_members(&c, &c.columns.data[k]);
    lv_names_done(&c.names);
    LV_ARRAY_FREE(c.columns);
    lv_arena_done(&c.arena);
    return status;
}
