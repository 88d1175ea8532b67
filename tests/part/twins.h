/* Twins: a model from parts and the same written by hand. */
#ifndef LV_TESTS_TWINS_H
#define LV_TESTS_TWINS_H

#include "../model/reading.h"

typedef struct twins {
    inspected part, hand;
} twins;

static inline twins twins_of(lv_model *part, lv_model *hand)
{
    return (twins){inspect_model(part), inspect_model(hand)};
}

static inline twins twins_read(const char *part, const char *hand)
{
    return twins_of(read_text(part), read_text(hand));
}

static inline void twins_free(twins *t)
{
    inspected_free(&t->part);
    inspected_free(&t->hand);
}

/* Same sizes, names, start, energies and residuals. */
static inline void assert_same_start(const twins *t)
{
    const lv_inspection *a = t->part.at, *b = t->hand.at;
    assert_int_equal(a->coordinates, b->coordinates);
    assert_int_equal(a->holonomic, b->holonomic);
    assert_int_equal(a->freedom, b->freedom);
    assert_int_equal(a->mass, b->mass);
    for (int k = 0; k < a->coordinates; k++) {
        char one[80], other[80];
        assert_string_equal(
            lv_model_coordinate_name(t->part.model, k, one, sizeof one),
            lv_model_coordinate_name(t->hand.model, k, other, sizeof other));
        assert_true(lv_model_start_position(t->part.model)[k] ==
                    lv_model_start_position(t->hand.model)[k]);
        assert_true(lv_model_start_velocity(t->part.model)[k] ==
                    lv_model_start_velocity(t->hand.model)[k]);
    }
    assert_close(a->kinetic, b->kinetic, 1e-15);
    assert_close(a->potential, b->potential, 1e-15);
    assert_close(a->energy, b->energy, 1e-15);
    assert_close(a->position_residual, b->position_residual, 1e-15);
    assert_close(a->velocity_residual, b->velocity_residual, 1e-15);
}

/* A simulation with the scheme given; 0 stages, 0 compose: as usual. */
static inline lv_sim *sim_of(const lv_model *model, const char *scheme, int stages,
                             int compose, double step)
{
    lv_error err;
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = scheme;
    options.options = (lv_scheme_options){0};
    if (stages > 0)
        lv_scheme_option_set(&options.options, LV_OPTION_STAGES, stages);
    if (compose > 0)
        lv_scheme_option_set(&options.options, LV_OPTION_COMPOSE, compose);
    options.step = step;
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK)
        fail_with(&err);
    return sim;
}

static inline void advance(lv_sim *sim, double until)
{
    lv_error err;
    if (lv_sim_advance(sim, until, &err) != LV_OK)
        fail_with(&err);
}

/* Both move alike, to the tolerance. */
static inline void assert_same_motion(const twins *t, const char *scheme, double step,
                                      double until, double tolerance)
{
    lv_sim *a = sim_of(t->part.model, scheme, 0, 0, step);
    lv_sim *b = sim_of(t->hand.model, scheme, 0, 0, step);
    for (int piece = 1; piece <= 4; piece++) {
        advance(a, piece * until / 4);
        advance(b, piece * until / 4);
        for (int k = 0; k < t->part.at->coordinates; k++) {
            assert_close(lv_sim_position(a)[k], lv_sim_position(b)[k], tolerance);
            assert_close(lv_sim_velocity(a)[k], lv_sim_velocity(b)[k], tolerance);
        }
    }
    lv_sim_free(a);
    lv_sim_free(b);
}

/* A beginning with the one text behind it and with the other: both move alike for a unit of time. */
static inline void assert_twins_move_alike(const char *beginning, const char *part,
                                           const char *hand, const char *scheme,
                                           double tolerance)
{
    char one[2500], other[2500];
    snprintf(one, sizeof one, "%s%s", beginning, part);
    snprintf(other, sizeof other, "%s%s", beginning, hand);
    twins t = twins_read(one, other);
    assert_same_motion(&t, scheme, 0.01, 1, tolerance);
    twins_free(&t);
}

#endif
