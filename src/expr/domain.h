/* Diagnosis of a result that is not finite: which operation caused it, where, and with
 * which values.
 *
 * Programs do not check every operation. A caller that finds an output that is not finite
 * calls these functions. They evaluate the graph again, following only the taken branch
 * of conditionals, until the first operation whose operands are finite and whose result
 * is not. */
#ifndef LV_EXPR_DOMAIN_H
#define LV_EXPR_DOMAIN_H

#include "expr/program.h"

/* Fills err with LV_ERR_DOMAIN, the place in the formula and a text such as
 *   "logarithm of a negative number: log(-0.5)"
 *   "division by zero: 0.5/0, in a derivative of this expression"
 *   "the value of this coordinate is not finite: nan"
 * `inputs` are as for lv_graph_evaluate. Returns LV_OK if all values are finite. */
lv_status lv_domain_diagnose(const lv_graph *graph, const lv_node *nodes, int count,
                             const double *const inputs[LV_INPUT_KINDS], lv_error *err);

/* Does the same for the outputs of a program in one lane of its workspace, which holds
 * all inputs. The program must have been compiled from the graph. */
lv_status lv_domain_diagnose_lane(const lv_graph *graph, const lv_program *program,
                                  const double *workspace, int lanes, int lane,
                                  lv_error *err);

#endif
