/* KLU of SuiteSparse on a symmetric matrix, if it is there: what bench_linear compares our sparse
 * LU with. */
#ifndef LV_BENCH_PEER_KLU_H
#define LV_BENCH_PEER_KLU_H

#include "../tests/num/saddle.h"

typedef struct peer_klu peer_klu;

/* In the order given, or in KLU's own (NULL). NULL where there is no KLU. */
peer_klu *peer_klu_create(saddle *s, int *order);
void peer_klu_free(peer_klu *p);

void peer_klu_factor(peer_klu *p);
void peer_klu_refactor(peer_klu *p);
void peer_klu_solve(peer_klu *p, double *x);

#endif
