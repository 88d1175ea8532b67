/* Unknowns of past steps, and what they let expect of the next one.
 *
 * Values that steps of one size find are those of one smooth function of time, which is continued as a polynomial. Values
 * of steps of different sizes depend on the size as well, mu = lambda(t) + h beta(t) + ..., and this dependence is
 * eliminated along with that on time. In compositions each substep has a history of its own: its values in successive
 * composed steps are those of one smooth function again. */
#ifndef LV_STEP_HISTORY_H
#define LV_STEP_HISTORY_H

#include <stdbool.h>

enum { LV_HISTORY_DEPTH = 14 };

/* All state is in `numbers`: how many steps are known, where the newest is, the size of the coming step, the size of
 * each, then the values. */
typedef struct lv_history {
    int m; /* values per step */
    double *numbers;
} lv_history;

int lv_history_size(int m);
void lv_history_clear(lv_history *history);

/* How many steps are known. */
int lv_history_count(const lv_history *history);

/* A step of size h is to come. */
void lv_history_begin(lv_history *history, double h);

/* expected[r] = what is expected of value r; 0 where nothing is known. most: past values that may be used, for motions
 * that are not smooth; 0: as many as serve best. */
void lv_history_expect(const lv_history *history, double *expected, int most);

/* The step that began is over, and these are its values. missed: what had been expected was not close. */
void lv_history_add(lv_history *history, const double *found, bool missed);

#endif
