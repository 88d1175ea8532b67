/* Schemes that callers write: a descriptor, claims and a text of the step language, as the library's own have them. */
#include "base/memory.h"
#include "base/usage.h"
#include "scheme/stepped.h"
#include "step/write.h"

#include <string.h>

typedef struct registered {
    lv_scheme scheme; /* the first member: methods get this */
    lv_claims claims;
    char *equations;
} registered;

/* ---- methods ---------------------------------------------------------------------------------------- */

static const registered *own(const lv_scheme *self)
{
    return (const registered *)self;
}

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    (void)options;
    *c = own(self)->claims;
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    (void)options;
    const lv_status status =
        lv_stepped_create(work, system, own(self)->equations, &(lv_step_table){0},
                          (lv_stepper_options){.checks_solution = true}, err);
    if (status == LV_ERR_USAGE)
        lv_error_note(err, "in the equations of the scheme '%s'", self->info.name);
    return status;
}

static lv_status equations(const lv_scheme *self, lv_text *out,
                           const lv_scheme_options *options, lv_error *err)
{
    (void)options;
    (void)err;
    lv_source_write(out, &(lv_step_source){.text = own(self)->equations});
    return LV_OK;
}

/* ---- registration ----------------------------------------------------------------------------------- */

static lv_status check(const lv_scheme_info *info, const lv_claims *promised,
                       const char *text, lv_error *err)
{
    int sizes[LV_SPACES];
    lv_form form = {0};
    for (int k = 0; k < LV_SPACES; k++)
        sizes[k] = 1;
    if (info->name[0] == '\0' || strpbrk(info->name, " ,=\t\n"))
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_scheme_register: '%s' cannot be the name of a scheme",
                       info->name);
    if (lv_scheme_find(info->name))
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_scheme_register: there is a scheme '%s' already", info->name);
    if (promised->order < 1)
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_scheme_register: the order of '%s' must be at least 1, not %d",
                       info->name, promised->order);
    if (info->options != 0 || info->composable)
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_scheme_register: '%s' takes no options and is not composed: "
                       "its text alone says what a step is",
                       info->name);
    const lv_status status = lv_form_read(&form, text, &(lv_step_table){0}, sizes, err);
    lv_form_done(&form);
    return status;
}

static char *duplicate(const char *text)
{
    const size_t size = text ? strlen(text) + 1 : 1;
    char *result = lv_memory_zeroed(size, 1);
    if (result && text)
        memcpy(result, text, size);
    return result;
}

static void discard(registered *r)
{
    const char *const texts[] = {r->scheme.info.name, r->scheme.info.summary,
                                 r->scheme.info.text, r->scheme.info.source};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char *mine = NULL; /* descriptors have constant texts, these are ours */
        memcpy(&mine, &texts[k], sizeof mine);
        lv_memory_free(mine);
    }
    lv_memory_free(r->equations);
    lv_memory_free(r);
}

static bool fill(registered *r, const lv_scheme_info *info, const lv_claims *promised,
                 const char *text)
{
    r->scheme = (lv_scheme){.info = *info,
                            .claims = claims,
                            .create = create,
                            .free = lv_stepped_free,
                            .equations = equations,
                            .multipliers = lv_stepped_multipliers,
                            LV_STEPPED_METHODS};
    lv_scheme_info *mine = &r->scheme.info;
    mine->name = duplicate(info->name);
    mine->summary = duplicate(info->summary);
    mine->text = duplicate(info->text);
    mine->source = duplicate(info->source);
    mine->composes_only = mine->only = NULL;
    mine->least_stages = mine->most_stages = mine->default_stages = 1;
    r->claims = *promised;
    r->equations = duplicate(text);
    return mine->name && mine->summary && mine->text && mine->source && r->equations;
}

lv_status lv_scheme_register(const lv_scheme_info *info, const lv_claims *promised,
                             const char *text, lv_error *err)
{
    static int count; /* of those that were registered */
    int at = 0;
    lv_error_clear(err);
    LV_NEED(err, info);
    LV_NEED_AS(err, info->name, "info->name");
    LV_NEED_AS(err, promised, "claims");
    LV_NEED_AS(err, text, "equations");
    LV_TRY(check(info, promised, text, err));
    if (count == LV_REGISTERED_MOST)
        return lv_fail(err, LV_ERR_LIMIT,
                       "lv_scheme_register: at most %d schemes can be registered",
                       LV_REGISTERED_MOST);
    registered *r = lv_memory_zeroed(1, sizeof *r);
    if (!r)
        return lv_fail_memory(err);
    if (!fill(r, info, promised, text)) {
        discard(r);
        return lv_fail_memory(err);
    }
    while (lv_scheme_table[at])
        at++;
    lv_scheme_table[at] = &r->scheme;
    count++;
    return LV_OK;
}
