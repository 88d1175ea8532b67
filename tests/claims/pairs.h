/* Claims of schemes, measured on pairs of a method (a scheme with its options) and a system.
 *
 * Descriptors alone decide which pairs must be measured: what traits of systems a scheme refuses
 * (lv_scheme_refused_traits), against the traits that are written down here for every system. A pair breaks a
 * claim if
 *   - the descriptor takes the system and the scheme refuses it, or the other way round,
 *   - the measure is above its limit, or is not a number.
 * A scheme that makes a claim and has no pair on which it is measured breaks it, too. */
#ifndef LV_TESTS_PAIRS_H
#define LV_TESTS_PAIRS_H

#include "moving.h"
#include "scheme/scheme.h"
#include "systems.h"

typedef struct pair {
    const method *method;
    const test_system *system;
    const lv_model *model;
    lv_claims claims;
} pair;

typedef struct claim {
    const char *title;
    bool (*made)(
        const lv_claims *claims);     /* by a method with these claims; NULL: by all */
    bool (*applies)(const pair *p);   /* to a motion of this kind; NULL: to all of them */
    double (*measure)(const pair *p); /* how much it is broken */
    double limit;
    int most_stages; /* of the methods on which it is measured */
    bool (*holds)(const pair *p, double measured); /* in place of the limit; NULL: that */
} claim;

static inline const test_system *find_system(const char *name)
{
    for (int k = 0; k < TEST_SYSTEMS; k++)
        if (strcmp(test_systems[k].name, name) == 0)
            return &test_systems[k];
    fail_msg("no system '%s'", name);
    return NULL;
}

/* ---- which pairs must be measured -------------------------------------------------------- */

/* Does the descriptor say that the method takes the system? */
static inline bool says_it_takes(const method *m, const test_system *s)
{
    const lv_scheme *scheme = lv_scheme_find(m->scheme);
    const lv_scheme_options options = method_options(m);
    const char *only = scheme->info.only;
    if (only && (!s->only || strcmp(only, s->only) != 0))
        return false;
    return (lv_scheme_refused_traits(scheme, &options) & s->traits) == 0;
}

/* Does the method begin a simulation of the system where its descriptor says so, and refuse it with reason and
 * hint where not? Prints what is wrong. */
static inline bool keeps_its_word(const method *m, const test_system *s,
                                  const lv_model *model)
{
    char name[METHOD_NAME];
    lv_error err;
    lv_sim *sim = NULL;
    const bool taken = says_it_takes(m, s);
    lv_error_clear(&err);
    const lv_status status = try_start(&sim, model, m, 0.01, &err);
    lv_sim_free(sim);
    const bool refused =
        status == LV_ERR_MODEL && err.text[0] != '\0' && err.hint[0] != '\0';
    if (taken ? status == LV_OK : refused)
        return true;
    print_message("%s on %s: the descriptor %s it, and it ends with %s, '%s'\n",
                  method_name(m, name, sizeof name), s->name, taken ? "takes" : "refuses",
                  lv_status_name(status), err.text);
    return false;
}

static inline bool is_made(const claim *c, const lv_claims *claims)
{
    return !c->made || c->made(claims);
}

static inline bool must_measure(const claim *c, const pair *p)
{
    return says_it_takes(p->method, p->system) && is_made(c, &p->claims) &&
           (!c->applies || c->applies(p));
}

/* ---- measuring --------------------------------------------------------------------------- */

/* What became of the pairs of one scheme, or of all. */
typedef struct tally {
    int methods;  /* that make the claim */
    int measured; /* pairs */
    int broken;   /* pairs */
    int met;      /* pairs that are to be measured */
} tally;

/* Sanitizers look at memory, for which one pair of a few is enough; optimised builds measure all of them. */
#if defined(__SANITIZE_ADDRESS__)
enum { ONE_OF = 16 };
#else
enum { ONE_OF = 1 };
#endif

/* All methods of up to so many stages, all systems. */
typedef struct pair_set {
    method methods[MOST_METHODS];
    int count;
    lv_model *models[TEST_SYSTEMS];
} pair_set;

static inline void pair_set_init(pair_set *set, int most_stages)
{
    set->count = list_methods(set->methods, most_stages);
    for (int k = 0; k < TEST_SYSTEMS; k++)
        set->models[k] = read_text(test_systems[k].text);
}

static inline void pair_set_done(pair_set *set)
{
    for (int k = 0; k < TEST_SYSTEMS; k++)
        lv_model_free(set->models[k]);
}

/* false for a NaN. */
static inline bool is_kept(const claim *c, const pair *p, double measured)
{
    return c->holds ? !isnan(measured) && c->holds(p, measured) : measured <= c->limit;
}

/* One row of the table: a method on all systems. "-": refused, ".": not claimed. Whether methods keep their word is a
 * test of its own (claims.state). */
static inline void check_method(const claim *c, const method *m, lv_model *const *models,
                                tally *t)
{
    char name[METHOD_NAME], row[400] = "";
    const lv_claims claims = claims_of(m);
    int broken = 0;
    t->methods += is_made(c, &claims);
    for (int k = 0; k < TEST_SYSTEMS; k++) {
        const pair p = {m, &test_systems[k], models[k], claims};
        const size_t used = strlen(row);
        bool good = true;
        snprintf(row + used, sizeof row - used, "    %s   ",
                 says_it_takes(m, p.system) ? "." : "-");
        if (must_measure(c, &p) && t->met++ % ONE_OF == 0) {
            const double value = c->measure(&p);
            good = is_kept(c, &p, value);
            snprintf(row + used, sizeof row - used, c->holds ? " %7.2f" : " %7.0e",
                     value);
            t->measured++;
        }
        broken += !good;
    }
    t->broken += broken;
    if (broken > 0 || m->stages <= 5)
        print_message("%-8s %-30s|%s%s\n", c->title, method_name(m, name, sizeof name),
                      row, broken > 0 ? " !" : "");
}

/* Schemes that make the claim without being measured; prints them. */
static inline int unmeasured_schemes(const claim *c, const tally *tallies)
{
    lv_scheme_info info;
    int count = 0;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        if (tallies[k].methods > 0 && tallies[k].measured == 0) {
            print_message("%s: %s claims it, and no pair measures it\n", c->title,
                          info.name);
            count++;
        }
    return count;
}

enum { MOST_SCHEMES = 32 };

static inline int scheme_number(const char *name)
{
    lv_scheme_info info;
    for (int k = 0; k < MOST_SCHEMES && lv_scheme_describe(k, &info); k++)
        if (strcmp(info.name, name) == 0)
            return k;
    fail_msg("no scheme '%s'", name);
    return 0;
}

/* Measures a claim on all pairs. `broken` of the result counts schemes without a pair, too. */
static inline tally measure_claim(const claim *c)
{
    pair_set set;
    tally tallies[MOST_SCHEMES] = {{0}}, all = {0};
    pair_set_init(&set, c->most_stages);
    for (int k = 0; k < set.count; k++)
        check_method(c, &set.methods[k], set.models,
                     &tallies[scheme_number(set.methods[k].scheme)]);
    pair_set_done(&set);
    for (int k = 0; k < MOST_SCHEMES; k++) {
        all.methods += tallies[k].methods;
        all.measured += tallies[k].measured;
        all.broken += tallies[k].broken;
    }
    all.broken += unmeasured_schemes(c, tallies);
    print_message("%s: %d methods claim it, %d pairs measured, %d broken\n", c->title,
                  all.methods, all.measured, all.broken);
    return all;
}

static inline void check_claim(const claim *c)
{
    const tally t = measure_claim(c);
    assert_int_equal(t.broken, 0);
    if (!tested_scheme() || t.methods > 0) /* one scheme need not claim everything */
        assert_in_range(t.measured, 1, INT_MAX);
}

/* The step for long runs. */
static inline double long_step(const pair *p)
{
    return p->system->long_step * (is_multistep(p->method) ? 0.4 : 1);
}

/* How many steps a long run has, or one that is `shorter` times as long. */
static inline int step_count(const pair *p, int shorter)
{
    int count = (p->method->compose > 0  ? 60
                 : p->method->stages > 5 ? 200
                                         : 1000) /
                shorter;
    int last = p->system->last_step;
    return last > 0 && last < count ? last : count;
}

#endif
