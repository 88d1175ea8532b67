/* Every scheme, with all stages and compositions, on every system that it takes. */
#ifndef LV_TESTS_PAIRS_H
#define LV_TESTS_PAIRS_H

#include "moving.h"
#include "systems.h"

typedef struct pair {
    const method *method;
    const test_system *system;
    const lv_model *model;
    lv_claims claims;
} pair;

/* A measure of how much a claim is broken, and what is still kept. NAN: not claimed. */
typedef double (*measure)(const pair *p);

static inline bool check_pairs(const char *title, const method *m,
                               lv_model *const *models, measure f, double limit)
{
    char name[METHOD_NAME], row[400] = "";
    double worst = 0;
    for (int k = 0; k < TEST_SYSTEMS; k++) {
        const pair p = {m, &test_systems[k], models[k], claims_of(m)};
        double value = fits(p.model, m) ? f(&p) : (double)NAN;
        size_t used = strlen(row);
        snprintf(row + used, sizeof row - used, isnan(value) ? "    -   " : " %7.0e",
                 value);
        worst = value > worst ? value : worst; /* passes over NAN */
    }
    bool good = worst <= limit;
    if (!good || m->stages <= 5)
        print_message("%-8s %-30s|%s%s\n", title, method_name(m, name, sizeof name), row,
                      good ? "" : " !");
    return good;
}

static inline void check_all(const char *title, measure f, double limit, int most_stages)
{
    method list[MOST_METHODS];
    lv_model *models[TEST_SYSTEMS];
    int count = list_methods(list, most_stages), broken = 0;
    for (int k = 0; k < TEST_SYSTEMS; k++)
        models[k] = read_text(test_systems[k].text);
    for (int k = 0; k < count; k++)
        if (strcmp(list[k].scheme, "verlet") != 0) /* the same as rattle */
            broken += !check_pairs(title, &list[k], models, f, limit);
    for (int k = 0; k < TEST_SYSTEMS; k++)
        lv_model_free(models[k]);
    assert_int_equal(broken, 0);
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
