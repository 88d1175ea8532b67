/* Errors about unknown names, with suggestions. */
#include "base/text.h"
#include "expr/function.h"
#include "model/model.h"
#include "model/shown.h"

#include <stdio.h>
#include <string.h>

void lv_scope_hint_no_family(const char *name, int length, lv_error *err)
{
    lv_error_hint(
        err,
        "a family has a count: %.*s = { count = 3, value = 0 }; components of a "
        "vector are written %.*s[1]",
        length, name, length, name);
}

/* Whether the name would be a momentum if the model had a Hamiltonian. */
static bool is_missing_momentum(const lv_scope *scope, const char *name)
{
    const lv_names *names = &scope->model->names;
    const lv_name *of = strncmp(name, "p_", 2) == 0
                            ? lv_names_find(names, name + 2, (int)strlen(name + 2))
                            : NULL;
    return of && of->kind == LV_NAME_COORDINATE;
}

/* The coordinate whose velocity other programs would write like this: thetadot,
 * theta_dot, dtheta, v_theta. NULL: none. */
static const char *velocity_elsewhere(const lv_scope *scope, const char *name)
{
    static const char *const before[] = {"dot_", "d_", "v_", "d", "v"};
    static const char *const after[] = {"_dot", "dot", "_d", "_t"};
    const lv_names *names = &scope->model->names;
    const int length = (int)strlen(name);
    for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
        const int n = (int)strlen(before[k]);
        const lv_name *of = length > n && strncmp(name, before[k], (size_t)n) == 0
                                ? lv_names_find(names, name + n, length - n)
                                : NULL;
        if (of && of->kind == LV_NAME_COORDINATE)
            return of->text;
    }
    for (size_t k = 0; k < sizeof after / sizeof *after; k++) {
        const int n = (int)strlen(after[k]);
        const lv_name *of = length > n && strcmp(name + length - n, after[k]) == 0
                                ? lv_names_find(names, name, length - n)
                                : NULL;
        if (of && of->kind == LV_NAME_COORDINATE)
            return of->text;
    }
    return NULL;
}

/* Names that a single letter may stand for, in either case: the letter itself, or the
 * letter followed by a digit or an underscore. */
typedef struct alike {
    char letter;
    int count;
    char text[120]; /* "'k1' or 'k_s'" */
} alike;

static void offer_alike(alike *a, const char *name)
{
    enum { SHOWN = 3, LOWER = 0x20 };
    const size_t used = strlen(a->text);
    const bool is_alike = (name[0] | LOWER) == (a->letter | LOWER) &&
                          (name[1] == '\0' || strchr("_0123456789", name[1]));
    if (!is_alike || a->count == SHOWN || used + strlen(name) + 8 > sizeof a->text)
        return;
    snprintf(a->text + used, sizeof a->text - used, "%s'%s'", used ? " or " : "", name);
    a->count++;
}

/* Adds a hint for a single unknown letter, which is more likely a missing parameter than
 * a typing error. */
static void hint_letter(const lv_scope *scope, const char *name, lv_error *err)
{
    const lv_names *names = &scope->model->names;
    alike near = {.letter = name[0]};
    for (int k = 0; k < scope->index_count; k++)
        offer_alike(&near, scope->index_names[k]);
    for (int k = 0; k < names->list.count; k++)
        offer_alike(&near, names->list.data[k].text);
    const char *ask = near.count > 0 ? "did you mean " : "",
               *else_do = near.count > 0 ? "? If not, " : "";
    if (strchr("ijkn", name[0]))
        lv_error_hint(err,
                      "%s%s%sdeclare it in [parameters]; an index needs a family: for = "
                      "\"%s = 1..N\"",
                      ask, near.text, else_do, name);
    else
        lv_error_hint(err,
                      "%s%s%sdeclare it in [parameters], [definitions] or [coordinates]",
                      ask, near.text, else_do);
}

/* Offers the points of [view] if they may be used; returns whether the name is one of
 * them. */
static bool offer_points(const lv_scope *scope, lv_nearest *nearest, const char *name)
{
    const lv_model *m = scope->model;
    bool found = false;
    for (int k = 0; k < m->definitions.count; k++) {
        const lv_definition *d = &m->definitions.data[k];
        if (d->is_point && scope->view)
            lv_nearest_offer(nearest, d->item->name);
        found = found || (d->is_point && strcmp(d->item->name, name) == 0);
    }
    return found;
}

static lv_status unknown_name(const lv_scope *scope, const lv_syntax *name, lv_error *err)
{
    const lv_names *names = &scope->model->names;
    lv_nearest nearest;
    lv_nearest_start(&nearest, name->name);
    for (int k = 0; k < scope->index_count; k++)
        lv_nearest_offer(&nearest, scope->index_names[k]);
    for (int k = 0; k < names->list.count; k++)
        lv_nearest_offer(&nearest, names->list.data[k].text);
    const bool is_point = offer_points(scope, &nearest, name->name);
    lv_status status =
        lv_elaborate_fail(scope->elaboration, name, err, "unknown name '%s'", name->name);
    const char *best = lv_nearest_result(&nearest);
    const char *underscore = strrchr(name->name, '_');
    int base = underscore ? (int)(underscore - name->name) : 0;
    const lv_function *function = lv_function_find(name->name);
    const char *moving = velocity_elsewhere(scope, name->name);
    int number = 0;
    const char *energy = lv_result_energy(name->name, &number);
    if (is_point)
        lv_error_hint(err, "'%s' is a point of [view]: only formulas there know it",
                      name->name);
    else if (energy)
        lv_error_hint(err,
                      "declare it in [parameters], [definitions] or [coordinates]; the "
                      "%s energy '%s' can be used in [outputs] only",
                      energy, name->name);
    else if (moving)
        lv_error_hint(err, "the velocity of '%s' is written %s'", moving, moving);
    else if (function)
        lv_error_hint(err, "'%s' is a function: %s", function->name, function->signature);
    else if (name->name[1] == '\0' && !scope->hint)
        hint_letter(scope, name->name, err);
    else if (best)
        lv_error_hint(err, "did you mean '%s'?", best);
    else if (base > 0 && lv_names_find(names, name->name, base))
        lv_scope_hint_no_family(name->name, base, err);
    else if (is_missing_momentum(scope, name->name))
        lv_error_hint(err,
                      "momenta have names in models with a Hamiltonian; the velocity is "
                      "%s'",
                      name->name + 2);
    else if (scope->hint)
        lv_error_hint(err, "%s", scope->hint);
    else
        lv_error_hint(err, "declare it in [parameters], [definitions] or [coordinates]");
    return status;
}

/* ---- members ---------------------------------------------------------------------------- */

/* The member of a name with a dot whose base is text[0..length); else NULL. */
static const char *member_of(const lv_name *name, const char *text, int length)
{
    return strncmp(name->text, text, (size_t)length) == 0 && name->text[length] == '.'
               ? name->text + length + 1
               : NULL;
}

/* Lists the members of text[0..length): "e1, e2, e3, omega"; "" if there are none. */
static const char *list_members(const lv_scope *scope, const char *text, int length,
                                char buffer[300])
{
    const lv_names *names = &scope->model->names;
    const char *shown[LV_SHOWN_MEMBERS_MOST];
    const int shown_count = lv_shown_members(scope, text, length, shown);
    size_t used = 0;
    buffer[0] = '\0';
    for (int k = 0; k < names->list.count + shown_count; k++) {
        const char *member =
            k < shown_count ? shown[k]
                            : member_of(&names->list.data[k - shown_count], text, length);
        if (!member || used + strlen(member) + 8 > 300)
            continue;
        used +=
            (size_t)snprintf(buffer + used, 300 - used, "%s%s", used ? ", " : "", member);
    }
    return buffer;
}

/* The length of the name that the member would belong to: that of "rod" in rod_i.e1 and
 * rod_{2}.e1. */
static int base_length(const lv_scope *scope, const lv_syntax *name)
{
    char list[300];
    const int length = (int)strlen(name->name);
    const char *underscore = strrchr(name->name, '_');
    const int shorter = underscore ? (int)(underscore - name->name) : 0;
    return list_members(scope, name->name, length, list)[0] == '\0' && shorter > 0 &&
                   list_members(scope, name->name, shorter, list)[0] != '\0'
               ? shorter
               : length;
}

static lv_status wrong_member(const lv_scope *scope, const lv_syntax *name, int length,
                              const char *list, lv_error *err)
{
    const lv_names *names = &scope->model->names;
    const bool is_there =
        lv_names_find_member(names, name->name, length, name->member) != NULL;
    const char *shown[LV_SHOWN_MEMBERS_MOST];
    const int shown_count = lv_shown_members(scope, name->name, length, shown);
    lv_nearest nearest;
    lv_status status = LV_OK;
    if (is_there) {
        status = lv_elaborate_fail(scope->elaboration, name, err,
                                   "'%.*s' is not a family", length, name->name);
        lv_error_hint(err, "its member is %.*s.%s", length, name->name, name->member);
        return status;
    }
    status = lv_elaborate_fail(scope->elaboration, name, err,
                               "'%.*s' has no member '%s'; it has %s", length, name->name,
                               name->member, list);
    lv_nearest_start(&nearest, name->member);
    for (int k = 0; k < shown_count; k++)
        lv_nearest_offer(&nearest, shown[k]);
    for (int k = 0; k < names->list.count; k++) {
        const char *member = member_of(&names->list.data[k], name->name, length);
        if (member)
            lv_nearest_offer(&nearest, member);
    }
    const char *best = lv_nearest_result(&nearest);
    if (best)
        lv_error_hint(err, "did you mean '%s.%s'?", name->name, best);
    return status;
}

/* Whether there is anything of this name, even without members. */
static bool is_known(const lv_scope *scope, const char *name)
{
    const char *underscore = strrchr(name, '_');
    const lv_names *names = &scope->model->names;
    for (int k = 0; k < scope->index_count; k++)
        if (strcmp(scope->index_names[k], name) == 0)
            return true;
    for (int k = 0; lv_reserved_names[k]; k++)
        if (strcmp(lv_reserved_names[k], name) == 0)
            return true;
    for (int k = 0; k < scope->model->declarations.items.count; k++)
        if (strcmp(scope->model->declarations.items.data[k].name, name) == 0)
            return true;
    const lv_name *family =
        underscore ? lv_names_find(names, name, (int)(underscore - name)) : NULL;
    return lv_names_find(names, name, (int)strlen(name)) ||
           (family && lv_model_is_family(scope->model, family));
}

lv_status lv_scope_unknown(const lv_scope *scope, const lv_syntax *name, lv_error *err)
{
    const int length = base_length(scope, name);
    char list[300];
    list_members(scope, name->name, length, list);
    if (name->member && list[0] != '\0')
        return wrong_member(scope, name, length, list, err);
    if (name->member && is_known(scope, name->name)) {
        lv_status status = lv_elaborate_fail(scope->elaboration, name, err,
                                             "'%s' has no members", name->name);
        lv_error_hint(
            err, "bodies and joints that turn or slide have members; components of a "
                 "vector are written x[1]");
        return status;
    }
    if (list[0] != '\0') {
        lv_status status = lv_elaborate_fail(scope->elaboration, name, err,
                                             "'%s' is no quantity by itself", name->name);
        lv_error_hint(err, "write %.*s.NAME with one of its members: %s", length,
                      name->name, list);
        return status;
    }
    if (!name->member && strcmp(name->name, "ground") == 0) {
        lv_status status = lv_elaborate_fail(scope->elaboration, name, err,
                                             "'ground' is no quantity by itself");
        lv_error_hint(err,
                      "a point in space is a vector, such as [0, 0, 1]; ground stands "
                      "where a body can");
        return status;
    }
    return unknown_name(scope, name, err);
}
