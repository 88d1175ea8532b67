/* Programs that compare (system/watch_program.h), for several states at once: of systems
 * that differ in numbers only, or of one system after consecutive steps. Every lane does
 * the operations of its own program in the same order, so the results have the same
 * bits. */
#ifndef LV_SYSTEM_WATCH_LANES_H
#define LV_SYSTEM_WATCH_LANES_H

#include "expr/program.h"
#include "system/watch_program.h"

typedef struct lv_watch_lanes lv_watch_lanes;

/* Creates lanes for programs like this one, which compares. *lanes is NULL if programs
 * like this one run alone, since they have inputs of the model. */
lv_status lv_watch_lanes_create(lv_watch_lanes **lanes, const lv_watch_program *like,
                                lv_error *err);
void lv_watch_lanes_free(lv_watch_lanes *lanes); /* NULL allowed */
bool lv_watch_lanes_fit(const lv_watch_lanes *lanes, const lv_watch_program *program);

/* Copies all numbers of a program that fits to a lane, and back. */
void lv_watch_lanes_enter(lv_watch_lanes *lanes, int lane,
                          const lv_watch_program *program);
void lv_watch_lanes_leave(lv_watch_lanes *lanes, int lane, lv_watch_program *program);

/* lv_watch_program_compare in all lanes in use. t has one number per lane; q, v and p have
 * number k of lane l at [k * LV_LANES + l]. unusual[lane]: something is beyond its bound
 * or not finite, and the largest values are as they were. Returns whether nothing is
 * unusual. */
bool lv_watch_lanes_compare(lv_watch_lanes *lanes, const double t[LV_LANES],
                            const double *q, const double *v, const double *p,
                            bool unusual[LV_LANES]);

/* For states of one system, whose program has entered all lanes: stores the state of a
 * lane (q, v and p one behind the other), reads it again and returns its time, and
 * compares all of them. The last one returns whether nothing is unusual; otherwise the
 * largest values are as they were. */
void lv_watch_lanes_put(lv_watch_lanes *lanes, int lane, double t, const double *state);
double lv_watch_lanes_get(const lv_watch_lanes *lanes, int lane, double *state);
bool lv_watch_lanes_compare_put(lv_watch_lanes *lanes);

/* Gives all lanes the bounds and the largest values of their program, and the program the
 * largest values of all lanes and the results of the last lane. */
void lv_watch_lanes_spread(lv_watch_lanes *lanes, const lv_watch_program *program);
void lv_watch_lanes_gather(const lv_watch_lanes *lanes, lv_watch_program *program);

#endif
