#include "peer_klu.h"

#include <klu.h>
#include <stdlib.h>

struct peer_klu {
    saddle *matrix; /* symmetric: its rows are its columns */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

peer_klu *peer_klu_create(saddle *s, int *order)
{
    const int n = s->pattern.rows;
    peer_klu *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    p->matrix = s;
    klu_defaults(&p->common);
    if (order) {
        /* As our own: no scaling, no blocks. */
        p->common.btf = 0;
        p->common.scale = 0;
        p->symbolic = klu_analyze_given(n, s->start, s->column, order, order, &p->common);
    } else {
        p->symbolic = klu_analyze(n, s->start, s->column, &p->common);
    }
    if (!p->symbolic)
        abort();
    return p;
}

void peer_klu_free(peer_klu *p)
{
    if (!p)
        return;
    klu_free_numeric(&p->numeric, &p->common);
    klu_free_symbolic(&p->symbolic, &p->common);
    free(p);
}

void peer_klu_factor(peer_klu *p)
{
    klu_free_numeric(&p->numeric, &p->common);
    p->numeric = klu_factor(p->matrix->start, p->matrix->column, p->matrix->value,
                            p->symbolic, &p->common);
    if (!p->numeric)
        abort();
}

void peer_klu_refactor(peer_klu *p)
{
    if (!klu_refactor(p->matrix->start, p->matrix->column, p->matrix->value, p->symbolic,
                      p->numeric, &p->common))
        abort();
}

void peer_klu_solve(peer_klu *p, double *x)
{
    klu_solve(p->symbolic, p->numeric, p->matrix->pattern.rows, 1, x, &p->common);
}
