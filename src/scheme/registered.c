/* Schemes that callers register: a descriptor, claims and a text of the step language,
 * like those of the library.
 *
 * The text refers to the options of the scheme by name: theta and vartheta are
 * coefficients, flags are facts, as in "when projection: ...". Compositions need no text,
 * because they are steps of other sizes. */
#include "base/memory.h"
#include "base/usage.h"
#include "course/write.h"
#include "scheme/stepped.h"

#include <string.h>

typedef struct registered {
    /* must be the first member: methods cast the scheme to this struct */
    lv_scheme scheme;
    lv_claims claims;
    char *equations;
    double defaults[LV_OPTION_ROOM]; /* values of options that are not given */
} registered;

/* The options that registered schemes may have. */
enum { NUMBERS = 2, FLAGS = 3 };
static const lv_option numbers[NUMBERS] = {LV_OPTION_THETA, LV_OPTION_VARTHETA};
static const lv_option flags[FLAGS] = {LV_OPTION_PROJECTION, LV_OPTION_HALF_KICK,
                                       LV_OPTION_ALLOW_UNSTABLE};
static const unsigned possible = LV_TAKES(THETA) | LV_TAKES(VARTHETA) |
                                 LV_TAKES(PROJECTION) | LV_TAKES(HALF_KICK) |
                                 LV_TAKES(ALLOW_UNSTABLE) | LV_TAKES(COMPOSE);

/* The coefficients and facts with which a text is read: the options of the scheme by
 * name, with their values. */
typedef struct names {
    double values[NUMBERS];
    lv_coefficient coefficients[NUMBERS + 1];
    const char *holds[FLAGS + 1], *fails[FLAGS + 1];
} names;

static const char *option_name(lv_option option)
{
    lv_option_info info;
    return lv_option_describe((int)option, &info) ? info.name : "";
}

static void name_options(names *n, unsigned taken, const double value[LV_OPTION_ROOM])
{
    int coefficients = 0, holds = 0, fails = 0;
    *n = (names){.values = {0}};
    for (int k = 0; k < NUMBERS; k++)
        if (taken >> numbers[k] & 1) {
            n->values[k] = value[numbers[k]];
            n->coefficients[coefficients++] =
                (lv_coefficient){option_name(numbers[k]), 0, 0, &n->values[k]};
        }
    for (int k = 0; k < FLAGS; k++)
        if (value[flags[k]] != 0)
            n->holds[holds++] = option_name(flags[k]);
        else
            n->fails[fails++] = option_name(flags[k]);
}

/* ---- methods ---------------------------------------------------------------------------------------- */

static const registered *own(const lv_scheme *self)
{
    return (const registered *)self;
}

static double default_value(const lv_scheme *self, lv_option option,
                            const lv_scheme_options *options)
{
    (void)options;
    return own(self)->defaults[option];
}

/* The options with defaults in place of those that are not given. */
static lv_scheme_options complete_options(const lv_scheme *self,
                                          const lv_scheme_options *options)
{
    lv_scheme_options all = *options;
    for (int k = 0; k < LV_OPTIONS; k++)
        if (self->info.options >> k & 1 && !lv_scheme_option_given(options, (lv_option)k))
            lv_scheme_option_set(&all, (lv_option)k, own(self)->defaults[k]);
    return all;
}

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    const lv_scheme_options all = complete_options(self, options);
    *c = own(self)->claims;
    if (self->info.promise)
        self->info.promise(&all, c);
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    const lv_scheme_options all = complete_options(self, options);
    names n;
    name_options(&n, self->info.options, all.value);
    const lv_status status = lv_stepped_create(
        work, system, own(self)->equations,
        &(lv_step_table){.coefficients = n.coefficients, .facts = n.holds},
        (lv_stepper_options){.checks_solution = true}, err);
    if (status == LV_ERR_USAGE)
        lv_error_note(err, "in the equations of the scheme '%s'", self->info.name);
    return status;
}

static lv_status equations(const lv_scheme *self, lv_text *out,
                           const lv_scheme_options *options, lv_error *err)
{
    const lv_scheme_options all = complete_options(self, options);
    names n;
    (void)err;
    name_options(&n, self->info.options, all.value);
    lv_source_write(out, &(lv_step_source){.text = own(self)->equations,
                                           .holds = n.holds,
                                           .fails = n.fails,
                                           .coefficients = n.coefficients});
    return LV_OK;
}

/* ---- registration ----------------------------------------------------------------------------------- */

static lv_status check_name(const lv_scheme_info *info, lv_error *err)
{
    if (info->name[0] == '\0' || strpbrk(info->name, " ,=\t\n"))
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_scheme_register: '%s' cannot be the name of a scheme",
                       info->name);
    if (lv_scheme_find(info->name))
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_scheme_register: there is a scheme '%s' already", info->name);
    return LV_OK;
}

/* Refuses options that a text cannot use, and defaults out of range. */
static lv_status check_options(const lv_scheme_info *info, lv_error *err)
{
    lv_option_info option;
    for (int k = 0; lv_option_describe(k, &option); k++) {
        if (!(info->options >> k & 1))
            continue;
        if (!(possible >> k & 1)) {
            const lv_status status = lv_fail(
                err, LV_ERR_USAGE,
                "lv_scheme_register: the text of '%s' cannot have the option '%s'",
                info->name, option.name);
            lv_error_hint(err, "options of registered schemes are theta and vartheta, "
                               "projection, half_kick, allow_unstable and compose");
            return status;
        }
        const double value = info->defaults ? info->defaults[k] : 0;
        if (k != LV_OPTION_COMPOSE && !(value >= option.least && value <= option.most))
            return lv_fail(err, LV_ERR_USAGE,
                           "lv_scheme_register: the default of '%s' is %g, not from %g "
                           "to %g",
                           option.name, value, option.least, option.most);
    }
    return LV_OK;
}

static lv_status check_claims(const lv_scheme_info *info, const lv_claims *promised,
                              lv_error *err)
{
    if (promised->order < 1)
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_scheme_register: the order of '%s' must be at least 1, not %d",
                       info->name, promised->order);
    const bool composes = info->options & LV_TAKES(COMPOSE);
    if (composes == info->composable &&
        (!composes || (promised->symmetric && promised->order % 2 == 0)))
        return LV_OK;
    return lv_fail(err, LV_ERR_USAGE,
                   "lv_scheme_register: '%s' can be composed if it is symmetric and of "
                   "even order, composable, and takes the option compose",
                   info->name);
}

/* Checks that the text can be read with all flags set (flag = 1) or with none. */
static lv_status check_text(const lv_scheme_info *info, const char *text, double flag,
                            lv_error *err)
{
    int sizes[LV_SPACES];
    double value[LV_OPTION_ROOM];
    names n;
    lv_form form = {0};
    for (int k = 0; k < LV_SPACES; k++)
        sizes[k] = 1;
    for (int k = 0; k < LV_OPTION_ROOM; k++)
        value[k] = info->options >> k & 1 ? flag : 0;
    name_options(&n, info->options, value);
    const lv_status status = lv_form_read(
        &form, text, &(lv_step_table){.coefficients = n.coefficients, .facts = n.holds},
        sizes, err);
    lv_form_done(&form);
    return status;
}

static lv_status check_scheme(const lv_scheme_info *info, const lv_claims *promised,
                              const char *text, lv_error *err)
{
    LV_TRY(check_name(info, err));
    LV_TRY(check_options(info, err));
    LV_TRY(check_claims(info, promised, err));
    LV_TRY(check_text(info, text, 0, err));
    return check_text(info, text, 1, err);
}

static char *duplicate(const char *text)
{
    const size_t size = text ? strlen(text) + 1 : 1;
    char *result = lv_memory_zeroed(size, 1);
    if (result && text)
        memcpy(result, text, size);
    return result;
}

static void registered_free(registered *r)
{
    const char *const texts[] = {r->scheme.info.name, r->scheme.info.summary,
                                 r->scheme.info.text, r->scheme.info.source};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        /* lv_scheme_info has constant texts, but these were allocated by `duplicate` */
        char *mine = NULL;
        memcpy(&mine, &texts[k], sizeof mine);
        lv_memory_free(mine);
    }
    lv_memory_free(r->equations);
    lv_memory_free(r);
}

static bool registered_fill(registered *r, const lv_scheme_info *info,
                            const lv_claims *promised, const char *text)
{
    r->scheme = (lv_scheme){.info = *info,
                            .claims = claims,
                            .default_value = default_value,
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
    if (info->defaults)
        memcpy(r->defaults, info->defaults, sizeof r->defaults);
    mine->defaults = r->defaults;
    r->claims = *promised;
    r->equations = duplicate(text);
    return mine->name && mine->summary && mine->text && mine->source && r->equations;
}

lv_status lv_scheme_register(const lv_scheme_info *info, const lv_claims *promised,
                             const char *text, lv_error *err)
{
    static int count; /* number of registered schemes */
    int at = 0;
    lv_error_clear(err);
    LV_NEED(err, info);
    LV_NEED_AS(err, info->name, "info->name");
    LV_NEED_AS(err, promised, "claims");
    LV_NEED_AS(err, text, "equations");
    LV_TRY(check_scheme(info, promised, text, err));
    if (count == LV_REGISTERED_MOST)
        return lv_fail(err, LV_ERR_LIMIT,
                       "lv_scheme_register: at most %d schemes can be registered",
                       LV_REGISTERED_MOST);
    registered *r = lv_memory_zeroed(1, sizeof *r);
    if (!r)
        return lv_fail_memory(err);
    if (!registered_fill(r, info, promised, text)) {
        registered_free(r);
        return lv_fail_memory(err);
    }
    while (lv_scheme_table[at])
        at++;
    lv_scheme_table[at] = &r->scheme;
    count++;
    return LV_OK;
}
